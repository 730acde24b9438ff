use super::model::Which;
use super::signals::{INTERRUPTED, caught, on_interrupt};
use super::{PositionArgs, SearchArgs, end_with_reader, output};
use anyhow::{Context, Result, ensure};
use clap::Args;
use hippolyta::engine::{Board, Control, Engine, Limits};
use hippolyta_lab::times::milliseconds;
use hippolyta_protocol::{Dialect, Style, Teller};
use std::sync::Arc;
use std::time::Duration;

/// Search one position and print the info lines and the bestmove
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  hippolyta go --movetime 1000\n  \
    hippolyta go --variant amazons6 --nodes 20000 --multipv 3 --moves 'b1b4,b4c4'\n\n\
    With no limit it searches until the result is proven. Ctrl-C ends it with the best turn so far, exit code 130.")]
pub(super) struct Go {
    #[command(flatten)]
    position: PositionArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Lines to report
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=500))]
    multipv: u16,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    model: Which,
    /// Add win, draw and loss in thousandths to scores
    #[arg(long)]
    wdl: bool,
}

/// When the search ends.
#[derive(Debug, Args)]
struct LimitArgs {
    /// Milliseconds, or a time such as 2s
    #[arg(long, value_name = "TIME", value_parser = milliseconds)]
    movetime: Option<u64>,
    /// Positions evaluated
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Turns in the principal variation
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// A proven win in N turns
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    mate: Option<u32>,
    /// Only these turns, separated by blanks
    #[arg(long, default_value = "", hide_default_value = true)]
    searchmoves: String,
}

impl LimitArgs {
    /// For a search of `board`.
    fn limits(&self, board: &Board) -> Result<Limits> {
        let turns = self.searchmoves.split_whitespace().map(|text| board.read(text));
        Ok(Limits {
            turns: turns.collect::<Result<_, _>>().context("--searchmoves")?,
            nodes: self.nodes,
            move_time: self.movetime.map(Duration::from_millis),
            depth: self.depth,
            mate: self.mate,
            ..Limits::default()
        })
    }
}

impl Go {
    pub(super) fn run(&self) -> Result<()> {
        let board = self.position.board()?;
        let mut engine = Engine::new(board.variant(), &self.model.load(&board)?, self.search.settings(self.multipv))?;
        end_with_reader();
        let output = output();
        let mut teller = Teller::new(Style { dialect: Dialect::Uci, show_wdl: self.wdl }, &output);
        let control = Arc::new(Control::default());
        let reins = control.clone();
        on_interrupt(move |_| reins.stop())?;
        engine.analyse(&board, &self.limits.limits(&board)?, &control, &mut |analysis| teller.tell(analysis))?;
        ensure!(caught().is_none(), INTERRUPTED);
        Ok(())
    }
}
