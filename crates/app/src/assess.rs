use crate::model::Files;
use crate::partial::Kept;
use crate::{RuleSetArgs, print_line, progress};
use anyhow::{Context, Result, ensure};
use clap::Args;
use hippolyta::engine::{Board, Control};
use hippolyta::files::write_whole;
use hippolyta::games::general::{AXES, variations};
use hippolyta::games::variant::Variant;
use hippolyta_lab::differences::described;
use hippolyta_research::quality::{
    Plan, Played, Report, Variations, Varied, first_turns, page, play, tasks, variations_page,
};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Report on a rule set or changes of it: balance, draws, depth
#[derive(Debug, Args)]
#[command(after_help = "\
The engine plays games with itself at several strengths, and at each against one that evaluates twice as many positions.
The report says in words and numbers, with intervals of 95 %, what share of the points the first player scores, how many
games are drawn, how long they last, how many turns there are to choose from, from when on the winner is clear, how often
the lead changes, what a doubling of nodes is worth, and which first turns leave the game most even. Where the games are
too few, or begin alike, it says that they do not tell. It is written as JSON to --out and, beside it, as a page in HTML.

Each game depends on the options and its number alone. While the run goes on, its games are kept in a file beside that of
--out, with '.partial' behind its name. Ctrl-C ends the run; --resume goes on with it.

--vary names keys of a file of rules, as rim-barred and flips. The rules are assessed as they are and with one key
changed (two or three, by --changes), in each way that can be played, and listed: the most balanced first. Those that
the games do not tell apart share a place. Balance is twice the share of the games that the side with fewer wins has
won. Nothing was learned for rules that nobody has played, so all are evaluated by the same guesses, unless weights of
--eval-file were learned for them.

Examples:
  hippolyta assess --variant iago --games 40 --out iago.json
  hippolyta assess --rules my.toml --nodes 50,200,800 --out my.json
  hippolyta assess --variant desdemona --vary rim-barred,equal --games 60 --out vary.json")]
pub(super) struct Assess {
    #[command(flatten)]
    rule_set: RuleSetArgs,
    /// Position in which games begin [default: the start position of the rule set]
    #[arg(long)]
    fen: Option<String>,
    #[command(flatten)]
    plan: Plan,
    /// Assess variations as well, in which these keys of a file of rules are changed, separated by commas, or all
    #[arg(long, value_name = "KEYS", value_delimiter = ',')]
    vary: Vec<String>,
    /// The most keys that a variation changes
    #[arg(long, requires = "vary", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=3))]
    changes: u8,
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
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    vary: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<u8>,
}

/// A game of a variation, as a line of an unfinished run.
#[derive(Serialize, Deserialize)]
struct OfVariation {
    /// Its place among the variations.
    variation: usize,
    game: Played,
}

impl Assess {
    pub(super) fn run(&self) -> Result<()> {
        let variant = self.rule_set.variant()?;
        let start = Board::from_fen(&variant, self.fen.as_deref().unwrap_or(variant.start())).context("--fen")?;
        let model = self.files.load(&start)?;
        ensure!(self.plan.nodes.is_sorted(), "--nodes: the least comes first");
        let html = self.kept.beside("html")?;
        let pairs = Some(self.plan.pairs.unwrap_or(self.plan.games / 2));
        let plan = Plan { variant, start, pairs, model, ..self.plan.clone() };
        if self.vary.is_empty() { self.report(&plan, &html) } else { self.variations(&plan, &html) }
    }

    /// What the run depends on.
    fn begun<'a>(&'a self, plan: &'a Plan) -> Begun<'a> {
        Begun { plan, vary: &self.vary, changes: (!self.vary.is_empty()).then_some(self.changes) }
    }

    fn report(&self, plan: &Plan, html: &Path) -> Result<()> {
        ensure!(plan.start.outcome().is_none(), "--fen: the game is over there");
        let begun = self.begun(plan);
        let number = tasks(plan).len();
        let holds = |text: &str| {
            let report: Report = serde_json::from_str(text)?;
            Ok((games_of(&report), Some(report.made)))
        };
        let Some((partial, known)) = self.kept.open::<Played>((number, "games"), holds, &begun)? else {
            return Ok(());
        };
        let bar = bar(number, known.len());
        let played = self.play(plan, known, &partial.control, &|game| {
            partial.keep(game);
            bar.inc(1);
        })?;
        bar.finish_and_clear();
        let even_turns = partial.whole(Some(first_turns(plan, &partial.control)?))?;
        let report = Report { made: described(&begun), ..Report::new(plan, &played, even_turns) };
        write_whole(html, page(&report).as_bytes()).with_context(|| html.display().to_string())?;
        partial.finish(&(serde_json::to_string_pretty(&report)? + "\n"))?;
        print_line(&report.words.join("\n"));
        Ok(())
    }

    fn variations(&self, plan: &Plan, html: &Path) -> Result<()> {
        let variant = &plan.variant;
        let all = AXES.map(|(key, _)| key);
        let named: Vec<&str> = self.vary.iter().map(String::as_str).collect();
        let axes = if named == ["all"] { &all[..] } else { &named[..] };
        let found = variations(variant, self.fen.as_deref(), axes, self.changes.into()).context("--vary")?;
        let plan_of = |variant: Variant| Plan { start: Board::new(&variant), variant, ..plan.clone() };
        let plans: Vec<Plan> = found.iter().map(|one| plan_of(one.set.variant())).collect();
        let begun = self.begun(plan);
        let number = plans.iter().map(|plan| tasks(plan).len()).sum();
        let holds = |text: &str| {
            let found: Variations = serde_json::from_str(text)?;
            Ok((found.variations.iter().map(|varied| games_of(&varied.report)).sum(), Some(found.made)))
        };
        let Some((partial, known)) = self.kept.open::<OfVariation>((number, "games"), holds, &begun)? else {
            return Ok(());
        };
        let bar = bar(number, known.len());
        let mut there: Vec<Vec<Played>> = vec![Vec::new(); plans.len()];
        for OfVariation { variation, game } in known {
            there.get_mut(variation).context("the unfinished run has other variations")?.push(game);
        }
        let mut varied = Vec::new();
        for (variation, ((one, plan), known)) in found.into_iter().zip(&plans).zip(there).enumerate() {
            let played = self.play(plan, known, &partial.control, &|game| {
                partial.keep(&OfVariation { variation, game: game.clone() });
                bar.inc(1);
            })?;
            let report = Report::new(plan, &partial.whole(Some(played))?, Vec::new());
            varied.push(Varied { rules: one.set.line(), changes: one.changes, report, place: 0 });
        }
        bar.finish_and_clear();
        let title = variant.own().map_or(variant.name(), |own| &own.title);
        let found = Variations::new(title, described(&begun), varied);
        write_whole(html, variations_page(&found).as_bytes()).with_context(|| html.display().to_string())?;
        partial.finish(&(serde_json::to_string_pretty(&found)? + "\n"))?;
        print_line(&format!("{}\n{}", found.table(), found.words.join("\n")));
        Ok(())
    }

    /// Plays the games of a plan that are not known, gives each to `keep`, and returns all.
    fn play(
        &self,
        plan: &Plan,
        known: Vec<Played>,
        control: &Control,
        keep: &(dyn Fn(&Played) + Sync),
    ) -> Result<Vec<Played>> {
        let there: HashSet<u64> = known.iter().map(|game| game.number).collect();
        let missing: Vec<_> = tasks(plan).into_iter().filter(|task| !there.contains(&task.number)).collect();
        let played = Mutex::new(known);
        let keep = |game: Played| {
            keep(&game);
            played.lock().unwrap_or_else(PoisonError::into_inner).push(game);
        };
        self.kept.threads.pool()?.install(|| play(plan, &missing, control, &keep))?;
        Ok(played.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The games of which a report tells.
fn games_of(report: &Report) -> usize {
    report.strengths.iter().map(|strength| strength.games + strength.doubling_games).sum::<u64>() as usize
}

/// A bar of games.
fn bar(number: usize, done: usize) -> ProgressBar {
    let bar = progress(number as u64, "{wide_bar} {pos}/{len} games {elapsed} (eta {eta})");
    bar.inc(done as u64);
    bar
}
