//! A JSON object a line, with the fields of `games.jsonl` of a match, and besides `tags`, `comment`, and in `moves`
//! `comment` and `variations`. The game files that the page once wrote read the same way.

use super::Damage;
use super::Record;
use super::draft::Draft;
use super::note::{Note, Score};
use super::source::{Chunk, Source, Warnings, Wrong};
use hippolyta::games::variant::Variant;
use hippolyta::words::{Language, plain};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead};

/// How games of a match end: what `reason` may say.
const REASONS: [&str; 9] =
    ["rules", "illegal-move", "time", "crash", "silence", "resignation", "draw-by-score", "max-moves", "exact"];
/// Fields that say nothing which the turns do not.
const KNOWN: [&str; 1] = ["final_fen"];
/// Fields of a turn that only the records of a match have.
const OF_A_MATCH: [&str; 2] = ["seldepth", "ponderhit"];
/// The format and version of these game files.
const PAGE: (&str, u32) = ("hippolyta-game", 1);

/// A text that is borrowed from the line, if nothing in it is escaped: so its place is known.
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl Text<'_> {
    /// Its place in `line`.
    fn at(&self, line: &str) -> usize {
        match self.0 {
            Cow::Borrowed(text) => (text.as_ptr() as usize).saturating_sub(line.as_ptr() as usize).min(line.len()),
            Cow::Owned(_) => 0,
        }
    }
}

#[derive(Deserialize)]
struct Game<'a> {
    format: Option<String>,
    version: Option<u32>,
    game: Option<u64>,
    opening: Option<u64>,
    #[serde(borrow)]
    variant: Option<Text<'a>>,
    #[serde(borrow)]
    rules: Option<Text<'a>>,
    #[serde(borrow)]
    fen: Option<Text<'a>>,
    white: Option<String>,
    black: Option<String>,
    #[serde(borrow)]
    moves: Option<Vec<Item<'a>>>,
    result: Option<String>,
    reason: Option<String>,
    margin: Option<f64>,
    detail: Option<String>,
    tags: Option<BTreeMap<String, String>>,
    comment: Option<String>,
}

/// An object, or only the turn.
#[derive(Debug)]
pub(crate) struct Item<'a>(Move<'a>);

#[cfg(test)]
impl schemars::JsonSchema for Item<'_> {
    fn schema_name() -> Cow<'static, str> {
        Move::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Move::json_schema(generator)
    }
}

/// A turn of a record, with the lines that replace it.
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "RecordedMove"))]
struct Move<'a> {
    #[serde(borrow, rename = "move")]
    text: Text<'a>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    book: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_us: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Score>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    comment: Option<Text<'a>>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    variations: Option<Vec<Vec<Item<'a>>>>,
}

impl<'a> Move<'a> {
    fn new(text: Text<'a>, note: Note) -> Self {
        let Note { book, score, depth, nodes, time_us, clock_ms } = note;
        Self { text, book, time_us, clock_ms, score, depth, nodes, comment: None, variations: None }
    }

    fn note(&self) -> Note {
        let Self { book, time_us, clock_ms, score, depth, nodes, .. } = *self;
        Note { book, score, depth, nodes, time_us, clock_ms }
    }
}

impl Serialize for Item<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Item<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Item<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a turn or an object with 'move'")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Item<'de>, E> {
                Ok(Item(Move::new(Text(Cow::Borrowed(text)), Note::default())))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Item<'de>, E> {
                Ok(Item(Move::new(Text(Cow::Owned(text.to_owned())), Note::default())))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Item<'de>, A::Error> {
                Move::deserialize(MapAccessDeserializer::new(map)).map(Item)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// The next object: a line of its own, or over several lines, or one of a list. A line that begins another game ends
/// one that lacks its brace.
pub(super) fn chunk<R: BufRead>(source: &mut Source<R>, outside: &mut Vec<Damage>) -> io::Result<Option<Chunk>> {
    loop {
        if !source.skip_blanks()? {
            return Ok(None);
        }
        match source.byte(0)? {
            Some(b'{') => break,
            // Of a list of games.
            Some(b'[' | b']' | b',') => drop(source.take(1, None)?),
            _ => {
                let mut end = 0;
                loop {
                    match source.byte(end)? {
                        None | Some(b'\n' | b'\r') => break,
                        // An object within what is left of a game is none.
                        Some(b'{') if is_game(source.window(end, 4096)?) => break,
                        Some(_) => end = source.bounded(end) + 1,
                    }
                }
                let chunk = source.take(end, None)?;
                let words = super::draft::shortened(chunk.text.trim());
                // It may be what is left of a game.
                let lost = chunk.text.contains(['{', '[']).then(|| "it is left out".to_owned());
                outside.push(Damage { lost, ..chunk.damage(0, format!("'{words}' is not JSON of a game")) });
            }
        }
    }
    let (mut at, mut depth, mut quoted) = (0, 0_usize, false);
    while let Some(byte) = source.byte(at)? {
        at = source.bounded(at);
        // No text of JSON goes on in the next line.
        quoted &= !matches!(byte, b'\n' | b'\r');
        match byte {
            b'\\' if quoted && !matches!(source.byte(at + 1)?, Some(b'\n' | b'\r')) => at += 1,
            b'{' if depth > 0 && {
                let begins_line = source.begins_line(at);
                begins_game(source.window(at, 4096)?, begins_line)
            } =>
            {
                break;
            }
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    at += 1;
                    break;
                }
            }
            _ => {}
        }
        at += 1;
    }
    // Text that follows on the line, if it is neither another game nor part of a list, damages this one.
    loop {
        match source.byte(at)? {
            None | Some(b'\n' | b'\r' | b'{' | b',' | b']') => break,
            Some(_) => at = source.bounded(at) + 1,
        }
    }
    source.take(at, None).map(Some)
}

/// Whether another game begins here, within one that is not whole. In a text of JSON its quotes would be escaped.
fn begins_game(text: &[u8], begins_line: bool) -> bool {
    let numbered = || [&b"{\"game\":"[..], b"{\"format\":"].iter().any(|begin| text.starts_with(begin));
    if begins_line { is_game(text) } else { numbered() }
}

/// Whether an object begins as those of games do; those of turns begin with `move`.
fn is_game(text: &[u8]) -> bool {
    let inner = text[1..].trim_ascii_start();
    [&b"\"game\""[..], b"\"format\"", b"\"variant\"", b"\"moves\"", b"\"fen\"", b"\"white\""]
        .iter()
        .any(|name| inner.starts_with(name))
}

fn margin_text(margin: f64) -> String {
    format!("{margin:+}")
}

pub(super) fn parse(text: &str, fallback: &Variant, warnings: &mut Warnings) -> Result<Draft, Wrong> {
    let line = text.trim_end();
    let wrong = |error: serde_json::Error| {
        let message = error.to_string();
        // The place is told by us.
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
        let before: usize = line.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        (before + error.column().saturating_sub(1), plain(message, Language::Json))
    };
    let mut unknown = Vec::new();
    let mut json = serde_json::Deserializer::from_str(line);
    let game: Game<'_> = serde_ignored::deserialize(&mut json, |path| unknown.push(path.to_string())).map_err(wrong)?;
    json.end().map_err(wrong)?;
    unknown.sort_unstable();
    unknown.dedup();
    let is_known = |path: &String| {
        let of_turn = path.strip_prefix("moves.").and_then(|rest| rest.rsplit('.').next());
        KNOWN.contains(&path.as_str()) || of_turn.is_some_and(|field| OF_A_MATCH.contains(&field))
    };
    for path in unknown.iter().filter(|path| !is_known(path)) {
        warnings.say(0, format!("the field {} is not understood; it is left out", super::draft::shortened(path)));
    }
    if let Some(format) = game.format.filter(|format| format != PAGE.0) {
        return Err((0, format!("format '{}' is not '{}'", super::draft::shortened(&format), PAGE.0)));
    }
    if let Some(version) = game.version.filter(|&version| version > PAGE.1) {
        return Err((0, format!("version {version} is newer than {}, which is read here", PAGE.1)));
    }
    if game.moves.is_none() && game.fen.is_none() && game.variant.is_none() {
        return Err((0, "an object with neither variant nor fen nor moves is no game".to_owned()));
    }
    let mut draft = Draft { tags: game.tags.unwrap_or_default(), ..Draft::new(fallback) };
    let placed = |text: Text<'_>| (text.0.clone().into_owned(), text.at(line));
    (draft.name, draft.rules) = (game.variant.map(placed), game.rules.map(placed));
    if let Some(reason) = game.reason.as_ref().filter(|reason| !REASONS.contains(&reason.as_str())) {
        let reason = super::draft::shortened(reason);
        warnings.say(0, format!("the reason '{reason}' is none that is known; it is left out"));
    }
    draft.fen = game.fen.map(placed);
    let known = |reason: &String| REASONS.contains(&reason.as_str());
    for (name, value) in [
        ("Game", game.game.and_then(|number| number.checked_add(1)).map(|number| number.to_string())),
        ("Opening", game.opening.and_then(|number| number.checked_add(1)).map(|number| number.to_string())),
        ("White", game.white),
        ("Black", game.black),
        ("Result", game.result),
        ("Termination", game.reason.filter(known)),
        ("Detail", game.detail),
        ("Margin", game.margin.map(margin_text)),
    ] {
        let Some(value) = value else { continue };
        // A tag that stands beside such a field says what the field cannot: a number that is none, another reason.
        if !(["Game", "Opening", "Termination", "Margin"].contains(&name) && draft.tags.contains_key(name)) {
            draft.tags.insert(name.to_owned(), value);
        }
    }
    draft.plain_comment(0, game.comment.as_deref().unwrap_or_default());
    add(&mut draft, game.moves.as_deref().unwrap_or_default(), 0, line);
    Ok(draft)
}

/// Adds a line of turns and its variations. They nest no deeper than the parser of JSON allows.
fn add(draft: &mut Draft, moves: &[Item<'_>], after: usize, line: &str) {
    let mut at = after;
    for Item(entry) in moves {
        let before = at;
        at = draft.turn(at, entry.text.0.clone().into_owned(), entry.text.at(line));
        draft.set_note(at, entry.note());
        draft.plain_comment(at, entry.comment.as_ref().map_or("", |comment| &comment.0));
        for variation in entry.variations.iter().flatten() {
            add(draft, variation, before, line);
        }
    }
}

/// A record as JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "GameRecord"))]
pub(crate) struct Line<'a> {
    /// Its number, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<u64>,
    /// That of its opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<u64>,
    /// The rule set.
    variant: &'a str,
    /// Its rules, if it is one's own: a line of TOML, as a file of rule sets has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<String>,
    /// Where it began.
    fen: &'a str,
    /// Who played White.
    white: &'a str,
    /// Who played Black.
    black: &'a str,
    /// The main line.
    moves: Vec<Item<'a>>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: &'a str,
    /// How it ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    /// By how much White won.
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<f64>,
    /// More about its end.
    detail: &'a str,
    /// The end of the main line.
    final_fen: &'a str,
    /// Other facts about it, as in PGN.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tags: BTreeMap<&'a str, &'a str>,
    /// A comment on the start.
    #[serde(skip_serializing_if = "str::is_empty")]
    comment: &'a str,
}

/// One line. `number` is the number of games written before, for a game that has none.
pub(super) fn write(record: &Record, number: u64) -> String {
    let mut text = serde_json::to_string(&Line::new(record, Some(number))).unwrap_or_default();
    text.push('\n');
    text
}

impl<'a> Line<'a> {
    /// `number` is that of a game that has none; with it, its opening has a number, too.
    pub(crate) fn new(record: &'a Record, number: Option<u64>) -> Self {
        let tag = |name: &str| record.tags.get(name).map_or("", String::as_str);
        let counted = |name: &str| {
            tag(name)
                .parse::<u64>()
                .ok()
                .filter(|number| *number > 0 && tag(name).starts_with(|c: char| c.is_ascii_digit()))
        };
        let reason = Some(tag("Termination")).filter(|reason| REASONS.contains(reason));
        let mut tags: BTreeMap<_, _> =
            record.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        for name in ["White", "Black", "Result", "Detail"] {
            tags.remove(name);
        }
        for name in ["Game", "Opening"] {
            if counted(name).is_some() {
                tags.remove(name);
            }
        }
        if reason.is_some() {
            tags.remove("Termination");
        }
        // A margin that would not come back as it is stays a tag.
        let margin = tag("Margin").parse().ok().filter(|&margin: &f64| margin.is_finite());
        let margin = margin.filter(|&margin| margin_text(margin) == tag("Margin"));
        if margin.is_some() {
            tags.remove("Margin");
        }
        Line {
            game: counted("Game").map(|number| number - 1).or(number),
            opening: counted("Opening").map(|number| number - 1).or(number.and(Some(0))),
            variant: record.variant.name(),
            rules: super::rule_set::text(&record.variant),
            fen: &record.fen,
            white: tag("White"),
            black: tag("Black"),
            moves: items(record, &record.children(), 0),
            result: record.result(),
            reason: reason.or(record.outcome.map(|_| REASONS[0])),
            margin,
            detail: tag("Detail"),
            final_fen: &record.final_fen,
            tags,
            comment: &record.comment,
        }
    }
}

/// The main line after a turn (0 is the start, else its index and 1), each turn with its variations.
fn items<'a>(record: &'a Record, children: &[Vec<usize>], after: usize) -> Vec<Item<'a>> {
    let mut items = Vec::new();
    let mut at = after;
    while let Some((&main, others)) = children[at].split_first() {
        let mut item = item(record, main);
        if !others.is_empty() {
            let variation = |&other: &usize| {
                let mut line = vec![self::item(record, other)];
                line.extend(self::items(record, children, other + 1));
                line
            };
            item.0.variations = Some(others.iter().map(variation).collect());
        }
        items.push(item);
        at = main + 1;
    }
    items
}

fn item(record: &Record, index: usize) -> Item<'_> {
    let turn = &record.turns[index];
    let mut entry = Move::new(Text(Cow::Owned(turn.turn.to_string())), turn.note);
    entry.comment = Some(Text(Cow::Borrowed(turn.comment.as_str()))).filter(|comment| !comment.0.is_empty());
    Item(entry)
}
