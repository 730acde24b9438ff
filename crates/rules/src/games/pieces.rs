use super::amazons::MAX_AMAZONS;
use super::{Piece, Side};
use crate::board::{Bitboard, Geometry, Square};
use thiserror::Error;

/// Why pieces do not make a position.
///
/// ```
/// use hippolyta_rules::board::{Bitboard, Geometry};
/// use hippolyta_rules::games::amazons::{Amazons, AmazonsRules};
/// use hippolyta_rules::games::{PiecesError, Side, move_fire::Pieces};
///
/// let [a1, b1] = [Bitboard::of("a1".parse()?), Bitboard::of("b1".parse()?)];
/// let pieces = Pieces { amazons: [a1, b1], neutral: a1, ..Pieces::default() };
/// let made = Amazons::from_pieces(AmazonsRules, Geometry::get(3, 3)?, &pieces, Side::White, false);
/// assert_eq!(made, Err(PiecesError::Shared("a1".parse()?)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PiecesError {
    /// Two pieces stand on this square.
    #[error("two pieces on {0}")]
    Shared(Square),
    /// A piece stands on a square that the board does not have.
    #[error("a piece on {0}, which is not on the board")]
    Outside(Square),
    /// A side has too few or too many amazons.
    #[error("{count} amazons for {side}: each side has 1 to {MAX_AMAZONS}")]
    Amazons {
        /// The side.
        side: Side,
        /// The number of its amazons.
        count: u32,
    },
    /// The rule set is of another family.
    #[error("{variant} is not of the {family} family")]
    Family {
        /// The rule set.
        variant: String,
        /// The family that was asked to read.
        family: &'static str,
    },
    /// The board has another size than this game's.
    #[error("a board of {files} files and {ranks} ranks: this game has {side} of each")]
    Size {
        /// Its files.
        files: usize,
        /// Its ranks.
        ranks: usize,
        /// The files and ranks of this game's board.
        side: usize,
    },
    /// A piece stands on a light square, and this game is played on the dark ones.
    #[error("'{piece}' on the light square {square}")]
    Light {
        /// The piece.
        piece: Piece,
        /// The square.
        square: Square,
    },
    /// A piece stands where it would have become a higher one.
    #[error("'{piece}' on {square}, where it would have become '{risen}'")]
    Unpromoted {
        /// The piece.
        piece: Piece,
        /// The square.
        square: Square,
        /// The higher piece.
        risen: Piece,
    },
    /// The board is empty.
    #[error("no piece on the board")]
    NoPiece,
    /// There is no damone, and each side needs one.
    #[error("no damone on the board: each side needs one in this game")]
    NoDamone,
    /// There is no amazon, so nobody can ever move.
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
