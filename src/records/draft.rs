//! A game as it was written, and its turns against the rules.

use super::note::{Note, clean};
use super::{Record, Turn};
use crate::engine::Board;
use crate::games::variant::Variant;
use crate::games::{Outcome, Side, is_separator};
use std::collections::BTreeMap;

/// The longest line of turns.
const MOST_PLIES: usize = 1_500;
/// Turns of a game with all its variations.
const MOST_TURNS: usize = 20_000;
/// How deep variations may nest: JSON in particular nests three levels for each.
const MOST_NESTED: usize = 30;
/// What may stand for a result.
pub(super) const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Values that say nothing.
const UNKNOWN: [&str; 3] = ["", "?", "????.??.??"];

/// What is wrong, and at which byte of the game's text.
pub(super) type Wrong = (usize, String);

pub(super) struct DraftTurn {
    text: String,
    /// A comment's words, and a note among them.
    comment: String,
    note: Option<Note>,
    children: Vec<usize>,
    /// Its place in the text.
    at: usize,
}

/// A game that was not checked yet. Turns are numbered from 1; 0 is the start.
pub(super) struct Draft {
    pub variant: &'static Variant,
    /// With its place in the text.
    pub fen: Option<(String, usize)>,
    pub tags: BTreeMap<String, String>,
    pub(super) turns: Vec<DraftTurn>,
}

impl Draft {
    pub fn new(variant: &'static Variant) -> Self {
        let start = DraftTurn { text: String::new(), comment: String::new(), note: None, children: Vec::new(), at: 0 };
        Self { variant, fen: None, tags: BTreeMap::new(), turns: vec![start] }
    }

    /// Adds a turn after another, and returns its number.
    pub fn turn(&mut self, after: usize, text: String, at: usize) -> usize {
        let number = self.turns.len();
        self.turns[after].children.push(number);
        self.turns.push(DraftTurn { text, comment: String::new(), note: None, children: Vec::new(), at });
        number
    }

    /// Adds a comment. The first that reads as a note becomes the turn's note.
    pub fn comment(&mut self, turn: usize, comment: &str) {
        let comment = clean(comment);
        let mut words = comment.as_str();
        if turn > 0
            && self.turns[turn].note.is_none()
            && let Some((note, rest)) = Note::parse(words)
        {
            self.turns[turn].note = Some(note);
            words = rest;
        }
        self.plain_comment(turn, words);
    }

    /// Adds a comment that is no note.
    pub fn plain_comment(&mut self, turn: usize, comment: &str) {
        let (known, words) = (&mut self.turns[turn].comment, clean(comment));
        if !known.is_empty() && !words.is_empty() {
            known.push('\n');
        }
        known.push_str(&words);
    }

    pub fn set_note(&mut self, turn: usize, note: Note) {
        if note != Note::default() {
            self.turns[turn].note = Some(note);
        }
    }

    /// Plays all turns by the rules. Equal turns become one, in their usual spelling.
    pub fn check(mut self) -> Result<Record, Wrong> {
        let (fen, at) = self.fen.take().unwrap_or_else(|| (self.variant.start.to_owned(), 0));
        let mut board = Board::from_fen(self.variant, &fen).map_err(|error| (at, error.to_string()))?;
        let mut record = Record {
            variant: self.variant,
            fen: board.fen(),
            tags: BTreeMap::new(),
            comment: std::mem::take(&mut self.turns[0].comment),
            turns: Vec::new(),
            final_fen: board.fen(),
            outcome: board.outcome(),
        };
        if self.turns.len() - 1 > MOST_TURNS {
            return Err((self.turns[MOST_TURNS + 1].at, format!("more than {MOST_TURNS} turns")));
        }
        enum Step {
            Back,
            Play { text: String, same: Vec<usize>, parent: Option<usize>, plies: usize, nested: usize, main: bool },
        }
        let branches = |board: &Board, from: &[usize], parent, plies, nested, main| -> Result<Vec<Step>, Wrong> {
            let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
            for &number in from.iter().flat_map(|&number| &self.turns[number].children) {
                let turn = &self.turns[number];
                let wrong = |message: String| (turn.at, message);
                let text = board.spell(&turn.text).map_err(|error| wrong(error.to_string()))?;
                if plies == MOST_PLIES {
                    return Err(wrong(format!("a line of more than {MOST_PLIES} turns")));
                }
                match groups.iter_mut().find(|(known, _)| *known == text) {
                    Some((_, same)) => same.push(number),
                    None => groups.push((text, vec![number])),
                }
                if nested + usize::from(groups.len() > 1) > MOST_NESTED {
                    return Err(wrong(format!("variations nest deeper than {MOST_NESTED}")));
                }
            }
            let mut steps = Vec::new();
            for (index, (text, same)) in groups.into_iter().enumerate().rev() {
                let (nested, main) = (nested + usize::from(index > 0), main && index == 0);
                steps.push(Step::Back);
                steps.push(Step::Play { text, same, parent, plies: plies + 1, nested, main });
            }
            Ok(steps)
        };
        let mut steps = branches(&board, &[0], None, 0, 0, true)?;
        while let Some(step) = steps.pop() {
            let Step::Play { text, same, parent, plies, nested, main } = step else {
                board.undo();
                continue;
            };
            board.play(&text).map_err(|error| (self.turns[same[0]].at, error.to_string()))?;
            let (mut comment, mut note) = (String::new(), None);
            for turn in same.iter().map(|&number| &self.turns[number]) {
                note = note.or(turn.note);
                if !comment.is_empty() && !turn.comment.is_empty() {
                    comment.push('\n');
                }
                comment.push_str(&turn.comment);
            }
            record.turns.push(Turn { text, parent, comment, note: note.unwrap_or_default() });
            let next = branches(&board, &same, Some(record.turns.len() - 1), plies, nested, main)?;
            if main && next.is_empty() {
                (record.final_fen, record.outcome) = (board.fen(), board.outcome());
            }
            steps.extend(next);
        }
        record.tags = tags(self.tags, record.outcome);
        Ok(record)
    }
}

/// Tags as they are kept: on one line each, with a result that is one. A game that is over by the rules has its result.
fn tags(tags: BTreeMap<String, String>, outcome: Option<Outcome>) -> BTreeMap<String, String> {
    let one_line = |value: String| value.replace(['\n', '\r'], " ");
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let of_the_start = |name: &str| ["Variant", "SetUp", "FEN"].contains(&name);
    let mut tags: BTreeMap<_, _> = tags
        .into_iter()
        .filter(|(name, value)| is_name(name) && !of_the_start(name) && !UNKNOWN.contains(&value.as_str()))
        .map(|(name, value)| (name, one_line(value)))
        .collect();
    if !tags.get("Result").is_some_and(|result| RESULTS[..3].contains(&result.as_str())) {
        let result = match outcome {
            Some(Outcome::Win(Side::White)) => "1-0",
            Some(Outcome::Win(Side::Black)) => "0-1",
            Some(Outcome::Draw) => "1/2-1/2",
            None => "*",
        };
        tags.insert("Result".to_owned(), result.to_owned());
    }
    tags
}

pub(super) fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The length of the square that a text begins with.
fn square(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let file = bytes.first()?.to_ascii_lowercase();
    if !(b'a'..=b'k').contains(&file) || !matches!(bytes.get(1)?, b'1'..=b'9') {
        return None;
    }
    Some(if bytes[1] == b'1' && matches!(bytes.get(2), Some(b'0' | b'1')) { 3 } else { 2 })
}

/// The length of the turn that a text begins with, in any spelling that is in use: `d1d7,d7g7`, `d1-d7/g7`,
/// `d1-d7(g7)`, `d1d7g7`, `c2xe4xg6`.
pub(super) fn turn_length(text: &str) -> Option<usize> {
    let mut end = square(text)?;
    let mut squares = 1;
    loop {
        let rest = &text[end..];
        let skipped = rest.chars().next().filter(|c| is_separator(*c)).map_or(0, char::len_utf8);
        match square(&rest[skipped..]) {
            Some(length) => end += skipped + length,
            None => break,
        }
        squares += 1;
    }
    if squares < 2 {
        return None;
    }
    let rest = &text[end..];
    if let Some(inner) = rest.strip_prefix('(')
        && let Some(length) = square(inner)
        && inner[length..].starts_with(')')
    {
        return Some(end + length + 2);
    }
    if rest.starts_with([',', '/'])
        && let Some(length) = square(&rest[1..])
    {
        return Some(end + 1 + length + square(&rest[1 + length..]).unwrap_or(0));
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_is_as_long_as_its_spelling() {
        for text in ["d1d7,d7g7", "d1-d7/g7", "d1-d7(g7)", "d1d7g7", "D1–D7,g7", "d1:d7/d7g7", "c2xe4xg6", "d1−d7"]
        {
            assert_eq!(turn_length(text), Some(text.len()), "{text}");
        }
        for text in ["", "d1", "d0d7", "l1l2", "é1é2"] {
            assert_eq!(turn_length(text), None, "{text}");
        }
        assert_eq!(turn_length("a10j1,j1j11) 2."), Some(11));
        assert_eq!(turn_length("d1d7 (e1e2)"), Some(4));
    }
}
