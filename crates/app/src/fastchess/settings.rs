//! The settings that fastchess saves, `config.json`, as options of its command line.

use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;

/// An option and its values.
pub(super) type Words = (String, Vec<String>);

/// A key of the file, of an option's values, and the names of the choices that the file numbers.
type Key = (&'static str, &'static str, &'static [&'static str]);

/// Options with keys and values: the place in the file, and the key by which they are in use.
const GROUPS: [(&str, &str, &str, &[Key]); 6] = [
    (
        "openings",
        "/opening",
        "file",
        &[
            ("file", "file", &[]),
            ("format", "format", &["epd", "pgn"]),
            ("order", "order", &["random", "sequential"]),
            ("plies", "plies", &[]),
            ("start", "start", &[]),
        ],
    ),
    (
        "resign",
        "/resign",
        "enabled",
        &[("move_count", "movecount", &[]), ("score", "score", &[]), ("twosided", "twosided", &[])],
    ),
    (
        "draw",
        "/draw",
        "enabled",
        &[("move_number", "movenumber", &[]), ("move_count", "movecount", &[]), ("score", "score", &[])],
    ),
    (
        "sprt",
        "/sprt",
        "enabled",
        &[
            ("elo0", "elo0", &[]),
            ("elo1", "elo1", &[]),
            ("alpha", "alpha", &[]),
            ("beta", "beta", &[]),
            ("model", "model", &[]),
        ],
    ),
    (
        "pgnout",
        "/pgn",
        "file",
        &[
            ("file", "file", &[]),
            ("append_file", "append", &[]),
            ("notation", "notation", &["san", "lan", "uci"]),
            ("track_nodes", "nodes", &[]),
            ("track_seldepth", "seldepth", &[]),
            ("track_nps", "nps", &[]),
            ("track_timeleft", "timeleft", &[]),
            ("min", "min", &[]),
        ],
    ),
    ("log", "/log", "file", &[("file", "file", &[]), ("append_file", "append", &[])]),
];

/// Options with one value; of those that are true or false, the word alone where they are true.
const SINGLE: [(&str, &str, &[&str]); 15] = [
    ("games", "/games", &[]),
    ("rounds", "/rounds", &[]),
    ("concurrency", "/concurrency", &[]),
    ("force-concurrency", "/force_concurrency", &[]),
    ("srand", "/seed", &[]),
    ("ratinginterval", "/ratinginterval", &[]),
    ("scoreinterval", "/scoreinterval", &[]),
    ("tournament", "/type", &["roundrobin", "gauntlet"]),
    ("seeds", "/gauntlet_seeds", &[]),
    ("event", "/pgn/event_name", &[]),
    ("site", "/pgn/site", &[]),
    ("recover", "/recover", &[]),
    ("noswap", "/noswap", &[]),
    ("reverse", "/reverse", &[]),
    ("output", "/output", &["format=fastchess", "format=cutechess"]),
];

/// A value as a word; `None` if it says nothing.
fn word(value: &Value, names: &[&str]) -> Option<String> {
    match value {
        Value::Number(number) if !names.is_empty() => Some((*names.get(number.as_u64()? as usize)?).to_owned()),
        Value::Number(number) => Some(number.to_string()).filter(|text| !text.starts_with('-')),
        Value::String(text) => Some(text.clone()).filter(|text| !text.is_empty()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}

/// The options that a file of settings stands for, and whether it has results.
pub(super) fn read(path: &str) -> Result<(Vec<Words>, bool)> {
    let text = fs::read_to_string(path).with_context(|| path.to_owned())?;
    let file: Value = serde_json::from_str(&text).with_context(|| path.to_owned())?;
    let at = |path: &str| file.pointer(path).unwrap_or(&Value::Null);
    let mut found: Vec<Words> = Vec::new();
    for (option, path, names) in SINGLE {
        match word(at(path), names) {
            Some(truth) if truth == "true" => found.push((option.to_owned(), Vec::new())),
            Some(value) if value != "false" => found.push((option.to_owned(), vec![value])),
            _ => {}
        }
    }
    for (option, path, key, keys) in GROUPS {
        if word(&at(path)[key], &[]).is_some_and(|value| value != "false") {
            let pair = |(key, name, names): &Key| Some(format!("{name}={}", word(&at(path)[*key], names)?));
            found.push((option.to_owned(), keys.iter().filter_map(pair).collect()));
        }
    }
    if at("/maxmoves/enabled") == true {
        found.extend(word(at("/maxmoves/move_count"), &[]).map(|moves| ("maxmoves".to_owned(), vec![moves])));
    }
    for (option, path) in [("tb", "/tb_adjudication/syzygy_dirs"), ("epdout", "/epd/file")] {
        found.extend(word(at(path), &[]).map(|value| (option.to_owned(), vec![value])));
    }
    let penta = word(at("/report_penta"), &[]);
    found.extend(penta.map(|penta| ("report".to_owned(), vec![format!("penta={penta}")])));
    let engines = at("/engines").as_array().with_context(|| format!("{path}: no engines stand in this file"))?;
    found.extend(engines.iter().map(|engine| ("engine".to_owned(), engine_words(engine))));
    let played = at("/stats").as_object().into_iter().flat_map(serde_json::Map::values);
    let counts = played.filter_map(Value::as_object).flat_map(serde_json::Map::values);
    Ok((found, counts.filter_map(Value::as_u64).any(|count| count > 0)))
}

/// The keys and values of an engine. Times are in milliseconds there.
fn engine_words(engine: &Value) -> Vec<String> {
    let texts = ["cmd", "name", "dir", "args"].map(|key| (key, word(&engine[key], &[])));
    let mut found: Vec<_> = texts.into_iter().filter_map(|(key, value)| Some(format!("{key}={}", value?))).collect();
    let limit = &engine["limit"];
    let number = |key: &str| limit["tc"][key].as_u64().unwrap_or(0);
    match (number("fixed_time"), number("time")) {
        (0, 0) => found.push("tc=inf".to_owned()),
        (0, time) => {
            let moves = Some(number("moves")).filter(|&moves| moves > 0);
            let moves = moves.map_or_else(String::new, |moves| format!("{moves}/"));
            found.push(format!("tc={moves}{}+{}", seconds(time), seconds(number("increment"))));
        }
        (each, _) => found.push(format!("st={}", seconds(each))),
    }
    found.push(format!("timemargin={}", number("timemargin")));
    for key in ["nodes", "plies"] {
        found.extend(limit[key].as_u64().filter(|&most| most > 0).map(|most| format!("{key}={most}")));
    }
    if engine["restart"] == true {
        found.push("restart=on".to_owned());
    }
    let options = engine["options"].as_array().into_iter().flatten();
    found.extend(options.filter_map(|pair| Some(format!("option.{}={}", word(&pair[0], &[])?, pair[1].as_str()?))));
    found
}

fn seconds(milliseconds: u64) -> f64 {
    milliseconds as f64 / 1000.0
}
