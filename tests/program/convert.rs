//! Records in PGN, SGF and JSON lines, in and out.

use crate::child::command;
use crate::common::folder::Folder;
use crate::common::leave_out;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

fn vectors(name: &str) -> String {
    format!("{}/tests/vectors/records/{name}", root!())
}

fn convert(arguments: &[&str]) -> (String, i32) {
    let (output, errors, code) = command(&[&["convert"], arguments].concat());
    assert_eq!(output, "", "{arguments:?}");
    (errors, code)
}

fn converted(folder: &Folder, input: &str, name: &str) -> String {
    let out = folder.path(name);
    assert_eq!(convert(&[input, "--out", &out, "--force"]), (String::new(), 0), "{input} {name}");
    fs::read_to_string(out).unwrap()
}

#[test]
fn examples_of_the_page_on_records_are_written_as_they_are_read() {
    let page = fs::read_to_string(concat!(root!(), "/docs/records.md")).unwrap();
    let folder = Folder::new("convert-page");
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (language, format) in [("text", "pgn"), ("json", "jsonl")] {
        let shown = page.split(&format!("```{language}\n")).nth(1).unwrap().split("\n```").next().unwrap();
        let input = folder.path(&format!("shown.{format}"));
        fs::write(&input, shown).unwrap();
        let written = converted(&folder, &input, &format!("written.{format}"));
        assert!(words(&written).contains(&words(shown)), "{shown}\n{written}");
    }
}

/// Three games in other spellings than ours: one with variations, one of Damone, one from a position.
#[test]
fn every_format_says_all_of_a_game() {
    let folder = Folder::new("convert");
    let formats = ["pgn", "sgf", "jsonl"];
    let first = formats.map(|format| converted(&folder, &vectors("input.pgn"), &format!("first.{format}")));
    for from in formats {
        for (to, expected) in formats.iter().zip(&first) {
            let written = converted(&folder, &folder.path(&format!("first.{from}")), &format!("again.{to}"));
            assert_eq!(written, *expected, "from {from} to {to}");
        }
    }
    assert!(
        first[0].contains("(1... e6e3,e3c3\n{better} 2. e1e2,e2e1) (1... e6e4,e4d4 ;to the } end\n)"),
        "{}",
        first[0]
    );
    assert!(
        first[1].contains(";B[bfbccc]V[0.35]BL[58.000]HN[+0.35/7 1.500s, tl=58.000s, n=900]C[well]"),
        "{}",
        first[1]
    );
    assert!(
        first[2].contains(r#"{"move":"e6e5,e5d5","time_us":120000,"score":{"mate":-12},"depth":9}"#),
        "{}",
        first[2]
    );
}

#[test]
fn a_match_is_converted_and_its_games_are_openings() {
    let folder = Folder::new("convert-match");
    let out = folder.path("results");
    let line =
        "match --engine cmd=self name=a --engine cmd=self name=b --each nodes=100 --variant amazons6 --games 2 --out";
    let words: Vec<_> = line.split(' ').chain([out.as_str()]).collect();
    let (_, errors, code) = command(&words);
    assert_eq!((code, errors.as_str()), (0, ""));
    let [lines, text] = ["games.jsonl", "games.pgn"].map(|name| format!("{out}/{name}"));
    let games: Vec<Value> =
        fs::read_to_string(&lines).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for input in [&lines, &text] {
        let jsonl = converted(&folder, input, "again.jsonl");
        let again: Vec<Value> = jsonl.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(again.len(), 2);
        for (old, new) in games.iter().zip(&again) {
            for field in ["game", "variant", "fen", "white", "black", "result", "reason", "detail", "final_fen"] {
                assert_eq!(old[field], new[field], "{field}");
            }
            let turns = |game: &Value| -> Vec<(Value, Value, Value)> {
                let moves = game["moves"].as_array().unwrap().iter();
                moves.map(|turn| (turn["move"].clone(), turn["score"].clone(), turn["depth"].clone())).collect()
            };
            assert_eq!(turns(old), turns(new));
        }
    }
    for ending in ["jsonl", "pgn", "sgf"] {
        let book = folder.path(&format!("book.{ending}"));
        converted(&folder, &lines, &format!("book.{ending}"));
        let line = format!(
            "match --engine cmd=self name=a --engine cmd=self name=b --each nodes=10 --variant amazons6 --openings \
             file={book} plies=3 --out {}",
            folder.path(ending)
        );
        let (_, errors, code) = command(&line.split_whitespace().collect::<Vec<_>>());
        assert_eq!((code, errors.as_str()), (0, ""), "{ending}");
        let played = fs::read_to_string(folder.path(&format!("{ending}/games.jsonl"))).unwrap();
        let game: Value = serde_json::from_str(played.lines().next().unwrap()).unwrap();
        for index in 0..3 {
            assert_eq!(game["moves"][index]["move"], games[0]["moves"][index]["move"]);
        }
        assert_eq!((&game["moves"][2]["book"], &game["moves"][3]["book"]), (&Value::Bool(true), &Value::Null));
    }
}

#[test]
fn damaged_games_are_named_and_the_others_written() {
    let folder = Folder::new("convert-damage");
    let (bad, out) = (folder.path("bad.pgn"), folder.path("out.sgf"));
    let good = "[Event \"good\"]\n\n1. d1d7,d7g7 *\n\n";
    fs::write(&bad, format!("{good}[Event \"bad\"]\n\n1. d1d7,d7g7\n  d1d2,d2d1 *\n\n{good}[Event \"bad\"]\n\n{{\n"))
        .unwrap();
    let (errors, code) = convert(&[&bad, "--out", &out]);
    let lines: Vec<_> = errors.lines().collect();
    assert_eq!((code, lines.len()), (1, 3), "{errors}");
    assert!(lines[0].starts_with(&format!("hippolyta: {bad}:8:3: game 2: illegal move 'd1d2,d2d1'")), "{errors}");
    let none = "game 4: a comment { has no end }; the game is left out";
    assert_eq!(lines[1], format!("hippolyta: {bad}:16:1: {none}"));
    assert_eq!(lines[2], "hippolyta: 3 games, 1 warning, 1 damaged game left out");
    assert_eq!(fs::read_to_string(&out).unwrap().matches("(;FF[4]GM[18]").count(), 3);
    let other = folder.path("other.sgf");
    fs::write(&other, "(;GM[1];B[aa])(;GM[18];B[djddgd])").unwrap();
    for (arguments, error) in [
        (vec![bad.as_str(), "--out", &out], "exists already; --force writes over it"),
        (
            vec![&bad, "--out", "x.txt"],
            "--out: x.txt: the name does not end in .pgn, .pdn, .sgf, .jsonl or .fen; give --to",
        ),
        (vec!["-", "--out", "x.sgf"], "standard input: there is no game"),
        (vec![folder.path("").as_str(), "--out", "x.sgf"], "is a folder; give files in it"),
        (vec!["missing.pgn", "--out", "x.sgf"], "missing.pgn: "),
        (vec![&other, "--out", "x.sgf", "--max-errors", "1"], "1 damaged games: --max-errors ends it"),
    ] {
        let (errors, code) = convert(&arguments);
        assert!(code == 1 && errors.contains(error), "{arguments:?}: {errors}");
    }
    assert!(!PathBuf::from("x.sgf").exists());
}

/// Every command that reads games says what is lost in the same words, keeps what is read, and ends with 1.
#[test]
fn what_is_lost_of_a_game_is_the_same_for_every_command() {
    let folder = Folder::new("convert-lost");
    let known = "1. d1d7,d7g7 a7d4,d4a7";
    let ends = "it and what follows it are left out";
    let none = "the game is left out";
    let illegal = "illegal move 'a1a2,a2a3'";
    for (name, text, turns, said) in [
        (
            "cut.pgn",
            format!("{known} 2. Zc4,c10 g1g2,g2g3 1-0\n"),
            2,
            format!("1:27: game 1: 'Zc4,c10' is not a turn; {ends}"),
        ),
        ("bare.txt", format!("{known} 2. a1a2,a2a3 1-0\n"), 2, format!("1:27: game 1: {illegal}")),
        (
            "chess.pgn",
            "[Event \"x\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n".into(),
            0,
            format!("1:1: game 1: this is chess, which is none of the games here; {none}"),
        ),
        ("behind.pgn", "1-0 (1. c1c2,c2c3)\n".into(), 0, format!("1:5: game 1: a variation ( before any turn; {none}")),
        ("cut.sgf", "(;GM[18]RE[B+R];B[djddgd];W[dada])".into(), 1, "1:27: game 1: 'dada' is not a turn".into()),
        ("cut.jsonl", "{\"moves\":[\"d1d7,d7g7\",\"Qc4\"],\"result\":\"1-0\"}\n".into(), 1, "1:24: game 1: ".into()),
        ("empty.pgn", "\n".into(), 0, "there is no game".into()),
    ] {
        let path = folder.path(name);
        fs::write(&path, text).unwrap();
        let (out, counts) = (folder.path("out.jsonl"), folder.path("counts.json"));
        let first = |errors: &str| errors.lines().next().unwrap_or_default().to_owned();
        let outside = ["empty.pgn"].contains(&name);
        let line = if outside { format!("hippolyta: {path}: {said}") } else { format!("hippolyta: {path}:{said}") };
        for command_line in [
            &["convert", &path, "--out", &out, "--force"][..],
            &["review", &path, "--nodes", "10", "--format", "csv"],
            &["analyse", &path, "--nodes", "5", "--format", "csv"],
            &["explorer", &path, "--out", &counts, "--force"],
        ] {
            let (output, errors, code) = command(command_line);
            assert!(code == 1 && first(&errors).starts_with(&line), "{command_line:?}: {code} {errors}\n{line}");
            // Behind the names of the columns. Analyses have a row for each position, and one for a game that is none.
            let rows = output.lines().count().saturating_sub(1);
            match command_line[0] {
                "review" => assert_eq!(rows, turns, "{name}: {output}"),
                "analyse" if turns > 0 => assert_eq!(rows, turns + 1, "{name}: {output}"),
                _ => {}
            }
        }
        let counted = fs::read_to_string(&counts).unwrap_or_default();
        assert_eq!(command(&["explorer", &path, "--out", "-"]).0, counted, "{name}");
        for made in [&out, &counts] {
            assert_eq!(fs::remove_file(made).is_ok(), turns > 0, "{name}: {made}");
        }
        let game = format!(
            "match --engine cmd=self name=a --engine cmd=self name=b --each nodes=1 --games 2 --openings file={path}"
        );
        let farm = format!(
            "fastchess -engine cmd=self name=a nodes=1 -engine cmd=self name=b nodes=1 -rounds 1 -openings file={path} \
             format={}",
            path.rsplit('.').next().unwrap().replace("txt", "pgn")
        );
        for line in [game, farm] {
            let (_, errors, code) = command(&line.split(' ').collect::<Vec<_>>());
            let expected = if outside { "no opening" } else { said.split(';').next().unwrap() };
            assert!(code != 0 && errors.contains(expected), "{line}: {errors}");
        }
    }
}

/// A Python in which `chess` and `sgfmill` are installed: the usual one, or in CI one of our own. `None` elsewhere.
fn python() -> Option<PathBuf> {
    let has = |python: &PathBuf| {
        let tried = Command::new(python).args(["-c", "import chess.pgn, sgfmill.sgf"]).output();
        tried.is_ok_and(|output| output.status.success())
    };
    let usual = PathBuf::from(std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into()));
    if has(&usual) {
        return Some(usual);
    }
    if std::env::var_os("CI").is_none_or(|ci| ci != "true") {
        leave_out("there is no Python with chess and sgfmill");
        return None;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("records-python");
    let run = |program: &PathBuf, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    run(&usual, &["-m", "venv", &folder.display().to_string()]);
    let own = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    run(&own, &["-m", "pip", "install", "--quiet", "chess==1.11.2", "sgfmill==1.1.1"]);
    Some(own)
}

/// Files that others wrote with this version must mean the same later, and what is written must not change unseen.
#[test]
fn what_is_written_is_what_it_was() {
    let folder = Folder::new("convert-golden");
    for name in ["written.pgn", "written.sgf"] {
        let golden = fs::read_to_string(vectors(name)).unwrap();
        for input in ["input.pgn", name] {
            assert_eq!(converted(&folder, &vectors(input), name), golden, "{input}");
        }
    }
}

#[test]
fn python_chess_and_sgfmill_read_what_is_written() {
    let Some(python) = python() else { return };
    let folder = Folder::new("convert-python");
    // sgfmill reads one game.
    converted(&folder, &vectors("input.pgn"), "games.pgn");
    let text = converted(&folder, &vectors("input.pgn"), "games.jsonl");
    let first = folder.path("first.jsonl");
    fs::write(&first, text.lines().next().unwrap()).unwrap();
    converted(&folder, &first, "first.sgf");
    let script = format!("{}/tests/program/read_records.py", root!());
    let output =
        Command::new(python).args(["-B", &script, &folder.path("games.pgn"), &folder.path("first.sgf")]).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let games = found["pgn"].as_array().unwrap();
    assert_eq!(games.len(), 3);
    assert_eq!(games[0]["headers"]["White"], "Ann");
    assert_eq!(games[0]["headers"]["TimeControl"], "60+1");
    assert_eq!((&games[0]["variations"], &games[0]["comments"][0]), (&Value::from(2), &Value::from("first")));
    assert_eq!(games[1]["headers"]["Variant"], "damone");
    let root = &found["sgf"];
    assert_eq!((&found["size"], &root["properties"]["GM"][0]), (&Value::from(6), &Value::from("18")));
    assert_eq!((&root["properties"]["PB"][0], &root["comment"]), (&Value::from("Ann"), &Value::from("first")));
    let node = &root["children"][0];
    assert_eq!(node["properties"]["B"][0], "bfbccc");
    assert_eq!(node["properties"]["V"][0], "0.35");
    assert_eq!(node["children"].as_array().unwrap().len(), 3);
}

#[test]
#[cfg(unix)]
fn a_file_that_is_written_over_keeps_its_mode_and_a_link_stays_one() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("convert-modes");
    let (game, out) = (folder.path("game.pgn"), folder.path("out.jsonl"));
    fs::write(&game, "[Variant \"amazons6\"]\n[Result \"*\"]\n\n1. a2d5,d5e4 *\n").unwrap();
    let convert = |to: &str| command(&["convert", &game, "--out", to, "--force"]);
    fs::write(&out, "old").unwrap();
    fs::set_permissions(&out, fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(convert(&out).2, 0);
    assert_eq!(fs::metadata(&out).unwrap().permissions().mode() & 0o777, 0o600);
    let text = fs::read_to_string(&out).unwrap();
    assert_eq!(text.lines().count(), 1);
    for (link, to) in [("to-file.jsonl", "out.jsonl"), ("dangling.jsonl", "new.jsonl")] {
        let link = folder.path(link);
        symlink(to, &link).unwrap();
        let (output, errors, code) = convert(&link);
        assert_eq!((code, errors.as_str()), (0, ""), "{output}");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(folder.path(to)).unwrap(), text);
    }
    symlink("circle.jsonl", folder.path("circle.jsonl")).unwrap();
    fs::create_dir(folder.path("folder.jsonl")).unwrap();
    for (name, message) in [("circle.jsonl", "links in a circle"), ("folder.jsonl", "folder.jsonl is a folder")] {
        let (output, errors, code) = convert(&folder.path(name));
        assert_eq!((output.as_str(), code, errors.lines().count()), ("", 1, 1), "{errors}");
        assert!(errors.contains(message), "{errors}");
    }
}
