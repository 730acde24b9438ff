//! The quality of a rule set: who is ahead at its start, how often it is drawn, how long games last and how many turns
//! there are to choose from, when the winner is clear, and how much more search wins.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `games` | games of the engine with itself, at several strengths and of unequal ones |
//! | `measures` | [`Report`]: what these games say, in numbers with intervals and in words |
//! | `variations` | [`Variations`]: these measures for small changes of the rules, by a [`Goal`] |
//! | `page` | both as HTML pages |
//!
//! The measures are among those of Browne, *Automatic Generation and Evaluation of Recombination Games*, 2008. They are
//! about the engine's games: people, and stronger engines, may find in a rule set what it does not.

mod games;
mod measures;
mod page;
mod variations;

pub use games::{AHEAD, CLEAR, Plan, Played, Task, play, tasks};
pub use measures::{FirstTurn, Interval, Report, Strength, first_turns};
pub use page::{page, variations_page};
pub use variations::{Goal, Variations, Varied};

#[cfg(test)]
mod tests;
