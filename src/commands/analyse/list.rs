//! Positions as people have them: a list of FENs or of turns, or the games of a file.

use crate::engine::{Board, PositionError};
use crate::games::variant::Variant;
use crate::records::{Damage, Format, ReadError, Reader, Record};
use anyhow::{Result, bail};
use std::sync::Arc;

/// A position to be analysed.
pub(super) struct Place {
    /// The line of a list, or the number of a game, from 1.
    pub id: String,
    /// The number of turns before it.
    pub turn: usize,
    /// The game that it belongs to, or why it cannot be read.
    pub game: Result<Arc<Game>, String>,
}

/// Where a game begins, and its turns.
pub(super) struct Game {
    pub variant: &'static Variant,
    pub fen: String,
    pub turns: Vec<String>,
}

impl Game {
    fn new(record: &Record) -> Self {
        let turns = record.main_line().map(|turn| turn.text.clone()).collect();
        Self { variant: record.variant, fen: record.fen.clone(), turns }
    }

    /// The position after `turns` of its turns.
    pub fn board(&self, turns: usize) -> Result<Board, PositionError> {
        Board::after(self.variant, &self.fen, &self.turns[..turns])
    }
}

/// The positions of a text, and what was not understood beside them. A list has a position a line; of a record, every
/// position of its main lines is meant. Lines of turns are a list if all are legal from the start position, and
/// otherwise one game, if they are that.
///
/// # Errors
///
/// If the text is neither.
pub(super) fn places(text: &[u8], variant: &'static Variant) -> Result<(Vec<Place>, Vec<Damage>)> {
    let Some(reader) = Reader::guessing(text, None, variant)? else {
        bail!("neither JSON queries nor positions: a line is a FEN, or turns as in d1d7,d7g7")
    };
    if reader.format() == Format::Fen {
        return Ok((list(text, variant)?, Vec::new()));
    }
    // No line of a list begins so, and a large file of games is read once.
    if text.trim_ascii_start().starts_with(b"[") {
        return games(reader);
    }
    let lines = list(text, variant)?;
    if lines.iter().all(|place| place.game.is_ok()) {
        return Ok((lines, Vec::new()));
    }
    let (games, damages) = games(reader)?;
    // Turns that make no game are a list with mistakes, which are named line by line. Variations are only in games.
    let is_game = damages.is_empty() && games.iter().all(|place| place.game.is_ok());
    Ok(if is_game || text.contains(&b'(') { (games, damages) } else { (lines, Vec::new()) })
}

/// A position a line.
fn list(text: &[u8], variant: &'static Variant) -> Result<Vec<Place>> {
    let mut reader = Reader::new(Format::Fen, text, variant);
    let mut places = Vec::new();
    while let Some(found) = reader.next() {
        let id = reader.line().to_string();
        let warning = reader.warnings().into_iter().next();
        let game = match (found, warning) {
            (Err(ReadError::Io(error)), _) => return Err(error.into()),
            (Err(ReadError::Damaged(damage)), _) | (Ok(_), Some(damage)) => {
                Err(format!("column {}: {}", damage.column, damage.message))
            }
            (Ok(record), None) => Ok(Arc::new(Game::new(&record))),
        };
        let turn = game.as_ref().map_or(0, |game| game.turns.len());
        places.push(Place { id, turn, game });
    }
    Ok(places)
}

/// Every position of every game.
fn games(mut reader: Reader<&[u8]>) -> Result<(Vec<Place>, Vec<Damage>)> {
    let (mut places, mut damages) = (Vec::new(), Vec::new());
    let mut number = 0;
    while let Some(found) = reader.next() {
        number += 1;
        damages.extend(reader.warnings());
        match found {
            Err(ReadError::Io(error)) => return Err(error.into()),
            Err(error @ ReadError::Damaged(_)) => {
                places.push(Place { id: number.to_string(), turn: 0, game: Err(error.to_string()) });
            }
            Ok(record) => {
                let game = Arc::new(Game::new(&record));
                let place = |turn| Place { id: number.to_string(), turn, game: Ok(game.clone()) };
                places.extend((0..=game.turns.len()).map(place));
            }
        }
    }
    damages.extend(reader.warnings());
    Ok((places, damages))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::variant;

    fn read(text: &str) -> Vec<(String, usize, bool)> {
        let (places, _) = places(text.as_bytes(), variant::DEFAULT).unwrap();
        places.into_iter().map(|place| (place.id, place.turn, place.game.is_ok())).collect()
    }

    fn rows(rows: &[(&str, usize, bool)]) -> Vec<(String, usize, bool)> {
        rows.iter().map(|(id, turn, good)| ((*id).to_owned(), *turn, *good)).collect()
    }

    #[test]
    fn a_line_is_a_position() {
        let fens = "# mine\n3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1\n\nstartpos moves d1d7,d7g7\n9/9 w\n";
        assert_eq!(read(fens), rows(&[("2", 0, true), ("4", 1, true), ("5", 0, false)]));
        let turns = "d1d7,d7g7\nd1d7,d7g7 a7d4,d4a7\n";
        assert_eq!(read(turns), rows(&[("1", 1, true), ("2", 2, true)]));
        assert_eq!(read("d1d7,d7g7\na1a2,a2a3\n"), rows(&[("1", 1, true), ("2", 0, false)]));
        assert_eq!(read("d1-d7(g7)\nd1-d7(g7) a7-d4(a7)\n"), rows(&[("1", 1, true), ("2", 2, true)]));
        assert_eq!(read("d1d7,d7g7\nzz\n"), rows(&[("1", 1, true), ("2", 0, false)]));
    }

    #[test]
    fn lines_of_turns_that_are_one_game_are_read_as_one() {
        assert_eq!(read("d1d7,d7g7\na7d4,d4a7\n"), rows(&[("1", 0, true), ("1", 1, true), ("1", 2, true)]));
        assert_eq!(read("1. d1d7,d7g7 a7d4,d4a7\n").len(), 3);
    }

    #[test]
    fn every_position_of_a_record_is_meant() {
        let pgn = "[Event \"a\"]\n\n1. d1d7,d7g7 *\n\n[Event \"b\"]\n\n*\n";
        assert_eq!(read(pgn), rows(&[("1", 0, true), ("1", 1, true), ("2", 0, true)]));
        assert!(places(b"what is this", variant::DEFAULT).is_err());
    }
}
