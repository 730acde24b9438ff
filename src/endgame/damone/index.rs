//! Numbers for positions: one for every position with 2 to N pieces in which both sides have at least one.
//!
//! A position is seen by the side to move, which plays up the board: Black's positions are turned by half a turn. The
//! squares with a piece form a set; of a set and its mirror image in the diagonal from h1 to a8, which the rules do not
//! tell apart, one stands for both. The kinds of the pieces, square by square in the order of the set, form a code, and
//! each code has a block of numbers with one for each set. Codes of the same material stand together, and so do those
//! of two materials that a quiet step leads between.
//!
//! Where a set is its own mirror image, the lower of the two codes counts. Numbers that no position has are those of
//! the higher ones, and of pieces where they would have risen: one in eight.

use crate::games::Side;
use crate::games::damone::{Board, Cells};
use std::ops::Range;

/// Tables go so far.
pub const MOST_PIECES: usize = 5;

/// Pedine, dame, damoni of the side to move, then the other's: how many of each.
pub type Material = [u8; 6];

/// Pieces as the side to move sees them: sets of dark squares, numbered from 0 to 31 by rank and file.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    occupied: u32,
    /// For each bit of a kind's place in [`Material`], lowest first: the pieces whose kind has it.
    bits: [u32; 3],
}

const SQUARES: usize = 32;

/// Materials that are solved together: some material, and the same with sides changed.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its numbers.
    pub numbers: Range<usize>,
    /// The number of pieces.
    pub pieces: usize,
}

/// Whether a set stands for itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Image {
    #[default]
    Itself,
    /// Its mirror image stands for it.
    Other,
    /// It is its own mirror image.
    Both,
}

/// Where a set is found, it or its mirror image.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    index: u32,
    image: Image,
}

/// The positions with one number of pieces.
struct Group {
    /// The first number.
    start: usize,
    /// Sets that stand for themselves and their mirror images.
    sets: Vec<u32>,
    /// By the rank of a set.
    places: Vec<Place>,
    /// Codes in the order of their blocks.
    codes: Vec<u16>,
    /// By code: its block; `None` if only one side has pieces.
    blocks: Vec<Option<u16>>,
}

/// The numbers of all positions with up to N pieces.
pub struct Index {
    groups: Vec<Group>,
    classes: Vec<Class>,
    len: usize,
}

/// `BINOMIALS[n][k]`.
const BINOMIALS: [[u32; MOST_PIECES + 1]; SQUARES + 1] = {
    let mut table = [[0; MOST_PIECES + 1]; SQUARES + 1];
    let mut n = 0;
    while n <= SQUARES {
        table[n][0] = 1;
        let mut k = 1;
        while k <= MOST_PIECES && n > 0 {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The mirror image of each square: rank and file change places, counted from the corner h1.
const MIRROR: [u8; SQUARES] = {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let rank = square / 4;
        let file = 2 * (square % 4) + 1 - rank % 2;
        let (mirrored_rank, mirrored_file) = (7 - file, 7 - rank);
        table[square] = (4 * mirrored_rank + mirrored_file / 2) as u8;
        square += 1;
    }
    table
};

/// The set bits, lowest first.
#[inline]
fn squares(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (square < SQUARES).then_some(square)
    })
}

fn mirrored(set: u32) -> u32 {
    squares(set).fold(0, |image, square| image | 1 << MIRROR[square])
}

/// The rank of a set among those of its size, in the order of their bits read as a number.
#[inline]
fn rank(set: u32) -> usize {
    squares(set).zip(1..).map(|(square, size)| BINOMIALS[square][size] as usize).sum()
}

#[inline]
fn pack(Cells(cells): Cells) -> u32 {
    (cells & 0xff | cells >> 1 & 0xff << 8 | cells >> 2 & 0xff << 16 | cells >> 3 & 0xff << 24) as u32
}

fn unpack(set: u32) -> Cells {
    let set = u64::from(set);
    Cells(set & 0xff | (set & 0xff << 8) << 1 | (set & 0xff << 16) << 2 | (set & 0xff << 24) << 3)
}

impl Seen {
    #[inline]
    fn new(board: &Board, side: Side) -> Self {
        let [own, other] = [&board.pieces[side.index()], &board.pieces[(!side).index()]];
        let set = |cells: Cells| pack(if side == Side::White { cells } else { cells.turned() });
        let bits = [set(own[1] | other[0] | other[2]), set(own[2] | other[0]), set(other[1] | other[2])];
        Self { occupied: set(own[0]) | bits[0] | bits[1] | bits[2], bits }
    }

    /// The place in [`Material`] of the piece on a square.
    #[inline]
    fn kind(&self, square: usize) -> usize {
        let bit = |set: u32| (set >> square & 1) as usize;
        bit(self.bits[0]) + 2 * bit(self.bits[1]) + 4 * bit(self.bits[2])
    }

    /// The kinds on the occupied squares, lowest square first, read as digits to the base of six.
    #[inline]
    fn code(&self) -> usize {
        squares(self.occupied).fold(0, |code, square| 6 * code + self.kind(square))
    }

    /// The code of the mirror image, whose occupied squares are these.
    #[inline]
    fn mirrored_code(&self, occupied: u32) -> usize {
        squares(occupied).fold(0, |code, square| 6 * code + self.kind(usize::from(MIRROR[square])))
    }

    /// The board with White to move.
    fn board(&self) -> Board {
        let mut board = Board::default();
        for square in squares(self.occupied) {
            let kind = self.kind(square);
            let cells = &mut board.pieces[kind / 3][kind % 3];
            *cells = *cells | unpack(1 << square);
        }
        board
    }
}

/// How many of each kind a code has.
fn material(code: usize, pieces: usize) -> Material {
    let mut counts = Material::default();
    (0..pieces).fold(code, |code, _| {
        counts[code % 6] += 1;
        code / 6
    });
    counts
}

fn other_view([a, b, c, d, e, f]: Material) -> Material {
    [d, e, f, a, b, c]
}

/// Promotions that are still possible: they only lead to less.
fn promotions(material: &Material) -> u8 {
    2 * (material[0] + material[3]) + material[1] + material[4]
}

impl Group {
    fn new(pieces: usize, start: usize, classes: &mut Vec<Class>) -> Self {
        let count = BINOMIALS[SQUARES][pieces] as usize;
        let (mut sets, mut places) = (Vec::new(), vec![Place::default(); count]);
        let mut set = (1u32 << pieces) - 1;
        for place in 0..count {
            let image = mirrored(set);
            places[place] = if image < set {
                Place { image: Image::Other, ..places[rank(image)] }
            } else {
                sets.push(set);
                let image = if image == set { Image::Both } else { Image::Itself };
                Place { index: sets.len() as u32 - 1, image }
            };
            // The next higher number with as many bits (Gosper, 1972).
            let lowest = set & set.wrapping_neg();
            let carried = set.wrapping_add(lowest);
            set = carried | (set ^ carried) >> 2 >> lowest.trailing_zeros();
        }
        let class = |material: Material| material.min(other_view(material));
        let key = |code: &u16| {
            let material = material(usize::from(*code), pieces);
            (promotions(&material), class(material), material, *code)
        };
        let both_sides = |code: &u16| {
            let material = material(usize::from(*code), pieces);
            material[..3] != [0; 3] && material[3..] != [0; 3]
        };
        let mut codes: Vec<u16> = (0..6u16.pow(pieces as u32)).filter(both_sides).collect();
        codes.sort_by_key(key);
        let mut blocks = vec![None; 6usize.pow(pieces as u32)];
        codes.iter().zip(0..).for_each(|(&code, block)| blocks[usize::from(code)] = Some(block));
        let mut end = start;
        for codes in codes.chunk_by(|a, b| key(a).1 == key(b).1) {
            let begin = end;
            end += codes.len() * sets.len();
            classes.push(Class { numbers: begin..end, pieces });
        }
        Self { start, sets, places, codes, blocks }
    }

    fn len(&self) -> usize {
        self.sets.len() * self.codes.len()
    }
}

impl Index {
    /// For two to `pieces` pieces; at most [`MOST_PIECES`].
    #[must_use]
    pub fn new(pieces: usize) -> Self {
        let (mut groups, mut classes, mut len) = (Vec::new(), Vec::new(), 0);
        for pieces in 2..=pieces.min(MOST_PIECES) {
            let group = Group::new(pieces, len, &mut classes);
            len += group.len();
            groups.push(group);
        }
        Self { groups, classes, len }
    }

    /// The most pieces.
    #[must_use]
    pub fn pieces(&self) -> usize {
        self.groups.len() + 1
    }

    /// How many numbers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Materials that belong together, in an order in which captures and promotions lead to earlier ones only.
    #[must_use]
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The number of a position with `side` to move; `None` if it has too many pieces, or only one side has some.
    #[inline]
    #[must_use]
    pub fn number(&self, board: &Board, side: Side) -> Option<usize> {
        let seen = Seen::new(board, side);
        let group = self.groups.get((seen.occupied.count_ones() as usize).checked_sub(2)?)?;
        let Place { index, image } = group.places[rank(seen.occupied)];
        let code = match image {
            Image::Itself => seen.code(),
            Image::Other => seen.mirrored_code(group.sets[index as usize]),
            Image::Both => seen.code().min(seen.mirrored_code(seen.occupied)),
        };
        let block = usize::from(group.blocks[code]?);
        Some(group.start + block * group.sets.len() + index as usize)
    }

    fn group(&self, number: usize) -> Option<(&Group, usize)> {
        let group = self.groups.iter().rfind(|group| group.start <= number)?;
        Some((group, group.start)).filter(|_| number < self.len)
    }

    /// The pieces of the position with this number, and whether it is its own mirror image.
    fn seen(&self, number: usize) -> Option<(Seen, bool)> {
        let (group, start) = self.group(number)?;
        let (block, place) = ((number - start) / group.sets.len(), (number - start) % group.sets.len());
        let (code, occupied) = (usize::from(group.codes[block]), group.sets[place]);
        let (mut seen, mut digits, mut left) = (Seen { occupied, ..Seen::default() }, code, occupied);
        // The last digit belongs to the highest square.
        while left != 0 {
            let highest = left.ilog2();
            (0..3).filter(|bit| (digits % 6) >> bit & 1 != 0).for_each(|bit| seen.bits[bit] |= 1 << highest);
            digits /= 6;
            left ^= 1 << highest;
        }
        if mirrored(occupied) != occupied {
            return Some((seen, false));
        }
        let image = seen.mirrored_code(occupied);
        (code <= image).then_some((seen, code == image))
    }

    /// The position with this number, White to move; `None` if no position has it.
    #[must_use]
    pub fn board(&self, number: usize) -> Option<Board> {
        let board = self.seen(number)?.0.board();
        (!board.is_misplaced()).then_some(board)
    }

    /// How many positions have this number: one, or two that are mirror images.
    #[must_use]
    pub fn images(&self, number: usize) -> u64 {
        self.seen(number).map_or(0, |(_, own_image)| if own_image { 1 } else { 2 })
    }

    /// The material of the positions with this number.
    #[must_use]
    pub fn material(&self, number: usize) -> Material {
        self.group(number).map_or(Material::default(), |(group, start)| {
            let block = (number - start) / group.sets.len();
            material(usize::from(group.codes[block]), group.sets[0].count_ones() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::damone::Rank;
    use std::collections::HashSet;

    fn mirror_image(board: &Board) -> Board {
        Board { pieces: board.pieces.map(|side| side.map(|cells| unpack(mirrored(pack(cells))))) }
    }

    fn turned(board: &Board) -> Board {
        let [white, black] = board.pieces.map(|side| side.map(Cells::turned));
        Board { pieces: [black, white] }
    }

    #[test]
    fn every_position_comes_back_from_its_number() {
        let index = Index::new(3);
        let mut positions = 0;
        for number in 0..index.len() {
            let Some(board) = index.board(number) else { continue };
            positions += 1;
            assert_eq!(index.number(&board, Side::White), Some(number));
            assert_eq!(index.number(&turned(&board), Side::Black), Some(number));
            assert_eq!(index.number(&mirror_image(&board), Side::White), Some(number));
            assert_eq!(index.images(number), if mirror_image(&board) == board { 1 } else { 2 });
        }
        assert!(positions > index.len() * 4 / 5);
    }

    #[test]
    fn positions_have_the_number_that_counting_by_hand_gives() {
        // Two pieces on 32 squares, 18 pairs of kinds with one of each side; a set is its own image if it is made of
        // the eight squares of the diagonal and of pairs of images.
        let sets = |all: usize, own_image: usize| (all + own_image) / 2;
        assert_eq!(Index::new(2).len(), 18 * sets(496, 28 + 12));
        assert_eq!(Index::new(3).len() - Index::new(2).len(), 162 * sets(4_960, 56 + 8 * 12));
        assert_eq!(Index::new(4).len() - Index::new(3).len(), 1_134 * sets(35_960, 70 + 28 * 12 + 66));
    }

    #[test]
    fn turns_lead_to_the_same_class_or_an_earlier_one() {
        let index = Index::new(3);
        let class = |number: usize| index.classes().iter().position(|class| class.numbers.contains(&number)).unwrap();
        assert_eq!(index.classes().iter().map(|class| class.numbers.len()).sum::<usize>(), index.len());
        for number in (0..index.len()).step_by(7) {
            let Some(board) = index.board(number) else { continue };
            let pieces = board.empty().count();
            board.for_each_after(Side::White, |after, _| {
                let Some(next) = index.number(after, Side::Black) else { return };
                let same = after.empty().count() == pieces
                    && Rank::ALL
                        .iter()
                        .all(|&rank| after.of(Side::White, rank).count() == board.of(Side::White, rank).count());
                assert!(if same { class(next) == class(number) } else { class(next) < class(number) });
            });
        }
    }

    #[test]
    fn steps_taken_back_are_the_steps_forward() {
        let index = Index::new(3);
        for number in (0..index.len()).step_by(101) {
            let Some(board) = index.board(number) else { continue };
            let mut found = HashSet::new();
            board.for_each_before(Side::Black, |before| {
                if before.can_capture(Side::Black) {
                    return;
                }
                let mut leads_here = false;
                before.for_each_after(Side::Black, |after, _| leads_here |= *after == board);
                assert!(leads_here && found.insert(*before));
            });
            board.for_each_after(Side::White, |after, _| {
                let same = |rank| after.of(Side::White, rank).count() == board.of(Side::White, rank).count();
                if after.empty().count() == board.empty().count() && Rank::ALL.into_iter().all(same) {
                    let mut back = false;
                    after.for_each_before(Side::White, |before| back |= *before == board);
                    assert!(back);
                }
            });
        }
    }
}
