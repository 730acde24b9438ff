//! A game as it was written, and its turns against the rules.

use super::note::{Note, Score, clean, commands};
use super::source::{Warnings, Wrong};
use super::{Entry, Record, rule_set};
use hippolyta::engine::Board;
use hippolyta::games::variant::{VARIANTS, Variant};
use hippolyta::games::{Outcome, Side, Turn, TurnError, Written, is_dash};
pub(super) use hippolyta::words::shown as shortened;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;

/// The longest line of turns.
const MOST_PLIES: usize = 1_500;
/// Turns of a game with all its variations.
const MOST_TURNS: usize = 20_000;
/// How deep variations may nest: JSON in particular nests three levels for each.
const MOST_NESTED: usize = 30;
/// Words that may stand for a result.
pub(super) const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// What names the rule set beside a text, unless the reader was told otherwise.
pub(super) const NAMING: &str = "'variant'";

/// What is said where only half a turn was played.
pub(super) const HAS_BEGUN: &str = "a turn has begun here; this is the position before it";

/// The usual tags come first, each with what stands for an unknown value.
pub(super) const FIRST: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];
/// Values of them that say nothing.
const UNKNOWN: [&str; 2] = ["?", "????.??.??"];

/// Whether a tag is one of the usual seven.
pub(super) fn is_usual(name: &str) -> bool {
    FIRST.iter().any(|(usual, _)| *usual == name)
}

/// Whether a byte may stand in the name of a tag.
pub(super) fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-+#=".contains(&byte)
}

/// The result that a word stands for, in any spelling that is in use.
pub(super) fn result_of(word: &str) -> Option<&'static str> {
    if word.len() > 24 {
        return None;
    }
    let plain: String = word.trim().chars().map(|c| if is_dash(c) || c == ':' { '-' } else { c }).collect();
    Some(match plain.replace(' ', "").to_lowercase().as_str() {
        // Draughts count two points.
        "1-0" | "2-0" | "+--" | "1-0ff" => "1-0",
        "0-1" | "0-2" | "--+" => "0-1",
        "1/2-1/2" | "1-1" | "½-½" | "1/2" | "½" | "0.5-0.5" | ".5-.5" | "0,5-0,5" | "draw" | "drawn" => "1/2-1/2",
        "*" => "*",
        _ => return None,
    })
}

#[derive(Default)]
pub(super) struct DraftTurn {
    text: String,
    /// A comment's words, and a note among them.
    comment: String,
    note: Option<Note>,
    /// A score from White's view.
    eval: Option<Score>,
    children: Vec<usize>,
    /// Its place in the text.
    at: usize,
    /// It may be a remark: then it is one if it is not legal.
    remark: bool,
}

/// A game that was not checked yet. Turns are numbered from 1; 0 is the start.
pub(super) struct Draft {
    pub variant: Variant,
    /// Whether the text names the rule set. If not, another whose rules fit may take its place.
    pub named: bool,
    /// The name of the rule set and its rules, where they are still to be looked for, with their places in the text.
    pub name: Option<(String, usize)>,
    pub rules: Option<(String, usize)>,
    /// With its place in the text.
    pub fen: Option<(String, usize)>,
    pub tags: BTreeMap<String, String>,
    /// Where a player resigns after the last turn: whoever is to move then, or the side named.
    pub resigns: Option<usize>,
    /// What may name the rule set beside the text: see [`super::Reader::naming`].
    pub naming: &'static str,
    pub(super) turns: Vec<DraftTurn>,
}

/// A draft, checked under some rules.
struct Checked {
    record: Record,
    warnings: Warnings,
    /// A turn is not legal, but can be read.
    illegal: bool,
    /// The side to move at the end of the main line.
    to_move: Side,
}

impl Draft {
    pub fn new(variant: &Variant) -> Self {
        let (named, name, rules, fen, resigns) = (false, None, None, None, None);
        let (variant, tags, naming) = (variant.clone(), BTreeMap::new(), NAMING);
        let turns = vec![DraftTurn::default()];
        Self { variant, named, name, rules, fen, tags, resigns, naming, turns }
    }

    /// Adds a turn after another, and returns its number.
    pub fn turn(&mut self, after: usize, text: String, at: usize) -> usize {
        let number = self.turns.len();
        self.turns[after].children.push(number);
        self.turns.push(DraftTurn { text, at, ..DraftTurn::default() });
        number
    }

    /// Adds what is a turn if that is legal, and a remark if not.
    pub fn perhaps_turn(&mut self, after: usize, text: String, at: usize) -> usize {
        let number = self.turn(after, text, at);
        self.turns[number].remark = true;
        number
    }

    /// Adds a comment. The first that reads as a note becomes the turn's note, and commands such as `[%clk 0:01:30]` add
    /// to it.
    pub fn comment(&mut self, turn: usize, comment: &str) {
        let mut comment = clean(comment);
        let mut told = Note::default();
        if turn > 0 && comment.contains("[%") {
            let (note, eval, rest) = commands(&comment);
            (told, comment) = (note, clean(&rest));
            self.turns[turn].eval = eval.or(self.turns[turn].eval);
        }
        let mut words = comment.as_str();
        if turn > 0
            && self.turns[turn].note.is_none()
            && let Some((note, rest)) = Note::parse(words)
        {
            self.turns[turn].note = Some(note);
            words = rest;
        }
        if told != Note::default() {
            let note = self.turns[turn].note.get_or_insert_default();
            note.clock_ms = note.clock_ms.or(told.clock_ms);
            note.time_us = note.time_us.or(told.time_us);
        }
        self.plain_comment(turn, words);
    }

    /// Adds a comment that is no note.
    pub fn plain_comment(&mut self, turn: usize, comment: &str) {
        append(&mut self.turns[turn].comment, &clean(comment));
    }

    pub fn set_note(&mut self, turn: usize, note: Note) {
        if note != Note::default() {
            self.turns[turn].note = Some(note);
        }
    }

    /// How many turns hang on these.
    fn behind(&self, turns: &[usize]) -> usize {
        let (mut open, mut count) = (turns.to_vec(), 0);
        while let Some(number) = open.pop() {
            count += self.turns[number].children.len();
            open.extend(&self.turns[number].children);
        }
        count
    }

    /// Plays all turns by the rules. Equal turns become one, in their usual spelling. What is illegal is cut off, with
    /// what hangs on it, and said. Where no rule set is named, one that fits is found. What loses turns and has none
    /// left is no game, nor is one at which `go_on` says no.
    pub fn check(mut self, warnings: &mut Warnings, go_on: &dyn Fn() -> bool) -> Result<Record, Wrong> {
        self.find_rule_set(warnings)?;
        let checked =
            if self.named { self.play(&self.variant, go_on)? } else { self.play_by_some_rules(warnings, go_on)? };
        let Checked { mut record, warnings: said, to_move, .. } = checked;
        warnings.extend(said);
        if record.turns.is_empty()
            && let Some(wrong) = warnings.first_loss()
        {
            return Err(wrong);
        }
        if let Some(at) = self.resigns {
            let winner = if to_move == Side::White { RESULTS[1] } else { RESULTS[0] };
            match self.tags.get("Result").map(String::as_str) {
                None | Some("*" | "?") => {
                    self.tags.insert("Result".to_owned(), winner.to_owned());
                    self.tags.entry("Termination".to_owned()).or_insert_with(|| "resignation".to_owned());
                }
                Some(known) if known == winner => {}
                Some(known) => warnings.say(at, format!("by this the result is {winner}; the tag's {known} is kept")),
            }
        }
        record.tags = tags(self.tags, record.outcome, warnings);
        Ok(record)
    }

    /// Takes the rule set that the text names, or whose rules it brings along.
    fn find_rule_set(&mut self, warnings: &mut Warnings) -> Result<(), Wrong> {
        let [name, rules] = [&self.name, &self.rules].map(|said| said.as_ref().map(|(text, at)| (text.as_str(), *at)));
        match (rule_set::find(name, rules, &self.variant)?, name) {
            (Some(variant), _) => (self.variant, self.named) = (variant, true),
            (None, Some((name, at))) => warnings.say(at, rule_set::unknown(name)),
            (None, None) => {}
        }
        Ok(())
    }

    /// By the first of the rule sets, in the order in which they are likely, under which nothing is lost; or else by
    /// the likeliest, for what is left when turns are dropped fits some rule set too often.
    fn play_by_some_rules(&self, warnings: &mut Warnings, go_on: &dyn Fn() -> bool) -> Result<Checked, Wrong> {
        let board_of = |fen: &str| fen.split_whitespace().next().unwrap_or_default().to_owned();
        let fen = self.fen.as_ref().map(|(fen, _)| board_of(fen));
        // The size of a board is the number of its ranks: all of ours are square.
        let ranks = |board: &str| board.matches('/').count();
        let unlikely = |variant: &Variant| match &fen {
            Some(board) if board_of(variant.start()) == *board => 0,
            Some(board) if ranks(variant.start()) == ranks(board) => 1,
            Some(_) => 2,
            None => 0,
        };
        let mut variants = vec![&self.variant];
        variants.extend(VARIANTS.iter().filter(|variant| **variant != self.variant));
        variants.sort_by_key(|variant| unlikely(variant));
        let begin_so = variants.iter().take_while(|variant| unlikely(variant) == 0).count();
        let certain = fen.is_some() && begin_so == 1;
        let is_whole = warnings.first_loss().is_none();
        let mut best: Option<Checked> = None;
        let mut wrong = None;
        for variant in &variants {
            match self.play(variant, go_on) {
                Ok(checked) => {
                    let fits = is_whole && checked.warnings.first_loss().is_none();
                    if fits || best.is_none() {
                        best = Some(checked);
                    }
                    if fits || !is_whole {
                        break;
                    }
                }
                // The fault under the rule set that was asked for comes first.
                Err(error) if **variant == self.variant => wrong = Some(error),
                Err(error) => wrong = wrong.or(Some(error)),
            }
        }
        // A game that ends in the middle of a turn, as copied text may: all before that is legal.
        let is_cut = |checked: &Checked| {
            let kept = checked.record.turns.len();
            kept >= 2 && kept + 1 + usize::from(is_whole) == self.turns.len() && !checked.illegal
        };
        let mut best = best.ok_or_else(|| wrong.unwrap_or_default())?;
        let has_none = best.record.turns.is_empty();
        let cut = || variants.iter().find_map(|variant| self.play(variant, go_on).ok().filter(is_cut));
        let cut = has_none.then(cut).flatten();
        let ends_early = cut.is_some();
        best = cut.unwrap_or(best);
        let taken = &best.record.variant;
        let is_whole = |checked: &Checked| checked.warnings.first_loss().is_none();
        // Of one family rules are alike: nothing was guessed but the name of the board.
        let is_same = taken.family() == self.variant.family()
            && self.fen.is_some()
            && self.play(&self.variant, go_on).is_ok_and(|checked| is_whole(&checked));
        if *taken != self.variant && !certain && !is_same {
            let is_all = best.warnings.first_loss().is_none();
            let what = match (ends_early, is_all) {
                (true, _) => "all but its end",
                (_, true) => "all of it",
                _ => "its position",
            };
            let is_as_likely = |variant: &&Variant| {
                unlikely(variant) == unlikely(taken) && **variant != self.variant && variant.family() != taken.family()
            };
            let fits = |variant: &&Variant| {
                let is_as_good = |checked: Checked| match ends_early {
                    true => is_cut(&checked),
                    false => !is_all || checked.warnings.first_loss().is_none(),
                };
                self.play(variant, go_on).is_ok_and(is_as_good)
            };
            let others = VARIANTS.iter().filter(is_as_likely).filter(fits).map(Variant::name);
            let names: Vec<_> = [taken.name()].into_iter().chain(others).collect();
            let read = if names.len() > 1 { format!("; it is read as {}", names[0]) } else { String::new() };
            let (all, not) = (listed(&names), self.variant.name());
            warnings.say(0, format!("{} names no rule set; {what} fits {all}, not {not}{read}", self.naming));
        }
        Ok(best)
    }

    fn play(&self, variant: &Variant, go_on: &dyn Fn() -> bool) -> Result<Checked, Wrong> {
        let (fen, at) = self.fen.clone().unwrap_or_else(|| (variant.start().to_owned(), 0));
        let mut board = Board::from_fen(variant, &fen).map_err(|error| (at, error.to_string()))?;
        let mut record = Record {
            variant: variant.clone(),
            fen: board.fen(),
            tags: BTreeMap::new(),
            comment: self.turns[0].comment.clone(),
            turns: Vec::new(),
            final_fen: board.fen(),
            outcome: board.outcome(),
        };
        let (mut to_move, mut full) = (board.side_to_move(), false);
        let (mut warnings, illegal) = (Warnings::default(), Cell::new(false));
        enum Step {
            Back,
            Play { legal: Turn, same: Vec<usize>, parent: Option<usize>, place: Place },
        }
        #[derive(Clone, Copy)]
        struct Place {
            plies: usize,
            nested: usize,
            main: bool,
        }
        /// The turns that go on from a position, equal ones as one, each with those of the draft; and remarks.
        struct Branches {
            groups: Vec<(Turn, Vec<usize>)>,
            remarks: String,
        }
        let branches = |board: &Board, from: &[usize], place: Place, warnings: &mut Warnings| -> Branches {
            let mut found = Branches { groups: Vec::new(), remarks: String::new() };
            let mut known: HashMap<Turn, usize> = HashMap::new();
            let mut open: Vec<usize> = from.iter().flat_map(|&number| &self.turns[number].children).copied().collect();
            open.reverse();
            while let Some(number) = open.pop()
                && go_on()
            {
                let turn = &self.turns[number];
                let is_first = found.groups.is_empty();
                let read = match board.read(&turn.text) {
                    Err(_) if turn.remark => {
                        append(&mut found.remarks, &turn.text);
                        append(&mut found.remarks, &turn.comment);
                        open.extend(turn.children.iter().rev());
                        continue;
                    }
                    Err(error) => {
                        illegal.set(illegal.get() || matches!(error, TurnError::Illegal { .. }));
                        Err(error.to_string())
                    }
                    Ok(_) if place.plies == MOST_PLIES => Err(format!("a line of more than {MOST_PLIES} turns")),
                    Ok(legal) => match known.get(&legal) {
                        Some(&group) => {
                            found.groups[group].1.push(number);
                            continue;
                        }
                        None if !is_first && place.nested == MOST_NESTED => {
                            Err(format!("variations nest deeper than {MOST_NESTED}"))
                        }
                        None => Ok(legal),
                    },
                };
                match read {
                    Ok(legal) => {
                        known.insert(legal.clone(), found.groups.len());
                        found.groups.push((legal, vec![number]));
                    }
                    Err(message) => {
                        // Where a line breaks off, what stands in place of its next turn would be its end.
                        let lost = if is_first { [&[number], &open[..]].concat() } else { vec![number] };
                        let more = self.behind(&lost) + lost.len() - 1;
                        let left = match more {
                            0 => "it is left out".to_owned(),
                            1 => "it and the turn that hangs on it are left out".to_owned(),
                            _ => format!("it and the {more} turns that hang on it are left out"),
                        };
                        warnings.lose(turn.at, message, left);
                        if is_first {
                            break;
                        }
                    }
                }
            }
            found
        };
        let follow = |steps: &mut Vec<Step>, groups: Vec<(Turn, Vec<usize>)>, parent, place: Place| {
            for (index, (legal, same)) in groups.into_iter().enumerate().rev() {
                let (nested, main) = (place.nested + usize::from(index > 0), place.main && index == 0);
                steps.push(Step::Back);
                steps.push(Step::Play { legal, same, parent, place: Place { plies: place.plies + 1, nested, main } });
            }
        };
        let mut steps = Vec::new();
        let first = Place { plies: 0, nested: 0, main: true };
        let Branches { groups, remarks } = branches(&board, &[0], first, &mut warnings);
        append(&mut record.comment, &remarks);
        follow(&mut steps, groups, None, first);
        while let Some(step) = steps.pop()
            && go_on()
        {
            let Step::Play { legal: played, same, parent, place } = step else {
                board.undo();
                continue;
            };
            let turn = &self.turns[same[0]];
            if record.turns.len() == MOST_TURNS {
                if !full {
                    warnings.lose(turn.at, format!("more than {MOST_TURNS} turns"), "the others are left out");
                }
                full = true;
                steps.pop();
                continue;
            }
            if let Err(error) = board.play_turn(&played) {
                return Err((turn.at, error.to_string()));
            }
            let (mut comment, mut note, mut eval) = (String::new(), None, None);
            for turn in same.iter().map(|&number| &self.turns[number]) {
                note = note.or(turn.note);
                eval = eval.or(turn.eval);
                append(&mut comment, &turn.comment);
            }
            let Branches { groups, remarks } = branches(&board, &same, place, &mut warnings);
            append(&mut comment, &remarks);
            let mut note = note.unwrap_or_default();
            note.score = note.score.or(eval.map(|score| score.of(!board.side_to_move())));
            record.turns.push(Entry { turn: played, parent, comment, note });
            if place.main && groups.is_empty() {
                (record.final_fen, record.outcome) = (board.fen(), board.outcome());
                to_move = board.side_to_move();
            }
            follow(&mut steps, groups, Some(record.turns.len() - 1), place);
        }
        if !go_on() {
            return Err((0, "reading was stopped".to_owned()));
        }
        Ok(Checked { record, warnings, illegal: illegal.get(), to_move })
    }
}

/// Adds words as lines of their own.
fn append(known: &mut String, words: &str) {
    if !known.is_empty() && !words.is_empty() {
        known.push('\n');
    }
    known.push_str(words);
}

/// `b2, d2 and f2`.
pub(crate) fn listed(things: &[impl Display]) -> String {
    let names: Vec<_> = things.iter().map(ToString::to_string).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// An error if a tag could not be kept: its name is none, or a result.
pub(super) fn check_tags(tags: &BTreeMap<String, String>) -> Result<(), String> {
    if let Some(name) = tags.keys().find(|name| !is_name(name)) {
        return Err(format!("'{}' is no name of a tag", shortened(name)));
    }
    match tags.get("Result").filter(|result| !result.is_empty() && !UNKNOWN.contains(&result.as_str())) {
        Some(result) if result_of(result).is_none() => Err(format!("'{}' is not a result", shortened(result))),
        _ => Ok(()),
    }
}

/// Whether a tag may be called so.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(is_of_name)
}

/// Tags as they are kept: on one line each, with a result that is one. A game that is over by the rules has its result.
fn tags(tags: BTreeMap<String, String>, outcome: Option<Outcome>, warnings: &mut Warnings) -> BTreeMap<String, String> {
    let of_the_start = |name: &str| ["Variant", "Rules", "SetUp", "FEN"].contains(&name);
    let mut kept = BTreeMap::new();
    for (name, value) in tags {
        if of_the_start(&name) || value.is_empty() || is_usual(&name) && UNKNOWN.contains(&value.as_str()) {
            continue;
        }
        if !is_name(&name) {
            warnings.say(0, format!("'{}' is no name of a tag; it is left out", shortened(&name)));
            continue;
        }
        kept.insert(name, value.replace(['\n', '\r'], " "));
    }
    let said = kept.remove("Result");
    let known = said.as_deref().and_then(result_of);
    if let (Some(said), None) = (&said, known) {
        warnings.say(0, format!("'{}' is not a result; it is left out", shortened(said)));
    }
    let result = known.filter(|result| *result != "*").unwrap_or(match outcome {
        Some(Outcome::Win(Side::White)) => "1-0",
        Some(Outcome::Win(Side::Black)) => "0-1",
        Some(Outcome::Draw) => "1/2-1/2",
        None => "*",
    });
    kept.insert("Result".to_owned(), result.to_owned());
    kept
}

/// The warning about brackets that are still open at the end, at the first of them.
pub(super) fn unclosed([one, several]: [&str; 2], count: usize) -> String {
    match count {
        1 => format!("{one} ( has no end )"),
        count => format!("{count} {several} ( have no end ), of which this is the first"),
    }
}

/// The length of the turn that a text begins with, in any spelling that is in use.
pub(super) fn turn_length(text: &str) -> Option<usize> {
    Written::read(text).map(|turn| turn.length)
}

/// The turns that a text begins with, each with its place, up to the first word that is none; and where that is.
pub(super) fn turns(text: &str) -> (Vec<(usize, &str)>, usize) {
    let (mut found, mut at) = (Vec::new(), 0);
    loop {
        at = text.len() - text[at..].trim_start_matches(|c: char| c.is_whitespace() || ";.".contains(c)).len();
        let length = turn_length(&text[at..]).unwrap_or(0);
        let is_whole = text[at + length..].chars().next().is_none_or(|c| c.is_whitespace() || ";.".contains(c));
        if length == 0 || !is_whole {
            return (found, at);
        }
        found.push((at, &text[at..at + length]));
        at += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_in_any_spelling() {
        for (word, result) in [
            ("1-0", "1-0"),
            (" 1 : 0 ", "1-0"),
            ("1-0ff", "1-0"),
            ("0–1", "0-1"),
            ("--+", "0-1"),
            ("1/2", "1/2-1/2"),
            (".5-.5", "1/2-1/2"),
            ("Drawn", "1/2-1/2"),
            ("*", "*"),
        ] {
            assert_eq!(result_of(word), Some(result), "{word}");
        }
        // Longer words are none.
        assert_eq!(result_of(&format!("{:24}", "1-0")), Some("1-0"));
        assert_eq!(result_of(&format!("{:25}", "1-0")), None);
        assert_eq!(result_of("3-0"), None);
    }
}
