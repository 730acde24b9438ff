//! The fields of a JSON object, taken one after the other; errors name the field.

use serde_json::{Map, Value};
use std::ops::RangeInclusive;

/// Why a line cannot be obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Where it is wrong: `moves[3]`.
    pub field: Option<String>,
    /// What is wrong.
    pub message: String,
}

impl Fault {
    pub fn of(message: impl Into<String>) -> Self {
        Self { field: None, message: message.into() }
    }

    pub fn at(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: Some(field.into()), message: message.into() }
    }
}

/// What is left of an object.
pub(super) struct Fields(Map<String, Value>);

/// The greatest whole number that every JSON reader keeps exactly.
pub(super) const MOST: u64 = (1 << 53) - 1;

impl Fields {
    /// Reads one line.
    pub fn parse(line: &[u8]) -> Result<Self, Fault> {
        match serde_json::from_slice(line) {
            Ok(Value::Object(map)) => Ok(Self(map)),
            Ok(_) => Err(Fault::of("a JSON object is expected")),
            Err(error) => Err(Fault::of(format!("not JSON: {error}"))),
        }
    }

    /// The field's value; `null` counts as none.
    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    pub fn text(&mut self, name: &str) -> Result<Option<String>, Fault> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Fault::at(name, "a string is expected")),
        }
    }

    pub fn flag(&mut self, name: &str) -> Result<bool, Fault> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => Err(Fault::at(name, "true or false is expected")),
        }
    }

    pub fn whole(&mut self, name: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, Fault> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let (least, most) = (range.start(), range.end());
        let expected = || Fault::at(name, format!("a whole number from {least} to {most} is expected"));
        whole(&value)
            .and_then(|number| u64::try_from(number).ok())
            .filter(|number| range.contains(number))
            .map_or_else(|| Err(expected()), |number| Ok(Some(number)))
    }

    /// A whole number that may be negative.
    pub fn priority(&mut self, name: &str) -> Result<Option<i64>, Fault> {
        let value = self.take(name);
        value.map(|value| priority(&value).ok_or_else(|| Fault::at(name, PRIORITY))).transpose()
    }

    pub fn priorities(&mut self, name: &str) -> Result<Option<Vec<i64>>, Fault> {
        self.list(name, PRIORITY, priority)
    }

    /// Seconds, above 0 and up to a million.
    pub fn seconds(&mut self, name: &str) -> Result<Option<f64>, Fault> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let seconds = value.as_f64().filter(|&seconds| 0.0 < seconds && seconds <= 1e6);
        seconds.map_or_else(
            || Err(Fault::at(name, "seconds, more than 0 and up to 1000000, are expected")),
            |s| Ok(Some(s)),
        )
    }

    pub fn texts(&mut self, name: &str) -> Result<Option<Vec<String>>, Fault> {
        self.list(name, "a string is expected", |value| value.as_str().map(str::to_owned))
    }

    pub fn wholes(&mut self, name: &str, most: u32) -> Result<Option<Vec<u32>>, Fault> {
        let expected = format!("a whole number from 0 to {most} is expected");
        self.list(name, &expected, |value| {
            whole(value).and_then(|number| u32::try_from(number).ok()).filter(|&number| number <= most)
        })
    }

    fn list<T>(
        &mut self,
        name: &str,
        expected: &str,
        read: impl Fn(&Value) -> Option<T>,
    ) -> Result<Option<Vec<T>>, Fault> {
        let values = match self.take(name) {
            None => return Ok(None),
            Some(Value::Array(values)) => values,
            Some(_) => return Err(Fault::at(name, "an array is expected")),
        };
        if values.len() > LONGEST_LIST {
            return Err(Fault::at(name, format!("{} entries: {LONGEST_LIST} are possible", values.len())));
        }
        let one = |(index, value)| read(value).ok_or_else(|| Fault::at(format!("{name}[{index}]"), expected));
        values.iter().enumerate().map(one).collect::<Result<_, _>>().map(Some)
    }

    /// The names that nobody has asked for.
    pub fn left(self) -> Vec<String> {
        self.0.into_iter().map(|(name, _)| name).collect()
    }
}

/// Entries of a list.
const LONGEST_LIST: usize = 10_000;
const PRIORITY: &str = "a whole number from -1000000000 to 1000000000 is expected";

fn priority(value: &Value) -> Option<i64> {
    whole(value).filter(|number| number.abs() <= 1_000_000_000)
}

/// A number without a fraction, however it is written: JSON does not tell 5 from 5.0.
fn whole(value: &Value) -> Option<i64> {
    let by_float = || value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() <= MOST as f64);
    value.as_i64().or_else(|| by_float().map(|number| number as i64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields(value: Value) -> Fields {
        Fields(value.as_object().cloned().unwrap_or_default())
    }

    #[test]
    fn whole_numbers_may_be_written_as_floats() {
        let read = |value: Value| fields(json!({"n": value})).whole("n", 1..=MOST).map_err(|fault| fault.field);
        assert_eq!(read(json!(7)), Ok(Some(7)));
        assert_eq!(read(json!(7.0)), Ok(Some(7)));
        assert_eq!(read(json!(MOST)), Ok(Some(MOST)));
        assert_eq!(read(Value::Null), Ok(None));
        for wrong in [json!(0), json!(-1), json!(7.5), json!("7"), json!(MOST + 1), json!(1e300), json!([7])] {
            assert_eq!(read(wrong.clone()), Err(Some("n".to_owned())), "{wrong}");
        }
    }

    #[test]
    fn the_wrong_entry_of_a_list_is_named() {
        let error = fields(json!({"moves": ["a", 3]})).texts("moves").unwrap_err();
        assert_eq!(error, Fault::at("moves[1]", "a string is expected"));
        assert!(fields(json!({"moves": vec!["a"; 10_001]})).texts("moves").is_err());
    }

    #[test]
    fn what_nobody_takes_is_left() {
        let mut all = fields(json!({"a": true, "b": 1, "c": null}));
        assert_eq!(all.flag("a"), Ok(true));
        assert_eq!(all.left(), ["b", "c"]);
    }
}
