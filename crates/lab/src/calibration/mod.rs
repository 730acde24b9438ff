//! Percentages that come true: how values of a search are shown, fitted to strong games of the engine with itself.
//!
//! The form of a calibration, and what it is for, stand in `src/eval/calibration.rs`.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `subject` | what is calibrated by itself: a rule set, or a size of the Amazons |
//! | `games` | games, and what searches of several sizes say of their positions |
//! | `fit` | the numbers of a calibration with the least loss |
//! | `check` | how often what is shown comes true |

mod check;
mod fit;
mod games;
mod subject;

pub use check::{Check, check, check_by};
pub use fit::fit;
pub use games::{Game, GamesError, Look, Plan, play};
pub use subject::{SUBJECTS, Subject};

pub(crate) use subject::name_of;

use hippolyta::engine::{Board, Control, Model};
use hippolyta::eval::Weights;
use std::sync::{Mutex, PoisonError};

/// A checksum of all weights that searches depend on: without calibrations.
#[must_use]
pub fn checksum(weights: &Weights) -> u32 {
    let mut searched = weights.clone();
    searched.calibrations.clear();
    crc32fast::hash(&searched.tables().to_bytes())
}

/// Gives weights the calibration of the rule set, or of the size, that `start` is of, if they have none of its own:
/// fitted to this number of games in the current rayon pool. `progress` is told of each game. Whether there was
/// anything to do; nothing is done once `control` is stopped.
///
/// # Errors
///
/// If the system lacks memory or threads.
pub(crate) fn complete(
    weights: &mut Weights,
    start: &Board,
    (games, seed): (u64, u64),
    control: &Control,
    progress: &(dyn Fn() + Sync),
) -> Result<bool, GamesError> {
    let name = name_of(start);
    if games == 0 || weights.calibrations.contains_key(&name) {
        return Ok(false);
    }
    let model = Model::Learned(weights.clone().into());
    let played = Mutex::new(Vec::new());
    let plan = Plan { seed, ..Plan::default() };
    play(start, &model, &plan, &(0..games).collect::<Vec<_>>(), control, &|game| {
        played.lock().unwrap_or_else(PoisonError::into_inner).push(game);
        progress();
    })?;
    if control.stopped() {
        return Ok(false);
    }
    let mut games = played.into_inner().unwrap_or_else(PoisonError::into_inner);
    games.sort_by_key(|game| game.number);
    weights.calibrations.insert(name, fit(&games).into());
    Ok(true)
}
