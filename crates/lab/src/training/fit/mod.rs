//! From games of self-play to weights.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `options`, `error`, `losses` | what goes in, why nothing comes out, what is reported |
//! | `data` | from recorded games to samples |
//! | `odds` | win, draw and loss from a logit, and their loss |
//! | `optimiser` | Adam, and linear models whose weights depend on the phase |
//! | `network`, `shapes` | the model of the evaluation |
//! | `softmax`, `step_shapes` | the model of the policy |
//! | `owners` | the model of who owns the squares in the end |
//! | `checkpoint`, `identity`, `progress` | a fit that was killed goes on |
//! | `start` | the models that a fit starts from |
//!
//! This module fits the evaluation, then the policy, then the ownership.

mod checkpoint;
pub(super) mod data;
pub(super) mod error;
pub(super) mod identity;
pub(super) mod losses;
mod network;
pub(super) mod odds;
pub(super) mod optimiser;
pub(super) mod options;
pub(super) mod owners;
mod progress;
mod shapes;
mod softmax;
pub(super) mod start;
mod step_shapes;

use crate::training::trainable::{self, Trainable, TrainableTask, group};
use checkpoint::Checkpoint;
use data::{Data, destination, first, gather, variant_of};
use error::FitError;
use hippolyta::eval::learned::Part;
use hippolyta::eval::weights::Tables;
use hippolyta::eval::{Evaluator, Weights};
use hippolyta::files::write_whole;
use hippolyta::search::Control;
use losses::{Losses, Stage};
use network::{Network, fit_network};
use optimiser::{Fitted, Moments, Schedule};
use options::{FitOptions, Only};
use owners::fit_owners;
use progress::Progress;
use serde_json::Value;
use softmax::{Policy, fit_policy};
use std::io;
use std::path::{Path, PathBuf};

/// The result of a fit.
#[derive(Debug)]
pub struct FitResult {
    /// All tables, those that were learned among them.
    pub tables: Tables,
    /// The losses before the first epoch and after each, the evaluation's first.
    pub losses: Vec<Losses>,
    /// Options, weights and data that the fit depended on.
    made: Value,
}

impl FitResult {
    /// Writes the weights, whole or not at all, with what the fit depended on. Blocks until they are on the disk.
    ///
    /// # Errors
    ///
    /// If the system refuses. Then an old file stays as it is.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        write_whole(path, &self.to_bytes()?)
    }

    /// The bytes that [`save`](Self::save) writes.
    ///
    /// # Errors
    ///
    /// If what the fit depended on cannot be written as JSON.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        self.tables.made_bytes(&self.made)
    }
}

/// Learns the evaluation and the policy of one group of rule sets from self-play, starting from the weights of
/// `known`.
///
/// Runs in the current rayon pool, and calls `report` before the first epoch and after each. The same files and
/// options give the same weights. With a learning rate of 0 these are the known ones.
///
/// After each epoch the state of the fit is written to `checkpoint`. With `resume` the fit goes on from there. The
/// caller removes this file once the result is safe.
///
/// Once `control` is stopped, it ends with [`FitError::Interrupted`] within moments. What was done since the checkpoint
/// is lost.
///
/// # Errors
///
/// If a file cannot be read, is of another group, or holds an illegal game; if there are too few games; if the
/// checkpoint cannot be written, or is damaged or of another fit; and if it was stopped.
pub fn fit(
    files: &[PathBuf],
    known: &Weights,
    options: &FitOptions,
    (checkpoint, resume): (&Path, bool),
    report: &mut dyn FnMut(&Losses),
    control: &Control,
) -> Result<FitResult, FitError> {
    let variant = variant_of(first(files)?)?;
    let (group, (name, begun)) = (&group(&variant), &destination(files, known)?);
    let progress = Progress::new(identity::identity(files, known, options)?, checkpoint, report)?;
    let fit = Fit { group, name, files, known: begun, options, resume, progress, control };
    let mut result = trainable::run(&variant, begun, fit)?;
    if result.tables == begun.tables() {
        // Nothing was learned, so no size needs tables of its own.
        result.tables = known.tables();
    }
    Ok(result)
}

impl FitOptions {
    /// How to fit the evaluation or the policy. Weights that were `learned` before get a lower learning rate, and one
    /// that is lower still where few positions touch them: else a few games would be learned by heart.
    /// Shapes have many weights, which take more steps.
    fn schedule(&self, stage: Stage, learned: bool, shapes: bool) -> Schedule {
        let (batch, next_rate) = match stage {
            Stage::Value if shapes => (1_024, 0.001),
            Stage::Value => (8_192, 0.001),
            Stage::Policy => (2_048, 0.003),
            Stage::Ownership => (1_024, 0.003),
        };
        let (rate, evidence) = if learned { (next_rate, 3_000.0) } else { (0.01, 0.0) };
        Schedule {
            epochs: self.epochs,
            batch,
            rate: self.rate.unwrap_or(rate),
            evidence,
            others_only: self.only == Some(Only::Shapes),
            seed: self.seed,
        }
    }
}

struct Fit<'a> {
    /// Name of the group of rule sets.
    group: &'a str,
    /// Name of the tables that are learned.
    name: &'a str,
    files: &'a [PathBuf],
    known: &'a Weights,
    options: &'a FitOptions,
    resume: bool,
    progress: Progress<'a>,
    control: &'a Control,
}

impl TrainableTask for Fit<'_> {
    type Output = Result<FitResult, FitError>;

    fn run<P: Trainable, E: Evaluator<P>>(mut self, _: impl Fn() -> E + Sync) -> Self::Output {
        let lack = match self.options.only {
            Some(Only::Shapes) if P::SCHEME.is_none() => Some("shapes"),
            Some(Only::Ownership) if P::OWNERS == 0 => Some("owners of squares"),
            _ => None,
        };
        if let Some(lack) = lack {
            return Err(FitError::Unfit(format!("no {lack} are learned of '{}'", self.group)));
        }
        let data = gather::<P>(self.files, self.group, self.options, self.control)?;
        let known = self.known.tables();
        let found = if self.resume { self.progress.resume()? } else { None };
        let value = self.value::<P>(&known, &data, found.as_ref())?;
        let policy = self.policy::<P>(&known, &value, &data, found)?;
        let owners = self.owners::<P>(&known, &data)?;
        let tables = self.tables(known, &value, &policy, owners, &data[0])?;
        let (losses, made) = self.progress.into_parts();
        Ok(FitResult { tables, losses, made })
    }
}

impl Fit<'_> {
    /// Fits the evaluation to the first of the data, and validates by the second.
    fn value<P: Trainable>(
        &mut self,
        known: &Tables,
        data: &[Data; 2],
        found: Option<&Checkpoint>,
    ) -> Result<Network, FitError> {
        let mut value = start::network::<P>(known, self.name, self.options.seed)?;
        if self.options.only == Some(Only::Ownership) {
            return Ok(value);
        }
        let losses = |model: &Network| data.each_ref().map(|data| model.loss(&data.samples));
        let progress = &mut self.progress;
        let mut moments = Moments::default();
        match found {
            Some(found) if found.stage == Stage::Policy => {
                progress.restore(value.weights_mut(), &found.value)?;
                return Ok(value);
            }
            Some(found) => {
                progress.restore(value.weights_mut(), &found.weights)?;
                moments = found.moments.clone();
            }
            None => progress.tell(Stage::Value, 0, losses(&value)),
        }
        let mut report = |model: &Network, moments: &Moments| {
            progress.tell(Stage::Value, moments.epoch, losses(model));
            progress.keep(Stage::Value, &[], model.weights(), moments)
        };
        let schedule = self.options.schedule(Stage::Value, !value.is_blank(), P::SCHEME.is_some());
        let done = fit_network(&mut value, moments, &data[0].samples, &schedule, &mut report, self.control);
        done.map_err(|error| progress.error(error))?;
        FitError::if_stopped(self.control)?;
        Ok(value)
    }

    /// Fits the policy, in the same way.
    fn policy<P: Trainable>(
        &mut self,
        known: &Tables,
        value: &Network,
        data: &[Data; 2],
        found: Option<Checkpoint>,
    ) -> Result<Policy, FitError> {
        let mut policy = start::policy::<P>(known, self.name, self.options.seed)?;
        if self.options.only == Some(Only::Ownership) {
            return Ok(policy);
        }
        let losses = |model: &Policy| data.each_ref().map(|data| model.policy_loss(&data.choices));
        let progress = &mut self.progress;
        let mut moments = Moments::default();
        match found.filter(|found| found.stage == Stage::Policy) {
            Some(found) => {
                progress.restore(policy.weights_mut(), &found.weights)?;
                moments = found.moments;
            }
            None => progress.tell(Stage::Policy, 0, losses(&policy)),
        }
        let mut report = |model: &Policy, moments: &Moments| {
            progress.tell(Stage::Policy, moments.epoch, losses(model));
            progress.keep(Stage::Policy, value.weights(), model.weights(), moments)
        };
        let schedule = self.options.schedule(Stage::Policy, !value.is_blank(), false);
        let done = fit_policy(&mut policy, moments, &data[0].choices, &schedule, &mut report, self.control);
        done.map_err(|error| progress.error(error))?;
        FitError::if_stopped(self.control)?;
        Ok(policy)
    }

    /// Fits who owns the squares in the end, and returns the table; an empty one where this is not to be learned. A fit
    /// that is resumed does this from its beginning: it takes less time than an epoch of the policy.
    fn owners<P: Trainable>(&mut self, known: &Tables, data: &[Data; 2]) -> Result<Vec<i32>, FitError> {
        if P::OWNERS == 0 || self.options.only == Some(Only::Shapes) {
            return Ok(Vec::new());
        }
        let mut owners = start::owners(known, self.name);
        let progress = &mut self.progress;
        let losses = |model: &owners::Model| data.each_ref().map(|data| model.loss(&data.ownership));
        progress.tell(Stage::Ownership, 0, losses(&owners));
        let schedule = self.options.schedule(Stage::Ownership, !owners.is_blank(), false);
        let mut report = |model: &owners::Model, epoch| progress.tell(Stage::Ownership, epoch, losses(model));
        fit_owners(&mut owners, &data[0].ownership, &schedule, &mut report, self.control);
        FitError::if_stopped(self.control)?;
        Ok(owners.0.table())
    }

    /// The `known` tables with what was learned, and with a note if this differs.
    fn tables(
        &self,
        known: Tables,
        value: &Network,
        policy: &Policy,
        owners: Vec<i32>,
        training: &Data,
    ) -> Result<Tables, FitError> {
        let mut tables = known.clone();
        let learned = [
            (Part::Linear, value.linear_table()),
            (Part::Hidden, value.hidden_table()),
            (Part::Draws, value.draws_table()),
            (Part::Policy, policy.table()),
            (Part::Shapes, value.shapes_table()),
            (Part::PolicyShapes, policy.shapes_table()),
            (Part::Ownership, owners),
        ];
        for (part, learned) in learned.into_iter().filter(|(_, learned)| !learned.is_empty()) {
            let name = format!("{}{}", self.name, part.ending());
            match tables.tables.iter_mut().find(|(known, _)| *known == name) {
                Some((_, table)) => *table = learned,
                // Blank until now: after the tables that it adds to, which reset it.
                None if learned.iter().any(|&weight| weight != 0) => tables.tables.push((name, learned)),
                None => {}
            }
        }
        // The weights as they are used: none is beyond its bounds.
        let mut weights = self.known.with_tables(&tables)?;
        // Another evaluation is shown in another way; who owns squares has no part in it.
        if weights.tables() != known && self.options.only != Some(Only::Ownership) {
            weights.forget_calibrations(self.name);
        }
        tables = weights.tables();
        if tables != known {
            let (positions, choices) = (training.samples.len(), training.choices.len());
            let own = format!("{}:", self.name);
            let before = tables.notes.lines().find(|note| note.starts_with(&own)).unwrap_or(&own);
            let line = match self.options.only {
                None => format!("{own} fitted to {positions} positions and {choices} choices of self-play"),
                Some(Only::Shapes) => {
                    format!("{before}; shapes fitted to {positions} positions and {choices} choices of self-play")
                }
                Some(Only::Ownership) => {
                    format!("{before}; ownership fitted to {} positions of self-play", training.ownership.len())
                }
            };
            let others = tables.notes.lines().filter(|note| !note.starts_with(&own));
            tables.notes = others.map(str::to_owned).chain([line]).collect::<Vec<_>>().join("\n");
        }
        Ok(tables)
    }
}
