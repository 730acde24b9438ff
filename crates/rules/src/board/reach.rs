use super::flood::Kernel;
use super::rays::{DIRECTIONS, Direction, line_targets};
use super::{Bitboard, FRAME, Geometry, MAX_SIDE, Square};
use crate::forks::Once;
use crate::words::shown;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How many squares away the farthest square of any line lies: a line without a bound.
const FAR: u8 = 10;

/// Where a piece can go from a square, as letters of chess: `Q` along all lines, `R` along files and ranks, `B` along
/// diagonals, `K` one square, `N` the leap of a knight; several letters are all of these together. A number behind `Q`,
/// `R` or `B` bounds its lines: `Q3` goes three squares at most.
///
/// ```
/// use hippolyta_rules::board::Reach;
///
/// let reach: Reach = "RN".parse()?;
/// assert_eq!((reach, reach.to_string()), (Reach::ROOK.and(Reach::KNIGHT), "RN".to_owned()));
/// assert_eq!("Q1".parse::<Reach>()?, Reach::KING);
/// assert!("X".parse::<Reach>().unwrap_err().to_string().starts_with("'X' is not Q, R, B, K or N"));
/// # Ok::<(), hippolyta_rules::board::ReachError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Reach {
    /// Squares along files and ranks, and along diagonals: 0 if it does not go there at all.
    straight: u8,
    diagonal: u8,
    knight: bool,
}

/// Why a text is no [`Reach`].
///
/// ```
/// use hippolyta_rules::board::{Reach, ReachError};
/// assert_eq!("Q11".parse::<Reach>(), Err(ReachError::Bound("11".to_owned())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReachError {
    /// There is no letter.
    #[error("one or more of the letters Q, R, B, K, N are expected")]
    Empty,
    /// A letter means nothing.
    #[error("'{}' is not Q, R, B, K or N, nor a number behind Q, R or B", shown(.0.encode_utf8(&mut [0; 4])))]
    Letter(char),
    /// A bound is 0 or larger than any board.
    #[error("'{}' is no bound of a line: 1 to {FAR} squares are possible", shown(.0))]
    Bound(String),
}

impl Reach {
    /// All lines.
    pub const QUEEN: Self = Self { straight: FAR, diagonal: FAR, knight: false };
    /// Files and ranks.
    pub const ROOK: Self = Self { straight: FAR, diagonal: 0, knight: false };
    /// Diagonals.
    pub const BISHOP: Self = Self { straight: 0, diagonal: FAR, knight: false };
    /// One square along any line.
    pub const KING: Self = Self { straight: 1, diagonal: 1, knight: false };
    /// Two squares along a file or rank and one to its side, whatever stands between.
    pub const KNIGHT: Self = Self { straight: 0, diagonal: 0, knight: true };

    /// The union: the longer lines of both, and leaps if either has them.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        const fn larger(one: u8, other: u8) -> u8 {
            if one > other { one } else { other }
        }
        Self {
            straight: larger(self.straight, other.straight),
            diagonal: larger(self.diagonal, other.diagonal),
            knight: self.knight || other.knight,
        }
    }

    /// This reach with lines of `squares` squares at most.
    ///
    /// ```
    /// use hippolyta_rules::board::Reach;
    /// assert_eq!(Reach::QUEEN.within(3).to_string(), "Q3");
    /// ```
    #[must_use]
    pub const fn within(self, squares: u8) -> Self {
        const fn smaller(one: u8, other: u8) -> u8 {
            if one < other { one } else { other }
        }
        Self { straight: smaller(self.straight, squares), diagonal: smaller(self.diagonal, squares), ..self }
    }

    /// This reach without bounds that change nothing on a board whose longest line goes this number of squares far.
    ///
    /// ```
    /// use hippolyta_rules::board::Reach;
    /// assert_eq!(Reach::QUEEN.within(3).on_lines(3), Reach::QUEEN);
    /// assert_eq!(Reach::QUEEN.within(3).on_lines(4).to_string(), "Q3");
    /// ```
    #[must_use]
    pub const fn on_lines(self, longest: u8) -> Self {
        const fn line(bound: u8, longest: u8) -> u8 {
            if bound >= longest { FAR } else { bound }
        }
        Self { straight: line(self.straight, longest), diagonal: line(self.diagonal, longest), ..self }
    }

    /// Whether it can all that the other can.
    ///
    /// ```
    /// use hippolyta_rules::board::Reach;
    /// assert!(Reach::QUEEN.contains(Reach::KING) && !Reach::QUEEN.contains(Reach::KNIGHT));
    /// ```
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.straight >= other.straight && self.diagonal >= other.diagonal && (self.knight || !other.knight)
    }

    /// Squares along files and ranks, 0 … 10.
    #[must_use]
    pub const fn straight(self) -> u8 {
        self.straight
    }

    /// Squares along diagonals, 0 … 10.
    #[must_use]
    pub const fn diagonal(self) -> u8 {
        self.diagonal
    }

    /// Whether it leaps as a knight.
    #[must_use]
    pub const fn knight(self) -> bool {
        self.knight
    }

    /// Whether it goes along lines.
    #[must_use]
    pub const fn has_lines(self) -> bool {
        self.straight > 0 || self.diagonal > 0
    }

    /// The lines of two squares and more, between whose ends something may lie; `None` if there are none.
    ///
    /// ```
    /// use hippolyta_rules::board::Reach;
    /// assert_eq!("R3B1N".parse::<Reach>()?.long_lines(), Some(Reach::ROOK.within(3)));
    /// assert_eq!(Reach::KING.and(Reach::KNIGHT).long_lines(), None);
    /// # Ok::<(), hippolyta_rules::board::ReachError>(())
    /// ```
    #[must_use]
    pub const fn long_lines(self) -> Option<Self> {
        const fn long(squares: u8) -> u8 {
            if squares > 1 { squares } else { 0 }
        }
        let lines = Self { straight: long(self.straight), diagonal: long(self.diagonal), knight: false };
        if lines.has_lines() { Some(lines) } else { None }
    }

    /// Whether no line has a bound.
    #[must_use]
    pub(crate) const fn is_unbounded(self) -> bool {
        matches!((self.straight, self.diagonal), (0 | FAR, 0 | FAR))
    }

    /// In words: `a queen`, `a rook or a knight`, `a queen, 3 squares at most`.
    ///
    /// ```
    /// use hippolyta_rules::board::Reach;
    /// assert_eq!("RN".parse::<Reach>()?.words(), "a rook or a knight");
    /// assert_eq!(Reach::QUEEN.within(3).words(), "a queen that goes 3 squares at most");
    /// # Ok::<(), hippolyta_rules::board::ReachError>(())
    /// ```
    #[must_use]
    pub fn words(self) -> String {
        let line = |name: &str, squares: u8| match squares {
            FAR => format!("a {name}"),
            1 => format!("a {name} that goes 1 square"),
            _ => format!("a {name} that goes {squares} squares at most"),
        };
        let mut parts = Vec::new();
        match (self.straight, self.diagonal) {
            (1, 1) => parts.push("a king".to_owned()),
            (straight, diagonal) if straight == diagonal && straight > 0 => parts.push(line("queen", straight)),
            (straight, diagonal) => {
                let both = [("rook", straight), ("bishop", diagonal)];
                parts.extend(both.into_iter().filter(|&(_, squares)| squares > 0).map(|(name, n)| line(name, n)));
            }
        }
        if self.knight {
            parts.push("a knight".to_owned());
        }
        parts.join(" or ")
    }
}

impl FromStr for Reach {
    type Err = ReachError;

    /// Small letters are read as well.
    fn from_str(text: &str) -> Result<Self, ReachError> {
        let mut all = Self { straight: 0, diagonal: 0, knight: false };
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            rest = &rest[letter.len_utf8()..];
            let one = match letter.to_ascii_uppercase() {
                'Q' => Self::QUEEN,
                'R' => Self::ROOK,
                'B' => Self::BISHOP,
                'K' => Self::KING,
                'N' => Self::KNIGHT,
                _ => return Err(ReachError::Letter(letter)),
            };
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let bounded = one.straight.max(one.diagonal) == FAR;
            let number;
            (number, rest) = if bounded { rest.split_at(digits) } else { ("", rest) };
            if number.is_empty() {
                all = all.and(one);
                continue;
            }
            let bound = number.parse().ok().filter(|bound| (1..=FAR).contains(bound));
            all = all.and(one.within(bound.ok_or_else(|| ReachError::Bound(number.to_owned()))?));
        }
        if text.is_empty() { Err(ReachError::Empty) } else { Ok(all) }
    }
}

impl fmt::Display for Reach {
    /// The fewest letters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |letter: char, squares: u8| match squares {
            0 => String::new(),
            FAR => letter.to_string(),
            _ => format!("{letter}{squares}"),
        };
        let lines = match (self.straight, self.diagonal) {
            (1, 1) => "K".to_owned(),
            (straight, diagonal) if straight == diagonal => line('Q', straight),
            (straight, diagonal) => line('R', straight) + &line('B', diagonal),
        };
        f.pad(&(lines + if self.knight { "N" } else { "" }))
    }
}

impl fmt::Debug for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Where a [`Reach`] leads from one square of the largest board, if that is empty.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Origin {
    /// By direction, the squares up to the bound or the edge.
    rays: [Bitboard; 8],
    leaps: Bitboard,
    /// The leaps, and the first square of each ray.
    near: Bitboard,
}

/// The tables of a [`Reach`]: made once, and shared by every position. They serve boards of all sizes, as a smaller
/// board lies in a corner of the largest: its edge is where squares cease to be empty.
///
/// ```
/// use hippolyta_rules::board::{Geometry, Reach, ReachTable};
///
/// let (board, table) = (Geometry::get(5, 5)?, ReachTable::get(Reach::KNIGHT));
/// assert_eq!(table.targets("a1".parse()?, board.squares()), ["b3", "c2"].map(|s| s.parse().unwrap()).into_iter().collect());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ReachTable {
    reach: Reach,
    from: [Origin; FRAME],
}

impl ReachTable {
    /// The tables of `reach`. Those of all that there are take 6 MB.
    #[must_use]
    pub fn get(reach: Reach) -> &'static Self {
        const BOUNDS: usize = FAR as usize + 1;
        static TABLES: [Once<Box<ReachTable>>; 2 * BOUNDS * BOUNDS] = [const { Once::new() }; 2 * BOUNDS * BOUNDS];
        let lines = usize::from(reach.straight) * BOUNDS + usize::from(reach.diagonal);
        TABLES[2 * lines + usize::from(reach.knight)].get_or_make(|| Box::new(Self::new(reach)))
    }

    #[allow(clippy::expect_used, reason = "the largest side is possible")]
    fn new(reach: Reach) -> Self {
        let geometry = Geometry::get(MAX_SIDE, MAX_SIDE).expect("the largest board");
        let nothing = Origin { rays: [Bitboard::EMPTY; 8], leaps: Bitboard::EMPTY, near: Bitboard::EMPTY };
        let mut table = Self { reach, from: [nothing; FRAME] };
        for square in geometry.squares() {
            let from = &mut table.from[square.index()];
            let distance = |to: Square| to.file().abs_diff(square.file()).max(to.rank().abs_diff(square.rank()));
            for direction in DIRECTIONS {
                let is_straight = (direction as usize).is_multiple_of(2);
                let bound = usize::from(if is_straight { reach.straight } else { reach.diagonal });
                let within = |least: usize, most: usize| -> Bitboard {
                    let ray = geometry.ray(direction, square).into_iter();
                    ray.filter(|&to| (least..=most).contains(&distance(to))).collect()
                };
                from.rays[direction as usize] = within(1, bound);
                from.near |= within(1, bound.min(1));
            }
            if reach.knight {
                let product = |to: Square| to.file().abs_diff(square.file()) * to.rank().abs_diff(square.rank());
                from.leaps = geometry.squares().into_iter().filter(|&to| product(to) == 2).collect();
                from.near |= from.leaps;
            }
        }
        table
    }

    /// The reach that the tables were made for.
    #[must_use]
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// The squares that it leads to from `square`, if exactly the squares of `empty` are empty. Whether `square` itself
    /// is in `empty` does not matter.
    #[inline(always)]
    #[must_use]
    pub fn targets(&self, square: Square, empty: Bitboard) -> Bitboard {
        let from = &self.from[square.index()];
        line_targets(&from.rays, empty) | from.leaps & empty
    }

    /// The targets, with instructions that not every processor has.
    #[inline(always)]
    #[must_use]
    pub fn targets_by<K: Kernel>(&self, kernel: K, square: Square, empty: Bitboard) -> Bitboard {
        let from = &self.from[square.index()];
        kernel.line_targets(&from.rays, empty) | from.leaps & empty
    }

    /// The squares up to the bound or the edge of the largest board, whatever stands there.
    #[inline(always)]
    #[must_use]
    pub fn ray(&self, direction: Direction, square: Square) -> Bitboard {
        self.from[square.index()].rays[direction as usize]
    }

    /// The squares of the largest board that a knight leaps to.
    #[inline(always)]
    #[must_use]
    pub fn leaps(&self, square: Square) -> Bitboard {
        self.from[square.index()].leaps
    }

    /// The first squares of all rays, and the leaps. If none of them is empty, it leads nowhere.
    #[inline(always)]
    #[must_use]
    pub fn near(&self, square: Square) -> Bitboard {
        self.from[square.index()].near
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn every_text_is_read_as_it_is_written() {
        for (text, canonical) in [
            ("Q", "Q"),
            ("q", "Q"),
            ("RB", "Q"),
            ("K", "K"),
            ("Q1", "K"),
            ("RN", "RN"),
            ("NR2", "R2N"),
            ("Q3", "Q3"),
            ("Q10", "Q"),
            ("RK", "RB1"),
            ("R2B3", "R2B3"),
            ("N", "N"),
        ] {
            let reach: Reach = text.parse().unwrap();
            assert_eq!(reach.to_string(), canonical);
            assert_eq!(canonical.parse(), Ok(reach));
        }
        for (text, wrong) in [
            ("", ReachError::Empty),
            ("Q0", ReachError::Bound("0".to_owned())),
            ("R99", ReachError::Bound("99".to_owned())),
            ("K2", ReachError::Letter('2')),
            ("N1", ReachError::Letter('1')),
            ("Qé", ReachError::Letter('é')),
            ("3Q", ReachError::Letter('3')),
        ] {
            assert_eq!(text.parse::<Reach>(), Err(wrong));
        }
    }

    /// Walks square by square.
    fn walked(reach: Reach, geometry: &Geometry, from: Square, empty: Bitboard) -> Bitboard {
        let at = |files: i32, ranks: i32| {
            let (file, rank) = (from.file() as i32 + files, from.rank() as i32 + ranks);
            let on_board =
                (0..geometry.width() as i32).contains(&file) && (0..geometry.height() as i32).contains(&rank);
            if on_board { Square::at(file as usize, rank as usize) } else { None }
        };
        let mut found = Bitboard::EMPTY;
        for files in -2i32..=2 {
            for ranks in -2i32..=2 {
                if (files * ranks).abs() == 2 && reach.knight() {
                    found |= at(files, ranks).into_iter().collect();
                }
                let bound = if files == 0 || ranks == 0 { reach.straight() } else { reach.diagonal() };
                if files.abs().max(ranks.abs()) == 1 {
                    let steps = (1..=i32::from(bound)).map_while(|n| at(n * files, n * ranks));
                    found |= steps.take_while(|&square| empty.contains(square)).collect();
                }
            }
        }
        found & empty
    }

    #[test]
    fn targets_agree_with_walking() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        for text in ["Q", "R", "B", "K", "N", "RN", "Q3", "R2B5", "B1N", "Q2N", "RK"] {
            let reach: Reach = text.parse().unwrap();
            for (width, height) in [(3, 3), (4, 9), (10, 10), (11, 11), (11, 5), (3, 11)] {
                let geometry = Geometry::get(width, height).unwrap();
                let table = ReachTable::get(reach);
                assert!(std::ptr::eq(table, ReachTable::get(reach)));
                for round in 0..20 {
                    let mut empty = geometry.squares() & Bitboard(random.random());
                    if round % 2 == 0 {
                        empty |= geometry.squares() & Bitboard(random.random());
                    }
                    for square in geometry.squares() {
                        let expected = walked(reach, geometry, square, empty);
                        assert_eq!(table.targets(square, empty), expected, "{text} {width}x{height} {square}");
                        assert_eq!((table.near(square) & empty).is_empty(), expected.is_empty());
                    }
                }
            }
        }
    }
}
