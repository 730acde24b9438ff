use crate::board::flood::{KING_LEVELS, Kernel, Levels, QUEEN_LEVELS};
use crate::board::{Bitboard, STRIDE, Square};
use crate::games::amazons::Amazons;

/// How far every empty square is from either side.
pub(super) struct Distances {
    pub queen: Levels<QUEEN_LEVELS>,
    pub king: Levels<KING_LEVELS>,
    /// What each side reaches at all.
    pub reached: [Bitboard; 2],
}

impl Distances {
    #[inline(always)]
    pub fn new<K: Kernel>(kernel: K, position: &Amazons) -> Self {
        let (geometry, sources, empty) = (position.geometry(), position.both_amazons(), position.empty());
        let queen = kernel.queen_levels(geometry, sources, empty);
        let king = kernel.king_levels(geometry, sources, empty);
        let reached = [queen.reached(0), queen.reached(1)];
        Self { queen, king, reached }
    }
}

/// For every square, its number of empty neighbours, 0 … 7 (8 counts as 7), as three bit planes.
pub(super) struct Openness([u128; 3]);

impl Openness {
    #[inline(always)]
    pub fn new(position: &Amazons) -> Self {
        let geometry = position.geometry();
        let empty = position.empty().0;
        let row = STRIDE as u32;
        let left = empty << 1 & geometry.not_first_file().0;
        let right = empty >> 1 & geometry.not_last_file().0;
        // Above and below: three squares each, added in two bits.
        let (side_low, side_high) = half_add(left, right);
        let (row_low, row_high) = full_add(left, empty, right);
        let (low, carry) = full_add(side_low, row_low << row, row_low >> row);
        let (mid, over_a) = full_add(side_high, row_high << row, row_high >> row);
        let (mid, over_b) = half_add(mid, carry);
        let eight = over_a & over_b;
        Self([low | eight, mid | eight, (over_a ^ over_b) | eight])
    }

    /// Sum of the numbers over `set`.
    #[inline(always)]
    pub fn sum(&self, set: Bitboard) -> u32 {
        let plane = |bit: usize| (Bitboard(self.0[bit]) & set).count() << bit;
        plane(0) + plane(1) + plane(2)
    }

    /// The planes, the lowest first.
    #[inline(always)]
    pub fn planes(&self) -> [u128; 3] {
        self.0
    }
}

#[inline(always)]
fn half_add(a: u128, b: u128) -> (u128, u128) {
    (a ^ b, a & b)
}

#[inline(always)]
fn full_add(a: u128, b: u128, c: u128) -> (u128, u128) {
    let half = a ^ b;
    (half ^ c, a & b | half & c)
}

/// Mobilities told apart.
pub(super) const MOBILITIES: usize = 64;
/// Steps of the mobility scale for each unit of Lieberum's mobility.
const MOBILITY_UNIT: u32 = 16;

/// Lieberum's mobility of the amazon on `square`, in sixteenths: over the squares one queen move away that the enemy reaches too,
/// `2^−(king distance) · (empty neighbours)`. Squares farther than four king steps add too little to be counted.
#[inline(always)]
fn mobility(position: &Amazons, square: Square, contested: Bitboard, openness: &Openness) -> u32 {
    let geometry = position.geometry();
    let targets = geometry.queen_targets(square, position.empty()) & contested;
    let ring = |distance: usize| openness.sum(targets & geometry.ring(distance, square)) << (4 - distance);
    ring(1) + ring(2) + ring(3) + ring(4)
}

/// The mobility of an amazon as an index below [`MOBILITIES`].
#[inline(always)]
pub(super) fn mobility_index(position: &Amazons, square: Square, contested: Bitboard, openness: &Openness) -> usize {
    ((mobility(position, square, contested, openness) / MOBILITY_UNIT) as usize).min(MOBILITIES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Notation, variant};

    fn position(fen: &str) -> Amazons {
        Amazons::from_fen(variant::find("amazons").unwrap(), fen).unwrap()
    }

    #[test]
    fn openness_counts_empty_neighbours() {
        for fen in [
            "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w",
            "5*Q3/4Q5/3*2*3/9Q/10/7**1/q2q2*1qq/10/3*1Q4/10 b",
            "2q*5*1/11/11/11/4*Q*4/11/11/11/11/11/Q9* w",
            "q2/3/2Q b",
        ] {
            let position = position(fen);
            let openness = Openness::new(&position);
            for square in position.geometry().squares() {
                let counted = (position.geometry().neighbours(square) & position.empty()).count();
                assert_eq!(openness.sum(Bitboard::of(square)), counted.min(7), "{fen} {square}");
                let numbers = openness.planes().map(|plane| u32::from(Bitboard(plane).contains(square)));
                assert_eq!(numbers[0] + 2 * numbers[1] + 4 * numbers[2], counted.min(7), "{fen} {square}");
            }
        }
    }

    #[test]
    fn an_enclosed_amazon_has_no_mobility() {
        let position = position("9q/10/10/10/10/10/10/10/**8/Q*8 w");
        let all = position.empty();
        assert_eq!(mobility(&position, "a1".parse().unwrap(), all, &Openness::new(&position)), 0);
        assert!(mobility(&position, "j10".parse().unwrap(), all, &Openness::new(&position)) > 0);
    }
}
