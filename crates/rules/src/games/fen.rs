//! The six fields that the FENs of all games share: `board side flag - quiet number`.

use super::spelling::{is_dash, number_of, numbered};
use super::{Notation, Piece, PiecesError, Side, Symmetry};
use crate::board::{BoardSizeError, Geometry, Square};
use crate::words::shown;
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Why a FEN was refused, and where.
///
/// ```
/// use hippolyta_rules::games::{FenError, Notation, amazons::Amazons, variant};
///
/// let error = Amazons::from_fen(&variant::find("amazons")?, "q2/2x/2Q w").unwrap_err();
/// assert!(matches!(error, FenError::UnknownPiece { found: 'x', at: 5, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenError {
    /// There is no board at all.
    #[error("FEN: empty, a board is expected")]
    Empty,
    /// A rank is longer or shorter than the top rank.
    #[error("FEN: rank {rank} '{}' has {files} files, but the board's first line has {expected}", shown(.text))]
    UnevenRank {
        /// The number of the rank, from 1 at the bottom.
        rank: usize,
        /// Its text.
        text: String,
        /// The number of its files.
        files: usize,
        /// The number of files of the top rank.
        expected: usize,
    },
    /// A character is neither a piece of this game nor a digit.
    #[error(
        "FEN: '{}' at character {at} is not a piece of this game ({allowed}) and not a number of empty squares",
        shown(.found.encode_utf8(&mut [0; 4]))
    )]
    UnknownPiece {
        /// The character.
        found: char,
        /// Its place in the FEN, from 1.
        at: usize,
        /// The letters that are pieces.
        allowed: &'static str,
    },
    /// A number of empty squares is 0, or larger than any board.
    #[error("FEN: '{}' at character {at} is not a number of empty squares (1 to 11)", shown(.found))]
    EmptyRun {
        /// The digits.
        found: String,
        /// Their place in the FEN, from 1.
        at: usize,
    },
    /// The board is too small or too large.
    #[error("FEN: {0}")]
    Size(BoardSizeError),
    /// One of the fields after the board is wrong.
    #[error("FEN: field {field} is '{}', expected {expected}", shown(.found))]
    Field {
        /// The number of the field. The board is number 1.
        field: usize,
        /// The text that stands there.
        found: String,
        /// The values that may stand there, in words.
        expected: &'static str,
    },
    /// There are more than six fields.
    #[error("FEN: '{}' follows the sixth field, the last", shown(.found))]
    TooManyFields {
        /// The first word too many.
        found: String,
    },
    /// The board can be read but breaks a rule of the game.
    #[error("FEN: {0}")]
    Pieces(#[from] PiecesError),
}

/// A FEN taken apart, of whatever game: its words are right, and whether they make a position only a rule set knows.
/// [`Display`](fmt::Display) writes all six fields.
///
/// ```
/// use hippolyta_rules::games::{Fen, Piece, Side};
///
/// let fen: Fen = "q2/3/2Q b".parse()?;
/// assert_eq!((fen.files, fen.ranks, fen.side, fen.number), (3, 3, Side::Black, 1));
/// assert_eq!(fen.pieces, [("a3".parse()?, Piece::Amazon(Side::Black)), ("c1".parse()?, Piece::Amazon(Side::White))]);
/// assert_eq!((fen.position(), fen.to_string()), ("q2/3/2Q b - -".to_owned(), "q2/3/2Q b - - 0 1".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fen {
    /// The number of files.
    pub files: usize,
    /// The number of ranks.
    pub ranks: usize,
    /// Every piece with its square: ranks from the top, each from the left.
    pub pieces: Vec<(Square, Piece)>,
    /// The side to move.
    pub side: Side,
    /// Field 3 is `m`: the side to move only moves this turn.
    pub move_only: bool,
    /// Field 5, quiet plies in a row.
    pub quiet: u32,
    /// Field 6, the number of the turn, which grows after Black's.
    pub number: u32,
}

/// Pieces with their squares.
type Pieces = Vec<(Square, Piece)>;

/// The letters of all games.
const LETTERS: &str = "QqSs*PpDdIi";

impl FromStr for Fen {
    type Err = FenError;

    /// Fields that are missing at its end take their usual values.
    fn from_str(text: &str) -> Result<Self, FenError> {
        parse(text, LETTERS)
    }
}

impl fmt::Display for Fen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.position(), self.quiet, self.number)
    }
}

impl Fen {
    /// The first four fields: what does not depend on the turns before.
    #[must_use]
    pub fn position(&self) -> String {
        let pieces: HashMap<_, _> = self.pieces.iter().copied().collect();
        let board = write_board((self.files, self.ranks), |square| pieces.get(&square).copied());
        let (side, flag) = (letter(self.side), if self.move_only { 'm' } else { '-' });
        format!("{board} {side} {flag} -")
    }

    /// In the manner of draughts and of PDN, with `K` for a dama and `I` for a damone.
    ///
    /// ```
    /// use hippolyta_rules::games::Fen;
    ///
    /// let fen: Fen = "8/8/8/3d4/4p3/5P2/4D3/7I w".parse()?;
    /// assert_eq!(fen.draughts(), "W:W23,K27,I32:BK14,19");
    /// assert_eq!(fen.draughts().parse(), Ok(fen));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn draughts(&self) -> String {
        let of = |side: Side| {
            let own = self.pieces.iter().filter(|(_, piece)| piece.side() == Some(side));
            let text = |&(square, piece): &(Square, Piece)| {
                let kind = match piece {
                    Piece::Dama(_) => "K",
                    Piece::Damone(_) => "I",
                    _ => "",
                };
                format!("{kind}{}", number_of(square))
            };
            own.map(text).collect::<Vec<_>>().join(",")
        };
        format!("{}:W{}:B{}", letter(self.side).to_ascii_uppercase(), of(Side::White), of(Side::Black))
    }

    /// The size of its board.
    pub(crate) fn geometry(&self) -> Result<&'static Geometry, FenError> {
        Geometry::get(self.files, self.ranks).map_err(FenError::Size)
    }

    /// The position on the board as it looks once that is moved.
    #[must_use]
    pub fn image(&self, symmetry: Symmetry) -> Self {
        let size = (self.files, self.ranks);
        let (files, ranks) = symmetry.size(size);
        let place = |&(square, piece): &(Square, Piece)| Some((symmetry.square(square, size)?, piece));
        let mut pieces: Vec<_> = self.pieces.iter().filter_map(place).collect();
        pieces.sort_by_key(|(square, _)| (ranks - 1 - square.rank(), square.file()));
        Self { files, ranks, pieces, ..self.clone() }
    }
}

/// The second field.
fn letter(side: Side) -> char {
    if side == Side::White { 'w' } else { 'b' }
}

/// Reads a FEN whose pieces are the letters of `letters`.
pub(crate) fn parse(fen: &str, letters: &'static str) -> Result<Fen, FenError> {
    if let Some(found) = draughts(fen).filter(|_| letters.contains('P')) {
        return Ok(found);
    }
    let mut words = fen.split_ascii_whitespace();
    let board = words.next().ok_or(FenError::Empty)?;
    let offset = fen.find(board).unwrap_or(0);
    // PlayStrategy's arrows are `p`, and those that are left stand in a pocket: `[PPpp]`.
    let is_arrows =
        |pocket: &str| pocket.strip_suffix(']').is_some_and(|inner| inner.trim_matches(['P', 'p']).is_empty());
    let board = match board.split_once('[').filter(|(_, pocket)| is_arrows(pocket)) {
        Some((board, _)) => &board.replace(['P', 'p'], "*"),
        None => board,
    };
    let (geometry, pieces) = parse_board(board, offset, letters)?;
    let mut field = |field: usize, usual: &'static str| (field, words.next().unwrap_or(usual));
    let wrong =
        |(field, found): (usize, &str), expected| Err(FenError::Field { field, found: found.to_owned(), expected });
    // A word processor may have made a longer dash of it.
    let is_none = |found: &str| found.chars().count() == 1 && found.chars().all(is_dash);
    let side = match field(2, "w") {
        (_, "w") => Side::White,
        (_, "b") => Side::Black,
        other => return wrong(other, "w or b, the side to move"),
    };
    let move_only = match field(3, "-") {
        (_, "m") => true,
        (_, none) if is_none(none) => false,
        other => return wrong(other, "- or m"),
    };
    match field(4, "-") {
        (_, none) if is_none(none) => {}
        other => return wrong(other, "-"),
    }
    let quiet = field(5, "0");
    let Ok(quiet) = quiet.1.parse() else { return wrong(quiet, "the number of quiet plies") };
    let number = field(6, "1");
    let Ok(number) = number.1.parse() else { return wrong(number, "the number of the turn") };
    if let Some(found) = words.next() {
        return Err(FenError::TooManyFields { found: found.to_owned() });
    }
    let (files, ranks) = (geometry.width(), geometry.height());
    Ok(Fen { files, ranks, pieces, side, move_only, quiet, number })
}

/// A FEN of draughts: the side to move, then the squares of each side. `None` if a part of it is not understood.
fn draughts(fen: &str) -> Option<Fen> {
    let side =
        |text: &str| [('W', Side::White), ('B', Side::Black)].into_iter().find(|(sign, _)| text.starts_with(*sign));
    let mut parts = fen.trim().trim_end_matches('.').split(':');
    let (_, to_move) = parts.next().filter(|text| text.len() == 1).and_then(side)?;
    let mut pieces = Pieces::new();
    for part in parts {
        let (_, owner) = side(part)?;
        for item in part[1..].split(',').map(str::trim).filter(|item| !item.is_empty()) {
            let place = item.trim_start_matches(['K', 'D', 'I']);
            let kind = match &item[..item.len() - place.len()] {
                "" => Piece::Pedina(owner),
                "I" => Piece::Damone(owner),
                "K" | "D" => Piece::Dama(owner),
                _ => return None,
            };
            if let Ok(square) = place.parse() {
                pieces.push((square, kind));
                continue;
            }
            let (first, last) = place.split_once('-').unwrap_or((place, place));
            for number in first.parse().ok()?..=last.parse::<usize>().ok().filter(|&last| last <= 32)? {
                pieces.push((numbered(number)?, kind));
            }
        }
    }
    pieces.sort_by_key(|(square, _)| (7_usize.wrapping_sub(square.rank()), square.file()));
    let is_board = pieces.iter().all(|(square, _)| square.rank() < 8 && square.file() < 8);
    let is_sound = is_board && pieces.windows(2).all(|pair| pair[0].0 != pair[1].0);
    is_sound.then_some(Fen { files: 8, ranks: 8, pieces, side: to_move, move_only: false, quiet: 0, number: 1 })
}

fn parse_board(board: &str, offset: usize, letters: &'static str) -> Result<(&'static Geometry, Pieces), FenError> {
    let height = board.split('/').count();
    let mut width = None;
    let mut pieces = Vec::new();
    let mut line_start = offset;
    for (line, text) in board.split('/').enumerate() {
        let rank = height - 1 - line;
        let mut file = 0usize;
        let mut digits = String::new();
        for (at, found) in text.char_indices() {
            let at = line_start + at + 1;
            if found.is_ascii_digit() {
                digits.push(found);
                let more = text[at - line_start..].starts_with(|next: char| next.is_ascii_digit());
                if !more {
                    let run: Option<usize> = digits.parse().ok();
                    let run = run.filter(|run| (1..=11).contains(run) && !digits.starts_with('0'));
                    file +=
                        run.ok_or_else(|| FenError::EmptyRun { found: digits.clone(), at: at + 1 - digits.len() })?;
                    digits.clear();
                }
            } else {
                let piece = Piece::of_letter(found).filter(|_| letters.contains(found));
                let piece = piece.ok_or(FenError::UnknownPiece { found, at, allowed: letters })?;
                pieces.extend(Square::at(file, rank).map(|square| (square, piece)));
                file += 1;
            }
        }
        let expected = *width.get_or_insert(file);
        if file != expected {
            return Err(FenError::UnevenRank { rank: rank + 1, text: text.to_owned(), files: file, expected });
        }
        line_start += text.len() + 1;
    }
    let geometry = Geometry::get(width.unwrap_or(0), height).map_err(FenError::Size)?;
    Ok((geometry, pieces))
}

/// Writes a FEN. `flag` is its third field.
pub(crate) fn write<P: Notation>(position: &P, flag: char) -> String {
    let board = write_board(position.board_size(), |square| position.at(square));
    let side = letter(position.side_to_move());
    format!("{board} {side} {flag} - {} {}", position.quiet(), position.number())
}

/// Writes the board field.
fn write_board((files, ranks): (usize, usize), piece: impl Fn(Square) -> Option<Piece>) -> String {
    let mut text = String::new();
    for rank in (0..ranks).rev() {
        let mut run = 0;
        for file in 0..files {
            match Square::at(file, rank).and_then(&piece).map(Piece::letter) {
                Some(letter) => {
                    if run > 0 {
                        text.push_str(&run.to_string());
                        run = 0;
                    }
                    text.push(letter);
                }
                None => run += 1,
            }
        }
        if run > 0 {
            text.push_str(&run.to_string());
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

/// A picture of the board with its coordinates; `.` is an empty square.
pub(crate) fn diagram((files, ranks): (usize, usize), piece: impl Fn(Square) -> Option<Piece>) -> String {
    let mut text = String::new();
    for rank in (0..ranks).rev() {
        text.push_str(&format!("{:>2}", rank + 1));
        for file in 0..files {
            text.push(' ');
            text.push(Square::at(file, rank).and_then(&piece).map_or('.', Piece::letter));
        }
        text.push('\n');
    }
    text.push_str("  ");
    for file in 0..files {
        text.push(' ');
        text.push((b'a' + file as u8) as char);
    }
    text.push('\n');
    text
}
