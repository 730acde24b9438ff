//! Objects of Python that are made once and kept, classes of the package above all.

use pyo3::prelude::*;
use pyo3::types::PyType;
use std::sync::OnceLock;

/// The value that a lock keeps, made first if there is none yet.
///
/// The lock is filled while Python's is held. PyO3's `PyOnceLock` gives Python's away there, and a process that another
/// thread forks in that moment would wait for the half filled one for ever.
pub fn kept<T>(lock: &OnceLock<T>, make: impl FnOnce() -> PyResult<T>) -> PyResult<&T> {
    if let Some(kept) = lock.get() {
        return Ok(kept);
    }
    let made = make()?;
    // Another thread may have been here in the meantime: with an equal object.
    Ok(lock.get_or_init(|| made))
}

/// A class that is written in Python, by its module and name.
pub struct Class {
    module: &'static str,
    name: &'static str,
    found: OnceLock<Py<PyType>>,
}

impl Class {
    pub const fn new(module: &'static str, name: &'static str) -> Self {
        Self { module, name, found: OnceLock::new() }
    }

    pub fn get<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyType>> {
        let find = || Ok(py.import(self.module)?.getattr(self.name)?.cast_into::<PyType>()?.unbind());
        kept(&self.found, find).map(|class| class.bind(py))
    }
}
