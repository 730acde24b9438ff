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
use crate::games::MoveFireStep;
use crate::games::Position;
use crate::games::amazons::Amazons;
use features::Distances;
pub use weights::Weights;

/// Values and priors from distances and mobility.
#[derive(Debug)]
pub struct AmazonsEvaluator {
    weights: Weights,
}

impl AmazonsEvaluator {
    /// An evaluator with these weights.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        Self { weights }
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

    fn policy(&self, position: &Amazons, steps: &[MoveFireStep], logits: &mut [f32]) {
        with_best_kernel(policy::Score { position, steps, logits });
    }

    fn explain(&self, position: &Amazons) -> (Value, Vec<Term>) {
        let terms = self.weights.explain(position);
        let logit = terms.iter().map(|term| term.logit).sum();
        (Value { white: logistic(logit), draw: 0.0 }, terms)
    }

    fn identity(&self) -> Vec<u8> {
        format!("{:?}", self.weights).into_bytes()
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
        if self.position.at_turn_start()
            && distances.may_be_decided()
            && let Some(proof) = endgame::amazons::prove(self.position)
        {
            return Judgement::Exact(proof);
        }
        let logit = self.weights.logit(self.position, &distances);
        Judgement::Estimate(Value { white: logistic(logit), draw: 0.0 })
    }
}
