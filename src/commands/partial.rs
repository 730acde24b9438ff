//! Files of unfinished runs, with '.partial' behind the name of the result: a line that says what the run depends on,
//! and one for each thing found. Whatever ends the run, `--resume` goes on with it.

use crate::files::{beside, read_file, write_whole};
use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The largest file that is read.
const LARGEST: u64 = 1 << 30;

/// The file of an unfinished run.
pub(super) struct Partial {
    out: PathBuf,
    path: PathBuf,
    file: Mutex<File>,
}

impl Partial {
    /// Begins the file of the run that writes to `out`, or with `resume` goes on with it. Gives what was found before.
    /// `begun` is all that the run depends on; an earlier run must have had the same. A last line that was cut off is
    /// dropped.
    pub fn open<B, F>(out: &Path, resume: bool, begun: &B) -> Result<(Self, Vec<F>)>
    where
        B: Serialize + DeserializeOwned + PartialEq,
        F: DeserializeOwned,
    {
        let path = beside(out, ".partial");
        ensure!(
            resume || !path.exists(),
            "{} is an unfinished run: --resume goes on with it; remove it to begin anew",
            path.display()
        );
        let known = known(&path, begun).with_context(|| path.display().to_string())?;
        let file = Mutex::new(OpenOptions::new().append(true).open(&path).context("--out")?);
        Ok((Self { out: out.to_owned(), path, file }, known))
    }

    /// Keeps what was found. What cannot be kept is found again after an interruption.
    pub fn keep(&self, found: &impl Serialize) {
        let _ = self.file.lock().unwrap_or_else(PoisonError::into_inner).write_all(line(found).as_bytes());
    }

    /// Writes the result, and removes the file.
    pub fn finish(self, result: &str) -> Result<()> {
        write_whole(&self.out, result.as_bytes()).with_context(|| self.out.display().to_string())?;
        let _ = fs::remove_file(&self.path);
        Ok(())
    }
}

fn known<B, F>(path: &Path, begun: &B) -> Result<Vec<F>>
where
    B: Serialize + DeserializeOwned + PartialEq,
    F: DeserializeOwned,
{
    if !path.exists() {
        write_whole(path, line(begun).as_bytes())?;
        return Ok(Vec::new());
    }
    let text = String::from_utf8_lossy(&read_file(path, LARGEST)?).into_owned();
    let whole = whole_lines(&text);
    let other: B = serde_json::from_str(whole.lines().next().unwrap_or("")).context("not an unfinished run")?;
    ensure!(other == *begun, "the run was begun with other options: {}", line(&other).trim_end());
    let known = found(whole)?;
    write_whole(path, whole.as_bytes())?;
    Ok(known)
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
