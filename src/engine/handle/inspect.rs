//! A look into an engine, beside its findings: the evaluation of a position in its terms, and half-turns.

use super::{AnalyseError, Engine};
use crate::engine::owned::Ownership;
use crate::engine::owned::phase;
use crate::engine::tree::{Branch, tree};
use crate::eval::calibration::{Calibration, Seen};
use crate::eval::{Evaluated, Evaluator, Term, Value};
use crate::games::{Board, Outcome, Side, Step};
use crate::search::{Search, StepStatistics};

/// The evaluation of a position, and what it is made of. See [`Engine::explain`].
///
/// ```
/// use hippolyta::engine::{Board, Engine, Model, Settings};
/// use hippolyta::games::variant;
///
/// let variant = &variant::find("amazons")?;
/// let engine = Engine::new(variant, &Model::default(), Settings { hash: 1, ..Settings::default() })?;
/// let explanation = engine.explain(&Board::new(variant))?.ok_or("the game is over")?;
/// assert!(explanation.value.white > 0.5); // White moves first
/// assert_eq!(explanation.terms[0].name, "queen distances");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The estimate as the search takes it, from White's view.
    pub value: Value,
    /// The value as it is shown: see [`Analysis::score`](crate::engine::Analysis::score).
    pub shown: Value,
    /// The terms of the estimate's logit.
    pub terms: Vec<Term>,
    /// Certain facts, in words.
    pub remarks: Vec<String>,
}

/// The findings of a search about a half-turn: a step of the first turn, or one after such a step. See
/// [`Engine::half_turns`].
///
/// ```
/// use hippolyta::engine::{Board, Control, Engine, Limits, Model, Settings};
/// use hippolyta::games::variant;
///
/// let variant = &variant::find("amazons6")?;
/// let mut engine = Engine::new(variant, &Model::default(), Settings { hash: 1, ..Settings::default() })?;
/// let limits = Limits { nodes: Some(500), ..Limits::default() };
/// engine.analyse(&Board::new(variant), &limits, &Control::default(), &mut |_| ())?;
/// let moves = engine.half_turns().into_iter().filter(|half| half.codes.len() == 1);
/// assert!(moves.map(|half| half.prior).sum::<f32>() > 0.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct HalfTurn {
    /// The codes of its steps from the position that was searched: its own is the last.
    pub codes: Vec<u16>,
    /// The number of simulations that went through it.
    pub visits: u32,
    /// Its prior among those of its position, 0 … 1.
    pub prior: f32,
    /// White's mean score, 0 … 1, or that of a proven result; `None` if neither is known.
    pub white: Option<f32>,
    /// Its proven result, if there is one.
    pub proven: Option<Outcome>,
}

fn half_turn<S: Step>(before: &[S], found: &StepStatistics<S>) -> HalfTurn {
    let &StepStatistics { visits, prior, white, proven, .. } = found;
    let codes = before.iter().chain([&found.step]).map(|step| step.code()).collect();
    HalfTurn { codes, visits, prior, white: proven.map(|outcome| Value::of(outcome).white).or(white), proven }
}

/// Questions to a [`Search`] whose types are forgotten.
pub trait Inspect {
    fn explain(&self, board: &Board, calibration: Option<&Calibration>) -> Option<Explanation>;
    fn half_turns(&self) -> Vec<HalfTurn>;
    fn half_turns_after(&self, codes: &[u16]) -> Vec<HalfTurn>;
    fn searched(&self, least: u32) -> Vec<HalfTurn>;
    fn certain(&self, board: &Board) -> Option<Outcome>;
    fn tree(&self, depth: usize, least: u32) -> Vec<Branch>;
}

impl<P: Evaluated, E: Evaluator<P> + Ownership<P>> Inspect for Search<P, E> {
    fn explain(&self, board: &Board, calibration: Option<&Calibration>) -> Option<Explanation> {
        let position = board.game::<P>()?.current();
        if position.outcome().is_some() {
            return None;
        }
        let (value, terms) = self.evaluator().explain(position);
        let is_certain = self.evaluator().oracle().result(position).is_some();
        let calibration = calibration.filter(|_| !is_certain);
        let shown = calibration.map_or(value, |known| {
            let side = position.side_to_move();
            let seen = Seen { score: value.for_side(side), draw: value.draw, phase: phase(position), visits: 1, side };
            let [score, draw] = known.shown(seen);
            Value { white: if side == Side::White { score } else { 1.0 - score }, draw }
        });
        let mut remarks = self.evaluator().oracle().remarks(position);
        remarks.extend(self.evaluator().expected(position));
        Some(Explanation { value, shown, terms, remarks })
    }

    fn half_turns(&self) -> Vec<HalfTurn> {
        let mut found = self.half_turns_after(&[]);
        if let Some(root) = self.root() {
            let firsts = self.steps_after(&[]).into_iter().map(|first| first.step);
            let open = firsts.filter(|&first| !root.ends_turn(first));
            open.for_each(|first| found.extend(self.half_turns_after(&[first.code()])));
        }
        found
    }

    fn half_turns_after(&self, codes: &[u16]) -> Vec<HalfTurn> {
        let before: Vec<_> = codes.iter().map(|&code| P::Step::from_code(code)).collect();
        self.steps_after(&before).iter().map(|found| half_turn(&before, found)).collect()
    }

    fn searched(&self, least: u32) -> Vec<HalfTurn> {
        self.searched(least).iter().map(|(before, found)| half_turn(before, found)).collect()
    }

    fn certain(&self, board: &Board) -> Option<Outcome> {
        let proof = self.evaluator().oracle().result(board.game::<P>()?.current())?;
        Some(proof.outcome)
    }

    fn tree(&self, depth: usize, least: u32) -> Vec<Branch> {
        tree(self, depth, least)
    }
}

impl Engine {
    /// Evaluates a position without searching, and explains the result; `None` if the game is over. Takes milliseconds.
    ///
    /// # Errors
    ///
    /// If the board is of another rule set.
    pub fn explain(&self, board: &Board) -> Result<Option<Explanation>, AnalyseError> {
        self.check(board)?;
        Ok(self.search.explain(board, self.calibration(board).as_deref()))
    }

    /// The findings of the last search about the half-turns of its first turn: those that begin it, then those that
    /// follow each of these, by falling prior. Empty if nothing was searched, as where the result is certain, or if
    /// only some turns were.
    #[must_use]
    pub fn half_turns(&self) -> Vec<HalfTurn> {
        self.search.half_turns()
    }

    /// The findings of the last search about the half-turns after these, by their codes from its position, by falling
    /// prior. Empty where that search never was, and where [`half_turns`](Self::half_turns) is.
    #[must_use]
    pub fn half_turns_after(&self, codes: &[u16]) -> Vec<HalfTurn> {
        self.search.half_turns_after(codes)
    }

    /// The findings of the last search about all half-turns of its tree that end a turn and have at least `least`
    /// visits: about positions at the start of a turn. Empty where [`half_turns`](Self::half_turns) is.
    #[must_use]
    pub fn searched(&self, least: u32) -> Vec<HalfTurn> {
        self.search.searched(least)
    }

    /// The result of a board of the rule set, if a search takes it as certain without looking further.
    #[must_use]
    pub fn certain(&self, board: &Board) -> Option<Outcome> {
        self.search.certain(board)
    }

    /// The tree of the last search: the half-turns after its position that have at least `least` visits, down to
    /// `depth` half-turns. Empty where [`half_turns`](Self::half_turns) is.
    #[must_use]
    pub fn tree(&self, depth: usize, least: u32) -> Vec<Branch> {
        self.search.tree(depth, least)
    }
}
