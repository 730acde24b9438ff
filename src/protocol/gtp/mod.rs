//! The Go Text Protocol, version 2, for GoGui and other programs that speak it: [`serve_gtp`] serves one client. A turn
//! is played square by square, because a play of GTP is one vertex. `protocol.md` is the reference for users; in short:
//!
//! | module | its one idea |
//! | --- | --- |
//! | `session` | the table of commands, and what each does |
//! | `game` | a game whose turns are played square by square |
//! | `mind` | the engine and its searches |
//! | `settings` | the parameters that GoGui shows in a dialog |
//! | `clock` | GTP's time control as the engine's clocks |
//! | `show` | positions and analyses as text and as GoGui's graphics |
//! | `line`, `vertex` | lines and squares as GTP writes them |
//! | `arrivals` | which lines have come, and what they stop |

mod arrivals;
mod clock;
mod game;
mod line;
mod mind;
mod session;
mod settings;
mod show;
mod vertex;

pub use session::{COMMANDS, Command};
#[cfg(feature = "cli")]
pub(crate) use vertex::of_turn as squares_of_turn;

use super::lines::{Read, read_line};
use super::{LONGEST_LINE, MOST_WAITING, Output};
use crate::engine::{Board, Model, Settings};
use crate::games::variant;
use arrivals::Arrivals;
use session::Session;
use std::io::{self, BufRead};
use std::sync::{Arc, mpsc};
use web_time::Instant;

/// What a GTP session begins with.
pub struct Options {
    /// The position in which games begin; it decides the rule set.
    pub start: Board,
    /// Who evaluates positions.
    pub model: Model,
    /// The settings of the search.
    pub settings: Settings,
    /// Seconds for a turn while no clock runs, above 0.
    pub seconds: f64,
    /// Most positions for a turn, from 1.
    pub nodes: Option<u64>,
    /// The rating to play at, within [`ELO_RANGE`](crate::engine::ELO_RANGE); `None` for full strength.
    pub elo: Option<u32>,
}

impl Default for Options {
    fn default() -> Self {
        let (start, model, settings) = (Board::new(variant::DEFAULT), Model::default(), Settings::default());
        Self { start, model, settings, seconds: 5.0, nodes: None, elo: None }
    }
}

/// A line with its number and when it came, and `None` in place of one that is too long.
type Line = (u64, Instant, Option<String>);

/// Serves one client until `quit`, the end of its input, or the loss of its output. Blocks as long.
///
/// Lines are read on a thread of their own, so that an interruption is heard during a search.
///
/// # Errors
///
/// What reading from `input` says, and if no thread can be started.
pub fn serve_gtp(input: impl BufRead + Send + 'static, output: &Output, options: Options) -> io::Result<()> {
    let arrivals = Arc::new(Arrivals::default());
    let mut session = Session::new(output.clone(), arrivals.clone(), options);
    let (sender, lines) = mpsc::sync_channel(MOST_WAITING);
    std::thread::Builder::new().name("input".to_owned()).spawn(move || read_lines(input, &arrivals, &sender))?;
    while !output.is_lost() {
        let Ok(line) = lines.recv() else { break };
        let (number, when, line) = line?;
        match line {
            Some(line) if !session.obey(&line, number, when) => break,
            Some(_) => {}
            None => session.refuse("", &format!("a line of more than {LONGEST_LINE} bytes")),
        }
    }
    Ok(())
}

/// Sends every line, up to the end of the input or an error, and stops what a line ends.
fn read_lines(mut input: impl BufRead, arrivals: &Arrivals, lines: &mpsc::SyncSender<io::Result<Line>>) {
    let mut line = Vec::new();
    loop {
        let read = read_line(&mut input, &mut line, LONGEST_LINE);
        let text = matches!(read, Ok(Read::Line)).then(|| String::from_utf8_lossy(&line).into_owned());
        let number = arrivals.note(text.as_deref().is_some_and(line::is_interrupt));
        let sent = match read {
            Ok(Read::End) => break,
            Ok(Read::Line | Read::TooLong) => lines.send(Ok((number, Instant::now(), text))),
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
