//! Numbers for all squares at once, as bit planes: what evaluations and policies ask of them.

use super::network::{Counter, PHASES};
use crate::board::flood::{BySquare, Kernel, Levels};
use crate::board::{Bitboard, Geometry, STRIDE, Square};

/// For every square, its number of empty neighbours, 0 … 7 (8 counts as 7), as three bit planes.
pub(super) struct Openness([u128; 3]);

impl Openness {
    #[inline(always)]
    pub fn new(geometry: &Geometry, Bitboard(empty): Bitboard) -> Self {
        let row = STRIDE as u32;
        let left = empty << 1 & geometry.not_first_file().0;
        let right = empty >> 1 & geometry.not_last_file().0;
        // Above and below: three squares each, added in two bits.
        let (side_low, side_high) = half_add(left, right);
        let (row_low, row_high) = full_add(left, empty, right);
        let (low, carry) = full_add(side_low, row_low << row, row_low >> row);
        let (mid, over_a) = full_add(side_high, row_high << row, row_high >> row);
        let (mid, over_b) = half_add(mid, carry);
        let eight = over_a & over_b;
        Self([low | eight, mid | eight, (over_a ^ over_b) | eight])
    }

    /// Sum of the numbers over `set`.
    #[inline(always)]
    pub fn sum(&self, set: Bitboard) -> u32 {
        let plane = |bit: usize| (Bitboard(self.0[bit]) & set).count() << bit;
        plane(0) + plane(1) + plane(2)
    }

    /// The planes, the lowest first.
    #[inline(always)]
    pub fn planes(&self) -> &[u128; 3] {
        &self.0
    }
}

#[inline(always)]
fn half_add(a: u128, b: u128) -> (u128, u128) {
    (a ^ b, a & b)
}

#[inline(always)]
fn full_add(a: u128, b: u128, c: u128) -> (u128, u128) {
    let half = a ^ b;
    (half ^ c, a & b | half & c)
}

/// For every square, half the number of empty squares that a queen on it sees, 0 … 17, as five bit planes.
pub(super) struct Sight(pub [u128; 5]);

impl Sight {
    /// Looks along all lines at once: after `n` rounds `run` has the squares with `n` empty ones before them in one
    /// direction, and each round adds its runs to the numbers.
    #[inline(always)]
    pub fn new(geometry: &Geometry, Bitboard(empty): Bitboard) -> Self {
        let row = STRIDE as u32;
        let (from_left, from_right) = (geometry.not_first_file().0 & empty, geometry.not_last_file().0 & empty);
        // The squares that may be arrived at with a shift to higher squares, and with one to lower squares.
        let (mut up, mut down) = ([u128::MAX; 4], [u128::MAX; 4]);
        let mut sum = [0u128; 6];
        loop {
            up = [
                (up[0] & from_right) << 1,
                (up[1] & from_right) << (row + 1),
                (up[2] & empty) << row,
                (up[3] & from_left) << (row - 1),
            ];
            down = [
                (down[0] & from_left) >> 1,
                (down[1] & from_left) >> (row + 1),
                (down[2] & empty) >> row,
                (down[3] & from_right) >> (row - 1),
            ];
            let any = up[0] | up[1] | up[2] | up[3] | down[0] | down[1] | down[2] | down[3];
            if any == 0 {
                break;
            }
            // Eight bits are four in number, then two, then one.
            let (one_a, two_a) = full_add(up[0], up[1], up[2]);
            let (one_b, two_b) = full_add(up[3], down[0], down[1]);
            let (one_c, two_c) = full_add(down[2], down[3], one_a);
            let (one, two_d) = half_add(one_b, one_c);
            let (two_e, four_a) = full_add(two_a, two_b, two_c);
            let (two, four_b) = half_add(two_d, two_e);
            let (four, eight) = half_add(four_a, four_b);
            let (s0, c) = half_add(sum[0], one);
            let (s1, c) = full_add(sum[1], two, c);
            let (s2, c) = full_add(sum[2], four, c);
            let (s3, c) = full_add(sum[3], eight, c);
            let (s4, c) = half_add(sum[4], c);
            sum = [s0, s1, s2, s3, s4, sum[5] | c];
        }
        let [_, half @ ..] = sum;
        Self(half)
    }
}

/// A number up to 7 for every square, as three bit planes.
#[derive(Clone, Copy)]
pub(super) struct Planes(pub [u128; 3]);

impl Planes {
    /// 0 everywhere.
    pub const NONE: Self = Self([0; 3]);

    /// The planes of numbers up to 3.
    #[inline(always)]
    pub fn low(&self) -> [u128; 2] {
        [self.0[0], self.0[1]]
    }

    /// Adds 1 to the squares of `set`, which have less than 7.
    #[inline(always)]
    pub fn count_one_more(&mut self, set: Bitboard) {
        let Self([low, mid, high]) = self;
        let carry = *low & set.0;
        (*low, *mid, *high) = (*low ^ set.0, *mid ^ carry, *high | *mid & carry);
    }

    /// The squares with this number, below 8, of `set`.
    #[inline(always)]
    pub fn with_number(&self, number: usize, set: Bitboard) -> Bitboard {
        let plane = |bit: usize| if number >> bit & 1 == 1 { self.0[bit] } else { !self.0[bit] };
        Bitboard(plane(0) & plane(1) & plane(2)) & set
    }

    /// Adds 1 to the squares of `set`; those that have 3 stay so.
    #[inline(always)]
    pub fn count_up_to_three(&mut self, set: Bitboard) {
        let Self([low, high, _]) = self;
        let carry = *low & set.0;
        let full = *low & *high & set.0;
        (*low, *high) = ((*low ^ set.0) | full, *high | carry);
    }

    /// Classes by distance: 0 up to the first of `greatest`, 1 up to the second, …; then farther, then out of reach.
    #[inline(always)]
    pub fn classes<const N: usize>(levels: &Levels<N>, side: usize, squares: Bitboard, greatest: &[usize]) -> Self {
        let class = |level: usize| {
            let mut class = 0;
            for &most in greatest {
                class += usize::from(level + 1 > most);
            }
            class
        };
        Self(digits(levels, side, squares, class, greatest.len() + 1))
    }
}

/// The bit planes, the lowest first, of a number for each of `squares`: `number` of its level from `side`, or `none` out
/// of reach.
#[inline(always)]
pub(super) fn digits<const BITS: usize, const N: usize>(
    levels: &Levels<N>,
    side: usize,
    squares: Bitboard,
    number: impl Fn(usize) -> usize,
    none: usize,
) -> [u128; BITS] {
    let (mut planes, mut rest) = ([0; BITS], squares);
    let mut put = |set: Bitboard, number: usize| {
        for (bit, plane) in planes.iter_mut().enumerate() {
            if number >> bit & 1 == 1 {
                *plane |= set.0;
            }
        }
    };
    for level in 0..levels.len {
        put(levels.sets[level][side], number(level));
        rest &= !levels.sets[level][side];
    }
    put(rest, none);
    planes
}

/// A number for every square, quick to look up.
#[derive(Clone, Copy)]
pub(super) struct Numbers(pub BySquare);

impl Numbers {
    /// The numbers of these bit planes, the lowest first.
    #[inline(always)]
    pub fn new<K: Kernel, const N: usize>(kernel: K, planes: [u128; N]) -> Self {
        let mut sets = [(Bitboard::EMPTY, 0); N];
        for (bit, (set, plane)) in sets.iter_mut().zip(planes).enumerate() {
            *set = (Bitboard(plane), 1 << bit);
        }
        Self(kernel.by_square(&sets))
    }

    #[inline(always)]
    pub fn at(&self, square: Square) -> usize {
        self.0[square.index() % self.0.len()].into()
    }
}

/// Counts squares by the distances of both sides, in the features from `start` on: of `sides` the mover is the first.
/// The feature of a cell is `(mover's distance − 1) · (N + 1) + other's distance − 1`, the last distance for "out of
/// reach".
#[inline(always)]
pub(super) fn cells<const N: usize>(
    start: usize,
    [own, other]: [usize; 2],
    levels: &Levels<N>,
    reached: [Bitboard; 2],
    counter: &mut impl Counter,
) {
    for near in 0..levels.len {
        let (mine, theirs) = (levels.sets[near][own], levels.sets[near][other]);
        let row = start + near * (N + 1);
        for far in 0..levels.len {
            counter.add(row + far, (mine & levels.sets[far][other]).count() as i32);
        }
        counter.add(row + N, (mine & !reached[other]).count() as i32);
        counter.add(start + N * (N + 1) + near, (theirs & !reached[own]).count() as i32);
    }
}

/// Counts what a board is like, in the four features from `start` on: 1, whether an odd number of squares is empty,
/// empty squares on the rim and elsewhere.
#[inline(always)]
pub(super) fn board(start: usize, geometry: &Geometry, empty: Bitboard, counter: &mut impl Counter) {
    let on_rim = (empty & geometry.rim()).count();
    counter.add(start, 1);
    counter.add(start + 1, (empty.count() & 1) as i32);
    counter.add(start + 2, on_rim as i32);
    counter.add(start + 3, (empty.count() - on_rim) as i32);
}

/// The phase of a position times 256, by the share of its squares that are taken. Phases go from 0 to [`PHASES`] − 1.
#[inline(always)]
pub(super) fn phase_by_taken(geometry: &Geometry, empty: Bitboard) -> usize {
    let squares = geometry.squares().count();
    (squares - empty.count()) as usize * (PHASES - 1) * 256 / squares as usize
}

/// King steps on a line, at most 9.
#[inline(always)]
pub(super) fn length(from: Square, to: Square) -> usize {
    from.file().abs_diff(to.file()).max(from.rank().abs_diff(to.rank())).min(9)
}

/// Distance from the edge, at most 5.
#[inline(always)]
pub(super) fn edge_distance(geometry: &Geometry, square: Square) -> usize {
    let (file, rank) = (square.file(), square.rank());
    let files = file.min(geometry.width() - 1 - file);
    files.min(rank.min(geometry.height() - 1 - rank)).min(5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::flood::Portable;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn sight_is_half_of_what_a_queen_sees() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        for (width, height) in [(3, 3), (10, 10), (11, 11), (7, 4), (4, 11)] {
            let geometry = Geometry::get(width, height).unwrap();
            for round in 0..40 {
                let mut empty = geometry.squares();
                for _ in 0..round % 4 {
                    empty &= Bitboard(random.random::<u128>() | random.random::<u128>());
                }
                let sight = Sight::new(geometry, empty);
                for square in geometry.squares() {
                    let seen = geometry.queen_targets(square, empty).count() as usize;
                    assert_eq!(Numbers::new(Portable, sight.0).at(square), seen / 2, "{empty:?} {square}");
                }
            }
        }
    }

    #[test]
    fn openness_counts_empty_neighbours() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for (width, height) in [(3, 3), (10, 10), (11, 11), (7, 4)] {
            let geometry = Geometry::get(width, height).unwrap();
            for round in 0..40 {
                let mut empty = geometry.squares();
                for _ in 0..round % 4 {
                    empty &= Bitboard(random.random());
                }
                let openness = Openness::new(geometry, empty);
                for square in geometry.squares() {
                    let counted = (geometry.neighbours(square) & empty).count();
                    assert_eq!(openness.sum(Bitboard::of(square)), counted.min(7), "{empty:?} {square}");
                    assert_eq!(Numbers::new(Portable, *openness.planes()).at(square), counted.min(7) as usize);
                }
            }
        }
    }
}
