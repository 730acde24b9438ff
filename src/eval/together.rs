use super::batches::Seats;
use super::{Evaluation, Evaluator, Leaf, Seat, Term, Value};
use crate::endgame::Oracle;
use crate::games::Position;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle, Thread, ThreadId};

/// Many searches at once, each on a thread of its own, whose leaves make one batch: an evaluator that hands leaves on
/// to another one. A batch goes off as soon as every search waits, or `most` leaves do. So batches are full, and each
/// search is the same as alone.
///
/// The other evaluator is called on one thread, which lasts as long as this one. Clones share it.
///
/// ```
/// use hippolyta::eval::{Playouts, Together};
/// use hippolyta::games::{Game, Notation, damone::Damone, variant};
/// use hippolyta::search::{Control, Limits, Search, Settings};
/// use std::sync::Arc;
///
/// let variant = &variant::find("damone")?;
/// let game = Game::new(Damone::from_fen(variant, variant.start())?);
/// let together = Together::new(Arc::new(Playouts), 256)?;
/// let nodes = std::thread::scope(|scope| {
///     let search = || {
///         let settings = Settings { hash: 1, ..Settings::default() };
///         let mut search = Search::new(together.clone(), settings).map_err(|error| error.to_string())?;
///         let limits = Limits { nodes: Some(50), ..Limits::default() };
///         Ok::<_, String>(search.run(&game, &limits, &Control::default(), &mut |_| ()).nodes)
///     };
///     let searches: Vec<_> = (0..4).map(|_| scope.spawn(search)).collect();
///     searches.into_iter().map(|search| search.join().unwrap_or(Ok(0))).collect::<Result<Vec<_>, _>>()
/// })?;
/// assert_eq!(nodes, [50; 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Together<P: Position>(Arc<Office<P>>);

impl<P: Position> Clone for Together<P> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// The desk and the thread that the clones share. The thread ends when this is dropped.
struct Office<P: Position> {
    desk: Arc<Desk<P>>,
    thread: Option<JoinHandle<()>>,
    /// In a forked process the thread is missing.
    process: u32,
}

/// State that the searches and the thread of the evaluator share.
struct Desk<P: Position> {
    evaluator: Arc<dyn Evaluator<P>>,
    /// Leaves of a batch.
    most: usize,
    state: Mutex<State<P>>,
    /// Told when a batch may be due.
    changed: Condvar,
}

struct State<P: Position> {
    /// The seats of each thread that searches.
    seats: HashMap<ThreadId, usize>,
    waiting: VecDeque<Request<P>>,
    is_closed: bool,
}

/// The leaves of one search, and where they go back to.
struct Request<P: Position> {
    leaves: Vec<Leaf<P>>,
    answer: Arc<Answer<P>>,
    thread: Thread,
}

/// Leaves that were evaluated, and whether they could be.
type Answer<P> = Mutex<Option<(Vec<Leaf<P>>, bool)>>;

/// The stack of the thread that calls the evaluator, in bytes: as much as a main thread has. Nets come with
/// interpreters and compilers.
const STACK: usize = 16 << 20;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<P: Position> State<P> {
    /// Whether there is a batch to evaluate, of at most `most` leaves.
    fn is_due(&self, most: usize) -> bool {
        !self.waiting.is_empty() && (self.waiting.len() >= self.seats.len() || self.leaves() >= most)
    }

    fn leaves(&self) -> usize {
        self.waiting.iter().map(|request| request.leaves.len()).sum()
    }

    /// The requests of a batch: those that came first.
    fn take(&mut self, most: usize) -> Vec<Request<P>> {
        let mut leaves = 0;
        let fits = |request: &Request<P>| {
            let is_first = leaves == 0;
            leaves += request.leaves.len();
            is_first || leaves <= most
        };
        let count = self.waiting.iter().map(fits).take_while(|&fits| fits).count();
        self.waiting.drain(..count).collect()
    }
}

impl<P: Position> Desk<P> {
    /// The work of the evaluator's thread.
    fn work(&self) {
        let mut batch = Vec::new();
        while let Some(requests) = self.next() {
            // The leaves go back in the memory that they came in.
            let mut open = Vec::new();
            for Request { mut leaves, answer, thread } in requests {
                let count = leaves.len();
                batch.append(&mut leaves);
                open.push((leaves, count, answer, thread));
            }
            // A panic is the failure of this batch, and is told where panics are.
            let evaluate = || self.evaluator.evaluate_batch(&mut batch);
            let is_done = catch_unwind(AssertUnwindSafe(evaluate)).unwrap_or(false);
            debug_assert_eq!(batch.len(), open.iter().map(|(_, count, ..)| count).sum::<usize>());
            let mut evaluated = batch.drain(..);
            for (mut leaves, count, answer, thread) in open {
                leaves.extend(evaluated.by_ref().take(count));
                *lock(&answer) = Some((leaves, is_done));
                thread.unpark();
            }
        }
    }

    /// The requests of the next batch; `None` at the end.
    fn next(&self) -> Option<Vec<Request<P>>> {
        let mut state = lock(&self.state);
        loop {
            if state.is_due(self.most) {
                return Some(state.take(self.most));
            }
            if state.is_closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<P: Position> Seats for Desk<P> {
    fn leave(&self, thread: ThreadId) {
        let mut state = lock(&self.state);
        let left = state.seats.get(&thread).map_or(0, |count| count - 1);
        if left == 0 {
            state.seats.remove(&thread);
        } else {
            state.seats.insert(thread, left);
        }
        if state.is_due(self.most) {
            self.changed.notify_one();
        }
    }
}

impl<P: Position> Drop for Office<P> {
    fn drop(&mut self) {
        if self.process != std::process::id() {
            return;
        }
        lock(&self.desk.state).is_closed = true;
        self.desk.changed.notify_one();
        // The evaluator itself may hold the last clone.
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != thread::current().id()
        {
            let _ = thread.join();
        }
    }
}

impl<P: Position> Together<P> {
    /// Batches of at most `most` leaves, at least 1, for `evaluator`.
    ///
    /// # Errors
    ///
    /// If the system refuses the thread.
    pub fn new(evaluator: Arc<dyn Evaluator<P>>, most: usize) -> io::Result<Self> {
        let state = Mutex::new(State { seats: HashMap::new(), waiting: VecDeque::new(), is_closed: false });
        let desk = Arc::new(Desk { evaluator, most: most.max(1), state, changed: Condvar::new() });
        let at_work = desk.clone();
        let thread = thread::Builder::new().name("evaluator".to_owned()).stack_size(STACK);
        let thread = Some(thread.spawn(move || at_work.work())?);
        Ok(Self(Arc::new(Office { desk, thread, process: std::process::id() })))
    }

    /// The number of threads that have a [`Seat`].
    #[must_use]
    pub fn seats(&self) -> usize {
        lock(&self.0.desk.state).seats.len()
    }

    /// One position by itself.
    fn one(&self, position: &P) -> Leaf<P> {
        let mut leaves = vec![Leaf::new(position.clone())];
        self.evaluate_batch(&mut leaves);
        leaves.pop().unwrap_or_else(|| Leaf::new(position.clone()))
    }
}

impl<P: Position> Evaluator<P> for Together<P> {
    fn evaluate(&self, position: &P) -> Evaluation {
        Evaluation::Estimate(self.one(position).value)
    }

    fn policy(&self, position: &P, _: &[P::Step], logits: &mut [f32]) {
        logits.copy_from_slice(&self.one(position).logits);
    }

    fn explain(&self, position: &P) -> (Value, Vec<Term>) {
        (self.one(position).value, Vec::new())
    }

    fn identity(&self) -> Vec<u8> {
        self.0.desk.evaluator.identity()
    }

    fn policy_temperature(&self) -> f32 {
        self.0.desk.evaluator.policy_temperature()
    }

    /// One leaf at a time, unless the evaluator wants more of a search.
    fn batch(&self) -> Option<usize> {
        Some(self.0.desk.evaluator.batch().unwrap_or(1))
    }

    fn evaluate_batch(&self, leaves: &mut Vec<Leaf<P>>) -> bool {
        let desk = &self.0.desk;
        let answer = Arc::new(Answer::<P>::default());
        let request = Request { leaves: std::mem::take(leaves), answer: answer.clone(), thread: thread::current() };
        let mut state = lock(&desk.state);
        state.waiting.push_back(request);
        let is_due = state.is_due(desk.most);
        drop(state);
        if is_due {
            desk.changed.notify_one();
        }
        loop {
            if let Some((evaluated, is_done)) = lock(&answer).take() {
                *leaves = evaluated;
                return is_done;
            }
            thread::park();
        }
    }

    fn seat(&self) -> Option<Seat> {
        let thread = thread::current().id();
        *lock(&self.0.desk.state).seats.entry(thread).or_default() += 1;
        Some(Seat::new(self.0.desk.clone(), thread))
    }

    fn oracle(&self) -> &dyn Oracle<P> {
        self.0.desk.evaluator.oracle()
    }
}
