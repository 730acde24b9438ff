//! The form of binary files in which all damage is noticed. All numbers are little-endian:
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | magic: which kind of file |
//! | 4 | format version |
//! | … | frames; the first holds the header |
//!
//! A frame is the length of its body (4 bytes), the body's CRC-32 (4 bytes) and the body.

use crc32fast::Hasher;
use std::io::{self, Read};
use thiserror::Error;

/// A longer frame is damaged.
const LONGEST: u32 = 1 << 24;

/// What a file begins with: magic, version, header.
pub fn start(magic: &[u8; 8], version: u32, header: &[u8]) -> Vec<u8> {
    [magic, &version.to_le_bytes()[..], &frame(header)].concat()
}

/// A body as a frame.
pub fn frame(body: &[u8]) -> Vec<u8> {
    [&(body.len() as u32).to_le_bytes(), &crc32fast::hash(body).to_le_bytes(), body].concat()
}

/// Why a frame cannot be read.
#[derive(Debug, Error)]
pub enum FrameError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file ends within it.
    #[error("cut off")]
    CutOff,
    /// Nobody writes such long ones.
    #[error("a frame of impossible length")]
    Length,
    /// The body is not what was written.
    #[error("wrong checksum")]
    Checksum,
}

/// Reads a file from its beginning.
pub struct Frames<R> {
    input: R,
    position: u64,
    sum: Hasher,
}

impl<R: Read> Frames<R> {
    pub fn new(input: R) -> Self {
        Self { input, position: 0, sum: Hasher::new() }
    }

    /// Bytes read so far.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// CRC-32 of all of them.
    pub fn sum(&self) -> u32 {
        self.sum.clone().finalize()
    }

    /// The next bytes; fewer at the end of the file.
    pub fn bytes(&mut self, length: u32) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.input.by_ref().take(length.into()).read_to_end(&mut bytes)?;
        self.position += bytes.len() as u64;
        self.sum.update(&bytes);
        Ok(bytes)
    }

    /// The magic and the version; `None` if the file is of another kind.
    pub fn version(&mut self, magic: &[u8; 8]) -> io::Result<Option<u32>> {
        let start = self.bytes(12)?;
        Ok(start.strip_prefix(magic).and_then(|version| Some(u32::from_le_bytes(version.try_into().ok()?))))
    }

    /// The next frame's body; `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// If it is damaged or cannot be read; then nothing more can be read.
    pub fn frame(&mut self) -> Result<Option<Vec<u8>>, FrameError> {
        let start = self.bytes(8)?;
        let [a, b, c, d, e, f, g, h] = match start[..] {
            [] => return Ok(None),
            _ => start.try_into().map_err(|_| FrameError::CutOff)?,
        };
        let (length, sum) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
        if length > LONGEST {
            return Err(FrameError::Length);
        }
        let body = self.bytes(length)?;
        if body.len() < length as usize {
            Err(FrameError::CutOff)
        } else if crc32fast::hash(&body) == sum {
            Ok(Some(body))
        } else {
            Err(FrameError::Checksum)
        }
    }
}
