//! Learning from the engine's own games: playing them, keeping them, fitting weights to them.
//!
//! Bottom to top: each module uses only modules above it in this table.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `fingerprint` | short names for long bytes |
//! | [`record`] | games as files |
//! | `trainable` | what training asks of a family of games, and which family a rule set belongs to |
//! | `selfplay` | games of the engine against itself; the shards of a run are played apart |
//! | `merge` | shards into one file |
//! | `fit` | from games to weights; its options, errors, losses and data serve the next three as well |
//! | `curves` | losses as a picture |
//! | `check` | whether predicted probabilities come true |
//! | `calibrate` | making them come true |
//! | [`learn`] | the loop of all this, generation after generation |
//! | [`results`] | what came of it: generations, matches, calibration |
//!
//! The folders `selfplay`, `fit` and `learn` have orders of their own.

mod calibrate;
mod check;
mod curves;
mod fingerprint;
mod fit;
pub mod learn;
mod merge;
pub mod record;
#[doc = include_str!("results.md")]
pub mod results {}
mod selfplay;
mod trainable;

pub use calibrate::{Calibration, calibrate};
pub(crate) use check::Bin;
pub use check::{Reliability, check};
pub use curves::save_curves;
pub use fit::error::FitError;
#[doc(hidden)]
pub use fit::identity::{differences, identity};
pub use fit::losses::Losses;
pub(crate) use fit::odds::{Odds, Target};
pub(crate) use fit::optimiser::{Fitted, Moments, Schedule, mean_gradient, optimise};
pub use fit::options::{FitOptions, Only};
pub use fit::{FitResult, fit};
pub use merge::{MergeError, merge};
pub use selfplay::{Options, Run, RunError};
