//! Large tables of plain numbers, straight from the system.
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::ops::{Index, Range};

/// A type whose values may lie in [`Memory`].
///
/// # Safety
/// Any bits must make a valid value: integers and atomic integers, and structures of nothing else.
pub(crate) unsafe trait Plain {}

/// A fixed number of entries, zeroed at first. The system gives the pages when they are first written, in huge ones
/// where it can: jumping about in them then misses the processor's address cache less often.
#[derive(Debug)]
pub(crate) struct Memory<T> {
    block: Block,
    count: usize,
    entries: PhantomData<T>,
}

/// Blocks of memory begin at a multiple of this.
const PAGE: usize = 4096;

impl<T: Plain> Memory<T> {
    /// Memory for `count` entries, at least one; `None` if the system refuses.
    pub fn new(count: usize) -> Option<Self> {
        const { assert!(align_of::<T>() <= PAGE) };
        let block = zeroed(count.checked_mul(size_of::<T>())?)?;
        Some(Self { block, count, entries: PhantomData })
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.count
    }

    #[inline(always)]
    fn begin(&self) -> *const T {
        self.block.as_mut_ptr().cast()
    }
}

impl<T: Plain> Index<usize> for Memory<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: usize) -> &T {
        assert!(index < self.count);
        // SAFETY: the block begins at a page, which is aligned for `T`, holds `count` of them and lives as long as
        // `self`; any bits make a valid `T`. No other references forbid what atomics write through this one.
        unsafe { &*self.begin().add(index) }
    }
}

impl<T: Plain> Index<Range<usize>> for Memory<T> {
    type Output = [T];

    #[inline(always)]
    fn index(&self, range: Range<usize>) -> &[T] {
        assert!(range.start <= range.end && range.end <= self.count);
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts(self.begin().add(range.start), range.len()) }
    }
}

/// Probes whether `bytes` can be allocated, where whoever allocates them would abort the process on failure.
pub fn is_available(bytes: usize) -> bool {
    // The system is asked, not the allocator: that may have room left which it keeps for one thread.
    #[cfg(any(unix, windows))]
    return memmap2::MmapMut::map_anon(bytes).is_ok();
    #[cfg(not(any(unix, windows)))]
    {
        let mut probe = Vec::<u8>::new();
        let asked = probe.try_reserve_exact(bytes);
        // Keeps the compiler from removing the allocation.
        std::hint::black_box(&mut probe);
        asked.is_ok()
    }
}

/// Not [`memmap2::MmapMut`]: its pointers come from a `&[u8]`, which forbids writing.
#[cfg(any(unix, windows))]
type Block = memmap2::MmapRaw;

#[cfg(any(unix, windows))]
fn zeroed(bytes: usize) -> Option<Block> {
    let block = Block::from(memmap2::MmapMut::map_anon(bytes).ok()?);
    // No more than advice: without huge pages it works as well.
    #[cfg(all(target_os = "linux", not(miri)))]
    let _ = block.advise(memmap2::Advice::HugePage);
    Some(block)
}

#[cfg(not(any(unix, windows)))]
use heap::{Block, zeroed};

/// Memory from the allocator, where the system has no mappings (WebAssembly).
#[cfg(any(test, not(any(unix, windows))))]
mod heap {
    use super::PAGE;
    use std::alloc::{Layout, alloc_zeroed, dealloc};
    use std::ptr::NonNull;

    #[derive(Debug)]
    pub struct Block {
        begin: NonNull<u8>,
        layout: Layout,
    }

    pub fn zeroed(bytes: usize) -> Option<Block> {
        let layout = Layout::from_size_align(bytes.max(1), PAGE).ok()?;
        // SAFETY: the layout has at least one byte.
        let begin = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some(Block { begin, layout })
    }

    impl Block {
        #[inline(always)]
        pub fn as_mut_ptr(&self) -> *mut u8 {
            self.begin.as_ptr()
        }
    }

    // SAFETY: it owns its memory, and only gives the pointer away.
    unsafe impl Send for Block {}
    // SAFETY: as above.
    unsafe impl Sync for Block {}

    impl Drop for Block {
        fn drop(&mut self) {
            // SAFETY: allocated with this layout, and freed nowhere else.
            unsafe { dealloc(self.begin.as_ptr(), self.layout) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    // SAFETY: an atomic integer.
    unsafe impl Plain for AtomicU32 {}

    #[test]
    fn entries_are_zero_until_they_are_written() {
        let memory = Memory::<AtomicU32>::new(2_000).unwrap();
        let sum = || memory[0..memory.len()].iter().map(|entry| entry.load(Relaxed)).sum::<u32>();
        assert_eq!(sum(), 0);
        memory[1_999].store(7, Relaxed);
        // Threads write what others have references to.
        let first = &memory[0];
        std::thread::scope(|scope| {
            scope.spawn(|| memory[0..9].iter().for_each(|entry| _ = entry.fetch_add(1, Relaxed)));
            first.fetch_add(1, Relaxed);
        });
        assert_eq!((first.load(Relaxed), sum()), (2, 17));
        assert!(Memory::<AtomicU32>::new(usize::MAX).is_none());
    }

    #[test]
    #[should_panic(expected = "self.count")]
    fn what_lies_beyond_is_not_given() {
        let _ = Memory::<AtomicU32>::new(2).unwrap()[1..3];
    }

    #[test]
    fn a_block_of_the_allocator_does_as_well() {
        let block = heap::zeroed(size_of::<AtomicU32>() * 2_000).unwrap();
        assert!(block.as_mut_ptr().addr().is_multiple_of(PAGE));
        // SAFETY: the block has this many bytes.
        let bytes = unsafe { std::slice::from_raw_parts_mut(block.as_mut_ptr(), 8_000) };
        assert!(bytes.iter().all(|&byte| byte == 0));
        bytes.fill(7);
        assert!(heap::zeroed(usize::MAX).is_none());
    }
}
