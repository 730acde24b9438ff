//! Distances from two sets of squares to every empty square at once, in queen moves and in king steps.
//!
//! A flood takes the sources of both sides together and works level by level: the squares reached in one queen move
//! from anywhere in the set so far, then in two, and so on. A queen move of a whole set is eight Kogge–Stone fills, one
//! a direction. [`Portable`] does it on `u128`, `Avx2` on both sides in one register, `Avx512` in two directions at
//! once besides, `Halves` in the vectors of WebAssembly; they give the same sets. Which one runs is decided by
//! [`with_best_kernel`].
//!
//! ARM's NEON has no kernel. It cannot shift across 64 bits either: moving a set takes three of its instructions, but
//! only two on a pair of ordinary registers (`extr`, `lsl`), which have more units.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(any(test, all(target_arch = "wasm32", target_feature = "simd128")))]
mod halves;
mod portable;

#[cfg(target_arch = "x86_64")]
pub use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub use avx512::Avx512;
pub use portable::Portable;

use super::rays::line_targets;
use super::{Bitboard, Geometry, Square};

/// Queen distances told apart: 1 … 6, and 7 for everything farther.
pub const QUEEN_LEVELS: usize = 7;
/// King distances told apart: 1 … 9, and 10 for everything farther.
pub const KING_LEVELS: usize = 10;

/// The squares at each distance from the sources of two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels<const N: usize> {
    /// `sets[d - 1][side]`: the empty squares at distance `d`; the last level also holds what is farther.
    pub sets: [[Bitboard; 2]; N],
    /// Levels in use: all beyond are empty for both sides.
    pub len: usize,
}

impl<const N: usize> Levels<N> {
    const NONE: Self = Self { sets: [[Bitboard::EMPTY; 2]; N], len: 0 };

    /// The distance from `side`'s sources to `square`, `None` if it is out of reach.
    #[must_use]
    pub fn distance(&self, side: usize, square: Square) -> Option<usize> {
        self.sets.iter().position(|level| level[side].contains(square)).map(|index| index + 1)
    }

    /// All squares that `side` reaches.
    #[inline(always)]
    #[must_use]
    pub fn reached(&self, side: usize) -> Bitboard {
        let mut all = Bitboard::EMPTY;
        for level in &self.sets {
            all |= level[side];
        }
        all
    }
}

/// One way to compute floods. All implementations give equal results.
pub trait Kernel: Copy {
    /// Distances in queen moves over `empty` squares from each side's `sources`.
    fn queen_levels(self, geometry: &Geometry, sources: [Bitboard; 2], empty: Bitboard) -> Levels<QUEEN_LEVELS>;
    /// Distances in king steps over `empty` squares from each side's `sources`.
    fn king_levels(self, geometry: &Geometry, sources: [Bitboard; 2], empty: Bitboard) -> Levels<KING_LEVELS>;

    /// As [`Geometry::queen_targets`].
    #[inline(always)]
    fn queen_targets(self, geometry: &Geometry, square: Square, empty: Bitboard) -> Bitboard {
        self.line_targets(&geometry.around(square).rays, empty)
    }

    /// The empty squares of some rays from a square, by direction, each up to its first square outside `empty`.
    #[inline(always)]
    fn line_targets(self, rays: &[Bitboard; 8], empty: Bitboard) -> Bitboard {
        line_targets(rays, empty)
    }

    /// The sum over the squares of `set` up to four king steps from `square`, of each one's number in `planes` (the
    /// lowest bit first) times 2^(4 − king steps).
    #[inline(always)]
    fn sum_by_nearness(self, geometry: &Geometry, square: Square, set: Bitboard, planes: &[u128; 3]) -> u32 {
        let mut sum = 0;
        for distance in 1..=4 {
            let ring = set & geometry.ring(distance, square);
            for (bit, &plane) in planes.iter().enumerate() {
                sum += (ring & Bitboard(plane)).count() << (bit + 4 - distance);
            }
        }
        sum
    }

    /// For each square, by its index, the sum of the weights of the sets that it is in. Sums wrap round.
    #[inline(always)]
    fn by_square<const N: usize>(self, sets: &[(Bitboard, u16); N]) -> BySquare {
        let mut sums = [0u16; SQUARES];
        for &(set, weight) in sets {
            let bytes = set.0.to_le_bytes();
            for (bits, sums) in bytes.as_chunks::<2>().0.iter().zip(sums.as_chunks_mut::<LANES>().0) {
                // Many squares at once: vectors compare bits, but do not shift each lane by its own number.
                let bits = u16::from_le_bytes(*bits);
                for (sum, bit) in sums.iter_mut().zip(LANE_BITS) {
                    *sum = sum.wrapping_add(if bits & bit == bit { weight } else { 0 });
                }
            }
        }
        sums
    }
}

/// The next power of two above the number of squares in a frame.
pub const SQUARES: usize = 128;
/// A number for each square, by its index.
pub type BySquare = [u16; SQUARES];
/// Squares that the portable [`Kernel::by_square`] looks at together.
const LANES: usize = 16;
const LANE_BITS: [u16; LANES] = {
    let (mut bits, mut lane) = ([0; LANES], 0);
    while lane < LANES {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

/// Work that is written once for any [`Kernel`].
pub trait KernelTask {
    /// The result of the work.
    type Output;
    /// Does it. Mark implementations `#[inline(always)]`: they are then compiled once for each kernel, with
    /// the processor features that the kernel stands for (population counts in hardware, above all).
    fn run<K: Kernel>(self, kernel: K) -> Self::Output;
}

/// Runs `task` with the fastest kernel that this processor has.
#[inline]
pub fn with_best_kernel<T: KernelTask>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if let Some(kernel) = Avx512::detect() {
            return kernel.run(task);
        }
        if let Some(kernel) = Avx2::detect() {
            return kernel.run(task);
        }
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    return task.run(halves::Halves);
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    task.run(Portable)
}

/// `set` and its king neighbours, intersected with `empty`.
#[inline(always)]
#[must_use]
pub fn king_step(geometry: &Geometry, set: Bitboard, empty: Bitboard) -> Bitboard {
    let row = set | (set << 1 & geometry.not_first_file()) | (set >> 1 & geometry.not_last_file());
    (row | row << super::STRIDE as u32 | row >> super::STRIDE as u32) & empty
}

/// The part of `within` that is connected to `seeds` by king steps. Seeds outside `within` start the fill
/// but are not part of the answer.
#[must_use]
pub fn connected(geometry: &Geometry, seeds: Bitboard, within: Bitboard) -> Bitboard {
    let mut reached = seeds & within;
    let mut front = seeds;
    loop {
        front = king_step(geometry, front, within) & !reached;
        if front.is_empty() {
            return reached;
        }
        reached |= front;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Distances by breadth-first search, a square at a time.
    fn slow_levels<const N: usize>(sources: [Bitboard; 2], targets: impl Fn(Square) -> Bitboard) -> [[Bitboard; 2]; N] {
        let mut sets = [[Bitboard::EMPTY; 2]; N];
        for side in 0..2 {
            let (mut reached, mut front) = (Bitboard::EMPTY, sources[side]);
            for distance in 0.. {
                let next = front.into_iter().fold(Bitboard::EMPTY, |all, s| all | targets(s)) & !reached;
                if next.is_empty() {
                    break;
                }
                sets[distance.min(N - 1)][side] |= next;
                reached |= next;
                front = next;
            }
        }
        sets
    }

    fn check_kernel(kernel: impl Kernel) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        let (stride, rounds) = if cfg!(miri) { (8, 2) } else { (1, 60) };
        for width in (3..=11).step_by(stride) {
            for height in (3..=11).step_by(stride) {
                let geometry = Geometry::get(width, height).unwrap();
                for round in 0..rounds {
                    let mut empty = geometry.squares();
                    for _ in 0..round % 4 {
                        empty &= Bitboard(random.random::<u128>() | random.random::<u128>());
                    }
                    let mut sources = [Bitboard::EMPTY; 2];
                    for (side, set) in sources.iter_mut().enumerate() {
                        for _ in 0..(round + side) % 5 {
                            let square = Square::at(random.random_range(0..width), random.random_range(0..height));
                            *set = set.with(square.unwrap());
                        }
                    }
                    empty &= !(sources[0] | sources[1]);
                    let queen = kernel.queen_levels(geometry, sources, empty);
                    assert_eq!(
                        queen.sets,
                        slow_levels(sources, |s| geometry.queen_targets(s, empty)),
                        "{width}x{height}"
                    );
                    let king = kernel.king_levels(geometry, sources, empty);
                    assert_eq!(king.sets, slow_levels(sources, |s| geometry.neighbours(s) & empty), "{width}x{height}");
                    assert!(queen.sets[queen.len..].iter().flatten().all(|set| set.is_empty()));
                    assert!(king.sets[king.len..].iter().flatten().all(|set| set.is_empty()));
                    let planes = [(); 3].map(|()| random.random());
                    for square in geometry.squares() {
                        let targets = geometry.queen_targets(square, empty);
                        assert_eq!(kernel.queen_targets(geometry, square, empty), targets, "{width}x{height} {square}");
                        let sum = Portable.sum_by_nearness(geometry, square, targets, &planes);
                        assert_eq!(kernel.sum_by_nearness(geometry, square, targets, &planes), sum);
                    }
                    let sets = [0, 1, 2].map(|number| (Bitboard(planes[number]), 0x4001 << number));
                    for (square, sum) in kernel.by_square(&sets).into_iter().enumerate() {
                        let weights = sets.iter().filter(|(set, _)| set.0 >> square & 1 == 1);
                        assert_eq!(sum, weights.fold(0, |sum: u16, (_, weight)| sum.wrapping_add(*weight)));
                    }
                    for side in 0..2 {
                        assert_eq!(connected(geometry, sources[side], empty), king.reached(side));
                        assert_eq!(queen.reached(side), king.reached(side));
                    }
                }
            }
        }
    }

    /// Checks a kernel if the processor has its instructions. Without them that is noted for `cargo xtask test`, or an
    /// error if `HIPPOLYTA_KERNEL` demands it by its name.
    #[cfg(target_arch = "x86_64")]
    fn check_detected(name: &str, kernel: Option<impl Kernel>) {
        use std::io::Write;
        if let Some(kernel) = kernel {
            return check_kernel(kernel);
        }
        assert!(
            std::env::var_os("HIPPOLYTA_KERNEL").is_none_or(|wanted| wanted != name),
            "the processor has no {name}"
        );
        eprintln!("left out: the processor has no {name}");
        if let Some(notes) = std::env::var_os("HIPPOLYTA_LEFT_OUT") {
            let file = std::fs::OpenOptions::new().append(true).create(true).open(notes);
            file.and_then(|mut file| writeln!(file, "floods with {name}: the processor has none")).unwrap();
        }
    }

    #[test]
    fn portable_floods_agree_with_breadth_first_search() {
        check_kernel(Portable);
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn avx2_floods_agree_with_breadth_first_search() {
        check_detected("avx2", Avx2::detect());
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn avx512_floods_agree_with_breadth_first_search() {
        check_detected("avx512", Avx512::detect());
    }

    #[test]
    fn floods_on_halves_agree_with_breadth_first_search() {
        check_kernel(halves::Halves);
    }

    #[test]
    fn what_is_near_counts_most() {
        let geometry = Geometry::get(10, 10).unwrap();
        let square: Square = "e5".parse().unwrap();
        let set: Bitboard =
            ["e6", "g7", "e8", "a1", "e10"].iter().map(|name| name.parse::<Square>().unwrap()).collect();
        // 8 a king step away, 4 two, 2 three, 1 four: e10 is too far.
        let all = [u128::MAX; 3];
        assert_eq!(Portable.sum_by_nearness(geometry, square, set, &[u128::MAX, 0, 0]), 8 + 4 + 2 + 1);
        assert_eq!(Portable.sum_by_nearness(geometry, square, set, &all), 7 * 15);
    }
}
