use super::exchange::{self, Count, Others, Owner, Task};
use super::partial::say_finished;
use super::{RuleSetArgs, may_write_as, print_line, progress, results, signals};
use anyhow::{Context, Result, bail, ensure};
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches};
use console::Term;
use hippolyta::words::one_line;
use hippolyta_lab::arena::statistics::Sprt;
use hippolyta_lab::arena::{
    DrawRule, Elsewhere, EngineFile, EngineSpec, Event, GameRecord, MatchOptions, MatchSetup, OpeningList, Order,
    Resign, Results, Store, TournamentError, run,
};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Play engine against engine, over UCI or UGI, under our rules
#[derive(Debug, Args)]
#[command(mut_args(not_with_results))]
#[command(after_help = "\
Engines and limits are key=value words:
  cmd=PROGRAM      the program, or 'self': this engine, within the process
  name=NAME        what it is called in the results
  proto=auto|uci|ugi   dir=FOLDER   arg=ARGUMENT, option.NAME=VALUE (repeated)
  tc=[MOVES/]TIME[+INCREMENT]   st=TIME   nodes=N   depth=N   (seconds, or 1:30)
  timemargin=MS    how much later than allowed a turn may come [default: 20]
  ponder=true      think on while the opponent does, on the reply that it named;
                   for UCI, and for 'self'
  conf=NAME        the engine of this name in the file of --engines; words
                   beside it come after those of the file

A file of engines has the same keys, a table for each engine and [each] for all; options are option.NAME = VALUE:
  [each]
  tc = \"10+0.1\"
  [new]
  cmd = \"./new\"
  option.Hash = 64

Examples:
  hippolyta match --engine cmd=self name=new --engine cmd=./old name=old --each tc=10+0.1 --games 400 --out results
  hippolyta match --engine cmd=self name=a option.Threads=2 --engine cmd=self name=b --each st=0.1 \\
      --games 10000 --sprt elo0=0 elo1=10 alpha=0.05 beta=0.05 --variant cassio --book-plies 6 --seed 7
  hippolyta match --tournament gauntlet --engine cmd=self --engine cmd=node name=fairy arg=fsf.js proto=uci \\
      --engine cmd=other --each tc=60+0.6 --openings file=book.txt order=random --resume --out results
  hippolyta match --engines engines.toml --engine conf=new --engine conf=old option.Hash=16 --games 100
  hippolyta match --results folder
  hippolyta match --results folder --html results.html

Ctrl-C and SIGTERM end the match with the results so far, exit code 130 or 143; a second one ends it at once.")]
pub struct Match {
    #[command(flatten)]
    engines: Engines,
    /// Engines described in a file, TOML or the engines.json of cutechess: all of them play, or those that --engine
    /// conf=NAME picks
    #[arg(id = "engines", long = "engines", value_name = "FILE")]
    engines_file: Option<PathBuf>,
    /// Words for every engine; an engine's own come after them
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., action = ArgAction::Append)]
    each: Vec<String>,
    #[command(flatten)]
    rule_set: RuleSetArgs,
    #[command(flatten)]
    options: MatchOptions,
    /// file=PATH [format=text|epd|pgn|sgf|jsonl] [order=sequential|random] [start=N] [plies=N]: one opening a line, a
    /// FEN or startpos, then 'moves' and the turns; or the main lines of games, to N turns. Or suite: 200 balanced
    /// openings that the program brings with it, for seven rule sets
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., conflicts_with = "book_plies")]
    openings: Vec<String>,
    /// elo0=E elo1=E [alpha=0.05] [beta=0.05] [model=logistic|normalized]: end as soon as this test decides
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    sprt: Vec<String>,
    /// movecount=N score=CP [twosided=true|false]: resign after N consecutive scores of -CP or less
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    resign: Vec<String>,
    /// movenumber=N movecount=M score=CP: drawn once M scores in a row of both engines are within CP of 0, from move N
    /// on
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    draw: Vec<String>,
    /// Folder for games.jsonl and games.pgn, which grow game by game, and at the end result.json
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Go on with the match in the folder, if one was begun there
    #[arg(long, requires = "out")]
    pub resume: bool,
    /// Only show the results of the match in this folder, whether it still runs or not
    #[arg(long, value_name = "FOLDER")]
    results: Option<PathBuf>,
    /// Write the results as a page: tables, graphs, every game to click through. With --out at the end of the match, or
    /// with --results
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write over an existing page, as --resume does
    #[arg(long, requires = "html")]
    force: bool,
    /// Let others play the games: each is a task, a line of JSON on standard output, and its record comes back on
    /// standard input. python -m hippolyta.cluster match does it so
    #[arg(long)]
    hand_out: bool,
    /// Play the game of such a task, whose order is on standard input, and print its record
    #[arg(long, exclusive = true)]
    task: bool,
}

/// The least number of draws in 100 games between equals that is mentioned before a match.
const OFTEN: u8 = 50;

/// Where no match is played, options of one mean nothing.
fn not_with_results(option: Arg) -> Arg {
    let is_for_results = ["results", "html", "force", "task"].iter().any(|name| option.get_id() == name);
    if is_for_results { option } else { option.conflicts_with("results") }
}

/// A message for people.
fn say(text: &str) {
    crate::complain(text);
}

/// `--engine`, repeated, each with several words.
#[derive(Debug)]
struct Engines(Vec<Vec<String>>);

impl FromArgMatches for Engines {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let found = matches.get_occurrences::<String>("engine");
        Ok(Self(found.map(|all| all.map(|words| words.cloned().collect()).collect()).unwrap_or_default()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Engines {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.arg(
            Arg::new("engine")
                .long("engine")
                .value_name("KEY=VALUE")
                .num_args(1..)
                .action(ArgAction::Append)
                .required_unless_present_any(["engines", "results", "task"])
                .help("An engine that plays; see below. Repeated"),
        )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl Match {
    pub(super) fn run(&self) -> Result<()> {
        if self.task {
            return exchange::task(|order: Order, stop| {
                order.play(stop).map_err(|error| {
                    let may_pass = error.may_pass();
                    (error, may_pass)
                })
            });
        }
        if let Some(folder) = &self.results {
            let write = |out: &PathBuf| results::write(folder, out, self.force);
            return self.html.as_ref().map_or_else(|| results::show(folder), write);
        }
        if let Some(html) = &self.html {
            ensure!(self.out.is_some(), "--html: --out is needed, too: the page is made of the games that it keeps");
            may_write_as("--html", html, self.force || self.resume)?;
        }
        if self.hand_out && self.options.concurrency.is_some() {
            bail!("--concurrency is for one machine: on many a game is played on each core that is free");
        }
        let options = self.options(&mut say)?;
        let setup = options.setup(Arc::default())?;
        signals::catch(&setup.stop)?;
        let played = if self.hand_out { self.spread(&options, &setup) } else { self.play(&options, &setup) };
        if signals::caught().is_none() && !setup.stop.load(Ordering::Relaxed) {
            self.show(&played?);
            return self.page();
        }
        match played.map(|results| self.show(&results)).and_then(|()| self.page()) {
            Ok(()) => {}
            Err(error) => crate::complain(&format!("{error:#}")),
        }
        ensure!(signals::caught().is_some(), "standard input has ended before the match{}", self.going_on());
        match self.out {
            // Whoever handed it out says so.
            _ if self.hand_out => {}
            Some(_) => crate::complain(&signals::go_on(true)),
            None => crate::complain("interrupted; without --out the games were not kept"),
        }
        std::process::exit(128 + signals::caught().unwrap_or_default())
    }

    /// How a match that is handed out goes on when it lacks games.
    fn going_on(&self) -> &'static str {
        if self.out.is_some() { "; the same command with --resume goes on" } else { "" }
    }

    /// Writes the page that was asked for.
    fn page(&self) -> Result<()> {
        let write = |(folder, out): (&PathBuf, &PathBuf)| results::write(folder, out, self.force || self.resume);
        self.out.as_ref().zip(self.html.as_ref()).map_or(Ok(()), write)
    }

    /// Tries the engines, and opens the folder.
    fn prepare(&self, options: &MatchOptions, setup: &MatchSetup) -> Result<Option<Store>> {
        for remark in setup.try_engines(true, &say)? {
            say(&remark);
        }
        let Some(folder) = &self.out else { return Ok(None) };
        let mut variable = options.variable_configuration(setup);
        variable["command"] = signals::command_line(signals::given()).into();
        Ok(Some(Store::open(folder, &options.configuration(setup), &variable, self.resume)?))
    }

    /// Has others play all games, or as many as there is time for until it is stopped.
    fn spread(&self, options: &MatchOptions, setup: &MatchSetup) -> Result<Results> {
        let store = self.prepare(options, setup)?;
        let names = setup.engines.iter().map(|engine| engine.name.clone()).collect();
        let here = std::env::current_dir().context("the working folder")?;
        let games = Elsewhere::open(setup, store)?;
        let mut spread = Spread { games, names, here, total: setup.schedule.len() };
        if spread.games.results().games() == 0 {
            self.warn_of_draws(setup);
        }
        if !Others::listen()?.hand_out(&mut spread, &|| setup.stop.load(Ordering::Relaxed))? {
            setup.stop.store(true, Ordering::Relaxed);
        }
        let missing = spread.games.missing().clone();
        let results = spread.games.close()?;
        if let Some((game, why)) = missing.first_key_value() {
            self.show(&results);
            let more = match missing.len() - 1 {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            let (game, going_on) = (game + 1, self.going_on());
            bail!("game {game} is missing, as no record of it was right (the last one: {why}){more}{going_on}");
        }
        Ok(results)
    }

    /// Says of rules in which most games are drawn that they are.
    fn warn_of_draws(&self, setup: &MatchSetup) {
        let name = setup.variant.name();
        if let Some(drawn) = setup.variant.drawn()
            && drawn >= OFTEN
        {
            say(&format!(
                "{name}: of 100 long games between equals {drawn} are drawn (docs/starts.md); expect as many here, \
                 unless one engine is clearly stronger"
            ));
        }
    }

    /// Prints a line of results.
    fn line(&self, text: &str) {
        if self.hand_out { exchange::say(text) } else { print_line(text) }
    }

    fn show(&self, results: &Results) {
        results.text().lines().for_each(|line| self.line(line));
    }

    /// Plays all games, or as many as there is time for until it is stopped. Of a match that is over it says so.
    fn play(&self, options: &MatchOptions, setup: &MatchSetup) -> Result<Results> {
        let store = self.prepare(options, setup)?;
        let bar = progress(setup.schedule.len(), "{wide_bar} {pos}/{len} {elapsed} (eta {eta})\n{msg}");
        let terminal = Term::stderr();
        let (mut live, mut begun) = (Vec::new(), false);
        let names: Vec<_> = setup.engines.iter().map(|engine| engine.name.as_str()).collect();
        let results = run(setup, store, &mut |event| match event {
            Event::LeftOut(what) => bar.suspend(|| say(&left_out(what))),
            Event::Resumed(games) => {
                bar.set_position(*games);
                bar.reset_eta();
            }
            Event::Started(fixture) => {
                if !begun {
                    bar.suspend(|| self.warn_of_draws(setup));
                }
                begun = true;
                let [white, black] = fixture.players.map(|number| names[number]);
                // More games than planned: of a knockout.
                bar.set_length((fixture.game + 1).max(setup.schedule.len()));
                let now = format!("game {}: {white} vs {black}", fixture.game + 1);
                let width = usize::from(terminal.size().1);
                let lines = [now.chars().take(width).collect()].into_iter().chain(live.iter().cloned());
                bar.set_message(lines.collect::<Vec<String>>().join("\n"));
            }
            Event::Finished(record, results) => {
                bar.suspend(|| finished(&names, record, results).iter().for_each(|line| print_line(line)));
                bar.inc(1);
                // Nobody sees it in a pipe.
                if !bar.is_hidden() {
                    let (height, width) = terminal.size();
                    live = results.live(usize::from(width), usize::from(height).saturating_sub(5).min(16));
                    bar.set_message(live.join("\n"));
                }
            }
        })?;
        bar.finish_and_clear();
        if let (Some(folder), false, false) = (&self.out, begun, setup.stop.load(Ordering::Relaxed)) {
            say_finished(folder);
        }
        Ok(results)
    }

    /// The options as the arena takes them. `remark` is told of engines that are passed over.
    ///
    /// # Errors
    ///
    /// If an option makes no sense.
    pub fn options(&self, remark: &mut dyn FnMut(&str)) -> Result<MatchOptions> {
        let (engines, each) = match &self.engines_file {
            Some(file) => {
                let engine_file = EngineFile::read(file).context("--engines")?;
                engine_file.passed_over().for_each(|what| remark(&format!("--engines: {}: {what}", file.display())));
                (engine_file.engines(&self.engines.0).context("--engine")?, [engine_file.each(), &self.each].concat())
            }
            None => (self.engines.0.clone(), self.each.clone()),
        };
        if engines.iter().flatten().any(|word| word.starts_with("conf=")) {
            bail!("--engine: conf= picks an engine from a file, which --engines names");
        }
        let engines = engines.iter().map(|words| EngineSpec::parse(&each, words));
        Ok(MatchOptions {
            engines: engines.collect::<Result<_, _>>().context("--engine or --each")?,
            variant: self.rule_set.variant()?,
            openings: OpeningList::from_words(&self.openings).context("--openings")?,
            sprt: Sprt::from_words(&self.sprt).context("--sprt")?,
            resign: Resign::from_words(&self.resign).context("--resign")?,
            draw: DrawRule::from_words(&self.draw).context("--draw")?,
            ..self.options.clone()
        })
    }
}

/// A match that others play.
struct Spread<'a> {
    games: Elsewhere<'a>,
    names: Vec<String>,
    /// Where the programs of engines are looked for.
    here: PathBuf,
    /// Games that are planned.
    total: u64,
}

/// A message about a record of the folder that does not count.
fn left_out(what: &str) -> String {
    format!("{what}; the record is left out, and its game played again")
}

/// Reports finished games while others play.
fn tell<'a>(names: &'a [String]) -> impl FnMut(&Event<'_>) + 'a {
    |event| match event {
        Event::Finished(record, results) => {
            finished(names, record, results).iter().for_each(|line| exchange::say(line));
        }
        Event::LeftOut(what) => say(&left_out(what)),
        Event::Resumed(_) | Event::Started(_) => {}
    }
}

impl Owner for Spread<'_> {
    type Order = Order;
    type Found = GameRecord;

    fn next(&mut self) -> Result<Option<Task<Order>>> {
        let order = self.games.order(&self.here, &mut tell(&self.names))?;
        Ok(order.map(|order| Task { name: format!("game {}", order.game() + 1), cores: order.cores(), order }))
    }

    fn done(&mut self, order: Order, found: Result<GameRecord, String>, _: &str) -> Result<Option<String>> {
        let done = match found {
            Ok(record) if record.game == order.game() => self.games.add(record, &mut tell(&self.names)),
            Ok(record) => {
                let what = format!("it came back as game {}", record.game.saturating_add(1));
                Err(self.games.refuse(order.game(), what))
            }
            Err(what) => Err(self.games.refuse(order.game(), what)),
        };
        match done {
            Err(TournamentError::Refused { what, .. }) => Ok(Some(what)),
            done => Ok(done.map(|()| None)?),
        }
    }

    fn is_over(&self) -> bool {
        self.games.is_over()
    }

    fn count(&self) -> Count {
        let results = self.games.results();
        let score = if self.names.len() == 2 { results.score_line([0, 1]) } else { "match".to_owned() };
        let ratio = results.ratio().map(|ratio| format!(", LLR {ratio:.2}")).unwrap_or_default();
        Count { what: score + &ratio, units: "games", done: results.games(), total: self.total }
    }
}

/// Lines that are said of a finished game.
fn finished(names: &[impl AsRef<str>], record: &GameRecord, results: &Results) -> [String; 2] {
    let (white, black, result) = (&record.white, &record.black, &record.result);
    let (number, detail) = (record.game + 1, one_line(&record.detail));
    let place = |name: &String| names.iter().position(|known| known.as_ref() == name).unwrap_or(0);
    let mut pairing = [place(white), place(black)];
    pairing.sort_unstable();
    let line = format!("Finished game {number} ({white} vs {black}): {result} {{{detail}}}");
    [line, results.score_line(pairing)]
}
