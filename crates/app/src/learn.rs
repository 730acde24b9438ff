use super::exchange::TRY_AGAIN;
use super::partial::say_finished;
use super::{RuleSetArgs, pool, print_line, progress, signals};
use anyhow::{Context, Result, bail};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};
use hippolyta::engine::Control;
use hippolyta_lab::arena::statistics::Sprt;
use hippolyta_lab::options::threads;
use hippolyta_lab::training::learn::{Event, LearnError, Learning, Settings, Sharing, Start, Task};
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
  hippolyta learn --variant amazons6 --start bootstrap --generations 3 --games 200 --nodes 100 --out six
  hippolyta learn --fen '1q1q1/q3q/5/Q3Q/1Q1Q1 w' --generations 2 --games 100 --nodes 50 --out five")]
pub struct Learn {
    /// The folder of the run
    #[arg(long, value_name = "FOLDER")]
    pub out: PathBuf,
    /// Resume an interrupted run, as is done without this, too
    #[arg(long = "resume")]
    _resume: bool,
    #[command(flatten)]
    given: Given,
    /// Games or fits at a time [default: all cores]
    #[arg(long, visible_alias = "jobs", value_parser = threads())]
    threads: Option<u16>,
    /// Print the tasks that can be done now, one a line as JSON, and do nothing; none is printed if the run is finished
    #[arg(long, conflicts_with_all = ["run", "threads"])]
    tasks: bool,
    /// Do one task, by its name in --tasks
    #[arg(long, value_name = "TASK")]
    run: Option<String>,
}

/// Options that a run depends on.
#[derive(Debug, Args)]
struct Wanted {
    #[command(flatten)]
    rule_set: RuleSetArgs,
    /// Position that games begin at; in the Amazons its board may have any size [default: the start position of the
    /// rule set]
    #[arg(long)]
    fen: Option<String>,
    /// Weights to begin with: a file, or 'built-in', or 'bootstrap' (those before any learning)
    #[arg(long, default_value = "built-in")]
    start: String,
    #[command(flatten)]
    settings: Settings,
    /// elo0=E elo1=E [alpha=0.05] [beta=0.05] [model=logistic|normalized]: the test that ends the gate [default: elo0=0
    /// elo1=20]
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    sprt: Vec<String>,
}

/// Without any of these options the run in the folder goes on.
#[derive(Debug)]
enum Given {
    Nothing,
    TooLittle,
    Wanted(Box<Wanted>),
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let is_said = |name: &str| matches.value_source(name) == Some(ValueSource::CommandLine);
        if !Self::augment_args(Command::new("")).get_arguments().any(|option| is_said(option.get_id().as_str())) {
            return Ok(Self::Nothing);
        }
        if !["generations", "games", "nodes"].into_iter().all(is_said) {
            return Ok(Self::TooLittle);
        }
        Wanted::from_arg_matches(matches).map(|options| Self::Wanted(Box::new(options)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Given {
    fn augment_args(command: Command) -> Command {
        Wanted::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl Wanted {
    fn settings(&self) -> Result<Settings> {
        let start = self.rule_set.start(self.fen.as_deref())?;
        let fen = Some(start.fen()).filter(|fen| fen != start.variant().start());
        let begin = Start::named(&self.start).context("--start")?;
        let sprt = Sprt::from_words(&self.sprt).context("--sprt")?;
        Ok(self.settings.clone().of(start.variant(), fen, begin, sprt))
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
            crate::complain(&format!("interrupted; go on by: hippolyta learn --out {out}"));
            std::process::exit(128 + signal);
        })?;
        let display = Display::new(learning.settings().generations);
        let done = self.pool()?.install(|| learning.run_all(&Control::default(), &|event| display.show(event)));
        let has_begun = display.end();
        done?;
        if !has_begun {
            say_finished(&self.out);
        }
        Ok(())
    }

    /// The settings of the run that is wanted; `None` if it is whatever is in the folder.
    ///
    /// # Errors
    ///
    /// If a needed option is missing, or makes no sense.
    pub fn settings(&self) -> Result<Option<Settings>> {
        match &self.given {
            Given::Nothing => Ok(None),
            Given::TooLittle => {
                bail!("a run begins with --generations, --games and --nodes; --out alone goes on with it")
            }
            Given::Wanted(options) => options.settings().map(Some),
        }
    }

    /// The threads that are asked for.
    ///
    /// # Errors
    ///
    /// If the system refuses them.
    pub fn pool(&self) -> Result<rayon::ThreadPool> {
        pool(self.threads)
    }

    fn open(&self, sharing: Sharing) -> Result<Learning> {
        Ok(match self.settings()? {
            None => Learning::open(&self.out, sharing)?,
            Some(settings) => Learning::begin(&self.out, settings, sharing)?,
        })
    }

    fn run_task(&self, task: &str) -> Result<()> {
        signals::on_interrupt(|_| {
            crate::complain("stopped");
            std::process::exit(TRY_AGAIN);
        })?;
        let learning = self.open(Sharing::Together)?;
        let listener = |event: &Event<'_>| match event {
            Event::Done(task, said) => print_line(&format!("{task}: {said}")),
            Event::Remark(said) => crate::complain(said),
            _ => {}
        };
        Ok(self.pool()?.install(|| learning.run_task(task, &Control::default(), &listener))?)
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
