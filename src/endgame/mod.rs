//! Exact knowledge of late positions. Knows neither the search tree nor the protocol.

pub mod amazons;
pub mod damone;

use crate::games::Outcome;

/// A result that is certain, with best play of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Who wins.
    pub outcome: Outcome,
    /// Turns of both sides until the game is over: exact or, where only bounds are known, the most that the loser can hold out.
    pub plies: u8,
}
