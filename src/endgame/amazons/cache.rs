//! Results about shapes, shared by all searches and threads.
//!
//! An answer depends only on the canonical shape and on the effort allowed. So one cache can serve the whole process:
//! it changes nothing but the time. A territory that occurs in several games of a match, in several threads or at many
//! leaves is counted once.

use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::{Mutex, MutexGuard, TryLockError};

/// A table of fixed size in which a newer entry takes the place of an older one.
pub(super) struct Cache<K, V> {
    shards: Vec<Shard<K, V>>,
}

/// Slots under a lock of their own; none before the first entry.
type Shard<K, V> = Mutex<Vec<Option<(K, V)>>>;

const SHARDS: usize = 64;
const SLOTS: usize = 1024;

impl<K: Eq + Hash + Copy, V: Copy> Cache<K, V> {
    pub fn new() -> Self {
        Self { shards: (0..SHARDS).map(|_| Mutex::new(Vec::new())).collect() }
    }

    /// The value that is kept for `key`; else the one that `solve` finds, which is kept if `is_final` allows it.
    pub fn get_or(&self, key: K, solve: impl FnOnce(&K) -> V, is_final: impl FnOnce() -> bool) -> V {
        let mut hasher = MixHasher::default();
        key.hash(&mut hasher);
        let hash = hasher.finish() as usize;
        let (shard, slot) = (&self.shards[hash % SHARDS], hash / SHARDS % SLOTS);
        let known = open(shard).and_then(|slots| slots.get(slot).copied().flatten());
        if let Some((found, value)) = known
            && found == key
        {
            return value;
        }
        // Solved without the lock: two threads may do it twice, with the same answer.
        let value = solve(&key);
        if !is_final() {
            return value;
        }
        if let Some(mut slots) = open(shard) {
            if slots.is_empty() {
                slots.resize(SLOTS, None);
            }
            slots[slot] = Some((key, value));
        }
        value
    }
}

/// Attempts to open a shard that another thread is using.
const ATTEMPTS: u32 = 1_000;

/// The slots; `None` if somebody else uses them for too long, as for ever in a process that was forked meanwhile.
fn open<T>(shard: &Mutex<T>) -> Option<MutexGuard<'_, T>> {
    for _ in 0..ATTEMPTS {
        match shard.try_lock() {
            Ok(slots) => return Some(slots),
            Err(TryLockError::Poisoned(slots)) => return Some(slots.into_inner()),
            Err(TryLockError::WouldBlock) => std::hint::spin_loop(),
        }
    }
    None
}

/// A quick hash of a few words: multiplied and folded.
#[derive(Clone, Copy, Default)]
pub(super) struct MixHasher(u64);

impl MixHasher {
    fn mix(&mut self, word: u64) {
        self.0 = mixed(self.0, word);
    }
}

/// `hash` with one more word in it.
#[inline(always)]
pub(super) fn mixed(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
    product as u64 ^ (product >> 64) as u64
}

impl Hasher for MixHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.mix(u64::from(byte)));
    }

    fn write_u32(&mut self, word: u32) {
        self.mix(u64::from(word));
    }

    fn write_u128(&mut self, words: u128) {
        self.mix(words as u64);
        self.mix((words >> 64) as u64);
    }
}

/// A map of one search: nothing depends on the order of its entries.
pub(super) type Map<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<MixHasher>>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_remembers_and_stays_bounded() {
        let cache = Cache::new();
        let square = |key: &u128| key * key;
        for key in 0..if cfg!(miri) { 1_000 } else { 200_000 } {
            assert_eq!(cache.get_or(key, |_| 1, || false), 1);
            assert_eq!(cache.get_or(key, square, || true), key * key);
            assert_eq!(cache.get_or(key, |_| panic!("forgotten at once"), || true), key * key);
        }
        let entries = cache.shards.iter().map(|shard| shard.lock().unwrap().len()).sum::<usize>();
        assert_eq!(entries, SHARDS * SLOTS);
    }

    #[test]
    fn shards_that_stay_locked_hold_nobody_up() {
        let cache = Cache::new();
        let locked: Vec<_> = cache.shards.iter().map(|shard| shard.lock().unwrap()).collect();
        let found = std::thread::scope(|scope| scope.spawn(|| cache.get_or(3_u128, |key| key + 1, || true)).join());
        assert_eq!(found.unwrap(), 4);
        drop(locked);
        assert_eq!(cache.get_or(3, |_| 5, || true), 5);
    }
}
