use super::Chosen;
use crate::signals::{INTERRUPTED, interruptible};
use crate::{Threads, print_line, progress};
use anyhow::{Result, bail, ensure};
use clap::Args;
use hippolyta::engine::ELO_RANGE;
use hippolyta_lab::options::many;
use hippolyta_lab::problems::{Problem, solve_rate};
use serde_json::json;

/// Which problems each level of the engine solves
#[derive(Debug, Args)]
#[command(after_help = "\
A row is a group of problems, a column a level: a rating (UCI_Elo), or full strength with so many nodes a turn. It shows
the share of tries that found the turn. The same command prints the same table on every machine.

Examples:
  hippolyta problems test
  hippolyta problems test --elo 800,1600,2400 --group amazons6,iago
  hippolyta problems test --nodes 1000,10000 --json")]
pub(super) struct Test {
    #[command(flatten)]
    chosen: Chosen,
    /// Ratings, separated by commas [default: 400,800,1200,1600,2000,2400,2800,3200 if no --nodes are given]
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u32).range(i64::from(ELO_RANGE[0])..=i64::from(ELO_RANGE[1])))]
    elo: Vec<u32>,
    /// Nodes a turn at full strength, separated by commas
    #[arg(long, value_delimiter = ',', value_parser = many())]
    nodes: Vec<u64>,
    /// Tries of each level at each problem, with other seeds
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    tries: u32,
    #[command(flatten)]
    threads: Threads,
    /// One JSON object: the levels, and for each problem the tries that found its turn, by level
    #[arg(long)]
    json: bool,
}

const ELO: &[u32] = &[400, 800, 1_200, 1_600, 2_000, 2_400, 2_800, 3_200];

/// A level: a rating or a number of nodes.
type Level = (Option<u32>, Option<u64>);

impl Test {
    pub(super) fn run(&self) -> Result<()> {
        let set = self.chosen.source.set()?;
        let problems = self.chosen.of(&set)?;
        ensure!(!problems.is_empty(), "there is no problem");
        let ratings = if self.elo.is_empty() && self.nodes.is_empty() { ELO } else { &self.elo };
        let levels: Vec<Level> = ratings
            .iter()
            .map(|&elo| (Some(elo), None))
            .chain(self.nodes.iter().map(|&nodes| (None, Some(nodes))))
            .collect();
        let control = interruptible(INTERRUPTED.to_owned())?;
        let bar = progress((problems.len() * levels.len()) as u64, "{wide_bar} {pos}/{len} {elapsed} (eta {eta})");
        let pool = self.threads.pool()?;
        let mut found = Vec::new();
        for &(elo, nodes) in &levels {
            let done = || bar.inc(1);
            match pool.install(|| solve_rate(&problems, elo, nodes, self.tries, &control, &done))? {
                Some(times) => found.push(times),
                None => bail!(INTERRUPTED),
            }
        }
        bar.finish_and_clear();
        if self.json {
            self.print_json(&problems, &levels, &found);
        } else {
            self.print_table(&problems, &levels, &found);
        }
        Ok(())
    }

    fn print_json(&self, problems: &[&Problem], levels: &[Level], found: &[Vec<u32>]) {
        let level = |&(elo, nodes): &Level| match elo {
            Some(elo) => json!({"elo": elo}),
            None => json!({"nodes": nodes}),
        };
        let problems: Vec<_> = problems
            .iter()
            .enumerate()
            .map(|(index, problem)| {
                json!({"id": problem.id, "found": found.iter().map(|times| times[index]).collect::<Vec<_>>()})
            })
            .collect();
        let levels: Vec<_> = levels.iter().map(level).collect();
        print_line(&json!({"tries": self.tries, "levels": levels, "problems": problems}).to_string());
    }

    fn print_table(&self, problems: &[&Problem], levels: &[Level], found: &[Vec<u32>]) {
        let mut groups: Vec<&str> = Vec::new();
        for problem in problems {
            if !groups.contains(&problem.group()) {
                groups.push(problem.group());
            }
        }
        let heads = levels.iter().map(|&(elo, nodes)| match (elo, nodes) {
            (Some(elo), _) => elo.to_string(),
            (_, nodes) => format!("{} n", nodes.unwrap_or(0)),
        });
        let cells = |cells: Vec<String>| cells.iter().map(|cell| format!(" {cell:>8}")).collect::<String>();
        print_line(&format!("{:<16} {:>8}{}", "group", "problems", cells(heads.collect())));
        let row = |name: &str, is_in: &dyn Fn(&Problem) -> bool| {
            let members: Vec<usize> = (0..problems.len()).filter(|&index| is_in(problems[index])).collect();
            let share = |times: &Vec<u32>| {
                let sum: u32 = members.iter().map(|&index| times[index]).sum();
                let tries = members.len() as f64 * f64::from(self.tries);
                format!("{:.0} %", 100.0 * f64::from(sum) / tries)
            };
            print_line(&format!("{name:<16} {:>8}{}", members.len(), cells(found.iter().map(share).collect())));
        };
        for group in &groups {
            row(group, &|problem| problem.group() == *group);
        }
        if groups.len() > 1 {
            row("all", &|_| true);
        }
    }
}
