use super::{may_write, variant_by_name};
use crate::files::write_whole_with;
use crate::games::variant::Variant;
use crate::records::{Format, ReadError, Reader, Writer};
use anyhow::{Context, Result, bail};
use clap::Args;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Convert game records between PGN, SGF and JSON lines
#[derive(Debug, Args)]
#[command(after_help = "\
The formats go by the endings .pgn, .sgf, .jsonl and .json, or by --from and --to. - is standard input or output.
A damaged game is reported as FILE:LINE:COLUMN and left out; then the exit code is 1. The others are written.

Examples:
  hippolyta convert results/games.jsonl --out games.pgn
  hippolyta convert a.sgf b.sgf c.pgn --out all.jsonl
  hippolyta convert - --from pgn --out - --to sgf < game.pgn

docs/records.md says what is kept in which format.")]
pub(super) struct Convert {
    /// Files with any number of games each
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// File to write; it is written whole or not at all
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Format of the input: pgn, sgf or jsonl
    #[arg(long)]
    from: Option<Format>,
    /// Format of the output: pgn, sgf or jsonl
    #[arg(long)]
    to: Option<Format>,
    /// Rule set of games that name none
    #[arg(long, default_value = "amazons", value_parser = variant_by_name)]
    variant: &'static Variant,
    /// End with an error after so many damaged games
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    max_errors: u64,
    /// Write over an existing file
    #[arg(long)]
    force: bool,
}

/// What a run has seen.
#[derive(Default)]
struct Seen {
    games: u64,
    damaged: u64,
}

fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// By option or by the file's name.
fn format(given: Option<Format>, path: &Path, option: &str) -> Result<Format> {
    given
        .or_else(|| Format::of(path))
        .with_context(|| format!("{}: the name does not end in .pgn, .sgf or .jsonl; give --{option}", path.display()))
}

impl Convert {
    pub(super) fn run(&self) -> Result<()> {
        let to = format(self.to, &self.out, "to").context("--out")?;
        let inputs: Vec<_> =
            self.inputs.iter().map(|path| Ok((path, format(self.from, path, "from")?))).collect::<Result<_>>()?;
        let mut seen = Seen::default();
        let mut writer = Writer::new(to);
        if is_dash(&self.out) {
            let mut out = BufWriter::new(io::stdout().lock());
            let done = self.convert(&inputs, &mut writer, &mut out, &mut seen).and_then(|()| Ok(out.flush()?));
            if done.as_ref().is_err_and(|error| {
                error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
            }) {
                return Ok(());
            }
            done?;
        } else {
            may_write(&self.out, self.force)?;
            let mut failed = None;
            let written = write_whole_with(&self.out, |file| {
                let mut out = BufWriter::new(file);
                if let Err(error) = self.convert(&inputs, &mut writer, &mut out, &mut seen) {
                    failed = Some(error);
                    return Err(io::Error::other("not converted"));
                }
                out.flush()
            });
            if let Some(error) = failed {
                return Err(error);
            }
            written.with_context(|| self.out.display().to_string())?;
        }
        if seen.damaged > 0 {
            bail!("{} games written, {} damaged", seen.games, seen.damaged);
        }
        Ok(())
    }

    fn convert(
        &self,
        inputs: &[(&PathBuf, Format)],
        writer: &mut Writer,
        out: &mut impl Write,
        seen: &mut Seen,
    ) -> Result<()> {
        for &(path, from) in inputs {
            let name = if is_dash(path) { "standard input".to_owned() } else { path.display().to_string() };
            let input: Box<dyn BufRead> = if is_dash(path) {
                Box::new(io::stdin().lock())
            } else {
                Box::new(BufReader::new(File::open(path).with_context(|| name.clone())?))
            };
            for found in Reader::new(from, input, self.variant) {
                match found {
                    Ok(record) => {
                        writer.write(&record, out)?;
                        seen.games += 1;
                    }
                    Err(ReadError::Damaged(damage)) => {
                        let _ = writeln!(io::stderr(), "hippolyta: {name}:{damage}");
                        seen.damaged += 1;
                        if seen.damaged >= self.max_errors {
                            bail!("{} damaged games: --max-errors ends it; nothing more is read", seen.damaged);
                        }
                    }
                    Err(ReadError::Io(error)) => return Err(error).with_context(|| name.clone()),
                }
            }
        }
        Ok(())
    }
}
