use super::{may_write, print_line};
use anyhow::Result;
use clap::Args;
use hippolyta_lab::training::merge;
use std::path::PathBuf;

/// Merge the shards of a self-play run
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  hippolyta merge shard-*.dat --out all.dat")]
pub(super) struct Merge {
    /// Data files of shards of one run
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// The merged file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Accept that games are missing, also from the end of a file
    #[arg(long)]
    partial: bool,
    /// Write over an existing file
    #[arg(long)]
    force: bool,
}

impl Merge {
    pub(super) fn run(&self) -> Result<()> {
        may_write(&self.out, self.force)?;
        let games = merge(&self.inputs, &self.out, self.partial)?;
        print_line(&format!("{games} games"));
        Ok(())
    }
}
