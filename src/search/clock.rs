//! The clock of all searches: the system's monotonic one. In tests of this crate a thread may have one of its own,
//! which stands still until it is told to go on.

use std::time::Duration;
use web_time::Instant;

/// The time.
#[inline(always)]
pub(crate) fn now() -> Instant {
    #[cfg(test)]
    if let Some(now) = simulated::now() {
        return now;
    }
    Instant::now()
}

/// The time that has passed since `moment`.
#[inline(always)]
pub(crate) fn since(moment: Instant) -> Duration {
    now().saturating_duration_since(moment)
}

/// A clock that stands still.
#[cfg(test)]
pub(crate) mod simulated {
    use super::{Duration, Instant};
    use std::cell::Cell;

    thread_local! {
        static NOW: Cell<Option<Instant>> = const { Cell::new(None) };
    }

    pub(super) fn now() -> Option<Instant> {
        NOW.get()
    }

    /// This thread's clock, as long as it lives.
    pub(crate) struct Simulated(());

    impl Simulated {
        /// Stops the clock of this thread. It is ahead of all others, so that nothing is due by theirs.
        pub fn new() -> Self {
            NOW.set(Some(Instant::now() + Duration::from_secs(1_000_000)));
            Self(())
        }
    }

    impl Drop for Simulated {
        fn drop(&mut self) {
            NOW.set(None);
        }
    }

    /// Lets time pass on this thread, if its clock stands still.
    pub(crate) fn pass(time: Duration) {
        NOW.set(NOW.get().map(|now| now + time));
    }
}
