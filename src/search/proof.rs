//! A proof search beside the tree search, in games that have a solver
//! ([`Oracle::solver`](crate::endgame::Oracle::solver)).

use super::progress::Progress;
use super::settings::Settings;
use super::store::TREE_SHARE;
use super::task::Task;
use crate::endgame::{Proof, ProofStatus, Solve};
use crate::eval::Evaluator;
use crate::games::{Position, Steps};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Positions that the solver visits between two batches of simulations. They take milliseconds.
const SLICE: u64 = 20_000;
/// Fewer are not worth the way to the solver and back.
const LEAST_SLICE: u64 = 1_000;
/// The most threads that search for a proof. Each needs some 100 KiB.
const MOST_WORKERS: usize = 64;
/// Memory for a solver that only helps, in addition to the tree's.
const HELPER_BYTES: usize = 24 << 20;

/// A solver, and how much of the workers' time it gets.
pub(super) struct Prover<P: Position> {
    solver: Box<dyn Solve<P>>,
    /// Whether a proof is what was asked for. Then the tree only provides something to report meanwhile, except in
    /// positions that are [late](Solve::is_late).
    first: bool,
    /// Threads that search for it.
    workers: u64,
    /// Positions that worker 0 visited, and those that the others did.
    visited: AtomicU64,
    by_others: AtomicU64,
}

impl<P: Position> Prover<P> {
    /// A proof search, if the limits of `task` ask for one. `bytes` is the memory of the whole tree. It goes on with what
    /// an earlier one [left](Self::left), if that sees this position.
    pub fn new<E: Evaluator<P>>(
        evaluator: &E,
        settings: &Settings,
        task: &Task<'_, P>,
        bytes: usize,
        earlier: Option<Box<dyn Solve<P>>>,
    ) -> Option<Self> {
        let first = task.limits.mate.is_some();
        if !(first || task.limits.infinite || task.limits.prove)
            || !task.limits.turns.is_empty()
            || settings.multi_pv > 1
        {
            return None;
        }
        let solver = |bytes| evaluator.oracle().solver(task.root(), bytes);
        let workers = if first { settings.threads.min(MOST_WORKERS) } else { 1 };
        let solver = if first {
            let mut solver = solver(bytes - bytes / TREE_SHARE)?;
            solver.employ(workers);
            solver
        } else {
            let earlier = earlier.and_then(|mut earlier| earlier.turn_to(task.root()).then_some(earlier));
            earlier.or_else(|| solver(HELPER_BYTES))?
        };
        let (visited, by_others) = (AtomicU64::new(0), AtomicU64::new(0));
        Some(Self { solver, first, workers: workers as u64, visited, by_others })
    }

    /// What the next search may go on with; nothing where memory of the tree was lent.
    pub fn left(self) -> Option<Box<dyn Solve<P>>> {
        (!self.first).then_some(self.solver)
    }

    /// Whether a proof is what was asked for. Then it needs all of the tree's memory but 1/[`TREE_SHARE`].
    pub fn comes_first(&self) -> bool {
        self.first
    }

    /// Whether `worker` works on the proof instead of the tree. Worker 0 does both.
    pub fn employs(&self, worker: usize) -> bool {
        self.first && worker > 0
    }

    /// Runs a slice as worker 0 between two of its batches, if it is the solver's turn. Returns the result once it is
    /// known.
    pub fn work_between_batches(&self, progress: &Progress<'_>) -> Option<(Vec<Steps<P>>, Proof)> {
        let due = self.due(progress);
        if due >= LEAST_SLICE {
            let count = self.solver.advance(0, self.slice(due, progress), &|| may_go_on(progress));
            self.visited.fetch_add(count, Relaxed);
            if self.first {
                progress.add_nodes(count);
            }
        }
        self.solver.solved()
    }

    /// Positions that worker 0 is to visit next for a proof, before it searches in the tree again.
    fn due(&self, progress: &Progress<'_>) -> u64 {
        let visited = self.visited.load(Relaxed);
        let counted = if self.first { visited + self.by_others.load(Relaxed) } else { 0 };
        let nodes = progress.nodes().saturating_sub(counted);
        match (self.first, self.solver.is_late()) {
            (true, false) => SLICE,
            // One of the solver's positions takes half the time of a node: so both searches get the same.
            (true, true) if visited <= 2 * nodes => SLICE,
            (true, true) => 0,
            // A fifth of the time of a node, half of it in late positions: so the solver gets a sixth or a third.
            (false, _) => nodes.saturating_sub(visited),
        }
    }

    /// Runs as `worker`, not 0, until the round is over or the result is known: worker 0 will notice. Returns at once if
    /// [`MOST_WORKERS`] others do this already.
    pub fn work(&self, worker: usize, progress: &Progress<'_>) {
        if worker >= MOST_WORKERS {
            return;
        }
        while may_go_on(progress) {
            match self.solver.advance(worker, self.slice(SLICE, progress), &|| may_go_on(progress)) {
                0 => return,
                count => {
                    self.by_others.fetch_add(count, Relaxed);
                    progress.add_nodes(count);
                }
            }
        }
    }

    /// Positions of the next slice, where `due` are due: if they count as nodes, this worker's share of those left.
    fn slice(&self, due: u64, progress: &Progress<'_>) -> u64 {
        due.min(SLICE).min(if self.first { progress.nodes_left().div_ceil(self.workers) } else { SLICE })
    }

    /// How far it has come, if a proof is what was asked for. May wait for worker 0's slice.
    pub fn status(&self) -> Option<ProofStatus<P>> {
        if self.first { self.solver.status() } else { None }
    }
}

/// Whether a solver may go on: it looks at the clock itself, as a slice is long.
fn may_go_on(progress: &Progress<'_>) -> bool {
    !progress.round_is_over() && progress.overdue().is_none()
}
