//! Turns that keep a certain result.

use super::filling::{Fill, filling, turns};
use super::margin::best_turn;
use super::proof::{by_regions, by_rooms, most_plies};
use super::regions::{Effort, Owner, RegionCount, count_within};
use super::rooms::Part;
use crate::board::Bitboard;
use crate::endgame::{Proof, Work};
use crate::games::amazons::Amazons;
use crate::games::{MoveFireStep, Outcome, Position, Side, StepKind, Steps, legal_turns};
use std::cmp::Reverse;

/// Positions looked at for the filling of each room. Nearly all rooms are settled by 200 (987 of 1,000 random ones with
/// up to 40 squares); those that are not must not cost more than a few milliseconds, as clocks run.
const FILLING: u32 = 1_000;

/// Turns that keep a certain result, and the result; the position must be at the start of a turn and not finished.
///
/// Where no area is reached by both sides and all rooms are closed by arrows and counted, these are all turns to the
/// end of the game: nobody wastes a square. Where the margin with best play is found, it is a turn that
/// keeps it. Where the side to move has more turns in its rooms than the other can play at all, it is the turn that
/// makes that difference greatest. Where the worths of the regions decide the game, it is the turn that keeps the
/// winner's margin highest, or that makes the loss hardest to count. Otherwise `None`, also if `work` is over before a
/// turn is found.
#[must_use]
pub fn certain_line(position: &Amazons, effort: &Effort, work: &Work<'_>) -> Option<(Vec<Steps<Amazons>>, Proof)> {
    let part = Part::whole(position);
    let found = by_filling(position.side_to_move(), &part, work);
    if found.is_some() || work.is_over() {
        return found.filter(|_| !work.is_over());
    }
    let regions = count_within(position, effort, work);
    let proof = by_regions(position, &regions).filter(|_| !work.is_over())?;
    let found = by_margin(position, &regions, proof, effort, work);
    let found = found.or_else(|| by_advance(position, &part, work)).filter(|_| !work.is_over());
    found.or_else(|| if work.is_over() { None } else { by_worth(position, &regions, proof, effort, work) })
}

/// The first case.
fn by_filling(mover: Side, part: &Part, work: &Work<'_>) -> Option<(Vec<Steps<Amazons>>, Proof)> {
    let count = |side| closed(part, side, FILLING, work);
    let (own, other) = count(mover).zip(count(!mover))?;
    let wins = own > other;
    let plies = if wins { 2 * other + 1 } else { 2 * own };
    let lines = [mover, !mover].map(|side| fillings(part, side, FILLING, work));
    let turns = (0..plies as usize).filter_map(|ply| lines[ply % 2].get(ply / 2).map(as_turn)).collect();
    let outcome = Outcome::Win(if wins { mover } else { !mover });
    Some((turns, Proof { outcome, plies: u8::try_from(plies).unwrap_or(u8::MAX) }))
}

/// The second case.
fn by_margin(
    position: &Amazons,
    regions: &[RegionCount],
    proof: Proof,
    effort: &Effort,
    work: &Work<'_>,
) -> Option<(Vec<Steps<Amazons>>, Proof)> {
    let turn = match best_turn(position, regions, work)? {
        Some(turn) => turn,
        None => spare_turn(position, regions, work)?,
    };
    let wins = proof.outcome == Outcome::Win(position.side_to_move());
    let most = if wins { u8::try_from(most_plies(true, regions)).unwrap_or(u8::MAX) } else { proof.plies };
    // The turn may end the game sooner than any turn must; where it loses, another one may put the end off.
    let after = played(position, &turn);
    let found = by_regions(&after, &count_within(&after, effort, work));
    let found = found.filter(|found| wins && found.outcome == proof.outcome);
    let plies = found.map_or(most, |found| most.min(found.plies.saturating_add(1)));
    Some((vec![turn], Proof { plies, ..proof }))
}

/// Turns that are compared in the third case: those after which most squares are the mover's.
const COMPARED_BY_ROOMS: usize = 32;

/// The third case. The other side does not get more turns than it has.
fn by_advance(position: &Amazons, part: &Part, work: &Work<'_>) -> Option<(Vec<Steps<Amazons>>, Proof)> {
    let mover = position.side_to_move();
    let proof = by_rooms(mover, part, FILLING, work).filter(|proof| proof.outcome == Outcome::Win(mover))?;
    let after = |turn: &Steps<Amazons>| Part::whole(&played(position, turn));
    let mut turns: Vec<_> = legal_turns(position).into_iter().map(|turn| (after(&turn), turn)).collect();
    turns.sort_by_cached_key(|(part, _)| {
        Reverse(part.own(mover).count() as i32 - part.reached[(!mover).index()].count() as i32)
    });
    turns.truncate(COMPARED_BY_ROOMS);
    turns.extend(fillings(part, mover, FILLING, work).first().map(as_turn).map(|turn| (after(&turn), turn)));
    let kept = |(part, turn): (Part, Steps<Amazons>)| {
        let found = by_rooms(!mover, &part, FILLING, work).filter(|found| found.outcome == proof.outcome)?;
        let [own, other] = [mover, !mover].map(|side| part.turns(side, FILLING, work));
        let plies = found.plies.saturating_add(1);
        (plies <= proof.plies).then(|| (own.lower as i32 - other.upper as i32, Proof { plies, ..proof }, turn))
    };
    let (_, proof, turn) = turns.into_iter().filter_map(kept).max_by_key(|&(ahead, ..)| ahead)?;
    Some((vec![turn], proof))
}

/// The most turns that are compared: where there are more, little is settled.
const MOST_COMPARED: usize = 300;

/// The last case.
fn by_worth(
    position: &Amazons,
    regions: &[RegionCount],
    proof: Proof,
    effort: &Effort,
    work: &Work<'_>,
) -> Option<(Vec<Steps<Amazons>>, Proof)> {
    let mover = position.side_to_move();
    let turns = worth_comparing(position, regions, work);
    if turns.len() > MOST_COMPARED || work.is_over() {
        return None;
    }
    if proof.outcome == Outcome::Win(!mover) {
        // Best where the other side's win is not even seen.
        let held_out = |turn: &Steps<Amazons>| {
            let after = played(position, turn);
            by_regions(&after, &count_within(&after, effort, work)).map_or(u32::MAX, |proof| proof.plies.into())
        };
        let best = turns.into_iter().take_while(|_| !work.is_over()).max_by_key(held_out)?;
        // Which turn is hard to refute is left to a search if there was no time to compare them.
        return (!work.is_over()).then(|| (vec![best], proof));
    }
    let won = |turn: Steps<Amazons>| {
        let after = played(position, &turn);
        let regions = count_within(&after, effort, work);
        let plies = by_regions(&after, &regions).filter(|found| found.outcome == proof.outcome)?.plies;
        let ahead = |count: &RegionCount| if mover == Side::White { count.worth.low } else { -count.worth.high };
        // Each of the turns that were compared in time keeps the win.
        (!work.is_over()).then(|| (regions.iter().map(ahead).sum::<i32>(), plies, turn))
    };
    let in_time = turns.into_iter().take_while(|_| !work.is_over());
    let best = in_time.filter_map(won).max_by_key(|&(margin, plies, _)| (margin, Reverse(plies)));
    let (_, plies, turn) = best?;
    Some((vec![turn], Proof { plies: plies.saturating_add(1), ..proof }))
}

/// The position after a turn.
fn played(position: &Amazons, turn: &Steps<Amazons>) -> Amazons {
    turn.iter().fold(*position, |position, &step| position.after(step))
}

/// All turns in contested regions, and one turn in a territory that wastes no square of it: no other turn in a
/// territory is better.
fn worth_comparing(position: &Amazons, regions: &[RegionCount], work: &Work<'_>) -> Vec<Steps<Amazons>> {
    let contested = contested(regions);
    let mut turns = legal_turns(position);
    let moves_there =
        |step: &MoveFireStep| matches!(step.kind(), StepKind::Move { from, .. } if contested.contains(from));
    turns.retain(|turn| turn.first().is_some_and(moves_there));
    turns.extend(spare_turn(position, regions, work));
    turns
}

fn contested(regions: &[RegionCount]) -> Bitboard {
    let contested = regions.iter().filter(|count| count.region.owner == Owner::Contested);
    contested.fold(Bitboard::EMPTY, |all, count| all | count.region.squares)
}

/// A turn in a territory that wastes no square of it.
fn spare_turn(position: &Amazons, regions: &[RegionCount], work: &Work<'_>) -> Option<Steps<Amazons>> {
    let contested = contested(regions);
    let own = position.both_amazons()[position.side_to_move().index()] & !contested;
    let territory = Part::new(position.geometry(), [own, Bitboard::EMPTY], position.empty() & !contested);
    fillings(&territory, Side::White, FILLING, work).first().map(as_turn)
}

/// The turns of `side` if all that it reaches is closed and counted.
fn closed(part: &Part, side: Side, effort: u32, work: &Work<'_>) -> Option<u32> {
    if part.reached[0].intersects(part.reached[1]) {
        return None;
    }
    part.rooms(side).map(|room| turns(&room, effort, work).exact().filter(|_| room.doors == 0)).sum()
}

/// Fillings of all rooms of `side`, one after the other.
fn fillings(part: &Part, side: Side, effort: u32, work: &Work<'_>) -> Vec<Fill> {
    part.rooms(side).flat_map(|room| filling(&room, effort, work).1).collect()
}

fn as_turn(fill: &Fill) -> Steps<Amazons> {
    [MoveFireStep::moving(fill.from, fill.to), MoveFireStep::firing(fill.at)].into_iter().collect()
}
