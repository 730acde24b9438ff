//! Work that waits or runs: by priority, in bounded memory.

use super::query::{Fault, Line};
use super::request::{Perft, Searches, Target};
use crate::output::Output;
use hippolyta::search::Control;
use serde_json::Value;
use std::collections::BinaryHeap;
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use web_time::Instant;

/// A line whose turn comes.
#[derive(Debug)]
pub(super) enum Errand {
    Obey(Line),
    /// A line that cannot be read: its number, if lines have one, its id as it was given, and why.
    Refuse(Option<u64>, Option<Value>, Fault),
    /// To end what lines before this one have asked for: they may have been understood only now.
    End(Target),
}

impl Errand {
    pub fn id(&self) -> &Arc<str> {
        static NONE: LazyLock<Arc<str>> = LazyLock::new(|| "".into());
        match self {
            Self::Obey(line) => &line.id,
            Self::Refuse(..) | Self::End(_) => &NONE,
        }
    }
}

/// Something to be done for a client.
#[derive(Debug)]
pub(super) enum Work {
    /// A line is to be understood; what it asks for is done at once or becomes other work.
    Errand(Box<Errand>),
    /// The position of a query after this number of moves is to be searched.
    Search(Arc<Searches>, u32),
    Perft(Arc<Perft>),
}

impl Work {
    pub fn id(&self) -> &Arc<str> {
        match self {
            Self::Errand(errand) => errand.id(),
            Self::Search(query, _) => &query.id,
            Self::Perft(perft) => &perft.id,
        }
    }

    pub fn turn(&self) -> Option<u32> {
        match self {
            Self::Search(_, turn) => Some(*turn),
            Self::Errand(_) | Self::Perft(_) => None,
        }
    }
}

/// How much may wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pieces: usize,
    /// Bytes of their lines.
    bytes: usize,
}

impl Room {
    /// For positions to be searched.
    pub const POSITIONS: Self = Self { pieces: 1_000, bytes: 16 << 20 };
    /// For lines to be understood: little, as each is obeyed soon.
    pub const LINES: Self = Self { pieces: 64, bytes: 1 << 20 };
}

/// How often whoever waits for room looks whether anybody still listens.
const LOOK: Duration = Duration::from_millis(100);

/// Shared by those who bring work and those who do it.
pub(super) struct Queue<'a> {
    room: Room,
    /// The time that a piece of work may take, if it does not itself see to that.
    longest: Option<Duration>,
    /// Ends the work that runs once it is true.
    interrupt: Option<fn() -> bool>,
    output: &'a Output,
    state: Mutex<State>,
    /// There is work, or there will be no more.
    more: Condvar,
    /// There is space for more.
    space: Condvar,
}

#[derive(Default)]
struct State {
    waiting: BinaryHeap<Waiting>,
    running: Vec<Begun>,
    bytes: usize,
    /// Number of the next piece of work.
    next: u64,
    closed: bool,
    /// Nobody wants answers any more.
    abandoned: bool,
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

/// Work under way, as the queue knows it.
struct Begun {
    number: u64,
    id: Arc<str>,
    turn: Option<u32>,
    control: Arc<Control>,
}

/// Work under way.
pub(super) struct Running {
    number: u64,
    pub work: Work,
    pub control: Arc<Control>,
}

impl<'a> Queue<'a> {
    /// A queue for answers to `output`.
    pub fn new(room: Room, output: &'a Output) -> Self {
        let (state, more, space) = Default::default();
        Self { room, longest: None, interrupt: None, output, state, more, space }
    }

    /// The same queue, whose work ends after this time, if it does not itself see to that.
    pub fn with_longest(self, longest: Option<Duration>) -> Self {
        Self { longest, ..self }
    }

    /// The same queue, whose work ends once `interrupt` is true.
    pub fn interrupted_by(self, interrupt: Option<fn() -> bool>) -> Self {
        Self { interrupt, ..self }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds work that a line of `bytes` bytes asked for. Blocks while too much waits, as long as somebody listens.
    pub fn push(&self, work: Vec<(i64, Work)>, bytes: usize) {
        let mut state = self.lock();
        let is_full = |state: &State| {
            !state.abandoned && (state.waiting.len() >= self.room.pieces || state.bytes >= self.room.bytes)
        };
        while is_full(&state) && !self.output.is_lost() {
            state = self.space.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        if state.abandoned {
            return;
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
                let control = Arc::new(self.control(&work));
                let (id, turn) = (work.id().clone(), work.turn());
                state.running.push(Begun { number, id, turn, control: control.clone() });
                return Some(Running { number, work, control });
            }
            if state.closed {
                return None;
            }
            state = self.more.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn control(&self, work: &Work) -> Control {
        let control = self.interrupt.map_or_else(Control::default, Control::interrupted_by);
        // A search counts its own time, and answers at its end.
        let longest = self.longest.filter(|_| !matches!(work, Work::Search(..)));
        match longest.and_then(|longest| Instant::now().checked_add(longest)) {
            Some(deadline) => control.until(deadline),
            None => control,
        }
    }

    /// Removes finished work from the work that runs.
    pub fn done(&self, number: u64) {
        self.lock().running.retain(|running| running.number != number);
    }

    /// Whether nothing waits or runs.
    pub fn is_idle(&self) -> bool {
        let state = self.lock();
        state.waiting.is_empty() && state.running.is_empty()
    }

    /// Stops all work of which `ends` says so, by its id and the number of moves before its position, if it runs, and
    /// hands back what has not begun, in the order in which it came.
    pub fn terminate(&self, ends: impl Fn(&str, Option<u32>) -> bool) -> Vec<Work> {
        let mut state = self.lock();
        for running in state.running.iter().filter(|running| ends(&running.id, running.turn)) {
            running.control.stop();
        }
        let (mut ended, waiting): (Vec<_>, Vec<_>) = std::mem::take(&mut state.waiting)
            .into_iter()
            .partition(|waiting| ends(waiting.work.id(), waiting.work.turn()));
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

    /// Nobody wants answers any more: what runs is stopped, what waits or still comes is dropped.
    pub fn abandon(&self) {
        {
            let mut state = self.lock();
            (state.closed, state.abandoned) = (true, true);
        }
        drop(self.terminate(|_, _| true));
        self.more.notify_all();
    }
}

impl Running {
    /// Its number in its queue.
    pub fn number(&self) -> u64 {
        self.number
    }
}

#[cfg(test)]
mod tests {
    use super::super::request::{Action, tests::parse};
    use super::*;

    fn work(id: &str) -> Work {
        let line = format!(r#"{{"id":"{id}","action":"perft","depth":1,"variant":"amazons6"}}"#);
        let Ok(Action::Perft(perft)) = parse(line.as_bytes()).map(|request| request.action) else { panic!("{line}") };
        Work::Perft(Arc::new(perft))
    }

    fn output() -> Output {
        Output::new(std::io::sink())
    }

    #[test]
    fn the_most_urgent_goes_first_then_the_oldest() {
        let output = output();
        let queue = Queue::new(Room::POSITIONS, &output);
        queue.push(vec![(0, work("a")), (5, work("b")), (0, work("c"))], 30);
        queue.push(vec![(5, work("d")), (-1, work("e"))], 20);
        queue.close();
        let order: Vec<_> = std::iter::from_fn(|| queue.take()).map(|taken| taken.work.id().to_string()).collect();
        assert_eq!(order, ["b", "d", "a", "c", "e"]);
        assert_eq!(queue.lock().bytes, 0);
    }

    #[test]
    fn what_is_terminated_leaves_or_stops() {
        let output = output();
        let queue = Queue::new(Room::POSITIONS, &output);
        queue.push(vec![(0, work("a")), (0, work("a")), (0, work("b"))], 30);
        let running = queue.take().unwrap();
        let ended = queue.terminate(|id, _| id == "a");
        assert!(running.control.stopped());
        assert_eq!(ended.len(), 1);
        queue.done(running.number);
        assert!(queue.lock().running.is_empty());
        assert_eq!(queue.lock().waiting.len(), 1);
        assert_eq!(queue.lock().bytes, 10);
        queue.terminate(|_, _| true);
        assert!(queue.lock().waiting.is_empty());
    }

    #[test]
    fn a_full_queue_makes_the_reader_wait() {
        let output = output();
        let queue = Queue::new(Room::POSITIONS, &output);
        let most = Room::POSITIONS.pieces;
        queue.push((0..most).map(|_| (0, work("a"))).collect(), 0);
        std::thread::scope(|scope| {
            let pushed = scope.spawn(|| queue.push(vec![(1, work("b"))], 9));
            assert_eq!(queue.lock().waiting.len(), most);
            let first = queue.take().unwrap();
            assert_eq!(&**first.work.id(), "a");
            pushed.join().unwrap();
        });
        assert_eq!(&**queue.take().unwrap().work.id(), "b");
    }

    #[test]
    fn whoever_is_gone_keeps_nobody_waiting() {
        let (lost, kept) = (output(), output());
        let full = |output| {
            let queue = Queue::new(Room { pieces: 1, bytes: 1 }, output);
            queue.push(vec![(0, work("a"))], 9);
            queue
        };
        lost.closer()();
        full(&lost).push(vec![(0, work("b"))], 9);
        let queue = full(&kept);
        std::thread::scope(|scope| {
            let pushed = scope.spawn(|| queue.push(vec![(0, work("b"))], 9));
            queue.abandon();
            pushed.join().unwrap();
        });
        assert!(queue.take().is_none() && queue.is_idle());
    }

    #[test]
    fn work_but_searches_has_a_deadline() {
        let output = output();
        let queue = Queue::new(Room::POSITIONS, &output).with_longest(Some(Duration::ZERO));
        queue.push(vec![(0, work("a"))], 9);
        assert!(queue.take().unwrap().control.is_late());
    }
}
