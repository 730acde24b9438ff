//! A fork waits until nothing is half made that the whole process shares: the new process could never go on with it.

use hippolyta::forks::{Hold, hold};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::RefCell;

thread_local! {
    /// From before a fork to after it, on the thread that forks.
    static HELD: RefCell<Option<Hold>> = const { RefCell::new(None) };
}

/// Called before a fork. The work that it waits for takes moments, and does not wait for Python.
#[pyfunction]
fn before_fork() {
    HELD.with_borrow_mut(|held| _ = held.get_or_insert_with(hold));
}

/// Called after a fork, in both processes.
#[pyfunction]
fn after_fork() {
    HELD.take();
}

/// Has Python call these, where there are forks.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let Ok(register) = py.import("os")?.getattr("register_at_fork") else { return Ok(()) };
    let hooks = PyDict::new(py);
    hooks.set_item("before", wrap_pyfunction!(before_fork, module)?)?;
    for after in ["after_in_parent", "after_in_child"] {
        hooks.set_item(after, wrap_pyfunction!(after_fork, module)?)?;
    }
    register.call((), Some(&hooks)).map(drop)
}
