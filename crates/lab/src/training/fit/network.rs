//! Fitting the logit of a score to sparse counts: a linear model, plus one layer of hidden units over the same counts.
//!
//! `logit = Σ w(phase)·count + Σ output · clamp(bias + row(phase) + Σ input · count / 8, 0, 1)`
//!
//! The weights are those that the fit starts from plus the changes that it learns. The logit `l` and a threshold `d`
//! give the probabilities of win and loss, `σ(l − d)` and `σ(−l − d)`; the rest is the draw. The loss is −ln of the
//! probability of the game's result, mixed with the cross-entropy between the expected score and the search's score.

use super::odds::{Odds, Target, inverse_softplus, softplus};
use super::optimiser::{
    BLOCK, Fitted, Model, Moments, Schedule, changed, knots_around, mean_gradient, mixed, optimise,
};
use super::shapes::Layer;
use hippolyta::eval::logistic;
use hippolyta::eval::network::{HIDDEN_ONE, OUTPUT_SCALE, PHASES, SCALE};
use hippolyta::eval::shapes::Scheme;
use hippolyta::search::Control;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use std::io;

/// One sample.
#[derive(Clone, Copy)]
struct Sample<'a> {
    entries: &'a [(u16, i16)],
    phase: usize,
    class: usize,
    target: Target,
    /// Squares that the layer of shapes sees; empty without one.
    squares: &'a [u16],
}

/// Sparse samples, in flat arrays.
#[derive(Default)]
pub struct Samples {
    entries: Vec<(u16, i16)>,
    ends: Vec<u64>,
    phases: Vec<u8>,
    classes: Vec<u8>,
    targets: Vec<Target>,
    squares: Vec<u16>,
    squares_ends: Vec<u64>,
}

impl Samples {
    /// Adds a sample: features with their counts, its phase, its class of draws, its target, and no squares.
    pub fn push(&mut self, entries: impl IntoIterator<Item = (u16, i16)>, phase: usize, class: usize, target: Target) {
        self.entries.extend(entries);
        self.ends.push(self.entries.len() as u64);
        self.phases.push(phase as u8);
        self.classes.push(class as u8);
        self.targets.push(target);
        self.squares_ends.push(self.squares.len() as u64);
    }

    /// Adds the squares of the last sample, for the layer of shapes.
    pub fn push_squares(&mut self, squares: &[u16]) {
        self.squares.extend(squares);
        if let Some(end) = self.squares_ends.last_mut() {
            *end = self.squares.len() as u64;
        }
    }

    /// Appends all of `other`.
    pub fn append(&mut self, other: Self) {
        let base = self.entries.len() as u64;
        self.entries.extend(other.entries);
        self.ends.extend(other.ends.iter().map(|end| end + base));
        self.phases.extend(other.phases);
        self.classes.extend(other.classes);
        self.targets.extend(other.targets);
        let base = self.squares.len() as u64;
        self.squares.extend(other.squares);
        self.squares_ends.extend(other.squares_ends.iter().map(|end| end + base));
    }

    /// Number of samples.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    fn sample(&self, index: usize) -> Sample<'_> {
        let range = |ends: &[u64]| {
            let start = if index == 0 { 0 } else { ends[index - 1] as usize };
            start..ends[index] as usize
        };
        let (entries, squares) = (&self.entries[range(&self.ends)], &self.squares[range(&self.squares_ends)]);
        let (phase, class) = (self.phases[index].into(), self.classes[index].into());
        Sample { entries, phase, class, target: self.targets[index], squares }
    }
}

/// Divisor of the counts before the hidden units, so that their weights are as large as linear ones.
pub const COUNT_UNIT: f32 = 8.0;
/// Initial threshold, before softplus, if no table of draws was learned yet.
const FIRST_THRESHOLD: f32 = -1.0;

/// A linear model with hidden units and thresholds, and where it has one a layer of shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    knots: usize,
    features: usize,
    hidden: usize,
    /// Number of classes of draws; 0 if there are no draws.
    classes: usize,
    known: Known,
    /// The layer of shapes, if there is one. Its weights stand after all others.
    shapes: Option<Layer>,
    /// Changes of the linear weights, knot by knot; the hidden units' weights, feature by feature; changes of their
    /// biases knot by knot, then for all phases; the outputs; changes of the thresholds for each knot, then for each
    /// class.
    weights: Vec<f32>,
}

/// The weights that the changes are added to.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    /// The linear weights, phase by phase, in 1/65536 logit.
    linear: Vec<i32>,
    /// The hidden units' biases, phase by phase, in units of [`HIDDEN_ONE`].
    biases: Vec<i32>,
    /// For each hidden unit, whether all its weights are 0. Such a unit starts with random weights.
    blank: Vec<bool>,
    /// The thresholds, phase by phase, in 1/65536 logit.
    draws: Vec<i32>,
    /// The thresholds before softplus.
    raw: Vec<f32>,
}

impl Fitted for Network {
    fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    fn of_counts(&self) -> usize {
        self.parts().shapes
    }
}

/// Offsets of the parts in the weights.
struct Parts {
    inputs: usize,
    rows: usize,
    biases: usize,
    outputs: usize,
    thresholds: usize,
    classes: usize,
    shapes: usize,
}

impl Network {
    /// The network of a linear model, a table of hidden units and one of thresholds, as weights files hold them: see
    /// [`set_hidden`](hippolyta::eval::network::Network::set_hidden). Hidden units that were never learned get random
    /// inputs and outputs of 0, so they add nothing yet.
    pub fn new(linear: &Model, hidden: &[i32], draws: &[i32], seed: u64) -> Self {
        let (knots, features, classes) = (linear.knots(), linear.features, draws.len() / PHASES);
        let (table, hidden) = (hidden, hidden.len() / (features + PHASES + 1));
        let blank: Vec<_> = (0..hidden).map(|unit| table.chunks(hidden).all(|row| row[unit] == 0)).collect();
        let (inputs, rest) = table.split_at(features * hidden);
        let (biases, outputs) = rest.split_at(PHASES * hidden);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut start = |index: usize, known: f32, least: f32| {
            let random = least + 0.2 * random.random::<f32>();
            if blank[index % hidden] { random } else { known }
        };
        let mut weights = linear.changes.clone();
        let input = |weight: i32| weight as f32 / HIDDEN_ONE as f32 * COUNT_UNIT;
        weights.extend(inputs.iter().enumerate().map(|(index, &weight)| start(index, input(weight), -0.1)));
        weights.extend((0..knots * hidden).map(|index| start(index, 0.0, -0.1)));
        weights.extend((0..hidden).map(|index| start(index, 0.0, 0.2)));
        weights.extend(outputs.iter().map(|&weight| weight as f32 / OUTPUT_SCALE));
        if classes > 0 {
            weights.extend(vec![0.0; knots + classes]);
        }
        let raw = |&threshold: &i32| match threshold {
            0 if draws.iter().all(|&threshold| threshold == 0) => FIRST_THRESHOLD,
            // A threshold of 0 would have no gradient, so take one that is rounded to 0.
            _ => inverse_softplus((threshold as f32).max(0.25) / SCALE),
        };
        let raw = draws.iter().map(raw).collect();
        let known = Known { linear: linear.known.clone(), biases: biases.to_vec(), blank, draws: draws.to_vec(), raw };
        Self { knots, features, hidden, classes, known, shapes: None, weights }
    }

    /// Adds a layer of shapes, whose table is `table`.
    #[must_use]
    pub fn with_shapes(mut self, scheme: &'static Scheme, table: &[i32], seed: u64) -> Self {
        let layer = Layer::new(scheme, table, self.is_blank());
        self.weights.truncate(self.parts().shapes);
        self.weights.extend(layer.start(table, seed));
        self.shapes = Some(layer);
        self
    }

    /// Whether all hidden units were blank at the start: the weights were never learned.
    pub fn is_blank(&self) -> bool {
        self.known.blank.iter().all(|&blank| blank)
    }

    fn parts(&self) -> Parts {
        let inputs = self.knots * self.features;
        let rows = inputs + self.features * self.hidden;
        let biases = rows + self.knots * self.hidden;
        let outputs = biases + self.hidden;
        let thresholds = outputs + self.hidden;
        let classes = thresholds + self.knots;
        let shapes = if self.classes > 0 { classes + self.classes } else { thresholds };
        Parts { inputs, rows, biases, outputs, thresholds, classes, shapes }
    }

    /// The table of the linear weights.
    pub fn linear_table(&self) -> Vec<i32> {
        let (known, changes) = (self.known.linear.clone(), self.weights[..self.parts().inputs].to_vec());
        Model { features: self.features, known, changes }.table()
    }

    /// The table of the hidden units.
    pub fn hidden_table(&self) -> Vec<i32> {
        let parts = self.parts();
        let one = |weight: f32| (weight * HIDDEN_ONE as f32).round() as i32;
        let mut table: Vec<_> =
            self.weights[parts.inputs..parts.rows].iter().map(|weight| one(weight / COUNT_UNIT)).collect();
        for (phase, known) in self.known.biases.chunks(self.hidden.max(1)).enumerate() {
            let (low, high, share) = knots_around(phase, self.knots);
            let row = |knot: usize, unit: usize| self.weights[parts.rows + knot * self.hidden + unit];
            let change = |unit| self.weights[parts.biases + unit] + mixed(row(low, unit), row(high, unit), share);
            table.extend((0..self.hidden).map(|unit| changed(known[unit], change(unit), HIDDEN_ONE as f32)));
        }
        let outputs = table.len();
        let of_logit = |weight: &f32| (weight * OUTPUT_SCALE).round() as i32;
        table.extend(self.weights[parts.outputs..parts.thresholds].iter().map(of_logit));
        // A random unit whose output is 0 learned nothing: it stays blank.
        for unit in 0..self.hidden {
            if self.known.blank[unit] && table[outputs + unit] == 0 {
                table.iter_mut().skip(unit).step_by(self.hidden).for_each(|weight| *weight = 0);
            }
        }
        table
    }

    /// The table of the thresholds.
    pub fn draws_table(&self) -> Vec<i32> {
        let places = (0..PHASES).flat_map(|phase| (0..self.classes).map(move |class| (phase, class)));
        let threshold = |((phase, class), &known)| match self.threshold_change(phase, class) {
            0.0 => known,
            _ => (self.threshold(phase, class) * SCALE).round() as i32,
        };
        places.zip(&self.known.draws).map(threshold).collect()
    }

    /// The table of the shapes; empty without them.
    pub fn shapes_table(&self) -> Vec<i32> {
        self.shapes.as_ref().map_or(Vec::new(), |layer| layer.table(&self.weights[self.parts().shapes..]))
    }

    /// The threshold of a class in a phase; 0 without draws.
    fn threshold(&self, phase: usize, class: usize) -> f32 {
        if self.classes == 0 { 0.0 } else { softplus(self.raw_threshold(phase, class)) }
    }

    fn raw_threshold(&self, phase: usize, class: usize) -> f32 {
        self.known.raw[phase * self.classes + class] + self.threshold_change(phase, class)
    }

    fn threshold_change(&self, phase: usize, class: usize) -> f32 {
        let parts = self.parts();
        let (low, high, share) = knots_around(phase, self.knots);
        let knot = |knot: usize| self.weights[parts.thresholds + knot];
        mixed(knot(low), knot(high), share) + self.weights[parts.classes + class]
    }

    /// The logit. `units` gets the hidden units before they are clamped.
    fn logit(&self, entries: &[(u16, i16)], phase: usize, units: &mut Vec<f32>) -> f32 {
        let parts = self.parts();
        let (low, high, share) = knots_around(phase, self.knots);
        let known = &self.known.linear[phase * self.features..][..self.features];
        let biases = &self.known.biases[phase * self.hidden..][..self.hidden];
        units.clear();
        units.extend(biases.iter().map(|&bias| bias as f32 / HIDDEN_ONE as f32));
        let mut add =
            |row: &[f32], factor: f32| units.iter_mut().zip(row).for_each(|(unit, weight)| *unit += factor * weight);
        let row = |start: usize, index: usize| &self.weights[start + index * self.hidden..][..self.hidden];
        let (mut sum, mut logit) = (0, 0.0);
        for &(feature, count) in entries {
            let (feature, times) = (usize::from(feature), f32::from(count));
            sum += i64::from(known[feature]) * i64::from(count);
            let [low, high] = [low, high].map(|knot| self.weights[knot * self.features + feature]);
            logit += mixed(low, high, share) * times;
            add(row(parts.inputs, feature), times / COUNT_UNIT);
        }
        logit += sum as f32 / SCALE;
        add(&self.weights[parts.biases..parts.outputs], 1.0);
        add(row(parts.rows, low), 1.0 - share);
        add(row(parts.rows, high), share);
        let outputs = &self.weights[parts.outputs..parts.thresholds];
        logit + units.iter().zip(outputs).map(|(unit, output)| unit.clamp(0.0, 1.0) * output).sum::<f32>()
    }

    /// Adds the gradient of one sample's loss.
    fn add_gradient(&self, sample: &Sample, sum: &mut [f32]) {
        let Sample { entries, phase, class, target, squares } = *sample;
        let parts = self.parts();
        let (low, high, share) = knots_around(phase, self.knots);
        let mut units = Vec::with_capacity(self.hidden);
        let (logit, threshold) = (self.logit(entries, phase, &mut units), self.threshold(phase, class));
        let slopes = |shapes: f32| Odds::new(logit + shapes, threshold).slopes(&target);
        let (error, by_threshold) = match self.layer_of(squares) {
            Some((layer, weights)) => {
                let mut found = (0.0, 0.0);
                let mut slope = |shapes: f32| {
                    found = slopes(shapes);
                    found.0
                };
                let board = layer.board(squares);
                layer.add_gradient(weights, (&board, phase), &mut slope, &mut sum[parts.shapes..]);
                found
            }
            None => slopes(0.0),
        };
        if self.classes > 0 {
            let slope = by_threshold * logistic(self.raw_threshold(phase, class));
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

    /// The layer of shapes and its weights, if there is one and it has squares to look at.
    fn layer_of(&self, squares: &[u16]) -> Option<(&Layer, &[f32])> {
        let layer = self.shapes.as_ref().filter(|_| !squares.is_empty())?;
        Some((layer, &self.weights[self.parts().shapes..]))
    }

    /// Mean loss, in nats.
    pub fn loss(&self, samples: &Samples) -> f64 {
        let sums: Vec<f64> = (0..samples.len().div_ceil(BLOCK))
            .into_par_iter()
            .map(|block| {
                let mut units = Vec::new();
                let range = block * BLOCK..((block + 1) * BLOCK).min(samples.len());
                let one = |index| {
                    let Sample { entries, phase, class, target, squares } = samples.sample(index);
                    let layer = self.layer_of(squares);
                    let shapes = layer.map(|(layer, weights)| layer.logit(weights, &layer.board(squares), phase));
                    let logit = self.logit(entries, phase, &mut units) + shapes.unwrap_or_default();
                    Odds::new(logit, self.threshold(phase, class)).loss(&target)
                };
                range.map(one).sum()
            })
            .collect();
        sums.iter().sum::<f64>() / samples.len().max(1) as f64
    }
}

/// Fits `network` to `samples`, starting from `moments`. After each epoch `report` gets the network and the moments.
pub fn fit_network(
    network: &mut Network,
    moments: Moments,
    samples: &Samples,
    schedule: &Schedule,
    report: &mut dyn FnMut(&Network, &Moments) -> io::Result<()>,
    control: &Control,
) -> io::Result<()> {
    let gradient = |network: &Network, batch: &[usize]| {
        mean_gradient(network.weights.len(), batch, &|index, sum| network.add_gradient(&samples.sample(index), sum))
    };
    optimise(network, moments, samples.len(), schedule, &gradient, report, control)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blank(hidden: usize, classes: usize, seed: u64) -> Network {
        let table = |size: usize| vec![0; size];
        Network::new(
            &Model::new(&table(3 * PHASES), 2),
            &table((3 + PHASES + 1) * hidden),
            &table(classes * PHASES),
            seed,
        )
    }

    /// Samples whose results have the probabilities of win and loss that `odds` gives for counts, phase and class.
    fn data(odds: impl Fn(&[(u16, i16)], usize, usize) -> (f32, f32)) -> Samples {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut samples = Samples::default();
        for _ in 0..40_000 {
            let counts: Vec<_> = (0..3).map(|feature| (feature, random.random_range(-3..=3))).collect();
            let (phase, class) = (random.random_range(0..PHASES), random.random_range(0..2));
            let (win, loss) = odds(&counts, phase, class);
            let drawn = random.random::<f32>();
            let result = if drawn < win { 2 } else { u8::from(drawn < 1.0 - loss) };
            samples.push(counts, phase, class, Target { result, score: 0.0, share: 0.0 });
        }
        samples
    }

    fn fitted(mut network: Network, samples: &Samples, schedule: &Schedule) -> Network {
        fit_network(&mut network, Moments::default(), samples, schedule, &mut |_, _| Ok(()), &Control::default())
            .unwrap();
        network
    }

    #[test]
    fn known_weights_and_thresholds_are_found_again() {
        let mut truth = blank(0, 2, 0);
        truth.weights[..6].copy_from_slice(&[0.5, -1.0, 0.2, 1.5, 0.0, -0.3]);
        let classes = truth.parts().classes;
        truth.weights[classes..].copy_from_slice(&[0.0, 1.5]);
        let samples = data(|counts, phase, class| {
            let odds = Odds::new(truth.logit(counts, phase, &mut Vec::new()), truth.threshold(phase, class));
            (odds.win, 1.0 - odds.not_loss)
        });
        let schedule = Schedule { epochs: 8, batch: 2_000, rate: 0.05, evidence: 0.0, others_only: false, seed: 2 };
        let found = fitted(blank(0, 2, 0), &samples, &schedule);
        assert!(found.loss(&samples) <= truth.loss(&samples) + 1e-3);
        assert!(truth.loss(&samples) < blank(0, 2, 0).loss(&samples) - 0.1);
        for (found, truth) in found.weights[..6].iter().zip(&truth.weights) {
            assert!((found - truth).abs() < 0.12, "{found} instead of {truth}");
        }
        for class in 0..2 {
            let [found, truth] = [&found, &truth].map(|network| network.threshold(PHASES / 2, class));
            assert!((found - truth).abs() < 0.05, "{found} instead of {truth}");
        }
        assert_eq!(fitted(blank(0, 2, 0), &samples, &schedule), found, "the same data and seed give the same weights");
        // Broken off after three epochs and taken up again.
        let mut kept = None;
        let mut cut = blank(0, 2, 0);
        let broken = fit_network(
            &mut cut,
            Moments::default(),
            &samples,
            &schedule,
            &mut |model, moments| {
                kept = Some((model.clone(), moments.clone()));
                if moments.epoch == 3 { Err(io::Error::other("killed")) } else { Ok(()) }
            },
            &Control::default(),
        );
        assert!(broken.is_err());
        let (mut again, moments) = kept.unwrap();
        fit_network(&mut again, moments, &samples, &schedule, &mut |_, _| Ok(()), &Control::default()).unwrap();
        assert_eq!(again, found);
    }

    /// The tables of a network.
    fn tables(network: &Network) -> [Vec<i32>; 3] {
        [network.linear_table(), network.hidden_table(), network.draws_table()]
    }

    #[test]
    fn what_is_not_learned_stays_as_it_was() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        let mut numbers = |count: usize, least: i32, most: i32| -> Vec<i32> {
            (0..count).map(|_| random.random_range(least..=most)).collect()
        };
        const HIDDEN: usize = 4;
        for part in 0..5 {
            let mut linear = numbers(3 * PHASES, -1 << 28, 1 << 28);
            let mut hidden = numbers((3 + PHASES + 1) * HIDDEN, -32_768, 32_767);
            let mut draws = numbers(2 * PHASES, 0, 1 << 21);
            match part {
                0 => hidden.fill(0),
                1 => draws.fill(0),
                // One blank unit, small thresholds, some of them 0.
                2 => hidden.iter_mut().skip(1).step_by(HIDDEN).for_each(|weight| *weight = 0),
                3 => draws = numbers(2 * PHASES, 0, 3),
                _ => linear = numbers(3 * PHASES, -60_000, 60_000),
            }
            let start = Network::new(&Model::new(&linear, 9), &hidden, &draws, 1);
            let known = [linear, hidden, draws];
            assert_eq!(tables(&start), known, "{part}");
            assert_eq!(start.is_blank(), part == 0);
            let samples = |features: u16, phases: usize| {
                let mut samples = Samples::default();
                for number in 0..2_000 {
                    let counts = (0..features).map(|feature| (feature, (number % 3) as i16 - 1));
                    let target = Target { result: (number / 3 % 3) as u8, score: 0.0, share: 0.0 };
                    samples.push(counts, number % phases, number % 2, target);
                }
                samples
            };
            let schedule = Schedule { epochs: 2, batch: 500, rate: 0.0, evidence: 0.0, others_only: false, seed: 1 };
            assert_eq!(tables(&fitted(start.clone(), &samples(3, PHASES), &schedule)), known, "{part}");
            // The last feature is not seen, and no phase from the eighth on; knots are four phases apart.
            let learned = tables(&fitted(start, &samples(2, 8), &Schedule { rate: 0.01, ..schedule }));
            for (place, (learned, known)) in learned[0].iter().zip(&known[0]).enumerate() {
                assert_eq!(learned == known, place % 3 == 2 || place / 3 >= 12, "{part} {place}");
            }
            for (input, known) in learned[1][2 * HIDDEN..3 * HIDDEN].iter().zip(&known[1][2 * HIDDEN..]) {
                assert!(input == known || *known == 0, "{part}");
            }
            // Thresholds of a few units change by less than one.
            assert_eq!(learned[2] == known[2], part == 3, "{part}");
        }
    }

    #[test]
    fn hidden_units_learn_what_no_linear_model_can() {
        let samples = data(|counts, _, _| if (counts[0].1 > 0) == (counts[1].1 > 0) { (0.9, 0.1) } else { (0.1, 0.9) });
        let schedule = Schedule { epochs: 10, batch: 1_000, rate: 0.05, evidence: 0.0, others_only: false, seed: 2 };
        let loss = |hidden| fitted(blank(hidden, 0, 3), &samples, &schedule).loss(&samples);
        let (linear, hidden) = (loss(0), loss(8));
        assert!(hidden < linear - 0.08, "{linear} {hidden}");
    }
}
