//! The table of rule sets, which clients select by name.

use super::move_fire::Rules;
use super::{damone, general};
use crate::words::shown;
use std::sync::Arc;
use thiserror::Error;

pub use crate::games::traits::Traits;

/// The rules that a family of games shares. Rule sets of one family differ by data.
///
/// ```
/// use hippolyta_rules::games::variant::{self, Family};
///
/// let Family::Desdemona(rules) = variant::find("iago")?.family() else { panic!("a relative of Desdemona") };
/// assert!(rules.passes_stones);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// The Game of the Amazons. The FEN says how large the board is and where the amazons stand.
    Amazons,
    /// Desdemona and its relatives, with these rules.
    Desdemona(&'static Rules),
    /// Italian Damone, with these rules.
    Damone(&'static damone::Rules),
    /// Any other game of move and fire, with these rules.
    General(Rules),
}

impl Family {
    /// The family of a game of move and fire with these rules.
    fn of(rules: &Rules) -> Self {
        let is_theirs = |family: &Self| match family {
            Self::Amazons => rules.play_as(&Rules::AMAZONS) && !rules.moves_first,
            Self::Desdemona(known) => rules.play_as(known),
            Self::Damone(_) | Self::General(_) => false,
        };
        VARIANTS.iter().map(Variant::family).find(is_theirs).unwrap_or(Self::General(*rules))
    }
}

/// Facts that may be claimed as proven without a search. Each rule set says for itself which, because what is true
/// under some rules is false under others: a side that cannot move loses in the Amazons and wins in misère.
///
/// ```
/// use hippolyta_rules::games::variant::{self, Exact};
///
/// assert_eq!(variant::find("amazons")?.exact(), Exact::Territories);
/// assert_eq!(variant::find("damone")?.exact(), Exact::Tables);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exact {
    /// Nothing.
    Nothing,
    /// The Amazons: turns left in closed territories, margins of small regions, and the proof searches that are built
    /// on them.
    Territories,
    /// Desdemona and its relatives: the lead, once no stone can flip any more.
    SettledStones,
    /// Damone: endgame tables.
    Tables,
}

/// A rule set: a row of the table [`VARIANTS`], or one of one's own. A clone is cheap, as clones share what they hold;
/// with the last one of a rule set of one's own, it is freed. Two are equal if name, start and rules are: the title and
/// the description are words for people.
///
/// ```
/// use hippolyta_rules::games::{Notation, desdemona::Desdemona, variant};
///
/// let iago = variant::find("iago")?;
/// assert_eq!((iago.name(), iago.aliases()), ("iago", &["lago"][..]));
/// assert_eq!(Desdemona::from_fen(&iago, iago.start())?.fen(), iago.start());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Variant(Kept);

#[derive(Clone, Debug)]
enum Kept {
    BuiltIn(Row),
    Own(Arc<general::RuleSet>, Family),
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
struct Row {
    name: &'static str,
    aliases: &'static [&'static str],
    start: &'static str,
    family: Family,
    drawn: u8,
}

impl Variant {
    /// One's own.
    pub(super) fn of(own: general::RuleSet) -> Self {
        let family = Family::of(&own.rules);
        Self(Kept::Own(Arc::new(own), family))
    }

    /// Its name in the protocols and on the command line.
    #[must_use]
    pub fn name(&self) -> &str {
        match &self.0 {
            Kept::BuiltIn(row) => row.name,
            Kept::Own(own, _) => &own.name,
        }
    }

    /// Other names that are accepted.
    #[must_use]
    pub fn aliases(&self) -> &'static [&'static str] {
        match &self.0 {
            Kept::BuiltIn(row) => row.aliases,
            Kept::Own(..) => &[],
        }
    }

    /// The FEN of the start position.
    #[must_use]
    pub fn start(&self) -> &str {
        match &self.0 {
            Kept::BuiltIn(row) => row.start,
            Kept::Own(own, _) => &own.start,
        }
    }

    /// The rules. One's own that are those of a built-in game are of its family, whatever their name and start.
    ///
    /// ```
    /// use hippolyta_rules::games::general::{RuleSet, Rules};
    /// use hippolyta_rules::games::variant::Family;
    ///
    /// let (name, start) = ("small".to_owned(), "q2/3/2Q".to_owned());
    /// let set = RuleSet { name, title: String::new(), description: String::new(), start, rules: Rules::AMAZONS };
    /// assert_eq!(set.variant().family(), Family::Amazons);
    /// ```
    #[must_use]
    pub fn family(&self) -> Family {
        match &self.0 {
            Kept::BuiltIn(row) => row.family,
            Kept::Own(_, family) => *family,
        }
    }

    /// Facts that may be claimed as proven without a search.
    #[must_use]
    pub fn exact(&self) -> Exact {
        match self.family() {
            Family::Amazons => Exact::Territories,
            Family::Desdemona(_) => Exact::SettledStones,
            Family::Damone(_) => Exact::Tables,
            Family::General(_) => Exact::Nothing,
        }
    }

    /// How many of 100 games between equals are drawn, by 200 games at a long time control: see `docs/starts.md`. `None`
    /// where nobody has counted.
    #[must_use]
    pub fn drawn(&self) -> Option<u8> {
        match &self.0 {
            Kept::BuiltIn(row) => Some(row.drawn),
            Kept::Own(..) => None,
        }
    }

    /// One's own, with its words for people; `None` of those that are built in.
    #[must_use]
    pub fn own(&self) -> Option<&general::RuleSet> {
        match &self.0 {
            Kept::BuiltIn(_) => None,
            Kept::Own(own, _) => Some(own),
        }
    }

    /// The built-in rule set that has the same rules, and if several have, one that begins as this one does.
    ///
    /// ```
    /// use hippolyta_rules::games::variant;
    ///
    /// # #[cfg(feature = "files")]
    /// # {
    /// let mine = variant::find("mine = { like = 'cassio-site', description = 'as it is played there' }")?;
    /// assert_eq!(mine.as_built_in(), Some(&variant::find("cassio-site")?));
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn as_built_in(&self) -> Option<&'static Self> {
        let same = VARIANTS.iter().filter(|known| known.family() == self.family());
        same.min_by_key(|known| known.start() != self.start())
    }

    /// By what [`find`] finds it, in any process: its name, or the [line](general::RuleSet::line) of one's own.
    ///
    /// ```
    /// use hippolyta_rules::games::variant;
    ///
    /// assert_eq!(variant::find("iago")?.text(), "iago");
    /// # #[cfg(feature = "files")]
    /// let knights = variant::find("knights = { like = 'amazons6', moves = 'N' }")?;
    /// # #[cfg(feature = "files")]
    /// assert_eq!(knights.text(), "knights = { start = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1', moves = 'N' }");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        self.own().map_or_else(|| self.name().to_owned(), general::RuleSet::line)
    }

    /// Its traits, for whoever shows it.
    #[must_use]
    pub fn traits(&self) -> Traits {
        let promotes = matches!(self.family(), Family::Damone(_));
        let (stones, ownership, territories, draws) = match self.family() {
            Family::Amazons => (false, true, true, false),
            Family::Desdemona(_) => (true, true, false, true),
            Family::Damone(_) => (false, false, false, true),
            Family::General(rules) => (rules.has_stones(), false, rules.closes_territories(), rules.can_be_drawn()),
        };
        Traits {
            fires: !promotes,
            moves_first: self.start().split(' ').nth(2) == Some("m"),
            dark_squares: promotes,
            promotes,
            stones,
            ownership,
            territories,
            draws,
            sizes: !promotes,
        }
    }
}

impl PartialEq for Variant {
    fn eq(&self, other: &Self) -> bool {
        (self.name(), self.start(), self.family()) == (other.name(), other.start(), other.family())
    }
}

impl Eq for Variant {}

const fn variant(
    name: &'static str,
    aliases: &'static [&'static str],
    start: &'static str,
    family: Family,
    drawn: u8,
) -> Variant {
    Variant(Kept::BuiltIn(Row { name, aliases, start, family, drawn }))
}

const DESDEMONA: Family = Family::Desdemona(&Rules::DESDEMONA);
const CASSIO: Family = Family::Desdemona(&Rules::CASSIO);
const IAGO: Family = Family::Desdemona(&Rules::IAGO);
const EARLY: Family = Family::Desdemona(&Rules::EARLY);
const EARLY_BORDER: Family = Family::Desdemona(&Rules::EARLY_BORDER);
const DAMONE: Family = Family::Damone(&damone::Rules::DAMONE);
const IMPERATORE: Family = Family::Damone(&damone::Rules::IMPERATORE);

const WITH_STONES: &str = "3q2Q3/10/10/Q8q/4sS4/4Ss4/q8Q/10/10/3Q2q3 w m - 0 1";
const WITHOUT_STONES: &str = "3q2Q3/10/10/Q8q/10/10/q8Q/10/10/3Q2q3 w m - 0 1";
const DAMONE_START: &str = "i1d1p3/3p4/d1p5/1p5P/p5P1/5P1D/4P3/3P1D1I w - - 0 1";

/// Every rule set, the default first.
pub const VARIANTS: &[Variant] = &[
    variant("amazons", &["amazons10"], "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1", Family::Amazons, 0),
    variant("amazons8", &[], "2q2q2/8/q6q/8/8/Q6Q/8/2Q2Q2 w - - 0 1", Family::Amazons, 0),
    variant("amazons6", &[], "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1", Family::Amazons, 0),
    variant("desdemona", &[], WITH_STONES, DESDEMONA, 99),
    variant("cassio", &[], WITH_STONES, CASSIO, 100),
    variant("iago", &["lago"], WITH_STONES, IAGO, 7),
    variant("desdemona-early", &[], WITHOUT_STONES, EARLY, 67),
    variant("desdemona-early-border", &[], WITHOUT_STONES, EARLY_BORDER, 10),
    variant("desdemona-site", &[], WITH_STONES, Family::Desdemona(&Rules::DESDEMONA_SITE), 11),
    variant("cassio-site", &[], WITH_STONES, Family::Desdemona(&Rules::CASSIO_SITE), 56),
    variant("damone", &[], DAMONE_START, DAMONE, 88),
    variant("damone-three", &[], "d1d5/3p4/d1p5/1p6/6P1/5P1D/4P3/5D1D w - - 0 1", DAMONE, 84),
    variant("damone-imperatore", &[], DAMONE_START, IMPERATORE, 78),
];

/// The rule set that is in force until a client selects one: `amazons`.
pub const DEFAULT: &Variant = &VARIANTS[0];

/// No rule set has this name. The message lists those that exist.
///
/// ```
/// use hippolyta_rules::games::variant;
///
/// let error = variant::find("chess").unwrap_err();
/// assert_eq!(error.name, "chess");
/// assert!(error.to_string().starts_with("unknown variant 'chess': known are amazons, amazons8"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub struct UnknownVariant {
    /// The name that was asked for.
    pub name: String,
    /// The names of the file in which it was looked for, too.
    pub in_file: Vec<String>,
    /// If it is no name but the line of a rule set of one's own: what is wrong with it.
    pub wrong: Option<String>,
}

impl UnknownVariant {
    fn message(&self) -> String {
        let Self { name, in_file, wrong } = self;
        let name = shown(name);
        match wrong {
            Some(wrong) => format!("rule set: {wrong}"),
            None if in_file.is_empty() => format!("unknown variant '{name}': known are {}", names().join(", ")),
            None => {
                let (names, own) = (names().join(", "), in_file.join(", "));
                format!("unknown variant '{name}': known are {names}; in the file {own}")
            }
        }
    }
}

/// The names of all rule sets, in the order of [`VARIANTS`].
///
/// ```
/// use hippolyta_rules::games::variant;
///
/// assert_eq!(variant::names()[0], variant::DEFAULT.name());
/// assert!(variant::names().contains(&"damone"));
/// ```
#[must_use]
pub fn names() -> Vec<&'static str> {
    VARIANTS.iter().map(Variant::name).collect()
}

/// The rule set called `name`. Aliases count, and upper and lower case are the same. With the feature `files` the
/// [text](Variant::text) of a rule set of one's own is as good as a name.
///
/// ```
/// use hippolyta_rules::games::variant;
///
/// assert_eq!(variant::find("Amazons10")?, *variant::DEFAULT);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If there is none.
pub fn find(name: &str) -> Result<Variant, UnknownVariant> {
    if let Some(found) = built_in(name) {
        return Ok(found.clone());
    }
    let unknown = |wrong| UnknownVariant { name: name.to_owned(), in_file: Vec::new(), wrong };
    #[cfg(feature = "files")]
    if name.contains('=') {
        return general::RulesFile::line(name).map(|set| set.variant()).map_err(|wrong| unknown(Some(wrong)));
    }
    Err(unknown(None))
}

/// The built-in rule set of this name.
pub(super) fn built_in(name: &str) -> Option<&'static Variant> {
    let is = |known: &str| known.eq_ignore_ascii_case(name);
    VARIANTS.iter().find(|variant| is(variant.name()) || variant.aliases().iter().any(|alias| is(alias)))
}
