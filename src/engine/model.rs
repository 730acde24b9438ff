use super::owned::Ownership;
use crate::eval::{Evaluated, Evaluator, Playouts, Weights};
use crate::games::variant::Variant;
use crate::games::{Notation, with_family};
use std::sync::Arc;

/// Which evaluation is used.
///
/// ```
/// use hippolyta::engine::Model;
/// use hippolyta::games::variant;
///
/// let iago = variant::find("iago")?;
/// assert_eq!(Model::default().included(iago), ["includeOwnership", "includeStones"]);
/// assert!(Model::Playouts.included(iago).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum Model {
    /// The learned evaluation of the rule set, with these weights and tables.
    Learned(Arc<Weights>),
    /// One random game for each position: a yardstick for evaluations.
    Playouts,
}

impl Default for Model {
    /// The evaluation with the embedded weights.
    fn default() -> Self {
        Self::Learned(Weights::embedded())
    }
}

/// Work that is the same for every rule set and evaluation.
pub(super) trait EvaluatorTask {
    type Output;

    fn run<P: Notation, E: Evaluator<P> + Ownership<P> + 'static>(
        self,
        variant: &'static Variant,
        evaluator: E,
    ) -> Self::Output;
}

struct Included;

impl EvaluatorTask for Included {
    type Output = &'static [&'static str];

    fn run<P: Notation, E: Evaluator<P> + Ownership<P> + 'static>(self, _: &'static Variant, _: E) -> Self::Output {
        E::INCLUDED
    }
}

impl Model {
    /// The fields of [`Include`](super::Include) that this evaluation knows for a rule set, by their names in JSON.
    #[must_use]
    pub fn included(&self, variant: &'static Variant) -> &'static [&'static str] {
        self.run(variant, Included)
    }

    /// Does `task` with the evaluator for `variant`.
    pub(super) fn run<T: EvaluatorTask>(&self, variant: &'static Variant, task: T) -> T::Output {
        with_family!(variant, P => match self {
            Self::Learned(known) => task.run::<P, _>(variant, P::evaluator(variant, known)),
            Self::Playouts => task.run::<P, _>(variant, Playouts),
        })
    }
}
