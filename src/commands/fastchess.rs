//! A match in the words and lines of fastchess, so that what drives fastchess drives this engine: OpenBench's worker
//! above all.

use super::tournament::Match;
use super::{catch_signals, print_line};
use crate::arena::statistics::{Counts, Sprt, Verdict};
use crate::arena::{
    Allowance, EngineScore, EngineSpec, Event, GameRecord, MoveRecord, Plan, Reason, Results, key_value, run, utc,
};
use crate::games::variant;
use crate::records::{Note, Score};
use anyhow::{Context, Result, bail};
use clap::{Args, Parser};
use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Instant, SystemTime};

/// Play a match in the words and lines of fastchess, for farms and scripts that drive it
#[derive(Debug, Args)]
#[command(after_help = "\
Words that are understood:
  -engine cmd=PROGRAM name=NAME tc=[MOVES/]TIME[+INC]|inf st=TIME nodes=N
          depth=N timemargin=MS args=ARGUMENTS dir=FOLDER option.NAME=VALUE …
  -each KEY=VALUE …   (keys as for 'match'; an engine's own come after these)
  -variant RULESET    ('standard': option.UCI_Variant of the first, or amazons)
  -openings file=PATH format=epd|pgn order=sequential|random start=N plies=N
  -srand N  -games N  -rounds N  -repeat [N]  -concurrency N  -maxmoves N
  -recover  -tournament roundrobin|gauntlet
  -resign movecount=N score=CP [twosided=true]
  -draw movenumber=N movecount=N score=CP
  -sprt elo0=E elo1=E [alpha=A] [beta=B] [model=logistic|normalized]
  -pgnout file=PATH [append=B] [nodes=B] [seldepth=B] [nps=B] [timeleft=B]
          [min=B] [notation=san|lan|uci]
  -event NAME  -site NAME  -ratinginterval N  -log file=PATH  -version

Without -openings, games begin from random balanced openings. A program with the name fastchess does the same without
the first word.

Example:
  hippolyta fastchess -engine cmd=./new name=new -engine cmd=./old name=old -each tc=10+0.1 option.Hash=16 \\
      -variant amazons -openings file=book.epd format=epd order=random -srand 7 -rounds 500 -games 2 -repeat \\
      -concurrency 4 -recover -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 -pgnout file=games.pgn")]
pub(super) struct Fastchess {
    /// Words of fastchess
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "WORD")]
    words: Vec<String>,
}

/// The arguments with the command that the program's own name stands for, if it is `fastchess`.
pub(super) fn by_name(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<_> = arguments.into_iter().collect();
    let stem = arguments.first().and_then(|program| Path::new(program).file_stem());
    if stem.and_then(|stem| stem.to_str()).is_some_and(|stem| stem.starts_with("fastchess")) {
        arguments.insert(1, "fastchess".into());
    }
    arguments
}

/// The version of fastchess whose words these are. Farms ask for a least one.
const VERSION: &str = "1.8.1";
/// Rounds where a test is to end the match.
const ENDLESS: &str = "500000";

#[derive(Parser)]
struct Translated {
    #[command(flatten)]
    command: Match,
}

/// What the words say, as far as `match` does not know it.
struct Wishes {
    /// Words of `match`.
    words: Vec<String>,
    pgn: Option<PgnOut>,
    event: String,
    site: String,
    rating_interval: u64,
    log: Option<File>,
    /// For the line about a pairing.
    book: String,
}

/// What several options may say; the last counts.
#[derive(Default)]
struct Size {
    games: String,
    rounds: Option<String>,
    /// The rule set by `-variant`, and by the engines' option.
    named: Option<String>,
    by_option: Option<String>,
    is_test: bool,
}

struct PgnOut {
    file: File,
    nodes: bool,
    seldepth: bool,
    nps: bool,
    time_left: bool,
    min: bool,
    /// Turns in our usual spelling.
    uci: bool,
}

fn is_option(word: &str) -> bool {
    word.strip_prefix('-')
        .is_some_and(|rest| rest.trim_start_matches('-').starts_with(|c: char| c.is_ascii_alphabetic()))
}

fn truth(word: &str, value: &str) -> Result<bool> {
    value.parse().with_context(|| format!("'{word}': true or false is expected"))
}

fn open(path: &str, append: bool) -> Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(append).write(true).truncate(!append);
    options.open(path).with_context(|| path.to_owned())
}

impl PgnOut {
    fn new(words: &[String]) -> Result<Self> {
        let (mut path, mut append, mut wishes, mut uci) = (None, true, [false; 5], false);
        for word in words {
            match key_value(word)? {
                ("file", value) => path = Some(value),
                ("append", value) => append = truth(word, value)?,
                ("nodes", value) => wishes[0] = truth(word, value)?,
                ("seldepth", value) => wishes[1] = truth(word, value)?,
                ("nps", value) => wishes[2] = truth(word, value)?,
                ("timeleft", value) => wishes[3] = truth(word, value)?,
                ("min", value) => wishes[4] = truth(word, value)?,
                ("notation", "uci") => uci = true,
                ("notation", "san" | "lan") => uci = false,
                // What an engine says besides is not kept.
                ("match_line" | "hashfull" | "tbhits" | "pv" | "latency", _) => {}
                _ => bail!("'{word}' is unknown"),
            }
        }
        let [nodes, seldepth, nps, time_left, min] = wishes;
        let file = open(path.context("file=PATH is needed")?, append)?;
        Ok(Self { file, nodes, seldepth, nps, time_left, min, uci })
    }
}

/// Words of an engine as `match` reads them. `proto` goes through.
fn engine_words(words: &[String], variant: &mut Option<String>) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for word in words {
        match key_value(word)? {
            ("args", value) => found.extend(value.split_whitespace().map(|argument| format!("arg={argument}"))),
            ("plies", value) => found.push(format!("depth={value}")),
            ("tc", "infinite") => found.push("tc=inf".to_owned()),
            // Engines are started anew only after a fault.
            ("restart", "on" | "off") => {}
            ("option.UCI_Variant", value) => drop(variant.get_or_insert_with(|| value.to_owned())),
            _ => found.push(word.clone()),
        }
    }
    Ok(found)
}

impl Wishes {
    fn parse(words: &[String]) -> Result<Self> {
        let mut wishes = Self {
            words: vec!["fastchess".to_owned()],
            pgn: None,
            event: "Hippolyta match".to_owned(),
            site: "?".to_owned(),
            rating_interval: 10,
            log: None,
            book: String::new(),
        };
        let mut size = Size { games: "2".to_owned(), ..Size::default() };
        let mut rest = words;
        while let [option, after @ ..] = rest {
            if !is_option(option) {
                bail!("'{option}': an option such as -engine is expected");
            }
            let length = after.iter().position(|word| is_option(word)).unwrap_or(after.len());
            let (values, next) = after.split_at(length);
            rest = next;
            wishes.option(option, values, &mut size).with_context(|| option.clone())?;
        }
        let Size { games, rounds, named, by_option, is_test } = size;
        let variant = match named.as_deref() {
            None | Some("standard") => by_option.unwrap_or_else(|| variant::DEFAULT.name.to_owned()),
            Some(name) => name.to_owned(),
        };
        // An odd number of games has no pairs.
        let repeat = games.parse().is_ok_and(|games: u64| games.is_multiple_of(2));
        let rounds = rounds.unwrap_or_else(|| if is_test { ENDLESS } else { "2" }.to_owned());
        wishes.words.extend(
            ["--variant", &variant, "--games", &games, "--rounds", &rounds, "--repeat", &repeat.to_string()]
                .map(str::to_owned),
        );
        Ok(wishes)
    }

    fn option(&mut self, option: &str, values: &[String], size: &mut Size) -> Result<()> {
        let Size { games, rounds, named, by_option, is_test } = size;
        let one = || match values {
            [value] => Ok(value.clone()),
            _ => bail!("one value is expected"),
        };
        let mut pass = |name: &str, values: &[String]| {
            self.words.push(name.to_owned());
            self.words.extend_from_slice(values);
        };
        match option.trim_start_matches('-') {
            "engine" => pass("--engine", &engine_words(values, by_option)?),
            "each" => pass("--each", &engine_words(values, by_option)?),
            "openings" => {
                for word in values {
                    if let ("file", path) = key_value(word)? {
                        self.book = Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
                    }
                }
                pass("--openings", values);
            }
            name @ ("resign" | "draw") => pass(&format!("--{name}"), values),
            "sprt" => {
                *is_test = true;
                pass("--sprt", values);
            }
            "concurrency" => pass("--concurrency", &[one()?]),
            "srand" => pass("--seed", &[one()?]),
            "maxmoves" => {
                let moves: u32 = one()?.parse().context("a number is expected")?;
                // Moves of both sides here, each of both there.
                pass("--maxmoves", &[moves.saturating_mul(2).to_string()]);
            }
            "tournament" => match one()?.as_str() {
                "roundrobin" => pass("--tournament", &["round-robin".to_owned()]),
                "gauntlet" => pass("--tournament", &["gauntlet".to_owned()]),
                _ => bail!("roundrobin or gauntlet is expected"),
            },
            "games" => *games = one()?,
            "rounds" => *rounds = Some(one()?),
            "repeat" if values.is_empty() => "2".clone_into(games),
            "repeat" => *games = one()?,
            "variant" => *named = Some(one()?),
            "pgnout" => self.pgn = Some(PgnOut::new(values)?),
            "event" => self.event = values.join(" "),
            "site" => self.site = values.join(" "),
            "ratinginterval" => self.rating_interval = one()?.parse().context("a number is expected")?,
            "log" => {
                let (mut path, mut append) = (None, true);
                for word in values {
                    match key_value(word)? {
                        ("file", value) => path = Some(value),
                        ("append", value) => append = truth(word, value)?,
                        _ => {}
                    }
                }
                self.log = Some(open(path.context("file=PATH is needed")?, append)?);
            }
            // A match goes on after a fault anyhow; the others change no game.
            "recover" | "testEnv" | "force-concurrency" | "use-affinity" | "autosaveinterval" | "scoreinterval"
            | "report" | "output" | "crc32" | "strict" | "show-latency" | "check-mate-pvs" | "startup-ms"
            | "ucinewgame-ms" | "ping-ms" | "wait" => {}
            "config" if values.iter().all(|word| word.starts_with("outname=")) => {}
            _ => bail!("this option is not known here; 'hippolyta fastchess --help' shows those that are"),
        }
        Ok(())
    }
}

impl Fastchess {
    pub(super) fn run(&self) -> Result<()> {
        if self.words.iter().any(|word| ["-version", "--version", "-v"].contains(&word.as_str())) {
            print_line(&format!("fastchess {VERSION} (the words of; hippolyta {})", env!("CARGO_PKG_VERSION")));
            return Ok(());
        }
        let wishes = Wishes::parse(&self.words)?;
        let translated = Translated::try_parse_from(&wishes.words).map_err(|error| {
            let text = error.to_string();
            let line = text.lines().next().unwrap_or_default();
            anyhow::anyhow!("{}", line.strip_prefix("error: ").unwrap_or(line).replace("--", "-"))
        })?;
        let plan = translated.command.order()?.plan(Arc::default())?;
        let caught = catch_signals(&plan.stop)?;
        for remark in plan.try_engines(false)? {
            eprintln!("hippolyta: {remark}");
        }
        let begun = Instant::now();
        let mut match_ = Referee { wishes, plan: &plan, failed: None, even: [0; 2], firsts: HashMap::new() };
        let results = run(&plan, None, &mut |event| match_.report(event))?;
        if let Some(error) = match_.failed.take() {
            return Err(error);
        }
        match_.interval(&results);
        if let Some((test, verdict)) = plan.sprt.zip(results.verdict()) {
            let accepted = if verdict == Verdict::H1 { "H1" } else { "H0" };
            match_.say(&format!("SPRT ({}) completed - {accepted} was accepted", hypotheses(&test)));
        }
        let signal = caught.load(Ordering::SeqCst);
        if signal != 0 {
            match_.say("Tournament was interrupted.");
        }
        match_.say("Finished match");
        let seconds = begun.elapsed().as_secs();
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        match_.say(&format!("Total Time: {hours:02}:{minutes:02}:{:02} (hours:minutes:seconds)", seconds % 60));
        if signal == 0 { Ok(()) } else { std::process::exit(128 + signal as i32) }
    }
}

fn hypotheses(test: &Sprt) -> String {
    format!("[{:.2}, {:.2}]", test.elo0, test.elo1)
}

/// A name or reason within a line: nothing but printable ASCII, for workers that read no more.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_graphic() || c == ' ' { c } else { '?' }).collect()
}

/// Why a game ended, in the words of fastchess, which farms look for.
fn reason(record: &GameRecord) -> String {
    let (winner, loser) = if record.result == "1-0" { ("White", "Black") } else { ("Black", "White") };
    match record.reason {
        Reason::Rules if record.result == "1/2-1/2" => "Draw by the rules".to_owned(),
        Reason::Rules => format!("{winner} wins by the rules"),
        Reason::IllegalMove => format!("{loser} makes an illegal move"),
        Reason::Time => format!("{loser} loses on time"),
        Reason::Crash => format!("{loser} disconnects"),
        Reason::Silence => format!("{loser}'s connection stalls"),
        Reason::Exact if record.result == "1/2-1/2" => "Draw by adjudication".to_owned(),
        Reason::Resignation | Reason::Exact => format!("{winner} wins by adjudication"),
        Reason::DrawByScore | Reason::MaxMoves => "Draw by adjudication".to_owned(),
    }
}

fn termination(reason: Reason) -> &'static str {
    match reason {
        Reason::Rules => "normal",
        Reason::IllegalMove => "illegal move",
        Reason::Time => "time forfeit",
        Reason::Crash | Reason::Silence => "abandoned",
        Reason::Resignation | Reason::DrawByScore | Reason::MaxMoves | Reason::Exact => "adjudication",
    }
}

/// Limits and options of an engine, as the line about a pairing shows them.
fn limits(engine: &EngineSpec) -> [String; 3] {
    let Allowance { nodes, depth, .. } = engine.allowance;
    let time = match (engine.allowance.pgn().as_str(), depth, nodes) {
        ("-", Some(depth), _) => format!("{depth} plies"),
        ("-", None, Some(nodes)) => format!("{nodes} nodes"),
        (time, ..) => time.to_owned(),
    };
    let option = |name: &str, unit: &str| {
        let found = engine.options.iter().rev().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map_or_else(|| "NULL".to_owned(), |(_, value)| format!("{value}{unit}"))
    };
    [time, option("Threads", "t"), option("Hash", "MB")]
}

struct Referee<'a> {
    wishes: Wishes,
    plan: &'a Plan,
    failed: Option<anyhow::Error>,
    /// Pairs of one point each: with a winner in both games, and of two draws.
    even: [u64; 2],
    /// Half points of the first engine in a game whose partner is not over, by the number of the pair.
    firsts: HashMap<u64, u64>,
}

impl Referee<'_> {
    /// A line on standard output and in the log.
    fn say(&mut self, line: &str) {
        print_line(line);
        if let Some(log) = &mut self.wishes.log
            && let Err(error) = writeln!(log, "{line}")
        {
            self.fail(anyhow::Error::new(error).context("-log"));
        }
    }

    fn fail(&mut self, error: anyhow::Error) {
        self.plan.stop.store(true, Ordering::SeqCst);
        self.failed.get_or_insert(error);
    }

    fn report(&mut self, event: &Event<'_>) {
        match event {
            Event::Resumed(_) => {}
            Event::Started(fixture) => {
                let [white, black] = fixture.players.map(|number| plain(&self.plan.engines[number].name));
                let of = self.plan.schedule.len();
                self.say(&format!("Started game {} of {of} ({white} vs {black})", fixture.game + 1));
            }
            Event::Finished(record, results) => {
                if let Some(pgn) = &mut self.wishes.pgn {
                    let round = record.game / self.plan.schedule.games.max(1) + 1;
                    let text = pgn.game(record, self.plan, &self.wishes.event, &self.wishes.site, round);
                    if let Err(error) = pgn.file.write_all(text.as_bytes()) {
                        self.fail(anyhow::Error::new(error).context("-pgnout"));
                    }
                }
                self.count_even(record);
                let (white, black) = (plain(&record.white), plain(&record.black));
                let (number, result, reason) = (record.game + 1, &record.result, reason(record));
                self.say(&format!("Finished game {number} ({white} vs {black}): {result} {{{reason}}}"));
                let games = results.games();
                let interval = self.wishes.rating_interval * if self.plan.schedule.repeat { 2 } else { 1 };
                if interval > 0 && games.is_multiple_of(interval) && games < self.plan.schedule.len() {
                    self.interval(results);
                }
            }
        }
    }

    /// Counts a pair of games that both engines got a point of. Results know only how many points a pair gave.
    fn count_even(&mut self, record: &GameRecord) {
        let Some(white) = record.white_half_points() else { return };
        let first = if record.white == self.plan.engines[0].name { white } else { 2 - white };
        match self.firsts.remove(&(record.game / 2)) {
            None => drop(self.firsts.insert(record.game / 2, first)),
            Some(other) if other + first == 2 => self.even[usize::from(first == 1)] += 1,
            Some(_) => {}
        }
    }

    /// The results so far.
    fn interval(&mut self, results: &Results) {
        const RULE: &str = "--------------------------------------------------";
        let lines = match &self.plan.engines[..] {
            [first, second] => self.pairing(results, first, second),
            _ => results.text().lines().map(plain).collect(),
        };
        self.say(RULE);
        lines.iter().for_each(|line| self.say(line));
        self.say(RULE);
    }

    fn pairing(&self, results: &Results, first: &EngineSpec, second: &EngineSpec) -> Vec<String> {
        let pairing = [0, 1];
        let Counts([losses, draws, wins]) = results.counts(pairing);
        let pairs = results.pairs(pairing);
        let games = wins + losses + draws;
        let points = wins as f64 + draws as f64 / 2.0;
        let percent = |part: f64, whole: u64| if whole > 0 { part / whole as f64 * 100.0 } else { 0.0 };
        let (elo, normalized) = match pairs.total() {
            0 => (results.elo(pairing), results.counts(pairing).normalized_elo()),
            _ => (results.elo(pairing), pairs.normalized_elo()),
        };
        let said = limits(first).into_iter().zip(limits(second));
        let mut said: Vec<_> = said.map(|(a, b)| if a == b { a } else { format!("{a} - {b}") }).collect();
        said.extend(Some(self.wishes.book.clone()).filter(|book| !book.is_empty()));
        let Counts([ll, ld, even, wd, ww]) = pairs;
        let mut lines = vec![
            plain(&format!("Results of {} vs {} ({}):", first.name, second.name, said.join(", "))),
            format!(
                "Elo: {:.2} +/- {:.2}, nElo: {:.2} +/- {:.2}",
                elo.difference, elo.error, normalized.difference, normalized.error
            ),
        ];
        let superiority = results.superiority(pairing) * 100.0;
        if self.plan.schedule.repeat {
            let ratio = (wd + ww) as f64 / (ll + ld) as f64;
            let share = percent(even as f64, pairs.total());
            lines.push(format!("LOS: {superiority:.2} %, DrawRatio: {share:.2} %, PairsRatio: {ratio:.2}"));
        } else {
            lines.push(format!("LOS: {superiority:.2} %, DrawRatio: {:.2} %", percent(draws as f64, games)));
        }
        lines.push(format!(
            "Games: {games}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {points:.1} ({:.2} %)",
            percent(points, games)
        ));
        if self.plan.schedule.repeat {
            let ratio = self.even[0] as f64 / self.even[1] as f64;
            lines.push(format!("Ptnml(0-2): [{ll}, {ld}, {even}, {wd}, {ww}], WL/DD Ratio: {ratio:.2}"));
        }
        if let Some((test, ratio)) = self.plan.sprt.zip(results.ratio()) {
            let (lower, upper) = test.bounds();
            let share = if ratio < 0.0 { -ratio / lower } else { ratio / upper } * 100.0;
            let hypotheses = hypotheses(&test);
            lines.push(format!("LLR: {ratio:.2} ({share:.1}%) ({lower:.2}, {upper:.2}) {hypotheses}"));
        }
        lines
    }
}

impl PgnOut {
    /// The game as fastchess writes it: one comment for each move, the reason in the last; no empty line but after the
    /// tags and at the end.
    fn game(&self, record: &GameRecord, plan: &Plan, event: &str, site: &str, round: u64) -> String {
        let now = utc(SystemTime::now());
        let round = round.to_string();
        let mut tags = vec![
            ("Event", event.to_owned()),
            ("Site", site.to_owned()),
            ("Date", now[..10].replace('-', ".")),
            ("Round", round),
            ("White", record.white.clone()),
            ("Black", record.black.clone()),
            ("Result", record.result.clone()),
            ("SetUp", "1".to_owned()),
            ("FEN", record.fen.clone()),
            ("Variant", record.variant.clone()),
        ];
        if !self.min {
            tags.push(("GameEndTime", now.replacen(' ', "T", 1).replace("UTC", "+0000")));
            tags.push(("PlyCount", record.moves.len().to_string()));
            tags.push(("Termination", termination(record.reason).to_owned()));
            let find = |name: &String| plan.engines.iter().find(|engine| engine.name == *name);
            let [white, black] = [&record.white, &record.black]
                .map(|name| find(name).map_or_else(|| "-".to_owned(), |engine| engine.allowance.pgn()));
            if white == black {
                tags.push(("TimeControl", white));
            } else {
                tags.extend([("WhiteTimeControl", white), ("BlackTimeControl", black)]);
            }
        }
        let mut text = String::new();
        for (name, value) in tags {
            let value = value.replace(['\n', '\r'], " ").replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "[{name} \"{value}\"]");
        }
        text.push('\n');
        let reason = reason(record);
        // The move that breaks the rules is named by the record's own words.
        let said = if record.reason == Reason::IllegalMove { format!("{reason}: {}", record.detail) } else { reason };
        let said = plain(&said).replace(['{', '}'], "'");
        let black_first = usize::from(record.fen.split(' ').nth(1) == Some("b"));
        let mut words = Vec::new();
        for (index, turn) in record.moves.iter().enumerate() {
            let ply = index + black_first;
            let number = match (ply.is_multiple_of(2), index == 0) {
                (true, _) => format!("{}. ", ply / 2 + 1),
                (false, true) => format!("{}... ", ply / 2 + 1),
                (false, false) => String::new(),
            };
            let mut comment = if self.min { String::new() } else { self.comment(turn) };
            if index + 1 == record.moves.len() && !self.min && !turn.book {
                comment = format!("{comment}, {said}");
            }
            let comment = if comment.is_empty() { String::new() } else { format!(" {{{comment}}}") };
            words.push(format!("{number}{}{comment}", self.spelled(&turn.text)));
        }
        if record.moves.last().is_none_or(|turn| turn.book) {
            words.push(format!("{{{said}}}"));
        }
        words.push(record.result.clone());
        let mut width = 0;
        for word in words {
            if width > 0 {
                text.push(if width + word.len() < 100 { ' ' } else { '\n' });
                width = if text.ends_with('\n') { 0 } else { width + 1 };
            }
            width += word.len();
            text.push_str(&word);
        }
        text.push_str("\n\n");
        text
    }

    /// Squares with hyphens between, which is what readers of fastchess' files take for one move.
    fn spelled(&self, turn: &str) -> String {
        match turn.split_once(',') {
            Some((from_to, fire)) if !self.uci => {
                let second =
                    |text: &str| 1 + text[1..].find(|c: char| c.is_ascii_lowercase()).unwrap_or(text.len() - 1);
                let (middle, last) = (second(from_to), second(fire));
                format!("{}-{}-{}", &from_to[..middle], &from_to[middle..], &fire[last..])
            }
            _ => turn.to_owned(),
        }
    }

    fn comment(&self, turn: &MoveRecord) -> String {
        let score = turn.score.map(|score| match score {
            EngineScore::Cp(value) => Score::Cp(value),
            EngineScore::Mate(moves) => Score::Mate(moves),
        });
        let note = Note {
            book: turn.book,
            score,
            depth: Some(turn.depth.unwrap_or(0)),
            nodes: turn.nodes.filter(|_| self.nodes),
            time_us: turn.time_us,
            clock_ms: turn.clock_ms.filter(|_| self.time_left),
        };
        let mut text = note.text();
        if turn.book {
            return text;
        }
        if let Some(depth) = turn.seldepth.filter(|_| self.seldepth) {
            let _ = write!(text, ", sd={depth}");
        }
        if let (true, Some(nodes), Some(time)) = (self.nps, turn.nodes, turn.time_us.filter(|&time| time > 0)) {
            let _ = write!(text, ", nps={}", (nodes as f64 / time as f64 * 1e6) as u64);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn words_of_a_farm_become_words_of_a_match() {
        let farm = "-recover -variant standard -testEnv -concurrency 2 -rounds 16 -games 2 -resign movecount=3 score=400 \
                    -engine dir=Engines/ cmd=./new proto=uci tc=8.00+0.08 timemargin=250 option.Threads=1 \
                    option.UCI_Variant=cassio name=H-dev -engine cmd=./old tc=inf nodes=5000 name=H-base \
                    -openings file=Books/b.epd format=epd order=random start=17 -srand 42";
        let wishes = Wishes::parse(&words(farm)).unwrap();
        let said = wishes.words.join(" ");
        for part in [
            "--engine dir=Engines/ cmd=./new proto=uci tc=8.00+0.08 timemargin=250 option.Threads=1 name=H-dev --engine",
            "--openings file=Books/b.epd format=epd order=random start=17 --seed 42",
            "--variant cassio --games 2 --rounds 16 --repeat true",
        ] {
            assert!(said.contains(part), "{part}\n{said}");
        }
        assert_eq!(wishes.book, "b.epd");
        let error = |text: &str| format!("{:#}", Wishes::parse(&words(text)).err().unwrap());
        assert!(error("-engine cmd=a -noswap").starts_with("-noswap: this option is not known here"));
        assert!(error("engine").starts_with("'engine': an option such as -engine"));
        assert_eq!(error("-rounds"), "-rounds: one value is expected");
        assert!(Wishes::parse(&words("-sprt elo0=0 elo1=5")).unwrap().words.contains(&ENDLESS.to_owned()));
        assert!(Wishes::parse(&words("-games 1")).unwrap().words.contains(&"false".to_owned()));
    }

    #[test]
    fn a_program_called_fastchess_needs_no_first_word() {
        let named = |words: &[&str]| by_name(words.iter().map(Into::into));
        assert_eq!(named(&["./fastchess-ob", "-version"]), ["./fastchess-ob", "fastchess", "-version"]);
        assert_eq!(named(&["hippolyta", "go"]), ["hippolyta", "go"]);
    }
}
