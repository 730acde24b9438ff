//! The state of a fit between two epochs, as a file. A fit that was killed goes on from it and comes to the same
//! bytes.
//!
//! A checkpoint is a [container] with the magic `HIPPOFI2`, version 3. Its header is a `Header`. Its payload is four
//! arrays of 32-bit floating-point numbers, little-endian, of the lengths that the header names.

use super::losses::{Losses, Stage};
use super::optimiser::Moments;
use hippolyta::container::{self, ContainerError, Format};
use hippolyta::files::write_whole;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

const FORMAT: Format = Format { magic: *b"HIPPOFI2", name: "checkpoint of a fit", version: 3 };

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    /// Identity of the fit: options, data and first weights.
    run: String,
    stage: Stage,
    /// Number of epochs of the stage.
    epoch: u32,
    losses: Vec<Losses>,
    /// Lengths of the arrays: the value's weights, those of the stage, means and squares of its moments.
    lengths: [usize; 4],
}

/// The state of a fit between two epochs.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Identity of the fit.
    pub run: String,
    pub stage: Stage,
    /// Everything reported so far.
    pub losses: Vec<Losses>,
    /// The value's weights, once it is done.
    pub value: Vec<f32>,
    /// The weights of what is being fitted.
    pub weights: Vec<f32>,
    pub moments: Moments,
}

impl Checkpoint {
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_whole(path, &self.to_bytes()?)
    }

    fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let arrays = [&self.value, &self.weights, &self.moments.mean, &self.moments.square];
        let header = Header {
            run: self.run.clone(),
            stage: self.stage,
            epoch: self.moments.epoch,
            losses: self.losses.clone(),
            lengths: arrays.map(Vec::len),
        };
        let payload: Vec<u8> = arrays.into_iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        container::whole(&FORMAT, &header, &payload)
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ContainerError> {
        let mut reader = container::Reader::new(&FORMAT, bytes)?;
        let Header { run, stage, epoch, losses, lengths } = reader.header()?;
        let mut payload = Vec::new();
        reader.payload(&mut payload)?;
        let (numbers, rest) = payload.as_chunks::<4>();
        let mut numbers = numbers.iter().map(|&number| f32::from_le_bytes(number));
        let [value, weights, mean, square] = lengths.map(|length| numbers.by_ref().take(length).collect::<Vec<_>>());
        let found = [&value, &weights, &mean, &square].map(Vec::len);
        if found != lengths || numbers.next().is_some() || !rest.is_empty() {
            return Err(ContainerError::Header("its lengths are not those of the arrays".to_owned()));
        }
        Ok(Self { run, stage, losses, value, weights, moments: Moments { epoch, mean, square } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        let losses =
            vec![Losses { what: Stage::Value.name().to_owned(), epoch: 1, training: 0.1 + 0.2, validation: 1.0 / 3.0 }];
        Checkpoint {
            run: "abc".to_owned(),
            stage: Stage::Policy,
            losses,
            value: vec![0.1, 0.2, 0.3],
            weights: vec![-7.0, 1.0 / 3.0],
            moments: Moments { epoch: 3, mean: vec![1.5e-9, -2.0], square: vec![0.1, f32::MIN_POSITIVE] },
        }
    }

    #[test]
    fn a_checkpoint_is_read_as_it_was_written_and_damage_is_noticed() {
        let path = std::env::temp_dir().join(format!("hippolyta-checkpoint-{}", std::process::id()));
        checkpoint().write(&path).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(Checkpoint::from_bytes(&bytes).unwrap(), checkpoint());
        for place in 0..bytes.len() {
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[place] ^= 1 << bit;
                assert!(Checkpoint::from_bytes(&damaged).is_err(), "bit {bit} of byte {place}");
            }
            assert!(Checkpoint::from_bytes(&bytes[..place]).is_err(), "cut at {place}");
        }
    }

    #[test]
    fn lengths_that_are_not_those_of_the_payload_are_refused() {
        let read = |lengths, payload: &[u8]| {
            let Checkpoint { run, stage, losses, .. } = checkpoint();
            let header = Header { run, stage, epoch: 1, losses, lengths };
            Checkpoint::from_bytes(&container::whole(&FORMAT, &header, payload).unwrap())
        };
        assert_eq!(read([1, 2, 0, 1], &[0; 16]).unwrap().weights, [0.0; 2]);
        for (lengths, bytes) in [([1, 2, 0, 1], 12), ([1, 2, 0, 1], 20), ([1, 2, 0, 1], 17), ([usize::MAX; 4], 16)] {
            let error = read(lengths, &vec![0; bytes]).unwrap_err().to_string();
            assert_eq!(error, "damaged header: its lengths are not those of the arrays");
        }
    }

    #[test]
    fn other_kinds_and_versions_are_refused() {
        assert_eq!(
            Checkpoint::from_bytes(b"HIPPOFIT\x07\x01\0\0").unwrap_err().to_string(),
            "not a checkpoint of a fit"
        );
        let error = Checkpoint::from_bytes(b"HIPPOFI2\x07\x01\0\0").unwrap_err();
        assert!(matches!(error, ContainerError::Version { .. }), "{error}");
    }
}
