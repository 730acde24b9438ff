//! The rule set of a game: named by the text, and brought along by it if it is nobody's but its author's.

use super::source::Wrong;
use hippolyta::games::variant::{self, Variant};
use hippolyta::words::shown as shortened;

/// A word of a game, with its place in the text.
pub(super) type Placed<'a> = Option<(&'a str, usize)>;

/// The rule set that a game names, or whose rules it brings along. `None` if nobody knows the name. Known are those that
/// are built in, and `fallback`.
pub(super) fn find(name: Placed<'_>, rules: Placed<'_>, fallback: &Variant) -> Result<Option<Variant>, Wrong> {
    let name = name.map(|(name, at)| (name.trim(), at));
    let Some((text, at)) = rules else {
        let is_fallback = |name: &str| name.eq_ignore_ascii_case(fallback.name());
        let known = |name| if is_fallback(name) { Some(fallback.clone()) } else { variant::find(name).ok() };
        return Ok(name.and_then(|(name, _)| known(name)));
    };
    let variant = variant::find(text).map_err(|error| (at, error.to_string()))?;
    match name {
        Some((name, at)) if !name.eq_ignore_ascii_case(variant.name()) => {
            let name = shortened(name);
            Err((at, format!("the rule set is said to be {name}, but the rules are those of {}", variant.name())))
        }
        _ => Ok(variant),
    }
    .map(Some)
}

/// The warning about a name that nobody knows.
pub(super) fn unknown(name: &str) -> String {
    format!("unknown variant '{}': the rule set is found by the turns", shortened(name))
}

/// The rules of a rule set of one's own, as games bring them along.
pub(super) fn text(variant: &Variant) -> Option<String> {
    variant.own().map(|own| own.line())
}
