use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use web_time::Instant;

/// Stops a running search, or tells it of a ponder hit. May be used from any thread; never blocks the search.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
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
    /// For one search; `ponder` as in [`Limits::ponder`](super::Limits::ponder).
    #[must_use]
    pub fn new(ponder: bool) -> Self {
        Self { ponder: Mutex::new(Ponder { active: ponder, hit: None }), ..Self::default() }
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        let _guard = self.lock();
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether the search was told to end.
    #[inline]
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Ponder hit: the opponent played the expected turn, so limits count from now on.
    pub fn ponder_hit(&self) {
        let mut ponder = self.lock();
        if ponder.active {
            *ponder = Ponder { active: false, hit: Some(Instant::now()) };
            self.changed.notify_all();
        }
    }

    /// Whether the search still runs on the opponent's time.
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
            ponder = match deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())) {
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

    /// Blocks until the search is stopped or, unless `infinite`, no longer pondering.
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
