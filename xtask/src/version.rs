//! The version: one number for all crates, the Python package, the npm package and the page, set in every place by one
//! command. `tests/program/documents.rs` compares the places.

use crate::{output, root, run};
use anyhow::{Context, Result, ensure};
use jiff::Timestamp;
use std::fs;

/// The files that name the version, and how often. Other manifests of Rust take it from the first, and so does the
/// Python package; cargo writes its lock file itself.
const PLACES: [(&str, usize); 4] =
    [("Cargo.toml", 7), ("web/package.json", 1), ("web/package-lock.json", 2), ("web/package/package.json", 1)];

const CHANGES: &str = "CHANGELOG.md";

/// The numbers of a version.
fn numbers(version: &str) -> Result<[u64; 3]> {
    let parts = version.split('.').map(str::parse).collect::<Result<Vec<_>, _>>().ok();
    parts.and_then(|parts| parts.try_into().ok()).with_context(|| format!("'{version}' is no version, such as 0.3.0"))
}

/// A manifest with another version. The first lines of a package of npm, and of a lock file, are about the package itself.
fn renumbered(text: &str, old: &str, new: &str, count: usize) -> Result<String> {
    let is_own = |line: &str| {
        let line = line.trim();
        line == format!("version = \"{old}\"")
            || (line.starts_with("hippolyta") && line.ends_with(&format!("version = \"{old}\" }}")))
            || line == format!("\"version\": \"{old}\",")
    };
    let (mut found, mut lines) = (0, Vec::new());
    for line in text.lines() {
        let is_place = found < count && is_own(line);
        found += usize::from(is_place);
        lines.push(if is_place { line.replace(old, new) } else { line.to_owned() });
    }
    ensure!(found == count, "the version {old} is there {found} times, not {count}");
    Ok(lines.join("\n") + "\n")
}

/// The list of changes in which those that were not released are of this version.
fn released(text: &str, version: &str, date: &str) -> Result<String> {
    const OPEN: &str = "\n## [Unreleased]\n";
    let (before, after) = text.split_once(OPEN).context("there is no [Unreleased]")?;
    let changes = after.split("\n## [").next().unwrap_or_default();
    ensure!(!changes.trim().is_empty(), "nothing is [Unreleased]");
    Ok(format!("{before}{OPEN}\n## [{version}] - {date}\n{after}"))
}

/// Sets the version everywhere, and gives the changes that were not released its name and today's date.
pub fn set(version: &str) -> Result<()> {
    let old = env!("CARGO_PKG_VERSION");
    ensure!(numbers(version)? > numbers(old)?, "{version} does not come after {old}");
    let date = Timestamp::now().strftime("%Y-%m-%d").to_string();
    let mut written = Vec::new();
    for (name, count) in PLACES {
        let text = fs::read_to_string(name).context(name)?;
        written.push((name, renumbered(&text, old, version, count).context(name)?));
    }
    let text = fs::read_to_string(CHANGES).context(CHANGES)?;
    written.push((CHANGES, released(&text, version, &date).context(CHANGES)?));
    for (name, text) in written {
        fs::write(root()?.join(name), text).context(name)?;
    }
    run(".", "cargo", &["update", "--quiet", "--workspace", "--offline"])?;
    output("cargo", &["metadata", "--format-version", "1", "--locked", "--offline"])?;
    println!("{old} is {version} now; a tag v{version} of the commit with these changes releases it");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_places_are_found_in_the_files_as_they_are() {
        for (name, count) in PLACES {
            let text = fs::read_to_string(root().unwrap().join(name)).unwrap();
            let new = renumbered(&text, env!("CARGO_PKG_VERSION"), "9.8.7", count).unwrap();
            assert_eq!((new.matches("9.8.7").count(), new.lines().count()), (count, text.lines().count()), "{name}");
        }
    }

    #[test]
    fn other_packages_keep_their_version() {
        let text = "version = \"0.2.0\"\nhippolyta = { path = \".\", version = \"0.2.0\" }\nfoldhash = \"0.2.0\"\n";
        let new = renumbered(text, "0.2.0", "0.3.0", 2).unwrap();
        assert_eq!(
            new,
            "version = \"0.3.0\"\nhippolyta = { path = \".\", version = \"0.3.0\" }\nfoldhash = \"0.2.0\"\n"
        );
        let lock = "  \"version\": \"0.2.0\",\n  \"version\": \"0.2.0\",\n";
        assert_eq!(renumbered(lock, "0.2.0", "0.3.0", 1).unwrap(), lock.replacen("0.2.0", "0.3.0", 1));
        let error = renumbered("", "0.2.0", "0.3.0", 1).unwrap_err().to_string();
        assert_eq!(error, "the version 0.2.0 is there 0 times, not 1");
    }

    #[test]
    fn changes_get_the_version_and_its_date() {
        let text = "# Changes\n\n## [Unreleased]\n\n- New.\n\n## [0.2.0] - 2026-11-23\n";
        let new = released(text, "0.3.0", "2026-11-27").unwrap();
        let expected = "# Changes\n\n## [Unreleased]\n\n## [0.3.0] - 2026-11-27\n\n- New.\n\n## [0.2.0] - 2026-11-23\n";
        assert_eq!(new, expected);
        assert_eq!(released(&new, "0.4.0", "2026-11-28").unwrap_err().to_string(), "nothing is [Unreleased]");
    }

    #[test]
    fn a_version_has_three_numbers() {
        assert!(numbers("0.10.0").unwrap() > numbers("0.9.12").unwrap());
        for wrong in ["0.3", "v0.3.0", "0.3.0-rc1", ""] {
            assert!(numbers(wrong).is_err(), "{wrong}");
        }
    }
}
