//! Italian Damone: draughts along a diagonal with three ranks of pieces, pedina, dama and damone, on the 32 dark
//! squares.
//!
//! A step is a whole turn: a quiet step, or a capture from its first jump to its last. Capturing is compulsory. If
//! several captures are possible, only the best are legal, by the number and ranks of the pieces. A step names a
//! capture by its number among these.

mod board;
mod capture;
mod position;
mod text;
mod turns;

pub use board::{Board, Cells, Rank, cell, square};
pub use capture::Line;
pub use position::{Damone, DamoneStep, QUIET_LIMIT, Rules};
