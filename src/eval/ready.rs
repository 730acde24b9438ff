//! Networks built from what is learned, once for all evaluators that use it.

use super::group::Group;
use crate::forks::{Once, undivided};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Learned weights, and `R`, made from them for use. `R` is built where it is first asked for, as it takes a third of a
/// millisecond, and up to a megabyte.
#[derive(Debug)]
pub(super) struct Ready<L, R> {
    pub learned: Group<L>,
    ready: Once<R>,
}

impl<L, R> Ready<L, R> {
    /// The networks; `build` is called once.
    #[inline(always)]
    pub fn get(&self, build: impl FnOnce(&L) -> R) -> &R {
        self.ready.get_or_make(|| build(&self.learned))
    }
}

/// All that is in use.
pub(super) struct InUse<L, R>(Mutex<Vec<Weak<Ready<L, R>>>>);

impl<L, R> InUse<L, R> {
    /// Nothing yet.
    pub const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// The weights of `learned` and what is made from them. Evaluators with the same weights share it.
    pub fn of(&self, learned: &Group<L>) -> Arc<Ready<L, R>> {
        undivided(|| {
            let mut in_use = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            in_use.retain(|ready| ready.strong_count() > 0);
            let shared = in_use.iter().filter_map(Weak::upgrade).find(|ready| ready.learned.is(learned));
            shared.unwrap_or_else(|| {
                let ready = Arc::new(Ready { learned: learned.clone(), ready: Once::new() });
                in_use.push(Arc::downgrade(&ready));
                ready
            })
        })
    }
}
