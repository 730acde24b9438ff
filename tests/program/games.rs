//! `read_games`, `write_game` and `review` of the JSON lines, with a real child process.

use crate::child::{Engine, command};
use crate::common::folder::Folder;
use crate::schema;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use hippolyta::games::variant::VARIANTS;
use serde_json::{Value, json};
use std::fs;

/// The answers to these queries, one each.
fn ask(queries: &[Value]) -> Vec<Value> {
    let answers = super::analysis::answers(&[], queries);
    assert_eq!(answers.len(), queries.len(), "{answers:?}");
    answers
}

fn one(query: Value) -> Value {
    ask(&[query]).remove(0)
}

fn read(text: &str) -> Value {
    one(json!({"id": "r", "action": "read_games", "text": text}))
}

fn read_bytes(bytes: &[u8]) -> Value {
    one(json!({"id": "r", "action": "read_games", "base64": BASE64_STANDARD.encode(bytes)}))
}

/// Game, line, column and the beginning of each warning.
fn warnings(answer: &Value) -> Vec<(Option<u64>, u64, u64, &str)> {
    let place = |warning: &Value, name: &str| warning[name].as_u64().unwrap();
    let list = answer["warnings"].as_array().unwrap().iter();
    list.map(|warning| {
        let message = warning["message"].as_str().unwrap();
        (warning.get("game").and_then(Value::as_u64), place(warning, "line"), place(warning, "column"), message)
    })
    .collect()
}

fn turns(game: &Value) -> Vec<&str> {
    game["record"]["moves"].as_array().unwrap().iter().map(|turn| turn["move"].as_str().unwrap()).collect()
}

#[test]
fn each_format_is_known_by_its_text() {
    let pgn = "[White \"Ann\"]\n\n1. d1-d7/g7 {good} a7b7,b7c7 1-0\n";
    let sgf = "(;GM[18]SZ[10]PB[Ann]RE[B+R];B[djddgd]C[good];W[adbdcd])";
    let line = json!({"white": "Ann", "moves": [{"move": "d1d7g7", "comment": "good"}, "a7b7,b7c7"], "result": "1-0"});
    let page = json!({"format": "hippolyta-game", "version": 1, "tags": {"White": "Ann"}, "result": "1-0",
        "moves": [{"move": "d1d7,d7g7", "comment": "good"}, "a7b7,b7c7"]});
    for (format, text) in [
        ("pgn", pgn.to_owned()),
        ("sgf", sgf.to_owned()),
        ("jsonl", line.to_string()),
        ("jsonl", format!("[\n{line:#},\n{line}\n]")),
        ("jsonl", format!("{page:#}\n")),
    ] {
        let answer = read(&text);
        assert_eq!((&answer["format"], &answer["warnings"]), (&json!(format), &json!([])), "{answer}");
        let record = &answer["games"][0]["record"];
        assert_eq!(turns(&answer["games"][0]), ["d1d7,d7g7", "a7b7,b7c7"], "{text}");
        let rest = (&record["white"], &record["result"], &record["moves"][0]["comment"], &record["variant"]);
        assert_eq!(rest, (&json!("Ann"), &json!("1-0"), &json!("good"), &json!("amazons")), "{text}");
        // A game that nobody numbered has no number.
        assert!(record.get("game").is_none() && record.get("opening").is_none(), "{record}");
    }
    let fens = "# mine\nFEN:_3q/2*1/Q3_w_-_-_0_1\nposition startpos moves d1d7,d7g7\n";
    let answer = read(fens);
    assert_eq!((&answer["format"], &answer["total"]), (&json!("fen"), &json!(2)), "{answer}");
    assert_eq!(answer["games"][0]["record"]["fen"], "3q/2*1/Q3 w - - 0 1");
    assert_eq!((&answer["games"][1]["line"], turns(&answer["games"][1])), (&json!(3), vec!["d1d7,d7g7"]));
    // Turns alone, and what only the name tells.
    assert_eq!(read("1. d1d7,d7g7 a7b7,b7c7")["format"], "pgn");
    let named = json!({"id": "r", "action": "read_games", "text": "*\n", "name": "folder/A.PGN"});
    assert_eq!((one(named)["total"].clone(), read("*\n").get("format")), (json!(1), None));
}

#[test]
fn a_file_is_read_whatever_its_encoding() {
    let latin = b"[White \"Ren\xe9\"]\n\n1. d1d7,d7g7 {\x84g\xfct\x93} *\n";
    let answer = read_bytes(latin);
    assert_eq!(answer["games"][0]["record"]["white"], "René");
    assert_eq!(answer["games"][0]["record"]["moves"][0]["comment"], "„güt“");
    let chinese = read_bytes(&fs::read(format!("{}/tests/vectors/records/gb.sgf", root!())).unwrap());
    assert_eq!(chinese["games"][0]["record"]["white"], "张三", "{chinese}");
    let utf_16: Vec<u8> =
        "\u{feff}[White \"Zoë\"]\r\n\r\n1. d1d7,d7g7 *\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(read_bytes(&utf_16)["games"][0]["record"]["white"], "Zoë");
    // Padding may be left out.
    let coded = BASE64_STANDARD.encode("1. d1d7,d7g7 *\n\n");
    assert!(coded.ends_with('='));
    let bare = one(json!({"id": "r", "action": "read_games", "base64": coded.trim_end_matches('=')}));
    assert_eq!(bare["total"], 1);
}

#[test]
fn what_is_not_understood_is_said_with_its_place_and_what_is_legal_stays() {
    let text = "[White \"a\"]\n\n1. d1d7,d7g7 oops a7b7,b7c7\n   (1... a7a8,a8a9 {open)\n";
    let answer = read(text);
    let said = warnings(&answer);
    let ends = "'oops' is not a turn; it and what follows it are left out";
    assert_eq!((said[0].0, said[0].1, said[0].2, said[0].3), (Some(0), 3, 14, ends), "{answer}");
    assert!(said[1..].iter().all(|(_, line, ..)| *line == 4), "{said:?}");
    assert_eq!(turns(&answer["games"][0]), ["d1d7,d7g7"]);
    let chess = read("[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n");
    assert_eq!((&chess["total"], &chess["games"]), (&json!(1), &json!([])));
    assert_eq!(
        warnings(&chess),
        [(Some(0), 1, 1, "this is chess, which is none of the games here; the game is left out")]
    );
    let cut = read("1. d1d7,d7g7 a7b7,b7c7 2. d1d2,d2d1 a4a5,a5a4 *\n");
    let message = warnings(&cut)[0].3;
    assert!(message.starts_with("illegal move 'd1d2,d2d1': ") && message.ends_with("are left out"), "{message}");
    assert_eq!((turns(&cut["games"][0]).len(), warnings(&cut)[0].2), (2, 27));
    // A game of which nothing can be read is counted, and said; the others have their own numbers.
    let broken = read("{\"moves\":[]}\n{\"moves\":5}\n{\"moves\":[\"d1d7,d7g7\"]}\n");
    let numbers: Vec<_> = broken["games"].as_array().unwrap().iter().map(|game| game["number"].clone()).collect();
    assert_eq!((&broken["total"], numbers), (&json!(3), vec![json!(0), json!(2)]));
    let said = warnings(&broken);
    assert!((said[0].0, said[0].1) == (Some(1), 2) && said[0].3.ends_with("; the game is left out"), "{said:?}");
    // Text between games belongs to none.
    let between = read("(;GM[18]SZ[10];B[djddgd])\n hello\n(;GM[18]SZ[10];B[djddgd])");
    assert_eq!(between["total"], 2);
    assert!(warnings(&between).iter().any(|(game, line, ..)| (*game, *line) == (None, 2)), "{between}");
    for nothing in ["hello world", "\u{0}", "12 apples"] {
        let answer = read(nothing);
        assert_eq!((&answer["total"], answer.get("format")), (&json!(0), None), "{nothing}");
        assert_eq!(warnings(&answer), [(None, 1, 1, "this is no PGN, SGF, JSON of games, FEN or line of turns")]);
    }
    assert_eq!((&read(" \n")["total"], &read("")["warnings"]), (&json!(0), &json!([])));
}

#[test]
fn games_that_name_no_rule_set_are_read_by_the_one_asked_for_or_by_one_that_fits() {
    let query = |variant: &str, text: &str| {
        let answer = one(json!({"id": "r", "action": "read_games", "text": text, "variant": variant}));
        (answer["games"][0]["record"]["variant"].clone(), warnings(&answer).len())
    };
    assert_eq!(query("amazons6", "1. b1b4,b4c4 *"), (json!("amazons6"), 0));
    assert_eq!(query("iago", "1. d1d7,d7g7 a7b7,b7c7 *").1, 1);
    assert_eq!(query("iago", "[Variant \"amazons6\"]\n\n1. b1b4,b4c4 *"), (json!("amazons6"), 0));
}

#[test]
fn many_games_come_page_by_page() {
    let text: String = (0..250).map(|number| format!("[Round \"{number}\"]\n\n1. d1d7,d7g7 x{number} *\n\n")).collect();
    let page =
        |from: u64, count: u64| json!({"id": "r", "action": "read_games", "text": &text, "from": from, "count": count});
    let mut seen = Vec::new();
    let mut from = Some(0);
    while let Some(first) = from {
        let answer = one(page(first, 120));
        assert_eq!(
            (&answer["total"], warnings(&answer).len()),
            (&json!(250), answer["games"].as_array().unwrap().len())
        );
        seen.extend(answer["games"].as_array().unwrap().iter().map(|game| {
            assert_eq!(game["record"]["tags"]["Round"], game["number"].to_string());
            game["number"].as_u64().unwrap()
        }));
        from = answer.get("next").and_then(Value::as_u64);
    }
    assert_eq!(seen, (0..250).collect::<Vec<_>>());
    let all = ask(&[
        json!({"id": "r", "action": "read_games", "text": &text}),
        page(249, 1000),
        page(250, 5),
        page(9_999, 5),
    ]);
    let shape = |answer: &Value| (answer["games"].as_array().unwrap().len(), answer.get("next").cloned());
    assert_eq!(all.iter().map(shape).collect::<Vec<_>>(), [(100, Some(json!(100))), (1, None), (0, None), (0, None)]);
    // Long games: an answer stops when it is long, after one game at least.
    let long = |letter: &str| format!("1. d1d7,d7g7 {{{}}} *\n\n", letter.repeat(5 << 20));
    let answer = one(json!({"id": "r", "action": "read_games", "text": long("a") + &long("b")}));
    assert_eq!((shape(&answer), &answer["total"]), ((1, Some(json!(1))), &json!(2)));
}

#[test]
fn what_is_asked_wrongly_is_refused_with_its_field() {
    let read = |fields: &Value| {
        let mut query = json!({"id": "r", "action": "read_games"});
        query.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        query
    };
    let write =
        |format: &str, record: Value| json!({"id": "w", "action": "write_game", "format": format, "record": record});
    let long = "x".repeat((16 << 20) + 1);
    for (query, field, error) in [
        (read(&json!({})), "text", "either text or base64 is expected"),
        (read(&json!({"text": "*", "base64": "Kg"})), "text", "either text or base64 is expected"),
        (read(&json!({"base64": "*"})), "base64", "not Base64: "),
        (read(&json!({"text": long})), "text", "more than 16777216 bytes"),
        (read(&json!({"base64": BASE64_STANDARD.encode(&long)})), "base64", "more than 16 MiB"),
        (
            write("doc", json!({"moves": []})),
            "format",
            "'doc' is none of the formats pgn, pdn, sgf, jsonl, fen and replay",
        ),
        (write("pgn", json!({"moves": ["d1d2,d2d1", "d1d2,d2d1"]})), "record", "illegal move 'd1d2,d2d1': "),
        (write("pgn", json!({"moves": ["zz"]})), "record", ""),
        (write("pgn", json!({"moves": 5})), "record", ""),
        (write("pgn", json!({"fen": "9/9 w"})), "record", ""),
        (write("pgn", json!({"format": "hippolyta-game", "version": 2})), "record", "version 2 is newer"),
    ] {
        // Too long for the schema as well.
        let mut engine = Engine::start_with(&["analyse"]);
        engine.send(&query.to_string());
        engine.close_input();
        let (lines, _) = engine.end();
        let answer = schema::answer(&lines[0]);
        assert_eq!((lines.len(), &answer["id"], &answer["field"]), (1, &query["id"], &json!(field)), "{answer}");
        let said = answer["error"].as_str().unwrap();
        assert!(said.starts_with(error) && !said.contains("left out"), "{said}");
    }
    // What is left out of a game that is written is named.
    let mut engine = Engine::start_with(&["analyse"]);
    engine.send(&write("pgn", json!({"variant": "amazons6", "turns": ["b1b4,b4c4"]})).to_string());
    engine.close_input();
    let (lines, _) = engine.end();
    let [warning, answer] = [0, 1].map(|line| schema::answer(&lines[line]));
    assert_eq!((&warning["field"], &answer["action"]), (&json!("record"), &json!("write_game")), "{lines:?}");
    assert_eq!(warning["warning"], "the field turns is not understood; it is left out");
}

#[test]
fn legal_moves_say_what_the_last_one_did_and_why_the_game_is_over() {
    let look = |variant: &str, fen: &str, moves: &[&str]| {
        one(json!({"id": "l", "action": "legal_moves", "variant": variant, "fen": fen, "moves": moves}))
    };
    let capture = look("damone", "8/8/8/5p2/8/3p4/2D5/8 w - - 0 1", &["c2e4g6"]);
    let path = ["c2", "e4", "g6"];
    assert_eq!(capture["effects"], json!({"path": path, "captured": ["d3", "f5"], "flipped": []}));
    assert_eq!((&capture["outcome"], &capture["ending"]), (&json!("white"), &json!("noPiece")));
    let flip = look("iago", "q4/5/1Ss2/5/4Q w - - 0 1", &["e1e3,e3d3"]);
    assert_eq!((&flip["effects"]["flipped"], flip.get("ending")), (&json!(["c3"]), None));
    assert_eq!(look("amazons", "q2/3/2Q w", &[]).get("effects"), None);
    for (variant, fen, ending) in [
        ("amazons", "Q**/***/**q b - - 0 1", "noTurn"),
        ("damone", "8/8/6d1/8/8/8/2D5/8 w - - 80 90", "quiet"),
        ("damone-imperatore", "8/8/6d1/8/8/8/2I5/8 b - - 0 1", "noDamone"),
    ] {
        assert_eq!(look(variant, fen, &[])["ending"], ending, "{fen}");
    }
}

#[test]
fn moves_are_judged_by_what_is_known_of_the_positions_around_them() {
    let moves = ["b1b4,b4c4", "b6b5,b5c5", "e1e4,e4d4", "e6e5,e5d5"];
    let review = |positions: Value| {
        let query =
            json!({"id": "r", "action": "review", "variant": "amazons6", "moves": moves, "positions": positions});
        one(query)
    };
    // Winning chances of the side to move: White has 0.7, then 0.44, then 0.52; then nobody knows.
    let answer = review(json!([
        {"winrate": 0.7, "best": "e1e4,e4c4"},
        {"winrate": 0.56, "best": "b6-b5/c5"},
        {"winrate": 0.52},
        null,
        {"winrate": 0.5}
    ]));
    let judged = json!([
        {"turnNumber": 0, "move": "b1b4,b4c4", "side": "white", "isBest": false, "loss": 0.26, "kind": "blunder",
         "wanted": true, "refutation": ["b6b5,b5c5"]},
        {"turnNumber": 1, "move": "b6b5,b5c5", "side": "black", "isBest": true, "loss": 0.0}
    ]);
    assert_eq!(answer["moves"], judged);
    let side = |best: u8, accuracy: f64, loss: f64, kinds: [u8; 3]| json!({"moves": 1, "best": best, "accuracy": accuracy, "averageLoss": loss, "kinds": kinds});
    assert_eq!(answer["white"], side(0, 0.0, 0.26, [0, 0, 1]));
    assert_eq!(answer["black"], side(1, 1.0, 0.0, [0, 0, 0]));
    let kinds: Vec<_> = answer["kinds"].as_array().unwrap().iter().map(|kind| [&kind["name"], &kind["loss"]]).collect();
    let known = [json!("inaccuracy"), json!(0.05), json!("mistake"), json!(0.1), json!("blunder"), json!(0.2)];
    assert_eq!(kinds.concat().into_iter().cloned().collect::<Vec<_>>(), known);
    // The best turn, searched as long, would have led to little more: 0.52 for White. The answer to the turn that was
    // played is told where it is a mistake.
    let positions = |white: f64| {
        json!([
            {"winrate": 0.7, "line": ["e1e4,e4c4"], "afterBest": {"winrate": 1.0 - white, "line": ["b6b5,b5c5"]}},
            {"winrate": 0.56, "line": ["b6b5,b5c5", "e1e4,e4d4"]},
            null, null, null
        ])
    };
    let fair = review(positions(0.46))["moves"][0].clone();
    assert_eq!((&fair["loss"], &fair["kind"], &fair["wanted"]), (&json!(0.02), &Value::Null, &Value::Null), "{fair}");
    let mistake = review(positions(0.55))["moves"][0].clone();
    assert_eq!((&mistake["loss"], &mistake["kind"]), (&json!(0.11), &json!("mistake")), "{mistake}");
    assert_eq!(mistake["refutation"], json!(["b6b5,b5c5", "e1e4,e4d4"]));
    // What it was about, and what there is to learn.
    let lessons = review(positions(0.55))["lessons"].clone();
    let about = mistake["reasons"].as_array().and_then(|reasons| reasons.first()).map(|_| &mistake["about"]);
    let expected = about.map_or(json!([]), |about| json!([{"about": about, "count": 1}]));
    assert_eq!(lessons, expected, "{mistake}");
    // Turns are counted only where the count is exact.
    assert_eq!(mistake["turnsLost"], Value::Null, "{mistake}");
    let nothing = review(json!([null, null, null, null, null]));
    assert_eq!((&nothing["moves"], &nothing["white"]["accuracy"]), (&json!([]), &Value::Null));

    for (positions, field, error) in [
        (json!([]), "positions", "0 positions; 5 are expected"),
        (json!([{"winrate": 1.5}, null, null, null, null]), "positions[0].winrate", "0 to 1 is expected, not 1.5"),
        (json!([null, {"winrate": 1, "best": "a1a2"}, null, null, null]), "positions[1].best", ""),
    ] {
        let mut engine = Engine::start_with(&["analyse"]);
        let query =
            json!({"id": "r", "action": "review", "variant": "amazons6", "moves": moves, "positions": positions});
        engine.send(&query.to_string());
        engine.close_input();
        let (lines, _) = engine.end();
        let answer = schema::answer(&lines[0]);
        assert_eq!(answer["field"], field, "{answer}");
        assert!(answer["error"].as_str().unwrap().starts_with(error), "{answer}");
    }
}

#[test]
fn a_game_of_any_rule_set_is_the_same_after_each_format() {
    for variant in VARIANTS {
        let legal = |moves: &[String]| {
            let query = json!({"id": "l", "action": "legal_moves", "variant": variant.name(), "moves": moves});
            one(query)["moves"]
                .as_array()
                .unwrap()
                .iter()
                .map(|turn| turn.as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        let first = legal(&[]);
        let second = legal(&first[..1]);
        let record = json!({"variant": variant.name(), "tags": {"White": "Ann \"A\" \\ B]", "Event": "Cup", "Result": "0-1",
            "Termination": "time"}, "comment": "Start [of] it", "moves": [{"move": first[0], "comment": "a } b\nc"},
            {"move": second[0], "variations": [[{"move": second[1], "comment": "or this"}]]}]});
        let written = |format: &str, record: &Value| {
            let answer = one(json!({"id": "w", "action": "write_game", "format": format, "record": record}));
            assert_eq!((&answer["action"], &answer["format"]), (&json!("write_game"), &json!(format)), "{answer}");
            answer["text"].as_str().unwrap().to_owned()
        };
        let line = written("jsonl", &record);
        for format in ["pgn", "sgf", "jsonl"] {
            let answer = read(&written(format, &record));
            assert_eq!((&answer["format"], &answer["warnings"]), (&json!(format), &json!([])), "{}", variant.name());
            assert_eq!(written("jsonl", &answer["games"][0]["record"]), line, "{format} {}", variant.name());
        }
        let fen = written("fen", &record);
        assert_eq!(fen, format!("{} moves {} {}\n", variant.start(), first[0], second[0]));
        assert_eq!(read(&fen)["games"][0]["record"]["moves"].as_array().unwrap().len(), 2);
    }
}

/// The games of a file on the page are those that `convert` makes of it.
#[test]
fn a_file_is_read_as_by_convert() {
    let folder = Folder::new("games");
    let vectors = format!("{}/tests/vectors/records", root!());
    for file in fs::read_dir(vectors).unwrap() {
        let file = file.unwrap();
        let (name, path) = (file.file_name().into_string().unwrap(), file.path());
        let (out, path_text) = (folder.path(&format!("{name}.jsonl")), path.to_str().unwrap());
        let (_, errors, _) = command(&["convert", path_text, "--out", &out]);
        let coded = BASE64_STANDARD.encode(fs::read(&path).unwrap());
        let answer = one(json!({"id": "r", "action": "read_games", "base64": coded, "name": name}));
        let converted: Vec<Value> =
            fs::read_to_string(&out).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let games = answer["games"].as_array().unwrap();
        assert_eq!(games.len(), converted.len(), "{name}");
        for (game, mut expected) in games.iter().zip(converted) {
            for number in ["game", "opening"] {
                if game["record"].get(number).is_none() {
                    expected.as_object_mut().unwrap().remove(number);
                }
            }
            assert_eq!(game["record"], expected, "{name}");
        }
        let said: Vec<_> = warnings(&answer)
            .iter()
            .map(|(game, line, column, message)| {
                let game = game.map_or_else(String::new, |game| format!("game {}: ", game + 1));
                format!("hippolyta: {path_text}:{line}:{column}: {game}{message}")
            })
            .collect();
        let expected: Vec<_> = errors.lines().filter(|line| line.contains(path_text)).collect();
        assert_eq!(said, expected, "{name}");
    }
}
