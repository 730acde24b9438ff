//! Zobrist keys (Zobrist, 1970): one random number for each (piece kind, square), and a few for the rest.

use super::{FRAME, Square};
use crate::forks::Lazy;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Piece kinds that a game may tell apart.
const KINDS: usize = 8;
/// Numbers that stand for something else than a piece: side to move, half-turns, flags.
const EXTRAS: usize = 8;

/// The numbers. The seed is fixed: a key means the same position in every build and on every machine.
pub struct Keys {
    pieces: [[u64; FRAME]; KINDS],
    /// Board size, by (width, height), mixed into the key so that sizes do not share entries.
    sizes: [[u64; 12]; 12],
    extras: [u64; EXTRAS],
}

static KEYS: Lazy<Keys> = Lazy::new(|| {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0x4869_7070_6f6c_7974);
    let mut next = || random.next_u64();
    Keys {
        pieces: std::array::from_fn(|_| std::array::from_fn(|_| next())),
        sizes: std::array::from_fn(|_| std::array::from_fn(|_| next())),
        extras: std::array::from_fn(|_| next()),
    }
});

/// The table of numbers.
#[inline]
#[must_use]
pub fn keys() -> &'static Keys {
    &KEYS
}

impl Keys {
    /// The number of a piece of `kind` (below 8) on `square`.
    #[inline]
    #[must_use]
    pub fn piece(&self, kind: usize, square: Square) -> u64 {
        self.pieces[kind][square.index()]
    }

    /// The number of a board of `width` × `height`.
    #[must_use]
    pub fn size(&self, width: usize, height: usize) -> u64 {
        self.sizes[width][height]
    }

    /// The number of something else, `which` below 8.
    #[inline]
    #[must_use]
    pub fn extra(&self, which: usize) -> u64 {
        self.extras[which]
    }
}
