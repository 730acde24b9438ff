//! Games of self-play as bytes.
//!
//! All numbers are little-endian. A file is
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | `HIPPODAT` |
//! | 4 | format version, 2 |
//! | 4 | length of the header |
//! | … | the header, JSON: see [`Header`] |
//! | … | frames, one a game, in the order of the games' numbers |
//!
//! A frame is the length of its body (4 bytes), the body's CRC-32 (4 bytes) and the body:
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | number of the game |
//! | 1 | result: 0 Black wins, 1 draw, 2 White wins |
//! | 1 | how it ended: 0 by the rules, 1 proven before, 2 at the limit of turns (as a draw) |
//! | 2 | final margin for White in halves (signed): turns left in the Amazons, stones in the Desdemona family; −32768 if not known |
//! | 2 | number of turns of the opening |
//! | 2 | number of turns after it |
//! | … | the turns of the opening: number of steps (1), their codes (2 each) |
//! | … | the turns after it: the same, and then what the search found |
//!
//! What the search found: White's expected score at the root (2 bytes, 65535 is 1); for each step of the turn a list of the steps that it
//! could choose from, by falling visits: their number (1), then code (2) and visits (2, capped) of each; and a list of
//! well-searched positions of its tree: their number (1), then of each the path from the root, number of steps (1) and codes (2 each),
//! White's score (2) and visits (4).
//!
//! Codes are those of [`Step::code`](crate::games::Step::code); a reader plays them from the rule set's start position.

use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

const MAGIC: &[u8; 8] = b"HIPPODAT";
const VERSION: u32 = 2;
/// A longer header or frame than this is damaged.
const LONGEST: u32 = 1 << 24;
/// A margin that is not known.
const UNKNOWN: i16 = i16::MIN;

/// What a data file says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Name and version of the program.
    pub engine: String,
    /// Fingerprint of the evaluation.
    pub evaluation: String,
    /// Fingerprint of all that games depend on besides engine and evaluation.
    pub config: String,
    /// Rule set.
    pub variant: String,
    /// Games of the whole run.
    pub games: u64,
    /// Seed of the whole run.
    pub seed: u64,
    /// The options.
    pub options: serde_json::Value,
    /// Which shard of how many: games whose number leaves this remainder. `[0, 1]` is all.
    pub shard: [u64; 2],
}

/// How a game of self-play ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Rules,
    /// Its result was proven.
    Proven,
    /// Too many turns: counted as a draw.
    TooLong,
}

/// A position of the search's tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inner {
    /// Codes of the steps from the root.
    pub path: Vec<u16>,
    /// White's expected score, in 65535ths.
    pub score: u16,
    /// Visits.
    pub visits: u32,
}

/// A turn that was searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedTurn {
    /// Codes of its steps.
    pub steps: Vec<u16>,
    /// White's expected score at the root, in 65535ths.
    pub score: u16,
    /// For each step, codes and visits of all that were visited, most visits first.
    pub visits: Vec<Vec<(u16, u16)>>,
    /// Well-searched positions.
    pub inner: Vec<Inner>,
}

/// A game of self-play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameData {
    /// Its number.
    pub number: u64,
    /// White's half points.
    pub result: u8,
    /// How it ended.
    pub ending: Ending,
    /// White's final margin in halves.
    pub margin: Option<i16>,
    /// Codes of the steps of the opening's turns.
    pub opening: Vec<Vec<u16>>,
    /// The turns after it.
    pub turns: Vec<SearchedTurn>,
}

/// A score in 65535ths.
#[must_use]
pub fn pack_score(score: f32) -> u16 {
    (score.clamp(0.0, 1.0) * 65_535.0).round() as u16
}

/// Why a data file cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DataError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It begins with something else.
    #[error("not a data file of Hippolyta")]
    Foreign,
    /// It was written by another version.
    #[error("format version {0}, and this program reads {VERSION}")]
    Version(u32),
    /// The header is damaged.
    #[error("damaged header: {0}")]
    Header(String),
    /// A frame is damaged.
    #[error("damaged at byte {at}: {what}")]
    Frame {
        /// Where the frame begins.
        at: u64,
        /// What is wrong.
        what: &'static str,
    },
}

/// What is wrong with which data file.
#[derive(Debug, Error)]
#[error("{path}: {error}")]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub error: DataError,
}

impl FileError {
    /// Turns errors into those of the file at `path`.
    pub fn at<E: Into<DataError>>(path: &Path) -> impl Fn(E) -> Self {
        move |error| Self { path: path.to_owned(), error: error.into() }
    }
}

/// Opens a data file and reads its header.
///
/// # Errors
///
/// If it cannot be read, or is not a data file of this version.
pub fn open(path: &Path) -> Result<Reader<BufReader<File>>, FileError> {
    let file = File::open(path).map_err(FileError::at(path))?;
    Reader::new(BufReader::new(file)).map_err(FileError::at(path))
}

/// Writes what stands before the first frame.
///
/// # Errors
///
/// What writing to `output` says.
pub fn write_header(output: &mut impl Write, header: &Header) -> io::Result<()> {
    let text = serde_json::to_vec(header)?;
    output.write_all(MAGIC)?;
    output.write_all(&VERSION.to_le_bytes())?;
    output.write_all(&(text.len() as u32).to_le_bytes())?;
    output.write_all(&text)
}

/// A game as a whole frame.
#[must_use]
pub fn frame(game: &GameData) -> Vec<u8> {
    let body = body(game);
    let mut frame = Vec::with_capacity(body.len() + 8);
    frame.extend((body.len() as u32).to_le_bytes());
    frame.extend(crc32fast::hash(&body).to_le_bytes());
    frame.extend(body);
    frame
}

/// As many as fit into a byte.
fn short<T>(list: &[T]) -> &[T] {
    &list[..list.len().min(255)]
}

fn put_steps(body: &mut Vec<u8>, steps: &[u16]) {
    body.push(steps.len() as u8);
    steps.iter().for_each(|code| body.extend(code.to_le_bytes()));
}

fn body(game: &GameData) -> Vec<u8> {
    let mut body = Vec::new();
    body.extend(game.number.to_le_bytes());
    body.push(game.result);
    body.push(game.ending as u8);
    body.extend(game.margin.unwrap_or(UNKNOWN).to_le_bytes());
    body.extend((game.opening.len() as u16).to_le_bytes());
    body.extend((game.turns.len() as u16).to_le_bytes());
    game.opening.iter().for_each(|turn| put_steps(&mut body, turn));
    for turn in &game.turns {
        put_steps(&mut body, &turn.steps);
        body.extend(turn.score.to_le_bytes());
        for visits in &turn.visits {
            body.push(short(visits).len() as u8);
            for (code, count) in short(visits) {
                body.extend(code.to_le_bytes());
                body.extend(count.to_le_bytes());
            }
        }
        body.push(short(&turn.inner).len() as u8);
        for inner in short(&turn.inner) {
            put_steps(&mut body, &inner.path);
            body.extend(inner.score.to_le_bytes());
            body.extend(inner.visits.to_le_bytes());
        }
    }
    body
}

/// Takes numbers off the front of a body.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn short(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn list<T>(&mut self, length: usize, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..length).map(|_| item(self)).collect()
    }

    fn steps(&mut self) -> Option<Vec<u16>> {
        let length = self.byte()?;
        self.list(length.into(), Self::short)
    }

    fn turn(&mut self) -> Option<SearchedTurn> {
        let steps = self.steps()?;
        let score = self.short()?;
        let visits = self.list(steps.len(), |bytes| {
            let length = bytes.byte()?;
            bytes.list(length.into(), |bytes| Some((bytes.short()?, bytes.short()?)))
        })?;
        let length = self.byte()?;
        let inner = self.list(length.into(), |bytes| {
            let (path, score) = (bytes.steps()?, bytes.short()?);
            Some(Inner { path, score, visits: u32::from_le_bytes(bytes.take()?) })
        })?;
        Some(SearchedTurn { steps, score, visits, inner })
    }

    fn game(&mut self) -> Option<GameData> {
        let number = u64::from_le_bytes(self.take()?);
        let result = self.byte().filter(|&result| result <= 2)?;
        let ending = match self.byte()? {
            0 => Ending::Rules,
            1 => Ending::Proven,
            2 => Ending::TooLong,
            _ => return None,
        };
        let margin = Some(i16::from_le_bytes(self.take()?)).filter(|&margin| margin != UNKNOWN);
        let (opening, turns) = (self.short()?, self.short()?);
        let opening = self.list(opening.into(), Self::steps)?;
        let turns = self.list(turns.into(), Self::turn)?;
        self.0.is_empty().then_some(GameData { number, result, ending, margin, opening, turns })
    }
}

/// Reads a data file from its beginning.
pub struct Reader<R> {
    input: R,
    header: Header,
    at: u64,
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// If it is not a data file of this version.
    pub fn new(mut input: R) -> Result<Self, DataError> {
        let mut start = [0; 16];
        input.read_exact(&mut start).map_err(|_| DataError::Foreign)?;
        let number = |at: usize| u32::from_le_bytes([start[at], start[at + 1], start[at + 2], start[at + 3]]);
        if !start.starts_with(MAGIC) {
            return Err(DataError::Foreign);
        }
        if number(8) != VERSION {
            return Err(DataError::Version(number(8)));
        }
        let length = number(12);
        if length > LONGEST {
            return Err(DataError::Header("too long".to_owned()));
        }
        let mut text = vec![0; length as usize];
        input.read_exact(&mut text).map_err(|_| DataError::Header("cut off".to_owned()))?;
        let header = serde_json::from_slice(&text).map_err(|error| DataError::Header(error.to_string()))?;
        Ok(Self { input, header, at: 16 + u64::from(length) })
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Bytes read so far, all of them good.
    pub fn position(&self) -> u64 {
        self.at
    }

    /// The next game, `None` at the end.
    ///
    /// # Errors
    ///
    /// If the frame is damaged or cut off; then nothing more can be read.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<GameData>, DataError> {
        let at = self.at;
        let damaged = |what| DataError::Frame { at, what };
        let mut start = [0; 8];
        let mut filled = 0;
        while filled < start.len() {
            match self.input.read(&mut start[filled..]) {
                Ok(0) if filled == 0 => return Ok(None),
                Ok(0) => return Err(damaged("cut off")),
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        let [a, b, c, d, e, f, g, h] = start;
        let (length, sum) = (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]));
        if length > LONGEST {
            return Err(damaged("a frame of impossible length"));
        }
        let mut body = vec![0; length as usize];
        self.input.read_exact(&mut body).map_err(|_| damaged("cut off"))?;
        if crc32fast::hash(&body) != sum {
            return Err(damaged("wrong checksum"));
        }
        let game = Bytes(&body).game().ok_or_else(|| damaged("a frame that makes no sense"))?;
        self.at += 8 + u64::from(length);
        Ok(Some(game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn header() -> Header {
        Header {
            engine: "e".to_owned(),
            evaluation: "v".to_owned(),
            config: "c".to_owned(),
            variant: "amazons".to_owned(),
            games: 3,
            seed: 5,
            options: serde_json::json!({"nodes": 4}),
            shard: [0, 1],
        }
    }

    fn games() -> impl Strategy<Value = GameData> {
        let codes = || prop::collection::vec(any::<u16>(), 0..3);
        let inner =
            (codes(), any::<u16>(), any::<u32>()).prop_map(|(path, score, visits)| Inner { path, score, visits });
        let turn = (
            prop::collection::vec((any::<u16>(), prop::collection::vec(any::<(u16, u16)>(), 0..5)), 0..3),
            any::<u16>(),
        )
            .prop_flat_map(move |(steps, score)| {
                prop::collection::vec(inner.clone(), 0..3).prop_map(move |inner| SearchedTurn {
                    steps: steps.iter().map(|(code, _)| *code).collect(),
                    score,
                    visits: steps.iter().map(|(_, visits)| visits.clone()).collect(),
                    inner,
                })
            });
        let margin = prop::option::of(-500i16..500);
        (any::<u64>(), 0..3u8, 0..3u8, margin, prop::collection::vec(codes(), 0..4), prop::collection::vec(turn, 0..4))
            .prop_map(|(number, result, ending, margin, opening, turns)| {
                let ending = [Ending::Rules, Ending::Proven, Ending::TooLong][usize::from(ending)];
                GameData { number, result, ending, margin, opening, turns }
            })
    }

    fn file(games: &[GameData]) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_header(&mut bytes, &header()).unwrap();
        games.iter().for_each(|game| bytes.extend(frame(game)));
        bytes
    }

    proptest! {
        #[test]
        fn games_are_read_as_they_were_written(games in prop::collection::vec(games(), 0..4)) {
            let bytes = file(&games);
            let mut reader = Reader::new(&bytes[..]).unwrap();
            prop_assert_eq!(reader.header(), &header());
            for game in &games {
                let found = reader.next().unwrap();
                prop_assert_eq!(found.as_ref(), Some(game));
            }
            prop_assert!(reader.next().unwrap().is_none());
            prop_assert_eq!(reader.position(), bytes.len() as u64);
        }

        #[test]
        fn damage_is_noticed(game in games(), place in any::<prop::sample::Index>(), flip in 1..=255u8, cut in any::<bool>()) {
            let mut bytes = file(std::slice::from_ref(&game));
            let place = place.index(bytes.len());
            if cut { bytes.truncate(place) } else { bytes[place] ^= flip }
            if let Ok(mut reader) = Reader::new(&bytes[..]) {
                let found = reader.next();
                let header_differs = reader.header() != &header();
                prop_assert!(header_differs || matches!(found, Err(_) | Ok(None)), "{:?}", found);
            }
        }
    }
}
