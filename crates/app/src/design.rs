//! `hippolyta design`: variations of a rule set, of which the better ones play on.

mod tasks;

use crate::assess::{bar, play};
use crate::exchange::{self, Others};
use crate::lesson::{Lesson, Teaching, is_known};
use crate::model::Files;
use crate::partial::{Kept, Partial};
use crate::{RuleSetArgs, print_line, progress, signals};
use anyhow::{Context, Result, ensure};
use clap::Args;
use hippolyta::engine::{Board, Control, Model};
use hippolyta::eval::Weights;
use hippolyta::files::{make_folder, write_whole};
use hippolyta::games::general::{AXES, Variation, variations};
use hippolyta_lab::differences::described;
use hippolyta_research::quality::{
    self, Goal, Plan, Played, Report, Variations, Varied, first_turns, page, variations_page,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::mem::take;
use std::path::Path;
use std::sync::Arc;
use tasks::{Found, Order, Work, spread};

/// Search variations of a rule set for good games
#[derive(Debug, Args)]
#[command(after_help = "\
--vary names keys of a file of rules, as rim-barred and flips, or all. The rules as they are and those with one key
changed (two or three, by --changes), in each way that can be played, play against themselves, round after round. Those
that other ones surpass for certain, by their intervals of 95 %, leave; the search ends when --list or fewer are left, or
after --rounds. All are listed, the nearest to the goal first, and those that the games do not tell apart share a place.
Balance is twice the share of the games that the side with fewer wins has won. Rules that are the same game count once.

For each variation the engine learns first, from --learn games with itself, and begins with what it has learned for one
that differs by a key less and ends alike. Beside --out are a page in HTML and a folder of the same name, which has of
those at the top of the list the rules, a report, and what was learned: 1.toml, 1.html, 1.bin and so on.

Each game depends on the options and its number alone. What was played and learned is kept in a file beside that of
--out, with '.partial' behind its name, and in the folder. Ctrl-C ends the run; --resume goes on with it.

Examples:
  hippolyta design --rules my.toml --out found.json
  hippolyta design --rules my.toml --vary fires,stuck --learn 0 --rounds 1 --games 60 --out found.json
  hippolyta design --variant desdemona --changes 2 --goal length=30-50 --out found.json")]
#[command(mut_arg("nodes", |arg| arg.default_value("50")))]
#[command(mut_arg("games", |arg| arg.default_value("20").help("Games of equals at each strength in a round")))]
#[command(mut_arg("variety", |arg| arg.default_value("5")))]
// A task writes no file.
#[command(mut_arg("out", |arg| arg.default_value_if("task", "true", "-")))]
#[command(mut_arg("pairs", |arg| {
    arg.help("Pairs of games in a round at each strength against twice as many nodes [default: as many as --games if \
              the goal is depth, else none]")
}))]
pub(super) struct Design {
    #[command(flatten)]
    rule_set: RuleSetArgs,
    /// Position in which games begin [default: the start position of the rule set]
    #[arg(long)]
    fen: Option<String>,
    /// The quality to look for: balance; depth, what twice as many nodes gain; decided, few draws; length=FROM-TO,
    /// games of so many turns of both sides
    #[arg(long, default_value_t)]
    goal: Goal,
    /// Keys of a file of rules that are changed, separated by commas, or all
    #[arg(long, value_name = "KEYS", value_delimiter = ',', default_value = "all")]
    vary: Vec<String>,
    /// The most keys that a variation changes
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=3))]
    changes: u8,
    /// Variations, at most: those with the fewest changes
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(2..=100_000))]
    most: u64,
    /// Rounds, at most
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    rounds: u64,
    /// Variations on the short list
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1_000))]
    list: u64,
    #[command(flatten)]
    teaching: Teaching<100>,
    #[command(flatten)]
    plan: Plan,
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    kept: Kept,
    /// Let others learn and play: each task is a line of JSON on standard output, and its result comes back on standard
    /// input. python -m hippolyta.cluster design does it so
    #[arg(long)]
    hand_out: bool,
    /// Do such a task, whose order is on standard input, and print its result
    #[arg(long, exclusive = true)]
    task: bool,
}

/// The first line of an unfinished run: what its games depend on.
#[derive(Serialize)]
struct Begun<'a> {
    #[serde(flatten)]
    plan: &'a Plan,
    goal: Goal,
    vary: &'a [String],
    changes: u8,
    most: u64,
    rounds: u64,
    list: u64,
    learn: u64,
}

/// A game of a variation, as a line of an unfinished run.
#[derive(Serialize, Deserialize)]
struct OfVariation {
    /// Its place among the variations.
    variation: usize,
    game: Played,
}

impl Design {
    pub(super) fn run(&self) -> Result<()> {
        if self.task {
            return exchange::task(|order: Order, _| {
                order.find(&Control::interrupted_by(|| signals::caught().is_some()))
            });
        }
        let Self { goal, changes, most, rounds, list, .. } = *self;
        ensure!(
            !self.hand_out || self.kept.threads.threads.is_none(),
            "--threads is for one machine: on many each core that is free has a task"
        );
        let start = self.rule_set.start(self.fen.as_deref())?;
        let variant = start.variant().clone();
        let weights = self.files.weights_for(&start)?;
        ensure!(self.plan.nodes.is_sorted(), "--nodes: the least comes first");
        let all = AXES.map(|(key, _)| key);
        let named: Vec<&str> = self.vary.iter().map(String::as_str).collect();
        let axes = if named == ["all"] { &all[..] } else { &named[..] };
        let mut found = variations(&variant, self.fen.as_deref(), axes, changes.into()).context("--vary")?;
        let pairs = Some(self.plan.pairs.unwrap_or(if goal == Goal::Depth { self.plan.games } else { 0 }));
        let model = Model::Learned(weights.clone());
        let plan = Plan { variant: variant.clone(), start, pairs, model, ..self.plan.clone() };
        let begun =
            Begun { plan: &plan, goal, vary: &self.vary, changes, most, rounds, list, learn: self.teaching.learn };
        let (html, folder) = (self.kept.beside("html")?, self.kept.folder()?);
        let holds = |text: &str| Ok((0, Some(serde_json::from_str::<Variations>(text)?.made)));
        let Some((partial, known)) = self.kept.open::<OfVariation>((0, "games"), holds, &begun)? else {
            return Ok(());
        };
        if found.len() as u64 > most {
            crate::complain(&format!(
                "--most: {} of {} variations are left out",
                found.len() as u64 - most,
                found.len()
            ));
            found.truncate(most as usize);
        }
        let mut played: Vec<Vec<Played>> = vec![Vec::new(); found.len()];
        for OfVariation { variation, game } in known {
            played.get_mut(variation).context("the unfinished run has other variations")?.push(game);
        }
        let learned = folder.join("learned");
        if !self.kept.goes_on() {
            // Of another run that was not gone on with.
            let _ = fs::remove_dir_all(&learned);
        }
        let mut others = self.hand_out.then(Others::listen).transpose()?;
        let models = self.learned(&plan, &found, &weights, &learned, &partial, others.as_mut())?;
        let plans: Vec<Plan> =
            found.iter().zip(models).map(|(one, weights)| of_variation(&plan, one, weights)).collect();
        let varied = self.race(&found, &plans, &mut played, &partial, others.as_mut())?;
        let title = variant.own().map_or(variant.name(), |own| &own.title);
        let result = Variations::new(title, described(&begun), goal, varied);
        let listed = result.variations.iter().take(list as usize);
        make_folder(&folder).with_context(|| folder.display().to_string())?;
        for (number, one) in (1..).zip(listed) {
            let at = found.iter().position(|variation| variation.changes == one.changes).unwrap_or_default();
            let turns = partial.whole(Some(first_turns(&plans[at], &partial.control)?))?;
            let report = Report::new(&Plan { rounds, ..plans[at].clone() }, &played[at], turns);
            let report = Report { made: result.made.clone(), ..report };
            let own = fs::read(learned.join(format!("{at}.bin"))).ok();
            let files = [
                ("toml", Some((one.rules.clone() + "\n").into_bytes())),
                ("html", Some(page(&report).into_bytes())),
                ("bin", own.filter(|_| !is_known(&weights, &plans[at].variant))),
            ];
            for (ending, bytes) in files {
                let file = folder.join(format!("{number}.{ending}"));
                let Some(bytes) = bytes else { continue };
                write_whole(&file, &bytes).with_context(|| file.display().to_string())?;
            }
        }
        write_whole(&html, variations_page(&result).as_bytes()).with_context(|| html.display().to_string())?;
        partial.finish(&(serde_json::to_string_pretty(&result)? + "\n"))?;
        let _ = fs::remove_dir_all(&learned);
        let said = format!("{}\n{}", result.table(), result.words.join("\n"));
        said.lines().for_each(if self.hand_out { exchange::say } else { print_line });
        Ok(())
    }

    /// What each variation is played with: what is known for its rules, or else is learned. Those first that begin with
    /// nothing else, then those that begin with what was learned for them, and so on.
    fn learned(
        &self,
        plan: &Plan,
        found: &[Variation],
        known: &Arc<Weights>,
        folder: &Path,
        partial: &Partial<'_>,
        mut others: Option<&mut Others>,
    ) -> Result<Vec<Arc<Weights>>> {
        let pool = self.kept.threads.pool()?;
        let bar = progress(found.len() as u64, "learning: {wide_bar} {pos}/{len} variations {elapsed} (eta {eta})");
        let file = |at: usize| folder.join(format!("{at}.bin"));
        let is_near = |one: &Variation, other: &Variation| {
            other.changes.iter().all(|change| one.changes.contains(change))
                && other.set.rules.stuck == one.set.rules.stuck
        };
        // Those that differ by the fewest keys are the last.
        let near = |at: usize| found[..at].iter().rposition(|other| is_near(&found[at], other));
        let near: Vec<Option<usize>> = (0..found.len()).map(near).collect();
        let mut all: BTreeMap<usize, Arc<Weights>> = BTreeMap::new();
        while all.len() < found.len() {
            let is_ready = |at: &usize| !all.contains_key(at) && near[*at].is_none_or(|near| all.contains_key(&near));
            let ready: Vec<usize> = (0..found.len()).filter(is_ready).collect();
            let mut orders = Vec::new();
            for at in ready {
                let near = near[at].map(|near| (found[near].set.variant(), all[&near].as_ref()));
                let lesson = Lesson::new(&self.teaching, &of_variation(plan, &found[at], known.clone()), known, near);
                let weights = match lesson {
                    Some(lesson) if others.is_some() && !file(at).exists() => {
                        orders.push(Order { variation: at, work: Work::Learn(lesson) });
                        continue;
                    }
                    Some(lesson) => lesson.kept_or_learned(known, &file(at), partial, &pool)?,
                    None => known.clone(),
                };
                all.insert(at, weights);
                bar.inc(1);
            }
            if let Some(others) = &mut others {
                make_folder(folder).with_context(|| folder.display().to_string())?;
                let mut keep = |Order { variation, work }: Order, found: Found| {
                    if let (Work::Learn(lesson), Found::Learned(learned)) = (work, found) {
                        all.insert(variation, lesson.keep(learned, known, &file(variation))?);
                    }
                    Ok(())
                };
                let ended = spread(others, ("learning", "variations"), orders, &partial.control, &mut keep);
                partial.unless_stopped(ended)?;
            }
        }
        bar.finish_and_clear();
        Ok(all.into_values().collect())
    }

    /// Rounds of games, after each of which those leave that others surpass for certain. Gives all variations.
    fn race(
        &self,
        found: &[Variation],
        plans: &[Plan],
        played: &mut [Vec<Played>],
        partial: &Partial<'_>,
        mut others: Option<&mut Others>,
    ) -> Result<Vec<Varied>> {
        let pool = self.kept.threads.pool()?;
        let mut left: Vec<usize> = (0..found.len()).collect();
        let begun = |(one, plan): (&Variation, &Plan)| {
            let report = Report::new(plan, &[], Vec::new());
            Varied { rules: one.set.line(), changes: one.changes.clone(), report, place: 0 }
        };
        let mut varied: Vec<Varied> = found.iter().zip(plans).map(begun).collect();
        for rounds in 1..=self.rounds {
            let each = quality::tasks(&plans[0]).len();
            let there: usize =
                left.iter().map(|&at| played[at].len().saturating_sub(each * (rounds as usize - 1)).min(each)).sum();
            let bar = bar(each * left.len(), there);
            let what = format!("round {rounds}/{}, {} variations", self.rounds, left.len());
            bar.set_prefix(format!("{what}: "));
            let plan_of = |variation: usize| Plan { rounds, ..plans[variation].clone() };
            if let Some(others) = &mut others {
                let orders = left.iter().flat_map(|&at| Order::play(at, &plan_of(at), &played[at])).collect();
                let mut keep = |order: Order, found: Found| {
                    if let Found::Played(games) = found {
                        for game in games {
                            partial.keep(&OfVariation { variation: order.variation, game: game.clone() });
                            played[order.variation].push(game);
                        }
                    }
                    Ok(())
                };
                partial.unless_stopped(spread(others, (&what, "games"), orders, &partial.control, &mut keep))?;
            }
            for &variation in &left {
                let plan = plan_of(variation);
                let games = pool.install(|| {
                    play(&plan, take(&mut played[variation]), &partial.control, &|game| {
                        partial.keep(&OfVariation { variation, game: game.clone() });
                        bar.inc(1);
                    })
                })?;
                varied[variation].report = Report::new(&plan, partial.whole(Some(&games))?, Vec::new());
                played[variation] = games;
            }
            bar.finish_and_clear();
            left = self.goal.unsurpassed(&varied, &left);
            if left.len() as u64 <= self.list {
                break;
            }
        }
        Ok(varied)
    }
}

/// The plan of a variation.
fn of_variation(plan: &Plan, one: &Variation, weights: Arc<Weights>) -> Plan {
    let variant = one.set.variant();
    Plan { start: Board::new(&variant), variant, model: Model::Learned(weights), ..plan.clone() }
}
