use super::{end_with_reader, output};
use anyhow::Result;
use clap::Args;
use hippolyta::engine::{Control, bench::DEPTH};
use hippolyta_protocol::bench;

/// Search fixed positions with one thread and count nodes
///
/// The last line is `N nodes P nps`.
///
/// The node count changes with anything that changes play and with nothing else: it is the build's signature.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  hippolyta bench")]
pub(super) struct Bench {
    /// Turns that each principal variation is to have
    #[arg(long, default_value_t = DEPTH, value_parser = clap::value_parser!(u32).range(1..=50))]
    depth: u32,
}

impl Bench {
    pub(super) fn run(&self) -> Result<()> {
        end_with_reader();
        bench::run(&output(), self.depth, &Control::default());
        Ok(())
    }
}
