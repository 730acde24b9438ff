//! Games of the engine with itself.

use clap::{Args, value_parser};
use hippolyta::engine::{Board, Control, Limits, Model};
use hippolyta::games::variant::{DEFAULT, Variant};
use hippolyta::games::{Outcome, Side, Turn};
use hippolyta_lab::differences::{by_checksum, by_text, is_built_in};
use hippolyta_lab::options::many;
use hippolyta_lab::play::{self, LONGEST, PlayError};
use hippolyta_lab::seeds;
use rayon::prelude::*;
use serde::{Deserialize, Serialize, Serializer};
use std::ops::ControlFlow::Continue;

/// The games to play.
#[derive(Clone, Debug, Serialize, Args)]
pub struct Plan {
    /// The rule set.
    #[arg(skip = DEFAULT.clone())]
    #[serde(serialize_with = "by_text")]
    pub variant: Variant,
    /// Where games begin.
    #[arg(skip = Board::new(DEFAULT))]
    #[serde(rename = "fen", serialize_with = "by_fen")]
    pub start: Board,
    /// Nodes for a turn, by strength, the least first, separated by commas.
    #[arg(long, value_delimiter = ',', default_value = "100,400,1600", value_parser = many())]
    pub nodes: Vec<u64>,
    /// Games of equals at each strength.
    #[arg(long, default_value_t = 100, value_parser = value_parser!(u64).range(2..=1_000_000))]
    pub games: u64,
    /// Pairs of games at each strength against twice as many nodes [default: half as many as --games].
    #[arg(long, value_parser = value_parser!(u64).range(..=1_000_000))]
    pub pairs: Option<u64>,
    /// How often all these games are played, each time others: a longer plan begins with those of a shorter one.
    #[arg(skip = 1_u64)]
    #[serde(skip)]
    pub rounds: u64,
    /// The first six turns are drawn among those within so many points, hundredths of the expected score, of the best:
    /// the more, the more different openings.
    #[arg(long, value_name = "POINTS", default_value_t = VARIETY, value_parser = points)]
    #[serde(skip_serializing_if = "is_usual")]
    pub variety: f32,
    /// Seed of what is random.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Who evaluates.
    #[arg(skip)]
    #[serde(rename = "weights", serialize_with = "by_checksum", skip_serializing_if = "is_built_in")]
    pub model: Model,
}

/// The variety where nothing is said.
pub(super) const VARIETY: f32 = 2.0;

fn points(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|points| (0.0..=50.0).contains(points));
    number.ok_or_else(|| "a number from 0 to 50 is expected".to_owned())
}

fn is_usual(variety: &f32) -> bool {
    *variety == VARIETY
}

fn by_fen<S: Serializer>(board: &Board, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&board.fen())
}

/// A game that is to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its number, from 0.
    pub number: u64,
    /// The strength, by its place in the plan.
    pub strength: usize,
    /// Who evaluates twice as many positions; `None` for a game of equals.
    pub stronger: Option<Side>,
}

impl Task {
    /// The number of the first game of its pair, or of itself.
    pub fn pair(self) -> u64 {
        self.number - u64::from(self.stronger == Some(Side::Black))
    }
}

/// A game that was played, as a line of JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// Its number.
    pub number: u64,
    /// White's half points.
    pub white: u8,
    /// Turns of both sides.
    pub turns: u32,
    /// Legal turns, on the mean over the game.
    pub choices: f64,
    /// The turn from which on the winner was ahead for good, with [`CLEAR`] or more; the last one if never.
    pub clear: u32,
    /// How often the other side came to be ahead, with [`AHEAD`] or more.
    pub changes: u32,
    /// The first turns of the game, with blanks between.
    pub opening: String,
}

/// An expected score from which on a side is clearly ahead.
pub const CLEAR: f32 = 0.75;
/// An expected score from which on a side is ahead.
pub const AHEAD: f32 = 0.55;
/// Turns of an opening.
const OPENING: usize = 4;

/// The games of a plan, by their numbers: in each round those of equals first, the weakest first.
pub fn tasks(plan: &Plan) -> Vec<Task> {
    let mut tasks = Vec::new();
    let mut add = |strength, stronger| tasks.push(Task { number: tasks.len() as u64, strength, stronger });
    for _ in 0..plan.rounds {
        for strength in 0..plan.nodes.len() {
            (0..plan.games).for_each(|_| add(strength, None));
        }
        for strength in 0..plan.nodes.len() {
            for _ in 0..plan.pairs.unwrap_or(plan.games / 2) {
                [Side::White, Side::Black].into_iter().for_each(|side| add(strength, Some(side)));
            }
        }
    }
    tasks
}

/// Plays games, one on each thread of the current rayon pool, gives each to `keep` when it is over, and returns all. A
/// game depends on the plan and its task alone; both games of a pair have the same seeds. Ends early once `control` is
/// stopped.
///
/// # Errors
///
/// If the system lacks memory or threads, or a position cannot be searched.
pub fn play(
    plan: &Plan,
    tasks: &[Task],
    control: &Control,
    keep: &(dyn Fn(&Played) + Sync),
) -> Result<Vec<Played>, PlayError> {
    let one = |task| {
        let played = if control.stopped() { None } else { game(plan, task, control)? };
        played.iter().for_each(keep);
        Ok(played)
    };
    let played: Vec<_> = tasks.par_iter().with_max_len(1).map(one).collect::<Result<_, PlayError>>()?;
    Ok(played.into_iter().flatten().collect())
}

fn game(plan: &Plan, task: &Task, control: &Control) -> Result<Option<Played>, PlayError> {
    let seed = seeds::of(plan.seed, task.pair());
    let engine = || play::engine(&plan.variant, &plan.model, seed);
    let mut engines = [engine()?, engine()?];
    let mut board = plan.start.clone();
    let (mut choices, mut scores) = (0.0, Vec::new());
    let ended = play::game(&mut board, LONGEST, &|| control.stopped(), &mut |board| {
        let side = board.side_to_move();
        let nodes = plan.nodes[task.strength] * if task.stronger == Some(side) { 2 } else { 1 };
        let limits = Limits { nodes: Some(nodes), variety: plan.variety, ..Limits::default() };
        let found = engines[side.index()].search(board, &limits, control)?;
        choices += board.legal_turns().len() as f64;
        let own = found.score.expected();
        scores.push(if side == Side::White { own } else { 1.0 - own });
        Ok(Continue(found.best().cloned()))
    })?;
    let Some((outcome, _)) = ended else { return Ok(None) };
    let turns = scores.len() as u32;
    let opening: Vec<_> = board.turns().iter().take(OPENING).map(Turn::to_string).collect();
    Ok(Some(Played {
        number: task.number,
        white: outcome.half_points(Side::White),
        turns,
        choices: choices / f64::from(turns.max(1)),
        clear: clear(&scores, outcome),
        changes: changes(&scores),
        opening: opening.join(" "),
    }))
}

/// The turn from which on White's expected scores say who wins.
pub(super) fn clear(scores: &[f32], outcome: Outcome) -> u32 {
    let Outcome::Win(winner) = outcome else { return scores.len() as u32 };
    let of_winner = |score: &f32| if winner == Side::White { *score } else { 1.0 - score };
    scores.iter().rposition(|score| of_winner(score) < CLEAR).map_or(0, |last| last as u32 + 1)
}

/// How often White's expected scores turn from one side to the other.
pub(super) fn changes(scores: &[f32]) -> u32 {
    let leaders = scores.iter().filter_map(|&score| match score {
        score if score >= AHEAD => Some(Side::White),
        score if 1.0 - score >= AHEAD => Some(Side::Black),
        _ => None,
    });
    let leaders: Vec<Side> = leaders.collect();
    leaders.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32
}
