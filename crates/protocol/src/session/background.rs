use crate::Output;
use hippolyta::engine::{Control, Engine};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

/// At most one piece of work on a thread of its own, which borrows the engine and gives it back at the end.
pub(super) struct Background {
    output: Output,
    running: Option<Running>,
    stop_handle: StopHandle,
}

struct Running {
    control: Arc<Control>,
    thread: JoinHandle<Option<Engine>>,
    until: Until,
}

/// Gets the engine, if there is one, and gives it back.
pub(super) type Work = Box<dyn FnOnce(Option<Engine>, &Control) -> Option<Engine> + Send>;

/// The event that ends a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// The next command: so it is with a search.
    NextCommand,
    /// Only its own end, or `stop`; other commands wait for it. So it is with perft and bench.
    Finished,
}

/// Stops what a session has running, from any thread.
#[derive(Clone, Default)]
pub struct StopHandle(Arc<Mutex<Option<Arc<Control>>>>);

impl StopHandle {
    /// Ends it as soon as may be, as the session itself does on `stop`.
    pub fn stop(&self) {
        if let Some(control) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            control.stop();
        }
    }
}

fn run_once<T>(task: &Mutex<Option<impl FnOnce() -> Option<T>>>) -> Option<T> {
    let task = task.lock().unwrap_or_else(PoisonError::into_inner).take()?;
    task()
}

impl Background {
    /// Nothing runs yet. Errors go to `output`.
    pub fn new(output: Output) -> Self {
        Self { output, running: None, stop_handle: StopHandle::default() }
    }

    pub fn stop_handle(&self) -> StopHandle {
        self.stop_handle.clone()
    }

    /// Whether something runs that the next command has to wait for.
    pub fn is_busy(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.until == Until::Finished)
    }

    /// Whether something was started that has come to its end, but was not settled.
    pub fn is_finished(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.thread.is_finished())
    }

    pub fn ponder_hit(&self) {
        if let Some(running) = &self.running {
            running.control.ponder_hit();
        }
    }

    /// Does `work` with the engine, if there is one, on a thread of its own. If no thread can be started, it is done at
    /// once with a control that says stop, and the engine is given back here.
    pub fn start(&mut self, engine: Option<Engine>, control: Control, until: Until, work: Work) -> Option<Engine> {
        debug_assert!(self.running.is_none());
        let control = Arc::new(control);
        *self.stop_handle.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(control.clone());
        // Kept here as well, as a thread that cannot be started takes along what was to run on it.
        let task = Arc::new(Mutex::new(Some({
            let control = control.clone();
            move || work(engine, &control)
        })));
        let spawned = std::thread::Builder::new().name("control".to_owned()).spawn({
            let task = task.clone();
            move || run_once(&task)
        });
        match spawned {
            Ok(thread) => {
                self.running = Some(Running { control, thread, until });
                None
            }
            Err(error) => {
                self.output.error(&format!("cannot start a thread, so this ends at once: {error}"));
                control.stop();
                run_once(&task)
            }
        }
    }

    /// Waits for what runs, if something does, and gives the engine back; with `stop`, ends it.
    pub fn settle(&mut self, stop: bool) -> Option<Engine> {
        let Running { control, thread, .. } = self.running.take()?;
        if stop {
            control.stop();
        }
        thread.join().unwrap_or_else(|_| {
            self.output.error("the search thread was lost, and what it had searched");
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Buffer;
    use hippolyta::engine::{Model, Settings};
    use hippolyta::games::variant;
    use std::sync::mpsc::channel;

    fn engine() -> Engine {
        let settings = Settings { hash: 1, ..Settings::default() };
        Engine::new(variant::DEFAULT, &Model::Playouts, settings).unwrap()
    }

    #[test]
    fn what_is_lent_comes_back_when_work_is_settled() {
        let mut background = Background::new(Output::new(Buffer::default()));
        assert!(background.settle(true).is_none());
        let (sender, receiver) = channel::<()>();
        let work = move |engine, control: &Control| {
            receiver.recv().unwrap();
            assert!(!control.stopped());
            engine
        };
        assert!(background.start(Some(engine()), Control::default(), Until::Finished, Box::new(work)).is_none());
        assert!(background.is_busy() && !background.is_finished());
        sender.send(()).unwrap();
        assert!(background.settle(false).is_some());
        assert!(!background.is_busy() && !background.is_finished());
    }

    #[test]
    fn work_that_panics_is_reported_and_its_engine_is_lost() {
        let buffer = Buffer::default();
        let mut background = Background::new(Output::new(buffer.clone()));
        let work = |_, _: &Control| panic!("a test of what is left after a panic");
        assert!(background.start(Some(engine()), Control::default(), Until::NextCommand, Box::new(work)).is_none());
        assert!(!background.is_busy());
        assert!(background.settle(false).is_none());
        assert_eq!(buffer.take(), ["info string ERROR: the search thread was lost, and what it had searched"]);
    }
}
