//! How to play what is certain.

use super::filling::{Fill, filling, turns};
use super::proof::by_rooms;
use super::rooms::Part;
use crate::endgame::Proof;
use crate::games::amazons::Amazons;
use crate::games::{MoveFireStep, Outcome, Position, Side, Turn};

/// Positions looked at for the filling of each room. Nearly all rooms are settled by 200 (987 of 1,000 random ones with up to 40 squares); those that are
/// not must not cost more than a few milliseconds, as clocks run.
const FILLING: u32 = 1_000;

/// Turns that keep a certain result, and the result; the position must be at the start of a turn and not finished.
///
/// Where no area is reached by both sides and all rooms are closed by arrows and counted, these are all turns to the end of the game: nobody
/// wastes a square. Where the side to move has more turns in its rooms than the other can play at all, it is one turn in a
/// room: playing on there wins. `None` if neither is so.
#[must_use]
pub fn certain_line(position: &Amazons) -> Option<(Vec<Turn<Amazons>>, Proof)> {
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
