//! Games as text, in and out, which `hippolyta/games.py` asks for: each as a line of JSON, as in `games.jsonl`.

use crate::errors::{at, find};
use crate::wait::interruptible;
use hippolyta::engine::Control;
use hippolyta::files::write_whole;
use hippolyta_protocol::records::{self, Format, ReadError, Reader, Record, Unpacked, Writer};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<GameReader>()?;
    module.add_function(wrap_pyfunction!(game_text, module)?)?;
    module.add_function(wrap_pyfunction!(write_games, module)?)
}

fn wrong(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A game as a line, and its tags, some of which the line has as numbers.
type Found = (String, BTreeMap<String, String>);
type Games = Reader<Unpacked<BufReader<File>>>;

/// The games of a file, one after the other.
#[pyclass(module = "hippolyta._hippolyta", frozen)]
pub struct GameReader {
    path: PathBuf,
    /// `None` for an empty file.
    reader: Option<Arc<Mutex<Games>>>,
}

#[pymethods]
impl GameReader {
    /// `variant` is the rule set of games that name none.
    #[new]
    fn new(path: PathBuf, variant: &str) -> PyResult<Self> {
        let variant = &find(variant)?;
        let file = records::open(&path).map_err(at(&path))?;
        let reader = match Reader::guessing(file, Format::of_input(&path), variant) {
            Err(ReadError::Empty) => None,
            Err(ReadError::Io(error)) => return Err(at(&path)(error)),
            found => Some(found.map_err(|error| wrong(format!("{}: {error}", path.display())))?),
        };
        Ok(Self { path, reader: reader.map(|reader| Arc::new(Mutex::new(reader))) })
    }

    /// The next game with all its tags, if there is one, and what was not understood before its end, games among it that
    /// are left out.
    fn next(&self, py: Python<'_>) -> PyResult<(Option<Found>, Vec<String>)> {
        let Some(reader) = self.reader.clone() else { return Ok((None, Vec::new())) };
        let (path, control) = (self.path.clone(), Arc::new(Control::default()));
        let stopper = control.clone();
        let work = move || {
            let mut reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
            let mut warnings = Vec::new();
            loop {
                let found = reader.next_while(&|| !control.stopped());
                warnings.extend(reader.warnings().iter().map(ToString::to_string));
                match found {
                    None => return Ok((None, warnings)),
                    Some(Ok(record)) => return Ok((Some((text(&record, Format::Jsonl)?, record.tags)), warnings)),
                    Some(Err(ReadError::Damaged(damage))) if !control.stopped() => warnings.push(damage.to_string()),
                    Some(Err(ReadError::Io(error))) => return Err(at(&path)(error)),
                    Some(Err(error)) => return Err(PyOSError::new_err(error.to_string())),
                }
            }
        };
        interruptible(py, work, move || stopper.stop())
    }
}

fn text(record: &Record, format: Format) -> PyResult<String> {
    let mut text = Vec::new();
    Writer::new(format).write(record, &mut text).map_err(wrong)?;
    String::from_utf8(text).map_err(wrong)
}

/// A game in another format.
#[pyfunction]
fn game_text(game: &str, format: &str) -> PyResult<String> {
    text(&Record::from_json(game).map_err(wrong)?, format.parse().map_err(wrong)?)
}

/// Writes games into a file, all or none.
#[pyfunction]
#[pyo3(signature = (path, games, format))]
fn write_games(py: Python<'_>, path: PathBuf, games: Vec<String>, format: Option<&str>) -> PyResult<()> {
    let format = match format {
        Some(name) => name.parse().map_err(wrong)?,
        None => Format::of(&path).ok_or_else(|| {
            wrong(format!("{}: its name does not end in .pgn, .pdn, .sgf, .jsonl or .fen", path.display()))
        })?,
    };
    let (mut writer, mut bytes) = (Writer::new(format), Vec::new());
    for (place, game) in games.iter().enumerate() {
        py.check_signals()?;
        let record = Record::from_json(game).map_err(|error| wrong(format!("game {}: {error}", place + 1)))?;
        writer.write(&record, &mut bytes).map_err(|error| wrong(format!("game {}: {error}", place + 1)))?;
    }
    write_whole(&path, &bytes).map_err(at(&path))
}
