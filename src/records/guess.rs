//! Which format a text is in, by its beginning.

use super::draft::turn_length;
use super::source::latin;
use super::{Format, fen, pgn, sgf};

/// Bytes of the text that are looked at.
pub(super) const LOOKED_AT: usize = 1 << 16;

/// The format of a text that begins so; `None` if it does not tell.
pub(super) fn guess(head: &[u8]) -> Option<Format> {
    let text = str::from_utf8(head).map_or_else(|_| latin(head), str::to_owned);
    let text = text.trim_start();
    let after = |text: &str, letter: char| text.strip_prefix(letter).map(|rest| rest.trim_start().to_owned());
    let is_object = |text: &str| {
        let Some(inner) = after(text, '{') else { return false };
        inner
            .strip_prefix('"')
            .and_then(|name| name.split_once('"'))
            .is_some_and(|(name, rest)| !name.contains(char::is_whitespace) && rest.trim_start().starts_with(':'))
    };
    if is_object(text) || after(text, '[').is_some_and(|inner| inner.starts_with(']') || is_object(&inner)) {
        return Some(Format::Jsonl);
    }
    let begins_tree = |line: &str| {
        let inner = after(line, '(');
        inner.is_some_and(|inner| inner.starts_with(';')) || sgf::is_root(line.as_bytes())
    };
    for line in text.split(['\n', '\r']).map(str::trim_start) {
        if begins_tree(line) {
            return Some(Format::Sgf);
        }
        if pgn::tag(line.as_bytes()).is_some_and(|tag| tag.value.is_some()) {
            return Some(Format::Pgn);
        }
        if is_object(line) {
            return Some(Format::Jsonl);
        }
    }
    let mut lines = text.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    if lines.next().is_some_and(fen::is_position) {
        return Some(Format::Fen);
    }
    let is_turn = |word: &str| {
        let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        turn_length(word).is_some()
    };
    text.split(|c: char| c.is_whitespace() || "(){};".contains(c)).any(is_turn).then_some(Format::Pgn)
}
