//! Small networks that see which squares lie beside which.
//!
//! The counts of an evaluation do not say where a square lies. These networks look at a square with its eight
//! neighbours. Each square has a *class*, by a [`Scheme`] of the family of games. With `C`, `O` and `D` the rows of the
//! tables for a square itself, for an orthogonal and for a diagonal neighbour:
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
//!
//! All of it is in integers, so every machine and every kernel gets the same sum.

pub mod steps;
pub mod value;

use crate::board::flood::{BySquare, Kernel};
use crate::board::{Bitboard, Geometry, STRIDE, Square};
use crate::eval::network::{Misfit, check_bound};

/// How the squares of a family's boards fall into classes.
#[derive(Debug, PartialEq, Eq)]
pub struct Scheme {
    /// The rows that each class adds up: two, or twice the same if it has one. The last class is the edge, and its row
    /// is the last.
    pub rows_of: &'static [[u16; 2]],
    /// The row of squares that are full for good: these have levels of 0.
    pub full: usize,
}

impl Scheme {
    /// The number of classes.
    pub const fn classes(&self) -> usize {
        self.rows_of.len()
    }

    /// The number of rows of the tables, for each of the [`ROLES`].
    #[inline(always)]
    pub const fn rows_count(&self) -> usize {
        self.edge()[0] + 1
    }

    /// The rows of the edge.
    #[inline(always)]
    pub const fn edge(&self) -> [usize; 2] {
        self.rows(self.classes() - 1)
    }

    /// The rows of a class.
    #[inline(always)]
    pub const fn rows(&self, class: usize) -> [usize; 2] {
        let [first, second] = self.rows_of[class];
        [first as usize, second as usize]
    }
}

/// The rows of the classes of squares with a cell of each of two tables of these sizes, followed by classes with a row
/// of their own.
pub const fn joint_rows<const CLASSES: usize>([first, second]: [usize; 2]) -> [[u16; 2]; CLASSES] {
    let (mut rows, mut class) = ([[0; 2]; CLASSES], 0);
    while class < CLASSES {
        rows[class] = if class < first * second {
            [(class / second) as u16, (first + class % second) as u16]
        } else {
            [(first + second + class - first * second) as u16; 2]
        };
        class += 1;
    }
    rows
}

/// The square itself, an orthogonal neighbour, a diagonal one.
pub const ROLES: usize = 3;

/// The number that is 1 in the first layer.
pub const LEVEL_ONE: i16 = 255;
/// The greatest weight of a row: 19 of them, and `NOT_LOOKED_AT`, fit into 16 bits.
pub const MOST_ROW: i32 = 900;
/// In place of the row of a full square itself: too little for any neighbours to make up for.
const NOT_LOOKED_AT: i16 = -16_000;

/// The number of classes by [`sight_class`].
pub const SIGHTS: usize = 8;

/// The class of an amazon that sees this number of squares.
#[inline(always)]
pub const fn sight_class(squares: u32) -> usize {
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

/// Classes of queen distances: 1 … 4, farther, out of reach.
pub const QUEEN_CLASSES: usize = 6;

/// The class of a queen distance by its level.
pub const fn queen_class(level: usize) -> usize {
    if level < 4 { level } else { 4 }
}

/// Weights as they are kept. None is beyond its bounds: whoever takes a table has checked it.
fn narrow<const N: usize>(from: &[i32]) -> [i16; N] {
    let mut row = [0; N];
    for (to, &from) in row.iter_mut().zip(from) {
        debug_assert!(i16::try_from(from).is_ok());
        *to = from as i16;
    }
    row
}

/// Checks the parts of a table, given from its end: how many numbers each has, and the greatest. What is before them
/// are rows of a first layer.
fn check_parts(table: &[i32], parts: &[(usize, i32)]) -> Result<(), Misfit> {
    let mut end = table.len();
    for &(length, most) in parts {
        let begin = end.saturating_sub(length);
        check_bound(&table[begin..end], begin, most.unsigned_abs())?;
        end = begin;
    }
    check_bound(&table[..end], 0, MOST_ROW.unsigned_abs())
}

/// The rows of a first layer, by class of a square and role; those of a class are added up, and the bias joins the rows
/// of a square itself. `CLASSES` is a power of two, so that no class needs to be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Rows<const CHANNELS: usize, const CLASSES: usize>(Box<[[[i16; CHANNELS]; ROLES]; CLASSES]>);

/// Numbers that [`Rows::from_table`] takes.
const fn rows_size(scheme: &Scheme, channels: usize) -> usize {
    (ROLES * scheme.rows_count() + 1) * channels
}

impl<const CHANNELS: usize, const CLASSES: usize> Rows<CHANNELS, CLASSES> {
    /// Takes the rows of a square itself, of an orthogonal and of a diagonal neighbour, and the bias, in units of
    /// 1/[`LEVEL_ONE`]. `None` if there are more or less.
    fn from_table(scheme: &Scheme, table: &[i32]) -> Option<Self> {
        assert!(CLASSES.is_power_of_two() && scheme.classes() <= CLASSES);
        let (rows, bias) = table.split_at_checked(ROLES * scheme.rows_count() * CHANNELS)?;
        let bias = narrow(Some(bias).filter(|bias| bias.len() == CHANNELS)?);
        let row = |role: usize, row: usize| -> [i16; CHANNELS] {
            narrow(&rows[(role * scheme.rows_count() + row) * CHANNELS..][..CHANNELS])
        };
        let sum = |a: [i16; CHANNELS], b: [i16; CHANNELS]| {
            let mut sum = a;
            sum.iter_mut().zip(b).for_each(|(to, more)| *to += more);
            sum
        };
        let class = |class: usize| {
            let [first, second] = scheme.rows(class);
            let mut of = [0, 1, 2]
                .map(|role| if first == second { row(role, first) } else { sum(row(role, first), row(role, second)) });
            of[0] = if first == scheme.full { [NOT_LOOKED_AT; CHANNELS] } else { sum(of[0], bias) };
            of
        };
        let mut joint: Vec<_> = (0..scheme.classes()).map(class).collect();
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

    /// The levels of each channel, summed up over the squares that are not full.
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

    /// The sum that a square and those above and below it add to the squares beside it.
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

/// The class of each place.
type Places = [u16; WIDTH * WIDTH];

/// The class of every square, with an edge all round.
pub struct Classes {
    width: usize,
    height: usize,
    of: Places,
}

impl Classes {
    /// Adds up, for each square, what every set that it is in adds to its class.
    #[inline(always)]
    pub fn new<K: Kernel, const N: usize>(
        kernel: K,
        scheme: &Scheme,
        geometry: &Geometry,
        sets: &[(Bitboard, u16); N],
    ) -> Self {
        let (width, height) = (geometry.width(), geometry.height());
        let classes: BySquare = kernel.by_square(sets);
        let mut of = [(scheme.classes() - 1) as u16; WIDTH * WIDTH];
        for rank in 0..height {
            // More than the rank has, as a vector: what is too much lies off the board, or is written over.
            let first = (rank + 1) * WIDTH + 1;
            of[first..][..STRIDE].copy_from_slice(&classes[rank * STRIDE..][..STRIDE]);
        }
        Self { width, height, of }
    }

    /// Gives the amazons of both sides their classes, by how much each sees: those of the first side from `first` on,
    /// those of the second after them.
    #[inline(always)]
    pub fn set_amazons<K: Kernel>(
        &mut self,
        kernel: K,
        geometry: &Geometry,
        amazons: [Bitboard; 2],
        empty: Bitboard,
        first: usize,
    ) {
        for (start, amazons) in [first, first + SIGHTS].into_iter().zip(amazons) {
            for square in amazons {
                let sight = kernel.queen_targets(geometry, square, empty).count();
                self.of[place(square)] = (start + sight_class(sight)) as u16;
            }
        }
    }

    /// For fitting: the width and the height of the board, then the class of each square, rank by rank.
    pub fn squares(&self) -> Vec<u16> {
        let rows = (1..=self.height).flat_map(|rank| &self.of[rank * WIDTH + 1..][..self.width]);
        [self.width as u16, self.height as u16].into_iter().chain(rows.copied()).collect()
    }

    /// The class of a square.
    #[cfg(test)]
    pub fn at(&self, square: Square) -> usize {
        self.of[place(square)].into()
    }

    /// How often a class stands anywhere, the edge around the board included.
    #[cfg(test)]
    pub fn count(&self, class: usize) -> usize {
        self.of.iter().filter(|&&of| usize::from(of) == class).count()
    }
}

/// The place of a square.
#[inline(always)]
fn place(square: Square) -> usize {
    (square.rank() + 1) * WIDTH + square.file() + 1
}

/// The index of a square in [`Classes::squares`], after the two sides.
pub fn square_index(geometry: &Geometry, square: Square) -> usize {
    square.rank() * geometry.width() + square.file()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::board::flood::{KernelTask, Portable, with_best_kernel};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Twelve joint classes, two with a row of their own, a full one, the edge.
    const CLASSES: usize = 4 * 3 + 4;
    pub const SCHEME: Scheme = Scheme { rows_of: &joint_rows::<CLASSES>([4, 3]), full: 4 + 3 + 2 };

    /// Squares of random classes.
    pub struct RandomBoard {
        pub geometry: &'static Geometry,
        sets: [(Bitboard, u16); CLASSES],
    }

    impl RandomBoard {
        #[inline(always)]
        pub fn classes<K: Kernel>(&self, kernel: K) -> Classes {
            Classes::new(kernel, &SCHEME, self.geometry, &self.sets)
        }

        /// The rows of a square, by file and rank; those of the edge beyond the board.
        pub fn rows(&self, file: i64, rank: i64) -> [usize; 2] {
            let inside =
                (0..self.geometry.width() as i64).contains(&file) && (0..self.geometry.height() as i64).contains(&rank);
            let square = if inside { Square::at(file as usize, rank as usize) } else { None };
            let Some(square) = square else { return SCHEME.edge() };
            let class = self.sets.iter().position(|(set, _)| set.contains(square)).unwrap();
            SCHEME.rows(class)
        }

        /// The level by the formula of the module's first page, before it is clamped, in units of [`LEVEL_ONE`].
        pub fn slow_level(&self, rows: &[i32], channels: usize, channel: usize, file: i64, rank: i64) -> f64 {
            let mut level = f64::from(rows[ROLES * SCHEME.rows_count() * channels + channel]);
            for (right, up) in (-1..=1).flat_map(|up| (-1..=1).map(move |right| (right, up))) {
                let role = (i64::abs(right) + i64::abs(up)) as usize;
                let of = |row: usize| f64::from(rows[(role * SCHEME.rows_count() + row) * channels + channel]);
                let [first, second] = self.rows(file + right, rank + up);
                level += if first == second { of(first) } else { of(first) + of(second) };
            }
            level
        }
    }

    /// Calls `f` with boards of several sizes.
    pub fn for_each_board(mut f: impl FnMut(&RandomBoard)) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
        for (width, height) in [(3, 3), (10, 10), (11, 11), (5, 11), (11, 4), (8, 8)] {
            let geometry = Geometry::get(width, height).unwrap();
            for _ in 0..3 {
                let mut sets: [(Bitboard, u16); CLASSES] = std::array::from_fn(|class| (Bitboard::EMPTY, class as u16));
                for square in geometry.squares() {
                    let set = &mut sets[random.random_range(0..CLASSES - 1)].0;
                    *set = set.with(square);
                }
                sets[CLASSES - 1].0 = !geometry.squares();
                f(&RandomBoard { geometry, sets });
            }
        }
    }

    struct Squares<'a>(&'a RandomBoard);

    impl KernelTask for Squares<'_> {
        type Output = Vec<u16>;

        fn run<K: Kernel>(self, kernel: K) -> Vec<u16> {
            self.0.classes(kernel).squares()
        }
    }

    #[test]
    fn every_kernel_adds_up_the_classes_of_all_squares() {
        for_each_board(|board| {
            let squares = Squares(board).run(Portable);
            assert_eq!(with_best_kernel(Squares(board)), squares);
            let (width, height) = (board.geometry.width(), board.geometry.height());
            assert_eq!([squares[0].into(), squares[1].into(), squares.len() - 2], [width, height, width * height]);
            for square in board.geometry.squares() {
                let class = squares[2 + square_index(board.geometry, square)];
                assert_eq!(SCHEME.rows(class.into()), board.rows(square.file() as i64, square.rank() as i64));
            }
        });
    }

    #[test]
    fn joint_classes_have_a_row_of_each_table() {
        let rows: Vec<_> = [0, 2, 3, 11, 12, 15].map(|class| SCHEME.rows(class)).into();
        assert_eq!(rows, [[0, 4], [0, 6], [1, 4], [3, 6], [7, 7], [10, 10]]);
        assert_eq!((SCHEME.classes(), SCHEME.edge(), SCHEME.rows_count()), (16, [10, 10], 4 + 3 + 4));
    }
}
