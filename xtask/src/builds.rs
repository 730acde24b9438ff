//! What takes too long for each change: combinations of features that somebody builds, tests on a real cluster, and the
//! npm package in a server-side framework.

use crate::{python, run, tests};
use anyhow::Result;

/// A package with its features, and what of it is tested.
const BUILDS: [(&[&str], &str); 7] = [
    (&["hippolyta-rules"], "--tests"),
    // In the page.
    (&["hippolyta-protocol", "--no-default-features"], "--lib"),
    (&["hippolyta-protocol", "--no-default-features", "--features", "embedded"], "--lib"),
    (&["hippolyta-protocol", "--no-default-features", "--features", "inspect"], "--lib"),
    (&["hippolyta-protocol", "--no-default-features", "--features", "own"], "--lib"),
    // On docs.rs, and in tests of constants.
    (&["hippolyta", "--package", "hippolyta-protocol", "--package", "hippolyta-app", "--features", "tuning"], "--lib"),
    (&["hippolyta-app", "--no-default-features"], "--lib"),
];

/// Lints and tests each of them, which share nothing; then the slow tests of the packages for Python and npm.
pub fn test() -> Result<()> {
    BUILDS.iter().try_for_each(|(build, tested)| {
        let cargo = |words: &[&str], rest: &[&str]| run(".", "cargo", &[words, &["--package"], build, rest].concat());
        cargo(&["clippy"], &["--all-targets", "--", "-D", "warnings"])?;
        cargo(&["test"], &[tested])
    })?;
    python::chores()?;
    tests::package_chores()
}
