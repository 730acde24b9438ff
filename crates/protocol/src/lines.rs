//! Lines of bounded length, and room for a bounded number of bytes of them.

use hippolyta::files::{UTF_8_MARK, is_utf_16};
use std::io::{self, BufRead};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// The result of reading a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// A whole line.
    Line,
    /// Longer than allowed, and discarded.
    TooLong,
    /// The first line of a text in UTF-16, which nothing here reads.
    Utf16,
    /// The input has ended.
    End,
}

/// Reads up to and without the next line feed, keeping `longest` bytes at most. A byte order mark at the head of a line
/// is no part of it: shells of Windows write one before what they pass on, and texts may be joined.
///
/// # Errors
///
/// Those of the input.
pub fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>, longest: usize) -> io::Result<Read> {
    line.clear();
    let mut too_long = false;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            return Ok(match (too_long, line.is_empty()) {
                (true, _) => Read::TooLong,
                (false, true) => Read::End,
                (false, false) => without_mark(line),
            });
        }
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = available.split_at(end.unwrap_or(available.len())).0;
        if line.len() + part.len() > longest {
            too_long = true;
        } else {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(if too_long { Read::TooLong } else { without_mark(line) });
        }
    }
}

fn without_mark(line: &mut Vec<u8>) -> Read {
    if line.starts_with(UTF_8_MARK) {
        line.drain(..UTF_8_MARK.len());
    }
    if is_utf_16(line) { Read::Utf16 } else { Read::Line }
}

/// Bytes of lines that may wait to be obeyed. While as many wait, no more are read.
const MOST_WAITING: usize = 64 << 20;

/// Bytes that a line costs beside its own.
const OF_EACH: usize = 128;

/// Bounds the memory of the lines that wait. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Waiting(Arc<(Mutex<usize>, Condvar)>);

/// The room that one line takes, until it is dropped.
pub(super) struct Room {
    bytes: usize,
    waiting: Waiting,
}

impl Waiting {
    /// Room for a line of `bytes` bytes. Blocks while there is none.
    pub fn room(&self, bytes: usize) -> Room {
        let (taken, freed) = &*self.0;
        let taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
        let mut taken = freed.wait_while(taken, |taken| *taken >= MOST_WAITING).unwrap_or_else(PoisonError::into_inner);
        let bytes = bytes + OF_EACH;
        *taken += bytes;
        Room { bytes, waiting: self.clone() }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let (taken, freed) = &*self.waiting.0;
        *taken.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_part_of_a_line_however_it_comes() {
        let bytes: &[u8] =
            b"\xef\xbb\xbfuci\n\xef\xbb\xbf\nisready\r\n\xff\xfeu\0\n\xfe\xff\n\xef\xbbx\n\xef\xbb\xbfend";
        for pieces in [1, 2, 64] {
            let mut input = io::BufReader::with_capacity(pieces, bytes);
            let mut line = Vec::new();
            let mut next = || (read_line(&mut input, &mut line, 9).unwrap(), line.clone());
            assert_eq!(next(), (Read::Line, b"uci".to_vec()));
            assert_eq!(next(), (Read::Line, b"".to_vec()));
            assert_eq!(next(), (Read::Line, b"isready\r".to_vec()));
            assert_eq!([next().0, next().0], [Read::Utf16; 2]);
            assert_eq!(next(), (Read::Line, b"\xef\xbbx".to_vec()));
            assert_eq!(next(), (Read::Line, b"end".to_vec()));
            assert_eq!(next().0, Read::End);
        }
    }

    #[test]
    fn room_is_given_back() {
        let waiting = Waiting::default();
        let full = waiting.room(MOST_WAITING);
        std::thread::scope(|scope| {
            let more = scope.spawn(|| waiting.room(1).bytes);
            drop(full);
            assert_eq!(more.join().unwrap(), 1 + OF_EACH);
        });
        assert_eq!(*waiting.0.0.lock().unwrap(), 0);
    }
}
