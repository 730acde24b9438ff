//! Knowledge of positions, wherever in the tree they occur.

use crate::endgame::Proof;
use crate::games::{Outcome, Side};
use crossbeam_utils::CachePadded;
use dashmap::DashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Knowledge of one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Knowledge {
    /// White's mean score over `visits` visits.
    Mean { white: f32, visits: u32 },
    /// The result.
    Proven(Proof),
}

/// A bounded map from position keys to [`Knowledge`], shared by all workers.
///
/// It has two generations, each a `DashMap` that never grows beyond its first capacity. When the young one is full, it
/// becomes the old one ([`TranspositionTable::turn_over`]), and the oldest entries are dropped.
///
/// Keys are mixed with a number that changes when the table is cleared. Earlier entries are then not found any more;
/// they stay as waste until there is much of it.
pub(super) struct TranspositionTable {
    young: Map,
    old: Map,
    /// The number mixed into all keys.
    salt: u64,
    /// Whether anything was stored since the table was cleared. Until then nothing is looked up, which would be a walk
    /// through memory out of reach of the caches.
    is_used: AtomicBool,
    /// Entries in `young`, waste included.
    count: CachePadded<AtomicUsize>,
    /// `young` is full at this number of entries, waste included.
    full: usize,
    /// Entries that each map can hold without growing.
    capacity: usize,
}

type Map = DashMap<u64, u64, BuildHasherDefault<KeyHasher>>;

const SHARDS: usize = 64;
/// Bytes of an entry: key, knowledge and the map's control byte.
const ENTRY: usize = 17;

impl TranspositionTable {
    /// A table in at most `bytes` of memory, or of the smallest size.
    pub fn new(bytes: usize) -> Self {
        // A shard holds 2^k slots, of which 7/8 may be used before it grows. A quarter of these stays free, as keys do
        // not fall evenly on shards.
        let slots = (bytes / 2 / ENTRY / SHARDS).max(64);
        let slots = if slots.is_power_of_two() { slots } else { slots.next_power_of_two() / 2 };
        let capacity = slots * 7 / 8 * SHARDS;
        let count = CachePadded::new(AtomicUsize::new(0));
        let (young, old) = (new_map(capacity), new_map(capacity));
        Self { young, old, salt: 0, is_used: AtomicBool::new(false), count, full: limit(capacity), capacity }
    }

    /// The knowledge of the position with this key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Knowledge> {
        if !self.is_used.load(Relaxed) {
            return None;
        }
        let key = key ^ self.salt;
        let packed = self.young.get(&key).or_else(|| self.old.get(&key)).map(|entry| *entry)?;
        Some(Knowledge::unpack(packed))
    }

    /// Stores what is known, unless the table is full.
    #[inline]
    pub fn put(&self, key: u64, knowledge: Knowledge) {
        if self.is_full() {
            return;
        }
        if self.young.insert(key ^ self.salt, knowledge.pack()).is_none() {
            self.count.fetch_add(1, Relaxed);
        }
        // Written once: all workers read it.
        if !self.is_used.load(Relaxed) {
            self.is_used.store(true, Relaxed);
        }
    }

    /// Whether the table needs a [`TranspositionTable::turn_over`].
    #[inline]
    pub fn is_full(&self) -> bool {
        self.count.load(Relaxed) >= self.full
    }

    /// Frees memory by dropping the old generation.
    pub fn turn_over(&mut self) {
        std::mem::swap(&mut self.young, &mut self.old);
        self.empty_young();
    }

    /// Forgets everything. Takes no time unless there is much waste.
    pub fn clear(&mut self) {
        self.salt = self.salt.wrapping_add(0x9e37_79b9_7f4a_7c15);
        *self.is_used.get_mut() = false;
        let waste = *self.count.get_mut();
        if waste > self.capacity / WASTE {
            self.empty_young();
        } else {
            self.full = waste + limit(self.capacity);
        }
    }

    /// Writes one byte per slot: milliseconds for the largest table. Keeps the memory, as giving it back takes longer.
    fn empty_young(&mut self) {
        self.young.shards_mut().iter_mut().for_each(|shard| shard.get_mut().clear());
        *self.count.get_mut() = 0;
        self.full = limit(self.capacity);
    }
}

/// Up to 1/`WASTE` of a map may be waste.
const WASTE: usize = 16;

/// Entries that a map takes besides waste; a quarter of the capacity stays free.
fn limit(capacity: usize) -> usize {
    capacity * 3 / 4 - capacity / WASTE
}

fn new_map(capacity: usize) -> Map {
    DashMap::with_capacity_and_hasher_and_shard_amount(capacity, BuildHasherDefault::default(), SHARDS)
}

impl Knowledge {
    /// Score in 32 bits, visits or plies in 30, kind in 2.
    fn pack(self) -> u64 {
        match self {
            Self::Mean { white, visits } => u64::from(white.to_bits()) << 32 | u64::from(visits.min((1 << 30) - 1)),
            Self::Proven(proof) => {
                let kind: u64 = match proof.outcome {
                    Outcome::Win(Side::White) => 1,
                    Outcome::Win(Side::Black) => 2,
                    Outcome::Draw => 3,
                };
                kind << 30 | u64::from(proof.plies)
            }
        }
    }

    fn unpack(packed: u64) -> Self {
        let outcome = match packed >> 30 & 3 {
            0 => {
                let white = f32::from_bits((packed >> 32) as u32);
                return Self::Mean { white, visits: packed as u32 & ((1 << 30) - 1) };
            }
            1 => Outcome::Win(Side::White),
            2 => Outcome::Win(Side::Black),
            _ => Outcome::Draw,
        };
        Self::Proven(Proof { outcome, plies: packed as u8 })
    }
}

/// The identity: keys are random numbers already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, &byte| hash.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use std::time::{Duration, Instant};

    #[test]
    fn knowledge_survives_packing() {
        for knowledge in [
            Knowledge::Mean { white: 0.0, visits: 0 },
            Knowledge::Mean { white: 0.734, visits: 123_456 },
            Knowledge::Proven(Proof { outcome: Outcome::Win(Side::White), plies: 7 }),
            Knowledge::Proven(Proof { outcome: Outcome::Win(Side::Black), plies: 255 }),
            Knowledge::Proven(Proof { outcome: Outcome::Draw, plies: 0 }),
        ] {
            assert_eq!(Knowledge::unpack(knowledge.pack()), knowledge);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes an hour")]
    fn the_table_never_grows_and_forgets_the_oldest() {
        let mut table = TranspositionTable::new(1 << 20);
        let capacity = table.young.capacity();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let limit = table.full;
        let keys: Vec<u64> = (0..4 * limit).map(|_| random.next_u64()).collect();
        for (visits, &key) in (0..).zip(&keys) {
            if table.is_full() {
                table.turn_over();
            }
            table.put(key, Knowledge::Mean { white: 0.5, visits });
        }
        assert_eq!(table.young.capacity(), capacity);
        assert!(capacity * ENTRY * 2 <= 1 << 20);
        assert_eq!(table.get(keys[0]), None);
        let last = keys.len() - 1;
        assert_eq!(table.get(keys[last]), Some(Knowledge::Mean { white: 0.5, visits: last as u32 }));
        assert!(table.get(keys[last - limit]).is_some());
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes an hour")]
    fn a_cleared_table_is_as_good_as_new_and_does_not_grow_by_it() {
        let mut table = TranspositionTable::new(1 << 20);
        let (capacity, limit) = (table.young.capacity(), table.full);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        for round in 0..40 {
            // From next to nothing to all that it takes.
            let keys: Vec<u64> = (0..limit >> (round % 10)).map(|_| random.next_u64()).collect();
            for (visits, &key) in (0..).zip(&keys) {
                assert!(!table.is_full(), "{visits} of {limit}");
                table.put(key, Knowledge::Mean { white: 0.5, visits });
            }
            assert_eq!(table.is_full(), keys.len() == limit);
            assert!(keys.iter().all(|&key| table.get(key).is_some()));
            table.clear();
            assert!(keys.iter().all(|&key| table.get(key).is_none()));
            assert_eq!(table.young.capacity(), capacity);
        }
    }

    #[test]
    fn a_large_table_that_holds_little_is_cleared_at_once() {
        let mut table = TranspositionTable::new(if cfg!(miri) { 1 } else { 256 << 20 });
        let began = Instant::now();
        for key in 0..if cfg!(miri) { 20 } else { 20_000 } {
            table.put(key, Knowledge::Mean { white: 0.5, visits: 1 });
            table.clear();
        }
        // To make it anew takes milliseconds each time.
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    }
}
