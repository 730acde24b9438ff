use super::analysis::Extras;
use crate::eval::amazons::AmazonsEvaluator;
use crate::eval::damone::DamoneEvaluator;
use crate::eval::desdemona::DesdemonaEvaluator;
use crate::eval::{Evaluator, Knowledge, Playouts};
use crate::games::Notation;
use crate::games::amazons::Amazons;
use crate::games::damone::Damone;
use crate::games::desdemona::Desdemona;
use crate::games::variant::{Family, Variant};
use std::sync::Arc;

/// Who judges positions.
#[derive(Clone, Debug)]
pub enum Judge {
    /// The evaluation of the rule set, with these weights.
    Evaluation(Arc<Knowledge>),
    /// Random games, as a measuring stick.
    Playouts,
}

impl Default for Judge {
    /// The evaluation with the weights that are built in.
    fn default() -> Self {
        Self::Evaluation(Knowledge::embedded())
    }
}

/// Work with an evaluator, whatever the rule set.
pub(super) trait EvaluatorTask {
    type Output;

    fn run<P: Notation, E: Evaluator<P> + Extras<P> + 'static>(
        self,
        variant: &'static Variant,
        evaluator: E,
    ) -> Self::Output;
}

/// Does `task` with the evaluator that judges positions of `variant`.
pub(super) fn with_evaluator<T: EvaluatorTask>(variant: &'static Variant, judge: &Judge, task: T) -> T::Output {
    match (variant.family, judge) {
        (Family::Amazons, Judge::Evaluation(knowledge)) => {
            task.run::<Amazons, _>(variant, AmazonsEvaluator::new(knowledge))
        }
        (Family::Desdemona(rules), Judge::Evaluation(knowledge)) => {
            task.run::<Desdemona, _>(variant, DesdemonaEvaluator::new(rules, knowledge))
        }
        (Family::Damone(rules), Judge::Evaluation(knowledge)) => {
            task.run::<Damone, _>(variant, DamoneEvaluator::new(rules, knowledge))
        }
        (Family::Amazons, Judge::Playouts) => task.run::<Amazons, _>(variant, Playouts),
        (Family::Desdemona(_), Judge::Playouts) => task.run::<Desdemona, _>(variant, Playouts),
        (Family::Damone(_), Judge::Playouts) => task.run::<Damone, _>(variant, Playouts),
    }
}
