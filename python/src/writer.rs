//! Data files of games that somebody else has played. `hippolyta/records.py` is what people see of it.

use crate::encoding::{Encoded, Shapes};
use crate::errors::{engine_error, find, move_error};
use crate::numbers::value_error;
use crate::records::file_error;
use hippolyta::games::variant::Variant;
use hippolyta::games::{Side, Step, Steps, with_family};
use hippolyta_lab::training::record::{self, Ending, GameData, Header, SearchedTurn, pack_score};
use pyo3::prelude::*;
use std::cmp::Reverse;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// Actions of a half-turn with their visits.
type Visits = Vec<(u32, u64)>;
/// A searched turn: its text, White's expected score before it, and the visits for each of its half-turns.
type Searched = (String, f32, Vec<Visits>);

/// Games that become a data file. `hippolyta.records.Writer` is made of it.
#[pyclass(module = "hippolyta._hippolyta", frozen)]
pub struct GameWriter {
    path: PathBuf,
    variant: Variant,
    /// The FEN that games begin at; `None` is the start position of the rule set.
    start: Option<String>,
    maker: String,
    /// `None` once the file is written.
    games: Mutex<Option<Vec<GameData>>>,
}

/// Replays a game and turns its actions into steps.
fn data<P: Encoded>(
    variant: &Variant,
    start: &str,
    opening: &[String],
    searched: &[Searched],
    given: Option<u8>,
) -> PyResult<GameData> {
    let mut position = P::from_fen(variant, start).map_err(value_error)?;
    let play = |position: &mut P, turn: &str| {
        let steps = position.parse_turn(turn).map_err(move_error)?;
        steps.iter().for_each(|&step| position.play(step));
        Ok::<Steps<P>, PyErr>(steps)
    };
    let codes = |steps: &Steps<P>| steps.iter().map(|step| step.code()).collect::<Vec<_>>();
    let opening = opening.iter().map(|turn| Ok(codes(&play(&mut position, turn)?))).collect::<PyResult<_>>()?;
    let layout = Shapes::of(&position, None).map_err(value_error)?.layout;
    let mut turns = Vec::new();
    for (turn, white, visits) in searched {
        let mut at = position.clone();
        let steps = play(&mut position, turn)?;
        let mut found = Vec::new();
        for (half, &step) in steps.iter().enumerate() {
            let actions = at.actions(&layout);
            let mut list = Vec::new();
            for &(action, count) in visits.get(half).into_iter().flatten().filter(|(_, count)| *count > 0) {
                let Some((_, step)) = actions.iter().find(|(number, _)| *number == action) else {
                    let text = format!("action {action} is not legal in half-turn {} of {turn}", half + 1);
                    return Err(value_error(text));
                };
                list.push((step.code(), count.min(u16::MAX.into()) as u16));
            }
            list.sort_by_key(|&(code, count)| (Reverse(count), code));
            found.push(list);
            at.play(step);
        }
        turns.push(SearchedTurn { steps: codes(&steps), score: pack_score(*white), visits: found, inner: Vec::new() });
    }
    let outcome = position.outcome().map(|outcome| outcome.half_points(Side::White));
    let result = match (outcome, given) {
        (Some(result), Some(given)) if result != given => {
            return Err(value_error("result: the rules say otherwise"));
        }
        (Some(result), _) | (None, Some(result)) => result,
        (None, None) => return Err(value_error("result: the game is not over, so it must be given")),
    };
    let ending = match outcome {
        Some(_) => Ending::Rules,
        None if result == 1 => Ending::TooLong,
        None => Ending::Proven,
    };
    Ok(GameData { number: 0, result, ending, margin: None, opening, turns })
}

#[pymethods]
impl GameWriter {
    #[new]
    fn new(path: PathBuf, variant: &str, fen: Option<&str>, maker: String) -> PyResult<Self> {
        let variant = &find(variant)?;
        let start = match fen {
            None => None,
            Some(fen) => {
                let fen = with_family!(variant, P => {
                    <P as hippolyta::games::Notation>::from_fen(variant, fen)
                        .map(|position| hippolyta::games::Notation::fen(&position))
                        .map_err(value_error)?
                });
                Some(fen).filter(|fen| fen != variant.start())
            }
        };
        if path.exists() {
            let text = format!("{} exists already", path.display());
            return Err(pyo3::exceptions::PyFileExistsError::new_err(text));
        }
        Ok(Self { path, variant: variant.clone(), start, maker, games: Mutex::new(Some(Vec::new())) })
    }

    /// Adds a game of some turns and some that were searched; White's half points if the rules do not tell them.
    /// Returns its number.
    #[pyo3(signature = (opening, searched, result = None))]
    fn add(&self, py: Python<'_>, opening: Vec<String>, searched: Vec<Searched>, result: Option<u8>) -> PyResult<u64> {
        let start = self.start.as_deref().unwrap_or(self.variant.start());
        let game = py
            .detach(|| with_family!(self.variant, P => data::<P>(&self.variant, start, &opening, &searched, result)))?;
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        let games = games.as_mut().ok_or_else(|| engine_error("the file is written already"))?;
        let number = games.len() as u64;
        games.push(GameData { number, ..game });
        Ok(number)
    }

    /// Writes the file.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(games) = games else { return Ok(()) };
        py.detach(|| {
            let header = Header::made_by(&self.maker, &self.variant, self.start.clone(), games.len() as u64);
            record::write(&self.path, &header, games).map_err(file_error)
        })
    }
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<GameWriter>()
}
