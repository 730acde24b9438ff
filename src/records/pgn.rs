//! Games in the manner of PGN: tags in brackets, turns in our notation, comments, variations. A new game begins with
//! tags after turns.

use super::Record;
use super::draft::{Draft, RESULTS, Wrong, shortened, turn_length};
use super::lines::{Chunk, Chunks};
use crate::games::variant::{self, Variant};
use std::io::{self, BufRead};

/// These come first, each with what stands for an unknown value.
const FIRST: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];
/// Tags of a game beyond these are left out.
const MOST_TAGS: usize = 100;
const WIDTH: usize = 100;

/// Name and value of a line that is a tag.
fn tag(line: &str) -> Option<(&str, String)> {
    let inner = line.trim().strip_prefix('[')?.strip_suffix(']')?.trim();
    let (name, value) = inner.split_once(char::is_whitespace)?;
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return None;
    }
    let quoted = value.trim_start().strip_prefix('"')?.strip_suffix('"')?;
    let (mut text, mut letters) = (String::new(), quoted.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => text.push(letters.next()?),
            '"' => return None,
            _ => text.push(letter),
        }
    }
    Some((name, text))
}

/// Whether a comment is open at the end of a line.
fn ends_in_comment(line: &str, open: bool) -> bool {
    let mut inside = open;
    if !open && line.starts_with('%') {
        return false;
    }
    for letter in line.chars() {
        match letter {
            '}' if inside => inside = false,
            _ if inside => {}
            '{' => inside = true,
            ';' => return false,
            _ => {}
        }
    }
    inside
}

/// The next game.
pub(super) fn chunk<R: BufRead>(lines: &mut Chunks<R>) -> io::Result<Option<Chunk>> {
    let mut chunk = Chunk::default();
    let (mut turns, mut comment, mut blank) = (false, false, false);
    while let Some(line) = lines.line()? {
        let is_blank = line.text.trim().is_empty();
        // Tags after an empty line end a comment that lacks its brace: one damaged game does not hide the others.
        if (!comment || blank) && tag(&line.text).is_some() {
            if turns {
                lines.put_back(line);
                break;
            }
            comment = false;
        } else if !is_blank {
            turns = true;
            comment = ends_in_comment(&line.text, comment);
        }
        blank = is_blank;
        if !is_blank || !chunk.is_empty() {
            chunk.push(&line, line.text.len());
        }
    }
    Ok(Some(chunk).filter(|chunk| !chunk.is_empty()))
}

/// A variation that is being read, or the main line.
struct Frame {
    /// The turn after which the next one comes.
    at: usize,
    /// Comments before the first turn of a variation: they belong to it.
    before: Vec<String>,
    fresh: bool,
}

/// What the usual numbers of PGN for judging a turn stand for.
const JUDGEMENTS: [&str; 7] = ["", "!", "?", "!!", "??", "!?", "?!"];

pub(super) fn parse(text: &str, fallback: &'static Variant) -> Result<Draft, Wrong> {
    let mut draft = Draft::new(fallback);
    let mut named = false;
    let mut at = 0;
    // The parent of each turn.
    let mut parents = vec![0];
    let mut outer: Vec<(usize, Frame)> = Vec::new();
    let mut frame = Frame { at: 0, before: Vec::new(), fresh: false };
    let to_line_end = |at: usize| text[at..].find('\n').map_or(text.len(), |length| at + length);
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        let mut comment = None;
        match letter {
            _ if letter.is_whitespace() => at += letter.len_utf8(),
            '[' => {
                let end = to_line_end(at);
                let Some((name, value)) = tag(&text[at..end]) else {
                    return Err((at, format!("a tag looks like [White \"Ann\"], not {}", shortened(&text[at..end]))));
                };
                match name {
                    "Variant" => {
                        draft.variant = variant::find(value.trim()).map_err(|error| (at, error.to_string()))?;
                        named = true;
                    }
                    "FEN" => draft.fen = Some((value, at)),
                    _ if draft.tags.len() < MOST_TAGS => drop(draft.tags.insert(name.to_owned(), value)),
                    _ => {}
                }
                at = end;
            }
            '{' => {
                let end = rest.find('}').ok_or_else(|| (at, "a comment { has no end }".to_owned()))?;
                comment = Some(&rest[1..end]);
                at += end + 1;
            }
            ';' => {
                let end = to_line_end(at);
                comment = Some(&text[at + 1..end]);
                at = end;
            }
            '%' if at == 0 || text[..at].ends_with('\n') => {
                let end = to_line_end(at);
                comment = Some(&text[at + 1..end]);
                at = end;
            }
            '(' => {
                if frame.fresh || frame.at == 0 {
                    return Err((at, "a variation ( before any turn".to_owned()));
                }
                let inner = Frame { at: parents[frame.at], before: Vec::new(), fresh: true };
                outer.push((at, std::mem::replace(&mut frame, inner)));
                at += 1;
            }
            ')' => {
                let (_, back) = outer.pop().ok_or_else(|| (at, "a ) without its (".to_owned()))?;
                let inner = std::mem::replace(&mut frame, back);
                inner.before.iter().for_each(|words| draft.comment(frame.at, words));
                at += 1;
            }
            _ => {
                if let Some(length) = turn_length(rest) {
                    parents.push(frame.at);
                    frame.at = draft.turn(frame.at, rest[..length].to_owned(), at);
                    frame.fresh = false;
                    std::mem::take(&mut frame.before).iter().for_each(|words| draft.comment(frame.at, words));
                    at += length;
                    let judged = text[at..].bytes().take(2).take_while(|byte| b"!?".contains(byte)).count();
                    draft.plain_comment(frame.at, &text[at..at + judged]);
                    at += judged;
                    continue;
                }
                let ends = |c: char| c.is_whitespace() || "(){};[]".contains(c);
                let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
                let digits = word.bytes().take_while(u8::is_ascii_digit).count();
                let dots = word[digits..].bytes().take_while(|&byte| byte == b'.').count();
                if RESULTS.contains(&word) {
                    draft.tags.entry("Result".to_owned()).or_insert_with(|| word.to_owned());
                    at += word.len();
                } else if digits > 0 && (dots > 0 || digits == word.len()) || dots > 0 && dots == word.len() {
                    at += digits + dots;
                } else if let Some(number) = word.strip_prefix('$')
                    && number.bytes().all(|byte| byte.is_ascii_digit())
                    && !number.is_empty()
                {
                    let known = number.parse().ok().and_then(|number: usize| JUDGEMENTS.get(number));
                    comment = Some(known.copied().filter(|known| !known.is_empty()).unwrap_or(word));
                    at += word.len();
                } else {
                    let word = if word.is_empty() { &rest[..letter.len_utf8()] } else { word };
                    return Err((at, format!("'{}' is not a turn", shortened(word))));
                }
            }
        }
        if let Some(words) = comment {
            if frame.fresh {
                frame.before.push(words.to_owned());
            } else {
                draft.comment(frame.at, words);
            }
        }
    }
    if let Some((at, _)) = outer.pop() {
        return Err((at, "a variation ( has no end )".to_owned()));
    }
    if let (false, Some((fen, _))) = (named, &draft.fen) {
        let usual = variant::VARIANTS.iter().find(|variant| variant.start == fen);
        draft.variant = usual.unwrap_or(draft.variant);
    }
    Ok(draft)
}

pub(super) fn write(record: &Record) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    };
    for (name, unknown) in FIRST {
        let known = record.tags.get(name).or_else(|| record.tags.get("Game").filter(|_| name == "Round"));
        tag(name, known.map_or(unknown, String::as_str));
    }
    tag("Variant", record.variant.name);
    if !record.has_usual_start() {
        tag("SetUp", "1");
        tag("FEN", &record.fen);
    }
    for (name, value) in &record.tags {
        if !FIRST.iter().any(|(first, _)| first == name) {
            tag(name, value);
        }
    }
    text.push('\n');
    let mut words = Vec::new();
    push_comment(&record.comment, &mut words);
    push_line(record, &record.children(), &mut words);
    words.push(record.result().to_owned());
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(&word);
        width = if word.ends_with('\n') { 0 } else { width + length };
    }
    text.push_str("\n\n");
    text
}

/// `}` cannot stand in braces; such a comment goes to lines of its own.
fn push_comment(comment: &str, words: &mut Vec<String>) {
    if comment.contains('}') {
        words.extend(comment.lines().map(|line| format!(";{line}\n")));
    } else if !comment.is_empty() {
        words.push(format!("{{{comment}}}"));
    }
}

/// All turns: each variation stands behind the turn that it replaces.
fn push_line(record: &Record, children: &[Vec<usize>], words: &mut Vec<String>) {
    enum Step {
        /// The turns after one, at this ply.
        After {
            turn: Option<usize>,
            ply: usize,
            numbered: bool,
        },
        /// A variation begins with this turn.
        Open {
            turn: usize,
            ply: usize,
        },
        Close,
    }
    let mut steps = vec![Step::After { turn: None, ply: usize::from(record.black_first()), numbered: true }];
    while let Some(step) = steps.pop() {
        match step {
            Step::After { turn, ply, numbered } => {
                let next = &children[turn.map_or(0, |turn| turn + 1)];
                let Some((&main, others)) = next.split_first() else { continue };
                push_turn(record, main, ply, numbered, words);
                let said = says_anything(record, main) || !others.is_empty();
                steps.push(Step::After { turn: Some(main), ply: ply + 1, numbered: said });
                for &other in others.iter().rev() {
                    steps.push(Step::Close);
                    steps.push(Step::Open { turn: other, ply });
                }
            }
            Step::Open { turn, ply } => {
                let begun = words.len();
                push_turn(record, turn, ply, true, words);
                words[begun].insert(0, '(');
                steps.push(Step::After { turn: Some(turn), ply: ply + 1, numbered: says_anything(record, turn) });
            }
            Step::Close => match words.last_mut() {
                // Behind a comment of a whole line the bracket needs a word of its own.
                Some(last) if !last.ends_with('\n') => last.push(')'),
                _ => words.push(")".to_owned()),
            },
        }
    }
}

fn says_anything(record: &Record, turn: usize) -> bool {
    let turn = &record.turns[turn];
    !turn.comment.is_empty() || turn.note != super::Note::default()
}

fn push_turn(record: &Record, index: usize, ply: usize, numbered: bool, words: &mut Vec<String>) {
    let turn = &record.turns[index];
    let number = ply / 2 + 1;
    words.push(match (ply.is_multiple_of(2), numbered) {
        (true, _) => format!("{number}. {}", turn.text),
        (false, true) => format!("{number}... {}", turn.text),
        (false, false) => turn.text.clone(),
    });
    push_comment(&turn.note.text(), words);
    push_comment(&turn.comment, words);
}
