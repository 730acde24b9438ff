//! The workers of a search: one loop a thread, one of them keeping an eye on the limits.

use super::Control;
use super::simulation::{Context, Done, Walker};
use super::tree::Full;
use crate::eval::Evaluator;
use crate::games::Position;
use crossbeam_utils::CachePadded;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Simulations between two looks at the limits.
const BATCH: u64 = 16;
/// Positions that a simulation evaluates at most, usually.
const MOST_NODES: u64 = 32;

/// What the workers of one search share besides the tree, from round to round. What all write stands in cache lines of its own.
pub(super) struct Progress {
    /// Positions evaluated, and simulations that did without thanks to exact or shared knowledge.
    pub nodes: CachePadded<AtomicU64>,
    pub exact_hits: CachePadded<AtomicU64>,
    pub deepest: CachePadded<AtomicU32>,
    /// The search is over.
    finished: AtomicBool,
    /// The tree has no room left: the round ends.
    tree_full: AtomicBool,
    /// The round ends, for want of memory in tree or table.
    round_over: AtomicBool,
    pub started: Instant,
    /// The most time that it may take, from when limits count.
    pub most: Option<Duration>,
    /// When that time is up, once it is known.
    deadline: OnceLock<Instant>,
}

impl Progress {
    pub fn new(started: Instant, most: Option<Duration>) -> Self {
        Self {
            nodes: CachePadded::new(AtomicU64::new(0)),
            exact_hits: CachePadded::new(AtomicU64::new(0)),
            deepest: CachePadded::new(AtomicU32::new(0)),
            finished: AtomicBool::new(false),
            tree_full: AtomicBool::new(false),
            round_over: AtomicBool::new(false),
            started,
            most,
            deadline: OnceLock::new(),
        }
    }

    /// Sets the deadline as soon as limits count.
    pub fn set_deadline(&self, control: &Control) {
        if self.deadline.get().is_none()
            && let Some(most) = self.most
            && let Some(deadline) = control.counts_from(self.started).and_then(|from| from.checked_add(most))
        {
            let _ = self.deadline.set(deadline);
        }
    }

    /// By how much the time is exceeded; `None` if there is some left.
    pub fn overdue(&self) -> Option<Duration> {
        Instant::now().checked_duration_since(*self.deadline.get()?)
    }

    /// Ends the search.
    pub fn finish(&self) {
        self.finished.store(true, Relaxed);
    }

    pub fn finished(&self) -> bool {
        self.finished.load(Relaxed)
    }

    /// Whether workers are to come home: the search is over, or the round for want of memory.
    pub fn round_ends(&self, control: &Control) -> bool {
        self.finished() || self.round_over.load(Relaxed) || control.stopped()
    }

    /// Ends the round for want of memory, in the tree if `tree`, else in the table.
    fn end_round(&self, tree: bool) {
        if tree {
            self.tree_full.store(true, Relaxed);
        }
        self.round_over.store(true, Relaxed);
    }

    /// Begins a round; true if the tree has no room left.
    pub fn begin_round(&self) -> bool {
        self.round_over.store(false, Relaxed);
        self.tree_full.swap(false, Relaxed)
    }
}

/// Runs simulations until the search is over, time is up, `node_limit` is reached or memory is full. `supervise` is called by
/// one of the workers after each batch and ends the search by returning false.
pub(super) fn work<P: Position, E: Evaluator<P>>(
    context: &Context<'_, P, E>,
    progress: &Progress,
    node_limit: u64,
    workers: usize,
    control: &Control,
    mut supervise: Option<&mut dyn FnMut() -> bool>,
) {
    let mut walker = Walker::<P>::new(context.tree.room(workers));
    // From here on nodes are counted after each simulation: a batch of every worker would hardly exceed the limit.
    let almost = node_limit.saturating_sub(BATCH * MOST_NODES * workers as u64);
    let over = || progress.round_ends(control);
    while !over() {
        for _ in 0..BATCH {
            match context.simulate(&mut walker) {
                Ok(Done::Counted) => {}
                Ok(Done::Settled) => progress.finish(),
                Err(Full) => progress.end_round(true),
            }
            if progress.nodes.load(Relaxed) >= almost {
                let count = walker.take_nodes();
                if progress.nodes.fetch_add(count, Relaxed) + count >= node_limit {
                    progress.finish();
                }
            }
            if over() {
                break;
            }
        }
        progress.nodes.fetch_add(walker.take_nodes(), Relaxed);
        progress.exact_hits.fetch_add(std::mem::take(&mut walker.exact_hits), Relaxed);
        if walker.deepest > progress.deepest.load(Relaxed) {
            progress.deepest.fetch_max(walker.deepest, Relaxed);
        }
        if context.table.is_full() {
            progress.end_round(false);
        }
        // Each looks at the clock: the system may keep any of them waiting.
        if progress.overdue().is_some() || supervise.as_mut().is_some_and(|supervise| !supervise()) {
            progress.finish();
        }
    }
    context.unwind(&mut walker);
}
