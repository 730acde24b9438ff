//! Territories under rules of one's own: regions that only one side will ever reach, and the turns left there.
//!
//! Where every turn fills a square that its piece could get to, no stone changes sides, and whoever is stuck loses, the
//! regions of a board are games that add up as those of the Amazons do ([`super::amazons`]), however pieces go.

use super::amazons::{Owner, Region, RegionCount, Turns, Worth, by_regions};
use super::{Proof, Work};
use crate::board::Bitboard;
use crate::board::flood::Portable;
use crate::games::general::General;
use crate::games::move_fire::{FireAt, Kind};
use crate::games::{MoveFireStep, Outcome, Position, Side, Steps};
use std::collections::HashMap;

/// Turns looked at in each territory: ten milliseconds or so.
const EFFORT: u32 = 100_000;

/// The regions in which somebody can still move, and the turns in them. `None` where the rules do not let regions be
/// counted, or a first turn will fill no square.
pub(crate) fn count(position: &General, work: &Work<'_>) -> Option<Vec<RegionCount>> {
    if !position.rules().closes_territories() || position.move_only() {
        return None;
    }
    let regions = regions(position).into_iter();
    Some(regions.map(|region| Filler::new(position, work).count(region)).collect())
}

/// The result, if the regions tell it, and for a side that wins a turn that keeps it.
pub(crate) fn certain_turn(position: &General, work: &Work<'_>) -> Option<(Option<Steps<General>>, Proof)> {
    let (mover, regions) = (position.side_to_move(), count(position, work)?);
    let proof = by_regions(position, &regions)?;
    if proof.outcome != Outcome::Win(mover) {
        return Some((None, proof));
    }
    let own =
        |found: &&RegionCount| found.region.owner == Owner::Territory(mover) && found.turns[mover.index()].lower > 0;
    let region = regions.iter().find(own)?.region;
    let (_, turn) = Filler::new(position, work).best(mover, region.squares & position.amazons(mover), region.squares);
    Some((Some(turn?), proof))
}

fn regions(position: &General) -> Vec<Region> {
    let [white, black] = position.both_amazons();
    let open = position.empty() | white | black;
    let mut parts: Vec<(Bitboard, [bool; 2])> = Vec::new();
    for side in [Side::White, Side::Black] {
        let mut left = position.amazons(side);
        while let Some(piece) = left.first() {
            let mut squares = reached(position, side, Bitboard::of(piece), open);
            left &= !squares;
            let mut sides = [Side::White, Side::Black].map(|of| of == side);
            // Parts that overlap are one.
            parts.retain(|(other, of)| {
                let overlaps = other.intersects(squares);
                if overlaps {
                    squares |= *other;
                    sides = [sides[0] | of[0], sides[1] | of[1]];
                }
                !overlaps
            });
            parts.push((squares, sides));
        }
    }
    parts.retain(|(squares, _)| squares.intersects(position.empty()));
    let owner = |sides: [bool; 2]| match sides {
        [true, false] => Owner::Territory(Side::White),
        [false, true] => Owner::Territory(Side::Black),
        _ => Owner::Contested,
    };
    parts.into_iter().map(|(squares, sides)| Region { squares, owner: owner(sides) }).collect()
}

/// The squares of `open` that pieces of `side` on `from` may ever stand on or fire at, those of `from` included.
fn reached(position: &General, side: Side, from: Bitboard, open: Bitboard) -> Bitboard {
    let (kind, geometry) = (position.kind(), position.geometry());
    let aims = position.rules().fire_at == FireAt::Reach;
    let (mut all, mut front) = (from, from);
    while !front.is_empty() {
        let mut next = Bitboard::EMPTY;
        for square in front {
            next |= kind.near(geometry, side, square);
            if aims {
                next |= kind.fires_near(geometry, side, square);
            }
        }
        front = next & open & !all;
        all |= front;
    }
    all
}

/// Counts the turns that one side has in a territory, where it moves alone.
struct Filler<'a> {
    position: &'a General,
    work: &'a Work<'a>,
    effort: u32,
    /// (pieces, squares): the most turns.
    known: HashMap<(u128, u128), u32>,
}

impl<'a> Filler<'a> {
    fn new(position: &'a General, work: &'a Work<'a>) -> Self {
        Self { position, work, effort: EFFORT, known: HashMap::new() }
    }

    fn count(mut self, region: Region) -> RegionCount {
        let empty = self.position.empty() & region.squares;
        let at_most = Turns { lower: 0, upper: empty.count() };
        let turns = [Side::White, Side::Black].map(|side| match region.owner {
            Owner::Contested => at_most,
            Owner::Territory(owner) if owner != side => Turns::default(),
            Owner::Territory(_) => {
                let pieces = self.position.amazons(side) & region.squares;
                let upper = self.most_at_all(side, pieces, region.squares);
                let (lower, _) = self.best(side, pieces, region.squares);
                Turns { lower, upper: if self.effort > 0 { lower } else { upper } }
            }
        });
        let [low, high] =
            [turns[0].lower as i32 - turns[1].upper as i32, turns[0].upper as i32 - turns[1].lower as i32];
        RegionCount { region, rooms: [Bitboard::EMPTY; 2], empty, turns, worth: Worth::between(low, high) }
    }

    /// A bound to the turns: each fills a square that pieces can get to, and that may be fired at.
    fn most_at_all(&self, side: Side, pieces: Bitboard, squares: Bitboard) -> u32 {
        let reached = reached(self.position, side, pieces, squares);
        (reached & !pieces).count().min((reached & self.position.plain_allowed(side)).count())
    }

    /// The most turns of `side` with these pieces on these squares, all others of which are empty, and the first of them.
    /// Once there is no effort left, the most that were found.
    fn best(&mut self, side: Side, pieces: Bitboard, squares: Bitboard) -> (u32, Option<Steps<General>>) {
        if let Some(&known) = self.known.get(&(pieces.0, squares.0)) {
            return (known, None);
        }
        let (bound, mut best) = (self.most_at_all(side, pieces, squares), (0, None));
        if self.effort == 0 || bound == 0 {
            return best;
        }
        let fills = self.fills(side, pieces, squares);
        let cost = fills.len() as u32;
        self.effort = if self.work.spend(cost) { self.effort.saturating_sub(cost) } else { 0 };
        for (turn, pieces, squares) in fills {
            let (found, _) = self.best(side, pieces, squares);
            if found + 1 > best.0 {
                best = (found + 1, Some(turn));
            }
            if self.effort == 0 || best.0 == bound {
                break;
            }
        }
        if self.effort > 0 {
            self.known.insert((pieces.0, squares.0), best.0);
        }
        best
    }

    /// All turns, with what they lead to: those first that fill a dead end.
    fn fills(&self, side: Side, pieces: Bitboard, squares: Bitboard) -> Vec<(Steps<General>, Bitboard, Bitboard)> {
        let (kind, geometry) = (self.position.kind(), self.position.geometry());
        let mut fills = Vec::new();
        for from in pieces {
            let empty = squares & !pieces;
            for to in kind.moves(Portable, geometry, side, from, empty) & empty {
                let (moved, left) = (pieces.without(from).with(to), empty.with(from).without(to));
                let hit = match self.position.rules().fire_at {
                    FireAt::Reach => kind.fires(Portable, geometry, side, to, left),
                    _ => Bitboard::of(from),
                };
                for at in hit & left & self.position.plain_allowed(side) {
                    let ways = (kind.near(geometry, side, at) & squares).count();
                    let turn = [MoveFireStep::moving(from, to), MoveFireStep::firing(at)].into_iter().collect();
                    fills.push((ways, (turn, moved, squares.without(at))));
                }
            }
        }
        fills.sort_by_key(|(ways, _)| *ways);
        fills.into_iter().map(|(_, fill)| fill).collect()
    }
}
