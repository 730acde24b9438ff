//! A board of at most 64 bits.

use crate::board::{Bitboard, Direction, Square};

/// Squares of a small rectangle, each file and rank of the board it was cut from at its place: rank by rank, with one
/// bit between two ranks that is never a square, so that shifts do not run over the edge.
#[derive(Clone)]
pub(super) struct Frame {
    /// Lower left corner on the board.
    corner: (usize, usize),
    /// Bits from a rank to the next.
    stride: u32,
    squares: u64,
    /// `rays[bit][direction]`.
    rays: [[u64; 8]; 64],
    /// The symmetries of the rectangle, identity left out: for each eight bits of a set, by their value, where they go.
    symmetries: Vec<Vec<[u64; 256]>>,
}

impl Frame {
    /// The smallest frame that holds `squares`; `None` if that has more than 64 bits.
    pub fn around(squares: Bitboard) -> Option<Self> {
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
        let mut rays = [[0; 8]; 64];
        for (file, rank) in cells() {
            for (direction, ray) in Direction::ALL.into_iter().zip(&mut rays[bit(file, rank)]) {
                let (df, dr) = direction.delta();
                let beyond = |step: i32| {
                    let (file, rank) = (file as i32 + step * df, rank as i32 + step * dr);
                    let inside = (0..width as i32).contains(&file) && (0..height as i32).contains(&rank);
                    inside.then(|| 1u64 << bit(file as usize, rank as usize))
                };
                *ray = (1..).map_while(beyond).sum();
            }
        }
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
        let squares = cells().map(|(file, rank)| 1 << bit(file, rank)).sum();
        Some(Self { corner, stride: stride as u32, squares, rays, symmetries: symmetries.collect() })
    }

    /// The part of a board's set that lies in the frame.
    pub fn take(&self, set: Bitboard) -> u64 {
        bits(self.squares).filter(|&bit| set.contains(self.square(bit))).fold(0, |taken, bit| taken | 1 << bit)
    }

    /// The same set on the board.
    pub fn give(&self, set: u64) -> Bitboard {
        bits(set).map(|bit| self.square(bit)).collect()
    }

    /// The board's square.
    pub fn square(&self, bit: u32) -> Square {
        let (file, rank) = ((bit % self.stride) as usize, (bit / self.stride) as usize);
        Square::new((self.corner.1 + rank) * crate::board::STRIDE + self.corner.0 + file)
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
        let row = set | set << 1 | set >> 1;
        (row | row << self.stride | row >> self.stride) & self.squares
    }

    /// The part of `within` that is connected to `seeds` by king steps; seeds outside `within` do not belong to it.
    #[inline(always)]
    pub fn connected(&self, seeds: u64, within: u64) -> u64 {
        let mut reached = self.king_step(seeds) & within;
        loop {
            let more = reached | self.king_step(reached) & within;
            if more == reached {
                return reached;
            }
            reached = more;
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
