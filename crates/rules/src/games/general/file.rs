//! Rule sets from a file: TOML with our keys, or the `variants.ini` of Fairy-Stockfish.

use super::ini;
use super::rule_set::open_squares;
use super::{FireAt, Flips, Leaves, Part, Problem, RuleSet, Rules, Stuck, Tie, Turns};
use crate::board::{Bitboard, FRAME, Reach, Square};
use crate::games::variant::{self, UnknownVariant, Variant};
use crate::games::{Fen, Side};
use crate::words::{Language, one_line, plain, shown};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use thiserror::Error;
use toml::Spanned;

/// A fault in a file of rule sets: one line with file, line, rule set and key.
///
/// ```
/// use hippolyta_rules::games::general::RulesFile;
///
/// let error = RulesFile::parse("my.toml", "[knights]\nmoves = \"X\"\n").unwrap_err();
/// assert_eq!(error.line, 2);
/// assert!(error.to_string().starts_with("my.toml:2: knights.moves: 'X' is not Q, R, B, K or N"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{file}:{line}: {}", one_line(.message))]
pub struct RulesError {
    /// The file.
    pub file: String,
    /// The number of the line, from 1.
    pub line: usize,
    /// The fault, with the rule set and the key.
    pub message: String,
}

/// An entry of the file that is not read, because these rules cannot be expressed here.
///
/// ```
/// use hippolyta_rules::games::general::RulesFile;
///
/// let read = RulesFile::parse("variants.ini", "[ducks:amazons]\nwallingRule = duck\n")?;
/// assert_eq!(read.left_out[0].to_string(), "line 2: ducks: wallingRule = duck: arrow, past, static and edge are known here");
/// # Ok::<(), hippolyta_rules::games::general::RulesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {name}: {reason}")]
pub struct LeftOut {
    /// The number of the line, from 1.
    pub line: usize,
    /// The name of the entry.
    pub name: String,
    /// The reason why these rules cannot be expressed.
    pub reason: String,
}

/// The rule sets of a file, in its order.
///
/// In TOML each is a table. A key that is missing is as in the rule set that `like` names, or else as in the Amazons.
///
/// ```
/// use hippolyta_rules::games::Board;
/// use hippolyta_rules::games::general::RulesFile;
///
/// let text = "[knights]\ntitle = \"Knight Amazons\"\nlike = \"amazons6\"\nmoves = \"N\"\nfires = \"N\"\n";
/// let read = RulesFile::parse("my.toml", text)?;
/// let board = Board::new(&read.sets[0].variant());
/// assert_eq!((board.size(), board.legal_turns().len()), ((6, 6), 68));
/// # Ok::<(), hippolyta_rules::games::general::RulesError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RulesFile {
    /// The rule sets.
    pub sets: Vec<RuleSet>,
    /// Entries of a `variants.ini` that are other games.
    pub left_out: Vec<LeftOut>,
}

/// The JSON schema of the files, for editors.
///
/// ```
/// assert!(hippolyta_rules::games::general::SCHEMA.contains("fire-at"));
/// ```
pub const SCHEMA: &str = include_str!("schema.json");

/// A fault: the byte at which it is, and a message.
type Wrong = (usize, String);

/// The bytes of a text of rule sets, and how many it may have: whoever reads it may not trust its author, and each is
/// tried on its board.
const LONGEST: usize = 1 << 20;
pub(super) const MOST: usize = 500;

/// A rule set as it stands in a file.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Table {
    /// The name for people; without it, that of the table.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    title: Option<String>,
    /// The description of the game, in a sentence or two.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    description: Option<String>,
    /// A built-in rule set of move and fire, or another table of the file: keys that are missing here are as there.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    like: Option<Spanned<String>>,
    /// The FEN of the start position: the board from the top, then the side to move. `Q` and `q` are what White and Black
    /// move, `S` and `s` their stones, `*` is an arrow, a neutral stone or a hole in the board.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    start: Option<Spanned<String>>,
    /// How a piece moves, in letters of chess: Q, R, B, K, N and unions of them as RN; a number behind Q, R or B bounds
    /// lines, as Q3.
    #[cfg_attr(test, schemars(with = "Option<String>", regex(pattern = "^([QRBqrb]([1-9]|10)?|[KNkn])+$")))]
    moves: Option<Spanned<String>>,
    /// How it fires, in the same letters.
    #[cfg_attr(test, schemars(with = "Option<String>", regex(pattern = "^([QRBqrb]([1-9]|10)?|[KNkn])+$")))]
    fires: Option<Spanned<String>>,
    /// How a piece of Black's moves, if not as White's.
    #[cfg_attr(test, schemars(with = "Option<String>", regex(pattern = "^([QRBqrb]([1-9]|10)?|[KNkn])+$")))]
    black_moves: Option<Spanned<String>>,
    /// How a piece of Black's fires, if not as White's.
    #[cfg_attr(test, schemars(with = "Option<String>", regex(pattern = "^([QRBqrb]([1-9]|10)?|[KNkn])+$")))]
    black_fires: Option<Spanned<String>>,
    /// Where a fire lands: where `fires` leads from the square that the piece moved to, on the square that it left, or on
    /// any empty square; or on such a one on the rim of the board, or beside an arrow, a stone or a hole.
    #[cfg_attr(test, schemars(with = "Option<FireAtWord>"))]
    fire_at: Option<Spanned<FireAtWord>>,
    /// The arrow or stone that a fire leaves.
    #[cfg_attr(test, schemars(with = "Option<LeavesWord>"))]
    leaves: Option<Spanned<LeavesWord>>,
    /// Which stones change sides: none; a run of enemy stones that the piece fires over; or as in Othello, those in
    /// lines between the square of the fire and an own stone or piece.
    #[cfg_attr(test, schemars(with = "Option<FlipsWord>"))]
    flips: Option<Spanned<FlipsWord>>,
    /// The arrow or stone that a fire over a run leaves; without it, that of other fires.
    #[cfg_attr(test, schemars(with = "Option<LeavesWord>"))]
    flip_leaves: Option<Spanned<LeavesWord>>,
    /// Whether a fire that goes over no stones may not land on the rim of the board.
    #[cfg_attr(test, schemars(with = "Option<bool>"))]
    rim_barred: Option<Spanned<bool>>,
    /// Squares that no fire may land on: as `c1 d8`; `a*` are all squares of a file, `*8` of a rank.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    protect: Option<Spanned<String>>,
    /// More squares that no fire of White's may land on.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    protect_from_white: Option<Spanned<String>>,
    /// More squares that no fire of Black's may land on.
    #[cfg_attr(test, schemars(with = "Option<String>"))]
    protect_from_black: Option<Spanned<String>>,
    /// Pieces or stones of its own side that a piece may move over.
    #[cfg_attr(test, schemars(with = "Option<Vec<PassesWord>>"))]
    passes: Option<Spanned<Vec<PassesWord>>>,
    /// Whether the first turn of the game fires.
    #[cfg_attr(test, schemars(with = "Option<bool>"))]
    first_turn_fires: Option<Spanned<bool>>,
    /// Whether a turn may be a move without fire. 80 such turns in a row are a draw then.
    #[cfg_attr(test, schemars(with = "Option<bool>"))]
    fire_optional: Option<Spanned<bool>>,
    /// Whether a turn is a move or a fire, and not both. 80 moves in a row are a draw then.
    #[cfg_attr(test, schemars(with = "Option<bool>"))]
    move_or_fire: Option<Spanned<bool>>,
    /// The result for a side that has no complete turn.
    #[cfg_attr(test, schemars(with = "Option<StuckWord>"))]
    stuck: Option<Spanned<StuckWord>>,
    /// Whether a side that has no complete turn passes as long as the other one has, so that the game ends when neither
    /// has one and stones are counted.
    #[cfg_attr(test, schemars(with = "Option<bool>"))]
    stuck_passes: Option<Spanned<bool>>,
    /// Who wins if stones are counted and both sides have as many.
    #[cfg_attr(test, schemars(with = "Option<EqualWord>"))]
    equal: Option<Spanned<EqualWord>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum FireAtWord {
    Target,
    Left,
    Anywhere,
    Edge,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum LeavesWord {
    Arrow,
    Neutral,
    Own,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum FlipsWord {
    None,
    Run,
    Lines,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum PassesWord {
    Pieces,
    Stones,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum StuckWord {
    Loses,
    Wins,
    Draws,
    MostStones,
    FewestStones,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum EqualWord {
    Draw,
    White,
    Black,
}

impl LeavesWord {
    fn leaves(self) -> Leaves {
        match self {
            Self::Arrow => Leaves::Arrow,
            Self::Neutral => Leaves::Neutral,
            Self::Own => Leaves::Own,
        }
    }
}

impl RulesFile {
    /// Reads the text of the file named `file`, which may be empty: TOML, or the `variants.ini` of Fairy-Stockfish if the
    /// name ends in `.ini`, or else the text tells.
    ///
    /// ```
    /// use hippolyta_rules::games::general::RulesFile;
    ///
    /// let read = RulesFile::parse("", "[trail:amazons]\nwallingRule = past\n")?;
    /// assert_eq!(read, RulesFile::parse("variants.ini", "[trail:amazons]\nwallingRule = past\n")?);
    /// # Ok::<(), hippolyta_rules::games::general::RulesError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If it cannot be understood, or for the first rule set that cannot be.
    pub fn parse(file: &str, text: &str) -> Result<Self, RulesError> {
        Self::read(file, text, 1).map_err(|mut faults| faults.swap_remove(0))
    }

    /// As [`parse`](Self::parse), but tells all that is wrong, in the order of the file.
    ///
    /// ```
    /// use hippolyta_rules::games::general::RulesFile;
    ///
    /// let faults = RulesFile::check("my.toml", "[a]\nmoves = \"X\"\n[b]\nfires = \"Q0\"\n").unwrap_err();
    /// assert_eq!(faults.iter().map(|fault| fault.line).collect::<Vec<_>>(), [2, 4]);
    /// ```
    ///
    /// # Errors
    ///
    /// At least one fault.
    pub fn check(file: &str, text: &str) -> Result<Self, Vec<RulesError>> {
        Self::read(file, text, MOST_FAULTS).map_err(|mut faults| {
            faults.sort_by_key(|fault| fault.line);
            faults
        })
    }

    /// Looks for this number of faults.
    fn read(file: &str, text: &str, most: usize) -> Result<Self, Vec<RulesError>> {
        let ends = |ending: &str| {
            file.get(file.len().saturating_sub(ending.len())..).is_some_and(|end| end.eq_ignore_ascii_case(ending))
        };
        let is_ini = ends(".ini") || !ends(".toml") && ini::is_like(text);
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let error = |(line, message)| RulesError { file: file.to_owned(), line, message };
        if text.len() > LONGEST {
            let long = format!("{} bytes: a text of rule sets has {LONGEST} at most", text.len());
            return Err(vec![error((1, long))]);
        }
        let read = if is_ini {
            ini::read(text).map_err(|wrong| vec![wrong])
        } else {
            toml_sets(text, most).map(|sets| (sets, Vec::new()))
        };
        let (sets, left_out) = read.map_err(|wrongs| wrongs.into_iter().map(error).collect::<Vec<_>>())?;
        if sets.is_empty() && left_out.is_empty() {
            let nothing = "no rule set is described there: a table is expected, as in [mine]".to_owned();
            return Err(vec![error((1, nothing))]);
        }
        Ok(Self { sets, left_out })
    }

    /// The rule set of a text that has only one, in TOML, as [`RuleSet::line`] writes it.
    pub(crate) fn line(text: &str) -> Result<RuleSet, String> {
        let mut read = Self::parse("", text).map_err(|error| error.message)?;
        match (read.sets.pop(), read.sets.len()) {
            (Some(set), 0) => Ok(set),
            (_, others) => Err(format!("there are {} rule sets, and one is expected", others + 1)),
        }
    }

    /// The rule set of this name; upper and lower case are the same.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&RuleSet> {
        self.sets.iter().find(|set| set.name.eq_ignore_ascii_case(name))
    }

    /// The rule set of this name, of the file or built in; without a name the first of the file, or else the usual one.
    ///
    /// ```
    /// use hippolyta_rules::games::general::RulesFile;
    /// use hippolyta_rules::games::variant;
    ///
    /// let read = RulesFile::parse("my.toml", "[knights]\nlike = \"amazons6\"\nmoves = \"N\"\n")?;
    /// assert_eq!(read.choose(Some("Knights"))?, read.choose(None)?);
    /// assert_eq!(read.choose(Some("iago"))?, variant::find("iago")?);
    /// assert_eq!(RulesFile::default().choose(None)?, *variant::DEFAULT);
    /// assert!(read.choose(Some("chess")).unwrap_err().to_string().ends_with("damone-imperatore; in the file knights"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn choose(&self, name: Option<&str>) -> Result<Variant, UnknownVariant> {
        let Some(name) = name else {
            return Ok(self.sets.first().map_or_else(|| variant::DEFAULT.clone(), RuleSet::variant));
        };
        let names = || self.sets.iter().map(|set| set.name.clone()).collect();
        let elsewhere = || variant::find(name).map_err(|error| UnknownVariant { in_file: names(), ..error });
        self.find(name).map_or_else(elsewhere, |set| Ok(set.variant()))
    }
}

/// The number of the line of a byte.
fn line(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
    before.iter().filter(|&&byte| byte == b'\n').count() + 1
}

/// A table with its place in the file.
type Tables = BTreeMap<Spanned<String>, Spanned<Table>>;

/// Faults that are looked for, where all are wanted.
const MOST_FAULTS: usize = 100;

/// The rule sets of a TOML text, or the faults with their lines, of which this number is looked for. What follows from
/// a fault, in tables that are like the one that has it, is none of its own.
fn toml_sets(text: &str, most: usize) -> Result<Vec<RuleSet>, Vec<(usize, String)>> {
    let (tables, mut wrongs, broken) = read_tables(text, most);
    let mut order: Vec<_> = tables.iter().map(|(name, table)| (name, table.get_ref())).collect();
    order.sort_by_key(|(name, _)| name.span().start);
    let tables = order.iter().map(|&(name, table)| (name.get_ref().as_str(), (name, table))).collect();
    let mut reader = Reader { tables, known: broken.iter().map(|name| (name.as_str(), None)).collect() };
    for (name, _) in &order {
        if wrongs.len() < most {
            wrongs.extend(reader.read(name.get_ref()));
        }
    }
    if wrongs.is_empty() {
        Ok(order.iter().filter_map(|(name, _)| reader.known.remove(name.get_ref().as_str()).flatten()).collect())
    } else {
        Err(wrongs.into_iter().map(|(at, message)| (line(text, at), message)).collect())
    }
}

/// All tables without the rows that cannot be read, what is wrong with these, and the names of their tables.
fn read_tables(text: &str, most: usize) -> (Tables, Vec<Wrong>, Vec<String>) {
    let (mut rest, mut wrongs, mut broken) = (text.to_owned(), Vec::new(), Vec::new());
    loop {
        // Taken apart first: a table takes much more memory than its text.
        let read = toml::de::DeTable::parse(&rest).map(|tree| {
            let mut names: Vec<_> = tree.get_ref().keys().map(|name| name.span().start).collect();
            names.sort_unstable();
            let beyond = names.get(MOST).map(|&at| (at, format!("more than {MOST} rule sets")));
            beyond.map_or_else(|| Ok(Tables::deserialize(toml::Deserializer::from(tree))), Err)
        });
        let error = match read {
            Ok(Ok(Ok(tables))) => return (tables, wrongs, broken),
            Ok(Err(beyond)) => return (Tables::new(), vec![beyond], broken),
            Ok(Ok(Err(error))) | Err(error) => error,
        };
        let at = error.span().map_or(0, |span| span.start);
        wrongs.push((at, format!("{}{}", key_at(text, at), plain(error.message(), Language::Toml))));
        let start = rest.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        let row = rest.get(start..).and_then(|rows| rows.lines().next()).unwrap_or_default();
        if wrongs.len() >= most || row.trim().is_empty() {
            return (Tables::new(), wrongs, broken);
        }
        let own = || row.split_once('=').map(|(name, _)| name.trim());
        broken.extend(table_at(text, at).or_else(own).map(str::to_owned));
        let end = start + row.len();
        rest.replace_range(start..end, &" ".repeat(end - start));
    }
}

/// The rule set and the key on the line of a byte, for messages that do not name them.
fn key_at(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    let row = text[start..].lines().next().unwrap_or_default();
    match (table_at(text, at), row.split_once('=')) {
        (Some(table), Some((key, _))) if at > start => format!("{table}.{}: ", key.trim()),
        (Some(table), _) => format!("{table}: "),
        // A table on one line.
        (None, Some((table, keys))) if keys.trim_start().starts_with('{') => {
            let key = before[start..].rsplit([',', '{']).next().and_then(|part| part.split_once('='));
            key.map_or_else(|| format!("{}: ", table.trim()), |(key, _)| format!("{}.{}: ", table.trim(), key.trim()))
        }
        _ => String::new(),
    }
}

/// The name of the table that a byte is in, if its head stands in a row before.
fn table_at(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    before[..start].lines().rev().find_map(|row| row.trim().strip_prefix('[')?.strip_suffix(']'))
}

/// The tables of a file by their names.
struct Reader<'a> {
    tables: HashMap<&'a str, (&'a Spanned<String>, &'a Table)>,
    /// The rule sets of those that were read; `None` where there is a fault.
    known: HashMap<&'a str, Option<RuleSet>>,
}

impl<'a> Reader<'a> {
    /// Reads a table, after those that it is like: each once, however many are like it, and however long their chain.
    /// The faults of all that are read.
    fn read(&mut self, name: &'a str) -> Vec<Wrong> {
        let (mut open, mut on, mut next) = (Vec::new(), HashSet::new(), Some(name));
        while let Some(&(name, table)) =
            next.filter(|name| !self.known.contains_key(name)).and_then(|name| self.tables.get(name))
        {
            open.push((name, table));
            on.insert(name.get_ref().as_str());
            if let Some(like) = table.like.as_ref().filter(|like| on.contains(like.get_ref().as_str())) {
                self.known.extend(on.into_iter().map(|name| (name, None)));
                let message = format!("{}.like: '{}' is like this one itself", name.get_ref(), like.get_ref());
                return vec![(like.span().start, message)];
            }
            next = table.like.as_ref().map(|like| like.get_ref().as_str());
        }
        let mut wrongs = Vec::new();
        for (name, table) in open.into_iter().rev() {
            let set = self.base(name, table).and_then(|base| Self::set(name, table, base));
            let set = set.map_err(|faults| wrongs.extend(faults)).ok();
            self.known.insert(name.get_ref(), set);
        }
        wrongs
    }

    /// The rule set that a table changes: one that was read before it, or built in. Faults of the other are not told
    /// again.
    fn base(&self, name: &Spanned<String>, table: &Table) -> Result<RuleSet, Vec<Wrong>> {
        let like = table.like.as_ref().map_or("amazons", |like| like.get_ref());
        if let Some(known) = self.known.get(like) {
            return known.clone().ok_or_else(Vec::new);
        }
        built_in(like).ok_or_else(|| {
            let known = variant::VARIANTS.iter().filter(|known| Rules::of(known).is_some());
            let known = known.map(Variant::name).collect::<Vec<_>>().join(", ");
            let at = table.like.as_ref().map_or_else(|| name.span(), Spanned::span).start;
            let message =
                format!("{}.like: '{like}' is neither a table of this file nor one of {known}", name.get_ref());
            vec![(at, message)]
        })
    }

    /// The rule set of a table, which changes another.
    fn set(name: &Spanned<String>, table: &Table, base: RuleSet) -> Result<RuleSet, Vec<Wrong>> {
        let full = |key: &str, message: String| format!("{}.{key}: {message}", name.get_ref());
        let mut wrongs = Vec::new();
        let mut wrong = |span: Range<usize>, key: &str, message: String| wrongs.push((span.start, full(key, message)));
        let mut rules = base.rules;
        for (key, text, of_black, black, reaches) in [
            ("moves", &table.moves, "black-moves", &table.black_moves, &mut rules.moves),
            ("fires", &table.fires, "black-fires", &table.black_fires, &mut rules.fires),
        ] {
            let mut read = |key, text: &Option<Spanned<String>>| {
                let text = text.as_ref()?;
                text.get_ref().parse::<Reach>().map_err(|error| wrong(text.span(), key, error.to_string())).ok()
            };
            let white = read(key, text).unwrap_or(reaches[0]);
            // Without a key of its own Black goes as White, unless the other rule set has such a key.
            let inherited = if reaches[0] == reaches[1] { white } else { reaches[1] };
            *reaches = [white, read(of_black, black).unwrap_or(inherited)];
        }
        if let Some(at) = &table.fire_at {
            rules.fire_at = match at.get_ref() {
                FireAtWord::Target => FireAt::Reach,
                FireAtWord::Left => FireAt::Left,
                FireAtWord::Anywhere => FireAt::Anywhere,
                FireAtWord::Edge => FireAt::Edge,
            };
        }
        for (key, fires) in [("fires", &table.fires), ("black-fires", &table.black_fires)] {
            if let Some(fires) = fires.as_ref().filter(|_| rules.fire_at != FireAt::Reach) {
                wrong(fires.span(), key, "without meaning, as fire-at is not \"target\"".to_owned());
            }
        }
        if let Some(leaves) = &table.leaves {
            rules.plain = leaves.get_ref().leaves();
        }
        let flip_leaves = table.flip_leaves.as_ref().map(|leaves| leaves.get_ref().leaves());
        match (table.flips.as_ref().map(Spanned::get_ref), rules.flips) {
            (Some(FlipsWord::None), _) => rules.flips = Flips::None,
            (Some(FlipsWord::Lines), _) => rules.flips = Flips::Lines,
            (Some(FlipsWord::Run), Flips::Run(inherited)) => rules.flips = Flips::Run(flip_leaves.unwrap_or(inherited)),
            (Some(FlipsWord::Run), _) => rules.flips = Flips::Run(flip_leaves.unwrap_or(rules.plain)),
            (None, Flips::Run(inherited)) => rules.flips = Flips::Run(flip_leaves.unwrap_or(inherited)),
            (None, _) => {}
        }
        if let Some(leaves) = table.flip_leaves.as_ref().filter(|_| !matches!(rules.flips, Flips::Run(_))) {
            wrong(leaves.span(), "flip-leaves", "without meaning, as flips is not \"run\"".to_owned());
        }
        if let Some(barred) = &table.rim_barred {
            rules.rim_barred = *barred.get_ref();
        }
        if let Some(passes) = &table.passes {
            rules.passes_pieces = passes.get_ref().contains(&PassesWord::Pieces);
            rules.passes_stones = passes.get_ref().contains(&PassesWord::Stones);
        }
        match (table.move_or_fire.as_ref().map(Spanned::get_ref), rules.turns) {
            (Some(true), _) => rules.turns = Turns::MoveOrFire,
            (Some(false), Turns::MoveOrFire) => rules.turns = Turns::MoveAndFire,
            _ => {}
        }
        if let Some(optional) = &table.fire_optional {
            match (optional.get_ref(), rules.turns) {
                (true, Turns::MoveOrFire) => {
                    let message = "without meaning, as move-or-fire is true".to_owned();
                    wrong(optional.span(), "fire-optional", message);
                }
                (true, _) => rules.turns = Turns::FireOptional,
                (false, Turns::FireOptional) => rules.turns = Turns::MoveAndFire,
                (false, _) => {}
            }
        }
        let inherited = match rules.stuck {
            Stuck::MostStones(tie) | Stuck::FewestStones(tie) => tie,
            _ => Tie::Draw,
        };
        let tie = match table.equal.as_ref().map(Spanned::get_ref) {
            None => inherited,
            Some(EqualWord::Draw) => Tie::Draw,
            Some(EqualWord::White) => Tie::For(Side::White),
            Some(EqualWord::Black) => Tie::For(Side::Black),
        };
        rules.stuck = match (table.stuck.as_ref().map(Spanned::get_ref), rules.stuck) {
            (Some(StuckWord::Loses), _) => Stuck::Loses,
            (Some(StuckWord::Wins), _) => Stuck::Wins,
            (Some(StuckWord::Draws), _) => Stuck::Draws,
            (Some(StuckWord::MostStones), _) | (None, Stuck::MostStones(_)) => Stuck::MostStones(tie),
            (Some(StuckWord::FewestStones), _) | (None, Stuck::FewestStones(_)) => Stuck::FewestStones(tie),
            (None, other) => other,
        };
        let counts = matches!(rules.stuck, Stuck::MostStones(_) | Stuck::FewestStones(_));
        if let Some(equal) = table.equal.as_ref().filter(|_| !counts) {
            wrong(equal.span(), "equal", "without meaning, as stones are not counted".to_owned());
        }
        rules.stuck_passes =
            table.stuck_passes.as_ref().map_or(rules.stuck_passes && counts, |passes| *passes.get_ref());
        let mut start = table.start.as_ref().map_or(base.start, |start| start.get_ref().clone());
        let flagged = start.split_ascii_whitespace().nth(2) == Some("m");
        match &table.first_turn_fires {
            Some(fires) if *fires.get_ref() && flagged && table.start.is_some() => {
                let message = "the flag m of start says that the first turn does not fire".to_owned();
                wrong(fires.span(), "first-turn-fires", message);
            }
            Some(fires) => rules.moves_first = !fires.get_ref(),
            None => rules.moves_first |= flagged,
        }
        start = with_flag(&start, if rules.moves_first { "m" } else { "-" });
        let open = start.parse::<Fen>().map_or(Bitboard::EMPTY, |fen| open_squares(&fen));
        let [white, black] = rules.protected;
        let (mut both, mut more) = (white & black, [white & !black, black & !white]);
        let [from_white, from_black] = &mut more;
        for (key, text, set) in [
            ("protect", &table.protect, &mut both),
            ("protect-from-white", &table.protect_from_white, from_white),
            ("protect-from-black", &table.protect_from_black, from_black),
        ] {
            if let Some(text) = text {
                match squares(text.get_ref(), open) {
                    Ok(found) => *set = found,
                    Err(error) => wrong(text.span(), key, error),
                }
            }
        }
        rules.protected = more.map(|more| both | more);
        let title = table.title.clone().unwrap_or_else(|| name.get_ref().clone());
        let description = table.description.clone().unwrap_or_default();
        let set = RuleSet { name: name.get_ref().clone(), title, description, start, rules };
        if !wrongs.is_empty() {
            return Err(wrongs);
        }
        let located = |problem: Problem| {
            let span = |span: Option<Range<usize>>| span.unwrap_or_else(|| name.span()).start;
            let (key, at) = match problem.part {
                Part::Name => return (name.span().start, format!("[{}]: {problem}", name.get_ref())),
                Part::Title => ("title", name.span().start),
                Part::Description => ("description", name.span().start),
                Part::Start => ("start", span(table.start.as_ref().map(Spanned::span))),
                Part::Protected => {
                    let keys = [
                        ("protect", &table.protect),
                        ("protect-from-white", &table.protect_from_white),
                        ("protect-from-black", &table.protect_from_black),
                    ];
                    let (key, text) = keys.into_iter().find(|(_, text)| text.is_some()).unwrap_or(keys[0]);
                    (key, span(text.as_ref().map(Spanned::span)))
                }
                Part::Passes => ("passes", span(table.passes.as_ref().map(Spanned::span))),
                Part::Turns => ("move-or-fire", span(table.move_or_fire.as_ref().map(Spanned::span))),
                Part::Flips => ("flips", span(table.flips.as_ref().map(Spanned::span))),
                Part::Stuck => ("stuck", span(table.stuck.as_ref().map(Spanned::span))),
                Part::StuckPasses => ("stuck-passes", span(table.stuck_passes.as_ref().map(Spanned::span))),
            };
            (at, full(key, problem.to_string()))
        };
        let problems: Vec<_> = set.problems().into_iter().map(located).collect();
        if problems.is_empty() { Ok(set) } else { Err(problems) }
    }
}

/// A built-in rule set of move and fire.
fn built_in(name: &str) -> Option<RuleSet> {
    let variant = variant::built_in(name)?;
    let (name, start) = (variant.name().to_owned(), variant.start().to_owned());
    Some(RuleSet { title: name.clone(), name, description: String::new(), start, rules: Rules::of(variant)? })
}

/// The squares of a text such as `c1 d8`. A file, as `a*`, or a rank, as `*8`, stands for its squares within `board`.
pub(super) fn squares(text: &str, board: Bitboard) -> Result<Bitboard, String> {
    let mut all = Bitboard::EMPTY;
    for word in text.split_ascii_whitespace() {
        // A rank or a file reads as its first square.
        let (is_rank, is_file) = (word.starts_with('*'), word.ends_with('*'));
        let first = word.replacen('*', if is_rank { "a" } else { "1" }, 1).parse::<Square>();
        let expected = || format!("'{}' is no square as d1, no file as a* and no rank as *8", shown(word));
        let first = first.map_err(|_| expected())?;
        let is_meant = |at: &Square| (is_rank || at.file() == first.file()) && (is_file || at.rank() == first.rank());
        let found: Bitboard = (0..FRAME).map(Square::new).filter(is_meant).collect();
        all |= if is_rank || is_file { found & board } else { found };
    }
    Ok(all)
}

/// A FEN with this word as its third field.
fn with_flag(fen: &str, flag: &str) -> String {
    let mut words: Vec<_> = fen.split_ascii_whitespace().collect();
    for usual in ["w", flag].into_iter().skip(words.len().saturating_sub(1)) {
        words.push(usual);
    }
    if words.len() > 2 && words[2].chars().count() == 1 {
        words[2] = flag;
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With `HIPPOLYTA_BLESS=1` the file is written anew.
    #[test]
    fn the_schema_is_that_of_the_types() {
        let table = schemars::schema_for!(Table);
        let mut table = serde_json::to_value(&table).unwrap();
        let parts = table.as_object_mut().unwrap();
        let defs = parts.remove("$defs");
        parts.remove("$schema");
        parts.remove("title");
        let schema = serde_json::json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Rule sets of move and fire for hippolyta: each table is one",
            "type": "object",
            "additionalProperties": table,
            "$defs": defs,
        });
        let generated = format!("{schema:#}\n");
        if std::env::var_os("HIPPOLYTA_BLESS").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/games/general/schema.json");
            std::fs::write(path, generated).unwrap();
        } else {
            assert!(generated == SCHEMA, "schema.json is not up to date: HIPPOLYTA_BLESS=1 writes it anew");
        }
    }

    #[track_caller]
    fn says(text: &str, error: &str) {
        assert_eq!(RulesFile::parse("my.toml", text).unwrap_err().to_string(), error, "{text}");
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line_and_key() {
        says("", "my.toml:1: no rule set is described there: a table is expected, as in [mine]");
        says(
            "# mine\n[a]\nmvoes = \"N\"\n",
            "my.toml:3: a: 'mvoes' is no key here: known are title, description, like, start, moves, fires, \
             black-moves, black-fires, fire-at, leaves, flips, flip-leaves, rim-barred, protect, \
             protect-from-white, protect-from-black, passes, \
             first-turn-fires, fire-optional, move-or-fire, stuck, stuck-passes, equal",
        );
        says("[a]\n\nfire-at = \"here\"\n", "my.toml:3: a.fire-at: 'here' is none of target, left, anywhere, edge");
        says("[a]\nrim-barred = 1\n", "my.toml:2: a.rim-barred: true or false is expected, not 1");
        says("[a]\nmoves = \"Q0\"\n", "my.toml:2: a.moves: '0' is no bound of a line: 1 to 10 squares are possible");
        says("[a]\nmoves = N\n", "my.toml:2: a.moves: a text needs quotes, as in \"N\"");
        for line in ["flips = true", "stuck = 1.5", "passes = [1]", "fire-at = 1979-05-27"] {
            let key = line.split(' ').next().unwrap();
            says(&format!("[a]\n{line}\n"), &format!("my.toml:2: a.{key}: a text in quotes is expected"));
        }
        let nested = format!("[a]\npasses = {}\n", "[".repeat(1_000));
        says(&nested, "my.toml:2: a.passes: more brackets or names are inside each other than can be read");
        says("[a]\nmoves = \n", "my.toml:2: a.moves: string values must be quoted, expected literal string");
        says(
            "[a]\nstart = \"q2/3/2R w\"\n",
            "my.toml:2: a.start: FEN: 'R' at character 7 is not a piece of this game (QqSs*) and not a number of empty \
             squares",
        );
        says(
            "[a]\nstart = \"q11/12/11Q w\"\n",
            "my.toml:2: a.start: FEN: '12' at character 5 is not a number of empty squares (1 to 11)",
        );
        says(
            "[a]\nstart = \"3/3/2Q w\"\n",
            "my.toml:2: a.start: black has 0 pieces (q) at the start: 1 to 8 are possible",
        );
        says(
            "[a]\nstart = \"q2/3/s1Q w\"\n",
            "my.toml:2: a.start: FEN: 's' at character 6 is not a piece of this game (Qq*) and not a number of empty \
             squares",
        );
        says("[a]\nstart = \"q*Q/***/3 b\"\n", "my.toml:2: a.start: black has no complete turn at the start");
        says(
            "[a]\nmove-or-fire = true\nstart = \"q2/3/2Q w - - 80 1\"\n",
            "my.toml:3: a.start: after 80 turns without fire the game is a draw at the start",
        );
        says("a = { moves = 'N', flips = 'x' }", "my.toml:1: a.flips: 'x' is none of none, run, lines");
        says("a = { passes = [ 'x' ], moves = 'N' }", "my.toml:1: a.passes: 'x' is none of pieces, stones");
        says("a = { rim-barred = 1 }", "my.toml:1: a.rim-barred: true or false is expected, not 1");
        says("[amazons]\n", "my.toml:1: [amazons]: a rule set of this name is built in: another name is needed");
        says(&format!("[a]\ntitle = \"{}\"\n", "é".repeat(101)), "my.toml:1: a.title: 101 letters: 100 are possible");
        says("[A]\n", "my.toml:1: [A]: a name has small letters, digits and dashes, and begins with a letter");
    }

    #[test]
    fn all_faults_are_told_in_the_order_of_the_file() {
        let text = "[a]\nmoves = \"X\"\nfires = \"Q0\"\n[b]\nstuck = \"lost\"\nmvoes = \"N\"\nflips = \"run\"\n\
                    [c]\nlike = \"b\"\nleaves = \"own\"\nflips = \"run\"\nfires = \"K\"\n\
                    [d]\nflips = \"run\"\nstuck = \"most-stones\"\npasses = [\"stones\"]\n[e]\nmoves = N\n";
        let faults = RulesFile::check("my.toml", text).unwrap_err();
        let told: Vec<_> = faults.iter().map(|fault| (fault.line, fault.message.split(": ").next().unwrap())).collect();
        let expected = [
            (2, "a.moves"),
            (3, "a.fires"),
            (5, "b.stuck"),
            (6, "b"),
            (14, "d.flips"),
            (15, "d.stuck"),
            (16, "d.passes"),
        ];
        assert_eq!(told[..7], expected, "{faults:#?}");
        assert!(told.len() == 8 && faults[7].line == 18, "{faults:#?}");
    }

    #[test]
    fn what_contradicts_itself_or_has_no_effect_is_refused() {
        for (keys, wrong) in [
            ("fire-at = \"left\"\nfires = \"N\"", "3: a.fires: without meaning, as fire-at is not \"target\""),
            ("flip-leaves = \"own\"", "2: a.flip-leaves: without meaning, as flips is not \"run\""),
            ("equal = \"white\"", "2: a.equal: without meaning, as stones are not counted"),
            (
                "stuck = \"most-stones\"",
                "2: a.stuck: stones are counted, but no fire leaves stones of its side and none stand at the start",
            ),
            (
                "flips = \"run\"",
                "2: a.flips: stones flip, but no fire leaves stones of its side and none stand at the start",
            ),
            (
                "leaves = \"own\"\nflips = \"run\"\nfire-at = \"anywhere\"",
                "3: a.flips: only fires from where a piece stands go over a run of stones",
            ),
            (
                "leaves = \"own\"\nflips = \"run\"\nfires = \"N\"",
                "3: a.flips: fires go over a run of stones, but leaps and steps to the next square are over nothing",
            ),
            (
                "leaves = \"own\"\nflips = \"run\"\nfires = \"B1NR1\"",
                "3: a.flips: fires go over a run of stones, but leaps and steps to the next square are over nothing",
            ),
            (
                "flips = \"run\"\nflip-leaves = \"own\"",
                "2: a.flips: stones flip, but no fire leaves stones of its side and none stand at the start",
            ),
            (
                "like = \"iago\"\nleaves = \"neutral\"",
                "1: a.flips: stones flip between two stones of a side, but fires leave none",
            ),
            (
                "passes = [\"pieces\"]\nmoves = \"N\"",
                "2: a.passes: pieces pass over others, but leaps and steps to the next square are over nothing",
            ),
            (
                "leaves = \"own\"\npasses = [\"stones\"]\nmoves = \"K\"",
                "3: a.passes: pieces pass over others, but leaps and steps to the next square are over nothing",
            ),
            (
                "start = \"Q*q/2*/*2 w\"\nleaves = \"own\"\nfires = \"R\"\nflips = \"run\"",
                "5: a.flips: stones flip, but no three squares in such a line are left on this board",
            ),
            (
                "start = \"Q*q/1*1/*** w\"\nleaves = \"own\"\nflips = \"lines\"",
                "4: a.flips: stones flip, but no three squares in such a line are left on this board",
            ),
            (
                "start = \"Q*q/2*/*2 w\"\nmoves = \"R\"\npasses = [\"pieces\"]",
                "4: a.passes: pieces pass over others, but no three squares in such a line are left on this board",
            ),
            (
                "start = \"q2/3/2Q w m\"\nfirst-turn-fires = true",
                "3: a.first-turn-fires: the flag m of start says that the first turn does not fire",
            ),
            (
                "like = \"amazons6\"\nprotect = \"a1 g1\"",
                "3: a.protect: no fire could land on g1, as it is a hole or not on the board",
            ),
            (
                "start = \"Q*q/3/3 w\"\nprotect-from-black = \"b3\"",
                "3: a.protect-from-black: no fire could land on b3, as it is a hole or not on the board",
            ),
            (
                "protect-from-white = \"a1 l*\"",
                "2: a.protect-from-white: 'l*' is no square as d1, no file as a* and no rank as *8",
            ),
            (
                "start = \"qQ1/***/3 w\"\nprotect = \"b3\"\nfire-at = \"left\"",
                "2: a.start: white has no complete turn at the start",
            ),
            (
                "move-or-fire = true\nfire-optional = true",
                "3: a.fire-optional: without meaning, as move-or-fire is true",
            ),
            (
                "move-or-fire = true\nfire-at = \"left\"",
                "2: a.move-or-fire: a fire needs a square that a piece has left, but a turn that fires does not move",
            ),
            (
                "leaves = \"own\"\nflips = \"run\"\nmove-or-fire = true",
                "3: a.flips: fires go over a run of stones after a move, but a turn that fires does not move",
            ),
            ("black-moves = \"X\"", "2: a.black-moves: 'X' is not Q, R, B, K or N, nor a number behind Q, R or B"),
            (
                "black-fires = \"K\"\nfire-at = \"left\"",
                "2: a.black-fires: without meaning, as fire-at is not \"target\"",
            ),
            ("stuck-passes = true", "2: a.stuck-passes: without meaning, as stones are not counted"),
            ("like = \"a\"", "2: a.like: 'a' is like this one itself"),
            ("like = \"b\"\n[b]\nlike = \"a\"", "4: b.like: 'a' is like this one itself"),
            (
                "like = \"damone\"",
                "2: a.like: 'damone' is neither a table of this file nor one of amazons, amazons8, amazons6, desdemona, \
                 cassio, iago, desdemona-early, desdemona-early-border, desdemona-site, cassio-site",
            ),
        ] {
            says(&format!("[a]\n{keys}\n"), &format!("my.toml:{wrong}"));
        }
    }

    /// On a stack as small as threads have anywhere.
    #[test]
    fn texts_of_strangers_end_soon_and_in_one_line() {
        let tests = || {
            let chain = |tables: usize, end: &str| -> String {
                let like = |number| format!("a{number}.like = \"a{}\"\n", number + 1);
                (1..tables).map(like).collect::<String>() + &format!("a{tables}.like = \"{end}\"\n")
            };
            let sets = RulesFile::parse("my.toml", &chain(MOST, "amazons6")).unwrap().sets;
            assert_eq!((sets.len(), &sets[0].start), (MOST, &sets[MOST - 1].start));
            says(&chain(MOST + 1, "amazons6"), "my.toml:501: more than 500 rule sets");
            says(&chain(40_000, "amazons6"), "my.toml:501: more than 500 rule sets");
            says(&chain(MOST, "a1"), "my.toml:500: a500.like: 'a1' is like this one itself");
            says(&chain(MOST, "a500"), "my.toml:500: a500.like: 'a500' is like this one itself");
            let fan: String = (1..MOST).map(|number| format!("a{number}.like = \"a\"\n")).collect();
            assert_eq!(RulesFile::parse("my.toml", &format!("{fan}a.moves = \"N\"\n")).unwrap().sets.len(), MOST);
            says(
                &format!("{fan}a.moves = \"X\"\n"),
                "my.toml:500: a.moves: 'X' is not Q, R, B, K or N, nor a number behind Q, R or B",
            );
            let entries: String = (1..MOST).map(|number| format!("[b{}:b{number}]\n", number + 1)).collect();
            let first = "[b1:amazons]\nwallingRule = past\n";
            assert_eq!(RulesFile::parse("my.ini", &format!("{first}{entries}")).unwrap().sets.len(), MOST);
            let more = RulesFile::parse("my.ini", &format!("{first}{entries}[c]\n")).unwrap_err();
            assert_eq!(more.to_string(), "my.ini:502: more than 500 rule sets");
            let long = RulesFile::parse("my.ini", &format!("{first}startFen = {}\n", "9/".repeat(600))).unwrap();
            assert_eq!(long.left_out[0].to_string(), "line 3: b1: startFen has 1200 bytes: 1000 are possible");
            for (part, times) in
                [("[", 1 << 19), ("a.", 1 << 19), ("a = {", 1 << 17), ("a = [", 1 << 17), ("a", 1 << 20)]
            {
                let error = RulesFile::parse("my.toml", &part.repeat(times)).unwrap_err().to_string();
                assert!(!error.contains('\n'), "{error}");
            }
            let (lines, start) = ("Q".repeat(1 << 19), "1/".repeat(1 << 19));
            let read = RulesFile::parse("my.toml", &format!("[a]\nmoves = \"{lines}\"")).unwrap();
            assert_eq!(read.sets[0].rules, Rules::AMAZONS);
            assert!(RulesFile::parse("my.toml", &format!("[a]\nstart = \"{}\"", &start[..1 << 19])).is_err());
            says(&format!("{start} "), "my.toml:1: 1048577 bytes: a text of rule sets has 1048576 at most");
        };
        std::thread::Builder::new().stack_size(512 << 10).spawn(tests).unwrap().join().unwrap();
    }

    #[test]
    fn a_table_is_like_another_but_for_its_own_keys() {
        let text =
            "[b]\nlike = \"a\"\nequal = \"black\"\n[a]\nlike = \"desdemona\"\nstart = \"q2/sS1/2Q w\"\ntitle = \"A\"\n";
        let read = RulesFile::parse("my.toml", text).unwrap();
        let [b, a] = &read.sets[..] else { panic!("{read:?}") };
        assert_eq!((a.title.as_str(), b.title.as_str(), read.find("a")), ("A", "b", Some(a)));
        assert_eq!((a.start.as_str(), &b.start), ("q2/sS1/2Q w m", &a.start));
        assert_eq!(b.rules, Rules { stuck: Stuck::MostStones(Tie::For(Side::Black)), ..a.rules });
        assert!(a.rules.rim_barred && a.rules.flips == Flips::Run(Leaves::Own));
        // What Black does alone is inherited by itself.
        let text = "[a]\nmoves = \"R\"\nblack-moves = \"N\"\n[b]\nlike = \"a\"\nmoves = \"B\"\n\
                    [c]\nlike = \"b\"\nblack-moves = \"B\"\n[d]\nlike = \"c\"\nmoves = \"K\"\n";
        let read = RulesFile::parse("my.toml", text).unwrap();
        let texts: Vec<_> = read.sets.iter().map(|set| set.rules.text()).collect();
        let expected =
            ["moves = 'R', black-moves = 'N'", "moves = 'B', black-moves = 'N'", "moves = 'B'", "moves = 'K'"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn squares_are_protected_from_both_sides_or_one_and_each_key_is_inherited() {
        let start = "start = \"q2/1*1/2Q w\"\n";
        let text = format!(
            "[a]\n{start}protect = \"b*\"\nprotect-from-white = \"*1 b3\"\n\
             [b]\nlike = \"a\"\nprotect = \"a3\"\n[c]\nlike = \"a\"\nprotect-from-white = \"\"\n"
        );
        let read = RulesFile::parse("my.toml", &text).unwrap();
        let texts: Vec<_> = read.sets.iter().map(|set| set.rules.text()).collect();
        let expected = [
            "protect = 'b1 b3', protect-from-white = 'a1 c1'",
            "protect = 'a3', protect-from-white = 'a1 c1'",
            "protect = 'b1 b3'",
        ];
        assert_eq!(texts, expected);
        // A region without a square leaves no square open.
        let entry = "[a:isolation]\nstartFen = 2p/*2/P2 w\nmaxFile = 3\nmaxRank = 3\n";
        let text = format!(
            "{entry}wallingRegionWhite = A* *3\nwallingRegionBlack = -\n[b:isolation]\n\
                            [c:a]\nwallingRegion = *1\nwallingRegionWhite = a1\n"
        );
        let read = RulesFile::parse("my.ini", &text).unwrap();
        let texts: Vec<_> = read.sets.iter().map(|set| set.rules.text()).collect();
        let white = "b1 c1 b2 c2', protect-from-black = 'a1 a3 b3 c3'";
        let expected = [white, "c1 d8'", "b2 c2 a3 b3 c3'"]
            .map(|squares| format!("moves = 'K', fires = 'K', fire-at = 'anywhere', protect = '{squares}"));
        assert_eq!(texts, expected, "{:?}", read.left_out);
    }

    #[test]
    fn entries_are_read_as_fairy_stockfish_reads_them() {
        let moves = |betza: &str| {
            let text = format!("[a:amazons]\ncustomPiece1 = q:{betza}\n");
            let read = RulesFile::parse("variants.ini", &text).unwrap();
            read.sets.first().map(|set| set.rules.moves[0].to_string())
        };
        // Each as pyffish 0.0.90 moves.
        for (betza, reach) in [
            ("mRmR2", "R2"),
            ("mR2mR", "R"),
            ("mR3mR2", "R2"),
            ("mQmR2", "R2B"),
            ("mRmQ2", "Q2"),
            ("mK2mR", "RB2"),
            ("mR3mW", "R3"),
            ("mWmR3", "R3"),
            ("mR3mW1", "R1"),
            ("mR2mK", "R2B1"),
            ("mR3mK1", "K"),
            ("mW2mF3", "R2B3"),
            ("mR10", "R1"),
            ("mR12", "R1"),
            ("mR0", "R"),
            ("mQ03", "Q"),
            ("m R2", "R2"),
            ("mR 2", "R"),
            ("mR2,mB3", "R2B3"),
            ("mR2 # as a rook, two squares", "R2"),
            ("mR2; short", "R2"),
            ("mNmR2", "R2N"),
        ] {
            assert_eq!(moves(betza).as_deref(), Some(reach), "{betza}");
        }
        for other in ["mR2 # Queen", "mR2 # or mQ", "R2", "mN2", "mfR", "mWW", "mC", ""] {
            assert_eq!(moves(other), None, "{other}");
        }
        let text = "[a:amazons] # small\nmaxRank = 6 # six\nmaxFile = f;six\n\
                    startFen = 1q2q1/q4q/6/6/Q4Q/1Q2Q1 # White begins\n\
                    [b:a]\nwallingRule = past # no word of it\n";
        let read = RulesFile::parse("variants.ini", text).unwrap();
        let [a] = &read.sets[..] else { panic!("{read:?}") };
        assert_eq!(a.start, "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1");
        assert!(read.left_out[0].to_string().contains("past # no word of it: arrow, past"), "{read:?}");
    }

    #[test]
    fn entries_that_are_other_games_are_left_out_and_said_why() {
        let text = "[a:amazons]\nwallingRule = duck\n\n[b]\npawn = p\n[c:losers]\n[d]\n[e:amazons]\ncustomPiece1 = q:Q\n\
                    [f:amazons]\nstartFen = q2/3/2R w - - 0 1\n[g:amazons]\n[G:amazons]\nwallingRule = edge\n";
        let read = RulesFile::parse("variants.ini", text).unwrap();
        assert_eq!(read.sets.iter().map(|set| set.name.as_str()).collect::<Vec<_>>(), ["g"]);
        let left: Vec<_> = read.left_out.iter().map(ToString::to_string).collect();
        assert_eq!(
            left,
            [
                "line 2: a: wallingRule = duck: arrow, past, static and edge are known here",
                "line 5: b: pawn = p: not known here",
                "line 6: c: 'losers', which it is like, is no game of move and fire",
                "line 7: d: wallingRule is missing, so this is no game of move and fire",
                "line 9: e: customPiece1 = q:Q: moves without captures (m) as R, B, Q, K, W, F and N are known here",
                "line 10: f: startFen has 'R': one kind of piece, 'q', is known here",
                "line 13: G: an entry of this name stands above",
            ]
        );
        let wrong = RulesFile::parse("variants.ini", "key = 1").unwrap_err().to_string();
        assert_eq!(wrong, "variants.ini:1: 'key = 1': [name], key = value or a comment is expected");
    }
}
