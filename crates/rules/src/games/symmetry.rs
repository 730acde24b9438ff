use super::Turn;
use crate::board::Square;

/// A way to turn a board round or to look at it in a mirror.
///
/// ```
/// use hippolyta_rules::games::{Symmetry, Turn};
///
/// let turn: Turn = "d1d7,d7g7".parse()?;
/// assert_eq!(Symmetry::MIRROR.turn(&turn, (10, 10)), Some("g1g7,g7d7".parse()?));
/// assert_eq!(Symmetry::ALL[0].turn(&turn, (10, 10)), Some(turn));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Quarters of a turn to the right, 0 … 3.
    quarters: u8,
    /// Whether the files are put in the opposite order then.
    mirrored: bool,
}

impl Symmetry {
    /// All eight, the one that changes nothing first.
    pub const ALL: [Self; 8] = {
        let mut all = [Self { quarters: 0, mirrored: false }; 8];
        let mut at = 0;
        while at < 8 {
            all[at] = Self { quarters: at as u8 % 4, mirrored: at >= 4 };
            at += 1;
        }
        all
    };
    /// The files in the opposite order.
    pub const MIRROR: Self = Self { quarters: 0, mirrored: true };
    /// The mirror image in the diagonal from the lower right to the upper left corner.
    pub const DIAGONAL: Self = Self { quarters: 1, mirrored: true };

    /// The numbers of files and ranks of a board of this size, once it is moved.
    pub(super) fn size(self, (files, ranks): (usize, usize)) -> (usize, usize) {
        if self.quarters.is_multiple_of(2) { (files, ranks) } else { (ranks, files) }
    }

    /// The place to which a square of a board of this size moves; `None` if the square is not on that board.
    #[must_use]
    pub fn square(self, square: Square, size: (usize, usize)) -> Option<Square> {
        let ((mut file, mut rank), (mut files, mut ranks)) = ((square.file(), square.rank()), size);
        if file >= files || rank >= ranks {
            return None;
        }
        for _ in 0..self.quarters {
            ((file, rank), (files, ranks)) = ((rank, files - 1 - file), (ranks, files));
        }
        Square::at(if self.mirrored { files - 1 - file } else { file }, rank)
    }

    /// A turn on a board of this size as it looks once that is moved; `None` if it leaves that board.
    #[must_use]
    pub fn turn(self, turn: &Turn, size: (usize, usize)) -> Option<Turn> {
        turn.map(|square| self.square(square, size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::variant::{VARIANTS, find};
    use crate::games::{Board, Fen, Notation, with_family};
    use std::collections::BTreeSet;

    #[test]
    fn all_eight_differ_and_turn_a_board_by_quarters() {
        let square = |name: &str| name.parse::<Square>().unwrap();
        let images: Vec<_> = Symmetry::ALL.iter().map(|it| it.square(square("b1"), (4, 3)).unwrap()).collect();
        assert_eq!(images, ["b1", "a3", "c3", "c2", "c1", "c3", "b3", "a2"].map(square));
        assert_eq!(Symmetry::ALL.iter().filter(|&&it| it == Symmetry::MIRROR || it == Symmetry::DIAGONAL).count(), 2);
        assert_eq!(Symmetry::DIAGONAL.square(square("a6"), (8, 8)), Some(square("c8")));
        assert!(Symmetry::MIRROR.square(square("e1"), (4, 3)).is_none());
    }

    /// In every rule set the images of all legal turns are the legal turns of the image, and lead to images.
    #[test]
    fn rules_keep_the_symmetries_that_they_say() {
        for variant in VARIANTS {
            let kept = with_family!(variant, P => P::SYMMETRIES);
            let mut board = Board::new(variant);
            for ply in 0..14 {
                let (fen, turns) = (board.fen().parse::<Fen>().unwrap(), board.legal_turns().all());
                if turns.is_empty() {
                    break;
                }
                for &symmetry in kept {
                    let image = Board::from_fen(variant, &fen.image(symmetry).to_string()).unwrap();
                    let moved = turns.iter().map(|turn| symmetry.turn(turn, board.size()).unwrap());
                    let found: BTreeSet<_> = image.legal_turns().all().into_iter().collect();
                    assert_eq!(found, moved.collect(), "{} {symmetry:?} {}", variant.name(), board.fen());
                }
                let turn = turns[(ply * 7_919 + 11) % turns.len()].clone();
                for &symmetry in kept {
                    let mut image = Board::from_fen(variant, &fen.image(symmetry).to_string()).unwrap();
                    image.play_turn(&symmetry.turn(&turn, board.size()).unwrap()).unwrap();
                    let mut after = board.clone();
                    after.play_turn(&turn).unwrap();
                    let expected = after.fen().parse::<Fen>().unwrap().image(symmetry);
                    assert_eq!(image.fen().parse::<Fen>().unwrap(), expected, "{}", variant.name());
                }
                board.play_turn(&turn).unwrap();
            }
        }
    }

    #[test]
    fn starts_have_the_symmetries_that_are_seen() {
        let count = |name: &str| Board::new(&find(name).unwrap()).symmetries().len();
        assert_eq!(["amazons", "amazons6", "iago", "damone"].map(count), [1; 4]);
        let cross = Board::from_fen(&find("amazons").unwrap(), "q3q/5/2Q2/5/q3q w").unwrap();
        assert_eq!(cross.symmetries().len(), 7);
    }
}
