//! The evaluation of Desdemona and its relatives, all of it learned: which stones can be flipped, distances, free
//! squares around the amazons.
//!
//! Every stone falls into a class by the number of axes on which its run is open at both ends, and by when the other
//! side could flip it (`counts`). Every empty square falls into a cell by its distances, as in the Amazons, and every
//! amazon into classes by its empty neighbours and its moves. What these are worth depends on how many turns are left.
//! A side that runs out of turns ends the game, so turns left are neither good nor bad in themselves: they are time in
//! which the lead may change. How likely a draw is depends on that, and on the number of stones that may still flip.

mod counts;
mod policy;
#[doc(hidden)]
pub mod shapes;

use super::group::Group;
use super::learned::{Draws, Explanation, Learned as LearnedTables, Sample, learned_table, logit_of_score};
#[doc(hidden)]
pub use super::lines::DRAW_CLASSES;
use super::lines::{View, loose};
use super::network::Network;
use super::ready::{InUse, Ready};
use super::shapes::{steps, value};
use super::{Evaluation, Evaluator, Term, Value, evaluate_each, white};
use crate::board::Bitboard;
use crate::board::flood::{Kernel, KernelTask, Portable, with_best_kernel};
use crate::endgame::{Oracle, Proof, Prove, Solve, dfpn};
use crate::games::desdemona::Desdemona;
use crate::games::move_fire::{Flips, Leaves, Rules};
use crate::games::variant::Exact;
use crate::games::{MoveFireStep, Outcome, Position, Side};
#[doc(hidden)]
pub use counts::FEATURES;
use counts::{AMAZONS, BOARD, LEAD, PREY, QUEEN, STONES, count, fine_phase, turns_left, view};
#[doc(hidden)]
pub use policy::{STEP_FEATURES, fine_step_phase, step_features};
use shapes::{SCHEME, Shapes, StepShapes};
use std::sync::Arc;

/// The learned weights of a group of rule sets.
#[doc(hidden)]
pub type Learned = LearnedTables<FEATURES, DRAW_CLASSES, STEP_FEATURES>;

/// Names of the groups of rule sets that learn together, as they stand in weights files: those with the same stones
/// left and flipped.
#[doc(hidden)]
pub const GROUPS: [&str; 5] = ["desdemona", "cassio", "iago", "early", "border"];

/// The temperature of the policy of each of [`GROUPS`], measured by matches: see [`crate::search::experiments`].
const POLICY_TEMPERATURES: [f32; GROUPS.len()] = [1.0, 1.0, 2.0, 1.0, 1.0];

/// The group of these rules, an index among [`GROUPS`].
#[must_use]
#[doc(hidden)]
pub fn group(rules: &Rules) -> usize {
    let [plain, over] = [rules.plain == Leaves::Own, rules.flips == Flips::Run(Leaves::Own)];
    match (plain, over) {
        _ if rules.flips == Flips::Lines => 2,
        (false, true) => 0,
        (false, false) => 1,
        (true, false) => 3,
        (true, true) => 4,
    }
}

/// The weights before any learning: that stones count, and a guessed policy.
#[must_use]
#[doc(hidden)]
pub fn bootstrap() -> Learned {
    let mut weights = [0.0; FEATURES];
    let half = STONES.len() / 2;
    weights[STONES][..half].fill(0.3);
    weights[STONES][half..].fill(-0.3);
    Learned {
        value: Network::of_phase(&weights),
        draws: Draws::even(0.1),
        steps: policy::bootstrap(),
        shapes: vec![0; value::size(&SCHEME)],
        step_shapes: vec![0; steps::size(&SCHEME)],
        owners: Vec::new(),
    }
}

/// Evaluates positions of one rule set of the Desdemona family.
///
/// ```
/// use hippolyta::eval::desdemona::DesdemonaEvaluator;
/// use hippolyta::eval::{Evaluator, Weights};
/// use hippolyta::games::{Notation, desdemona::Desdemona, variant};
///
/// let iago = &variant::find("iago")?;
/// let start = Desdemona::from_fen(iago, iago.start())?;
/// let value = DesdemonaEvaluator::new(&start.rules(), &Weights::embedded()).evaluate(&start).value();
/// assert!(value.white > 0.0 && value.white < 1.0 && value.draw < 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DesdemonaEvaluator {
    known: Arc<Ready<Learned, Networks>>,
    /// Whether a lead that no flip can change counts as proven: [`Exact::SettledStones`].
    exact: bool,
    /// One of [`POLICY_TEMPERATURES`].
    policy_temperature: f32,
}

/// The networks of what is learned of shapes, if anything is.
#[derive(Debug)]
struct Networks {
    shapes: Option<Shapes>,
    step_shapes: Option<StepShapes>,
}

static IN_USE: InUse<Learned, Networks> = InUse::new();

impl Networks {
    fn new(Learned { shapes, step_shapes, .. }: &Learned) -> Self {
        Self {
            shapes: learned_table(shapes).and_then(|table| Shapes::from_table(&SCHEME, table)),
            step_shapes: learned_table(step_shapes).and_then(|table| StepShapes::from_table(&SCHEME, table)),
        }
    }
}

impl DesdemonaEvaluator {
    /// An evaluator for these rules, with what their group has learned.
    pub(super) fn of(rules: &Rules, groups: &[Group<Learned>; GROUPS.len()], exact: Exact) -> Self {
        let group = group(rules);
        let known = IN_USE.of(&groups[group]);
        Self { known, exact: exact == Exact::SettledStones, policy_temperature: POLICY_TEMPERATURES[group] }
    }

    #[inline(always)]
    fn networks(&self) -> &Networks {
        self.known.get(Networks::new)
    }

    /// Evaluates a position by the counts, and by `shapes` if they are given.
    #[inline(always)]
    fn evaluate_by(&self, shapes: Option<&Shapes>, position: &Desdemona) -> Evaluation {
        with_best_kernel(Evaluate { learned: &self.known.learned, shapes, position, exact: self.exact })
    }
}

/// Whether the lead will stay as it is: where plain shots leave neutral stones only flips make coloured ones, and no
/// line of stones is open at both ends. Neutral stones and the edge close an end for good, and so do stones that never
/// flip.
#[inline(always)]
fn settled(position: &Desdemona, loose: impl FnOnce() -> Bitboard) -> bool {
    position.rules().plain == Leaves::Neutral && loose().is_empty()
}

/// Stones of both sides that certainly never change sides again: none where plain shots leave coloured stones, which
/// open lines anew.
#[doc(hidden)]
pub fn unflippable(position: &Desdemona) -> Bitboard {
    if position.rules().plain != Leaves::Neutral {
        return Bitboard::EMPTY;
    }
    (position.stones(Side::White) | position.stones(Side::Black)) & !loose(position)
}

/// The result of a [`settled`] position.
#[inline(always)]
fn by_stones(position: &Desdemona) -> Proof {
    // Every turn fills a square but a first one that only moves.
    let plies = position.empty().count() as u8 + u8::from(position.move_only());
    Proof { outcome: position.result(), plies }
}

/// The result of a position, if it is [`settled`].
fn by_settled(position: &Desdemona) -> Option<Proof> {
    settled(position, || loose(position)).then(|| by_stones(position))
}

fn by_stones_alone(position: &Desdemona) -> Option<Outcome> {
    by_settled(position).map(|proof| proof.outcome)
}

#[inline(always)]
fn estimate<K: Kernel>(
    kernel: K,
    learned: &Learned,
    shapes: Option<&Shapes>,
    position: &Desdemona,
    view: &View,
) -> Value {
    let phase = fine_phase(position, view) / 256;
    let mut sum = learned.value.sum(phase);
    count(kernel, position, view, &mut sum);
    let mut logit = sum.logit();
    if let Some(shapes) = shapes {
        logit += shapes::logit(kernel, shapes, position, view, phase);
    }
    learned.draws.value(phase, view.lines.draw_class(), white(position.side_to_move(), logit))
}

struct Evaluate<'a> {
    learned: &'a Learned,
    shapes: Option<&'a Shapes>,
    position: &'a Desdemona,
    exact: bool,
}

impl KernelTask for Evaluate<'_> {
    type Output = Evaluation;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> Evaluation {
        let Self { learned, shapes, position, exact } = self;
        debug_assert!(position.at_turn_start());
        let view = view(kernel, position);
        if exact && settled(position, || view.lines.loose) {
            return Evaluation::Exact(by_stones(position));
        }
        Evaluation::Estimate(estimate(kernel, learned, shapes, position, &view))
    }
}

/// Adds the shapes to an expected score of White's that lacks them.
struct Refine<'a> {
    learned: &'a Learned,
    shapes: &'a Shapes,
    position: &'a Desdemona,
    white: f32,
}

impl KernelTask for Refine<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> f32 {
        let Self { learned, shapes, position, white: score } = self;
        let (view, mover) = (view(kernel, position), position.side_to_move());
        let (phase, class) = (fine_phase(position, &view) / 256, view.lines.draw_class());
        let counts = logit_of_score(score.clamp(1e-6, 1.0 - 1e-6), learned.draws.threshold(phase, class));
        let shapes = shapes::logit(kernel, shapes, position, &view, phase);
        learned.draws.value(phase, class, counts + white(mover, shapes)).white
    }
}

impl Evaluator<Desdemona> for DesdemonaEvaluator {
    fn evaluate(&self, position: &Desdemona) -> Evaluation {
        self.evaluate_by(self.networks().shapes.as_ref(), position)
    }

    fn evaluate_after(&self, position: &Desdemona, steps: &[MoveFireStep], evaluations: &mut Vec<Evaluation>) {
        evaluate_each(position, steps, evaluations, |position| self.evaluate_by(None, position));
    }

    fn refine(&self, position: &Desdemona, white: f32) -> f32 {
        match &self.networks().shapes {
            Some(shapes) => with_best_kernel(Refine { learned: &self.known.learned, shapes, position, white }),
            None => white,
        }
    }

    fn policy(&self, position: &Desdemona, steps: &[MoveFireStep], logits: &mut [f32]) {
        let shapes = self.networks().step_shapes.as_ref();
        with_best_kernel(policy::Score { weights: &self.known.learned.steps, shapes, position, steps, logits });
    }

    fn explain(&self, position: &Desdemona) -> (Value, Vec<Term>) {
        let view = view(Portable, position);
        let mut terms = explain(&self.known.learned.value, position, &view);
        if let Some(shapes) = &self.networks().shapes {
            let logit = shapes::logit(Portable, shapes, position, &view, fine_phase(position, &view) / 256);
            let logit = white(position.side_to_move(), logit);
            terms.push(Term { name: "shapes", features: [0.0; 2], logit });
        }
        (self.evaluate(position).value(), terms)
    }

    fn policy_temperature(&self) -> f32 {
        self.policy_temperature
    }

    fn identity(&self) -> Vec<u8> {
        self.known.learned.to_bytes()
    }

    fn oracle(&self) -> &dyn Oracle<Desdemona> {
        self
    }
}

impl Oracle<Desdemona> for DesdemonaEvaluator {
    fn remarks(&self, position: &Desdemona) -> Vec<String> {
        let view = view(Portable, position);
        let [white, black] = [Side::White, Side::Black].map(|side| position.stones(side).count());
        if self.exact && settled(position, || view.lines.loose) {
            return vec![format!("stones white {white} black {black}: none of them can flip any more")];
        }
        let flips = view.lines.all_now();
        let [of_white, of_black] = [Side::White, Side::Black].map(|side| (position.stones(side) & flips).count());
        vec![
            format!("stones white {white} black {black}, neutral {}", position.neutral().count()),
            format!(
                "within one turn can be flipped {of_white} of white and {of_black} of black; both can move for about {} turns",
                turns_left(&view)
            ),
        ]
    }

    fn result(&self, position: &Desdemona) -> Option<Proof> {
        if self.exact { by_settled(position) } else { None }
    }

    fn solver(&self, position: &Desdemona, bytes: usize) -> Option<Box<dyn Solve<Desdemona>>> {
        dfpn::solver(position, by_stones_alone, bytes)
    }

    fn prover(&self, root: &Desdemona, bytes: usize) -> Option<Box<dyn Prove<Desdemona>>> {
        dfpn::prover(root, by_stones_alone, bytes)
    }
}

/// The counts of a position, for fitting; `None` if its result is certain.
#[must_use]
#[doc(hidden)]
pub fn sample(position: &Desdemona) -> Option<Sample> {
    let view = view(Portable, position);
    if settled(position, || view.lines.loose) {
        return None;
    }
    let counts = counts_by(position, &view);
    Some(Sample { counts, fine_phase: fine_phase(position, &view), draw_class: view.lines.draw_class() })
}

fn counts_by(position: &Desdemona, view: &View) -> Vec<i32> {
    let mut counts = vec![0; FEATURES];
    count(Portable, position, view, &mut counts);
    counts
}

/// The evaluation as a sum of terms.
fn explain(weights: &Network<FEATURES>, position: &Desdemona, view: &View) -> Vec<Term> {
    let (mover, phase) = (position.side_to_move(), fine_phase(position, view) / 256);
    let explanation = Explanation { network: weights, phase, counts: counts_by(position, view), mover };
    let part = |range| explanation.part(range);
    let of_sides = |of: &dyn Fn(Side) -> u32| [Side::White, Side::Black].map(|side| of(side) as f32);
    let first = |side: Side| view.levels.sets[0][side.index()].count();
    let now = view.lines.all_now();
    let turn = |side: Side| u32::from(side == mover);
    explanation.complete(vec![
        Term { name: "queen distances", features: of_sides(&first), logit: part(QUEEN) },
        Term {
            name: "stones",
            features: of_sides(&|side| position.stones(side).count()),
            logit: part(STONES) + part(LEAD),
        },
        Term { name: "prey", features: of_sides(&|side| (position.stones(!side) & now).count()), logit: part(PREY) },
        Term { name: "amazons", features: of_sides(&|side| position.amazons(side).count()), logit: part(AMAZONS) },
        Term { name: "next to move", features: of_sides(&turn), logit: part(BOARD) },
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Evaluated, Weights};
    use crate::games::variant::Variant;
    use crate::games::{Notation, variant};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Calls `f` with the position before each turn of a random game by several rules.
    pub(super) fn for_each_position(mut f: impl FnMut(&Variant, &Desdemona)) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        for name in ["desdemona", "cassio", "iago", "desdemona-early-border"] {
            let variant = &variant::find(name).unwrap();
            let mut position = Desdemona::from_fen(variant, variant.start()).unwrap();
            while position.outcome().is_none() {
                f(variant, &position);
                for _ in 0..2 {
                    let steps = position.steps();
                    position.play(steps[random.random_range(0..steps.len())]);
                    if position.at_turn_start() {
                        break;
                    }
                }
            }
        }
    }

    /// The same position with the colours exchanged.
    pub(super) fn exchanged(position: &Desdemona) -> String {
        let fen = position.fen();
        let (board, rest) = fen.split_once(' ').unwrap();
        let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        let side = if rest.starts_with('w') { 'b' } else { 'w' };
        format!("{} {side}{}", board.chars().map(swap).collect::<String>(), &rest[1..])
    }

    #[test]
    fn what_is_refined_is_what_is_evaluated() {
        for_each_position(|variant, position| {
            let evaluator = Desdemona::evaluator(variant, &Weights::embedded());
            let learned = &evaluator.known.learned;
            let counts = with_best_kernel(Evaluate { learned, shapes: None, position, exact: true });
            if let (Evaluation::Estimate(counts), Evaluation::Estimate(all)) = (counts, evaluator.evaluate(position)) {
                assert!((evaluator.refine(position, counts.white) - all.white).abs() < 1e-4);
            }
        });
    }
}
