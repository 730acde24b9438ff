//! Measures of the games of a rule set, in numbers and in words.

use super::games::{Plan, Played, Task, tasks};
use hippolyta::engine::{Board, Control, Model};
use hippolyta::eval::{Weights, general};
use hippolyta::games::Side;
use hippolyta::games::variant::Family;
use hippolyta_lab::alike::identity;
use hippolyta_lab::arena::statistics::{CONFIDENCE, Counts, elo_bounds, expected_score, interval};
use hippolyta_lab::play::{self, PlayError};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

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
    /// The mean of numbers from 0 to 1 that say as much as this number of results does.
    fn of(numbers: &[f64], results: usize) -> Self {
        let (mean, results) = (mean(numbers), results as f64);
        let [low, high] = interval(mean * results, results);
        Self { mean, low, high }
    }

    /// Whether all that it holds is above all that another holds.
    pub(super) fn is_above(&self, other: &Self) -> bool {
        self.low > other.high
    }
}

/// 0 without numbers.
fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len().max(1) as f64
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
    /// Games by their turns of both sides.
    #[serde(default)]
    pub lengths: BTreeMap<u32, u64>,
    /// Legal turns to choose from, on the mean.
    pub choices: f64,
    /// The part of a decided game after which the winner was clearly ahead for good, 0 … 1.
    pub clear: Interval,
    /// How often the lead changed in a game, on the mean.
    pub lead_changes: f64,
    /// Different openings of four turns. Games of one opening count as one result in the intervals: they tell of this
    /// opening alone.
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
    /// Who evaluated positions, in words.
    #[serde(default)]
    pub evaluation: String,
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
pub fn first_turns(plan: &Plan, control: &Control) -> Result<Vec<FirstTurn>, PlayError> {
    let mut engine = play::engine(&plan.variant, &plan.model, plan.seed)?;
    let mut white_after = |board: &Board, nodes| {
        if let Some(outcome) = board.outcome() {
            return Ok(f64::from(outcome.half_points(Side::White)) / 2.0);
        }
        engine.clear();
        let found = play::search(&mut engine, board, nodes, control)?;
        let own = f64::from(found.score.expected());
        Ok::<f64, PlayError>(if found.side == Side::White { own } else { 1.0 - own })
    };
    let (mut seen, mut turns) = (HashSet::new(), Vec::new());
    for turn in plan.start.legal_turns().all() {
        let mut board = plan.start.clone();
        let played = board.play_turn(&turn);
        debug_assert!(played.is_ok(), "{turn}");
        if control.stopped() {
            return Ok(Vec::new());
        }
        if seen.insert(identity(&plan.variant, &board.fen())) {
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
        let mut lengths = BTreeMap::new();
        turns.iter().for_each(|&turns| *lengths.entry(turns).or_default() += 1);
        let quantile = |share: f64| turns.get((share * turns.len() as f64) as usize).copied().unwrap_or_default();
        let decided = equals.iter().filter(|(_, game)| game.white != 1);
        let (clear, clear_openings): (Vec<f64>, HashSet<&str>) = decided
            .map(|(_, game)| (f64::from(game.clear) / f64::from(game.turns.max(1)), game.opening.as_str()))
            .unzip();
        let openings: HashSet<&str> = equals.iter().map(|(_, game)| game.opening.as_str()).collect();
        let mut pairs: BTreeMap<u64, Vec<(u8, &str)>> = BTreeMap::new();
        for (task, game) in &unequal {
            let points = if task.stronger == Some(Side::White) { game.white } else { 2 - game.white };
            pairs.entry(task.pair()).or_default().push((points, &game.opening));
        }
        let (mut counts, mut begun) = (Counts::<5>::NONE, HashSet::new());
        for games in pairs.values() {
            if let &[(one, first), (other, second)] = &games[..] {
                counts.0[usize::from(one + other)] += 1;
                begun.insert((first, second));
            }
        }
        let results = begun.len() as f64;
        let [low, high] = elo_bounds(interval(counts.score() * results, results));
        let bounded = |elo: f64| elo.is_finite().then_some(elo);
        let points = each(&|game| f64::from(game.white) / 2.0);
        let drawn = each(&|game| f64::from(u8::from(game.white == 1)));
        let doubling = if counts.total() == 0 { [None; 3] } else { [counts.elo().difference, low, high].map(bounded) };
        Self {
            nodes: plan.nodes[strength],
            games: equals.len() as u64,
            first_player: Interval::of(&points, openings.len()),
            drawn: Interval::of(&drawn, openings.len()),
            turns: [0.1, 0.5, 0.9].map(quantile),
            lengths,
            choices: mean(&each(&|game| game.choices)),
            clear: Interval::of(&clear, clear_openings.len()),
            lead_changes: mean(&each(&|game| f64::from(game.changes))),
            openings: openings.len() as u64,
            doubling,
            doubling_games: unequal.len() as u64,
        }
    }
}

impl Report {
    /// The measures of the games of a plan. Games that are missing are left out.
    pub fn new(plan: &Plan, played: &[Played], even_turns: Vec<FirstTurn>) -> Self {
        let known: HashMap<u64, &Played> = played.iter().map(|game| (game.number, game)).collect();
        let games: Vec<(Task, &Played)> =
            tasks(plan).into_iter().filter_map(|task| Some((task, *known.get(&task.number)?))).collect();
        let strengths: Vec<Strength> =
            (0..plan.nodes.len()).map(|strength| Strength::new(plan, strength, &games)).collect();
        let evaluation = evaluation(plan);
        let mut words = strengths.last().map(|best| words(&strengths, best, &even_turns)).unwrap_or_default();
        words.push(format!("Both sides were played by the engine with {evaluation}."));
        Self {
            variant: plan.variant.name().to_owned(),
            title: plan.variant.own().map_or(plan.variant.name(), |own| &own.title).to_owned(),
            fen: plan.start.fen(),
            seed: plan.seed,
            evaluation,
            made: Value::Null,
            strengths,
            even_turns,
            words,
        }
    }
}

/// Nothing was learned.
const GUESSES: &str = "guesses, as nothing was learned for these rules";

/// Who evaluates positions, in words.
fn evaluation(plan: &Plan) -> String {
    let Model::Learned(weights) = &plan.model else { return "an evaluation that is not learned".to_owned() };
    if let Family::General(rules) = &plan.variant.family() {
        let is_learned = weights.own.contains_key(&general::group(rules));
        let words = if is_learned { "weights learned for these rules" } else { GUESSES };
        return words.to_owned();
    }
    let is_built_in = Arc::ptr_eq(weights, &Weights::embedded());
    if is_built_in { "its built-in weights" } else { "weights or tables from a file" }.to_owned()
}

/// A share as a number of hundredths.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0}", 100.0 * share)
}

/// A share and its interval, for a sentence.
pub(super) fn share(Interval { mean, low, high }: &Interval) -> String {
    format!("{} % ({} to {})", percent(*mean), percent(*low), percent(*high))
}

/// A share and its interval, in hundredths.
pub(super) fn part(Interval { mean, low, high }: &Interval) -> String {
    format!("{} ({} to {})", percent(*mean), percent(*low), percent(*high))
}

/// The distance from one half within which the first player is hardly ahead.
const EVEN: f64 = 0.05;
/// From this share on most games are drawn.
const DRAWISH: f64 = 0.6;
/// Elo of a doubling: below the first little is to be found by searching, from the second on much.
const DEPTH: [f64; 2] = [50.0, 120.0];

/// About how many results tell who is ahead, or that nobody is, if the share stays what it was.
pub(super) fn needed(share: f64) -> u64 {
    let lead = (share - 0.5).abs();
    let results = (CONFIDENCE / 2.0 / lead.max(EVEN - lead)).powi(2);
    // Nobody counts on more than two digits.
    let unit = 10_f64.powf(results.log10().floor() - 1.0);
    ((results / unit).ceil() * unit) as u64
}

/// What twice as many nodes win, in words.
pub(super) fn doubled(best: &Strength) -> String {
    let games = best.doubling_games;
    match best.doubling {
        [Some(elo), low, high] => {
            let end = |end: Option<f64>| end.map_or_else(|| "beyond".to_owned(), |elo| format!("{elo:+.0}"));
            let score = percent(expected_score(elo));
            format!(
                "twice as many nodes score {score} % in {games} games, {elo:+.0} Elo ({} to {})",
                end(low),
                end(high)
            )
        }
        // Bounded from below: it has all the points.
        [None, Some(_), _] => format!("twice as many nodes win all {games} games"),
        _ => format!("twice as many nodes lose all {games} games"),
    }
}

/// The measures of the greatest strength in sentences.
fn words(strengths: &[Strength], best: &Strength, even_turns: &[FirstTurn]) -> Vec<String> {
    let Interval { mean, low, high } = best.first_player;
    let told = if low > 0.5 + EVEN {
        Some("White, who begins, is clearly ahead")
    } else if high < 0.5 - EVEN {
        Some("Black, who moves second, is clearly ahead")
    } else if low >= 0.5 - EVEN && high <= 0.5 + EVEN {
        Some("The start is even")
    } else if low > 0.5 {
        Some("White, who begins, is ahead")
    } else if high < 0.5 {
        Some("Black, who moves second, is ahead")
    } else {
        None
    };
    let more = match told {
        Some(_) => String::new(),
        None => format!(" About {} games from different openings would.", needed(mean)),
    };
    let mut words = vec![format!(
        "{}: White scores {} in {} games from {} at {} nodes a turn.{more}",
        told.unwrap_or("These games do not tell who is ahead at the start"),
        share(&best.first_player),
        best.games,
        if best.openings == 1 { "one opening".to_owned() } else { format!("{} openings", best.openings) },
        best.nodes,
    )];
    let drawn = percent(best.drawn.mean);
    words.push(match best.drawn.mean {
        0.0 => format!("No game is drawn; in the long run {} % at most.", percent(best.drawn.high)),
        mean if mean >= DRAWISH && best.drawn.low > 0.5 => {
            format!("Most games are drawn, {drawn} %: between equals it is hard to win.")
        }
        _ => format!("{drawn} % of the games are drawn."),
    });
    let [short, usual, long] = best.turns;
    words.push(format!(
        "A game lasts {usual} turns of both sides, most of them {short} to {long}, with {:.0} turns to choose from on the \
         mean.",
        best.choices
    ));
    if best.drawn.mean < 1.0 {
        words.push(format!(
            "The winner is clear after {} % of a game, and the lead changes {:.1} times.",
            percent(best.clear.mean),
            best.lead_changes
        ));
    }
    if best.doubling_games > 0 {
        let [_, low, high] = best.doubling;
        let depth = match (low, high) {
            (_, Some(high)) if high < 0.0 => "Searching more loses",
            (Some(low), _) if low >= DEPTH[1] => "Searching more wins much",
            (_, Some(high)) if high < DEPTH[0] => "Searching more wins little",
            (Some(low), _) if low > 0.0 => "Searching more wins",
            _ => "These games do not tell whether searching more wins",
        };
        words.push(format!("{depth}: {}.", doubled(best)));
    }
    if let [weakest, .., strongest] = strengths {
        let shift = strongest.first_player.mean - weakest.first_player.mean;
        let [weak, strong] = [&weakest.first_player, &strongest.first_player];
        if strong.is_above(weak) || weak.is_above(strong) {
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
