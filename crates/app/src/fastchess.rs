//! A match in the words and lines of fastchess, so that what drives fastchess drives this engine: OpenBench's worker
//! above all.

mod settings;

use super::{help, print_line, signals};
use anyhow::{Context, Error, Result, bail};
use clap::Args;
use hippolyta::games::variant;
use hippolyta::words::one_line;
use hippolyta_lab::arena::statistics::{Counts, Sprt, Verdict};
use hippolyta_lab::arena::{
    Allowance, DrawRule, EngineScore, EngineSpec, Event, Format, GameRecord, MatchOptions, MatchSetup, MoveRecord,
    OpeningList, Reason, Resign, Results, TournamentError, key_value, local_time, patience, run, today,
};
use hippolyta_protocol::records::{Note, Score, first_ply, turn_number};
use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Play a match in the words and lines of fastchess
///
/// For farms and scripts that drive it.
#[derive(Debug, Args)]
#[command(after_help = "\
Words that are understood:
  -engine cmd=PROGRAM name=NAME tc=[MOVES/]TIME[+INC]|inf st=TIME nodes=N
          depth=N timemargin=MS args='ARGUMENTS' dir=FOLDER restart=on|off
          option.NAME=VALUE …
  -each KEY=VALUE …   (keys as for 'match'; they come after an engine's own)
  -variant RULESET    ('standard': option.UCI_Variant, or amazons)
  -openings file=PATH format=epd|pgn order=sequential|random start=N plies=N
  -srand N  -games 1|2  -rounds N  -repeat [N]  -concurrency N
  -force-concurrency  -tournament roundrobin|gauntlet  -maxmoves N  -recover
  -resign movecount=N score=CP [twosided=B]   -draw movenumber=N movecount=N
          score=CP
  -sprt elo0=E elo1=E [alpha=A] [beta=B] [model=normalized|logistic]
  -output format=fastchess|cutechess  -report penta=B  -ratinginterval N
  -scoreinterval N
  -pgnout [file=PATH] [append=B] [nodes=B] [seldepth=B] [nps=B] [timeleft=B]
          [min=B] [notation=san|lan|uci]
  -config file=PATH [discard=B]   (settings that fastchess has saved)
  -event NAME  -site NAME  -log file=PATH [append=B]  -startup-ms N  -ping-ms N
  -strict  -testEnv  -quick cmd=PROGRAM cmd=PROGRAM book=PATH  -version  -help

The defaults are those of fastchess: normalized Elo, no time margin, the start position if no book is named, and the end
of the match, with exit code 1, when an engine crashes or stalls, unless -recover is given. What has no meaning here is
named on standard error and ignored, or refused. A program with the name fastchess does the same without the first word.

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
/// Why words about a file that fastchess writes mean nothing.
const NO_SETTINGS: &str = "no file of settings is written; 'hippolyta match --out' resumes";
/// Rounds where a test alone is to end the match.
const ENDLESS: u64 = 500_000;

/// The command line as options of a match, and wishes for which these have no place.
#[derive(Default)]
struct Wishes {
    options: MatchOptions,
    pgn: Option<PgnOut>,
    event: String,
    site: String,
    rating_interval: u64,
    score_interval: u64,
    log: Option<File>,
    /// The lines of cutechess.
    cutechess: bool,
    /// Statistics of pairs of games, where there are pairs.
    pairs: bool,
    strict: bool,
    /// Remarks on words that are ignored, or that mean something else than in fastchess.
    remarks: Vec<String>,
}

/// Values that several options may set; the last counts.
#[derive(Default)]
struct Size {
    games: u64,
    rounds: u64,
    concurrency: i64,
    is_forced: bool,
    /// The rule set by `-variant`.
    named: Option<String>,
    /// Words of each engine, and those for all.
    engines: Vec<Vec<String>>,
    each: Vec<String>,
    has_seed: bool,
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
    fn new(words: &[String], ignored: &mut Vec<String>) -> Result<Self> {
        let (mut path, mut append) = (None, true);
        let [mut nodes, mut seldepth, mut nps, mut time_left, mut min, mut uci] = [false; 6];
        for word in words {
            match key_value(word)? {
                ("file", value) => path = Some(value.to_owned()),
                ("append", value) => append = truth(word, value)?,
                ("nodes", value) => nodes = truth(word, value)?,
                ("seldepth", value) => seldepth = truth(word, value)?,
                ("nps", value) => nps = truth(word, value)?,
                ("timeleft", value) => time_left = truth(word, value)?,
                ("min", value) => min = truth(word, value)?,
                ("notation", "uci") => uci = true,
                ("notation", "san" | "lan") => uci = false,
                // Other lines of an engine are not kept.
                ("match_line", _) => ignored.push(word.clone()),
                ("hashfull" | "tbhits" | "pv" | "latency", value) => {
                    if truth(word, value)? {
                        ignored.push(word.clone());
                    }
                }
                _ => bail!("'{word}' is unknown"),
            }
        }
        let path = path.unwrap_or_else(|| local_time("fastchess_%Y%m%d_%H%M%S.pgn"));
        Ok(Self { file: open(&path, append)?, nodes, seldepth, nps, time_left, min, uci })
    }
}

/// Arguments as a shell would cut them: at blanks that are not within quotes. A backslash stands before a quote, a
/// blank or a backslash that means itself; elsewhere it is part of a path. An open quote goes to the end.
fn arguments(text: &str) -> Vec<String> {
    let (mut found, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\'' | '"', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (_, Some(open)) if letter == open => quote = None,
            ('\\', None | Some('"'))
                if letters.peek().is_some_and(|&next| {
                    matches!(next, '"' | '\\') || quote.is_none() && matches!(next, '\'' | ' ')
                }) =>
            {
                word.get_or_insert_default().extend(letters.next());
            }
            (blank, None) if blank.is_whitespace() => found.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    found.extend(word);
    found
}

/// The options of all engines together.
#[derive(Default)]
struct Engines {
    specs: Vec<EngineSpec>,
    /// The rule set that their option names.
    variant: Option<String>,
}

impl Engines {
    /// Reads words of engines. The last of several words counts, and those for all come last.
    fn read(own: &[Vec<String>], each: &[String]) -> Result<Self> {
        let mut found = Self::default();
        // Names that are taken get a number.
        let mut seen: HashMap<String, u64> = HashMap::new();
        for (number, own) in own.iter().enumerate() {
            let words = [own, each].concat();
            // Without a word of its own an engine has no time to spare.
            let (mut said, mut name) = (vec!["timemargin=0".to_owned()], None);
            let (mut last, mut has_clock, mut has_time) = (Vec::new(), false, false);
            for word in &words {
                match key_value(word)? {
                    ("args", value) => last = arguments(value),
                    ("plies", value) => said.push(format!("depth={value}")),
                    ("tc", "infinite" | "inf") => {
                        has_clock = false;
                        said.push("tc=inf".to_owned());
                    }
                    ("name", value) => name = Some(value.to_owned()),
                    ("option.UCI_Variant", value) => {
                        let value = value.to_owned();
                        if number > 0 && found.variant.as_ref().is_some_and(|other| *other != value) {
                            bail!("'{word}': the engines must play the same rule set");
                        }
                        found.variant = Some(value);
                    }
                    (key, _) => {
                        match key {
                            "tc" => has_clock = true,
                            "st" => has_time = true,
                            _ => {}
                        }
                        said.push(word.clone());
                    }
                }
            }
            if has_clock && has_time {
                bail!("tc= and st= are not for the same engine");
            }
            said.extend(last.iter().map(|argument| format!("arg={argument}")));
            let mut spec = EngineSpec::parse(&[], &said)?;
            let stem = Path::new(&spec.command).file_stem().map(|stem| stem.to_string_lossy().into_owned());
            spec.name = name.or(stem).unwrap_or(spec.name);
            let count = seen.entry(spec.name.clone()).or_default();
            *count += 1;
            if *count > 1 {
                spec.name = format!("{}_{count}", spec.name);
            }
            found.specs.push(spec);
        }
        Ok(found)
    }
}

impl Wishes {
    fn parse(words: &[String]) -> Result<Self> {
        let mut wishes = Self {
            // Defaults of fastchess.
            options: MatchOptions {
                recover: false,
                greeting: Some(Duration::from_secs(10)),
                ..MatchOptions::default()
            },
            event: "Hippolyta match".to_owned(),
            site: "?".to_owned(),
            rating_interval: 10,
            score_interval: 1,
            pairs: true,
            ..Self::default()
        };
        let mut size = Size { games: 2, rounds: 2, concurrency: 1, ..Size::default() };
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
        wishes.conclude(size)?;
        Ok(wishes)
    }

    /// Settles the values that follow from several options together.
    fn conclude(&mut self, size: Size) -> Result<()> {
        let Size { mut games, mut rounds, concurrency, is_forced, named, engines, each, has_seed } = size;
        let is_test = self.options.sprt.is_some();
        if games > 2 {
            std::mem::swap(&mut games, &mut rounds);
            if games > 2 {
                bail!("-games: 1 or 2 are expected: an opening is played once, or with both colours");
            }
        }
        if is_test && rounds == 0 {
            rounds = ENDLESS;
        } else if is_test && rounds <= 2 {
            let most = rounds * games;
            self.remarks.push(format!("-sprt: the match has {most} games at most; -rounds N gives it more"));
        }
        let Engines { specs, variant: by_option } = Engines::read(&engines, &each).context("-engine or -each")?;
        let variant = match named.as_deref() {
            None | Some("standard") => by_option.unwrap_or_else(|| variant::DEFAULT.name().to_owned()),
            Some(name) => name.to_owned(),
        };
        self.options.variant = variant::find(&variant).context("-variant")?;
        let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as i64);
        let at_once = if concurrency <= 0 { (cores + concurrency).max(1) } else { concurrency };
        if at_once > cores && !is_forced {
            bail!("-concurrency: {at_once} games for {cores} processors; -force-concurrency plays them all the same");
        }
        if self.options.openings.as_ref().is_some_and(OpeningList::is_shuffled) && !has_seed {
            // Another order each time; who wants the same one again is told how.
            let seed = RandomState::new().hash_one(0) >> 1;
            self.options.seed = seed;
            self.remarks.push(format!("-openings order=random: the order is that of -srand {seed}"));
        }
        if self.options.openings.is_none() {
            self.options.book_plies = 0;
            self.remarks.push("no -openings: all games begin at the start position".to_owned());
        }
        let options = &mut self.options;
        // Too many are refused with what else a match cannot be.
        options.concurrency = Some(u16::try_from(at_once).unwrap_or(u16::MAX));
        (options.engines, options.games, options.rounds, options.repeat) = (specs, games, Some(rounds), games == 2);
        options.singles = !self.pairs || self.cutechess;
        Ok(())
    }

    fn ignore(&mut self, option: &str, why: &str) {
        self.remarks.push(format!("{option} is ignored: {why}"));
    }

    fn option(&mut self, option: &str, values: &[String], size: &mut Size) -> Result<()> {
        let one = || match values {
            [value] => Ok(value.clone()),
            _ => bail!("one value is expected"),
        };
        let number = || one()?.parse::<u64>().context("a number is expected");
        let name = option.trim_start_matches('-');
        match name {
            "engine" | "each" | "openings" | "resign" | "draw" | "sprt" if values.is_empty() => {
                bail!("key=value is expected")
            }
            "force-concurrency" | "recover" | "strict" | "testEnv" if !values.is_empty() => {
                bail!("no value is expected")
            }
            _ => {}
        }
        let with = |usual: &str| [&[usual.to_owned()], values].concat();
        match name {
            "engine" => size.engines.push(values.to_vec()),
            "each" => size.each.extend_from_slice(values),
            "openings" => self.options.openings = OpeningList::from_words(values)?,
            "resign" => self.options.resign = Resign::from_words(&with("movecount=1"))?,
            "draw" => self.options.draw = DrawRule::from_words(&with("movecount=1"))?,
            "sprt" => {
                if values.iter().any(|word| word == "model=bayesian") {
                    bail!("'model=bayesian' is not known here: normalized (the default) or logistic");
                }
                self.options.sprt = Sprt::from_words(&with("model=normalized"))?;
            }
            "concurrency" => size.concurrency = one()?.parse().context("a number is expected")?,
            "force-concurrency" => size.is_forced = true,
            "srand" => {
                size.has_seed = true;
                self.options.seed = number()?;
            }
            "maxmoves" => {
                let moves: u32 = one()?.parse().context("a number is expected")?;
                // fastchess counts a move of each side as one, `match` as two.
                self.options.max_moves = Some(moves.saturating_mul(2));
            }
            "tournament" => match one()?.as_str() {
                "roundrobin" => self.options.format = Format::RoundRobin,
                "gauntlet" => self.options.format = Format::Gauntlet,
                _ => bail!("roundrobin or gauntlet is expected"),
            },
            "seeds" => {
                if number()? != 1 {
                    bail!("one engine plays a gauntlet here, the first");
                }
            }
            "games" => size.games = number()?,
            "rounds" => size.rounds = number()?,
            "repeat" if values.is_empty() => size.games = 2,
            "repeat" => size.games = number()?,
            "variant" => size.named = Some(one()?),
            "recover" => self.options.recover = true,
            "quick" => self.quick(values, size)?,
            "pgnout" => {
                let mut ignored = Vec::new();
                self.pgn = Some(PgnOut::new(values, &mut ignored)?);
                for word in ignored {
                    self.ignore(
                        &format!("-pgnout {word}"),
                        "of what an engine says only score, depth and nodes are kept",
                    );
                }
            }
            "event" => self.event = values.join(" "),
            "site" => self.site = values.join(" "),
            "ratinginterval" => self.rating_interval = number()?,
            "scoreinterval" => self.score_interval = number()?,
            "output" => match one()?.as_str() {
                "format=cutechess" => self.cutechess = true,
                "format=fastchess" => self.cutechess = false,
                _ => bail!("format=fastchess or format=cutechess is expected"),
            },
            "report" => match key_value(&one()?)? {
                ("penta", value) => self.pairs = truth("penta", value)?,
                _ => bail!("penta=true or penta=false is expected"),
            },
            "log" => self.log(values)?,
            "strict" => self.strict = true,
            "startup-ms" => self.options.greeting = Some(Duration::from_millis(number()?)),
            "ping-ms" => {
                self.options.patience = patience(&format!("{}ms", number()?.max(1000))).map_err(Error::msg)?;
            }
            // Warnings in one line each, as they are here anyhow.
            "testEnv" => {}
            "autosaveinterval" => self.ignore(option, NO_SETTINGS),
            "config" => self.config(values, size)?,
            "use-affinity" => self.ignore(option, "the system places the engines"),
            "crc32" => self.ignore(option, "no checksum is printed"),
            "show-latency" => self.ignore(option, "no latency is printed"),
            "check-mate-pvs" => self.ignore(option, "lines of engines are not checked"),
            "ucinewgame-ms" => self.ignore(option, "a new game has as long as -ping-ms says"),
            "wait" => self.ignore(option, "there is no pause between games"),
            "noswap" | "reverse" => {
                bail!("not known here: an opening is played with both colours, or once by -games 1")
            }
            "tb" | "tbpieces" | "tbignore50" | "tbadjudicate" => {
                bail!("not known here: 'hippolyta match --adjudicate exact' ends games by exact results")
            }
            "epdout" => bail!("not known here: the last positions are in games.jsonl of 'hippolyta match --out'"),
            "debug" => bail!("not known here, nor in fastchess"),
            _ => bail!("this option is not known here; 'hippolyta fastchess --help' shows those that are"),
        }
        Ok(())
    }

    /// The settings of `-quick`: two engines and a book.
    fn quick(&mut self, values: &[String], size: &mut Size) -> Result<()> {
        let (mut engines, mut book) = (Vec::new(), None);
        for word in values {
            match key_value(word)? {
                ("cmd", path) => engines.push(vec![word.clone(), format!("name={path}"), "tc=10+0.1".to_owned()]),
                ("book", path) => book = Some(path),
                _ => bail!("'{word}' is none of cmd= and book="),
            }
        }
        let (2, Some(book)) = (engines.len(), book) else { bail!("cmd= twice and book= are needed") };
        if engines[0] == engines[1] {
            engines.iter_mut().zip(["1", "2"]).for_each(|(engine, number)| engine[1] += number);
        }
        size.engines.extend(engines);
        (size.games, size.rounds, size.concurrency) = (2, 25_000, -2);
        (self.options.recover, self.cutechess) = (true, true);
        self.option("-draw", &["movenumber=30", "movecount=8", "score=8"].map(str::to_owned), size)?;
        self.option("-openings", &[format!("file={book}"), "order=random".to_owned()], size)
    }

    /// Takes the settings of a file. What stands behind on the command line counts more.
    fn config(&mut self, values: &[String], size: &mut Size) -> Result<()> {
        let (mut file, mut discard) = (None, false);
        for word in values {
            match key_value(word)? {
                ("file", path) => file = Some(path),
                ("discard", value) => discard = truth(word, value)?,
                ("stats", value) => _ = truth(word, value)?,
                ("outname", _) => self.ignore("-config outname", NO_SETTINGS),
                _ => bail!("'{word}' is unknown"),
            }
        }
        let Some(path) = file.filter(|_| !discard) else { return Ok(()) };
        let (words, has_results) = settings::read(path)?;
        if has_results {
            self.ignore(&format!("-config {path}: what was played"), "all games are played anew");
        }
        size.engines.clear();
        words
            .iter()
            .try_for_each(|(option, values)| self.option(option, values, size).context(format!("{path}: -{option}")))
    }

    fn log(&mut self, values: &[String]) -> Result<()> {
        let (mut path, mut append) = (None, true);
        for word in values {
            match key_value(word)? {
                ("file", value) => path = Some(value),
                ("append", value) => append = truth(word, value)?,
                ("compress", value) if truth(word, value)? => bail!("'{word}': logs are not compressed here"),
                ("engine" | "realtime", value) if !truth(word, value)? => {}
                ("compress", _) => {}
                ("engine" | "realtime" | "level", _) => {
                    self.ignore(&format!("-log {word}"), "the log has the lines of standard output");
                }
                _ => bail!("'{word}' is unknown"),
            }
        }
        self.log = Some(open(path.context("file=PATH is needed")?, append)?);
        Ok(())
    }
}

impl Fastchess {
    pub(super) fn run(&self) -> Result<()> {
        if self.words.iter().any(|word| ["-version", "--version", "-v"].contains(&word.as_str())) {
            print_line(&format!("fastchess {VERSION} (the words of; hippolyta {})", env!("CARGO_PKG_VERSION")));
            return Ok(());
        }
        if self.words.iter().any(|word| ["-help", "--help", "-h"].contains(&word.as_str())) {
            let mut command = help::command();
            if let Some(own) = command.find_subcommand_mut("fastchess") {
                print_line(own.render_long_help().to_string().trim_end());
            }
            return Ok(());
        }
        let wishes = Wishes::parse(&self.words)?;
        if wishes.options.engines.is_empty() {
            bail!("the following required arguments were not provided: -engine");
        }
        let setup = wishes.options.setup(Arc::default())?;
        signals::catch(&setup.stop)?;
        let said = crate::complain;
        wishes.remarks.iter().for_each(|remark| said(remark));
        let remarks = setup.try_engines(false, &said)?;
        remarks.iter().for_each(|remark| said(remark));
        if let (true, Some(remark)) = (wishes.strict, wishes.remarks.iter().chain(&remarks).next()) {
            bail!("-strict: {remark}");
        }
        let begun = Instant::now();
        let mut match_ = Referee { wishes, setup: &setup, failed: None, even: [0; 2], firsts: HashMap::new() };
        let played = run(&setup, None, &mut |event| match_.report(event));
        if let Some(error) = match_.failed.take() {
            return Err(error);
        }
        let is_broken = match played {
            Ok(results) => {
                match_.interval(&results);
                if let Some((test, verdict)) = setup.sprt.zip(results.verdict()) {
                    let accepted = if verdict == Verdict::H1 { "H1" } else { "H0" };
                    match_.say(&format!("SPRT ({}) completed - {accepted} was accepted", hypotheses(&test)));
                }
                if match_.wishes.cutechess {
                    match_.say("Tournament finished");
                }
                false
            }
            // It was said with the game.
            Err(TournamentError::Crash { .. }) => true,
            Err(error) => return Err(error.into()),
        };
        let signal = signals::caught();
        if signal.is_some() || is_broken {
            match_.say("Tournament was interrupted.");
        }
        match_.say("Finished match");
        let seconds = begun.elapsed().as_secs();
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        match_.say(&format!("Total Time: {hours:02}:{minutes:02}:{:02} (hours:minutes:seconds)", seconds % 60));
        match (signal, is_broken) {
            (None, false) => Ok(()),
            (None, true) => std::process::exit(1),
            (Some(signal), _) => std::process::exit(128 + signal),
        }
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
    setup: &'a MatchSetup,
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
        self.setup.stop.store(true, Ordering::SeqCst);
        self.failed.get_or_insert(error);
    }

    fn report(&mut self, event: &Event<'_>) {
        match event {
            // Its matches have no folder that is gone on with.
            Event::LeftOut(_) | Event::Resumed(_) => {}
            Event::Started(fixture) => {
                let [white, black] = fixture.players.map(|number| plain(&self.setup.engines[number].name));
                let of = self.setup.schedule.len();
                self.say(&format!("Started game {} of {of} ({white} vs {black})", fixture.game + 1));
            }
            Event::Finished(record, results) => {
                if let Some(pgn) = &mut self.wishes.pgn {
                    let round = record.game / self.setup.schedule.games.max(1) + 1;
                    let text = pgn.game(record, self.setup, &self.wishes.event, &self.wishes.site, round);
                    if let Err(error) = pgn.file.write_all(text.as_bytes()) {
                        self.fail(anyhow::Error::new(error).context("-pgnout"));
                    }
                }
                self.count_even(record);
                let is_last = !self.setup.recover && matches!(record.reason, Reason::Crash | Reason::Silence);
                if is_last {
                    let number = record.game + 1;
                    self.say(&format!(
                        "Game {number} stalled / disconnected and no recover option set for engine, stopping tournament."
                    ));
                }
                let (white, black) = (plain(&record.white), plain(&record.black));
                let (number, result, reason) = (record.game + 1, &record.result, reason(record));
                self.say(&format!("Finished game {number} ({white} vs {black}): {result} {{{reason}}}"));
                let games = results.games();
                let due = |interval: u64| interval > 0 && games.is_multiple_of(interval);
                let is_end = games == self.setup.schedule.len() || results.verdict().is_some();
                if self.wishes.cutechess && (due(self.wishes.score_interval) || is_end || is_last) {
                    let place = |name: &String| self.setup.engines.iter().position(|engine| engine.name == *name);
                    let mut pairing = [&record.white, &record.black].map(|name| place(name).unwrap_or(0));
                    pairing.sort_unstable();
                    self.say(&plain(&results.score_line(pairing)));
                }
                let interval = self.wishes.rating_interval * if self.setup.pairs { 2 } else { 1 };
                // The last results come at the end.
                if is_last || due(interval) && !is_end {
                    self.interval(results);
                }
            }
        }
    }

    /// Counts a pair of games that both engines got a point of. Results know only how many points a pair gave.
    fn count_even(&mut self, record: &GameRecord) {
        let Some(white) = record.white_half_points() else { return };
        let first = if record.white == self.setup.engines[0].name { white } else { 2 - white };
        match self.firsts.remove(&(record.game / 2)) {
            None => drop(self.firsts.insert(record.game / 2, first)),
            Some(other) if other + first == 2 => self.even[usize::from(first == 1)] += 1,
            Some(_) => {}
        }
    }

    /// The results so far.
    fn interval(&mut self, results: &Results) {
        const RULE: &str = "--------------------------------------------------";
        if self.wishes.cutechess {
            self.cutechess(results).iter().for_each(|line| self.say(line));
            return;
        }
        let lines = match &self.setup.engines[..] {
            [first, second] => self.pairing(results, first, second),
            _ => results.text().lines().map(plain).collect(),
        };
        self.say(RULE);
        lines.iter().for_each(|line| self.say(line));
        self.say(RULE);
    }

    /// The lines of fastchess in the manner of cutechess: of single games.
    fn cutechess(&self, results: &Results) -> Vec<String> {
        if self.setup.engines.len() > 2 {
            return results.text().lines().map(plain).collect();
        }
        let counts = results.counts([0, 1]);
        let Counts([_, draws, _]) = counts;
        let (elo, superiority) = (counts.elo(), counts.superiority() * 100.0);
        let share = if counts.total() > 0 { draws as f64 / counts.total() as f64 * 100.0 } else { 0.0 };
        let mut lines = vec![format!(
            "Elo difference: {:.2} +/- {:.2}, LOS: {superiority:.2} %, DrawRatio: {share:.2} %",
            elo.difference, elo.error
        )];
        if let Some((test, ratio)) = self.setup.sprt.zip(results.ratio()) {
            let (lower, upper) = test.bounds();
            let share = if ratio < 0.0 { ratio / lower } else { ratio / upper } * 100.0;
            let accepted = match test.verdict(ratio) {
                Some(Verdict::H1) => " - H1 was accepted",
                Some(Verdict::H0) => " - H0 was accepted",
                None => "",
            };
            lines.push(format!("SPRT: llr {ratio:.2} ({share:.1}%), lbound {lower:.2}, ubound {upper:.2}{accepted}"));
        }
        lines
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
        said.extend(self.wishes.options.openings.as_ref().and_then(OpeningList::file_name));
        let Counts([ll, ld, even, wd, ww]) = pairs;
        let mut lines = vec![
            plain(&format!("Results of {} vs {} ({}):", first.name, second.name, said.join(", "))),
            format!(
                "Elo: {:.2} +/- {:.2}, nElo: {:.2} +/- {:.2}",
                elo.difference, elo.error, normalized.difference, normalized.error
            ),
        ];
        let superiority = results.superiority(pairing) * 100.0;
        if self.setup.pairs {
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
        if self.setup.pairs {
            let ratio = self.even[0] as f64 / self.even[1] as f64;
            lines.push(format!("Ptnml(0-2): [{ll}, {ld}, {even}, {wd}, {ww}], WL/DD Ratio: {ratio:.2}"));
        }
        if let Some((test, ratio)) = self.setup.sprt.zip(results.ratio()) {
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
    fn game(&self, record: &GameRecord, setup: &MatchSetup, event: &str, site: &str, round: u64) -> String {
        let round = round.to_string();
        let mut tags = vec![
            ("Event", event.to_owned()),
            ("Site", site.to_owned()),
            ("Date", today()),
            ("Round", round),
            ("White", record.white.clone()),
            ("Black", record.black.clone()),
            ("Result", record.result.clone()),
            ("SetUp", "1".to_owned()),
            ("FEN", record.fen.clone()),
            ("Variant", record.variant.clone()),
        ];
        if !self.min {
            tags.push(("GameEndTime", local_time("%Y-%m-%dT%H:%M:%S %z")));
            tags.push(("PlyCount", record.moves.len().to_string()));
            tags.push(("Termination", termination(record.reason).to_owned()));
            let find = |name: &String| setup.engines.iter().find(|engine| engine.name == *name);
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
        let said = if record.reason == Reason::IllegalMove {
            format!("{reason}: {}", one_line(&record.detail))
        } else {
            reason
        };
        let said = plain(&said).replace(['{', '}'], "'");
        let first = first_ply(&record.fen);
        let mut words = Vec::new();
        for (index, turn) in record.moves.iter().enumerate() {
            let number = turn_number(first + index, index == 0);
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

    fn engine(text: &str) -> EngineSpec {
        EngineSpec::parse(&[], &words(text)).unwrap()
    }

    #[test]
    fn words_of_a_farm_become_options_of_a_match() {
        let farm = "-recover -variant standard -testEnv -concurrency 2 -force-concurrency -rounds 16 -games 2 \
                    -resign movecount=3 score=400 \
                    -engine dir=Engines/ cmd=./new proto=uci tc=8.00+0.08 timemargin=250 option.Threads=1 \
                    option.UCI_Variant=cassio name=H-dev -engine cmd=./old tc=inf nodes=5000 name=H-base \
                    -openings file=Books/b.epd format=epd order=random start=17 -srand 42";
        let Wishes { options, remarks, .. } = Wishes::parse(&words(farm)).unwrap();
        let engines = [
            "dir=Engines/ cmd=./new proto=uci tc=8.00+0.08 timemargin=250 option.Threads=1 name=H-dev",
            "timemargin=0 cmd=./old nodes=5000 name=H-base",
        ];
        assert_eq!(options.engines, engines.map(engine));
        let openings = options.openings.unwrap();
        assert_eq!(openings.words, words("file=Books/b.epd format=epd order=random start=17"));
        assert_eq!((openings.file_name().as_deref(), options.seed), (Some("b.epd"), 42));
        assert_eq!((options.variant.name(), options.games, options.rounds), ("cassio", 2, Some(16)));
        assert_eq!((options.repeat, options.concurrency, options.recover), (true, Some(2), true));
        assert_eq!((options.resign.unwrap().score, remarks.as_slice()), (400, &[][..]));
        let error = |text: &str| format!("{:#}", Wishes::parse(&words(text)).err().unwrap());
        assert!(error("-engine cmd=a -noswap").starts_with("-noswap: not known here"));
        assert!(error("engine").starts_with("'engine': an option such as -engine"));
        assert_eq!(error("-rounds"), "-rounds: one value is expected");
        assert!(error("-ping-ms 2000000000").starts_with("-ping-ms: seconds from 1 to 1000000 are expected"));
        let many = "-concurrency 1025 -force-concurrency -engine cmd=self name=a -engine cmd=self name=b -each nodes=1";
        let refused = Wishes::parse(&words(many)).unwrap().options.setup(Arc::default()).err().unwrap();
        assert_eq!(refused.to_string(), "--concurrency is from 1 to 1024");
    }

    #[test]
    fn defaults_are_those_of_fastchess() {
        let options = |text: &str| Wishes::parse(&words(text)).unwrap().options;
        let usual = options("");
        assert_eq!((usual.games, usual.rounds, usual.repeat, usual.concurrency), (2, Some(2), true, Some(1)));
        assert_eq!((usual.recover, usual.book_plies), (false, 0));
        let test = |text: &str| options(text).sprt.unwrap().words().join(" ");
        assert_eq!(test("-sprt elo0=0 elo1=5"), "elo0=0 elo1=5 model=normalized");
        assert_eq!(options("-sprt elo0=0 elo1=5 -rounds 0").rounds, Some(ENDLESS));
        assert_eq!(options("-draw score=5").draw, DrawRule::from_words(&words("movecount=1 score=5")).unwrap());
        // Too many games of a round are its rounds.
        let swapped = options("-games 100 -rounds 2");
        assert_eq!((swapped.games, swapped.rounds), (2, Some(100)));
        assert!(!options("-games 1").repeat);
        assert!(Wishes::parse(&words("-games 3 -rounds 3")).is_err());
        // Words for all come after an engine's own; names are told apart.
        let more = "-engine cmd=x/a.exe tc=5 option.Hash=1 -each tc=10 restart=on option.Hash=2 -engine cmd=a";
        let engines = ["cmd=x/a.exe name=a", "cmd=a name=a_2"];
        let engines = engines.map(|own| engine(&format!("timemargin=0 tc=10 restart=on option.Hash=2 {own}")));
        assert_eq!(options(more).engines, engines);
        let quick = options("-quick cmd=a cmd=a book=b.epd");
        assert_eq!(
            quick.engines,
            ["a1", "a2"].map(|name| engine(&format!("timemargin=0 cmd=a tc=10+0.1 name={name}")))
        );
        assert_eq!((quick.rounds, quick.recover), (Some(25_000), true));
        assert!(quick.openings.unwrap().is_shuffled());
    }

    #[test]
    fn settings_that_fastchess_has_saved_are_options_of_a_match() {
        let folder = std::env::temp_dir().join(format!("hippolyta-settings-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("config.json");
        let engine = |name: &str, limit: &str| {
            format!(
                r#"{{"name":"{name}","dir":"","cmd":"./e","args":"--a b","restart":true,"options":[["Hash","16"]],
                    "limit":{limit},"variant":0}}"#
            )
        };
        let tc = |words: &str| format!(r#"{{"tc":{{"timemargin":20,{words}}},"nodes":7,"plies":0}}"#);
        let (first, second) = (
            engine("a", &tc(r#""time":8000,"increment":80,"moves":40,"fixed_time":0"#)),
            engine("b", &tc(r#""time":0,"increment":0,"moves":0,"fixed_time":500"#)),
        );
        let text = format!(
            r#"{{"resign":{{"move_count":3,"score":400,"twosided":false,"enabled":true}},
                "draw":{{"move_number":0,"move_count":6,"score":25,"enabled":false}},
                "maxmoves":{{"move_count":50,"enabled":true}},
                "tb_adjudication":{{"syzygy_dirs":"","enabled":false}},
                "opening":{{"file":"b.epd","format":0,"order":0,"plies":-1,"start":4}},
                "pgn":{{"event_name":"A cup","site":"?","file":"","notation":0,"append_file":true}},
                "sprt":{{"alpha":0.05,"beta":0.05,"elo0":0.0,"elo1":5.0,"model":"normalized","enabled":true}},
                "output":1,"seed":11640166910256665083,"type":1,"gauntlet_seeds":1,"games":2,"rounds":9,
                "concurrency":1,"recover":true,"noswap":false,"report_penta":false,"engines":[{first},{second}],
                "stats":{{"a vs b":{{"wins":1,"losses":0}}}}}}"#
        );
        std::fs::write(&path, text).unwrap();
        let file = format!("file={}", path.display());
        let given = |more: &str| Wishes::parse(&[words("-config"), vec![file.clone()], words(more)].concat());
        let wishes = given("-rounds 3").unwrap();
        let engines = [
            "cmd=./e name=a arg=--a arg=b tc=40/8+0.08 timemargin=20 nodes=7 restart=on option.Hash=16",
            "cmd=./e name=b arg=--a arg=b st=0.5 timemargin=20 nodes=7 restart=on option.Hash=16",
        ];
        assert_eq!(wishes.options.engines, engines.map(self::engine));
        assert_eq!((wishes.options.rounds, wishes.options.seed), (Some(3), 11_640_166_910_256_665_083));
        assert_eq!((wishes.options.max_moves, wishes.options.recover), (Some(100), true));
        assert_eq!(wishes.options.sprt.unwrap().words().join(" "), "elo0=0 elo1=5 model=normalized");
        assert!(wishes.options.draw.is_none() && wishes.options.resign.is_some());
        assert!((wishes.cutechess, wishes.pairs, wishes.event.as_str()) == (true, false, "A cup"));
        assert_eq!(wishes.options.openings.unwrap().words, words("file=b.epd format=epd order=random start=4"));
        assert!(wishes.remarks[0].ends_with("is ignored: all games are played anew"), "{:?}", wishes.remarks);
        assert!(given("discard=true").unwrap().options.engines.is_empty());
        std::fs::write(&path, "{}").unwrap();
        assert!(format!("{:#}", given("").err().unwrap()).ends_with("config.json: no engines stand in this file"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    /// Each word of fastchess's manual is obeyed, named as ignored, or refused.
    #[test]
    fn nothing_is_ignored_without_a_word() {
        let remarks = |text: &str| Wishes::parse(&words(text)).map(|wishes| wishes.remarks.join("\n"));
        let own = "no -openings: all games begin at the start position";
        for obeyed in [
            "-concurrency 1",
            "-force-concurrency",
            "-rounds 3",
            "-games 1",
            "-repeat",
            "-tournament gauntlet",
            "-seeds 1",
            "-variant standard",
            "-event A B",
            "-site C",
            "-ratinginterval 0",
            "-scoreinterval 3",
            "-recover",
            "-strict",
            "-output format=cutechess",
            "-report penta=false",
            "-startup-ms 500",
            "-ping-ms 500",
            "-testEnv",
            "-srand 3",
            "-maxmoves 9",
            "-draw score=3",
            "-resign score=3",
        ] {
            assert_eq!(remarks(obeyed).unwrap(), own, "{obeyed}");
        }
        for ignored in [
            "-autosaveinterval 3",
            "-config outname=x",
            "-use-affinity 1,2",
            "-crc32 pgn=true",
            "-show-latency",
            "-check-mate-pvs",
            "-ucinewgame-ms 5",
            "-wait 5",
        ] {
            let said = remarks(ignored).unwrap();
            assert!(said.starts_with(ignored.split(' ').next().unwrap()) && said.contains(" is ignored: "), "{said}");
        }
        for refused in [
            "-noswap",
            "-reverse",
            "-tb x",
            "-tbpieces 5",
            "-tbignore50",
            "-tbadjudicate BOTH",
            "-epdout file=x",
            "-config file=x",
            "-debug",
            "-seeds 2",
            "-sprt elo0=0 elo1=5 model=bayesian",
            "-output format=x",
            "-report x=1",
            "-log level=info",
            "-log file=/dev/null compress=true",
            "-recover 1",
            "-each",
            "-engine",
            "-openings",
            "-engine cmd=a tc=1 st=1",
            "-engine cmd=a option.UCI_Variant=x -engine cmd=b option.UCI_Variant=y",
        ] {
            assert!(remarks(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn arguments_are_cut_as_a_shell_cuts_them() {
        for (text, expected) in [
            ("", &[][..]),
            ("a  b", &["a", "b"]),
            ("--a 'b c' d", &["--a", "b c", "d"]),
            ("\"b c\"d e'f g'", &["b cd", "ef g"]),
            (r#"C:\path\x "C:\with blank\y""#, &[r"C:\path\x", r"C:\with blank\y"]),
            (r#"a\ b \"c \'d"#, &["a b", "\"c", "'d"]),
            (r#""a \"b\" c" '\'"#, &[r#"a "b" c"#, "\\"]),
            ("'' x \"open to the end", &["", "x", "open to the end"]),
        ] {
            assert_eq!(arguments(text), expected, "{text}");
        }
    }

    #[test]
    fn a_program_called_fastchess_needs_no_first_word() {
        let named = |words: &[&str]| by_name(words.iter().map(Into::into));
        assert_eq!(named(&["./fastchess-ob", "-version"]), ["./fastchess-ob", "fastchess", "-version"]);
        assert_eq!(named(&["hippolyta", "go"]), ["hippolyta", "go"]);
    }
}
