//! Measures of the games of a rule set, in numbers and in words.

use super::games::{Plan, Played, Task, tasks};
use crate::arena::statistics::{CONFIDENCE, Counts, expected_score, wilson};
use crate::problems::identity;
use hippolyta::engine::{Board, Control, Engine, Limits, Settings};
use hippolyta::games::Side;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

/// A number and its interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The number.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The mean of numbers, by their own spread; as wide as `range` allows where there are fewer than two.
    fn of(numbers: &[f64], [least, most]: [f64; 2]) -> Self {
        let count = numbers.len() as f64;
        let mean = numbers.iter().sum::<f64>() / count.max(1.0);
        if numbers.len() < 2 {
            return Self { mean, low: least, high: most };
        }
        let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let error = CONFIDENCE * (variance / count).sqrt();
        Self { mean, low: (mean - error).max(least), high: (mean + error).min(most) }
    }

    /// The share of `count` in `total`: that none was seen does not say that there are none.
    fn share(count: u64, total: u64) -> Self {
        let mean = count as f64 / total.max(1) as f64;
        let [low, high] = if total == 0 { [0.0, 1.0] } else { wilson(mean, total as f64) };
        Self { mean, low, high }
    }
}

/// Measures of the games of one strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Strength {
    /// Positions evaluated for a turn.
    pub nodes: u64,
    /// Games of equals.
    pub games: u64,
    /// The share of the points that White, who begins, scored, 0 … 1.
    pub first_player: Interval,
    /// The share of drawn games, 0 … 1.
    pub drawn: Interval,
    /// Turns of both sides: of a tenth of the games fewer, of half of them, of nine tenths.
    pub turns: [u32; 3],
    /// Legal turns to choose from, on the mean.
    pub choices: Interval,
    /// The part of a decided game after which the winner was clearly ahead for good, 0 … 1.
    pub clear: Interval,
    /// How often the lead changed in a game.
    pub lead_changes: Interval,
    /// Different openings of four turns.
    pub openings: u64,
    /// Elo that twice as many positions gain: the difference, then its interval of 95 %; `null` where nothing bounds it.
    pub doubling: [Option<f64>; 3],
    /// Games for that.
    pub doubling_games: u64,
}

/// A first turn, and what the engine says of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FirstTurn {
    /// The turn.
    pub turn: String,
    /// White's expected score after it, 0 … 1.
    pub score: f64,
}

/// Measures of a rule set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The rule set's name.
    pub variant: String,
    /// Its title, or its name again.
    pub title: String,
    /// Where the games began.
    pub fen: String,
    /// The seed.
    pub seed: u64,
    /// The options that made it, named as on the command line.
    #[serde(default)]
    pub made: Value,
    /// By strength, the least first.
    pub strengths: Vec<Strength>,
    /// First turns, the nearest to an even game first: for whoever lets the second player choose a side after one.
    pub even_turns: Vec<FirstTurn>,
    /// The measures in English sentences.
    pub words: Vec<String>,
}

/// Positions evaluated for a first look at a turn.
const LOOK: u64 = 30;
/// Turns that are looked at closely: those that the first look calls most even.
const CLOSELY: usize = 12;
/// Positions evaluated for a close look, as a multiple of those of the greatest strength.
const CLOSER: u64 = 4;
/// First turns that are told.
const TOLD: usize = 5;

/// First turns that leave the game most even: a small search after each turn, and a greater one after the most even of
/// them. Turns that are images of each other count as one. Blocks.
///
/// # Errors
///
/// If the system lacks memory, or a position cannot be searched.
pub fn first_turns(plan: &Plan, control: &Control) -> Result<Vec<FirstTurn>, super::GamesError> {
    let settings = Settings { seed: plan.seed, hash: 16, ..Settings::default() };
    let mut engine = Engine::new(&plan.variant, &plan.model, settings)?;
    let mut white_after = |board: &Board, nodes| {
        if let Some(outcome) = board.outcome() {
            return Ok(f64::from(outcome.half_points(Side::White)) / 2.0);
        }
        engine.clear();
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let found = engine.analyse(board, &limits, control, &mut |_| ())?;
        let own = f64::from(found.score.expected());
        Ok::<f64, super::GamesError>(if found.side == Side::White { own } else { 1.0 - own })
    };
    let (mut seen, mut turns) = (HashSet::new(), Vec::new());
    for turn in plan.start.legal_turns().all() {
        let mut board = plan.start.clone();
        let played = board.play_turn(&turn);
        debug_assert!(played.is_ok(), "{turn}");
        if control.stopped() {
            return Ok(Vec::new());
        }
        if seen.insert(identity(&board.fen())) {
            turns.push((white_after(&board, LOOK)?, turn, board));
        }
    }
    let unevenness = |score: f64| (score - 0.5).abs();
    turns.sort_by(|one, other| unevenness(one.0).total_cmp(&unevenness(other.0)));
    turns.truncate(CLOSELY);
    let nodes = plan.nodes.last().copied().unwrap_or(LOOK).saturating_mul(CLOSER);
    let mut told = Vec::new();
    for (_, turn, board) in turns {
        told.push(FirstTurn { turn: turn.to_string(), score: white_after(&board, nodes)? });
    }
    told.sort_by(|one, other| unevenness(one.score).total_cmp(&unevenness(other.score)));
    told.truncate(TOLD);
    Ok(told)
}

impl Strength {
    fn new(plan: &Plan, strength: usize, played: &[(Task, &Played)]) -> Self {
        let own = played.iter().filter(|(task, _)| task.strength == strength);
        let (equals, unequal): (Vec<_>, Vec<_>) = own.partition(|(task, _)| task.stronger.is_none());
        let each = |number: &dyn Fn(&Played) -> f64| equals.iter().map(|(_, game)| number(game)).collect::<Vec<f64>>();
        let mut turns: Vec<u32> = equals.iter().map(|(_, game)| game.turns).collect();
        turns.sort_unstable();
        let quantile = |share: f64| turns.get((share * turns.len() as f64) as usize).copied().unwrap_or_default();
        let decided = equals.iter().filter(|(_, game)| game.white != 1);
        let clear: Vec<f64> = decided.map(|(_, game)| f64::from(game.clear) / f64::from(game.turns.max(1))).collect();
        let openings: HashSet<&str> = equals.iter().map(|(_, game)| game.opening.as_str()).collect();
        let mut pairs: BTreeMap<u64, Vec<u8>> = BTreeMap::new();
        for (task, game) in &unequal {
            let points = if task.stronger == Some(Side::White) { game.white } else { 2 - game.white };
            pairs.entry(task.pair()).or_default().push(points);
        }
        let mut counts = Counts::<5>::NONE;
        for points in pairs.values().filter(|points| points.len() == 2) {
            counts.0[usize::from(points[0] + points[1])] += 1;
        }
        let [low, high] = counts.elo_interval();
        let bounded = |elo: f64| elo.is_finite().then_some(elo);
        let doubling = if counts.total() == 0 { [None; 3] } else { [counts.elo().difference, low, high].map(bounded) };
        Self {
            nodes: plan.nodes[strength],
            games: equals.len() as u64,
            first_player: Interval::of(&each(&|game| f64::from(game.white) / 2.0), [0.0, 1.0]),
            drawn: Interval::share(
                equals.iter().filter(|(_, game)| game.white == 1).count() as u64,
                equals.len() as u64,
            ),
            turns: [0.1, 0.5, 0.9].map(quantile),
            choices: Interval::of(&each(&|game| game.choices), [0.0, f64::MAX]),
            clear: Interval::of(&clear, [0.0, 1.0]),
            lead_changes: Interval::of(&each(&|game| f64::from(game.changes)), [0.0, f64::MAX]),
            openings: openings.len() as u64,
            doubling,
            doubling_games: unequal.len() as u64,
        }
    }
}

impl Report {
    /// The measures of the games of a plan. Games that are missing are left out.
    #[must_use]
    pub fn new(plan: &Plan, played: &[Played], even_turns: Vec<FirstTurn>) -> Self {
        let known: HashMap<u64, &Played> = played.iter().map(|game| (game.number, game)).collect();
        let games: Vec<(Task, &Played)> =
            tasks(plan).into_iter().filter_map(|task| Some((task, *known.get(&task.number)?))).collect();
        let strengths: Vec<Strength> =
            (0..plan.nodes.len()).map(|strength| Strength::new(plan, strength, &games)).collect();
        let words = strengths.last().map(|best| words(&strengths, best, &even_turns)).unwrap_or_default();
        Self {
            variant: plan.variant.name().to_owned(),
            title: plan.variant.own().map_or(plan.variant.name(), |own| &own.title).to_owned(),
            fen: plan.start.fen(),
            seed: plan.seed,
            made: Value::Null,
            strengths,
            even_turns,
            words,
        }
    }
}

/// A share as a number of hundredths.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0}", 100.0 * share)
}

/// The distance from one half within which the first player is hardly ahead.
const EVEN: f64 = 0.05;
/// From this share on most games are drawn.
const DRAWISH: f64 = 0.6;
/// Elo of a doubling: below the first little is to be found by searching, from the second on much.
const DEPTH: [f64; 2] = [50.0, 120.0];

/// The measures of the greatest strength in sentences.
fn words(strengths: &[Strength], best: &Strength, even_turns: &[FirstTurn]) -> Vec<String> {
    let Interval { mean, low, high } = best.first_player;
    let balance = if low > 0.5 + EVEN {
        "White, who begins, is clearly ahead"
    } else if high < 0.5 - EVEN {
        "Black, who moves second, is clearly ahead"
    } else if low >= 0.5 - EVEN && high <= 0.5 + EVEN {
        "The start is even"
    } else if low > 0.5 {
        "White, who begins, is ahead"
    } else if high < 0.5 {
        "Black, who moves second, is ahead"
    } else {
        "These games do not tell who is ahead at the start"
    };
    let mut words = vec![format!(
        "{balance}: White scores {} % ({} to {}) in {} games at {} nodes a turn.",
        percent(mean),
        percent(low),
        percent(high),
        best.games,
        best.nodes,
    )];
    let drawn = percent(best.drawn.mean);
    words.push(match best.drawn.mean {
        0.0 => "No game is drawn.".to_owned(),
        share if share >= DRAWISH => format!("Most games are drawn, {drawn} %: between equals it is hard to win."),
        _ => format!("{drawn} % of the games are drawn."),
    });
    let [short, usual, long] = best.turns;
    words.push(format!(
        "A game lasts {usual} turns of both sides, most of them {short} to {long}, with {:.0} turns to choose from on the \
         mean.",
        best.choices.mean
    ));
    if best.drawn.mean < 1.0 {
        words.push(format!(
            "The winner is clear after {} % of a game, and the lead changes {:.1} times.",
            percent(best.clear.mean),
            best.lead_changes.mean
        ));
    }
    if let [Some(elo), low, high] = best.doubling {
        let depth = match (low, high) {
            (_, Some(high)) if high < DEPTH[0] => "Searching more wins little",
            (Some(low), _) if low >= DEPTH[1] => "Searching more wins much",
            _ => "Searching more wins",
        };
        let end = |end: Option<f64>| end.map_or_else(|| "beyond".to_owned(), |elo| format!("{elo:+.0}"));
        let score = percent(expected_score(elo));
        words.push(format!(
            "{depth}: twice as many nodes score {score} %, {elo:+.0} Elo ({} to {}).",
            end(low),
            end(high)
        ));
    } else if best.doubling_games > 0 {
        words.push("Twice as many nodes win all games, or lose all: too few to say more.".to_owned());
    }
    if let [weakest, .., strongest] = strengths {
        let shift = strongest.first_player.mean - weakest.first_player.mean;
        if strongest.first_player.low > weakest.first_player.high
            || strongest.first_player.high < weakest.first_player.low
        {
            words.push(format!(
                "The stronger the players, the {} White scores: {} % at {} nodes.",
                if shift > 0.0 { "more" } else { "less" },
                percent(weakest.first_player.mean),
                weakest.nodes
            ));
        }
    }
    if let Some(FirstTurn { turn, score }) = even_turns.first() {
        words.push(format!(
            "Where the second player may choose a side after the first turn, {turn} leaves the game most even: {} % for \
             White.",
            percent(*score)
        ));
    }
    words
}
