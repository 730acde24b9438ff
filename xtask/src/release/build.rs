//! Building for other systems, with nothing of this machine in what is built.

use super::Release;
use crate::{output, target_folder};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The profile of what is released: `[profile.dist]` in Cargo.toml.
pub const PROFILE: &str = "dist";

/// Flags by which no path of this machine gets into what is built: the same sources give the same bytes anywhere.
/// Where two prefixes fit, rustc takes the last.
pub fn flags() -> Result<Vec<String>> {
    let cargo = match std::env::var_os("CARGO_HOME") {
        Some(folder) => PathBuf::from(folder),
        None => std::env::home_dir().context("no home folder: set CARGO_HOME")?.join(".cargo"),
    };
    let sysroot = PathBuf::from(output("rustc", &["--print", "sysroot"])?.trim());
    let verbose = output("rustc", &["-vV"])?;
    let commit = verbose.lines().find_map(|line| line.strip_prefix("commit-hash: ")).unwrap_or("unknown");
    let mut prefixes = vec![
        (std::env::current_dir()?, "/hippolyta".to_owned()),
        (target_folder()?, "/target".to_owned()),
        (sysroot.join("lib/rustlib/src/rust"), format!("/rustc/{commit}")),
    ];
    let registries = cargo.join("registry").join("src");
    if registries.exists() {
        // Their names tell where the crates came from.
        for registry in fs::read_dir(&registries)? {
            prefixes.push((registry?.path(), "/crates".to_owned()));
        }
    }
    prefixes.into_iter().map(|(from, to)| Ok(format!("--remap-path-prefix={}={to}", crate::text(&from)?))).collect()
}

/// Whether Rust can build for this target; installs what it needs, if that can be had.
pub fn has_target(target: &str) -> Result<bool> {
    let sysroot = output("rustc", &["--print", "sysroot"])?;
    let libraries = Path::new(sysroot.trim()).join("lib/rustlib").join(target);
    let add = || Command::new("rustup").args(["target", "add", target]).status();
    Ok(libraries.is_dir() || add().is_ok_and(|status| status.success()))
}

/// Settings of cargo with which a release is built in a quarter of the time, to try how it is packed and started.
const QUICK: &[(&str, &str)] = &[("LTO", "off"), ("OPT_LEVEL", "1"), ("CODEGEN_UNITS", "64")];

/// Flags and settings of cargo for all that is released.
pub fn prepare(release: &Release, cargo: &mut Command, flags: &[String]) {
    // It stands in place of flags from anywhere else, and takes paths with spaces.
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    for (name, value) in if release.quick { QUICK } else { &[] } {
        cargo.env(format!("CARGO_PROFILE_{}_{name}", PROFILE.to_uppercase()), value);
    }
}

/// Builds the program and says where it is.
pub fn program(release: &Release, target: &str, own_flags: &[&str], linker: Option<&str>) -> Result<PathBuf> {
    let mut flags = flags()?;
    flags.extend(own_flags.iter().map(|&flag| flag.to_owned()));
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--locked", "--profile", PROFILE, "--target", target, "--bin", "hippolyta"]);
    prepare(release, &mut cargo, &flags);
    if let Some(linker) = linker {
        cargo.env(format!("CARGO_TARGET_{}_LINKER", target.to_uppercase().replace('-', "_")), linker);
    }
    let status = cargo.status().context("cargo")?;
    ensure!(status.success(), "cargo build for {target}: {status}");
    let name = if target.contains("windows") { "hippolyta.exe" } else { "hippolyta" };
    Ok(target_folder()?.join(target).join(PROFILE).join(name))
}
