use super::handle::Engine;
use super::model::Model;
use crate::games::variant::Variant;
use crate::search::{Settings, SettingsError};
use std::ops::{Deref, DerefMut};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Several engines that share memory, each with an equal part of it. An engine is made when it is first wanted, and
/// kept for the next caller who wants one for the same rule set.
///
/// ```
/// use hippolyta::engine::{Board, Control, Limits, Model, Pool, Settings};
/// use hippolyta::games::variant;
///
/// let pool = Pool::new(2, Model::default(), Settings { hash: 32, ..Settings::default() });
/// let variant = &variant::find("iago")?;
/// let mut engine = pool.take(variant)?;
/// assert_eq!(engine.settings().hash, 16);
/// let limits = Limits { nodes: Some(100), ..Limits::default() };
/// engine.analyse(&Board::new(variant), &limits, &Control::default(), &mut |_| ())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Pool {
    model: Model,
    settings: Settings,
    state: Mutex<State>,
    given_back: Condvar,
}

#[derive(Default)]
struct State {
    /// Engines that may still be made.
    places: usize,
    idle: Vec<Engine>,
}

/// An engine of a [`Pool`]. It goes back to the pool when the lease is dropped.
///
/// ```
/// use hippolyta::engine::{Model, Pool, Settings};
/// use hippolyta::games::variant;
///
/// let pool = Pool::new(1, Model::default(), Settings { hash: 1, ..Settings::default() });
/// let lease = pool.take(&variant::find("iago")?)?;
/// assert_eq!(lease.variant().name(), "iago"); // it is an `Engine`
/// drop(lease); // else the next line would wait for ever
/// assert_eq!(pool.take(&variant::find("cassio")?)?.variant().name(), "cassio");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Lease<'a> {
    pool: &'a Pool,
    /// Always there until the lease is dropped.
    engine: Option<Engine>,
}

impl Pool {
    /// A pool of at most `count` engines, at least one, with these settings. `hash` is the memory of all together, in
    /// MiB.
    #[must_use]
    pub fn new(count: usize, model: Model, settings: Settings) -> Self {
        let places = count.max(1);
        let settings = Settings { hash: (settings.hash / places).max(1), ..settings };
        Self { model, settings, state: Mutex::new(State { places, idle: Vec::new() }), given_back: Condvar::new() }
    }

    /// An engine for `variant`: of several the one that came back last. Blocks while all engines are in use. The engine
    /// keeps its settings and what it has searched from the last lease, so clear and set what matters.
    ///
    /// # Errors
    ///
    /// If the system does not have that much memory or that many threads, or the model no evaluator for `variant`.
    pub fn take(&self, variant: &Variant) -> Result<Lease<'_>, SettingsError> {
        let mut state = self.lock();
        loop {
            if let Some(index) = state.idle.iter().rposition(|engine| engine.variant() == variant) {
                let engine = state.idle.remove(index);
                return Ok(Lease { pool: self, engine: Some(engine) });
            }
            if state.places > 0 {
                state.places -= 1;
                // Others need not wait while the engine is made, and to fail takes the lock again.
                drop(state);
                break;
            }
            if let Some(other) = state.idle.pop() {
                // Its memory first: there is none to spare.
                drop(state);
                drop(other);
                break;
            }
            state = self.given_back.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let made = Engine::new(variant, &self.model, self.settings.clone());
        if made.is_err() {
            self.lock().places += 1;
            self.given_back.notify_one();
        }
        Ok(Lease { pool: self, engine: Some(made?) })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Deref for Lease<'_> {
    type Target = Engine;

    #[allow(clippy::expect_used, reason = "only `drop` takes it")]
    fn deref(&self) -> &Engine {
        self.engine.as_ref().expect("there until the lease is dropped")
    }
}

impl DerefMut for Lease<'_> {
    #[allow(clippy::expect_used, reason = "only `drop` takes it")]
    fn deref_mut(&mut self) -> &mut Engine {
        self.engine.as_mut().expect("there until the lease is dropped")
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut state = self.pool.lock();
        match self.engine.take().filter(|_| !std::thread::panicking()) {
            Some(engine) => state.idle.push(engine),
            // Nobody knows what a panic left behind.
            None => state.places += 1,
        }
        self.pool.given_back.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::variant::find;
    use std::time::Duration;

    fn pool(count: usize) -> Pool {
        Pool::new(count, Model::default(), Settings { hash: 4, ..Settings::default() })
    }

    /// Places where engines may still be made, and engines that are idle.
    fn counts(pool: &Pool) -> (usize, usize) {
        let state = pool.lock();
        (state.places, state.idle.len())
    }

    #[test]
    fn engines_share_the_memory_and_are_used_again() {
        let pool = pool(2);
        let [amazons, iago] = ["amazons", "iago"].map(|name| find(name).unwrap());
        let (first, second) = (pool.take(&amazons).unwrap(), pool.take(&amazons).unwrap());
        assert_eq!((first.settings().hash, second.settings().hash), (2, 2));
        drop((first, second));
        assert_eq!(counts(&pool), (0, 2));
        assert_eq!(*pool.take(&iago).unwrap().variant(), iago);
        let kept: Vec<_> = pool.lock().idle.iter().map(|engine| engine.variant().clone()).collect();
        assert_eq!(kept, [amazons, iago]);
    }

    #[test]
    fn who_wants_one_too_many_waits() {
        let pool = pool(1);
        let iago = &find("iago").unwrap();
        let lease = pool.take(iago).unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| pool.take(iago).map(|lease| lease.variant().clone()));
            std::thread::sleep(Duration::from_millis(50));
            assert!(!waiting.is_finished());
            drop(lease);
            assert_eq!(waiting.join().unwrap().unwrap(), *iago);
        });
    }

    #[test]
    fn an_engine_that_cannot_be_made_leaves_its_place() {
        let too_much = Settings { hash: 1 << 40, ..Settings::default() };
        let pool = Pool::new(1, Model::default(), too_much);
        for _ in 0..2 {
            assert!(matches!(pool.take(&find("iago").unwrap()), Err(SettingsError::Memory(_))));
            assert_eq!(counts(&pool), (1, 0));
        }
    }

    #[test]
    fn after_a_panic_an_engine_is_made_anew() {
        let pool = pool(1);
        let iago = &find("iago").unwrap();
        let panicked = std::thread::scope(|scope| {
            let lease = pool.take(iago).unwrap();
            scope
                .spawn(move || {
                    let _lease = lease;
                    panic!("as it should");
                })
                .join()
        });
        assert!(panicked.is_err());
        assert_eq!(counts(&pool), (1, 0));
        assert!(pool.take(iago).is_ok());
    }
}
