//! Matches, proofs and searches for rules whose tasks others do, who may be wrong, of another version, or gone.

use crate::child::command;
use crate::common::folder::Folder;
use hippolyta::container::Seal;
use hippolyta_lab::proving::Order;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

const LOST: &str = "1qq1/q2q/Q2Q/1QQ1 w";

fn start(words: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hippolyta"));
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// A command that hands out tasks, with what `answer` says to each, and nothing after the last task that it answers. Its
/// lines for people, standard error and exit code.
fn hand_out(words: &[&str], mut answer: impl FnMut(u64, &Value) -> Option<String>) -> (String, String, i32) {
    let mut child = start(&[words, &["--hand-out"]].concat());
    let mut errors = child.stderr.take().unwrap();
    let errors = std::thread::spawn(move || {
        let mut text = String::new();
        errors.read_to_string(&mut text).map(|_| text).unwrap()
    });
    let mut input = child.stdin.take();
    let mut said = String::new();
    // Lines end as on Windows.
    input.as_mut().unwrap().write_all(b"{\"want\":3}\r\n").unwrap();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let line: Value = serde_json::from_str(&line.unwrap()).unwrap();
        if let Some(text) = line["say"].as_str() {
            said += &format!("{text}\n");
        } else if let Some(number) = line["task"].as_u64() {
            match answer(number, &line["order"]) {
                // It may have ended.
                Some(text) => _ = input.as_mut().map(|input| input.write_all(text.as_bytes())),
                None => input = None,
            }
        }
    }
    drop(input);
    let code = child.wait().unwrap().code().unwrap();
    (said, errors.join().unwrap(), code)
}

/// What `--task` prints, or its errors.
fn task(command: &str, order: &Value) -> Result<Value, String> {
    let mut child = start(&[command, "--task"]);
    child.stdin.take().unwrap().write_all(order.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    if output.status.success() {
        Ok(serde_json::from_slice(&output.stdout).unwrap())
    } else {
        Err(String::from_utf8(output.stderr).unwrap())
    }
}

/// As `solve --task`, without a process.
fn searched(order: &Value) -> Value {
    let mut order = order.clone();
    let program = order.as_object_mut().unwrap().remove("program").unwrap();
    let order: Order = serde_json::from_value(order).unwrap();
    let mut found = serde_json::to_value(order.search(&Default::default()).unwrap()).unwrap();
    found["program"] = program;
    found
}

fn done(number: u64, result: &Value, worker: &str) -> String {
    json!({"done": number, "result": result, "worker": worker}).to_string() + "\r\n"
}

#[test]
fn a_proof_is_right_whatever_some_of_those_say_who_search_it() {
    let folder = Folder::new("solve-false");
    let out = folder.path("run");
    let words = ["solve", "--fen", LOST, "--slice", "1000", "--hash", "16", "--out", &out];
    let (said, errors, code) = hand_out(&words, |number, order| {
        if number == 0 {
            // In a process of its own, and with the version of another one.
            let mut found = task("solve", order).unwrap();
            found["program"] = "hippolyta 0.0.1".into();
            return Some(done(number, &found, "old") + "\nnonsense\n{\"want\":\"much\"}\n\u{1}\n");
        }
        let mut found = searched(order);
        if number % 3 == 1 {
            found["numbers"] = json!([1 << 30, 0]);
            return Some(done(number, &found, "mallory"));
        }
        Some(done(number, &found, "alice").repeat(2))
    });
    assert!(code == 0 && said.contains("the side to move loses\n"), "{code}: {said}{errors}");
    let version = concat!("it is of hippolyta 0.0.1, and this is hippolyta ", env!("CARGO_PKG_VERSION"));
    for expected in
        [version, "line 3: neither {\"want\":N}", "line 6: neither", "is not out; its result is passed over"]
    {
        assert!(errors.contains(expected), "{expected}: {errors}");
    }
    assert!(errors.contains("worker 'mallory' says that ") && !errors.contains("'alice'"), "{errors}");
    // The folder holds nothing that is not so.
    let (_, errors, code) = command(&["solve", "--out", &out, "--proof", &folder.path("a.proof")]);
    assert_eq!((errors.lines().count(), code), (1, 0), "{errors}");
}

#[test]
fn the_end_of_the_input_before_the_end_of_a_run_is_an_error() {
    let folder = Folder::new("input-ends");
    let out = folder.path("run");
    let (said, errors, code) = hand_out(&["solve", "--fen", LOST, "--out", &out], |_, _| None);
    assert_eq!((said.as_str(), code), ("", 1));
    assert_eq!(errors, "hippolyta: standard input has ended, and who wins is not known; the same command goes on\n");
    let out = folder.path("match");
    let words = ["match", "--engine", "cmd=self", "name=a", "--engine", "cmd=self", "name=b", "--each", "nodes=3"];
    let words = [&words[..], &["--variant", "amazons6", "--games", "2", "--out", &out]].concat();
    let (_, errors, code) = hand_out(&words, |_, _| None);
    assert_eq!(code, 1);
    assert_eq!(
        errors,
        "hippolyta: standard input has ended before the match; the same command with --resume goes on\n"
    );
}

#[test]
fn variations_that_others_judge_have_the_bytes_of_one_process() {
    let folder = Folder::new("design-others");
    let words = ["design", "--fen", "1qq1/4/4/1QQ1 w", "--vary=stuck,moves", "--nodes=6", "--games=18", "--rounds=2"];
    let words = [&words[..], &["--learn=40", "--list=7"]].concat();
    let [one, two] = ["one.json", "two.json"].map(|name| folder.path(name));
    let (expected, remarks, code) = command(&[&words[..], &["--out", &one]].concat());
    assert_eq!(code, 0, "{remarks}");
    let two = [&words[..], &["--out", &two]].concat();
    // They are gone after the fifth task, and later the second ones to play tell what the first ones have found.
    let (_, errors, code) =
        hand_out(&two, |number, order| (number < 5).then(|| done(number, &task("design", order).unwrap(), "")));
    assert_eq!(code, 1, "{errors}");
    let end = "hippolyta: standard input has ended before the search; the same command with --resume goes on";
    assert_eq!(errors.lines().last(), Some(end));
    let mut told = Vec::new();
    let resumed = [&two[..], &["--resume"]].concat();
    let (said, errors, code) = hand_out(&resumed, |number, order| {
        let mut found = task("design", order).unwrap();
        if found["played"].is_array() {
            told.push(found.clone());
            found = if told.len() == 2 { told[0].clone() } else { found };
        }
        Some(done(number, &found, ""))
    });
    assert_eq!((said.as_str(), code), (expected.as_str(), 0), "{errors}");
    assert!(errors.contains(" is refused: it is the result of another task\n"), "{errors}");
    assert!(remarks.lines().all(|line| errors.contains(line)), "{remarks}{errors}");
    for entry in fs::read_dir(folder.0.join("one")).unwrap().map(|entry| entry.unwrap().path()) {
        let other = folder.0.join("two").join(entry.file_name().unwrap());
        assert_eq!(fs::read(&entry).unwrap(), fs::read(other).unwrap(), "{entry:?}");
    }
    for ending in ["json", "html"] {
        let [one, two] = ["one", "two"].map(|name| fs::read(folder.path(&format!("{name}.{ending}"))).unwrap());
        assert_eq!(one, two, "{ending}");
    }
    assert!(!fs::exists(folder.path("two/learned")).unwrap() && !fs::exists(folder.path("two.json.partial")).unwrap());
    let (_, errors, code) = command(&[&two[..], &["--hand-out", "--threads=2", "--force"]].concat());
    let refused = "hippolyta: --threads is for one machine: on many each core that is free has a task\n";
    assert_eq!((errors.as_str(), code), (refused, 1));
}

#[test]
fn orders_of_other_versions_are_refused_by_name() {
    let order = json!({"program": "hippolyta 9.9.9", "variant": "amazons"});
    for command in ["solve", "match", "design"] {
        let error = task(command, &order).unwrap_err();
        assert!(error.contains("it is of hippolyta 9.9.9, and this is hippolyta "), "{error}");
        let error = task(command, &json!({"variant": "amazons"})).unwrap_err();
        assert!(error.contains("it does not name the version of its program"), "{error}");
    }
}

#[test]
fn a_proof_of_a_folder_with_a_false_result_ends_and_names_its_line() {
    let folder = Folder::new("solve-forged");
    let out = folder.path("run");
    // A tree is begun, and nothing is searched.
    hand_out(&["solve", "--fen", LOST, "--slice", "1000", "--hash", "16", "--out", &out], |_, _| None);
    let log = folder.path("run/log.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    let first: Value = serde_json::from_str(text.lines().next().unwrap().split_once(' ').unwrap().1).unwrap();
    let turns = first["expanded"]["turns"].as_array().unwrap();
    let open = turns.iter().find(|turn| turn[1][0] != 0 && turn[1][1] != 0).unwrap()[0].as_str().unwrap();
    let forged = json!({"searched": {"at": open, "numbers": [1 << 30, 0], "positions": 5, "microseconds": 5}});
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&log, format!("{}\n{}\n", lines[0], Seal::LINE.put(&forged.to_string()))).unwrap();
    let (_, errors, code) = command(&["solve", "--out", &out, "--hash", "16", "--proof", &folder.path("a.proof")]);
    let expected =
        format!("log.jsonl: a false result: after '{open}' the side to move wins, not loses, in line 2, at byte ");
    assert!(code == 1 && errors.contains(&expected), "{errors}");
    assert!(!fs::exists(folder.path("a.proof")).unwrap());
}

fn records(folder: &str) -> Vec<Value> {
    let text = fs::read_to_string(format!("{folder}/games.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn records_of_a_match_are_replayed_before_they_count() {
    let folder = Folder::new("match-false");
    let out = folder.path("match");
    let words = ["match", "--engine", "cmd=self", "name=a", "--engine", "cmd=self", "name=b", "--each", "nodes=3"];
    let words = [&words[..], &["--variant", "amazons6", "--games", "2", "--seed", "4", "--out", &out]].concat();
    let turned = |mut record: Value| {
        record["result"] = if record["result"] == "1-0" { "0-1" } else { "1-0" }.into();
        record
    };
    // The first game is told wrongly once, the second one always.
    let mut told = 0;
    let (said, errors, code) = hand_out(&words, |number, order| {
        let mut record = task("match", order).unwrap();
        if order["fixture"]["game"] == 0 {
            told += 1;
            record = if told == 1 { turned(record) } else { record };
        } else {
            record["final_fen"] = record["fen"].clone();
        }
        Some(done(number, &record, ""))
    });
    assert_eq!((code, told), (1, 2), "{errors}");
    assert!(said.contains("Finished game 1 (") && !said.contains("Finished game 2 ("), "{said}");
    assert!(errors.contains("task 0 (game 1) is refused: it says "), "{errors}");
    assert_eq!(errors.matches("(game 2) is refused: the last position is ").count(), 3, "{errors}");
    let last = errors.lines().last().unwrap();
    assert!(last.starts_with("hippolyta: game 2 is missing, as no record of it was right (the last one: the last "));
    assert!(
        last.ends_with("; the same command with --resume goes on")
            && !fs::exists(folder.path("match/result.json")).unwrap()
    );
    // What stands in the folder is no better: it is named and left out, and its game played again.
    let odd = turned(records(&out)[0].clone());
    let mut other = records(&out)[0].clone();
    other["white"] = "nobody".into();
    other["game"] = 1.into();
    fs::write(folder.path("match/games.jsonl"), format!("{odd}\nnonsense\n{other}\n")).unwrap();
    let (shown, errors, code) = command(&["match", "--results", &out]);
    assert!(code == 1 && shown.starts_with("0 of 2 games\n"), "{shown}{errors}");
    for expected in
        ["game 1: it says ", "line 2: ", "game 2: 'nobody' is no engine of this match", "3 records are left out"]
    {
        assert!(errors.contains(expected), "{expected}: {errors}");
    }
    let (shown, errors, code) = command(&[&words[..], &["--resume"]].concat());
    assert!(code == 0 && shown.contains("Finished game 1 ("), "{shown}{errors}");
    assert!(errors.contains("game 1: it says ") && errors.contains("the record is left out"), "{errors}");
    let (shown, errors, code) = command(&["match", "--results", &out]);
    assert!(code == 0 && errors.is_empty() && shown.starts_with("2 of 2 games\n"), "{shown}{errors}");
    assert_eq!(records(&out).iter().map(|record| record["game"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 1]);
}
