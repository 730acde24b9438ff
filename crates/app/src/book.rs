use super::model::Files;
use super::partial::{self, Kept};
use super::{RuleSetArgs, progress};
use anyhow::Result;
use clap::Args;
use hippolyta::engine::{Board, Book};
use hippolyta_lab::arena::book::{Recipe, Searched, build};

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
    #[command(flatten)]
    recipe: Recipe,
    #[command(flatten)]
    model: Files,
    #[command(flatten)]
    kept: Kept,
}

impl MakeBook {
    pub(super) fn run(&self) -> Result<()> {
        let variant = self.rule_set.variant()?;
        let model = self.model.load(&Board::new(&variant))?;
        let recipe = Recipe { variant, model, ..self.recipe.clone() };
        let holds = |text: &str| Ok((Book::read(text)?.entries().len(), partial::remarked(text)));
        let asked = (recipe.positions, "positions");
        let Some((partial, known)) = self.kept.open(asked, holds, &recipe)? else { return Ok(()) };
        let bar = progress(recipe.positions as u64, "{wide_bar} {pos}/{len} positions {elapsed} (eta {eta})");
        bar.inc(known.len() as u64);
        let tell = |searched: &Searched| {
            partial.keep(searched);
            bar.inc(1);
        };
        let book = self.kept.threads.pool()?.install(|| build(&recipe, known, &partial.control, &tell));
        bar.finish_and_clear();
        let book = partial.whole(book?)?;
        // The first line names the rule set, so the remark comes last.
        partial.finish(&(book.text() + &partial::remark(&recipe)))
    }
}
