use super::analyse::rows::{Form, View, csv_text};
use super::list::{chained, lines};
use super::model::Files;
use super::{FallbackArgs, convert, may_write_as, progress};
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use hippolyta::engine::Board;
use hippolyta::files::write_whole;
use hippolyta::games::Side;
use hippolyta_lab::options::{mebibytes, threads};
use hippolyta_protocol::records::{Format, ReadError, Reader, Record};
use hippolyta_protocol::review::{Effort, Review, Selection};
use std::io::BufRead;
use std::path::PathBuf;
use std::time::Duration;

/// Judge a game: what turns lost, mistakes, accuracy of both sides
#[derive(Debug, Args)]
#[command(after_help = "\
Every position of the game is searched. A turn loses what its player's expected score fell by, nothing if it was the
engine's choice. Where that is much, the position after the engine's choice is searched too, and the turn loses at most
the difference of the two positions. From 5 % on it is an inaccuracy, from 10 % a mistake, from 20 % a blunder. Turns of
an opening, marked 'book' in the record, are not judged.

Of each mistake it says why it was one, as far as that can be counted: a win or draw thrown away, a territory closed off,
turns lost, an amazon shut in, stones flipped, pieces taken; or how the turns go on that are expected after it and after
the best one.

Lines of FENs are a game if a legal turn leads from each to the next; where none does, another game begins. The exit
code is 1 if turns were left out.

Examples:
  hippolyta review game.pgn
  hippolyta review game.pgn --format csv --view white > game.csv
  hippolyta review game.sgf --html review.html --nodes 400000 --threads 4
  hippolyta review results/games.jsonl --game 3 --side black --by cost
  hippolyta convert game.sgf --out - --to pgn | hippolyta review - --from pgn

--html writes one file that loads nothing from elsewhere: a graph, the mistakes as diagrams with hidden answers, the
game to step through, every turn.")]
pub(super) struct ReviewGame {
    /// File with games in PGN, SGF or JSON lines, or with FENs or turns, one a line; - is standard input
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// Write a page instead of text; it is written whole or not at all
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "view"])]
    html: Option<PathBuf>,
    /// How the review is written: CSV and JSON have the turns alone
    #[arg(long, value_enum, default_value_t = Form::Table)]
    format: Form,
    /// Whose expected score is shown before and after a turn
    #[arg(long, value_enum, default_value_t = View::Mover)]
    view: View,
    /// Game N of the file
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    game: u64,
    /// Positions evaluated in the search of each position of the game [default: 20000, unless --time is given]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Seconds for the search of each position of the game
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<Duration>,
    /// Positions searched at a time; with --nodes they do not change the result
    #[arg(long, default_value_t = 1, value_parser = threads())]
    threads: u16,
    /// Memory of all searches together, MiB
    #[arg(long, default_value_t = 256, value_parser = mebibytes())]
    hash: usize,
    /// Whose mistakes are shown
    #[arg(long, value_enum, default_value_t = Whose::Both)]
    side: Whose,
    /// Order of the mistakes
    #[arg(long, value_enum, default_value_t = By::Turn)]
    by: By,
    /// Format of the file: pgn, pdn, sgf, jsonl, fen or replay [default: by its text]
    #[arg(long)]
    from: Option<Format>,
    #[command(flatten)]
    fallback: FallbackArgs,
    #[command(flatten)]
    model: Files,
    /// Write over an existing file
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Whose {
    White,
    Black,
    Both,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum By {
    Turn,
    Cost,
}

fn seconds(text: &str) -> Result<Duration, String> {
    hippolyta_lab::times::seconds(text, 0.001, 1e6)
}

const NODES: u64 = 20_000;

impl ReviewGame {
    pub(super) fn run(&self) -> Result<()> {
        if let Some(out) = &self.html {
            may_write_as("--html", out, self.force)?;
        }
        let (record, lost) = self.read()?;
        let effort = Effort {
            nodes: self.nodes.or_else(|| self.time.is_none().then_some(NODES)),
            time: self.time,
            threads: usize::from(self.threads),
            hash: self.hash,
        };
        let bar =
            progress(record.main_line().count() as u64 + 1, "{wide_bar} {pos}/{len} positions {elapsed} (eta {eta})");
        let model = self.model.load(&Board::from_fen(&record.variant, &record.fen)?)?;
        let review = Review::new(record, effort, &model, &|done, all| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
        })?;
        bar.finish_and_clear();
        let side = match self.side {
            Whose::White => Some(Side::White),
            Whose::Black => Some(Side::Black),
            Whose::Both => None,
        };
        let white = self.view == View::White;
        let selection = Selection { side, by_cost: matches!(self.by, By::Cost), white };
        match &self.html {
            Some(out) => {
                write_whole(out, review.page(selection).as_bytes()).with_context(|| out.display().to_string())?;
            }
            None if self.format == Form::Table => review.text(selection).lines().for_each(super::print_line),
            None => {
                let output = super::output();
                for (index, row) in review.rows(selection).iter().enumerate() {
                    match self.format {
                        Form::Csv => output.line(csv_text(row, index == 0).trim_end()),
                        _ => output.line(&serde_json::to_string(row)?),
                    }
                }
            }
        }
        ensure!(!lost, "{}: turns were left out", convert::name(&self.input));
        Ok(())
    }

    /// The game that was asked for, and whether turns of it, or positions of a list, were lost.
    fn read(&self) -> Result<(Record, bool)> {
        let name = convert::name(&self.input);
        let reader = convert::open(&self.input, self.from, &self.fallback.variant()?)?;
        if reader.format() == Format::Fen { self.join(&name, reader) } else { self.choose(&name, reader) }
    }

    /// The game that was asked for of those which the positions of a list make.
    fn join(&self, name: &str, reader: Reader<impl BufRead>) -> Result<(Record, bool)> {
        let (lines, damages) = lines(reader)?;
        let mut lost = convert::warn(name, &damages);
        let found = lines.len();
        let (games, damages) = chained(lines);
        for (line, message) in &damages {
            crate::complain(&format!("{name}:{line}: {message}; they are left out"));
            lost = true;
        }
        let begins: Vec<_> = games.iter().skip(1).map(|(line, _)| line.to_string()).collect();
        if !begins.is_empty() {
            let (number, lines) = (games.len(), begins.join(", "));
            crate::complain(&format!("{name}: {number} games: no turn leads from the position before to line {lines}"));
        }
        let number = games.len();
        ensure!(found > 0, "{name}: {}", ReadError::Empty);
        ensure!(number > 0, "{name}: none of its positions can be read; a game is wanted, or its positions in order");
        if number == 1 && found == 1 && games[0].1.turns.is_empty() {
            crate::complain(&format!(
                "{name}: there is a position and no turn; a game is wanted, or its positions in order, a line each"
            ));
        }
        let chosen = games.into_iter().nth(self.game as usize - 1);
        let (_, record) = chosen.with_context(|| self.missing(name, number as u64))?;
        Ok((record, lost))
    }

    fn missing(&self, name: &str, number: u64) -> String {
        format!("--game {}: {name} has {number} {}", self.game, if number == 1 { "game" } else { "games" })
    }

    fn choose(&self, name: &str, mut reader: Reader<impl BufRead>) -> Result<(Record, bool)> {
        let mut seen = 0;
        while let Some(found) = reader.next() {
            seen += 1;
            let warnings = reader.warnings();
            let lost = seen == self.game && convert::warn(name, &warnings);
            match found {
                Err(ReadError::Damaged(damage)) if seen == self.game => bail!("{name}:{damage}"),
                Ok(record) if seen == self.game => return Ok((record, lost)),
                Ok(_) | Err(ReadError::Damaged(_)) => {}
                Err(error) => return Err(error).context(name.to_owned()),
            }
        }
        ensure!(seen > 0, "{name}: {}", ReadError::Empty);
        bail!(self.missing(name, seen))
    }
}
