//! What a fit depends on, so that a checkpoint is used for the fit that it belongs to and for no other.

use super::error::FitError;
use super::options::FitOptions;
use crate::eval::Weights;
use crate::training::fingerprint::fingerprint;
use crate::training::record::FileError;
use serde::Serialize;
use std::fs;
use std::path::PathBuf;

/// Everything that the weights of a fit depend on, with checksums for long bytes.
#[derive(Serialize)]
struct Identity<'a> {
    version: &'static str,
    options: &'a FitOptions,
    /// The weights that the fit starts from.
    start: u32,
    /// The data files, in their order.
    data: Vec<u32>,
}

/// A fingerprint of all that a fit depends on.
pub fn identity(files: &[PathBuf], known: &Weights, options: &FitOptions) -> Result<String, FitError> {
    let sum = |path: &PathBuf| fs::read(path).map(|bytes| crc32fast::hash(&bytes)).map_err(FileError::at(path));
    let data = files.iter().map(sum).collect::<Result<_, FileError>>()?;
    Ok(of(&known.tables().to_bytes(), data, options))
}

fn of(start: &[u8], data: Vec<u32>, options: &FitOptions) -> String {
    let identity = Identity { version: env!("CARGO_PKG_VERSION"), options, start: crc32fast::hash(start), data };
    // Numbers and strings are always JSON.
    fingerprint(&serde_json::to_vec(&identity).unwrap_or_default())
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
        let mut all = vec![this];
        for change in changes {
            let mut options = options;
            change(&mut options);
            all.push(of(b"weights", vec![1, 2], &options));
        }
        for (start, data) in [(&b"other"[..], vec![1, 2]), (b"weights", vec![2, 1]), (b"weights", vec![1])] {
            all.push(of(start, data, &options));
        }
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn options_are_named_by_their_fields() {
        let options = serde_json::to_string(&FitOptions::default()).unwrap();
        let expected = r#"{"search_share":0.0,"inner_every":0,"inner_share":1.0,"validation":20,"policy_every":4,"#;
        assert_eq!(options, format!("{expected}{}", r#""epochs":4,"rate":null,"seed":1}"#));
    }
}
