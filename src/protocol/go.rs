use crate::engine::{Clocks, Limits};
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
    /// Words that mean nothing here.
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
        /// What would be possible, if that is worth saying.
        range: &'static str,
    },
}

impl Go {
    /// Reads the words after `go`, of either dialect: UGI says `p1time` for `wtime`.
    ///
    /// # Errors
    ///
    /// If a limit is not followed by a number in its range.
    pub fn parse(words: &str) -> Result<Self, GoError> {
        let mut go = Self::default();
        let mut words = words.split_ascii_whitespace().peekable();
        while let Some(word) = words.next() {
            let lower = word.to_ascii_lowercase();
            match lower.as_str() {
                "infinite" => go.limits.infinite = true,
                "ponder" => go.limits.ponder = true,
                "searchmoves" => {
                    while let Some(turn) = words.next_if(|next| !is_keyword(next)) {
                        go.limits.turns.push(turn.to_owned());
                    }
                }
                keyword if is_keyword(keyword) => go.limit(keyword, words.next().unwrap_or_default())?,
                _ => go.unknown.push(word.to_owned()),
            }
        }
        Ok(go)
    }

    fn limit(&mut self, word: &str, found: &str) -> Result<(), GoError> {
        let limits = &mut self.limits;
        let Clocks { time: [white, black], increment: [white_increment, black_increment], moves_to_go } =
            &mut limits.clocks;
        match word {
            "wtime" | "p1time" => *white = Some(time(word, found)?),
            "btime" | "p2time" => *black = Some(time(word, found)?),
            "winc" | "p1inc" => *white_increment = time(word, found)?,
            "binc" | "p2inc" => *black_increment = time(word, found)?,
            "movetime" => limits.move_time = Some(time(word, found)?),
            "movestogo" => *moves_to_go = Some(number(word, found, 1)?),
            "nodes" => limits.nodes = Some(number(word, found, 1)?),
            "depth" => limits.depth = Some(number(word, found, 1)?),
            "mate" => limits.mate = Some(number(word, found, 1)?),
            "perft" => self.perft = Some(number(word, found, 0)?),
            _ => {}
        }
        Ok(())
    }
}

const KEYWORDS: &[&str] = &[
    "infinite",
    "ponder",
    "searchmoves",
    "wtime",
    "btime",
    "winc",
    "binc",
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "movetime",
    "movestogo",
    "nodes",
    "depth",
    "mate",
    "perft",
];

fn is_keyword(word: &str) -> bool {
    KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(word))
}

/// Milliseconds; clocks below zero count as run out.
fn time(word: &str, found: &str) -> Result<Duration, GoError> {
    let milliseconds: i64 = whole(word, found, " of milliseconds")?;
    Ok(Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0)))
}

fn number<N: TryFrom<i64>>(word: &str, found: &str, least: i64) -> Result<N, GoError> {
    let range = if least == 1 { " from 1 up" } else { " from 0 up" };
    let number: i64 = whole(word, found, range)?;
    let error = || GoError::Number { word: word.to_owned(), found: found.to_owned(), range };
    if number < least { Err(error()) } else { N::try_from(number).map_err(|_| error()) }
}

fn whole(word: &str, found: &str, range: &'static str) -> Result<i64, GoError> {
    found.parse().map_err(|_| GoError::Number { word: word.to_owned(), found: found.to_owned(), range })
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
