#[cfg(feature = "own")]
use super::own::{self, Evaluators};
use super::owned::Ownership;
use super::task::EvaluatorTask;
use crate::eval::{Evaluated, Evaluator, Weights};
use crate::games::variant::Variant;
use crate::games::{Board, with_family};
use std::sync::Arc;

/// Which evaluation is used.
///
/// ```
/// use hippolyta::engine::Model;
/// use hippolyta::games::variant;
///
/// let iago = &variant::find("iago")?;
/// assert_eq!(Model::default().included(iago), ["includeOwnership", "includeStones"]);
/// assert!(Model::Playouts.included(iago).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum Model {
    /// The learned evaluation of the rule set, with these weights and tables.
    Learned(Arc<Weights>),
    /// One random game for each position: a yardstick for evaluations.
    #[cfg(feature = "own")]
    Playouts,
    /// Evaluators of one's own: see [`Model::own`].
    #[cfg(feature = "own")]
    Own(Arc<dyn Evaluators>),
}

impl Default for Model {
    /// The evaluation with the embedded weights.
    fn default() -> Self {
        Self::Learned(Weights::embedded())
    }
}

struct Included;

impl EvaluatorTask for Included {
    type Output = &'static [&'static str];

    fn run<P: Evaluated, E: Evaluator<P> + Ownership<P> + 'static>(self, _: &Variant, it: E) -> Self::Output {
        it.included()
    }
}

struct Identity;

impl EvaluatorTask for Identity {
    type Output = Vec<u8>;

    fn run<P: Evaluated, E: Evaluator<P> + Ownership<P> + 'static>(self, _: &Variant, it: E) -> Self::Output {
        it.identity()
    }
}

impl Model {
    /// Evaluators of one's own, for everything that takes a model: engines, UCI, UGI and GTP, JSON lines, matches.
    ///
    /// `examples/own_evaluator.rs` is a whole engine with one.
    ///
    /// ```
    /// use hippolyta::engine::{Evaluators, Model};
    ///
    /// #[derive(Debug)]
    /// struct Nobody;
    /// impl Evaluators for Nobody {}
    ///
    /// assert!(matches!(Model::own(Nobody), Model::Own(_)));
    /// ```
    #[cfg(feature = "own")]
    #[must_use]
    pub fn own(evaluators: impl Evaluators + 'static) -> Self {
        Self::Own(Arc::new(evaluators))
    }

    /// The learned weights, if these are what evaluates.
    #[must_use]
    pub fn weights(&self) -> Option<&Arc<Weights>> {
        match self {
            Self::Learned(weights) => Some(weights),
            #[cfg(feature = "own")]
            _ => None,
        }
    }

    /// Whether weights from a file are for the board's game: see [`Weights::check`].
    ///
    /// # Errors
    ///
    /// In a line, what they are for.
    pub fn check(&self, board: &Board) -> Result<(), String> {
        self.weights().map_or(Ok(()), |weights| weights.check(board.variant(), board.size()))
    }

    /// The fields of [`Include`](super::Include) that this evaluation knows for a rule set, by their names in JSON.
    #[must_use]
    pub fn included(&self, variant: &Variant) -> &'static [&'static str] {
        self.run(variant, Included).unwrap_or_default()
    }

    /// Bytes that tell the evaluation of a rule set from others: [`Evaluator::identity`]. `None` if there is none.
    #[must_use]
    pub fn identity(&self, variant: &Variant) -> Option<Vec<u8>> {
        self.run(variant, Identity)
    }

    /// Does `task` with the evaluator for `variant`; `None` if there is none.
    pub(super) fn run<T: EvaluatorTask>(&self, variant: &Variant, task: T) -> Option<T::Output> {
        match self {
            Self::Learned(known) => with_family!(variant, P => {
                Some(task.run::<P, _>(variant, P::evaluator(variant, known)))
            }),
            #[cfg(feature = "own")]
            Self::Playouts => Some(own::run_playouts(variant, task)),
            #[cfg(feature = "own")]
            Self::Own(evaluators) => own::run(evaluators.as_ref(), variant, task),
        }
    }
}
