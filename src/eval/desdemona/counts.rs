//! The counts of the evaluation, and their places among the features.

use crate::board::Bitboard;
use crate::board::flood::{Kernel, Levels, QUEEN_LEVELS};
use crate::eval::lines::{Around, Lines};
use crate::eval::network::{Counter, PHASES};
use crate::eval::squares::{Openness, Planes, board, cells};
use crate::games::desdemona::{Desdemona, Flips};
use crate::games::{Position, Side};
use std::ops::Range;

/// Cells of queen distances: `(mover's − 1) · CELLS + other's − 1`, the last distance for "out of reach".
const CELLS: usize = QUEEN_LEVELS + 1;
/// Classes of a side's stones. On the rim: open on no axis, or open and flipped neither now nor soon, soon, now.
/// Elsewhere: open on no axis, then the same three for one axis, two, three and four.
const STONE_CLASSES: usize = 4 + 13;
/// The number of classes for the length of the longest run that can be flipped at once.
const LONGEST: usize = 8;
/// A lead in stones beyond this number, either way, counts as this.
const MOST_LEAD: i32 = 10;
/// Empty neighbours of an amazon, and half the squares in its sight.
const NEIGHBOURS: usize = 8;
const SIGHTS: usize = 14;

/// Where each group of features begins and ends, the mover's before the other side's.
pub(super) const QUEEN: Range<usize> = 0..CELLS * CELLS;
pub(super) const STONES: Range<usize> = QUEEN.end..QUEEN.end + 2 * STONE_CLASSES;
pub(super) const PREY: Range<usize> = STONES.end..STONES.end + 2 * LONGEST;
pub(super) const LEAD: Range<usize> = PREY.end..PREY.end + 2 * MOST_LEAD as usize + 1;
pub(super) const AMAZONS: Range<usize> = LEAD.end..LEAD.end + 2 * (NEIGHBOURS + SIGHTS);
/// 1; whether an odd number of squares is empty; empty squares on the rim and elsewhere.
pub(super) const BOARD: Range<usize> = AMAZONS.end..AMAZONS.end + 4;

/// Number of features.
pub const FEATURES: usize = BOARD.end;

/// Distances and lines, from which all counts are made.
pub(super) struct View {
    pub levels: Levels<QUEEN_LEVELS>,
    pub reached: [Bitboard; 2],
    pub lines: Lines,
}

/// The surroundings on which the stones' lines depend, by the queen distances of both sides' amazons.
#[inline(always)]
pub(in crate::eval) fn around<'a>(position: &'a Desdemona, levels: &Levels<QUEEN_LEVELS>) -> Around<'a> {
    let of = |set: fn(&Desdemona, Side) -> Bitboard| [set(position, Side::White), set(position, Side::Black)];
    let ([white, black], [white_next, black_next]) = (levels.sets[0], levels.sets[1]);
    Around {
        geometry: position.geometry(),
        empty: position.empty(),
        stones: of(Desdemona::stones),
        pieces: of(Desdemona::amazons),
        near: [white, black],
        far: [white | white_next, black | black_next],
        closed: position.rules().flips == Flips::Lines,
    }
}

impl View {
    #[inline(always)]
    pub fn new<K: Kernel>(kernel: K, position: &Desdemona) -> Self {
        let amazons = [position.amazons(Side::White), position.amazons(Side::Black)];
        let levels = kernel.queen_levels(position.geometry(), amazons, position.empty());
        let lines = Lines::new(&around(position, &levels));
        Self { reached: [levels.reached(0), levels.reached(1)], lines, levels }
    }

    /// How many runs that can be flipped at once end at each square, at most three: of the mover's stones, then of the
    /// other side's.
    #[inline(always)]
    pub fn ends(&self, position: &Desdemona) -> [Planes; 2] {
        let (geometry, side, empty) = (position.geometry(), position.side_to_move(), position.empty());
        [side, !side].map(|side| self.lines.ends(geometry, position.stones(side), empty))
    }

    /// Empty squares that the side with fewer of them can reach at all: about the turns that may be left.
    #[inline(always)]
    pub fn turns_left(&self) -> u32 {
        self.reached[0].count().min(self.reached[1].count())
    }

    /// The phase of the position times 256, by the turns left. Phases go from 0 to [`PHASES`] − 1.
    #[inline(always)]
    pub fn fine_phase(&self, position: &Desdemona) -> usize {
        let squares = position.geometry().squares().count();
        (squares - self.turns_left()) as usize * (PHASES - 1) * 256 / squares as usize
    }
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
    let lead = position.stones(mover).count() as i32 - position.stones(!mover).count() as i32;
    counter.add(LEAD.start + (lead.clamp(-MOST_LEAD, MOST_LEAD) + MOST_LEAD) as usize, 1);
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
            let view = View::new(kernel, self.0);
            count(kernel, self.0, &view, &mut counts);
            (counts, view.fine_phase(self.0), view.lines.draw_class())
        }
    }

    #[test]
    fn every_kernel_counts_alike_whoever_is_white_and_everything_once() {
        for_each_position(|variant, position| {
            let found = Counts(position).run(Portable);
            assert_eq!(with_best_kernel(Counts(position)), found);
            let other = Desdemona::from_fen(variant, &exchanged(position)).unwrap();
            assert_eq!(Counts(&other).run(Portable), found);
            let (counts, fine_phase, draw_class) = found;
            assert!(fine_phase < PHASES * 256 && draw_class < DRAW_CLASSES);
            let total = |range: Range<usize>| counts[range].iter().sum::<i32>();
            let mover = position.side_to_move();
            let half = STONES.start + STONE_CLASSES;
            assert_eq!(total(STONES.start..half), position.stones(mover).count() as i32);
            assert_eq!(total(half..STONES.end), position.stones(!mover).count() as i32);
            let view = View::new(Portable, position);
            assert_eq!(total(QUEEN), (view.reached[0] | view.reached[1]).count() as i32);
            assert_eq!((total(PREY), total(LEAD), total(AMAZONS)), (2, 1, 16));
        });
    }
}
