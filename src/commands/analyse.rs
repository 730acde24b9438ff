use super::model;
use crate::protocol::analysis::{Options, SCHEMA, serve};
use anyhow::{Context, Result, ensure};
use clap::Args;

/// Answer queries on many positions: a JSON object a line on standard input, answers on standard output
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  echo '{"id":"a","variant":"amazons6","multipv":3}' | hippolyta analyse
  hippolyta analyse --jobs 8 --hash 2048 < queries.jsonl > answers.jsonl

protocol.md says what the fields of queries and answers mean; examples/ has scripts in Python."#)]
pub(super) struct Analyse {
    /// Positions searched at a time
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: u16,
    /// Threads of each search
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Memory of all searches together, MiB; each has an equal share
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Limit of queries that have none: positions evaluated
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Seed of queries that have none: breaks ties
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Print the JSON Schema of queries and answers, and do nothing else
    #[arg(long)]
    schema: bool,
    #[command(flatten)]
    model: model::Files,
}

impl Analyse {
    pub(super) fn run(&self) -> Result<()> {
        if self.schema {
            super::print_line(SCHEMA.trim_end());
            return Ok(());
        }
        let (jobs, hash) = (usize::from(self.jobs), self.hash as usize);
        ensure!(hash >= jobs, "--hash {hash}: {jobs} jobs need {jobs} MiB at least");
        let options = Options {
            jobs,
            threads: usize::from(self.threads),
            hash,
            nodes: self.nodes,
            seed: self.seed,
            model: self.model.load()?,
            ..Options::default()
        };
        super::end_with_reader();
        serve(std::io::stdin().lock(), &super::output(), &options).context("standard input")
    }
}
