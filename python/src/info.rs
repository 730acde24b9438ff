//! Analyses as dictionaries, of which `hippolyta/info.py` makes typed objects.

use crate::board::{move_object, side_object};
use crate::errors::engine_error;
use crate::policy::Policy;
use hippolyta::engine::{Analysis, Assessment, Branch, Owned, Score};
use hippolyta::games::Side;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Expected score, win, draw, loss, plies to the end, whether it is proven, centipawns, side.
type Numbers<'py> = (f64, f64, f64, f64, Option<u32>, bool, i32, Bound<'py, PyAny>);

fn numbers(py: Python<'_>, score: Score, side: Side) -> PyResult<Numbers<'_>> {
    let (win, draw) = match score {
        Score::Estimate { score, draw } => {
            ((f64::from(score) - f64::from(draw) / 2.0).clamp(0.0, 1.0), f64::from(draw))
        }
        Score::Win { .. } => (1.0, 0.0),
        Score::Loss { .. } => (0.0, 0.0),
        Score::Draw => (0.0, 1.0),
    };
    let plies = match score {
        Score::Win { plies } | Score::Loss { plies } => Some(plies),
        Score::Estimate { .. } | Score::Draw => None,
    };
    let mut odds = [win, draw, (1.0 - win - draw).max(0.0)];
    // Only what is proven is certain.
    if !score.is_proven() && odds.iter().any(|&share| share > 0.999) {
        odds = score.per_mille().map(|share| f64::from(share) / 1000.0);
    }
    let [win, draw, loss] = odds;
    let expected = f64::from(score.expected());
    Ok((expected, win, draw, loss, plies, score.is_proven(), score.centipawns(), side_object(py, side)?.clone()))
}

/// The result of a search, as the arguments of `info.made`.
pub fn info<'py>(py: Python<'py>, analysis: &Analysis) -> PyResult<Bound<'py, PyDict>> {
    let side = analysis.side;
    let dict = PyDict::new(py);
    dict.set_item("side", side_object(py, side)?)?;
    dict.set_item("fen", &analysis.fen)?;
    dict.set_item("score", numbers(py, analysis.score, side)?)?;
    dict.set_item("search_score", numbers(py, analysis.search_score, side)?)?;
    dict.set_item("spread", analysis.spread)?;
    let line = |line: &hippolyta::engine::Line| {
        Ok((
            line.turns.iter().map(|turn| move_object(py, turn)).collect::<PyResult<Vec<_>>>()?,
            numbers(py, line.score, side)?,
            line.visits,
            line.prior,
            numbers(py, line.search_score, side)?,
            line.is_uncertain(),
        ))
    };
    dict.set_item("lines", analysis.lines.iter().map(line).collect::<PyResult<Vec<_>>>()?)?;
    dict.set_item("depth", analysis.depth)?;
    dict.set_item("selective_depth", analysis.selective_depth)?;
    dict.set_item("nodes", analysis.nodes)?;
    dict.set_item("visits", analysis.visits)?;
    dict.set_item("time", analysis.time.as_secs_f64())?;
    dict.set_item("hash_full", f64::from(analysis.hash_full) / 1000.0)?;
    dict.set_item("exact_hits", analysis.exact_hits)?;
    dict.set_item("last", analysis.last)?;
    dict.set_item("owned", json(&analysis.owned)?)?;
    Ok(dict)
}

fn json(owned: &Owned) -> PyResult<String> {
    serde_json::to_string(owned).map_err(engine_error)
}

/// The evaluation of a position, as the arguments of `info.evaluated`.
pub fn assessed<'py>(py: Python<'py>, told: &Assessment, policy: Option<&Policy>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("side", side_object(py, told.side)?)?;
    dict.set_item("score", numbers(py, told.score, told.side)?)?;
    dict.set_item("search_score", numbers(py, told.search_score, told.side)?)?;
    if let Some(policy) = policy {
        dict.set_item("policy", policy.arrays(py))?;
    }
    dict.set_item("owned", json(&told.owned)?)?;
    Ok(dict)
}

/// A half-turn in the tree of a search, as the arguments of `info.branches`.
pub fn branch<'py>(py: Python<'py>, told: &Branch) -> PyResult<Bound<'py, PyTuple>> {
    let expected = if told.side == Side::White { told.white } else { 1.0 - told.white };
    let children = told.children.iter().map(|child| branch(py, child)).collect::<PyResult<Vec<_>>>()?;
    let side = side_object(py, told.side)?;
    let is_proven = told.proven.is_some();
    (&told.text, told.is_whole, side, told.visits, told.prior, expected, is_proven, children).into_pyobject(py)
}
