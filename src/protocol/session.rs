use super::bench;
use super::engine::{Engine, Order, PositionError, engine_for};
use super::go::{Dialect, Go};
use super::judge::Judge;
use super::options::{self, Id, OPTIONS, Setting};
use super::output::Output;
use super::strength;
use crate::endgame::damone::Tables;
use crate::eval::Knowledge;
use crate::games::variant::{self, Variant};
use crate::games::{Outcome, Side};
use crate::search::{Control, Settings, SettingsError};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Work on its own thread, which gives the engine back at the end.
struct Running {
    control: Arc<Control>,
    thread: JoinHandle<Option<Box<dyn Engine>>>,
    /// Counting and benches are finished before the next command, a search is ended by it.
    finishes: bool,
}

/// Stops what a session has running, from any thread.
#[derive(Clone, Default)]
pub struct Reins(Arc<Mutex<Option<Arc<Control>>>>);

impl Reins {
    /// Ends it as soon as may be, as the session itself does on `stop`.
    pub fn stop(&self) {
        if let Some(control) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            control.stop();
        }
    }
}

/// One client's dialogue: obeys line by line.
pub struct Session {
    output: Output,
    judge: Judge,
    dialect: Dialect,
    variant: &'static Variant,
    settings: Settings,
    show_wdl: bool,
    overhead: Duration,
    limit_strength: bool,
    elo: u32,
    /// Not here while something runs, nor before it is first needed.
    engine: Option<Box<dyn Engine>>,
    running: Option<Running>,
    reins: Reins,
    /// In UGI, who has lost by an illegal turn.
    forfeited: Option<Side>,
}

/// What a file's name, or none, makes of the knowledge there was.
type Load = fn(&Knowledge, Option<&Path>) -> Result<Arc<Knowledge>, String>;

fn load_weights(old: &Knowledge, path: Option<&Path>) -> Result<Arc<Knowledge>, String> {
    let new = path.map_or_else(|| Ok(Knowledge::embedded()), Knowledge::load).map_err(|error| error.to_string())?;
    Ok(new.with_damone_tables(old.damone_tables.clone()))
}

fn load_damone_tables(old: &Knowledge, path: Option<&Path>) -> Result<Arc<Knowledge>, String> {
    let tables = path.map(Tables::load).transpose().map_err(|error| error.to_string())?;
    Ok(old.with_damone_tables(tables.map(Arc::new)))
}

/// Whether two evaluations and all else that is known are equal.
fn is_the_same(one: &Knowledge, other: &Knowledge) -> bool {
    let damone = |knowledge: &Knowledge| {
        knowledge.damone_tables.as_ref().map(|tables| (tables.rules(), tables.pieces(), tables.checksum()))
    };
    one.tables() == other.tables() && damone(one) == damone(other)
}

fn run_once<T>(task: &Mutex<Option<impl FnOnce() -> Option<T>>>) -> Option<T> {
    let task = task.lock().unwrap_or_else(PoisonError::into_inner).take()?;
    task()
}

/// The first word of a line and the rest.
fn split_word(line: &str) -> (&str, &str) {
    let line = line.trim();
    line.split_once(|c: char| c.is_ascii_whitespace()).map_or((line, ""), |(word, rest)| (word, rest.trim()))
}

const HELP: &str = "\
Hippolyta speaks UCI and UGI. The words of both, and some more:
  uci | ugi                       say who I am, list my options
  isready                         answer readyok
  ucinewgame | uginewgame         forget the last game
  setoption name N value V        e.g. setoption name UCI_Variant value amazons8
  position startpos|fen F [moves M ...]
  moves M ...                     play on from the current position
  go [movetime MS] [wtime MS btime MS winc MS binc MS movestogo N] [nodes N] [depth N] [mate N]
     [infinite] [ponder] [searchmoves M ...]      search, then print bestmove
  go perft N                      count turns to depth N
  stop | ponderhit                end or re-time a search; stop also ends perft and bench, which other words wait for
  query p1turn|gameover|result    (UGI) ask about the game
  d                               show the board, FEN and key
  eval                            explain the evaluation
  bench                           search fixed positions; the node count is the build's signature
  quit                            good-bye
Moves are written d1d7,d7g7: from, to, fire; in Damone c2e4g6: every square stood on. protocol.md has the details.";

/// Commands that are obeyed at once, whatever runs.
const URGENT: &[&str] = &["", "isready", "stop", "ponderhit"];

/// Commands that end a running search before they are obeyed.
const KNOWN: &[&str] = &[
    "uci",
    "ugi",
    "debug",
    "register",
    "ucinewgame",
    "uginewgame",
    "setoption",
    "position",
    "moves",
    "go",
    "query",
    "d",
    "eval",
    "bench",
    "help",
];

impl Session {
    /// A session that writes to `output`.
    #[must_use]
    pub fn new(output: Output, judge: Judge) -> Self {
        Self {
            output,
            judge,
            dialect: Dialect::Uci,
            variant: variant::DEFAULT,
            settings: Settings::default(),
            show_wdl: false,
            overhead: Duration::from_millis(10),
            limit_strength: false,
            elo: strength::DEFAULT as u32,
            engine: None,
            running: None,
            reins: Reins::default(),
            forfeited: None,
        }
    }

    /// What stops its searches from another thread.
    #[must_use]
    pub fn reins(&self) -> Reins {
        self.reins.clone()
    }

    /// Whether something runs that is to be finished before the next command.
    pub fn is_busy(&mut self) -> bool {
        if self.running.as_ref().is_some_and(|running| running.finishes && running.thread.is_finished()) {
            self.settle(false);
        }
        self.running.as_ref().is_some_and(|running| running.finishes)
    }

    /// Whether a line is to be obeyed even then.
    #[must_use]
    pub fn is_urgent(line: &str) -> bool {
        URGENT.contains(&split_word(line).0)
    }

    /// Whether a line ends what runs.
    #[must_use]
    pub fn is_stop(line: &str) -> bool {
        split_word(line).0 == "stop"
    }

    /// Obeys one line; false after `quit`. While the session [is busy](Self::is_busy), only [urgent](Self::is_urgent) ones.
    pub fn obey(&mut self, line: &str) -> bool {
        self.obey_at(line, Instant::now())
    }

    /// The same for a line that came a while ago: the clock of a search runs since then.
    pub fn obey_at(&mut self, line: &str, when: Instant) -> bool {
        let (word, rest) = split_word(line);
        debug_assert!(!self.is_busy() || Self::is_urgent(line));
        match word {
            "" => return true,
            "isready" => {
                self.output.line("readyok");
                return true;
            }
            "stop" => {
                self.settle(true);
                return true;
            }
            "ponderhit" => {
                if let Some(running) = &self.running {
                    running.control.ponder_hit();
                }
                return true;
            }
            "quit" => return false,
            _ => {}
        }
        if !KNOWN.contains(&word) {
            self.output.remark(&format!("Unknown command: '{line}'. Type help for help."));
            return true;
        }
        self.settle(true);
        match word {
            "uci" => self.introduce(Dialect::Uci),
            "ugi" => self.introduce(Dialect::Ugi),
            "debug" | "register" => {}
            "ucinewgame" | "uginewgame" => self.new_game(),
            "setoption" => self.set_option(rest),
            "position" => self.position(rest),
            "moves" => self.moves(rest),
            "go" => self.go(rest, when),
            "query" => self.query(rest),
            "d" => self.show(|engine| engine.display()),
            "eval" => self.show(|engine| engine.explain()),
            "bench" => self.bench(),
            _ => self.output.line(HELP),
        }
        true
    }

    /// Ends the session: a running search prints its bestmove first.
    pub fn end(&mut self) {
        self.settle(true);
    }

    /// Waits for what runs, if something does, and takes the engine back; with `stop`, ends it.
    pub fn settle(&mut self, stop: bool) {
        let Some(Running { control, thread, .. }) = self.running.take() else { return };
        if stop {
            control.stop();
        }
        match thread.join() {
            Ok(engine) => self.take_back(engine),
            Err(_) => self.output.error("the search thread was lost; the position is the start position again"),
        }
    }

    fn take_back(&mut self, engine: Option<Box<dyn Engine>>) {
        self.engine = engine;
        if let Some(settings) = self.engine.as_ref().map(|engine| engine.settings().clone()) {
            self.take_less(settings);
        }
    }

    /// Takes note of settings that are in force; says so if they are less than what was asked for.
    fn take_less(&mut self, settings: Settings) {
        for (name, asked, got, unit) in [
            ("Hash", self.settings.hash, settings.hash, " MiB"),
            ("Threads", self.settings.threads, settings.threads, ""),
        ] {
            if got < asked {
                self.output.remark(&format!("{name}: the system has only {got}{unit} of {asked}{unit}"));
            }
        }
        self.settings = settings;
    }

    /// Does `work` with the engine, if there is one, on a thread of its own.
    fn start(
        &mut self,
        control: Control,
        finishes: bool,
        work: impl FnOnce(Option<Box<dyn Engine>>, &Control) -> Option<Box<dyn Engine>> + Send + 'static,
    ) {
        let control = Arc::new(control);
        *self.reins.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(control.clone());
        // Kept here as well, as a thread that cannot be started takes along what was to run on it.
        let (engine, reins) = (self.engine.take(), control.clone());
        let task = Arc::new(Mutex::new(Some(move || work(engine, &reins))));
        let spawned = std::thread::Builder::new().name("control".to_owned()).spawn({
            let task = task.clone();
            move || run_once(&task)
        });
        match spawned {
            Ok(thread) => self.running = Some(Running { control, thread, finishes }),
            Err(error) => {
                self.output.error(&format!("cannot start a thread, so this ends at once: {error}"));
                control.stop();
                self.take_back(run_once(&task));
            }
        }
    }

    /// The engine, made when first needed: with less memory or fewer threads, and a word on that, if the system has no more.
    /// `None` (and an error line) if not even the least is to be had.
    fn engine(&mut self) -> Option<&mut Box<dyn Engine>> {
        if self.engine.is_none() {
            let mut settings = self.settings.clone();
            loop {
                match engine_for(self.variant, &self.judge, settings.clone()) {
                    Ok(engine) => break self.take_back(Some(engine)),
                    Err(SettingsError::Memory(_)) if settings.hash > 1 => settings.hash /= 2,
                    Err(SettingsError::Threads(..)) if settings.threads > 1 => settings.threads /= 2,
                    Err(error) => break self.output.error(&error.to_string()),
                }
            }
        }
        self.engine.as_mut()
    }

    fn show(&mut self, text: impl Fn(&dyn Engine) -> String) {
        if let Some(text) = self.engine().map(|engine| text(engine.as_ref())) {
            self.output.line(&text);
        }
    }

    fn introduce(&mut self, dialect: Dialect) {
        self.forfeited = None;
        self.dialect = dialect;
        self.output.line(concat!("id name Hippolyta ", env!("CARGO_PKG_VERSION")));
        self.output.line("id author the Hippolyta developers");
        for spec in OPTIONS {
            self.output.line(&spec.declaration(dialect == Dialect::Ugi));
        }
        self.output.line(if dialect == Dialect::Ugi { "ugiok" } else { "uciok" });
    }

    fn new_game(&mut self) {
        self.forfeited = None;
        let start = self.variant.start;
        if let Some(engine) = self.engine.as_mut() {
            engine.clear();
            // The start position is always legal.
            let _ = engine.set_position(start, &[]);
        }
    }

    fn set_option(&mut self, words: &str) {
        let mut settings = self.settings.clone();
        #[cfg(feature = "tuning")]
        if let Some((name, value)) = options::constant(words) {
            if !self.engine().is_some_and(|engine| engine.set_constant(&name, value)) {
                self.output.error(&format!("no such constant: {name}"));
            }
            return;
        }
        match options::parse(words) {
            Err(error) => return self.output.error(&error),
            Ok((Id::Variant, Setting::Variant(variant))) => return self.set_variant(variant),
            Ok((Id::EvalFile, Setting::Text(path))) => return self.load("EvalFile", &path, load_weights),
            Ok((Id::DamoneTables, Setting::Text(path))) => return self.load("DamoneTables", &path, load_damone_tables),
            Ok((Id::ClearHash, _)) => {
                if let Some(engine) = self.engine.as_mut() {
                    engine.clear();
                }
                return;
            }
            Ok((Id::ShowWdl, Setting::Check(show))) => self.show_wdl = show,
            Ok((Id::LimitStrength, Setting::Check(limit))) => self.limit_strength = limit,
            Ok((Id::Elo, Setting::Spin(elo))) => self.elo = elo as u32,
            Ok((Id::MoveOverhead, Setting::Spin(milliseconds))) => self.overhead = Duration::from_millis(milliseconds),
            Ok((Id::Threads, Setting::Spin(threads))) => settings.threads = threads as usize,
            Ok((Id::Hash, Setting::Spin(hash))) => settings.hash = hash as usize,
            Ok((Id::MultiPv, Setting::Spin(lines))) => settings.multi_pv = lines as usize,
            Ok((Id::Seed, Setting::Spin(seed))) => settings.seed = seed,
            // Ponder, UCI_AnalyseMode and OwnBook tell us what the client does; nothing here depends on it.
            Ok(_) => {}
        }
        if settings == self.settings {
            return;
        }
        // Tried at once, on an engine made for the purpose if need be: what cannot be had is said here, not at the next search.
        let result = match &mut self.engine {
            Some(engine) => engine.set(&settings),
            None => engine_for(self.variant, &self.judge, settings.clone()).map(|engine| self.engine = Some(engine)),
        };
        match result {
            Ok(()) => self.settings = settings,
            Err(error) => self.output.error(&error.to_string()),
        }
    }

    /// Takes knowledge from the file that an option names, or without a name what is built in. The position stays; what was searched is
    /// forgotten, unless nothing new is known.
    fn load(&mut self, option: &str, path: &str, load: Load) {
        let Judge::Evaluation(knowledge) = &self.judge else {
            return self.output.error(&format!("option {option}: playouts need no file"));
        };
        let path = Some(path).filter(|path| !["", "<empty>", options::BUILT_IN].contains(path));
        let judge = match load(knowledge, path.map(Path::new)) {
            Ok(knowledge) => Judge::Evaluation(knowledge),
            Err(error) => return self.output.error(&format!("option {option}: {}: {error}", path.unwrap_or_default())),
        };
        if let Judge::Evaluation(new) = &judge
            && is_the_same(knowledge, new)
        {
            return;
        }
        let made = engine_for(self.variant, &judge, self.settings.clone()).map_err(|error| error.to_string());
        let moved = made.and_then(|mut engine| {
            if let Some(old) = &self.engine {
                let (fen, moves) = old.history();
                let moves: Vec<_> = moves.iter().map(String::as_str).collect();
                engine.set_position(&fen, &moves).map_err(|error| error.to_string())?;
            }
            Ok(engine)
        });
        match moved {
            Ok(engine) => (self.engine, self.judge) = (Some(engine), judge),
            Err(error) => self.output.error(&error),
        }
    }

    /// Takes a rule set and its start position. If it is the one that was played, what was searched stays.
    fn set_variant(&mut self, variant: &'static Variant) {
        if self.variant != variant {
            self.variant = variant;
            self.engine = None;
        }
        self.forfeited = None;
        let Some(engine) = self.engine() else { return };
        // The start position is always legal.
        let _ = engine.set_position(variant.start, &[]);
        let (files, ranks) = engine.board_size();
        self.output.remark(&format!(
            "variant {} files {files} ranks {ranks} pocket 0 template fairy startpos {}",
            variant.name, variant.start
        ));
    }

    /// `startpos` or `fen F`, then perhaps `moves M …`.
    fn position(&mut self, words: &str) {
        let (first, rest) = split_word(words);
        let words: Vec<_> = rest.split_ascii_whitespace().collect();
        let split = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let (fen, moves) = words.split_at(split);
        let moves = moves.get(1..).unwrap_or_default();
        let start = self.variant.start;
        let fen = match first {
            "startpos" if fen.is_empty() => start.to_owned(),
            "fen" if !fen.is_empty() => fen.join(" "),
            "fen" => return self.output.error("position fen: a FEN is expected"),
            "startpos" => return self.output.error("position startpos: 'moves' or nothing is expected after it"),
            _ => return self.output.error("position: 'startpos' or 'fen' is expected after it"),
        };
        let Some(engine) = self.engine() else { return };
        let result = engine.set_position(&fen, moves);
        self.take(result, |engine, legal| engine.set_position(&fen, moves.get(..legal).unwrap_or_default()));
    }

    fn moves(&mut self, words: &str) {
        let moves: Vec<_> = words.split_ascii_whitespace().collect();
        if let Some(side) = self.forfeited {
            return self.output.error(&format!("moves: the game is over, {side} has lost by an illegal move"));
        }
        let Some(engine) = self.engine() else { return };
        let result = engine.play(&moves);
        self.take(result, |engine, legal| engine.play(moves.get(..legal).unwrap_or_default()));
    }

    /// Takes note of how setting a position went. In UGI an illegal turn loses the game for who played it: then `up_to` sets
    /// the position with the legal turns before it.
    fn take(
        &mut self,
        result: Result<(), PositionError>,
        up_to: impl FnOnce(&mut dyn Engine, usize) -> Result<(), PositionError>,
    ) {
        let Err(error) = result else {
            self.forfeited = None;
            return;
        };
        self.output.error(&error.to_string());
        if let (Dialect::Ugi, PositionError::Turn { index, .. }) = (self.dialect, error)
            && let Some(engine) = self.engine.as_mut()
            && up_to(engine.as_mut(), index).is_ok()
        {
            self.forfeited = Some(engine.side_to_move());
        }
    }

    fn go(&mut self, words: &str, when: Instant) {
        let go = match Go::parse(words) {
            Ok(go) => go,
            Err(error) => return self.output.error(&error.to_string()),
        };
        if !go.unknown.is_empty() {
            self.output.remark(&format!("go: ignored {}", go.unknown.join(" ")));
        }
        let output = self.output.clone();
        if let Some(depth) = go.perft {
            return self.perft(depth);
        }
        if self.forfeited.is_some() {
            return output.line("bestmove (none)");
        }
        let Some(engine) = self.engine() else { return output.line("bestmove (none)") };
        if let Err(error) = engine.check(&go) {
            return output.error(&format!("go searchmoves: {error}"));
        }
        let (dialect, show_wdl, overhead) = (self.dialect, self.show_wdl, self.overhead);
        let elo = self.limit_strength.then_some(self.elo);
        self.start(Control::new(go.ponder), false, move |engine, control| {
            let mut engine = engine?;
            let order = Order { go: &go, control, dialect, show_wdl, overhead, ordered: Some(when), elo };
            let mut answered = false;
            let say = &mut |line: &str| {
                answered |= line.starts_with("bestmove");
                output.line(line);
                if output.is_lost() {
                    control.stop();
                }
            };
            if catch_unwind(AssertUnwindSafe(|| engine.search(&order, say))).is_err() {
                engine.clear();
                if !answered {
                    output.error("the search failed; the answer is just a legal move");
                    output.line(&format!("bestmove {}", engine.legal().first().map_or("(none)", String::as_str)));
                }
            }
            Some(engine)
        });
    }

    fn perft(&mut self, depth: u32) {
        if self.engine().is_none() {
            return;
        }
        let (output, threads) = (self.output.clone(), self.settings.threads);
        self.start(Control::default(), true, move |engine, control| {
            let engine = engine?;
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let count = || engine.perft(depth, control);
            match pool.map_or_else(|_| count(), |pool| pool.install(count)) {
                Some((divide, nodes)) => {
                    for (turn, count) in divide {
                        output.line(&format!("{turn}: {count}"));
                    }
                    output.line(&format!("\nNodes searched: {nodes}"));
                }
                None => output.remark("perft: stopped"),
            }
            Some(engine)
        });
    }

    fn bench(&mut self) {
        let output = self.output.clone();
        self.start(Control::default(), true, move |engine, control| {
            bench::run(&output, bench::DEPTH, control);
            engine
        });
    }

    fn query(&mut self, words: &str) {
        let forfeited = self.forfeited;
        let Some(engine) = self.engine() else { return };
        let outcome = forfeited.map(|side| Outcome::Win(!side)).or(engine.outcome());
        let answer = match words.trim() {
            "p1turn" => (engine.side_to_move() == Side::White).to_string(),
            "gameover" => outcome.is_some().to_string(),
            "result" => match outcome {
                None => "none",
                Some(Outcome::Draw) => "draw",
                Some(Outcome::Win(Side::White)) => "p1win",
                Some(Outcome::Win(Side::Black)) => "p2win",
            }
            .to_owned(),
            other => {
                return self.output.error(&format!("query '{other}': p1turn, gameover or result is expected"));
            }
        };
        self.output.line(&format!("response {answer}"));
    }
}
