//! Regions: what arrows have separated for ever.

use super::contested;
use super::filling::Turns;
use super::rooms::Part;
use super::worth::Worth;
use crate::board::flood::connected;
use crate::board::{Bitboard, Geometry};
use crate::endgame::Work;
use crate::games::Side;
use crate::games::amazons::Amazons;
use serde::{Serialize, Serializer};

/// Which side's amazons stand in a region.
///
/// ```
/// use hippolyta::endgame::amazons::{Owner, regions};
/// use hippolyta::games::{Notation, Side, amazons::Amazons, variant};
///
/// let position = Amazons::from_fen(&variant::find("amazons")?, "Q1*1q/2*2/2*2 w")?;
/// assert!(regions(&position).iter().any(|region| region.owner == Owner::Territory(Side::White)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Owner {
    Territory(Side),
    Contested,
}

impl Serialize for Owner {
    /// `white`, `black` or `contested`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Territory(side) => side.serialize(serializer),
            Self::Contested => serializer.serialize_str("contested"),
        }
    }
}

/// A set of connected squares without arrows, with at least one amazon and one empty square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Its squares, amazons included.
    pub squares: Bitboard,
    /// Whose it is.
    pub owner: Owner,
}

/// A region and what is known of the turns in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionCount {
    /// The region.
    pub region: Region,
    /// The empty squares that only White, and only Black reaches as the amazons stand now.
    pub rooms: [Bitboard; 2],
    /// Empty squares.
    pub empty: Bitboard,
    /// The turns of White and Black in it: what a side has in its rooms whatever the other does, and as many as it
    /// reaches squares. In a territory the upper bound holds for ever, in a contested region while the other plays in
    /// his rooms.
    pub turns: [Turns; 2],
    /// Its worth for White.
    pub worth: Worth,
}

/// The effort of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Positions looked at for the filling of each room.
    pub filling: u32,
    /// Positions looked at in each contested region.
    pub contested: u32,
    /// The most empty squares of a contested region that is searched at all.
    pub squares: u32,
}

impl Effort {
    /// For a move under a clock: milliseconds at most.
    pub const MOVE: Self = Self { filling: 1_000, contested: 20_000, squares: 10 };
    /// For a game record: tens of milliseconds at most.
    pub const ROOT: Self = Self { filling: 50_000, contested: 20_000, squares: 10 };
    /// When a person asks: a second at most.
    pub const DISPLAY: Self = Self { filling: 500_000, contested: 200_000, squares: 14 };
}

/// The regions in which somebody can still move.
#[must_use]
pub fn regions(position: &Amazons) -> Vec<Region> {
    regions_of(position.geometry(), position.both_amazons(), position.empty())
}

pub(super) fn regions_of(geometry: &'static Geometry, [white, black]: [Bitboard; 2], empty: Bitboard) -> Vec<Region> {
    let open = empty | white | black;
    let mut left = white | black;
    let mut regions = Vec::new();
    while let Some(amazon) = left.first() {
        let squares = connected(geometry, Bitboard::of(amazon), open) | Bitboard::of(amazon);
        left &= !squares;
        if !squares.intersects(empty) {
            continue;
        }
        let owner = match (squares.intersects(white), squares.intersects(black)) {
            (true, true) => Owner::Contested,
            (true, false) => Owner::Territory(Side::White),
            _ => Owner::Territory(Side::Black),
        };
        regions.push(Region { squares, owner });
    }
    regions
}

/// The regions and what is known of the turns in them. The position must be at the start of a turn.
#[must_use]
pub fn count(position: &Amazons, effort: &Effort) -> Vec<RegionCount> {
    count_within(position, effort, &Work::unlimited())
}

/// As [`count`]. Where `work` ends before the counting, bounds are wider.
#[must_use]
pub fn count_within(position: &Amazons, effort: &Effort, work: &Work<'_>) -> Vec<RegionCount> {
    regions(position).into_iter().map(|region| count_region(position, region, effort, work)).collect()
}

fn count_region(position: &Amazons, region: Region, effort: &Effort, work: &Work<'_>) -> RegionCount {
    let empty = position.empty() & region.squares;
    let amazons = position.both_amazons().map(|set| set & region.squares);
    let part = Part::new(position.geometry(), amazons, empty);
    let turns = [Side::White, Side::Black].map(|side| part.turns(side, effort.filling, work));
    let mut worth = contested::by_rooms(turns[0], turns[1]);
    if region.owner == Owner::Contested && worth.low < worth.high && empty.count() <= effort.squares {
        worth = worth.and(&contested::worth(amazons, empty, effort.contested, work));
    }
    RegionCount { region, rooms: [Side::White, Side::Black].map(|side| part.own(side)), empty, turns, worth }
}
