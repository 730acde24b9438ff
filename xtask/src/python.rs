//! The Python package: its wheel, installed in a virtual environment of its own, and all that is checked of it there.

use crate::run;
use crate::tests::{in_ci, there_is};
use anyhow::{Context, Result, ensure};
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};

/// The program of this name in a virtual environment.
pub fn program(environment: &Path, name: &str) -> PathBuf {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    environment.join(folder).join(format!("{name}{EXE_SUFFIX}"))
}

fn path(path: &Path) -> Result<&str> {
    path.to_str().with_context(|| format!("{} is no text", path.display()))
}

/// Builds the wheel, installs it in a fresh environment, and tests it there. Without Python nothing is done outside CI.
pub fn test() -> Result<()> {
    let python = if cfg!(windows) { "python" } else { "python3" };
    if !there_is(python) {
        ensure!(!in_ci(), "the tests of the Python package need {python}");
        println!("skipped: tests of the Python package, as this machine lacks {python}");
        return Ok(());
    }
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    let folder = PathBuf::from(target).join("python");
    let (environment, wheels) = (folder.join("environment"), folder.join("wheels"));
    for old in [&environment, &wheels] {
        if old.exists() {
            fs::remove_dir_all(old).with_context(|| old.display().to_string())?;
        }
    }
    fs::create_dir_all(&wheels).with_context(|| wheels.display().to_string())?;
    let folder = folder.canonicalize()?;
    let (environment, wheels) = (folder.join("environment"), folder.join("wheels"));
    run(".", python, &["-m", "venv", path(&environment)?])?;
    let python = program(&environment, "python");
    let python = path(&python)?;
    run(".", python, &["-m", "pip", "install", "--quiet", "maturin>=1.9,<2"])?;
    // Outside an active environment, maturin would choose another Python.
    let build = ["-m", "maturin", "build", "--profile", "wheel-test", "--interpreter", python, "--out", path(&wheels)?];
    run("python", python, &build)?;
    let wheel = fs::read_dir(&wheels)?.next().context("maturin has built no wheel")??.path();
    let with_tests = format!("{}[test]", path(&wheel)?);
    run(".", python, &["-m", "pip", "install", "--quiet", &with_tests])?;
    check(python, &environment)
}

/// Format, lints, tests with the examples in the documentation, types and stubs. They run where the package's sources are not on
/// Python's path, so that it is the installed one that is tested.
fn check(python: &str, environment: &Path) -> Result<()> {
    run("python", python, &["-m", "ruff", "format", "--check", "."])?;
    run("python", python, &["-m", "ruff", "check", "."])?;
    run(
        "python/tests",
        python,
        &["-m", "pytest", "--quiet", "-c", "../pyproject.toml", "--rootdir", ".", "--numprocesses", "3", "."],
    )?;
    run("python/tests", python, &["-m", "mypy", "--strict", "-p", "hippolyta"])?;
    run("python/tests", path(&program(environment, "stubtest"))?, &["hippolyta._hippolyta"])
}
