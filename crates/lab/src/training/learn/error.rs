//! Why learning ends early.

use crate::arena::BookError;
use crate::folder::FolderError;
use crate::play::PlayError;
use crate::training::fit::error::FitError;
use crate::training::merge::MergeError;
use crate::training::selfplay::RunError;
use hippolyta::games::FenError;
use hippolyta::games::variant::UnknownVariant;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why learning, or one of its tasks, ended early.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LearnError {
    /// The folder, or a file in it, cannot be used.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A damaged file was removed, so that its task is due again.
    #[error("{path}: {what}; the file was removed, to be made again")]
    Removed {
        /// Which file.
        path: PathBuf,
        /// The fault, in words.
        what: String,
    },
    /// The run, or the task, cannot be so.
    #[error("{0}")]
    Unfit(String),
    /// A task's input is not there.
    #[error("'{task}' must wait: {path} is not there yet")]
    Waits {
        /// The task.
        task: String,
        /// The first file that is missing.
        path: PathBuf,
    },
    /// There is no such rule set.
    #[error(transparent)]
    Variant(#[from] UnknownVariant),
    /// The start position cannot be read.
    #[error("--fen: {0}")]
    Fen(#[from] FenError),
    /// Self-play ended early.
    #[error(transparent)]
    Play(RunError),
    /// Shards could not be merged.
    #[error(transparent)]
    Merge(MergeError),
    /// Nothing was learned.
    #[error(transparent)]
    Fit(FitError),
    /// There are no openings for the gate.
    #[error("openings of the gate: {0}")]
    Openings(#[from] BookError),
    /// There is no engine.
    #[error(transparent)]
    Engine(#[from] PlayError),
    /// The run was stopped.
    #[error("interrupted")]
    Interrupted,
}

impl LearnError {
    /// An error of the system at `path`.
    pub(super) fn at(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| FolderError::at(path)(error).into()
    }

    /// Whether the same task may well succeed a little later, perhaps on another machine: exit code 75.
    pub fn may_pass(&self) -> bool {
        let playing = |error: &RunError| {
            matches!(error, RunError::Busy(_) | RunError::Interrupted | RunError::Engine(PlayError::Settings(_)))
        };
        match self {
            Self::Removed { .. }
            | Self::Folder(FolderError::Locked { .. })
            | Self::Waits { .. }
            | Self::Engine(PlayError::Settings(_))
            | Self::Interrupted => true,
            Self::Play(RunError::Kept { error, .. }) => playing(error),
            Self::Play(error) => playing(error),
            _ => false,
        }
    }
}
