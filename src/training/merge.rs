//! Putting shards together.

use super::record::{self, EVALUATION, FileError, Header};
use crate::container::ContainerError;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why shards do not make a whole.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MergeError {
    /// A file cannot be read or written, or is damaged.
    #[error(transparent)]
    File(#[from] FileError),
    /// Two files are of different runs.
    #[error("{second} is of another run than {first}: its {field} differs")]
    Different {
        /// A file.
        first: PathBuf,
        /// Another.
        second: PathBuf,
        /// What differs.
        field: &'static str,
    },
    /// Two files have versions that name evaluations in different ways.
    #[error("{second} has another format version than {first}: whether their evaluations are the same cannot be told")]
    Versions {
        /// A file.
        first: PathBuf,
        /// Another.
        second: PathBuf,
    },
    /// A game is in two files, or twice in one.
    #[error("game {number} is in {first} and in {second}")]
    Twice {
        /// The number of the game.
        number: u64,
        /// A file.
        first: PathBuf,
        /// Another.
        second: PathBuf,
    },
    /// Games are missing.
    #[error("{count} of {of} games are missing, the first is game {first}")]
    Missing {
        /// Number of missing games.
        count: u64,
        /// Number of games of the run.
        of: u64,
        /// Number of the first missing game.
        first: u64,
    },
    /// There is no file.
    #[error("nothing to merge")]
    Nothing,
}

/// Merges the shards of one run into `output`, and returns the number of games. With `partial`, games may be missing,
/// also from the end of a file. Games of an older format are written in the new one.
///
/// # Errors
///
/// If a file cannot be read or written; if files are of different runs; if a game is there twice; if games are
/// missing and `partial` is false.
pub fn merge(inputs: &[PathBuf], output: &Path, partial: bool) -> Result<u64, MergeError> {
    let mut games = Vec::new();
    let mut origin: HashMap<u64, &Path> = HashMap::new();
    let mut whole: Option<(Header, u32, &Path)> = None;
    for path in inputs {
        let mut reader = record::open(path)?;
        match &whole {
            None => whole = Some((Header { shard: [0, 1], ..reader.header().clone() }, reader.version(), path)),
            Some((header, version, first)) => {
                let (first, second) = (first.to_path_buf(), path.clone());
                match header.difference(reader.header()) {
                    Some(EVALUATION) if *version != reader.version() => {
                        return Err(MergeError::Versions { first, second });
                    }
                    Some(field) => return Err(MergeError::Different { first, second, field }),
                    None => {}
                }
            }
        }
        loop {
            let game = match reader.next() {
                Ok(Some(game)) => game,
                Ok(None) => break,
                Err(ContainerError::Unfinished { .. }) if partial => break,
                Err(error) => return Err(FileError::at(path)(error).into()),
            };
            if let Some(first) = origin.insert(game.number, path) {
                let (number, first, second) = (game.number, first.to_owned(), path.clone());
                return Err(MergeError::Twice { number, first, second });
            }
            games.push(game);
        }
    }
    let (header, ..) = whole.ok_or(MergeError::Nothing)?;
    let mut missing = (0..header.games).filter(|number| !origin.contains_key(number));
    if let (Some(first), false) = (missing.next(), partial) {
        return Err(MergeError::Missing { count: 1 + missing.count() as u64, of: header.games, first });
    }
    let count = games.len() as u64;
    record::write(output, &header, games)?;
    Ok(count)
}
