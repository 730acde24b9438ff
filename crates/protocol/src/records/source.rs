//! The bytes of an input, of which a format cuts the text of one game after the other: in any encoding, with any line
//! ends, and in time that grows with the length of the input alone.

use super::Damage;
use super::encoding::decode;
use std::io::{self, BufRead};

/// A game of more bytes is not read.
pub(super) const MOST: usize = 16 << 20;
/// Warnings of one game that are kept.
const MOST_WARNINGS: usize = 100;
/// Bytes that are read at a time.
const BLOCK: usize = 1 << 16;
const MARK: &[u8] = "\u{feff}".as_bytes();

/// The byte of the game's text where a fault is, and the fault in words.
pub(super) type Wrong = (usize, String);

/// A fault at a byte of a game's text.
#[derive(Clone, Debug)]
struct Warning {
    at: usize,
    message: String,
    lost: Option<String>,
}

/// The warnings about one game, bounded.
#[derive(Clone, Debug, Default)]
pub(super) struct Warnings {
    list: Vec<Warning>,
    /// The greatest place among them.
    last: usize,
    more: u64,
    more_lose_turns: bool,
}

impl Warnings {
    pub fn say(&mut self, at: usize, message: impl Into<String>) {
        self.push(Warning { at, message: message.into(), lost: None });
    }

    /// Turns are left out; `lost` says which.
    pub fn lose(&mut self, at: usize, message: impl Into<String>, lost: impl Into<String>) {
        self.push(Warning { at, message: message.into(), lost: Some(lost.into()) });
    }

    /// Of too many the first by their places are kept.
    fn push(&mut self, warning: Warning) {
        let mut left = warning;
        if self.list.len() < MOST_WARNINGS {
            self.last = self.last.max(left.at);
            self.list.push(left);
            return;
        }
        if left.at < self.last
            && let Some(last) = self.list.iter_mut().max_by_key(|warning| warning.at)
        {
            std::mem::swap(last, &mut left);
            self.last = self.list.iter().map(|warning| warning.at).max().unwrap_or_default();
        }
        self.more += 1;
        self.more_lose_turns |= left.lost.is_some();
    }

    /// What they say.
    pub fn messages(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|warning| warning.message.as_str())
    }

    /// The first place at which turns are left out, with the fault. `None` if all are kept.
    pub fn first_loss(&self) -> Option<Wrong> {
        let lost = self.list.iter().filter(|warning| warning.lost.is_some());
        let first = lost.min_by_key(|warning| warning.at).map(|warning| (warning.at, warning.message.clone()));
        first.or_else(|| self.more_lose_turns.then(|| (self.last, "nothing here is understood".to_owned())))
    }

    pub fn extend(&mut self, other: Self) {
        other.list.into_iter().for_each(|warning| self.push(warning));
        self.more += other.more;
        self.more_lose_turns |= other.more_lose_turns;
    }
}

/// The text of one game, and where it begins.
pub(super) struct Chunk {
    pub text: String,
    pub line: u64,
    column: u64,
    too_long: bool,
    pub warnings: Warnings,
}

impl Chunk {
    pub fn complete(&self) -> Result<(), (usize, String)> {
        if self.too_long { Err((0, format!("a game of more than {} MiB", MOST >> 20))) } else { Ok(()) }
    }

    /// The damage at a byte of the text.
    pub fn damage(&self, at: usize, message: String) -> Damage {
        let mut place = Place { line: self.line, column: self.column };
        place.pass(&self.text[..self.text.floor_char_boundary(at)]);
        Damage { game: None, line: place.line, column: place.column, message, lost: None }
    }

    /// The warnings in their order, with their places.
    pub fn damages(&self, warnings: Warnings) -> Vec<Damage> {
        let Warnings { mut list, more, more_lose_turns, .. } = warnings;
        list.sort_by_key(|warning| warning.at);
        let (mut place, mut passed) = (Place { line: self.line, column: self.column }, 0);
        let mut damages: Vec<_> = list
            .into_iter()
            .map(|Warning { at, message, lost }| {
                let at = self.text.floor_char_boundary(at).max(passed);
                place.pass(&self.text[passed..at]);
                passed = at;
                Damage { game: None, line: place.line, column: place.column, message, lost }
            })
            .collect();
        if more > 0 {
            let message = format!("{more} more things in this game were not understood");
            let lost = more_lose_turns.then(|| "turns are left out".to_owned());
            damages.push(Damage { game: None, line: place.line, column: place.column, message, lost });
        }
        damages
    }
}

/// Line and character of a place, from 1.
#[derive(Clone, Copy)]
struct Place {
    line: u64,
    column: u64,
}

impl Place {
    /// Goes over a text, whose lines end in line feeds.
    fn pass(&mut self, text: &str) {
        let lines = text.bytes().filter(|&byte| byte == b'\n').count() as u64;
        let last = text.rfind('\n').map_or(0, |at| at + 1);
        self.column = text[last..].chars().count() as u64 + if lines == 0 { self.column } else { 1 };
        self.line += lines;
    }
}

/// A text in an encoding that is known.
fn text(encoding: &str, bytes: &[u8]) -> String {
    decode(encoding, bytes).map_or_else(String::new, |decoded| decoded.text)
}

/// A text in Latin-1, as the web takes it.
pub(super) fn latin(bytes: &[u8]) -> String {
    text("windows-1252", bytes)
}

/// How many bytes of UTF-16 are whole characters: the last two may be the first half of one.
fn whole_characters(bytes: &[u8], encoding: &str) -> usize {
    let even = bytes.len() & !1;
    let high = bytes[..even].last_chunk::<2>().map(|unit| unit[usize::from(encoding == "utf-16le")]);
    if high.is_some_and(|high| matches!(high, 0xd8..0xdc)) { even - 2 } else { even }
}

/// The bytes that are not yet cut off.
pub(super) struct Source<R> {
    input: R,
    /// Of an input in UTF-16: its encoding, and what of it is not yet decoded. All else is decoded game by game.
    utf16: Option<(&'static str, Vec<u8>)>,
    buffer: Vec<u8>,
    start: usize,
    begun: bool,
    ended: bool,
    /// Something that is not blank was taken.
    taken: bool,
    place: Place,
    /// Where the game begins of which too much was read to keep it.
    too_long: Option<Place>,
}

impl<R: BufRead> Source<R> {
    pub fn new(input: R) -> Self {
        Self {
            input,
            utf16: None,
            buffer: Vec::new(),
            start: 0,
            begun: false,
            ended: false,
            taken: false,
            place: Place { line: 1, column: 1 },
            too_long: None,
        }
    }

    /// Reads on.
    fn fill(&mut self) -> io::Result<()> {
        if self.start > self.buffer.len() / 2 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        let known = self.buffer.len();
        loop {
            let block = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                block => block?,
            };
            let block = &block[..block.len().min(BLOCK)];
            let length = block.len();
            self.utf16.as_mut().map_or(&mut self.buffer, |(_, rest)| rest).extend_from_slice(block);
            self.input.consume(length);
            self.ended = length == 0;
            // Two bytes tell, which may come one by one.
            if self.begun || self.ended || self.buffer.len() > 1 {
                break;
            }
        }
        if !self.begun {
            self.begun = true;
            // With a mark, or by the zeros that ASCII has there.
            let encoding = match self.buffer[..] {
                [0xff, 0xfe, ..] | [1..=0x7f, 0, ..] => Some("utf-16le"),
                [0xfe, 0xff, ..] | [0, 1..=0x7f, ..] => Some("utf-16be"),
                _ => None,
            };
            self.utf16 = encoding.map(|encoding| (encoding, std::mem::take(&mut self.buffer)));
        }
        if let Some((encoding, rest)) = &mut self.utf16 {
            let whole = if self.ended { rest.len() } else { whole_characters(rest, encoding) };
            self.buffer.extend_from_slice(text(encoding, &rest[..whole]).as_bytes());
            rest.drain(..whole);
        }
        // Files that were joined bring their marks along.
        let mut at = known.saturating_sub(2);
        while let Some(found) = self.buffer[at..].windows(3).position(|bytes| bytes == MARK) {
            at += found;
            if at == 0 || matches!(self.buffer[at - 1], b'\n' | b'\r') {
                self.buffer.drain(at..at + 3);
            } else {
                at += 1;
            }
        }
        Ok(())
    }

    /// The byte at a distance; `None` behind the last.
    #[inline]
    pub fn byte(&mut self, at: usize) -> io::Result<Option<u8>> {
        loop {
            if let Some(&byte) = self.buffer.get(self.start + at) {
                return Ok(Some(byte));
            }
            if self.ended {
                return Ok(None);
            }
            self.fill()?;
        }
    }

    /// Up to `length` bytes at a distance.
    pub fn window(&mut self, at: usize, length: usize) -> io::Result<&[u8]> {
        while !self.ended && self.buffer.len() < self.start + at + length {
            self.fill()?;
        }
        let begin = (self.start + at).min(self.buffer.len());
        Ok(&self.buffer[begin..(begin + length).min(self.buffer.len())])
    }

    /// The first byte behind `at` that is no blank, and its distance.
    pub fn after_blanks(&mut self, mut at: usize) -> io::Result<(usize, Option<u8>)> {
        loop {
            match self.byte(at)? {
                Some(byte) if byte.is_ascii_whitespace() => at += 1,
                byte => return Ok((at, byte)),
            }
        }
    }

    /// Whether nothing but blanks was taken.
    pub fn is_untouched(&self) -> bool {
        !self.taken
    }

    /// Whether a line begins at a distance.
    pub fn begins_line(&self, at: usize) -> bool {
        match (self.start + at).checked_sub(1) {
            Some(before) => matches!(self.buffer.get(before), Some(b'\n' | b'\r')),
            None => self.place.column == 1,
        }
    }

    /// Keeps memory bounded while a game is cut: of one that grows too long nothing is kept. Returns where `at` is now.
    #[inline]
    pub fn bounded(&mut self, at: usize) -> usize {
        if at <= MOST {
            return at;
        }
        // The last byte tells whether a line begins behind it.
        self.too_long = self.too_long.or(Some(self.place));
        self.drop(at - 1, None);
        1
    }

    fn decoded(&mut self, length: usize, encoding: Option<&str>) -> (String, Warnings) {
        let mut warnings = Warnings::default();
        let bytes = &self.buffer[self.start..self.start + length];
        let text = match encoding {
            Some(encoding) if encoding != "utf-8" => {
                let text = text(encoding, bytes);
                if let Some(at) = text.find('\u{fffd}') {
                    warnings.say(at, format!("not all of the text is {encoding}"));
                }
                text
            }
            _ => match str::from_utf8(bytes) {
                Ok(text) => text.to_owned(),
                // Text that is not UTF-8 is Latin-1, which PGN and SGF once prescribed; line by line, as files are
                // joined.
                Err(_) => {
                    let (mut text, mut mixed, mut first) = (String::new(), false, None);
                    for line in bytes.split_inclusive(|&byte| byte == b'\n' || byte == b'\r') {
                        if let Ok(line) = str::from_utf8(line) {
                            mixed |= !line.is_ascii();
                            text.push_str(line);
                        } else {
                            first = first.or(Some(text.len()));
                            text.push_str(&latin(line));
                        }
                    }
                    if mixed || encoding.is_some() {
                        let message = "this line is not UTF-8; it is read as windows-1252";
                        warnings.say(first.unwrap_or(0), message);
                    }
                    text
                }
            },
        };
        if text.contains('\r') { (text.replace("\r\n", "\n").replace('\r', "\n"), warnings) } else { (text, warnings) }
    }

    /// Takes the next `length` bytes off, or as many as there are: a sign that stands for two may be the last. A line end
    /// that is two bytes stays whole. UTF-8 or Latin-1 without an encoding.
    pub fn take(&mut self, length: usize, encoding: Option<&str>) -> io::Result<Chunk> {
        let mut length = self.window(0, length)?.len();
        if length > 0 && self.byte(length - 1)? == Some(b'\r') && self.byte(length)? == Some(b'\n') {
            length += 1;
        }
        let too_long = self.too_long.take();
        let Place { line, column } = too_long.unwrap_or(self.place);
        let (text, warnings) = self.decoded(length, encoding);
        self.place.pass(&text);
        self.start += length;
        self.taken |= !text.trim().is_empty();
        Ok(Chunk { text, line, column, too_long: too_long.is_some(), warnings })
    }

    fn drop(&mut self, length: usize, encoding: Option<&str>) {
        let (text, _) = self.decoded(length, encoding);
        self.place.pass(&text);
        self.start += length;
    }

    /// Takes blanks off. Whether anything is left.
    pub fn skip_blanks(&mut self) -> io::Result<bool> {
        loop {
            let (at, byte) = self.after_blanks(0)?;
            let whole = at <= MOST;
            // Blanks alone may be longer than memory.
            self.take(at, None)?;
            if whole {
                return Ok(byte.is_some());
            }
        }
    }

    /// The distance of the end of the line, at most [`MOST`] and a little away.
    pub fn line_end(&mut self, mut at: usize) -> io::Result<usize> {
        while !matches!(self.byte(at)?, None | Some(b'\n' | b'\r')) {
            at = self.bounded(at) + 1;
        }
        Ok(at)
    }
}
