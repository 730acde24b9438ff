//! Threads that search leaves of the tree, and what they share with each other and with other processes.

use super::ProvingError;
use super::folder::{Decided, Folder, Line, Manifest, Working, name_of, numbers, pair, situation_of};
use super::status::Status;
use super::tree::{Leaf, Place, ROOT, Tree};
use crate::endgame::amazons::{Fact, Prover};
use crate::eval::amazons::AmazonsEvaluator;
use crate::eval::{Evaluation, Evaluator};
use crate::games::amazons::Amazons;
use crate::games::variant::{self, Exact, Family, Variant};
use crate::games::{Notation, Position, Turn};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use web_time::{Duration, Instant};

/// Results that took so many positions are told to others. Most take far fewer, and are found again in milliseconds.
const KEEP_FROM: u64 = 1 << 17;
/// A leaf that was searched for so many slices becomes an inner node.
const PATIENCE: u64 = 4;
/// A slice takes no longer than this, so that nobody works long on what others have made needless.
const LONGEST_SLICE: Duration = Duration::from_secs(10);
/// How often news is read and written.
pub(super) const EXCHANGE: Duration = Duration::from_secs(3);
/// How long a thread waits that finds all leaves taken.
const WAIT: Duration = Duration::from_millis(50);
/// Memory to look at a run.
const SMALL: usize = 1 << 20;

/// How a run works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Threads, 1 at least.
    pub threads: usize,
    /// Memory for the table, in bytes.
    pub hash: usize,
    /// Positions of a leaf that are searched at a time.
    pub slice: u64,
    /// Whether first numbers near the root come from the learned evaluation, not from the solver's own guess.
    pub learned: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { threads: 1, hash: 256 << 20, slice: 5_000_000, learned: true }
    }
}

/// Who wins, and by what.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Whether the side to move wins.
    pub wins: bool,
    /// The turn by which it wins; `None` if it loses, or if the turn is not kept any more.
    pub turn: Option<String>,
    /// Positions that all processes looked at.
    pub positions: u64,
    /// The time of all threads of all processes, in seconds.
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

/// A search for who wins a position, by this process and any others that work in the same folder.
///
/// ```
/// use hippolyta::games::variant;
/// use hippolyta::proving::{Ended, Options, Run};
///
/// let board = variant::find("amazons")?;
/// let run = Run::new(board, "1qq1/q2q/Q2Q/1QQ1 w - - 0 1", None, Options::default())?;
/// let Ended::Solved(solution) = run.work()? else { panic!("nobody stopped it") };
/// assert!(!solution.wins && solution.turn.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Run {
    variant: &'static Variant,
    root: Amazons,
    options: Options,
    prover: Prover,
    evaluator: AmazonsEvaluator,
    state: Mutex<State>,
    /// Somebody asked for the end.
    stopped: AtomicBool,
    /// The root is decided, or a thread failed.
    over: AtomicBool,
    began: Instant,
}

struct State {
    tree: Tree,
    folder: Option<Folder>,
    /// Leaves that threads of this process search.
    taken: HashMap<Place, Vec<Turn<Amazons>>>,
    /// What was found out and not written yet.
    expanded: Vec<Line>,
    searched: HashMap<Place, u64>,
    facts: Vec<Fact>,
    seconds: f64,
    /// Lines of others about nodes that are not known yet.
    waiting: Vec<Line>,
    exchanged: Instant,
    /// What all processes spent.
    positions: u64,
    all_seconds: f64,
    /// What this process spent.
    own_positions: u64,
}

impl Run {
    /// A run for a position of `variant`. With a folder it goes on with what is there; several processes may do so at
    /// once. Reads all that is there, which may take minutes after a long run.
    ///
    /// # Errors
    ///
    /// If the position cannot be solved like this, or the folder cannot be used, holds another run or damaged files.
    pub fn new(
        variant: &'static Variant,
        fen: &str,
        folder: Option<&Path>,
        options: Options,
    ) -> Result<Self, ProvingError> {
        let (run, manifest) = Self::before(variant, fen, options)?;
        run.state().folder = folder.map(|folder| Folder::open(folder, &manifest)).transpose()?;
        run.begin()?;
        Ok(run)
    }

    /// The rule set and the position of the run in a folder.
    ///
    /// # Errors
    ///
    /// If there is none, or its file is damaged.
    pub fn about(folder: &Path) -> Result<(&'static Variant, String), ProvingError> {
        let Some(manifest) = Folder::manifest(folder)? else { return Err(ProvingError::NoRun(folder.to_owned())) };
        let path = folder.join("solve.json");
        let variant = variant::find(&manifest.variant)
            .map_err(|error| ProvingError::Damaged { path, what: error.to_string() })?;
        Ok((variant, manifest.fen))
    }

    /// How far the run in a folder has come. Reads all that is there; changes nothing.
    ///
    /// # Errors
    ///
    /// As for [`Run::new`].
    pub fn status_of(folder: &Path) -> Result<Status, ProvingError> {
        let (variant, fen) = Self::about(folder)?;
        let options = Options { threads: 1, hash: SMALL, ..Options::default() };
        let (run, _) = Self::before(variant, &fen, options)?;
        run.state().folder = Some(Folder::look(folder));
        run.begin()?;
        run.status()
    }

    fn before(variant: &'static Variant, fen: &str, options: Options) -> Result<(Self, Manifest), ProvingError> {
        if variant.exact != Exact::Territories || !matches!(variant.family, Family::Amazons) {
            return Err(ProvingError::Rules(variant.name.to_owned()));
        }
        let root = Amazons::from_fen(variant, fen)?;
        if root.outcome().is_some() {
            return Err(ProvingError::Over);
        }
        let prover = Prover::new(&root, options.hash, options.threads, KEEP_FROM).ok_or(ProvingError::TooLarge)?;
        let state = State {
            tree: Tree::new(prover.situation(0, &root), prover.numbers(0, &root, None)),
            folder: None,
            taken: HashMap::new(),
            expanded: Vec::new(),
            searched: HashMap::new(),
            facts: Vec::new(),
            seconds: 0.0,
            waiting: Vec::new(),
            exchanged: Instant::now(),
            positions: 0,
            all_seconds: 0.0,
            own_positions: 0,
        };
        let manifest = Manifest::new(variant.name, root.fen());
        let run = Self {
            variant,
            root,
            options,
            prover,
            evaluator: AmazonsEvaluator::default(),
            state: Mutex::new(state),
            stopped: AtomicBool::new(false),
            over: AtomicBool::new(false),
            began: Instant::now(),
        };
        Ok((run, manifest))
    }

    /// Reads what is there, and takes the root apart.
    fn begin(&self) -> Result<(), ProvingError> {
        let mut state = self.state();
        self.read_news(&mut state, 0)?;
        if state.tree.root().turns.is_none() {
            let root = self.root;
            self.expand(&mut state, 0, ROOT, &root, &[]);
        }
        Ok(())
    }

    /// The position that is to be solved.
    pub(super) fn position(&self) -> &Amazons {
        &self.root
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

    /// Ends [`Run::work`] soon; what was found out is kept.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Whether somebody called [`Run::stop`].
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Works until the result is known or somebody calls [`Run::stop`].
    ///
    /// # Errors
    ///
    /// If the folder cannot be written to, or others wrote what cannot be read.
    pub fn work(&self) -> Result<Ended, ProvingError> {
        self.work_and(&mut |_| ())
    }

    /// The same, and calls `watch` about every second.
    ///
    /// # Errors
    ///
    /// As for [`Run::work`].
    pub fn work_and(&self, watch: &mut dyn FnMut(&Status)) -> Result<Ended, ProvingError> {
        let worked = std::thread::scope(|scope| {
            let worker = |worker| {
                let done = self.worker(worker);
                if done.is_err() {
                    self.over.store(true, Relaxed);
                }
                done
            };
            let workers: Vec<_> = (0..self.options.threads).map(|index| scope.spawn(move || worker(index))).collect();
            let mut watched = Instant::now();
            let mut said: Option<Instant> = None;
            while workers.iter().any(|worker| !worker.is_finished()) {
                if said.is_none_or(|said| said.elapsed() > EXCHANGE) {
                    // What cannot be said now is said later; what must be written fails elsewhere.
                    let _ = self.say();
                    said = Some(Instant::now());
                }
                if watched.elapsed() > Duration::from_secs(1) {
                    if let Ok(status) = self.status() {
                        watch(&status);
                    }
                    watched = Instant::now();
                }
                std::thread::park_timeout(WAIT);
            }
            workers.into_iter().try_for_each(|worker| match worker.join() {
                Ok(done) => done,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        });
        let mut state = self.state();
        let written = self.write(&mut state);
        let ended = worked.and(written).and_then(|()| self.ended(&state));
        if let Some(folder) = &mut state.folder {
            folder.leave();
        }
        ended
    }

    fn ended(&self, state: &State) -> Result<Ended, ProvingError> {
        let Some(wins) = state.tree.root().result() else { return Ok(Ended::Stopped) };
        let known = state.folder.as_ref().map(Folder::decided).transpose()?.flatten();
        let turn = wins.then(|| self.winning_turn(&state.tree)).flatten();
        let decided = known.unwrap_or(Decided { wins, turn, positions: state.positions, seconds: state.all_seconds });
        if let Some(folder) = &state.folder {
            folder.decide(&decided)?;
        }
        let Decided { wins, turn, positions, seconds } = decided;
        Ok(Ended::Solved(Solution { wins, turn, positions, seconds }))
    }

    /// The text of the turn by which the side to move wins.
    fn winning_turn(&self, tree: &Tree) -> Option<String> {
        let mut turns = tree.root().turns.iter().flatten();
        let (turn, _) = turns.find(|&&(_, place)| tree.nodes[place].result() == Some(false))?;
        Some(self.root.turn_text(turn))
    }

    /// Tells others what this process does.
    fn say(&self) -> Result<(), ProvingError> {
        let state = self.state();
        let Some(folder) = &state.folder else { return Ok(()) };
        folder.say(&Working {
            threads: self.options.threads,
            hash_mib: self.options.hash >> 20,
            positions: state.own_positions,
            seconds: self.began.elapsed().as_secs_f64(),
            at: state.taken.values().map(|turns| self.path_text(turns)).collect(),
            proof: None,
        })
    }

    /// Begins a proof file, or goes on with one from the folder: its numbers so far.
    pub(super) fn begin_proof(&self) -> Result<Vec<u16>, ProvingError> {
        self.state().folder.as_mut().map_or(Ok(Vec::new()), Folder::begin_proof)
    }

    /// Keeps more of its numbers, and tells others how far it is.
    pub(super) fn keep_proof(&self, numbers: &[u16], proof: [usize; 2]) -> Result<(), ProvingError> {
        let Some(folder) = &mut self.state().folder else { return Ok(()) };
        folder.keep(numbers)?;
        folder.say(&Working {
            threads: self.options.threads,
            hash_mib: self.options.hash >> 20,
            proof: Some(proof),
            ..Working::default()
        })
    }

    pub(super) fn end_proof(&self) {
        if let Some(folder) = &mut self.state().folder {
            folder.leave();
        }
    }

    /// What one thread does.
    fn worker(&self, worker: usize) -> Result<(), ProvingError> {
        loop {
            let mut state = self.state();
            if state.exchanged.elapsed() > EXCHANGE {
                self.write(&mut state)?;
                self.read_news(&mut state, worker)?;
                state.exchanged = Instant::now();
            }
            if state.tree.root().result().is_some() {
                self.over.store(true, Relaxed);
            }
            if self.is_over() {
                return Ok(());
            }
            let leaf = self.take(&mut state)?;
            drop(state);
            match leaf {
                Some(leaf) => self.search(worker, &leaf),
                None => {
                    std::thread::sleep(WAIT);
                    // Others may have decided what is taken.
                    let mut state = self.state();
                    self.write(&mut state)?;
                    self.read_news(&mut state, worker)?;
                }
            }
        }
    }

    fn is_over(&self) -> bool {
        self.stopped.load(Relaxed) || self.over.load(Relaxed)
    }

    /// Takes the leaf where least is missing; `None` if others have all of them.
    fn take(&self, state: &mut State) -> Result<Option<Leaf>, ProvingError> {
        let mut taken: HashSet<Place> = state.taken.keys().copied().collect();
        if let Some(folder) = &state.folder {
            taken.extend(folder.claims()?.iter().filter_map(|situation| state.tree.find(situation)));
        }
        while let Some(leaf) = state.tree.leaf(&taken) {
            let situation = state.tree.nodes[leaf.place].situation;
            if state.folder.as_ref().map_or(Ok(true), |folder| folder.claim(&situation))? {
                state.taken.insert(leaf.place, leaf.turns.clone());
                return Ok(Some(leaf));
            }
            taken.insert(leaf.place);
        }
        Ok(None)
    }

    /// Searches a leaf for a slice.
    fn search(&self, worker: usize, leaf: &Leaf) {
        let (began, position) = (Instant::now(), self.after(&leaf.turns));
        let go_on = || !self.is_over() && began.elapsed() < LONGEST_SLICE;
        let (numbers, positions) = self.prover.search(worker, &position, self.options.slice, leaf.most, &go_on);
        let facts = self.prover.facts(worker);
        let mut state = self.state();
        let state = &mut *state;
        let place = leaf.place;
        state.tree.nodes[place].searched += positions;
        state.tree.spend(place, positions);
        state.tree.set(place, numbers);
        *state.searched.entry(place).or_default() += positions;
        state.positions += positions;
        state.own_positions += positions;
        let seconds = began.elapsed().as_secs_f64();
        (state.seconds, state.all_seconds) = (state.seconds + seconds, state.all_seconds + seconds);
        facts.iter().for_each(|fact| state.tree.learn(fact));
        state.facts.extend(facts);
        let node = &state.tree.nodes[place];
        if node.result().is_none() && node.searched >= PATIENCE * self.options.slice {
            self.expand(state, worker, place, &position, &leaf.turns);
        }
        let decided = self.decided_facts(&mut state.tree);
        self.prover.learn(&decided);
        state.facts.extend(decided);
        state.taken.remove(&place);
        if let Some(folder) = &state.folder {
            folder.release(&state.tree.nodes[place].situation);
        }
    }

    /// Results of nodes that were found just now.
    fn decided_facts(&self, tree: &mut Tree) -> Vec<Fact> {
        let places = tree.take_decided();
        let fact = |place: Place| {
            let node = &tree.nodes[place];
            let wins = node.result()?;
            Some(Fact { key: node.situation.key, spare: node.situation.spare, wins, work: node.work.max(1) })
        };
        places.into_iter().filter_map(fact).collect()
    }

    /// Makes an inner node of a leaf.
    fn expand(&self, state: &mut State, worker: usize, place: Place, position: &Amazons, path: &[Turn<Amazons>]) {
        let turns = self.prover.turns(worker, position);
        let number = |next: &Amazons| self.prover.numbers(worker, next, self.lead(next));
        let turns: Vec<_> = turns.into_iter().map(|(turn, next, situation)| (turn, situation, number(&next))).collect();
        let numbers = turns.iter().map(|&(.., numbers)| pair(numbers)).collect();
        state.expanded.push(Line::Expanded { path: self.path_text(path), numbers });
        state.tree.expand(place, turns);
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

    fn after(&self, turns: &[Turn<Amazons>]) -> Amazons {
        let mut position = self.root;
        turns.iter().flatten().for_each(|&step| position.play(step));
        position
    }

    fn path_text(&self, path: &[Turn<Amazons>]) -> String {
        let turns: Vec<_> = path.iter().map(|turn| self.root.turn_text(turn)).collect();
        turns.join(" ")
    }

    /// Writes what was found out since the last time.
    fn write(&self, state: &mut State) -> Result<(), ProvingError> {
        let mut lines = std::mem::take(&mut state.expanded);
        for (place, positions) in state.searched.drain() {
            let node = &state.tree.nodes[place];
            let (at, numbers) = (name_of(&node.situation), pair(node.numbers));
            lines.push(Line::Searched { at, numbers, positions, ever: node.searched });
        }
        if !lines.is_empty() {
            lines.push(Line::Spent { seconds: std::mem::take(&mut state.seconds) });
        }
        let facts = std::mem::take(&mut state.facts);
        match &mut state.folder {
            Some(folder) => folder.write(&lines, &facts),
            None => Ok(()),
        }
    }

    /// Reads what others found out.
    fn read_news(&self, state: &mut State, worker: usize) -> Result<(), ProvingError> {
        let Some(folder) = &mut state.folder else { return Ok(()) };
        let news = folder.news()?;
        self.prover.learn(&news.facts);
        let mut lines = std::mem::take(&mut state.waiting);
        lines.extend(news.lines);
        // A line may be about a node that a later one makes.
        loop {
            let count = lines.len();
            let mut waiting = Vec::new();
            for line in lines {
                if !self.read(state, worker, &line)? {
                    waiting.push(line);
                }
            }
            lines = waiting;
            if lines.is_empty() || lines.len() == count {
                break;
            }
        }
        state.waiting = lines;
        news.facts.iter().for_each(|fact| state.tree.learn(fact));
        let decided = self.decided_facts(&mut state.tree);
        self.prover.learn(&decided);
        Ok(())
    }

    /// Does what a line of another process says; `false` if it is about a node that is not known yet.
    fn read(&self, state: &mut State, worker: usize, line: &Line) -> Result<bool, ProvingError> {
        let wrong = || ProvingError::Damaged {
            path: PathBuf::from("tree"),
            what: "a line that does not fit this position, or is of another version".to_owned(),
        };
        match line {
            Line::Expanded { path, numbers: all } => {
                let mut position = self.root;
                for text in path.split_whitespace() {
                    let turn = position.parse_turn(text).map_err(|_| wrong())?;
                    turn.iter().for_each(|&step| position.play(step));
                }
                let Some(place) = state.tree.find(&self.prover.situation(worker, &position)) else { return Ok(false) };
                if state.tree.nodes[place].turns.is_none() {
                    let turns = self.prover.turns(worker, &position);
                    if turns.len() != all.len() {
                        return Err(wrong());
                    }
                    let turns = turns
                        .into_iter()
                        .zip(all)
                        .map(|((turn, _, situation), &pair)| Ok((turn, situation, numbers(pair).ok_or_else(wrong)?)));
                    let turns = turns.collect::<Result<_, ProvingError>>()?;
                    state.tree.expand(place, turns);
                }
            }
            Line::Searched { at, numbers: now, positions, ever } => {
                let situation = situation_of(at).ok_or_else(wrong)?;
                let Some(place) = state.tree.find(&situation) else { return Ok(false) };
                let numbers = numbers(*now).ok_or_else(wrong)?;
                let node = &mut state.tree.nodes[place];
                let newest = *ever >= node.searched;
                node.searched = node.searched.max(*ever);
                if newest || numbers.result().is_some() {
                    state.tree.set(place, numbers);
                }
                state.tree.spend(place, *positions);
                state.positions += positions;
            }
            Line::Spent { seconds } => state.all_seconds += seconds,
        }
        Ok(true)
    }

    /// How far it has come.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read.
    pub fn status(&self) -> Result<Status, ProvingError> {
        let state = self.state();
        let workers = state.folder.as_ref().map(Folder::workers).transpose()?.unwrap_or_default();
        let decided = state.folder.as_ref().map(Folder::decided).transpose()?.flatten();
        let turn_text = |turn: &Turn<Amazons>| self.root.turn_text(turn);
        let (variant, fen) = (self.variant.name, self.root.fen());
        let spent = (state.positions, state.all_seconds);
        Ok(Status::new(variant, fen, &state.tree, spent, &workers, decided, &turn_text))
    }
}
