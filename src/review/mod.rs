//! How well a game was played: every position is searched, and each turn is judged by what its player's expected score
//! fell by.
//!
//! The rule is here alone: Python binds it, and the page of `hippolyta serve` asks for it by the action `review` of the
//! JSON lines. The engine's choice loses nothing. From 5 % on a turn is an inaccuracy, from 10 % a mistake, from 20 % a
//! blunder, by whole per cents: below 5 % is noise. Turns of an opening, marked `book` in a record, are not judged.
//! Accuracy is the share of a side's judged turns that were none of these.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `text` | a review for a terminal |
//! | `page` | a review as an HTML page that stands alone |

mod page;
mod text;

use crate::engine::{
    AnalyseError, Analysis, Board, Control, Include, Limits, Model, Owned, Pool, PositionError, Score, Settings,
    SettingsError, rounded,
};
use crate::games::{Side, Turn};
use crate::records::Record;
use serde::Serialize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use thiserror::Error;

/// What a turn that lost much is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    #[must_use]
    pub fn threshold(self) -> u32 {
        match self {
            Self::Inaccuracy => 5,
            Self::Mistake => 10,
            Self::Blunder => 20,
        }
    }

    /// What a loss of expected score, 0 … 1, is called: by whole per cents, as they are shown.
    ///
    /// ```
    /// use hippolyta::review::Kind;
    ///
    /// let kinds = [0.044, 0.045, 0.095, 0.2].map(Kind::of);
    /// assert_eq!(kinds, [None, Some(Kind::Inaccuracy), Some(Kind::Mistake), Some(Kind::Blunder)]);
    /// ```
    #[must_use]
    pub fn of(loss: f64) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|kind| (loss * 100.0 + 0.5).floor() >= f64::from(kind.threshold()))
    }

    /// `mistake`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// `mistakes`.
    #[must_use]
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
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

/// What a search says of a position of the game.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The position.
    pub fen: String,
    /// The side to move.
    pub side: Side,
    /// White's expected score, 0 … 1.
    pub white: f64,
    /// What the position is worth to the side to move.
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

    /// The expected score of a side, 0 … 1.
    #[must_use]
    pub fn expected(&self, side: Side) -> f64 {
        if side == Side::White { self.white } else { 1.0 - self.white }
    }
}

/// What is said of a turn.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Its place among the turns of the game, from 0.
    pub ply: usize,
    /// Its number: `12.` for White, `12…` for Black.
    pub number: String,
    /// Who played it.
    pub side: Side,
    /// The turn.
    pub turn: Turn,
    /// Whether it came from an opening: then it is not judged.
    pub book: bool,
    /// Whether the engine would have played it.
    pub is_best: bool,
    /// What its player's expected score fell by, 0 … 1.
    pub loss: f64,
    /// What that is called.
    pub kind: Option<Kind>,
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
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        self.share(self.good as f64)
    }

    /// The mean loss, 0 … 1; `None` without turns.
    #[must_use]
    pub fn average_loss(&self) -> Option<f64> {
        self.share(self.loss)
    }

    /// The share of turns that were the engine's choice, 0 … 1; `None` without turns.
    #[must_use]
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
    #[must_use]
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
    /// The expected score before it, 0 … 1.
    pub before: f64,
    /// The expected score after it.
    pub after: f64,
    /// What its player's expected score fell by.
    pub loss: f64,
    /// `inaccuracy`, `mistake`, `blunder`, `book`, or empty.
    pub verdict: &'static str,
    /// The turns that were expected, the best one first.
    pub pv: String,
    /// The position before it.
    pub fen: &'a str,
}

/// Four decimals, as the page keeps them.
pub(crate) fn kept(value: f64) -> f64 {
    (value * 10_000.0 + 0.5).floor() / 10_000.0
}

/// The numbers of so many turns of a game that begins on `board`: `1.`, `1…`, `2.`.
fn numbers(board: &Board, turns: usize) -> impl Iterator<Item = String> + use<> {
    let begin = 2 * board.number() as usize + usize::from(board.side_to_move() == Side::Black);
    (begin..begin + turns).map(|ply| format!("{}{}", ply / 2, if ply % 2 == 1 { '…' } else { '.' }))
}

impl Review {
    /// Searches every position of a record's main line and judges its turns. Blocks until all is searched; `progress`
    /// is told from any thread how many positions are done.
    ///
    /// ```
    /// use hippolyta::games::variant;
    /// use hippolyta::records::{Format, Reader};
    /// use hippolyta::review::{Effort, Review, Selection};
    ///
    /// let text = "[Variant \"amazons6\"]\n\n1. b1b4,b4c4 e6e5,e5d5 *\n";
    /// let record = Reader::new(Format::Pgn, text.as_bytes(), variant::DEFAULT).next().expect("a game")?;
    /// let effort = Effort { nodes: Some(100), time: None, threads: 1, hash: 16 };
    /// let review = Review::new(record, effort, &|_| ())?;
    /// assert_eq!(review.verdicts().len(), 2);
    /// assert!(review.text(Selection::default()).contains("100 nodes for each position"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the system lacks memory or threads.
    pub fn new(record: Record, effort: Effort, progress: &(dyn Fn(usize) + Sync)) -> Result<Self, ReviewError> {
        let boards = positions(&record)?;
        let judgements = search(&boards, effort, progress)?;
        let verdicts = verdicts(&record, &boards, &judgements);
        Ok(Self { record, effort: effort.words(), judgements, verdicts })
    }

    /// Judges the turns of a record's main line by what was found elsewhere of each position, the start first; `effort`
    /// says in words how much was searched.
    ///
    /// # Errors
    ///
    /// If there is not one judgement for each position.
    pub fn judged(record: Record, effort: &str, judgements: Vec<Judgement>) -> Result<Self, ReviewError> {
        let boards = positions(&record)?;
        if judgements.len() != boards.len() {
            return Err(ReviewError::Judgements { found: judgements.len(), expected: boards.len() });
        }
        let verdicts = verdicts(&record, &boards, &judgements);
        Ok(Self { record, effort: effort.to_owned(), judgements, verdicts })
    }

    /// The game.
    #[must_use]
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// What was found of each position, the start first: one more than there are turns.
    #[must_use]
    pub fn judgements(&self) -> &[Judgement] {
        &self.judgements
    }

    /// What is said of each turn.
    #[must_use]
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }

    /// White's expected score in each position, 0 … 1, to four decimals.
    #[must_use]
    pub fn curve(&self) -> Vec<f64> {
        self.judgements.iter().map(|judgement| kept(judgement.white)).collect()
    }

    /// How a side played.
    #[must_use]
    pub fn summary(&self, side: Side) -> Summary {
        Summary::of(&self.verdicts, side)
    }

    /// The turns that were inaccuracies, mistakes or blunders.
    #[must_use]
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
    #[must_use]
    pub fn text(&self, selection: Selection) -> String {
        text::write(self, selection)
    }

    /// All turns as rows of a table.
    #[must_use]
    pub fn rows(&self, selection: Selection) -> Vec<Row<'_>> {
        let row = |verdict| {
            let [before, after] = self.around(verdict);
            let side = if selection.white { Side::White } else { verdict.side };
            Row {
                turn: verdict.ply,
                number: &verdict.number,
                side: verdict.side.name(),
                played: &verdict.turn,
                best: before.line.first(),
                before: kept(before.expected(side)),
                after: kept(after.expected(side)),
                loss: kept(verdict.loss),
                verdict: text::remark(verdict),
                pv: Turn::join(&before.line, " "),
                fen: &before.fen,
            }
        };
        self.verdicts.iter().map(row).collect()
    }

    /// The review as an HTML page that stands alone: one file, which loads nothing.
    #[must_use]
    pub fn page(&self, selection: Selection) -> String {
        page::write(self, selection)
    }

    /// The name of a side, `White` or `Black` if the record has none.
    fn player(&self, side: Side) -> String {
        let name = if side == Side::White { "White" } else { "Black" };
        let known = self.record.tags.get(name).map_or(name, String::as_str);
        // What a terminal cannot show is left out, and signs that turn text round.
        let is_shown = |sign: &char| {
            !sign.is_control()
                && !matches!(sign, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        };
        let shown: String = known.chars().filter(is_shown).collect();
        // PGN's sign for a name that nobody knows.
        if matches!(shown.trim(), "" | "?") { name.to_owned() } else { shown }
    }

    /// What a turn was played from, and what it led to.
    fn around(&self, verdict: &Verdict) -> [&Judgement; 2] {
        [&self.judgements[verdict.ply], &self.judgements[verdict.ply + 1]]
    }
}

/// The positions of a record's main line, the start first.
fn positions(record: &Record) -> Result<Vec<Board>, ReviewError> {
    let mut boards = vec![Board::from_fen(record.variant, &record.fen).map_err(PositionError::from)?];
    for turn in record.main_line() {
        let mut board = boards.last().cloned().ok_or(ReviewError::Failed)?;
        board.play_turn(&turn.turn).map_err(|_| ReviewError::Failed)?;
        boards.push(board);
    }
    Ok(boards)
}

/// Searches all boards. What is found of one does not depend on the others.
fn search(boards: &[Board], effort: Effort, progress: &(dyn Fn(usize) + Sync)) -> Result<Vec<Judgement>, ReviewError> {
    let Some(variant) = boards.first().map(Board::variant) else { return Ok(Vec::new()) };
    let threads = effort.threads.clamp(1, boards.len());
    let pool = Pool::new(threads, Model::default(), Settings { hash: effort.hash, threads: 1, ..Settings::default() });
    let traits = variant.traits();
    let include = Include { ownership: traits.ownership, territory: traits.territories, ..Include::default() };
    let limits = Limits { nodes: effort.nodes, move_time: effort.time, include, ..Limits::default() };
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

/// Judges the turns of a record's main line by what was found of its positions.
fn verdicts(record: &Record, boards: &[Board], judgements: &[Judgement]) -> Vec<Verdict> {
    let Some(start) = boards.first() else { return Vec::new() };
    let turns: Vec<_> = record.main_line().map(|entry| (&entry.turn, entry.note.book)).collect();
    let known = judgements.iter().map(|found| Some(Known { white: found.white, best: found.line.first() }));
    judge(start, &turns, &known.collect::<Vec<_>>())
}

/// What must be known of a position for the turns before and after it to be judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known<'a> {
    /// White's expected score, 0 … 1.
    pub white: f64,
    /// The engine's choice.
    pub best: Option<&'a Turn>,
}

/// Judges the turns of a game that begins on `start`; each comes with whether it is `book`. `known` are its positions,
/// the start first. A turn before or after a position of which nothing is known gets no verdict.
pub(crate) fn judge(start: &Board, turns: &[(&Turn, bool)], known: &[Option<Known<'_>>]) -> Vec<Verdict> {
    let sides = [start.side_to_move(), !start.side_to_move()];
    let numbered = turns.iter().zip(numbers(start, turns.len())).enumerate();
    let verdict = |(ply, (&(turn, book), number)): (usize, (&(&Turn, bool), String))| {
        let (before, after) = ((*known.get(ply)?)?, (*known.get(ply + 1)?)?);
        let side = sides[ply % 2];
        let is_best = before.best == Some(turn);
        let fall = kept(before.white) - kept(after.white);
        let fall = if side == Side::White { fall } else { -fall };
        // Never negative: a search of the next position may see more than the one before.
        let loss = if is_best { 0.0 } else { fall.max(0.0) };
        let kind = if book { None } else { Kind::of(loss) };
        Some(Verdict { ply, number, side, turn: turn.clone(), book, is_best, loss, kind })
    };
    numbered.filter_map(verdict).collect()
}
