//! Workers of a proof search, and the table that they share.

use super::marks::Marks;
use super::search::{Search, Worker};
use super::table::ProofTable;
use super::{Fact, Field, Numbers};
use crossbeam_utils::CachePadded;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// See the module.
pub(in crate::endgame) struct Crew<F: Field> {
    pub(super) table: ProofTable,
    /// Where workers are; `None` if there is but one.
    pub(super) marks: Option<Marks>,
    workers: Vec<CachePadded<Mutex<Worker<F>>>>,
}

impl<F: Field> Crew<F> {
    /// One worker, and `bytes` of memory for the table; `None` if the system refuses it.
    pub fn new(field: F, bytes: usize) -> Option<Self> {
        let workers = vec![CachePadded::new(Mutex::new(Worker::new(field)))];
        Some(Self { table: ProofTable::new(bytes)?, marks: None, workers })
    }

    /// Makes it `workers` workers.
    pub fn employ(&mut self, workers: usize) {
        while self.workers.len() < workers {
            let field = self.worker(0).field.for_one_of(workers);
            self.workers.push(CachePadded::new(Mutex::new(Worker::new(field))));
        }
        if workers > 1 {
            self.table.share();
            self.marks = Some(Marks::new());
        }
    }

    /// From now on workers keep results that took at least `work` positions, for [`Crew::facts`].
    pub fn keep_from(&mut self, work: u64) {
        (0..self.workers.len()).for_each(|index| self.worker(index).keep_from(work));
    }

    /// The results that a worker kept since the last call.
    pub fn facts(&self, worker: usize) -> Vec<Fact> {
        self.worker(worker).take_facts()
    }

    /// Believes what others proved.
    pub fn learn(&self, facts: &[Fact]) {
        // A table that is not shared has one writer.
        let _alone = (self.workers.len() == 1).then(|| self.worker(0));
        for &Fact { key, spare, wins, work } in facts {
            self.table.put(key, spare, if wins { Numbers::WON } else { Numbers::LOST }, work);
        }
    }

    pub fn has(&self, worker: usize) -> bool {
        worker < self.workers.len()
    }

    fn worker(&self, index: usize) -> MutexGuard<'_, Worker<F>> {
        self.workers[index].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the side to move reaches what is asked for with these odds, if the first worker finds it out by looking
    /// at about `positions` positions.
    pub fn reaches(&self, position: &F::Position, odds: i32, positions: u64) -> Option<bool> {
        self.with(0, &|| true, |mut search| {
            let state = search.state(position, odds);
            search.prove(&state, positions, Numbers::FREE).0.result()
        })
    }

    /// Has a worker search, once it is free, until `go_on`, which is asked often, says no.
    pub fn with<T>(&self, worker: usize, go_on: &dyn Fn() -> bool, f: impl FnOnce(Search<'_, F>) -> T) -> T {
        f(Search::new(&self.table, self.marks.as_ref(), &mut self.worker(worker), go_on))
    }
}
