//! Putting shards together.

use super::record::{self, FileError, GameData, Header};
use hippolyta::container::ContainerError;
use hippolyta::files::write_whole_with;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why shards do not make a whole.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MergeError {
    /// A file cannot be read or written, or is damaged.
    #[error(transparent)]
    File(#[from] FileError),
    /// Two files are of different runs.
    #[error("{second} is of another run than {first}: its {field} differs")]
    Different {
        /// A file.
        first: PathBuf,
        /// Another.
        second: PathBuf,
        /// The field that differs.
        field: String,
    },
    /// There is no file, a game is there twice, or games are missing.
    #[error("{0}")]
    Unfit(String),
}

/// Merges the shards of one run into `output`, and returns the number of games. With `partial`, games may be missing,
/// also from the end of a file.
///
/// # Errors
///
/// If a file cannot be read or written; if files are of different runs; if a game is there twice; if games are
/// missing and `partial` is false.
pub fn merge(inputs: &[PathBuf], output: &Path, partial: bool) -> Result<u64, MergeError> {
    merge_seen(inputs, output, partial, &mut |_| ())
}

/// As [`merge`]. `see` is called with each game, in no particular order. The games are read twice, so that memory holds
/// their places alone.
pub(super) fn merge_seen(
    inputs: &[PathBuf],
    output: &Path,
    partial: bool,
    see: &mut dyn FnMut(&GameData),
) -> Result<u64, MergeError> {
    let mut places = Vec::new();
    let mut whole: Option<(Header, &Path)> = None;
    for (file, path) in inputs.iter().enumerate() {
        let mut reader = record::open(path)?;
        match &whole {
            None => whole = Some((Header { shard: [0, 1], ..reader.header().clone() }, path)),
            Some((header, first)) => {
                if let Some(field) = header.difference(reader.header()) {
                    let (first, second) = (first.to_path_buf(), path.clone());
                    return Err(MergeError::Different { first, second, field });
                }
            }
        }
        loop {
            let at = reader.position();
            let game = match reader.next() {
                Ok(Some(game)) => game,
                Ok(None) => break,
                Err(ContainerError::Unfinished { .. }) if partial => break,
                Err(error) => return Err(FileError::at(path)(error).into()),
            };
            see(&game);
            places.push(Place { number: game.number, file, at });
        }
    }
    let (header, ..) = whole.ok_or_else(|| MergeError::Unfit("nothing to merge".to_owned()))?;
    places.sort_unstable();
    if let Some(twice) = places.windows(2).find(|pair| pair[0].number == pair[1].number) {
        let [first, second] = [0, 1].map(|place| inputs[twice[place].file].display());
        return Err(MergeError::Unfit(format!("game {} is in {first} and in {second}", twice[0].number)));
    }
    // Each number is there once at most, and is one of the run.
    let count = places.len() as u64;
    if count < header.games && !partial {
        let first =
            (0..).zip(&places).find(|(number, place)| *number != place.number).map_or(count, |(first, _)| first);
        let (missing, of) = (header.games - count, header.games);
        return Err(MergeError::Unfit(format!("{missing} of {of} games are missing, the first is game {first}")));
    }
    let mut unread = None;
    let written = write_whole_with(output, |file| {
        let mut writer = record::Writer::new(BufWriter::new(file), &header)?;
        let mut open = HashMap::new();
        for place in &places {
            let body = place.read(inputs, &mut open).map_err(|error| {
                let kind = error.kind();
                unread = Some(FileError::at(&inputs[place.file])(error));
                kind
            })?;
            writer.add_body(&body)?;
        }
        writer.finish()
    });
    match unread {
        Some(error) => Err(error.into()),
        None => Ok(written.map_err(FileError::at(output)).map(|()| count)?),
    }
}

/// Files that are open at the same time at most: systems allow some 1,000.
const MOST_OPEN: usize = 256;

/// Where a game stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    number: u64,
    file: usize,
    /// Where its frame begins.
    at: u64,
}

impl Place {
    /// The game's body, which was found undamaged before.
    fn read(&self, inputs: &[PathBuf], open: &mut HashMap<usize, File>) -> io::Result<Vec<u8>> {
        if open.len() >= MOST_OPEN && !open.contains_key(&self.file) {
            open.clear();
        }
        let file = match open.entry(self.file) {
            Entry::Occupied(file) => file.into_mut(),
            Entry::Vacant(place) => place.insert(File::open(&inputs[self.file])?),
        };
        file.seek(SeekFrom::Start(self.at))?;
        let (mut length, mut sum) = ([0; 4], [0; 4]);
        file.read_exact(&mut length)?;
        file.read_exact(&mut sum)?;
        let mut body = Vec::new();
        file.take(u32::from_le_bytes(length).into()).read_to_end(&mut body)?;
        if crc32fast::hash(&body) == u32::from_le_bytes(sum) {
            Ok(body)
        } else {
            Err(io::Error::other("changed while it was read"))
        }
    }
}
