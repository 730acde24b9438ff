//! Work that others do: the conversation of a command with whoever spreads its tasks over machines, as
//! `hippolyta.cluster` does. The command owns the run and its folder; a task is a line of JSON on its standard output,
//! and what became of it a line on its standard input.
//!
//! | line | from | says |
//! | --- | --- | --- |
//! | `{"want":8}` | them | the number of tasks that may be out at a time, from now on |
//! | `{"task":3,"name":"game 4","cores":1,"order":{…}}` | us | a task; its order goes to `--task` on any machine |
//! | `{"done":3,"result":{…},"worker":"b"}` | them | what that has printed, and, if they tell, on which machine |
//! | `{"count":{"what":"…","units":"games","done":5,"total":400}}` | us | how far the run is |
//! | `{"say":"…"}` | us | a line for people, which the command by itself would print |
//!
//! Orders and results name the version of the program, in `program`; those of another version are refused. The command
//! checks what comes back. A result that cannot be right is refused with a line on standard error, and its task handed
//! out again, a few times at most; so is a line that says nothing of these, or one about a task that is not out.
//!
//! The end of its input stops the command, as a signal does; if the run is not over then, that is an error. It ends by
//! itself when the run is over; tasks that are out then are of no use to anybody.

use super::{complain, output, signals};
use anyhow::{Context, Error, Result};
use hippolyta::files;
use hippolyta::json::{of_value, read};
use hippolyta_protocol::{Read, read_line};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{Read as _, stdin};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Bytes of a line from those who do the tasks.
const LONGEST_LINE: usize = 64 << 20;
/// Exit code of a task that may succeed later, as in sysexits.h.
pub(super) const TRY_AGAIN: i32 = 75;
/// How often a stop is looked for.
const LOOK: Duration = Duration::from_millis(50);
/// How often it is told how far the run is.
const COUNT: Duration = Duration::from_millis(500);

/// A task.
pub(super) struct Task<T> {
    /// The name for people.
    pub name: String,
    /// The cores that it keeps busy.
    pub cores: u16,
    /// The work, as it is sent to whoever does it.
    pub order: T,
}

/// How far a run is.
#[derive(PartialEq, Serialize)]
pub(super) struct Count {
    pub what: String,
    pub units: &'static str,
    pub done: u64,
    /// 0 if nobody knows.
    pub total: u64,
}

/// A run whose tasks others do.
pub(super) trait Owner {
    type Order: Serialize;
    /// The result of a task.
    type Found: DeserializeOwned;

    /// The next task; `None` if there is none now.
    fn next(&mut self) -> Result<Option<Task<Self::Order>>>;

    /// Takes the result of a task from a worker, whose name is empty if nobody tells, or why it cannot be understood.
    /// Returns why it is refused, if it is: then the task is to be done again.
    fn done(&mut self, order: Self::Order, found: Result<Self::Found, String>, worker: &str) -> Result<Option<String>>;

    /// Does for a moment what is left to the command itself; whether there was anything.
    fn work(&mut self) -> Result<bool> {
        Ok(false)
    }

    fn is_over(&self) -> bool;

    fn count(&self) -> Count;
}

/// A line from those who do the tasks.
enum Line {
    Want(usize),
    Done { task: u64, result: Value, worker: String },
}

impl Line {
    fn read(bytes: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Fields {
            want: Option<usize>,
            done: Option<u64>,
            result: Option<Value>,
            #[serde(default)]
            worker: String,
        }
        match read(bytes) {
            Ok(Fields { want: Some(want), done: None, result: None, .. }) => Ok(Self::Want(want)),
            Ok(Fields { want: None, done: Some(task), result: Some(result), worker }) => {
                Ok(Self::Done { task, result, worker })
            }
            _ => Err(r#"neither {"want":N} nor {"done":N,"result":{…}}; it is passed over"#.to_owned()),
        }
    }
}

/// The field of orders and results that names the version of the program.
const PROGRAM: &str = "program";
const VERSION: &str = concat!("hippolyta ", env!("CARGO_PKG_VERSION"));

/// An order or a result with the version of this program.
fn signed(what: &impl Serialize) -> Result<Value> {
    let mut signed = serde_json::to_value(what)?;
    signed[PROGRAM] = VERSION.into();
    Ok(signed)
}

/// What [`signed`] has signed. An error if another version has, or nobody.
fn of_this_version<T: DeserializeOwned>(mut signed: Value) -> Result<T, String> {
    match signed.as_object_mut().and_then(|fields| fields.remove(PROGRAM)) {
        Some(Value::String(version)) if version == VERSION => of_value(signed),
        Some(Value::String(version)) => Err(format!("it is of {version}, and this is {VERSION}")),
        _ => Err(format!("it does not name the version of its program; this is {VERSION}")),
    }
}

/// Says a line for people.
pub(super) fn say(text: &str) {
    output().line(&json!({ "say": text }).to_string());
}

/// Those who do the tasks of a command, of one part after the other.
pub(super) struct Others {
    lines: Receiver<Result<Line, String>>,
    want: usize,
    /// That of the next task.
    number: u64,
}

impl Others {
    /// Begins to hear them: they are on standard input.
    pub fn listen() -> Result<Self> {
        Ok(Self { lines: lines()?, want: 0, number: 0 })
    }

    /// Hands out tasks until the run, or this part of it, is over. `false` if it is `stopped` before that, or standard
    /// input ends.
    pub fn hand_out<O: Owner>(&mut self, owner: &mut O, stopped: &dyn Fn() -> bool) -> Result<bool> {
        let mut orders = HashMap::new();
        let mut counted: Option<(Instant, Count)> = None;
        while !stopped() {
            while orders.len() < self.want
                && let Some(Task { name, cores, order }) = owner.next()?
            {
                let (number, signed) = (self.number, signed(&order)?);
                output().line(&json!({"task": number, "name": name, "cores": cores, "order": signed}).to_string());
                orders.insert(number, (name, order));
                self.number += 1;
            }
            let has_worked = owner.work()?;
            if owner.is_over() {
                return Ok(true);
            }
            if counted.as_ref().is_none_or(|(when, _)| when.elapsed() > COUNT) {
                let count = owner.count();
                if counted.as_ref().is_none_or(|(_, before)| *before != count) {
                    output().line(&json!({ "count": &count }).to_string());
                }
                counted = Some((Instant::now(), count));
            }
            match self.lines.recv_timeout(if has_worked { Duration::ZERO } else { LOOK }) {
                Ok(Ok(Line::Want(number))) => self.want = number,
                Ok(Ok(Line::Done { task, result, worker })) => match orders.remove(&task) {
                    Some((name, order)) => {
                        if let Some(why) = owner.done(order, of_this_version(result), &worker)? {
                            complain(&format!("task {task} ({name}) is refused: {why}"));
                        }
                    }
                    None => complain(&format!("standard input: task {task} is not out; its result is passed over")),
                },
                Ok(Err(what)) => complain(&what),
                Err(RecvTimeoutError::Timeout) => {}
                // Nobody is left to do the rest.
                Err(RecvTimeoutError::Disconnected) => return Ok(false),
            }
        }
        Ok(false)
    }
}

/// The lines on standard input, read by a thread of its own, or what is wrong with one.
fn lines() -> Result<Receiver<Result<Line, String>>> {
    let (sender, receiver) = channel();
    std::thread::Builder::new().name("reader".to_owned()).spawn(move || {
        let mut text = Vec::new();
        for number in 1.. {
            let found = read_line(&mut stdin().lock(), &mut text, LONGEST_LINE);
            let is_broken = found.is_err();
            let line = match found {
                Ok(Read::End) => return,
                Ok(Read::Line) => Line::read(&text),
                Ok(Read::Utf16) => Err(files::UTF_16.to_owned()),
                Ok(Read::TooLong) => Err(format!("more than {LONGEST_LINE} bytes")),
                Err(error) => Err(error.to_string()),
            };
            let line = line.map_err(|what| format!("standard input, line {number}: {what}"));
            if sender.send(line).is_err() || is_broken {
                return;
            }
        }
    })?;
    Ok(receiver)
}

/// Does the task on standard input, and prints what it has found out. `work` says of an error whether it may pass.
/// Ctrl-C and SIGTERM break it off: it is to be tried again.
pub(super) fn task<T: DeserializeOwned, F: Serialize, E: Into<anyhow::Error>>(
    work: impl FnOnce(T, &Arc<AtomicBool>) -> Result<F, (E, bool)>,
) -> Result<()> {
    let stop: Arc<AtomicBool> = Arc::default();
    signals::catch(&stop)?;
    let mut text = Vec::new();
    stdin().read_to_end(&mut text).context("standard input")?;
    let order = read(&text).and_then(of_this_version);
    let order = order.map_err(|what| Error::msg(format!("standard input: no task of this version: {what}")))?;
    match work(order, &stop) {
        Ok(found) => output().line(&signed(&found)?.to_string()),
        Err((error, may_pass)) if may_pass => {
            complain(&format!("{:#}", error.into()));
            std::process::exit(TRY_AGAIN);
        }
        Err((error, _)) => return Err(error.into()),
    }
    Ok(())
}
