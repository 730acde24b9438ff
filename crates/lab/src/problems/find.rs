//! Positions in which one turn wins, from games and from tables.

use super::grade::Grader;
use super::judge::{Judge, Judged};
use super::theme::Theme;
use super::tree::Tree;
use super::{Problem, ProblemError, group};
use crate::alike::identity;
use crate::differences::{by_checksum, by_text, is_built_in};
use crate::options::{count, many};
use crate::seeds;
use clap::Args;
use hippolyta::engine::{Board, Control, Model};
use hippolyta::eval::{Evaluator, Value, Weights, draw_step};
use hippolyta::games::general::Rules;
use hippolyta::games::variant::{DEFAULT, Variant};
use hippolyta::games::{Position, Side, Steps, for_each_turn, with_family};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};

/// How problems are found. The same recipe finds the same problems on every machine.
#[derive(Clone, Debug, Serialize, Args)]
pub struct Recipe {
    /// The rule set.
    #[arg(skip = DEFAULT.clone())]
    #[serde(serialize_with = "by_text")]
    pub variant: Variant,
    /// Where games begin, as FENs; at the rule set's start position if there is none.
    #[arg(skip)]
    #[serde(rename = "fen")]
    pub starts: Vec<String>,
    /// Legal turns of a problem, at least.
    #[arg(long, default_value_t = 5, value_parser = count(2, 10_000))]
    pub turns: usize,
    /// Leave problems out that this rating finds in half of its tries.
    #[arg(long, value_name = "ELO", default_value_t = 0)]
    pub above: u32,
    /// Problems of one game, at most.
    #[arg(long, default_value_t = 1, value_parser = count(1, 100))]
    pub per_game: usize,
    /// Positions that the proof of one turn may take.
    #[arg(long, default_value_t = 20_000, value_parser = many())]
    pub effort: u64,
    /// Seed of what is random.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Who plays the games and tries the problems.
    #[arg(skip)]
    #[serde(rename = "weights", serialize_with = "by_checksum", skip_serializing_if = "is_built_in")]
    pub model: Model,
}

/// How much a game's player sharpens the policy: drawn between these.
const SHARPNESS: [f32; 2] = [0.75, 3.0];
/// Undecided positions in a row after which no earlier one of a game is tried.
const PATIENCE: u32 = 3;
/// Plies between two problems of one game, at least.
const APART: usize = 4;
/// Draws from tables that stand for one game.
const DRAWS: usize = 2_000;
/// Plies until the end of a problem from tables: fewer are easy, and more are beyond what a player can see.
const LENGTHS: std::ops::RangeInclusive<u32> = 7..=31;
/// Replies of a solution's layers, and the most promising ones among which these are chosen.
const WIDTHS: &[usize] = &[3, 1, 1];
/// Promising turns that do not win, and are kept with what refutes them.
const WRONG: usize = 2;
const PROMISING: usize = 12;
/// Winning answers to a reply that are counted; more is as good as this.
const MOST_ANSWERS: usize = 3;

/// One game's problems, and what judges them.
struct Finder<'a, P: Judged> {
    recipe: &'a Recipe,
    evaluator: P::Evaluator,
    grader: Grader,
}

/// The turns of a position with the positions after them.
fn turns_of<P: Position>(position: &P) -> Vec<(Steps<P>, P)> {
    let mut turns = Vec::new();
    for_each_turn(position, &mut |turn: &Steps<P>, after: &P| turns.push((turn.clone(), after.clone())));
    turns
}

impl<'a, P: Judged> Finder<'a, P> {
    fn new(recipe: &'a Recipe) -> Result<Self, ProblemError> {
        let weights = if let Model::Learned(weights) = &recipe.model { weights } else { &Weights::embedded() };
        let evaluator = P::evaluator(&recipe.variant, weights);
        Ok(Self { recipe, evaluator, grader: Grader::new(&recipe.variant, &recipe.model)? })
    }

    /// The positions of game `number`, the last first; none if it is drawn from tables.
    fn game(&self, number: u64, random: &mut Xoshiro256PlusPlus) -> Result<Vec<P>, ProblemError> {
        let starts = &self.recipe.starts;
        let at = number as usize % starts.len().max(1);
        let start = starts.get(at).map_or(self.recipe.variant.start(), String::as_str);
        let mut position = P::from_fen(&self.recipe.variant, start)?;
        let share: f32 = random.random_range(0.0..1.0);
        let sharpness = SHARPNESS[0] + (SHARPNESS[1] - SHARPNESS[0]) * share;
        let mut positions = Vec::new();
        while position.outcome().is_none() {
            positions.push(position.clone());
            loop {
                let Some(step) = draw_step(&self.evaluator, &position, sharpness, random) else { return Ok(positions) };
                position.play(step);
                if position.at_turn_start() {
                    break;
                }
            }
        }
        positions.reverse();
        Ok(positions)
    }

    /// The problems of game `number`.
    fn find(&mut self, number: u64, control: &Control) -> Result<Vec<Problem>, ProblemError> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seeds::beside(self.recipe.seed, number));
        let drawn = |random: &mut _| P::drawn(&self.recipe.variant, random);
        let mut found = Vec::new();
        if let Some(mut position) = drawn(&mut random) {
            for _ in 0..DRAWS {
                if control.stopped() {
                    return Ok(Vec::new());
                }
                if let Some(problem) = position.and_then(|position| self.look(&position)) {
                    found.push((0, problem));
                    break;
                }
                position = drawn(&mut random).flatten();
            }
        } else {
            let mut undecided = 0;
            for (ply, position) in self.game(number, &mut random)?.into_iter().enumerate() {
                if undecided >= PATIENCE || control.stopped() {
                    break;
                }
                if position.is_counted(&self.evaluator) {
                    continue;
                }
                match self.look_closely(&position) {
                    None => undecided += 1,
                    Some(None) => undecided = 0,
                    Some(Some(problem)) => {
                        undecided = 0;
                        found.push((ply, problem));
                    }
                }
            }
        }
        // The earliest are the hardest.
        let mut kept: Vec<(usize, Problem)> = Vec::new();
        for (ply, problem) in found.into_iter().rev() {
            let apart = kept.iter().all(|(other, _)| other.abs_diff(ply) >= APART);
            if kept.len() < self.recipe.per_game && apart {
                kept.push((ply, problem));
            }
        }
        let mut problems = Vec::new();
        for (_, mut problem) in kept {
            let board = Board::from_fen(&self.recipe.variant, &problem.fen)?;
            (problem.found, problem.elo) = self.grader.grade(&board, &problem.turn, control)?;
            if problem.elo.is_none_or(|elo| elo >= self.recipe.above) {
                problems.push(problem);
            }
        }
        Ok(problems)
    }

    /// A problem of a good length, if `position` is one.
    fn look(&self, position: &P) -> Option<Problem> {
        self.look_closely(position)?.filter(|problem| problem.plies.is_none_or(|plies| LENGTHS.contains(&plies)))
    }

    /// The problem that `position` is, if it is one; `None` if that cannot be decided.
    fn look_closely(&self, position: &P) -> Option<Option<Problem>> {
        let mut judge = P::judge(position, &self.recipe.variant, self.recipe.effort)?;
        let winner = position.side_to_move();
        if position.outcome().is_some() {
            return Some(None);
        }
        let mut turns = turns_of(position);
        if turns.len() < self.recipe.turns {
            return Some(None);
        }
        if !judge.wins(position, winner)? {
            return Some(None);
        }
        self.sort(&mut turns, winner);
        let mut only: Option<(&Steps<P>, &P)> = None;
        for (turn, after) in &turns {
            if judge.wins(after, winner)? {
                if only.is_some() {
                    return Some(None);
                }
                only = Some((turn, after));
            }
        }
        let (turn, after) = only?;
        if after.outcome().is_some() {
            return Some(None);
        }
        let plies = judge.plies(position);
        let text = position.turn_text(turn);
        let solution = Tree::of(text.clone(), self.replies(judge.as_mut(), after, WIDTHS));
        let others = turns.iter().filter(|(other, _)| other != turn);
        let refuted = others.filter_map(|(other, after)| {
            let reply = self.refutation(judge.as_mut(), after, winner)?;
            Some((position.turn_text(other), Tree::of(reply, Tree::default())))
        });
        let wrong = Tree { branches: refuted.take(WRONG).collect() };
        let fen = position.fen();
        let mut problem = Problem {
            id: group(&self.recipe.variant, &fen),
            variant: self.recipe.variant.text(),
            side: winner.name().to_owned(),
            fen,
            turn: text,
            legal: turns.len() as u32,
            plies,
            elo: None,
            found: Vec::new(),
            proof: P::PROOF.to_owned(),
            themes: Vec::new(),
            solution,
            wrong,
        };
        problem.themes = Theme::of(&problem).unwrap_or_default();
        Some(Some(problem))
    }

    /// The most promising reply after which `winner` does not win, where it is not `winner`'s turn.
    fn refutation(&self, judge: &mut dyn Judge<P>, position: &P, winner: Side) -> Option<String> {
        let mut replies = turns_of(position);
        self.sort(&mut replies, !winner);
        let refutes = |after: &P, judge: &mut dyn Judge<P>| judge.wins(after, winner) == Some(false);
        let (reply, _) = replies.iter().find(|(_, after)| refutes(after, judge))?;
        Some(position.turn_text(reply))
    }

    /// Sorts turns by the evaluation of what follows, the best for `side` first.
    fn sort(&self, turns: &mut [(Steps<P>, P)], side: Side) {
        let value = |after: &P| match after.outcome() {
            Some(outcome) => Value::of(outcome).for_side(side),
            None => self.evaluator.evaluate(after).value().for_side(side),
        };
        turns.sort_by_cached_key(|(_, after)| std::cmp::Reverse((value(after) * 1e6) as i64));
    }

    /// The hardest replies where the side to move has lost, each with the answer that wins, and so on: as many as
    /// `widths` says for each layer.
    fn replies(&self, judge: &mut dyn Judge<P>, position: &P, widths: &[usize]) -> Tree {
        let (Some((&width, deeper)), loser) = (widths.split_first(), position.side_to_move()) else {
            return Tree::default();
        };
        if position.outcome().is_some() || position.is_counted(&self.evaluator) {
            return Tree::default();
        }
        let mut replies = turns_of(position);
        self.sort(&mut replies, loser);
        if judge.plies(position).is_none() {
            replies.truncate(PROMISING);
        }
        // How hard a reply is, the answer to it and what is left after that.
        let mut answered = Vec::new();
        for (reply, after) in replies {
            if after.outcome().is_some() {
                continue;
            }
            let mut answers = turns_of(&after);
            self.sort(&mut answers, !loser);
            let number = answers.len();
            let mut winning = Vec::new();
            for (answer, end) in answers {
                if judge.wins(&end, !loser) == Some(true) {
                    winning.push((judge.plies(&end).unwrap_or(0), answer, end));
                    if winning.len() == MOST_ANSWERS && judge.plies(&after).is_none() {
                        break;
                    }
                }
            }
            let plies = judge.plies(&after).unwrap_or(0);
            let hardness = (plies, MOST_ANSWERS.saturating_sub(winning.len()), number);
            if let Some((_, answer, end)) = winning.into_iter().min_by_key(|(plies, ..)| *plies) {
                answered.push((hardness, reply, after, answer, end));
            }
        }
        answered.sort_by_key(|(hardness, ..)| std::cmp::Reverse(*hardness));
        answered.truncate(width);
        let branches = answered.into_iter().map(|(_, reply, after, answer, end)| {
            let answer = Tree::of(after.turn_text(&answer), self.replies(judge, &end, deeper));
            (position.turn_text(&reply), answer)
        });
        Tree { branches: branches.collect() }
    }
}

/// Games that a thread takes at a time.
const BATCH: u64 = 4;
/// So many games in a row without a problem, and a recipe is given up.
const HOPELESS: u64 = 20_000;

/// Whether results of a rule set can be proven, so that there may be problems.
///
/// # Errors
///
/// If they cannot.
pub fn check_provable(variant: &Variant) -> Result<(), ProblemError> {
    let goes_on = Rules::of(variant).is_some_and(|rules| rules.may_hold());
    if goes_on { Err(ProblemError::NoProof(variant.name().to_owned())) } else { Ok(()) }
}

/// The first `count` problems of a recipe, graded, no two of them alike. `known` are those that an earlier run found,
/// by the number of their game; `tell` is told those of each new game, empty lists too. Blocks, and works on the rayon
/// pool it is called from; ends with `None` soon after `control` says so.
///
/// # Errors
///
/// If a start position is bad, the recipe finds too few problems, or there is no memory for the searches.
pub fn find(
    recipe: &Recipe,
    count: usize,
    known: &HashMap<u64, Vec<Problem>>,
    control: &Control,
    tell: &(dyn Fn(u64, &[Problem]) + Sync),
) -> Result<Option<Vec<Problem>>, ProblemError> {
    check_provable(&recipe.variant)?;
    let identity = |problem: &Problem| identity(&recipe.variant, &problem.fen);
    with_family!(recipe.variant, P => {
        // Those that no thread uses now.
        let finders = Mutex::new(Vec::<Finder<'_, P>>::new());
        let idle = || finders.lock().unwrap_or_else(PoisonError::into_inner);
        let of_game = |number: u64| {
            let finder = idle().pop();
            let mut finder = finder.map_or_else(|| Finder::new(recipe), Ok)?;
            let found = finder.find(number, control)?;
            idle().push(finder);
            Ok(found)
        };
        gather((count, HOPELESS), known, &identity, &of_game, control, tell)
    })
}

/// The first `count` things in games, no two of them with the same identity. `known` are those that an earlier run found,
/// by the number of their game; `of_game` finds those of another, and `tell` is told them. So many games in a row as
/// `hopeless` says without a new one are an error. `None` soon after `control` says so.
///
/// # Errors
///
/// Those of `of_game`, and if there are too few.
#[doc(hidden)]
pub fn gather<T: Clone + Send + Sync>(
    (count, hopeless): (usize, u64),
    known: &HashMap<u64, Vec<T>>,
    identity: &dyn Fn(&T) -> String,
    of_game: &(dyn Fn(u64) -> Result<Vec<T>, ProblemError> + Sync),
    control: &Control,
    tell: &(dyn Fn(u64, &[T]) + Sync),
) -> Result<Option<Vec<T>>, ProblemError> {
    let size = BATCH * rayon::current_num_threads() as u64;
    let one = |number: u64| match known.get(&number) {
        Some(found) => Ok(found.clone()),
        None => {
            let found = of_game(number)?;
            if !control.stopped() {
                tell(number, &found);
            }
            Ok(found)
        }
    };
    let (mut all, mut taken, mut barren) = (Vec::new(), HashSet::new(), 0);
    for end in (1..).map(|batches| batches * size) {
        let found: Result<Vec<Vec<T>>, ProblemError> = (end - size..end).into_par_iter().map(one).collect();
        if control.stopped() {
            return Ok(None);
        }
        let before = all.len();
        let new = found?.into_iter().flatten().filter(|thing| taken.insert(identity(thing)));
        all.extend(new.take(count - before));
        barren = if all.len() > before { 0 } else { barren + size };
        if all.len() == count {
            break;
        }
        if barren > hopeless {
            return Err(ProblemError::Few(all.len(), end));
        }
    }
    Ok(Some(all))
}
