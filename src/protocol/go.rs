use crate::engine::Limits;
use std::num::TryFromIntError;
use std::time::Duration;
use thiserror::Error;

/// How the client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The universal chess interface with variants.
    Uci,
    /// The universal game interface.
    Ugi,
}

/// The words of a `go` command.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Go {
    /// Count positions to this depth instead of searching.
    pub perft: Option<u32>,
    /// When to stop. Its turns are as they were written, not yet known to be legal.
    pub limits: Limits,
    /// Unknown words.
    pub unknown: Vec<String>,
}

/// A `go` that cannot be obeyed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GoError {
    /// A limit without a usable number.
    #[error("go {word}: '{found}' is not a whole number{range}")]
    Number {
        /// The limit.
        word: String,
        /// What follows it.
        found: String,
        /// The possible range, or nothing.
        range: &'static str,
    },
}

/// What follows a word, and what becomes of it.
#[derive(Clone, Copy)]
enum Value {
    /// Nothing follows.
    Flag(fn(&mut Limits)),
    /// Milliseconds; clocks below zero count as run out.
    Time(fn(&mut Limits, Duration)),
    /// A whole number from this one up.
    Number(i64, fn(&mut Go, i64) -> Result<(), TryFromIntError>),
    /// Turns, up to the next word of this table.
    Turns(fn(&mut Limits, String)),
}

/// Every word, in both dialects: UGI says `p1time` for `wtime`.
const WORDS: &[(&str, Value)] = &[
    ("infinite", Value::Flag(|limits| limits.infinite = true)),
    ("ponder", Value::Flag(|limits| limits.ponder = true)),
    ("searchmoves", Value::Turns(|limits, turn| limits.turns.push(turn))),
    ("wtime", Value::Time(|limits, time| limits.clocks.time[0] = Some(time))),
    ("btime", Value::Time(|limits, time| limits.clocks.time[1] = Some(time))),
    ("winc", Value::Time(|limits, time| limits.clocks.increment[0] = time)),
    ("binc", Value::Time(|limits, time| limits.clocks.increment[1] = time)),
    ("p1time", Value::Time(|limits, time| limits.clocks.time[0] = Some(time))),
    ("p2time", Value::Time(|limits, time| limits.clocks.time[1] = Some(time))),
    ("p1inc", Value::Time(|limits, time| limits.clocks.increment[0] = time)),
    ("p2inc", Value::Time(|limits, time| limits.clocks.increment[1] = time)),
    ("movetime", Value::Time(|limits, time| limits.move_time = Some(time))),
    ("movestogo", Value::Number(1, |go, number| set(&mut go.limits.clocks.moves_to_go, number))),
    ("nodes", Value::Number(1, |go, number| set(&mut go.limits.nodes, number))),
    ("depth", Value::Number(1, |go, number| set(&mut go.limits.depth, number))),
    ("mate", Value::Number(1, |go, number| set(&mut go.limits.mate, number))),
    ("perft", Value::Number(0, |go, number| set(&mut go.perft, number))),
];

/// Fails if the number is too large for its limit.
fn set<N: TryFrom<i64, Error = TryFromIntError>>(limit: &mut Option<N>, number: i64) -> Result<(), TryFromIntError> {
    *limit = Some(number.try_into()?);
    Ok(())
}

/// What `word` means, if it means anything.
fn value(word: &str) -> Option<Value> {
    WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|&(_, value)| value)
}

impl Go {
    /// Reads the words after `go`, of either dialect.
    ///
    /// # Errors
    ///
    /// If a limit is not followed by a number in its range.
    pub fn parse(words: &str) -> Result<Self, GoError> {
        let mut go = Self::default();
        let mut words = words.split_ascii_whitespace().peekable();
        while let Some(word) = words.next() {
            let Some(value) = value(word) else {
                go.unknown.push(word.to_owned());
                continue;
            };
            match value {
                Value::Flag(set) => set(&mut go.limits),
                Value::Turns(add) => {
                    while let Some(turn) = words.next_if(|next| self::value(next).is_none()) {
                        add(&mut go.limits, turn.to_owned());
                    }
                }
                Value::Time(set) => {
                    let milliseconds = whole(word, words.next(), " of milliseconds")?.0;
                    set(&mut go.limits, Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0)));
                }
                Value::Number(least, set) => {
                    let range = if least == 1 { " from 1 up" } else { " from 0 up" };
                    let (number, error) = whole(word, words.next(), range)?;
                    if number < least || set(&mut go, number).is_err() {
                        return Err(error);
                    }
                }
            }
        }
        Ok(go)
    }
}

/// The number that follows `word`, and the error to give if it does not fit.
fn whole(word: &str, found: Option<&str>, range: &'static str) -> Result<(i64, GoError), GoError> {
    let found = found.unwrap_or_default();
    let error = GoError::Number { word: word.to_ascii_lowercase(), found: found.to_owned(), range };
    match found.parse() {
        Ok(number) => Ok((number, error)),
        Err(_) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Clock;
    use crate::games::Side;

    #[test]
    fn all_limits_are_read_in_any_order() {
        let Go { limits, .. } =
            Go::parse("binc 5 searchmoves a1a2,a2a1 b1b2,b2b1 wtime -7 nodes 9 movestogo 3 ponder BTIME 80")
                .unwrap_or_default();
        assert_eq!(limits.turns, ["a1a2,a2a1", "b1b2,b2b1"]);
        assert_eq!((limits.nodes, limits.ponder, limits.infinite), (Some(9), true, false));
        let milliseconds = Duration::from_millis;
        assert_eq!(
            limits.clocks.of(Side::Black),
            Some(Clock { time: milliseconds(80), increment: milliseconds(5), moves_to_go: Some(3) })
        );
        assert_eq!(limits.clocks.of(Side::White).map(|clock| clock.time), Some(Duration::ZERO));
        for (words, unlimited) in [("btime 5000", false), ("winc 100", false), ("movestogo 4", true), ("", true)] {
            assert_eq!(Go::parse(words).map(|go| go.limits.is_unlimited()), Ok(unlimited), "{words}");
        }
    }

    #[test]
    fn numbers_that_are_none_are_refused() {
        for words in
            ["nodes", "nodes x", "nodes 0", "nodes -1", "depth 99999999999", "wtime 9999999999999999999999", "mate 1.5"]
        {
            assert!(Go::parse(words).is_err(), "{words}");
        }
    }

    #[test]
    fn unknown_words_are_kept_aside() {
        assert_eq!(Go::parse("movetime 5 foo").map(|go| go.unknown), Ok(vec!["foo".to_owned()]));
    }
}
