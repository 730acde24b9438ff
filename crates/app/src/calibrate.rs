use super::model::Files;
use super::partial::{Log, finish, say_finished};
use super::signals::{go_on, interruptible};
use super::{Threads, print_line, progress};
use anyhow::{Context, Result, ensure};
use clap::Args;
use hippolyta::engine::Model;
use hippolyta::eval::Weights;
use hippolyta::files::{make_folder, write_whole};
use hippolyta::search::Control;
use hippolyta_lab::calibration::{Check, Game, Plan, SUBJECTS, Subject, check, check_by, fit, play};
use hippolyta_lab::differences::{checksum, described};
use serde::Serialize;
use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;

/// Fit the percentages that are shown to games of the engine
#[derive(Debug, Args)]
#[command(after_help = "\
The engine plays games with itself, for each rule set and for the sizes of the Amazons. Their positions are looked at by
searches of 1,000, of --nodes and, some, of --many nodes. Then win, draw and loss as they are shown are fitted to the
results. Nothing that is searched is changed. The games are kept in a folder; a run that was interrupted goes on when
the command is given again.

With --eval-file the weights of that file play. For each rule set it prints how often what is shown comes true, before and
after, in games that the fit did not see.

Examples:
  hippolyta calibrate games --out calibrated.bin
  hippolyta calibrate games --only iago --games 40 --out calibrated.bin
  hippolyta calibrate others --only iago --games 40 --seed 2 --check")]
pub(super) struct Calibrate {
    /// Folder of the games
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Only these rule sets and sizes, such as iago or amazons@6x6, separated by commas [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
    /// Games of each [default: 110 to 1000, by how long they take: an hour on two cores for all]
    #[arg(long, value_parser = clap::value_parser!(u64).range(10..=1_000_000))]
    games: Option<u64>,
    #[command(flatten)]
    plan: Plan,
    #[command(flatten)]
    files: Files,
    /// The weights file: those that play, with the calibration
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Fit nothing: say how often what the weights show comes true, in games of another seed than they were fitted to
    #[arg(long, conflicts_with = "out")]
    check: bool,
    /// Folder for reliability diagrams, an SVG file for each rule set and size
    #[arg(long, value_name = "FOLDER")]
    diagrams: Option<PathBuf>,
    /// Resume an interrupted run, as is done without this, too; a finished file is checked
    #[arg(long)]
    resume: bool,
    /// Write over an existing file
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    threads: Threads,
}

/// Settings that the games of a subject depend on.
#[derive(Serialize)]
struct Begun {
    subject: String,
    #[serde(flatten)]
    plan: Plan,
    /// Checksum of the weights.
    weights: u32,
}

impl Calibrate {
    pub(super) fn run(&self) -> Result<()> {
        if let Some(out) = self.out.as_ref().filter(|out| !self.resume || !out.is_file()) {
            super::may_write(out, self.force)?;
        }
        let subjects = self.subjects()?;
        make_folder(&self.folder).with_context(|| self.folder.display().to_string())?;
        let control = interruptible(go_on(false))?;
        let pool = self.threads.pool()?;
        let mut weights = match &subjects[..] {
            [(_, subject)] => Weights::clone(&*self.files.weights_for(&subject.board()?)?),
            _ => Weights::clone(&*self.files.weights()?),
        };
        let player = (Model::Learned(weights.clone().into()), checksum(&weights));
        for (name, subject) in subjects {
            let games = pool.install(|| self.games(&name, subject, &player, &control))?;
            let (calibration, check) = if self.check {
                let known = weights.calibrations.get(&name);
                let known = known.cloned().with_context(|| format!("{name}: the weights have no calibration"))?;
                let check = check_by(&games, &known);
                (known, check)
            } else {
                pool.install(|| (fit(&games).into(), check(&games)))
            };
            print_line(&format!("## {name}\n\n{check}\n"));
            self.draw(&name, &check)?;
            weights.calibrations.insert(name, calibration);
        }
        match &self.out {
            Some(out) => {
                let result = weights.tables().to_bytes();
                if self.resume && fs::read(out).is_ok_and(|there| there == result) {
                    say_finished(out);
                    return Ok(());
                }
                finish(out, self.force, &result)
            }
            None => Ok(()),
        }
    }

    fn draw(&self, name: &str, check: &Check) -> Result<()> {
        let Some(folder) = &self.diagrams else { return Ok(()) };
        make_folder(folder).with_context(|| folder.display().to_string())?;
        // A name of a file in links: without '@'.
        let path = folder.join(format!("{}.svg", name.replace('@', "-")));
        let diagram = check.diagram(name, self.plan.nodes).unwrap_or_default();
        write_whole(&path, diagram.as_bytes()).with_context(|| path.display().to_string())
    }

    fn subjects(&self) -> Result<Vec<(String, &'static Subject)>> {
        let mut named = Vec::new();
        for subject in SUBJECTS {
            named.push((subject.name()?, subject));
        }
        for wanted in &self.only {
            let names = || named.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
            ensure!(named.iter().any(|(name, _)| name == wanted), "--only: '{wanted}' is none of {}", names());
        }
        named.retain(|(name, _)| self.only.is_empty() || self.only.contains(name));
        Ok(named)
    }

    /// The games of a subject by this model, whose weights have this checksum. Those that are missing are played.
    fn games(
        &self,
        name: &str,
        subject: &Subject,
        (model, weights): &(Model, u32),
        control: &Control,
    ) -> Result<Vec<Game>> {
        let begun = Begun { subject: name.to_owned(), plan: self.plan, weights: *weights };
        let wanted = self.games.unwrap_or(subject.games);
        let path = self.folder.join(format!("{name}.jsonl"));
        let (log, mut games) = Log::open::<Game>(&path, &described(&begun), false)?;
        let there: HashSet<u64> = games.iter().map(|game| game.number).collect();
        let numbers: Vec<u64> = (0..wanted).filter(|number| !there.contains(number)).collect();
        let bar = progress(wanted, &format!("{name} {{wide_bar}} {{pos}}/{{len}} games {{elapsed}} (eta {{eta}})"));
        bar.inc(there.len() as u64);
        games.extend(play(&subject.board()?, model, &self.plan, &numbers, control, &|game| {
            log.keep(game, control);
            bar.inc(1);
        })?);
        bar.finish_and_clear();
        log.is_there()?;
        ensure!(!control.stopped(), go_on(false));
        games.retain(|game| game.number < wanted);
        games.sort_by_key(|game| game.number);
        Ok(games)
    }
}
