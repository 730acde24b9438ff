//! `hippolyta rules`: rule sets of one's own.

use super::play::{name, thousands, wrapped};
use super::print_line;
use anyhow::{Context, Error, Result, ensure};
use clap::{Args, Subcommand};
use hippolyta::engine::{Board, read_rules};
use hippolyta::games::general::{RuleSet, SCHEMA};
use hippolyta::words::shown;
use std::path::PathBuf;

/// Rule sets of your own, from a file: check them
#[derive(Debug, Args)]
#[command(after_help = "\
A file of rule sets is TOML, a table for each; keys that are missing are as in the Amazons:

  [knights]
  title = \"Knight Amazons\"
  like = \"amazons6\"
  moves = \"N\"
  fires = \"N\"

The variants.ini of Fairy-Stockfish is read as well, as far as it describes games of move and fire.

Examples:
  hippolyta rules check my.toml
  hippolyta rules schema > rules.schema.json")]
pub(super) struct Rules {
    #[command(subcommand)]
    command: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Check(Check),
    Schema(Schema),
}

/// Say all that is wrong with a file, or else its rules in English, the start position and the numbers of turns
#[derive(Debug, Args)]
struct Check {
    /// The file
    file: PathBuf,
    /// Only the rule set of this name
    #[arg(long, value_name = "NAME")]
    variant: Option<String>,
}

/// Print the JSON schema of such files, for editors
#[derive(Debug, Args)]
struct Schema {}

/// The columns of a terminal.
const COLUMNS: usize = 80;

impl Rules {
    pub(super) fn run(&self) -> Result<()> {
        match &self.command {
            Action::Check(command) => command.run(),
            Action::Schema(_) => {
                print_line(SCHEMA.trim_end());
                Ok(())
            }
        }
    }
}

impl Check {
    fn run(&self) -> Result<()> {
        let rules = read_rules(&self.file).map_err(|mut faults| {
            let last = faults.pop().unwrap_or_default();
            faults.iter().for_each(|fault| crate::complain(fault));
            Error::msg(last)
        })?;
        let texts: Vec<_> = match &self.variant {
            None => rules.sets.iter().map(describe).collect(),
            Some(name) => {
                let known = || rules.sets.iter().map(|set| set.name.as_str()).collect::<Vec<_>>().join(", ");
                let found = rules.find(name);
                vec![describe(found.with_context(|| format!("--variant: '{name}' is none of {}", known()))?)]
            }
        };
        if !texts.is_empty() {
            print_line(&texts.join("\n\n"));
        }
        for entry in &rules.left_out {
            crate::complain(&format!("{}: left out: {entry}", self.file.display()));
        }
        ensure!(!rules.sets.is_empty(), "{}: no game of move and fire", self.file.display());
        Ok(())
    }
}

/// A rule set for people.
fn describe(set: &RuleSet) -> String {
    let board = Board::new(&set.variant());
    let (files, ranks) = board.size();
    let title = if set.title == set.name { String::new() } else { format!(": {}", shown(&set.title)) };
    let mut text = format!("{}{title} on {files} × {ranks} squares\n\n", set.name);
    for words in [set.description.clone(), set.sentences().join(" ")] {
        if !words.is_empty() {
            text += &format!("{}\n\n", wrapped(&words, COLUMNS).join("\n"));
        }
    }
    let turns = board.legal_turns().len();
    let pairs = board.perft_while(2, &|| true).map_or(0, |counted| counted.nodes);
    text + &format!(
        "{}\n{} moves first. Turns at the start: {}; sequences of two turns: {}.\nFEN: {}",
        board.diagram(),
        name(board.side_to_move()),
        thousands(turns),
        thousands(pairs as usize),
        board.fen()
    )
}
