//! The 32 dark squares, packed so that each diagonal is one shift.
//!
//! Ranks in pairs take nine bits: four squares of the lower rank (files b, d, f, h), four of the upper (a, c, e, g),
//! and one bit that is no square and catches what runs over an edge. North-west is 4 bits up then, north-east 5, for
//! every square.

use crate::board::Square;
use crate::games::Side;
use std::ops::{BitAnd, BitOr, Not};

/// A set of dark squares. Each dark square has a number, its *cell*, and cell `c` is bit `c`; see [`cell`].
///
/// ```
/// use hippolyta_rules::games::damone::{Cells, cell};
///
/// let h1 = cell("h1".parse()?).expect("a dark square");
/// let corner = Cells::of(h1);
/// assert_eq!(corner.step(0).next(), cell("g2".parse()?)); // north-west
/// assert_eq!((!corner).count(), 31);
/// assert!((corner | !corner).contains(h1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cells(pub u64);

/// The ranks of pieces, lowest first. A piece captures its own rank and those below it.
///
/// ```
/// use hippolyta_rules::games::damone::{Damone, Rank, cell};
/// use hippolyta_rules::games::{Notation, Side, variant};
///
/// let variant = &variant::find("damone")?;
/// let start = Damone::from_fen(variant, variant.start())?;
/// let corner = cell("h1".parse()?).expect("a dark square");
/// assert_eq!(start.board().rank_at(Side::White, corner), Some(Rank::Damone));
/// assert!(Rank::Damone > Rank::Dama && Rank::Dama > Rank::Pedina);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Rank {
    Pedina,
    Dama,
    Damone,
}

impl Rank {
    /// All ranks, lowest first.
    pub const ALL: [Self; 3] = [Self::Pedina, Self::Dama, Self::Damone];
}

/// The four ways to step, in the order north-west, north-east, south-west, south-east.
pub(super) const STEPS: [i32; 4] = [4, 5, -5, -4];
/// The way that pedine of each side may not go.
const BARRED: [usize; 2] = [3, 0];
/// The way that leads pedine of each side forward: the one step of theirs that cannot be taken back.
pub(super) const FORWARD: [usize; 2] = [0, 3];

/// Bits in use.
pub(super) const CELLS: usize = 35;

impl Cells {
    /// The empty set.
    pub const NONE: Self = Self(0);
    /// All 32 dark squares.
    pub const ALL: Self = Self(0xff << 27 | 0xff << 18 | 0xff << 9 | 0xff);

    /// The set of one cell.
    #[inline]
    #[must_use]
    pub const fn of(cell: usize) -> Self {
        Self(1 << cell)
    }

    /// The squares one step away in direction 0 … 3: north-west, north-east, south-west, south-east. Steps off the
    /// board are dropped.
    #[inline(always)]
    #[must_use]
    pub const fn step(self, direction: usize) -> Self {
        let by = STEPS[direction];
        Self(if by > 0 { self.0 << by } else { self.0 >> -by } & Self::ALL.0)
    }

    /// The number of squares.
    #[inline(always)]
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set is empty.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `cell` is in the set.
    #[inline(always)]
    #[must_use]
    pub const fn contains(self, cell: usize) -> bool {
        self.0 >> cell & 1 != 0
    }

    /// The set after half a turn of the board: White's view becomes Black's.
    #[must_use]
    pub const fn turned(self) -> Self {
        Self(self.0.reverse_bits() >> (64 - CELLS))
    }
}

impl Iterator for Cells {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let cell = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(cell)
    }
}

impl BitOr for Cells {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Cells {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl Not for Cells {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

/// The cell of a dark square of the 8×8 board, below 36; `None` for other squares.
///
/// ```
/// use hippolyta_rules::games::damone::{cell, square};
///
/// let h1 = cell("h1".parse()?).expect("a dark square");
/// assert_eq!(square(h1).to_string(), "h1");
/// assert_eq!(cell("a1".parse()?), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn cell(square: Square) -> Option<usize> {
    let (file, rank) = (square.file(), square.rank());
    let dark = file < 8 && rank < 8 && (file + rank) % 2 == 1;
    dark.then_some(9 * (rank / 2) + 4 * (rank % 2) + file / 2)
}

/// The square of a cell.
///
/// ```
/// use hippolyta_rules::games::damone::{Cells, cell, square};
///
/// assert!(Cells::ALL.into_iter().all(|number| cell(square(number)) == Some(number)));
/// ```
#[inline]
#[must_use]
pub fn square(cell: usize) -> Square {
    SQUARES[cell]
}

/// The square of each cell; of the bits between them, one that means nothing.
static SQUARES: [Square; CELLS + 1] = {
    let (mut squares, mut cell) = ([Square::new(0); CELLS + 1], 0);
    while cell < squares.len() {
        let (pair, within) = (cell / 9, cell % 9);
        let (rank, file) = if within < 4 { (2 * pair, 2 * within + 1) } else { (2 * pair + 1, 2 * (within - 4)) };
        squares[cell] = Square::new(crate::board::STRIDE * rank + file);
        cell += 1;
    }
    squares
};

/// A set from the names of its squares, for tables.
pub(super) const fn cells<const N: usize>(names: [&str; N]) -> Cells {
    let (mut set, mut index) = (0, 0);
    while index < N {
        let name = names[index].as_bytes();
        let (file, rank) = ((name[0] - b'a') as usize, (name[1] - b'1') as usize);
        set |= 1 << (9 * (rank / 2) + 4 * (rank % 2) + file / 2);
        index += 1;
    }
    Cells(set)
}

/// Where pieces of each side rise to the rank that the array's entry is below: pedine first, then dame.
pub(super) const PROMOTION: [[Cells; 2]; 2] =
    [[cells(["a6", "c8"]), cells(["a8"])], [cells(["f1", "h3"]), cells(["h1"])]];

/// The pieces on a board, without side to move and history.
///
/// ```
/// use hippolyta_rules::games::damone::{Damone, Rank};
/// use hippolyta_rules::games::{Notation, Side, variant};
///
/// let variant = &variant::find("damone")?;
/// let board = *Damone::from_fen(variant, variant.start())?.board();
/// assert_eq!(board.all(Side::White).count(), 8);
/// assert_eq!(board.of(Side::White, Rank::Damone).count(), 1);
/// assert_eq!(board.turned(), board); // both sides stand alike
/// assert!(!board.can_capture(Side::White));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    /// `pieces[side][rank]`.
    pub pieces: [[Cells; 3]; 2],
}

impl Board {
    /// The board as the other player sees it: turned by half a turn, with the colours exchanged.
    #[inline(always)]
    #[must_use]
    pub fn turned(&self) -> Self {
        let [white, black] = self.pieces;
        let turn = |[pedine, dame, damoni]: [Cells; 3]| [pedine.turned(), dame.turned(), damoni.turned()];
        Self { pieces: [turn(black), turn(white)] }
    }

    /// All pieces of `side`.
    #[inline(always)]
    #[must_use]
    pub fn all(&self, side: Side) -> Cells {
        let [pedine, dame, damoni] = self.pieces[side.index()];
        pedine | dame | damoni
    }

    /// `side`'s pieces of one rank.
    #[inline(always)]
    #[must_use]
    pub fn of(&self, side: Side, rank: Rank) -> Cells {
        self.pieces[side.index()][rank as usize]
    }

    /// The squares without a piece.
    #[inline(always)]
    #[must_use]
    pub fn empty(&self) -> Cells {
        !(self.all(Side::White) | self.all(Side::Black))
    }

    /// The pieces of `side` that may step in a direction.
    #[inline(always)]
    #[must_use]
    pub(super) fn steppers(&self, side: Side, direction: usize) -> Cells {
        let [pedine, dame, damoni] = self.pieces[side.index()];
        if direction == BARRED[side.index()] { dame | damoni } else { pedine | dame | damoni }
    }

    /// Whether a piece of `rank` may step in a direction.
    #[inline(always)]
    pub(super) fn may_step(side: Side, rank: Rank, direction: usize) -> bool {
        rank > Rank::Pedina || direction != BARRED[side.index()]
    }

    /// The squares that quiet steps of `side` in one direction (0 … 3, as in [`Cells::step`]) lead to.
    #[inline(always)]
    #[must_use]
    pub fn quiet_targets(&self, side: Side, direction: usize) -> Cells {
        self.steppers(side, direction).step(direction) & self.empty()
    }

    /// The number of quiet steps of `side`. It counts them even if a capture is compulsory.
    #[inline(always)]
    #[must_use]
    pub fn quiet_count(&self, side: Side) -> u32 {
        let empty = self.empty();
        (0..4).map(|direction| (self.steppers(side, direction).step(direction) & empty).count()).sum()
    }

    /// The rank of the piece on `cell`, if `side` has one there.
    #[inline(always)]
    #[must_use]
    pub fn rank_at(&self, side: Side, cell: usize) -> Option<Rank> {
        Rank::ALL.into_iter().find(|&rank| self.of(side, rank).contains(cell))
    }

    /// Moves a piece of `side` without capture. Returns its ranks before and after: it rises where it must.
    /// The fewest steps that a pedina of `side` needs to be promoted if nothing stands in its way; `None` without
    /// pedine.
    ///
    /// ```
    /// use hippolyta_rules::games::damone::Damone;
    /// use hippolyta_rules::games::{Notation, Side, variant};
    ///
    /// let position = Damone::from_fen(&variant::find("damone")?, "8/8/8/3P4/8/3P4/8/1d6 w")?;
    /// assert_eq!(position.board().steps_to_promotion(Side::White), Some(3)); // from d5 to a6 or c8
    /// assert_eq!(position.board().steps_to_promotion(Side::Black), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn steps_to_promotion(&self, side: Side) -> Option<u32> {
        let [goal, _] = PROMOTION[side.index()];
        let mut reached = self.of(side, Rank::Pedina);
        (0..CELLS as u32).find(|_| {
            let is_there = !(reached & goal).is_empty();
            let ways = (0..STEPS.len()).filter(|&way| way != BARRED[side.index()]);
            reached = ways.fold(reached, |all, way| all | reached.step(way));
            is_there
        })
    }

    #[inline(always)]
    pub(super) fn shift(&mut self, side: Side, from: usize, to: usize) -> (Rank, Rank) {
        let rank = self.rank_at(side, from).unwrap_or(Rank::Pedina);
        let own = &mut self.pieces[side.index()];
        let promoted = rank < Rank::Damone && PROMOTION[side.index()][rank as usize].contains(to);
        let risen = if promoted { Rank::ALL[rank as usize + 1] } else { rank };
        own[rank as usize].0 &= !(1 << from);
        own[risen as usize].0 |= 1 << to;
        (rank, risen)
    }

    /// Takes enemy pieces off the board.
    #[inline(always)]
    pub(super) fn take(&mut self, side: Side, captured: Cells) {
        for set in &mut self.pieces[(!side).index()] {
            *set = *set & !captured;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_leads_to_the_diagonal_neighbour_or_off_the_board() {
        assert_eq!(Cells::ALL.count(), 32);
        for from in Cells::ALL {
            let here = square(from);
            assert_eq!(cell(here), Some(from));
            for (direction, (df, dr)) in [(-1, 1), (1, 1), (-1, -1), (1, -1)].into_iter().enumerate() {
                let (file, rank) = (here.file() as i32 + df, here.rank() as i32 + dr);
                let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
                let expected = if on_board { cell(Square::at(file as usize, rank as usize).unwrap()) } else { None };
                assert_eq!(Cells::of(from).step(direction).next(), expected, "{here} {direction}");
            }
            let turned = square(Cells::of(from).turned().next().unwrap());
            assert_eq!((turned.file(), turned.rank()), (7 - here.file(), 7 - here.rank()));
        }
        assert_eq!(cell("a1".parse().unwrap()), None);
        assert_eq!(cells(["a6", "c8"]).turned(), cells(["h3", "f1"]));
    }
}
