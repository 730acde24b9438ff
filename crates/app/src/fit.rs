use super::partial::{ensure_same, finish, is_finished, partial_path};
use super::signals::{go_on, interruptible};
use super::{Threads, may_write, may_write_as, print_line, progress};
use anyhow::{Context, Result, ensure};
use clap::Args;
use hippolyta::eval::Weights;
use hippolyta::eval::weights::made;
use hippolyta_lab::training::learn::weights_named;
use hippolyta_lab::training::{FitOptions, Losses, Only, calibrate, check, differences, fit, identity, save_curves};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Learn evaluation and policy from games of self-play
#[derive(Debug, Args)]
#[command(after_help = "\
After each epoch it prints the mean losses on training and on validation games: of the evaluation, of the policy, and
in the Amazons of who owns the squares in the end. The same files and options give the same weights.

Weights of other rule sets stay as they are. In the Amazons each size of board has its own weights, and files of one
size change these alone. A size without weights of its own plays by shared ones; files of several sizes change those.

Examples:
  hippolyta selfplay --variant iago --games 5000 --nodes 400 --seed 1 --inner-visits 20 --out games.dat
  hippolyta fit games.dat --inner-every 1 --out weights.bin
  hippolyta match --variant iago --each st=0.1 \\
    --engine cmd=self name=new option.EvalFile=weights.bin --engine cmd=self name=old
  hippolyta fit games.dat --start weights.bin --calibrate --out calibrated.bin
  hippolyta fit games.dat --start calibrated.bin --check

Ownership is learned best from games that are played on until nobody can move:
  hippolyta selfplay --variant amazons6 --games 3000 --nodes 200 --play-on --out p.dat
  hippolyta fit p.dat --only ownership --policy-every 1 --epochs 8 --out weights.bin")]
pub struct Fit {
    /// Data files, of one rule set or of several that are learned together
    #[arg(required = true, value_name = "FILE")]
    pub inputs: Vec<PathBuf>,
    /// The weights file
    #[arg(long, value_name = "FILE", required_unless_present = "check")]
    pub out: Option<PathBuf>,
    /// Write over an existing file, and without --resume over an interrupted fit
    #[arg(long)]
    pub force: bool,
    /// Learn nothing: print, by predicted probability, how often wins, draws and losses come true in the validation
    /// games; in the Amazons owned squares and the lead, too
    #[arg(long, conflicts_with_all = ["out", "resume", "curves"])]
    check: bool,
    /// Learn only the scale of the logit and the width of draws, so that probabilities come true in these games
    #[arg(long, conflicts_with_all = ["check", "resume", "curves"])]
    calibrate: bool,
    /// Resume an interrupted fit
    #[arg(long)]
    pub resume: bool,
    /// Draw the losses into this SVG file
    #[arg(long, value_name = "FILE")]
    pub curves: Option<PathBuf>,
    /// Weights to start from: a file, or 'built-in', or 'bootstrap' (those before any learning)
    #[arg(long, default_value = "built-in")]
    start: String,
    #[command(flatten)]
    options: FitOptions,
    /// Learn one part of the weights alone: 'shapes', which Damone does not have, or 'ownership', which only the
    /// Amazons have. All others stay as they are
    #[arg(long, value_name = "PART", conflicts_with_all = ["check", "calibrate"], hide_possible_values = true)]
    only: Option<Only>,
    /// Seed of the order of the samples
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many threads.
    #[command(flatten)]
    pub threads: Threads,
}

fn losses_text([training, validation]: [f64; 2]) -> String {
    format!("training {training:.5} validation {validation:.5}")
}

impl Fit {
    /// The weights to start from.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or holds none.
    pub fn known(&self) -> Result<Arc<Weights>> {
        weights_named(&self.start).context("--start")
    }

    /// How to learn.
    #[must_use]
    pub fn options(&self) -> FitOptions {
        FitOptions { only: self.only, seed: self.seed, ..self.options }
    }

    pub(super) fn run(&self) -> Result<()> {
        if let Some(path) = &self.curves {
            may_write_as("--curves", path, self.force || self.resume)?;
        }
        let (pool, known, options) = (self.threads.pool()?, self.known()?, self.options());
        match &self.out {
            Some(out) if self.calibrate => pool.install(|| self.calibrate(out, &known, &options)),
            Some(out) => pool.install(|| self.fit(out, &known, &options)),
            None => {
                print_line(&check(&self.inputs, &known, &options)?.to_string());
                Ok(())
            }
        }
    }

    fn calibrate(&self, out: &Path, known: &Weights, options: &FitOptions) -> Result<()> {
        may_write(out, self.force)?;
        let (tables, calibration) = calibrate(&self.inputs, known, options)?;
        tables.save(out).with_context(|| out.display().to_string())?;
        print_line(&format!("before {}", losses_text(calibration.before)));
        print_line(&format!("after {}", losses_text(calibration.after)));
        print_line(&calibration.to_string());
        Ok(())
    }

    fn fit(&self, out: &Path, known: &Weights, options: &FitOptions) -> Result<()> {
        let check = || {
            let shown = out.display();
            Weights::load(out).with_context(|| format!("--out: {shown}"))?;
            let Some(made) = made(out)? else { return Ok(()) };
            ensure_same(&differences(&made, &identity(&self.inputs, known, options)?))
                .with_context(|| format!("--out: {shown} is finished; --force makes it anew"))
        };
        if is_finished(out, self.resume, self.force, check)? {
            return Ok(());
        }
        let partial = partial_path(out);
        let of_stages = |stages: u64| stages * u64::from(self.options.epochs + 1);
        let known_stages = if self.only == Some(Only::Ownership) { 0 } else { 2 };
        let bar = progress(of_stages(known_stages), "{wide_bar} {pos}/{len} {elapsed} {msg}");
        bar.set_message("reading");
        let control = interruptible(go_on(true))?;
        let mut report = |losses: &Losses| {
            if losses.what == "ownership" && losses.epoch == 0 {
                bar.inc_length(of_stages(1));
            }
            bar.inc(1);
            bar.set_message(losses.what.clone());
            bar.suspend(|| {
                let (what, epoch) = (&losses.what, losses.epoch);
                print_line(&format!("{what} epoch {epoch} {}", losses_text([losses.training, losses.validation])));
            });
        };
        let fitted = fit(&self.inputs, known, options, (&partial, self.resume), &mut report, &control);
        bar.finish_and_clear();
        ensure!(!control.stopped(), go_on(true));
        let result = fitted?;
        finish(out, self.force, &result.to_bytes()?)?;
        if let Some(path) = &self.curves {
            save_curves(&result.losses, path).with_context(|| path.display().to_string())?;
        }
        print_line(result.tables.notes.lines().last().unwrap_or_default());
        Ok(())
    }
}
