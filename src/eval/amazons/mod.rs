//! The evaluation of the Game of the Amazons: distances of both sides to every empty square, and mobility.
//!
//! The features are those of Lieberum, *An evaluation function for the game of Amazons* (Theoretical Computer Science 349,
//! 2005), generalised: every empty square falls into a cell (distance of White, distance of Black), once in queen moves
//! and once in king steps, and each cell has a weight that depends on how full the board is. Lieberum's t1, t2, c1 and c2
//! are particular tables of such weights; [`Weights::bootstrap`] writes them down.

mod features;
mod policy;
mod weights;

use super::{Evaluator, Judgement, Term, Value, logistic};
use crate::board::flood::{Kernel, KernelTask, with_best_kernel};
use crate::endgame;
use crate::games::Position;
use crate::games::amazons::{Amazons, AmazonsStep};
use features::Distances;
pub use weights::Weights;

/// Values and priors from distances and mobility.
#[derive(Debug)]
pub struct AmazonsEvaluator {
    weights: Weights,
    pub eval_policy: f32,
    pub eval_fire: f32,
}

impl AmazonsEvaluator {
    /// An evaluator with these weights.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        Self { weights, eval_policy: 0.0, eval_fire: 0.0 }
    }
}

impl Default for AmazonsEvaluator {
    fn default() -> Self {
        Self::new(Weights::bootstrap())
    }
}

impl Evaluator<Amazons> for AmazonsEvaluator {
    fn judge(&self, position: &Amazons) -> Judgement {
        with_best_kernel(Judge { weights: &self.weights, position })
    }

    fn policy(&self, position: &Amazons, steps: &[AmazonsStep], logits: &mut [f32]) {
        let k = if position.at_turn_start() { self.eval_policy } else { self.eval_fire };
        if k > 0.0 {
            let sign = if position.side_to_move() == crate::games::Side::White { k } else { -k };
            for (l, &st) in logits.iter_mut().zip(steps) {
                *l = sign * with_best_kernel(Logit { weights: &self.weights, position: &position.after(st) });
            }
            return;
        }
        with_best_kernel(policy::Score { position, steps, logits });
    }

    fn explain(&self, position: &Amazons) -> (Value, Vec<Term>) {
        let terms = self.weights.explain(position);
        let logit = terms.iter().map(|term| term.logit).sum();
        (Value { white: logistic(logit), draw: 0.0 }, terms)
    }

    fn remarks(&self, position: &Amazons) -> Vec<String> {
        endgame::amazons::describe(position)
    }
}

struct Judge<'a> {
    weights: &'a Weights,
    position: &'a Amazons,
}

impl KernelTask for Judge<'_> {
    type Output = Judgement;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Judgement {
        let distances = Distances::new(kernel, self.position);
        if self.position.at_turn_start() && distances.may_be_decided() {
            if let Some(proof) = endgame::amazons::prove(self.position) {
                return Judgement::Exact(proof);
            }
        }
        let logit = self.weights.logit(self.position, &distances);
        Judgement::Estimate(Value { white: logistic(logit), draw: 0.0 })
    }
}

struct Logit<'a> {
    weights: &'a Weights,
    position: &'a Amazons,
}

impl KernelTask for Logit<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> f32 {
        let distances = Distances::new(kernel, self.position);
        self.weights.logit(self.position, &distances)
    }
}
