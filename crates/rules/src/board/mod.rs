//! Squares, sets of squares and lines on any rectangle from 3×3 to 11×11. Knows no game.
//!
//! Every board, whatever its size, lies in one fixed frame of 11 columns: the square in file `f` and rank `r` (both
//! from 0) is bit `11·r + f` of a `u128`. So shifts are constants, and a board narrower than 11 files has an unused
//! column that catches what runs over its right edge.

mod bitboard;
pub mod flood;
mod geometry;
mod rays;
mod reach;
mod square;
pub mod zobrist;

pub use bitboard::Bitboard;
pub use geometry::{BoardSizeError, Geometry, MAX_SIDE, MIN_SIDE};
pub use rays::Direction;
pub use reach::{Reach, ReachError, ReachTable};
pub use square::{Square, SquareError};

/// Distance in bits between a square and the one above it.
pub const STRIDE: usize = 11;
/// Bits of the frame that can be squares: 11 × 11.
pub const FRAME: usize = STRIDE * STRIDE;
