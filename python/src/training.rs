//! Self-play, fits, matches and proofs as functions. `hippolyta/training.py` is what people see of them.
//!
//! Each runs on a thread of its own. The calling thread meanwhile leaves the interpreter to others, hands reports to
//! Python, and looks for Ctrl-C; then it has the work stop, and waits until what can be resumed is safe.

use crate::errors::{check_numpy, engine_error, find, in_python, panic_text};
use crate::net::Net;
use crate::numbers::{duration, value_error};
use crate::wait::{Wait, interruptible};
use hippolyta::endgame::damone::Tables;
use hippolyta::engine::{Board, Control, Engine, Limits, Model, Score, Settings};
use hippolyta::eval::Weights;
use hippolyta::games::Turn;
use hippolyta::games::variant::Variant;
use hippolyta_lab::arena::statistics::Verdict;
use hippolyta_lab::arena::{
    Certain, EngineFile, Event as MatchEvent, Format, MatchOptions, Results, Store, run as run_match,
};
use hippolyta_lab::training::learn::{Event, Keep, Learning, Settings as LearnSettings, Sharing, Start};
use hippolyta_lab::training::{
    FitOptions, Losses, Only, Options, Own, Run, calibrate, check, fit_while, merge, save_curves,
};
use pyo3::exceptions::{PyFileExistsError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// A report: makes the arguments of the listener.
type Report = Box<dyn for<'py> FnOnce(Python<'py>) -> PyResult<Bound<'py, PyTuple>> + Send>;

/// The function that takes reports of the work.
type Tell<'a> = &'a (dyn Fn(Report) + Sync);

/// How often the calling thread looks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Does `work` on another thread. Its reports go to `listener`; if that raises something, or Ctrl-C comes, `stop` is
/// called and the work is waited for. Its error is then the cause of the exception.
fn drive<T: Send>(
    py: Python<'_>,
    listener: Option<&Py<PyAny>>,
    stop: &(dyn Fn() + Sync),
    work: impl FnOnce(Tell<'_>) -> PyResult<T> + Send,
) -> PyResult<T> {
    let (sender, receiver) = channel::<Report>();
    py.detach(move || {
        thread::scope(|scope| {
            let worker = scope.spawn(move || {
                // Nobody listens any more once something was raised.
                work(&move |report| drop(sender.send(report)))
            });
            let mut raised: Option<PyErr> = None;
            loop {
                let report = match receiver.recv_timeout(LOOK) {
                    Ok(report) => Some(report),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if raised.is_none() {
                    let heard = Python::attach(|py| {
                        py.check_signals()?;
                        if let (Some(report), Some(listener)) = (report, listener) {
                            listener.bind(py).call1(report(py)?)?;
                        }
                        Ok(())
                    });
                    if let Err(error) = heard {
                        raised = Some(error);
                        stop();
                    }
                }
            }
            let done = worker.join().unwrap_or_else(|panic| Err(engine_error(panic_text(&*panic))));
            Python::attach(|py| match raised {
                // Ctrl-C may have ended an engine first: what was made of that is no reason.
                None => py.check_signals().and(done),
                Some(error) => {
                    error.set_cause(py, done.err());
                    Err(error)
                }
            })
        })
    })
}

/// An error with the name of the option that it comes from.
fn about<E: Display>(what: impl Display) -> impl FnOnce(E) -> PyErr {
    move |error| value_error(in_python(&format!("{what}: {error}")))
}

fn pool(threads: Option<usize>) -> PyResult<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).build().map_err(engine_error)
}

/// Weights from a file, with tables of Damone, for a game that begins on `board`.
fn weights(eval_file: Option<&Path>, tables: Option<&Path>, board: &Board) -> PyResult<Arc<Weights>> {
    let weights = match eval_file {
        Some(path) => {
            let named = || format!("eval_file: {}", path.display());
            let weights = Weights::load(path).map_err(about(named()))?;
            weights.check(board.variant(), board.size()).map_err(about(named()))?;
            weights
        }
        None => Weights::embedded(),
    };
    match tables {
        Some(path) => {
            let named = || format!("tables: {}", path.display());
            let tables = Tables::load(path).map_err(about(named()))?;
            let weights = weights.with_damone_tables(Some(Arc::new(tables)));
            weights.check_damone_tables(board.variant()).map_err(about(named()))?;
            Ok(weights)
        }
        None => Ok(weights),
    }
}

/// A FEN in its usual spelling; `None` if it is the rule set's start position.
fn start_position(variant: &Variant, fen: Option<&str>) -> PyResult<Option<String>> {
    let Some(fen) = fen else { return Ok(None) };
    let board = Board::from_fen(variant, fen).map_err(about("fen"))?;
    if board.outcome().is_some() {
        return Err(value_error("fen: the game is over there"));
    }
    Ok(Some(board.fen()).filter(|fen| fen != variant.start()))
}

/// Options of self-play, from Python.
#[derive(FromPyObject)]
pub struct SelfPlay {
    #[pyo3(item)]
    variant: String,
    #[pyo3(item)]
    fen: Option<String>,
    #[pyo3(item)]
    games: u64,
    #[pyo3(item)]
    nodes: u64,
    #[pyo3(item)]
    seed: u64,
    #[pyo3(item)]
    shard: [u64; 2],
    #[pyo3(item)]
    resume: bool,
    #[pyo3(item)]
    threads: Option<usize>,
    #[pyo3(item)]
    opening_turns: u32,
    #[pyo3(item)]
    sampled_turns: u32,
    #[pyo3(item)]
    temperature: f32,
    #[pyo3(item)]
    noise: f32,
    #[pyo3(item)]
    play_on: bool,
    #[pyo3(item)]
    inner_visits: u32,
    #[pyo3(item)]
    inner_most: u32,
    #[pyo3(item)]
    longest: u32,
    #[pyo3(item)]
    eval_file: Option<PathBuf>,
    #[pyo3(item)]
    tables: Option<PathBuf>,
    #[pyo3(item)]
    hash: usize,
    #[pyo3(item)]
    evaluator: Option<Py<PyAny>>,
    #[pyo3(item)]
    games_at_once: usize,
}

/// Plays games and writes them. The listener gets each game's number, result and number of turns.
#[pyfunction]
fn selfplay(py: Python<'_>, out: PathBuf, options: SelfPlay, listener: Option<Py<PyAny>>) -> PyResult<()> {
    let control = Arc::new(Control::default());
    let net = match &options.evaluator {
        None => None,
        Some(function) => {
            check_numpy(py)?;
            let failed = control.clone();
            Some(Net::new(function.bind(py), options.games_at_once, 1, Some(Box::new(move |_| failed.stop())))?)
        }
    };
    let _wait = Wait::on(net.as_ref().map(Net::place))?;
    drive(py, listener.as_ref(), &|| control.stop(), |tell| {
        let variant = find(&options.variant)?;
        let start = start_position(&variant, options.fen.as_deref())?;
        let fen = start.as_deref().unwrap_or(variant.start());
        let board = Board::from_fen(&variant, fen).map_err(value_error)?;
        let weights = weights(options.eval_file.as_deref(), options.tables.as_deref(), &board)?;
        let run = Run {
            variant: variant.clone(),
            start,
            games: options.games,
            seed: options.seed,
            shard: options.shard,
            options: Options {
                nodes: options.nodes,
                hash: options.hash,
                opening_turns: options.opening_turns,
                sampled_turns: options.sampled_turns,
                temperature: options.temperature,
                noise: options.noise,
                adjudicate: !options.play_on,
                inner_visits: options.inner_visits,
                inner_most: options.inner_most,
                longest: options.longest,
            },
            weights,
            own: net.clone().map(|net| Own { evaluators: Arc::new(net), at_once: options.games_at_once }),
        };
        let written = pool(options.threads)?.install(|| {
            run.write(&out, options.resume, &control, &|game| {
                let (number, result, turns) = (game.number, game.result, game.opening.len() + game.turns.len());
                tell(Box::new(move |py| (number, f64::from(result) / 2.0, turns).into_pyobject(py)));
            })
        });
        let raised =
            |py: Python<'_>| net.as_ref()?.error(py).map(|raised| PyErr::from_value(raised.into_bound(py).into_any()));
        written.map_err(|error| Python::attach(raised).unwrap_or_else(|| engine_error(error)))
    })
}

/// Joins shards; returns the number of games.
#[pyfunction]
fn merge_files(py: Python<'_>, inputs: Vec<PathBuf>, out: PathBuf, partial: bool, force: bool) -> PyResult<u64> {
    py.detach(|| {
        may_replace(&out, force)?;
        merge(&inputs, &out, partial).map_err(value_error)
    })
}

/// An error if there is a file that is not to be replaced.
fn may_replace(out: &Path, force: bool) -> PyResult<()> {
    if out.is_dir() {
        return Err(PyOSError::new_err(format!("{} is a folder", out.display())));
    }
    if out.is_file() && !force {
        let text = format!("{} exists already; replace it by force=True, or remove it", out.display());
        return Err(PyFileExistsError::new_err(text));
    }
    Ok(())
}

/// Options of a fit, from Python.
#[derive(FromPyObject)]
pub struct Fit {
    #[pyo3(item)]
    start: PathBuf,
    #[pyo3(item)]
    search_share: f32,
    #[pyo3(item)]
    inner_every: u32,
    #[pyo3(item)]
    inner_share: f32,
    #[pyo3(item)]
    epochs: u32,
    #[pyo3(item)]
    rate: Option<f32>,
    #[pyo3(item)]
    validation: u64,
    #[pyo3(item)]
    policy_every: u64,
    #[pyo3(item)]
    only: Option<String>,
    #[pyo3(item)]
    seed: u64,
    #[pyo3(item)]
    threads: Option<usize>,
}

impl Fit {
    /// The weights to start from.
    fn known(&self) -> PyResult<Arc<Weights>> {
        match self.start.to_str() {
            Some("built-in") => Ok(Weights::embedded()),
            Some("bootstrap") => Ok(Arc::new(Weights::bootstrap())),
            _ => Weights::load(&self.start).map_err(about(format!("start: {}", self.start.display()))),
        }
    }

    fn options(&self) -> FitOptions {
        FitOptions {
            search_share: self.search_share,
            inner_every: self.inner_every,
            inner_share: self.inner_share,
            validation: self.validation,
            policy_every: self.policy_every,
            only: self.only.as_deref().and_then(Only::named),
            epochs: self.epochs,
            rate: self.rate,
            seed: self.seed,
        }
    }
}

/// The part that is fitted, the epoch, the losses of training and validation.
type LossesRow = (String, u32, f64, f64);

fn row(losses: &Losses) -> LossesRow {
    (losses.what.clone(), losses.epoch, losses.training, losses.validation)
}

/// Fits weights; returns the losses and the last line of the notes of the weights. The listener gets the losses.
#[pyfunction]
#[pyo3(signature = (inputs, out, options, *, force, resume, curves, listener))]
#[allow(clippy::too_many_arguments, reason = "they have names in Python")]
fn fit_weights(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    out: PathBuf,
    options: Fit,
    force: bool,
    resume: bool,
    curves: Option<PathBuf>,
    listener: Option<Py<PyAny>>,
) -> PyResult<(Vec<LossesRow>, String)> {
    let control = Control::default();
    drive(py, listener.as_ref(), &|| control.stop(), |tell| {
        let known = options.known()?;
        let mut partial = out.file_name().unwrap_or_default().to_os_string();
        partial.push(".partial");
        let partial = out.with_file_name(partial);
        if !partial.exists() {
            may_replace(&out, force)?;
        } else if !resume && !force {
            let text = "is of an interrupted fit; go on with it by resume=True, or begin anew by force=True";
            return Err(PyFileExistsError::new_err(format!("{} {text}", partial.display())));
        }
        let at = |path: &Path| {
            let path = path.display().to_string();
            move |error: std::io::Error| PyOSError::new_err(format!("{path}: {error}"))
        };
        let mut report = |losses: &Losses| {
            let row = row(losses);
            tell(Box::new(move |py| row.into_pyobject(py)));
        };
        let fitted = pool(options.threads)?
            .install(|| fit_while(&inputs, &known, &options.options(), (&partial, resume), &mut report, &control));
        let fitted = fitted.map_err(value_error)?;
        fitted.save(&out).map_err(about(out.display()))?;
        if partial.exists() {
            fs::remove_file(&partial).map_err(at(&partial))?;
        }
        if let Some(path) = &curves {
            save_curves(&fitted.losses, path).map_err(at(path))?;
        }
        let note = fitted.tables.notes.lines().last().unwrap_or_default().to_owned();
        Ok((fitted.losses.iter().map(row).collect(), note))
    })
}

/// How often predictions come true, as a table in Markdown.
#[pyfunction]
fn check_weights(py: Python<'_>, inputs: Vec<PathBuf>, options: Fit) -> PyResult<String> {
    let work = move || {
        let known = options.known()?;
        check(&inputs, &known, &options.options()).map(|table| table.to_string()).map_err(value_error)
    };
    interruptible(py, work, || ())
}

/// Scale, width and offset, and the losses before and after.
type CalibrationRow = (f32, f32, f32, [f64; 2], [f64; 2]);

/// Calibrates weights; returns scale, width, offset, losses before and after.
#[pyfunction]
#[pyo3(signature = (inputs, out, options, *, force))]
fn calibrate_weights(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    out: PathBuf,
    options: Fit,
    force: bool,
) -> PyResult<CalibrationRow> {
    may_replace(&out, force)?;
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = stop.clone();
    let work = move || {
        let known = options.known()?;
        let found = pool(options.threads)?.install(|| calibrate(&inputs, &known, &options.options()));
        let (tables, found) = found.map_err(value_error)?;
        if !stopped.load(Ordering::Relaxed) {
            tables.save(&out).map_err(about(out.display()))?;
        }
        Ok((found.scale, found.width, found.offset, found.before, found.after))
    };
    interruptible(py, work, || stop.store(true, Ordering::Relaxed))
}

/// Options of a match, from Python.
#[derive(FromPyObject)]
pub struct MatchArguments {
    #[pyo3(item)]
    engines: Vec<Vec<String>>,
    #[pyo3(item)]
    each: Vec<String>,
    #[pyo3(item)]
    variant: String,
    #[pyo3(item)]
    games: u64,
    #[pyo3(item)]
    engines_file: Option<PathBuf>,
    #[pyo3(item)]
    rounds: Option<u64>,
    #[pyo3(item)]
    repeat: bool,
    #[pyo3(item)]
    concurrency: u16,
    #[pyo3(item)]
    openings: Vec<String>,
    #[pyo3(item)]
    book_plies: u32,
    #[pyo3(item)]
    seed: u64,
    #[pyo3(item)]
    sprt: Vec<String>,
    #[pyo3(item)]
    resign: Vec<String>,
    #[pyo3(item)]
    draw: Vec<String>,
    #[pyo3(item)]
    maxmoves: Option<u32>,
    #[pyo3(item)]
    adjudicate: Option<String>,
    #[pyo3(item)]
    tournament: String,
    #[pyo3(item)]
    recover: bool,
    #[pyo3(item)]
    patience: u64,
    #[pyo3(item)]
    out: Option<PathBuf>,
    #[pyo3(item)]
    resume: bool,
}

/// A match that has come to its end.
struct Played {
    results: Results,
    names: Vec<String>,
    pairings: Vec<[usize; 2]>,
    /// Remarks of engines on their options.
    remarks: Vec<String>,
    /// Of the test.
    bounds: Option<(f64, f64)>,
}

/// The results of all pairings as a dictionary.
fn results_dict<'py>(
    py: Python<'py>,
    results: &Results,
    names: &[String],
    pairings: &[[usize; 2]],
) -> PyResult<Bound<'py, PyDict>> {
    // In some tournaments not everybody meets everybody.
    let met = pairings.iter().filter(|&&pairing| pairings.len() == 1 || results.counts(pairing).total() > 0);
    let rows = met.map(|&pairing| {
        let margin =
            Some(results.margin(pairing)).filter(|(_, games)| *games > 0).map(|(sum, games)| sum / games as f64);
        let (counts, pairs, elo) = (results.counts(pairing), results.pairs(pairing), results.elo(pairing));
        let superiority = if pairs.total() > 0 { pairs.superiority() } else { counts.superiority() };
        let played = counts.total() > 0;
        let known = |number: f64| played.then_some(number);
        let [first, second] = pairing.map(|number| names[number].clone());
        let error = results.known_elo(pairing).map(|elo| elo.error);
        let elo = (known(elo.difference), error, known(superiority));
        (first, second, counts.0, pairs.0, elo, margin)
    });
    let dict = PyDict::new(py);
    dict.set_item("pairings", rows.collect::<Vec<_>>())?;
    let verdict = results.verdict().map(|verdict| match verdict {
        Verdict::H0 => "H0",
        Verdict::H1 => "H1",
    });
    dict.set_item("sprt", results.ratio().map(|ratio| (ratio, verdict)))?;
    dict.set_item("text", results.text())?;
    Ok(dict)
}

/// The results, what engines had to say on their options, the bounds of the test.
type MatchRow<'py> = (Bound<'py, PyDict>, Vec<String>, Option<(f64, f64)>);

/// Plays a match to its end, or until it is stopped; `done` counts its games.
fn played(
    options: &MatchOptions,
    out: Option<&Path>,
    resume: bool,
    stop: &Arc<AtomicBool>,
    tell: Tell<'_>,
    done: &mut u64,
) -> PyResult<Played> {
    let setup = options.setup(stop.clone()).map_err(|error| value_error(in_python(&error.to_string())))?;
    let mut remarks = setup.try_engines(true, &|_| {}).map_err(engine_error)?;
    let store = match out {
        Some(folder) => {
            let (fixed, variable) = (options.configuration(&setup), options.variable_configuration(&setup));
            Some(Store::open(folder, &fixed, &variable, resume).map_err(engine_error)?)
        }
        None => None,
    };
    let mut of = setup.schedule.len();
    let results = run_match(&setup, store, &mut |event| {
        let (text, record) = match event {
            MatchEvent::LeftOut(what) => {
                remarks.push(format!("{what}; the record is left out, and its game played again"));
                return;
            }
            MatchEvent::Resumed(games) => {
                *done = *games;
                (String::new(), None)
            }
            MatchEvent::Started(_) => return,
            MatchEvent::Finished(record, results) => {
                *done += 1;
                // A knockout goes on until nobody is level.
                of = of.max(*done);
                let place = |name: &String| setup.engines.iter().position(|engine| engine.name == *name);
                let mut pairing = [&record.white, &record.black].map(|name| place(name).unwrap_or(0));
                pairing.sort_unstable();
                (results.score_line(pairing), serde_json::to_string(record).ok())
            }
        };
        let (done, of) = (*done, of);
        tell(Box::new(move |py| (done, of, text, record).into_pyobject(py)));
    });
    let results = results.map_err(engine_error)?;
    let names: Vec<_> = setup.engines.iter().map(|engine| engine.name.clone()).collect();
    let (pairings, bounds) = (setup.schedule.pairings(), setup.sprt.map(|test| test.bounds()));
    Ok(Played { results, names, pairings, remarks, bounds })
}

/// Plays a match. The listener gets the number of finished games, that of all, a line of text, and the record of the
/// game as JSON, if one has just ended.
#[pyfunction]
fn play_match<'py>(py: Python<'py>, options: MatchArguments, listener: Option<Py<PyAny>>) -> PyResult<MatchRow<'py>> {
    let mut passed_over = Vec::new();
    let (engines, each) = match &options.engines_file {
        Some(file) => {
            let engine_file = EngineFile::read(file).map_err(value_error)?;
            passed_over.extend(engine_file.passed_over().map(|what| format!("engines: {}: {what}", file.display())));
            (engine_file.engines(&options.engines).map_err(value_error)?, [engine_file.each(), &options.each].concat())
        }
        None => (options.engines, options.each),
    };
    let match_options = MatchOptions {
        engines,
        each,
        variant: find(&options.variant)?,
        games: options.games,
        rounds: options.rounds,
        repeat: options.repeat,
        concurrency: options.concurrency,
        openings: options.openings,
        book_plies: options.book_plies,
        seed: options.seed,
        sprt: options.sprt,
        resign: options.resign,
        draw: options.draw,
        max_moves: options.maxmoves,
        certain: match options.adjudicate.as_deref() {
            Some("count") => Some(Certain::Margin),
            Some(_) => Some(Certain::Result),
            None => None,
        },
        format: match &*options.tournament {
            "gauntlet" => Format::Gauntlet,
            "swiss" => Format::Swiss,
            "knockout" => Format::Knockout,
            _ => Format::RoundRobin,
        },
        recover: options.recover,
        patience: options.patience,
        ..MatchOptions::default()
    };
    let (stop, out, resume) = (Arc::new(AtomicBool::new(false)), options.out, options.resume);
    let played = drive(py, listener.as_ref(), &|| stop.store(true, Ordering::Relaxed), |tell| {
        let mut done = 0;
        let played = played(&match_options, out.as_deref(), resume, &stop, tell, &mut done);
        if !stop.load(Ordering::Relaxed) {
            return played;
        }
        // Engines may have heard of Ctrl-C as well: what they did then is no reason.
        Err(engine_error(match &out {
            Some(folder) => format!("{done} games are in {}: go on by resume=True", folder.display()),
            None => format!("{done} games were played; without out= they were not kept"),
        }))
    });
    let Played { results, names, pairings, remarks, bounds } = played?;
    let remarks = [passed_over, remarks].concat();
    Ok((results_dict(py, &results, &names, &pairings)?, remarks, bounds))
}

/// Options of a search for a proof, from Python.
#[derive(FromPyObject)]
pub struct SolveOptions {
    #[pyo3(item)]
    time: Option<f64>,
    #[pyo3(item)]
    nodes: Option<u64>,
    #[pyo3(item)]
    threads: usize,
    #[pyo3(item)]
    hash: usize,
    #[pyo3(item)]
    eval_file: Option<PathBuf>,
    #[pyo3(item)]
    tables: Option<PathBuf>,
}

/// Whether the side to move wins (1), draws (0) or loses (-1), plies if they are known, and a line.
type Solved = (i8, Option<u32>, Vec<String>);

/// Searches for a proof; `None` if there was none within the limits. The listener gets the seconds, the number of
/// positions, and how many turns are known to lose of how many, if that is known.
#[pyfunction]
fn solve_position(
    py: Python<'_>,
    variant: &str,
    fen: &str,
    turns: Vec<String>,
    options: SolveOptions,
    listener: Option<Py<PyAny>>,
) -> PyResult<Option<Solved>> {
    let control = Control::default();
    let variant = &find(variant)?;
    let board = Board::after(variant, fen, &turns).map_err(value_error)?;
    drive(py, listener.as_ref(), &|| control.stop(), |tell| {
        let model = Model::Learned(weights(options.eval_file.as_deref(), options.tables.as_deref(), &board)?);
        let settings = Settings { hash: options.hash, threads: options.threads, ..Settings::default() };
        let mut engine = Engine::new(variant, &model, settings).map_err(engine_error)?;
        let time = options.time.map(|time| duration("time", time)).transpose()?;
        let limits = Limits { mate: Some(u32::MAX), nodes: options.nodes, move_time: time, ..Limits::default() };
        let tell = Mutex::new(tell);
        let analysis = engine.analyse(&board, &limits, &control, &mut |analysis| {
            let (seconds, nodes) = (analysis.time.as_secs_f64(), analysis.nodes);
            let proof = analysis.proof.as_ref().map(|proof| (proof.refuted, proof.turns));
            let tell = tell.lock().unwrap_or_else(PoisonError::into_inner);
            tell(Box::new(move |py| (seconds, nodes, proof).into_pyobject(py)));
        });
        let analysis = analysis.map_err(engine_error)?;
        let line =
            analysis.lines.first().map_or_else(Vec::new, |line| line.turns.iter().map(Turn::to_string).collect());
        Ok(match analysis.score {
            Score::Estimate { .. } => None,
            Score::Win { plies } => Some((1, Some(plies), line)),
            Score::Loss { plies } => Some((-1, Some(plies), line)),
            Score::Draw => Some((0, None, line)),
        })
    })
}

/// Options of a run of learning, from Python; what is `None` has its default.
#[derive(FromPyObject)]
pub struct LearnOptions {
    #[pyo3(item)]
    variant: String,
    #[pyo3(item)]
    fen: Option<String>,
    #[pyo3(item)]
    generations: u64,
    #[pyo3(item)]
    games: u64,
    #[pyo3(item)]
    nodes: u64,
    #[pyo3(item)]
    start: String,
    #[pyo3(item)]
    seed: u64,
    #[pyo3(item)]
    window: u64,
    #[pyo3(item)]
    keep: String,
    #[pyo3(item)]
    shard_size: u64,
    #[pyo3(item)]
    opening_turns: u32,
    #[pyo3(item)]
    sampled_turns: u32,
    #[pyo3(item)]
    inner_visits: u32,
    #[pyo3(item)]
    epochs: u32,
    #[pyo3(item)]
    rate: Option<f32>,
    #[pyo3(item)]
    search_share: f32,
    #[pyo3(item)]
    inner_every: Option<u32>,
    #[pyo3(item)]
    validation: u64,
    #[pyo3(item)]
    policy_every: u64,
    #[pyo3(item)]
    gate_games: u64,
    #[pyo3(item)]
    gate_nodes: Option<u64>,
    #[pyo3(item)]
    gate_opening_turns: u32,
    #[pyo3(item)]
    gate_shard_size: u64,
    #[pyo3(item)]
    calibration_games: Option<u64>,
    #[pyo3(item)]
    sprt: Vec<String>,
}

impl LearnOptions {
    fn settings(self) -> PyResult<LearnSettings> {
        let variant = find(&self.variant)?;
        let start = Start::named(&self.start).map_err(about("start"))?;
        let mut settings = LearnSettings::new(&variant, self.generations, self.games, self.nodes, start);
        settings.fen = start_position(&variant, self.fen.as_deref())?;
        settings.seed = self.seed;
        settings.window = self.window;
        settings.keep = match self.keep.as_str() {
            "all" => Keep::All,
            "window" => Keep::Window,
            _ => Keep::Games,
        };
        settings.shard_size = self.shard_size;
        settings.selfplay.opening_turns = self.opening_turns;
        settings.selfplay.sampled_turns = self.sampled_turns;
        settings.selfplay.inner_visits = self.inner_visits;
        settings.fit.epochs = self.epochs;
        settings.fit.rate = self.rate;
        settings.fit.search_share = self.search_share;
        settings.fit.inner_every = self.inner_every.unwrap_or(u32::from(self.inner_visits > 0));
        settings.fit.validation = self.validation;
        settings.fit.policy_every = self.policy_every;
        settings.gate_games = self.gate_games;
        settings.gate_nodes = self.gate_nodes.unwrap_or(self.nodes);
        settings.gate_opening_turns = self.gate_opening_turns;
        settings.gate_shard_size = self.gate_shard_size;
        settings.calibration_games = self.calibration_games;
        if let Some(sprt) = MatchOptions::test(&self.sprt).map_err(about("sprt"))? {
            settings.sprt = sprt;
        }
        Ok(settings)
    }
}

/// Begins a run of learning in a folder, or goes on with it; without options the run must be there. The listener gets
/// the kind of what happens (`begun`, `progress`, `done`, `remark`), a generation or `None`, a number and a text.
#[pyfunction]
#[pyo3(signature = (out, options, *, threads, listener))]
fn learn_folder(
    py: Python<'_>,
    out: PathBuf,
    options: Option<LearnOptions>,
    threads: Option<usize>,
    listener: Option<Py<PyAny>>,
) -> PyResult<()> {
    let control = Control::default();
    drive(py, listener.as_ref(), &|| control.stop(), |tell| {
        let learning = match options {
            Some(options) => Learning::begin(&out, options.settings()?, Sharing::Alone),
            None => Learning::open(&out, Sharing::Alone),
        };
        let learning = learning.map_err(engine_error)?;
        let hear = |event: &Event<'_>| {
            let (kind, generation, number, text) = match event {
                Event::Begun(tasks, units) => {
                    let first = tasks.first();
                    let name = first.map_or(String::new(), |task| task.kind().to_owned());
                    ("begun", first.map(|task| task.generation()), *units, name)
                }
                Event::Progress(units) => ("progress", None, *units, String::new()),
                Event::Done(task, said) => ("done", Some(task.generation()), 1, format!("{task}: {said}")),
                Event::Remark(said) => ("remark", None, 0, (*said).to_owned()),
            };
            tell(Box::new(move |py| (kind, generation, number, text).into_pyobject(py)));
        };
        pool(threads)?.install(|| learning.run_all(&control, &hear)).map_err(engine_error)
    })
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(selfplay, module)?)?;
    module.add_function(wrap_pyfunction!(merge_files, module)?)?;
    module.add_function(wrap_pyfunction!(fit_weights, module)?)?;
    module.add_function(wrap_pyfunction!(check_weights, module)?)?;
    module.add_function(wrap_pyfunction!(calibrate_weights, module)?)?;
    module.add_function(wrap_pyfunction!(play_match, module)?)?;
    module.add_function(wrap_pyfunction!(solve_position, module)?)?;
    module.add_function(wrap_pyfunction!(learn_folder, module)?)
}
