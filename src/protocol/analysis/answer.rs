//! What is said, as JSON.

use super::extras::Extra;
use super::fields::Fault;
use crate::games::Notation;
use crate::protocol::go::Dialect;
use crate::protocol::info::{Points, turns_text, wdl};
use crate::protocol::output::short;
use crate::search::{Report, Score};
use serde::Serialize;

/// The state of a search, or its end.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Analysis<'a> {
    pub id: &'a str,
    pub turn_number: u32,
    pub is_during_search: bool,
    #[serde(flatten)]
    pub findings: &'a Findings,
}

/// What a search has found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Findings {
    root_info: RootInfo,
    move_infos: Vec<MoveInfo>,
    #[serde(flatten)]
    pub extra: Extra,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RootInfo {
    current_player: &'static str,
    fen: String,
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
struct MoveInfo {
    order: usize,
    #[serde(rename = "move")]
    turn: String,
    visits: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    prior: Option<f64>,
    #[serde(flatten)]
    worth: Worth,
    pv: Vec<String>,
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
        let proven = |outcome, plies| Some(Proven { outcome, plies });
        let (winrate, result) = match score {
            Score::Estimate { score, .. } => (rounded(score), None),
            Score::Win { plies } => (1.0, proven("win", Some(plies))),
            Score::Loss { plies } => (0.0, proven("loss", Some(plies))),
            Score::Draw => (0.5, proven("draw", None)),
        };
        Self { winrate, wdl: wdl(score), score: Points::new(score, Dialect::Uci), result }
    }
}

/// Six decimals: more are noise.
pub(super) fn rounded(number: f32) -> f64 {
    (f64::from(number) * 1e6).round() / 1e6
}

impl Findings {
    /// What `report` says of `position`, where the search began.
    pub fn new<P: Notation>(position: &P, report: &Report<P>) -> Self {
        let moves = report.lines.iter().enumerate().map(|(order, line)| {
            let pv = turns_text(position, line);
            let turn = pv.first().cloned().unwrap_or_default();
            MoveInfo { order, turn, visits: line.visits, prior: line.prior.map(rounded), worth: line.score.into(), pv }
        });
        let root_info = RootInfo {
            current_player: position.side_to_move().name(),
            fen: position.fen(),
            worth: report.score.into(),
            visits: report.visits,
            nodes: report.nodes,
            depth: report.depth,
            sel_depth: report.selective_depth,
            time_ms: report.time.as_millis() as u64,
            hash_full: report.hash_full,
            exact_hits: report.exact_hits,
        };
        Self { root_info, move_infos: moves.collect(), extra: Extra::default() }
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
