use super::{PositionArgs, print_line};
use anyhow::Result;
use clap::Args;
use hippolyta::games::variant::Variant;
use hippolyta::games::{GameTask, Notation, Outcome, legal_turns};
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
        self.position.variant.run(self)
    }
}

impl GameTask for &Legal {
    type Output = Result<()>;

    fn run<P: Notation>(self, _: &'static Variant) -> Result<()> {
        let game = self.position.game::<P>()?;
        let position = game.current();
        let turns: Vec<_> = legal_turns(position).iter().map(|turn| position.turn_text(turn)).collect();
        if self.json {
            let object = json!({
                "variant": self.position.variant.name,
                "fen": position.fen(),
                "side": position.side_to_move().to_string(),
                "outcome": position.outcome().map(Outcome::name),
                "turns": turns,
            });
            print_line(&object.to_string());
        } else if !turns.is_empty() {
            print_line(&turns.join("\n"));
        }
        Ok(())
    }
}
