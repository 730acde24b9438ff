//! Search.
mod control;
mod limits;
mod report;

pub use control::Control;
pub use limits::{Clock, Limits};
pub use report::{Line, Report, Score};

use crate::eval::Evaluator;
use crate::games::{Game, Position};
use thiserror::Error;

/// The tree, the table and the workers' threads for one game and one evaluation. They last from search to search.
pub struct Search<P: Position, E: Evaluator<P>> {
    evaluator: E,
    _game: std::marker::PhantomData<P>,
}

/// What a search can be told beforehand, and keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Memory for tree and table together, MiB.
    pub hash: usize,
    /// Worker threads.
    pub threads: usize,
    /// Lines to report.
    pub multi_pv: usize,
    /// Breaks ties between equal steps; the same seed gives the same search.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { hash: 256, threads: 1, multi_pv: 1, seed: 0 }
    }
}

/// Why settings could not be taken; the old ones stay.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The system has not so much memory.
    #[error("cannot allocate {0} MiB for the search tree")]
    Memory(usize),
    /// The system gives not so many threads.
    #[error("cannot start {0} threads: {1}")]
    Threads(usize, String),
}

impl<P: Position, E: Evaluator<P>> Search<P, E> {
    /// A search with these settings.
    pub fn new(evaluator: E, settings: Settings) -> Result<Self, SettingsError> {
        let _ = settings;
        Ok(Self { evaluator, _game: std::marker::PhantomData })
    }

    /// The evaluation in use.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Takes new settings; on an error the old ones stay in force. A new `hash` forgets the tree.
    pub fn set(&mut self, settings: Settings) -> Result<(), SettingsError> {
        let _ = settings;
        Ok(())
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        todo!()
    }

    /// Forgets the tree and the table.
    pub fn clear(&mut self) {}

    /// Searches the game's last position and returns the final report: its first line begins with the best turn, and there
    /// is at least one line unless the game is over. `reporter` is called now and then on the way. Blocks until a
    /// limit is reached or `control` stops the search; an infinite or pondering search that has nothing more to do
    /// waits for that.
    pub fn run(
        &mut self,
        game: &Game<P>,
        limits: &Limits<P>,
        control: &Control,
        reporter: &mut (dyn FnMut(&Report<P>) + Send),
    ) -> Report<P> {
        let _ = (game, limits, control, reporter);
        todo!()
    }
}
