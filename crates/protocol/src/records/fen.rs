//! Positions, one a line, as people have them: a FEN, or `startpos`, and perhaps turns after `moves`. Blanks may be `_`
//! or `%20`; quotes around the line, and `position`, `fen` or `FEN:` before it, are no part of it.

use super::Record;
use super::draft::{Draft, HAS_BEGUN, shortened, turn_length, turns};
use super::source::{Chunk, Source, Warnings, Wrong};
use hippolyta::board::Square;
use hippolyta::games::variant::Variant;
use hippolyta::games::{Fen, Piece, Turn};
use std::io::{self, BufRead};
use std::iter::Peekable;

/// The next line that is not empty and no remark.
pub(super) fn chunk<R: BufRead>(source: &mut Source<R>) -> io::Result<Option<Chunk>> {
    while source.skip_blanks()? {
        let remark = source.byte(0)? == Some(b'#');
        let end = source.line_end(0)?;
        let chunk = source.take(end, None)?;
        if !remark {
            return Ok(Some(chunk));
        }
    }
    Ok(None)
}

/// `%20` and the like as what they stand for.
fn unescaped(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| byte == b'%') {
            Some(code) => {
                bytes.push(code);
                rest = &after[2..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// A line without what does not belong to the position.
pub(super) fn bare(line: &str) -> String {
    let mut text = line.trim().to_owned();
    if text.contains('%') {
        text = unescaped(&text);
    }
    text = match text.contains(char::is_whitespace) {
        true => text.replace('_', " "),
        false => text.replace(['_', '+'], " "),
    };
    let mut rest = text.as_str();
    loop {
        let before = rest;
        rest = rest.trim().trim_matches(['"', '\'', '`', '“', '”', '«', '»', ',']);
        for word in ["position", "setboard", "loadfen", "sfen", "fen", "epd"] {
            let Some((first, after)) = rest.split_at_checked(word.len()) else { continue };
            if first.eq_ignore_ascii_case(word) && after.starts_with([' ', '\t', ':', '=']) {
                rest = after.trim_start_matches([' ', '\t', ':', '=']);
            }
        }
        if rest == before {
            return rest.to_owned();
        }
    }
}

/// Whether a line is a position.
pub(super) fn is_position(line: &str) -> bool {
    let text = bare(line);
    let board = text.split_whitespace().next().unwrap_or_default();
    // PlayStrategy's pocket stands behind the board, and draughts have a form of their own.
    let is_draughts = board.contains(':') && board.parse::<Fen>().is_ok();
    let board = board.split_once('[').map_or(board, |(board, _)| board);
    let ranks = || board.split('/').all(|rank| !rank.is_empty() && rank.len() <= 22);
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '*' || c == '/';
    is_draughts
        || board.eq_ignore_ascii_case("startpos")
        || board.matches('/').count() > 1 && ranks() && board.chars().all(letter)
}

/// Operations that are fields of a FEN.
const COUNTERS: [&str; 2] = ["hmvc", "fmvn"];

/// The words of an operation of EPD: its name, and all up to a semicolon that stands in no quotes. Those of counters
/// need none. `None` if there is no operation.
fn operation<'a>(words: &mut Peekable<impl Iterator<Item = &'a str> + Clone>) -> Option<Vec<&'a str>> {
    let name = *words.peek()?;
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || is_moves(name) || turn_length(name).is_some() {
        return None;
    }
    let mut quoted = false;
    let ends = |word: &str| {
        quoted ^= word.matches('"').count() % 2 == 1;
        !quoted && word.ends_with(';')
    };
    let length = if COUNTERS.contains(&name) { 2 } else { words.clone().position(ends)? + 1 };
    Some(words.take(length).collect())
}

fn is_moves(word: &str) -> bool {
    word.eq_ignore_ascii_case("moves")
}

/// The position before the first half of a turn, `½g1j1`, as PlayStrategy writes it behind a position.
fn before_half(fen: &str, half: &str) -> Option<String> {
    let mut fen: Fen = fen.parse().ok()?;
    let (from, to) = Square::parse_prefix(half.strip_prefix('½')?).ok()?;
    let to = to.parse().ok().filter(|&to| to != from)?;
    let (at, _) = fen.pieces.iter_mut().find(|(at, piece)| *at == to && *piece == Piece::Amazon(fen.side))?;
    *at = from;
    Some(fen.to_string())
}

pub(super) fn parse(text: &str, fallback: &Variant, warnings: &mut Warnings) -> Result<Draft, Wrong> {
    let bare = bare(text);
    let mut words = bare.split_whitespace().peekable();
    let mut draft = Draft::new(fallback);
    // Where a word stands in the text, behind those before it, as far as that can be told.
    let mut passed = 0;
    let mut place = |word: &str| {
        let found = text[passed..].find(word).map_or(passed, |at| passed + at);
        passed = text.floor_char_boundary(found + word.len());
        found
    };
    let has_board = is_position(text);
    if !has_board && turn_length(&bare).is_none() {
        return Err((0, format!("'{}' is not a position", shortened(&bare))));
    }
    // The start of Damone, `i1d1p3/…`, begins as a turn does.
    if has_board {
        let board = words.next().unwrap_or_default();
        if !board.eq_ignore_ascii_case("startpos") {
            let mut fields = vec![board.to_owned()];
            let is_field = |word: &str| {
                word.bytes().all(|byte| byte.is_ascii_digit())
                    || matches!(word, "w" | "b" | "W" | "B" | "-" | "m" | "s")
            };
            while fields.len() < 6
                && let Some(field) = words.next_if(|word| is_field(word))
            {
                fields.push(field.to_lowercase());
            }
            let operations: Vec<_> = std::iter::from_fn(|| operation(&mut words)).collect();
            let value = |name: &str| {
                let found = operations.iter().find(|operation| operation[0] == name)?;
                Some(found.get(1)?.trim_end_matches(';').to_owned())
            };
            let counters = COUNTERS.map(value);
            if fields.len() == 4 && counters.iter().any(Option::is_some) {
                fields.extend(counters.into_iter().zip(["0", "1"]).map(|(value, usual)| value.unwrap_or(usual.into())));
            }
            draft.fen = Some((fields.join(" "), place(board)));
            fields.iter().skip(1).for_each(|field| _ = place(field));
            let unknown = operations.iter().filter(|operation| !COUNTERS.contains(&operation[0]));
            let names: Vec<_> = unknown.map(|operation| shortened(operation[0].trim_end_matches(';'))).collect();
            if let Some(first) = names.first() {
                warnings.say(place(first), format!("not kept: {}", names.join(", ")));
            }
            operations.iter().flatten().for_each(|word| _ = place(word));
            if let Some(half) = words.peek()
                && let Some(before) = before_half(&fields.join(" "), half)
            {
                draft.fen = Some((before, 0));
                warnings.say(place(half), HAS_BEGUN);
                words.next();
            }
        }
    }
    if let Some(word) = words.next_if(|word| is_moves(word)) {
        place(word);
    }
    let rest = words.collect::<Vec<_>>().join(" ");
    let (found, end) = turns(&rest);
    let mut at = 0;
    for (_, turn) in found {
        let begin = place(turn.split(' ').next().unwrap_or_default());
        at = draft.turn(at, turn.to_owned(), begin);
    }
    if let Some(word) = rest[end..].split(' ').next().filter(|word| !word.is_empty()) {
        let message = format!("'{}' behind a position is not understood", shortened(word));
        warnings.lose(place(word), message, "it and what follows it are left out");
    }
    Ok(draft)
}

/// The start, and the turns of the main line.
pub(super) fn write(record: &Record) -> String {
    let mut text = record.fen.clone();
    if !record.turns.is_empty() {
        text.push_str(" moves ");
        text.push_str(&Turn::join(record.main_line().map(|entry| &entry.turn), " "));
    }
    text + "\n"
}
