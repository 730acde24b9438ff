//! Work that others do: the conversation of a command with whoever spreads its tasks over machines, as
//! `hippolyta.cluster` does. The command owns the run and its folder; a task is a line of JSON on its standard output,
//! and what became of it a line on its standard input.
//!
//! | line | from | says |
//! | --- | --- | --- |
//! | `{"want":8}` | them | the number of tasks that may be out at a time, from now on |
//! | `{"task":3,"name":"game 4","cores":1,"order":{…}}` | us | a task; its order goes to `--task` on any machine |
//! | `{"done":3,"result":{…}}` | them | what that has printed |
//! | `{"count":{"what":"…","units":"games","done":5,"total":400}}` | us | how far the run is |
//! | `{"say":"…"}` | us | a line for people, which the command by itself would print |
//!
//! The end of its input stops the command, as a signal does. It ends by itself when the run is over; tasks that are out
//! then are of no use to anybody.

use super::{catch_signals, output};
use anyhow::{Context, Error, Result, bail};
use hippolyta::files;
use hippolyta::json::{of_value, read};
use hippolyta::protocol::{Read, read_line};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{Read as _, stdin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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

    /// Takes the result of a task.
    fn done(&mut self, order: Self::Order, found: Self::Found) -> Result<()>;

    fn is_over(&self) -> bool;

    fn count(&self) -> Count;
}

/// A line from those who do the tasks.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Line {
    Want { want: usize },
    Done { done: u64, result: Value },
}

/// Says a line for people.
pub(super) fn say(text: &str) {
    output().line(&json!({ "say": text }).to_string());
}

/// Hands out tasks until the run is over or `stop` is set.
pub(super) fn hand_out<O: Owner>(owner: &mut O, stop: &AtomicBool) -> Result<()> {
    let lines = lines()?;
    let (mut want, mut number, mut orders) = (0, 0, HashMap::new());
    let mut counted: Option<(Instant, Count)> = None;
    while !stop.load(Ordering::Relaxed) {
        while orders.len() < want
            && let Some(Task { name, cores, order }) = owner.next()?
        {
            output().line(&json!({"task": number, "name": name, "cores": cores, "order": &order}).to_string());
            orders.insert(number, order);
            number += 1;
        }
        if owner.is_over() {
            return Ok(());
        }
        if counted.as_ref().is_none_or(|(when, _)| when.elapsed() > COUNT) {
            let count = owner.count();
            if counted.as_ref().is_none_or(|(_, before)| *before != count) {
                output().line(&json!({ "count": &count }).to_string());
            }
            counted = Some((Instant::now(), count));
        }
        match lines.recv_timeout(LOOK) {
            Ok(line) => match line? {
                Line::Want { want: number } => want = number,
                Line::Done { done, result } => {
                    let Some(order) = orders.remove(&done) else { bail!("task {done} is not out") };
                    let found = of_value(result).map_err(Error::msg).with_context(|| format!("task {done}"))?;
                    owner.done(order, found)?;
                }
            },
            Err(RecvTimeoutError::Timeout) => {}
            // Nobody is left to do the rest.
            Err(RecvTimeoutError::Disconnected) => stop.store(true, Ordering::Relaxed),
        }
    }
    Ok(())
}

/// The lines on standard input, read by a thread of its own.
fn lines() -> Result<Receiver<Result<Line>>> {
    let (sender, receiver) = channel();
    std::thread::Builder::new().name("reader".to_owned()).spawn(move || {
        let mut text = Vec::new();
        for number in 1.. {
            let line = match read_line(&mut stdin().lock(), &mut text, LONGEST_LINE) {
                Ok(Read::End) => return,
                Ok(Read::Line) => read(&text).map_err(Error::msg),
                Ok(Read::Utf16) => Err(Error::msg(files::UTF_16)),
                Ok(Read::TooLong) => Err(Error::msg(format!("more than {LONGEST_LINE} bytes"))),
                Err(error) => Err(error.into()),
            };
            let line = line.with_context(|| format!("standard input, line {number}"));
            let is_wrong = line.is_err();
            if sender.send(line).is_err() || is_wrong {
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
    catch_signals(&stop)?;
    let mut text = Vec::new();
    stdin().read_to_end(&mut text).context("standard input")?;
    let order = read(&text).map_err(Error::msg).context("standard input: not a task of this version")?;
    match work(order, &stop) {
        Ok(found) => output().line(&serde_json::to_string(&found)?),
        Err((error, may_pass)) if may_pass => {
            crate::complain(&format!("{:#}", error.into()));
            std::process::exit(TRY_AGAIN);
        }
        Err((error, _)) => return Err(error.into()),
    }
    Ok(())
}
