//! Learning from the engine's own games: playing them, keeping them.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `selfplay` | games of the engine against itself, any number of shards that make one run |
//! | [`record`] | games as bytes: the format of data files |
//! | `merge` | shards into one file |

mod merge;
pub mod record;
mod selfplay;

pub use merge::{MergeError, merge};
pub use selfplay::{Options, Run, RunError};
