use super::{Evaluation, Evaluator, Leaf, Parameters, Term, Ticket, Value};
use crate::endgame::Oracle;
use crate::games::Position;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

/// Many searches whose leaves make one batch: an evaluator that keeps what it is handed over
/// ([`Evaluator::poll_batch`]) until it is told to evaluate all of it. What need not wait, it asks of another evaluator
/// at once. Clones share both.
pub(crate) struct Together<P: Position> {
    evaluator: Arc<dyn Evaluator<P>>,
    desk: Arc<Mutex<Desk<P>>>,
}

impl<P: Position> Clone for Together<P> {
    fn clone(&self) -> Self {
        Self { evaluator: self.evaluator.clone(), desk: self.desk.clone() }
    }
}

/// Leaves, numbered as they come.
struct Desk<P: Position> {
    waiting: Vec<Leaf<P>>,
    /// The number of the first that waits.
    first_waiting: u64,
    /// Leaves of the last batch that nobody has taken back yet, and the number of the first.
    evaluated: VecDeque<Leaf<P>>,
    first_evaluated: u64,
    /// Whether that batch could be evaluated.
    is_done: bool,
}

impl<P: Position> Together<P> {
    pub fn new(evaluator: Arc<dyn Evaluator<P>>) -> Self {
        let (waiting, evaluated) = Default::default();
        let desk = Desk { waiting, first_waiting: 0, evaluated, first_evaluated: 0, is_done: true };
        Self { evaluator, desk: Arc::new(Mutex::new(desk)) }
    }

    fn desk(&self) -> MutexGuard<'_, Desk<P>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Evaluates all leaves that wait.
    pub fn evaluate_waiting(&self) {
        let mut batch = std::mem::take(&mut self.desk().waiting);
        if batch.is_empty() {
            return;
        }
        let count = batch.len() as u64;
        // A panic is the failure of this batch, and is told where panics are.
        let evaluate = || self.evaluator.evaluate_batch(&mut batch);
        let is_done = catch_unwind(AssertUnwindSafe(evaluate)).unwrap_or(false);
        debug_assert_eq!(batch.len() as u64, count);
        let mut desk = self.desk();
        desk.first_evaluated = desk.first_waiting;
        desk.first_waiting += count;
        desk.is_done = is_done;
        // What is left there is of searches that were given up.
        let mut memory = Vec::from(std::mem::replace(&mut desk.evaluated, VecDeque::from(batch)));
        memory.clear();
        memory.append(&mut desk.waiting);
        desk.waiting = memory;
    }
}

impl<P: Position> Evaluator<P> for Together<P> {
    fn evaluate(&self, position: &P) -> Evaluation {
        self.evaluator.evaluate(position)
    }

    fn policy(&self, position: &P, steps: &[P::Step], logits: &mut [f32]) {
        self.evaluator.policy(position, steps, logits);
    }

    fn explain(&self, position: &P) -> (Value, Vec<Term>) {
        self.evaluator.explain(position)
    }

    fn identity(&self) -> Vec<u8> {
        self.evaluator.identity()
    }

    fn parameters(&self) -> Parameters {
        self.evaluator.parameters()
    }

    fn policy_temperature(&self) -> f32 {
        self.evaluator.policy_temperature()
    }

    fn batch(&self) -> Option<usize> {
        self.evaluator.batch()
    }

    fn evaluate_batch(&self, leaves: &mut Vec<Leaf<P>>) -> bool {
        self.evaluator.evaluate_batch(leaves)
    }

    fn poll_batch(&self, leaves: &mut Vec<Leaf<P>>, ticket: &mut Ticket) -> Poll<bool> {
        let mut desk = self.desk();
        if ticket.count == 0 {
            *ticket = Ticket { first: desk.first_waiting + desk.waiting.len() as u64, count: leaves.len() };
            desk.waiting.append(leaves);
        }
        if ticket.first >= desk.first_waiting {
            return Poll::Pending;
        }
        let gone = ticket.first.saturating_sub(desk.first_evaluated) as usize;
        desk.first_evaluated += (gone + ticket.count) as u64;
        leaves.extend(desk.evaluated.drain(..gone + ticket.count).skip(gone));
        Poll::Ready(desk.is_done)
    }

    fn oracle(&self) -> &dyn Oracle<P> {
        self.evaluator.oracle()
    }
}
