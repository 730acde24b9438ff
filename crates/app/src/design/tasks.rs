//! Tasks of a search that others do, on any machine: to learn one variation, or to play a few games of it. An order has
//! all that its result depends on; a game that a worker tells is believed, as nobody could replay it sooner.

use crate::assess::missing;
use crate::exchange::{Count, Others, Owner, Task};
use crate::lesson::{Lesson, Sent, is_known, received, sent};
use crate::pool;
use anyhow::{Error, Result, bail, ensure};
use hippolyta::engine::{Board, Control, Model};
use hippolyta::games::variant::find;
use hippolyta_lab::training::learn::LearnError;
use hippolyta_research::quality::{self, Plan, Played, tasks};
use serde::{Deserialize, Serialize};
use std::process;
use std::sync::Arc;

/// Games of a task: some seconds of work for a few hundred nodes a turn.
const GAMES: usize = 16;
/// Results in a row that may be refused.
const MOST_REFUSED: u32 = 10;

/// A task, and the number of its variation.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Order {
    pub variation: usize,
    pub work: Work,
}

/// What is to be done.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Work {
    Learn(Lesson),
    Play(Games),
}

/// The result of a task.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Found {
    Learned(Option<Sent>),
    Played(Vec<Played>),
}

/// Some of the games of a plan.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Games {
    rules: String,
    nodes: Vec<u64>,
    games: u64,
    pairs: Option<u64>,
    rounds: u64,
    variety: f32,
    seed: u64,
    weights: Sent,
    numbers: Vec<u64>,
}

impl Games {
    fn play(self, control: &Control) -> Result<Vec<Played>> {
        let Self { nodes, games, pairs, rounds, variety, seed, .. } = self;
        let variant = find(&self.rules)?;
        let (start, model) = (Board::new(&variant), Model::Learned(Arc::new(received(self.weights)?)));
        let plan = Plan { variant, start, nodes, games, pairs, rounds, variety, seed, model };
        let chosen: Vec<_> = tasks(&plan).into_iter().filter(|task| self.numbers.contains(&task.number)).collect();
        let played = pool(Some(1))?.install(|| quality::play(&plan, &chosen, control, &|_| ()))?;
        ensure!(!control.stopped(), LearnError::Interrupted);
        Ok(played)
    }
}

impl Order {
    /// Tasks for the games of the plan of a variation that are not `known`.
    pub fn play(variation: usize, plan: &Plan, known: &[Played]) -> Vec<Self> {
        let Model::Learned(weights) = &plan.model else { return Vec::new() };
        let (weights, missing) = (sent(weights), missing(plan, known));
        let some = |some: &[quality::Task]| Games {
            rules: plan.variant.text(),
            nodes: plan.nodes.clone(),
            games: plan.games,
            pairs: plan.pairs,
            rounds: plan.rounds,
            variety: plan.variety,
            seed: plan.seed,
            weights: weights.clone(),
            numbers: some.iter().map(|task| task.number).collect(),
        };
        missing.chunks(GAMES).map(|games| Self { variation, work: Work::Play(some(games)) }).collect()
    }

    /// Does the work, on one core. With an error it is told whether it may pass.
    pub fn find(self, control: &Control) -> Result<Found, (Error, bool)> {
        let found = match self.work {
            Work::Play(games) => games.play(control).map(Found::Played),
            Work::Learn(lesson) => {
                let folder = std::env::temp_dir().join(format!("hippolyta-design-{}", process::id()));
                pool(Some(1)).and_then(|pool| lesson.learn(&folder, control, &pool)).map(Found::Learned)
            }
        };
        found.map_err(|error| {
            let may_pass = error.downcast_ref().is_some_and(LearnError::may_pass);
            (error, may_pass)
        })
    }

    /// The name for people.
    fn name(&self) -> String {
        let variation = self.variation + 1;
        match &self.work {
            Work::Learn(_) => format!("variation {variation}: learning"),
            Work::Play(games) => {
                let first = games.numbers.first().copied().unwrap_or_default() + 1;
                format!("variation {variation}: games from {first}")
            }
        }
    }

    /// How much there is to do.
    fn units(&self) -> u64 {
        match &self.work {
            Work::Learn(_) => 1,
            Work::Play(games) => games.numbers.len() as u64,
        }
    }

    /// Whether the result can be that of this task.
    fn fits(&self, found: &Found) -> bool {
        match (&self.work, found) {
            (Work::Learn(_), Found::Learned(None)) => true,
            (Work::Learn(lesson), Found::Learned(Some(learned))) => {
                lesson.variant().is_ok_and(|rules| received(learned.clone()).is_ok_and(|it| is_known(&it, &rules)))
            }
            (Work::Play(games), Found::Played(played)) => {
                let mut numbers: Vec<u64> = played.iter().map(|game| game.number).collect();
                numbers.sort_unstable();
                numbers == games.numbers && played.iter().all(|game| game.white <= 2)
            }
            _ => false,
        }
    }
}

/// A part of a search: tasks that do not depend on each other.
struct Part<'a> {
    what: &'a str,
    units: &'static str,
    waiting: Vec<Order>,
    left: u64,
    total: u64,
    /// In a row.
    refused: u32,
    keep: &'a mut dyn FnMut(Order, Found) -> Result<()>,
}

/// Has others do all tasks of a part of a search, called `what`. `keep` gets the results as they come.
pub(super) fn spread(
    others: &mut Others,
    (what, units): (&str, &'static str),
    mut waiting: Vec<Order>,
    control: &Control,
    keep: &mut dyn FnMut(Order, Found) -> Result<()>,
) -> Result<()> {
    waiting.reverse();
    let total = waiting.iter().map(Order::units).sum();
    let mut part = Part { what, units, waiting, left: total, total, refused: 0, keep };
    if !others.hand_out(&mut part, &|| control.stopped())? && !control.stopped() {
        bail!("standard input has ended before the search; the same command with --resume goes on");
    }
    Ok(())
}

impl Owner for Part<'_> {
    type Order = Order;
    type Found = Found;

    fn next(&mut self) -> Result<Option<Task<Order>>> {
        Ok(self.waiting.pop().map(|order| Task { name: order.name(), cores: 1, order }))
    }

    fn done(&mut self, order: Order, found: Result<Found, String>, _: &str) -> Result<Option<String>> {
        let why = match found {
            Ok(found) if order.fits(&found) => {
                (self.left, self.refused) = (self.left - order.units(), 0);
                (self.keep)(order, found)?;
                return Ok(None);
            }
            Ok(_) => "it is the result of another task".to_owned(),
            Err(why) => why,
        };
        self.refused += 1;
        ensure!(self.refused < MOST_REFUSED, "{}: no result of it is right; the last one: {why}", order.name());
        self.waiting.push(order);
        Ok(Some(why))
    }

    fn is_over(&self) -> bool {
        self.left == 0
    }

    fn count(&self) -> Count {
        Count { what: self.what.to_owned(), units: self.units, done: self.total - self.left, total: self.total }
    }
}
