//! Starting what was built: natively, or by what Debian's packages have for other systems.

use crate::output;
use crate::tests::there_is;
use anyhow::{Context, Result, ensure};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// `bcryptprimitives.dll`, as far as Rust's standard library calls it.
const RANDOM: &str = "#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) {
    return SystemFunction036(bytes, (ULONG)count);
}
";

/// How programs of a target are started here.
pub struct Runner {
    /// The program that starts them, if they do not start themselves.
    by: Option<&'static str>,
    variables: Vec<(&'static str, OsString)>,
}

impl Runner {
    /// For programs of this machine.
    pub fn here() -> Self {
        Self { by: None, variables: Vec::new() }
    }

    /// For programs of `target`. Files that it needs beside programs are kept in `scratch`. If there is none, says what
    /// this machine lacks.
    pub fn of(target: &str, scratch: &Path) -> Result<Self, String> {
        let (architecture, system) = (std::env::consts::ARCH, std::env::consts::OS);
        let is_system = target.contains(match system {
            "macos" => "apple",
            other => other,
        });
        // Apple's Rosetta starts programs for Intel as if they were its own.
        if is_system && (target.starts_with(architecture) || system == "macos") {
            return Ok(Self::here());
        }
        let (programs, package): (&[&str], _) = match target {
            _ if system != "linux" => return Err(format!("{target} does not run on {system}")),
            _ if target.contains("windows") => (&["wine", "wine64"], "wine"),
            _ if target.starts_with("aarch64") => (&["qemu-aarch64-static", "qemu-aarch64"], "qemu-user-static"),
            _ => (&["qemu-x86_64-static", "qemu-x86_64"], "qemu-user-static"),
        };
        let there = programs.iter().find(|program| there_is(program));
        let by = there.ok_or_else(|| format!("this machine lacks {} (Debian: {package})", programs[0]))?;
        // Nothing of wine's in anybody's home folder, and none of its remarks.
        let wine = [("WINEPREFIX", scratch.join("wine").into_os_string()), ("WINEDEBUG", "-all".into())];
        let variables = if package == "wine" { wine.into() } else { Vec::new() };
        let runner = Self { by: Some(by), variables };
        if package == "wine" {
            runner.complete_wine(scratch).map_err(|error| format!("wine cannot be prepared: {error:#}"))?;
        }
        Ok(runner)
    }

    /// Rust takes random numbers from a part of Windows that wine has from version 9 on. Older ones get it from us.
    fn complete_wine(&self, scratch: &Path) -> Result<()> {
        let by = self.by.context("no wine")?;
        let done = Command::new(by).args(["wineboot", "--init"]).envs(self.variables.iter().cloned()).output()?;
        ensure!(done.status.success(), "wineboot: {}", done.status);
        let library = scratch.join("wine/drive_c/windows/system32/bcryptprimitives.dll");
        if library.exists() {
            return Ok(());
        }
        let source = scratch.join("random.c");
        fs::write(&source, RANDOM)?;
        let files = ["-shared", "-o", crate::text(&library)?, crate::text(&source)?, "-ladvapi32"];
        output("x86_64-w64-mingw32-gcc", &files).map(|_| ())
    }

    /// How, in words that follow a verb.
    pub fn words(&self) -> String {
        self.by.map_or_else(|| "natively".to_owned(), |by| format!("by {by}"))
    }

    /// A command that starts `program`.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = match self.by {
            None => Command::new(program),
            Some(by) => {
                let mut command = Command::new(by);
                command.arg(program);
                command
            }
        };
        command.envs(self.variables.iter().map(|(name, value)| (*name, value)));
        command
    }

    /// The output of `program`.
    pub fn output(&self, program: &Path, arguments: &[&str]) -> Result<String> {
        let shown = || format!("{} {} {}", program.display(), arguments.join(" "), self.words());
        let done = self.command(program).args(arguments).output().with_context(shown)?;
        let errors = String::from_utf8_lossy(&done.stderr);
        ensure!(done.status.success(), "{}: {}: {}", shown(), done.status, errors.trim());
        String::from_utf8(done.stdout).with_context(shown)
    }
}

/// The node count in what `hippolyta bench` prints.
pub fn signature(bench: &str) -> Result<u64> {
    let last = bench.lines().last().unwrap_or_default();
    let count = last.split_once(" nodes ").context("no node count");
    count.and_then(|(count, _)| Ok(count.parse()?)).with_context(|| format!("the last line of bench: {last:?}"))
}

/// Starts the page's engine by Node.js, as a browser would start it.
pub fn page(site: &Path, stated: u64) -> Result<String> {
    if !there_is("node") {
        return Ok("not started, as this machine lacks node (Debian: nodejs)".to_owned());
    }
    let script = PathBuf::from("web/tests/bench.mjs");
    let found = output("node", &[crate::text(&script)?, crate::text(site)?])?;
    let found = found.trim().parse().with_context(|| format!("{} prints {found:?}", script.display()))?;
    super::compare(found, stated)?;
    Ok(format!("bench {found} by node"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_signature_is_the_last_line_of_bench() {
        assert_eq!(signature("info depth 7\n1063744 nodes 481503 nps\n").unwrap(), 1_063_744);
        let error = format!("{:#}", signature("info depth 7\nbestmove a1a2\n").unwrap_err());
        assert_eq!(error, "the last line of bench: \"bestmove a1a2\": no node count");
    }

    #[test]
    fn a_program_of_this_system_needs_nothing_to_start() {
        let target = match std::env::consts::OS {
            "macos" => "aarch64-apple-darwin".to_owned(),
            "windows" => format!("{}-pc-windows-msvc", std::env::consts::ARCH),
            system => format!("{}-unknown-{system}-musl", std::env::consts::ARCH),
        };
        let runner = Runner::of(&target, Path::new("nowhere")).unwrap();
        assert_eq!(runner.words(), "natively");
        let version = runner.output(Path::new("rustc"), &["--version"]).unwrap();
        assert!(version.starts_with("rustc "), "{version}");
        let error = runner.output(Path::new("rustc"), &["--no-such-option"]).unwrap_err().to_string();
        assert!(error.starts_with("rustc --no-such-option natively: exit"), "{error}");
    }
}
