use crate::lesson::{Lesson, Teaching};
use crate::model::Files;
use crate::partial::Kept;
use crate::{RuleSetArgs, print_line, progress};
use anyhow::{Context, Result, ensure};
use clap::Args;
use hippolyta::engine::{Control, Model};
use hippolyta::files::write_whole;
use hippolyta_lab::differences::described;
use hippolyta_research::quality::{self, Plan, Played, Report, Task, first_turns, page, tasks};
use indicatif::ProgressBar;
use serde::Serialize;
use std::collections::HashSet;
use std::fs;

/// Report on a rule set: balance, draws, depth
#[derive(Debug, Args)]
#[command(after_help = "\
The engine plays games with itself at several strengths, and at each against one that evaluates twice as many positions.
The report says in words and numbers, with intervals of 95 %, what share of the points the first player scores, how many
games are drawn, how long they last, how many turns there are to choose from, from when on the winner is clear, how often
the lead changes, what a doubling of nodes is worth, and which first turns leave the game most even. Where the games are
too few, or begin alike, it says that they do not tell. It is written as JSON to --out and, beside it, as a page in HTML.
What was learned by --learn is beside them, with '.bin' behind its name.

Each game depends on the options and its number alone. While the run goes on, its games are kept in a file beside that of
--out, with '.partial' behind its name. Ctrl-C ends the run; --resume goes on with it.

'hippolyta design' does so for variations of a rule set.

Examples:
  hippolyta assess --variant iago --games 40 --out iago.json
  hippolyta assess --rules my.toml --nodes 50,200,800 --learn 1000 --out my.json")]
pub(super) struct Assess {
    #[command(flatten)]
    rule_set: RuleSetArgs,
    /// Position in which games begin [default: the start position of the rule set]
    #[arg(long)]
    fen: Option<String>,
    #[command(flatten)]
    plan: Plan,
    #[command(flatten)]
    teaching: Teaching<0>,
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    kept: Kept,
}

/// The first line of an unfinished run: what its games depend on.
#[derive(Serialize)]
struct Begun<'a> {
    #[serde(flatten)]
    plan: &'a Plan,
    #[serde(skip_serializing_if = "Option::is_none")]
    learn: Option<u64>,
}

impl Assess {
    pub(super) fn run(&self) -> Result<()> {
        let start = self.rule_set.start(self.fen.as_deref())?;
        let variant = start.variant().clone();
        let weights = self.files.weights_for(&start)?;
        ensure!(self.plan.nodes.is_sorted(), "--nodes: the least comes first");
        let html = self.kept.beside("html")?;
        let pairs = Some(self.plan.pairs.unwrap_or(self.plan.games / 2));
        let mut plan = Plan { variant, start, pairs, model: Model::Learned(weights.clone()), ..self.plan.clone() };
        let learn = Some(self.teaching.learn).filter(|games| *games > 0);
        let learned = learn.map(|_| self.kept.beside("bin")).transpose()?;
        let begun = described(&Begun { plan: &plan, learn });
        let number = tasks(&plan).len();
        let holds = |text: &str| {
            let report: Report = serde_json::from_str(text)?;
            Ok((games_of(&report), Some(report.made)))
        };
        let Some((partial, known)) = self.kept.open::<Played>((number, "games"), holds, &begun)? else {
            return Ok(());
        };
        let pool = self.kept.threads.pool()?;
        if let Some(file) = learned {
            if !self.kept.goes_on() {
                let _ = fs::remove_file(&file);
            }
            let known = match Lesson::new(&self.teaching, &plan, &weights, None) {
                Some(lesson) => lesson.kept_or_learned(&weights, &file, &partial, &pool)?,
                None => weights,
            };
            plan.model = Model::Learned(known);
        }
        let bar = bar(number, known.len());
        let played = pool.install(|| {
            play(&plan, known, &partial.control, &|game| {
                partial.keep(game);
                bar.inc(1);
            })
        })?;
        bar.finish_and_clear();
        let even_turns = partial.whole(Some(first_turns(&plan, &partial.control)?))?;
        let report = Report { made: begun, ..Report::new(&plan, &played, even_turns) };
        write_whole(&html, page(&report).as_bytes()).with_context(|| html.display().to_string())?;
        partial.finish(&(serde_json::to_string_pretty(&report)? + "\n"))?;
        print_line(&report.words.join("\n"));
        Ok(())
    }
}

/// Plays the games of a plan that are not known, in the current rayon pool, gives each to `keep`, and returns all.
pub(super) fn play(
    plan: &Plan,
    known: Vec<Played>,
    control: &Control,
    keep: &(dyn Fn(&Played) + Sync),
) -> Result<Vec<Played>> {
    let played = quality::play(plan, &missing(plan, &known), control, keep)?;
    Ok([known, played].concat())
}

/// The games of a plan that are not known.
pub(super) fn missing(plan: &Plan, known: &[Played]) -> Vec<Task> {
    let there: HashSet<u64> = known.iter().map(|game| game.number).collect();
    tasks(plan).into_iter().filter(|task| !there.contains(&task.number)).collect()
}

/// The games of which a report tells.
fn games_of(report: &Report) -> usize {
    report.strengths.iter().map(|strength| strength.games + strength.doubling_games).sum::<u64>() as usize
}

/// A bar of games.
pub(super) fn bar(number: usize, done: usize) -> ProgressBar {
    let bar = progress(number as u64, "{prefix}{wide_bar} {pos}/{len} games {elapsed} (eta {eta})");
    bar.inc(done as u64);
    bar
}
