//! Exact knowledge of late positions. Knows neither the search tree nor the protocol.

pub mod amazons;
pub mod damone;

use crate::games::{Outcome, Position, Turn};

/// A result that is certain, with best play of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Who wins.
    pub outcome: Outcome,
    /// Turns of both sides until the game is over: exact or, where only bounds are known, the most that the loser can hold out.
    pub plies: u8,
}

/// A search for a proof, a slice at a time.
pub trait Solve<P: Position>: Send {
    /// Goes on for about so many positions; returns how many were looked at: 0 once the result is known.
    fn advance(&mut self, positions: u64) -> u64;

    /// Turns that keep the result, the first one at least, and the result; `None` as long as it is not known.
    fn solved(&mut self) -> Option<(Vec<Turn<P>>, Proof)>;
}
