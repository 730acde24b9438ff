//! Games to click through. A game is kept as its start and what each turn changes, so a page knows no rules.

use super::board::{Picture, placement, squares_of};
use super::page::escaped;
use crate::engine::Board;
use crate::games::Side;
use crate::games::variant::Family;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A game of a [`Viewer`]. On the page its number counts from 1, and the position after `p` turns of game `g` has the
/// address `#gG-P`.
///
/// ```
/// use hippolyta::engine::Board;
/// use hippolyta::games::variant;
/// use hippolyta::pictures::Clip;
///
/// let mut clip = Clip::new("A against B", &Board::new(variant::find("amazons6")?));
/// clip.play("b1b4,b4c4", "book").unwrap();
/// assert!(clip.play("b1b4,b4c4", "").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Clip {
    board: Board,
    data: Data,
    ground: String,
}

/// What the script reads.
#[derive(Serialize)]
struct Data {
    /// The title.
    n: String,
    /// Which ground.
    k: String,
    /// Whether `*` is a closed square.
    a: bool,
    /// The board of the start's FEN.
    s: String,
    /// The half-turns before the first, counted from White's first turn.
    p: u32,
    /// Each turn: its text, the squares that hold something else than the piece that moved, and a remark.
    t: Vec<(String, String, String)>,
    /// How it ended.
    e: String,
}

/// The squares of a board as names and letters.
fn squares(ranks: &[Vec<char>]) -> impl Iterator<Item = ((usize, usize), char)> {
    let rows = ranks.len();
    ranks.iter().enumerate().flat_map(move |(down, rank)| {
        rank.iter().enumerate().map(move |(file, &letter)| ((file, rows - 1 - down), letter))
    })
}

impl Clip {
    /// A game that begins on `board`; `title` is plain text.
    #[must_use]
    pub fn new(title: &str, board: &Board) -> Self {
        let fen = board.fen();
        let words: Vec<_> = fen.split(' ').collect();
        let number: u32 = words.get(5).and_then(|word| word.parse().ok()).unwrap_or(1);
        let black = u32::from(board.side_to_move() == Side::Black);
        let (files, ranks) = board.size();
        let family = match board.variant().family {
            Family::Damone(_) => "damone",
            _ => "queens",
        };
        let data = Data {
            n: title.to_owned(),
            k: format!("{family}-{files}-{ranks}"),
            a: matches!(board.variant().family, Family::Amazons),
            s: words.first().copied().unwrap_or_default().to_owned(),
            p: 2 * number.saturating_sub(1).min(100_000) + black,
            t: Vec::new(),
            e: String::new(),
        };
        Self { ground: Picture::new(board).bare(), board: board.clone(), data }
    }

    /// Adds a turn with a remark on it, which is plain text.
    ///
    /// # Errors
    ///
    /// If the turn is not legal; then nothing is added.
    pub fn play(&mut self, turn: &str, remark: &str) -> Result<(), crate::games::TurnError> {
        let before = placement(&self.board.fen());
        let text = self.board.play(turn)?;
        let after = placement(&self.board.fen());
        let way = squares_of(&text);
        // The piece goes to the last square, or to the one before it, if the last is fired at.
        let fires = !matches!(self.board.variant().family, Family::Damone(_)) && way.len() > 2;
        let to = if fires { way.get(1) } else { way.last() };
        let moved = squares(&before).find(|(square, _)| Some(square) == way.first()).map_or('.', |(_, letter)| letter);
        let mut changes = String::new();
        for ((square, old), (_, new)) in squares(&before).zip(squares(&after)) {
            let expected = match square {
                _ if Some(&square) == to => moved,
                _ if Some(&square) == way.first() => '.',
                _ => old,
            };
            if new != expected {
                let _ = write!(changes, "{}{}{new}", char::from(b'a' + square.0 as u8), square.1 + 1);
            }
        }
        self.data.t.push((text, changes, remark.to_owned()));
        Ok(())
    }

    /// Says how the game ended: plain text.
    pub fn end(&mut self, end: &str) {
        end.clone_into(&mut self.data.e);
    }

    /// The position after the turns so far.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }
}

/// Games to click through, as HTML with a script. Without the script it shows nothing but a line that says so.
///
/// ```
/// use hippolyta::engine::Board;
/// use hippolyta::games::variant;
/// use hippolyta::pictures::{Clip, Page, Viewer};
///
/// let mut viewer = Viewer::default();
/// viewer.add(Clip::new("A against B", &Board::new(variant::find("amazons6")?)));
/// let mut page = Page::new("Games");
/// page.push(&viewer.html());
/// assert!(page.finish(Viewer::SCRIPT).contains("A against B"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Viewer {
    games: Vec<Data>,
    grounds: BTreeMap<String, String>,
}

impl Viewer {
    /// What [`Page::finish`](super::Page::finish) needs.
    pub const SCRIPT: &str = include_str!("viewer.js");

    /// Adds a game.
    pub fn add(&mut self, clip: Clip) {
        self.grounds.entry(clip.data.k.clone()).or_insert(clip.ground);
        self.games.push(clip.data);
    }

    /// The games so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The viewer, and its games as data.
    #[must_use]
    pub fn html(&self) -> String {
        let mut html = String::from(include_str!("viewer.html"));
        for (key, ground) in &self.grounds {
            let _ = writeln!(html, "<template id=\"ground-{}\">{ground}</template>", escaped(key));
        }
        // Within a script `<` would be the only sign that matters.
        let data = serde_json::to_string(&self.games).unwrap_or_else(|_| "[]".to_owned()).replace('<', "\\u003c");
        let _ = writeln!(html, "<script type=\"application/json\" id=\"games\">{data}</script>");
        html
    }
}
