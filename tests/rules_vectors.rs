//! The rules against positions, games and counts made by independent programs.

mod common;

use common::{amazons, sorted_turns, vectors};
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

fn check_row(row: &Value) {
    let (id, fen) = (&row["id"], row["fen"].as_str().unwrap());
    let position = amazons(fen);
    assert_eq!(board_and_side(&position.fen()), board_and_side(fen), "{id}");
    assert_eq!(Value::from(position.outcome().is_some()), row["over"], "{id}");
    assert_eq!(winner(&position), row["winner"], "{id}");
    let turns = sorted_turns(&position);
    assert_eq!(Value::from(turns.len()), row["legal"], "{id}");
    assert_eq!(position.count_turns(1), turns.len() as u64, "{id}");
    if row["moves"].is_array() {
        assert_eq!(turns, texts(&row["moves"]), "{id}");
    }
    for after in row["after"].as_array().into_iter().flatten() {
        let mut game = Game::new(position);
        game.play_text(after["move"].as_str().unwrap()).unwrap();
        assert_eq!(board_and_side(&game.current().fen()), board_and_side(after["fen"].as_str().unwrap()), "{id}");
    }
    for turn in row["must_be_legal"].as_array().into_iter().flatten() {
        assert!(position.parse_turn(turn.as_str().unwrap()).is_ok(), "{id}: {turn}");
    }
    for turn in row["must_be_illegal"].as_array().into_iter().flatten() {
        assert!(position.parse_turn(turn.as_str().unwrap()).is_err(), "{id}: {turn}");
    }
}

#[test]
fn positions_have_the_turns_outcomes_and_successors_of_the_vectors() {
    let rows = vectors("amazons.positions.jsonl");
    assert_eq!(rows.len(), 216);
    rows.iter().for_each(check_row);
}

#[test]
fn edge_cases_are_as_the_vectors_say() {
    let rows = vectors("edge-cases.jsonl");
    assert_eq!(rows.len(), 7);
    rows.iter().for_each(check_row);
}

#[test]
fn games_run_to_the_same_end() {
    let rows = vectors("amazons.games.jsonl");
    assert_eq!(rows.len(), 24);
    for row in rows {
        let mut game = Game::new(amazons(row["start"].as_str().unwrap()));
        for turn in texts(&row["moves"]) {
            assert_eq!(game.current().outcome(), None);
            game.play_text(&turn).unwrap();
        }
        assert_eq!(game.turns().len() as u64, row["plies"].as_u64().unwrap());
        assert_eq!(winner(game.current()), row["winner"]);
        assert_eq!(game.current().fen().split(' ').next(), row["final"].as_str());
    }
}

#[test]
fn perft_agrees_with_the_vectors() {
    for row in vectors("perft.jsonl") {
        let position = amazons(row["fen"].as_str().unwrap());
        let depth = row["depth"].as_u64().unwrap() as u32;
        assert_eq!(perft(&position, depth).nodes, row["nodes"].as_u64().unwrap(), "{row}");
    }
    let suite = vectors("amazons.perft-suite.jsonl");
    assert_eq!(suite.len(), 90);
    for row in suite {
        let position = amazons(row["fen"].as_str().unwrap());
        for (depth, count) in row["perft"].as_object().unwrap() {
            assert_eq!(perft(&position, depth.parse().unwrap()).nodes, count.as_u64().unwrap(), "{row}");
        }
    }
}

#[test]
fn start_positions_have_the_published_counts() {
    for (name, counts) in [("amazons8", [1_232, 1_331_198, 1_358_441_750]), ("amazons6", [544, 238_532, 91_074_224])] {
        let variant = hippolyta::games::variant::find(name).unwrap();
        let position = hippolyta::games::amazons::Amazons::from_fen(variant, variant.start).unwrap();
        assert_eq!(position.side_to_move(), Side::White);
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft(&position, depth).nodes, count, "{name} {depth}");
        }
    }
}
