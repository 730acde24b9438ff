//! The queries as a client writes them. What is declared here is what is read, and what the schema says: a doc comment
//! is the field's description there.

use super::fields::{Fen, Id, List, MOST, Object, Priority, RuleSet, Rules, Seconds, Share, Text, TurnNumber, Whole};
use crate::go::DEEPEST_PERFT;
use hippolyta::engine::{Clocks, ELO_RANGE, Include, Limits};
use hippolyta::games::{Outcome, Side};
use hippolyta::search::Control;
use hippolyta::words::{Language, one_line, plain, shown};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_ignored::Path;
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Why a line cannot be obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Where it is wrong: `moves[3]`.
    pub field: Option<String>,
    /// The fault, in words.
    pub message: String,
}

impl Fault {
    pub fn of(message: impl ToString) -> Self {
        Self { field: None, message: one_line(&message.to_string()) }
    }

    pub fn at(field: impl AsRef<str>, message: impl ToString) -> Self {
        Self { field: Some(shown(field.as_ref())), ..Self::of(message) }
    }
}

/// Why work ends without a result.
#[derive(Debug)]
pub(super) enum Ended {
    Wrong(Fault),
    /// Its control was stopped.
    Stopped,
}

impl From<Fault> for Ended {
    fn from(fault: Fault) -> Self {
        Self::Wrong(fault)
    }
}

/// Ends work that its control has stopped. Whatever may take long asks it between steps that take milliseconds.
pub(super) fn go_on(control: &Control) -> Result<(), Ended> {
    if control.stopped() { Err(Ended::Stopped) } else { Ok(()) }
}

/// The query in a line, by its `action`.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(super) enum Query {
    Analyse(Box<AnalyseQuery>),
    Terminate(TerminateQuery),
    TerminateAll(TerminateAllQuery),
    LegalMoves(LegalMovesQuery),
    Fill(FillQuery),
    Perft(PerftQuery),
    Review(ReviewQuery),
    ReadGames(ReadGamesQuery),
    WriteGame(WriteGameQuery),
    Variants(VariantsQuery),
    #[serde(alias = "query_version")]
    Version(VersionQuery),
}

/// The action of a query that names none.
pub(super) const DEFAULT_ACTION: &str = "analyse";

/// Searches positions of a game.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
pub(super) struct AnalyseQuery {
    /// The rule set; by default `amazons`, or the first of `rules`.
    pub variant: Option<RuleSet>,
    /// Rule sets of one's own: the text of a file of them, in TOML or a `variants.ini`.
    pub rules: Option<Rules>,
    /// Where the game begins; by default the start position of the rule set.
    pub fen: Option<Fen>,
    /// Moves played from there.
    pub moves: List<String>,
    /// Which positions to analyse, by the number of moves before them; by default the last.
    #[serde(alias = "analyzeTurns")]
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub analyse_turns: Option<List<TurnNumber>>,
    /// Limit: positions evaluated. By default that of `--nodes`, if there is no other limit.
    pub nodes: Option<Whole<u64, 1, MOST>>,
    /// Limit: milliseconds.
    pub movetime: Option<Whole<u64, 1, MOST>>,
    /// Limit: turns in the principal variation.
    pub depth: Option<Whole<u32, 1, 10_000>>,
    /// Limit: a proven win within this number of turns.
    pub mate: Option<Whole<u32, 1, 10_000>>,
    /// Limit: the clocks, of which the search takes a sensible part.
    pub clock: Option<Object<ClockFields>>,
    /// Play with this rating, as `UCI_Elo` does; by default as well as possible.
    pub elo: Option<Whole<u32, { ELO_RANGE[0] as i64 }, { ELO_RANGE[1] as i64 }>>,
    /// Moves to report; by default one.
    pub multipv: Option<Whole<usize, 1, 500>>,
    /// In a symmetric position, reports only the first of moves that are images of each other.
    pub merge_mirrored: bool,
    /// Goes on from what the engine has found in its last searches, so the answer depends on them. By default each
    /// query is answered as if it were the first.
    pub keep_tree: bool,
    /// Lets a proof search work beside the search, for a sixth of its time; it does not count in `nodes`.
    pub prove: bool,
    /// Only these moves; by default all.
    pub searchmoves: List<String>,
    /// Breaks ties; by default that of `--seed`.
    pub seed: Option<Whole<u64, 0, MOST>>,
    /// In the first six plies of a game, the first of `moveInfos` is drawn, by `seed`, from the moves that are shown
    /// within this many points of the best; by default 0, always the best. With `elo` they are found by a search of
    /// 16,000 positions at least, unless that level draws its moves at random.
    pub variety: Option<Whole<u32, 0, 50>>,
    /// Higher ones are searched first; by default 0.
    pub priority: Option<Priority>,
    /// A priority for each of `analyseTurns`; by default `priority`.
    pub priorities: Option<List<Priority>>,
    /// Seconds between interim answers; by default there are none.
    pub report_during_search_every: Option<Seconds<1_000_000>>,
    /// Adds `ownership` (Amazons, Desdemona family).
    pub include_ownership: bool,
    /// Adds `territory` (Amazons).
    pub include_territory: bool,
    /// Adds `stones` (Desdemona family).
    pub include_stones: bool,
    /// Adds `decided`: whether the result is certain.
    pub include_decided: bool,
    /// Adds `turns` to each of `moveInfos`: the squares of its `pv`.
    pub include_turns: bool,
}

impl AnalyseQuery {
    /// Limits of each search of the query, its turns left out: only positions can read them.
    pub fn limits(&self) -> Limits {
        Limits {
            nodes: self.nodes.map(|nodes| nodes.0),
            move_time: self.movetime.map(|milliseconds| Duration::from_millis(milliseconds.0)),
            depth: self.depth.map(|depth| depth.0),
            mate: self.mate.map(|mate| mate.0),
            clocks: self.clock.map(|clock| clock.0.clocks()).unwrap_or_default(),
            elo: self.elo.map(|elo| elo.0),
            variety: self.variety.map_or(0.0, |points| points.0 as f32),
            merge_mirrored: self.merge_mirrored,
            prove: self.prove,
            report_every: self.report_during_search_every.map(|seconds| seconds.0),
            include: Include {
                ownership: self.include_ownership,
                territory: self.include_territory,
                stones: self.include_stones,
            },
            ..Limits::default()
        }
    }
}

/// The clocks of both sides. A side whose time is not named has none left.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct ClockFields {
    /// White's time left, in milliseconds.
    pub white: Option<Milliseconds>,
    /// Black's.
    pub black: Option<Milliseconds>,
    /// Milliseconds that White's clock gains after each move.
    pub white_increment: Option<Milliseconds>,
    /// Milliseconds that Black's clock gains.
    pub black_increment: Option<Milliseconds>,
    /// Moves to the next time control; by default there is none.
    pub moves_to_go: Option<Whole<u32, 1, 10_000>>,
}

/// From nothing up.
type Milliseconds = Whole<u64, 0, MOST>;

impl ClockFields {
    fn clocks(self) -> Clocks {
        let time = |milliseconds: Milliseconds| Duration::from_millis(milliseconds.0);
        Clocks {
            time: [self.white, self.black].map(|left| left.map(time)),
            increment: [self.white_increment, self.black_increment].map(|gain| gain.map(time).unwrap_or_default()),
            moves_to_go: self.moves_to_go.map(|moves| moves.0),
        }
    }
}

/// Ends the queries with an id.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct TerminateQuery {
    /// Their id.
    pub terminate_id: String,
    /// Only these of their positions, by the number of moves before them.
    pub turn_numbers: Option<List<TurnNumber>>,
}

/// Ends all queries.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct TerminateAllQuery {
    /// Only these of their positions, by the number of moves before them.
    pub turn_numbers: Option<List<TurnNumber>>,
}

/// Lists the legal moves of a position.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default, rename_all = "camelCase")]
pub(super) struct LegalMovesQuery {
    /// The rule set; by default `amazons`, or the first of `rules`.
    pub variant: Option<RuleSet>,
    /// Rule sets of one's own: the text of a file of them, in TOML or a `variants.ini`.
    pub rules: Option<Rules>,
    /// Where the game begins; by default the start position of the rule set.
    pub fen: Option<Fen>,
    /// Moves played from there.
    pub moves: List<String>,
    /// Adds `decided`: whether the result is certain.
    pub include_decided: bool,
    /// Adds `position`: what stands where.
    pub include_position: bool,
    /// Adds `turns`: the squares of `moves`.
    pub include_turns: bool,
}

/// Plays a game that is decided to its end.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub(super) struct FillQuery {
    /// The rule set; by default `amazons`, or the first of `rules`.
    pub variant: Option<RuleSet>,
    /// Rule sets of one's own: the text of a file of them, in TOML or a `variants.ini`.
    pub rules: Option<Rules>,
    /// Where the game begins; by default the start position of the rule set.
    pub fen: Option<Fen>,
    /// Moves played from there.
    pub moves: List<String>,
}

/// Counts the positions after each sequence of moves.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct PerftQuery {
    /// The rule set; by default `amazons`, or the first of `rules`.
    pub variant: Option<RuleSet>,
    /// Rule sets of one's own: the text of a file of them, in TOML or a `variants.ini`.
    pub rules: Option<Rules>,
    /// Where the game begins; by default the start position of the rule set.
    pub fen: Option<Fen>,
    /// Moves played from there.
    #[serde(default)]
    pub moves: List<String>,
    /// Moves of both sides to count.
    pub depth: Whole<u32, 0, { DEEPEST_PERFT as i64 }>,
    /// Higher ones are counted first; by default 0.
    pub priority: Option<Priority>,
}

/// Judges the moves of a game by what `analyse` has said of its positions.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub(super) struct ReviewQuery {
    /// The rule set; by default `amazons`, or the first of `rules`.
    pub variant: Option<RuleSet>,
    /// Rule sets of one's own: the text of a file of them, in TOML or a `variants.ini`.
    pub rules: Option<Rules>,
    /// Where the game begins; by default the start position of the rule set.
    pub fen: Option<Fen>,
    /// Moves played from there.
    pub moves: List<String>,
    /// The positions, the start first, one more than there are moves; `null` for one of which nothing is known.
    pub positions: List<Option<Object<PositionFields>>>,
}

/// The findings of an analysis about a position.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct PositionFields {
    /// The expected score of the side to move: `winrate` of `rootInfo`.
    pub winrate: Share,
    /// The best move, the first of `moveInfos`; left out if the game is over, or `line` is given.
    pub best: Option<String>,
    /// The moves expected, the best one first: `pv` of the first of `moveInfos`.
    #[serde(default)]
    pub line: List<String>,
    /// The proven result: `result` of `rootInfo`.
    pub result: Option<Object<ResultFields>>,
    /// The findings of an analysis about the position after the best move, searched as long as the others. A move that
    /// an answer marks as `wanted` is judged fairly once it is known.
    pub after_best: Option<Object<AfterBestFields>>,
}

/// The findings of an analysis about the position after the best move.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct AfterBestFields {
    /// The expected score of the side to move there.
    pub winrate: Share,
    /// The moves expected there.
    #[serde(default)]
    pub line: List<String>,
    /// The proven result there.
    pub result: Option<Object<ResultFields>>,
}

/// A result that is certain, for the side to move.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ResultFields {
    pub outcome: OutcomeName,
    /// Moves of both sides to the end; they are not judged by it.
    #[serde(rename = "plies")]
    pub _plies: Option<Whole<u32, 0, MOST>>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(super) enum OutcomeName {
    Win,
    Draw,
    Loss,
}

impl ResultFields {
    /// The outcome of the game with `side` to move.
    pub fn of(self, side: Side) -> Outcome {
        match self.outcome {
            OutcomeName::Win => Outcome::Win(side),
            OutcomeName::Draw => Outcome::Draw,
            OutcomeName::Loss => Outcome::Win(!side),
        }
    }
}

/// Bytes of a text with games.
pub(super) const LONGEST_FILE: usize = 16 << 20;

/// Reads games as `hippolyta convert` does.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(default)]
pub(super) struct ReadGamesQuery {
    /// Games or positions in any format; this or `base64`.
    pub text: Option<Text<LONGEST_FILE>>,
    /// The bytes of a file, of whatever encoding, in Base64; this or `text`.
    pub base64: Option<Text<{ LONGEST_FILE.div_ceil(3) * 4 }>>,
    /// The file's name: its ending counts where the text does not tell its format.
    pub name: Option<Text<1_000>>,
    /// The rule set of games that name none, if their turns fit it; by default `amazons`, or the first of `rules`.
    pub variant: Option<RuleSet>,
    /// Rule sets of one's own: the text of a file of them, in TOML or a `variants.ini`.
    pub rules: Option<Rules>,
    /// The first game to read, from 0.
    pub from: Option<Whole<u64, 0, MOST>>,
    /// How many games to read; by default 100.
    pub count: Option<Whole<usize, 1, 1_000>>,
}

/// Writes a game as `hippolyta convert` does.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct WriteGameQuery {
    /// `pgn`, `sgf`, `jsonl` or `fen`.
    pub format: Text<100>,
    /// A line of `games.jsonl` as an object; all but `moves` may be left out.
    pub record: Map<String, Value>,
}

/// Asks for the rule sets.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct VariantsQuery {
    /// Asks for those of this text instead, which is a file of rule sets in TOML or a `variants.ini`.
    pub rules: Option<Rules>,
}

/// Asks who answers.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct VersionQuery {}

/// A line, as far as it must be known before its turn comes.
#[derive(Debug)]
pub(super) struct Line {
    pub id: Arc<str>,
    pub action: String,
    /// Its bytes.
    pub length: usize,
    /// The fields beside these.
    fields: Map<String, Value>,
}

impl Line {
    /// Reads one line. With an error comes the id as it was given, if the line has one.
    pub fn read(line: &[u8]) -> Result<Self, (Option<Value>, Fault)> {
        let length = line.len();
        let Envelope { mut fields, twice } =
            serde_json::from_slice(line).map_err(|error| (None, unreadable(&error)))?;
        fields.retain(|_, value| !value.is_null());
        let Some(given) = fields.remove("id") else { return Err((None, missing("id"))) };
        if let Some(name) = twice {
            return Err((Some(given), Fault::at(name, "the field is there twice")));
        }
        let word = |value: &Value| {
            String::deserialize(value).map_err(|error| Fault::of(plain(&error.to_string(), Language::Json)))
        };
        let id = match Id::deserialize(&given) {
            Ok(Id { 0: id }) => id.into(),
            Err(error) => return Err((Some(given), Fault::at("id", plain(&error.to_string(), Language::Json)))),
        };
        let action = fields.remove("action").map_or_else(|| Ok(DEFAULT_ACTION.to_owned()), |action| word(&action));
        match action {
            Ok(action) => Ok(Self { id, action, length, fields }),
            Err(fault) => Err((Some(given), Fault::at("action", fault.message))),
        }
    }

    /// Whether it asks for the end of other work, and must not wait for it.
    pub fn ends_others(&self) -> bool {
        ["terminate", "terminate_all"].contains(&self.action.as_str())
    }

    /// Whether it asks for searches, which are about positions of their own.
    pub fn is_about_positions(&self) -> bool {
        self.action == DEFAULT_ACTION
    }

    /// What it asks for, and the fields that mean nothing.
    pub fn query(self) -> Result<(Query, Vec<String>), Fault> {
        let mut unknown = Vec::new();
        let query = query(self.action, self.fields, &mut unknown)?;
        Ok((query, unknown))
    }
}

fn missing(field: &str) -> Fault {
    Fault::at(field, plain(&format!("missing field `{field}`"), Language::Json))
}

/// The fields of a line.
struct Envelope {
    /// Of two with one name the first.
    fields: Map<String, Value>,
    /// The name of one that is there twice.
    twice: Option<String>,
}

impl<'de> Deserialize<'de> for Envelope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = Envelope;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Envelope, A::Error> {
                let mut twice = None;
                let fields = Once(&mut twice).fields(entries)?;
                Ok(Envelope { fields, twice })
            }
        }

        deserializer.deserialize_map(Fields)
    }
}

/// Reads a JSON value, however deep. Of two fields of an object with one name it keeps the first, and in here the path
/// of one that is there twice: `clock.white`.
struct Once<'a>(&'a mut Option<String>);

impl Once<'_> {
    fn fields<'de, A: MapAccess<'de>>(self, mut entries: A) -> Result<Map<String, Value>, A::Error> {
        let mut fields = Map::new();
        while let Some(name) = entries.next_key::<String>()? {
            let mut inner = None;
            let value = entries.next_value_seed(Once(&mut inner))?;
            if fields.contains_key(&name) {
                self.0.get_or_insert(name);
                continue;
            }
            if let Some(inner) = inner {
                let dot = if inner.starts_with('[') { "" } else { "." };
                self.0.get_or_insert(format!("{name}{dot}{inner}"));
            }
            fields.insert(name, value);
        }
        Ok(fields)
    }
}

impl<'de> DeserializeSeed<'de> for Once<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Once<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let (mut list, mut inner) = (Vec::new(), None);
        while let Some(entry) = entries.next_element_seed(Once(&mut inner))? {
            if let Some(inner) = inner.take() {
                let dot = if inner.starts_with('[') { "" } else { "." };
                self.0.get_or_insert(format!("[{}]{dot}{inner}", list.len()));
            }
            list.push(entry);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Value, A::Error> {
        self.fields(entries).map(Value::Object)
    }
}

/// The fault of a line that is no JSON object.
fn unreadable(error: &serde_json::Error) -> Fault {
    let message = error.to_string();
    // It is one line.
    let (message, column) = message.rsplit_once(" at line 1 column ").unwrap_or((&message, ""));
    let message = plain(message, Language::Json);
    if error.is_data() {
        return Fault::of(message);
    }
    Fault::of(if column.is_empty() {
        format!("not JSON: {message}")
    } else {
        format!("not JSON: {message} at byte {column}")
    })
}

/// Where a field is, as `clock.white` or `positions[3].line`.
fn place(path: &Path<'_>) -> String {
    match path {
        Path::Root => String::new(),
        Path::Seq { parent, index } => format!("{}[{index}]", place(parent)),
        Path::Map { parent, key } => match place(parent) {
            at if at.is_empty() => key.clone(),
            at => format!("{at}.{key}"),
        },
        Path::Some { parent } | Path::NewtypeStruct { parent } | Path::NewtypeVariant { parent } => place(parent),
    }
}

/// Reads what stands beside the id. As `{"perft": {…}}`, not as `{"action": "perft", …}`: Serde keeps the fields of an
/// object tagged inside in a buffer, and its errors no longer tell which field they are about.
fn query(action: String, fields: Map<String, Value>, unknown: &mut Vec<String>) -> Result<Query, Fault> {
    let tagged = Value::Object(Map::from_iter([(action, Value::Object(fields))]));
    let mut track = serde_path_to_error::Track::new();
    let mut ignored = |path: Path<'_>| unknown.push(place(&path));
    let tracked = serde_path_to_error::Deserializer::new(tagged, &mut track);
    Query::deserialize(serde_ignored::Deserializer::new(tracked, &mut ignored)).map_err(|error| {
        let (said, path) = (error.to_string(), track.path().to_string());
        // `perft.depth` is the field `depth`.
        let field = match path.split_once('.') {
            Some((_, field)) if !field.is_empty() => field,
            // A field that is missing or there twice is named in the message alone.
            _ if ["missing field `", "duplicate field `"].iter().any(|words| said.starts_with(words)) => {
                said.split('`').nth(1).unwrap_or_default()
            }
            _ => "action",
        };
        Fault::at(field, plain(&said, Language::Json))
    })
}
