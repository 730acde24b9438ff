use super::{FenError, Position, Turn, variant::Variant};
use thiserror::Error;

/// Why a text is not a legal turn of a position.
///
/// ```
/// use hippolyta::games::{Notation, TurnError, amazons::Amazons, variant};
///
/// let variant = variant::find("amazons")?;
/// let start = Amazons::from_fen(variant, variant.start)?;
/// assert!(matches!(start.parse_turn("castle"), Err(TurnError::Unreadable { .. })));
/// let error = start.parse_turn("a1a2,a2a3").unwrap_err();
/// assert_eq!(error.to_string(), "illegal move 'a1a2,a2a3': white is to move and has no amazon on a1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TurnError {
    /// The text does not follow the notation.
    #[error("'{text}' is not a move: {expected}")]
    Unreadable {
        /// The text.
        text: String,
        /// What was expected, and where.
        expected: String,
    },
    /// The text is a turn, but it is not legal here.
    #[error("illegal move '{text}': {reason}")]
    Illegal {
        /// The text.
        text: String,
        /// Which rule forbids it.
        reason: String,
    },
}

/// Positions as text: FEN, turns, a diagram.
///
/// ```
/// use hippolyta::games::{Notation, amazons::Amazons, variant};
///
/// let position = Amazons::from_fen(variant::find("amazons")?, "q2/3/2Q w")?;
/// assert_eq!(position.fen(), "q2/3/2Q w - - 0 1");
/// let turn = position.parse_turn("c1-b1/a1")?;
/// assert_eq!(position.turn_text(&turn), "c1b1,b1a1");
/// assert_eq!(position.diagram().lines().next(), Some(" 3 q . ."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Notation: Position {
    /// Reads a FEN. Fields that are missing at its end take their usual values.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, and where: it cannot be read, has an impossible size, or breaks a rule of the
    /// game.
    fn from_fen(variant: &'static Variant, fen: &str) -> Result<Self, FenError>;

    /// The FEN with all six fields. The position must be at the start of a turn.
    fn fen(&self) -> String;

    /// Reads a legal turn.
    ///
    /// # Errors
    ///
    /// If the text cannot be read, or if the turn is not legal here. Then the error names the rule that forbids it.
    fn parse_turn(&self, text: &str) -> Result<Turn<Self>, TurnError>;

    /// Writes a legal turn. Of a turn that has only begun, it writes the steps that are known.
    fn turn_text(&self, turn: &[Self::Step]) -> String;

    /// A picture of the board in plain characters, one line for each rank and one for the files.
    fn diagram(&self) -> String;

    /// The number of files and of ranks.
    fn board_size(&self) -> (usize, usize);
}
