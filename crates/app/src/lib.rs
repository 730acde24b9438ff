//! The command line: [`run`] is the program `hippolyta`. Each subcommand is one thin file. What they print on standard
//! output is data; messages go to standard error.

#![deny(unsafe_code)]
#![warn(missing_docs)]

mod analyse;
mod assess;
mod bench;
mod blunders;
mod book;
mod calibrate;
mod convert;
mod design;
mod exchange;
mod explorer;
#[cfg(test)]
mod failure_tests;
mod fastchess;
mod fit;
mod genfens;
mod go;
mod gtp;
mod help;
mod learn;
mod legal;
mod lesson;
mod list;
mod merge;
mod model;
mod openings;
mod partial;
mod perft;
mod play;
mod problems;
mod results;
mod review;
mod rules;
mod selfplay;
#[cfg(feature = "serve")]
mod serve;
mod shell;
mod signals;
mod solve;
mod tables;
mod tips;
mod tournament;
mod tune;

pub use fit::Fit;
pub use learn::Learn;
pub use model::Files;
pub use selfplay::SelfPlay;
pub use tournament::Match;

use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use clap::builder::{ArgPredicate, PossibleValue, StringValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Args, Parser, Subcommand};
use hippolyta::engine::{Board, Model, Settings, load_rules};
use hippolyta::games::variant::{self, Variant};
use hippolyta::words;
use hippolyta_lab::options::{mebibytes, threads};
use hippolyta_protocol::records::{Damage, Format, Reader};
use hippolyta_protocol::{Output, serve};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::ffi::{OsStr, OsString};
use std::io::{self, BufReader, IsTerminal, Write as _, stdin, stdout};
use std::path::{Path, PathBuf};

/// A game engine for the Game of the Amazons on any board from 3×3 to 11×11, for Desdemona and its relatives, and for
/// Italian Damone.
///
/// Without a command it speaks UCI or UGI on standard input and output.
#[derive(Debug, Parser)]
#[command(name = "hippolyta", version, about, arg_required_else_help = false)]
struct Cli {
    /// In the protocol loop, evaluate positions by random games instead of weights: for comparisons
    #[arg(long)]
    playouts: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Perft(perft::Perft),
    Legal(legal::Legal),
    Bench(bench::Bench),
    Go(go::Go),
    Gtp(gtp::Gtp),
    Play(play::Play),
    Analyse(analyse::Analyse),
    #[cfg(feature = "serve")]
    Serve(serve::Serve),
    Match(Box<tournament::Match>),
    Convert(convert::Convert),
    Review(review::ReviewGame),
    Rules(rules::Rules),
    Fastchess(fastchess::Fastchess),
    Openings(openings::Openings),
    Book(book::MakeBook),
    Explorer(explorer::Explorer),
    #[command(name = "selfplay")]
    SelfPlay(selfplay::SelfPlay),
    Merge(merge::Merge),
    Fit(fit::Fit),
    Calibrate(calibrate::Calibrate),
    Learn(learn::Learn),
    Tables(tables::MakeTables),
    Solve(solve::Solve),
    Problems(problems::Problems),
    Blunders(blunders::Blunders),
    Assess(assess::Assess),
    Design(Box<design::Design>),
    Tune(tune::Tune),
    Completions(shell::Completions),
    Man(shell::Manual),
}

/// Does what a command line says, and returns the exit code of the process: 0 if all went well. The first argument is
/// the program's name. Blocks until the command is done. It is made to be all that a process does: it catches signals,
/// writes to standard output, and may end the process, as it does after `--help` and when nobody reads its output any
/// more.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    // By default the signal for a file that grows beyond `ulimit -f` ends the process. Caught, it leaves an error to
    // report.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
    let arguments = fastchess::by_name(arguments);
    let done = match genfens::ordered(&arguments) {
        Some(order) => genfens::Genfens::parse(order).and_then(|order| order.run()),
        None => tips::parse(arguments).run(),
    };
    match done {
        Ok(()) => 0,
        Err(error) => {
            // A bad option that is known only when a file is read.
            let error = error.downcast::<clap::Error>().map_or_else(|error| error, |error| error.exit());
            complain(&format!("{error:#}"));
            signals::caught().map_or(1, |signal| 128 + signal as u8)
        }
    }
}

impl Cli {
    /// Does what the command line says.
    fn run(self) -> Result<()> {
        if self.command.is_some() {
            signals::end_at_once()?;
        }
        match self.command {
            None => {
                end_with_reader();
                greet();
                serve(BufReader::new(stdin()), output(), if self.playouts { Model::Playouts } else { Model::default() })
                    .context("standard input")
            }
            Some(Command::Perft(command)) => command.run(),
            Some(Command::Legal(command)) => command.run(),
            Some(Command::Bench(command)) => command.run(),
            Some(Command::Go(command)) => command.run(),
            Some(Command::Gtp(command)) => command.run(),
            Some(Command::Play(command)) => command.run(),
            Some(Command::Analyse(command)) => command.run(),
            #[cfg(feature = "serve")]
            Some(Command::Serve(command)) => command.run(),
            Some(Command::Match(command)) => command.run(),
            Some(Command::Convert(command)) => command.run(),
            Some(Command::Review(command)) => command.run(),
            Some(Command::Rules(command)) => command.run(),
            Some(Command::Fastchess(command)) => command.run(),
            Some(Command::Openings(command)) => command.run(),
            Some(Command::Book(command)) => command.run(),
            Some(Command::Explorer(command)) => command.run(),
            Some(Command::SelfPlay(command)) => command.run(),
            Some(Command::Merge(command)) => command.run(),
            Some(Command::Fit(command)) => command.run(),
            Some(Command::Calibrate(command)) => command.run(),
            Some(Command::Learn(command)) => command.run(),
            Some(Command::Tables(command)) => command.run(),
            Some(Command::Solve(command)) => command.run(),
            Some(Command::Problems(command)) => command.run(),
            Some(Command::Blunders(command)) => command.run(),
            Some(Command::Assess(command)) => command.run(),
            Some(Command::Design(command)) => command.run(),
            Some(Command::Tune(command)) => command.run(),
            Some(Command::Completions(command)) => command.run(),
            Some(Command::Man(command)) => command.run(),
        }
    }
}

/// Settings of a search.
#[derive(Debug, Args)]
struct SearchArgs {
    /// Search threads
    #[arg(long, default_value_t = 1, value_parser = threads())]
    threads: u16,
    /// Memory of the search, MiB: tree and table
    #[arg(long, default_value_t = 256, value_parser = mebibytes())]
    hash: usize,
    /// Seed of the noise that breaks ties [default: 0; 'play' takes another one each time]
    #[arg(long)]
    seed: Option<u64>,
}

impl SearchArgs {
    fn settings(&self, multi_pv: u16) -> Settings {
        let &Self { threads, hash, seed } = self;
        let seed = seed.unwrap_or_default();
        Settings { hash, threads: threads.into(), multi_pv: multi_pv.into(), seed }
    }
}

/// Which rule set.
#[derive(Debug, Args)]
struct RuleSetArgs {
    #[arg(help = rule_sets())]
    #[arg(long, value_parser = NameOfRuleSet, hide_possible_values = true)]
    variant: Option<String>,
    /// Rule sets of your own, from a file: --variant names one of them, else it is the first
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
}

/// Which position.
#[derive(Debug, Args)]
struct PositionArgs {
    #[command(flatten)]
    rule_set: RuleSetArgs,
    /// Position [default: the start position of the rule set]
    #[arg(long)]
    fen: Option<String>,
    /// Turns played from it, separated by blanks
    #[arg(long, default_value = "", hide_default_value = true)]
    moves: String,
}

/// The help of `--variant`, which names all rule sets.
fn rule_sets() -> String {
    format!("Rule set: {} [default: amazons]", variant::names().join(", "))
}

/// The name of a rule set. Shells complete those of the built-in ones; a file may have others.
#[derive(Clone)]
struct NameOfRuleSet;

impl TypedValueParser for NameOfRuleSet {
    type Value = String;

    fn parse_ref(&self, command: &clap::Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(variant::names().into_iter().map(PossibleValue::new)))
    }
}

fn variant_by_name(name: &str) -> Result<Variant, variant::UnknownVariant> {
    variant::find(name)
}

impl RuleSetArgs {
    fn is_given(&self) -> bool {
        self.variant.is_some() || self.rules.is_some()
    }

    fn variant(&self) -> Result<Variant> {
        rule_set(self.rules.as_deref(), self.variant.as_deref())
    }

    /// The position after turns from `fen`, read as a line of a list is. Where no rule set is named, it may be of another
    /// than the default, which is said.
    fn board(&self, fen: Option<&str>, moves: &[&str]) -> Result<Board> {
        let variant = self.variant()?;
        let fits = |(board, _): &(Board, _)| !self.is_given() || *board.variant() == variant;
        if let Some((board, warnings)) = read_position(&variant, fen, moves).filter(fits) {
            warnings.iter().for_each(|warning| complain(&warning.message));
            return Ok(board);
        }
        Ok(Board::after(&variant, fen.unwrap_or(variant.start()), moves)?)
    }

    /// Where the games of a run begin: not where one is over.
    fn start(&self, fen: Option<&str>) -> Result<Board> {
        let Some(fen) = fen else { return Ok(Board::new(&self.variant()?)) };
        let board = self.board(Some(fen), &[]).context("--fen")?;
        ensure!(board.outcome().is_none(), "--fen: the game is over there");
        Ok(board)
    }
}

/// A position as a line of a list, and what is to be said about it. `None` if anything is wrong with it, or lost.
fn read_position(variant: &Variant, fen: Option<&str>, moves: &[&str]) -> Option<(Board, Vec<Damage>)> {
    let fen = fen.unwrap_or("startpos");
    let begins = if moves.is_empty() || fen.split_whitespace().any(|word| word == "moves") { "" } else { "moves" };
    let text = format!("{fen} {begins} {}", moves.join(" "));
    let mut reader = Reader::new(Format::Fen, text.as_bytes(), variant).naming(convert::NAMING);
    let record = reader.next()?.ok()?;
    let warnings = reader.warnings();
    let is_whole = warnings.iter().all(|warning| warning.lost.is_none()) && reader.next().is_none();
    let turns = record.main_line().map(|entry| &entry.turn);
    let board = Board::replayed(&record.variant, &record.fen, turns).ok()?;
    is_whole.then_some((board, warnings))
}

/// Which rule set games are of that name none.
#[derive(Debug, Args)]
struct FallbackArgs {
    /// Rule set of games and lists that name none, if their turns fit it
    #[arg(long, default_value = "amazons", default_value_if("rules", ArgPredicate::IsPresent, None))]
    #[arg(value_parser = NameOfRuleSet, hide_possible_values = true)]
    variant: Option<String>,
    /// Rule sets of your own, from a file: --variant names one of them, else it is the first
    #[arg(long, value_name = "FILE")]
    rules: Option<PathBuf>,
}

impl FallbackArgs {
    fn variant(&self) -> Result<Variant> {
        rule_set(self.rules.as_deref(), self.variant.as_deref())
    }
}

/// The rule set of a file, or built in. A name that is not known is a bad option.
fn rule_set(rules: Option<&Path>, name: Option<&str>) -> Result<Variant> {
    let own = rules.map(load_rules).transpose().map_err(Error::msg)?.unwrap_or_default();
    own.choose(name).map_err(|error| {
        let message = format!("invalid value '{}' for '--variant <VARIANT>': {error}", words::shown(&error.name));
        clap::Error::raw(ErrorKind::ValueValidation, message + "\n").into()
    })
}

impl PositionArgs {
    fn board(&self) -> Result<Board> {
        let moves: Vec<_> = self.moves.split_whitespace().collect();
        self.rule_set.board(self.fen.as_deref(), &moves)
    }
}

/// Refuses to overwrite the file of `--out` without `--force`, and a folder.
fn may_write(out: &Path, force: bool) -> Result<()> {
    may_write_as("--out", out, force)
}

/// As [`may_write`], for the file of another option.
fn may_write_as(option: &str, out: &Path, force: bool) -> Result<()> {
    ensure!(out != Path::new("-"), "{option}: a file is wanted; ./- is one of the name -");
    ensure!(!out.is_dir(), "{option}: {} is a folder", out.display());
    ensure!(force || !out.is_file(), "{option}: {} exists already; --force writes over it", out.display());
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
    folder.map_or(Ok(()), |folder| bail!("{option}: there is no folder {}", folder.display()))
}

/// How many threads.
#[derive(Debug, Args)]
pub struct Threads {
    /// Threads [default: all cores]
    #[arg(long, value_parser = threads())]
    threads: Option<u16>,
}

impl Threads {
    /// The threads that are asked for.
    ///
    /// # Errors
    ///
    /// If the system refuses them.
    pub fn pool(&self) -> Result<rayon::ThreadPool> {
        pool(self.threads)
    }
}

/// The threads that `--threads` asks for.
fn pool(threads: Option<u16>) -> Result<rayon::ThreadPool> {
    // Stacks as large as a main thread's: a net of Python's comes with an interpreter.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0).into()).stack_size(16 << 20).build();
    pool.map_err(|error| anyhow!("--threads: the system starts no more: {error}"))
}

/// A progress bar on standard error, if that is a terminal.
fn progress(length: u64, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// Standard output. If nobody reads it any more, the process ends quietly; if writing fails otherwise (a full disk,
/// say), it ends with a message on standard error and exit code 1.
fn output() -> Output {
    Output::or_else(stdout(), |error| lost_output(error))
}

/// Ends the process when standard output cannot be written.
fn lost_output(error: &io::Error) -> ! {
    // Windows has several words for it: 233 is "no process is on the other end of the pipe".
    if error.kind() == io::ErrorKind::BrokenPipe || (cfg!(windows) && error.raw_os_error() == Some(233)) {
        std::process::exit(0);
    }
    complain(&format!("standard output: {error}"));
    std::process::exit(1);
}

/// From now on the process ends quietly as soon as nobody reads its output any more. A process that prints nothing for
/// hours would otherwise never notice.
fn end_with_reader() {
    #[cfg(unix)]
    let _ = std::thread::Builder::new().name("reader".to_owned()).spawn(|| {
        use rustix::event::{PollFd, PollFlags, poll};
        let stdout = stdout();
        // Asks for nothing, so it waits for the end.
        let mut reader = [PollFd::new(&stdout, PollFlags::empty())];
        while poll(&mut reader, None).is_err_and(|error| error == rustix::io::Errno::INTR) {}
        if reader[0].revents().intersects(PollFlags::ERR | PollFlags::HUP) {
            std::process::exit(0);
        }
    });
}

/// Tells a person who starts the program on a terminal what it is. Programs see nothing: they have not asked yet.
fn greet() {
    if stdin().is_terminal() && stdout().is_terminal() {
        let version = env!("CARGO_PKG_VERSION");
        print_line(&format!("Hippolyta {version}. Type help, or quit. For a game: hippolyta play"));
    }
}

/// Writes a line to standard output, or several. A terminal obeys nothing in them.
fn print_line(text: &str) {
    output().line(&words::lines(text));
}

/// Says in one line on standard error what a person should know.
fn complain(message: &str) {
    // Nobody may read it any more, or the disk may be too full for this as well.
    let _ = writeln!(io::stderr(), "hippolyta: {}", words::one_line(message));
}
