use crate::games::Side;
use crate::search::Clock;
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

/// The words of a `go` command, read but not yet tied to a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Count positions to this depth instead of searching.
    pub perft: Option<u32>,
    /// Limits as in [`Limits`](crate::search::Limits).
    pub nodes: Option<u64>,
    /// Time for this turn.
    pub move_time: Option<Duration>,
    /// Time left to White and Black.
    pub time: [Option<Duration>; 2],
    /// Time added a turn.
    pub increment: [Duration; 2],
    /// Turns to the next time control.
    pub moves_to_go: Option<u32>,
    /// Turns in the principal variation.
    pub depth: Option<u32>,
    /// Turns to a proven win.
    pub mate: Option<u32>,
    /// Until stopped.
    pub infinite: bool,
    /// On the opponent's time.
    pub ponder: bool,
    /// Turns to consider, as text.
    pub search_moves: Vec<String>,
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
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(turn) = words.next_if(|next| !is_keyword(next)) {
                        go.search_moves.push(turn.to_owned());
                    }
                }
                keyword if is_keyword(keyword) => go.limit(keyword, words.next().unwrap_or_default())?,
                _ => go.unknown.push(word.to_owned()),
            }
        }
        Ok(go)
    }

    fn limit(&mut self, word: &str, found: &str) -> Result<(), GoError> {
        let [white, black] = &mut self.time;
        let [white_increment, black_increment] = &mut self.increment;
        match word {
            "wtime" | "p1time" => *white = Some(time(word, found)?),
            "btime" | "p2time" => *black = Some(time(word, found)?),
            "winc" | "p1inc" => *white_increment = time(word, found)?,
            "binc" | "p2inc" => *black_increment = time(word, found)?,
            "movetime" => self.move_time = Some(time(word, found)?),
            "movestogo" => self.moves_to_go = Some(number(word, found, 1)?),
            "nodes" => self.nodes = Some(number(word, found, 1)?),
            "depth" => self.depth = Some(number(word, found, 1)?),
            "mate" => self.mate = Some(number(word, found, 1)?),
            "perft" => self.perft = Some(number(word, found, 0)?),
            _ => {}
        }
        Ok(())
    }

    /// The clock of `side`, if any clock was given. A time that was not named counts as run out: better too quick than lost.
    #[must_use]
    pub fn clock(&self, side: Side) -> Option<Clock> {
        let Self { time, increment, moves_to_go, .. } = self;
        let given = time.iter().any(Option::is_some) || increment.iter().any(|time| !time.is_zero());
        let time = time.get(side.index()).copied().flatten().unwrap_or_default();
        let increment = increment.get(side.index()).copied().unwrap_or_default();
        given.then_some(Clock { time, increment, moves_to_go: *moves_to_go })
    }

    /// Whether nothing at all ends the search.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        let Self { nodes, move_time, depth, mate, .. } = self;
        nodes.is_none() && move_time.is_none() && depth.is_none() && mate.is_none() && self.clock(Side::White).is_none()
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

    #[test]
    fn all_limits_are_read_in_any_order() {
        let go = Go::parse("binc 5 searchmoves a1a2,a2a1 b1b2,b2b1 wtime -7 nodes 9 movestogo 3 ponder BTIME 80")
            .unwrap_or_default();
        assert_eq!(go.search_moves, ["a1a2,a2a1", "b1b2,b2b1"]);
        assert_eq!((go.nodes, go.ponder, go.infinite), (Some(9), true, false));
        let milliseconds = Duration::from_millis;
        assert_eq!(
            go.clock(Side::Black),
            Some(Clock { time: milliseconds(80), increment: milliseconds(5), moves_to_go: Some(3) })
        );
        assert_eq!(go.clock(Side::White).map(|clock| clock.time), Some(Duration::ZERO));
        for (words, unlimited) in [("btime 5000", false), ("winc 100", false), ("movestogo 4", true), ("", true)] {
            assert_eq!(Go::parse(words).map(|go| go.is_unlimited()), Ok(unlimited), "{words}");
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
