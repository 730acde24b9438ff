//! Rooms as shapes: the same wherever they lie on a board and however they are turned.

use crate::board::{Bitboard, STRIDE, Square};

/// Empty squares with the amazons of one side around or among them, on the frame of 11×11. Whatever belongs to neither
/// set is a wall, the board's edge included, so one frame serves all boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Shape {
    pub empty: u128,
    pub amazons: u128,
    /// Amazons that keep the enemy out: who leaves such a square must shoot at it at once.
    pub doors: u128,
}

/// How a shape was moved and turned: [`Placement::back`] undoes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    file: usize,
    rank: usize,
    width: usize,
    height: usize,
    /// Bit 0: files mirrored, bit 1: ranks mirrored, bit 2: files and ranks swapped afterwards.
    turn: u8,
}

impl Placement {
    /// The smallest box around `squares`, which must not be empty, moved into the corner.
    fn of(squares: u128) -> Self {
        let (mut files, mut ranks) = ((STRIDE, 0), (STRIDE, 0));
        for square in Bitboard(squares) {
            files = (files.0.min(square.file()), files.1.max(square.file()));
            ranks = (ranks.0.min(square.rank()), ranks.1.max(square.rank()));
        }
        let (width, height) = ((files.1 + 1).saturating_sub(files.0), (ranks.1 + 1).saturating_sub(ranks.0));
        Self { file: files.0, rank: ranks.0, width, height, turn: 0 }
    }

    fn square(&self, square: Square) -> usize {
        let (mut file, mut rank) = (square.file() - self.file, square.rank() - self.rank);
        if self.turn & 1 != 0 {
            file = self.width - 1 - file;
        }
        if self.turn & 2 != 0 {
            rank = self.height - 1 - rank;
        }
        if self.turn & 4 != 0 { file * STRIDE + rank } else { rank * STRIDE + file }
    }

    fn set(&self, squares: u128) -> u128 {
        Bitboard(squares).into_iter().fold(0, |set, square| set | 1 << self.square(square))
    }

    /// Where a square of the placed shape comes from.
    pub fn back(&self, square: Square) -> Square {
        let (mut file, mut rank) = (square.file(), square.rank());
        if self.turn & 4 != 0 {
            (file, rank) = (rank, file);
        }
        if self.turn & 1 != 0 {
            file = self.width - 1 - file;
        }
        if self.turn & 2 != 0 {
            rank = self.height - 1 - rank;
        }
        Square::new((rank + self.rank) * STRIDE + file + self.file)
    }
}

/// The least of what `place` makes of `squares` in all places that are to be compared: moved to the corner, turned and
/// mirrored with the short side along the rank.
pub(super) fn canonical<T: Ord>(squares: u128, place: impl Fn(&dyn Fn(u128) -> u128) -> T) -> (T, Placement) {
    let first = Placement::of(squares);
    let swaps: &[u8] = match first.width.cmp(&first.height) {
        std::cmp::Ordering::Less => &[0],
        std::cmp::Ordering::Equal => &[0, 4],
        std::cmp::Ordering::Greater => &[4],
    };
    let placed = |turn| {
        let placement = Placement { turn, ..first };
        (place(&|set| placement.set(set)), placement)
    };
    let mut best = placed(swaps[0]);
    for turn in swaps.iter().flat_map(|swap| (0..4).map(move |mirror| swap | mirror)).skip(1) {
        let other = placed(turn);
        if other.0 < best.0 {
            best = other;
        }
    }
    best
}

impl Shape {
    /// All its squares.
    pub fn squares(&self) -> u128 {
        self.empty | self.amazons
    }

    /// The shape in its standard place.
    pub fn canonical(&self) -> (Self, Placement) {
        canonical(self.squares(), |set| Self {
            empty: set(self.empty),
            amazons: set(self.amazons),
            doors: set(self.doors),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    type CellMap<'a> = &'a dyn Fn((usize, usize)) -> (usize, usize);

    #[test]
    fn a_shape_is_the_same_moved_turned_and_mirrored() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(31);
        for _ in 0..300 {
            let cell = |random: &mut Xoshiro256PlusPlus| (random.random_range(0..5), random.random_range(0..4));
            let empty: Vec<(usize, usize)> = (0..7).map(|_| cell(&mut random)).collect();
            let amazon = cell(&mut random);
            let make = |map: CellMap<'_>| {
                let set = |cells: &[(usize, usize)]| {
                    cells.iter().map(|&cell| map(cell)).fold(0, |set, (file, rank)| set | 1 << (rank * STRIDE + file))
                };
                let amazons = set(&[amazon]);
                Shape { empty: set(&empty) & !amazons, amazons, doors: amazons }
            };
            let first = make(&|cell| cell);
            let (shape, placement) = first.canonical();
            let back = Bitboard(shape.empty).into_iter().map(|square| placement.back(square)).collect::<Bitboard>();
            assert_eq!(back.0, first.empty);
            let (df, dr) = (random.random_range(0..6), random.random_range(0..6));
            let maps: [CellMap<'_>; 4] = [
                &|(file, rank)| (file + df, rank + dr),
                &|(file, rank)| (10 - file, rank),
                &|(file, rank)| (rank, file),
                &|(file, rank)| (10 - rank, 10 - file),
            ];
            for map in maps {
                assert_eq!(make(map).canonical().0, shape);
            }
        }
    }
}
