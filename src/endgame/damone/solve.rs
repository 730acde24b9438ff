//! Retrograde analysis: from the ends of games back, ply by ply (Thompson, 1986).
//!
//! Materials are solved one class after the other, so that captures and promotions lead to what is known. Within a
//! class: at first only positions with captures and those without a turn have values. Then, for each number of plies,
//! it examines the positions from which a quiet step leads to one of the last round, and those from which a promotion
//! leads to a position of one ply less. What remains open is drawn.

use super::index::{Class, Index};
use super::runs::{Next, longest_run};
use super::{DRAW, LONGEST, NONE, Tables};
use crate::games::Side;
use crate::games::damone::{Board, Rank, Rules};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use thiserror::Error;

/// A game takes longer than a value can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a win takes more than {LONGEST} plies: the tables' format cannot hold that")]
pub struct TooLong;

/// Positions that a thread takes at a time.
const PORTION: usize = 4_096;

/// Solves all positions with two to `pieces` pieces in the rayon pool that it is called from. `progress` is told how
/// many numbers were done.
///
/// # Errors
///
/// If a win takes longer than a value can tell; with up to five pieces none does.
pub fn solve(rules: &'static Rules, pieces: usize, progress: &dyn Fn(u64)) -> Result<Tables, TooLong> {
    let index = Index::new(pieces);
    let mut values = vec![NONE; index.len()];
    let mut run = 0;
    for class in index.classes() {
        let mut solver = Solver { rules, index: &index, class, values: &mut values };
        solver.run()?;
        run = run.max(solver.longest_run());
        progress(class.numbers.len() as u64);
    }
    Ok(Tables::new(rules, index, values, run))
}

/// One class, with all values so far.
struct Solver<'a> {
    rules: &'static Rules,
    index: &'a Index,
    class: &'a Class,
    values: &'a mut [u8],
}

/// The findings of the first look at a position: its value so far, and the plies after which a promotion may decide it.
type FirstLook = (u8, Vec<u8>);

impl Solver<'_> {
    fn run(&mut self) -> Result<(), TooLong> {
        let start = self.class.numbers.start;
        self.values[self.class.numbers.clone()].fill(DRAW);
        let mut wakes = self.begin();
        wakes.sort_unstable();
        let mut wakes = wakes.into_iter().peekable();
        let marked: Vec<AtomicU64> = (0..self.class.numbers.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        for plies in 0..=LONGEST {
            while let Some((_, number)) = wakes.next_if(|wake| wake.0 == plies) {
                marked[(number - start) / 64].fetch_or(1 << ((number - start) % 64), Relaxed);
            }
            for number in self.decided(&marked, plies) {
                self.values[number] = plies;
            }
            self.mark(&marked, plies);
            let class = &self.values[self.class.numbers.clone()];
            let later = |value: &u8| (plies..DRAW).contains(value);
            if wakes.peek().is_none() && !class.par_chunks(PORTION).any(|values| values.iter().any(later)) {
                return Ok(());
            }
        }
        Err(TooLong)
    }

    fn longest_run(&self) -> u8 {
        let turns = |number: usize, f: &mut dyn FnMut(Next)| {
            let Some(board) = self.index.board(number) else { return };
            board.for_each_after(Side::White, |after, irreversible| {
                let value = self.value_after(after);
                let number = self.index.number(after, Side::Black);
                f(Next { value, number: number.filter(|_| !irreversible && value > 0) });
            });
        };
        longest_run(self.class, self.values, &turns)
    }

    /// Gives the first values, and returns when else to look at which positions.
    fn begin(&mut self) -> Vec<(u8, usize)> {
        let Class { numbers, .. } = self.class;
        let portions: Vec<_> = numbers.clone().step_by(PORTION).collect();
        let mut wakes = Vec::new();
        // A few portions at a time, so that their lists stay small.
        for some in portions.chunks(256) {
            let looks = |&first: &usize| {
                let end = (first + PORTION).min(numbers.end);
                (first..end).map(|number| self.first_look(number)).collect::<Vec<FirstLook>>()
            };
            let found: Vec<_> = some.par_iter().map(looks).collect();
            let first = some.first().copied().unwrap_or_default();
            for (number, (value, plies)) in (first..).zip(found.into_iter().flatten()) {
                self.values[number] = value;
                wakes.extend(plies.into_iter().map(|plies| (plies, number)));
            }
        }
        wakes
    }

    fn first_look(&self, number: usize) -> FirstLook {
        let Some(board) = self.index.board(number) else { return (NONE, Vec::new()) };
        if self.rules.needs_damone {
            let has = |side| !board.of(side, Rank::Damone).is_empty();
            match (has(Side::White), has(Side::Black)) {
                (false, _) => return (0, Vec::new()),
                // The game is over, and no turn leads here.
                (true, false) => return (NONE, Vec::new()),
                _ => {}
            }
        }
        if board.can_capture(Side::White) || board.quiet_count(Side::White) == 0 {
            return (self.value_by_turns(&board), Vec::new());
        }
        let mut plies = Vec::new();
        board.for_each_after(Side::White, |after, _| {
            let number = self.index.number(after, Side::Black);
            if number.is_none_or(|number| !self.class.numbers.contains(&number)) {
                let value = self.value_after(after);
                if value < DRAW {
                    plies.push(value + 1);
                }
            }
        });
        (DRAW, plies)
    }

    /// The value for Black, who is to move.
    fn value_after(&self, board: &Board) -> u8 {
        let lacks_damone = self.rules.needs_damone && board.of(Side::Black, Rank::Damone).is_empty();
        if lacks_damone || board.all(Side::Black).is_empty() {
            return 0;
        }
        self.index.number(board, Side::Black).map_or(DRAW, |number| self.values[number])
    }

    /// The value for White, who is to move, by what is known of the turns.
    fn value_by_turns(&self, board: &Board) -> u8 {
        let (mut win, mut loss, mut open) = (DRAW, 0, false);
        board.for_each_after(Side::White, |after, _| match self.value_after(after) {
            DRAW | NONE => open = true,
            plies if plies % 2 == 0 => win = win.min(plies + 1),
            plies => loss = loss.max(plies + 1),
        });
        if win < DRAW || open { win } else { loss }
    }

    /// The marked positions that are `plies` plies from the end. Takes the marks away.
    fn decided(&self, marked: &[AtomicU64], plies: u8) -> Vec<usize> {
        let start = self.class.numbers.start;
        let decided = |number: &usize| {
            let board = self.index.board(*number).filter(|_| self.values[*number] == DRAW);
            board.is_some_and(|board| self.value_by_turns(&board) == plies)
        };
        let of_word = |(word, bits): (usize, &AtomicU64)| {
            let bits = bits.swap(0, Relaxed);
            let numbers = (0..64).filter(move |bit| bits >> bit & 1 != 0).map(move |bit| start + 64 * word + bit);
            numbers.filter(decided).collect::<Vec<_>>()
        };
        marked.par_iter().enumerate().with_min_len(PORTION / 64).flat_map_iter(of_word).collect()
    }

    /// Marks the open positions from which a quiet step leads to one that is `plies` plies from the end.
    fn mark(&self, marked: &[AtomicU64], plies: u8) {
        let Class { numbers, .. } = self.class;
        numbers.clone().into_par_iter().with_min_len(PORTION).filter(|&number| self.values[number] == plies).for_each(
            |number| {
                let Some(board) = self.index.board(number) else { return };
                board.for_each_before(Side::Black, |before| {
                    let number = self.index.number(before, Side::Black);
                    if let Some(number) = number.filter(|&number| self.values[number] == DRAW) {
                        let place = number - numbers.start;
                        marked[place / 64].fetch_or(1 << (place % 64), Relaxed);
                    }
                });
            },
        );
    }
}
