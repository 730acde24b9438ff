//! Game records: PGN and PDN, SGF, JSON lines, positions with turns, and what others keep of a game. All are read into
//! a [`Record`], whose turns are legal and in their usual spelling, and written from one. Reading needs memory for one
//! game, and none larger than 16 MiB is read.
//!
//! One rule says what is lost. Where a word is not understood, or a turn is illegal, its line ends: the turns before it
//! are kept, and a warning has game, line and column, and says what is left out ([`Reader::warnings`], [`Damage::lost`]).
//! What loses turns and has none left is no game, but an error; the games after it are read.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `file` | files, which gzip may have packed |
//! | `source` | the bytes of a file, of which games are cut |
//! | `encoding` | bytes as text |
//! | `guess` | which format a text is in |
//! | `note` | what an engine said of a turn, as words in a comment |
//! | `rule_set` | the rule set that a game names, or brings along |
//! | `draft` | a game as it was written, and its turns against the rules |
//! | `pgn`, `sgf`, `jsonl`, `fen` | the formats |
//! | `pgn_text` | PGN and PDN as they are written |
//! | `replay` | what other programs and servers keep |
//!
//! ```
//! use hippolyta::games::variant;
//! use hippolyta_protocol::records::{Format, Reader, Writer};
//!
//! let text = "[Variant \"amazons6\"]\n\n1. b1b4,b4c4 e6e5/d5 {too early} (1... e6e3,e3c3) 2. e1e4,e4e2 *\n";
//! let record = Reader::new(Format::Pgn, text.as_bytes(), variant::DEFAULT).next().expect("a game")?;
//! assert_eq!(record.main_line().count(), 3);
//! let mut sgf = Vec::new();
//! Writer::new(Format::Sgf).write(&record, &mut sgf)?;
//! assert!(String::from_utf8(sgf)?.contains(";W[eaebdb]C[too early]"));
//!
//! let mut reader = Reader::new(Format::Pgn, "1. d1d2,d2d1 d1d2,d2d1 *".as_bytes(), variant::DEFAULT);
//! assert_eq!(reader.next().expect("a game")?.main_line().count(), 1);
//! assert!(reader.warnings()[0].to_string().starts_with("1:14: game 1: illegal move 'd1d2,d2d1'"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod draft;
mod encoding;
mod fen;
mod file;
mod guess;
mod jsonl;
mod note;
mod pgn;
mod pgn_text;
mod replay;
mod rule_set;
mod sgf;
mod source;

use draft::Draft;
pub use file::{Unpacked, open, unpacked};
use hippolyta::games::variant::{self, Variant};
use hippolyta::games::{Fen, Outcome, Side, Style, Turn};
use source::{Chunk, Source, Warnings};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::str::FromStr;
use thiserror::Error;

pub(crate) use draft::listed;
pub use encoding::{Decoded, Decoder, set_decoder};
pub(crate) use jsonl::Line;
pub use note::{Note, Score};
pub use pgn_text::{first_ply, turn_number};

/// How games are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Tags in brackets, turns in any notation, comments in braces, variations in parentheses.
    Pgn,
    /// Trees of nodes with properties; GM\[18\] is the Game of the Amazons.
    Sgf,
    /// A JSON object a line, as in `games.jsonl` of a match.
    Jsonl,
    /// A position a line as FEN, and perhaps turns after `moves`; only main lines, and no tags.
    Fen,
    /// What OpenSpiel, Kaggle, Botzone, AbstractPlay and Ludii keep; written as a history of OpenSpiel, a game a line.
    Replay,
    /// PGN for draughts: the squares of Damone by their numbers.
    Pdn,
}

/// No format has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is none of the formats pgn, pdn, sgf, jsonl, fen and replay")]
pub struct UnknownFormat(pub String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        match name.to_ascii_lowercase().as_str() {
            "pgn" => Ok(Self::Pgn),
            "pdn" => Ok(Self::Pdn),
            "sgf" => Ok(Self::Sgf),
            "jsonl" | "json" => Ok(Self::Jsonl),
            "fen" | "epd" => Ok(Self::Fen),
            "replay" | "openspiel" | "trl" => Ok(Self::Replay),
            _ => Err(UnknownFormat(name.to_owned())),
        }
    }
}

impl Format {
    /// `pgn`, `pdn`, `sgf`, `jsonl`, `fen` or `replay`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pgn => "pgn",
            Self::Pdn => "pdn",
            Self::Sgf => "sgf",
            Self::Jsonl => "jsonl",
            Self::Fen => "fen",
            Self::Replay => "replay",
        }
    }

    /// By the ending of a file's name; `None` if that says nothing.
    pub fn of(path: &Path) -> Option<Self> {
        path.extension()?.to_str()?.parse().ok()
    }

    /// As [`of`](Self::of), of a file that is read: `.gz` may stand behind the ending.
    pub fn of_input(path: &Path) -> Option<Self> {
        let packed = path.extension().is_some_and(|ending| ending == "gz");
        if packed { Self::of(Path::new(path.file_stem()?)) } else { Self::of(path) }
    }
}

/// A fault of a game, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The number of the game, from 1; `None` between games.
    pub game: Option<u64>,
    /// The line, from 1.
    pub line: u64,
    /// The character in it, from 1.
    pub column: u64,
    /// The fault, in words.
    pub message: String,
    /// Which turns were left out because of it, in words; `None` if none were.
    pub lost: Option<String>,
}

impl Damage {
    /// The fault, and the turns that were left out because of it.
    pub fn text(&self) -> String {
        match &self.lost {
            Some(lost) => format!("{}; {lost}", self.message),
            None => self.message.clone(),
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.line, self.column)?;
        self.game.map_or(Ok(()), |game| write!(f, "game {game}: "))?;
        f.write_str(&self.text())
    }
}

/// Why a game could not be read: more can be, or nothing.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The system refuses; nothing more comes.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A game is damaged. Those after it can be read.
    #[error("{0}")]
    Damaged(Damage),
    /// The text is in none of the formats.
    #[error("this is no PGN, SGF, JSON of games, FEN or line of turns")]
    Unknown,
    /// The text is of a game that is none of ours.
    #[error("this is {0}, which is none of the games here")]
    Foreign(&'static str),
    /// There is no text.
    #[error("there is no game")]
    Empty,
}

/// A turn of a record, with what is said of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The turn, which is legal where it stands.
    pub turn: Turn,
    /// The turn before it, as its index in [`Record::turns`]; `None` at the start.
    pub parent: Option<usize>,
    /// People's comment on it; lines without blanks at their ends, none empty.
    pub comment: String,
    /// An engine's note on it.
    pub note: Note,
}

/// A game with its variations. Made by reading one, or by [`Record::new`].
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The rule set.
    pub variant: Variant,
    /// The FEN of the position in which it began.
    pub fen: String,
    /// As in PGN: `White`, `Black`, `Result`, `Event`, `Date` and others, but for `Variant`, `Rules`, `SetUp` and
    /// `FEN`.
    pub tags: BTreeMap<String, String>,
    /// A comment on the start position.
    pub comment: String,
    /// All turns, each after its parent. Of the turns with one parent the first continues the line; the others are
    /// variations.
    pub turns: Vec<Entry>,
    /// The FEN at the end of the main line.
    pub final_fen: String,
    /// The result by the rules at the end of the main line, if the game is over there.
    pub outcome: Option<Outcome>,
}

impl Record {
    /// A game without variations.
    ///
    /// # Errors
    ///
    /// In words, if the FEN or a turn is not legal, there are too many turns, or a tag has no name or a false result.
    pub fn new(
        variant: &Variant,
        fen: &str,
        tags: BTreeMap<String, String>,
        turns: impl IntoIterator<Item = (String, Note)>,
    ) -> Result<Self, String> {
        let mut draft = Draft { fen: Some((fen.to_owned(), 0)), named: true, tags, ..Draft::new(variant) };
        let mut at = 0;
        for (text, note) in turns {
            at = draft.turn(at, text, 0);
            draft.set_note(at, note);
        }
        Self::whole(draft, &mut Warnings::default(), &|| true)
    }

    /// A game as [`Format::Jsonl`] has it, all of it.
    ///
    /// # Errors
    ///
    /// In words, if it is no such game, a turn is not legal, or a tag has no name or a false result.
    pub fn from_json(text: &str) -> Result<Self, String> {
        Self::from_json_while(text, &|| true, &mut |_| ())
    }

    /// As [`from_json`](Self::from_json), but it is given up once `go_on` says no, and `warn` is told what is left out:
    /// fields that are not understood.
    ///
    /// # Errors
    ///
    /// As there, and if it was given up.
    pub fn from_json_while(text: &str, go_on: &dyn Fn() -> bool, warn: &mut dyn FnMut(&str)) -> Result<Self, String> {
        let mut warnings = Warnings::default();
        let draft = jsonl::parse(text, variant::DEFAULT, &mut warnings).map_err(|(_, message)| message)?;
        let record = Self::whole(draft, &mut warnings, go_on)?;
        warnings.messages().for_each(warn);
        Ok(record)
    }

    /// A game of which no turn and no tag may be lost.
    fn whole(draft: Draft, warnings: &mut Warnings, go_on: &dyn Fn() -> bool) -> Result<Self, String> {
        draft::check_tags(&draft.tags)?;
        let record = draft.check(warnings, go_on).map_err(|(_, message)| message)?;
        match warnings.first_loss() {
            Some((_, message)) => Err(message),
            None => Ok(record),
        }
    }

    /// The turns of the main line.
    pub fn main_line(&self) -> impl Iterator<Item = &Entry> {
        let mut at = None;
        let mut turns = self.turns.iter().enumerate();
        // Main lines come first, so the next turn of this line is the first with this parent.
        std::iter::from_fn(move || {
            let (index, turn) = turns.find(|(_, turn)| turn.parent == at)?;
            at = Some(index);
            Some(turn)
        })
    }

    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub fn result(&self) -> &str {
        self.tags.get("Result").map_or("*", String::as_str)
    }

    /// The children of the start, then those of each turn, as indices of [`Self::turns`].
    fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.turns.len() + 1];
        for (index, turn) in self.turns.iter().enumerate() {
            children[turn.parent.map_or(0, |parent| parent + 1)].push(index);
        }
        children
    }

    /// Whether the first turn is Black's.
    fn black_first(&self) -> bool {
        self.fen.parse().is_ok_and(|fen: Fen| fen.side == Side::Black)
    }

    fn has_usual_start(&self) -> bool {
        self.fen == self.variant.start()
    }
}

/// Reads the games of a text, one after the other.
pub struct Reader<R> {
    format: Format,
    source: Source<R>,
    fallback: Variant,
    naming: &'static str,
    ended: bool,
    warnings: Vec<Damage>,
    /// Games so far, and the line in which the last of them began.
    games: u64,
    line: u64,
    /// A game was none of ours.
    foreign: bool,
}

impl<R: BufRead> Reader<R> {
    /// `fallback` is the rule set of games that name none, if their turns fit it.
    pub fn new(format: Format, input: R, fallback: &Variant) -> Self {
        Self::over(Source::new(input), format, fallback)
    }

    fn over(source: Source<R>, format: Format, fallback: &Variant) -> Self {
        let (fallback, naming, warnings) = (fallback.clone(), draft::NAMING, Vec::new());
        Self { format, source, fallback, naming, ended: false, warnings, games: 0, line: 1, foreign: false }
    }

    /// A reader of whatever the text seems to be by its beginning, or of `otherwise` if that does not tell.
    ///
    /// # Errors
    ///
    /// If the input cannot be read, or neither tells.
    pub fn guessing(input: R, otherwise: Option<Format>, fallback: &Variant) -> Result<Self, ReadError> {
        let mut source = Source::new(input);
        let head = source.window(0, guess::LOOKED_AT)?;
        let foreign = guess::foreign(&String::from_utf8_lossy(head));
        match (guess::guess(head, fallback).or(otherwise), foreign) {
            (Some(format), _) => Ok(Self::over(source, format, fallback)),
            (None, Some(game)) => Err(ReadError::Foreign(game)),
            _ => Err(if source.skip_blanks()? { ReadError::Unknown } else { ReadError::Empty }),
        }
    }

    /// By what its user names the rule set of games that name none, for warnings: `'variant'`, or an option.
    #[must_use]
    pub fn naming(self, naming: &'static str) -> Self {
        Self { naming, ..self }
    }

    /// The format that is read.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Parts that were not understood since the last call: in the game read last, or before it.
    pub fn warnings(&mut self) -> Vec<Damage> {
        std::mem::take(&mut self.warnings)
    }

    /// The line in which the game read last begins, from 1.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// Passes over a game. Whether there was one.
    ///
    /// # Errors
    ///
    /// If the input cannot be read.
    pub fn pass(&mut self) -> io::Result<bool> {
        let chunk = self.chunk()?;
        self.warnings.clear();
        Ok(chunk.is_some())
    }

    fn chunk(&mut self) -> io::Result<Option<Chunk>> {
        let chunk = match self.format {
            Format::Pgn | Format::Pdn => pgn::chunk(&mut self.source),
            Format::Sgf => sgf::chunk(&mut self.source, &mut self.warnings),
            Format::Jsonl => jsonl::chunk(&mut self.source, &mut self.warnings),
            Format::Fen => fen::chunk(&mut self.source),
            Format::Replay => replay::chunk(&mut self.source),
        }?;
        if let Some(chunk) = &chunk {
            self.games += 1;
            self.line = chunk.line;
        }
        Ok(chunk)
    }

    fn parse(
        &self,
        chunk: &Chunk,
        warnings: &mut Warnings,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Record, (usize, String)> {
        chunk.complete()?;
        let draft = match self.format {
            Format::Pgn | Format::Pdn => Ok(pgn::parse(&chunk.text, &self.fallback, warnings)),
            Format::Sgf => sgf::parse(&chunk.text, warnings),
            Format::Jsonl => jsonl::parse(&chunk.text, &self.fallback, warnings),
            Format::Fen => fen::parse(&chunk.text, &self.fallback, warnings),
            Format::Replay => replay::parse(&chunk.text, &self.fallback, warnings),
        }?;
        Draft { naming: self.naming, ..draft }.check(warnings, go_on)
    }

    /// As [`next`](Iterator::next), but once `go_on` says no, the game that is read then is given up as damaged.
    pub fn next_while(&mut self, go_on: &dyn Fn() -> bool) -> Option<Result<Record, ReadError>> {
        if self.ended {
            return None;
        }
        match self.chunk() {
            Ok(Some(mut chunk)) => {
                let mut warnings = std::mem::take(&mut chunk.warnings);
                let mut found = self.parse(&chunk, &mut warnings, go_on);
                let game = Some(self.games);
                // A file of them is told by one line.
                if found.is_err()
                    && let Some(name) = guess::foreign(&chunk.text)
                {
                    if std::mem::replace(&mut self.foreign, true) {
                        return self.next_while(go_on);
                    }
                    found = Err((0, ReadError::Foreign(name).to_string()));
                    warnings = Warnings::default();
                }
                let mut damages = chunk.damages(warnings);
                if found.is_err() {
                    // The whole game is lost.
                    damages.retain(|damage| damage.lost.is_none());
                }
                self.warnings.extend(damages.into_iter().map(|damage| Damage { game, ..damage }));
                Some(found.map_err(|(at, message)| {
                    let lost = Some("the game is left out".to_owned());
                    ReadError::Damaged(Damage { game, lost, ..chunk.damage(at, message) })
                }))
            }
            Ok(None) => {
                self.ended = true;
                None
            }
            Err(error) => {
                self.ended = true;
                Some(Err(error.into()))
            }
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_while(&|| true)
    }
}

/// Writes games, one after the other.
pub struct Writer {
    format: Format,
    style: Style,
    written: u64,
}

impl Writer {
    /// A writer that has written nothing.
    pub fn new(format: Format) -> Self {
        Self { format, style: Style::Usual, written: 0 }
    }

    /// In PGN, the style of turns.
    #[must_use]
    pub fn style(self, style: Style) -> Self {
        Self { style, ..self }
    }

    /// Appends a game.
    ///
    /// # Errors
    ///
    /// Whatever `out` says, and what cannot be written in this format.
    pub fn write(&mut self, record: &Record, out: &mut impl Write) -> io::Result<()> {
        let text = match self.format {
            Format::Pgn => pgn_text::write(record, self.style),
            Format::Pdn => pgn_text::write_numbers(record)?,
            Format::Sgf => sgf::write(record),
            Format::Jsonl => jsonl::write(record, self.written),
            Format::Fen => fen::write(record),
            Format::Replay => replay::write(record)?,
        };
        self.written += 1;
        out.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod mutation_tests;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod vector_tests;
