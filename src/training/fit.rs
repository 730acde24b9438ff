//! From games of self-play to weights.

use super::network::{Network, Samples, fit};
use super::optimiser::{Model, Schedule};
use super::record::{self, FileError, GameData, SearchedTurn};
use super::softmax::{Choices, fit_policy};
use crate::eval::Knowledge;
use crate::eval::amazons::{FEATURES, POLICY_FEATURES, counts, fine_phase, step_features};
use crate::eval::knowledge::{AMAZONS, AMAZONS_HIDDEN, AMAZONS_POLICY, Tables};
use crate::eval::network::{HIDDEN, HIDDEN_ONE, OUTPUT_SCALE, PHASES, SCALE};
use crate::games::amazons::Amazons;
use crate::games::variant::{self, Family, Variant};
use crate::games::{MoveFireStep, Notation, Position, Side, Step};
use rayon::prelude::*;
use std::ops::ControlFlow;
use std::path::PathBuf;
use thiserror::Error;

/// Knots of the Amazons' weights between an empty and a full board.
const KNOTS: usize = 9;
/// Knots of the policy's.
const POLICY_KNOTS: usize = 5;

/// How to learn.
#[derive(Clone, Copy, Debug)]
pub struct FitOptions {
    /// Share of the search's score in the wanted score; the rest is the game's result.
    pub search_share: f32,
    /// One game of so many is left aside for validation.
    pub validation: u64,
    /// One choice of so many is used for the policy.
    pub policy_every: u64,
    /// Of the evaluation.
    pub schedule: Schedule,
    /// Of the policy.
    pub policy_schedule: Schedule,
}

impl Default for FitOptions {
    fn default() -> Self {
        let schedule = Schedule { epochs: 4, batch: 8_192, rate: 0.01, decay: 0.0, seed: 1 };
        Self {
            search_share: 0.0,
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
    /// A file of another game.
    #[error("{path}: games of {variant}, and only those of the Amazons can be learned from")]
    Variant {
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
}

/// Mean losses, in nats, of what is fitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses {
    /// `value` or `policy`.
    pub what: &'static str,
    /// Times through the data; 0 before the first.
    pub epoch: u32,
    /// On the games that are learned from.
    pub training: f64,
    /// On those left aside.
    pub validation: f64,
}

#[derive(Default)]
struct Data {
    samples: Samples,
    choices: Choices,
}

impl Data {
    fn append(&mut self, other: Self) {
        self.samples.append(other.samples);
        self.choices.append(other.choices);
    }

    /// Takes what a game teaches; `None` if it breaks the rules.
    fn take(&mut self, game: &GameData, variant: &'static Variant, options: &FitOptions) -> Option<()> {
        let mut position = Amazons::from_fen(variant, variant.start).ok()?;
        let play = |position: &mut Amazons, code: u16| {
            let step = MoveFireStep::from_code(code);
            let legal = position
                .for_each_step(|known| if known == step { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
            legal.is_break().then(|| position.play(step))
        };
        for turn in &game.opening {
            turn.iter().try_for_each(|&code| play(&mut position, code))?;
        }
        for (number, turn) in (0..).zip(&game.turns) {
            if position.outcome().is_some() || !position.at_turn_start() {
                return None;
            }
            self.evaluation(&position, turn, game.result, options);
            for (&step, visits) in turn.steps.iter().zip(&turn.visits) {
                if (game.number + number).is_multiple_of(options.policy_every) {
                    self.choice(&position, visits);
                }
                play(&mut position, step)?;
            }
        }
        Some(())
    }

    fn evaluation(&mut self, position: &Amazons, turn: &SearchedTurn, result: u8, options: &FitOptions) {
        let search = f32::from(turn.score) / 65_535.0;
        let white = options.search_share * search + (1.0 - options.search_share) * f32::from(result) / 2.0;
        let target = if position.side_to_move() == Side::White { white } else { 1.0 - white };
        let counts = (0..).zip(counts(position)).filter(|&(_, count)| count != 0);
        let counts = counts.map(|(feature, count)| (feature, count as i16));
        self.samples.push(counts, place(position, KNOTS), target);
    }

    fn choice(&mut self, position: &Amazons, visits: &[(u16, u16)]) {
        let total: f32 = visits.iter().map(|&(_, visits)| f32::from(visits)).sum();
        let steps: Vec<MoveFireStep> = position.steps();
        if steps.len() < 2 || total < 2.0 {
            return;
        }
        let features = step_features(position, &steps);
        let share = |step: &MoveFireStep| {
            let found = visits.iter().find(|&&(code, _)| code == step.code());
            found.map_or(0.0, |&(_, visits)| f32::from(visits) / total)
        };
        let candidates = steps.iter().zip(&features).map(|(step, features)| (&features[..], share(step)));
        self.choices.push(candidates, place(position, POLICY_KNOTS));
    }
}

/// The place of a position among knots.
fn place(position: &Amazons, knots: usize) -> f32 {
    fine_phase(position) as f32 / 256.0 * (knots - 1) as f32 / (PHASES - 1) as f32
}

/// The place of a phase's middle among knots.
fn phase_place(phase: usize, knots: usize) -> f32 {
    (phase as f32 + 0.5) * (knots - 1) as f32 / (PHASES - 1) as f32
}

/// A model whose knots take the weights that a table has at their places.
fn start(table: &[i32], features: usize, knots: usize) -> Model {
    let mut model = Model { features, weights: Vec::new() };
    for knot in 0..knots {
        let phase = knot * (PHASES - 1) / (knots - 1);
        let weights = &table[phase * features..(phase + 1) * features];
        model.weights.extend(weights.iter().map(|&weight| weight as f32 / SCALE));
    }
    model
}

/// The weights of a model for every phase.
fn table(model: &Model) -> Vec<i32> {
    let place = |phase| phase_place(phase, model.knots());
    let weight = |phase, feature| (model.weight(place(phase), feature) * SCALE).round() as i32;
    (0..PHASES).flat_map(|phase| (0..model.features).map(move |feature| weight(phase, feature))).collect()
}

/// The hidden units of a network, in the order of [`set_hidden`](crate::eval::network::Network::set_hidden).
fn hidden_table(network: &Network) -> Vec<i32> {
    let one = |weight: &f32| (weight * HIDDEN_ONE as f32).round() as i32;
    let mut table = Vec::new();
    (0..FEATURES).for_each(|feature| table.extend(network.inputs(feature).iter().map(one)));
    for phase in 0..PHASES {
        table.extend(network.biases(phase_place(phase, KNOTS)).iter().map(one));
    }
    table.extend(network.outputs().iter().map(|weight| (weight * OUTPUT_SCALE).round() as i32));
    table
}

/// Everything that the games of some files teach, for training and for validation.
fn gather(files: &[PathBuf], options: &FitOptions) -> Result<(Data, Data), FitError> {
    let (mut training, mut validation) = (Data::default(), Data::default());
    for path in files {
        let mut reader = record::open(path)?;
        let name = reader.header().variant.clone();
        let variant = match variant::find(&name) {
            Ok(variant) if variant.family == Family::Amazons => variant,
            _ => return Err(FitError::Variant { path: path.clone(), variant: name }),
        };
        let mut games = Vec::new();
        while let Some(game) = reader.next().map_err(FileError::at(path))? {
            games.push(game);
        }
        let (aside, rest): (Vec<_>, Vec<_>) =
            games.into_iter().partition(|game| game.number.is_multiple_of(options.validation));
        for (games, into) in [(rest, &mut training), (aside, &mut validation)] {
            let parts = games.par_chunks(256).map(|games| {
                let mut data = Data::default();
                for game in games {
                    let illegal = || FitError::Illegal { path: path.clone(), number: game.number };
                    data.take(game, variant, options).ok_or_else(illegal)?;
                }
                Ok(data)
            });
            for part in parts.collect::<Vec<Result<Data, FitError>>>() {
                into.append(part?);
            }
        }
    }
    let enough = |data: &Data| data.samples.len() > 0 && data.choices.len() > 0;
    if enough(&training) && enough(&validation) { Ok((training, validation)) } else { Err(FitError::Few) }
}

/// Learns the evaluation and the policy of the Amazons from self-play, from the weights of `known` on; `report` is told how it goes. Runs in
/// the rayon pool it is called from. The same files and options give the same weights.
///
/// # Errors
///
/// If a file cannot be read, is of another game, holds an illegal one, or there are too few games.
pub fn fit_amazons(
    files: &[PathBuf],
    known: &Knowledge,
    options: &FitOptions,
    report: &mut dyn FnMut(Losses),
) -> Result<Tables, FitError> {
    let (training, validation) = gather(files, options)?;
    let mut value =
        Network::new(&start(known.amazons.linear_weights(), FEATURES, KNOTS), HIDDEN, options.schedule.seed);
    let losses = |epoch, model: &Network| Losses {
        what: "value",
        epoch,
        training: model.loss(&training.samples),
        validation: model.loss(&validation.samples),
    };
    report(losses(0, &value));
    fit(&mut value, &training.samples, &options.schedule, &mut |epoch, model| report(losses(epoch, model)));
    let mut policy = start(known.amazons_policy.table(), POLICY_FEATURES, POLICY_KNOTS);
    let losses = |epoch, model: &Model| Losses {
        what: "policy",
        epoch,
        training: model.policy_loss(&training.choices),
        validation: model.policy_loss(&validation.choices),
    };
    report(losses(0, &policy));
    let schedule = &options.policy_schedule;
    fit_policy(&mut policy, &training.choices, schedule, &mut |epoch, model| report(losses(epoch, model)));
    let (positions, choices) = (training.samples.len(), training.choices.len());
    Ok(Tables {
        notes: format!("fitted to {positions} positions and {choices} choices of self-play"),
        tables: vec![
            (AMAZONS.to_owned(), table(&value.linear())),
            (AMAZONS_HIDDEN.to_owned(), hidden_table(&value)),
            (AMAZONS_POLICY.to_owned(), table(&policy)),
        ],
    })
}
