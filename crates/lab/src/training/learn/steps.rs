//! The work of the tasks.

use super::error::LearnError;
use super::files::{File, Task, World, calibration_files, no_task, window};
use super::folder::{Learning, partial, remove, remove_if_damaged};
use super::gate::{Gate, Shard};
use super::report::page;
use super::results::{CalibrationShard, GameSummary, LossTable, Verdict};
use super::settings::Calibrating;
use crate::calibration::{self, Plan, fit_while as fit_percentages, name_of};
use crate::training::fit::error::FitError;
use crate::training::fit::fit;
use crate::training::merge::{MergeError, merge_seen};
use crate::training::record::{self, FileError};
use crate::training::selfplay::{Run, RunError};
use hippolyta::engine::{Board, Control, Model};
use hippolyta::eval::Weights;
use rayon::prelude::*;
use std::fs;
use std::sync::Arc;

/// An event while tasks are done.
#[derive(Debug)]
pub enum Event<'a> {
    /// Tasks of one kind and generation begin, with the amount of their work.
    Begun(&'a [Task], u64),
    /// Some more of the work of the current tasks is done: games, or epochs of a fit.
    Progress(u64),
    /// A task is done, with what came of it in a line.
    Done(Task, &'a str),
    /// Something that people should know.
    Remark(&'a str),
}

/// Who is told.
pub type Listener<'a> = &'a (dyn Fn(&Event<'_>) + Sync);

impl Learning {
    /// Does a task whose inputs are there, in the current rayon pool. Nothing is done if its outputs are there already.
    ///
    /// A task that is killed leaves no half-written outputs, and goes on where it was when it is done again. Several
    /// processes may do tasks of one folder at the same time.
    ///
    /// # Errors
    ///
    /// If the run has no such task, its inputs are missing or damaged, the system refuses, or `control` stopped it.
    /// [`LearnError::may_pass`] tells whether the same task may succeed later.
    pub fn run_task(&self, name: &str, control: &Control, listener: Listener<'_>) -> Result<(), LearnError> {
        let task: Task = name.parse()?;
        if !task.is_of(&self.settings) {
            return Err(no_task(name));
        }
        if task.outputs(&self.settings).into_iter().all(|file| self.has(file)) {
            return Ok(());
        }
        // The games of the gate that are needed are known to those who read them.
        if let Some(missing) = task.inputs(&self.settings, 0).into_iter().find(|&file| !self.has(file)) {
            return Err(LearnError::Waits { task: name.to_owned(), path: self.path(missing) });
        }
        self.run(task, control, listener)?;
        self.tidy_after(task)
    }

    /// Removes what is not needed any more once a task is done.
    fn tidy_after(&self, task: Task) -> Result<(), LearnError> {
        match task {
            Task::Merge(g) | Task::Fit(g) | Task::Judge(g) => self.tidy(g..=g),
            Task::Play(..) | Task::Gate(..) | Task::Calibrate(..) | Task::Report(_) => Ok(()),
        }
    }

    /// Does tasks of one kind and generation that can be done now.
    pub(super) fn run_tasks(
        &self,
        tasks: &[Task],
        control: &Control,
        listener: Listener<'_>,
    ) -> Result<(), LearnError> {
        match tasks {
            [Task::Play(..) | Task::Calibrate(..), ..] => {
                tasks.par_iter().with_max_len(1).try_for_each(|&task| self.run(task, control, listener))?;
            }
            [Task::Gate(g, _), ..] => {
                let shards: Vec<_> =
                    tasks.iter().filter_map(|task| if let Task::Gate(_, i) = task { Some(*i) } else { None }).collect();
                self.gate(*g, &shards, control, listener)?;
            }
            tasks => tasks.iter().try_for_each(|&task| self.run(task, control, listener))?,
        }
        tasks.iter().try_for_each(|&task| self.tidy_after(task))
    }

    fn run(&self, task: Task, control: &Control, listener: Listener<'_>) -> Result<(), LearnError> {
        let said = match task {
            Task::Play(g, i) => self.play(g, i, control, listener)?,
            Task::Merge(g) => self.merge(g)?,
            Task::Fit(g) => self.fit(g, control, listener)?,
            Task::Gate(g, i) => return self.gate(g, &[i], control, listener),
            Task::Calibrate(g, i) => self.calibrate(g, i, control, listener)?,
            Task::Judge(g) => self.judge(g, control)?,
            Task::Report(g) => self.report(g)?,
        };
        listener(&Event::Done(task, &said));
        Ok(())
    }

    fn play(
        &self,
        generation: u64,
        shard: u64,
        control: &Control,
        listener: Listener<'_>,
    ) -> Result<String, LearnError> {
        let settings = &self.settings;
        let run = Run {
            variant: settings.variant()?,
            start: settings.fen.clone(),
            games: settings.games,
            seed: settings.seed_of(generation, 0),
            shard: [shard, settings.shards()],
            options: settings.selfplay(),
            model: Model::Learned(self.weights(File::Start(generation))?),
            at_once: None,
        };
        let path = self.path(File::Shard(generation, shard));
        self.make_room(&path)?;
        let write = || run.write(&path, true, false, control, &|_| listener(&Event::Progress(1)));
        let written = match write() {
            // Remains of a run that was killed are of no use: begin anew.
            Err(RunError::Damaged { error: FileError { path, error } } | RunError::File(FileError { path, error }))
                if !matches!(error, record::ContainerError::Io(_)) =>
            {
                listener(&Event::Remark(&remove(&path, error.to_string()).to_string()));
                write()
            }
            Err(RunError::Different { path, field }) => {
                let what = format!("of another run: its {field} differs");
                listener(&Event::Remark(&remove(&path, what).to_string()));
                write()
            }
            written => written,
        };
        written.map_err(|error| match error {
            RunError::Kept { error, .. } if matches!(*error, RunError::Interrupted) => LearnError::Interrupted,
            error => LearnError::Play(error),
        })?;
        Ok(format!("{} games", run_length(settings.games, shard, settings.shards())))
    }

    fn merge(&self, generation: u64) -> Result<String, LearnError> {
        let inputs: Vec<_> = (0..self.settings.shards()).map(|i| self.path(File::Shard(generation, i))).collect();
        let output = self.path(File::Games(generation));
        let mut summary = GameSummary::default();
        merge_seen(&inputs, &output, false, &mut |game| summary.add(game)).map_err(|error| match error {
            MergeError::File(error) => match remove_if_damaged(error) {
                Ok(removed) => removed,
                Err(error) => LearnError::Merge(error.into()),
            },
            // It cannot be one of ours.
            MergeError::Different { second, field, .. } => {
                remove(&second, format!("of another run: its {field} differs"))
            }
            error => LearnError::Merge(error),
        })?;
        self.write_object(File::Summary(generation), &summary)?;
        Ok(summary.to_string())
    }

    fn fit(&self, generation: u64, control: &Control, listener: Listener<'_>) -> Result<String, LearnError> {
        let known = self.weights(File::Start(generation))?;
        let files: Vec<_> = window(generation, &self.settings).map(|g| self.path(File::Games(g))).collect();
        let candidate = self.path(File::Candidate(generation));
        let checkpoint = partial(&candidate);
        let options = self.settings.fit;
        let mut report = |_: &_| listener(&Event::Progress(1));
        let mut run = || fit(&files, &known, &options, (&checkpoint, true), &mut report, control);
        let fitted = match run() {
            Err(FitError::Other { path, .. } | FitError::Version(path)) => {
                listener(&Event::Remark(&remove(&path, "the checkpoint of another fit".to_owned()).to_string()));
                run()
            }
            Err(FitError::Checkpoint { path, error }) if !matches!(error, record::ContainerError::Io(_)) => {
                listener(&Event::Remark(&remove(&path, error.to_string()).to_string()));
                run()
            }
            Err(FitError::Interrupted) => return Err(LearnError::Interrupted),
            fitted => fitted,
        };
        let result = fitted.map_err(|error| match error {
            FitError::File(error) => match remove_if_damaged(error) {
                Ok(removed) => removed,
                Err(error) => LearnError::Fit(error.into()),
            },
            error => LearnError::Fit(error),
        })?;
        let losses = LossTable { epochs: result.losses };
        self.write_object(File::Losses(generation), &losses)?;
        self.write(&candidate, &result.tables.to_bytes())?;
        let _ = fs::remove_file(&checkpoint);
        Ok(losses.to_string())
    }

    fn gate(
        &self,
        generation: u64,
        shards: &[u64],
        control: &Control,
        listener: Listener<'_>,
    ) -> Result<(), LearnError> {
        let weights = [self.weights(File::Candidate(generation))?, self.weights(File::Start(generation))?];
        let gate = Gate { settings: &self.settings, variant: self.settings.variant()?, generation, weights };
        self.make_room(&self.path(File::Gate(generation, 0)))?;
        let mut finish = |shard: u64, played: Shard| {
            self.write_object(File::Gate(generation, shard), &played)?;
            let said = format!("{} pairs of games", played.pairs.len());
            listener(&Event::Done(Task::Gate(generation, shard), &said));
            Ok(self.verdict(generation)?.is_some())
        };
        gate.play(shards, rayon::current_num_threads(), control, &|| listener(&Event::Progress(2)), &mut finish)
    }

    /// The verdict of a gate and the weights that won, for `task`, which must wait until there is one.
    fn winner(&self, generation: u64, task: Task) -> Result<(Verdict, Arc<Weights>), LearnError> {
        let Some((decision, _)) = self.verdict(generation)? else {
            let missing = (0..self.settings.gate_shards()).map(|i| File::Gate(generation, i));
            let missing = missing.into_iter().find(|&file| !self.has(file)).unwrap_or(File::Gate(generation, 0));
            return Err(LearnError::Waits { task: task.to_string(), path: self.path(missing) });
        };
        let verdict = Verdict::new(&decision);
        let winner = if verdict.accepted { File::Candidate(generation) } else { File::Start(generation) };
        // Read as weights, so that damage is not handed on.
        Ok((verdict, self.weights(winner)?))
    }

    fn start_board(&self) -> Result<Board, LearnError> {
        Ok(Board::from_fen(&self.settings.variant()?, &self.settings.start_fen()?)?)
    }

    fn calibrate(
        &self,
        generation: u64,
        shard: u64,
        control: &Control,
        listener: Listener<'_>,
    ) -> Result<String, LearnError> {
        let settings = &self.settings;
        let (_, weights) = self.winner(generation, Task::Calibrate(generation, shard))?;
        let (start, numbers) = (self.start_board()?, settings.calibration_games_of(shard));
        let mut games = Vec::new();
        if !weights.calibrations.contains_key(&name_of(&start)) {
            let plan = Plan { seed: settings.seed_of(generation, 0), ..Plan::of_nodes(settings.calibration().nodes) };
            let numbers: Vec<u64> = numbers.clone().collect();
            let played = |_: &_| listener(&Event::Progress(1));
            games = calibration::play(&start, &Model::Learned(weights), &plan, &numbers, control, &played)?;
        }
        if control.stopped() {
            return Err(LearnError::Interrupted);
        }
        let said = format!("{} games", games.len());
        self.write_object(File::Calibration(generation, shard), &CalibrationShard { first: numbers.start, games })?;
        Ok(said)
    }

    fn judge(&self, generation: u64, control: &Control) -> Result<String, LearnError> {
        let settings = &self.settings;
        let (mut verdict, mut weights) = self.winner(generation, Task::Judge(generation))?;
        let is_last = generation == settings.generations;
        let mut games = Vec::new();
        for file in calibration_files(generation, settings) {
            games.extend(self.calibrating(file)?);
        }
        if !games.is_empty() {
            let fitted = fit_percentages(&games, control);
            if control.stopped() {
                return Err(LearnError::Interrupted);
            }
            Arc::make_mut(&mut weights).calibrations.insert(name_of(&self.start_board()?), fitted.into());
            verdict.calibration = Some(Calibrating { games: games.len() as u64, nodes: settings.calibration().nodes });
        }
        let bytes = weights.tables().to_bytes();
        if is_last {
            self.write(&self.path(File::LastWeights), &bytes)?;
        }
        self.write(&self.path(File::Start(generation + 1)), &bytes)?;
        self.write_object(File::Result(generation), &verdict)?;
        Ok(if is_last { format!("{verdict}; {}", verdict.percentages()) } else { verdict.to_string() })
    }

    fn report(&self, generation: u64) -> Result<String, LearnError> {
        let mut generations = Vec::new();
        for g in 1..=generation {
            generations.push((self.read(File::Summary(g))?, self.read(File::Losses(g))?, self.read(File::Result(g))?));
        }
        let page = page(&self.settings, &generations);
        if generation == self.settings.generations {
            self.write(&self.path(File::LastPage), &page)?;
        }
        self.write(&self.path(File::Page(generation)), &page)?;
        Ok(File::Page(generation).path())
    }
}

/// Games of a shard.
fn run_length(games: u64, shard: u64, shards: u64) -> u64 {
    (games - shard).div_ceil(shards)
}
