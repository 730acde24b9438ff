//! Opening books: a turn for each of many positions, found by long searches beforehand.

use super::Board;
use crate::files::{self, read_file};
use crate::games::variant::{self, UnknownVariant, Variant};
use crate::games::{FenError, Turn, TurnError};
use std::collections::HashMap;
use std::io;
use std::path::Path;
use thiserror::Error;

/// The largest file that is read.
const LARGEST: u64 = 1 << 30;
/// The beginning of the first line; the name of the rule set follows.
const FIRST_LINE: &str = "# variant ";

/// Why a book cannot be used.
///
/// ```
/// use hippolyta::engine::{Book, BookError};
///
/// let text = "# variant amazons6\n1q1q2/6/q5/5Q/6/2Q1Q1 w - - bm a1a2,a2a3;\n";
/// assert!(matches!(Book::read(text), Err(BookError::Turn { line: 2, .. })));
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BookError {
    /// The system refuses to read the file.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin with the rule set.
    #[error("line 1: '# variant NAME' is expected")]
    NoVariant,
    /// The rule set is unknown.
    #[error("line 1: {0}")]
    Variant(#[from] UnknownVariant),
    /// A line without the four fields of a position and a turn.
    #[error("line {line}: four fields of a position and 'bm TURN;' are expected")]
    NoTurn {
        /// Its number, from 1.
        line: usize,
    },
    /// A bad position.
    #[error("line {line}: {error}")]
    Position {
        /// Its number, from 1.
        line: usize,
        /// The fault of the FEN.
        error: FenError,
    },
    /// A turn that the rules forbid.
    #[error("line {line}: {error}")]
    Turn {
        /// Its number, from 1.
        line: usize,
        /// The fault of the turn.
        error: TurnError,
    },
}

/// An entry of a book: the best turn of a position.
///
/// ```
/// use hippolyta::engine::Book;
///
/// let book = Book::read("# variant amazons6\n1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - bm b1b4,b4c4; ce 35; acn 100000;\n")?;
/// let entry = &book.entries()[0];
/// assert_eq!((entry.turn.to_string(), entry.score, entry.nodes), ("b1b4,b4c4".to_owned(), 35, 100_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// The first four fields of the FEN: pieces, side to move, and two that are always `-`.
    pub position: String,
    /// The best turn that a search found.
    pub turn: Turn,
    /// Its score in centipawns, from the view of the side to move.
    pub score: i32,
    /// Evaluated positions of that search; 0 if unknown.
    pub nodes: u64,
}

impl BookEntry {
    /// The line of a file: EPD with the operations `bm` (the turn), `ce` (centipawns) and `acn` (nodes).
    fn line(&self) -> String {
        let Self { position, turn, score, nodes } = self;
        format!("{position} bm {turn}; ce {score}; acn {nodes};\n")
    }
}

/// An opening book.
///
/// Its text has the line `# variant NAME`, then one for each position, as in EPD. Empty lines and others that begin
/// with `#` are skipped.
///
/// ```
/// use hippolyta::engine::{Board, Book};
/// use hippolyta::games::variant;
///
/// let damone = &variant::find("damone")?;
/// let board = Board::new(damone);
/// let fields = board.fen().split(' ').take(4).collect::<Vec<_>>().join(" ");
/// let book = Book::read(&format!("# variant damone\n{fields} bm h1g2; ce 5; acn 100000;\n"))?;
/// assert_eq!(book.entry(&board).map(|entry| (&entry.turn, entry.score)), Some((&"h1g2".parse()?, 5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Book {
    variant: Variant,
    entries: Vec<BookEntry>,
    /// By position, the place of its entry.
    places: HashMap<String, usize>,
}

/// The first four fields of a position's FEN: what does not depend on the turns before.
#[must_use]
pub fn without_counters(board: &Board) -> String {
    board.fen().split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// The board of a position without counters, no turn played.
///
/// # Errors
///
/// If it is not a position of the rule set.
pub fn board_at(variant: &Variant, position: &str) -> Result<Board, FenError> {
    Board::from_fen(variant, &format!("{position} 0 1"))
}

impl Book {
    /// A book of these entries. If a position comes more than once, the last of its entries is used.
    #[must_use]
    #[doc(hidden)]
    pub fn new(variant: &Variant, entries: Vec<BookEntry>) -> Self {
        let places = entries.iter().zip(0..).map(|(entry, place)| (entry.position.clone(), place)).collect();
        Self { variant: variant.clone(), entries, places }
    }

    /// Reads the text of a book.
    ///
    /// # Errors
    ///
    /// For the first line that is wrong: every turn must be legal.
    pub fn read(text: &str) -> Result<Self, BookError> {
        let name = text.lines().next().and_then(|line| line.strip_prefix(FIRST_LINE)).ok_or(BookError::NoVariant)?;
        let variant = variant::find(name.trim())?;
        let mut entries = Vec::new();
        for (line, text) in (1..).zip(text.lines()) {
            if !(text.trim().is_empty() || text.starts_with('#')) {
                entries.push(entry(&variant, line, text)?);
            }
        }
        Ok(Self::new(&variant, entries))
    }

    /// Reads a file. Blocks until it is read.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read), and if the system refuses.
    pub fn load(path: &Path) -> Result<Self, BookError> {
        Self::read(&files::text(read_file(path, LARGEST)?)?)
    }

    /// The text of a file.
    #[must_use]
    pub fn text(&self) -> String {
        let first = format!("{FIRST_LINE}{}\n", self.variant.text());
        std::iter::once(first).chain(self.entries.iter().map(BookEntry::line)).collect()
    }

    /// The rule set.
    #[must_use]
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// All entries, in the order of the file.
    #[must_use]
    pub fn entries(&self) -> &[BookEntry] {
        &self.entries
    }

    /// The entry of a position; `None` if there is none, or if the position stood on the board earlier in the game: who
    /// repeats himself by the book would draw.
    #[must_use]
    pub fn entry(&self, board: &Board) -> Option<&BookEntry> {
        if *board.variant() != self.variant {
            return None;
        }
        let entry = self.places.get(&without_counters(board)).and_then(|&place| self.entries.get(place))?;
        let mut earlier = board.clone();
        while earlier.undo() {
            if without_counters(&earlier) == entry.position {
                return None;
            }
        }
        Some(entry)
    }
}

/// Reads a line of a file.
fn entry(variant: &Variant, line: usize, text: &str) -> Result<BookEntry, BookError> {
    let end = text.char_indices().filter(|&(_, c)| c == ' ').nth(3);
    let (position, operations) = text.split_at(end.ok_or(BookError::NoTurn { line })?.0);
    let operation = |name: &str| {
        operations
            .split(';')
            .find_map(|operation| operation.trim().strip_prefix(name)?.strip_prefix(' '))
            .map(str::trim)
    };
    let turn = operation("bm").ok_or(BookError::NoTurn { line })?;
    let board = board_at(variant, position).map_err(|error| BookError::Position { line, error })?;
    Ok(BookEntry {
        position: without_counters(&board),
        turn: board.read(turn).map_err(|error| BookError::Turn { line, error })?,
        score: operation("ce").and_then(|score| score.parse().ok()).unwrap_or_default(),
        nodes: operation("acn").and_then(|nodes| nodes.parse().ok()).unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(lines: &str) -> Result<Book, String> {
        Book::read(lines).map_err(|error| error.to_string())
    }

    #[test]
    fn books_are_read_as_they_were_written() {
        let damone = &variant::find("damone").unwrap();
        let mut board = Board::new(damone);
        let mut entries = Vec::new();
        for turn in ["h1g2", "a8b7"] {
            entries.push(BookEntry {
                position: without_counters(&board),
                turn: turn.parse().unwrap(),
                score: -3,
                nodes: 7,
            });
            board.play(turn).unwrap();
        }
        let written = Book::new(damone, entries);
        let again = book(&written.text()).unwrap();
        assert_eq!((again.entries(), again.variant(), again.text()), (written.entries(), damone, written.text()));
        // Without a score, with other operations, and with a remark.
        let text = written.text().replace(" ce -3; acn 7;", " id \"x\";") + "\n# the end\n";
        assert_eq!(book(&text).unwrap().entries()[1], BookEntry { score: 0, nodes: 0, ..written.entries[1].clone() });
    }

    #[test]
    fn a_position_that_comes_again_is_searched() {
        let damone = &variant::find("damone").unwrap();
        let mut board = Board::new(damone);
        let entry = BookEntry { position: without_counters(&board), turn: "h1g2".parse().unwrap(), score: 0, nodes: 1 };
        let book = Book::new(damone, vec![entry]);
        assert!(book.entry(&board).is_some());
        board.play_all(&["h1g2", "a8b7", "g2h1", "b7a8"]).unwrap();
        assert_eq!(book.entry(&board), None);
        assert_eq!(book.entry(&Board::new(&variant::find("damone-imperatore").unwrap())), None);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |lines: &str| book(lines).unwrap_err();
        let start = without_counters(&Board::new(&variant::find("amazons6").unwrap()));
        assert_eq!(error(""), "line 1: '# variant NAME' is expected");
        assert!(error("# variant chess\n").starts_with("line 1: unknown variant 'chess'"));
        let lines = |second: &str| format!("# variant amazons6\n{second}\n");
        assert_eq!(error(&lines("6/6")), "line 2: four fields of a position and 'bm TURN;' are expected");
        assert_eq!(error(&lines(&start)), "line 2: four fields of a position and 'bm TURN;' are expected");
        assert!(error(&lines("7/6/6/6/6/6 w - - bm a1a2,a2a1;")).starts_with("line 2: "));
        assert!(error(&lines(&format!("\n{start} bm a1a2,a2a1;"))).starts_with("line 3: "));
    }
}
