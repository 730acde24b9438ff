//! The folder of a run, which one process owns: what outlives it.
//!
//! | file | written | holds |
//! | --- | --- | --- |
//! | `solve.json` | once, whole | rule set, position, format |
//! | `log.jsonl` | line by line | all that was found out, in its order |
//! | `proof.bin` | frame by frame | the numbers of a proof file, so far |
//! | `working.json` | every second, whole | what the owner does now |
//! | `lock` | | the owner's name; locked as long as it lives |
//!
//! Whoever reads the log from its beginning gets the tree that the owner had. Lines and frames have checksums. The last
//! ones may not have been written to the end when the owner died: they are left out, and the next owner cuts them off.
//! Damage anywhere else is an error.

use super::ProvingError;
use crate::differences::{described, differences};
use crate::folder::{FolderError, Kind, RunFolder, Sharing, holder, json, read_json};
use hippolyta::container::{Seal, frame, framed};
use hippolyta::endgame::amazons::{Fact, Key, Numbers};
use hippolyta::files::{Appended, open_file};
use hippolyta::json::of_value;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// The version of all these files. Up to 1 several processes shared a folder, and a path could be one that the rules
/// do not allow.
const FORMAT: u32 = 2;
/// Numbers in a frame.
const NUMBERS_AT_A_TIME: usize = 1 << 20;

/// A proof of `hippolyta solve`.
const KIND: Kind = Kind { settings: "solve.json", begun_by: "--fen", shared: false, trace: None };

const LOG: &str = "log.jsonl";
const PROOF: &str = "proof.bin";
const WORKING: &str = "working.json";

/// The subject of a run: its rule set and position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    pub format: u32,
    pub variant: String,
    pub fen: String,
}

impl Manifest {
    pub fn new(variant: &str, fen: String) -> Self {
        Self { format: FORMAT, variant: variant.to_owned(), fen }
    }
}

/// A line of the log. Positions are named by the turns that lead to them, numbers are pairs: proof, disproof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
pub(super) enum Line {
    /// A leaf became an inner node: its turns, and the numbers of the positions after them.
    Expanded { at: String, turns: Vec<(String, [u32; 2])> },
    /// A leaf was searched: its numbers now, positions looked at, and the time of the thread.
    Searched { at: String, numbers: [u32; 2], positions: u64, microseconds: u64 },
    /// A result that took long, wherever it is: the hashes of its contested squares.
    Proven { place: u64, check: u64, spare: i32, wins: bool, work: u64 },
}

impl Line {
    pub fn proven(&Fact { key: Key { place, check }, spare, wins, work }: &Fact) -> Self {
        Self::Proven { place, check, spare, wins, work }
    }

    /// The result that [`Line::proven`] was made of.
    pub fn fact(&self) -> Option<Fact> {
        match *self {
            Self::Proven { place, check, spare, wins, work } => {
                Some(Fact { key: Key { place, check }, spare, wins, work })
            }
            _ => None,
        }
    }
}

/// The owner's report about itself, every second.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Working {
    pub threads: usize,
    pub hash_mib: usize,
    pub positions: u64,
    pub seconds: f64,
    /// The turns to the positions that are searched now.
    pub at: Vec<String>,
    /// Of a proof file that is being written: turns so far, and positions where the winner moves in this layer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<[usize; 2]>,
}

/// The folder, as its owner sees it.
#[derive(Debug)]
pub(super) struct Folder {
    folder: RunFolder,
    log: Appended,
    proof: Option<Appended>,
}

/// The bytes of a file of lines or frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    /// Bytes that were written to the end.
    pub whole: u64,
    /// Bytes after them.
    pub torn: u64,
}

/// Opens a file that has this number of whole bytes, and cuts off all bytes behind them.
fn open(path: &Path, Held { whole, torn }: Held) -> Result<Appended, FolderError> {
    let open = |path| {
        let mut file = Appended::open(path)?;
        if torn > 0 {
            file.cut(whole)?;
        }
        Ok(file)
    };
    open(path).map_err(FolderError::at(path))
}

fn append(file: &mut Appended, bytes: &[u8]) -> Result<(), FolderError> {
    if bytes.is_empty() { Ok(()) } else { file.append(bytes).map_err(FolderError::at(file.path())) }
}

/// All of a file; nothing if there is none.
fn read_all(path: &Path) -> Result<Vec<u8>, FolderError> {
    let mut bytes = Vec::new();
    match open_file(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(FolderError::at(path)(error)),
        _ => Ok(bytes),
    }
}

/// The subject of a folder's run.
pub(super) fn manifest(path: &Path) -> Result<Manifest, ProvingError> {
    read_manifest(path, KIND.settings(path)?)
}

/// The subject of a run, from the settings of its folder.
fn read_manifest(path: &Path, settings: Value) -> Result<Manifest, ProvingError> {
    match settings["format"].as_u64() {
        Some(found) if found != u64::from(FORMAT) => {
            let format = format!("(format {found}, here {FORMAT}); name another folder");
            let text = format!("{} holds a run of another version of this program {format}", path.display());
            Err(ProvingError::Unfit(text))
        }
        _ => of_value(settings).map_err(|error| FolderError::damaged(&manifest_path(path), error).into()),
    }
}

/// The path of the file of settings.
pub(super) fn manifest_path(folder: &Path) -> PathBuf {
    folder.join(KIND.settings)
}

/// Who owns a folder now, and what it does; `None` if nobody does.
pub(super) fn owner(folder: &Path) -> Result<Option<(String, Working)>, FolderError> {
    // The owner's report is of no use to anybody if it cannot be read.
    let working = || read_json(&folder.join(WORKING)).ok().flatten().unwrap_or_default();
    Ok(holder(folder)?.map(|name| (name, working())))
}

impl Folder {
    /// Becomes the owner. Begins the run if the folder is empty or missing. `line` gets the lines of the log, and says
    /// what is wrong with one. Returns how much of the log was there, too.
    pub fn open(
        path: &Path,
        about: &Manifest,
        line: impl FnMut(Line) -> Result<(), String>,
    ) -> Result<(Self, Held), ProvingError> {
        let folder = RunFolder::claim(path, &KIND, Sharing::Alone, |known| {
            let Some(known) = known else { return Ok(Some(json(about))) };
            let differences = differences(&described(&read_manifest(path, known)?), &described(about));
            if differences.is_empty() {
                return Ok(None);
            }
            Err(ProvingError::from(FolderError::Different { path: path.to_owned(), differences }))
        })?;
        if !folder.is_locked() {
            let text = format!("{} is on a file system without locks; name a folder on another one", path.display());
            return Err(ProvingError::Unfit(text));
        }
        let held = read_log(path, line)?;
        let log = open(&folder.file(LOG), held)?;
        Ok((Self { folder, log, proof: None }, held))
    }

    /// Appends to the log.
    pub fn write(&mut self, lines: &[Line]) -> Result<(), FolderError> {
        append(&mut self.log, lines.iter().map(sealed).collect::<String>().as_bytes())
    }

    /// Tells others what the owner does.
    pub fn say(&self, working: &Working) -> Result<(), FolderError> {
        self.folder.write_json(WORKING, working)
    }

    /// Its path.
    pub fn path(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// The file that holds what there is of a proof file.
    pub fn proof_path(&self) -> PathBuf {
        self.folder.file(PROOF)
    }

    /// Begins a proof file, or goes on with the one that was begun: its numbers so far.
    pub fn begin_proof(&mut self) -> Result<Vec<u16>, FolderError> {
        let path = self.proof_path();
        let (numbers, held) = proof_numbers(&path, &read_all(&path)?)?;
        self.proof = Some(open(&path, held)?);
        Ok(numbers)
    }

    /// Appends numbers of the proof file.
    pub fn keep(&mut self, numbers: &[u16]) -> Result<(), FolderError> {
        let Some(proof) = &mut self.proof else { return Ok(()) };
        numbers.chunks(NUMBERS_AT_A_TIME).try_for_each(|numbers| {
            let body: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            append(proof, &frame(&body))
        })
    }
}

/// Reads the log of a folder, line by line; how much of it was written to the end. `line` says what is wrong with one.
pub(super) fn read_log(folder: &Path, line: impl FnMut(Line) -> Result<(), String>) -> Result<Held, FolderError> {
    let path = folder.join(LOG);
    lines_in(&path, &read_all(&path)?, line)
}

/// A message to the user about bytes that were not written to the end.
pub(super) fn left_out(folder: &Path, held: Held) -> Option<String> {
    let path = folder.join(LOG);
    (held.torn > 0).then(|| {
        format!("{}: the last {} bytes were not written to the end and are left out", path.display(), held.torn)
    })
}

/// A line with its checksum.
fn sealed(line: &Line) -> String {
    Seal::LINE.put(&serde_json::to_string(line).unwrap_or_default()) + "\n"
}

/// The line that some bytes are, without the end of the line.
fn unsealed(bytes: &[u8]) -> Option<Line> {
    serde_json::from_slice(Seal::LINE.take(bytes)?).ok()
}

fn lines_in(path: &Path, bytes: &[u8], mut line: impl FnMut(Line) -> Result<(), String>) -> Result<Held, FolderError> {
    let (mut at, mut number) = (0, 1);
    while let Some(length) = bytes[at..].iter().position(|&byte| byte == b'\n') {
        let wrong = |what: &str| {
            FolderError::damaged(
                path,
                format!("{what} in line {number}, at byte {at}; cut off there, the file keeps the rest"),
            )
        };
        let Some(found) = unsealed(&bytes[at..at + length]) else {
            // Nothing good follows what was not written to the end.
            let mut rest = bytes[at..].split(|&byte| byte == b'\n');
            if rest.any(|bytes| unsealed(bytes).is_some()) {
                return Err(wrong("damaged"));
            }
            break;
        };
        line(found).map_err(|what| wrong(&what))?;
        at += length + 1;
        number += 1;
    }
    Ok(Held { whole: at as u64, torn: (bytes.len() - at) as u64 })
}

/// The numbers in the frame that begins at a byte, if it is there and undamaged.
fn body_at(bytes: &[u8], at: usize) -> Option<&[[u8; 2]]> {
    match framed(&bytes[at..])?.as_chunks() {
        ([], _) => None,
        (numbers, rest) => rest.is_empty().then_some(numbers),
    }
}

/// The numbers of a proof file, as far as it is whole.
fn proof_numbers(path: &Path, bytes: &[u8]) -> Result<(Vec<u16>, Held), FolderError> {
    let (mut at, mut numbers) = (0, Vec::new());
    while let Some(body) = body_at(bytes, at) {
        numbers.extend(body.iter().copied().map(u16::from_le_bytes));
        at += 8 + 2 * body.len();
    }
    // Nothing good follows what was not written to the end.
    if (at + 1..bytes.len()).any(|at| body_at(bytes, at).is_some()) {
        return Err(FolderError::damaged(
            path,
            format!("damaged at byte {at}; cut off there, the file keeps the rest"),
        ));
    }
    Ok((numbers, Held { whole: at as u64, torn: (bytes.len() - at) as u64 }))
}

/// Numbers as files have them.
pub(super) fn pair(Numbers { proof, disproof }: Numbers) -> [u32; 2] {
    [proof, disproof]
}

/// The numbers that [`pair`] has written; `None` if no position has such numbers.
pub(super) fn numbers([proof, disproof]: [u32; 2]) -> Option<Numbers> {
    let numbers = Numbers { proof, disproof };
    let open = proof > 0 && disproof > 0 && proof < Numbers::INFINITE && disproof < Numbers::INFINITE;
    (open || numbers == Numbers::WON || numbers == Numbers::LOST).then_some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::files::faults::Fault;

    fn read(bytes: &[u8]) -> Result<(usize, Held), String> {
        let mut count = 0;
        let held = lines_in(Path::new("log"), bytes, |_| {
            count += 1;
            Ok(())
        });
        held.map(|held| (count, held)).map_err(|error| error.to_string())
    }

    fn lines() -> Vec<Line> {
        let at = |text: &str| text.to_owned();
        vec![
            Line::Expanded { at: at(""), turns: vec![(at("a1a2,a2b2"), [3, 4]), (at("a1a3,a3a1"), [0, 1 << 30])] },
            Line::Searched { at: at("a1a2,a2b2"), numbers: [7, 8], positions: 1_000, microseconds: 25 },
            Line::Proven { place: u64::MAX, check: 1, spare: -2, wins: true, work: 131_072 },
        ]
    }

    #[test]
    fn a_log_cut_off_anywhere_keeps_its_whole_lines() {
        let texts: Vec<String> = lines().iter().map(sealed).collect();
        let whole = texts.concat();
        for cut in 0..=whole.len() {
            let mut ends = texts.iter().scan(0, |end, text| {
                *end += text.len();
                Some(*end)
            });
            let count = ends.clone().take_while(|&end| end <= cut).count();
            let end = ends.nth(count.wrapping_sub(1)).unwrap_or(0);
            let held = Held { whole: end as u64, torn: (cut - end) as u64 };
            assert_eq!(read(&whole.as_bytes()[..cut]), Ok((count, held)), "{cut}");
            // Zeros are left in place of the rest, as after a power cut.
            let torn = [&whole.as_bytes()[..end], &vec![0; whole.len() - end], b"\n"].concat();
            assert_eq!(read(&torn).unwrap().0, count);
        }
    }

    #[test]
    fn a_log_changed_anywhere_but_at_its_end_is_refused_with_the_place() {
        let whole: String = lines().iter().map(sealed).collect();
        // The end of the last line but one makes the last two lines one.
        let last = whole[..whole.len() - 1].rfind('\n').unwrap();
        for place in 0..last {
            let mut bytes = whole.clone().into_bytes();
            bytes[place] ^= 1;
            let at = whole[..place].rfind('\n').map_or(0, |end| end + 1);
            let said = read(&bytes).unwrap_err();
            assert!(said.starts_with("log: damaged in line ") && said.contains(&format!("byte {at};")), "{said}");
        }
        let wrong = lines_in(Path::new("log"), whole.as_bytes(), |line| match line {
            Line::Searched { .. } => Err("nonsense".to_owned()),
            _ => Ok(()),
        });
        assert!(wrong.unwrap_err().to_string().starts_with("log: nonsense in line 2, at byte "));
    }

    #[test]
    fn an_unfinished_proof_keeps_its_whole_frames() {
        let frames = [frame(&[1, 0, 2, 0]), frame(&[3, 0]), frame(&[4, 0, 5, 0, 6, 0])];
        let (path, whole) = (Path::new("proof"), frames.concat());
        for cut in 0..=whole.len() {
            let (numbers, held) = proof_numbers(path, &whole[..cut]).unwrap();
            let expected: &[u16] = match cut {
                ..12 => &[],
                12..22 => &[1, 2],
                22..36 => &[1, 2, 3],
                _ => &[1, 2, 3, 4, 5, 6],
            };
            assert_eq!((&numbers[..], held.whole + held.torn), (expected, cut as u64));
        }
        for place in 0..22 {
            let mut bytes = whole.clone();
            bytes[place] ^= 1;
            assert!(proof_numbers(path, &bytes).is_err(), "{place}");
        }
    }

    #[test]
    fn what_was_kept_stays_when_a_later_write_fails_and_the_next_owner_goes_on() {
        let path = std::env::temp_dir().join(format!("hippolyta-proof-{}", std::process::id()));
        let about = Manifest::new("amazons", "q2/3/2Q w - - 0 1".to_owned());
        // Writes what the folder lacks.
        let work = || {
            let mut known = Vec::new();
            let (mut folder, _) = Folder::open(&path, &about, |line| {
                known.push(line);
                Ok(())
            })?;
            assert_eq!(known, lines()[..known.len()]);
            lines()[known.len()..].iter().try_for_each(|line| folder.write(std::slice::from_ref(line)))?;
            let numbers = folder.begin_proof()?;
            assert_eq!(numbers, [1, 2, 3][..numbers.len()]);
            [1, 2, 3][numbers.len()..].iter().try_for_each(|&number| folder.keep(&[number]))?;
            Ok::<_, ProvingError>(known.len() + numbers.len())
        };
        for lasts in [false, true] {
            for step in 0.. {
                let _ = std::fs::remove_dir_all(&path);
                let fault = Fault::at(&path, step, lasts);
                let worked = work();
                if !fault.struck() {
                    assert_eq!((step, worked.unwrap()), (2 + 2 * 3 + 2 * 3, 0));
                    break;
                }
                drop(fault);
                let error = worked.unwrap_err().to_string();
                assert!(error.starts_with(path.to_str().unwrap()) && !error.contains('\n'), "{step}: {error}");
                // A step fails; what the steps before it have kept is there. A piece whose sync failed may be.
                let kept = work().unwrap();
                let before = step.saturating_sub(2) / 2;
                assert!(kept == before || lasts && kept == before + 1, "{step}: {kept}");
                assert_eq!(work().unwrap(), 6);
            }
        }
        std::fs::remove_dir_all(&path).unwrap();
    }

    #[test]
    fn numbers_of_files_are_checked() {
        assert_eq!(numbers([0, 1 << 30]), Some(Numbers::WON));
        assert_eq!(numbers([3, 4]).map(pair), Some([3, 4]));
        for wrong in [[0, 0], [0, 7], [7, 0], [1 << 30, 1 << 30], [1 << 30, 3], [u32::MAX, 1]] {
            assert_eq!(numbers(wrong), None);
        }
    }
}
