//! Errors of the library as exceptions of the package, with the library's own lines as messages.

use hippolyta::games::variant::{self, Variant};
use pyo3::create_exception;
use pyo3::exceptions::{PyImportError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::any::Any;
use std::fmt::Display;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

create_exception!(hippolyta, MoveError, PyValueError, "A text is not a legal turn here. The message says why.");
create_exception!(hippolyta, FenError, PyValueError, "A text is not a FEN of the rule set. The message says where.");
create_exception!(hippolyta, EngineError, PyRuntimeError, "An engine cannot do what it was asked for.");
create_exception!(hippolyta, Stopped, EngineError, "The work was stopped before it had a result.");

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("MoveError", py.get_type::<MoveError>())?;
    module.add("FenError", py.get_type::<FenError>())?;
    module.add("EngineError", py.get_type::<EngineError>())?;
    module.add("Stopped", py.get_type::<Stopped>())
}

pub fn move_error(error: impl Display) -> PyErr {
    MoveError::new_err(error.to_string())
}

pub fn engine_error(error: impl Display) -> PyErr {
    EngineError::new_err(in_python(&error.to_string()))
}

/// Arguments of Python that are not named as the command's option.
const RENAMED: [(&str, &str); 4] =
    [("resume", "resume=True"), ("force", "force=True"), ("engine", "engines"), ("damone-tables", "tables")];

/// The library's words, with arguments of Python in place of options of the command line: `gate_games` for
/// `--gate-games`. Text in quotes is somebody's own and stays, as does `--playouts`, an argument of engines.
pub fn in_python(text: &str) -> String {
    let word = |word: &str| {
        let Some(rest) = word.strip_prefix("--") else { return word.to_owned() };
        let is_of_name = |sign: char| sign.is_ascii_lowercase() || sign == '-';
        let (name, end) = rest.split_at(rest.find(|sign| !is_of_name(sign)).unwrap_or(rest.len()));
        if name.is_empty() || name == "playouts" {
            return word.to_owned();
        }
        let renamed = RENAMED.iter().find(|(option, _)| *option == name).map(|&(_, argument)| argument.to_owned());
        renamed.unwrap_or_else(|| name.replace('-', "_")) + end
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// An error in a process that was forked from `process`, which has what it needs: its threads and its open files.
pub fn check_process(process: u32, what: &str) -> PyResult<()> {
    if process == std::process::id() {
        return Ok(());
    }
    let text = format!("this {what} was made before the process was forked: make one in each process");
    Err(EngineError::new_err(text))
}

/// An error that tells how to get NumPy, if it is not there.
pub fn check_numpy(py: Python<'_>) -> PyResult<()> {
    numpy::get_array_module(py).map(drop).map_err(|error| {
        let needed = PyImportError::new_err("this needs NumPy: it comes with hippolyta[data]");
        needed.set_cause(py, Some(error));
        needed
    })
}

/// An error of the system as the exception that Python has for it, with its number and the file's name.
pub fn at(path: &Path) -> impl Fn(io::Error) -> PyErr {
    let path = path.display().to_string();
    move |error| match error.raw_os_error() {
        Some(number) => PyOSError::new_err((number, without_number(&error), path.clone())),
        None => PyOSError::new_err(format!("{path}: {error}")),
    }
}

/// The words of the system for an error, without its number.
pub fn without_number(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// The rule set of this name.
pub fn find(name: &str) -> PyResult<Variant> {
    variant::find(name).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The message of a panic, named as a defect of the engine.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    format!("a defect of the engine: {}", text.unwrap_or("it panicked"))
}

/// Does `work`, and turns a panic into an `EngineError`. PyO3's own exception for it is no `Exception`, and few catch it.
pub fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| engine_error(panic_text(&*panic)))
}
