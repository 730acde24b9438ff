//! Differences between two descriptions of a run, in the words of the command line. A run is resumed with the options
//! that it was begun with alone; else the message names the ones that differ.

use hippolyta::engine::Model;
use hippolyta::eval::Weights;
use hippolyta::games::variant::Variant;
use serde::{Serialize, Serializer};
use serde_json::Value;
use std::sync::Arc;

/// A description as JSON. Its numbers are as short as in a text: 0.2 of 32 bits is 0.2.
pub fn described(description: &impl Serialize) -> Value {
    // The description of a run has names and numbers alone, so neither step can fail.
    let text = serde_json::to_string(description).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// A rule set, in what a run is held against.
///
/// # Errors
///
/// Those of the serializer.
pub fn by_text<S: Serializer>(variant: &Variant, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&variant.text())
}

/// A checksum of all weights that searches depend on, without calibrations, and of endgame tables from a file.
pub fn checksum(weights: &Weights) -> u32 {
    let mut searched = weights.clone();
    searched.calibrations.clear();
    let mut bytes = searched.tables().to_bytes();
    bytes.extend(weights.damone_tables.iter().flat_map(|tables| tables.checksum().to_le_bytes()));
    crc32fast::hash(&bytes)
}

/// The checksum of weights, in what a run is held against; those that are built in are left out.
///
/// # Errors
///
/// Those of the serializer.
pub fn by_checksum<S: Serializer>(model: &Model, serializer: S) -> Result<S::Ok, S::Error> {
    match model {
        Model::Learned(weights) => serializer.serialize_u32(checksum(weights)),
        _ => serializer.serialize_none(),
    }
}

/// Whether these are the weights that are built in.
pub fn is_built_in(model: &Model) -> bool {
    matches!(model, Model::Learned(weights) if Arc::ptr_eq(weights, &Weights::embedded()))
}

/// The differences from `old` to `new`, both objects, as `--games 24 → 12`. What `old` has alone is none.
pub fn differences(old: &Value, new: &Value) -> Vec<String> {
    let fields = new.as_object().into_iter().flat_map(|fields| fields.keys());
    fields.filter(|&field| old[field] != new[field]).map(|field| difference(field, &old[field], &new[field])).collect()
}

/// The change of a field, named by its option: `--per-game 1 → 2` for `per_game`.
pub fn difference(field: &str, old: &Value, new: &Value) -> String {
    match (field, old, new) {
        // The option says the opposite.
        ("adjudicate", Value::Bool(old), Value::Bool(new)) => change("--play-on", &(!old).into(), &(!new).into()),
        _ => change(&format!("--{}", field.replace('_', "-")), old, new),
    }
}

/// `engines a, b → a, c`.
pub fn change(what: &str, old: &Value, new: &Value) -> String {
    format!("{what} {} → {}", shown(old), shown(new))
}

/// A value as it is given on the command line.
fn shown(value: &Value) -> String {
    match value {
        // As short as it was before it got more digits.
        Value::Number(number)
            if number.as_f64().is_some_and(|number| number == f64::from(number as f32)) && number.is_f64() =>
        {
            format!("{:?}", number.as_f64().unwrap_or_default() as f32)
        }
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(words) if words.is_empty() => "none".to_owned(),
        Value::Array(words) => words.iter().map(shown).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::endgame::damone::built_in;
    use hippolyta::games::damone::Rules;
    use serde_json::json;

    #[test]
    fn endgame_tables_of_a_file_tell_runs_apart() {
        let with = |rules| checksum(&Weights::embedded().with_damone_tables(Some(built_in(rules).clone())));
        let sums = [with(&Rules::DAMONE), with(&Rules::IMPERATORE), checksum(&Weights::embedded())];
        assert!(sums[0] != sums[1] && sums[0] != sums[2] && sums[1] != sums[2], "{sums:?}");
    }

    #[test]
    fn options_are_named_with_both_values() {
        #[derive(Serialize)]
        struct Options {
            per_game: u32,
            variety: f32,
            fen: Vec<&'static str>,
        }
        let old = described(&Options { per_game: 1, variety: 0.2, fen: vec![] });
        let new = described(&Options { per_game: 2, variety: 0.3, fen: vec!["a w", "b w"] });
        assert_eq!(differences(&old, &old), [""; 0]);
        let found = ["--fen none → a w b w", "--per-game 1 → 2", "--variety 0.2 → 0.3"];
        assert_eq!(differences(&old, &new), found);
        assert_eq!(differences(&json!({"more": 5}), &json!({"seed": 0})), ["--seed none → 0"]);
    }
}
