//! Monte Carlo tree search over steps. Knows no text and no terminal: it reports to whoever called it.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `tree` | nodes of 32 bytes in a bounded arena of two halves that swap when full |
//! | `table` | what is known of positions wherever they occur, in a `dashmap` |
//! | `simulation` | one simulation: PUCT down, a judgement at the leaf, means and proofs back up |
//! | `ranking` | the steps of a position by falling prior: policy, and judgements of what it proposes |
//! | `round`, `worker` | all threads at work until memory is full; the loop of one |
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
mod round;
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

use crate::endgame::Proof;
use crate::eval::Evaluator;
use crate::games::{Game, Position, Step, Turn};
pub use parameters::Parameters;
use proof::Prover;
use rayon::ThreadPool;
use root::Root;
use round::{Desk, Round};
use simulation::Context;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use supervisor::Supervisor;
use table::Table;
use thiserror::Error;
use time::Lag;
use tree::Tree;
use unsearched::{certain, drawn, finished};
use worker::Progress;

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
    /// Threads for all workers but the first, which runs on the caller's.
    workers: Option<ThreadPool>,
    /// The game whose last position is the tree's root; `None` if the tree must not be used again.
    searched: Option<Game<P>>,
    /// The tree has lent most of its memory to a prover.
    lent: bool,
    lag: Lag,
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
        let parameters = Parameters::default();
        let (searched, lent, lag) = (None, false, Lag::default());
        Ok(Self { evaluator, parameters, settings, tree, table, workers, searched, lent, lag })
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
        let Settings { hash, threads: count, .. } = self.settings;
        let workers = if settings.threads == count { None } else { Some(threads(settings.threads)?) };
        let memory = if settings.hash == hash { None } else { Some(memory(settings.hash)?) };
        if let Some(workers) = workers {
            self.workers = workers;
        }
        if let Some((tree, table)) = memory {
            (self.tree, self.table) = (tree, table);
            (self.searched, self.lent) = (None, false);
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
        self.restore_memory();
        self.tree.clear();
        self.table.clear();
        self.searched = None;
    }

    /// Searches the game's last position and returns the final report: its first line begins with the best turn, and there
    /// is at least one line unless the game is over. `reporter` is called now and then on the way, from whatever thread, and with
    /// the final report as soon as that is known: cleaning up may take longer. Blocks until a limit is reached or `control`
    /// stops the search; an infinite or pondering search that has nothing more to do waits for that.
    pub fn run(
        &mut self,
        game: &Game<P>,
        limits: &Limits<P>,
        control: &Control,
        reporter: &mut (dyn FnMut(&Report<P>) + Send),
    ) -> Report<P> {
        let began = Instant::now();
        let ordered = limits.ordered.unwrap_or(began);
        let root = game.current();
        let known = self.without_search(root, limits, &Progress::new(ordered, None));
        if let Some((report, shown)) = known {
            if shown && (limits.infinite || limits.ponder) {
                reporter(&report);
            }
            control.wait_until_released(limits.infinite);
            let report = Report { last: true, ..report };
            reporter(&report);
            return report;
        }
        self.restore_memory();
        let prover = self.prover(root, limits);
        self.take_root(game, limits);
        let budget = time::budget(limits, root.turns_to_think_about()).map(|budget| self.lag.spare(budget));
        let most = budget.filter(|_| !limits.infinite).map(|budget| budget.most);
        let progress = Progress::new(ordered, most);
        progress.set_deadline(control);
        let proof_suffices = self.settings.multi_pv == 1;
        let supervisor = Supervisor::new(limits, control, &progress, budget, proof_suffices, self.tree.visits());
        let is_watched = budget.is_some() || limits.infinite || limits.ponder || limits.mate.is_some();
        let desk = Mutex::new(Desk { supervisor, reporter, solution: None, answer: None, late: Duration::ZERO });
        while !progress.finished() && !control.stopped() {
            if self.tree.is_worn() {
                self.tree.halve();
            }
            if progress.begin_round() {
                self.tree.flip();
            }
            if self.table.is_full() {
                self.table.turn_over();
            }
            let context = self.context(root, limits);
            let round = Round::new(self, &context, (limits, control, &progress), prover.as_ref(), &desk);
            round.run(self.workers.as_ref(), is_watched);
        }
        let Desk { reporter, solution, answer, late, .. } = desk.into_inner().unwrap_or_else(PoisonError::into_inner);
        let report = answer.unwrap_or_else(|| {
            if let (Some(_), false) = (&solution, control.is_released(limits.infinite)) {
                let report = self.conclusion(&self.context(root, limits), &progress, solution.as_ref());
                reporter(&Report { last: false, ..report });
            }
            control.wait_until_released(limits.infinite);
            let report = self.conclusion(&self.context(root, limits), &progress, solution.as_ref());
            reporter(&report);
            report
        });
        if budget.is_some() {
            self.lag.note(late.max(began.saturating_duration_since(ordered)), limits.overhead);
        }
        // From here on nobody waits for an answer, but all for the memory: of a large one this takes its time.
        drop(prover);
        self.restore_memory();
        if !limits.turns.is_empty() {
            // Proofs among some turns only are no truths.
            self.tree.clear();
            self.searched = None;
        }
        report
    }

    /// The report on a position that need not be searched, and whether it is worth showing before its time.
    fn without_search(&mut self, root: &P, limits: &Limits<P>, progress: &Progress) -> Option<(Report<P>, bool)> {
        if let Some(outcome) = root.outcome() {
            return Some((finished(root, outcome, progress), false));
        }
        if let Some(sharpness) = limits.by_policy {
            return Some((drawn(&self.evaluator, root, limits, (sharpness, self.settings.seed), progress), false));
        }
        if self.settings.multi_pv > 1 || !limits.turns.is_empty() {
            return None;
        }
        let (turns, proof) = self.evaluator.certain_line(root, limits.is_patient())?;
        // The tree tells of an earlier position.
        self.searched = None;
        Some((certain(root, turns, proof, progress), true))
    }

    /// The final report: what the prover found, if it found something, or what the tree says.
    fn conclusion(
        &self,
        context: &Context<'_, P, E>,
        progress: &Progress,
        solution: Option<&(Vec<Turn<P>>, Proof)>,
    ) -> Report<P> {
        let report = match solution {
            Some((turns, proof)) => {
                let nodes = progress.nodes.load(Relaxed);
                Report { nodes, ..certain(context.root, turns.clone(), *proof, progress) }
            }
            None => self.report(&Root { context }, progress),
        };
        Report { last: true, ..report }
    }

    /// A search for a proof, if one is wanted; it may take over most of the tree's memory.
    fn prover(&mut self, root: &P, limits: &Limits<P>) -> Option<Prover<P>> {
        let bytes = self.tree.bytes();
        let prover = Prover::new(&self.evaluator, root, &self.settings, limits, bytes)?;
        if prover.comes_first() {
            self.tree = Tree::new(bytes / proof::TREE_SHARE)?;
            self.searched = None;
            self.lent = true;
        }
        Some(prover)
    }

    /// Gives the tree all of the memory back that it lent; if that is not to be had, what is: then [`Settings::hash`] tells.
    fn restore_memory(&mut self) {
        if !self.lent {
            return;
        }
        (self.lent, self.searched) = (false, None);
        let (full, table) = shares(self.settings.hash);
        let less = |bytes: &usize| Some(bytes / 2);
        let mut sizes = std::iter::successors(Some(full), less).take_while(|&bytes| bytes > self.tree.bytes());
        if let Some(tree) = sizes.find_map(Tree::new) {
            self.tree = tree;
        }
        self.settings.hash = (self.tree.bytes() + table) >> 20;
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
        let mut lines = root.lines(self.settings.multi_pv);
        lines.iter_mut().for_each(|line| line.visits = self.tree.in_full(line.visits));
        let depth = lines.first().map_or(0, |line| line.turns.len() as u32);
        // Workers tell the root last: while they are under way, the lines may know of more.
        let below: u64 = lines.iter().map(|line| line.visits).sum();
        Report {
            score: root.score(&lines),
            last: false,
            depth,
            selective_depth: progress.deepest.load(Relaxed).max(depth),
            nodes: progress.nodes.load(Relaxed),
            visits: self.tree.visits().max(below),
            time: progress.started.elapsed(),
            hash_full: self.tree.full_per_mille(),
            exact_hits: progress.exact_hits.load(Relaxed),
            lines,
            proof: None,
        }
    }
}

/// Share of the memory for the table, the rest is the tree's: one part in so many.
const TABLE_SHARE: usize = 8;
/// But never more: its allocation cannot fail gracefully, and a share of a huge memory is not needed.
const LARGEST_TABLE: usize = 512 << 20;

/// Bytes of tree and table in so many MiB.
fn shares(hash: usize) -> (usize, usize) {
    let bytes = hash.max(1) << 20;
    let table = (bytes / TABLE_SHARE).min(LARGEST_TABLE);
    (bytes - table, table)
}

fn memory(hash: usize) -> Result<(Tree, Table), SettingsError> {
    let (tree, table) = shares(hash);
    let tree = Tree::new(tree).filter(|_| is_available(table)).ok_or(SettingsError::Memory(hash))?;
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

/// Threads for so many workers but one.
fn threads(count: usize) -> Result<Option<ThreadPool>, SettingsError> {
    if count <= 1 {
        return Ok(None);
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(count - 1)
        .thread_name(|index| format!("search-{index}"))
        .build()
        .map(Some)
        .map_err(|error| SettingsError::Threads(count, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::Solve;
    use crate::eval::amazons::AmazonsEvaluator;
    use crate::eval::{Judgement, Term, Value};
    use crate::games::amazons::Amazons;
    use crate::games::{Notation, variant};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::AtomicI64;

    const SMALL: &str = "1q2q1/q4q/Q4Q/1Q2Q1 w - - 0 1";

    fn game(fen: &str) -> Game<Amazons> {
        Game::new(Amazons::from_fen(variant::find("amazons").unwrap(), fen).unwrap())
    }

    fn nodes(nodes: u64) -> Limits<Amazons> {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Panics after so many judgements.
    struct Faulty(AmazonsEvaluator, AtomicI64);

    impl Evaluator<Amazons> for Faulty {
        fn judge(&self, position: &Amazons) -> Judgement {
            assert!(self.1.fetch_sub(1, Relaxed) > 0, "as it should");
            self.0.judge(position)
        }
        fn policy(&self, position: &Amazons, steps: &[<Amazons as Position>::Step], logits: &mut [f32]) {
            self.0.policy(position, steps, logits);
        }
        fn explain(&self, position: &Amazons) -> (Value, Vec<Term>) {
            self.0.explain(position)
        }
        fn identity(&self) -> Vec<u8> {
            Vec::new()
        }
        fn remarks(&self, _: &Amazons) -> Vec<String> {
            Vec::new()
        }
        fn solver(&self, root: &Amazons, bytes: usize) -> Option<Box<dyn Solve<Amazons>>> {
            self.0.solver(root, bytes)
        }
    }

    #[test]
    fn a_panic_of_any_worker_ends_the_search_and_the_tree_gets_its_memory_back() {
        for threads in [1, 3] {
            let settings = Settings { hash: 4, threads, ..Settings::default() };
            let mut search =
                Search::new(Faulty(AmazonsEvaluator::default(), AtomicI64::new(300)), settings.clone()).unwrap();
            let bytes = search.tree.bytes();
            let small = game(SMALL);
            for (limits, root) in [
                (Limits { mate: Some(99), ..Limits::default() }, &small),
                (Limits { infinite: true, ..Limits::default() }, &game(variant::DEFAULT.start)),
            ] {
                search.evaluator.1.store(300, Relaxed);
                let run = || search.run(root, &limits, &Control::default(), &mut |_| ()).nodes;
                assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
                assert_eq!(search.tree.bytes() < bytes, limits.mate.is_some());
                search.clear();
                assert_eq!((search.tree.bytes(), &search.settings), (bytes, &settings));
            }
            search.evaluator.1.store(i64::MAX, Relaxed);
            search.run(&small, &Limits { mate: Some(99), ..nodes(20_000) }, &Control::default(), &mut |_| ());
            assert_eq!(search.tree.bytes(), bytes);
            assert_eq!(search.settings, settings);
        }
    }

    #[test]
    fn settings_that_cannot_be_had_change_nothing() {
        let settings = Settings { hash: 1, threads: 2, ..Settings::default() };
        let mut search = Search::new(AmazonsEvaluator::default(), settings.clone()).unwrap();
        // Where even this is to be had there is nothing to see.
        if search.set(Settings { hash: 1 << 20, threads: 5, seed: 7, ..settings.clone() }).is_err() {
            assert_eq!(search.settings, settings);
            assert_eq!(search.workers.as_ref().map(ThreadPool::current_num_threads), Some(1));
            assert_eq!(search.run(&game(SMALL), &nodes(100), &Control::default(), &mut |_| ()).lines.len(), 1);
        }
    }

    #[test]
    fn counters_that_are_full_are_halved_and_the_search_goes_on() {
        let start = game("4q2*2/1q2*Q4/10/9q/9*/3q4*1/1*1**4Q/*9/6Q3/1*1Q6 b");
        for threads in [1, 2] {
            let settings = Settings { hash: 16, threads, multi_pv: 3, ..Settings::default() };
            let mut search = Search::new(AmazonsEvaluator::default(), settings).unwrap();
            let run = |search: &mut Search<_, _>| search.run(&start, &nodes(20_000), &Control::default(), &mut |_| ());
            let before = run(&mut search);
            // As after days: each node of the best line has a thousandth less visits than the one above it.
            let mut node = search.tree.root();
            let mut visits = tree::MOST_VISITS - 1_000;
            for step in std::iter::once(None).chain(before.lines[0].turns[0].iter().map(Some)) {
                if let Some(step) = step {
                    let mut children = search.tree.children(node);
                    node = children.find(|&id| search.tree.node(id).step_code() == step.code()).unwrap();
                }
                let node = search.tree.node(node);
                let more = visits - node.visits();
                let mean = f64::from(node.white_mean());
                node.leave((f64::from(more) * mean * tree::SCORE_ONE as f64) as i64, more, 0);
                visits -= visits / 1_000;
            }
            let full = search.tree.visits();
            assert_eq!(full, u64::from(tree::MOST_VISITS) - 1_000);
            let mut last = full;
            for _ in 0..3 {
                let after = run(&mut search);
                // It searched on, counted on, and the line that was best is.
                assert!((20_000..21_000).contains(&after.nodes), "{}", after.nodes);
                assert!((last + 1_000..last + 21_000).contains(&after.visits), "{} after {last}", after.visits);
                assert_eq!(after.lines[0].turns[0], before.lines[0].turns[0]);
                let share = after.lines[0].visits as f64 / after.visits as f64;
                assert!((0.99..=1.0).contains(&share), "{share}");
                let score = |report: &Report<Amazons>| match report.lines[0].score {
                    Score::Estimate { score, .. } => score,
                    other => panic!("{other:?}"),
                };
                assert!((score(&before) - score(&after)).abs() < 0.01);
                last = after.visits;
            }
            assert!(search.tree.node(search.tree.root()).visits() < tree::MOST_VISITS / 2 + 100_000);
        }
    }

    #[test]
    fn late_workers_do_not_delay_the_answer() {
        /// Workers are kept waiting for longer than they have time.
        struct Slow;

        impl Evaluator<Amazons> for Slow {
            fn judge(&self, _: &Amazons) -> Judgement {
                if std::thread::current().name() != Some("watch") {
                    std::thread::sleep(Duration::from_millis(300));
                }
                Judgement::Estimate(Value { white: 0.5, draw: 0.0 })
            }
            fn policy(&self, _: &Amazons, _: &[<Amazons as Position>::Step], logits: &mut [f32]) {
                logits.fill(0.0);
            }
            fn explain(&self, position: &Amazons) -> (Value, Vec<Term>) {
                (self.judge(position).value(), Vec::new())
            }
            fn identity(&self) -> Vec<u8> {
                Vec::new()
            }
            fn remarks(&self, _: &Amazons) -> Vec<String> {
                Vec::new()
            }
        }
        let start = game(variant::DEFAULT.start);
        for threads in [1, 2] {
            let mut search = Search::new(Slow, Settings { hash: 1, threads, ..Settings::default() }).unwrap();
            let limits = Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() };
            // On a busy machine the watch may be late as well, but not five times.
            let is_quick = (0..5).any(|_| {
                let (began, mut answered) = (Instant::now(), Duration::ZERO);
                search.run(&start, &limits, &Control::default(), &mut |report| {
                    assert!(report.last);
                    answered = began.elapsed();
                });
                assert!(answered >= Duration::from_millis(50), "{answered:?}");
                answered + Duration::from_millis(100) < began.elapsed()
            });
            assert!(is_quick);
        }
    }
}
