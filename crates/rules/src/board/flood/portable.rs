use super::{KING_LEVELS, Kernel, Levels, QUEEN_LEVELS};
use crate::board::{Bitboard, Geometry};

/// Floods on plain `u128`: runs everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

/// Bits from a square to its neighbour in the first four directions; the other four go the same way down.
const STEPS: [u32; 4] = [1, 12, 11, 10];

impl Kernel for Portable {
    #[inline(always)]
    fn queen_levels(self, geometry: &Geometry, sources: [Bitboard; 2], empty: Bitboard) -> Levels<QUEEN_LEVELS> {
        let lanes = Lanes::new(geometry, empty.0);
        collect(sources, |front| lanes.queen_step(front))
    }

    #[inline(always)]
    fn king_levels(self, geometry: &Geometry, sources: [Bitboard; 2], empty: Bitboard) -> Levels<KING_LEVELS> {
        collect(sources, |front| super::king_step(geometry, Bitboard(front), empty).0)
    }
}

/// Repeats `step` until nothing new is reached.
#[inline(always)]
fn collect<const N: usize>(sources: [Bitboard; 2], step: impl Fn(u128) -> u128) -> Levels<N> {
    let mut levels = Levels::<N>::NONE;
    for side in 0..2 {
        let (mut reached, mut front) = (0, sources[side].0);
        let mut distance = 0;
        while front != 0 {
            front = step(front) & !reached;
            reached |= front;
            let level = distance.min(N - 1);
            levels.sets[level][side] |= Bitboard(front);
            if front != 0 {
                levels.len = levels.len.max(level + 1);
            }
            distance += 1;
        }
    }
    levels
}

/// For each direction, the squares from which the last 1, 2, 4 and 8 steps back were over empty squares.
struct Lanes {
    up: [[u128; 4]; 4],
    down: [[u128; 4]; 4],
    /// Whether any run of empty squares is long enough for the fourth round.
    long: bool,
}

impl Lanes {
    #[inline(always)]
    fn new(geometry: &Geometry, empty: u128) -> Self {
        let from_left = empty & geometry.not_first_file().0;
        let from_right = empty & geometry.not_last_file().0;
        // East, north-east, north, north-west; then west, south-west, south, south-east.
        let up_arrivals = [from_left, from_left, empty, from_right];
        let down_arrivals = [from_right, from_right, empty, from_left];
        let mut lanes = Self { up: [[0; 4]; 4], down: [[0; 4]; 4], long: false };
        for line in 0..4 {
            let step = STEPS[line];
            let (mut up, mut down) = (up_arrivals[line], down_arrivals[line]);
            for round in 0..4 {
                lanes.up[line][round] = up;
                lanes.down[line][round] = down;
                up &= up << (step << round);
                down &= down >> (step << round);
            }
            lanes.long |= (lanes.up[line][3] | lanes.down[line][3]) != 0;
        }
        lanes
    }

    /// All squares that one queen move reaches from anywhere in `from`, and `from` itself.
    #[inline(always)]
    fn queen_step(&self, from: u128) -> u128 {
        let rounds = if self.long { 4 } else { 3 };
        let mut all = 0;
        for line in 0..4 {
            let (mut up, mut down) = (from, from);
            for round in 0..rounds {
                up |= self.up[line][round] & up << (STEPS[line] << round);
                down |= self.down[line][round] & down >> (STEPS[line] << round);
            }
            all |= up ^ from | down ^ from;
        }
        all
    }
}
