//! Priors for steps, by the position in which they are played: stones that flip, stones that are saved, and empty
//! neighbours.

use super::counts::view;
use super::shapes::{self, StepShapes};
use crate::board::flood::{Kernel, KernelTask, Portable};
use crate::board::{Direction, Square};
use crate::eval::learned::{StepFeatures, StepWeights, joined, total};
use crate::eval::lines::View;
use crate::eval::move_fire::{self, FLIPS, Flipping, Surroundings};
use crate::eval::network::SCALE;
use crate::eval::squares::{Planes, edge_distance, length, phase_by_taken};
use crate::games::desdemona::{Desdemona, DesdemonaRules};
use crate::games::{MoveFireStep, Position};

/// Sizes of the tables for what a move and a fire have in common, both about their square: the enemy's queen distance,
/// empty neighbours, own amazons and enemy amazons that see it, distance from the edge, enemy amazons and own ones
/// beside it, enemy stones and own ones beside it; ends of own runs that the enemy can flip at once, and of runs of the
/// enemy's that we can.
const SQUARE_TABLES: [usize; 11] = [5, 8, 4, 4, 6, 4, 4, 5, 5, 4, 4];
/// For a move then: the most stones that a shot from there flips, squares in sight; of the square left empty
/// neighbours, squares in sight, enemy stones and own ones beside it, runs of own stones that the amazon guards; the
/// length.
const MOVE_TABLES: [usize; 19] = joined(SQUARE_TABLES, [FLIPS, 14, 8, 14, 5, 5, 4, 10]);
/// For a fire: stones flipped, the fewest empty neighbours that an enemy amazon beside it has, and an own one; axes on
/// which the square lies between two empty ones; the distance from the amazon that fires.
const FIRE_TABLES: [usize; 16] = joined(SQUARE_TABLES, [FLIPS, 9, 9, 5, 10]);
const SHARED: usize = SQUARE_TABLES.len();

/// Weights of one phase: of moves, then of fires.
pub const STEP_FEATURES: usize = total(&MOVE_TABLES) + total(&FIRE_TABLES);
/// Guessed weights: towards flips and empty neighbours, shots beside enemies.
pub(super) fn bootstrap() -> StepWeights<STEP_FEATURES> {
    let mut weights = vec![0.0; STEP_FEATURES];
    let mut fill = |start: usize, sizes: &[usize], table: usize, values: &[f32]| {
        let start = start + total(&sizes[..table]);
        weights[start..start + values.len()].copy_from_slice(values);
    };
    let open: [f32; 8] = std::array::from_fn(|openness| 0.08 * openness as f32);
    fill(0, &MOVE_TABLES, 1, &open);
    fill(0, &MOVE_TABLES, SHARED, &[0.0, 1.2, 1.6, 2.0, 2.3, 2.6, 2.6, 2.6]);
    let fires = total(&MOVE_TABLES);
    fill(fires, &FIRE_TABLES, 5, &[0.0, 0.3, 0.6, 0.9]);
    fill(fires, &FIRE_TABLES, SHARED, &[0.0, 2.0, 2.6, 3.0, 3.3, 3.6, 3.6, 3.6]);
    let weights: Vec<i32> = weights.iter().map(|weight| (weight * SCALE).round() as i32).collect();
    StepWeights::of_phase(&weights)
}

/// The phase of the policy times 256, by the share of squares that are filled.
#[must_use]
#[inline(always)]
pub fn fine_step_phase(position: &Desdemona) -> usize {
    phase_by_taken(position.geometry(), position.empty())
}

/// Facts of a position that the features of all its steps depend on.
struct StepView<'a, K> {
    around: Surroundings<'a>,
    flipping: Flipping<'a, K, DesdemonaRules>,
}

impl<'a, K: Kernel> StepView<'a, K> {
    #[inline(always)]
    fn new(kernel: K, position: &'a Desdemona, view: &View, ends: &[Planes; 2]) -> Self {
        let (geometry, side, empty) = (position.geometry(), position.side_to_move(), position.empty());
        let amazons = [position.amazons(side), position.amazons(!side)];
        let (shooter, enemy) = (position.shooter(), (!side).index());
        Self {
            around: Surroundings::new(kernel, geometry, empty, amazons, shooter, &view.levels, enemy),
            flipping: Flipping::new(kernel, position, ends),
        }
    }

    /// Runs of own stones that end at the amazon on `from` and at an empty square, at most three.
    #[inline(always)]
    fn guarded(&self, from: Square) -> usize {
        let (Surroundings { geometry, empty, .. }, own) = (&self.around, self.flipping.stones[0]);
        let mut runs = 0;
        for first in geometry.neighbours(from) & own {
            if let Some(direction) = Direction::towards(from, first) {
                runs += usize::from(geometry.behind(direction, from, own).intersects(*empty));
            }
        }
        runs.min(3)
    }

    /// Axes on which `at` lies between two empty squares.
    #[inline(always)]
    fn between_empty(&self, at: Square) -> usize {
        let near = self.around.geometry.neighbours(at) & self.around.empty;
        let mut axes = 0;
        for axis in 0..4 {
            let [up, down] = [axis, axis + 4].map(|direction| self.around.geometry.ray(Direction::ALL[direction], at));
            axes += usize::from(near.intersects(up) && near.intersects(down));
        }
        axes
    }

    /// The features of the square that a step goes to.
    #[inline(always)]
    fn square(&self, to: Square, add: &mut impl FnMut(usize)) {
        let around = &self.around;
        add(around.queen.at(to));
        add(around.openness.at(to));
        add(around.seen[0].at(to));
        add(around.seen[1].at(to));
        add(edge_distance(around.geometry, to));
        add(around.beside(around.amazons[1], to, 3));
        add(around.beside(around.amazons[0], to, 3));
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
        add(self.around.sight(to));
    }

    #[inline(always)]
    fn origin(&self, from: Square, add: &mut impl FnMut(usize)) {
        let around = &self.around;
        add(around.openness.at(from));
        add(around.sight(from));
        add(self.flipping.beside(1, from));
        add(self.flipping.beside(0, from));
        add(self.guarded(from));
    }

    #[inline(always)]
    fn fire(&self, shooter: Square, at: Square, add: &mut impl FnMut(usize)) {
        self.square(at, add);
        add(self.flipping.by_fire(shooter, at));
        add(self.around.least_space(1, at));
        add(self.around.least_space(0, at));
        add(self.between_empty(at));
        add(length(shooter, at));
    }
}

pub(super) struct Score<'a> {
    pub weights: &'a StepWeights<STEP_FEATURES>,
    pub shapes: Option<&'a StepShapes>,
    pub position: &'a Desdemona,
    pub steps: &'a [MoveFireStep],
    pub logits: &'a mut [f32],
}

impl KernelTask for Score<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let view = view(kernel, self.position);
        let ends = view.ends(self.position);
        let steps = StepView::new(kernel, self.position, &view, &ends);
        let phase = fine_step_phase(self.position) / 256;
        move_fire::score(&steps, self.position.shooter(), self.weights.phase(phase), self.steps, self.logits);
        if let Some(shapes) = self.shapes {
            let classes = shapes::classes(kernel, self.position, &view, &ends);
            shapes.add(&classes, phase, self.steps, self.logits);
        }
    }
}

/// The features of `steps`, for fitting.
#[must_use]
pub fn step_features(position: &Desdemona, steps: &[MoveFireStep]) -> Vec<StepFeatures> {
    let view = view(Portable, position);
    let steps_view = StepView::new(Portable, position, &view, &view.ends(position));
    move_fire::features(&steps_view, position.shooter(), steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::flood::with_best_kernel;
    use crate::eval::learned::assert_scores_are_sums;
    use crate::games::{Notation, variant};

    #[test]
    fn scores_are_the_sums_of_the_features_weights() {
        let starts = ["desdemona", "iago", "desdemona-early"].map(|name| {
            let variant = &variant::find(name).unwrap();
            Desdemona::from_fen(variant, variant.start()).unwrap()
        });
        let phase = |position: &Desdemona| fine_step_phase(position) / 256;
        assert_scores_are_sums(&starts, phase, step_features, |weights, position, steps, logits| {
            with_best_kernel(Score { weights, shapes: None, position, steps, logits });
        });
    }

    #[test]
    fn flips_guards_and_ends_are_seen() {
        let variant = &variant::find("desdemona").unwrap();
        // White's amazon d4 stands at the end of its stone e4; f4 is empty. Black's stone c6 lies between d7 and b5.
        let position = Desdemona::from_fen(variant, "9q/10/10/10/2s7/10/3QS5/10/10/10 w - - 0 5").unwrap();
        let view = view(Portable, &position);
        let view = StepView::new(Portable, &position, &view, &view.ends(&position));
        let square = |name: &str| name.parse::<Square>().unwrap();
        assert_eq!(view.guarded(square("d4")), 1);
        assert_eq!(["d7", "d8"].map(|to| view.flipping.after_move(square(to))), [1, 0]);
        // The enemy's one stone can be flipped along two lines from squares that the amazon reaches; b5 and d7 are ends
        // of one of them.
        assert!(view.flipping.ends[1].at(square("b5")) > 0 && view.flipping.ends[1].at(square("d7")) > 0);
        assert_eq!(view.flipping.ends[1].at(square("h8")), 0);
        assert_eq!(view.between_empty(square("h8")), 4);
        assert_eq!(view.between_empty(square("f4")), 3);
    }
}
