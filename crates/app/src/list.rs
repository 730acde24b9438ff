//! Positions as people have them: a list of FENs or of turns, or the games of a file.

use anyhow::{Result, ensure};
use hippolyta::engine::Board;
use hippolyta::files::UTF_8_MARK;
use hippolyta::games::Turn;
use hippolyta::games::variant::Variant;
use hippolyta_protocol::records::{Damage, Format, ReadError, Reader, Record};
use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::sync::Arc;

/// The longest list, and the longest games, in positions.
const MOST: usize = 1_000_000;

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

/// A line of a list.
pub(super) struct Line {
    /// Its number in the text.
    number: u64,
    /// The record on it, or why it cannot be read.
    record: Result<Record, Damage>,
}

/// The positions of a text, and what was not understood beside them. A list has a position a line; of games, every
/// position of their main lines is meant.
pub(super) fn places<R: BufRead>(reader: Reader<R>) -> Result<(Vec<Place>, Vec<Damage>)> {
    if reader.format() != Format::Fen {
        return games(reader);
    }
    let place = |Line { number, record }| {
        let game = record.map(|record| Arc::new(Game::new(&record)));
        let game = game.map_err(|damage: Damage| format!("column {}: {}", damage.column, damage.message));
        let turn = game.as_ref().map_or(0, |game| game.turns.len());
        Place { id: number.to_string(), turn, game }
    };
    let (lines, damages) = lines(reader)?;
    Ok((lines.into_iter().map(place).collect(), damages))
}

/// A thing, behind the number of its line.
type At<T> = (u64, T);

/// The games that the positions of a list are of, each with the line of its first, and the lines from which on
/// positions make no game, with the reasons. Lines that cannot be read are passed over. A position belongs to the game
/// of the one before it if a legal turn leads there, or if its turns go on from that one's.
pub(super) fn chained(lines: Vec<Line>) -> (Vec<At<Record>>, Vec<At<String>>) {
    let mut games: Vec<At<Chain>> = Vec::new();
    for Line { number, record } in lines {
        let Ok(record) = record else { continue };
        let next = Chain::new(&record);
        let goes_on = games.last_mut().is_some_and(|(_, game)| game.join(&next));
        if !goes_on {
            games.push((number, next));
        }
    }
    let (mut records, mut damages) = (Vec::new(), Vec::new());
    for (number, Chain { variant, fen, turns, .. }) in games {
        let turns = turns.into_iter().map(|turn| (turn.to_string(), hippolyta_protocol::records::Note::default()));
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

/// The lines of a list, and what was not understood beside their positions. Of a line that loses turns nobody knows
/// which position was meant.
pub(super) fn lines<R: BufRead>(mut reader: Reader<R>) -> Result<(Vec<Line>, Vec<Damage>)> {
    let (mut lines, mut damages) = (Vec::new(), Vec::new());
    while let Some(found) = reader.next() {
        let number = reader.line();
        let warnings = reader.warnings();
        let loss = warnings.iter().find(|warning| warning.lost.is_some()).cloned();
        damages.extend(warnings);
        let record = match (found, loss) {
            (Ok(record), None) => Ok(record),
            (Ok(_), Some(damage)) => Err(damage),
            (Err(ReadError::Damaged(damage)), _) => {
                damages.push(damage.clone());
                Err(damage)
            }
            (Err(error), _) => return Err(error.into()),
        };
        ensure!(lines.len() < MOST, "a list of more than {MOST} positions");
        lines.push(Line { number, record });
    }
    Ok((lines, damages))
}

/// Every position of every game.
fn games<R: BufRead>(mut reader: Reader<R>) -> Result<(Vec<Place>, Vec<Damage>)> {
    let (mut places, mut damages) = (Vec::new(), Vec::new());
    let mut number = 0;
    loop {
        let found = reader.next();
        damages.extend(reader.warnings());
        number += 1;
        match found {
            None => return Ok((places, damages)),
            Some(Err(ReadError::Damaged(damage))) => {
                let game = Err(format!("{}:{}: {}", damage.line, damage.column, damage.message));
                places.push(Place { id: number.to_string(), turn: 0, game });
                damages.push(damage);
            }
            Some(Err(error)) => return Err(error.into()),
            Some(Ok(record)) => {
                let game = Arc::new(Game::new(&record));
                let place = |turn| Place { id: number.to_string(), turn, game: Ok(game.clone()) };
                places.extend((0..=game.turns.len()).map(place));
            }
        }
        ensure!(places.len() < MOST, "games of more than {MOST} positions");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::games::variant;

    fn guessed<'a>(text: &'a str, variant: &Variant) -> Reader<&'a [u8]> {
        Reader::guessing(text.as_bytes(), None, variant).unwrap()
    }

    fn read(text: &str) -> Vec<(String, usize, bool)> {
        let (places, _) = places(guessed(text, variant::DEFAULT)).unwrap();
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
        assert_eq!(read("d1-d7(g7)\nd1-d7(g7) a7-d4(a7)\n"), rows(&[("1", 1, true), ("2", 2, true)]));
        let twice = "d1d7,d7g7\nd1d7,d7g7 zz\nd1d7,d7g7\n";
        assert_eq!(read(twice), rows(&[("1", 1, true), ("2", 0, false), ("3", 1, true)]));
    }

    #[test]
    fn lines_of_turns_that_are_one_game_are_read_as_one() {
        assert_eq!(read("d1d7,d7g7\na7d4,d4a7\n"), rows(&[("1", 0, true), ("1", 1, true), ("1", 2, true)]));
        assert_eq!(read("1. d1d7,d7g7 a7d4,d4a7\n").len(), 3);
    }

    #[test]
    fn positions_that_follow_each_other_are_a_game() {
        let chain = |text: &str| {
            let (games, damages) = chained(lines(guessed(text, variant::DEFAULT)).unwrap().0);
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
        let of = |fens: &[String]| chained(lines(guessed(&fens.join("\n"), damone)).unwrap().0);
        let (games, damages) = of(&circle[..9]);
        assert_eq!((games.len(), games[0].1.main_line().count(), damages), (1, 8, vec![]));
        let (games, damages) = of(&circle);
        assert!(games.is_empty() && damages[0].1.contains("the game is over"), "{damages:?}");
        // A gap begins a game.
        let text = format!("{}\n9/9 w\n{}\n{}\n", fens[0], fens[2], fens[3]);
        assert_eq!(chain(&text), (vec![(1, vec![]), (3, whole()[2..].to_vec())], 0));
    }

    #[test]
    fn every_position_of_a_record_is_meant() {
        let pgn = "[Event \"a\"]\n\n1. d1d7,d7g7 *\n\n[Event \"b\"]\n\n*\n";
        assert_eq!(read(pgn), rows(&[("1", 0, true), ("1", 1, true), ("2", 0, true)]));
    }
}
