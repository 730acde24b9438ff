//! The options of self-play.

use crate::options::{factor, many, mebibytes, usual};
use crate::play::LONGEST;
use clap::{ArgAction, Args, value_parser};
use serde::{Deserialize, Serialize};

/// Options that the games of a run depend on, besides rule set, evaluation, seed and number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Args)]
pub struct Options {
    /// Positions evaluated for a turn.
    #[arg(long, default_value_t = 400, value_parser = many())]
    pub nodes: u64,
    /// Memory of each search, MiB.
    #[arg(long, default_value_t = 8, value_parser = mebibytes())]
    pub hash: usize,
    /// Upper limit of random turns at the start of a game. Each number from 0 to this one is equally likely.
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = value_parser!(u32).range(0..=200))]
    pub opening_turns: u32,
    /// Number of turns after the opening that are drawn by visits. From then on the best turn is played.
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub sampled_turns: u32,
    /// T: these turns are drawn in proportion to visits to the power of 1/T.
    #[arg(long, value_name = "T", default_value_t = 1.0, value_parser = factor)]
    pub temperature: f32,
    /// Scale of the Gumbel noise on the policy at the root.
    #[arg(long, default_value_t = 0.5, value_parser = factor)]
    pub noise: f32,
    /// Whether a game ends once its result is proven.
    #[arg(id = "play_on", long = "play-on", action = ArgAction::SetFalse)]
    #[arg(help = "Play on when the result is proven")]
    pub adjudicate: bool,
    /// Record positions of the tree with at least this number of visits as well; 0 records none.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub inner_visits: u32,
    /// The most such positions a turn.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = value_parser!(u32).range(0..=255))]
    pub inner_most: u32,
    /// A game with this number of turns after the opening is drawn.
    #[arg(long, value_name = "N", default_value_t = LONGEST, value_parser = value_parser!(u32).range(1..=10_000))]
    pub longest: u32,
}

impl Default for Options {
    fn default() -> Self {
        usual()
    }
}
