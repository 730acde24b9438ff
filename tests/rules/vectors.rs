//! The rules against positions, games and counts made by independent programs.

use crate::common;
use crate::common::{sorted_turns, vectors};
use hippolyta::games::amazons::Amazons;
use hippolyta::games::damone::Damone;
use hippolyta::games::desdemona::Desdemona;
use hippolyta::games::general::General;
use hippolyta::games::variant::{self, Family, Variant};
use hippolyta::games::{Game, Notation, Outcome, Position, Side, perft};
use serde_json::Value;

fn board_and_side(fen: &str) -> String {
    fen.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

fn winner<P: Position>(position: &P) -> Value {
    match position.outcome() {
        None => Value::Null,
        Some(Outcome::Win(side)) => side.to_string().into(),
        Some(Outcome::Draw) => "draw".into(),
    }
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// The 64-bit FNV-1a hash by which long lists of turns are given.
fn fnv1a(text: &str) -> String {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}

/// A check of a row, whatever its game.
trait Check {
    fn check<P: Notation>(&self, variant: &Variant, row: &Value);
}

fn check_all(rows: &[Value], check: &impl Check) {
    for row in rows {
        let variant = variant::find(row["variant"].as_str().unwrap()).unwrap();
        match variant.family() {
            Family::Amazons => check.check::<Amazons>(&variant, row),
            Family::Desdemona(_) => check.check::<Desdemona>(&variant, row),
            Family::Damone(_) => check.check::<Damone>(&variant, row),
            Family::General(_) => check.check::<General>(&variant, row),
        }
    }
}

/// A position: its turns, its outcome, what comes after.
struct OnePosition;

impl Check for OnePosition {
    fn check<P: Notation>(&self, variant: &Variant, row: &Value) {
        let (id, fen) = (&row["id"], row["fen"].as_str().unwrap());
        let position = P::from_fen(variant, fen).unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(board_and_side(&position.fen()), board_and_side(fen), "{id}");
        if let Some(over) = row["over"].as_bool() {
            assert_eq!(position.outcome().is_some(), over, "{id}");
        }
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
            let mut expected = texts(&row["moves"]);
            expected.sort();
            assert_eq!(turns, expected, "{id}");
        }
        if let Some(hash) = row["moves_fnv1a"].as_str() {
            assert_eq!(fnv1a(&turns.join(" ")), hash, "{id}");
        }
        let after = |turn: &str| {
            let mut game = Game::new(position.clone());
            game.play_text(turn).unwrap_or_else(|error| panic!("{id}: {error}"));
            board_and_side(&game.current().fen())
        };
        for successor in row["after"].as_array().into_iter().flatten() {
            let expected = successor["fen"].as_str().unwrap();
            assert_eq!(after(successor["move"].as_str().unwrap()), board_and_side(expected), "{id}");
        }
        for (turn, fen) in row["after"].as_object().into_iter().flatten() {
            assert_eq!(after(turn), board_and_side(fen.as_str().unwrap()), "{id}");
        }
        for turn in row["must_be_legal"].as_array().into_iter().flatten() {
            assert!(position.parse_turn(turn.as_str().unwrap()).is_ok(), "{id}: {turn}");
        }
        for turn in row["must_be_illegal"].as_array().into_iter().flatten() {
            assert!(position.parse_turn(turn.as_str().unwrap()).is_err(), "{id}: {turn}");
        }
        for (depth, count) in row["perft"].as_object().into_iter().flatten() {
            assert_eq!(perft(&position, depth.parse().unwrap()).nodes, count.as_u64().unwrap(), "{id} {depth}");
        }
    }
}

#[test]
fn positions_have_the_turns_outcomes_and_successors_of_the_vectors() {
    for (file, count) in [
        ("amazons.positions.jsonl", 216),
        ("desdemona.positions.jsonl", 7 * 216),
        ("damone.positions.jsonl", 200),
        ("damone.placed.jsonl", 50),
    ] {
        let rows = vectors(file);
        assert_eq!(rows.len(), count);
        check_all(&rows, &OnePosition);
    }
}

#[test]
fn edge_cases_are_as_the_vectors_say() {
    for (file, count) in [("edge-cases.jsonl", 152), ("damone.edge-cases.jsonl", 133)] {
        let rows = vectors(file);
        assert_eq!(rows.len(), count);
        check_all(&rows, &OnePosition);
    }
}

/// A game from its start to its end.
struct WholeGame;

impl Check for WholeGame {
    fn check<P: Notation>(&self, variant: &Variant, row: &Value) {
        let mut game = Game::new(P::from_fen(variant, row["start"].as_str().unwrap()).unwrap());
        for turn in texts(&row["moves"]) {
            assert_eq!(game.current().outcome(), None, "{row}");
            game.play_text(&turn).unwrap_or_else(|error| panic!("{row}: {error}"));
        }
        assert_eq!(game.turns().len() as u64, row["plies"].as_u64().unwrap());
        let expected = match row["result"].as_str() {
            Some("1-0") => "white",
            Some("0-1") => "black",
            Some(_) => "draw",
            None => row["winner"].as_str().unwrap(),
        };
        assert_eq!(winner(game.current()), expected, "{row}");
        let board = row["final"].as_str().unwrap().split(' ').next();
        assert_eq!(game.current().fen().split(' ').next(), board);
    }
}

#[test]
fn games_run_to_the_same_end() {
    for (file, count) in [("amazons.games.jsonl", 24), ("desdemona.games.jsonl", 7 * 24), ("damone.games.jsonl", 36)] {
        let rows = vectors(file);
        assert_eq!(rows.len(), count, "{file}");
        check_all(&rows, &WholeGame);
    }
}

struct Count;

impl Check for Count {
    fn check<P: Notation>(&self, variant: &Variant, row: &Value) {
        let position = P::from_fen(variant, row["fen"].as_str().unwrap()).unwrap();
        let depth = row["depth"].as_u64().unwrap() as u32;
        assert_eq!(perft(&position, depth).nodes, row["nodes"].as_u64().unwrap(), "{row}");
    }
}

#[test]
fn perft_agrees_with_the_vectors() {
    check_all(&vectors("perft.jsonl"), &Count);
    let suite = vectors("amazons.perft-suite.jsonl");
    assert_eq!(suite.len(), 90);
    for row in suite {
        let position = common::amazons(row["fen"].as_str().unwrap());
        for (depth, count) in row["perft"].as_object().unwrap() {
            assert_eq!(perft(&position, depth.parse().unwrap()).nodes, count.as_u64().unwrap(), "{row}");
        }
    }
}

#[test]
fn bad_positions_are_refused() {
    let rows = vectors("damone.bad-fens.jsonl");
    assert_eq!(rows.len(), 12);
    for row in rows {
        let variant = variant::find(row["variant"].as_str().unwrap()).unwrap();
        assert!(Damone::from_fen(&variant, row["fen"].as_str().unwrap()).is_err(), "{row}");
    }
}

#[test]
fn start_positions_have_the_published_counts() {
    for (name, counts) in [("amazons8", [1_232, 1_331_198, 1_358_441_750]), ("amazons6", [544, 238_532, 91_074_224])] {
        let variant = &hippolyta::games::variant::find(name).unwrap();
        let position = hippolyta::games::amazons::Amazons::from_fen(variant, variant.start()).unwrap();
        assert_eq!(position.side_to_move(), Side::White);
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&position, depth).nodes, count, "{name} {depth}");
        }
    }
}
