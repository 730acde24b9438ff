//! Fitting a policy: the softmax of a linear model over the steps of a position. The loss is the cross-entropy
//! between the predicted probabilities and the shares of the search's visits.

use super::optimiser::{BLOCK, Model, Moments, Schedule, mean_gradient, mixed, optimise};
use crate::eval::network::SCALE;
use crate::search::Control;
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
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Choice {
    /// Offset of its features. Half a million games need more than 32 bits.
    features: u64,
    /// Offset of its targets.
    targets: u64,
    candidates: u16,
    of_each: u16,
    phase: u8,
}

impl Choice {
    /// The same choice with larger offsets.
    fn behind(self, features: usize, targets: usize) -> Self {
        Self { features: self.features + features as u64, targets: self.targets + targets as u64, ..self }
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
        let choice = Choice { features: 0, targets: 0, candidates, of_each, phase: phase as u8 };
        self.choices.push(choice.behind(features, targets));
    }

    /// Appends all of `other`.
    pub fn append(&mut self, other: Self) {
        let (features, targets) = (self.features.len(), self.targets.len());
        self.features.extend(other.features);
        self.targets.extend(other.targets);
        self.choices.extend(other.choices.into_iter().map(|choice| choice.behind(features, targets)));
    }

    /// Number of choices.
    #[must_use]
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

impl Model {
    fn probabilities(&self, choices: &Choices, choice: &Choice) -> Vec<f32> {
        let (low, high, share) = self.around(choice.phase.into());
        let known = self.known(choice.phase.into());
        let logit = |(features, _): (&[u16], f32)| {
            let (mut sum, mut change) = (0, 0.0);
            for &feature in features {
                let feature = usize::from(feature);
                sum += i64::from(known[feature]);
                change += mixed(self.changes[low + feature], self.changes[high + feature], share);
            }
            sum as f32 / SCALE + change
        };
        let mut logits: Vec<f32> = choices.candidates(choice).map(logit).collect();
        let most = logits.iter().copied().fold(f32::MIN, f32::max);
        logits.iter_mut().for_each(|logit| *logit = libm::expf(*logit - most));
        let sum: f32 = logits.iter().sum();
        logits.iter_mut().for_each(|logit| *logit /= sum);
        logits
    }

    /// Mean cross-entropy of a policy, in nats.
    #[must_use]
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
    model: &mut Model,
    moments: Moments,
    choices: &Choices,
    schedule: &Schedule,
    report: &mut dyn FnMut(&Model, &Moments) -> io::Result<()>,
    control: &Control,
) -> io::Result<()> {
    let gradient = |model: &Model, batch: &[usize]| {
        mean_gradient(model.changes.len(), batch, &|index, sum| {
            let choice = &choices.choices[index];
            let (low, high, share) = model.around(choice.phase.into());
            for (p, (features, target)) in model.probabilities(choices, choice).iter().zip(choices.candidates(choice)) {
                let error = p - target;
                for &feature in features {
                    sum[low + usize::from(feature)] += error * (1.0 - share);
                    sum[high + usize::from(feature)] += error * share;
                }
            }
        })
    };
    optimise(model, moments, choices.len(), schedule, &gradient, report, control)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::PHASES;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn a_known_policy_is_found_again() {
        let mut truth = Model::new(&[0; 6 * PHASES], 1);
        truth.changes.copy_from_slice(&[0.0, 1.0, 2.0, 0.0, -1.0, 0.5]);
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
        let mut found = Model::new(&[0; 6 * PHASES], 1);
        let schedule = Schedule { epochs: 20, batch: 500, rate: 0.05, evidence: 0.0, seed: 2 };
        fit_policy(&mut found, Moments::default(), &choices, &schedule, &mut |_, _| Ok(()), &Control::default())
            .unwrap();
        assert!((found.policy_loss(&choices) - truth.policy_loss(&choices)).abs() < 1e-4);
        // Only differences within a table are told by the data.
        let changes = &found.changes;
        assert!((changes[2] - changes[0] - 2.0).abs() < 0.05, "{changes:?}");
        assert!((changes[4] - changes[3] + 1.0).abs() < 0.05, "{changes:?}");
        // From what was found on there is nothing to learn, and its table says the same.
        let again = Model::new(&found.table(), 1);
        assert!((again.policy_loss(&choices) - found.policy_loss(&choices)).abs() < 1e-5);
    }

    #[test]
    fn offsets_go_beyond_32_bits() {
        let mut choices = Choices::default();
        choices.push([(&[1, 2, 3][..], 0.5), (&[4, 5, 6], 0.5)].into_iter(), 7);
        let [choice] = choices.choices[..] else { panic!() };
        let (features, targets) = ((1 << 33) + 5, (1 << 32) + 1);
        let expected = Choice { features: features as u64, targets: targets as u64, ..choice };
        assert_eq!(choice.behind(features, targets), expected);
        let mut twice = Choices::default();
        for _ in 0..2 {
            let mut other = Choices::default();
            other.push(choices.candidates(&choice), 7);
            twice.append(other);
        }
        assert_eq!(twice.choices, [choice, choice.behind(6, 2)]);
        for choice in &twice.choices {
            assert!(twice.candidates(choice).eq(choices.candidates(&choices.choices[0])));
        }
    }
}
