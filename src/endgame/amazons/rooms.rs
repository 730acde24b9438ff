//! Who reaches which squares, and the rooms that a side has to itself.
//!
//! The empty squares fall into areas, connected by king steps over empty squares: amazons separate them as arrows do. A
//! *room* of a side is an area that only its amazons touch. It need not be closed by arrows: an amazon in the doorway
//! keeps the enemy out as long as it stays, and may leave by closing the door behind it (see [`super::filling`]). What
//! the enemy can reach does not grow meanwhile.

use super::filling::{Turns, turns};
use super::shape::Shape;
use crate::board::flood::{connected, king_step};
use crate::board::{Bitboard, Geometry};
use crate::endgame::Work;
use crate::games::Side;
use crate::games::amazons::Amazons;

/// A part of a board: the amazons there, White's first, and the empty squares that each side's amazons reach.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub geometry: &'static Geometry,
    pub amazons: [Bitboard; 2],
    pub reached: [Bitboard; 2],
}

impl Part {
    pub fn new(geometry: &'static Geometry, amazons: [Bitboard; 2], empty: Bitboard) -> Self {
        Self { geometry, amazons, reached: amazons.map(|amazons| connected(geometry, amazons, empty)) }
    }

    /// The whole board.
    pub fn whole(position: &Amazons) -> Self {
        Self::new(position.geometry(), position.both_amazons(), position.empty())
    }

    /// The squares that only `side` reaches.
    pub fn own(&self, side: Side) -> Bitboard {
        self.reached[side.index()] & !self.reached[(!side).index()]
    }

    /// The rooms of `side`: connected, amazons of the side included.
    pub fn rooms(&self, side: Side) -> impl Iterator<Item = Shape> {
        let Self { geometry, amazons, reached } = *self;
        let (other, amazons) = ((!side).index(), amazons[side.index()]);
        let mut left = self.own(side);
        let open = left | amazons;
        let doors = king_step(geometry, reached[other] | self.amazons[other], amazons);
        std::iter::from_fn(move || {
            let squares = connected(geometry, Bitboard::of(left.first()?), open);
            let set = |within: Bitboard| (squares & within).0;
            let shape = Shape { empty: set(left), amazons: set(amazons), doors: set(doors) };
            left &= !squares;
            Some(shape)
        })
    }

    /// The turns that `side` has for certain, and those that it cannot exceed while the enemy plays in his own rooms
    /// only or not at all.
    pub fn turns(&self, side: Side, effort: u32, work: &Work<'_>) -> Turns {
        let mut all = Turns { lower: 0, upper: self.reached[side.index()].count() };
        for room in self.rooms(side) {
            let turns = turns(&room, effort, work);
            all.lower += turns.lower;
            if room.doors == 0 {
                all.upper -= room.empty.count_ones() - turns.upper;
            }
        }
        all
    }
}
