//! The queries as a client writes them. What is declared here is what is read, and what the schema says: a doc comment
//! is the field's description there.

use super::fields::{Fen, Id, List, MOST, Priority, RuleSet, Seconds, TurnNumber, Whole};
use crate::engine::{Clocks, ELO_RANGE, Include, Limits};
use serde::Deserialize;
use serde_ignored::Path;
use serde_json::{Map, Value};
use std::time::Duration;

/// Why a line cannot be obeyed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Where it is wrong: `moves[3]`.
    pub field: Option<String>,
    /// What is wrong.
    pub message: String,
}

impl Fault {
    pub fn of(message: impl ToString) -> Self {
        Self { field: None, message: message.to_string() }
    }

    pub fn at(field: impl Into<String>, message: impl ToString) -> Self {
        Self { field: Some(field.into()), message: message.to_string() }
    }
}

/// What a line asks for, by its `action`.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(super) enum Query {
    Analyse(Box<AnalyseQuery>),
    Terminate(TerminateQuery),
    TerminateAll(TerminateAllQuery),
    LegalMoves(LegalMovesQuery),
    Perft(PerftQuery),
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
    /// The rule set; by default `amazons`.
    pub variant: RuleSet,
    /// Where the game begins; by default the start position of the rule set.
    pub fen: Option<Fen>,
    /// Moves played from there.
    pub moves: List<String>,
    /// Which positions to analyse, by the number of moves before them; by default the last.
    #[serde(alias = "analyzeTurns")]
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
    pub clock: Option<ClockFields>,
    /// Play with this rating, as `UCI_Elo` does; by default as well as possible.
    pub elo: Option<Whole<u32, { ELO_RANGE[0] as i64 }, { ELO_RANGE[1] as i64 }>>,
    /// Moves to report; by default one.
    pub multipv: Option<Whole<usize, 1, 500>>,
    /// Only these moves; by default all.
    pub searchmoves: List<String>,
    /// Breaks ties; by default that of `--seed`.
    pub seed: Option<Whole<u64, 0, MOST>>,
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
}

impl AnalyseQuery {
    /// What the query asks of each search.
    pub fn limits(&self) -> Limits {
        Limits {
            nodes: self.nodes.map(|nodes| nodes.0),
            move_time: self.movetime.map(|milliseconds| Duration::from_millis(milliseconds.0)),
            depth: self.depth.map(|depth| depth.0),
            mate: self.mate.map(|mate| mate.0),
            clocks: self.clock.map(ClockFields::clocks).unwrap_or_default(),
            elo: self.elo.map(|elo| elo.0),
            turns: self.searchmoves.0.clone(),
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
    /// What White's clock gains after each move, in milliseconds.
    pub white_increment: Option<Milliseconds>,
    /// What Black's gains.
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
#[serde(default)]
pub(super) struct LegalMovesQuery {
    /// The rule set; by default `amazons`.
    pub variant: RuleSet,
    /// Where the game begins; by default the start position of the rule set.
    pub fen: Option<Fen>,
    /// Moves played from there.
    pub moves: List<String>,
}

/// Counts the positions after each sequence of moves.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct PerftQuery {
    /// The rule set; by default `amazons`.
    #[serde(default)]
    pub variant: RuleSet,
    /// Where the game begins; by default the start position of the rule set.
    pub fen: Option<Fen>,
    /// Moves played from there.
    #[serde(default)]
    pub moves: List<String>,
    /// Moves of both sides to count.
    pub depth: Whole<u32, 0, 99>,
    /// Higher ones are counted first; by default 0.
    pub priority: Option<Priority>,
}

/// Asks who answers.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct VersionQuery {}

/// A line, read.
#[derive(Debug)]
pub(super) struct Line {
    pub id: String,
    pub query: Query,
    /// Fields that mean nothing.
    pub unknown: Vec<String>,
}

/// Reads one line. With an error comes the id, if the line has one.
pub(super) fn read(line: &[u8]) -> Result<Line, (Option<String>, Fault)> {
    let (id, fields) = envelope(line).map_err(|fault| (None, fault))?;
    let mut unknown = Vec::new();
    match query(fields, &mut unknown) {
        Ok(query) => Ok(Line { id, query, unknown }),
        Err(fault) => Err((Some(id), fault)),
    }
}

/// The id, and the fields beside it that are more than `null`.
fn envelope(line: &[u8]) -> Result<(String, Map<String, Value>), Fault> {
    let value = serde_json::from_slice(line).map_err(|error| Fault::of(format!("not JSON: {error}")))?;
    let Value::Object(mut fields) = value else { return Err(Fault::of("a JSON object is expected")) };
    fields.retain(|_, value| !value.is_null());
    let id = fields.remove("id").ok_or_else(|| Fault::at("id", "missing field `id`"))?;
    let Id { 0: id } = Id::deserialize(id).map_err(|error| Fault::at("id", error))?;
    Ok((id, fields))
}

/// Reads what stands beside the id. As `{"perft": {…}}`, not as `{"action": "perft", …}`: Serde keeps the fields of an
/// object tagged inside in a buffer, and its errors no longer tell which field they are about.
fn query(mut fields: Map<String, Value>, unknown: &mut Vec<String>) -> Result<Query, Fault> {
    let action = match fields.remove("action") {
        None => DEFAULT_ACTION.to_owned(),
        Some(Value::String(action)) => action,
        Some(_) => return Err(Fault::at("action", "a string is expected")),
    };
    let tagged = Value::Object(Map::from_iter([(action, Value::Object(fields))]));
    let mut track = serde_path_to_error::Track::new();
    let mut ignored = |path: Path<'_>| match path {
        Path::Map { key, .. } => unknown.push(key),
        other => unknown.push(other.to_string()),
    };
    let tracked = serde_path_to_error::Deserializer::new(tagged, &mut track);
    Query::deserialize(serde_ignored::Deserializer::new(tracked, &mut ignored)).map_err(|error| {
        let message = error.to_string();
        // `perft.depth` is the field `depth`.
        let path = track.path().to_string();
        let field = match path.split_once('.') {
            Some((_, field)) if !field.is_empty() => field,
            // A field that is missing or there twice is named in the message alone.
            _ if ["missing field `", "duplicate field `"].iter().any(|words| message.starts_with(words)) => {
                message.split('`').nth(1).unwrap_or_default()
            }
            // What Serde calls a variant is no rule set.
            _ => return Fault::at("action", message.replacen("variant", "action", 1)),
        };
        Fault::at(field, &message)
    })
}
