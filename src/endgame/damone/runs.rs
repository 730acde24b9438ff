//! How many quiet plies in a row a win takes.

use super::DRAW;
use super::index::Class;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// Where a turn leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    /// The value there.
    pub value: u8,
    /// The number there, if the turn is reversible and the game goes on.
    pub number: Option<usize>,
}

/// A function of a position's number. It calls its second argument with the [`Next`] of every turn from there.
pub(super) type Turns<'a> = dyn Fn(usize, &mut dyn FnMut(Next)) + Sync + 'a;

/// The longest run of reversible plies, and the one that ends it, in all games from positions of `class` in
/// which the winner plays any of the turns that win soonest and the loser plays anything.
pub(super) fn longest_run(class: &Class, values: &[u8], turns: &Turns<'_>) -> u8 {
    let numbers = &class.numbers;
    let runs: Vec<AtomicU8> = numbers.clone().map(|_| AtomicU8::new(0)).collect();
    let longest = values[numbers.clone()].par_iter().copied().filter(|&value| value < DRAW).max().unwrap_or(0);
    // Turns lead to fewer plies: those have their runs already.
    for plies in 1..=longest {
        let of_these = numbers.clone().into_par_iter().with_min_len(4_096).filter(|&number| values[number] == plies);
        of_these.for_each(|number| {
            let mut run = 0;
            turns(number, &mut |Next { value, number }| {
                let winner_hurries = plies % 2 == 0 || value == plies - 1;
                if winner_hurries {
                    let rest = number.map_or(0, |number| runs[number - numbers.start].load(Relaxed));
                    run = run.max(rest.saturating_add(1));
                }
            });
            runs[number - numbers.start].store(run, Relaxed);
        });
    }
    runs.into_iter().map(AtomicU8::into_inner).max().unwrap_or(0)
}
