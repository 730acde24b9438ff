//! Fitting the logit of a score on sparse counts: a linear model, and beside it one layer of hidden units that see the same counts. The loss
//! is the cross-entropy of the predicted and the wanted score.
//!
//! `logit = Σ w(place)·count + Σ output · clamp(bias + row(place) + Σ input · count / 8, 0, 1)`

use super::optimiser::{BLOCK, Fitted, Model, Schedule, knots_around, mean_gradient, optimise};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
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

/// What counts are divided by before they meet the hidden units' weights, so that these are of the size of the others.
pub const COUNT_UNIT: f32 = 8.0;

/// A linear model with hidden units.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    knots: usize,
    features: usize,
    hidden: usize,
    /// The linear weights, knot by knot; the hidden units' weights, feature by feature; then knot by knot; their biases; the
    /// outputs.
    weights: Vec<f32>,
}

impl Fitted for Network {
    fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }
}

/// Where the parts of the weights begin.
struct Parts {
    inputs: usize,
    rows: usize,
    biases: usize,
    outputs: usize,
}

impl Network {
    /// A linear model with so many hidden units beside it, which add nothing yet.
    #[must_use]
    pub fn new(linear: &Model, hidden: usize, seed: u64) -> Self {
        let (knots, features) = (linear.knots(), linear.features);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut weights = linear.weights.clone();
        weights.extend((0..(features + knots) * hidden).map(|_| 0.2 * random.random::<f32>() - 0.1));
        weights.extend((0..hidden).map(|_| 0.2 + 0.2 * random.random::<f32>()));
        weights.extend(vec![0.0; hidden]);
        Self { knots, features, hidden, weights }
    }

    fn parts(&self) -> Parts {
        let inputs = self.knots * self.features;
        let rows = inputs + self.features * self.hidden;
        let biases = rows + self.knots * self.hidden;
        Parts { inputs, rows, biases, outputs: biases + self.hidden }
    }

    /// The linear part.
    #[must_use]
    pub fn linear(&self) -> Model {
        Model { features: self.features, weights: self.weights[..self.parts().inputs].to_vec() }
    }

    /// Weights of a feature to the hidden units, for a whole count.
    #[must_use]
    pub fn inputs(&self, feature: usize) -> Vec<f32> {
        let start = self.parts().inputs + feature * self.hidden;
        self.weights[start..start + self.hidden].iter().map(|weight| weight / COUNT_UNIT).collect()
    }

    /// The hidden units' biases at a place.
    #[must_use]
    pub fn biases(&self, place: f32) -> Vec<f32> {
        let parts = self.parts();
        let (low, high, share) = knots_around(place, self.knots);
        let row = |knot: usize, unit: usize| self.weights[parts.rows + knot * self.hidden + unit];
        let bias = |unit| self.weights[parts.biases + unit] + row(low, unit) * (1.0 - share) + row(high, unit) * share;
        (0..self.hidden).map(bias).collect()
    }

    /// What each hidden unit adds to the logit when it is 1.
    #[must_use]
    pub fn outputs(&self) -> &[f32] {
        &self.weights[self.parts().outputs..]
    }

    /// The logit; the hidden units before they are clamped are left in `units`.
    fn logit(&self, entries: &[(u16, i16)], place: f32, units: &mut Vec<f32>) -> f32 {
        let parts = self.parts();
        let (low, high, share) = knots_around(place, self.knots);
        units.clear();
        units.extend_from_slice(&self.weights[parts.biases..parts.outputs]);
        let mut add =
            |row: &[f32], factor: f32| units.iter_mut().zip(row).for_each(|(unit, weight)| *unit += factor * weight);
        let row = |start: usize, index: usize| &self.weights[start + index * self.hidden..][..self.hidden];
        let mut logit = 0.0;
        for &(feature, count) in entries {
            let (feature, count) = (usize::from(feature), f32::from(count));
            let linear = self.weights[low * self.features + feature] * (1.0 - share)
                + self.weights[high * self.features + feature] * share;
            logit += linear * count;
            add(row(parts.inputs, feature), count / COUNT_UNIT);
        }
        add(row(parts.rows, low), 1.0 - share);
        add(row(parts.rows, high), share);
        let outputs = &self.weights[parts.outputs..];
        logit + units.iter().zip(outputs).map(|(unit, output)| unit.clamp(0.0, 1.0) * output).sum::<f32>()
    }

    /// Adds the gradient of one sample's loss.
    fn add_gradient(&self, (entries, place, target): (&[(u16, i16)], f32, f32), sum: &mut [f32]) {
        let parts = self.parts();
        let (low, high, share) = knots_around(place, self.knots);
        let mut units = Vec::with_capacity(self.hidden);
        let error = crate::eval::logistic(self.logit(entries, place, &mut units)) - target;
        let mut slopes = vec![0.0; self.hidden];
        for unit in 0..self.hidden {
            sum[parts.outputs + unit] += error * units[unit].clamp(0.0, 1.0);
            if (0.0..1.0).contains(&units[unit]) {
                slopes[unit] = error * self.weights[parts.outputs + unit];
                sum[parts.biases + unit] += slopes[unit];
            }
        }
        let mut add = |start: usize, factor: f32| {
            sum[start..start + self.hidden].iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += factor * slope);
        };
        add(parts.rows + low * self.hidden, 1.0 - share);
        add(parts.rows + high * self.hidden, share);
        for &(feature, count) in entries {
            add(parts.inputs + usize::from(feature) * self.hidden, f32::from(count) / COUNT_UNIT);
        }
        for &(feature, count) in entries {
            let (feature, slope) = (usize::from(feature), error * f32::from(count));
            sum[low * self.features + feature] += slope * (1.0 - share);
            sum[high * self.features + feature] += slope * share;
        }
    }

    /// Mean cross-entropy, in nats.
    #[must_use]
    pub fn loss(&self, samples: &Samples) -> f64 {
        let sums: Vec<f64> = (0..samples.len().div_ceil(BLOCK))
            .into_par_iter()
            .map(|block| {
                let mut units = Vec::new();
                let range = block * BLOCK..((block + 1) * BLOCK).min(samples.len());
                let one = |index| {
                    let (entries, place, target) = samples.sample(index);
                    cross_entropy(self.logit(entries, place, &mut units), target)
                };
                range.map(one).sum()
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

/// Fits `network` to `samples`. After each epoch `report` gets its number and the network.
pub fn fit(network: &mut Network, samples: &Samples, schedule: &Schedule, report: &mut dyn FnMut(u32, &Network)) {
    let gradient = |network: &Network, batch: &[u32]| {
        mean_gradient(network.weights.len(), batch, &|index, sum| network.add_gradient(samples.sample(index), sum))
    };
    optimise(network, samples.len(), schedule, &gradient, report);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(score: impl Fn(&[(u16, i16)], f32) -> f32) -> Samples {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut samples = Samples::default();
        for _ in 0..40_000 {
            let counts: Vec<_> = (0..3).map(|feature| (feature, random.random_range(-3..=3))).collect();
            let place = random.random::<f32>();
            let target = f32::from(u8::from(random.random::<f32>() < score(&counts, place)));
            samples.push(counts, place, target);
        }
        samples
    }

    #[test]
    fn known_weights_are_found_again() {
        let truth = Network::new(&Model { features: 3, weights: vec![0.5, -1.0, 0.2, 1.5, 0.0, -0.3] }, 0, 0);
        let samples = data(|counts, place| crate::eval::logistic(truth.logit(counts, place, &mut Vec::new())));
        let start = Network::new(&Model { features: 3, weights: vec![0.0; 6] }, 0, 0);
        let (mut found, before) = (start.clone(), start.loss(&samples));
        let schedule = Schedule { epochs: 8, batch: 2_000, rate: 0.05, decay: 0.0, seed: 2 };
        let mut epochs = 0;
        fit(&mut found, &samples, &schedule, &mut |epoch, _| epochs = epoch);
        assert_eq!(epochs, 8);
        assert!(found.loss(&samples) <= truth.loss(&samples) + 1e-3 && truth.loss(&samples) < before - 0.1);
        for (found, truth) in found.weights.iter().zip(&truth.weights) {
            assert!((found - truth).abs() < 0.12, "{found} instead of {truth}");
        }
        let mut again = start;
        fit(&mut again, &samples, &schedule, &mut |_, _| ());
        assert_eq!(again, found, "the same data and seed give the same weights");
    }

    #[test]
    fn hidden_units_learn_what_no_linear_model_can() {
        let samples = data(|counts, _| if (counts[0].1 > 0) == (counts[1].1 > 0) { 0.9 } else { 0.1 });
        let schedule = Schedule { epochs: 10, batch: 1_000, rate: 0.05, decay: 0.0, seed: 2 };
        let loss = |hidden| {
            let mut found = Network::new(&Model { features: 3, weights: vec![0.0; 6] }, hidden, 3);
            fit(&mut found, &samples, &schedule, &mut |_, _| ());
            found.loss(&samples)
        };
        let (linear, hidden) = (loss(0), loss(8));
        assert!(hidden < linear - 0.08, "{linear} {hidden}");
    }
}
