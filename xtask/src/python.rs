//! The Python package: its wheel, installed in a virtual environment of its own, and all that is checked of it there.

use crate::plan::{left_out, note_slow};
use crate::tests::{in_ci, there_is};
use crate::web::NPM_INSTALL;
use crate::{run, status, target_folder, text as path};
use anyhow::{Context, Result, ensure};
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program of this name in a virtual environment.
pub fn program(environment: &Path, name: &str) -> PathBuf {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    environment.join(folder).join(format!("{name}{EXE_SUFFIX}"))
}

/// The system's Python.
pub const PYTHON: &str = if cfg!(windows) { "python" } else { "python3" };

/// Why no environment of Python's can be made here; `None` if one can.
pub fn missing() -> Result<Option<String>> {
    let check = "import sys, ensurepip; sys.exit(sys.version_info < (3, 10))";
    let mut probe = Command::new(PYTHON);
    probe.args(["-c", check]).stderr(Stdio::null());
    let reason = match there_is(PYTHON) {
        false => format!("this machine lacks {PYTHON}"),
        true if probe.status()?.success() => return Ok(None),
        true => format!("the {PYTHON} of this machine is older than 3.10, or lacks venv (Debian: python3-venv)"),
    };
    ensure!(!in_ci(), "{reason}");
    Ok(Some(reason))
}

/// Builds the wheel, installs it in a fresh environment, and tests it there.
pub fn test() -> Result<()> {
    if let Some(reason) = missing()? {
        println!("left out: the Python package, as {reason}");
        return Ok(());
    }
    install()?;
    check()
}

/// The tests that take too long for each change.
pub fn chores() -> Result<()> {
    install()?;
    let python = program(&folder()?.join("environment").canonicalize()?, "python");
    run("python/tests", path(&python)?, &[&PYTEST[..], &["-m", "chore", "."]].concat())
}

/// In the folder of the tests.
const PYTEST: [&str; 7] = ["-m", "pytest", "--quiet", "-c", "../pyproject.toml", "--rootdir", "."];

/// Python compiles what it imports; to compile all that is installed takes a minute.
pub const PIP_INSTALL: [&str; 5] = ["-m", "pip", "install", "--quiet", "--no-compile"];

/// Where all of it is.
fn folder() -> Result<PathBuf> {
    Ok(target_folder()?.join("python"))
}

/// Builds the wheel and installs it in a fresh environment.
fn install() -> Result<()> {
    let folder = folder()?;
    let (environment, wheels) = (folder.join("environment"), folder.join("wheels"));
    for old in [&environment, &wheels] {
        if old.exists() {
            fs::remove_dir_all(old).with_context(|| old.display().to_string())?;
        }
    }
    fs::create_dir_all(&wheels).with_context(|| wheels.display().to_string())?;
    let folder = folder.canonicalize()?;
    let (environment, wheels) = (folder.join("environment"), folder.join("wheels"));
    run(".", PYTHON, &["-m", "venv", path(&environment)?])?;
    let python = program(&environment, "python");
    let python = path(&python)?;
    run(".", python, &[&PIP_INSTALL[..], &["maturin>=1.9,<2", "uv"]].concat())?;
    // Profile and features with which `cargo test` has built the engine.
    let as_tested = ["--profile", "dev", "--features", "as-tested"];
    // Outside an active environment, maturin would choose another Python.
    let build = ["-m", "maturin", "build", "--interpreter", python, "--out", path(&wheels)?];
    run("python", python, &[&build[..], &as_tested].concat())?;
    let wheel = fs::read_dir(&wheels)?.next().context("maturin has built no wheel")??.path();
    let with_tests = format!("{}[test]", path(&wheel)?);
    // Ten seconds of a processor, where pip takes a minute for some 200 packages. It knows none of pip's settings, such
    // as an index of one's own.
    let uv = program(&environment, "uv");
    if run(".", path(&uv)?, &["pip", "install", "--quiet", "--python", python, &with_tests]).is_err() {
        run(".", python, &[&PIP_INSTALL[..], &[&with_tests]].concat())?;
    }
    alone(&folder.join("alone"), &wheel)
}

/// Installs the wheel where there is nothing else, and tests that it needs nothing else. The other environment has
/// whatever its many packages bring along.
fn alone(environment: &Path, wheel: &Path) -> Result<()> {
    run(".", PYTHON, &["-m", "venv", "--clear", path(environment)?])?;
    let python = program(environment, "python");
    run(".", path(&python)?, &[&PIP_INSTALL[..], &["--no-index", path(wheel)?]].concat())?;
    run(".", path(&python)?, &["-I", "python/tests/alone.py"])
}

/// An engine of somebody else: Fairy-Stockfish as WebAssembly.
const FAIRY_STOCKFISH: &str = "fairy-stockfish-nnue.wasm";
/// A reader and writer of games of somebody else.
const FFISH: &str = "ffish";
/// Types are checked by a second program, the one in people's editors.
const PYRIGHT: &str = "pyright";

/// The folder of packages of npm, installed if there is npm. In one go: npm removes what it is not asked for.
fn node_packages() -> Result<Option<PathBuf>> {
    if !there_is("npm") {
        println!("left out: pyright, Fairy-Stockfish and ffish, as this machine lacks npm");
        return Ok(None);
    }
    let folder = folder()?.join("node");
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let packages = [format!("{FAIRY_STOCKFISH}@1.1.12"), format!("{FFISH}@0.7.10"), format!("{PYRIGHT}@1.1.400")];
    let packages = packages.each_ref().map(String::as_str);
    run(".", "npm", &[&NPM_INSTALL[..], &["--prefix", path(&folder)?], &packages].concat())?;
    Ok(Some(folder.canonicalize()?.join("node_modules")))
}

/// Format, lints, tests with the examples in the documentation, types and stubs of the package that is installed. They
/// run where its sources are not on Python's path, so that it is the installed one that is tested; pyright reads the
/// sources.
fn check() -> Result<()> {
    let environment = folder()?.join("environment");
    let environment = environment.canonicalize().with_context(|| environment.display().to_string())?;
    let python = program(&environment, "python");
    let python = path(&python)?;
    run("python", python, &["-m", "ruff", "format", "--check", ".", "../examples"])?;
    run("python", python, &["-m", "ruff", "check", ".", "../examples"])?;
    let mut tests = Command::new(python);
    tests.args(PYTEST).args(["-m", "not chore", "--numprocesses", "3", "--dist", "loadgroup", "."]);
    tests.current_dir("python/tests").env("HIPPOLYTA_NO_SKIPS", in_ci().to_string());
    tests.env("HIPPOLYTA_LEFT_OUT", left_out()?);
    // An engine of somebody's own.
    run(".", "cargo", &["build", "--quiet", "--example", "own_evaluator"])?;
    let example = target_folder()?.join("debug/examples").join(format!("own_evaluator{EXE_SUFFIX}"));
    tests.env("HIPPOLYTA_OWN_EVALUATOR", example);
    let packages = node_packages()?;
    if let Some(packages) = &packages {
        tests.env("HIPPOLYTA_FAIRY_STOCKFISH", packages.join(FAIRY_STOCKFISH));
        tests.env("HIPPOLYTA_FFISH", packages.join(FFISH));
    }
    let report = folder()?.join("tests.xml");
    tests.arg("--junitxml").arg(&report);
    let tested = status(&mut tests).context("pytest")?;
    note_slow(fs::read_to_string(&report)?.split("<testcase ").filter_map(timed))?;
    ensure!(tested.success(), "tests of the Python package fail");
    run("python/tests", python, &["-m", "mypy", "--strict", "-p", "hippolyta"])?;
    if let Some(packages) = packages {
        run("python", "node", &[path(&packages.join(PYRIGHT).join("index.js"))?, "--pythonpath", python])?;
    }
    run("python/tests", path(&program(&environment, "stubtest"))?, &["hippolyta._hippolyta"])
}

/// `classname="C" name="N" time="12.345"`, as pytest's report has it.
fn timed(case: &str) -> Option<(f64, String)> {
    let value = |key: &str| case.split_once(&format!("{key}=\"")).and_then(|(_, rest)| rest.split('"').next());
    Some((value(" time")?.parse().ok()?, format!("{}::{}", value("classname")?, value(" name")?)))
}

#[cfg(test)]
mod tests {
    use super::timed;
    use std::collections::BTreeSet;
    use std::process::Command;

    #[test]
    fn times_of_tests_are_read() {
        let case = r#"classname="test_a" name="test_b[c]" time="2.500" /><testcase"#;
        assert_eq!(timed(case), Some((2.5, "test_a::test_b[c]".to_owned())));
        assert_eq!(timed("<testsuites>"), None);
    }

    /// Lines of `cargo tree`, in any order.
    fn tree(arguments: &[&str]) -> BTreeSet<String> {
        let mut cargo = Command::new("cargo");
        let tree = cargo.args(["tree", "--prefix", "none", "--package"]).args(arguments).output().unwrap();
        assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
        let lines = String::from_utf8(tree.stdout).unwrap();
        lines.lines().map(|line| line.trim_end_matches(" (*)").trim_end().to_owned()).collect()
    }

    /// If not, it takes minutes to compile the engine and all that it needs once more.
    #[test]
    fn one_build_of_the_engine_does_for_its_tests_and_for_the_package() {
        let format = ["--format", "{p}: {f}"];
        let tested = tree(
            &[
                &[
                    "hippolyta-app",
                    "--package",
                    "hippolyta",
                    "--package",
                    "hippolyta-lab",
                    "--package",
                    "hippolyta-protocol",
                    "--package",
                    "hippolyta-research",
                    "--package",
                    "hippolyta-rules",
                    "--edges",
                    "normal,build,dev",
                ],
                &format[..],
            ]
            .concat(),
        );
        let package =
            tree(&[&["hippolyta-python", "--edges", "normal,build", "--features", "as-tested"], &format[..]].concat());
        for needed in tree(&["hippolyta-app", "--edges", "normal,build", "--format", "{p}:"]) {
            let features = |lines: &BTreeSet<String>| -> Vec<_> {
                lines.iter().filter(|line| line.starts_with(&needed)).cloned().collect()
            };
            assert_eq!(features(&package), features(&tested));
        }
    }
}
