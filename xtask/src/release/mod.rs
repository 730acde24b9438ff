//! The files of a release: programs for every system, packages, the page, checksums, and a list of what is in them.
//!
//! Each program is started before it counts, natively or by qemu or wine, and must play as the commits say it does
//! (`hippolyta bench`). The same commit gives the same bytes in any folder.

mod build;
mod contents;
mod debian;
mod pack;
mod programs;
mod python;
mod start;

pub use build::flags;
pub use contents::{Held, write_licences};

use crate::tests::in_ci;
use crate::{output, target_folder, web};
use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use pack::Files;
use programs::Machine;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// The parts of a release, besides checksums and the list of contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Linux on x86-64: an archive and a Debian package
    #[value(name = "linux-x86-64")]
    LinuxX86,
    /// Linux on ARM64: an archive and a Debian package
    LinuxArm64,
    /// Windows on x86-64: an archive
    #[value(name = "windows-x86-64")]
    WindowsX86,
    /// macOS on Apple silicon: an archive; only on a Mac
    MacosArm64,
    /// macOS on Intel: an archive; only on a Mac
    #[value(name = "macos-x86-64")]
    MacosX86,
    /// The page with the engine as WebAssembly: an archive for any static host
    Web,
    /// Python wheels for the systems that can be built for here
    Wheels,
    /// The Python package's source distribution
    Sdist,
}

/// The outcome of building a part.
pub enum Outcome {
    /// Built, and how it was started.
    Built(Vec<Built>),
    /// Not built, and why.
    Skipped(String),
}

/// A file of the release.
pub struct Built {
    path: PathBuf,
    /// "bench 1063744 by wine", or why it was not started.
    start: String,
}

/// Settings that all parts of a release share.
pub struct Release {
    version: &'static str,
    /// The date of all files: seconds since 1970.
    date: u64,
    /// Where the files go.
    out: PathBuf,
    /// The node count that the commits state.
    signature: u64,
    /// Built to be tried, not to be given away.
    quick: bool,
}

/// Builds `parts` (all of them if there are none) into `out`.
pub fn build(out: &Path, parts: &[Part], quick: bool) -> Result<()> {
    let release = Release::new(out, quick)?;
    let all = if parts.is_empty() { Part::value_variants() } else { parts };
    let (mut files, mut skipped) = (Vec::new(), Vec::new());
    for &part in all {
        let name = part.to_possible_value().context("parts have names")?;
        let name = name.get_name();
        eprintln!("{name} …");
        match release.part(part).with_context(|| name.to_owned())? {
            Outcome::Skipped(reason) => {
                println!("{name}: skipped, as {reason}");
                skipped.push(part);
            }
            Outcome::Built(built) => {
                for Built { path, start } in built {
                    println!("{name}: {}, {} bytes, {start}", path.display(), fs::metadata(&path)?.len());
                    files.push(path);
                }
            }
        }
    }
    let list = format!("hippolyta-{}.cdx.json", release.version);
    files.push(pack::write(&release.out, &list, contents::bill(&release)?.as_bytes())?);
    println!("contents: {}", files[files.len() - 1].display());
    let sums = pack::write(&release.out, "SHA256SUMS", checksums(&files)?.as_bytes())?;
    println!("checksums: {}", sums.display());
    // A part that another system must build is no fault of this one.
    skipped.retain(|part| !matches!(part, Part::MacosArm64 | Part::MacosX86));
    ensure!(!in_ci() || skipped.is_empty(), "in CI nothing is skipped, but {skipped:?}");
    Ok(())
}

impl Release {
    fn new(out: &Path, quick: bool) -> Result<Self> {
        clear(out)?;
        if !output("git", &["status", "--porcelain"]).unwrap_or_default().is_empty() {
            eprintln!("the files differ from the last commit, whose date the release has");
        }
        let date = match std::env::var("SOURCE_DATE_EPOCH") {
            Ok(date) => date,
            Err(_) => output("git", &["log", "-1", "--format=%ct"]).context("no commit: set SOURCE_DATE_EPOCH")?,
        };
        Ok(Self {
            version: env!("CARGO_PKG_VERSION"),
            date: date.trim().parse().with_context(|| format!("a date in seconds since 1970: {date}"))?,
            out: out.canonicalize()?,
            signature: stated()?,
            quick,
        })
    }

    fn part(&self, part: Part) -> Result<Outcome> {
        match part {
            Part::LinuxX86 => programs::make(self, &Machine::LINUX_X86),
            Part::LinuxArm64 => programs::make(self, &Machine::LINUX_ARM64),
            Part::WindowsX86 => programs::make(self, &Machine::WINDOWS_X86),
            Part::MacosArm64 => programs::make(self, &Machine::MACOS_ARM64),
            Part::MacosX86 => programs::make(self, &Machine::MACOS_X86),
            Part::Web => self.web(),
            Part::Wheels => python::wheels(self),
            Part::Sdist => python::sdist(self),
        }
    }

    /// The page: what is in `crates/app/page`, with the engine.
    fn web(&self) -> Result<Outcome> {
        if !web::target()? {
            return Ok(Outcome::Skipped("Rust's target for WebAssembly cannot be had".to_owned()));
        }
        let scratch = Scratch::new("web")?;
        let site = scratch.path().join("site");
        let build = if self.quick { web::Build::Quick } else { web::Build::Best };
        web::site(&site, build)?;
        let stem = format!("hippolyta-{}-web", self.version);
        let files: Files = pack::read_folder(&site, &[])?;
        let files = files.into_iter().map(|(name, file)| (format!("{stem}/{name}"), file)).collect();
        let path = pack::write(&self.out, &format!("{stem}.zip"), &pack::zip(&files, self.date)?)?;
        pack::unpack(&path, scratch.path())?;
        let start = start::page(&scratch.path().join(&stem), self.signature)?;
        Ok(Outcome::Built(vec![Built { path, start }]))
    }
}

/// Makes the folder, or removes what an earlier release left in it. A folder of anything else is left alone.
fn clear(out: &Path) -> Result<()> {
    if out.exists() && fs::read_dir(out)?.next().is_some() {
        let release = out.join("SHA256SUMS").exists() || output_is_unfinished(out)?;
        ensure!(release, "{}: holds files, but no release", out.display());
        fs::remove_dir_all(out)?;
    }
    fs::create_dir_all(out).with_context(|| out.display().to_string())
}

/// Whether a release was broken off here: all files are named like its files.
fn output_is_unfinished(out: &Path) -> Result<bool> {
    for entry in fs::read_dir(out)? {
        let entry = entry?;
        if !entry.file_type()?.is_file() || !entry.file_name().to_string_lossy().starts_with("hippolyta") {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The node count of the last commit that states one.
fn stated() -> Result<u64> {
    let messages = output("git", &["log", "--format=%B"])?;
    let counts = messages.lines().filter_map(|line| line.split_once("Bench: ")?.1.split(' ').next()?.parse().ok());
    counts.into_iter().next().context("no commit states the node count of bench (a shallow clone?)")
}

fn checksums(files: &[PathBuf]) -> Result<String> {
    let mut lines = Vec::new();
    for path in files {
        let name = path.file_name().and_then(|name| name.to_str()).context("a file without a name")?;
        lines.push(format!("{}  {name}\n", sha256(&fs::read(path)?)));
    }
    lines.sort_by(|a, b| a[66..].cmp(&b[66..]));
    Ok(lines.concat())
}

fn sha256(content: &[u8]) -> String {
    hex(&Sha256::digest(content))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A folder that is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Result<Self> {
        let path = target_folder()?.join(format!("release-{name}-{}", std::process::id()));
        if path.exists() {
            fs::remove_dir_all(&path)?;
        }
        fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
        Ok(Self(path))
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that stays is no reason to fail.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Fails unless a program plays as the commits say.
fn compare(found: u64, stated: u64) -> Result<()> {
    if found != stated {
        bail!("bench says {found}, but the commits {stated}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_sha256sum_in_the_order_of_names() {
        let scratch = Scratch::new("sums").unwrap();
        let files =
            [("b", "abc"), ("a", "")].map(|(name, text)| pack::write(scratch.path(), name, text.as_bytes()).unwrap());
        // FIPS 180-2's examples.
        let expected = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n\
                        ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b\n";
        assert_eq!(checksums(&files).unwrap(), expected);
    }

    #[test]
    fn a_folder_of_something_else_is_left_alone() {
        let scratch = Scratch::new("clear").unwrap();
        let out = scratch.path().join("out");
        clear(&out).unwrap();
        pack::write(&out, "hippolyta-0.2.0.cdx.json", b"").unwrap();
        clear(&out).unwrap();
        assert_eq!(fs::read_dir(&out).unwrap().count(), 0);
        pack::write(&out, "thesis.tex", b"").unwrap();
        assert!(clear(&out).unwrap_err().to_string().ends_with("out: holds files, but no release"));
        assert!(out.join("thesis.tex").exists());
        pack::write(&out, "SHA256SUMS", b"").unwrap();
        clear(&out).unwrap();
        assert!(!out.join("thesis.tex").exists());
    }
}
