//! Games of self-play as files.
//!
//! A data file has the form that `src/container.rs` describes, with the magic `HIPPODAT`, version 3. Its header is a [`Header`],
//! and its payload is a frame for each game, in the order of their numbers. While a run is going on the games stand
//! in the order in which they were finished, and there is no end.
//!
//! The body of a game's frame:
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | number of the game |
//! | 1 | result: 0 Black wins, 1 draw, 2 White wins |
//! | 1 | how it ended: 0 by the rules, 1 proven before, 2 at the limit of turns (as a draw) |
//! | 2 | final margin for White in halves (signed), see below |
//! | 2 | number of turns of the opening |
//! | 2 | number of turns after it |
//! | … | the turns of the opening: number of steps (1), their codes (2 each) |
//! | … | the turns after it: the same, and then the results of the search |
//!
//! The margin counts turns left in the Amazons, and stones in the Desdemona family; −32768 if it is not known.
//!
//! The results of a search:
//!
//! - White's expected score at the root (2 bytes, 65535 is 1);
//! - for each step of the turn a list of the visited alternatives, most visits first: its length (1), then code (2)
//!   and visits (2, capped) of each;
//! - a list of well-searched positions of the tree: its length (1), then for each the path from the root, as the
//!   number of steps (1) and their codes (2 each), White's score (2) and visits (4).
//!
//! Codes are those of [`Step::code`](hippolyta::games::Step::code); a reader plays them from the position that the header
//! names, which is the rule set's start position if it names none.

use super::fingerprint::fingerprint;
use crate::differences::differences;
pub use crate::play::Ending;
pub use hippolyta::container::ContainerError;
use hippolyta::container::{self, Format};
use hippolyta::files::write_whole_with;
use hippolyta::games::variant::Variant;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

const FORMAT: Format = Format { magic: *b"HIPPODAT", name: "data file of Hippolyta", version: VERSION };
/// The version of the format.
pub const VERSION: u32 = 3;
const OPTIONS: &str = "set of options";
/// A margin that is not known.
const UNKNOWN: i16 = i16::MIN;

/// The header of a data file.
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
    /// The FEN that games begin at; `None` is the rule set's start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Games of the whole run.
    pub games: u64,
    /// Seed of the whole run.
    pub seed: u64,
    /// The options.
    pub options: serde_json::Value,
    /// The shard, as remainder and divisor: it has the games whose number leaves this remainder. `[0, 1]` is all.
    pub shard: [u64; 2],
}

impl Header {
    /// The header of games that were made by something else than self-play: `maker` names it, and stands for the
    /// evaluation.
    pub fn made_by(maker: &str, variant: &Variant, start: Option<String>, games: u64) -> Self {
        Self {
            engine: maker.to_owned(),
            evaluation: fingerprint(maker.as_bytes()),
            config: fingerprint(variant.text().as_bytes()),
            variant: variant.text(),
            start,
            games,
            seed: 0,
            options: serde_json::Value::Object(serde_json::Map::new()),
            shard: [0, 1],
        }
    }

    /// Whether the game with this number belongs to the shard.
    pub fn has(&self, number: u64) -> bool {
        let [remainder, divisor] = self.shard;
        number < self.games && number.checked_rem(divisor) == Some(remainder)
    }

    /// The first field in which two files of one run must not differ and these do. Shards may differ. Of the options it
    /// is the first that differs, as `--nodes 60 → 61`.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let fields = [
            ("engine version", self.engine == other.engine),
            ("evaluation", self.evaluation == other.evaluation),
            ("variant", self.variant == other.variant),
            ("start position", self.start == other.start),
            ("seed", self.seed == other.seed),
            ("number of games", self.games == other.games),
            (OPTIONS, self.config == other.config),
        ];
        let (field, _) = fields.into_iter().find(|(_, same)| !same)?;
        let option = || differences(&self.options, &other.options).into_iter().next();
        Some(if field == OPTIONS { option() } else { None }.unwrap_or_else(|| field.to_owned()))
    }
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
pub fn pack_score(score: f32) -> u16 {
    (score.clamp(0.0, 1.0) * 65_535.0).round() as u16
}

/// An error of a data file, with its path.
#[derive(Debug, Error)]
#[error("{path}: {error}")]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The fault of the file.
    pub error: ContainerError,
}

impl FileError {
    /// Turns errors into those of the file at `path`.
    pub fn at<E: Into<ContainerError>>(path: &Path) -> impl Fn(E) -> Self {
        move |error| Self { path: path.to_owned(), error: error.into() }
    }
}

/// Opens a data file and reads its header.
///
/// # Errors
///
/// If it cannot be read, or is not a data file of this version, or its header is damaged.
pub fn open(path: &Path) -> Result<Reader<BufReader<File>>, FileError> {
    let file = File::open(path).map_err(FileError::at(path))?;
    Reader::new(BufReader::new(file)).map_err(FileError::at(path))
}

/// The bytes before the first game.
///
/// # Errors
///
/// If the header cannot be written as JSON.
pub fn start(header: &Header) -> io::Result<Vec<u8>> {
    container::start(&FORMAT, header)
}

/// A game as a frame.
///
/// # Errors
///
/// If the game has more than 65,535 turns, or as many in its opening: the format counts no further.
pub fn frame(game: &GameData) -> io::Result<Vec<u8>> {
    Ok(container::frame(&body(game)?))
}

/// Writes a data file from its beginning to its end.
pub struct Writer<W>(container::Writer<W>);

impl<W: Write> Writer<W> {
    /// Writes the header.
    ///
    /// # Errors
    ///
    /// If `output` refuses.
    pub fn new(output: W, header: &Header) -> io::Result<Self> {
        container::Writer::new(&FORMAT, output, header).map(Self)
    }

    /// Writes a game. Games come in the order of their numbers.
    ///
    /// # Errors
    ///
    /// If the output refuses, or the game is too long, as for [`frame`].
    pub fn add(&mut self, game: &GameData) -> io::Result<()> {
        self.0.frame(&body(game)?)
    }

    /// Writes a game that was read, by the body of its frame.
    pub(super) fn add_body(&mut self, body: &[u8]) -> io::Result<()> {
        self.0.frame(body)
    }

    /// Writes the end.
    ///
    /// # Errors
    ///
    /// If the output refuses.
    pub fn finish(self) -> io::Result<()> {
        self.0.finish().map(|_| ())
    }
}

/// Writes a file, whole or not at all: games in the order of their numbers, each number once.
///
/// # Errors
///
/// If the system refuses.
pub fn write(path: &Path, header: &Header, mut games: Vec<GameData>) -> Result<(), FileError> {
    games.sort_by_key(|game| game.number);
    games.dedup_by_key(|game| game.number);
    write_whole_with(path, |file| {
        let mut writer = Writer::new(BufWriter::new(file), header)?;
        games.iter().try_for_each(|game| writer.add(game))?;
        writer.finish()
    })
    .map_err(FileError::at(path))
}

/// The first 255 items.
fn short<T>(list: &[T]) -> &[T] {
    &list[..list.len().min(255)]
}

fn put_steps(body: &mut Vec<u8>, steps: &[u16]) {
    body.push(steps.len() as u8);
    steps.iter().for_each(|code| body.extend(code.to_le_bytes()));
}

fn body(game: &GameData) -> io::Result<Vec<u8>> {
    let length = |turns: usize| {
        let too_long = || {
            let what = format!("game {} has {turns} turns, and a data file holds {} at most", game.number, u16::MAX);
            io::Error::new(io::ErrorKind::InvalidInput, what)
        };
        u16::try_from(turns).map_err(|_| too_long())
    };
    let [opening, turns] = [length(game.opening.len())?, length(game.turns.len())?];
    let mut body = Vec::new();
    body.extend(game.number.to_le_bytes());
    body.push(game.result);
    body.push(game.ending as u8);
    body.extend(game.margin.unwrap_or(UNKNOWN).to_le_bytes());
    body.extend(opening.to_le_bytes());
    body.extend(turns.to_le_bytes());
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
    Ok(body)
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
    file: container::Reader<R>,
    header: Header,
    /// Where the last good game ends, or the header.
    good: u64,
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// If it is not a data file of this version, or damaged.
    pub fn new(input: R) -> Result<Self, ContainerError> {
        let mut file = container::Reader::new(&FORMAT, input)?;
        let header: Header = file.header()?;
        if header.shard[0] >= header.shard[1] {
            return Err(ContainerError::Header("no such shard".to_owned()));
        }
        let good = file.position();
        Ok(Self { file, header, good })
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Number of bytes up to the end of the last game that was read.
    pub fn position(&self) -> u64 {
        self.good
    }

    /// The next game. `None` at the end, once the whole file has been found undamaged.
    ///
    /// # Errors
    ///
    /// If the frame is damaged or cut off, or the end is missing. Then nothing more can be read.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Option<GameData>, ContainerError> {
        let Some(body) = self.file.frame()? else { return Ok(None) };
        let damaged = |what: String| ContainerError::Frame { at: self.good, what };
        let game = Bytes(&body).game().ok_or_else(|| damaged("a frame that makes no sense".to_owned()))?;
        if !self.header.has(game.number) {
            return Err(damaged(format!("game {} does not belong here", game.number)));
        }
        self.good = self.file.position();
        Ok(Some(game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::container::damages;
    use proptest::prelude::*;

    fn header() -> Header {
        Header {
            engine: "e".to_owned(),
            evaluation: "v".to_owned(),
            config: "c".to_owned(),
            variant: "amazons".to_owned(),
            start: None,
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
        (0..3u64, 0..3u8, 0..3u8, margin, prop::collection::vec(codes(), 0..4), prop::collection::vec(turn, 0..4))
            .prop_map(|(number, result, ending, margin, opening, turns)| {
                let ending = [Ending::Rules, Ending::Proven, Ending::TooLong][usize::from(ending)];
                GameData { number, result, ending, margin, opening, turns }
            })
    }

    fn file(games: &[GameData]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, &header()).unwrap();
        games.iter().for_each(|game| writer.add(game).unwrap());
        writer.finish().unwrap();
        bytes
    }

    fn read(bytes: &[u8]) -> Result<(Header, Vec<GameData>), ContainerError> {
        let mut reader = Reader::new(bytes)?;
        let mut games = Vec::new();
        while let Some(game) = reader.next()? {
            games.push(game);
        }
        assert!(reader.next()?.is_none());
        Ok((reader.header().clone(), games))
    }

    fn game(number: u64) -> GameData {
        let turn = SearchedTurn { steps: vec![7], score: 9, visits: vec![vec![(7, 3)]], inner: Vec::new() };
        GameData { number, result: 2, ending: Ending::Rules, margin: None, opening: vec![vec![1]], turns: vec![turn] }
    }

    #[test]
    fn every_bit_and_every_byte_counts() {
        let bytes = file(&[game(0), game(2)]);
        for (damage, damaged) in damages(&bytes) {
            assert!(read(&damaged).is_err(), "{damage}");
        }
        assert!(read(&[&bytes[..], b"\0"].concat()).unwrap_err().to_string().contains("after the end"));
    }

    #[test]
    fn whole_games_may_not_be_missing_doubled_or_those_of_others() {
        let begun = [start(&header()).unwrap(), frame(&game(0)).unwrap()].concat();
        let closing = file(&[game(0)])[begun.len()..].to_vec();
        assert!(read(&[&begun[..], &closing].concat()).is_ok());
        let says = |bytes: Vec<u8>, what: &str| {
            let error = read(&bytes).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        };
        says([&begun[..], &frame(&game(1)).unwrap(), &closing].concat(), "frames are missing, doubled or changed");
        says([&begun[..], &frame(&game(0)).unwrap(), &closing].concat(), "frames are missing, doubled or changed");
        says([&start(&header()).unwrap()[..], &closing].concat(), "frames are missing, doubled or changed");
        says([&start(&header()).unwrap()[..], &frame(&game(1)).unwrap(), &closing].concat(), "frames are missing");
        says(begun.clone(), &format!("no end after 1 frames, at byte {}", begun.len()));
        says(file(&[game(3)]), "game 3 does not belong here");
        let shard = Header { shard: [1, 2], ..header() };
        says([start(&shard).unwrap(), frame(&game(2)).unwrap()].concat(), "game 2 does not belong here");
        // Lengths are not cut.
        let turn = game(0).turns[0].clone();
        let long = |count| GameData { turns: vec![turn.clone(); count], ..game(0) };
        assert!(frame(&long(65_535)).is_ok());
        let message = frame(&long(65_536)).unwrap_err().to_string();
        assert!(message.contains("game 0 has 65536 turns"), "{message}");
        says(start(&Header { shard: [0, 0], ..header() }).unwrap(), "damaged header: no such shard");
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
            prop_assert_eq!(reader.position(), bytes.len() as u64 - 20);
        }

        #[test]
        fn damage_is_noticed(
            games in prop::collection::vec(games(), 0..3),
            places in any::<[prop::sample::Index; 2]>(),
            flip in 1..=255u8,
            kind in 0..5,
        ) {
            let bytes = file(&games);
            let mut places = places.map(|place| place.index(bytes.len()));
            places.sort_unstable();
            let (head, rest) = bytes.split_at(places[0]);
            let (block, tail) = rest.split_at(places[1] - places[0]);
            let damaged = match kind {
                0 => [head, &[tail[0] ^ flip], &tail[1..]].concat(),
                1 => head.to_vec(),
                2 => [head, tail].concat(),
                3 => [head, block, block, tail].concat(),
                _ => [head, &[flip], block, tail].concat(),
            };
            match read(&damaged) {
                Ok(_) => prop_assert_eq!(damaged, bytes),
                Err(_) => prop_assert_ne!(damaged, bytes),
            }
        }
    }
}
