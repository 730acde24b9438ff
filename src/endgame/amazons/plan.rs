//! Turns that keep a certain result.

use super::filling::{Fill, filling, turns};
use super::proof::{by_regions, by_rooms};
use super::regions::{Effort, Owner, RegionCount, count};
use super::rooms::Part;
use crate::board::Bitboard;
use crate::endgame::Proof;
use crate::games::amazons::Amazons;
use crate::games::{MoveFireStep, Outcome, Position, Side, StepKind, Turn, legal_turns};

/// Positions looked at for the filling of each room. Nearly all rooms are settled by 200 (987 of 1,000 random ones with
/// up to 40 squares); those that are not must not cost more than a few milliseconds, as clocks run.
const FILLING: u32 = 1_000;

/// Turns that keep a certain result, and the result; the position must be at the start of a turn and not finished.
///
/// Where no area is reached by both sides and all rooms are closed by arrows and counted, these are all turns to the
/// end of the game: nobody wastes a square. Where the side to move has more turns in its rooms than the other can play
/// at all, it is one turn in a room: playing on there wins. Where the worths of the regions, found with `effort`,
/// decide the game, it is the turn that keeps the winner's margin highest, or that makes the loss hardest to count.
/// Otherwise `None`.
#[must_use]
pub fn certain_line(position: &Amazons, effort: &Effort) -> Option<(Vec<Turn<Amazons>>, Proof)> {
    by_filling(position).or_else(|| by_worth(position, effort))
}

/// The first two cases.
fn by_filling(position: &Amazons) -> Option<(Vec<Turn<Amazons>>, Proof)> {
    let part = Part::whole(position);
    let (mover, effort) = (position.side_to_move(), FILLING);
    if let Some((own, other)) = closed(&part, mover, effort).zip(closed(&part, !mover, effort)) {
        let wins = own > other;
        let plies = if wins { 2 * other + 1 } else { 2 * own };
        let lines = [mover, !mover].map(|side| fillings(&part, side, effort));
        let turns = (0..plies as usize).filter_map(|ply| lines[ply % 2].get(ply / 2).map(as_turn)).collect();
        let outcome = Outcome::Win(if wins { mover } else { !mover });
        return Some((turns, Proof { outcome, plies: u8::try_from(plies).unwrap_or(u8::MAX) }));
    }
    let proof = by_rooms(mover, &part, effort).filter(|proof| proof.outcome == Outcome::Win(mover))?;
    let first = fillings(&part, mover, effort).first().map(as_turn)?;
    Some((vec![first], proof))
}

/// The most turns that are compared: where there are more, little is settled.
const MOST_COMPARED: usize = 300;

/// The third case.
fn by_worth(position: &Amazons, effort: &Effort) -> Option<(Vec<Turn<Amazons>>, Proof)> {
    let (mover, regions) = (position.side_to_move(), count(position, effort));
    let proof = by_regions(position, &regions)?;
    let turns = worth_comparing(position, &regions);
    if turns.len() > MOST_COMPARED {
        return None;
    }
    let after = |turn: &Turn<Amazons>| turn.iter().fold(*position, |position, &step| position.after(step));
    if proof.outcome == Outcome::Win(!mover) {
        // Best where the other side's win is not even seen.
        let held_out = |turn: &Turn<Amazons>| {
            let after = after(turn);
            by_regions(&after, &count(&after, effort)).map_or(u32::MAX, |proof| proof.plies.into())
        };
        return Some((vec![turns.into_iter().max_by_key(held_out)?], proof));
    }
    let won = |turn: Turn<Amazons>| {
        let after = after(&turn);
        let regions = count(&after, effort);
        let plies = by_regions(&after, &regions).filter(|found| found.outcome == proof.outcome)?.plies;
        let ahead = |count: &RegionCount| if mover == Side::White { count.worth.low } else { -count.worth.high };
        Some((regions.iter().map(ahead).sum::<i32>(), plies, turn))
    };
    let best = turns.into_iter().filter_map(won).max_by_key(|&(margin, plies, _)| (margin, std::cmp::Reverse(plies)));
    let (_, plies, turn) = best?;
    Some((vec![turn], Proof { plies: plies.saturating_add(1), ..proof }))
}

/// All turns in contested regions, and one that wastes nothing in a territory: there the others are no better.
fn worth_comparing(position: &Amazons, regions: &[RegionCount]) -> Vec<Turn<Amazons>> {
    let contested = regions.iter().filter(|count| count.region.owner == Owner::Contested);
    let contested = contested.fold(Bitboard::EMPTY, |all, count| all | count.region.squares);
    let mut turns = legal_turns(position);
    let moves_there =
        |step: &MoveFireStep| matches!(step.kind(), StepKind::Move { from, .. } if contested.contains(from));
    turns.retain(|turn| turn.first().is_some_and(moves_there));
    let own = position.both_amazons()[position.side_to_move().index()] & !contested;
    let territory = Part::new(position.geometry(), [own, Bitboard::EMPTY], position.empty() & !contested);
    turns.extend(fillings(&territory, Side::White, FILLING).first().map(as_turn));
    turns
}

/// The turns of `side` if all that it reaches is closed and counted.
fn closed(part: &Part, side: Side, effort: u32) -> Option<u32> {
    if part.reached[0].intersects(part.reached[1]) {
        return None;
    }
    part.rooms(side).map(|room| turns(&room, effort).exact().filter(|_| room.doors == 0)).sum()
}

/// Fillings of all rooms of `side`, one after the other.
fn fillings(part: &Part, side: Side, effort: u32) -> Vec<Fill> {
    part.rooms(side).flat_map(|room| filling(&room, effort).1).collect()
}

fn as_turn(fill: &Fill) -> Turn<Amazons> {
    [MoveFireStep::moving(fill.from, fill.to), MoveFireStep::firing(fill.at)].into_iter().collect()
}
