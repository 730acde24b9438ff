//! Why nothing was learned.

use crate::training::record::{FileError, GameData};
use hippolyta::container::ContainerError;
use hippolyta::eval::weights::WeightsError;
use hippolyta::search::Control;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why nothing was learned.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FitError {
    /// A file cannot be read, or is damaged.
    #[error(transparent)]
    File(#[from] FileError),
    /// Nothing can be learned from these files, or not with these options.
    #[error("{0}")]
    Unfit(String),
    /// Too little to learn from, or to validate with.
    #[error("not enough games: {found} {what}, and at least {needed} must be there")]
    Few {
        /// The things that are too few, such as `data files`.
        what: &'static str,
        /// How much there is.
        found: usize,
        /// How much is needed.
        needed: usize,
    },
    /// The checkpoint cannot be read or written, or is damaged.
    #[error("{path}: {error}{}", remedy(.error))]
    Checkpoint {
        /// Its file.
        path: PathBuf,
        /// The fault of the checkpoint.
        error: ContainerError,
    },
    /// The checkpoint was written by a version with another format.
    #[error(
        "{0}: the checkpoint of another version of this program; go on with that version, or remove it to begin anew"
    )]
    Version(PathBuf),
    /// The checkpoint belongs to another fit.
    #[error("{path} is of a fit with other options: {}; remove it to begin anew", differences.join("; "))]
    Other {
        /// Its file.
        path: PathBuf,
        /// The differences, there → here.
        differences: Vec<String>,
    },
    /// The fit was stopped; it goes on from its checkpoint.
    #[error("interrupted")]
    Interrupted,
    /// The tables do not fit together: a mistake of this program.
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

impl FitError {
    /// An error once `control` is stopped.
    pub(in crate::training) fn if_stopped(control: &Control) -> Result<(), Self> {
        if control.stopped() { Err(Self::Interrupted) } else { Ok(()) }
    }

    /// A game of a file is not legal.
    pub(in crate::training) fn illegal(path: &Path, game: &GameData) -> Self {
        Self::Unfit(format!("{}: game {} is not legal", path.display(), game.number))
    }

    /// An error if `found` is less than `needed`.
    pub(in crate::training) fn if_few(what: &'static str, found: usize, needed: usize) -> Result<(), Self> {
        if found < needed { Err(Self::Few { what, found, needed }) } else { Ok(()) }
    }
}

/// Advice on a checkpoint that cannot be used.
fn remedy(error: &ContainerError) -> &'static str {
    match error {
        ContainerError::Io(_) => "",
        _ => "; remove it to begin anew",
    }
}
