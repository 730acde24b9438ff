//! Priors for steps, by the position in which they are played: distances and empty squares as the game's own pieces
//! move, and stones that flip.

use super::counts::{OPEN, fine_phase, openness, view};
use crate::board::flood::{Kernel, KernelTask, Portable};
use crate::board::{Bitboard, Square};
use crate::eval::learned::{StepFeatures, StepWeights, joined, total};
use crate::eval::move_fire::{self, FLIPS, Flipping};
use crate::eval::network::SCALE;
use crate::eval::squares::{Numbers, Planes, edge_distance, length};
use crate::games::general::{General, GeneralRules};
use crate::games::move_fire::Kind;
use crate::games::{MoveFireStep, Position, Side};

/// Half the number of squares that a piece could move to, the last number for more.
const SIGHT: usize = 14;
/// Sizes of the tables for what a move and a fire have in common, both about their square: the enemy's distance in five
/// classes, and the own one; empty squares next to it; own pieces and enemy pieces that could move there; distance from
/// the edge; enemy pieces and own ones next to it; enemy stones and own ones beside it; ends of own runs that the enemy
/// can flip at once, and of runs of the enemy's that we can.
const SQUARE_TABLES: [usize; 12] = [5, 5, OPEN, 4, 4, 6, 4, 4, 5, 5, 4, 4];
/// For a move then: the most stones that a fire from there flips, squares to move to; of the square left empty squares
/// next to it and squares to move to; the length.
const MOVE_TABLES: [usize; 17] = joined(SQUARE_TABLES, [FLIPS, SIGHT, OPEN, SIGHT, 10]);
/// For a fire: stones flipped, the fewest empty squares next to an enemy piece that is next to it, and to an own one;
/// squares to move to; the distance from the piece that fires, 0 if it does not.
const FIRE_TABLES: [usize; 17] = joined(SQUARE_TABLES, [FLIPS, OPEN + 1, OPEN + 1, SIGHT, 10]);
const SHARED: usize = SQUARE_TABLES.len();

/// Weights of one phase: of moves, then of fires.
pub const STEP_FEATURES: usize = total(&MOVE_TABLES) + total(&FIRE_TABLES);

/// Guessed weights, signs as for [`guessed`](super::counts::guessed): towards squares with much space and flips, fires
/// beside enemies.
pub(super) fn guessed(turns: f32, stones: f32) -> StepWeights<STEP_FEATURES> {
    let mut weights = vec![0.0; STEP_FEATURES];
    let mut fill = |start: usize, sizes: &[usize], table: usize, factor: f32, values: &[f32]| {
        let start = start + total(&sizes[..table]);
        for (weight, value) in weights[start..].iter_mut().zip(values) {
            *weight = factor * value;
        }
    };
    let open: [f32; OPEN] = std::array::from_fn(|openness| 0.12 * openness as f32);
    let closed = open.map(|weight| -weight);
    let sight: [f32; SIGHT] = std::array::from_fn(|sight| 0.08 * sight as f32);
    fill(0, &MOVE_TABLES, 0, turns, &[0.4, 0.3, 0.0, -0.3, -1.5]);
    fill(0, &MOVE_TABLES, 2, turns, &open);
    fill(0, &MOVE_TABLES, SHARED, stones, &[0.0, 1.2, 1.6, 2.0, 2.3, 2.6, 2.6, 2.6]);
    fill(0, &MOVE_TABLES, SHARED + 1, turns, &sight);
    fill(0, &MOVE_TABLES, SHARED + 2, turns, &closed);
    let fires = total(&MOVE_TABLES);
    fill(fires, &FIRE_TABLES, 0, turns, &[0.9, 0.3, 0.0, -0.5, -2.5]);
    fill(fires, &FIRE_TABLES, 6, turns, &[0.0, 0.8, 1.6, 2.4]);
    fill(fires, &FIRE_TABLES, 7, turns, &[0.0, -0.3, -0.6, -0.9]);
    fill(fires, &FIRE_TABLES, SHARED, stones, &[0.0, 2.0, 2.6, 3.0, 3.3, 3.6, 3.6, 3.6]);
    let weights: Vec<i32> = weights.iter().map(|weight| (weight * SCALE).round() as i32).collect();
    StepWeights::of_phase(&weights)
}

/// Facts of a position that the features of all its steps depend on.
struct StepView<'a, K> {
    kernel: K,
    position: &'a General,
    /// Pieces of the side to move, and of the enemy.
    pieces: [Bitboard; 2],
    /// The squares that pieces of the side to move may go over.
    open: Bitboard,
    /// Distances in five classes: 1, 2, 3, farther, out of reach; the enemy's, then the own ones.
    distances: [Numbers; 2],
    /// How many of each side's pieces could move to a square, at most three; without the one that is about to fire.
    seen: [Numbers; 2],
    flipping: Flipping<'a, K, GeneralRules>,
}

impl<'a, K: Kernel> StepView<'a, K> {
    #[inline(always)]
    fn new(kernel: K, position: &'a General) -> Self {
        let (view, side) = (view(kernel, position), position.side_to_move());
        let (geometry, empty, kind) = (position.geometry(), position.empty(), position.kind());
        let sides = [side, !side];
        let pieces = sides.map(|side| position.amazons(side));
        let mut seen = [Planes::NONE; 2];
        for which in 0..2 {
            let side = sides[which];
            let open = empty | position.passed(side);
            for square in pieces[which] {
                if position.shooter() != Some(square) {
                    seen[which].count_up_to_three(kind.moves(kernel, geometry, side, square, open) & empty);
                }
            }
        }
        let class = |side: Side| Planes::classes(&view.levels, side.index(), empty, &[1, 2, 3]).0;
        Self {
            kernel,
            position,
            pieces,
            open: empty | position.passed(side),
            distances: [Numbers::new(kernel, class(!side)), Numbers::new(kernel, class(side))],
            seen: [Numbers::new(kernel, seen[0].low()), Numbers::new(kernel, seen[1].low())],
            flipping: Flipping::new(kernel, position, &view.ends(position)),
        }
    }

    /// Half the number of squares that a piece could move to from `square`.
    #[inline(always)]
    fn sight(&self, square: Square) -> usize {
        let position = self.position;
        let (kind, side) = (position.kind(), position.side_to_move());
        let targets = kind.moves(self.kernel, position.geometry(), side, square, self.open) & position.empty();
        (targets.count() as usize / 2).min(SIGHT - 1)
    }

    /// The squares next to `square`, as pieces of the side to move, or of the enemy, move.
    #[inline(always)]
    fn near(&self, which: usize, square: Square) -> Bitboard {
        self.position.kind().near(self.position.geometry(), self.side_of(which), square)
    }

    #[inline(always)]
    fn side_of(&self, which: usize) -> Side {
        let side = self.position.side_to_move();
        if which == 0 { side } else { !side }
    }

    /// The number of a side's pieces from which `square` is the next, as they move, at most three.
    #[inline(always)]
    fn next_to(&self, which: usize, square: Square) -> usize {
        (self.near(which, square) & self.pieces[which]).count().min(3) as usize
    }

    /// The fewest empty squares next to one of a side's pieces that are next to `square`; the last number without any.
    #[inline(always)]
    fn least_space(&self, which: usize, square: Square) -> usize {
        let mut fewest = OPEN;
        for piece in self.near(which, square) & self.pieces[which] {
            fewest = fewest.min(openness(self.position, self.side_of(which), piece));
        }
        fewest
    }

    /// The features of the square that a step goes to.
    #[inline(always)]
    fn square(&self, to: Square, add: &mut impl FnMut(usize)) {
        add(self.distances[0].at(to));
        add(self.distances[1].at(to));
        add(openness(self.position, self.side_of(0), to));
        add(self.seen[0].at(to));
        add(self.seen[1].at(to));
        add(edge_distance(self.position.geometry(), to));
        add(self.next_to(1, to));
        add(self.next_to(0, to));
        self.flipping.square(to, add);
    }
}

impl<K: Kernel> move_fire::StepView for StepView<'_, K> {
    const MOVE_TABLES: &'static [usize] = &MOVE_TABLES;
    const TARGET_TABLES: usize = SHARED + 2;
    const FIRE_TABLES: &'static [usize] = &FIRE_TABLES;

    #[inline(always)]
    fn target(&self, to: Square, add: &mut impl FnMut(usize)) {
        self.square(to, add);
        add(self.flipping.after_move(to));
        add(self.sight(to));
    }

    #[inline(always)]
    fn origin(&self, from: Square, add: &mut impl FnMut(usize)) {
        add(openness(self.position, self.side_of(0), from));
        add(self.sight(from));
    }

    #[inline(always)]
    fn fire(&self, shooter: Square, at: Square, add: &mut impl FnMut(usize)) {
        self.square(at, add);
        add(self.flipping.by_fire(shooter, at));
        add(self.least_space(1, at));
        add(self.least_space(0, at));
        add(self.sight(at));
        add(length(shooter, at));
    }
}

pub(super) struct Score<'a> {
    pub weights: &'a StepWeights<STEP_FEATURES>,
    pub position: &'a General,
    pub steps: &'a [MoveFireStep],
    pub logits: &'a mut [f32],
}

impl KernelTask for Score<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let view = StepView::new(kernel, self.position);
        let weights = self.weights.phase(fine_phase(self.position) / 256);
        move_fire::score(&view, self.position.shooter(), weights, self.steps, self.logits);
    }
}

/// The features of `steps`, for fitting.
#[must_use]
pub fn step_features(position: &General, steps: &[MoveFireStep]) -> Vec<StepFeatures> {
    move_fire::features(&StepView::new(Portable, position), position.shooter(), steps)
}
