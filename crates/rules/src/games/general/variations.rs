//! Variations of a rule set: the same rules but for one key of its file, or a few.

use super::{FireAt, Flips, Leaves, RuleSet, Rules, RulesFile, Stuck};
use crate::board::Reach;
use crate::games::variant::Variant;
use crate::games::{Fen, Piece, Side};
use crate::words::shown;
use std::collections::HashSet;
use thiserror::Error;

/// The keys of a file of rules that can be varied, and what each may be, as it is written there.
pub const AXES: [(&str, &[&str]); 16] = [
    ("moves", &["\"Q\"", "\"R\"", "\"B\"", "\"K\"", "\"N\"", "\"Q2\"", "\"Q3\""]),
    ("fires", &["\"Q\"", "\"R\"", "\"B\"", "\"K\"", "\"N\"", "\"Q2\"", "\"Q3\""]),
    ("black-moves", &["\"Q\"", "\"R\"", "\"B\"", "\"K\"", "\"N\"", "\"Q2\"", "\"Q3\""]),
    ("black-fires", &["\"Q\"", "\"R\"", "\"B\"", "\"K\"", "\"N\"", "\"Q2\"", "\"Q3\""]),
    ("fire-at", &["\"target\"", "\"left\"", "\"anywhere\"", "\"edge\""]),
    ("leaves", &["\"arrow\"", "\"neutral\"", "\"own\""]),
    ("flips", &["\"none\"", "\"run\"", "\"lines\""]),
    ("flip-leaves", &["\"arrow\"", "\"neutral\"", "\"own\""]),
    ("rim-barred", &["false", "true"]),
    ("passes", &["[]", "[\"pieces\"]", "[\"stones\"]", "[\"pieces\", \"stones\"]"]),
    ("first-turn-fires", &["false", "true"]),
    ("fire-optional", &["false", "true"]),
    ("move-or-fire", &["false", "true"]),
    ("stuck", &["\"loses\"", "\"wins\"", "\"draws\"", "\"most-stones\"", "\"fewest-stones\""]),
    ("stuck-passes", &["false", "true"]),
    ("equal", &["\"draw\"", "\"white\"", "\"black\""]),
];

/// A rule set that differs from another one in a few keys.
///
/// ```
/// use hippolyta_rules::games::general::variations;
/// use hippolyta_rules::games::variant;
///
/// let found = variations(&variant::find("amazons6")?, None, &["stuck"], 1)?;
/// let changes: Vec<_> = found.iter().map(|variation| variation.changes.join(", ")).collect();
/// // Stones cannot be counted, as there are none.
/// assert_eq!(changes, ["", "stuck = \"wins\"", "stuck = \"draws\""]);
/// assert_eq!(found[1].set.title, "amazons6, stuck = \"wins\"");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// The keys and their values, as they are written in a file. None: these are the rules themselves.
    pub changes: Vec<String>,
    /// The rule set.
    pub set: RuleSet,
}

/// Why a rule set has no variations.
///
/// ```
/// use hippolyta_rules::games::general::{VariationsError, variations};
/// use hippolyta_rules::games::variant;
///
/// let refused = variations(&variant::find("iago")?, None, &["rim"], 1);
/// assert_eq!(refused, Err(VariationsError::Axis { axis: "rim".to_owned() }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VariationsError {
    /// There is no such key.
    #[error("'{}' is no key that can be varied: known are {known}", shown(.axis), known = AXES.map(|(key, _)| key).join(", "))]
    Axis {
        /// The key that was named.
        axis: String,
    },
    /// A rule set that is no game of move and fire.
    #[error("{0} is no game of move and fire, and has no keys that can be varied")]
    Family(String),
    /// The rules themselves cannot be played from there.
    #[error("{0}")]
    Start(String),
}

/// The name of the table that is varied, and of the variation.
const BASE: &str = "base";
const VARIED: &str = "varied";
/// Letters of a title.
const LONGEST: usize = 100;

/// The rule set itself and what becomes of it if up to `most` keys of `axes` change, the fewest changes first. `start` is
/// the FEN of another start position. Rules that cannot be are left out, and so is what is the same as one before.
///
/// ```
/// use hippolyta_rules::games::general::variations;
/// use hippolyta_rules::games::variant;
///
/// let found = variations(&variant::find("desdemona")?, None, &["rim-barred", "equal"], 2)?;
/// assert_eq!(found.len(), 2 * 3);
/// assert_eq!(found[5].changes, ["rim-barred = false", "equal = \"black\""]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If an axis is none, or the rule set is none of move and fire.
pub fn variations(
    variant: &Variant,
    start: Option<&str>,
    axes: &[&str],
    most: usize,
) -> Result<Vec<Variation>, VariationsError> {
    let rules = Rules::of(variant).ok_or_else(|| VariationsError::Family(variant.name().to_owned()))?;
    let chosen: Vec<_> = axes
        .iter()
        .map(|axis| {
            AXES.into_iter()
                .find(|(key, _)| key == axis)
                .ok_or_else(|| VariationsError::Axis { axis: (*axis).to_owned() })
        })
        .collect::<Result<_, _>>()?;
    let title = variant.own().map_or(variant.name(), |own| &own.title);
    let start = start.unwrap_or(variant.start()).to_owned();
    let base = RuleSet { name: BASE.to_owned(), title: title.to_owned(), description: String::new(), start, rules };
    base.check().map_err(|problem| VariationsError::Start(problem.to_string()))?;
    let text = base.line();
    let mut seen = HashSet::from([as_played(&base)]);
    let mut found = vec![Variation { changes: Vec::new(), set: base }];
    let mut before: Vec<(usize, Vec<String>)> = vec![(0, Vec::new())];
    for _ in 0..most {
        let mut longer = Vec::new();
        for (next, changes) in &before {
            for (at, (key, values)) in chosen.iter().enumerate().skip(*next) {
                for value in *values {
                    let changes: Vec<String> = changes.iter().cloned().chain([format!("{key} = {value}")]).collect();
                    if let Some(set) = changed(&text, title, &changes)
                        && seen.insert(as_played(&set))
                    {
                        found.push(Variation { changes: changes.clone(), set });
                    }
                    longer.push((at + 1, changes));
                }
            }
        }
        before = longer;
    }
    Ok(found)
}

/// The same game where it has several names: an arrow is a neutral stone, and so is a stone whose side means nothing,
/// as stones are neither counted nor flipped nor passed. Nor does it matter how a piece fires elsewhere than where it
/// aims, how far beyond the board it goes, and that a piece passes others of its side where there are none.
fn as_played(set: &RuleSet) -> Rules {
    let rules = set.rules;
    let are_counted = matches!(rules.stuck, Stuck::MostStones(_) | Stuck::FewestStones(_));
    let have_sides = are_counted || rules.passes_stones || rules.flips != Flips::None;
    let played = |leaves| if leaves == Leaves::Neutral || !have_sides { Leaves::Arrow } else { leaves };
    let flips = match rules.flips {
        Flips::Run(leaves) => Flips::Run(played(leaves)),
        other => other,
    };
    let Ok(start) = set.start.parse::<Fen>() else { return rules };
    let longest = start.files.max(start.ranks) as u8 - 1;
    let pieces = |side| start.pieces.iter().filter(|(_, piece)| *piece == Piece::Amazon(side)).count();
    let passes_pieces = rules.passes_pieces && [Side::White, Side::Black].into_iter().any(|side| pieces(side) > 1);
    let on_board = |reaches: [Reach; 2]| reaches.map(|reach| reach.on_lines(longest));
    let fires = if rules.fire_at == FireAt::Reach { on_board(rules.fires) } else { Rules::AMAZONS.fires };
    Rules { plain: played(rules.plain), flips, moves: on_board(rules.moves), fires, passes_pieces, ..rules }
}

/// The rule set that `text` describes, with these changes; `None` if they cannot be.
fn changed(text: &str, title: &str, changes: &[String]) -> Option<RuleSet> {
    let text = format!("{text}\n[{VARIED}]\nlike = \"{BASE}\"\n{}\n", changes.join("\n"));
    let mut set = RulesFile::parse("", &text).ok()?.find(VARIED)?.clone();
    set.title = format!("{title}, {}", changes.join(", ")).chars().take(LONGEST).collect();
    Some(set)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Board;
    use crate::games::variant::{VARIANTS, find};

    fn changes(name: &str, axes: &[&str], most: usize) -> Vec<String> {
        let found = variations(&find(name).unwrap(), None, axes, most).unwrap();
        found.into_iter().map(|variation| variation.changes.join(", ")).collect()
    }

    #[test]
    fn each_variation_is_another_rule_set_that_can_be_played() {
        let all = AXES.map(|(key, _)| key);
        for variant in VARIANTS {
            let Ok(found) = variations(variant, None, &all, 1) else {
                assert_eq!(Rules::of(variant), None, "{}", variant.name());
                continue;
            };
            let rules: HashSet<Rules> = found.iter().map(|variation| as_played(&variation.set)).collect();
            assert_eq!(rules.len(), found.len(), "{}", variant.name());
            assert!(found.len() > 15 && found[0].changes.is_empty(), "{}: {}", variant.name(), found.len());
            for variation in found {
                assert_eq!(variation.set.check(), Ok(()), "{variation:?}");
                assert!(Board::new(&variation.set.variant()).outcome().is_none());
            }
        }
    }

    #[test]
    fn what_cannot_be_or_changes_nothing_is_left_out_and_two_changes_may_be_possible_together() {
        assert_eq!(changes("desdemona", &["rim-barred"], 1), ["", "rim-barred = false"]);
        assert_eq!(changes("desdemona", &["first-turn-fires"], 1), ["", "first-turn-fires = true"]);
        // A neutral stone is an arrow by another name, and so is one of a side that means nothing.
        let of_amazons = ["", "stuck = \"wins\"", "stuck = \"draws\""];
        assert_eq!(changes("amazons6", &["stuck", "leaves"], 1), of_amazons);
        assert_eq!(changes("desdemona", &["flip-leaves"], 1), ["", "flip-leaves = \"arrow\""]);
        // A line has three squares more at most; a piece that is alone passes none; where a fire lands at the square
        // that was left, it does not matter how far it goes.
        let small = "small = { start = '3q/4/4/Q3', fire-at = 'left' }";
        let found = changes(small, &["moves", "fires", "passes"], 1);
        assert_eq!(found, ["", "moves = \"R\"", "moves = \"B\"", "moves = \"K\"", "moves = \"N\"", "moves = \"Q2\""]);
        let both = changes("amazons6", &["stuck", "leaves"], 2);
        assert!(both.contains(&"stuck = \"most-stones\", leaves = \"own\"".to_owned()), "{both:?}");
    }

    #[test]
    fn what_has_no_variations_says_why() {
        let says = |name: &str, start, axes: &[&str]| {
            variations(&find(name).unwrap(), start, axes, 1).unwrap_err().to_string()
        };
        assert_eq!(says("damone", None, &[]), "damone is no game of move and fire, and has no keys that can be varied");
        assert!(
            says("iago", None, &["rim"]).starts_with("'rim' is no key that can be varied: known are moves, fires, ")
        );
        assert_eq!(says("amazons", Some("q**/***/**Q w"), &[]), "white has no complete turn at the start");
    }
}
