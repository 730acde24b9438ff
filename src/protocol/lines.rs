//! Lines of bounded length.

use std::io::{self, BufRead};

/// What was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    Line,
    /// Longer than allowed, and discarded.
    TooLong,
    End,
}

/// Reads up to and without the next line feed, keeping `longest` bytes at most.
pub(crate) fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>, longest: usize) -> io::Result<Read> {
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
                (false, false) => Read::Line,
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
            return Ok(if too_long { Read::TooLong } else { Read::Line });
        }
    }
}
