//! The evaluation of the Game of the Amazons: distances of both sides to every empty square, and mobility.
//!
//! The features are those of Lieberum, *An evaluation function for the game of Amazons* (Theoretical Computer Science 349,
//! 2005), generalised: every empty square falls into a cell (distance of White, distance of Black), once in queen moves
//! and once in king steps, and each cell has a weight that depends on how full the board is. Lieberum's t1, t2, c1 and c2
//! are particular tables of such weights; [`Weights::bootstrap`] writes them down.

mod features;
mod policy;
mod weights;

use super::{Evaluator, Judgement, Knowledge, Term, Value, logistic};
use crate::board::flood::{Kernel, KernelTask, with_best_kernel};
use crate::endgame::{self, Proof};
use crate::games::amazons::Amazons;
use crate::games::{MoveFireStep, Position, Turn};
use features::Distances;
pub use policy::{POLICY_FEATURES, Policy, StepFeatures, step_features};
use std::sync::Arc;
pub use weights::{FEATURES, HIDDEN, HIDDEN_ONE, Inputs, OUTPUT_SCALE, PHASES, SCALE, Weights, fine_phase};

/// Values and priors from distances and mobility.
#[derive(Debug)]
pub struct AmazonsEvaluator {
    weights: Arc<Weights>,
    policy: Arc<Policy>,
}

impl AmazonsEvaluator {
    /// An evaluator with what is known.
    #[must_use]
    pub fn new(knowledge: &Knowledge) -> Self {
        Self { weights: knowledge.amazons.clone(), policy: knowledge.amazons_policy.clone() }
    }
}

impl Default for AmazonsEvaluator {
    /// With the weights that are built in.
    fn default() -> Self {
        Self::new(&Knowledge::embedded())
    }
}

impl Evaluator<Amazons> for AmazonsEvaluator {
    fn judge(&self, position: &Amazons) -> Judgement {
        with_best_kernel(Judge { weights: &self.weights, position })
    }

    fn policy(&self, position: &Amazons, steps: &[MoveFireStep], logits: &mut [f32]) {
        with_best_kernel(policy::Score { policy: &self.policy, position, steps, logits });
    }

    fn explain(&self, position: &Amazons) -> (Value, Vec<Term>) {
        let terms = self.weights.explain(position);
        let logit = terms.iter().map(|term| term.logit).sum();
        (Value { white: logistic(logit), draw: 0.0 }, terms)
    }

    fn identity(&self) -> Vec<u8> {
        format!("{:?} {:?}", self.weights, self.policy).into_bytes()
    }

    fn remarks(&self, position: &Amazons) -> Vec<String> {
        endgame::amazons::describe(position)
    }

    fn certain_line(&self, position: &Amazons) -> Option<(Vec<Turn<Amazons>>, Proof)> {
        endgame::amazons::certain_line(position)
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
            && endgame::amazons::may_be_decided(self.position.side_to_move(), &distances.reached)
            && let Some(proof) = endgame::amazons::prove(self.position, distances.reached)
        {
            return Judgement::Exact(proof);
        }
        let logit = self.weights.logit(self.position, &distances);
        Judgement::Estimate(Value { white: logistic(logit), draw: 0.0 })
    }
}
