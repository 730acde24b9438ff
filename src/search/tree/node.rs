#![allow(unsafe_code)]

use crate::endgame::Proof;
use crate::eval::Evaluation;
use crate::games::{Outcome, Side};
use crate::memory::Plain;
use std::sync::atomic::{
    AtomicI64, AtomicU8, AtomicU16, AtomicU32,
    Ordering::{Acquire, Relaxed, Release},
};

/// The fixed-point number for a score of 1 in [`Node::sum`]. Sums of integers do not depend on the order in which
/// threads add.
pub(in crate::search) const SCORE_ONE: i64 = 1 << 20;
/// The fixed-point number for a prior of 1.
const PRIOR_ONE: f32 = 65_535.0;

/// A step that may become a child.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::search) struct Candidate {
    /// Code of the step.
    pub step: u16,
    /// Its probability.
    pub prior: f32,
    /// The evaluation of the position after it, if there is one already.
    pub evaluation: Option<Evaluation>,
}

/// White's score in units of [`SCORE_ONE`].
#[inline]
pub(in crate::search) fn to_fixed(score: f32) -> i64 {
    (f64::from(score) * SCORE_ONE as f64) as i64
}

/// The position after one step, and what is known of it.
///
/// ```text
///  0        8       12        16     20    22     24         26        28      30     31      32
///  | sum    | visits | children | next | step | prior | in flight | made | proof | flags | (free) |
/// ```
///
/// Everything is atomic and mostly relaxed: a value may be a simulation old, never torn. What must be seen together —
/// children and their number — is published with release and read with acquire.
#[derive(Debug, Default)]
#[repr(C, align(32))]
pub(in crate::search) struct Node {
    /// White's score summed over visits. Before the first visit, the evaluation if there is one.
    sum: AtomicI64,
    /// Finished simulations through this node.
    visits: AtomicU32,
    /// Link to the first chunk of children: see [`super::arena`].
    pub(super) children: AtomicU32,
    /// In the first node of a chunk, the next chunk of siblings, 0 for none.
    pub(super) next: AtomicU32,
    /// Code of the step that leads here.
    step: AtomicU16,
    /// The step's probability by the policy.
    prior: AtomicU16,
    /// Simulations under way below (virtual visits).
    in_flight: AtomicU16,
    /// Children made so far, best priors first.
    pub(super) made: AtomicU16,
    /// Packed [`Proof`], 0 for none.
    proof: AtomicU16,
    pub(super) flags: AtomicU8,
    free: AtomicU8,
}

const _: () = assert!(size_of::<Node>() == 32);

// SAFETY: atomic integers only.
unsafe impl Plain for Node {}

/// Some thread is making or moving this node's children.
pub(super) const BUSY: u8 = 1;
/// Every legal step has a child.
pub(super) const COMPLETE: u8 = 2;
/// The node was evaluated before its first visit, and not visited since.
const EVALUATED: u8 = 4;
/// Some step from here is a proven draw.
const DRAW_IN_HAND: u8 = 8;

impl Node {
    /// The [`Node::raw_prior`] of a certain step.
    pub const PRIOR_UNIT: f32 = PRIOR_ONE;

    /// Turns a slot of unknown content into a fresh node.
    pub fn reset(&self, candidate: Candidate) {
        let Candidate { step, prior, evaluation } = candidate;
        let score = evaluation.map_or(0, |evaluation| to_fixed(evaluation.value().white));
        self.sum.store(score, Relaxed);
        self.visits.store(0, Relaxed);
        self.children.store(0, Relaxed);
        self.next.store(0, Relaxed);
        self.step.store(step, Relaxed);
        self.prior.store(((prior * PRIOR_ONE) as u16).max(1), Relaxed);
        self.in_flight.store(0, Relaxed);
        self.made.store(0, Relaxed);
        self.proof.store(0, Relaxed);
        self.flags.store(if evaluation.is_some() { EVALUATED } else { 0 }, Relaxed);
        if let Some(Evaluation::Exact(proof)) = evaluation {
            self.prove(proof);
        }
    }

    /// Copies everything but the place among siblings.
    pub fn copy_from(&self, other: &Self) {
        self.sum.store(other.sum.load(Relaxed), Relaxed);
        self.visits.store(other.visits.load(Relaxed), Relaxed);
        self.children.store(other.children.load(Relaxed), Relaxed);
        self.next.store(0, Relaxed);
        self.step.store(other.step.load(Relaxed), Relaxed);
        self.prior.store(other.prior.load(Relaxed), Relaxed);
        self.in_flight.store(other.in_flight.load(Relaxed), Relaxed);
        self.made.store(other.made.load(Relaxed), Relaxed);
        self.proof.store(other.proof.load(Relaxed), Relaxed);
        self.flags.store(other.flags.load(Relaxed) & (COMPLETE | EVALUATED | DRAW_IN_HAND), Relaxed);
    }

    pub fn step_code(&self) -> u16 {
        self.step.load(Relaxed)
    }

    /// Probability of the step by the policy, 0 … 1.
    #[inline]
    pub fn prior(&self) -> f32 {
        f32::from(self.prior.load(Relaxed)) / PRIOR_ONE
    }

    #[inline]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Whether no simulation has come through here, and what is proven. Asked in this order: whoever sees a visit sees
    /// what that visit has proven, so that nobody plays on where another thread has found the game to be over.
    #[inline]
    pub fn arrival(&self) -> (bool, Option<Proof>) {
        let is_first = self.visits.load(Acquire) == 0;
        (is_first, self.proof())
    }

    #[inline]
    pub fn in_flight(&self) -> u32 {
        u32::from(self.in_flight.load(Relaxed))
    }

    /// The numbers that selection reads: White's summed score in units of [`SCORE_ONE`], visits, and simulations under
    /// way.
    #[inline(always)]
    pub fn counts(&self) -> (f32, u32, u32) {
        (self.sum.load(Relaxed) as f32, self.visits.load(Relaxed), u32::from(self.in_flight.load(Relaxed)))
    }

    /// The prior times [`Node::PRIOR_UNIT`].
    #[inline(always)]
    pub fn raw_prior(&self) -> f32 {
        f32::from(self.prior.load(Relaxed))
    }

    /// Whether there is a proof, and which outcome it has.
    #[inline(always)]
    pub fn proven(&self) -> Option<Outcome> {
        if self.proof.load(Relaxed) == 0 { None } else { self.proof().map(|proof| proof.outcome) }
    }

    /// White's mean score; only for visited nodes. Between another thread's updates of sum and visits it may be off,
    /// so it is clamped: it goes into the table.
    #[inline]
    pub fn white_mean(&self) -> f32 {
        (self.sum.load(Relaxed) as f32 / (self.visits() as f32 * SCORE_ONE as f32)).clamp(0.0, 1.0)
    }

    /// The mean score of `side`, with `more` visits whose scores for White add up to `sum`; there must be a visit.
    #[inline]
    pub fn mean_for(&self, side: Side, sum: i64, more: u32) -> f32 {
        let visits = self.visits() + more;
        let white = (self.sum.load(Relaxed) + sum) as f32 / (visits as f32 * SCORE_ONE as f32);
        if side == Side::White { white } else { 1.0 - white }
    }

    /// White's score by evaluation, if the node was evaluated before its first visit and not visited since.
    #[inline]
    pub fn evaluated(&self) -> Option<f32> {
        let evaluated = self.flags.load(Relaxed) & EVALUATED != 0;
        evaluated.then(|| self.sum.load(Relaxed) as f32 / SCORE_ONE as f32)
    }

    /// Takes the score of [`evaluated`](Self::evaluated) out of the node, for use at the first visit.
    #[inline]
    pub fn take_evaluated(&self) -> Option<f32> {
        let evaluated =
            self.flags.load(Relaxed) & EVALUATED != 0 && self.flags.fetch_and(!EVALUATED, Relaxed) & EVALUATED != 0;
        // A thread that visits in this very moment may have added its score: rare, and no harm.
        evaluated.then(|| (self.sum.swap(0, Relaxed) as f32 / SCORE_ONE as f32).clamp(0.0, 1.0))
    }

    /// Adds `count` simulations to those under way.
    #[inline]
    pub fn enter(&self, count: u32) {
        self.in_flight.fetch_add(count as u16, Relaxed);
    }

    /// The simulations that were `announced` leave. `passed` of them have a result; their scores for White add up to
    /// `sum`, in units of [`SCORE_ONE`].
    #[inline]
    pub fn leave(&self, sum: i64, passed: u32, announced: u32) {
        self.sum.fetch_add(sum, Relaxed);
        self.visits.fetch_add(passed, Release);
        self.in_flight.fetch_sub(announced as u16, Relaxed);
    }

    /// Halves the visits and the sum of their scores.
    pub fn halve(&self) {
        self.sum.store(self.sum.load(Relaxed) / 2, Relaxed);
        self.visits.store(self.visits() / 2, Relaxed);
    }

    /// The proven result, if there is one.
    #[inline]
    pub fn proof(&self) -> Option<Proof> {
        let packed = self.proof.load(Relaxed);
        let outcome = match packed >> 8 {
            0 => return None,
            1 => Outcome::Win(Side::White),
            2 => Outcome::Win(Side::Black),
            _ => Outcome::Draw,
        };
        Some(Proof { outcome, plies: packed as u8 })
    }

    /// Sets the proven result. Whoever reads it, and then fences, sees what was proven before.
    pub fn prove(&self, proof: Proof) {
        let outcome = match proof.outcome {
            Outcome::Win(Side::White) => 1,
            Outcome::Win(Side::Black) => 2,
            Outcome::Draw => 3,
        };
        self.proof.store(outcome << 8 | u16::from(proof.plies), Release);
    }

    /// Forgets the proof, so that the search finds out how to play.
    pub fn forget_proof(&self) {
        self.proof.store(0, Relaxed);
    }

    /// Notes that the side that decides here can have a draw.
    #[inline]
    pub fn set_draw_in_hand(&self) {
        self.flags.fetch_or(DRAW_IN_HAND, Relaxed);
    }

    /// Whether the side that decides here can have a draw.
    #[inline]
    pub fn draw_in_hand(&self) -> bool {
        self.flags.load(Relaxed) & DRAW_IN_HAND != 0
    }

    /// Whether every legal step has a child; asked before the children are looked at, as more may come at any moment.
    #[inline]
    pub fn complete(&self) -> bool {
        self.flags.load(Acquire) & COMPLETE != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_keeps_sums_exactly_and_packs_proofs() {
        let node = Node::default();
        node.reset(Candidate { step: 7, prior: 0.25, evaluation: None });
        assert_eq!((node.step_code(), node.visits(), node.proof()), (7, 0, None));
        assert!((node.prior() - 0.25).abs() < 1e-4);
        for score in [SCORE_ONE, 0, SCORE_ONE / 2] {
            node.enter(5);
            node.leave(score, 1, 5);
        }
        assert_eq!((node.visits(), node.in_flight()), (3, 0));
        assert_eq!(node.mean_for(Side::White, 0, 0), 0.5);
        assert_eq!(node.mean_for(Side::Black, SCORE_ONE, 1), 0.375);
        for outcome in [Outcome::Win(Side::White), Outcome::Win(Side::Black), Outcome::Draw] {
            let proof = Proof { outcome, plies: 255 };
            node.prove(proof);
            assert_eq!(node.proof(), Some(proof));
        }
    }
}
