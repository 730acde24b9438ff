//! Positions and games.

use hippolyta::engine;
use hippolyta::games::variant;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A position, with the turns that led to it.
#[pyclass(module = "hippolyta")]
pub struct Board(pub engine::Board);

/// What Python sees of an error of the library.
fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymethods]
impl Board {
    /// The start position of a rule set.
    #[new]
    #[pyo3(signature = (variant = "amazons"))]
    fn new(variant: &str) -> PyResult<Self> {
        Ok(Self(engine::Board::new(variant::find(variant).map_err(value_error)?)))
    }

    /// Plays a turn and returns its usual spelling.
    fn push(&mut self, turn: &str) -> PyResult<String> {
        self.0.play(turn).map_err(value_error)
    }

    fn fen(&self) -> String {
        self.0.fen()
    }
}
