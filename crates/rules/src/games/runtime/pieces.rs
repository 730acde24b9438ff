use crate::board::Square;
use crate::games::Piece;

/// The pieces on all squares: a picture of a position, which may be changed without asking the rules.
///
/// ```
/// use hippolyta_rules::games::Board;
/// use hippolyta_rules::games::{Piece, Side, variant};
///
/// let pieces = Board::from_fen(&variant::find("amazons")?, "q2/3/*1Q w")?.pieces();
/// assert_eq!((pieces.files(), pieces.ranks()), (3, 3));
/// assert_eq!(pieces.at("c1".parse()?), Some(Piece::Amazon(Side::White)));
/// assert_eq!(pieces.count(Piece::Neutral), 1);
/// assert_eq!(pieces.moved("c1".parse()?, "b2".parse()?).at("b2".parse()?), Some(Piece::Amazon(Side::White)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces {
    files: usize,
    ranks: usize,
    /// By rank from the first, then by file.
    cells: Vec<Option<Piece>>,
}

impl Pieces {
    /// A board with this number of files and ranks, and on each square the piece that `at` names.
    #[must_use]
    pub fn new((files, ranks): (usize, usize), at: impl Fn(Square) -> Option<Piece>) -> Self {
        let cell = |index: usize| Square::at(index % files, index / files).and_then(&at);
        Self { files, ranks, cells: (0..files * ranks).map(cell).collect() }
    }

    /// The number of files.
    #[must_use]
    pub fn files(&self) -> usize {
        self.files
    }

    /// The number of ranks.
    #[must_use]
    pub fn ranks(&self) -> usize {
        self.ranks
    }

    fn index(&self, square: Square) -> Option<usize> {
        self.contains(square).then(|| square.rank() * self.files + square.file())
    }

    /// Whether the board has this square.
    #[must_use]
    pub fn contains(&self, square: Square) -> bool {
        square.file() < self.files && square.rank() < self.ranks
    }

    /// The piece on a square; `None` if the square is empty or not on the board.
    #[must_use]
    pub fn at(&self, square: Square) -> Option<Piece> {
        self.cells.get(self.index(square)?).copied().flatten()
    }

    /// How many pieces of one kind there are.
    #[must_use]
    pub fn count(&self, piece: Piece) -> usize {
        self.cells.iter().filter(|&&cell| cell == Some(piece)).count()
    }

    /// Every piece with its square, by rank from the first, then by file.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        let piece = |(index, cell): (usize, &Option<Piece>)| {
            Some((Square::at(index % self.files, index / self.files)?, (*cell)?))
        };
        self.cells.iter().enumerate().filter_map(piece)
    }

    /// Every square with what stands on it: ranks from the top, each from the left, as people see a board.
    pub fn squares(&self) -> impl Iterator<Item = (Square, Option<Piece>)> + '_ {
        let square = |rank| (0..self.files).filter_map(move |file| Square::at(file, rank));
        (0..self.ranks).rev().flat_map(square).map(|square| (square, self.at(square)))
    }

    /// The ranks from the top, each from the left, as people see a board.
    pub fn rows(&self) -> impl Iterator<Item = &[Option<Piece>]> {
        self.cells.chunks(self.files).rev()
    }

    /// The board after the piece on `from` has moved to `to`, where it replaces a piece.
    #[must_use]
    pub fn moved(mut self, from: Square, to: Square) -> Self {
        if let (Some(from), Some(to)) = (self.index(from), self.index(to))
            && let piece @ Some(_) = std::mem::take(&mut self.cells[from])
        {
            self.cells[to] = piece;
        }
        self
    }
}
