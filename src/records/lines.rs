//! Lines of bounded length, and texts of one game each cut out of them.

use super::Damage;
use std::io::{self, BufRead};

/// A game of more bytes is not read.
pub(super) const MOST: usize = 16 << 20;

/// A line, or what is left of it.
pub(super) struct Line {
    /// From 1.
    pub number: u64,
    /// The place of its first character in the whole line, from 1.
    pub column: u64,
    pub text: String,
    /// It had more than [`MOST`] bytes; the rest is lost.
    pub too_long: bool,
}

/// The text of one game.
#[derive(Default)]
pub(super) struct Chunk {
    pub text: String,
    line: u64,
    column: u64,
    too_long: bool,
}

impl Chunk {
    /// Appends a line, or the beginning of one.
    pub fn push(&mut self, line: &Line, end: usize) {
        if self.line == 0 {
            (self.line, self.column) = (line.number, line.column);
        }
        self.too_long |= line.too_long || self.text.len() + end > MOST;
        if !self.too_long {
            self.text.push_str(&line.text[..end]);
            self.text.push('\n');
        }
    }

    pub fn is_empty(&self) -> bool {
        self.line == 0
    }

    pub fn complete(&self) -> Result<(), (usize, String)> {
        if self.too_long { Err((0, format!("a game of more than {} MiB", MOST >> 20))) } else { Ok(()) }
    }

    /// What is wrong at a byte of the text.
    pub fn damage(&self, at: usize, message: String) -> Damage {
        let mut end = at.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &self.text[..end];
        let line = before.matches('\n').count() as u64;
        let column = before[before.rfind('\n').map_or(0, |at| at + 1)..].chars().count() as u64;
        let first = if line == 0 { self.column } else { 1 };
        Damage { line: self.line + line, column: first + column, message }
    }
}

/// The lines of an input; one can be put back.
pub(super) struct Chunks<R> {
    input: R,
    number: u64,
    waiting: Option<Line>,
}

impl<R: BufRead> Chunks<R> {
    pub fn new(input: R) -> Self {
        Self { input, number: 0, waiting: None }
    }

    pub fn put_back(&mut self, line: Line) {
        self.waiting = Some(line);
    }

    /// The next line without its end; `None` after the last.
    pub fn line(&mut self) -> io::Result<Option<Line>> {
        if let Some(line) = self.waiting.take() {
            return Ok(Some(line));
        }
        let (mut bytes, mut too_long, mut some) = (Vec::new(), false, false);
        loop {
            let buffer = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            if buffer.is_empty() {
                break;
            }
            some = true;
            let end = buffer.iter().position(|&byte| byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            too_long |= bytes.len() + part.len() > MOST;
            if !too_long {
                bytes.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        if !some {
            return Ok(None);
        }
        self.number += 1;
        bytes.pop_if(|&mut byte| byte == b'\r');
        if self.number == 1 && bytes.starts_with("\u{feff}".as_bytes()) {
            bytes.drain(..3);
        }
        // What is not UTF-8 is Latin-1: PGN once prescribed it.
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect());
        Ok(Some(Line { number: self.number, column: 1, text, too_long }))
    }
}
