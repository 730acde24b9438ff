//! Files of unfinished runs, with '.partial' behind the name of the result: a line that says what the run depends on,
//! and one for each thing found. Whatever ends the run, `--resume` goes on with it. Of a run that is finished it says
//! so, in all commands alike, and that is no error: a script may repeat the command until it succeeds.

use super::may_write;
use anyhow::{Context, Result, ensure};
use hippolyta::files::{beside, read_file, write_whole};
use hippolyta_lab::differences::{described, differences};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The largest file that is read.
const LARGEST: u64 = 1 << 30;

/// Says that nothing was left to do.
pub(super) fn say_finished(out: &Path) {
    eprintln!("hippolyta: {} is finished: nothing was left to do", out.display());
}

/// How many things a file holds, and by which options it was made.
type Holds = (usize, Option<Value>);

/// What a run writes, and when it may.
pub(super) struct Target<'a> {
    /// The file of the result.
    pub out: &'a Path,
    /// `--resume`.
    pub resume: bool,
    /// `--force`.
    pub force: bool,
    /// How many things the run is to find, and what they are called.
    pub asked: (usize, &'static str),
    /// How many of them a finished file holds, and by which options it was made, if it says that.
    pub holds: &'a dyn Fn(&str) -> Result<Holds>,
}

/// The file of an unfinished run.
pub(super) struct Partial {
    out: PathBuf,
    force: bool,
    path: PathBuf,
    file: Mutex<File>,
}

impl Partial {
    /// Begins the file of the run that writes to `target`, or with `--resume` goes on with it. Gives what was found
    /// before. `begun` is an object of all that the run depends on, named like the options; an earlier run must have had
    /// the same. A last line that was cut off is dropped. `None` if the run is finished, which was said then.
    pub fn open<F: DeserializeOwned>(target: &Target<'_>, begun: &impl Serialize) -> Result<Option<(Self, Vec<F>)>> {
        let begun = &described(begun);
        let &Target { out, resume, force, .. } = target;
        let path = beside(out, ".partial");
        if resume && !force && out.is_file() {
            if !path.exists() {
                target.check_finished(begun)?;
                say_finished(out);
                return Ok(None);
            }
            // Perhaps the run was killed when it had written its result, perhaps it was begun by --force.
            eprintln!("hippolyta: {} is there already: without --force it stays as it is", out.display());
        } else {
            may_write(out, force)?;
        }
        ensure!(
            resume || !path.exists(),
            "{} is an unfinished run: --resume goes on with it; remove it to begin anew",
            path.display()
        );
        let known = known(&path, begun).with_context(|| path.display().to_string())?;
        let file = Mutex::new(OpenOptions::new().append(true).open(&path).context("--out")?);
        Ok(Some((Self { out: out.to_owned(), force, path, file }, known)))
    }

    /// Keeps what was found. What cannot be kept is found again after an interruption.
    pub fn keep(&self, found: &impl Serialize) {
        let _ = self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line(found).as_bytes());
    }

    /// Writes the result, and removes the file. Another result that is there already is left without `--force`.
    pub fn finish(self, result: &str) -> Result<()> {
        let is_there = fs::read(&self.out).is_ok_and(|there| there == result.as_bytes());
        may_write(&self.out, self.force || is_there)?;
        write_whole(&self.out, result.as_bytes()).with_context(|| self.out.display().to_string())?;
        let _ = fs::remove_file(&self.path);
        Ok(())
    }
}

impl Target<'_> {
    /// An error if the finished file is not what the run would write.
    fn check_finished(&self, begun: &Value) -> Result<()> {
        let (asked, what) = self.asked;
        let text = read_file(self.out, LARGEST).map_err(anyhow::Error::new);
        let holds = text.and_then(|text| (self.holds)(&String::from_utf8(text)?));
        let shown = self.out.display();
        let (holds, made) =
            holds.with_context(|| format!("--out: {shown} is no finished run; --force writes over it"))?;
        if let Some(made) = made {
            ensure_same(&differences(&made, begun))
                .with_context(|| format!("--out: {shown} is finished; --force makes it anew"))?;
        }
        ensure!(holds == asked, "--out: {shown} is finished with {holds} {what}, not {asked}; --force makes it anew");
        Ok(())
    }
}

/// An error that names the options in which two runs differ.
pub(super) fn ensure_same(differences: &[String]) -> Result<()> {
    ensure!(differences.is_empty(), "the run was begun with other options: {}", differences.join("; "));
    Ok(())
}

fn known<F: DeserializeOwned>(path: &Path, begun: &Value) -> Result<Vec<F>> {
    if !path.exists() {
        write_whole(path, line(begun).as_bytes())?;
        return Ok(Vec::new());
    }
    let text = String::from_utf8_lossy(&read_file(path, LARGEST)?).into_owned();
    let whole = whole_lines(&text);
    let other: Map<String, Value> =
        serde_json::from_str(whole.lines().next().unwrap_or("")).context("not an unfinished run")?;
    ensure_same(&differences(&other.into(), begun))?;
    let known = found(whole)?;
    write_whole(path, whole.as_bytes())?;
    Ok(known)
}

/// The beginning of a line that says in a finished text how it was made.
const MADE: &str = "# made by ";

/// A line of remark that says by which options a text was made.
pub(super) fn remark(begun: &impl Serialize) -> String {
    format!("{MADE}{}", line(begun))
}

/// What the remark of a text says.
pub(super) fn remarked(text: &str) -> Option<Value> {
    serde_json::from_str(text.lines().find_map(|line| line.strip_prefix(MADE))?).ok()
}

/// The text up to its last line that is whole.
pub(super) fn whole_lines(text: &str) -> &str {
    text.rfind('\n').map_or("", |end| &text[..=end])
}

/// What a run has found, from the lines of its file.
pub(super) fn found<F: DeserializeOwned>(whole: &str) -> Result<Vec<F>> {
    let read = |(index, text): (usize, &str)| serde_json::from_str(text).with_context(|| format!("line {}", index + 1));
    whole.lines().enumerate().skip(1).map(read).collect()
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}
