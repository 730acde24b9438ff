use super::Value;
use crate::games::Position;
use std::ops::ControlFlow;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// A position that waits for its evaluation: for [`Evaluator::evaluate_batch`](super::Evaluator::evaluate_batch).
///
/// ```
/// use hippolyta::eval::{Evaluator, Leaf, Playouts};
/// use hippolyta::games::{Notation, amazons::Amazons, variant};
///
/// let variant = &variant::find("amazons6")?;
/// let mut leaves = vec![Leaf::new(Amazons::from_fen(variant, variant.start())?)];
/// assert!(Playouts.evaluate_batch(&mut leaves));
/// assert_eq!((leaves[0].steps.len(), leaves[0].logits.len()), (40, 40));
/// assert!([0.0, 1.0].contains(&leaves[0].value.white)); // how one random game ended
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Leaf<P: Position> {
    /// The position, at the start of a turn or in the middle of one, and not finished.
    pub position: P,
    /// All its steps, in its order.
    pub steps: Vec<P::Step>,
    /// A logit for each step: the higher, the more promising for the side to move. Only differences matter. 0 before
    /// the evaluation.
    pub logits: Vec<f32>,
    /// White's expected score. One half before the evaluation.
    pub value: Value,
}

impl<P: Position> Leaf<P> {
    /// The leaf of a position, not evaluated yet.
    #[must_use]
    pub fn new(position: P) -> Self {
        Self::with_memory_of(position, Vec::new(), Vec::new())
    }

    /// A leaf that is not evaluated yet, in the memory of steps and logits that are not wanted any more.
    pub(crate) fn with_memory_of(position: P, mut steps: Vec<P::Step>, mut logits: Vec<f32>) -> Self {
        steps.clear();
        let _ = position.for_each_step(|step| {
            steps.push(step);
            ControlFlow::Continue(())
        });
        logits.clear();
        logits.resize(steps.len(), 0.0);
        Self { position, steps, logits, value: Value { white: 0.5, draw: 0.0 } }
    }
}

/// What was handed over by [`Evaluator::poll_batch`](super::Evaluator::poll_batch): the number of the first leaf, and
/// how many there are. None at first.
///
/// ```
/// use hippolyta::eval::{Evaluator, Ticket, amazons::AmazonsEvaluator};
/// use std::task::Poll;
///
/// // Whoever evaluates at once is ready as soon as it is asked.
/// let (mut leaves, mut ticket) = (Vec::new(), Ticket::default());
/// assert_eq!(AmazonsEvaluator::default().poll_batch(&mut leaves, &mut ticket), Poll::Ready(true));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Ticket {
    #[cfg(feature = "own")]
    pub(super) first: u64,
    #[cfg(feature = "own")]
    pub(super) count: usize,
}

/// Does work that waits for no batch but its own.
pub fn now<F: Future>(work: F) -> F::Output {
    let mut work = pin!(work);
    loop {
        if let Poll::Ready(done) = work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return done;
        }
    }
}
