//! Hippolyta as a Python package: the module `hippolyta._hippolyta`. What people import is `hippolyta`, in Python beside
//! it.
#![deny(unsafe_code)]

mod arrays;
mod board;
mod boards;
mod class;
mod encoding;
mod engine;
mod errors;
mod forks;
mod games;
mod info;
mod net;
mod numbers;
mod options;
mod pictures;
mod policy;
mod records;
mod review;
mod rules;
mod settings;
mod training;
mod wait;
mod writer;

use pyo3::prelude::*;
use std::ffi::OsString;

/// Does what a command line of `hippolyta` says, and returns the exit code. The first argument is the program's name.
/// It may end the process.
#[pyfunction]
fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| hippolyta_app::run(arguments))
}

#[pymodule]
fn _hippolyta(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::add_to(module)?;
    numbers::add_to(module)?;
    forks::add_to(module)?;
    module.add_class::<board::Board>()?;
    module.add_class::<board::LegalMoves>()?;
    module.add_class::<engine::Searcher>()?;
    module.add_class::<engine::Search>()?;
    module.add_function(wrap_pyfunction!(engine::ends, module)?)?;
    module.add_function(wrap_pyfunction!(engine::is_unlimited, module)?)?;
    module.add_function(wrap_pyfunction!(board::variants, module)?)?;
    module.add_function(wrap_pyfunction!(board::turn_squares, module)?)?;
    encoding::add_to(module)?;
    pictures::add_to(module)?;
    records::add_to(module)?;
    review::add_to(module)?;
    rules::add_to(module)?;
    settings::add_to(module)?;
    writer::add_to(module)?;
    net::add_to(module)?;
    games::add_to(module)?;
    training::add_to(module)?;
    module.add_function(wrap_pyfunction!(run_command, module)?)
}
