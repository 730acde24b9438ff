//! One search: its rounds, the answer, and what is left to do after it.

use super::progress::Progress;
use super::proof::Prover;
use super::report::Report;
use super::reporting::{Reporter, Reporting};
use super::root::Root;
use super::round::Round;
use super::settings::Settings;
use super::simulation::Context;
use super::store::Store;
use super::supervisor::Supervisor;
use super::task::Task;
use super::time::{Lag, budget_of};
use crate::eval::{Evaluator, Parameters};
use crate::games::Position;
use rayon::ThreadPool;
use std::sync::{Mutex, PoisonError};

/// The tools of a search; all of them last longer than the search.
pub(super) struct Tools<'a, P: Position, E> {
    pub evaluator: &'a E,
    pub parameters: &'a Parameters,
    pub settings: &'a Settings,
    pub pool: Option<&'a ThreadPool>,
    pub store: &'a mut Store<P>,
    pub lag: &'a mut Lag,
}

/// A search under way.
pub(super) struct Run<'a, P: Position, E> {
    tools: Tools<'a, P, E>,
    task: Task<'a, P>,
    progress: Progress<'a>,
    prover: Option<Prover<P>>,
    reporting: Mutex<Reporting<'a, P>>,
    /// Time is limited.
    is_timed: bool,
}

impl<'a, P: Position, E: Evaluator<P>> Run<'a, P, E> {
    /// Prepares the tree, the limits and, if a proof is wanted, the prover.
    pub fn new(tools: Tools<'a, P, E>, task: Task<'a, P>, reporter: Option<Reporter<'a, P>>) -> Self {
        let Task { limits, control, .. } = task;
        let store = &mut *tools.store;
        store.restore();
        let (bytes, earlier) = (store.tree.bytes(), store.solver.take());
        let prover = Prover::new(tools.evaluator, tools.settings, &task, bytes, earlier);
        let prover = prover.filter(|prover| !prover.comes_first() || store.lend());
        store.take_root(task.game, limits.turns.is_empty());
        let budget = budget_of(&task, *tools.lag);
        let most = budget.filter(|_| !limits.infinite).map(|budget| budget.most);
        let progress = Progress::new(control, task.ordered(), most, limits.nodes.unwrap_or(u64::MAX));
        let supervisor = Supervisor::new(limits, budget, store.tree.visits());
        let reporting = Mutex::new(Reporting::new(task, supervisor, reporter));
        Self { tools, task, progress, prover, reporting, is_timed: budget.is_some() }
    }

    /// Searches until a limit is reached or the search is stopped. Memory is recycled between rounds.
    pub fn rounds(&mut self) {
        let limits = self.task.limits;
        let is_watched = self.is_timed || limits.infinite || limits.ponder || limits.mate.is_some();
        while !self.progress.is_over() {
            self.tools.store.make_room(self.progress.begin_round());
            let (context, progress) = (&self.context(), &self.progress);
            let root = Root { context, progress };
            Round::new(root, self.prover.as_ref(), &self.reporting, self.tools.pool).run(is_watched);
        }
    }

    /// Searches like [`rounds`](Self::rounds), but stops at each leaf of an evaluator of batches, so that whoever polls
    /// goes on with other searches. With several threads, or beside a proof search, it does not stop.
    #[cfg(feature = "own")]
    pub async fn stop_at_leaves(&mut self) {
        let Tools { evaluator, pool, .. } = &self.tools;
        let Some(most) = evaluator.batch().filter(|_| pool.is_none() && self.prover.is_none()) else {
            return self.rounds();
        };
        while !self.progress.is_over() {
            self.tools.store.make_room(self.progress.begin_round());
            let (context, progress) = (&self.context(), &self.progress);
            Round::new(Root { context, progress }, None, &self.reporting, None).stop_at_leaves(most).await;
        }
    }

    /// Waits until the search may end, answers, and gives memory back.
    pub fn end(mut self) -> Report<P> {
        let report = self.answer();
        self.tear_down();
        report
    }

    /// Waits until the search may end, and answers.
    fn answer(&mut self) -> Report<P> {
        let mut reporting = self.reporting.lock().unwrap_or_else(PoisonError::into_inner);
        let root = Root { context: &self.context(), progress: &self.progress };
        reporting.announce(&root);
        self.task.control.wait_until_released(self.task.limits.infinite);
        let report = reporting.answer(&root);
        let late = reporting.late().max(self.task.delay());
        drop(reporting);
        if self.is_timed {
            self.tools.lag.note(late, self.task.limits.overhead);
        }
        report
    }

    /// Gives memory back. For a large memory this takes time, but nobody waits for the answer any more.
    fn tear_down(self) {
        let Self { tools: Tools { store, .. }, task, prover, .. } = self;
        store.solver = prover.and_then(Prover::left);
        store.restore();
        if !task.limits.turns.is_empty() {
            // Proofs among some turns only are no truths.
            store.clear_tree();
        }
    }

    fn context(&self) -> Context<'_, P, E> {
        let Tools { evaluator, parameters, settings, store, .. } = &self.tools;
        Context {
            tree: &store.tree,
            table: &store.table,
            evaluator,
            parameters,
            root: self.task.root(),
            seed: settings.seed,
            turns: &self.task.limits.turns,
            multi_pv: settings.multi_pv,
        }
    }
}
