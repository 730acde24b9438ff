//! Self-play, fits, matches and proofs as functions. `hippolyta/training.py` is what people see of them.
//!
//! Each runs on a thread of its own. The calling thread meanwhile leaves the interpreter to others, hands reports to
//! Python, and looks for Ctrl-C; then it has the work stop, and waits until what can be resumed is safe.

use crate::errors::{at, check_numpy, engine_error, find, in_python, panic_text};
use crate::net::Net;
use crate::numbers::{duration, value_error};
use crate::options::read;
use crate::wait::{Wait, interruptible};
use clap::Args;
use hippolyta::engine::{Board, Control, Engine, Limits, Model, Score, Settings};
use hippolyta::files::beside;
use hippolyta::games::Turn;
use hippolyta_app::{Files, Fit, Learn, Match, SelfPlay};
use hippolyta_lab::arena::statistics::{self, Counts, Sprt, Verdict};
use hippolyta_lab::arena::{Event as MatchEvent, MatchOptions, Results, Store, run as run_match};
use hippolyta_lab::options::{mebibytes, threads, up_to};
use hippolyta_lab::training::learn::{Event, Learning, Sharing};
use hippolyta_lab::training::{Losses, calibrate, check, fit, merge, save_curves};
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

/// What is wrong with options.
fn refused(error: impl Display) -> PyErr {
    value_error(in_python(&format!("{error:#}")))
}

/// Plays games and writes them. The listener gets each game's number, result and number of turns.
#[pyfunction]
fn selfplay(
    py: Python<'_>,
    options: Bound<'_, PyDict>,
    evaluator: Option<Py<PyAny>>,
    games_at_once: usize,
    listener: Option<Py<PyAny>>,
) -> PyResult<()> {
    let command: SelfPlay = read(&options)?;
    let control = Arc::new(Control::default());
    let net = match &evaluator {
        None => None,
        Some(function) => {
            check_numpy(py)?;
            let failed = control.clone();
            Some(Net::new(function.bind(py), games_at_once, 1, Some(Box::new(move |_| failed.stop())))?)
        }
    };
    let _wait = Wait::on(net.as_ref().map(Net::place))?;
    drive(py, listener.as_ref(), &|| control.stop(), |tell| {
        let mut run = command.games().map_err(refused)?;
        if let Some(net) = net.clone() {
            (run.model, run.at_once) = (Model::own(net), Some(games_at_once));
        }
        let written = command.threads.pool().map_err(engine_error)?.install(|| {
            run.write(&command.out, command.resume, command.force, &control, &|game| {
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

/// The part that is fitted, the epoch, the losses of training and validation.
type LossesRow = (String, u32, f64, f64);

fn row(losses: &Losses) -> LossesRow {
    (losses.what.clone(), losses.epoch, losses.training, losses.validation)
}

/// Fits weights; returns the losses and the last line of the notes of the weights. The listener gets the losses.
#[pyfunction]
fn fit_weights(
    py: Python<'_>,
    options: Bound<'_, PyDict>,
    listener: Option<Py<PyAny>>,
) -> PyResult<(Vec<LossesRow>, String)> {
    let command: Fit = read(&options)?;
    let control = Control::default();
    drive(py, listener.as_ref(), &|| control.stop(), |tell| {
        let known = command.known().map_err(refused)?;
        let (out, resume) = (command.out.as_deref().unwrap_or(Path::new("")), command.resume);
        let partial = beside(out, ".partial");
        if !partial.exists() {
            may_replace(out, command.force)?;
        } else if !resume && !command.force {
            let text = "is of an interrupted fit; go on with it by resume=True, or begin anew by force=True";
            return Err(PyFileExistsError::new_err(format!("{} {text}", partial.display())));
        }
        let mut report = |losses: &Losses| {
            let row = row(losses);
            tell(Box::new(move |py| row.into_pyobject(py)));
        };
        let (pool, options) = (command.threads.pool().map_err(engine_error)?, command.options());
        let fitted = pool.install(|| fit(&command.inputs, &known, &options, (&partial, resume), &mut report, &control));
        let fitted = fitted.map_err(refused)?;
        fitted.save(out).map_err(about(out.display()))?;
        if partial.exists() {
            fs::remove_file(&partial).map_err(at(&partial))?;
        }
        if let Some(path) = &command.curves {
            save_curves(&fitted.losses, path).map_err(at(path))?;
        }
        let note = fitted.tables.notes.lines().last().unwrap_or_default().to_owned();
        Ok((fitted.losses.iter().map(row).collect(), note))
    })
}

/// How often predictions come true, as a table in Markdown.
#[pyfunction]
fn check_weights(py: Python<'_>, options: Bound<'_, PyDict>) -> PyResult<String> {
    let command: Fit = read(&options)?;
    let work = move || {
        let known = command.known().map_err(refused)?;
        check(&command.inputs, &known, &command.options()).map(|table| table.to_string()).map_err(refused)
    };
    interruptible(py, work, || ())
}

/// Scale, width and offset, and the losses before and after.
type CalibrationRow = (f32, f32, f32, [f64; 2], [f64; 2]);

/// Calibrates weights; returns scale, width, offset, losses before and after.
#[pyfunction]
fn calibrate_weights(py: Python<'_>, options: Bound<'_, PyDict>) -> PyResult<CalibrationRow> {
    let command: Fit = read(&options)?;
    let out = command.out.clone().unwrap_or_default();
    may_replace(&out, command.force)?;
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = stop.clone();
    let work = move || {
        let (known, pool) = (command.known().map_err(refused)?, command.threads.pool().map_err(engine_error)?);
        let found = pool.install(|| calibrate(&command.inputs, &known, &command.options()));
        let (tables, found) = found.map_err(refused)?;
        if !stopped.load(Ordering::Relaxed) {
            tables.save(&out).map_err(about(out.display()))?;
        }
        Ok((found.scale, found.width, found.offset, found.before, found.after))
    };
    interruptible(py, work, || stop.store(true, Ordering::Relaxed))
}

/// The interval of 95 % for the mean of results from 0 to 1 that sum to `points`.
#[pyfunction]
fn interval(points: f64, results: f64) -> PyResult<[f64; 2]> {
    if !(0.0..=results).contains(&points) || results.is_infinite() {
        return Err(value_error(format!(
            "points: from 0 to the number of results is expected, not {points} of {results}"
        )));
    }
    Ok(statistics::interval(points, results))
}

fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::H0 => "H0",
        Verdict::H1 => "H1",
    }
}

/// The difference in Elo, its error if that is known, and the probability that the first is the stronger one.
type Difference = (Option<f64>, Option<f64>, Option<f64>);
/// The ratio of a test, its bounds, and its verdict.
type Tested = (f64, (f64, f64), Option<&'static str>);

/// What pairs of games tell, whose numbers are by the first engine's half points, 0 to 4. `words` are those of a test, or
/// none.
#[pyfunction]
fn judge_pairs(pairs: [u64; 5], words: Vec<String>) -> PyResult<(Difference, Option<Tested>)> {
    let counts = Counts(pairs);
    let known = |number: f64| (counts.total() > 0).then_some(number);
    let error = counts.known_elo().map(|elo| elo.error);
    let difference = (known(counts.elo().difference), error, known(counts.superiority()));
    let tested = Sprt::from_words(&words).map_err(refused)?.map(|test| {
        let ratio = test.ratio(&counts);
        (ratio, test.bounds(), test.verdict(ratio).map(verdict_name))
    });
    Ok((difference, tested))
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
    dict.set_item("sprt", results.ratio().map(|ratio| (ratio, results.verdict().map(verdict_name))))?;
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
fn play_match<'py>(
    py: Python<'py>,
    options: Bound<'_, PyDict>,
    listener: Option<Py<PyAny>>,
) -> PyResult<MatchRow<'py>> {
    let command: Match = read(&options)?;
    let mut passed_over = Vec::new();
    let options = command.options(&mut |what| passed_over.push(in_python(what))).map_err(refused)?;
    let (stop, out, resume) = (Arc::new(AtomicBool::new(false)), command.out, command.resume);
    let played = drive(py, listener.as_ref(), &|| stop.store(true, Ordering::Relaxed), |tell| {
        let mut done = 0;
        let played = played(&options, out.as_deref(), resume, &stop, tell, &mut done);
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

/// Options of a search for a proof.
#[derive(Args)]
struct Solve {
    #[arg(long)]
    time: Option<f64>,
    #[arg(long, value_parser = up_to(u64::MAX))]
    nodes: Option<u64>,
    #[arg(long, default_value_t = 1, value_parser = threads())]
    threads: u16,
    #[arg(long, default_value_t = 256, value_parser = mebibytes())]
    hash: usize,
    #[command(flatten)]
    files: Files,
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
    options: Bound<'_, PyDict>,
    listener: Option<Py<PyAny>>,
) -> PyResult<Option<Solved>> {
    let command: Solve = read(&options)?;
    let time = command.time.map(|time| duration("time", time)).transpose()?;
    let control = Control::default();
    let variant = &find(variant)?;
    let board = Board::after(variant, fen, &turns).map_err(value_error)?;
    drive(py, listener.as_ref(), &|| control.stop(), |tell| {
        let model = Model::Learned(command.files.weights_for(&board).map_err(refused)?);
        let settings = Settings { hash: command.hash, threads: command.threads.into(), ..Settings::default() };
        let mut engine = Engine::new(variant, &model, settings).map_err(engine_error)?;
        let limits = Limits { mate: Some(u32::MAX), nodes: command.nodes, move_time: time, ..Limits::default() };
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

/// Begins a run of learning in a folder, or goes on with it; without options the run must be there. The listener gets
/// the kind of what happens (`begun`, `progress`, `done`, `remark`), a generation or `None`, a number and a text.
#[pyfunction]
fn learn_folder(py: Python<'_>, options: Bound<'_, PyDict>, listener: Option<Py<PyAny>>) -> PyResult<()> {
    let command: Learn = read(&options)?;
    let control = Control::default();
    drive(py, listener.as_ref(), &|| control.stop(), |tell| {
        let learning = match command.settings().map_err(refused)? {
            Some(settings) => Learning::begin(&command.out, settings, Sharing::Alone),
            None => Learning::open(&command.out, Sharing::Alone),
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
        let pool = command.pool().map_err(engine_error)?;
        pool.install(|| learning.run_all(&control, &hear)).map_err(engine_error)
    })
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(selfplay, module)?)?;
    module.add_function(wrap_pyfunction!(merge_files, module)?)?;
    module.add_function(wrap_pyfunction!(fit_weights, module)?)?;
    module.add_function(wrap_pyfunction!(check_weights, module)?)?;
    module.add_function(wrap_pyfunction!(calibrate_weights, module)?)?;
    module.add_function(wrap_pyfunction!(interval, module)?)?;
    module.add_function(wrap_pyfunction!(judge_pairs, module)?)?;
    module.add_function(wrap_pyfunction!(play_match, module)?)?;
    module.add_function(wrap_pyfunction!(solve_position, module)?)?;
    module.add_function(wrap_pyfunction!(learn_folder, module)?)
}
