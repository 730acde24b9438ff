use super::node::Node;
use memmap2::MmapMut;
use std::ops::Deref;

/// A fixed number of nodes, zeroed at first. The system gives the pages when they are first written, in huge ones where it can:
/// walks through the tree then miss the processor's address cache less often.
pub(super) struct Memory {
    map: MmapMut,
    count: usize,
}

impl Memory {
    /// Room for `count` nodes, at least one; `None` if the system refuses.
    pub fn new(count: usize) -> Option<Self> {
        let map = MmapMut::map_anon(count.checked_mul(size_of::<Node>())?).ok()?;
        // No more than advice: without huge pages it works as well.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Some(Self { map, count })
    }
}

impl Deref for Memory {
    type Target = [Node];

    #[inline(always)]
    fn deref(&self) -> &[Node] {
        // SAFETY: the mapping begins at a page, which is aligned for nodes, holds `count` of them and lives as long as `self`. It is
        // written through the nodes' atomics alone, and any bits make a valid node, as all its fields are integers.
        unsafe { std::slice::from_raw_parts(self.map.as_ptr().cast(), self.count) }
    }
}
