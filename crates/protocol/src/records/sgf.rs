//! SGF, with GM\[18\] for the Game of the Amazons (<https://www.red-bean.com/sgf/amazons.html>): a turn is three
//! points, from, to and arrow, as in `B[djddgd]`; `AB`, `AW` and `AA` put amazons and arrows on the board; the row `a`
//! is the top one.
//!
//! In SGF Black moves first and stands at the bottom; here White does. So Black's turns in a file are White's on the
//! board, and the names change sides with them. A few programs write White first instead: then colours stay.
//!
//! SGF has no number for the other rule sets. Their files say GM\[0\] and name the rule set in `RU`; their turns are in
//! our notation, as in `B[d1d7,d7g7]`. Four properties are our own: `HR` are the rules of a rule set of one's own; `HF`
//! is a start as FEN, where the other properties do not say it; `HN` is what an engine said of a turn, beside its value
//! in `V` (in pawns, good for the file's Black as SGF wants it, 1000 if proven) and the clock in `BL` and `WL`;
//! `HX[NAME:VALUE]` is a tag of PGN that SGF does not have.

use super::draft::{Draft, result_of, shortened, unclosed};
use super::encoding::decode;
use super::note::{Note, Score, hundredths};
use super::source::{Chunk, Source, Warnings, Wrong};
use super::{Damage, Record};
use hippolyta::board::Square;
use hippolyta::engine::Board;
use hippolyta::games::variant::{self, Family, VARIANTS, Variant};
use hippolyta::games::{Fen, Piece, Side, Turn};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufRead};

/// Properties of the root and the tags of the same meaning.
const TAGS: [(&str, &str); 6] =
    [("EV", "Event"), ("PC", "Site"), ("DT", "Date"), ("RO", "Round"), ("GN", "Game"), ("AN", "Annotator")];
/// A value that stands for a proven win.
const PROVEN: f64 = 1000.0;

/// Properties with which only the root of a game begins.
const OF_ROOTS: &str = " FF GM SZ CA AP ST RU PB PW EV DT GN RE PC RO US SO AN GC TM CP ON ";
/// Properties that are understood, or say nothing that a game here has.
const KNOWN: &str = " FF GM SZ CA AP ST RU PB PW EV DT GN RE PC RO AN GC B W AB AW AE AA PL C N V BL WL HF HN HR HX MN KO VW DD FG PM OB OW ";
/// Properties all of whose values count, or none.
const LISTS: &str = " AB AW AE AA HX EV PC DT RO GN AN GC C N VW DD ";
/// Properties of one node.
const MOST_PROPERTIES: usize = 100;

/// The name of a property as it counts: older files spell names out, and their lower-case letters do not count.
fn name_of(text: &str) -> String {
    let name: String = text.chars().filter(char::is_ascii_uppercase).collect();
    if name.is_empty() { text.to_ascii_uppercase() } else { name }
}

/// Whether a text begins with the root of a game, with or without its bracket.
pub(super) fn is_root(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"(").unwrap_or(text).trim_ascii_start();
    let Some(text) = text.strip_prefix(b";") else { return false };
    let text = text.trim_ascii_start();
    let length = text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let name = name_of(str::from_utf8(&text[..length]).unwrap_or_default());
    text.get(length) == Some(&b'[') && OF_ROOTS.contains(&format!(" {name} "))
}

/// Whether a text begins with a node that has a property.
fn is_node(text: &[u8]) -> bool {
    text.strip_prefix(b";").is_some_and(|text| is_property(text.trim_ascii_start()))
}

/// Whether a text begins with a property.
fn is_property(text: &[u8]) -> bool {
    let length = text.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    length > 0 && text.get(length) == Some(&b'[')
}

/// Whether a property seems to begin somewhere in a value.
fn holds_property(value: &str) -> bool {
    value.match_indices('[').any(|(at, _)| value[..at].ends_with(|c: char| c.is_ascii_uppercase()))
}

/// Whether a text begins with a variation: with a turn.
fn is_variation(text: &[u8]) -> bool {
    let Some(text) = text.strip_prefix(b"(").map(<[u8]>::trim_ascii_start) else { return false };
    is_node(text) && matches!(text[1..].trim_ascii_start(), [b'B' | b'W', b'[', ..])
}

/// The encoding that the root at the beginning of a source names. `Err` is a name that nobody knows.
fn encoding<R: BufRead>(source: &mut Source<R>) -> io::Result<Result<Option<String>, String>> {
    let text = source.window(0, 1 << 16)?;
    let (mut at, mut nodes, mut in_value) = (0, 0, false);
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' if in_value => at += 1,
            b']' => in_value = false,
            _ if in_value => {}
            b'[' => {
                let names = text[..at].iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
                if name_of(str::from_utf8(&text[at - names..at]).unwrap_or_default()) == "CA" {
                    let value = &text[at + 1..];
                    let label = &value[..value.iter().position(|&byte| byte == b']').unwrap_or(0)];
                    let label = String::from_utf8_lossy(label);
                    let known = decode(&label, &[]).map(|nothing| nothing.encoding);
                    return Ok(if known.is_some() || label.trim().is_empty() { Ok(known) } else { Err(label.into()) });
                }
                in_value = true;
            }
            b';' => nodes += 1,
            b')' => break,
            _ => {}
        }
        if nodes > 1 {
            break;
        }
        at += 1;
    }
    Ok(Ok(None))
}

/// The next game: from its `(` to the `)` that belongs to it, or to where another game begins. What stands before it
/// and belongs to no game is named in `outside`.
pub(super) fn chunk<R: BufRead>(source: &mut Source<R>, outside: &mut Vec<Damage>) -> io::Result<Option<Chunk>> {
    let mut depth = 0_u64;
    if !source.skip_blanks()? {
        return Ok(None);
    }
    let mut at = 0;
    while let Some(byte) = source.byte(at)? {
        at = source.bounded(at);
        if byte == b'(' {
            let (_, next) = source.after_blanks(at + 1)?;
            if next.is_some_and(|next| next == b';' || next.is_ascii_alphabetic()) {
                break;
            }
        }
        if byte == b';'
            && (is_root(source.window(at, 100)?) || at == 0 && source.is_untouched() && is_node(source.window(0, 100)?))
        {
            depth = 1;
            break;
        }
        at += 1;
    }
    if at > 0 {
        let junk = source.take(at, None)?;
        let words = junk.text.trim();
        let message = if words.chars().all(|c| c == ')' || c.is_whitespace()) {
            "a ) without its (".to_owned()
        } else {
            format!("'{}' belongs to no game; it is passed over", shortened(words))
        };
        let mut nodes = words.match_indices(';').map(|(at, _)| &words.as_bytes()[at..]);
        let lost = nodes.any(is_node).then(|| "its turns are left out".to_owned());
        outside.push(Damage { lost, ..junk.damage(0, message) });
    }
    if source.byte(0)?.is_none() {
        return Ok(None);
    }
    let named = encoding(source)?;
    let known = named.as_ref().ok().and_then(|known| known.as_deref());
    // In these the second byte of a character may look like a bracket or a backslash.
    let double = known.is_some_and(|known| ["gbk", "gb18030", "big5", "shift_jis", "euc-kr"].contains(&known));
    let is_lead = |byte: u8| double && byte > 0x80 && !(known == Some("shift_jis") && (0xa0..0xe0).contains(&byte));
    at = 0;
    // A value that is open, by its length so far.
    let (mut in_value, mut length) = (false, 0_usize);
    while let Some(byte) = source.byte(at)? {
        at = source.bounded(at);
        length += 1;
        // A short value is no text in which somebody writes of games.
        let begins_another = (!in_value || length < 16 || source.begins_line(at)) && depth > 0 && at > 0;
        match byte {
            b'(' if begins_another && is_root(source.window(at, 100)?) => break,
            _ if is_lead(byte) => at += 1,
            b'\\' if in_value => at += 1,
            b']' => in_value = false,
            _ if in_value => {}
            b'[' => (in_value, length) = (true, 0),
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    let mut next = source.after_blanks(at + 1)?;
                    while next.1 == Some(b')') {
                        next = source.after_blanks(next.0 + 1)?;
                    }
                    let (place, next) = next;
                    let goes_on = match next {
                        Some(b';') => !is_root(source.window(place, 100)?),
                        Some(b'(') => is_variation(source.window(place, 100)?),
                        Some(_) => is_property(source.window(place, 100)?),
                        None => false,
                    };
                    if !goes_on {
                        at += 1;
                        break;
                    }
                    // One of these brackets is too many.
                    (depth, at) = (1, place);
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    // The last byte may have been skipped where the text ends.
    while at > 0 && source.byte(at - 1)?.is_none() {
        at -= 1;
    }
    let mut chunk = source.take(at, known)?;
    if let Err(label) = named {
        chunk.warnings.say(0, format!("nobody knows the encoding CA[{}]", shortened(&label)));
    }
    Ok(Some(chunk))
}

struct Node {
    /// Each with its place, in their order.
    properties: Vec<(String, Vec<String>, usize)>,
    children: Vec<usize>,
    at: usize,
}

impl Node {
    fn values(&self, name: &str) -> &[String] {
        self.properties.iter().find(|(known, ..)| known == name).map_or(&[], |(_, values, _)| values)
    }

    fn value(&self, name: &str) -> Option<&str> {
        self.values(name).first().map(String::as_str)
    }

    /// Where a property stands, or the node.
    fn place(&self, name: &str) -> usize {
        self.properties.iter().find(|(known, ..)| known == name).map_or(self.at, |(_, _, at)| *at)
    }
}

/// The nodes of one game; the first is its root. Brackets that lack, or are too many, are added or passed over.
fn nodes(text: &str, warnings: &mut Warnings) -> Result<Vec<Node>, Wrong> {
    let mut nodes: Vec<Node> = Vec::new();
    // Where each open `(` stands, and the node before it.
    let mut outer: Vec<(usize, Option<usize>)> = Vec::new();
    let mut node: Option<usize> = None;
    let mut at = 0;
    let mut open_value = false;
    // Behind this there are only closing brackets.
    let end = text.trim_end_matches(|c: char| c == ')' || c.is_whitespace()).len();
    let add = |nodes: &mut Vec<Node>, node: &mut Option<usize>, begun: usize| {
        let next = nodes.len();
        // A second root goes on from the first.
        if let Some(parent) = node.or((next > 0).then_some(0)) {
            nodes[parent].children.push(next);
        }
        *node = Some(next);
        nodes.push(Node { properties: Vec::new(), children: Vec::new(), at: begun });
        next
    };
    while let Some(letter) = text[at..].chars().next() {
        let begun = at;
        at += letter.len_utf8();
        match letter {
            _ if letter.is_whitespace() => {}
            '(' => outer.push((begun, node)),
            ')' if outer.len() == 1 && at < end => warnings.say(begun, "a ) without its ("),
            ')' => {
                // Without a bracket at the beginning there is none, as was said.
                if let Some((_, before)) = outer.pop() {
                    node = before;
                }
            }
            ';' => {
                if outer.is_empty() && nodes.is_empty() {
                    warnings.say(begun, "a node ; outside of ( )");
                } else if node.is_none() && !nodes.is_empty() {
                    warnings.say(begun, "a game with two roots: the second goes on from the first");
                }
                add(&mut nodes, &mut node, begun);
            }
            _ if letter.is_ascii_alphabetic() => {
                let length = text[begun..].bytes().take_while(u8::is_ascii_alphabetic).count();
                at = begun + length;
                let name = name_of(&text[begun..at]);
                let here = match node {
                    Some(node) => node,
                    None => {
                        warnings.say(begun, format!("the property {} stands before any node ;", shortened(&name)));
                        add(&mut nodes, &mut node, begun)
                    }
                };
                let mut values = Vec::new();
                loop {
                    let next = at + text[at..].len() - text[at..].trim_start().len();
                    if !text[next..].starts_with('[') {
                        break;
                    }
                    let (value, length, closed) = value(&text[next + 1..]);
                    if !closed {
                        let message = format!("the value of {} has no end ]", shortened(&name));
                        warnings.lose(next, message, "all that follows is taken for a part of it");
                        open_value = true;
                    } else if !["C", "GC", "N"].contains(&name.as_str()) && holds_property(&text[next + 1..][..length])
                    {
                        let message = format!("a property stands in the value of {name}: perhaps that lacks its ]");
                        warnings.say(next, message);
                    }
                    values.push(value);
                    at = next + 1 + length;
                }
                if values.is_empty() {
                    warnings.say(begun, format!("the property {} has no value", shortened(&name)));
                    continue;
                }
                let full = nodes[here].properties.len() == MOST_PROPERTIES;
                let known = nodes[here].properties.iter_mut().find(|(known, ..)| *known == name);
                match known {
                    Some((_, before, _)) => before.extend(values),
                    None if full => {
                        let message = format!("more than {MOST_PROPERTIES} properties of a node: ");
                        warnings.say(begun, message + &shortened(&name) + " is left out");
                    }
                    None => nodes[here].properties.push((name, values, begun)),
                }
            }
            _ => warnings.say(begun, format!("'{letter}' is out of place")),
        }
    }
    if let (Some(&(at, _)), false) = (outer.first(), open_value) {
        warnings.say(at, unclosed(["a", "brackets"], outer.len()));
    }
    if nodes.is_empty() { Err((0, "a game without nodes".to_owned())) } else { Ok(nodes) }
}

/// A value up to its `]`, the length of both, and whether there is one.
fn value(text: &str) -> (String, usize, bool) {
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            ']' => return (value, at + 1, true),
            '\\' => match letters.next() {
                // An escaped line break only folds a long line.
                Some((_, '\n')) | None => {}
                Some((_, kept)) => value.push(kept),
            },
            _ => value.push(letter),
        }
    }
    (value, text.len(), false)
}

fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]");
    // A line that looks like a game would be taken for one where a bracket was lost.
    text.replace("(;", "\\(;")
}

/// How the points of a file are squares here.
#[derive(Clone, Copy)]
struct Size {
    width: usize,
    height: usize,
}

impl Size {
    fn of(node: &Node) -> Result<Self, Wrong> {
        let text = node.value("SZ").unwrap_or("10").trim();
        let (width, height) = text.split_once(':').unwrap_or((text, text));
        let number = |text: &str| text.parse().ok().filter(|side| (3..=11).contains(side));
        let (Some(width), Some(height)) = (number(width), number(height)) else {
            return Err((node.at, format!("SZ[{}]: boards go from 3 to 11 squares a side", shortened(text))));
        };
        Ok(Self { width, height })
    }

    /// File and rank of a point, from 0.
    fn point(self, text: &str) -> Option<(usize, usize)> {
        let [file, row] = text.as_bytes() else { return None };
        let (file, row) = (usize::from(file.wrapping_sub(b'a')), usize::from(row.wrapping_sub(b'a')));
        (file < self.width && row < self.height).then(|| (file, self.height - 1 - row))
    }

    /// The point of a square.
    fn text(self, file: usize, rank: usize) -> String {
        [file, self.height.saturating_sub(rank + 1)].map(|at| char::from(b'a' + at as u8)).iter().collect()
    }

    fn turn(self, text: &str) -> Option<String> {
        let points = text.trim().to_ascii_lowercase();
        if points.len() != 6 || !points.is_ascii() {
            return None;
        }
        let mut squares = [0, 2, 4].into_iter().map(|at| {
            let (file, rank) = self.point(&points[at..at + 2])?;
            Some(format!("{}{}", char::from(b'a' + file as u8), rank + 1))
        });
        let [from, to, fire] = [squares.next()??, squares.next()??, squares.next()??];
        Some(format!("{from}{to},{to}{fire}"))
    }

    /// Single points, or rectangles as `aa:cc`.
    fn points(self, values: &[String]) -> Option<Vec<(usize, usize)>> {
        let mut points = Vec::new();
        for value in values {
            let value = value.trim();
            let (first, last) = value.split_once(':').unwrap_or((value, value));
            let ((a, b), (c, d)) = (self.point(first)?, self.point(last)?);
            let ranks = || b.min(d)..=b.max(d);
            points.extend((a.min(c)..=a.max(c)).flat_map(|file| ranks().map(move |rank| (file, rank))));
        }
        Some(points)
    }
}

/// The FEN of a board of the Amazons, perhaps with the sides changed.
fn fen_of(pieces: &BTreeMap<(usize, usize), Piece>, size: Size, swap: bool, white_first: bool) -> String {
    let changed = |piece| match piece {
        Piece::Amazon(side) if swap => Piece::Amazon(!side),
        piece => piece,
    };
    let placed = pieces.iter().filter_map(|(&(file, rank), &piece)| Some((Square::at(file, rank)?, changed(piece))));
    let fen = Fen {
        files: size.width,
        ranks: size.height,
        pieces: placed.collect(),
        side: if white_first == swap { Side::Black } else { Side::White },
        move_only: false,
        quiet: 0,
        number: 1,
    };
    fen.to_string()
}

fn amazons() -> impl Iterator<Item = &'static Variant> {
    VARIANTS.iter().filter(|variant| variant.family() == Family::Amazons)
}

fn board_size(variant: &Variant) -> Size {
    let (width, height) = Board::new(variant).size();
    Size { width, height }
}

/// The rule set and start of a file of the Amazons, and whether its Black is our White.
fn begin(nodes: &[Node]) -> Result<(Variant, String, bool), Wrong> {
    let root = &nodes[0];
    let size = Size::of(root)?;
    let sized = amazons().find(|variant| {
        let known = board_size(variant);
        (known.width, known.height) == (size.width, size.height)
    });
    let white_first = match root.value("PL").and_then(|side| side.trim().bytes().next()) {
        Some(side) => side.eq_ignore_ascii_case(&b'w'),
        None => {
            let mut at = Some(0);
            let first = std::iter::from_fn(|| {
                let node = &nodes[at?];
                at = node.children.first().copied();
                Some(node)
            });
            let mut movers = first.filter_map(|node| match (node.value("B"), node.value("W")) {
                (Some(_), _) => Some(false),
                (None, Some(_)) => Some(true),
                (None, None) => None,
            });
            movers.next().unwrap_or(false)
        }
    };
    let mut pieces = BTreeMap::new();
    let setup = ["AB", "AW", "AA"].iter().any(|name| !root.values(name).is_empty());
    for (name, piece) in [
        ("AB", Some(Piece::Amazon(Side::Black))),
        ("AW", Some(Piece::Amazon(Side::White))),
        ("AA", Some(Piece::Neutral)),
        ("AE", None),
    ] {
        let points = size.points(root.values(name));
        for point in points.ok_or_else(|| (root.at, format!("{name}: a point is not on the board")))? {
            match piece {
                Some(piece) => pieces.insert(point, piece),
                None => pieces.remove(&point),
            };
        }
    }
    let usual = |fen: &str| amazons().find(|variant| variant.start() == fen);
    if !setup {
        let Some(variant) = sized else {
            return Err((root.at, format!("a board of {}×{} without pieces (AB, AW)", size.width, size.height)));
        };
        // Our own start; whoever moves first has the lower side, which here is White.
        return Ok((variant.clone(), variant.start().to_owned(), !white_first));
    }
    let fen = |swap| fen_of(&pieces, size, swap, white_first);
    // Colours stay only if that gives a usual start and changing them does not.
    let stays = white_first && usual(&fen(false)).is_some() && usual(&fen(true)).is_none();
    let variant = usual(&fen(!stays)).or(sized).unwrap_or(variant::DEFAULT);
    Ok((variant.clone(), fen(!stays), !stays))
}

pub(super) fn parse(text: &str, warnings: &mut Warnings) -> Result<Draft, Wrong> {
    let nodes = nodes(text, warnings)?;
    let root = &nodes[0];
    let placed = |name: &str| root.value(name).map(|value| (value, root.place(name)));
    let named = super::rule_set::find(placed("RU"), placed("HR"), variant::DEFAULT)?;
    if let (None, Some((name, at))) = (&named, placed("RU")) {
        let name = shortened(name);
        warnings.say(at, format!("RU[{name}] is no rule set that is known; the board tells it"));
    }
    let game = root.value("GM").map_or("18", str::trim);
    let (variant, fen, swap) = match (game, &named) {
        ("0", Some(variant)) => (variant.clone(), variant.start().to_owned(), true),
        ("0", None) => return Err((root.at, "GM[0] without the name of a rule set in RU".to_owned())),
        ("18", _) => begin(&nodes)?,
        _ => {
            let message = format!("GM[{}] is another game; the Amazons are GM[18]", shortened(game));
            return Err((root.at, message));
        }
    };
    let mut draft = Draft { named: true, ..Draft::new(named.as_ref().unwrap_or(&variant)) };
    let fen = root.value("HF").map_or(fen, str::to_owned);
    let black_first = fen.split(' ').nth(1) == Some("b");
    draft.fen = Some((fen, root.at));
    let mut set = |name: &str, value: &str| {
        if !value.is_empty() {
            draft.tags.insert(name.to_owned(), value.to_owned());
        }
    };
    for value in root.values("HX") {
        match value.split_once(':') {
            Some((name, value)) => set(name, value),
            None => warnings.say(root.place("HX"), "a tag looks like HX[NAME:VALUE]"),
        }
    }
    for (name, tag) in TAGS {
        let value = root.values(name).join(" ");
        set(tag, &if tag == "Date" { date(&value, '-', '.') } else { value });
    }
    for (own, other) in [("PB", "White"), ("PW", "Black")] {
        let other = if swap {
            other
        } else if other == "White" {
            "Black"
        } else {
            "White"
        };
        set(other, root.value(own).unwrap_or_default());
    }
    if let Some(text) = root.value("RE") {
        match result(text, swap) {
            Some((result, reason)) => {
                set("Result", result);
                set("Termination", reason);
            }
            None => warnings.say(root.place("RE"), format!("RE[{}] is not a result; it is left out", shortened(text))),
        }
        if text.trim().starts_with(['1', '0']) && text.contains(['-', ':', '–']) && result_of(text) != Some("1/2-1/2")
        {
            let message = format!("RE[{}]: the first number is taken for the side that moves first", shortened(text));
            warnings.say(root.place("RE"), message);
        }
    }
    let is_side = |side: &str| ["b", "black", "1", "w", "white", "2"].contains(&side.trim().to_lowercase().as_str());
    if let Some(side) = root.value("PL").filter(|side| !is_side(side)) {
        warnings.say(root.place("PL"), format!("PL[{}] is no side", shortened(side)));
    }
    // Properties of the whole game are looked for in the root alone.
    let is_kept = |place: usize, name: &str| {
        let among = |names: &str| names.contains(&format!(" {name} "));
        among(KNOWN) && (place == 0 || !among(OF_ROOTS) && !among(" HF HR HX "))
    };
    let mut unknown: Vec<_> = nodes
        .iter()
        .enumerate()
        .flat_map(|(place, node)| node.properties.iter().map(move |property| (place, property)))
        .filter(|(place, (name, ..))| !is_kept(*place, name))
        .map(|(_, (name, _, at))| (name.as_str(), *at))
        .collect();
    unknown.sort_unstable();
    unknown.dedup_by_key(|(name, _)| *name);
    if let Some(&(_, at)) = unknown.first() {
        let names: Vec<_> = unknown.iter().take(12).map(|(name, _)| shortened(name)).collect();
        let more = if unknown.len() > names.len() { " and others" } else { "" };
        warnings.say(at, format!("not kept: {}{more}", names.join(", ")));
    }
    root.values("GC").iter().for_each(|words| draft.plain_comment(0, words));
    read_nodes(&nodes, &mut draft, named.as_ref().filter(|_| game == "0"), swap, black_first, warnings)?;
    Ok(draft)
}

fn read_nodes(
    nodes: &[Node],
    draft: &mut Draft,
    notation: Option<&Variant>,
    swap: bool,
    black_first: bool,
    warnings: &mut Warnings,
) -> Result<(), Wrong> {
    let size = if notation.is_none() { Size::of(&nodes[0])? } else { Size { width: 0, height: 0 } };
    let mut open = vec![(0, 0, 0_usize)];
    'nodes: while let Some((number, mut here, mut plies)) = open.pop() {
        let node = &nodes[number];
        for (name, values, at) in &node.properties {
            let among = |names: &str| names.contains(&format!(" {name} "));
            if values.len() > 1 && among(KNOWN) && !among(LISTS) {
                warnings.say(*at, format!("{name} has several values; the first is taken"));
            }
            let is_setup = ["AB", "AW", "AE", "AA", "PL"].contains(&name.as_str());
            if is_setup && number > 0 {
                let message = "pieces are put on the board after the start";
                warnings.lose(*at, message, "the turns from here on are left out");
                continue 'nodes;
            }
            let colour = match name.as_str() {
                "B" => true,
                "W" => false,
                _ => continue,
            };
            let value = values.first().map_or("", |value| value.trim());
            match value.to_ascii_lowercase().as_str() {
                "resign" | "resigns" | "resigned" => {
                    let result = if colour == swap { "0-1" } else { "1-0" };
                    let known = draft.tags.get("Result").map(String::as_str);
                    if known.is_some_and(|known| known != result && known != "*") {
                        warnings.say(*at, format!("{name}[{value}] does not fit RE, which is kept"));
                    } else if known.is_none_or(|known| known == "*") {
                        draft.tags.insert("Result".to_owned(), result.to_owned());
                        draft.tags.entry("Termination".to_owned()).or_insert_with(|| "resignation".to_owned());
                    }
                    continue;
                }
                "" | "pass" | "tt" => {
                    warnings.say(*at, format!("{name}[{value}]: nobody can pass; it is left out"));
                    continue;
                }
                _ => {}
            }
            let turn = if notation.is_some() { Some(value.to_owned()) } else { size.turn(value) };
            let wrong = match turn {
                None => format!("'{}' is not a turn of three points of the board", shortened(value)),
                Some(_) if (colour == swap) == (plies.is_multiple_of(2) == black_first) => {
                    format!("{name}[{}]: it is not this side's turn", shortened(value))
                }
                Some(turn) => {
                    plies += 1;
                    here = draft.turn(here, turn, *at);
                    continue;
                }
            };
            warnings.lose(*at, wrong, "it and what follows it are left out");
            continue 'nodes;
        }
        let note = node.value("HN").and_then(Note::parse).filter(|(_, rest)| rest.is_empty());
        let is_number = |text: &str| text.trim().parse::<f64>().is_ok();
        for name in ["HN", "V", "BL", "WL"] {
            let is_read = |text| if name == "HN" { note.is_some() } else { is_number(text) };
            if let Some(text) = node.value(name).filter(|text| !is_read(*text)) {
                warnings
                    .say(node.place(name), format!("{name}[{}] is not understood; it is left out", shortened(text)));
            }
        }
        match note {
            Some((note, _)) if here > 0 => draft.set_note(here, note),
            _ if here > 0 => draft.set_note(here, plain_note(node, swap, plies % 2 == usize::from(black_first))),
            _ => {}
        }
        for name in ["N", "C"] {
            node.values(name).iter().for_each(|words| draft.plain_comment(here, words));
        }
        open.extend(node.children.iter().rev().map(|&child| (child, here, plies)));
    }
    Ok(())
}

/// Value and clock of a file that other programs wrote. `black` moved last.
fn plain_note(node: &Node, swap: bool, black: bool) -> Note {
    let mut note = Note::default();
    let value = node.value("V").map(str::trim);
    let size = value.and_then(|value| hundredths(value.trim_start_matches(['+', '-'])));
    if let (Some(value), Some(size)) = (value, size) {
        let for_white = value.starts_with('-') != swap;
        note.score = Some(Score::Cp(if for_white == black { -size } else { size }));
    }
    let clock = ["BL", "WL"][usize::from(black == swap)];
    let clock = node.value(clock).and_then(|value| value.trim().parse::<f64>().ok());
    note.clock_ms = clock.filter(|time| (0.0..1e9).contains(time)).map(|time| (time * 1e3).round() as u64);
    note
}

/// The result of the file's `RE`, and how it came about: `B+R`, `B`, `Black wins`, `0`, `Draw`, `Void`, `1-0`.
fn result(text: &str, swap: bool) -> Option<(&'static str, &'static str)> {
    let text = text.trim().to_ascii_lowercase();
    if ["0", "jigo", "="].contains(&text.as_str()) || text.starts_with("draw") {
        return Some(("1/2-1/2", ""));
    }
    if ["", "?", "*"].contains(&text.as_str()) || text.starts_with("void") {
        return Some(("*", ""));
    }
    if let Some(result) = result_of(&text) {
        return Some((result, ""));
    }
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let (winner, rest) = text.split_at(letters);
    let mut black = match winner {
        "b" | "black" => true,
        "w" | "white" => false,
        _ => return None,
    };
    let rest = rest.trim_start();
    let how = match rest.strip_prefix('+') {
        Some(how) => how.trim_start(),
        None => {
            let (verb, how) = rest.split_once(' ').unwrap_or((rest, ""));
            match verb.trim_end_matches(['.', ',', '!']) {
                "" | "win" | "wins" | "won" => how.trim_start_matches("by ").trim_start_matches("on "),
                "resigns" | "resigned" | "resign" => {
                    black = !black;
                    "r"
                }
                "lost" | "loses" => {
                    black = !black;
                    how.trim_start_matches("by ").trim_start_matches("on ")
                }
                _ => return None,
            }
        }
    };
    let reason = match how.as_bytes().first() {
        Some(b'r') => "resignation",
        Some(b't') => "time",
        Some(byte) if !byte.is_ascii_alphanumeric() => return None,
        _ => "",
    };
    Some((if black == swap { "1-0" } else { "0-1" }, reason))
}

/// `2026-10-03` from `2026.10.03` or the other way round; other dates stay.
fn date(text: &str, from: char, to: char) -> String {
    let is_date = text.len() == 10
        && text.char_indices().all(|(at, c)| if [4, 7].contains(&at) { c == from } else { c.is_ascii_digit() });
    if is_date { text.replace(from, &to.to_string()) } else { text.to_owned() }
}

pub(super) fn write(record: &Record) -> String {
    let is_amazons = record.variant.family() == Family::Amazons;
    let size = match Board::from_fen(&record.variant, &record.fen).map(|board| board.size()) {
        Ok((width, height)) => Size { width, height },
        Err(_) => board_size(&record.variant),
    };
    let sides =
        if size.width == size.height { size.width.to_string() } else { format!("{}:{}", size.width, size.height) };
    let game = if is_amazons { 18 } else { 0 };
    let mut text = format!("(;FF[4]GM[{game}]CA[UTF-8]SZ[{sides}]");
    let first = if record.black_first() { 'W' } else { 'B' };
    let mut says_start = record.has_usual_start();
    if is_amazons {
        text.push('\n');
        let placed = record.fen.parse().map_or_else(|_| Vec::new(), |fen: Fen| fen.pieces);
        let pieces = placed.into_iter().map(|(square, piece)| ((square.file(), square.rank()), piece)).collect();
        let [white, black] = [Side::White, Side::Black].map(Piece::Amazon);
        for (name, wanted) in [("AB", white), ("AW", black), ("AA", Piece::Neutral)] {
            let those = BTreeMap::iter(&pieces).filter(|(_, piece)| **piece == wanted);
            let points: String = those.map(|(&(file, rank), _)| format!("[{}]", size.text(file, rank))).collect();
            if !points.is_empty() {
                text += &format!("{name}{points}");
            }
        }
        let found = amazons().find(|variant| variant.start() == record.fen);
        let sized = amazons().find(|variant| {
            let known = board_size(variant);
            (known.width, known.height) == (size.width, size.height)
        });
        if *found.or(sized).unwrap_or(variant::DEFAULT) != record.variant {
            text += &format!("RU[{}]", record.variant.name());
        }
        let read = fen_of(&pieces, size, false, !record.black_first());
        says_start = read == record.fen;
    } else {
        text += &format!("RU[{}]", record.variant.name());
    }
    if let Some(rules) = super::rule_set::text(&record.variant) {
        text += &format!("\nHR[{}]\n", escaped(&rules));
    }
    text += &format!("PL[{first}]");
    if !says_start {
        text += &format!("HF[{}]", escaped(&record.fen));
    }
    let tag = |name: &str| record.tags.get(name).map_or("", String::as_str);
    let unknown = |value: &str| value.chars().all(|c| "?.".contains(c));
    let mut say = |name: &str, value: &str| {
        if !unknown(value) {
            text += &format!("\n{name}[{}]", escaped(value));
        }
    };
    say("PB", tag("White"));
    say("PW", tag("Black"));
    let margin = tag("Margin").trim_start_matches(['+', '-']);
    let how = match tag("Termination") {
        "resignation" => "R",
        "time" => "T",
        _ if margin.parse::<f64>().is_ok_and(|margin| margin.is_finite() && margin > 0.0) => margin,
        _ => "",
    };
    match record.result() {
        "1-0" => say("RE", &format!("B+{how}")),
        "0-1" => say("RE", &format!("W+{how}")),
        "1/2-1/2" => say("RE", "0"),
        _ => {}
    }
    for (name, tag_name) in TAGS {
        say(name, &if tag_name == "Date" { date(tag("Date"), '.', '-') } else { tag(tag_name).to_owned() });
    }
    let said =
        |name: &str| ["White", "Black", "Result"].contains(&name) || TAGS.iter().any(|(_, known)| *known == name);
    let decided = ["1-0", "0-1"].contains(&record.result()) && ["R", "T"].contains(&how);
    for (name, value) in &record.tags {
        if !(said(name) || name == "Termination" && decided) {
            say("HX", &format!("{name}:{value}"));
        }
    }
    say("C", &record.comment);
    push_nodes(record, is_amazons, size, &mut text);
    text.push_str(")\n");
    text
}

fn push_nodes(record: &Record, is_amazons: bool, size: Size, text: &mut String) {
    enum Step {
        Node(usize, bool),
        Text(char),
    }
    let children = record.children();
    let follow = |steps: &mut Vec<Step>, after: usize, black: bool| {
        let several = children[after].len() > 1;
        for &child in children[after].iter().rev() {
            if several {
                steps.push(Step::Text(')'));
            }
            steps.push(Step::Node(child, black));
            if several {
                steps.push(Step::Text('('));
            }
        }
    };
    let mut steps = Vec::new();
    follow(&mut steps, 0, record.black_first());
    while let Some(step) = steps.pop() {
        let (index, black) = match step {
            Step::Text(letter) => {
                text.push('\n');
                text.push(letter);
                continue;
            }
            Step::Node(index, black) => (index, black),
        };
        let turn = &record.turns[index];
        let spelled = if is_amazons { points(&turn.turn, size) } else { turn.turn.to_string() };
        let _ = write!(text, "\n;{}[{spelled}]", if black { 'W' } else { 'B' });
        let for_first = |value: f64| if black { -value } else { value };
        match turn.note.score {
            Some(Score::Cp(value)) => {
                let _ = write!(text, "V[{:.2}]", for_first(f64::from(value) / 100.0));
            }
            Some(Score::Mate(moves)) => {
                let _ = write!(text, "V[{:.0}]", for_first(if moves > 0 { PROVEN } else { -PROVEN }));
            }
            None => {}
        }
        if let Some(clock) = turn.note.clock_ms {
            let _ = write!(text, "{}[{:.3}]", if black { "WL" } else { "BL" }, clock as f64 / 1e3);
        }
        for (name, words) in [("HN", turn.note.text()), ("C", turn.comment.clone())] {
            if !words.is_empty() {
                let _ = write!(text, "{name}[{}]", escaped(&words));
            }
        }
        follow(&mut steps, index + 1, !black);
    }
}

/// `d1d7,d7g7` as three points.
fn points(turn: &Turn, size: Size) -> String {
    turn.squares().iter().map(|square| size.text(square.file(), square.rank())).collect()
}
