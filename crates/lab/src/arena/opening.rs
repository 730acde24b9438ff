use hippolyta::engine::Board;
use hippolyta::games::variant::Variant;
use hippolyta::games::{FenError, TurnError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Where a game begins: a position, and moves from it that no engine chose.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Opening {
    /// The position.
    pub fen: String,
    /// The moves.
    pub moves: Vec<String>,
}

/// An opening that breaks the rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum OpeningError {
    /// Its start.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move, counted from 1.
    #[error("move {0}: {1}")]
    Turn(usize, TurnError),
    /// It is of another rule set than the match.
    #[error("it is a game of {0}; see --variant")]
    Variant(String),
    /// Nothing is left to play.
    #[error("the game is over after it")]
    Over,
}

/// The position at the end of an opening, and the opening's moves in their usual spelling.
pub fn after_opening(variant: &Variant, opening: &Opening) -> Result<(Board, Vec<String>), OpeningError> {
    let mut board = Board::from_fen(variant, &opening.fen)?;
    let mut moves = Vec::new();
    for (index, text) in opening.moves.iter().enumerate() {
        let turn = board.play(text).map_err(|error| OpeningError::Turn(index + 1, error))?;
        moves.push(turn.to_string());
    }
    if board.outcome().is_some() { Err(OpeningError::Over) } else { Ok((board, moves)) }
}
