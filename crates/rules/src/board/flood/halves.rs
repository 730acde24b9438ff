//! Both sides' sets as two pairs of 64-bit halves: in WebAssembly a pair is one vector of 128 bits.
//!
//! A set lies across two vectors, so a shift across the halves needs no instruction that moves parts of a vector: three
//! shifts and an `or` for both sides, where plain `u128` takes eight.

use super::{KING_LEVELS, Kernel, Levels, QUEEN_LEVELS};
use crate::board::{Bitboard, Geometry};
use pair::Pair;

/// Floods on pairs of halves. Faster than [`Portable`](super::Portable) only where a pair is a vector.
#[derive(Clone, Copy, Debug)]
pub struct Halves;

/// A number of 64 bits for each side.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod pair {
    use std::arch::wasm32::*;

    #[derive(Clone, Copy)]
    pub struct Pair(v128);

    impl Pair {
        #[inline(always)]
        pub fn new([a, b]: [u64; 2]) -> Self {
            Self(u64x2(a, b))
        }
        #[inline(always)]
        pub fn get(self) -> [u64; 2] {
            [u64x2_extract_lane::<0>(self.0), u64x2_extract_lane::<1>(self.0)]
        }
        #[inline(always)]
        pub fn and(self, other: Self) -> Self {
            Self(v128_and(self.0, other.0))
        }
        #[inline(always)]
        pub fn or(self, other: Self) -> Self {
            Self(v128_or(self.0, other.0))
        }
        /// Squares that are in `self` and not in `other`.
        #[inline(always)]
        pub fn without(self, other: Self) -> Self {
            Self(v128_andnot(self.0, other.0))
        }
        #[inline(always)]
        pub fn left<const BITS: u32>(self) -> Self {
            Self(u64x2_shl(self.0, BITS))
        }
        #[inline(always)]
        pub fn right<const BITS: u32>(self) -> Self {
            Self(u64x2_shr(self.0, BITS))
        }
        #[inline(always)]
        pub fn any(self) -> bool {
            v128_any_true(self.0)
        }
    }
}

/// A pair of words without vectors: tests use it on machines that are no WebAssembly.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod pair {
    #[derive(Clone, Copy)]
    pub struct Pair([u64; 2]);

    impl Pair {
        #[inline(always)]
        pub fn new(halves: [u64; 2]) -> Self {
            Self(halves)
        }
        #[inline(always)]
        pub fn get(self) -> [u64; 2] {
            self.0
        }
        #[inline(always)]
        pub fn and(self, other: Self) -> Self {
            Self([self.0[0] & other.0[0], self.0[1] & other.0[1]])
        }
        #[inline(always)]
        pub fn or(self, other: Self) -> Self {
            Self([self.0[0] | other.0[0], self.0[1] | other.0[1]])
        }
        /// Squares that are in `self` and not in `other`.
        #[inline(always)]
        pub fn without(self, other: Self) -> Self {
            Self([self.0[0] & !other.0[0], self.0[1] & !other.0[1]])
        }
        #[inline(always)]
        pub fn left<const BITS: u32>(self) -> Self {
            Self(self.0.map(|half| half << BITS))
        }
        #[inline(always)]
        pub fn right<const BITS: u32>(self) -> Self {
            Self(self.0.map(|half| half >> BITS))
        }
        #[inline(always)]
        pub fn any(self) -> bool {
            self.0 != [0, 0]
        }
    }
}

/// A set of squares for each side.
#[derive(Clone, Copy)]
struct Sets {
    low: Pair,
    high: Pair,
}

impl Sets {
    #[inline(always)]
    fn new([a, b]: [Bitboard; 2]) -> Self {
        let low = Pair::new([a.0 as u64, b.0 as u64]);
        Self { low, high: Pair::new([(a.0 >> 64) as u64, (b.0 >> 64) as u64]) }
    }

    #[inline(always)]
    fn both(set: Bitboard) -> Self {
        Self::new([set, set])
    }

    #[inline(always)]
    fn get(self) -> [Bitboard; 2] {
        let ([a, b], [high_a, high_b]) = (self.low.get(), self.high.get());
        [Bitboard(u128::from(high_a) << 64 | u128::from(a)), Bitboard(u128::from(high_b) << 64 | u128::from(b))]
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self { low: self.low.and(other.low), high: self.high.and(other.high) }
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self { low: self.low.or(other.low), high: self.high.or(other.high) }
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self { low: self.low.without(other.low), high: self.high.without(other.high) }
    }

    #[inline(always)]
    fn any(self) -> bool {
        self.low.or(self.high).any()
    }

    /// Shifted to higher squares; `REST` is 64 − `BITS`.
    #[inline(always)]
    fn up<const BITS: u32, const REST: u32>(self) -> Self {
        Self { low: self.low.left::<BITS>(), high: self.high.left::<BITS>().or(self.low.right::<REST>()) }
    }

    #[inline(always)]
    fn down<const BITS: u32, const REST: u32>(self) -> Self {
        Self { low: self.low.right::<BITS>().or(self.high.left::<REST>()), high: self.high.right::<BITS>() }
    }

    /// Shifted by 64 and `BITS` more.
    #[inline(always)]
    fn up_far<const BITS: u32>(self) -> Self {
        Self { low: Pair::new([0, 0]), high: self.low.left::<BITS>() }
    }

    #[inline(always)]
    fn down_far<const BITS: u32>(self) -> Self {
        Self { low: self.high.right::<BITS>(), high: Pair::new([0, 0]) }
    }
}

/// One direction: the squares from which the last 1, 2, 4 and 8 steps back were over empty squares, and the fill along
/// them. `$far` is the shift by 8 steps.
macro_rules! direction {
    ($name:ident, $shift:ident, $step:expr, $far:ident($($bits:expr),+)) => {
        #[derive(Clone, Copy)]
        struct $name([Sets; 4]);

        impl $name {
            #[inline(always)]
            fn new(one: Sets) -> Self {
                let two = one.and(one.$shift::<{ $step }, { 64 - $step }>());
                let four = two.and(two.$shift::<{ 2 * $step }, { 64 - 2 * $step }>());
                let eight = four.and(four.$shift::<{ 4 * $step }, { 64 - 4 * $step }>());
                Self([one, two, four, eight])
            }

            #[inline(always)]
            fn fill(&self, mut set: Sets, long: bool) -> Sets {
                set = set.or(self.0[0].and(set.$shift::<{ $step }, { 64 - $step }>()));
                set = set.or(self.0[1].and(set.$shift::<{ 2 * $step }, { 64 - 2 * $step }>()));
                set = set.or(self.0[2].and(set.$shift::<{ 4 * $step }, { 64 - 4 * $step }>()));
                if long { set.or(self.0[3].and(set.$far::<$($bits),+>())) } else { set }
            }
        }
    };
}

direction!(East, up, 1, up(8, 56));
direction!(NorthEast, up, 12, up_far(32));
direction!(North, up, 11, up_far(24));
direction!(NorthWest, up, 10, up_far(16));
direction!(West, down, 1, down(8, 56));
direction!(SouthWest, down, 12, down_far(32));
direction!(South, down, 11, down_far(24));
direction!(SouthEast, down, 10, down_far(16));

impl Kernel for Halves {
    #[inline(always)]
    fn queen_levels(self, geometry: &Geometry, sources: [Bitboard; 2], empty: Bitboard) -> Levels<QUEEN_LEVELS> {
        let free = Sets::both(empty);
        let from_left = Sets::both(empty & geometry.not_first_file());
        let from_right = Sets::both(empty & geometry.not_last_file());
        let east = East::new(from_left);
        let north_east = NorthEast::new(from_left);
        let north = North::new(free);
        let north_west = NorthWest::new(from_right);
        let west = West::new(from_right);
        let south_west = SouthWest::new(from_right);
        let south = South::new(free);
        let south_east = SouthEast::new(from_left);
        let any = |sets: [Sets; 4]| sets[0].or(sets[1]).or(sets[2].or(sets[3]));
        let long_up = any([east.0[3], north_east.0[3], north.0[3], north_west.0[3]]);
        let long_down = any([west.0[3], south_west.0[3], south.0[3], south_east.0[3]]);
        let long = long_up.or(long_down).any();
        let step = |front: Sets| {
            let up = [east.fill(front, long), north_east.fill(front, long)];
            let up = up[0].or(up[1]).or(north.fill(front, long).or(north_west.fill(front, long)));
            let down = [west.fill(front, long), south_west.fill(front, long)];
            let down = down[0].or(down[1]).or(south.fill(front, long).or(south_east.fill(front, long)));
            up.or(down)
        };
        let (mut levels, mut front) = (Levels::NONE, Sets::new(sources));
        let mut reached = front;
        for distance in 0.. {
            front = step(front).without(reached);
            if !push(&mut levels, distance, front) {
                break;
            }
            reached = reached.or(front);
        }
        levels
    }

    #[inline(always)]
    fn king_levels(self, geometry: &Geometry, sources: [Bitboard; 2], empty: Bitboard) -> Levels<KING_LEVELS> {
        let mut free = Sets::both(empty);
        let not_first = Sets::both(geometry.not_first_file());
        let not_last = Sets::both(geometry.not_last_file());
        let (mut levels, mut front) = (Levels::NONE, Sets::new(sources));
        for distance in 0.. {
            let sideways = front.up::<1, 63>().and(not_first).or(front.down::<1, 63>().and(not_last));
            let row = front.or(sideways);
            front = row.or(row.up::<11, 53>().or(row.down::<11, 53>())).and(free);
            if !push(&mut levels, distance, front) {
                break;
            }
            free = free.without(front);
        }
        levels
    }
}

/// Adds a level; false if it is empty.
#[inline(always)]
fn push<const N: usize>(levels: &mut Levels<N>, distance: usize, front: Sets) -> bool {
    if !front.any() {
        return false;
    }
    let level = distance.min(N - 1);
    let [a, b] = front.get();
    levels.sets[level][0] |= a;
    levels.sets[level][1] |= b;
    levels.len = level + 1;
    true
}
