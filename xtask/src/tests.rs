//! All tests with one command, installing what they need beside Rust.

use crate::aside::Task;
use crate::{run, target_folder, web};
use anyhow::{Context, Result, anyhow};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// Whether this is the continuous integration: there nothing is left out.
pub fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

/// Whether there is a program of this name.
pub fn there_is(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Whether these programs of Debian's packages of the same names can be had. In CI they are installed; elsewhere what
/// is missing is said, as nobody wants a test to install programs.
fn have(programs: &[&str]) -> Result<bool> {
    let missing: Vec<_> = programs.iter().copied().filter(|program| !there_is(program)).collect();
    if missing.is_empty() {
        return Ok(true);
    }
    if !in_ci() {
        println!("skipped: tests of the page in a browser, as this machine lacks {}", missing.join(" and "));
        return Ok(false);
    }
    install(&missing)?;
    Ok(true)
}

/// Installs packages of Debian.
fn install(packages: &[&str]) -> Result<()> {
    run(".", "apt-get", &["update", "-q"])?;
    run(".", "apt-get", &[&["install", "-y", "-q", "--no-install-recommends"], packages].concat())
}

/// Runs every test; with `ci` what else `.ci/run` checks.
pub fn all(ci: bool) -> Result<()> {
    // Installing waits for a network, compiling for processors.
    let has_browser = thread::spawn(|| {
        let has_browser = have_browser()?;
        // PyTorch, for an example of the Python package: pip's is ten times as large.
        if in_ci() {
            install(&["python3-torch"])?;
        }
        anyhow::Ok(has_browser)
    });
    run(".", "cargo", &["test", "--no-run"])?;
    let engine = binary()?;
    let has_browser = has_browser.join().map_err(|_| anyhow!("the search for a browser panicked"))??;
    // Each of these leaves a processor idle for a while: pip waits for a network, tests wait for each other, parts of a
    // compiler for its first part. The Python package is nearly built by now, and its tests take longest.
    let python = Task::Python.begin(0)?;
    run(".", "cargo", &["test", "--package", "xtask"])?;
    let page = has_browser.then(|| Task::Page { engine: engine.clone() }.begin(10)).transpose()?;
    let documents = Task::Documents { ci }.begin(19)?;
    // All of them, although one fails: so one run tells all that is wrong.
    run(".", "cargo", &["test", "--no-fail-fast"])?;
    let in_browser = page.map_or(Ok(()), |page| {
        page.finish()?;
        page_in_browser(&engine)
    });
    let python = python.finish();
    in_browser.and(python).and(documents.finish())
}

/// Whether the page can be tested.
fn have_browser() -> Result<bool> {
    // `CHROMIUM` names another browser of its kind.
    have(if std::env::var_os("CHROMIUM").is_some() { &["npm"] } else { &["npm", "chromium"] })
}

/// Tests the page: its parts, that `web/dist` is what its sources build, and both hosts in a real browser.
pub fn page() -> Result<()> {
    if have_browser()? {
        let engine = binary()?;
        Task::Page { engine: engine.clone() }.run()?;
        page_in_browser(&engine)?;
    }
    Ok(())
}

/// The binary that `cargo test` has built, with all assertions. `cargo build` would build it anew, as features of
/// dependencies that the tests alone ask for would be missing.
fn binary() -> Result<PathBuf> {
    run(".", "cargo", &["test", "--quiet", "--no-run", "--test", "program"])?;
    let binary = target_folder()?.join("debug").join("hippolyta");
    binary.canonicalize().with_context(|| binary.display().to_string())
}

/// The tests in a browser against the program `engine`, and with the page and its own engine, if those are built.
fn page_in_browser(engine: &Path) -> Result<()> {
    let site = web::quick_site_path()?;
    if !site.exists() {
        println!("skipped: tests of the page with the engine as WebAssembly, as Rust's target cannot be had");
    }
    web::test("test:browser", engine, site.exists().then_some(&site))
}
