//! One round of a search: all workers on the tree, until the search is over or memory is full.

use super::proof::Prover;
use super::root::Root;
use super::simulation::Context;
use super::supervisor::Supervisor;
use super::worker::{Progress, work};
use super::{Control, Limits, Report, Search};
use crate::endgame::Proof;
use crate::eval::Evaluator;
use crate::games::{Position, Turn};
use rayon::ThreadPool;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What one thread at a time may use.
pub(super) struct Desk<'a, P: Position> {
    pub supervisor: Supervisor<'a, P>,
    pub reporter: &'a mut (dyn FnMut(&Report<P>) + Send),
    /// The result, once the prover knows it.
    pub solution: Option<(Vec<Turn<P>>, Proof)>,
    /// The last report, once it was made, and how late that was.
    pub answer: Option<Report<P>>,
    pub late: Duration,
}

/// What the threads of a round share.
pub(super) struct Round<'a, 'b, P: Position, E: Evaluator<P>> {
    search: &'a Search<P, E>,
    context: &'a Context<'a, P, E>,
    limits: &'a Limits<P>,
    control: &'a Control,
    progress: &'a Progress,
    prover: Option<&'a Prover<P>>,
    desk: &'a Mutex<Desk<'b, P>>,
    /// All workers have come home.
    home: AtomicBool,
}

/// Has the others come home if a worker panics, and ends the watch.
struct Alarm<'a>(&'a Progress, Option<(&'a Control, &'a AtomicBool)>);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.finish();
        }
        if let Some((control, home)) = self.1 {
            home.store(true, Relaxed);
            control.wake();
        }
    }
}

impl<'a, 'b, P: Position, E: Evaluator<P>> Round<'a, 'b, P, E> {
    pub fn new(
        search: &'a Search<P, E>,
        context: &'a Context<'a, P, E>,
        (limits, control, progress): (&'a Limits<P>, &'a Control, &'a Progress),
        prover: Option<&'a Prover<P>>,
        desk: &'a Mutex<Desk<'b, P>>,
    ) -> Self {
        Self { search, context, limits, control, progress, prover, desk, home: AtomicBool::new(false) }
    }

    /// Runs the round: worker 0 on this thread, the others in `pool`. `is_watched`: somebody waits for the answer.
    pub fn run(&self, pool: Option<&ThreadPool>, is_watched: bool) {
        std::thread::scope(|scope| {
            if is_watched {
                // Without it, if there is no thread to be had, the answer waits for the first worker.
                let watch = std::thread::Builder::new().name("watch".to_owned());
                let _ = watch.spawn_scoped(scope, || self.watch());
            }
            let _alarm = Alarm(self.progress, Some((self.control, &self.home)));
            match pool {
                Some(pool) => pool.in_place_scope(|scope| {
                    (1..=pool.current_num_threads()).for_each(|worker| scope.spawn(move |_| self.work(worker)));
                    self.work(0);
                }),
                None => self.work(0),
            }
        });
    }

    /// Answers when the time is up or the search is stopped. On a busy machine a thread that has slept is woken sooner than one that
    /// computes gets its next turn.
    fn watch(&self) {
        let Progress { started, most, .. } = *self.progress;
        self.control.wait_until_due(started, most, || self.home.load(Relaxed));
        if !self.home.load(Relaxed) {
            self.answer(&mut self.desk());
            self.progress.finish();
        }
    }

    fn work(&self, worker: usize) {
        let _alarm = Alarm(self.progress, None);
        let node_limit = self.limits.nodes.unwrap_or(u64::MAX);
        match self.prover {
            Some(prover) if prover.employs(worker) => {
                prover.work(worker, self.progress, node_limit, self.control);
            }
            _ => {
                let workers = self.search.settings.threads;
                let mut supervise = || self.supervise();
                let supervise: Option<&mut dyn FnMut() -> bool> = if worker == 0 { Some(&mut supervise) } else { None };
                work(self.context, self.progress, node_limit, workers, self.control, supervise);
            }
        }
        // Who is first at home answers, if it is time; who else is there has to wait no longer than that.
        if self.is_due()
            && let Ok(mut desk) = self.desk.try_lock()
        {
            self.answer(&mut desk);
        }
    }

    /// Worker 0 looks at the limits; false if the search is over.
    fn supervise(&self) -> bool {
        let progress = self.progress;
        let solution = self.prover.and_then(|prover| {
            let go_on = || !progress.round_ends(self.control) && progress.overdue().is_none();
            progress.nodes.fetch_add(prover.advance(progress.nodes.load(Relaxed), &go_on), Relaxed);
            prover.solved()
        });
        let mut desk = self.desk();
        if solution.is_some() {
            desk.solution = solution;
            return false;
        }
        let eye = Root { context: self.context };
        // What the last report will say need not be said before.
        if progress.finished() || self.control.stopped() || !desk.supervisor.go_on(&eye) {
            return false;
        }
        if desk.supervisor.report_due() {
            let proof = self.prover.and_then(Prover::standing);
            (desk.reporter)(&Report { proof, ..self.search.report(&eye, progress) });
        }
        true
    }

    fn desk(&self) -> MutexGuard<'_, Desk<'b, P>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the answer is due, however far the workers are.
    fn is_due(&self) -> bool {
        self.control.stopped() || self.progress.overdue().is_some()
    }

    /// Makes the last report, if nobody has.
    fn answer(&self, desk: &mut Desk<'_, P>) {
        if desk.answer.is_none() {
            let report = self.search.conclusion(self.context, self.progress, desk.solution.as_ref());
            desk.late = self.progress.overdue().unwrap_or_default();
            (desk.reporter)(&report);
            desk.answer = Some(report);
        }
    }
}
