use super::{PositionArgs, end_with_reader, print_line};
use anyhow::{Context, Result};
use clap::Args;
use hippolyta_lab::options::threads;
use std::time::Instant;

/// Count the sequences of DEPTH turns
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  hippolyta perft 2\n  hippolyta perft --variant amazons6 --threads 2 --divide 3")]
pub(super) struct Perft {
    #[command(flatten)]
    position: PositionArgs,
    /// Threads to count with
    #[arg(long, default_value_t = 1, value_parser = threads())]
    threads: u16,
    /// Print the count after each turn
    #[arg(long)]
    divide: bool,
    /// Turns
    #[arg(value_parser = clap::value_parser!(u32).range(0..=99))]
    depth: u32,
}

impl Perft {
    pub(super) fn run(&self) -> Result<()> {
        end_with_reader();
        let board = self.position.board()?;
        let threads = usize::from(self.threads);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.with_context(|| format!("cannot start {threads} threads"))?;
        let started = Instant::now();
        let Some(result) = pool.install(|| board.perft_while(self.depth, &|| true)) else { return Ok(()) };
        let seconds = started.elapsed().as_secs_f64();
        if self.divide {
            for (turn, count) in &result.divide {
                print_line(&format!("{turn}: {count}"));
            }
            print_line("");
        }
        print_line(&format!("Nodes searched: {}", result.nodes));
        print_line(&format!("Time: {seconds:.3} s"));
        print_line(&format!("Turns/s: {:.0}", result.nodes as f64 / seconds.max(1e-9)));
        Ok(())
    }
}
