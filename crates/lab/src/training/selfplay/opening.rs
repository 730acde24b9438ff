//! Random openings, so that games differ.

use crate::play::at_random;
use hippolyta::engine::Board;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A board after at most `most` random turns from `start`, each number equally likely. It is not over, as it must not be
/// at `start`.
pub(super) fn opening(start: &Board, most: u32, random: &mut Xoshiro256PlusPlus) -> Board {
    debug_assert!(start.outcome().is_none());
    loop {
        let mut board = start.clone();
        let turns = random.random_range(0..=most);
        at_random(&mut board, turns, random);
        if board.outcome().is_none() {
            return board;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::games::variant;
    use rand::SeedableRng;

    fn openings(name: &str, most: u32, seed: u64) -> Vec<Board> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let start = Board::new(&variant::find(name).unwrap());
        (0..60).map(|_| opening(&start, most, &mut random)).collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_openings_and_another_seed_others() {
        assert_eq!(openings("damone", 4, 5), openings("damone", 4, 5));
        assert_ne!(openings("damone", 4, 5), openings("damone", 4, 6));
    }

    #[test]
    fn every_length_up_to_the_limit_occurs() {
        let mut lengths = [0; 4];
        openings("damone", 3, 1).iter().for_each(|board| lengths[board.turns().len()] += 1);
        assert!(lengths.iter().all(|&count| count > 5), "{lengths:?}");
        assert!(openings("damone", 0, 1).iter().all(|board| board.turns().is_empty()));
    }

    #[test]
    fn no_opening_is_the_end_of_a_game() {
        // On this board random games are over after some ten turns.
        let boards = openings("amazons6", 24, 3);
        assert!(boards.iter().all(|board| board.outcome().is_none()));
        assert!(boards.iter().any(|board| board.turns().len() > 3));
    }
}
