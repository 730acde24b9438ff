//! Who wins, for certain: a proof-number search for positions whose games end soon.
//!
//! Each position has two numbers: about how many leaves must still be won to prove that the side to move wins, and how
//! many to prove that it loses (Allis, *Searching for Solutions in Games and Artificial Intelligence*, 1994). The
//! search goes where the least is missing, depth first, with the numbers in a table of fixed size (df-pn: Nagai, *Df-pn
//! algorithm for searching AND/OR trees and its applications*, 2002), and stays with a turn a little longer than it
//! must before it tries the next best (Pawlewicz and Lew, *Improving depth-first PN-search: 1 + ε trick*, 2007). Where
//! all turns must be refuted, the greatest number and a share for each other turn stand for the sum, as ways that meet
//! again would be counted more than once (Ueda et al., *Weak proof-number search*, 2008).
//!
//! What a position is to the search, a [`Field`] says. Whoever is to move may be given *odds*, so that one answer
//! serves for many questions: spare turns in the Amazons, and where games may be drawn, that a draw is enough.
//!
//! Any number of workers may search at once. They share the table, and each sees where the others are: a position
//! counts as a little farther from its proof for each of them that is below it, so they part ways where turns are about
//! as good, and where one turn is much better they follow it together and part below (virtual proof and disproof
//! numbers: Kaneko, *Parallel Depth First Proof Number Search*, 2010). One worker alone always searches the same.
//!
//! `src/search/experiments.md` has the changes that were tried and did not pay.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `search` | the recursion of one worker |
//! | `crew` | workers, and the table that they share |
//! | `marks` | where workers are just now |
//! | `table` | numbers and bounds, by position |
//! | `solver` | the result of one position |
//! | `stones` | positions of games of move and fire as they stand |

mod crew;
mod marks;
mod search;
mod solver;
mod stones;
mod table;

use crate::games::{Position, Steps, for_each_turn};
pub(super) use crew::Crew;
pub(super) use search::{Search, go_on_below};
pub(super) use solver::Solver;
pub(crate) use stones::{prover, solver};
pub use table::{Fact, Key, Numbers};

/// Positions as a proof search sees them. Each worker has a field of its own, which may remember what it counted.
pub(super) trait Field: Send + Sync + Sized {
    /// Positions of the game.
    type Position: Position + Copy;
    /// All that decides who wins, odds included.
    type State: Copy + PartialEq + Send + Sync;

    /// The field of one more of `workers` workers.
    fn for_one_of(&self, workers: usize) -> Self;

    /// Whether what was found out about positions that follow from `root` is as true of `position`.
    fn sees(&self, root: &Self::Position, position: &Self::Position) -> bool;

    /// See [`Solve::is_late`](super::Solve::is_late).
    fn is_late(&self, position: &Self::Position) -> bool;

    /// What a position is where the side to move is given `odds`.
    fn state(&mut self, position: &Self::Position, odds: i32) -> Self::State;

    /// The hash of a state, which need not tell its odds.
    fn key(state: &Self::State) -> Key;

    /// The odds of the side to move that the key does not tell. With more of them it still wins where it did.
    fn odds(state: &Self::State) -> i32;

    /// The odds of the other side after a turn of a position as it stands, where the side to move is given `odds`.
    fn odds_after(odds: i32) -> i32;

    /// Adds the states after the turns of a state, with their keys.
    fn expand(&mut self, state: &Self::State, found: &mut Vec<(Key, Self::State)>);

    /// The numbers of a state that no search knows: who wins if that is certain, else a guess.
    fn look(&mut self, state: &Self::State) -> Numbers;

    /// Turns of both sides until the game is over, at most, if the side to move wins, or loses.
    fn plies(position: &Self::Position, wins: bool) -> u32;
}

/// All turns with the positions after them.
pub(super) fn turns_of<P: Position + Copy>(position: &P) -> Vec<(Steps<P>, P)> {
    let mut turns = Vec::new();
    for_each_turn(position, &mut |turn: &Steps<P>, next: &P| turns.push((turn.clone(), *next)));
    turns
}
