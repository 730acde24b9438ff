use super::model::{Files, other_weights};
use super::partial::{self, Kept};
use super::{RuleSetArgs, progress, share};
use anyhow::Result;
use clap::Args;
use hippolyta::engine::Board;
use hippolyta_lab::arena::openings::read;
use hippolyta_lab::arena::suite::{Balanced, Recipe, find};
use serde::{Deserialize, Serialize};

/// Find balanced openings and write them as an EPD file
#[derive(Debug, Args)]
#[command(after_help = "\
Each opening is a game of a few plausible turns. After it a deep search finds neither side ahead, and both sides win
about as many games of the engine with itself at 1,000 nodes a turn. No two openings are the same or mirror images. A
line is a position and the operations hmvc and fmvn (the FEN's counters), ce (centipawns of the side to move), acn
(nodes of the search) and c0 (what White scored in the games of --games).

Each opening depends on the options and its number alone, so the same options give the same file on every machine.
While the run goes on, the openings are kept in a file beside that of --out, with '.partial' behind its name. Ctrl-C
ends the run; --resume goes on with it.

Examples:
  hippolyta openings --variant cassio --out cassio.epd
  hippolyta openings --variant amazons6 --count 1000 --plies 2 --nodes 50000 --within 30 --seed 7 --out book.epd")]
pub(super) struct Openings {
    #[command(flatten)]
    rule_set: RuleSetArgs,
    /// Openings to find
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    count: u64,
    /// Turns of an opening
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=100))]
    plies: u32,
    /// Turns are drawn among those whose expected score is at most this much below the best, 0 to 1
    #[arg(long, default_value_t = 0.2, value_parser = share)]
    variety: f32,
    /// Positions evaluated in the search that decides
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    /// Largest score of a balanced opening, centipawns
    #[arg(long, default_value_t = 35, value_parser = clap::value_parser!(i32).range(0..=3_000))]
    within: i32,
    /// Games of the engine with itself, of which White must score half, an eighth more or less; 0: none
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=1_000))]
    games: u32,
    /// Seed of what is random
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    model: Files,
    #[command(flatten)]
    kept: Kept,
}

/// The first line of an unfinished run: what its openings depend on.
#[derive(Serialize)]
struct Begun {
    variant: String,
    plies: u32,
    variety: f32,
    nodes: u64,
    within: i32,
    games: u32,
    seed: u64,
    /// The checksum of weights from a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<u32>,
}

/// Every other line: an opening.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    number: u64,
    fen: String,
    score: i32,
    half_points: u32,
}

impl Openings {
    pub(super) fn run(&self) -> Result<()> {
        let variant = self.rule_set.variant()?;
        let Self { plies, variety, nodes, within, games, seed, .. } = *self;
        let model = self.model.load(&Board::new(&variant))?;
        let weights = other_weights(&model);
        let begun = Begun { variant: variant.text(), plies, variety, nodes, within, games, seed, weights };
        let recipe = Recipe { variant: variant.clone(), plies, variety, nodes, within, games, seed, model };
        let holds = |text: &str| Ok((read(&recipe.variant, text)?.len(), partial::remarked(text)));
        let asked = (self.count as usize, "openings");
        let Some((partial, known)) = self.kept.open(asked, holds, &begun)? else { return Ok(()) };
        let opening =
            |Found { number, fen, score, half_points }| (number, Balanced { fen, score, nodes, half_points, games });
        let known: Vec<_> = known.into_iter().map(opening).collect();
        let bar = progress(self.count, "{wide_bar} {pos}/{len} openings {elapsed} (eta {eta})");
        bar.inc(known.len() as u64);
        let tell = |number, found: &Balanced| {
            let Balanced { fen, score, half_points, .. } = found.clone();
            partial.keep(&Found { number, fen, score, half_points });
            bar.inc(1);
        };
        let found = self.kept.threads.pool()?.install(|| find(&recipe, self.count, &known, &partial.control, &tell));
        bar.finish_and_clear();
        let text: String = partial.whole(found?)?.iter().map(|opening| opening.epd() + "\n").collect();
        partial.finish(&(partial::remark(&begun) + &text))
    }
}
