use super::Features;
use super::features::COUNT;
use crate::eval::Term;
use crate::games::desdemona::{Flips, Leaves, Rules};

/// Groups of positions by turns left: fewer than 6, 12, 20, 30, 45, and more.
const PHASES: usize = 6;
const PHASE_ENDS: [u32; PHASES - 1] = [6, 12, 20, 30, 45];

/// A linear model of the final margin for each phase.
#[derive(Debug)]
pub struct Weights {
    /// Stones of margin for each unit of White's lead, in the order of the features.
    margin: [[f32; COUNT]; PHASES],
    /// Scale of the logistic distribution of the final margin.
    scale: [f32; PHASES],
}

impl Weights {
    /// The weights for a rule set.
    #[must_use]
    pub fn of(rules: &Rules) -> &'static Self {
        match (rules.plain, rules.flips) {
            (Leaves::Neutral, _) => &NEUTRAL,
            (Leaves::Own, Flips::Run(_)) => &OWN,
            (Leaves::Own, Flips::Lines) => &LINES,
        }
    }

    fn phase(features: &Features) -> usize {
        PHASE_ENDS.iter().position(|&end| features.turns_left < end).unwrap_or(PHASES - 1)
    }

    /// White's expected margin at the end, in stones.
    #[inline]
    pub(super) fn margin(&self, features: &Features) -> f32 {
        let weights = &self.margin[Self::phase(features)];
        features.pairs().iter().zip(weights).map(|((_, [white, black]), weight)| weight * (white - black)).sum()
    }

    /// The scale of its distribution.
    #[inline]
    pub(super) fn scale(&self, features: &Features) -> f32 {
        self.scale[Self::phase(features)]
    }

    /// The terms of the prediction, as logits.
    pub(super) fn explain(&self, features: &Features) -> Vec<Term> {
        let (weights, scale) = (&self.margin[Self::phase(features)], self.scale(features));
        let term = |((name, pair), weight): ((&'static str, [f32; 2]), &f32)| {
            let [white, black] = pair;
            Term { name, features: pair, logit: weight * (white - black) / scale }
        };
        features.pairs().into_iter().zip(weights).map(term).collect()
    }
}

/// Coloured stones are few and only flips change them.
static NEUTRAL: Weights = Weights {
    margin: [
        [1.0, -0.2, 0.0, 0.0, 0.0, 0.0, 0.3],
        [0.95, -0.25, -0.02, 0.0, 0.01, 0.0, 0.4],
        [0.9, -0.3, -0.05, 0.005, 0.02, 0.1, 0.4],
        [0.8, -0.3, -0.05, 0.01, 0.02, 0.1, 0.4],
        [0.7, -0.3, -0.05, 0.02, 0.02, 0.1, 0.3],
        [0.6, -0.3, -0.05, 0.02, 0.02, 0.1, 0.3],
    ],
    scale: [0.5, 0.8, 1.2, 1.6, 2.0, 2.4],
};

/// Every shot leaves an own stone.
static OWN: Weights = Weights {
    margin: [
        [1.0, -0.2, -0.02, 0.0, 0.0, 0.2, 0.3],
        [0.95, -0.25, -0.05, 0.01, 0.02, 0.2, 0.4],
        [0.9, -0.3, -0.1, 0.02, 0.04, 0.2, 0.5],
        [0.8, -0.3, -0.15, 0.03, 0.05, 0.2, 0.5],
        [0.7, -0.3, -0.15, 0.03, 0.05, 0.2, 0.5],
        [0.6, -0.3, -0.15, 0.04, 0.05, 0.2, 0.5],
    ],
    scale: [1.0, 1.8, 2.6, 3.4, 4.2, 5.0],
};

/// Stones flip as in Othello.
static LINES: Weights = Weights {
    margin: [
        [1.0, -0.3, -0.05, 0.0, 0.0, 0.5, 0.3],
        [0.9, -0.3, -0.1, 0.02, 0.02, 0.5, 0.3],
        [0.7, -0.25, -0.2, 0.05, 0.05, 0.5, 0.25],
        [0.5, -0.2, -0.2, 0.08, 0.08, 0.5, 0.2],
        [0.4, -0.15, -0.2, 0.1, 0.1, 0.5, 0.15],
        [0.3, -0.1, -0.15, 0.1, 0.1, 0.5, 0.1],
    ],
    scale: [2.0, 3.5, 5.0, 7.0, 9.0, 11.0],
};
