//! Priors by shapes.
//!
//! The levels of the squares of a step add to its logit, by weights that depend on the phase: for a move those of its
//! target and of the square that it leaves, for a fire those of its square. Moves and fires have first layers of their
//! own.

use super::{Classes, LEVEL_ONE, Rows, narrow, place, product};
use crate::board::flood::Kernel;
use crate::board::{Bitboard, FRAME, Square};
use crate::eval::amazons::counts::phase_index;
use crate::eval::amazons::features::Distances;
use crate::eval::network::{PHASES, SCALE};
use crate::games::amazons::Amazons;
use crate::games::{MoveFireStep, Position, StepKind};

/// Channels of each first layer.
pub(crate) const CHANNELS: usize = 16;

/// Binary digits of weights beyond those of logits.
const FINE: u32 = 3;
/// The weight that adds a logit where the level is 1.
pub(crate) const STEP_ONE: f32 = SCALE * (1 << FINE) as f32 / LEVEL_ONE as f32;
/// The greatest weight.
pub(crate) const MOST_STEP: i32 = 30_000;

type Row = [i16; CHANNELS];

/// The weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StepShapes {
    moves: Rows<CHANNELS>,
    fires: Rows<CHANNELS>,
    /// By phase, the weights of the levels at the target of a move, at the square that it leaves, and at a fire.
    targets: Vec<Row>,
    origins: Vec<Row>,
    burnt: Vec<Row>,
}

impl StepShapes {
    /// Numbers that [`StepShapes::from_table`] takes.
    pub const SIZE: usize = 2 * Rows::<CHANNELS>::SIZE + 3 * PHASES * CHANNELS;

    /// Takes the rows of the first layer and its bias, of moves and then of fires, in units of 1/[`LEVEL_ONE`]; then the
    /// weights of targets, origins and fires, each phase by phase, in units of 1/[`STEP_ONE`]. What is too great is cut.
    /// `None` if there are more or less.
    pub fn from_table(table: &[i32]) -> Option<Self> {
        if table.len() != Self::SIZE {
            return None;
        }
        let (moves, rest) = table.split_at(Rows::<CHANNELS>::SIZE);
        let (fires, rest) = rest.split_at(Rows::<CHANNELS>::SIZE);
        let weights = |part: usize| {
            let part = &rest[part * PHASES * CHANNELS..][..PHASES * CHANNELS];
            part.chunks(CHANNELS).map(|row| narrow(row, MOST_STEP)).collect()
        };
        Some(Self {
            moves: Rows::from_table(moves)?,
            fires: Rows::from_table(fires)?,
            targets: weights(0),
            origins: weights(1),
            burnt: weights(2),
        })
    }

    /// Adds to the logits of `steps`, all moves or all fires of a position.
    #[inline(always)]
    pub(in crate::eval::amazons) fn add<K: Kernel>(
        &self,
        kernel: K,
        position: &Amazons,
        distances: &Distances,
        steps: &[MoveFireStep],
        logits: &mut [f32],
    ) {
        let classes = Classes::new(kernel, position, position.side_to_move(), distances);
        let phase = phase_index(position);
        let mut known = [Known::NONE; 2];
        let [to, from] = &mut known;
        for (&step, logit) in steps.iter().zip(logits) {
            let sum = match step.kind() {
                StepKind::Move { from: left, to: target } => {
                    to.at(target, &self.moves, &self.targets[phase], &classes)
                        + from.at(left, &self.moves, &self.origins[phase], &classes)
                }
                StepKind::Fire { at } => to.at(at, &self.fires, &self.burnt[phase], &classes),
            };
            *logit += (sum >> FINE) as f32 / SCALE;
        }
    }
}

/// What squares add.
struct Known {
    squares: Bitboard,
    sums: [i32; FRAME],
}

impl Known {
    const NONE: Self = Self { squares: Bitboard::EMPTY, sums: [0; FRAME] };

    #[inline(always)]
    fn at(&mut self, square: Square, rows: &Rows<CHANNELS>, weights: &Row, classes: &Classes) -> i32 {
        if !self.squares.contains(square) {
            self.squares = self.squares.with(square);
            let levels = rows.levels(&classes.of, place(square));
            self.sums[square.index()] = product(&levels, weights);
        }
        self.sums[square.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MOST_ROW, ROLES, ROWS, rows_of, square_index, squares};
    use super::*;
    use crate::board::flood::{KernelTask, Portable, with_best_kernel};
    use crate::eval::amazons::tests::for_each_position;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    struct Add<'a>(&'a StepShapes, &'a Amazons);

    impl KernelTask for Add<'_> {
        type Output = Vec<f32>;

        fn run<K: Kernel>(self, kernel: K) -> Vec<f32> {
            let Self(shapes, position) = self;
            let steps = position.steps();
            let mut logits = vec![0.5; steps.len()];
            shapes.add(kernel, position, &Distances::new(kernel, position), &steps, &mut logits);
            logits
        }
    }

    /// The formula of the module's first page, in fractions.
    fn slow_logit(table: &[i32], position: &Amazons, step: MoveFireStep) -> f64 {
        let classes = squares(position);
        let sides = (i64::from(classes[0]), i64::from(classes[1]));
        let phase = phase_index(position);
        let of = |square: Square, rows: usize, part: usize| -> f64 {
            let index = square_index(position, square) as i64;
            let (across, along) = (index % sides.0, index / sides.0);
            let channel = |channel: usize| {
                let mut level = f64::from(table[rows + ROLES * ROWS * CHANNELS + channel]);
                for (x, y) in (-1..=1).flat_map(|y| (-1..=1).map(move |x| (x, y))) {
                    let role = (i64::abs(x) + i64::abs(y)) as usize;
                    let (x, y) = (across + x, along + y);
                    let inside = (0..sides.0).contains(&x) && (0..sides.1).contains(&y);
                    let edge = [ROWS - 1; 2];
                    let found = if inside { rows_of(classes[2 + (y * sides.0 + x) as usize]) } else { edge };
                    let row = |class: usize| f64::from(table[rows + (role * ROWS + class) * CHANNELS + channel]);
                    level += if found[0] == found[1] { row(found[0]) } else { row(found[0]) + row(found[1]) };
                }
                let weights = &table[2 * Rows::<CHANNELS>::SIZE + (part * PHASES + phase) * CHANNELS..];
                (level / f64::from(LEVEL_ONE)).clamp(0.0, 1.0) * f64::from(weights[channel]) / f64::from(STEP_ONE)
            };
            (0..CHANNELS).map(channel).sum()
        };
        match step.kind() {
            StepKind::Move { from, to } => of(to, 0, 0) + of(from, 0, 1),
            StepKind::Fire { at } => of(at, Rows::<CHANNELS>::SIZE, 2),
        }
    }

    #[test]
    fn every_kernel_finds_what_the_formula_says() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        let rows = 2 * Rows::<CHANNELS>::SIZE;
        let mut table: Vec<i32> = (0..rows).map(|_| random.random_range(-MOST_ROW..=MOST_ROW) / 4).collect();
        table.extend((rows..StepShapes::SIZE).map(|_| random.random_range(-MOST_STEP..=MOST_STEP) / 8));
        let shapes = StepShapes::from_table(&table).unwrap();
        let mut steps = 0;
        for_each_position(|position| {
            let portable = Add(&shapes, position).run(Portable);
            assert_eq!(with_best_kernel(Add(&shapes, position)), portable);
            for (step, logit) in position.steps().into_iter().zip(portable) {
                let expected = 0.5 + slow_logit(&table, position, step);
                assert!((f64::from(logit) - expected).abs() < 1e-3, "{logit} {expected}");
                steps += 1;
            }
        });
        assert!(steps > 1_000);
    }

    #[test]
    fn tables_of_another_size_are_refused_and_what_is_too_great_is_cut() {
        for size in [0, StepShapes::SIZE - 1, StepShapes::SIZE + 1] {
            assert_eq!(StepShapes::from_table(&vec![0; size]), None);
        }
        let shapes = StepShapes::from_table(&vec![i32::MIN; StepShapes::SIZE]).unwrap();
        for_each_position(|position| {
            assert!(Add(&shapes, position).run(Portable).iter().all(|logit| logit.is_finite()))
        });
    }
}
