//! How people and programs write turns, and are understood: the one reader of a turn's text in any notation.
//!
//! | notation | turns |
//! | --- | --- |
//! | ours, and what people make of it | `d1d7,d7g7`, `d1-d7/g7`, `D1 – d7 (g7)`, `d1-d7[g7]`, `d1-d7;g7`, `d1 d7 g7`, `d1d7 P@g9` |
//! | SAN and LAN | `Qd7,g7`, `Qdd7,g7`, `Q1d7,g7`, `Qd1-d7,g7` |
//! | Damone | `h5g6`, `c2xe4xg6`, and of a capture its ends: `c2xg6` |
//! | PDN: the dark squares by number, from a8 on | `32-28`, `26x17x10`, `26x10` |

use super::{Style, Turn};
use crate::board::Square;
use arrayvec::ArrayVec;

/// Whether a character is a dash, as word processors and game notations have several.
pub fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}')
}

/// Whether a character stands between two squares of a turn: a dash, or a sign of captures.
pub fn is_separator(c: char) -> bool {
    is_dash(c) || matches!(c, ':' | 'x' | 'X' | '×' | '✕' | '✖' | '⨯')
}

/// The number of the character at which `rest`, the end of `text`, begins: from 1.
pub(super) fn place(text: &str, rest: &str) -> usize {
    text.chars().count() - rest.chars().count() + 1
}

/// The dark square with a number of PDN: 1 is a8, 32 is h1.
pub(super) fn numbered(number: usize) -> Option<Square> {
    let place = number.checked_sub(1).filter(|&place| place < 32)?;
    let row = place / 4;
    Square::at(2 * (place % 4) + row % 2, 7 - row)
}

/// The number in PDN of a dark square.
pub(super) fn number_of(square: Square) -> usize {
    4 * (7 - square.rank()) + square.file() / 2 + 1
}

/// The square that a text begins with, and what is behind it.
fn square(text: &str) -> Option<(Square, &str)> {
    let head = text.get(..text.bytes().take(3).take_while(u8::is_ascii_alphanumeric).count())?.to_ascii_lowercase();
    let (square, tail) = Square::parse_prefix(&head).ok()?;
    Some((square, &text[head.len() - tail.len()..]))
}

/// What is behind a separator, with blanks around it; the text itself if it begins with none.
fn behind_separator(text: &str) -> &str {
    text.trim_start().strip_prefix(is_separator).map_or(text, str::trim_start)
}

/// The square that a text begins with, if it stands alone: what follows makes no turn with it.
fn lone(text: &str) -> Option<(Square, &str)> {
    let ends = |rest: &str| rest.chars().next().is_none_or(|c| c.is_whitespace() || "()[]{},;.!?$".contains(c));
    square(text).filter(|&(_, rest)| ends(rest) && behind_separator(rest) == rest)
}

/// A turn as somebody wrote it.
#[derive(Debug, Default)]
pub struct Written {
    /// The bytes that it takes at the beginning of the text.
    pub length: usize,
    /// The squares that the piece stands on, as far as they are written.
    pub(super) path: ArrayVec<Square, 33>,
    /// What is set off behind them: where it fires, perhaps after the square from which it does.
    pub(super) shot: ArrayVec<Square, 2>,
    /// Of SAN, whose path is the last square alone: the file and the rank of the first, where they are written.
    short: Option<[Option<usize>; 2]>,
    /// It has a sign of captures, between whose squares others may be left out.
    captures: bool,
}

impl Written {
    /// The turn that a text begins with. `None` if there is none.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut turn = Self::default();
        let rest = match text.chars().next()? {
            'Q' => turn.short(&text[1..]),
            '0'..='9' => turn.numbers(text),
            _ => turn.squares(text),
        }?;
        let rest = turn.shot(rest).unwrap_or(rest);
        turn.length = text.len() - rest.len();
        Some(turn)
    }

    /// Reads a text that is a turn and nothing else; or else says what was expected.
    pub(super) fn whole(text: &str) -> Result<Self, String> {
        let trimmed = text.trim();
        let at = |rest: &str| place(text.trim_end(), rest);
        match Self::read(trimmed) {
            Some(turn) if turn.length == trimmed.len() => Ok(turn),
            Some(turn) => match &trimmed[turn.length..] {
                "," | "/" => Err(format!("a square is expected at character {}", at(""))),
                rest => Err(format!("nothing is expected from character {} on", at(rest))),
            },
            None => {
                let rest = square(trimmed).map_or(trimmed, |(_, rest)| behind_separator(rest));
                Err(format!("a square is expected at character {}", at(rest)))
            }
        }
    }

    fn squares<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let (first, mut rest) = square(text)?;
        self.path.push(first);
        loop {
            let next = behind_separator(rest);
            let blank = || lone(text).and_then(|(_, rest)| lone(rest.trim_start())).filter(|_| self.path.len() == 1);
            let Some((next, tail)) = square(next).or_else(blank) else { break };
            self.captures |= rest.trim_start().starts_with(|c| is_separator(c) && !is_dash(c));
            self.path.try_push(next).ok()?;
            rest = tail;
        }
        (self.path.len() > 1).then_some(rest)
    }

    fn numbers<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let number = |text: &'a str| {
            let (digits, rest) = text.split_at(text.bytes().take_while(u8::is_ascii_digit).count());
            Some((numbered(digits.parse().ok()?)?, rest))
        };
        let (first, mut rest) = number(text)?;
        self.path.push(first);
        while let Some(tail) = rest.strip_prefix(is_separator)
            && let Some((next, tail)) = number(tail)
        {
            self.captures |= !rest.starts_with(is_dash);
            self.path.try_push(next).ok()?;
            rest = tail;
        }
        (self.path.len() > 1 && self.path[1] != first).then_some(rest)
    }

    /// What stands behind the `Q` of SAN and LAN.
    fn short<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let rank = text.bytes().take_while(u8::is_ascii_digit).count();
        let (first, rest) = match square(text) {
            Some((from, rest)) if let Some((to, rest)) = square(behind_separator(rest)) => {
                self.path.push(from);
                (to, rest)
            }
            Some((to, rest)) => {
                self.short = Some([None; 2]);
                (to, rest)
            }
            None if rank > 0 => {
                self.short = Some([None, text[..rank].parse::<usize>().ok()?.checked_sub(1)]);
                square(&text[rank..])?
            }
            None => {
                let file = text.bytes().next()?.to_ascii_lowercase().checked_sub(b'a')?;
                self.short = Some([Some(usize::from(file)), None]);
                square(text.get(1..)?)?
            }
        };
        self.path.push(first);
        Some(rest)
    }

    /// The shot that is set off by a sign, by brackets, or by a blank.
    fn shot<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let rest = text.trim_start();
        let sign = rest.chars().next().filter(|_| self.path.len() <= 2)?;
        if let Some(close) = [('(', ')'), ('[', ']')].into_iter().find(|pair| pair.0 == sign).map(|pair| pair.1) {
            let (at, rest) = square(rest[1..].trim_start())?;
            let rest = rest.trim_start().strip_prefix(close)?;
            self.shot.push(at);
            return Some(rest);
        }
        let signed = rest.strip_prefix([',', '/', ';']).unwrap_or(rest);
        let inner = signed.trim_start();
        let inner = inner.strip_prefix("P@").unwrap_or(inner);
        // Where nothing or a blank sets it off, it must not be the beginning of another turn; nor may a remark be.
        let is_bound = signed.len() < rest.len() && sign != ';' && inner.len() == signed.len();
        if !is_bound && let Some((at, rest)) = lone(inner).filter(|_| sign != ';' || inner.len() == signed.len()) {
            self.shot.push(at);
            return Some(rest);
        }
        let (first, rest) =
            square(inner).filter(|(first, _)| is_bound || sign == ',' && self.path.last() == Some(first))?;
        self.shot.push(first);
        let Some((second, rest)) = square(behind_separator(rest)) else { return Some(rest) };
        self.shot.push(second);
        Some(rest)
    }

    /// Whether squares are left out that only a position knows.
    pub(super) fn is_short(&self) -> bool {
        self.short.is_some()
    }

    /// Whether a legal turn may be this one, where that leaves squares out.
    pub(super) fn may_be(&self, turn: &Turn) -> bool {
        let from = turn.from();
        let mut left = turn.path().iter();
        let begins = match self.short {
            Some([file, rank]) => {
                file.is_none_or(|file| file == from.file()) && rank.is_none_or(|rank| rank == from.rank())
            }
            None => {
                self.captures && self.path[0] == from && self.path.iter().all(|square| left.any(|next| next == square))
            }
        };
        begins && self.path.last() == Some(&turn.to()) && self.shot.last().copied() == turn.fire()
    }
}

/// A turn in a style. From `others` another piece could do the same.
pub(super) fn text(turn: &Turn, style: Style, captures: bool, others: &[Square]) -> String {
    let (from, to) = (turn.from(), turn.to());
    let fire = turn.fire().map_or_else(String::new, |at| format!(",{at}"));
    match style {
        Style::Usual => turn.to_string(),
        Style::Numbers => {
            let numbers: Vec<_> = turn.path().iter().map(|&square| number_of(square).to_string()).collect();
            numbers.join(if captures { "x" } else { "-" })
        }
        Style::Lan => format!("Q{from}-{to}{fire}"),
        Style::San => {
            let origin = from.to_string();
            let needed = if others.is_empty() {
                ""
            } else if others.iter().all(|other| other.file() != from.file()) {
                &origin[..1]
            } else if others.iter().all(|other| other.rank() != from.rank()) {
                &origin[1..]
            } else {
                &origin
            };
            format!("Q{needed}{to}{fire}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read of a text: all of its squares, and the length.
    fn squares(text: &str) -> Option<(String, usize)> {
        let turn = Written::read(text)?;
        Some((turn.path.iter().chain(&turn.shot).map(ToString::to_string).collect(), turn.length))
    }

    #[test]
    fn turns_are_read_in_all_spellings_that_people_use() {
        for text in [
            "d1d7,d7g7",
            "d1-d7/g7",
            "d1-d7(g7)",
            "d1d7g7",
            "d1d7,g7",
            "d1d7/d7g7",
            "d1-d7,d7-g7",
            "d1-d7-g7",
            "d1d7d7g7",
            "D1–D7,g7",
            "d1—d7/g7",
            "d1−d7−g7",
            "d1‑d7(g7)",
            "d1×d7/g7",
            "d1:d7/d7g7",
            "d1–d7,d7–g7",
            "d1 - d7, g7",
            "d1-d7 (g7)",
            "d1-d7[g7]",
            "d1-d7 [ g7 ]",
            "d1-d7;g7",
            "d1 d7 g7",
            "d1d7 g7",
            "d1-d7 / g7",
            "d1d7 P@g7",
            "d1d7,P@g7",
            "Qd1-d7,g7",
            "Qd1d7 g7",
            "d1-d7, d7-g7",
            "d1d7\ng7",
        ] {
            let (found, length) = squares(text).unwrap();
            assert!(["d1d7g7", "d1d7d7g7"].contains(&found.as_str()) && length == text.len(), "{text}: {found}");
        }
        for (text, found, length) in [
            ("a10j1,j1j11) 2.", "a10j1j1j11", 11),
            ("d1d7 (e1e2)", "d1d7", 4),
            ("d1d7 a7d4,d4a7", "d1d7", 4),
            ("d1d7; g7 is better", "d1d7", 4),
            ("d1d7, a7-d4", "d1d7", 4),
            ("d1d7 a7 - d4", "d1d7", 4),
            ("d1d7 (g7 e1)", "d1d7", 4),
            ("c2xe4xg6 b5", "c2e4g6", 8),
            ("d1d7é", "d1d7", 4),
            ("d1d7,", "d1d7", 4),
            ("26x17x10", "c2a4c6", 8),
            ("1-5", "a8b7", 3),
            ("32-28*", "h1g2", 5),
            ("Qd7,g7 ", "d7g7", 6),
        ] {
            assert_eq!(squares(text), Some((found.to_owned(), length)), "{text}");
        }
        for text in
            ["", "d1", "d0d7", "l1l2", "é1é2", "1-0", "0-1", "1-1", "1/2-1/2", "33-1", "12.", "Q", "Qd", "d1 d7-e7"]
        {
            assert_eq!(squares(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_turn_is_told_with_its_place() {
        for (text, wrong) in [
            ("d1d7,", "a square is expected at character 6"),
            ("–d1d7", "a square is expected at character 1"),
            (" d1-", "a square is expected at character 5"),
            ("d1–d7(g7", "nothing is expected from character 6 on"),
            ("d1–d7,g7x", "nothing is expected from character 9 on"),
        ] {
            assert_eq!(Written::whole(text).map(|turn| turn.length), Err(wrong.to_owned()), "{text}");
        }
    }

    #[test]
    fn numbers_are_those_of_the_dark_squares() {
        for number in 1..=32 {
            let square = numbered(number).unwrap();
            assert_eq!((number_of(square), (square.file() + square.rank()) % 2), (number, 1));
        }
        assert_eq!((numbered(0), numbered(33)), (None, None));
    }
}
