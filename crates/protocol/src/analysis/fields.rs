//! Values that the fields of a query may hold. Each type reads its JSON and says what it expects; the schema has the
//! same bounds from the same types.

use hippolyta::games::general::RulesFile;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

/// The greatest whole number that every JSON reader keeps exactly.
pub(super) const MOST: i64 = (1 << 53) - 1;

/// A whole number from `LEAST` to `MOST`, however it is written: JSON does not tell 5 from 5.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whole<N, const LEAST: i64, const MOST: i64>(pub N);

impl<'de, N: TryFrom<i64>, const LEAST: i64, const MOST: i64> Deserialize<'de> for Whole<N, LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WholeVisitor(PhantomData))
    }
}

struct WholeVisitor<N, const LEAST: i64, const MOST: i64>(PhantomData<N>);

impl<N: TryFrom<i64>, const LEAST: i64, const MOST: i64> WholeVisitor<N, LEAST, MOST> {
    fn number<E: Error>(&self, number: Option<i64>, found: Unexpected<'_>) -> Result<Whole<N, LEAST, MOST>, E> {
        let fits = number.filter(|number| (LEAST..=MOST).contains(number)).and_then(|number| N::try_from(number).ok());
        fits.map(Whole).ok_or_else(|| E::invalid_value(found, self))
    }
}

impl<N: TryFrom<i64>, const LEAST: i64, const MOST: i64> Visitor<'_> for WholeVisitor<N, LEAST, MOST> {
    type Value = Whole<N, LEAST, MOST>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {LEAST} to {MOST}")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        self.number(Some(number), Unexpected::Signed(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        self.number(i64::try_from(number).ok(), Unexpected::Unsigned(number))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        // Beyond this a float may stand for another number than the one that was written.
        let whole = number.fract() == 0.0 && number.abs() <= self::MOST as f64;
        self.number(whole.then_some(number as i64), Unexpected::Float(number))
    }
}

/// The number of moves before a position.
pub(super) type TurnNumber = Whole<u32, 0, { u32::MAX as i64 }>;

/// A priority: higher numbers go first.
pub(super) type Priority = Whole<i64, -1_000_000_000, 1_000_000_000>;

/// A string of bounded length, in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Text<const LONGEST: usize>(pub String);

impl<const LONGEST: usize> TryFrom<String> for Text<LONGEST> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.len() <= LONGEST { Ok(Self(text)) } else { Err(format!("more than {LONGEST} bytes")) }
    }
}

/// Bytes of an id.
pub(super) const LONGEST_ID: usize = 1_000;

/// The name of a query.
pub(super) type Id = Text<LONGEST_ID>;

/// A position.
pub(super) type Fen = Text<1_000>;

/// Entries of a list.
pub(super) const LONGEST_LIST: usize = 10_000;

/// A list of bounded length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct List<T>(pub Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor(PhantomData))
    }
}

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = List<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of up to {LONGEST_LIST} entries")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(entry) = entries.next_element()? {
            list.push(entry);
            if list.len() > LONGEST_LIST {
                return Err(A::Error::custom(format!("more than {LONGEST_LIST} entries")));
            }
        }
        Ok(List(list))
    }
}

/// An object. Serde would read an array in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(entries)).map(Object)
    }
}

/// A share, 0 … 1.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct Share(pub f64);

impl TryFrom<f64> for Share {
    type Error = String;

    fn try_from(share: f64) -> Result<Self, String> {
        if (0.0..=1.0).contains(&share) { Ok(Self(share)) } else { Err(format!("0 to 1 is expected, not {share}")) }
    }
}

/// The name of a rule set, in any case. Which ones there are depends on the [`Rules`] of the query.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct RuleSet(pub String);

/// Bytes of a text of rule sets.
pub(super) const LONGEST_RULES: usize = 1 << 16;

/// Rule sets of a text: an answer says a hundred times as much of each as a text must.
const MOST_RULE_SETS: usize = 100;

/// Rule sets of one's own, as the text of a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Text<LONGEST_RULES>")]
pub(super) struct Rules(pub RulesFile);

impl TryFrom<Text<LONGEST_RULES>> for Rules {
    type Error = String;

    fn try_from(text: Text<LONGEST_RULES>) -> Result<Self, String> {
        let file = RulesFile::parse("", &text.0).map_err(|error| format!("line {}: {}", error.line, error.message))?;
        match file.sets.len() {
            0 => {
                Err(file.left_out.first().map_or_else(String::new, |left| format!("no game of move and fire: {left}")))
            }
            1..=MOST_RULE_SETS => Ok(Self(file)),
            more => Err(format!("{more} rule sets: {MOST_RULE_SETS} are possible here")),
        }
    }
}

/// A time in seconds, fractions and all: more than 0, up to `MOST`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seconds<const MOST: u32>(pub Duration);

impl<'de, const MOST: u32> Deserialize<'de> for Seconds<MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SecondsVisitor::<MOST>)
    }
}

struct SecondsVisitor<const MOST: u32>;

impl<const MOST: u32> Visitor<'_> for SecondsVisitor<MOST> {
    type Value = Seconds<MOST>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seconds, more than 0 and up to {MOST}")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        self.visit_f64(number as f64)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        self.visit_f64(number as f64)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        if 0.0 < number && number <= f64::from(MOST) {
            Ok(Seconds(Duration::from_secs_f64(number)))
        } else {
            Err(E::invalid_value(Unexpected::Float(number), &self))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, from_value, json};

    #[test]
    fn whole_numbers_may_be_written_as_floats() {
        let read = |value: Value| from_value::<Whole<u64, 1, MOST>>(value).map(|number| number.0);
        assert_eq!(read(json!(7)).ok(), Some(7));
        assert_eq!(read(json!(7.0)).ok(), Some(7));
        assert_eq!(read(json!(MOST)).ok(), Some(MOST as u64));
        for wrong in [json!(0), json!(-1), json!(7.5), json!("7"), json!(MOST + 1), json!(1e300), json!([7])] {
            let error = read(wrong.clone()).unwrap_err().to_string();
            assert!(error.ends_with("expected a whole number from 1 to 9007199254740991"), "{wrong}: {error}");
        }
        let below = |value: Value| from_value::<Priority>(value).map(|number| number.0);
        assert_eq!(below(json!(-5.0)).ok(), Some(-5));
        assert!(below(json!(-1_000_000_001)).is_err() && below(json!(u64::MAX)).is_err());
        // The range of the type counts, too.
        assert!(from_value::<Whole<u8, 0, 1_000>>(json!(256)).is_err());
    }

    #[test]
    fn lengths_are_bounded() {
        let list = |length: usize| from_value::<List<String>>(json!(vec!["a"; length]));
        assert_eq!(list(LONGEST_LIST).unwrap().0.len(), LONGEST_LIST);
        assert_eq!(list(LONGEST_LIST + 1).unwrap_err().to_string(), "more than 10000 entries");
        assert!(from_value::<Text<3>>(json!("äb")).is_ok());
        assert_eq!(from_value::<Text<3>>(json!("äöü")).unwrap_err().to_string(), "more than 3 bytes");
    }

    #[test]
    fn seconds_are_more_than_0() {
        type Seconds = super::Seconds<1_000_000>;
        for (value, good) in [(json!(0.5), true), (json!(1), true), (json!(0), false), (json!(1e7), false)] {
            assert_eq!(from_value::<Seconds>(value.clone()).is_ok(), good, "{value}");
        }
        let error = from_value::<Seconds>(json!("1")).unwrap_err().to_string();
        assert!(error.ends_with("expected seconds, more than 0 and up to 1000000"), "{error}");
    }
}
