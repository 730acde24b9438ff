use crate::partial::Kept;
use crate::{RuleSetArgs, interruptible, print_line, progress};
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use hippolyta::engine::{Board, Model};
use hippolyta::files::write_whole;
use hippolyta_lab::differences::described;
use hippolyta_lab::quality::{Plan, Played, Report, first_turns, page, play, tasks};
use serde::Serialize;
use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

/// Report on a rule set: who is ahead, draws, length, depth
#[derive(Debug, Args)]
#[command(after_help = "\
The engine plays games with itself at several strengths, and at each against one that evaluates twice as many positions.
The report says in words and numbers, with intervals of 95 %, what share of the points the first player scores, how many
games are drawn, how long they last, how many turns there are to choose from, from when on the winner is clear, how often
the lead changes, what a doubling of nodes is worth, and which first turns leave the game most even. It is written as
JSON to --out and, beside it, as a page in HTML.

Each game depends on the options and its number alone. While the run goes on, its games are kept in a file beside that of
--out, with '.partial' behind its name. Ctrl-C ends the run; --resume goes on with it.

Examples:
  hippolyta assess --variant iago --games 40 --out iago.json
  hippolyta assess --rules my.toml --nodes 50,200,800 --out my.json")]
pub(super) struct Assess {
    #[command(flatten)]
    rule_set: RuleSetArgs,
    /// Position in which games begin [default: the start position of the rule set]
    #[arg(long)]
    fen: Option<String>,
    /// Nodes for a turn, by strength, the least first, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "100,400,1600")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: Vec<u64>,
    /// Games of equals at each strength
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    games: u64,
    /// Pairs of games at each strength against twice as many nodes [default: half as many as --games]
    #[arg(long, value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    pairs: Option<u64>,
    /// Seed of what is random
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    kept: Kept,
}

/// The first line of an unfinished run: what its games depend on.
#[derive(Serialize)]
struct Begun {
    variant: String,
    fen: String,
    nodes: Vec<u64>,
    games: u64,
    pairs: u64,
    seed: u64,
}

impl Assess {
    pub(super) fn run(&self) -> Result<()> {
        let variant = self.rule_set.variant()?;
        let start = Board::from_fen(variant, self.fen.as_deref().unwrap_or(variant.start)).context("--fen")?;
        ensure!(start.outcome().is_none(), "--fen: the game is over there");
        ensure!(self.nodes.is_sorted(), "--nodes: the least comes first");
        let pairs = self.pairs.unwrap_or(self.games / 2);
        let (nodes, games, seed) = (self.nodes.clone(), self.games, self.seed);
        let begun = Begun { variant: variant.text(), fen: start.fen(), nodes: nodes.clone(), games, pairs, seed };
        let plan = Plan { variant, start, nodes, games, pairs, seed, model: Model::default() };
        let tasks = tasks(&plan);
        let html = self.kept.beside("html")?;
        let holds = |text: &str| {
            let report: Report = serde_json::from_str(text)?;
            let played = report.strengths.iter().map(|strength| strength.games + strength.doubling_games).sum::<u64>();
            Ok((played as usize, Some(report.made)))
        };
        let Some((partial, known)) = self.kept.open::<Played>((tasks.len(), "games"), holds, &begun)? else {
            return Ok(());
        };
        let there: HashSet<u64> = known.iter().map(|game| game.number).collect();
        let missing: Vec<_> = tasks.iter().copied().filter(|task| !there.contains(&task.number)).collect();
        let bar = progress(tasks.len() as u64, "{wide_bar} {pos}/{len} games {elapsed} (eta {eta})");
        bar.inc(there.len() as u64);
        let control = interruptible()?;
        let played = Mutex::new(known);
        let keep = |game: Played| {
            partial.keep(&game);
            played.lock().unwrap_or_else(PoisonError::into_inner).push(game);
            bar.inc(1);
        };
        self.kept.threads.pool()?.install(|| play(&plan, &missing, &control, &keep))?;
        bar.finish_and_clear();
        let even_turns = first_turns(&plan, &control)?;
        if control.stopped() {
            bail!("interrupted; --resume goes on");
        }
        let played = played.into_inner().unwrap_or_else(PoisonError::into_inner);
        let report = Report { made: described(&begun), ..Report::new(&plan, &played, even_turns) };
        write_whole(&html, page(&report).as_bytes()).with_context(|| html.display().to_string())?;
        partial.finish(&(serde_json::to_string_pretty(&report)? + "\n"))?;
        print_line(&report.words.join("\n"));
        Ok(())
    }
}
