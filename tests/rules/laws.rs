//! Random games of every rule set obey the laws of all games.

use crate::common::laws::check_position;
use hippolyta::games::amazons::Amazons;
use hippolyta::games::damone::Damone;
use hippolyta::games::desdemona::Desdemona;
use hippolyta::games::variant::{Family, VARIANTS, Variant};
use hippolyta::games::{Game, GameTask, Notation, legal_turns};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Plays random games, and checks the positions that do not have too many turns; how many they were.
struct Play;

impl GameTask for Play {
    type Output = usize;

    fn run<P: Notation>(self, variant: &Variant) -> usize {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(71);
        let mut checked = 0;
        for _ in 0..3 {
            let mut game = Game::new(P::from_fen(variant, variant.start()).unwrap());
            loop {
                let turns = legal_turns(game.current());
                if turns.len() < 300 {
                    assert_eq!(check_position(variant, game.current()), turns.len());
                    checked += 1;
                }
                if turns.is_empty() {
                    break;
                }
                game.play(turns[random.random_range(0..turns.len())].clone());
            }
        }
        checked
    }
}

#[test]
fn every_position_of_random_games_obeys_them() {
    for variant in VARIANTS {
        let checked = variant.run(Play);
        assert!(checked > 30, "{}: {checked}", variant.name());
    }
}

/// Every rule set's start, read as a position of `P`, whose family has some of these rule sets only.
fn refuses_others<P: Notation>(is_own: impl Fn(&Family) -> bool) {
    for variant in VARIANTS {
        let read = P::from_fen(variant, variant.start());
        if is_own(&variant.family()) {
            assert!(read.is_ok(), "{}", variant.name());
        } else {
            let says = read.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(says.contains(&format!("{} is not of the ", variant.name())), "{}: '{says}'", variant.name());
        }
    }
}

#[test]
fn every_family_refuses_the_rule_sets_of_others() {
    refuses_others::<Amazons>(|family| *family == Family::Amazons);
    refuses_others::<Desdemona>(|family| matches!(family, Family::Desdemona(_)));
    refuses_others::<Damone>(|family| matches!(family, Family::Damone(_)));
}
