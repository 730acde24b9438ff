use super::{may_write, on_interrupt, progress, rule_sets, variant_by_name};
use crate::arena::suite::{Balanced, Recipe, find};
use crate::files::{beside, read_file, write_whole};
use crate::games::variant::Variant;
use crate::search::Control;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Find balanced openings and write them as an EPD file
#[derive(Debug, Args)]
#[command(after_help = "\
Each opening is a game of a few plausible turns, after which a deep search finds neither side ahead and games of the
engine with itself, of 1,000 nodes a turn, are won by both sides as often, or nearly. No two are the same or mirror
images. A line is a position and the operations hmvc and fmvn (the FEN's counters), ce (centipawns of the
side to move), acn (nodes of the search) and c0 (what White scored in the games of --games).

Each opening depends on the options and its number alone, so the same options give the same file on every machine.
While the run goes on, the openings are kept in a file beside that of --out, with '.partial' behind its name. Ctrl-C
ends the run; --resume goes on with it.

Examples:
  hippolyta openings --variant cassio --out cassio.epd
  hippolyta openings --variant amazons6 --count 1000 --plies 2 --nodes 50000 --within 30 --seed 7 --out book.epd")]
pub(super) struct Openings {
    #[arg(help = rule_sets())]
    #[arg(long, default_value = "amazons", value_parser = variant_by_name)]
    variant: &'static Variant,
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
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(i32).range(0..=3_000))]
    within: i32,
    /// Games of the engine with itself, of which White must score half, an eighth more or less; 0: none
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=1_000))]
    games: u32,
    /// Seed of what is random
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Openings at a time [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The EPD file; it is written whole or not at all
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Resume an interrupted run
    #[arg(long)]
    resume: bool,
    /// Write over an existing file
    #[arg(long)]
    force: bool,
}

fn share(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("a number from 0 to 1 is expected".to_owned()),
    }
}

/// The first line of an unfinished run: what its openings depend on.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Begun {
    variant: String,
    plies: u32,
    variety: f32,
    nodes: u64,
    within: i32,
    games: u32,
    seed: u64,
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

/// The largest file of an unfinished run that is read.
const LARGEST: u64 = 1 << 30;

impl Openings {
    pub(super) fn run(&self) -> Result<()> {
        may_write(&self.out, self.force)?;
        let Self { variant, plies, variety, nodes, within, games, seed, .. } = *self;
        let recipe = Recipe { variant, plies, variety, nodes, within, games, seed };
        let begun = Begun { variant: variant.name.to_owned(), plies, variety, nodes, within, games, seed };
        let partial = beside(&self.out, ".partial");
        ensure!(
            self.resume || !partial.exists(),
            "{} is an unfinished run: --resume goes on with it; remove it to begin anew",
            partial.display()
        );
        let known = self.known(&partial, &begun).with_context(|| partial.display().to_string())?;
        let file = Mutex::new(OpenOptions::new().append(true).open(&partial).context("--out")?);
        let bar = progress(self.count, "{wide_bar} {pos}/{len} openings {elapsed} (eta {eta})");
        bar.inc(known.len() as u64);
        let control = Arc::new(Control::default());
        let reins = control.clone();
        on_interrupt(move || reins.stop())?;
        let tell = |number, found: &Balanced| {
            let line =
                line(&Found { number, fen: found.fen.clone(), score: found.score, half_points: found.half_points });
            // What cannot be kept is found again after an interruption.
            let _ = file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line.as_bytes());
            bar.inc(1);
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads.unwrap_or(0).into()).build()?;
        let found = pool.install(|| find(&recipe, self.count, &known, &control, &tell));
        bar.finish_and_clear();
        let Some(found) = found? else { bail!("interrupted; --resume goes on") };
        let text: String = found.iter().map(|opening| opening.epd() + "\n").collect();
        write_whole(&self.out, text.as_bytes()).with_context(|| self.out.display().to_string())?;
        let _ = fs::remove_file(&partial);
        Ok(())
    }

    /// The openings of an unfinished run with the same options. Begins its file if there is none. A last line that was
    /// cut off is dropped.
    fn known(&self, partial: &Path, begun: &Begun) -> Result<Vec<(u64, Balanced)>> {
        if !partial.exists() {
            File::create_new(partial)?.write_all(line(begun).as_bytes())?;
            return Ok(Vec::new());
        }
        let text = String::from_utf8_lossy(&read_file(partial, LARGEST)?).into_owned();
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let mut lines = whole.lines();
        let other: Begun = serde_json::from_str(lines.next().unwrap_or("")).context("not an unfinished run")?;
        ensure!(other == *begun, "the run was begun with other options: {}", line(&other).trim_end());
        let mut known = Vec::new();
        for (index, text) in lines.enumerate() {
            let Found { number, fen, score, half_points } =
                serde_json::from_str(text).with_context(|| format!("line {}", index + 2))?;
            known.push((number, Balanced { fen, score, nodes: self.nodes, half_points, games: self.games }));
        }
        write_whole(partial, whole.as_bytes())?;
        Ok(known)
    }
}

/// A line of an unfinished run.
fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}
