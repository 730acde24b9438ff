//! Classes of squares that the [networks of shapes](crate::eval::shapes) see in the Amazons.
//!
//! The class of an empty square joins two cells: of the distances of both sides in queen moves, and in king steps. That
//! of an amazon tells its side and how much it sees. Then there are arrows and the edge.

pub mod owners;

use super::counts::{mover, phase_index};
use super::features::Distances;
use crate::board::Bitboard;
use crate::board::flood::{Kernel, Portable};
use crate::eval::shapes::{self, Classes, QUEEN_CLASSES, SIGHTS, Scheme, joint_rows, queen_class};
use crate::eval::squares::digits;
use crate::games::amazons::Amazons;
use crate::games::{Position, Side};

/// Classes of king distances: 1 … 4, 5 and 6, farther, out of reach.
const KING_CLASSES: usize = 7;
/// Rows of the tables: cells of queen distances, of king distances; the mover's amazons and the other side's by
/// [`sight_class`]; arrow; edge.
const QUEEN_CELLS: usize = QUEEN_CLASSES * QUEEN_CLASSES;
const KING_CELLS: usize = KING_CLASSES * KING_CLASSES;
const AMAZONS: usize = QUEEN_CELLS + KING_CELLS;
const ARROW: usize = AMAZONS + 2 * SIGHTS;

/// Classes: empty squares by both cells, then as the rows.
const JOINT_AMAZONS: usize = QUEEN_CELLS * KING_CELLS;
const JOINT_ARROW: usize = JOINT_AMAZONS + 2 * SIGHTS;
const JOINT_EDGE: usize = JOINT_ARROW + 1;
/// The next power of two above the classes.
const CLASSES: usize = 2_048;

pub const SCHEME: Scheme =
    Scheme { rows_of: &joint_rows::<{ JOINT_EDGE + 1 }>([QUEEN_CELLS, KING_CELLS]), full: ARROW };

/// The networks of the Amazons.
pub(super) type Shapes = shapes::value::Shapes<CLASSES>;
pub(super) type StepShapes = shapes::steps::StepShapes<CLASSES>;

/// The class of a king distance by its level.
const fn king_class(level: usize) -> usize {
    match level {
        0..=3 => level,
        4..=5 => 4,
        _ => 5,
    }
}

/// Binary digits of a class of distances.
const BITS: usize = 3;

/// The classes of all squares from the view of `mover`.
#[inline(always)]
pub(super) fn classes<K: Kernel>(kernel: K, position: &Amazons, mover: Side, distances: &Distances) -> Classes {
    let (geometry, empty) = (position.geometry(), position.empty());
    let sides = [mover.index(), (!mover).index()];
    let queen = |side| digits::<BITS, _>(&distances.queen, side, empty, queen_class, QUEEN_CLASSES - 1);
    let king = |side| digits::<BITS, _>(&distances.king, side, empty, king_class, KING_CLASSES - 1);
    let planes = [queen(sides[0]), queen(sides[1]), king(sides[0]), king(sides[1])];
    let mut sets = [(Bitboard::EMPTY, 0); 4 * BITS + 2];
    for bit in 0..BITS {
        let weights = [QUEEN_CLASSES * KING_CELLS, KING_CELLS, KING_CLASSES, 1].map(|weight| (weight << bit) as u16);
        for (part, plane) in planes.iter().enumerate() {
            sets[4 * bit + part] = (Bitboard(plane[bit]), weights[part]);
        }
    }
    sets[4 * BITS] = (position.neutral(), JOINT_ARROW as u16);
    sets[4 * BITS + 1] = (!geometry.squares(), JOINT_EDGE as u16);
    let mut classes = Classes::new(kernel, &SCHEME, geometry, &sets);
    classes.set_amazons(kernel, geometry, [mover, !mover].map(|side| position.amazons(side)), empty, JOINT_AMAZONS);
    classes
}

/// For fitting, as [`Classes::squares`] gives them, from the view of the side to move.
pub fn squares(position: &Amazons) -> Vec<u16> {
    classes(Portable, position, position.side_to_move(), &Distances::new(Portable, position)).squares()
}

/// The logit that the shapes add for the side whose turn it is, or was before it fires.
#[inline(always)]
pub(super) fn logit<K: Kernel>(kernel: K, shapes: &Shapes, position: &Amazons, distances: &Distances) -> f32 {
    shapes.logit(&classes(kernel, position, mover(position), distances), phase_index(position))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::board::flood::{KernelTask, Levels, with_best_kernel};
    use crate::eval::amazons::tests::for_each_position;
    use crate::eval::shapes::sight_class;

    struct Find<'a>(&'a Amazons, Side);

    impl KernelTask for Find<'_> {
        type Output = Classes;

        fn run<K: Kernel>(self, kernel: K) -> Classes {
            classes(kernel, self.0, self.1, &Distances::new(kernel, self.0))
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
                let classes = with_best_kernel(Find(position, mover));
                let sides = [mover.index(), (!mover).index()];
                for square in geometry.squares() {
                    let rows = SCHEME.rows(classes.at(square));
                    let expected = if position.neutral().contains(square) {
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
                let edges = classes.count(JOINT_EDGE);
                let inside = geometry.squares().count() as usize;
                assert!(edges >= (geometry.width() + 2) * (geometry.height() + 2) - inside);
            }
        });
        assert!(squares.iter().all(|&count| count > 1_000), "{squares:?}");
    }
}
