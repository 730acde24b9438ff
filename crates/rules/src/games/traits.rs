//! Traits that distinguish rule sets, as data. Tests of the protocols compile this file, too, for its schema.

use serde::Serialize;

/// Traits of a rule set for whoever shows it, and neither needs nor knows its rules.
///
/// ```
/// use hippolyta_rules::games::variant;
///
/// let traits = variant::find("desdemona")?.traits();
/// assert!(traits.fires && traits.moves_first && traits.stones && traits.draws && traits.ownership);
/// assert!(!traits.dark_squares && !traits.territories && !traits.promotes && traits.sizes);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Traits {
    /// A turn moves a piece and then fires with it. Else a turn is the path of a piece.
    pub fires: bool,
    /// The first turn of the game is a move without fire.
    pub moves_first: bool,
    /// Only every other square is played on, those whose file and rank, counted from 0, add up to an odd number.
    pub dark_squares: bool,
    /// Pieces have ranks, and rise from one to the next.
    pub promotes: bool,
    /// Each side's stones are counted, and decide the game.
    pub stones: bool,
    /// An analysis can tell who will own which squares.
    pub ownership: bool,
    /// An analysis can tell the regions of the board, and whose they are.
    pub territories: bool,
    /// Games may end in a draw.
    pub draws: bool,
    /// Boards of other sizes than the start position's may be set up.
    pub sizes: bool,
}
