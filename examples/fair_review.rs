//! How often a quick review is unjust: what it calls turns whose worth a search of 400,000 nodes knows.
//!
//! ```text
//! cargo run --release --example fair_review -- amazons6 300
//! ```
//!
//! Positions come from games of the engine with random openings. In each of them a search of 400,000 nodes with many
//! lines proposes a best turn, turns within a point of it, and turns that are 20 points or more behind. A line has few
//! of these nodes, so the position after each of these turns is searched with 400,000 nodes of its own, and a turn
//! counts if it is still within a point of the best one, or 20 points behind. Then a review of 20,000 nodes judges it
//! as if it had been played there.

use hippolyta::engine::{Board, Control, Engine, Limits, Line, Model, Settings};
use hippolyta::games::variant::{Variant, find};
use hippolyta_protocol::records::{Note, Record};
use hippolyta_protocol::review::{Effort, Kind, Review};
use std::collections::BTreeMap;
use std::error::Error;

/// Nodes for the turns of the games, for the truth, and for the review.
const NODES: [u64; 3] = [2_000, 400_000, 20_000];
/// Lines of the search for the truth.
const LINES: usize = 200;
/// Lines with fewer visits say nothing of what a turn loses.
const FEWEST_VISITS: u64 = 300;

/// Turns of one kind, and how many of them were called inaccuracies and mistakes.
#[derive(Default)]
struct Called {
    turns: usize,
    inaccuracies: usize,
    mistakes: usize,
}

fn random(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

/// The verdict of a quick review on a single turn.
fn judge(board: &Board, turn: &str) -> Result<Option<Kind>, Box<dyn Error>> {
    let record = Record::new(board.variant(), &board.fen(), BTreeMap::new(), [(turn.to_owned(), Note::default())])?;
    let effort = Effort { nodes: Some(NODES[2]), time: None, threads: 1, hash: 16 };
    let review = Review::new(record, effort, &Model::default(), &|_, _| ())?;
    Ok(review.verdicts().first().and_then(|verdict| verdict.kind))
}

/// A position of a game, some turns after a random opening, in which nothing is proven.
fn position(variant: &Variant, engine: &mut Engine, seed: &mut u64) -> Result<Board, Box<dyn Error>> {
    loop {
        let mut board = Board::new(variant);
        let length = random(seed) % if variant.name() == "amazons6" { 10 } else { 40 };
        for ply in 0..length {
            let turns = board.legal_turns();
            if turns.is_empty() {
                break;
            }
            let turn = if ply < 4 {
                turns.get((random(seed) % turns.len() as u64) as usize)
            } else {
                let limits = Limits { nodes: Some(NODES[0]), ..Limits::default() };
                engine.analyse(&board, &limits, &Control::default(), &mut |_| ())?.best().cloned()
            };
            board.play_turn(&turn.ok_or("a turn")?)?;
        }
        if board.outcome().is_none() {
            return Ok(board);
        }
    }
}

/// The expected score of whoever plays the first turn of a line, by a search of the position after it.
fn worth(board: &Board, line: &Line, teacher: &mut Engine) -> Result<f32, Box<dyn Error>> {
    let mut after = board.clone();
    after.play_turn(&line.turns[0])?;
    teacher.clear();
    let limits = Limits { nodes: Some(NODES[1]), ..Limits::default() };
    let found = teacher.analyse(&after, &limits, &Control::default(), &mut |_| ())?;
    Ok(1.0 - found.score.expected())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let variant = find(arguments.next().as_deref().unwrap_or("amazons6"))?;
    let wanted: usize = arguments.next().map_or(Ok(300), |number| number.parse())?;
    let settings = |multi_pv| Settings { hash: 128, multi_pv, ..Settings::default() };
    let mut player = Engine::new(&variant, &Model::default(), settings(1))?;
    let mut teacher = Engine::new(&variant, &Model::default(), settings(LINES))?;
    let (mut seed, mut called) = (0x9e37_79b9_7f4a_7c15, [Called::default(), Called::default(), Called::default()]);
    // Where hardly any turn is far behind, there is an end nevertheless.
    for _ in 0..2 * wanted {
        if called.iter().all(|called| called.turns >= wanted) {
            break;
        }
        let board = position(&variant, &mut player, &mut seed)?;
        teacher.clear();
        let limits = Limits { nodes: Some(NODES[1]), ..Limits::default() };
        let truth = teacher.analyse(&board, &limits, &Control::default(), &mut |_| ())?;
        let Some(best) = truth.lines.first().filter(|best| !best.score.is_proven()) else { continue };
        let behind = |line: &Line| best.score.expected() - line.score.expected();
        let known = truth.lines.iter().skip(1).filter(|line| line.visits >= FEWEST_VISITS || line.score.is_proven());
        let (good, bad): (Vec<_>, Vec<_>) =
            known.filter(|line| behind(line) <= 0.01 || behind(line) >= 0.2).partition(|line| behind(line) <= 0.01);
        let after_best = worth(&board, best, &mut teacher)?;
        // A few of each position, so that no position counts for many.
        let tried = [vec![best], good.into_iter().take(3).collect(), bad.into_iter().take(3).collect()];
        for (place, (lines, called)) in tried.into_iter().zip(&mut called).enumerate() {
            for line in lines {
                let is_so = |behind: f32| [true, behind <= 0.01, behind >= 0.2][place];
                if called.turns < wanted && (place == 0 || is_so(after_best - worth(&board, line, &mut teacher)?)) {
                    let kind = judge(&board, &line.turns[0].to_string())?;
                    called.turns += 1;
                    called.inaccuracies += usize::from(kind.is_some());
                    called.mistakes += usize::from(kind.is_some_and(|kind| kind != Kind::Inaccuracy));
                }
            }
        }
        eprint!("\r{} {} {}", called[0].turns, called[1].turns, called[2].turns);
    }
    eprintln!();
    for (name, Called { turns, inaccuracies, mistakes }) in
        ["the best turn", "within a point of it", "20 points behind or more"].into_iter().zip(called)
    {
        let share = |count: usize| 100.0 * count as f64 / turns.max(1) as f64;
        println!(
            "{}, {name}: {turns} turns, {:.1} % inaccuracies or worse, {:.1} % mistakes or worse",
            variant.name(),
            share(inaccuracies),
            share(mistakes)
        );
    }
    Ok(())
}
