use super::exchange::TRY_AGAIN;
use super::partial::say_finished;
use super::{pool, print_line, progress, rule_set, rule_sets, signals, start_position};
use anyhow::{Context, Result, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;
use hippolyta::engine::Control;
use hippolyta::games::variant::DEFAULT;
use hippolyta_lab::arena::MatchOptions;
use hippolyta_lab::training::learn::{Event, Keep, LearnError, Learning, Settings, Sharing, Start, Task};
use indicatif::ProgressBar;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Learn from self-play, generation after generation
#[derive(Debug, Args)]
#[command(after_help = "\
Each generation plays games against itself, fits weights to them, and plays a match of the new weights against those
before, the gate. The next generation plays with the winner. The folder holds all files; generation-G/report.html and in
the end report.html show the curves, weights.bin are the last weights.

Ctrl-C, a crash or kill -9 cost what is in flight; the same command, or --out alone, goes on. More --generations are
added to a finished run. The results have the same bytes whatever the threads and however often the run was killed.

The work is divided into tasks. Several machines with a shared folder do the same as one:
  hippolyta learn --variant amazons6 --generations 3 --games 200 --nodes 100 --out DIR --tasks
  hippolyta learn --out DIR --run 'play 1 0'
The exit code of --run is 0 if the task is done, 75 if it may succeed later, and otherwise 1 or 2.

Examples:
  hippolyta learn --variant amazons6 --start bootstrap --generations 3 --games 200 --nodes 100 --out DIR
  hippolyta learn --fen '1q1q1/q3q/5/Q3Q/1Q1Q1 w' --generations 2 --games 100 --nodes 50 --out DIR")]
pub(super) struct Learn {
    /// The folder of the run
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    #[command(flatten)]
    options: Options,
    /// Games or fits at a time [default: all cores]
    #[arg(long, visible_alias = "jobs", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print the tasks that can be done now, one a line as JSON, and do nothing; none is printed if the run is finished
    #[arg(long, conflicts_with_all = ["run", "threads"])]
    tasks: bool,
    /// Do one task, by its name in --tasks
    #[arg(long, value_name = "TASK")]
    run: Option<String>,
}

/// Options that a run depends on. Without any of these the run in the folder goes on.
#[derive(Debug, Args)]
struct Options {
    #[arg(help = format!("{} [default: amazons]", rule_sets()))]
    #[arg(long)]
    variant: Option<String>,
    /// Rule sets of your own, from a file: --variant names one of them, else it is the first
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
    /// Position that games begin at; in the Amazons its board may have any size [default: the start position of the
    /// rule set]
    #[arg(long)]
    fen: Option<String>,
    /// Number of generations
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    generations: Option<u64>,
    /// Games of self-play in each generation
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: Option<u64>,
    /// Positions evaluated for a turn in these games
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    nodes: Option<u64>,
    /// Weights to begin with: a file, or 'built-in', or 'bootstrap' (those before any learning) [default: built-in]
    #[arg(long)]
    start: Option<String>,
    /// Seed of the whole run [default: 0]
    #[arg(long)]
    seed: Option<u64>,
    /// Fit weights to the games of the newest N generations [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    window: Option<u64>,
    /// Games that stay: all files, those of each generation in one file, or only those that later generations are
    /// fitted to [default: games]
    #[arg(long, value_parser = PossibleValuesParser::new(["all", "games", "window"]))]
    keep: Option<String>,
    /// Games of a task of self-play [default: 50]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    shard_size: Option<u64>,
    /// Upper limit of random turns at the start of a game of self-play [default: 6]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=200))]
    opening_turns: Option<u32>,
    /// Number of turns after the opening that are drawn by visits [default: 20]
    #[arg(long, value_name = "N")]
    sampled_turns: Option<u32>,
    /// Record positions of the tree with at least this number of visits as well; 0 records none [default: 0]
    #[arg(long, value_name = "N")]
    inner_visits: Option<u32>,
    /// Epochs of each fit [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    epochs: Option<u32>,
    /// Initial learning rate [default: 0.01; from learned weights, 0.001 for the evaluation and 0.003 for the policy]
    #[arg(long, value_parser = super::share)]
    rate: Option<f32>,
    /// Weight of the search's score in the target, 0 to 1; the rest is the game's result [default: 0]
    #[arg(long, value_parser = super::share)]
    search_share: Option<f32>,
    /// Learn from one of N recorded positions of the search's trees as well; 0 learns from none [default: 0, or 1 with
    /// --inner-visits]
    #[arg(long, value_name = "N")]
    inner_every: Option<u32>,
    /// One of N games is held out for validation [default: 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..))]
    validation: Option<u64>,
    /// The policy learns from one of N turns [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    policy_every: Option<u64>,
    /// The most pairs of games in the gate [default: 200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    gate_games: Option<u64>,
    /// Positions evaluated for a turn in the gate [default: those of --nodes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    gate_nodes: Option<u64>,
    /// Random turns before the games of the gate, balanced by a short search [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    gate_opening_turns: Option<u32>,
    /// Pairs of games of a task of the gate [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    gate_shard_size: Option<u64>,
    /// Games of 20,000 nodes a turn that the percentages shown are fitted to at the end; 0 fits none [default: a tenth
    /// of --games, 200 at most, of so many nodes that they cost no more than self-play; none if that is less than 20
    /// games, or 1,000 nodes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    calibration_games: Option<u64>,
    /// elo0=E elo1=E [alpha=0.05] [beta=0.05] [model=logistic|normalized]: the test that ends the gate [default: elo0=0
    /// elo1=20]
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    sprt: Vec<String>,
}

impl Options {
    /// Whether none is given.
    fn is_empty(&self) -> bool {
        let Self {
            variant,
            rules,
            fen,
            generations,
            games,
            nodes,
            start,
            seed,
            window,
            keep,
            shard_size,
            opening_turns,
            sampled_turns,
            inner_visits,
            epochs,
            rate,
            search_share,
            inner_every,
            validation,
            policy_every,
            gate_games,
            gate_nodes,
            gate_opening_turns,
            gate_shard_size,
            calibration_games,
            sprt,
        } = self;
        let numbers = [generations, games, nodes, seed, window, shard_size, validation, policy_every];
        let numbers = numbers.into_iter().chain([gate_games, gate_nodes, gate_shard_size, calibration_games]);
        let short = [opening_turns, sampled_turns, inner_visits, epochs, inner_every, gate_opening_turns];
        let words = [fen, start, keep];
        variant.is_none()
            && rules.is_none()
            && sprt.is_empty()
            && [rate, search_share].into_iter().all(Option::is_none)
            && numbers.into_iter().all(Option::is_none)
            && short.into_iter().all(Option::is_none)
            && words.into_iter().all(Option::is_none)
    }

    fn settings(&self) -> Result<Settings> {
        let (Some(generations), Some(games), Some(nodes)) = (self.generations, self.games, self.nodes) else {
            bail!("--generations, --games and --nodes are needed with other options of a run");
        };
        let usual = self.rules.is_none().then_some(DEFAULT.name());
        let variant = rule_set(self.rules.as_deref(), self.variant.as_deref().or(usual))?;
        let start = Start::named(self.start.as_deref().unwrap_or("built-in")).context("--start")?;
        let mut settings = Settings::new(&variant, generations, games, nodes, start);
        settings.fen = start_position(&variant, self.fen.as_deref()).context("--fen")?;
        fn set<T: Clone>(field: &mut T, given: &Option<T>) {
            if let Some(given) = given {
                *field = given.clone();
            }
        }
        set(&mut settings.seed, &self.seed);
        set(&mut settings.window, &self.window);
        set(&mut settings.shard_size, &self.shard_size);
        set(&mut settings.selfplay.opening_turns, &self.opening_turns);
        set(&mut settings.selfplay.sampled_turns, &self.sampled_turns);
        set(&mut settings.selfplay.inner_visits, &self.inner_visits);
        set(&mut settings.fit.epochs, &self.epochs);
        settings.fit.rate = self.rate.or(settings.fit.rate);
        set(&mut settings.fit.search_share, &self.search_share);
        settings.fit.inner_every = u32::from(settings.selfplay.inner_visits > 0);
        set(&mut settings.fit.inner_every, &self.inner_every);
        set(&mut settings.fit.validation, &self.validation);
        set(&mut settings.fit.policy_every, &self.policy_every);
        set(&mut settings.gate_games, &self.gate_games);
        set(&mut settings.gate_nodes, &self.gate_nodes);
        set(&mut settings.gate_opening_turns, &self.gate_opening_turns);
        set(&mut settings.gate_shard_size, &self.gate_shard_size);
        settings.calibration_games = self.calibration_games;
        settings.keep = match self.keep.as_deref() {
            Some("all") => Keep::All,
            Some("window") => Keep::Window,
            _ => Keep::Games,
        };
        if let Some(sprt) = MatchOptions::test(&self.sprt).context("--sprt")? {
            settings.sprt = sprt;
        }
        Ok(settings)
    }
}

impl Learn {
    pub(super) fn run(&self) -> Result<()> {
        if let Some(task) = &self.run {
            return match self.run_task(task) {
                Err(error) if error.downcast_ref().is_some_and(LearnError::may_pass) => {
                    crate::complain(&format!("{error:#}"));
                    std::process::exit(TRY_AGAIN);
                }
                done => done,
            };
        }
        let sharing = if self.tasks { Sharing::Watching } else { Sharing::Alone };
        let learning = self.open(sharing)?;
        if self.tasks {
            for task in learning.ready(&|error| crate::complain(&error.to_string()))? {
                print_line(&serde_json::to_string(&learning.line(task)?)?);
            }
            return Ok(());
        }
        let out = self.out.display().to_string();
        // Nothing needs to be saved: whatever is on the disk can be gone on from.
        signals::on_interrupt(move |signal| {
            crate::complain(&format!("stopped; go on by: hippolyta learn --out {out}"));
            std::process::exit(128 + signal);
        })?;
        let display = Display::new(learning.settings().generations);
        let pool = pool(self.threads)?;
        let done = pool.install(|| learning.run_all(&Control::default(), &|event| display.show(event)));
        let has_begun = display.end();
        done?;
        if !has_begun {
            say_finished(&self.out);
        }
        Ok(())
    }

    fn open(&self, sharing: Sharing) -> Result<Learning> {
        if self.options.is_empty() {
            return Ok(Learning::open(&self.out, sharing)?);
        }
        Ok(Learning::begin(&self.out, self.options.settings()?, sharing)?)
    }

    fn run_task(&self, task: &str) -> Result<()> {
        signals::on_interrupt(|_| {
            crate::complain("stopped");
            std::process::exit(TRY_AGAIN);
        })?;
        let learning = self.open(Sharing::Together)?;
        let pool = pool(self.threads)?;
        let listener = |event: &Event<'_>| match event {
            Event::Done(task, said) => print_line(&format!("{task}: {said}")),
            Event::Remark(said) => crate::complain(said),
            _ => {}
        };
        Ok(pool.install(|| learning.run_task(task, &Control::default(), &listener))?)
    }
}

/// Progress: bars on a terminal, and lines of what was done.
struct Display {
    generations: u64,
    state: Mutex<State>,
}

struct State {
    bar: ProgressBar,
    /// When the first step began, and its generation.
    begun: Option<(Instant, u64)>,
}

impl Display {
    fn new(generations: u64) -> Self {
        let bar = progress(0, "{prefix} {wide_bar} {pos}/{len} {elapsed} (eta {eta}) {msg}");
        Self { generations, state: Mutex::new(State { bar, begun: None }) }
    }

    fn show(&self, event: &Event<'_>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { bar, begun } = &mut *state;
        match event {
            Event::Begun(tasks, units) => {
                let Some(first) = tasks.first() else { return };
                let (generation, what) = (first.generation(), step(*first));
                let (since, from) = *begun.get_or_insert((Instant::now(), generation));
                bar.set_prefix(format!("generation {generation}/{}: {what}", self.generations));
                bar.reset();
                bar.set_length(*units);
                if generation > from && first.kind() == "play" {
                    let each = since.elapsed() / (generation - from) as u32;
                    let left = each * (self.generations - generation + 1) as u32;
                    bar.set_message(format!("run: about {} left", indicatif::HumanDuration(left)));
                }
            }
            Event::Progress(units) => bar.inc(*units),
            Event::Done(Task::Play(..) | Task::Gate(..) | Task::Calibrate(..), _) => {}
            Event::Done(task, said) => {
                bar.suspend(|| print_line(&format!("generation {}: {}: {said}", task.generation(), step(*task))));
            }
            Event::Remark(said) => bar.suspend(|| crate::complain(said)),
        }
    }

    /// Whether there was anything to do.
    fn end(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.bar.finish_and_clear();
        state.begun.is_some()
    }
}

/// The name of a step, for people.
fn step(task: Task) -> &'static str {
    match task {
        Task::Play(..) => "self-play",
        Task::Merge(_) => "games",
        Task::Fit(_) => "fit",
        Task::Gate(..) => "gate",
        Task::Calibrate(..) => "percentages",
        Task::Judge(_) => "verdict",
        Task::Report(_) => "report",
    }
}
