use super::Side;
use std::fmt;

/// A piece, stone or arrow on a square, in any family of games.
///
/// ```
/// use hippolyta_rules::games::{Notation, Piece, Side, amazons::Amazons, variant};
///
/// let position = Amazons::from_fen(&variant::find("amazons")?, "q2/3/*1Q w")?;
/// assert_eq!(position.at("c1".parse()?), Some(Piece::Amazon(Side::White)));
/// assert_eq!(position.at("a1".parse()?), Some(Piece::Neutral));
/// assert_eq!(position.at("b2".parse()?), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Piece {
    /// An amazon, which moves and fires.
    Amazon(Side),
    /// A stone of Desdemona and its relatives.
    Stone(Side),
    /// Nobody's: an arrow of the Amazons, a neutral stone of Desdemona and its relatives.
    Neutral,
    /// The lowest rank of Damone.
    Pedina(Side),
    /// The middle rank of Damone.
    Dama(Side),
    /// The highest rank of Damone.
    Damone(Side),
}

impl Piece {
    /// Every piece, White's before Black's.
    pub const ALL: [Self; 11] = {
        use Side::{Black, White};
        [
            Self::Amazon(White),
            Self::Amazon(Black),
            Self::Stone(White),
            Self::Stone(Black),
            Self::Neutral,
            Self::Pedina(White),
            Self::Pedina(Black),
            Self::Dama(White),
            Self::Dama(Black),
            Self::Damone(White),
            Self::Damone(Black),
        ]
    };

    /// Whose it is; `None` if it is nobody's.
    #[must_use]
    pub const fn side(self) -> Option<Side> {
        match self {
            Self::Amazon(side) | Self::Stone(side) | Self::Pedina(side) | Self::Dama(side) | Self::Damone(side) => {
                Some(side)
            }
            Self::Neutral => None,
        }
    }

    /// Its letter in a FEN: a capital for White, a small one for Black, `*` if it is nobody's.
    ///
    /// ```
    /// use hippolyta_rules::games::{Piece, Side};
    ///
    /// assert_eq!(Piece::Stone(Side::Black).letter(), 's');
    /// assert!(Piece::ALL.iter().all(|&piece| Piece::of_letter(piece.letter()) == Some(piece)));
    /// ```
    #[must_use]
    pub const fn letter(self) -> char {
        let (letter, side) = match self {
            Self::Neutral => return '*',
            Self::Amazon(side) => ('q', side),
            Self::Stone(side) => ('s', side),
            Self::Pedina(side) => ('p', side),
            Self::Dama(side) => ('d', side),
            Self::Damone(side) => ('i', side),
        };
        match side {
            Side::White => letter.to_ascii_uppercase(),
            Side::Black => letter,
        }
    }

    /// The piece with this letter.
    #[must_use]
    pub fn of_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|piece| piece.letter() == letter)
    }

    /// Its name, without its side: `amazon`, `stone`, `neutral`, `pedina`, `dama` or `damone`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Amazon(_) => "amazon",
            Self::Stone(_) => "stone",
            Self::Neutral => "neutral",
            Self::Pedina(_) => "pedina",
            Self::Dama(_) => "dama",
            Self::Damone(_) => "damone",
        }
    }
}

impl fmt::Display for Piece {
    /// The letter of the FEN.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, self.letter())
    }
}
