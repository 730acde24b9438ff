//! Classes of the package that are written in Python, found once.

use pyo3::prelude::*;
use pyo3::types::PyType;
use std::sync::OnceLock;

/// A class by its module and name.
///
/// It is kept in a lock that is filled while Python's is held. PyO3's `PyOnceLock` gives Python's away there, and a
/// process that another thread forks in that moment would wait for the half filled one for ever.
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
        if let Some(found) = self.found.get() {
            return Ok(found.bind(py));
        }
        let class = py.import(self.module)?.getattr(self.name)?.cast_into::<PyType>()?.unbind();
        // Another thread may have been here in the meantime: with the same class.
        Ok(self.found.get_or_init(|| class).bind(py))
    }
}
