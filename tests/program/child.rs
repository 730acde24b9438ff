//! The engine as a child process.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Generous: only a hang exceeds it, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

pub struct Engine {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    /// Starts the binary with no argument: the protocol loop.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts the binary with arguments.
    pub fn start_with(arguments: &[&str]) -> Self {
        Self::of(Command::new(env!("CARGO_BIN_EXE_hippolyta")).args(arguments))
    }

    /// Starts a program that serves a client.
    pub fn of(command: &mut Command) -> Self {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines() {
                if line.map(|line| sender.send(line)).is_err() {
                    break;
                }
            }
        });
        let input = process.stdin.take();
        Self { process, input, lines }
    }

    /// Started and through the UCI greeting.
    pub fn uci() -> Self {
        let mut engine = Self::start();
        engine.ask("uci", "uciok");
        engine
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// The next line; `None` at the end of the output.
    pub fn next(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the engine says nothing"),
        }
    }

    /// All lines up to and with the first that begins with `prefix`.
    pub fn until(&mut self, prefix: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.next().unwrap_or_else(|| panic!("the engine ended before '{prefix}': {lines:#?}"));
            let last = line.starts_with(prefix);
            lines.push(line);
            if last {
                return lines;
            }
        }
    }

    /// Sends a line and reads on until one begins with `prefix`.
    pub fn ask(&mut self, line: &str, prefix: &str) -> Vec<String> {
        self.send(line);
        self.until(prefix)
    }

    /// The answer to a line that has exactly one, checked by `isready`.
    pub fn one_answer(&mut self, line: &str) -> String {
        self.send(line);
        let lines = self.ask("isready", "readyok");
        assert_eq!(lines.len(), 2, "{line}: {lines:#?}");
        lines[0].clone()
    }

    /// Sends a line that must be obeyed without a word.
    pub fn quietly(&mut self, line: &str) {
        self.send(line);
        let lines = self.ask("isready", "readyok");
        assert_eq!(lines.len(), 1, "{line}: {lines:#?}");
    }

    /// Nothing may come for so long.
    pub fn silent_for(&mut self, time: Duration) {
        if let Ok(line) = self.lines.recv_timeout(time) {
            panic!("unexpected: {line}");
        }
    }

    /// The most memory that the process has had so far, in KiB, where the system tells.
    pub fn peak_memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the process's end and returns what else it printed.
    pub fn end(mut self) -> (Vec<String>, ExitStatus) {
        let mut rest = Vec::new();
        while let Some(line) = self.next() {
            rest.push(line);
        }
        (rest, ended(&mut self.process))
    }

    /// `quit`, and a clean end.
    pub fn quit(mut self) {
        self.send("quit");
        let (_, status) = self.end();
        assert!(status.success(), "{status}");
    }
}

/// Looks again and again until something is there; `None` if patience is over.
pub fn poll<T>(mut there: impl FnMut() -> Option<T>) -> Option<T> {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if let Some(found) = there() {
            return Some(found);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    None
}

/// Waits until something is there that a process makes; fails as soon as the process has ended without it.
pub fn until<T>(what: &str, process: &mut Child, mut there: impl FnMut() -> Option<T>) -> T {
    let found = poll(|| {
        // What it leaves at its end is there once it has ended.
        let status = process.try_wait().unwrap();
        let found = there();
        assert!(found.is_some() || status.is_none(), "the process has ended before its {what}: {status:?}");
        found
    });
    found.unwrap_or_else(|| {
        let _ = process.kill();
        panic!("no {what}")
    })
}

/// Waits for the end of a process.
pub fn ended(process: &mut Child) -> ExitStatus {
    poll(|| process.try_wait().unwrap()).unwrap_or_else(|| {
        let _ = process.kill();
        panic!("the process does not end")
    })
}

/// Runs a subcommand to its end: standard output, standard error, exit code.
pub fn command(arguments: &[&str]) -> (String, String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_hippolyta")).args(arguments).stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap_or(-1))
}

/// How often to kill at most: after that, the next process may run to its end.
const KILLS: usize = 5;

/// Starts a process again and again, and kills it each time it `has_advanced` since its start: given the `state` then
/// and now. Ends when one gets to its own end.
pub fn kill_until_done<T>(
    start: impl Fn() -> Child,
    state: impl Fn() -> T,
    has_advanced: impl Fn(&T, &T) -> bool,
    mut after_kill: impl FnMut(),
) {
    let deadline = Instant::now() + 2 * PATIENCE;
    for kills in 0.. {
        let (before, mut child) = (state(), start());
        while child.try_wait().unwrap().is_none() && (kills == KILLS || !has_advanced(&before, &state())) {
            assert!(Instant::now() < deadline, "killed {kills} times, and no end");
            std::thread::sleep(Duration::from_millis(1));
        }
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success());
            assert!(kills >= 2, "killed {kills} times");
            return;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        after_kill();
    }
}

/// Runs a command that goes on with `--resume`, and kills it each time its `partial` file has more lines.
pub fn kill_and_resume_until_done(words: &[&str], partial: &Path) {
    kill_until_done(
        || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_hippolyta"));
            command.args(words).args(["--threads=1", "--resume"]).stdout(Stdio::null()).spawn().unwrap()
        },
        || std::fs::read_to_string(partial).map_or(0, |text| text.lines().count()),
        |before, now| now > before,
        || (),
    );
}

/// The output of a command that succeeds without a word of error.
pub fn ok(words: &[&str]) -> String {
    let (output, errors, code) = command(words);
    assert_eq!((errors.as_str(), code), ("", 0), "{words:?}");
    output
}

/// A command that ends with exit code 1 and this message.
pub fn fails(words: &[&str], message: &str) {
    let (output, errors, code) = command(words);
    assert!(code == 1 && errors.contains(message), "{words:?}: {code} {output} {errors}");
}
