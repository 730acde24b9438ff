//! From games of self-play to weights.

use super::checkpoint::{Checkpoint, Stage};
use super::data::{Data, KNOTS, POLICY_KNOTS, gather, variant_of};
use super::network::{Network, fit_network};
use super::optimiser::{Fitted, Model, Moments, Schedule};
use super::record::FileError;
use super::selfplay::fingerprint;
use super::softmax::fit_policy;
use super::subject::{Subject, group};
use crate::eval::Knowledge;
use crate::eval::knowledge::{Tables, WeightsError};
use crate::eval::learned::PARTS;
use crate::games::amazons::Amazons;
use crate::games::damone::Damone;
use crate::games::desdemona::Desdemona;
use crate::games::variant::Family;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// How to learn.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    /// Share of the search's score in what is wanted of the positions of games; the rest is the game's result.
    pub search_share: f32,
    /// One of so many positions of the search's trees is learned from as well; 0: none.
    pub inner_every: u32,
    /// Share of the search's score for these.
    pub inner_share: f32,
    /// One game of so many is left aside for validation.
    pub validation: u64,
    /// The choices of one turn of so many are used for the policy.
    pub policy_every: u64,
    /// Of the evaluation.
    pub schedule: Schedule,
    /// Of the policy.
    pub policy_schedule: Schedule,
}

impl Default for FitOptions {
    fn default() -> Self {
        let schedule = Schedule { epochs: 4, batch: 8_192, rate: 0.01, seed: 1 };
        Self {
            search_share: 0.0,
            inner_every: 0,
            inner_share: 1.0,
            validation: 20,
            policy_every: 4,
            schedule,
            policy_schedule: Schedule { batch: 2_048, ..schedule },
        }
    }
}

/// Why nothing was learned.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FitError {
    /// A file cannot be had, or is not what it should be.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file of games that are learned apart.
    #[error("{path}: games of {variant}, which are not learned together with those of '{wanted}'")]
    Variant {
        /// Which file.
        path: PathBuf,
        /// Its rule set.
        variant: String,
        /// What the other files teach.
        wanted: &'static str,
    },
    /// A file of games that this program does not know.
    #[error("{path}: games of '{variant}', which is no rule set of this program")]
    Unknown {
        /// Which file.
        path: PathBuf,
        /// Its rule set.
        variant: String,
    },
    /// A recorded game that breaks the rules.
    #[error("{path}: game {number} is not legal")]
    Illegal {
        /// Which file.
        path: PathBuf,
        /// The game.
        number: u64,
    },
    /// Too few games for training and validation.
    #[error("not enough games: some are needed for training and some for validation")]
    Few,
    /// The checkpoint cannot be had.
    #[error("{path}: {error}")]
    Checkpoint {
        /// Its file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The checkpoint does not belong to this fit.
    #[error("{0} is of a fit with other data or options, or damaged; remove it to begin anew")]
    Other(PathBuf),
    /// The tables do not fit together: a mistake of this program.
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

impl Stage {
    /// What it is called in reports.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Policy => "policy",
        }
    }
}

/// Mean losses, in nats, of what is fitted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// `value` or `policy`.
    pub what: String,
    /// Times through the data; 0 before the first.
    pub epoch: u32,
    /// On the games that are learned from.
    pub training: f64,
    /// On those left aside.
    pub validation: f64,
}

/// What came out.
#[derive(Debug)]
pub struct FitResult {
    /// What was known, and instead of what was learned anew, that.
    pub tables: Tables,
    /// The losses before the first epoch and after each, the evaluation's first.
    pub losses: Vec<Losses>,
}

/// Learns the evaluation and the policy of one group of rule sets from self-play, from the weights of `known` on; `report` is told how it goes. Runs
/// in the rayon pool it is called from. The same files and options give the same weights.
///
/// After each epoch the fit is kept in `checkpoint`, and goes on from what it finds there if it is told to `resume`.
///
/// # Errors
///
/// If a file cannot be read, is of another group, holds an illegal game, there are too few games, or the checkpoint is of another fit.
pub fn fit(
    files: &[PathBuf],
    known: &Knowledge,
    options: &FitOptions,
    (checkpoint, resume): (&Path, bool),
    report: &mut dyn FnMut(&Losses),
) -> Result<FitResult, FitError> {
    let variant = variant_of(files.first().ok_or(FitError::Few)?)?;
    let mut run = Fit { name: group(variant), run: String::new(), checkpoint, losses: Vec::new(), report };
    run.run = run_of(files, known, options)?;
    match variant.family {
        Family::Amazons => run.with::<Amazons>(files, known, options, resume),
        Family::Desdemona(_) => run.with::<Desdemona>(files, known, options, resume),
        Family::Damone(_) => run.with::<Damone>(files, known, options, resume),
    }
}

/// A fingerprint of all that a fit depends on.
fn run_of(files: &[PathBuf], known: &Knowledge, options: &FitOptions) -> Result<String, FitError> {
    let mut text = format!("{} {options:?}", env!("CARGO_PKG_VERSION")).into_bytes();
    text.extend(known.tables().to_bytes());
    for path in files {
        let bytes = fs::read(path).map_err(FileError::at(path))?;
        text.extend(crc32fast::hash(&bytes).to_le_bytes());
    }
    Ok(fingerprint(&text))
}

struct Fit<'a> {
    /// Of the group of rule sets.
    name: &'static str,
    run: String,
    checkpoint: &'a Path,
    losses: Vec<Losses>,
    report: &'a mut dyn FnMut(&Losses),
}

impl Fit<'_> {
    fn tell(&mut self, stage: Stage, epoch: u32, training: f64, validation: f64) {
        let losses = Losses { what: stage.name().to_owned(), epoch, training, validation };
        (self.report)(&losses);
        self.losses.push(losses);
    }

    fn keep(&self, stage: Stage, value: &[f32], weights: &[f32], moments: &Moments) -> io::Result<()> {
        let checkpoint = Checkpoint {
            run: self.run.clone(),
            stage,
            losses: self.losses.clone(),
            value: value.to_vec(),
            weights: weights.to_vec(),
            moments: moments.clone(),
        };
        checkpoint.write(self.checkpoint)
    }

    /// Where the fit was when it was killed.
    fn found(&mut self, resume: bool) -> Result<Option<Checkpoint>, FitError> {
        if !resume || !self.checkpoint.exists() {
            return Ok(None);
        }
        let bytes = fs::read(self.checkpoint).map_err(|error| self.error(error))?;
        match Checkpoint::from_bytes(&bytes) {
            Some(found) if found.run == self.run => {
                self.losses.clone_from(&found.losses);
                Ok(Some(found))
            }
            _ => Err(FitError::Other(self.checkpoint.to_owned())),
        }
    }

    fn error(&self, error: io::Error) -> FitError {
        FitError::Checkpoint { path: self.checkpoint.to_owned(), error }
    }

    fn with<P: Subject>(
        mut self,
        files: &[PathBuf],
        known: &Knowledge,
        options: &FitOptions,
        resume: bool,
    ) -> Result<FitResult, FitError> {
        let (training, validation) = gather::<P>(files, self.name, options)?;
        let mut tables = known.tables();
        let found = self.found(resume)?;
        let value = self.value::<P>(&tables, &training, &validation, options, found.as_ref())?;
        let policy = self.policy::<P>(&tables, &value, &training, &validation, options, found)?;
        let learned = [value.linear_table(), value.hidden_table(), value.draws_table(), policy.table()];
        for (part, learned) in PARTS.iter().zip(learned) {
            let name = format!("{}{part}", self.name);
            if let Some((_, table)) = tables.tables.iter_mut().find(|(known, _)| *known == name) {
                *table = learned;
            }
        }
        // Weights as they are used: none is beyond its bounds.
        tables = known.with_tables(&tables)?.tables();
        if tables != known.tables() {
            let (positions, choices) = (training.samples.len(), training.choices.len());
            let line = format!("{}: fitted to {positions} positions and {choices} choices of self-play", self.name);
            let own = format!("{}:", self.name);
            let others = tables.notes.lines().filter(|note| !note.starts_with(&own));
            tables.notes = others.map(str::to_owned).chain([line]).collect::<Vec<_>>().join("\n");
        }
        if self.checkpoint.exists() {
            fs::remove_file(self.checkpoint).map_err(|error| self.error(error))?;
        }
        Ok(FitResult { tables, losses: self.losses })
    }

    /// The evaluation.
    fn value<P: Subject>(
        &mut self,
        tables: &Tables,
        training: &Data,
        validation: &Data,
        options: &FitOptions,
        found: Option<&Checkpoint>,
    ) -> Result<Network, FitError> {
        let linear = Model::new(part(tables, self.name, 0)?, KNOTS);
        let draws = if P::DRAW_CLASSES > 0 { part(tables, self.name, 2)? } else { &[] };
        let mut value = Network::new(&linear, part(tables, self.name, 1)?, draws, options.schedule.seed);
        let mut moments = Moments::default();
        match found {
            Some(found) if found.stage == Stage::Policy => {
                value.weights_mut().copy_from_slice(&found.value);
                return Ok(value);
            }
            Some(found) => {
                value.weights_mut().copy_from_slice(&found.weights);
                moments = found.moments.clone();
            }
            None => self.tell(Stage::Value, 0, value.loss(&training.samples), value.loss(&validation.samples)),
        }
        let mut report = |model: &Network, moments: &Moments| {
            let losses = [training, validation].map(|data| model.loss(&data.samples));
            self.tell(Stage::Value, moments.epoch, losses[0], losses[1]);
            self.keep(Stage::Value, &[], model.weights(), moments)
        };
        let done = fit_network(&mut value, moments, &training.samples, &options.schedule, &mut report);
        done.map_err(|error| self.error(error))?;
        Ok(value)
    }

    /// The policy.
    fn policy<P: Subject>(
        &mut self,
        tables: &Tables,
        value: &Network,
        training: &Data,
        validation: &Data,
        options: &FitOptions,
        found: Option<Checkpoint>,
    ) -> Result<Model, FitError> {
        let mut policy = Model::new(part(tables, self.name, 3)?, POLICY_KNOTS);
        let mut moments = Moments::default();
        match found.filter(|found| found.stage == Stage::Policy) {
            Some(found) => {
                policy.weights_mut().copy_from_slice(&found.weights);
                moments = found.moments;
            }
            None => {
                let losses = [training, validation].map(|data| policy.policy_loss(&data.choices));
                self.tell(Stage::Policy, 0, losses[0], losses[1]);
            }
        }
        let mut report = |model: &Model, moments: &Moments| {
            let losses = [training, validation].map(|data| model.policy_loss(&data.choices));
            self.tell(Stage::Policy, moments.epoch, losses[0], losses[1]);
            self.keep(Stage::Policy, value.weights(), model.weights(), moments)
        };
        let done = fit_policy(&mut policy, moments, &training.choices, &options.policy_schedule, &mut report);
        done.map_err(|error| self.error(error))?;
        Ok(policy)
    }
}

/// One of the [`PARTS`] of the group called `name`.
fn part<'a>(tables: &'a Tables, name: &str, part: usize) -> Result<&'a [i32], WeightsError> {
    let name = format!("{name}{}", PARTS[part]);
    let found = tables.tables.iter().find(|(known, _)| *known == name);
    found.map(|(_, table)| &table[..]).ok_or(WeightsError::Unknown(name))
}
