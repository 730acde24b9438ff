//! The positions that workers are searching now.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Usually more than there are positions on all workers' paths. Two with the same mark only keep workers apart
/// without need.
const MARKS: usize = 1 << 14;

/// How many workers are below each position.
pub(super) struct Marks(Vec<AtomicU32>);

impl Marks {
    pub fn new() -> Self {
        Self((0..MARKS).map(|_| AtomicU32::new(0)).collect())
    }

    fn mark(&self, key: u64) -> &AtomicU32 {
        &self.0[key as usize % MARKS]
    }

    /// Workers below the position with this key.
    pub fn count(&self, key: u64) -> u32 {
        self.mark(key).load(Relaxed)
    }

    /// `work`, while others see that somebody is at it.
    pub fn during<T>(&self, key: u64, work: impl FnOnce() -> T) -> T {
        self.mark(key).fetch_add(1, Relaxed);
        let done = work();
        self.mark(key).fetch_sub(1, Relaxed);
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_last_as_long_as_the_work() {
        let marks = Marks::new();
        let inside = marks.during(7, || marks.during(7, || [7, 8, 7 + MARKS as u64].map(|key| marks.count(key))));
        assert_eq!(inside, [2, 0, 2]);
        assert_eq!(marks.count(7), 0);
    }
}
