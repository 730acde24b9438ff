use super::{FRAME, STRIDE};
use serde::{Serialize, Serializer};
use std::fmt;
use thiserror::Error;

/// A square of the 11 × 11 frame, `11·rank + file`. Written `a1` … `k11`.
///
/// ```
/// use hippolyta_rules::board::Square;
/// let square: Square = "d10".parse().unwrap();
/// assert_eq!((square.file(), square.rank()), (3, 9));
/// assert_eq!(square.to_string(), "d10");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// Why a text is not a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a square: a file letter a to k and a rank number 1 to 11 are expected")]
pub struct SquareError;

impl Square {
    /// The square in `file` and `rank`, both counted from 0. `None` outside the frame.
    #[must_use]
    pub const fn at(file: usize, rank: usize) -> Option<Self> {
        if file < STRIDE && rank < STRIDE { Some(Self((rank * STRIDE + file) as u8)) } else { None }
    }

    /// The square with this index. The index must be below [`FRAME`]; higher ones wrap round.
    #[inline]
    #[must_use]
    pub const fn new(index: usize) -> Self {
        debug_assert!(index < FRAME);
        Self(if index < FRAME { index as u8 } else { (index % FRAME) as u8 })
    }

    /// Index in the frame, 0 … 120.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// File from 0 (a) to 10 (k).
    #[inline]
    #[must_use]
    pub const fn file(self) -> usize {
        self.0 as usize % STRIDE
    }

    /// Rank from 0 (rank 1) to 10 (rank 11).
    #[inline]
    #[must_use]
    pub const fn rank(self) -> usize {
        self.0 as usize / STRIDE
    }

    /// Reads a square at the head of `text` and returns it with what follows it.
    ///
    /// # Errors
    ///
    /// If the text does not begin with a letter a … k and a number 1 … 11 without leading zero.
    pub fn parse_prefix(text: &str) -> Result<(Self, &str), SquareError> {
        let file = match text.bytes().next() {
            Some(letter @ b'a'..=b'k') => usize::from(letter - b'a'),
            _ => return Err(SquareError),
        };
        let tail = &text[1..];
        let digits = tail.bytes().take_while(u8::is_ascii_digit).take(2).count();
        let (number, rest) = tail.split_at(digits);
        let rank: usize = number.parse().map_err(|_| SquareError)?;
        if number.starts_with('0') {
            return Err(SquareError);
        }
        let square = Self::at(file, rank.wrapping_sub(1)).ok_or(SquareError)?;
        Ok((square, rest))
    }
}

impl std::str::FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        match Self::parse_prefix(text)? {
            (square, "") => Ok(square),
            _ => Err(SquareError),
        }
    }
}

impl Square {
    /// Writes the name at the end of `text`. Lists of legal turns are long, and `write!` takes ten times as long.
    pub(crate) fn append_to(self, text: &mut String) {
        let rank = self.rank() as u8 + 1;
        text.push((b'a' + self.file() as u8) as char);
        if rank > 9 {
            text.push('1');
        }
        text.push((b'0' + rank % 10) as char);
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(3);
        self.append_to(&mut text);
        f.pad(&text)
    }
}

impl Serialize for Square {
    /// As its name.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_survives_the_round_trip() {
        for index in 0..FRAME {
            let square = Square::new(index);
            assert_eq!(square.to_string().parse(), Ok(square));
        }
    }

    #[test]
    fn what_is_no_square_is_refused() {
        for text in ["", "a", "1", "a0", "a01", "a12", "l1", "A1", "aa1", "a1b", "a-1", "é1", "a100"] {
            assert_eq!(text.parse::<Square>(), Err(SquareError), "{text:?}");
        }
    }

    #[test]
    fn a_prefix_takes_as_many_digits_as_it_can() {
        assert_eq!(Square::parse_prefix("d10g7").map(|(s, rest)| (s.to_string(), rest)), Ok(("d10".into(), "g7")));
        assert_eq!(Square::parse_prefix("d1d7").map(|(s, rest)| (s.to_string(), rest)), Ok(("d1".into(), "d7")));
    }
}
