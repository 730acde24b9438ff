//! The schema that `analyse --schema` prints, ready to check lines with.

use jsonschema::Validator;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// The schema of a line of input.
pub static QUERY: LazyLock<Validator> = LazyLock::new(|| validator("query"));

/// The schema of a line of output.
pub static ANSWER: LazyLock<Validator> = LazyLock::new(|| validator("answer"));

pub fn whole() -> Value {
    serde_json::from_str(hippolyta_protocol::analysis::SCHEMA).unwrap()
}

/// Of one of `$defs`.
fn validator(definition: &str) -> Validator {
    let mut schema = whole();
    assert!(jsonschema::meta::is_valid(&schema));
    assert!(schema["$defs"].get(definition).is_some());
    let all = schema.as_object_mut().unwrap();
    all.remove("anyOf");
    all.insert("$ref".to_owned(), json!(format!("#/$defs/{definition}")));
    jsonschema::draft202012::new(&schema).unwrap()
}

/// The line, read; fails if it does not keep to the schema.
pub fn answer(line: &str) -> Value {
    let answer = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    ANSWER.validate(&answer).unwrap_or_else(|error| panic!("{error}\n{line}"));
    answer
}
