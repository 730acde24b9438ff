use super::spelling::{place, text};
use super::{
    Effects, FenError, Piece, Position, Side, Steps, Style, Symmetry, Turn, Written, fen, for_each_turn,
    variant::Variant,
};
use crate::board::Square;
use crate::words::shown;
use thiserror::Error;

/// Which rule forbids a turn.
///
/// ```
/// use hippolyta_rules::games::{Notation, Refusal, Turn, amazons::Amazons, variant};
///
/// let variant = &variant::find("amazons")?;
/// let start = Amazons::from_fen(variant, variant.start())?;
/// let turn: Turn = "d1d2,d2c4".parse()?;
/// assert_eq!(start.steps_of(&turn), Err(Refusal::CannotFire { from: "d2".parse()?, at: "c4".parse()? }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// A square is not on the board.
    #[error("{0} is not on the board")]
    OffBoard(Square),
    /// A square is light, and this game is played on the dark ones.
    #[error("all squares must be dark squares of the board")]
    Light(Square),
    /// The side to move has nothing to move on this square.
    #[error("{side} is to move and has no {piece} on {square}")]
    NoPiece {
        /// The side to move.
        side: Side,
        /// The piece that was expected there: `amazon` or `piece`.
        piece: &'static str,
        /// The square.
        square: Square,
    },
    /// The amazon cannot move to this square.
    #[error("the amazon on {from} cannot move to {to}")]
    CannotMove {
        /// Where it stands.
        from: Square,
        /// Where it was to go.
        to: Square,
    },
    /// The piece of Damone on this square cannot go along these squares.
    #[error("the piece on {from} cannot go there")]
    CannotGo {
        /// Where it stands.
        from: Square,
    },
    /// Another capture is compulsory.
    #[error("the best capture is compulsory: {}", Turn::join(.0, " or "))]
    Compulsory(
        /// All turns that are legal.
        Vec<Turn>,
    ),
    /// The turn has to fire as well.
    #[error("the square it fires at is expected")]
    FireMissing,
    /// The first turn of this game is a move without fire.
    #[error("this turn, the first of the game, is a move without fire")]
    MovesOnly,
    /// In this game a turn is a move or a fire.
    #[error("a turn of this game moves or fires, and not both")]
    MovesAndFires,
    /// The side to move has no turn but to pass.
    #[error("this side is stuck and passes, which is written {0}")]
    Passes(
        /// The turn that passes.
        Turn,
    ),
    /// The amazon cannot fire at this square.
    #[error("the amazon cannot fire from {from} to {at}")]
    CannotFire {
        /// Where the amazon stands once it has moved.
        from: Square,
        /// The square that it was to fire at.
        at: Square,
    },
    /// Only a shot that flips stones may land on the rim.
    #[error("a shot over empty squares may not land on the rim, where {0} is")]
    Rim(Square),
    /// No fire of the side to move may land on this square.
    #[error("no fire of this side may land on {0}, which is protected")]
    Protected(Square),
    /// No legal turn can be written so.
    #[error("no legal turn is written so")]
    NoTurn,
}

/// Why a text is not a legal turn of a position.
///
/// ```
/// use hippolyta_rules::games::{Notation, TurnError, amazons::Amazons, variant};
///
/// let variant = &variant::find("amazons")?;
/// let start = Amazons::from_fen(variant, variant.start())?;
/// assert!(matches!(start.parse_turn("castle"), Err(TurnError::Unreadable { .. })));
/// let error = start.parse_turn("a1a2,a2a3").unwrap_err();
/// assert_eq!(error.to_string(), "illegal move 'a1a2,a2a3': white is to move and has no amazon on a1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TurnError {
    /// The text does not follow the notation.
    #[error("'{}' is not a move: {expected}", shown(.text))]
    Unreadable {
        /// The text.
        text: String,
        /// The text that was expected, and where.
        expected: String,
    },
    /// The text is a move, and the turn has to fire as well.
    #[error("'{}' is not a move: the square it fires at is expected at character {at}", shown(.text))]
    Unfinished {
        /// The text.
        text: String,
        /// The number of the character, from 1, at which the text ends.
        at: usize,
    },
    /// The text is a turn, but it is not legal here.
    #[error("illegal move '{}': {reason}", shown(.text))]
    Illegal {
        /// The text.
        text: String,
        /// Which rule forbids it.
        reason: Refusal,
    },
    /// The text leaves out what would tell several turns apart.
    #[error("'{}' may be {}", shown(.text), Turn::join(.turns, " or "))]
    Ambiguous {
        /// The text.
        text: String,
        /// The turns that it may be.
        turns: Vec<Turn>,
    },
}

/// Why a game is over by its rules.
///
/// ```
/// use hippolyta_rules::games::{Board, Ending};
/// use hippolyta_rules::games::variant;
///
/// let board = Board::from_fen(&variant::find("amazons")?, "Q**/***/**q b")?;
/// assert_eq!(board.ending(), Some(Ending::NoTurn));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The side to move has no turn.
    NoTurn,
    /// The loser has no piece.
    NoPiece,
    /// The loser, who may be either side, has no damone left, which its rules demand.
    NoDamone,
    /// So many plies in a row were quiet that the game is drawn.
    Quiet,
    /// The same position occurred for the third time.
    Repetition,
}

impl Ending {
    /// `noTurn`, as in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NoTurn => "noTurn",
            Self::NoPiece => "noPiece",
            Self::NoDamone => "noDamone",
            Self::Quiet => "quiet",
            Self::Repetition => "repetition",
        }
    }
}

/// The squares of a board with this number of files and ranks, rank by rank.
fn squares((files, ranks): (usize, usize)) -> impl Iterator<Item = Square> {
    (0..ranks).flat_map(move |rank| (0..files).filter_map(move |file| Square::at(file, rank)))
}

/// Positions for people and files: FEN, pieces, turns, a diagram.
///
/// ```
/// use hippolyta_rules::games::{Notation, amazons::Amazons, variant};
///
/// let position = Amazons::from_fen(&variant::find("amazons")?, "q2/3/2Q w")?;
/// assert_eq!(position.fen(), "q2/3/2Q w - - 0 1");
/// let turn = position.parse_turn("c1-b1/a1")?;
/// assert_eq!(position.turn_text(&turn), "c1b1,b1a1");
/// assert_eq!(position.diagram().lines().next(), Some(" 3 q . ."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Notation: Position {
    /// The symmetries of the board that the rules keep, the one that changes nothing first: a turn is legal in a
    /// position if its image is legal in the image of the position. On boards that are not square, only those that keep
    /// the numbers of files and ranks.
    const SYMMETRIES: &'static [Symmetry] = &Symmetry::ALL;

    /// Reads a FEN. Fields that are missing at its end take their usual values.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, and where: it cannot be read, has an impossible size, or breaks a rule of the
    /// game.
    fn from_fen(variant: &Variant, fen: &str) -> Result<Self, FenError>;

    /// The FEN with all six fields. The position must be at the start of a turn.
    fn fen(&self) -> String;

    /// The number of files and of ranks.
    fn board_size(&self) -> (usize, usize);

    /// The symmetries, besides the one that changes nothing, that leave the position as it is. None where plies were
    /// quiet: which positions may recur is not symmetric.
    fn symmetries(&self) -> Vec<Symmetry> {
        if self.quiet() > 0 {
            return Vec::new();
        }
        let size = self.board_size();
        let keeps = |symmetry: &&Symmetry| {
            let stays = |square| symmetry.square(square, size).is_some_and(|image| self.at(square) == self.at(image));
            symmetry.size(size) == size && self.keeps(**symmetry) && squares(size).all(stays)
        };
        Self::SYMMETRIES.iter().skip(1).filter(keeps).copied().collect()
    }

    /// Whether these rules keep one of the [`SYMMETRIES`](Self::SYMMETRIES) of their family.
    fn keeps(&self, _: Symmetry) -> bool {
        true
    }

    /// The piece on a square; `None` if the square is empty or not on the board.
    fn at(&self, square: Square) -> Option<Piece>;

    /// The fifth field of the FEN: plies in a row that count as quiet. Only Damone counts them; elsewhere it is what
    /// the FEN said.
    fn quiet(&self) -> u32;

    /// Why the game is over by its rules, if it is.
    fn ending(&self) -> Option<Ending> {
        self.outcome().map(|_| Ending::NoTurn)
    }

    /// Whether the turn of the side to move is a move without fire in a game that fires otherwise: the third field of
    /// the FEN.
    fn move_only(&self) -> bool {
        false
    }

    /// The number of the turn, the sixth field of the FEN. It grows after Black's turns.
    fn number(&self) -> u32;

    /// The turn of squares that were written, whether or not it is legal anywhere.
    ///
    /// # Errors
    ///
    /// The text that was expected.
    fn turn_of(written: &Written) -> Result<Turn, String>;

    /// The steps of a turn.
    ///
    /// # Errors
    ///
    /// The rule that forbids it here.
    fn steps_of(&self, turn: &Turn) -> Result<Steps<Self>, Refusal>;

    /// The turn with these steps; `None` of no steps. Of a turn that has only begun, its squares so far.
    fn turn(&self, steps: &[Self::Step]) -> Option<Turn>;

    /// A legal turn in all ways in which it can be made: one, unless it does not matter which piece fires.
    fn ways(&self, turn: &Turn) -> Vec<Turn> {
        vec![turn.clone()]
    }

    /// Reads a legal turn, in any spelling that is in use.
    ///
    /// # Errors
    ///
    /// If the text cannot be read, or may be several turns, or if the turn is not legal here. Then the error names the
    /// rule that forbids it.
    fn parse_turn(&self, text: &str) -> Result<Steps<Self>, TurnError> {
        let unreadable = |expected| TurnError::Unreadable { text: text.to_owned(), expected };
        let written = Written::whole(text).map_err(unreadable)?;
        let mut reason = Refusal::NoTurn;
        if !written.is_short() {
            match self.steps_of(&Self::turn_of(&written).map_err(unreadable)?) {
                Ok(steps) => return Ok(steps),
                Err(Refusal::FireMissing) => {
                    return Err(TurnError::Unfinished { text: text.to_owned(), at: place(text.trim(), "") });
                }
                Err(refusal) => reason = refusal,
            }
        }
        let mut found = Vec::new();
        for_each_turn(self, &mut |steps, _| {
            found.extend(self.turn(steps).filter(|turn| written.may_be(turn)).map(|turn| (turn, steps.clone())));
        });
        match found.len() {
            0 => Err(TurnError::Illegal { text: text.to_owned(), reason }),
            1 => Ok(found.swap_remove(0).1),
            _ => {
                let turns = found.into_iter().map(|(turn, _)| turn).collect();
                Err(TurnError::Ambiguous { text: text.to_owned(), turns })
            }
        }
    }

    /// Writes a legal turn in a style; in the usual one, where that is of other games.
    fn styled(&self, turn: &Turn, style: Style) -> String {
        let has_amazon = matches!(self.at(turn.from()), Some(Piece::Amazon(_)));
        if has_amazon == (style == Style::Numbers) {
            return turn.to_string();
        }
        let is_like = |other: &Turn| (other.to(), other.fire()) == (turn.to(), turn.fire()) && other != turn;
        let mut others = Vec::new();
        if style == Style::San {
            for_each_turn(self, &mut |steps, _| {
                others.extend(self.turn(steps).filter(is_like).map(|other| other.from()))
            });
        }
        let captures =
            style == Style::Numbers && self.steps_of(turn).is_ok_and(|steps| !self.effects(&steps).captured.is_empty());
        text(turn, style, captures, &others)
    }

    /// Writes a legal turn. Of a turn that has only begun, it writes the steps that are known.
    fn turn_text(&self, steps: &[Self::Step]) -> String {
        self.turn(steps).map_or_else(String::new, |turn| turn.to_string())
    }

    /// Changes that a legal turn makes beside moving its piece and firing.
    fn effects(&self, steps: &[Self::Step]) -> Effects {
        let Some(turn) = self.turn(steps) else { return Effects::default() };
        let mut after = self.clone();
        steps.iter().for_each(|&step| after.play(step));
        let mut effects = Effects::default();
        for square in squares(self.board_size()).filter(|square| !turn.squares().contains(square)) {
            match (self.at(square), after.at(square)) {
                (Some(_), None) => effects.captured.push(square),
                (old, new) if old != new => effects.flipped.push(square),
                _ => {}
            }
        }
        let middle = |pair: &[Square], square: Square| match pair {
            [from, to] => (from.file() + to.file(), from.rank() + to.rank()) == (2 * square.file(), 2 * square.rank()),
            _ => false,
        };
        effects.captured.sort_by_cached_key(|&square| turn.path().windows(2).position(|pair| middle(pair, square)));
        let (old, new) = (self.at(turn.from()), after.at(turn.to()));
        effects.promoted = new.filter(|_| old != new);
        effects
    }

    /// A picture of the board in plain characters, one line for each rank and one for the files.
    fn diagram(&self) -> String {
        fen::diagram(self.board_size(), |square| self.at(square))
    }
}
