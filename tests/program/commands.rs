//! The subcommands: what they print, and how they fail.

use crate::child::{Engine, command};
use crate::common::folder::Folder;
use crate::common::naive::Grid;
use serde_json::{Value, json};
use std::fs;

fn ok(arguments: &[&str]) -> String {
    let (output, errors, code) = command(arguments);
    assert_eq!((code, errors.as_str()), (0, ""), "{arguments:?}: {output}");
    output
}

fn fails(arguments: &[&str], message: &str, code: i32) {
    let (output, errors, found) = command(arguments);
    assert_eq!((output.as_str(), found), ("", code), "{arguments:?}");
    assert!(errors.contains(message), "{arguments:?}: {errors}");
}

#[test]
fn perft_prints_the_count_then_time_and_speed() {
    let output = ok(&["perft", "2"]);
    let lines: Vec<_> = output.lines().collect();
    assert_eq!((lines.len(), lines[0]), (3, "Nodes searched: 4307152"));
    assert!(lines[1].starts_with("Time: ") && lines[2].starts_with("Turns/s: "));
    let divided = ok(&["perft", "--variant", "amazons6", "--threads", "2", "--divide", "2"]);
    let lines: Vec<_> = divided.lines().collect();
    assert_eq!(lines.len(), 544 + 1 + 3);
    let sum: u64 = lines[..544].iter().map(|line| line.split(": ").nth(1).unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!((sum, lines[545]), (238_532, "Nodes searched: 238532"));
}

#[test]
fn legal_lists_turns_as_lines_or_json() {
    let fen = "9q/10/10/10/10/10/10/10/***7/Q1*7 w - - 0 2";
    assert_eq!(ok(&["legal", "--fen", fen]), "a1b1,b1a1\n");
    let object: Value = serde_json::from_str(&ok(&["legal", "--json", "--fen", fen])).unwrap();
    let expected =
        json!({"variant": "amazons", "fen": fen, "currentPlayer": "white", "outcome": null, "moves": ["a1b1,b1a1"]});
    assert_eq!(object, expected);
    let over = ok(&["legal", "--json", "--fen", "9q/10/10/10/10/10/10/10/**8/Q*8 w - - 0 2"]);
    let object: Value = serde_json::from_str(&over).unwrap();
    assert_eq!((&object["outcome"], &object["moves"]), (&json!("black"), &json!([])));
    assert_eq!(ok(&["legal", "--fen", "9q/10/10/10/10/10/10/10/**8/Q*8 w - - 0 2"]), "");
    let played = Grid::from_fen("3q2q3/10/6*3/q2Q2*2q/10/10/Q8Q/10/10/6Q3 w").turns().len();
    assert_eq!(ok(&["legal", "--fen", "3q2q3/10/6*3/q2Q2*2q/10/10/Q8Q/10/10/6Q3 w"]).lines().count(), played);
    let object: Value = serde_json::from_str(&ok(&["legal", "--json", "--moves", "d1d7,d7g7 d10d8,d8g8"])).unwrap();
    assert_eq!(object["fen"], "6q3/10/3q2*3/q2Q2*2q/10/10/Q8Q/10/10/6Q3 w - - 0 2");
}

#[test]
fn legal_says_what_analyse_answers_in_the_same_words_and_order() {
    let fen = "q5/6/6/6/****2/Q1***1 w - - 0 2";
    let alone = ok(&["legal", "--json", "--variant", "amazons6", "--fen", fen]);
    let query = json!({"id": "l", "action": "legal_moves", "variant": "amazons6", "fen": fen});
    let answer = Engine::start_with(&["analyse"]).ask(&query.to_string(), "{").pop().unwrap();
    let (own, rest) = answer.split_once(r#""action":"legal_moves","#).unwrap();
    assert_eq!((own, rest), (r#"{"id":"l","#, alone[1..].trim_end()));
}

#[test]
fn go_prints_info_lines_and_a_bestmove() {
    let output = ok(&["go", "--nodes", "500", "--variant", "amazons8", "--wdl"]);
    let lines: Vec<_> = output.lines().collect();
    assert!(lines[lines.len() - 2].starts_with("info depth ") && lines[lines.len() - 2].contains(" wdl "));
    assert!(lines.last().unwrap().starts_with("bestmove "));
    let solved = ok(&["go", "--fen", "q2/3/2Q w"]);
    assert!(solved.contains(" score mate "), "{solved}");
}

/// A file of a test's own with this text.
fn file(folder: &Folder, name: &str, text: &[u8]) -> String {
    std::fs::write(folder.path(name), text).unwrap();
    folder.path(name)
}

#[test]
fn analyse_takes_positions_one_a_line_and_answers_in_their_order() {
    let folder = Folder::new("analyse-list");
    let start = "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1";
    let text = format!("\u{feff}# mine\n{start}\nb1b4,b4c4\n{start} moves b1b4,b4c4 e6e3,e3c3\n9/9 w\n");
    let list = file(&folder, "positions.txt", text.as_bytes());
    let words = ["analyse", &list, "--variant", "amazons6", "--nodes", "300", "--jobs", "2"];
    let (output, errors, code) = command(&[&words[..], &["--format", "csv", "--view", "white"]].concat());
    assert_eq!(code, 1, "{errors}");
    assert!(errors.ends_with("positions.txt: 1 of 4 positions could not be analysed\n"), "{errors}");
    let rows: Vec<_> = output.lines().collect();
    assert_eq!(rows[0], "id,turn,side,best,winrate,win,draw,loss,cp,result,plies,nodes,pv,fen,error",);
    let begin = ["2,0,white,\"", "3,1,black,\"", "4,2,white,\"", "5,0,,,,,,,,,,,,,"];
    assert_eq!(rows.len(), 5, "{output}");
    assert!(rows[1..].iter().zip(begin).all(|(row, begin)| row.starts_with(begin)), "{output}");
    // JSON has the same positions, from the view of the side to move.
    let (json, _, _) = command(&words);
    let answers: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(answers[3]["error"].is_string() && answers[3]["id"] == "5", "{json}");
    for (answer, row) in answers[..3].iter().zip(&rows[1..]) {
        // The turn is in quotes, as it has a comma.
        let winrate: f64 = row.split("\",").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
        let mover = answer["rootInfo"]["winrate"].as_f64().unwrap();
        let white = if answer["rootInfo"]["currentPlayer"] == "white" { mover } else { 1.0 - mover };
        assert!((winrate - white).abs() < 1e-6, "{answer} {row}");
    }
    let (table, _, _) = command(&[&words[..], &["--format", "table"]].concat());
    assert_eq!(table.lines().count(), 5);
    assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
}

#[test]
fn analyse_takes_games_and_says_what_a_text_is_not() {
    let folder = Folder::new("analyse-games");
    let pgn = "[Variant \"amazons6\"]\n\n1. b1b4,b4c4 e6e3,e3c3 *\n";
    let game = file(&folder, "game.pgn", pgn.as_bytes());
    let output = ok(&["analyse", &game, "--nodes", "100"]);
    let turn = |line| serde_json::from_str::<Value>(line).unwrap()["turnNumber"].clone();
    let turns: Vec<_> = output.lines().map(turn).collect();
    assert_eq!(turns, [0, 1, 2]);
    let turns = file(&folder, "turns.txt", b"b1b4,b4c4\ne6e3,e3c3\n");
    assert_eq!(ok(&["analyse", &turns, "--variant", "amazons6", "--nodes", "50"]).lines().count(), 3);
    fails(
        &["analyse", &file(&folder, "prose.txt", b"what is this\n")],
        "this is no PGN, SGF, JSON of games, FEN or line of turns",
        1,
    );
    fails(&["analyse", &folder.0.display().to_string()], "is a folder", 1);
    let queries = file(&folder, "queries.jsonl", b"{\"id\":\"a\",\"action\":\"version\"}\n");
    assert!(ok(&["analyse", &queries]).contains("\"version\""));
    fails(&["analyse", &queries, "--format", "csv"], "queries are answered in JSON", 1);
    fails(&["analyse", &queries, "--variant", "iago"], "a query has fields of these names", 1);
    fails(&["analyse", &file(&folder, "empty.txt", b" \n")], "empty.txt: there is no game", 1);
    // A record of a game is no query, and queries that are all refused are an error.
    let record = br#"{"game":0,"variant":"amazons6","moves":["b1b4,b4c4"],"result":"*"}"#;
    let record = file(&folder, "record.jsonl", record);
    assert_eq!(ok(&["analyse", &record, "--nodes", "50"]).lines().count(), 2);
    let refused = file(&folder, "refused.jsonl", b"{\"variant\":\"amazons6\"}\n{\"id\":\"a\",\"variant\":\"x\"}\n");
    let (answers, errors, code) = command(&["analyse", &refused]);
    assert_eq!((answers.lines().count(), code), (2, 1));
    assert!(errors.ends_with("refused.jsonl: no line is a query that can be answered\n"), "{errors}");
}

#[test]
fn bench_is_repeatable_and_ends_with_nodes_and_speed() {
    let run = || {
        let output = ok(&["bench", "--depth", "3"]);
        let last: Vec<_> = output.lines().last().unwrap().split(' ').map(str::to_owned).collect();
        assert_eq!((last.len(), last[1].as_str(), last[3].as_str()), (4, "nodes", "nps"));
        last[0].clone()
    };
    assert_eq!(run(), run());
}

#[test]
fn mistakes_get_one_clear_line() {
    fails(
        &["legal", "--fen", "Q2/3 w"],
        "hippolyta: FEN: a board of 3 files and 2 ranks: 3 to 11 of each are possible\n",
        1,
    );
    fails(
        &["legal", "--moves", "d1d2,d2d1 d1d2"],
        "hippolyta: move 2 of 2: 'd1d2' is not a move: the square it fires at is expected",
        1,
    );
    fails(&["go", "--nodes", "10", "--searchmoves", "a1a2,a2a3"], "illegal move 'a1a2,a2a3'", 1);
    let (_, errors, code) = command(&["perft", "--variant", "chess", "1"]);
    assert!(errors.contains("unknown variant 'chess'") && !errors.contains("Usage"), "{errors}");
    assert_eq!((errors.lines().count(), code), (1, 2));
    fails(&["perft"], "DEPTH", 2);
    fails(&["perft", "--threads", "0", "1"], "0 is not in 1..=1024", 2);
    fails(&["go", "--nodes", "0"], "0 is not in 1..", 2);
    fails(&["chess"], "unrecognized subcommand 'chess'", 2);
}

#[test]
fn a_review_says_what_it_found_where_a_game_is_wanted() {
    let folder = Folder::new("review-position");
    let file = folder.path("x.fen");
    fs::write(&file, "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1\n").unwrap();
    let (output, errors, code) = command(&["review", &file, "--nodes", "5"]);
    let said = "there is a position and no turn; a game is wanted, or its positions in order, a line each\n";
    assert!(code == 0 && errors.ends_with(said) && output.contains("No turn was played."), "{output}{errors}");
    fs::write(&file, "1q2q1/q4q/6/6/Q4Q/1Q2X1 w - - 0 1\n").unwrap();
    fails(&["review", &file], "none of its positions can be read; a game is wanted, or its positions in order", 1);
}

#[test]
fn a_position_is_read_as_in_a_list_unless_a_rule_set_is_named() {
    let fen = "3q2Q3/10/3s6/Q8q/4sS4/4SS4/q8Q/10/10/3Q2q3 w - - 0 3";
    let all = "desdemona, cassio, iago, desdemona-early, desdemona-early-border, desdemona-site and cassio-site";
    for (words, name, fits, read) in [
        (&["legal", "--fen", fen][..], "desdemona", all, "; it is read as desdemona"),
        (&["perft", "1", "--fen", fen], "desdemona", all, "; it is read as desdemona"),
        (&["go", "--nodes", "5", "--fen", fen, "--moves", "a7d7,d7d4"], "desdemona", all, "; it is read as desdemona"),
        (&["legal", "--moves", "b1b4,b4c4"], "amazons6", "amazons6", ""),
        (&["legal", "--fen", "startpos moves b1b4,b4c4", "--moves", "b6b5,b5a4"], "amazons6", "amazons6", ""),
    ] {
        let (output, errors, code) = command(words);
        let said = format!("hippolyta: --variant names no rule set; all of it fits {fits}, not amazons{read}\n");
        assert_eq!((errors, code), (said, 0), "{words:?}");
        let named = ok(&[words, &["--variant", name]].concat());
        assert_eq!(named.lines().count(), output.lines().count(), "{words:?}");
        fails(&[words, &["--variant", "amazons8"]].concat(), "hippolyta: ", 1);
    }
    fails(&["legal", "--fen", fen, "--moves", "a7d7,d7d4 a1a2"], "hippolyta: FEN: 's' at character 11", 1);
    // Runs ask the same way.
    let folder = Folder::new("guessed");
    let out = folder.path("games.dat");
    let (_, errors, code) = command(&["selfplay", "--games", "1", "--nodes", "2", "--fen", fen, "--out", &out]);
    assert!(code == 0 && errors.starts_with("hippolyta: --variant names no rule set; all of it fits"), "{errors}");
    // The size of a board of the Amazons is no guess.
    let six = "1q2q1/q4q/1Q*3/6/Q4Q/4Q1 b - - 0 1";
    let list = folder.path("list.fen");
    fs::write(&list, six).unwrap();
    for words in [&["legal", "--json", "--fen", six][..], &["convert", &list, "--to", "jsonl", "--out", "-"]] {
        let (output, errors, code) = command(words);
        assert!(output.contains(r#""variant":"amazons6""#), "{words:?}: {output}");
        assert_eq!((errors.as_str(), code), ("", 0), "{words:?}");
    }
}

#[test]
fn shells_and_man_are_told_of_every_command() {
    const COMMANDS: &[&str] = &[
        "perft", "legal", "bench", "go", "play", "analyse", "match", "review", "selfplay", "merge", "fit", "learn",
        "tables", "solve", "problems", "book",
    ];
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = ok(&["completions", shell]);
        assert!(COMMANDS.iter().all(|name| script.contains(name)), "{shell}");
        let completes_values = matches!(shell, "bash" | "zsh" | "fish");
        assert!(!completes_values || script.matches("damone-imperatore").count() > 5, "{shell}");
    }
    assert!(ok(&["man"]).contains(".TH hippolyta 1"));
    let folder = Folder::new("man");
    // The folder is made.
    assert_eq!(ok(&["man", "--out", &folder.path("pages")]), "");
    for name in COMMANDS {
        let page = std::fs::read_to_string(folder.path(&format!("pages/hippolyta-{name}.1"))).unwrap();
        assert!(
            page.contains(&format!(".TH hippolyta-{name} 1  \"hippolyta {}\"", env!("CARGO_PKG_VERSION"))),
            "{name}"
        );
        assert!(!page.contains("EXTRA"), "{name}");
    }
    // Pages refer to no page that is not there.
    for page in fs::read_dir(folder.path("pages")).unwrap() {
        let page = fs::read_to_string(page.unwrap().path()).unwrap().replace("\\-", "-");
        let named = page.split("(1)").map(|before| before.rsplit([' ', '\n', 'R', 'B']).next().unwrap());
        for name in named.filter(|name| name.starts_with("hippolyta-")) {
            assert!(fs::exists(folder.path(&format!("pages/{name}.1"))).unwrap(), "{name}");
        }
    }
    fails(&["completions", "cmd"], "invalid value 'cmd'", 2);
}

#[test]
fn help_comes_with_examples() {
    for name in [
        "perft",
        "legal",
        "bench",
        "go",
        "play",
        "analyse",
        "review",
        "openings",
        "book",
        "completions",
        "man",
        "tables",
        "solve",
        "problems",
        "merge",
        "learn",
    ] {
        assert!(ok(&[name, "--help"]).contains("Example"), "{name}");
    }
    assert!(ok(&["--help"]).contains("UCI"));
}

#[test]
fn times_are_read_with_their_unit_and_what_is_none_is_said_with_an_example() {
    let position = ["go", "--variant", "amazons6", "--fen", "q5/6/6/6/****2/Q1***1 w - - 0 2"];
    for time in ["50", "50ms", "0.05s"] {
        assert!(ok(&[&position[..], &["--movetime", time]].concat()).contains("bestmove "), "{time}");
    }
    let match_ = ["match", "--engine", "cmd=self", "name=a", "--engine", "cmd=self", "name=b"];
    for (words, code, message) in [
        (
            vec!["go", "--movetime", "1x"],
            2,
            "milliseconds are expected, such as 1000, or a time with its unit, such as 1s",
        ),
        (vec!["play", "--movetime", "soon"], 2, "milliseconds are expected, such as 1000"),
        (vec!["gtp", "--time", "1x"], 2, "seconds from 0.01 to 86400 are expected, such as 5, or a time with its unit"),
        (vec!["review", "x.pgn", "--time", "1 day"], 2, "seconds from 0.001 to 1000000 are expected"),
        ([&match_[..], &["--patience", "x"]].concat(), 2, "seconds from 1 to 1000000 are expected"),
        ([&match_[..], &["--each", "st=1d"]].concat(), 1, "a time in seconds, such as 0.5 or 500ms, is expected"),
        ([&match_[..], &["--each", "tc=5min"]].concat(), 1, "[MOVES/]TIME[+INCREMENT] in seconds, such as 10+0.1, is"),
        ([&match_[..], &["--each", "timemargin=x"]].concat(), 1, "a number of milliseconds, such as 20, is expected"),
        // Other numbers are no times, but nobody should read what a parser says of them.
        (vec!["go", "--nodes", "1k"], 2, "a whole number is expected, such as 100"),
        (vec!["perft", "99999999999999999999"], 2, "the number is too large"),
    ] {
        fails(&words, message, code);
    }
}

#[test]
fn a_mistyped_or_a_foreign_command_gets_a_tip() {
    for (word, tip) in [
        ("tournament", "hippolyta match: matches and tournaments of engines"),
        ("CuteChess", "hippolyta match"),
        ("matsch", "'match'"),
        ("export", "hippolyta convert"),
        ("puzzles", "hippolyta problems"),
        ("analyze", "hippolyta analyse"),
        ("train", "hippolyta learn"),
    ] {
        fails(&[word, "--games", "3"], "tip: ", 2);
        fails(&[word], tip, 2);
    }
}
