//! The options of self-play.

use serde::{Deserialize, Serialize};

/// Options that the games of a run depend on, besides rule set, evaluation, seed and number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// Evaluated positions a turn.
    pub nodes: u64,
    /// Memory of each search, MiB.
    pub hash: usize,
    /// Upper limit of random turns at the start of a game. Each number from 0 to this one is equally likely.
    pub opening_turns: u32,
    /// Number of turns after the opening that are drawn by visits. From then on the best turn is played.
    pub sampled_turns: u32,
    /// Turns are drawn in proportion to visits to the power of 1/temperature.
    pub temperature: f32,
    /// Scale of the Gumbel noise on the policy at the root.
    pub noise: f32,
    /// Whether a game ends once its result is proven.
    pub adjudicate: bool,
    /// Positions of the tree with at least this number of visits are recorded as well; 0 records none.
    pub inner_visits: u32,
    /// The most such positions a turn, at most 255.
    pub inner_most: u32,
    /// A game with this number of turns after the opening is drawn.
    pub longest: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            nodes: 400,
            hash: 8,
            opening_turns: 6,
            sampled_turns: 20,
            temperature: 1.0,
            noise: 0.5,
            adjudicate: true,
            inner_visits: 0,
            inner_most: 16,
            longest: 400,
        }
    }
}
