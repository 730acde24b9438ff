use crate::endgame::ProofStatus;
use crate::eval::Evaluation;
use crate::games::{Outcome, Position, Side, Turn};
use std::time::Duration;

/// Value of a position or a line, from the view of the side to move at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Score {
    /// Expected score, 0 … 1, and the probability of a draw.
    Estimate {
        /// Expected score.
        score: f32,
        /// Probability of a draw.
        draw: f32,
    },
    /// A proven win.
    Win {
        /// Turns of both sides until the game is over, at most, if the winner plays well.
        plies: u32,
    },
    /// A proven loss.
    Loss {
        /// Turns of both sides until the game is over, at most, if the winner plays well; 0 if it is over.
        plies: u32,
    },
    /// A proven draw.
    Draw,
}

impl Score {
    /// At least a draw is proven, but a win is not ruled out.
    pub(super) const DRAW_IN_HAND: Self = Self::Estimate { score: 0.5005, draw: 0.999 };

    /// The score for `side` of a position that is `turns` turns away, by its `evaluation`.
    pub(super) fn evaluated(evaluation: Evaluation, turns: u32, side: Side) -> Self {
        match evaluation {
            Evaluation::Exact(proof) => Self::proven(proof.outcome, u32::from(proof.plies) + turns, side),
            Evaluation::Estimate(value) => Self::Estimate { score: value.for_side(side), draw: value.draw },
        }
    }

    /// A result for `side` that is proven and `plies` turns of both sides away.
    pub(super) fn proven(outcome: Outcome, plies: u32, side: Side) -> Self {
        match outcome {
            Outcome::Draw => Self::Draw,
            Outcome::Win(winner) if winner == side => Self::Win { plies },
            Outcome::Win(_) => Self::Loss { plies },
        }
    }
}

/// One principal variation.
#[derive(Clone, Debug)]
pub struct Line<P: Position> {
    /// Score of its first turn: if proven, the result once that turn is played.
    pub score: Score,
    /// Whole turns from the root, at least one.
    pub turns: Vec<Turn<P>>,
    /// Simulations that went through its first turn.
    pub visits: u64,
    /// Probability of its first turn before it was searched, 0 … 1; `None` if nothing was searched.
    pub prior: Option<f32>,
}

/// The state of a search.
#[derive(Clone, Debug)]
pub struct Report<P: Position> {
    /// Score of the root. Proven only if the root's result is: a loss or a draw takes a refutation of all turns, not
    /// only of those tried so far. With [`Limits::turns`](super::Limits::turns), the score of the best of those turns.
    pub score: Score,
    /// Whether this is the answer: no other report follows.
    pub last: bool,
    /// Turns in the first line.
    pub depth: u32,
    /// Turns of the longest path so far.
    pub selective_depth: u32,
    /// Positions evaluated, at leaves and for priors. A simulation that needs no evaluation, thanks to exact or shared
    /// knowledge, counts as one.
    pub nodes: u64,
    /// Simulations from the root, including those of earlier searches of the same game.
    pub visits: u64,
    /// Since the search began.
    pub time: Duration,
    /// Share of the tree's memory in use, per mille.
    pub hash_full: u32,
    /// Simulations that ended in exact knowledge.
    pub exact_hits: u64,
    /// The best lines, best first: as many as asked for and as there are. Empty if the game is over at the root.
    pub lines: Vec<Line<P>>,
    /// Progress of the proof search, with [`Limits::mate`](super::Limits::mate) in games that have one.
    pub proof: Option<ProofStatus<P>>,
}

impl<P: Position> Report<P> {
    /// A report without lines, before anything is searched.
    pub(super) fn blank(score: Score, time: Duration) -> Self {
        Self {
            score,
            last: false,
            depth: 0,
            selective_depth: 0,
            nodes: 0,
            visits: 0,
            time,
            hash_full: 0,
            exact_hits: 0,
            lines: Vec::new(),
            proof: None,
        }
    }
}
