//! The evaluation of the Game of the Amazons: distances of both sides to every empty square, and mobility.
//!
//! The features are those of Lieberum, *An evaluation function for the game of Amazons* (Theoretical Computer Science
//! 349, 2005), generalised: every empty square falls into a cell (distance of White, distance of Black), once in queen
//! moves and once in king steps, and each cell has a weight that depends on how full the board is. Lieberum's t1, t2,
//! c1 and c2 are particular tables of such weights; `bootstrap.rs` writes them down.
//!
//! `crates/lab/src/training/results.md` has the features that were tried and not kept.

mod bootstrap;
mod counts;
mod features;
mod fires;
mod policy;
#[doc(hidden)]
pub mod shapes;

use super::group::Group;
use super::learned::{Draws, Explanation, Learned as LearnedTables, Sample, learned_table};
use super::network::Network;
use super::ready::{InUse, Ready};
use super::shapes::{steps, value};
use super::{Evaluation, Evaluator, Term, Value, logistic, white};
use crate::board::flood::{Kernel, KernelTask, Portable, with_best_kernel};
use crate::endgame::amazons::Territories;
use crate::endgame::{self, NoOracle, Oracle, Proof};
use crate::eval::Parameters;
use crate::games::amazons::Amazons;
use crate::games::variant::Exact;
use crate::games::{MoveFireStep, Position, Side};
#[doc(hidden)]
pub use counts::{FEATURES, fine_phase};
use counts::{KING, OTHER_MOBILITY, OWN_MOBILITY, QUEEN, count, mover, nearer_squares, phase_index};
use features::Distances;
#[doc(hidden)]
pub use policy::{POLICY_FEATURES, step_features};
use shapes::owners::{Forecast, Owners, forecast};
use shapes::{SCHEME, Shapes, StepShapes};
use std::sync::Arc;

/// The network of the values.
type Values = Network<FEATURES>;
/// The learned weights. The Amazons have no draws.
#[doc(hidden)]
pub type Learned = LearnedTables<FEATURES, 0, POLICY_FEATURES>;

/// The weights before any learning: Lieberum's terms with the published weights, and a guessed policy.
#[must_use]
#[doc(hidden)]
pub fn bootstrap() -> Learned {
    Learned {
        value: bootstrap::bootstrap(),
        draws: Draws::even(0.0),
        steps: policy::bootstrap(),
        shapes: vec![0; value::size(&SCHEME)],
        step_shapes: vec![0; steps::size(&SCHEME)],
        owners: vec![0; Owners::SIZE],
    }
}

/// Evaluates positions of the Amazons by distances and mobility. Closed territories are counted exactly.
///
/// ```
/// use hippolyta::eval::{Evaluator, amazons::AmazonsEvaluator};
/// use hippolyta::games::{Notation, Position, amazons::Amazons, variant};
///
/// let variant = &variant::find("amazons")?;
/// let start = Amazons::from_fen(variant, variant.start())?;
/// let (evaluator, steps) = (AmazonsEvaluator::default(), start.steps());
/// let mut logits = vec![0.0; steps.len()];
/// let evaluation = evaluator.evaluate_with_policy(&start, &steps, &mut logits);
/// assert_eq!(evaluation.value().draw, 0.0);
/// assert!(logits.iter().all(|logit| logit.is_finite()) && steps.len() == 80);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AmazonsEvaluator {
    /// The learned weights for every size of board, by [`place`]; the first are those that sizes without weights of
    /// their own share.
    sizes: Vec<Arc<Size>>,
    /// Whether closed territories are counted: [`Exact::Territories`].
    exact: bool,
}

/// The learned weights for boards of one size.
type Size = Ready<Learned, Networks>;

/// The networks of what is learned of shapes, if anything is.
#[derive(Debug)]
struct Networks {
    shapes: Option<Shapes>,
    step_shapes: Option<StepShapes>,
    owners: Option<Owners>,
}

static IN_USE: InUse<Learned, Networks> = InUse::new();

impl Networks {
    fn new(Learned { shapes, step_shapes, owners, .. }: &Learned) -> Self {
        Self {
            shapes: learned_table(shapes).and_then(|table| Shapes::from_table(&SCHEME, table)),
            step_shapes: learned_table(step_shapes).and_then(|table| StepShapes::from_table(&SCHEME, table)),
            owners: learned_table(owners).and_then(Owners::from_table),
        }
    }
}

impl AmazonsEvaluator {
    /// An evaluator with what is learned for all sizes of board, and for single ones by their shorter and longer side.
    pub(super) fn of<'a>(
        all: &Group<Learned>,
        single: impl Iterator<Item = ([usize; 2], &'a Group<Learned>)>,
        exact: Exact,
    ) -> Self {
        let mut sizes = vec![IN_USE.of(all); WIDEST * WIDEST];
        for ([short, long], own) in single {
            let known = IN_USE.of(own);
            for place in [place(short, long), place(long, short)] {
                sizes[place] = known.clone();
            }
        }
        Self { sizes, exact: exact == Exact::Territories }
    }

    /// The learned weights, with their networks, for boards of a position's size.
    #[inline(always)]
    fn size(&self, position: &Amazons) -> &Size {
        let geometry = position.geometry();
        &self.sizes[place(geometry.width(), geometry.height())]
    }

    /// The weights for boards of a position's size, and the networks that are made of them at first use.
    #[inline(always)]
    fn networks(&self, position: &Amazons) -> (&Learned, &Networks) {
        let size = self.size(position);
        (&size.learned, size.get(Networks::new))
    }

    /// Who will own the squares, and by how many turns the side to move will be ahead, at the start of a turn. `None`
    /// if this was not learned.
    #[doc(hidden)]
    pub fn forecast(&self, position: &Amazons) -> Option<Forecast> {
        self.networks(position).1.owners.as_ref().map(|owners| forecast(owners, position))
    }
}

/// More than the squares on the longest side of a board.
const WIDEST: usize = 12;

/// The place of a board's size among all.
#[inline(always)]
fn place(width: usize, height: usize) -> usize {
    width * WIDEST + height
}

impl Evaluator<Amazons> for AmazonsEvaluator {
    fn evaluate(&self, position: &Amazons) -> Evaluation {
        let (learned, Networks { shapes, .. }) = self.networks(position);
        with_best_kernel(Evaluate { weights: &learned.value, shapes: shapes.as_ref(), position, exact: self.exact })
    }

    fn refine(&self, position: &Amazons, white: f32) -> f32 {
        match &self.networks(position).1.shapes {
            Some(shapes) => with_best_kernel(Refine { shapes, position, white }),
            None => white,
        }
    }

    fn evaluate_after(&self, position: &Amazons, steps: &[MoveFireStep], evaluations: &mut Vec<Evaluation>) {
        let weights = &self.size(position).learned.value;
        with_best_kernel(fires::EvaluateFires { weights, position, exact: self.exact, fires: steps, evaluations });
    }

    fn policy(&self, position: &Amazons, steps: &[MoveFireStep], logits: &mut [f32]) {
        let (learned, Networks { step_shapes, .. }) = self.networks(position);
        let shapes = step_shapes.as_ref();
        with_best_kernel(policy::Score { policy: &learned.steps, shapes, position, steps, logits });
    }

    fn explain(&self, position: &Amazons) -> (Value, Vec<Term>) {
        let (learned, Networks { shapes, .. }) = self.networks(position);
        let mut terms = explain(&learned.value, position);
        if let Some(shapes) = shapes {
            let logit = shapes::logit(Portable, shapes, position, &Distances::new(Portable, position));
            terms.push(Term { name: "shapes", features: [0.0; 2], logit: white(mover(position), logit) });
        }
        let known = if self.exact { endgame::amazons::result(position) } else { None };
        let value = match known {
            Some(proof) => Value::of(proof.outcome),
            None => self.evaluate(position).value(),
        };
        (value, terms)
    }

    /// Measured by matches, as is the temperature: see [`crate::search::experiments`].
    fn parameters(&self) -> Parameters {
        Parameters {
            c_puct: 0.72,
            c_puct_growth: 0.26,
            first_play_reduction: 0.03,
            evaluation_sharpness: 17.5,
            policy_share: 1.3,
            last_step_exploration: 0.32,
            final_share: 0.12,
            ..Parameters::default()
        }
    }

    fn policy_temperature(&self) -> f32 {
        2.0
    }

    fn identity(&self) -> Vec<u8> {
        let shared = &self.sizes[0];
        let mut bytes = shared.learned.to_bytes();
        for short in 0..WIDEST {
            for long in short..WIDEST {
                let own = &self.sizes[place(short, long)];
                if !own.learned.is(&shared.learned) {
                    bytes.extend([short as u8, long as u8]);
                    bytes.extend(own.learned.to_bytes());
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
    shapes: Option<&'a Shapes>,
    position: &'a Amazons,
    exact: bool,
}

impl KernelTask for Evaluate<'_> {
    type Output = Evaluation;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Evaluation {
        let distances = Distances::new(kernel, self.position);
        if self.exact
            && let Some(proof) = exact_result(self.position, &distances)
        {
            return Evaluation::Exact(proof);
        }
        let mut logit = logit(kernel, self.weights, self.position, &distances);
        if let Some(shapes) = self.shapes {
            logit += white(mover(self.position), shapes::logit(kernel, shapes, self.position, &distances));
        }
        Evaluation::Estimate(Value { white: logistic(logit), draw: 0.0 })
    }
}

/// Adds the shapes to an expected score of White's that lacks them.
struct Refine<'a> {
    shapes: &'a Shapes,
    position: &'a Amazons,
    white: f32,
}

impl KernelTask for Refine<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> f32 {
        let distances = Distances::new(kernel, self.position);
        let shapes = white(mover(self.position), shapes::logit(kernel, self.shapes, self.position, &distances));
        let score = self.white.clamp(1e-6, 1.0 - 1e-6);
        logistic(libm::logf(score / (1.0 - score)) + shapes)
    }
}

/// The result, if closed territories decide it.
#[inline(always)]
fn exact_result(position: &Amazons, distances: &Distances) -> Option<Proof> {
    let may_be_decided =
        position.at_turn_start() && endgame::amazons::may_be_decided(position.side_to_move(), &distances.reached);
    if may_be_decided { endgame::amazons::prove(position, distances.reached) } else { None }
}

/// The logit of White's expected score.
#[inline(always)]
fn logit<K: Kernel>(kernel: K, weights: &Values, position: &Amazons, distances: &Distances) -> f32 {
    let mut sum = weights.sum(phase_index(position));
    count(kernel, position, distances, &mut sum);
    white(mover(position), sum.logit())
}

/// The counts of a position, for fitting.
#[must_use]
#[doc(hidden)]
pub fn sample(position: &Amazons) -> Sample {
    let counts = counts_by(position, &Distances::new(Portable, position));
    Sample { counts, fine_phase: fine_phase(position), draw_class: 0 }
}

fn counts_by(position: &Amazons, distances: &Distances) -> Vec<i32> {
    let mut counts = vec![0; FEATURES];
    count(Portable, position, distances, &mut counts);
    counts
}

/// The evaluation as a sum of terms.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::games::{Notation, variant};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Calls `f` with every position of a random game on boards of several sizes, one of them oblong.
    pub(super) fn for_each_position(mut f: impl FnMut(&Amazons)) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let variant = &variant::find("amazons").unwrap();
        for fen in [variant.start(), "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1", "q6q/8/8/8/Q6Q w", "Q10/11/11/11/11/11/10q w"]
        {
            let mut position = Amazons::from_fen(variant, fen).unwrap();
            while !(position.at_turn_start() && position.outcome().is_some()) {
                f(&position);
                let steps = position.steps();
                position.play(steps[random.random_range(0..steps.len())]);
            }
        }
    }

    #[test]
    fn evaluators_with_the_same_weights_share_what_they_know() {
        let (weights, others) = (Weights::embedded(), Weights::bootstrap());
        let [first, second, other] = [&*weights, &*weights, &others].map(AmazonsEvaluator::new);
        let shared = |a: &AmazonsEvaluator, b: &AmazonsEvaluator| -> Vec<bool> {
            a.sizes.iter().zip(&b.sizes).map(|(a, b)| Arc::ptr_eq(a, b)).collect()
        };
        assert!(shared(&first, &second).iter().all(|&shared| shared));
        assert!(!shared(&first, &other)[place(10, 10)]);
        // Nothing stays of weights that no evaluator uses any more.
        let count = |of: &AmazonsEvaluator| Arc::strong_count(&of.sizes[place(10, 10)]);
        let before = count(&other);
        drop(AmazonsEvaluator::new(&others));
        assert_eq!(count(&other), before);
    }

    #[test]
    fn what_refining_adds_is_what_the_evaluation_has_beyond_the_counts() {
        let evaluator = AmazonsEvaluator::default();
        for_each_position(|position| {
            let weights = &evaluator.size(position).learned.value;
            let counts = with_best_kernel(Evaluate { weights, shapes: None, position, exact: true });
            if let (Evaluation::Estimate(counts), Evaluation::Estimate(all)) = (counts, evaluator.evaluate(position))
                && (0.001..0.999).contains(&counts.white)
            {
                assert!((evaluator.refine(position, counts.white) - all.white).abs() < 1e-5);
            }
        });
    }
}
