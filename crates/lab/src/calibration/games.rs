//! Games of the engine with itself, and what searches of several sizes say of their positions.

use crate::options::{up_to, usual};
use crate::play::{self, LONGEST, PlayError};
use crate::seeds;
use clap::{Args, value_parser};
use hippolyta::engine::{Analysis, Board, Control, Engine, Limits, Model, STRENGTHS, Score, Settings};
use hippolyta::eval::calibration::Seen;
use hippolyta::games::Side;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow::{Break, Continue};

/// Games to play, and looks at their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Args)]
pub struct Plan {
    /// Positions evaluated for a turn. Each position is looked at by the search of its turn.
    #[arg(long, default_value_t = 20_000, value_parser = up_to(u64::MAX))]
    pub nodes: u64,
    /// Positions evaluated for another look at each position, a small one.
    #[arg(skip = 1_000_u64)]
    pub few: u64,
    /// Positions evaluated for a deep look.
    #[arg(long, default_value_t = 400_000, value_parser = up_to(u64::MAX))]
    pub many: u64,
    /// One of N positions gets a deep look.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = value_parser!(u32).range(1..))]
    pub many_every: u32,
    /// A game begins with as many turns at random, at least and at most. In every other game they are drawn from the
    /// policy, else every legal turn is as likely. After none or one, on small boards, many games are nearly the same
    /// game, and what came of it would count for many.
    #[arg(skip = [2_u32, 6])]
    pub random_turns: [u32; 2],
    /// One of this number of games begins at the start nevertheless: people see it more often than any other position.
    #[arg(skip = 16_u64)]
    pub start_every: u64,
    /// A game of this number of turns is drawn.
    #[arg(skip = LONGEST)]
    pub longest: u32,
    /// Seed of the openings.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl Default for Plan {
    fn default() -> Self {
        usual()
    }
}

impl Plan {
    /// The usual plan for another number of nodes a turn: the looks are in proportion.
    pub fn of_nodes(nodes: u64) -> Self {
        let usual = Self::default();
        let scaled = |number: u64| (number * nodes).div_ceil(usual.nodes);
        Self { nodes, few: scaled(usual.few), many: scaled(usual.many), ..usual }
    }

    /// Memory of a search for a turn, and of a deep one, MiB.
    fn memory(&self) -> [usize; 2] {
        let usual = Self::default();
        let scaled =
            |most: usize, nodes: u64, of: u64| (most as u64 * nodes).div_ceil(of).clamp(1, most as u64) as usize;
        [scaled(HASH[0], self.nodes, usual.nodes), scaled(HASH[1], self.many, usual.many)]
    }
}

/// The view that a search has of a position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// The number of turns before the position.
    pub ply: u32,
    /// Whether White is to move.
    pub white: bool,
    /// How far the game has come, from 0 to 1.
    pub phase: f32,
    /// Positions evaluated, as they were asked for.
    pub nodes: u64,
    /// Visits of the position.
    pub visits: u64,
    /// The expected score of the side to move as the search has it, 0 … 1.
    pub score: f32,
    /// The probability of a draw as the search has it.
    pub draw: f32,
}

impl Look {
    /// The side to move.
    pub fn side(&self) -> Side {
        if self.white { Side::White } else { Side::Black }
    }

    /// The numbers that a calibration gets of it.
    pub fn seen(&self) -> Seen {
        Seen { score: self.score, draw: self.draw, phase: self.phase, visits: self.visits, side: self.side() }
    }
}

/// A game and the looks at its positions, as a line of JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Game {
    /// Its number in the run, from 0.
    pub number: u64,
    /// White's half points.
    pub white: u8,
    /// The number of turns until the small search had proven the result too, or the game was over.
    pub turns: u32,
    /// The looks, in the order of the game. A look that proves the result is left out.
    pub looks: Vec<Look>,
}

/// Memory of a search for a turn, and of a deep one, at most and in the usual plan, MiB.
const HASH: [usize; 2] = [8, 64];

/// Who plays and looks, on one thread.
struct Player<'a> {
    plan: &'a Plan,
    /// For turns and small looks, and for deep ones.
    engines: [Engine; 2],
    control: &'a Control,
}

impl Player<'_> {
    fn look(&mut self, board: &Board, nodes: u64) -> Result<Analysis, PlayError> {
        let engine = &mut self.engines[usize::from(nodes > self.plan.nodes)];
        engine.clear();
        play::search(engine, board, nodes, self.control)
    }

    /// A position after some turns at random.
    fn opening(&mut self, start: &Board, number: u64, random: &mut Xoshiro256PlusPlus) -> Result<Board, PlayError> {
        loop {
            let mut board = start.clone();
            play::begin(&mut self.engines[0], random.random())?;
            let [fewest, most] = self.plan.random_turns;
            let from_start = number.is_multiple_of(self.plan.start_every.max(1));
            let turns_at_random = if from_start { 0 } else { random.random_range(fewest..=most) };
            if number.is_multiple_of(2) {
                play::at_random(&mut board, turns_at_random, random);
            } else {
                // Drawn from the policy.
                let limits = Limits { elo: STRENGTHS[2].elo(board.variant()), ..Limits::default() };
                play::game(&mut board, turns_at_random, &|| false, &mut |board| {
                    Ok(Continue(self.engines[0].search(board, &limits, self.control)?.best().cloned()))
                })?;
            }
            if board.outcome().is_none() {
                return Ok(board);
            }
        }
    }

    fn play(&mut self, start: &Board, number: u64) -> Result<Option<Game>, PlayError> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seeds::of(self.plan.seed, number));
        let mut board = self.opening(start, number, &mut random)?;
        let (plan, control) = (self.plan, self.control);
        let (mut looks, mut proven) = (Vec::new(), None);
        let longest = plan.longest.saturating_sub(board.turns().len() as u32);
        let ended = play::game(&mut board, longest, &|| control.stopped(), &mut |board| {
            let ply = board.turns().len() as u32;
            let found = self.look(board, plan.nodes)?;
            proven = proven.or(found.score.outcome(found.side));
            let few = look(&self.look(board, plan.few)?, ply, plan.few);
            let is_deep = random.random_range(0..plan.many_every.max(1)) == 0;
            let deep =
                if is_deep && proven.is_none() { look(&self.look(board, plan.many)?, ply, plan.many) } else { None };
            // A small search proves later than the search of the turn: until it does, its positions count.
            if let (Some(outcome), None) = (proven, few) {
                return Ok(Break(outcome));
            }
            looks.extend(few);
            looks.extend(deep);
            looks.extend(look(&found, ply, plan.nodes));
            Ok(Continue(found.best().cloned()))
        })?;
        let Some((outcome, _)) = ended else { return Ok(None) };
        let white = proven.unwrap_or(outcome).half_points(Side::White);
        Ok(Some(Game { number, white, turns: board.turns().len() as u32, looks }))
    }
}

/// An estimate as a look; `None` if it is proven.
fn look(found: &Analysis, ply: u32, nodes: u64) -> Option<Look> {
    let Score::Estimate { score, draw } = found.search_score else { return None };
    let white = found.side == Side::White;
    Some(Look { ply, white, phase: found.phase, nodes, visits: found.visits, score, draw })
}

/// Plays the games with these numbers from `start`, one on each thread of the current rayon pool, gives each to `keep`
/// when it is over, and returns all. A game depends on the start, the plan, the model and its number alone. Ends early
/// once `control` is stopped.
///
/// # Errors
///
/// If the system lacks memory or threads.
pub fn play(
    start: &Board,
    model: &Model,
    plan: &Plan,
    numbers: &[u64],
    control: &Control,
    keep: &(dyn Fn(&Game) + Sync),
) -> Result<Vec<Game>, PlayError> {
    let one = |&number| {
        if control.stopped() {
            return Ok(None);
        }
        let engine = |hash| Engine::new(start.variant(), model, Settings { hash, ..Settings::default() });
        let [small, great] = plan.memory();
        let mut player = Player { plan, engines: [engine(small)?, engine(great)?], control };
        let played = player.play(start, number)?;
        played.iter().for_each(keep);
        Ok(played)
    };
    let played: Vec<_> = numbers.par_iter().with_max_len(1).map(one).collect::<Result<_, PlayError>>()?;
    Ok(played.into_iter().flatten().collect())
}
