//! The folder of a run: its settings, its lock, what is there, and what is damaged.

use super::error::LearnError;
use super::files::{self, File, Task, TaskLine, World, gate_pairs};
use super::gate::{Decision, Pair, Shard, decide};
use super::results::CalibrationShard;
use super::settings::{self, Settings, Start};
use crate::calibration::Game;
use crate::folder::{FolderError, RunFolder, Sharing, json};
use crate::training::record::{self, FileError};
use hippolyta::container::{ContainerError, Seal, sealed_object, unsealed_object};
use hippolyta::eval::Weights;
use hippolyta::eval::weights::WeightsError;
use hippolyta::files::{beside, make_folder, read_file, write_whole};
use serde::Serialize;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest file that is read whole.
const LARGEST: u64 = 1 << 30;

/// A run of learning in its folder.
pub struct Learning {
    folder: RunFolder,
    pub(super) settings: Settings,
}

/// The weights with this name: `built-in`, `bootstrap` or the path of a file.
///
/// # Errors
///
/// If the file cannot be read, or holds no weights.
pub fn weights_named(name: &str) -> Result<Arc<Weights>, LearnError> {
    match name {
        "built-in" => Ok(Weights::embedded()),
        "bootstrap" => Ok(Arc::new(Weights::bootstrap())),
        path => Weights::load(Path::new(path)).map_err(|error| LearnError::Unfit(format!("{path}: {error}"))),
    }
}

impl Start {
    /// The weights with this name: see [`weights_named`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn named(name: &str) -> Result<Self, LearnError> {
        let crc32 = crc32fast::hash(&weights_named(name)?.tables().to_bytes());
        Ok(Self { name: name.to_owned(), crc32 })
    }
}

impl Learning {
    /// Begins a run in `folder`, which is made, or opens the run with the same settings that is there; more generations
    /// than it had are added.
    ///
    /// # Errors
    ///
    /// If the settings make no sense; if the folder holds another run or other files; if another process works there
    /// and does not share; if the system refuses.
    pub fn begin(folder: &Path, settings: Settings, sharing: Sharing) -> Result<Self, LearnError> {
        let (board, name) = (settings.check()?, &settings.start.name);
        let fits = weights_named(name)?.check(board.variant(), board.size());
        fits.map_err(|why| LearnError::Unfit(format!("--start: {name}: {why}")))?;
        let claimed = RunFolder::claim(folder, &settings::KIND, sharing, |known: Option<Settings>| {
            if let Some(known) = &known {
                same(folder, known, &settings)?;
            }
            Ok::<_, LearnError>((known.as_ref() != Some(&settings)).then(|| json(&settings)))
        })?;
        Self { folder: claimed, settings }.with_start()
    }

    /// Opens the run that is in `folder`.
    ///
    /// # Errors
    ///
    /// If there is none, or one of another version of this program; if another process works there and does not share;
    /// if the system refuses.
    pub fn open(folder: &Path, sharing: Sharing) -> Result<Self, LearnError> {
        let settings = Settings::load(folder)?;
        let entered = RunFolder::enter(folder, sharing)?;
        same(folder, &settings, &Settings { program: settings::program(), ..settings.clone() })?;
        Self { folder: entered, settings }.with_start()
    }

    fn with_start(self) -> Result<Self, LearnError> {
        self.restore_start()?;
        Ok(self)
    }

    /// Writes the first weights if they are not there.
    pub(super) fn restore_start(&self) -> Result<(), LearnError> {
        let path = self.path(File::Start(1));
        if !path.exists() {
            let Start { name, crc32 } = &self.settings.start;
            let bytes = weights_named(name)?.tables().to_bytes();
            if crc32fast::hash(&bytes) != *crc32 {
                let text = format!("the weights of --start {name} are not those that the run began with");
                return Err(LearnError::Unfit(text));
            }
            self.write(&path, &bytes)?;
        }
        Ok(())
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(super) fn path(&self, file: File) -> PathBuf {
        self.folder.file(&file.path())
    }

    /// An error if somebody has removed the run meanwhile: a folder of remains would be nobody's.
    fn is_there(&self) -> Result<(), LearnError> {
        let path = self.folder.file(settings::KIND.settings);
        let gone = || LearnError::Unfit(format!("{} was removed while the run went on", path.display()));
        if path.exists() { Ok(()) } else { Err(gone()) }
    }

    /// Makes the folder of a file.
    pub(super) fn make_room(&self, path: &Path) -> Result<(), LearnError> {
        self.is_there()?;
        let parent = path.parent().unwrap_or(self.folder());
        make_folder(parent).map_err(LearnError::at(parent))
    }

    /// Writes a file, whole or not at all.
    pub(super) fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), LearnError> {
        self.make_room(path)?;
        write_whole(path, bytes).map_err(LearnError::at(path))
    }

    /// Writes an object as JSON with a checksum.
    pub(super) fn write_object(&self, file: File, object: &impl Serialize) -> Result<(), LearnError> {
        self.write(&self.path(file), sealed_object(object).as_bytes())
    }

    /// Reads weights. Damaged ones are removed.
    pub(super) fn weights(&self, file: File) -> Result<Arc<Weights>, LearnError> {
        let path = self.path(file);
        Weights::load(&path).map_err(|error| match error {
            WeightsError::File(ContainerError::Io(error)) => LearnError::at(&path)(error),
            error => remove(&path, error.to_string()),
        })
    }

    /// Reads JSON. A damaged file is removed.
    pub(super) fn read<T: serde::de::DeserializeOwned>(&self, file: File) -> Result<T, LearnError> {
        let path = self.path(file);
        let bytes = read_file(&path, LARGEST).map_err(LearnError::at(&path))?;
        unsealed_object(&bytes).map_err(|what| remove(&path, what))
    }

    /// The verdict of a gate, and how many of its shards it took; `None` if there are too few.
    pub(super) fn verdict(&self, generation: u64) -> Result<Option<(Decision, u64)>, LearnError> {
        let mut pairs: Vec<Pair> = Vec::new();
        for shard in 0..self.settings.gate_shards() {
            let file = File::Gate(generation, shard);
            if !self.has(file) {
                return Ok(None);
            }
            let found: Shard = self.read(file)?;
            let numbers = gate_pairs(shard, &self.settings);
            if found.first != numbers.start || found.pairs.len() as u64 != numbers.end - numbers.start {
                return Err(remove(&self.path(file), "other games than those of this shard".to_owned()));
            }
            pairs.extend(found.pairs);
            if let Some(decision) = decide(&pairs, self.settings.gate_games, &self.settings.sprt) {
                return Ok(Some((decision, shard + 1)));
            }
        }
        Ok(None)
    }

    /// The games of a shard of those that percentages are fitted to.
    pub(super) fn calibrating(&self, file: File) -> Result<Vec<Game>, LearnError> {
        let CalibrationShard { first, games } = self.read(file)?;
        let numbers = match file {
            File::Calibration(_, shard) => self.settings.calibration_games_of(shard),
            _ => 0..0,
        };
        let is_whole = games.is_empty() || games.iter().map(|game| game.number).eq(numbers.clone());
        if first != numbers.start || !is_whole {
            return Err(remove(&self.path(file), "other games than those of this shard".to_owned()));
        }
        Ok(games)
    }

    /// The tasks that can be done now: somebody needs what they write, and what they read is there. None if the run is
    /// finished. Damaged games of a gate are removed, and `remark` is told of it.
    ///
    /// # Errors
    ///
    /// If the system refuses, or the run was removed.
    pub fn ready(&self, remark: &dyn Fn(&LearnError)) -> Result<Vec<Task>, LearnError> {
        self.is_there()?;
        loop {
            match files::ready(&self.settings, self) {
                Err(error @ LearnError::Removed { .. }) => remark(&error),
                other => return other,
            }
        }
    }

    /// A task as a line for others.
    ///
    /// # Errors
    ///
    /// If the system refuses.
    pub fn line(&self, task: Task) -> Result<TaskLine, LearnError> {
        let settings = &self.settings;
        let deciding = match task {
            Task::Judge(g) | Task::Calibrate(g, _) => self.deciding(g)?,
            _ => None,
        };
        let inputs = task.inputs(settings, deciding.unwrap_or(settings.gate_shards()));
        let paths = |files: Vec<File>| files.into_iter().map(File::path).collect();
        Ok(TaskLine {
            task: task.to_string(),
            kind: task.kind(),
            generation: task.generation(),
            inputs: paths(inputs),
            outputs: paths(task.outputs(settings)),
            units: task.units(settings),
        })
    }

    /// Removes what nobody needs any more, and what processes that were killed left beside finished files of
    /// `generations`.
    pub(super) fn tidy(&self, generations: RangeInclusive<u64>) -> Result<(), LearnError> {
        for g in generations {
            let shards = (0..self.settings.shards()).map(|i| File::Shard(g, i));
            let shards = shards.filter(|_| self.has_any(File::Shard(g, 0)));
            let merged = self.has(File::Games(g)) && self.has(File::Summary(g));
            let fitted = Some(File::Candidate(g)).filter(|&file| self.has(file) && self.has(File::Losses(g)));
            for file in shards.filter(|&file| merged || self.has(file)).chain(fitted) {
                let _ = fs::remove_file(partial(&self.path(file)));
            }
        }
        for file in files::useless(&self.settings, self)? {
            let path = self.path(file);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(LearnError::at(&path)(error));
                }
                _ => {}
            }
            // A folder that is empty now goes as well.
            if let (File::Shard(..) | File::Gate(..) | File::Calibration(..), Some(parent)) = (file, path.parent()) {
                let _ = fs::remove_dir(parent);
            }
        }
        Ok(())
    }

    /// Removes a damaged file, and says what was wrong with it; `None` if it is good, or not there.
    pub(super) fn check(&self, file: File) -> Result<Option<LearnError>, LearnError> {
        let path = self.path(file);
        if !path.exists() {
            return Ok(None);
        }
        let checked = match file {
            File::Start(_) | File::Candidate(_) | File::LastWeights => self.weights(file).map(drop),
            File::Shard(..) | File::Games(_) => check_games(&path),
            File::Summary(_) | File::Losses(_) | File::Result(_) | File::Gate(..) | File::Calibration(..) => {
                self.read::<serde_json::Value>(file).map(drop)
            }
            File::Page(_) | File::LastPage => {
                match Seal::PAGE.take(&read_file(&path, LARGEST).map_err(LearnError::at(&path))?) {
                    Some(_) => Ok(()),
                    None => Err(remove(&path, "damaged: wrong checksum".to_owned())),
                }
            }
        };
        match checked {
            Ok(()) => Ok(None),
            Err(error @ LearnError::Removed { .. }) => Ok(Some(error)),
            Err(error) => Err(error),
        }
    }
}

impl World for Learning {
    fn has(&self, file: File) -> bool {
        self.path(file).exists()
    }

    fn has_any(&self, of: File) -> bool {
        self.path(of).parent().is_some_and(Path::exists)
    }

    fn deciding(&self, generation: u64) -> Result<Option<u64>, LearnError> {
        Ok(self.verdict(generation)?.map(|(_, shards)| shards))
    }
}

/// An error if the run in a folder was begun with other settings than `wanted`.
fn same(folder: &Path, known: &Settings, wanted: &Settings) -> Result<(), FolderError> {
    let differences = known.differences(wanted);
    if differences.is_empty() { Ok(()) } else { Err(FolderError::Different { path: folder.to_owned(), differences }) }
}

/// Removes a damaged file.
pub(super) fn remove(path: &Path, what: String) -> LearnError {
    match fs::remove_file(path) {
        Ok(()) => LearnError::Removed { path: path.to_owned(), what },
        Err(error) => LearnError::at(path)(error),
    }
}

/// Removes the file that an error is about, if it is damaged.
pub(super) fn remove_if_damaged(error: FileError) -> Result<LearnError, FileError> {
    match error.error {
        ContainerError::Io(_) => Err(error),
        damage => Ok(remove(&error.path, damage.to_string())),
    }
}

fn check_games(path: &Path) -> Result<(), LearnError> {
    let read = || -> Result<(), FileError> {
        let mut reader = record::open(path)?;
        while reader.next().map_err(FileError::at(path))?.is_some() {}
        Ok(())
    };
    read().map_err(|error| match remove_if_damaged(error) {
        Ok(removed) => removed,
        Err(FileError { path, error }) => FolderError::damaged(&path, error.to_string()).into(),
    })
}

/// The path of the file in which self-play or a fit keeps its progress.
pub(super) fn partial(output: &Path) -> PathBuf {
    beside(output, ".partial")
}

#[cfg(test)]
mod tests {
    use super::super::settings::tests::quick;
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn of_runs_that_begin_at_once_one_saves_its_options_and_the_others_are_told() {
        let start = Start::named("bootstrap").unwrap();
        for round in 0..12 {
            let folder = std::env::temp_dir().join(format!("hippolyta-begin-{}-{round}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            let sharing = [Sharing::Watching, Sharing::Together][round % 2];
            let all = Barrier::new(6);
            let begin = |seed| {
                let settings = Settings { seed, start: start.clone(), ..quick() };
                all.wait();
                (seed, Learning::begin(&folder, settings, sharing))
            };
            let begun: Vec<_> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..6)
                    .map(|seed| {
                        let begin = &begin;
                        scope.spawn(move || begin(seed))
                    })
                    .collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            let saved = Settings::load(&folder).unwrap().seed;
            for (seed, begun) in begun {
                match begun {
                    Ok(learning) => assert_eq!((seed, learning.settings().seed), (saved, saved)),
                    Err(LearnError::Folder(FolderError::Different { differences, .. })) => {
                        assert_eq!(differences, [format!("--seed {saved} → {seed}")]);
                    }
                    Err(error) => panic!("{error}"),
                }
            }
            fs::remove_dir_all(&folder).unwrap();
        }
    }
}
