//! Priors for steps, by the distances of the position in which they are played.
//!
//! The weights of a move depend on its target, on the square it leaves and on its length; those of a fire on its square
//! and on its distance. All of them depend on how full the board is.

use super::counts::phase_index;
use super::features::Distances;
use super::shapes::{self, StepShapes};
use crate::board::Square;
use crate::board::flood::{Kernel, KernelTask, Portable};
use crate::eval::learned::{StepFeatures, StepWeights, total};
use crate::eval::move_fire::{self, StepView, Surroundings};
use crate::eval::network::SCALE;
use crate::eval::squares::{Numbers, Planes, edge_distance, length};
use crate::games::amazons::Amazons;
use crate::games::{MoveFireStep, Position};

/// Sizes of the tables for a move, in the order in which [`StepView`] wants them: of the target the enemy's queen
/// distance, empty neighbours, squares in sight, own amazons and enemy amazons that see it, the enemy's king distance,
/// distance from the edge, enemy amazons and own ones beside it; of the square left empty neighbours and squares in
/// sight; the length.
const MOVE_TABLES: [usize; 12] = [5, 8, 14, 4, 4, 7, 6, 4, 4, 8, 14, 10];
/// Sizes of the tables for a fire, in the order of [`StepView`]: the enemy's queen distance, empty neighbours, other
/// own amazons and enemy amazons that see the square, the enemy's king distance, distance from the edge, enemy amazons
/// and own ones beside it, and the fewest empty neighbours that one of these has; the distance from the amazon that
/// fires.
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

/// Facts of a position that the features of all its steps depend on.
struct View<'a> {
    around: Surroundings<'a>,
    /// The enemy's king distance in seven classes: 1, 2, 3, 4, 6 and less, farther, out of reach.
    king: Numbers,
    /// How many of each side's amazons stand beside a square, at most three.
    beside: [Numbers; 2],
}

impl<'a> View<'a> {
    #[inline(always)]
    fn new<K: Kernel>(kernel: K, position: &'a Amazons, distances: &Distances) -> Self {
        let (geometry, side, empty) = (position.geometry(), position.side_to_move(), position.empty());
        let amazons = [position.amazons(side), position.amazons(!side)];
        let enemy = (!side).index();
        let mut beside = [Planes::NONE; 2];
        for which in 0..2 {
            for amazon in amazons[which] {
                beside[which].count_up_to_three(geometry.neighbours(amazon));
            }
        }
        Self {
            around: Surroundings::new(kernel, geometry, empty, amazons, position.shooter(), &distances.queen, enemy),
            king: Numbers::new(kernel, Planes::classes(&distances.king, enemy, empty, &[1, 2, 3, 4, 6]).0),
            beside: [Numbers::new(kernel, beside[0].low()), Numbers::new(kernel, beside[1].low())],
        }
    }
}

impl StepView for View<'_> {
    const MOVE_TABLES: &'static [usize] = &MOVE_TABLES;
    const TARGET_TABLES: usize = 9;
    const FIRE_TABLES: &'static [usize] = &FIRE_TABLES;

    #[inline(always)]
    fn target(&self, to: Square, add: &mut impl FnMut(usize)) {
        let around = &self.around;
        add(around.queen.at(to));
        add(around.openness.at(to));
        add(around.sight(to));
        add(around.seen[0].at(to));
        add(around.seen[1].at(to));
        add(self.king.at(to));
        add(edge_distance(around.geometry, to));
        add(self.beside[1].at(to));
        add(self.beside[0].at(to));
    }

    #[inline(always)]
    fn origin(&self, from: Square, add: &mut impl FnMut(usize)) {
        add(self.around.openness.at(from));
        add(self.around.sight(from));
    }

    #[inline(always)]
    fn fire(&self, shooter: Square, at: Square, add: &mut impl FnMut(usize)) {
        let around = &self.around;
        add(around.queen.at(at));
        add(around.openness.at(at));
        add(around.seen[0].at(at));
        add(around.seen[1].at(at));
        add(self.king.at(at));
        add(edge_distance(around.geometry, at));
        add(self.beside[1].at(at));
        add(self.beside[0].at(at));
        add(around.least_space(1, at));
        add(around.least_space(0, at));
        add(length(shooter, at));
    }
}

pub(super) struct Score<'a> {
    pub policy: &'a Policy,
    pub shapes: Option<&'a StepShapes>,
    pub position: &'a Amazons,
    pub steps: &'a [MoveFireStep],
    pub logits: &'a mut [f32],
}

impl KernelTask for Score<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let distances = Distances::new(kernel, self.position);
        let view = View::new(kernel, self.position, &distances);
        let phase = phase_index(self.position);
        let weights = self.policy.phase(phase);
        move_fire::score(&view, self.position.shooter(), weights, self.steps, self.logits);
        if let Some(shapes) = self.shapes {
            let classes = shapes::classes(kernel, self.position, self.position.side_to_move(), &distances);
            shapes.add(&classes, phase, self.steps, self.logits);
        }
    }
}

/// The features of `steps`, for fitting.
#[must_use]
pub fn step_features(position: &Amazons, steps: &[MoveFireStep]) -> Vec<StepFeatures> {
    let view = View::new(Portable, position, &Distances::new(Portable, position));
    move_fire::features(&view, position.shooter(), steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::flood::with_best_kernel;
    use crate::eval::learned::assert_scores_are_sums;
    use crate::games::{Notation, variant};

    #[test]
    fn scores_are_the_sums_of_the_features_weights() {
        let variant = &variant::find("amazons").unwrap();
        assert_scores_are_sums(
            &[Amazons::from_fen(variant, variant.start()).unwrap()],
            phase_index,
            step_features,
            |policy, position, steps, logits| with_best_kernel(Score { policy, shapes: None, position, steps, logits }),
        );
    }
}
