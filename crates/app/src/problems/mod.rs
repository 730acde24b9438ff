//! `hippolyta problems`: positions in which one turn wins.

mod make;
mod show;
mod test;

use super::{Threads, print_line, progress};
use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use hippolyta::files::{self, read_file};
use hippolyta_lab::problems::{Problem, ProblemSet, check};
use rayon::prelude::*;
use serde_json::json;
use std::borrow::Cow;
use std::path::PathBuf;

/// Show, check, try and find positions where one turn alone wins
#[derive(Debug, Args)]
#[command(after_help = "\
The program brings problems of seven rule sets with it. Each has exactly one turn that wins, which is proven, and a
grade: the rating (UCI_Elo) that finds the turn in half of its tries.

Examples:
  hippolyta problems list --group iago
  hippolyta problems show iago-010
  hippolyta problems show iago-010 --solution
  hippolyta problems test --elo 800,1600,2400
  hippolyta problems check --group amazons6")]
pub(super) struct Problems {
    #[command(subcommand)]
    command: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    List(show::List),
    Show(show::Show),
    Test(test::Test),
    Check(Check),
    Make(Box<make::Make>),
    Join(make::Join),
}

impl Problems {
    pub(super) fn run(&self) -> Result<()> {
        match &self.command {
            Action::List(command) => command.run(),
            Action::Show(command) => command.run(),
            Action::Test(command) => command.run(),
            Action::Check(command) => command.run(),
            Action::Make(command) => command.run(),
            Action::Join(command) => command.run(),
        }
    }
}

/// Which problems.
#[derive(Debug, Args)]
struct Source {
    /// File of problems [default: those that the program brings with it]
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

/// The problems of some groups.
#[derive(Debug, Args)]
struct Chosen {
    #[command(flatten)]
    source: Source,
    /// Only these groups, separated by commas: a rule set, or a rule set and a size, as ids begin
    #[arg(long, value_delimiter = ',')]
    group: Vec<String>,
}

impl Source {
    fn set(&self) -> Result<Cow<'static, ProblemSet>> {
        let Some(path) = &self.file else { return Ok(Cow::Borrowed(ProblemSet::built_in())) };
        let name = || path.display().to_string();
        let text = read_file(path, hippolyta_lab::problems::LARGEST).and_then(files::text).with_context(name)?;
        Ok(Cow::Owned(ProblemSet::read(&text).with_context(name)?))
    }
}

impl Chosen {
    /// The problems of the set that were chosen.
    fn of<'a>(&self, set: &'a ProblemSet) -> Result<Vec<&'a Problem>> {
        let groups = set.groups();
        for wanted in &self.group {
            let known = groups.iter().any(|(group, _)| group.eq_ignore_ascii_case(wanted));
            let names = || groups.iter().map(|(group, _)| *group).collect::<Vec<_>>().join(", ");
            ensure!(known, "--group: there is no group '{wanted}': known are {}", names());
        }
        let wanted = |problem: &&Problem| {
            self.group.is_empty() || self.group.iter().any(|group| group.eq_ignore_ascii_case(problem.group()))
        };
        Ok(set.problems.iter().filter(wanted).collect())
    }
}

/// A grade in words.
fn grade(elo: Option<u32>) -> String {
    elo.map_or_else(|| "beyond".to_owned(), |elo| elo.to_string())
}

/// Prove every claim of problems again
#[derive(Debug, Args)]
#[command(after_help = "\
From each position it proves that the turn wins and that no other does, and that each of the winner's turns in the
solution keeps the win. Small positions are also searched by the rules alone, without counting, evaluation or tables.
Damone needs endgame tables, which it makes first: half a minute. It prints what it has proven, or what is wrong, and
then ends with exit code 1.

Examples:
  hippolyta problems check
  hippolyta problems check --file problems.json --group amazons6")]
struct Check {
    #[command(flatten)]
    chosen: Chosen,
    /// Positions that the proof of one turn may take
    #[arg(long, default_value_t = 20_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    effort: u64,
    /// Positions up to which a problem is also searched by the rules alone
    #[arg(long, default_value_t = 2_000_000)]
    brute: u64,
    #[command(flatten)]
    threads: Threads,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

impl Check {
    fn run(&self) -> Result<()> {
        let set = self.chosen.source.set()?;
        let problems = self.chosen.of(&set)?;
        let bar = progress(problems.len() as u64, "{wide_bar} {pos}/{len} problems {elapsed} (eta {eta})");
        let one = |problem: &&Problem| {
            let checked = check(problem, self.effort, self.brute);
            bar.inc(1);
            checked
        };
        let checked: Vec<_> = self.threads.pool()?.install(|| problems.par_iter().map(one).collect());
        bar.finish_and_clear();
        let wrong: Vec<String> =
            checked.iter().filter_map(|checked| checked.as_ref().err()).map(ToString::to_string).collect();
        let right: Vec<_> = checked.iter().filter_map(|checked| checked.as_ref().ok()).collect();
        let brute = right.iter().filter(|checked| checked.by_rules_alone).count();
        let answers: usize = right.iter().map(|checked| checked.answers).sum();
        if self.json {
            let answer = json!({
                "problems": problems.len(), "proven": right.len(), "byRulesAlone": brute, "solutionTurns": answers,
                "wrong": wrong,
            });
            print_line(&answer.to_string());
        } else {
            print_line(&format!("{} of {} problems proven", right.len(), problems.len()));
            print_line(&format!("{brute} of them by the rules alone as well"));
            print_line(&format!("{answers} turns of solutions proven to win"));
            wrong.iter().for_each(|wrong| print_line(wrong));
        }
        ensure!(wrong.is_empty(), "{} of {} problems are wrong or unproven", wrong.len(), problems.len());
        Ok(())
    }
}
