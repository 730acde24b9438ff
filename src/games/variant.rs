//! The table of rule sets: what a client selects by name.

use super::{damone, desdemona};
use thiserror::Error;

/// The rules that a family of games shares; rule sets of a family differ by data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// The Game of the Amazons, on the board and with the amazons that the FEN says.
    Amazons,
    /// Desdemona and its relatives, by these rules.
    Desdemona(&'static desdemona::Rules),
    /// Italian Damone, by these rules.
    Damone(&'static damone::Rules),
}

/// What may be claimed as proven without a search. Each rule set says it for itself, as what holds under some rules is
/// false under others: whoever cannot move loses in the Amazons, and wins in misère.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {
    /// Nothing.
    Nothing,
    /// The Amazons: moves that are left in closed territories, margins of small regions, and proof searches built on
    /// them.
    Territories,
    /// Desdemona and its relatives: the lead once no stone can flip any more.
    SettledStones,
    /// Damone: endgame tables.
    Tables,
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
    /// What may be claimed as proven.
    pub exact: Exact,
}

const fn variant(
    name: &'static str,
    aliases: &'static [&'static str],
    start: &'static str,
    (family, exact): (Family, Exact),
) -> Variant {
    Variant { name, aliases, start, family, exact }
}

const AMAZONS: (Family, Exact) = (Family::Amazons, Exact::Territories);

const fn desdemona(rules: &'static desdemona::Rules) -> (Family, Exact) {
    (Family::Desdemona(rules), Exact::SettledStones)
}

const fn damone(rules: &'static damone::Rules) -> (Family, Exact) {
    (Family::Damone(rules), Exact::Tables)
}

const WITH_STONES: &str = "3q2Q3/10/10/Q8q/4sS4/4Ss4/q8Q/10/10/3Q2q3 w m - 0 1";
const WITHOUT_STONES: &str = "3q2Q3/10/10/Q8q/10/10/q8Q/10/10/3Q2q3 w m - 0 1";
const DAMONE_START: &str = "i1d1p3/3p4/d1p5/1p5P/p5P1/5P1D/4P3/3P1D1I w - - 0 1";

/// Every rule set, the default first.
pub const VARIANTS: &[Variant] = &[
    variant("amazons", &["amazons10"], "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1", AMAZONS),
    variant("amazons8", &[], "2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w - - 0 1", AMAZONS),
    variant("amazons6", &[], "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1", AMAZONS),
    variant("desdemona", &[], WITH_STONES, desdemona(&desdemona::Rules::DESDEMONA)),
    variant("cassio", &[], WITH_STONES, desdemona(&desdemona::Rules::CASSIO)),
    variant("iago", &["lago"], WITH_STONES, desdemona(&desdemona::Rules::IAGO)),
    variant("desdemona-early", &[], WITHOUT_STONES, desdemona(&desdemona::Rules::EARLY)),
    variant("desdemona-early-border", &[], WITHOUT_STONES, desdemona(&desdemona::Rules::EARLY_BORDER)),
    variant("desdemona-site", &[], WITH_STONES, desdemona(&desdemona::Rules::DESDEMONA_SITE)),
    variant("cassio-site", &[], WITH_STONES, desdemona(&desdemona::Rules::CASSIO_SITE)),
    variant("damone", &[], DAMONE_START, damone(&damone::Rules::DAMONE)),
    variant("damone-three", &[], "d1d5/3p4/d1p5/1p6/6P1/5P1D/4P3/5D1D w - - 0 1", damone(&damone::Rules::DAMONE)),
    variant("damone-imperatore", &[], DAMONE_START, damone(&damone::Rules::IMPERATORE)),
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
///
/// # Errors
///
/// If there is none.
pub fn find(name: &str) -> Result<&'static Variant, UnknownVariant> {
    let is = |known: &str| known.eq_ignore_ascii_case(name);
    let found = VARIANTS.iter().find(|variant| is(variant.name) || variant.aliases.iter().any(|alias| is(alias)));
    found.ok_or_else(|| UnknownVariant { name: name.to_owned() })
}
