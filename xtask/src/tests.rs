//! All tests with one command, installing what they need beside Rust.

use crate::aside::Task;
use crate::plan::{Plan, left_out, note_left_out, note_slow};
use crate::{output, python, run, status, target_folder, web};
use anyhow::{Context, Result, anyhow, ensure};
use std::env::consts::EXE_SUFFIX;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;

/// Whether this is the continuous integration: there nothing is left out.
pub fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true")
}

/// Whether there is a program of this name.
pub fn there_is(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Programs of Debian's packages of the same names that this machine lacks. In CI they are installed first; elsewhere
/// nobody wants a test to install programs.
fn missing(programs: &[&str]) -> Result<Option<String>> {
    let missing: Vec<_> = programs.iter().copied().filter(|program| !there_is(program)).collect();
    if missing.is_empty() {
        return Ok(None);
    }
    if !in_ci() {
        return Ok(Some(format!("this machine lacks {}", missing.join(" and "))));
    }
    install(&missing)?;
    Ok(None)
}

/// Installs packages of Debian.
fn install(packages: &[&str]) -> Result<()> {
    run(".", "apt-get", &["update", "-q"])?;
    run(".", "apt-get", &[&["install", "-y", "-q", "--no-install-recommends"], packages].concat())
}

const FORMAT: &str = "format of the Rust sources";
const BUILD: &str = "build of the engine with its tests";
const CHORES: &str = "tests of these chores (xtask)";
const ENGINE: &str = "tests of the engine (cargo test)";
const KERNELS: &str = "floods with AVX2 on an emulated processor, with AVX-512 on this one";
const PAGE: &str = "the page: types, format, its parts, its build";
const BROWSER: &str = "the page in a browser";
const PYTHON: &str = "the Python package: wheel, tests, types, lints";
const BOOK: &str = "the book";
const DOCUMENTS: &str = "the book, documentation of the library, lints, the node count of bench";
const MIRI: &str = "Miri over the code with unsafe beneath it";

/// Runs every test; with `ci` what else `.ci/run` checks.
pub fn all(ci: bool) -> Result<()> {
    let documents = if ci { DOCUMENTS } else { BOOK };
    let tests = [BUILD, CHORES, ENGINE, PAGE, BROWSER, PYTHON, documents];
    let (first, last): (&[_], &[_]) = if ci { (&[FORMAT], &[KERNELS, MIRI]) } else { (&[], &[]) };
    let mut plan = Plan::new([first, &tests, last].concat())?;
    // Installing waits for a network, compiling for processors.
    let browser = thread::spawn(|| {
        let browser = missing_for_browser()?;
        // PyTorch, for an example of the Python package: pip's is ten times as large. Proxies, to stand before `serve`.
        if in_ci() {
            install(&["python3-torch", "nginx-light", "caddy", "apache2-bin", "qemu-user"])?;
        }
        anyhow::Ok(browser)
    });
    if ci {
        plan.run(FORMAT, || run(".", "cargo", &["fmt", "--all", "--check"]));
    }
    let built = plan.run(BUILD, || run(".", "cargo", &["test", "--no-run"]));
    let browser = browser.join().map_err(|_| anyhow!("the search for a browser panicked"))??;
    if !built {
        return plan.summarise(ci);
    }
    let engine = binary()?;
    // Each of these leaves a processor idle for a while: pip waits for a network, tests wait for each other, parts of a
    // compiler for its first part. The Python package is nearly built by now, and its tests take longest.
    let no_python = python::missing()?;
    let python = no_python.is_none().then(|| Task::Python.begin(0));
    plan.run(CHORES, || run(".", "cargo", &["test", "--package", "xtask"]));
    let page = browser.is_none().then(|| Task::Page { engine: engine.clone() }.begin(10));
    let book = Task::Documents { ci }.begin(19);
    // All of them, although one fails: so one run tells all that is wrong.
    plan.run(ENGINE, || engine_tests(ci));
    match (page, browser) {
        (Some(page), _) => {
            if plan.finish(PAGE, page) {
                plan.run(BROWSER, || page_in_browser(&engine));
            } else {
                plan.leave_out(BROWSER, "the page is not built");
            }
        }
        (None, reason) => {
            let reason = reason.unwrap_or_default();
            [PAGE, BROWSER].into_iter().for_each(|name| plan.leave_out(name, reason.as_str()));
        }
    }
    match python {
        Some(python) => _ = plan.finish(PYTHON, python),
        None => plan.leave_out(PYTHON, no_python.unwrap_or_default()),
    }
    plan.finish(documents, book);
    if ci {
        kernels(&mut plan);
        miri(&mut plan);
    }
    plan.summarise(ci)
}

/// `cargo test`, and after it the examples in the documentation.
fn engine_tests(ci: bool) -> Result<()> {
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--no-fail-fast", "--lib", "--bins", "--tests"]);
    // The time that each test takes is shown by a nightly toolchain alone, or if this is set.
    if cfg!(unix) {
        cargo.args(["--config", "target.'cfg(unix)'.runner=['env', 'RUSTC_BOOTSTRAP=1']"]);
        cargo.args(["--", "-Zunstable-options", "--report-time"]);
    }
    // In CI what the processor lacks is a step of its own.
    if !ci {
        cargo.env("HIPPOLYTA_LEFT_OUT", left_out()?);
    }
    let tests = shown(&mut cargo, |line| note_slow(timed(line)));
    let examples = run(".", "cargo", &["test", "--no-fail-fast", "--doc"]);
    ensure!(tests.context("cargo")?.success(), "cargo test fails");
    examples
}

/// `test NAME ... ok <12.345s>`
fn timed(line: &str) -> Option<(f64, String)> {
    let (test, end) = line.strip_prefix("test ")?.rsplit_once(" ... ")?;
    let (_, seconds) = end.strip_suffix("s>")?.rsplit_once('<')?;
    Some((seconds.parse().ok()?, test.to_owned()))
}

/// Runs a command to its end, whose output is shown and told line by line.
fn shown(command: &mut Command, mut tell: impl FnMut(&str) -> Result<()> + Send) -> Result<ExitStatus> {
    let (read, write) = std::io::pipe()?;
    command.stdout(write);
    thread::scope(|scope| {
        let reader = scope.spawn(move || {
            BufReader::new(read).lines().try_for_each(|line| {
                let line = line?;
                println!("{line}");
                tell(&line)
            })
        });
        let status = status(command);
        // The command holds an end of the pipe as long as it lives.
        command.stdout(Stdio::null());
        reader.join().map_err(|_| anyhow!("reading the output panicked"))??;
        status
    })
}

/// Tests the kernels of newer processors. QEMU has AVX2 and no AVX-512.
fn kernels(plan: &mut Plan) {
    let reason = "AVX-512: neither this processor nor QEMU has it";
    plan.run_if_possible(KERNELS, reason, || {
        #[cfg(target_arch = "x86_64")]
        {
            let mut cargo = Command::new("cargo");
            cargo.args(["test", "--lib", "--", "avx2_floods"]).env("HIPPOLYTA_KERNEL", "avx2");
            cargo.env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", "qemu-x86_64 -cpu max");
            ensure!(status(&mut cargo).context("cargo")?.success(), "floods with AVX2 fail under QEMU");
            Ok(is_x86_feature_detected!("avx512vbmi2") && is_x86_feature_detected!("avx512vpopcntdq"))
        }
        #[cfg(not(target_arch = "x86_64"))]
        Ok(false)
    });
}

/// The exit code of `.ci/sanitizers` where Miri is not installed.
const NOT_INSTALLED: i32 = 77;

/// Runs Miri where it is installed: not every machine can have a nightly toolchain.
fn miri(plan: &mut Plan) {
    plan.run_if_possible(MIRI, "no nightly toolchain with miri and rust-src", || {
        let status = status(Command::new(".ci/sanitizers").arg("quick")).context(".ci/sanitizers")?;
        let installed = status.code() != Some(NOT_INSTALLED);
        ensure!(status.success() || !installed, ".ci/sanitizers quick: {status}");
        Ok(installed)
    });
}

/// Why the page cannot be tested; `None` if it can.
fn missing_for_browser() -> Result<Option<String>> {
    // `CHROMIUM` names another browser of its kind.
    let chromium = std::env::var_os("CHROMIUM").is_none().then_some("chromium");
    // A part of the tests runs in Firefox, too, where there is one.
    let firefox = in_ci().then_some("firefox-esr");
    let reason = missing(&["npm"].into_iter().chain(chromium).chain(firefox).collect::<Vec<_>>())?;
    if reason.is_some() {
        return Ok(reason);
    }
    // Distributions have older ones, by which the page cannot be built.
    let version = output("node", &["--version"])?;
    let too_old = is_old(&version).then(|| format!("the Node.js of this machine is too old: {}", version.trim()));
    ensure!(too_old.is_none() || !in_ci(), too_old.unwrap_or_default());
    Ok(too_old)
}

/// Whether the page cannot be built by this version of Node.js: see `web/package.json`.
fn is_old(version: &str) -> bool {
    let numbers: Vec<u32> = version.trim().trim_start_matches('v').split('.').flat_map(str::parse).collect();
    numbers < vec![20, 19]
}

/// Tests the page: its parts, that `crates/app/page` is what its sources build, and both hosts in a real browser.
pub fn page() -> Result<()> {
    if let Some(reason) = missing_for_browser()? {
        println!("left out: the page, as {reason}");
        return Ok(());
    }
    let engine = binary()?;
    Task::Page { engine: engine.clone() }.run()?;
    page_in_browser(&engine)
}

/// The tests of the npm package that take too long for each change.
pub fn package_chores() -> Result<()> {
    match missing_for_browser()? {
        Some(reason) => println!("left out: the npm package in a server-side framework, as {reason}"),
        None => web::package_chores(&binary()?)?,
    }
    Ok(())
}

/// The binary that `cargo test` has built, with all assertions. `cargo build` would build it anew, as features of
/// dependencies that the tests alone ask for would be missing.
fn binary() -> Result<PathBuf> {
    run(".", "cargo", &["test", "--quiet", "--no-run", "--test", "program"])?;
    let binary = target_folder()?.join("debug").join(format!("hippolyta{EXE_SUFFIX}"));
    binary.canonicalize().with_context(|| binary.display().to_string())
}

/// The tests in a browser against the program `engine`, and with the page and its own engine, if those are built.
fn page_in_browser(engine: &Path) -> Result<()> {
    let site = web::quick_site_path()?;
    if !site.exists() {
        note_left_out("the page with the engine as WebAssembly: Rust's target for it cannot be had")?;
    }
    if std::env::var_os("FIREFOX").is_none() && !there_is("firefox-esr") {
        note_left_out("the page in Firefox: this machine lacks firefox-esr")?;
    }
    web::test("test:browser", engine, site.exists().then_some(&site))
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn times_of_tests_are_read() {
        assert_eq!(timed("test a::b ... ok <12.345s>"), Some((12.345, "a::b".to_owned())));
        assert_eq!(timed("test a::b ... FAILED <0.001s>"), Some((0.001, "a::b".to_owned())));
        for line in ["test a::b ... ok", "test result: ok. 3 passed; finished in 0.01s", "a <1.0s>"] {
            assert_eq!(timed(line), None);
        }
    }

    #[test]
    #[cfg(unix)]
    fn output_is_told_to_its_end() {
        let mut lines = Vec::new();
        let status = shown(Command::new("sh").args(["-c", "echo one; echo two; exit 3"]), |line| {
            lines.push(line.to_owned());
            Ok(())
        });
        assert_eq!((status.unwrap().code(), lines), (Some(3), vec!["one".to_owned(), "two".to_owned()]));
    }

    #[test]
    fn what_the_page_needs_of_node_is_known() {
        assert!(["v18.19.0\n", "v20.9.0", "v8.17.0"].iter().all(|version| is_old(version)));
        assert!(!["v20.19.0\n", "v20.20.2", "v24.0.0"].iter().any(|version| is_old(version)));
        let manifest = std::fs::read_to_string(crate::root().unwrap().join("web/package.json")).unwrap();
        assert!(manifest.contains(r#""node": ">=20.19""#));
    }
}
