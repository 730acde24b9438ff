//! Values that the whole process shares are never half made when it forks, as Python programs do: the new process has
//! only the thread that forked, and would wait for ever for a value that another one was making.

use std::ops::Deref;
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

/// How much is being made.
static UNDER_WAY: Mutex<usize> = Mutex::new(0);
static DONE: Condvar = Condvar::new();

fn under_way() -> MutexGuard<'static, usize> {
    UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// While this lives, nothing shared is being made.
#[must_use]
pub struct Hold(#[allow(dead_code, reason = "it keeps the lock")] MutexGuard<'static, usize>);

/// Waits until nothing shared is being made, and keeps it so. To be called before a fork; afterwards, both processes
/// drop what it returns.
pub fn hold() -> Hold {
    let mut count = under_way();
    while *count > 0 {
        count = DONE.wait(count).unwrap_or_else(PoisonError::into_inner);
    }
    Hold(count)
}

/// Does `work`, which changes what the process shares and takes moments. No fork falls into it that calls [`hold`].
#[doc(hidden)]
pub fn undivided<T>(work: impl FnOnce() -> T) -> T {
    struct Part;

    impl Drop for Part {
        fn drop(&mut self) {
            *under_way() -= 1;
            DONE.notify_all();
        }
    }

    // Parts of a part begin while a fork waits for the whole.
    *under_way() += 1;
    let _part = Part;
    work()
}

/// A value that is made where it is first used.
#[derive(Debug)]
#[doc(hidden)]
pub struct Once<T>(OnceLock<T>);

#[allow(clippy::new_without_default, reason = "it stands in statics, which take constants alone")]
impl<T> Once<T> {
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// The value; `make` is called once. Blocks while another thread makes it.
    #[inline(always)]
    pub fn get_or_make(&self, make: impl FnOnce() -> T) -> &T {
        match self.0.get() {
            Some(made) => made,
            None => self.make(make),
        }
    }

    #[cold]
    fn make(&self, make: impl FnOnce() -> T) -> &T {
        undivided(|| self.0.get_or_init(make))
    }

    /// Takes the value out, if it was made.
    pub fn take(&mut self) -> Option<T> {
        self.0.take()
    }
}

impl<T> From<T> for Once<T> {
    fn from(made: T) -> Self {
        Self(made.into())
    }
}

/// [`Once`] that knows how its value is made.
#[doc(hidden)]
pub struct Lazy<T> {
    once: Once<T>,
    make: fn() -> T,
}

impl<T> Lazy<T> {
    pub const fn new(make: fn() -> T) -> Self {
        Self { once: Once::new(), make }
    }
}

impl<T> Deref for Lazy<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        self.once.get_or_make(self.make)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use std::sync::mpsc::channel;

    #[test]
    fn a_fork_waits_for_what_is_being_made_and_for_its_parts() {
        static INNER: Lazy<u32> = Lazy::new(|| 3);
        static OUTER: Once<u32> = Once::new();
        static FORKED: AtomicU32 = AtomicU32::new(0);
        let ((begun, begins), (go_on, goes_on)) = (channel(), channel::<()>());
        std::thread::scope(|scope| {
            scope.spawn(move || {
                OUTER.get_or_make(|| {
                    begun.send(()).unwrap();
                    goes_on.recv().unwrap();
                    assert_eq!(FORKED.load(Relaxed), 0);
                    4 + std::thread::spawn(|| *INNER).join().unwrap()
                });
            });
            begins.recv().unwrap();
            let fork = scope.spawn(|| {
                let _hold = hold();
                FORKED.store(*OUTER.get_or_make(|| panic!("it was being made")), Relaxed);
            });
            // It may not have come to wait yet; then less is tested.
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(!fork.is_finished());
            go_on.send(()).unwrap();
        });
        assert_eq!(FORKED.load(Relaxed), 7);
    }
}
