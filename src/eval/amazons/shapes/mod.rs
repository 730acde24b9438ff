//! Small networks that see which squares lie beside which.
//!
//! The counts of [`counts`](super::counts) do not say where a square lies. These networks look at a square with its
//! eight neighbours. Each square has a *class*: for an empty one the distances from both sides, in queen moves and in
//! king steps; for an amazon its side and how much it sees; arrow, or edge. With `C`, `O` and `D` the rows of the tables
//! for a square itself, for an orthogonal and for a diagonal neighbour:
//!
//! `level(s) = clamp(bias + C(s) + Σ O(orthogonal neighbour) + Σ D(diagonal neighbour), 0, 1)`
//!
//! for each of a few channels. The same tables serve every direction and every place, so a board of any size can be
//! looked at.
//!
//! | module | what the levels serve |
//! | --- | --- |
//! | [`value`] | summed up over the board, the value of a position |
//! | [`steps`] | at the squares of a step, its prior |
//! | [`owners`] | who owns each square in the end; there the rows are summed up without any levels |
//!
//! All of it is in integers, so every machine and every kernel gets the same sum.

pub(crate) mod owners;
pub(crate) mod steps;
pub(crate) mod value;

use super::features::Distances;
use crate::board::flood::{Kernel, Portable};
use crate::board::{Bitboard, STRIDE, Square};
use crate::eval::squares::digits;
use crate::games::amazons::Amazons;
use crate::games::{Position, Side};

/// Classes of queen distances: 1 … 4, farther, out of reach.
const QUEEN_CLASSES: usize = 6;
/// Classes of king distances: 1 … 4, 5 and 6, farther, out of reach.
const KING_CLASSES: usize = 7;
/// Rows of the tables: cells of queen distances, of king distances; the mover's amazons and the other side's by
/// [`sight_class`]; arrow; edge.
const QUEEN_CELLS: usize = QUEEN_CLASSES * QUEEN_CLASSES;
const KING_CELLS: usize = KING_CLASSES * KING_CLASSES;
const AMAZONS: usize = QUEEN_CELLS + KING_CELLS;
const SIGHTS: usize = 8;
pub(crate) const ARROW: usize = AMAZONS + 2 * SIGHTS;
pub(crate) const EDGE: usize = ARROW + 1;
pub(crate) const ROWS: usize = EDGE + 1;
/// The square itself, an orthogonal neighbour, a diagonal one.
pub(crate) const ROLES: usize = 3;

/// The number that is 1 in the first layer.
pub(crate) const LEVEL_ONE: i16 = 255;
/// The greatest weight of a row: 19 of them, and [`NOT_LOOKED_AT`], fit into 16 bits.
pub(crate) const MOST_ROW: i32 = 900;
/// In place of the row of an arrow itself: too little for any neighbours to make up for.
const NOT_LOOKED_AT: i16 = -16_000;

/// The class of an amazon that sees this number of squares.
#[inline(always)]
const fn sight_class(squares: u32) -> usize {
    match squares {
        0 => 0,
        1 => 1,
        2..=3 => 2,
        4..=6 => 3,
        7..=10 => 4,
        11..=15 => 5,
        16..=22 => 6,
        _ => 7,
    }
}

/// The class of a queen distance by its level.
const fn queen_class(level: usize) -> usize {
    if level < 4 { level } else { 4 }
}

/// The class of a king distance by its level.
const fn king_class(level: usize) -> usize {
    match level {
        0..=3 => level,
        4..=5 => 4,
        _ => 5,
    }
}

/// Places of the joint classes in [`Rows`].
const JOINT_AMAZONS: usize = QUEEN_CELLS * KING_CELLS;
const JOINT_ARROW: usize = JOINT_AMAZONS + 2 * SIGHTS;
const JOINT_EDGE: usize = JOINT_ARROW + 1;
/// The next power of two above the joint classes.
const CLASSES: usize = 2_048;

/// Weights as they are kept: what is too great is cut.
fn narrow<const N: usize>(from: &[i32], most: i32) -> [i16; N] {
    let mut row = [0; N];
    for (to, &from) in row.iter_mut().zip(from) {
        *to = from.clamp(-most, most) as i16;
    }
    row
}

/// The rows of a first layer, by class of a square and role. The class of an empty square joins both its cells, and the
/// bias joins the rows of a square itself.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rows<const CHANNELS: usize>(Box<[[[i16; CHANNELS]; ROLES]; CLASSES]>);

impl<const CHANNELS: usize> Rows<CHANNELS> {
    /// Numbers that [`Rows::from_table`] takes.
    const SIZE: usize = (ROLES * ROWS + 1) * CHANNELS;

    /// Takes the rows of a square itself, of an orthogonal and of a diagonal neighbour, and the bias, in units of
    /// 1/[`LEVEL_ONE`]. What is too great is cut. `None` if there are more or less.
    fn from_table(table: &[i32]) -> Option<Self> {
        let (rows, bias) = table.split_at_checked(ROLES * ROWS * CHANNELS)?;
        let row = |role: usize, class: usize| -> [i16; CHANNELS] {
            narrow(&rows[(role * ROWS + class) * CHANNELS..][..CHANNELS], MOST_ROW)
        };
        let sum = |a: [i16; CHANNELS], b: [i16; CHANNELS]| {
            let mut sum = a;
            sum.iter_mut().zip(b).for_each(|(to, more)| *to += more);
            sum
        };
        let mut joint = Vec::with_capacity(CLASSES);
        for queen in 0..QUEEN_CELLS {
            for king in 0..KING_CELLS {
                joint.push([0, 1, 2].map(|role| sum(row(role, queen), row(role, QUEEN_CELLS + king))));
            }
        }
        joint.extend((AMAZONS..ROWS).map(|class| [0, 1, 2].map(|role| row(role, class))));
        let bias = narrow(Some(bias).filter(|bias| bias.len() == CHANNELS)?, MOST_ROW);
        for class in &mut joint {
            class[0] = sum(class[0], bias);
        }
        joint[JOINT_ARROW][0] = [NOT_LOOKED_AT; CHANNELS];
        joint.resize(CLASSES, [[0; CHANNELS]; ROLES]);
        Some(Self(joint.try_into().ok()?))
    }

    // Functions, not closures: these are always compiled for the kernel's processor.

    #[inline(always)]
    fn row(&self, of: &Places, place: usize, role: usize) -> &[i16; CHANNELS] {
        &self.0[usize::from(of[place]) % CLASSES][role]
    }

    /// The levels of one square.
    #[inline(always)]
    fn levels(&self, of: &Places, place: usize) -> [i16; CHANNELS] {
        let mut levels = *self.row(of, place, 0);
        let (below, above) = (place - WIDTH, place + WIDTH);
        let around = [
            (1, place - 1),
            (1, place + 1),
            (1, below),
            (1, above),
            (2, below - 1),
            (2, below + 1),
            (2, above - 1),
            (2, above + 1),
        ];
        for (role, place) in around {
            let row = self.row(of, place, role);
            let mut channel = 0;
            while channel < CHANNELS {
                levels[channel] += row[channel];
                channel += 1;
            }
        }
        levels.map(|level| level.clamp(0, LEVEL_ONE))
    }

    /// The levels of each channel, summed up over the squares without an arrow.
    ///
    /// A square and its neighbours lie on three files. What a file adds to the squares beside it is put together once
    /// for both sides: six rows a square instead of nine.
    ///
    /// Loops over channels are written with `while`, as tests are built with little optimisation: there `for` calls
    /// several functions for each channel, and takes three quarters of a search's time.
    #[inline(always)]
    fn sums(&self, Classes { width, height, of }: &Classes) -> [i16; CHANNELS] {
        let mut sums = [0i16; CHANNELS];
        for rank in 1..=*height {
            let first = rank * WIDTH + 1;
            let (mut left, mut here) = (self.beside(of, first - 1), self.beside(of, first));
            for place in first..first + width {
                let right = self.beside(of, place + 1);
                let own = self.row(of, place, 0);
                let (below, above) = (self.row(of, place - WIDTH, 1), self.row(of, place + WIDTH, 1));
                let mut channel = 0;
                while channel < CHANNELS {
                    let level = own[channel] + below[channel] + above[channel] + left[channel] + right[channel];
                    sums[channel] += level.clamp(0, LEVEL_ONE);
                    channel += 1;
                }
                (left, here) = (here, right);
            }
        }
        sums
    }

    /// What a square and those above and below it add to the squares beside it.
    #[inline(always)]
    fn beside(&self, of: &Places, place: usize) -> [i16; CHANNELS] {
        let (below, above) = (self.row(of, place - WIDTH, 2), self.row(of, place + WIDTH, 2));
        let mut sum = *self.row(of, place, 1);
        let mut channel = 0;
        while channel < CHANNELS {
            sum[channel] += below[channel] + above[channel];
            channel += 1;
        }
        sum
    }
}

/// The scalar product of a square's levels, or levels of them, and weights.
#[inline(always)]
fn product<const N: usize>(levels: &[i16; N], weights: &[i16; N]) -> i32 {
    let (mut sum, mut index) = (0, 0);
    while index < N {
        sum += i32::from(levels[index]) * i32::from(weights[index]);
        index += 1;
    }
    sum
}

/// Squares in a row of [`Classes`]: those of the widest board and an edge on both sides.
const WIDTH: usize = 13;

/// The joint class of each place.
type Places = [u16; WIDTH * WIDTH];

/// The joint class of every square, with an edge all round.
struct Classes {
    width: usize,
    height: usize,
    of: Places,
}

impl Classes {
    /// From the view of `mover`.
    #[inline(always)]
    fn new<K: Kernel>(kernel: K, position: &Amazons, mover: Side, distances: &Distances) -> Self {
        let geometry = position.geometry();
        let (width, height) = (geometry.width(), geometry.height());
        let sides = [mover.index(), (!mover).index()];
        let empty = position.empty();
        let queen = |side| digits::<BITS, _>(&distances.queen, side, empty, queen_class, QUEEN_CLASSES - 1);
        let king = |side| digits::<BITS, _>(&distances.king, side, empty, king_class, KING_CLASSES - 1);
        let planes = [queen(sides[0]), queen(sides[1]), king(sides[0]), king(sides[1])];
        let mut parts = [(Bitboard::EMPTY, 0); 4 * BITS + 2];
        for bit in 0..BITS {
            let weights =
                [QUEEN_CLASSES * KING_CELLS, KING_CELLS, KING_CLASSES, 1].map(|weight| (weight << bit) as u16);
            for (part, plane) in planes.iter().enumerate() {
                parts[4 * bit + part] = (Bitboard(plane[bit]), weights[part]);
            }
        }
        parts[4 * BITS] = (position.arrows(), JOINT_ARROW as u16);
        parts[4 * BITS + 1] = (!geometry.squares(), JOINT_EDGE as u16);
        let classes = kernel.by_square(&parts);
        let mut of = [JOINT_EDGE as u16; WIDTH * WIDTH];
        for rank in 0..height {
            // More than the rank has, as a vector: what is too much lies off the board, or is written over.
            let first = (rank + 1) * WIDTH + 1;
            of[first..][..STRIDE].copy_from_slice(&classes[rank * STRIDE..][..STRIDE]);
        }
        for (start, side) in [(0, mover), (SIGHTS, !mover)] {
            for square in position.amazons(side) {
                let sight = kernel.queen_targets(geometry, square, position.empty()).count();
                of[place(square)] = (JOINT_AMAZONS + start + sight_class(sight)) as u16;
            }
        }
        Self { width, height, of }
    }
}

/// The place of a square.
#[inline(always)]
fn place(square: Square) -> usize {
    (square.rank() + 1) * WIDTH + square.file() + 1
}

/// Binary digits of a class of distances.
const BITS: usize = 3;
/// The rows of a joint class: those of both its cells if it is an empty square's, else twice the same.
pub(crate) fn rows_of(class: u16) -> [usize; 2] {
    let class = usize::from(class);
    if class < JOINT_AMAZONS {
        [class / KING_CELLS, QUEEN_CELLS + class % KING_CELLS]
    } else {
        [AMAZONS + class - JOINT_AMAZONS; 2]
    }
}

/// The index of a square in [`squares`], after the two sides.
pub(crate) fn square_index(position: &Amazons, square: Square) -> usize {
    square.rank() * position.geometry().width() + square.file()
}

/// For fitting, from the view of the side to move: the width and the height of the board, then the joint class of each
/// square, rank by rank.
pub(crate) fn squares(position: &Amazons) -> Vec<u16> {
    let Classes { width, height, of } =
        Classes::new(Portable, position, position.side_to_move(), &Distances::new(Portable, position));
    let rows = (1..=height).flat_map(|rank| &of[rank * WIDTH + 1..][..width]);
    [width as u16, height as u16].into_iter().chain(rows.copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::flood::{KernelTask, Levels, with_best_kernel};
    use crate::eval::amazons::tests::for_each_position;

    struct Find<'a>(&'a Amazons, Side);

    impl KernelTask for Find<'_> {
        type Output = Places;

        fn run<K: Kernel>(self, kernel: K) -> Places {
            Classes::new(kernel, self.0, self.1, &Distances::new(kernel, self.0)).of
        }
    }

    /// The first level that a square is on, by class; the last class if it is on none.
    fn level<const N: usize>(levels: &Levels<N>, side: usize, square: Square, ends: &[usize]) -> usize {
        let found = (0..levels.len).find(|&level| levels.sets[level][side].contains(square));
        found.map_or(ends.len() + 1, |level| ends.iter().position(|&end| level <= end).unwrap_or(ends.len()))
    }

    #[test]
    fn every_square_has_the_class_of_its_distances() {
        let mut squares = [0; 3];
        for_each_position(|position| {
            let (geometry, distances) = (position.geometry(), Distances::new(Portable, position));
            for mover in [Side::White, Side::Black] {
                let of = with_best_kernel(Find(position, mover));
                let sides = [mover.index(), (!mover).index()];
                for square in geometry.squares() {
                    let rows = rows_of(of[place(square)]);
                    let expected = if position.arrows().contains(square) {
                        squares[0] += 1;
                        [ARROW; 2]
                    } else if position.empty().contains(square) {
                        squares[1] += 1;
                        let queen = sides.map(|side| level(&distances.queen, side, square, &[0, 1, 2, 3]));
                        let king = sides.map(|side| level(&distances.king, side, square, &[0, 1, 2, 3, 5]));
                        [queen[0] * QUEEN_CLASSES + queen[1], QUEEN_CELLS + king[0] * KING_CLASSES + king[1]]
                    } else {
                        squares[2] += 1;
                        let own = position.amazons(mover).contains(square);
                        let sight = sight_class(geometry.queen_targets(square, position.empty()).count());
                        [AMAZONS + sight + if own { 0 } else { SIGHTS }; 2]
                    };
                    assert_eq!(rows, expected, "{square}");
                }
                let edges = of.iter().filter(|&&class| rows_of(class) == [EDGE; 2]).count();
                let inside = geometry.squares().count() as usize;
                assert!(edges >= (geometry.width() + 2) * (geometry.height() + 2) - inside);
            }
        });
        assert!(squares.iter().all(|&count| count > 1_000), "{squares:?}");
    }
}
