//! A rule set chosen at run time: no type parameter says which game is played.

mod begun;
mod board;
mod pieces;

pub use begun::BegunTurn;
pub use board::{Board, LegalTurns, PositionError};
pub use pieces::Pieces;
