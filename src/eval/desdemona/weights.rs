use super::Features;
use super::features::COUNT;
use crate::eval::Term;
use crate::games::desdemona::{Flips, Leaves, Rules};

/// Groups of positions by turns left: fewer than 6, 12, …, and more.
const PHASES: usize = 8;
const PHASE_ENDS: [u32; PHASES - 1] = [6, 12, 20, 30, 45, 60, 75];

/// A linear model of the final margin for each phase.
///
/// The tables below were fitted by least squares to games of the engine against itself: 2,000 to 2,500 for each rule set, 300 nodes a
/// turn, the first 2 to 9 turns and one later turn in 25 at random; the scales are those of the errors in games left aside.
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
            (_, Flips::Lines) => &IAGO,
            (Leaves::Neutral, Flips::Run(Leaves::Own)) => &DESDEMONA,
            (Leaves::Neutral, Flips::Run(Leaves::Neutral)) => &CASSIO,
            (Leaves::Own, Flips::Run(Leaves::Neutral)) => &EARLY,
            (Leaves::Own, Flips::Run(Leaves::Own)) => &BORDER,
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

/// `desdemona`.
static DESDEMONA: Weights = Weights {
    margin: [
        [1.003, -0.631, -0.024, 0.000, 0.000, -0.004, 0.503],
        [1.003, -0.631, -0.024, 0.000, 0.000, -0.004, 0.503],
        [1.003, -0.631, -0.024, 0.000, 0.000, -0.004, 0.503],
        [0.998, -0.167, -0.060, -0.001, 0.001, 0.001, 0.096],
        [0.999, -0.420, -0.104, -0.001, 0.000, 0.002, 0.168],
        [1.001, -0.293, -0.115, -0.001, 0.001, 0.000, 0.505],
        [1.007, -0.183, -0.123, -0.003, 0.002, 0.011, 0.427],
        [0.772, -0.301, -0.055, -0.005, 0.004, 0.049, 0.209],
    ],
    scale: [0.25, 0.25, 0.25, 0.25, 0.25, 0.29, 0.50, 0.86],
};

/// `cassio`.
static CASSIO: Weights = Weights {
    margin: [
        [0.999, 0.000, 0.000, 0.000, 0.000, 0.000, 0.000],
        [0.999, 0.000, 0.000, 0.000, 0.000, 0.000, 0.000],
        [0.999, 0.000, 0.000, 0.000, 0.000, 0.000, 0.000],
        [1.001, -0.644, -0.250, 0.000, 0.000, 0.000, 0.252],
        [0.999, -0.018, -0.129, 0.000, 0.000, 0.000, 0.113],
        [1.001, -0.149, -0.385, 0.000, 0.000, 0.000, 0.547],
        [0.995, -0.107, -0.116, 0.002, -0.001, 0.005, 0.429],
        [0.809, -0.328, -0.083, -0.021, 0.013, 0.036, 0.189],
    ],
    scale: [0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.26, 0.58],
};

/// `iago`.
static IAGO: Weights = Weights {
    margin: [
        [1.084, -0.105, -0.033, 0.148, 0.136, 0.523, 0.070],
        [1.222, -0.348, -0.123, 0.037, 0.262, 1.088, 0.077],
        [1.354, -0.629, -0.277, -0.006, 0.274, 1.084, 0.064],
        [1.453, -0.731, -0.530, -0.114, 0.251, 2.037, -0.021],
        [1.405, -0.695, -0.573, 0.016, 0.116, 1.777, -0.035],
        [1.432, -0.588, -0.746, 0.032, 0.064, 1.404, -0.039],
        [1.437, -0.464, -0.999, 0.010, 0.035, 0.744, -0.039],
        [2.944, -0.168, -2.750, -0.075, 0.062, 0.358, -0.065],
    ],
    scale: [4.28, 6.50, 7.37, 8.59, 8.38, 8.99, 9.22, 9.23],
};

/// `desdemona-early` and `cassio-site`.
static EARLY: Weights = Weights {
    margin: [
        [1.006, -0.129, -0.021, 0.032, 0.032, 0.464, 0.097],
        [0.984, -0.229, -0.054, 0.032, 0.044, 0.458, 0.085],
        [0.956, -0.270, -0.083, 0.018, 0.056, 0.459, 0.078],
        [0.895, -0.255, -0.131, -0.030, 0.077, 0.467, 0.047],
        [0.859, -0.206, -0.170, -0.019, 0.053, 0.438, 0.039],
        [0.856, -0.167, -0.272, -0.035, 0.048, 0.418, 0.021],
        [0.851, -0.165, -0.388, -0.048, 0.037, 0.358, 0.006],
        [0.848, -0.171, -0.498, -0.047, 0.029, 0.243, 0.004],
    ],
    scale: [0.66, 0.95, 1.06, 1.21, 1.46, 1.65, 1.86, 1.94],
};

/// `desdemona-early-border` and `desdemona-site`.
static BORDER: Weights = Weights {
    margin: [
        [0.976, -0.225, -0.022, 0.075, 0.041, 0.516, 0.164],
        [1.019, -0.326, -0.085, 0.086, 0.081, 0.408, 0.175],
        [1.088, -0.366, -0.201, 0.071, 0.122, 0.337, 0.129],
        [1.130, -0.391, -0.297, 0.036, 0.147, 0.485, 0.082],
        [1.096, -0.403, -0.374, 0.004, 0.138, 0.483, 0.059],
        [0.988, -0.372, -0.448, 0.004, 0.120, 0.330, 0.050],
        [0.732, -0.269, -0.514, -0.086, 0.140, 0.033, 0.039],
        [0.566, -0.172, -0.659, -0.048, 0.078, -0.124, 0.014],
    ],
    scale: [1.83, 2.53, 3.38, 3.85, 4.19, 4.55, 4.75, 4.69],
};
