//! Large tables of plain numbers, straight from the system.

use memmap2::MmapMut;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// What may lie in [`Memory`].
///
/// # Safety
/// Any bits must make a valid value: integers and atomic integers, and structures of nothing else.
pub unsafe trait Plain {}

/// A fixed number of entries, zeroed at first. The system gives the pages when they are first written, in huge ones where it can:
/// jumping about in them then misses the processor's address cache less often.
#[derive(Debug)]
pub struct Memory<T> {
    map: MmapMut,
    count: usize,
    entries: PhantomData<T>,
}

impl<T: Plain> Memory<T> {
    /// Room for `count` entries, at least one; `None` if the system refuses.
    #[must_use]
    pub fn new(count: usize) -> Option<Self> {
        const { assert!(align_of::<T>() <= 4096, "a mapping begins at a page") };
        let map = MmapMut::map_anon(count.checked_mul(size_of::<T>())?).ok()?;
        // No more than advice: without huge pages it works as well.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(Self { map, count, entries: PhantomData })
    }
}

impl<T: Plain> Deref for Memory<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the mapping begins at a page, which is aligned for `T`, holds `count` of them and lives as long as `self`; any bits
        // make a valid `T`. Through a shared reference it is written by atomics alone.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.count) }
    }
}

impl<T: Plain> DerefMut for Memory<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and `self` is borrowed alone.
        unsafe { std::slice::from_raw_parts_mut(self.map.as_mut_ptr().cast(), self.count) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SAFETY: an integer.
    unsafe impl Plain for u32 {}

    #[test]
    fn entries_are_zero_until_they_are_written() {
        let mut memory = Memory::<u32>::new(100_000).unwrap();
        assert!(memory.len() == 100_000 && memory.iter().all(|&entry| entry == 0));
        memory[99_999] = 7;
        assert_eq!(memory.iter().sum::<u32>(), 7);
        assert!(Memory::<u32>::new(usize::MAX).is_none());
    }
}
