//! Both sides' sets in one 256-bit register, a `u128` in each half.
#![allow(unsafe_code)]

use super::{BySquare, KING_LEVELS, Kernel, KernelTask, LANE_BITS, LANES, Levels, QUEEN_LEVELS, SQUARES};
use crate::board::{Bitboard, Geometry};
use std::arch::x86_64::*;

/// Floods with AVX2. A value exists only where [`Avx2::detect`] found the processor fit for it.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

impl Avx2 {
    /// The kernel, if this processor has AVX2, BMI1, BMI2, LZCNT and POPCNT.
    #[inline]
    #[must_use]
    pub fn detect() -> Option<Self> {
        let fit = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        fit.then_some(Self(()))
    }

    /// Runs `task`, compiled for these processor features.
    #[inline]
    pub fn run<T: KernelTask>(self, task: T) -> T::Output {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_features<T: KernelTask>(kernel: Avx2, task: T) -> T::Output {
            task.run(kernel)
        }
        // SAFETY: `self` proves that the processor has these features.
        unsafe { with_features(self, task) }
    }
}

impl Kernel for Avx2 {
    #[inline(always)]
    fn queen_levels(self, geometry: &Geometry, sources: [Bitboard; 2], empty: Bitboard) -> Levels<QUEEN_LEVELS> {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { queen_levels(geometry, sources, empty) }
    }

    #[inline(always)]
    fn king_levels(self, geometry: &Geometry, sources: [Bitboard; 2], empty: Bitboard) -> Levels<KING_LEVELS> {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { king_levels(geometry, sources, empty) }
    }

    #[inline(always)]
    fn line_targets(self, rays: &[Bitboard; 8], empty: Bitboard) -> Bitboard {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { line_targets(rays, empty) }
    }

    #[inline(always)]
    fn by_square<const N: usize>(self, sets: &[(Bitboard, u16); N]) -> BySquare {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { by_square(sets) }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn by_square<const N: usize>(sets: &[(Bitboard, u16); N]) -> BySquare {
    // SAFETY: 16 lanes of 16 bits are 256 bits, and the form asks for no alignment.
    let lanes = unsafe { _mm256_loadu_si256(LANE_BITS.as_ptr().cast()) };
    let mut sums = [_mm256_setzero_si256(); SQUARES / LANES];
    for &(set, weight) in sets {
        let weight = _mm256_set1_epi16(weight as i16);
        for (part, sum) in sums.iter_mut().enumerate() {
            let bits = _mm256_and_si256(_mm256_set1_epi16((set.0 >> (LANES * part)) as i16), lanes);
            *sum = _mm256_add_epi16(*sum, _mm256_and_si256(_mm256_cmpeq_epi16(bits, lanes), weight));
        }
    }
    let mut found = [0u16; SQUARES];
    for (lanes, sum) in found.chunks_exact_mut(LANES).zip(sums) {
        // SAFETY: as above.
        unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), sum) };
    }
    found
}

/// `x` shifted to higher squares by the constant, in each half; constants below 64, then from 64 up.
macro_rules! up {
    ($x:expr, $bits:expr) => {{
        let x = $x;
        let carried = _mm256_srli_epi64::<{ 64 - $bits }>(_mm256_slli_si256::<8>(x));
        _mm256_or_si256(_mm256_slli_epi64::<{ $bits }>(x), carried)
    }};
}
macro_rules! up_far {
    ($x:expr, $bits:expr) => {
        _mm256_slli_epi64::<{ $bits - 64 }>(_mm256_slli_si256::<8>($x))
    };
}
/// `x` shifted to lower squares by the constant, in each half; constants below 64, then from 64 up.
macro_rules! down {
    ($x:expr, $bits:expr) => {{
        let x = $x;
        let carried = _mm256_slli_epi64::<{ 64 - $bits }>(_mm256_srli_si256::<8>(x));
        _mm256_or_si256(_mm256_srli_epi64::<{ $bits }>(x), carried)
    }};
}
macro_rules! down_far {
    ($x:expr, $bits:expr) => {
        _mm256_srli_epi64::<{ $bits - 64 }>(_mm256_srli_si256::<8>($x))
    };
}
/// One direction of a Kogge–Stone fill; `$far` is the shift macro for the fourth round.
macro_rules! fill {
    ($shift:ident, $far:ident, $step:expr, $lane:expr, $from:expr, $long:expr) => {{
        let lane = $lane;
        let mut set = $from;
        set = _mm256_or_si256(set, _mm256_and_si256(lane[0], $shift!(set, $step)));
        set = _mm256_or_si256(set, _mm256_and_si256(lane[1], $shift!(set, 2 * $step)));
        set = _mm256_or_si256(set, _mm256_and_si256(lane[2], $shift!(set, 4 * $step)));
        if $long {
            set = _mm256_or_si256(set, _mm256_and_si256(lane[3], $far!(set, 8 * $step)));
        }
        set
    }};
}
/// The squares at the end of 1, 2, 4 and 8 steps over arrivals.
macro_rules! lane {
    ($shift:ident, $step:expr, $arrivals:expr) => {{
        let one = $arrivals;
        let two = _mm256_and_si256(one, $shift!(one, $step));
        let four = _mm256_and_si256(two, $shift!(two, 2 * $step));
        let eight = _mm256_and_si256(four, $shift!(four, 4 * $step));
        [one, two, four, eight]
    }};
}

#[inline]
#[target_feature(enable = "avx2")]
fn queen_levels(geometry: &Geometry, sources: [Bitboard; 2], empty: Bitboard) -> Levels<QUEEN_LEVELS> {
    let free = both(empty);
    let from_left = both(empty & geometry.not_first_file());
    let from_right = both(empty & geometry.not_last_file());
    let east = lane!(up, 1, from_left);
    let north_east = lane!(up, 12, from_left);
    let north = lane!(up, 11, free);
    let north_west = lane!(up, 10, from_right);
    let west = lane!(down, 1, from_right);
    let south_west = lane!(down, 12, from_right);
    let south = lane!(down, 11, free);
    let south_east = lane!(down, 10, from_left);
    let any_long = [north_east, north, north_west, west, south_west, south, south_east]
        .into_iter()
        .fold(east[3], |any, lane| _mm256_or_si256(any, lane[3]));
    let long = _mm256_testz_si256(any_long, any_long) == 0;
    let step = |front: __m256i| {
        let a = _mm256_or_si256(fill!(up, up, 1, east, front, long), fill!(down, down, 1, west, front, long));
        let b = _mm256_or_si256(
            fill!(up, up_far, 12, north_east, front, long),
            fill!(down, down_far, 12, south_west, front, long),
        );
        let c =
            _mm256_or_si256(fill!(up, up_far, 11, north, front, long), fill!(down, down_far, 11, south, front, long));
        let d = _mm256_or_si256(
            fill!(up, up_far, 10, north_west, front, long),
            fill!(down, down_far, 10, south_east, front, long),
        );
        _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d))
    };
    let (mut levels, mut front, mut reached) = (Levels::NONE, pack(sources), pack(sources));
    for distance in 0.. {
        front = _mm256_andnot_si256(reached, step(front));
        if !push(&mut levels, distance, front) {
            break;
        }
        reached = _mm256_or_si256(reached, front);
    }
    levels
}

#[inline]
#[target_feature(enable = "avx2")]
fn king_levels(geometry: &Geometry, sources: [Bitboard; 2], empty: Bitboard) -> Levels<KING_LEVELS> {
    let mut free = both(empty);
    let not_first = both(geometry.not_first_file());
    let not_last = both(geometry.not_last_file());
    let (mut levels, mut front) = (Levels::NONE, pack(sources));
    for distance in 0.. {
        let sideways =
            _mm256_or_si256(_mm256_and_si256(up!(front, 1), not_first), _mm256_and_si256(down!(front, 1), not_last));
        let row = _mm256_or_si256(front, sideways);
        let around = _mm256_or_si256(row, _mm256_or_si256(up!(row, 11), down!(row, 11)));
        front = _mm256_and_si256(around, free);
        if !push(&mut levels, distance, front) {
            break;
        }
        free = _mm256_andnot_si256(front, free);
    }
    levels
}

/// On each ray to higher squares the blockers' lowest bit ends the way, on the others the highest.
#[inline]
#[target_feature(enable = "avx2")]
fn line_targets(rays: &[Bitboard; 8], empty: Bitboard) -> Bitboard {
    let (open, none) = (both(empty), _mm256_setzero_si256());
    // SAFETY: two sets are 256 bits, and the form asks for no alignment.
    let load = |first: usize| unsafe { _mm256_loadu_si256(rays[first..first + 2].as_ptr().cast()) };
    let low_words = _mm256_set_epi64x(0, -1, 0, -1);
    let mut all = none;
    for first in [0, 2] {
        let ray = load(first);
        let blockers = _mm256_andnot_si256(open, ray);
        // Up to the lowest blocker in its word; a high word is behind a blocker in its low word.
        let up_to = _mm256_xor_si256(blockers, _mm256_add_epi64(blockers, _mm256_set1_epi64x(-1)));
        let open_words = _mm256_slli_si256::<8>(_mm256_cmpeq_epi64(blockers, none));
        let reached = _mm256_and_si256(up_to, _mm256_or_si256(open_words, low_words));
        all = _mm256_or_si256(all, _mm256_and_si256(ray, reached));
    }
    for first in [4, 6] {
        let ray = load(first);
        let blockers = _mm256_andnot_si256(open, ray);
        // All bits below the highest blocker in its word.
        let mut below = _mm256_srli_epi64::<1>(blockers);
        below = _mm256_or_si256(below, _mm256_srli_epi64::<1>(below));
        below = _mm256_or_si256(below, _mm256_srli_epi64::<2>(below));
        below = _mm256_or_si256(below, _mm256_srli_epi64::<4>(below));
        below = _mm256_or_si256(below, _mm256_srli_epi64::<8>(below));
        below = _mm256_or_si256(below, _mm256_srli_epi64::<16>(below));
        below = _mm256_or_si256(below, _mm256_srli_epi64::<32>(below));
        let open_words = _mm256_srli_si256::<8>(_mm256_cmpeq_epi64(blockers, none));
        let high_words = _mm256_set_epi64x(-1, 0, -1, 0);
        let reached = _mm256_andnot_si256(below, _mm256_or_si256(open_words, high_words));
        all = _mm256_or_si256(all, _mm256_and_si256(ray, reached));
    }
    let set = _mm_or_si128(_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
    let (low, high) = (_mm_cvtsi128_si64(set), _mm_extract_epi64::<1>(set));
    Bitboard((u128::from(low as u64) | u128::from(high as u64) << 64) & empty.0)
}

/// Adds a level; false if it is empty.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn push<const N: usize>(levels: &mut Levels<N>, distance: usize, front: __m256i) -> bool {
    if _mm256_testz_si256(front, front) != 0 {
        return false;
    }
    let level = distance.min(N - 1);
    let sets = std::ptr::from_mut(&mut levels.sets[level]).cast::<__m256i>();
    // SAFETY: two sets are 256 bits, and the unaligned forms ask for no alignment.
    unsafe { _mm256_storeu_si256(sets, _mm256_or_si256(_mm256_loadu_si256(sets), front)) };
    levels.len = level + 1;
    true
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn both(set: Bitboard) -> __m256i {
    pack([set, set])
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn pack(sets: [Bitboard; 2]) -> __m256i {
    let [a, b] = sets.map(|set| [set.0 as i64, (set.0 >> 64) as i64]);
    _mm256_set_epi64x(b[1], b[0], a[1], a[0])
}
