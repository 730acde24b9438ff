//! Hippolyta.
pub mod board;
pub mod games;
