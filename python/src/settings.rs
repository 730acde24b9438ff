//! Options of UCI as settings of `hippolyta.Engine`, and books.

use crate::board::{Board, move_object};
use crate::errors::{engine_error, find};
use crate::numbers::{shown, value_error, whole};
use hippolyta::engine;
use hippolyta_protocol::{Change, Kind, OPTIONS};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;
use std::path::PathBuf;

/// Settings of `hippolyta.Engine` from options of UCI, by the names of its arguments and of `Searcher`'s.
#[pyfunction]
pub fn settings_of<'py>(py: Python<'py>, options: HashMap<String, Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyDict>> {
    let settings = PyDict::new(py);
    let (mut plays_book, mut book) = (false, None);
    let (mut limits_strength, mut elo) = (false, None);
    for (name, value) in options {
        let is_argument = |argument: &str| Err(value_error(format!("options: {name} is an argument, {argument}")));
        match change(&name, &value)? {
            Change::Variant(variant) => settings.set_item("variant", variant.text())?,
            Change::Threads(threads) => settings.set_item("threads", threads)?,
            Change::Hash(hash) => settings.set_item("hash", hash)?,
            Change::Seed(seed) => settings.set_item("seed", seed)?,
            Change::Weights(path) => settings.set_item("eval_file", path)?,
            Change::DamoneTables(path) => settings.set_item("tables", path)?,
            Change::Variety(points) => settings.set_item("variety", points)?,
            Change::MoveOverhead(time) => settings.set_item("overhead", time.as_secs_f64())?,
            Change::OwnBook(plays) => plays_book = plays,
            Change::Book(path) => book = path,
            Change::LimitStrength(limits) => limits_strength = limits,
            Change::Elo(rating) => elo = Some(rating),
            Change::MultiPv(_) => is_argument("multipv of analyse")?,
            Change::MergeMirrored(_) => is_argument("merge_mirrored of analyse")?,
            Change::ShowWdl(_) | Change::Nothing => {}
            _ => return Err(value_error(format!("options: {name} is none of an engine inside this process"))),
        }
    }
    if plays_book {
        settings.set_item("book", book)?;
    }
    if limits_strength {
        settings.set_item("elo", elo.unwrap_or(engine::DEFAULT_ELO))?;
    }
    Ok(settings)
}

/// The change that a value of an option asks for.
fn change(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Change> {
    let spec = OPTIONS.iter().find(|spec| spec.name.eq_ignore_ascii_case(name));
    let spec = spec.ok_or_else(|| value_error(format!("options: there is no option '{name}'")))?;
    let named = format!("options: {}", spec.name);
    let expected = |what: &str| PyTypeError::new_err(format!("{named}: {what} is expected, not {}", shown(value)));
    Ok(match spec.kind {
        Kind::Spin { min, max, change, .. } => change(whole(&named, value, [min, max])?),
        Kind::Check(change) => change(value.extract().map_err(|_| expected("True or False"))?),
        Kind::File(change) => change(value.extract::<Option<PathBuf>>().map_err(|_| expected("a path or None"))?),
        Kind::Variant => Change::Variant(find(value.extract().map_err(|_| expected("the name of a rule set"))?)?),
        Kind::Button(_) => return Err(value_error(format!("{named} is no setting"))),
    })
}

/// An opening book: the turns that a search found beforehand.
#[pyclass(module = "hippolyta._hippolyta", frozen)]
pub struct Book(engine::Book);

#[pymethods]
impl Book {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        let named = |error| engine_error(format!("{}: {error}", path.display()));
        engine::Book::load(&path).map(Self).map_err(named)
    }

    /// The turn for a board, its centipawns for the side to move, and the positions that were evaluated to find it;
    /// `None` if the book has none.
    fn entry<'py>(&self, py: Python<'py>, board: PyRef<'py, Board>) -> PyResult<Option<(Bound<'py, PyAny>, i32, u64)>> {
        let entry = self.0.entry(&board.board);
        entry.map(|entry| Ok((move_object(py, &entry.turn)?, entry.score, entry.nodes))).transpose()
    }
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(settings_of, module)?)?;
    module.add_class::<Book>()
}
