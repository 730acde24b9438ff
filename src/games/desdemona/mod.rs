//! Desdemona and its relatives: amazons that place stones, which flip as in Othello.
//!
//! A turn is a move and a shot as in the Game of the Amazons, but a shot leaves a stone, and a shot over a run of enemy
//! stones, or in Iago a stone that closes one in, flips it. The game ends when the side to move has no turn; most
//! stones win. What the rule sets of the family differ in is a [`Rules`] each.

mod count;
mod position;
mod rules;
mod text;

pub use position::{Desdemona, Pieces};
pub use rules::{Flips, Leaves, Rules};
