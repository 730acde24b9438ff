use crate::board::flood::Kernel;
use crate::board::{Bitboard, Geometry};
use crate::games::desdemona::{Desdemona, Flips};
use crate::games::{Position, Side};

/// What the margin is predicted from. All counts are of White and Black.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Features {
    /// Stones.
    pub stones: [f32; 2],
    /// Stones that the other side may flip in one turn.
    pub threatened: [f32; 2],
    /// Stones that lie open at both ends of a line, so that they may flip some day.
    pub unsafe_stones: [f32; 2],
    /// Squares one move away from an amazon.
    pub mobility: [f32; 2],
    /// Empty squares that the side reaches first; squares that both reach at once count half.
    pub territory: [f32; 2],
    /// Whether the side is to move.
    pub to_move: [f32; 2],
    /// Stones that the side to move may flip in this turn, for that side.
    pub prey_of_mover: [f32; 2],
    /// Empty squares that the side with fewer of them can reach at all: about the turns that may be left.
    pub turns_left: u32,
}

/// Number of pairs in [`Features`].
pub const COUNT: usize = 7;

impl Features {
    #[inline(always)]
    pub(super) fn new<K: Kernel>(kernel: K, position: &Desdemona) -> Self {
        let (geometry, empty) = (position.geometry(), position.empty());
        let sides = [Side::White, Side::Black];
        let amazons = sides.map(|side| position.amazons(side));
        let stones = sides.map(|side| position.stones(side));
        let levels = kernel.queen_levels(geometry, amazons, empty);
        let mut territory = [0.0; 2];
        let mut reached = [Bitboard::EMPTY; 2];
        for level in &levels.sets[..levels.len] {
            let [white, black] = *level;
            let (first, second) = (white & !reached[1], black & !reached[0]);
            let shared = (first & second).count() as f32;
            territory[0] += first.count() as f32 - shared / 2.0;
            territory[1] += second.count() as f32 - shared / 2.0;
            reached = [reached[0] | white, reached[1] | black];
        }
        let near = levels.sets[0];
        let open = empty | amazons[0] | amazons[1];
        let mut threatened = [Bitboard::EMPTY; 2];
        let mut loose = [Bitboard::EMPTY; 2];
        for side in 0..2 {
            let enemy = 1 - side;
            // Where a flip of this side's stones may begin: an amazon that fires, or the anchor of a closed line.
            let from = match position.rules().flips {
                Flips::Run(_) => amazons[enemy] | near[enemy],
                Flips::Lines => stones[enemy] | amazons[enemy],
            };
            for axis in 0..4 {
                let fills =
                    |ends: Bitboard| [axis, axis + 4].map(|direction| fill(geometry, direction, ends, stones[side]));
                let (begins, lands, opens) = (fills(from), fills(empty), fills(open));
                threatened[side] |= begins[0] & lands[1] | begins[1] & lands[0];
                loose[side] |= opens[0] & opens[1];
            }
        }
        let counts = |sets: [Bitboard; 2]| sets.map(|set| set.count() as f32);
        let mover = position.side_to_move().index();
        let mut to_move = [0.0; 2];
        to_move[mover] = 1.0;
        let mut prey_of_mover = [0.0; 2];
        prey_of_mover[mover] = threatened[1 - mover].count() as f32;
        let [white, black] = reached.map(Bitboard::count);
        Self {
            stones: counts(stones),
            threatened: counts(threatened),
            unsafe_stones: counts(loose),
            mobility: counts(near),
            territory,
            to_move,
            prey_of_mover,
            turns_left: white.min(black),
        }
    }

    /// All pairs with their names.
    pub(super) fn pairs(&self) -> [(&'static str, [f32; 2]); COUNT] {
        [
            ("stones", self.stones),
            ("threatened", self.threatened),
            ("unsafe", self.unsafe_stones),
            ("mobility", self.mobility),
            ("territory", self.territory),
            ("to move", self.to_move),
            ("prey of mover", self.prey_of_mover),
        ]
    }
}

/// One step of a whole set in a direction, not over the edge.
#[inline(always)]
fn shift(geometry: &Geometry, direction: usize, set: Bitboard) -> Bitboard {
    const STRIDE: u32 = crate::board::STRIDE as u32;
    let (right, left) = (geometry.not_first_file(), geometry.not_last_file());
    let moved = match direction {
        0 => set << 1 & right,
        1 => set << (STRIDE + 1) & right,
        2 => set << STRIDE,
        3 => set << (STRIDE - 1) & left,
        4 => set >> 1 & left,
        5 => set >> (STRIDE + 1) & left,
        6 => set >> STRIDE,
        _ => set >> (STRIDE - 1) & right,
    };
    moved & geometry.squares()
}

/// The squares of `through` that an unbroken run of such squares joins to one of `ends`, going in a direction.
#[inline(always)]
fn fill(geometry: &Geometry, direction: usize, ends: Bitboard, through: Bitboard) -> Bitboard {
    let mut filled = shift(geometry, direction, ends) & through;
    let mut front = filled;
    while !front.is_empty() {
        front = shift(geometry, direction, front) & through & !filled;
        filled |= front;
    }
    filled
}
