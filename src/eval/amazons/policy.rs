//! Priors for steps from the distances of the position they are played in: no evaluation of each candidate.
//!
//! A step's logit is a sum of weights, one from each of several tables: for a move by what is known of its target, of the square it leaves
//! and of its length, for a fire by what is known of its square and of its distance. The weights depend on how full the board is.

use super::counts::phase_index;
use super::features::Distances;
use crate::board::flood::{Kernel, KernelTask, Portable};
use crate::board::{Bitboard, FRAME, Geometry, Square};
use crate::eval::learned::{StepFeatures, StepWeights, TableSum, features_of, total};
use crate::eval::network::SCALE;
use crate::eval::squares::{Numbers, Openness, Planes, edge_distance, length};
use crate::games::Position;
use crate::games::amazons::Amazons;
use crate::games::{MoveFireStep, StepKind};

/// Sizes of the tables for a move, in the order in which [`features`] uses them: of the target the enemy's queen distance, empty neighbours,
/// squares in sight, own amazons and enemy amazons that see it, the enemy's king distance, distance from the edge, enemy amazons and
/// own ones beside it; of the square left empty neighbours and squares in sight; the length.
const MOVE_TABLES: [usize; 12] = [5, 8, 14, 4, 4, 7, 6, 4, 4, 8, 14, 10];
/// The same for a fire: the enemy's queen distance, empty neighbours, other own amazons and enemy amazons that see the square, the enemy's king
/// distance, distance from the edge, enemy amazons and own ones beside it, and the fewest empty neighbours that one of these has;
/// the distance from the amazon that fires.
const FIRE_TABLES: [usize; 11] = [5, 8, 4, 4, 7, 6, 4, 4, 9, 9, 10];

/// Weights of one phase: of moves, then of fires.
pub const POLICY_FEATURES: usize = total(&MOVE_TABLES) + total(&FIRE_TABLES);

/// The weights of the policy.
pub type Policy = StepWeights<POLICY_FEATURES>;

/// Weights that were guessed: towards squares that the enemy reaches soon and with much space, fires beside enemies.
pub(super) fn bootstrap() -> Policy {
    let by_openness = |weight: f32| move |openness: usize| weight * openness as f32;
    let by_distance = |weights: [f32; 5]| move |class: usize| weights[class];
    let none = |_: usize| 0.0;
    let moves: [&dyn Fn(usize) -> f32; 12] = [
        &by_distance([0.4, 0.3, 0.0, -0.3, -1.5]),
        &by_openness(0.12),
        &|sight| 0.08 * sight as f32,
        &none,
        &none,
        &none,
        &none,
        &none,
        &none,
        &by_openness(-0.12),
        &none,
        &none,
    ];
    let fires: [&dyn Fn(usize) -> f32; 11] = [
        &by_distance([0.9, 0.3, 0.0, -0.5, -2.5]),
        &by_openness(0.05),
        &none,
        &none,
        &none,
        &none,
        &|enemies| 0.8 * enemies as f32,
        &|own| -0.3 * own as f32,
        &none,
        &none,
        &none,
    ];
    let mut phase = Vec::new();
    let sizes = MOVE_TABLES.iter().chain(&FIRE_TABLES);
    for (weight, &size) in moves.iter().chain(&fires).zip(sizes) {
        phase.extend((0..size).map(|index| (weight(index) * SCALE).round() as i32));
    }
    Policy::of_phase(&phase)
}

/// What the features of a position's steps have in common.
struct View<'a> {
    position: &'a Amazons,
    geometry: &'a Geometry,
    /// Empty neighbours.
    openness: Numbers,
    /// The amazons of the side to move, and of the enemy.
    amazons: [Bitboard; 2],
    /// How many of each side's amazons see a square, at most three; without the one that is about to fire.
    seen: [Numbers; 2],
    /// The enemy's queen distance in five classes (1, 2, 3, farther, out of reach) and its king distance in seven (1, 2, 3, 4, 6 and less,
    /// farther, out of reach).
    queen: Numbers,
    king: Numbers,
}

impl<'a> View<'a> {
    #[inline(always)]
    fn new<K: Kernel>(kernel: K, position: &'a Amazons) -> Self {
        let (geometry, side, empty) = (position.geometry(), position.side_to_move(), position.empty());
        let amazons = [position.amazons(side), position.amazons(!side)];
        let mut seen = [Planes::NONE; 2];
        for which in 0..2 {
            for square in amazons[which] {
                if position.shooter() != Some(square) {
                    seen[which].count_up_to_three(geometry.queen_targets(square, empty));
                }
            }
        }
        let distances = Distances::new(kernel, position);
        let enemy = (!side).index();
        Self {
            position,
            geometry,
            openness: Numbers::new(Planes(Openness::new(geometry, empty).planes())),
            amazons,
            seen: seen.map(Numbers::new),
            queen: Numbers::new(Planes::classes(&distances.queen, enemy, empty, &[1, 2, 3])),
            king: Numbers::new(Planes::classes(&distances.king, enemy, empty, &[1, 2, 3, 4, 6])),
        }
    }

    /// How many of a side's amazons stand beside `square`, at most three.
    #[inline(always)]
    fn beside(&self, which: usize, square: Square) -> usize {
        (self.geometry.neighbours(square) & self.amazons[which]).count().min(3) as usize
    }

    /// The fewest empty neighbours that one of these has; 8 without any.
    #[inline(always)]
    fn least_space(&self, which: usize, square: Square) -> usize {
        let mut fewest = 8;
        for amazon in self.geometry.neighbours(square) & self.amazons[which] {
            fewest = fewest.min(self.openness.at(amazon));
        }
        fewest
    }

    /// Half the number of squares that a queen on `square` sees, at most 13.
    #[inline(always)]
    fn sight(&self, square: Square) -> usize {
        (self.geometry.queen_targets(square, self.position.empty()).count() as usize / 2).min(13)
    }

    /// The features of a target that do not depend on which amazon goes there.
    #[inline(always)]
    fn target(&self, to: Square, add: &mut impl FnMut(usize)) {
        add(self.queen.at(to));
        add(self.openness.at(to));
        add(self.sight(to));
        add(self.seen[0].at(to));
        add(self.seen[1].at(to));
        add(self.king.at(to));
        add(edge_distance(self.geometry, to));
        add(self.beside(1, to));
        add(self.beside(0, to));
    }

    /// Those of the square that an amazon leaves.
    #[inline(always)]
    fn origin(&self, from: Square, add: &mut impl FnMut(usize)) {
        add(self.openness.at(from));
        add(self.sight(from));
    }

    /// Those of a fire.
    #[inline(always)]
    fn fire(&self, shooter: Square, at: Square, add: &mut impl FnMut(usize)) {
        add(self.queen.at(at));
        add(self.openness.at(at));
        add(self.seen[0].at(at));
        add(self.seen[1].at(at));
        add(self.king.at(at));
        add(edge_distance(self.geometry, at));
        add(self.beside(1, at));
        add(self.beside(0, at));
        add(self.least_space(1, at));
        add(self.least_space(0, at));
        add(length(shooter, at));
    }
}

const TARGET_TABLES: usize = 9;
const ORIGIN_TABLES: usize = 2;

pub(super) struct Score<'a> {
    pub policy: &'a Policy,
    pub position: &'a Amazons,
    pub steps: &'a [MoveFireStep],
    pub logits: &'a mut [f32],
}

impl KernelTask for Score<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let view = View::new(kernel, self.position);
        let weights = self.policy.phase(phase_index(self.position));
        let (moves, fires) = weights.split_at(total(&MOVE_TABLES));
        let origins = &moves[total(&MOVE_TABLES) - total(&MOVE_TABLES[TARGET_TABLES..])..];
        let lengths = &moves[total(&MOVE_TABLES) - MOVE_TABLES[TARGET_TABLES + ORIGIN_TABLES]..];
        // What is known of targets and origins is summed up once.
        let (mut known, mut targets) = (Bitboard::EMPTY, [0; FRAME]);
        let (mut left, mut origin) = (None, 0);
        for (&step, logit) in self.steps.iter().zip(self.logits) {
            let sum = match step.kind() {
                StepKind::Move { from, to } => {
                    if !known.contains(to) {
                        known = known.with(to);
                        let mut sum = TableSum::new(moves, &MOVE_TABLES);
                        view.target(to, &mut |index| sum.add(index));
                        targets[to.index()] = sum.sum;
                    }
                    if left != Some(from) {
                        left = Some(from);
                        let mut sum = TableSum::new(origins, &MOVE_TABLES[TARGET_TABLES..]);
                        view.origin(from, &mut |index| sum.add(index));
                        origin = sum.sum;
                    }
                    targets[to.index()] + origin + lengths[length(from, to)]
                }
                StepKind::Fire { at } => {
                    let shooter = self.position.shooter().unwrap_or(at);
                    let mut sum = TableSum::new(fires, &FIRE_TABLES);
                    view.fire(shooter, at, &mut |index| sum.add(index));
                    sum.sum
                }
            };
            *logit = sum as f32 / SCALE;
        }
    }
}

/// The features of `steps`, for fitting.
#[must_use]
pub fn step_features(position: &Amazons, steps: &[MoveFireStep]) -> Vec<StepFeatures> {
    let view = View::new(Portable, position);
    let of = |step: &MoveFireStep| {
        let mut indices = Vec::new();
        let mut add = |index| indices.push(index);
        match step.kind() {
            StepKind::Move { from, to } => {
                view.target(to, &mut add);
                view.origin(from, &mut add);
                add(length(from, to));
                features_of(0, &MOVE_TABLES, &indices)
            }
            StepKind::Fire { at } => {
                view.fire(position.shooter().unwrap_or(at), at, &mut add);
                features_of(total(&MOVE_TABLES), &FIRE_TABLES, &indices)
            }
        }
    };
    steps.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::PHASES;
    use crate::games::{Notation, variant};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn scores_are_the_sums_of_the_features_weights() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let table: Vec<i32> = (0..PHASES * POLICY_FEATURES).map(|_| random.random_range(-90_000..90_000)).collect();
        let policy = Policy::from_table(&table).unwrap();
        let variant = variant::find("amazons").unwrap();
        let mut position = Amazons::from_fen(variant, variant.start).unwrap();
        let mut seen = std::collections::HashSet::new();
        while !(position.at_turn_start() && position.outcome().is_some()) {
            let steps = position.steps();
            let mut logits = vec![0.0; steps.len()];
            crate::board::flood::with_best_kernel(Score {
                policy: &policy,
                position: &position,
                steps: &steps,
                logits: &mut logits,
            });
            let phase = phase_index(&position) * POLICY_FEATURES;
            for (features, logit) in step_features(&position, &steps).iter().zip(logits) {
                seen.extend(features.iter().copied());
                let sum: i32 = features.iter().map(|&feature| table[phase + usize::from(feature)]).sum();
                assert_eq!(logit, sum as f32 / SCALE);
            }
            position.play(steps[random.random_range(0..steps.len())]);
        }
        assert!(seen.len() > POLICY_FEATURES / 2, "{}", seen.len());
        assert!(seen.iter().all(|&feature| usize::from(feature) < POLICY_FEATURES));
    }
}
