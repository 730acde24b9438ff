//! Putting shards together.

use super::record::{self, FileError, Header};
use super::selfplay::write_games;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why shards do not make a whole.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MergeError {
    /// A file cannot be had, or is not what it should be.
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
    /// A game is in two files, or twice in one.
    #[error("game {number} is in {first} and in {second}")]
    Twice {
        /// Which game.
        number: u64,
        /// A file.
        first: PathBuf,
        /// Another.
        second: PathBuf,
    },
    /// Games are missing.
    #[error("{count} of {of} games are missing, the first is game {first}")]
    Missing {
        /// How many.
        count: u64,
        /// Of how many.
        of: u64,
        /// The first of them.
        first: u64,
    },
    /// No file.
    #[error("nothing to merge")]
    Nothing,
}

/// Puts the shards of one run together into `output`; returns the number of games. With `partial`, games may be missing.
///
/// # Errors
///
/// If a file cannot be read or written, files are of different runs, a game is there twice, or games are missing and `partial` is false.
pub fn merge(inputs: &[PathBuf], output: &Path, partial: bool) -> Result<u64, MergeError> {
    let mut games = Vec::new();
    let mut origin: HashMap<u64, &Path> = HashMap::new();
    let mut whole: Option<(Header, &Path)> = None;
    for path in inputs {
        let mut reader = record::open(path)?;
        match &whole {
            None => whole = Some((Header { shard: [0, 1], ..reader.header().clone() }, path)),
            Some((header, first)) => {
                if let Some(field) = difference(header, reader.header()) {
                    return Err(MergeError::Different { first: first.to_path_buf(), second: path.clone(), field });
                }
            }
        }
        while let Some(game) = reader.next().map_err(FileError::at(path))? {
            if let Some(first) = origin.insert(game.number, path) {
                let (number, first, second) = (game.number, first.to_owned(), path.clone());
                return Err(MergeError::Twice { number, first, second });
            }
            games.push(game);
        }
    }
    let (header, _) = whole.ok_or(MergeError::Nothing)?;
    let mut missing = (0..header.games).filter(|number| !origin.contains_key(number));
    if let (Some(first), false) = (missing.next(), partial) {
        return Err(MergeError::Missing { count: 1 + missing.count() as u64, of: header.games, first });
    }
    let count = games.len() as u64;
    write_games(output, &header, games)?;
    Ok(count)
}

/// In what two shards of one run may not differ.
fn difference(a: &Header, b: &Header) -> Option<&'static str> {
    let fields = [
        ("engine version", a.engine == b.engine),
        ("evaluation", a.evaluation == b.evaluation),
        ("variant", a.variant == b.variant),
        ("seed", a.seed == b.seed),
        ("number of games", a.games == b.games),
        ("configuration", a.config == b.config),
    ];
    fields.into_iter().find(|(_, same)| !same).map(|(field, _)| field)
}
