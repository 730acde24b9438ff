//! The weights from before anything was learned: Lieberum's terms.

use super::Values;
use super::counts::{FEATURES, KING, KING_CELLS, OTHER_MOBILITY, OWN_MOBILITY, QUEEN, QUEEN_CELLS};
use super::features::MOBILITIES;
use crate::board::flood::{KING_LEVELS, QUEEN_LEVELS};
use crate::eval::network::{PHASES, SCALE};

/// The weights of Lieberum's terms at one moment of the game.
struct Lieberum {
    t1: f32,
    t2: f32,
    c: f32,
    mobility: f32,
}

impl Lieberum {
    /// `progress` goes from 0, empty board, to 1, full board. The corner values are those published with the terms:
    /// early → late t1 .11 → .80, t2 .39 → .10, c1 = c2 .12 → .20 → .05, mobility .23 → 0; linear in between.
    fn at(progress: f32) -> Self {
        let line = |from: f32, to: f32, start: f32, end: f32| {
            from + (to - from) * ((progress - start) / (end - start)).clamp(0.0, 1.0)
        };
        let rising = line(0.12, 0.20, 0.0, 0.3);
        Self {
            t1: line(0.11, 0.80, 0.0, 0.6),
            t2: line(0.39, 0.10, 0.0, 0.6),
            c: if progress < 0.3 { rising } else { line(0.20, 0.05, 0.3, 0.65) },
            mobility: line(0.23, 0.0, 0.0, 0.5),
        }
    }
}

/// From the sum of the weighted terms to the logit: win probability `σ(0.2 · value)`.
const VALUE_TO_LOGIT: f32 = 0.2;
/// A square that both reach equally soon, for the side that moves next.
const TIE: f32 = 0.15;

/// Lieberum's terms with the published weights, written as features; no hidden units.
pub(super) fn bootstrap() -> Values {
    let weights: Vec<i32> = (0..PHASES).flat_map(|phase| bootstrap_phase(phase as f32 / (PHASES - 1) as f32)).collect();
    Values::linear(&weights).unwrap_or_else(|| unreachable!("as many weights as features"))
}

fn bootstrap_phase(progress: f32) -> Vec<i32> {
    let terms = Lieberum::at(progress);
    let units = |value: f32| (value * VALUE_TO_LOGIT * SCALE).round() as i32;
    // Distances as numbers; out of reach is farther than anything.
    let sign = |white: usize, black: usize| (black as f32 - white as f32).clamp(-1.0, 1.0);
    let near = |distance: usize, out_of_reach: usize| {
        if distance == out_of_reach { 0.0 } else { 0.5f32.powi(distance as i32 + 1) }
    };
    let steps = |distance: usize| if distance == KING_LEVELS { 99.0 } else { distance as f32 };
    let c1 = |white, black| 2.0 * (near(white, QUEEN_LEVELS) - near(black, QUEEN_LEVELS));
    let c2 = |white, black| ((steps(black) - steps(white)) / 6.0).clamp(-1.0, 1.0);
    let tie = |mover, other, weight: f32| if mover == other { units(weight * TIE) } else { 0 };
    let queen =
        |mover, other| units(terms.t1 * sign(mover, other) + terms.c * c1(mover, other)) + tie(mover, other, terms.t1);
    let king =
        |mover, other| units(terms.t2 * sign(mover, other) + terms.c * c2(mover, other)) + tie(mover, other, terms.t2);
    let worth = |mobility: usize| {
        let enclosed = 10.0 * terms.mobility * 0.5f32.powf(mobility as f32 / 3.0);
        units(terms.mobility * mobility as f32 * MOBILITY_SHARE - enclosed)
    };
    let mut weights = vec![0; FEATURES];
    for (cell, feature) in QUEEN.enumerate() {
        weights[feature] = queen(cell / QUEEN_CELLS, cell % QUEEN_CELLS);
    }
    for (cell, feature) in KING.enumerate() {
        weights[feature] = king(cell / KING_CELLS, cell % KING_CELLS);
    }
    for mobility in 0..MOBILITIES {
        weights[OWN_MOBILITY.start + mobility] = worth(mobility);
        weights[OTHER_MOBILITY.start + mobility] = -worth(mobility);
    }
    weights
}

/// How much of the published mobility weight a unit of ours gets.
const MOBILITY_SHARE: f32 = 0.5;
