//! Half-turns as numbers, with what a search or the evaluation alone says of them: `info.Policy`.

use crate::encoding::{Encoded, Shapes};
use hippolyta::engine::{Board, HalfTurn};
use hippolyta::games::{Side, Step, with_family};
use numpy::PyArray1;
use pyo3::prelude::*;
use std::collections::HashMap;

/// No half-turn.
const NONE: i64 = -1;

/// The half-turns of a search as numbers.
#[derive(Default)]
pub struct Policy {
    /// The action before each half-turn in its turn, −1 if it begins one.
    begun: Vec<i64>,
    action: Vec<i64>,
    visits: Vec<u32>,
    prior: Vec<f32>,
    /// The mean for the side to move, −1 … 1; not a number if it is not known.
    value: Vec<f32>,
}

/// The arrays of `info.Policy`, in the order of its fields.
type Arrays<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<u32>>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray1<f32>>,
);

/// The numbers of all steps of a position, by their codes.
fn numbers<P: Encoded>(position: &P, shapes: &Shapes) -> HashMap<u16, i64> {
    position.actions(&shapes.layout).into_iter().map(|(number, step)| (step.code(), number.into())).collect()
}

impl Policy {
    /// The half-turns of a search of the board, with their visits, priors and values.
    pub fn of_search(board: &Board, halves: &[HalfTurn]) -> Self {
        with_family!(board.variant(), P => board.game::<P>().map(|game| Self::of(game.current(), halves)))
            .unwrap_or_default()
    }

    /// The half-turns that begin a turn, or go on with one that has begun, by their codes, with their priors and nothing
    /// else.
    pub fn of_priors(board: &Board, begun: &[u16], priors: &[(u16, f32)]) -> Self {
        let half = |&(code, prior): &(u16, f32)| {
            let codes = begun.iter().copied().chain([code]).collect();
            HalfTurn { codes, visits: 0, prior, white: None, proven: None }
        };
        Self::of_search(board, &priors.iter().map(half).collect::<Vec<_>>())
    }

    fn of<P: Encoded>(root: &P, halves: &[HalfTurn]) -> Self {
        let mut policy = Self::default();
        let Ok(shapes) = Shapes::of(root, None) else { return policy };
        let firsts = numbers(root, &shapes);
        let mut seconds: HashMap<u16, HashMap<u16, i64>> = HashMap::new();
        let number = |known: &HashMap<u16, i64>, code: u16| known.get(&code).copied().unwrap_or(NONE);
        for half in halves {
            let (begun, action) = match half.codes[..] {
                [first, second] => {
                    let after = || numbers(&root.after(P::Step::from_code(first)), &shapes);
                    (number(&firsts, first), number(seconds.entry(first).or_insert_with(after), second))
                }
                _ => (NONE, number(&firsts, half.codes[0])),
            };
            policy.begun.push(begun);
            policy.action.push(action);
            policy.visits.push(half.visits);
            policy.prior.push(half.prior);
            let own = |white: f32| 2.0 * if root.side_to_move() == Side::White { white } else { 1.0 - white } - 1.0;
            policy.value.push(half.white.map_or(f32::NAN, own));
        }
        policy
    }

    pub fn arrays<'py>(&self, py: Python<'py>) -> Arrays<'py> {
        let Self { begun, action, visits, prior, value } = self;
        (
            PyArray1::from_slice(py, begun),
            PyArray1::from_slice(py, action),
            PyArray1::from_slice(py, visits),
            PyArray1::from_slice(py, prior),
            PyArray1::from_slice(py, value),
        )
    }
}
