//! The binary: a command line around the library.
#![forbid(unsafe_code)]

mod commands;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match commands::Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hippolyta: {error:#}");
            ExitCode::FAILURE
        }
    }
}
