use super::model::{Files, other_weights};
use super::partial::{self, Kept};
use super::{RuleSetArgs, progress};
use anyhow::Result;
use clap::Args;
use hippolyta::engine::{Board, Book};
use hippolyta_lab::arena::book::{Recipe, Searched, build};
use serde::Serialize;

/// Make an opening book by long searches
#[derive(Debug, Args)]
#[command(after_help = "\
It searches the start position, then those that are most likely in games of a player who follows the book: after the
best turns of this player, and after replies that give little away. A line of the book is a position and the operations
bm (the best turn), ce (centipawns of the side to move) and acn (nodes of the search).

The same options make the same book on every machine. While the run goes on, what was searched is kept in a file beside
that of --out, with '.partial' behind its name. Ctrl-C ends the run; --resume goes on with it, also to more positions.

Examples:
  hippolyta book --variant damone --positions 600 --nodes 400000 --out damone.book
  hippolyta match --variant damone --games 100 --book-plies 0 --each st=0.1 \\
    --engine cmd=self name=a option.OwnBook=true option.BookFile=damone.book --engine cmd=self name=b")]
pub(super) struct MakeBook {
    #[command(flatten)]
    rule_set: RuleSetArgs,
    /// Positions to search
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    positions: u64,
    /// Positions evaluated in each search
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: u64,
    #[command(flatten)]
    model: Files,
    #[command(flatten)]
    kept: Kept,
}

/// Settings that every search of a run depends on.
#[derive(Serialize)]
struct Begun {
    variant: String,
    nodes: u64,
    /// The checksum of weights from a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    weights: Option<u32>,
}

impl MakeBook {
    pub(super) fn run(&self) -> Result<()> {
        let variant = self.rule_set.variant()?;
        let model = self.model.load(&Board::new(&variant))?;
        let begun = Begun { variant: variant.text(), nodes: self.nodes, weights: other_weights(&model) };
        let recipe = Recipe { variant: variant.clone(), positions: self.positions as usize, nodes: self.nodes, model };
        let holds = |text: &str| Ok((Book::read(text)?.entries().len(), partial::remarked(text)));
        let asked = (recipe.positions, "positions");
        let Some((partial, known)) = self.kept.open(asked, holds, &begun)? else { return Ok(()) };
        let bar = progress(self.positions, "{wide_bar} {pos}/{len} positions {elapsed} (eta {eta})");
        bar.inc(known.len() as u64);
        let tell = |searched: &Searched| {
            partial.keep(searched);
            bar.inc(1);
        };
        let book = self.kept.threads.pool()?.install(|| build(&recipe, known, &partial.control, &tell));
        bar.finish_and_clear();
        let book = partial.whole(book?)?;
        // The first line names the rule set, so the remark comes last.
        partial.finish(&(book.text() + &partial::remark(&begun)))
    }
}
