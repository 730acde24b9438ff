use super::{FallbackArgs, complain, may_write};
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use hippolyta::files::write_whole_with;
use hippolyta::games::Style;
use hippolyta::games::variant::Variant;
use hippolyta_protocol::records::{self, Damage, Format, ReadError, Reader, Record, Writer, unpacked};
use std::io::{self, BufRead, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Convert game records: PGN, PDN, SGF, JSON lines, replays
#[derive(Debug, Args)]
#[command(after_help = "\
The input's format goes by its text, or else by the ending .pgn, .pdn, .sgf, .jsonl, .json, .fen, .epd or .trl; the
output's by its ending. --from and --to say it instead. - is standard input or output. What is not understood is reported as
FILE:LINE:COLUMN, and counted at the end. Whatever can be read is kept. The exit code is 1 if a turn or a game was left
out, or a file has no game.

Examples:
  hippolyta convert results/games.jsonl --out games.pgn
  hippolyta convert a.sgf b.sgf c.pgn --out all.jsonl
  hippolyta convert - --from pgn --out - --to sgf < game.pgn
  hippolyta convert replay.json --out game.pgn --notation san

docs/records.md says what is kept in which format.")]
pub(super) struct Convert {
    /// Files with any number of games each
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// File to write; it is written whole or not at all
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Format of the input: pgn, pdn, sgf, jsonl, fen or replay [default: by its text]
    #[arg(long)]
    from: Option<Format>,
    /// Format of the output: pgn, pdn, sgf, jsonl, fen or replay [default: by its name]
    #[arg(long)]
    to: Option<Format>,
    /// Turns of amazons in PGN: usual as d1d7,d7g7, san as Qd7,g7, lan as Qd1-d7,g7
    #[arg(long, default_value = "usual", value_parser = notation)]
    notation: Style,
    #[command(flatten)]
    fallback: FallbackArgs,
    /// End with an error after so many damaged games
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    max_errors: u64,
    /// Write over an existing file
    #[arg(long)]
    force: bool,
}

fn notation(name: &str) -> Result<Style, String> {
    match name {
        "usual" => Ok(Style::Usual),
        "san" => Ok(Style::San),
        "lan" => Ok(Style::Lan),
        _ => Err("usual, san or lan is expected".to_owned()),
    }
}

/// The numbers of games and faults that a run has seen.
#[derive(Default)]
pub(super) struct Seen {
    pub games: u64,
    pub damaged: u64,
    warnings: u64,
    /// Turns were left out.
    lost: bool,
}

impl Seen {
    /// Hands on the games of a file one after the other, and says on standard error what was not understood. Ends with
    /// an error if there is no game, nor the rest of one.
    pub fn each<R: BufRead>(
        &mut self,
        name: &str,
        mut reader: Reader<R>,
        take: &mut dyn FnMut(&mut Self, Option<&Record>) -> Result<()>,
    ) -> Result<()> {
        let mut is_empty = true;
        loop {
            let found = reader.next();
            let warnings = reader.warnings();
            is_empty &= found.is_none() && warnings.is_empty();
            self.warnings += warnings.len() as u64;
            self.lost |= warn(name, &warnings);
            match found {
                Some(Ok(record)) => {
                    self.games += 1;
                    take(self, Some(&record))?;
                }
                Some(Err(ReadError::Damaged(damage))) => {
                    self.damaged += 1;
                    warn(name, &[damage]);
                    take(self, None)?;
                }
                Some(Err(error)) => return Err(error).with_context(|| name.to_owned()),
                None if is_empty => return Err(ReadError::Empty).with_context(|| name.to_owned()),
                None => return Ok(()),
            }
        }
    }

    /// Says the numbers, as an error if anything was lost.
    pub fn end(&self) -> Result<()> {
        let is_error = self.lost || self.damaged > 0 || self.games == 0;
        match self.summary() {
            Some(summary) if is_error => bail!(summary),
            Some(summary) => complain(&summary),
            None => {}
        }
        Ok(())
    }

    /// `12 games, 3 warnings`; `None` if all is well.
    fn summary(&self) -> Option<String> {
        let count = |number: u64, what: &str| format!("{number} {what}{}", if number == 1 { "" } else { "s" });
        let mut text = count(self.games, "game");
        if self.warnings > 0 {
            text += &format!(", {}", count(self.warnings, "warning"));
        }
        if self.damaged > 0 {
            text += &format!(", {} left out", count(self.damaged, "damaged game"));
        }
        (self.warnings + self.damaged > 0).then_some(text)
    }
}

pub(super) fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// A file, or standard input for `-`; gzip may have packed them.
pub(super) fn input(path: &Path) -> Result<Box<dyn BufRead>> {
    let name = name(path);
    ensure!(!path.is_dir(), "{name} is a folder; give files in it");
    Ok(if is_dash(path) {
        if io::stdin().is_terminal() {
            complain("what is typed is read; Ctrl-D, on Windows Ctrl-Z, ends it");
        }
        Box::new(unpacked(io::stdin().lock()).context(name)?)
    } else {
        Box::new(records::open(path).context(name)?)
    })
}

/// The games of a file or of standard input, in the format given, or else that of the text, or else that of the name.
pub(super) fn open(path: &Path, format: Option<Format>, variant: &Variant) -> Result<Reader<Box<dyn BufRead>>> {
    let input = input(path)?;
    let reader = match format {
        Some(format) => Reader::new(format, input, variant),
        None => Reader::guessing(input, Format::of_input(path), variant).with_context(|| name(path))?,
    };
    Ok(reader.naming(NAMING))
}

/// Of a file in messages.
pub(super) fn name(path: &Path) -> String {
    if is_dash(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// What names the rule set of games that name none.
pub(super) const NAMING: &str = "--variant";

/// Says on standard error what was not understood; whether turns were lost by it.
pub(super) fn warn(name: &str, warnings: &[Damage]) -> bool {
    warnings.iter().for_each(|warning| complain(&format!("{name}:{warning}")));
    warnings.iter().any(|warning| warning.lost.is_some())
}

impl Convert {
    pub(super) fn run(&self) -> Result<()> {
        let to = self.to.or_else(|| Format::of(&self.out)).with_context(|| {
            format!(
                "--out: {}: the name does not end in .pgn, .pdn, .sgf, .jsonl or .fen; give --to",
                self.out.display()
            )
        })?;
        let mut seen = Seen::default();
        let mut writer = Writer::new(to).style(self.notation);
        if is_dash(&self.out) {
            let mut out = BufWriter::new(io::stdout().lock());
            let done = self.convert(&mut writer, &mut out, &mut seen);
            let done = done.and_then(|()| out.flush().with_context(|| self.out_name()));
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
                if let Err(error) = self.convert(&mut writer, &mut out, &mut seen) {
                    failed = Some(error);
                    return Err(io::Error::other("not converted"));
                }
                out.flush()
            });
            if let Some(error) = failed {
                return Err(error);
            }
            written.with_context(|| self.out_name())?;
        }
        seen.end()
    }

    /// The output in messages.
    fn out_name(&self) -> String {
        if is_dash(&self.out) { "standard output".to_owned() } else { self.out.display().to_string() }
    }

    fn convert(&self, writer: &mut Writer, out: &mut impl Write, seen: &mut Seen) -> Result<()> {
        let fallback = self.fallback.variant()?;
        for path in &self.inputs {
            seen.each(&name(path), open(path, self.from, &fallback)?, &mut |seen, record| {
                if let Some(record) = record {
                    writer.write(record, out).with_context(|| self.out_name())?;
                } else if seen.damaged >= self.max_errors {
                    bail!("{} damaged games: --max-errors ends it; nothing more is read", seen.damaged);
                }
                Ok(())
            })?;
        }
        // Without any game there is nothing to write.
        if seen.games == 0 { seen.end() } else { Ok(()) }
    }
}
