//! The program `hippolyta`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(hippolyta_app::run(std::env::args_os()))
}
