//! The folder of a long run: a match, a loop of learning, a proof. It outlives the process, and one run alone has it.
//!
//! A file of settings says how the run was begun. Whoever goes on with it must want the same, and holds a lock
//! meanwhile: the system's, so it ends with the process, however that ends.

use hippolyta::files::{make_folder, read_file, write_whole};
use hippolyta::json::read;
use jiff::{Timestamp, Zoned};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Locked as long as somebody works in the folder; names that process.
const LOCK: &str = "lock";
/// Locked while settings are compared and saved.
const SETTLING: &str = "settings.lock";
/// The lock may be held for a moment by somebody who only asks whether it is, or by a process that is being killed.
const MOMENT: Duration = Duration::from_secs(1);
/// The largest file of settings that is read.
const LARGEST: u64 = 1 << 26;

/// Why a run cannot have its folder, or not use it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FolderError {
    /// The system refuses.
    #[error("{path}: {error}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is not what it should be.
    #[error("{path}: {what}")]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// The fault, in words.
        what: String,
    },
    /// There is no run in the folder.
    #[error("{path} holds no run: to begin one, say {begun_by}")]
    NoRun {
        /// The folder.
        path: PathBuf,
        /// The options that begin one.
        begun_by: &'static str,
    },
    /// A run is there already, and nobody asked to go on with it.
    #[error("{0} holds a run already; go on with it by --resume, or name another folder")]
    Exists(PathBuf),
    /// The folder holds other files.
    #[error("{0} is not empty and holds no run; name another folder")]
    Foreign(PathBuf),
    /// The folder holds another run.
    #[error(
        "{path} holds a run with other options: {}; to go on with it, repeat its own; else name another folder",
        differences.join("; ")
    )]
    Different {
        /// The folder.
        path: PathBuf,
        /// The differences, there → here.
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
}

impl FolderError {
    /// An error of the system at `path`.
    pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| Self::Io { path: path.to_owned(), error }
    }

    /// A file that is not what it should be.
    pub(crate) fn damaged(path: &Path, what: impl Into<String>) -> Self {
        Self::Damaged { path: path.to_owned(), what: what.into() }
    }
}

/// Who else may work in a folder meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Nobody: for the whole run.
    Alone,
    /// Others that do single tasks.
    Together,
    /// Everybody: nothing is written but the settings of a new run.
    Watching,
}

/// A kind of run.
pub(crate) struct Kind {
    /// The file that says how a run was begun.
    pub settings: &'static str,
    /// The options that begin one.
    pub begun_by: &'static str,
    /// Whether several processes may begin the same run at once, and watchers, who hold no lock, as well.
    pub shared: bool,
    /// A file that only a run leaves. Without settings it is nobody's; `None` if that is true of every file.
    pub trace: Option<&'static str>,
}

impl Kind {
    /// The settings of the run in a folder.
    pub fn settings<T: DeserializeOwned>(&self, folder: &Path) -> Result<T, FolderError> {
        let no_run = || FolderError::NoRun { path: folder.to_owned(), begun_by: self.begun_by };
        // Of a file in its place the system would say that it is no folder, and name none that anybody wrote.
        if folder.is_file() {
            return Err(no_run());
        }
        read_json(&folder.join(self.settings))?.ok_or_else(no_run)
    }
}

/// The folder of a run that this process works in.
#[derive(Debug)]
pub(crate) struct RunFolder {
    path: PathBuf,
    /// None for watchers, and where the file system knows no locks.
    lock: Option<File>,
}

impl RunFolder {
    /// Makes the folder if it is missing, and goes on with the run that is there, or begins it. `agree` compares what
    /// is wanted with the settings that are there, and returns those to be saved, if any.
    pub fn claim<T: DeserializeOwned, E: From<FolderError>>(
        path: &Path,
        kind: &Kind,
        sharing: Sharing,
        agree: impl FnOnce(Option<T>) -> Result<Option<String>, E>,
    ) -> Result<Self, E> {
        make_folder(path).map_err(FolderError::at(path))?;
        let settings = path.join(kind.settings);
        if !settings.exists() && kind.is_foreign(path)? && !settings.exists() {
            return Err(FolderError::Foreign(path.to_owned()).into());
        }
        let folder = Self::enter(path, sharing)?;
        // The lock of the whole run is not enough: some share it, and some have none.
        let settling = if kind.shared { Some(settle(&path.join(SETTLING))?) } else { None };
        if let Some(text) = agree(read_json(&settings)?)? {
            write_whole(&settings, text.as_bytes()).map_err(FolderError::at(&settings))?;
        }
        drop(settling);
        Ok(folder)
    }

    /// Works in a folder that exists.
    pub fn enter(path: &Path, sharing: Sharing) -> Result<Self, FolderError> {
        let lock = match sharing {
            Sharing::Alone => lock(path, File::try_lock)?,
            Sharing::Together => lock(path, File::try_lock_shared)?,
            Sharing::Watching => None,
        };
        Ok(Self { path: path.to_owned(), lock })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the system keeps others out.
    pub fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file of JSON.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), FolderError> {
        let path = self.file(name);
        write_whole(&path, json(value).as_bytes()).map_err(FolderError::at(&path))
    }
}

impl Kind {
    /// Whether a folder without settings holds files of somebody else.
    fn is_foreign(&self, folder: &Path) -> Result<bool, FolderError> {
        if let Some(trace) = self.trace {
            return Ok(folder.join(trace).exists());
        }
        // A process that was killed at once, or is about to begin the same run, leaves no more than this.
        let ours = |name: &str| name == LOCK || name == SETTLING || name.ends_with(".hippolyta-tmp");
        let mut entries = fs::read_dir(folder).map_err(FolderError::at(folder))?.flatten();
        Ok(entries.any(|entry| !ours(&entry.file_name().to_string_lossy())))
    }
}

/// JSON for people.
pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default() + "\n"
}

/// The value that a file of JSON holds; `None` if there is no file.
pub(crate) fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, FolderError> {
    match read_file(path, LARGEST) {
        Ok(bytes) => read(&bytes).map(Some).map_err(|error| FolderError::damaged(path, error)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FolderError::at(path)(error)),
    }
}

/// Who works in a folder alone now; `None` if nobody does.
pub(crate) fn holder(folder: &Path) -> Result<Option<String>, FolderError> {
    let path = folder.join(LOCK);
    match File::open(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FolderError::at(&path)(error)),
        Ok(file) if file.try_lock_shared().is_ok() => Ok(None),
        Ok(file) => Ok(Some(name(file))),
    }
}

/// The name of the process that holds a lock, as the lock has it.
fn name(lock: File) -> String {
    let mut name = String::new();
    // Not every system allows reading a locked file.
    let _ = lock.take(LARGEST).read_to_string(&mut name);
    if name.is_empty() { "a process that cannot be told".to_owned() } else { name }
}

/// Locks a folder until the file is closed. `None` where the file system knows no locks.
fn lock(folder: &Path, lock: fn(&File) -> Result<(), TryLockError>) -> Result<Option<File>, FolderError> {
    let (path, began) = (folder.join(LOCK), Instant::now());
    let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
    let mut file = open.map_err(FolderError::at(&path))?;
    loop {
        match lock(&file) {
            Ok(()) => break,
            Err(TryLockError::WouldBlock) if began.elapsed() < MOMENT => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(FolderError::Locked { path: folder.to_owned(), holder: name(file) });
            }
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(FolderError::at(&path)(error)),
        }
    }
    let since = Timestamp::now().strftime("%Y-%m-%d %H:%M:%S UTC");
    let who = format!("process {} on {}, since {since}", std::process::id(), host());
    let named = file.set_len(0).and_then(|()| file.write_all(who.as_bytes()));
    named.map_err(FolderError::at(&path))?;
    Ok(Some(file))
}

/// Waits until nobody else compares or saves settings. Where there are no locks nobody waits.
fn settle(path: &Path) -> Result<File, FolderError> {
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(path).map_err(FolderError::at(path))?;
    match file.lock() {
        Err(error) if error.kind() != ErrorKind::Unsupported => Err(FolderError::at(path)(error)),
        _ => Ok(file),
    }
}

fn host() -> String {
    #[cfg(unix)]
    return rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    std::env::var("COMPUTERNAME").unwrap_or_else(|_| "this machine".to_owned())
}

/// Now, by the clock and the calendar of this place, in a form as of `strftime`.
pub fn local_time(form: &str) -> String {
    Zoned::now().strftime(form).to_string()
}

/// The day, as PGN writes it.
pub fn today() -> String {
    local_time("%Y.%m.%d")
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = Kind { settings: "run.json", begun_by: "--seed", shared: false, trace: None };

    fn claim(path: &Path, seed: u64) -> Result<RunFolder, FolderError> {
        RunFolder::claim(path, &KIND, Sharing::Alone, |known: Option<u64>| match known {
            Some(known) if known != seed => {
                let differences = vec![format!("--seed {known} → {seed}")];
                Err(FolderError::Different { path: path.to_owned(), differences })
            }
            _ => Ok(Some(json(&seed))),
        })
    }

    #[test]
    fn a_folder_is_of_one_run_and_of_one_process_at_a_time() {
        let path = std::env::temp_dir().join(format!("hippolyta-claim-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("diary"), "dear").unwrap();
        assert!(matches!(claim(&path, 1), Err(FolderError::Foreign(_))));
        fs::remove_file(path.join("diary")).unwrap();
        assert!(matches!(KIND.settings::<u64>(&path), Err(FolderError::NoRun { begun_by: "--seed", .. })));
        let first = claim(&path, 1).unwrap();
        assert_eq!(KIND.settings::<u64>(&path).unwrap(), 1);
        let us = format!("process {} on ", std::process::id());
        assert!(holder(&path).unwrap().unwrap().starts_with(&us));
        match claim(&path, 1) {
            Err(FolderError::Locked { holder, .. }) => assert!(holder.starts_with(&us)),
            other => panic!("{other:?}"),
        }
        drop(first);
        assert_eq!(holder(&path).unwrap(), None);
        let shown = path.display();
        assert_eq!(
            claim(&path, 2).unwrap_err().to_string(),
            format!(
                "{shown} holds a run with other options: --seed 1 → 2; to go on with it, repeat its own; else name \
                 another folder"
            )
        );
        let _one = RunFolder::enter(&path, Sharing::Together).unwrap();
        let _two = RunFolder::enter(&path, Sharing::Together).unwrap();
        assert!(matches!(claim(&path, 1), Err(FolderError::Locked { .. })));
        fs::remove_dir_all(&path).unwrap();
    }
}
