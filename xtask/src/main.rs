//! Chores of this repository that are more than one cargo command: `cargo xtask help`.

mod aside;
mod book;
mod builds;
mod plan;
mod python;
mod release;
mod tests;
mod version;
mod web;

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};
use web::Build;

/// Chores of this repository that are more than one cargo command.
#[derive(Parser)]
#[command(bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Runs all tests: `cargo test`, the Python package, the book, and the page in a browser. In CI (`CI=true`) it
    /// installs npm, Chromium and Firefox by apt-get; elsewhere it leaves out the tests that need them. It ends with a
    /// summary of the steps, their times, and the tests left out, with the reason.
    Test {
        /// Only those of the page.
        #[arg(long, conflicts_with = "ci")]
        page: bool,
        /// Beside them the other checks of `.ci/run`: format, documentation, lints, the node count of `bench`, Miri.
        #[arg(long)]
        ci: bool,
    },
    /// Tasks that `test` runs beside other things.
    #[command(hide = true)]
    Aside {
        #[command(subcommand)]
        task: aside::Task,
    },
    /// Lints and tests each combination of features that somebody builds, one after the other, and does the tests of the
    /// packages for Python and npm that take minutes.
    Builds,
    /// Builds the Python package's wheel, installs it in a fresh virtual environment under target/, and tests it there:
    /// pytest, doctest, mypy, stubtest, ruff. Needs Python 3.10 and pip's packages.
    Python,
    /// Builds the book of docs/ and checks its links. Needs Python 3 and pip's packages.
    Book {
        /// Where to. What is in it is replaced.
        #[arg(long, default_value = "target/book/site")]
        out: PathBuf,
    },
    /// Builds the page with the engine as WebAssembly: a folder for any static host. Needs npm and Rust's target
    /// wasm32-unknown-unknown.
    Web {
        /// Where to. What is in it is replaced.
        #[arg(long, default_value = "target/web/site")]
        out: PathBuf,
    },
    /// Builds the engine as WebAssembly alone. Needs Rust's target wasm32-unknown-unknown.
    Engine {
        /// Where to.
        #[arg(long, default_value = "target/web/engine")]
        out: PathBuf,
    },
    /// Builds the npm package: the board as a custom element, and the engine for browsers and Node. Needs npm and Rust's
    /// target wasm32-unknown-unknown.
    Npm {
        /// Folder for the package.
        #[arg(long, default_value = "target/web")]
        out: PathBuf,
    },
    /// Builds the files of a release for this and other systems, starts each program that it has built, and writes
    /// checksums and a list of contents. What this machine lacks is left out, and said; in CI it is an error.
    Release {
        /// Which parts, if not all.
        parts: Vec<release::Part>,
        /// Where to. What an earlier release has left there is removed.
        #[arg(long, default_value = "target/release-files")]
        out: PathBuf,
        /// Build without much optimisation: to try this command in a quarter of the time.
        #[arg(long)]
        quick: bool,
    },
    /// Writes the licences of all that the program holds: our own, and those of other people's code. All that `release`,
    /// `web` and `npm` build has them already.
    Licences {
        /// Folder for them.
        #[arg(long, default_value = "target/licences")]
        out: PathBuf,
    },
    /// Sets the version of everything that is released, and gives the changes in CHANGELOG.md that were not released this
    /// version and today's date.
    Version {
        /// Such as 0.3.0.
        version: String,
    },
    /// Builds the page alone into crates/app/page, which the binary embeds. Needs npm.
    Page {
        /// Leave crates/app/page as it is, and fail if it is not what its sources build.
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    if let Err(error) = done(Arguments::parse().chore) {
        // One line: it tells what went wrong, and nobody asks where this program noticed.
        eprintln!("xtask: {error:#}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn done(chore: Chore) -> Result<()> {
    std::env::set_current_dir(root()?)?;
    match chore {
        Chore::Test { page: true, .. } => tests::page(),
        Chore::Test { page: false, ci } => tests::all(ci),
        Chore::Aside { task } => task.run(),
        Chore::Builds => builds::test(),
        Chore::Python => python::test(),
        Chore::Book { out } => book::build(&out),
        Chore::Web { out } => web::page(false).and_then(|()| web::site(&out, Build::Best)),
        Chore::Engine { out } => web::engine(&out, Build::Best),
        Chore::Npm { out } => web::package(&out),
        Chore::Release { parts, out, quick } => release::build(&out, &parts, quick),
        Chore::Licences { out } => release::write_licences(release::Held::Program, &out),
        Chore::Version { version } => version::set(&version),
        Chore::Page { check } => web::page(check),
    }
}

/// The repository.
fn root() -> Result<&'static Path> {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("this package lies in the repository")
}

/// Where cargo builds.
fn target_folder() -> Result<PathBuf> {
    let folder = root()?.join(std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned()));
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    Ok(folder.canonicalize()?)
}

/// In CI nothing takes longer, unless it hangs.
const LONGEST: Duration = Duration::from_secs(30 * 60);

/// Runs a command to its end. In CI one that takes longer than half an hour is ended with all that it has started, and
/// is an error: a test that hangs costs its step, and not the word of all others.
fn status(command: &mut Command) -> Result<ExitStatus> {
    if tests::in_ci() { status_within(command, LONGEST) } else { Ok(command.status()?) }
}

/// Runs a command to its end, but no longer than this. It has a group of processes of its own, which ends with it.
fn status_within(command: &mut Command, longest: Duration) -> Result<ExitStatus> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let (mut process, began) = (command.spawn()?, Instant::now());
    while began.elapsed() < longest {
        if let Some(status) = process.try_wait()? {
            return Ok(status);
        }
        thread::sleep(Duration::from_millis(50));
    }
    if cfg!(unix) {
        let group = format!("-{}", process.id());
        Command::new("kill").args(["-KILL", "--", &group]).status()?;
    }
    // Where there are no groups.
    let _ = process.kill();
    process.wait()?;
    bail!("ended after {} s without a result", longest.as_secs())
}

/// The text of a path.
fn text(path: &Path) -> Result<&str> {
    path.to_str().with_context(|| format!("{} is no text", path.display()))
}

/// Runs a program of this name in `folder`; its output is shown.
fn run(folder: &str, program: &str, arguments: &[&str]) -> Result<()> {
    let shown = || format!("{program} {}", arguments.join(" "));
    let status = status(Command::new(program).args(arguments).current_dir(folder)).with_context(shown)?;
    if !status.success() {
        bail!("{} in {folder}: {status}", shown());
    }
    Ok(())
}

/// The output of a program.
fn output(program: &str, arguments: &[&str]) -> Result<String> {
    let shown = || format!("{program} {}", arguments.join(" "));
    let done = Command::new(program).args(arguments).output().with_context(shown)?;
    if !done.status.success() {
        bail!("{}: {}: {}", shown(), done.status, String::from_utf8_lossy(&done.stderr).trim());
    }
    String::from_utf8(done.stdout).with_context(shown)
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn what_hangs_is_ended_with_all_that_it_has_started() {
        let shell = |line: &str| {
            let mut command = Command::new("sh");
            command.args(["-c", line]);
            command
        };
        assert_eq!(status_within(&mut shell("exit 3"), LONGEST).unwrap().code(), Some(3));
        let file = std::env::temp_dir().join(format!("hippolyta-xtask-{}", std::process::id()));
        let line = format!("(sleep 2; echo late > {}) & wait", file.display());
        let error = status_within(&mut shell(&line), Duration::from_millis(200)).unwrap_err();
        assert_eq!(error.to_string(), "ended after 0 s without a result");
        thread::sleep(Duration::from_millis(2_500));
        assert!(!file.exists());
    }
}
