//! Tables as files.
//!
//! A file of tables is a container (`src/container.rs`) with the magic `HIPPODMT`, version 2. Its header is
//! `{"rules": "damone", "pieces": 4, "longest_run": 64}`:
//!
//! - `rules` are `damone`, also for `damone-three`, or `damone-imperatore`;
//! - `pieces`, 2 to 5, is the most pieces on a board;
//! - `longest_run` is the most quiet plies in a row that a win takes.
//!
//! Its payload is a byte for each position, in the order of their numbers (see `index`):
//!
//! | value | meaning |
//! | --- | --- |
//! | 0 to 253 | plies to the end of the game: the side to move wins if it is odd, and loses if it is even |
//! | 254 | draw |
//! | 255 | no position has this number |

use super::Tables;
use super::index::{Index, MOST_PIECES};
use crate::container::{self, ContainerError, Format};
use crate::files::{open_file, write_whole_with};
use crate::games::damone::Rules;
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use std::path::Path;
use thiserror::Error;

const FORMAT: Format = Format { magic: *b"HIPPODMT", name: "file of Damone tables", version: 2 };
/// The rules by their names in headers. Checksums number them.
const RULES: [(&str, &Rules); 2] = [("damone", &Rules::DAMONE), ("damone-imperatore", &Rules::IMPERATORE)];

/// Why tables cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TablesError {
    /// The file cannot be read, is of another kind or version, or is damaged.
    #[error(transparent)]
    File(#[from] ContainerError),
    /// The header names rules or a number of pieces that do not exist.
    #[error("damaged header: no such rules or pieces")]
    Header,
    /// The number of values is not that of the positions.
    #[error("damaged: {found} values instead of {expected}")]
    Length {
        /// Number of values.
        found: usize,
        /// Number of positions.
        expected: usize,
    },
}

impl From<io::Error> for TablesError {
    fn from(error: io::Error) -> Self {
        Self::File(error.into())
    }
}

#[derive(Serialize, Deserialize)]
struct Header {
    rules: String,
    pieces: usize,
    longest_run: u8,
}

impl Tables {
    fn number_of_rules(&self) -> usize {
        usize::from(self.rules != RULES[0].1)
    }

    /// The CRC-32 of `HIPPODMT`, 1 (4 bytes), the number of the rules, the most pieces, the longest run, 0 (a byte
    /// each), the number of values (8 bytes) and the values. Data files of self-play name tables by it, so it must not
    /// change when the format of files does.
    pub(super) fn compute_checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(b"HIPPODMT\x01\0\0\0");
        hasher.update(&[self.number_of_rules() as u8, self.pieces() as u8, self.longest_run, 0]);
        hasher.update(&(self.values.len() as u64).to_le_bytes());
        hasher.update(&self.values);
        hasher.finalize()
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    ///
    /// If the system refuses. Then an old file stays as it is.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        write_whole_with(path, |file| self.write(file).map(|_| ()))
    }

    pub(super) fn write<W: io::Write>(&self, output: W) -> io::Result<W> {
        let rules = RULES[self.number_of_rules()].0.to_owned();
        let header = Header { rules, pieces: self.pieces(), longest_run: self.longest_run };
        let mut writer = container::Writer::new(&FORMAT, output, &header)?;
        writer.payload(&self.values)?;
        writer.finish()
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is of another kind or version, or is damaged.
    pub fn load(path: &Path) -> Result<Self, TablesError> {
        Self::read(open_file(path)?)
    }

    pub(super) fn read(input: impl Read) -> Result<Self, TablesError> {
        let mut reader = container::Reader::new(&FORMAT, input)?;
        let Header { rules, pieces, longest_run } = reader.header()?;
        let rules = RULES.iter().find(|(name, _)| *name == rules && (2..=MOST_PIECES).contains(&pieces));
        let &(_, rules) = rules.ok_or(TablesError::Header)?;
        let (index, mut values) = (Index::new(pieces), Vec::new());
        values.try_reserve_exact(index.len()).map_err(io::Error::from)?;
        reader.payload(&mut values)?;
        let (found, expected) = (values.len(), index.len());
        if found != expected {
            return Err(TablesError::Length { found, expected });
        }
        Ok(Self::new(rules, index, values, longest_run))
    }
}

#[cfg(test)]
mod tests {
    use super::super::solve;
    use super::*;

    #[test]
    fn tables_are_read_as_they_were_written_and_keep_their_checksums() {
        for ((_, rules), checksum) in RULES.into_iter().zip([0xb551_7ec5, 0xcb3e_c0a7]) {
            let tables = solve(rules, 2, &|_| ()).unwrap();
            let again = Tables::read(&tables.write(Vec::new()).unwrap()[..]).unwrap();
            assert_eq!(again.values, tables.values);
            let found = (again.rules, again.longest_run, again.checksum);
            assert_eq!(found, (rules, tables.longest_run, checksum));
        }
    }

    #[test]
    fn damage_is_noticed_wherever_it_is() {
        let tables = solve(&Rules::DAMONE, 2, &|_| ()).unwrap();
        let bytes = tables.write(Vec::new()).unwrap();
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x10;
            assert!(Tables::read(&damaged[..]).is_err(), "byte {place}");
            assert!(Tables::read(&bytes[..place]).is_err(), "cut at {place}");
        }
        assert!(Tables::read(&[&bytes[..], b"x"].concat()[..]).is_err());
        let foreign = Tables::read(&b"something else that is long enough"[..]).unwrap_err();
        assert_eq!(foreign.to_string(), "not a file of Damone tables");
    }

    #[test]
    fn headers_and_payloads_that_do_not_fit_together_are_refused() {
        let error = |rules: &str, pieces: usize, values: usize| {
            let header = Header { rules: rules.to_owned(), pieces, longest_run: 9 };
            let bytes = container::whole(&FORMAT, &header, &vec![254; values]).unwrap();
            Tables::read(&bytes[..]).unwrap_err().to_string()
        };
        let expected = Index::new(2).len();
        for found in [0, expected - 1, expected + 1] {
            assert_eq!(error("damone", 2, found), format!("damaged: {found} values instead of {expected}"));
        }
        for (rules, pieces) in [("chess", 2), ("damone", 1), ("damone-imperatore", 6)] {
            assert_eq!(error(rules, pieces, expected), "damaged header: no such rules or pieces");
        }
    }
}
