//! Losses that a fit reports as it goes on.

use serde::{Deserialize, Serialize};

/// The parts that are fitted, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Stage {
    /// The evaluation.
    Value,
    /// The policy.
    Policy,
    /// Who owns the squares in the end.
    Ownership,
}

impl Stage {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Policy => "policy",
            Self::Ownership => "ownership",
        }
    }
}

/// Mean losses, in nats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// `value`, `policy` or `ownership`.
    pub what: String,
    /// Number of epochs; 0 before the first.
    pub epoch: u32,
    /// On the training games.
    pub training: f64,
    /// On the games held out for validation.
    pub validation: f64,
}
