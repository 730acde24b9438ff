//! The search's constants, tuned by games: all of them at once, by SPSA.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `games` | [`play`]: pairs of games between constants moved up or down and the same moved the other way |
//! | `spsa` | [`Plan::values`]: what these games say about the constants |
//!
//! Simultaneous perturbation stochastic approximation (Spall 1992), with the gains that fishtest has: every pair of
//! games tells of every constant.

mod games;
mod spsa;

pub use games::{Pair, TuningError, play};
pub use spsa::{Constant, Leaning, Plan};

#[cfg(test)]
mod tests;
