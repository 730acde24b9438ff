//! How strong the engine plays, by name or number.

use hippolyta::engine::{STRENGTHS, Strength};
use hippolyta::games::variant::Variant;
use std::fmt;
use std::str::FromStr;

/// One of [`STRENGTHS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level(usize);

impl Level {
    /// The rating to play at in a rule set; `None` for full strength.
    pub fn elo(self, variant: &Variant) -> Option<u32> {
        STRENGTHS[self.0].elo(variant)
    }

    /// All levels, one a line.
    pub fn list() -> Vec<String> {
        let line = |(index, row): (usize, &Strength)| format!("  {} {:<9} {}", index + 1, row.name, row.note);
        STRENGTHS.iter().enumerate().map(line).collect()
    }
}

/// `level 5, skilled` or `full strength`.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match STRENGTHS.get(self.0 + 1) {
            None => f.write_str("full strength"),
            Some(_) => write!(f, "level {}, {}", self.0 + 1, STRENGTHS[self.0].name),
        }
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.parse().ok().filter(|number| (1..=STRENGTHS.len()).contains(number)).map(|number| number - 1);
        let named = || STRENGTHS.iter().position(|row| row.name.eq_ignore_ascii_case(text));
        number.or_else(named).map(Self).ok_or_else(|| {
            let names: Vec<_> = STRENGTHS.iter().map(|row| row.name).collect();
            format!("a level is a number from 1 to {} or one of {}", STRENGTHS.len(), names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
