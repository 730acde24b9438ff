//! JSON files with a checksum: the first line names the CRC-32 of all bytes after it.

use super::error::LearnError;
use hippolyta::files::{read_file, write_whole};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// The most bytes that are read.
const LARGEST: u64 = 1 << 30;

/// Writes an object, which must have a field at least, whole or not at all.
pub(super) fn write(path: &Path, object: &impl Serialize) -> Result<(), LearnError> {
    let mut body = serde_json::to_vec_pretty(object).unwrap_or_default();
    debug_assert!(body.starts_with(b"{\n"));
    body.push(b'\n');
    // Without the brace, which the first line has.
    let body = &body[2..];
    let whole = [format!("{{\"crc32\": \"{:08x}\",\n", crc32fast::hash(body)).as_bytes(), body].concat();
    write_whole(path, &whole).map_err(LearnError::at(path))
}

/// Reads such a file.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<T, LearnError> {
    let bytes = read_file(path, LARGEST).map_err(LearnError::at(path))?;
    let damaged = |what: &str| LearnError::Damaged { path: path.to_owned(), what: what.to_owned() };
    let end = bytes.iter().position(|&byte| byte == b'\n').ok_or_else(|| damaged("damaged: cut off"))?;
    let (first, body) = bytes.split_at(end + 1);
    if first != format!("{{\"crc32\": \"{:08x}\",\n", crc32fast::hash(body)).as_bytes() {
        return Err(damaged("damaged: wrong checksum"));
    }
    serde_json::from_slice(&bytes).map_err(|error| damaged(&format!("damaged: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::container::damages;

    #[test]
    fn an_object_is_read_as_it_was_written_and_damage_is_noticed() {
        let path = std::env::temp_dir().join(format!("hippolyta-sealed-{}", std::process::id()));
        let object = serde_json::json!({"a": [1, 2.5], "b": {"c": "d"}});
        write(&path, &object).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let found: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        assert_eq!((&found["a"], &found["b"]), (&object["a"], &object["b"]));
        assert!(read::<serde_json::Value>(&path).is_ok());
        for (damage, damaged) in damages(&bytes) {
            std::fs::write(&path, damaged).unwrap();
            assert!(matches!(read::<serde_json::Value>(&path), Err(LearnError::Damaged { .. })), "{damage}");
        }
        std::fs::remove_file(&path).unwrap();
    }
}
