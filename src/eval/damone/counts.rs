//! The counts of the evaluation, and their places among the features.

use crate::eval::network::{Counter, PHASES};
use crate::forks::Lazy;
use crate::games::Side;
use crate::games::damone::{Board, Cells, QUIET_LIMIT, Rank, square};
use std::ops::Range;

/// Pairs of cells that are mirror images in the diagonal from h1 to a8, and the cells on it.
pub(super) const ORBITS: usize = 20;
const RANKS: usize = 3;
/// Classes of quiet mobility: 0, 1, … steps; the last one holds all that have more.
const MOBILITIES: usize = 16;
/// The number of classes for a side's damoni and for its dame. A lead in pedine beyond `MOST_LEAD` counts as that.
const DAMONI: usize = 3;
const DAME: usize = 4;
const MOST_LEAD: i32 = 4;

/// Where each group of features begins and ends, the mover's before the other side's: pieces of each rank in each
/// orbit; which of them are attacked; pairs of pieces side by side, along the way forward and across it; pieces of one
/// side beside those of the other, by both ranks; mobility; the material; squares to the nearest enemies; 1, and
/// whether an odd number of plies lie between here and the position with all pieces on the first rank ("opposition").
pub(super) const PIECES: Range<usize> = 0..2 * RANKS * ORBITS;
pub(super) const ATTACKED: Range<usize> = PIECES.end..PIECES.end + RANKS;
pub(super) const PAIRS: Range<usize> = ATTACKED.end..ATTACKED.end + 4;
pub(super) const CONTACT: Range<usize> = PAIRS.end..PAIRS.end + RANKS * RANKS;
pub(super) const MOBILITY: Range<usize> = CONTACT.end..CONTACT.end + 2 * MOBILITIES;
pub(super) const MATERIAL: Range<usize> =
    MOBILITY.end..MOBILITY.end + DAMONI * DAMONI + DAME * DAME + 2 * MOST_LEAD as usize + 1;
pub(super) const DISTANCE: Range<usize> = MATERIAL.end..MATERIAL.end + 2;
pub(super) const BOARD: Range<usize> = DISTANCE.end..DISTANCE.end + 2;

/// Number of features.
pub const FEATURES: usize = BOARD.end;

/// Classes of draws: by quiet plies.
pub const DRAW_CLASSES: usize = 11;
const PLIES_OF_A_CLASS: u32 = QUIET_LIMIT / (DRAW_CLASSES as u32 - 1);

/// The class of draws after `quiet` quiet plies.
#[inline(always)]
pub(super) fn draw_class(quiet: u32) -> usize {
    ((quiet / PLIES_OF_A_CLASS) as usize).min(DRAW_CLASSES - 1)
}

/// The phase of a board times 256, by how many of 16 pieces are gone. Phases go from 0 to [`PHASES`] − 1.
#[inline(always)]
pub(super) fn fine_phase(board: &Board) -> usize {
    let pieces = (!board.empty()).count().min(16) as usize;
    (16 - pieces) * (PHASES - 1) * 256 / 16
}

pub(super) struct CellTables {
    /// The orbit of each cell.
    pub orbit: [u8; 36],
    /// King steps between two cells.
    pub distance: [[u8; 36]; 36],
    /// Cells on ranks 2, 4, 6, 8.
    even_ranks: Cells,
}

pub(super) static TABLES: Lazy<CellTables> = Lazy::new(|| {
    let mut tables = CellTables { orbit: [0; 36], distance: [[0; 36]; 36], even_ranks: Cells::NONE };
    let mut orbits: Vec<(usize, usize)> = Vec::new();
    for cell in Cells::ALL {
        let at = square(cell);
        let (file, rank) = (at.file(), at.rank());
        let least = (file, rank).min((7 - rank, 7 - file));
        let known = orbits.iter().position(|&orbit| orbit == least);
        tables.orbit[cell] = known.unwrap_or(orbits.len()) as u8;
        if known.is_none() {
            orbits.push(least);
        }
        if rank % 2 == 1 {
            tables.even_ranks = tables.even_ranks | Cells::of(cell);
        }
        for other in Cells::ALL {
            let other_square = square(other);
            let steps = file.abs_diff(other_square.file()).max(rank.abs_diff(other_square.rank()));
            tables.distance[cell][other] = steps as u8;
        }
    }
    tables
});

/// The board from the view of the side to move: that side is White.
#[inline(always)]
pub(super) fn seen_by(board: &Board, mover: Side) -> Board {
    if mover == Side::White { *board } else { board.turned() }
}

/// Counts every feature of a board on which White moves into `counter`.
#[inline(always)]
pub(super) fn count(board: &Board, counter: &mut impl Counter) {
    let tables = &*TABLES;
    let turned = board.turned();
    let (own, other) = (board.all(Side::White), board.all(Side::Black));
    for (which, seen) in [board, &turned].into_iter().enumerate() {
        for rank in Rank::ALL {
            let start = PIECES.start + (which * RANKS + rank as usize) * ORBITS;
            for cell in seen.of(Side::White, rank) {
                counter.add(start + usize::from(tables.orbit[cell]), 1);
            }
        }
        let all = seen.all(Side::White);
        let pairs = |direction| (all.step(direction) & all).count() as i32;
        counter.add(PAIRS.start + 2 * which, pairs(0));
        counter.add(PAIRS.start + 2 * which + 1, pairs(1));
        let mobility = seen.quiet_count(Side::White) as usize;
        counter.add(MOBILITY.start + which * MOBILITIES + mobility.min(MOBILITIES - 1), 1);
    }
    let attacked = board.attacked(Side::Black);
    for rank in Rank::ALL {
        counter.add(ATTACKED.start + rank as usize, (attacked & board.of(Side::White, rank)).count() as i32);
        let mine = board.of(Side::White, rank);
        if mine.is_empty() {
            continue;
        }
        for theirs in Rank::ALL {
            let theirs_set = board.of(Side::Black, theirs);
            let beside: u32 = (0..4).map(|direction| (mine.step(direction) & theirs_set).count()).sum();
            counter.add(CONTACT.start + RANKS * rank as usize + theirs as usize, beside as i32);
        }
    }
    material(board, counter);
    let (mut to_other, mut to_own) = (0, 0);
    for cell in own {
        to_other += nearest(&tables.distance[cell], other);
    }
    for cell in other {
        to_own += nearest(&tables.distance[cell], own);
    }
    counter.add(DISTANCE.start, to_other);
    counter.add(DISTANCE.start + 1, to_own);
    counter.add(BOARD.start, 1);
    counter.add(BOARD.start + 1, (((own | other) & tables.even_ranks).count() & 1) as i32);
}

#[inline(always)]
fn material(board: &Board, counter: &mut impl Counter) {
    let of = |side, rank, most: usize| (board.of(side, rank).count() as usize).min(most - 1);
    let damoni = [Side::White, Side::Black].map(|side| of(side, Rank::Damone, DAMONI));
    counter.add(MATERIAL.start + damoni[0] * DAMONI + damoni[1], 1);
    let dame = [Side::White, Side::Black].map(|side| of(side, Rank::Dama, DAME));
    counter.add(MATERIAL.start + DAMONI * DAMONI + dame[0] * DAME + dame[1], 1);
    let pedine = [Side::White, Side::Black].map(|side| board.of(side, Rank::Pedina).count() as i32);
    let lead = (pedine[0] - pedine[1]).clamp(-MOST_LEAD, MOST_LEAD) + MOST_LEAD;
    counter.add(MATERIAL.start + DAMONI * DAMONI + DAME * DAME + lead as usize, 1);
}

#[inline(always)]
fn nearest(distances: &[u8; 36], others: Cells) -> i32 {
    let mut least = 8;
    for cell in others {
        least = least.min(distances[cell]);
    }
    i32::from(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// The board mirrored in the diagonal from h1 to a8.
    fn mirrored(board: &Board) -> Board {
        let mirror = |set: Cells| {
            set.map(|cell| {
                let at = square(cell);
                let image = crate::board::Square::at(7 - at.rank(), 7 - at.file()).unwrap();
                Cells::of(crate::games::damone::cell(image).unwrap())
            })
            .fold(Cells::NONE, |all, cell| all | cell)
        };
        Board { pieces: board.pieces.map(|ranks| ranks.map(mirror)) }
    }

    #[test]
    fn mirror_images_count_alike_and_every_piece_once() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        for _ in 0..500 {
            let mut board = Board::default();
            for cell in Cells::ALL {
                if let Some(set) = board.pieces.as_flattened_mut().get_mut(random.random_range(0..14usize)) {
                    *set = *set | Cells::of(cell);
                }
            }
            let counts_of = |board: &Board| {
                let mut counts = vec![0; FEATURES];
                count(board, &mut counts);
                counts
            };
            let counts = counts_of(&board);
            // A mirror image has other ranks, so that whoever is in opposition may differ.
            assert_eq!(counts_of(&mirrored(&board))[..BOARD.end - 1], counts[..BOARD.end - 1]);
            let own: i32 = counts[PIECES][..PIECES.len() / 2].iter().sum();
            assert_eq!(own, board.all(Side::White).count() as i32);
            // The other side's counts are these with the roles exchanged.
            let other = counts_of(&board.turned());
            assert_eq!(other[PIECES][..PIECES.len() / 2], counts[PIECES][PIECES.len() / 2..]);
            assert_eq!(other[PAIRS.start..PAIRS.start + 2], counts[PAIRS.start + 2..PAIRS.end]);
            assert_eq!(
                (other[DISTANCE.start], other[DISTANCE.start + 1]),
                (counts[DISTANCE.start + 1], counts[DISTANCE.start])
            );
            assert_eq!(counts[MOBILITY].iter().sum::<i32>(), 2);
            assert_eq!(counts[MATERIAL].iter().sum::<i32>(), 3);
            assert!(fine_phase(&board) < PHASES * 256);
        }
        assert_eq!(usize::from(*TABLES.orbit.iter().max().unwrap()) + 1, ORBITS);
        assert_eq!([0, 7, 8, 79, 80].map(draw_class), [0, 0, 1, 9, 10]);
    }
}
