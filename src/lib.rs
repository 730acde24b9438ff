//! Hippolyta.
pub mod board;
pub mod endgame;
pub mod eval;
pub mod games;

pub mod protocol;
pub mod search;
