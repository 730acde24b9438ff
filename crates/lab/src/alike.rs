//! Positions that are no different: images of each other by a symmetry of the rules.

use hippolyta::games::variant::Variant;
use hippolyta::games::{Fen, Symmetry};

/// A position without counters, as the one of its images whose text comes first, and the symmetries that lead there.
pub(crate) fn form(variant: &Variant, fen: &str) -> (String, Vec<Symmetry>) {
    let Ok(fen) = fen.parse::<Fen>() else { return (fen.to_owned(), Vec::new()) };
    let symmetries = variant.symmetries((fen.files, fen.ranks));
    let images: Vec<_> = symmetries.into_iter().map(|symmetry| (fen.image(symmetry).position(), symmetry)).collect();
    let form = images.iter().map(|(image, _)| image.clone()).min().unwrap_or_default();
    let ways = images.into_iter().filter(|(image, _)| *image == form).map(|(_, symmetry)| symmetry).collect();
    (form, ways)
}

/// The text that positions share which are no different, be they mirrored, turned, or reached later in a game.
///
/// ```
/// use hippolyta::games::variant;
/// use hippolyta_lab::alike::identity;
///
/// let amazons = &variant::find("amazons")?;
/// assert_eq!(identity(amazons, "q2*/4/2Q1 w - - 0 1"), identity(amazons, "*2q/4/1Q2 w - - 0 9"));
/// // No mirror changes files where one of them is protected.
/// let protected = &variant::find("a = { like = 'amazons', start = 'q3/4/2Q1 w', protect = 'a1' }")?;
/// assert_ne!(identity(protected, "q2*/4/2Q1 w - - 0 1"), identity(protected, "*2q/4/1Q2 w - - 0 1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn identity(variant: &Variant, fen: &str) -> String {
    form(variant, fen).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::games::variant::find;

    #[test]
    fn positions_are_the_same_when_they_are_mirrored_or_turned() {
        let identity = |fen: &str| identity(&find("amazons").unwrap(), fen);
        let fen = "q2*/4/2Q1 w - - 0 1";
        for same in ["*2q/4/1Q2 w - - 0 9", "2Q1/4/q2* w", "1Q2/4/*2q w"] {
            assert_eq!(identity(fen), identity(same), "{same}");
        }
        for other in ["q2*/4/2Q1 b", "q2*/4/1Q2 w", "Q2*/4/2q1 w"] {
            assert_ne!(identity(fen), identity(other), "{other}");
        }
        assert_eq!(identity("q10/11/11 w"), identity("10q/11/11 w"));
    }
}
