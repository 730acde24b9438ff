//! Priors by shapes.
//!
//! The levels of the squares of a step add to its logit, by weights that depend on the phase: for a move those of its
//! target and of the square that it leaves, for a fire those of its square. Moves and fires have first layers of their
//! own.

use super::{Classes, LEVEL_ONE, Rows, Scheme, check_parts, narrow, place, product, rows_size};
use crate::board::{Bitboard, FRAME, Square};
use crate::eval::network::{Misfit, PHASES, SCALE};
use crate::games::{MoveFireStep, StepKind};

/// Channels of each first layer.
pub const CHANNELS: usize = 16;

/// Binary digits of weights beyond those of logits.
const FINE: u32 = 3;
/// The weight that adds a logit where the level is 1.
pub const STEP_ONE: f32 = SCALE * (1 << FINE) as f32 / LEVEL_ONE as f32;
/// The greatest weight.
pub const MOST_STEP: i32 = 30_000;

type Row = [i16; CHANNELS];

/// Numbers in the table of a [`StepShapes`] of this scheme.
pub const fn size(scheme: &Scheme) -> usize {
    2 * rows_size(scheme, CHANNELS) + 3 * PHASES * CHANNELS
}

/// Checks that no number of a table is greater than allowed.
pub fn check(table: &[i32]) -> Result<(), Misfit> {
    check_parts(table, &[(3 * PHASES * CHANNELS, MOST_STEP)])
}

/// The weights, for schemes of at most `CLASSES` classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepShapes<const CLASSES: usize> {
    moves: Rows<CHANNELS, CLASSES>,
    fires: Rows<CHANNELS, CLASSES>,
    /// By phase, the weights of the levels at the target of a move, at the square that it leaves, and at a fire.
    targets: Vec<Row>,
    origins: Vec<Row>,
    burnt: Vec<Row>,
}

impl<const CLASSES: usize> StepShapes<CLASSES> {
    /// Takes the rows of the first layer and its bias, of moves and then of fires, in units of 1/[`LEVEL_ONE`]; then the
    /// weights of targets, origins and fires, each phase by phase, in units of 1/[`STEP_ONE`]. None is greater than
    /// [`check`] allows. `None` if there are more or less.
    pub fn from_table(scheme: &Scheme, table: &[i32]) -> Option<Self> {
        if table.len() != size(scheme) {
            return None;
        }
        let (moves, rest) = table.split_at(rows_size(scheme, CHANNELS));
        let (fires, rest) = rest.split_at(rows_size(scheme, CHANNELS));
        let weights = |part: usize| {
            let part = &rest[part * PHASES * CHANNELS..][..PHASES * CHANNELS];
            part.chunks(CHANNELS).map(narrow).collect()
        };
        Some(Self {
            moves: Rows::from_table(scheme, moves)?,
            fires: Rows::from_table(scheme, fires)?,
            targets: weights(0),
            origins: weights(1),
            burnt: weights(2),
        })
    }

    /// Adds to the logits of `steps`, all moves or all fires of a position in this phase. The classes are from the view
    /// of the side to move.
    #[inline(always)]
    pub fn add(&self, classes: &Classes, phase: usize, steps: &[MoveFireStep], logits: &mut [f32]) {
        let mut known = [Known::NONE; 2];
        let [to, from] = &mut known;
        for (&step, logit) in steps.iter().zip(logits) {
            let sum = match step.kind() {
                StepKind::Move { from: left, to: target } => {
                    to.at(target, &self.moves, &self.targets[phase], classes)
                        + from.at(left, &self.moves, &self.origins[phase], classes)
                }
                StepKind::Fire { at } => to.at(at, &self.fires, &self.burnt[phase], classes),
            };
            *logit += (sum >> FINE) as f32 / SCALE;
        }
    }
}

/// The sums that squares add, each found once.
struct Known {
    squares: Bitboard,
    sums: [i32; FRAME],
}

impl Known {
    const NONE: Self = Self { squares: Bitboard::EMPTY, sums: [0; FRAME] };

    #[inline(always)]
    fn at<const CLASSES: usize>(
        &mut self,
        square: Square,
        rows: &Rows<CHANNELS, CLASSES>,
        weights: &Row,
        classes: &Classes,
    ) -> i32 {
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
    use super::super::MOST_ROW;
    use super::super::tests::{RandomBoard, SCHEME, for_each_board};
    use super::*;
    use crate::board::flood::{Kernel, KernelTask, Portable, with_best_kernel};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    const PHASE: usize = 9;

    type Small = StepShapes<16>;

    struct Add<'a>(&'a Small, &'a RandomBoard, &'a [MoveFireStep]);

    impl KernelTask for Add<'_> {
        type Output = Vec<f32>;

        fn run<K: Kernel>(self, kernel: K) -> Vec<f32> {
            let mut logits = vec![0.5; self.2.len()];
            self.0.add(&self.1.classes(kernel), PHASE, self.2, &mut logits);
            logits
        }
    }

    /// The formula of the module's first page, in fractions.
    fn slow_logit(table: &[i32], board: &RandomBoard, step: MoveFireStep) -> f64 {
        let rows = rows_size(&SCHEME, CHANNELS);
        let of = |square: Square, first: usize, part: usize| -> f64 {
            let (file, rank) = (square.file() as i64, square.rank() as i64);
            let weights = &table[2 * rows + (part * PHASES + PHASE) * CHANNELS..];
            let channel = |channel: usize| {
                let level = board.slow_level(&table[first..][..rows], CHANNELS, channel, file, rank);
                (level / f64::from(LEVEL_ONE)).clamp(0.0, 1.0) * f64::from(weights[channel]) / f64::from(STEP_ONE)
            };
            (0..CHANNELS).map(channel).sum()
        };
        match step.kind() {
            StepKind::Move { from, to } => of(to, 0, 0) + of(from, 0, 1),
            StepKind::Fire { at } => of(at, rows, 2),
        }
    }

    /// Moves between squares that are not full, or fires at them.
    fn steps(board: &RandomBoard) -> [Vec<MoveFireStep>; 2] {
        let seen = |square: &Square| board.rows(square.file() as i64, square.rank() as i64)[0] != SCHEME.full;
        let squares: Vec<Square> = board.geometry.squares().into_iter().filter(seen).collect();
        let moves = squares.iter().zip(squares.iter().rev()).filter(|(from, to)| from != to);
        [
            moves.map(|(&from, &to)| MoveFireStep::moving(from, to)).collect(),
            squares.iter().map(|&at| MoveFireStep::firing(at)).collect(),
        ]
    }

    #[test]
    fn every_kernel_finds_what_the_formula_says() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        let rows = 2 * rows_size(&SCHEME, CHANNELS);
        let mut table: Vec<i32> = (0..rows).map(|_| random.random_range(-MOST_ROW..=MOST_ROW) / 4).collect();
        table.extend((rows..size(&SCHEME)).map(|_| random.random_range(-MOST_STEP..=MOST_STEP) / 8));
        let shapes = Small::from_table(&SCHEME, &table).unwrap();
        let mut compared = 0;
        for_each_board(|board| {
            for steps in steps(board) {
                let portable = Add(&shapes, board, &steps).run(Portable);
                assert_eq!(with_best_kernel(Add(&shapes, board, &steps)), portable);
                for (&step, logit) in steps.iter().zip(portable) {
                    let expected = 0.5 + slow_logit(&table, board, step);
                    assert!((f64::from(logit) - expected).abs() < 1e-3, "{logit} {expected}");
                    compared += 1;
                }
            }
        });
        assert!(compared > 1_000);
    }

    #[test]
    fn tables_of_another_size_are_refused_and_so_is_what_is_too_great() {
        for size in [0, size(&SCHEME) - 1, size(&SCHEME) + 1] {
            assert_eq!(Small::from_table(&SCHEME, &vec![0; size]), None);
        }
        let rows = 2 * rows_size(&SCHEME, CHANNELS);
        let mut greatest = vec![MOST_ROW; rows];
        greatest.resize(size(&SCHEME), -MOST_STEP);
        assert_eq!(check(&greatest), Ok(()));
        for index in [0, rows - 1, rows, size(&SCHEME) - 1] {
            let mut beyond = greatest.clone();
            beyond[index] += beyond[index].signum();
            assert_eq!(check(&beyond), Err(Misfit::Bound { index, most: greatest[index].unsigned_abs() }));
        }
        let shapes = Small::from_table(&SCHEME, &greatest).unwrap();
        for_each_board(|board| {
            for steps in steps(board) {
                assert!(Add(&shapes, board, &steps).run(Portable).iter().all(|logit| logit.is_finite()));
            }
        });
    }
}
