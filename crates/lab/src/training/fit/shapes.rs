//! Fitting the [network of shapes](hippolyta::eval::shapes): a layer that sees each square with its neighbours,
//! the same for all squares.
//!
//! The weights of the rows, of the bias and of the hidden units are fitted as they are, those that depend on the phase
//! as changes at a few knots.

use super::optimiser::{KNOTS, changed, knots_around, mixed};
use hippolyta::board::flood::{Kernel, KernelTask, with_best_kernel};
use hippolyta::eval::network::PHASES;
use hippolyta::eval::shapes::value::{
    self, CHANNELS, MOST_BIAS, MOST_OUTPUT, MOST_WEIGHT, OUTPUT_ONE, SUM_ONE, UNIT_ONE, UNITS,
};
use hippolyta::eval::shapes::{LEVEL_ONE, MOST_ROW, ROLES, Scheme};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Sums of levels are divided by this, so that their weights are as large as those of counts.
const SQUARES: f32 = 32.0;
/// Weights are the fitted numbers times this factor. The optimiser takes steps of one length for all numbers, and the
/// weights of shapes need shorter steps than those of counts: they are small, and many squares add up.
const STEP: f32 = 0.25;
/// The factor in place of [`STEP`] when shapes are learned for the first time beside counts that are learned already:
/// that fit takes short steps.
const FIRST_STEP: f32 = 2.0;

type Row = [f32; CHANNELS];

/// Where the parts of the weights begin.
struct Parts {
    bias: usize,
    linear: usize,
    hidden: usize,
    biases: usize,
    outputs: usize,
    /// Number of weights that are fitted.
    size: usize,
}

impl Parts {
    const fn new(scheme: &Scheme) -> Self {
        let bias = ROLES * scheme.rows_count() * CHANNELS;
        let linear = bias + CHANNELS;
        let hidden = linear + KNOTS * CHANNELS;
        let biases = hidden + UNITS * CHANNELS;
        let outputs = biases + KNOTS * UNITS;
        Self { bias, linear, hidden, biases, outputs, size: outputs + UNITS }
    }
}

/// The network that a fit starts from. The weights that are fitted lie elsewhere, [`Layer::start`] has the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    scheme: &'static Scheme,
    /// The linear weights and the biases of the hidden units by phase, as the table has them.
    linear: Vec<i32>,
    biases: Vec<i32>,
    blank: bool,
    step: f32,
}

/// The forward pass of one position.
struct Forward<'a> {
    layer: &'a Layer,
    weights: &'a [f32],
    board: &'a Board,
    phase: usize,
    /// The levels of each square before they are clamped.
    levels: Vec<Row>,
    /// Their sums over all squares, in units of [`SQUARES`].
    sums: Row,
    /// The weights of the sums in this phase.
    linear: Row,
    units: [f32; UNITS],
}

/// The squares of a position with an edge all round, each as the rows of its class.
pub struct Board {
    stride: usize,
    rows: Vec<[usize; 2]>,
    /// The squares that are looked at: those that are not full.
    places: Vec<usize>,
}

impl Board {
    /// From the sides of a board and the classes of its squares.
    pub fn new(scheme: &Scheme, squares: &[u16]) -> Self {
        let [width, height] = [0, 1].map(|index| usize::from(squares[index]));
        let stride = width + 2;
        let mut board = Self { stride, rows: vec![scheme.edge(); stride * (height + 2)], places: Vec::new() };
        for (index, &class) in squares[2..].iter().enumerate() {
            let (place, rows) = (board.place(index), scheme.rows(class.into()));
            board.rows[place] = rows;
            if rows[0] != scheme.full {
                board.places.push(place);
            }
        }
        board
    }

    /// The place of a square, by its index among the squares.
    pub fn place(&self, square: usize) -> usize {
        let width = self.stride - 2;
        (square / width + 1) * self.stride + square % width + 1
    }

    /// The rows of a place's class: two, or twice the same.
    pub fn rows(&self, place: usize) -> [usize; 2] {
        self.rows[place]
    }

    /// A square and its neighbours, each with its role.
    pub fn around(&self, place: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let orthogonal = self.orthogonal(place).map(|place| (1, place));
        [(0, place)].into_iter().chain(orthogonal).chain(self.diagonal(place).map(|place| (2, place)))
    }

    fn orthogonal(&self, place: usize) -> [usize; 4] {
        [place - 1, place + 1, place - self.stride, place + self.stride]
    }

    fn diagonal(&self, place: usize) -> [usize; 4] {
        let (below, above) = (place - self.stride, place + self.stride);
        [below - 1, below + 1, above - 1, above + 1]
    }
}

/// Adds a row of the slice, times `factor`.
#[inline(always)]
pub fn add(to: &mut [f32], from: &[f32], factor: f32) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += factor * from);
}

impl Layer {
    /// The layer of a table, as weights files hold it. `first` says whether the counts beside it are blank as well.
    pub fn new(scheme: &'static Scheme, table: &[i32], first: bool) -> Self {
        let blank = table.iter().all(|&weight| weight == 0);
        let linear = table[Parts::new(scheme).linear..][..PHASES * CHANNELS].to_vec();
        let biases = table[value::size(scheme) - UNITS - PHASES * UNITS..][..PHASES * UNITS].to_vec();
        Self { scheme, linear, biases, blank, step: if blank && !first { FIRST_STEP } else { STEP } }
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
            let mut draw = |range: std::ops::Range<usize>, most: f32| {
                for weight in &mut weights[range] {
                    *weight = (2.0 * random.random::<f32>() - 1.0) * most;
                }
            };
            draw(0..parts.bias, 0.25);
            draw(parts.hidden..parts.biases, 0.5);
            weights[parts.bias..parts.linear].fill(0.2);
            weights[parts.biases..parts.outputs].fill(0.3);
        } else {
            let hidden = parts.linear + PHASES * CHANNELS;
            let known = [
                (0, &table[..parts.linear], f32::from(LEVEL_ONE)),
                (parts.hidden, &table[hidden..][..UNITS * CHANNELS], SUM_ONE / SQUARES),
                (parts.outputs, &table[table.len() - UNITS..], OUTPUT_ONE),
            ];
            for (start, from, one) in known {
                weights[start..].iter_mut().zip(from).for_each(|(to, &from)| *to = from as f32 / one);
            }
        }
        weights.iter_mut().for_each(|weight| *weight /= self.step);
        weights
    }

    /// The table of these weights.
    pub fn table(&self, weights: &[f32]) -> Vec<i32> {
        let parts = self.parts();
        let weights: Vec<f32> = weights.iter().map(|weight| weight * self.step).collect();
        let whole = |range: std::ops::Range<usize>, one: f32, most: i32| {
            weights[range].iter().map(move |weight| ((weight * one).round() as i32).clamp(-most, most))
        };
        let by_phase = |start: usize, known: &[i32], width: usize, one: f32, most: i32| {
            let mut table = Vec::new();
            for (phase, known) in known.chunks(width).enumerate() {
                let (low, high, share) = knots_around(phase, KNOTS);
                let knot = |knot: usize, place: usize| weights[start + knot * width + place];
                table.extend(known.iter().enumerate().map(|(place, &known)| {
                    changed(known, mixed(knot(low, place), knot(high, place), share), one).clamp(-most, most)
                }));
            }
            table
        };
        let linear = by_phase(parts.linear, &self.linear, CHANNELS, SUM_ONE / SQUARES, MOST_WEIGHT);
        let outputs: Vec<i32> = whole(parts.outputs..parts.size, OUTPUT_ONE, MOST_OUTPUT).collect();
        if self.blank && linear.iter().chain(&outputs).all(|&weight| weight == 0) {
            // Random rows that add nothing learned nothing.
            return vec![0; value::size(self.scheme)];
        }
        let mut table: Vec<i32> = whole(0..parts.linear, f32::from(LEVEL_ONE), MOST_ROW).collect();
        table.extend(linear);
        table.extend(whole(parts.hidden..parts.biases, SUM_ONE / SQUARES, MOST_WEIGHT));
        table.extend(by_phase(parts.biases, &self.biases, UNITS, UNIT_ONE, MOST_BIAS));
        table.extend(outputs);
        table
    }

    /// The sum that the shapes add to the logit of a position in this phase.
    pub fn logit(&self, weights: &[f32], board: &Board, phase: usize) -> f32 {
        with_best_kernel(Task { layer: self, weights, board, phase, gradient: None })
    }

    /// Adds the gradient of a loss to `sum`; `slope` gives the loss's derivative from what the shapes add.
    pub fn add_gradient<'a>(
        &'a self,
        weights: &'a [f32],
        (board, phase): (&'a Board, usize),
        slope: &'a mut Slope<'a>,
        sum: &'a mut [f32],
    ) {
        with_best_kernel(Task { layer: self, weights, board, phase, gradient: Some((slope, sum)) });
    }
}

/// The derivative of a loss from what the shapes add to a logit.
type Slope<'a> = dyn FnMut(f32) -> f32 + 'a;

/// A logit, and its gradient if it is wanted: for the processor's best instructions.
struct Task<'a> {
    layer: &'a Layer,
    weights: &'a [f32],
    board: &'a Board,
    phase: usize,
    gradient: Option<(&'a mut Slope<'a>, &'a mut [f32])>,
}

impl KernelTask for Task<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<K: Kernel>(self, _: K) -> f32 {
        let Self { layer, weights, board, phase, gradient } = self;
        let (forward, logit) = Forward::new(layer, weights, board, phase);
        if let Some((slope, sum)) = gradient {
            forward.add_gradient(slope(logit), sum);
        }
        logit
    }
}

impl<'a> Forward<'a> {
    #[inline(always)]
    fn new(layer: &'a Layer, weights: &'a [f32], board: &'a Board, phase: usize) -> (Self, f32) {
        let (step, parts) = (layer.step, layer.parts());
        let row = |role: usize, row: usize| &weights[(role * layer.scheme.rows_count() + row) * CHANNELS..][..CHANNELS];
        // By square and role.
        let mut near = vec![[[0.0; CHANNELS]; ROLES]; board.rows.len()];
        for (near, rows) in near.iter_mut().zip(&board.rows) {
            for (role, near) in near.iter_mut().enumerate() {
                near.copy_from_slice(row(role, rows[0]));
                if rows[1] != rows[0] {
                    add(near, row(role, rows[1]), 1.0);
                }
            }
        }
        let mut levels = vec![[0.0; CHANNELS]; board.rows.len()];
        let mut sums = [0.0; CHANNELS];
        for &place in &board.places {
            let mut level = [0.0; CHANNELS];
            add(&mut level, &weights[parts.bias..parts.linear], 1.0);
            add(&mut level, &near[place][0], 1.0);
            board.orthogonal(place).iter().for_each(|&other| add(&mut level, &near[other][1], 1.0));
            board.diagonal(place).iter().for_each(|&other| add(&mut level, &near[other][2], 1.0));
            for (sum, level) in sums.iter_mut().zip(&mut level) {
                *level *= step;
                *sum += level.clamp(0.0, 1.0);
            }
            levels[place] = level;
        }
        sums.iter_mut().for_each(|sum| *sum /= SQUARES);
        let (low, high, share) = knots_around(phase, KNOTS);
        let knot = |start: usize, width: usize, place: usize| {
            let [low, high] = [low, high].map(|knot| weights[start + knot * width + place]);
            mixed(low, high, share) * step
        };
        let (mut linear, mut units, mut logit) = ([0.0; CHANNELS], [0.0; UNITS], 0.0);
        for (channel, weight) in linear.iter_mut().enumerate() {
            let known = layer.linear[phase * CHANNELS + channel] as f32 * SQUARES / SUM_ONE;
            *weight = known + knot(parts.linear, CHANNELS, channel);
            logit += *weight * sums[channel];
        }
        for (unit, level) in units.iter_mut().enumerate() {
            let known = layer.biases[phase * UNITS + unit] as f32 / UNIT_ONE;
            let mut products = [0.0; CHANNELS];
            let row = &weights[parts.hidden + unit * CHANNELS..][..CHANNELS];
            products.iter_mut().zip(row).zip(&sums).for_each(|((product, weight), sum)| *product = weight * sum);
            *level = known + knot(parts.biases, UNITS, unit) + products.iter().sum::<f32>() * step;
            logit += level.clamp(0.0, 1.0) * weights[parts.outputs + unit] * step;
        }
        (Self { layer, weights, board, phase, levels, sums, linear, units }, logit)
    }

    /// Adds the gradient to `sum`, where the loss has the slope `error`.
    #[inline(always)]
    fn add_gradient(&self, error: f32, sum: &mut [f32]) {
        let Self { layer, weights, board, sums, .. } = self;
        let (step, parts) = (layer.step, layer.parts());
        let (low, high, share) = knots_around(self.phase, KNOTS);
        let shares = [(low, 1.0 - share), (high, share)];
        // The slopes by the sums of levels.
        let mut slopes = self.linear.map(|weight| weight * error);
        for (knot, share) in shares {
            add(&mut sum[parts.linear + knot * CHANNELS..][..CHANNELS], sums, error * step * share);
        }
        for unit in 0..UNITS {
            let output = weights[parts.outputs + unit] * step;
            sum[parts.outputs + unit] += error * step * self.units[unit].clamp(0.0, 1.0);
            if (0.0..1.0).contains(&self.units[unit]) {
                let slope = error * output * step;
                for (knot, share) in shares {
                    sum[parts.biases + knot * UNITS + unit] += slope * share;
                }
                let place = parts.hidden + unit * CHANNELS;
                add(&mut sum[place..][..CHANNELS], sums, slope);
                add(&mut slopes, &weights[place..][..CHANNELS], slope);
            }
        }
        slopes.iter_mut().for_each(|slope| *slope *= step / SQUARES);
        // The slopes by the rows of each square in each role.
        let mut near = vec![[[0.0; CHANNELS]; ROLES]; board.rows.len()];
        for &place in &board.places {
            let mut slope = slopes;
            for (slope, level) in slope.iter_mut().zip(&self.levels[place]) {
                *slope = if *level > 0.0 && *level < 1.0 { *slope } else { 0.0 };
            }
            add(&mut sum[parts.bias..parts.linear], &slope, 1.0);
            add(&mut near[place][0], &slope, 1.0);
            board.orthogonal(place).iter().for_each(|&other| add(&mut near[other][1], &slope, 1.0));
            board.diagonal(place).iter().for_each(|&other| add(&mut near[other][2], &slope, 1.0));
        }
        for (near, rows) in near.iter().zip(&board.rows) {
            for (role, near) in near.iter().enumerate() {
                add(&mut sum[(role * layer.scheme.rows_count() + rows[0]) * CHANNELS..][..CHANNELS], near, 1.0);
                if rows[1] != rows[0] {
                    add(&mut sum[(role * layer.scheme.rows_count() + rows[1]) * CHANNELS..][..CHANNELS], near, 1.0);
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

    /// Squares of a position in the middle of a game.
    fn board() -> Board {
        let variant = &variant::find("amazons6").unwrap();
        let mut position = Amazons::from_fen(variant, variant.start()).unwrap();
        for _ in 0..12 {
            let steps = position.steps();
            position.play(steps[steps.len() / 3]);
        }
        Board::new(&SCHEME, &position.squares())
    }

    fn random(size: usize, most: f32, seed: u64) -> Vec<f32> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..size).map(|_| (2.0 * random.random::<f32>() - 1.0) * most).collect()
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_logit() {
        let layer = Layer::new(&SCHEME, &vec![0; value::size(&SCHEME)], true);
        let (board, phase, weights) = (board(), 11, random(SIZE, 0.4, 1));
        let mut gradient = vec![0.0; SIZE];
        layer.add_gradient(&weights, (&board, phase), &mut |_| 1.0, &mut gradient);
        // Along a random direction, and along that of each part.
        for (part, range) in [
            (0, 0..SIZE),
            (1, 0..PARTS.bias),
            (2, PARTS.bias..PARTS.linear),
            (3, PARTS.linear..PARTS.hidden),
            (4, PARTS.hidden..SIZE),
        ] {
            let mut direction = random(SIZE, 1.0, 2);
            (0..SIZE).filter(|place| !range.contains(place)).for_each(|place| direction[place] = 0.0);
            let at = |step: f32| {
                let moved: Vec<f32> = weights.iter().zip(&direction).map(|(at, way)| at + step * way).collect();
                f64::from(layer.logit(&moved, &board, phase))
            };
            let slope: f64 = gradient.iter().zip(&direction).map(|(a, b)| f64::from(a * b)).sum();
            let found = (at(1e-3) - at(-1e-3)) / 2e-3;
            assert!((slope - found).abs() < 0.05 * slope.abs().max(0.2), "{part}: {slope} {found}");
        }
    }

    #[test]
    fn tables_are_kept_and_blank_ones_begin_without_any_say() {
        let blank = vec![0; value::size(&SCHEME)];
        for first in [true, false] {
            let layer = Layer::new(&SCHEME, &blank, first);
            let weights = layer.start(&blank, 5);
            assert_eq!(layer.table(&weights), blank);
            assert_eq!(layer.logit(&weights, &board(), 9), 0.0);
        }
        let layer = Layer::new(&SCHEME, &blank, true);
        let table = layer.table(&random(SIZE, 1.0, 3));
        let known = Layer::new(&SCHEME, &table, false);
        assert_eq!(known.table(&known.start(&table, 1)), table);
    }
}
