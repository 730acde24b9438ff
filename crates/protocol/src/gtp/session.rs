use super::arrivals::{Arrivals, Until};
use super::clock::Timer;
use super::engine::LazyEngine;
use super::game::Game;
use super::line::{Call, clean};
use super::settings::{Choices, SETTINGS};
use super::{Options, show, vertex};
use crate::go::number;
use crate::output::Output;
use hippolyta::board::Square;
use hippolyta::engine::{Analysis, Include, Limits, Resignation};
use hippolyta::games::{Side, Turn};
use hippolyta::words::one_line;
use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;

/// One client's dialogue: obeys line by line.
pub(super) struct Session {
    output: Output,
    arrivals: Arc<Arrivals>,
    game: Game,
    timer: Timer,
    plan: Option<Plan>,
    choices: Choices,
    resignation: Resignation,
}

/// A turn that was searched, and of which the first square was played: its further squares need no search.
struct Plan {
    fen: String,
    turns: usize,
    squares: Vec<Square>,
}

/// A command of the session.
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// Its arguments as the document writes them.
    pub arguments: &'static str,
    run: fn(&mut Session, &Work) -> Answer,
}

/// A command with what came with it.
struct Work<'a> {
    call: Call<'a>,
    /// The number of its line.
    line: u64,
    /// When the line was read.
    when: Instant,
}

impl Work<'_> {
    /// The arguments, if there are as many as that.
    fn words<const N: usize>(&self) -> Result<[&str; N], String> {
        <[&str; N]>::try_from(self.call.words())
            .map_err(|words| format!("syntax error: {N} arguments are expected, not {}", words.len()))
    }
}

/// The reply to a command; the error is its fault, in words.
type Answer = Result<Reply, String>;

enum Reply {
    Text(String),
    /// All but the empty line is written.
    Written,
    Quit,
}

fn text(text: impl Into<String>) -> Answer {
    Ok(Reply::Text(text.into()))
}

fn done() -> Answer {
    text("")
}

/// GTP's word, in place of a vertex, for one who gives the game up.
const RESIGN: &str = "resign";

/// The time that is lost between engine and clock.
const OVERHEAD: Duration = Duration::from_millis(50);

/// Seconds between two reports of a stream, unless the client says otherwise.
const INTERVAL: Duration = Duration::from_secs(1);

const fn command(name: &'static str, arguments: &'static str, run: fn(&mut Session, &Work) -> Answer) -> Command {
    Command { name, arguments, run }
}

/// All commands, in the order in which they are listed.
pub const COMMANDS: &[Command] = &[
    command("protocol_version", "", |_, _| text("2")),
    command("name", "", |_, _| text("Hippolyta")),
    command("version", "", |_, _| text(env!("CARGO_PKG_VERSION"))),
    command("known_command", "NAME", |_, work| text(find(work.call.rest).is_some().to_string())),
    command("list_commands", "", |_, _| {
        text(COMMANDS.iter().map(|command| command.name).collect::<Vec<_>>().join("\n"))
    }),
    command("quit", "", |_, _| Ok(Reply::Quit)),
    command("boardsize", "N", Session::board_size),
    command("clear_board", "", |session, _| {
        session.game.clear();
        session.timer.begin();
        done()
    }),
    command("clear_cache", "", |session, _| {
        session.choices.engine.clear();
        done()
    }),
    command("komi", "X", |_, work| {
        let [komi] = work.words()?;
        komi.parse::<f32>().map_err(|_| "syntax error: a number is expected".to_owned())?;
        done()
    }),
    command("play", "COLOR VERTEX", |session, work| {
        let [color, vertex] = work.words()?;
        if vertex.eq_ignore_ascii_case(RESIGN) {
            session.game.resign(side(color)?)?;
        } else {
            session.game.play(side(color)?, square(vertex)?)?;
        }
        done()
    }),
    command("gogui-play_sequence", "[COLOR VERTEX …]", Session::play_sequence),
    command("genmove", "COLOR", |session, work| {
        let side = session.game.side_to_move();
        match session.choose(work, session.choices.resign)? {
            None => {
                session.game.resign(side)?;
                text(RESIGN)
            }
            Some(square) => {
                session.game.play(side, square)?;
                text(vertex::write(square))
            }
        }
    }),
    command("reg_genmove", "COLOR", |session, work| {
        let square = session.choose(work, false)?.ok_or("the search found no turn")?;
        text(vertex::write(square))
    }),
    command("undo", "", |session, _| session.undo(1)),
    command("gg-undo", "N", |session, work| {
        let [count] = work.words()?;
        session.undo(count.parse().map_err(|_| "syntax error: a number is expected".to_owned())?)
    }),
    command("showboard", "", |session, _| text(format!("\n{}", show::board(&session.game)))),
    command("final_score", "", |session, _| {
        show::final_score(&session.game)
            .map_or_else(|| Err("the game is not over, and its result not certain".to_owned()), text)
    }),
    command("time_settings", "MAIN PERIOD PLAYS", Session::time_settings),
    command("time_left", "COLOR SECONDS PLAYS", Session::time_left),
    command("gogui-interrupt", "", |_, _| done()),
    command("gogui-rules_game_id", "", |session, _| text(session.game_id())),
    command("gogui-rules_board_size", "", |session, _| {
        let (files, ranks) = session.game.board().size();
        // GoGui wants one number where one will do.
        text(if files == ranks { files.to_string() } else { format!("{files} {ranks}") })
    }),
    command("gogui-rules_board", "", |session, _| text(format!("\n{}", show::stones(&session.game)))),
    command("gogui-rules_board_gfx", "", |session, _| text(format!("\n{}", show::graphics(&session.game)))),
    command("gogui-rules_legal_moves", "", |session, _| text(vertex::list(&session.game.next()))),
    command("gogui-rules_side_to_move", "", |session, _| text(session.game.side_to_move().to_string())),
    command("gogui-rules_captured_count", "", |session, _| text(show::captured(&session.game))),
    command("gogui-rules_final_result", "", |session, _| text(show::result(&session.game))),
    command("gogui-analyze_commands", "", |session, _| text(session.analyze_commands())),
    command("hippolyta-win_rate", "", |session, work| {
        let found = session.analyse(work, 1, Include::default())?;
        let (seconds, score) = (found.time.as_secs_f32(), show::score(found.side, found.score));
        text(format!("{score}, {} positions in {seconds:.1} s", found.nodes))
    }),
    command("hippolyta-best_turn", "", |session, work| {
        let found = session.analyse(work, 1, Include::default())?;
        text(format!("\n{}", show::best(&found, &session.game)))
    }),
    command("hippolyta-lines", "", |session, work| {
        let found = session.analyse(work, session.choices.lines, Include::default())?;
        let lines = found.lines.iter().enumerate();
        let lines: Vec<_> = lines.map(|line| show::line(found.side, line, session.game.chosen())).collect();
        text(if lines.is_empty() { show::score(found.side, found.score) } else { format!("\n{}", lines.join("\n")) })
    }),
    command("hippolyta-ownership", "", |session, work| {
        let found = session.owned(work, Include { ownership: true, ..Include::default() })?;
        let owners = found.owned.ownership.as_ref();
        let owners = owners.ok_or_else(|| session.no_owners())?;
        text(format!("\n{}", show::ownership(&session.game, found.side, owners)))
    }),
    command("hippolyta-territory", "", |session, work| {
        let found = session.owned(work, Include { territory: true, ..Include::default() })?;
        let territory = found.owned.territory.as_ref();
        let unknown = || format!("there is no territory in {}", session.game.board().variant().name());
        text(format!("\n{}", show::territory(&session.game, found.side, territory.ok_or_else(unknown)?)))
    }),
    #[cfg(feature = "inspect")]
    command("hippolyta-eval", "", |session, _| {
        let board = session.game.board();
        let explained =
            session.choices.engine.engine(board.variant())?.explain(board).map_err(|error| error.to_string())?;
        let explained = crate::info::explanation(explained.as_ref());
        text(format!("\n{}", explained.trim_end()))
    }),
    command("hippolyta-fen", "", |session, _| text(session.game.board().fen())),
    command("hippolyta-settings", "[NAME VALUE]", Session::settings),
    command("hippolyta-analyze", "[COLOR] [INTERVAL] [WORD VALUE …]", Session::stream),
    command("kata-analyze", "[COLOR] [INTERVAL] [WORD VALUE …]", Session::stream),
];

fn find(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

fn side(color: &str) -> Result<Side, String> {
    match color.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Side::Black),
        "w" | "white" => Ok(Side::White),
        _ => Err(format!("syntax error: '{color}' is neither black nor white")),
    }
}

fn square(text: &str) -> Result<Square, String> {
    if text.eq_ignore_ascii_case("pass") {
        return Err("illegal move: nobody may pass".to_owned());
    }
    vertex::read(text).ok_or_else(|| format!("syntax error: '{text}' is not a vertex from A1 to L11"))
}

/// A length of time in seconds, at least `least`.
fn seconds(text: &str, least: f64) -> Result<Duration, String> {
    // Longer than this is not limited in earnest; sums of such times are still times.
    let most = Duration::from_secs(100 * 365 * 86_400);
    let seconds = number(text).filter(|seconds| *seconds >= least);
    let time = seconds.map(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(most).min(most));
    time.ok_or_else(|| format!("syntax error: '{text}' is not a number of seconds"))
}

fn plays(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("syntax error: '{text}' is not a number of plays"))
}

impl Session {
    pub fn new(output: Output, arrivals: Arc<Arrivals>, options: Options) -> Self {
        let Options { start, model, settings, seconds, nodes, elo, resign } = options;
        let (game, lines, has_seed) = (Game::new(start), settings.multi_pv, settings.seed != 0);
        let engine = LazyEngine::new(model, settings);
        let choices = Choices { engine, seconds, nodes, elo, lines, variety: 0, has_seed, resign };
        Self {
            output,
            arrivals,
            game,
            timer: Timer::default(),
            plan: None,
            choices,
            resignation: Resignation::default(),
        }
    }

    /// Obeys a line and answers it; false if it was the last.
    pub fn obey(&mut self, line: &str, number: u64, when: Instant) -> bool {
        let line = clean(line);
        let Some(call) = Call::read(&line) else { return true };
        let id = call.id;
        let answer = match (find(call.name), call.name) {
            (_, "") => Err("a command is expected".to_owned()),
            (Some(command), _) => (command.run)(self, &Work { call, line: number, when }),
            (None, _) => Err("unknown command".to_owned()),
        };
        match &answer {
            // GoGui drops all before the first blank, so that there must be one.
            Ok(Reply::Text(text)) => self.output.line(&format!("={id} {text}\n")),
            Ok(Reply::Quit) => self.output.line(&format!("={id} \n")),
            Ok(Reply::Written) => self.output.line(""),
            Err(error) => self.refuse(id, error),
        }
        !matches!(answer, Ok(Reply::Quit))
    }

    /// An answer that says what is wrong.
    pub fn refuse(&self, id: &str, error: &str) {
        self.output.line(&format!("?{id} {}\n", one_line(error)));
    }

    fn board_size(&mut self, work: &Work) -> Answer {
        let (files, ranks) = self.game.board().size();
        let wanted: Vec<_> = work.call.words().into_iter().map(|word| word.parse().ok()).collect();
        match wanted[..] {
            // GoGui gives the number of columns, also of a board that is not square.
            [Some(wide)] if wide == files => done(),
            [Some(wide), Some(high)] if (wide, high) == (files, ranks) => done(),
            [Some(_)] | [Some(_), Some(_)] => {
                Err(format!("unacceptable size: the board has {files} columns and {ranks} rows"))
            }
            _ => Err("syntax error: a number is expected".to_owned()),
        }
    }

    /// All of it, or nothing.
    fn play_sequence(&mut self, work: &Work) -> Answer {
        let words = work.call.words();
        let mut game = self.game.clone();
        for (index, play) in words.chunks(2).enumerate() {
            let [color, vertex] = play else { return Err("syntax error: a vertex is expected at the end".to_owned()) };
            let played = side(color).and_then(|side| game.play(side, square(vertex)?));
            played.map_err(|error| format!("{error} (play {} of {})", index + 1, words.len().div_ceil(2)))?;
        }
        self.game = game;
        done()
    }

    /// All of it, or nothing.
    fn undo(&mut self, count: usize) -> Answer {
        let mut game = self.game.clone();
        if !(0..count).all(|_| game.undo()) {
            return Err("cannot undo: no play is left".to_owned());
        }
        self.game = game;
        done()
    }

    fn time_settings(&mut self, work: &Work) -> Answer {
        let [main, period, count] = work.words()?;
        self.timer.set(seconds(main, 0.0)?, seconds(period, 0.0)?, plays(count)?);
        done()
    }

    fn time_left(&mut self, work: &Work) -> Answer {
        let [color, time, count] = work.words()?;
        // A clock below 0 has run out, and the next move is to come at once.
        self.timer.set_left(side(color)?, seconds(time, f64::NEG_INFINITY)?, plays(count)?);
        done()
    }

    /// As GoGui wants it: a capital and small letters. GoGui tells boards of one name apart by their sizes.
    fn game_id(&self) -> String {
        let name = self.game.board().variant().name();
        let mut letters = name.chars().filter(char::is_ascii_lowercase);
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
    }

    fn analyze_commands(&self) -> String {
        let mut lines = vec![
            "string/Win Rate/hippolyta-win_rate",
            "gfx/Best Turn/hippolyta-best_turn",
            "hstring/Best Lines/hippolyta-lines",
        ];
        let traits = self.game.board().variant().traits();
        lines.extend(traits.territories.then_some("gfx/Territory/hippolyta-territory"));
        lines.extend(traits.ownership.then_some("gfx/Ownership/hippolyta-ownership"));
        lines.extend([
            "hstring/Evaluation/hippolyta-eval",
            "plist/Legal Squares/gogui-rules_legal_moves",
            "string/FEN/hippolyta-fen",
            "param/Settings/hippolyta-settings",
        ]);
        lines.join("\n")
    }

    fn settings(&mut self, work: &Work) -> Answer {
        if work.call.rest.is_empty() {
            let lines: Vec<_> = SETTINGS
                .iter()
                .map(|setting| format!("[string] {} {}", setting.key, (setting.get)(&self.choices)))
                .collect();
            return text(format!("\n{}", lines.join("\n")));
        }
        let [key, value] = work.words()?;
        let setting = SETTINGS.iter().find(|setting| setting.key.eq_ignore_ascii_case(key));
        let setting = setting.ok_or_else(|| {
            let keys: Vec<_> = SETTINGS.iter().map(|setting| setting.key).collect();
            format!("no such setting: '{key}', known are {}", keys.join(", "))
        })?;
        let refused = || format!("{}: '{value}' is not {}", setting.key, setting.values);
        (setting.set)(&mut self.choices, value).ok_or_else(refused)??;
        done()
    }

    /// The limits of a search that is not a stream.
    fn limits(&self, work: &Work) -> Limits {
        Limits {
            nodes: self.choices.nodes,
            move_time: Some(Duration::from_secs_f64(self.choices.seconds)),
            ordered: Some(work.when),
            turns: self.game.begun_turns(),
            ..Limits::default()
        }
    }

    /// Searches the position, with `lines` lines.
    fn search(
        &mut self,
        work: &Work,
        lines: usize,
        limits: &Limits,
        until: Until,
        observer: &mut (dyn FnMut(&Analysis) + Send),
    ) -> Result<Analysis, String> {
        let control = self.arrivals.begin(work.line, until);
        let found = self.choices.engine.analyse(self.game.board(), lines, limits, &control, observer);
        self.arrivals.end();
        found
    }

    fn analyse(&mut self, work: &Work, lines: usize, include: Include) -> Result<Analysis, String> {
        let limits = Limits { include, ..self.limits(work) };
        self.search(work, lines, &limits, Until::Interrupt, &mut |_| ())
    }

    /// The fields that `include` asks for, with a search of one node.
    fn owned(&mut self, work: &Work, include: Include) -> Result<Analysis, String> {
        let limits = Limits { include, nodes: Some(1), ..Limits::default() };
        self.search(work, 1, &limits, Until::Interrupt, &mut |_| ())
    }

    fn no_owners(&self) -> String {
        format!("nobody owns squares in {}", self.game.board().variant().name())
    }

    /// An error if the game is over, or another side is to move than the one that is named.
    fn check_turn(&self, named: Option<Side>) -> Result<(), String> {
        if self.game.outcome().is_some() {
            return Err(format!("the game is over: {}", show::result(&self.game)));
        }
        let side = self.game.side_to_move();
        if named.is_some_and(|named| named != side) { Err(format!("it is {side}'s turn")) } else { Ok(()) }
    }

    /// The next square of the best turn; `None` if the engine resigns, which it does if it `may`.
    fn choose(&mut self, work: &Work, may_resign: bool) -> Result<Option<Square>, String> {
        let [color] = work.words()?;
        self.check_turn(Some(side(color)?))?;
        let (board, chosen) = (self.game.board(), self.game.chosen().len());
        let (fen, turns) = (board.fen(), board.turns().len());
        let planned = self.plan.as_ref().filter(|plan| (&plan.fen, plan.turns) == (&fen, turns));
        let planned = planned.filter(|plan| chosen > 0 && plan.squares.starts_with(self.game.chosen()));
        if let Some(&square) = planned.and_then(|plan| plan.squares.get(chosen)) {
            return Ok(Some(square));
        }
        let side = self.game.side_to_move();
        let clocks = self.timer.clocks(side, if self.game.fires() { 3 } else { 2 });
        let limits = Limits {
            move_time: if clocks.is_some() { None } else { Some(Duration::from_secs_f64(self.choices.seconds)) },
            clocks: clocks.unwrap_or_default(),
            overhead: OVERHEAD,
            elo: self.choices.elo,
            variety: self.choices.variety as f32,
            ..self.limits(work)
        };
        let found = self.search(work, 1, &limits, Until::Interrupt, &mut |_| ())?;
        self.timer.spend(side, work.when.elapsed());
        if may_resign && chosen == 0 && self.resignation.resigns(self.game.board(), found.score, self.choices.elo) {
            return Ok(None);
        }
        let squares = found.best().map_or_else(Vec::new, |turn| turn.squares().to_vec());
        let square = squares.get(chosen).copied().ok_or("the search found no turn")?;
        self.plan = Some(Plan { fen, turns, squares });
        Ok(Some(square))
    }

    /// What a stream is to tell, by its words.
    fn wanted(&self, words: &[&str]) -> Result<Wanted, String> {
        let mut wanted = Wanted { interval: INTERVAL, lines: self.choices.lines, ..Wanted::default() };
        let (mut named, mut least, mut most, mut squares) = (None, 0, None, Vec::new());
        let mut words = words.iter().copied();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("syntax error: a value is expected after {word}"));
            let whole = |text: &str, range: [usize; 2]| {
                let number = text.parse().ok().filter(|number| (range[0]..=range[1]).contains(number));
                number.ok_or_else(|| format!("syntax error: {word} is a number from {} to {}", range[0], range[1]))
            };
            let centiseconds = |text: &str| {
                let number: u32 = text.parse().map_err(|_| format!("syntax error: '{text}' is not a number"))?;
                Ok::<_, String>(Duration::from_millis(10) * number.max(1))
            };
            let switch = |text: &str| match text {
                "true" => Ok(true),
                "false" => Ok(false),
                _ => Err(format!("syntax error: {word} is true or false")),
            };
            match word {
                "interval" => wanted.interval = centiseconds(value()?)?,
                "minmoves" => least = whole(value()?, [0, 500])?,
                "maxmoves" => most = Some(whole(value()?, [1, 500])?),
                "rootInfo" => wanted.root = switch(value()?)?,
                "ownership" => wanted.ownership = switch(value()?)?,
                _ if NOT_TOLD.contains(&word) => {
                    if switch(value()?)? {
                        return Err(format!("{word} is not known to this engine"));
                    }
                }
                "allow" | "avoid" => {
                    self.check_turn(Some(side(value()?)?))?;
                    let listed = value()?.split(',').map(square).collect::<Result<Vec<_>, _>>()?;
                    if value()? != "1" {
                        return Err(format!("{word} is for the next play: the depth that ends it is 1"));
                    }
                    squares.push((listed, word == "allow"));
                }
                _ if word.bytes().all(|byte| byte.is_ascii_digit()) => wanted.interval = centiseconds(word)?,
                _ => named = Some(side(word).map_err(|_| format!("syntax error: '{word}' means nothing here"))?),
            }
        }
        self.check_turn(named)?;
        wanted.lines = most.unwrap_or(wanted.lines.max(least));
        if least > wanted.lines {
            return Err("minmoves is more than maxmoves".to_owned());
        }
        wanted.turns = self.game.begun_turns();
        if !squares.is_empty() {
            let fits = |at| squares.iter().all(|(listed, allowed)| listed.contains(&at) == *allowed);
            wanted.turns = self.game.turns_by(fits);
            if wanted.turns.is_empty() {
                return Err("no legal turn is allowed and not avoided".to_owned());
            }
        }
        Ok(wanted)
    }

    /// Who owns the squares, as the end of a stream's lines.
    fn ownership_words(&mut self, work: &Work) -> Result<String, String> {
        let found = self.owned(work, Include { ownership: true, ..Include::default() })?;
        let owners = found.owned.ownership.ok_or_else(|| self.no_owners())?;
        let owners = owners.iter().map(|owner| format!(" {:.2}", owner.unwrap_or_default()));
        Ok(format!(" ownership{}", owners.collect::<String>()))
    }

    /// Searches until any line comes, and reports all the time.
    fn stream(&mut self, work: &Work) -> Answer {
        let Wanted { interval, lines, root, ownership, turns } = self.wanted(&work.call.words())?;
        let owners = if ownership { self.ownership_words(work)? } else { String::new() };
        let limits = Limits { infinite: true, report_every: Some(interval), turns, ..Limits::default() };
        self.output.line(&format!("={}", work.call.id));
        let (output, chosen) = (self.output.clone(), self.game.chosen().to_vec());
        let mut told: Option<Instant> = None;
        let mut tell = |found: &Analysis| {
            let is_due = found.last || told.is_none_or(|told| told.elapsed() >= interval);
            // An empty line would end the answer.
            if is_due && !found.lines.is_empty() {
                let (visits, rate) = (found.visits, found.score.expected());
                let root = if root { format!(" rootInfo visits {visits} winrate {rate:.6}") } else { String::new() };
                output.line(&(report(found, &chosen) + &root + &owners));
                told = Some(Instant::now());
            }
        };
        if let Err(error) = self.search(work, lines, &limits, Until::AnyLine, &mut tell) {
            self.output.line(&format!("info string {}", one_line(&error)));
        }
        Ok(Reply::Written)
    }
}

/// What a stream of KataGo's can tell beside.
const NOT_TOLD: [&str; 6] =
    ["movesOwnership", "movesOwnershipStdev", "noResultValue", "ownershipStdev", "pvEdgeVisits", "pvVisits"];

/// What a stream is to tell.
#[derive(Default)]
struct Wanted {
    /// Between two lines.
    interval: Duration,
    /// The number of moves in a line.
    lines: usize,
    /// Whether the position itself is told of.
    root: bool,
    ownership: bool,
    /// The turns that are searched; empty for all.
    turns: Vec<Turn>,
}

/// The moves in a line of a stream.
fn report(found: &Analysis, chosen: &[Square]) -> String {
    let info = |(order, line): (usize, &hippolyta::engine::Line)| {
        let pv = show::turns(line, chosen).join(" ");
        let first = pv.split(' ').next().unwrap_or_default();
        let prior = line.prior.map(|prior| format!(" prior {prior:.6}")).unwrap_or_default();
        let (visits, rate) = (line.visits, line.score.expected());
        format!("info move {first} visits {visits} winrate {rate:.6}{prior} order {order} pv {pv}")
    };
    found.lines.iter().enumerate().map(info).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_game_begins_with_whole_clocks() {
        let arrivals = Arc::new(Arrivals::default());
        let mut session = Session::new(Output::new(std::io::sink()), arrivals, Options::default());
        let mut left = |lines: &[&str]| {
            for line in lines {
                assert!(session.obey(line, 1, Instant::now()));
            }
            session.timer.clocks(Side::White, 3).and_then(|clocks| clocks.time[0])
        };
        let (minute, second) = (Some(Duration::from_secs(60)), Some(Duration::from_secs(1)));
        assert_eq!(left(&["time_settings 60 0 0", "time_left w 1 0"]), second);
        assert_eq!(left(&["play w D1", "boardsize 10", "undo"]), second);
        assert_eq!(left(&["clear_board"]), minute);
        assert_eq!(left(&["time_left w -0.5 0"]), Some(Duration::ZERO));
        assert_eq!(left(&["time_settings 1 1", "clear_board"]), minute);
        assert_eq!(left(&["time_settings 0 0 0", "time_left w 1 0", "clear_board"]), None);
        assert!(left(&["time_settings 1e300 0 0"]) > minute);
    }
}
