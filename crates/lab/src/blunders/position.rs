//! Positions whose best result is proven, in a file.

use crate::problems::{ProblemError, group};
use hippolyta::engine::Board;
use hippolyta::games::variant;
use serde::{Deserialize, Serialize};

/// The best result that the side to move can reach, whatever the other side does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Result {
    /// It wins.
    Win,
    /// It does not win, and need not lose.
    Draw,
}

/// What a position may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Half {
    /// To tune and to learn.
    Tuning,
    /// To measure alone. Nothing that learns or is tuned may see it.
    Apart,
}

impl Half {
    /// The half of the positions of game `number`: positions of one game resemble each other.
    #[must_use]
    pub fn of_game(number: u64) -> Self {
        if number.is_multiple_of(2) { Self::Tuning } else { Self::Apart }
    }
}

/// A position whose best result is proven, and in which at least one turn throws it away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decided {
    /// The rule set.
    pub variant: String,
    /// The position.
    pub fen: String,
    /// What the side to move can reach.
    pub result: Result,
    /// What it may be used for.
    pub half: Half,
}

impl Decided {
    /// The group of the position: the [`group`](crate::problems::group) of a problem there.
    #[must_use]
    pub fn group(&self) -> String {
        variant::find(&self.variant).map_or_else(|_| String::new(), |variant| group(variant, &self.fen))
    }
}

/// Reads a file of positions, a JSON object in each line. Several files one after the other are one.
///
/// ```
/// use hippolyta_lab::blunders::{Half, Result, positions};
///
/// let line = r#"{"variant":"amazons","fen":"q1*/**1/2Q w - - 0 1","result":"win","half":"apart"}"#;
/// let read = positions(line)?;
/// assert_eq!((read[0].result, read[0].half), (Result::Win, Half::Apart));
/// let error = positions(&format!("{line}\n{{\"variant\":\"chess\"}}")).unwrap_err();
/// assert!(error.to_string().contains("line 2"));
/// # Ok::<(), hippolyta_lab::problems::ProblemError>(())
/// ```
///
/// # Errors
///
/// For the first line that is no position, with its number.
pub fn positions(text: &str) -> core::result::Result<Vec<Decided>, ProblemError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            let wrong = |what: String| ProblemError::Wrong(format!("in line {}", index + 1), what);
            let read: Decided = serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
            let variant = variant::find(&read.variant).map_err(|error| wrong(error.to_string()))?;
            let board = Board::from_fen(variant, &read.fen).map_err(|error| wrong(error.to_string()))?;
            if board.outcome().is_some() {
                return Err(wrong("the game is over there".to_owned()));
            }
            Ok(read)
        })
        .collect()
}

/// A file of positions.
#[must_use]
pub fn text(positions: &[Decided]) -> String {
    // Names and texts alone: nothing that could fail.
    positions.iter().filter_map(|position| serde_json::to_string(position).ok()).map(|line| line + "\n").collect()
}
