//! Endgame tables of Damone in the user's folder for caches, once somebody has asked for them.

#[cfg(not(target_family = "wasm"))]
use etcetera::base_strategy::{BaseStrategy as _, choose_native_strategy};
use hippolyta::endgame::damone::{Tables, solve};
use hippolyta::files::make_folder;
use hippolyta::games::damone::Rules;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The word that stands for them where the file of tables is expected.
pub const CACHE: &str = "<cache>";

/// The most pieces on a board in tables that are made in the background.
const PIECES: usize = 4;

/// Where the tables of a rule set are kept. `None` if the system names no folder for caches.
pub fn kept_at(rules: &Rules) -> Option<PathBuf> {
    #[cfg(target_family = "wasm")]
    let folder: Option<PathBuf> = None;
    #[cfg(not(target_family = "wasm"))]
    let folder = choose_native_strategy().ok().map(|places| places.cache_dir());
    let name = if rules.needs_damone { "damone-imperatore.tables" } else { "damone.tables" };
    folder.map(|folder| folder.join("hippolyta").join(name))
}

/// The tables of one rule set, in this process.
enum State {
    Unknown,
    /// A thread makes them.
    Making,
    There(Arc<Tables>),
    /// They cannot be had, for this reason.
    Failed(String),
}

/// Those of [`Rules::DAMONE`] and [`Rules::IMPERATORE`].
static STATES: [Mutex<State>; 2] = [const { Mutex::new(State::Unknown) }; 2];

/// The tables in the folder for caches. If there are none, one thread begins to make them, of four pieces, and `None`
/// is returned until they are made: a minute or two. A process that ends before leaves nothing. Blocks for a tenth of a
/// second when it reads the file. All sessions of a process share them.
///
/// # Errors
///
/// If there is no such folder, or if the file is damaged. Tables that cannot be written are used all the same.
pub fn kept(rules: &'static Rules) -> Result<Option<Arc<Tables>>, String> {
    let [damone, imperatore] = &STATES;
    let path = kept_at(rules).ok_or("this system has no folder for caches")?;
    kept_in(if rules.needs_damone { imperatore } else { damone }, &path, rules, PIECES)
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn kept_in(
    state: &'static Mutex<State>,
    path: &Path,
    rules: &'static Rules,
    pieces: usize,
) -> Result<Option<Arc<Tables>>, String> {
    let mut now = lock(state);
    if matches!(*now, State::Unknown) {
        *now = if path.exists() {
            match Tables::load(path) {
                Ok(tables) if tables.rules() == rules => State::There(Arc::new(tables)),
                Ok(_) => State::Failed(format!("{}: tables of another rule set", path.display())),
                Err(error) => State::Failed(format!("{}: {error}", path.display())),
            }
        } else {
            let path = path.to_owned();
            let make = move || *lock(state) = made(&path, rules, pieces);
            match std::thread::Builder::new().name("tables".to_owned()).spawn(make) {
                Ok(_) => State::Making,
                Err(error) => State::Failed(format!("cannot start a thread: {error}")),
            }
        };
    }
    match &*now {
        State::There(tables) => Ok(Some(tables.clone())),
        State::Failed(error) => Err(error.clone()),
        State::Unknown | State::Making => Ok(None),
    }
}

/// Makes tables on this thread, and keeps them for the next process.
fn made(path: &Path, rules: &'static Rules, pieces: usize) -> State {
    let tables = match rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build() {
        Ok(pool) => pool.install(|| solve(rules, pieces, &|_| ())).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match tables {
        Ok(tables) => {
            // Where nothing can be written, they are there for this process alone.
            let _ = path.parent().map_or(Ok(()), make_folder).and_then(|()| tables.save(path));
            State::There(Arc::new(tables))
        }
        Err(error) => State::Failed(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::sleep;
    use std::time::Duration;

    #[test]
    fn tables_are_made_once_and_then_read() {
        static MADE: Mutex<State> = Mutex::new(State::Unknown);
        static READ: Mutex<State> = Mutex::new(State::Unknown);
        static OTHER: Mutex<State> = Mutex::new(State::Unknown);
        static DAMAGED: Mutex<State> = Mutex::new(State::Unknown);
        let folder = std::env::temp_dir().join(format!("hippolyta-endings-{}", std::process::id()));
        let path = folder.join("inner").join("damone.tables");
        let kept = |state| kept_in(state, &path, &Rules::DAMONE, 2);
        let made = (0..1_000).find_map(|_| {
            sleep(Duration::from_millis(10));
            kept(&MADE).unwrap()
        });
        let made = made.unwrap();
        assert_eq!((made.pieces(), made.rules()), (2, &Rules::DAMONE));
        let read = kept(&READ).unwrap().unwrap();
        assert_eq!(read.checksum(), made.checksum());
        let error = kept_in(&OTHER, &path, &Rules::IMPERATORE, 2).unwrap_err();
        assert_eq!(error, format!("{}: tables of another rule set", path.display()));
        std::fs::write(&path, "tables").unwrap();
        assert!(kept(&DAMAGED).unwrap_err().starts_with(&path.display().to_string()));
        // What this process has stays.
        assert_eq!(kept(&READ).unwrap().unwrap().checksum(), made.checksum());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
