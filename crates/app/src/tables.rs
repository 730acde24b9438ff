use super::{Threads, may_write, print_line, progress, variant_by_name};
use anyhow::{Context, Result, bail};
use clap::Args;
use hippolyta::endgame::damone::index::{Index, Material};
use hippolyta::endgame::damone::{Counts, Mistake, Tables, solve, statistics, verify};
use hippolyta::files::make_folder;
use hippolyta::games::damone::{Damone, Rules};
use hippolyta::games::variant::{Family, Variant};
use hippolyta::games::{Notation, Side};
use hippolyta_protocol::endings::kept_at;
use indicatif::ProgressBar;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{fs, io};

/// Compute who wins Damone with few pieces, and how soon
#[derive(Debug, Args)]
#[command(after_help = "\
Prints for each material, side to move first: the number of positions (mirror images included), how many of them are
won, drawn and lost, and the plies of the longest win. Then come the sums, and where a longest game begins.

With --cache they are kept where the UCI option DamoneTables finds them if its value is <cache>: `hippolyta tables`
alone says where that is, and what is there.

Examples:
  hippolyta tables
  hippolyta tables --pieces 4 --out damone4.tables
  hippolyta tables --cache
  hippolyta tables --remove
  hippolyta tables --verify damone4.tables
  hippolyta match --variant damone --games 10 --each st=0.1 \\
    --engine cmd=self name=a option.DamoneTables=damone4.tables --engine cmd=self name=b

With 4 pieces the file has 21 MB, with 5 pieces 760 MB, and as much memory again is needed to play with it.")]
pub(super) struct MakeTables {
    /// Rule set: damone (the tables serve damone-three as well) or damone-imperatore
    #[arg(long, default_value = "damone", value_parser = variant_by_name, requires = "made")]
    variant: Variant,
    /// The most pieces on the board, both sides together
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=5), requires = "made")]
    pieces: u8,
    /// The file to write
    #[arg(long, value_name = "FILE", alias = "output", group = "made")]
    out: Option<PathBuf>,
    /// Write them into your folder for caches
    #[arg(long, group = "made", conflicts_with = "verify")]
    cache: bool,
    /// Remove those in your folder for caches
    #[arg(long, conflicts_with_all = ["made", "verify"])]
    remove: bool,
    /// Write over an existing file
    #[arg(long, conflicts_with = "verify", requires = "made")]
    force: bool,
    /// Check a file instead: derive every value again from those of the turns, by the rules
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "pieces", "variant"])]
    verify: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
}

impl MakeTables {
    pub(super) fn run(&self) -> Result<()> {
        let pool = self.threads.pool()?;
        match (&self.verify, &self.out) {
            (Some(path), _) => check(path, &pool),
            (None, Some(path)) => self.make(path, &pool),
            (None, None) if self.cache => {
                let path = kept_at(self.rules()?).context("this system has no folder for caches")?;
                make_folder(path.parent().unwrap_or(&path)).with_context(|| path.display().to_string())?;
                self.make(&path, &pool)?;
                print_line(&format!("kept in {}", path.display()));
                Ok(())
            }
            (None, None) => each_kept(self.remove),
        }
    }

    fn rules(&self) -> Result<&'static Rules> {
        match self.variant.family() {
            Family::Damone(rules) => Ok(rules),
            _ => bail!("--variant: {} is not of the Damone family", self.variant.name()),
        }
    }

    fn make(&self, path: &Path, pool: &rayon::ThreadPool) -> Result<()> {
        let rules = self.rules()?;
        may_write(path, self.force)?;
        let pieces = usize::from(self.pieces);
        let (began, bar) = (Instant::now(), bar(Index::new(pieces).len()));
        let tables = pool.install(|| solve(rules, pieces, &|count| bar.inc(count)))?;
        bar.finish_and_clear();
        let seconds = began.elapsed().as_secs_f64();
        tables.save(path).with_context(|| path.display().to_string())?;
        print_line(&format!(
            "{:<8} {:>10} {:>10} {:>10} {:>10} {:>7}",
            "material", "positions", "won", "drawn", "lost", "longest"
        ));
        let counts = pool.install(|| statistics(&tables));
        counts.iter().for_each(|(material, counts)| print_line(&row(&letters(material), counts)));
        let sum = counts.iter().fold(Counts::default(), |sum, (_, counts)| sum.plus(*counts));
        print_line(&row("all", &sum));
        if let Some(board) = sum.longest_at.and_then(|number| tables.index().board(number)) {
            let position = Damone::new(rules, board, Side::White, 0);
            print_line(&format!("a game of {} plies begins at {}", sum.longest, position.fen()));
        }
        print_line(&format!("most quiet plies in a row: {}", tables.longest_run()));
        print_line(&format!("{} values in {seconds:.1} s", tables.index().len()));
        Ok(())
    }
}

/// Says which tables are kept in the user's folder for caches, or removes them.
fn each_kept(remove: bool) -> Result<()> {
    for rules in [&Rules::DAMONE, &Rules::IMPERATORE] {
        let path = kept_at(rules).context("this system has no folder for caches")?;
        let shown = path.display();
        let told = match fs::metadata(&path) {
            Ok(_) if remove => {
                fs::remove_file(&path).with_context(|| shown.to_string())?;
                format!("{shown}: removed")
            }
            Ok(file) => format!("{shown}: {:.1} MB", file.len() as f64 / 1e6),
            Err(error) if error.kind() == io::ErrorKind::NotFound => format!("{shown}: none"),
            Err(error) => return Err(error).with_context(|| shown.to_string()),
        };
        print_line(&told);
    }
    Ok(())
}

fn check(path: &Path, pool: &rayon::ThreadPool) -> Result<()> {
    let tables = Tables::load(path).with_context(|| format!("--verify: {}", path.display()))?;
    let (began, bar) = (Instant::now(), bar(tables.index().len()));
    let result = pool.install(|| verify(&tables, &|count| bar.inc(count)));
    bar.finish_and_clear();
    match result {
        Ok(()) => {
            let (values, seconds) = (tables.index().len(), began.elapsed().as_secs_f64());
            print_line(&format!("{values} values up to {} pieces are right, {seconds:.1} s", tables.pieces()));
            Ok(())
        }
        Err(Mistake::Value(position)) => bail!("{}: wrong value of {}", path.display(), position.fen()),
        Err(Mistake::Number(number)) => {
            bail!("{}: value {number} belongs to no position, or is missing", path.display())
        }
        Err(Mistake::Run { found, said }) => {
            bail!("{}: wins take up to {found} quiet plies in a row, not {said}", path.display())
        }
    }
}

fn bar(values: usize) -> ProgressBar {
    progress(values as u64, "{wide_bar} {human_pos}/{human_len} positions {elapsed} (eta {eta})")
}

/// The side to move in capitals.
fn letters(material: &Material) -> String {
    let (own, other) = material.split_at(3);
    let side = |counts: &[u8], letters: [&str; 3]| -> String {
        counts.iter().zip(letters).rev().map(|(&count, letter)| letter.repeat(count.into())).collect()
    };
    format!("{} {}", side(own, ["P", "D", "I"]), side(other, ["p", "d", "i"]))
}

fn row(name: &str, counts: &Counts) -> String {
    let Counts { wins, draws, losses, longest, .. } = *counts;
    format!("{name:<8} {:>10} {wins:>10} {draws:>10} {losses:>10} {longest:>7}", counts.positions())
}
