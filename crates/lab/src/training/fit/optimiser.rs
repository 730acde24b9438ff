//! Linear models whose weights depend on the phase, and Adam (Kingma & Ba 2015) to fit them.
//!
//! A fit starts from a table of weights, one row for each phase, and learns changes to it. It learns them at a few
//! knots between the first and the last phase; in between they are interpolated linearly, so a sample also changes
//! neighbouring phases. A weight that no sample uses keeps its exact value. Gradients are summed in a fixed order, so
//! the same data and seed give the same weights with any number of threads.

use hippolyta::eval::network::{PHASES, SCALE};
use hippolyta::search::Control;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use std::io;

/// Number of knots of the changes to an evaluation's weights, from the first phase to the last.
pub const KNOTS: usize = 9;
/// Number of knots of the changes to a policy's weights.
pub const POLICY_KNOTS: usize = 5;

/// A table of weights and changes to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Number of features of a phase.
    pub features: usize,
    /// The table that the fit starts from, phase by phase, in 1/65536 logit.
    pub known: Vec<i32>,
    /// The changes, knot by knot, in logits.
    pub changes: Vec<f32>,
}

impl Model {
    /// A table without changes.
    pub fn new(known: &[i32], knots: usize) -> Self {
        let features = known.len() / PHASES;
        Self { features, known: known.to_vec(), changes: vec![0.0; knots * features] }
    }

    /// Number of knots.
    pub fn knots(&self) -> usize {
        self.changes.len() / self.features
    }

    /// Offsets of the changes of the two knots around a phase, and the weight of the second knot.
    pub fn around(&self, phase: usize) -> (usize, usize, f32) {
        let (low, high, share) = knots_around(phase, self.knots());
        (low * self.features, high * self.features, share)
    }

    /// The known weights of a phase.
    pub fn known(&self, phase: usize) -> &[i32] {
        &self.known[phase * self.features..][..self.features]
    }

    /// The table with the changes.
    pub fn table(&self) -> Vec<i32> {
        let row = |phase| {
            let (low, high, share) = self.around(phase);
            let change = move |feature| mixed(self.changes[low + feature], self.changes[high + feature], share);
            self.known(phase).iter().enumerate().map(move |(feature, &known)| changed(known, change(feature), SCALE))
        };
        (0..PHASES).flat_map(row).collect()
    }
}

/// Linear interpolation from `low` (share 0) to `high` (share 1).
#[inline(always)]
pub fn mixed(low: f32, high: f32, share: f32) -> f32 {
    low * (1.0 - share) + high * share
}

/// An integer weight, in units of 1/`scale`, plus a change.
pub fn changed(known: i32, change: f32, scale: f32) -> i32 {
    known.saturating_add((change * scale).round() as i32)
}

/// The two of `knots` knots around the middle of a phase, and the weight of the second one.
pub fn knots_around(phase: usize, knots: usize) -> (usize, usize, f32) {
    let last = knots - 1;
    let place = (phase as f32 + 0.5) * last as f32 / (PHASES - 1) as f32;
    let low = (place as usize).min(last);
    (low, (low + 1).min(last), (place - low as f32).min(1.0))
}

/// The greatest number of samples that one thread sums at a time.
pub const BLOCK: usize = 4_096;

/// A model with weights to be fitted.
pub trait Fitted {
    /// All weights.
    fn weights(&self) -> &[f32];
    /// All weights, mutable.
    fn weights_mut(&mut self) -> &mut [f32];
    /// Number of weights, the first ones, whose slopes by a sample are those of a logit times small counts:
    /// [`Schedule::evidence`] holds for these.
    fn of_counts(&self) -> usize {
        self.weights().len()
    }
}

impl Fitted for Model {
    fn weights(&self) -> &[f32] {
        &self.changes
    }

    fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.changes
    }
}

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// Number of epochs.
    pub epochs: u32,
    /// Batch size. It shrinks to 256 if an epoch would have fewer than 64 steps.
    pub batch: usize,
    /// Initial learning rate; cosine-annealed to 0.
    pub rate: f32,
    /// Weights that fewer samples than this use, roughly, take shorter steps.
    pub evidence: f32,
    /// Leaves the weights [`Fitted::of_counts`] as they are.
    pub others_only: bool,
    /// Seed of the order of the samples.
    pub seed: u64,
}

const FEWEST_STEPS: usize = 64;
const SMALLEST_BATCH: usize = 256;

/// The state of Adam between two epochs. Together with the weights it is all that a fit needs to go on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moments {
    /// Number of epochs done.
    pub epoch: u32,
    /// Running means of the gradient; empty at the start.
    pub mean: Vec<f32>,
    /// Running means of the squared gradient; empty at the start.
    pub square: Vec<f32>,
}

/// Minimises the mean loss over `count` samples, starting from `moments`. `gradient` returns the gradient over a
/// batch, given by indices of samples. After each epoch `report` gets the model and the moments; its error ends the
/// fit. Once `control` is stopped, the fit ends at once; then the model is of no use.
///
/// The order of the samples depends on seed and epoch alone, so a resumed fit gives the same weights.
pub fn optimise<M: Fitted>(
    model: &mut M,
    mut moments: Moments,
    count: usize,
    schedule: &Schedule,
    gradient: &dyn Fn(&M, &[usize]) -> Vec<f32>,
    report: &mut dyn FnMut(&M, &Moments) -> io::Result<()>,
    control: &Control,
) -> io::Result<()> {
    let size = model.weights().len();
    moments.mean.resize(size, 0.0);
    moments.square.resize(size, 0.0);
    let batch = schedule.batch.min((count / FEWEST_STEPS).max(SMALLEST_BATCH));
    let batches = count.div_ceil(batch);
    let steps = f64::from(schedule.epochs) * batches as f64;
    // The slope of a single sample is about √0.2. For a weight that `evidence` of all samples use, this is the
    // standard deviation of the mean slope of a batch.
    let damping = (0.2 * schedule.evidence / (count as f32 * batch as f32)).sqrt().max(1e-8);
    while moments.epoch < schedule.epochs {
        let mut order: Vec<usize> = (0..count).collect();
        let seed = schedule.seed ^ u64::from(moments.epoch) << 32;
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        for (batch, number) in order.chunks(batch).zip(1..) {
            if control.stopped() {
                return Ok(());
            }
            let gradient = gradient(model, batch);
            let step = (moments.epoch as usize * batches + number) as f64;
            let rate = schedule.rate * 0.5 * (1.0 + libm::cos(std::f64::consts::PI * step / steps)) as f32;
            let correct = |beta: f64| (1.0 - libm::pow(beta, step)) as f32;
            let (first, second) = (correct(0.9), correct(0.999));
            let of_counts = model.of_counts();
            let (weights, Moments { mean, square, .. }) = (model.weights_mut(), &mut moments);
            let first_learned = if schedule.others_only { of_counts } else { 0 };
            for i in first_learned..size {
                let damping = if i < of_counts { damping } else { 1e-8 };
                let slope = gradient[i];
                mean[i] = 0.9 * mean[i] + 0.1 * slope;
                square[i] = 0.999 * square[i] + 0.001 * slope * slope;
                weights[i] -= rate * (mean[i] / first) / ((square[i] / second).sqrt() + damping);
            }
        }
        moments.epoch += 1;
        report(model, &moments)?;
    }
    Ok(())
}

/// In how many parts threads sum up a batch.
const PARTS: usize = 8;

/// The mean gradient of a batch; `add` adds the gradient of one sample to a sum.
pub fn mean_gradient(size: usize, batch: &[usize], add: &(dyn Fn(usize, &mut [f32]) + Sync)) -> Vec<f32> {
    let parts: Vec<Vec<f32>> = batch
        .par_chunks(batch.len().div_ceil(PARTS).min(BLOCK))
        .map(|block| {
            let mut sum = vec![0.0f32; size];
            block.iter().for_each(|&index| add(index, &mut sum));
            sum
        })
        .collect();
    let mut total = vec![0.0; size];
    for part in parts {
        total.iter_mut().zip(part).for_each(|(total, part)| *total += part);
    }
    let share = 1.0 / batch.len() as f32;
    total.iter_mut().for_each(|slope| *slope *= share);
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn what_few_samples_touch_takes_shorter_steps() {
        // Every sample touches the first weight, one in fifty the second. Both should grow.
        let fitted = |evidence| {
            let mut model = Model::new(&[0; 2 * PHASES], 1);
            let schedule = Schedule { epochs: 4, batch: 256, rate: 0.01, evidence, others_only: false, seed: 1 };
            let gradient = |_: &Model, batch: &[usize]| {
                mean_gradient(2, batch, &|index, sum| {
                    sum[0] += if index % 4 == 0 { 0.2f32.sqrt() } else { -0.2f32.sqrt() };
                    if index % 50 == 0 {
                        sum[1] -= 0.2f32.sqrt();
                    }
                })
            };
            optimise(
                &mut model,
                Moments::default(),
                10_000,
                &schedule,
                &gradient,
                &mut |_, _| Ok(()),
                &Control::default(),
            )
            .unwrap();
            model.changes
        };
        let [free, damped] = [0.0, 3_000.0].map(fitted);
        assert!(free.iter().all(|change| *change > 0.5), "{free:?}");
        assert!(damped[0] > 0.8 * free[0] && damped[1] < 0.5 * free[1] && damped[1] > 0.0, "{free:?} {damped:?}");
    }

    #[test]
    fn a_stopped_fit_ends_within_the_epoch() {
        let (control, batches, mut reports) = (Control::default(), Cell::new(0), 0);
        let gradient = |_: &Model, _: &[usize]| {
            batches.set(batches.get() + 1);
            if batches.get() == 3 {
                control.stop();
            }
            vec![0.0]
        };
        let mut report = |_: &Model, _: &Moments| {
            reports += 1;
            Ok(())
        };
        let mut model = Model::new(&[0; PHASES], 1);
        let schedule = Schedule { epochs: 4, batch: 256, rate: 0.01, evidence: 0.0, others_only: false, seed: 1 };
        optimise(&mut model, Moments::default(), 10_000, &schedule, &gradient, &mut report, &control).unwrap();
        assert_eq!((batches.get(), reports), (3, 0));
    }
}
