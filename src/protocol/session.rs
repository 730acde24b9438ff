use super::bench;
use super::go::{Dialect, Go};
use super::info::{self, Style, Teller};
use super::options::{self, OPTIONS};
use super::output::Output;
use crate::engine::{Board, Control, DEFAULT_ELO, Engine, Limits, Model, PositionError, Settings, bench as searches};
use crate::eval::Weights;
use crate::games::variant::{self, Variant};
use crate::games::{Outcome, Side};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use web_time::Instant;

/// Work on its own thread, which gives the engine back at the end.
struct Running {
    control: Arc<Control>,
    thread: JoinHandle<Option<Engine>>,
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
    model: Model,
    dialect: Dialect,
    /// The game; what is searched is a copy of it.
    board: Board,
    settings: Settings,
    pub(super) show_wdl: bool,
    pub(super) overhead: Duration,
    pub(super) limit_strength: bool,
    pub(super) elo: u32,
    /// Not here while something runs, nor before it is first needed.
    engine: Option<Engine>,
    running: Option<Running>,
    reins: Reins,
    /// In UGI, who has lost by an illegal turn.
    forfeited: Option<Side>,
}

/// What a file, or none, makes of the weights in use.
pub(super) type Load = fn(&Weights, Option<&Path>) -> Result<Arc<Weights>, String>;

/// Whether two evaluations and all else that is known are equal.
fn is_the_same(one: &Weights, other: &Weights) -> bool {
    let damone = |weights: &Weights| {
        weights.damone_tables.as_ref().map(|tables| (tables.rules(), tables.pieces(), tables.checksum()))
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
    pub fn new(output: Output, model: Model) -> Self {
        Self {
            output,
            model,
            dialect: Dialect::Uci,
            board: Board::new(variant::DEFAULT),
            settings: Settings::default(),
            show_wdl: false,
            overhead: Duration::from_millis(10),
            limit_strength: false,
            elo: DEFAULT_ELO,
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

    /// Obeys one line; false after `quit`. While the session [is busy](Self::is_busy), only [urgent](Self::is_urgent)
    /// ones.
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
            "d" => self.output.line(&info::display(&self.board)),
            "eval" => self.explain(),
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
            Err(_) => self.output.error("the search thread was lost, and what it had searched"),
        }
    }

    fn take_back(&mut self, engine: Option<Engine>) {
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
        work: impl FnOnce(Option<Engine>, &Control) -> Option<Engine> + Send + 'static,
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

    /// The engine, made when first needed: with less memory or fewer threads, and a word on that, if the system has no
    /// more. `None` (and an error line) if not even the least is to be had.
    fn engine(&mut self) -> Option<&mut Engine> {
        if self.engine.is_none() {
            match Engine::with_what_there_is(self.board.variant(), &self.model, self.settings.clone()) {
                Ok(engine) => self.take_back(Some(engine)),
                Err(error) => self.output.error(&error.to_string()),
            }
        }
        self.engine.as_mut()
    }

    fn explain(&mut self) {
        let board = self.board.clone();
        match self.engine().map(|engine| engine.explain(&board)) {
            Some(Ok(explanation)) => self.output.line(&info::explanation(explanation.as_ref())),
            Some(Err(error)) => self.output.error(&error.to_string()),
            None => {}
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
        self.board = Board::new(self.board.variant());
        if let Some(engine) = self.engine.as_mut() {
            engine.clear();
        }
    }

    fn set_option(&mut self, words: &str) {
        #[cfg(feature = "tuning")]
        if let Some((name, value)) = options::constant(words) {
            if !self.engine().is_some_and(|engine| engine.set_constant(&name, value)) {
                self.output.error(&format!("no such constant: {name}"));
            }
            return;
        }
        if let Err(error) = options::set(self, words) {
            self.output.error(&error);
        }
    }

    /// What options have set.
    #[cfg(test)]
    pub(super) fn options(&self) -> (&'static str, &Settings, bool, Duration, bool, u32) {
        let Self { board, settings, show_wdl, overhead, limit_strength, elo, .. } = self;
        (board.variant().name, settings, *show_wdl, *overhead, *limit_strength, *elo)
    }

    /// Forgets what was searched.
    pub(super) fn clear(&mut self) {
        if let Some(engine) = self.engine.as_mut() {
            engine.clear();
        }
    }

    /// Takes other settings of the search.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Settings)) {
        let mut settings = self.settings.clone();
        change(&mut settings);
        if settings == self.settings {
            return;
        }
        // Tried at once, on an engine made for the purpose if need be: what cannot be had is said here, not at the next
        // search.
        let result = match &mut self.engine {
            Some(engine) => engine.set(&settings),
            None => Engine::new(self.board.variant(), &self.model, settings.clone())
                .map(|engine| self.engine = Some(engine)),
        };
        match result {
            Ok(()) => self.settings = settings,
            Err(error) => self.output.error(&error.to_string()),
        }
    }

    /// Takes weights or tables from the file that an option names, or without a name what is built in. The position
    /// stays; what was searched is forgotten, unless nothing new is known.
    pub(super) fn load(&mut self, option: &str, path: Option<&Path>, load: Load) {
        let Model::Learned(weights) = &self.model else {
            return self.output.error(&format!("option {option}: playouts need no file"));
        };
        let new = match load(weights, path) {
            Ok(new) => new,
            Err(error) => {
                let path = path.unwrap_or(Path::new("")).display();
                return self.output.error(&format!("option {option}: {path}: {error}"));
            }
        };
        if is_the_same(weights, &new) {
            return;
        }
        let model = Model::Learned(new);
        match Engine::new(self.board.variant(), &model, self.settings.clone()) {
            Ok(engine) => (self.engine, self.model) = (Some(engine), model),
            Err(error) => self.output.error(&error.to_string()),
        }
    }

    /// Takes a rule set and its start position. If it is the one that was played, what was searched stays.
    pub(super) fn set_variant(&mut self, variant: &'static Variant) {
        if self.board.variant() != variant {
            self.engine = None;
        }
        self.forfeited = None;
        self.board = Board::new(variant);
        let (files, ranks) = self.board.size();
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
        let variant = self.board.variant();
        let fen = match first {
            "startpos" if fen.is_empty() => variant.start.to_owned(),
            "fen" if !fen.is_empty() => fen.join(" "),
            "fen" => return self.output.error("position fen: a FEN is expected"),
            "startpos" => return self.output.error("position startpos: 'moves' or nothing is expected after it"),
            _ => return self.output.error("position: 'startpos' or 'fen' is expected after it"),
        };
        match Board::from_fen(variant, &fen) {
            Ok(start) => self.play(start, moves),
            Err(error) => self.output.error(&error.to_string()),
        }
    }

    fn moves(&mut self, words: &str) {
        let moves: Vec<_> = words.split_ascii_whitespace().collect();
        if let Some(side) = self.forfeited {
            return self.output.error(&format!("moves: the game is over, {side} has lost by an illegal move"));
        }
        self.play(self.board.clone(), &moves);
    }

    /// Takes the position after `moves` from `start`. After an illegal one the old position stays; but in UGI it loses
    /// the game for who played it, and the position before it is taken.
    fn play(&mut self, start: Board, moves: &[&str]) {
        let mut board = start.clone();
        let Err(error) = board.play_all(moves) else {
            (self.board, self.forfeited) = (board, None);
            return;
        };
        self.output.error(&error.to_string());
        if let (Dialect::Ugi, PositionError::Turn { index, .. }) = (self.dialect, error) {
            let mut board = start;
            if board.play_all(moves.get(..index).unwrap_or_default()).is_ok() {
                self.forfeited = Some(board.side_to_move());
                self.board = board;
            }
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
        if self.forfeited.is_some() || self.engine().is_none() {
            return output.line("bestmove (none)");
        }
        if let Some(error) = go.limits.turns.iter().find_map(|turn| self.board.spell(turn).err()) {
            return output.error(&format!("go searchmoves: {error}"));
        }
        let limits = Limits {
            infinite: go.limits.infinite || go.limits.is_unlimited() && !go.limits.ponder,
            elo: self.limit_strength.then_some(self.elo),
            overhead: self.overhead,
            ordered: Some(when),
            ..go.limits
        };
        let style = Style { dialect: self.dialect, show_wdl: self.show_wdl };
        let board = self.board.clone();
        self.start(Control::new(limits.ponder), false, move |engine, control| {
            let mut engine = engine?;
            let mut teller = Teller::new(style, &output);
            let mut tell = |analysis: &_| {
                teller.tell(analysis);
                if output.is_lost() {
                    control.stop();
                }
            };
            let searched = catch_unwind(AssertUnwindSafe(|| engine.analyse(&board, &limits, control, &mut tell)));
            let failure = match searched {
                Ok(Ok(_)) => return Some(engine),
                Ok(Err(error)) => error.to_string(),
                Err(_) => "the search failed; the answer is just a legal move".to_owned(),
            };
            engine.clear();
            if !teller.is_done() {
                output.error(&failure);
                output.line(&format!("bestmove {}", board.legal_turns().first().map_or("(none)", String::as_str)));
            }
            Some(engine)
        });
    }

    fn perft(&mut self, depth: u32) {
        let (output, threads, board) = (self.output.clone(), self.settings.threads, self.board.clone());
        self.start(Control::default(), true, move |engine, control| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let count = || board.perft(depth, control);
            match pool.map_or_else(|_| count(), |pool| pool.install(count)) {
                Some(perft) => {
                    for (turn, count) in perft.divide {
                        output.line(&format!("{turn}: {count}"));
                    }
                    output.line(&format!("\nNodes searched: {}", perft.nodes));
                }
                None => output.remark("perft: stopped"),
            }
            engine
        });
    }

    fn bench(&mut self) {
        let output = self.output.clone();
        self.start(Control::default(), true, move |engine, control| {
            bench::run(&output, searches::DEPTH, control);
            engine
        });
    }

    fn query(&mut self, words: &str) {
        let forfeited = self.forfeited;
        let outcome = forfeited.map(|side| Outcome::Win(!side)).or(self.board.outcome());
        let answer = match words.trim() {
            "p1turn" => (self.board.side_to_move() == Side::White).to_string(),
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
