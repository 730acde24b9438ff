//! Verdicts on the turns of a game, which `hippolyta/review.py` asks for.

use crate::errors::find;
use crate::wait::interruptible;
use hippolyta::engine::{Board, Owned, PositionError, Score};
use hippolyta::games::Side;
use hippolyta::games::variant::Variant;
use hippolyta_protocol::records::{Note, Record};
use hippolyta_protocol::review::{Effort, Judgement, Kind, Review, Selection, Summary};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::time::Duration;

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Judged>()?;
    module.add_function(wrap_pyfunction!(kinds, module)?)?;
    module.add_function(wrap_pyfunction!(kind_of, module)?)
}

/// Name, threshold in per cent and sign of the kinds of mistakes, the smallest first.
#[pyfunction]
fn kinds() -> Vec<(&'static str, u32, &'static str)> {
    Kind::ALL.map(|kind| (kind.name(), kind.threshold(), kind.sign())).to_vec()
}

/// The name for a loss of expected score, 0 … 1, such as `mistake`; `None` if it is too small for one.
#[pyfunction]
fn kind_of(loss: f64) -> Option<&'static str> {
    Kind::of(loss).map(Kind::name)
}

/// The result of an analysis: expected score and draw for the side to move, plies to the end, whether it is proven, and
/// the best line.
type Said = (f64, f64, Option<u32>, bool, Vec<String>);

/// Number, whether it is of an opening, best turn, White's expected score before and after it, loss, kind, turns lost,
/// reasons as kind, sentence and squares, refutation.
type Told = (
    String,
    bool,
    Option<String>,
    f64,
    f64,
    f64,
    Option<&'static str>,
    Option<f64>,
    Vec<(&'static str, String, Vec<String>)>,
    Vec<String>,
);

fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn side(name: &str) -> Side {
    if name == "black" { Side::Black } else { Side::White }
}

fn judgement(board: &Board, (expected, draw, plies, proven, line): Said) -> Judgement {
    let score = match plies {
        Some(plies) if proven && expected > 0.5 => Score::Win { plies },
        Some(plies) if proven => Score::Loss { plies },
        _ if proven => Score::Draw,
        _ => Score::Estimate { score: expected as f32, draw: draw as f32 },
    };
    // Turns that other engines expect need not be legal.
    let mut after = board.clone();
    let line = line.iter().map_while(|turn| after.play(turn).ok()).collect();
    let side = board.side_to_move();
    let white = if side == Side::White { expected } else { 1.0 - expected };
    Judgement { fen: board.fen(), side, white, score, line, owned: Owned::default() }
}

/// A game with what was found of each of its positions.
#[pyclass(module = "hippolyta._hippolyta", frozen)]
pub struct Judged(Review);

impl Judged {
    fn of(
        variant: &Variant,
        fen: &str,
        turns: Vec<(String, bool)>,
        tags: BTreeMap<String, String>,
        said: Vec<Said>,
        mut after_best: BTreeMap<usize, Said>,
        effort: &Effort,
    ) -> PyResult<Self> {
        let mut board = Board::from_fen(variant, fen).map_err(|error| wrong(PositionError::from(error)))?;
        let (mut judgements, mut best) = (Vec::<Judgement>::new(), BTreeMap::new());
        for (place, said) in said.into_iter().enumerate() {
            let here = judgement(&board, said);
            if let (Some(said), Some(turn)) = (after_best.remove(&place), here.line.first()) {
                let mut after = board.clone();
                after.play_turn(turn).map_err(wrong)?;
                best.insert(place, judgement(&after, said));
            }
            judgements.push(here);
            if let Some((turn, _)) = turns.get(place) {
                board.play(turn).map_err(wrong)?;
            }
        }
        let notes = turns.into_iter().map(|(turn, book)| (turn, Note { book, ..Note::default() }));
        let record = Record::new(variant, fen, tags, notes).map_err(wrong)?;
        Ok(Self(Review::judged(record, &effort.words(), judgements, best).map_err(wrong)?))
    }
}

#[pymethods]
impl Judged {
    /// `turns` are marked if they are of an opening; `said` has an entry for each position, the start first, and
    /// `after_best` one for each of those that `wanted` has told.
    #[new]
    #[pyo3(signature = (variant, fen, turns, tags, said, after_best, *, nodes, time))]
    #[allow(clippy::too_many_arguments, reason = "they are given by name where they could be confused")]
    fn new(
        py: Python<'_>,
        variant: &str,
        fen: Option<String>,
        turns: Vec<(String, bool)>,
        tags: BTreeMap<String, String>,
        said: Vec<Said>,
        after_best: BTreeMap<usize, Said>,
        nodes: Option<u64>,
        time: Option<f64>,
    ) -> PyResult<Self> {
        let variant = find(variant)?;
        let fen = fen.unwrap_or_else(|| variant.start().to_owned());
        let time = time.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let effort = Effort { nodes, time, threads: 1, hash: 1 };
        interruptible(py, move || Self::of(&variant, &fen, turns, tags, said, after_best, &effort), || ())
    }

    /// White's expected score in each position.
    fn curve(&self) -> Vec<f64> {
        self.0.curve()
    }

    /// The turns with the best one in their place that must be searched besides, each with its number in the game.
    fn wanted(&self) -> Vec<(usize, String)> {
        let best = |(ply, board): (usize, Board)| board.last_turn().map(|turn| (ply, turn.to_string()));
        self.0.wanted().into_iter().filter_map(best).collect()
    }

    fn verdicts(&self) -> Vec<Told> {
        let rows = self.0.rows(Selection { white: true, ..Selection::default() });
        let told = self.0.verdicts().iter().zip(rows).map(|(verdict, row)| {
            let (best, kind) = (row.best.map(ToString::to_string), verdict.kind.map(Kind::name));
            let reasons = verdict.reasons.iter().map(|reason| {
                let squares = reason.squares.iter().map(ToString::to_string).collect();
                (reason.kind.name(), reason.text.clone(), squares)
            });
            let refutation = verdict.refutation.iter().map(ToString::to_string).collect();
            let (number, reasons) = (verdict.number.clone(), reasons.collect());
            let (before, after, loss) = (row.before, row.after, verdict.loss);
            (number, verdict.book, best, before, after, loss, kind, verdict.turns_lost, reasons, refutation)
        });
        told.collect()
    }

    /// Turns judged, those that were no mistake, the sum of losses, and the number of each kind: of a side's turns from
    /// `start` on and before `stop`.
    fn summary(&self, side: &str, start: usize, stop: usize) -> (usize, usize, f64, [usize; 3]) {
        let verdicts = self.0.verdicts().iter().skip(start).take(stop.saturating_sub(start));
        let Summary { turns, good, loss, kinds, .. } = Summary::of(verdicts, self::side(side));
        (turns, good, loss, kinds)
    }

    /// The numbers of the turns that were mistakes.
    #[pyo3(signature = (side, by_cost))]
    fn mistakes(&self, side: Option<&str>, by_cost: bool) -> Vec<usize> {
        let selection = Selection { side: side.map(self::side), by_cost, white: false };
        self.0.mistakes(selection).iter().map(|verdict| verdict.ply).collect()
    }

    fn text(&self) -> String {
        self.0.text(Selection::default())
    }

    fn page(&self) -> String {
        self.0.page(Selection::default())
    }
}
