//! The options of a fit.

use serde::{Deserialize, Serialize};

/// A part of the weights that may be learned alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Only {
    /// The shapes of evaluation and policy, of the Amazons and of the Desdemona family.
    Shapes,
    /// Who owns the squares in the end, and the lead, of the Amazons.
    Ownership,
}

impl Only {
    /// The name of the part.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Shapes => "shapes",
            Self::Ownership => "ownership",
        }
    }

    /// The part with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Shapes, Self::Ownership].into_iter().find(|part| part.name() == name)
    }
}

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
    /// Learns these weights alone: all others stay as they are.
    // Left out where it is not set, as in the files of versions that did not know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only: Option<Only>,
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
            only: None,
            epochs: 4,
            rate: None,
            seed: 1,
        }
    }
}
