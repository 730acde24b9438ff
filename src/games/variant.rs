//! The table of rule sets: what a client selects by name.

use thiserror::Error;

/// The rules that a family of games shares; rule sets of a family differ by data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// The Game of the Amazons, on the board and with the amazons that the FEN says.
    Amazons,
}

/// One rule set.
#[derive(Debug, PartialEq, Eq)]
pub struct Variant {
    /// Name in the protocol and on the command line.
    pub name: &'static str,
    /// Other accepted names.
    pub aliases: &'static [&'static str],
    /// FEN of the start position.
    pub start: &'static str,
    /// Which rules.
    pub family: Family,
}

/// Every rule set, the default first.
pub const VARIANTS: &[Variant] = &[
    Variant {
        name: "amazons",
        aliases: &["amazons10"],
        start: "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1",
        family: Family::Amazons,
    },
    Variant { name: "amazons8", aliases: &[], start: "2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w - - 0 1", family: Family::Amazons },
    Variant { name: "amazons6", aliases: &[], start: "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1", family: Family::Amazons },
];

/// The rule set in force until a client selects one.
pub const DEFAULT: &Variant = &VARIANTS[0];

/// No rule set has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown variant '{name}': known are {}", names().join(", "))]
pub struct UnknownVariant {
    /// The name asked for.
    pub name: String,
}

/// The names of all rule sets.
#[must_use]
pub fn names() -> Vec<&'static str> {
    VARIANTS.iter().map(|variant| variant.name).collect()
}

/// The rule set called `name`, upper and lower case alike.
pub fn find(name: &str) -> Result<&'static Variant, UnknownVariant> {
    let is = |known: &str| known.eq_ignore_ascii_case(name);
    let found = VARIANTS.iter().find(|variant| is(variant.name) || variant.aliases.iter().any(|alias| is(alias)));
    found.ok_or_else(|| UnknownVariant { name: name.to_owned() })
}
