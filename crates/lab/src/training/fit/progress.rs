//! Reports of a fit, and the checkpoint that it goes on from.

use super::checkpoint::Checkpoint;
use super::error::FitError;
use super::identity::differences;
use super::losses::{Losses, Stage};
use super::optimiser::Moments;
use hippolyta::container::ContainerError;
use serde_json::Value;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

/// How far a fit has come.
pub struct Progress<'a> {
    /// Identity of the fit.
    identity: Value,
    checkpoint: Held<'a>,
    /// Everything reported so far.
    losses: Vec<Losses>,
    report: &'a mut dyn FnMut(&Losses),
}

impl<'a> Progress<'a> {
    /// For the checkpoint at `path`, which nobody else may be writing.
    pub fn new(identity: Value, path: &'a Path, report: &'a mut dyn FnMut(&Losses)) -> Result<Self, FitError> {
        match locked(path) {
            Ok(Some(file)) => Ok(Self { identity, checkpoint: Held { path, file }, losses: Vec::new(), report }),
            Ok(None) => Err(FitError::Unfit(format!("{}: another fit is writing it", path.display()))),
            Err(error) => Err(FitError::Checkpoint { path: path.to_owned(), error: error.into() }),
        }
    }

    /// Reports the losses after an epoch, on training and on validation games.
    pub fn tell(&mut self, stage: Stage, epoch: u32, [training, validation]: [f64; 2]) {
        let losses = Losses { what: stage.name().to_owned(), epoch, training, validation };
        (self.report)(&losses);
        self.losses.push(losses);
    }

    /// Everything reported, and what the fit depends on.
    pub fn into_parts(self) -> (Vec<Losses>, Value) {
        (self.losses, self.identity)
    }

    /// Writes the checkpoint. `value` are the evaluation's weights once it is done.
    pub fn keep(&mut self, stage: Stage, value: &[f32], weights: &[f32], moments: &Moments) -> io::Result<()> {
        let checkpoint = Checkpoint {
            run: self.identity.to_string(),
            stage,
            losses: self.losses.clone(),
            value: value.to_vec(),
            weights: weights.to_vec(),
            moments: moments.clone(),
        };
        checkpoint.write(self.checkpoint.path)?;
        if let Some(file) = locked(self.checkpoint.path)? {
            self.checkpoint.file = file;
        }
        Ok(())
    }

    /// Reads the checkpoint; `None` if there is none. What it reported is taken as reported.
    pub fn resume(&mut self) -> Result<Option<Checkpoint>, FitError> {
        let path = self.checkpoint.path;
        let bytes = fs::read(path).map_err(|error| self.error(error))?;
        if bytes.is_empty() {
            return Ok(None);
        }
        let found = Checkpoint::from_bytes(&bytes).map_err(|error| match error {
            ContainerError::Version { .. } => FitError::Version(path.to_owned()),
            error => self.error(error),
        })?;
        // Earlier versions kept a fingerprint, which is of another version in any case.
        let known = serde_json::from_str(&found.run).unwrap_or_default();
        let differences = differences(&known, &self.identity);
        if !differences.is_empty() {
            return Err(self.other(differences));
        }
        self.losses.clone_from(&found.losses);
        Ok(Some(found))
    }

    /// Copies the weights of a checkpoint.
    pub fn restore(&self, weights: &mut [f32], found: &[f32]) -> Result<(), FitError> {
        if weights.len() != found.len() {
            return Err(self.other(vec!["another number of weights".to_owned()]));
        }
        weights.copy_from_slice(found);
        Ok(())
    }

    /// An error of the checkpoint's file.
    pub fn error(&self, error: impl Into<ContainerError>) -> FitError {
        FitError::Checkpoint { path: self.checkpoint.path.to_owned(), error: error.into() }
    }

    fn other(&self, differences: Vec<String>) -> FitError {
        FitError::Other { path: self.checkpoint.path.to_owned(), differences }
    }
}

/// The file of the checkpoint, empty before the first one, and locked.
struct Held<'a> {
    path: &'a Path,
    file: File,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if self.file.metadata().is_ok_and(|known| known.len() == 0) {
            let _ = fs::remove_file(self.path);
        }
    }
}

/// Opens a file, or makes it, and locks it; `None` if somebody else has. Some file systems have no locks; then there is
/// none.
fn locked(path: &Path) -> io::Result<Option<File>> {
    let file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    Ok(if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) { None } else { Some(file) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_was_kept_is_resumed_by_the_same_fit_alone() {
        let path = std::env::temp_dir().join(format!("hippolyta-progress-{}", std::process::id()));
        let mut told = Vec::new();
        let mut report = |losses: &Losses| told.push(losses.epoch);
        let moments = Moments { epoch: 2, mean: vec![1.0], square: vec![2.0] };
        let mut first = Progress::new(json!({"seed": 1}), &path, &mut report).unwrap();
        assert!(first.resume().unwrap().is_none());
        first.tell(Stage::Value, 0, [0.7, 0.8]);
        for _ in 0..2 {
            let busy = Progress::new(json!({"seed": 1}), &path, &mut |_| ()).err().unwrap().to_string();
            assert_eq!(busy, format!("{}: another fit is writing it", path.display()));
            first.keep(Stage::Value, &[], &[3.0], &moments).unwrap();
        }
        let losses = first.into_parts();
        let mut silent = |_: &Losses| panic!("what was reported is not reported again");
        let mut again = Progress::new(json!({"seed": 1}), &path, &mut silent).unwrap();
        let found = again.resume().unwrap().unwrap();
        assert_eq!((found.stage, &found.weights[..], &found.moments), (Stage::Value, &[3.0][..], &moments));
        let error = again.restore(&mut [0.0; 2], &found.weights).unwrap_err();
        assert!(error.to_string().contains("other options: another number of weights"), "{error}");
        assert_eq!(again.into_parts(), losses);
        let mut other = Progress::new(json!({"seed": 2}), &path, &mut silent).unwrap();
        let error = other.resume().unwrap_err().to_string();
        let shown = path.display();
        assert_eq!(error, format!("{shown} is of a fit with other options: --seed 1 → 2; remove it to begin anew"));
        fs::write(&path, b"HIPPOFI2\x07\x01\0\0").unwrap();
        let old = other.resume().unwrap_err().to_string();
        assert!(old.ends_with("; go on with that version, or remove it to begin anew"), "{old}");
        fs::write(&path, b"mine").unwrap();
        let foreign = other.resume().unwrap_err().to_string();
        assert_eq!(foreign, format!("{}: not a checkpoint of a fit; remove it to begin anew", path.display()));
        // What nothing was kept in goes away.
        fs::write(&path, b"").unwrap();
        drop(other);
        assert!(!path.exists());
        assert_eq!(told, [0]);
    }
}
