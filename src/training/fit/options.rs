//! The options of a fit.

use serde::{Deserialize, Serialize};

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitOptions {
    /// Weight of the search's score in the target of positions that were played, 0 to 1; the rest is the game's
    /// result.
    pub search_share: f32,
    /// One of this number of positions of the search's trees is learned from as well; 0 learns from none.
    pub inner_every: u32,
    /// Weight of the search's score in the target of these positions, 0 to 1.
    pub inner_share: f32,
    /// One of this number of games is held out for validation.
    pub validation: u64,
    /// The policy learns from one of this number of turns.
    pub policy_every: u64,
    /// Learns the shapes of the Amazons alone: all other weights stay as they are.
    // Left out where it is not set, as in the files of versions that did not know it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shapes_only: bool,
    /// Number of epochs.
    pub epochs: u32,
    /// Initial learning rate; `None` takes what suits the weights that the fit starts from.
    pub rate: Option<f32>,
    /// Seed of the order of the samples.
    pub seed: u64,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self {
            search_share: 0.0,
            inner_every: 0,
            inner_share: 1.0,
            validation: 20,
            policy_every: 4,
            shapes_only: false,
            epochs: 4,
            rate: None,
            seed: 1,
        }
    }
}
