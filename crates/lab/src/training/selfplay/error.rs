//! Why a run ends early.

use crate::play::PlayError;
use crate::training::record::FileError;
use std::path::PathBuf;
use thiserror::Error;

/// Why a run ended early.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// A file cannot be read or written, or is damaged.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file exists already.
    #[error("{0} exists already; go on with the run by --resume, or remove it")]
    Exists(PathBuf),
    /// The file belongs to another run.
    #[error("{path} is of another run: its {field} differs")]
    Different {
        /// The file.
        path: PathBuf,
        /// The field that differs.
        field: String,
    },
    /// A finished file lacks games, or the game cannot begin.
    #[error("{0}")]
    Unfit(String),
    /// The file of an unfinished run is damaged.
    #[error("{error}; to keep the games before this place, cut the file there; to begin anew, remove it")]
    Damaged {
        /// The fault, with the file and the place.
        error: FileError,
    },
    /// Another process is writing the file.
    #[error("{0}: another run is writing it")]
    Busy(PathBuf),
    /// The run was stopped.
    #[error("interrupted")]
    Interrupted,
    /// The run ended early, and its games are kept.
    #[error("{error}; {done} of {of} games are in {path}: go on by --resume")]
    Kept {
        /// Why it ended.
        error: Box<RunError>,
        /// The file with the games.
        path: PathBuf,
        /// Number of games in it.
        done: u64,
        /// Number of games of the run, or of the shard.
        of: u64,
    },
    /// There is no engine.
    #[error(transparent)]
    Engine(#[from] PlayError),
}
