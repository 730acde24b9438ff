//! An engine's note on a turn, as words in a comment: `+0.35/12 1.234s, tl=9.900s, n=5000`. These are the words of
//! fastchess: score from the mover's view in pawns or as `+M3`, depth, time, time left, nodes; `-` stands for no score.
//! A turn of the opening is `book`.

use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// An engine's score of a position, from the mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "RecordedScore"))]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Proven: a win in this number of turns, negative for a loss.
    Mate(i32),
}

/// An engine's note on its turn. Every part may be missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The turn is from the opening: no engine chose it.
    pub book: bool,
    /// The score, from the mover's view.
    pub score: Option<Score>,
    /// The depth in turns.
    pub depth: Option<u32>,
    /// Positions evaluated.
    pub nodes: Option<u64>,
    /// Microseconds used.
    pub time_us: Option<u64>,
    /// Milliseconds left on the mover's clock after the turn.
    pub clock_ms: Option<u64>,
}

/// Larger scores are none.
const MOST: f64 = 1e7;

impl Score {
    pub(super) fn text(self) -> String {
        match self {
            Self::Cp(value) => format!("{:+.2}", f64::from(value) / 100.0),
            Self::Mate(moves) if moves > 0 => format!("+M{moves}"),
            Self::Mate(moves) => format!("-M{}", moves.unsigned_abs()),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => (-1, digits),
            None => (1, text.strip_prefix('+').unwrap_or(text)),
        };
        if let Some(moves) = digits.strip_prefix('M') {
            return Some(Self::Mate(sign * i32::try_from(whole(moves)?).ok()?));
        }
        Some(Self::Cp(sign * hundredths(digits)?))
    }
}

/// Digits alone.
fn whole(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// A number without a sign, times 100.
pub(super) fn hundredths(text: &str) -> Option<i32> {
    Some((decimal(text)? * 100.0).round()).filter(|value| *value <= MOST).map(|value| value as i32)
}

/// `12` or `12.34`.
fn decimal(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    (plain && text.starts_with(|c: char| c.is_ascii_digit())).then(|| text.parse().ok())?
}

/// `1.234s` as a number of which a second has `unit`.
fn seconds(text: &str, unit: f64) -> Option<u64> {
    let seconds = decimal(text.strip_suffix('s')?)?;
    (seconds <= 1e9).then(|| (seconds * 1e3).round() as u64 * (unit / 1e3) as u64)
}

impl Note {
    /// The words; empty if nothing is known.
    #[must_use]
    pub fn text(&self) -> String {
        if self.book {
            return "book".to_owned();
        }
        if *self == Self::default() {
            return String::new();
        }
        let mut text = self.score.map_or_else(|| "-".to_owned(), Score::text);
        if let Some(depth) = self.depth {
            let _ = write!(text, "/{depth}");
        }
        let _ = write!(text, " {:.3}s", self.time_us.unwrap_or(0) as f64 / 1e6);
        if let Some(clock) = self.clock_ms {
            let _ = write!(text, ", tl={:.3}s", clock as f64 / 1e3);
        }
        if let Some(nodes) = self.nodes {
            let _ = write!(text, ", n={nodes}");
        }
        text
    }

    /// Reads a comment that begins with the words of a note; with the rest of it. `None` if it does not.
    #[must_use]
    pub fn parse(comment: &str) -> Option<(Self, &str)> {
        let (line, mut more) = comment.split_once('\n').unwrap_or((comment, ""));
        if line == "book" {
            return Some((Self { book: true, ..Self::default() }, more));
        }
        let (first, mut rest) = line.split_once(", ").unwrap_or((line, ""));
        let (said, time) = first.rsplit_once(' ').map_or((first, None), |(said, time)| (said, Some(time)));
        let (score, depth) = said.split_once('/').map_or((said, None), |(score, depth)| (score, Some(depth)));
        // A number alone may mean anything.
        if !(score.starts_with(['+', '-']) && (score.len() > 1 || time.is_some()) || depth.is_some() && time.is_some())
        {
            return None;
        }
        let mut note = Self::default();
        if !score.is_empty() && score != "-" {
            note.score = Some(Score::parse(score)?);
        }
        if let Some(depth) = depth {
            note.depth = Some(whole(depth)?.try_into().ok()?);
        }
        if let Some(time) = time {
            note.time_us = Some(seconds(time, 1e6)?);
        }
        let mut word = |read: &mut dyn FnMut(&str) -> Option<()>| {
            let (first, after) = rest.split_once(", ").unwrap_or((rest, ""));
            if read(first).is_some() {
                rest = after;
            }
        };
        word(&mut |text| {
            note.clock_ms = Some(seconds(text.strip_prefix("tl=")?, 1e3)?);
            Some(())
        });
        word(&mut |text| {
            note.nodes = Some(whole(text.strip_prefix("n=")?)?);
            Some(())
        });
        if !rest.is_empty() {
            more = &comment[line.len() - rest.len()..];
        }
        Some((note, more))
    }
}

/// A comment without blanks at the ends of its lines and without empty lines.
pub(super) fn clean(comment: &str) -> String {
    let lines: Vec<_> = comment.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_read_as_written_and_other_words_are_left() {
        let (note, rest) = Note::parse("+0.35/12 1.234s, tl=9.900s, n=5000, White wins").unwrap();
        assert_eq!((note.score, note.depth, note.nodes), (Some(Score::Cp(35)), Some(12), Some(5000)));
        assert_eq!((note.time_us, note.clock_ms, rest), (Some(1_234_000), Some(9_900), "White wins"));
        assert_eq!(note.text(), "+0.35/12 1.234s, tl=9.900s, n=5000");
        for text in ["-M2/3 0.002s", "- 0.000s", "book", "+0.00 0.100s, n=3"] {
            let (note, rest) = Note::parse(text).unwrap();
            assert_eq!((note.text().as_str(), rest), (text, ""));
        }
        assert_eq!(Note::parse("+1.5/3 1s\nfoo").unwrap().1, "foo");
        assert_eq!(Note::parse("+1.5/3 1s, sd=4\nfoo").unwrap().1, "sd=4\nfoo");
        for text in ["", "-", "12", "1/2", "good move", "+x", "- a", "+1.0/x 1s", "+M99999999999", "+1 s", "bookish"] {
            assert_eq!(Note::parse(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_read_up_to_their_bounds() {
        for (text, score) in [
            ("+100000.00", Some(Score::Cp(10_000_000))),
            ("+100000.01", None),
            ("-0.005", Some(Score::Cp(-1))),
            ("12.345", Some(Score::Cp(1_235))),
            (".5", None),
            ("1.5.5", None),
            ("--1", None),
            ("M7", Some(Score::Mate(7))),
            ("-M2147483647", Some(Score::Mate(-i32::MAX))),
            ("-M2147483648", None),
            ("-M", None),
        ] {
            assert_eq!(Score::parse(text), score, "{text}");
        }
        // Mate in none is the loss of whoever is to move.
        for (score, text) in
            [(Score::Mate(1), "+M1"), (Score::Mate(0), "-M0"), (Score::Mate(-1), "-M1"), (Score::Cp(-5), "-0.05")]
        {
            assert_eq!(score.text(), text);
        }
        assert_eq!(seconds("1000000000s", 1e6), Some(1_000_000_000_000_000));
        assert_eq!(
            (seconds("1000000001s", 1e6), seconds("1.2345s", 1e3), seconds("1", 1e3)),
            (None, Some(1_235), None)
        );
        let (note, rest) = Note::parse("+0.10/2 0.100s, n=7, tl=3.000s").unwrap();
        assert_eq!((note.nodes, note.clock_ms, rest), (Some(7), None, "tl=3.000s"));
        assert!(Note::parse("/3 0.100s").is_some_and(|(note, _)| note.score.is_none() && note.depth == Some(3)));
        assert_eq!((Note::default().text(), clean(" a \r\n\n b ")), (String::new(), "a\nb".to_owned()));
    }
}
