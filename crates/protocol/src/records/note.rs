//! An engine's note on a turn, as words in a comment: `+0.35/12 1.234s, tl=9.900s, n=5000`. These are the words of
//! fastchess: score from the mover's view in pawns or as `+M3`, depth, time, time left, nodes; `-` stands for no score.
//! A turn of the opening is `book`, before what else is known of it.

use hippolyta::games::Side;
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

    /// White's score from the view of a side, or the other way round.
    pub(super) fn of(self, side: Side) -> Self {
        match (side, self) {
            (Side::White, score) => score,
            (Side::Black, Self::Cp(value)) => Self::Cp(-value),
            (Side::Black, Self::Mate(moves)) => Self::Mate(-moves),
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
    pub fn text(&self) -> String {
        if self.book {
            let rest = Self { book: false, ..*self }.text();
            return if rest.is_empty() { "book".to_owned() } else { format!("book, {rest}") };
        }
        if *self == Self::default() {
            return String::new();
        }
        let mut text = self.score.map_or_else(|| "-".to_owned(), Score::text);
        if let Some(depth) = self.depth {
            let _ = write!(text, "/{depth}");
        }
        if let Some(time) = self.time_us {
            let _ = write!(text, " {:.3}s", time as f64 / 1e6);
        }
        if let Some(clock) = self.clock_ms {
            let _ = write!(text, ", tl={:.3}s", clock as f64 / 1e3);
        }
        if let Some(nodes) = self.nodes {
            let _ = write!(text, ", n={nodes}");
        }
        text
    }

    /// Reads a comment that begins with the words of a note; with the rest of it. `None` if it does not.
    pub fn parse(comment: &str) -> Option<(Self, &str)> {
        let (line, mut more) = comment.split_once('\n').unwrap_or((comment, ""));
        if line == "book" {
            return Some((Self { book: true, ..Self::default() }, more));
        }
        if let Some((note, rest)) = comment.strip_prefix("book, ").and_then(Self::parse) {
            return Some((Self { book: true, ..note }, rest));
        }
        let (first, mut rest) = line.split_once(", ").unwrap_or((line, ""));
        let (said, time) = first.rsplit_once(' ').map_or((first, None), |(said, time)| (said, Some(time)));
        let (score, depth) = said.split_once('/').map_or((said, None), |(score, depth)| (score, Some(depth)));
        // A number alone may mean anything.
        let goes_on = time.is_some() || ["tl=", "n="].iter().any(|word| rest.starts_with(word));
        let (is_score, has_depth) = (score.starts_with(['+', '-']), depth.is_some());
        if !(is_score && (score.len() > 1 || has_depth || goes_on) || has_depth && goes_on) {
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

/// Takes the commands that are understood out of a comment, as clients of chess write them: `[%clk 0:01:30]`, the time
/// left; `[%emt 0:00:05.2]`, the time used; `[%eval 0.35]` or `[%eval #-3]`, White's score.
pub(super) fn commands(comment: &str) -> (Note, Option<Score>, String) {
    let seconds = |text: &str| {
        let parts: Option<Vec<_>> = text.split(':').map(decimal).collect();
        parts.map(|parts| parts.iter().fold(0.0, |sum, part| 60.0 * sum + part)).filter(|sum| *sum <= 1e9)
    };
    let (mut note, mut eval, mut kept, mut rest) = (Note::default(), None, String::new(), comment);
    while let Some((before, inner)) = rest.split_once("[%")
        && let Some((command, after)) = inner.split_once(']')
    {
        let (name, value) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
        let value = value.trim();
        kept += before;
        match (name, seconds(value)) {
            ("clk", Some(time)) => note.clock_ms = Some((time * 1e3).round() as u64),
            ("emt", Some(time)) => note.time_us = Some((time * 1e6).round() as u64),
            // A depth may follow.
            ("eval", _)
                if let Some(score) =
                    Score::parse(&value.split(',').next().unwrap_or("").replace("#-", "-#").replace('#', "M")) =>
            {
                eval = Some(score);
            }
            _ => kept += &format!("[%{command}]"),
        }
        rest = after;
    }
    (note, eval, kept + rest)
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
        for text in ["-M2/3 0.002s", "- 0.000s", "book", "book, +0.20/4, n=3", "-/3", "+0.00 0.100s, n=3"] {
            let (note, rest) = Note::parse(text).unwrap();
            assert_eq!((note.text().as_str(), rest), (text, ""));
        }
        assert_eq!(Note::parse("+1.5/3 1s\nfoo").unwrap().1, "foo");
        assert_eq!(Note::parse("+1.5/3 1s, sd=4\nfoo").unwrap().1, "sd=4\nfoo");
        for text in ["", "-", "12", "1/2", "good move", "+x", "- a", "+1.0/x 1s", "+M99999999999", "+1 s", "book, 12"] {
            assert_eq!(Note::parse(text), None, "{text}");
        }
    }

    #[test]
    fn commands_of_comments_become_notes() {
        let (note, eval, rest) = commands("[%clk 1:02:03.5] good [%eval -0.35,12][%emt 0:00:04] [%csl Ga1] [%clk x]");
        assert_eq!((note.clock_ms, note.time_us, eval), (Some(3_723_500), Some(4_000_000), Some(Score::Cp(-35))));
        assert_eq!(rest, " good  [%csl Ga1] [%clk x]");
        for (text, score) in [("#3", Score::Mate(3)), ("#-2", Score::Mate(-2)), ("+1.5", Score::Cp(150))] {
            assert_eq!(commands(&format!("[%eval {text}]")), (Note::default(), Some(score), String::new()));
        }
        assert_eq!(Score::Cp(35).of(Side::Black), Score::Cp(-35));
        // A note of the clock alone says nothing of the time used.
        let note = Note { clock_ms: Some(59_000), ..Note::default() };
        assert_eq!(Note::parse(&note.text()), Some((note, "")));
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
