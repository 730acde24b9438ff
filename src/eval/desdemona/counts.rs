//! The counts of the evaluation, and their places among the features.

use crate::board::Bitboard;
use crate::board::flood::{Kernel, QUEEN_LEVELS};
use crate::eval::lines::{LEADS, LONGEST, View, lead_class};
use crate::eval::network::{Counter, PHASES};
use crate::eval::squares::{Openness, board, cells};
use crate::games::Position;
use crate::games::desdemona::Desdemona;
use std::ops::Range;

/// Cells of queen distances: `(mover's − 1) · CELLS + other's − 1`, the last distance for "out of reach".
const CELLS: usize = QUEEN_LEVELS + 1;
/// Classes of a side's stones. On the rim: open on no axis, or open and flipped neither now nor soon, soon, now.
/// Elsewhere: open on no axis, then the same three for one axis, two, three and four.
const STONE_CLASSES: usize = 4 + 13;
/// Empty neighbours of an amazon, and half the squares in its sight.
const NEIGHBOURS: usize = 8;
const SIGHTS: usize = 14;

/// Where each group of features begins and ends, the mover's before the other side's.
pub(super) const QUEEN: Range<usize> = 0..CELLS * CELLS;
pub(super) const STONES: Range<usize> = QUEEN.end..QUEEN.end + 2 * STONE_CLASSES;
pub(super) const PREY: Range<usize> = STONES.end..STONES.end + 2 * LONGEST;
pub(super) const LEAD: Range<usize> = PREY.end..PREY.end + LEADS;
pub(super) const AMAZONS: Range<usize> = LEAD.end..LEAD.end + 2 * (NEIGHBOURS + SIGHTS);
/// 1; whether an odd number of squares is empty; empty squares on the rim and elsewhere.
pub(super) const BOARD: Range<usize> = AMAZONS.end..AMAZONS.end + 4;

/// Number of features.
pub const FEATURES: usize = BOARD.end;

/// The view of a position.
#[inline(always)]
pub(super) fn view<K: Kernel>(kernel: K, position: &Desdemona) -> View {
    View::of(position, kernel.queen_levels(position.geometry(), position.both_amazons(), position.empty()))
}

/// Empty squares that the side with fewer of them can reach at all: about the turns that may be left.
#[inline(always)]
pub(super) fn turns_left(view: &View) -> u32 {
    view.reached[0].count().min(view.reached[1].count())
}

/// The phase of the position times 256, by the turns left. Phases go from 0 to [`PHASES`] − 1.
#[inline(always)]
pub(super) fn fine_phase(position: &Desdemona, view: &View) -> usize {
    let squares = position.geometry().squares().count();
    (squares - turns_left(view)) as usize * (PHASES - 1) * 256 / squares as usize
}

/// Counts every feature into `counter`, from the mover's view.
#[inline(always)]
pub(super) fn count<K: Kernel>(kernel: K, position: &Desdemona, view: &View, counter: &mut impl Counter) {
    let mover = position.side_to_move();
    cells(QUEEN.start, [mover.index(), (!mover).index()], &view.levels, view.reached, counter);
    let (geometry, empty) = (position.geometry(), position.empty());
    let threats = view.lines.threats();
    let openness = Openness::new(geometry, empty);
    for (which, side) in [mover, !mover].into_iter().enumerate() {
        let stones = position.stones(side);
        let (start, rim) = (STONES.start + which * STONE_CLASSES, geometry.rim());
        view.lines.count(start, stones & rim, &threats, 1, counter);
        view.lines.count(start + 4, stones & !rim, &threats, 4, counter);
        counter.add(PREY.start + which * LONGEST + view.lines.longest[side.index()], 1);
        let start = AMAZONS.start + which * (NEIGHBOURS + SIGHTS);
        for square in position.amazons(side) {
            counter.add(start + openness.sum(Bitboard::of(square)) as usize, 1);
            let sight = kernel.queen_targets(geometry, square, empty).count() as usize / 2;
            counter.add(start + NEIGHBOURS + sight.min(SIGHTS - 1), 1);
        }
    }
    counter.add(LEAD.start + lead_class(position, mover), 1);
    board(BOARD.start, geometry, empty, counter);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::flood::{KernelTask, Portable, with_best_kernel};
    use crate::eval::desdemona::tests::{exchanged, for_each_position};
    use crate::eval::lines::DRAW_CLASSES;
    use crate::games::Notation;

    struct Counts<'a>(&'a Desdemona);

    impl KernelTask for Counts<'_> {
        type Output = (Vec<i32>, usize, usize);

        fn run<K: Kernel>(self, kernel: K) -> Self::Output {
            let mut counts = vec![0; FEATURES];
            let view = view(kernel, self.0);
            count(kernel, self.0, &view, &mut counts);
            (counts, fine_phase(self.0, &view), view.lines.draw_class())
        }
    }

    #[test]
    fn every_kernel_counts_alike_whoever_is_white_and_everything_once() {
        for_each_position(|variant, position| {
            let found = Counts(position).run(Portable);
            assert_eq!(with_best_kernel(Counts(position)), found);
            let other = Desdemona::from_fen(variant, &exchanged(position)).unwrap();
            assert_eq!(Counts(&other).run(Portable), found);
            let (counts, phase, draw_class) = found;
            assert!(phase < PHASES * 256 && draw_class < DRAW_CLASSES);
            let total = |range: Range<usize>| counts[range].iter().sum::<i32>();
            let mover = position.side_to_move();
            let half = STONES.start + STONE_CLASSES;
            assert_eq!(total(STONES.start..half), position.stones(mover).count() as i32);
            assert_eq!(total(half..STONES.end), position.stones(!mover).count() as i32);
            let view = view(Portable, position);
            assert_eq!(total(QUEEN), (view.reached[0] | view.reached[1]).count() as i32);
            assert_eq!((total(PREY), total(LEAD), total(AMAZONS)), (2, 1, 16));
        });
    }
}
