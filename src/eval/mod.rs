//! The evaluation of positions. This layer knows neither the search tree nor the protocols.
//!
//! An [`Evaluator`] evaluates a position. Its policy scores the steps, so that the search looks at promising ones
//! first. Values are White's expected score, from 0 (Black wins) to 1 (White wins). [`Value::for_side`] is the one
//! place where the perspective changes.
//!
//! | module | its one idea |
//! | --- | --- |
//! | [`amazons`], [`desdemona`], [`damone`] | the evaluators of the families |
//! | `general` | the evaluator of any other game of move and fire |
//! | `playouts` | [`Playouts`]: random games, a yardstick |
//! | [`weights`] | [`Weights`]: what the evaluators have learned; the form of weights files |
//! | `calibration` | what values of a search come to in strong games: the percentages that are shown |
//! | `learned`, `network` | the form that learned evaluations and policies share: counts, phases, hidden units |
//! | `move_fire`, `squares` | what the policies of Amazons and Desdemona share |
//! | `lines` | which stones can be flipped |
//! | `shapes` | networks that see which squares lie beside which |
//! | `ready` | networks built once for all evaluators that use them |
//! | `batches` | [`Leaf`]: positions that are evaluated in batches |
//! | `together` | many searches on one thread whose leaves make one batch |
//! | `drawing` | steps drawn at random from a policy |
//! | `exponential` | exponentials with the same bits on every machine |

pub mod amazons;
mod batches;
#[doc(hidden)]
pub mod calibration;
pub mod damone;
pub mod desdemona;
mod drawing;
mod exponential;
#[doc(hidden)]
pub mod general;
mod group;
#[doc(hidden)]
pub mod learned;
mod lines;
mod move_fire;
#[doc(hidden)]
pub mod network;
mod parameters;
mod playouts;
mod ready;
#[doc(hidden)]
pub mod shapes;
mod squares;
#[cfg(feature = "own")]
mod together;
pub mod weights;

#[doc(hidden)]
pub use batches::now;
pub use batches::{Leaf, Ticket};
#[doc(hidden)]
pub use drawing::draw_step;
pub(crate) use drawing::draw_turn;
#[doc(hidden)]
pub use exponential::{exp, sum_of_exponentials};
pub use parameters::Parameters;
pub use playouts::Playouts;
#[cfg(feature = "own")]
pub(crate) use together::Together;
pub use weights::Weights;

use crate::endgame::{NoOracle, Oracle, Proof};
use crate::games::variant::Variant;
use crate::games::{Notation, Outcome, Position, Side};
use std::borrow::Cow;
use std::task::Poll;

/// An estimate from White's view.
///
/// ```
/// use hippolyta::eval::Value;
/// use hippolyta::games::{Outcome, Side};
///
/// let value = Value { white: 0.75, draw: 0.0 };
/// assert_eq!((value.for_side(Side::White), value.for_side(Side::Black)), (0.75, 0.25));
/// assert_eq!(Value::of(Outcome::Draw), Value { white: 0.5, draw: 1.0 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// White's expected score, 0 … 1. A draw counts one half.
    pub white: f32,
    /// The probability of a draw, 0 … 1.
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

    /// The expected score of `side`, 0 … 1.
    #[inline]
    #[must_use]
    pub fn for_side(self, side: Side) -> f32 {
        if side == Side::White { self.white } else { 1.0 - self.white }
    }
}

/// The evaluation of a position: an estimate, or a proven result.
///
/// ```
/// use hippolyta::eval::{Evaluation, Evaluator, amazons::AmazonsEvaluator};
/// use hippolyta::games::{Notation, Outcome, Side, amazons::Amazons, variant};
///
/// // Each side has five squares of its own to fill, and White must begin.
/// let position = Amazons::from_fen(&variant::find("amazons")?, "Q1*1q/2*2/2*2 w")?;
/// let Evaluation::Exact(proof) = AmazonsEvaluator::default().evaluate(&position) else { panic!("it is certain") };
/// assert_eq!(proof.outcome, Outcome::Win(Side::Black));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Evaluation {
    /// An estimate.
    Estimate(Value),
    /// A proven result.
    Exact(Proof),
}

impl Evaluation {
    /// The value, estimated or proven.
    #[must_use]
    pub fn value(self) -> Value {
        match self {
            Self::Estimate(value) => value,
            Self::Exact(proof) => Value::of(proof.outcome),
        }
    }
}

/// One term of an estimate, for explanations.
///
/// ```
/// use hippolyta::eval::{Evaluator, amazons::AmazonsEvaluator, logistic};
/// use hippolyta::games::{Notation, amazons::Amazons, variant};
///
/// let variant = &variant::find("amazons")?;
/// let start = Amazons::from_fen(variant, variant.start())?;
/// let (value, terms) = AmazonsEvaluator::default().explain(&start);
/// // The terms add up to the logit of White's expected score.
/// let sum = terms.iter().map(|term| term.logit).sum();
/// assert!((logistic(sum) - value.white).abs() < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Its name.
    pub name: &'static str,
    /// The counts for White and for Black.
    pub features: [f32; 2],
    /// The part that it adds to the logit of White's expected score.
    pub logit: f32,
}

/// Values and priors for the positions of one game. Many threads use an evaluator at once.
///
/// ```
/// use hippolyta::eval::{Evaluation, Evaluator, Term, Value};
/// use hippolyta::games::{Game, Notation, Position, amazons::Amazons, variant};
/// use hippolyta::search::{Control, Limits, Score, Search, Settings};
///
/// /// Everything is even; the search alone finds out who wins.
/// struct Even;
///
/// impl<P: Position> Evaluator<P> for Even {
///     fn evaluate(&self, _: &P) -> Evaluation {
///         Evaluation::Estimate(Value { white: 0.5, draw: 0.0 })
///     }
///     fn policy(&self, _: &P, _: &[P::Step], logits: &mut [f32]) {
///         logits.fill(0.0);
///     }
///     fn explain(&self, _: &P) -> (Value, Vec<Term>) {
///         (Value { white: 0.5, draw: 0.0 }, Vec::new())
///     }
///     fn identity(&self) -> Vec<u8> {
///         b"even".to_vec()
///     }
/// }
///
/// let game = Game::new(Amazons::from_fen(&variant::find("amazons")?, "q1*/**1/2Q w")?);
/// let mut search = Search::new(Even, Settings { hash: 1, ..Settings::default() })?;
/// let report = search.run(&game, &Limits::default(), &Control::default(), &mut |_| ());
/// assert_eq!(report.score, Score::Win { plies: 1 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Evaluator<P: Position>: Send + Sync {
    /// Evaluates a position that is not finished, at the start of a turn or in the middle of one.
    fn evaluate(&self, position: &P) -> Evaluation;

    /// Writes a logit for each of `steps`, which are all the steps of `position` in its order. The higher the logit,
    /// the more promising the step is for the side to move. Only differences matter. `logits` is as long as `steps`.
    fn policy(&self, position: &P, steps: &[P::Step], logits: &mut [f32]);

    /// The value of a position at the start of a turn, and the terms of its estimate.
    fn explain(&self, position: &P) -> (Value, Vec<Term>);

    /// Bytes that tell this evaluation from others: the weights, and a checksum of the tables. Files of self-play name
    /// the evaluation by their hash, so the bytes change with the evaluation and with nothing else.
    fn identity(&self) -> Vec<u8>;

    /// Value and policy of one position, as [`evaluate`](Self::evaluate) and [`policy`](Self::policy) give them: for
    /// evaluators to which both together cost little more than one.
    fn evaluate_with_policy(&self, position: &P, steps: &[P::Step], logits: &mut [f32]) -> Evaluation {
        self.policy(position, steps, logits);
        self.evaluate(position)
    }

    /// Evaluates the position after each of `steps`, all of them steps of `position` that end its turn: a finished game
    /// by its result, any other as [`evaluate`](Self::evaluate) does. Adds the evaluations to `evaluations`, in their
    /// order. For evaluators that evaluate several such positions in less time than each by itself. These evaluations
    /// may be less exact: the search orders steps by them, and calls [`refine`](Self::refine) where it visits.
    fn evaluate_after(&self, position: &P, steps: &[P::Step], evaluations: &mut Vec<Evaluation>) {
        evaluate_each(position, steps, evaluations, |after| self.evaluate(after));
    }

    /// White's expected score that [`evaluate`](Self::evaluate) gives, from the one that
    /// [`evaluate_after`](Self::evaluate_after) gave for this position.
    fn refine(&self, _position: &P, white: f32) -> f32 {
        white
    }

    /// The constants that a search with this evaluator has, unless it is told others.
    fn parameters(&self) -> Parameters {
        if self.batch().is_some() { Parameters::for_batches() } else { Parameters::default() }
    }

    /// The number, above 0, by which the search divides the logits of [`policy`](Self::policy). A policy that was
    /// learned from the visits of searches may be surer than a search wants its priors to be.
    fn policy_temperature(&self) -> f32 {
        1.0
    }

    /// The number of leaves that one search collects for a call of [`evaluate_batch`](Self::evaluate_batch), at least 1;
    /// `None` for an evaluator that is asked for one position at a time.
    ///
    /// With a number the search is that of AlphaZero (Silver et al. 2018). Each half-turn is evaluated where it is
    /// first visited, in the middle of a turn as well: one evaluation gives its value and the priors of its steps,
    /// which are the softmax of the logits and nothing else. Of leaves that wait for their evaluation, the visits count
    /// at once, so that the next ones are chosen elsewhere. Nothing is evaluated twice for its priors, and ties are
    /// broken by the order of the steps alone.
    fn batch(&self) -> Option<usize> {
        None
    }

    /// Evaluates leaves, and writes value and logits into each; it neither adds nor removes any. False if it could not:
    /// the search ends. Called by searches if there is a [`batch`](Self::batch), from as many threads as search.
    fn evaluate_batch(&self, leaves: &mut Vec<Leaf<P>>) -> bool {
        for leaf in leaves {
            leaf.value = self.evaluate_with_policy(&leaf.position, &leaf.steps, &mut leaf.logits).value();
        }
        true
    }

    /// Evaluates leaves like [`evaluate_batch`](Self::evaluate_batch), but may not be ready before it is asked again,
    /// with the same `ticket`, which is the default one at first: so that the leaves of many searches on one thread
    /// make one batch ([`Simul`](crate::engine::Simul)).
    fn poll_batch(&self, leaves: &mut Vec<Leaf<P>>, _ticket: &mut Ticket) -> Poll<bool> {
        Poll::Ready(self.evaluate_batch(leaves))
    }

    /// The source of certain results, beside the evaluation.
    fn oracle(&self) -> &dyn Oracle<P> {
        &NoOracle
    }
}

/// Evaluates the position after each of `steps`, as [`Evaluator::evaluate_after`] says, those that are not finished by
/// `evaluate`.
#[inline(always)]
fn evaluate_each<P: Position>(
    position: &P,
    steps: &[P::Step],
    evaluations: &mut Vec<Evaluation>,
    evaluate: impl Fn(&P) -> Evaluation,
) {
    evaluations.extend(steps.iter().map(|&step| {
        let after = position.after(step);
        match after.outcome() {
            Some(outcome) => Evaluation::Exact(Proof { outcome, plies: 0 }),
            None => evaluate(&after),
        }
    }));
}

/// A family of games with a learned evaluation.
///
/// ```
/// use hippolyta::eval::{Evaluated, Evaluator, Weights};
/// use hippolyta::games::{Notation, desdemona::Desdemona, variant};
///
/// let iago = &variant::find("iago")?;
/// let evaluator = Desdemona::evaluator(iago, &Weights::embedded());
/// let value = evaluator.evaluate(&Desdemona::from_fen(iago, iago.start())?).value();
/// assert!((0.0..=1.0).contains(&value.white) && (0.0..=1.0).contains(&value.draw));
/// assert_eq!(Desdemona::group(&variant::find("cassio-site")?), Desdemona::group(&variant::find("desdemona-early")?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Evaluated: Notation {
    /// The type of its evaluator.
    type Evaluator: Evaluator<Self> + 'static;

    /// The evaluator for positions of `variant`, a rule set of this family.
    fn evaluator(variant: &Variant, weights: &Weights) -> Self::Evaluator;

    /// The name of a rule set's tables in weights files. Rule sets with the same name share their weights and are
    /// learned together.
    fn group(variant: &Variant) -> Cow<'static, str>;

    /// The phase of the game times 256, by what it has used up: from 0 at its start to 32 · 256.
    fn fine_phase(&self) -> usize;
}

/// The logistic function, from a logit to a probability. It has the same bits on every machine.
///
/// ```
/// use hippolyta::eval::logistic;
///
/// assert_eq!(logistic(0.0), 0.5);
/// assert!((logistic(1.0) - 0.731).abs() < 1e-3);
/// ```
#[inline]
#[must_use]
pub fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + exp(-logit))
}

/// The mover's logit from White's view.
#[inline(always)]
fn white(mover: Side, logit: f32) -> f32 {
    if mover == Side::White { logit } else { -logit }
}

/// Centipawns for an expected score: `400·log10(s / (1 − s))`, the difference in Elo that gives this score, within
/// ±3000.
///
/// ```
/// use hippolyta::eval::centipawns;
///
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
