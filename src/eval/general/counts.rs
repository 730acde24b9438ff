//! The counts of the evaluation, and their places among the features.

use crate::board::Bitboard;
use crate::board::flood::{Kernel, Levels, QUEEN_LEVELS, king_step};
use crate::board::{Reach, Square};
use crate::eval::lines::{LEADS, LONGEST, View, lead_class};
use crate::eval::network::Counter;
use crate::eval::squares::{board, cells, phase_by_taken};
use crate::games::general::General;
use crate::games::move_fire::{FireAt, Kind, Turns};
use crate::games::{Position, Side};
use std::ops::Range;

/// Distances told apart, in moves of the game's own pieces: the last one is for everything farther.
pub(super) const LEVELS: usize = QUEEN_LEVELS;
const CELLS: usize = LEVELS + 1;
/// Targets of a piece's moves, the last number for more.
const TARGETS: usize = 32;
/// Empty squares next to a piece, as it moves.
pub(super) const OPEN: usize = 9;
/// Classes of a side's stones: open on no axis; then for one axis, two, three and four those that can be flipped
/// neither now nor soon, soon, now.
const STONE_CLASSES: usize = 13;

/// Where each group of features begins and ends, the mover's before the other side's. The mover is the side that moves
/// a piece next.
pub(super) const DISTANCES: Range<usize> = 0..CELLS * CELLS;
/// Empty squares that the next turn of both sides could fire at, of the mover alone, of the other side alone.
pub(super) const HITS: Range<usize> = DISTANCES.end..DISTANCES.end + 3;
pub(super) const PIECES: Range<usize> = HITS.end..HITS.end + 2 * (TARGETS + OPEN);
pub(super) const STONES: Range<usize> = PIECES.end..PIECES.end + 2 * STONE_CLASSES;
pub(super) const PREY: Range<usize> = STONES.end..STONES.end + 2 * LONGEST;
pub(super) const LEAD: Range<usize> = PREY.end..PREY.end + LEADS;
/// 1; whether an odd number of squares is empty; empty squares on the rim and elsewhere.
pub(super) const BOARD: Range<usize> = LEAD.end..LEAD.end + 4;

/// Number of features.
pub const FEATURES: usize = BOARD.end;

/// The view of a position: distances are moves of the game's own pieces.
#[inline(always)]
pub(super) fn view<K: Kernel>(kernel: K, position: &General) -> View {
    View::of(position, levels(kernel, position))
}

/// The squares that are reached from any square of `set`.
#[inline(always)]
fn from_all(set: Bitboard, reach: impl Fn(Square) -> Bitboard) -> Bitboard {
    let mut all = Bitboard::EMPTY;
    for square in set {
        all |= reach(square);
    }
    all
}

/// The empty squares at each distance from both sides' pieces.
#[inline(always)]
pub(super) fn levels<K: Kernel>(kernel: K, position: &General) -> Levels<LEVELS> {
    let (geometry, empty, kind) = (position.geometry(), position.empty(), position.kind());
    let passed = [Side::White, Side::Black].map(|side| position.passed(side));
    let (pieces, moves) = (position.both_amazons(), position.rules().moves);
    let is_free = (passed[0] | passed[1]).is_empty();
    if is_free && moves == [Reach::QUEEN; 2] {
        return kernel.queen_levels(geometry, pieces, empty);
    }
    let mut levels = Levels { sets: [[Bitboard::EMPTY; 2]; LEVELS], len: 0 };
    for of in [Side::White, Side::Black] {
        let side = of.index();
        let (mut front, mut reached, open) = (pieces[side], Bitboard::EMPTY, empty | passed[side]);
        let is_king = is_free && moves[side] == Reach::KING;
        for level in 0.. {
            let next = if is_king {
                king_step(geometry, front, empty)
            } else {
                from_all(front, |from| kind.moves(kernel, geometry, of, from, open)) & empty
            };
            front = next & !reached;
            if front.is_empty() {
                break;
            }
            reached |= front;
            let level = if level < LEVELS { level } else { LEVELS - 1 };
            levels.sets[level][side] |= front;
            levels.len = levels.len.max(level + 1);
        }
    }
    levels
}

/// The phase of a position times 256, by the share of its squares that are taken.
#[must_use]
#[inline(always)]
pub fn fine_phase(position: &General) -> usize {
    phase_by_taken(position.geometry(), position.empty())
}

/// The side that moves a piece next: between move and fire it is the one that does not fire.
#[inline(always)]
pub(super) fn mover(position: &General) -> Side {
    if position.at_turn_start() { position.side_to_move() } else { !position.side_to_move() }
}

/// Empty squares next to `square`, as pieces of `side` move, at most 8.
#[inline(always)]
pub(super) fn openness(position: &General, side: Side, square: Square) -> usize {
    ((position.kind().near(position.geometry(), side, square) & position.empty()).count() as usize).min(OPEN - 1)
}

/// The squares that each side could fire at by its next turn. Moves decide where they are the same; where fires do not
/// depend on where a piece stands, there is nothing to tell.
#[inline(always)]
fn hits<K: Kernel>(kernel: K, position: &General, view: &View) -> [Bitboard; 2] {
    if position.rules().fire_at != FireAt::Reach {
        return [Bitboard::EMPTY; 2];
    }
    let (rules, kind, geometry) = (position.rules(), position.kind(), position.geometry());
    let stays = rules.turns == Turns::MoveOrFire;
    [Side::White, Side::Black].map(|side| {
        let near = view.levels.sets[0][side.index()];
        let is_same = rules.moves[side.index()] == rules.fires[side.index()];
        let hit = if is_same && !stays {
            near | view.levels.sets[1][side.index()]
        } else {
            from_all(if stays { position.amazons(side) } else { near }, |from| {
                kind.fires(kernel, geometry, side, from, position.empty())
            })
        };
        hit & position.plain_allowed(side)
    })
}

/// Counts every feature into `counter`, from the mover's view. Their logit is the mover's.
#[inline(always)]
pub(super) fn count<K: Kernel>(kernel: K, position: &General, view: &View, counter: &mut impl Counter) {
    let (mover, empty, geometry) = (mover(position), position.empty(), position.geometry());
    let (own, other) = (mover.index(), (!mover).index());
    cells(DISTANCES.start, [own, other], &view.levels, view.reached, counter);
    let hits = hits(kernel, position, view);
    counter.add(HITS.start, (hits[own] & hits[other]).count() as i32);
    counter.add(HITS.start + 1, (hits[own] & !hits[other]).count() as i32);
    counter.add(HITS.start + 2, (hits[other] & !hits[own]).count() as i32);
    let threats = view.lines.threats();
    for (which, side) in [mover, !mover].into_iter().enumerate() {
        let start = PIECES.start + which * (TARGETS + OPEN);
        let open = empty | position.passed(side);
        for square in position.amazons(side) {
            let targets = (position.kind().moves(kernel, geometry, side, square, open) & empty).count() as usize;
            counter.add(start + targets.min(TARGETS - 1), 1);
            counter.add(start + TARGETS + openness(position, side, square), 1);
        }
        view.lines.count(STONES.start + which * STONE_CLASSES, position.stones(side), &threats, 4, counter);
        counter.add(PREY.start + which * LONGEST + view.lines.longest[side.index()], 1);
    }
    counter.add(LEAD.start + lead_class(position, mover), 1);
    board(BOARD.start, geometry, empty, counter);
}

/// The weights before any learning, in logits, for a game in which it is good to have turns left if `turns` is above 0,
/// and own stones if `stones` is.
pub(super) fn guessed(turns: f32, stones: f32) -> [f32; FEATURES] {
    let mut weights = [0.0; FEATURES];
    for (cell, feature) in DISTANCES.enumerate() {
        let (mine, theirs) = (cell / CELLS, cell % CELLS);
        let sign = (theirs as f32 - mine as f32).clamp(-1.0, 1.0);
        let alone = mine == LEVELS || theirs == LEVELS;
        weights[feature] = turns * sign * if alone { 0.16 } else { 0.08 };
    }
    let [own, other] = [0, TARGETS + OPEN].map(|start| PIECES.start + start);
    for targets in 0..TARGETS {
        let worth = turns * 0.25 * libm::logf(1.0 + targets as f32);
        (weights[own + targets], weights[other + targets]) = (worth, -worth);
    }
    let half = STONES.len() / 2;
    weights[STONES][..half].fill(0.3 * stones);
    weights[STONES][half..].fill(-0.3 * stones);
    weights
}
