//! Fitting a linear model of the logit of a score, on sparse counts. The loss is the cross-entropy of the predicted and the wanted score.

use super::optimiser::{BLOCK, Model, Schedule, mean_gradient, optimise};
use rayon::prelude::*;

/// Sparse samples in one block of memory.
#[derive(Default)]
pub struct Samples {
    entries: Vec<(u16, i16)>,
    ends: Vec<u32>,
    places: Vec<f32>,
    targets: Vec<f32>,
}

impl Samples {
    /// Adds a sample: features with their counts, its place among the knots (0 … knots − 1), and the score to be predicted.
    pub fn push(&mut self, entries: impl IntoIterator<Item = (u16, i16)>, place: f32, target: f32) {
        self.entries.extend(entries);
        self.ends.push(self.entries.len() as u32);
        self.places.push(place);
        self.targets.push(target);
    }

    /// Appends all of `other`.
    pub fn append(&mut self, other: Self) {
        let base = self.entries.len() as u32;
        self.entries.extend(other.entries);
        self.ends.extend(other.ends.iter().map(|end| end + base));
        self.places.extend(other.places);
        self.targets.extend(other.targets);
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    fn sample(&self, index: usize) -> (&[(u16, i16)], f32, f32) {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        (&self.entries[start..self.ends[index] as usize], self.places[index], self.targets[index])
    }
}

impl Model {
    fn logit(&self, entries: &[(u16, i16)], place: f32) -> f32 {
        let (low, high, share) = self.around(place);
        let (mut first, mut second) = (0.0, 0.0);
        for &(feature, count) in entries {
            first += self.weights[low + usize::from(feature)] * f32::from(count);
            second += self.weights[high + usize::from(feature)] * f32::from(count);
        }
        first * (1.0 - share) + second * share
    }

    /// Mean cross-entropy, in nats.
    #[must_use]
    pub fn loss(&self, samples: &Samples) -> f64 {
        let sums: Vec<f64> = (0..samples.len().div_ceil(BLOCK))
            .into_par_iter()
            .map(|block| {
                let range = block * BLOCK..((block + 1) * BLOCK).min(samples.len());
                range
                    .map(|index| {
                        let (entries, place, target) = samples.sample(index);
                        cross_entropy(self.logit(entries, place), target)
                    })
                    .sum()
            })
            .collect();
        sums.iter().sum::<f64>() / samples.len().max(1) as f64
    }
}

fn cross_entropy(logit: f32, target: f32) -> f64 {
    let (logit, target) = (f64::from(logit), f64::from(target));
    // ln(1 + e^x), without overflow.
    let softplus = |x: f64| x.max(0.0) + libm::log1p(libm::exp(-x.abs()));
    target * softplus(-logit) + (1.0 - target) * softplus(logit)
}

/// Fits `model` to `samples`. After each epoch `report` gets its number and the model.
pub fn fit(model: &mut Model, samples: &Samples, schedule: &Schedule, report: &mut dyn FnMut(u32, &Model)) {
    optimise(model, samples.len(), schedule, &|model, batch| gradient(model, samples, batch), report);
}

/// Of the mean loss.
fn gradient(model: &Model, samples: &Samples, batch: &[u32]) -> Vec<f32> {
    mean_gradient(model, batch, &|index, sum| {
        let (entries, place, target) = samples.sample(index);
        let (low, high, share) = model.around(place);
        let error = crate::eval::logistic(model.logit(entries, place)) - target;
        for &(feature, count) in entries {
            let slope = error * f32::from(count);
            sum[low + usize::from(feature)] += slope * (1.0 - share);
            sum[high + usize::from(feature)] += slope * share;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn known_weights_are_found_again() {
        let truth = Model { features: 3, weights: vec![0.5, -1.0, 0.2, 1.5, 0.0, -0.3] };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut samples = Samples::default();
        for _ in 0..40_000 {
            let counts: Vec<_> = (0..3).map(|feature| (feature, random.random_range(-3..=3))).collect();
            let place = random.random::<f32>();
            let score = crate::eval::logistic(truth.logit(&counts, place));
            let target = f32::from(u8::from(random.random::<f32>() < score));
            samples.push(counts, place, target);
        }
        let mut found = Model { features: 3, weights: vec![0.0; 6] };
        let before = found.loss(&samples);
        let schedule = Schedule { epochs: 8, batch: 2_000, rate: 0.05, decay: 0.0, seed: 2 };
        let mut epochs = 0;
        fit(&mut found, &samples, &schedule, &mut |epoch, _| epochs = epoch);
        assert_eq!(epochs, 8);
        assert!(found.loss(&samples) <= truth.loss(&samples) + 1e-3 && truth.loss(&samples) < before - 0.1);
        for (found, truth) in found.weights.iter().zip(&truth.weights) {
            assert!((found - truth).abs() < 0.12, "{found} instead of {truth}");
        }
        let mut again = Model { features: 3, weights: vec![0.0; 6] };
        fit(&mut again, &samples, &schedule, &mut |_, _| ());
        assert_eq!(again, found, "the same data and seed give the same weights");
    }
}
