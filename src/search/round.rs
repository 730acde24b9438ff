//! One round of a search: all workers at work, until the search is over or memory is full.

#[cfg(feature = "own")]
use super::batch::work_in_batches;
use super::progress::Progress;
use super::proof::Prover;
use super::reporting::Reporting;
use super::root::Root;
use super::settings::SettingsError;
use super::worker::work;
use crate::eval::Evaluator;
use crate::games::Position;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Threads for `count` workers; `None` for one, which runs on the caller's thread.
///
/// # Errors
///
/// If the system refuses the threads.
pub(super) fn threads(count: usize) -> Result<Option<ThreadPool>, SettingsError> {
    if count <= 1 {
        return Ok(None);
    }
    ThreadPoolBuilder::new()
        .num_threads(count - 1)
        .thread_name(|index| format!("search-{index}"))
        .build()
        .map(Some)
        .map_err(|error| SettingsError::Threads(count, error.to_string()))
}

/// State that the threads of a round share.
pub(super) struct Round<'a, 'b, P: Position, E> {
    root: Root<'a, P, E>,
    prover: Option<&'a Prover<P>>,
    reporting: &'a Mutex<Reporting<'b, P>>,
    /// Threads for all workers but worker 0.
    pool: Option<&'a ThreadPool>,
    /// Whether all workers are done.
    is_over: AtomicBool,
}

/// Ends the search if a worker panics.
struct Alarm<'a>(&'a Progress<'a>);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.finish();
        }
    }
}

/// Ends the watch when all workers are done, by a panic or not.
struct WatchEnd<'a>(&'a Progress<'a>, &'a AtomicBool);

impl Drop for WatchEnd<'_> {
    fn drop(&mut self) {
        self.1.store(true, Relaxed);
        self.0.control.wake();
    }
}

type Task<'a> = &'a (dyn Fn() + Sync);

/// Runs `work` for each of `workers`, worker 0 on this thread and the others in the pool, and `watch` on a thread of its
/// own until all are done, which the drop of `end` tells it. Not generic: starting threads is much code, and it is compiled
/// once, not for each game and evaluator.
fn run_threads(
    watch: Option<Task<'_>>,
    end: WatchEnd<'_>,
    pool: Option<&ThreadPool>,
    workers: usize,
    work: &(dyn Fn(usize) + Sync),
) {
    std::thread::scope(|scope| {
        if let Some(watch) = watch {
            // If the system refuses this thread, the answer waits for the first worker that is done.
            let thread = std::thread::Builder::new().name("watch".to_owned());
            let _ = thread.spawn_scoped(scope, watch);
        }
        // Dropped before the scope waits for the watch.
        let _end = end;
        match pool {
            Some(pool) => pool.in_place_scope(|scope| {
                (1..workers).for_each(|worker| scope.spawn(move |_| work(worker)));
                work(0);
            }),
            None => work(0),
        }
    });
}

impl<'a, 'b, P: Position, E: Evaluator<P>> Round<'a, 'b, P, E> {
    pub fn new(
        root: Root<'a, P, E>,
        prover: Option<&'a Prover<P>>,
        reporting: &'a Mutex<Reporting<'b, P>>,
        pool: Option<&'a ThreadPool>,
    ) -> Self {
        Self { root, prover, reporting, pool, is_over: AtomicBool::new(false) }
    }

    /// Runs worker 0 on this thread and the others in the pool. `is_watched`: somebody waits for the answer.
    pub fn run(&self, is_watched: bool) {
        let watch = || self.watch();
        let watch: Option<Task<'_>> = if is_watched { Some(&watch) } else { None };
        let end = WatchEnd(self.root.progress, &self.is_over);
        run_threads(watch, end, self.pool, self.workers(), &|worker| self.work(worker));
    }

    /// Runs the only worker on whichever thread polls. It stops at each leaf.
    #[cfg(feature = "own")]
    pub async fn stop_at_leaves(&self, most: usize) {
        let Root { context, progress } = self.root;
        work_in_batches(context, progress, 1, most.max(1), true, || self.look()).await;
    }

    fn workers(&self) -> usize {
        1 + self.pool.map_or(0, ThreadPool::current_num_threads)
    }

    /// Answers when time is up or the search is stopped. On a busy machine a thread that has slept is woken sooner
    /// than one that computes gets its next turn.
    fn watch(&self) {
        self.root.progress.wait_until_due(|| self.is_over.load(Relaxed));
        if !self.is_over.load(Relaxed) {
            self.reporting().answer(&self.root);
            self.root.progress.finish();
        }
    }

    /// One worker, on the tree or on the proof.
    fn work(&self, worker: usize) {
        let Root { context, progress } = self.root;
        let _alarm = Alarm(progress);
        match self.prover {
            Some(prover) if prover.employs(worker) => prover.work(worker, progress),
            prover => {
                // Slices of the solver stay worker 0's: no two threads may be the same worker of a solver at a time.
                let helped = prover.filter(|_| worker == 0);
                let look = || helped.is_none_or(|prover| self.prove(prover)) && self.look();
                work(context, progress, self.workers(), look);
            }
        }
        // The first worker that is done answers if the answer is due; the others do not wait for it.
        if progress.answer_is_due()
            && let Ok(mut reporting) = self.reporting.try_lock()
        {
            reporting.answer(&self.root);
        }
    }

    /// Runs a slice of the solver. False if it has solved the root.
    fn prove(&self, prover: &Prover<P>) -> bool {
        let Some(solution) = prover.work_between_batches(self.root.progress) else { return true };
        self.reporting().solve(solution);
        false
    }

    /// Looks at the limits, if no other thread does. False if the search is over. A single worker always looks, so
    /// what it sees depends on its nodes alone.
    fn look(&self) -> bool {
        self.reporting.try_lock().map_or(true, |mut reporting| reporting.look(&self.root, self.prover))
    }

    fn reporting(&self) -> MutexGuard<'_, Reporting<'b, P>> {
        self.reporting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
