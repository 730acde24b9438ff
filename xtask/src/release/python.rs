//! The Python package: wheels for the systems that can be built for here, and its sources.

use super::pack;
use super::start::Runner;
use super::{Built, Outcome, Release, Scratch, build};
use crate::python::{PYTHON, program};
use crate::tests::there_is;
use crate::{run, target_folder, text};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Tools that build wheels: maturin, and zig, which links for other systems and for old versions of Linux.
const TOOLS: &[&str] = &["maturin>=1.9,<2", "ziglang"];

/// The Python of an environment with the tools, or what is missing.
fn tools() -> Result<Result<PathBuf, String>> {
    if !there_is(PYTHON) {
        return Ok(Err(format!("this machine lacks {PYTHON}")));
    }
    let environment = target_folder()?.join("release").join("environment");
    let own = program(&environment, "python");
    if !own.exists() {
        run(".", PYTHON, &["-m", "venv", text(&environment)?])?;
    }
    run(".", text(&own)?, &[&["-m", "pip", "install", "--quiet"], TOOLS].concat())?;
    Ok(Ok(own))
}

/// Runs maturin in `python/` and returns the file that it has written.
fn maturin(release: &Release, own: &Path, arguments: &[&str], scratch: &Path) -> Result<PathBuf> {
    let mut maturin = Command::new(own);
    maturin.args(["-m", "maturin"]).args(arguments).args(["--out", text(scratch)?]).current_dir("python");
    build::prepare(release, &mut maturin, &build::flags()?);
    maturin.env("SOURCE_DATE_EPOCH", release.date.to_string());
    // Zig is found as a module of the first Python of the path.
    let folder = own.parent().context("programs lie in folders")?.to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    maturin.env("PATH", std::env::join_paths([folder].into_iter().chain(std::env::split_paths(&path)))?);
    let status = maturin.status().context("maturin")?;
    ensure!(status.success(), "maturin {}: {status}", arguments.join(" "));
    let mut files = fs::read_dir(scratch)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|path| path.extension().is_some_and(|ending| ending == "whl" || ending == "gz"));
    ensure!(files.len() == 1, "maturin {}: {files:?}", arguments.join(" "));
    files.pop().context("maturin has written nothing")
}

/// Copies a file into the release.
fn take(release: &Release, file: &Path) -> Result<PathBuf> {
    let name = file.file_name().and_then(|name| name.to_str()).context("a file without a name")?;
    pack::write(&release.out, name, &fs::read(file)?)
}

/// Targets with the version of the system that a wheel needs at least.
fn targets() -> &'static [(&'static str, &'static [&'static str])] {
    const ZIG: &[&str] = &["--zig", "--compatibility", "manylinux2014"];
    match std::env::consts::OS {
        "linux" => &[("x86_64-unknown-linux-gnu", ZIG), ("aarch64-unknown-linux-gnu", ZIG)],
        "macos" => &[("aarch64-apple-darwin", &[]), ("x86_64-apple-darwin", &[])],
        "windows" => &[("x86_64-pc-windows-msvc", &[])],
        _ => &[],
    }
}

/// The licences of what a wheel holds besides our own code, where `pyproject.toml` has wheels take licences from. The file
/// is there while wheels are built.
struct Licences(Vec<PathBuf>);

impl Licences {
    fn write() -> Result<Self> {
        let mut written = Self(Vec::new());
        for (name, file) in super::contents::licences(super::Held::Python)? {
            // Ours lie there.
            if name.starts_with("LICENSES-") {
                let path = Path::new("python").join(&name);
                fs::write(&path, file.content).with_context(|| path.display().to_string())?;
                written.0.push(path);
            }
        }
        Ok(written)
    }
}

impl Drop for Licences {
    fn drop(&mut self) {
        for path in &self.0 {
            let _ = fs::remove_file(path);
        }
    }
}

pub fn wheels(release: &Release) -> Result<Outcome> {
    let own = match tools()? {
        Ok(own) => own,
        Err(lack) => return Ok(Outcome::Skipped(lack)),
    };
    let _licences = Licences::write()?;
    let mut built = Vec::new();
    for (target, options) in targets() {
        if !build::has_target(target)? {
            return Ok(Outcome::Skipped(format!("Rust's target {target} cannot be had")));
        }
        let scratch = Scratch::new(target)?;
        let always = ["build", "--locked", "--profile", build::PROFILE, "--target", target];
        let wheel = maturin(release, &own, &[&always[..], options].concat(), scratch.path())?;
        let path = take(release, &wheel)?;
        let start = start(release, &path, target, scratch.path())?;
        built.push(Built { path, start });
    }
    Ok(match built.is_empty() {
        true => Outcome::Skipped(format!("nothing is known of wheels for {}", std::env::consts::OS)),
        false => Outcome::Built(built),
    })
}

/// Whether a wheel has the licences of other people's code. One that is built from the sources has not: nobody is given it.
const LICENSED: &str = "
import importlib.metadata
assert any(file.name == 'LICENSES-THIRD-PARTY.txt' for file in importlib.metadata.files('hippolyta'))
";

/// Searches with the package and, by its command, bench. Looks for the licences, and for what only tests should have.
const TRY: &str = "
import hippolyta, hippolyta.__main__, importlib.metadata
files = {file.name for file in importlib.metadata.files('hippolyta')}
assert {'LICENSE-MIT', 'LICENSE-APACHE'} < files, files
assert importlib.metadata.version('hippolyta') == hippolyta.__version__
assert not hasattr(hippolyta._hippolyta.Searcher, '_panic')
with hippolyta.Engine(threads=1, hash=16) as engine:
    assert engine.play(hippolyta.Board('amazons6'), hippolyta.Limit(nodes=1000)).move
hippolyta.__main__.main()
";

/// Starts a wheel: in a fresh environment, or, if it is for another processor, with a Python for it by qemu.
fn start(release: &Release, wheel: &Path, target: &str, scratch: &Path) -> Result<String> {
    let runner = match Runner::of(target, scratch) {
        Ok(runner) => runner,
        Err(lack) => return Ok(format!("not started, as {lack}")),
    };
    let script = [LICENSED, TRY].concat();
    let found = if runner.words() == "natively" && target.starts_with(std::env::consts::ARCH) {
        let environment = scratch.join("environment");
        run(".", PYTHON, &["-m", "venv", text(&environment)?])?;
        let own = program(&environment, "python");
        run(".", text(&own)?, &["-m", "pip", "install", "--quiet", "--no-index", text(wheel)?])?;
        runner.output(&own, &["-c", &script, "bench"])?
    } else {
        let root = match foreign_python(target, scratch)? {
            Ok(root) => root,
            Err(lack) => return Ok(format!("not started, as {lack}")),
        };
        // A wheel is an archive of what is to lie on Python's path.
        let unpacked = scratch.join("package");
        let zip = scratch.join("wheel.zip");
        fs::copy(wheel, &zip)?;
        pack::unpack(&zip, &unpacked)?;
        let mut python = runner.command(&root.join("usr/bin/python3"));
        let done = python.args(["-c", &script, "bench"]).env("QEMU_LD_PREFIX", &root).env("PYTHONPATH", &unpacked);
        let done = done.env("PYTHONHOME", root.join("usr")).output().context("qemu")?;
        ensure!(done.status.success(), "{}: {}", wheel.display(), String::from_utf8_lossy(&done.stderr).trim());
        String::from_utf8(done.stdout)?
    };
    let found = super::start::signature(&found)?;
    super::compare(found, release.signature)?;
    Ok(format!("bench {found} {}", runner.words()))
}

/// Debian's Python for another processor, unpacked in a folder of its own, with a list of packages of its own: nothing of this
/// system changes.
fn foreign_python(target: &str, scratch: &Path) -> Result<Result<PathBuf, String>> {
    let architecture = if target.starts_with("aarch64") { "arm64" } else { "amd64" };
    if !there_is("apt-get") || !there_is("dpkg-deb") {
        return Ok(Err("this machine lacks Debian's apt-get".to_owned()));
    }
    let state = scratch.join("apt");
    for folder in ["state/lists/partial", "cache/archives/partial"] {
        fs::create_dir_all(state.join(folder))?;
    }
    fs::write(state.join("status"), "")?;
    let option = |name: &str, place: &str| format!("-o{name}={}", state.join(place).display());
    let options = [
        option("Dir::State", "state"),
        option("Dir::State::status", "status"),
        option("Dir::Cache", "cache"),
        format!("-oAPT::Architecture={architecture}"),
        format!("-oAPT::Architectures={architecture}"),
        // The user `_apt` may not write here.
        "-oAPT::Sandbox::User=root".to_owned(),
        "-oDebug::NoLocking=1".to_owned(),
    ];
    let apt = |words: &[&str]| {
        let mut apt = Command::new("apt-get");
        apt.arg("-q").args(&options).args(words).env("DEBIAN_FRONTEND", "noninteractive").output().context("apt-get")
    };
    for words in [&["update"][..], &["install", "--yes", "--download-only", "--no-install-recommends", "python3"]] {
        let done = apt(words)?;
        if !done.status.success() {
            let error = String::from_utf8_lossy(&done.stderr);
            let line = error.lines().next().unwrap_or("no reason given");
            return Ok(Err(format!("Debian's Python for {architecture} cannot be had ({line})")));
        }
    }
    let root = scratch.join("foreign");
    for entry in fs::read_dir(state.join("cache/archives"))? {
        let package = entry?.path();
        if package.extension().is_some_and(|ending| ending == "deb") {
            run(".", "dpkg-deb", &["--extract", text(&package)?, text(&root)?])?;
        }
    }
    Ok(Ok(root))
}

/// The source distribution, packed anew in our way; it is installed in a fresh environment.
pub fn sdist(release: &Release) -> Result<Outcome> {
    let own = match tools()? {
        Ok(own) => own,
        Err(lack) => return Ok(Outcome::Skipped(lack)),
    };
    // Sources hold nobody else's code: what a build of wheels that was killed has left there goes.
    drop(Licences::write()?);
    let scratch = Scratch::new("sdist")?;
    let archive = maturin(release, &own, &["sdist"], scratch.path())?;
    let name = archive.file_name().and_then(|name| name.to_str()).context("a file without a name")?.to_owned();
    let lock = pruned_lock(&archive, scratch.path())?;
    let path = pack::write(&release.out, &name, &pack::repack(&archive, &[lock], release.date)?)?;
    let start = start_sources(release, &path, scratch.path())?;
    Ok(Outcome::Built(vec![Built { path, start }]))
}

/// The lock file of the sources, with its name in the archive. The one that maturin packs is that of all of this
/// repository, and with packages that are not needed cargo calls a lock file out of date.
fn pruned_lock(archive: &Path, scratch: &Path) -> Result<(String, Vec<u8>)> {
    let unpacked = scratch.join("unpacked");
    pack::unpack(archive, &unpacked)?;
    let root = fs::read_dir(&unpacked)?.next().context("an empty archive")??.file_name();
    let root = root.to_str().context("a path that is no text")?;
    let folder = unpacked.join(root);
    run(text(&folder)?, "cargo", &["update", "--quiet", "--workspace", "--offline"])?;
    let lock = fs::read(folder.join("Cargo.lock")).context("the sources have no Cargo.lock")?;
    Ok((format!("{root}/Cargo.lock"), lock))
}

/// Builds a wheel from the sources where nothing else lies, with the versions in their lock file, and starts it.
fn start_sources(release: &Release, archive: &Path, scratch: &Path) -> Result<String> {
    let environment = scratch.join("environment");
    run(".", PYTHON, &["-m", "venv", text(&environment)?])?;
    let own = program(&environment, "python");
    // Quick to build: it is the sources that are tried, not their speed.
    let mut pip = Command::new(&own);
    pip.args(["-m", "pip", "install", "--quiet", text(archive)?]).env("MATURIN_PEP517_ARGS", "--profile=dev --locked");
    let status = pip.env_remove("CARGO_TARGET_DIR").current_dir(scratch).status().context("pip")?;
    ensure!(status.success(), "pip install {}: {status}", archive.display());
    let runner = Runner::here();
    let found = super::start::signature(&runner.output(&own, &["-c", TRY, "bench"])?)?;
    super::compare(found, release.signature)?;
    Ok(format!("bench {found}, built from it"))
}
