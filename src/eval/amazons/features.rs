use crate::board::flood::{KING_LEVELS, Kernel, Levels, QUEEN_LEVELS};
use crate::board::{Bitboard, Square};
use crate::eval::squares::Openness;
use crate::games::amazons::Amazons;

/// The distances of every empty square from both sides.
pub(super) struct Distances {
    pub queen: Levels<QUEEN_LEVELS>,
    pub king: Levels<KING_LEVELS>,
    /// The squares that each side reaches at all.
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

/// The number of classes of mobility.
pub(super) const MOBILITIES: usize = 64;
/// Sixteenths of Lieberum's mobility in one class.
const MOBILITY_UNIT: u32 = 16;

/// Lieberum's mobility of the amazon on `square`, in sixteenths: over `targets`, the squares one queen move away that
/// the enemy reaches too, `2^−(king distance) · (empty neighbours)`. Squares farther than four king steps add too little
/// to be counted.
#[inline(always)]
fn mobility<K: Kernel>(kernel: K, position: &Amazons, square: Square, targets: Bitboard, openness: &Openness) -> u32 {
    kernel.sum_by_nearness(position.geometry(), square, targets, openness.planes())
}

/// The mobility of an amazon as an index below [`MOBILITIES`]. `targets` as for [`mobility`].
#[inline(always)]
pub(super) fn mobility_index_of<K: Kernel>(
    kernel: K,
    position: &Amazons,
    square: Square,
    targets: Bitboard,
    openness: &Openness,
) -> usize {
    ((mobility(kernel, position, square, targets, openness) / MOBILITY_UNIT) as usize).min(MOBILITIES - 1)
}

/// The mobility of an amazon as an index, by `contested`, the squares that the enemy reaches.
#[inline(always)]
pub(super) fn mobility_index<K: Kernel>(
    kernel: K,
    position: &Amazons,
    square: Square,
    contested: Bitboard,
    openness: &Openness,
) -> usize {
    let targets = kernel.queen_targets(position.geometry(), square, position.empty()) & contested;
    mobility_index_of(kernel, position, square, targets, openness)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::flood::Portable;
    use crate::games::{Notation, variant};

    fn position(fen: &str) -> Amazons {
        Amazons::from_fen(&variant::find("amazons").unwrap(), fen).unwrap()
    }

    #[test]
    fn an_enclosed_amazon_has_no_mobility() {
        let position = position("9q/10/10/10/10/10/10/10/**8/Q*8 w");
        let openness = Openness::new(position.geometry(), position.empty());
        let mobility = |square: &str| {
            let square = square.parse().unwrap();
            let targets = position.geometry().queen_targets(square, position.empty());
            mobility(Portable, &position, square, targets, &openness)
        };
        assert_eq!(mobility("a1"), 0);
        assert!(mobility("j10") > 0);
    }
}
