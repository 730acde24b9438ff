//! The table of the proof search: numbers and bounds of each position.
#![allow(unsafe_code)]

use crate::memory::{Memory, Plain};
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64, fence};

/// About how many leaves are missing for a proof that the side to move wins, and for one that it loses. Nothing is
/// missing once it is proven, and then everything for the contrary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// For a win.
    pub proof: u32,
    /// For a loss.
    pub disproof: u32,
}

impl Numbers {
    /// More than any sum.
    pub const INFINITE: u32 = 1 << 30;
    /// The side to move wins.
    pub const WON: Self = Self { proof: 0, disproof: Self::INFINITE };
    /// The side to move loses.
    pub const LOST: Self = Self { proof: Self::INFINITE, disproof: 0 };

    /// A position is left with these only once it is decided.
    pub const FREE: Self = Self { proof: Self::INFINITE, disproof: Self::INFINITE };

    /// Whether the side to move wins, once it is known.
    #[must_use]
    pub fn result(self) -> Option<bool> {
        match self {
            Self { proof: 0, .. } => Some(true),
            Self { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }
}

/// Two hashes of a position: where it stands in tables, and what tells it from others there. Together they have 128
/// bits, as one of 64 is too short for proofs of days: among 10^10 looks at 10^9 positions one would be taken for
/// another every other time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Where it stands.
    pub place: u64,
    /// The hash that tells it from others there.
    pub check: u64,
}

/// A result: with `spare` spare turns the side to move wins there, and with more, or it loses, and with fewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The contested squares, by their hash.
    pub key: Key,
    /// Spare turns: the odds.
    pub spare: i32,
    /// Whether the side to move wins.
    pub wins: bool,
    /// Positions that were looked at for it.
    pub work: u64,
}

/// A position, the least odds with which the side to move wins there, between bounds, and the numbers of the last
/// question. All zero: nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Entry {
    check: u64,
    /// Proof and disproof number.
    numbers: [u32; 2],
    /// The side to move is known to lose with less than these odds, less [`BIAS`].
    low: u8,
    /// The side to move is known to win with [`BIAS`] less this, or more.
    high: u8,
    /// The odds that the numbers are for.
    odds: i8,
    /// Logarithm of the work that went into it.
    work: u8,
}

/// Odds are less.
const BIAS: i32 = 128;
/// Three entries of 20 bytes and the version fill a cache line.
const WAYS: usize = 3;

/// Entries in words that many workers read and write at once, taken apart and put together here.
///
/// The version is odd while somebody writes, and another one afterwards. A reader that sees the same even version
/// before and after has read a whole entry (a sequence lock; Boehm, *Can Seqlocks Get Along with Programming Language
/// Memory Models?*, 2012). So a reader writes nothing, and a mixture of two entries, which could be a false proof, is
/// never believed.
#[repr(C, align(64))]
struct Line {
    checks: [AtomicU64; WAYS],
    numbers: [AtomicU64; WAYS],
    /// `low`, `high`, `odds` and `work`.
    bounds: [AtomicU32; WAYS],
    version: AtomicU32,
}

// SAFETY: atomic integers only.
unsafe impl Plain for Line {}

/// Attempts to write to a line that others are writing to.
const ATTEMPTS: u32 = 1_000;

impl Line {
    #[inline(always)]
    fn version(&self) -> u32 {
        self.version.load(Acquire)
    }

    /// Whether what was read since [`Line::version`] belongs together.
    #[inline(always)]
    fn unchanged(&self, version: u32) -> bool {
        fence(Acquire);
        version & 1 == 0 && self.version.load(Relaxed) == version
    }

    /// Shuts others out until [`Line::unlock`]; `None` if they take too long: the system may have stopped one
    /// halfway. If there are no others, it is enough that the version is odd: an exchange would have the processor wait
    /// for the line.
    #[inline(always)]
    fn lock(&self, shared: bool) -> Option<u32> {
        for _ in 0..ATTEMPTS {
            let version = self.version.load(Relaxed);
            let odd = version.wrapping_add(1);
            if !shared {
                self.version.store(odd, Relaxed);
            }
            if !shared || version & 1 == 0 && self.version.compare_exchange(version, odd, Acquire, Relaxed).is_ok() {
                // A reader that sees any of the following writes also sees the odd version.
                fence(Release);
                return Some(version);
            }
            std::hint::spin_loop();
        }
        None
    }

    fn unlock(&self, version: u32) {
        self.version.store(version.wrapping_add(2), Release);
    }

    #[inline(always)]
    fn way(&self, key: Key) -> Option<usize> {
        self.checks.iter().position(|known| known.load(Relaxed) == key.check)
    }

    #[inline(always)]
    fn read(&self, way: usize) -> Entry {
        let numbers = self.numbers[way].load(Relaxed);
        let [low, high, odds, work] = self.bounds[way].load(Relaxed).to_le_bytes();
        let numbers = [numbers as u32, (numbers >> 32) as u32];
        Entry { check: self.checks[way].load(Relaxed), numbers, low, high, odds: odds as i8, work }
    }

    fn write(&self, way: usize, entry: &Entry) {
        let Entry { check, numbers: [proof, disproof], low, high, odds, work } = *entry;
        self.checks[way].store(check, Relaxed);
        self.numbers[way].store(u64::from(disproof) << 32 | u64::from(proof), Relaxed);
        self.bounds[way].store(u32::from_le_bytes([low, high, odds as u8, work]), Relaxed);
    }
}

/// A table of fixed size, for one worker or, once [`ProofTable::share`] was called, for many.
pub(super) struct ProofTable {
    lines: Memory<Line>,
    shared: bool,
}

impl ProofTable {
    /// A table in `bytes` of memory; `None` if the system refuses.
    pub fn new(bytes: usize) -> Option<Self> {
        Some(Self { lines: Memory::new((bytes / size_of::<Line>()).max(1))?, shared: false })
    }

    /// From now on more than one worker may write at a time.
    pub fn share(&mut self) {
        self.shared = true;
    }

    #[inline(always)]
    fn line(&self, key: Key) -> &Line {
        &self.lines[((u128::from(key.place) * self.lines.len() as u128) >> 64) as usize]
    }

    /// Has the processor fetch what is known of `key`.
    #[inline(always)]
    pub fn prefetch(&self, key: Key) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch reads nothing and faults never; SSE belongs to x86-64.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self.line(key)).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// The numbers of the position with this key where the side to move is given these odds, if they are known. `None`
    /// while somebody writes next to it.
    #[inline(always)]
    pub fn get(&self, key: Key, odds: i32) -> Option<Numbers> {
        let line = self.line(key);
        let version = line.version();
        let entry = line.read(line.way(key)?);
        if !line.unchanged(version) {
            return None;
        }
        if entry.high > 0 && odds >= BIAS - i32::from(entry.high) {
            Some(Numbers::WON)
        } else if entry.low > 0 && odds < i32::from(entry.low) - BIAS {
            Some(Numbers::LOST)
        } else {
            let [proof, disproof] = entry.numbers;
            (i32::from(entry.odds) == odds && proof > 0).then_some(Numbers { proof, disproof })
        }
    }

    /// Stores a result in place of the one that took least work. Only one worker may do so at a time
    /// before [`ProofTable::share`].
    pub fn put(&self, key: Key, odds: i32, numbers: Numbers, work: u64) {
        let line = self.line(key);
        let Some(version) = line.lock(self.shared) else { return };
        let known = line.way(key);
        let way = known.or_else(|| (0..WAYS).min_by_key(|&way| line.read(way).work)).unwrap_or(0);
        let mut entry = if known.is_some() { line.read(way) } else { Entry { check: key.check, ..Entry::default() } };
        let bias = |bound: i32| bound.clamp(1, 255) as u8;
        match numbers.result() {
            Some(true) => entry.high = entry.high.max(bias(BIAS - odds)),
            Some(false) => entry.low = entry.low.max(bias(odds + 1 + BIAS)),
            None => (entry.numbers, entry.odds) = ([numbers.proof, numbers.disproof], odds as i8),
        }
        entry.work = entry.work.max(work.max(1).ilog2() as u8 + 1);
        line.write(way, &entry);
        line.unlock(version);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_kept_and_numbers_belong_to_their_question() {
        let table = ProofTable::new(1 << 10).unwrap();
        let key = |check| Key { place: 0x1234_5678_9abc_def0, check };
        assert_eq!(table.get(key(9), 0), None);
        let open = Numbers { proof: 7, disproof: 9 };
        table.put(key(9), 0, open, 100);
        assert_eq!((table.get(key(9), 0), table.get(key(9), 1)), (Some(open), None));
        table.put(key(9), 3, Numbers::WON, 10);
        table.put(key(9), -2, Numbers::LOST, 10);
        for odds in -20..20 {
            let expected = match odds {
                ..=-2 => Some(Numbers::LOST),
                3.. => Some(Numbers::WON),
                0 => Some(open),
                _ => None,
            };
            assert_eq!(table.get(key(9), odds), expected, "{odds}");
        }
        // The same line, but other keys: what took least work goes.
        for other in 1..=3 {
            table.put(key(other), 0, Numbers::WON, 1 << other);
        }
        assert_eq!(table.get(key(9), 5), Some(Numbers::WON));
        assert_eq!(table.get(key(1), 5), None);
    }

    #[test]
    fn a_look_never_sees_half_an_entry() {
        let table = ProofTable::new(1).unwrap();
        let line = table.line(Key { place: 0, check: 0 });
        let entry =
            |check: u64, proof: u32| Entry { check, numbers: [proof, 1], odds: proof as i8, ..Entry::default() };
        line.write(0, &entry(0, 0));
        let write = || {
            for proof in 1..if cfg!(miri) { 50 } else { 20_000 } {
                let Some(version) = line.lock(true) else { continue };
                // Wrong for a while, and nobody else may change it.
                line.write(0, &entry(0, proof));
                (0..20).for_each(|_| std::hint::spin_loop());
                assert_eq!(line.read(0), entry(0, proof));
                line.write(0, &entry(u64::from(proof), proof));
                line.unlock(version);
            }
        };
        std::thread::scope(|scope| {
            let writers = [scope.spawn(write), scope.spawn(write)];
            while writers.iter().any(|writer| !writer.is_finished()) {
                let version = line.version();
                let found = line.read(0);
                if line.unchanged(version) {
                    assert_eq!(found, entry(u64::from(found.numbers[0]), found.numbers[0]));
                }
            }
        });
    }

    #[test]
    fn a_line_that_is_being_written_is_left_alone() {
        let mut table = ProofTable::new(1).unwrap();
        table.share();
        let key = Key { place: 7, check: 7 };
        table.put(key, 0, Numbers::WON, 1);
        let (line, before) = (table.line(key), table.line(key).version());
        assert!(line.unchanged(before));
        let version = line.lock(true).unwrap();
        assert!(!line.unchanged(before) && line.lock(true).is_none());
        assert_eq!(table.get(key, 0), None);
        table.put(key, -5, Numbers::WON, 1);
        line.unlock(version);
        assert!(!line.unchanged(before));
        assert_eq!((table.get(key, 0), table.get(key, -5)), (Some(Numbers::WON), None));
    }
}
