//! Games of the engine against itself.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `options` | the options |
//! | `error` | why a run ends early |
//! | `run` | which games a run or a shard has, and how its files name it |
//! | `opening`, `sampling` | random openings, and turns drawn by visits |
//! | `player` | one game |
//! | `partial` | the file of a run that is not finished |
//!
//! This module plays the games of a run on all threads, and resumes a run.

mod error;
mod opening;
mod options;
mod partial;
mod player;
mod run;
mod sampling;

pub use error::RunError;
pub use options::Options;
pub use run::Run;

use crate::play::PlayError;
use crate::training::record::{self, FileError, GameData, Header};
use hippolyta::engine::{Board, Control, SettingsError, Simul};
use partial::{Partial, compare};
use player::Player;
use std::cell::RefCell;
use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

impl Run {
    /// Plays the games of the shard in the current rayon pool, or as many [at once](Self::at_once) as is said, and
    /// writes them to `path`. Calls `report` with each game.
    ///
    /// While the run goes on, the games are kept in a file beside `path` (`.partial`). With `resume` a run that was
    /// killed, or stopped by `control`, goes on from there, and a finished file is checked. With `force` that is written
    /// over, as is without `resume` the file of an unfinished run.
    ///
    /// # Errors
    ///
    /// If there is a file already, or one of another run, or a damaged one; if a file cannot be written; if there is
    /// no memory for a search; if games cannot begin at the start position; if the run was stopped.
    pub fn write(
        &self,
        path: &Path,
        resume: bool,
        force: bool,
        control: &Control,
        report: &(dyn Fn(&GameData) + Sync),
    ) -> Result<(), RunError> {
        let no_evaluator = || PlayError::from(SettingsError::Evaluator(self.variant.name().to_owned()));
        let start = self.start()?;
        let header = self.header(&self.model.identity(&self.variant).ok_or_else(no_evaluator)?);
        if path.exists() && !force {
            if !resume {
                return Err(RunError::Exists(path.to_owned()));
            }
            self.check(path, &header)?;
            Partial::remove_leftover(path, &header);
            return Ok(());
        }
        let mut partial = Partial::open(path, &header, resume, force)?;
        let written = self.play_missing(&mut partial, &start, control, report).and_then(|()| {
            let games = partial.games()?;
            self.all_there(&partial.path, games.iter().map(|game| game.number))?;
            partial.finish(path, &header, games, force)
        });
        written.map_err(|error| match partial.path.exists() {
            false => error,
            true => RunError::Kept {
                error: Box::new(error),
                path: partial.path,
                done: partial.done.len() as u64,
                of: self.numbers().count() as u64,
            },
        })
    }

    /// Refuses a finished file that is damaged, of another run than `header` describes, or lacks games.
    fn check(&self, path: &Path, header: &Header) -> Result<(), RunError> {
        let mut reader = record::open(path)?;
        compare(path, &reader, header)?;
        let mut found = Vec::new();
        while let Some(game) = reader.next().map_err(FileError::at(path))? {
            found.push(game.number);
        }
        self.all_there(path, found)
    }

    /// Refuses a file whose games, by their numbers, are not all of the shard.
    fn all_there(&self, path: &Path, found: impl IntoIterator<Item = u64>) -> Result<(), RunError> {
        let found: HashSet<_> = found.into_iter().collect();
        let mut missing = self.numbers().filter(|number| !found.contains(number));
        let Some(first) = missing.next() else { return Ok(()) };
        let (count, of) = (1 + missing.count() as u64, self.numbers().count() as u64);
        let path = path.display();
        Err(RunError::Unfit(format!("{path}: {count} of {of} games are missing, the first is game {first}")))
    }

    /// Plays the games that `partial` lacks, and adds them in the order in which they end.
    fn play_missing(
        &self,
        partial: &mut Partial,
        start: &Board,
        control: &Control,
        report: &(dyn Fn(&GameData) + Sync),
    ) -> Result<(), RunError> {
        let missing: Vec<_> = self.numbers().filter(|number| !partial.done.contains(number)).collect();
        let (next, first, partial) = (AtomicUsize::new(0), Mutex::new(None), Mutex::new(partial));
        let first_error = || first.lock().unwrap_or_else(PoisonError::into_inner);
        let threads = rayon::current_num_threads();
        let at_once = self.at_once.unwrap_or(threads).clamp(1, missing.len().max(1));
        // The games of a thread, which share their batches.
        let part = |index: usize| {
            let simul = Simul::new(&self.model);
            // Players are used again: each has memory of its own.
            let idle = RefCell::new(Vec::new());
            let play = async |number| {
                let player = idle.borrow_mut().pop();
                let mut player = player.map_or_else(|| Player::new(self, simul.model(), start), Ok)?;
                let game = player.play(number, control).await?.ok_or(RunError::Interrupted)?;
                partial.lock().unwrap_or_else(PoisonError::into_inner).add(&game)?;
                report(&game);
                idle.borrow_mut().push(player);
                Ok(())
            };
            simul.run((at_once + index) / threads, &mut || {
                let number = missing.get(next.fetch_add(1, Relaxed)).filter(|_| first_error().is_none())?;
                let game = play(*number);
                Some(async {
                    if let Err(error) = game.await {
                        first_error().get_or_insert(error);
                    }
                })
            });
        };
        rayon::scope(|scope| {
            (threads.saturating_sub(at_once)..threads).for_each(|index| scope.spawn(move |_| part(index)))
        });
        first.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::run::tests::quick;
    use super::*;
    use hippolyta::engine::{Evaluators, Model};
    use hippolyta::eval::{Evaluation, Evaluator, Leaf, Term, Value};
    use hippolyta::games::MoveFireStep;
    use hippolyta::games::amazons::Amazons;
    use hippolyta::games::variant::Variant;
    use std::fs;
    use std::path::PathBuf;
    use std::sync::Arc;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("hippolyta-selfplay-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// Writes the run and stops it once this number of games was played. Returns the number of games played.
    fn write(run: &Run, path: &Path, resume: bool, games: usize) -> (Result<(), RunError>, usize) {
        written(run, path, [resume, false], games)
    }

    /// With `resume` and `force`.
    fn written(run: &Run, path: &Path, [resume, force]: [bool; 2], games: usize) -> (Result<(), RunError>, usize) {
        let (control, played) = (Control::default(), AtomicUsize::new(0));
        let written = run.write(path, resume, force, &control, &|_| {
            if played.fetch_add(1, Relaxed) + 1 == games {
                control.stop();
            }
        });
        (written, played.into_inner())
    }

    #[test]
    fn a_resumed_run_writes_the_same_bytes() {
        for name in ["amazons6", "iago", "damone"] {
            let (run, folder) = (quick(name, 6), Folder::new(name));
            let [whole, cut] = ["whole.dat", "cut.dat"].map(|name| folder.path(name));
            write(&run, &whole, false, usize::MAX).0.unwrap();
            let (stopped, played) = write(&run, &cut, false, 2);
            let Err(RunError::Kept { error, path, done, of: 6 }) = stopped else { panic!("{stopped:?}") };
            assert!(matches!(*error, RunError::Interrupted) && done == played as u64, "{error}");
            assert!(path == folder.path("cut.dat.partial") && path.exists() && !cut.exists());
            let (resumed, rest) = write(&run, &cut, true, usize::MAX);
            resumed.unwrap();
            assert!((2..6).contains(&played) && played + rest == 6, "{played} {rest}");
            assert!(fs::read(&cut).unwrap() == fs::read(&whole).unwrap() && !path.exists(), "{name}");
            // A finished run is checked, and nothing is played.
            assert!(matches!(write(&run, &cut, true, usize::MAX), (Ok(()), 0)));
        }
    }

    #[test]
    fn files_of_other_runs_and_files_without_resume_are_refused() {
        let folder = Folder::new("refused");
        let (run, path) = (quick("amazons6", 4), folder.path("a.dat"));
        assert!(write(&run, &path, false, 1).0.is_err());
        let other = Run { seed: 8, ..quick("amazons6", 4) };
        let differs = |run: &Run, what: &str| {
            let refused = write(run, &path, true, usize::MAX).0;
            matches!(refused, Err(RunError::Different { field, .. }) if field == what)
        };
        assert!(differs(&other, "seed"));
        let shard = Run { shard: [0, 2], ..quick("amazons6", 4) };
        assert!(differs(&shard, "shard"));
        assert!(matches!(write(&run, &path, false, usize::MAX).0, Err(RunError::Exists(_))));
        write(&run, &path, true, usize::MAX).0.unwrap();
        assert!(matches!(write(&run, &path, false, usize::MAX).0, Err(RunError::Exists(_))));
        assert!(differs(&other, "seed"));
        // By force another run takes its place once that is whole, and goes on itself after an interruption.
        let before = fs::read(&path).unwrap();
        assert!(written(&other, &path, [false, true], 1).0.is_err());
        assert!(written(&other, &path, [false, true], 1).0.is_err() && fs::read(&path).unwrap() == before);
        let (done, rest) = written(&other, &path, [true, true], usize::MAX);
        done.unwrap();
        assert!(rest < 4 && fs::read(&path).unwrap() != before, "{rest}");
        assert!(matches!(write(&other, &path, true, usize::MAX), (Ok(()), 0)));
    }

    /// A net of no weights that knows how large its batches were.
    #[derive(Clone, Debug, Default)]
    struct Even(Arc<Mutex<Vec<usize>>>);

    impl Evaluator<Amazons> for Even {
        fn evaluate(&self, _: &Amazons) -> Evaluation {
            Evaluation::Estimate(Value { white: 0.5, draw: 0.0 })
        }
        fn policy(&self, _: &Amazons, _: &[MoveFireStep], logits: &mut [f32]) {
            logits.fill(0.0);
        }
        fn explain(&self, position: &Amazons) -> (Value, Vec<Term>) {
            (self.evaluate(position).value(), Vec::new())
        }
        fn identity(&self) -> Vec<u8> {
            b"even".to_vec()
        }
        fn batch(&self) -> Option<usize> {
            Some(1)
        }
        fn evaluate_batch(&self, leaves: &mut Vec<Leaf<Amazons>>) -> bool {
            self.0.lock().unwrap().push(leaves.len());
            true
        }
    }

    impl Evaluators for Even {
        fn amazons(&self, _: &Variant) -> Option<Box<dyn Evaluator<Amazons>>> {
            Some(Box::new(self.clone()))
        }
    }

    #[test]
    fn games_at_once_fill_batches_and_their_bytes_depend_on_no_thread() {
        let (folder, even) = (Folder::new("at-once"), Even::default());
        let bytes = |at_once, threads| {
            let run = Run { at_once, model: Model::own(even.clone()), ..quick("amazons6", 12) };
            let path = folder.path("games.dat");
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| write(&run, &path, false, usize::MAX)).0.unwrap();
            let bytes = fs::read(&path).unwrap();
            fs::remove_file(&path).unwrap();
            (bytes, std::mem::take(&mut *even.0.lock().unwrap()))
        };
        let (one_by_one, sizes) = bytes(None, 1);
        assert!(sizes.iter().all(|&size| size == 1));
        for (at_once, threads, largest) in [(12, 1, 12), (12, 3, 4), (7, 2, 4), (2, 3, 1)] {
            let (together, sizes) = bytes(Some(at_once), threads);
            assert!(together == one_by_one, "{at_once} {threads}");
            let early = &sizes[..sizes.len() / 3];
            let mean = early.iter().sum::<usize>() as f64 / early.len() as f64;
            assert!(sizes.iter().max() == Some(&largest) && mean > 0.7 * largest as f64, "{at_once} {threads}: {mean}");
        }
    }
}
