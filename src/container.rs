//! The form that all binary files of Hippolyta share. It notices damage at any byte.
//!
//! All numbers are little-endian:
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | magic: the kind of the file |
//! | 4 | format version; each kind counts its own |
//! | … | a frame: the header, JSON |
//! | … | frames: the payload |
//! | … | a frame: the end |
//!
//! A frame is the length of its body (4 bytes), the CRC-32 of its body (4 bytes) and the body. The body of the end
//! has 12 bytes, as no frame of the payload has: the number of frames of the payload (8 bytes) and the CRC-32 of the
//! whole file before the end (4 bytes).
//!
//! | magic | kind of file | version | header | payload |
//! | --- | --- | --- | --- | --- |
//! | `HIPPODAT` | games of self-play | 3 | run, shard | a frame for each game |
//! | `HIPPOWTS` | [weights] | 2 | notes, names and lengths of tables | 32-bit integers |
//! | `HIPPOFI2` | checkpoint of a fit | 3 | run, stage, losses, lengths of arrays | 32-bit floats |
//! | `HIPPOPRF` | proof files | 1 | rule set, position, result | turns, compressed |
//! | `HIPPODMT` | [endgame tables of Damone] | 2 | rules, pieces, quiet plies | a byte for each position |
//!
//! A payload without frames of its own is cut into frames of 1 MiB.
//!
//! [weights]: crate::eval::weights
//! [endgame tables of Damone]: crate::endgame::damone

use crate::json;
use crc32fast::Hasher;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Read, Write};
use thiserror::Error;

/// A longer frame is damaged.
const LONGEST: u32 = 1 << 24;
/// Length of a frame of a payload that has no frames of its own.
const PART: usize = 1 << 20;
/// Length of the end's body.
const END: usize = 12;

/// A kind of file.
#[derive(Debug)]
pub struct Format {
    /// The first bytes of a file.
    pub magic: [u8; 8],
    /// The name of the format in error messages.
    pub name: &'static str,
    /// The version that this program writes and reads.
    pub version: u32,
}

/// Why a file cannot be read.
///
/// ```
/// use hippolyta::eval::weights::{ContainerError, Tables, WeightsError};
///
/// let bytes = Tables::default().to_bytes();
/// let refused = |bytes: &[u8]| match Tables::from_bytes(bytes) {
///     Err(WeightsError::File(error)) => error,
///     other => panic!("{other:?}"),
/// };
/// assert!(matches!(refused(b"no weights at all"), ContainerError::Foreign("weights file of Hippolyta")));
/// assert!(matches!(refused(&bytes[..bytes.len() - 1]), ContainerError::CutOff { .. }));
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ContainerError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It begins with another magic.
    #[error("not a {0}")]
    Foreign(&'static str),
    /// A version that this program does not read.
    #[error("format version {found}, and this program reads {known}")]
    Version {
        /// The version of the file.
        found: u32,
        /// The version that this program reads.
        known: u32,
    },
    /// The header is damaged.
    #[error("damaged header: {0}")]
    Header(String),
    /// A frame is damaged.
    #[error("damaged at byte {at}: {what}")]
    Frame {
        /// Where the frame begins.
        at: u64,
        /// The fault, in words.
        what: String,
    },
    /// The last frame is not whole.
    #[error("cut off in the frame that begins at byte {at}")]
    CutOff {
        /// Where the frame begins.
        at: u64,
    },
    /// There is no end behind the last frame.
    #[error("no end after {frames} frames, at byte {at}: cut off, or not finished")]
    Unfinished {
        /// Where the end should be.
        at: u64,
        /// Frames of the payload before it.
        frames: u64,
    },
}

/// A body as a frame.
#[must_use]
pub fn frame(body: &[u8]) -> Vec<u8> {
    [&(body.len() as u32).to_le_bytes(), &crc32fast::hash(body).to_le_bytes(), body].concat()
}

/// The body of the frame at the beginning of `bytes`, if it is there and undamaged.
#[must_use]
pub fn framed(bytes: &[u8]) -> Option<&[u8]> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (sum, rest) = rest.split_first_chunk()?;
    let length = Some(u32::from_le_bytes(*length)).filter(|&length| length <= LONGEST)?;
    let body = rest.get(..length as usize)?;
    (crc32fast::hash(body) == u32::from_le_bytes(*sum)).then_some(body)
}

/// How a text carries its checksum: eight hexadecimal digits, the CRC-32 of the rest, between two words at its
/// beginning or at its end.
#[doc(hidden)]
#[derive(Debug)]
pub struct Seal {
    words: [&'static str; 2],
    at_end: bool,
}

impl Seal {
    /// A line: the digits and a blank before it.
    pub const LINE: Self = Self { words: ["", " "], at_end: false };
    /// An object of JSON on several lines: its first field.
    pub const OBJECT: Self = Self { words: ["{\"crc32\": \"", "\",\n"], at_end: false };
    /// A page of HTML: a comment at its end.
    pub const PAGE: Self = Self { words: ["<!-- ", " -->\n"], at_end: true };

    fn of(&self, text: &[u8]) -> String {
        let [before, after] = self.words;
        format!("{before}{:08x}{after}", crc32fast::hash(text))
    }

    /// A text with its checksum.
    pub fn put(&self, text: &str) -> String {
        let seal = self.of(text.as_bytes());
        if self.at_end { text.to_owned() + &seal } else { seal + text }
    }

    /// The text without its checksum, if that is there and right.
    pub fn take<'a>(&self, sealed: &'a [u8]) -> Option<&'a [u8]> {
        let length = 8 + self.words.concat().len();
        let at = if self.at_end { sealed.len().checked_sub(length)? } else { length };
        let (first, last) = sealed.split_at_checked(at)?;
        let (seal, text) = if self.at_end { (last, first) } else { (first, last) };
        (seal == self.of(text).as_bytes()).then_some(text)
    }
}

/// An object, which must have a field at least, as JSON with a checksum.
#[doc(hidden)]
pub fn sealed_object(object: &impl Serialize) -> String {
    let body = serde_json::to_string_pretty(object).unwrap_or_default() + "\n";
    debug_assert!(body.starts_with("{\n"));
    // Without the brace, which stands before the checksum.
    Seal::OBJECT.put(&body[2..])
}

/// Reads what [`sealed_object`] has written.
///
/// # Errors
///
/// The fault of the text, in words.
#[doc(hidden)]
pub fn unsealed_object<T: DeserializeOwned>(sealed: &[u8]) -> Result<T, String> {
    Seal::OBJECT.take(sealed).ok_or("damaged: wrong checksum")?;
    json::read(sealed).map_err(|error| format!("damaged: {error}"))
}

/// The bytes before the payload: magic, version and header.
///
/// # Errors
///
/// If the header cannot be written as JSON.
pub fn start(format: &Format, header: &impl Serialize) -> io::Result<Vec<u8>> {
    let header = frame(&serde_json::to_vec(header)?);
    Ok([&format.magic, &format.version.to_le_bytes()[..], &header].concat())
}

/// The body of the end.
fn end(frames: u64, sum: u32) -> Vec<u8> {
    [&frames.to_le_bytes()[..], &sum.to_le_bytes()].concat()
}

/// Writes a file from its beginning to its end.
pub struct Writer<W> {
    output: W,
    /// Of all bytes so far.
    sum: Hasher,
    /// Frames of the payload so far.
    frames: u64,
}

impl<W: Write> Writer<W> {
    /// Writes magic, version and header.
    ///
    /// # Errors
    ///
    /// If the header cannot be written as JSON, or `output` refuses.
    pub fn new(format: &Format, output: W, header: &impl Serialize) -> io::Result<Self> {
        let mut writer = Self { output, sum: Hasher::new(), frames: 0 };
        writer.write(&start(format, header)?)?;
        Ok(writer)
    }

    /// Writes a frame of the payload. Its body must not have 12 bytes.
    ///
    /// # Errors
    ///
    /// If the output refuses.
    pub fn frame(&mut self, body: &[u8]) -> io::Result<()> {
        debug_assert!(body.len() != END && body.len() <= LONGEST as usize);
        self.frames += 1;
        self.write(&frame(body))
    }

    /// Writes a payload that has no frames of its own.
    ///
    /// # Errors
    ///
    /// If the output refuses.
    pub fn payload(&mut self, bytes: &[u8]) -> io::Result<()> {
        for part in bytes.chunks(PART) {
            // A body of 12 bytes would be taken for the end.
            let parts = if part.len() == END { END / 2 } else { PART };
            part.chunks(parts).try_for_each(|part| self.frame(part))?;
        }
        Ok(())
    }

    /// Writes the end.
    ///
    /// # Errors
    ///
    /// If the output refuses.
    pub fn finish(mut self) -> io::Result<W> {
        let sum = self.sum.clone().finalize();
        self.write(&frame(&end(self.frames, sum)))?;
        self.output.flush()?;
        Ok(self.output)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum.update(bytes);
        self.output.write_all(bytes)
    }
}

/// The bytes of a whole file.
///
/// # Errors
///
/// If the header cannot be written as JSON.
pub fn whole(format: &Format, header: &impl Serialize, payload: &[u8]) -> io::Result<Vec<u8>> {
    let mut writer = Writer::new(format, Vec::new(), header)?;
    writer.payload(payload)?;
    writer.finish()
}

/// Reads a file from its beginning.
pub struct Reader<R> {
    input: R,
    /// Bytes read so far.
    position: u64,
    /// Of these bytes.
    sum: Hasher,
    /// Frames of the payload so far.
    frames: u64,
    ended: bool,
}

impl<R: Read> Reader<R> {
    /// Reads magic and version.
    ///
    /// # Errors
    ///
    /// If the file is of another kind or version.
    pub fn new(format: &Format, input: R) -> Result<Self, ContainerError> {
        let mut reader = Self { input, position: 0, sum: Hasher::new(), frames: 0, ended: false };
        let start = reader.bytes(12)?;
        let version = start.strip_prefix(&format.magic).and_then(|version| version.try_into().ok());
        let (found, known) = (u32::from_le_bytes(version.ok_or(ContainerError::Foreign(format.name))?), format.version);
        if found == known { Ok(reader) } else { Err(ContainerError::Version { found, known }) }
    }

    /// Number of bytes read so far.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Reads the header.
    ///
    /// # Errors
    ///
    /// If it is damaged.
    pub fn header<H: DeserializeOwned>(&mut self) -> Result<H, ContainerError> {
        let damaged = |what: &str| ContainerError::Header(what.to_owned());
        let text = match self.body() {
            Ok(text) => text.ok_or_else(|| damaged("cut off"))?,
            Err(ContainerError::CutOff { .. }) => return Err(damaged("cut off")),
            Err(ContainerError::Frame { what, .. }) => return Err(ContainerError::Header(what)),
            Err(error) => return Err(error),
        };
        json::read(&text).map_err(|error| damaged(&error))
    }

    /// The next frame of the payload. `None` at the end, once the whole file has been found undamaged.
    ///
    /// # Errors
    ///
    /// If the frame is damaged or cut off, or the end is missing. Then nothing more can be read.
    pub fn frame(&mut self) -> Result<Option<Vec<u8>>, ContainerError> {
        if self.ended {
            return Ok(None);
        }
        let (at, sum) = (self.position, self.sum.clone().finalize());
        let damaged = |what: &str| ContainerError::Frame { at, what: what.to_owned() };
        let body = self.body()?.ok_or(ContainerError::Unfinished { at, frames: self.frames })?;
        if body.len() != END {
            self.frames += 1;
            Ok(Some(body))
        } else if body != end(self.frames, sum) {
            Err(damaged("frames are missing, doubled or changed"))
        } else if !self.bytes(1)?.is_empty() {
            Err(damaged("something stands after the end"))
        } else {
            self.ended = true;
            Ok(None)
        }
    }

    /// Appends the rest of the payload to `bytes`, and reads the end.
    ///
    /// # Errors
    ///
    /// As [`frame`](Self::frame).
    pub fn payload(&mut self, bytes: &mut Vec<u8>) -> Result<(), ContainerError> {
        while let Some(body) = self.frame()? {
            if bytes.is_empty() {
                *bytes = body;
            } else {
                bytes.extend(body);
            }
        }
        Ok(())
    }

    /// The next frame's body, be it header, payload or end. `None` at the end of the file.
    fn body(&mut self) -> Result<Option<Vec<u8>>, ContainerError> {
        let at = self.position;
        let damaged = |what: &str| ContainerError::Frame { at, what: what.to_owned() };
        let start = self.bytes(8)?;
        let [a, b, c, d, e, f, g, h] = match start[..] {
            [] => return Ok(None),
            _ => start.try_into().map_err(|_| ContainerError::CutOff { at })?,
        };
        let (length, sum) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
        if length > LONGEST {
            return Err(damaged("a frame of impossible length"));
        }
        let body = self.bytes(length.into())?;
        if body.len() < length as usize {
            Err(ContainerError::CutOff { at })
        } else if crc32fast::hash(&body) == sum {
            Ok(Some(body))
        } else {
            Err(damaged("wrong checksum"))
        }
    }

    /// The next bytes; fewer at the end of the file.
    fn bytes(&mut self, length: u64) -> io::Result<Vec<u8>> {
        // A damaged length must not take all memory.
        let mut bytes = Vec::with_capacity(length.min(PART as u64) as usize);
        self.input.by_ref().take(length).read_to_end(&mut bytes)?;
        self.position += bytes.len() as u64;
        self.sum.update(&bytes);
        Ok(bytes)
    }
}

/// A file with each of its bits inverted in turn, and cut off at each byte; with what was done.
#[doc(hidden)]
pub fn damages(bytes: &[u8]) -> impl Iterator<Item = (String, Vec<u8>)> {
    let inverted = |place: usize, bit: u32| {
        let mut damaged = bytes.to_vec();
        damaged[place] ^= 1 << bit;
        (format!("bit {bit} of byte {place}"), damaged)
    };
    let cut = |place: usize| (format!("cut at {place}"), bytes[..place].to_vec());
    (0..bytes.len()).flat_map(move |place| (0..8).map(move |bit| inverted(place, bit)).chain([cut(place)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FORMAT: Format = Format { magic: *b"HIPPOTST", name: "test file", version: 3 };

    fn read(bytes: &[u8]) -> Result<(String, Vec<u8>), ContainerError> {
        let mut reader = Reader::new(&FORMAT, bytes)?;
        let (header, mut payload) = (reader.header()?, Vec::new());
        reader.payload(&mut payload)?;
        assert_eq!(reader.position(), bytes.len() as u64);
        assert!(reader.frame()?.is_none());
        Ok((header, payload))
    }

    fn error(bytes: &[u8]) -> String {
        read(bytes).unwrap_err().to_string()
    }

    #[test]
    fn payloads_of_all_lengths_are_read_as_they_were_written() {
        for length in [0, 1, 11, 12, 13, 24, PART - 1, PART, PART + 11, PART + 12, PART + 13, 2 * PART + 12] {
            let payload: Vec<u8> = (0..length).map(|place| (place % 251) as u8).collect();
            let bytes = whole(&FORMAT, &"header", &payload).unwrap();
            assert!(read(&bytes).unwrap() == ("header".to_owned(), payload), "{length}");
        }
    }

    #[test]
    fn texts_are_read_as_they_were_written_and_damage_is_noticed() {
        for (seal, sealed) in [
            (Seal::LINE, "352441c2 abc"),
            (Seal::OBJECT, "{\"crc32\": \"352441c2\",\nabc"),
            (Seal::PAGE, "abc<!-- 352441c2 -->\n"),
        ] {
            assert_eq!(seal.put("abc"), sealed);
            assert_eq!(seal.take(sealed.as_bytes()), Some(&b"abc"[..]));
            for (damage, damaged) in damages(sealed.as_bytes()) {
                assert!(seal.take(&damaged).is_none(), "{damage}");
            }
        }
        let object = serde_json::json!({"a": [1, 2.5], "b": {"c": "d"}});
        let sealed = sealed_object(&object);
        let found: serde_json::Value = unsealed_object(sealed.as_bytes()).unwrap();
        assert_eq!((&found["a"], &found["b"]), (&object["a"], &object["b"]));
        let wrong = unsealed_object::<serde_json::Value>(&sealed.as_bytes()[1..]).unwrap_err();
        assert_eq!(wrong, "damaged: wrong checksum");
    }

    #[test]
    fn every_bit_counts() {
        let bytes = whole(&FORMAT, &"header", b"twelve bytes").unwrap();
        for (damage, damaged) in damages(&bytes) {
            assert!(read(&damaged).is_err(), "{damage}");
        }
    }

    #[test]
    fn errors_say_what_is_wrong_and_where() {
        let good = [start(&FORMAT, &"h").unwrap(), frame(b"one"), frame(b"two")].concat();
        let ended = |frames, sum| [&good[..], &frame(&end(frames, sum))].concat();
        let right = crc32fast::hash(&good);
        assert_eq!(read(&ended(2, right)).unwrap(), ("h".to_owned(), b"onetwo".to_vec()));
        let changed = |place: usize| {
            let mut bytes = ended(2, right);
            bytes[place] ^= 1;
            bytes
        };
        assert_eq!(error(b"HIPPO"), "not a test file");
        assert_eq!(error(&changed(0)), "not a test file");
        assert_eq!(error(b"HIPPOTST\x04\0\0\0"), "format version 4, and this program reads 3");
        assert_eq!(error(b"HIPPOTST\x02\0\0\0"), "format version 2, and this program reads 3");
        assert_eq!(error(&changed(17)), "damaged header: wrong checksum");
        assert_eq!(error(&good[..22]), "damaged header: cut off");
        // The header has 12 + 8 + 3 bytes.
        assert_eq!(error(&changed(32)), "damaged at byte 23: wrong checksum");
        assert_eq!(error(&changed(26)), "damaged at byte 23: a frame of impossible length");
        assert_eq!(error(&good[..good.len() - 1]), "cut off in the frame that begins at byte 34");
        assert_eq!(error(&good), "no end after 2 frames, at byte 45: cut off, or not finished");
        let missing = "damaged at byte 45: frames are missing, doubled or changed";
        assert_eq!(error(&ended(1, right)), missing);
        assert_eq!(error(&ended(2, right ^ 1)), missing);
        let more = [&ended(2, right)[..], b"\0"].concat();
        assert_eq!(error(&more), "damaged at byte 45: something stands after the end");
    }

    proptest! {
        #[test]
        fn garbage_is_refused(garbage in prop::collection::vec(any::<u8>(), 0..80), version in 2..4u8) {
            prop_assert!(read(&garbage).is_err());
            let begun = [&FORMAT.magic[..], &[version, 0, 0, 0], &garbage].concat();
            prop_assert!(read(&begun).is_err());
            let started = [start(&FORMAT, &"h").unwrap(), garbage].concat();
            prop_assert!(read(&started).is_err());
        }
    }
}
