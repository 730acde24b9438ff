//! The evaluation of the Game of the Amazons: distances of both sides to every empty square, and mobility.
//!
//! The features are those of Lieberum, *An evaluation function for the game of Amazons* (Theoretical Computer Science
//! 349, 2005), generalised: every empty square falls into a cell (distance of White, distance of Black), once in queen
//! moves and once in king steps, and each cell has a weight that depends on how full the board is. Lieberum's t1, t2,
//! c1 and c2 are particular tables of such weights; `bootstrap.rs` writes them down.
//!
//! # Tried and not kept
//!
//! In place of mobility, each amazon's *surroundings*: the empty squares within three king steps, and whether the enemy
//! reaches one beside the amazon. Fitted to the same games it predicts results better (validation loss 0.5066 against
//! 0.5089 nats) and takes an eighth less time a node, but it tells sibling positions apart less well: 300–300 at 30 ms
//! a move, 295–305 at 5,000 nodes. The number of contested squares a queen move away with the number of empty
//! neighbours predicts as well as mobility (0.5081) and loses 235–365 at 5,000 nodes: the loss on games' results is no
//! substitute for matches. Splitting the king cells by who is nearer in queen moves, by the edge or by empty neighbours
//! did not lower the loss.

mod bootstrap;
mod counts;
mod features;
mod policy;

use super::learned::{Draws, Explanation, Learned as LearnedTables, Sample};
use super::network::Network;
use super::{Evaluated, Evaluation, Evaluator, Term, Value, Weights, logistic, white};
use crate::board::flood::{Kernel, KernelTask, Portable, with_best_kernel};
use crate::endgame::amazons::Territories;
use crate::endgame::{self, NoOracle, Oracle};
use crate::games::amazons::Amazons;
use crate::games::variant::{Exact, Variant};
use crate::games::{MoveFireStep, Position, Side};
pub(crate) use counts::{FEATURES, fine_phase};
use counts::{KING, OTHER_MOBILITY, OWN_MOBILITY, QUEEN, count, mover, nearer_squares, phase_index};
use features::Distances;
pub(crate) use policy::{POLICY_FEATURES, step_features};
use std::sync::Arc;

/// The network of the values.
type Values = Network<FEATURES>;
/// What is learned. Amazons has no draws.
pub(crate) type Learned = LearnedTables<FEATURES, 0, POLICY_FEATURES>;

/// The weights before any learning: Lieberum's terms with the published weights, and a guessed policy.
#[must_use]
pub(crate) fn bootstrap() -> Learned {
    Learned { value: bootstrap::bootstrap(), draws: Draws::even(0.0), steps: policy::bootstrap() }
}

/// Evaluates positions of the Amazons by distances and mobility. Closed territories are counted exactly.
///
/// ```
/// use hippolyta::eval::{Evaluator, amazons::AmazonsEvaluator};
/// use hippolyta::games::{Notation, Position, amazons::Amazons, variant};
///
/// let variant = variant::find("amazons")?;
/// let start = Amazons::from_fen(variant, variant.start)?;
/// let (evaluator, steps) = (AmazonsEvaluator::default(), start.steps());
/// let mut logits = vec![0.0; steps.len()];
/// let evaluation = evaluator.evaluate_with_policy(&start, &steps, &mut logits);
/// assert_eq!(evaluation.value().draw, 0.0);
/// assert!(logits.iter().all(|logit| logit.is_finite()) && steps.len() == 80);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AmazonsEvaluator {
    /// What is learned, for every size of board, by [`place`]; the first is what sizes share that have none of their own.
    learned: Vec<Arc<Learned>>,
    /// Whether closed territories are counted: [`Exact::Territories`].
    exact: bool,
}

impl AmazonsEvaluator {
    /// An evaluator with these weights.
    #[must_use]
    pub fn new(weights: &Weights) -> Self {
        let mut learned = vec![weights.amazons.clone(); WIDEST * WIDEST];
        for (size, own) in &weights.amazons_sizes {
            let [short, long] = size.sides();
            learned[place(short, long)] = own.clone();
            learned[place(long, short)] = own.clone();
        }
        Self { learned, exact: true }
    }

    /// What is learned for boards of a position's size.
    #[inline(always)]
    fn learned(&self, position: &Amazons) -> &Learned {
        let geometry = position.geometry();
        &self.learned[place(geometry.width(), geometry.height())]
    }
}

/// More than the squares on the longest side of a board.
const WIDEST: usize = 12;

/// The place of a board's size among all.
#[inline(always)]
fn place(width: usize, height: usize) -> usize {
    width * WIDEST + height
}

impl Evaluated for Amazons {
    type Evaluator = AmazonsEvaluator;

    fn evaluator(variant: &'static Variant, weights: &Weights) -> AmazonsEvaluator {
        AmazonsEvaluator { exact: variant.exact == Exact::Territories, ..AmazonsEvaluator::new(weights) }
    }

    fn group(_: &'static Variant) -> &'static str {
        super::weights::AMAZONS
    }
}

impl Default for AmazonsEvaluator {
    /// An evaluator with the embedded weights.
    fn default() -> Self {
        Self::new(&Weights::embedded())
    }
}

impl Evaluator<Amazons> for AmazonsEvaluator {
    fn evaluate(&self, position: &Amazons) -> Evaluation {
        with_best_kernel(Evaluate { weights: &self.learned(position).value, position, exact: self.exact })
    }

    fn policy(&self, position: &Amazons, steps: &[MoveFireStep], logits: &mut [f32]) {
        with_best_kernel(policy::Score { policy: &self.learned(position).steps, position, steps, logits });
    }

    fn explain(&self, position: &Amazons) -> (Value, Vec<Term>) {
        let terms = explain(&self.learned(position).value, position);
        let known = if self.exact { endgame::amazons::result(position) } else { None };
        let value = match known {
            Some(proof) => Value::of(proof.outcome),
            None => self.evaluate(position).value(),
        };
        (value, terms)
    }

    fn identity(&self) -> Vec<u8> {
        let mut bytes = self.learned[0].to_bytes();
        for short in 0..WIDEST {
            for long in short..WIDEST {
                let own = &self.learned[place(short, long)];
                if !Arc::ptr_eq(own, &self.learned[0]) {
                    bytes.extend([short as u8, long as u8]);
                    bytes.extend(own.to_bytes());
                }
            }
        }
        bytes
    }

    fn oracle(&self) -> &dyn Oracle<Amazons> {
        if self.exact { &Territories } else { &NoOracle }
    }
}

struct Evaluate<'a> {
    weights: &'a Values,
    position: &'a Amazons,
    exact: bool,
}

impl KernelTask for Evaluate<'_> {
    type Output = Evaluation;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Evaluation {
        let distances = Distances::new(kernel, self.position);
        if self.exact
            && self.position.at_turn_start()
            && endgame::amazons::may_be_decided(self.position.side_to_move(), &distances.reached)
            && let Some(proof) = endgame::amazons::prove(self.position, distances.reached)
        {
            return Evaluation::Exact(proof);
        }
        let logit = logit(kernel, self.weights, self.position, &distances);
        Evaluation::Estimate(Value { white: logistic(logit), draw: 0.0 })
    }
}

/// The logit of White's expected score.
#[inline(always)]
fn logit<K: Kernel>(kernel: K, weights: &Values, position: &Amazons, distances: &Distances) -> f32 {
    let mut sum = weights.sum(phase_index(position));
    count(kernel, position, distances, &mut sum);
    white(mover(position), sum.logit())
}

/// What is counted in a position.
#[must_use]
pub(crate) fn sample(position: &Amazons) -> Sample {
    let counts = counts_by(position, &Distances::new(Portable, position));
    Sample { counts, fine_phase: fine_phase(position), draw_class: 0 }
}

fn counts_by(position: &Amazons, distances: &Distances) -> Vec<i32> {
    let mut counts = vec![0; FEATURES];
    count(Portable, position, distances, &mut counts);
    counts
}

/// What the evaluation is made of, in parts.
fn explain(weights: &Values, position: &Amazons) -> Vec<Term> {
    let distances = Distances::new(Portable, position);
    let (counts, phase, mover) = (counts_by(position, &distances), phase_index(position), mover(position));
    let explanation = Explanation { network: weights, phase, counts, mover };
    let of_sides = |own: f32, other: f32| if mover == Side::White { [own, other] } else { [other, own] };
    let mobility = of_sides(explanation.part(OWN_MOBILITY), explanation.part(OTHER_MOBILITY));
    explanation.complete(vec![
        Term {
            name: "queen distances",
            features: nearer_squares(&distances.queen).map(|count| count as f32),
            logit: explanation.part(QUEEN),
        },
        Term {
            name: "king distances",
            features: nearer_squares(&distances.king).map(|count| count as f32),
            logit: explanation.part(KING),
        },
        Term { name: "mobility", features: mobility, logit: mobility[0] + mobility[1] },
        Term { name: "next to move", features: of_sides(1.0, 0.0), logit: explanation.part(FEATURES - 1..FEATURES) },
    ])
}
