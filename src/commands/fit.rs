use super::{print_line, progress};
use anyhow::{Context, Result};
use clap::Args;
use hippolyta::eval::Knowledge;
use hippolyta::files::write_whole;
use hippolyta::training::{FitOptions, fit_amazons};
use std::path::PathBuf;

/// Learn the evaluation and the policy of the Amazons from games of self-play
#[derive(Debug, Args)]
#[command(after_help = "\
Prints the mean losses of evaluation and policy after each time through the data, on the games that are learned from and on
those left aside. The same files and options give the same weights.

  hippolyta selfplay --games 50000 --nodes 400 --seed 1 --out games.dat
  hippolyta fit games.dat --out weights.bin
  hippolyta match --engine cmd=self name=new option.EvalFile=weights.bin --engine cmd=self name=old --each st=0.1 --games 400")]
pub(super) struct Fit {
    /// Data files
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// The weights file
    #[arg(long)]
    out: PathBuf,
    /// Weights to start from [default: those that are built in]; 'bootstrap': those from before anything was learned
    #[arg(long)]
    start: Option<PathBuf>,
    /// Share of the search's score in the wanted score, 0 to 1; the rest is the game's result
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    search_share: f32,
    /// Times through the data
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    epochs: u32,
    /// Length of the optimiser's first steps
    #[arg(long, default_value_t = 0.01, value_parser = share)]
    rate: f32,
    /// One game of so many is left aside
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(2..))]
    validation: u64,
    /// One choice of so many is used for the policy
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..))]
    policy_every: u64,
    /// Order of the samples
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn share(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("a number from 0 to 1 is expected".to_owned()),
    }
}

impl Fit {
    pub(super) fn run(&self) -> Result<()> {
        let known = match &self.start {
            None => Knowledge::embedded(),
            Some(path) if path.as_os_str() == "bootstrap" => Knowledge::bootstrap().into(),
            Some(path) => Knowledge::load(path).with_context(|| format!("--start: {}", path.display()))?,
        };
        let mut options = FitOptions {
            search_share: self.search_share,
            validation: self.validation,
            policy_every: self.policy_every,
            ..FitOptions::default()
        };
        for schedule in [&mut options.schedule, &mut options.policy_schedule] {
            (schedule.epochs, schedule.rate, schedule.seed) = (self.epochs, self.rate, self.seed);
        }
        let bar = progress(2 * u64::from(self.epochs + 1), "{wide_bar} {pos}/{len} {elapsed} {msg}");
        bar.set_message("reading");
        let tables = fit_amazons(&self.inputs, &known, &options, &mut |losses| {
            bar.inc(1);
            bar.set_message(losses.what);
            bar.suspend(|| {
                let (what, epoch) = (losses.what, losses.epoch);
                print_line(&format!(
                    "{what} epoch {epoch} training {:.5} validation {:.5}",
                    losses.training, losses.validation
                ));
            });
        })?;
        bar.finish_and_clear();
        write_whole(&self.out, &tables.to_bytes()).with_context(|| self.out.display().to_string())?;
        print_line(&tables.notes);
        Ok(())
    }
}
