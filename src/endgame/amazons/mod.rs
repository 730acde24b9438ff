//! Counting moves in the Game of the Amazons: which side has more turns left.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `rooms` | squares that only one side reaches, amazons in the doorway included |
//! | `filling` | the turns that a room lasts: exact, or between bounds |
//! | `regions` | what arrows have separated, with counts: the data behind `eval` |
//! | `worth` | regions as combinatorial games: bounds that add up |
//! | `contested` | small mixed regions searched by themselves |
//! | `margin` | contested regions searched together for the margin with best play |
//! | `proof` | the winner, from rooms or from regions |
//! | `plan` | the turns that keep a certain result |
//! | `solver` | who wins on small boards and in late positions, by search |
//! | `oracle` | all of this behind one trait |
//! | `shape`, `cache` | results that hold for every place and orientation |
//!
//! The squares without an arrow fall into regions, connected by king steps, amazons included. Every turn fills one
//! square of the region it is played in, and nothing ever joins two regions again. A region with amazons of one side
//! only is its territory: the number of turns in it depends on that side alone, and is at most the number of empty
//! squares, fewer if it is defective. A side that must move and cannot loses: with `p` turns against `q` the side to
//! move wins if and only if `p > q`.
//!
//! Long before the last region is closed, amazons in doorways close them as well as arrows would. A side that has more
//! turns in its rooms than the other can play anywhere wins by staying there, and the squares that both reach do not
//! matter.

mod cache;
mod contested;
mod filling;
mod margin;
mod oracle;
mod plan;
mod proof;
mod regions;
mod report;
mod rooms;
mod shape;
mod solver;
mod worth;

pub use super::dfpn::{Fact, Key, Numbers};
pub use filling::Turns;
pub(crate) use margin::margin;
pub use margin::{Margin, best_margin};
pub use oracle::Territories;
pub use plan::certain_line;
pub use proof::{by_regions, may_be_decided, prove};
pub use regions::{Effort, Owner, Region, RegionCount, count, count_within, regions};
pub(crate) use report::lines;
pub use report::{describe, margin_in_halves, result};
pub use solver::{Prover, Situation, next_below, solver};
pub use worth::{Worth, winner};
