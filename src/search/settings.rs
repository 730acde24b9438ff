use thiserror::Error;

/// Settings of a search, kept from one run to the next.
///
/// ```
/// use hippolyta::eval::amazons::AmazonsEvaluator;
/// use hippolyta::games::amazons::Amazons;
/// use hippolyta::search::{Search, Settings};
///
/// let settings = Settings { hash: 16, threads: 2, ..Settings::default() };
/// let mut search = Search::<Amazons, _>::new(AmazonsEvaluator::default(), settings.clone())?;
/// search.set(Settings { multi_pv: 3, ..settings })?; // keeps the tree
/// assert_eq!((search.settings().threads, search.settings().multi_pv), (2, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Memory for tree and table together, in MiB.
    pub hash: usize,
    /// The number of threads that search.
    pub threads: usize,
    /// The number of lines to report.
    pub multi_pv: usize,
    /// Breaks ties between equal steps. With one thread and a node limit, the same seed gives the same search.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { hash: 256, threads: 1, multi_pv: 1, seed: 0 }
    }
}

/// Why new settings were refused. The old ones stay in force.
///
/// ```
/// use hippolyta::eval::Playouts;
/// use hippolyta::games::amazons::Amazons;
/// use hippolyta::search::{Search, Settings, SettingsError};
///
/// // With as much memory as there is.
/// let mut settings = Settings { hash: 64, ..Settings::default() };
/// let search = loop {
///     match Search::<Amazons, _>::new(Playouts, settings.clone()) {
///         Err(SettingsError::Memory(_)) if settings.hash > 1 => settings.hash /= 2,
///         other => break other?,
///     }
/// };
/// assert_eq!(search.settings(), &settings);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The system refused this much memory, in MiB.
    #[error("cannot allocate {0} MiB for the search tree")]
    Memory(usize),
    /// The system refused this many threads. The text says why.
    #[error("cannot start {0} threads: {1}")]
    Threads(usize, String),
    /// The model has no evaluator for this rule set.
    #[error("the model has no evaluator for {0}")]
    Evaluator(String),
}
