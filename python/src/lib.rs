//! Hippolyta as a Python package: the module `hippolyta._hippolyta`. What people import is `hippolyta`, in Python beside
//! it.
#![deny(unsafe_code)]

mod board;

use pyo3::prelude::*;
use std::ffi::OsString;
use std::process::ExitCode;

/// Does what a command line of `hippolyta` says. The first argument is the program's name. It may end the process.
#[pyfunction]
fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> i32 {
    let code = py.detach(|| hippolyta::commands::run(arguments));
    i32::from(code != ExitCode::SUCCESS)
}

#[pymodule]
fn _hippolyta(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<board::Board>()?;
    module.add_function(wrap_pyfunction!(run_command, module)?)
}
