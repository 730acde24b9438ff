//! The examples do what they say. Those in Python run where there is a `python3`.

use crate::common::folder::Folder;
use crate::common::leave_out;
use crate::common::tiny::Tiny;
use hippolyta::search::Score;
use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

#[path = "../../examples/misere.rs"]
mod misere;
#[path = "../../examples/rules.rs"]
mod rules;
#[path = "../../examples/search.rs"]
mod search;

#[test]
fn the_examples_of_the_library_run_to_their_end() {
    rules::main().unwrap();
    search::main().unwrap();
    misere::main().unwrap();
}

/// Who wins by plain recursion: the side that cannot move.
fn wins_misere(board: &Tiny, seen: &mut HashMap<Tiny, bool>) -> bool {
    if let Some(&known) = seen.get(board) {
        return known;
    }
    let after = board.turns();
    let wins = after.is_empty() || after.iter().any(|after| !wins_misere(after, seen));
    seen.insert(board.clone(), wins);
    wins
}

#[test]
fn in_misere_amazons_the_side_that_cannot_move_wins() {
    let score = |fen: &str| misere::search(misere::position(fen).unwrap(), 200_000).unwrap().score;
    // One turn each: White is the first to have none left. Under the usual rules Black wins.
    assert_eq!(score("Q1*/***/*1q w"), Score::Win { plies: 2 });
    // Black has none. Under the usual rules White wins.
    assert!(matches!(score("Q2/***/*q* w"), Score::Loss { .. }));
    assert_eq!(score("Q2/***/*q* b"), Score::Win { plies: 0 });

    let mut results = [0, 0];
    for cells in ["q.......Q", "q......Q.", ".q..*..Q.", "q.*...Q..", "qQ.......", ".q......*..Q"] {
        for white_to_move in [true, false] {
            let board = Tiny { width: 3, cells: cells.as_bytes().to_vec(), white_to_move, spare: 0 };
            let wins = wins_misere(&board, &mut HashMap::new());
            results[usize::from(wins)] += 1;
            let found = (wins, score(&board.fen()));
            assert!(matches!(found, (true, Score::Win { .. }) | (false, Score::Loss { .. })), "{cells}: {found:?}");
        }
    }
    assert!(results.iter().all(|&count| count > 0), "{results:?}");
}

/// Runs `python3` with `input`, in another folder and with a code page that lacks most signs, as some consoles have.
/// `None` if there is no Python.
fn python3(arguments: &[&str], input: &str) -> Option<Output> {
    let child = Command::new("python3")
        .arg("-B")
        .args(arguments)
        .current_dir(std::env::temp_dir())
        .env("HIPPOLYTA", env!("CARGO_BIN_EXE_hippolyta"))
        .env("PYTHONPATH", examples())
        .env("PYTHONIOENCODING", "cp1252")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => {
            leave_out(&format!("python3: {error}"));
            return None;
        }
    };
    // A script need not read all of it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    Some(child.wait_with_output().unwrap())
}

/// The lines of Python in docs/scripts.md make a chart of the columns that `analyse` writes.
#[test]
fn the_chart_of_the_documentation_is_drawn() {
    let text = std::fs::read_to_string(format!("{}/docs/scripts.md", root!())).unwrap();
    let script = text.split("```python\n").nth(1).unwrap().split("\n```").next().unwrap();
    let rows = "id,turn,winrate,error\n1,0,0.5,\n1,1,0.75,\n1,2,,over\n";
    let Some(output) = python3(&["-c", script], rows) else { return };
    let (chart, errors) = texts(output);
    assert_eq!(errors, "");
    assert!(chart.contains("viewBox=\"0 0 20 200\"") && chart.contains("points=\"5,100 15,50\""), "{chart}");
    assert!(chart.trim_end().ends_with("</svg>"));
}

fn examples() -> String {
    format!("{}/examples", root!())
}

/// The output and the errors of a script, with equal ends of lines on every system.
fn texts(output: Output) -> (String, String) {
    let [out, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (out.replace("\r\n", "\n"), errors.replace("\r\n", "\n"))
}

/// Runs a script with `input`; its output. `None` if there is no Python.
fn python(name: &str, arguments: &[&str], input: &str) -> Option<String> {
    let script = format!("{}/{name}.py", examples());
    let output = python3(&[&[script.as_str()], arguments].concat(), input)?;
    let success = output.status.success();
    let (out, errors) = texts(output);
    assert!(success && errors.is_empty(), "{name}: {errors}");
    Some(out)
}

/// Runs lines of Python beside the scripts; its output and errors. It is ended after two minutes.
fn lines_of_python(lines: &str) -> Option<(String, String)> {
    let watch = "import faulthandler; faulthandler.dump_traceback_later(120, exit=True)";
    let output = python3(&["-c", &format!("{watch}\n{lines}")], "")?;
    let success = output.status.success();
    let (out, errors) = texts(output);
    assert!(success, "{out}{errors}");
    Some((out, errors))
}

#[test]
fn thousands_of_queries_may_be_sent_before_an_answer_is_read() {
    let lines = r#"
from engine import Analysis
with Analysis("--hash", 8) as engine:
    for number in range(3000):
        engine.send(id=str(number), variant="amazons6", nodes=1, speed="high")
    kept = engine.ask(action="legal_moves", variant="amazons6")
    answers = [engine.receive() for _ in range(3000)]
print(len(kept["moves"]), len({answer["id"] for answer in answers}), all("rootInfo" in answer for answer in answers))
"#;
    let Some((out, errors)) = lines_of_python(lines) else { return };
    assert_eq!(out.trim(), "544 3000 True");
    // 3,000 queries were warned of, and one answer came for each.
    assert_eq!(errors, "warning: speed: unknown or unused field\n");
}

#[test]
fn errors_of_queries_and_ends_of_engines_are_exceptions() {
    let lines = r#"
import sys
from engine import Analysis, Failure, Player, QueryError, command
with Analysis() as engine:
    engine.send(id="bad", moves=["d1d7,d7g7", "castle"])
    engine.send(id="good", nodes=1)
    for _ in range(2):
        try:
            print(engine.receive()["id"])
        except QueryError as error:
            print(error.field, "|", error)
dying = [sys.executable, "-c", "import sys; sys.stdin.readline(); sys.exit('error: no room')"]
for _ in range(2):
    with Analysis(program=dying) as engine:
        engine.name = "dying"
        try:
            engine.ask(nodes=1)
        except Failure as error:
            print(error)
mute = [sys.executable, "-c", "import time; time.sleep(100)"]
with Analysis(program=mute) as engine:
    engine.name = "mute"
    try:
        engine.ask(nodes=1, timeout=0.5)
    except Failure as error:
        print(error)
print(engine.process.poll() is not None)
with Player(command(), "amazons6") as player:
    try:
        player.best_move("9", [], "nodes 1")
    except Failure as error:
        print(str(error).partition(": ")[2])
"#;
    let Some((out, errors)) = lines_of_python(lines) else { return };
    let mut said = out.lines();
    let mut next = || said.next().unwrap_or_default();
    // In either order.
    let mut answers = [next(), next()];
    answers.sort_unstable();
    assert_eq!(answers[0], "good", "{out}{errors}");
    assert!(answers[1].starts_with("moves[1] | move 2: 'castle' is not a move"), "{out}");
    assert_eq!([next(), next()], ["dying has ended with exit code 1: no room"; 2]);
    assert_eq!(next(), "mute has not answered for 0.5 s");
    assert_eq!(next(), "True");
    assert!(next().starts_with("FEN: "), "{out}");
    assert_eq!(errors, "");
}

const GAME: &str = "startpos moves b1b4,b4c4 e6e5,e5d5 e1e4,e4e2 a5a4,a4a3\n";

#[test]
fn mistakes_of_a_game_become_exercises() {
    let folder = Folder::new("example-game");
    let file = folder.path("game.txt");
    std::fs::write(&file, GAME).unwrap();
    let arguments = ["--variant", "amazons6", "--nodes", "300", "--threads", "2"];
    let Some(output) = python("analyse_game", &[&arguments[..], &[&file]].concat(), "") else { return };
    let rows = Command::new(env!("CARGO_BIN_EXE_hippolyta"))
        .args(["review", &file, "--variant", "amazons6", "--nodes", "300", "--format", "json"])
        .output()
        .unwrap();
    let (rows, _) = texts(rows);
    let rows: Vec<serde_json::Value> = rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
    let found: Vec<_> = rows.iter().filter(|row| row["verdict"] != "").collect();
    assert!(!found.is_empty() && output.starts_with(&format!("4 turns, {} exercises\n", found.len())), "{output}");
    for row in &found {
        let text = |name: &str| row[name].as_str().unwrap();
        assert!(output.contains(&format!("\n{}\n    {} ", text("fen"), text("number"))), "{output}");
        assert!(output.contains(&format!(" played {}: {}, lost ", text("played"), text("verdict"))), "{output}");
        assert!(output.contains(&format!("    Better: {}\n", text("pv"))), "{output}");
    }
    let piped = python("analyse_game", &[&arguments[..], &["-", "--by", "cost", "--side", "black"]].concat(), GAME);
    let piped = piped.unwrap();
    assert!(!piped.contains(" White played ") && piped.starts_with("4 turns, "), "{piped}");
}

#[test]
fn bad_input_of_a_script_gets_one_line() {
    let folder = Folder::new("example-errors");
    let file = |name: &str, text: &str| {
        let path = folder.path(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let good = file("good.txt", GAME);
    let one = file("one.txt", "startpos moves d1d7,d7g7\n");
    let empty = file("empty", "\n");
    let missing = folder.path("missing");
    let unknown = format!("b=1:{}", folder.path("engine"));
    let cases: &[(&str, &[&str], &str)] = &[
        ("analyse_game", &[&missing], "missing: "),
        ("analyse_game", &[&one, "--game", "2"], "one.txt"),
        ("analyse_game", &[&empty], "empty"),
        ("play", &["--fen", "9x w"], "FEN: "),
        ("tournament", &["a=1", &unknown], "engine: "),
        ("tournament", &["a=1", "b=1", "--variant", "chess"], "unknown variant 'chess'"),
    ];
    for (name, arguments, expected) in cases {
        let script = format!("{}/{name}.py", examples());
        let Some(output) = python3(&[&[script.as_str()], *arguments].concat(), "") else { return };
        let code = output.status.code();
        let (_, errors) = texts(output);
        assert!(code == Some(1) && errors.contains(expected) && errors.lines().count() == 1, "{arguments:?}: {errors}");
    }
    for (name, arguments) in [("analyse_game", [&good, "--nodes", "0"]), ("tournament", ["a=1", "b=x", "c=1"])] {
        let script = format!("{}/{name}.py", examples());
        let output = python3(&[&[script.as_str()], &arguments[..]].concat(), "").unwrap();
        assert_eq!(output.status.code(), Some(2));
        let (_, errors) = texts(output);
        assert!(errors.starts_with("usage: ") && errors.contains("error: "), "{errors}");
    }
    for name in ["analyse_game", "draw_game", "play", "tournament"] {
        let help = python(name, &["--help"], "").unwrap();
        assert!(help.contains("python3 examples/") && help.contains("--variant"), "{help}");
    }
}

#[test]
fn a_small_tournament_is_played_to_its_end() {
    let arguments = ["--variant", "amazons6", "weak=20", "strong=1000", "--games", "2"];
    let Some(output) = python("tournament", &arguments, "") else { return };
    assert_eq!(output.lines().filter(|line| line.contains(" moves)")).count(), 2);
    let points: f64 = output
        .lines()
        .filter_map(|line| line.strip_suffix(" of 2")?.split_whitespace().nth(1)?.parse::<f64>().ok())
        .sum();
    assert_eq!(points, 2.0, "{output}");
}

/// Engines that end or fall silent in the middle of a game.
const FAULTY: &str = r#"
import os, sys, time
with open(sys.argv[2], "a") as file:
    file.write(f"{os.getpid()}\n")
for line in sys.stdin:
    word = line.split()[0]
    if word == "uci":
        print("uciok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go" and sys.argv[1] == "ends":
        sys.exit(3)
    elif word == "go":
        time.sleep(600)
"#;

#[test]
fn an_engine_that_ends_or_falls_silent_loses_the_game() {
    let folder = Folder::new("example-faulty");
    let script = folder.path("faulty.py");
    std::fs::write(&script, FAULTY).unwrap();
    for (fault, reason) in
        [("ends", "bad has ended with exit code 3"), ("hangs", "bad has not answered 'go nodes 10' within 1 s")]
    {
        let started = folder.path(fault);
        let bad = format!("bad=10:python3 -B {script} {fault} {started}");
        let Some(output) = python("tournament", &["good=10", &bad, "--timeout", "1", "--games", "2"], "") else {
            return;
        };
        assert_eq!(output.matches(reason).count(), 2, "{output}");
        assert!(output.contains("good                 2 of 2") && output.contains("bad                  0 of 2"));
        let started = std::fs::read_to_string(started).unwrap();
        assert_eq!(started.lines().count(), 2);
        for pid in started.lines() {
            assert!(!cfg!(target_os = "linux") || !std::path::Path::new(&format!("/proc/{pid}")).exists(), "{fault}");
        }
    }
}

#[test]
fn a_person_can_play() {
    let fen = "q2/3/2Q w - - 0 1";
    let input = "help\nnonsense\nmoves c1b\nback\nhint\nC1-B1/C1\nback\nc1\nc1 b1 c1\nresign\n";
    let Some(output) = python("play", &["--nodes", "200", "--fen", fen], input) else { return };
    for text in [
        "'nonsense' is none of the 29 legal moves",
        "c1b1,b1a1 c1b1,b1c1",
        "There is no move of yours to take back.",
        "legal moves begin like this; `moves c1` lists them.",
        "Perhaps c1",
        " 1  . [Q][*]",
        "Hippolyta plays a3",
        "Black has won.",
    ] {
        assert!(output.contains(text), "{text} in\n{output}");
    }
    assert_eq!(output.matches("Hippolyta plays a3").count(), 2, "{output}");
    // The end of the input is an end of the game, and a level may be chosen.
    let output = python("play", &["--elo", "300", "--side", "black", "--fen", fen], "").unwrap();
    assert!(output.contains("Hippolyta plays c1"), "{output}");
}

#[test]
fn evaluations_are_compared_with_searches() {
    let suite = concat!(root!(), "/crates/lab/src/arena/suites/amazons.epd");
    let engine = env!("CARGO_BIN_EXE_hippolyta");
    let arguments = [suite, "--engine", engine, "--engine", engine, "--positions", "4", "--nodes", "800"];
    let Some(table) = python("sibling_accuracy", &arguments, "") else { return };
    let rows: Vec<_> = table.lines().collect();
    assert_eq!(rows.len(), 4, "{table}");
    let shares = |row: &str| -> Vec<f64> {
        row.split('|').filter_map(|cell| cell.trim().split_once(" % of ")?.0.parse().ok()).collect()
    };
    // One engine stands on both sides: all four numbers are equal, and much better than chance.
    let all: Vec<_> = rows[2..].iter().flat_map(|row| shares(row)).collect();
    assert!(all.len() == 4 && all.iter().all(|share| *share == all[0] && *share > 70.0), "{table}");
}

#[test]
fn every_turn_of_the_long_games_is_legal() {
    let folder = Folder::new("games-from-starts");
    let docs = format!("{}/docs", root!());
    let long = fs::read_dir(format!("{docs}/games/long")).unwrap();
    let files: Vec<_> = long.map(|entry| entry.unwrap().path().display().to_string()).collect();
    let files: Vec<_> = files.iter().map(String::as_str).collect();
    let all = folder.path("all.jsonl");
    let mut convert = Command::new(env!("CARGO_BIN_EXE_hippolyta"));
    let output = convert.arg("convert").args(&files).args(["--out", &all]).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read_to_string(all).unwrap().lines().count(), 200 * files.len());
}

#[test]
fn starts_are_searched_once_and_images_count_as_one() {
    let folder = Folder::new("starts");
    let (file, engine) = (folder.0.join("starts.jsonl"), env!("CARGO_BIN_EXE_hippolyta"));
    let arguments = [file.to_str().unwrap(), "iago", "amazons6", "--seeds", "2", "--seconds", "0.2", "--hash", "8"];
    let arguments = [&arguments[..], &["--engine", engine, "--table"]].concat();
    let Some(table) = python("starts", &arguments, "") else { return };
    let searches = fs::read_to_string(&file).unwrap();
    assert_eq!(searches.lines().count(), 4);
    // A second run finds all of them in the file.
    assert_eq!(python("starts", &arguments, "").unwrap(), table);
    assert_eq!(fs::read_to_string(&file).unwrap(), searches);
    let of = |name: &str| -> Vec<&str> {
        let (_, rest) = table.split_once(&format!("\n`{name}`\n")).unwrap();
        rest.lines().skip(3).take_while(|line| line.starts_with("| `")).collect()
    };
    assert_eq!([of("iago").len(), of("amazons6").len()], [10, 10], "{table}");
    // Iago's start is the same when it is turned by half: of two turns that are each other's images one is there.
    let names: Vec<_> = of("iago").iter().map(|row| row.split('`').nth(1).unwrap().to_owned()).collect();
    assert!(names.iter().all(|turn| turn.starts_with("a7") || turn.starts_with("d1")), "{names:?}");
    let share = |row: &&str| -> f64 { row.split('|').nth(2).unwrap().trim().trim_end_matches(" %").parse().unwrap() };
    let sum: f64 = of("iago").iter().map(share).sum();
    assert!((50.0..100.5).contains(&sum), "{table}");
}
