//! A JSON object a line, with the fields of `games.jsonl` of a match, and besides `tags`, `comment`, and in `moves`
//! `comment` and `variations`. The page's game files read the same way, if they are on one line.

use super::Record;
use super::draft::{Draft, Wrong};
use super::lines::{Chunk, Chunks};
use super::note::{Note, Score};
use crate::games::variant::{self, Variant};
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
/// The format and version of the page's game files.
const PAGE: (&str, u32) = ("hippolyta-game", 1);

/// A text that is borrowed from the line, if nothing in it is escaped: so its place is known.
#[derive(Deserialize, Serialize)]
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
    fen: Option<Text<'a>>,
    white: Option<String>,
    black: Option<String>,
    #[serde(borrow, default)]
    moves: Vec<Item<'a>>,
    result: Option<String>,
    reason: Option<String>,
    margin: Option<f64>,
    detail: Option<String>,
    tags: Option<BTreeMap<String, String>>,
    comment: Option<String>,
}

/// An object, or only the turn.
struct Item<'a>(Move<'a>);

#[derive(Deserialize, Serialize)]
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

/// The next line that is not empty.
pub(super) fn chunk<R: BufRead>(lines: &mut Chunks<R>) -> io::Result<Option<Chunk>> {
    while let Some(line) = lines.line()? {
        if !line.text.trim().is_empty() {
            let mut chunk = Chunk::default();
            chunk.push(&line, line.text.len());
            return Ok(Some(chunk));
        }
    }
    Ok(None)
}

fn margin_text(margin: f64) -> String {
    format!("{margin:+}")
}

pub(super) fn parse(text: &str, fallback: &'static Variant) -> Result<Draft, Wrong> {
    let line = text.trim_end();
    let game: Game<'_> = serde_json::from_str(line).map_err(|error| {
        let message = error.to_string();
        // The place is told by us.
        let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message).to_owned();
        (error.column().saturating_sub(1), message)
    })?;
    if let Some(format) = game.format.filter(|format| format != PAGE.0) {
        return Err((0, format!("format '{}' is not '{}'", super::draft::shortened(&format), PAGE.0)));
    }
    if let Some(version) = game.version.filter(|&version| version > PAGE.1) {
        return Err((0, format!("version {version} is newer than {}, which is read here", PAGE.1)));
    }
    let variant = match &game.variant {
        Some(name) => variant::find(&name.0).map_err(|error| (name.at(line), error.to_string()))?,
        None => fallback,
    };
    let mut draft = Draft { tags: game.tags.unwrap_or_default(), ..Draft::new(variant) };
    draft.fen = game.fen.map(|fen| (fen.0.clone().into_owned(), fen.at(line)));
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
    add(&mut draft, &game.moves, 0, line);
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

/// One line. `number` is the number of games written before, for a game that has none.
pub(super) fn write(record: &Record, number: u64) -> String {
    #[derive(Serialize)]
    struct Line<'a> {
        game: u64,
        opening: u64,
        variant: &'a str,
        fen: &'a str,
        white: &'a str,
        black: &'a str,
        moves: Vec<Item<'a>>,
        result: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        margin: Option<f64>,
        detail: &'a str,
        final_fen: &'a str,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        tags: BTreeMap<&'a str, &'a str>,
        #[serde(skip_serializing_if = "str::is_empty")]
        comment: &'a str,
    }
    let tag = |name: &str| record.tags.get(name).map_or("", String::as_str);
    let counted = |name: &str| {
        tag(name)
            .parse::<u64>()
            .ok()
            .filter(|number| *number > 0 && tag(name).starts_with(|c: char| c.is_ascii_digit()))
    };
    let reason = Some(tag("Termination")).filter(|reason| REASONS.contains(reason));
    let mut tags: BTreeMap<_, _> = record.tags.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
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
    // What would not come back as it is stays a tag.
    let margin = tag("Margin").parse().ok().filter(|&margin: &f64| margin.is_finite());
    let margin = margin.filter(|&margin| margin_text(margin) == tag("Margin"));
    if margin.is_some() {
        tags.remove("Margin");
    }
    let line = Line {
        game: counted("Game").map_or(number, |number| number - 1),
        opening: counted("Opening").map_or(0, |number| number - 1),
        variant: record.variant.name,
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
    };
    let mut text = serde_json::to_string(&line).unwrap_or_default();
    text.push('\n');
    text
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
    let mut entry = Move::new(Text(Cow::Borrowed(&turn.text)), turn.note);
    entry.comment = Some(Text(Cow::Borrowed(turn.comment.as_str()))).filter(|comment| !comment.0.is_empty());
    Item(entry)
}
