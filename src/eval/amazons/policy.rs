//! Priors for steps from the distances of the position they are played in: no evaluation of each candidate.

use super::features::{Distances, Openness};
use crate::board::flood::{Kernel, KernelTask, Levels};
use crate::board::{Bitboard, Square};
use crate::games::Position;
use crate::games::amazons::Amazons;
use crate::games::{MoveFireStep, StepKind};

pub(super) struct Score<'a> {
    pub position: &'a Amazons,
    pub steps: &'a [MoveFireStep],
    pub logits: &'a mut [f32],
}

/// Logits by the enemy's queen distance to the target, 1, 2, 3, 4 or more, out of reach.
const MOVE_BY_ENEMY_DISTANCE: [f32; 5] = [0.4, 0.3, 0.0, -0.3, -1.5];
const FIRE_BY_ENEMY_DISTANCE: [f32; 5] = [0.9, 0.3, 0.0, -0.5, -2.5];
/// For each empty neighbour of the target, of the square left, and for each square the target sees.
const MOVE_OPENNESS: f32 = 0.12;
const LEAVE_OPENNESS: f32 = -0.12;
const MOVE_SIGHT: f32 = 0.04;
/// For each enemy amazon, and each own one, beside the arrow.
const FIRE_BESIDE_ENEMY: f32 = 0.8;
const FIRE_BESIDE_OWN: f32 = -0.3;
/// For each enemy amazon that would see the arrow's square, beyond the first.
const FIRE_OPENNESS: f32 = 0.05;

impl KernelTask for Score<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let position = self.position;
        let geometry = position.geometry();
        let distances = Distances::new(kernel, position);
        let openness = Openness::new(position);
        let side = position.side_to_move();
        let (own, enemy) = (position.amazons(side), position.amazons(!side));
        let by_distance = |table: &[f32; 5], square| table[distance_class(&distances.queen, (!side).index(), square)];
        for (&step, logit) in self.steps.iter().zip(self.logits) {
            *logit = match step.kind() {
                StepKind::Move { from, to } => {
                    let sight = geometry.queen_targets(to, position.empty()).count() as f32;
                    by_distance(&MOVE_BY_ENEMY_DISTANCE, to)
                        + MOVE_OPENNESS * openness.at(to) as f32
                        + LEAVE_OPENNESS * openness.at(from) as f32
                        + MOVE_SIGHT * sight
                }
                StepKind::Fire { at } => {
                    let beside = |set: Bitboard| (geometry.neighbours(at) & set).count() as f32;
                    by_distance(&FIRE_BY_ENEMY_DISTANCE, at)
                        + FIRE_BESIDE_ENEMY * beside(enemy)
                        + FIRE_BESIDE_OWN * beside(own)
                        + FIRE_OPENNESS * openness.at(at) as f32
                }
            };
        }
    }
}

#[inline(always)]
fn distance_class<const N: usize>(levels: &Levels<N>, side: usize, square: Square) -> usize {
    let set = Bitboard::of(square);
    let is = |level: usize| usize::from(!levels.sets[level][side].intersects(set));
    let near = is(0) * (1 + is(1) * (1 + is(2)));
    if near < 3 {
        return near;
    }
    let mut farther = false;
    for level in &levels.sets[3..] {
        farther |= level[side].intersects(set);
    }
    if farther { 3 } else { 4 }
}
