//! Searches. An engine has threads of its own that take searches from a queue, in order; Python waits for results
//! without the interpreter's lock. So nothing here ever waits for Python, and two threads that use one engine wait
//! their turn.

use crate::board::Board;
use crate::encoding::State;
use crate::errors::{EngineError, MoveError, Stopped, check_numpy, check_process, engine_error, guarded, panic_text};
use crate::info::{assessed, branch, info};
use crate::net::Net;
use crate::numbers::{bounds, duration, value_error, whole};
use crate::policy::Policy;
use crate::wait::{FAREWELL, SLICE, STACK, Wait, interruptible};
use hippolyta::endgame::damone::Tables;
use hippolyta::engine::{self, Analysis, Clocks, Control, Include, Limits, Model, Pool, Settings, Simul};
use hippolyta::eval::{Weights, now};
use hippolyta::games::variant::Variant;
use pyo3::exceptions::PyBaseException;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyo3::{Borrowed, PyTraverseError, PyVisit};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll};
use std::thread;
use std::time::{Duration, Instant};

/// How long the threads of a closed engine are waited for.
const PATIENCE: Duration = Duration::from_secs(5);
/// Interim results that nobody has taken yet; older ones are dropped.
const MOST_TOLD: usize = 1_000;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Why a search has no result.
#[derive(Clone)]
enum Failure {
    Stopped,
    Closed,
    Move(String),
    Engine(String),
    /// An evaluator of Python's raised it.
    Evaluator(Arc<Py<PyBaseException>>),
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Stopped => Stopped::new_err("the search was stopped before it began"),
            Failure::Closed => EngineError::new_err("the engine is closed"),
            Failure::Move(text) => MoveError::new_err(text),
            Failure::Engine(text) => EngineError::new_err(text),
            Failure::Evaluator(error) => Python::attach(|py| Self::from_value(error.bind(py).clone().into_any())),
        }
    }
}

/// State that the thread that searches shares with those that wait for it.
#[derive(Default)]
struct Shared {
    control: Control,
    progress: Mutex<Progress>,
    changed: Condvar,
    /// Called after each change, on the thread that searches.
    listener: OnceLock<Py<PyAny>>,
}

#[derive(Default)]
struct Progress {
    told: VecDeque<Analysis>,
    result: Option<Result<Found, Failure>>,
}

/// The result of a search.
#[derive(Clone)]
struct Found {
    analysis: Analysis,
    /// Its half-turns, if they are wanted.
    policy: Option<Arc<Policy>>,
}

impl Shared {
    fn tell(&self, change: impl FnOnce(&mut Progress)) {
        change(&mut lock(&self.progress));
        self.changed.notify_all();
        if let Some(listener) = self.listener.get() {
            // While the interpreter ends, nobody listens.
            Python::try_attach(|py| listener.call0(py).map_err(|error| error.write_unraisable(py, None)).is_ok());
        }
    }

    fn finish(&self, result: Result<Found, Failure>) {
        self.tell(|progress| progress.result = Some(result));
    }
}

/// The result of work that may panic whenever it is polled.
async fn caught(work: impl Future<Output = Result<Found, Failure>>) -> Result<Found, Failure> {
    let mut work = pin!(work);
    let poll = |context: &mut Context<'_>| {
        catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context)))
            .unwrap_or_else(|panic| Poll::Ready(Err(Failure::Engine(panic_text(&*panic)))))
    };
    poll_fn(poll).await
}

/// A search that is wanted.
struct Job {
    board: engine::Board,
    limits: Limits,
    lines: usize,
    /// Whether to forget what was searched before.
    is_fresh: bool,
    /// Whether interim results are wanted.
    streams: bool,
    /// Whether half-turns are wanted.
    has_policy: bool,
    /// For a test of what happens then.
    #[cfg(feature = "as-tested")]
    panics: bool,
    shared: Arc<Shared>,
}

impl Job {
    /// Whether it may stop at its leaves: its limits end it, and nobody hears of it meanwhile.
    fn may_stop(&self) -> bool {
        !self.streams && !self.limits.ponder && self.limits.mate.is_none()
    }
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Job>,
    running: Vec<Arc<Shared>>,
    /// Threads that there are, and how many of them have nothing to do.
    workers: usize,
    idle: usize,
    /// A thread searches in turn whatever may stop at its leaves.
    has_simul: bool,
    is_closed: bool,
}

/// Settings of every search, unless its limits say otherwise.
struct Usual {
    variety: u32,
    overhead: Duration,
    elo: Option<u32>,
}

/// The built-in evaluation, or that of a file, with the endgame tables of Damone of a file.
fn learned(weights: Option<PathBuf>, tables: Option<PathBuf>) -> PyResult<Model> {
    fn named<E: std::fmt::Display>(path: &Path) -> impl Fn(E) -> PyErr {
        move |error| engine_error(format!("{}: {error}", path.display()))
    }
    let mut found = match weights {
        None => Weights::embedded(),
        Some(path) => Weights::load(&path).map_err(named(&path))?,
    };
    if let Some(path) = tables {
        let tables = Tables::load(&path).map_err(named(&path))?;
        found = found.with_damone_tables(Some(Arc::new(tables)));
    }
    Ok(Model::Learned(found))
}

struct Core {
    queue: Mutex<Queue>,
    /// Told when there is a job, which one thread is to take, or when there will be no more.
    due: Condvar,
    /// Told when a thread ends.
    ended: Condvar,
    pool: Mutex<Option<Arc<Pool>>>,
    /// Its model is that of all searches.
    simul: Simul,
    seed: u64,
    usual: Usual,
    /// The rule set that was searched last.
    last: Mutex<Option<Variant>>,
    /// The evaluator of Python's, if there is one.
    net: Option<Net>,
    /// Searches at once.
    jobs: usize,
    /// Searches in turn make batches: there is an evaluator of Python's, and each search has one thread.
    is_batched: bool,
    /// In a forked process the threads are missing, and a lock that one of them held stays locked for ever.
    process: u32,
}

impl Core {
    /// Whether this is a process that was forked from that of the engine.
    fn is_forked(&self) -> bool {
        self.process != std::process::id()
    }

    fn submit(self: &Arc<Self>, job: Job) -> PyResult<()> {
        check_process(self.process, "engine")?;
        let mut queue = lock(&self.queue);
        if queue.is_closed {
            return Err(Failure::Closed.into());
        }
        let is_taken = queue.has_simul && job.may_stop();
        if !is_taken && queue.idle <= queue.waiting.len() && queue.workers < self.jobs {
            let core = self.clone();
            let name = "hippolyta".to_owned();
            thread::Builder::new()
                .name(name)
                .stack_size(STACK)
                .spawn(move || core.work())
                .map_err(|error| EngineError::new_err(format!("cannot start a thread: {error}")))?;
            queue.workers += 1;
        }
        queue.waiting.push_back(job);
        drop(queue);
        self.due.notify_one();
        Ok(())
    }

    /// The loop of each thread of the engine: it searches one job after another, or many in turn.
    fn work(&self) {
        while let Some((job, stops)) = self.next() {
            if !stops {
                self.end(&job, now(caught(self.search(&job, false))));
                continue;
            }
            let mut first = Some(job);
            self.simul.run(self.jobs, &mut || {
                let job = first.take().or_else(|| self.take(&mut lock(&self.queue), Job::may_stop))?;
                Some(async move { self.end(&job, caught(self.search(&job, true)).await) })
            });
            lock(&self.queue).has_simul = false;
        }
    }

    fn end(&self, job: &Job, result: Result<Found, Failure>) {
        lock(&self.queue).running.retain(|other| !Arc::ptr_eq(other, &job.shared));
        self.due.notify_one();
        job.shared.finish(result);
    }

    /// The next search, and whether it is the first of those that this thread searches in turn.
    fn next(&self) -> Option<(Job, bool)> {
        let mut queue = lock(&self.queue);
        queue.idle += 1;
        let next = loop {
            let has_simul = queue.has_simul;
            if let Some(job) = self.take(&mut queue, |job| !has_simul || !job.may_stop()) {
                let stops = self.is_batched && job.may_stop();
                queue.has_simul |= stops;
                break Some((job, stops));
            }
            if queue.is_closed {
                queue.workers -= 1;
                self.ended.notify_all();
                break None;
            }
            queue = self.due.wait(queue).unwrap_or_else(PoisonError::into_inner);
        };
        queue.idle -= 1;
        next
    }

    /// Begins the first of the searches that wait and `may` be begun, if another one may run.
    fn take(&self, queue: &mut Queue, may: impl Fn(&Job) -> bool) -> Option<Job> {
        let index = queue.waiting.iter().position(may).filter(|_| queue.running.len() < self.jobs)?;
        let job = queue.waiting.remove(index)?;
        queue.running.push(job.shared.clone());
        Some(job)
    }

    /// The result of a search. If it `stops`, it waits for the batches of the evaluator.
    async fn search(&self, job: &Job, stops: bool) -> Result<Found, Failure> {
        let pool = lock(&self.pool).clone().ok_or(Failure::Closed)?;
        let failure = |error: &dyn std::fmt::Display| Failure::Engine(error.to_string());
        let mut engine = pool.take(job.board.variant()).map_err(|error| failure(&error))?;
        *lock(&self.last) = Some(job.board.variant().clone());
        #[cfg(feature = "as-tested")]
        assert!(!job.panics, "asked for by a test");
        if job.is_fresh {
            engine.clear();
        }
        let settings = Settings { multi_pv: job.lines, ..engine.settings().clone() };
        engine.set(&settings).map_err(|error| failure(&error))?;
        let mut observer = |analysis: &Analysis| {
            if job.streams && !analysis.last {
                job.shared.tell(|progress| {
                    if progress.told.len() == MOST_TOLD {
                        progress.told.pop_front();
                    }
                    progress.told.push_back(analysis.clone());
                });
            }
        };
        let failures = self.failures();
        let (board, limits, control) = (&job.board, &job.limits, &job.shared.control);
        let analysis = match stops {
            true => engine.think(board, limits, control).await,
            false => engine.analyse(board, limits, control, &mut observer),
        };
        let analysis = analysis.map_err(|error| match error {
            engine::AnalyseError::Turn(error) => Failure::Move(error.to_string()),
            error => failure(&error),
        });
        match self.failure_since(failures) {
            // The tree rests on guesses.
            Some(error) => {
                engine.clear();
                Err(Failure::Evaluator(error))
            }
            None => {
                let policy = job.has_policy.then(|| Arc::new(Policy::of_search(&job.board, &engine.half_turns())));
                Ok(Found { analysis: analysis?, policy })
            }
        }
    }

    /// How often the evaluator of Python's has failed before what begins now.
    fn failures(&self) -> Option<u64> {
        self.net.as_ref().map(Net::begin)
    }

    /// The exception of Python's evaluator, if it has failed since `failures` were counted.
    fn failure_since(&self, failures: Option<u64>) -> Option<Arc<Py<PyBaseException>>> {
        let net = self.net.as_ref().filter(|net| Some(net.failures()) > failures)?;
        Python::try_attach(|py| net.error(py)).flatten().map(Arc::new)
    }

    /// A wait of this thread for what the engine's evaluator may be needed for.
    fn waited_for(&self) -> PyResult<Wait> {
        Wait::on(self.net.as_ref().map(Net::place))
    }

    /// Evaluations of positions, without a search.
    fn assess(
        &self,
        places: &[engine::Place<'_>],
        include: Include,
        control: &Control,
    ) -> Result<Vec<engine::Assessment>, Failure> {
        if lock(&self.queue).is_closed {
            return Err(Failure::Closed);
        }
        let failures = self.failures();
        let assessed = self.simul.model().assess_places(places, include, self.seed, control);
        match self.failure_since(failures) {
            Some(error) => Err(Failure::Evaluator(error)),
            None => assessed.map_err(|error| Failure::Engine(error.to_string())),
        }
    }

    /// The tree of the last search.
    fn tree(&self, depth: usize, least: u32) -> Result<Vec<engine::Branch>, Failure> {
        let pool = lock(&self.pool).clone().ok_or(Failure::Closed)?;
        let queue = lock(&self.queue);
        if !queue.running.is_empty() || !queue.waiting.is_empty() {
            return Err(Failure::Engine("a search goes on: its tree can be read once it is over".to_owned()));
        }
        // No search begins meanwhile: whoever wants one needs the queue.
        let Some(variant) = lock(&self.last).clone() else { return Ok(Vec::new()) };
        let engine = pool.take(&variant).map_err(|error| Failure::Engine(error.to_string()))?;
        Ok(engine.tree(depth, least))
    }

    /// Ends a search; one that has not begun has no result.
    fn stop(&self, shared: &Arc<Shared>) {
        if self.is_forked() {
            return;
        }
        shared.control.stop();
        let mut queue = lock(&self.queue);
        let Some(index) = queue.waiting.iter().position(|job| Arc::ptr_eq(&job.shared, shared)) else { return };
        queue.waiting.remove(index);
        drop(queue);
        shared.finish(Err(Failure::Stopped));
    }

    /// Ends all searches and the threads. The memory is given back as soon as the last search has ended.
    fn close(&self) {
        if self.is_forked() {
            return;
        }
        let mut queue = lock(&self.queue);
        queue.is_closed = true;
        let waiting = std::mem::take(&mut queue.waiting);
        queue.running.iter().for_each(|shared| shared.control.stop());
        drop(queue);
        self.due.notify_all();
        waiting.iter().for_each(|job| job.shared.finish(Err(Failure::Closed)));
        lock(&self.pool).take();
    }

    /// Waits for the threads of a closed engine. Whether they have ended.
    fn join(&self) -> bool {
        if self.is_forked() {
            return true;
        }
        let (queue, at_work) = (lock(&self.queue), |queue: &mut Queue| queue.workers > 0);
        let waited = self.ended.wait_timeout_while(queue, SLICE, at_work);
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }
}

/// The attributes of a `hippolyta.Limit`.
pub struct Limit {
    time: Option<f64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    mate: Option<u32>,
    clock: Option<(Option<f64>, Option<f64>)>,
    increments: (f64, f64),
    moves_to_go: Option<u32>,
    elo: Option<u32>,
}

/// Not derived: that keeps the names of attributes, made by the first call, in cells that a fork may find half made.
impl<'py> FromPyObject<'_, 'py> for Limit {
    type Error = PyErr;

    fn extract(limit: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self {
            time: limit.getattr("time")?.extract()?,
            nodes: limit.getattr("nodes")?.extract()?,
            depth: limit.getattr("depth")?.extract()?,
            mate: limit.getattr("mate")?.extract()?,
            clock: limit.getattr("clock")?.extract()?,
            increments: limit.getattr("increments")?.extract()?,
            moves_to_go: limit.getattr("moves_to_go")?.extract()?,
            elo: limit.getattr("elo")?.extract()?,
        })
    }
}

impl Limit {
    fn limits(self) -> PyResult<Limits> {
        let clock = |time: Option<f64>| time.map(|time| duration("clock", time)).transpose();
        let (white, black) = self.clock.unwrap_or((None, None));
        let (of_white, of_black) = self.increments;
        let clocks = Clocks {
            time: [clock(white)?, clock(black)?],
            increment: [duration("increment", of_white)?, duration("increment", of_black)?],
            moves_to_go: self.moves_to_go,
        };
        Ok(Limits {
            nodes: self.nodes,
            move_time: self.time.map(|time| duration("time", time)).transpose()?,
            depth: self.depth,
            mate: self.mate,
            elo: self.elo,
            clocks,
            ..Limits::default()
        })
    }
}

/// Whether a limit, whose rating is `elo` if it has none, ends a search of the board whatever is proven. Without a board
/// any rating may.
#[pyfunction]
#[pyo3(signature = (limit, board = None, elo = None))]
pub fn ends(limit: Limit, board: Option<PyRef<'_, Board>>, elo: Option<u32>) -> PyResult<bool> {
    let limits = limit.limits()?;
    let limits = Limits { elo: limits.elo.or(elo), ..limits };
    Ok(match board {
        Some(board) => limits.ends(board.board.variant()),
        None => !limits.is_unlimited() || limits.elo.is_some(),
    })
}

/// Whether nothing but a proven result, a stop or a rating ends a search with this limit.
#[pyfunction]
pub fn is_unlimited(limit: Limit) -> PyResult<bool> {
    Ok(limit.limits()?.is_unlimited())
}

/// Engines that search boards of any rule set, behind one queue. `hippolyta.Engine` is made of these.
#[pyclass(module = "hippolyta._hippolyta", frozen)]
pub struct Searcher(Arc<Core>);

#[pymethods]
impl Searcher {
    #[new]
    #[pyo3(signature = (*, threads, hash, seed, jobs = None, eval_file = None, evaluator = None, batch = None,
        tables = None, variety = 0, overhead = 0.0, elo = None))]
    #[allow(clippy::too_many_arguments, reason = "Python names them")]
    fn new(
        threads: &Bound<'_, PyAny>,
        hash: &Bound<'_, PyAny>,
        seed: &Bound<'_, PyAny>,
        jobs: Option<&Bound<'_, PyAny>>,
        eval_file: Option<PathBuf>,
        evaluator: Option<&Bound<'_, PyAny>>,
        batch: Option<&Bound<'_, PyAny>>,
        tables: Option<PathBuf>,
        variety: u32,
        overhead: f64,
        elo: Option<u32>,
    ) -> PyResult<Self> {
        let threads: usize = whole("threads", threads, bounds("threads"))?;
        let hash = whole("hash", hash, bounds("hash"))?;
        let seed = whole("seed", seed, bounds("seed"))?;
        let jobs: usize = jobs.map_or(Ok(1), |jobs| whole("jobs", jobs, bounds("jobs")))?;
        let batch: usize = batch.map_or(Ok(1), |batch| whole("batch", batch, bounds("batch")))?;
        let net = match evaluator {
            None => None,
            Some(function) => {
                check_numpy(function.py())?;
                Some(Net::new(function, batch, batch / jobs, None)?)
            }
        };
        let model = match (&net, eval_file, tables) {
            (Some(_), Some(_), _) => return Err(value_error("evaluator: eval_file is another evaluation; give one")),
            (Some(_), None, Some(_)) => return Err(value_error("tables: they help the built-in evaluation alone")),
            (Some(net), None, None) => Model::own(net.clone()),
            (None, weights, tables) => learned(weights, tables)?,
        };
        let usual = Usual { variety, overhead: duration("overhead", overhead)?, elo };
        let settings = Settings { hash, threads, seed, ..Settings::default() };
        let simul = Simul::new(&model);
        Ok(Self(Arc::new(Core {
            queue: Mutex::default(),
            due: Condvar::new(),
            ended: Condvar::new(),
            pool: Mutex::new(Some(Arc::new(Pool::new(jobs, simul.model().clone(), settings)))),
            simul,
            seed,
            usual,
            last: Mutex::default(),
            is_batched: net.is_some() && threads == 1,
            net,
            jobs,
            process: std::process::id(),
        })))
    }

    /// Begins a search, or puts it in the queue.
    #[pyo3(signature = (board, limit, *, multipv = None, include = (false, false, false), moves = Vec::new(),
        every = None, fresh = false, streams = false, ponder = false, policy = false, merge_mirrored = false))]
    #[allow(clippy::too_many_arguments, reason = "Python names them")]
    fn search(
        slf: &Bound<'_, Self>,
        board: PyRef<'_, Board>,
        limit: Option<Limit>,
        multipv: Option<&Bound<'_, PyAny>>,
        include: (bool, bool, bool),
        moves: Vec<String>,
        every: Option<f64>,
        fresh: bool,
        streams: bool,
        ponder: bool,
        policy: bool,
        merge_mirrored: bool,
    ) -> PyResult<Search> {
        if policy {
            check_numpy(slf.py())?;
        }
        let lines = multipv.map_or(Ok(1), |lines| whole("multipv", lines, bounds("multipv")))?;
        let (ownership, territory, stones) = include;
        let limits = Limits {
            turns: moves
                .iter()
                .map(|turn| board.board.read(turn))
                .collect::<Result<_, _>>()
                .map_err(crate::errors::move_error)?,
            include: Include { ownership, territory, stones },
            report_every: every.map(|every| duration("every", every)).transpose()?,
            ponder,
            merge_mirrored,
            ..limit.map_or_else(|| Ok(Limits::default()), Limit::limits)?
        };
        let core = &slf.get().0;
        core.simul.model().check(&board.board).map_err(engine_error)?;
        // A call of its evaluator that begins a search would have it call again, and so on.
        drop(core.waited_for()?);
        let Usual { variety, overhead, elo } = core.usual;
        let limits = Limits { variety: variety as f32, overhead, elo: limits.elo.or(elo), ..limits };
        let shared = Arc::new(Shared { control: Control::new(ponder), ..Shared::default() });
        let job = Job {
            board: board.board.clone(),
            limits,
            lines,
            is_fresh: fresh,
            streams,
            has_policy: policy,
            #[cfg(feature = "as-tested")]
            panics: false,
            shared: shared.clone(),
        };
        slf.py().detach(|| core.submit(job))?;
        Ok(Search { core: core.clone(), shared, _searcher: slf.clone().unbind() })
    }

    /// Evaluations of boards and states, without a search, as the arguments of `info.evaluated`. Searches of the engine
    /// go on meanwhile.
    fn evaluate<'py>(
        slf: &Bound<'py, Self>,
        boards: Vec<Bound<'py, PyAny>>,
        include: (bool, bool, bool),
        policy: bool,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let (py, core) = (slf.py(), slf.get().0.clone());
        if policy {
            check_numpy(py)?;
        }
        check_process(core.process, "engine")?;
        let _wait = core.waited_for()?;
        let known = |one: &Bound<'py, PyAny>| match one.cast::<State>() {
            Ok(state) => Ok(state.try_borrow()?.place()),
            Err(_) => Ok((one.cast::<Board>()?.try_borrow()?.board.clone(), Vec::new())),
        };
        let boards = boards.iter().map(known).collect::<PyResult<Vec<(engine::Board, Vec<u16>)>>>()?;
        boards.iter().try_for_each(|(board, _)| core.simul.model().check(board)).map_err(engine_error)?;
        if include != (false, false, false) && boards.iter().any(|(_, begun)| !begun.is_empty()) {
            return Err(value_error("ownership, territory and stones are told of the start of a turn alone"));
        }
        let control = Arc::new(Control::default());
        let (stopper, (ownership, territory, stones)) = (control.clone(), include);
        let include = Include { ownership, territory, stones };
        let work = move || {
            let places: Vec<_> = boards.iter().map(|(board, begun)| engine::Place { board, begun }).collect();
            let told = guarded(|| core.assess(&places, include, &control))??;
            let numbered = |(told, (board, begun)): (engine::Assessment, &(engine::Board, Vec<u16>))| {
                let policy = policy.then(|| Policy::of_priors(board, begun, &told.priors));
                (told, policy)
            };
            Ok(told.into_iter().zip(&boards).map(numbered).collect::<Vec<_>>())
        };
        let told = interruptible(py, work, move || stopper.stop())?;
        told.iter().map(|(told, policy)| assessed(py, told, policy.as_ref())).collect()
    }

    /// The tree of the last search, as the arguments of `info.branches`.
    fn tree<'py>(slf: &Bound<'py, Self>, depth: usize, least: u32) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let (py, core) = (slf.py(), &slf.get().0);
        check_process(core.process, "engine")?;
        let tree = py.detach(|| core.tree(depth, least))?;
        tree.iter().map(|one| branch(py, one)).collect()
    }

    /// Panics where a search would: for a test of what becomes of it.
    #[cfg(feature = "as-tested")]
    fn _panic(slf: &Bound<'_, Self>, board: PyRef<'_, Board>) -> PyResult<Search> {
        let shared = Arc::<Shared>::default();
        let (board, limits, core) = (board.board.clone(), Limits::default(), &slf.get().0);
        let job = Job {
            board,
            limits,
            lines: 1,
            is_fresh: false,
            streams: false,
            has_policy: false,
            panics: true,
            shared: shared.clone(),
        };
        core.submit(job)?;
        Ok(Search { core: core.clone(), shared, _searcher: slf.clone().unbind() })
    }

    /// Stops what runs and gives the memory back, which takes milliseconds. A search whose evaluator does not return is
    /// not waited for.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let _wait = self.0.waited_for()?;
        py.detach(|| self.0.close());
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE && !py.detach(|| self.0.join()) {
            py.check_signals()?;
        }
        Ok(())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.0.net.as_ref().map_or(Ok(()), |net| net.traverse(&visit))
    }

    fn __clear__(&self) {
        self.0.close();
        if let Some(net) = &self.0.net {
            net.clear();
        }
    }
}

impl Drop for Searcher {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// A search that runs, waits in the queue, or is over.
#[pyclass(module = "hippolyta._hippolyta", frozen)]
pub struct Search {
    core: Arc<Core>,
    shared: Arc<Shared>,
    /// It closes its engine when nobody holds it any more.
    _searcher: Py<Searcher>,
}

impl Search {
    /// An error in a process that was forked after the search began.
    fn check_process(&self) -> PyResult<()> {
        check_process(self.core.process, "search")
    }

    /// Waits until `ready`. A signal's exception, as of Ctrl-C, ends the search and is raised.
    fn wait(&self, py: Python<'_>, ready: impl Fn(&Progress) -> bool + Sync) -> PyResult<()> {
        self.check_process()?;
        let _wait = self.core.waited_for()?;
        let waited = |slice: Duration| {
            let progress = lock(&self.shared.progress);
            let (progress, _) = self
                .shared
                .changed
                .wait_timeout_while(progress, slice, |progress| !ready(progress))
                .unwrap_or_else(PoisonError::into_inner);
            ready(&progress)
        };
        while !py.detach(|| waited(SLICE)) {
            if let Err(signal) = py.check_signals() {
                py.detach(|| {
                    self.core.stop(&self.shared);
                    let progress = lock(&self.shared.progress);
                    let goes_on = |progress: &mut Progress| progress.result.is_none();
                    drop(self.shared.changed.wait_timeout_while(progress, FAREWELL, goes_on));
                });
                return Err(signal);
            }
        }
        Ok(())
    }
}

#[pymethods]
impl Search {
    /// Blocks until the search is over and returns its result.
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.wait(py, |progress| progress.result.is_some())?;
        let result = lock(&self.shared.progress).result.clone();
        let Found { analysis, policy } = result.unwrap_or(Err(Failure::Stopped))?;
        let dict = info(py, &analysis)?;
        if let Some(policy) = policy {
            dict.set_item("policy", policy.arrays(py))?;
        }
        Ok(dict)
    }

    /// Blocks until there is an interim result that was not taken yet. `None` once the search is over.
    fn next<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.wait(py, |progress| progress.result.is_some() || !progress.told.is_empty())?;
        self.take(py)
    }

    /// An interim result that was not taken yet, if there is one.
    fn take<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.check_process()?;
        let told = lock(&self.shared.progress).told.pop_front();
        told.map(|analysis| info(py, &analysis)).transpose()
    }

    /// Whether the search is over.
    #[getter]
    fn done(&self) -> PyResult<bool> {
        self.check_process()?;
        Ok(lock(&self.shared.progress).result.is_some())
    }

    /// Calls `listener` after each change, from another thread. Only the first one is called.
    fn listen(&self, py: Python<'_>, listener: Py<PyAny>) -> PyResult<()> {
        self.check_process()?;
        let first = self.shared.listener.set(listener);
        // Changes before this call are told to the listener now.
        first.map_or(Ok(()), |()| self.shared.listener.get().map_or(Ok(()), |listener| listener.call0(py).map(drop)))
    }

    /// Ends the search as soon as possible. Returns at once. In a forked process it does nothing.
    fn stop(&self, py: Python<'_>) {
        py.detach(|| self.core.stop(&self.shared));
    }

    /// The opponent has played the expected turn: the limits count from now on.
    fn ponder_hit(&self) -> PyResult<()> {
        self.check_process()?;
        self.shared.control.ponder_hit();
        Ok(())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self._searcher)?;
        visit.call(self.shared.listener.get())?;
        // Nobody else has the result; whoever has the lock gives it back at once.
        match self.shared.progress.try_lock().as_deref() {
            Ok(Progress { result: Some(Err(Failure::Evaluator(error))), .. }) => visit.call(&**error),
            _ => Ok(()),
        }
    }
}
