//! Threads that search leaves of the tree, and what they share.

mod doubt;

use super::folder::{self, Folder, Line, Manifest, Working, numbers, pair};
use super::status::{Owner, Status};
use super::tree::{Leaf, Place, ROOT, Tree};
use super::{ProvingError, fault};
use crate::folder::FolderError;
use crate::options::{MOST_THREADS, count, usual};
use clap::builder::TypedValueParser;
use clap::{ArgAction, Args, value_parser};
use hippolyta::endgame::amazons::{Fact, Numbers, Prover, Situation};
use hippolyta::eval::amazons::AmazonsEvaluator;
use hippolyta::eval::{Evaluation, Evaluator};
use hippolyta::games::amazons::Amazons;
use hippolyta::games::variant::{self, Exact, Family, Variant};
use hippolyta::games::{Notation, Position, Steps};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Thread;
use web_time::{Duration, Instant};

/// Positions that a result must have taken to be kept. Most take far fewer, and are found again in milliseconds.
const KEEP_FROM: u64 = 1 << 17;
/// Slices of search after which a leaf becomes an inner node.
pub(super) const PATIENCE: u64 = 4;
/// A slice takes no longer than this: what it found out is lost if the process is killed.
const LONGEST_SLICE: Duration = Duration::from_secs(10);
/// How often the log is written.
pub(super) const EXCHANGE: Duration = Duration::from_secs(1);
/// How often somebody who waits looks around, if nobody calls.
const WAIT: Duration = Duration::from_millis(50);
/// Memory to look at a run.
const SMALL: usize = 1 << 20;

/// How a run works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Args)]
pub struct Options {
    /// Threads; each has a sub-problem of its own, all share one table.
    #[arg(long, default_value_t = 1, value_parser = count(1, MOST_THREADS.into()))]
    pub threads: usize,
    /// Memory for the table, in bytes.
    #[arg(long, default_value = "256", help = "Memory for the table, MiB")]
    #[arg(value_parser = value_parser!(u32).range(1..=1_000_000).map(|mebibytes| (mebibytes as usize) << 20))]
    pub hash: usize,
    /// Positions of a sub-problem that are searched at a time; after four times as many it is split.
    #[arg(long, default_value_t = 5_000_000, value_parser = value_parser!(u64).range(1_000..))]
    pub slice: u64,
    /// Whether first numbers near the root come from the learned evaluation, not from the solver's own guess.
    #[arg(id = "plain", long = "plain", action = ArgAction::SetFalse)]
    #[arg(
        help = "Near the root, begin with the solver's own guess instead of the learned evaluation: for comparisons"
    )]
    pub learned: bool,
}

impl Default for Options {
    fn default() -> Self {
        usual()
    }
}

/// Who wins, and by what.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Whether the side to move wins.
    pub wins: bool,
    /// The turn by which it wins; `None` if it loses, or if the turn is not kept any more.
    pub turn: Option<String>,
    /// Positions looked at, all in all.
    pub positions: u64,
    /// The time of all threads, in seconds.
    pub seconds: f64,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// With a result.
    Solved(Solution),
    /// By [`Run::stop`].
    Stopped,
}

/// A search for who wins a position. With a folder it outlives the process, and owns the folder as long as it lives.
///
/// ```
/// use hippolyta::games::variant;
/// use hippolyta_lab::proving::{Ended, Options, Run};
///
/// let board = &variant::find("amazons")?;
/// let run = Run::new(board, "1qq1/q2q/Q2Q/1QQ1 w - - 0 1", None, Options::default())?;
/// let Ended::Solved(solution) = run.work()? else { panic!("nobody stopped it") };
/// assert!(!solution.wins && solution.turn.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Run {
    variant: Variant,
    root: Amazons,
    options: Options,
    prover: Prover,
    evaluator: AmazonsEvaluator,
    state: Mutex<State>,
    /// Told when a leaf was put back.
    put_back: Condvar,
    folder: Mutex<Option<Folder>>,
    left_out: Option<String>,
    /// Somebody asked for the end.
    stopped: AtomicBool,
    /// The root is decided, or a thread failed.
    over: AtomicBool,
    began: Instant,
}

struct State {
    tree: Tree,
    /// Results that are not in the log yet, in the order in which the tree learned them: whoever reads the log makes
    /// the same tree.
    lines: Vec<Line>,
    positions: u64,
    microseconds: u64,
    /// Positions that this process looked at.
    own_positions: u64,
}

/// The result of a search of a leaf.
pub(super) struct Searched {
    pub numbers: Numbers,
    /// Positions that it looked at.
    pub positions: u64,
    pub microseconds: u64,
    /// Results on its way that took long.
    pub facts: Vec<Fact>,
}

/// The turns of a leaf that becomes an inner node, and the positions after them.
pub(super) type Turns = Vec<(Steps<Amazons>, Situation, Numbers)>;

impl Run {
    /// A run for a position of `variant`. With a folder it goes on with what is there, and owns the folder from now on.
    /// Reads all that is there, which may take minutes after a long run.
    ///
    /// # Errors
    ///
    /// If the position cannot be solved like this, or the folder cannot be used, belongs to another process, holds
    /// another run or damaged files.
    pub fn new(variant: &Variant, fen: &str, folder: Option<&Path>, options: Options) -> Result<Self, ProvingError> {
        let mut run = Self::before(variant, fen, options)?;
        if let Some(path) = folder {
            let manifest = Manifest::new(run.variant.name(), run.root.fen());
            let mut paths = run.paths();
            let (folder, held) = Folder::open(path, &manifest, |line| run.read(&mut paths, line))?;
            run.left_out = folder::left_out(path, held);
            run.folder = Mutex::new(Some(folder));
        }
        run.begin()?;
        Ok(run)
    }

    /// The rule set and the position of the run in a folder.
    ///
    /// # Errors
    ///
    /// If there is none, or its file is damaged or of another version.
    pub fn about(folder: &Path) -> Result<(Variant, String), ProvingError> {
        let manifest = folder::manifest(folder)?;
        let wrong =
            |error: &dyn std::fmt::Display| FolderError::damaged(&folder::manifest_path(folder), error.to_string());
        let variant = variant::find(&manifest.variant).map_err(|error| wrong(&error))?;
        Self::root(&variant, &manifest.fen).map_err(|error| wrong(&error))?;
        Ok((variant, manifest.fen))
    }

    /// How far the run in a folder has come. Reads all that is there; changes nothing, and needs not own the folder.
    ///
    /// # Errors
    ///
    /// As for [`Run::new`].
    pub fn status_of(folder: &Path) -> Result<Status, ProvingError> {
        let (variant, fen) = Self::about(folder)?;
        let options = Options { threads: 1, hash: SMALL, ..Options::default() };
        let run = Self::before(&variant, &fen, options)?;
        let owner = folder::owner(folder)?;
        let mut paths = run.paths();
        let held = folder::read_log(folder, |line| run.read(&mut paths, line))?;
        run.begin()?;
        // The owner may be writing just now.
        let left_out = if owner.is_none() { folder::left_out(folder, held) } else { None };
        Ok(Status { owner: owner.map(|(name, working)| Owner::new(name, working)), left_out, ..run.status() })
    }

    /// The position that is to be solved, if it can be.
    fn root(variant: &Variant, fen: &str) -> Result<Amazons, ProvingError> {
        if variant.exact() != Exact::Territories || !matches!(variant.family(), Family::Amazons) {
            let but = "but only boards of the Amazons: 'hippolyta go --mate 99' looks for a proof";
            return Err(ProvingError::Unfit(format!("{} cannot be solved like this, {but}", variant.name())));
        }
        let root = Amazons::from_fen(variant, fen)?;
        if root.outcome().is_some() {
            return Err(ProvingError::Unfit("the game is over there".to_owned()));
        }
        Ok(root)
    }

    pub(super) fn before(variant: &Variant, fen: &str, options: Options) -> Result<Self, ProvingError> {
        let root = Self::root(variant, fen)?;
        // By a name that others find: folders, tasks and proof files do not hold rules.
        let variant = variant.as_built_in().unwrap_or(variant);
        let (bytes, threads) = (options.hash, options.threads);
        // A proof file takes mirror images for one, so that there the prover must see the whole board.
        let prover = Prover::on_board(&root, bytes, threads, KEEP_FROM)
            .or_else(|| Prover::new(&root, bytes, threads, KEEP_FROM))
            .ok_or(ProvingError::TooLarge)?;
        let tree = Tree::new(prover.situation(0, &root), prover.numbers(0, &root, None));
        let state = State { tree, lines: Vec::new(), positions: 0, microseconds: 0, own_positions: 0 };
        Ok(Self {
            variant: variant.clone(),
            root,
            options,
            prover,
            evaluator: AmazonsEvaluator::default(),
            state: Mutex::new(state),
            put_back: Condvar::new(),
            folder: Mutex::new(None),
            left_out: None,
            stopped: AtomicBool::new(false),
            over: AtomicBool::new(false),
            began: Instant::now(),
        })
    }

    /// Takes the root apart if nobody has.
    fn begin(&self) -> Result<(), ProvingError> {
        let mut state = self.state();
        if state.tree.root().turns.is_none() {
            self.expand(&mut state, ROOT, "", self.turns(0, &self.root))?;
        }
        Ok(())
    }

    /// The position that is to be solved.
    pub(super) fn position(&self) -> &Amazons {
        &self.root
    }

    pub(super) fn variant(&self) -> &Variant {
        &self.variant
    }

    pub(super) fn options(&self) -> Options {
        self.options
    }

    pub(super) fn threads(&self) -> usize {
        self.options.threads
    }

    pub(super) fn prover(&self) -> &Prover {
        &self.prover
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn folder(&self) -> MutexGuard<'_, Option<Folder>> {
        self.folder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends [`Run::work`] soon; what was found out is kept.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Whether somebody called [`Run::stop`].
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Whether the side to move wins, once it is known.
    pub fn result(&self) -> Option<bool> {
        self.state().tree.root().result()
    }

    /// A word on what the folder holds that a process did not write to the end, as it was killed.
    pub fn left_out(&self) -> Option<&str> {
        self.left_out.as_deref()
    }

    /// Works until the result is known or somebody calls [`Run::stop`].
    ///
    /// # Errors
    ///
    /// If the folder cannot be written to.
    pub fn work(&self) -> Result<Ended, ProvingError> {
        self.work_and(&mut |_| ())
    }

    /// As [`work`](Self::work), and calls `watch` about every second.
    ///
    /// # Errors
    ///
    /// As for [`Run::work`].
    pub fn work_and(&self, watch: &mut dyn FnMut(&Status)) -> Result<Ended, ProvingError> {
        let working = AtomicUsize::new(self.options.threads);
        let worked = std::thread::scope(|scope| {
            let work = |worker: usize, owner: Thread| {
                let _leaving = Leaving { run: self, working: &working, owner };
                self.worker(worker).inspect_err(|_| self.end())
            };
            let owner = std::thread::current();
            let workers: Vec<_> = (0..self.options.threads)
                .map(|index| {
                    let owner = owner.clone();
                    scope.spawn(move || work(index, owner))
                })
                .collect();
            let (mut kept, mut last, mut watched) = (Ok(()), None::<Instant>, Instant::now());
            while working.load(Ordering::Acquire) > 0 {
                if kept.is_ok() && last.is_none_or(|last| last.elapsed() > EXCHANGE) {
                    kept = self.keep(None).inspect_err(|_| self.end());
                    last = Some(Instant::now());
                }
                if watched.elapsed() > Duration::from_secs(1) {
                    watch(&self.status());
                    watched = Instant::now();
                }
                std::thread::park_timeout(WAIT);
            }
            let worked = workers.into_iter().try_for_each(|worker| match worker.join() {
                Ok(done) => done,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            worked.and(kept)
        });
        // Lines that could not be written once may be written now.
        let written = self.keep(None);
        worked.and(written)?;
        Ok(self.ended())
    }

    pub(super) fn ended(&self) -> Ended {
        let state = self.state();
        let Some(wins) = state.tree.root().result() else { return Ended::Stopped };
        let turn = state.tree.winning_turn().map(|turn| self.root.turn_text(turn));
        Ended::Solved(Solution { wins, turn, positions: state.positions, seconds: state.seconds() })
    }

    /// Ends all threads.
    fn end(&self) {
        self.over.store(true, Relaxed);
        self.put_back.notify_all();
    }

    /// Writes what was found out since the last time, and what this process does.
    pub(super) fn keep(&self, proof: Option<[usize; 2]>) -> Result<(), ProvingError> {
        let mut folder = self.folder();
        let Some(folder) = &mut *folder else { return Ok(()) };
        let (lines, working) = {
            let mut state = self.state();
            let at = |place| self.path_text(&state.tree.path(place));
            let working = Working {
                threads: self.options.threads,
                hash_mib: self.options.hash >> 20,
                positions: state.own_positions,
                seconds: self.began.elapsed().as_secs_f64(),
                at: state.tree.taken().map(at).collect(),
                proof,
            };
            (std::mem::take(&mut state.lines), working)
        };
        if let Err(error) = folder.write(&lines) {
            // Before what was found out meanwhile.
            self.state().lines.splice(0..0, lines);
            return Err(error.into());
        }
        // A report that cannot be written now is written later.
        let _ = folder.say(&working);
        Ok(())
    }

    /// Begins a proof file, or goes on with one from the folder: its numbers so far.
    pub(super) fn begin_proof(&self) -> Result<Vec<u16>, ProvingError> {
        Ok(self.folder().as_mut().map_or(Ok(Vec::new()), Folder::begin_proof)?)
    }

    /// Keeps more of its numbers, and tells others how far it is.
    pub(super) fn keep_proof(&self, numbers: &[u16], proof: [usize; 2]) -> Result<(), ProvingError> {
        self.folder().as_mut().map_or(Ok(()), |folder| folder.keep(numbers))?;
        self.keep(Some(proof))
    }

    /// The file of these numbers.
    pub(super) fn proof_path(&self) -> PathBuf {
        self.folder().as_ref().map_or("proof".into(), Folder::proof_path)
    }

    /// A leaf that is worth searching; `None` if others have all of them, or the root is decided.
    pub(super) fn take(&self) -> Option<Leaf> {
        let mut state = self.state();
        if state.tree.root().result().is_some() { None } else { state.tree.take() }
    }

    /// Puts a leaf back of which nothing was found out.
    pub(super) fn leave(&self, leaf: &Leaf) {
        self.state().tree.leave(leaf.place);
    }

    /// The leaves below a node that are only said to be decided, and whether their side to move is said to win.
    pub(super) fn claimed_below(&self, place: Place) -> Vec<(Place, bool)> {
        let state = self.state();
        let turns = state.tree.nodes[place].turns.iter().flatten();
        turns.filter_map(|&(_, place)| Some((place, state.tree.claim(place)?))).collect()
    }

    /// Forgets what is only said of a leaf: it gets the numbers of one that nobody has searched.
    pub(super) fn forget(&self, place: Place) -> Result<(), ProvingError> {
        let path = self.state().tree.path(place);
        let at = self.path_text(&path);
        let position = self.position_after(&at).map_err(|what| fault(&at, &what))?;
        let numbers = self.prover.numbers(0, &position, self.lead(&position));
        let mut state = self.state();
        if state.tree.claim(place).is_some() {
            state.tree.set(place, numbers);
            state.lines.push(Line::Searched { at, numbers: pair(numbers), positions: 0, microseconds: 0 });
        }
        self.agree(&mut state)
    }

    /// The work of one thread.
    fn worker(&self, worker: usize) -> Result<(), ProvingError> {
        while !self.is_over() {
            let mut state = self.state();
            if state.tree.root().result().is_some() {
                self.end();
            } else if let Some(leaf) = state.tree.take() {
                drop(state);
                self.search(worker, &leaf)?;
            } else if state.tree.taken().next().is_some() {
                // Others have all of them.
                drop(self.put_back.wait_timeout(state, WAIT));
            } else {
                return Err(ProvingError::Fault("nothing is left to search, and nothing is decided".to_owned()));
            }
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.stopped.load(Relaxed) || self.over.load(Relaxed)
    }

    /// Searches a leaf for a slice, and puts it back.
    fn search(&self, worker: usize, leaf: &Leaf) -> Result<(), ProvingError> {
        let (began, position) = (Instant::now(), self.reached(worker, leaf)?);
        let go_on = || !self.is_over() && began.elapsed() < LONGEST_SLICE;
        let (numbers, positions) = self.prover.search(worker, &position, self.options.slice, leaf.most, &go_on);
        let facts = self.prover.facts(worker);
        let is_hard = numbers.result().is_none() && leaf.searched + positions >= PATIENCE * self.options.slice;
        let turns = is_hard.then(|| self.turns(worker, &position));
        let microseconds = began.elapsed().as_micros() as u64;
        self.put_back(leaf, &Searched { numbers, positions, microseconds, facts }, turns)
    }

    /// Puts a leaf back with what was found out about it. With `turns` it becomes an inner node, if it is still open.
    pub(super) fn put_back(&self, leaf: &Leaf, found: &Searched, turns: Option<Turns>) -> Result<(), ProvingError> {
        let &Searched { numbers, positions, microseconds, .. } = found;
        let at = self.path_text(&leaf.path);
        let mut state = self.state();
        let state = &mut *state;
        state.tree.put(leaf.place, numbers, positions);
        state.spend(positions, microseconds);
        state.own_positions = state.own_positions.saturating_add(positions);
        state.lines.push(Line::Searched { at: at.clone(), numbers: pair(numbers), positions, microseconds });
        for fact in &found.facts {
            state.tree.learn(fact);
            state.lines.push(Line::proven(fact));
        }
        let is_open = state.tree.nodes[leaf.place].result().is_none();
        if let Some(turns) = turns.filter(|_| is_open) {
            self.expand(state, leaf.place, &at, turns)?;
        }
        self.put_back.notify_all();
        self.agree(state)
    }

    /// The position of a leaf, by the rules: each turn is checked, and the position is the one that the leaf is for.
    pub(super) fn reached(&self, worker: usize, leaf: &Leaf) -> Result<Amazons, ProvingError> {
        let fault = |what: &str| fault(&self.path_text(&leaf.path), what);
        let mut position = self.root;
        for &step in leaf.path.iter().flatten() {
            position.try_play(step).map_err(|_| fault("the rules do not lead there"))?;
        }
        if !self.prover.sees(&position) || self.prover.situation(worker, &position) != leaf.situation {
            return Err(fault("another position"));
        }
        Ok(position)
    }

    /// Hands on what was decided, and looks whether all results agree.
    fn agree(&self, state: &mut State) -> Result<(), ProvingError> {
        self.prover.learn(&state.tree.take_decided());
        match state.tree.contradiction() {
            Some(place) => {
                let path = self.path_text(&state.tree.path(place));
                Err(ProvingError::Fault(format!("both sides were found to win after {path:?}")))
            }
            None => Ok(()),
        }
    }

    /// The turns of a position, and what is known or seems so of the positions after them.
    pub(super) fn turns(&self, worker: usize, position: &Amazons) -> Turns {
        let turns = self.prover.turns(worker, position).into_iter();
        let number = |next: &Amazons| self.prover.numbers(worker, next, self.lead(next));
        turns.map(|(turn, next, situation)| (turn, situation, number(&next))).collect()
    }

    /// Makes an inner node of a leaf, whose position has these turns.
    fn expand(&self, state: &mut State, place: Place, at: &str, turns: Turns) -> Result<(), ProvingError> {
        let line = turns.iter().map(|(turn, _, numbers)| (self.root.turn_text(turn), pair(*numbers))).collect();
        state.lines.push(Line::Expanded { at: at.to_owned(), turns: line });
        state.tree.expand(place, turns);
        self.agree(state)
    }

    /// By how many logits the side to move seems to be ahead.
    fn lead(&self, position: &Amazons) -> Option<f32> {
        if !self.options.learned || position.outcome().is_some() {
            return None;
        }
        match self.evaluator.evaluate(position) {
            Evaluation::Estimate(value) => {
                let chance = value.for_side(position.side_to_move()).clamp(1e-6, 1.0 - 1e-6);
                Some(libm::logf(chance / (1.0 - chance)))
            }
            Evaluation::Exact(_) => None,
        }
    }

    pub(super) fn path_text(&self, path: &[Steps<Amazons>]) -> String {
        let turns: Vec<_> = path.iter().map(|turn| self.root.turn_text(turn)).collect();
        turns.join(" ")
    }

    /// The position after turns from the root, separated by blanks. An error if they are not legal.
    pub(super) fn position_after(&self, at: &str) -> Result<Amazons, String> {
        let mut position = self.root;
        for text in at.split_whitespace() {
            let turn = position.parse_turn(text).map_err(|error| error.to_string())?;
            turn.iter().for_each(|&step| position.play(step));
        }
        Ok(position)
    }

    /// The turns of a position, with numbers that somebody gives to them. An error if others are listed than there are.
    pub(super) fn as_listed(&self, position: &Amazons, listed: &[(String, [u32; 2])]) -> Result<Turns, String> {
        let legal = self.prover.turns(0, position);
        let texts = legal.iter().map(|(turn, ..)| position.turn_text(turn));
        if !texts.eq(listed.iter().map(|(turn, _)| turn.clone())) {
            return Err("other turns than there are, or of another version".to_owned());
        }
        let with_numbers = |((turn, _, situation), (_, pair)): ((_, _, Situation), &(_, [u32; 2]))| {
            Ok((turn, situation, numbers(*pair).ok_or("impossible numbers")?))
        };
        legal.into_iter().zip(listed).map(with_numbers).collect()
    }

    /// The root alone, for [`Run::read`].
    fn paths(&self) -> HashMap<String, Place> {
        HashMap::from([(String::new(), ROOT)])
    }

    /// Does what a line of the log says. `paths` are those of all nodes; the rules have led to each of them.
    fn read(&self, paths: &mut HashMap<String, Place>, line: Line) -> Result<(), String> {
        let mut state = self.state();
        let state = &mut *state;
        let number = |pair| numbers(pair).ok_or_else(|| "impossible numbers".to_owned());
        let known = |at: &str| paths.get(at).copied().ok_or_else(|| format!("no way leads to '{at}'"));
        match line {
            Line::Expanded { at, turns } => {
                let place = known(&at)?;
                let turns = self
                    .as_listed(&self.position_after(&at)?, &turns)
                    .map_err(|what| format!("after '{at}': {what}"))?;
                let before = state.tree.nodes.len();
                state.tree.expand(place, turns);
                for (place, node) in state.tree.nodes.iter().enumerate().skip(before) {
                    if let Some((_, turn)) = &node.first {
                        paths.insert(format!("{at} {}", self.root.turn_text(turn)).trim_start().to_owned(), place);
                    }
                }
            }
            Line::Searched { at, numbers, positions, microseconds } => {
                state.tree.put(known(&at)?, number(numbers)?, positions);
                state.spend(positions, microseconds);
            }
            Line::Proven { .. } => {
                if let Some(fact) = line.fact() {
                    state.tree.learn(&fact);
                    self.prover.learn(&[fact]);
                }
            }
        }
        self.agree(state).map_err(|error| error.to_string())
    }

    /// How far it has come.
    pub fn status(&self) -> Status {
        let state = self.state();
        let turn_text = |turn: &Steps<Amazons>| self.root.turn_text(turn);
        Status::new(self.variant.name(), self.root.fen(), &state.tree, (state.positions, state.seconds()), &turn_text)
    }
}

impl State {
    fn spend(&mut self, positions: u64, microseconds: u64) {
        self.positions = self.positions.saturating_add(positions);
        self.microseconds = self.microseconds.saturating_add(microseconds);
    }

    fn seconds(&self) -> f64 {
        self.microseconds as f64 / 1e6
    }
}

/// Tells the owner that a worker is gone, however it ended.
struct Leaving<'a> {
    run: &'a Run,
    working: &'a AtomicUsize,
    owner: Thread,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.run.end();
        }
        self.working.fetch_sub(1, Ordering::Release);
        self.owner.unpark();
    }
}
