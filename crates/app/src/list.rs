//! Positions as people have them: a list of FENs or of turns, or the games of a file.

use anyhow::{Result, bail, ensure};
use hippolyta::engine::Board;
use hippolyta::files::UTF_8_MARK;
use hippolyta::games::Turn;
use hippolyta::games::variant::Variant;
use hippolyta::records::{Damage, Format, ReadError, Reader, Record};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};
use std::sync::Arc;

/// The longest list, in bytes.
const MOST: u64 = 64 << 20;

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
    pub variant: Variant,
    pub fen: String,
    pub turns: Vec<Turn>,
}

impl Game {
    fn new(record: &Record) -> Self {
        let turns = record.main_line().map(|entry| entry.turn.clone()).collect();
        Self { variant: record.variant.clone(), fen: record.fen.clone(), turns }
    }

    /// The position after `turns` of its turns.
    pub fn board(&self, turns: usize) -> Result<Board, String> {
        Board::replayed(&self.variant, &self.fen, self.turns.iter().take(turns)).map_err(|error| error.to_string())
    }
}

/// The bytes up to the first that is not blank, which says much of a text; without a byte order mark.
pub(super) fn beginning(input: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    while start.trim_ascii_start().is_empty() || UTF_8_MARK.starts_with(&start) {
        let mut byte = [0];
        if input.read(&mut byte)? == 0 {
            break;
        }
        start.push(byte[0]);
        if start == UTF_8_MARK {
            start.clear();
        }
    }
    Ok(start)
}

/// The whole of a text that began so.
pub(super) fn whole(mut start: Vec<u8>, input: impl Read) -> Result<Vec<u8>> {
    input.take(MOST + 1).read_to_end(&mut start)?;
    ensure!(start.len() as u64 <= MOST, "a list of more than {} MiB", MOST >> 20);
    Ok(start)
}

/// A line of a list.
pub(super) struct Line {
    /// Its number in the text.
    number: u64,
    /// The record on it, or why it cannot be read.
    record: Result<Record, String>,
}

/// The lines or games of a text.
enum Found {
    Lines(Vec<Line>),
    Games(Vec<Place>, Vec<Damage>),
}

/// The positions of a text, and what was not understood beside them. A list has a position a line; of a record, every
/// position of its main lines is meant. Lines of turns are a list if all are legal from the start position, and
/// otherwise one game, if they are that.
///
/// # Errors
///
/// If the text is neither.
pub(super) fn places(text: &[u8], variant: &Variant) -> Result<(Vec<Place>, Vec<Damage>)> {
    let place = |Line { number, record }| {
        let game = record.map(|record| Arc::new(Game::new(&record)));
        let turn = game.as_ref().map_or(0, |game| game.turns.len());
        Place { id: number.to_string(), turn, game }
    };
    Ok(match find(text, variant)? {
        Found::Lines(lines) => (lines.into_iter().map(place).collect(), Vec::new()),
        Found::Games(places, damages) => (places, damages),
    })
}

/// The lines of a text that is a list, as `places` decides; `None` if it has games.
pub(super) fn lines(text: &[u8], variant: &Variant) -> Result<Option<Vec<Line>>> {
    Ok(match find(text, variant)? {
        Found::Lines(lines) => Some(lines),
        Found::Games(..) => None,
    })
}

fn find(text: &[u8], variant: &Variant) -> Result<Found> {
    let Some(reader) = Reader::guessing(text, None, variant)? else {
        bail!("neither JSON queries nor positions: a line is a FEN, or turns as in d1d7,d7g7")
    };
    if reader.format() == Format::Fen {
        return Ok(Found::Lines(list(text, variant)?));
    }
    // No line of a list begins so, and a large file of games is read once.
    if text.trim_ascii_start().starts_with(b"[") {
        let (places, damages) = games(reader)?;
        return Ok(Found::Games(places, damages));
    }
    let lines = list(text, variant)?;
    if lines.iter().all(|line| line.record.is_ok()) {
        return Ok(Found::Lines(lines));
    }
    let (games, damages) = games(reader)?;
    // Turns that make no game are a list with mistakes, which are named line by line. Variations are only in games.
    let is_game = damages.is_empty() && games.iter().all(|place| place.game.is_ok());
    Ok(if is_game || text.contains(&b'(') { Found::Games(games, damages) } else { Found::Lines(lines) })
}

/// A thing, behind the number of its line.
type At<T> = (u64, T);

/// The games that the positions of a list are of, each with the line of its first, and lines that cannot be read, with
/// their numbers. A position belongs to the game of the one before it if a legal turn leads there, or if its turns go
/// on from that one's.
pub(super) fn chained(lines: Vec<Line>) -> (Vec<At<Record>>, Vec<At<String>>) {
    let (mut games, mut damages): (Vec<At<Chain>>, _) = (Vec::new(), Vec::new());
    for Line { number, record } in lines {
        match record {
            Err(message) => damages.push((number, message)),
            Ok(record) => {
                let next = Chain::new(&record);
                let goes_on = games.last_mut().is_some_and(|(_, game)| game.join(&next));
                if !goes_on {
                    games.push((number, next));
                }
            }
        }
    }
    let mut records = Vec::new();
    for (number, Chain { variant, fen, turns, .. }) in games {
        let turns = turns.into_iter().map(|turn| (turn.to_string(), hippolyta::records::Note::default()));
        match Record::new(&variant, &fen, BTreeMap::new(), turns) {
            Ok(record) => records.push((number, record)),
            // Each step was legal by itself: the game was over before, or is too long.
            Err(message) => damages.push((number, format!("the positions from here on make no game: {message}"))),
        }
    }
    (records, damages)
}

/// A start, the turns from there, and the position behind them.
struct Chain {
    variant: Variant,
    fen: String,
    turns: Vec<Turn>,
    end: String,
}

impl Chain {
    fn new(record: &Record) -> Self {
        let Game { variant, fen, turns } = Game::new(record);
        Self { variant, fen, turns, end: record.final_fen.clone() }
    }

    /// Goes on to the position that `next` ends with. False, and nothing changes, if that is of another game.
    fn join(&mut self, next: &Self) -> bool {
        if self.variant != next.variant {
            return false;
        }
        let between = if self.fen == next.fen && !self.turns.is_empty() && next.turns.starts_with(&self.turns) {
            self.turns.clear();
            None
        } else if bare(&self.end) == bare(&next.fen) {
            None
        } else if next.fen == next.variant.start() {
            return false;
        } else {
            let Ok(mut board) = Board::from_fen(&self.variant, &self.end) else { return false };
            let between = board.legal_turns().all().into_iter().find(|turn| {
                let leads = board.play_turn(turn).is_ok() && bare(&board.fen()) == bare(&next.fen);
                board.undo();
                leads
            });
            if between.is_none() {
                return false;
            }
            between
        };
        self.turns.extend(between.into_iter().chain(next.turns.iter().cloned()));
        self.end.clone_from(&next.end);
        true
    }
}

/// A position without its counters.
fn bare(fen: &str) -> Vec<&str> {
    fen.split(' ').take(4).collect()
}

/// A position a line.
fn list(text: &[u8], variant: &Variant) -> Result<Vec<Line>> {
    let mut reader = Reader::new(Format::Fen, text, variant);
    let mut lines = Vec::new();
    while let Some(found) = reader.next() {
        let number = reader.line();
        let warning = reader.warnings().into_iter().next();
        let record = match (found, warning) {
            (Err(ReadError::Io(error)), _) => return Err(error.into()),
            (Err(ReadError::Damaged(damage)), _) | (Ok(_), Some(damage)) => {
                Err(format!("column {}: {}", damage.column, damage.message))
            }
            (Ok(record), None) => Ok(record),
        };
        lines.push(Line { number, record });
    }
    Ok(lines)
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
    use hippolyta::games::variant;

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
    fn positions_that_follow_each_other_are_a_game() {
        let chain = |text: &str| {
            let (games, damages) = chained(lines(text.as_bytes(), variant::DEFAULT).unwrap().unwrap());
            let turns = |record: &Record| record.main_line().map(|entry| entry.turn.to_string()).collect::<Vec<_>>();
            (games.iter().map(|(line, record)| (*line, turns(record))).collect::<Vec<_>>(), damages.len())
        };
        let played = ["d1d7,d7g7", "a7d4,d4a7", "g1g2,g2g1"];
        let mut board = Board::new(variant::DEFAULT);
        let mut fens = vec![board.fen()];
        for turn in played {
            board.play(turn).unwrap();
            fens.push(board.fen());
        }
        let whole = || played.map(str::to_owned).to_vec();
        assert_eq!(chain(&fens.join("\n")), (vec![(1, whole())], 0));
        // Counters and doubled lines do not count, nor do turns behind a position.
        let fen = |at: usize| fens[at].rsplitn(3, ' ').last().unwrap();
        let text = format!("{} 0 1\n{0} 0 1\n{} 0 1\n{1} 0 7 moves {}\n", fen(0), fen(1), played[1]);
        assert_eq!(chain(&text), (vec![(1, whole()[..2].to_vec())], 0));
        let prefixes = format!("{0}\n{0} {1}\n{0} {1} {2}\n", played[0], played[1], played[2]);
        assert_eq!(chain(&prefixes), (vec![(1, whole())], 0));
        // A third repetition ends the game: what goes on from it is no game, and that is told.
        let damone = &variant::find("damone").unwrap();
        let mut circle = vec![Board::new(damone).fen()];
        for turn in ["h1g2", "a8b7", "g2h1", "b7a8"].iter().cycle().take(9) {
            let mut board = Board::from_fen(damone, circle.last().unwrap()).unwrap();
            board.play(turn).unwrap();
            circle.push(board.fen());
        }
        let of = |fens: &[String]| chained(lines(fens.join("\n").as_bytes(), damone).unwrap().unwrap());
        let (games, damages) = of(&circle[..9]);
        assert_eq!((games.len(), games[0].1.main_line().count(), damages), (1, 8, vec![]));
        let (games, damages) = of(&circle);
        assert!(games.is_empty() && damages[0].1.contains("the game is over"), "{damages:?}");
        // A gap begins a game, and what cannot be read is told.
        let text = format!("{}\n9/9 w\n{}\n{}\n", fens[0], fens[2], fens[3]);
        assert_eq!(chain(&text), (vec![(1, vec![]), (3, whole()[2..].to_vec())], 1));
    }

    #[test]
    fn every_position_of_a_record_is_meant() {
        let pgn = "[Event \"a\"]\n\n1. d1d7,d7g7 *\n\n[Event \"b\"]\n\n*\n";
        assert_eq!(read(pgn), rows(&[("1", 0, true), ("1", 1, true), ("2", 0, true)]));
        assert!(places(b"what is this", variant::DEFAULT).is_err());
    }
}
