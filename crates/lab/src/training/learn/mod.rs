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
//! | `sealed` | JSON files with a checksum |
//! | `files` | the files of a run, and which task writes and reads each |
//! | `gate` | the match of new weights against those before |
//! | `results` | what tasks find out, as files |
//! | `chart`, `report` | the page with the curves |
//! | `folder` | the folder: its lock, what is there, what is damaged |
//! | `steps` | what the tasks do |
//!
//! This module does all tasks of a run.

mod chart;
mod error;
mod files;
mod folder;
mod gate;
mod report;
mod results;
mod sealed;
mod settings;
mod steps;

pub use error::LearnError;
pub use files::{Task, TaskLine};
pub use folder::{Learning, Sharing, weights_named};
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
                Task::Fit(_) => stages(self.settings.variant()?) * u64::from(self.settings.fit.epochs + 1),
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
