use super::model::Which;
use super::{PositionArgs, SearchArgs, end_with_reader, output};
use anyhow::{Context, Result};
use clap::Args;
use hippolyta_protocol::gtp::{Options, serve_gtp};
use std::io::{BufReader, stdin};

/// Speak GTP on standard input and output, for GoGui
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  hippolyta gtp --variant iago\n  gogui -program 'hippolyta gtp --variant damone'\n\n\
    docs/protocols/gtp.md has all commands. GoGui shows the settings in a dialog: Analyze, Settings."
)]
pub(super) struct Gtp {
    #[command(flatten)]
    position: PositionArgs,
    /// Seconds for a turn while no clock runs
    #[arg(long, alias = "seconds", value_name = "SECONDS", default_value_t = 5.0, value_parser = seconds)]
    time: f64,
    /// Positions evaluated for a turn at most
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Play at this rating [default: full strength]
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=4_000))]
    elo: Option<u32>,
    /// Play lost games to their end instead of resigning
    #[arg(long)]
    no_resign: bool,
    /// Lines to analyse
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=500))]
    multipv: u16,
    #[command(flatten)]
    search: SearchArgs,
    #[command(flatten)]
    model: Which,
}

/// Seconds, as `--time` takes them.
fn seconds(text: &str) -> Result<f64, String> {
    hippolyta_lab::times::seconds(text, 0.01, 86_400.0).map(|time| time.as_secs_f64())
}

impl Gtp {
    pub(super) fn run(&self) -> Result<()> {
        let start = self.position.board()?;
        let options = Options {
            model: self.model.load(&start)?,
            start,
            settings: self.search.settings(self.multipv),
            seconds: self.time,
            nodes: self.nodes,
            elo: self.elo,
            resign: !self.no_resign,
        };
        end_with_reader();
        serve_gtp(BufReader::new(stdin()), &output(), options).context("standard input")
    }
}
