//! A board of at most 64 bits.

use crate::board::{Bitboard, Direction, FRAME, Square};

/// The squares of a board that matter, each with a bit of its own.
///
/// If they fit in a small rectangle, its squares have their bits rank by rank, with one bit between two ranks that is
/// never a square: then shifts move whole sets and do not run over the edge. Otherwise the squares have consecutive
/// bits, in the same order, and steps are looked up square by square. So late positions of large boards fit as well:
/// they are wide, but few of their squares are open.
#[derive(Clone)]
pub(super) struct Frame {
    /// The board's square of each bit.
    board: [Square; 64],
    /// Bits from a rank of the rectangle to the next; 0 if there is no rectangle.
    stride: u32,
    squares: u64,
    /// `rays[bit][direction]`.
    rays: [[u64; 8]; 64],
    /// The squares beside each bit.
    beside: [u64; 64],
    /// The symmetries of the rectangle, identity left out: for each eight bits of a set, by their value, where they go.
    symmetries: Vec<Vec<[u64; 256]>>,
}

/// The most squares without a rectangle. One bit more could be the last blocker of a ray: see
/// [`Frame::queen_targets`].
const MOST: usize = 63;

impl Frame {
    /// The smallest frame that holds `squares`; `None` if there are none, or too many: more than 63, and no rectangle
    /// of at most 64 bits around them (7×8 squares, say).
    pub fn around(squares: Bitboard) -> Option<Self> {
        Self::rectangle(squares).or_else(|| Self::scattered(squares))
    }

    /// Whether shifts move its sets.
    #[inline(always)]
    pub fn is_rectangle(&self) -> bool {
        self.stride != 0
    }

    /// The smallest rectangle that holds `squares`; `None` if there are none, or it has too many bits.
    pub fn rectangle(squares: Bitboard) -> Option<Self> {
        let files = || squares.into_iter().map(Square::file);
        let ranks = || squares.into_iter().map(Square::rank);
        let corner = (files().min()?, ranks().min()?);
        let (width, height) = (files().max()? + 1 - corner.0, ranks().max()? + 1 - corner.1);
        let stride = width + 1;
        if stride * height > 64 {
            return None;
        }
        let bit = |file: usize, rank: usize| rank * stride + file;
        let cells = || (0..height).flat_map(|rank| (0..width).map(move |file| (file, rank)));
        let board = |(file, rank)| Square::at(corner.0 + file, corner.1 + rank);
        let cells_of: Option<Vec<_>> =
            cells().map(|(file, rank)| Some((bit(file, rank), board((file, rank))?))).collect();
        let symmetries = (1..if width == height { 8 } else { 4 }).map(|turn: u8| {
            let mut places = [0; 64];
            for (file, rank) in cells() {
                let to_file = if turn & 1 != 0 { width - 1 - file } else { file };
                let to_rank = if turn & 2 != 0 { height - 1 - rank } else { rank };
                let (to_file, to_rank) = if turn & 4 != 0 { (to_rank, to_file) } else { (to_file, to_rank) };
                places[bit(file, rank)] = bit(to_file, to_rank) as u8;
            }
            let bytes = (stride * height).div_ceil(8);
            let image = |byte: usize, value: usize| {
                bits(value as u64).fold(0, |image, bit| image | 1 << places[8 * byte + bit as usize])
            };
            (0..bytes).map(|byte| std::array::from_fn(|value| image(byte, value))).collect()
        });
        let symmetries = symmetries.collect();
        Some(Self { stride: stride as u32, symmetries, ..Self::of(&cells_of?) })
    }

    fn scattered(squares: Bitboard) -> Option<Self> {
        let cells: Vec<_> = squares.into_iter().enumerate().collect();
        (cells.len() <= MOST && !cells.is_empty()).then(|| Self::of(&cells))
    }

    /// The frame of squares with these bits, which must have the order of the squares, without rectangle and
    /// symmetries.
    fn of(cells: &[(usize, Square)]) -> Self {
        let mut places = [None; FRAME];
        let mut frame = Self {
            board: [Square::new(0); 64],
            stride: 0,
            squares: 0,
            rays: [[0; 8]; 64],
            beside: [0; 64],
            symmetries: Vec::new(),
        };
        for &(bit, square) in cells {
            places[square.index()] = Some(bit);
            frame.board[bit] = square;
            frame.squares |= 1 << bit;
        }
        for &(bit, square) in cells {
            for (direction, ray) in Direction::ALL.into_iter().zip(&mut frame.rays[bit]) {
                let (df, dr) = direction.delta();
                let beyond = |step: i32| {
                    let (file, rank) = (square.file() as i32 + step * df, square.rank() as i32 + step * dr);
                    let square = Square::at(usize::try_from(file).ok()?, usize::try_from(rank).ok()?)?;
                    // A square outside the frame stays closed, and ends the ray.
                    places[square.index()].map(|bit| 1u64 << bit)
                };
                frame.beside[bit] |= beyond(1).unwrap_or(0);
                *ray = (1..).map_while(beyond).sum();
            }
        }
        frame
    }

    /// The board's squares that have a bit.
    pub fn squares(&self) -> Bitboard {
        self.give(self.squares)
    }

    /// The part of a board's set that lies in the frame.
    pub fn take(&self, set: Bitboard) -> u64 {
        bits(self.squares).filter(|&bit| set.contains(self.square(bit))).fold(0, |taken, bit| taken | 1 << bit)
    }

    /// The board's set of the squares whose bits are in `set`.
    pub fn give(&self, set: u64) -> Bitboard {
        bits(set).map(|bit| self.square(bit)).collect()
    }

    /// The board's square.
    pub fn square(&self, bit: u32) -> Square {
        self.board[bit as usize]
    }

    /// The empty squares that a queen on `bit` reaches.
    #[inline(always)]
    pub fn queen_targets(&self, bit: u32, empty: u64) -> u64 {
        let rays = &self.rays[bit as usize];
        let mut targets = 0;
        for ray in &rays[..4] {
            let blockers = ray & !empty;
            // All below the first blocker; all if there is none.
            targets |= ray & (blockers.wrapping_sub(1) & !blockers);
        }
        for ray in &rays[4..] {
            let blockers = ray & !empty;
            // All above the last blocker. The highest bit is never a square, so no shift is by 64.
            targets |= ray & (u64::MAX << (64 - blockers.leading_zeros()));
        }
        targets
    }

    /// The empty squares one queen move away from `set`.
    #[inline(always)]
    pub fn queen_step(&self, set: u64, empty: u64) -> u64 {
        bits(set).fold(0, |reached, bit| reached | self.queen_targets(bit, empty))
    }

    /// `set` and all squares around it.
    #[inline(always)]
    pub fn king_step(&self, set: u64) -> u64 {
        if !self.is_rectangle() {
            return bits(set).fold(set, |all, bit| all | self.beside[bit as usize]);
        }
        let row = set | set << 1 | set >> 1;
        (row | row << self.stride | row >> self.stride) & self.squares
    }

    /// The part of `within` that is connected to `seeds` by king steps; seeds outside `within` do not belong to it.
    #[inline(always)]
    pub fn connected(&self, seeds: u64, within: u64) -> u64 {
        let mut reached = self.king_step(seeds) & within;
        let mut last = reached;
        loop {
            // Looked up square by square, only those count that were reached last.
            let from = if self.is_rectangle() { reached } else { last };
            let more = reached | self.king_step(from) & within;
            if more == reached {
                return reached;
            }
            (last, reached) = (more & !reached, more);
        }
    }

    /// The least image of three sets by symmetry; the first set decides, if it can.
    #[inline(always)]
    pub fn least_image(&self, sets: [u64; 3]) -> [u64; 3] {
        let mut least = sets;
        for symmetry in &self.symmetries {
            let first = image(symmetry, sets[0]);
            if first <= least[0] {
                least = least.min([first, image(symmetry, sets[1]), image(symmetry, sets[2])]);
            }
        }
        least
    }
}

/// Where a set goes by a symmetry.
#[inline(always)]
fn image(symmetry: &[[u64; 256]], mut set: u64) -> u64 {
    let mut image = 0;
    for places in symmetry {
        image |= places[(set & 255) as usize];
        set >>= 8;
    }
    image
}

/// The bits of a set, from the lowest up.
#[inline(always)]
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            bit
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Geometry;
    use crate::board::flood::connected;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Some squares of a board, each with this chance.
    fn some_of(squares: Bitboard, chance: f64, random: &mut Xoshiro256PlusPlus) -> Bitboard {
        squares.into_iter().filter(|_| random.random_bool(chance)).collect()
    }

    #[test]
    fn steps_in_a_frame_are_those_on_the_board() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(21);
        let mut compared = [0; 2];
        for (width, height) in [(10, 10), (11, 11), (4, 5), (8, 6), (11, 4)] {
            let geometry = Geometry::get(width, height).unwrap();
            for _ in 0..200 {
                let open = some_of(geometry.squares(), 0.5, &mut random);
                for (index, frame) in [Frame::rectangle(open), Frame::scattered(open)].into_iter().enumerate() {
                    let Some(frame) = frame else { continue };
                    compared[index] += 1;
                    assert_eq!(frame.give(frame.take(open)), open);
                    let empty = some_of(open, 0.8, &mut random);
                    let set = some_of(open, 0.1, &mut random);
                    let [inner, seeds] = [empty, set].map(|set| frame.take(set));
                    for bit in bits(frame.take(open)) {
                        let targets = frame.give(frame.queen_targets(bit, inner));
                        assert_eq!(targets, geometry.queen_targets(frame.square(bit), empty));
                    }
                    let beside = set.into_iter().fold(set, |all, square| all | geometry.neighbours(square));
                    assert_eq!(frame.give(frame.king_step(seeds)) & open, beside & open);
                    let reached = connected(geometry, beside & empty, empty);
                    assert_eq!(frame.give(frame.connected(seeds, inner)), reached);
                }
            }
        }
        assert!(compared.iter().all(|&count| count > 300), "{compared:?}");
    }

    #[test]
    fn a_frame_holds_a_rectangle_or_63_squares() {
        let geometry = Geometry::get(11, 11).unwrap();
        let first = |count: usize| geometry.squares().into_iter().take(count).collect::<Bitboard>();
        assert!(Frame::around(first(63)).is_some_and(|frame| !frame.is_rectangle()));
        assert!(Frame::around(first(64)).is_none());
        assert!(Frame::around(Bitboard::EMPTY).is_none());
        let small = Geometry::get(7, 8).unwrap().squares();
        assert!(Frame::around(small).is_some_and(|frame| frame.stride == 8 && frame.symmetries.len() == 3));
    }
}
