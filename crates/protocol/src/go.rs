use hippolyta::engine::Limits;
use std::time::Duration;

/// How the client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The universal chess interface with variants.
    Uci,
    /// The universal game interface.
    Ugi,
}

impl Dialect {
    /// Its usual name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uci => "UCI",
            Self::Ugi => "UGI",
        }
    }
}

/// The words of a `go` command.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Go {
    /// Count positions to this depth instead of searching.
    pub perft: Option<u32>,
    /// When to stop. What turns are to be searched it does not know yet.
    pub limits: Limits,
    /// The turns to search, as they were written: whether they are legal a position tells.
    pub turns: Vec<String>,
    /// The words that could not be understood, and why.
    pub left_out: Vec<String>,
}

/// The value that follows a word, and its use.
#[derive(Clone, Copy)]
enum Value {
    /// Nothing follows.
    Flag(fn(&mut Limits)),
    /// Milliseconds; what is below zero counts as run out.
    Time(fn(&mut Limits, Duration)),
    /// A number of positions, moves or turns, of which this is the least that can be searched.
    Limit(u64, fn(&mut Go, u64)),
    /// The number of turns to a time control; none if it is below 1.
    Ahead(fn(&mut Limits, u64)),
    /// Turns, up to the next word of this table.
    Turns,
}

/// Every word, in both dialects: UGI says `p1time` for `wtime`.
const WORDS: &[(&str, Value)] = &[
    ("infinite", Value::Flag(|limits| limits.infinite = true)),
    ("ponder", Value::Flag(|limits| limits.ponder = true)),
    ("searchmoves", Value::Turns),
    ("wtime", Value::Time(|limits, time| limits.clocks.time[0] = Some(time))),
    ("btime", Value::Time(|limits, time| limits.clocks.time[1] = Some(time))),
    ("winc", Value::Time(|limits, time| limits.clocks.increment[0] = time)),
    ("binc", Value::Time(|limits, time| limits.clocks.increment[1] = time)),
    ("p1time", Value::Time(|limits, time| limits.clocks.time[0] = Some(time))),
    ("p2time", Value::Time(|limits, time| limits.clocks.time[1] = Some(time))),
    ("p1inc", Value::Time(|limits, time| limits.clocks.increment[0] = time)),
    ("p2inc", Value::Time(|limits, time| limits.clocks.increment[1] = time)),
    ("movetime", Value::Time(|limits, time| limits.move_time = Some(time))),
    ("movestogo", Value::Ahead(|limits, number| limits.clocks.moves_to_go = Some(narrow(number)))),
    ("nodes", Value::Limit(1, |go, number| go.limits.nodes = Some(number))),
    ("depth", Value::Limit(1, |go, number| go.limits.depth = Some(narrow(number)))),
    // There is no win within no move, so nothing is to be waited for.
    (
        "mate",
        Value::Limit(0, |go, number| match number {
            0 => go.limits.move_time = Some(Duration::ZERO),
            _ => go.limits.mate = Some(narrow(number)),
        }),
    ),
    ("perft", Value::Limit(0, |go, number| go.perft = Some(narrow(number).min(DEEPEST_PERFT)))),
];

/// Nobody can count farther, and a game without end would fill the stack.
pub(super) const DEEPEST_PERFT: u32 = 99;

/// The number, or the largest there is.
fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The meaning of `word`, if it has one.
fn value(word: &str) -> Option<Value> {
    WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|&(_, value)| value)
}

impl Go {
    /// Reads the words after `go`, of either dialect. Whatever they are, something can be searched: what cannot be
    /// understood is [left out](Self::left_out). Numbers may have fractions and exponents; too large ones are the
    /// largest that there are. If a number was left out and nothing else limits the search, it is to end at once:
    /// whoever named a limit waits for a move.
    pub fn parse(words: &str) -> Self {
        let mut go = Self::default();
        let mut is_limited = false;
        let mut words = words.split_ascii_whitespace().peekable();
        while let Some(word) = words.next() {
            let Some(value) = value(word) else {
                go.left_out.push(format!("'{word}', an unknown word"));
                continue;
            };
            match value {
                Value::Flag(set) => set(&mut go.limits),
                Value::Turns => {
                    while let Some(turn) = words.next_if(|next| self::value(next).is_none()) {
                        go.turns.push(turn.to_owned());
                    }
                }
                Value::Time(_) | Value::Limit(..) | Value::Ahead(_) => {
                    is_limited = true;
                    let found = words.next_if(|next| self::value(next).is_none());
                    match found.and_then(number) {
                        Some(number) => go.set(word, value, number),
                        None => go.left_out.push(match found {
                            Some(found) => format!("{word} '{found}', not a number"),
                            None => format!("{word} without a number"),
                        }),
                    }
                }
            }
        }
        let Self { perft, limits, .. } = &mut go;
        if is_limited && !limits.infinite && limits.is_unlimited() && perft.is_none() {
            limits.move_time = Some(Duration::ZERO);
        }
        go
    }

    fn set(&mut self, word: &str, value: Value, number: f64) {
        match value {
            Value::Time(set) => {
                let time = Duration::try_from_secs_f64((number / 1_000.0).max(0.0));
                set(&mut self.limits, time.unwrap_or(Duration::MAX).min(LONGEST));
            }
            // Rounded down; beyond the range of the type it is the type's least or greatest.
            Value::Limit(least, set) => set(self, (number as u64).max(least)),
            Value::Ahead(set) if number >= 1.0 => set(&mut self.limits, number as u64),
            Value::Ahead(_) => self.left_out.push(format!("{word} {number}, as no time control is so near")),
            Value::Flag(_) | Value::Turns => {}
        }
    }
}

/// Longer times are not limits in earnest; sums and multiples of such times are still times.
const LONGEST: Duration = Duration::from_millis(u64::MAX);

/// A number, perhaps with a fraction and an exponent: infinite where it is too large.
pub(super) fn number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    // So that words for what is no number are none.
    digits.starts_with(|c: char| c.is_ascii_digit() || c == '.').then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::engine::Clock;
    use hippolyta::games::Side;

    #[test]
    fn all_limits_are_read_in_any_order() {
        let Go { limits, turns, .. } =
            Go::parse("binc 5 searchmoves a1a2,a2a1 b1b2,b2b1 wtime -7 nodes 9 movestogo 3 ponder BTIME 80");
        assert_eq!(turns, ["a1a2,a2a1", "b1b2,b2b1"]);
        assert_eq!((limits.nodes, limits.ponder, limits.infinite), (Some(9), true, false));
        let milliseconds = Duration::from_millis;
        assert_eq!(
            limits.clocks.of(Side::Black),
            Some(Clock { time: milliseconds(80), increment: milliseconds(5), moves_to_go: Some(3) })
        );
        assert_eq!(limits.clocks.of(Side::White).map(|clock| clock.time), Some(Duration::ZERO));
        for (words, unlimited) in [("btime 5000", false), ("winc 100", false), ("ponder", true), ("", true)] {
            assert_eq!(Go::parse(words).limits.is_unlimited(), unlimited, "{words}");
        }
    }

    #[test]
    fn numbers_are_read_however_they_are_written() {
        let read = |words| Go { left_out: Vec::new(), ..Go::parse(words) };
        let of = |limits: Limits| Go { limits, ..Go::default() };
        let nodes = |nodes| of(Limits { nodes: Some(nodes), ..Limits::default() });
        for (words, number) in [
            ("nodes 0", 1),
            ("nodes -5", 1),
            ("nodes 0.5", 1),
            ("nodes 7.9", 7),
            ("nodes 1e3", 1_000),
            ("nodes +7", 7),
            ("nodes 9007199254740993e400", u64::MAX),
            ("nodes 99999999999999999999999", u64::MAX),
            ("nodes 5 nodes 6", 6),
            ("nodes 5 nodes six", 5),
        ] {
            assert_eq!(read(words), nodes(number), "{words}");
        }
        assert_eq!(read("depth -1 mate 0 perft -2").perft, Some(0));
        assert_eq!(read("depth 0"), of(Limits { depth: Some(1), ..Limits::default() }));
        assert_eq!(read("depth 99999999999").limits.depth, Some(u32::MAX));
        let time = |time| of(Limits { move_time: Some(time), ..Limits::default() });
        for (words, milliseconds) in [
            ("movetime 1000.5", 1_000.5),
            ("movetime -1", 0.0),
            ("movetime .5", 0.5),
            ("mate 0", 0.0),
            ("mate -3", 0.0),
        ] {
            assert_eq!(read(words), time(Duration::from_secs_f64(milliseconds / 1_000.0)), "{words}");
        }
        assert_eq!(read("movetime 1e300"), time(LONGEST));
        assert_eq!(Go::parse("wtime 1000 btime 1000 movestogo 2.5").limits.clocks.moves_to_go, Some(2));
    }

    #[test]
    fn what_cannot_be_understood_is_left_out_and_named() {
        for (words, left_out) in [
            ("movetime 5 foo", "'foo', an unknown word"),
            ("movetime 5 nodes ten", "nodes 'ten', not a number"),
            ("movetime 5 nodes inf", "nodes 'inf', not a number"),
            ("movetime 5 nodes NaN", "nodes 'NaN', not a number"),
            ("movetime 5 depth 0x10", "depth '0x10', not a number"),
            ("movetime 5 mate", "mate without a number"),
            ("perft movetime 5", "perft without a number"),
            ("movestogo -3 movetime 5", "movestogo -3, as no time control is so near"),
        ] {
            let go = Go::parse(words);
            assert_eq!(go.left_out, [left_out], "{words}");
            assert_eq!(go.limits, Limits { move_time: Some(Duration::from_millis(5)), ..Limits::default() }, "{words}");
        }
        let Go { limits, left_out, .. } = Go::parse("wtime btime 100 winc");
        assert_eq!(left_out, ["wtime without a number", "winc without a number"]);
        assert_eq!(limits.clocks.time, [None, Some(Duration::from_millis(100))]);
    }

    #[test]
    fn who_named_a_limit_does_not_wait_for_ever() {
        for words in ["nodes ten", "depth", "wtime x", "movestogo 0", "movestogo 4", "perft x", "ponder mate x"] {
            assert_eq!(Go::parse(words).limits.move_time, Some(Duration::ZERO), "{words}");
        }
        for words in ["foo", "ponder", "searchmoves x", "infinite nodes ten", "perft 3"] {
            assert!(Go::parse(words).limits.is_unlimited(), "{words}");
        }
    }
}
