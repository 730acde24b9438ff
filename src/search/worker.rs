//! The workers of a search: one loop a thread, one of them keeping an eye on the limits.

use super::Control;
use super::simulation::{Context, Done, Walker};
use super::tree::Full;
use crate::eval::Evaluator;
use crate::games::Position;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// Simulations between two looks at the limits.
const BATCH: u64 = 16;

/// A number that all workers add to, alone in its cache lines: so that adding does not slow down who reads its neighbours.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Counter(AtomicU64);

impl Counter {
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }

    /// Adds and returns the sum.
    fn add(&self, count: u64) -> u64 {
        self.0.fetch_add(count, Relaxed) + count
    }
}

/// What the workers of one search share besides the tree, from round to round.
pub(super) struct Progress {
    /// Positions evaluated, and simulations that did without thanks to exact or shared knowledge.
    pub nodes: Counter,
    pub exact_hits: AtomicU64,
    pub deepest: AtomicU32,
    /// The search is over.
    finished: AtomicBool,
    /// The tree has no room left: the round ends.
    tree_full: AtomicBool,
    /// The round ends, for want of memory in tree or table.
    round_over: AtomicBool,
    pub started: Instant,
}

impl Progress {
    pub fn new() -> Self {
        Self {
            nodes: Counter::default(),
            exact_hits: AtomicU64::new(0),
            deepest: AtomicU32::new(0),
            finished: AtomicBool::new(false),
            tree_full: AtomicBool::new(false),
            round_over: AtomicBool::new(false),
            started: Instant::now(),
        }
    }

    fn finish(&self) {
        self.finished.store(true, Relaxed);
    }

    pub fn finished(&self) -> bool {
        self.finished.load(Relaxed)
    }

    /// Whether the round ended for want of memory.
    fn round_over(&self) -> bool {
        self.round_over.load(Relaxed)
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

/// Runs simulations until the search is over, `node_limit` is reached or memory is full. `supervise` is called by one of the workers
/// after each batch and ends the search by returning false.
pub(super) fn work<P: Position, E: Evaluator<P>>(
    context: &Context<'_, P, E>,
    progress: &Progress,
    node_limit: u64,
    control: &Control,
    mut supervise: Option<&mut dyn FnMut() -> bool>,
) {
    let mut walker = Walker::<P>::new();
    let limited = node_limit < u64::MAX;
    let over = || progress.finished() || progress.round_over() || control.stopped();
    while !over() {
        for _ in 0..BATCH {
            match context.simulate(&mut walker) {
                Ok(Done::Counted) => {}
                Ok(Done::Settled) => progress.finish(),
                Err(Full) => progress.end_round(true),
            }
            if limited && progress.nodes.add(walker.take_nodes()) >= node_limit {
                progress.finish();
            }
            if over() {
                break;
            }
        }
        progress.nodes.add(walker.take_nodes());
        progress.exact_hits.fetch_add(std::mem::take(&mut walker.exact_hits), Relaxed);
        progress.deepest.fetch_max(walker.deepest, Relaxed);
        if context.table.is_full() {
            progress.end_round(false);
        }
        if let Some(supervise) = supervise.as_mut()
            && !supervise()
        {
            progress.finish();
        }
    }
}
