//! The rules of the games. Knows neither search nor evaluation.
//!
//! A turn is a sequence of *steps* by one side: in the Game of the Amazons one amazon moves, then it
//! fires. [`Position`] speaks of steps only; [`Notation`] adds the text that people and protocols use, FEN and whole
//! turns. A family of games is a folder here, its rule sets are rows of the table in [`variant`].

pub mod amazons;
pub mod damone;
pub mod desdemona;
mod dispatch;
pub mod fen;
mod game;
mod move_fire;
mod notation;
mod perft;
mod pieces;
mod position;
pub mod variant;

pub use dispatch::GameTask;
pub(crate) use dispatch::with_family;
pub use fen::FenError;
pub use game::Game;
pub use move_fire::{MoveFireStep, StepKind};
pub use notation::{Notation, TurnError};
pub use perft::{Perft, perft, perft_while};
pub use pieces::PiecesError;
pub use position::{IllegalStep, Outcome, Position, Side, Step, Turn, for_each_turn, legal_turns};
