//! Numbers from Python, with names and bounds in their errors.

use hippolyta_protocol::{Kind, OPTIONS};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use std::time::Duration;

/// A `ValueError` that says so.
pub fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The least and the greatest value of an option of UCI.
fn option(name: &str) -> [u64; 2] {
    let found = OPTIONS.iter().find(|spec| spec.name == name);
    match found.map(|spec| spec.kind) {
        Some(Kind::Spin { min, max, .. }) => [min, max],
        _ => [0, u64::MAX],
    }
}

/// The bounds of what a search is told: those of the options of UCI, and of the numbers of its `go`.
pub fn bounds(name: &str) -> [u64; 2] {
    match name {
        "threads" | "jobs" => option("Threads"),
        "hash" => option("Hash"),
        "multipv" => option("MultiPV"),
        "seed" => option("Seed"),
        "batch" => [1, 65_536],
        "elo" => option("UCI_Elo"),
        "depth" | "mate" | "moves_to_go" => [1, u64::from(u32::MAX)],
        _ => [1, u64::MAX],
    }
}

/// How a value reads in an error.
pub fn shown(value: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 80;
    let Ok(text) = value.repr() else { return "a number too long to show".to_owned() };
    let text = text.to_string_lossy();
    let short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() { short + "…" } else { short }
}

/// A whole number; `None` if it is too large for any type.
fn any_whole(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<i128>> {
    match value.extract::<i128>() {
        Ok(number) if !value.is_instance_of::<PyBool>() => Ok(Some(number)),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => Ok(None),
        _ => Err(PyTypeError::new_err(format!("{name}: a whole number is expected, not {}", shown(value)))),
    }
}

/// A whole number within bounds: `TypeError` if it is none, `ValueError` if it is out of them.
pub fn whole<T: TryFrom<i128>>(
    name: &str,
    value: &Bound<'_, PyAny>,
    [least, most]: [impl Into<i128>; 2],
) -> PyResult<T> {
    let (least, most) = (least.into(), most.into());
    let number = any_whole(name, value)?.filter(|number| (least..=most).contains(number));
    number
        .and_then(|number| T::try_from(number).ok())
        .ok_or_else(|| value_error(format!("{name}: {} is not from {least} to {most}", shown(value))))
}

/// A number that names one of several things, such as an action; `None` if it can be none of them.
pub fn index<T: TryFrom<i128>>(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Option<T>> {
    Ok(any_whole(name, value)?.and_then(|number| T::try_from(number).ok()))
}

/// The longest time that `go` can name, in milliseconds.
const LONGEST: Duration = Duration::from_millis(u64::MAX);

/// A time in seconds.
pub fn duration(name: &str, seconds: f64) -> PyResult<Duration> {
    let found = Duration::try_from_secs_f64(seconds).ok().filter(|&time| time <= LONGEST);
    found.ok_or_else(|| value_error(format!("{name}: {seconds} is not a time in seconds")))
}

/// The least and the greatest value of each number that a search is told, by name.
#[pyfunction(name = "bounds")]
fn all_bounds(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for name in ["threads", "jobs", "hash", "multipv", "seed", "batch", "elo", "nodes", "depth", "mate", "moves_to_go"]
    {
        let [least, most] = bounds(name);
        dict.set_item(name, (least, most))?;
    }
    Ok(dict)
}

/// A whole number from `least` to `most`: `TypeError` if it is none, `ValueError` if it is out of bounds.
#[pyfunction(name = "whole")]
fn checked_whole(name: &str, value: &Bound<'_, PyAny>, least: i128, most: i128) -> PyResult<i128> {
    whole(name, value, [least, most])
}

/// A time in seconds: `TypeError` if it is no number, `ValueError` if it is no time.
#[pyfunction]
fn seconds(name: &str, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    let number = value.extract::<f64>().or_else(|error| match error.is_instance_of::<PyOverflowError>(value.py()) {
        true => Ok(f64::INFINITY),
        false => Err(PyTypeError::new_err(format!("{name}: seconds are expected, not {}", shown(value)))),
    })?;
    duration(name, number)?;
    Ok(number)
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(all_bounds, module)?)?;
    module.add_function(wrap_pyfunction!(checked_whole, module)?)?;
    module.add_function(wrap_pyfunction!(seconds, module)?)
}
