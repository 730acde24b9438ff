//! Programs: an archive for each system, and Debian packages.

use super::build;
use super::contents;
use super::debian;
use super::pack::{self, File, Files};
use super::start::{self, Runner};
use super::{Built, Outcome, Release, Scratch};
use crate::tests::there_is;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;

/// A system that a program is built for.
pub struct Machine {
    /// In the name of the archive.
    pub name: &'static str,
    /// Rust's name of it.
    pub target: &'static str,
    /// Further flags of rustc.
    flags: &'static [&'static str],
    /// The linker, where it is not Rust's own, and Debian's package of it.
    linker: Option<(&'static str, &'static str)>,
    /// Debian's name of it.
    debian: Option<&'static str>,
}

/// Rust brings a linker and a C library for musl, so that nothing else need be installed.
const OWN_LINKER: &[&str] = &["-Clinker=rust-lld", "-Clinker-flavor=ld.lld"];

impl Machine {
    /// Static: it runs on every Linux. Faster code for newer processors is chosen when it starts.
    pub const LINUX_X86: Self = Self {
        name: "linux-x86-64",
        target: "x86_64-unknown-linux-musl",
        flags: OWN_LINKER,
        linker: None,
        debian: Some("amd64"),
    };
    pub const LINUX_ARM64: Self = Self {
        name: "linux-arm64",
        target: "aarch64-unknown-linux-musl",
        flags: OWN_LINKER,
        linker: None,
        debian: Some("arm64"),
    };
    pub const WINDOWS_X86: Self = Self {
        name: "windows-x86-64",
        target: "x86_64-pc-windows-gnu",
        // Otherwise the linker writes the time.
        flags: &["-Clink-arg=-Wl,--no-insert-timestamp"],
        linker: Some(("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64")),
        debian: None,
    };
    pub const MACOS_ARM64: Self =
        Self { name: "macos-arm64", target: "aarch64-apple-darwin", flags: &[], linker: None, debian: None };
    pub const MACOS_X86: Self =
        Self { name: "macos-x86-64", target: "x86_64-apple-darwin", flags: &[], linker: None, debian: None };

    fn is_windows(&self) -> bool {
        self.target.contains("windows")
    }

    /// Why it cannot be built for here.
    fn obstacle(&self) -> Result<Option<String>> {
        if self.target.contains("apple") && !cfg!(target_os = "macos") {
            return Ok(Some("its programs start on a Mac alone".to_owned()));
        }
        if let Some((linker, package)) = self.linker
            && !there_is(linker)
        {
            return Ok(Some(format!("this machine lacks {linker} (Debian: {package})")));
        }
        Ok((!build::has_target(self.target)?).then(|| format!("Rust's target {} cannot be had", self.target)))
    }
}

/// Documents that a program writes of itself: manual pages and completions, as files of the archive.
fn documents(runner: &Runner, program: &Path, scratch: &Path) -> Result<Files> {
    let man = scratch.join("man");
    runner.output(program, &["man", "--out", crate::text(&man)?])?;
    let mut files: Files =
        pack::read_folder(&man, &[])?.into_iter().map(|(name, file)| (format!("man/man1/{name}"), file)).collect();
    ensure!(files.contains_key("man/man1/hippolyta.1"), "hippolyta man --out has written {:?}", files.keys());
    for (shell, name) in [
        ("bash", "hippolyta.bash"),
        ("zsh", "_hippolyta"),
        ("fish", "hippolyta.fish"),
        ("powershell", "_hippolyta.ps1"),
    ] {
        let script = runner.output(program, &["completions", shell])?;
        files.insert(format!("completions/{name}"), pack::plain(script));
    }
    Ok(files)
}

/// The files of a folder that end in one of these, with the folder in their names.
pub(super) fn ending(folder: &str, endings: &[&str]) -> Result<Files> {
    let files = pack::read_folder(Path::new(folder), &[])?.into_iter();
    let files = files.filter(|(name, _)| endings.iter().any(|ending| name.ends_with(ending)));
    Ok(files.map(|(name, file)| (format!("{folder}/{name}"), file)).collect())
}

/// Texts for a receiver of the program, and the scripts and rule sets that they speak of.
fn texts() -> Result<Files> {
    let mut files = ending("docs", &[".md", ".svg", ".png"])?;
    files.extend(ending("examples", &[".py"])?);
    files.extend(ending("examples/rules", &[".toml"])?);
    for name in ["README.md", "CHANGELOG.md", "SECURITY.md", "protocol.md"] {
        files.insert(name.to_owned(), pack::plain(fs::read(name).context(name)?));
    }
    files.extend(contents::licences(contents::Held::Program)?);
    Ok(files)
}

/// Builds the program for `machine`, starts it as it comes out of its archive, and does the same with the Debian package.
pub fn make(release: &Release, machine: &Machine) -> Result<Outcome> {
    if let Some(reason) = machine.obstacle()? {
        return Ok(Outcome::Skipped(reason));
    }
    let scratch = Scratch::new(machine.name)?;
    let runner = match Runner::of(machine.target, scratch.path()) {
        Ok(runner) => runner,
        Err(lack) => return Ok(Outcome::Skipped(lack)),
    };
    let program = build::program(release, machine.target, machine.flags, machine.linker.map(|(linker, _)| linker))?;
    let documents = documents(&runner, &program, scratch.path())?;
    let stem = format!("hippolyta-{}-{}", release.version, machine.name);
    let content = fs::read(&program).with_context(|| program.display().to_string())?;
    let name = if machine.is_windows() { "hippolyta.exe" } else { "hippolyta" };
    let mut files = documents.clone();
    files.extend(texts()?);
    files.insert(name.to_owned(), File { content: content.clone(), is_program: true });
    let files: Files = files.into_iter().map(|(name, file)| (format!("{stem}/{name}"), file)).collect();
    let (ending, bytes) = match machine.is_windows() {
        true => ("zip", pack::zip(&files, release.date)?),
        false => ("tar.gz", pack::tar_gz(&files, release.date)?),
    };
    let path = pack::write(&release.out, &format!("{stem}.{ending}"), &bytes)?;
    pack::unpack(&path, scratch.path())?;
    let unpacked = scratch.path().join(&stem).join(name);
    let found = start::signature(&runner.output(&unpacked, &["bench"])?)?;
    super::compare(found, release.signature)?;
    let mut built = vec![Built { path, start: format!("bench {found} {}", runner.words()) }];
    if let Some(architecture) = machine.debian {
        let package = debian::package(release, architecture, &content, &documents)?;
        let name = format!("hippolyta_{}_{architecture}.deb", release.version);
        let path = pack::write(&release.out, &name, &package)?;
        let start = debian::install(&path, architecture, &content, &runner, scratch.path())?;
        built.push(Built { path, start });
    }
    Ok(Outcome::Built(built))
}
