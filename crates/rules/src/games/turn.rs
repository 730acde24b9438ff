use super::Piece;
use super::spelling::place;
use crate::board::Square;
use crate::words::shown;
use arrayvec::ArrayVec;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A turn of any family as the squares that a person names: where its piece stands, where it goes to, and where it
/// fires. Whether it is legal only a position knows.
///
/// Its text is the usual spelling: `d1d7,d7g7` moves from d1 to d7 and fires from there at g7, `d1d7` moves without
/// fire, and `c2e4g6` captures twice.
///
/// ```
/// use hippolyta_rules::games::Turn;
///
/// let turn: Turn = "d1d7,d7g7".parse()?;
/// assert_eq!((turn.from(), turn.to(), turn.fire()), ("d1".parse()?, "d7".parse()?, Some("g7".parse()?)));
/// assert_eq!(turn.squares(), ["d1".parse()?, "d7".parse()?, "g7".parse()?]);
/// assert_eq!(turn.to_string(), "d1d7,d7g7");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Turn {
    /// Two or more.
    squares: ArrayVec<Square, 33>,
    /// The last square is the one that is fired at.
    fires: bool,
}

/// A text is not a turn.
///
/// ```
/// use hippolyta_rules::games::Turn;
///
/// assert!("d1".parse::<Turn>().unwrap_err().to_string().starts_with("a square is expected at character 3"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{expected}")]
pub struct UnreadableTurn {
    /// The text that was expected, and where.
    pub expected: String,
}

impl Turn {
    /// A turn that moves, and does not fire.
    #[must_use]
    pub fn moving(from: Square, to: Square) -> Self {
        Self { squares: [from, to].into_iter().collect(), fires: false }
    }

    /// A turn that moves and then fires at `at`.
    #[must_use]
    pub fn firing(from: Square, to: Square, at: Square) -> Self {
        Self { squares: [from, to, at].into_iter().collect(), fires: true }
    }

    /// A turn along several squares, first to last; `None` if these are fewer than two or more than 33.
    #[must_use]
    pub fn along(path: impl IntoIterator<Item = Square>) -> Option<Self> {
        let mut squares = ArrayVec::new();
        for square in path {
            squares.try_push(square).ok()?;
        }
        (squares.len() >= 2).then_some(Self { squares, fires: false })
    }

    /// The turn with each square put in its place; `None` where one has none.
    pub(super) fn map(&self, to: impl Fn(Square) -> Option<Square>) -> Option<Self> {
        let squares = self.squares.iter().map(|&square| to(square)).collect::<Option<_>>()?;
        Some(Self { squares, fires: self.fires })
    }

    /// Several turns as text, with `between` between them.
    ///
    /// ```
    /// use hippolyta_rules::games::Turn;
    ///
    /// assert_eq!(Turn::join(&["a7d7".parse()?, "h1g2".parse()?], " "), "a7d7 h1g2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn join<'a>(turns: impl IntoIterator<Item = &'a Self>, between: &str) -> String {
        turns.into_iter().map(Self::to_string).collect::<Vec<_>>().join(between)
    }

    /// Its squares in the order in which a person names them: each square on which the piece stands, then the one that
    /// it fires at.
    #[must_use]
    pub fn squares(&self) -> &[Square] {
        &self.squares
    }

    /// The squares on which the piece stands, first to last: two or more.
    #[must_use]
    pub fn path(&self) -> &[Square] {
        &self.squares[..self.squares.len() - usize::from(self.fires)]
    }

    /// The square that the piece leaves.
    #[must_use]
    pub fn from(&self) -> Square {
        self.squares[0]
    }

    /// The square on which the piece comes to stand.
    #[must_use]
    pub fn to(&self) -> Square {
        self.squares[self.path().len() - 1]
    }

    /// The square that is fired at; `None` if the turn does not fire.
    #[must_use]
    pub fn fire(&self) -> Option<Square> {
        self.squares.last().copied().filter(|_| self.fires)
    }
}

impl fmt::Display for Turn {
    /// The usual spelling.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Lists of legal turns are long, and `write!` takes ten times as long.
        let mut text = String::with_capacity(3 * self.squares.len() + 4);
        self.path().iter().for_each(|square| square.append_to(&mut text));
        if let Some(at) = self.fire() {
            text.push(',');
            self.to().append_to(&mut text);
            at.append_to(&mut text);
        }
        f.pad(&text)
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Turn {
    /// As its text.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Turn {
    /// From its usual spelling.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(|error| D::Error::custom(format!("'{}' is not a turn: {error}", shown(&text))))
    }
}

impl FromStr for Turn {
    type Err = UnreadableTurn;

    /// Reads the usual spelling. Positions know those of their games: [`Notation::parse_turn`](super::Notation).
    fn from_str(text: &str) -> Result<Self, UnreadableTurn> {
        let square = |rest: &mut &str| {
            let (square, tail) = Square::parse_prefix(rest).map_err(|_| UnreadableTurn {
                expected: format!("a square is expected at character {}", place(text, rest)),
            })?;
            *rest = tail;
            Ok(square)
        };
        let mut rest = text;
        let mut path = vec![square(&mut rest)?, square(&mut rest)?];
        while !rest.is_empty() && !rest.starts_with(',') {
            path.push(square(&mut rest)?);
        }
        let wrong = |rest: &str, expected: &str| UnreadableTurn {
            expected: format!("{expected} is expected at character {}", place(text, rest)),
        };
        let Some(mut shot) = rest.strip_prefix(',') else {
            return Self::along(path).ok_or_else(|| wrong(rest, "the end"));
        };
        let [from, to] = path[..] else { return Err(wrong(rest, "the end")) };
        if square(&mut shot)? != to {
            return Err(wrong(rest, &format!("',{to}'")));
        }
        let at = square(&mut shot)?;
        if shot.is_empty() { Ok(Self::firing(from, to, at)) } else { Err(wrong(shot, "the end")) }
    }
}

/// How turns are written: [`Board::text_of`](super::Board::text_of).
///
/// ```
/// use hippolyta_rules::games::{Board, Style, variant};
///
/// let board = Board::new(&variant::find("amazons")?);
/// let turn = board.read("d1-d7 (g7)")?;
/// assert_eq!(board.text_of(&turn, Style::San), "Qdd7,g7");
/// assert_eq!(board.read("Qdd7,g7")?, turn);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// `d1d7,d7g7`.
    #[default]
    Usual,
    /// Of amazons: `Qd7,g7`, with the file or rank of its first square where another amazon could do the same, as in ffish.
    San,
    /// Of amazons: `Qd1-d7,g7`.
    Lan,
    /// Of Damone: `32-28`, `26x17x10`, the dark squares by their numbers in PDN.
    Numbers,
}

/// Changes that a turn makes beside moving its piece and firing.
///
/// ```
/// use hippolyta_rules::games::{Board, variant};
///
/// let board = Board::from_fen(&variant::find("iago")?, "q4/5/1Ss2/5/4Q w - - 0 1")?;
/// let effects = board.effects(&board.read("e1e3,e3d3")?)?;
/// assert_eq!(effects.flipped, ["c3".parse()?]);
/// assert!(effects.captured.is_empty() && effects.promoted.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// The squares of the pieces that it takes off the board, in the order in which it jumps over them.
    pub captured: Vec<Square>,
    /// The squares of the stones that change sides.
    pub flipped: Vec<Square>,
    /// The piece that the moved one becomes, if it becomes another.
    pub promoted: Option<Piece>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_usual_spelling_is_read() {
        for text in ["d1d7,d7g7", "a10k11,k11a1", "d1d7", "c2e4g6", "a1a3,a3a1"] {
            assert_eq!(text.parse::<Turn>().map(|turn| turn.to_string()), Ok(text.to_owned()));
        }
        for (text, wrong) in [
            ("", "a square is expected at character 1"),
            ("d1", "a square is expected at character 3"),
            ("d1-d7", "a square is expected at character 3"),
            ("d1d7,g7", "',d7' is expected at character 5"),
            ("d1d7,d7", "a square is expected at character 8"),
            ("d1d7,d7g7x", "the end is expected at character 10"),
            ("d1d7e8,e8g7", "the end is expected at character 7"),
        ] {
            assert_eq!(text.parse::<Turn>().map_err(|error| error.to_string()), Err(wrong.to_owned()), "{text}");
        }
        let long = "a1b2".repeat(20);
        assert!(long.parse::<Turn>().is_err());
    }
}
