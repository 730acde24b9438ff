//! Abilities of the terminal: signs, colours, size.

use std::env;

/// How things are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look {
    /// Signs beyond ASCII.
    pub unicode: bool,
    pub colours: Colours,
    /// Whether the cursor can be moved.
    pub moves: bool,
    /// Signs in a line.
    pub columns: usize,
    pub rows: usize,
}

/// Which escape sequences are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colours {
    /// None.
    No,
    /// Bold, faint, reverse and the eight first colours, which people choose themselves.
    Eight,
    /// The 240 fixed ones as well.
    Many,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum When {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb
    Auto,
    Always,
    Never,
}

impl Look {
    /// For whoever reads standard output. `variable` reads the environment.
    pub fn new(
        is_terminal: bool,
        when: When,
        ascii: bool,
        (columns, rows): (usize, usize),
        variable: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let value = |name: &str| variable(name).filter(|value| !value.is_empty());
        let dumb = value("TERM").is_some_and(|term| term == "dumb");
        let plain = when == When::Never || when == When::Auto && (!is_terminal || dumb || value("NO_COLOR").is_some());
        let many = value("TERM").is_some_and(|term| term.contains("256") || term.contains("direct"))
            || ["COLORTERM", "WT_SESSION"].into_iter().any(|name| value(name).is_some());
        let colours = match (plain, many) {
            (true, _) => Colours::No,
            (false, false) => Colours::Eight,
            (false, true) => Colours::Many,
        };
        // The first that is set decides.
        let encoding = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(value).unwrap_or_default();
        let encoding = encoding.to_ascii_lowercase();
        let utf8 = encoding.contains("utf-8") || encoding.contains("utf8") || value("WT_SESSION").is_some();
        Self { unicode: is_terminal && !dumb && !ascii && utf8, colours, moves: is_terminal && !dumb, columns, rows }
    }

    /// The look that the environment of the process allows.
    pub fn of_process(is_terminal: bool, when: When, ascii: bool, size: (usize, usize)) -> Self {
        Self::new(is_terminal, when, ascii, size, |name| env::var(name).ok())
    }

    /// `text` in a style of escape sequences, as `1;31`; as it is without colours.
    pub fn paint(&self, style: &str, text: &str) -> String {
        if self.colours == Colours::No || style.is_empty() || text.is_empty() {
            text.to_owned()
        } else {
            format!("\x1b[{style}m{text}\x1b[0m")
        }
    }

    /// One of two texts: with signs beyond ASCII, and without.
    pub fn either<'a>(&self, unicode: &'a str, ascii: &'a str) -> &'a str {
        if self.unicode { unicode } else { ascii }
    }

    /// A number with its halves.
    pub fn halves(&self, value: f64) -> String {
        let whole = value.abs().trunc();
        match (value.abs() - whole >= 0.25, self.unicode) {
            (false, _) => format!("{whole}"),
            (true, true) if whole == 0.0 => "½".to_owned(),
            (true, true) => format!("{whole}½"),
            (true, false) => format!("{whole}.5"),
        }
    }
}

#[cfg(test)]
impl Look {
    pub const PLAIN: Self = Self { unicode: false, colours: Colours::No, moves: false, columns: 80, rows: 24 };
    pub const SIGNS: Self = Self { unicode: true, colours: Colours::No, moves: false, columns: 80, rows: 24 };
    pub const EIGHT: Self = Self { unicode: true, colours: Colours::Eight, moves: false, columns: 80, rows: 24 };
    pub const MANY: Self = Self { unicode: true, colours: Colours::Many, moves: false, columns: 80, rows: 24 };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_decides_what_is_shown() {
        let look = |is_terminal, when, variables: &[(&str, &str)]| {
            let find = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, it)| (*it).to_owned());
            let Look { unicode, colours, .. } = Look::new(is_terminal, when, false, (80, 24), find);
            (unicode, colours)
        };
        let (utf8, many) = (("LANG", "de_DE.UTF-8"), ("TERM", "xterm-256color"));
        assert_eq!(look(true, When::Auto, &[utf8, many]), (true, Colours::Many));
        assert_eq!(look(true, When::Auto, &[utf8, ("TERM", "linux")]), (true, Colours::Eight));
        assert_eq!(look(false, When::Auto, &[utf8, many]), (false, Colours::No));
        assert_eq!(look(true, When::Auto, &[utf8, ("TERM", "dumb")]), (false, Colours::No));
        assert_eq!(look(true, When::Auto, &[utf8, many, ("NO_COLOR", "1")]), (true, Colours::No));
        assert_eq!(look(true, When::Auto, &[utf8, many, ("NO_COLOR", "")]), (true, Colours::Many));
        assert_eq!(look(true, When::Auto, &[("LC_ALL", "C"), utf8, many]), (false, Colours::Many));
        assert_eq!(look(false, When::Always, &[utf8, many]), (false, Colours::Many));
        assert_eq!(look(true, When::Never, &[utf8, many]), (true, Colours::No));
        assert!(!Look::new(true, When::Auto, true, (80, 24), |_| Some("utf8".to_owned())).unicode);
    }

    #[test]
    fn halves_are_written() {
        assert_eq!([2.5, -0.5, 3.0].map(|value| Look::SIGNS.halves(value)), ["2½", "½", "3"]);
        assert_eq!([2.5, -0.5, 3.0].map(|value| Look::PLAIN.halves(value)), ["2.5", "0.5", "3"]);
    }
}
