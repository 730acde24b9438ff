//! The board as lines of text.

use super::look::{Colours, Look};
use hippolyta::board::Square;
use hippolyta::engine::Pieces;
use hippolyta::games::variant::Variant;
use hippolyta::games::{Piece, Side};
use std::collections::BTreeMap;

/// Why a square is shown otherwise. None is told by its colour alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// The last turn: `[ ]`.
    Last,
    /// Other squares that the turn changed, flipped stones: `( )`.
    Changed,
    /// The turn that has begun: `< >`.
    Chosen,
    /// Where it may go on: a dot, or `+`.
    Target,
}

/// A board to be drawn, with its marks.
pub(super) struct Scene<'a> {
    pub variant: &'a Variant,
    pub pieces: &'a Pieces,
    pub marks: &'a BTreeMap<Square, Mark>,
    /// Black at the bottom.
    pub flipped: bool,
}

/// How wide a square is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    /// Three signs.
    Wide,
    /// Two signs: marks of neighbours share the one between them.
    Compact,
}

/// The number of signs before the first square: those of a rank.
const MARGIN: usize = 3;

impl Width {
    /// The signs of a line of the board.
    pub fn columns(self, files: usize) -> usize {
        match self {
            Self::Wide => MARGIN + 3 * files,
            Self::Compact => MARGIN + 2 * files + 1,
        }
    }
}

/// The signs left and right of a marked square.
fn brackets(mark: Option<Mark>) -> [char; 2] {
    match mark {
        Some(Mark::Last) => ['[', ']'],
        Some(Mark::Changed) => ['(', ')'],
        Some(Mark::Chosen) => ['<', '>'],
        Some(Mark::Target) | None => [' ', ' '],
    }
}

/// A piece in the style of its own; `None` for none.
struct Sign {
    text: char,
    style: &'static str,
}

impl Scene<'_> {
    fn mark(&self, file: usize, rank: usize) -> Option<Mark> {
        self.marks.get(&Square::at(file, rank)?).copied()
    }

    /// Whether pieces may stand there.
    fn is_playable(&self, file: usize, rank: usize) -> bool {
        !self.variant.traits().dark_squares || (file + rank) % 2 == 1
    }

    fn sign(&self, look: &Look, piece: Option<Piece>, file: usize, rank: usize) -> Sign {
        let mark = self.mark(file, rank);
        let many = look.colours == Colours::Many;
        let (white, black) = if many { ("1;38;5;231", "1;38;5;16") } else { ("1", "") };
        // Where colours tell White from Black, both have the signs that are easier to see.
        let of_sides = |piece: Piece, hollow: char, full: char| {
            let is_white = piece.side() == Some(Side::White);
            let style = if is_white { white } else { black };
            let text = match look.unicode {
                false => piece.letter(),
                true if is_white && !many => hollow,
                true => full,
            };
            Sign { text, style }
        };
        match piece {
            Some(piece @ (Piece::Amazon(_) | Piece::Dama(_))) => of_sides(piece, '♕', '♛'),
            Some(piece @ Piece::Damone(_)) => of_sides(piece, '♔', '♚'),
            Some(piece @ (Piece::Stone(_) | Piece::Pedina(_))) => of_sides(piece, '○', '●'),
            Some(Piece::Neutral) => {
                Sign { text: if look.unicode { '×' } else { '*' }, style: if many { "38;5;250" } else { "2" } }
            }
            _ if mark == Some(Mark::Target) => {
                Sign { text: if look.unicode { '•' } else { '+' }, style: if many { "1;38;5;228" } else { "1;32" } }
            }
            _ if !self.is_playable(file, rank) => Sign { text: ' ', style: "" },
            _ if many => Sign { text: ' ', style: "" },
            _ => Sign { text: if look.unicode { '·' } else { '.' }, style: "2" },
        }
    }

    /// The colour behind a square.
    fn ground(&self, look: &Look, piece: Option<Piece>, file: usize, rank: usize) -> &'static str {
        let mark = self.mark(file, rank);
        match look.colours {
            Colours::No => "",
            Colours::Eight => match mark {
                Some(Mark::Last | Mark::Chosen) => "7",
                _ => "",
            },
            Colours::Many => match mark {
                Some(Mark::Last) if piece == Some(Piece::Neutral) => "48;5;24",
                Some(Mark::Last) => "48;5;31",
                Some(Mark::Chosen) => "48;5;97",
                _ if piece == Some(Piece::Neutral) => "48;5;236",
                _ if !self.is_playable(file, rank) => "48;5;180",
                _ if (file + rank) % 2 == 1 => "48;5;101",
                _ => "48;5;137",
            },
        }
    }

    /// The lines of the board, each of [`Width::columns`] signs: ranks, and below them the files.
    pub fn lines(&self, look: &Look, width: Width) -> Vec<String> {
        let (files, height) = (self.pieces.files(), self.pieces.ranks());
        let order = |count: usize, reverse: bool| -> Vec<usize> {
            if reverse { (0..count).rev().collect() } else { (0..count).collect() }
        };
        let columns = order(files, self.flipped);
        let mut lines = Vec::with_capacity(height + 1);
        for rank in order(height, !self.flipped) {
            let mut line = look.paint("2", &format!("{:>2} ", rank + 1));
            let mut close = ' ';
            for &file in &columns {
                let piece = Square::at(file, rank).and_then(|square| self.pieces.at(square));
                let mark = self.mark(file, rank);
                let [open, end] = brackets(mark);
                let ground = self.ground(look, piece, file, rank);
                let Sign { text, style } = self.sign(look, piece, file, rank);
                let style = [ground, style].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(";");
                let bracket = match look.colours {
                    Colours::Many => format!("{ground};1;38;5;228"),
                    _ => ground.to_owned(),
                };
                match width {
                    Width::Wide => {
                        line += &look.paint(&bracket, &open.to_string());
                        line += &look.paint(&style, &text.to_string());
                        line += &look.paint(&bracket, &end.to_string());
                    }
                    Width::Compact => {
                        let between = match (close, open) {
                            (' ', open) => open,
                            (close, ' ') => close,
                            _ => '|',
                        };
                        line += &look.paint(&bracket, &between.to_string());
                        line += &look.paint(&style, &text.to_string());
                        close = end;
                    }
                }
            }
            if width == Width::Compact {
                line += &look.paint(if look.colours == Colours::Many { "1;38;5;130" } else { "" }, &close.to_string());
            }
            lines.push(line);
        }
        let name = |&file: &usize| {
            let letter = char::from(b"abcdefghijk"[file.min(10)]);
            match width {
                Width::Wide => format!(" {letter} "),
                Width::Compact => format!(" {letter}"),
            }
        };
        let mut below = format!("{}{}", " ".repeat(MARGIN), columns.iter().map(name).collect::<String>());
        if width == Width::Compact {
            below.push(' ');
        }
        lines.push(look.paint("2", &below));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(look: &Look, width: Width, variant: &str, rows: &[&str], marks: &[(&str, Mark)]) -> Vec<String> {
        let variant = &hippolyta::games::variant::find(variant).unwrap();
        let letter = |square: Square| rows[rows.len() - 1 - square.rank()].chars().nth(square.file());
        let pieces = Pieces::new((rows[0].len(), rows.len()), |square| letter(square).and_then(Piece::of_letter));
        let marks = marks.iter().map(|&(square, mark)| (square.parse().unwrap(), mark)).collect();
        Scene { variant, pieces: &pieces, marks: &marks, flipped: false }.lines(look, width)
    }

    #[test]
    fn all_pieces_have_signs_of_their_own_without_colours() {
        let rows = ["QqSs*.", "PpDdIi"];
        let plain = scene(&Look::PLAIN, Width::Wide, "iago", &rows, &[]);
        assert_eq!(plain[..2], [" 2  Q  q  S  s  *  . ", " 1  P  p  D  d  I  i "]);
        let signs = scene(&Look::SIGNS, Width::Wide, "iago", &rows, &[]);
        assert_eq!(signs[..2], [" 2  ♕  ♛  ○  ●  ×  · ", " 1  ○  ●  ♕  ♛  ♔  ♚ "]);
        assert_eq!(signs[2], "    a  b  c  d  e  f ");
    }

    #[test]
    fn marks_are_seen_without_colours() {
        let marks = [("a1", Mark::Last), ("b1", Mark::Changed), ("c1", Mark::Chosen), ("d1", Mark::Target)];
        let of = |look, width| scene(look, width, "iago", &["Qs.."], &marks)[0].clone();
        assert_eq!(of(&Look::PLAIN, Width::Wide), " 1 [Q](s)<.> + ");
        assert_eq!(of(&Look::PLAIN, Width::Compact), " 1 [Q|s|.>+ ");
        assert_eq!(of(&Look::SIGNS, Width::Wide), " 1 [♕](●)<·> • ");
        // With eight colours as well.
        let eight = of(&Look::EIGHT, Width::Wide);
        assert!(eight.contains("\x1b[7m[\x1b[0m\x1b[7;1m♕\x1b[0m\x1b[7m]\x1b[0m"), "{eight:?}");
    }

    #[test]
    fn many_colours_give_every_square_a_ground() {
        let marks = [("a1", Mark::Last)];
        let line = scene(&Look::MANY, Width::Wide, "iago", &["Qq"], &marks)[0].clone();
        let expected = "\x1b[2m 1 \x1b[0m\
            \x1b[48;5;31;1;38;5;228m[\x1b[0m\x1b[48;5;31;1;38;5;231m♛\x1b[0m\x1b[48;5;31;1;38;5;228m]\x1b[0m\
            \x1b[48;5;101;1;38;5;228m \x1b[0m\x1b[48;5;101;1;38;5;16m♛\x1b[0m\x1b[48;5;101;1;38;5;228m \x1b[0m";
        assert_eq!(line, expected);
    }

    #[test]
    fn damone_is_played_on_half_of_the_squares() {
        let lines = scene(&Look::PLAIN, Width::Wide, "damone", &["p...", "...P"], &[]);
        assert_eq!(lines[..2], [" 2  p     .    ", " 1     .     P "]);
        for (width, columns) in [(Width::Wide, 15), (Width::Compact, 12)] {
            assert_eq!(width.columns(4), columns);
            let lines = scene(&Look::SIGNS, width, "damone", &["p...", "...P"], &[]);
            assert!(lines.iter().all(|line| line.chars().count() == columns), "{lines:#?}");
        }
    }
}
