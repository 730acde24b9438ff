//! Evaluations as they were: a change of features or weights shows here, on every machine and with every set of
//! instructions.

use crate::common::vectors;
use hippolyta::engine::{Board, Engine, Model, Settings};
use hippolyta::games::variant::{self, VARIANTS};
use serde_json::json;
use std::collections::HashSet;

/// With `HIPPOLYTA_BLESS=1` the file is written anew from what the evaluations say.
#[test]
fn evaluations_are_what_they_were() {
    let rows = vectors("evaluations.jsonl");
    let mut lines = Vec::new();
    let mut seen = HashSet::new();
    for row in &rows {
        let (name, fen) = (row["variant"].as_str().unwrap(), row["fen"].as_str().unwrap());
        let variant = &variant::find(name).unwrap();
        let settings = Settings { hash: 1, ..Settings::default() };
        let engine = Engine::new(variant, &Model::default(), settings).unwrap();
        let explanation = engine.explain(&Board::from_fen(variant, fen).unwrap()).unwrap().unwrap();
        let (white, draw) = (explanation.value.white, explanation.value.draw);
        lines.push(json!({"variant": name, "fen": fen, "white": white, "draw": draw}).to_string());
        seen.insert(name.to_owned());
        if std::env::var_os("HIPPOLYTA_BLESS").is_none() {
            let stated = ["white", "draw"].map(|field| row[field].as_f64().unwrap() as f32);
            assert_eq!([white, draw], stated, "{name} {fen}");
            assert!((0.0..=1.0).contains(&white) && (0.0..=1.0).contains(&draw));
        }
    }
    assert_eq!(seen.len(), VARIANTS.len());
    if std::env::var_os("HIPPOLYTA_BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/evaluations.jsonl");
        std::fs::write(path, lines.join("\n") + "\n").unwrap();
    }
}
