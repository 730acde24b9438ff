//! The worth of a region, in turns.
//!
//! A board without mixed regions is a sum of combinatorial games in which who cannot move loses (Conway, *On Numbers
//! and Games*, 1976; Berlekamp, *Sums of N × 2 Amazons*, 2000). Whole numbers stand for spare turns: 3 for three of
//! White's, −3 for three of Black's. Of a game `G` two of its thresholds tell how it compares with them: the least
//! number `n` with which White wins `G + n` if Black begins, and the least one if White begins.

use crate::games::Side;

/// Bounds to a region's worth for White, in turns.
///
/// `low ≤ G ≤ high` in the order of combinatorial games, so the bounds of regions that do not touch add up. `first`
/// says more if a side has the first turn in the whole game and plays it here: White, beginning, wins `G − first[0]` at
/// least, and Black, beginning, wins `G − first[1]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// White wins `G − low` though Black begins.
    pub low: i32,
    /// Black wins `G − high` though White begins.
    pub high: i32,
    /// The worth that White, then Black has for certain by beginning here.
    pub first: [i32; 2],
}

impl Worth {
    /// With bounds only: of spare turns one is gone when a side plays first.
    #[must_use]
    pub fn between(low: i32, high: i32) -> Self {
        Self { low, high, first: [low - 1, high + 1] }
    }

    /// The number that the region amounts to, if it is a whole one and known.
    #[must_use]
    pub fn number(&self) -> Option<i32> {
        (self.low == self.high).then_some(self.low)
    }

    /// The narrower bounds of both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
            first: [self.first[0].max(other.first[0]), self.first[1].min(other.first[1])],
        }
    }

    /// The worth of the position in which White's amazons are Black's, and Black's White's.
    #[must_use]
    pub fn turned(&self) -> Self {
        Self { low: -self.high, high: -self.low, first: [-self.first[1], -self.first[0]] }
    }
}

/// Who wins the sum of `regions` if `mover` begins and both play well; `None` if the bounds do not tell.
///
/// White, beginning, wins a sum that is at least 1, and one that is at least 0 after a first turn in some region.
/// Black, beginning, loses a sum that is at least 0. For one region whose thresholds are known and any number of whole
/// numbers, this decides always.
#[must_use]
pub fn winner(mover: Side, regions: &[Worth]) -> Option<Side> {
    if mover == Side::Black {
        let turned: Vec<_> = regions.iter().map(Worth::turned).collect();
        return winner(Side::White, &turned).map(|side| !side);
    }
    let sum = |bound: fn(&Worth) -> i32| regions.iter().map(bound).sum::<i32>();
    let (low, high) = (sum(|worth| worth.low), sum(|worth| worth.high));
    if low >= 1 || regions.iter().any(|worth| low - worth.low + worth.first[0] >= 0) {
        Some(Side::White)
    } else if high <= 0 {
        Some(Side::Black)
    } else {
        None
    }
}
