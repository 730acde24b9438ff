//! Linear models whose weights change along a scale, and Adam (Kingma & Ba 2015) to fit them.
//!
//! The weights depend on a *place* between knots (how full the board is), linearly in between: each sample mixes the weights of the
//! two knots beside it. Gradients are summed up in a fixed order, so the same data and seed give the same weights, whatever the number of threads.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use std::io;

/// Weights for a number of knots, each with as many features.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Features of a knot.
    pub features: usize,
    /// All weights, knot by knot.
    pub weights: Vec<f32>,
}

impl Model {
    /// Number of knots.
    pub fn knots(&self) -> usize {
        self.weights.len() / self.features
    }

    /// Where the weights of the two knots around a place begin, and the share of the second.
    pub fn around(&self, place: f32) -> (usize, usize, f32) {
        let (low, high, share) = knots_around(place, self.knots());
        (low * self.features, high * self.features, share)
    }

    /// The weight of a feature at a place.
    #[must_use]
    pub fn weight(&self, place: f32, feature: usize) -> f32 {
        let (low, high, share) = self.around(place);
        self.weights[low + feature] * (1.0 - share) + self.weights[high + feature] * share
    }
}

/// The two of so many knots around a place, and the share of the second.
pub fn knots_around(place: f32, knots: usize) -> (usize, usize, f32) {
    let last = knots - 1;
    let low = (place.max(0.0) as usize).min(last);
    (low, (low + 1).min(last), (place - low as f32).clamp(0.0, 1.0))
}

/// Samples that one thread sums up at a time.
pub const BLOCK: usize = 4_096;

/// Something with weights that can be fitted.
pub trait Fitted {
    /// All weights.
    fn weights(&self) -> &[f32];
    /// The same, to be changed.
    fn weights_mut(&mut self) -> &mut [f32];
}

impl Fitted for Model {
    fn weights(&self) -> &[f32] {
        &self.weights
    }

    fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }
}

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// Times through all samples.
    pub epochs: u32,
    /// Samples a step; fewer, where there are so few samples that an epoch would have less than 64.
    pub batch: usize,
    /// Length of the first steps; falls to 0 by half a cosine.
    pub rate: f32,
    /// Order of the samples.
    pub seed: u64,
}

const FEWEST_STEPS: usize = 64;
const SMALLEST_BATCH: usize = 256;

/// Where a fit stands after a number of epochs: with the weights, all that it needs to go on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moments {
    /// Epochs done.
    pub epoch: u32,
    /// Running means of the slopes and of their squares; empty at the start.
    pub mean: Vec<f32>,
    /// See `mean`.
    pub square: Vec<f32>,
}

/// Minimises the mean loss over `count` samples, whose gradient over a batch of their numbers `gradient` gives, from `moments` on. After each epoch
/// `report` gets the model and where it stands; an error ends the fit.
///
/// The order of the samples depends on seed and epoch alone, so that a fit that goes on later gives the same weights.
pub fn optimise<M: Fitted>(
    model: &mut M,
    mut moments: Moments,
    count: usize,
    schedule: &Schedule,
    gradient: &dyn Fn(&M, &[u32]) -> Vec<f32>,
    report: &mut dyn FnMut(&M, &Moments) -> io::Result<()>,
) -> io::Result<()> {
    let size = model.weights().len();
    moments.mean.resize(size, 0.0);
    moments.square.resize(size, 0.0);
    let batch = schedule.batch.min((count / FEWEST_STEPS).max(SMALLEST_BATCH));
    let batches = count.div_ceil(batch);
    let steps = f64::from(schedule.epochs) * batches as f64;
    while moments.epoch < schedule.epochs {
        let mut order: Vec<u32> = (0..count as u32).collect();
        let seed = schedule.seed ^ u64::from(moments.epoch) << 32;
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        for (batch, number) in order.chunks(batch).zip(1..) {
            let gradient = gradient(model, batch);
            let step = (moments.epoch as usize * batches + number) as f64;
            let rate = schedule.rate * 0.5 * (1.0 + libm::cos(std::f64::consts::PI * step / steps)) as f32;
            let correct = |beta: f64| (1.0 - libm::pow(beta, step)) as f32;
            let (first, second) = (correct(0.9), correct(0.999));
            let (weights, Moments { mean, square, .. }) = (model.weights_mut(), &mut moments);
            for i in 0..size {
                let slope = gradient[i];
                mean[i] = 0.9 * mean[i] + 0.1 * slope;
                square[i] = 0.999 * square[i] + 0.001 * slope * slope;
                weights[i] -= rate * (mean[i] / first) / ((square[i] / second).sqrt() + 1e-8);
            }
        }
        moments.epoch += 1;
        report(model, &moments)?;
    }
    Ok(())
}

/// The mean over a batch of what `add` adds to a sum for each sample.
pub fn mean_gradient(size: usize, batch: &[u32], add: &(dyn Fn(usize, &mut [f32]) + Sync)) -> Vec<f32> {
    let parts: Vec<Vec<f32>> = batch
        .par_chunks(BLOCK)
        .map(|block| {
            let mut sum = vec![0.0f32; size];
            block.iter().for_each(|&index| add(index as usize, &mut sum));
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
