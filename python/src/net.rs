//! A net of Python's in the search: positions as planes go to a function, logits and values come back as arrays. The
//! function is called by one thread at a time, which holds the interpreter's lock only there.

use crate::arrays::floats;
use crate::encoding::{Encoded, Shapes};
use crate::errors::{check_numpy, engine_error};
use crate::numbers::{bounds, shown, value_error, whole};
use crate::wait::Call;
use hippolyta::engine::{Evaluators, Model};
use hippolyta::eval::{Evaluation, Evaluator, Leaf, Term, Value};
use hippolyta::games::amazons::Amazons;
use hippolyta::games::damone::Damone;
use hippolyta::games::desdemona::Desdemona;
use hippolyta::games::general::General;
use hippolyta::games::variant::Variant;
use hippolyta::games::{Position, Side};
use hippolyta_protocol::{Output, Session, serve_session};
use numpy::ndarray::Array4;
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray2, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyBaseException, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use pyo3::{PyTraverseError, PyVisit};
use std::fmt;
use std::io::BufReader;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A value may be this much beyond 1 or −1: nets round.
const ROUNDING: f32 = 1e-3;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The callback for a failure of the function, with the exception that it raised.
type Alarm = Box<dyn Fn(&PyErr) + Send + Sync>;

/// The function, and what is kept from one call of it to the next.
struct Function {
    /// `None` once the garbage collector has found that nobody can ask for an evaluation any more.
    function: Mutex<Option<Py<PyAny>>>,
    /// The place of the object, by which functions are told apart.
    place: usize,
    /// Positions in one call at most.
    most: usize,
    /// Leaves that one search collects.
    each: usize,
    identity: Vec<u8>,
    /// One call at a time.
    turn: Mutex<()>,
    failure: Mutex<Failure>,
    alarm: Option<Alarm>,
}

/// The batches that failed: how many, and what the last call raised.
#[derive(Default)]
struct Failure {
    count: u64,
    error: Option<Py<PyBaseException>>,
    /// Nothing is called any more until a search begins: one that fails still asks about what it reports.
    is_lasting: bool,
}

/// A net for all families.
#[derive(Clone)]
pub struct Net(Arc<Function>);

impl fmt::Debug for Net {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Net")
    }
}

impl Net {
    /// The net of a function that takes at most `most` positions; each search collects `each` of them. The attribute
    /// `identity` of the function, bytes, tells it from others; without it all functions are the same.
    pub fn new(function: &Bound<'_, PyAny>, most: usize, each: usize, alarm: Option<Alarm>) -> PyResult<Self> {
        if !function.is_callable() {
            let found = shown(function);
            return Err(PyTypeError::new_err(format!("evaluator: a function of planes is expected, not {found}")));
        }
        let identity = match function.getattr_opt("identity")? {
            None => b"evaluator".to_vec(),
            Some(bytes) => match bytes.cast::<PyBytes>() {
                Ok(bytes) => bytes.as_bytes().to_vec(),
                Err(_) => {
                    let found = shown(&bytes);
                    return Err(PyTypeError::new_err(format!("evaluator: its identity is to be bytes, not {found}")));
                }
            },
        };
        let function = Function {
            function: Mutex::new(Some(function.clone().unbind())),
            place: function.as_ptr() as usize,
            most,
            each: each.clamp(1, most),
            identity,
            turn: Mutex::default(),
            failure: Mutex::default(),
            alarm,
        };
        Ok(Self(Arc::new(function)))
    }

    /// A search begins. Returns how many batches have failed.
    pub fn begin(&self) -> u64 {
        let mut failure = lock(&self.0.failure);
        failure.is_lasting = false;
        failure.count
    }

    /// How many batches have failed.
    pub fn failures(&self) -> u64 {
        lock(&self.0.failure).count
    }

    /// The exception of the last call that failed.
    pub fn error(&self, py: Python<'_>) -> Option<Py<PyBaseException>> {
        lock(&self.0.failure).error.as_ref().map(|error| error.clone_ref(py))
    }

    /// What tells its function from others.
    pub fn place(&self) -> usize {
        self.0.place
    }

    /// Shows the garbage collector what is held here. Whoever has a lock holds it for a moment, and not for nothing.
    pub fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        let Function { function, failure, .. } = &*self.0;
        if let (Ok(function), Ok(failure)) = (function.try_lock(), failure.try_lock()) {
            visit.call(&*function)?;
            visit.call(&failure.error)?;
        }
        Ok(())
    }

    /// Lets go of what is held here.
    pub fn clear(&self) {
        let held = (lock(&self.0.function).take(), lock(&self.0.failure).error.take());
        drop(held);
    }
}

impl Evaluators for Net {
    fn amazons(&self, _: &Variant) -> Option<Box<dyn Evaluator<Amazons>>> {
        Some(Box::new(self.clone()))
    }

    fn desdemona(&self, _: &Variant) -> Option<Box<dyn Evaluator<Desdemona>>> {
        Some(Box::new(self.clone()))
    }

    fn damone(&self, _: &Variant) -> Option<Box<dyn Evaluator<Damone>>> {
        Some(Box::new(self.clone()))
    }

    fn general(&self, _: &Variant) -> Option<Box<dyn Evaluator<General>>> {
        Some(Box::new(self.clone()))
    }
}

impl<P: Encoded> Evaluator<P> for Net {
    fn evaluate(&self, position: &P) -> Evaluation {
        let mut leaves = vec![Leaf::new(position.clone())];
        self.evaluate_batch(&mut leaves);
        Evaluation::Estimate(leaves[0].value)
    }

    fn policy(&self, position: &P, _: &[P::Step], logits: &mut [f32]) {
        let mut leaves = vec![Leaf::new(position.clone())];
        self.evaluate_batch(&mut leaves);
        logits.copy_from_slice(&leaves[0].logits);
    }

    fn explain(&self, position: &P) -> (Value, Vec<Term>) {
        (self.evaluate(position).value(), Vec::new())
    }

    fn identity(&self) -> Vec<u8> {
        self.0.identity.clone()
    }

    fn batch(&self) -> Option<usize> {
        Some(self.0.each)
    }

    fn evaluate_batch(&self, leaves: &mut Vec<Leaf<P>>) -> bool {
        if self.0.has_failed() {
            return false;
        }
        // Boards of several sizes, one after another.
        let mut rest: Vec<usize> = (0..leaves.len()).collect();
        while let Some(&first) = rest.first() {
            let size = leaves[first].position.board_size();
            let (now, later) = rest.into_iter().partition(|&leaf| leaves[leaf].position.board_size() == size);
            rest = later;
            let now: Vec<usize> = now;
            for part in now.chunks(self.0.most) {
                if let Err(error) = self.0.evaluate(leaves, part) {
                    self.0.fail(error);
                    return false;
                }
            }
        }
        true
    }
}

impl Function {
    /// Whether the last call failed and no search has begun since.
    fn has_failed(&self) -> bool {
        let mut failure = lock(&self.failure);
        failure.count += u64::from(failure.is_lasting);
        failure.is_lasting
    }

    fn fail(&self, error: PyErr) {
        if let Some(alarm) = &self.alarm {
            alarm(&error);
        }
        let error = Python::try_attach(|py| error.into_value(py));
        let mut failure = lock(&self.failure);
        failure.count += 1;
        let before = std::mem::replace(&mut failure.error, error);
        failure.is_lasting = true;
        drop(failure);
        drop(before);
    }

    /// Evaluates the leaves of these indices, whose boards are of one size.
    fn evaluate<P: Encoded>(&self, leaves: &mut [Leaf<P>], chosen: &[usize]) -> PyResult<()> {
        let shapes = Shapes::of(&leaves[chosen[0]].position, None).map_err(value_error)?;
        let mut drawn = vec![0u8; shapes.len() * chosen.len()];
        for (planes, &leaf) in drawn.chunks_exact_mut(shapes.len()).zip(chosen) {
            leaves[leaf].position.draw(shapes.layout, planes);
        }
        // The half-turns of all positions, in their order, each of which is that of a leaf's steps.
        let mut listed = Vec::new();
        chosen.iter().for_each(|&leaf| leaves[leaf].position.list(&shapes.layout, &mut listed));
        let mut listed = &listed[..];
        let [channels, height, width] = shapes.planes();
        let planes = Array4::from_shape_vec((chosen.len(), channels, height, width), drawn).map_err(value_error)?;
        let turn = lock(&self.turn);
        let told = Python::try_attach(|py| {
            let function = lock(&self.function).as_ref().map(|function| function.clone_ref(py));
            let function = function.ok_or_else(|| engine_error("the engine is closed"))?;
            let call = Call::of(self.place);
            // The array is the function's own, to keep or to write to.
            let mut answer = function.bind(py).call1((planes.into_pyarray(py),))?;
            // While a promised answer is waited for, the function may be called for another batch.
            drop(turn);
            if !answer.is_instance_of::<PyTuple>()
                && let Some(result) = answer.getattr_opt("result")?
            {
                answer = result.call0()?;
            }
            drop(call);
            let answer = Answer::read(&answer, chosen.len(), shapes.actions())?;
            for (row, &leaf) in chosen.iter().enumerate() {
                let (numbers, rest) = listed.split_at(leaves[leaf].steps.len());
                listed = rest;
                answer.give(row, &mut leaves[leaf], numbers)?;
            }
            Ok(())
        });
        // While the interpreter ends, nobody waits for the result.
        told.unwrap_or_else(|| Err(value_error("the interpreter ends")))
    }
}

/// The function's answer.
struct Answer<'py> {
    logits: PyReadonlyArray2<'py, f32>,
    /// For each position one number, or the probabilities of a win, a draw and a loss.
    values: PyReadonlyArrayDyn<'py, f32>,
}

impl<'py> Answer<'py> {
    /// Reads logits of `actions` numbers and a value for each of `count` positions.
    fn read(answer: &Bound<'py, PyAny>, count: usize, actions: usize) -> PyResult<Self> {
        let (logits, values) = answer.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>().map_err(|_| {
            let found = answer.get_type();
            PyTypeError::new_err(format!("evaluator: a pair is expected, logits and values, not {found}"))
        })?;
        let (logits, values) = (floats("evaluator: the logits", &logits)?, floats("evaluator: the values", &values)?);
        let wrong = |name: &str, expected: String, found: &[usize]| {
            let found = PyTuple::new(answer.py(), found)?;
            Err(value_error(format!("evaluator: {name} of shape {expected} are expected, not {found}")))
        };
        if logits.shape() != [count, actions] {
            return wrong("logits", format!("({count}, {actions})"), logits.shape());
        }
        if !matches!(values.shape(), &[rows] | &[rows, 1 | 3] if rows == count) {
            return wrong("values", format!("({count},), ({count}, 1) or ({count}, 3)"), values.shape());
        }
        Ok(Self {
            logits: logits.cast_into::<PyArray2<f32>>()?.try_readonly().map_err(value_error)?,
            values: values.try_readonly().map_err(value_error)?,
        })
    }

    /// Writes the row of a leaf into it; `numbers` are those of its steps, in their order.
    fn give<P: Position>(&self, row: usize, leaf: &mut Leaf<P>, numbers: &[(u32, P::Step)]) -> PyResult<()> {
        let logits = self.logits.as_array();
        let logits = logits.row(row);
        debug_assert!(numbers.iter().map(|(_, step)| step).eq(&leaf.steps));
        for (logit, &(number, _)) in leaf.logits.iter_mut().zip(numbers) {
            *logit = logits[number as usize];
            if !logit.is_finite() {
                let text = format!("evaluator: the logit {logit} of row {row} and legal action {number} is not finite");
                return Err(value_error(text));
            }
        }
        leaf.value = self.value(row, leaf.position.side_to_move())?;
        Ok(())
    }

    /// The value of a row from White's view; `side` is to move there.
    fn value(&self, row: usize, side: Side) -> PyResult<Value> {
        let all = self.values.as_slice().map_err(value_error)?;
        let width = all.len() / self.logits.shape()[0];
        let (own, draw) = match all[row * width..][..width] {
            [value] if value.abs() <= 1.0 + ROUNDING => (value.clamp(-1.0, 1.0).midpoint(1.0), 0.0),
            [win, draw, loss] => {
                let all = win + draw + loss;
                if !([win, draw, loss].iter().all(|&share| share >= -ROUNDING) && (all - 1.0).abs() <= 10.0 * ROUNDING)
                {
                    let text = "are not the probabilities of a win, a draw and a loss, which sum to 1";
                    return Err(value_error(format!(
                        "evaluator: the values {win}, {draw}, {loss} of row {row} {text}"
                    )));
                }
                ((draw.midpoint(2.0 * win) / all).clamp(0.0, 1.0), (draw / all).clamp(0.0, 1.0))
            }
            [value] => {
                return Err(value_error(format!("evaluator: the value {value} of row {row} is not from -1 to 1")));
            }
            _ => return Err(value_error("evaluator: values are missing")),
        };
        Ok(Value { white: if side == Side::White { own } else { 1.0 - own }, draw })
    }
}

/// Speaks UCI on standard input and output until `quit` or the end of the input, with a net that gets up to `batch`
/// positions at once, or without one by the built-in evaluation. The option `EvalNet` names other nets; `load` makes an
/// evaluator of a name. If a net raises something, a line says so, and the process ends.
#[pyfunction]
fn serve_evaluator(
    py: Python<'_>,
    evaluator: Option<&Bound<'_, PyAny>>,
    batch: &Bound<'_, PyAny>,
    load: Py<PyAny>,
) -> PyResult<()> {
    check_numpy(py)?;
    let batch = whole("batch", batch, bounds("batch"))?;
    let output = Output::new(std::io::stdout());
    let told = output.clone();
    let net = move |evaluator: &Bound<'_, PyAny>| {
        let told = told.clone();
        let alarm: Alarm = Box::new(move |error| {
            told.error(&format!("the evaluator failed: {error}"));
            std::process::exit(1);
        });
        Net::new(evaluator, batch, batch, Some(alarm)).map(Model::own)
    };
    let model = evaluator.map_or_else(|| Ok(Model::default()), &net)?;
    let by_name = move |name: &str| {
        Python::attach(|py| {
            let loaded = load.call1(py, (name,)).and_then(|evaluator| net(evaluator.bind(py)));
            loaded.map_err(|error| one_line(error.value(py)))
        })
    };
    let session = Session::new(output.clone(), model).with_nets(Box::new(by_name));
    py.detach(|| serve_session(BufReader::new(std::io::stdin()), session, output)).map_err(engine_error)
}

/// The message of an exception, on one line.
fn one_line(error: &Bound<'_, PyBaseException>) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(serve_evaluator, module)?)
}
