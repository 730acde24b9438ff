//! Games of self-play from data files, and samples to learn from. `hippolyta/records.py` is what people see of it.

use crate::class::Class;
use crate::encoding::{Encoded, Shapes, play_code, size_of};
use crate::errors::{check_numpy, check_process, without_number};
use crate::numbers::{index, value_error};
use crate::rules::variant_object;
use crate::wait::interruptible;
use hippolyta::games::variant::{self, Variant};
use hippolyta::games::{Side, Step, Steps, with_family};
use hippolyta_lab::training::record::{self, ContainerError, Ending, FileError, GameData, Header, Reader};
use numpy::IntoPyArray;
use numpy::ndarray::{Array2, Array3, Array4};
use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fmt::Display;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A `DataError` of `hippolyta/records.py`, which is both `OSError` and `ValueError`.
fn data_error_of(arguments: impl for<'py> PyCallArgs<'py>) -> PyErr {
    static CLASS: Class = Class::new("hippolyta.records", "DataError");
    Python::attach(|py| {
        let made = CLASS.get(py).and_then(|class| class.call1(arguments));
        made.map_or_else(|error| error, PyErr::from_value)
    })
}

/// That with a text, which names the file.
fn data_error(error: impl Display) -> PyErr {
    data_error_of((error.to_string(),))
}

/// An error of a data file as Python sees it. A refusal of the system has the number of its reason.
pub fn file_error(error: FileError) -> PyErr {
    let refused = match &error.error {
        ContainerError::Io(refused) => refused.raw_os_error().map(|number| (number, without_number(refused))),
        _ => None,
    };
    match refused {
        Some((number, text)) => data_error_of((number, text, error.path.display().to_string())),
        None => data_error(error),
    }
}

/// A data file. The places of its games are found as far as somebody asks for them.
struct DataFile {
    path: PathBuf,
    header: Header,
    /// The bytes before the first game.
    start: Vec<u8>,
    scan: Mutex<Scan>,
}

struct Scan {
    /// Reads on behind the last game that was found. `None` at the end.
    reader: Option<Reader<BufReader<File>>>,
    /// Where each game begins, and where the last one ends.
    bounds: Vec<u64>,
}

impl DataFile {
    fn open(path: &Path) -> Result<Self, FileError> {
        let reader = record::open(path)?;
        let (header, first) = (reader.header().clone(), reader.position());
        let mut start = vec![0; first as usize];
        File::open(path).and_then(|mut file| file.read_exact(&mut start)).map_err(FileError::at(path))?;
        let scan = Mutex::new(Scan { reader: Some(reader), bounds: vec![first] });
        Ok(Self { path: path.to_owned(), header, start, scan })
    }

    /// Finds games up to the one at `index` and returns it if it was new; `Ok(None)` if it is known or not there.
    fn find(&self, index: usize, partial: bool) -> Result<(usize, Option<GameData>), FileError> {
        let mut scan = self.scan.lock().unwrap_or_else(PoisonError::into_inner);
        let Scan { reader, bounds } = &mut *scan;
        let mut last = None;
        while let Some(open) = reader
            && bounds.len() <= index.saturating_add(1)
        {
            match open.next() {
                Ok(Some(game)) => {
                    bounds.push(open.position());
                    last = (bounds.len() == index.saturating_add(2)).then_some(game);
                }
                Ok(None) => *reader = None,
                Err(ContainerError::Unfinished { .. } | ContainerError::CutOff { .. }) if partial => *reader = None,
                Err(error) => return Err(FileError::at(&self.path)(error)),
            }
        }
        Ok((bounds.len() - 1, last))
    }

    /// The game at `index`; `None` if there are fewer.
    fn game(&self, index: usize, partial: bool) -> Result<Option<GameData>, FileError> {
        let (known, game) = self.find(index, partial)?;
        if game.is_some() || index >= known {
            return Ok(game);
        }
        let (from, to) = {
            let scan = self.scan.lock().unwrap_or_else(PoisonError::into_inner);
            (scan.bounds[index], scan.bounds[index + 1])
        };
        let at = FileError::at::<ContainerError>(&self.path);
        let read = || {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(from))?;
            let mut frame = vec![0; (to - from) as usize];
            file.read_exact(&mut frame)?;
            Ok(frame)
        };
        let frame: Vec<u8> = read().map_err(|error: std::io::Error| at(error.into()))?;
        // To the reader it is a file with one game.
        let mut reader = Reader::new(self.start.chain(&frame[..])).map_err(&at)?;
        reader.next().map_err(&at)
    }
}

/// Data files one after the other.
struct Files {
    files: Vec<DataFile>,
    variant: Variant,
    partial: bool,
}

impl Files {
    /// The FEN that all games begin at.
    fn start(&self) -> &str {
        self.files.first().and_then(|file| file.header.start.as_deref()).unwrap_or(self.variant.start())
    }

    /// The game at `index`; `None` if there are fewer.
    fn game(&self, index: usize) -> Result<Option<(&DataFile, GameData)>, FileError> {
        let mut index = index;
        for file in &self.files {
            if let Some(game) = file.game(index, self.partial)? {
                return Ok(Some((file, game)));
            }
            index -= file.find(usize::MAX - 1, self.partial)?.0;
        }
        Ok(None)
    }

    fn len(&self) -> Result<usize, FileError> {
        self.files.iter().map(|file| Ok(file.find(usize::MAX - 1, self.partial)?.0)).sum()
    }
}

/// A game that breaks the rules.
fn illegal(file: &DataFile, game: &GameData) -> String {
    format!("{}: game {} is not legal", file.path.display(), game.number)
}

/// A share of 65535ths for White, as `side` sees it.
fn score_for(score: u16, side: Side) -> f32 {
    let white = f32::from(score) / 65_535.0;
    if side == Side::White { white } else { 1.0 - white }
}

/// A step's text and its visits.
type Visits = Vec<(String, u16)>;
/// A searched turn: its text, whether it is White's, the score, visits step by step, and positions of the tree (turns,
/// score of White, visits).
type TurnText = (String, bool, f32, Vec<Visits>, Vec<(Vec<String>, f32, u32)>);

/// A game as text.
#[derive(Default)]
struct GameText {
    opening: Vec<String>,
    turns: Vec<TurnText>,
    last_fen: String,
}

/// Steps from a position as turns; the last one may have only begun. `None` if one is illegal.
fn path_text<P: Encoded>(position: &P, path: &[u16]) -> Option<Vec<String>> {
    let (mut at, mut start, mut turn) = (position.clone(), position.clone(), Steps::<P>::new());
    let mut texts = Vec::new();
    for &code in path {
        turn.push(play_code(&mut at, code)?);
        if at.at_turn_start() {
            texts.push(start.turn_text(&turn));
            turn.clear();
            start = at.clone();
        }
    }
    if !turn.is_empty() {
        texts.push(start.turn_text(&turn));
    }
    Some(texts)
}

/// Replays a game; `None` if it breaks the rules.
fn game_text<P: Encoded>(variant: &Variant, start: &str, game: &GameData) -> Option<GameText> {
    let mut position = P::from_fen(variant, start).ok()?;
    let mut text = GameText::default();
    for codes in &game.opening {
        let [turn] = &path_text(&position, codes)?[..] else { return None };
        text.opening.push(turn.clone());
        codes.iter().try_for_each(|&code| play_code(&mut position, code).map(drop))?;
    }
    for turn in &game.turns {
        let side = position.side_to_move();
        let inner = turn.inner.iter().map(|inner| {
            let path = path_text(&position, &inner.path)?;
            Some((path, f32::from(inner.score) / 65_535.0, inner.visits))
        });
        let inner = inner.collect::<Option<_>>()?;
        let start = position.clone();
        let mut steps = Steps::<P>::new();
        let mut visits = Vec::new();
        for (&code, counts) in turn.steps.iter().zip(&turn.visits) {
            let spelled = |&(code, count): &(u16, u16)| {
                let mut turn = steps.clone();
                turn.push(P::Step::from_code(code));
                (start.turn_text(&turn), count)
            };
            visits.push(counts.iter().map(spelled).collect());
            steps.push(play_code(&mut position, code)?);
        }
        text.turns.push((start.turn_text(&steps), side == Side::White, score_for(turn.score, side), visits, inner));
    }
    if !position.at_turn_start() {
        return None;
    }
    text.last_fen = position.fen();
    Some(text)
}

/// Additions to samples, where they are asked for.
#[derive(Clone, Copy)]
struct Wanted {
    /// Positions in the middle of a turn as well.
    half_turns: bool,
    /// The numbers of all legal half-turns as well.
    legal: bool,
    /// Who owns which squares in the end as well.
    ownership: bool,
}

/// A position to learn from.
struct Sample {
    planes: Vec<u8>,
    policy: Vec<(u32, f32)>,
    legal: Vec<u32>,
    result: f32,
    /// By how much the side to move wins; not a number if nobody knows.
    margin: f32,
    owner: Vec<f32>,
    score: f32,
    game: u64,
    turn: u16,
    step: u8,
}

/// The samples of a game; `None` if it breaks the rules.
fn samples<P: Encoded>(
    (variant, start): (&Variant, &str),
    shapes: &Shapes,
    wanted: Wanted,
    game: &GameData,
    found: &mut Vec<Sample>,
) -> Option<()> {
    let mut position = P::from_fen(variant, start).ok()?;
    for turn in &game.opening {
        turn.iter().try_for_each(|&code| play_code(&mut position, code).map(drop))?;
    }
    let (first, mut starts) = (found.len(), Vec::new());
    let margin = game.margin.map_or(f32::NAN, |halves| f32::from(halves) / 2.0);
    for (number, turn) in game.turns.iter().enumerate() {
        if wanted.ownership {
            starts.push(position.clone());
        }
        let side = position.side_to_move();
        let (result, margin) = if side == Side::White { (game.result, margin) } else { (2 - game.result, -margin) };
        for (step, (&code, visits)) in turn.steps.iter().zip(&turn.visits).enumerate() {
            if step == 0 || wanted.half_turns {
                let actions = position.actions(&shapes.layout);
                found.push(Sample {
                    planes: planes(&position, shapes),
                    policy: policy::<P>(&actions, visits),
                    legal: if wanted.legal { actions.iter().map(|&(number, _)| number).collect() } else { Vec::new() },
                    result: f32::from(result) / 2.0,
                    margin,
                    owner: Vec::new(),
                    score: score_for(turn.score, side),
                    game: game.number,
                    turn: number as u16,
                    step: step as u8,
                });
            }
            play_code(&mut position, code)?;
        }
    }
    if wanted.ownership {
        starts.push(position);
        let owned = P::owned(&starts);
        for sample in &mut found[first..] {
            let side = starts[usize::from(sample.turn)].side_to_move();
            sample.owner = shapes.layout.owners(&owned, side);
        }
    }
    Some(())
}

fn planes<P: Encoded>(position: &P, shapes: &Shapes) -> Vec<u8> {
    let mut planes = vec![0; shapes.len()];
    position.draw(shapes.layout, &mut planes);
    planes
}

/// Shares of visits, by increasing number of the half-turn.
fn policy<P: Encoded>(actions: &[(u32, P::Step)], visits: &[(u16, u16)]) -> Vec<(u32, f32)> {
    let total: f32 = visits.iter().map(|&(_, count)| f32::from(count)).sum();
    let number = |code: u16| actions.iter().find(|(_, step)| step.code() == code).map(|&(number, _)| number);
    let mut shares: Vec<_> =
        visits.iter().filter_map(|&(code, count)| Some((number(code)?, f32::from(count) / total))).collect();
    shares.sort_unstable_by_key(|&(number, _)| number);
    // Different captures may lead to the same position.
    shares.dedup_by(|(number, share), (kept, sum)| {
        let same = number == kept;
        if same {
            *sum += *share;
        }
        same
    });
    shares
}

/// Data files of one rule set, read as far as is asked for.
#[pyclass(module = "hippolyta._hippolyta", frozen)]
pub struct DataFiles(Arc<Files>);

#[pymethods]
impl DataFiles {
    #[new]
    fn new(py: Python<'_>, paths: Vec<PathBuf>, partial: bool) -> PyResult<Self> {
        let files = py.detach(|| paths.iter().map(|path| DataFile::open(path)).collect::<Result<Vec<_>, _>>());
        let files = files.map_err(file_error)?;
        let first = files.first().ok_or_else(|| PyValueError::new_err("no data file"))?;
        let name = &first.header.variant;
        let variant = variant::find(name).map_err(|error| data_error(format!("{}: {error}", first.path.display())))?;
        if let Some(other) = files.iter().find(|file| file.header.variant != *name) {
            let (path, found) = (other.path.display(), &other.header.variant);
            return Err(data_error(format!(
                "{path}: games of {found}, and {} has games of {name}",
                first.path.display()
            )));
        }
        if let Some(other) = files.iter().find(|file| file.header.start != first.header.start) {
            let (path, first) = (other.path.display(), first.path.display());
            return Err(data_error(format!("{path}: its games begin at another position than those of {first}")));
        }
        Ok(Self(Arc::new(Files { files, variant, partial })))
    }

    #[getter]
    fn variant<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        variant_object(py, &self.0.variant)
    }

    #[getter]
    fn start_fen(&self) -> String {
        self.0.start().to_owned()
    }

    /// The headers as JSON, with `path` and `version` of each file.
    fn headers(&self) -> PyResult<Vec<(PathBuf, u32, String)>> {
        let header = |file: &DataFile| {
            let text = serde_json::to_string(&file.header).map_err(value_error)?;
            Ok((file.path.clone(), record::VERSION, text))
        };
        self.0.files.iter().map(header).collect()
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let files = self.0.clone();
        interruptible(py, move || files.len().map_err(file_error), || ())
    }

    /// The game at `index`, from 0.
    fn game<'py>(&self, py: Python<'py>, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let files = self.0.clone();
        let at = self::index::<usize>("index", index)?;
        let work = move || {
            let game = at.map_or(Ok(None), |at| files.game(at)).map_err(file_error)?;
            let Some((file, game)) = game else { return Ok(None) };
            let text = with_family!(files.variant, P => game_text::<P>(&files.variant, files.start(), &game));
            let text = text.ok_or_else(|| data_error(illegal(file, &game)))?;
            Ok(Some((game, text)))
        };
        let Some((game, text)) = interruptible(py, work, || ())? else {
            return Err(PyIndexError::new_err("there are fewer games"));
        };
        let dict = PyDict::new(py);
        dict.set_item("number", game.number)?;
        dict.set_item("result", ["0-1", "1/2-1/2", "1-0"][usize::from(game.result)])?;
        let ending = match game.ending {
            Ending::Rules => "rules",
            Ending::Proven => "proven",
            Ending::TooLong => "too long",
        };
        dict.set_item("ending", ending)?;
        dict.set_item("margin", game.margin.map(|halves| f64::from(halves) / 2.0))?;
        dict.set_item("opening", text.opening)?;
        dict.set_item("turns", text.turns)?;
        dict.set_item("last_fen", text.last_fen)?;
        Ok(dict)
    }

    /// Batches of samples; `games` are indices, `None` for all in their order.
    #[pyo3(signature = (*, batch_size, shuffle_seed, mix, games, half_turns, legal, ownership, size, float))]
    #[allow(clippy::too_many_arguments, reason = "they have names in Python")]
    fn batches(
        &self,
        py: Python<'_>,
        batch_size: usize,
        shuffle_seed: Option<u64>,
        mix: usize,
        games: Option<Vec<usize>>,
        half_turns: bool,
        legal: bool,
        ownership: bool,
        size: Option<&Bound<'_, PyAny>>,
        float: bool,
    ) -> PyResult<Batches> {
        check_numpy(py)?;
        let (files, size) = (self.0.clone(), size_of(size)?);
        let traits = files.variant.traits();
        if ownership && !traits.ownership && !traits.stones {
            return Err(value_error(format!("ownership: nobody knows who owns squares in {}", files.variant.name())));
        }
        let shapes = Shapes::new(&files.variant, files.start(), size).map_err(value_error)?;
        let mut random = shuffle_seed.map(Xoshiro256PlusPlus::seed_from_u64);
        let games = match (&mut random, games) {
            (None, games) => games,
            (Some(random), games) => {
                let mut games = match games {
                    Some(games) => games,
                    None => (0..self.__len__(py)?).collect(),
                };
                games.shuffle(random);
                Some(games)
            }
        };
        let wanted = Wanted { half_turns, legal, ownership };
        let waiting = Vec::new();
        let sampler = Sampler { files, shapes, wanted, batch_size, mix, games, random, next: 0, waiting };
        Ok(Batches { state: Arc::new(Mutex::new(sampler)), float, process: std::process::id() })
    }
}

/// Makes samples of one game after the other.
struct Sampler {
    files: Arc<Files>,
    shapes: Shapes,
    wanted: Wanted,
    batch_size: usize,
    /// Number of samples that wait to be drawn from, if they are shuffled.
    mix: usize,
    /// Indices of games in the order in which they are read; `None` for all as they stand.
    games: Option<Vec<usize>>,
    random: Option<Xoshiro256PlusPlus>,
    /// How many games were read.
    next: usize,
    waiting: Vec<Sample>,
}

impl Sampler {
    /// Adds the samples of the next game. False if there is none.
    fn read(&mut self) -> PyResult<bool> {
        let index = match &self.games {
            Some(games) => match games.get(self.next) {
                Some(&index) => index,
                None => return Ok(false),
            },
            None => self.next,
        };
        let Some((file, game)) = self.files.game(index).map_err(file_error)? else {
            let asked_for = self.games.is_some();
            return if asked_for { Err(PyIndexError::new_err(format!("there is no game {index}"))) } else { Ok(false) };
        };
        let variant = &self.files.variant;
        let done = with_family!(variant, P =>
            samples::<P>((variant, self.files.start()), &self.shapes, self.wanted, &game, &mut self.waiting));
        done.ok_or_else(|| data_error(illegal(file, &game)))?;
        self.next += 1;
        Ok(true)
    }

    /// The next batch; the last one may be smaller, and an empty one is the end.
    fn batch(&mut self) -> PyResult<Vec<Sample>> {
        let enough = self.batch_size.saturating_add(if self.random.is_some() { self.mix } else { 0 });
        while self.waiting.len() < enough && self.read()? {}
        let count = self.batch_size.min(self.waiting.len());
        if let Some(random) = &mut self.random {
            for place in 0..count {
                let other = random.random_range(place..self.waiting.len());
                self.waiting.swap(place, other);
            }
        }
        Ok(self.waiting.drain(..count).collect())
    }
}

/// An iterator over batches.
#[pyclass(module = "hippolyta._hippolyta", frozen)]
pub struct Batches {
    state: Arc<Mutex<Sampler>>,
    /// Planes as numbers of 32 bits with fractions.
    float: bool,
    /// In a forked process another thread may have held the lock, and both would read on in one open file.
    process: u32,
}

#[pymethods]
impl Batches {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        check_process(self.process, "iterator")?;
        let state = self.state.clone();
        let work = move || {
            let mut sampler = state.lock().unwrap_or_else(PoisonError::into_inner);
            let batch = sampler.batch()?;
            Ok((batch, sampler.shapes.planes(), sampler.shapes.actions(), sampler.wanted))
        };
        let (batch, shape, actions, wanted) = interruptible(py, work, || ())?;
        if batch.is_empty() {
            return Ok(None);
        }
        let [channels, height, width] = shape;
        let shape = (batch.len(), channels, height, width);
        let dict = PyDict::new(py);
        let bytes: Vec<u8> = batch.iter().flat_map(|sample| &sample.planes).copied().collect();
        let planes = Array4::from_shape_vec(shape, bytes).map_err(value_error)?;
        if self.float {
            dict.set_item("planes", planes.mapv(f32::from).into_pyarray(py))?;
        } else {
            dict.set_item("planes", planes.into_pyarray(py))?;
        }
        let mut offsets = vec![0i64];
        offsets.extend(batch.iter().scan(0, |sum, sample| {
            *sum += sample.policy.len() as i64;
            Some(*sum)
        }));
        let rows = batch.iter().zip(0i64..).flat_map(|(sample, row)| std::iter::repeat_n(row, sample.policy.len()));
        let policy = || batch.iter().flat_map(|sample| &sample.policy);
        dict.set_item("offsets", offsets.into_pyarray(py))?;
        dict.set_item("row", rows.collect::<Vec<_>>().into_pyarray(py))?;
        dict.set_item("action", policy().map(|&(number, _)| i64::from(number)).collect::<Vec<_>>().into_pyarray(py))?;
        dict.set_item("probability", policy().map(|&(_, share)| share).collect::<Vec<_>>().into_pyarray(py))?;
        let legal = wanted.legal.then(|| {
            let mut legal = Array2::from_elem((batch.len(), actions), false);
            for (row, sample) in batch.iter().enumerate() {
                sample.legal.iter().for_each(|&action| legal[[row, action as usize]] = true);
            }
            legal.into_pyarray(py)
        });
        dict.set_item("legal", legal)?;
        let owner = wanted.ownership.then(|| {
            let planes = batch.iter().flat_map(|sample| &sample.owner).copied().collect();
            Array3::from_shape_vec((batch.len(), height, width), planes).map_err(value_error)
        });
        dict.set_item("owner", owner.transpose()?.map(|owner| owner.into_pyarray(py)))?;
        dict.set_item("margin", batch.iter().map(|sample| sample.margin).collect::<Vec<_>>().into_pyarray(py))?;
        dict.set_item("result", batch.iter().map(|sample| sample.result).collect::<Vec<_>>().into_pyarray(py))?;
        dict.set_item("score", batch.iter().map(|sample| sample.score).collect::<Vec<_>>().into_pyarray(py))?;
        dict.set_item("game", batch.iter().map(|sample| sample.game as i64).collect::<Vec<_>>().into_pyarray(py))?;
        dict.set_item("turn", batch.iter().map(|sample| i32::from(sample.turn)).collect::<Vec<_>>().into_pyarray(py))?;
        dict.set_item("step", batch.iter().map(|sample| sample.step as i8).collect::<Vec<_>>().into_pyarray(py))?;
        Ok(Some(dict))
    }
}

pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<DataFiles>()?;
    module.add_class::<Batches>()
}
