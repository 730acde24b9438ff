//! Everything that a fit depends on, so that a checkpoint is used for the fit that it belongs to and for no other, and
//! a finished file is taken for the result of the fit that made it alone.

use super::error::FitError;
use super::options::FitOptions;
use crate::differences::{change, described};
use crate::training::record::FileError;
use hippolyta::eval::Weights;
use serde::Serialize;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

/// Everything that the weights of a fit depend on, with checksums for long bytes.
#[derive(Serialize)]
struct Identity<'a> {
    /// Of the program.
    version: &'static str,
    #[serde(flatten)]
    options: &'a FitOptions,
    /// The weights that the fit starts from.
    start: u32,
    /// The data files, in their order.
    data: Vec<u32>,
}

/// A description of all that a fit depends on.
///
/// # Errors
///
/// If a data file cannot be read.
pub fn identity(files: &[PathBuf], known: &Weights, options: &FitOptions) -> Result<Value, FitError> {
    let sum = |path: &PathBuf| fs::read(path).map(|bytes| crc32fast::hash(&bytes)).map_err(FileError::at(path));
    let data = files.iter().map(sum).collect::<Result<_, FileError>>()?;
    Ok(of(&known.tables().to_bytes(), data, options))
}

fn of(start: &[u8], data: Vec<u32>, options: &FitOptions) -> Value {
    described(&Identity { version: env!("CARGO_PKG_VERSION"), options, start: crc32fast::hash(start), data })
}

/// The differences between two descriptions, as options of the command line.
pub fn differences(old: &Value, new: &Value) -> Vec<String> {
    let options = |identity: &Value| {
        let mut fields = identity.as_object().cloned().unwrap_or_default();
        let rest = ["version", "start", "data"].map(|name| fields.remove(name).unwrap_or_default());
        // Options that are not set are left out there.
        fields.retain(|_, value| !value.is_null());
        (Value::from(fields), rest)
    };
    let ((old, [old_version, old_start, old_data]), (mut new, [version, start, data])) = (options(old), options(new));
    for name in old.as_object().into_iter().flat_map(|fields| fields.keys()) {
        new.as_object_mut().map(|fields| fields.entry(name).or_insert(Value::Null));
    }
    let mut found = crate::differences::differences(&old, &new);
    if old_version != version {
        found.push(change("program", &old_version, &version));
    }
    if old_start != start {
        found.push("--start: other weights".to_owned());
    }
    if old_data != data {
        found.push("other data files".to_owned());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::options::Only;
    use super::*;

    #[test]
    fn every_option_every_file_and_the_weights_count() {
        let options = FitOptions { rate: Some(0.01), ..FitOptions::default() };
        let this = of(b"weights", vec![1, 2], &options);
        assert_eq!(of(b"weights", vec![1, 2], &options), this);
        let changes: [fn(&mut FitOptions); 11] = [
            |options| options.search_share += 0.1,
            |options| options.inner_every += 1,
            |options| options.inner_share -= 0.1,
            |options| options.validation += 1,
            |options| options.policy_every += 1,
            |options| options.only = Some(Only::Shapes),
            |options| options.epochs += 1,
            |options| options.rate = Some(0.011),
            |options| options.rate = Some(0.0),
            |options| options.rate = None,
            |options| options.seed += 1,
        ];
        let mut all = Vec::new();
        for change in changes {
            let mut options = options;
            change(&mut options);
            all.push(of(b"weights", vec![1, 2], &options));
        }
        for (start, data) in [(&b"other"[..], vec![1, 2]), (b"weights", vec![2, 1]), (b"weights", vec![1])] {
            all.push(of(start, data, &options));
        }
        let found: Vec<_> = all.iter().map(|other| differences(&this, other).join("; ")).collect();
        let expected = [
            "--search-share 0.0 → 0.1",
            "--inner-every 0 → 1",
            "--inner-share 1.0 → 0.9",
            "--validation 20 → 21",
            "--policy-every 4 → 5",
            "--only none → shapes",
            "--epochs 4 → 5",
            "--rate 0.01 → 0.011",
            "--rate 0.01 → 0.0",
            "--rate 0.01 → none",
            "--seed 1 → 2",
            "--start: other weights",
            "other data files",
            "other data files",
        ];
        assert_eq!(found, expected);
        assert_eq!(differences(&all[5], &this), ["--only shapes → none"]);
        assert_eq!(differences(&this, &this), [""; 0]);
    }

    #[test]
    fn options_are_named_by_their_fields() {
        let options = serde_json::to_string(&FitOptions::default()).unwrap();
        let expected = r#"{"search_share":0.0,"inner_every":0,"inner_share":1.0,"validation":20,"policy_every":4,"#;
        assert_eq!(options, format!("{expected}{}", r#""epochs":4,"rate":null,"seed":1}"#));
    }
}
