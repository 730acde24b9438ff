//! Monte Carlo tree search over steps. It neither reads nor prints text; it reports to its caller.
//!
//! Bottom to top; each module uses only those above it in this table:
//!
//! | module | its one idea |
//! | --- | --- |
//! | `clock` | the time |
//! | `parameters`, `control`, `limits`, `report`, `settings`, `task` | what a search is told, and what it reports |
//! | `progress` | what the workers share beside the tree: counters, and when to stop |
//! | `time` | how long a search may take |
//! | `table` | what is known of positions wherever they occur, in a `dashmap` |
//! | `tree` | nodes of 32 bytes in a bounded arena, whose two halves swap when it is full |
//! | `ranking` | the steps of a position by falling prior: the policy, and evaluations of what it proposes |
//! | `simulation` | one simulation: PUCT down, an evaluation at the leaf, means and proofs back up |
//! | `batch` | simulations whose leaves are evaluated together |
//! | `worker` | the loop of one thread |
//! | `unsearched` | answers that need no search |
//! | `root` | turns, lines and scores read off the tree |
//! | `store` | the tree and the table, which last from one search to the next |
//! | `proof` | a solver beside the tree: for `mate` on all threads, for `infinite` on one |
//! | `supervisor`, `reporting` | when to stop and to report; the reports and the answer |
//! | `round` | all threads at work until memory is full |
//! | `run` | one search: rounds, the answer, and what is left to do after it |
//! | this one | [`Search`], which lasts from one search to the next |
//! | `statistics` | what a search found out about every step, for learning and for drawings |
//!
//! A node stands for the position after one step, and a turn is one or two steps. In the middle of a turn the same side
//! decides again: simulations, priors and proofs know nothing else of turns; `root` reads turns of one or two steps off
//! the tree. Leaves are at the start of a turn: in the middle of one, nothing is evaluated, and the simulation goes on
//! with the best step. Only an evaluator of batches ([`Evaluator::batch`]) has leaves in the middle of turns. Scores in
//! the tree are White's, those of reports are those of the side to move.
//!
//! [`experiments`] has the measurements behind it.

mod batch;
pub(crate) mod clock;
mod control;
mod reporting;
#[doc = include_str!("experiments.md")]
pub mod experiments {}
mod limits;
mod progress;
mod proof;
mod ranking;
mod report;
mod root;
mod round;
mod run;
mod settings;
mod simulation;
mod statistics;
mod store;
mod supervisor;
mod table;
mod task;
mod time;
#[cfg(test)]
mod timing_tests;
mod tree;
mod unsearched;
mod worker;
#[cfg(test)]
mod written;

pub use crate::eval::Parameters;
pub use control::Control;
pub use limits::{Clock, Limits};
pub use report::{Line, Report, Score};
pub use settings::{Settings, SettingsError};
pub use statistics::StepStatistics;

use crate::endgame::Work;
use crate::eval::Evaluator;
use crate::games::{Game, Position};
use rayon::ThreadPool;
use round::threads;
use run::{Run, Tools};
use store::Store;
use task::Task;
use time::{Lag, beside};
use unsearched::Known;

/// A search for one game with one evaluation: the tree, the table and the threads. They last from one search to the
/// next.
///
/// ```
/// use hippolyta::eval::amazons::AmazonsEvaluator;
/// use hippolyta::games::{Game, Notation, amazons::Amazons, variant};
/// use hippolyta::search::{Control, Limits, Score, Search, Settings};
///
/// let variant = &variant::find("amazons")?;
/// let game = Game::new(Amazons::from_fen(variant, "q1*/**1/2Q w")?);
/// let mut search = Search::new(AmazonsEvaluator::default(), Settings { hash: 1, ..Settings::default() })?;
/// let limits = Limits::default();
/// let report = search.run(&game, &limits, &Control::default(), &mut |_| ());
/// assert_eq!(report.lines[0].turns[0], game.current().parse_turn("c1c2,c2b3")?);
/// assert_eq!(report.score, Score::Win { plies: 1 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Search<P: Position, E: Evaluator<P>> {
    evaluator: E,
    parameters: Parameters,
    settings: Settings,
    store: Store<P>,
    /// Threads for all workers but the first, which runs on the caller's.
    pool: Option<ThreadPool>,
    lag: Lag,
}

impl<P: Position, E: Evaluator<P>> Search<P, E> {
    /// A search with these settings.
    ///
    /// # Errors
    ///
    /// If the system refuses the memory or the threads.
    pub fn new(evaluator: E, settings: Settings) -> Result<Self, SettingsError> {
        let (store, pool) = (Store::new(settings.hash)?, threads(settings.threads)?);
        let parameters = evaluator.parameters();
        Ok(Self { evaluator, parameters, settings, store, pool, lag: Lag::default() })
    }

    /// The evaluator.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// The settings in force.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Takes new settings. On an error the old ones stay in force. Another `hash` or `seed` forgets the tree.
    ///
    /// # Errors
    ///
    /// If the system refuses the memory or the threads.
    pub fn set(&mut self, settings: Settings) -> Result<(), SettingsError> {
        let Settings { hash, threads: count, seed, .. } = self.settings;
        let pool = if settings.threads == count { None } else { Some(threads(settings.threads)?) };
        let store = if settings.hash == hash { None } else { Some(Store::new(settings.hash)?) };
        self.settings = settings;
        if let Some(pool) = pool {
            self.pool = pool;
        }
        if let Some(store) = store {
            self.store = store;
        }
        if self.settings.seed != seed {
            self.clear();
        }
        Ok(())
    }

    /// The constants of the search.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Sets the constants of the search, for experiments and self-play. Forgets the tree.
    pub fn set_parameters(&mut self, parameters: Parameters) {
        self.parameters = parameters;
        self.clear();
    }

    /// Forgets the tree and the table.
    pub fn clear(&mut self) {
        self.store.clear();
        self.settings.hash = self.store.hash();
    }

    /// Searches the current position of `game` and returns the final report. Its first line begins with the best turn.
    /// There is at least one line unless the game is over.
    ///
    /// Calls `reporter` now and then, from any thread but never from two at once, and with the final report as soon as
    /// it is known. Blocks until a limit is reached or `control` stops the search; an infinite or pondering search
    /// waits for `control` even if nothing is left to do. It may return noticeably later than the last call of
    /// `reporter`, because cleaning up takes time.
    pub fn run(
        &mut self,
        game: &Game<P>,
        limits: &Limits<P>,
        control: &Control,
        reporter: &mut (dyn FnMut(&Report<P>) + Send),
    ) -> Report<P> {
        let task = Task::new(game, limits, control);
        if let Some(report) = self.known(&task, reporter) {
            return report;
        }
        let mut run = Run::new(self.tools(), task, Some(reporter));
        run.rounds();
        let report = run.end();
        self.settings.hash = self.store.hash();
        report
    }

    /// Searches like [`run`](Self::run) without a reporter, but stops at its leaves if the evaluator takes batches,
    /// while these wait for their evaluation ([`Evaluator::poll_batch`]): so many searches go on in turn on one thread.
    /// It stops for nothing else: an infinite or pondering search, one on several threads, and one beside a proof
    /// search block. If the future is dropped before it is ready, the tree must be [cleared](Self::clear).
    #[cfg(feature = "own")]
    pub async fn think(&mut self, game: &Game<P>, limits: &Limits<P>, control: &Control) -> Report<P> {
        let task = Task::new(game, limits, control);
        if let Some(report) = self.known(&task, &mut |_| ()) {
            return report;
        }
        let mut run = Run::new(self.tools(), task, None);
        run.stop_at_leaves().await;
        let report = run.end();
        self.settings.hash = self.store.hash();
        report
    }

    /// The answer to a task that needs no search.
    fn known(&mut self, task: &Task<'_, P>, reporter: &mut dyn FnMut(&Report<P>)) -> Option<Report<P>> {
        let known = Known::find(&self.evaluator, &self.settings, task, self.lag)?;
        if known.is_certain {
            // The tree is about an earlier position.
            self.store.searched = None;
        }
        Some(known.answer(task, reporter))
    }

    /// Does `work` that is wanted beside a search of the same game with the same limits, before it: with a quarter of the
    /// time at most. The search counts its time from [`Limits::ordered`], or else from its own beginning.
    pub fn beside<R>(
        &self,
        game: &Game<P>,
        limits: &Limits<P>,
        control: &Control,
        work: impl FnOnce(&Work<'_>) -> R,
    ) -> R {
        beside(&Task::new(game, limits, control), self.lag, 4, work)
    }

    fn tools(&mut self) -> Tools<'_, P, E> {
        let Self { evaluator, parameters, settings, store, pool, lag } = self;
        Tools { evaluator, parameters, settings, pool: pool.as_ref(), store, lag }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::Oracle;
    use crate::eval::amazons::AmazonsEvaluator;
    use crate::eval::{Evaluation, Term, Value};
    use crate::games::amazons::Amazons;
    use crate::games::{Notation, Step, variant};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};
    use std::time::{Duration, Instant};

    const SMALL: &str = "1q2q1/q4q/Q4Q/1Q2Q1 w - - 0 1";

    fn game(fen: &str) -> Game<Amazons> {
        Game::new(Amazons::from_fen(&variant::find("amazons").unwrap(), fen).unwrap())
    }

    fn nodes(nodes: u64) -> Limits<Amazons> {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Panics after this number of evaluations.
    struct Faulty(AmazonsEvaluator, AtomicI64);

    impl Evaluator<Amazons> for Faulty {
        fn evaluate(&self, position: &Amazons) -> Evaluation {
            assert!(self.1.fetch_sub(1, Relaxed) > 0, "as it should");
            self.0.evaluate(position)
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
        fn oracle(&self) -> &dyn Oracle<Amazons> {
            self.0.oracle()
        }
    }

    #[test]
    fn a_panic_of_any_worker_ends_the_search_and_the_tree_gets_its_memory_back() {
        for threads in [1, 3] {
            let settings = Settings { hash: 4, threads, ..Settings::default() };
            let mut search =
                Search::new(Faulty(AmazonsEvaluator::default(), AtomicI64::new(300)), settings.clone()).unwrap();
            let bytes = search.store.tree.bytes();
            let small = game(SMALL);
            for (limits, root) in [
                (Limits { mate: Some(99), ..Limits::default() }, &small),
                (Limits { infinite: true, ..Limits::default() }, &game(variant::DEFAULT.start())),
            ] {
                search.evaluator.1.store(300, Relaxed);
                let run = || search.run(root, &limits, &Control::default(), &mut |_| ()).nodes;
                assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
                assert_eq!(search.store.tree.bytes() < bytes, limits.mate.is_some());
                search.clear();
                assert_eq!((search.store.tree.bytes(), &search.settings), (bytes, &settings));
            }
            search.evaluator.1.store(i64::MAX, Relaxed);
            for most in [1_000, 20_000] {
                let limits = Limits { mate: Some(99), ..nodes(most) };
                let found = search.run(&small, &limits, &Control::default(), &mut |_| ()).nodes;
                // A position has hundreds of turns, and each worker may look at some while the others do.
                assert!((most..most + 1_000 * (threads as u64).pow(2)).contains(&found), "{most} {found}");
            }
            assert_eq!(search.store.tree.bytes(), bytes);
            assert_eq!(search.settings, settings);
        }
    }

    #[test]
    fn settings_that_cannot_be_had_change_nothing() {
        let settings = Settings { hash: 1, threads: 2, ..Settings::default() };
        let mut search = Search::new(AmazonsEvaluator::default(), settings.clone()).unwrap();
        // A machine that has a terabyte for the tree refuses nothing, so this test sees nothing there.
        if search.set(Settings { hash: 1 << 20, threads: 5, seed: 7, ..settings.clone() }).is_err() {
            assert_eq!(search.settings, settings);
            assert_eq!(search.pool.as_ref().map(ThreadPool::current_num_threads), Some(1));
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
            let mut node = search.store.tree.root();
            let mut visits = tree::MOST_VISITS - 1_000;
            for step in std::iter::once(None).chain(before.lines[0].turns[0].iter().map(Some)) {
                if let Some(step) = step {
                    let mut children = search.store.tree.children(node);
                    node = children.find(|&id| search.store.tree.node(id).step_code() == step.code()).unwrap();
                }
                let node = search.store.tree.node(node);
                let more = visits - node.visits();
                let mean = f64::from(node.white_mean());
                node.leave((f64::from(more) * mean * tree::SCORE_ONE as f64) as i64, more, 0);
                visits -= visits / 1_000;
            }
            let full = search.store.tree.visits();
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
            assert!(search.store.tree.node(search.store.tree.root()).visits() < tree::MOST_VISITS / 2 + 100_000);
        }
    }

    /// Does something before each evaluation, which may depend on the name of the thread.
    struct Slow<F>(F);

    impl<F: Fn(&str) + Send + Sync> Evaluator<Amazons> for Slow<F> {
        fn evaluate(&self, _: &Amazons) -> Evaluation {
            self.0(std::thread::current().name().unwrap_or_default());
            Evaluation::Estimate(Value { white: 0.5, draw: 0.0 })
        }
        fn policy(&self, _: &Amazons, _: &[<Amazons as Position>::Step], logits: &mut [f32]) {
            logits.fill(0.0);
        }
        fn explain(&self, position: &Amazons) -> (Value, Vec<Term>) {
            (self.evaluate(position).value(), Vec::new())
        }
        fn identity(&self) -> Vec<u8> {
            Vec::new()
        }
    }

    /// Takes a long time on some threads, by their names.
    fn slow_on(is_slow: fn(&str) -> bool) -> Slow<impl Fn(&str) + Send + Sync> {
        Slow(move |thread: &str| {
            if is_slow(thread) {
                std::thread::sleep(Duration::from_millis(300));
            }
        })
    }

    #[test]
    fn late_workers_do_not_delay_the_answer() {
        let start = game(variant::DEFAULT.start());
        for threads in [1, 2] {
            let settings = Settings { hash: 1, threads, ..Settings::default() };
            let mut search = Search::new(slow_on(|thread| thread != "watch"), settings).unwrap();
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

    /// Does not come back from an evaluation before the answer is there, but for the thread that answers.
    #[derive(Default)]
    struct Stuck {
        begun: AtomicBool,
        answered: AtomicBool,
        /// It has waited for the answer in vain.
        hangs: AtomicBool,
    }

    /// Waits until `flag` is set; false after ten seconds.
    fn comes(flag: &AtomicBool) -> bool {
        let began = Instant::now();
        while !flag.load(Relaxed) && began.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(1));
        }
        flag.load(Relaxed)
    }

    impl Stuck {
        fn wait(&self, thread: &str) {
            if thread != "watch" && !self.hangs.load(Relaxed) {
                self.begun.store(true, Relaxed);
                self.hangs.store(!comes(&self.answered), Relaxed);
            }
        }
    }

    #[test]
    fn a_stop_is_answered_during_an_evaluation_where_somebody_waits() {
        let start = game(variant::DEFAULT.start());
        for limits in [
            Limits { infinite: true, ..Limits::default() },
            Limits { ponder: true, ..Limits::default() },
            Limits { mate: Some(3), ..Limits::default() },
        ] {
            let (stuck, control) = (Arc::new(Stuck::default()), Control::new(limits.ponder));
            let waiting = stuck.clone();
            let evaluator = Slow(move |thread: &str| waiting.wait(thread));
            let mut search = Search::new(evaluator, Settings { hash: 1, ..Settings::default() }).unwrap();
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    comes(&stuck.begun);
                    control.stop();
                });
                search.run(&start, &limits, &control, &mut |report| stuck.answered.store(report.last, Relaxed));
            });
            assert!(stuck.answered.load(Relaxed) && !stuck.hangs.load(Relaxed), "{limits:?}");
        }
    }

    #[test]
    fn the_limits_are_watched_by_any_worker() {
        let settings = Settings { hash: 1, threads: 2, ..Settings::default() };
        let mut search = Search::new(slow_on(|thread| thread != "search-0"), settings).unwrap();
        // On a busy machine the quick worker may be late as well, but not five times.
        let is_watched = (0..5).any(|_| {
            let mut reporters = Vec::new();
            search.run(&game(variant::DEFAULT.start()), &nodes(2_000), &Control::default(), &mut |report| {
                if !report.last {
                    reporters.push(std::thread::current().name().map(str::to_owned));
                }
            });
            search.clear();
            reporters.len() > 2 && reporters.iter().all(|name| name.as_deref() == Some("search-0"))
        });
        assert!(is_watched);
    }
}
