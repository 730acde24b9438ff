use crate::endgame::ProofStatus;
use crate::eval::Evaluation;
use crate::games::{Outcome, Position, Side, Steps};
use std::time::Duration;

/// The score of a position or a line, for the side to move at the root.
///
/// ```
/// use hippolyta::search::Score;
///
/// let even = Score::Estimate { score: 0.5, draw: 0.25 };
/// assert_eq!((even.expected(), even.centipawns(), even.is_proven()), (0.5, 0, false));
/// let won = Score::Win { plies: 3 };
/// assert_eq!((won.expected(), won.centipawns(), won.is_proven()), (1.0, Score::WON, true));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Score {
    /// An estimate, not proven.
    Estimate {
        /// The expected score, 0 … 1. A draw counts one half.
        score: f32,
        /// The probability of a draw, 0 … 1.
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

    /// The score of a side that can choose between what is worth this and what is worth `other`: the quicker win, the
    /// longer loss.
    pub(super) fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Win { plies: one }, Self::Win { plies: two }) => Self::Win { plies: one.min(two) },
            (Self::Loss { plies: one }, Self::Loss { plies: two }) => Self::Loss { plies: one.max(two) },
            (win @ Self::Win { .. }, _) | (_, win @ Self::Win { .. }) => win,
            (Self::Loss { .. }, other) | (other, Self::Loss { .. }) => other,
            (Self::Draw, Self::Draw) => Self::Draw,
            // At least a draw, and perhaps more.
            (Self::Draw, open @ Self::Estimate { score, .. }) | (open @ Self::Estimate { score, .. }, Self::Draw) => {
                if score > 0.5 {
                    open
                } else {
                    Self::DRAW_IN_HAND
                }
            }
            (Self::Estimate { score: one, .. }, Self::Estimate { score: two, .. }) => {
                if one >= two {
                    self
                } else {
                    other
                }
            }
        }
    }

    /// The score for `side` of a position that is `turns` turns away, by its `evaluation`.
    pub(crate) fn evaluated(evaluation: Evaluation, turns: u32, side: Side) -> Self {
        match evaluation {
            Evaluation::Exact(proof) => Self::proven(proof.outcome, u32::from(proof.plies) + turns, side),
            Evaluation::Estimate(value) => Self::Estimate { score: value.for_side(side), draw: value.draw },
        }
    }

    /// A result for `side` that is proven and `plies` turns of both sides away.
    pub(crate) fn proven(outcome: Outcome, plies: u32, side: Side) -> Self {
        match outcome {
            Outcome::Draw => Self::Draw,
            Outcome::Win(winner) if winner == side => Self::Win { plies },
            Outcome::Win(_) => Self::Loss { plies },
        }
    }
}

/// A line of play, best play of both sides as the search sees it: a principal variation.
///
/// ```
/// use hippolyta::eval::amazons::AmazonsEvaluator;
/// use hippolyta::games::{Game, Notation, amazons::Amazons, variant};
/// use hippolyta::search::{Control, Limits, Search, Settings};
///
/// let variant = &variant::find("amazons6")?;
/// let game = Game::new(Amazons::from_fen(variant, variant.start())?);
/// let mut search = Search::new(AmazonsEvaluator::default(), Settings { hash: 1, ..Settings::default() })?;
/// let limits = Limits { nodes: Some(100), ..Limits::default() };
/// let report = search.run(&game, &limits, &Control::default(), &mut |_| ());
/// let line = &report.lines[0];
/// assert_eq!(report.depth as usize, line.turns.len());
/// assert!(line.visits <= report.visits && line.prior.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Line<P: Position> {
    /// Score of its first turn: if proven, the result once that turn is played.
    pub score: Score,
    /// Whole turns from the root, at least one.
    pub turns: Vec<Steps<P>>,
    /// Simulations that went through its first turn.
    pub visits: u64,
    /// The probability of its first turn by the policy, 0 … 1; `None` if nothing was searched.
    pub prior: Option<f32>,
}

/// The state of a search: what `reporter` gets on the way, and what [`Search::run`](super::Search::run) returns.
///
/// ```
/// use hippolyta::eval::amazons::AmazonsEvaluator;
/// use hippolyta::games::{Game, Notation, amazons::Amazons, variant};
/// use hippolyta::search::{Control, Limits, Search, Settings};
///
/// let variant = &variant::find("amazons6")?;
/// let game = Game::new(Amazons::from_fen(variant, variant.start())?);
/// let settings = Settings { hash: 1, multi_pv: 2, ..Settings::default() };
/// let mut search = Search::new(AmazonsEvaluator::default(), settings)?;
/// let limits = Limits { nodes: Some(100), ..Limits::default() };
/// let report = search.run(&game, &limits, &Control::default(), &mut |_| ());
/// assert!(report.last && report.nodes >= 100);
/// assert_eq!(report.lines.len(), 2);
/// assert!((0.0..=1.0).contains(&report.score.expected()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Report<P: Position> {
    /// Score of the root. Proven only if the root's result is: a loss or a draw takes a refutation of all turns, not
    /// only of those tried so far. With [`Limits::turns`](super::Limits::turns), the score of the best of those turns.
    pub score: Score,
    /// Whether this is the final report. No other one follows then.
    pub last: bool,
    /// The number of turns in the first line.
    pub depth: u32,
    /// The number of turns in the longest path so far.
    pub selective_depth: u32,
    /// The number of positions evaluated, at leaves and for priors. A simulation that needs no evaluation, thanks to
    /// exact or shared knowledge, counts as one.
    pub nodes: u64,
    /// Simulations from the root, including those of earlier searches of the same game.
    pub visits: u64,
    /// The time since the search was ordered, see [`Limits::ordered`](super::Limits::ordered).
    pub time: Duration,
    /// The share of the tree's memory that is in use, per mille.
    pub hash_full: u32,
    /// The number of simulations that ended in exact knowledge.
    pub exact_hits: u64,
    /// The best lines, best first: as many as asked for and as there are. Empty if the game is over at the root.
    pub lines: Vec<Line<P>>,
    /// The score when the root had about a quarter of the visits, and the visits that it had; `None` after short
    /// searches.
    pub earlier: Option<(u64, Score)>,
    /// The progress of the proof search, with [`Limits::mate`](super::Limits::mate) in games that have one. The final
    /// report does not have it.
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
            earlier: None,
            proof: None,
        }
    }
}
