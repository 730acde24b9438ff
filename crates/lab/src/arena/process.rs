//! An engine's process. Nothing it does can block the referee, and no process that it started outlives it.

use super::spec::EngineSpec;
use hippolyta_protocol::{Read, read_line};
use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Longest line that is kept, in bytes; a longer one is discarded.
const LONGEST_LINE: usize = 32 << 10;
/// Lines that may wait to be read; then the engine waits.
pub(super) const MOST_WAITING: usize = 512;
/// How long an engine may take to end after `quit`.
const FAREWELL: Duration = Duration::from_millis(500);
/// How often a waiting thread checks whether the match was stopped.
pub(super) const GLANCE: Duration = Duration::from_millis(50);

/// A line and when it came.
pub(super) type Line = (Instant, String);

/// Why nothing came from an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Lost {
    /// Its output has ended.
    #[error("it has ended")]
    Ended,
    /// An answer takes too long, or it does not read.
    #[error("it does not answer")]
    Silent,
    /// The match was stopped meanwhile.
    #[error("the match was stopped")]
    Stopped,
}

/// Waits for what comes before `deadline`, or until `stop` is set.
pub(super) fn receive<T>(from: &Receiver<T>, deadline: Instant, stop: &AtomicBool) -> Result<T, Lost> {
    loop {
        if stop.load(Ordering::Relaxed) {
            return Err(Lost::Stopped);
        }
        let left = deadline.saturating_duration_since(Instant::now());
        match from.recv_timeout(left.min(GLANCE)) {
            Ok(received) => return Ok(received),
            Err(RecvTimeoutError::Timeout) if left <= GLANCE => return Err(Lost::Silent),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(Lost::Ended),
        }
    }
}

/// A running engine.
pub(super) struct Process {
    child: Child,
    /// To the thread that writes, as writing blocks if the engine does not read. Or why nothing more is written.
    input: Result<SyncSender<String>, Lost>,
    /// When writing of each line began, once it is written.
    written: Receiver<Instant>,
}

impl Process {
    /// Starts an engine. Its lines come from the receiver.
    pub fn start(spec: &EngineSpec) -> io::Result<(Self, Receiver<Line>)> {
        let mut command = Command::new(&spec.command);
        command.args(&spec.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        system::prepare(&mut command);
        let (sender, lines) = sync_channel(MOST_WAITING);
        let (start, started) = channel();
        // The thread that reads also starts it: on Linux an engine is killed when the thread that started it ends.
        thread::Builder::new().name("engine".to_owned()).spawn(move || {
            let mut child = command.spawn();
            let output = child.as_mut().ok().and_then(|child| child.stdout.take());
            if start.send(child).is_ok()
                && let Some(output) = output
            {
                read_lines(output, &sender);
            }
        })?;
        let mut child = started.recv().map_err(io::Error::other)??;
        let (input, to_write) = sync_channel(1);
        let (sender, written) = sync_channel(1);
        let stdin = child.stdin.take();
        let process = Self { child, input: Ok(input), written };
        if let Some(stdin) = stdin {
            let writer = thread::Builder::new().name("engine input".to_owned());
            if let Err(error) = writer.spawn(move || write_lines(stdin, &to_write, &sender)) {
                process.end(&lines);
                return Err(error);
            }
        }
        Ok((process, lines))
    }

    /// Sends a line to the engine; returns when writing began.
    ///
    /// # Errors
    ///
    /// If the engine has ended or does not take the line before `deadline`, or `stop` is set. After that, nothing more
    /// can be sent.
    pub fn send(&mut self, line: &str, deadline: Instant, stop: &AtomicBool) -> Result<Instant, Lost> {
        let input = self.input.as_ref().map_err(|&lost| lost)?;
        let sent = input.send(format!("{line}\n")).map_err(|_| Lost::Ended);
        let begun = sent.and_then(|()| receive(&self.written, deadline, stop));
        if let Err(lost) = begun {
            self.input = Err(lost);
        }
        begun
    }

    /// Ends the engine: by `quit` if it obeys, else by force. The processes that it started end with it. Takes half a
    /// second at most.
    pub fn end(mut self, lines: &Receiver<Line>) {
        if let Ok(input) = self.input {
            let _ = input.try_send("stop\nquit\n".to_owned());
        }
        let deadline = Instant::now() + FAREWELL;
        while !system::has_ended(&mut self.child) && Instant::now() < deadline {
            // It may have something to say first.
            let pause = Duration::from_millis(2);
            if lines.recv_timeout(pause) == Err(RecvTimeoutError::Disconnected) {
                thread::sleep(pause);
            }
        }
        system::kill(&mut self.child);
        let _ = self.child.wait();
    }
}

/// Passes on every line that is not too long.
fn read_lines(output: ChildStdout, lines: &SyncSender<Line>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    while let Ok(read) = read_line(&mut output, &mut line, LONGEST_LINE) {
        let text = match read {
            Read::Line => String::from_utf8_lossy(&line).trim_end().to_owned(),
            Read::TooLong | Read::Utf16 => continue,
            Read::End => break,
        };
        if lines.send((Instant::now(), text)).is_err() {
            break;
        }
    }
}

fn write_lines(mut input: ChildStdin, lines: &Receiver<String>, written: &SyncSender<Instant>) {
    for line in lines {
        let begun = Instant::now();
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() || written.send(begun).is_err() {
            break;
        }
    }
}

/// Each engine has a process group of its own: Ctrl-C reaches the referee alone, and what an engine starts is ended
/// with it.
#[cfg(unix)]
mod system {
    use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command};

    pub fn prepare(command: &mut Command) {
        command.process_group(0);
        #[cfg(target_os = "linux")]
        die_with_referee(command);
    }

    /// Has the system kill the engine when the referee is killed: an engine may overlook that its input has ended.
    #[cfg(target_os = "linux")]
    #[allow(unsafe_code)]
    fn die_with_referee(command: &mut Command) {
        use rustix::process::{getpid, getppid, set_parent_process_death_signal};
        let referee = getpid();
        let ask = move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // It may have died before that.
            if getppid() == Some(referee) { Ok(()) } else { Err(rustix::io::Errno::SRCH.into()) }
        };
        // SAFETY: the closure only makes system calls and neither allocates nor takes a lock, so it may run between
        // fork and exec.
        unsafe { command.pre_exec(ask) };
    }

    /// Does not reap the process, so its number is not used again.
    pub fn has_ended(child: &mut Child) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
    }

    pub fn kill(child: &mut Child) {
        let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
        // It may have left the group.
        let _ = child.kill();
    }
}

#[cfg(not(unix))]
mod system {
    use std::process::{Child, Command};

    pub fn prepare(command: &mut Command) {
        #[cfg(windows)]
        {
            use std::os::windows::process::CommandExt;
            const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
            command.creation_flags(CREATE_NEW_PROCESS_GROUP);
        }
        #[cfg(not(windows))]
        let _ = command;
    }

    pub fn has_ended(child: &mut Child) -> bool {
        matches!(child.try_wait(), Ok(Some(_)))
    }

    pub fn kill(child: &mut Child) {
        let _ = child.kill();
    }
}
