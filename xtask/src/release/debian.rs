//! The Debian package.

use super::Release;
use super::pack::{self, Files};
use super::start::Runner;
use crate::tests::there_is;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Who answers for the package. Whoever distributes it puts an address of their own here.
const MAINTAINER: &str = "The Hippolyta developers <maintainers@hippolyta.invalid>";

/// Where Debian's policy wants games (11.11).
const PROGRAM: &str = "usr/games/hippolyta";

const DESCRIPTION: &str = "game engine for the Game of the Amazons and its relatives
 Hippolyta plays and analyses thirteen board games. The best known is the Game
 of the Amazons: a piece moves like a queen in chess, then it closes a square
 for good, and whoever can no longer move has lost.
 .
 `hippolyta serve --open` opens a board in the browser, `hippolyta play` one in
 the terminal. Programs talk to it by UCI, UGI, GTP and lines of JSON.";

const DESKTOP: &str = "[Desktop Entry]
Type=Application
Name=Hippolyta
Comment=Play the Game of the Amazons and its relatives
Exec=hippolyta serve --open
Icon=hippolyta
Terminal=true
Categories=Game;BoardGame;
Keywords=amazons;chess;engine;
";

/// The licences in the words that Debian's tools read.
const COPYRIGHT: &str = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: hippolyta
Comment: The program holds other people's code as well; the files
 LICENSES-THIRD-PARTY.txt.gz and LICENSES-RUST-LIBRARY.html.gz
  beside this file have their licences.

Files: *
Copyright: The Hippolyta developers
License: Expat or Apache-2.0

License: Expat
";

/// Lines of a licence as a field of a file of Debian's: one column to the right, empty ones as a full stop.
fn field(text: &str) -> String {
    text.lines().map(|line| if line.trim().is_empty() { " .\n".to_owned() } else { format!(" {line}\n") }).collect()
}

/// The changelog from which Debian's tools read a version's date; the changes stand in a file beside it.
fn changelog(version: &str, date: u64) -> Result<String> {
    let date = pack::civil(date)?.strftime("%a, %d %b %Y %H:%M:%S +0000");
    Ok(format!(
        "hippolyta ({version}) unstable; urgency=medium\n\n  * A new version: see CHANGELOG.md.gz.\n\n \
         -- {MAINTAINER}  {date}\n"
    ))
}

pub fn package(release: &Release, architecture: &str, program: &[u8], documents: &Files) -> Result<Vec<u8>> {
    let read = |name: &str| fs::read_to_string(name).with_context(|| name.to_owned());
    let mut files = Files::new();
    let mut add = |name: &str, file| files.insert(name.to_owned(), file);
    add(PROGRAM, pack::program(program));
    add("usr/share/applications/hippolyta.desktop", pack::plain(DESKTOP));
    add("usr/share/icons/hicolor/scalable/apps/hippolyta.svg", pack::plain(read("web/public/icon.svg")?));
    let copyright = format!(
        "{COPYRIGHT}{}\nLicense: Apache-2.0\n On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.\n",
        field(&read("LICENSE-MIT")?)
    );
    add("usr/share/doc/hippolyta/copyright", pack::plain(copyright));
    // Long files are compressed, as Debian's policy says (12.3, 12.7).
    let long = [
        ("changelog", changelog(release.version, release.date)?),
        ("CHANGELOG.md", read("CHANGELOG.md")?),
        ("README.md", read("README.md")?),
        ("protocol.md", read("protocol.md")?),
    ];
    for (name, text) in long {
        add(&format!("usr/share/doc/hippolyta/{name}.gz"), pack::plain(pack::gzip(text.as_bytes())?));
    }
    for (name, file) in super::programs::ending("docs/protocols", &[".md"])? {
        add(&format!("usr/share/doc/hippolyta/{name}.gz"), pack::plain(pack::gzip(&file.content)?));
    }
    for (name, file) in super::contents::licences(super::Held::Program)? {
        if name.starts_with("LICENSES") {
            add(&format!("usr/share/doc/hippolyta/{name}.gz"), pack::plain(pack::gzip(&file.content)?));
        }
    }
    add("usr/share/lintian/overrides/hippolyta", pack::plain(overrides(architecture)));
    for (name, file) in documents {
        let content = &file.content[..];
        match name.split_once('/').context("documents lie in folders")? {
            ("man", page) => add(&format!("usr/share/man/{page}.gz"), pack::plain(pack::gzip(content)?)),
            (_, "hippolyta.bash") => add("usr/share/bash-completion/completions/hippolyta", pack::plain(content)),
            (_, "_hippolyta") => add("usr/share/zsh/vendor-completions/_hippolyta", pack::plain(content)),
            (_, "hippolyta.fish") => add("usr/share/fish/vendor_completions.d/hippolyta.fish", pack::plain(content)),
            _ => None,
        };
    }
    let size = files.values().map(|file| file.content.len().div_ceil(1024)).sum::<usize>();
    let control = format!(
        "Package: hippolyta\nVersion: {}\nArchitecture: {architecture}\nMaintainer: {MAINTAINER}\n\
         Installed-Size: {size}\nSection: games\nPriority: optional\nDescription: {DESCRIPTION}\n",
        release.version
    );
    pack::deb(&control, &files, release.date)
}

/// The findings that Debian's checks are to accept, and why. To them a static program that the kernel may load
/// anywhere, as Rust builds it for x86-64, is a library.
fn overrides(architecture: &str) -> String {
    let found = if architecture == "amd64" { "shared-library-lacks-prerequisites" } else { "statically-linked-binary" };
    format!("# A static program runs on any distribution of any age.\nhippolyta: {found} [{PROGRAM}]\n")
}

/// Installs the package below a folder of its own, by dpkg where it is, and compares the program with the one that was
/// started. Debian's checks must accept it, where they are.
pub fn install(package: &Path, architecture: &str, program: &[u8], runner: &Runner, scratch: &Path) -> Result<String> {
    if !there_is("dpkg") {
        return Ok("not installed, as this machine lacks dpkg".to_owned());
    }
    let root = scratch.join("root");
    let database = root.join("var/lib/dpkg");
    for folder in ["info", "updates"] {
        fs::create_dir_all(database.join(folder))?;
    }
    fs::write(database.join("status"), "")?;
    // Of another architecture, and perhaps without the rights of root: neither matters in a folder of its own.
    let mut dpkg = Command::new("dpkg");
    dpkg.arg(format!("--root={}", crate::text(&root)?)).args([
        "--force-architecture",
        "--force-not-root",
        "--force-bad-path",
        "--install",
    ]);
    let done = dpkg.arg(package).output().context("dpkg")?;
    ensure!(
        done.status.success(),
        "dpkg --install {} ({architecture}): {}",
        package.display(),
        String::from_utf8_lossy(&done.stderr).trim()
    );
    let installed = root.join(PROGRAM);
    ensure!(fs::read(&installed)? == program, "{}: another program", installed.display());
    let version = runner.output(&installed, &["--version"])?;
    ensure!(version.trim() == concat!("hippolyta ", env!("CARGO_PKG_VERSION")), "--version says {version}");
    let mut words = "installed by dpkg, the program of the archive".to_owned();
    if there_is("lintian") {
        let checked =
            Command::new("lintian").arg("--fail-on=error,warning").arg(package).output().context("lintian")?;
        let said = String::from_utf8_lossy(&checked.stdout);
        ensure!(checked.status.success(), "lintian {}: {}", package.display(), said.trim());
        words += "; lintian accepts it";
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_has_its_weekday_and_date() {
        let text = changelog("0.2.0", 1_795_407_547).unwrap();
        assert!(text.starts_with("hippolyta (0.2.0) unstable; urgency=medium\n\n  * "), "{text}");
        assert!(text.ends_with(">  Mon, 23 Nov 2026 04:19:07 +0000\n"), "{text}");
    }

    #[test]
    fn a_field_has_no_empty_lines() {
        assert_eq!(field("MIT\n\n  a\n"), " MIT\n .\n   a\n");
    }
}
