//! The dialogue with GUIs, referees and scripts: UCI with Fairy-Stockfish's conventions for variants, and UGI. Knows
//! nothing of how the search works inside. `protocol.md` is the reference for users; in short:
//!
//! | module | its one idea |
//! | --- | --- |
//! | `session` | one dialogue: the state between two lines, and what each command does |
//! | `go` | the words of `go` |
//! | `options` | all options, declared once |
//! | `info` | scores, analyses and boards as text |
//! | `bench` | [`bench`](mod@crate::engine::bench) as text |
//! | `output`, `lines` | whole lines to one writer from several threads; lines of bounded length from a reader |
//! | [`analysis`] | many positions at once, as JSON lines |
//! | [`gtp`] | the Go Text Protocol, for GoGui |
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

pub mod analysis;
pub mod bench;
mod go;
pub mod gtp;
mod info;
mod lines;
mod options;
mod output;
mod session;

pub use go::{Dialect, Go, GoError};
pub use info::{Style, Teller};
pub use options::{Kind, OPTIONS, Spec};
pub use output::Output;
pub use session::{Reins, Session};

use crate::engine::Model;
pub(crate) use lines::{Read, read_line};
use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;
use web_time::Instant;

/// Longest line that is read, in bytes; a longer one is discarded.
const LONGEST_LINE: usize = 1 << 22;

/// Lines that may wait to be obeyed. While as many wait, no more are read.
const MOST_WAITING: usize = 64;

/// How often to check whether the work that the next line waits for is finished.
const LOOK: Duration = Duration::from_millis(5);

/// A line, and when it came.
type Line = (Instant, String);

/// Serves one client until `quit`, the end of its input, or the loss of its output.
///
/// Lines are read on a thread of their own, so that `stop` and `isready` are heard while others wait for a count or a
/// bench to finish.
///
/// # Errors
///
/// What reading from `input` says, and if no thread can be started.
pub fn serve(input: impl BufRead + Send + 'static, output: Output, model: Model) -> io::Result<()> {
    let mut session = Session::new(output.clone(), model);
    let (sender, lines) = mpsc::sync_channel(MOST_WAITING);
    std::thread::Builder::new().name("input".to_owned()).spawn({
        let (output, reins) = (output.clone(), session.reins());
        move || read_lines(input, &output, &reins, &sender)
    })?;
    // Lines that wait, and whether a `stop` came after them: it also stops what they start.
    let mut waiting: VecDeque<(io::Result<Line>, bool)> = VecDeque::new();
    while !output.is_lost() {
        let mut stop = false;
        let next = if session.is_busy() {
            match lines.recv_timeout(LOOK) {
                Ok(Ok((when, line))) if Session::is_urgent(&line) => {
                    if Session::is_stop(&line) {
                        waiting.iter_mut().for_each(|(_, stopped)| *stopped = true);
                    }
                    Ok((when, line))
                }
                Ok(line) => {
                    waiting.push_back((line, false));
                    if waiting.len() >= MOST_WAITING {
                        session.settle(false);
                    }
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => {
                    session.settle(false);
                    continue;
                }
            }
        } else if let Some((line, stopped)) = waiting.pop_front() {
            stop = stopped;
            // It could not be obeyed before.
            line.map(|(_, line)| (Instant::now(), line))
        } else {
            match lines.recv() {
                Ok(line) => line,
                Err(mpsc::RecvError) => break,
            }
        };
        let (when, line) = next?;
        if !session.obey_at(&line, when) {
            break;
        }
        if stop {
            session.settle(true);
        }
    }
    session.end();
    Ok(())
}

/// Sends every line, up to the end of the input or an error. A `stop` takes effect at once, before its turn to be
/// obeyed.
fn read_lines(mut input: impl BufRead, output: &Output, reins: &Reins, lines: &mpsc::SyncSender<io::Result<Line>>) {
    let mut line = Vec::new();
    loop {
        let sent = match read_line(&mut input, &mut line, LONGEST_LINE) {
            Ok(Read::End) => break,
            Ok(Read::TooLong) => {
                output.error(&format!("a line of more than {LONGEST_LINE} bytes was ignored"));
                Ok(())
            }
            Ok(Read::Line) => {
                let line = (Instant::now(), String::from_utf8_lossy(&line).into_owned());
                if Session::is_stop(&line.1) {
                    reins.stop();
                }
                lines.send(Ok(line))
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
