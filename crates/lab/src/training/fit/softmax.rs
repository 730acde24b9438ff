//! Fitting a policy: the softmax over the steps of a position, of a linear model and where there is one a layer of
//! shapes. The loss is the cross-entropy between the predicted probabilities and the shares of the search's visits.

use super::optimiser::{BLOCK, Fitted, Model, Moments, Schedule, mean_gradient, mixed, optimise};
use super::shapes::Board;
use super::step_shapes::{StepLayer, StepSquares};
use hippolyta::eval::network::SCALE;
use hippolyta::eval::shapes::Scheme;
use hippolyta::search::Control;
use rayon::prelude::*;
use std::io;

/// Choices, in flat arrays. All candidates of a choice have the same number of features.
#[derive(Default)]
pub struct Choices {
    /// Features of all candidates, one after the other.
    features: Vec<u16>,
    /// Share of the visits of each candidate.
    targets: Vec<f32>,
    choices: Vec<Choice>,
    /// Squares that the layer of shapes sees, if there is one: those of all positions, and those of all candidates, in
    /// the order of `targets`.
    squares: Vec<u16>,
    step_squares: Vec<StepSquares>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Choice {
    /// Offset of its features. Half a million games need more than 32 bits.
    features: u64,
    /// Offset of its targets.
    targets: u64,
    /// Offset and number of its squares.
    squares: u64,
    squares_count: u16,
    candidates: u16,
    of_each: u16,
    phase: u8,
}

impl Choice {
    /// This choice behind others, whose numbers of features, targets and squares are given.
    fn behind(self, features: usize, targets: usize, squares: usize) -> Self {
        Self {
            features: self.features + features as u64,
            targets: self.targets + targets as u64,
            squares: self.squares + squares as u64,
            ..self
        }
    }
}

impl Choices {
    /// Adds a choice among candidates. Each has its features, the same number for all, and its share of the visits.
    pub fn push<'a>(&mut self, candidates: impl Iterator<Item = (&'a [u16], f32)>, phase: usize) {
        let (features, targets) = (self.features.len(), self.targets.len());
        let mut of_each = 0;
        for (indices, target) in candidates {
            of_each = indices.len() as u16;
            self.features.extend_from_slice(indices);
            self.targets.push(target);
        }
        let candidates = (self.targets.len() - targets) as u16;
        let choice =
            Choice { features: 0, targets: 0, squares: 0, squares_count: 0, candidates, of_each, phase: phase as u8 };
        self.choices.push(choice.behind(features, targets, self.squares.len()));
    }

    /// Adds the squares of the last choice and those of its candidates, for the layer of shapes.
    pub fn push_squares(&mut self, squares: &[u16], steps: &[StepSquares]) {
        self.squares.extend(squares);
        self.step_squares.extend(steps);
        if let Some(choice) = self.choices.last_mut() {
            choice.squares_count = squares.len() as u16;
        }
    }

    /// Appends all of `other`.
    pub fn append(&mut self, other: Self) {
        let (features, targets, squares) = (self.features.len(), self.targets.len(), self.squares.len());
        self.features.extend(other.features);
        self.targets.extend(other.targets);
        self.squares.extend(other.squares);
        self.step_squares.extend(other.step_squares);
        self.choices.extend(other.choices.into_iter().map(|choice| choice.behind(features, targets, squares)));
    }

    /// Number of choices.
    pub fn len(&self) -> usize {
        self.choices.len()
    }

    fn candidates(&self, choice: &Choice) -> impl Iterator<Item = (&[u16], f32)> {
        let count = usize::from(choice.candidates);
        let features = &self.features[choice.features as usize..][..count * usize::from(choice.of_each)];
        let targets = &self.targets[choice.targets as usize..][..count];
        features.chunks_exact(usize::from(choice.of_each).max(1)).zip(targets.iter().copied())
    }
}

/// A linear model, and where it has one a layer of shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The table that the fit starts from; its changes are the first of `weights`.
    linear: Model,
    layer: Option<StepLayer>,
    weights: Vec<f32>,
}

impl Fitted for Policy {
    fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    fn of_counts(&self) -> usize {
        self.linear.changes.len()
    }
}

impl Policy {
    /// The policy of a linear model.
    pub fn new(linear: Model) -> Self {
        let weights = linear.changes.clone();
        Self { linear, layer: None, weights }
    }

    /// Adds a layer of shapes, whose table is `table`.
    #[must_use]
    pub fn with_shapes(mut self, scheme: &'static Scheme, table: &[i32], seed: u64) -> Self {
        let layer = StepLayer::new(scheme, table);
        self.weights.extend(layer.start(table, seed));
        self.layer = Some(layer);
        self
    }

    /// The table of the linear model.
    pub fn table(&self) -> Vec<i32> {
        Model { changes: self.weights[..self.of_counts()].to_vec(), ..self.linear.clone() }.table()
    }

    /// The table of the shapes; empty without them.
    pub fn shapes_table(&self) -> Vec<i32> {
        self.layer.as_ref().map_or(Vec::new(), |layer| layer.table(&self.weights[self.of_counts()..]))
    }

    /// The layer of shapes, its weights, the board and the squares of the steps, if a choice has them.
    fn shapes<'a>(
        &'a self,
        choices: &'a Choices,
        choice: &Choice,
    ) -> Option<(&'a StepLayer, &'a [f32], Board, &'a [StepSquares])> {
        let layer = self.layer.as_ref().filter(|_| choice.squares_count > 0)?;
        let squares = &choices.squares[choice.squares as usize..][..choice.squares_count.into()];
        let steps = &choices.step_squares[choice.targets as usize..][..choice.candidates.into()];
        Some((layer, &self.weights[self.of_counts()..], layer.board(squares), steps))
    }

    fn probabilities(&self, choices: &Choices, choice: &Choice) -> Vec<f32> {
        let (low, high, share) = self.linear.around(choice.phase.into());
        let known = self.linear.known(choice.phase.into());
        let logit = |(features, _): (&[u16], f32)| {
            let (mut sum, mut change) = (0, 0.0);
            for &feature in features {
                let feature = usize::from(feature);
                sum += i64::from(known[feature]);
                change += mixed(self.weights[low + feature], self.weights[high + feature], share);
            }
            sum as f32 / SCALE + change
        };
        let mut logits: Vec<f32> = choices.candidates(choice).map(logit).collect();
        if let Some((layer, weights, board, steps)) = self.shapes(choices, choice) {
            layer.add(weights, &board, choice.phase.into(), steps, &mut logits);
        }
        let most = logits.iter().copied().fold(f32::MIN, f32::max);
        logits.iter_mut().for_each(|logit| *logit = libm::expf(*logit - most));
        let sum: f32 = logits.iter().sum();
        logits.iter_mut().for_each(|logit| *logit /= sum);
        logits
    }

    /// Mean cross-entropy, in nats.
    pub fn policy_loss(&self, choices: &Choices) -> f64 {
        let sums: Vec<f64> = choices
            .choices
            .par_chunks(BLOCK)
            .map(|block| {
                block
                    .iter()
                    .map(|choice| {
                        let found = self.probabilities(choices, choice);
                        let terms = found.iter().zip(choices.candidates(choice));
                        terms
                            .map(|(p, (_, target))| -f64::from(target) * libm::log(f64::from(p.max(1e-20))))
                            .sum::<f64>()
                    })
                    .sum()
            })
            .collect();
        sums.iter().sum::<f64>() / choices.len().max(1) as f64
    }
}

/// Fits `model` to `choices`, from `moments` on. After each epoch `report` gets the model and where it stands.
pub fn fit_policy(
    model: &mut Policy,
    moments: Moments,
    choices: &Choices,
    schedule: &Schedule,
    report: &mut dyn FnMut(&Policy, &Moments) -> io::Result<()>,
    control: &Control,
) -> io::Result<()> {
    let gradient = |model: &Policy, batch: &[usize]| {
        mean_gradient(model.weights.len(), batch, &|index, sum| {
            let choice = &choices.choices[index];
            let (low, high, share) = model.linear.around(choice.phase.into());
            let mut errors = model.probabilities(choices, choice);
            for (error, (features, target)) in errors.iter_mut().zip(choices.candidates(choice)) {
                *error -= target;
                for &feature in features {
                    sum[low + usize::from(feature)] += *error * (1.0 - share);
                    sum[high + usize::from(feature)] += *error * share;
                }
            }
            if let Some((layer, weights, board, steps)) = model.shapes(choices, choice) {
                let sum = &mut sum[model.of_counts()..];
                layer.add_gradient(weights, (&board, choice.phase.into()), steps, &errors, sum);
            }
        })
    };
    optimise(model, moments, choices.len(), schedule, &gradient, report, control)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::eval::network::PHASES;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn a_known_policy_is_found_again() {
        let mut truth = Policy::new(Model::new(&[0; 6 * PHASES], 1));
        truth.weights.copy_from_slice(&[0.0, 1.0, 2.0, 0.0, -1.0, 0.5]);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut choices = Choices::default();
        for _ in 0..3_000 {
            let candidates: Vec<[u16; 2]> =
                (0..5).map(|_| [random.random_range(0..3), random.random_range(3..6)]).collect();
            let mut one = Choices::default();
            one.push(candidates.iter().map(|features| (&features[..], 0.0)), 0);
            let shares = truth.probabilities(&one, &one.choices[0]);
            choices.push(candidates.iter().zip(shares).map(|(features, share)| (&features[..], share)), 0);
        }
        let mut found = Policy::new(Model::new(&[0; 6 * PHASES], 1));
        let schedule = Schedule { epochs: 20, batch: 500, rate: 0.05, evidence: 0.0, others_only: false, seed: 2 };
        fit_policy(&mut found, Moments::default(), &choices, &schedule, &mut |_, _| Ok(()), &Control::default())
            .unwrap();
        assert!((found.policy_loss(&choices) - truth.policy_loss(&choices)).abs() < 1e-4);
        // Only differences within a table are told by the data.
        let changes = &found.weights;
        assert!((changes[2] - changes[0] - 2.0).abs() < 0.05, "{changes:?}");
        assert!((changes[4] - changes[3] + 1.0).abs() < 0.05, "{changes:?}");
        // From what was found on there is nothing to learn, and its table says the same.
        let again = Policy::new(Model::new(&found.table(), 1));
        assert!((again.policy_loss(&choices) - found.policy_loss(&choices)).abs() < 1e-5);
    }

    #[test]
    fn offsets_go_beyond_32_bits() {
        let mut choices = Choices::default();
        choices.push([(&[1, 2, 3][..], 0.5), (&[4, 5, 6], 0.5)].into_iter(), 7);
        let [choice] = choices.choices[..] else { panic!() };
        let (features, targets, squares) = ((1 << 33) + 5, (1 << 32) + 1, (1 << 34) + 2);
        let expected = Choice { features: features as u64, targets: targets as u64, squares: squares as u64, ..choice };
        assert_eq!(choice.behind(features, targets, squares), expected);
        let mut twice = Choices::default();
        for _ in 0..2 {
            let mut other = Choices::default();
            other.push(choices.candidates(&choice), 7);
            other.push_squares(&[2, 1, 5, 6], &[(0, None), (1, None)]);
            twice.append(other);
        }
        let choice = Choice { squares_count: 4, ..choice };
        assert_eq!(twice.choices, [choice, choice.behind(6, 2, 4)]);
        for choice in &twice.choices {
            assert!(twice.candidates(choice).eq(choices.candidates(&choices.choices[0])));
        }
    }
}
