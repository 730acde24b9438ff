//! Ctrl-C and SIGTERM: while the engine thinks on a terminal, Ctrl-C makes it play at once; else they end the process
//! with a word about the game.

use crate::signals;
use anyhow::Result;
use hippolyta::engine::Control;
use signal_hook::consts::SIGINT;
#[cfg(unix)]
use std::io::{IsTerminal, stdin};
use std::io::{Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often to look for a signal.
const LOOK: Duration = Duration::from_millis(20);
/// A Ctrl-C that comes so soon after the engine's turn was meant for its thinking.
const LATE: Duration = Duration::from_millis(300);

#[derive(Default)]
struct State {
    thinking: Option<Arc<Control>>,
    /// When the last search ended.
    ended: Option<Instant>,
    /// Lines to say of the game at the end.
    farewell: Vec<String>,
}

/// Shared with the thread that looks for signals.
#[derive(Clone)]
pub(super) struct Watch {
    state: Arc<Mutex<State>>,
    /// Whether Ctrl-C has stopped a search that nobody has asked about yet.
    interrupted: Arc<AtomicBool>,
}

impl Watch {
    /// Catches signals from now on. Only where a person types, Ctrl-C stops the engine instead of the process.
    pub fn start(is_interactive: bool) -> Result<Self> {
        let watch = Self { state: Arc::default(), interrupted: Arc::default() };
        let signalled = Arc::default();
        signals::catch(&signalled)?;
        let terminal = Terminal::now();
        let watching = watch.clone();
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            loop {
                std::thread::sleep(LOOK);
                if !signalled.swap(false, Ordering::SeqCst) {
                    continue;
                }
                let signal = signals::caught().unwrap_or(SIGINT);
                let state = watching.lock();
                if is_interactive && signal == SIGINT {
                    if let Some(control) = &state.thinking {
                        watching.interrupted.store(true, Ordering::SeqCst);
                        control.stop();
                        continue;
                    }
                    if state.ended.is_some_and(|ended| ended.elapsed() < LATE) {
                        continue;
                    }
                }
                terminal.restore();
                say(&state.farewell, is_interactive);
                std::process::exit(128 + signal);
            }
        })?;
        Ok(watch)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A search begins, which `control` can stop.
    pub fn begin(&self, control: &Arc<Control>) {
        self.interrupted.store(false, Ordering::SeqCst);
        self.lock().thinking = Some(control.clone());
    }

    /// It is over. Whether Ctrl-C ended it.
    pub fn end(&self) -> bool {
        let mut state = self.lock();
        state.thinking = None;
        state.ended = Some(Instant::now());
        drop(state);
        self.interrupted.swap(false, Ordering::SeqCst)
    }

    /// Sets the lines to say of the game if the process ends now.
    pub fn set_farewell(&self, lines: Vec<String>) {
        self.lock().farewell = lines;
    }

    /// Says it.
    pub fn say_farewell(&self) {
        say(&self.lock().farewell, false);
    }
}

/// Standard error may be gone: then nobody is told.
fn say(lines: &[String], after_prompt: bool) {
    let mut text = if after_prompt { "\n".to_owned() } else { String::new() };
    lines.iter().for_each(|line| text += &format!("{line}\n"));
    let _ = stderr().write_all(text.as_bytes());
}

/// The terminal's modes: a line editor changes them while it reads.
#[cfg(unix)]
struct Terminal(Option<rustix::termios::Termios>);

#[cfg(unix)]
impl Terminal {
    fn now() -> Self {
        Self(if stdin().is_terminal() { rustix::termios::tcgetattr(stdin()).ok() } else { None })
    }

    fn restore(&self) {
        if let Some(modes) = &self.0 {
            let _ = rustix::termios::tcsetattr(stdin(), rustix::termios::OptionalActions::Now, modes);
        }
    }
}

/// Consoles of other systems are restored when the process ends.
#[cfg(not(unix))]
struct Terminal;

#[cfg(not(unix))]
impl Terminal {
    fn now() -> Self {
        Self
    }

    fn restore(&self) {}
}
