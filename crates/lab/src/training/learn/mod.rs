//! The loop of learning: self-play, fit, a match that decides, and the next generation.
//!
//! A run is a folder. Its work is divided into tasks; each is a pure function from files to files, and writes its files
//! whole or not at all. So a run goes on after any end, and many machines can share it: the bytes are the same whoever
//! does a task and whenever.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `error` | why a run ends early |
//! | `settings` | all that the results of a run depend on |
//! | `files` | the files of a run, and which task writes and reads each |
//! | `gate` | the match of new weights against those before |
//! | `results` | what tasks find out, as files |
//! | `report` | the page with the curves |
//! | `folder` | the folder: what is there, what is damaged |
//! | `steps` | what the tasks do |
//!
//! This module does all tasks of a run.

mod error;
mod files;
mod folder;
mod gate;
mod report;
mod results;
mod settings;
mod steps;

pub use crate::folder::Sharing;
pub use error::LearnError;
pub use files::{Task, TaskLine};
pub use folder::{Learning, weights_named};
pub use settings::{Keep, Settings, Start};
pub use steps::{Event, Listener};

use super::trainable::stages;
use files::{File, World};
use hippolyta::engine::Control;
use rayon::prelude::*;
use std::fs;

impl Learning {
    /// Does all tasks that are left, in the current rayon pool. Damaged files are found by their checksums, removed and
    /// made again. After each generation the report and the weights at the top of the folder are the newest ones.
    ///
    /// Blocks until the run is finished, which may take days.
    ///
    /// # Errors
    ///
    /// Those of [`run_task`](Self::run_task).
    pub fn run_all(&self, control: &Control, listener: Listener<'_>) -> Result<(), LearnError> {
        let remark = |error: &LearnError| listener(&Event::Remark(&error.to_string()));
        let checked = files::all(&self.settings).into_par_iter().map(|file| self.check(file)).collect::<Vec<_>>();
        for found in checked {
            found?.iter().for_each(remark);
        }
        self.restore_start()?;
        self.tidy(1..=self.settings.generations)?;
        loop {
            let tasks = self.ready(&remark)?;
            let Some(&first) = tasks.first() else { return Ok(()) };
            let alike = |task: &&Task| task.kind() == first.kind() && task.generation() == first.generation();
            let tasks: Vec<_> = tasks.iter().filter(alike).copied().collect();
            let units = match first {
                // The losses before the first epoch and after each, of each stage.
                Task::Fit(_) => stages(&self.settings.variant()?) * u64::from(self.settings.fit.epochs + 1),
                _ => tasks.iter().map(|task| task.units(&self.settings)).sum(),
            };
            listener(&Event::Begun(&tasks, units));
            match self.run_tasks(&tasks, control, listener) {
                Err(error @ LearnError::Removed { .. }) => {
                    remark(&error);
                    self.restore_start()?;
                }
                done => done?,
            }
            let newest = match first {
                Task::Judge(g) => Some((File::Start(g + 1), File::LastWeights)),
                Task::Report(g) => Some((File::Page(g), File::LastPage)),
                _ => None,
            };
            // Of an early generation that was judged anew nobody is to see it as the newest.
            let mut later = first.generation() + 1..=self.settings.generations;
            let is_last = !later.any(|g| self.has(File::Result(g)));
            if let Some((from, to)) = newest.filter(|(from, _)| is_last && self.has(*from)) {
                let from = self.path(from);
                self.write(&self.path(to), &fs::read(&from).map_err(LearnError::at(&from))?)?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::settings::tests::quick;
    use super::*;
    use hippolyta::eval::Weights;
    use hippolyta::files::faults::Fault;
    use std::collections::BTreeMap;
    use std::path::Path;
    use std::sync::Mutex;

    /// Begins a run of a single generation, or goes on with it. Gives the tasks that were done, and what was remarked.
    fn learn(folder: &Path) -> (Result<(), LearnError>, Vec<String>) {
        let mut settings = Settings { generations: 1, games: 16, nodes: 8, shard_size: 8, gate_games: 2, ..quick() };
        settings.fen = Some("1q1q1/q3q/5/Q3Q/1Q1Q1 w - - 0 1".to_owned());
        settings.start = Start::named("bootstrap").unwrap();
        (settings.gate_nodes, settings.gate_shard_size, settings.keep) = (5, 1, Keep::All);
        (settings.fit.epochs, settings.fit.validation, settings.fit.policy_every) = (1, 5, 1);
        settings.calibration_games = Some(1);
        let said = Mutex::new(Vec::new());
        let learned = Learning::begin(folder, settings, Sharing::Alone).and_then(|learning| {
            learning.run_all(&Control::default(), &|event| match event {
                Event::Done(task, _) => said.lock().unwrap().push(task.to_string()),
                Event::Remark(remark) => panic!("{remark}"),
                _ => {}
            })
        });
        (learned, said.into_inner().unwrap())
    }

    fn all(folder: &Path) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(folder).unwrap().flatten().filter(|entry| entry.file_name() != "lock");
        let read = |path: &Path| (path.display().to_string(), fs::read(path).unwrap());
        let below = |path: &Path| if path.is_dir() { all(path) } else { [read(path)].into() };
        entries.flat_map(|entry| below(&entry.path())).collect()
    }

    #[test]
    fn learning_goes_on_after_a_write_that_fails_and_does_no_task_twice() {
        let folder = std::env::temp_dir().join(format!("hippolyta-learn-faults-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        // In one thread the order of the steps is always that of the tasks.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let learn = || pool.install(|| learn(&folder));
        let (learned, tasks) = learn();
        learned.unwrap();
        assert_eq!(tasks.len(), 2 + 1 + 1 + 2 + 1 + 1 + 1, "{tasks:?}");
        let undisturbed = all(&folder);
        let weights = Weights::load(&folder.join("weights.bin")).unwrap();
        let calibration = |weights: &Weights| weights.calibrations.get("amazons@5x5").cloned();
        assert!(calibration(&weights).is_some_and(|fitted| Some(fitted) != calibration(&Weights::embedded())));
        // Of some fifty steps: every seventh, for good and once by turns.
        for step in (0..).step_by(7) {
            fs::remove_dir_all(&folder).unwrap();
            let fault = Fault::at(&folder, step, step % 2 == 0);
            let (learned, mut done) = learn();
            if !fault.struck() {
                assert!(step > 30, "{step}");
                break;
            }
            drop(fault);
            let error = learned.unwrap_err().to_string();
            assert!(error.contains(folder.to_str().unwrap()) && !error.contains('\n'), "{step}: {error}");
            let (learned, rest) = learn();
            learned.unwrap();
            done.extend(rest);
            assert_eq!(done, tasks, "{step}");
            assert_eq!(all(&folder), undisturbed, "{step}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
