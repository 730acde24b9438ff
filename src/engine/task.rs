//! Work with the evaluator of a rule set, whichever it is.

use super::owned::Ownership;
use crate::eval::{Evaluated, Evaluator};
use crate::games::variant::Variant;

/// Work that is the same for every rule set and evaluation.
pub(super) trait EvaluatorTask {
    type Output;

    fn run<P: Evaluated, E: Evaluator<P> + Ownership<P> + 'static>(
        self,
        variant: &Variant,
        evaluator: E,
    ) -> Self::Output;
}
