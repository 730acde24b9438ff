//! The JSON Schema of queries and answers, generated from their types. Only tests generate it, so neither the library
//! nor the binary needs the generator: `schema.json` is what they have, and the test below compares.

use super::answer::Answer;
use super::fields;
use super::query::{DEFAULT_ACTION, Query};
use hippolyta::games::variant::VARIANTS;
use schemars::generate::{Contract, SchemaSettings};
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

/// Makes an object refuse what it does not name, and `null` where leaving out says the same. Takes away `format`s like
/// `uint32`, which are no standard, `default`s of `null`, and of comments their examples and line ends.
fn strict(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    object.remove("format");
    if let Some(Value::String(text)) = object.get_mut("description") {
        *text = text.split("\n\n```").next().unwrap().replace('\n', " ");
    }
    let required = object.get("required").cloned().unwrap_or_default();
    let is_required = |name: &str| required.as_array().is_some_and(|all| all.iter().any(|one| one == name));
    let Some(Value::Object(properties)) = object.get_mut("properties") else { return };
    for (_, property) in properties.iter_mut().filter(|(name, _)| !is_required(name)) {
        let Value::Object(property) = property else { continue };
        if property.get("default").is_some_and(Value::is_null) {
            property.remove("default");
        }
        if let Some(Value::Array(types)) = property.get_mut("type") {
            types.retain(|one| one != "null");
            if let [one] = &types[..] {
                let one = one.clone();
                property.insert("type".to_owned(), one);
            }
        }
        if let Some(Value::Array(choices)) = property.get_mut("anyOf") {
            choices.retain(|one| *one != json!({"type": "null"}));
            if let [Value::Object(one)] = &choices[..] {
                let one = one.clone();
                property.remove("anyOf");
                property.extend(one);
            }
        }
    }
    object.entry("additionalProperties").or_insert(Value::Bool(false));
}

/// The entries of `$defs` for `T` and the types that it is made of; the name of `T` itself is `name`.
fn definitions<T: JsonSchema>(name: &str, contract: Contract) -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.contract = contract;
        settings.meta_schema = None;
    });
    let mut generator = settings.with_transform(RecursiveTransform(strict)).into_generator();
    let mut root = generator.root_schema_for::<T>();
    root.remove("title");
    let Some(Value::Object(mut definitions)) = root.remove("$defs") else { panic!("{root:?}") };
    definitions.insert(name.to_owned(), root.to_value());
    definitions
}

/// The queries: as they are read, `{"perft": {…}}`, made into what is written, `{"id": …, "action": "perft", …}`.
fn queries() -> Map<String, Value> {
    let mut definitions = definitions::<Query>("query", Contract::Deserialize);
    let id = json!({"description": "Comes back in every answer.", "type": "string", "maxLength": fields::LONGEST_ID});
    let mut choices = Vec::new();
    for choice in definitions["query"]["oneOf"].as_array().unwrap().clone() {
        let (action, reference) = choice["properties"].as_object().unwrap().iter().next().unwrap();
        choices.push(reference.clone());
        let name = reference["$ref"].as_str().unwrap().strip_prefix("#/$defs/").unwrap();
        let query = definitions[name].as_object_mut().unwrap();
        let mut properties = Map::from_iter([("id".to_owned(), id.clone())]);
        properties.insert("action".to_owned(), json!({"const": action}));
        properties.extend(query.remove("properties").into_iter().flat_map(|all| all.as_object().cloned().unwrap()));
        query.insert("properties".to_owned(), Value::Object(properties));
        query.insert("additionalProperties".to_owned(), Value::Bool(false));
        let mut required = vec![json!("id")];
        if action != DEFAULT_ACTION {
            required.push(json!("action"));
        }
        required.extend(query.remove("required").into_iter().flat_map(|all| all.as_array().cloned().unwrap()));
        query.insert("required".to_owned(), Value::Array(required));
    }
    definitions["query"]["oneOf"] = Value::Array(choices);
    definitions
}

/// The answers. No two kinds have the same fields.
fn answers() -> Map<String, Value> {
    let mut definitions = definitions::<Answer<'_>>("answer", Contract::Serialize);
    let answer = definitions["answer"].as_object_mut().unwrap();
    let choices = answer.remove("anyOf").unwrap();
    answer.insert("oneOf".to_owned(), choices);
    definitions
}

/// The whole schema.
fn schema() -> Value {
    let mut all = queries();
    for (name, definition) in answers() {
        if let Some(other) = all.insert(name.clone(), definition.clone()) {
            assert_eq!(other, definition, "two types are called {name}");
        }
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "hippolyta analyse: a line of standard input is a query, a line of standard output an answer",
        "anyOf": [{"$ref": "#/$defs/query"}, {"$ref": "#/$defs/answer"}],
        "$defs": all,
    })
}

/// The page has the rule sets before it has an engine. With `HIPPOLYTA_BLESS=1` the file is written anew.
#[test]
fn the_page_has_the_rule_sets_of_the_program() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/variants.json");
    let answer = serde_json::to_value(super::answer::Variants::new("", VARIANTS)).unwrap();
    let generated = format!("{:#}\n", answer["variants"]);
    if std::env::var_os("HIPPOLYTA_BLESS").is_some() {
        std::fs::write(path, generated).unwrap();
    } else {
        let kept = std::fs::read_to_string(path).unwrap_or_default();
        assert!(generated == kept, "web/src/variants.json is not up to date: HIPPOLYTA_BLESS=1 writes it anew");
    }
}

/// With `HIPPOLYTA_BLESS=1` the file is written anew.
#[test]
fn the_schema_is_that_of_the_types() {
    let generated = format!("{:#}\n", schema());
    if std::env::var_os("HIPPOLYTA_BLESS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/analysis/schema.json");
        std::fs::write(path, generated).unwrap();
    } else {
        assert!(generated == super::SCHEMA, "schema.json is not up to date: HIPPOLYTA_BLESS=1 writes it anew");
    }
}
