//! The Go Text Protocol, version 2, for GoGui and other programs that speak it: [`serve_gtp`] serves one client. A turn
//! is played square by square, because a play of GTP is one vertex. `docs/protocols/gtp.md` is the reference for users;
//! in short:
//!
//! | module | its one idea |
//! | --- | --- |
//! | `session` | the table of commands, and what each does |
//! | `game` | a game whose turns are played square by square |
//! | `engine` | the engine and its searches |
//! | `settings` | the parameters that GoGui shows in a dialog |
//! | `clock` | GTP's time control as the engine's clocks |
//! | `show` | positions and analyses as text and as GoGui's graphics |
//! | `line`, `vertex` | lines and squares as GTP writes them |
//! | `arrivals` | which lines have come, and what they stop |

mod arrivals;
mod clock;
mod engine;
mod game;
mod line;
mod session;
mod settings;
mod show;
mod vertex;

use super::lines::{Read, Room, Waiting, read_line};
use super::{LONGEST_LINE, Output};
use arrivals::Arrivals;
use hippolyta::engine::{Board, Model, Settings};
use hippolyta::files::UTF_16;
use hippolyta::games::variant;
use session::Session;
pub use session::{COMMANDS, Command};
use std::io::{self, BufRead};
use std::sync::{Arc, mpsc};
use web_time::Instant;

/// Options with which a GTP session begins.
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
    /// The rating to play at, within [`ELO_RANGE`](hippolyta::engine::ELO_RANGE); `None` for full strength.
    pub elo: Option<u32>,
    /// Whether it may resign: see [`Resignation`](hippolyta::engine::Resignation).
    pub resign: bool,
}

impl Default for Options {
    fn default() -> Self {
        let (start, model, settings) = (Board::new(variant::DEFAULT), Model::default(), Settings::default());
        Self { start, model, settings, seconds: 5.0, nodes: None, elo: None, resign: true }
    }
}

/// A line that waits.
struct Line {
    number: u64,
    came: Instant,
    /// The line, or its fault if it cannot be read.
    text: Result<String, String>,
    _room: Room,
}

/// Serves one client until `quit`, the end of its input, or the loss of its output. Blocks as long.
///
/// Lines are read on a thread of their own, so that an interruption is heard during a search.
///
/// # Errors
///
/// If `input` cannot be read, or no thread can be started.
pub fn serve_gtp(input: impl BufRead + Send + 'static, output: &Output, options: Options) -> io::Result<()> {
    let arrivals = Arc::new(Arrivals::default());
    let mut session = Session::new(output.clone(), arrivals.clone(), options);
    let (sender, lines) = mpsc::channel();
    std::thread::Builder::new().name("input".to_owned()).spawn(move || read_lines(input, &arrivals, &sender))?;
    while !output.is_lost() {
        let Ok(line) = lines.recv() else { break };
        let Line { number, came, text, _room } = line?;
        match text {
            Ok(text) if !session.obey(&text, number, came) => break,
            Ok(_) => {}
            Err(wrong) => session.refuse("", &wrong),
        }
    }
    Ok(())
}

/// Sends every line, up to the end of the input or an error, and stops what a line ends.
fn read_lines(mut input: impl BufRead, arrivals: &Arrivals, lines: &mpsc::Sender<io::Result<Line>>) {
    let (mut bytes, waiting) = (Vec::new(), Waiting::default());
    loop {
        let text = match read_line(&mut input, &mut bytes, LONGEST_LINE) {
            Ok(Read::Line) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
            Ok(Read::TooLong) => Err(format!("a line of more than {LONGEST_LINE} bytes")),
            Ok(Read::Utf16) => Err(UTF_16.to_owned()),
            Ok(Read::End) => {
                arrivals.note(false);
                break;
            }
            Err(error) => {
                arrivals.note(false);
                let _ = lines.send(Err(error));
                break;
            }
        };
        let number = arrivals.note(text.as_deref().is_ok_and(line::is_interrupt));
        let came = Instant::now();
        let room = waiting.room(text.as_ref().map_or(0, String::len));
        if lines.send(Ok(Line { number, came, text, _room: room })).is_err() {
            break;
        }
    }
}
