use crate::model::Files;
use crate::partial::{self, Kept};
use crate::{RuleSetArgs, may_write, progress};
use anyhow::{Context, Result, ensure};
use clap::Args;
use hippolyta::engine::Board;
use hippolyta::files::{self, read_file, write_whole};
use hippolyta::games::variant::Family;
use hippolyta_lab::differences::described;
use hippolyta_lab::problems::{LARGEST, Problem, ProblemSet, Recipe, check_provable, find, join};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Find problems and write them as a file
#[derive(Debug, Args)]
#[command(after_help = "\
It plays games whose turns are drawn from the engine's policy, and goes back from their ends as far as it can prove who
wins. A position in which one turn wins and each other is proven not to win is a problem, unless counting alone tells
who wins. In Damone positions are drawn from endgame tables of four pieces instead, which it makes first. Each problem
is tried by several ratings, four times each, for its grade.

Each game depends on the options and its number alone, so the same options give the same file on every machine. While
the run goes on, its problems are kept in a file beside that of --out, with '.partial' behind its name. Ctrl-C ends
the run; --resume goes on with it.

Examples:
  hippolyta problems make --variant iago --count 50 --out iago.json
  hippolyta problems make --fen '1q1q1/q3q/5/Q3Q/1Q1Q1 w' --count 100 --seed 2 --out 5x5.json
  hippolyta problems make --rules my.toml --eval-file learned/weights.bin --out my.json")]
pub(super) struct Make {
    #[command(flatten)]
    rule_set: RuleSetArgs,
    /// Position in which games begin; may be given several times [default: the start position of the rule set]
    #[arg(long)]
    fen: Vec<String>,
    /// Problems to find
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    count: u64,
    #[command(flatten)]
    recipe: Recipe,
    #[command(flatten)]
    model: Files,
    #[command(flatten)]
    kept: Kept,
}

/// A line of an unfinished run but the first: a game.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    number: u64,
    problems: Vec<Problem>,
}

impl Make {
    pub(super) fn run(&self) -> Result<()> {
        let first = self.rule_set.start(self.fen.first().map(String::as_str))?;
        let variant = first.variant().clone();
        check_provable(&variant)?;
        let drawn = matches!(variant.family(), Family::Damone(_));
        ensure!(!drawn || self.fen.is_empty(), "--fen: positions of Damone are drawn from endgame tables");
        let mut starts = Vec::new();
        for fen in &self.fen {
            let board = Board::from_fen(&variant, fen).context("--fen")?;
            ensure!(board.outcome().is_none(), "--fen: the game is over there");
            starts.push(board.fen());
        }
        let model = self.model.load(&Board::new(&variant))?;
        let recipe = Recipe { variant, starts, model, ..self.recipe.clone() };
        let holds = |text: &str| {
            let set = ProblemSet::read(text)?;
            Ok((set.problems.len(), set.made))
        };
        let asked = (self.count as usize, "problems");
        let Some((partial, known)) = self.kept.open::<Found>(asked, holds, &recipe)? else { return Ok(()) };
        let known: HashMap<_, _> = known.into_iter().map(|found| (found.number, found.problems)).collect();
        let bar = progress(self.count, "{wide_bar} {pos}/{len} problems {elapsed} (eta {eta})");
        bar.inc(known.values().map(|problems| problems.len() as u64).sum());
        let tell = |number, problems: &[Problem]| {
            partial.keep(&Found { number, problems: problems.to_vec() });
            bar.inc(problems.len() as u64);
        };
        let count = self.count as usize;
        let found = self.kept.threads.pool()?.install(|| find(&recipe, count, &known, &partial.control, &tell));
        bar.finish_and_clear();
        let found = partial.whole(found?)?;
        let set = ProblemSet { made: Some(described(&recipe)), ..join(vec![ProblemSet::new(found)], &|_| usize::MAX) };
        partial.finish(&set.text())
    }
}

/// Make one file of several, with as many problems of each group as are asked for, spread over the grades
#[derive(Debug, Args)]
#[command(after_help = "\
Problems that are alike, mirrored or turned, are taken once. Within a group they are numbered anew, the easiest first.
A file of an unfinished run of make, with '.partial' behind its name, may be given as well.

Example:
  hippolyta problems join iago.json 5x5.json --most 100 --out problems.json")]
pub(super) struct Join {
    /// Files of problems
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Problems of each group, at most; GROUP=N for one group; may be given several times
    #[arg(long, value_name = "N", default_value = "1000", value_parser = most)]
    most: Vec<(Option<String>, usize)>,
    /// The file; it is written whole or not at all
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Write over an existing file
    #[arg(long)]
    force: bool,
}

fn most(text: &str) -> Result<(Option<String>, usize), String> {
    let (group, number) = match text.split_once('=') {
        Some((group, number)) => (Some(group.to_owned()), number),
        None => (None, text),
    };
    let number = number.parse().map_err(|_| format!("'{number}' is not a number of problems"))?;
    Ok((group, number))
}

impl Join {
    pub(super) fn run(&self) -> Result<()> {
        may_write(&self.out, self.force)?;
        let mut sets = Vec::new();
        for path in &self.files {
            sets.push(read(path).with_context(|| path.display().to_string())?);
        }
        let most = |group: &str| {
            let named = self.most.iter().rfind(|(name, _)| name.as_deref() == Some(group));
            let any = || self.most.iter().rfind(|(name, _)| name.is_none());
            named.or_else(any).map_or(usize::MAX, |(_, most)| *most)
        };
        let set = join(sets, &most);
        write_whole(&self.out, set.text().as_bytes()).with_context(|| self.out.display().to_string())
    }
}

/// A file of problems, finished or not.
fn read(path: &Path) -> Result<ProblemSet> {
    let text = files::text(read_file(path, LARGEST)?)?;
    if path.extension().is_none_or(|extension| extension != "partial") {
        return Ok(ProblemSet::read(&text)?);
    }
    let found: Vec<Found> = partial::found(partial::whole_lines(&text))?;
    Ok(ProblemSet::new(found.into_iter().flat_map(|found| found.problems).collect()))
}
