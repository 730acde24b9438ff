//! Counting moves in the Game of the Amazons once territories are closed.
//!
//! The squares without an arrow fall into regions, connected by king steps, amazons included. Every turn fills
//! one square of the region it is played in, and nothing ever joins two regions again. A region with amazons of one side only
//! is its territory: how many turns it lasts is that side's own affair, at most its empty squares, fewer if it is defective.
//! So the turns each side has left lie between bounds, and often the bounds decide the game.

use super::Proof;
use crate::board::flood::connected;
use crate::board::{Bitboard, Geometry};
use crate::games::amazons::Amazons;
use crate::games::{Outcome, Position, Side};

/// Which side's amazons stand in a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Owner {
    Territory(Side),
    Contested,
}

/// A set of connected squares without arrows, with at least one amazon and one empty square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Its squares, amazons included.
    pub squares: Bitboard,
    /// Whose it is.
    pub owner: Owner,
}

/// Limits to the number of turns that each side can still play, White's first. The upper ones hold in contested regions too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Turns that a side has whatever the other does.
    pub lower: [u32; 2],
    /// Turns that a side cannot exceed.
    pub upper: [u32; 2],
}

/// The regions in which somebody can still move.
#[must_use]
pub fn regions(position: &Amazons) -> Vec<Region> {
    let (geometry, empty) = (position.geometry(), position.empty());
    let [white, black] = position.both_amazons();
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

/// Bounds from all regions, spending at most `effort` positions on each territory's filling.
#[must_use]
pub fn bounds(position: &Amazons, effort: u32) -> Bounds {
    let mut bounds = Bounds { lower: [0; 2], upper: [0; 2] };
    for region in regions(position) {
        let empty = position.empty() & region.squares;
        match region.owner {
            Owner::Contested => bounds.upper = bounds.upper.map(|upper| upper + empty.count()),
            Owner::Territory(side) => {
                let amazons = position.amazons(side) & region.squares;
                let (lower, upper) = filling_turns(position.geometry(), amazons, empty, effort);
                bounds.lower[side.index()] += lower;
                bounds.upper[side.index()] += upper;
            }
        }
    }
    bounds
}

/// The turns that `amazons` have in their territory `empty`: bounds, equal if it is settled within `effort` positions.
#[must_use]
pub fn filling_turns(geometry: &Geometry, amazons: Bitboard, empty: Bitboard, effort: u32) -> (u32, u32) {
    let reachable = connected(geometry, amazons, empty | amazons) & empty;
    let mut filling = Filling { geometry, effort };
    let lower = filling.longest(amazons, reachable);
    let upper = if filling.effort > 0 { lower } else { reachable.count() };
    (lower, upper)
}

/// Depth-first search for a filling that wastes no square, with a budget.
struct Filling<'a> {
    geometry: &'a Geometry,
    effort: u32,
}

impl Filling<'_> {
    /// The most turns found; the true maximum if effort is left at the end. `empty` holds only reachable squares.
    fn longest(&mut self, amazons: Bitboard, empty: Bitboard) -> u32 {
        let possible = empty.count();
        if possible <= 1 {
            return possible;
        }
        let mut best = 0;
        // Arrows into dead ends first: squares with few open neighbours.
        let mut arrows: Vec<_> = empty.into_iter().chain(amazons).collect();
        arrows.sort_by_key(|&square| (self.geometry.neighbours(square) & (empty | amazons)).count());
        for arrow in arrows {
            for from in amazons {
                if arrow != from && !empty.contains(arrow) {
                    continue;
                }
                let vacated = empty.with(from);
                let stands = self.geometry.queen_targets(from, empty);
                // From where the arrow's square can be hit: by symmetry, what a queen there would reach.
                let stands = stands & self.geometry.queen_targets(arrow, vacated);
                for to in stands {
                    if self.effort == 0 {
                        return best;
                    }
                    self.effort -= 1;
                    let moved = amazons.without(from).with(to);
                    let rest = vacated.without(to).without(arrow);
                    let rest = connected(self.geometry, moved, rest | moved) & rest;
                    if 1 + rest.count() > best {
                        best = best.max(1 + self.longest(moved, rest));
                        if best == possible {
                            return best;
                        }
                    }
                }
            }
        }
        best
    }
}

/// Positions that a leaf may spend on the filling of one territory.
const LEAF_EFFORT: u32 = 200;

/// The result, if the bounds decide it. The position must be at the start of a turn.
#[must_use]
pub fn prove(position: &Amazons) -> Option<Proof> {
    decide(position.side_to_move(), &bounds(position, LEAF_EFFORT))
}

/// Who moves loses as soon as the turns run out: with `p` turns against `q` the mover wins just if `p > q`.
fn decide(mover: Side, bounds: &Bounds) -> Option<Proof> {
    let (own, other) = (mover.index(), (!mover).index());
    let plies = |count: u32| u8::try_from(count).unwrap_or(u8::MAX);
    if bounds.lower[own] > bounds.upper[other] {
        let plies = plies(2 * bounds.upper[other] + 1);
        Some(Proof { outcome: Outcome::Win(mover), plies })
    } else if bounds.upper[own] <= bounds.lower[other] {
        Some(Proof { outcome: Outcome::Win(!mover), plies: plies(2 * bounds.upper[own]) })
    } else {
        None
    }
}

/// White's turns left less Black's in halves, if both are known: having to move costs half a turn.
fn margin(position: &Amazons, bounds: &Bounds) -> Option<i32> {
    let half = if position.side_to_move() == Side::White { -1 } else { 1 };
    (bounds.lower == bounds.upper).then(|| 2 * (bounds.lower[0] as i32 - bounds.lower[1] as i32) + half)
}

/// White's exact margin in halves of a turn, once all territories are closed: positive if White wins. `None` if it is not known.
#[must_use]
pub fn margin_in_halves(position: &Amazons) -> Option<i32> {
    margin(position, &bounds(position, MARGIN_EFFORT))
}

/// Positions spent on each territory for a margin.
const MARGIN_EFFORT: u32 = 20_000;
/// Positions spent on each territory when a person asks.
const DISPLAY_EFFORT: u32 = 1_000_000;

/// Regions and counts in words; empty while everything is one contested region.
#[must_use]
pub fn describe(position: &Amazons) -> Vec<String> {
    let regions = regions(position);
    let contested = regions.iter().filter(|region| region.owner == Owner::Contested).count();
    if contested == regions.len() && contested > 0 {
        return Vec::new();
    }
    let squares = |wanted: Owner| -> u32 {
        let all = regions.iter().filter(|region| region.owner == wanted);
        all.map(|region| (region.squares & position.empty()).count()).sum()
    };
    let bounds = bounds(position, DISPLAY_EFFORT);
    let turns = |side: Side| match (bounds.lower[side.index()], bounds.upper[side.index()]) {
        (lower, upper) if lower == upper => format!("{lower}"),
        (lower, upper) => format!("{lower} to {upper}"),
    };
    let mut lines = vec![format!(
        "territory white {} black {} contested {}, turns left white {} black {}",
        squares(Owner::Territory(Side::White)),
        squares(Owner::Territory(Side::Black)),
        squares(Owner::Contested),
        turns(Side::White),
        turns(Side::Black),
    )];
    if let Some(margin) = margin(position, &bounds) {
        lines.push(format!("margin {:+.1} for white", f64::from(margin) / 2.0));
    }
    lines
}
