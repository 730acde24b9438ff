//! What is said, as JSON.

use super::fields::Fault;
use crate::engine::{self, Owned, Score, rounded};
use crate::protocol::go::Dialect;
use crate::protocol::info::Points;
use crate::protocol::output::short;
use serde::Serialize;

/// The state of a search, or its end.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Analysis<'a> {
    pub id: &'a str,
    pub turn_number: u32,
    pub is_during_search: bool,
    #[serde(flatten)]
    findings: Findings<'a>,
}

/// What a search has found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Findings<'a> {
    root_info: RootInfo<'a>,
    move_infos: Vec<MoveInfo<'a>>,
    #[serde(flatten)]
    owned: &'a Owned,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RootInfo<'a> {
    current_player: &'static str,
    fen: &'a str,
    #[serde(flatten)]
    worth: Worth,
    visits: u64,
    nodes: u64,
    depth: u32,
    sel_depth: u32,
    time_ms: u64,
    hash_full: u32,
    exact_hits: u64,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MoveInfo<'a> {
    order: usize,
    #[serde(rename = "move")]
    turn: &'a str,
    visits: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    prior: Option<f64>,
    #[serde(flatten)]
    worth: Worth,
    pv: &'a [String],
}

/// A score in all its forms.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Worth {
    winrate: f64,
    wdl: [u32; 3],
    score: Points,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<Proven>,
}

/// A result that is certain.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Proven {
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
}

impl From<Score> for Worth {
    fn from(score: Score) -> Self {
        let result = match score {
            Score::Estimate { .. } => None,
            Score::Win { plies } => Some(Proven { outcome: "win", plies: Some(plies) }),
            Score::Loss { plies } => Some(Proven { outcome: "loss", plies: Some(plies) }),
            Score::Draw => Some(Proven { outcome: "draw", plies: None }),
        };
        let winrate = rounded(score.expected());
        Self { winrate, wdl: score.per_mille(), score: Points::new(score, Dialect::Uci), result }
    }
}

impl<'a> Analysis<'a> {
    /// What was found of the position of query `id` after `turn_number` moves.
    pub fn new(id: &'a str, turn_number: u32, found: &'a engine::Analysis) -> Self {
        let moves = found.lines.iter().enumerate().map(|(order, line)| MoveInfo {
            order,
            turn: line.turns.first().map_or("", String::as_str),
            visits: line.visits,
            prior: line.prior.map(rounded),
            worth: line.score.into(),
            pv: &line.turns,
        });
        let root_info = RootInfo {
            current_player: found.side.name(),
            fen: &found.fen,
            worth: found.score.into(),
            visits: found.visits,
            nodes: found.nodes,
            depth: found.depth,
            sel_depth: found.selective_depth,
            time_ms: found.time.as_millis() as u64,
            hash_full: found.hash_full,
            exact_hits: found.exact_hits,
        };
        let findings = Findings { root_info, move_infos: moves.collect(), owned: &found.owned };
        Self { id, turn_number, is_during_search: !found.last, findings }
    }
}

/// A position that was not searched, as the query was ended before.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NoResults<'a> {
    pub id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_number: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<&'static str>,
    pub is_during_search: bool,
    pub no_results: bool,
}

/// What is wrong.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Refusal<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn_number: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<&'a str>,
    error: String,
}

impl<'a> Refusal<'a> {
    pub fn new(id: Option<&'a str>, turn_number: Option<u32>, fault: &'a Fault) -> Self {
        Self { id, turn_number, field: fault.field.as_deref(), error: short(&fault.message) }
    }
}

/// A field that means nothing.
#[derive(Debug, Serialize)]
pub(super) struct Warning<'a> {
    pub id: &'a str,
    pub field: String,
    pub warning: &'a str,
}

/// The answer to `terminate` and `terminate_all`: the words of the request.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Terminated<'a> {
    pub id: &'a str,
    pub action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terminate_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_numbers: Option<&'a [u32]>,
}

#[derive(Debug, Serialize)]
pub(super) struct Version<'a> {
    pub id: &'a str,
    pub action: &'static str,
    pub name: &'static str,
    pub version: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LegalMoves<'a> {
    pub id: &'a str,
    pub action: &'static str,
    pub variant: &'static str,
    pub fen: String,
    pub current_player: &'static str,
    /// `white`, `black`, `draw` or nothing.
    pub outcome: Option<&'static str>,
    pub moves: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Counted<'a> {
    pub id: &'a str,
    pub action: &'static str,
    pub depth: u32,
    pub nodes: u64,
    /// The moves, each with its count.
    pub divide: Vec<(String, u64)>,
}
