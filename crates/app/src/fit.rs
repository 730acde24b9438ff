use super::partial::{ensure_same, finish, is_finished, partial_path};
use super::signals::{RESUME, interruptible};
use super::{Threads, may_write, print_line, progress, share};
use anyhow::{Context, Result, ensure};
use clap::Args;
use hippolyta::eval::Weights;
use hippolyta::eval::weights::made;
use hippolyta_lab::training::{
    FitOptions, Losses, Only, calibrate, check, differences, fit_while, identity, save_curves,
};
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
pub(super) struct Fit {
    /// Data files, of one rule set or of several that are learned together
    #[arg(required = true, value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// The weights file
    #[arg(long, value_name = "FILE", required_unless_present = "check")]
    out: Option<PathBuf>,
    /// Write over an existing file, and without --resume over an interrupted fit
    #[arg(long)]
    force: bool,
    /// Learn nothing: print, by predicted probability, how often wins, draws and losses come true in the validation
    /// games; in the Amazons owned squares and the lead, too
    #[arg(long, conflicts_with_all = ["out", "resume", "curves"])]
    check: bool,
    /// Learn only the scale of the logit and the width of draws, so that probabilities come true in these games
    #[arg(long, conflicts_with_all = ["check", "resume", "curves"])]
    calibrate: bool,
    /// Resume an interrupted fit
    #[arg(long)]
    resume: bool,
    /// Draw the losses into this SVG file
    #[arg(long, value_name = "FILE")]
    curves: Option<PathBuf>,
    /// Weights to start from: a file, or 'built-in', or 'bootstrap' (those before any learning)
    #[arg(long, default_value = "built-in")]
    start: PathBuf,
    /// Weight of the search's score in the target, 0 to 1; the rest is the game's result
    #[arg(long, default_value_t = 0.0, value_parser = share)]
    search_share: f32,
    /// Learn from one of N positions of the search's trees as well; 0 learns from none
    #[arg(long, value_name = "N", default_value_t = 0)]
    inner_every: u32,
    /// Weight of the search's score in the target of these positions
    #[arg(long, default_value_t = 1.0, value_parser = share)]
    inner_share: f32,
    /// Number of epochs
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    epochs: u32,
    /// Initial learning rate; 0 learns nothing [default: 0.01; from learned weights, 0.001 for the evaluation and
    /// 0.003 for the policy]
    #[arg(long, value_parser = share)]
    rate: Option<f32>,
    /// One of N games is held out for validation
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(2..))]
    validation: u64,
    /// The policy learns from one of N turns
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..))]
    policy_every: u64,
    /// Learn one part of the weights alone: 'shapes', which Damone does not have, or 'ownership', which only the
    /// Amazons have. All others stay as they are
    #[arg(long, value_name = "PART", conflicts_with_all = ["check", "calibrate"], value_parser = part)]
    only: Option<Only>,
    /// Seed of the order of the samples
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
}

fn part(text: &str) -> Result<Only, String> {
    Only::named(text).ok_or_else(|| "'shapes' or 'ownership' is expected".to_owned())
}

fn losses_text([training, validation]: [f64; 2]) -> String {
    format!("training {training:.5} validation {validation:.5}")
}

impl Fit {
    pub(super) fn run(&self) -> Result<()> {
        let pool = self.threads.pool()?;
        let known = match &self.start {
            path if path.as_os_str() == "built-in" => Weights::embedded(),
            path if path.as_os_str() == "bootstrap" => Arc::new(Weights::bootstrap()),
            path => Weights::load(path).with_context(|| format!("--start: {}", path.display()))?,
        };
        let options = FitOptions {
            search_share: self.search_share,
            inner_every: self.inner_every,
            inner_share: self.inner_share,
            validation: self.validation,
            policy_every: self.policy_every,
            only: self.only,
            epochs: self.epochs,
            rate: self.rate,
            seed: self.seed,
        };
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
        let of_stages = |stages: u64| stages * u64::from(self.epochs + 1);
        let known_stages = if self.only == Some(Only::Ownership) { 0 } else { 2 };
        let bar = progress(of_stages(known_stages), "{wide_bar} {pos}/{len} {elapsed} {msg}");
        bar.set_message("reading");
        let control = interruptible(RESUME)?;
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
        let fitted = fit_while(&self.inputs, known, options, (&partial, self.resume), &mut report, &control);
        bar.finish_and_clear();
        ensure!(!control.stopped(), RESUME);
        let result = fitted?;
        finish(out, self.force, &result.to_bytes()?)?;
        if let Some(path) = &self.curves {
            save_curves(&result.losses, path).with_context(|| path.display().to_string())?;
        }
        print_line(result.tables.notes.lines().last().unwrap_or_default());
        Ok(())
    }
}
