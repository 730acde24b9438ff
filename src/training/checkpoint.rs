//! Where a fit stands, as a file: a fit that was killed goes on from it and comes to the same bytes.
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | `HIPPOFI2`; the first format held weights, this one holds changes to them |
//! | 4 | length of the header, little-endian like all that follows |
//! | … | the header, JSON |
//! | … | arrays of 32-bit floating-point numbers, of the lengths that the header names |
//! | 4 | CRC-32 of all that stands before |

use super::fit::Losses;
use super::optimiser::Moments;
use crate::files::write_whole;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

const MAGIC: &[u8; 8] = b"HIPPOFI2";

/// What is fitted, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Stage {
    Value,
    Policy,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    /// Of options, data and first weights.
    run: String,
    stage: Stage,
    epoch: u32,
    losses: Vec<Losses>,
    /// Lengths of the value's weights, of those of the stage, and of its moments.
    lengths: [usize; 4],
}

/// A fit between two epochs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Checkpoint {
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
        let arrays = [&self.value, &self.weights, &self.moments.mean, &self.moments.square];
        let header = Header {
            run: self.run.clone(),
            stage: self.stage,
            epoch: self.moments.epoch,
            losses: self.losses.clone(),
            lengths: arrays.map(Vec::len),
        };
        let header = serde_json::to_vec(&header)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header);
        arrays.into_iter().flatten().for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        write_whole(path, &bytes)
    }

    /// `None` if the bytes are not those of a checkpoint.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (all, sum) = bytes.split_last_chunk::<4>()?;
        if crc32fast::hash(all) != u32::from_le_bytes(*sum) {
            return None;
        }
        let (length, rest) = all.strip_prefix(MAGIC)?.split_first_chunk::<4>()?;
        let (header, mut rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let Header { run, stage, epoch, losses, lengths } = serde_json::from_slice(header).ok()?;
        let mut array = |length: usize| {
            let (numbers, behind) = rest.split_at_checked(length.checked_mul(4)?)?;
            rest = behind;
            Some(numbers.as_chunks::<4>().0.iter().map(|&number| f32::from_le_bytes(number)).collect::<Vec<_>>())
        };
        let [value, weights, mean, square] =
            [array(lengths[0])?, array(lengths[1])?, array(lengths[2])?, array(lengths[3])?];
        Some(Self { run, stage, losses, value, weights, moments: Moments { epoch, mean, square } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_is_read_as_it_was_written_and_damage_is_noticed() {
        let losses =
            vec![Losses { what: Stage::Value.name().to_owned(), epoch: 1, training: 0.1 + 0.2, validation: 1.0 / 3.0 }];
        let moments = Moments { epoch: 3, mean: vec![1.5e-9, -2.0], square: vec![0.1, f32::MIN_POSITIVE] };
        let checkpoint = Checkpoint {
            run: "abc".to_owned(),
            stage: Stage::Policy,
            losses,
            value: vec![0.1, 0.2, 0.3],
            weights: vec![-7.0, 1.0 / 3.0],
            moments,
        };
        let folder = tempfile();
        checkpoint.write(&folder).unwrap();
        let bytes = std::fs::read(&folder).unwrap();
        std::fs::remove_file(&folder).unwrap();
        assert_eq!(Checkpoint::from_bytes(&bytes), Some(checkpoint));
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 4;
            assert_eq!(Checkpoint::from_bytes(&damaged), None, "byte {place}");
            assert_eq!(Checkpoint::from_bytes(&bytes[..place]), None, "cut at {place}");
        }
    }

    fn tempfile() -> std::path::PathBuf {
        std::env::temp_dir().join(format!("hippolyta-checkpoint-{}", std::process::id()))
    }
}
