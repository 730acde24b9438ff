//! Decided positions from games of the engine with itself, and from tables.

use super::position::{Decided, Half, Result};
use clap::{Args, value_parser};
use hippolyta::engine::{Board, Control, Engine, Model};
use hippolyta::eval::{Evaluated, Weights, draw_step};
use hippolyta::games::variant::{DEFAULT, Variant};
use hippolyta::games::{Game, Position, for_each_turn, with_family};
use hippolyta_lab::alike::identity;
use hippolyta_lab::differences::by_text;
use hippolyta_lab::options::{count, many};
use hippolyta_lab::play::{self, LONGEST};
use hippolyta_lab::problems::{Judge, Judged, ProblemError, gather};
use hippolyta_lab::seeds;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;
use std::collections::HashMap;
use std::ops::ControlFlow::Continue;

/// How positions are collected. The same plan collects the same ones on every machine.
#[derive(Clone, Debug, PartialEq, Serialize, Args)]
pub struct Plan {
    /// The rule set.
    #[arg(skip = DEFAULT.clone())]
    #[serde(serialize_with = "by_text")]
    pub variant: Variant,
    /// Where games begin.
    #[arg(skip)]
    #[serde(rename = "fen")]
    pub start: String,
    /// Turns of a game before its first position.
    #[arg(long, value_name = "TURNS", default_value_t = 0)]
    pub from: u32,
    /// Positions of one game, at most: the earliest that can be proven, which are the hardest.
    #[arg(long, default_value_t = 4, value_parser = count(1, 100))]
    pub per_game: usize,
    /// Nodes for a turn of the games.
    #[arg(long, default_value_t = 1_000, value_parser = many())]
    pub nodes: u64,
    /// Turns at random at the beginning of a game, at most.
    #[arg(long, default_value_t = 6, value_parser = value_parser!(u32).range(..=100))]
    pub random_turns: u32,
    /// Positions that the proof of one turn may take.
    #[arg(long, default_value_t = 100_000, value_parser = many())]
    pub effort: u64,
    /// Seed of what is random.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

/// Turns at random are as likely as the policy says.
const SHARPNESS: f32 = 1.0;
/// Plies between two positions of one game, at least.
const APART: usize = 2;
/// Undecided positions in a row, seen from the end of a game, before which no earlier one is tried.
const PATIENCE: u32 = 3;
/// Turns at random among which one must throw the result away: where nearly every turn keeps it, nothing is learned.
const TRIED: usize = 24;
/// Draws from tables that stand for one game.
const DRAWS: usize = 200;
/// So many games in a row without a position, and a plan is given up.
const HOPELESS: u64 = 2_000;

struct Collector<'a, P: Judged> {
    plan: &'a Plan,
    engine: Engine,
    evaluator: P::Evaluator,
}

impl<P: Judged> Collector<'_, P> {
    /// The positions of game `number` at the start of each turn, without those of its opening.
    fn game(&mut self, number: u64, control: &Control) -> core::result::Result<Vec<P>, ProblemError> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seeds::of(self.plan.seed, number));
        let mut position = P::from_fen(&self.plan.variant, &self.plan.start)?;
        let turns = random.random_range(0..=self.plan.random_turns);
        let mut drawn = 0;
        while drawn < turns {
            let Some(step) = draw_step(&self.evaluator, &position, SHARPNESS, &mut random) else {
                return Ok(Vec::new());
            };
            position.play(step);
            drawn += u32::from(position.at_turn_start());
        }
        let mut board = Board::at_position(&self.plan.variant, position);
        play::begin(&mut self.engine, random.random())?;
        play::game(&mut board, LONGEST, &|| control.stopped(), &mut |board| {
            Ok(Continue(play::search(&mut self.engine, board, self.plan.nodes, control)?.best().cloned()))
        })?;
        let early = self.plan.from.saturating_sub(drawn) as usize;
        let played = board.game::<P>().into_iter().flat_map(Game::played);
        Ok(played.skip(early).map(|(before, _)| before.clone()).collect())
    }

    /// The position as one of the file, if its result can be proven, is no loss and can be thrown away; `None` if it
    /// cannot be proven.
    fn look(&self, position: &P, half: Half, random: &mut Xoshiro256PlusPlus) -> Option<Option<Decided>> {
        let mut judge = P::judge(position, &self.plan.variant, self.plan.effort)?;
        let side = position.side_to_move();
        if position.outcome().is_some() || position.is_counted(&self.evaluator) {
            return Some(None);
        }
        let result = if judge.wins(position, side)? {
            Result::Win
        } else if judge.wins(position, !side)? {
            return Some(None);
        } else {
            Result::Draw
        };
        let mut turns = Vec::new();
        for_each_turn(position, &mut |_, after: &P| turns.push(after.clone()));
        turns.shuffle(random);
        let is_lost = |after: &P| keeps(judge.as_mut(), after, side, result) == Some(false);
        let fen = position.fen();
        let can_be_lost = turns.iter().take(TRIED).any(is_lost);
        Some(can_be_lost.then(|| Decided { variant: self.plan.variant.name().to_owned(), fen, result, half }))
    }

    /// The positions of game `number`, the earliest first.
    fn collect(&mut self, number: u64, control: &Control) -> core::result::Result<Vec<Decided>, ProblemError> {
        let half = Half::of_game(number);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seeds::of(!self.plan.seed, number));
        if let Some(mut position) = P::drawn(&self.plan.variant, &mut random) {
            let mut found = Vec::new();
            for _ in 0..DRAWS {
                let looked = position.as_ref().and_then(|position| self.look(position, half, &mut random).flatten());
                found.extend(looked);
                if found.len() == self.plan.per_game || control.stopped() {
                    break;
                }
                position = P::drawn(&self.plan.variant, &mut random).flatten();
            }
            return Ok(found);
        }
        let mut undecided = 0;
        let mut found = Vec::new();
        for (ply, position) in self.game(number, control)?.iter().enumerate().rev() {
            if undecided >= PATIENCE || control.stopped() {
                break;
            }
            match self.look(position, half, &mut random) {
                None => undecided += 1,
                Some(looked) => {
                    undecided = 0;
                    found.extend(looked.map(|position| (ply, position)));
                }
            }
        }
        let mut kept: Vec<(usize, Decided)> = Vec::new();
        for (ply, position) in found.into_iter().rev() {
            let is_apart = kept.last().is_none_or(|(last, _)| ply - last >= APART);
            if is_apart && kept.len() < self.plan.per_game {
                kept.push((ply, position));
            }
        }
        Ok(kept.into_iter().map(|(_, position)| position).collect())
    }
}

/// Whether `side` still has the result after its turn led to `after`; `None` if that cannot be proven.
pub(super) fn keeps<P: Position>(
    judge: &mut dyn Judge<P>,
    after: &P,
    side: hippolyta::games::Side,
    result: Result,
) -> Option<bool> {
    match result {
        Result::Win => judge.wins(after, side),
        Result::Draw => judge.wins(after, !side).map(|lost| !lost),
    }
}

/// The first `count` positions of a plan, no two of them alike. `known` are those that an earlier run found, by the
/// number of their game; `tell` is told those of each new game, empty lists too. Blocks, and works on the rayon pool it
/// is called from; ends with `None` soon after `control` says so.
///
/// # Errors
///
/// If the start position is bad, the plan finds too few positions, or there is no memory for the searches.
pub fn collect(
    plan: &Plan,
    count: usize,
    known: &HashMap<u64, Vec<Decided>>,
    control: &Control,
    tell: &(dyn Fn(u64, &[Decided]) + Sync),
) -> core::result::Result<Option<Vec<Decided>>, ProblemError> {
    let identity = |position: &Decided| identity(&plan.variant, &position.fen);
    with_family!(plan.variant, P => {
        let of_game = |number: u64| {
            let engine = play::engine(&plan.variant, &Model::default(), 0)?;
            let evaluator = P::evaluator(&plan.variant, &Weights::embedded());
            Collector::<P> { plan, engine, evaluator }.collect(number, control)
        };
        gather((count, HOPELESS), known, &identity, &of_game, control, tell)
    })
}
