//! The file of a run that is not finished.

use super::error::RunError;
use crate::training::record::{self, FileError, GameData, Header, Reader};
use hippolyta::container::ContainerError;
use hippolyta::files::{Appended, beside};
use std::collections::HashSet;
use std::fs::{self, TryLockError};
use std::io::{self, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

/// Games in the order in which they were finished. The file is locked, so that two runs never write it at once.
pub(super) struct Partial {
    pub path: PathBuf,
    file: Appended,
    /// The numbers of the games.
    pub done: HashSet<u64>,
}

impl Partial {
    /// Opens the file beside `whole`, or begins it. With `resume` the games that it holds are kept, else `force` lets them
    /// go.
    pub fn open(whole: &Path, header: &Header, resume: bool, force: bool) -> Result<Self, RunError> {
        let path = beside(whole, ".partial");
        if path.exists() && !resume && !force {
            return Err(RunError::Exists(path));
        }
        let file = at(&path, Appended::open)?;
        // Some file systems have no locks; then there is none.
        if let Err(TryLockError::WouldBlock) = file.file().try_lock() {
            return Err(RunError::Busy(path));
        }
        let mut partial = Self { path, file, done: HashSet::new() };
        if !resume {
            at(&partial.path, |_| partial.file.cut(0))?;
        }
        let good = partial.load(header)?;
        let Self { path, file, .. } = &mut partial;
        at(path, |_| file.cut(good))?;
        if good == 0 {
            let begun = at(path, |_| file.append(&record::start(header)?));
            if begun.is_err() {
                let _ = fs::remove_file(&*path);
            }
            begun?;
        }
        Ok(partial)
    }

    /// Finds the games of the file, up to the first one that is cut off. Returns the length of what is whole.
    fn load(&mut self, header: &Header) -> Result<u64, RunError> {
        let Self { path, file, done } = self;
        let mut file = file.file();
        let start = at(path, |_| record::start(header))?;
        let mut begun = Vec::new();
        at(path, |_| {
            file.take(start.len() as u64).read_to_end(&mut begun)?;
            file.rewind()
        })?;
        if begun.len() < start.len() && start.starts_with(&begun) {
            // The file is new, or the run was killed before the header was complete.
            return Ok(0);
        }
        let mut reader = Reader::new(BufReader::new(file)).map_err(FileError::at(path))?;
        compare(path, &reader, header)?;
        loop {
            match reader.next() {
                Ok(Some(game)) => done.insert(game.number),
                Ok(None) | Err(ContainerError::Unfinished { .. } | ContainerError::CutOff { .. }) => break,
                Err(error) => return Err(RunError::Damaged { error: FileError::at(path)(error) }),
            };
        }
        Ok(reader.position())
    }

    /// Appends a game.
    pub fn add(&mut self, game: &GameData) -> Result<(), RunError> {
        let Self { path, file, done } = self;
        at(path, |_| file.append_unsynced(&record::frame(game)?))?;
        done.insert(game.number);
        Ok(())
    }

    /// All games of the file.
    pub fn games(&self) -> Result<Vec<GameData>, FileError> {
        let (path, mut file) = (&self.path, self.file.file());
        at(path, |_| file.rewind())?;
        let mut reader = Reader::new(BufReader::new(file)).map_err(FileError::at(path))?;
        let mut games = Vec::new();
        loop {
            match reader.next() {
                Ok(Some(game)) => games.push(game),
                Ok(None) | Err(ContainerError::Unfinished { .. }) => return Ok(games),
                Err(error) => return Err(FileError::at(path)(error)),
            }
        }
    }

    /// Writes the games to the finished file, in order, and removes this one.
    pub fn finish(&self, whole: &Path, header: &Header, games: Vec<GameData>, force: bool) -> Result<(), RunError> {
        if whole.exists() && !force {
            return Err(RunError::Exists(whole.to_owned()));
        }
        record::write(whole, header, games)?;
        Ok(at(&self.path, |path| fs::remove_file(path))?)
    }

    /// Removes the file if this run was killed after it had written the finished one.
    pub fn remove_leftover(whole: &Path, header: &Header) {
        if beside(whole, ".partial").exists()
            && let Ok(leftover) = Self::open(whole, header, true, false)
        {
            let _ = fs::remove_file(&leftover.path);
        }
    }
}

/// Refuses a file of another run than `new` describes.
pub(super) fn compare<R: Read>(path: &Path, reader: &Reader<R>, new: &Header) -> Result<(), RunError> {
    let shard = (reader.header().shard != new.shard).then(|| "shard".to_owned());
    match reader.header().difference(new).or(shard) {
        Some(field) => Err(RunError::Different { path: path.to_owned(), field }),
        None => Ok(()),
    }
}

fn at<T>(path: &Path, act: impl FnOnce(&Path) -> io::Result<T>) -> Result<T, FileError> {
    act(path).map_err(FileError::at(path))
}
