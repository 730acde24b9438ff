//! The common part of the policies of games in which a turn is *move and fire*: facts around squares, and how steps are
//! scored.
//!
//! The logit of a step is a sum of weights, one from each of several tables. For a move they depend on its target, on
//! the square it leaves and on its length; for a fire, on its square and on its distance. No candidate is evaluated by
//! itself.

use super::learned::{StepFeatures, TableSum, features_of, total};
use super::network::SCALE;
use super::squares::{Numbers, Openness, Planes, Sight, length};
use crate::board::flood::{Kernel, Levels};
use crate::board::{Bitboard, FRAME, Geometry, Square};
use crate::games::move_fire::{FireAt, Flips, Kind, MoveFire, Turns};
use crate::games::{MoveFireStep, Position, Side, StepKind};

/// Facts around every square, from the view of the side to move.
pub(super) struct Surroundings<'a> {
    pub geometry: &'a Geometry,
    pub empty: Bitboard,
    /// The amazons of the side to move, and of the enemy.
    pub amazons: [Bitboard; 2],
    /// Empty neighbours.
    pub openness: Numbers,
    /// How many of each side's amazons see a square, at most three; without the one that is about to fire.
    pub seen: [Numbers; 2],
    /// The enemy's queen distance in five classes: 1, 2, 3, farther, out of reach.
    pub queen: Numbers,
    /// Half the number of empty squares in sight, while no amazon is about to fire.
    sight: Option<Numbers>,
}

impl<'a> Surroundings<'a> {
    /// Looks around a board with these squares empty and these amazons, of which one may be about to fire. `enemy` is
    /// the enemy's index in the queen distances.
    #[inline(always)]
    pub fn new<K: Kernel, const N: usize>(
        kernel: K,
        geometry: &'a Geometry,
        empty: Bitboard,
        amazons: [Bitboard; 2],
        shooter: Option<Square>,
        queen: &Levels<N>,
        enemy: usize,
    ) -> Self {
        let mut seen = [Planes::NONE; 2];
        for which in 0..2 {
            for square in amazons[which] {
                if shooter != Some(square) {
                    seen[which].count_up_to_three(kernel.queen_targets(geometry, square, empty));
                }
            }
        }
        Self {
            geometry,
            empty,
            amazons,
            openness: Numbers::new(kernel, *Openness::new(geometry, empty).planes()),
            seen: [Numbers::new(kernel, seen[0].low()), Numbers::new(kernel, seen[1].low())],
            queen: Numbers::new(kernel, Planes::classes(queen, enemy, empty, &[1, 2, 3]).0),
            sight: if shooter.is_none() { Some(Numbers::new(kernel, Sight::new(geometry, empty).0)) } else { None },
        }
    }

    /// The number of squares of `set` beside `square`, `most` at most.
    #[inline(always)]
    pub fn beside(&self, set: Bitboard, square: Square, most: u32) -> usize {
        (self.geometry.neighbours(square) & set).count().min(most) as usize
    }

    /// The fewest empty neighbours that one of a side's amazons beside `square` has; 8 without any.
    #[inline(always)]
    pub fn least_space(&self, which: usize, square: Square) -> usize {
        let mut fewest = 8;
        for amazon in self.geometry.neighbours(square) & self.amazons[which] {
            fewest = fewest.min(self.openness.at(amazon));
        }
        fewest
    }

    /// Half the number of squares that a queen on `square` sees, at most 13. Only asked of moves.
    #[inline(always)]
    pub fn sight(&self, square: Square) -> usize {
        self.sight.as_ref().map_or(0, |sight| sight.at(square).min(13))
    }
}

/// Stones that one fire flips; more count as the last.
pub(super) const FLIPS: usize = 8;

/// Where lines are closed as in Othello: the squares where a stone would flip at least N stones, N = 1 … 7.
#[derive(Default)]
struct Prizes {
    at_least: [Bitboard; FLIPS - 1],
}

impl Prizes {
    /// Looks at all of `empty` beside stones of the enemy; `flips` says how many stones a stone on a square flips.
    #[inline(always)]
    fn new(geometry: &Geometry, empty: Bitboard, enemy: Bitboard, flips: impl Fn(Square) -> u32) -> Self {
        let mut prizes = Self::default();
        for at in empty {
            if (geometry.neighbours(at) & enemy).is_empty() {
                continue;
            }
            for set in &mut prizes.at_least[..(flips(at) as usize).min(FLIPS - 1)] {
                *set = set.with(at);
            }
        }
        prizes
    }

    /// The most stones that a fire at one of `shots` flips.
    #[inline(always)]
    fn best_within(&self, shots: Bitboard) -> usize {
        let mut best = 0;
        for set in &self.at_least {
            best += usize::from(set.intersects(shots));
        }
        best
    }
}

/// Stones around the squares of steps, and what flips.
pub(super) struct Flipping<'a, N, G: Kind> {
    kernel: N,
    position: &'a MoveFire<G>,
    side: Side,
    /// Stones of the side to move, and of the enemy.
    pub stones: [Bitboard; 2],
    /// How many runs that can be flipped at once end at a square, at most three: own ones, then the enemy's.
    pub ends: [Numbers; 2],
    prizes: Prizes,
}

impl<'a, N: Kernel, G: Kind> Flipping<'a, N, G> {
    /// With the ends of runs, as [`View::ends`](super::lines::View::ends) gives them.
    #[inline(always)]
    pub fn new(kernel: N, position: &'a MoveFire<G>, ends: &[Planes; 2]) -> Self {
        let (geometry, side, empty) = (position.geometry(), position.side_to_move(), position.empty());
        let stones = [position.stones(side), position.stones(!side)];
        let prizes = if position.at_turn_start() && position.rules().flips == Flips::Lines {
            Prizes::new(geometry, empty, stones[1], |at| position.flipped(side, at, at).count())
        } else {
            Prizes::default()
        };
        let ends = [Numbers::new(kernel, ends[0].0), Numbers::new(kernel, ends[1].0)];
        Self { kernel, position, side, stones, ends, prizes }
    }

    /// The most stones that a fire flips after a move to `to`.
    #[inline(always)]
    pub fn after_move(&self, to: Square) -> usize {
        let (position, empty) = (self.position, self.position.empty());
        let rules = position.rules();
        match rules.flips {
            Flips::None => 0,
            _ if position.move_only() || rules.turns == Turns::MoveOrFire => 0,
            Flips::Lines => match rules.fire_at {
                FireAt::Reach => {
                    let fires = position.kind().fires(self.kernel, position.geometry(), self.side, to, empty);
                    self.prizes.best_within(fires)
                }
                FireAt::Anywhere | FireAt::Edge => self.prizes.best_within(empty),
                // Nearly always in the midst of nothing.
                FireAt::Left => 0,
            },
            Flips::Run(_) => {
                let mut most = 0;
                for at in position.flip_targets(self.side, to, empty.without(to)) {
                    most = most.max(position.flipped(self.side, to, at).count() as usize);
                }
                most.min(FLIPS - 1)
            }
        }
    }

    /// The stones that a fire flips; none if it is held.
    #[inline(always)]
    pub fn by_fire(&self, shooter: Square, at: Square) -> usize {
        let is_held = self.position.shooter() == Some(at);
        let flips = if is_held { 0 } else { self.position.flipped(self.side, shooter, at).count() };
        (flips as usize).min(FLIPS - 1)
    }

    /// The number of own stones beside `square`, or of the enemy's, at most four.
    #[inline(always)]
    pub fn beside(&self, which: usize, square: Square) -> usize {
        (self.position.geometry().neighbours(square) & self.stones[which]).count().min(4) as usize
    }

    /// The features of the square that a step goes to.
    #[inline(always)]
    pub fn square(&self, to: Square, add: &mut impl FnMut(usize)) {
        add(self.beside(1, to));
        add(self.beside(0, to));
        add(self.ends[0].at(to));
        add(self.ends[1].at(to));
    }
}

/// The features of a position's steps. Each function gives one index into each of its tables, in their order.
pub(super) trait StepView {
    /// Sizes of the tables of a move: of its target, of the square it leaves, and one of its length.
    const MOVE_TABLES: &'static [usize];
    /// How many of these are the target's.
    const TARGET_TABLES: usize;
    /// Sizes of the tables of a fire.
    const FIRE_TABLES: &'static [usize];

    /// The features of a move that do not depend on which amazon goes to `to`.
    fn target(&self, to: Square, add: &mut impl FnMut(usize));
    /// The features of the square that an amazon leaves.
    fn origin(&self, from: Square, add: &mut impl FnMut(usize));
    /// The features of a fire.
    fn fire(&self, shooter: Square, at: Square, add: &mut impl FnMut(usize));
}

/// Sets the logits of `steps`, moves or fires of the amazon on `shooter`, by the weights of a phase: of moves, then of
/// fires.
#[inline(always)]
pub(super) fn score<V: StepView>(
    view: &V,
    shooter: Option<Square>,
    weights: &[i32],
    steps: &[MoveFireStep],
    logits: &mut [f32],
) {
    let (moves, fires) = weights.split_at(const { total(V::MOVE_TABLES) });
    let origin_tables = &V::MOVE_TABLES[V::TARGET_TABLES..];
    let origins = &moves[total(&V::MOVE_TABLES[..V::TARGET_TABLES])..];
    let lengths = &moves[total(&V::MOVE_TABLES[..V::MOVE_TABLES.len() - 1])..];
    // The weights of targets and origins are summed up once.
    let (mut known, mut targets) = (Bitboard::EMPTY, [0; FRAME]);
    let (mut left, mut origin) = (None, 0);
    for (&step, logit) in steps.iter().zip(logits) {
        let sum = match step.kind() {
            StepKind::Move { from, to } => {
                if !known.contains(to) {
                    known = known.with(to);
                    let mut sum = TableSum::new(moves, V::MOVE_TABLES);
                    view.target(to, &mut |index| sum.add(index));
                    targets[to.index()] = sum.sum;
                }
                if left != Some(from) {
                    left = Some(from);
                    let mut sum = TableSum::new(origins, origin_tables);
                    view.origin(from, &mut |index| sum.add(index));
                    origin = sum.sum;
                }
                targets[to.index()] + origin + lengths[length(from, to)]
            }
            StepKind::Fire { at } => {
                let mut sum = TableSum::new(fires, V::FIRE_TABLES);
                view.fire(shooter.unwrap_or(at), at, &mut |index| sum.add(index));
                sum.sum
            }
        };
        *logit = sum as f32 / SCALE;
    }
}

/// The features of `steps`, for fitting; the same that [`score`] adds up.
pub(super) fn features<V: StepView>(view: &V, shooter: Option<Square>, steps: &[MoveFireStep]) -> Vec<StepFeatures> {
    let of = |step: &MoveFireStep| {
        let mut indices = Vec::new();
        let mut add = |index| indices.push(index);
        match step.kind() {
            StepKind::Move { from, to } => {
                view.target(to, &mut add);
                view.origin(from, &mut add);
                add(length(from, to));
                features_of(0, V::MOVE_TABLES, &indices)
            }
            StepKind::Fire { at } => {
                view.fire(shooter.unwrap_or(at), at, &mut add);
                features_of(total(V::MOVE_TABLES), V::FIRE_TABLES, &indices)
            }
        }
    };
    steps.iter().map(of).collect()
}
