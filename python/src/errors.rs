//! What Python sees of the library's errors: its own lines, as exceptions of the package.

use hippolyta::games::variant::{self, Variant};
use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::any::Any;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

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
    EngineError::new_err(error.to_string())
}

/// The rule set of this name.
pub fn find(name: &str) -> PyResult<&'static Variant> {
    variant::find(name).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// What a panic said.
pub fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    format!("a defect of the engine: {}", text.unwrap_or("it panicked"))
}

/// Does `work`, and turns a panic into an `EngineError`. PyO3's own exception for it is no `Exception`, and few catch it.
pub fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| engine_error(panic_text(&*panic)))
}
