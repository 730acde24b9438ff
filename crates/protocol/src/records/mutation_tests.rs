//! Files that were damaged at one place: games and warnings together account for everything in them.

use super::*;
use hippolyta::games::variant::find;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::Range;

/// Real games, cut short, with tags that tell them apart; every second one has a comment and variations.
fn games() -> Vec<Record> {
    let mut games = Vec::new();
    for (file, name) in [("amazons", "amazons"), ("desdemona", "iago"), ("desdemona", "cassio"), ("amazons", "amazons")]
    {
        let path = format!("{}/../../tests/vectors/{file}.games.jsonl", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let line = lines.into_iter().filter(|line| line["variant"] == name).nth(games.len()).unwrap();
        let turns: Vec<_> = line["moves"].as_array().unwrap().iter().map(|turn| turn.as_str().unwrap()).collect();
        let number = games.len() + 1;
        let tags = [("Event", "Cup"), ("White", "Ann"), ("Black", "Bob"), ("Annotator", "Cy")];
        let mut tags: BTreeMap<_, _> = tags.map(|(name, value)| (name.to_owned(), format!("{value} {number}"))).into();
        tags.insert("Result".to_owned(), ["1-0", "0-1"][number % 2].to_owned());
        let played = turns.iter().take(14 + number).map(|turn| ((*turn).to_owned(), Note::default()));
        let mut record = Record::new(&find(name).unwrap(), line["start"].as_str().unwrap(), tags, played).unwrap();
        if number % 2 == 0 {
            record.turns[3].comment = "a good one".to_owned();
            let board = hippolyta::engine::Board::after(&record.variant, &record.fen, &turns[..5]).unwrap();
            let legal = board.legal_turns().all();
            for turn in [legal[7].clone(), legal[31].clone()] {
                let note = Note { depth: Some(3), score: Some(Score::Cp(12)), time_us: Some(1_000), ..Note::default() };
                record.turns.push(Entry { turn, parent: Some(4), comment: String::new(), note });
            }
        }
        games.push(record);
    }
    games
}

/// All games of a text, and what was said of it. That one of several rule sets with a start was guessed, which a list
/// of positions does not name, is no damage.
fn read(format: Format, text: &[u8]) -> (Vec<Record>, Vec<Damage>) {
    let (records, mut damages) = super::tests::read(format, text);
    damages.retain(|damage| format != Format::Fen || !damage.message.contains("names no rule set; all of it fits"));
    (records, damages)
}

/// Where each game begins, and the end.
fn borders(format: Format, games: &[Record]) -> (String, Vec<usize>) {
    let (mut writer, mut text, mut borders) = (Writer::new(format), Vec::new(), vec![0]);
    for game in games {
        writer.write(game, &mut text).unwrap();
        borders.push(text.len());
    }
    (String::from_utf8(text).unwrap(), borders)
}

/// A change of a text within `range`: what it is called, the text, and how much longer it is. `None` if it leaves a text
/// that nobody can tell from a whole one.
fn mutate(
    text: &str,
    range: Range<usize>,
    format: Format,
    random: &mut Xoshiro256PlusPlus,
) -> Option<(String, String)> {
    let at = random.random_range(range.clone());
    let lines = |range: Range<usize>| -> Vec<Range<usize>> {
        let ends = text[range.clone()].match_indices('\n').map(|(end, _)| range.start + end + 1);
        let mut begin = range.start;
        ends.map(|end| std::mem::replace(&mut begin, end)..end).collect()
    };
    // Text between words or nodes may be missing without a trace.
    let between = |at: usize| {
        let bytes = text.as_bytes();
        let edge = |byte: u8| byte.is_ascii_whitespace() || b";()".contains(&byte);
        at == range.start || at == range.end || edge(bytes[at - 1]) || edge(bytes[at])
    };
    let mut changed = text.to_owned();
    let kind = random.random_range(0..6);
    // A position behind # is a remark, and what stands before the first bracket of SGF is of the game before.
    if at == range.start && matches!((format, kind), (Format::Fen, 2) | (Format::Sgf, 0 | 1)) {
        return None;
    }
    // A game that is one line may be missing without a trace.
    if matches!(kind, 3 | 4) && matches!(format, Format::Jsonl | Format::Fen) {
        return None;
    }
    let what = match kind {
        0 => {
            let end = (at + random.random_range(1..40)).min(range.end);
            if between(at) && between(end) {
                return None;
            }
            changed.replace_range(at..end, "");
            format!("{at}..{end} deleted: {:?}", &text[at..end])
        }
        1 => {
            let sign = char::from(b"()[]{};\"\\*%:,"[random.random_range(0..13)]);
            changed.insert(at, sign);
            format!("{sign} put in at {at}")
        }
        2 => {
            changed.replace_range(at..=at, "#");
            format!("{:?} at {at} is #", &text[at..=at])
        }
        3 => {
            let lines = lines(range.clone());
            let [first, second] = [0, 1].map(|_| lines[random.random_range(0..lines.len())].clone());
            if first.start >= second.start || first.start == range.start && format == Format::Sgf {
                return None;
            }
            let (one, two) = (text[first.clone()].to_owned(), text[second.clone()].to_owned());
            // A tag behind turns is one of the next game.
            if format == Format::Pgn && one.starts_with('[') != two.starts_with('[') {
                return None;
            }
            changed.replace_range(second, &one);
            changed.replace_range(first, &two);
            format!("lines swapped: {one:?} {two:?}")
        }
        4 => {
            let lines = lines(range);
            let line = lines[random.random_range(0..lines.len())].clone();
            // The last turn of a line is not missed.
            let is_last = format == Format::Sgf && !text[line.end..].starts_with(';');
            if is_last || !text[line.clone()].contains(',') {
                return None;
            }
            changed.replace_range(line.clone(), "");
            format!("line deleted: {:?}", &text[line])
        }
        _ => {
            // So may turns of a position, and the last ranks of its board.
            let of_position = format == Format::Fen && (between(at) || !text[range.start..at].contains(' '));
            if of_position || at == range.start || text[at..range.end].trim().is_empty() {
                return None;
            }
            changed.truncate(at);
            format!("cut at {at}, behind {:?}", &text[at.saturating_sub(20)..at])
        }
    };
    (changed != text).then_some((what, changed))
}

/// The words of a text that are turns.
fn turns_in(format: Format, text: &str) -> usize {
    let is_turn = |word: &str| word.starts_with(char::is_alphabetic) && draft::turn_length(word) == Some(word.len());
    match format {
        Format::Sgf => text.matches(";B[").count() + text.matches(";W[").count(),
        _ => text.split(|c: char| !c.is_ascii_alphanumeric() && !",:".contains(c)).filter(|word| is_turn(word)).count(),
    }
}

/// A text of games in which one was damaged.
struct Damaged<'a> {
    format: Format,
    /// The games before.
    whole: &'a [Record],
    /// Which was hit, and its bytes now.
    hit: usize,
    range: Range<usize>,
    text: &'a str,
    /// The games behind it are gone.
    was_cut: bool,
    /// Turns may be missing without a trace, as nothing tells how many there were.
    has_gap: bool,
}

impl Damaged<'_> {
    /// The first damage or loss that is not accounted for.
    fn fault(&self) -> Option<String> {
        let &Damaged { format, whole, hit, text, .. } = self;
        let (records, damages) = read(format, text.as_bytes());
        let part = &text[self.range.clone()];
        let line_of = |at: usize| 1 + text[..at].matches('\n').count() as u64;
        let lines = line_of(self.range.start)..=line_of(self.range.end);
        if let Some(damage) = damages.iter().find(|damage| !lines.contains(&damage.line)) {
            return Some(format!("a warning outside of {lines:?}: {damage}"));
        }
        let after = if self.was_cut { &[][..] } else { &whole[hit + 1..] };
        if records.len() < hit + after.len() || records[..hit] != whole[..hit] || !records.ends_with(after) {
            return Some(format!("another game is not what it was: {damages:?}"));
        }
        let found = &records[hit..records.len() - after.len()];
        if found.len() > 1 {
            return Some(format!("it became {} games: {damages:?}", found.len()));
        }
        if !damages.is_empty() {
            return None;
        }
        let [found] = found else { return Some("it is lost".to_owned()) };
        if *found == whole[hit] {
            return None;
        }
        let (read, written, before) = (found.turns.len(), turns_in(format, part), whole[hit].turns.len());
        if read != written || read != before && !self.has_gap {
            return Some(format!("{before} turns became {written}, of which {read} are read"));
        }
        let is_lost = |(name, value): &(&String, &String)| match name.as_str() {
            "Result" => part.contains(*value) && found.result() != *value,
            // Under another name it is there.
            _ => {
                let mut kept =
                    found.tags.values().chain([&found.comment]).chain(found.turns.iter().map(|turn| &turn.comment));
                part.contains(*value) && !kept.any(|known| known.contains(*value))
            }
        };
        let mut lost = whole[hit].tags.iter().filter(is_lost);
        lost.next().filter(|_| format != Format::Fen).map(|(name, value)| format!("{name} {value} is lost"))
    }
}

/// Damages of each format.
const EACH: usize = 2_000;

#[test]
fn games_and_warnings_account_for_all_of_a_damaged_file() {
    let games = games();
    let mut faults = Vec::new();
    for (seed, format) in [Format::Pgn, Format::Sgf, Format::Jsonl, Format::Fen].into_iter().enumerate() {
        let (text, borders) = borders(format, &games);
        let (whole, damages) = read(format, text.as_bytes());
        assert!(whole.len() == games.len() && damages.is_empty(), "{format:?}: {damages:?}");
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed as u64);
        let mut seen = 0;
        while seen < EACH {
            let hit = random.random_range(0..games.len());
            // Without the end of its line a position is one with the next.
            let (begin, end) = (borders[hit], borders[hit + 1] - usize::from(format == Format::Fen));
            let Some((what, changed)) = mutate(&text, begin..end, format, &mut random) else { continue };
            seen += 1;
            let was_cut = what.starts_with("cut");
            let has_gap = what.starts_with(|c: char| c.is_ascii_digit()) || was_cut && format == Format::Fen;
            let end = if was_cut { changed.len() } else { changed.len() - (text.len() - end) };
            let damaged = Damaged { format, whole: &whole, hit, range: begin..end, text: &changed, was_cut, has_gap };
            faults.extend(
                damaged
                    .fault()
                    .map(|fault| format!("{format:?}, game {}, {what}: {fault}\n{}", hit + 1, &changed[begin..end])),
            );
        }
    }
    let some: String = faults.iter().take(8).map(|fault| format!("{fault}\n\n")).collect();
    assert!(faults.is_empty(), "{} of {} damages:\n{some}", faults.len(), 4 * EACH);
}
