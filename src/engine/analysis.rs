use super::owned::{Owned, phase};
use crate::endgame::ProofStatus;
use crate::eval::calibration::{Calibration, Seen};
use crate::eval::{Evaluated, centipawns};
use crate::games::{Notation, Outcome, Side, Steps, Symmetry, Turn};
use crate::search::{Report, Score};
use rand::{Rng, RngExt};
use std::collections::HashSet;
use std::time::Duration;

/// A line of play, best play of both sides as the search sees it: a principal variation.
///
/// ```
/// use hippolyta::engine::{Board, Control, Engine, Limits, Model, Settings};
/// use hippolyta::games::variant;
///
/// let variant = &variant::find("amazons6")?;
/// let board = Board::new(variant);
/// let mut engine = Engine::new(variant, &Model::default(), Settings { hash: 1, multi_pv: 2, ..Settings::default() })?;
/// let limits = Limits { nodes: Some(100), ..Limits::default() };
/// let analysis = engine.analyse(&board, &limits, &Control::default(), &mut |_| ())?;
/// assert_eq!(analysis.lines.len(), 2);
/// let line = &analysis.lines[0];
/// assert_eq!(line.turns.first(), analysis.best());
/// assert!(line.visits <= analysis.visits && line.prior.is_some_and(|prior| (0.0..=1.0).contains(&prior)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The score of its first turn for the side to move; if proven, the result once that turn is played.
    pub score: Score,
    /// The score that the search compares: `score` before it was calibrated.
    pub search_score: Score,
    /// The turns, at least one.
    pub turns: Vec<Turn>,
    /// Simulations that went through its first turn.
    pub visits: u64,
    /// The policy's probability of its first turn, 0 … 1; `None` if nothing was searched.
    pub prior: Option<f32>,
}

/// With a standard error beyond this, a score says little.
const UNCERTAIN: f32 = 0.05;

impl Line {
    /// Whether there is too little search behind its score: an estimate whose standard error is more than 5 points, if
    /// each visit counts as a game that is won or lost.
    #[must_use]
    pub fn is_uncertain(&self) -> bool {
        let Score::Estimate { score, .. } = self.search_score else { return false };
        score * (1.0 - score) > UNCERTAIN * UNCERTAIN * self.visits as f32
    }
}

/// How far the search for a proven win has come.
///
/// ```
/// use hippolyta::engine::{Board, Control, Engine, Limits, Model, Settings};
/// use hippolyta::games::variant;
///
/// let variant = &variant::find("amazons6")?;
/// let board = Board::new(variant);
/// let mut engine = Engine::new(variant, &Model::default(), Settings { hash: 16, ..Settings::default() })?;
/// let limits = Limits { mate: Some(20), nodes: Some(100_000), ..Limits::default() };
/// let mut told = Vec::new();
/// engine.analyse(&board, &limits, &Control::default(), &mut |analysis| told.extend(analysis.proof.clone()))?;
/// let progress = told.last().ok_or("the Amazons have a proof search")?;
/// assert_eq!(progress.turns as usize, board.legal_turns().len());
/// assert!(progress.refuted < progress.turns && board.effects(&progress.best).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofProgress {
    /// The number of legal turns of the side to move.
    pub turns: u32,
    /// How many of these are known to lose.
    pub refuted: u32,
    /// The turn that is nearest to a proof that it wins.
    pub best: Turn,
    /// The number of replies to it.
    pub replies: u32,
    /// How many of these are known to lose.
    pub answered: u32,
}

/// The findings of a search so far. Scores are those of the side to move.
///
/// ```
/// use hippolyta::engine::{Board, Control, Engine, Limits, Model, Settings};
/// use hippolyta::games::variant;
///
/// let variant = &variant::find("amazons6")?;
/// let board = Board::new(variant);
/// let mut engine = Engine::new(variant, &Model::default(), Settings { hash: 1, ..Settings::default() })?;
/// let limits = Limits { nodes: Some(100), ..Limits::default() };
/// let analysis = engine.analyse(&board, &limits, &Control::default(), &mut |_| ())?;
/// assert!(analysis.last && analysis.nodes >= 100);
/// assert!(analysis.best().is_some_and(|turn| board.effects(turn).is_ok()));
/// let [win, draw, loss] = analysis.score.per_mille();
/// assert_eq!((win + draw + loss, draw), (1_000, 0)); // the Amazons have no draws
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The side to move.
    pub side: Side,
    /// The FEN of the position.
    pub fen: String,
    /// The score of the position. Proven only if its result is; with [`Limits::turns`](super::Limits::turns), the score
    /// of the best of those turns. An estimate is calibrated: of strong games with such positions, this share is won
    /// and this share drawn. Evaluations that are not calibrated are shown as the search has them.
    pub score: Score,
    /// The score that the search compares: `score` before it was calibrated.
    pub search_score: Score,
    /// The standard deviation of the difference to what ten times as many positions will show of the expected score, by
    /// how much it has changed since a quarter of the visits; `None` after fewer than some 3,000 visits, and once the
    /// result is proven.
    pub spread: Option<f32>,
    /// How far the game has come, from 0 to 1, by what it uses up: empty squares, in Damone pieces.
    pub phase: f32,
    /// The lines, as many as asked for and as there are: the best turn's first, which is the turn to play, then those
    /// with the most visits, by the lower bounds of what they are worth. Empty if the game is over.
    pub lines: Vec<Line>,
    /// The number of turns in the first line.
    pub depth: u32,
    /// The number of turns in the longest path searched.
    pub selective_depth: u32,
    /// The number of positions evaluated.
    pub nodes: u64,
    /// Simulations from the position, those of earlier searches of the same game included.
    pub visits: u64,
    /// The time since the search was ordered.
    pub time: Duration,
    /// The share of the tree's memory that is in use, per mille.
    pub hash_full: u32,
    /// The number of simulations that ended in exact knowledge.
    pub exact_hits: u64,
    /// How far the search for a proven win has come, if [`Limits::mate`](super::Limits::mate) asked for one. The last
    /// analysis does not have it.
    pub proof: Option<ProofProgress>,
    /// Who owns which squares, and what is counted. Only the last analysis has it, and only what
    /// [`Limits::include`](super::Limits::include) asks for.
    pub owned: Owned,
    /// Whether the search is over. No other analysis follows then.
    pub last: bool,
}

/// The weights of the square of a change, and of that of the variance of a game's result, in the square of a spread.
/// Fitted to searches of 5,000, 20,000 and 200,000 nodes of 600 positions: see `crates/lab/src/training/results.md`.
const SPREAD: [f32; 2] = [0.35, 0.12];

/// How far a score that was another one before may still be from that of a longer search; `None` if it is proven.
fn spread(score: Score, earlier: Score) -> Option<f32> {
    let (now, before) = (score.expected(), earlier.expected());
    let [change, result] = [now - before, now * (1.0 - now)];
    (!score.is_proven()).then(|| libm::sqrtf(SPREAD[0] * change * change + SPREAD[1] * result * result))
}

impl Analysis {
    /// The analysis of `position`, where the search began, by its `report`; estimates are shown by the calibration.
    pub(super) fn new<P: Evaluated>(position: &P, report: &Report<P>, calibration: Option<&Calibration>) -> Self {
        let place = (phase(position), position.side_to_move());
        let shown = |score| calibrated(score, calibration, place, report.visits);
        let score = shown(report.score);
        let earlier = report.earlier.map(|(visits, earlier)| calibrated(earlier, calibration, place, visits));
        let line = |line: &crate::search::Line<P>| Line {
            score: shown(line.score),
            search_score: line.score,
            turns: turns_of(position, &line.turns),
            visits: line.visits,
            prior: line.prior,
        };
        let progress = |status: &ProofStatus<P>| {
            let ProofStatus { turns, refuted, replies, answered, .. } = *status;
            Some(ProofProgress { turns, refuted, best: position.turn(&status.best)?, replies, answered })
        };
        Self {
            side: position.side_to_move(),
            fen: position.fen(),
            score,
            search_score: report.score,
            spread: earlier.and_then(|earlier| spread(score, earlier)),
            phase: place.0,
            lines: report.lines.iter().map(line).collect(),
            depth: report.depth,
            selective_depth: report.selective_depth,
            nodes: report.nodes,
            visits: report.visits,
            time: report.time,
            hash_full: report.hash_full,
            exact_hits: report.exact_hits,
            proof: report.proof.as_ref().and_then(progress),
            owned: Owned::default(),
            last: report.last,
        }
    }

    /// Keeps, of lines whose first turns are images of each other by one of `symmetries` of the position, the first.
    pub(super) fn merge(&mut self, symmetries: &[Symmetry], position: &impl Notation) {
        let mut known = HashSet::new();
        self.lines.retain(|line| {
            let Some(first) = line.turns.first() else { return true };
            let is_new = !known.contains(first);
            known.insert(first.clone());
            let images = symmetries.iter().filter_map(|symmetry| symmetry.turn(first, position.board_size()));
            known.extend(images.flat_map(|image| position.ways(&image)));
            is_new
        });
    }

    /// Lets `random` choose among the lines that are shown within this many points of the best and have a share of its
    /// visits; the one that is chosen comes first. What is proven is left as it is.
    pub(super) fn vary(&mut self, points: f32, random: &mut impl Rng) {
        let shown = |line: &Line| line.score.expected();
        if let Some(best) = self.lines.first().filter(|best| !best.score.is_proven()) {
            let (least, visits) = (shown(best) - points / 100.0, best.visits as f32 * LEAST_SHARE);
            let is_as_good =
                |line: &Line| !line.score.is_proven() && shown(line) >= least && line.visits as f32 >= visits;
            let good: Vec<_> = (0..self.lines.len()).filter(|&at| self.lines.get(at).is_some_and(is_as_good)).collect();
            if good.len() > 1 {
                let chosen = good[random.random_range(0..good.len())];
                self.lines[..=chosen].rotate_right(1);
                self.depth = self.lines[0].turns.len() as u32;
            }
        }
    }

    /// The best turn; `None` if the game is over.
    #[must_use]
    pub fn best(&self) -> Option<&Turn> {
        self.lines.first()?.turns.first()
    }

    /// The turn that is expected after the best one, if the search knows one. This is what to ponder on.
    #[must_use]
    pub fn reply(&self) -> Option<&Turn> {
        self.lines.first()?.turns.get(1)
    }

    /// Positions evaluated per second.
    #[must_use]
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-6)) as u64
    }

    /// Whether `other` has the same score, lines and number of nodes.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        let same = |(one, other): (&Line, &Line)| one.score == other.score && one.turns == other.turns;
        (self.nodes, self.score, self.lines.len()) == (other.nodes, other.score, other.lines.len())
            && self.lines.iter().zip(&other.lines).all(same)
    }
}

/// A line that is to be played in place of the best has this share of its visits.
const LEAST_SHARE: f32 = 0.05;
/// Lines among which variety chooses.
pub(super) const VARIED_LINES: usize = 12;

/// More draws than this mean that a draw is in hand, which is no estimate.
const IN_HAND: f32 = 0.998;

/// A score as it is shown to this side, in this phase and with this number of visits. What is proven stays as it is.
pub(super) fn calibrated(
    found: Score,
    calibration: Option<&Calibration>,
    (phase, side): (f32, Side),
    visits: u64,
) -> Score {
    match (found, calibration) {
        (Score::Estimate { score, draw }, Some(calibration)) if draw < IN_HAND => {
            let [score, draw] = calibration.shown(Seen { score, draw, phase, visits, side });
            Score::Estimate { score, draw }
        }
        (unchanged, _) => unchanged,
    }
}

impl Score {
    /// Win, draw and loss per mille; they add up to 1000. Only a proven result is 1000: an estimate is 999 at most.
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
                match [win, draw, 1000 - win - draw] {
                    [1000, ..] => [999, 0, 1],
                    [.., 1000] => [1, 0, 999],
                    [_, 1000, _] if score < 0.5 => [0, 999, 1],
                    [_, 1000, _] => [1, 999, 0],
                    shares => shares,
                }
            }
            Self::Win { .. } => [1000, 0, 0],
            Self::Loss { .. } => [0, 0, 1000],
            Self::Draw => [0, 1000, 0],
        }
    }

    /// The expected score, 0 … 1. A draw counts one half.
    #[must_use]
    pub fn expected(self) -> f32 {
        match self {
            Self::Estimate { score, .. } => score,
            Self::Win { .. } => 1.0,
            Self::Loss { .. } => 0.0,
            Self::Draw => 0.5,
        }
    }

    /// The score for the other side.
    ///
    /// ```
    /// use hippolyta::engine::Score;
    /// assert_eq!(Score::Estimate { score: 0.75, draw: 0.5 }.opposite(), Score::Estimate { score: 0.25, draw: 0.5 });
    /// assert_eq!(Score::Win { plies: 3 }.opposite(), Score::Loss { plies: 3 });
    /// ```
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Estimate { score, draw } => Self::Estimate { score: 1.0 - score, draw },
            Self::Win { plies } => Self::Loss { plies },
            Self::Loss { plies } => Self::Win { plies },
            Self::Draw => Self::Draw,
        }
    }

    /// Whether the result is proven.
    #[must_use]
    pub fn is_proven(self) -> bool {
        !matches!(self, Self::Estimate { .. })
    }

    /// The result that is proven, if this is the score of `side`.
    ///
    /// ```
    /// use hippolyta::engine::Score;
    /// use hippolyta::games::{Outcome, Side};
    /// assert_eq!(Score::Loss { plies: 2 }.outcome(Side::White), Some(Outcome::Win(Side::Black)));
    /// assert_eq!(Score::Estimate { score: 0.9, draw: 0.0 }.outcome(Side::White), None);
    /// ```
    #[must_use]
    pub fn outcome(self, side: Side) -> Option<Outcome> {
        match self {
            Self::Estimate { .. } => None,
            Self::Win { .. } => Some(Outcome::Win(side)),
            Self::Loss { .. } => Some(Outcome::Win(!side)),
            Self::Draw => Some(Outcome::Draw),
        }
    }

    /// Centipawns as in [`centipawns`](crate::eval::centipawns), within ±3000. A proven win is [`WON`](Self::WON), a
    /// proven loss −`WON`.
    #[must_use]
    pub fn centipawns(self) -> i32 {
        match self {
            Self::Estimate { score, .. } => centipawns(score),
            Self::Win { .. } => Self::WON,
            Self::Loss { .. } => -Self::WON,
            Self::Draw => 0,
        }
    }

    /// The centipawns of a proven win, beyond all estimates.
    pub const WON: i32 = 100_000;
}

/// The turns of a line from `position`.
fn turns_of<P: Notation>(position: &P, line: &[Steps<P>]) -> Vec<Turn> {
    let mut position = position.clone();
    let turn = |steps: &Steps<P>| {
        let turn = position.turn(steps);
        steps.iter().for_each(|&step| position.play(step));
        turn
    };
    line.iter().filter_map(turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn per_mille_adds_up() {
        // What is not proven is not certain.
        for (score, draw, shares) in [
            (0.9998, 0.0004, [999, 0, 1]),
            (0.0, 0.0, [1, 0, 999]),
            (0.5, 1.0, [1, 999, 0]),
            (0.4999, 1.0, [0, 999, 1]),
            (0.5005, 0.999, [1, 999, 0]),
        ] {
            assert_eq!(Score::Estimate { score, draw }.per_mille(), shares);
        }
        assert_eq!(Score::Estimate { score: 0.64, draw: 0.0 }.per_mille(), [640, 0, 360]);
        assert_eq!(Score::Draw.per_mille(), [0, 1000, 0]);
        assert_eq!((Score::Draw.centipawns(), Score::Loss { plies: 2 }.centipawns()), (0, -Score::WON));
    }
}
