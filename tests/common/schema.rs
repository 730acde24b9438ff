//! As much of JSON Schema as ours uses. A keyword that is unknown here is an error, so none is passed over in silence.

use serde_json::Value;

pub struct Schema(Value);

impl Schema {
    /// The one that `analyse --schema` prints.
    pub fn of_analysis() -> Self {
        Self(serde_json::from_str(hippolyta::protocol::analysis::SCHEMA).unwrap())
    }

    /// What is wrong with `value` as one of `$defs`.
    pub fn check(&self, definition: &str, value: &Value) -> Result<(), String> {
        self.reference(&format!("#/$defs/{definition}"), value)
    }

    fn reference(&self, reference: &str, value: &Value) -> Result<(), String> {
        let schema = self.0.pointer(reference.strip_prefix('#').unwrap());
        self.valid(schema.unwrap_or_else(|| panic!("no {reference}")), value)
    }

    fn valid(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let schema = schema.as_object().unwrap();
        let fails = |keyword: &str| Err(format!("{keyword} {}: {value}", schema[keyword]));
        for (keyword, expected) in schema {
            let number = || (expected.as_f64().unwrap(), value.as_f64());
            let length = |found: Option<usize>| (expected.as_u64().unwrap() as usize, found);
            let good = match keyword.as_str() {
                "$ref" => {
                    self.reference(expected.as_str().unwrap(), value)?;
                    true
                }
                "type" => match expected {
                    Value::Array(all) => all.iter().any(|one| is_a(one, value)),
                    one => is_a(one, value),
                },
                "const" => value == expected,
                "enum" => expected.as_array().unwrap().contains(value),
                "minimum" => matches!(number(), (least, found) if found.is_none_or(|found| found >= least)),
                "maximum" => matches!(number(), (most, found) if found.is_none_or(|found| found <= most)),
                "exclusiveMinimum" => matches!(number(), (least, found) if found.is_none_or(|found| found > least)),
                "minItems" => {
                    matches!(length(value.as_array().map(Vec::len)), (least, found) if found.is_none_or(|found| found >= least))
                }
                "maxItems" => {
                    matches!(length(value.as_array().map(Vec::len)), (most, found) if found.is_none_or(|found| found <= most))
                }
                "maxLength" => {
                    let characters = value.as_str().map(|text| text.chars().count());
                    matches!(length(characters), (most, found) if found.is_none_or(|found| found <= most))
                }
                "items" => {
                    value.as_array().into_iter().flatten().try_for_each(|item| self.valid(expected, item))?;
                    true
                }
                "properties" => {
                    for (name, property) in value.as_object().into_iter().flatten() {
                        if let Some(schema) = expected.get(name) {
                            self.valid(schema, property).map_err(|error| format!("{name}: {error}"))?;
                        }
                    }
                    true
                }
                "required" => {
                    let has = |name: &Value| value.get(name.as_str().unwrap()).is_some();
                    !value.is_object() || expected.as_array().unwrap().iter().all(has)
                }
                "additionalProperties" => {
                    assert_eq!(expected, false);
                    value.as_object().into_iter().flatten().all(|(name, _)| schema["properties"].get(name).is_some())
                }
                "oneOf" => {
                    let all = expected.as_array().unwrap();
                    let results: Vec<_> = all.iter().map(|one| self.valid(one, value)).collect();
                    if results.iter().filter(|result| result.is_ok()).count() != 1 {
                        return Err(format!("oneOf: {results:?}"));
                    }
                    true
                }
                other => panic!("keyword {other}"),
            };
            if !good {
                return fails(keyword);
            }
        }
        Ok(())
    }
}

fn is_a(kind: &Value, value: &Value) -> bool {
    match kind.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        other => panic!("type {other}"),
    }
}
