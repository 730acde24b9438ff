//! Opening books by search: drop-out expansion (Lincke, *Strategies for the automatic construction of opening books*,
//! 2000). The positions that are most likely in games of whoever plays by the book are searched first: after best
//! turns of the book's side, and after those of its opponent that give little away.

use crate::differences::{by_checksum, by_text, is_built_in};
use crate::options::{count, many};
use crate::play::{self, PlayError};
use clap::Args;
use hippolyta::engine::{Board, Book, BookEntry, Control, Engine, Model, Settings};
use hippolyta::engine::{board_at, without_counters};
use hippolyta::games::variant::{DEFAULT, Variant};
use hippolyta::games::{FenError, Side, Turn};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::{Mutex, PoisonError};
use thiserror::Error;

/// How a book is made. The same recipe makes the same book on every machine.
#[derive(Clone, Debug, Serialize, Args)]
pub struct Recipe {
    /// The rule set; games begin at its start position.
    #[arg(skip = DEFAULT.clone())]
    #[serde(serialize_with = "by_text")]
    pub variant: Variant,
    /// Positions to search.
    #[arg(long, default_value_t = 500, value_parser = count(1, 1_000_000))]
    #[serde(skip)]
    pub positions: usize,
    /// Positions evaluated in each search.
    #[arg(long, default_value_t = 200_000, value_parser = many())]
    pub nodes: u64,
    /// The evaluation of each search.
    #[arg(skip)]
    #[serde(rename = "weights", serialize_with = "by_checksum", skip_serializing_if = "is_built_in")]
    pub model: Model,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Searched {
    /// The position, as in [`BookEntry`].
    pub position: String,
    /// Score of the best turn in centipawns, from the view of the side to move.
    pub score: i32,
    /// The best turns, the best one first, with the expected score of each for the side to move, 0 … 1.
    pub turns: Vec<(Turn, f32)>,
}

/// Why there is no book.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// There is no engine.
    #[error(transparent)]
    Engine(#[from] PlayError),
    /// Should never occur.
    #[error(transparent)]
    Position(#[from] FenError),
}

/// The cost of a ply, in ten-thousandths of a game: a reply that is worse by this counts as one ply further away.
const PLY: u32 = 100;
/// Replies of the opponent that are looked at.
const REPLIES: usize = 10;
/// Positions that are searched at a time, whatever the number of threads.
const BATCH: usize = 16;
/// Memory of a search, MiB.
const HASH: usize = 256;

/// A position, and the side that plays by the book.
type Place = (Board, Side);

/// The tree of positions that may be searched.
struct Tree {
    places: Vec<Place>,
    /// Those that were not expanded yet: cost and number.
    open: BinaryHeap<Reverse<(u32, usize)>>,
}

impl Tree {
    fn new(variant: &Variant) -> Self {
        let mut tree = Self { places: Vec::new(), open: BinaryHeap::new() };
        for own in [Side::White, Side::Black] {
            tree.add(0, Board::new(variant), own);
        }
        tree
    }

    fn add(&mut self, cost: u32, board: Board, own: Side) {
        self.open.push(Reverse((cost, self.places.len())));
        self.places.push((board, own));
    }

    /// Adds the positions after the best turn, or after each good one if the opponent is to move.
    fn expand(&mut self, cost: u32, (board, own): &Place, searched: &Searched) {
        let best = searched.turns.first().map_or(0.0, |(_, expected)| *expected);
        let turns = if board.side_to_move() == *own { 1 } else { REPLIES };
        for (turn, expected) in searched.turns.iter().take(turns) {
            let mut after = board.clone();
            if after.play_turn(turn).is_ok() && after.outcome().is_none() {
                let given_away = ((best - expected).max(0.0) * 10_000.0) as u32;
                self.add(cost + PLY + given_away, after, *own);
            }
        }
    }
}

/// Makes a book. `known` are searches of an earlier run; `tell` is told each new one. Blocks, and works on the rayon
/// pool it is called from; ends with `None` soon after `control` says so.
///
/// # Errors
///
/// If there is no memory for the searches.
pub fn build(
    recipe: &Recipe,
    known: Vec<Searched>,
    control: &Control,
    tell: &(dyn Fn(&Searched) + Sync),
) -> Result<Option<Book>, BuildError> {
    let &Recipe { ref variant, positions, nodes, ref model } = recipe;
    let known: HashMap<_, _> = known.into_iter().map(|searched| (searched.position.clone(), searched)).collect();
    let mut found = HashMap::<String, Searched>::new();
    let mut entries = Vec::new();
    let mut tree = Tree::new(variant);
    let settings = Settings { hash: HASH, multi_pv: 2 * REPLIES, ..Settings::default() };
    // Engines are used again: each has memory of its own.
    let idle = Mutex::new(Vec::new());
    let get = || idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
    while entries.len() < positions {
        let (mut batch, mut waiting) = (Vec::new(), Vec::new());
        while batch.len() < BATCH.min(positions - entries.len()) {
            let Some(Reverse((cost, number))) = tree.open.pop() else { break };
            let place = tree.places[number].clone();
            let position = without_counters(&place.0);
            if let Some(searched) = found.get(&position) {
                tree.expand(cost, &place, searched);
                continue;
            }
            if !batch.contains(&position) {
                batch.push(position.clone());
            }
            waiting.push((cost, place, position));
        }
        if batch.is_empty() {
            break;
        }
        let one = |position: &String| {
            if let Some(searched) = known.get(position) {
                return Ok(Some(searched.clone()));
            }
            let mut engine = match get() {
                Some(engine) => engine,
                None => Engine::new(variant, model, settings.clone()).map_err(PlayError::from)?,
            };
            let searched = search(&mut engine, position, nodes, control)?;
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(engine);
            searched.iter().for_each(tell);
            Ok(searched)
        };
        let searched: Result<Option<Vec<_>>, BuildError> = batch.par_iter().map(one).collect();
        let Some(searched) = searched? else { return Ok(None) };
        for searched in searched {
            let Searched { position, score, turns } = &searched;
            if let Some((turn, _)) = turns.first() {
                entries.push(BookEntry { position: position.clone(), turn: turn.clone(), score: *score, nodes });
            }
            found.insert(position.clone(), searched);
        }
        for (cost, place, position) in waiting {
            tree.expand(cost, &place, &found[&position]);
        }
    }
    Ok(Some(Book::new(variant, entries)))
}

/// Searches a position; `None` if it is told to stop.
fn search(engine: &mut Engine, position: &str, nodes: u64, control: &Control) -> Result<Option<Searched>, BuildError> {
    let board = board_at(engine.variant(), position)?;
    engine.clear();
    let analysis = play::search(engine, &board, nodes, control)?;
    let lines = analysis.lines.iter().filter_map(|line| Some((line.turns.first()?.clone(), line.score.expected())));
    let searched =
        Searched { position: position.to_owned(), score: analysis.score.centipawns(), turns: lines.collect() };
    Ok((!control.stopped()).then_some(searched))
}
