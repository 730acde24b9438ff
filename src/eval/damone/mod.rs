//! The evaluation of Damone, all of it learned: pieces by rank and place, formation, contact, mobility, material,
//! opposition. The more quiet plies have passed, the likelier a draw is.
//!
//! Only quiet positions are evaluated. Capturing is compulsory, so while a capture is pending all legal captures are
//! played out until the position is quiet, and the side that captures takes the best of them. Where few pieces are
//! left, endgame tables know the result.

mod counts;
mod policy;
mod tables;

use super::group::Group;
use super::learned::{Draws, Explanation, Learned as LearnedTables, Sample};
use super::network::Network;
use super::{Evaluation, Evaluator, Term, Value, white};
use crate::endgame::damone as endgame;
use crate::endgame::{Oracle, Proof};
use crate::eval::Parameters;
use crate::games::damone::{Board, Damone, DamoneStep, Rank, Rules};
use crate::games::variant::Exact;
use crate::games::{Outcome, Position, Side};
use counts::{
    ATTACKED, BOARD, CONTACT, DISTANCE, MATERIAL, MOBILITY, PAIRS, PIECES, count, draw_class, fine_phase, seen_by,
};
#[doc(hidden)]
pub use counts::{DRAW_CLASSES, FEATURES};
#[doc(hidden)]
pub use policy::{STEP_FEATURES, step_features};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The learned weights of a group of rule sets.
#[doc(hidden)]
pub type Learned = LearnedTables<FEATURES, DRAW_CLASSES, STEP_FEATURES>;

/// Names of the groups of rule sets that learn together, as they stand in weights files.
#[doc(hidden)]
pub const GROUPS: [&str; 2] = ["damone", "imperatore"];

/// The group of these rules, an index among [`GROUPS`].
#[must_use]
#[doc(hidden)]
pub fn group(rules: &Rules) -> usize {
    usize::from(rules.needs_damone)
}

/// The weights before any learning: roughly what pieces are worth, and a guessed policy.
#[must_use]
#[doc(hidden)]
pub fn bootstrap() -> Learned {
    let mut weights = [0.0; FEATURES];
    let orbits = PIECES.len() / 6;
    for (index, weight) in [0.35, 0.5, 0.7, -0.35, -0.5, -0.7].into_iter().enumerate() {
        weights[PIECES.start + index * orbits..][..orbits].fill(weight);
    }
    Learned {
        value: Network::of_phase(&weights),
        draws: Draws::even(1.0),
        steps: policy::bootstrap(),
        shapes: Vec::new(),
        step_shapes: Vec::new(),
        owners: Vec::new(),
    }
}

/// Evaluates positions of the Damone family.
///
/// ```
/// use hippolyta::eval::{Evaluation, Evaluator, damone::DamoneEvaluator};
/// use hippolyta::games::{Notation, Outcome, Side, damone::Damone, variant};
///
/// // White must capture Black's last piece, and wins with that.
/// let position = Damone::from_fen(&variant::find("damone")?, "8/8/8/8/8/5d2/4D3/8 w")?;
/// let Evaluation::Exact(proof) = DamoneEvaluator::default().evaluate(&position) else { panic!("it is certain") };
/// assert_eq!((proof.outcome, proof.plies), (Outcome::Win(Side::White), 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct DamoneEvaluator {
    learned: Group<Learned>,
    tables: Option<Arc<endgame::Tables>>,
}

/// Measured by matches: see [`crate::search::experiments`].
const POLICY_TEMPERATURE: f32 = 3.0;

impl DamoneEvaluator {
    /// An evaluator for `rules`, with what their group has learned. It takes the endgame tables that are given if they
    /// are for these rules, and else those of three pieces, which the program contains.
    pub(super) fn of(
        rules: &'static Rules,
        groups: &[Group<Learned>; GROUPS.len()],
        given: Option<&Arc<endgame::Tables>>,
        exact: Exact,
    ) -> Self {
        let given = given.filter(|tables| tables.rules() == rules);
        let tables = (exact == Exact::Tables).then(|| given.unwrap_or_else(|| endgame::built_in(rules)).clone());
        Self { learned: groups[group(rules)].clone(), tables }
    }

    fn tables(&self) -> Option<&endgame::Tables> {
        self.tables.as_deref()
    }
}

/// The value of a position without pending captures.
fn estimate(learned: &Learned, position: &Damone) -> Value {
    let board = seen_by(position.board(), position.side_to_move());
    let phase = fine_phase(&board) / 256;
    let mut sum = learned.value.sum(phase);
    count(&board, &mut sum);
    learned.draws.value(phase, draw_class(position.quiet()), white(position.side_to_move(), sum.logit()))
}

/// The counts of a position, for fitting; `None` if captures are pending, or so few pieces are left that tables know
/// the result.
#[must_use]
#[doc(hidden)]
pub fn sample(position: &Damone) -> Option<Sample> {
    let board = seen_by(position.board(), position.side_to_move());
    if board.can_capture(Side::White) || (!board.empty()).count() as usize <= endgame::BUILT_IN_PIECES {
        return None;
    }
    Some(Sample { counts: counts_of(&board), fine_phase: fine_phase(&board), draw_class: draw_class(position.quiet()) })
}

/// The phase of the policy times 256.
#[must_use]
#[doc(hidden)]
pub fn fine_step_phase(position: &Damone) -> usize {
    fine_phase(position.board())
}

/// The evaluation as a sum of terms.
fn explain(weights: &Network<FEATURES>, position: &Damone) -> Vec<Term> {
    let mover = position.side_to_move();
    let board = seen_by(position.board(), mover);
    let phase = fine_phase(&board) / 256;
    let explanation = Explanation { network: weights, phase, counts: counts_of(&board), mover };
    let part = |range| explanation.part(range);
    let of_sides = |of: &dyn Fn(Side) -> u32| [Side::White, Side::Black].map(|side| of(side) as f32);
    let real = position.board();
    let pieces = |side| real.all(side).count();
    let high = |side| real.of(side, Rank::Dama).count() + real.of(side, Rank::Damone).count();
    explanation.complete(vec![
        Term { name: "pieces", features: of_sides(&pieces), logit: part(PIECES) },
        Term { name: "dame and damoni", features: of_sides(&high), logit: part(MATERIAL) },
        Term {
            name: "attacked",
            features: of_sides(&|side| real.attacked(!side).count()),
            logit: part(ATTACKED) + part(CONTACT),
        },
        Term { name: "mobility", features: of_sides(&|side| real.quiet_count(side)), logit: part(MOBILITY) },
        Term { name: "formation", features: [0.0; 2], logit: part(PAIRS) + part(DISTANCE) },
        Term { name: "to move", features: of_sides(&|side| u32::from(side == mover)), logit: part(BOARD) },
    ])
}

fn counts_of(board: &Board) -> Vec<i32> {
    let mut counts = vec![0; FEATURES];
    count(board, &mut counts);
    counts
}

/// Asks the tables. If they do not know, plays out pending captures and evaluates the quiet positions.
fn resolve(learned: &Learned, tables: Option<&endgame::Tables>, position: &Damone) -> Evaluation {
    if let Some(outcome) = position.outcome() {
        return Evaluation::Exact(Proof { outcome, plies: 0 });
    }
    if let Some(evaluation) = tables.and_then(|tables| tables::evaluate(tables, position)) {
        return evaluation;
    }
    let side = position.side_to_move();
    if !position.board().can_capture(side) {
        return Evaluation::Estimate(estimate(learned, position));
    }
    let (mut best, mut all_exact): (Option<Evaluation>, bool) = (None, true);
    let _ = position.for_each_step(|step| {
        let found = match resolve(learned, tables, &position.after(step)) {
            Evaluation::Exact(Proof { outcome, plies }) => {
                Evaluation::Exact(Proof { outcome, plies: plies.saturating_add(1) })
            }
            estimate => estimate,
        };
        all_exact &= matches!(found, Evaluation::Exact(_));
        let better = |old: &Evaluation| found.value().for_side(side) > old.value().for_side(side);
        if best.as_ref().is_none_or(better) {
            best = Some(found);
        }
        ControlFlow::Continue(())
    });
    match best {
        // A win is a win; anything less is certain only if every line is.
        Some(Evaluation::Exact(proof)) if proof.outcome == Outcome::Win(side) || all_exact => Evaluation::Exact(proof),
        Some(evaluation) => Evaluation::Estimate(evaluation.value()),
        None => Evaluation::Estimate(estimate(learned, position)),
    }
}

impl Evaluator<Damone> for DamoneEvaluator {
    fn evaluate(&self, position: &Damone) -> Evaluation {
        resolve(&self.learned, self.tables(), position)
    }

    fn policy(&self, position: &Damone, steps: &[DamoneStep], logits: &mut [f32]) {
        policy::score(&self.learned.steps, position, steps, logits);
        let Some(tables) = self.tables().filter(|tables| tables.look_up(position).is_some()) else { return };
        for (&step, logit) in steps.iter().zip(logits) {
            *logit += tables::prior(tables, &position.after(step)).unwrap_or(0.0);
        }
    }

    fn explain(&self, position: &Damone) -> (Value, Vec<Term>) {
        let terms = explain(&self.learned.value, position);
        (resolve(&self.learned, self.tables(), position).value(), terms)
    }

    /// Tuned by games: see [`crate::search::experiments`]. The evaluations of the positions after a turn's steps hardly
    /// count for the priors of these.
    fn parameters(&self) -> Parameters {
        Parameters {
            c_puct: 0.33,
            c_puct_growth: 0.12,
            c_puct_root: 0.54,
            first_play_reduction: 0.04,
            evaluation_sharpness: 0.24,
            last_step_exploration: 0.8,
            final_margin: 0.9,
            final_share: 0.15,
            ..Parameters::default()
        }
    }

    fn policy_temperature(&self) -> f32 {
        POLICY_TEMPERATURE
    }

    fn identity(&self) -> Vec<u8> {
        let tables = self.tables().map(|tables| tables.checksum().to_le_bytes());
        [self.learned.to_bytes(), tables.into_iter().flatten().collect()].concat()
    }

    fn oracle(&self) -> &dyn Oracle<Damone> {
        self
    }
}

impl Oracle<Damone> for DamoneEvaluator {
    fn remarks(&self, position: &Damone) -> Vec<String> {
        let mut remarks = vec![format!("quiet plies {} of 80", position.quiet())];
        let captures = position.captures().len();
        if captures > 0 {
            remarks.push(format!(
                "{captures} capture lines pending: they are played out before the position is evaluated"
            ));
        }
        if let Some(verdict) = self.tables().and_then(|tables| tables::describe(tables, position)) {
            remarks.push(verdict);
            return remarks;
        }
        match self.result(position) {
            Some(Proof { outcome: Outcome::Win(side), plies }) => {
                remarks.push(format!("{side} wins by captures in {plies} plies"));
            }
            Some(Proof { outcome: Outcome::Draw, .. }) => remarks.push("drawn by captures".to_owned()),
            None => {}
        }
        remarks
    }

    fn result(&self, position: &Damone) -> Option<Proof> {
        match resolve(&self.learned, self.tables(), position) {
            Evaluation::Exact(proof) => Some(proof),
            Evaluation::Estimate(_) => None,
        }
    }
}
