//! What messages quote, and how they name what is wrong, in all commands alike.

use crate::child::{Engine, command};
use crate::common::folder::Folder;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

/// Words that only somebody who reads the code knows.
const OF_THE_CODE: [&str; 20] = [
    "struct",
    "enum",
    "tuple",
    "sequence",
    "map",
    "unit",
    "newtype",
    "untagged",
    "u8",
    "u16",
    "u32",
    "u64",
    "usize",
    "i32",
    "i64",
    "f32",
    "f64",
    "Table",
    "Decided",
    "ProblemSet",
];

/// Runs a command on a text, as standard input or as a file in place of FILE, whose name ends so.
fn run(words: &str, ending: &str, text: &[u8]) -> (String, String) {
    let folder = Folder::new(&format!("words-{:?}", std::thread::current().id()).replace(['(', ')'], ""));
    let file = folder.path(&format!("file.{ending}"));
    fs::write(&file, text).unwrap();
    let words = words.split(' ').map(|word| word.replace("FILE", &file).replace("FOLDER", &folder.path("")));
    let mut command = Command::new(env!("CARGO_BIN_EXE_hippolyta"));
    let mut child =
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It may end before it has read all of it.
    let _ = child.stdin.take().unwrap().write_all(text);
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn no_message_has_names_of_the_code() {
    let hand_out = "match --engine cmd=self name=a --engine cmd=self name=b --each nodes=5 --games 2 --out FOLDER/run \
                    --hand-out";
    let solve = "solve --fen 1qq1/q2q/Q2Q/1QQ1 --out FOLDER/run --hand-out";
    let engines = "match --engines FILE --each nodes=5 --games 2";
    let objects: &[&str] = &["[]", "[1,2]", "5", "null", "\"x\"", "{\"x\":[]}", "{"];
    for (words, ending, texts) in [
        (
            "rules check FILE",
            "toml",
            &[
                "a=5",
                "[[a]]",
                "[a]\nmoves=5",
                "[a]\nrim-barred=[]",
                "[a]\nstart={}",
                "[a]\npasses=\"x\"",
                "[a]\nleaves=\"x\"",
                "[a]\nx=1",
                "a",
                "[a",
            ][..],
        ),
        ("rules check FILE", "ini", &["[a]\nmaxRank=x", "a", "[a"]),
        ("problems list --file FILE", "json", objects),
        (
            "problems list --file FILE",
            "json",
            &["{\"format\":5}", "{\"format\":\"x\",\"levels\":5}", "{\"problems\":{}}"],
        ),
        ("blunders test FILE", "jsonl", objects),
        ("blunders test FILE", "jsonl", &["{\"variant\":5}", "{\"variant\":\"amazons\",\"fen\":[]}"]),
        (engines, "json", objects),
        (engines, "json", &["[5]", "[{\"name\":[]}]", "[{\"name\":\"a\",\"command\":\"b\",\"options\":[5]}]"]),
        (engines, "toml", &["a=5", "[a]\ncmd=[]", "[a]\noption=5", "[a"]),
        ("convert FILE --out - --to pgn", "jsonl", &objects[1..]),
        (
            "convert FILE --out - --to pgn",
            "jsonl",
            &["{\"moves\":5}", "{\"moves\":[5]}", "{\"variant\":[],\"moves\":[]}"],
        ),
        ("solve --task", "json", objects),
        ("design --task", "json", objects),
        (solve, "json", objects),
        (hand_out, "json", objects),
        (hand_out, "json", &["{\"want\":-1}", "{\"want\":\"x\"}", "{\"done\":1}"]),
        (
            "analyse",
            "jsonl",
            &[
                "{\"id\":5}",
                "{\"id\":\"a\",\"nodes\":\"x\"}",
                "{\"id\":\"a\",\"clock\":5}",
                "{\"id\":\"a\",\"moves\":{}}",
                "{\"id\":\"a\",\"action\":\"perft\"}",
                "{\"id\":\"a\",\"action\":\"sing\"}",
                "{\"id\":\"a\",\"includeStones\":1}",
                "{\"id\":\"a\",\"action\":\"review\",\"positions\":[5]}",
                "{\"id\":\"a\",\"rules\":\"a=5\"}",
                "{\"id\":\"a\",\"fen\":[]}",
                "{\"id\":\"a\",\"action\":[]}",
            ],
        ),
    ] {
        for text in texts {
            let (said, errors) = run(words.trim(), ending, text.as_bytes());
            let all = if words == "analyse" { &said } else { &errors };
            assert!(!all.is_empty(), "{words}, {text}");
            let known: Vec<_> = all.split(|sign: char| !sign.is_alphanumeric()).collect();
            let bad = OF_THE_CODE.iter().find(|&&word| known.contains(&word));
            assert!(bad.is_none() && !all.contains('`'), "{words}, {text}: {bad:?} in {all}");
        }
    }
}

#[test]
fn a_byte_order_mark_stands_before_no_work() {
    let folder = Folder::new("words-mark");
    let mut order = String::new();
    for words in [
        vec!["solve", "--fen", "1qq1/q2q/Q2Q/1QQ1", "--out", &folder.path("solve"), "--hand-out"],
        vec![
            "match",
            "--variant",
            "amazons6",
            "--engine",
            "cmd=self",
            "name=a",
            "--engine",
            "cmd=self",
            "name=b",
            "--each",
            "nodes=5",
            "--games",
            "2",
            "--out",
            &folder.path("match"),
            "--hand-out",
        ],
    ] {
        let mut engine = Engine::start_with(&words);
        engine.send_bytes("\u{feff}{\"want\":1}\r\n".as_bytes());
        let task = engine.until("{\"cores\":").pop().unwrap();
        let task: serde_json::Value = serde_json::from_str(&task).unwrap();
        if words[0] == "solve" {
            order = task["order"].to_string();
        }
        engine.close_input();
        engine.end();
    }
    let (found, errors) = run("solve --task", "json", format!("\u{feff}{order}").as_bytes());
    assert!(found.starts_with('{') && errors.is_empty(), "{found} {errors}");
    let utf_16: Vec<u8> = format!("\u{feff}{order}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(run("solve --task", "json", &utf_16).1.contains("this is UTF-16; save it as UTF-8"));
}

/// Whether a terminal obeys nothing in a text but the ends of its lines, and none of them is long.
fn is_harmless(text: &str) -> bool {
    let hidden = |sign| sign != '\n' && hippolyta::words::is_hidden(sign);
    !text.contains(hidden) && text.lines().all(|line| line.len() < 1_500)
}

#[test]
fn a_terminal_obeys_nothing_that_others_wrote() {
    let bad = "\u{1b}[2J\u{7}\u{202e}\u{85}";
    let long = "x".repeat(1 << 20);
    let toml_bad = r"\u001b[2J\u0007\u202e\nhippolyta: all is well";
    let rules = format!("[a]\ntitle=\"{toml_bad}\"\ndescription=\"{toml_bad}\"\nlike=\"amazons6\"\n");
    let key = format!("[a]\n\"{toml_bad}\"=1\n");
    let pgn = format!("[White \"{bad}\"]\n[Variant \"{bad}{long}\"]\n\n1. b1b4,b4c4 {bad}{long} *\n");
    let record = |name: &str| format!("{{\"{name}\":\"{toml_bad}{long}\",\"moves\":[\"b1b4,b4c4\"]}}");
    let problems = format!("{{\"format\":\"{toml_bad}{long}\",\"tries\":1,\"levels\":{{}},\"problems\":[]}}");
    let engines = format!("[\"{toml_bad}\"]\ncmd=\"{toml_bad}{long}\"\nname=\"{toml_bad}{long}\"\n");
    for (words, ending, text) in [
        ("rules check FILE", "toml", rules.clone()),
        ("rules check FILE", "toml", key),
        ("rules check FILE", "toml", format!("[a]\nmoves=\"{toml_bad}{long}\"\n")),
        ("rules check FILE", "toml", format!("[a]\nstart=\"{toml_bad}{long}\"\n")),
        ("rules check FILE", "toml", format!("[a]\nlike=\"{toml_bad}{long}\"\n")),
        ("rules check FILE", "toml", format!("[a]\n{long}=1\n")),
        ("rules check FILE", "ini", format!("[{bad}{long}:chess]\n{bad}=1\n{bad}\n")),
        ("legal --rules FILE", "toml", rules),
        ("convert FILE --out FOLDER/out.sgf --max-errors 1", "pgn", pgn.clone()),
        ("review FILE --nodes 5", "pgn", pgn.clone()),
        ("explorer FILE --out FOLDER/out.json", "pgn", pgn),
        ("convert FILE --out FOLDER/out.sgf", "jsonl", record("variant")),
        ("convert FILE --out FOLDER/out.sgf", "jsonl", record("fen")),
        ("convert FILE --out FOLDER/out.sgf", "jsonl", record("reason")),
        ("convert FILE --out FOLDER/out.sgf", "jsonl", record("format")),
        ("problems list --file FILE", "json", problems),
        ("match --engines FILE --engines FILE --each nodes=5 --games 2", "toml", engines),
        ("analyse FILE --format table", "txt", format!("{bad}{long}\n")),
    ] {
        let (said, errors) = run(words, ending, text.as_bytes());
        let shown = |text: &str| text.chars().take(3_000).collect::<String>();
        assert!(is_harmless(&said) && is_harmless(&errors), "{words}: {:?} {:?}", shown(&said), shown(&errors));
        assert!(!errors.contains("\nhippolyta: all is well"), "{words}: {:?}", shown(&errors));
    }
    let name = format!("{bad}{}", "x".repeat(5_000));
    for words in [
        &["legal", "--variant", &name][..],
        &["legal", "--fen", &name],
        &["legal", &name],
        &["convert", &name, "--out", "-"],
    ] {
        let (said, errors, code) = command(words);
        assert!(code != 0 && is_harmless(&said) && is_harmless(&errors), "{words:?}: {errors:?}");
    }
    // Protocols.
    let lines = format!("{bad}{long}\nposition fen {bad}{long}\nsetoption name {bad}{long} value 1\nuci\nquit\n");
    let mut engine = Engine::start();
    engine.send_bytes(lines.as_bytes());
    let (said, _) = engine.end();
    assert!(said.iter().all(|line| is_harmless(line)), "{said:?}");
    let mut engine = Engine::start_with(&["gtp"]);
    engine.send_bytes(format!("{bad}{long}\nplay {bad} {long}\nhippolyta-settings {long} 1\nquit\n").as_bytes());
    let (said, _) = engine.end();
    assert!(said.iter().all(|line| is_harmless(line)), "{said:?}");
}
