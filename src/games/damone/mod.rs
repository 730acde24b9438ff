//! Italian Damone: draughts along a diagonal with three ranks of pieces, pedina, dama and damone, on the 32 dark
//! squares.
//!
//! A step is a whole turn: a quiet step, or a capture from its first to its last jump. Capturing is compulsory, and of
//! several lines the best by rank and prey. A capture ends where it must, so every line is known by its number among
//! the best.

mod board;
mod capture;
mod position;
mod text;
mod turns;

pub use board::{Board, Cells, Rank, cell, square};
pub use capture::Line;
pub use position::{Damone, DamoneStep, QUIET_LIMIT, Rules};
