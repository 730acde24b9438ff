//! The book: `docs/` and the documents that it includes, as pages with checked links.

use crate::plan::note_left_out;
use crate::python::{self, PIP_INSTALL, PYTHON};
use crate::{run, status, target_folder, text};
use anyhow::{Context, Result, ensure};
use std::path::Path;
use std::process::Command;

/// Builds the book into `out`, in an environment of its own. Every warning is an error, among them links to nowhere.
/// Without Python nothing is done outside CI.
pub fn build(out: &Path) -> Result<()> {
    if let Some(reason) = python::missing()? {
        return note_left_out(&format!("the book: {reason}"));
    }
    let environment = target_folder()?.join("book").join("environment");
    let own = python::program(&environment, "python");
    if !own.exists() {
        run(".", PYTHON, &["-m", "venv", text(&environment)?])?;
    }
    let own = text(&own)?;
    run(".", own, &[&PIP_INSTALL[..], &["--requirement", "docs/requirements.txt"]].concat())?;
    // mkdocs takes a folder relative to its configuration, which is where this runs. The theme would print news of itself.
    let mut build = Command::new(own);
    build.args(["-m", "mkdocs", "build", "--strict", "--clean", "--site-dir", text(out)?]);
    let status = status(build.env("NO_MKDOCS_2_WARNING", "1")).context(own.to_owned())?;
    ensure!(status.success(), "mkdocs build --strict: {status}");
    Ok(())
}
