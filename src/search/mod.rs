//! Monte Carlo tree search over steps. Knows no text and no terminal: it reports to whoever called it.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `tree` | nodes of 32 bytes in a bounded arena of two halves that swap when full |
//! | `table` | what is known of positions wherever they occur, in a `dashmap` |
//! | `simulation` | one simulation: PUCT down, a judgement at the leaf, means and proofs back up |
//! | `ranking` | the steps of a position by falling prior: policy, and judgements of what it proposes |
//! | `worker` | the loop of one thread |
//! | `supervisor`, `time` | when to report and when to stop |
//! | `proof` | a solver beside the tree: for `mate` on all threads, for `infinite` on one |
//! | `root` | turns, lines and scores read off the tree |
//! | `statistics` | what a search made of every step, for those who learn from it or draw it |
//! | `unsearched` | answers that need no search |
//!
//! A node stands for the position after one step, and the same side decides before and after a half-turn: nothing in the
//! search knows how many steps make a turn. Leaves are at the start of a turn: in the middle of one nothing is judged, the
//! simulation goes on with the best step. Scores in the tree are White's.
//!
//! Why it does what it does, in figures: [`experiments`].

mod control;
#[doc = include_str!("experiments.md")]
pub mod experiments {}
mod limits;
mod parameters;
mod proof;
mod ranking;
mod report;
mod root;
mod simulation;
mod statistics;
mod supervisor;
mod table;
mod time;
mod tree;
mod unsearched;
mod worker;

pub use control::Control;
pub use limits::{Clock, Limits};
pub use report::{Line, Report, Score};
pub use statistics::{SearchedFn, StepStatistics};

use crate::eval::Evaluator;
use crate::games::{Game, Position, Step};
pub use parameters::Parameters;
use proof::Prover;
use rayon::ThreadPool;
use root::Root;
use simulation::Context;
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use supervisor::Supervisor;
use table::Table;
use thiserror::Error;
use tree::Tree;
use unsearched::{certain, drawn, finished};
use worker::{Progress, work};

/// What a search can be told beforehand, and keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Memory for tree and table together, MiB.
    pub hash: usize,
    /// Worker threads.
    pub threads: usize,
    /// Lines to report.
    pub multi_pv: usize,
    /// Breaks ties between equal steps; the same seed gives the same search.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { hash: 256, threads: 1, multi_pv: 1, seed: 0 }
    }
}

/// Why settings could not be taken; the old ones stay.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The system has not so much memory.
    #[error("cannot allocate {0} MiB for the search tree")]
    Memory(usize),
    /// The system gives not so many threads.
    #[error("cannot start {0} threads: {1}")]
    Threads(usize, String),
}

/// The tree, the table and the workers' threads for one game and one evaluation. They last from search to search.
pub struct Search<P: Position, E: Evaluator<P>> {
    evaluator: E,
    parameters: Parameters,
    settings: Settings,
    tree: Tree,
    table: Table,
    /// Threads of their own; a single worker runs on the caller's.
    workers: Option<ThreadPool>,
    /// The game whose last position is the tree's root; `None` if the tree must not be used again.
    searched: Option<Game<P>>,
}

impl<P: Position, E: Evaluator<P>> Search<P, E> {
    /// A search with these settings.
    ///
    /// # Errors
    ///
    /// If the system has not so much memory, or so many threads.
    pub fn new(evaluator: E, settings: Settings) -> Result<Self, SettingsError> {
        let (tree, table) = memory(settings.hash)?;
        let workers = threads(settings.threads)?;
        Ok(Self { evaluator, parameters: Parameters::default(), settings, tree, table, workers, searched: None })
    }

    /// The evaluation in use.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Takes new settings; on an error the old ones stay in force. A new `hash` forgets the tree.
    ///
    /// # Errors
    ///
    /// If the system has not so much memory, or so many threads.
    pub fn set(&mut self, settings: Settings) -> Result<(), SettingsError> {
        if settings.threads != self.settings.threads {
            self.workers = threads(settings.threads)?;
            self.settings.threads = settings.threads;
        }
        if settings.hash != self.settings.hash {
            (self.tree, self.table) = memory(settings.hash)?;
            self.searched = None;
        }
        if settings.seed != self.settings.seed {
            self.clear();
        }
        self.settings = settings;
        Ok(())
    }

    /// The constants in force.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Takes other constants than the tuned ones, for experiments. Forgets the tree.
    pub fn set_parameters(&mut self, parameters: Parameters) {
        self.parameters = parameters;
        self.clear();
    }

    /// Forgets the tree and the table.
    pub fn clear(&mut self) {
        self.tree.clear();
        self.table.clear();
        self.searched = None;
    }

    /// Searches the game's last position and returns the final report: its first line begins with the best turn, and there
    /// is at least one line unless the game is over. `reporter` is called now and then on the way. Blocks until a
    /// limit is reached or `control` stops the search; an infinite or pondering search that has nothing more to do
    /// waits for that.
    pub fn run(
        &mut self,
        game: &Game<P>,
        limits: &Limits<P>,
        control: &Control,
        reporter: &mut (dyn FnMut(&Report<P>) + Send),
    ) -> Report<P> {
        let progress = Progress::new();
        let root = game.current().clone();
        if let Some(outcome) = root.outcome() {
            control.wait_until_released(limits.infinite);
            return finished(&root, outcome, &progress);
        }
        if let Some(sharpness) = limits.by_policy {
            let report = drawn(&self.evaluator, &root, limits, (sharpness, self.settings.seed), &progress);
            control.wait_until_released(limits.infinite);
            return report;
        }
        if self.settings.multi_pv == 1
            && limits.turns.is_empty()
            && let Some((turns, proof)) = self.evaluator.certain_line(&root)
        {
            // The tree tells of an earlier position.
            self.searched = None;
            let report = certain(&root, turns, proof, &progress);
            if limits.infinite || limits.ponder {
                reporter(&report);
                control.wait_until_released(limits.infinite);
            }
            return report;
        }
        let prover = self.prover(&root, limits);
        let mut solution = None;
        self.take_root(game, limits);
        let budget = time::budget(limits, root.turns_to_think_about());
        let proof_suffices = self.settings.multi_pv == 1;
        let mut supervisor = Supervisor::new(limits, control, &progress, budget, proof_suffices);
        while !progress.finished() && !control.stopped() {
            if progress.begin_round() {
                self.tree.flip();
            }
            if self.table.is_full() {
                self.table.turn_over();
            }
            let context = self.context(&root, limits);
            let eye = Root { context: &context };
            let mut supervise = || {
                if let Some(prover) = &prover {
                    progress.nodes.fetch_add(prover.advance(progress.nodes.load(Relaxed)), Relaxed);
                    solution = prover.solved();
                    if solution.is_some() {
                        return false;
                    }
                }
                if supervisor.report_due() {
                    let proof = prover.as_ref().and_then(Prover::standing);
                    reporter(&Report { proof, ..self.report(&eye, &progress) });
                }
                supervisor.go_on(&eye)
            };
            let supervise: Mutex<&mut (dyn FnMut() -> bool + Send)> = Mutex::new(&mut supervise);
            let node_limit = limits.nodes.unwrap_or(u64::MAX);
            let run = |index: usize, workers: usize| {
                if index > 0
                    && let Some(prover) = prover.as_ref().filter(|prover| prover.comes_first())
                {
                    return prover.work(index, &progress, node_limit, control);
                }
                let mut locked = if index == 0 { supervise.lock().ok() } else { None };
                let supervise = locked.as_mut().map(|guard| &mut ***guard as &mut dyn FnMut() -> bool);
                work(&context, &progress, node_limit, workers, control, supervise);
            };
            match &self.workers {
                Some(pool) => _ = pool.broadcast(|worker| run(worker.index(), worker.num_threads())),
                None => run(0, 1),
            }
        }
        let report = match solution {
            Some((turns, proof)) => {
                let nodes = progress.nodes.load(Relaxed);
                let report = Report { nodes, ..certain(&root, turns, proof, &progress) };
                reporter(&report);
                control.wait_until_released(limits.infinite);
                report
            }
            None => {
                control.wait_until_released(limits.infinite);
                let context = self.context(&root, limits);
                self.report(&Root { context: &context }, &progress)
            }
        };
        if prover.is_some_and(|prover| prover.comes_first()) {
            self.restore_memory();
        }
        if !limits.turns.is_empty() {
            // Proofs among some turns only are no truths.
            self.tree.clear();
            self.searched = None;
        }
        report
    }

    /// A search for a proof, if one is wanted; it may take over most of the tree's memory.
    fn prover(&mut self, root: &P, limits: &Limits<P>) -> Option<Prover<P>> {
        let bytes = self.tree.bytes();
        let prover = Prover::new(&self.evaluator, root, &self.settings, limits, bytes)?;
        if prover.comes_first() {
            self.tree = Tree::new(bytes / proof::TREE_SHARE)?;
            self.searched = None;
        }
        Some(prover)
    }

    /// Gives the tree all of its memory back.
    fn restore_memory(&mut self) {
        if let Ok((tree, _)) = memory(self.settings.hash) {
            self.tree = tree;
            self.searched = None;
        }
    }

    fn context<'a>(&'a self, root: &'a P, limits: &'a Limits<P>) -> Context<'a, P, E> {
        Context {
            tree: &self.tree,
            table: &self.table,
            evaluator: &self.evaluator,
            parameters: &self.parameters,
            root,
            seed: self.settings.seed,
            turns: &limits.turns,
            many_lines: self.settings.multi_pv > 1,
        }
    }

    /// Goes on with the tree of the last search if this game continues that one, else begins a new one.
    fn take_root(&mut self, game: &Game<P>, limits: &Limits<P>) {
        let steps = self.searched.as_ref().and_then(|searched| game.steps_since(searched));
        let known = steps.filter(|_| limits.turns.is_empty()).and_then(|steps| {
            steps.iter().try_fold(self.tree.root(), |node, step| {
                self.tree.with_children(node, &mut self.tree.room(1)).ok()?;
                self.tree.children(node).find(|&id| self.tree.node(id).step_code() == step.code())
            })
        });
        match known {
            Some(node) => self.tree.set_root(node),
            None => self.tree.clear(),
        }
        self.searched = Some(game.clone());
    }

    fn report(&self, root: &Root<'_, P, E>, progress: &Progress) -> Report<P> {
        let lines = root.lines(self.settings.multi_pv);
        let depth = lines.first().map_or(0, |line| line.turns.len() as u32);
        // Workers tell the root last: while they are under way, the lines may know of more.
        let below: u64 = lines.iter().map(|line| line.visits).sum();
        Report {
            depth,
            selective_depth: progress.deepest.load(Relaxed).max(depth),
            nodes: progress.nodes.load(Relaxed),
            visits: u64::from(self.tree.node(self.tree.root()).visits()).max(below),
            time: progress.started.elapsed(),
            hash_full: self.tree.full_per_mille(),
            exact_hits: progress.exact_hits.load(Relaxed),
            lines,
            proof: None,
            finished: None,
        }
    }
}

/// Share of the memory for the table, the rest is the tree's: one part in so many.
const TABLE_SHARE: usize = 8;
/// But never more: its allocation cannot fail gracefully, and a share of a huge memory is not needed.
const LARGEST_TABLE: usize = 512 << 20;

fn memory(hash: usize) -> Result<(Tree, Table), SettingsError> {
    let bytes = hash.max(1) << 20;
    let table = (bytes / TABLE_SHARE).min(LARGEST_TABLE);
    let tree = Tree::new(bytes - table).filter(|_| is_available(table)).ok_or(SettingsError::Memory(hash))?;
    Ok((tree, Table::new(table)))
}

/// Whether the system has so many bytes left, and a few more. Maps cannot be refused memory gracefully, so it is asked before.
fn is_available(bytes: usize) -> bool {
    let mut probe = Vec::<u8>::new();
    let asked = probe.try_reserve_exact(bytes + bytes / 4);
    // Or the compiler sees that nothing is done with it.
    std::hint::black_box(&mut probe);
    asked.is_ok()
}

fn threads(count: usize) -> Result<Option<ThreadPool>, SettingsError> {
    if count <= 1 {
        return Ok(None);
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(count)
        .thread_name(|index| format!("search-{index}"))
        .build()
        .map(Some)
        .map_err(|error| SettingsError::Threads(count, error.to_string()))
}
