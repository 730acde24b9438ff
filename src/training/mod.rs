//! Learning from the engine's own games: playing them, keeping them.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `selfplay` | games of the engine against itself, any number of shards that make one run |
//! | [`record`] | games as bytes: the format of data files |
//! | `merge` | shards into one file |
//! | `subject` | what a family of games has to say of its positions |
//! | `data` | from recorded games to samples |
//! | `fit`, `checkpoint` | from samples to weights, also after a fit was killed |
//! | `network`, `odds`, `softmax`, `optimiser` | the losses of evaluation and policy, and what minimises them |
//! | `check` | whether predicted probabilities come true |
//! | `calibrate` | making them come true |
//! | `curves` | losses as a picture |
//! | [`results`] | what came of it: generations, matches, calibration |

mod calibrate;
mod check;
mod checkpoint;
mod curves;
mod data;
mod fit;
mod merge;
mod network;
mod odds;
mod optimiser;
pub mod record;
#[doc = include_str!("results.md")]
pub mod results {}
mod selfplay;
mod softmax;
mod subject;

pub use calibrate::{Calibration, calibrate};
pub use check::{Reliability, check};
pub use curves::curves;
pub use fit::{FitError, FitOptions, FitResult, Losses, fit};
pub use merge::{MergeError, merge};
pub use selfplay::{Options, Run, RunError};
pub use subject::{Subject, group};
