//! Engines that choose a turn, and what that turn leaves.

use super::collect::keeps;
use super::position::{Decided, Result};
use hippolyta::games::variant::{self, Variant};
use hippolyta::games::with_family;
use hippolyta_lab::arena::statistics::interval;
use hippolyta_lab::arena::{Allowance, Client, EngineSpec, Manners, StartError};
use hippolyta_lab::problems::{Judged, ProblemError};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Time or nodes that an engine may use for a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Level {
    /// Nodes.
    Nodes(u64),
    /// Milliseconds.
    MoveTime(u64),
}

impl Level {
    fn allowance(self) -> Allowance {
        match self {
            Self::Nodes(nodes) => Allowance { nodes: Some(nodes), ..Allowance::default() },
            Self::MoveTime(ms) => Allowance { move_time: Some(Duration::from_millis(ms)), ..Allowance::default() },
        }
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Self::MoveTime(ms) => write!(f, "{ms} ms"),
        }
    }
}

/// The part of a result that is left after an engine's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Choice {
    /// All of it.
    Kept,
    /// Less.
    Lost,
    /// The proof took too much work.
    Unproven,
}

/// How long an engine may take to start, and beyond its limit for a turn.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long a turn may take where nodes are its limit.
const LONGEST: Duration = Duration::from_secs(3_600);

/// The engines of one worker by their place, each with its rule set. Each is started where it is wanted first.
#[derive(Default)]
struct Engines(HashMap<usize, (Variant, Client)>);

impl Engines {
    fn client(
        &mut self,
        number: usize,
        spec: &EngineSpec,
        variant: &Variant,
        stop: &Arc<AtomicBool>,
    ) -> core::result::Result<&mut Client, StartError> {
        let models = BTreeMap::new();
        let manners = Manners { greeting: PATIENCE, patience: PATIENCE, stop, waiting: &|_| (), models: &models };
        // One process an engine at a time: positions come rule set by rule set.
        self.0.retain(|&other, (known, _)| other != number || known == variant);
        let (_, client) = match self.0.entry(number) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(empty) => {
                empty.insert((variant.clone(), Client::start(spec, variant, &manners)?))
            }
        };
        Ok(client)
    }
}

/// Nodes for a turn of the other side, which the built-in engine plays where positions are played to their end.
const DEFENCE: u64 = 10_000;

/// How engines are tried.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// Positions that the proof of a turn may take.
    pub effort: u64,
    /// Whether positions are played to their end, not for one turn.
    pub to_the_end: bool,
}

/// The part of each position's result that each engine at each level kept: by position, then by engine, then by level.
/// At each position the engines take turns, so that a busy machine is the same for all. `done` is called after each
/// position. Works on the rayon pool it is called from, with an engine of each kind for each of its threads. `None` if
/// `stop` was set.
///
/// # Errors
///
/// If an engine does not start, does not answer or plays an illegal turn.
pub fn choices(
    positions: &[Decided],
    engines: &[EngineSpec],
    levels: &[Level],
    trial: Trial,
    stop: &Arc<AtomicBool>,
    done: &(dyn Fn() + Sync),
) -> core::result::Result<Option<Vec<Vec<Vec<Choice>>>>, ProblemError> {
    let idle = Mutex::new(Vec::<Engines>::new());
    let stopped = || stop.load(Ordering::Relaxed);
    let locked = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    let one = |position: &Decided| {
        if stopped() {
            return Ok(None);
        }
        let mut own = locked().pop().unwrap_or_default();
        let variant = variant::find(&position.variant)?;
        let found = with_family!(variant, P => choose::<P>(position, &variant, engines, levels, trial, &mut own, stop));
        // What was broken off may look like a fault of an engine.
        if stopped() {
            return Ok(None);
        }
        locked().push(own);
        done();
        found.map(Some)
    };
    positions.par_iter().with_max_len(1).map(one).collect()
}

/// By engine, then by level.
fn choose<P: Judged>(
    position: &Decided,
    variant: &Variant,
    engines: &[EngineSpec],
    levels: &[Level],
    trial: Trial,
    own: &mut Engines,
    stop: &Arc<AtomicBool>,
) -> core::result::Result<Vec<Vec<Choice>>, ProblemError> {
    let wrong = |what: String| ProblemError::Wrong(position.fen.clone(), what);
    let root = P::from_fen(variant, &position.fen)?;
    let judge = P::judge(&root, variant, trial.effort);
    let mut judge = judge.ok_or_else(|| wrong("it is too large to be proven".to_owned()))?;
    let side = root.side_to_move();
    let mut known = HashMap::new();
    let mut judged = |after: &P| {
        *known.entry(after.key()).or_insert_with(|| match keeps(judge.as_mut(), after, side, position.result) {
            Some(true) => Choice::Kept,
            Some(false) => Choice::Lost,
            None => Choice::Unproven,
        })
    };
    let defence = EngineSpec::parse(&["nodes=1".to_owned()], &["cmd=self".to_owned()]);
    let defence = defence.map_err(|error| wrong(error.to_string()))?;
    // A turn by engine `number`, which is told what was played since the root, and the position after it.
    let mut turn_of = |number: usize, level: Level, played: &mut Vec<String>, before: &P| {
        let spec = engines.get(number).unwrap_or(&defence);
        let failed = |what: String| wrong(format!("engine {}: {what}", spec.name));
        let client = own.client(number, spec, variant, stop).map_err(|error| failed(error.to_string()))?;
        if played.len() < 2 {
            client.new_game(None).map_err(|lost| failed(lost.to_string()))?;
        }
        let allowance = level.allowance();
        let longest = allowance.move_time.map_or(LONGEST, |time| time + PATIENCE);
        let go = client.go(&allowance, [None; 2], [Duration::ZERO; 2], None);
        let moves = if played.is_empty() { String::new() } else { format!(" moves {}", played.join(" ")) };
        let line = format!("position fen {}{moves}", position.fen);
        let (_, _, answer) = client.think(&line, &go, Some(longest), &mut || ());
        let turn = answer.map_err(|lost| failed(lost.to_string()))?.turn;
        let mut after = before.clone();
        before.parse_turn(&turn)?.iter().for_each(|&step| after.play(step));
        played.push(turn);
        Ok::<P, ProblemError>(after)
    };
    let mut result_of = |number: usize, level: Level| {
        let (mut now, mut played) = (root.clone(), Vec::new());
        loop {
            now = turn_of(number, level, &mut played, &now)?;
            let choice = judged(&now);
            if choice != Choice::Kept || !trial.to_the_end || now.outcome().is_some() {
                return Ok::<Choice, ProblemError>(choice);
            }
            now = turn_of(engines.len(), Level::Nodes(DEFENCE), &mut played, &now)?;
            if now.outcome().is_some() {
                return Ok(Choice::Kept);
            }
        }
    };
    let mut found = vec![Vec::new(); engines.len()];
    for &level in levels {
        for (number, found) in found.iter_mut().enumerate() {
            found.push(result_of(number, level)?);
        }
    }
    Ok(found)
}

/// How often an engine at a level threw results away.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    /// The rule set, and the size of the board if it is not the usual one; `all` for all of them.
    pub group: String,
    /// The result that was to be kept.
    pub result: Result,
    /// The engine.
    pub engine: String,
    /// The time or nodes that it had.
    pub level: Level,
    /// Positions at which the turn was proven.
    pub positions: u64,
    /// Those at which the result was thrown away.
    pub blunders: u64,
    /// Further positions, at which the turn was not proven.
    pub unproven: u64,
}

impl Row {
    /// The share of positions at which the result was thrown away; 0 without positions.
    pub fn rate(&self) -> f64 {
        self.blunders as f64 / self.positions.max(1) as f64
    }

    /// Its interval of 95 %: see [`interval`].
    ///
    /// ```
    /// use hippolyta_research::blunders::{Level, Result, Row};
    ///
    /// let row = |positions, blunders| Row {
    ///     group: "amazons".to_owned(),
    ///     result: Result::Win,
    ///     engine: "a".to_owned(),
    ///     level: Level::Nodes(1_000),
    ///     positions,
    ///     blunders,
    ///     unproven: 0,
    /// };
    /// let [low, high] = row(100, 10).interval();
    /// assert!((low - 0.0490).abs() < 1e-4 && (high - 0.1762).abs() < 1e-4);
    /// assert_eq!(row(50, 0).interval()[0], 0.0);
    /// assert_eq!(row(0, 0).interval(), [0.0, 1.0]);
    /// ```
    pub fn interval(&self) -> [f64; 2] {
        interval(self.blunders as f64, self.positions as f64)
    }
}

/// The rates by group of positions, and over all of them where there are several groups; wins and draws apart.
pub fn rows(positions: &[Decided], engines: &[EngineSpec], levels: &[Level], found: &[Vec<Vec<Choice>>]) -> Vec<Row> {
    let groups: Vec<String> = positions.iter().map(Decided::group).collect();
    let mut names: Vec<String> = Vec::new();
    groups.iter().for_each(|name| {
        if !names.contains(name) {
            names.push(name.clone());
        }
    });
    if names.len() > 1 {
        names.push("all".to_owned());
    }
    let mut rows = Vec::new();
    for name in &names {
        for result in [Result::Win, Result::Draw] {
            let is_in =
                |index: &usize| (name == "all" || groups[*index] == *name) && positions[*index].result == result;
            let members: Vec<usize> = (0..positions.len()).filter(is_in).collect();
            for (at, &level) in levels.iter().enumerate().filter(|_| !members.is_empty()) {
                for (number, spec) in engines.iter().enumerate() {
                    let count =
                        |choice| members.iter().filter(|&&index| found[index][number][at] == choice).count() as u64;
                    let (kept, blunders) = (count(Choice::Kept), count(Choice::Lost));
                    rows.push(Row {
                        group: name.clone(),
                        result,
                        engine: spec.name.clone(),
                        level,
                        positions: kept + blunders,
                        blunders,
                        unproven: count(Choice::Unproven),
                    });
                }
            }
        }
    }
    rows
}
