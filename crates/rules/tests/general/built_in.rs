//! The built-in rule sets of move and fire, written as files: the same games as those of their own families.

use super::{file, sorted_turns};
use hippolyta_rules::games::general::{General, RuleSet, RulesFile};
use hippolyta_rules::games::variant::{self, Variant};
use hippolyta_rules::games::{Game, GameTask, Notation, Outcome, Position, legal_turns, perft};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

fn sets() -> Vec<RuleSet> {
    let sets = file("built-in.toml");
    assert_eq!(sets.len(), 10);
    sets
}

/// The built-in rule set that a set is written after.
fn built_in(set: &RuleSet) -> Variant {
    variant::find(set.name.strip_prefix("my-").unwrap()).unwrap()
}

/// The set written after a built-in one.
fn written(name: &str) -> Option<RuleSet> {
    let variant = variant::find(name).unwrap();
    let name = variant.name();
    sets().into_iter().find(|set| set.name == format!("my-{name}"))
}

fn general(set: &RuleSet, fen: &str) -> General {
    General::from_fen(&set.variant(), fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// A random game of both in lock step; how many positions were compared.
struct LockStep {
    set: RuleSet,
    seed: u64,
}

impl GameTask for LockStep {
    type Output = usize;

    fn run<P: Notation>(self, variant: &Variant) -> usize {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let mut one = Game::new(general(&self.set, variant.start()));
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
        for set in sets() {
            let turns = built_in(&set).run(LockStep { set, seed });
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
        assert_eq!(set.variant().traits().moves_first, built_in.traits().moves_first);
        assert_eq!(set.variant().traits().draws, built_in.traits().draws);
        assert_eq!(set.variant().traits().stones, built_in.traits().stones);
    }
}

fn rows(name: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn board_and_side(fen: &str) -> String {
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

fn winner(position: &General) -> Value {
    match position.outcome() {
        None => Value::Null,
        Some(Outcome::Win(side)) => side.to_string().into(),
        Some(Outcome::Draw) => "draw".into(),
    }
}

fn texts(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().map(|text| text.as_str().unwrap())
}

/// The 64-bit FNV-1a hash by which long lists of turns are given.
fn fnv1a(text: &str) -> String {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}

#[test]
fn positions_of_the_vectors_have_the_same_turns_and_outcomes() {
    let mut checked = 0;
    for row in ["amazons.positions.jsonl", "desdemona.positions.jsonl", "edge-cases.jsonl"].into_iter().flat_map(rows) {
        let (id, fen) = (&row["id"], row["fen"].as_str().unwrap());
        let set = written(row["variant"].as_str().unwrap()).unwrap();
        let position = general(&set, fen);
        assert_eq!(board_and_side(&position.fen()), board_and_side(fen), "{id}");
        let expected = match row["winner"].as_str() {
            Some("w") => "white".into(),
            Some("b") => "black".into(),
            _ => row["winner"].clone(),
        };
        assert_eq!(winner(&position), expected, "{id}");
        let turns = sorted_turns(&position);
        assert_eq!(position.count_turns(1), turns.len() as u64, "{id}");
        if let Some(legal) = row["legal"].as_u64() {
            assert_eq!(turns.len() as u64, legal, "{id}");
        }
        if row["moves"].is_array() {
            let mut expected: Vec<_> = texts(&row["moves"]).collect();
            expected.sort_unstable();
            assert_eq!(turns, expected, "{id}");
        }
        if let Some(hash) = row["moves_fnv1a"].as_str() {
            assert_eq!(fnv1a(&turns.join(" ")), hash, "{id}");
        }
        let after = |turn: &str| {
            let mut game = Game::new(position);
            game.play_text(turn).unwrap_or_else(|error| panic!("{id}: {error}"));
            board_and_side(&game.current().fen())
        };
        for successor in row["after"].as_array().into_iter().flatten() {
            let expected = board_and_side(successor["fen"].as_str().unwrap());
            assert_eq!(after(successor["move"].as_str().unwrap()), expected, "{id}");
        }
        for (turn, fen) in row["after"].as_object().into_iter().flatten() {
            assert_eq!(after(turn), board_and_side(fen.as_str().unwrap()), "{id}");
        }
        for turn in texts(&row["must_be_legal"]) {
            assert!(position.parse_turn(turn).is_ok(), "{id}: {turn}");
        }
        for turn in texts(&row["must_be_illegal"]) {
            assert!(position.parse_turn(turn).is_err(), "{id}: {turn}");
        }
        checked += 1;
    }
    assert_eq!(checked, 216 + 7 * 216 + 152);
}

#[test]
fn games_of_the_vectors_run_to_the_same_end() {
    let mut games = 0;
    for row in ["amazons.games.jsonl", "desdemona.games.jsonl"].into_iter().flat_map(rows) {
        let set = written(row["variant"].as_str().unwrap()).unwrap();
        let mut game = Game::new(general(&set, row["start"].as_str().unwrap()));
        for turn in texts(&row["moves"]) {
            assert_eq!(game.current().outcome(), None, "{row}");
            game.play_text(turn).unwrap_or_else(|error| panic!("{row}: {error}"));
        }
        let expected = match row["result"].as_str() {
            Some("1-0") => "white",
            Some("0-1") => "black",
            Some(_) => "draw",
            None => row["winner"].as_str().unwrap(),
        };
        assert_eq!(winner(game.current()), expected, "{row}");
        assert_eq!(game.current().fen().split(' ').next(), row["final"].as_str().unwrap().split(' ').next());
        games += 1;
    }
    assert_eq!(games, 24 + 7 * 24);
}

#[test]
fn perft_agrees_with_the_vectors() {
    let mut counts = 0;
    for row in rows("perft.jsonl") {
        let name = row["variant"].as_str().unwrap();
        let Some(set) = written(name) else { continue };
        let depth = row["depth"].as_u64().unwrap() as u32;
        let nodes = row["nodes"].as_u64().unwrap();
        // Deeper ones take minutes.
        if nodes < 200_000_000 {
            assert_eq!(perft(&general(&set, row["fen"].as_str().unwrap()), depth).nodes, nodes, "{row}");
            counts += 1;
        }
    }
    let amazons = written("amazons").unwrap();
    for row in rows("amazons.perft-suite.jsonl") {
        let position = general(&amazons, row["fen"].as_str().unwrap());
        for (depth, count) in row["perft"].as_object().unwrap() {
            assert_eq!(perft(&position, depth.parse().unwrap()).nodes, count.as_u64().unwrap(), "{row}");
            counts += 1;
        }
    }
    assert!(counts > 100, "{counts}");
}
