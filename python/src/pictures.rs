//! Pictures of positions, which `hippolyta/svg.py` asks for.

use crate::errors::{FenError, find};
use hippolyta::board::Square;
use hippolyta::engine::{Both, Owned, Owner, Pieces, RegionInfo, Territory};
use hippolyta::games::{Fen, Side, Turn};
use hippolyta_protocol::pictures::{self, Arrow, ArrowKind, Picture};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::HashMap;

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(colours, module)?)?;
    module.add_function(wrap_pyfunction!(picture, module)?)?;
    module.add_function(wrap_pyfunction!(squares_of, module)?)
}

/// The colours of drawings by their names in the page's style sheet.
#[pyfunction]
fn colours() -> HashMap<&'static str, &'static str> {
    pictures::colours().collect()
}

/// The squares that a turn names in whatever spelling; `d1d7,d7g7` names d7 twice.
fn squares(turn: &str) -> Vec<Square> {
    let text = turn.to_lowercase();
    let (mut rest, mut found) = (text.as_str(), Vec::new());
    while !rest.is_empty() {
        rest = match Square::parse_prefix(rest) {
            Ok((square, after)) => {
                found.push(square);
                after
            }
            Err(_) => rest.char_indices().nth(1).map_or("", |(at, _)| &rest[at..]),
        };
    }
    found.dedup();
    found
}

/// The squares of a turn in the order in which a person names them, whatever its spelling.
///
/// >>> from hippolyta.svg import squares_of
/// >>> squares_of("d1d7,d7g7"), squares_of("c2xe4xg6")
/// (['d1', 'd7', 'g7'], ['c2', 'e4', 'g6'])
#[pyfunction]
fn squares_of(turn: &str) -> Vec<String> {
    squares(turn).iter().map(Square::to_string).collect()
}

/// Turn, kind, label, weight.
type Arrows = Vec<(String, String, String, f64)>;

/// Owner, squares, White's and Black's turns, and what the region is worth.
type Regions = Vec<(Option<String>, Vec<String>, [u32; 2], [u32; 2], [i32; 2])>;

/// Ownership by the side to move, of each square or of those that are named.
#[derive(FromPyObject)]
enum Ownership {
    Named(HashMap<String, Option<f64>>),
    All(Vec<Option<f64>>),
}

fn arrow_kind(name: &str) -> PyResult<ArrowKind> {
    let kind = ArrowKind::ALL.into_iter().find(|kind| kind.name() == name);
    kind.ok_or_else(|| PyValueError::new_err(format!("arrows: '{name}' is no kind of arrow")))
}

fn square(what: &str, name: &str, pieces: &Pieces) -> PyResult<Square> {
    let square = name.parse().ok().filter(|&square| pieces.contains(square));
    square.ok_or_else(|| PyValueError::new_err(format!("{what}: '{name}' is no square of this board")))
}

fn ownership(given: Ownership, pieces: &Pieces) -> PyResult<Vec<Option<f64>>> {
    let squares: Vec<_> = pieces.squares().map(|(square, _)| square).collect();
    match given {
        Ownership::All(values) if values.len() == squares.len() => Ok(values),
        Ownership::All(values) => {
            let text = format!("ownership: {} values for {} squares", values.len(), squares.len());
            Err(PyValueError::new_err(text))
        }
        Ownership::Named(values) => {
            let mut known = HashMap::new();
            for (name, value) in values {
                known.insert(square("ownership", &name, pieces)?, value);
            }
            Ok(squares.iter().map(|square| known.get(square).copied().flatten()).collect())
        }
    }
}

fn territory(regions: Regions, pieces: &Pieces) -> PyResult<Territory> {
    let region = |(owner, names, white, black, worth): (Option<String>, Vec<String>, _, _, _)| {
        let owner = match owner.as_deref() {
            Some("white") => Owner::Territory(Side::White),
            Some("black") => Owner::Territory(Side::Black),
            _ => Owner::Contested,
        };
        let squares = names.iter().map(|name| square("territory", name, pieces)).collect::<PyResult<Vec<_>>>()?;
        let empty = squares.iter().filter(|&&square| pieces.at(square).is_none()).count() as u32;
        Ok(RegionInfo { owner, squares, empty, turns: Both { white, black }, worth })
    };
    let regions = regions.into_iter().map(region).collect::<PyResult<_>>()?;
    Ok(Territory { regions, turns_left: Both { white: [0; 2], black: [0; 2] }, margin: None, winner: None })
}

/// A position as SVG.
#[pyfunction]
#[pyo3(signature = (
    fen, variant, *, size, last_turn, arrows, ownership, regions, course, at, caption, coordinates, flipped
))]
#[allow(clippy::too_many_arguments)]
fn picture(
    fen: &str,
    variant: &str,
    size: f64,
    last_turn: Option<&str>,
    arrows: Arrows,
    ownership: Option<Ownership>,
    regions: Option<Regions>,
    course: Option<Vec<f64>>,
    at: Option<usize>,
    caption: Vec<String>,
    coordinates: bool,
    flipped: bool,
) -> PyResult<String> {
    if !(size > 0.0 && size <= 100_000.0) {
        return Err(PyValueError::new_err(format!("size: {size} is no number of pixels")));
    }
    let variant = &find(variant)?;
    let fen: Fen = fen.parse().map_err(|error: hippolyta::games::FenError| FenError::new_err(error.to_string()))?;
    let known: HashMap<_, _> = fen.pieces.iter().copied().collect();
    let pieces = Pieces::new((fen.files, fen.ranks), |square| known.get(&square).copied());
    let fires = variant.traits().fires;
    let turn = |text: &str| {
        let found = match squares(text)[..] {
            [from, to, at] if fires => Some(Turn::firing(from, to, at)),
            ref path => Turn::along(path.iter().copied()),
        };
        let found = found.filter(|turn| turn.squares().iter().all(|&square| pieces.contains(square)));
        found.ok_or_else(|| PyValueError::new_err(format!("'{text}' is no turn on this board")))
    };
    let mut picture = Picture::of(variant, pieces.clone(), fen.side).size(size);
    if let Some(last) = last_turn {
        picture = picture.last_turn(&turn(last)?);
    }
    for (text, kind, label, weight) in arrows {
        picture = picture.arrow(Arrow { label, weight, ..Arrow::new(&turn(&text)?, arrow_kind(&kind)?) });
    }
    let ownership = ownership.map(|given| self::ownership(given, &pieces)).transpose()?;
    let territory = regions.map(|regions| territory(regions, &pieces)).transpose()?;
    picture = picture.owned(&Owned { ownership, territory, ..Owned::default() });
    if let Some(scores) = course {
        picture = picture.course(&scores, at.unwrap_or(scores.len().saturating_sub(1)));
    }
    picture = caption.iter().fold(picture, |picture, line| picture.caption(line));
    picture = if coordinates { picture } else { picture.without_coordinates() };
    picture = if flipped { picture.flipped() } else { picture };
    Ok(picture.svg())
}
