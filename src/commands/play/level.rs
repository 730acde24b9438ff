//! How strong the engine plays, by name: the levels of the page.

use crate::games::variant::{Family, Variant};
use std::fmt;
use std::str::FromStr;

/// One of [`LEVELS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level(usize);

struct Row {
    name: &'static str,
    /// What to expect.
    note: &'static str,
    /// A rating means something else in each family: the Amazons, Desdemona, Damone. `None` is full strength.
    elo: Option<[u32; 3]>,
}

const fn row(name: &'static str, note: &'static str, elo: [u32; 3]) -> Row {
    Row { name, note, elo: Some(elo) }
}

/// The weakest first. Ratings are rungs of the ladders in `src/engine/strength.rs`, or lie between two.
const LEVELS: [Row; 9] = [
    row("beginner", "plays almost at random", [225, 160, 185]),
    row("novice", "often sees a good turn, often misses one", [585, 550, 370]),
    row("casual", "plays by feeling, without looking ahead", [1080, 885, 655]),
    row("club", "weighs every turn, but looks no further", [1295, 1085, 1050]),
    row("skilled", "looks a little ahead", [1955, 1770, 1095]),
    row("strong", "looks ahead and rarely errs", [2560, 2070, 1240]),
    row("expert", "a hard opponent for anybody", [2960, 2380, 1465]),
    row("master", "hardly to be beaten", [3360, 2630, 1615]),
    Row { name: "full", note: "all that it can do in its time", elo: None },
];

impl Level {
    /// The rating to play at in a rule set; `None` for full strength.
    pub fn elo(self, variant: &'static Variant) -> Option<u32> {
        let [amazons, desdemona, damone] = LEVELS[self.0].elo?;
        Some(match variant.family {
            Family::Amazons => amazons,
            Family::Desdemona(_) => desdemona,
            Family::Damone(_) => damone,
        })
    }

    /// All levels, one a line.
    pub fn list() -> Vec<String> {
        let line = |(index, row): (usize, &Row)| format!("  {} {:<9} {}", index + 1, row.name, row.note);
        LEVELS.iter().enumerate().map(line).collect()
    }
}

/// `level 5, skilled` or `full strength`.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match LEVELS[self.0] {
            Row { elo: None, .. } => f.write_str("full strength"),
            Row { name, .. } => write!(f, "level {}, {name}", self.0 + 1),
        }
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.parse().ok().filter(|number| (1..=LEVELS.len()).contains(number)).map(|number| number - 1);
        let named = || LEVELS.iter().position(|row| row.name.eq_ignore_ascii_case(text));
        number.or_else(named).map(Self).ok_or_else(|| {
            let names: Vec<_> = LEVELS.iter().map(|row| row.name).collect();
            format!("a level is a number from 1 to {} or one of {}", LEVELS.len(), names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_levels_are_those_of_the_page() {
        let page = include_str!("../../../web/src/play/levels.ts");
        for Row { name, note, elo } in &LEVELS {
            let line = page.lines().find(|line| line.contains(&format!("'{name}',"))).unwrap_or_default();
            assert!(line.contains(note), "{name}: {line}");
            let ratings = elo.map_or("elo: null".to_owned(), |[a, b, c]| format!("{a}, {b}, {c})"));
            assert!(line.contains(&ratings), "{name}: {line}");
        }
        assert_eq!(page.matches("  level('").count() + 1, LEVELS.len());
    }

    #[test]
    fn levels_have_numbers_and_names() {
        assert_eq!(("9".parse(), "Full".parse()), (Ok(Level(8)), Ok(Level(8))));
        assert_eq!("9".parse::<Level>().unwrap().to_string(), "full strength");
        assert_eq!("skilled".parse::<Level>().unwrap().to_string(), "level 5, skilled");
        for wrong in ["0", "10", "-1", "", "best"] {
            assert!(wrong.parse::<Level>().unwrap_err().starts_with("a level is a number from 1 to 9"), "{wrong}");
        }
    }
}
