//! From games of self-play to weights.

use super::checkpoint::{Checkpoint, Stage};
use super::data::{Data, KNOTS, POLICY_KNOTS, gather, variant_of};
use super::network::{Network, fit_network};
use super::optimiser::{Fitted, Model, Moments, Schedule};
use super::record::FileError;
use super::selfplay::fingerprint;
use super::softmax::fit_policy;
use super::subject::{Subject, group};
use crate::container::ContainerError;
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
    /// Times through the data.
    pub epochs: u32,
    /// Length of the optimiser's first steps; `None`: what suits the weights that the fit starts from.
    pub rate: Option<f32>,
    /// Order of the samples.
    pub seed: u64,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            search_share: 0.0,
            inner_every: 0,
            inner_share: 1.0,
            validation: 20,
            policy_every: 4,
            epochs: 4,
            rate: None,
            seed: 1,
        }
    }
}

impl FitOptions {
    /// How to fit the evaluation or the policy. From weights that were `learned` before by shorter steps, and still shorter
    /// ones for what is seen in few positions: a few games teach little, and are soon learned by heart.
    fn schedule(&self, stage: Stage, learned: bool) -> Schedule {
        let (batch, next_rate) = match stage {
            Stage::Value => (8_192, 0.001),
            Stage::Policy => (2_048, 0.003),
        };
        let (rate, evidence) = if learned { (next_rate, 3_000.0) } else { (0.01, 0.0) };
        Schedule { epochs: self.epochs, batch, rate: self.rate.unwrap_or(rate), evidence, seed: self.seed }
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
    /// Too little to learn from, or to compare with.
    #[error("not enough games: {found} {what}, and at least {needed} must be there")]
    Few {
        /// What there is too little of.
        what: &'static str,
        /// How much there is.
        found: usize,
        /// How much there must be.
        needed: usize,
    },
    /// The checkpoint cannot be read or written, or is damaged.
    #[error("{path}: {error}{}", remedy(.error))]
    Checkpoint {
        /// Its file.
        path: PathBuf,
        /// What is wrong.
        error: ContainerError,
    },
    /// The checkpoint was written by a version with another format.
    #[error(
        "{0}: the checkpoint of another version of this program; go on with that version, or remove it to begin anew"
    )]
    Version(PathBuf),
    /// The checkpoint does not belong to this fit.
    #[error("{0} is of a fit with other data or options or by another version; remove it to begin anew")]
    Other(PathBuf),
    /// The tables do not fit together: a mistake of this program.
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

impl FitError {
    /// An error if there is less than what is `needed`.
    pub(super) fn if_few(what: &'static str, found: usize, needed: usize) -> Result<(), Self> {
        if found < needed { Err(Self::Few { what, found, needed }) } else { Ok(()) }
    }
}

/// What to do with a checkpoint that cannot be used.
fn remedy(error: &ContainerError) -> &'static str {
    match error {
        ContainerError::Io(_) => "",
        _ => "; remove it to begin anew",
    }
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
    /// What was known, with what was learned.
    pub tables: Tables,
    /// The losses before the first epoch and after each, the evaluation's first.
    pub losses: Vec<Losses>,
}

/// Learns the evaluation and the policy of one group of rule sets from self-play, from the weights of `known` on;
/// `report` is told how it goes. Runs in the rayon pool it is called from. The same files and options give the same
/// weights; with a rate of 0 these are the known ones.
///
/// After each epoch the fit is kept in `checkpoint`, and goes on from what it finds there if it is told to `resume`. The
/// caller removes this file once the result is safe.
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
    let variant = variant_of(first(files)?)?;
    let mut run = Fit { name: group(variant), run: String::new(), checkpoint, losses: Vec::new(), report };
    run.run = run_of(files, known, options)?;
    match variant.family {
        Family::Amazons => run.with::<Amazons>(files, known, options, resume),
        Family::Desdemona(_) => run.with::<Desdemona>(files, known, options, resume),
        Family::Damone(_) => run.with::<Damone>(files, known, options, resume),
    }
}

/// The first of some data files.
pub(super) fn first(files: &[PathBuf]) -> Result<&Path, FitError> {
    FitError::if_few("data files", files.len(), 1)?;
    Ok(&files[0])
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
        let found = Checkpoint::from_bytes(&bytes).map_err(|error| match error {
            ContainerError::Version { .. } => FitError::Version(self.checkpoint.to_owned()),
            error => self.error(error),
        })?;
        if found.run != self.run {
            return Err(FitError::Other(self.checkpoint.to_owned()));
        }
        self.losses.clone_from(&found.losses);
        Ok(Some(found))
    }

    /// Takes weights from a checkpoint.
    fn take(&self, weights: &mut [f32], found: &[f32]) -> Result<(), FitError> {
        if weights.len() != found.len() {
            return Err(FitError::Other(self.checkpoint.to_owned()));
        }
        weights.copy_from_slice(found);
        Ok(())
    }

    fn error(&self, error: impl Into<ContainerError>) -> FitError {
        FitError::Checkpoint { path: self.checkpoint.to_owned(), error: error.into() }
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
        let policy = self.policy(&tables, &value, &training, &validation, options, found)?;
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
        let mut value = network::<P>(tables, self.name, options.seed)?;
        let mut moments = Moments::default();
        match found {
            Some(found) if found.stage == Stage::Policy => {
                self.take(value.weights_mut(), &found.value)?;
                return Ok(value);
            }
            Some(found) => {
                self.take(value.weights_mut(), &found.weights)?;
                moments = found.moments.clone();
            }
            None => self.tell(Stage::Value, 0, value.loss(&training.samples), value.loss(&validation.samples)),
        }
        let mut report = |model: &Network, moments: &Moments| {
            let losses = [training, validation].map(|data| model.loss(&data.samples));
            self.tell(Stage::Value, moments.epoch, losses[0], losses[1]);
            self.keep(Stage::Value, &[], model.weights(), moments)
        };
        let schedule = options.schedule(Stage::Value, !value.is_blank());
        let done = fit_network(&mut value, moments, &training.samples, &schedule, &mut report);
        done.map_err(|error| self.error(error))?;
        Ok(value)
    }

    /// The policy.
    fn policy(
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
                self.take(policy.weights_mut(), &found.weights)?;
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
        let schedule = options.schedule(Stage::Policy, !value.is_blank());
        let done = fit_policy(&mut policy, moments, &training.choices, &schedule, &mut report);
        done.map_err(|error| self.error(error))?;
        Ok(policy)
    }
}

/// The evaluation of the group called `name`, with no changes yet.
fn network<P: Subject>(tables: &Tables, name: &str, seed: u64) -> Result<Network, WeightsError> {
    let draws = if P::DRAW_CLASSES > 0 { part(tables, name, 2)? } else { &[] };
    Ok(Network::new(&Model::new(part(tables, name, 0)?, KNOTS), part(tables, name, 1)?, draws, seed))
}

/// One of the [`PARTS`] of the group called `name`.
fn part<'a>(tables: &'a Tables, name: &str, part: usize) -> Result<&'a [i32], WeightsError> {
    let name = format!("{name}{}", PARTS[part]);
    let found = tables.tables.iter().find(|(known, _)| *known == name);
    found.map(|(_, table)| &table[..]).ok_or(WeightsError::Unknown(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::amazons::AmazonsEvaluator;
    use crate::eval::damone::DamoneEvaluator;
    use crate::eval::desdemona::DesdemonaEvaluator;
    use crate::eval::{Evaluator, Judgement};
    use crate::games::variant::{VARIANTS, Variant};
    use crate::training::network::Samples;
    use crate::training::odds::Target;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Plays random games, and asserts that each of their positions has the loss that it has in play.
    fn losses_are_those_in_play<P: Subject>(variant: &'static Variant, evaluator: &dyn Evaluator<P>) {
        let network = network::<P>(&Knowledge::embedded().tables(), group(variant), 1).unwrap();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut compared = 0;
        for _ in 0..4 {
            let mut position = P::from_fen(variant, variant.start).unwrap();
            for _ in 0..200 {
                if position.at_turn_start() && position.outcome().is_some() {
                    break;
                }
                if position.at_turn_start()
                    && let (Some(sample), Judgement::Estimate(value)) = (position.sample(), evaluator.judge(&position))
                {
                    let score = f64::from(value.for_side(position.side_to_move()));
                    let win = score - f64::from(value.draw) / 2.0;
                    let odds = [1.0 - win - f64::from(value.draw), value.draw.into(), win];
                    for (result, in_play) in (0..).zip(odds).filter(|&(result, _)| result != 1 || P::DRAW_CLASSES > 0) {
                        let mut samples = Samples::default();
                        let counts = (0..).zip(sample.counts.iter().map(|&count| count as i16));
                        let target = Target { result, score: 0.0, share: 0.0 };
                        samples.push(counts, sample.fine_phase / 256, sample.draw_class, target);
                        let predicted = (-network.loss(&samples)).exp();
                        assert!((predicted - in_play).abs() < 1e-5, "{}: {predicted} {in_play}", variant.name);
                    }
                    compared += 1;
                }
                let steps = position.steps();
                position.play(steps[random.random_range(0..steps.len())]);
            }
        }
        assert!(compared > 40, "{}: {compared}", variant.name);
    }

    #[test]
    fn a_fit_starts_from_the_evaluation_in_use() {
        let known = Knowledge::embedded();
        for variant in VARIANTS {
            match variant.family {
                Family::Amazons => losses_are_those_in_play::<Amazons>(variant, &AmazonsEvaluator::new(&known)),
                Family::Desdemona(rules) => {
                    losses_are_those_in_play::<Desdemona>(variant, &DesdemonaEvaluator::new(rules, &known));
                }
                Family::Damone(rules) => {
                    losses_are_those_in_play::<Damone>(variant, &DamoneEvaluator::new(rules, &known));
                }
            }
        }
    }
}
