//! The `variants.ini` of Fairy-Stockfish, as far as it describes games of move and fire.

use super::file::{LeftOut, MOST, squares};
use super::rule_set::open_squares;
use super::{FireAt, RuleSet, Rules, Stuck, Turns};
use crate::board::{Bitboard, Reach};
use crate::games::Fen;
use crate::words::shown;
use std::collections::HashMap;

/// A fault: the number of the line, from 1, and a message.
type Wrong = (usize, String);

/// The bytes that a startFen may have: entries are kept for those that are like them.
const LONGEST_FEN: usize = 1_000;

/// An entry as it is inherited by others.
#[derive(Clone, Debug)]
struct Entry {
    /// The letter of the pieces, and how they move.
    piece: Option<(char, Reach)>,
    start: Option<String>,
    wall: Option<FireAt>,
    /// Squares that White's and Black's walls may stand on.
    regions: [Bitboard; 2],
    turns: Turns,
    stuck: Stuck,
    files: usize,
    ranks: usize,
}

/// Without a parent an entry is chess, in which a side without a move draws.
const CHESS: Entry = Entry {
    piece: None,
    start: None,
    wall: None,
    regions: [EVERYWHERE; 2],
    turns: Turns::MoveAndFire,
    stuck: Stuck::Draws,
    files: 8,
    ranks: 8,
};
const EVERYWHERE: Bitboard = Bitboard(u128::MAX);

/// Games of move and fire that Fairy-Stockfish has built in, to be inherited.
fn built_in(name: &str) -> Option<Entry> {
    // In isolation no wall may stand on the squares where the game begins.
    let (piece, fen, wall, kept) = match name {
        "chess" => return Some(CHESS),
        "amazons" => (('q', Reach::QUEEN), "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1", FireAt::Reach, ""),
        "isolation" => (('p', Reach::KING), "3p2/6/6/6/6/6/6/2P3 w - - 0 1", FireAt::Anywhere, "c1 d8"),
        "isolation7x7" => (('p', Reach::KING), "3p3/7/7/7/7/7/3P3 w - - 0 1", FireAt::Anywhere, "d1 d7"),
        "snailtrail" => (('p', Reach::KING), "6p/7/7/7/7/7/P6 w - - 0 1", FireAt::Left, ""),
        "joust" => (('n', Reach::KNIGHT), "8/8/8/4n3/3N4/8/8/8 w - - 0 1", FireAt::Left, ""),
        _ => return None,
    };
    let ranks = fen.split(' ').next().map_or(0, |board| board.split('/').count());
    // All others are squares.
    let files = if name == "isolation" { 6 } else { ranks };
    let regions = [!squares(kept, EVERYWHERE).ok()?; 2];
    let start = Some(fen.to_owned());
    Some(Entry { piece: Some(piece), start, wall: Some(wall), regions, stuck: Stuck::Loses, files, ranks, ..CHESS })
}

/// Keys that change nothing in a game without captures, kings and promotions.
const WITHOUT_EFFECT: &[&str] = &[
    "castling",
    "checking",
    "doubleStep",
    "enPassantRegion",
    "pieceToCharTable",
    "promotionPieceTypes",
    "variantTemplate",
];

/// Whether a text has what no TOML of rule sets has: an entry that inherits, or a rule of walls.
pub(super) fn is_like(text: &str) -> bool {
    text.lines().map(str::trim).any(|row| {
        let head = row.strip_prefix('[').and_then(|head| head.split_once(']'));
        row.starts_with("wallingRule") || head.is_some_and(|(head, _)| head.contains(':') && !head.contains('"'))
    })
}

/// The rule sets of a text, and the entries that are other games.
pub(super) fn read(text: &str) -> Result<(Vec<RuleSet>, Vec<LeftOut>), Wrong> {
    let (mut sets, mut left_out) = (Vec::new(), Vec::new());
    let mut known: HashMap<String, Entry> = HashMap::new();
    for section in sections(text)? {
        let name = section.name.to_ascii_lowercase();
        let left = |(line, reason): Wrong| LeftOut { line, name: section.name.to_owned(), reason };
        match section.entry(&known) {
            _ if known.contains_key(&name) => {
                left_out.push(left((section.at, "an entry of this name stands above".to_owned())));
            }
            Err(wrong) => left_out.push(left(wrong)),
            Ok(entry) => {
                known.insert(name.clone(), entry.clone());
                match entry.set(&name, section.name, section.at) {
                    Ok(set) => sets.push(set),
                    Err(wrong) => left_out.push(left(wrong)),
                }
            }
        }
    }
    Ok((sets, left_out))
}

struct Section<'a> {
    name: &'a str,
    parent: Option<&'a str>,
    /// The line at which it begins.
    at: usize,
    /// Keys and values, each with its line.
    rows: Vec<(&'a str, &'a str, usize)>,
}

fn sections(text: &str) -> Result<Vec<Section<'_>>, Wrong> {
    let mut all: Vec<Section<'_>> = Vec::new();
    for (row, at) in text.split('\n').map(str::trim).zip(1..) {
        if row.is_empty() || row.starts_with(['#', ';']) {
            continue;
        }
        if let Some(head) = row.strip_prefix('[') {
            // What stands behind is a comment.
            let (head, _) = head.split_once(']').ok_or_else(|| (at, format!("'{}': a ']' is expected", shown(row))))?;
            let (name, parent) =
                head.split_once(':').map_or((head, None), |(name, parent)| (name, Some(parent.trim())));
            if all.len() == MOST {
                return Err((at, format!("more than {MOST} rule sets")));
            }
            all.push(Section { name: name.trim(), parent, at, rows: Vec::new() });
            continue;
        }
        let wrong = || (at, format!("'{}': [name], key = value or a comment is expected", shown(row)));
        let (key, value) = row.split_once('=').ok_or_else(wrong)?;
        all.last_mut().ok_or_else(wrong)?.rows.push((key.trim(), value.trim(), at));
    }
    Ok(all)
}

impl Section<'_> {
    /// The entry that the section describes; an error if it cannot be expressed.
    fn entry(&self, known: &HashMap<String, Entry>) -> Result<Entry, Wrong> {
        let mut entry = match self.parent {
            None => CHESS,
            Some(parent) => {
                let found = known.get(&parent.to_ascii_lowercase()).cloned().or_else(|| built_in(parent));
                found.ok_or_else(|| (self.at, format!("'{parent}', which it is like, is no game of move and fire")))?
            }
        };
        for &(key, value, at) in &self.rows {
            let other = |expected: &str| Err((at, format!("{key} = {value}: {expected}")));
            // A number ends where no digit follows: a comment may.
            let side = |value: &str| {
                let digits = value.bytes().take_while(u8::is_ascii_digit).count();
                value[..digits].parse().ok().filter(|side| (3..=11).contains(side))
            };
            match key {
                "startFen" if value.len() > LONGEST_FEN => {
                    return Err((at, format!("startFen has {} bytes: {LONGEST_FEN} are possible", value.len())));
                }
                "startFen" => entry.start = Some(value.to_owned()),
                "maxRank" => match side(value) {
                    Some(ranks) => entry.ranks = ranks,
                    None => return other("3 to 11 are possible"),
                },
                "maxFile" => {
                    let letter = || match value.as_bytes() {
                        [letter @ b'a'..=b'k', ..] => Some(usize::from(letter - b'a') + 1),
                        _ => None,
                    };
                    match side(value).or_else(letter) {
                        Some(files) => entry.files = files,
                        None => return other("3 to 11 are possible"),
                    }
                }
                "wallingRule" => {
                    entry.wall = Some(match value {
                        "arrow" => FireAt::Reach,
                        "past" => FireAt::Left,
                        "static" => FireAt::Anywhere,
                        "edge" => FireAt::Edge,
                        _ => return other("arrow, past, static and edge are known here"),
                    });
                }
                // That of both sides counts, wherever it stands.
                "wallingRegionWhite" | "wallingRegionBlack" if self.rows.iter().any(|row| row.0 == "wallingRegion") => {
                }
                "wallingRegionWhite" | "wallingRegionBlack" | "wallingRegion" => {
                    let region = if value == "-" { "" } else { value };
                    let region = squares(&region.to_ascii_lowercase(), EVERYWHERE);
                    let Ok(region) = region else {
                        return other("squares as d1, files as a* and ranks as *8 are known");
                    };
                    let [white, black] = &mut entry.regions;
                    for (side, name) in [(white, "wallingRegionBlack"), (black, "wallingRegionWhite")] {
                        if key != name {
                            *side = region;
                        }
                    }
                }
                "wallOrMove" => {
                    entry.turns = match value {
                        "true" => Turns::MoveOrFire,
                        "false" => Turns::MoveAndFire,
                        _ => return other("true and false are known"),
                    };
                }
                "stalemateValue" => {
                    entry.stuck = match value {
                        "loss" => Stuck::Loses,
                        "win" => Stuck::Wins,
                        "draw" => Stuck::Draws,
                        _ => return other("loss, win and draw are known here"),
                    };
                }
                _ if key.starts_with("customPiece") => {
                    let Some((letter, betza)) = value.split_once(':') else { return other("letter:moves is expected") };
                    let Some(reach) = reach(betza.trim()) else {
                        return other("moves without captures (m) as R, B, Q, K, W, F and N are known here");
                    };
                    let letter = letter.trim().chars().next().unwrap_or(' ').to_ascii_lowercase();
                    entry.piece = Some((letter, reach));
                }
                _ if WITHOUT_EFFECT.contains(&key) => {}
                _ => return other("not known here"),
            }
        }
        Ok(entry)
    }
}

/// How a piece moves by Betza's notation, if it only moves. A number has one digit, 0 for no bound; of several bounds
/// of lines the last counts, and single steps are there beside them. Other signs, as those of a comment, mean nothing.
fn reach(betza: &str) -> Option<Reach> {
    let (mut straight, mut diagonal, mut leaps) = (0, 0, false);
    let (mut straight_step, mut diagonal_step) = (0, 0);
    let mut modifiers = String::new();
    let mut letters = betza.chars().peekable();
    while let Some(letter) = letters.next() {
        if !letter.is_ascii_uppercase() {
            modifiers.extend(Some(letter).filter(char::is_ascii_lowercase));
            continue;
        }
        if modifiers != "m" {
            return None;
        }
        modifiers.clear();
        let bound = letters.next_if(char::is_ascii_digit).and_then(|digit| digit.to_digit(10));
        let lines = bound.map(|bound| if bound == 0 { LONG } else { bound as u8 });
        let (is_straight, is_diagonal) = match letter {
            'R' | 'W' => (true, false),
            'B' | 'F' => (false, true),
            'Q' | 'K' => (true, true),
            'N' if bound.is_none() => {
                leaps = true;
                continue;
            }
            _ => return None,
        };
        for (is_along, bound, step) in
            [(is_straight, &mut straight, &mut straight_step), (is_diagonal, &mut diagonal, &mut diagonal_step)]
        {
            match (lines, letter) {
                _ if !is_along => {}
                (None, 'W' | 'F' | 'K') => *step = 1,
                (lines, _) => *bound = lines.unwrap_or(LONG),
            }
        }
    }
    let straight = Reach::ROOK.within(straight.max(straight_step));
    let lines = straight.and(Reach::BISHOP.within(diagonal.max(diagonal_step)));
    (lines.has_lines() || leaps).then(|| if leaps { lines.and(Reach::KNIGHT) } else { lines })
}

/// No line is longer.
const LONG: u8 = 10;

impl Entry {
    fn set(self, name: &str, title: &str, at: usize) -> Result<RuleSet, Wrong> {
        let missing = |what: &str| (at, format!("{what} is missing, so this is no game of move and fire"));
        let fire_at = self.wall.ok_or_else(|| missing("wallingRule"))?;
        let (letter, reach) = self.piece.ok_or_else(|| missing("customPiece1"))?;
        let start = self.start.ok_or_else(|| missing("startFen"))?;
        let (board, more) = start.split_once(char::is_whitespace).unwrap_or((&start, ""));
        let mut ours = String::new();
        for found in board.chars() {
            ours.push(match found {
                '/' | '*' | '0'..='9' => found,
                _ if found == letter => 'q',
                _ if found == letter.to_ascii_uppercase() => 'Q',
                _ => return Err((at, format!("startFen has '{found}': one kind of piece, '{letter}', is known here"))),
            });
        }
        let pieces = |letter| board.chars().filter(|&found| found == letter).count();
        let several = pieces(letter).max(pieces(letter.to_ascii_uppercase())) > 1;
        if self.turns == Turns::MoveOrFire && fire_at == FireAt::Reach && several {
            let first = "wallOrMove with wallingRule = arrow: only the first of several pieces fires there";
            return Err((at, first.to_owned()));
        }
        let side = if more.starts_with('b') { "b" } else { "w" };
        let (title, start) = (title.to_owned(), format!("{ours} {side} - - 0 1"));
        let open = start.parse::<Fen>().map_or(Bitboard::EMPTY, |fen| open_squares(&fen));
        let protected = self.regions.map(|region| open & !region);
        let Self { turns, stuck, .. } = self;
        let rules = Rules { moves: [reach; 2], fires: [reach; 2], fire_at, protected, turns, stuck, ..Rules::AMAZONS };
        let set = RuleSet { name: name.to_owned(), title, description: String::new(), start, rules };
        let size = set.start.parse::<Fen>().map(|fen| (fen.files, fen.ranks));
        if size.is_ok_and(|size| size != (self.files, self.ranks)) {
            let (files, ranks) = (self.files, self.ranks);
            return Err((
                at,
                format!("startFen is not of {files} files and {ranks} ranks, as maxFile and maxRank say"),
            ));
        }
        set.check().map_err(|problem| (at, problem.to_string()))?;
        Ok(set)
    }
}
