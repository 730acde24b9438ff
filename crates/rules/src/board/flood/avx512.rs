//! Two directions at once: both sides' sets in each half of a 512-bit register, a `u128` in each quarter.
//!
//! Not only the width helps, but also the instructions: a shift of two joined words (VBMI2) moves a `u128` in two
//! steps, and any function of three operands takes one.
#![allow(unsafe_code)]

use super::avx2::{both, pack, push};
use super::{BySquare, KING_LEVELS, Kernel, KernelTask, Levels, QUEEN_LEVELS, SQUARES};
use crate::board::{Bitboard, Geometry, Square};
use std::arch::x86_64::*;

/// Floods with AVX-512. A value exists only where [`Avx512::detect`] found the processor fit for it.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(());

impl Avx512 {
    /// The kernel, if this processor has the parts of AVX-512 that came with Ice Lake and Zen 4.
    #[inline]
    #[must_use]
    pub fn detect() -> Option<Self> {
        let fit = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512cd")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && super::Avx2::detect().is_some();
        fit.then_some(Self(()))
    }

    /// Runs `task`, compiled for these processor features.
    #[inline]
    pub fn run<T: KernelTask>(self, task: T) -> T::Output {
        #[target_feature(
            enable = "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt"
        )]
        fn with_features<T: KernelTask>(kernel: Avx512, task: T) -> T::Output {
            task.run(kernel)
        }
        // SAFETY: `self` proves that the processor has these features.
        unsafe { with_features(self, task) }
    }
}

impl Kernel for Avx512 {
    #[inline(always)]
    fn queen_levels(self, geometry: &Geometry, sources: [Bitboard; 2], empty: Bitboard) -> Levels<QUEEN_LEVELS> {
        // SAFETY: `self` proves that the processor has the features.
        unsafe { queen_levels(geometry, sources, empty) }
    }

    #[inline(always)]
    fn king_levels(self, geometry: &Geometry, sources: [Bitboard; 2], empty: Bitboard) -> Levels<KING_LEVELS> {
        // SAFETY: as above.
        unsafe { king_levels(geometry, sources, empty) }
    }

    #[inline(always)]
    fn line_targets(self, rays: &[Bitboard; 8], empty: Bitboard) -> Bitboard {
        // SAFETY: as above.
        unsafe { line_targets(rays, empty) }
    }

    #[inline(always)]
    fn sum_by_nearness(self, geometry: &Geometry, square: Square, set: Bitboard, planes: &[u128; 3]) -> u32 {
        // SAFETY: as above.
        unsafe { sum_by_nearness(geometry, square, set, planes) }
    }

    #[inline(always)]
    fn by_square<const N: usize>(self, sets: &[(Bitboard, u16); N]) -> BySquare {
        // SAFETY: as above.
        unsafe { by_square(sets) }
    }
}

/// `a | b & c`, for [`_mm512_ternarylogic_epi64`].
const OR_AND: i32 = 0b1111_1000;
/// `a | b | c`.
const OR_OR: i32 = 0b1111_1110;
/// `a & (b ^ c)`.
const AND_XOR: i32 = 0b0110_0000;

/// Two directions with their shifts, all to higher squares or all to lower ones.
#[derive(Clone, Copy)]
struct Pair {
    /// The bits of one step, by word.
    step: __m512i,
    /// The squares at the end of 1, 2, 4 and 8 steps over arrivals.
    lanes: [__m512i; 4],
}

/// `$x` moved by `$bits`, below 64 in every word, to higher squares; and to lower ones.
macro_rules! up {
    ($x:expr, $bits:expr) => {{
        let x = $x;
        _mm512_shldv_epi64(x, _mm512_bslli_epi128::<8>(x), $bits)
    }};
}
macro_rules! down {
    ($x:expr, $bits:expr) => {{
        let x = $x;
        _mm512_shrdv_epi64(x, _mm512_bsrli_epi128::<8>(x), $bits)
    }};
}
/// `$x` moved to higher squares by `$bits`, and by 64 more in the words of `$far`; and to lower ones.
macro_rules! up_far {
    ($x:expr, $bits:expr, $far:expr) => {{
        let x = $x;
        let carried = _mm512_bslli_epi128::<8>(x);
        let (high, low) = (_mm512_mask_mov_epi64(x, $far, carried), _mm512_maskz_mov_epi64(!$far, carried));
        _mm512_shldv_epi64(high, low, $bits)
    }};
}
macro_rules! down_far {
    ($x:expr, $bits:expr, $far:expr) => {{
        let x = $x;
        let carried = _mm512_bsrli_epi128::<8>(x);
        let (low, high) = (_mm512_mask_mov_epi64(x, $far, carried), _mm512_maskz_mov_epi64(!$far, carried));
        _mm512_shrdv_epi64(low, high, $bits)
    }};
}
/// Both directions of a pair.
macro_rules! pair {
    ($shift:ident, $steps:expr, $arrivals:expr) => {{
        let step = by_direction($steps.map(|bits| _mm256_set1_epi64x(bits)));
        let one = by_direction($arrivals);
        let two = _mm512_and_si512(one, $shift!(one, step));
        let double = _mm512_slli_epi64::<1>(step);
        let four = _mm512_and_si512(two, $shift!(two, double));
        let eight = _mm512_and_si512(four, $shift!(four, _mm512_slli_epi64::<2>(step)));
        Pair { step, lanes: [one, two, four, eight] }
    }};
}
/// Kogge–Stone fills in both directions of a pair.
macro_rules! fill {
    ($shift:ident, $shift_far:ident, $pair:expr, $far:expr, $from:expr, $long:expr) => {{
        let Pair { step, lanes } = $pair;
        let mut set = $from;
        set = _mm512_ternarylogic_epi64::<OR_AND>(set, lanes[0], $shift!(set, step));
        set = _mm512_ternarylogic_epi64::<OR_AND>(set, lanes[1], $shift!(set, _mm512_slli_epi64::<1>(step)));
        set = _mm512_ternarylogic_epi64::<OR_AND>(set, lanes[2], $shift!(set, _mm512_slli_epi64::<2>(step)));
        if $long {
            let moved = $shift_far!(set, _mm512_slli_epi64::<3>(step), $far);
            set = _mm512_ternarylogic_epi64::<OR_AND>(set, lanes[3], moved);
        }
        set
    }};
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx2")]
fn queen_levels(geometry: &Geometry, sources: [Bitboard; 2], empty: Bitboard) -> Levels<QUEEN_LEVELS> {
    let free = both(empty);
    let from_left = both(empty & geometry.not_first_file());
    let from_right = both(empty & geometry.not_last_file());
    // Eight steps sideways are less than 64 bits, all others more.
    const ONE_FAR: __mmask8 = 0b1111_0000;
    const BOTH_FAR: __mmask8 = 0b1111_1111;
    let east_north_west = pair!(up, [1, 10], [from_left, from_right]);
    let north_north_east = pair!(up, [11, 12], [free, from_left]);
    let west_south_east = pair!(down, [1, 10], [from_right, from_left]);
    let south_south_west = pair!(down, [11, 12], [free, from_right]);
    let any_long = _mm512_or_si512(
        _mm512_or_si512(east_north_west.lanes[3], west_south_east.lanes[3]),
        _mm512_or_si512(north_north_east.lanes[3], south_south_west.lanes[3]),
    );
    let long = _mm512_test_epi64_mask(any_long, any_long) != 0;
    let step = |front: __m256i| {
        let front = _mm512_broadcast_i64x4(front);
        let a = fill!(up, up_far, east_north_west, ONE_FAR, front, long);
        let b = fill!(up, up_far, north_north_east, BOTH_FAR, front, long);
        let c = fill!(down, down_far, west_south_east, ONE_FAR, front, long);
        let d = fill!(down, down_far, south_south_west, BOTH_FAR, front, long);
        let all = _mm512_or_si512(_mm512_ternarylogic_epi64::<OR_OR>(a, b, c), d);
        _mm256_or_si256(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64::<1>(all))
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
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx2")]
fn king_levels(geometry: &Geometry, sources: [Bitboard; 2], empty: Bitboard) -> Levels<KING_LEVELS> {
    let mut free = both(empty);
    let not_first = both(geometry.not_first_file());
    let not_last = both(geometry.not_last_file());
    let (mut levels, mut front) = (Levels::NONE, pack(sources));
    for distance in 0.. {
        let east = _mm256_shldi_epi64::<1>(front, _mm256_bslli_epi128::<8>(front));
        let west = _mm256_shrdi_epi64::<1>(front, _mm256_bsrli_epi128::<8>(front));
        let row = _mm256_ternarylogic_epi64::<OR_AND>(front, east, not_first);
        let row = _mm256_ternarylogic_epi64::<OR_AND>(row, west, not_last);
        let above = _mm256_shldi_epi64::<11>(row, _mm256_bslli_epi128::<8>(row));
        let below = _mm256_shrdi_epi64::<11>(row, _mm256_bsrli_epi128::<8>(row));
        front = _mm256_and_si256(_mm256_ternarylogic_epi64::<OR_OR>(row, above, below), free);
        if !push(&mut levels, distance, front) {
            break;
        }
        free = _mm256_andnot_si256(front, free);
    }
    levels
}

/// On each ray to higher squares the blockers' lowest bit ends the way, on the others the highest.
#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512dq,avx512vl,avx2")]
fn line_targets(rays: &[Bitboard; 8], empty: Bitboard) -> Bitboard {
    const LOW_WORDS: __mmask8 = 0b0101_0101;
    let open = _mm512_broadcast_i64x2(of_set(empty));
    // SAFETY: four sets are 512 bits, and the form asks for no alignment.
    let load = |first: usize| unsafe { _mm512_loadu_si512(rays[first..first + 4].as_ptr().cast()) };
    let (up, down) = (load(0), load(4));
    let blockers = _mm512_andnot_si512(open, up);
    // A high word is behind a blocker in its low word.
    let open_words = _mm512_testn_epi64_mask(blockers, blockers) << 1 | LOW_WORDS;
    let less = _mm512_add_epi64(blockers, _mm512_set1_epi64(-1));
    let higher = _mm512_maskz_ternarylogic_epi64::<AND_XOR>(open_words, up, blockers, less);
    let blockers = _mm512_andnot_si512(open, down);
    let open_words = _mm512_testn_epi64_mask(blockers, blockers) >> 1 | !LOW_WORDS;
    // The sign spreads down to the highest blocker, and over the whole word if there is none.
    let beyond = _mm512_srav_epi64(_mm512_set1_epi64(i64::MIN), _mm512_lzcnt_epi64(blockers));
    let all = _mm512_or_si512(higher, _mm512_maskz_and_epi64(open_words, down, beyond));
    let half = _mm256_or_si256(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64::<1>(all));
    let set = _mm_or_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
    Bitboard(to_set(set).0 & empty.0)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx512vpopcntdq,avx2")]
fn sum_by_nearness(geometry: &Geometry, square: Square, set: Bitboard, planes: &[u128; 3]) -> u32 {
    let rings = &geometry.around(square).rings;
    // SAFETY: four sets are 512 bits, and the form asks for no alignment.
    let rings = unsafe { _mm512_loadu_si512(rings.as_ptr().cast()) };
    let set = _mm512_and_si512(rings, _mm512_broadcast_i64x2(of_set(set)));
    let count = |plane: u128| {
        let plane = _mm512_broadcast_i64x2(of_set(Bitboard(plane)));
        _mm512_popcnt_epi64(_mm512_and_si512(set, plane))
    };
    let [ones, twos, fours] = planes.map(count);
    let pairs = _mm512_add_epi64(twos, _mm512_slli_epi64::<1>(fours));
    let sums = _mm512_add_epi64(ones, _mm512_slli_epi64::<1>(pairs));
    let weighted = _mm512_sllv_epi64(sums, _mm512_set_epi64(0, 0, 1, 1, 2, 2, 3, 3));
    _mm512_reduce_add_epi64(weighted) as u32
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn by_square<const N: usize>(sets: &[(Bitboard, u16); N]) -> BySquare {
    let mut sums = [_mm512_setzero_si512(); 4];
    for &(set, weight) in sets {
        let weight = _mm512_set1_epi16(weight as i16);
        for (part, sum) in sums.iter_mut().enumerate() {
            *sum = _mm512_mask_add_epi16(*sum, (set.0 >> (32 * part)) as u32, *sum, weight);
        }
    }
    let mut found = [0; SQUARES];
    for (lanes, sum) in found.chunks_exact_mut(32).zip(sums) {
        // SAFETY: 32 lanes of 16 bits are 512 bits, and the form asks for no alignment.
        unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), sum) };
    }
    found
}

#[inline]
#[target_feature(enable = "avx512f")]
fn by_direction(halves: [__m256i; 2]) -> __m512i {
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(halves[0]), halves[1])
}

#[inline]
#[target_feature(enable = "avx2")]
fn of_set(set: Bitboard) -> __m128i {
    _mm_set_epi64x((set.0 >> 64) as i64, set.0 as i64)
}

#[inline]
#[target_feature(enable = "avx2")]
fn to_set(set: __m128i) -> Bitboard {
    let (low, high) = (_mm_cvtsi128_si64(set), _mm_extract_epi64::<1>(set));
    Bitboard(u128::from(low as u64) | u128::from(high as u64) << 64)
}
