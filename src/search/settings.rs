use thiserror::Error;

/// Settings of a search, kept from one run to the next.
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

/// Why new settings were refused. The old ones stay in force.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The system refused this much memory, MiB.
    #[error("cannot allocate {0} MiB for the search tree")]
    Memory(usize),
    /// The system refused this many threads, and why.
    #[error("cannot start {0} threads: {1}")]
    Threads(usize, String),
}
