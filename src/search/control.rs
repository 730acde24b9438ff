use super::clock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use web_time::Instant;

/// Stops a running search, or tells it of a ponder hit. Any thread may use it, and it never blocks the search. A
/// control that was stopped stays stopped, so each search takes a new one.
///
/// ```
/// use hippolyta::engine::{Board, Control, Engine, Limits, Model, Settings};
/// use hippolyta::games::variant;
/// use std::{thread, time::Duration};
///
/// let variant = &variant::find("amazons")?;
/// let (board, control) = (Board::new(variant), Control::default());
/// let mut engine = Engine::new(variant, &Model::default(), Settings { hash: 1, ..Settings::default() })?;
/// let analysis = thread::scope(|scope| {
///     scope.spawn(|| {
///         thread::sleep(Duration::from_millis(50));
///         control.stop();
///     });
///     engine.analyse(&board, &Limits { infinite: true, ..Limits::default() }, &control, &mut |_| ())
/// })?;
/// assert!(control.stopped() && analysis.best().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    interrupt: Option<fn() -> bool>,
    deadline: Option<Instant>,
    ponder: Mutex<Ponder>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug, Default)]
struct Ponder {
    active: bool,
    hit: Option<Instant>,
}

impl Ponder {
    fn counts_from(self, started: Instant) -> Option<Instant> {
        if self.active { None } else { self.hit.or(Some(started)) }
    }
}

impl Control {
    /// A control for one search. It is pondering if [`Limits::ponder`](super::Limits::ponder) is to be true.
    #[must_use]
    pub fn new(ponder: bool) -> Self {
        Self { ponder: Mutex::new(Ponder { active: ponder, hit: None }), ..Self::default() }
    }

    /// A control for one search that is also stopped once `interrupt` is true. The search asks it on its own threads,
    /// thousands of times a second: for hosts without threads, such as WebAssembly, where nobody could call
    /// [`stop`](Self::stop).
    ///
    /// ```
    /// let control = hippolyta::engine::Control::interrupted_by(|| true);
    /// assert!(control.stopped());
    /// ```
    #[must_use]
    pub fn interrupted_by(interrupt: fn() -> bool) -> Self {
        Self { interrupt: Some(interrupt), ..Self::default() }
    }

    /// The same control, which is also stopped from this moment on: for work that has no [`Limits`](super::Limits).
    ///
    /// ```
    /// let control = hippolyta::engine::Control::default().until(std::time::Instant::now());
    /// assert!(control.stopped() && control.is_late());
    /// ```
    #[must_use]
    pub fn until(self, deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..self }
    }

    /// Whether the moment of [`until`](Self::until) has come.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| clock::now() >= deadline)
    }

    /// Ends the search as soon as possible, which takes milliseconds.
    pub fn stop(&self) {
        let _guard = self.lock();
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether the search was told to end.
    #[inline]
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.interrupt.is_some_and(|interrupt| interrupt()) || self.is_late()
    }

    /// Tells of a ponder hit: the opponent has played the expected turn, and limits count from now on.
    pub fn ponder_hit(&self) {
        let mut ponder = self.lock();
        if ponder.active {
            *ponder = Ponder { active: false, hit: Some(clock::now()) };
            self.changed.notify_all();
        }
    }

    /// Whether the search still runs on the opponent's time: no hit yet.
    #[must_use]
    pub fn pondering(&self) -> bool {
        self.lock().active
    }

    /// When limits began to count: when the search `started`, or at the hit. `None` while pondering.
    pub(super) fn counts_from(&self, started: Instant) -> Option<Instant> {
        self.lock().counts_from(started)
    }

    /// Blocks until the search is stopped, time is up (`most` after limits began to count), or `over` is true after a
    /// [`wake`](Self::wake).
    pub(super) fn wait_until_due(&self, started: Instant, most: Option<Duration>, over: impl Fn() -> bool) {
        let mut ponder = self.lock();
        while !self.stopped() && !over() {
            let deadline = most.and_then(|most| ponder.counts_from(started)?.checked_add(most));
            ponder = match deadline.map(|deadline| deadline.saturating_duration_since(clock::now())) {
                None => self.changed.wait(ponder).unwrap_or_else(PoisonError::into_inner),
                Some(Duration::ZERO) => return,
                Some(left) => self.changed.wait_timeout(ponder, left).unwrap_or_else(PoisonError::into_inner).0,
            };
        }
    }

    /// Makes [`wait_until_due`](Self::wait_until_due) check again whether the search is over.
    pub(super) fn wake(&self) {
        let _guard = self.lock();
        self.changed.notify_all();
    }

    /// Whether a search may end: it was stopped or, unless `infinite`, is not pondering.
    pub(super) fn is_released(&self, infinite: bool) -> bool {
        self.stopped() || !(infinite || self.pondering())
    }

    /// Blocks until the search is stopped or, unless it is `infinite`, pondering is over.
    pub fn wait_until_released(&self, infinite: bool) {
        let mut ponder = self.lock();
        while !self.stopped() && (infinite || ponder.active) {
            ponder = self.changed.wait(ponder).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Ponder> {
        self.ponder.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
