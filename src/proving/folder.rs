//! The folder of a run: what processes tell each other, and what outlives them.
//!
//! | file | written | holds |
//! | --- | --- | --- |
//! | `solve.json` | once, whole | rule set, position, format |
//! | `tree/NAME.jsonl` | by process `NAME`, line by line | what it found out near the root |
//! | `facts/NAME.bin` | by process `NAME`, frame by frame | results that took long, wherever they are |
//! | `proof/NAME.bin` | by process `NAME`, frame by frame | the numbers of a proof file, so far |
//! | `workers/NAME.json` | every few seconds, whole | what process `NAME` does now |
//! | `workers/NAME.lock` | empty, locked as long as it lives | |
//! | `claims/SITUATION` | by who searches that position now | the name of the process |
//! | `result.json` | once, whole | who wins |
//!
//! Each process appends to files of its own and reads those of all others, so nobody waits for anybody. Lines and
//! frames have checksums. What a killed process had not written to the end is ignored; nobody appends to it. A claim is
//! taken by creating its file, which works once. It ends with its process: at once on the same machine, where the lock
//! tells, elsewhere when the process has not been heard of for [`SILENCE`]. Nothing is wrong if two processes search
//! the same position, it is only done twice.

use super::ProvingError;
use crate::container::frame;
use crate::endgame::amazons::{Fact, Key, Numbers, Situation};
use crate::files::{read_file, write_whole};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The version of all these files.
const FORMAT: u32 = 1;
/// A process on another machine that was not heard of for so long is dead.
const SILENCE: Duration = Duration::from_secs(120);
/// The largest file that is read at once.
const LARGEST: u64 = 1 << 20;
/// A longer frame is damaged.
const LONGEST: usize = 1 << 24;
/// The largest part of a file that is read at a time.
const PART: u64 = 1 << 26;

/// What a run is about.
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

/// A line of a process about the tree. Numbers are pairs: proof, disproof.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "lowercase")]
pub(super) enum Line {
    /// A leaf became an inner node: the turns to it, and the numbers of the positions after its turns, in their order.
    Expanded { path: String, numbers: Vec<[u32; 2]> },
    /// A leaf was searched: its numbers now, the positions looked at for it since the last such line, and ever.
    Searched { at: String, numbers: [u32; 2], positions: u64, ever: u64 },
    /// Processor time of all threads, in seconds.
    Spent { seconds: f64 },
}

/// What a process says of itself every few seconds.
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

/// Who wins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Decided {
    pub wins: bool,
    pub turn: Option<String>,
    pub positions: u64,
    pub seconds: f64,
}

/// News of all processes.
#[derive(Debug, Default)]
pub(super) struct News {
    pub lines: Vec<Line>,
    pub facts: Vec<Fact>,
}

/// The folder, as one process sees it. Without `name` it only looks.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    name: Option<String>,
    /// How far each file of others was read.
    read: HashMap<PathBuf, u64>,
    own: Option<Own>,
    proof: Option<OwnProof>,
}

/// What a process writes.
#[derive(Debug)]
struct Own {
    tree: File,
    facts: File,
    /// Locked as long as it is open.
    _lock: File,
}

/// What it writes of a proof file.
#[derive(Debug)]
struct OwnProof {
    numbers: File,
    /// Locked as long as it is open.
    _lock: File,
}

fn error(path: &Path) -> impl Fn(std::io::Error) -> ProvingError {
    move |error| ProvingError::Io { path: path.to_owned(), error }
}

fn damaged(path: &Path, what: impl Into<String>) -> ProvingError {
    ProvingError::Damaged { path: path.to_owned(), what: what.into() }
}

/// What a file of JSON holds; `None` if there is none.
fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, ProvingError> {
    match read_file(path, LARGEST) {
        Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| damaged(path, error.to_string())),
        Err(failure) if failure.kind() == ErrorKind::NotFound => Ok(None),
        Err(failure) => Err(error(path)(failure)),
    }
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), ProvingError> {
    let text = serde_json::to_string_pretty(value).unwrap_or_default() + "\n";
    write_whole(path, text.as_bytes()).map_err(error(path))
}

/// The name of this machine, where there is a way to ask.
fn machine() -> String {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let name = String::from("machine");
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

/// How a situation is called in files.
pub(super) fn name_of(situation: &Situation) -> String {
    let Situation { key: Key { place, check }, spare } = situation;
    format!("{place:016x}{check:016x}{:02x}", *spare as i8)
}

/// The situation of that name.
pub(super) fn situation_of(name: &str) -> Option<Situation> {
    if name.len() != 34 || !name.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let number = |from, to| u64::from_str_radix(&name[from..to], 16).ok();
    let spare = i32::from(number(32, 34)? as u8 as i8);
    Some(Situation { key: Key { place: number(0, 16)?, check: number(16, 32)? }, spare })
}

impl Folder {
    /// What a folder is about; `None` if there is no run in it.
    pub fn manifest(path: &Path) -> Result<Option<Manifest>, ProvingError> {
        let file = path.join("solve.json");
        let manifest: Option<Manifest> = read_json(&file)?;
        match manifest {
            Some(Manifest { format, .. }) if format != FORMAT => {
                Err(damaged(&file, format!("format {format}, and this program knows {FORMAT}")))
            }
            manifest => Ok(manifest),
        }
    }

    /// To look at.
    pub fn look(path: &Path) -> Self {
        Self { path: path.to_owned(), name: None, read: HashMap::new(), own: None, proof: None }
    }

    /// To work in. Begins the run if the folder is empty or missing.
    pub fn open(path: &Path, manifest: &Manifest) -> Result<Self, ProvingError> {
        match Self::manifest(path)? {
            Some(known) if known == *manifest => {}
            Some(known) => return Err(ProvingError::Different { path: path.to_owned(), fen: known.fen }),
            None => {
                fs::create_dir_all(path).map_err(error(path))?;
                // Another process may be about to begin the same.
                let ours = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with("solve.json");
                let entries = fs::read_dir(path).map_err(error(path))?;
                if entries.flatten().any(|entry| !ours(&entry.file_name())) && Self::manifest(path)?.is_none() {
                    return Err(ProvingError::Foreign(path.to_owned()));
                }
                write_json(&path.join("solve.json"), manifest)?;
            }
        }
        for part in ["tree", "facts", "proof", "workers", "claims"] {
            let part = path.join(part);
            fs::create_dir_all(&part).map_err(error(&part))?;
        }
        // Two processes never have the same: the file is created anew.
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
        let name = format!("{}-{}-{time:x}", machine(), std::process::id());
        let lock = locked(path, &name)?;
        let tree = created(path.join(format!("tree/{name}.jsonl")))?;
        let facts = created(path.join(format!("facts/{name}.bin")))?;
        let own = Some(Own { tree, facts, _lock: lock });
        Ok(Self { path: path.to_owned(), name: Some(name), read: HashMap::new(), own, proof: None })
    }

    /// Appends to the files of this process.
    pub fn write(&mut self, lines: &[Line], facts: &[Fact]) -> Result<(), ProvingError> {
        let Some(own) = &mut self.own else { return Ok(()) };
        let text: String = lines.iter().map(sealed).collect();
        let write = |file: &mut File, bytes: &[u8]| {
            if bytes.is_empty() { Ok(()) } else { file.write_all(bytes).and_then(|()| file.sync_data()) }
        };
        let frames: Vec<u8> = facts.chunks(1 << 12).flat_map(|facts| frame(&bytes_of(facts))).collect();
        // Facts first: what follows from them near the root is in the lines.
        write(&mut own.facts, &frames).map_err(error(&self.path))?;
        write(&mut own.tree, text.as_bytes()).map_err(error(&self.path))
    }

    /// Begins a proof file after [`leave`](Self::leave), or goes on with the one that has come farthest: its numbers so
    /// far. What the dead have written of one is removed.
    pub fn begin_proof(&mut self) -> Result<Vec<u16>, ProvingError> {
        let Some(name) = self.name.clone() else { return Ok(Vec::new()) };
        let (folder, lock) = (self.path.join("proof"), locked(&self.path, &name)?);
        let (mut most, old) = (Vec::new(), files(&folder, "bin")?);
        for path in &old {
            let numbers = proof_numbers(path)?;
            if numbers.len() > most.len() {
                most = numbers;
            }
        }
        let numbers = created(folder.join(format!("{name}.bin")))?;
        self.proof = Some(OwnProof { numbers, _lock: lock });
        self.keep(&most)?;
        for path in old {
            let owner = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            if !self.lives(owner) {
                fs::remove_file(&path).map_err(error(&path))?;
            }
        }
        Ok(most)
    }

    /// Appends numbers of the proof file.
    pub fn keep(&mut self, numbers: &[u16]) -> Result<(), ProvingError> {
        let Some(proof) = &mut self.proof else { return Ok(()) };
        for numbers in numbers.chunks(1 << 20) {
            let body: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            proof.numbers.write_all(&frame(&body)).map_err(error(&self.path))?;
        }
        proof.numbers.sync_data().map_err(error(&self.path))
    }

    /// What others wrote since the last call; at the first one, what anybody wrote.
    pub fn news(&mut self) -> Result<News, ProvingError> {
        let mut news = News::default();
        for (folder, ending) in [("tree", "jsonl"), ("facts", "bin")] {
            let folder = self.path.join(folder);
            for path in files(&folder, ending)? {
                if path.file_stem().and_then(|stem| stem.to_str()) == self.name.as_deref() {
                    continue;
                }
                let read = self.read.entry(path.clone()).or_default();
                read_on(&path, read, |at, bytes| match ending {
                    "jsonl" => lines_in(&path, at, bytes, &mut news.lines),
                    _ => facts_in(&path, at, bytes, &mut news.facts),
                })?;
            }
        }
        Ok(news)
    }

    /// Takes a position for this process. `false` if another one has it.
    pub fn claim(&self, situation: &Situation) -> Result<bool, ProvingError> {
        let Some(name) = &self.name else { return Ok(true) };
        let path = self.claim_path(situation);
        for _ in 0..2 {
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    file.write_all(name.as_bytes()).map_err(error(&path))?;
                    return Ok(true);
                }
                Err(failure) if failure.kind() == ErrorKind::AlreadyExists => {
                    // Empty for a moment, between creating and writing.
                    let owner = fs::read_to_string(&path).unwrap_or_default();
                    if owner.is_empty() && !old(&path) || owner == *name || !owner.is_empty() && self.lives(&owner) {
                        return Ok(false);
                    }
                    let _ = fs::remove_file(&path);
                }
                Err(failure) => return Err(error(&path)(failure)),
            }
        }
        Ok(false)
    }

    /// Gives it back.
    pub fn release(&self, situation: &Situation) {
        if self.name.is_some() {
            let _ = fs::remove_file(self.claim_path(situation));
        }
    }

    fn claim_path(&self, situation: &Situation) -> PathBuf {
        self.path.join("claims").join(name_of(situation))
    }

    /// What anybody claims, this process included; claims of the dead are removed.
    pub fn claims(&self) -> Result<HashSet<Situation>, ProvingError> {
        let mut lives: HashMap<String, bool> = HashMap::new();
        let mut claims = HashSet::new();
        let folder = self.path.join("claims");
        for entry in fs::read_dir(&folder).map_err(error(&folder))?.flatten() {
            let Some(situation) = entry.file_name().to_str().and_then(situation_of) else { continue };
            let owner = fs::read_to_string(entry.path()).unwrap_or_default();
            let alive = owner.is_empty() && !old(&entry.path())
                || !owner.is_empty() && *lives.entry(owner.clone()).or_insert_with(|| self.lives(&owner));
            if alive {
                claims.insert(situation);
            } else {
                let _ = fs::remove_file(entry.path());
            }
        }
        Ok(claims)
    }

    /// Whether a process is alive, as far as one can tell.
    fn lives(&self, owner: &str) -> bool {
        if self.name.as_deref() == Some(owner) {
            return true;
        }
        let lock = self.path.join(format!("workers/{owner}.lock"));
        let Ok(file) = OpenOptions::new().write(true).open(&lock) else { return false };
        // Locks of other machines may not be seen here.
        if owner.starts_with(&format!("{}-", machine())) && file.try_lock().is_ok() {
            return false;
        }
        let said = self.path.join(format!("workers/{owner}.json"));
        !old(if said.exists() { &said } else { &lock })
    }

    /// Tells others what this process does.
    pub fn say(&self, working: &Working) -> Result<(), ProvingError> {
        let Some(name) = &self.name else { return Ok(()) };
        write_json(&self.path.join(format!("workers/{name}.json")), working)
    }

    /// What living processes say of themselves, by name.
    pub fn workers(&self) -> Result<Vec<(String, Working)>, ProvingError> {
        let mut workers = Vec::new();
        for path in files(&self.path.join("workers"), "json")? {
            let Some(name) = path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned) else { continue };
            if self.lives(&name)
                && let Ok(Some(working)) = read_json(&path)
            {
                workers.push((name, working));
            }
        }
        Ok(workers)
    }

    /// The result, if it is known.
    pub fn decided(&self) -> Result<Option<Decided>, ProvingError> {
        read_json(&self.path.join("result.json"))
    }

    /// Keeps the result. No claim means anything after it: all are removed, those too that a process left empty which
    /// was killed while it took them.
    pub fn decide(&self, decided: &Decided) -> Result<(), ProvingError> {
        write_json(&self.path.join("result.json"), decided)?;
        for claim in fs::read_dir(self.path.join("claims")).into_iter().flatten().flatten() {
            let _ = fs::remove_file(claim.path());
        }
        Ok(())
    }

    /// Takes leave: nobody need find out that this process is gone.
    pub fn leave(&mut self) {
        (self.own, self.proof) = (None, None);
        if let Some(name) = &self.name {
            for ending in ["json", "lock"] {
                let _ = fs::remove_file(self.path.join(format!("workers/{name}.{ending}")));
            }
        }
    }
}

fn created(path: PathBuf) -> Result<File, ProvingError> {
    OpenOptions::new().append(true).create_new(true).open(&path).map_err(error(&path))
}

/// The lock of a process. Where there are no locks, silence tells that the process is dead.
fn locked(folder: &Path, name: &str) -> Result<File, ProvingError> {
    let lock = created(folder.join(format!("workers/{name}.lock")))?;
    let _ = lock.lock();
    Ok(lock)
}

/// Whether a file was not written for long.
fn old(path: &Path) -> bool {
    let written = fs::metadata(path).and_then(|data| data.modified());
    written.is_ok_and(|time| SystemTime::now().duration_since(time).is_ok_and(|age| age > SILENCE))
}

fn files(folder: &Path, ending: &str) -> Result<Vec<PathBuf>, ProvingError> {
    let entries = match fs::read_dir(folder) {
        Err(failure) if failure.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(error(folder))?,
    };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<_> = paths.filter(|path| path.extension().is_some_and(|found| found == ending)).collect();
    paths.sort();
    Ok(paths)
}

fn read_from(path: &Path, from: u64) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(PART).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a file from `at` on, part by part. `take` gets where a part begins, and says how many of its bytes it took.
fn read_on(
    path: &Path,
    at: &mut u64,
    mut take: impl FnMut(u64, &[u8]) -> Result<u64, ProvingError>,
) -> Result<(), ProvingError> {
    loop {
        let bytes = read_from(path, *at).map_err(error(path))?;
        let count = take(*at, &bytes)?;
        *at += count;
        if count == 0 || bytes.len() < PART as usize {
            return Ok(());
        }
    }
}

/// A line with its checksum.
fn sealed(line: &Line) -> String {
    let text = serde_json::to_string(line).unwrap_or_default();
    format!("{:08x} {text}\n", crc32fast::hash(text.as_bytes()))
}

/// Reads whole lines; returns how many bytes they have.
fn lines_in(path: &Path, from: u64, bytes: &[u8], lines: &mut Vec<Line>) -> Result<u64, ProvingError> {
    let mut at = 0;
    while let Some(length) = bytes[at..].iter().position(|&byte| byte == b'\n') {
        let wrong = || damaged(path, format!("damaged line at byte {}", from + at as u64));
        let text = std::str::from_utf8(&bytes[at..at + length]).map_err(|_| wrong())?;
        let (sum, text) = text.split_once(' ').ok_or_else(wrong)?;
        if u32::from_str_radix(sum, 16) != Ok(crc32fast::hash(text.as_bytes())) {
            return Err(wrong());
        }
        lines.push(serde_json::from_str(text).map_err(|_| wrong())?);
        at += length + 1;
    }
    Ok(at as u64)
}

/// Bytes of a fact.
const FACT: usize = 19;

fn bytes_of(facts: &[Fact]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(facts.len() * FACT);
    for &Fact { key: Key { place, check }, spare, wins, work } in facts {
        bytes.extend(place.to_le_bytes());
        bytes.extend(check.to_le_bytes());
        bytes.extend([spare as i8 as u8, u8::from(wins), work.max(1).ilog2() as u8]);
    }
    bytes
}

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Reads whole frames of items that have `size` bytes, one by one; returns how many bytes the frames have. `item` says
/// `None` to what cannot be one.
fn frames_in(
    path: &Path,
    from: u64,
    bytes: &[u8],
    size: usize,
    mut item: impl FnMut(&[u8]) -> Option<()>,
) -> Result<u64, ProvingError> {
    let mut at = 0;
    while let Some(head) = bytes.get(at..at + 8) {
        let wrong = || damaged(path, format!("damaged at byte {}", from + at as u64));
        let length = word(&head[..4]) as usize;
        if length > LONGEST || !length.is_multiple_of(size) {
            return Err(wrong());
        }
        let Some(body) = bytes.get(at + 8..at + 8 + length) else { break };
        if u64::from(crc32fast::hash(body)) != word(&head[4..]) {
            return Err(wrong());
        }
        body.chunks_exact(size).try_for_each(&mut item).ok_or_else(wrong)?;
        at += 8 + length;
    }
    Ok(at as u64)
}

fn facts_in(path: &Path, from: u64, bytes: &[u8], facts: &mut Vec<Fact>) -> Result<u64, ProvingError> {
    frames_in(path, from, bytes, FACT, |fact| {
        if fact[17] > 1 || fact[18] > 63 {
            return None;
        }
        let key = Key { place: word(&fact[..8]), check: word(&fact[8..16]) };
        facts.push(Fact { key, spare: (fact[16] as i8).into(), wins: fact[17] == 1, work: 1 << fact[18] });
        Some(())
    })
}

/// What a process has written of a proof file.
fn proof_numbers(path: &Path) -> Result<Vec<u16>, ProvingError> {
    let mut numbers = Vec::new();
    let mut number = |bytes: &[u8]| {
        numbers.push(word(bytes) as u16);
        Some(())
    };
    read_on(path, &mut 0, |at, bytes| frames_in(path, at, bytes, 2, &mut number))?;
    Ok(numbers)
}

/// Numbers as files have them.
pub(super) fn pair(Numbers { proof, disproof }: Numbers) -> [u32; 2] {
    [proof, disproof]
}

/// The same back; `None` if these are no numbers.
pub(super) fn numbers([proof, disproof]: [u32; 2]) -> Option<Numbers> {
    let numbers = Numbers { proof, disproof };
    let open = proof > 0 && disproof > 0 && proof < Numbers::INFINITE && disproof < Numbers::INFINITE;
    (open || numbers == Numbers::WON || numbers == Numbers::LOST).then_some(numbers)
}
