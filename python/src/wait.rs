//! Waiting without the interpreter's lock, so that other Python threads run, and so that Ctrl-C is heard.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How often the main thread looks whether somebody has pressed Ctrl-C.
pub const SLICE: Duration = Duration::from_millis(10);

/// Does `work` on a thread of its own. A signal's exception, as of Ctrl-C, calls `stop`, waits for the end and is raised.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> PyResult<T> + Send + 'static,
    stop: impl Fn(),
) -> PyResult<T> {
    let (sender, mut receiver) = channel();
    let worker = thread::Builder::new().spawn(move || drop(sender.send(work())))?;
    let mut interrupted = Ok(());
    let result = loop {
        let told;
        (told, receiver) = py.detach(move || (receiver.recv_timeout(SLICE), receiver));
        match told {
            Ok(result) => break result,
            Err(RecvTimeoutError::Timeout) => {
                if interrupted.is_ok() {
                    interrupted = py.check_signals();
                    if interrupted.is_err() {
                        stop();
                    }
                }
            }
            Err(RecvTimeoutError::Disconnected) => {
                break Err(PyRuntimeError::new_err("the work ended without a result"));
            }
        }
    };
    let _ = worker.join();
    interrupted.and(result)
}
