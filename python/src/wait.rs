//! Waiting without the interpreter's lock, so that other Python threads run, and so that Ctrl-C is heard.

use crate::errors::EngineError;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::cell::Cell;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How often the main thread looks whether somebody has pressed Ctrl-C.
pub const SLICE: Duration = Duration::from_millis(10);
/// How long whoever has pressed it waits for the end of what was stopped. A function of Python's that does not return
/// would make it wait for ever.
pub const FAREWELL: Duration = Duration::from_millis(250);

/// The stack of threads that may call a net, in bytes: as much as a main thread has. Nets come with interpreters and
/// compilers.
pub const STACK: usize = 16 << 20;

/// Does `work` on a thread of its own. A signal's exception, as of Ctrl-C, calls `stop`, gives the work a moment to end
/// and is raised.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> PyResult<T> + Send + 'static,
    stop: impl Fn(),
) -> PyResult<T> {
    let (sender, mut receiver) = channel();
    thread::Builder::new().stack_size(STACK).spawn(move || drop(sender.send(work())))?;
    loop {
        let told;
        (told, receiver) = py.detach(move || (receiver.recv_timeout(SLICE), receiver));
        match told {
            Ok(result) => return result,
            Err(RecvTimeoutError::Timeout) => {
                if let Err(signal) = py.check_signals() {
                    stop();
                    py.detach(move || drop(receiver.recv_timeout(FAREWELL)));
                    return Err(signal);
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("the work ended without a result"));
            }
        }
    }
}

thread_local! {
    /// The evaluator that this thread calls.
    static CALLED: Cell<Option<usize>> = const { Cell::new(None) };
}

/// An evaluator is called on this thread, as long as this lives.
pub struct Call(Option<usize>);

impl Call {
    pub fn of(evaluator: usize) -> Self {
        Self(CALLED.replace(Some(evaluator)))
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        CALLED.set(self.0);
    }
}

/// Evaluators whose calls wait, each with the one that they wait for.
static WAITS: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

/// This thread waits for work that may call an evaluator, as long as this lives.
pub struct Wait(Option<(usize, usize)>);

impl Wait {
    /// An error if the evaluator can never be called: a call of it waits for this thread. `None` needs no call.
    pub fn on(evaluator: Option<usize>) -> PyResult<Self> {
        let (Some(caller), Some(evaluator)) = (CALLED.get(), evaluator) else { return Ok(Self(None)) };
        let mut waits = WAITS.lock().unwrap_or_else(PoisonError::into_inner);
        let mut reached = vec![evaluator];
        let mut next = 0;
        while let Some(&one) = reached.get(next) {
            if one == caller {
                let text = "this would wait for ever: it needs an evaluator whose call waits for it";
                return Err(EngineError::new_err(text));
            }
            next += 1;
            let more: Vec<usize> = waits.iter().filter(|wait| wait.0 == one).map(|wait| wait.1).collect();
            reached.extend(more.into_iter().filter(|other| !reached.contains(other)).collect::<Vec<_>>());
        }
        waits.push((caller, evaluator));
        Ok(Self(Some((caller, evaluator))))
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        let mut waits = WAITS.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = self.0.and_then(|own| waits.iter().position(|wait| *wait == own)) {
            waits.swap_remove(place);
        }
    }
}
