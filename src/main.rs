//! The binary: the command line of the library.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(hippolyta::commands::run(std::env::args_os()))
}
