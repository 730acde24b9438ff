//! `hippolyta blunders`.

use crate::child::{fails, kill_and_resume_until_done, ok};
use crate::common::folder::Folder;
use serde_json::Value;
use std::fs;

const PLAN: [&str; 7] =
    ["blunders", "make", "--variant=amazons6", "--count=6", "--nodes=100", "--effort=3000", "--seed=5"];

#[test]
fn a_killed_run_goes_on_and_ends_with_the_same_bytes() {
    let folder = Folder::new("blunders");
    let [whole, cut] = ["whole.jsonl", "cut.jsonl"].map(|name| folder.path(name));
    assert_eq!(ok(&[&PLAN[..], &["--threads=2", "--out", &whole]].concat()), "");
    let partial = folder.0.join("cut.jsonl.partial");
    kill_and_resume_until_done(&[&PLAN[..], &["--out", &cut]].concat(), &partial);
    assert_eq!(fs::read(&cut).unwrap(), fs::read(&whole).unwrap());
    assert_eq!(fs::read_to_string(&whole).unwrap().lines().count(), 7);
    let fen = ["--variant=damone", "--fen=8/7i/8/8/I1i5/5P2/8/8 b", "--out", &whole, "--force"];
    fails(&[&["blunders", "make"], &fen[..]].concat(), "--fen: positions of Damone are drawn from endgame tables");
}

#[test]
fn rates_are_told_for_each_engine_and_level() {
    let folder = Folder::new("blunders-rates");
    let file = folder.path("few.jsonl");
    ok(&[&PLAN[..], &["--out", &file]].concat());
    let test = ["blunders", "test", &file, "--nodes=1,300", "--threads=1"];
    let text = ok(&test);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 3 && lines[0].starts_with("group") && lines[1].starts_with("amazons6"), "{text}");
    let to_the_end = ok(&[&test[..], &["--to-the-end"]].concat());
    assert!(to_the_end.lines().count() == 3 && to_the_end.lines().next() == text.lines().next(), "{to_the_end}");
    // A process of its own says what the engine within says.
    let own = format!("cmd={}", env!("CARGO_BIN_EXE_hippolyta"));
    let two = [&test[..], &["--json", "--engine", "cmd=self", "--engine", &own, "name=outside"]].concat();
    let answer: Value = serde_json::from_str(&ok(&two)).unwrap();
    let rows = answer["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 4);
    for pair in rows.chunks(2) {
        assert_eq!((&pair[0]["engine"], &pair[1]["engine"]), (&Value::from("self"), &Value::from("outside")));
        assert_eq!((&pair[0]["positions"], &pair[0]["blunders"]), (&pair[1]["positions"], &pair[1]["blunders"]));
        assert_eq!(pair[0]["positions"], 6);
    }
    fails(&[&test[..], &["--engine", "cmd=self", "--engine", "cmd=self"]].concat(), "two engines are called 'self'");
    fails(&[&test[..], &["--engine", "cmd=/nowhere/engine"]].concat(), "engine");
    fails(&[&test[..], &["--group", "iago"]].concat(), "there is no group 'iago': known are amazons6");
    let damaged = folder.path("damaged.jsonl");
    fs::write(&damaged, fs::read_to_string(&file).unwrap() + "{\"variant\":\"amazons6\"}\n").unwrap();
    fails(&["blunders", "test", &damaged], "in line 8");
}
