//! Why learning ends early.

use crate::arena::BookError;
use crate::calibration::GamesError;
use crate::folder::FolderError;
use crate::training::fit::error::FitError;
use crate::training::merge::MergeError;
use crate::training::selfplay::RunError;
use hippolyta::engine::AnalyseError;
use hippolyta::eval::weights::WeightsError;
use hippolyta::games::FenError;
use hippolyta::games::variant::UnknownVariant;
use hippolyta::search::SettingsError;
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
    /// An option makes no sense.
    #[error("{0}")]
    Option(String),
    /// There is no such task.
    #[error("no task of this run: '{0}'")]
    Task(String),
    /// A task's input is not there.
    #[error("'{task}' must wait: {path} is not there yet")]
    Waits {
        /// The task.
        task: String,
        /// The first file that is missing.
        path: PathBuf,
    },
    /// `--start` names weights that differ from those with which the run began.
    #[error("the weights of --start {0} are not those that the run began with")]
    Start(String),
    /// There is no such rule set.
    #[error(transparent)]
    Variant(#[from] UnknownVariant),
    /// The start position cannot be read.
    #[error("--fen: {0}")]
    Fen(#[from] FenError),
    /// Weights cannot be used.
    #[error("{path}: {error}")]
    Weights {
        /// Their file.
        path: PathBuf,
        /// The fault of the weights.
        error: WeightsError,
    },
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
    /// There is no memory for a search.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// Should never occur.
    #[error(transparent)]
    Analyse(#[from] AnalyseError),
    /// The run was stopped.
    #[error("interrupted")]
    Interrupted,
}

impl From<GamesError> for LearnError {
    fn from(error: GamesError) -> Self {
        match error {
            GamesError::Settings(error) => error.into(),
            GamesError::Analyse(error) => error.into(),
        }
    }
}

impl LearnError {
    /// An error of the system at `path`.
    pub(super) fn at(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| FolderError::at(path)(error).into()
    }

    /// Whether the same task may well succeed a little later, perhaps on another machine: exit code 75.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Removed { .. }
            | Self::Folder(FolderError::Locked { .. })
            | Self::Waits { .. }
            | Self::Interrupted => true,
            Self::Settings(_) | Self::Play(RunError::Busy(_) | RunError::Interrupted | RunError::Settings(_)) => true,
            Self::Play(RunError::Kept { error, .. }) => {
                matches!(**error, RunError::Busy(_) | RunError::Interrupted | RunError::Settings(_))
            }
            _ => false,
        }
    }
}
