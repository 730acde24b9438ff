use super::rays::{DIRECTIONS, Direction};
use super::{Bitboard, FRAME, STRIDE, Square};
use crate::forks::Once;
use thiserror::Error;

/// Smallest number of files or ranks.
pub const MIN_SIDE: usize = 3;
/// Largest number of files or ranks.
pub const MAX_SIDE: usize = STRIDE;

/// A board size outside 3×3 … 11×11.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a board of {width} files and {height} ranks: 3 to 11 of each are possible")]
pub struct BoardSizeError {
    /// Files asked for.
    pub width: usize,
    /// Ranks asked for.
    pub height: usize,
}

/// Rays and rings around a square: in three cache lines, as they are asked for together.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(super) struct Around {
    /// By direction, the squares up to the board's edge.
    pub rays: [Bitboard; 8],
    /// The squares at king distance 1 … 4.
    pub rings: [Bitboard; 4],
}

impl Around {
    const NOTHING: Self = Self { rays: [Bitboard::EMPTY; 8], rings: [Bitboard::EMPTY; 4] };
}

/// The tables of one board size: made once for each size, shared by every position on it.
#[derive(Debug)]
pub struct Geometry {
    width: usize,
    height: usize,
    board: Bitboard,
    rim: Bitboard,
    not_first_file: Bitboard,
    not_last_file: Bitboard,
    /// Rays and rings around each square.
    around: [Around; FRAME],
}

impl Geometry {
    /// The tables for `width` files and `height` ranks.
    ///
    /// ```
    /// use hippolyta_rules::board::Geometry;
    /// assert_eq!(Geometry::get(10, 10).unwrap().squares().count(), 100);
    /// assert!(Geometry::get(12, 3).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// If a side is not from [`MIN_SIDE`] to [`MAX_SIDE`].
    pub fn get(width: usize, height: usize) -> Result<&'static Self, BoardSizeError> {
        const SIDES: usize = MAX_SIDE - MIN_SIDE + 1;
        static TABLES: [Once<Box<Geometry>>; SIDES * SIDES] = [const { Once::new() }; SIDES * SIDES];
        let sides = MIN_SIDE..=MAX_SIDE;
        if !sides.contains(&width) || !sides.contains(&height) {
            return Err(BoardSizeError { width, height });
        }
        let table = &TABLES[(width - MIN_SIDE) * SIDES + (height - MIN_SIDE)];
        Ok(table.get_or_make(|| Box::new(Self::new(width, height))))
    }

    fn new(width: usize, height: usize) -> Self {
        let on_board = |file: i32, rank: i32| (0..width as i32).contains(&file) && (0..height as i32).contains(&rank);
        let set = |wanted: &dyn Fn(i32, i32) -> bool| -> Bitboard {
            let all = (0..FRAME).map(Square::new);
            all.filter(|s| {
                let (file, rank) = (s.file() as i32, s.rank() as i32);
                on_board(file, rank) && wanted(file, rank)
            })
            .collect()
        };
        let mut geometry = Self {
            width,
            height,
            board: set(&|_, _| true),
            rim: set(&|file, rank| file == 0 || rank == 0 || file == width as i32 - 1 || rank == height as i32 - 1),
            not_first_file: set(&|file, _| file != 0),
            not_last_file: set(&|file, _| file != width as i32 - 1),
            around: [Around::NOTHING; FRAME],
        };
        for square in geometry.board {
            let (file, rank) = (square.file() as i32, square.rank() as i32);
            let distance = |f: i32, r: i32| (f - file).abs().max((r - rank).abs());
            for ring in 0..4 {
                geometry.around[square.index()].rings[ring] = set(&|f, r| distance(f, r) == ring as i32 + 1);
            }
            for direction in DIRECTIONS {
                let (df, dr) = direction.delta();
                let on_ray = |f: i32, r: i32| {
                    let steps = distance(f, r);
                    steps > 0 && (f, r) == (file + df * steps, rank + dr * steps)
                };
                geometry.around[square.index()].rays[direction as usize] = set(&on_ray);
            }
        }
        geometry
    }

    /// Number of files.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of ranks.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// All squares of the board.
    #[inline]
    #[must_use]
    pub fn squares(&self) -> Bitboard {
        self.board
    }

    /// The squares at the edge.
    #[inline]
    #[must_use]
    pub fn rim(&self) -> Bitboard {
        self.rim
    }

    /// All squares but those of file a: where a shift to the right may arrive.
    #[inline]
    #[must_use]
    pub fn not_first_file(&self) -> Bitboard {
        self.not_first_file
    }

    /// All squares but those of the last file: where a shift to the left may arrive.
    #[inline]
    #[must_use]
    pub fn not_last_file(&self) -> Bitboard {
        self.not_last_file
    }

    #[inline(always)]
    pub(super) fn around(&self, square: Square) -> &Around {
        &self.around[square.index()]
    }

    /// The squares beyond `square` in `direction`, up to the edge.
    #[inline]
    #[must_use]
    pub fn ray(&self, direction: Direction, square: Square) -> Bitboard {
        self.around(square).rays[direction as usize]
    }

    /// The squares one king step away.
    #[inline]
    #[must_use]
    pub fn neighbours(&self, square: Square) -> Bitboard {
        self.around(square).rings[0]
    }

    /// The squares at king distance `distance`, 1 … 4.
    #[inline]
    #[must_use]
    pub fn ring(&self, distance: usize, square: Square) -> Bitboard {
        self.around(square).rings[distance - 1]
    }
}
