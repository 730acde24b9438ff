//! Games to click through. A game is kept as its start and what each turn changes, so a page knows no rules.

use super::board::Picture;
use super::page::escaped;
use hippolyta::engine::Board;
use hippolyta::games::{Piece, Refusal, Side, Turn};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A game of a [`Viewer`]. On the page its number counts from 1, and the position after `p` turns of game `g` has the
/// address `#gG-P`.
///
/// ```
/// use hippolyta::engine::Board;
/// use hippolyta::games::variant;
/// use hippolyta_protocol::pictures::Clip;
///
/// let mut clip = Clip::new("A against B", &Board::new(&variant::find("amazons6")?));
/// clip.play(&"b1b4,b4c4".parse()?, "book")?;
/// assert!(clip.play(&"b1b4,b4c4".parse()?, "").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Clip {
    board: Board,
    data: Data,
    ground: String,
}

/// A game as the script reads it.
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
    t: Vec<(Turn, String, String)>,
    /// How it ended.
    e: String,
}

impl Clip {
    /// A game that begins on `board`; `title` is plain text.
    pub fn new(title: &str, board: &Board) -> Self {
        let (traits, fen) = (board.variant().traits(), board.fen());
        let black = u32::from(board.side_to_move() == Side::Black);
        let (files, ranks) = board.size();
        let family = if traits.fires { "queens" } else { "damone" };
        let data = Data {
            n: title.to_owned(),
            k: format!("{family}-{files}-{ranks}"),
            a: traits.fires && !traits.stones,
            s: fen.split(' ').next().unwrap_or_default().to_owned(),
            p: 2 * board.number().saturating_sub(1).min(100_000) + black,
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
    pub fn play(&mut self, turn: &Turn, remark: &str) -> Result<(), Refusal> {
        let before = self.board.pieces();
        self.board.play_turn(turn)?;
        let (after, expected) = (self.board.pieces(), before.moved(turn.from(), turn.to()));
        let mut changes = String::new();
        for (square, new) in after.squares() {
            if new != expected.at(square) {
                let _ = write!(changes, "{square}{}", new.map_or('.', Piece::letter));
            }
        }
        self.data.t.push((turn.clone(), changes, remark.to_owned()));
        Ok(())
    }

    /// Says how the game ended: plain text.
    pub fn end(&mut self, end: &str) {
        end.clone_into(&mut self.data.e);
    }

    /// The position after the turns so far.
    pub fn board(&self) -> &Board {
        &self.board
    }
}

/// Games to click through, as HTML with a script. Without the script it shows nothing but a line that says so.
///
/// ```
/// use hippolyta::engine::Board;
/// use hippolyta::games::variant;
/// use hippolyta_protocol::pictures::{Clip, Page, Viewer};
///
/// let mut viewer = Viewer::default();
/// viewer.add(Clip::new("A against B", &Board::new(&variant::find("amazons6")?)));
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
    /// The script, which [`Page::finish`](super::Page::finish) needs.
    pub const SCRIPT: &str = include_str!("viewer.js");

    /// Adds a game.
    pub fn add(&mut self, clip: Clip) {
        self.grounds.entry(clip.data.k.clone()).or_insert(clip.ground);
        self.games.push(clip.data);
    }

    /// The games so far.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The viewer, and its games as data.
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
