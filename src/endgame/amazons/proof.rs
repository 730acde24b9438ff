//! The winner by counting.

use super::filling::Turns;
use super::regions::RegionCount;
use super::rooms::Part;
use super::worth::{Worth, winner};
use crate::board::Bitboard;
use crate::endgame::{Proof, Work};
use crate::games::amazons::Amazons;
use crate::games::{Outcome, Position, Side};

/// Whether [`prove`] has a chance: some side has as many squares for itself as the other reaches. Cheap; `reached` as
/// for [`prove`].
#[inline(always)]
#[must_use]
pub fn may_be_decided(mover: Side, reached: &[Bitboard; 2]) -> bool {
    let (own, other) = (reached[mover.index()], reached[(!mover).index()]);
    let shared = (own & other).count();
    let (own, other) = (own.count(), other.count());
    own - shared > other || other - shared >= own
}

/// The result, if counting rooms tells. `reached` holds the empty squares that White's and Black's amazons reach. The
/// position must be at the start of a turn. To be called if [`may_be_decided`].
///
/// Contested regions are not searched here: in 39 late positions of 10×10 games, searched with 60,000 nodes each, that
/// spared less than one node in a hundred, or one in twenty with the greatest effort, and took up to twice the time a
/// node.
#[must_use]
pub fn prove(position: &Amazons, reached: [Bitboard; 2]) -> Option<Proof> {
    let part = Part { geometry: position.geometry(), amazons: position.both_amazons(), reached };
    by_rooms(position.side_to_move(), &part, LEAF_FILLING, &Work::unlimited())
}

/// Positions that a leaf may spend on the filling of one room.
const LEAF_FILLING: u32 = 200;

/// The result if one side has more turns in its rooms than the other can play altogether: it stays in them and wins.
pub(super) fn by_rooms(mover: Side, part: &Part, effort: u32, work: &Work<'_>) -> Option<Proof> {
    let squares = |side| (part.own(side).count(), part.reached[Side::index(side)].count());
    let (other, plies) = (!mover, |plies: u32| u8::try_from(plies).unwrap_or(u8::MAX));
    // Squares first, as they cost nothing; then turns.
    if squares(mover).0 > squares(other).1 {
        let (own, enemy) = (part.turns(mover, effort, work), part.turns(other, effort, work));
        if own.lower > enemy.upper {
            return Some(Proof { outcome: Outcome::Win(mover), plies: plies(2 * enemy.upper + 1) });
        }
    }
    if squares(other).0 >= squares(mover).1 {
        let (own, enemy) = (part.turns(mover, effort, work), part.turns(other, effort, work));
        if own.upper <= enemy.lower {
            return Some(Proof { outcome: Outcome::Win(other), plies: plies(2 * own.upper) });
        }
    }
    None
}

/// The result if the worths of all regions tell it.
#[must_use]
pub fn by_regions(position: &impl Position, regions: &[RegionCount]) -> Option<Proof> {
    let mover = position.side_to_move();
    let worths: Vec<Worth> = regions.iter().map(|count| count.worth).collect();
    let winner = winner(mover, &worths)?;
    let odd = u32::from(winner == mover);
    let by_squares = most_plies(winner == mover, regions);
    let turns = |side: Side| {
        let mut all = Turns::default();
        regions.iter().for_each(|count| all += count.turns[side.index()]);
        all
    };
    // If the winner may stay in his rooms, the loser has only what he reaches.
    let (own, loser) = (turns(winner), turns(!winner));
    let enough = own.lower >= loser.upper + odd;
    let most = if enough { 2 * loser.upper + odd } else { u32::MAX };
    Some(Proof { outcome: Outcome::Win(winner), plies: u8::try_from(most.min(by_squares)).unwrap_or(u8::MAX) })
}

/// The most plies to the end if the side to move wins or, as told, loses: every turn fills a square.
pub(super) fn most_plies(wins: bool, regions: &[RegionCount]) -> u32 {
    let squares: u32 = regions.iter().map(|count| count.empty.count()).sum();
    squares - (squares + u32::from(wins)) % 2
}
