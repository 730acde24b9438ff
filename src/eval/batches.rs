use super::Value;
use crate::games::Position;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread::ThreadId;

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

/// A thread's place among those that share batches: see [`Evaluator::seat`](super::Evaluator::seat). A thread that has
/// several counts once.
///
/// ```
/// use hippolyta::eval::{Evaluator, Playouts, Together};
/// use hippolyta::games::damone::Damone;
/// use std::sync::Arc;
///
/// let together = Together::<Damone>::new(Arc::new(Playouts), 256)?;
/// let seats = [together.seat(), together.seat()];
/// assert_eq!(together.seats(), 1); // both are this thread's
/// drop(seats);
/// assert_eq!(together.seats(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Seat {
    seats: Arc<dyn Seats>,
    thread: ThreadId,
}

/// Who counts seats.
pub(super) trait Seats: Send + Sync {
    /// A thread gives back a seat.
    fn leave(&self, thread: ThreadId);
}

impl Seat {
    /// A seat of `thread` that was counted already; its drop is told to `seats`.
    pub(super) fn new(seats: Arc<dyn Seats>, thread: ThreadId) -> Self {
        Self { seats, thread }
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Seat")
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.seats.leave(self.thread);
    }
}
