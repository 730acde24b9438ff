//! The counts of the evaluation, and their places among the features.

use super::features::{Distances, MOBILITIES, mobility_index};
use crate::board::Bitboard;
use crate::board::flood::{KING_LEVELS, Kernel, Levels, QUEEN_LEVELS};
use crate::eval::network::{Counter, PHASES};
use crate::eval::squares::{Openness, cells};
use crate::games::amazons::Amazons;
use crate::games::{Position, Side};
use std::ops::Range;

/// Cells of one kind of distance: `(mover's distance − 1) · CELLS + other's distance − 1`, the last distance for "out
/// of reach". The mover is the side that moves an amazon next.
pub(super) const QUEEN_CELLS: usize = QUEEN_LEVELS + 1;
pub(super) const KING_CELLS: usize = KING_LEVELS + 1;

/// Where each group of features begins and ends: squares in each queen cell and in each king cell; amazons of each
/// mobility, the mover's and then the other side's; and 1, the advantage of being the mover.
pub(super) const QUEEN: Range<usize> = 0..QUEEN_CELLS * QUEEN_CELLS;
pub(super) const KING: Range<usize> = QUEEN.end..QUEEN.end + KING_CELLS * KING_CELLS;
pub(super) const OWN_MOBILITY: Range<usize> = KING.end..KING.end + MOBILITIES;
pub(super) const OTHER_MOBILITY: Range<usize> = OWN_MOBILITY.end..OWN_MOBILITY.end + MOBILITIES;
const TEMPO: usize = OTHER_MOBILITY.end;

/// Number of features.
pub const FEATURES: usize = TEMPO + 1;

/// Counts every feature into `counter`, from the mover's view. Their logit is the mover's.
#[inline(always)]
pub(super) fn count<K: Kernel>(kernel: K, position: &Amazons, distances: &Distances, counter: &mut impl Counter) {
    let (mover, reached) = (mover(position), distances.reached);
    count_distances(mover, distances, counter);
    let openness = Openness::new(position.geometry(), position.empty());
    for (start, side) in [(OWN_MOBILITY.start, mover), (OTHER_MOBILITY.start, !mover)] {
        for square in position.amazons(side) {
            counter.add(start + mobility_index(kernel, position, square, reached[(!side).index()], &openness), 1);
        }
    }
}

/// Counts all features but mobility.
#[inline(always)]
pub(super) fn count_distances(mover: Side, distances: &Distances, counter: &mut impl Counter) {
    let sides = [mover.index(), (!mover).index()];
    cells(QUEEN.start, sides, &distances.queen, distances.reached, counter);
    cells(KING.start, sides, &distances.king, distances.reached, counter);
    counter.add(TEMPO, 1);
}

/// The phase of a position times 256, by the share of its squares that are filled. Phases go from 0 to [`PHASES`] − 1.
#[inline(always)]
#[must_use]
pub fn fine_phase(position: &Amazons) -> usize {
    position.neutral().count() as usize * (PHASES - 1) * 256 / position.geometry().squares().count() as usize
}

/// The phase whose weights apply to a position.
#[inline(always)]
pub(super) fn phase_index(position: &Amazons) -> usize {
    fine_phase(position) / 256
}

/// The side that moves an amazon next: between move and fire it is the one that does not fire.
#[inline(always)]
pub(super) fn mover(position: &Amazons) -> Side {
    if position.at_turn_start() { position.side_to_move() } else { !position.side_to_move() }
}

/// The number of squares nearer to White, and to Black.
pub(super) fn nearer_squares<const N: usize>(levels: &Levels<N>) -> [u32; 2] {
    let (mut nearer, mut reached) = ([0; 2], [Bitboard::EMPTY; 2]);
    for &[white, black] in &levels.sets {
        nearer[0] += (white & !(reached[1] | black)).count();
        nearer[1] += (black & !(reached[0] | white)).count();
        reached = [reached[0] | white, reached[1] | black];
    }
    nearer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::flood::{KernelTask, Portable, with_best_kernel};
    use crate::games::{Notation, variant};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    struct Counts<'a>(&'a Amazons);

    impl KernelTask for Counts<'_> {
        type Output = Vec<i32>;

        fn run<K: Kernel>(self, kernel: K) -> Vec<i32> {
            let mut counts = vec![0; FEATURES];
            count(kernel, self.0, &Distances::new(kernel, self.0), &mut counts);
            counts
        }
    }

    #[test]
    fn every_kernel_counts_alike_and_every_reachable_square_and_amazon_once() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        for name in ["amazons", "amazons8", "amazons6"] {
            let variant = &variant::find(name).unwrap();
            let mut position = Amazons::from_fen(variant, variant.start()).unwrap();
            while !(position.at_turn_start() && position.outcome().is_some()) {
                let counts = Counts(&position).run(Portable);
                assert_eq!(with_best_kernel(Counts(&position)), counts);
                let distances = Distances::new(Portable, &position);
                let reachable = (distances.reached[0] | distances.reached[1]).count() as i32;
                let total = |range: Range<usize>| counts[range].iter().sum::<i32>();
                let mover = mover(&position);
                assert_eq!([total(QUEEN), total(KING)], [reachable; 2]);
                assert_eq!(total(OWN_MOBILITY), position.amazons(mover).count() as i32);
                assert_eq!(total(OTHER_MOBILITY), position.amazons(!mover).count() as i32);
                assert_eq!(counts[TEMPO], 1);
                // One cell by hand: what only the mover reaches, in one queen move.
                let own = distances.queen.sets[0][mover.index()] & !distances.reached[(!mover).index()];
                assert_eq!(counts[QUEEN_CELLS - 1], own.count() as i32);
                let steps = position.steps();
                position.play(steps[random.random_range(0..steps.len())]);
            }
        }
    }
}
