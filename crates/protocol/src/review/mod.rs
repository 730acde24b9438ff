//! How well a game was played: every position is searched, and each turn is compared with the best one.
//!
//! The rule is here alone: Python binds it, and the page of `hippolyta serve` asks for it by the action `review` of the
//! JSON lines. A turn loses what the position after it is worth less to its player than the position after the best
//! turn, when both are searched as long. The second search is made only where the expected score falls by 3 % or more
//! from the position before the turn to the one after it; where it falls by less, that fall is the loss. The engine's
//! choice loses nothing. From 5 % on a turn is an inaccuracy, from 10 % a mistake, from 20 % a blunder, by whole per
//! cents: below 5 % is noise. Turns of an opening, marked `book` in a record, are not judged. Accuracy is the share of
//! a side's judged turns that were none of these.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `judge` | the rule |
//! | `reasons` | why a turn was worse than the best one, in words |
//! | `lessons` | what there is to learn from a game's mistakes |
//! | `text` | a review for a terminal |
//! | `page` | a review as an HTML page that stands alone |

mod judge;
mod lessons;
mod page;
mod reasons;
mod text;

pub use judge::Verdict;
pub(crate) use judge::{Entry, judge};
pub use lessons::{Lesson, Subject};
pub(crate) use reasons::Known;
pub use reasons::{By, Ends, LostSquare, Reason, ReasonKind};

use crate::records::Record;
use hippolyta::engine::{
    AnalyseError, Analysis, Board, Control, Include, Limits, Model, Owned, Pool, PositionError, Score, Settings,
    SettingsError, rounded,
};
use hippolyta::games::{Side, Turn};
use hippolyta::words::is_hidden;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use thiserror::Error;

/// A kind of turn that lost much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// It lost 5 % or more.
    Inaccuracy,
    /// It lost 10 % or more.
    Mistake,
    /// It lost 20 % or more.
    Blunder,
}

impl Kind {
    /// All of them, the smallest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// From which loss on, in whole per cents.
    pub fn threshold(self) -> u32 {
        match self {
            Self::Inaccuracy => 5,
            Self::Mistake => 10,
            Self::Blunder => 20,
        }
    }

    /// The kind of a loss of expected score, 0 … 1: by whole per cents, as they are shown.
    ///
    /// ```
    /// use hippolyta_protocol::review::Kind;
    ///
    /// let kinds = [0.044, 0.045, 0.095, 0.2].map(Kind::of);
    /// assert_eq!(kinds, [None, Some(Kind::Inaccuracy), Some(Kind::Mistake), Some(Kind::Blunder)]);
    /// ```
    pub fn of(loss: f64) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|kind| (loss * 100.0 + 0.5).floor() >= f64::from(kind.threshold()))
    }

    /// `mistake`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// `mistakes`.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracies",
            Self::Mistake => "mistakes",
            Self::Blunder => "blunders",
        }
    }

    /// `a mistake`.
    fn with_article(self) -> &'static str {
        match self {
            Self::Inaccuracy => "an inaccuracy",
            Self::Mistake => "a mistake",
            Self::Blunder => "a blunder",
        }
    }

    /// `?!`, `?` or `??`.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

/// The judgement of a position of the game by a search.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The position.
    pub fen: String,
    /// The side to move.
    pub side: Side,
    /// White's expected score, 0 … 1.
    pub white: f64,
    /// The score of the position for the side to move.
    pub score: Score,
    /// The best turn and those expected after it; empty if the game is over.
    pub line: Vec<Turn>,
    /// Who owns which squares, as far as the rule set knows it.
    pub owned: Owned,
}

impl Judgement {
    fn new(found: Analysis) -> Self {
        let own = rounded(found.score.expected());
        Self {
            white: if found.side == Side::White { own } else { 1.0 - own },
            score: found.score,
            side: found.side,
            line: found.lines.into_iter().next().map_or_else(Vec::new, |line| line.turns),
            fen: found.fen,
            owned: found.owned,
        }
    }

    fn known(&self) -> Known {
        Known { white: self.white, proven: self.score.outcome(self.side), line: self.line.clone() }
    }

    /// The expected score of a side, 0 … 1.
    pub fn expected(&self, side: Side) -> f64 {
        if side == Side::White { self.white } else { 1.0 - self.white }
    }
}

/// How a side played.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    /// The number of its turns that were judged.
    pub turns: usize,
    /// How many of these were none of the three kinds.
    pub good: usize,
    /// How many were the engine's choice.
    pub best: usize,
    /// The sum of their losses.
    pub loss: f64,
    /// Inaccuracies, mistakes, blunders.
    pub kinds: [usize; 3],
}

impl Summary {
    /// How `side` played these turns.
    pub fn of<'a>(verdicts: impl IntoIterator<Item = &'a Verdict>, side: Side) -> Self {
        let mut summary = Self::default();
        for verdict in verdicts.into_iter().filter(|verdict| verdict.side == side && !verdict.book) {
            summary.turns += 1;
            summary.loss += verdict.loss;
            summary.best += usize::from(verdict.is_best);
            match verdict.kind {
                Some(kind) => summary.kinds[kind as usize] += 1,
                None => summary.good += 1,
            }
        }
        summary
    }

    /// `part` of the turns as a share, 0 … 1; `None` without turns.
    fn share(&self, part: f64) -> Option<f64> {
        (self.turns > 0).then(|| part / self.turns as f64)
    }

    /// The share of turns that were no mistake of any kind, 0 … 1; `None` without turns.
    pub fn accuracy(&self) -> Option<f64> {
        self.share(self.good as f64)
    }

    /// The mean loss, 0 … 1; `None` without turns.
    pub fn average_loss(&self) -> Option<f64> {
        self.share(self.loss)
    }

    /// The share of turns that were the engine's choice, 0 … 1; `None` without turns.
    pub fn best_share(&self) -> Option<f64> {
        self.share(self.best as f64)
    }
}

/// How much is searched.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The number of positions to evaluate for each position of the game.
    pub nodes: Option<u64>,
    /// The time for each position of the game. Without both limits a search may never end.
    pub time: Option<Duration>,
    /// How many positions of the game are searched at once, each on one thread. With `nodes` alone they do not change
    /// the result.
    pub threads: usize,
    /// Memory of all searches together, MiB.
    pub hash: usize,
}

impl Effort {
    /// `20,000 nodes for each position`.
    pub fn words(&self) -> String {
        let nodes = self.nodes.map(|nodes| format!("{} nodes", text::grouped(nodes)));
        let time = self.time.map(|time| format!("{} s", time.as_secs_f64()));
        let both: Vec<_> = nodes.into_iter().chain(time).collect();
        format!("{} for each position", both.join(" or "))
    }
}

/// Why there is no review.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReviewError {
    /// The record is not of legal turns.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The system refuses the memory or the threads.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A position cannot be searched.
    #[error(transparent)]
    Analyse(#[from] AnalyseError),
    /// There is not one judgement for each position.
    #[error("{found} judgements of {expected} positions")]
    Judgements {
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
    },
    /// A worker of the review ended early.
    #[error("the search failed")]
    Failed,
}

/// A game with a verdict on each turn of its main line.
#[derive(Debug)]
pub struct Review {
    record: Record,
    /// How much was searched, in words.
    effort: String,
    judgements: Vec<Judgement>,
    /// The judgements of positions after best turns, by the number of turns before them.
    after_best: BTreeMap<usize, Judgement>,
    verdicts: Vec<Verdict>,
}

/// Whose mistakes are shown, and in which order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Selection {
    /// `None` for both sides.
    pub side: Option<Side>,
    /// The dearest first; else in the order of the game.
    pub by_cost: bool,
    /// Scores before and after a turn are White's; else those of its player.
    pub white: bool,
}

/// A turn with its verdict, as a row of a table. Its fields are the columns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row<'a> {
    /// The number of turns before it.
    pub turn: usize,
    /// `12.` for White, `12…` for Black.
    pub number: &'a str,
    /// `white` or `black`.
    pub side: &'static str,
    /// The turn.
    pub played: &'a Turn,
    /// The engine's choice.
    pub best: Option<&'a Turn>,
    /// The expected score with the best turn, 0 … 1: what the loss is measured from.
    pub before: f64,
    /// The expected score after it.
    pub after: f64,
    /// The expected score that its player lost against the best turn.
    pub loss: f64,
    /// `inaccuracy`, `mistake`, `blunder`, `book`, or empty.
    pub verdict: &'static str,
    /// Of a mistake in the Amazons, by how many turns its player's margin is less than after the best turn.
    pub turns_lost: Option<f64>,
    /// Why a mistake was one, in words.
    pub reasons: String,
    /// The squares that a mistake costs where the turns end that are expected after it and after the best one.
    pub lost: String,
    /// The turns expected after a mistake, the answer first.
    pub refutation: String,
    /// The turns that were expected, the best one first.
    pub pv: String,
    /// The position before it.
    pub fen: &'a str,
}

/// Four decimals, as the page keeps them.
pub(crate) fn kept(value: f64) -> f64 {
    (value * 10_000.0 + 0.5).floor() / 10_000.0
}

impl Review {
    /// Searches every position of a record's main line and judges its turns. Where a turn may have been a mistake, the
    /// position after the best turn is searched too. Blocks until all is searched; `progress` is told from any thread
    /// how many positions are done, and of how many.
    ///
    /// ```
    /// use hippolyta::engine::Model;
    /// use hippolyta::games::variant;
    /// use hippolyta_protocol::records::{Format, Reader};
    /// use hippolyta_protocol::review::{Effort, Review, Selection};
    ///
    /// let text = "[Variant \"amazons6\"]\n\n1. b1b4,b4c4 e6e5,e5d5 *\n";
    /// let record = Reader::new(Format::Pgn, text.as_bytes(), variant::DEFAULT).next().expect("a game")?;
    /// let effort = Effort { nodes: Some(100), time: None, threads: 1, hash: 16 };
    /// let review = Review::new(record, effort, &Model::default(), &|_, _| ())?;
    /// assert_eq!(review.verdicts().len(), 2);
    /// assert!(review.text(Selection::default()).contains("100 nodes for each position"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the system lacks memory or threads.
    pub fn new(
        record: Record,
        effort: Effort,
        model: &Model,
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Self, ReviewError> {
        let boards = positions(&record)?;
        let judgements = search(&boards, effort, model, &|done| progress(done, boards.len()))?;
        let mut review = Self::of(record, &boards, effort.words(), judgements, BTreeMap::new());
        let wanted = review.wanted();
        let others: Vec<_> = wanted.iter().map(|(_, board)| board.clone()).collect();
        let all = boards.len() + others.len();
        let found = search(&others, effort, model, &|done| progress(boards.len() + done, all))?;
        let after_best = wanted.iter().map(|(ply, _)| *ply).zip(found).collect();
        review = Self::of(review.record, &boards, review.effort, review.judgements, after_best);
        Ok(review)
    }

    /// Judges the turns of a record's main line by what was found elsewhere of each position, the start first, and, as
    /// far as [`wanted`](Self::wanted) asks for it, of the positions after best turns, by the number of turns before
    /// them; `effort` says in words how much was searched.
    ///
    /// # Errors
    ///
    /// If there is not one judgement for each position.
    pub fn judged(
        record: Record,
        effort: &str,
        judgements: Vec<Judgement>,
        after_best: BTreeMap<usize, Judgement>,
    ) -> Result<Self, ReviewError> {
        let boards = positions(&record)?;
        if judgements.len() != boards.len() {
            return Err(ReviewError::Judgements { found: judgements.len(), expected: boards.len() });
        }
        Ok(Self::of(record, &boards, effort.to_owned(), judgements, after_best))
    }

    fn of(
        record: Record,
        boards: &[Board],
        effort: String,
        judgements: Vec<Judgement>,
        after_best: BTreeMap<usize, Judgement>,
    ) -> Self {
        let turns: Vec<_> = record.main_line().map(|entry| (&entry.turn, entry.note.book)).collect();
        let entry = |(ply, here): (usize, &Judgement)| {
            Some(Entry { here: here.known(), after_best: after_best.get(&ply).map(Judgement::known) })
        };
        let known: Vec<_> = judgements.iter().enumerate().map(entry).collect();
        let verdicts = boards.first().map_or_else(Vec::new, |start| judge(start, &turns, &known, || true));
        Self { record, effort, judgements, after_best, verdicts }
    }

    /// The positions that must be searched besides, for turns to be judged fairly: after the best turn in place of the
    /// one that was played. Each comes with the number of turns before it.
    pub fn wanted(&self) -> Vec<(usize, Board)> {
        let after = |verdict: &Verdict| {
            let turns = self.verdicts.iter().take(verdict.ply).map(|earlier| &earlier.turn);
            let best = self.judgements[verdict.ply].line.first()?;
            let board = Board::replayed(&self.record.variant, &self.record.fen, turns.chain([best])).ok()?;
            Some((verdict.ply, board))
        };
        self.verdicts.iter().filter(|verdict| verdict.wanted).filter_map(after).collect()
    }

    /// The judgement of the position after the best turn in place of the turn with this number, if it was searched.
    pub fn after_best(&self, ply: usize) -> Option<&Judgement> {
        self.after_best.get(&ply)
    }

    /// The game.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The judgement of each position, the start first: one more than there are turns.
    pub fn judgements(&self) -> &[Judgement] {
        &self.judgements
    }

    /// The verdict on each turn.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }

    /// White's expected score in each position, 0 … 1, to four decimals.
    pub fn curve(&self) -> Vec<f64> {
        self.judgements.iter().map(|judgement| kept(judgement.white)).collect()
    }

    /// How a side played.
    pub fn summary(&self, side: Side) -> Summary {
        Summary::of(&self.verdicts, side)
    }

    /// The turns that were inaccuracies, mistakes or blunders.
    pub fn mistakes(&self, selection: Selection) -> Vec<&Verdict> {
        let is_wanted =
            |verdict: &&Verdict| verdict.kind.is_some() && selection.side.is_none_or(|side| side == verdict.side);
        let mut found: Vec<_> = self.verdicts.iter().filter(is_wanted).collect();
        if selection.by_cost {
            found.sort_by(|a, b| b.loss.total_cmp(&a.loss));
        }
        found
    }

    /// The review for a terminal.
    pub fn text(&self, selection: Selection) -> String {
        text::write(self, selection)
    }

    /// All turns as rows of a table.
    pub fn rows(&self, selection: Selection) -> Vec<Row<'_>> {
        let row = |verdict| {
            let (before, compared) = (self.before(verdict), self.compared(verdict));
            let side = if selection.white { Side::White } else { verdict.side };
            Row {
                turn: verdict.ply,
                number: &verdict.number,
                side: verdict.side.name(),
                played: &verdict.turn,
                best: before.line.first(),
                before: kept(compared[0].expected(side)),
                after: kept(compared[1].expected(side)),
                loss: kept(verdict.loss),
                verdict: text::remark(verdict),
                turns_lost: verdict.turns_lost,
                reasons: text::reasons(verdict),
                lost: text::lost(verdict).join(" "),
                refutation: Turn::join(&verdict.refutation, " "),
                pv: Turn::join(&before.line, " "),
                fen: &before.fen,
            }
        };
        self.verdicts.iter().map(row).collect()
    }

    /// The review as an HTML page that stands alone: one file, which loads nothing.
    pub fn page(&self, selection: Selection) -> String {
        page::write(self, selection)
    }

    /// The name of a side, `White` or `Black` if the record has none.
    fn player(&self, side: Side) -> String {
        let name = if side == Side::White { "White" } else { "Black" };
        let known = self.record.tags.get(name).map_or(name, String::as_str);
        let shown: String = known.chars().filter(|&sign| !is_hidden(sign)).collect();
        // PGN's sign for a name that nobody knows.
        if matches!(shown.trim(), "" | "?") { name.to_owned() } else { shown }
    }

    /// The judgement of the position before a turn.
    fn before(&self, verdict: &Verdict) -> &Judgement {
        &self.judgements[verdict.ply]
    }

    /// The two judgements whose difference a turn lost: with the best turn, which is that of the position after it
    /// where that was searched, and after the turn itself.
    fn compared(&self, verdict: &Verdict) -> [&Judgement; 2] {
        let best = self.after_best(verdict.ply).unwrap_or_else(|| self.before(verdict));
        [best, &self.judgements[verdict.ply + 1]]
    }
}

/// The positions of a record's main line, the start first.
fn positions(record: &Record) -> Result<Vec<Board>, ReviewError> {
    let mut boards = vec![Board::from_fen(&record.variant, &record.fen).map_err(PositionError::from)?];
    for turn in record.main_line() {
        let mut board = boards.last().cloned().ok_or(ReviewError::Failed)?;
        board.play_turn(&turn.turn).map_err(|_| ReviewError::Failed)?;
        boards.push(board);
    }
    Ok(boards)
}

/// Searches all boards. What is found of one does not depend on the others.
fn search(
    boards: &[Board],
    effort: Effort,
    model: &Model,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Judgement>, ReviewError> {
    let Some(variant) = boards.first().map(Board::variant) else { return Ok(Vec::new()) };
    let threads = effort.threads.clamp(1, boards.len());
    let pool = Pool::new(threads, model.clone(), Settings { hash: effort.hash, threads: 1, ..Settings::default() });
    let traits = variant.traits();
    let include = Include { ownership: traits.ownership, territory: traits.territories, ..Include::default() };
    let limits = Limits { nodes: effort.nodes, move_time: effort.time, include, prove: true, ..Limits::default() };
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let found = Mutex::new(vec![None; boards.len()]);
    let work = || -> Result<(), ReviewError> {
        let mut engine = pool.take(variant)?;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(board) = boards.get(index) else { return Ok(()) };
            engine.clear();
            let judgement = Judgement::new(engine.analyse(board, &limits, &Control::default(), &mut |_| ())?);
            found.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(judgement);
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let own = work();
        let others: Vec<_> = workers.into_iter().map(|worker| worker.join()).collect();
        others.into_iter().try_for_each(|ended| ended.map_err(|_| ReviewError::Failed)?).and(own)
    })?;
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.into_iter().collect::<Option<_>>().ok_or(ReviewError::Failed)
}
