use super::exchange::{self, Count, Others, Owner, Task};
use super::partial::say_finished;
use super::{RuleSetArgs, may_write_as, output, print_line, progress, signals};
use anyhow::{Context, Result, ensure};
use clap::Args;
use hippolyta::files::write_whole;
use hippolyta_lab::proving::{Elsewhere, Ended, Found, Options, Order, ProvingError, Run, Solution, Status};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Prove who wins a small board of the Amazons; for days if need be
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  hippolyta solve --fen '1q1q1/q3q/5/Q3Q/1Q1Q1 w'
  hippolyta solve --fen '1qq1/q2q/4/4/4/4/Q2Q/1QQ1 w' --out 4x8 --hash 6000
  hippolyta solve --out 4x8 --hash 6000
  hippolyta solve --out 4x8 --status

With --out the run is kept in a folder, which belongs to one process at a time. It may be stopped or killed, and loses
seconds; without --fen it goes on. Ctrl-C and SIGTERM end it with exit code 130 or 143; a second one ends it at once.")]
pub(super) struct Solve {
    #[command(flatten)]
    rule_set: RuleSetArgs,
    /// Position; not needed to go on with a folder [default: the start position of --variant or --rules]
    #[arg(long, required_unless_present_any = ["variant", "rules", "out", "task"])]
    fen: Option<String>,
    /// The folder of the run
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Resume an interrupted run, as is done without this, too
    #[arg(long = "resume", requires = "out")]
    _resume: bool,
    /// Print how far the run in the folder has come, and end
    #[arg(long, requires = "out", conflicts_with = "fen")]
    status: bool,
    /// Write a proof file for boards of up to 32 squares, once the result is known: see docs/solved.md
    #[arg(long, value_name = "FILE", conflicts_with = "status")]
    proof: Option<PathBuf>,
    /// Write over an existing proof file
    #[arg(long, requires = "proof")]
    force: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    options: Options,
    /// Let others search: each sub-problem is a task, a line of JSON on standard output, and what was found out comes
    /// back on standard input. python -m hippolyta.cluster solve does it so
    #[arg(long, requires = "out", conflicts_with = "status")]
    hand_out: bool,
    /// Search the sub-problem of such a task, whose order is on standard input, and print what was found out
    #[arg(long, exclusive = true)]
    task: bool,
}

impl Solve {
    pub(super) fn run(&self) -> Result<()> {
        if self.task {
            return exchange::task(|order: Order, stop| {
                order.search(stop).map_err(|error| {
                    let may_pass = error.may_pass();
                    (error, may_pass)
                })
            });
        }
        if let (true, Some(folder)) = (self.status, &self.out) {
            let status = Run::status_of(folder)?;
            warn(status.left_out.as_deref());
            if self.json {
                print_line(&serde_json::to_string(&status)?);
            } else {
                print_status(&status);
            }
            return Ok(());
        }
        let (variant, fen) = match (&self.fen, &self.out) {
            (None, Some(folder)) if !self.rule_set.is_given() => Run::about(folder)?,
            (fen, _) => {
                let variant = self.rule_set.variant()?;
                let fen = fen.clone().unwrap_or_else(|| variant.start().to_owned());
                (variant, fen)
            }
        };
        if let Some(proof) = &self.proof {
            // Not after days.
            may_write_as("--proof", proof, self.force)?;
        }
        let run = Arc::new(Run::new(&variant, &fen, self.out.as_deref(), self.options)?);
        if self.proof.is_some() {
            run.check_board()?;
        }
        warn(run.left_out());
        if let (Some(_), Some(folder)) = (run.result(), &self.out) {
            match self.proof {
                Some(_) => crate::complain(&format!("{} is solved already", folder.display())),
                None => say_finished(folder),
            }
        }
        let stop: Arc<AtomicBool> = Arc::default();
        let (stop_handle, stopped) = (run.clone(), stop.clone());
        signals::on_interrupt(move |_| {
            stopped.store(true, Ordering::Relaxed);
            stop_handle.stop();
        })?;
        let solved = self.solve(&run, &stop)?;
        // All results so far have been written.
        let said = self.out.as_ref().map_or(signals::INTERRUPTED.to_owned(), |_| signals::go_on(false));
        ensure!(solved || signals::caught().is_none(), said);
        ensure!(solved, "standard input has ended, and who wins is not known; the same command goes on");
        Ok(())
    }

    /// Finds out who wins and says so; `false` if it was interrupted before all was done.
    fn solve(&self, run: &Run, stop: &AtomicBool) -> Result<bool> {
        let ended = if self.hand_out { spread(run, stop) } else { alone(run) };
        let Ended::Solved(solution) = ended? else { return Ok(false) };
        if let Some(path) = &self.proof
            && !write_proof(run, path)?
        {
            return Ok(false);
        }
        let print = if self.hand_out { exchange::say } else { print_line };
        self.result(&solution).iter().for_each(|line| print(line));
        Ok(true)
    }

    fn result(&self, Solution { wins, turn, positions, seconds }: &Solution) -> Vec<String> {
        let seconds = (seconds * 10.0).round() / 10.0;
        if self.json {
            return vec![json!({"wins": wins, "turn": turn, "positions": positions, "seconds": seconds}).to_string()];
        }
        let side = if *wins { "wins" } else { "loses" };
        let by = turn.as_ref().map(|turn| format!(" by {turn}")).unwrap_or_default();
        vec![format!("the side to move {side}{by}"), format!("{positions} positions, {seconds} s")]
    }
}

/// Searches with threads of this process.
fn alone(run: &Run) -> Result<Ended> {
    let bar = progress(0, "{elapsed} {wide_msg}");
    bar.enable_steady_tick(Duration::from_secs(1));
    let ended = run.work_and(&mut |status| bar.set_message(status.line()));
    bar.finish_and_clear();
    Ok(ended?)
}

/// Has others search.
fn spread(run: &Run, stop: &AtomicBool) -> Result<Ended> {
    let mut leaves = Leaves { run, leaves: Elsewhere::new(run) };
    let mut hand_out = || Others::listen()?.hand_out(&mut leaves, &|| stop.load(Ordering::Relaxed));
    let spread = if run.result().is_some() { Ok(true) } else { hand_out() };
    // Results are kept, whatever went wrong.
    let ended = leaves.leaves.close();
    spread?;
    Ok(ended?)
}

/// A proof whose leaves others search.
struct Leaves<'a> {
    run: &'a Run,
    leaves: Elsewhere<'a>,
}

impl Owner for Leaves<'_> {
    type Order = Order;
    type Found = Found;

    fn next(&mut self) -> Result<Option<Task<Order>>> {
        let order = self.leaves.order()?;
        Ok(order.map(|order| Task { name: format!("after {}", order.at()), cores: 1, order }))
    }

    fn done(&mut self, order: Order, found: Result<Found, String>, worker: &str) -> Result<Option<String>> {
        let done = match found {
            Ok(found) => self.leaves.add(&order, found, worker),
            Err(what) => Err(self.leaves.refuse(&order, what)),
        };
        match done {
            Err(ProvingError::Refused { what, .. }) => Ok(Some(what)),
            done => Ok(done.map(|()| None)?),
        }
    }

    fn work(&mut self) -> Result<bool> {
        match self.leaves.work() {
            Err(error @ ProvingError::Refused { .. }) => {
                crate::complain(&error.to_string());
                Ok(true)
            }
            worked => Ok(worked?),
        }
    }

    fn is_over(&self) -> bool {
        self.run.result().is_some()
    }

    fn count(&self) -> Count {
        let status = self.leaves.status();
        Count { what: status.line(), units: "positions", done: status.positions, total: 0 }
    }
}

/// Says something on standard error.
fn warn(what: Option<&str>) {
    if let Some(what) = what {
        crate::complain(what);
    }
}

/// Writes a proof file; `false` if it was interrupted.
fn write_proof(run: &Run, path: &Path) -> Result<bool> {
    let bar = progress(0, "{elapsed} {wide_msg}");
    let mut told = Instant::now();
    let proof = run.proof(&|| !run.is_stopped(), &mut |done, layer| {
        if told.elapsed() > Duration::from_millis(200) {
            bar.set_message(proof_line(done, layer));
            told = Instant::now();
        }
    });
    bar.finish_and_clear();
    let Some(proof) = proof? else { return Ok(false) };
    write_whole(path, &proof).with_context(|| path.display().to_string())?;
    Ok(true)
}

/// How far a proof file has come.
fn proof_line(done: usize, layer: usize) -> String {
    format!("proof file: {done} positions, {layer} in this layer")
}

fn print_status(status: &Status) {
    let output = output();
    let mut lines = vec![format!("position: {}", status.fen)];
    match (status.wins, &status.turn) {
        (Some(true), Some(turn)) => lines.push(format!("the side to move wins by {turn}")),
        (Some(true), None) => lines.push("the side to move wins".to_owned()),
        (Some(false), _) => lines.push("the side to move loses".to_owned()),
        (None, _) => lines.push(status.line()),
    }
    lines.push(format!("{} positions in {:.1} minutes of all threads", status.positions, status.seconds / 60.0));
    lines.push(format!("{} positions near the root", status.nodes));
    match &status.owner {
        None => lines.push("nobody works on it now".to_owned()),
        Some(owner) => {
            lines.push(format!("{} works on it, {:.1} M positions a second", owner.name, owner.speed / 1e6));
            match owner.proof {
                Some([done, layer]) => lines.push(format!("  {}", proof_line(done, layer))),
                None => lines.extend(owner.at.iter().map(|at| format!("  {at}"))),
            }
        }
    }
    if status.wins.is_none() {
        lines.push("nearest turns (leaves missing for a win, for a loss; positions):".to_owned());
        for turn in status.turns.iter().filter(|turn| turn.wins.is_none()).take(10) {
            lines.push(format!("  {} {} {} {}", turn.turn, turn.numbers[0], turn.numbers[1], turn.positions));
        }
    }
    lines.iter().for_each(|line| output.line(line));
}
