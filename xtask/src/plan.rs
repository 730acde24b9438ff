//! The steps of a long chore: which are to come, which one runs, and how each of them ended.

use crate::aside::Begun;
use crate::target_folder;
use anyhow::{Result, anyhow, ensure};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How a step ended.
enum End {
    Passed,
    Failed(String),
    /// With the reason.
    LeftOut(String),
    /// With the reason. It is left out in CI as well.
    Impossible(String),
}

struct Step {
    name: &'static str,
    end: End,
    took: Duration,
}

/// The steps of a chore, in the order in which they end.
pub struct Plan {
    names: Vec<&'static str>,
    done: Vec<Step>,
    began: Instant,
}

/// The file to which tests append why they were left out: `leave_out` in `tests/common/mod.rs`.
pub fn left_out() -> Result<PathBuf> {
    let folder = target_folder()?.join("tmp");
    fs::create_dir_all(&folder)?;
    Ok(folder.join("left-out.txt"))
}

/// The file to which steps append how long each of their tests took.
fn slow() -> Result<PathBuf> {
    Ok(left_out()?.with_file_name("slow.txt"))
}

/// Notes for the summary how many seconds tests took; most are too quick to be told.
pub fn note_slow(tests: impl IntoIterator<Item = (f64, String)>) -> Result<()> {
    let mut file = fs::OpenOptions::new().append(true).create(true).open(slow()?)?;
    let mut slow = tests.into_iter().filter(|(seconds, _)| *seconds >= 1.0);
    Ok(slow.try_for_each(|(seconds, test)| writeln!(file, "{seconds} {test}"))?)
}

/// The ten slowest of all tests.
fn slowest(notes: &str) -> Vec<(f64, &str)> {
    let lines = notes.lines().filter_map(|line| line.split_once(' '));
    let mut tests: Vec<(f64, _)> = lines.filter_map(|(seconds, test)| Some((seconds.parse().ok()?, test))).collect();
    tests.sort_by(|one, other| other.0.total_cmp(&one.0));
    tests.truncate(10);
    tests
}

/// Notes for the summary that a test is left out; `note` is the test, a colon, and the reason.
pub fn note_left_out(note: &str) -> Result<()> {
    println!("left out: {note}");
    let mut file = fs::OpenOptions::new().append(true).create(true).open(left_out()?)?;
    Ok(writeln!(file, "{note}")?)
}

impl Plan {
    /// Shows the steps that are to come.
    pub fn new(names: Vec<&'static str>) -> Result<Self> {
        fs::write(left_out()?, "")?;
        fs::write(slow()?, "")?;
        println!("{} steps:", names.len());
        names.iter().enumerate().for_each(|(index, name)| println!("  {}. {name}", index + 1));
        println!("On two quiet cores they take some 25 minutes, and target/ grows to some 6 GB.");
        Ok(Self { names, done: Vec::new(), began: Instant::now() })
    }

    /// Says which step begins.
    fn begin(&self, name: &str) {
        let number = self.names.iter().position(|known| *known == name).map_or(0, |index| index + 1);
        println!("\n=== step {number} of {}: {name}", self.names.len());
    }

    fn note(&mut self, name: &'static str, took: Duration, result: Result<()>) -> bool {
        let passed = result.is_ok();
        let end = result.map_or_else(|error| End::Failed(format!("{error:#}")), |()| End::Passed);
        if let End::Failed(error) = &end {
            println!("=== failed: {name}: {error}");
        }
        self.done.push(Step { name, end, took });
        passed
    }

    /// Does a step. A failure is noted, and does not end the chore. Whether it passed.
    pub fn run(&mut self, name: &'static str, step: impl FnOnce() -> Result<()>) -> bool {
        self.begin(name);
        let began = Instant::now();
        let result = step();
        self.note(name, began.elapsed(), result)
    }

    /// Does a step that not every machine can do, CI included. It says whether it could.
    pub fn run_if_possible(&mut self, name: &'static str, reason: &str, step: impl FnOnce() -> Result<bool>) {
        self.begin(name);
        let began = Instant::now();
        match step() {
            Ok(false) => {
                let end = End::Impossible(reason.to_owned());
                self.done.push(Step { name, end, took: Duration::ZERO });
            }
            other => _ = self.note(name, began.elapsed(), other.map(drop)),
        }
    }

    /// Waits for a step that runs beside the others, and shows its output.
    pub fn finish(&mut self, name: &'static str, begun: Result<Begun>) -> bool {
        self.begin(name);
        match begun.and_then(Begun::finish) {
            Ok((took, result)) => self.note(name, took, result),
            Err(error) => self.note(name, Duration::ZERO, Err(error)),
        }
    }

    /// Notes that a step is left out, and why.
    pub fn leave_out(&mut self, name: &'static str, reason: impl Into<String>) {
        let reason = reason.into();
        self.begin(name);
        println!("left out: {reason}");
        self.done.push(Step { name, end: End::LeftOut(reason), took: Duration::ZERO });
    }

    /// Shows how each step ended and what was left out. An error if one has failed, or, with `complete`, if anything was
    /// left out.
    pub fn summarise(self, complete: bool) -> Result<()> {
        let [notes, slow] = [fs::read_to_string(left_out()?)?, fs::read_to_string(slow()?)?];
        let (text, result) = summary(&self.done, &notes, &slow, self.began.elapsed(), complete);
        print!("{text}");
        result.map_err(|error| anyhow!(error))
    }
}

/// `12:05`
fn clock(time: Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

/// The summary of a chore, and what is wrong with it; `notes` are the lines of tests that were left out, `slow` those of
/// tests that took long.
fn summary(done: &[Step], notes: &str, slow: &str, took: Duration, complete: bool) -> (String, Result<(), String>) {
    let mut text = format!("\n=== summary after {} minutes; steps that ran side by side overlap\n", clock(took));
    let mut counts = [0; 4];
    for Step { name, end, took } in done {
        let (index, word, reason) = match end {
            End::Passed => (0, "passed", None),
            End::Failed(error) => (1, "FAILED", Some(error)),
            End::LeftOut(reason) => (2, "left out", Some(reason)),
            End::Impossible(reason) => (3, "left out", Some(reason)),
        };
        counts[index] += 1;
        let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
        let _ = writeln!(text, "{:>6}  {word:<8}  {name}{reason}", clock(*took));
    }
    for (seconds, test) in slowest(slow) {
        let _ = writeln!(text, "{seconds:>6.1}  s         {test}");
    }
    let tests: Vec<_> = notes.lines().collect();
    for test in &tests {
        let _ = writeln!(text, "        left out  {test}");
    }
    let [passed, failed, missing, impossible] = counts;
    let _ = writeln!(text, "{passed} passed, {failed} failed, {} skipped", missing + impossible + tests.len());
    let check = || {
        ensure!(failed == 0, "{failed} of {} steps failed", done.len());
        ensure!(!complete || missing + tests.len() == 0, "in CI nothing may be left out");
        Ok(())
    };
    (text, check().map_err(|error| error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(name: &'static str, end: End, seconds: u64) -> Step {
        Step { name, end, took: Duration::from_secs(seconds) }
    }

    #[test]
    fn the_summary_names_times_failures_and_what_was_left_out() {
        let mut done = vec![step("engine", End::Passed, 125), step("page", End::LeftOut("no npm".to_owned()), 0)];
        let (text, result) =
            summary(&done, "program::a: no python3\n", "2.5 a\n31.25 b::c\n", Duration::from_secs(130), false);
        assert!(text.contains("  2:05  passed    engine\n") && text.contains("left out  page: no npm\n"), "{text}");
        assert!(text.contains("left out  program::a: no python3\n"), "{text}");
        assert!(text.contains("  31.2  s         b::c\n   2.5  s         a\n"), "{text}");
        assert!(text.ends_with("1 passed, 0 failed, 2 skipped\n") && result.is_ok(), "{text}");
        assert_eq!(summary(&done, "", "", Duration::ZERO, true).1, Err("in CI nothing may be left out".to_owned()));
        done[1].end = End::Impossible("no Miri".to_owned());
        let (text, result) = summary(&done, "", "", Duration::ZERO, true);
        assert!(text.ends_with("1 passed, 0 failed, 1 skipped\n") && result.is_ok(), "{text}");
        done.push(step("book", End::Failed("a dead link".to_owned()), 1));
        let (text, result) = summary(&done, "", "", Duration::ZERO, false);
        assert!(text.contains("FAILED    book: a dead link\n"), "{text}");
        assert_eq!(result, Err("1 of 3 steps failed".to_owned()));
    }
}
