//! The dialogue with GUIs, referees and scripts: UCI with Fairy-Stockfish's conventions for variants, and UGI. Knows nothing of
//! how the search works inside. `protocol.md` is the reference for users; in short:
//!
//! | module | its one idea |
//! | --- | --- |
//! | `session` | the state between two lines, and what each command does |
//! | `engine` | one game with its search, behind a `dyn` handle |
//! | `go` | the words of `go` |
//! | `options` | all options, declared once |
//! | `info` | scores and info lines as text |
//! | `bench` | the fixed searches whose node count is the build's signature |
//! | `output` | whole lines to one writer from several threads |
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

pub mod bench;
mod engine;
mod go;
mod info;
mod options;
mod output;
mod session;

pub use engine::{Engine, Found, Order, PositionError, engine_for};
pub use go::{Dialect, Go, GoError};
pub use options::{Kind, OPTIONS, Spec};
pub use output::Output;
pub use session::Session;

use std::io::{self, BufRead};

/// Longest line that is read; more is thrown away up to its end.
const LONGEST_LINE: usize = 1 << 22;

/// Serves one client until `quit` or the end of its input.
pub fn serve(mut input: impl BufRead, output: Output) -> io::Result<()> {
    let mut session = Session::new(output.clone());
    let mut line = Vec::new();
    loop {
        match read_line(&mut input, &mut line)? {
            Read::End => break,
            Read::TooLong => output.error(&format!("a line of more than {LONGEST_LINE} bytes was ignored")),
            Read::Line => {
                if !session.obey(&String::from_utf8_lossy(&line)) {
                    break;
                }
            }
        }
    }
    session.end();
    Ok(())
}

enum Read {
    Line,
    TooLong,
    End,
}

/// Reads up to and without the next line feed, in bounded memory.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Read> {
    line.clear();
    let mut too_long = false;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok(match (too_long, line.is_empty()) {
                (true, _) => Read::TooLong,
                (false, true) => Read::End,
                (false, false) => Read::Line,
            });
        }
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = available.split_at(end.unwrap_or(available.len())).0;
        if line.len() + part.len() > LONGEST_LINE {
            too_long = true;
        } else {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(if too_long { Read::TooLong } else { Read::Line });
        }
    }
}
