use super::{Chosen, Source, grade};
use crate::print_line;
use anyhow::{Result, bail};
use clap::Args;
use hippolyta_lab::problems::{Problem, ProblemSet, Tree};
use serde_json::json;

/// List problems: id, grade, legal turns, position
#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    chosen: Chosen,
    /// Only problems with a grade of at least N
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    above: u32,
    /// Only problems with a grade of at most N
    #[arg(long, value_name = "N")]
    below: Option<u32>,
    /// A JSON object a line, as in the file
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(&self) -> Result<()> {
        let set = self.chosen.source.set()?;
        let is_in = |problem: &&Problem| {
            let elo = problem.elo.unwrap_or(u32::MAX);
            elo >= self.above && self.below.is_none_or(|below| elo <= below)
        };
        for problem in self.chosen.of(&set)?.into_iter().filter(is_in) {
            if self.json {
                print_line(&serde_json::to_string(problem)?);
            } else {
                let Problem { id, elo, legal, fen, .. } = problem;
                print_line(&format!("{id:<18} {:>6} {legal:>5}  {fen}", grade(*elo)));
            }
        }
        Ok(())
    }
}

/// Show a problem, and its solution if asked for
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hippolyta problems show damone-007
  hippolyta problems show damone-007 --solution")]
pub(super) struct Show {
    #[command(flatten)]
    source: Source,
    /// The id of the problem, or its place in the file, counted from 1
    #[arg(value_name = "ID")]
    id: String,
    /// Show the turn that wins, the hardest replies to it and the answers
    #[arg(long)]
    solution: bool,
    /// One JSON object, as in the file; without --solution it has neither turn nor themes nor solution
    #[arg(long)]
    json: bool,
}

/// The problem of this name or place.
fn find<'a>(set: &'a ProblemSet, id: &str) -> Result<&'a Problem> {
    let place = || id.parse::<usize>().ok()?.checked_sub(1).and_then(|index| set.problems.get(index));
    match set.get(id).or_else(place) {
        Some(problem) => Ok(problem),
        None => bail!("there is no problem '{id}' among {}; see hippolyta problems list", set.problems.len()),
    }
}

impl Show {
    pub(super) fn run(&self) -> Result<()> {
        let set = self.source.set()?;
        let problem = find(&set, &self.id)?;
        if self.json {
            let mut value = json!(problem);
            if let (false, Some(fields)) = (self.solution, value.as_object_mut()) {
                fields.retain(|name, _| !["turn", "themes", "solution", "wrong"].contains(&name.as_str()));
            }
            print_line(&value.to_string());
            return Ok(());
        }
        let board = problem.board()?;
        let Problem { id, fen, side, legal, .. } = problem;
        print_line(&format!("{id}: {}, {side} to move and win", board.variant().name()));
        print_line(&format!("fen: {fen}"));
        print_line(&board.diagram());
        let all = if problem.elo.is_none() { " (no measured rating finds it)" } else { "" };
        print_line(&format!("legal turns: {legal}; grade: {}{all}", grade(problem.elo)));
        if let Some(plies) = problem.plies {
            print_line(&format!("plies until the game is over: {plies}"));
        }
        if self.solution {
            print_line(&format!("proven by {}", problem.proof));
            lines(&problem.solution, 0).iter().for_each(|line| print_line(line));
            for (turn, replies) in &problem.wrong.branches {
                let refutes = replies.branches.iter().map(|(reply, _)| format!(", refuted by {reply}"));
                print_line(&format!("not {turn}{}", refutes.collect::<String>()));
            }
        }
        Ok(())
    }
}

/// A solution as text: replies are indented below the turn that they reply to, with the answer behind.
fn lines(tree: &Tree, depth: usize) -> Vec<String> {
    let indent = "  ".repeat(depth);
    let mut lines = Vec::new();
    for (turn, after) in &tree.branches {
        match after.branches.as_slice() {
            [(answer, rest)] if depth > 0 => {
                lines.push(format!("{indent}{turn} {answer}"));
                lines.extend(self::lines(rest, depth + 1));
            }
            _ => {
                lines.push(format!("{indent}{turn}"));
                lines.extend(self::lines(after, depth + 1));
            }
        }
    }
    lines
}
