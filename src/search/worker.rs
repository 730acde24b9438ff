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

/// What the workers of one search share besides the tree, from round to round.
pub(super) struct Progress {
    /// Simulations handed out.
    issued: AtomicU64,
    /// Simulations done.
    pub nodes: AtomicU64,
    pub exact_hits: AtomicU64,
    pub deepest: AtomicU32,
    /// The search is over.
    finished: AtomicBool,
    /// Nothing is left to simulate.
    pub settled: AtomicBool,
    /// The tree has no room left: the round ends.
    tree_full: AtomicBool,
    /// The round ends, for want of memory in tree or table.
    round_over: AtomicBool,
    pub started: Instant,
}

impl Progress {
    pub fn new() -> Self {
        Self {
            issued: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            exact_hits: AtomicU64::new(0),
            deepest: AtomicU32::new(0),
            finished: AtomicBool::new(false),
            settled: AtomicBool::new(false),
            tree_full: AtomicBool::new(false),
            round_over: AtomicBool::new(false),
            started: Instant::now(),
        }
    }

    pub fn finish(&self) {
        self.finished.store(true, Relaxed);
    }

    pub fn finished(&self) -> bool {
        self.finished.load(Relaxed)
    }

    /// Whether the round ended for want of memory.
    pub fn round_over(&self) -> bool {
        self.round_over.load(Relaxed)
    }

    /// Begins a round; true if the tree has no room left.
    pub fn begin_round(&self) -> bool {
        self.round_over.store(false, Relaxed);
        self.tree_full.swap(false, Relaxed)
    }

    /// Hands out up to [`BATCH`] simulations within `limit`; 0 if there are no more.
    fn take(&self, limit: Option<u64>) -> u64 {
        let before = self.issued.fetch_add(BATCH, Relaxed);
        match limit {
            Some(limit) if before + BATCH > limit => {
                let left = limit.saturating_sub(before);
                self.issued.fetch_sub(BATCH - left, Relaxed);
                left
            }
            _ => BATCH,
        }
    }
}

/// Runs simulations until the search is over or memory is full. `supervise` is called by one of the workers after each batch
/// and ends the search by returning false.
pub(super) fn work<P: Position, E: Evaluator<P>>(
    context: &Context<'_, P, E>,
    progress: &Progress,
    node_limit: Option<u64>,
    control: &Control,
    mut supervise: Option<&mut dyn FnMut() -> bool>,
) {
    let mut walker = Walker::<P>::new();
    while !progress.finished() && !progress.round_over() && !control.stopped() {
        let taken = progress.take(node_limit);
        if taken == 0 {
            // Others may still be at their last ones: not finished, but nothing to do.
            break;
        }
        let mut done = 0;
        while done < taken && !control.stopped() {
            match context.simulate(&mut walker) {
                Ok(Done::Counted) => done += 1,
                Ok(Done::Settled) => {
                    progress.settled.store(true, Relaxed);
                    progress.finish();
                    break;
                }
                Err(Full) => {
                    progress.tree_full.store(true, Relaxed);
                    progress.round_over.store(true, Relaxed);
                    break;
                }
            }
            if progress.round_over() || progress.finished() {
                break;
            }
        }
        progress.issued.fetch_sub(taken - done, Relaxed);
        progress.nodes.fetch_add(done, Relaxed);
        progress.exact_hits.fetch_add(std::mem::take(&mut walker.exact_hits), Relaxed);
        progress.deepest.fetch_max(walker.deepest, Relaxed);
        if context.table.is_full() {
            progress.round_over.store(true, Relaxed);
        }
        if let Some(supervise) = supervise.as_mut()
            && !supervise()
        {
            progress.finish();
        }
    }
}
