//! Weights that were learned: as a file, and as what the evaluators use.
//!
//! A weights file holds named tables of whole numbers. All numbers are little-endian:
//!
//! | bytes | content |
//! | --- | --- |
//! | 8 | `HIPPOWTS` |
//! | 4 | format version, 1 |
//! | 4 | length of the header |
//! | … | the header, JSON: `{"notes": "how they came about", "tables": [["name", length], …]}` |
//! | … | the tables one after the other, 4 bytes a number |
//! | 4 | CRC-32 of all that stands before |

use super::{amazons, damone, desdemona};
use crate::endgame::damone::Tables as EndgameTables;
use crate::files::read_file;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use thiserror::Error;

const MAGIC: &[u8; 8] = b"HIPPOWTS";
const VERSION: u32 = 1;
/// Bytes of a file; none of ours comes near.
const LARGEST: u64 = 1 << 26;
/// Name of what is learned for the Amazons.
pub const AMAZONS: &str = "amazons";

/// Why weights cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It begins with something else.
    #[error("not a weights file of Hippolyta")]
    Foreign,
    /// It was written by another version.
    #[error("format version {0}, and this program reads {VERSION}")]
    Version(u32),
    /// The contents are not what was written.
    #[error("damaged: wrong checksum")]
    Checksum,
    /// The contents make no sense.
    #[error("damaged: {0}")]
    Damaged(String),
    /// A table that this program does not know.
    #[error("unknown table '{0}'")]
    Unknown(String),
    /// A table of another size.
    #[error("table '{name}' has {found} weights instead of {expected}")]
    Size {
        /// The table.
        name: String,
        /// Its size.
        found: usize,
        /// What it should be.
        expected: usize,
    },
}

#[derive(Serialize, Deserialize)]
struct Header {
    notes: String,
    tables: Vec<(String, u32)>,
}

/// The contents of a weights file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// How the weights came about.
    pub notes: String,
    /// Names and weights.
    pub tables: Vec<(String, Vec<i32>)>,
}

impl Tables {
    /// As bytes of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let tables = self.tables.iter().map(|(name, table)| (name.clone(), table.len() as u32)).collect();
        let header = serde_json::to_vec(&Header { notes: self.notes.clone(), tables }).unwrap_or_default();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header);
        self.tables.iter().flat_map(|(_, table)| table).for_each(|weight| bytes.extend(weight.to_le_bytes()));
        let sum = crc32fast::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    ///
    /// If they are not a weights file, of another version, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        let (start, rest) = bytes.split_first_chunk::<16>().ok_or(WeightsError::Foreign)?;
        let number = |at: usize| u32::from_le_bytes([start[at], start[at + 1], start[at + 2], start[at + 3]]);
        if !start.starts_with(MAGIC) {
            return Err(WeightsError::Foreign);
        }
        if number(8) != VERSION {
            return Err(WeightsError::Version(number(8)));
        }
        let (rest, sum) = rest.split_last_chunk::<4>().ok_or(WeightsError::Checksum)?;
        if crc32fast::hash(&bytes[..bytes.len() - 4]) != u32::from_le_bytes(*sum) {
            return Err(WeightsError::Checksum);
        }
        let damaged = |what: &str| WeightsError::Damaged(what.to_owned());
        let length = number(12) as usize;
        let (header, mut data) = rest.split_at_checked(length).ok_or_else(|| damaged("the header is too long"))?;
        let header: Header = serde_json::from_slice(header).map_err(|error| damaged(&error.to_string()))?;
        let mut tables = Vec::new();
        for (name, length) in header.tables {
            let (table, rest) =
                data.split_at_checked(length as usize * 4).ok_or_else(|| damaged("a table is cut off"))?;
            let (numbers, _) = table.as_chunks::<4>();
            tables.push((name, numbers.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect()));
            data = rest;
        }
        if data.is_empty() { Ok(Self { notes: header.notes, tables }) } else { Err(damaged("too long")) }
    }
}

/// Everything that the evaluators use from files, or that is built in instead.
#[derive(Clone, Debug)]
pub struct Knowledge {
    /// Of the Amazons.
    pub amazons: Arc<amazons::Learned>,
    /// Of Desdemona and its relatives, by [`desdemona::GROUPS`].
    pub desdemona: [Arc<desdemona::Learned>; desdemona::GROUPS.len()],
    /// Of the Damone family, by [`damone::GROUPS`].
    pub damone: [Arc<damone::Learned>; damone::GROUPS.len()],
    /// How all this came about: a line for each rule set.
    pub notes: String,
    /// Endgame tables of Damone from a file; not learned, but computed.
    pub damone_tables: Option<Arc<EndgameTables>>,
}

static EMBEDDED: LazyLock<Arc<Knowledge>> = LazyLock::new(|| {
    let start = Knowledge::bootstrap();
    let learned = start.with_bytes(include_bytes!("weights.bin"));
    // A test reads the file.
    Arc::new(learned.unwrap_or(start))
});

impl Knowledge {
    /// What was known before anything was learned: published and guessed weights.
    #[must_use]
    pub fn bootstrap() -> Self {
        let (desdemona, damone) = (Arc::new(desdemona::bootstrap()), Arc::new(damone::bootstrap()));
        Self {
            amazons: Arc::new(amazons::bootstrap()),
            desdemona: std::array::from_fn(|_| desdemona.clone()),
            damone: std::array::from_fn(|_| damone.clone()),
            notes: String::new(),
            damone_tables: None,
        }
    }

    /// What was built in.
    #[must_use]
    pub fn embedded() -> Arc<Self> {
        EMBEDDED.clone()
    }

    /// What was built in, but for the tables of a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is damaged, or holds tables that are unknown or of another size.
    pub fn load(path: &Path) -> Result<Arc<Self>, WeightsError> {
        Self::from_bytes(&read_file(path, LARGEST)?)
    }

    /// What was built in, but for the tables in the bytes of a file.
    ///
    /// # Errors
    ///
    /// As [`load`](Self::load).
    pub fn from_bytes(bytes: &[u8]) -> Result<Arc<Self>, WeightsError> {
        EMBEDDED.with_bytes(bytes).map(Arc::new)
    }

    /// The same with other endgame tables of Damone, or without.
    #[must_use]
    pub fn with_damone_tables(&self, tables: Option<Arc<EndgameTables>>) -> Arc<Self> {
        Arc::new(Self { damone_tables: tables, ..self.clone() })
    }

    /// The same with the tables of the bytes of a weights file.
    ///
    /// # Errors
    ///
    /// If they are not those of a weights file, damaged, or hold tables that are unknown or of another size.
    pub fn with_bytes(&self, bytes: &[u8]) -> Result<Self, WeightsError> {
        self.with_tables(&Tables::from_bytes(bytes)?)
    }

    /// The same with other tables; those that are not there stay as they are.
    ///
    /// # Errors
    ///
    /// If a table is unknown or of another size.
    pub fn with_tables(&self, tables: &Tables) -> Result<Self, WeightsError> {
        let mut knowledge = self.clone();
        for (name, table) in &tables.tables {
            let (owner, part) = name.split_at(name.find('.').unwrap_or(name.len()));
            let place = |groups: &[&str]| groups.iter().position(|group| *group == owner);
            let taken = if owner == AMAZONS {
                Arc::make_mut(&mut knowledge.amazons).set(part, table)
            } else if let Some(group) = place(&desdemona::GROUPS) {
                Arc::make_mut(&mut knowledge.desdemona[group]).set(part, table)
            } else if let Some(group) = place(&damone::GROUPS) {
                Arc::make_mut(&mut knowledge.damone[group]).set(part, table)
            } else {
                Err(None)
            };
            taken.map_err(|expected| match expected {
                Some(expected) => WeightsError::Size { name: name.clone(), found: table.len(), expected },
                None => WeightsError::Unknown(name.clone()),
            })?;
        }
        knowledge.notes.clone_from(&tables.notes);
        Ok(knowledge)
    }

    /// All tables, as they are written into a weights file.
    #[must_use]
    pub fn tables(&self) -> Tables {
        let mut tables = self.amazons.tables(AMAZONS);
        for (name, learned) in desdemona::GROUPS.iter().zip(&self.desdemona) {
            tables.extend(learned.tables(name));
        }
        for (name, learned) in damone::GROUPS.iter().zip(&self.damone) {
            tables.extend(learned.tables(name));
        }
        Tables { notes: self.notes.clone(), tables }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables() -> Tables {
        let table = amazons::bootstrap().value.linear_weights().to_vec();
        Tables { notes: "a test".to_owned(), tables: vec![(AMAZONS.to_owned(), table)] }
    }

    #[test]
    fn the_embedded_weights_can_be_read() {
        assert!(EMBEDDED.with_bytes(include_bytes!("weights.bin")).is_ok());
    }

    #[test]
    fn everything_embedded_was_learned() {
        let nothing = Knowledge::bootstrap().tables();
        for ((name, learned), (_, guessed)) in EMBEDDED.tables().tables.iter().zip(&nothing.tables) {
            assert_ne!(learned, guessed, "{name}");
        }
    }

    #[test]
    fn files_are_read_as_they_were_written() {
        let bytes = tables().to_bytes();
        assert_eq!(Tables::from_bytes(&bytes).unwrap(), tables());
        assert_eq!(EMBEDDED.with_bytes(&bytes).unwrap().amazons.value, amazons::bootstrap().value);
        // All that is known, written and taken up by somebody who knew nothing.
        let again = Knowledge::bootstrap().with_tables(&EMBEDDED.tables()).unwrap();
        assert_eq!(again.tables(), EMBEDDED.tables());
        assert_eq!(
            (&again.amazons, &again.desdemona, &again.damone),
            (&EMBEDDED.amazons, &EMBEDDED.desdemona, &EMBEDDED.damone)
        );
    }

    #[test]
    fn damage_is_noticed_wherever_it_is() {
        let bytes = tables().to_bytes();
        for place in (0..200).chain((200..bytes.len()).step_by(997)).chain(bytes.len() - 9..bytes.len()) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x10;
            assert!(Tables::from_bytes(&damaged).is_err(), "byte {place}");
            assert!(Tables::from_bytes(&bytes[..place]).is_err(), "cut at {place}");
        }
    }

    #[test]
    fn tables_that_do_not_fit_are_refused() {
        let with =
            |name: &str, length| Tables { notes: String::new(), tables: vec![(name.to_owned(), vec![0; length])] };
        let error = |tables: Tables| EMBEDDED.with_bytes(&tables.to_bytes()).unwrap_err().to_string();
        assert_eq!(error(with("chess", 1)), "unknown table 'chess'");
        assert!(error(with(AMAZONS, 5)).starts_with("table 'amazons' has 5 weights instead of "));
    }
}
