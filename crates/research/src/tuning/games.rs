//! Games between two sets of constants.

use super::spsa::Plan;
use hippolyta::engine::{Board, Control, Engine};
use hippolyta::games::{Outcome, Side};
use hippolyta_lab::arena::openings::{BookError, balanced};
use hippolyta_lab::play::{self, LONGEST, PlayError};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::ControlFlow::{Break, Continue};
use thiserror::Error;

/// A pair of games that was played, from the same opening with both colours, as a line of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// Its number, from 0.
    pub number: u64,
    /// Points that the first player won of the two, less those that the other won: −2 to 2.
    pub points: i8,
}

/// Why games could not be played.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TuningError {
    /// There is no engine.
    #[error(transparent)]
    Engine(#[from] PlayError),
    /// No opening was found.
    #[error(transparent)]
    Book(#[from] BookError),
    /// There is no such constant.
    #[error("no constant of the search has the name '{0}'")]
    Unknown(String),
}

/// Where both searches expect the same side to score as much as this, it has won.
const DECIDED: f32 = 0.985;

/// Plays the games of a plan that are not in `known`, one on each thread of the current rayon pool, and gives
/// each pair to `keep`. Pairs of the same batch may come in any order. `known` may hold a part of a batch. Returns all
/// pairs in their order. Ends early once `control` is stopped.
///
/// # Errors
///
/// If the system lacks memory or threads, a position cannot be searched, or a constant is unknown.
pub fn play(
    plan: &Plan,
    known: Vec<Pair>,
    control: &Control,
    keep: &(dyn Fn(Pair) + Sync),
) -> Result<Vec<Pair>, TuningError> {
    let mut played: BTreeMap<u64, Pair> = known.into_iter().map(|pair| (pair.number, pair)).collect();
    let mut values = plan.values(&[]);
    for batch in (0..plan.batches()).map(|number| plan.batch(number)) {
        let missing: Vec<u64> = batch.clone().filter(|number| !played.contains_key(number)).collect();
        let found: Vec<Option<Pair>> = missing
            .par_iter()
            .with_max_len(1)
            .map(|&number| {
                let pair = pair(plan, number, &values, control)?;
                pair.into_iter().for_each(keep);
                Ok(pair)
            })
            .collect::<Result<_, TuningError>>()?;
        played.extend(found.into_iter().flatten().map(|pair| (pair.number, pair)));
        if control.stopped() {
            break;
        }
        plan.learn(&mut values, played.range(batch).map(|(_, pair)| pair));
    }
    Ok(played.into_values().collect())
}

fn pair(plan: &Plan, number: u64, values: &[f64], control: &Control) -> Result<Option<Pair>, TuningError> {
    if control.stopped() {
        return Ok(None);
    }
    let seed = plan.seed_of(number);
    let engine = |values: &[f64]| {
        let mut engine = play::engine(&plan.variant, &plan.model, seed)?;
        for (constant, &value) in plan.constants.iter().zip(values) {
            if !engine.set_constant(&constant.name, value as f32) {
                return Err(TuningError::Unknown(constant.name.clone()));
            }
        }
        Ok(engine)
    };
    let [first, second] = plan.of_players(number, values);
    let mut engines = [engine(&first)?, engine(&second)?];
    let start = Board::new(&plan.variant);
    let opening = balanced(&mut engines[0], &start, plan.plies, seed, &|| control.stopped())?;
    let Some(opening) = opening else { return Ok(None) };
    let mut points = 0;
    for first in [Side::White, Side::Black] {
        engines.iter_mut().for_each(Engine::clear);
        let Some(outcome) = game(plan, &mut engines, first, opening.clone(), control)? else { return Ok(None) };
        points += outcome.half_points(first) as i8 - 1;
    }
    Ok(Some(Pair { number, points }))
}

/// A game; the first engine plays for the side `first`. `None` if it was stopped.
fn game(
    plan: &Plan,
    engines: &mut [Engine; 2],
    first: Side,
    mut board: Board,
    control: &Control,
) -> Result<Option<Outcome>, PlayError> {
    let mut last = 0.5;
    let ended = play::game(&mut board, LONGEST, &|| control.stopped(), &mut |board| {
        let side = board.side_to_move();
        let found = play::search(&mut engines[usize::from(side != first)], board, plan.nodes, control)?;
        if let Some(proven) = found.score.outcome(side) {
            return Ok(Break(proven));
        }
        let own = found.score.expected();
        let white = if side == Side::White { own } else { 1.0 - own };
        for (winner, lead) in [(Side::White, white.min(last)), (Side::Black, 1.0 - white.max(last))] {
            if lead >= DECIDED {
                return Ok(Break(Outcome::Win(winner)));
            }
        }
        last = white;
        Ok(Continue(found.best().cloned()))
    })?;
    Ok(ended.map(|(outcome, _)| outcome))
}
