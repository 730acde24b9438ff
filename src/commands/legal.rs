use super::{PositionArgs, print_line};
use crate::games::Outcome;
use anyhow::Result;
use clap::Args;
use serde_json::json;

/// List the legal turns of a position, one a line
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  hippolyta legal --variant amazons6\n  \
    hippolyta legal --json --fen '9q/10/10/10/10/10/10/10/***7/Q1*7 w - - 0 2' --moves 'a1b1,b1a1'")]
pub(super) struct Legal {
    #[command(flatten)]
    position: PositionArgs,
    /// One JSON object: variant, fen, side, outcome (null, white, black or draw), turns
    #[arg(long)]
    json: bool,
}

impl Legal {
    pub(super) fn run(&self) -> Result<()> {
        let board = self.position.board()?;
        let turns = board.legal_turns();
        if self.json {
            let object = json!({
                "variant": self.position.variant.name,
                "fen": board.fen(),
                "side": board.side_to_move().to_string(),
                "outcome": board.outcome().map(Outcome::name),
                "turns": turns,
            });
            print_line(&object.to_string());
        } else if !turns.is_empty() {
            print_line(&turns.join("\n"));
        }
        Ok(())
    }
}
