use super::{FenError, Position, Turn, variant::Variant};
use thiserror::Error;

/// Why a text is not a legal turn of a position.
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
    /// The text is a turn, but not a legal one here.
    #[error("illegal move '{text}': {reason}")]
    Illegal {
        /// The text.
        text: String,
        /// Which rule forbids it.
        reason: String,
    },
}

/// The text side of a game: FEN, turns, a diagram.
pub trait Notation: Position {
    /// Reads a FEN; missing trailing fields take their usual values.
    ///
    /// # Errors
    ///
    /// The first thing wrong, with its place: unreadable, of an impossible size, or against the rules of the game.
    fn from_fen(variant: &'static Variant, fen: &str) -> Result<Self, FenError>;

    /// The FEN, all six fields. Only for positions at the start of a turn.
    fn fen(&self) -> String;

    /// Reads a legal turn.
    ///
    /// # Errors
    ///
    /// If the text cannot be read, or is not legal here: then with the rule that forbids it.
    fn parse_turn(&self, text: &str) -> Result<Turn<Self>, TurnError>;

    /// Writes a legal turn. A turn of which only some steps are known is written as far as it goes.
    fn turn_text(&self, turn: &[Self::Step]) -> String;

    /// A picture of the board in plain characters, several lines.
    fn diagram(&self) -> String;

    /// Number of files and ranks.
    fn board_size(&self) -> (usize, usize);
}
