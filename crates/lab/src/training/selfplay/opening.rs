//! Random openings, so that games differ.

use hippolyta::games::{Game, Notation, Step, legal_turns};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A game after at most `most` random turns from `start`, each number equally likely, and the codes of their steps. It
/// is not over, as it must not be at `start`.
pub(super) fn opening<P: Notation>(start: &P, most: u32, random: &mut Xoshiro256PlusPlus) -> (Game<P>, Vec<Vec<u16>>) {
    debug_assert!(start.outcome().is_none());
    loop {
        let mut game = Game::new(start.clone());
        let mut opening = Vec::new();
        for _ in 0..random.random_range(0..=most) {
            let mut turns = legal_turns(game.current());
            if turns.is_empty() {
                break;
            }
            let turn = turns.swap_remove(random.random_range(0..turns.len()));
            opening.push(turn.iter().map(|step| step.code()).collect());
            game.play(turn);
        }
        if game.current().outcome().is_none() {
            return (game, opening);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::games::Position;
    use hippolyta::games::amazons::Amazons;
    use hippolyta::games::damone::Damone;
    use hippolyta::games::variant;
    use rand::SeedableRng;

    fn openings<P: Notation>(name: &str, most: u32, seed: u64) -> Vec<(Game<P>, Vec<Vec<u16>>)> {
        let variant = &variant::find(name).unwrap();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let start = P::from_fen(variant, variant.start()).unwrap();
        (0..60).map(|_| opening(&start, most, &mut random)).collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_openings_and_another_seed_others() {
        let codes =
            |seed| openings::<Damone>("damone", 4, seed).into_iter().map(|(_, codes)| codes).collect::<Vec<_>>();
        assert_eq!(codes(5), codes(5));
        assert_ne!(codes(5), codes(6));
    }

    #[test]
    fn every_length_up_to_the_limit_occurs_and_the_codes_are_those_of_the_turns() {
        let mut lengths = [0; 4];
        for (game, codes) in openings::<Damone>("damone", 3, 1) {
            lengths[codes.len()] += 1;
            let played: Vec<Vec<u16>> =
                game.turns().iter().map(|turn| turn.iter().map(|step| step.code()).collect()).collect();
            assert_eq!(played, codes);
        }
        assert!(lengths.iter().all(|&count| count > 5), "{lengths:?}");
        assert!(openings::<Damone>("damone", 0, 1).iter().all(|(_, codes)| codes.is_empty()));
    }

    #[test]
    fn no_opening_is_the_end_of_a_game() {
        // On this board random games are over after some ten turns.
        let games = openings::<Amazons>("amazons6", 24, 3);
        assert!(games.iter().all(|(game, _)| game.current().outcome().is_none()));
        assert!(games.iter().any(|(_, codes)| codes.len() > 3));
    }
}
