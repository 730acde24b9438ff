//! Classes of squares that the [networks of shapes](crate::eval::shapes) see in the Desdemona family.
//!
//! The class of an empty square joins two cells: of the queen distances of both sides, and of the numbers of runs that
//! could be flipped from there, of the mover's stones and of the other side's. That of a stone tells its side, on how
//! many axes it is open, and when it can be flipped; that of an amazon its side and how much it sees. Then there are
//! neutral stones and the edge.

use super::counts::view;
use crate::board::Bitboard;
use crate::board::flood::{Kernel, Portable};
use crate::eval::lines::View;
use crate::eval::shapes::{self, Classes, QUEEN_CLASSES, SIGHTS, Scheme, joint_rows, queen_class};
use crate::eval::squares::{Planes, digits};
use crate::games::Position;
use crate::games::desdemona::Desdemona;

/// Runs that end at a square: none, one, more.
const END_CLASSES: usize = 3;
/// When a stone can be flipped: neither soon nor now, soon, now.
const THREATS: usize = 3;
/// Classes of a side's stones: open on 0 … 4 axes, by [`THREATS`].
const STONES: usize = 5 * THREATS;

/// Rows of the tables: cells of queen distances, of ends of runs; the mover's stones and the other side's, the mover's
/// amazons and the other side's by [`sight_class`]; neutral stone; edge.
const QUEEN_CELLS: usize = QUEEN_CLASSES * QUEEN_CLASSES;
const END_CELLS: usize = END_CLASSES * END_CLASSES;
const FIRST_STONE: usize = QUEEN_CELLS + END_CELLS;
const NEUTRAL: usize = FIRST_STONE + 2 * STONES + 2 * SIGHTS;

/// Classes: empty squares by both cells, then as the rows.
const JOINT_STONES: usize = QUEEN_CELLS * END_CELLS;
const JOINT_AMAZONS: usize = JOINT_STONES + 2 * STONES;
const JOINT_NEUTRAL: usize = JOINT_AMAZONS + 2 * SIGHTS;
const JOINT_EDGE: usize = JOINT_NEUTRAL + 1;
/// The next power of two above the classes.
const CLASSES: usize = 512;

pub const SCHEME: Scheme =
    Scheme { rows_of: &joint_rows::<{ JOINT_EDGE + 1 }>([QUEEN_CELLS, END_CELLS]), full: NEUTRAL };

/// The networks of the family.
pub(super) type Shapes = shapes::value::Shapes<CLASSES>;
pub(super) type StepShapes = shapes::steps::StepShapes<CLASSES>;

/// Binary digits of a class of distances, of the number of open axes, and of that of ends.
const BITS: usize = 3;
const END_BITS: usize = 2;

/// Numbers up to 3, of which 3 becomes 2.
#[inline(always)]
fn at_most_two(numbers: Planes) -> [u128; END_BITS] {
    let [low, high] = numbers.low();
    [low & !high, high]
}

/// The classes of all squares from the view of the side to move, with what [`View::ends`] gives.
#[inline(always)]
pub(super) fn classes<K: Kernel>(kernel: K, position: &Desdemona, view: &View, ends: &[Planes; 2]) -> Classes {
    let (geometry, empty) = (position.geometry(), position.empty());
    let sides = [position.side_to_move(), !position.side_to_move()];
    let stones = sides.map(|side| position.stones(side));
    let queen = sides.map(|side| digits::<BITS, _>(&view.levels, side.index(), empty, queen_class, QUEEN_CLASSES - 1));
    let ends = ends.map(at_most_two);
    let mut sets = [(Bitboard::EMPTY, 0); 3 * BITS + 2 * END_BITS + 6];
    for bit in 0..BITS {
        sets[bit] = (Bitboard(queen[0][bit]), ((QUEEN_CLASSES * END_CELLS) << bit) as u16);
        sets[BITS + bit] = (Bitboard(queen[1][bit]), (END_CELLS << bit) as u16);
        sets[2 * BITS + bit] = (Bitboard(view.lines.open_axes.0[bit]), (THREATS << bit) as u16);
    }
    for bit in 0..END_BITS {
        sets[3 * BITS + bit] = (Bitboard(ends[0][bit]), (END_CLASSES << bit) as u16);
        sets[3 * BITS + END_BITS + bit] = (Bitboard(ends[1][bit]), 1 << bit);
    }
    let now = view.lines.all_now();
    let others = [
        (stones[0], JOINT_STONES as u16),
        (stones[1], (JOINT_STONES + STONES) as u16),
        (view.lines.soon & !now, 1),
        (now, 2),
        (position.neutral(), JOINT_NEUTRAL as u16),
        (!geometry.squares(), JOINT_EDGE as u16),
    ];
    sets[3 * BITS + 2 * END_BITS..].copy_from_slice(&others);
    let mut classes = Classes::new(kernel, &SCHEME, geometry, &sets);
    classes.set_amazons(kernel, geometry, sides.map(|side| position.amazons(side)), empty, JOINT_AMAZONS);
    classes
}

/// For fitting, as [`Classes::squares`] gives them, from the view of the side to move.
pub fn squares(position: &Desdemona) -> Vec<u16> {
    let view = view(Portable, position);
    classes(Portable, position, &view, &view.ends(position)).squares()
}

/// The logit that the shapes add for the side to move, in this phase.
#[inline(always)]
pub(super) fn logit<K: Kernel>(kernel: K, shapes: &Shapes, position: &Desdemona, view: &View, phase: usize) -> f32 {
    shapes.logit(&classes(kernel, position, view, &view.ends(position)), phase)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::flood::{KernelTask, with_best_kernel};
    use crate::eval::desdemona::tests::{exchanged, for_each_position};
    use crate::eval::shapes::sight_class;
    use crate::games::{Notation, Side};

    struct Squares<'a>(&'a Desdemona);

    impl KernelTask for Squares<'_> {
        type Output = Vec<u16>;

        fn run<K: Kernel>(self, kernel: K) -> Vec<u16> {
            let view = view(kernel, self.0);
            classes(kernel, self.0, &view, &view.ends(self.0)).squares()
        }
    }

    #[test]
    fn every_square_has_the_class_of_what_is_on_it() {
        let mut seen = vec![0; SCHEME.rows_count()];
        for_each_position(|variant, position| {
            let found = squares(position);
            assert_eq!(with_best_kernel(Squares(position)), found);
            let other = Desdemona::from_fen(variant, &exchanged(position)).unwrap();
            assert_eq!(squares(&other), found);
            let (geometry, empty, view) = (position.geometry(), position.empty(), view(Portable, position));
            let sides = [position.side_to_move(), !position.side_to_move()];
            let number = |planes: Planes, square| {
                (0..8).find(|&number| !planes.with_number(number, Bitboard::of(square)).is_empty()).unwrap()
            };
            for square in geometry.squares() {
                let class = found[2 + shapes::square_index(geometry, square)];
                let own = |of: &dyn Fn(Side) -> Bitboard| sides.iter().position(|&side| of(side).contains(square));
                let expected = if let Some(side) = own(&|side| position.stones(side)) {
                    let now = view.lines.all_now().contains(square);
                    let threat = if now { 2 } else { usize::from(view.lines.soon.contains(square)) };
                    [FIRST_STONE + side * STONES + number(view.lines.open_axes, square) * THREATS + threat; 2]
                } else if let Some(side) = own(&|side| position.amazons(side)) {
                    let sight = sight_class(geometry.queen_targets(square, empty).count());
                    [FIRST_STONE + 2 * STONES + side * SIGHTS + sight; 2]
                } else if position.neutral().contains(square) {
                    [NEUTRAL; 2]
                } else {
                    let [near, far] = sides.map(|side| {
                        let sets = &view.levels.sets[..view.levels.len];
                        let level = sets.iter().position(|level| level[side.index()].contains(square));
                        level.map_or(QUEEN_CLASSES - 1, queen_class)
                    });
                    let [own, other] = sides
                        .map(|side| number(view.lines.ends(geometry, position.stones(side), empty), square).min(2));
                    [near * QUEEN_CLASSES + far, QUEEN_CELLS + own * END_CLASSES + other]
                };
                assert_eq!(SCHEME.rows(class.into()), expected, "{} {square}", position.fen());
                expected.into_iter().for_each(|row| seen[row] += 1);
            }
        });
        // All but stones that are open on no axis and yet are to be flipped, and the edge.
        let unseen: Vec<usize> = (0..SCHEME.rows_count()).filter(|&row| seen[row] == 0).collect();
        let impossible = [0, STONES].map(|side| [1, 2].map(|threat| FIRST_STONE + side + threat));
        assert!(impossible.iter().flatten().all(|row| unseen.contains(row)), "{unseen:?}");
        assert!(unseen.len() < 12, "{unseen:?}");
    }
}
