//! Work that waits or runs: by priority, in bounded memory.

use super::request::{Perft, Searches};
use crate::search::Control;
use std::collections::BinaryHeap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// One position to be searched or counted.
#[derive(Clone, Debug)]
pub(super) enum Work {
    /// The position of a query after this number of moves.
    Search(Arc<Searches>, u32),
    Perft(Arc<Perft>),
}

impl Work {
    pub fn id(&self) -> &Arc<str> {
        match self {
            Self::Search(query, _) => &query.id,
            Self::Perft(perft) => &perft.id,
        }
    }

    pub fn turn(&self) -> Option<u32> {
        match self {
            Self::Search(_, turn) => Some(*turn),
            Self::Perft(_) => None,
        }
    }
}

/// Positions that may wait; then no more are read.
const MOST_WAITING: usize = 1_000;
/// Bytes of the lines that may wait.
const MOST_BYTES: usize = 16 << 20;

/// Shared by the reader and the workers.
#[derive(Default)]
pub(super) struct Queue {
    /// Ends the work that runs once it is true.
    interrupt: Option<fn() -> bool>,
    state: Mutex<State>,
    /// There is work, or there will be no more.
    more: Condvar,
    /// There is space for another position.
    space: Condvar,
}

#[derive(Default)]
struct State {
    waiting: BinaryHeap<Waiting>,
    running: Vec<Running>,
    bytes: usize,
    /// Number of the next piece of work.
    next: u64,
    closed: bool,
}

/// Orders by priority; of equal ones the one that came first is greater.
struct Waiting {
    priority: i64,
    number: u64,
    bytes: usize,
    work: Work,
}

impl Waiting {
    fn key(&self) -> (i64, std::cmp::Reverse<u64>) {
        (self.priority, std::cmp::Reverse(self.number))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

/// Work under way.
pub(super) struct Running {
    number: u64,
    pub work: Work,
    pub control: Arc<Control>,
}

impl Queue {
    pub fn new(interrupt: Option<fn() -> bool>) -> Self {
        Self { interrupt, ..Self::default() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds work that a line of `bytes` bytes asked for. Blocks while too much waits.
    pub fn push(&self, work: Vec<(i64, Work)>, bytes: usize) {
        let mut state = self.lock();
        while state.waiting.len() >= MOST_WAITING || state.bytes >= MOST_BYTES {
            state = self.space.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let bytes = bytes / work.len().max(1);
        for (priority, work) in work {
            let number = state.next;
            state.next += 1;
            state.bytes += bytes;
            state.waiting.push(Waiting { priority, number, bytes, work });
        }
        self.more.notify_all();
    }

    /// The most urgent work; waits for some. `None` if there is none and will be none.
    pub fn take(&self) -> Option<Running> {
        let mut state = self.lock();
        loop {
            if let Some(Waiting { number, bytes, work, .. }) = state.waiting.pop() {
                state.bytes -= bytes;
                self.space.notify_all();
                let control = Arc::new(self.interrupt.map_or_else(Control::default, Control::interrupted_by));
                state.running.push(Running { number, work: work.clone(), control: control.clone() });
                return Some(Running { number, work, control });
            }
            if state.closed {
                return None;
            }
            state = self.more.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Removes finished work from the work that runs.
    pub fn done(&self, finished: &Running) {
        self.lock().running.retain(|running| running.number != finished.number);
    }

    /// Stops all work that `ends` says of if it runs, and hands back what has not begun, in the order in which it came.
    pub fn terminate(&self, ends: impl Fn(&Work) -> bool) -> Vec<Work> {
        let mut state = self.lock();
        for running in state.running.iter().filter(|running| ends(&running.work)) {
            running.control.stop();
        }
        let (mut ended, waiting): (Vec<_>, Vec<_>) =
            std::mem::take(&mut state.waiting).into_iter().partition(|waiting| ends(&waiting.work));
        state.waiting = waiting.into();
        state.bytes -= ended.iter().map(|waiting| waiting.bytes).sum::<usize>();
        self.space.notify_all();
        ended.sort_by_key(|waiting| waiting.number);
        ended.into_iter().map(|waiting| waiting.work).collect()
    }

    /// Nothing more will come.
    pub fn close(&self) {
        self.lock().closed = true;
        self.more.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::request::{Action, parse};
    use super::*;

    fn work(id: &str) -> Work {
        let line = format!(r#"{{"id":"{id}","action":"perft","depth":1,"variant":"amazons6"}}"#);
        let Ok(Action::Perft(perft)) = parse(line.as_bytes()).map(|request| request.action) else { panic!("{line}") };
        Work::Perft(Arc::new(perft))
    }

    #[test]
    fn the_most_urgent_goes_first_then_the_oldest() {
        let queue = Queue::default();
        queue.push(vec![(0, work("a")), (5, work("b")), (0, work("c"))], 30);
        queue.push(vec![(5, work("d")), (-1, work("e"))], 20);
        queue.close();
        let order: Vec<_> = std::iter::from_fn(|| queue.take()).map(|taken| taken.work.id().to_string()).collect();
        assert_eq!(order, ["b", "d", "a", "c", "e"]);
        assert_eq!(queue.lock().bytes, 0);
    }

    #[test]
    fn what_is_terminated_leaves_or_stops() {
        let queue = Queue::default();
        queue.push(vec![(0, work("a")), (0, work("a")), (0, work("b"))], 30);
        let running = queue.take().unwrap();
        let ended = queue.terminate(|work| &**work.id() == "a");
        assert!(running.control.stopped());
        assert_eq!(ended.len(), 1);
        queue.done(&running);
        assert!(queue.lock().running.is_empty());
        assert_eq!(queue.lock().waiting.len(), 1);
        assert_eq!(queue.lock().bytes, 10);
        queue.terminate(|_| true);
        assert!(queue.lock().waiting.is_empty());
    }

    #[test]
    fn a_full_queue_makes_the_reader_wait() {
        let queue = Queue::default();
        queue.push(vec![(0, work("a")); MOST_WAITING], 0);
        std::thread::scope(|scope| {
            let pushed = scope.spawn(|| queue.push(vec![(1, work("b"))], 9));
            assert_eq!(queue.lock().waiting.len(), MOST_WAITING);
            let first = queue.take().unwrap();
            assert_eq!(&**first.work.id(), "a");
            pushed.join().unwrap();
        });
        assert_eq!(&**queue.take().unwrap().work.id(), "b");
    }
}
