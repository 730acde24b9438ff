use std::cell::Cell;

/// Exact work under way: how much more of it is allowed. Counts that run out of it end at once, with bounds that hold
/// but are wider.
///
/// Work is counted in positions, as if nothing had been known before, so the same limit ends it at the same place on
/// every machine and whatever caches hold.
///
/// ```
/// use hippolyta::endgame::Work;
///
/// let work = Work::new(100, &|| true);
/// assert!(work.spend(100) && !work.is_over());
/// assert!(!work.spend(1) && work.is_over());
/// let stopped = Work::new(u64::MAX, &|| false);
/// assert!((0..1_000).any(|_| !stopped.spend(1)));
/// ```
pub struct Work<'a> {
    go_on: &'a dyn Fn() -> bool,
    left: Cell<u64>,
    until_look: Cell<u32>,
    is_over: Cell<bool>,
}

/// Positions between two questions whether to go on: they take a fraction of a millisecond.
const LOOK: u32 = 64;

impl<'a> Work<'a> {
    /// Work on `positions` positions, as long as `go_on`, which is asked often, says so.
    #[must_use]
    pub fn new(positions: u64, go_on: &'a dyn Fn() -> bool) -> Self {
        Self { go_on, left: Cell::new(positions), until_look: Cell::new(LOOK), is_over: Cell::new(false) }
    }

    /// Work that nothing ends.
    #[inline(always)]
    #[must_use]
    pub fn unlimited() -> Work<'static> {
        Work::new(u64::MAX, &|| true)
    }

    /// Takes note of `count` more positions. False once the work is over: what these positions say must not be used.
    #[inline]
    pub fn spend(&self, count: u32) -> bool {
        match self.left.get().checked_sub(count.into()) {
            Some(left) => self.left.set(left),
            None => self.is_over.set(true),
        }
        match self.until_look.get().checked_sub(count) {
            Some(until_look) => self.until_look.set(until_look),
            None => {
                self.until_look.set(LOOK);
                if !(self.go_on)() {
                    self.is_over.set(true);
                }
            }
        }
        !self.is_over.get()
    }

    /// The positions spent since [`Work::left`] was `left`.
    pub(super) fn spent_since(&self, left: u64) -> u32 {
        u32::try_from(left - self.left.get()).unwrap_or(u32::MAX)
    }

    /// The positions that are left.
    pub(super) fn left(&self) -> u64 {
        self.left.get()
    }

    /// Whether the work has ended before it was done.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over.get()
    }
}
