//! Desdemona and its relatives: amazons that place stones, which flip as in Othello.
//!
//! A turn is a move and a shot as in the Game of the Amazons, but a shot leaves a stone. A shot over a run of enemy
//! stones flips them. In Iago it is the stone itself that flips what it closes in. The game ends when the side to move
//! has no turn; the side with more stones wins. Each rule set of the family is a [`Rules`].

mod count;
mod position;
mod rules;
mod text;

pub use position::{Desdemona, Pieces};
pub use rules::{Flips, Leaves, Rules};
