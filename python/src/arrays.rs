//! Arrays from Python. Whatever takes one reads it here: what NumPy would bend into shape is refused, in plain words.

use crate::errors::check_numpy;
use crate::numbers::{shown, value_error};
use numpy::ndarray::{Dim, Dimension, IntoDimension};
use numpy::{
    BorrowError, Element, PyArray, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray,
    PyUntypedArrayMethods, dtype,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// What somebody gave as an array of NumPy: numbers, sequences, and whatever has DLPack or the buffer protocol.
fn array<'py>(name: &str, given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = given.py();
    check_numpy(py)?;
    let numpy = py.import("numpy")?;
    let read = || {
        if given.is_instance(&numpy.getattr("ndarray")?)? {
            return Ok(given.clone());
        }
        let given = readable(given)?;
        match given.hasattr("__dlpack__")? {
            true => numpy.call_method1("from_dlpack", (&given,)).or_else(|_| numpy.call_method1("asarray", (&given,))),
            false => numpy.call_method1("asarray", (&given,)),
        }
    };
    read().and_then(|array| Ok(array.cast_into::<PyUntypedArray>()?)).map_err(|error| {
        let why = error.value(py).to_string();
        let why = why.lines().next().unwrap_or_default();
        let wrong = value_error(format!("{name} cannot be read as an array: {why}"));
        wrong.set_cause(py, Some(error));
        wrong
    })
}

/// Kinds of memory, by DLPack's numbers, that the processor reads: its own, and what a GPU shares with it.
const READABLE: [i64; 4] = [1, 3, 11, 13];

/// A tensor of PyTorch as NumPy can read it: without gradients, in the processor's memory, in numbers that NumPy has.
/// Anything else stays as it is.
fn readable<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    type Needs = fn(&Bound<'_, PyAny>) -> PyResult<bool>;
    let has_gradients: Needs = |given| given.getattr_opt("requires_grad")?.map_or(Ok(false), |needs| needs.is_truthy());
    let is_elsewhere: Needs = |given| match given.getattr_opt("__dlpack_device__")? {
        Some(device) => Ok(!READABLE.contains(&device.call0()?.get_item(0)?.extract()?)),
        None => Ok(false),
    };
    let is_brief: Needs =
        |given| Ok(given.getattr_opt("dtype")?.is_some_and(|kind| kind.to_string().ends_with("bfloat16")));
    let mut given = given.clone();
    for (method, needs) in [("detach", has_gradients), ("cpu", is_elsewhere), ("float", is_brief)] {
        if needs(&given)? && given.hasattr(method)? {
            given = given.call_method0(method)?;
        }
    }
    Ok(given)
}

/// The type of an array's numbers: the letter of its kind, and its name.
fn kind(array: &Bound<'_, PyUntypedArray>) -> PyResult<(char, String)> {
    let kind = array.dtype();
    Ok((kind.getattr("kind")?.extract()?, kind.getattr("name")?.extract()?))
}

/// Whole numbers, row by row, and their shape. `TypeError` with the place if others are among them.
pub fn whole_numbers(name: &str, given: &Bound<'_, PyAny>) -> PyResult<(Vec<usize>, Vec<i64>)> {
    let array = array(name, given)?;
    let shape = array.shape().to_vec();
    if array.len() == 0 {
        return Ok((shape, Vec::new()));
    }
    let (kind, type_name) = kind(&array)?;
    if matches!(kind, 'i' | 'u') {
        let numbers = given.py().import("numpy")?.call_method1("ascontiguousarray", (&array, "int64"))?;
        let numbers = numbers.cast_into::<PyArrayDyn<i64>>()?.to_vec()?;
        // Too large ones without a sign have one now.
        if kind == 'i' || numbers.iter().all(|&number| number >= 0) {
            return Ok((shape, numbers));
        }
    }
    let all: Vec<Bound<'_, PyAny>> = array.call_method0("ravel")?.call_method0("tolist")?.extract()?;
    let is_wrong = |one: &Bound<'_, PyAny>| match one.extract::<f64>() {
        Ok(number) if kind == 'f' => number.fract() != 0.0,
        _ => one.extract::<i64>().is_err(),
    };
    let found = all.iter().position(is_wrong).unwrap_or(0);
    // The place of a number in the row of all.
    let (mut rest, mut place) = (found, vec![0; shape.len()]);
    for (at, &length) in shape.iter().enumerate().rev() {
        (place[at], rest) = (rest % length, rest / length);
    }
    let (one, place) = (shown(&all[found]), place.iter().map(usize::to_string).collect::<Vec<_>>().join(", "));
    Err(PyTypeError::new_err(format!(
        "{name}: whole numbers of 64 bits are expected, not {type_name}: {one} at [{place}]"
    )))
}

/// 32-bit floats, one after the other, from numbers with or without fractions.
pub fn floats<'py>(name: &str, given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
    let array = array(name, given)?;
    let (kind, type_name) = kind(&array)?;
    if !matches!(kind, 'f' | 'i' | 'u') && !type_name.contains("float") {
        return Err(PyTypeError::new_err(format!("{name}: an array of numbers is expected, not of {type_name}")));
    }
    let numpy = given.py().import("numpy")?;
    Ok(numpy.call_method1("ascontiguousarray", (array, "float32"))?.cast_into()?)
}

/// An array of this shape, `out` if it is given, after `fill` has written all its numbers without the GIL.
pub fn filled<'py, T: Element + Send, const N: usize>(
    py: Python<'py>,
    out: Option<Bound<'py, PyAny>>,
    shape: [usize; N],
    fill: impl FnOnce(&mut [T]) + Send,
) -> PyResult<Bound<'py, PyArray<T, Dim<[usize; N]>>>>
where
    Dim<[usize; N]>: Dimension,
    [usize; N]: IntoDimension<Dim = Dim<[usize; N]>>,
{
    check_numpy(py)?;
    let out = match out {
        None => PyArray::zeros(py, shape, false),
        Some(given) => {
            let expected = dtype::<T>(py);
            let Ok(array) = given.cast::<PyUntypedArray>() else {
                let found = given.get_type();
                let text = format!("out: an array of {expected} is expected, not {}", found.name()?);
                return Err(PyTypeError::new_err(text));
            };
            if !array.dtype().is_equiv_to(&expected) {
                let text = format!("out: an array of {expected} is expected, not of {}", array.dtype());
                return Err(PyTypeError::new_err(text));
            }
            if array.shape() != shape {
                return Err(value_error(format!("out: shape {:?}, expected is {shape:?}", array.shape())));
            }
            given.cast_into::<PyArray<T, Dim<[usize; N]>>>()?
        }
    };
    let mut whole = out.try_readwrite().map_err(|refused| match refused {
        BorrowError::AlreadyBorrowed => value_error("out: another thread is at work on it"),
        _ => value_error("out: an array that can be written is expected"),
    })?;
    let numbers = whole.as_slice_mut().map_err(|_| value_error("out: an array without gaps is expected"))?;
    py.detach(|| fill(numbers));
    drop(whole);
    Ok(out)
}
