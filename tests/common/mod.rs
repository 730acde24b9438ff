//! Code that several tests share. Not every test uses all of it.
#![allow(dead_code)]

pub mod folder;
pub mod laws;
pub mod naive;
pub mod naive_damone;
pub mod naive_rules;
pub mod tiny;

use hippolyta as library;
use hippolyta::games::amazons::Amazons;
use hippolyta::games::{Notation, legal_turns, variant};
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Says why a test is left out, for the summary of `cargo xtask test`. In CI that is a failure.
pub fn leave_out(reason: &str) {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "in CI {test} may not be left out: {reason}");
    eprintln!("left out: {test}: {reason}");
    let notes = Path::new(env!("CARGO_TARGET_TMPDIR")).join("left-out.txt");
    let file = std::fs::OpenOptions::new().append(true).create(true).open(notes);
    file.and_then(|mut file| writeln!(file, "{test}: {reason}")).unwrap();
}

/// The rows of a file in `tests/vectors`.
pub fn vectors(name: &str) -> Vec<Value> {
    let path = format!("{}/tests/vectors/{name}", root!());
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub fn amazons(fen: &str) -> Amazons {
    Amazons::from_fen(variant::DEFAULT, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// All legal turns as text, sorted.
pub fn sorted_turns<P: Notation>(position: &P) -> Vec<String> {
    let mut turns: Vec<_> = legal_turns(position).iter().map(|turn| position.turn_text(turn)).collect();
    turns.sort();
    turns
}

/// All files below `folder`.
pub fn files_below_all(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_below_all(&path));
        } else {
            found.push(path);
        }
    }
    found
}

/// Files below `folder` with one of these endings.
pub fn files_below(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = files_below_all(folder);
    found.retain(|path| endings.iter().any(|ending| path.extension().is_some_and(|extension| extension == *ending)));
    found
}
