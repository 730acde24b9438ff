use hippolyta::engine::Control;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Which lines have come, so that the thread that reads can stop what another line has started.
#[derive(Default)]
pub(super) struct Arrivals(Mutex<Arrived>);

#[derive(Default)]
struct Arrived {
    /// The number of the last line; the end of the input counts as a line.
    last: u64,
    /// The number of the last line that interrupts.
    interrupt: u64,
    running: Option<(Arc<Control>, Until)>,
}

/// The event that ends a search, beside its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// The comment `# interrupt`.
    Interrupt,
    /// Any line.
    AnyLine,
}

impl Arrivals {
    fn lock(&self) -> MutexGuard<'_, Arrived> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a line, and stops what it ends. Returns its number.
    pub fn note(&self, interrupts: bool) -> u64 {
        let mut arrived = self.lock();
        arrived.last += 1;
        if interrupts {
            arrived.interrupt = arrived.last;
        }
        if let Some((control, until)) = &arrived.running
            && (interrupts || *until == Until::AnyLine)
        {
            control.stop();
        }
        arrived.last
    }

    /// The control of a search that this line starts: stopped already if a later line ends it.
    pub fn begin(&self, line: u64, until: Until) -> Arc<Control> {
        let control = Arc::new(Control::default());
        let mut arrived = self.lock();
        if arrived.interrupt > line || until == Until::AnyLine && arrived.last > line {
            control.stop();
        }
        arrived.running = Some((control.clone(), until));
        control
    }

    /// The search is over.
    pub fn end(&self) {
        self.lock().running = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_later_lines_end_a_search_and_only_some() {
        let arrivals = Arrivals::default();
        let stopped = |line, until| arrivals.begin(line, until).stopped();
        let first = arrivals.note(true);
        assert!(!stopped(first, Until::Interrupt) && !stopped(first, Until::AnyLine));
        let running = [Until::Interrupt, Until::AnyLine].map(|until| {
            let control = arrivals.begin(first, until);
            arrivals.note(false);
            control.stopped()
        });
        assert_eq!(running, [false, true]);
        assert!(!stopped(first, Until::Interrupt) && stopped(first, Until::AnyLine));
        let control = arrivals.begin(first, Until::Interrupt);
        arrivals.note(true);
        assert!(control.stopped() && stopped(first, Until::Interrupt));
        let control = arrivals.begin(9, Until::AnyLine);
        arrivals.end();
        arrivals.note(true);
        assert!(!control.stopped());
    }
}
