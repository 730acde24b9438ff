//! Games as PGN, with turns in a style, and as PDN.

use super::Record;
use super::draft::{FIRST, is_usual};
use super::pgn::{begins_tag, names_turns};
use hippolyta::engine::Board;
use hippolyta::games::variant::Family;
use hippolyta::games::{Fen, Side, Style};
use std::io;

const WIDTH: usize = 100;

/// With the numbers of squares, of a game of Damone.
pub(super) fn write_numbers(record: &Record) -> io::Result<String> {
    if matches!(record.variant.family(), Family::Damone(_)) {
        return Ok(write(record, Style::Numbers));
    }
    let message = format!("PDN numbers the squares of Damone; this is a game of {}", record.variant.name());
    Err(io::Error::new(io::ErrorKind::InvalidInput, message))
}

/// All turns in a style.
fn turns_in(record: &Record, style: Style) -> Vec<String> {
    let usual = || record.turns.iter().map(|entry| entry.turn.to_string()).collect();
    let board = Board::from_fen(&record.variant, &record.fen).ok().filter(|_| style != Style::Usual);
    let Some(mut board) = board else { return usual() };
    let mut played: Vec<usize> = Vec::new();
    let turns = record.turns.iter().enumerate().map(|(index, entry)| {
        // A variation comes behind all that it replaces.
        while played.last().copied() != entry.parent {
            board.undo();
            played.pop();
        }
        let text = board.text_of(&entry.turn, style);
        played.extend(board.play_turn(&entry.turn).is_ok().then_some(index));
        text
    });
    turns.collect()
}

pub(super) fn write(record: &Record, style: Style) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    };
    for (name, unknown) in FIRST {
        let known = record.tags.get(name).or_else(|| record.tags.get("Game").filter(|_| name == "Round"));
        tag(name, known.map_or(unknown, String::as_str));
    }
    tag("Variant", record.variant.name());
    if let Some(rules) = super::rule_set::text(&record.variant) {
        tag("Rules", &rules);
    }
    if !record.has_usual_start() {
        tag("SetUp", "1");
        // That of draughts has no counters.
        let fen =
            record.fen.parse::<Fen>().ok().filter(|fen| style == Style::Numbers && (fen.quiet, fen.number) == (0, 1));
        tag("FEN", &fen.map_or_else(|| record.fen.clone(), |fen| fen.draughts()));
    }
    for (name, value) in &record.tags {
        if !is_usual(name) {
            tag(name, value);
        }
    }
    text.push('\n');
    let mut words = Vec::new();
    push_comment(&record.comment, &mut words);
    push_line(record, &turns_in(record, style), &record.children(), &mut words);
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

/// Braces cannot stand in braces; such a comment goes to lines of its own, with `;;` where a line behind `;` might be
/// taken for play or for the first tag of another game.
fn push_comment(comment: &str, words: &mut Vec<String>) {
    if comment.contains(['{', '}']) {
        let is_taken = |line: &str| line.starts_with(';') || names_turns(line) || begins_tag(line.as_bytes());
        let sign = |line: &str| if is_taken(line) { ";;" } else { ";" };
        words.extend(comment.lines().map(|line| format!("{}{line}\n", sign(line))));
    } else if !comment.is_empty() {
        words.push(format!("{{{comment}}}"));
    }
}

/// All turns: each variation stands behind the turn that it replaces.
fn push_line(record: &Record, turns: &[String], children: &[Vec<usize>], words: &mut Vec<String>) {
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
    let mut steps = vec![Step::After { turn: None, ply: first_ply(&record.fen), numbered: true }];
    while let Some(step) = steps.pop() {
        match step {
            Step::After { turn, ply, numbered } => {
                let next = &children[turn.map_or(0, |turn| turn + 1)];
                let Some((&main, others)) = next.split_first() else { continue };
                push_turn(record, turns, main, ply, numbered, words);
                let said = says_anything(record, main) || !others.is_empty();
                steps.push(Step::After { turn: Some(main), ply: ply + 1, numbered: said });
                for &other in others.iter().rev() {
                    steps.push(Step::Close);
                    steps.push(Step::Open { turn: other, ply });
                }
            }
            Step::Open { turn, ply } => {
                let begun = words.len();
                push_turn(record, turns, turn, ply, true, words);
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

/// The number of the first turn after a position, in half turns: 0 for White's first, 1 for Black's.
pub fn first_ply(fen: &str) -> usize {
    let count = |fen: Fen| 2 * (fen.number as usize).saturating_sub(1) + usize::from(fen.side == Side::Black);
    fen.parse().map_or(0, count)
}

/// The number before a turn, with a blank behind it: `12. `, or `12... ` before a turn of Black's if that is `numbered`.
pub fn turn_number(ply: usize, numbered: bool) -> String {
    match (ply.is_multiple_of(2), numbered) {
        (true, _) => format!("{}. ", ply / 2 + 1),
        (false, true) => format!("{}... ", ply / 2 + 1),
        (false, false) => String::new(),
    }
}

fn push_turn(record: &Record, turns: &[String], index: usize, ply: usize, numbered: bool, words: &mut Vec<String>) {
    let turn = &record.turns[index];
    words.push(format!("{}{}", turn_number(ply, numbered), turns[index]));
    push_comment(&turn.note.text(), words);
    push_comment(&turn.comment, words);
}
