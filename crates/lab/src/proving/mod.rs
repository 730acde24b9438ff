//! Who wins a board of the Amazons, found out in days if need be, and proven in a file.
//!
//! The proof search of [`hippolyta::endgame`] forgets everything with its process. Here the turns near the root are kept in
//! a tree of their own, and the proof search works on its leaves, a few million positions at a time: a proof-number
//! search in two levels (Saffidine, Jouandeau and Cazenave, *Solving Breakthrough with Race Patterns and Job-Level
//! Proof Number Search*, 2011). A leaf that takes longer becomes an inner node, and its turns are leaves.
//!
//! One process owns the tree, with as many threads as wanted. It keeps a log of what was found out in a folder that
//! nobody else may write to as long as it lives.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `tree` | the turns near the root and their numbers: take a leaf, put its result back |
//! | `folder` | what outlives the process |
//! | `run` | threads that search leaves, and what they share |
//! | `run::doubt` | which line of a folder is false |
//! | `elsewhere` | leaves that other processes search, on any machine |
//! | `certificate` | proof files, which a short program of its own checks |
//! | `status` | how far it has come, and an estimate of what is left |

mod certificate;
mod elsewhere;
mod folder;
mod run;
mod status;
mod tree;

pub use certificate::Progress;
pub use elsewhere::{Elsewhere, Found, Order, OrderError};
pub use run::{Ended, Options, Run, Solution};
pub use status::{Best, Left, Owner, RootTurn, Status};

use crate::folder::FolderError;
use hippolyta::games::FenError;
use thiserror::Error;

/// Why a position is not solved, or not on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProvingError {
    /// The folder, or a file in it, cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The position, the folder or the state of the run does not allow it.
    #[error("{0}")]
    Unfit(String),
    /// The position cannot be read.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A result of the run is false.
    #[error("the result is not proven: a position that was found to be won is lost")]
    Unproven,
    /// What somebody else says of a leaf cannot be so. It is not believed, and the leaf is to be searched again.
    #[error("after '{at}': {what}")]
    Refused {
        /// The turns to the leaf.
        at: String,
        /// Why.
        what: String,
    },
    /// A state that cannot be, if this program is right.
    #[error("a fault of this program, please report it: {0}")]
    Fault(String),
    /// Too large for the solver, or for memory.
    #[error(
        "more than 63 squares are open there, and they do not fit in a rectangle of 7×8, or there is no memory for --hash"
    )]
    TooLarge,
}

/// A fault of this program, at the end of these turns.
fn fault(at: &str, what: &str) -> ProvingError {
    ProvingError::Fault(format!("{at}: {what}"))
}
