use super::convert::{Seen, is_dash, name, open};
use super::{FallbackArgs, may_write, print_line};
use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use hippolyta::files::write_whole;
use hippolyta_lab::arena::explorer::Explorer as Counted;
use std::path::PathBuf;

/// Count what was played in the openings of recorded games
#[derive(Debug, Args)]
#[command(after_help = "\
The page shows these counts in its explorer of openings. Games whose result is not known do not count. Positions that
are images of each other by a symmetry of the rules count as one, and so do such turns. The output is JSON with a line
for each rule set. The exit code is 1 if a turn or a game was left out.

Examples:
  hippolyta explorer docs/games/*/*.pgn.gz --least 2 --out explorer.json
  hippolyta explorer results/games.jsonl --plies 6 --out openings.json")]
pub(super) struct Explorer {
    /// Files with any number of games each
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// File to write, whole or not at all; - is standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Turns of each game that count, of both sides
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=500))]
    plies: u16,
    /// Games that a position must have had at least
    #[arg(long, value_name = "GAMES", default_value_t = 1)]
    least: u32,
    #[command(flatten)]
    fallback: FallbackArgs,
    /// Write over an existing file
    #[arg(long)]
    force: bool,
}

impl Explorer {
    pub(super) fn run(&self) -> Result<()> {
        let is_dash = is_dash(&self.out);
        if !is_dash {
            may_write(&self.out, self.force)?;
        }
        let fallback = self.fallback.variant()?;
        let (mut counted, mut seen) = (Counted::new(self.plies.into()), Seen::default());
        for path in &self.inputs {
            let name = name(path);
            seen.each(&name, open(path, None, &fallback)?, &mut |_, record| {
                record.map_or(Ok(()), |record| counted.count(record)).map_err(|error| anyhow!("{name}: {error}"))
            })?;
        }
        ensure!(counted.games() > 0, "there is no game with a result");
        counted.leave_out_below(self.least);
        if is_dash {
            print_line(counted.text().trim_end());
        } else {
            write_whole(&self.out, counted.text().as_bytes()).with_context(|| self.out.display().to_string())?;
        }
        seen.end()
    }
}
