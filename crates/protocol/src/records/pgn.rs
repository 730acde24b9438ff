//! Games in the manner of PGN: tags in brackets, turns in any notation, comments, variations. A game ends with its
//! result, or where tags or the number 1 stand after turns.

use super::draft::{Draft, is_of_name, result_of, shortened, turn_length, unclosed};
use super::rule_set::unknown;
use super::source::{Chunk, Source, Warnings, Wrong, latin};
use hippolyta::games::Fen;
use hippolyta::games::variant::{self, Variant};
use std::collections::HashSet;
use std::io::{self, BufRead};
use std::ops::Range;

/// Names that are read in any case.
const NAMES: [&str; 18] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "Variant",
    "Rules",
    "SetUp",
    "FEN",
    "TimeControl",
    "Termination",
    "Annotator",
    "Game",
    "Opening",
    "Detail",
    "Margin",
];
/// Tags of a game beyond these are left out.
const MOST_TAGS: usize = 100;
/// Bytes of a tag, and of a word that means something.
const LONGEST_TAG: usize = 1 << 16;
const LONGEST_WORD: usize = 1 << 12;

/// A tag at the beginning of a text.
pub(super) struct Tag {
    pub name: Range<usize>,
    /// Without its quotes; `None` if it does not end on its line.
    pub value: Option<Range<usize>>,
    pub length: usize,
}

/// The tag that a text begins with. Quotes within its value need no backslash: it ends with a quote and a bracket.
fn tag(text: &[u8]) -> Option<Tag> {
    let blanks = |at: usize| text[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    if text.first() != Some(&b'[') {
        return None;
    }
    let begin = 1 + blanks(1);
    let end = begin + text[begin..].iter().take_while(|byte| is_of_name(**byte)).count();
    let quote = end + blanks(end);
    if end == begin || text.get(quote) != Some(&b'"') {
        return None;
    }
    let mut at = quote + 1;
    while let Some(&byte) = text.get(at).filter(|byte| !matches!(byte, b'\n' | b'\r')) {
        let after = at + 1 + blanks(at + 1);
        match byte {
            b'\\' if !matches!(text.get(at + 1), Some(b'\n' | b'\r')) => at += 1,
            b'"' if text.get(after) == Some(&b']') => {
                return Some(Tag { name: begin..end, value: Some(quote + 1..at), length: after + 1 });
            }
            _ => {}
        }
        at += 1;
    }
    Some(Tag { name: begin..end, value: None, length: at.min(text.len()) })
}

/// Whether a text begins with a whole tag.
pub(super) fn begins_tag(text: &[u8]) -> bool {
    tag(text).is_some_and(|tag| tag.value.is_some())
}

/// Name and value of a tag, alone on its line, that lacks quotes or its last bracket.
fn damaged_tag(line: &str) -> Option<(&str, &str)> {
    let inner = line.strip_prefix('[')?.trim();
    let (name, rest) = inner.split_at(inner.bytes().position(|byte| !is_of_name(byte))?);
    let known = NAMES.iter().any(|known| known.eq_ignore_ascii_case(name));
    let bare = rest.trim().trim_end_matches(']').trim_end();
    let value = bare.find('"').map_or(bare, |quote| &bare[quote + 1..]);
    let value = value.strip_suffix('"').unwrap_or(value);
    // Without any quote it may be anything, unless the name is a usual one.
    (!value.is_empty() && !value.contains(['[', ']']) && (known || bare != value)).then_some((name, value))
}

/// The length of the word that a text begins with.
fn word_length(text: &[u8]) -> usize {
    text.iter().take_while(|byte| !byte.is_ascii_whitespace() && !b"(){};[]".contains(byte)).count()
}

/// The lengths of the turn that a text begins with, and of the `!` and `?` behind it, if there the word ends.
fn whole_turn(text: &str) -> Option<(usize, usize)> {
    let length = turn_length(text)?;
    let judged = text[length..].bytes().take(2).take_while(|byte| b"!?".contains(byte)).count();
    let behind = text[length + judged..].chars().next();
    behind.is_none_or(|next| next.is_whitespace() || "(){};,.$!?".contains(next)).then_some((length, judged))
}

/// The number of the first turn.
fn first_number(draft: &Draft) -> u32 {
    draft.fen.as_ref().and_then(|(fen, _)| fen.parse().ok()).map_or(1, |fen: Fen| fen.number)
}

/// Digits and dots at the beginning of a word: the number of a turn. `12.`, `12...`, `12`, `...`
fn number(word: &str) -> Option<(usize, usize)> {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &word[digits..];
    let dots = rest.len() - rest.trim_start_matches(['.', '…']).len();
    (digits > 0 && (dots > 0 || rest.is_empty()) || digits == 0 && dots > 0).then_some((digits, digits + dots))
}

/// Whether a line begins with a bracket and a letter: a tag, if it is whole.
fn looks_like_tag(text: &[u8]) -> bool {
    text.first() == Some(&b'[') && text.get(1).is_some_and(u8::is_ascii_alphabetic)
}

/// The next game.
pub(super) fn chunk<R: BufRead>(source: &mut Source<R>) -> io::Result<Option<Chunk>> {
    if !source.skip_blanks()? {
        return Ok(None);
    }
    let (mut at, mut depth, mut turns) = (0, 0_usize, 0);
    let (mut moved, mut ended, mut comment) = (false, false, false);
    let mut names: HashSet<Vec<u8>> = HashSet::new();
    // Whether the line so far is blank, the line before was, and one was since the last tag.
    let (mut blank, mut blank_before, mut parted) = (false, false, false);
    // Whether an empty line came behind the result.
    let mut parted_behind = false;
    while let Some(byte) = source.byte(at)? {
        at = source.bounded(at);
        let begins_line = source.begins_line(at);
        if begins_line {
            (blank_before, blank) = (blank, true);
            parted |= blank_before;
            parted_behind |= ended && blank_before;
        }
        if byte.is_ascii_whitespace() {
            // A carriage return and a line feed end one line.
            if byte == b'\n' && begins_line && at > 0 && source.byte(at - 1)? == Some(b'\r') {
                blank = blank_before;
            }
            at += 1;
            continue;
        }
        blank = false;
        if comment && !(begins_line && blank_before && byte == b'[') {
            comment = byte != b'}';
            at += 1;
            continue;
        }
        match byte {
            b'{' => {
                comment = true;
                moved |= !names.is_empty();
                at += 1;
            }
            // It would be of the next game.
            b';' if moved && begins_line && begins_tag(source.window(at + 1, LONGEST_TAG)?) => break,
            b';' => at = source.line_end(at)?,
            b'%' if begins_line => at = source.line_end(at)?,
            b'[' => {
                let window = source.window(at, LONGEST_TAG)?;
                let found = tag(window);
                let is_tag = found.is_some() || begins_line && looks_like_tag(window);
                // One that stands after an empty line ends a comment that lacks its brace.
                if comment && found.as_ref().is_none_or(|tag| tag.value.is_none()) {
                    at += 1;
                    continue;
                }
                let name = found.as_ref().map_or_else(Vec::new, |tag| window[tag.name.clone()].to_ascii_lowercase());
                if is_tag && (moved || parted && (ended || names.contains(&name))) {
                    break;
                }
                if is_tag {
                    names.insert(name);
                    // A result among the tags is no end.
                    (parted, ended) = (false, false);
                }
                let length = found.as_ref().map(|tag| tag.length);
                at = match length {
                    Some(length) => at + length,
                    // Text that looks like a tag ends with its line.
                    None if is_tag => source.line_end(at)?,
                    None => at + 1,
                };
            }
            b'(' => {
                depth += 1;
                at += 1;
            }
            b')' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            b'}' | b']' => at += 1,
            _ => {
                let bytes = source.window(at, LONGEST_WORD)?;
                let length = word_length(bytes).max(1);
                let bytes = &bytes[..length];
                let word = str::from_utf8(bytes).map_or_else(|_| latin(bytes), str::to_owned);
                let (after, next) = source.after_blanks(at + length)?;
                let parts = number(&word);
                let rest = &word[parts.map_or(0, |(_, length)| length)..];
                let is_turn = turn_length(rest).is_some();
                if result_of(word.trim_end_matches(['.', ','])).is_some() {
                    // Within a variation it is no end, unless the bracket is missing.
                    if depth == 0 || next != Some(b')') {
                        (ended, depth) = (true, 0);
                    }
                } else {
                    let numbered = parts.filter(|&(digits, _)| digits > 0);
                    // Behind a result that stands within a game the turns go on.
                    let goes_on = !names.is_empty() && !parted_behind
                        || numbered.is_some_and(|(digits, _)| &word[..digits] != "1");
                    // A variation behind the result belongs to this game, unless its bracket has no end.
                    let is_outside = depth == 0 || parted_behind;
                    if ended && is_outside && (is_turn || numbered.is_some()) && !goes_on {
                        break;
                    }
                    let first = parts.is_some_and(|(digits, length)| &word[..digits] == "1" && length == digits + 1);
                    let whites = first && !rest.starts_with('.') && (is_turn || rest.is_empty() && next != Some(b'.'));
                    let blacks = rest.is_empty() && source.window(after, 3)?.starts_with("…".as_bytes());
                    // After tags it may be what is left of 11.
                    let is_clear = names.is_empty() || begins_line && blank_before;
                    if whites && !blacks && depth == 0 && turns > 1 && is_clear {
                        break;
                    }
                    turns += usize::from(is_turn && depth == 0);
                    // Other words are damage, also among tags.
                    moved |= is_turn || numbered.is_some_and(|(digits, length)| length > digits);
                }
                at += length;
            }
        }
    }
    source.take(at, None).map(Some)
}

/// A variation that is being read, or the main line.
struct Frame {
    /// The turn after which the next one comes.
    at: usize,
    /// Comments before the first turn of a variation: they belong to it.
    before: Vec<String>,
    fresh: bool,
    /// The number that was read last.
    number: Option<u32>,
    /// No turn has come behind it.
    idle: bool,
    /// The line has ended at something that is not understood: what follows in it is passed over.
    lost: bool,
}

impl Frame {
    /// Ends the line at what is not understood. Before any turn and number that may be a preface: the first number
    /// tells.
    fn end_at(&mut self, fault: Wrong, is_first: bool, preface: &mut Option<Wrong>, warnings: &mut Warnings) {
        if std::mem::replace(&mut self.lost, true) {
            return;
        }
        let (at, said) = fault;
        if is_first && self.number.is_none() {
            *preface = Some((at, said));
        } else {
            warnings.lose(at, said, LINE_ENDS);
        }
    }
}

/// The signs for which the usual numbers of PGN for judging a turn stand.
const JUDGEMENTS: [&str; 7] = ["", "!", "?", "!!", "??", "!?", "?!"];

/// Whether a turn stands in a remark.
pub(super) fn names_turns(remark: &str) -> bool {
    let bare = |word: &str| turn_length(word.trim_start_matches(|c: char| c.is_ascii_digit() || ".(".contains(c)));
    remark.split_whitespace().any(|word| bare(word).is_some())
}

/// Whether a remark up to its end consists of turns, their numbers and results alone.
fn is_play(remark: &str) -> bool {
    let mut words = remark.split_whitespace();
    let turn = |word: &str| {
        let rest = &word[number(word).map_or(0, |(_, length)| length)..];
        rest.is_empty()
            || turn_length(rest).is_some_and(|length| rest[length..].bytes().all(|byte| b"!?".contains(&byte)))
    };
    names_turns(remark) && words.all(|word| turn(word) || result_of(word).is_some())
}

/// What becomes of a line at what is not understood.
const LINE_ENDS: &str = "it and what follows it are left out";
/// What is wrong with `White` alone.
const NAMED: &str = "a side is named here, but not what it did";

/// Reads one game. Where a word is not understood, its line ends.
pub(super) fn parse(text: &str, fallback: &Variant, warnings: &mut Warnings) -> Draft {
    let mut draft = Draft::new(fallback);
    let mut at = 0;
    // The parent of each turn.
    let mut parents = vec![0];
    let mut outer: Vec<(usize, Frame)> = Vec::new();
    let mut frame = Frame { at: 0, before: Vec::new(), fresh: false, number: None, idle: false, lost: false };
    let to_line_end = |at: usize| text[at..].find('\n').map_or(text.len(), |length| at + length);
    let begins_line = |at: usize| at == 0 || text[..at].trim_end_matches([' ', '\t']).ends_with('\n');
    // Up to here, turns may be a remark: they stand after `;`.
    let mut remark = 0;
    // The side that a word has named, and where.
    let mut named: Option<(bool, usize)> = None;
    // The first thing before any turn and number that is not understood: the text may begin with words about the game.
    let mut preface: Option<Wrong> = None;
    // Whether a result, or words for one, was read.
    let (mut ended, mut goes_on) = (false, false);
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        let mut comment = None;
        let mut unknown = None;
        if let (Some((_, place)), true) = (named, !letter.is_alphabetic() && !letter.is_whitespace()) {
            named = None;
            let is_first = parents.len() == 1 && outer.is_empty();
            frame.end_at((place, NAMED.to_owned()), is_first, &mut preface, warnings);
        }
        match letter {
            _ if letter.is_whitespace() => at += letter.len_utf8(),
            '[' => {
                let found = tag(rest.as_bytes());
                let is_head = frame.at == 0 && frame.number.is_none() && outer.is_empty();
                let is_tag = found.is_some() || begins_line(at) && (is_head || looks_like_tag(rest.as_bytes()));
                let whole = found.and_then(|tag| Some((&rest[tag.name], &rest[tag.value?], tag.length)));
                if let Some((name, value, length)) = whole {
                    read_tag(&mut draft, name, value, at, warnings);
                    at += length;
                } else if is_tag {
                    let line = &text[at..to_line_end(at)];
                    let said = format!("a tag looks like [White \"Ann\"], not {}", shortened(line));
                    match damaged_tag(line) {
                        Some((name, value)) => {
                            warnings.say(at, format!("{said}; it is read as {value}"));
                            read_tag(&mut draft, name, value, at, warnings);
                        }
                        None if names_turns(line) => warnings.lose(at, said, "it is left out"),
                        None => warnings.say(at, said),
                    }
                    at += line.len();
                } else {
                    unknown = Some((at, "a [ that begins no tag".to_owned()));
                    at += 1;
                }
            }
            '{' => {
                let end = rest.find('}');
                let words = &rest[1..end.unwrap_or(rest.len())];
                if end.is_none() {
                    // All that it swallows is named by this.
                    ended = true;
                    warnings.lose(at, "a comment { has no end }", "all up to the end of the game is taken for one");
                } else if words.contains('{') {
                    warnings.say(at, "a { stands in this comment: perhaps it lacks its }");
                }
                comment = Some(words);
                at += end.map_or(rest.len(), |end| end + 1);
            }
            ';' => {
                let end = to_line_end(at);
                let words = &text[at + 1..end];
                // `;;` is never anything else than a remark; else `; g10-d7,h3;` may be a turn.
                let plain = words.strip_prefix(';');
                let part = &words[..words.find(';').unwrap_or(words.len())];
                if plain.is_none() && (is_play(part) || part.trim().is_empty()) {
                    remark = at + 1 + part.len();
                    at += 1;
                } else {
                    let what = if plain.is_none() && names_turns(words) {
                        Some("turn")
                    } else {
                        begins_tag(words.as_bytes()).then_some("tag")
                    };
                    if let Some(what) = what {
                        let said = "stands in this remark; all up to the end of its line is taken for one";
                        warnings.say(at, format!("a {what} {said}"));
                    }
                    comment = Some(plain.unwrap_or(words));
                    at = end;
                }
            }
            '%' if at == 0 || text[..at].ends_with('\n') => {
                let end = to_line_end(at);
                let words = &text[at + 1..end];
                if names_turns(words) {
                    warnings.say(at, "a turn stands in this line, which % makes a remark");
                }
                comment = Some(words);
                at = end;
            }
            '(' => {
                let replaces_nothing = frame.fresh || frame.at == 0;
                if replaces_nothing && !frame.lost {
                    warnings.lose(at, "a variation ( before any turn", "it is left out");
                }
                let lost = replaces_nothing || frame.lost;
                let inner =
                    Frame { at: parents[frame.at], before: Vec::new(), fresh: true, number: None, idle: false, lost };
                outer.push((at, std::mem::replace(&mut frame, inner)));
                at += 1;
            }
            ')' => {
                if let Some((begun, back)) = outer.pop() {
                    let inner = std::mem::replace(&mut frame, back);
                    if inner.fresh && !inner.lost {
                        warnings.say(begun, "a variation ( ) without a turn");
                    }
                    inner.before.iter().for_each(|words| draft.comment(frame.at, words));
                } else {
                    // Some number turns as 1) and 2).
                    let before = text[..at].trim_end_matches(|c: char| c.is_ascii_digit());
                    if before.len() == at || before.ends_with(|c: char| !c.is_whitespace()) {
                        warnings.say(at, "a ) without its (");
                    }
                }
                at += 1;
            }
            _ if let Some((length, judged)) = whole_turn(rest) => {
                if !frame.lost {
                    if ended && outer.is_empty() && !std::mem::replace(&mut goes_on, true) {
                        warnings.say(at, "turns go on behind the result");
                    }
                    parents.push(frame.at);
                    let turn = rest[..length].to_owned();
                    frame.at = match at < remark {
                        true => draft.perhaps_turn(frame.at, turn, at),
                        false => draft.turn(frame.at, turn, at),
                    };
                    (frame.fresh, frame.idle) = (false, false);
                    std::mem::take(&mut frame.before).iter().for_each(|words| draft.comment(frame.at, words));
                    draft.plain_comment(frame.at, &rest[length..length + judged]);
                }
                at += length + judged;
            }
            _ => {
                let word = &rest[..word_length(rest.as_bytes()).max(letter.len_utf8())];
                let bare = word.trim_end_matches(['.', ',', '!']).to_lowercase();
                let result = result_of(word.trim_end_matches(['.', ','])).filter(|_| outer.is_empty() || bare != "*");
                let mut length = word.len();
                if let Some(result) = result {
                    set_result(&mut draft, result, at, warnings);
                    ended = true;
                } else if let Some((digits, number)) = number(word) {
                    length = number;
                    if let Ok(next) = word[..digits].parse::<u32>() {
                        let last = frame.number.replace(next);
                        let idle = std::mem::replace(&mut frame.idle, true);
                        let goes_on = |last: u32| last.saturating_add(1) == next && !idle;
                        if let Some(last) = last.filter(|&last| !frame.lost && next > last && !goes_on(last)) {
                            warnings.say(at, format!("{next} stands behind {last}: perhaps turns are missing"));
                        }
                        if outer.is_empty()
                            && last.is_none()
                            && next == first_number(&draft)
                            && let Some((place, said)) = preface.take()
                        {
                            warnings.lose(place, said, format!("the words before the number {next} are left out"));
                            frame.lost = false;
                        }
                    }
                } else if let Some(digits) = word.strip_prefix('$')
                    && digits.bytes().all(|byte| byte.is_ascii_digit())
                    && !digits.is_empty()
                {
                    let known = digits.parse().ok().and_then(|number: usize| JUDGEMENTS.get(number));
                    comment = Some(known.copied().filter(|known| !known.is_empty()).unwrap_or(word));
                } else if word.bytes().all(|byte| b"!?".contains(&byte)) && frame.at > 0 {
                    comment = Some(word);
                } else if bare.is_empty() || bare == "*" {
                    // Commas between turns, and the end of a variation, say nothing.
                } else if ["white", "black"].contains(&bare.as_str()) {
                    named = Some((bare == "white", at));
                } else if ["resigns", "resign", "resigned", "gives", "lost", "loses"].contains(&bare.as_str()) {
                    match named.take() {
                        Some((white, _)) => set_result(&mut draft, if white { "0-1" } else { "1-0" }, at, warnings),
                        None => draft.resigns = Some(at),
                    }
                    ended = true;
                } else if let (Some((white, _)), true) = (named, ["wins", "won", "win"].contains(&bare.as_str())) {
                    named = None;
                    set_result(&mut draft, if white { "1-0" } else { "0-1" }, at, warnings);
                    ended = true;
                } else {
                    named = None;
                    // Up to a blank or a bracket, or the bracket itself.
                    let goes_on = |&(at, c): &(usize, char)| at == 0 || !(c.is_whitespace() || "(){};".contains(c));
                    let shown: String = rest.char_indices().take(100).take_while(goes_on).map(|(_, c)| c).collect();
                    unknown = Some((at, format!("'{}' is not a turn", shortened(&shown))));
                }
                at += length;
            }
        }
        if let Some(fault) = unknown {
            frame.end_at(fault, parents.len() == 1 && outer.is_empty(), &mut preface, warnings);
        }
        if let Some(words) = comment.filter(|_| !frame.lost) {
            if frame.fresh {
                frame.before.push(words.to_owned());
            } else {
                draft.comment(frame.at, words);
            }
        }
    }
    if let Some((_, place)) = named {
        frame.end_at((place, NAMED.to_owned()), false, &mut preface, warnings);
    }
    if let Some((at, said)) = preface {
        warnings.lose(at, said, LINE_ENDS);
    }
    if let Some(&(at, _)) = outer.first() {
        warnings.say(at, unclosed(["a variation", "variations"], outer.len()));
    }
    // Bare turns are often without a result. After tags its lack may be all that tells that turns are lost.
    if !ended && !draft.tags.is_empty() {
        warnings.say(text.trim_end().len(), "no result stands at the end of this game: perhaps it is cut off");
    }
    while let Some((_, back)) = outer.pop() {
        let inner = std::mem::replace(&mut frame, back);
        inner.before.iter().for_each(|words| draft.comment(frame.at, words));
    }
    draft
}

fn read_tag(draft: &mut Draft, name: &str, value: &str, at: usize, warnings: &mut Warnings) {
    let (mut text, mut letters) = (String::new(), value.chars());
    while let Some(letter) = letters.next() {
        text.push(if letter == '\\' { letters.next().unwrap_or(letter) } else { letter });
    }
    let name = NAMES.into_iter().find(|known| known.eq_ignore_ascii_case(name)).unwrap_or(name);
    match name {
        "Variant" => match draft.name.replace((text, at)) {
            Some((before, at)) if variant::find(before.trim()).is_err() => warnings.say(at, unknown(&before)),
            _ => {}
        },
        "Rules" => draft.rules = Some((text, at)),
        "FEN" => draft.fen = Some((super::fen::bare(&text), at)),
        _ if draft.tags.contains_key(name) => {
            if draft.tags.get(name) != Some(&text) {
                warnings.say(at, format!("the tag {name} is there twice; the first is kept"));
            }
        }
        _ if draft.tags.len() == MOST_TAGS => {
            warnings.say(at, format!("more than {MOST_TAGS} tags: {name} is left out"))
        }
        _ => drop(draft.tags.insert(name.to_owned(), text)),
    }
}

/// The result after the turns. That of a tag says more.
fn set_result(draft: &mut Draft, result: &'static str, at: usize, warnings: &mut Warnings) {
    let known = draft.tags.get("Result").map(|known| (known.clone(), result_of(known)));
    match known {
        Some((_, Some(known))) if known == result || result == "*" => {}
        Some((said, Some(known))) if known != "*" => {
            warnings.say(at, format!("the result {result} is not that of before, {}, which is kept", shortened(&said)));
        }
        _ => drop(draft.tags.insert("Result".to_owned(), result.to_owned())),
    }
}
