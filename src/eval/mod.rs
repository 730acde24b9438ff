//! What a position is worth. Knows neither the search tree nor the protocol.
//!
//! An [`Evaluator`] evaluates a position, and scores the steps from it so that the search looks at promising ones
//! first. Scores are always White's expected score, from 0 (Black wins) to 1 (White wins); [`Value::for_side`] is the
//! one place where they are turned.

pub mod amazons;
pub mod damone;
pub mod desdemona;
mod drawing;
mod exponential;
pub(crate) mod learned;
mod move_fire;
pub(crate) mod network;
mod playouts;
mod squares;
pub mod weights;

pub(crate) use drawing::draw_step;
pub(crate) use exponential::{exp, sum_of_exponentials};
pub use playouts::Playouts;
pub use weights::Weights;

use crate::endgame::{NoOracle, Oracle, Proof};
use crate::games::variant::Variant;
use crate::games::{Notation, Outcome, Position, Side};

/// An estimate: White's expected score (a draw counts one half) and the probability of a draw, both 0 … 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// Expected score of White.
    pub white: f32,
    /// Probability of a draw.
    pub draw: f32,
}

impl Value {
    /// The value of a finished game.
    #[must_use]
    pub fn of(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(Side::White) => Self { white: 1.0, draw: 0.0 },
            Outcome::Win(Side::Black) => Self { white: 0.0, draw: 0.0 },
            Outcome::Draw => Self { white: 0.5, draw: 1.0 },
        }
    }

    /// The expected score of `side`.
    #[inline]
    #[must_use]
    pub fn for_side(self, side: Side) -> f32 {
        if side == Side::White { self.white } else { 1.0 - self.white }
    }
}

/// What an evaluator says of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evaluation {
    /// A guess.
    Estimate(Value),
    /// A certainty.
    Exact(Proof),
}

impl Evaluation {
    /// The value, whether guessed or certain.
    #[must_use]
    pub fn value(self) -> Value {
        match self {
            Self::Estimate(value) => value,
            Self::Exact(proof) => Value::of(proof.outcome),
        }
    }
}

/// One line of the explanation that `eval` shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What was looked at.
    pub name: &'static str,
    /// The feature for White and for Black.
    pub features: [f32; 2],
    /// What it adds to the logit of White's expected score.
    pub logit: f32,
}

/// Values and priors for one game. Safe to use from many threads at once.
pub trait Evaluator<P: Position>: Send + Sync {
    /// Evaluates a position that is not finished, at the start of a turn or within it.
    fn evaluate(&self, position: &P) -> Evaluation;

    /// Writes a logit for each of `steps`, all those of `position` in its order: the higher, the more promising for the
    /// side to move. Only differences matter. `logits` has the length of `steps`.
    fn policy(&self, position: &P, steps: &[P::Step], logits: &mut [f32]);

    /// The estimate for a position at the start of a turn, and what it is made of.
    fn explain(&self, position: &P) -> (Value, Vec<Term>);

    /// Bytes that identify the weights, and tables by a checksum; they are hashed into data files. Only another
    /// evaluation may change them.
    fn identity(&self) -> Vec<u8>;

    /// Value and policy of one position at once: for evaluators to which both together cost little more than one. As
    /// [`evaluate`](Self::evaluate) and [`policy`](Self::policy) say.
    fn evaluate_with_policy(&self, position: &P, steps: &[P::Step], logits: &mut [f32]) -> Evaluation {
        self.policy(position, steps, logits);
        self.evaluate(position)
    }

    /// What is known for certain beside the evaluation.
    fn oracle(&self) -> &dyn Oracle<P> {
        &NoOracle
    }
}

/// A family of games with an evaluation that is learned.
pub trait Evaluated: Notation {
    /// Its evaluator.
    type Evaluator: Evaluator<Self> + 'static;

    /// The evaluator for positions of `variant`, a rule set of this family.
    fn evaluator(variant: &'static Variant, weights: &Weights) -> Self::Evaluator;

    /// The name under which the tables of a rule set stand in weights files; rule sets that share one are learned
    /// together.
    fn group(variant: &'static Variant) -> &'static str;
}

/// The logistic function, with the same bits on every machine.
#[inline]
#[must_use]
pub fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + exp(-logit))
}

/// A logit from the mover's view as White's.
#[inline(always)]
fn white(mover: Side, logit: f32) -> f32 {
    if mover == Side::White { logit } else { -logit }
}

/// Centipawns for an expected score: `400·log10(s / (1 − s))`, the Elo difference that gives this score, within ±3000.
///
/// ```
/// use hippolyta::eval::centipawns;
/// assert_eq!(centipawns(0.5), 0);
/// assert_eq!(centipawns(0.64), 100);
/// assert_eq!(centipawns(1.0), 3000);
/// ```
#[must_use]
pub fn centipawns(score: f32) -> i32 {
    let score = score.clamp(1e-9, 1.0);
    let elo = 400.0 * libm::log10f(score / (1.0 - score));
    elo.clamp(-3000.0, 3000.0).round() as i32
}
