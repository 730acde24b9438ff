//! The binary: a command line around the library.
#![forbid(unsafe_code)]

mod commands;

use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    // By default the signal for a file that grows beyond `ulimit -f` ends the process. Caught, it leaves an error to
    // report.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    match commands::Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The disk may be too full for this as well.
            let _ = writeln!(std::io::stderr(), "hippolyta: {error:#}");
            ExitCode::FAILURE
        }
    }
}
