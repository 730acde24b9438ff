//! A measuring stick, not a product: alpha-beta for the Game of the Amazons with the engine's own evaluation and
//! policy, so that a match against it shows what the tree search is worth.
//!
//! ```text
//! cargo build --release --examples
//! hippolyta match --engine cmd=self name=hippolyta --engine cmd=target/release/examples/alpha_beta name=alpha-beta --each st=0.1 --games 100
//! ```
//!
//! Iterative deepening by whole turns; negamax with principal variations (Marsland and Campbell 1982) over steps: one
//! side's two steps follow each other without a change of sign. A table of positions gives bounds and the step to try
//! first, the policy orders the others, and late steps are searched a turn less deep first. Speaks as much UCI as a
//! referee needs.

use hippolyta::eval::amazons::AmazonsEvaluator;
use hippolyta::eval::{Evaluation, Evaluator};
use hippolyta::games::amazons::Amazons;
use hippolyta::games::{Game, MoveFireStep, Notation, Outcome, Position, Side, Steps, variant};
use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

/// Scores are expected scores of the side to move in millionths, from −ONE to ONE; proven ones lie beyond.
const ONE: i32 = 1_000_000;
const WON: i32 = 2 * ONE;
const INFINITE: i32 = 3 * ONE;
/// Steps that are always searched at full depth.
const EARLY: usize = 4;
/// Entries of the table.
const ENTRIES: usize = 1 << 20;

#[derive(Clone, Copy, PartialEq)]
enum Bound {
    Exact,
    Least,
    Most,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    score: i32,
    depth: i32,
    bound: Bound,
    step: MoveFireStep,
}

/// Out of time.
struct Stop;

struct AlphaBeta {
    evaluator: AmazonsEvaluator,
    table: Vec<Option<Entry>>,
    deadline: Instant,
    nodes: u64,
}

impl AlphaBeta {
    fn new() -> Self {
        let table = vec![None; ENTRIES];
        Self { evaluator: AmazonsEvaluator::default(), table, deadline: Instant::now(), nodes: 0 }
    }

    /// The score of a leaf, for the side to move.
    fn evaluate(&self, position: &Amazons) -> i32 {
        match self.evaluator.evaluate(position) {
            Evaluation::Exact(proof) => self.won(position, proof.outcome, proof.plies.into()),
            Evaluation::Estimate(value) => ((2.0 * value.for_side(position.side_to_move()) - 1.0) * ONE as f32) as i32,
        }
    }

    /// The score of a known result that is `plies` turns away.
    fn won(&self, position: &Amazons, outcome: Outcome, plies: i32) -> i32 {
        let score = WON - plies;
        if outcome == Outcome::Win(position.side_to_move()) { score } else { -score }
    }

    /// The legal steps, the most promising first.
    fn ordered(&self, position: &Amazons, first: Option<MoveFireStep>) -> Vec<MoveFireStep> {
        let steps = position.steps();
        let mut logits = vec![0.0; steps.len()];
        self.evaluator.policy(position, &steps, &mut logits);
        let mut order: Vec<_> = (0..steps.len()).collect();
        order.sort_by(|&a, &b| logits[b].total_cmp(&logits[a]));
        let mut ordered: Vec<_> = order.into_iter().map(|index| steps[index]).collect();
        if let Some(place) = first.and_then(|first| ordered.iter().position(|&step| step == first)) {
            ordered[..=place].rotate_right(1);
        }
        ordered
    }

    /// The score within `depth` turns, for the side to move, as far as it lies between `alpha` and `beta`.
    fn search(&mut self, position: &Amazons, depth: i32, mut alpha: i32, beta: i32) -> Result<i32, Stop> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(64) && Instant::now() >= self.deadline {
            return Err(Stop);
        }
        if position.at_turn_start() {
            if let Some(outcome) = position.outcome() {
                return Ok(self.won(position, outcome, 0));
            }
            if depth <= 0 {
                return Ok(self.evaluate(position));
            }
        }
        let slot = position.key() as usize % ENTRIES;
        let known = self.table[slot].filter(|entry| entry.key == position.key());
        if let Some(entry) = known.filter(|entry| entry.depth >= depth) {
            match entry.bound {
                Bound::Exact => return Ok(entry.score),
                Bound::Least if entry.score >= beta => return Ok(entry.score),
                Bound::Most if entry.score <= alpha => return Ok(entry.score),
                _ => {}
            }
        }
        let (before, mut best, mut best_step) = (alpha, -INFINITE, None);
        for (index, step) in self.ordered(position, known.map(|entry| entry.step)).into_iter().enumerate() {
            let after = position.after(step);
            let mut score = -INFINITE;
            if index > 0 {
                let reduction = i32::from(index >= EARLY && depth > 1) + i32::from(index >= 4 * EARLY && depth > 2);
                score = self.below(&after, depth - reduction, alpha, alpha + 1)?;
                if score > alpha && reduction > 0 {
                    score = self.below(&after, depth, alpha, alpha + 1)?;
                }
            }
            if index == 0 || (score > alpha && score < beta) {
                score = self.below(&after, depth, alpha, beta)?;
            }
            if score > best {
                (best, best_step) = (score, Some(step));
                alpha = alpha.max(score);
            }
            if alpha >= beta {
                break;
            }
        }
        if let Some(step) = best_step {
            let bound = match best {
                best if best >= beta => Bound::Least,
                best if best <= before => Bound::Most,
                _ => Bound::Exact,
            };
            self.table[slot] = Some(Entry { key: position.key(), score: best, depth, bound, step });
        }
        Ok(best)
    }

    /// The score of the position after a step, for the side that made it. `depth` is that of the step's own turn.
    fn below(&mut self, after: &Amazons, depth: i32, alpha: i32, beta: i32) -> Result<i32, Stop> {
        if after.at_turn_start() {
            Ok(-self.search(after, depth - 1, -beta, -alpha)?)
        } else {
            self.search(after, depth, alpha, beta)
        }
    }

    /// The turn that the table holds for a position.
    fn turn(&self, position: &Amazons) -> Steps<Amazons> {
        let (mut turn, mut position) = (Steps::<Amazons>::new(), *position);
        loop {
            let known = self.table[position.key() as usize % ENTRIES].filter(|entry| entry.key == position.key());
            let Some(step) = known.map(|entry| entry.step).or_else(|| self.ordered(&position, None).first().copied())
            else {
                return turn;
            };
            turn.push(step);
            position.play(step);
            if position.at_turn_start() {
                return turn;
            }
        }
    }

    fn best_turn(&mut self, position: &Amazons, time: Duration) -> (Steps<Amazons>, i32) {
        let started = Instant::now();
        (self.deadline, self.nodes) = (started + time, 0);
        let (mut best, mut score) = (self.turn(position), 0);
        for depth in 1..100 {
            let Ok(found) = self.search(position, depth, -INFINITE, INFINITE) else { break };
            (best, score) = (self.turn(position), found);
            if score.abs() > ONE || started.elapsed() > time / 2 {
                break;
            }
        }
        (best, score)
    }
}

/// The time for a move by the words after `go`.
fn time_of(words: &[&str], side: Side) -> Duration {
    let number = |name: &str| {
        let at = words.iter().position(|&word| word == name)?;
        words.get(at + 1)?.parse::<u64>().ok()
    };
    let (clock, increment) = if side == Side::White { ("wtime", "winc") } else { ("btime", "binc") };
    let milliseconds =
        number("movetime").or_else(|| Some(number(clock)? / 30 + number(increment).unwrap_or(0) / 2)).unwrap_or(1_000);
    Duration::from_millis(milliseconds.saturating_sub(1).max(1))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rules = variant::DEFAULT.clone();
    let mut engine = AlphaBeta::new();
    let mut game = Game::new(Amazons::from_fen(&rules, rules.start())?);
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            ["uci"] => println!("id name alpha-beta\noption name UCI_Variant type string default amazons\nuciok"),
            ["isready"] => println!("readyok"),
            ["setoption", "name", "UCI_Variant", "value", name] => rules = variant::find(name)?,
            ["ucinewgame"] => engine.table.fill(None),
            ["position", ref rest @ ..] => {
                let moves = rest.iter().position(|&word| word == "moves").unwrap_or(rest.len());
                let fen =
                    if rest.first() == Some(&"fen") { rest[1..moves].join(" ") } else { rules.start().to_owned() };
                game = Game::new(Amazons::from_fen(&rules, &fen)?);
                for text in rest.iter().skip(moves + 1) {
                    game.play_text(text)?;
                }
            }
            ["go", ref rest @ ..] => {
                let position = *game.current();
                let (turn, score) = engine.best_turn(&position, time_of(rest, position.side_to_move()));
                let text = position.turn_text(&turn);
                println!("info nodes {} score cp {} pv {text}\nbestmove {text}", engine.nodes, score / 1_000);
            }
            ["quit"] => break,
            _ => {}
        }
        std::io::stdout().flush()?;
    }
    Ok(())
}
