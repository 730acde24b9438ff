use super::board::turns_text;
use super::owned::Owned;
use crate::endgame::ProofStatus;
use crate::eval::centipawns;
use crate::games::{Notation, Side};
use crate::search::{Report, Score};
use std::time::Duration;

/// One principal variation.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// What its first turn is worth to the side to move; if proven, the result once that turn is played.
    pub score: Score,
    /// Turns as text, at least one.
    pub turns: Vec<String>,
    /// Simulations that went through its first turn.
    pub visits: u64,
    /// Probability of its first turn by the policy, 0 … 1; `None` if nothing was searched.
    pub prior: Option<f32>,
}

/// How far a search for a proof has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofProgress {
    /// Legal turns of the side to move.
    pub turns: u32,
    /// Those of them that are known to lose.
    pub refuted: u32,
    /// The turn that is nearest to a proof that it wins.
    pub best: String,
    /// Replies to it.
    pub replies: u32,
    /// Those of them that are known to lose.
    pub answered: u32,
}

/// What a search has found so far. Scores are those of the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// Who is to move.
    pub side: Side,
    /// FEN of the position.
    pub fen: String,
    /// What the position is worth. Proven only if its result is; with [`Limits::turns`](super::Limits::turns), what the
    /// best of those turns is worth.
    pub score: Score,
    /// The best lines, best first: as many as asked for and as there are. Empty if the game is over.
    pub lines: Vec<Line>,
    /// Turns in the first line.
    pub depth: u32,
    /// Turns of the longest path searched.
    pub selective_depth: u32,
    /// Positions evaluated.
    pub nodes: u64,
    /// Simulations from the position, those of earlier searches of the same game included.
    pub visits: u64,
    /// Since the search was ordered.
    pub time: Duration,
    /// Share of the tree's memory in use, per mille.
    pub hash_full: u32,
    /// Simulations that ended in exact knowledge.
    pub exact_hits: u64,
    /// How far a search for a proof has come, if one was asked for.
    pub proof: Option<ProofProgress>,
    /// Who owns what: only in the last analysis, and only what [`Limits::include`](super::Limits::include) asks for.
    pub owned: Owned,
    /// Whether the search is over: no other analysis follows.
    pub last: bool,
}

impl Analysis {
    /// What `report` says of `position`, where the search began.
    pub(super) fn new<P: Notation>(position: &P, report: &Report<P>) -> Self {
        let line = |line: &crate::search::Line<P>| Line {
            score: line.score,
            turns: turns_text(position, &line.turns),
            visits: line.visits,
            prior: line.prior,
        };
        let progress = |status: &ProofStatus<P>| {
            let ProofStatus { turns, refuted, replies, answered, .. } = *status;
            ProofProgress { turns, refuted, best: position.turn_text(&status.best), replies, answered }
        };
        Self {
            side: position.side_to_move(),
            fen: position.fen(),
            score: report.score,
            lines: report.lines.iter().map(line).collect(),
            depth: report.depth,
            selective_depth: report.selective_depth,
            nodes: report.nodes,
            visits: report.visits,
            time: report.time,
            hash_full: report.hash_full,
            exact_hits: report.exact_hits,
            proof: report.proof.as_ref().map(progress),
            owned: Owned::default(),
            last: report.last,
        }
    }

    /// The best turn; `None` if the game is over.
    #[must_use]
    pub fn best(&self) -> Option<&str> {
        self.lines.first()?.turns.first().map(String::as_str)
    }

    /// The turn expected after the best one, if the search knows one: what to ponder on.
    #[must_use]
    pub fn reply(&self) -> Option<&str> {
        self.lines.first()?.turns.get(1).map(String::as_str)
    }

    /// Positions evaluated a second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }

    /// Whether `other` says the same of the position: scores and lines, after as many nodes.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        let same = |(one, other): (&Line, &Line)| one.score == other.score && one.turns == other.turns;
        (self.nodes, self.score, self.lines.len()) == (other.nodes, other.score, other.lines.len())
            && self.lines.iter().zip(&other.lines).all(same)
    }
}

impl Score {
    /// Win, draw and loss per mille; they add up to 1000.
    ///
    /// ```
    /// use hippolyta::engine::Score;
    /// assert_eq!(Score::Estimate { score: 0.6, draw: 0.2 }.per_mille(), [500, 200, 300]);
    /// assert_eq!(Score::Win { plies: 3 }.per_mille(), [1000, 0, 0]);
    /// ```
    #[must_use]
    pub fn per_mille(self) -> [u32; 3] {
        match self {
            Self::Estimate { score, draw } => {
                let win = ((score - draw / 2.0).clamp(0.0, 1.0) * 1000.0).round() as u32;
                let draw = ((draw * 1000.0).round() as u32).min(1000 - win);
                [win, draw, 1000 - win - draw]
            }
            Self::Win { .. } => [1000, 0, 0],
            Self::Loss { .. } => [0, 0, 1000],
            Self::Draw => [0, 1000, 0],
        }
    }

    /// Expected score, 0 … 1; a draw counts one half.
    #[must_use]
    pub fn expected(self) -> f32 {
        match self {
            Self::Estimate { score, .. } => score,
            Self::Win { .. } => 1.0,
            Self::Loss { .. } => 0.0,
            Self::Draw => 0.5,
        }
    }

    /// Whether it is proven.
    #[must_use]
    pub fn is_proven(self) -> bool {
        !matches!(self, Self::Estimate { .. })
    }

    /// Centipawns as in [`centipawns`](crate::eval::centipawns), within ±3000; a proven win is `WON` and a proven loss
    /// −`WON`.
    #[must_use]
    pub fn centipawns(self) -> i32 {
        match self {
            Self::Estimate { score, .. } => centipawns(score),
            Self::Win { .. } => Self::WON,
            Self::Loss { .. } => -Self::WON,
            Self::Draw => 0,
        }
    }

    /// Centipawns of a proven win: beyond all estimates.
    pub const WON: i32 = 100_000;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn per_mille_adds_up() {
        assert_eq!(Score::Estimate { score: 0.9998, draw: 0.0004 }.per_mille(), [1000, 0, 0]);
        assert_eq!(Score::Estimate { score: 0.64, draw: 0.0 }.per_mille(), [640, 0, 360]);
        assert_eq!(Score::Draw.per_mille(), [0, 1000, 0]);
        assert_eq!((Score::Draw.centipawns(), Score::Loss { plies: 2 }.centipawns()), (0, -Score::WON));
    }
}
