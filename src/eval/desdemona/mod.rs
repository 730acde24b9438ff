//! The evaluation of Desdemona and its relatives: a prediction of the final stone margin.
//!
//! The margin is predicted by a linear model over a few differences between the sides ([`Features`]), with weights that depend
//! on how many turns are left, and how sure the prediction is depends on that as well ([`Weights`]). Win, draw and loss follow from
//! both. A side that runs out of turns ends the game, so turns left are not good or bad in themselves: they are time in which
//! the margin may change.

mod features;
mod policy;
mod weights;

use super::margin::value_of_margin;
use super::{Evaluator, Judgement, Term, Value};
use crate::board::flood::{Kernel, KernelTask, with_best_kernel};
use crate::endgame::Proof;
use crate::games::desdemona::{Desdemona, Leaves, Rules};
use crate::games::{MoveFireStep, Position, Side};
pub use features::Features;
pub use weights::Weights;

/// Values and priors for one rule set of the family.
#[derive(Debug)]
pub struct DesdemonaEvaluator {
    weights: &'static Weights,
}

impl DesdemonaEvaluator {
    /// The evaluator for these rules.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self { weights: Weights::of(rules) }
    }

    /// The final stones of White less those of Black that are expected. `position` must be at the start of a turn.
    #[must_use]
    pub fn expected_margin(&self, position: &Desdemona) -> f32 {
        self.weights.margin(&with_best_kernel(Extract(position)))
    }

    fn value(&self, features: &Features) -> Value {
        value_of_margin(self.weights.margin(features), self.weights.scale(features))
    }
}

/// Whether the margin will stay as it is: where plain shots leave neutral stones only flips make coloured ones, and no line of
/// stones is open at both ends. Neutral stones and the edge close an end for good, and so do stones that never flip.
fn settled(position: &Desdemona, features: &Features) -> bool {
    position.rules().plain == Leaves::Neutral && features.unsafe_stones == [0.0; 2]
}

impl Evaluator<Desdemona> for DesdemonaEvaluator {
    fn judge(&self, position: &Desdemona) -> Judgement {
        let features = with_best_kernel(Extract(position));
        if settled(position, &features) {
            let plies = position.empty().count() as u8;
            return Judgement::Exact(Proof { outcome: position.winner_by_stones(), plies });
        }
        Judgement::Estimate(self.value(&features))
    }

    fn policy(&self, position: &Desdemona, steps: &[MoveFireStep], logits: &mut [f32]) {
        policy::score(position, steps, logits);
    }

    fn explain(&self, position: &Desdemona) -> (Value, Vec<Term>) {
        let features = with_best_kernel(Extract(position));
        (self.value(&features), self.weights.explain(&features))
    }

    fn identity(&self) -> Vec<u8> {
        format!("{:?}", self.weights).into_bytes()
    }

    fn remarks(&self, position: &Desdemona) -> Vec<String> {
        let features = with_best_kernel(Extract(position));
        let [white, black] = [Side::White, Side::Black].map(|side| position.stones(side).count());
        if settled(position, &features) {
            return vec![format!("stones white {white} black {black}: none of them can flip any more")];
        }
        let (expected, turns) = (self.weights.margin(&features), features.turns_left);
        vec![
            format!("stones white {white} black {black}, neutral {}", position.neutral().count()),
            format!("expected margin {expected:+.1} for white, within reach of both for {turns} more turns"),
        ]
    }
}

struct Extract<'a>(&'a Desdemona);

impl KernelTask for Extract<'_> {
    type Output = Features;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Features {
        debug_assert!(self.0.at_turn_start());
        Features::new(kernel, self.0)
    }
}
