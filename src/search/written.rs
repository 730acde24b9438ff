//! A game whose tree is written out, for tests.

use super::clock::simulated;
use crate::endgame::{Oracle, Proof, Work};
use crate::eval::{Evaluation, Evaluator, Term, Value};
use crate::games::{Outcome, Position, Side, Step, Steps};
use std::ops::ControlFlow;
use std::time::Duration;

/// One place of a game whose tree is written out.
#[derive(Debug)]
pub(super) struct Spot {
    pub kind: Kind,
    /// White's expected score in eighths, which is also the logit of the step that leads here.
    pub eighths: u8,
    /// Where the steps lead. Without any, an open game goes on to the same spot again and again.
    pub steps: &'static [u16],
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Open,
    /// In the middle of a turn.
    Half,
    Over(Outcome),
}

pub(super) const fn open(eighths: u8, steps: &'static [u16]) -> Spot {
    Spot { kind: Kind::Open, eighths, steps }
}

pub(super) const fn half(eighths: u8, steps: &'static [u16]) -> Spot {
    Spot { kind: Kind::Half, eighths, steps }
}

pub(super) const fn over(outcome: Outcome) -> Spot {
    Spot { kind: Kind::Over(outcome), eighths: 0, steps: &[] }
}

pub(super) const WHITE_WINS: Outcome = Outcome::Win(Side::White);
pub(super) const BLACK_WINS: Outcome = Outcome::Win(Side::Black);

#[derive(Clone, Debug)]
pub(super) struct Place {
    pub spots: &'static [Spot],
    pub at: usize,
    side: Side,
    steps_played: u64,
}

impl Place {
    pub fn root(spots: &'static [Spot], side: Side) -> Self {
        Self { spots, at: 0, side, steps_played: 0 }
    }

    pub fn spot(&self) -> &'static Spot {
        &self.spots[self.at]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct To(pub u16);

impl Step for To {
    fn code(self) -> u16 {
        self.0
    }
    fn from_code(code: u16) -> Self {
        Self(code)
    }
}

impl Position for Place {
    type Step = To;

    fn side_to_move(&self) -> Side {
        self.side
    }
    fn at_turn_start(&self) -> bool {
        !matches!(self.spot().kind, Kind::Half)
    }
    fn outcome(&self) -> Option<Outcome> {
        if let Kind::Over(outcome) = self.spot().kind { Some(outcome) } else { None }
    }
    fn for_each_step(&self, mut f: impl FnMut(To) -> ControlFlow<()>) -> ControlFlow<()> {
        let steps = self.spot().steps;
        if steps.is_empty() { f(To(self.at as u16)) } else { steps.iter().try_for_each(|&to| f(To(to))) }
    }
    fn play(&mut self, step: To) {
        self.at = usize::from(step.0);
        self.steps_played += 1;
        if self.at_turn_start() {
            self.side = !self.side;
        }
    }
    fn key(&self) -> u64 {
        (self.at as u64 + self.steps_played * 1_000 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
    fn turns_to_think_about(&self) -> u32 {
        10
    }
}

/// Evaluates as the spots say.
#[derive(Default)]
pub(super) struct AsWritten {
    /// The time that an evaluation takes on a simulated clock.
    pub takes: Duration,
    /// The amount added to the policy's temperature of 1.
    pub warmer: f32,
    /// The part of White's score that evaluations after a step lack: only [`Evaluator::refine`] adds it.
    pub lacks: f32,
    /// The probability of a draw in every evaluation.
    pub draws: f32,
    /// Spots whose results the evaluation knows.
    pub known: &'static [(usize, Outcome)],
    /// Turns of one step that keep a certain result of the root, and the result.
    pub certain: Option<(&'static [u16], Proof)>,
}

impl Evaluator<Place> for AsWritten {
    fn evaluate(&self, position: &Place) -> Evaluation {
        assert!(position.at_turn_start() && position.outcome().is_none(), "{position:?}");
        simulated::pass(self.takes);
        match self.known.iter().find(|(spot, _)| *spot == position.at) {
            Some(&(_, outcome)) => Evaluation::Exact(Proof { outcome, plies: 0 }),
            None => Evaluation::Estimate(Value { white: f32::from(position.spot().eighths) / 8.0, draw: self.draws }),
        }
    }
    fn policy(&self, position: &Place, steps: &[To], logits: &mut [f32]) {
        for (step, logit) in steps.iter().zip(logits) {
            *logit = f32::from(position.spots[usize::from(step.0)].eighths);
        }
    }
    fn explain(&self, position: &Place) -> (Value, Vec<Term>) {
        (self.evaluate(position).value(), Vec::new())
    }
    fn identity(&self) -> Vec<u8> {
        Vec::new()
    }
    fn evaluate_after(&self, position: &Place, steps: &[To], evaluations: &mut Vec<Evaluation>) {
        evaluations.extend(steps.iter().map(|&step| {
            let after = position.after(step);
            match (after.outcome(), || self.evaluate(&after).value()) {
                (Some(outcome), _) => Evaluation::Exact(Proof { outcome, plies: 0 }),
                (None, value) => Evaluation::Estimate(Value { white: value().white - self.lacks, draw: 0.0 }),
            }
        }));
    }
    fn policy_temperature(&self) -> f32 {
        1.0 + self.warmer
    }
    fn refine(&self, _: &Place, white: f32) -> f32 {
        white + self.lacks
    }
    fn oracle(&self) -> &dyn Oracle<Place> {
        self
    }
}

impl Oracle<Place> for AsWritten {
    fn certain_line(&self, _: &Place, _: bool, _: &Work<'_>) -> Option<(Vec<Steps<Place>>, Proof)> {
        let turns = |steps: &[u16]| steps.iter().map(|&step| [To(step)].into_iter().collect()).collect();
        self.certain.map(|(steps, proof)| (turns(steps), proof))
    }
}
