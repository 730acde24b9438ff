//! Small regions in which both sides can still play, searched by themselves.
//!
//! For a region `G` let `w` be the least whole number with which White, beginning, wins `G + w`, and `b` the least one
//! if Black begins. A turn within the number is one spare turn less, for White from above 0, for Black from below. With
//! `l` the least `b` after a turn of White in `G`, and `m` the greatest `w` after a turn of Black,
//!
//! > `w = min(l, max(1, b + 1))`,  `b = max(m, min(0, w − 1))`,
//!
//! which has one solution: if `l ≤ 0` then `w = l` and `b = max(m, l − 1)`, else `b = max(m, 0)` and
//! `w = min(l, b + 1)`. White wins `G − n`, Black beginning, just if `−n ≥ b`; so `−b ≤ G ≤ 1 − w`, and no other whole
//! numbers are closer. So [`Worth`] has `low = −b`, `high = 1 − w`, and by beginning White has `−w` for certain, Black
//! `1 − b`.
//!
//! The search asks "does White win `G + n`, this side beginning?" for one `n` after the other, with bounds on `w` and
//! `b` kept for each position; rooms give the bounds to begin with. Many small regions come up again and again, so
//! results are cached by canonical shape, sides changed included.

use super::cache::{Cache, Map};
use super::filling::Turns;
use super::rooms::Part;
use super::shape::canonical;
use super::worth::Worth;
use crate::board::{Bitboard, Geometry, MAX_SIDE, Square};
use crate::endgame::Work;
use crate::forks::Lazy;
use crate::games::Side;

/// Positions looked at for the filling of each room within.
const ROOM_EFFORT: u32 = 200;

/// Amazons of White and Black, and empty squares.
type Squares = [u128; 3];

/// The worth of a region by its rooms.
///
/// White, staying in his rooms, has `white.lower` turns whatever Black does. Black reaches no more squares meanwhile
/// than he does now, and each of his turns fills one, so he has `black.upper` at most. With `black.upper − white.lower`
/// spare turns more (Black's, if that is negative) White can therefore answer every turn of Black, and wins `G − low`
/// as second. Likewise Black wins `G − high` as second.
pub(super) fn by_rooms(white: Turns, black: Turns) -> Worth {
    Worth::between(white.lower as i32 - black.upper as i32, white.upper as i32 - black.lower as i32)
}

/// Bounds on the worth of a region, with at most `effort` positions looked at.
pub(super) fn worth(amazons: [Bitboard; 2], empty: Bitboard, effort: u32, work: &Work<'_>) -> Worth {
    /// Bounds, and the positions that they took.
    type Found = ([i8; 4], u32);
    static CACHE: Lazy<Cache<(Squares, u32), Found>> = Lazy::new(Cache::new);
    let [white, black] = amazons.map(|set| set.0);
    let ((squares, turned), _) = canonical(white | black | empty.0, |set| {
        let (white, black) = (set(white), set(black));
        if white <= black { ([white, black, set(empty.0)], false) } else { ([black, white, set(empty.0)], true) }
    });
    let before = work.left();
    let solve = |(squares, effort): &(Squares, u32)| {
        let Worth { low, high, first: [white, black] } = solve(*squares, *effort, work);
        ([low, high, white, black].map(|bound| bound as i8), work.spent_since(before))
    };
    let ([low, high, white, black], took) = CACHE.get_or((squares, effort), solve, || !work.is_over());
    if work.left() == before {
        work.spend(took);
    }
    let worth = Worth { low: low.into(), high: high.into(), first: [white.into(), black.into()] };
    if turned { worth.turned() } else { worth }
}

fn solve(squares: Squares, effort: u32, work: &Work<'_>) -> Worth {
    #[allow(clippy::expect_used, reason = "the frame is a board size")]
    let geometry = Geometry::get(MAX_SIDE, MAX_SIDE).expect("a board size");
    let mut solver = Solver { geometry, effort, work, known: Map::default() };
    let [white, black, empty] = squares.map(Bitboard);
    let region = Local { amazons: [white, black], empty };
    // Each query halves what is open.
    for mover in [Side::White, Side::Black] {
        loop {
            let [low, high] = solver.thresholds(&region)[mover.index()];
            if low == high || solver.white_wins(&region, mover, (low + high).div_euclid(2)).is_none() {
                break;
            }
        }
    }
    let [w, b] = solver.thresholds(&region);
    Worth { low: -b[1], high: 1 - w[0], first: [-w[1], 1 - b[0]] }
}

/// Amazons of White and Black, and the empty squares around them.
#[derive(Clone, Copy)]
pub(super) struct Local {
    pub amazons: [Bitboard; 2],
    pub empty: Bitboard,
}

/// A turn: from, to, fire.
pub(super) type LocalTurn = [Square; 3];

impl Local {
    /// Every turn of `mover` with the position after it, and with what it gains in squares reached.
    pub fn turns(&self, geometry: &'static Geometry, mover: Side) -> Vec<(i32, LocalTurn, Self)> {
        let own = mover.index();
        let mut children = Vec::new();
        for from in self.amazons[own] {
            for to in geometry.queen_targets(from, self.empty) {
                let vacated = self.empty.with(from).without(to);
                let mut amazons = self.amazons;
                amazons[own] = amazons[own].without(from).with(to);
                for at in geometry.queen_targets(to, vacated) {
                    let empty = vacated.without(at);
                    let reached = Part::new(geometry, amazons, empty).reached;
                    let gain = reached[own].count() as i32 - reached[1 - own].count() as i32;
                    children.push((gain, [from, to, at], Self { amazons, empty }));
                }
            }
        }
        children
    }
}

/// Between what `w` lies, and `b`: the least numbers of spare turns that White needs to win as first and as second.
type Thresholds = [[i32; 2]; 2];

struct Solver<'a> {
    geometry: &'static Geometry,
    effort: u32,
    work: &'a Work<'a>,
    known: Map<Squares, Thresholds>,
}

impl Solver<'_> {
    fn thresholds(&mut self, region: &Local) -> Thresholds {
        let Local { amazons, empty } = *region;
        let key = [amazons[0].0, amazons[1].0, empty.0];
        let (geometry, work) = (self.geometry, self.work);
        *self.known.entry(key).or_insert_with(|| {
            let part = Part::new(geometry, amazons, empty);
            let [white, black] = [Side::White, Side::Black].map(|side| part.turns(side, ROOM_EFFORT, work));
            let Worth { low, high, .. } = by_rooms(white, black);
            [[1 - high, 1 - low], [-high, -low]]
        })
    }

    /// Whether White wins the region with `spare` more turns (Black has them if negative). `None`: out of effort.
    fn white_wins(&mut self, region: &Local, mover: Side, spare: i32) -> Option<bool> {
        let [low, high] = self.thresholds(region)[mover.index()];
        if spare >= high || spare < low {
            return Some(spare >= high);
        }
        let goal = mover == Side::White;
        let mut children = region.turns(self.geometry, mover);
        let looked_at = 1 + children.len() as u32;
        self.effort = self.effort.checked_sub(looked_at).filter(|_| self.work.spend(looked_at))?;
        children.sort_by_cached_key(|&(gain, ..)| std::cmp::Reverse(gain));
        let mut wins = false;
        for (.., child) in children {
            if self.white_wins(&child, !mover, spare)? == goal {
                wins = true;
                break;
            }
        }
        let spare_turn = if goal { spare - 1 } else { spare + 1 };
        let has_spare = if goal { spare > 0 } else { spare < 0 };
        if !wins && has_spare {
            wins = self.white_wins(region, !mover, spare_turn)? == goal;
        }
        let white = wins == goal;
        let key = [region.amazons[0].0, region.amazons[1].0, region.empty.0];
        if let Some(known) = self.known.get_mut(&key) {
            let [low, high] = &mut known[mover.index()];
            if white { *high = (*high).min(spare) } else { *low = (*low).max(spare + 1) }
        }
        Some(white)
    }
}
