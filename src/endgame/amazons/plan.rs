//! Turns that keep a certain result.

use super::filling::{Fill, filling, turns};
use super::proof::{by_regions, by_rooms};
use super::regions::{Effort, Owner, RegionCount, count_within};
use super::rooms::Part;
use crate::board::Bitboard;
use crate::endgame::{Proof, Work};
use crate::games::amazons::Amazons;
use crate::games::{MoveFireStep, Outcome, Position, Side, StepKind, Steps, legal_turns};

/// Positions looked at for the filling of each room. Nearly all rooms are settled by 200 (987 of 1,000 random ones with
/// up to 40 squares); those that are not must not cost more than a few milliseconds, as clocks run.
const FILLING: u32 = 1_000;

/// Turns that keep a certain result, and the result; the position must be at the start of a turn and not finished.
///
/// Where no area is reached by both sides and all rooms are closed by arrows and counted, these are all turns to the
/// end of the game: nobody wastes a square. Where the side to move has more turns in its rooms than the other can play
/// at all, it is one turn in a room: playing on there wins. Where the worths of the regions, found with `effort`,
/// decide the game, it is the turn that keeps the winner's margin highest, or that makes the loss hardest to count.
/// Otherwise `None`, also if `work` is over before a turn is found.
#[must_use]
pub fn certain_line(position: &Amazons, effort: &Effort, work: &Work<'_>) -> Option<(Vec<Steps<Amazons>>, Proof)> {
    let found = by_filling(position, work);
    match found.filter(|_| !work.is_over()) {
        None if !work.is_over() => by_worth(position, effort, work),
        found => found,
    }
}

/// The first two cases.
fn by_filling(position: &Amazons, work: &Work<'_>) -> Option<(Vec<Steps<Amazons>>, Proof)> {
    let part = Part::whole(position);
    let (mover, effort) = (position.side_to_move(), FILLING);
    if let Some((own, other)) = closed(&part, mover, effort, work).zip(closed(&part, !mover, effort, work)) {
        let wins = own > other;
        let plies = if wins { 2 * other + 1 } else { 2 * own };
        let lines = [mover, !mover].map(|side| fillings(&part, side, effort, work));
        let turns = (0..plies as usize).filter_map(|ply| lines[ply % 2].get(ply / 2).map(as_turn)).collect();
        let outcome = Outcome::Win(if wins { mover } else { !mover });
        return Some((turns, Proof { outcome, plies: u8::try_from(plies).unwrap_or(u8::MAX) }));
    }
    let proof = by_rooms(mover, &part, effort, work).filter(|proof| proof.outcome == Outcome::Win(mover))?;
    let first = fillings(&part, mover, effort, work).first().map(as_turn)?;
    Some((vec![first], proof))
}

/// The most turns that are compared: where there are more, little is settled.
const MOST_COMPARED: usize = 300;

/// The third case.
fn by_worth(position: &Amazons, effort: &Effort, work: &Work<'_>) -> Option<(Vec<Steps<Amazons>>, Proof)> {
    let (mover, regions) = (position.side_to_move(), count_within(position, effort, work));
    let proof = by_regions(position, &regions)?;
    let turns = worth_comparing(position, &regions, work);
    if turns.len() > MOST_COMPARED || work.is_over() {
        return None;
    }
    let after = |turn: &Steps<Amazons>| turn.iter().fold(*position, |position, &step| position.after(step));
    if proof.outcome == Outcome::Win(!mover) {
        // Best where the other side's win is not even seen.
        let held_out = |turn: &Steps<Amazons>| {
            let after = after(turn);
            by_regions(&after, &count_within(&after, effort, work)).map_or(u32::MAX, |proof| proof.plies.into())
        };
        let best = turns.into_iter().take_while(|_| !work.is_over()).max_by_key(held_out)?;
        // Which turn is hard to refute is left to a search if there was no time to compare them.
        return (!work.is_over()).then(|| (vec![best], proof));
    }
    let won = |turn: Steps<Amazons>| {
        let after = after(&turn);
        let regions = count_within(&after, effort, work);
        let plies = by_regions(&after, &regions).filter(|found| found.outcome == proof.outcome)?.plies;
        let ahead = |count: &RegionCount| if mover == Side::White { count.worth.low } else { -count.worth.high };
        // Each of the turns that were compared in time keeps the win.
        (!work.is_over()).then(|| (regions.iter().map(ahead).sum::<i32>(), plies, turn))
    };
    let in_time = turns.into_iter().take_while(|_| !work.is_over());
    let best = in_time.filter_map(won).max_by_key(|&(margin, plies, _)| (margin, std::cmp::Reverse(plies)));
    let (_, plies, turn) = best?;
    Some((vec![turn], Proof { plies: plies.saturating_add(1), ..proof }))
}

/// All turns in contested regions, and one turn in a territory that wastes no square of it: no other turn in a
/// territory is better.
fn worth_comparing(position: &Amazons, regions: &[RegionCount], work: &Work<'_>) -> Vec<Steps<Amazons>> {
    let contested = regions.iter().filter(|count| count.region.owner == Owner::Contested);
    let contested = contested.fold(Bitboard::EMPTY, |all, count| all | count.region.squares);
    let mut turns = legal_turns(position);
    let moves_there =
        |step: &MoveFireStep| matches!(step.kind(), StepKind::Move { from, .. } if contested.contains(from));
    turns.retain(|turn| turn.first().is_some_and(moves_there));
    let own = position.both_amazons()[position.side_to_move().index()] & !contested;
    let territory = Part::new(position.geometry(), [own, Bitboard::EMPTY], position.empty() & !contested);
    turns.extend(fillings(&territory, Side::White, FILLING, work).first().map(as_turn));
    turns
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
