//! Fitting the logit of a score on sparse counts: a linear model, and beside it one layer of hidden units that see the same counts.
//!
//! `logit = Σ w(place)·count + Σ output · clamp(bias + row(place) + Σ input · count / 8, 0, 1)`
//!
//! From the logit `l` and a threshold `d` follow win and loss, `σ(l − d)` and `σ(−l − d)`, and what is left is a draw. The loss is that of the
//! game's result, −ln of its probability, mixed with the cross-entropy of the expected score and that of the search.

use super::odds::{Odds, Target, softplus};
use super::optimiser::{BLOCK, Fitted, Model, Moments, Schedule, knots_around, mean_gradient, optimise};
use crate::eval::logistic;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use std::io;

/// One sample.
#[derive(Clone, Copy)]
struct Sample<'a> {
    entries: &'a [(u16, i16)],
    place: f32,
    class: usize,
    target: Target,
}

/// Sparse samples in one block of memory.
#[derive(Default)]
pub struct Samples {
    entries: Vec<(u16, i16)>,
    ends: Vec<u64>,
    places: Vec<f32>,
    classes: Vec<u8>,
    targets: Vec<Target>,
}

impl Samples {
    /// Adds a sample: features with their counts, its place among the knots (0 … knots − 1), its class of draws, and what is wanted.
    pub fn push(&mut self, entries: impl IntoIterator<Item = (u16, i16)>, place: f32, class: usize, target: Target) {
        self.entries.extend(entries);
        self.ends.push(self.entries.len() as u64);
        self.places.push(place);
        self.classes.push(class as u8);
        self.targets.push(target);
    }

    /// Appends all of `other`.
    pub fn append(&mut self, other: Self) {
        let base = self.entries.len() as u64;
        self.entries.extend(other.entries);
        self.ends.extend(other.ends.iter().map(|end| end + base));
        self.places.extend(other.places);
        self.classes.extend(other.classes);
        self.targets.extend(other.targets);
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    fn sample(&self, index: usize) -> Sample<'_> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        let entries = &self.entries[start..self.ends[index] as usize];
        let (place, class, target) = (self.places[index], usize::from(self.classes[index]), self.targets[index]);
        Sample { entries, place, class, target }
    }
}

/// What counts are divided by before they meet the hidden units' weights, so that these are of the size of the others.
pub const COUNT_UNIT: f32 = 8.0;
/// Where thresholds start, before they are made positive.
const FIRST_THRESHOLD: f32 = -1.0;

/// A linear model with hidden units and thresholds.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    knots: usize,
    features: usize,
    hidden: usize,
    /// Classes of draws; 0 if there are none.
    classes: usize,
    /// The linear weights, knot by knot; the hidden units' weights, feature by feature; then knot by knot; their biases; the
    /// outputs; the thresholds' parts for each knot, then for each class.
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
    thresholds: usize,
    classes: usize,
}

impl Network {
    /// A linear model with so many hidden units beside it, which add nothing yet, and so many classes of draws.
    #[must_use]
    pub fn new(linear: &Model, hidden: usize, classes: usize, seed: u64) -> Self {
        let (knots, features) = (linear.knots(), linear.features);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut weights = linear.weights.clone();
        weights.extend((0..(features + knots) * hidden).map(|_| 0.2 * random.random::<f32>() - 0.1));
        weights.extend((0..hidden).map(|_| 0.2 + 0.2 * random.random::<f32>()));
        weights.extend(vec![0.0; hidden]);
        if classes > 0 {
            weights.extend(vec![FIRST_THRESHOLD; knots]);
            weights.extend(vec![0.0; classes]);
        }
        Self { knots, features, hidden, classes, weights }
    }

    fn parts(&self) -> Parts {
        let inputs = self.knots * self.features;
        let rows = inputs + self.features * self.hidden;
        let biases = rows + self.knots * self.hidden;
        let outputs = biases + self.hidden;
        let thresholds = outputs + self.hidden;
        Parts { inputs, rows, biases, outputs, thresholds, classes: thresholds + self.knots }
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
        let parts = self.parts();
        &self.weights[parts.outputs..parts.thresholds]
    }

    /// The threshold of a class at a place; 0 without draws.
    #[must_use]
    pub fn threshold(&self, place: f32, class: usize) -> f32 {
        if self.classes == 0 { 0.0 } else { softplus(self.raw_threshold(place, class)) }
    }

    fn raw_threshold(&self, place: f32, class: usize) -> f32 {
        let parts = self.parts();
        let (low, high, share) = knots_around(place, self.knots);
        let knot = |knot: usize| self.weights[parts.thresholds + knot];
        knot(low) * (1.0 - share) + knot(high) * share + self.weights[parts.classes + class]
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
        let outputs = &self.weights[parts.outputs..parts.thresholds];
        logit + units.iter().zip(outputs).map(|(unit, output)| unit.clamp(0.0, 1.0) * output).sum::<f32>()
    }

    /// Adds the gradient of one sample's loss.
    fn add_gradient(&self, sample: &Sample, sum: &mut [f32]) {
        let Sample { entries, place, class, target } = *sample;
        let parts = self.parts();
        let (low, high, share) = knots_around(place, self.knots);
        let mut units = Vec::with_capacity(self.hidden);
        let odds = Odds::new(self.logit(entries, place, &mut units), self.threshold(place, class));
        let (error, by_threshold) = odds.slopes(&target);
        if self.classes > 0 {
            let slope = by_threshold * logistic(self.raw_threshold(place, class));
            sum[parts.thresholds + low] += slope * (1.0 - share);
            sum[parts.thresholds + high] += slope * share;
            sum[parts.classes + class] += slope;
        }
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

    /// Mean loss, in nats.
    #[must_use]
    pub fn loss(&self, samples: &Samples) -> f64 {
        let sums: Vec<f64> = (0..samples.len().div_ceil(BLOCK))
            .into_par_iter()
            .map(|block| {
                let mut units = Vec::new();
                let range = block * BLOCK..((block + 1) * BLOCK).min(samples.len());
                let one = |index| {
                    let Sample { entries, place, class, target } = samples.sample(index);
                    let logit = self.logit(entries, place, &mut units);
                    Odds::new(logit, self.threshold(place, class)).loss(&target)
                };
                range.map(one).sum()
            })
            .collect();
        sums.iter().sum::<f64>() / samples.len().max(1) as f64
    }
}

/// Fits `network` to `samples`, from `moments` on. After each epoch `report` gets the network and where it stands.
pub fn fit_network(
    network: &mut Network,
    moments: Moments,
    samples: &Samples,
    schedule: &Schedule,
    report: &mut dyn FnMut(&Network, &Moments) -> io::Result<()>,
) -> io::Result<()> {
    let gradient = |network: &Network, batch: &[u32]| {
        mean_gradient(network.weights.len(), batch, &|index, sum| network.add_gradient(&samples.sample(index), sum))
    };
    optimise(network, moments, samples.len(), schedule, &gradient, report)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blank(hidden: usize, classes: usize, seed: u64) -> Network {
        Network::new(&Model { features: 3, weights: vec![0.0; 6] }, hidden, classes, seed)
    }

    /// Samples whose results have the probabilities of win and loss that `odds` gives for counts, place and class.
    fn data(odds: impl Fn(&[(u16, i16)], f32, usize) -> (f32, f32)) -> Samples {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut samples = Samples::default();
        for _ in 0..40_000 {
            let counts: Vec<_> = (0..3).map(|feature| (feature, random.random_range(-3..=3))).collect();
            let (place, class) = (random.random::<f32>(), random.random_range(0..2));
            let (win, loss) = odds(&counts, place, class);
            let drawn = random.random::<f32>();
            let result = if drawn < win { 2 } else { u8::from(drawn < 1.0 - loss) };
            samples.push(counts, place, class, Target { result, score: 0.0, share: 0.0 });
        }
        samples
    }

    fn fitted(mut network: Network, samples: &Samples, schedule: &Schedule) -> Network {
        fit_network(&mut network, Moments::default(), samples, schedule, &mut |_, _| Ok(())).unwrap();
        network
    }

    #[test]
    fn known_weights_and_thresholds_are_found_again() {
        let linear = Model { features: 3, weights: vec![0.5, -1.0, 0.2, 1.5, 0.0, -0.3] };
        let mut truth = Network::new(&linear, 0, 2, 0);
        let classes = truth.parts().classes;
        truth.weights[classes..].copy_from_slice(&[0.0, 1.5]);
        let samples = data(|counts, place, class| {
            let odds = Odds::new(truth.logit(counts, place, &mut Vec::new()), truth.threshold(place, class));
            (odds.win, 1.0 - odds.not_loss)
        });
        let schedule = Schedule { epochs: 8, batch: 2_000, rate: 0.05, seed: 2 };
        let found = fitted(blank(0, 2, 0), &samples, &schedule);
        assert!(found.loss(&samples) <= truth.loss(&samples) + 1e-3);
        assert!(truth.loss(&samples) < blank(0, 2, 0).loss(&samples) - 0.1);
        for (found, truth) in found.weights[..6].iter().zip(&truth.weights) {
            assert!((found - truth).abs() < 0.12, "{found} instead of {truth}");
        }
        for class in 0..2 {
            let [found, truth] = [&found, &truth].map(|network| network.threshold(0.5, class));
            assert!((found - truth).abs() < 0.05, "{found} instead of {truth}");
        }
        assert_eq!(fitted(blank(0, 2, 0), &samples, &schedule), found, "the same data and seed give the same weights");
        // Broken off after three epochs and taken up again.
        let mut kept = None;
        let mut cut = blank(0, 2, 0);
        let broken = fit_network(&mut cut, Moments::default(), &samples, &schedule, &mut |model, moments| {
            kept = Some((model.clone(), moments.clone()));
            if moments.epoch == 3 { Err(io::Error::other("killed")) } else { Ok(()) }
        });
        assert!(broken.is_err());
        let (mut again, moments) = kept.unwrap();
        fit_network(&mut again, moments, &samples, &schedule, &mut |_, _| Ok(())).unwrap();
        assert_eq!(again, found);
    }

    #[test]
    fn hidden_units_learn_what_no_linear_model_can() {
        let samples = data(|counts, _, _| if (counts[0].1 > 0) == (counts[1].1 > 0) { (0.9, 0.1) } else { (0.1, 0.9) });
        let schedule = Schedule { epochs: 10, batch: 1_000, rate: 0.05, seed: 2 };
        let loss = |hidden| fitted(blank(hidden, 0, 3), &samples, &schedule).loss(&samples);
        let (linear, hidden) = (loss(0), loss(8));
        assert!(hidden < linear - 0.08, "{linear} {hidden}");
    }
}
