//! Tables as files. All numbers are little-endian:
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | `HIPPODMT` |
//! | 4 | format version, 1 |
//! | 1 | rules: 0 `damone` (and `damone-three`), 1 `damone-imperatore` |
//! | 1 | the most pieces, 2 to 5 |
//! | 1 | the most quiet plies in a row that a win takes |
//! | 1 | 0 |
//! | 8 | how many values there are |
//! | … | the values in the order of their numbers (see `index`), a byte each: plies to the end of the game, an odd number if the side to move wins and an even one if it loses; 254 a draw; 255 no position |
//! | 4 | CRC-32 of all that stands before |

use super::Tables;
use super::index::{Index, MOST_PIECES};
use crate::files::{open_file, write_whole_with};
use crate::games::damone::Rules;
use std::io::{self, Read, Write};
use std::path::Path;
use thiserror::Error;

const MAGIC: &[u8; 8] = b"HIPPODMT";
const VERSION: u32 = 1;
const HEADER: usize = 24;
/// By their number.
const RULES: [&Rules; 2] = [&Rules::DAMONE, &Rules::IMPERATORE];

/// Why tables cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TablesError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It begins with something else.
    #[error("not a file of Damone tables")]
    Foreign,
    /// It was written by another version.
    #[error("format version {0}, and this program reads {VERSION}")]
    Version(u32),
    /// The header says what cannot be.
    #[error("damaged: the header makes no sense")]
    Header,
    /// Something is missing, or there is too much.
    #[error("damaged: {found} bytes instead of {expected}")]
    Length {
        /// The length.
        found: u64,
        /// What it should be.
        expected: u64,
    },
    /// The contents are not what was written.
    #[error("damaged: wrong checksum")]
    Checksum,
}

impl Tables {
    fn header(&self) -> [u8; HEADER] {
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(MAGIC);
        header[8..12].copy_from_slice(&VERSION.to_le_bytes());
        header[12] = u8::from(self.rules != RULES[0]);
        header[13] = self.pieces() as u8;
        header[14] = self.longest_run;
        header[16..].copy_from_slice(&(self.values.len() as u64).to_le_bytes());
        header
    }

    pub(super) fn compute_checksum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&self.header());
        hasher.update(&self.values);
        hasher.finalize()
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    ///
    /// Whatever the system says; an old file is as it was.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        write_whole_with(path, |file| {
            file.write_all(&self.header())?;
            file.write_all(&self.values)?;
            file.write_all(&self.checksum.to_le_bytes())
        })
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// If it is not a file of ours, of another version, damaged, or cannot be read.
    pub fn load(path: &Path) -> Result<Self, TablesError> {
        let mut file = open_file(path)?;
        let length = file.metadata()?.len();
        Self::read(&mut file, length)
    }

    /// Reads what has `length` bytes.
    fn read(input: &mut impl Read, length: u64) -> Result<Self, TablesError> {
        let mut start = Vec::new();
        input.take(HEADER as u64).read_to_end(&mut start)?;
        let header: [u8; HEADER] = start.try_into().map_err(|_| TablesError::Foreign)?;
        if !header.starts_with(MAGIC) {
            return Err(TablesError::Foreign);
        }
        let version = u32::from_le_bytes([header[8], header[9], header[10], header[11]]);
        if version != VERSION {
            return Err(TablesError::Version(version));
        }
        let (rules, pieces) = (RULES.get(usize::from(header[12])), usize::from(header[13]));
        let Some(rules) = rules.filter(|_| (2..=MOST_PIECES).contains(&pieces)) else {
            return Err(TablesError::Header);
        };
        let index = Index::new(pieces);
        let expected = (HEADER + index.len() + 4) as u64;
        if length != expected {
            return Err(TablesError::Length { found: length, expected });
        }
        let mut values = vec![0; index.len()];
        let mut checksum = [0; 4];
        input.read_exact(&mut values)?;
        input.read_exact(&mut checksum)?;
        let tables = Self::new(rules, index, values, header[14]);
        let same = tables.header() == header && tables.checksum == u32::from_le_bytes(checksum);
        if same { Ok(tables) } else { Err(TablesError::Checksum) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::solve;
    use super::*;

    fn bytes(tables: &Tables) -> Vec<u8> {
        [&tables.header()[..], &tables.values, &tables.checksum.to_le_bytes()].concat()
    }

    fn read(bytes: &[u8]) -> Result<Tables, TablesError> {
        Tables::read(&mut &bytes[..], bytes.len() as u64)
    }

    #[test]
    fn tables_are_read_as_they_were_written() {
        for rules in RULES {
            let tables = solve(rules, 2, &|_| ()).unwrap();
            let again = read(&bytes(&tables)).unwrap();
            assert_eq!(again.values, tables.values);
            assert_eq!((again.rules, again.longest_run, again.checksum), (rules, tables.longest_run, tables.checksum));
        }
    }

    #[test]
    fn damage_is_noticed_wherever_it_is() {
        let bytes = bytes(&solve(&Rules::DAMONE, 2, &|_| ()).unwrap());
        for place in (0..HEADER).chain((HEADER..bytes.len()).step_by(97)).chain(bytes.len() - 9..bytes.len()) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x10;
            assert!(read(&damaged).is_err(), "byte {place}");
            assert!(read(&bytes[..place]).is_err(), "cut at {place}");
        }
        assert!(matches!(read(&[&bytes[..], b"x"].concat()), Err(TablesError::Length { .. })));
        assert!(matches!(read(b"something else that is long enough"), Err(TablesError::Foreign)));
    }
}
