//! The second pass: every value anew from those of the turns, by the rules of play themselves.
//!
//! Values that agree everywhere are right. Wins and losses lead to ends of games by as many plies as they say. And
//! where a draw is said, no turn leads to a loss of the other side and one leads to a draw, so that neither side ever
//! has to leave the draws.

use super::index::Class;
use super::runs::{Next, longest_run};
use super::{DRAW, NONE, Tables};
use crate::games::damone::Damone;
use crate::games::{Outcome, Position, Side};
use rayon::prelude::*;
use std::ops::ControlFlow;

/// Where tables are wrong.
#[derive(Clone, Debug)]
pub enum Mistake {
    /// The value of a position does not follow from its turns.
    Value(Box<Damone>),
    /// A number that no position has, or whose game is over, has a value, or the other way round.
    Number(usize),
    /// The longest run of quiet plies.
    Run {
        /// The longest run of the values.
        found: u8,
        /// The longest run that the tables state.
        said: u8,
    },
}

/// Checks tables in the rayon pool that it is called from. `progress` is told how many numbers were done.
///
/// # Errors
///
/// The first mistake found.
pub fn verify(tables: &Tables, progress: &dyn Fn(u64)) -> Result<(), Mistake> {
    let mut found = 0;
    for class in tables.index.classes() {
        let checked = class.numbers.clone().into_par_iter().with_min_len(4_096);
        if let Some(mistake) = checked.find_map_first(|number| check(tables, number)) {
            return Err(mistake);
        }
        found = found.max(run(tables, class));
        progress(class.numbers.len() as u64);
    }
    let said = tables.longest_run;
    if found == said { Ok(()) } else { Err(Mistake::Run { found, said }) }
}

fn position(tables: &Tables, number: usize) -> Option<Damone> {
    tables.index.board(number).map(|board| Damone::new(tables.rules, board, Side::White, 0))
}

/// The value of a position that a turn has led to.
fn value(tables: &Tables, position: &Damone) -> u8 {
    if position.outcome() == Some(Outcome::Win(!position.side_to_move())) {
        return 0;
    }
    let number = tables.index.number(position.board(), position.side_to_move());
    number.map_or(NONE, |number| tables.values[number])
}

fn check(tables: &Tables, number: usize) -> Option<Mistake> {
    let said = tables.values[number];
    let position = position(tables, number);
    let expected = match position.as_ref().map(|position| (position, position.outcome())) {
        None | Some((_, Some(Outcome::Win(Side::White)))) => {
            return (said != NONE).then_some(Mistake::Number(number));
        }
        Some((_, Some(_))) => 0,
        Some((position, None)) => {
            let mut values = Vec::new();
            let _ = position.for_each_step(|step| {
                values.push(value(tables, &position.after(step)));
                ControlFlow::Continue(())
            });
            if values.contains(&NONE) {
                return Some(Mistake::Number(number));
            }
            let decided =
                |wins: bool| values.iter().copied().filter(move |&value| value < DRAW && (value % 2 == 0) == wins);
            match (decided(true).min(), decided(false).max()) {
                (Some(plies), _) => plies + 1,
                (None, Some(plies)) if !values.contains(&DRAW) => plies + 1,
                _ => DRAW,
            }
        }
    };
    position.filter(|_| said != expected).map(|position| Mistake::Value(Box::new(position)))
}

fn run(tables: &Tables, class: &Class) -> u8 {
    let turns = |number: usize, f: &mut dyn FnMut(Next)| {
        let Some(position) = position(tables, number) else { return };
        let _ = position.for_each_step(|step| {
            let after = position.after(step);
            let number = tables.index.number(after.board(), after.side_to_move());
            let goes_on = after.quiet() > 0 && after.outcome().is_none();
            f(Next { value: value(tables, &after), number: number.filter(|_| goes_on) });
            ControlFlow::Continue(())
        });
    };
    longest_run(class, &tables.values, &turns)
}
