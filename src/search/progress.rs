//! State that the workers of one search share beside tree and table: counters, and when to stop.

use super::clock;
use super::control::Control;
use crossbeam_utils::CachePadded;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use web_time::Instant;

/// Lasts from round to round. Counters that all workers write have cache lines of their own.
pub(super) struct Progress<'a> {
    pub control: &'a Control,
    /// When the search was ordered.
    pub started: Instant,
    /// Longest time from when limits begin to count; `None` for no limit.
    most: Option<Duration>,
    /// The end of that time, once limits count.
    deadline: OnceLock<Instant>,
    /// The search ends at this many nodes.
    node_limit: u64,
    /// Positions evaluated, and simulations that needed no evaluation thanks to exact or shared knowledge.
    nodes: CachePadded<AtomicU64>,
    exact_hits: CachePadded<AtomicU64>,
    deepest: CachePadded<AtomicU32>,
    /// The search is over.
    finished: AtomicBool,
    /// The tree is full: the round ends.
    tree_full: AtomicBool,
    /// The round ends because tree or table is full.
    round_over: AtomicBool,
}

impl<'a> Progress<'a> {
    pub fn new(control: &'a Control, started: Instant, most: Option<Duration>, node_limit: u64) -> Self {
        let progress = Self {
            control,
            started,
            most,
            deadline: OnceLock::new(),
            node_limit,
            nodes: CachePadded::new(AtomicU64::new(0)),
            exact_hits: CachePadded::new(AtomicU64::new(0)),
            deepest: CachePadded::new(AtomicU32::new(0)),
            finished: AtomicBool::new(false),
            tree_full: AtomicBool::new(false),
            round_over: AtomicBool::new(false),
        };
        progress.set_deadline();
        progress
    }

    /// Sets the deadline if limits have begun to count.
    pub fn set_deadline(&self) {
        if self.deadline.get().is_none()
            && let Some(most) = self.most
            && let Some(deadline) = self.control.counts_from(self.started).and_then(|from| from.checked_add(most))
        {
            let _ = self.deadline.set(deadline);
        }
    }

    /// By how much the deadline is exceeded; `None` before it.
    pub fn overdue(&self) -> Option<Duration> {
        let deadline = *self.deadline.get()?;
        clock::now().checked_duration_since(deadline)
    }

    /// Whether the answer is due, however far the workers are.
    pub fn answer_is_due(&self) -> bool {
        self.control.stopped() || self.overdue().is_some()
    }

    /// Blocks until the answer is due, or `over` is true after a [`wake`](Control::wake).
    pub fn wait_until_due(&self, over: impl Fn() -> bool) {
        self.control.wait_until_due(self.started, self.most, over);
    }

    /// Ends the search.
    pub fn finish(&self) {
        self.finished.store(true, Relaxed);
    }

    /// Whether the search is over.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.finished.load(Relaxed) || self.control.stopped()
    }

    /// Ends the round because the tree is full.
    pub fn end_round_for_tree(&self) {
        self.tree_full.store(true, Relaxed);
        self.end_round();
    }

    /// Ends the round.
    pub fn end_round(&self) {
        self.round_over.store(true, Relaxed);
    }

    /// Whether workers must stop: the round or the whole search is over.
    #[inline]
    pub fn round_is_over(&self) -> bool {
        self.is_over() || self.round_over.load(Relaxed)
    }

    /// Begins a round. Returns whether the tree filled up in the last one.
    pub fn begin_round(&self) -> bool {
        self.round_over.store(false, Relaxed);
        self.tree_full.swap(false, Relaxed)
    }

    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Nodes left before the limit.
    pub fn nodes_left(&self) -> u64 {
        self.node_limit.saturating_sub(self.nodes())
    }

    /// Adds nodes; ends the search at the limit.
    pub fn add_nodes(&self, count: u64) {
        if self.nodes.fetch_add(count, Relaxed) + count >= self.node_limit {
            self.finish();
        }
    }

    pub fn exact_hits(&self) -> u64 {
        self.exact_hits.load(Relaxed)
    }

    pub fn add_exact_hits(&self, count: u64) {
        self.exact_hits.fetch_add(count, Relaxed);
    }

    /// Turns on the longest way down so far.
    pub fn deepest(&self) -> u32 {
        self.deepest.load(Relaxed)
    }

    pub fn reach(&self, depth: u32) {
        if depth > self.deepest() {
            self.deepest.fetch_max(depth, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::clock::simulated::{Simulated, pass};

    #[test]
    fn the_search_ends_at_the_node_limit() {
        let control = Control::default();
        let progress = Progress::new(&control, Instant::now(), None, 100);
        progress.add_nodes(99);
        assert!(!progress.is_over());
        assert_eq!(progress.nodes_left(), 1);
        progress.add_nodes(1);
        assert!(progress.is_over());
        assert_eq!(progress.nodes_left(), 0);
    }

    #[test]
    fn a_full_tree_ends_the_round_but_not_the_search() {
        let control = Control::default();
        let progress = Progress::new(&control, Instant::now(), None, u64::MAX);
        assert!(!progress.begin_round());
        progress.end_round_for_tree();
        assert!(progress.round_is_over() && !progress.is_over());
        assert!(progress.begin_round());
        progress.end_round();
        assert!(progress.round_is_over());
        assert!(!progress.begin_round() && !progress.round_is_over());
    }

    #[test]
    fn time_is_up_when_the_deadline_has_come() {
        let _clock = Simulated::new();
        let (control, second) = (Control::default(), Duration::from_secs(1));
        let progress = Progress::new(&control, clock::now(), Some(second), u64::MAX);
        pass(second - Duration::from_nanos(1));
        assert!(progress.overdue().is_none() && !progress.answer_is_due());
        pass(Duration::from_nanos(1));
        assert!(progress.overdue() == Some(Duration::ZERO) && progress.answer_is_due() && !progress.is_over());
        pass(second);
        assert_eq!(progress.overdue(), Some(second));
    }

    #[test]
    fn the_deadline_counts_from_the_ponder_hit() {
        let control = Control::new(true);
        let progress = Progress::new(&control, Instant::now(), Some(Duration::ZERO), u64::MAX);
        progress.set_deadline();
        assert_eq!(progress.overdue(), None);
        control.ponder_hit();
        progress.set_deadline();
        assert!(progress.overdue().is_some() && progress.answer_is_due());
    }
}
