//! What the proof search knows of each region.

use crate::memory::{Memory, Plain};

/// What is missing for a proof that the side to move wins, and for one that it loses: about as many leaves. Nothing is missing
/// once it is proven, and then everything for the contrary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub proof: u32,
    pub disproof: u32,
}

impl Numbers {
    /// More than any sum.
    pub const INFINITE: u32 = 1 << 30;
    pub const WON: Self = Self { proof: 0, disproof: Self::INFINITE };
    pub const LOST: Self = Self { proof: Self::INFINITE, disproof: 0 };

    /// Whether the side to move wins, once it is known.
    pub fn result(self) -> Option<bool> {
        match self {
            Self { proof: 0, .. } => Some(true),
            Self { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }
}

/// A region, the least number of spare turns with which the side to move wins there, between bounds, and the numbers of the
/// last question. All zero: nothing.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Entry {
    key: [u32; 2],
    numbers: [u32; 2],
    /// The side to move is known to lose with fewer spare turns than this, less [`BIAS`].
    low: u8,
    /// The side to move is known to win with [`BIAS`] less this, or more.
    high: u8,
    /// The spare turns that the numbers are for.
    spare: i8,
    /// Logarithm of the work that went into it.
    work: u8,
}

/// Spare turns are fewer.
const BIAS: i32 = 128;
/// Three entries of 20 bytes fill a cache line.
const WAYS: usize = 3;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([Entry; WAYS]);

// SAFETY: integers only.
unsafe impl Plain for Line {}

/// A table of fixed size.
pub(super) struct Table(Memory<Line>);

impl Table {
    /// A table in `bytes` of memory; `None` if the system refuses.
    pub fn new(bytes: usize) -> Option<Self> {
        Memory::new((bytes / size_of::<Line>()).max(1)).map(Self)
    }

    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.0.len() as u128) >> 64) as usize
    }

    /// Has the processor fetch what is known of `key`.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a prefetch reads nothing and faults never; SSE belongs to x86-64.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(&self.0[self.index(key)]).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// What is known of the region with this key if the side to move has `spare` turns more than the other.
    #[inline(always)]
    pub fn get(&self, key: u64, spare: i32) -> Option<Numbers> {
        let entry = self.0[self.index(key)].0.iter().find(|entry| entry.key == halves(key))?;
        if entry.high > 0 && spare >= BIAS - i32::from(entry.high) {
            Some(Numbers::WON)
        } else if entry.low > 0 && spare < i32::from(entry.low) - BIAS {
            Some(Numbers::LOST)
        } else {
            let [proof, disproof] = entry.numbers;
            (i32::from(entry.spare) == spare && proof > 0).then_some(Numbers { proof, disproof })
        }
    }

    /// Keeps what was found out with so much work, in place of what took least.
    pub fn put(&mut self, key: u64, spare: i32, numbers: Numbers, work: u64) {
        let index = self.index(key);
        let entries = &mut self.0[index].0;
        let known = entries.iter().position(|entry| entry.key == halves(key));
        let place = known.or_else(|| (0..WAYS).min_by_key(|&way| entries[way].work)).unwrap_or(0);
        let entry = &mut entries[place];
        if known.is_none() {
            *entry = Entry { key: halves(key), ..Entry::default() };
        }
        let bias = |bound: i32| bound.clamp(1, 255) as u8;
        match numbers.result() {
            Some(true) => entry.high = entry.high.max(bias(BIAS - spare)),
            Some(false) => entry.low = entry.low.max(bias(spare + 1 + BIAS)),
            None => (entry.numbers, entry.spare) = ([numbers.proof, numbers.disproof], spare as i8),
        }
        entry.work = entry.work.max(work.max(1).ilog2() as u8 + 1);
    }
}

fn halves(key: u64) -> [u32; 2] {
    [key as u32, (key >> 32) as u32]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_kept_and_numbers_belong_to_their_question() {
        let mut table = Table::new(64 << 10).unwrap();
        let key = 0x1234_5678_9abc_def0;
        assert_eq!(table.get(key, 0), None);
        let open = Numbers { proof: 7, disproof: 9 };
        table.put(key, 0, open, 100);
        assert_eq!((table.get(key, 0), table.get(key, 1)), (Some(open), None));
        table.put(key, 3, Numbers::WON, 10);
        table.put(key, -2, Numbers::LOST, 10);
        for spare in -20..20 {
            let expected = match spare {
                ..=-2 => Some(Numbers::LOST),
                3.. => Some(Numbers::WON),
                0 => Some(open),
                _ => None,
            };
            assert_eq!(table.get(key, spare), expected, "{spare}");
        }
        // The same line, but other keys: what took least work goes.
        for other in 1..=3 {
            table.put(key ^ other, 0, Numbers::WON, 1 << other);
        }
        assert_eq!(table.get(key, 5), Some(Numbers::WON));
        assert_eq!(table.get(key ^ 1, 5), None);
    }
}
