//! The page and its engine.

use crate::{release, run, status, target_folder};
use anyhow::{Context, Result, bail, ensure};
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Rust's name of the machine that browsers are.
const TARGET: &str = "wasm32-unknown-unknown";
/// Where cargo builds for it: flags differ from those of other builds.
const BUILDS: &str = "target/web";
const QUICK_BUILDS: &str = "target/web/quick";
/// The page, built.
const DIST: &str = "crates/app/page";
/// Problems and openings that the page shows; `hippolyta serve` has them from the program.
const BESIDE: [&str; 2] = ["crates/lab/src/problems/problems.json", "crates/lab/src/arena/explorer.json"];
/// Files that the engine asks for when a rule set wants them, and the folder beside it that holds them: see
/// `src/host.rs`.
const PARTS: [(&str, &str); 2] = [("src/eval/weights", "weights"), ("src/endgame/damone", "endgames")];
/// Vectors of 128 bits: all browsers since 2023 have them. Less inlining than usual makes the code smaller: it has 879,
/// 867 and 840 kB compressed at thresholds of 50, 20 and 8 (the last with `"z"` for [`SMALL`]), and `bench` in Node
/// takes 4 ± 2 % longer at 8 than at 50. `opt-level` 2 saves 40 kB and makes searches 1.1 to 1.6 times as slow, `"s"`
/// saves a quarter and makes them about twice as slow; after `wasm-opt` the compressed file is 2 % greater.
const FLAGS: [&str; 2] = ["-Ctarget-feature=+simd128", "-Cllvm-args=-inline-threshold=8"];
/// Packages that read and write texts but search nothing: they are built to be small. What a search needs of the rules
/// is generic, and compiled with the search.
const SMALL: [&str; 16] = [
    "base64",
    "hippolyta-protocol",
    "hippolyta-rules",
    "hippolyta-web",
    "itoa",
    "memchr",
    "miniz_oxide",
    "serde",
    "serde_core",
    "serde_json",
    "serde_path_to_error",
    "toml",
    "toml_parser",
    "wasm-bindgen",
    "winnow",
    "zmij",
];
/// Installs packages and writes down nothing of it.
pub const NPM_INSTALL: [&str; 4] = ["install", "--no-save", "--no-audit", "--no-fund"];

/// Installs what the page is built with, unless it is there and as new as `package.json`. Not by `npm ci`: that refuses
/// where a registry lacks the packages of other systems.
pub fn install() -> Result<()> {
    let time = |path: &str| fs::metadata(path).and_then(|file| file.modified()).ok();
    // npm writes this file last.
    let there = time("web/node_modules/.package-lock.json") >= time("web/package.json");
    if there { Ok(()) } else { run("web", "npm", &NPM_INSTALL) }
}

/// Whether Rust can build for browsers; installs what it needs, if that can be had.
pub fn target() -> Result<bool> {
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).output().context("rustc")?.stdout;
    let libraries = Path::new(String::from_utf8(sysroot)?.trim()).join("lib/rustlib").join(TARGET);
    let add = || Command::new("rustup").args(["target", "add", TARGET]).status();
    Ok(libraries.is_dir() || add().is_ok_and(|status| status.success()))
}

/// How the engine is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// As fast and as small as can be.
    Best,
    /// In a quarter of the time, for tests.
    Quick,
}

impl Build {
    /// The most bytes of the engine, compressed by gzip: who plays for the first time waits for them.
    fn most_bytes(self) -> usize {
        match self {
            Self::Best => 850_000,
            Self::Quick => 1_065_000,
        }
    }
}

/// Writes the page with its engine to `out`. `crates/app/page` must be built.
pub fn site(out: &Path, build: Build) -> Result<()> {
    if out.exists() {
        fs::remove_dir_all(out).with_context(|| out.display().to_string())?;
    }
    copy(Path::new(DIST), out)?;
    engine(&out.join("engine"), build)?;
    for file in BESIDE {
        fs::copy(file, out.join(Path::new(file).file_name().context(file)?)).context(file)?;
    }
    if build == Build::Best {
        release::write_licences(release::Held::Web, out)?;
    }
    println!("{}: {} bytes", out.display(), files(out)?.values().map(Vec::len).sum::<usize>());
    Ok(())
}

/// Where [`quick_site`] builds.
pub fn quick_site_path() -> Result<PathBuf> {
    Ok(target_folder()?.join("web").join("site"))
}

/// Builds the page with its engine for tests, if Rust can build for browsers; else there is nothing at its path.
pub fn quick_site() -> Result<()> {
    let out = quick_site_path()?;
    if target()? {
        return site(&out, Build::Quick);
    }
    if out.exists() {
        fs::remove_dir_all(&out).with_context(|| out.display().to_string())?;
    }
    Ok(())
}

/// Builds the engine into `out`.
pub fn engine(out: &Path, build: Build) -> Result<()> {
    let builds = if build == Build::Best { BUILDS } else { QUICK_BUILDS };
    let arguments = ["build", "--release", "--package", "hippolyta-web", "--target", TARGET, "--target-dir", builds];
    // The variables stand in place of flags from anywhere else, so that the result is the same everywhere.
    let mut cargo = Command::new("cargo");
    let flags: Vec<_> = FLAGS.map(str::to_owned).into_iter().chain(release::flags()?).collect();
    cargo.args(arguments).env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    cargo.env("CARGO_PROFILE_RELEASE_DEBUG", "false");
    let profile = match build {
        Build::Best => [("LTO", "fat"), ("OPT_LEVEL", "3"), ("CODEGEN_UNITS", "1")],
        Build::Quick => [("LTO", "off"), ("OPT_LEVEL", "1"), ("CODEGEN_UNITS", "64")],
    };
    for (name, value) in profile {
        cargo.env(format!("CARGO_PROFILE_RELEASE_{name}"), value);
    }
    if build == Build::Best {
        let small = |package| format!("profile.release.package.{package}.opt-level='z'");
        cargo.args(SMALL.iter().flat_map(|package| ["--config".to_owned(), small(package)]));
    }
    let status = status(&mut cargo).context("cargo")?;
    if !status.success() {
        bail!("cargo {}: {status}", arguments.join(" "));
    }
    let built = format!("{builds}/{TARGET}/release/hippolyta_web.wasm");
    let text = out.to_str().with_context(|| format!("{} is no text", out.display()))?;
    run(".", "cargo", &["run", "--quiet", "--package", "xtask-wasm", "--", &built, text])?;
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&fs::read(out.join("hippolyta_web_bg.wasm"))?)?;
    let size = packed.finish()?.len();
    println!("the engine: {size} bytes, compressed");
    let most = build.most_bytes();
    ensure!(size <= most, "the engine has more than {most} bytes, compressed");
    parts(out)
}

/// Puts the files beside the engine that it asks for. They are compressed, which not every static host does.
fn parts(out: &Path) -> Result<()> {
    for (folder, name) in PARTS {
        for (file, bytes) in files(Path::new(folder))? {
            if file.extension().is_some_and(|ending| ending == "bin") {
                let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
                packed.write_all(&bytes)?;
                write(&out.join(name).join(file), &packed.finish()?)?;
            }
        }
    }
    Ok(())
}

/// Builds the npm package, with its engine, and packs it into `out`.
pub fn package(out: &Path) -> Result<()> {
    install()?;
    let folder = target_folder()?.join("web").join("engine");
    engine(&folder, Build::Best)?;
    script(&["build:package"], &[("ENGINE", &folder)])?;
    release::write_licences(release::Held::Web, Path::new("web/package"))?;
    fs::create_dir_all(out).with_context(|| out.display().to_string())?;
    let out = out.canonicalize()?;
    let out = out.to_str().with_context(|| format!("{} is no text", out.display()))?;
    run("web/package", "npm", &["pack", "--silent", "--pack-destination", out])
}

/// Builds the page into `crates/app/page`. With `check` it is built elsewhere, and it is an error if `crates/app/page`
/// differs: the binary holds its files, so whoever writes them makes cargo build the program again.
pub fn page(check: bool) -> Result<()> {
    install()?;
    if !check {
        return script(&["build"], &[]);
    }
    let built = target_folder()?.join("web").join("page");
    let out = built.to_str().with_context(|| format!("{} is no text", built.display()))?;
    script(&["build", "--", "--outDir", out, "--emptyOutDir"], &[])?;
    let (before, after) = (files(Path::new(DIST))?, files(&built)?);
    let names = before.keys().chain(after.keys());
    let Some(first) = names.into_iter().find(|name| before.get(*name) != after.get(*name)) else { return Ok(()) };
    bail!("{DIST}/{} is not what web/src builds: run cargo xtask page", first.display())
}

/// Types, format and unit tests of the page against the program `engine`, and that `crates/app/page` is what its sources
/// build.
pub fn check(engine: &Path) -> Result<()> {
    install()?;
    script(&["check"], &[])?;
    page(true)?;
    test("test", engine, None)
}

/// Runs a script of the page's tests against the program `engine`, and the page with its own engine in `site`.
pub fn test(tests: &str, engine: &Path, site: Option<&Path>) -> Result<()> {
    let site = site.map(Path::canonicalize).transpose()?;
    let variables = [("HIPPOLYTA", Some(engine)), ("HIPPOLYTA_SITE", site.as_deref())];
    let known: Vec<_> = variables.iter().filter_map(|&(name, path)| Some((name, path?))).collect();
    script(&[tests], &known)
}

/// Tests the npm package where that takes too long for each change.
pub fn package_chores(engine: &Path) -> Result<()> {
    install()?;
    script(&["test:package", "chores"], &[("HIPPOLYTA", engine)])
}

/// Runs a script of `web/package.json`: its name and what follows, and paths that it finds in variables.
fn script(words: &[&str], variables: &[(&str, &Path)]) -> Result<()> {
    let mut npm = Command::new("npm");
    npm.args(["run", "--silent"]).args(words).current_dir("web").envs(variables.iter().copied());
    let status = status(&mut npm).context("npm")?;
    ensure!(status.success(), "npm run {}: {status}", words.join(" "));
    Ok(())
}

/// All files below `folder`, by their path in it.
fn files(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop().filter(|next| next.exists()) {
        for entry in fs::read_dir(&next).with_context(|| next.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder)?.to_owned(), fs::read(&path)?);
            }
        }
    }
    Ok(found)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    files(from)?.into_iter().try_for_each(|(name, content)| write(&to.join(name), &content))
}

fn write(path: &Path, content: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, content).with_context(|| path.display().to_string())
}
