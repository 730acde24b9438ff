use super::model::Files;
use super::partial::{self, Kept};
use super::{RuleSetArgs, progress};
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
    #[command(flatten)]
    recipe: Recipe,
    #[command(flatten)]
    model: Files,
    #[command(flatten)]
    kept: Kept,
}

/// A line of an unfinished run but the first: an opening.
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
        let model = self.model.load(&Board::new(&variant))?;
        let recipe = Recipe { variant, model, ..self.recipe.clone() };
        let Recipe { nodes, games, .. } = recipe;
        let holds = |text: &str| Ok((read(&recipe.variant, text)?.len(), partial::remarked(text)));
        let asked = (self.count as usize, "openings");
        let Some((partial, known)) = self.kept.open(asked, holds, &recipe)? else { return Ok(()) };
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
        partial.finish(&(partial::remark(&recipe) + &text))
    }
}
