//! Squares as GTP writes them: columns A to L without I, rows from 1.

use hippolyta::board::Square;

/// The columns' letters, from the left.
const COLUMNS: &[u8; 11] = b"ABCDEFGHJKL";

/// Reads a vertex, `D10`, in any case.
pub(super) fn read(text: &str) -> Option<Square> {
    let (&column, row) = text.as_bytes().split_first()?;
    let file = COLUMNS.iter().position(|&known| known == column.to_ascii_uppercase())?;
    let digits = (1..=2).contains(&row.len()) && row.iter().all(u8::is_ascii_digit) && !row.starts_with(b"0");
    let rank: usize = text.get(1..).filter(|_| digits)?.parse().ok()?;
    Square::at(file, rank.checked_sub(1)?)
}

/// Writes a vertex.
pub(super) fn write(square: Square) -> String {
    format!("{}{}", column(square.file()), square.rank() + 1)
}

/// The letter of a column, counted from 0.
pub(super) fn column(file: usize) -> char {
    COLUMNS.get(file).map_or('?', |&letter| char::from(letter))
}

/// Writes vertices with blanks between them.
pub(super) fn list<'a>(squares: impl IntoIterator<Item = &'a Square>) -> String {
    squares.into_iter().map(|&square| write(square)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_survives_the_round_trip_and_no_column_is_i() {
        for rank in 0..11 {
            for file in 0..11 {
                let square = Square::at(file, rank).unwrap();
                let text = write(square);
                assert_eq!((read(&text), read(&text.to_lowercase())), (Some(square), Some(square)));
                assert!(!text.starts_with('I'));
            }
        }
        assert_eq!(write("i10".parse().unwrap()), "J10");
    }

    #[test]
    fn what_is_no_vertex_is_refused() {
        for text in ["", "A", "I5", "A0", "A01", "A12", "M1", "5A", "A+1", "A1x", "pass", "é1", "A111"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
