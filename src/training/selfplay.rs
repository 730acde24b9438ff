//! Games of the engine against itself.

use super::record::{self, Ending, FileError, GameData, Header, Inner, Reader, SearchedTurn, pack_score};
use crate::container::ContainerError;
use crate::endgame::amazons::margin_in_halves;
use crate::eval::amazons::AmazonsEvaluator;
use crate::eval::damone::DamoneEvaluator;
use crate::eval::desdemona::DesdemonaEvaluator;
use crate::eval::{Evaluator, Judgement, Knowledge};
use crate::files::beside;
use crate::games::amazons::Amazons;
use crate::games::damone::Damone;
use crate::games::desdemona::Desdemona;
use crate::games::variant::{Family, Variant};
use crate::games::{Game, Notation, Outcome, Side, Step, Turn, legal_turns};
use crate::search::{Control, Limits, Parameters, Score, Search, Settings, SettingsError, StepStatistics};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::{SplitMix64, Xoshiro256PlusPlus};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;

/// What the games of a run depend on, besides seed and number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Options {
    /// Positions evaluated for a turn.
    pub nodes: u64,
    /// Memory of each search, MiB.
    pub hash: usize,
    /// A game begins with up to so many random turns: each number equally likely.
    pub opening_turns: u32,
    /// So many turns after these are drawn by visits; then the best one is played.
    pub sampled_turns: u32,
    /// Turns are drawn in proportion to visits to the power of its inverse.
    pub temperature: f32,
    /// Scale of the Gumbel noise on the root's policy.
    pub noise: f32,
    /// Whether a game ends once its result is proven.
    pub adjudicate: bool,
    /// Positions of the tree with so many visits are recorded as well; 0: none.
    pub inner_visits: u32,
    /// But not more than so many a turn, at most 255.
    pub inner_most: u32,
    /// Longer games are drawn.
    pub longest: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            nodes: 400,
            hash: 8,
            opening_turns: 6,
            sampled_turns: 20,
            temperature: 1.0,
            noise: 0.5,
            adjudicate: true,
            inner_visits: 0,
            inner_most: 16,
            longest: 400,
        }
    }
}

/// A run, or a shard of one.
pub struct Run {
    /// Rule set.
    pub variant: &'static Variant,
    /// Games of the whole run.
    pub games: u64,
    /// Seed of the whole run: each game has its own from this and its number.
    pub seed: u64,
    /// Remainder and divisor of the numbers of this shard's games.
    pub shard: [u64; 2],
    /// All else.
    pub options: Options,
    /// What is known at the start.
    pub knowledge: Arc<Knowledge>,
}

/// Why a run ended early.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// A file cannot be had, or is not what it should be.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is something already.
    #[error("{0} exists already; go on with the run by --resume, or remove it")]
    Exists(PathBuf),
    /// It is of another run.
    #[error("{path} is of another run: its {field} differs")]
    Different {
        /// Which file.
        path: PathBuf,
        /// What differs.
        field: &'static str,
    },
    /// It was written by a program that tells evaluations apart in another way.
    #[error("{path}: format version {version}: only the program that wrote it can tell whether it is of this run")]
    Old {
        /// Which file.
        path: PathBuf,
        /// Its format.
        version: u32,
    },
    /// A finished file is not whole.
    #[error("{path}: {count} of {of} games are missing, the first is game {first}")]
    Missing {
        /// Which file.
        path: PathBuf,
        /// How many.
        count: u64,
        /// Of how many.
        of: u64,
        /// The first of them.
        first: u64,
    },
    /// The games of an unfinished run are damaged.
    #[error("{error}; to keep the games before this place, cut the file there; to begin anew, remove it")]
    Damaged {
        /// Which file, what and where.
        error: FileError,
    },
    /// Somebody else is writing the file.
    #[error("{0}: another run is writing it")]
    Busy(PathBuf),
    /// The run was told to stop.
    #[error("interrupted")]
    Interrupted,
    /// The run ended early, and its games are kept.
    #[error("{error}; {done} of {of} games are in {path}: go on by --resume")]
    Kept {
        /// Why it ended.
        error: Box<RunError>,
        /// Where the games are.
        path: PathBuf,
        /// How many there are.
        done: u64,
        /// Of how many.
        of: u64,
    },
    /// No memory for a search.
    #[error(transparent)]
    Settings(#[from] SettingsError),
}

/// FNV-1a in hexadecimal.
pub(super) fn fingerprint(bytes: &[u8]) -> String {
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    format!("{hash:016x}")
}

impl Run {
    fn header(&self, evaluation: &str) -> Header {
        let options = serde_json::to_value(&self.options).unwrap_or_default();
        Header {
            engine: concat!("hippolyta ", env!("CARGO_PKG_VERSION")).to_owned(),
            evaluation: evaluation.to_owned(),
            config: fingerprint(format!("{} {} {options}", self.variant.name, self.seed).as_bytes()),
            variant: self.variant.name.to_owned(),
            games: self.games,
            seed: self.seed,
            options,
            shard: self.shard,
        }
    }

    /// The numbers of the shard's games.
    fn numbers(&self) -> impl Iterator<Item = u64> + use<> {
        let [remainder, divisor] = self.shard;
        (remainder..self.games).step_by(usize::try_from(divisor).unwrap_or(usize::MAX))
    }

    /// Plays the games of the shard, in the rayon pool it is called from, and writes them to `path`. Meanwhile they are kept
    /// in a file beside it (`.partial`), from which a run that was killed, or stopped by `control`, goes on with `resume`.
    /// `report` is told of every game.
    ///
    /// # Errors
    ///
    /// If there is a file already, or one of another run, or a damaged one; if it cannot be written; if there is no memory
    /// for a search; if the run was stopped.
    pub fn write(
        &self,
        path: &Path,
        resume: bool,
        control: &Control,
        report: &(dyn Fn(&GameData) + Sync),
    ) -> Result<(), RunError> {
        match self.variant.family {
            Family::Amazons => {
                let evaluator = || AmazonsEvaluator::new(&self.knowledge);
                self.write_with::<Amazons, _>(path, resume, control, evaluator, report)
            }
            Family::Desdemona(rules) => {
                let evaluator = || DesdemonaEvaluator::new(rules, &self.knowledge);
                self.write_with::<Desdemona, _>(path, resume, control, evaluator, report)
            }
            Family::Damone(rules) => {
                let evaluator = || DamoneEvaluator::new(rules, &self.knowledge);
                self.write_with::<Damone, _>(path, resume, control, evaluator, report)
            }
        }
    }

    fn write_with<P: Notation + Margin, E: Evaluator<P>>(
        &self,
        path: &Path,
        resume: bool,
        control: &Control,
        evaluator: impl Fn() -> E + Sync,
        report: &(dyn Fn(&GameData) + Sync),
    ) -> Result<(), RunError> {
        let header = self.header(&fingerprint(&evaluator().identity()));
        if path.exists() {
            if !resume {
                return Err(RunError::Exists(path.to_owned()));
            }
            self.check(path, &header)?;
            Partial::remove_leftover(path, &header);
            return Ok(());
        }
        let partial = Partial::open(path, &header, resume)?;
        let missing: Vec<_> = self.numbers().filter(|n| !partial.done.contains(n)).collect();
        let output = Mutex::new(partial);
        // Players are used again: each has memory of its own.
        let idle = Mutex::new(Vec::new());
        let get = || idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let played = missing.into_par_iter().with_max_len(1).try_for_each(|number| -> Result<(), RunError> {
            let mut player = match get() {
                Some(player) => player,
                None => Player::<P, E>::new(&self.options, evaluator())?,
            };
            let game = player.play(self, number, control).ok_or(RunError::Interrupted)?;
            output.lock().unwrap_or_else(PoisonError::into_inner).add(&game)?;
            report(&game);
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(player);
            Ok(())
        });
        let mut partial = output.into_inner().unwrap_or_else(PoisonError::into_inner);
        let written = played.and_then(|()| {
            let games = partial.games()?;
            self.all_there(&partial.path, games.iter().map(|game| game.number))?;
            partial.finish(path, &header, games)
        });
        written.map_err(|error| RunError::Kept {
            error: Box::new(error),
            path: partial.path,
            done: partial.done.len() as u64,
            of: self.numbers().count() as u64,
        })
    }

    /// Whether a finished file is good, of the run that `header` describes, and has all its games.
    fn check(&self, path: &Path, header: &Header) -> Result<(), RunError> {
        let mut reader = record::open(path)?;
        compare(path, &reader, header)?;
        let mut found = Vec::new();
        while let Some(game) = reader.next().map_err(FileError::at(path))? {
            found.push(game.number);
        }
        self.all_there(path, found)
    }

    /// Whether the numbers that were `found` are all of the shard.
    fn all_there(&self, path: &Path, found: impl IntoIterator<Item = u64>) -> Result<(), RunError> {
        let found: HashSet<_> = found.into_iter().collect();
        let mut missing = self.numbers().filter(|number| !found.contains(number));
        let Some(first) = missing.next() else { return Ok(()) };
        let (count, of) = (1 + missing.count() as u64, self.numbers().count() as u64);
        Err(RunError::Missing { path: path.to_owned(), count, of, first })
    }
}

/// Whether a file is of the run that `new` describes.
fn compare<R: Read>(path: &Path, reader: &Reader<R>, new: &Header) -> Result<(), RunError> {
    if reader.version() != record::VERSION {
        return Err(RunError::Old { path: path.to_owned(), version: reader.version() });
    }
    let shard = (reader.header().shard != new.shard).then_some("shard");
    match reader.header().difference(new).or(shard) {
        Some(field) => Err(RunError::Different { path: path.to_owned(), field }),
        None => Ok(()),
    }
}

fn at<T>(path: &Path, act: impl FnOnce(&Path) -> io::Result<T>) -> Result<T, FileError> {
    act(path).map_err(FileError::at(path))
}

/// Games in the order in which they were finished. The file is locked, so that two runs never write it at once.
struct Partial {
    path: PathBuf,
    file: File,
    /// Its length.
    good: u64,
    done: HashSet<u64>,
}

impl Partial {
    fn open(whole: &Path, header: &Header, resume: bool) -> Result<Self, RunError> {
        let path = beside(whole, ".partial");
        if path.exists() && !resume {
            return Err(RunError::Exists(path));
        }
        let file = at(&path, |path| OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path))?;
        // Some file systems have no locks; then there is none.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(RunError::Busy(path));
        }
        let mut partial = Self { path, file, good: 0, done: HashSet::new() };
        partial.load(header)?;
        let Self { path, file, good, .. } = &mut partial;
        at(path, |_| {
            file.set_len(*good)?;
            file.seek(SeekFrom::Start(*good))
        })?;
        if *good == 0 {
            let start = at(path, |_| record::start(header))?;
            let written = file.write_all(&start);
            if written.is_err() {
                let _ = fs::remove_file(&*path);
            }
            at(path, |_| written)?;
            *good = start.len() as u64;
        }
        Ok(partial)
    }

    /// Finds the games that are done.
    fn load(&mut self, header: &Header) -> Result<(), RunError> {
        let Self { path, file, good, done } = self;
        let start = at(path, |_| record::start(header))?;
        let mut begun = Vec::new();
        at(path, |_| {
            (&*file).take(start.len() as u64).read_to_end(&mut begun)?;
            file.rewind()
        })?;
        if begun.len() < start.len() && start.starts_with(&begun) {
            // It is new, or the run was killed before the header was complete.
            return Ok(());
        }
        let mut reader = Reader::new(BufReader::new(&*file)).map_err(FileError::at(path))?;
        compare(path, &reader, header)?;
        loop {
            match reader.next() {
                Ok(Some(game)) => done.insert(game.number),
                Ok(None) | Err(ContainerError::Unfinished { .. } | ContainerError::CutOff { .. }) => break,
                Err(error) => return Err(RunError::Damaged { error: FileError::at(path)(error) }),
            };
        }
        *good = reader.position();
        Ok(())
    }

    fn add(&mut self, game: &GameData) -> Result<(), RunError> {
        let Self { path, file, good, done } = self;
        let frame = record::frame(game);
        let written = file.write_all(&frame);
        if written.is_err() {
            // What was written of it is taken back: another game may follow.
            let _ = file.set_len(*good).and_then(|()| file.seek(SeekFrom::Start(*good)));
        }
        at(path, |_| written)?;
        *good += frame.len() as u64;
        done.insert(game.number);
        Ok(())
    }

    /// All games of the file.
    fn games(&mut self) -> Result<Vec<GameData>, FileError> {
        let Self { path, file, .. } = self;
        at(path, |_| file.rewind())?;
        let mut reader = Reader::new(BufReader::new(&*file)).map_err(FileError::at(path))?;
        let mut games = Vec::new();
        loop {
            match reader.next() {
                Ok(Some(game)) => games.push(game),
                Ok(None) | Err(ContainerError::Unfinished { .. }) => return Ok(games),
                Err(error) => return Err(FileError::at(path)(error)),
            }
        }
    }

    /// Sorts the games into their file, and removes this one.
    fn finish(&self, whole: &Path, header: &Header, games: Vec<GameData>) -> Result<(), RunError> {
        if whole.exists() {
            return Err(RunError::Exists(whole.to_owned()));
        }
        record::write(whole, header, games)?;
        Ok(at(&self.path, |path| fs::remove_file(path))?)
    }

    /// Removes what this run left if it was killed between writing its file and removing this one.
    fn remove_leftover(whole: &Path, header: &Header) {
        if beside(whole, ".partial").exists()
            && let Ok(leftover) = Self::open(whole, header, true)
        {
            let _ = fs::remove_file(&leftover.path);
        }
    }
}

/// What a game's last position says besides its result.
trait Margin {
    /// White's margin in halves, if it is certain.
    fn margin(&self) -> Option<i16>;
}

impl Margin for Amazons {
    fn margin(&self) -> Option<i16> {
        margin_in_halves(self).and_then(|margin| margin.try_into().ok())
    }
}

impl Margin for Desdemona {
    fn margin(&self) -> Option<i16> {
        Some(2 * Self::margin(self) as i16)
    }
}

impl Margin for Damone {
    fn margin(&self) -> Option<i16> {
        None
    }
}

/// One search that plays both sides.
struct Player<P: Notation, E: Evaluator<P>> {
    search: Search<P, E>,
}

impl<P: Notation + Margin, E: Evaluator<P>> Player<P, E> {
    fn new(options: &Options, evaluator: E) -> Result<Self, SettingsError> {
        let settings = Settings { hash: options.hash, ..Settings::default() };
        let mut search = Search::new(evaluator, settings)?;
        search.set_parameters(Parameters { root_noise: options.noise, ..Parameters::default() });
        Ok(Self { search })
    }

    /// Plays a game; `None` if `control` stopped it.
    fn play(&mut self, run: &Run, number: u64, control: &Control) -> Option<GameData> {
        let options = &run.options;
        let mut seeds = SplitMix64::seed_from_u64(run.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seeds.random());
        let settings = Settings { seed: seeds.random::<u64>() >> 1, ..self.search.settings().clone() };
        // Only memory and threads can be refused, and neither changes.
        let _ = self.search.set(settings);
        let (mut game, opening) = opening::<P>(run, &mut random);
        let mut turns = Vec::new();
        let limits = Limits { nodes: Some(options.nodes), ..Limits::default() };
        let (result, ending) = loop {
            let position = game.current();
            if let Some(outcome) = position.outcome() {
                break (outcome, Ending::Rules);
            }
            if turns.len() as u32 >= options.longest {
                break (Outcome::Draw, Ending::TooLong);
            }
            if options.adjudicate
                && let Judgement::Exact(proof) = self.search.evaluator().judge(position)
            {
                break (proof.outcome, Ending::Proven);
            }
            self.search.clear();
            let report = self.search.run(&game, &limits, control, &mut |_| ());
            if control.stopped() {
                return None;
            }
            let side = position.side_to_move();
            let Some(line) = report.lines.first() else { break (Outcome::Draw, Ending::TooLong) };
            let proven = match report.score {
                Score::Estimate { .. } => None,
                Score::Win { .. } => Some(Outcome::Win(side)),
                Score::Loss { .. } => Some(Outcome::Win(!side)),
                Score::Draw => Some(Outcome::Draw),
            };
            if let Some(outcome) = proven.filter(|_| options.adjudicate) {
                break (outcome, Ending::Proven);
            }
            let sampled = (turns.len() as u32) < options.sampled_turns && proven.is_none();
            let turn = if sampled { self.draw(side, options, &mut random) } else { None };
            let turn = turn.unwrap_or_else(|| line.turns[0].clone());
            let white = match report.score {
                Score::Estimate { score, .. } => {
                    if side == Side::White {
                        score
                    } else {
                        1.0 - score
                    }
                }
                _ => crate::eval::Value::of(proven.unwrap_or(Outcome::Draw)).white,
            };
            turns.push(self.searched(&turn, white, options));
            game.play(turn);
        };
        let half_points = match result {
            Outcome::Win(Side::White) => 2,
            Outcome::Draw => 1,
            Outcome::Win(Side::Black) => 0,
        };
        Some(GameData { number, result: half_points, ending, margin: game.current().margin(), opening, turns })
    }

    /// A turn drawn by visits, step by step, without steps that are proven to lose; `None` if there is none.
    fn draw(&self, side: Side, options: &Options, random: &mut Xoshiro256PlusPlus) -> Option<Turn<P>> {
        let mut turn = Turn::<P>::new();
        let loses = |step: &StepStatistics<P::Step>| step.proven == Some(Outcome::Win(!side));
        let mut position = None;
        loop {
            let steps: Vec<_> =
                self.search.steps_after(&turn).into_iter().filter(|step| step.visits > 0 && !loses(step)).collect();
            let power = 1.0 / f64::from(options.temperature.max(1e-3));
            let most = f64::from(steps.iter().map(|step| step.visits).max()?);
            let weight = |step: &StepStatistics<P::Step>| libm::pow(f64::from(step.visits) / most, power);
            let mut left = random.random::<f64>() * steps.iter().map(weight).sum::<f64>();
            let chosen = steps.iter().find(|step| {
                left -= weight(step);
                left < 0.0
            });
            let step = chosen.or(steps.last())?.step;
            turn.push(step);
            let after = match position {
                None => self.search.root()?.after(step),
                Some(position) => P::after(&position, step),
            };
            if after.at_turn_start() {
                return Some(turn);
            }
            position = Some(after);
        }
    }

    /// What is kept of a search.
    fn searched(&self, turn: &Turn<P>, white: f32, options: &Options) -> SearchedTurn {
        let visits = (0..turn.len()).map(|played| {
            let mut found: Vec<_> = self
                .search
                .steps_after(&turn[..played])
                .iter()
                .filter(|step| step.visits > 0)
                .map(|step| (step.step.code(), step.visits.min(u16::MAX.into()) as u16))
                .collect();
            found.sort_by_key(|&(code, visits)| (std::cmp::Reverse(visits), code));
            found
        });
        let mut inner = Vec::new();
        if options.inner_visits > 0 {
            self.search.for_each_searched(options.inner_visits, &mut |path, _, visits, white, proven| {
                let white = proven.map_or(white, |outcome| crate::eval::Value::of(outcome).white);
                let path = path.iter().map(|step| step.code()).collect();
                inner.push(Inner { path, score: pack_score(white), visits });
            });
            inner.sort_by(|a, b| b.visits.cmp(&a.visits).then_with(|| a.path.cmp(&b.path)));
            inner.truncate(options.inner_most.min(255) as usize);
        }
        SearchedTurn {
            steps: turn.iter().map(|step| step.code()).collect(),
            score: pack_score(white),
            visits: visits.collect(),
            inner,
        }
    }
}

/// A game after some random turns.
fn opening<P: Notation>(run: &Run, random: &mut Xoshiro256PlusPlus) -> (Game<P>, Vec<Vec<u16>>) {
    #[allow(clippy::expect_used, reason = "the table's FENs are tested")]
    let start = P::from_fen(run.variant, run.variant.start).expect("start positions are legal");
    loop {
        let mut game = Game::new(start.clone());
        let mut opening = Vec::new();
        for _ in 0..random.random_range(0..=run.options.opening_turns) {
            let mut turns = legal_turns(game.current());
            if turns.is_empty() {
                break;
            }
            let turn = turns.swap_remove(random.random_range(0..turns.len()));
            opening.push(turn.iter().map(|step| step.code()).collect());
            game.play(turn);
        }
        if game.current().outcome().is_none() {
            return (game, opening);
        }
    }
}
