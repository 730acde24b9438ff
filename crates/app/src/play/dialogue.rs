//! The loop: who is to move, and what each command does.

use super::Play;
use super::game::{Entered, Game};
use super::input::{Input, Typed};
use super::level::Level;
use super::look::Look;
use super::record::{self, Loaded};
use super::status::{Last, View, counted, ending, name, thousands, wrapped};
use super::text;
use super::watch::Watch;
use super::words::{Seats, Word, parse};
use crate::{end_with_reader, output};
use anyhow::{Context, Result, bail};
use hippolyta::board::Square;
use hippolyta::engine::{
    Analysis, Board, Control, Counter, Decided, Engine, Include, Limits, Resignation, Score, Settings, Territory,
};
use hippolyta::games::variant::Variant;
use hippolyta::games::{Side, Turn};
use hippolyta::words;
use hippolyta_protocol::Output;
use hippolyta_protocol::records::Note;
use signal_hook::consts::SIGINT;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Points by which a turn of the opening may be shown worse than the best.
const VARIETY: f32 = 1.0;

/// The time for a turn if nothing else is asked for.
const MOVE_TIME: Duration = Duration::from_secs(2);
/// How often a pause looks for Ctrl-C.
const LOOK: Duration = Duration::from_millis(20);
/// More turns are counted, not listed.
const MOST_LISTED: usize = 120;

/// A game, the players, and the terminal between them.
pub(super) struct Dialogue<'a> {
    play: &'a Play,
    game: Game,
    engine: Engine,
    seats: Seats,
    level: Level,
    flipped: bool,
    /// Where `new` begins.
    start: Board,
    input: Input,
    look: Look,
    output: Output,
    watch: Watch,
    /// Whether the board has changed since it was shown.
    unseen: bool,
    /// Lines of a board shown while the engine thinks: the next one takes their place.
    passing: usize,
    /// Whether engines that play each other wait for a word.
    paused: bool,
    counter: Counter,
    /// Whether it was said that the game is decided.
    told_decided: bool,
    resignation: Resignation,
    /// Whether the engine may resign: no longer, once it was told to play on.
    may_resign: bool,
}

/// Whether the dialogue goes on after a command.
enum Then {
    GoOn,
    End,
}

impl<'a> Dialogue<'a> {
    pub fn new(play: &'a Play) -> Result<Self> {
        let board = play.position.board()?;
        let mut input = Input::new()?;
        let look = input.look(play.color, play.ascii);
        let engine = engine(play, &board)?;
        let counter = Counter::new(board.variant());
        let watch = Watch::start(input.is_interactive())?;
        let mut start = board.clone();
        while start.undo() {}
        // A game from the command line is not lost.
        let mut game = Game::new(board);
        game.saved = true;
        let mut table = Self {
            play,
            game,
            engine,
            seats: play.side,
            level: play.level,
            flipped: false,
            start,
            input,
            look,
            output: output(),
            watch,
            unseen: true,
            passing: 0,
            paused: false,
            counter,
            told_decided: false,
            resignation: Resignation::default(),
            may_resign: true,
        };
        if let Some(path) = &play.load {
            let lost = table.load(path, 1)?;
            // A script that plays on would not see that it plays another game.
            if let (Some(lost), false) = (lost, table.input.is_interactive()) {
                bail!(lost);
            }
        }
        Ok(table)
    }

    /// Plays until `quit`, Ctrl-C or the end of the input.
    pub fn run(mut self) -> Result<()> {
        end_with_reader();
        if self.input.is_interactive() {
            self.say(&format!("Hippolyta {}. Type help for the commands, quit to end.", env!("CARGO_PKG_VERSION")));
        }
        loop {
            self.watch.set_farewell(self.farewell("The game"));
            let side = self.game.board().side_to_move();
            let waits = self.paused || self.game.outcome().is_some() || !self.game.chosen().is_empty();
            if !waits && !self.is_person(side) {
                self.engine_plays();
                continue;
            }
            self.show();
            self.tell_decided();
            let typed = self.input.next(&self.prompt())?;
            self.passing = 0;
            match typed {
                Typed::Line(line) => {
                    self.look = self.input.look(self.play.color, self.play.ascii);
                    match self.obey(&line) {
                        Ok(Then::GoOn) => {}
                        Ok(Then::End) => break,
                        Err(message) => self.say(&format!("{}.", message.trim_end_matches('.'))),
                    }
                }
                Typed::TooLong => self.say("That line is too long."),
                Typed::End => break,
                Typed::Interrupt => {
                    self.watch.say_farewell();
                    std::process::exit(128 + SIGINT);
                }
            }
        }
        self.watch.set_farewell(self.farewell("The game"));
        self.watch.say_farewell();
        Ok(())
    }

    fn is_person(&self, side: Side) -> bool {
        self.seats.people[side.index()]
    }

    /// Says something in lines of the terminal's width. It obeys nothing that is quoted there.
    fn say(&mut self, text: &str) {
        self.passing = 0;
        for line in words::lines(text).lines().flat_map(|line| wrapped(line, self.look.columns.max(20))) {
            self.output.line(&line);
        }
    }

    fn prompt(&self) -> String {
        let chosen: Vec<_> = self.game.chosen().iter().map(Square::to_string).collect();
        match (self.game.outcome(), chosen.is_empty()) {
            (Some(_), _) => "> ".to_owned(),
            (None, true) => format!("{}> ", name(self.game.board().side_to_move())),
            (None, false) => format!("{} {}-> ", name(self.game.board().side_to_move()), chosen.join("-")),
        }
    }

    /// How the game goes on after the process has ended; nothing if it is in a file.
    fn farewell(&self, which: &str) -> Vec<String> {
        let board = self.game.board();
        if self.game.saved || board.turns().is_empty() {
            return Vec::new();
        }
        let variant = board.variant();
        let fen = match board.start_fen() {
            fen if fen == variant.start() => String::new(),
            fen => format!(" --fen '{fen}'"),
        };
        let side = match self.seats.people {
            [true, false] => "",
            [false, true] => " --side black",
            [true, true] => " --side both",
            [false, false] => " --side none",
        };
        let (name, turns) = (variant.name(), Turn::join(&board.turns(), " "));
        vec![
            format!("{which} was not saved (save game.pgn does so). To go on with it:"),
            format!("  hippolyta play --variant {name}{side}{fen} --moves '{turns}'"),
        ]
    }

    /// Draws the board, if it has changed.
    fn show(&mut self) {
        if !std::mem::take(&mut self.unseen) {
            return;
        }
        let territory = self.territory();
        let players = self.players();
        let view = View { game: &self.game, players, territory: territory.as_ref(), flipped: self.flipped };
        let mut lines = view.lines(&self.look);
        lines.insert(0, String::new());
        let mut text = lines.join("\n");
        if self.passing > 0 && self.look.moves {
            text = format!("\x1b[{}A\x1b[J{text}", self.passing);
        }
        self.passing = if lines.len() + 2 < self.look.rows { lines.len() } else { 0 };
        self.output.line(&text);
    }

    fn players(&self) -> [String; 2] {
        [Side::White, Side::Black].map(|side| match (self.is_person(side), self.seats.people) {
            (true, [true, true]) => "a person".to_owned(),
            (true, _) => "you".to_owned(),
            (false, _) => format!("Hippolyta ({})", self.level),
        })
    }

    /// For records, where a person has no name.
    fn names(&self) -> [String; 2] {
        [Side::White, Side::Black].map(|side| match self.is_person(side) {
            true => "?".to_owned(),
            false => format!("Hippolyta ({})", self.level),
        })
    }

    /// The regions of the board; `None` where territories are not counted.
    fn territory(&mut self) -> Option<Territory> {
        if !self.game.board().variant().traits().territories {
            return None;
        }
        let include = Include { territory: true, ..Include::default() };
        let limits = Limits { nodes: Some(1), include, ..Limits::default() };
        let analysis = self.engine.analyse(self.game.board(), &limits, &Control::default(), &mut |_| ());
        analysis.ok()?.owned.territory
    }

    /// Lets the engine think. Whether Ctrl-C ended it.
    fn think(&mut self, elo: Option<u32>, variety: f32) -> Result<(Analysis, bool), String> {
        let Play { nodes, movetime, .. } = *self.play;
        let time = movetime.map(Duration::from_millis).or((nodes.is_none()).then_some(MOVE_TIME));
        let turns = if self.game.chosen().is_empty() { Vec::new() } else { self.game.turns_after(&[]) };
        let limits = Limits { nodes, move_time: time, elo, turns, variety, ..Limits::default() };
        let control = Arc::new(Control::default());
        if self.look.moves {
            print_now("Hippolyta thinks. Ctrl-C: play now. ");
        }
        self.watch.begin(&control);
        let analysis = self.engine.analyse(self.game.board(), &limits, &control, &mut |_| ());
        let interrupted = self.watch.end();
        if self.look.moves {
            print_now("\r\x1b[K");
        }
        Ok((analysis.map_err(|error| error.to_string())?, interrupted))
    }

    /// The engine's turn.
    fn engine_plays(&mut self) {
        let side = self.game.board().side_to_move();
        if self.input.is_interactive() {
            self.show();
        }
        let elo = self.level.elo(self.game.board().variant());
        let found = self.think(elo, VARIETY);
        let played = match &found {
            Ok((analysis, _)) => analysis.best().map(|turn| (turn.clone(), record::note(analysis))),
            Err(_) => None,
        };
        if let Ok((analysis, _)) = &found
            && self.resigns(analysis.score, elo)
        {
            self.give_up(side);
            return;
        }
        let Some((turn, note)) = played else {
            // It never happens, but must not happen for ever.
            self.paused = true;
            self.say(&found.err().unwrap_or_else(|| "The engine has no turn.".to_owned()));
            return;
        };
        self.game.play(turn, note);
        self.played();
        let alone = !self.is_person(side) && !self.is_person(!side);
        if matches!(found, Ok((_, true))) && alone && self.game.outcome().is_none() {
            self.paused = true;
            self.show();
            self.say("The engines wait: go lets them play on, side white gives you White.");
        }
    }

    /// Whether the engine gives up against a person.
    fn resigns(&mut self, score: Score, elo: Option<u32>) -> bool {
        let side = self.game.board().side_to_move();
        let has_opponent = !self.is_person(side) && self.is_person(!side);
        has_opponent && self.may_resign && self.resignation.resigns(self.game.board(), score, elo)
    }

    /// A side resigns.
    fn give_up(&mut self, side: Side) {
        self.game.resign(side);
        self.ended();
        if !self.is_person(side) {
            self.say("undo makes it play on.");
        }
    }

    /// The game has ended before the rules end it.
    fn ended(&mut self) {
        self.unseen = true;
        if self.input.is_interactive() {
            self.show();
        } else {
            self.say(&ending(&self.game, None).unwrap_or_default());
        }
    }

    /// The result that is certain of a game that goes on; an error if none is.
    fn decided(&self) -> Result<Decided, String> {
        self.goes_on()?;
        self.counter.decided(self.game.board()).ok_or_else(|| "the result is not certain yet".to_owned())
    }

    /// Says once that a game is decided, and what a person can do then.
    fn tell_decided(&mut self) {
        if self.told_decided || !self.seats.people.contains(&true) || !self.game.chosen().is_empty() {
            return;
        }
        if let Ok(decided) = self.decided() {
            self.told_decided = true;
            let reason = decided.by.reason();
            self.say(&format!("The game is decided: {decided}; {reason}."));
            self.say("Type end to end it here, fill to have the rest filled in, or play on.");
        }
    }

    /// Plays a game that is decided to its end; Ctrl-C stops.
    fn fill(&mut self, pause: Duration) -> Result<(), String> {
        self.decided()?;
        self.game.cancel();
        let control = Arc::new(Control::default());
        self.watch.begin(&control);
        while !control.stopped() {
            let Some(turn) = self.counter.keeping(self.game.board()) else { break };
            self.game.play(turn, Note::default());
            self.played();
            if !pause.is_zero() && self.game.outcome().is_none() {
                self.show();
                let begun = Instant::now();
                while begun.elapsed() < pause && !control.stopped() {
                    std::thread::sleep(LOOK.min(pause));
                }
            }
        }
        self.watch.end();
        if self.game.outcome().is_none() {
            // Nobody plays on by himself.
            self.paused = true;
            self.unseen = true;
        }
        Ok(())
    }

    /// A turn was played.
    fn played(&mut self) {
        self.unseen = true;
        if !self.input.is_interactive()
            && let Some(last) = Last::of(self.game.board())
        {
            self.say(&last.words());
        }
        if !self.input.is_interactive() && self.game.board().outcome().is_some() {
            let territory = self.territory();
            self.say(&ending(&self.game, territory.as_ref()).unwrap_or_default());
        }
    }

    fn obey(&mut self, line: &str) -> Result<Then, String> {
        let word = parse(line).map_err(|message| self.with_example(&message, line))?;
        match word {
            Word::Nothing => {
                self.unseen |= self.game.take_square();
            }
            Word::Turn(text) => self.turn(&text)?,
            Word::Help => self.say(text::HELP),
            Word::Rules => {
                for line in text::rules(self.game.board().variant()) {
                    self.say(&line);
                }
            }
            Word::Moves(squares) => self.list(&squares)?,
            Word::Hint => self.hint()?,
            Word::Eval => self.evaluate()?,
            Word::Undo(count) => self.undo(count)?,
            Word::Cancel => {
                if !self.game.cancel() {
                    return Err("no turn has begun; undo takes a whole turn back".to_owned());
                }
                self.unseen = true;
            }
            Word::Resign => self.resign()?,
            Word::End => {
                let decided = self.decided()?;
                self.game.end(decided);
                self.ended();
            }
            Word::Fill(pause) => self.fill(Duration::from_millis(pause))?,
            Word::New(variant) => self.begin(variant.as_ref())?,
            Word::Board => self.unseen = true,
            Word::Flip => {
                self.flipped = !self.flipped;
                self.unseen = true;
            }
            // Not broken into lines: it is to be copied.
            Word::Fen => self.output.line(&self.game.board().fen()),
            Word::Save { path, force } => self.save(&record::path(&path), force)?,
            Word::Load { path, number } => {
                self.load(&record::path(&path), number).map_err(|error| format!("{error:#}"))?;
            }
            Word::Levels => {
                self.say(&format!("Hippolyta plays at {}. The levels:", self.level));
                Level::list().iter().for_each(|line| self.output.line(line));
            }
            Word::Level(level) => {
                self.level = level;
                self.say(&format!("Hippolyta plays at {level}."));
            }
            Word::Side(seats) => self.sit(seats),
            Word::Swap => self.sit(Seats { people: self.seats.people.map(|person| !person) }),
            Word::Go => self.go()?,
            Word::Quit => return Ok(Then::End),
        }
        Ok(Then::GoOn)
    }

    /// A message about what was typed, with a legal turn as an example if it was meant as one.
    fn with_example(&self, message: &str, line: &str) -> String {
        let meant = message.ends_with("lists the commands") || message.starts_with("nobody");
        match self.game.example().filter(|_| meant && self.game.outcome().is_none()) {
            Some(example) if !line.trim().is_empty() => format!("{message}. A turn is, for example, {example}"),
            _ => message.to_owned(),
        }
    }

    /// An error if the game is over.
    fn goes_on(&self) -> Result<(), String> {
        match self.game.outcome() {
            None => Ok(()),
            Some(_) => Err("the game is over: new begins another, undo takes a turn back".to_owned()),
        }
    }

    fn turn(&mut self, text: &str) -> Result<(), String> {
        self.goes_on()?;
        let entered = self.game.enter(text).map_err(|message| {
            let example = self.game.example().map(|turn| format!(". A legal turn is, for example, {turn}"));
            format!("{message}{}", example.unwrap_or_default())
        })?;
        match entered {
            Entered::Turn(_) => self.played(),
            Entered::Half => {
                self.unseen = true;
                self.show();
                let targets = self.game.targets();
                let list = targets.iter().map(Square::to_string).collect::<Vec<_>>().join(" ");
                let chosen = self.game.chosen();
                let from = chosen.last().map(Square::to_string).unwrap_or_default();
                let fires = chosen.len() == 2 && self.game.board().variant().traits().fires;
                let does = if fires { "fires at" } else { "goes to" };
                self.say(&format!("{from} {does} {list}"));
            }
        }
        Ok(())
    }

    fn list(&mut self, squares: &[Square]) -> Result<(), String> {
        self.goes_on()?;
        let turns = self.game.turns_after(squares);
        let begun = self.game.chosen().len() + squares.len();
        if turns.is_empty() {
            let text: String = squares.iter().map(Square::to_string).collect();
            return Err(format!("no legal turn begins with {text}"));
        }
        if turns.len() <= MOST_LISTED || begun > 1 {
            self.say(&Turn::join(&turns, " "));
            return Ok(());
        }
        // Too many to read: how many begin with each square.
        let mut groups: BTreeMap<Vec<Square>, usize> = BTreeMap::new();
        for turn in &turns {
            *groups.entry(turn.squares().iter().copied().take(begun + 1).collect()).or_default() += 1;
        }
        let text = |squares: &[Square]| squares.iter().map(Square::to_string).collect::<String>();
        let list: Vec<_> =
            groups.iter().map(|(squares, count)| format!("{} {}", text(squares), thousands(*count))).collect();
        let first = groups.keys().next().map(|squares| text(squares)).unwrap_or_default();
        self.say(&format!("{}: {}.", counted(turns.len(), "legal turn", "legal turns"), list.join(", ")));
        self.say(&format!("moves {first} lists those that begin with {first}."));
        Ok(())
    }

    fn hint(&mut self) -> Result<(), String> {
        self.goes_on()?;
        let side = self.game.board().side_to_move();
        let (analysis, _) = self.think(None, 0.0)?;
        let best = analysis.best().ok_or("there is no turn")?;
        self.say(&format!("{best}: {}.", expectation(side, analysis.score)));
        Ok(())
    }

    fn evaluate(&mut self) -> Result<(), String> {
        self.goes_on()?;
        let explained = self.engine.explain(self.game.board()).map_err(|error| error.to_string())?;
        let explained = explained.ok_or("the game is over")?;
        let score = Score::Estimate { score: explained.value.white, draw: explained.value.draw };
        self.say(&format!("Without a search: {}.", expectation(Side::White, score)));
        for remark in explained.remarks {
            self.say(&remark);
        }
        Ok(())
    }

    /// Takes turns back until somebody who types is to move, `count` times.
    fn undo(&mut self, count: usize) -> Result<(), String> {
        let mut taken = usize::from(self.game.cancel());
        if self.game.revive() {
            taken = 1;
            self.may_resign = false;
        }
        let any = self.seats.people.contains(&true);
        while taken < count {
            let mut earlier = self.game.board().clone();
            let mut turns = 0;
            while earlier.undo() {
                turns += 1;
                if !any || self.is_person(earlier.side_to_move()) {
                    break;
                }
            }
            if turns == 0 || any && !self.is_person(earlier.side_to_move()) {
                break;
            }
            (0..turns).for_each(|_| _ = self.game.undo());
            taken += 1;
        }
        if taken == 0 {
            return Err("there is no turn of yours to take back".to_owned());
        }
        self.paused = !any;
        self.unseen = true;
        Ok(())
    }

    fn resign(&mut self) -> Result<(), String> {
        self.goes_on()?;
        let side = match self.seats.people {
            [true, false] => Side::White,
            [false, true] => Side::Black,
            _ => self.game.board().side_to_move(),
        };
        self.game.resign(side);
        self.ended();
        Ok(())
    }

    /// Another game takes the place of this one, which is not lost without a word.
    fn replace(&mut self, game: Game) -> Result<(), String> {
        let (new, old) = (game.board(), self.game.board());
        if (new.variant(), new.size()) != (old.variant(), old.size()) {
            self.engine = engine(self.play, new).map_err(|error| format!("{error:#}"))?;
            self.counter = Counter::new(new.variant());
        }
        for line in self.farewell("The game before") {
            self.output.line(&line);
        }
        self.game = game;
        (self.told_decided, self.may_resign) = (false, true);
        self.paused = false;
        self.unseen = true;
        Ok(())
    }

    fn begin(&mut self, variant: Option<&Variant>) -> Result<(), String> {
        let start = match variant {
            Some(variant) if variant != self.start.variant() => Board::new(variant),
            _ => self.start.clone(),
        };
        self.replace(Game::new(start.clone()))?;
        self.start = start;
        self.engine.clear();
        let settings = Settings { seed: seed(self.play), ..self.engine.settings().clone() };
        self.engine.set(&settings).map_err(|error| error.to_string())
    }

    fn save(&mut self, path: &Path, force: bool) -> Result<(), String> {
        record::save(&self.game, path, &self.names(), force).map_err(|error| format!("{error:#}"))?;
        self.game.saved = true;
        let turns = counted(self.game.board().turns().len(), "turn", "turns");
        self.say(&format!("{turns} saved: {}", path.display()));
        Ok(())
    }

    /// Takes the game of a file. Says what was not understood, and returns by what turns were lost.
    fn load(&mut self, path: &Path, number: usize) -> Result<Option<String>> {
        let Loaded { record: read, warnings, more } = record::load(path, number, self.game.board().variant())?;
        let turns: Vec<_> = read.main_line().map(|entry| (entry.turn.clone(), entry.note)).collect();
        let mut game = Game::new(Board::from_fen(&read.variant, &read.fen)?);
        for (turn, note) in &turns {
            game.play(turn.clone(), *note);
        }
        let result = read.result().to_owned();
        game.tags = read.tags.clone();
        game.saved = true;
        let start = Board::from_fen(&read.variant, &read.fen)?;
        let side = game.board().side_to_move();
        self.replace(game).map_err(anyhow::Error::msg).context("the engine")?;
        self.start = start;
        let which = if more || number > 1 { format!(", game {number}") } else { String::new() };
        let player = |tag: &str| words::shown(read.tags.get(tag).map_or("?", String::as_str));
        let (white, black, shown) = (player("White"), player("Black"), path.display());
        let turns = counted(turns.len(), "turn", "turns");
        warnings.iter().for_each(|warning| self.say(&format!("{shown}:{warning}")));
        self.say(&format!("{shown}{which}: {white} against {black}, {result}, {turns}."));
        if more {
            self.say(&format!("load {shown} {} reads the next game.", number + 1));
        }
        // A person plays on, not the engine.
        if self.seats.people.contains(&true) && !self.is_person(side) {
            self.seats = Seats { people: self.seats.people.map(|person| !person) };
        }
        self.paused = !self.seats.people.contains(&true);
        Ok(warnings.iter().find(|warning| warning.lost.is_some()).map(|warning| format!("{shown}:{warning}")))
    }

    fn sit(&mut self, seats: Seats) {
        self.seats = seats;
        self.game.cancel();
        self.paused = false;
        self.unseen = true;
    }

    fn go(&mut self) -> Result<(), String> {
        self.goes_on()?;
        self.game.cancel();
        self.paused = false;
        if self.is_person(self.game.board().side_to_move()) {
            self.engine_plays();
        }
        Ok(())
    }
}

/// `White expects 57 % (win 40 %, draw 34 %, loss 26 %)`.
fn expectation(side: Side, score: Score) -> String {
    let turns = |plies: u32| counted(plies.div_ceil(2) as usize, "turn", "turns");
    match score {
        Score::Win { plies } => format!("{} wins in {}", name(side), turns(plies)),
        Score::Loss { plies } => format!("{} loses in {} at most", name(side), turns(plies)),
        Score::Draw => "a draw".to_owned(),
        Score::Estimate { .. } => {
            let [win, draw, loss] = score.per_mille().map(|part| (part + 5) / 10);
            let expected = (score.expected() * 100.0).round();
            let parts = if draw == 0 { String::new() } else { format!(" (win {win} %, draw {draw} %, loss {loss} %)") };
            format!("{} expects {expected} %{parts}", name(side))
        }
    }
}

/// Writes a part of a line to the terminal.
fn print_now(text: &str) {
    use std::io::Write;
    let mut out = std::io::stdout();
    // Whoever reads it may be gone: the next line ends the process then.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

fn engine(play: &Play, board: &Board) -> Result<Engine> {
    let settings = Settings { seed: seed(play), ..play.search.settings(1) };
    Ok(Engine::with_what_there_is(board.variant(), &play.model.load(board)?, settings)?)
}

/// Without one that was asked for no game is like another.
fn seed(play: &Play) -> u64 {
    play.search.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish())
}
