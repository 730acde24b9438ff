//! Games on disk: each written by rename when it is finished, gathered into one file at the end.

use super::record::GameRecord;
use crate::files::write_whole;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What a folder of results is about; compared when a match is resumed.
const CONFIGURATION: &str = "match.json";
/// All games, one JSON line each, in the order of their numbers.
const GAMES: &str = "games.jsonl";
/// The same for people.
const TEXT: &str = "games.pgn";
/// The result for programs.
const RESULT: &str = "result.json";
/// Games that are not gathered yet.
const PARTS: &str = "games";

/// Why results cannot be kept.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The system refuses.
    #[error("{path}: {error}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is not what it should be.
    #[error("{path}:{line}: {error}")]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong.
        error: String,
    },
    /// Results are there already.
    #[error("{0} holds a match already; go on with it by --resume, or name another folder")]
    Exists(PathBuf),
    /// Another match was begun there.
    #[error("{path} holds another match: its '{field}' is {old}, not {new}")]
    Different {
        /// The folder.
        path: PathBuf,
        /// What differs.
        field: String,
        /// There.
        old: String,
        /// Here.
        new: String,
    },
}

/// A folder of results.
pub struct Store {
    folder: PathBuf,
    games: BTreeMap<u64, GameRecord>,
}

impl Store {
    /// Opens a folder, or makes it, for the match that `configuration` (an object) describes; with `resume` finished games are taken over.
    ///
    /// # Errors
    ///
    /// If files cannot be had or are damaged, if a match is there already and not to be resumed, or another one is.
    pub fn open(folder: &Path, configuration: &Value, resume: bool) -> Result<Self, StoreError> {
        let mut store = Self { folder: folder.to_owned(), games: BTreeMap::new() };
        let known = folder.join(CONFIGURATION);
        if known.exists() {
            if !resume {
                return Err(StoreError::Exists(folder.to_owned()));
            }
            store.compare(&known, configuration)?;
            store.load()?;
        } else {
            at(&folder.join(PARTS), |path| fs::create_dir_all(path))?;
            let text = serde_json::to_vec_pretty(configuration).unwrap_or_default();
            at(&known, |path| write_whole(path, &text))?;
        }
        Ok(store)
    }

    /// Games that were finished before.
    pub fn games(&self) -> impl Iterator<Item = &GameRecord> {
        self.games.values()
    }

    fn compare(&self, path: &Path, configuration: &Value) -> Result<(), StoreError> {
        let text = at(path, |path| fs::read_to_string(path))?;
        let old: Value = parse(path, 1, &text)?;
        let keys = configuration.as_object().into_iter().flat_map(|object| object.keys());
        for field in keys {
            let (old, new) = (&old[field], &configuration[field]);
            if old != new {
                let short = |value: &Value| value.to_string().chars().take(200).collect();
                return Err(StoreError::Different {
                    path: self.folder.clone(),
                    field: field.clone(),
                    old: short(old),
                    new: short(new),
                });
            }
        }
        Ok(())
    }

    fn load(&mut self) -> Result<(), StoreError> {
        let gathered = self.folder.join(GAMES);
        if gathered.exists() {
            let text = at(&gathered, |path| fs::read_to_string(path))?;
            for (index, line) in text.lines().enumerate() {
                self.take(parse(&gathered, index + 1, line)?);
            }
        }
        let parts = self.folder.join(PARTS);
        at(&parts, |path| fs::create_dir_all(path))?;
        for entry in at(&parts, |path| fs::read_dir(path))? {
            let path = at(&parts, |_| entry)?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                let text = at(&path, |path| fs::read_to_string(path))?;
                self.take(parse(&path, 1, &text)?);
            }
        }
        Ok(())
    }

    fn take(&mut self, record: GameRecord) {
        self.games.insert(record.game, record);
    }

    /// Keeps a finished game, at once.
    ///
    /// # Errors
    ///
    /// If it cannot be written; then it is not taken either.
    pub fn add(&mut self, record: GameRecord) -> Result<(), StoreError> {
        let path = self.folder.join(PARTS).join(format!("{:08}.json", record.game));
        let text = serde_json::to_vec(&record).unwrap_or_default();
        at(&path, |path| write_whole(path, &text))?;
        self.take(record);
        Ok(())
    }

    /// Gathers all games into one file, and one for people, and writes the result.
    ///
    /// # Errors
    ///
    /// If a file cannot be written; those that were there stay whole.
    pub fn gather(&self, result: &Value) -> Result<(), StoreError> {
        let mut lines = String::new();
        for record in self.games.values() {
            lines.push_str(&serde_json::to_string(record).unwrap_or_default());
            lines.push('\n');
        }
        let text: String = self.games.values().map(GameRecord::text).collect();
        let result = serde_json::to_vec_pretty(result).unwrap_or_default();
        at(&self.folder.join(TEXT), |path| write_whole(path, text.as_bytes()))?;
        at(&self.folder.join(RESULT), |path| write_whole(path, &result))?;
        at(&self.folder.join(GAMES), |path| write_whole(path, lines.as_bytes()))?;
        let parts = self.folder.join(PARTS);
        at(&parts, |path| fs::remove_dir_all(path))
    }
}

fn at<T>(path: &Path, act: impl FnOnce(&Path) -> io::Result<T>) -> Result<T, StoreError> {
    act(path).map_err(|error| StoreError::Io { path: path.to_owned(), error })
}

fn parse<T: serde::de::DeserializeOwned>(path: &Path, line: usize, text: &str) -> Result<T, StoreError> {
    let damaged =
        |error: serde_json::Error| StoreError::Damaged { path: path.to_owned(), line, error: error.to_string() };
    serde_json::from_str(text).map_err(damaged)
}
