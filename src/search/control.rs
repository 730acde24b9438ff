use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The reins of a running search: may be used from any thread while it runs, and never blocks it.
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

impl Control {
    /// For one search; `ponder` as in [`Limits::ponder`](super::Limits::ponder).
    #[must_use]
    pub fn new(ponder: bool) -> Self {
        Self { ponder: Mutex::new(Ponder { active: ponder, hit: None }), ..Self::default() }
    }

    /// Ends the search as soon as may be.
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

    /// The opponent has played what we pondered on: from now on limits count.
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

    /// When limits began to count, if that was not at the beginning.
    #[must_use]
    pub fn hit_at(&self) -> Option<Instant> {
        self.lock().hit
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
