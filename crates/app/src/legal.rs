use super::{PositionArgs, print_line};
use anyhow::Result;
use clap::Args;
use hippolyta::games::{Outcome, Turn};
use serde::Serialize;

/// List the legal turns of a position, one a line
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  hippolyta legal --variant amazons6\n  \
    hippolyta legal --json --fen '9q/10/10/10/10/10/10/10/***7/Q1*7 w - - 0 2' --moves 'a1b1,b1a1'")]
pub(super) struct Legal {
    #[command(flatten)]
    position: PositionArgs,
    /// One JSON object: variant, fen, currentPlayer, outcome (null, white, black or draw), moves
    #[arg(long)]
    json: bool,
}

/// The answer of `analyse` to `legal_moves`, without the query's own fields.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    variant: &'a str,
    fen: String,
    current_player: String,
    outcome: Option<&'static str>,
    moves: &'a [Turn],
}

impl Legal {
    pub(super) fn run(&self) -> Result<()> {
        let board = self.position.board()?;
        let turns = board.legal_turns().all();
        if self.json {
            let answer = Answer {
                variant: board.variant().name(),
                fen: board.fen(),
                current_player: board.side_to_move().to_string(),
                outcome: board.outcome().map(Outcome::name),
                moves: &turns,
            };
            print_line(&serde_json::to_string(&answer)?);
        } else if !turns.is_empty() {
            print_line(&Turn::join(&turns, "\n"));
        }
        Ok(())
    }
}
