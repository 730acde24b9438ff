//! The examples do what they say. Those in Python run where there is a `python3`.

use crate::common::folder::Folder;
use crate::common::tiny::Tiny;
use hippolyta::search::Score;
use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use std::process::{Command, Stdio};

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

/// Runs a script with `input`; its output. `None` if there is no Python.
fn python(name: &str, arguments: &[&str], input: &str) -> Option<String> {
    let script = format!("{}/examples/{name}.py", env!("CARGO_MANIFEST_DIR"));
    let child = Command::new("python3")
        .arg("-B")
        .arg(script)
        .args(arguments)
        .env("HIPPOLYTA", env!("CARGO_BIN_EXE_hippolyta"))
        .env("PYTHONIOENCODING", "utf-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => {
            eprintln!("{name}: not run, as there is no python3: {error}");
            return None;
        }
    };
    // A script need not read all of it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && errors.is_empty(), "{name}: {errors}");
    Some(String::from_utf8(output.stdout).unwrap())
}

const GAME: &str = "startpos moves b1b4,b4c4 e6e5,e5d5 e1e4,e4e2 a5a4,a4a3\n";

#[test]
fn a_game_is_analysed_move_by_move() {
    let folder = Folder::new("example-game");
    let file = folder.path("game.txt");
    std::fs::write(&file, GAME).unwrap();
    let arguments = ["--variant", "amazons6", "--nodes", "2000", "--jobs", "2", &file];
    let Some(output) = python("analyse_game", &arguments, "") else { return };
    for text in ["1. b1b4,b4c4", "1… e6e5,e5d5", "2… a5a4,a4a3", "accuracy", "white       2", "black       2"] {
        assert!(output.contains(text), "{text} in\n{output}");
    }
}

#[test]
fn a_game_is_drawn_with_its_curve() {
    let folder = Folder::new("example-svg");
    let record = r#"{"game":0,"opening":0,"variant":"damone","fen":"i1d1p3/3p4/d1p5/1p5P/p5P1/5P1D/4P3/3P1D1I w - - 0 1","white":"a","black":"b","moves":[{"move":"f1g2"}],"result":"1-0","reason":"rules","detail":"","final_fen":""}"#;
    for (name, text, arguments, polygons) in
        [("game.txt", GAME, &["--variant", "amazons6", "--move", "2"][..], 1), ("games.jsonl", record, &[], 1)]
    {
        let file = folder.path(name);
        std::fs::write(&file, text).unwrap();
        let arguments = [arguments, &["--nodes", "500", &file]].concat();
        let Some(output) = python("draw_game", &arguments, "") else { return };
        assert!(output.starts_with("<svg") && output.trim_end().ends_with("</svg>"));
        assert_eq!(output.matches("<polygon").count(), polygons);
        assert!(output.contains("after move "));
    }
}

/// A file of the repository, with no more than one space between words.
fn words(path: &str) -> String {
    let text = std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The texts between quotes that are data of an SVG path.
fn paths(text: &str) -> BTreeSet<String> {
    let is_path = |part: &&str| part.strip_prefix('M').is_some_and(|rest| rest.starts_with(['-', '0', '1', '2']));
    text.split(['"', '\'', '`']).filter(is_path).map(|part| part.replace('$', "")).collect()
}

/// The rules of a style sheet.
fn rules(text: &str) -> BTreeSet<&str> {
    let rules = text.split_inclusive('}').map(|rule| rule.rsplit("*/").next().unwrap().trim());
    rules.filter(|rule| !rule.is_empty()).collect()
}

#[test]
fn drawings_of_games_look_like_the_page() {
    let script = words("examples/draw_game.py");
    let figures = words("web/src/board/pieces.tsx");
    let marks = words("web/src/analysis/MarksLayer.tsx");
    let drawn = paths(&script);
    assert!(drawn.len() > 10);
    assert_eq!(drawn, &paths(&figures) | &paths(&marks));
    for attribute in figures.split([' ', '>']).filter(|word| word.contains("=\"") && word.ends_with('"')) {
        if attribute.contains(|letter: char| letter.is_ascii_digit()) {
            assert!(script.contains(attribute), "{attribute}");
        }
    }
    let discs: Vec<_> = figures.split("<Disc y={").skip(1).filter_map(|rest| rest.split_once(" ring")).collect();
    assert_eq!(discs.len(), 4);
    for (numbers, rest) in discs {
        let ring = if rest.starts_with("={false}") { "False" } else { "True" };
        let call = format!("disc({}, ring={ring})", numbers.replace("} thick={", ", ").trim_end_matches('}'));
        assert!(script.contains(&call), "{call}");
    }
    let transform = "translate(0 1) scale(0.98)";
    assert!(script.contains(transform) && figures.contains(transform));

    let [tokens, board, analysis] =
        ["tokens", "board", "analysis"].map(|name| words(&format!("web/src/styles/{name}.css")));
    let (_, rest) = script.split_once("COLOURS = { ").unwrap();
    let (colours, rest) = rest.split_once(", } RULES = \"\"\" ").unwrap();
    let (copied, _) = rest.split_once("\"\"\"").unwrap();
    for colour in colours.split(", \"") {
        let (name, value) = colour.trim_matches('"').split_once("\": \"").unwrap();
        let said = [format!("{name}: {value};"), format!("{name}: light-dark({value}, ")];
        assert!(said.iter().any(|text| tokens.contains(text) || analysis.contains(text)), "{name}: {value}");
    }
    let (copied, board) = (rules(copied), rules(&board));
    let known = &board | &rules(&analysis);
    assert_eq!(copied.difference(&known).collect::<Vec<_>>(), Vec::<&&str>::new());
    let layers = [".ground", ".coordinates", ".last", ".piece", ".burnt"];
    let missing = board.difference(&copied).filter(|rule| layers.iter().any(|layer| rule.starts_with(layer)));
    assert_eq!(missing.collect::<Vec<_>>(), Vec::<&&str>::new());
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

#[test]
fn a_person_can_play() {
    let fen = "q2/3/2Q w - - 0 1";
    let input = "nonsense\nmoves c1b\nhint\nc1b1,b1c1\nback\nquit\n";
    let Some(output) = python("play", &["--nodes", "200", "--fen", fen], input) else { return };
    assert!(output.contains("'nonsense' is none of the 29 legal moves"), "{output}");
    assert!(output.contains("c1b1,b1a1 c1b1,b1c1"), "{output}");
    assert!(output.contains("Perhaps c1") && output.contains("Hippolyta plays a3"), "{output}");
}
