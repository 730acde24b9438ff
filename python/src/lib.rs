//! Hippolyta as a Python package: the module `hippolyta._hippolyta`. What people import is `hippolyta`, in Python beside
//! it.
#![deny(unsafe_code)]

mod board;
mod engine;
mod errors;
mod info;
mod wait;
mod encoding;
mod records;
mod training;

use pyo3::prelude::*;
use std::ffi::OsString;

/// Does what a command line of `hippolyta` says, and returns the exit code. The first argument is the program's name. It may end the process.
#[pyfunction]
fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| hippolyta::commands::run(arguments))
}

#[pymodule]
fn _hippolyta(module: &Bound<'_, PyModule>) -> PyResult<()> {
    errors::add_to(module)?;
    module.add_class::<board::Board>()?;
    module.add_class::<board::LegalMoves>()?;
    module.add_class::<engine::Searcher>()?;
    module.add_class::<engine::Search>()?;
    module.add_function(wrap_pyfunction!(board::variants, module)?)?;
    module.add_class::<encoding::Encoding>()?;
    module.add_class::<encoding::State>()?;
    module.add_class::<records::DataFiles>()?;
    module.add_class::<records::Batches>()?;
    module.add_function(wrap_pyfunction!(training::selfplay, module)?)?;
    module.add_function(wrap_pyfunction!(training::merge_files, module)?)?;
    module.add_function(wrap_pyfunction!(training::fit_weights, module)?)?;
    module.add_function(wrap_pyfunction!(training::check_weights, module)?)?;
    module.add_function(wrap_pyfunction!(training::calibrate_weights, module)?)?;
    module.add_function(wrap_pyfunction!(training::play_match, module)?)?;
    module.add_function(wrap_pyfunction!(training::solve_position, module)?)?;
    module.add_function(wrap_pyfunction!(training::learn_folder, module)?)?;
    module.add_function(wrap_pyfunction!(run_command, module)?)
}
