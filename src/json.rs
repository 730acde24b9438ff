//! Texts of JSON that others may have written.

use crate::files::{UTF_8_MARK, UTF_16, is_utf_16};
use crate::words::{Language, plain, shown};
use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde_json::Value;

/// Reads a text of JSON. A byte order mark before it is no part of it.
///
/// ```
/// use hippolyta::json::read;
///
/// assert_eq!(read("\u{feff}[5]".as_bytes()), Ok(vec![5]));
/// assert_eq!(read::<Vec<u8>>(b"[5, true]").unwrap_err(), "[1]: a whole number from 0 to 255 is expected, not true");
/// assert_eq!(read::<u8>(b"\n5]").unwrap_err(), "not JSON: trailing characters at character 2");
/// ```
///
/// # Errors
///
/// In words, with the place.
pub fn read<T: DeserializeOwned>(text: &[u8]) -> Result<T, String> {
    if is_utf_16(text) {
        return Err(UTF_16.to_owned());
    }
    let text = text.strip_prefix(UTF_8_MARK).unwrap_or(text);
    let mut reader = serde_json::Deserializer::from_slice(text);
    let mut wrong = String::new();
    let found = tracked(&mut reader, &mut wrong).and_then(|found| reader.end().map(|()| found));
    found.map_err(|error| {
        let line = if text.trim_ascii().contains(&b'\n') { format!("line {}: ", error.line()) } else { String::new() };
        let said = error.to_string();
        let said = said.rsplit_once(" at line ").map_or(said.as_str(), |(said, _)| said);
        if error.is_data() {
            format!("{line}{wrong}{}", plain(said, Language::Json))
        } else {
            format!("{line}not JSON: {} at character {}", plain(said, Language::Json), error.column())
        }
    })
}

/// Reads a value of JSON.
///
/// # Errors
///
/// As [`read`].
pub fn of_value<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    let mut wrong = String::new();
    tracked(value, &mut wrong).map_err(|error| format!("{wrong}{}", plain(&error.to_string(), Language::Json)))
}

/// Reads, and says where what is wrong stands: `engines[0].name: `.
fn tracked<'de, T: Deserialize<'de>, D: Deserializer<'de>>(reader: D, wrong: &mut String) -> Result<T, D::Error> {
    let mut track = serde_path_to_error::Track::new();
    let found = T::deserialize(serde_path_to_error::Deserializer::new(reader, &mut track));
    let path = track.path();
    if found.is_err() && path.iter().next().is_some() {
        *wrong = format!("{}: ", shown(&path.to_string()));
    }
    found
}
