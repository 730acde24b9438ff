//! Combinations of features that somebody builds, and that no test of the whole does.

use crate::run;
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

/// Lints and tests each of them. Nothing is shared between them, so it takes far longer than other tests.
pub fn test() -> Result<()> {
    BUILDS.iter().try_for_each(|(build, tested)| {
        let cargo = |words: &[&str], rest: &[&str]| run(".", "cargo", &[words, &["--package"], build, rest].concat());
        cargo(&["clippy"], &["--all-targets", "--", "-D", "warnings"])?;
        cargo(&["test"], &[tested])
    })
}
