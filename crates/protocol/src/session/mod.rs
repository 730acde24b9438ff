//! One client's dialogue. This module knows which word does what; the state between two lines lies in others:
//!
//! | module | its one idea |
//! | --- | --- |
//! | `game` | the game that is played: `position`, `moves`, `query` |
//! | `holder` | the engine, kept with its settings and its model |
//! | `background` | at most one piece of work on a thread of its own, and what stops it |
//! | `work` | such work: a search, a count |

mod background;
mod game;
mod holder;
mod work;

pub use background::StopHandle;

use super::bench;
use super::endings;
use super::go::{Dialect, Go};
use super::info::{self, Style};
use super::options::{self, Change, EVAL_NET, Kind, OPTIONS, Spec, seed_of_variety};
use super::output::Output;
use background::{Background, Until};
use game::Game;
use hippolyta::engine::{
    Book, BookEntry, Control, DEFAULT_ELO, Engine, Limits, Model, Settings, bench as searches, load_rules,
};
use hippolyta::games::general::RulesFile;
use hippolyta::games::variant::{self, Family, Variant};
use holder::{EngineHolder, Load};
use std::path::Path;
use std::time::Duration;
use web_time::Instant;

/// One client's dialogue: obeys line by line.
pub struct Session {
    output: Output,
    dialect: Dialect,
    game: Game,
    holder: EngineHolder,
    background: Background,
    show_wdl: bool,
    overhead: Duration,
    limit_strength: bool,
    elo: u32,
    /// Points by which turns of the opening may be worse than the best.
    variety: u32,
    /// Whether the client has chosen a seed.
    has_seed: bool,
    /// Whether lines whose first turns are images of each other are told once.
    merge_mirrored: bool,
    /// Whether turns of the book are played.
    own_book: bool,
    book: Option<Book>,
    /// Whether endgame tables of Damone come from the user's folder for caches, as soon as they are there.
    cached_tables: bool,
    /// Rule sets from a file, offered beside those that are built in.
    own: RulesFile,
    nets: Option<Nets>,
}

/// A loader of the net that the option `EvalNet` names; the error is one line. See [`Session::with_nets`].
pub type NetLoader = Box<dyn FnMut(&str) -> Result<Model, String> + Send>;

/// Nets of the host.
struct Nets {
    load: NetLoader,
    /// The evaluation that the session began with.
    first: Model,
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
  query p1turn|gameover|result|margin    ask about the game
  legal                           list the legal moves
  d                               show the board, FEN and key
  eval                            explain the evaluation
  bench                           search fixed positions; the node count is the build's signature
  quit                            good-bye
Moves are written d1d7,d7g7: from, to, fire; in Damone c2e4g6: every square stood on. protocol.md has the details.";

/// Commands that are obeyed at once, whatever runs. `ponderhit` is for the last `go` before it, which may still wait.
const URGENT: &[&str] = &["", "isready", "stop"];

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
    "legal",
    "d",
    "eval",
    "bench",
    "help",
];

impl Session {
    /// A session that writes to `output`.
    pub fn new(output: Output, model: Model) -> Self {
        Self {
            dialect: Dialect::Uci,
            game: Game::new(variant::DEFAULT),
            holder: EngineHolder::new(output.clone(), model),
            background: Background::new(output.clone()),
            output,
            show_wdl: false,
            overhead: Duration::from_millis(10),
            limit_strength: false,
            elo: DEFAULT_ELO,
            variety: 0,
            has_seed: false,
            merge_mirrored: false,
            own_book: false,
            book: None,
            cached_tables: false,
            own: RulesFile::default(),
            nets: None,
        }
    }

    /// A new session with the option `EvalNet`, which names nets that `load` loads.
    ///
    /// ```
    /// use hippolyta::engine::Model;
    /// use hippolyta_protocol::{Output, Session};
    ///
    /// let load = |name: &str| if name == "random" { Ok(Model::Playouts) } else { Err(format!("no net '{name}'")) };
    /// let mut session = Session::new(Output::new(std::io::sink()), Model::default()).with_nets(Box::new(load));
    /// session.obey("setoption name EvalNet value random");
    /// ```
    #[must_use]
    pub fn with_nets(self, load: NetLoader) -> Self {
        let first = self.holder.model().clone();
        Self { nets: Some(Nets { load, first }), ..self }
    }

    /// All options, in the order in which they are listed.
    fn options(&self) -> impl Iterator<Item = &'static Spec> + use<> {
        OPTIONS.iter().chain(self.nets.is_some().then_some(&EVAL_NET))
    }

    /// A handle that stops its searches from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.background.stop_handle()
    }

    /// Whether something runs that is to be finished before the next command.
    pub fn is_busy(&mut self) -> bool {
        if self.background.is_busy() && self.background.is_finished() {
            self.settle(false);
        }
        self.background.is_busy()
    }

    /// Whether a line is to be obeyed even then.
    pub fn is_urgent(line: &str) -> bool {
        URGENT.contains(&split_word(line).0)
    }

    /// Whether a line ends what runs.
    pub fn is_stop(line: &str) -> bool {
        split_word(line).0 == "stop"
    }

    /// Obeys one line; false after `quit`. While the session [is busy](Self::is_busy), only [urgent](Self::is_urgent)
    /// ones.
    pub fn obey(&mut self, line: &str) -> bool {
        self.obey_at(line, Instant::now())
    }

    /// Obeys a line that was read at `when`: the clock of a search runs from then on. False after `quit`.
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
                self.background.ponder_hit();
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
            "position" => {
                let size = self.game.board().size();
                let result = self.game.position(rest, self.dialect);
                self.report(result);
                if self.game.board().size() != size {
                    self.doubt_weights();
                }
            }
            "moves" => {
                let result = self.game.moves(rest, self.dialect);
                self.report(result);
            }
            "go" => self.go(rest, when),
            "query" => self.query(rest),
            "legal" => self.output.line(&info::legal(self.game.board())),
            "d" => self.output.line(&info::display(self.game.board())),
            #[cfg(feature = "inspect")]
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
        if let Some(engine) = self.background.settle(stop) {
            self.holder.take_back(engine);
        }
    }

    /// Does `work` with the engine, if there is one, on a thread of its own.
    fn start(
        &mut self,
        control: Control,
        until: Until,
        work: impl FnOnce(Option<Engine>, &Control) -> Option<Engine> + Send + 'static,
    ) {
        if let Some(engine) = self.background.start(self.holder.lend(), control, until, Box::new(work)) {
            self.holder.take_back(engine);
        }
    }

    /// Says what is wrong, if something is.
    fn report(&self, result: Result<(), String>) {
        if let Err(error) = result {
            self.output.error(&error);
        }
    }

    #[cfg(feature = "inspect")]
    fn explain(&mut self) {
        let board = self.game.board();
        match self.holder.engine(board.variant()).map(|engine| engine.explain(board)) {
            Some(Ok(explanation)) => self.output.line(&info::explanation(explanation.as_ref())),
            Some(Err(error)) => self.output.error(&error.to_string()),
            None => {}
        }
    }

    fn introduce(&mut self, dialect: Dialect) {
        self.game.forgive();
        self.dialect = dialect;
        self.output.line(concat!("id name Hippolyta ", env!("CARGO_PKG_VERSION")));
        self.output.line("id author the Hippolyta developers");
        for spec in self.options() {
            self.output.line(&spec.declaration(dialect == Dialect::Ugi, &self.own));
        }
        #[cfg(feature = "tuning")]
        for (name, _) in hippolyta::search::Parameters::default().named() {
            // The evaluator decides the value of a parameter that is not set.
            self.output.line(&format!("option name Tune.{name} type string default <empty>"));
        }
        self.output.line(if dialect == Dialect::Ugi { "ugiok" } else { "uciok" });
    }

    fn new_game(&mut self) {
        self.game = Game::new(self.game.variant());
        self.holder.clear();
    }

    fn set_option(&mut self, words: &str) {
        #[cfg(feature = "tuning")]
        if let Some((name, value)) = options::constant(words) {
            if !self.holder.engine(self.game.variant()).is_some_and(|engine| engine.set_constant(&name, value)) {
                self.output.error(&format!("no such constant: {name}"));
            }
            return;
        }
        match options::read(words, &self.own, self.options()) {
            Ok(change) => self.change(change),
            Err(error) => self.output.error(&error),
        }
    }

    /// Does what an option asks for.
    fn change(&mut self, change: Change) {
        match change {
            Change::Rules(path) => self.load_rules(path.as_deref()),
            Change::Variant(variant) => self.set_variant(&variant),
            Change::Threads(threads) => self.change_settings(|settings| settings.threads = threads),
            Change::Hash(hash) => self.change_settings(|settings| settings.hash = hash),
            Change::ClearHash => self.holder.clear(),
            Change::MultiPv(lines) => self.change_settings(|settings| settings.multi_pv = lines),
            Change::MoveOverhead(time) => self.overhead = time,
            Change::ShowWdl(show) => self.show_wdl = show,
            Change::LimitStrength(limit) => self.limit_strength = limit,
            Change::Elo(elo) => self.elo = elo,
            Change::Variety(points) => {
                self.variety = points;
                if !self.has_seed {
                    self.change_settings(|settings| settings.seed = seed_of_variety(points));
                }
            }
            Change::MergeMirrored(merge) => self.merge_mirrored = merge,
            Change::Seed(seed) => {
                self.has_seed = true;
                self.change_settings(|settings| settings.seed = seed);
            }
            Change::OwnBook(own) => self.own_book = own,
            Change::Book(path) => self.load_book(path.as_deref()),
            Change::Weights(path) => self.load("EvalFile", path.as_deref(), holder::weights),
            Change::DamoneTables(path) => {
                self.cached_tables = path.as_deref() == Some(Path::new(endings::CACHE));
                if self.cached_tables {
                    self.take_cached_tables();
                } else {
                    self.load("DamoneTables", path.as_deref(), holder::damone_tables);
                }
            }
            Change::Net(name) => self.load_net(name.as_deref()),
            Change::Nothing => {}
        }
    }

    /// Takes other settings of the search.
    fn change_settings(&mut self, change: impl FnOnce(&mut Settings)) {
        self.holder.change(self.game.variant(), change);
    }

    /// Takes weights or tables from the file that an option names, or without a name what is built in. The position
    /// stays; what was searched is forgotten, unless nothing new is known.
    fn load(&mut self, option: &str, path: Option<&Path>, load: Load) {
        self.holder.load(self.game.board(), option, path, load);
    }

    /// Takes endgame tables from the user's folder for caches, if that was asked for, for a game that has such. The
    /// first call for a game without any has them made in the background, so a later one will take them.
    fn take_cached_tables(&mut self) {
        let variant = self.game.variant();
        let Family::Damone(rules) = variant.family() else { return };
        if !self.cached_tables {
            return;
        }
        match endings::kept(rules) {
            Ok(tables) => tables.into_iter().for_each(|tables| self.holder.take_tables(variant, tables)),
            Err(error) => {
                self.output.error(&format!("option DamoneTables: {error}"));
                self.cached_tables = false;
            }
        }
    }

    /// Takes a net of the host, or without a name the evaluation that the session began with. What was searched is
    /// forgotten. A net that cannot be loaded changes nothing.
    fn load_net(&mut self, name: Option<&Path>) {
        let Some(nets) = &mut self.nets else { return };
        let loaded = name.map_or_else(|| Ok(nets.first.clone()), |name| (nets.load)(&name.to_string_lossy()));
        match loaded {
            Ok(model) => self.holder.replace(self.game.variant(), model),
            Err(error) => self.output.error(&format!("option EvalNet: {error}")),
        }
    }

    /// Takes a book from a file, or without a name has none. A file that cannot be used changes nothing.
    fn load_book(&mut self, path: Option<&Path>) {
        match path.map(|path| Book::load(path).map_err(|error| (path, error))).transpose() {
            Ok(book) => self.book = book,
            Err((path, error)) => self.output.error(&format!("option BookFile: {}: {error}", path.display())),
        }
    }

    /// Takes rule sets from a file, or without a name has none, and declares the option anew that they change. A file
    /// that cannot be used changes nothing, and what is played is played on.
    fn load_rules(&mut self, path: Option<&Path>) {
        match path.map_or_else(|| Ok(RulesFile::default()), load_rules) {
            Ok(own) => self.own = own,
            Err(error) => return self.output.error(&format!("option VariantPath: {error}")),
        }
        for spec in OPTIONS.iter().filter(|spec| matches!(spec.kind, Kind::Variant)) {
            self.output.line(&spec.declaration(self.dialect == Dialect::Ugi, &self.own));
        }
        if let Some(first) = self.own.left_out.first() {
            let number = self.own.left_out.len();
            self.output.remark(&format!("VariantPath: {number} left out as other games; {first}"));
        }
    }

    /// The book's entry of the position, if a turn is to be played: not while it is analysed or pondered on.
    fn book_entry(&self, limits: &Limits) -> Option<&BookEntry> {
        let plays = self.own_book && !limits.infinite && !limits.ponder && limits.mate.is_none();
        self.book.as_ref().filter(|_| plays && limits.turns.is_empty())?.entry(self.game.board())
    }

    /// Takes a rule set and its start position. If it is the one that was played, what was searched stays.
    fn set_variant(&mut self, variant: &Variant) {
        if self.game.variant() != variant {
            self.holder.discard();
        }
        self.game = Game::new(variant);
        let (files, ranks) = self.game.board().size();
        self.output.remark(&format!(
            "variant {} files {files} ranks {ranks} pocket 0 template fairy startpos {}",
            variant.name(),
            variant.start()
        ));
        self.doubt_weights();
    }

    /// Says so if weights from a file are for other games than the one on the board.
    fn doubt_weights(&self) {
        if let Err(why) = self.holder.model().check(self.game.board()) {
            self.output.remark(&format!("EvalFile: {why}"));
        }
    }

    fn go(&mut self, words: &str, when: Instant) {
        let (output, board) = (self.output.clone(), self.game.board().clone());
        let Go { perft, mut limits, turns, mut left_out } = Go::parse(words);
        for turn in &turns {
            match board.read(turn) {
                Ok(turn) => limits.turns.push(turn),
                Err(error) => left_out.push(format!("searchmoves: {error}")),
            }
        }
        if !left_out.is_empty() {
            let all = !turns.is_empty() && limits.turns.is_empty();
            let all = if all { "no move of searchmoves is legal, so all are searched; " } else { "" };
            output.error(&format!("go: {all}left out {}", left_out.join("; ")));
        }
        if let Some(depth) = perft {
            let threads = self.holder.settings().threads;
            return self.start(Control::default(), Until::Finished, move |engine, control| {
                work::perft(&board, depth, threads, control, &output);
                engine
            });
        }
        self.take_cached_tables();
        if self.game.is_forfeited() || self.holder.engine(board.variant()).is_none() {
            return output.line("bestmove (none)");
        }
        let limits = Limits {
            infinite: limits.infinite || limits.is_unlimited() && !limits.ponder,
            elo: self.limit_strength.then_some(self.elo),
            variety: self.variety as f32,
            merge_mirrored: self.merge_mirrored,
            overhead: self.overhead,
            ordered: Some(when),
            ..limits
        };
        if let Some(BookEntry { turn, score, nodes, .. }) = self.book_entry(&limits) {
            output.remark(&format!("{turn} is from the book, by a search of {nodes} nodes"));
            output.line(&format!("info depth 1 score cp {score} nodes 0 time 0 pv {turn}"));
            return output.line(&format!("bestmove {turn}"));
        }
        let style = Style { dialect: self.dialect, show_wdl: self.show_wdl };
        self.start(Control::new(limits.ponder), Until::NextCommand, move |engine, control| {
            Some(work::search(engine?, &board, &limits, control, style, &output))
        });
    }

    fn bench(&mut self) {
        let output = self.output.clone();
        self.start(Control::default(), Until::Finished, move |engine, control| {
            bench::run(&output, searches::DEPTH, control);
            engine
        });
    }

    fn query(&mut self, words: &str) {
        match self.game.query(words) {
            Ok(answer) => self.output.line(&format!("response {answer}")),
            Err(error) => self.output.error(&error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Buffer;

    fn session() -> (Session, Buffer) {
        let buffer = Buffer::default();
        let mut session = Session::new(Output::new(buffer.clone()), Model::default());
        assert!(session.obey("setoption name Hash value 1"));
        (session, buffer)
    }

    #[test]
    fn a_session_begins_with_the_defaults() {
        let (mut session, _) = session();
        session = Session::new(session.output, Model::default());
        let state = |session: &Session| {
            let Session {
                game,
                holder,
                show_wdl,
                overhead,
                limit_strength,
                elo,
                variety,
                merge_mirrored,
                own_book,
                ..
            } = session;
            let settings = holder.settings().clone();
            (
                game.variant().clone(),
                settings,
                *show_wdl,
                *overhead,
                *limit_strength,
                *elo,
                *variety,
                *merge_mirrored,
                *own_book,
            )
        };
        let before = state(&session);
        for spec in OPTIONS {
            let value = match spec.kind {
                Kind::Check(_) => "false".to_owned(),
                Kind::Spin { default, .. } => default.to_string(),
                Kind::Variant => variant::DEFAULT.name().to_owned(),
                Kind::File(_) => "<built-in>".to_owned(),
                Kind::Button(_) => continue,
            };
            session.obey(&format!("setoption name {} value {value}", spec.name));
        }
        assert_eq!(state(&session), before);
    }

    #[test]
    fn variety_draws_by_a_seed_of_its_own_unless_one_is_chosen() {
        let seed = |lines: &[&str]| {
            let (mut session, _) = session();
            lines.iter().for_each(|line| assert!(session.obey(&format!("setoption name {line}"))));
            session.holder.settings().seed
        };
        assert_ne!(seed(&["Variety value 2"]), seed(&["Variety value 2"]));
        assert_eq!(seed(&["Variety value 2", "Variety value 0"]), 0);
        for lines in [["Seed value 7", "Variety value 2"], ["Variety value 2", "Seed value 7"]] {
            assert_eq!(seed(&lines), 7);
        }
    }

    #[test]
    fn nets_of_the_host_take_turns_with_the_evaluation_that_the_session_began_with() {
        let (session, buffer) = session();
        let load = |name: &str| if name == "my net" { Ok(Model::Playouts) } else { Err(format!("{name}: no net")) };
        let mut session = session.with_nets(Box::new(load));
        session.obey("uci");
        assert!(buffer.lines().contains(&"option name EvalNet type string default <built-in>".to_owned()));
        buffer.take();
        let is_learned = |session: &Session| session.holder.model().weights().is_some();
        for (value, learned) in [("my net", false), ("other", false), ("<built-in>", true), ("my net", false)] {
            session.obey(&format!("setoption name evalnet value {value}"));
            assert_eq!(is_learned(&session), learned, "{value}");
        }
        assert_eq!(buffer.take(), ["info string ERROR: option EvalNet: other: no net"]);
        session.obey("setoption name EvalFile value");
        assert_eq!(buffer.take(), ["info string ERROR: option EvalFile: this evaluation is read from no file"]);
        session.obey("go nodes 10");
        session.settle(true);
        assert!(buffer.lines().iter().any(|line| line.starts_with("bestmove ")));
    }

    #[test]
    fn whose_host_has_no_nets_offers_none() {
        let (mut session, buffer) = session();
        session.obey("uci");
        assert!(!buffer.take().iter().any(|line| line.contains("EvalNet")));
        session.obey("setoption name EvalNet value x");
        assert_eq!(buffer.take(), ["info string ERROR: no such option: 'EvalNet'"]);
    }

    #[test]
    fn unknown_words_change_nothing_and_end_nothing() {
        let (mut session, buffer) = session();
        for line in ["castle", "Position startpos moves d1d7,d7g7", "go"] {
            assert!(session.obey(line));
        }
        assert!(session.obey("castle long"));
        assert!(!buffer.lines().iter().any(|line| line.starts_with("bestmove ")));
        session.end();
        assert!(buffer.lines().last().unwrap().starts_with("bestmove "));
        assert_eq!(session.game.board().fen(), variant::DEFAULT.start());
        let remarks: Vec<_> = buffer.lines().into_iter().filter(|line| line.contains("Unknown")).collect();
        assert_eq!(
            remarks,
            ["castle", "Position startpos moves d1d7,d7g7", "castle long"]
                .map(|line| format!("info string Unknown command: '{line}'. Type help for help."))
        );
    }

    #[test]
    fn every_known_word_does_something_of_its_own() {
        let (mut session, buffer) = session();
        session.obey("help");
        let help = buffer.take();
        for word in KNOWN.iter().filter(|&&word| word != "help") {
            assert!(session.obey(word), "{word}");
            session.obey("stop");
            assert_ne!(buffer.take(), help, "{word}");
        }
        assert!(!session.obey("quit"));
    }

    #[test]
    fn a_search_ends_with_its_bestmove_when_the_next_begins() {
        let (mut session, buffer) = session();
        for line in ["go infinite", "go infinite", "position startpos"] {
            session.obey(line);
        }
        let lines = buffer.lines();
        assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove ")).count(), 2, "{lines:#?}");
        assert!(lines.last().unwrap().starts_with("bestmove "));
    }

    #[test]
    fn the_engine_is_lent_to_a_search_and_comes_back_with_its_tree() {
        let (mut session, buffer) = session();
        session.obey("go nodes 3000");
        assert!(session.holder.lend().is_none());
        assert!(!session.is_busy());
        session.settle(false);
        buffer.take();
        session.obey("go nodes 1");
        session.settle(false);
        let first = buffer.take().remove(0);
        assert!(first.starts_with("info depth "), "{first}");
        let full: u32 = first.split(" hashfull ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!(full > 100, "{first}");
        assert!(session.holder.lend().is_some());
    }

    #[test]
    fn a_count_is_waited_for_and_needs_no_engine() {
        let (mut session, buffer) = session();
        session.holder.discard();
        session.obey("go perft 9");
        assert!(session.is_busy());
        session.obey("isready");
        assert!(session.is_busy());
        session.obey("stop");
        assert!(!session.is_busy());
        assert_eq!(buffer.take(), ["readyok", "info string perft: stopped"]);
        session.obey("go perft 1");
        while session.is_busy() {
            std::thread::yield_now();
        }
        assert_eq!(buffer.take().last().unwrap(), "Nodes searched: 2176");
        assert!(session.holder.lend().is_none());
    }

    #[test]
    fn reins_stop_from_another_thread_what_runs() {
        let (mut session, buffer) = session();
        let stop_handle = session.stop_handle();
        stop_handle.stop();
        session.obey("go infinite");
        std::thread::scope(|scope| _ = scope.spawn(|| stop_handle.stop()));
        session.settle(false);
        assert!(buffer.lines().last().unwrap().starts_with("bestmove "));
    }

    #[test]
    fn options_keep_the_tree_unless_they_change_what_it_is_for() {
        let (mut session, buffer) = session();
        let mut full_after = |option: &str| {
            for line in ["position startpos", "go nodes 3000"] {
                session.obey(line);
            }
            session.settle(false);
            session.obey(&format!("setoption name {option}"));
            session.obey("position startpos");
            buffer.take();
            session.obey("go nodes 1");
            session.settle(false);
            let lines = buffer.take().join("\n");
            lines.split(" hashfull ").last().unwrap().split(' ').next().unwrap().parse::<u32>().unwrap()
        };
        for option in
            ["UCI_Variant value amazons", "Hash value 1", "UCI_ShowWDL value true", "MultiPV value 2", "Hash value 0"]
        {
            assert!(full_after(option) > 100, "{option}");
        }
        for option in ["Clear Hash", "Seed value 6", "UCI_Variant value amazons8"] {
            assert!(full_after(option) < 100, "{option}");
        }
    }

    #[test]
    fn a_forfeited_game_is_not_searched_until_there_is_another() {
        let (mut session, buffer) = session();
        session.obey("ugi");
        session.obey("position startpos moves d1d7,d7g7 nonsense");
        buffer.take();
        for line in ["query result", "go nodes 1"] {
            session.obey(line);
        }
        session.settle(false);
        assert_eq!(buffer.take(), ["response p1win", "bestmove (none)"]);
        session.obey("uginewgame");
        session.obey("go nodes 1");
        session.settle(false);
        assert!(buffer.lines().last().unwrap().contains(','), "{:?}", buffer.lines());
    }
}
