//! Games on disk: appended as they end, put in order at the end. One match at a time holds a folder.

use super::difference::differences;
use super::record::GameRecord;
use crate::folder::{FolderError, Kind, RunFolder, Sharing, json};
use hippolyta::files::{Appended, write_whole, write_whole_with};
use hippolyta::json::read;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The description of the match is compared when it is resumed.
const KIND: Kind = Kind { settings: "match.json", begun_by: "--engine", shared: false, trace: Some(GAMES) };
/// All games, one JSON line each: as they end, and in the order of their numbers when all have.
const GAMES: &str = "games.jsonl";
/// All games as text for people, in the order of [`GAMES`].
const TEXT: &str = "games.pgn";
/// Games that ended before one with a lower number, as long as that one lasts: one JSON line each.
const AHEAD: &str = "ahead.jsonl";
/// The result for programs.
const RESULT: &str = "result.json";

/// A folder of results that one match writes to. Others may read it meanwhile: see [`games`].
pub struct Store {
    folder: RunFolder,
    /// The games as lines, and as text for people.
    files: [Appended; 2],
    /// What was wrong with lines that were there.
    damaged: Vec<String>,
}

impl Store {
    /// Opens a folder, or makes it, for the match that `configuration` (an object) describes; with `resume` finished
    /// games are kept, but for damaged lines, which are cut out. `variable` (also an object) is stored beside it, and
    /// may differ when the match is resumed.
    ///
    /// # Errors
    ///
    /// If files cannot be read or written, or the description is damaged; if there is a match already and `resume` is
    /// false, or it is another match; if a match is being played there.
    pub fn open(path: &Path, configuration: &Value, variable: &Value, resume: bool) -> Result<Self, FolderError> {
        let mut damaged = Vec::new();
        let folder = RunFolder::claim(path, &KIND, Sharing::Alone, |known: Option<Value>| {
            if let Some(known) = known {
                if !resume {
                    return Err(FolderError::Exists(path.to_owned()));
                }
                let mut differences = differences(&known, configuration);
                if known["games"] != configuration["games"] {
                    differences.push("more games are more --rounds".to_owned());
                }
                if !differences.is_empty() {
                    return Err(FolderError::Different { path: path.to_owned(), differences });
                }
                damaged = put_in_order(path)?;
            }
            let mut all = configuration.clone();
            if let (Some(all), Some(variable)) = (all.as_object_mut(), variable.as_object()) {
                all.extend(variable.clone());
            }
            Ok(Some(json(&all)))
        })?;
        let open = |name| at(&folder.file(name), Appended::open);
        Ok(Self { files: [open(GAMES)?, open(TEXT)?], folder, damaged })
    }

    /// What was wrong with lines that were there.
    pub(super) fn damaged(&self) -> &[String] {
        &self.damaged
    }

    /// The finished games, in any order.
    ///
    /// # Errors
    ///
    /// Those of [`games`].
    pub fn games(&self) -> Result<impl Iterator<Item = Result<GameRecord, FolderError>> + use<>, FolderError> {
        games(self.folder.path())
    }

    /// Keeps a finished game, at once.
    ///
    /// # Errors
    ///
    /// If it cannot be written. No part of the game is left in the file.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), FolderError> {
        let line = line(record);
        let add =
            |(file, text): (&mut Appended, &str)| file.append(text.as_bytes()).map_err(FolderError::at(file.path()));
        self.files.iter_mut().zip([&*line, &record.text()]).try_for_each(add)
    }

    /// All games have ended: puts them in order and writes the result.
    ///
    /// # Errors
    ///
    /// If a file cannot be written; those that were there stay whole.
    pub fn finish(self, result: &Value) -> Result<(), FolderError> {
        let Self { folder, files, .. } = self;
        // Windows does not replace an open file.
        drop(files);
        put_in_order(folder.path())?;
        folder.write_json(RESULT, result)
    }
}

/// Games that ended before their turn to be counted. They are kept at once, too.
#[derive(Default)]
pub(super) struct Ahead {
    games: BTreeMap<u64, GameRecord>,
    file: Option<Appended>,
    /// What was wrong with lines that were there.
    pub damaged: Vec<String>,
}

impl Ahead {
    /// Those that a match has left in its folder.
    pub fn open(store: &Store) -> Result<Self, FolderError> {
        let path = store.folder.file(AHEAD);
        let (mut games, mut damaged) = (BTreeMap::new(), Vec::new());
        for found in lines_in(path.clone())? {
            if let Some((_, record)) = unless_damaged(found, &mut damaged)? {
                games.insert(record.game, record);
            }
        }
        let text: String = games.values().map(line).collect();
        at(&path, |path| write_whole(path, text.as_bytes()))?;
        Ok(Self { games, file: Some(at(&path, Appended::open)?), damaged })
    }

    /// Whether this game has ended.
    pub fn has(&self, game: u64) -> bool {
        self.games.contains_key(&game)
    }

    /// Keeps a game.
    pub fn keep(&mut self, record: GameRecord) -> Result<(), FolderError> {
        if let Some(file) = &mut self.file {
            file.append(line(&record).as_bytes()).map_err(FolderError::at(file.path()))?;
        }
        self.games.insert(record.game, record);
        Ok(())
    }

    /// A game that was kept.
    pub fn get(&self, game: u64) -> Option<&GameRecord> {
        self.games.get(&game)
    }

    /// Forgets a game that is kept elsewhere now. In the file it stays until that holds nothing else.
    pub fn forget(&mut self, game: u64) -> Result<(), FolderError> {
        let was_there = self.games.remove(&game).is_some();
        match &mut self.file {
            Some(file) if was_there && self.games.is_empty() => file.cut(0).map_err(FolderError::at(file.path())),
            _ => Ok(()),
        }
    }

    /// Removes the file: the match is over.
    pub fn remove(self) -> Result<(), FolderError> {
        let Some(path) = self.file.map(|file| file.path().to_owned()) else { return Ok(()) };
        at(&path, |path| fs::remove_file(path))
    }
}

/// A game as a line of a file.
fn line(record: &GameRecord) -> String {
    serde_json::to_string(record).unwrap_or_default() + "\n"
}

/// What was found, unless it is a damaged line, whose fault is noted.
fn unless_damaged<T>(found: Result<T, FolderError>, damaged: &mut Vec<String>) -> Result<Option<T>, FolderError> {
    match found {
        Err(error @ FolderError::Damaged { .. }) => {
            damaged.push(error.to_string());
            Ok(None)
        }
        found => found.map(Some),
    }
}

/// Rewrites the games in the order of their numbers, without a line that a killed match left unfinished, and the same
/// games for people. Returns the faults of damaged lines, which are left out.
fn put_in_order(folder: &Path) -> Result<Vec<String>, FolderError> {
    let (mut places, mut damaged) = (BTreeMap::new(), Vec::new());
    for found in lines(folder)? {
        if let Some((place, record)) = unless_damaged(found, &mut damaged)? {
            places.insert(record.game, place);
        }
    }
    let path = folder.join(GAMES);
    if !path.exists() {
        return Ok(damaged);
    }
    let rewrite = |name: &str, text: &dyn Fn(&[u8]) -> io::Result<Vec<u8>>| {
        at(&folder.join(name), |to| {
            write_whole_with(to, |file| {
                // Closed again before it is replaced: Windows does not replace an open file.
                let mut old = File::open(&path)?;
                let mut file = BufWriter::new(file);
                for place in places.values() {
                    let mut line = vec![0; (place.end - place.start) as usize];
                    old.seek(SeekFrom::Start(place.start))?;
                    old.read_exact(&mut line)?;
                    file.write_all(&text(&line)?)?;
                }
                file.flush()
            })
        })
    };
    rewrite(TEXT, &|line| Ok(read::<GameRecord>(line).map_err(io::Error::other)?.text().into_bytes()))?;
    rewrite(GAMES, &|line| Ok([line, b"\n"].concat()))?;
    Ok(damaged)
}

/// The description of the match in a folder.
///
/// # Errors
///
/// If there is none, or its description is damaged.
pub fn configuration(folder: &Path) -> Result<Value, FolderError> {
    KIND.settings(folder)
}

/// The finished games of a folder, in any order; a match that writes there is not disturbed.
///
/// # Errors
///
/// If the file cannot be read; an item is an error if its line is damaged.
pub fn games(folder: &Path) -> Result<impl Iterator<Item = Result<GameRecord, FolderError>> + use<>, FolderError> {
    Ok(lines(folder)?.map(|found| found.map(|(_, record)| record)))
}

/// The finished games of a file that is open already; none without a file. `path` names it in errors.
pub fn games_of(path: &Path, file: Option<impl Read>) -> impl Iterator<Item = Result<GameRecord, FolderError>> {
    lines_of(path.to_owned(), file).map(|found| found.map(|(_, record)| record))
}

type Place = Range<u64>;

/// The finished games of a folder, each with its place in the file.
fn lines(folder: &Path) -> Result<impl Iterator<Item = Result<(Place, GameRecord), FolderError>> + use<>, FolderError> {
    lines_in(folder.join(GAMES))
}

/// The games of a file, each with its place; none if there is no file.
fn lines_in(
    path: PathBuf,
) -> Result<impl Iterator<Item = Result<(Place, GameRecord), FolderError>> + use<>, FolderError> {
    let file = match File::open(&path) {
        Ok(file) => Some(file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(FolderError::at(&path)(error)),
    };
    Ok(lines_of(path, file))
}

fn lines_of<R: Read>(
    path: PathBuf,
    file: Option<R>,
) -> impl Iterator<Item = Result<(Place, GameRecord), FolderError>> + use<R> {
    let mut file = file.map(BufReader::new);
    let (mut number, mut start) = (0, 0);
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        let length = match file.as_mut()?.read_until(b'\n', &mut line) {
            Ok(length) => length as u64,
            Err(error) => {
                file = None;
                return Some(Err(FolderError::at(&path)(error)));
            }
        };
        number += 1;
        let whole = line.pop_if(|&mut byte| byte == b'\n').is_some();
        let place = start..start + line.len() as u64;
        start += length;
        match parse(&path, number, &line) {
            // Its writer was killed, or is not done.
            Err(_) if !whole => None,
            found => Some(found.map(|record| (place, record))),
        }
    })
}

fn at<T>(path: &Path, act: impl FnOnce(&Path) -> io::Result<T>) -> Result<T, FolderError> {
    act(path).map_err(FolderError::at(path))
}

fn parse<T: serde::de::DeserializeOwned>(path: &Path, line: usize, text: &[u8]) -> Result<T, FolderError> {
    read(text).map_err(|error| FolderError::damaged(path, format!("line {line}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::files::faults::Fault;
    use serde_json::json;

    fn record(game: u64) -> GameRecord {
        let start = "q2/3/2Q w - - 0 1";
        serde_json::from_value(json!({
            "game": game, "opening": game, "variant": "amazons", "fen": start, "white": "a", "black": "b", "moves": [],
            "result": "1-0", "reason": "rules", "detail": format!("game {game}"), "final_fen": start,
        }))
        .unwrap()
    }

    /// Plays the games that the folder lacks, the later one first.
    fn play(folder: &Path) -> Result<(), FolderError> {
        let mut store = Store::open(folder, &json!({"games": 2}), &json!({"command": "x"}), true)?;
        let known: Vec<_> = store.games()?.map(|game| game.unwrap().game).collect();
        [1, 0].into_iter().filter(|game| !known.contains(game)).try_for_each(|game| store.add(&record(game)))?;
        store.finish(&json!({"score": 2}))
    }

    fn all(folder: &Path) -> Vec<(String, Vec<u8>)> {
        [KIND.settings, GAMES, TEXT, RESULT].map(|name| (name.to_owned(), fs::read(folder.join(name)).unwrap())).into()
    }

    #[test]
    fn a_match_goes_on_after_a_write_that_fails_at_any_step() {
        let folder = std::env::temp_dir().join(format!("hippolyta-store-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        play(&folder).unwrap();
        let undisturbed = all(&folder);
        for lasts in [false, true] {
            for step in 0.. {
                fs::remove_dir_all(&folder).unwrap();
                let fault = Fault::at(&folder, step, lasts);
                let played = play(&folder);
                if !fault.struck() {
                    // It is begun, two games are added to two files, both are put in order, and there is a result.
                    assert_eq!(step, 2 + 2 * 2 * 2 + 2 * 2 + 2);
                    break;
                }
                drop(fault);
                let error = played.unwrap_err().to_string();
                assert!(error.starts_with(folder.to_str().unwrap()) && !error.contains('\n'), "{step}: {error}");
                // Games added before are there, and nothing else.
                let there: Vec<_> = games(&folder).unwrap().map(|game| game.unwrap()).collect();
                let before = [record(1), record(0)];
                assert!(there == before[..there.len()] || there == [record(0), record(1)], "{step}: {there:?}");
                assert!(there.len() >= step.saturating_sub(2).min(8) / 4, "{step}: {there:?}");
                play(&folder).unwrap();
                assert_eq!(all(&folder), undisturbed, "{step}");
            }
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
