//! Fitting the policy's network of [shapes](hippolyta::eval::shapes::steps): what the squares of a step add to its
//! logit.
//!
//! The weights of the rows and of the bias are fitted as they are, those that depend on the phase as changes at a few
//! knots.

use super::optimiser::{POLICY_KNOTS, changed, knots_around, mixed};
use super::shapes::{Board, add};
use hippolyta::board::flood::{Kernel, KernelTask, with_best_kernel};
use hippolyta::eval::network::PHASES;
use hippolyta::eval::shapes::steps::{self, CHANNELS, MOST_STEP, STEP_ONE};
use hippolyta::eval::shapes::{LEVEL_ONE, MOST_ROW, ROLES, Scheme};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Where the parts begin: rows and bias of moves, rows and bias of fires, then by knot the weights of targets, origins
/// and fires.
struct Parts {
    bias: usize,
    fires: usize,
    targets: usize,
    /// Number of weights that are fitted.
    size: usize,
}

impl Parts {
    const fn new(scheme: &Scheme) -> Self {
        let bias = ROLES * scheme.rows_count() * CHANNELS;
        let (fires, targets) = (bias + CHANNELS, 2 * (bias + CHANNELS));
        Self { bias, fires, targets, size: targets + 3 * POLICY_KNOTS * CHANNELS }
    }
}

type Row = [f32; CHANNELS];

/// The squares of a step, as indices of the squares that [`Board`] gets: the target or the fire, and the square that a
/// move leaves.
pub type StepSquares = (u8, Option<u8>);

/// The network that a fit starts from. The weights that are fitted lie elsewhere, [`StepLayer::start`] has the first.
#[derive(Clone, Debug, PartialEq)]
pub struct StepLayer {
    scheme: &'static Scheme,
    /// The weights of targets, origins and fires by phase, as the table has them.
    known: Vec<i32>,
    blank: bool,
}

impl StepLayer {
    /// The layer of a table, as weights files hold it.
    pub fn new(scheme: &'static Scheme, table: &[i32]) -> Self {
        let known = table[Parts::new(scheme).targets..].to_vec();
        Self { scheme, known, blank: table.iter().all(|&weight| weight == 0) }
    }

    /// The board that the layer sees in a position with these squares.
    pub fn board(&self, squares: &[u16]) -> Board {
        Board::new(self.scheme, squares)
    }

    fn parts(&self) -> Parts {
        Parts::new(self.scheme)
    }

    /// The first weights: those of the table, or random ones that add nothing to a logit.
    pub fn start(&self, table: &[i32], seed: u64) -> Vec<f32> {
        let parts = self.parts();
        let mut weights = vec![0.0; parts.size];
        if self.blank {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            weights[..parts.targets].iter_mut().for_each(|weight| *weight = 0.5 * random.random::<f32>() - 0.25);
            for start in [parts.bias, parts.fires + parts.bias] {
                weights[start..][..CHANNELS].fill(0.3);
            }
        } else {
            let rows = weights[..parts.targets].iter_mut().zip(table);
            rows.for_each(|(to, &from)| *to = from as f32 / f32::from(LEVEL_ONE));
        }
        weights
    }

    /// The table of these weights.
    pub fn table(&self, weights: &[f32]) -> Vec<i32> {
        let parts = self.parts();
        let mut outputs = Vec::new();
        for (part, known) in self.known.chunks(PHASES * CHANNELS).enumerate() {
            for (phase, known) in known.chunks(CHANNELS).enumerate() {
                let changes = knots(&weights[parts.targets + part * POLICY_KNOTS * CHANNELS..], phase);
                outputs.extend(
                    known
                        .iter()
                        .zip(changes)
                        .map(|(&known, change)| changed(known, change, STEP_ONE).clamp(-MOST_STEP, MOST_STEP)),
                );
            }
        }
        if self.blank && outputs.iter().all(|&weight| weight == 0) {
            // Random rows that add nothing learned nothing.
            return vec![0; steps::size(self.scheme)];
        }
        let rows = weights[..parts.targets].iter();
        let mut table: Vec<i32> =
            rows.map(|weight| ((weight * f32::from(LEVEL_ONE)).round() as i32).clamp(-MOST_ROW, MOST_ROW)).collect();
        table.extend(outputs);
        table
    }

    /// Adds what the squares of the steps add to their logits, in this phase.
    pub fn add(&self, weights: &[f32], board: &Board, phase: usize, steps: &[StepSquares], logits: &mut [f32]) {
        with_best_kernel(Task { layer: self, weights, board, phase, steps, logits });
    }

    /// Adds the gradient of a loss to `sum`, where it has these slopes by the logits of the steps.
    pub fn add_gradient(
        &self,
        weights: &[f32],
        (board, phase): (&Board, usize),
        steps: &[StepSquares],
        slopes: &[f32],
        sum: &mut [f32],
    ) {
        with_best_kernel(Gradient { layer: self, weights, board, phase, steps, slopes, sum });
    }

    /// The weights of a part in this phase.
    fn outputs(&self, weights: &[f32], part: usize, phase: usize) -> Row {
        let mut row = knots(&weights[self.parts().targets + part * POLICY_KNOTS * CHANNELS..], phase);
        let known = &self.known[(part * PHASES + phase) * CHANNELS..][..CHANNELS];
        row.iter_mut().zip(known).for_each(|(weight, &known)| *weight += known as f32 / STEP_ONE);
        row
    }
}

/// Weights at knots that lie one after the other, in this phase.
fn knots(weights: &[f32], phase: usize) -> Row {
    let (low, high, share) = knots_around(phase, POLICY_KNOTS);
    std::array::from_fn(|channel| {
        let [low, high] = [low, high].map(|knot| weights[knot * CHANNELS + channel]);
        mixed(low, high, share)
    })
}

/// The parts that a step's squares concern: of the target or the fire, and of the origin; and where the rows begin.
fn concerned(steps: &[StepSquares], parts: &Parts) -> ([usize; 2], usize) {
    if steps.first().is_some_and(|step| step.1.is_some()) { ([0, 1], 0) } else { ([2, 2], parts.fires) }
}

/// The level of a square before it is clamped.
#[inline(always)]
fn level(scheme: &Scheme, rows: &[f32], board: &Board, place: usize) -> Row {
    let bias = Parts::new(scheme).bias;
    let mut level: Row = std::array::from_fn(|channel| rows[bias + channel]);
    for (role, place) in board.around(place) {
        let classes = board.rows(place);
        for class in &classes[..if classes[0] == classes[1] { 1 } else { 2 }] {
            add(&mut level, &rows[(role * scheme.rows_count() + class) * CHANNELS..][..CHANNELS], 1.0);
        }
    }
    level
}

struct Task<'a> {
    layer: &'a StepLayer,
    weights: &'a [f32],
    board: &'a Board,
    phase: usize,
    steps: &'a [StepSquares],
    logits: &'a mut [f32],
}

impl KernelTask for Task<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, _: K) {
        let Self { layer, weights, board, phase, steps, logits } = self;
        let (scheme, (concerned, rows)) = (layer.scheme, concerned(steps, &layer.parts()));
        let outputs = concerned.map(|part| layer.outputs(weights, part, phase));
        let mut known = [[None; 256]; 2];
        let mut of = |which: usize, square: u8| {
            *known[which][usize::from(square)].get_or_insert_with(|| {
                let level = level(scheme, &weights[rows..], board, board.place(square.into()));
                level.iter().zip(outputs[which]).map(|(level, weight)| level.clamp(0.0, 1.0) * weight).sum::<f32>()
            })
        };
        for (&(target, origin), logit) in steps.iter().zip(logits) {
            *logit += of(0, target) + origin.map_or(0.0, |origin| of(1, origin));
        }
    }
}

struct Gradient<'a> {
    layer: &'a StepLayer,
    weights: &'a [f32],
    board: &'a Board,
    phase: usize,
    steps: &'a [StepSquares],
    slopes: &'a [f32],
    sum: &'a mut [f32],
}

impl KernelTask for Gradient<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, _: K) {
        let Self { layer, weights, board, phase, steps, slopes, sum } = self;
        let (scheme, parts) = (layer.scheme, layer.parts());
        let (concerned, rows) = concerned(steps, &parts);
        let outputs = concerned.map(|part| layer.outputs(weights, part, phase));
        // By square, the slopes of all its steps.
        let mut by_square = [[0.0; 256]; 2];
        for (&(target, origin), slope) in steps.iter().zip(slopes) {
            by_square[0][usize::from(target)] += slope;
            if let Some(origin) = origin {
                by_square[1][usize::from(origin)] += slope;
            }
        }
        let (low, high, share) = knots_around(phase, POLICY_KNOTS);
        for (which, slopes) in by_square.iter().enumerate() {
            for (square, &slope) in slopes.iter().enumerate().filter(|&(_, &slope)| slope != 0.0) {
                let place = board.place(square);
                let level = level(scheme, &weights[rows..], board, place);
                let clamped = level.map(|level| level.clamp(0.0, 1.0));
                for (knot, share) in [(low, 1.0 - share), (high, share)] {
                    let start = parts.targets + (concerned[which] * POLICY_KNOTS + knot) * CHANNELS;
                    add(&mut sum[start..][..CHANNELS], &clamped, slope * share);
                }
                let by_level: Row = std::array::from_fn(|channel| {
                    let inside = level[channel] > 0.0 && level[channel] < 1.0;
                    if inside { slope * outputs[which][channel] } else { 0.0 }
                });
                add(&mut sum[rows + parts.bias..][..CHANNELS], &by_level, 1.0);
                for (role, place) in board.around(place) {
                    let classes = board.rows(place);
                    for class in &classes[..if classes[0] == classes[1] { 1 } else { 2 }] {
                        add(
                            &mut sum[rows + (role * scheme.rows_count() + class) * CHANNELS..][..CHANNELS],
                            &by_level,
                            1.0,
                        );
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::trainable::Trainable;
    use hippolyta::eval::amazons::shapes::SCHEME;
    use hippolyta::games::amazons::Amazons;
    use hippolyta::games::{Notation, Position, variant};

    const PARTS: Parts = Parts::new(&SCHEME);
    const SIZE: usize = PARTS.size;

    /// A position in the middle of a game, between two turns or within one.
    fn position(steps: usize) -> Amazons {
        let variant = &variant::find("amazons6").unwrap();
        let mut position = Amazons::from_fen(variant, variant.start()).unwrap();
        for _ in 0..steps {
            let steps = position.steps();
            position.play(steps[steps.len() / 3]);
        }
        position
    }

    fn random(size: usize, most: f32, seed: u64) -> Vec<f32> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..size).map(|_| (2.0 * random.random::<f32>() - 1.0) * most).collect()
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_logits() {
        let layer = StepLayer::new(&SCHEME, &vec![0; steps::size(&SCHEME)]);
        let (phase, weights) = (7, random(SIZE, 0.4, 1));
        for turns in [12, 13] {
            let position = position(turns);
            let (board, steps) = (Board::new(&SCHEME, &position.squares()), position.step_squares(&position.steps()));
            let slopes = random(steps.len(), 1.0, 4);
            let mut gradient = vec![0.0; SIZE];
            layer.add_gradient(&weights, (&board, phase), &steps, &slopes, &mut gradient);
            let direction = random(SIZE, 1.0, 2);
            let at = |step: f32| {
                let moved: Vec<f32> = weights.iter().zip(&direction).map(|(at, way)| at + step * way).collect();
                let mut logits = vec![0.0; steps.len()];
                layer.add(&moved, &board, phase, &steps, &mut logits);
                logits.iter().zip(&slopes).map(|(a, b)| f64::from(a * b)).sum::<f64>()
            };
            let slope: f64 = gradient.iter().zip(&direction).map(|(a, b)| f64::from(a * b)).sum();
            // Short steps, as levels have kinks.
            let found = (at(1e-4) - at(-1e-4)) / 2e-4;
            assert!((slope - found).abs() < 0.05 * slope.abs().max(0.2), "{turns}: {slope} {found}");
        }
    }

    #[test]
    fn tables_are_kept_and_blank_ones_begin_without_any_say() {
        let blank = vec![0; steps::size(&SCHEME)];
        let layer = StepLayer::new(&SCHEME, &blank);
        let weights = layer.start(&blank, 5);
        assert_eq!(layer.table(&weights), blank);
        let position = position(12);
        let (board, steps) = (Board::new(&SCHEME, &position.squares()), position.step_squares(&position.steps()));
        let mut logits = vec![0.0; steps.len()];
        layer.add(&weights, &board, 7, &steps, &mut logits);
        assert!(logits.iter().all(|&logit| logit == 0.0));
        let table = layer.table(&random(SIZE, 1.0, 3));
        let known = StepLayer::new(&SCHEME, &table);
        assert_eq!(known.table(&known.start(&table, 1)), table);
    }
}
