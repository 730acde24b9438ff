//! Games on disk: appended as they end, put in order at the end. One match at a time holds a folder.

use super::difference::differences;
use super::record::GameRecord;
use hippolyta::files::{write_whole, write_whole_with};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use thiserror::Error;

/// The description of the match; compared when it is resumed.
const CONFIGURATION: &str = "match.json";
/// All games, one JSON line each: as they end, and in the order of their numbers when all have.
const GAMES: &str = "games.jsonl";
/// All games as text for people, in the order of [`GAMES`].
const TEXT: &str = "games.pgn";
/// The result for programs.
const RESULT: &str = "result.json";
/// Locked while a match is played; names the process that plays it.
const LOCK: &str = "lock";

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
    /// Another match is played there now.
    #[error("{path} is in use by another match: {holder}")]
    Locked {
        /// The folder.
        path: PathBuf,
        /// Its process, its machine and since when.
        holder: String,
    },
    /// Another match was begun there.
    #[error("{path} holds a match with other options: {}", differences.join("; "))]
    Different {
        /// The folder.
        path: PathBuf,
        /// What differs, there → here.
        differences: Vec<String>,
    },
}

/// A folder of results that one match writes to. Others may read it meanwhile: see [`games`].
pub struct Store {
    folder: PathBuf,
    /// The system's lock, which ends with the process at the latest. None where the file system knows none.
    _lock: Option<File>,
}

impl Store {
    /// Opens a folder, or makes it, for the match that `configuration` (an object) describes; with `resume` finished
    /// games are kept. `variable` (also an object) is stored beside it, and may differ when the match is resumed.
    ///
    /// # Errors
    ///
    /// If files cannot be read or written, or are damaged; if there is a match already and `resume` is false, or it is
    /// another match; if a match is being played there.
    pub fn open(folder: &Path, configuration: &Value, variable: &Value, resume: bool) -> Result<Self, StoreError> {
        at(folder, |path| fs::create_dir_all(path))?;
        let store = Self { folder: folder.to_owned(), _lock: lock(folder)? };
        let known = folder.join(CONFIGURATION);
        if known.exists() {
            if !resume {
                return Err(StoreError::Exists(folder.to_owned()));
            }
            let differences = differences(&self::configuration(folder)?, configuration);
            if !differences.is_empty() {
                return Err(StoreError::Different { path: folder.to_owned(), differences });
            }
            store.put_in_order()?;
        } else if folder.join(GAMES).exists() {
            let error =
                io::Error::new(io::ErrorKind::AlreadyExists, "of no match that is known here; name another folder");
            return Err(StoreError::Io { path: folder.join(GAMES), error });
        }
        let mut all = configuration.clone();
        if let (Some(all), Some(variable)) = (all.as_object_mut(), variable.as_object()) {
            all.extend(variable.clone());
        }
        let text = serde_json::to_vec_pretty(&all).unwrap_or_default();
        at(&known, |path| write_whole(path, &text))?;
        Ok(store)
    }

    /// The finished games, in any order.
    ///
    /// # Errors
    ///
    /// Those of [`games`].
    pub fn games(&self) -> Result<impl Iterator<Item = Result<GameRecord, StoreError>> + use<>, StoreError> {
        games(&self.folder)
    }

    /// Keeps a finished game, at once.
    ///
    /// # Errors
    ///
    /// If it cannot be written. No part of the game is left in the file.
    pub fn add(&self, record: &GameRecord) -> Result<(), StoreError> {
        let mut line = serde_json::to_vec(record).unwrap_or_default();
        line.push(b'\n');
        at(&self.folder.join(GAMES), |path| append(path, &line))?;
        at(&self.folder.join(TEXT), |path| append(path, record.text().as_bytes()))
    }

    /// All games have ended: puts them in order and writes the result.
    ///
    /// # Errors
    ///
    /// If a file cannot be written; those that were there stay whole.
    pub fn finish(&self, result: &Value) -> Result<(), StoreError> {
        self.put_in_order()?;
        let result = serde_json::to_vec_pretty(result).unwrap_or_default();
        at(&self.folder.join(RESULT), |path| write_whole(path, &result))
    }

    /// Rewrites the games in the order of their numbers, without a line that a killed match left unfinished, and the
    /// same games for people.
    fn put_in_order(&self) -> Result<(), StoreError> {
        let mut places = BTreeMap::new();
        for found in lines(&self.folder)? {
            let (place, record) = found?;
            places.insert(record.game, place);
        }
        let path = self.folder.join(GAMES);
        if !path.exists() {
            return Ok(());
        }
        let rewrite = |name: &str, text: &dyn Fn(&[u8]) -> io::Result<Vec<u8>>| {
            at(&self.folder.join(name), |to| {
                write_whole_with(to, |file| {
                    // Closed again before it is replaced: Windows does not replace an open file.
                    let mut old = File::open(&path)?;
                    let mut file = BufWriter::new(file);
                    for place in places.values() {
                        let mut line = vec![0; (place.end - place.start) as usize];
                        old.seek(SeekFrom::Start(place.start))?;
                        old.read_exact(&mut line)?;
                        file.write_all(&text(&line)?)?;
                    }
                    file.flush()
                })
            })
        };
        rewrite(TEXT, &|line| Ok(serde_json::from_slice::<GameRecord>(line)?.text().into_bytes()))?;
        rewrite(GAMES, &|line| Ok([line, b"\n"].concat()))
    }
}

/// The description of the match in a folder.
///
/// # Errors
///
/// If there is none, or its description is damaged.
pub fn configuration(folder: &Path) -> Result<Value, StoreError> {
    let path = folder.join(CONFIGURATION);
    let text = at(&path, |path| fs::read(path))?;
    parse(&path, 1, &text)
}

/// The finished games of a folder, in any order; a match that writes there is not disturbed.
///
/// # Errors
///
/// If the file cannot be read; an item is an error if its line is damaged.
pub fn games(folder: &Path) -> Result<impl Iterator<Item = Result<GameRecord, StoreError>> + use<>, StoreError> {
    Ok(lines(folder)?.map(|found| found.map(|(_, record)| record)))
}

/// The finished games of a file that is open already; none without a file. `path` names it in errors.
pub fn games_of(path: &Path, file: Option<impl Read>) -> impl Iterator<Item = Result<GameRecord, StoreError>> {
    lines_of(path.to_owned(), file).map(|found| found.map(|(_, record)| record))
}

type Place = Range<u64>;

/// The finished games of a folder, each with its place in the file.
fn lines(folder: &Path) -> Result<impl Iterator<Item = Result<(Place, GameRecord), StoreError>> + use<>, StoreError> {
    let path = folder.join(GAMES);
    let file = match File::open(&path) {
        Ok(file) => Some(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(StoreError::Io { path, error }),
    };
    Ok(lines_of(path, file))
}

fn lines_of<R: Read>(
    path: PathBuf,
    file: Option<R>,
) -> impl Iterator<Item = Result<(Place, GameRecord), StoreError>> + use<R> {
    let mut file = file.map(BufReader::new);
    let (mut number, mut start) = (0, 0);
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        let length = match file.as_mut()?.read_until(b'\n', &mut line) {
            Ok(length) => length as u64,
            Err(error) => {
                file = None;
                return Some(Err(StoreError::Io { path: path.clone(), error }));
            }
        };
        number += 1;
        let whole = line.pop_if(|&mut byte| byte == b'\n').is_some();
        let place = start..start + line.len() as u64;
        start += length;
        match parse(&path, number, &line) {
            // Its writer was killed, or is not done.
            Err(_) if !whole => None,
            found => Some(found.map(|record| (place, record))),
        }
    })
}

/// Locks a folder, which exists, until the file is closed. `None` where the file system knows no locks.
///
/// # Errors
///
/// If another process holds it, or the system refuses.
pub fn lock(folder: &Path) -> Result<Option<File>, StoreError> {
    locked(folder, File::try_lock)
}

/// Locks a folder, which exists, together with others that do the same.
///
/// # Errors
///
/// If another process holds it for itself, or the system refuses.
pub fn share(folder: &Path) -> Result<Option<File>, StoreError> {
    locked(folder, File::try_lock_shared)
}

fn locked(folder: &Path, lock: fn(&File) -> Result<(), TryLockError>) -> Result<Option<File>, StoreError> {
    at(&folder.join(LOCK), |path| {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match lock(&file) {
            Ok(()) => {
                file.set_len(0)?;
                write!(file, "process {} on {}, since {}", std::process::id(), host(), utc(SystemTime::now()))?;
                Ok(Ok(Some(file)))
            }
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Not every system allows reading a locked file.
                let _ = file.read_to_string(&mut holder);
                if holder.is_empty() {
                    "its process cannot be told".clone_into(&mut holder);
                }
                Ok(Err(StoreError::Locked { path: folder.to_owned(), holder }))
            }
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(Ok(None)),
            Err(TryLockError::Error(error)) => Err(error),
        }
    })?
}

fn host() -> String {
    #[cfg(unix)]
    return rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "this machine".to_owned())
}

/// `2026-10-03 12:34:56 UTC`.
#[must_use]
pub fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    // Howard Hinnant's `civil_from_days`: years begin in March, eras of 400 years in the year 0.
    let days = seconds / 86_400 + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC")
}

/// Appends all of `text`, or nothing if that fails.
fn append(path: &Path, text: &[u8]) -> io::Result<()> {
    // Not opened for appending alone: on Windows such a file may not be shortened.
    let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    let length = file.seek(SeekFrom::End(0))?;
    let written = file.write_all(text).and_then(|()| file.sync_data());
    if written.is_err() {
        let _ = file.set_len(length);
    }
    written
}

fn at<T>(path: &Path, act: impl FnOnce(&Path) -> io::Result<T>) -> Result<T, StoreError> {
    act(path).map_err(|error| StoreError::Io { path: path.to_owned(), error })
}

fn parse<T: serde::de::DeserializeOwned>(path: &Path, line: usize, text: &[u8]) -> Result<T, StoreError> {
    let damaged =
        |error: serde_json::Error| StoreError::Damaged { path: path.to_owned(), line, error: error.to_string() };
    serde_json::from_slice(text).map_err(damaged)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn times_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01 00:00:00 UTC"),
            (951_827_696, "2000-02-29 12:34:56 UTC"),
            (1_798_761_599, "2026-12-31 23:59:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00:00 UTC"),
        ] {
            assert_eq!(utc(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }
}
