//! `hippolyta analyse`: queries and answers with a real child process.

use crate::child::Engine;
use crate::schema::{self, ANSWER, QUERY};
use hippolyta::engine::Board;
use hippolyta::games::variant::VARIANTS;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::Command;

/// All answers to `queries`, each of which and of whose answers keeps to the schema.
pub(crate) fn answers(arguments: &[&str], queries: &[Value]) -> Vec<Value> {
    let mut engine = Engine::start_with(&[&["analyse"], arguments].concat());
    for query in queries {
        QUERY.validate(query).unwrap_or_else(|error| panic!("{error}\n{query}"));
        engine.send(&query.to_string());
    }
    engine.close_input();
    ended(engine)
}

/// The last answers of an engine, whose exit code is 1 if all are refusals.
fn ended(engine: Engine) -> Vec<Value> {
    let (lines, status) = engine.end();
    let answers: Vec<_> = lines.iter().map(|line| schema::answer(line)).collect();
    let told = |answer: &&Value| answer.get("warning").is_none();
    let all_refused = answers.iter().filter(told).all(|answer| answer.get("error").is_some());
    let is_error = all_refused && answers.iter().any(|answer| answer.get("error").is_some());
    assert_eq!(status.code(), Some(i32::from(is_error)), "{answers:?}");
    answers
}

fn one(query: Value) -> Value {
    let mut all = answers(&[], &[query]);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

/// The answer to a raw line, which need not keep to the schema.
fn raw(line: &[u8]) -> Vec<Value> {
    let mut engine = Engine::start_with(&["analyse"]);
    engine.send_bytes(line);
    engine.close_input();
    ended(engine)
}

#[test]
fn the_schema_refuses_what_is_not_documented() {
    let answer = |score: Value, wdl: Value| {
        let root = json!({"currentPlayer": "white", "fen": "x", "winrate": 0.5, "wdl": wdl, "score": score,
            "searchWinrate": 0.5, "searchDraw": 0.0, "visits": 1, "nodes": 1,
            "depth": 1, "selDepth": 1, "timeMs": 1, "hashFull": 1, "exactHits": 1});
        json!({"id": "a", "turnNumber": 0, "isDuringSearch": false, "rootInfo": root, "moveInfos": []})
    };
    let (cp, wdl) = (json!({"cp": 5}), json!([1, 2, 997]));
    for (validator, good, bad) in [
        (&QUERY, json!({"id": "a", "nodes": 5}), json!({"id": "a", "nodes": 0})),
        (&QUERY, json!({"id": "a"}), json!({"id": 5})),
        (&QUERY, json!({"id": "a"}), json!({"nodes": 5})),
        (&QUERY, json!({"id": "a"}), json!({"id": "x".repeat(1_001)})),
        (&QUERY, json!({"id": "a", "moves": ["x"]}), json!({"id": "a", "moves": [1]})),
        (&QUERY, json!({"id": "a", "moves": []}), json!({"id": "a", "moves": vec!["x"; 10_001]})),
        (&QUERY, json!({"id": "a", "analyseTurns": [0]}), json!({"id": "a", "analyseTurns": []})),
        (&QUERY, json!({"id": "a", "fen": "x"}), json!({"id": "a", "fen": null})),
        (&QUERY, json!({"id": "a", "variant": "iago"}), json!({"id": "a", "variant": 7})),
        (&QUERY, json!({"id": "a", "priorities": [-1]}), json!({"id": "a", "priorities": [-1.5]})),
        (&QUERY, json!({"id": "a", "action": "version"}), json!({"id": "a", "action": "version", "x": 1})),
        (&QUERY, json!({"id": "a", "action": "perft", "depth": 0}), json!({"id": "a", "action": "perft"})),
        (&QUERY, json!({"id": "a", "action": "analyse"}), json!({"id": "a", "action": "sing"})),
        (&ANSWER, json!({"error": "x"}), json!({"error": "x", "turn": 1})),
        (&ANSWER, json!({"id": "a", "error": "x"}), json!({"id": null, "error": "x"})),
        (&ANSWER, answer(cp.clone(), wdl.clone()), answer(cp.clone(), json!([1, 2]))),
        (&ANSWER, answer(cp.clone(), wdl.clone()), answer(cp.clone(), json!([1, 2, 1_001]))),
        (&ANSWER, answer(cp.clone(), wdl.clone()), answer(json!({"cp": 5, "mate": 1}), wdl.clone())),
        (&ANSWER, answer(json!({"mate": 0}), wdl.clone()), answer(json!({"mate": 0.5}), wdl.clone())),
        (&ANSWER, answer(cp.clone(), wdl.clone()), answer(json!({"cp": 3_001}), wdl)),
    ] {
        validator.validate(&good).unwrap_or_else(|error| panic!("{error}\n{good}"));
        assert!(!validator.is_valid(&bad), "{bad}");
    }
}

#[test]
fn every_rule_set_is_analysed_with_whatever_is_known_of_it() {
    let query = |name: &str| {
        json!({"id": name, "variant": name, "nodes": 200, "multipv": 3, "includeOwnership": true, "includeTerritory": true,
            "includeStones": true})
    };
    let all = answers(&["--jobs", "2"], &VARIANTS.iter().map(|variant| query(variant.name())).collect::<Vec<_>>());
    for variant in VARIANTS {
        let of: Vec<_> = all.iter().filter(|answer| answer["id"] == variant.name()).collect();
        let result = of.iter().find(|answer| answer.get("rootInfo").is_some()).unwrap();
        assert_eq!(result["rootInfo"]["fen"], variant.start());
        let moves = result["moveInfos"].as_array().unwrap();
        assert_eq!(moves.len(), 3, "{result}");
        let visits: u64 = moves.iter().map(|info| info["visits"].as_u64().unwrap()).sum();
        assert!(visits <= result["rootInfo"]["visits"].as_u64().unwrap());
        assert!(moves.iter().all(|info| info["pv"][0] == info["move"]));
        let has = |field: &str| usize::from(result.get(field).is_some());
        // Of the three extras each is there, or there is a warning.
        assert_eq!(has("ownership") + has("territory") + has("stones") + of.len() - 1, 3, "{of:?}");
    }
}

#[test]
fn many_turns_of_a_game_come_by_id_and_number() {
    let moves = ["b1b4,b4c4", "e6e5,e5d5", "e1e4,e4e2"];
    let all = answers(
        &["--jobs", "3", "--hash", "12"],
        &[
            json!({"id": "game", "variant": "amazons6", "moves": moves, "analyseTurns": [3, 0, 1, 2], "nodes": 300}),
            json!({"id": "last", "variant": "amazons6", "moves": moves, "nodes": 300}),
        ],
    );
    let mut sides = BTreeMap::new();
    for answer in &all {
        sides.insert((answer["id"].to_string(), answer["turnNumber"].as_u64()), &answer["rootInfo"]["currentPlayer"]);
    }
    let sides: Vec<_> = sides.values().map(|side| side.as_str().unwrap()).collect();
    assert_eq!(sides, ["white", "black", "white", "black", "black"]);
    assert_eq!(all.len(), 5);
}

#[test]
fn answers_depend_neither_on_the_number_of_jobs_nor_on_what_was_asked_before() {
    let mut queries = Vec::new();
    for (number, name) in ["amazons6", "cassio", "damone", "amazons6", "amazons", "iago"].iter().enumerate() {
        queries.push(
            json!({"id": format!("{name}-{number}"), "variant": name, "nodes": 1500, "multipv": 2, "seed": number,
            "includeOwnership": true}),
        );
    }
    let run = |jobs: &str, reverse: bool| {
        let mut queries = queries.clone();
        if reverse {
            queries.reverse();
        }
        let mut all = answers(&["--jobs", jobs], &queries);
        all.retain(|answer| answer.get("warning").is_none());
        for answer in &mut all {
            answer["rootInfo"]["timeMs"] = json!(0);
        }
        let text = all.iter().map(|answer| (answer["id"].to_string(), answer.to_string()));
        text.collect::<BTreeMap<_, _>>()
    };
    let first = run("1", false);
    assert_eq!(first.len(), queries.len());
    for (jobs, reverse) in [("1", true), ("2", false), ("4", true)] {
        // A smaller share of memory is reported, but these searches are small.
        assert_eq!(without_hash_full(run(jobs, reverse)), without_hash_full(first.clone()), "{jobs}");
    }
}

fn without_hash_full(answers: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let strip = |text: String| {
        let mut answer: Value = serde_json::from_str(&text).unwrap();
        assert!(answer["rootInfo"]["hashFull"].take().as_u64().unwrap() < 500);
        answer.to_string()
    };
    answers.into_iter().map(|(id, text)| (id, strip(text))).collect()
}

#[test]
fn scores_are_those_of_the_side_to_move() {
    // Black reaches far more squares.
    let fen = "q9/10/10/10/10/10/10/10/***7/Q1*7 w";
    let white = one(json!({"id": "a", "fen": fen}));
    assert_eq!(white["rootInfo"]["result"]["outcome"], "loss");
    assert_eq!((&white["rootInfo"]["winrate"], &white["moveInfos"][0]["wdl"]), (&json!(0.0), &json!([0, 0, 1000])));
    let black = one(json!({"id": "a", "fen": fen.replace(" w", " b")}));
    assert_eq!(black["rootInfo"]["result"]["outcome"], "win");
    assert!(black["moveInfos"][0]["score"]["mate"].as_i64().unwrap() > 0);
}

#[test]
fn finished_games_have_a_result_and_no_moves() {
    for (variant, fen, outcome, winrate) in [
        ("amazons", "9q/10/10/10/10/10/10/10/**8/Q*8 w - - 0 2", "loss", 0.0),
        ("damone", "i7/8/8/8/8/8/8/7I w - - 80 90", "draw", 0.5),
        ("damone-imperatore", "i7/8/8/8/8/8/6P1/8 b - - 0 9", "win", 1.0),
    ] {
        let answer = one(json!({"id": "a", "variant": variant, "fen": fen}));
        assert_eq!(answer["moveInfos"], json!([]));
        assert_eq!(answer["rootInfo"]["result"]["outcome"], outcome, "{answer}");
        assert_eq!(answer["rootInfo"]["winrate"], winrate);
    }
}

#[test]
fn territory_and_ownership_of_the_amazons_are_exact() {
    // Two closed rooms: three squares for White, one for Black.
    let fen = "q1***/*****/*****/*****/1Q1*1 w";
    let answer = one(json!({"id": "a", "fen": fen, "includeTerritory": true, "includeOwnership": true}));
    let territory = &answer["territory"];
    assert_eq!(territory["turnsLeft"], json!({"white": [2, 2], "black": [1, 1]}));
    assert_eq!((&territory["margin"], &territory["winner"]), (&json!(0.5), &json!("white")));
    let owners: Vec<_> = territory["regions"].as_array().unwrap().iter().map(|region| &region["owner"]).collect();
    assert_eq!(owners, ["white", "black"]);
    let mut expected = vec![Value::Null; 25];
    (expected[1], expected[20], expected[22]) = (json!(-1.0), json!(1.0), json!(1.0));
    assert_eq!((&answer["ownership"], &answer["lead"]), (&json!(expected), &json!(0.5)));
    let black = one(json!({"id": "a", "fen": fen.replace(" w", " b"), "includeTerritory": true}));
    assert_eq!((&black["territory"]["margin"], &black["territory"]["winner"]), (&json!(-1.5), &json!("white")));
}

#[test]
fn ownership_and_lead_of_the_amazons_are_expected_until_they_are_certain() {
    // White is alone in the corner a1, Black has the corner j10 nearly to himself, and the middle is anybody's.
    let fen = "q6*1q/7***/10/10/3Q6/6q3/10/10/**8/1*Q6q w";
    let query = |fen: &str| one(json!({"id": "a", "fen": fen, "nodes": 50, "includeOwnership": true}));
    let white = query(fen);
    let owners = |answer: &Value| -> Vec<Option<f64>> {
        answer["ownership"].as_array().unwrap().iter().map(Value::as_f64).collect()
    };
    let found = owners(&white);
    assert_eq!(found.len(), 100);
    let empty = found.iter().flatten().filter(|owner| owner.abs() < 1.0).count();
    assert!(empty > 70, "{found:?}");
    // i10 and i9, of which the first is reached by Black's amazon at j10 alone.
    assert!(found[8].is_some_and(|owner| owner <= -0.9), "{found:?}");
    assert!(found.iter().flatten().all(|owner| (owner * 100.0 - (owner * 100.0).round()).abs() < 1e-9));
    let lead = white["lead"].as_f64().unwrap();
    assert!(lead.abs() < 60.0);
    // From the other side's view nothing is certain either, and most signs turn.
    let black = query(&fen.replace(" w", " b"));
    let turned = found.iter().zip(owners(&black)).filter(|(white, black)| match (white, black) {
        (Some(white), Some(black)) => white * black <= 0.0,
        (white, black) => white.is_none() && black.is_none(),
    });
    assert!(turned.count() > 60);
}

#[test]
fn final_stones_are_certain_where_no_move_is_left_but_one() {
    let fen =
        "4Q5/1********Q/1*1****1*1/1***1**1*1/q**1sS2*1/Q***SS2*Q/1**1S****1/1*****1**q/1*1***1**1/3q3q2 w - - 0 25";
    let answer = one(json!({"id": "a", "variant": "desdemona", "fen": fen, "includeStones": true}));
    let stones = &answer["stones"];
    assert_eq!((&stones["now"]["white"], &stones["final"]["white"]), (&json!(4), &json!(4.0)));
    assert_eq!((&stones["now"]["black"], &stones["final"]["black"]), (&json!(1), &json!(1.0)));
}

#[test]
fn only_some_moves_are_searched_if_so_wished() {
    let only = ["a2a3,a3a2", "b1b2,b2b1"];
    let answer = one(json!({"id": "a", "variant": "amazons6", "nodes": 500, "multipv": 9, "searchmoves": only}));
    let mut moves: Vec<_> =
        answer["moveInfos"].as_array().unwrap().iter().map(|info| info["move"].as_str().unwrap()).collect();
    moves.sort_unstable();
    assert_eq!(moves, only);
}

#[test]
fn long_searches_report_on_the_way_and_end_when_told() {
    let mut engine = Engine::start_with(&["analyse", "--hash", "16"]);
    engine.send(r#"{"id":"long","movetime":100000000,"reportDuringSearchEvery":0.02}"#);
    engine.send(r#"{"id":"later","analyseTurns":[0]}"#);
    for _ in 0..3 {
        let report = schema::answer(&engine.next().unwrap());
        assert_eq!((&report["id"], &report["isDuringSearch"]), (&json!("long"), &json!(true)));
    }
    engine.send(r#"{"id":"t","action":"terminate","terminateId":"later","turnNumbers":[0,7]}"#);
    let echo = engine.until(r#"{"id":"t""#).pop().unwrap();
    assert_eq!(echo, r#"{"id":"t","action":"terminate","terminateId":"later","turnNumbers":[0,7]}"#);
    engine.until(r#"{"id":"later","turnNumber":0,"isDuringSearch":false,"noResults":true}"#);
    engine.send(r#"{"id":"u","action":"terminate_all"}"#);
    engine.close_input();
    let (rest, status) = engine.end();
    assert!(status.success());
    let last = schema::answer(rest.last().unwrap());
    assert_eq!((&last["id"], &last["isDuringSearch"]), (&json!("long"), &json!(false)));
    assert!(last["moveInfos"][0]["visits"].as_u64().unwrap() > 0);
}

#[test]
fn urgent_positions_go_first() {
    let mut engine = Engine::start_with(&["analyse"]);
    // The first one keeps the only job busy until all others wait.
    engine.send(r#"{"id":"busy","movetime":100000000}"#);
    for (id, priority) in [("a", 0), ("b", 7), ("c", -7), ("d", 7)] {
        engine.send(&json!({"id": id, "variant": "amazons6", "nodes": 5, "priority": priority}).to_string());
    }
    // Lines are understood in their order, an end is heard at once.
    engine.send(r#"{"id":"wrong","nodes":0}"#);
    engine.until(r#"{"id":"wrong""#);
    engine.send(r#"{"id":"t","action":"terminate","terminateId":"busy"}"#);
    engine.close_input();
    let (lines, _) = engine.end();
    lines.iter().for_each(|line| drop(schema::answer(line)));
    let order: Vec<_> = lines.iter().map(|line| line.split('"').nth(3).unwrap()).collect();
    let place = |id: &str| order.iter().position(|found| *found == id).unwrap();
    assert!(place("b") < place("d") && place("d") < place("a") && place("a") < place("c"), "{order:?}");
}

#[test]
fn positions_and_turns_are_told_in_parts_when_they_are_asked_for() {
    let query = |action: &str, variant: &str, more: Value| {
        let mut query = json!({"id": variant, "action": action, "variant": variant, "includeTurns": true});
        query.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        query
    };
    let joined = |turn: &Value| -> String {
        let path = turn["path"].as_array().unwrap();
        let names: String = path.iter().map(|square| square.as_str().unwrap()).collect();
        let to = path.last().unwrap().as_str().unwrap();
        turn.get("fire").map_or(names.clone(), |at| format!("{names},{to}{}", at.as_str().unwrap()))
    };
    for variant in VARIANTS {
        let told = one(query("legal_moves", variant.name(), json!({"includePosition": true})));
        let position = &told["position"];
        let letters = position["pieces"].as_str().unwrap();
        let rows: Vec<_> = variant.start().split(' ').next().unwrap().split('/').collect();
        assert_eq!(position["ranks"], rows.len());
        let count = letters.chars().filter(|letter| *letter != '.').count();
        assert_eq!(count, rows.concat().chars().filter(|letter| !letter.is_ascii_digit()).count());
        assert_eq!(letters.len() as u64, position["files"].as_u64().unwrap() * rows.len() as u64);
        assert_eq!(position["moveOnly"], variant.start().contains(" m "));
        let (moves, turns) = (told["moves"].as_array().unwrap(), told["turns"].as_array().unwrap());
        assert!(moves.iter().eq(&turns.iter().map(|turn| joined(turn).into()).collect::<Vec<Value>>()), "{told}");
        let found = one(query("analyse", variant.name(), json!({"nodes": 100})));
        let line = &found["moveInfos"][0];
        let turns: Vec<_> = line["turns"].as_array().unwrap().iter().map(&joined).collect();
        assert_eq!(line["pv"], json!(turns));
    }
    // Who asks for neither gets neither.
    let plain = one(json!({"id": "a", "action": "legal_moves"}));
    assert!(plain.get("position").is_none() && plain.get("turns").is_none());
    // From the top, each rank from the left.
    let fen = "*2q/4/Q3 b - - 3 7";
    let told = one(json!({"id": "a", "action": "legal_moves", "fen": fen, "includePosition": true}));
    let position = json!({"files": 4, "ranks": 3, "pieces": "*..q....Q...", "side": "black", "moveOnly": false,
        "quiet": 3, "number": 7});
    assert_eq!(told["position"], position);
    // Captured pieces come in the order of the jumps.
    let fen = "8/8/8/7d/6P1/8/6P1/8 b - - 0 1";
    let told = one(query("legal_moves", "damone", json!({"fen": fen})));
    let capture = json!({"path": ["h5", "f3", "h1"], "captured": ["g4", "g2"]});
    assert_eq!((&told["moves"], &told["turns"]), (&json!(["h5f3h1"]), &json!([capture])));
    let after = one(query("legal_moves", "damone", json!({"fen": fen, "moves": ["h5f3h1"]})));
    assert_eq!((&after["effects"]["path"], &after["effects"]["captured"]), (&capture["path"], &capture["captured"]));
}

#[test]
fn what_is_decided_is_told_when_it_is_asked_for_and_can_be_filled_in() {
    let closed = |action: &str| json!({"id": "a", "action": action, "fen": "Q1*1q/2*2/2*2 w", "includeDecided": true, "nodes": 10});
    let decided = json!({"outcome": "black", "margin": -0.5, "unit": "turns", "by": "count"});
    for action in ["legal_moves", "analyse"] {
        let mut query = closed(action);
        if action == "legal_moves" {
            query.as_object_mut().unwrap().remove("nodes");
        }
        assert_eq!(one(query)["decided"], decided, "{action}");
        let open = one(json!({"id": "a", "action": action, "variant": "amazons6", "includeDecided": true}));
        assert!(open["decided"].is_null() && open.get("decided").is_some(), "{open}");
        assert!(one(json!({"id": "a", "action": action, "variant": "amazons6"})).get("decided").is_none());
    }
    let filled = one(json!({"id": "a", "action": "fill", "fen": "Q1*1q/2*2/2*2 w"}));
    let moves = filled["moves"].as_array().unwrap();
    assert_eq!((&filled["decided"], moves.len(), filled["turns"].as_array().unwrap().len()), (&decided, 10, 10));
    let end = one(json!({"id": "a", "action": "legal_moves", "fen": "Q1*1q/2*2/2*2 w", "moves": moves,
        "includeDecided": true}));
    let over = json!({"outcome": "black", "margin": -0.5, "unit": "turns", "by": "rules"});
    assert_eq!((&end["outcome"], &end["decided"]), (&json!("black"), &over));
    let open = one(json!({"id": "a", "action": "fill", "variant": "damone"}));
    assert_eq!((&open["decided"], &open["moves"]), (&Value::Null, &json!([])));
    // Where nothing is counted there is no margin. A dama alone against a pedina that cannot pass it.
    let quiet = one(json!({"id": "a", "action": "legal_moves", "variant": "damone", "includeDecided": true,
        "fen": "8/8/8/8/8/8/2D5/8 b - - 0 1"}));
    assert_eq!(quiet["decided"], json!({"outcome": "white", "margin": null, "by": "rules"}));
}

#[test]
fn perft_and_legal_moves_count_alike() {
    let all = answers(
        &[],
        &[
            json!({"id": "p", "action": "perft", "variant": "amazons6", "depth": 2}),
            json!({"id": "l", "action": "legal_moves", "variant": "amazons6"}),
            json!({"id": "v", "action": "version"}),
            json!({"id": "r", "action": "variants"}),
        ],
    );
    let of = |id: &str| all.iter().find(|answer| answer["id"] == id).unwrap();
    let divide = of("p")["divide"].as_array().unwrap();
    let names: Vec<_> = divide.iter().map(|pair| &pair[0]).collect();
    assert_eq!(names, of("l")["moves"].as_array().unwrap().iter().collect::<Vec<_>>());
    assert_eq!((&of("p")["nodes"], divide.len()), (&json!(238_532), 544));
    assert_eq!(of("v")["version"], env!("CARGO_PKG_VERSION"));
    let variants = of("r")["variants"].as_array().unwrap();
    assert_eq!(variants.len(), VARIANTS.len());
    for (told, variant) in variants.iter().zip(VARIANTS) {
        let board = Board::new(variant);
        assert_eq!((&told["name"], &told["start"]), (&json!(variant.name()), &json!(board.fen())));
        assert_eq!((&told["files"], &told["ranks"]), (&json!(board.size().0), &json!(board.size().1)));
        let fires = board.legal_turns().all().iter().any(|turn| turn.fire().is_some());
        assert_eq!(told["fires"].as_bool().unwrap(), fires || told["movesFirst"] == true, "{}", variant.name());
    }
    let mut engine = Engine::start_with(&["analyse"]);
    engine.send(r#"{"id":"p","action":"perft","depth":9}"#);
    engine.send(r#"{"id":"t","action":"terminate_all"}"#);
    engine.until(r#"{"id":"p","action":"perft","isDuringSearch":false,"noResults":true}"#);
}

#[test]
fn what_is_wrong_is_an_object_that_names_the_field() {
    let long = [b"{\"id\":\"a\",\"x\":\"".to_vec(), vec![b'x'; 24 << 20], b"\"}\n".to_vec()].concat();
    for (line, field, text) in [
        (&b"nonsense\n"[..], None, "not JSON: expected ident at byte 2"),
        (b"\xff\n", None, "not JSON"),
        (b"{\"id\":\"\0\"}\n", None, "not JSON"),
        (b"7\n", None, "a JSON object is expected"),
        (b"{\"id\":7}\n", Some("id"), "a string is expected, not 7"),
        (b"{\"id\":\"a\",\"moves\":[\"d1d7,d7g7\",\"a1a2,a2a3\"]}\n", Some("moves[1]"), "illegal move 'a1a2,a2a3'"),
        (b"{\"id\":\"a\",\"nodes\":1e99}\n", Some("nodes"), "a whole number from 1 to 9007199254740991 is expected"),
        (b"{\"id\":\"a\",\"fen\":\"Q2/3 w\"}\n", Some("fen"), "3 to 11 of each"),
        (&long, None, "a line of more than 25165824 bytes was ignored"),
        (&b"[".repeat(500_000), None, "a JSON object is expected, not an array"),
        (&[b"{\"x\":".to_vec(), b"[".repeat(500_000)].concat(), None, "not JSON: more brackets"),
    ] {
        // Without a query first it would be a list of positions.
        let answers = raw(&[b"{\"id\":\"v\",\"action\":\"version\"}\n", line].concat());
        let [_, answer] = &answers[..] else { panic!("{answers:?}") };
        assert_eq!(answer.get("field").map(|field| field.as_str().unwrap()), field);
        assert!(answer["error"].as_str().unwrap().contains(text), "{answer}");
        assert!(answer.get("id").is_some() != (answer.get("line") == Some(&json!(2))), "{answer}");
    }
    assert_eq!(raw(b"\r\n  \n\n"), Vec::<Value>::new());
}

/// Words by which Serde and Rust call things, and people do not.
const INTERNAL: &[&str] = &[
    "struct",
    "enum ",
    "sequence",
    "a map",
    "newtype",
    "invalid type",
    "invalid value",
    "invalid length",
    "`",
    "Fields",
    "Query",
    "u32",
    "u64",
    "i64",
    "usize",
    "f64",
    "bool",
    "unit",
];

#[test]
fn every_field_of_the_wrong_kind_is_named_in_an_answer_with_the_id() {
    let schema = schema::whole();
    let of = |property: &Value| -> Value {
        let name = property["$ref"].as_str().and_then(|path| path.strip_prefix("#/$defs/"));
        name.map_or_else(|| property.clone(), |name| schema["$defs"][name].clone())
    };
    let kinds = [
        ("number", json!(2.5)),
        ("number", json!(-1e300)),
        ("integer", json!(7)),
        ("boolean", json!(true)),
        ("string", json!("7")),
        ("array", json!([])),
        ("array", json!([[7], {"a": []}])),
        ("object", json!({})),
        ("object", json!({"a": [1]})),
    ];
    let mut asked = Vec::new();
    let mut ask = |query: &Value, path: &str, property: &Value| {
        let kind = property["type"].as_str().unwrap_or("string");
        for (found, value) in &kinds {
            if *found == kind || (kind == "number" && *found == "integer") {
                continue;
            }
            let mut query = query.clone();
            match path.split_once('.') {
                Some((outer, inner)) => query[outer] = json!({ inner: value }),
                None => query[path] = value.clone(),
            }
            query["id"] = json!(asked.len().to_string());
            asked.push((query, path.to_owned()));
        }
    };
    for reference in schema["$defs"]["query"]["oneOf"].as_array().unwrap() {
        let definition = of(reference);
        let mut query = json!({"action": definition["properties"]["action"]["const"]});
        for name in definition["required"].as_array().unwrap() {
            if !["id", "action"].contains(&name.as_str().unwrap()) {
                query[name.as_str().unwrap()] = if name == "depth" { json!(1) } else { json!("x") };
            }
        }
        for (name, property) in definition["properties"].as_object().unwrap() {
            if name == "id" || name == "action" {
                continue;
            }
            let property = of(property);
            ask(&query, name, &property);
            for (inner, property) in property["properties"].as_object().into_iter().flatten() {
                ask(&query, &format!("{name}.{inner}"), &of(property));
            }
        }
    }
    assert!(asked.len() > 150, "{}", asked.len());
    let mut engine = Engine::start_with(&["analyse", "--hash", "1"]);
    asked.iter().for_each(|(query, _)| engine.send(&query.to_string()));
    engine.close_input();
    let (lines, status) = engine.end();
    // All are refused.
    assert!(status.code() == Some(1) && lines.len() == asked.len(), "{} of {}", lines.len(), asked.len());
    for (line, (query, path)) in lines.iter().zip(&asked) {
        let answer = schema::answer(line);
        let error = answer["error"].as_str().unwrap_or_else(|| panic!("{query}: {answer}"));
        assert_eq!((&answer["id"], answer["field"].as_str()), (&query["id"], Some(path.as_str())), "{query}: {answer}");
        assert!(
            error.contains(" is expected") && !INTERNAL.iter().any(|word| error.contains(word)),
            "{query}: {answer}"
        );
    }
}

#[test]
fn every_line_has_an_answer_with_its_id_or_its_number() {
    let deep = |depth: usize| format!("{{\"id\":\"deep\",\"x\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    let huge = format!("{{\"id\":\"huge\",\"x\":\"{}\"}}", "x".repeat(1 << 20));
    let (deep_one, deeper) = (deep(10_000), deep(50));
    let lines: [(&[u8], Option<Value>, bool); 22] = [
        (b"\xef\xbb\xbf{\"id\":\"mark\",\"action\":\"version\"}", Some(json!("mark")), false),
        (br#"{"id":1}"#, Some(json!(1)), true),
        (br#"{"id":1.5,"nodes":5}"#, Some(json!(1.5)), true),
        (br#"{"id":[1,{"a":2}]}"#, Some(json!([1, {"a": 2}])), true),
        (br#"{"id":true}"#, Some(json!(true)), true),
        (br#"{"id":{}}"#, Some(json!({})), true),
        (br#"{"id":null}"#, None, true),
        (br#"{"id":"e","analyseTurns":[]}"#, Some(json!("e")), true),
        (br#"{"id":"c","clock":5}"#, Some(json!("c")), true),
        (br#"{"id":"c","clock":[1,2,3,4,5]}"#, Some(json!("c")), true),
        (br#"{"id":"t","id":"u"}"#, Some(json!("t")), true),
        (br#"{"id":"t","nodes":5,"nodes":6}"#, Some(json!("t")), true),
        (br#"{"nodes":5}"#, None, true),
        (b"[]", None, true),
        (b"null", None, true),
        (b"\"id\"", None, true),
        (br#"{"id":"s","fen":"\ud800"}"#, None, true),
        (b"{\"id\":\"\xff\"}", None, true),
        (br#"{"id":"a"}{"id":"b"}"#, None, true),
        (deep_one.as_bytes(), None, true),
        (huge.as_bytes(), Some(json!("huge")), false),
        (deeper.as_bytes(), Some(json!("deep")), false),
    ];
    let mut engine = Engine::start_with(&["analyse", "--hash", "1", "--nodes", "1"]);
    for (line, ..) in &lines {
        engine.send_bytes(&[line, &b"\n\n"[..]].concat());
    }
    engine.close_input();
    let (said, status) = engine.end();
    assert!(status.success());
    let answers: Vec<_> = said.iter().map(|line| schema::answer(line)).collect();
    assert_eq!(answers.iter().filter(|answer| answer.get("warning").is_none()).count(), lines.len(), "{answers:#?}");
    for (index, (line, id, is_error)) in lines.iter().enumerate() {
        // Every second line is empty.
        let number = json!(2 * index + 1);
        let is_of = |answer: &&Value| match id {
            Some(id) => answer.get("id") == Some(id) && answer.get("warning").is_none(),
            None => answer.get("line") == Some(&number),
        };
        let text = String::from_utf8_lossy(&line[..line.len().min(80)]);
        let answer = answers.iter().find(is_of).unwrap_or_else(|| panic!("{text}: {answers:#?}"));
        assert_eq!(answer.get("error").is_some(), *is_error, "{text}: {answer}");
    }
}

#[test]
fn territories_that_are_not_counted_before_a_turn_without_fire_are_named() {
    let rules = "k = { like = 'amazons6', fires = 'N', first-turn-fires = false }";
    let ask = json!({"id": "a", "variant": rules, "analyseTurns": [0, 1], "moves": ["b1b4"], "nodes": 20,
        "includeTerritory": true});
    let all = answers(&[], &[ask]);
    let has = |turn: u32| all.iter().any(|it| it["turnNumber"] == turn && it["territory"].is_object());
    let warnings: Vec<_> = all.iter().filter(|it| it["field"] == "includeTerritory").collect();
    assert!(all.len() == 3 && has(1) && warnings.len() == 1, "{all:?}");
    assert_eq!(warnings[0]["warning"], "territories are not counted before a turn that does not fire");
}

#[test]
fn of_mirrored_fires_without_a_move_one_is_reported_whichever_piece_is_named() {
    let rules = "k = { start = '1q2q1/6/6/6/1Q2Q1 w', move-or-fire = true }";
    let ask = json!({"id": "a", "variant": rules, "nodes": 5000, "multipv": 200, "mergeMirrored": true});
    let all = answers(&[], &[ask]);
    let fires: Vec<String> = all[0]["moveInfos"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|told| Some(told["move"].as_str()?.split_once(',')?.1[2..].to_owned()))
        .collect();
    let mirrored = |at: &String| at.replacen(|_| true, &char::from(b'a' + b'f' - at.as_bytes()[0]).to_string(), 1);
    assert!(fires.len() > 5 && !fires.iter().any(|at| fires.contains(&mirrored(at))), "{fires:?}");
}

#[test]
fn more_is_read_than_the_schema_has() {
    let line =
        br#"{"id":"a","variant":"Amazons6","moves":["b1b4,b4c4"],"analyzeTurns":[0],"nodes":5.0,"fen":null,"speed":1}"#;
    assert!(!QUERY.is_valid(&serde_json::from_slice(line).unwrap()));
    let [warning, answer] = &raw(line)[..] else { panic!() };
    assert_eq!(*warning, json!({"id": "a", "field": "speed", "warning": "unknown or unused field"}));
    assert_eq!(
        (&answer["turnNumber"], &answer["rootInfo"]["fen"]),
        (&json!(0), &json!("1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1"))
    );
    // Of too many fields the last that is named counts the others.
    let fields: String = (0..30).map(|number| format!(",\"f{number}\":1")).collect();
    let lines = raw(format!("{{\"id\":\"a\",\"action\":\"version\"{fields}}}").as_bytes());
    let others = lines.iter().filter_map(|line| line["warning"].as_str()?.strip_prefix("unknown or unused field"));
    assert_eq!(others.collect::<Vec<_>>(), [&[""; 19][..], &[", and so are 10 others"]].concat());
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let script = format!(
        "{} analyse --jobs 2 < /dev/null; yes '{{\"id\":\"a\",\"action\":\"version\"}}' | {0} analyse | head -n 2",
        env!("CARGO_BIN_EXE_hippolyta")
    );
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 2);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn a_long_list_of_queries_is_read_as_it_is_worked_off() {
    // 2,000 lines of 40 KB would be 80 MB if they were kept.
    let comment = "x".repeat(40_000);
    let line = format!("{{\"id\":\"a\",\"variant\":\"amazons6\",\"nodes\":1,\"note\":\"{comment}\"}}\n");
    let mut engine = Engine::start_with(&["analyse", "--hash", "1"]);
    for _ in 0..20 {
        engine.send_bytes(line.repeat(100).as_bytes());
    }
    engine.close_input();
    let peak = engine.peak_memory();
    let (lines, _) = engine.end();
    assert_eq!(lines.iter().filter(|line| line.contains("rootInfo")).count(), 2_000);
    assert!(peak.is_none_or(|kibibytes| kibibytes < 60 << 10), "{peak:?} KiB");
}

#[test]
fn a_rating_weakens_and_a_clock_limits() {
    // The lowest level draws its moves: from the seed alone, and not always the best.
    let drawn = |seed: u64| {
        let query = json!({"id": "a", "variant": "amazons6", "nodes": 1000, "elo": 0, "seed": seed});
        one(query)["moveInfos"][0]["move"].as_str().unwrap().to_owned()
    };
    let moves: std::collections::BTreeSet<_> = (0..5).map(drawn).collect();
    assert!(moves.len() > 1, "{moves:?}");
    assert_eq!(drawn(3), drawn(3));
    // Level 1070 is a search of 16 positions.
    let root = &one(json!({"id": "a", "variant": "amazons6", "elo": 1070}))["rootInfo"];
    assert!(root["nodes"].as_u64().unwrap() < 100, "{root}");
    let clock = json!({"white": 2000, "black": 3_600_000, "whiteIncrement": 0});
    let root = &one(json!({"id": "a", "variant": "amazons6", "clock": clock}))["rootInfo"];
    assert!((1..1_500).contains(&root["timeMs"].as_u64().unwrap()), "{root}");
    for (field, query) in [
        ("clock.white", json!({"id": "a", "clock": {"white": -1}})),
        ("clock.movesToGo", json!({"id": "a", "clock": {"white": 1, "movesToGo": 0}})),
        ("elo", json!({"id": "a", "elo": 4001})),
    ] {
        let answer = raw(format!("{query}\n").as_bytes());
        assert_eq!(answer[0]["field"], field, "{answer:?}");
    }
}

#[test]
fn a_search_goes_on_from_what_the_engine_knows_where_it_may() {
    let query = |id: &str, moves: &[&str], keep: bool| json!({"id": id, "variant": "amazons6", "moves": moves, "nodes": 500, "keepTree": keep});
    let found = answers(&[], &[query("first", &[], true), query("again", &[], true), query("alone", &[], false)]);
    let visits = |at: usize| found[at]["rootInfo"]["visits"].as_u64().unwrap();
    assert!(2 * visits(1) > 3 * visits(0), "{found:?}");
    assert_eq!(visits(2), visits(0));
    // The search below the best turn is of use after it.
    let best = found[1]["moveInfos"][0]["move"].as_str().unwrap();
    let deep = json!({"id": "deep", "variant": "amazons6", "nodes": 4_000, "keepTree": true});
    let after = |keep| answers(&["--jobs", "1"], &[deep.clone(), query("after", &[best], keep)]);
    let (kept, alone) = (after(true), after(false));
    assert!(kept[1]["rootInfo"]["visits"].as_u64() > alone[1]["rootInfo"]["visits"].as_u64(), "{kept:?}");
}
