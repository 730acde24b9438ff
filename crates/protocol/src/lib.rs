//! What the engine `hippolyta` says to GUIs, referees, scripts and people, and what it reads of theirs: UCI with
//! Fairy-Stockfish's conventions for variants, UGI, GTP, JSON lines, game records, reviews, pictures. Knows nothing of
//! how the search works inside. `protocol.md` is the reference for users; in short:
//!
//! | module | its one idea |
//! | --- | --- |
//! | [`pictures`] | boards as SVG, and what HTML pages need around them |
//! | [`records`] | games in PGN, SGF and JSON lines |
//! | [`review`] | how well a game was played, as text and as a page |
//! | `session` | one dialogue: the state between two lines, and what each command does |
//! | `go` | the words of `go` |
//! | `options` | all options, declared once |
//! | `info` | scores, analyses and boards as text |
//! | [`endings`] | endgame tables of Damone in the user's folder for caches |
//! | `bench` | [`bench`](mod@hippolyta::engine::bench) as text |
//! | `output`, `lines` | whole lines to one writer from several threads; lines of bounded length from a reader |
//! | [`analysis`] | many positions at once, as JSON lines |
//! | [`gtp`] | the Go Text Protocol, for GoGui |
//!
//! [`records`] and the protocols are the library; [`pictures`] and [`review`] are public for the program, and may change
//! with any minor version. Features are those of `hippolyta`; with `embedded` encodings are in the program, too
//! ([`records::set_decoder`]).
#![deny(unsafe_code)]
#![warn(missing_docs)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

pub mod analysis;
pub mod bench;
pub mod endings;
mod go;
pub mod gtp;
mod info;
mod lines;
mod options;
mod output;
#[allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]
pub mod pictures;
#[allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]
pub mod records;
#[allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]
pub mod review;
mod session;

pub use go::{Dialect, Go};
pub use info::{Style, Teller};
pub use options::{Change, Kind, OPTIONS, Spec};
pub use output::Output;
pub use session::{NetLoader, Session, StopHandle};

use hippolyta::engine::Model;
use hippolyta::files::UTF_16;
#[doc(hidden)]
pub use lines::{Read, read_line};
use lines::{Room, Waiting};
use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use web_time::Instant;

/// Longest line that is read, in bytes; a longer one is discarded.
const LONGEST_LINE: usize = 1 << 22;

/// How often to check whether the work that the next line waits for is finished.
const LOOK: Duration = Duration::from_millis(5);

/// A line that waits.
struct Line {
    came: Instant,
    text: String,
    /// Whether a `stop` came after it, which also ends what it starts.
    is_stopped: bool,
    _room: Room,
}

/// Serves one client until `quit`, the end of its input, or the loss of its output.
///
/// Lines are read on a thread of their own, so that `stop` and `isready` are heard while others wait for a count or a
/// bench to finish. All others are obeyed in their order: a `ponderhit` is for the `go` before it, which may itself
/// wait.
///
/// # Errors
///
/// If `input` cannot be read, or no thread can be started.
pub fn serve(input: impl BufRead + Send + 'static, output: Output, model: Model) -> io::Result<()> {
    serve_session(input, Session::new(output.clone(), model), output)
}

/// [`serve`] with a session of one's own, which writes to `output`.
///
/// # Errors
///
/// If `input` cannot be read, or no thread can be started.
pub fn serve_session(input: impl BufRead + Send + 'static, mut session: Session, output: Output) -> io::Result<()> {
    // Waiting lines are bounded by their bytes, not by their number: a `stop` is heard only if all before it are read.
    let (sender, lines) = mpsc::channel();
    std::thread::Builder::new().name("input".to_owned()).spawn({
        let (output, stop_handle) = (output.clone(), session.stop_handle());
        move || read_lines(input, &output, &stop_handle, &sender)
    })?;
    let mut waiting: VecDeque<io::Result<Line>> = VecDeque::new();
    while !output.is_lost() {
        let line = if session.is_busy() {
            match lines.recv_timeout(LOOK) {
                Ok(Ok(line)) if Session::is_urgent(&line.text) => {
                    if Session::is_stop(&line.text) {
                        waiting.iter_mut().flatten().for_each(|line| line.is_stopped = true);
                    }
                    line
                }
                Ok(line) => {
                    waiting.push_back(line);
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => {
                    session.settle(false);
                    continue;
                }
            }
        } else if let Some(line) = waiting.pop_front() {
            // It could not be obeyed before.
            Line { came: Instant::now(), ..line? }
        } else {
            match lines.recv() {
                Ok(line) => line?,
                Err(mpsc::RecvError) => break,
            }
        };
        if !session.obey_at(&line.text, line.came) {
            break;
        }
        if line.is_stopped {
            session.settle(true);
        }
    }
    session.end();
    Ok(())
}

/// Sends every line, up to the end of the input or an error. A `stop` takes effect at once, before its turn to be
/// obeyed.
fn read_lines(
    mut input: impl BufRead,
    output: &Output,
    stop_handle: &StopHandle,
    lines: &mpsc::Sender<io::Result<Line>>,
) {
    let (mut bytes, waiting) = (Vec::new(), Waiting::default());
    loop {
        let sent = match read_line(&mut input, &mut bytes, LONGEST_LINE) {
            Ok(Read::End) => break,
            Ok(Read::TooLong) => {
                output.error(&format!("a line of more than {LONGEST_LINE} bytes was ignored"));
                Ok(())
            }
            Ok(Read::Utf16) => {
                output.error(UTF_16);
                Ok(())
            }
            Ok(Read::Line) => {
                let (came, text) = (Instant::now(), String::from_utf8_lossy(&bytes).into_owned());
                if Session::is_stop(&text) {
                    stop_handle.stop();
                }
                lines.send(Ok(Line { came, text, is_stopped: false, _room: waiting.room(bytes.len()) }))
            }
            Err(error) => {
                let _ = lines.send(Err(error));
                break;
            }
        };
        if sent.is_err() {
            break;
        }
    }
}
