//! How people write turns, and are understood: dashes and crosses of every kind, capitals.

use std::borrow::Cow;

/// Whether a character is a dash, as word processors and game notations have several.
pub fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}')
}

/// Whether a character stands between two squares of a turn: a dash, or a sign of captures.
pub fn is_separator(c: char) -> bool {
    is_dash(c) || matches!(c, ':' | 'x' | 'X' | '×' | '✕' | '✖' | '⨯')
}

/// A turn's text as the readers of turns want it: `-` for all that stands between squares, small letters, no blanks
/// around it. It has as many characters as the text without these.
pub(super) fn plain(turn: &str) -> Cow<'_, str> {
    let turn = turn.trim();
    if turn.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase() && !is_separator(char::from(byte))) {
        return Cow::Borrowed(turn);
    }
    Cow::Owned(turn.chars().map(|c| if is_separator(c) { '-' } else { c.to_ascii_lowercase() }).collect())
}

/// The number of the character at which `rest`, the end of `text`, begins: from 1.
pub(super) fn place(text: &str, rest: &str) -> usize {
    text.chars().count() - rest.chars().count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_crosses_and_capitals_become_plain() {
        for turn in ["d1-d7", "D1–D7", "d1—d7", "d1−d7", "d1‑d7", "d1×d7", "d1xd7", "D1XD7", "d1:d7", " d1-d7 "]
        {
            assert_eq!(plain(turn), "d1-d7", "{turn}");
        }
        assert_eq!(plain("d1d7,d7g7"), "d1d7,d7g7");
        assert_eq!(place("é1d2", "d2"), 3);
    }
}
