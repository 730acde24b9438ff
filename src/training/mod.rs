//! Learning from the engine's own games: playing them, keeping them.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `selfplay` | games of the engine against itself, any number of shards that make one run |
//! | [`record`] | games as bytes: the format of data files |
//! | `merge` | shards into one file |
//! | `fit` | from data files to weights |
//! | `network`, `softmax`, `optimiser` | the losses of evaluation and policy, and what minimises them |

mod fit;
mod merge;
mod network;
mod optimiser;
pub mod record;
mod selfplay;
mod softmax;

pub use fit::{FitError, FitOptions, Losses, fit_amazons};
pub use merge::{MergeError, merge};
pub use optimiser::Schedule;
pub use selfplay::{Options, Run, RunError};
