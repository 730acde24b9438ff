//! The games in which an amazon moves and then fires: the Game of the Amazons, Desdemona and its relatives, and any
//! other by [`Rules`] that are data.
//!
//! [`MoveFire`] is a position of all of them. What a type of positions has in common is a [`Kind`]: the compiler leaves
//! out what its rules do not need.

mod count;
mod kind;
mod position;
mod rules;
mod step;
mod text;

pub(super) use count::turns_after_each;
pub use kind::{Kind, StoneSets};
pub use position::{MoveFire, Pieces, QUIET_LIMIT};
pub use rules::{FireAt, Flips, Leaves, Rules, Stuck, Tie, Turns};
pub use step::{MoveFireStep, StepKind};
