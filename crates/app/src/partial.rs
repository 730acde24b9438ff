//! Runs that keep what they find: their options, and the file of one that is not finished, with '.partial' behind the
//! name of the result. It is a line that says what the run depends on, and one for each thing found. Whatever ends the
//! run, `--resume` goes on with it. Of a run that is finished it says so, in all commands alike, and that is no error:
//! a script may repeat the command until it succeeds.

use super::signals::{go_on, interruptible};
use super::{Threads, may_write};
use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use clap::Args;
use hippolyta::engine::Control;
use hippolyta::files::{Appended, beside, read_file, write_whole};
use hippolyta::json::read;
use hippolyta_lab::differences::{described, differences};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fs::{self, TryLockError};
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// The largest file that is read.
const LARGEST: u64 = 1 << 30;

/// Says that nothing was left to do.
pub(super) fn say_finished(out: &Path) {
    crate::complain(&format!("{} is finished: nothing was left to do", out.display()));
}

/// The path of the file of an unfinished run.
pub(super) fn partial_path(out: &Path) -> PathBuf {
    beside(out, ".partial")
}

/// Whether the run that writes to `out` is finished already, which is said then. `check` refuses a file that is not what
/// the run would write. Else an error if there is something that may neither be gone on with nor written over.
pub(super) fn is_finished(out: &Path, resume: bool, force: bool, check: impl FnOnce() -> Result<()>) -> Result<bool> {
    if resume && !force && out.is_file() {
        if !partial_path(out).exists() {
            check()?;
            say_finished(out);
            return Ok(true);
        }
        // Perhaps the run was killed when it had written its result, perhaps it was begun by --force.
        crate::complain(&format!("{} is there already: without --force it stays as it is", out.display()));
    } else {
        may_write(out, force)?;
    }
    may_begin(out, resume, force)?;
    Ok(false)
}

/// Refuses an unfinished run that is neither to be gone on with nor written over.
pub(super) fn may_begin(out: &Path, resume: bool, force: bool) -> Result<()> {
    let partial = partial_path(out);
    let shown = partial.display();
    ensure!(
        resume || force || !partial.exists(),
        "{shown} is an unfinished run: --resume goes on with it; --force begins anew"
    );
    Ok(())
}

/// Writes a result, and removes the file of the unfinished run. Another result that is there already is left without
/// `--force`.
pub(super) fn finish(out: &Path, force: bool, result: &[u8]) -> Result<()> {
    may_write(out, force || fs::read(out).is_ok_and(|there| there == result))?;
    let kept = if partial_path(out).exists() { "; what was found is kept: go on by --resume" } else { "" };
    write_whole(out, result).map_err(|error| anyhow!("{}: {error}{kept}", out.display()))?;
    let _ = fs::remove_file(partial_path(out));
    Ok(())
}

/// Options of a run that keeps what it finds.
#[derive(Debug, Args)]
pub(super) struct Kept {
    #[command(flatten)]
    pub threads: Threads,
    /// The file to write; it is written whole or not at all
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Resume an interrupted run
    #[arg(long)]
    resume: bool,
    /// Write over an existing file, and without --resume over an interrupted run
    #[arg(long)]
    force: bool,
}

/// How many things a file holds, and by which options it was made, if it says that.
type Holds = (usize, Option<Value>);

impl Kept {
    /// A second file of the result, beside that of `--out` and with another ending; an error if it may not be written.
    pub fn beside(&self, ending: &str) -> Result<PathBuf> {
        let path = self.out.with_extension(ending);
        ensure!(path != self.out, "--out: the name ends in .{ending}, as that of the file beside it does");
        may_write(&path, self.force || self.resume)?;
        Ok(path)
    }

    /// The folder of what belongs to the result: beside that of `--out`, and named as it is without an ending. An error if
    /// there is none, or somebody else's.
    pub fn folder(&self) -> Result<PathBuf> {
        let path = self.out.with_extension("");
        ensure!(path != self.out, "--out: a name with an ending is expected, such as {}.json", self.out.display());
        let may_be_there = self.force || self.resume || !path.exists();
        ensure!(may_be_there, "--out: {} exists already; --force writes over what it has of this name", path.display());
        Ok(path)
    }

    /// Whether the run goes on with what is there.
    pub fn goes_on(&self) -> bool {
        self.resume
    }

    /// Begins a run that is to find this number of things, or with `--resume` goes on with it. Gives the things that
    /// were found before. `begun` is an object of all that the run depends on, named like the options; an earlier run
    /// must have had the same. A last line that was cut off is dropped. `None` if the run is finished, which was said
    /// then; `holds` tells what a finished file holds. From now on signals stop the run's control.
    pub fn open<F: DeserializeOwned>(
        &self,
        (asked, what): (usize, &str),
        holds: impl FnOnce(&str) -> Result<Holds>,
        begun: &impl Serialize,
    ) -> Result<Option<(Partial<'_>, Vec<F>)>> {
        let begun = &described(begun);
        let check = || {
            let text = read_file(&self.out, LARGEST).map_err(anyhow::Error::new);
            let found = text.and_then(|text| holds(&String::from_utf8(text)?));
            let shown = self.out.display();
            let (found, made) =
                found.with_context(|| format!("--out: {shown} is no finished run; --force writes over it"))?;
            if let Some(made) = made {
                ensure_same(&differences(&made, begun))
                    .with_context(|| format!("--out: {shown} is finished; --force makes it anew"))?;
            }
            ensure!(
                found == asked,
                "--out: {shown} is finished with {found} {what}, not {asked}; --force makes it anew"
            );
            Ok(())
        };
        if is_finished(&self.out, self.resume, self.force, check)? {
            return Ok(None);
        }
        let control = interruptible(go_on(true))?;
        let (log, known) = Log::open(&partial_path(&self.out), begun, !self.resume)?;
        Ok(Some((Partial { kept: self, log, control }, known)))
    }
}

/// A file of lines: the first says what a run depends on, each other one is a thing that it has found. It is locked, so
/// that two runs never write it at once.
pub(super) struct Log {
    file: Mutex<Appended>,
    path: PathBuf,
    /// Whether it was said that not all is kept.
    told: AtomicBool,
}

impl Log {
    /// Goes on with the file of the run `begun`, or begins it; `anew` forgets what it holds. Gives what was found before.
    /// A last line that was cut off is dropped.
    pub fn open<F: DeserializeOwned>(path: &Path, begun: &Value, anew: bool) -> Result<(Self, Vec<F>)> {
        let shown = || path.display().to_string();
        let mut file = Appended::open(path).with_context(shown)?;
        // Some file systems have no locks; then there is none.
        let busy = matches!(file.file().try_lock(), Err(TryLockError::WouldBlock));
        ensure!(!busy, "{}: another run is writing it", shown());
        if anew {
            file.cut(0).with_context(shown)?;
        }
        let known = known(&mut file, begun).with_context(shown).inspect_err(|_| {
            // Nothing could be written: what is empty is no run to go on with.
            if file.file().metadata().is_ok_and(|known| known.len() == 0) {
                let _ = fs::remove_file(path);
            }
        })?;
        Ok((Self { file: Mutex::new(file), path: path.to_owned(), told: AtomicBool::new(false) }, known))
    }

    /// Keeps what was found. What cannot be kept is found again after an interruption, which is said once. Without the
    /// file nothing can be: `control` is stopped.
    pub fn keep(&self, found: &impl Serialize, control: &Control) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let Err(error) = file.append_unsynced(line(found).as_bytes()) else { return };
        if self.is_there().is_err() {
            control.stop();
        } else if !self.told.swap(true, Relaxed) {
            let path = self.path.display();
            crate::complain(&format!("{path}: {error}; what cannot be kept is found again after an interruption"));
        }
    }

    /// An error if somebody has removed the file.
    pub fn is_there(&self) -> Result<()> {
        ensure!(self.path.exists(), "{}: the file was removed while the run wrote it", self.path.display());
        Ok(())
    }
}

/// The file of an unfinished run.
pub(super) struct Partial<'a> {
    kept: &'a Kept,
    log: Log,
    /// Stopped by Ctrl-C and SIGTERM.
    pub control: Arc<Control>,
}

impl Partial<'_> {
    /// Keeps what was found. What cannot be kept is found again after an interruption.
    pub fn keep(&self, found: &impl Serialize) {
        self.log.keep(found, &self.control);
    }

    /// The result of a run, if it was not interrupted, and its file not removed.
    pub fn whole<T>(&self, found: Option<T>) -> Result<T> {
        self.log.is_there()?;
        match found {
            Some(found) if !self.control.stopped() => Ok(found),
            _ => bail!(go_on(true)),
        }
    }

    /// A part of the result of a run, whose error is that it was interrupted if it was.
    pub fn unless_stopped<T>(&self, found: Result<T>) -> Result<T> {
        if self.control.stopped() { self.whole(None) } else { found }
    }

    /// Writes the result, and removes the file.
    pub fn finish(self, result: &str) -> Result<()> {
        finish(&self.kept.out, self.kept.force, result.as_bytes())
    }
}

/// An error that names the options in which two runs differ.
pub(super) fn ensure_same(differences: &[String]) -> Result<()> {
    ensure!(differences.is_empty(), "the run was begun with other options: {}", differences.join("; "));
    Ok(())
}

/// Results that the file of the run `begun` holds; the run is begun if the file has no whole line.
fn known<F: DeserializeOwned>(file: &mut Appended, begun: &Value) -> Result<Vec<F>> {
    let mut bytes = Vec::new();
    file.file().rewind()?;
    file.file().take(LARGEST).read_to_end(&mut bytes)?;
    let first = line(begun);
    if bytes.len() < first.len() && first.as_bytes().starts_with(&bytes) {
        file.cut(0)?;
        file.append(first.as_bytes())?;
        return Ok(Vec::new());
    }
    let text = String::from_utf8_lossy(&bytes);
    let whole = whole_lines(&text);
    let other: Map<String, Value> =
        read(whole.lines().next().unwrap_or("").as_bytes()).map_err(Error::msg).context("not an unfinished run")?;
    ensure_same(&differences(&other.into(), begun))?;
    let known = found(whole)?;
    file.cut(whole.len() as u64)?;
    Ok(known)
}

/// The beginning of a line that says in a finished text how it was made.
const MADE: &str = "# made by ";

/// A line of remark that says by which options a text was made.
pub(super) fn remark(begun: &impl Serialize) -> String {
    format!("{MADE}{}", line(begun))
}

/// The options in the remark of a text.
pub(super) fn remarked(text: &str) -> Option<Value> {
    serde_json::from_str(text.lines().find_map(|line| line.strip_prefix(MADE))?).ok()
}

/// The text up to its last line that is whole.
pub(super) fn whole_lines(text: &str) -> &str {
    text.rfind('\n').map_or("", |end| &text[..=end])
}

/// Results that a run has found, from the lines of its file.
pub(super) fn found<F: DeserializeOwned>(whole: &str) -> Result<Vec<F>> {
    let found = |(index, text): (usize, &str)| {
        read(text.as_bytes()).map_err(Error::msg).with_context(|| format!("line {}", index + 1))
    };
    whole.lines().enumerate().skip(1).map(found).collect()
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}
