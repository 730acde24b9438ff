use super::Side;
use super::amazons::MAX_AMAZONS;
use crate::board::{Bitboard, Geometry, Square};
use thiserror::Error;

/// Why pieces make no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PiecesError {
    /// Two pieces on one square.
    #[error("two pieces on {0}")]
    Shared(Square),
    /// A square that the board does not have.
    #[error("a piece on {0}, which is not on the board")]
    Outside(Square),
    /// Too few or too many amazons.
    #[error("{count} amazons for {side}: each side has 1 to {MAX_AMAZONS}")]
    Amazons {
        /// Whose.
        side: Side,
        /// How many.
        count: u32,
    },
    /// Nothing that could ever move.
    #[error("no amazon on the board")]
    NoAmazon,
}

impl PiecesError {
    /// An error unless all `sets` are on the board and no two share a square.
    pub(super) fn check(geometry: &Geometry, sets: &[Bitboard]) -> Result<(), Self> {
        let mut taken = Bitboard::EMPTY;
        for &set in sets {
            if let Some(square) = (set & taken).first() {
                return Err(Self::Shared(square));
            }
            taken |= set;
        }
        (taken & !geometry.squares()).first().map_or(Ok(()), |square| Err(Self::Outside(square)))
    }
}
