use crate::endgame::Standing;
use crate::games::{Outcome, Position, Side, Turn};
use std::time::Duration;

/// What a line is worth, from the view of the side to move at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Score {
    /// Expected score, 0 … 1, and the probability of a draw.
    Estimate {
        /// Expected score.
        score: f32,
        /// Probability of a draw.
        draw: f32,
    },
    /// A proven win; the game ends after so many turns of both sides.
    Win {
        /// Turns of both sides, odd.
        plies: u32,
    },
    /// A proven loss; the game ends after so many turns of both sides, 0 if it is lost already.
    Loss {
        /// Turns of both sides, even.
        plies: u32,
    },
    /// A proven draw.
    Draw,
}

impl Score {
    /// Of a proven result after so many turns of both sides, for `side`.
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
    /// What it is worth.
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
    /// Whether this is the answer: no other report follows.
    pub last: bool,
    /// Turns in the first line.
    pub depth: u32,
    /// Turns of the longest path so far.
    pub selective_depth: u32,
    /// Positions evaluated: at leaves and, where steps are judged for their priors, before. A simulation that needs no
    /// evaluation, thanks to exact or shared knowledge, counts as one.
    pub nodes: u64,
    /// Simulations from the root, those of earlier searches of the same game included.
    pub visits: u64,
    /// Since the search began.
    pub time: Duration,
    /// Share of the tree's memory in use, per mille.
    pub hash_full: u32,
    /// Simulations that ended in exact knowledge.
    pub exact_hits: u64,
    /// The best lines, best first: as many as asked for and as there are. Empty if the game is over at the root.
    pub lines: Vec<Line<P>>,
    /// How far the proof has come that was asked for, where a search of its own looks for it.
    pub proof: Option<Standing<P>>,
    /// The value of a finished root; `None` while the game goes on.
    pub finished: Option<Score>,
}

impl<P: Position> Report<P> {
    /// Before anything is searched.
    pub(super) fn blank(time: Duration) -> Self {
        Self {
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
            finished: None,
        }
    }
}
