use super::model::Files;
use super::partial::say_finished;
use super::signals::{RESUME, interruptible};
use super::{RuleSetArgs, Threads, progress, start_position};
use anyhow::{Context, Result};
use clap::Args;
use hippolyta::engine::Board;
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
pub(super) struct SelfPlay {
    #[command(flatten)]
    rule_set: RuleSetArgs,
    /// Position that games begin at; in the Amazons its board may have any size [default: the start position of the
    /// rule set]
    #[arg(long)]
    fen: Option<String>,
    /// Games of the whole run
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Positions evaluated for a turn
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Seed of the whole run
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Only the games whose number leaves the remainder I when divided by N; I from 0 to N-1
    #[arg(long, value_name = "I/N", default_value = "0/1", value_parser = shard)]
    shard: Shard,
    /// The data file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Resume an interrupted run; a finished file is checked
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    threads: Threads,
    /// Upper limit of random turns at the start of a game
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=200))]
    opening_turns: u32,
    /// Number of turns after the opening that are drawn by visits; from then on the best turn is played
    #[arg(long, default_value_t = 20)]
    sampled_turns: u32,
    /// T: these turns are drawn in proportion to visits to the power of 1/T
    #[arg(long, default_value_t = 1.0, value_parser = fraction)]
    temperature: f32,
    /// Scale of the Gumbel noise on the policy at the root
    #[arg(long, default_value_t = 0.5, value_parser = fraction)]
    noise: f32,
    /// Play on when the result is proven
    #[arg(long)]
    play_on: bool,
    /// Record positions of the tree with at least this number of visits as well; 0 records none
    #[arg(long, default_value_t = 0)]
    inner_visits: u32,
    /// The most such positions a turn
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=255))]
    inner_most: u32,
    /// A game with this number of turns after the opening is drawn
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    longest: u32,
    #[command(flatten)]
    files: Files,
    /// Memory of each search, MiB
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=32_768))]
    hash: u32,
}

#[derive(Clone, Copy, Debug)]
struct Shard([u64; 2]);

fn shard(text: &str) -> Result<Shard, String> {
    let numbers = text.split_once('/').and_then(|(i, n)| Some([i.parse().ok()?, n.parse().ok()?]));
    match numbers {
        Some([i, n]) if i < n => Ok(Shard([i, n])),
        _ => Err("I/N is expected, with I from 0 to N-1".to_owned()),
    }
}

fn fraction(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if (0.0..=100.0).contains(&number) => Ok(number),
        _ => Err("a number from 0 to 100 is expected".to_owned()),
    }
}

impl SelfPlay {
    pub(super) fn run(&self) -> Result<()> {
        let options = Options {
            nodes: self.nodes,
            hash: self.hash as usize,
            opening_turns: self.opening_turns,
            sampled_turns: self.sampled_turns,
            temperature: self.temperature,
            noise: self.noise,
            adjudicate: !self.play_on,
            inner_visits: self.inner_visits,
            inner_most: self.inner_most,
            longest: self.longest,
        };
        let Shard(shard) = self.shard;
        let variant = self.rule_set.variant()?;
        let start = start_position(&variant, self.fen.as_deref()).context("--fen")?;
        let fen = start.as_deref().unwrap_or(variant.start());
        let weights = self.files.weights_for(&Board::from_fen(&variant, fen)?)?;
        let Self { games, seed, .. } = *self;
        let run = Run { variant, start, games, seed, shard, options, weights, own: None };
        let of_shard = (self.games + shard[1] - 1 - shard[0]) / shard[1];
        let bar = progress(of_shard, "{wide_bar} {pos}/{len} games {elapsed} (eta {eta}) {per_sec}");
        let pool = self.threads.pool()?;
        let control = interruptible(RESUME)?;
        let was_there = self.out.exists();
        let written = pool.install(|| run.write(&self.out, self.resume, &control, &|_| bar.inc(1)));
        bar.finish_and_clear();
        written?;
        if was_there {
            say_finished(&self.out);
        }
        Ok(())
    }
}
