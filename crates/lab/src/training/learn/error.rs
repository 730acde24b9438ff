//! Why learning ends early.

use crate::arena::{BookError, StoreError};
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
    /// The system refuses.
    #[error("{path}: {error}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is not what it should be, and cannot be made again.
    #[error("{path}: {what}")]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// A damaged file was removed, so that its task is due again.
    #[error("{path}: {what}; the file was removed, to be made again")]
    Removed {
        /// Which file.
        path: PathBuf,
        /// What was wrong.
        what: String,
    },
    /// There is no run in the folder.
    #[error("{0} holds no run: to begin one, say --generations, --games and --nodes")]
    NoRun(PathBuf),
    /// The folder holds other files.
    #[error("{0} is not empty and holds no run; name another folder")]
    Foreign(PathBuf),
    /// The folder holds another run.
    #[error(
        "{path} holds a run with other options: {}; to go on with it, repeat its own or none; else name another folder",
        differences.join("; ")
    )]
    Different {
        /// The folder.
        path: PathBuf,
        /// What differs, there → here.
        differences: Vec<String>,
    },
    /// Another process works there now.
    #[error("{path} is in use: {holder}")]
    Locked {
        /// The folder.
        path: PathBuf,
        /// Its process, its machine and since when.
        holder: String,
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
        /// What is wrong.
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

impl LearnError {
    /// An error of the system at `path`.
    pub(super) fn at(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::Io { path: path.to_owned(), error }
    }

    /// Whether the same task may well succeed a little later, perhaps on another machine: exit code 75.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Removed { .. } | Self::Locked { .. } | Self::Waits { .. } | Self::Interrupted => true,
            Self::Settings(_) | Self::Play(RunError::Busy(_) | RunError::Interrupted | RunError::Settings(_)) => true,
            Self::Play(RunError::Kept { error, .. }) => {
                matches!(**error, RunError::Busy(_) | RunError::Interrupted | RunError::Settings(_))
            }
            _ => false,
        }
    }
}

impl From<StoreError> for LearnError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Io { path, error } => Self::Io { path, error },
            StoreError::Locked { path, holder } => Self::Locked { path, holder },
            StoreError::Damaged { path, .. } | StoreError::Exists(path) | StoreError::Different { path, .. } => {
                Self::Foreign(path)
            }
        }
    }
}
