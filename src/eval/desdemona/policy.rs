//! Priors for steps: what they flip, and room.

use crate::board::Bitboard;
use crate::games::desdemona::{Desdemona, Flips};
use crate::games::{MoveFireStep, Position, StepKind};

/// Logit for a shot that flips so many stones; more count as the last.
const SHOT_BY_FLIPS: [f32; 6] = [0.0, 2.0, 2.6, 3.0, 3.3, 3.6];
/// Logit for a move after which so many stones can be flipped by one shot.
const MOVE_BY_FLIPS: [f32; 6] = [0.0, 1.2, 1.6, 2.0, 2.3, 2.6];
/// For each empty neighbour of the square moved to.
const MOVE_OPENNESS: f32 = 0.08;
/// For each enemy amazon beside the shot.
const SHOT_BESIDE_ENEMY: f32 = 0.3;

fn by_flips(table: &[f32; 6], flips: u32) -> f32 {
    table[(flips as usize).min(5)]
}

pub(super) fn score(position: &Desdemona, steps: &[MoveFireStep], logits: &mut [f32]) {
    let (geometry, side, empty) = (position.geometry(), position.side_to_move(), position.empty());
    let enemy_amazons = position.amazons(!side);
    let prizes = if position.at_turn_start() { Prizes::new(position) } else { Prizes::default() };
    for (&step, logit) in steps.iter().zip(logits) {
        *logit = match step.kind() {
            StepKind::Move { from, to } => {
                let room = (geometry.neighbours(to) & empty).count() as f32;
                let free = empty.with(from).without(to);
                let flips = match position.rules().flips {
                    _ if position.move_only() => 0,
                    Flips::Run(_) => {
                        let landings = position.flip_targets(side, to, free);
                        landings.into_iter().map(|at| position.flipped(side, to, at).count()).max().unwrap_or(0)
                    }
                    Flips::Lines => prizes.best_within(geometry.queen_targets(to, free)),
                };
                by_flips(&MOVE_BY_FLIPS, flips) + MOVE_OPENNESS * room
            }
            StepKind::Fire { at } => {
                let flips = position.shooter().map_or(0, |shooter| position.flipped(side, shooter, at).count());
                let beside = (geometry.neighbours(at) & enemy_amazons).count() as f32;
                by_flips(&SHOT_BY_FLIPS, flips) + SHOT_BESIDE_ENEMY * beside
            }
        };
    }
}

/// For rules with closed lines: the squares where a stone would flip at least so many, 1 … 5.
#[derive(Default)]
struct Prizes {
    at_least: [Bitboard; 5],
}

impl Prizes {
    fn new(position: &Desdemona) -> Self {
        let mut prizes = Self::default();
        if position.rules().flips != Flips::Lines {
            return prizes;
        }
        let side = position.side_to_move();
        let enemy = position.stones(!side);
        for at in position.empty() {
            if (position.geometry().neighbours(at) & enemy).is_empty() {
                continue;
            }
            let flips = position.flipped(side, at, at).count() as usize;
            for set in &mut prizes.at_least[..flips.min(5)] {
                *set = set.with(at);
            }
        }
        prizes
    }

    fn best_within(&self, shots: Bitboard) -> u32 {
        (0..5).rev().find(|&index| self.at_least[index].intersects(shots)).map_or(0, |index| index as u32 + 1)
    }
}
