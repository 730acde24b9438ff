//! The options of a fit.

use crate::options::{share, up_to, usual};
use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum, value_parser};
use serde::{Deserialize, Serialize};

/// A part of the weights that may be learned alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Only {
    /// The shapes of evaluation and policy, of the Amazons and of the Desdemona family.
    Shapes,
    /// Who owns the squares in the end, and the lead, of the Amazons.
    Ownership,
}

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Args)]
pub struct FitOptions {
    /// Weight of the search's score in the target of positions that were played, 0 to 1; the rest is the game's
    /// result.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub search_share: f32,
    /// Learn from one of N positions of the search's trees as well; 0 learns from none.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub inner_every: u32,
    /// Weight of the search's score in the target of these positions.
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share)]
    pub inner_share: f32,
    /// One of N games is held out for validation.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = RangedU64ValueParser::<u64>::new().range(2..))]
    pub validation: u64,
    /// The policy learns from one of N turns.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = up_to(u64::MAX))]
    pub policy_every: u64,
    /// Learns these weights alone: all others stay as they are.
    // Left out where it is not set, as in the files of versions that did not know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[arg(skip)]
    pub only: Option<Only>,
    /// Number of epochs.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u32).range(1..=1_000))]
    pub epochs: u32,
    /// Initial learning rate; 0 learns nothing [default: 0.01; from learned weights, 0.001 for the evaluation and
    /// 0.003 for the policy].
    #[arg(long, value_parser = share)]
    pub rate: Option<f32>,
    /// Seed of the order of the samples.
    #[arg(skip = 1_u64)]
    pub seed: u64,
}

impl Default for FitOptions {
    fn default() -> Self {
        usual()
    }
}
