use super::model::Files;
use super::partial::{may_begin, say_finished};
use super::signals::{go_on, interruptible};
use super::{RuleSetArgs, Threads, may_write, progress};
use anyhow::{Result, ensure};
use clap::Args;
use hippolyta_lab::options::many;
use hippolyta_lab::training::{Options, Run};
use std::path::PathBuf;

/// Play games of the engine with itself, to learn from
#[derive(Debug, Args)]
#[command(after_help = "\
While the run goes on, the games are kept in a file beside that of --out, with '.partial' behind its name.
Ctrl-C and SIGTERM end the run; --resume goes on with it.

Each game depends on the seed and its number alone, so the shards of a run, merged, are the same bytes as one run:
  hippolyta selfplay --games 10000 --seed 1 --shard 0/2 --out 0.dat
  hippolyta selfplay --games 10000 --seed 1 --shard 1/2 --out 1.dat
  hippolyta merge 0.dat 1.dat --out all.dat")]
pub struct SelfPlay {
    #[command(flatten)]
    rule_set: RuleSetArgs,
    /// Position that games begin at; in the Amazons its board may have any size [default: the start position of the
    /// rule set]
    #[arg(long)]
    fen: Option<String>,
    /// Games of the whole run
    #[arg(long, value_parser = many())]
    games: u64,
    /// Seed of the whole run
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Only the games whose number leaves the remainder I when divided by N; I from 0 to N-1
    #[arg(long, value_name = "I/N", default_value = "0/1", value_parser = shard)]
    shard: [u64; 2],
    /// The data file
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Resume an interrupted run; a finished file is checked
    #[arg(long)]
    pub resume: bool,
    /// Write over an existing file, and without --resume over an interrupted run
    #[arg(long)]
    pub force: bool,
    /// How many threads.
    #[command(flatten)]
    pub threads: Threads,
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    files: Files,
}

fn shard(text: &str) -> Result<[u64; 2], String> {
    let numbers = text.split_once('/').and_then(|(i, n)| Some([i.parse().ok()?, n.parse().ok()?]));
    numbers.filter(|[i, n]| i < n).ok_or_else(|| "I/N is expected, with I from 0 to N-1".to_owned())
}

impl SelfPlay {
    /// The run with these options.
    ///
    /// # Errors
    ///
    /// If there is no such rule set or position, or a file cannot be read or is of another rule set.
    pub fn games(&self) -> Result<Run> {
        let &Self { games, seed, shard, .. } = self;
        let board = self.rule_set.start(self.fen.as_deref())?;
        let (variant, model) = (board.variant().clone(), self.files.load(&board)?);
        let start = Some(board.fen()).filter(|fen| fen != variant.start());
        Ok(Run { variant, start, games, seed, shard, options: self.options.clone(), model, at_once: None })
    }

    pub(super) fn run(&self) -> Result<()> {
        let goes_on = self.resume && !self.force && self.out.is_file();
        if !goes_on {
            may_write(&self.out, self.force)?;
            may_begin(&self.out, self.resume, self.force)?;
        }
        let (run, [remainder, divisor]) = (self.games()?, self.shard);
        let of_shard = (self.games + divisor - 1 - remainder) / divisor;
        let bar = progress(of_shard, "{wide_bar} {pos}/{len} games {elapsed} (eta {eta}) {per_sec}");
        let pool = self.threads.pool()?;
        let control = interruptible(go_on(true))?;
        let tell = |_: &_| bar.inc(1);
        let written = pool.install(|| run.write(&self.out, self.resume, self.force, &control, &tell));
        bar.finish_and_clear();
        ensure!(written.is_ok() || !control.stopped(), go_on(true));
        written?;
        if goes_on {
            say_finished(&self.out);
        }
        Ok(())
    }
}
