//! Openings: from a file, or random and roughly balanced.

use super::opening::{Opening, OpeningError, after_opening};
use crate::play::{self, PlayError};
use crate::seeds;
use hippolyta::engine::{Board, Control, Engine, Model};
use hippolyta::games::Turn;
use hippolyta::games::variant::Variant;
use hippolyta_protocol::records::{Format, ReadError, Reader};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use std::collections::HashSet;
use std::io::BufRead;
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

/// Why there are no openings.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BookError {
    /// An opening of a file.
    #[error("line {line}: {error}")]
    Line {
        /// The line in which it begins, from 1.
        line: u64,
        /// The fault of the opening.
        error: OpeningError,
    },
    /// A file that cannot be read as games or positions.
    #[error(transparent)]
    Record(#[from] ReadError),
    /// A file without any.
    #[error("it holds no opening")]
    Empty,
    /// Every game is over after this number of random moves.
    #[error("no game of {0} goes on after {1} random moves")]
    TooLong(String, u32),
    /// A recipe for balanced openings that finds none.
    #[error("no opening of {1} turns of {0} was found with at most {2} centipawns in 2000 attempts")]
    NoBalance(String, u32, i32),
    /// There is no engine to check them.
    #[error(transparent)]
    Engine(#[from] PlayError),
}

/// Reads openings, one a line: a FEN or `startpos`, then, if there are any, ` moves ` and the moves, or operations of EPD.
/// Empty lines and those that begin with `#` are skipped.
///
/// # Errors
///
/// For the first line that is not a legal opening, and if the file has no opening.
pub fn read(variant: &Variant, text: &str) -> Result<Vec<Opening>, BookError> {
    from_records(Reader::new(Format::Fen, text.as_bytes(), variant), variant, usize::MAX)
}

/// The main lines of games, each to `plies` turns at most.
///
/// # Errors
///
/// For the first game of which anything is lost, that is of another rule set, or over at the end of its opening, and if
/// there is none.
pub fn from_records(
    mut reader: Reader<impl BufRead>,
    variant: &Variant,
    plies: usize,
) -> Result<Vec<Opening>, BookError> {
    let mut openings = Vec::new();
    loop {
        let found = reader.next();
        // A book with a damaged game would be played as if it were whole.
        if let Some(damage) = reader.warnings().into_iter().find(|warning| warning.lost.is_some()) {
            return Err(ReadError::Damaged(damage).into());
        }
        let Some(record) = found else { break };
        let (record, line) = (record?, reader.line());
        let wrong = |error| BookError::Line { line, error };
        if record.variant != *variant {
            return Err(wrong(OpeningError::Variant(format!("{}, not of {}", record.variant.name(), variant.name()))));
        }
        let moves = record.main_line().take(plies).map(|entry| entry.turn.to_string()).collect();
        let opening = Opening { fen: record.fen.clone(), moves };
        after_opening(variant, &opening).map_err(wrong)?;
        openings.push(opening);
    }
    if openings.is_empty() { Err(BookError::Empty) } else { Ok(openings) }
}

/// Nodes of the search that evaluates an opening.
const NODES: u64 = 1_000;
/// An opening within this number of centipawns is taken at once.
const BALANCED: i32 = 60;
/// If there is none, the most balanced one of this number of attempts is.
const ATTEMPTS: u32 = 60;

/// `count` openings of `plies` random moves from the start position. A short search checks that each is roughly
/// balanced. Each depends only on variant, plies, seed and its index. They differ if there are enough different ones.
/// `None` soon after `stop` is set.
///
/// # Errors
///
/// If every game ends within `plies` turns, or there is no memory for the search.
pub fn random(
    variant: &Variant,
    plies: u32,
    count: usize,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Option<Vec<Opening>>, BookError> {
    if plies == 0 {
        return Ok(Some(vec![Opening { fen: variant.start().to_owned(), moves: Vec::new() }; count.min(1)]));
    }
    let start = Board::new(variant);
    let one = |engine: &mut Engine, index: usize, salt: u64| {
        let seed = seeds::beside(seed, (index as u64) << 8 ^ salt);
        let found = balanced(engine, &start, plies, seed, &|| stop.load(Ordering::Relaxed))?;
        let moves = |board: Board| board.turns().iter().map(Turn::to_string).collect();
        Ok(found.map(|board| Opening { fen: variant.start().to_owned(), moves: moves(board) }))
    };
    let engine = || play::engine(variant, &Model::default(), 0);
    let openings: Option<Vec<_>> = (0..count)
        .into_par_iter()
        .map_init(engine, |engine, index| match engine {
            Ok(engine) => one(engine, index, 0),
            Err(error) => Err(BookError::Engine(error.clone())),
        })
        .collect::<Result<_, _>>()?;
    let Some(mut openings) = openings else { return Ok(None) };
    let mut engine = engine()?;
    let mut seen = HashSet::new();
    for (index, opening) in openings.iter_mut().enumerate() {
        for salt in 1..=8 {
            if seen.insert(opening.clone()) {
                break;
            }
            let Some(other) = one(&mut engine, index, salt)? else { return Ok(None) };
            *opening = other;
        }
    }
    Ok(Some(openings))
}

/// The board after `plies` random moves from `start`, the first of several that a short search finds roughly balanced.
/// `None` if `stopped` says so before.
#[doc(hidden)]
pub fn balanced(
    engine: &mut Engine,
    start: &Board,
    plies: u32,
    seed: u64,
    stopped: &dyn Fn() -> bool,
) -> Result<Option<Board>, BookError> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut best: Option<(i32, Board)> = None;
    for _ in 0..ATTEMPTS {
        if stopped() {
            return Ok(None);
        }
        let mut board = start.clone();
        play::at_random(&mut board, plies, &mut random);
        if board.outcome().is_some() {
            continue;
        }
        let score = score(engine, &board)?.abs();
        if best.as_ref().is_none_or(|(least, _)| score < *least) {
            best = Some((score, board));
        }
        if score <= BALANCED {
            break;
        }
    }
    let (_, board) = best.ok_or_else(|| BookError::TooLong(start.variant().name().to_owned(), plies))?;
    Ok(Some(board))
}

/// Centipawns by a short search.
fn score(engine: &mut Engine, board: &Board) -> Result<i32, PlayError> {
    engine.clear();
    Ok(play::search(engine, board, NODES, &Control::default())?.score.centipawns())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::games::variant::{VARIANTS, find};

    fn random(variant: &Variant, plies: u32, count: usize, seed: u64) -> Result<Vec<Opening>, BookError> {
        super::random(variant, plies, count, seed, &AtomicBool::default()).map(Option::unwrap)
    }

    #[test]
    fn a_stop_is_heard_while_openings_are_made() {
        let stopped = super::random(&find("amazons").unwrap(), 4, 100_000, 7, &AtomicBool::new(true));
        assert_eq!(stopped.unwrap(), None);
    }

    #[test]
    fn random_openings_are_legal_different_and_reproducible_in_every_rule_set() {
        for variant in VARIANTS {
            let openings = random(variant, 4, 6, 7).unwrap();
            assert_eq!(openings, random(variant, 4, 6, 7).unwrap());
            assert_eq!(openings[..3], random(variant, 4, 3, 7).unwrap()[..], "they depend on their place alone");
            assert_ne!(openings, random(variant, 4, 6, 8).unwrap());
            let different: HashSet<_> = openings.iter().collect();
            assert_eq!(different.len(), openings.len());
            for opening in &openings {
                assert_eq!(opening.moves.len(), 4);
                assert!(after_opening(variant, opening).is_ok());
            }
        }
    }

    #[test]
    fn random_openings_are_roughly_balanced() {
        let variant = &find("amazons").unwrap();
        let mut engine = play::engine(variant, &Model::default(), 0).unwrap();
        for opening in random(variant, 2, 10, 1).unwrap() {
            let board = Board::after(variant, &opening.fen, &opening.moves).unwrap();
            assert!(score(&mut engine, &board).unwrap().abs() <= 100, "{opening:?}");
        }
    }

    #[test]
    fn records_and_epd_lines_are_openings() {
        let variant = &find("amazons6").unwrap();
        let text = "[Variant \"amazons6\"]\n\n1. b1b4,b4c4 e6e5,e5d5 *\n";
        let read = |variant, plies| from_records(Reader::new(Format::Pgn, text.as_bytes(), variant), variant, plies);
        assert_eq!(read(variant, 1).unwrap()[0].moves, ["b1b4,b4c4"]);
        assert_eq!(read(variant, 9).unwrap()[0].moves.len(), 2);
        let error = read(&find("amazons").unwrap(), 1).unwrap_err().to_string();
        assert_eq!(error, "line 1: it is a game of amazons6, not of amazons; see --variant");
        let fens = |operations: &str| {
            let line = format!("1q2q1/q4q/1Q*3/6/Q4Q/4Q1 b - - {operations}\n");
            super::read(variant, &line).map(|openings| openings[0].fen.rsplitn(3, ' ').take(2).collect::<String>())
        };
        for (operations, counters) in [("hmvc 3; fmvn 7; bm a1a2,a2a3;", "73"), ("id \"a\";", "10"), ("0 5", "50")] {
            assert_eq!(fens(operations).unwrap(), counters, "{operations}");
        }
        let error = fens("0 5 bm a1a2,a2a3").unwrap_err().to_string();
        assert!(error.starts_with("1:36: game 1: 'bm' behind a position is not understood"), "{error}");
        // What is lost is never played.
        for text in ["1. e4 e5 2. Nf3 *", "1. b1b4,b4c4 Qe6,e5 2. e1e4,e4e2 *", "1-0 (1. b1b4,b4c4)"] {
            let book = Reader::new(Format::Pgn, text.as_bytes(), variant);
            let error = from_records(book, variant, 9).unwrap_err().to_string();
            assert!(error.contains("game 1: "), "{text}: {error}");
        }
    }

    #[test]
    fn files_are_read_and_their_mistakes_located() {
        let variant = &find("amazons6").unwrap();
        let text = format!("# a book\n\nstartpos moves b1b4/c4\n{}\n", variant.start());
        let openings = read(variant, &text).unwrap();
        assert_eq!(openings.len(), 2);
        assert_eq!(openings[0], Opening { fen: variant.start().to_owned(), moves: vec!["b1b4,b4c4".to_owned()] });
        let error = read(variant, "startpos\nstartpos moves b1b4,b4c4 b1b2,b2b1").unwrap_err().to_string();
        assert!(error.starts_with("2:26: game 2: illegal move 'b1b2,b2b1'"), "{error}");
        assert_eq!(read(variant, "#\n").unwrap_err().to_string(), "it holds no opening");
        assert!(read(variant, "q/Q w - - 0").is_err());
    }
}
