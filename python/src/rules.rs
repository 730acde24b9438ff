//! Rule sets of one's own, which `hippolyta/rules.py` asks for.

use crate::class::Class;
use crate::errors::at;
use hippolyta::engine::load_rules;
use hippolyta::games::general::{RuleSet, RulesFile};
use hippolyta::games::variant::{self, Variant};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::path::PathBuf;

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(rules_of_text, module)?)?;
    module.add_function(wrap_pyfunction!(rules_of_file, module)?)?;
    module.add_function(wrap_pyfunction!(rules_facts, module)?)
}

/// Python's object for a rule set: a name, or `hippolyta.Rules` for one's own.
pub fn variant_object<'py>(py: Python<'py>, variant: &Variant) -> PyResult<Bound<'py, PyAny>> {
    static CLASS: Class = Class::new("hippolyta.rules", "Rules");
    match variant.own() {
        None => Ok(PyString::new(py, variant.name()).into_any()),
        Some(own) => CLASS.get(py)?.call1((own.line(),)),
    }
}

fn lines(file: &RulesFile) -> Vec<String> {
    file.sets.iter().map(|set| set.variant().text()).collect()
}

/// The rule sets of a text, each as a line.
#[pyfunction]
fn rules_of_text(text: &str) -> PyResult<Vec<String>> {
    let wrong = |line, message| PyValueError::new_err(format!("line {line}: {message}"));
    RulesFile::parse("", text).map(|file| lines(&file)).map_err(|error| wrong(error.line, error.message))
}

/// Those of a file.
#[pyfunction]
fn rules_of_file(py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
    // For the exceptions that Python has for files.
    drop(std::fs::File::open(&path).map_err(at(&path))?);
    py.detach(|| load_rules(&path)).map(|file| lines(&file)).map_err(PyValueError::new_err)
}

/// Of a line: name, title, description, sentences in English, the FEN of the start, and the line of all rule sets that
/// are equal.
type Facts = (String, String, String, Vec<String>, String, String);

#[pyfunction]
fn rules_facts(line: &str) -> PyResult<Facts> {
    let found = variant::find(line).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let own = found.own().ok_or_else(|| PyValueError::new_err(format!("{line} is no rule set of one's own")))?;
    let RuleSet { name, title, description, start, .. } = own.clone();
    let equal = RuleSet { title: String::new(), description: String::new(), ..own.clone() }.line();
    Ok((name, title, description, own.sentences(), start, equal))
}
