//! A search for a proof beside the tree search, where the game has one ([`Evaluator::solver`]).

use super::worker::Progress;
use super::{Control, Limits, Settings};
use crate::endgame::{Proof, Solve, Standing};
use crate::eval::Evaluator;
use crate::games::{Position, Turn};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Positions that the solver looks at between two batches of simulations: milliseconds.
const SLICE: u64 = 20_000;
/// Share of the memory that stays the tree's when a proof is what was asked for: one part in so many.
pub(super) const TREE_SHARE: usize = 4;
/// Threads that search for a proof at most: each needs some 100 KiB.
const MOST_WORKERS: usize = 128;
/// Memory, beside the tree's, for a solver that only helps.
const HELPER_BYTES: usize = 24 << 20;

/// A solver and the pace that it goes at.
pub(super) struct Prover<P: Position> {
    solver: Box<dyn Solve<P>>,
    /// A proof is what was asked for: the tree is there to have something to say meanwhile.
    first: bool,
    /// Positions that worker 0 looked at.
    looked_at: AtomicU64,
}

impl<P: Position> Prover<P> {
    /// A search for a proof, if `limits` want one.
    pub fn new<E: Evaluator<P>>(
        evaluator: &E,
        root: &P,
        settings: &Settings,
        limits: &Limits<P>,
        bytes: usize,
    ) -> Option<Self> {
        let first = limits.mate.is_some();
        if !(first || limits.infinite) || !limits.turns.is_empty() || settings.multi_pv > 1 {
            return None;
        }
        let bytes = if first { bytes - bytes / TREE_SHARE } else { HELPER_BYTES };
        let mut solver = evaluator.solver(root, bytes)?;
        if first {
            solver.employ(settings.threads.min(MOST_WORKERS));
        }
        Some(Self { solver, first, looked_at: AtomicU64::new(0) })
    }

    /// Whether a proof is what was asked for. Of the tree's memory it then uses all but one part in [`TREE_SHARE`].
    pub fn comes_first(&self) -> bool {
        self.first
    }

    /// Whether a worker searches for the proof instead of on the tree. Worker 0 does both.
    pub fn employs(&self, worker: usize) -> bool {
        self.first && (1..MOST_WORKERS).contains(&worker)
    }

    /// Has worker 0 go on for a slice, or until `go_on` says no, if it is the solver's turn after so many positions of all searches.
    /// Returns how many it looked at.
    pub fn advance(&self, nodes: u64, go_on: &dyn Fn() -> bool) -> u64 {
        // A position of the solver takes a fifth of the time: so as a helper it takes a sixth.
        if !self.first && self.looked_at.load(Relaxed) > nodes / 2 {
            return 0;
        }
        let count = self.solver.advance(0, SLICE, go_on);
        self.looked_at.fetch_add(count, Relaxed);
        count
    }

    /// Has another worker than 0 search for the proof until the round or the search is over; it ends the search at `node_limit`.
    pub fn work(&self, worker: usize, progress: &Progress, node_limit: u64, control: &Control) {
        let go_on = || !progress.round_ends(control) && progress.overdue().is_none();
        while go_on() {
            let count = self.solver.advance(worker, SLICE, &go_on);
            if count == 0 {
                // Solved: worker 0 says so.
                return;
            }
            if progress.nodes.fetch_add(count, Relaxed) + count >= node_limit {
                progress.finish();
            }
        }
    }

    /// The result, once it is known.
    pub fn solved(&self) -> Option<(Vec<Turn<P>>, Proof)> {
        self.solver.solved()
    }

    /// How far it has come, if a proof is what was asked for.
    pub fn standing(&self) -> Option<Standing<P>> {
        if self.first { self.solver.standing() } else { None }
    }
}
