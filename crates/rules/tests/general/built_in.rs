//! The built-in rule sets of move and fire, as data and written as files: the same games as those of their families.

use super::file;
use hippolyta_rules::games::general::{General, RuleSet, Rules, RulesFile};
use hippolyta_rules::games::variant::{self, Family, VARIANTS, Variant};
use hippolyta_rules::games::{Game, GameTask, Notation, Position, legal_turns};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn sets() -> Vec<RuleSet> {
    let sets = file("built-in.toml");
    assert_eq!(sets.len(), 10);
    sets
}

/// The built-in rule set that a set is written after.
fn built_in(set: &RuleSet) -> Variant {
    variant::find(set.name.strip_prefix("my-").unwrap()).unwrap()
}

/// A random game of both in lock step; how many positions were compared.
struct LockStep {
    seed: u64,
}

impl GameTask for LockStep {
    type Output = usize;

    fn run<P: Notation>(self, variant: &Variant) -> usize {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut one = Game::new(General::from_fen(variant, variant.start()).unwrap());
        let mut other = Game::new(P::from_fen(variant, variant.start()).unwrap());
        assert_eq!(one.current().fen(), other.current().fen());
        loop {
            let (here, there) = (one.current(), other.current());
            assert_eq!(here.fen(), there.fen());
            assert_eq!((here.outcome(), here.ending()), (there.outcome(), there.ending()), "{}", here.fen());
            let turns = legal_turns(there);
            let mine = legal_turns(here).iter().map(|turn| here.turn_text(turn)).collect::<Vec<_>>();
            assert_eq!(mine, turns.iter().map(|turn| there.turn_text(turn)).collect::<Vec<_>>(), "{}", here.fen());
            if turns.is_empty() {
                return one.turns().len();
            }
            if turns.len() < 60 {
                assert_eq!(here.count_turns(2), there.count_turns(2), "{}", here.fen());
            }
            let turn = &turns[random.random_range(0..turns.len())];
            let text = there.turn_text(turn);
            let (mine, theirs) = (here.parse_turn(&text).unwrap(), turn.clone());
            assert_eq!(here.effects(&mine), there.effects(&theirs), "{text}");
            one.play(mine);
            other.play(theirs);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn random_games_are_those_of_the_families(seed: u64) {
        for variant in VARIANTS.iter().filter(|variant| Rules::of(variant).is_some()) {
            let turns = variant.run(LockStep { seed });
            prop_assert!(turns > 10, "{turns} turns");
        }
    }
}

#[test]
fn inheritance_gives_the_rules_of_the_built_in_sets() {
    for set in sets() {
        let built_in = built_in(&set);
        let name = built_in.name();
        let read = RulesFile::parse("like.toml", &format!("[mine]\nlike = \"{name}\"\n")).unwrap();
        assert_eq!((read.sets[0].start.as_str(), read.sets[0].rules), (built_in.start(), set.rules), "{name}");
        assert_eq!(
            set.start.split(' ').take(3).collect::<Vec<_>>(),
            built_in.start().split(' ').take(3).collect::<Vec<_>>()
        );
        let variant = set.variant();
        assert_eq!((variant.family(), variant.exact()), (built_in.family(), built_in.exact()));
        assert_eq!(variant.traits(), built_in.traits());
    }
}

/// One's own rules are those of a family by what they say, and not by their names, starts, or the name of what is
/// fired.
#[test]
fn rules_of_a_built_in_game_are_of_its_family() {
    let family = |keys: &str| variant::find(&format!("a = {{ {keys} }}")).unwrap().family();
    let iago = variant::find("iago").unwrap().family();
    for (keys, expected) in [
        ("start = 'q2/3/2Q', leaves = 'neutral'", Some(Family::Amazons)),
        ("like = 'iago', start = 'q2/1s1/2Q w -'", Some(iago)),
        ("like = 'iago', passes = ['pieces']", None),
        ("like = 'amazons6', first-turn-fires = false", None),
        ("like = 'amazons6', stuck = 'wins'", None),
    ] {
        let found = family(keys);
        assert!(
            expected.map_or(matches!(found, Family::General(_)), |expected| found == expected),
            "{keys}: {found:?}"
        );
    }
}
