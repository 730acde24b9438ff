//! Which format a text is in, by its beginning.

use super::draft::{Draft, turn_length, turns};
use super::source::{Warnings, latin};
use super::{Format, Record, fen, pgn, replay, sgf};
use hippolyta::games::variant::Variant;

/// Bytes of the text that are looked at.
pub(super) const LOOKED_AT: usize = 1 << 16;

/// The format of a text that begins so; `None` if it does not tell. `fallback` is the rule set of turns.
pub(super) fn guess(head: &[u8], fallback: &Variant) -> Option<Format> {
    let is_cut = head.len() == LOOKED_AT;
    let text = str::from_utf8(head).map_or_else(|_| latin(head), str::to_owned);
    let text = text.trim_start();
    if replay::is_one(text) {
        return Some(Format::Replay);
    }
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
        if pgn::begins_tag(line.as_bytes()) {
            return Some(Format::Pgn);
        }
        if is_object(line) {
            return Some(Format::Jsonl);
        }
    }
    let lines = text.split(['\n', '\r']).map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut lines: Vec<_> = lines.collect();
    if lines.first().is_some_and(|line| fen::is_position(line)) {
        return Some(Format::Fen);
    }
    let ends = |c: char| c.is_whitespace() || "(){};".contains(c);
    let begins_turn = |(at, word): (usize, &str)| {
        let bare = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        turn_length(word).is_some() || turn_length(&text[at + word.len() - bare.len()..]).is_some()
    };
    let words = text.split(ends).map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word));
    if !words.filter(|(_, word)| !word.is_empty()).any(begins_turn) {
        return None;
    }
    if is_cut {
        lines.pop();
    }
    Some(if is_list(&lines, fallback) { Format::Fen } else { Format::Pgn })
}

/// The game of a text, if that tells that it is none of ours.
pub(super) fn foreign(text: &str) -> Option<&'static str> {
    let text = &text[..text.floor_char_boundary(LOOKED_AT)];
    for (sign, game) in
        [("VariantFile=", "a game of Zillions of Games"), ("GM[Othello]", "Othello"), ("[GameType ", "draughts")]
    {
        if text.contains(sign) {
            return Some(game);
        }
    }
    // A position with eight ranks and both kings.
    let is_position = |word: &str| word.matches('/').count() == 7 && word.contains('k') && word.contains('K');
    if text.split([' ', '"', '\n']).any(is_position) {
        return Some("chess");
    }
    // Outside of comments and tags, without the numbers of turns and what judges them.
    let parts = text.split('{').map(|part| part.split_once('}').map_or(part, |(_, behind)| behind));
    let lines = parts.flat_map(str::lines).filter(|line| !line.starts_with('['));
    let words: Vec<_> = lines
        .flat_map(str::split_whitespace)
        .map(|word| word.trim_start_matches(|c: char| c.is_ascii_digit() || ".…".contains(c)))
        .map(|word| word.trim_end_matches(['+', '#', '!', '?']))
        .filter(|word| !word.is_empty())
        .collect();
    let of_board = |byte: u8| (b'a'..=b'h').contains(&byte) || (b'1'..=b'8').contains(&byte);
    let is_piece = |word: &&&str| {
        let squares = word.strip_prefix(['K', 'R', 'B', 'N']).map(|rest| rest.replace('x', ""));
        word.starts_with("O-O")
            || squares.is_some_and(|rest| (2..=4).contains(&rest.len()) && rest.bytes().all(of_board))
    };
    // The first move of a side: a pawn's or a knight's.
    let begins = |at: usize, home: u8, ranks: [u8; 2]| {
        let word = words.get(at).map_or(&[][..], |word| word.strip_prefix('N').unwrap_or(word).as_bytes());
        let ([file, rank] | [file, _, _, rank] | [file, _, b'-', _, rank]) = *word else { return false };
        let from_home = word.len() == 2 || word[1] == home && word[word.len() - 2] == file;
        of_board(file) && from_home && ranks.contains(&rank)
    };
    if words.iter().filter(is_piece).count() > 1 || begins(0, b'2', *b"34") && begins(1, b'7', *b"56") {
        return Some("chess");
    }
    // A game of Othello begins beside the four discs in the middle.
    let is_othello = |word: &&str| {
        let word = word.to_ascii_lowercase();
        word.len() > 8
            && ["c4", "d3", "e6", "f5"].iter().any(|first| word.starts_with(first))
            && word.bytes().all(of_board)
    };
    words.iter().any(is_othello).then_some("Othello")
}

/// Whether lines that begin as bare turns do are positions, each by its turns from the start, and not one game: read
/// so, all of their turns are legal, or at least more of them.
fn is_list(lines: &[&str], fallback: &Variant) -> bool {
    let bare = |line: &&str| turns(line).1 == line.len();
    if !lines.first().is_some_and(bare) {
        return false;
    }
    let checked = |draft: Draft, mut warnings: Warnings| -> Option<(Record, bool)> {
        let record = draft.check(&mut warnings, &|| true).ok()?;
        Some((record, warnings.first_loss().is_none()))
    };
    let position = |line: &&str| {
        let mut warnings = Warnings::default();
        let draft = fen::parse(line, fallback, &mut warnings).ok()?;
        checked(draft, warnings)
    };
    let positions: Vec<_> = lines.iter().map(position).collect();
    let variant = positions.iter().flatten().map(|(record, _)| &record.variant).next();
    let are_whole = |(record, whole): &(Record, bool)| *whole && Some(&record.variant) == variant;
    if positions.iter().all(|position| position.as_ref().is_some_and(are_whole)) {
        return true;
    }
    let mut warnings = Warnings::default();
    let draft = pgn::parse(&lines.join("\n"), fallback, &mut warnings);
    let of_game = checked(draft, warnings).map_or(0, |(record, _)| record.turns.len());
    positions.iter().flatten().map(|(record, _)| record.turns.len()).sum::<usize>() > of_game
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_are_none_of_ours_are_known() {
        for text in [
            "1. e4 e5 *",
            "1.e4 e5 2.f4 exf4 *",
            "1. e2e4 e7e5",
            "1. g2-g4 e7-e5 2. f2-f3 Qd8-h4# 0-1",
            "1. Nf3 d5!? 2. g3",
            "[Event \"x\"]\n[Result \"1-0\"]\n\n1. d4 {the queen's pawn\nof old} d5 2. c4 1-0",
            "1. e4 { [%clk 0:03:00] } 1... e5 { [%clk 0:02:59] } 1-0",
            "[FEN \"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\"]\n\n1. Rd8# 1-0",
            "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
            "1. O-O O-O-O",
        ] {
            assert_eq!(foreign(text), Some("chess"), "{text}");
        }
        for (text, game) in [
            ("f5d6c3d3c4f4f6", Some("Othello")),
            ("(;GM[Othello]PC[GGS/os])", Some("Othello")),
            ("[GameType \"20\"]\n\n1. 32-28 19-23", Some("draughts")),
            ("VariantFile=Chess.zrf", Some("a game of Zillions of Games")),
            ("1. d1d7,d7g7 a7d4,d4a7", None),
            ("1. d1 d7 g7 a7 d4 a7", None),
            ("1. d1d4,d4d5 d8d5,d5d4 {Nf3 Nc6 is chess}", None),
            ("1. g4f5 b5c4", None),
            ("", None),
        ] {
            assert_eq!(foreign(text), game, "{text}");
        }
    }
}
