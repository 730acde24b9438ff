//! The other end of our protocol: an engine that is told what to do, as a child process or within this one.

use super::process::{GLANCE, Line, Lost, MOST_WAITING, Process, receive};
use super::spec::{Allowance, EngineSpec, Proto};
use hippolyta::engine::Model;
use hippolyta::games::Side;
use hippolyta::games::variant::Variant;
use hippolyta_protocol::{Dialect, Output, Session};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Why an engine could not be started.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StartError {
    /// It does not greet, or is not ready then.
    #[error("'{command}' was sent '{word}' ({proto}): {lost}{}", within_time(*.lost, *.waited))]
    Greeting {
        /// The program.
        command: String,
        /// The protocol.
        proto: &'static str,
        /// The word that it was sent.
        word: &'static str,
        /// The fault that came in place of an answer.
        lost: Lost,
        /// For how long an answer was waited for.
        waited: Duration,
    },
    /// It refuses an option: the match would not compare what was intended.
    #[error("{0}")]
    Refused(String),
}

/// ` within 10 s`, if it was waited for.
fn within_time(lost: Lost, waited: Duration) -> String {
    if lost == Lost::Silent { format!(" within {} s", waited.as_secs_f64()) } else { String::new() }
}

/// How an engine is waited for.
pub struct Manners<'a> {
    /// How long its greeting may take.
    pub greeting: Duration,
    /// How long each answer after that may take.
    pub patience: Duration,
    /// Ends all waiting once it is set.
    pub stop: &'a Arc<AtomicBool>,
    /// Told what is waited for, once that takes longer than a few seconds.
    pub waiting: &'a dyn Fn(&str),
    /// Models of engines within this process, by the engines' names.
    pub models: &'a BTreeMap<String, Model>,
}

/// After this time, or half of what an answer may take, it is said what is waited for.
const SAID_AFTER: Duration = Duration::from_secs(3);

/// An engine's last word on a position, from its own point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineScore {
    /// Hundredths of the engine's unit, usually a pawn.
    Cp(i32),
    /// Proven; in the engine's own unit, negative if it loses.
    Mate(i32),
}

impl EngineScore {
    /// On one scale; a proven result is beyond all others.
    pub fn centipawns(self) -> i32 {
        match self {
            Self::Cp(value) => value,
            Self::Mate(moves) if moves > 0 => 100_000,
            Self::Mate(_) => -100_000,
        }
    }
}

/// The least time that an engine whose protocol is not said has to greet in each.
const GUESS: Duration = Duration::from_secs(5);

/// Values that an engine reported during a search; a field is `None` if it said nothing about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchInfo {
    /// Score of its best line.
    pub score: Option<EngineScore>,
    /// Depth, by its own count.
    pub depth: Option<u32>,
    /// The longest line it looked at, by its own count.
    pub seldepth: Option<u32>,
    /// Nodes, by its own count.
    pub nodes: Option<u64>,
}

impl SearchInfo {
    /// Takes what an `info` line says. With `MultiPV`, only the first line counts.
    pub fn read(&mut self, line: &str) {
        let words: Vec<_> =
            line.split_ascii_whitespace().take_while(|word| *word != "pv" && *word != "string").collect();
        let after = |key: &str| words.iter().position(|word| *word == key).and_then(|at| words.get(at + 1)).copied();
        if words.first() != Some(&"info") || after("multipv").is_some_and(|line| line != "1") {
            return;
        }
        self.depth = after("depth").and_then(|word| word.parse().ok()).or(self.depth);
        self.seldepth = after("seldepth").and_then(|word| word.parse().ok()).or(self.seldepth);
        self.nodes = after("nodes").and_then(|word| word.parse().ok()).or(self.nodes);
        let value = |key| after(key).and_then(|word| word.parse().ok());
        if after("score").is_some() {
            self.score =
                value("cp").map(EngineScore::Cp).or_else(|| value("mate").map(EngineScore::Mate)).or(self.score);
        }
    }
}

/// An engine's decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Its turn, as it wrote it; empty if it named none.
    pub turn: String,
    /// The reply that it expects, on which it would ponder.
    pub reply: Option<String>,
}

impl Answer {
    /// Reads a `bestmove` line.
    fn read(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("bestmove") {
            return None;
        }
        let turn = words.next().unwrap_or_default().to_owned();
        let reply = words.next().filter(|&word| word == "ponder").and_then(|_| words.next());
        Some(Self { turn, reply: reply.map(str::to_owned) })
    }
}

/// The outcome of a search: the values that it reported, how long it took, and its decision.
pub type Thinking = (SearchInfo, Duration, Result<Answer, Lost>);

/// A search on the opponent's time.
#[derive(Default)]
struct Pondering {
    info: SearchInfo,
    /// An engine should wait with it.
    answer: Option<Answer>,
}

/// The option for what an engine draws by lot.
const SEED: &str = "Seed";

/// Options that an engine may declare; more are ignored.
const MOST_OPTIONS: usize = 500;

enum Link {
    /// None once it is ended.
    Process(Option<Process>),
    Within(Box<Session>),
}

/// Hands whole lines on; what [`Session`] writes to.
struct LineWriter {
    /// Unbounded, as the session itself must not block, and says little.
    lines: Sender<Line>,
    begun: Vec<u8>,
}

impl Write for LineWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8_lossy(&self.begun).into_owned();
                self.begun.clear();
                // The receiver is gone: the match is over.
                let _ = self.lines.send((Instant::now(), line));
            } else {
                self.begun.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An engine in conversation.
pub struct Client {
    link: Link,
    lines: Receiver<Line>,
    dialect: Dialect,
    /// Names of its options in its own spelling, and the declarations.
    declared: Vec<(String, String)>,
    pondering: Option<Pondering>,
    patience: Duration,
    /// Ends all waiting.
    stop: Arc<AtomicBool>,
    /// Somebody has said with which seed it is to play.
    has_seed: bool,
    /// Faults of the options that it was given: those that it does not declare, and values out of their range. They
    /// were set all the same.
    pub doubts: Vec<String>,
}

impl Client {
    /// Starts an engine and makes it ready to play `variant`. Where its protocol is not said, UCI is tried first, then
    /// UGI.
    ///
    /// # Errors
    ///
    /// If the program does not run, does not greet, does not offer the variant, or is the built-in engine with an
    /// unknown argument.
    pub fn start(spec: &EngineSpec, variant: &Variant, manners: &Manners<'_>) -> Result<Self, StartError> {
        // Two protocols are tried in the time of one, if there is enough of it.
        let greeting = match spec.proto {
            Proto::Auto => manners.greeting.min(GUESS.max(manners.greeting / 2)),
            _ => manners.greeting,
        };
        let greeted = |dialect| Self::greeted(spec, dialect, manners, greeting);
        let mut client = match spec.proto {
            Proto::Uci => greeted(Dialect::Uci)?,
            Proto::Ugi => greeted(Dialect::Ugi)?,
            Proto::Auto => match greeted(Dialect::Uci) {
                Err(StartError::Greeting { .. }) => greeted(Dialect::Ugi).map_err(|error| match error {
                    StartError::Greeting { command, lost, waited, .. } => {
                        let within = within_time(lost, waited);
                        StartError::Refused(format!("'{command}' speaks neither UCI nor UGI: {lost}{within}"))
                    }
                    other => other,
                })?,
                other => other?,
            },
        };
        client.choose(spec, variant, manners)?;
        for (name, value) in &spec.options {
            let declared = client.option(name);
            client.doubts.extend(doubt(name, value, declared.as_ref().map(|(_, declaration)| declaration.as_str())));
            match declared {
                Some((spelled, declaration)) if Declared::parse(&declaration).kind == "button" => client.set(&spelled),
                Some((spelled, _)) => client.set(&format!("{spelled} value {value}")),
                None => client.set(&format!("{name} value {value}")),
            }
        }
        if spec.ponder {
            if client.dialect == Dialect::Ugi {
                client.doubts.push("ponder=true: it speaks UGI, where no reply is named to ponder on".to_owned());
            } else if let Some((name, _)) = client.option("Ponder") {
                client.set(&format!("{name} value true"));
            }
        }
        match client.settle_saying(manners.waiting) {
            Ok(None) => Ok(client),
            Ok(Some(said)) => Err(StartError::Refused(said)),
            Err(lost) => Err(client.not_ready(spec, lost)),
        }
    }

    /// Lets the engine take the rule set. One that is not built in is told to the engine within, which reads its rules;
    /// other engines know it from a file that their option `VariantPath` names.
    fn choose(&mut self, spec: &EngineSpec, variant: &Variant, manners: &Manners<'_>) -> Result<(), StartError> {
        let Some((name, declaration)) = self.option("UCI_Variant") else { return Ok(()) };
        if variant.own().is_some() && spec.command == "self" {
            self.set(&format!("{name} value {}", variant.text()));
            return Ok(());
        }
        let path = spec.options.iter().find(|(option, _)| option.eq_ignore_ascii_case("VariantPath"));
        let mut is_told = false;
        if let (Some((_, path)), Some((option, _))) = (path, self.option("VariantPath")) {
            self.set(&format!("{option} value {path}"));
            let said = self.settle_saying(manners.waiting).map_err(|lost| self.not_ready(spec, lost))?;
            if let Some(said) = said {
                return Err(StartError::Refused(said));
            }
            // Not every engine says what it offers now.
            is_told = self.option("UCI_Variant").is_some_and(|(_, known)| known == declaration);
        }
        let (name, declaration) = self.option("UCI_Variant").unwrap_or((name, declaration));
        let words: Vec<_> = declaration.split_ascii_whitespace().collect();
        if words.contains(&"var") && !words.contains(&variant.name()) && !is_told {
            let is_own = variant.own().is_some() && path.is_none();
            let how = if is_own { ": option.VariantPath=FILE tells it the rules" } else { "" };
            let text = format!("'{}' does not offer the variant {}{how}", spec.name, variant.name());
            return Err(StartError::Refused(text));
        }
        self.set(&format!("{name} value {}", variant.name()));
        Ok(())
    }

    /// It did not answer `isready`.
    fn not_ready(&self, spec: &EngineSpec, lost: Lost) -> StartError {
        let (command, proto) = (spec.command.clone(), self.dialect.name());
        StartError::Greeting { command, proto, word: "isready", lost, waited: self.patience }
    }

    /// Starts an engine and waits for its greeting.
    fn greeted(
        spec: &EngineSpec,
        dialect: Dialect,
        manners: &Manners<'_>,
        greeting: Duration,
    ) -> Result<Self, StartError> {
        let &Manners { patience, stop, waiting, models, .. } = manners;
        let (link, lines) = if spec.command == "self" { within(spec, models)? } else { process(spec)? };
        let (declared, doubts, stop) = (Vec::new(), Vec::new(), stop.clone());
        let has_seed = spec.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(SEED));
        let mut client = Self { link, lines, dialect, declared, pondering: None, patience, stop, has_seed, doubts };
        let (word, answer) = if dialect == Dialect::Uci { ("uci", "uciok") } else { ("ugi", "ugiok") };
        let deadline = Instant::now() + greeting;
        let failed = |lost| {
            let (command, proto) = (spec.command.clone(), dialect.name());
            StartError::Greeting { command, proto, word, lost, waited: greeting }
        };
        client.send(word, deadline).map_err(failed)?;
        let mut unsaid = Some(format!("'{word}' was sent, '{answer}' is waited for, {} s", greeting.as_secs_f64()));
        loop {
            let line = client.line_saying(deadline, &mut unsaid, waiting).map_err(failed)?;
            if line.trim() == answer {
                return Ok(client);
            }
            client.declare(line.trim());
        }
    }

    /// The next line before `deadline`. What is waited for is said once, if that takes long.
    fn line_saying(
        &self,
        deadline: Instant,
        unsaid: &mut Option<String>,
        waiting: &dyn Fn(&str),
    ) -> Result<String, Lost> {
        if unsaid.is_some() {
            let now = Instant::now();
            let soon = now + SAID_AFTER.min(deadline.saturating_duration_since(now) / 2);
            match self.line(soon.min(deadline)) {
                Err(Lost::Silent) if soon < deadline => unsaid.take().iter().for_each(|what| waiting(what)),
                found => return found.map(|(_, line)| line),
            }
        }
        self.line(deadline).map(|(_, line)| line)
    }

    /// The value in force for a numeric option: that of `spec`, else its default. `None` if the engine has no such
    /// option.
    pub fn in_force(&self, spec: &EngineSpec, name: &str) -> Option<u64> {
        let (_, declaration) = self.option(name)?;
        let set =
            spec.options.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str());
        set.or(Declared::parse(&declaration).default.as_deref())?.parse().ok()
    }

    /// Notes an option, if the line declares one. One that comes again has changed.
    fn declare(&mut self, line: &str) {
        let line = spaced(line);
        let Some(rest) = line.strip_prefix("option name ") else { return };
        let name = rest.split(" type ").next().unwrap_or(rest);
        let has_room = self.declared.len() < MOST_OPTIONS;
        match self.declared.iter_mut().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
            Some((_, declaration)) => rest.clone_into(declaration),
            None if has_room => self.declared.push((name.to_owned(), rest.to_owned())),
            None => {}
        }
    }

    fn option(&self, name: &str) -> Option<(String, String)> {
        self.declared.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).cloned()
    }

    /// Sends a line to the engine, and returns when.
    fn send(&mut self, line: &str, deadline: Instant) -> Result<Instant, Lost> {
        match &mut self.link {
            Link::Process(process) => process.as_mut().ok_or(Lost::Ended)?.send(line, deadline, &self.stop),
            Link::Within(session) => {
                let begun = Instant::now();
                session.obey(line);
                Ok(begun)
            }
        }
    }

    /// Sets an option. If the engine is gone, the next wait for an answer says so.
    fn set(&mut self, words: &str) {
        let _ = self.send(&format!("setoption name {words}"), Instant::now() + self.patience);
    }

    /// The next line that came before `deadline`, even if it is read later. An engine that never stops talking does not
    /// postpone the deadline.
    fn line(&self, deadline: Instant) -> Result<Line, Lost> {
        receive(&self.lines, deadline, &self.stop)
            .and_then(|line| if line.0 <= deadline { Ok(line) } else { Err(Lost::Silent) })
    }

    /// Waits until the engine has obeyed all commands. Returns the first error that it reports meanwhile.
    fn settle(&mut self) -> Result<Option<String>, Lost> {
        self.settle_saying(&|_| {})
    }

    /// As [`settle`](Self::settle). After three seconds `waiting` is told what is waited for.
    fn settle_saying(&mut self, waiting: &dyn Fn(&str)) -> Result<Option<String>, Lost> {
        let deadline = Instant::now() + self.patience;
        self.send("isready", deadline)?;
        let seconds = self.patience.as_secs_f64();
        let mut unsaid = Some(format!("'isready' was sent, 'readyok' is waited for, {seconds} s"));
        let mut error = None;
        loop {
            let line = self.line_saying(deadline, &mut unsaid, waiting)?;
            if line.trim() == "readyok" {
                return Ok(error);
            }
            self.declare(line.trim());
            error = error.or_else(|| refusal(line.trim()));
        }
    }

    /// A new game begins. An engine with an option for it draws by lot from this seed, unless it was given one.
    ///
    /// # Errors
    ///
    /// If it has ended or is silent for too long.
    pub fn new_game(&mut self, seed: Option<u64>) -> Result<(), Lost> {
        self.end_pondering()?;
        if let (Some(seed), false, Some((name, declaration))) = (seed, self.has_seed, self.option(SEED)) {
            let Declared { kind, min, max, .. } = Declared::parse(&declaration);
            let (least, most) = (min.unwrap_or(0), max.unwrap_or(i64::from(i32::MAX)));
            if kind == "spin" && least < most {
                let value = i128::from(least) + i128::from(seed) % (i128::from(most) - i128::from(least) + 1);
                self.set(&format!("{name} value {value}"));
            }
        }
        let words = if self.dialect == Dialect::Uci { "ucinewgame" } else { "uginewgame" };
        self.send(words, Instant::now() + self.patience)?;
        self.settle().map(drop)
    }

    /// Lets the engine think on the position after `moves` from `start`. Waits until `deadline` after the start at most;
    /// `meanwhile` is called again and again. If the engine was pondering, it is stopped first.
    pub fn think(
        &mut self,
        position: &str,
        go: &str,
        deadline: Option<Duration>,
        meanwhile: &mut dyn FnMut(),
    ) -> Thinking {
        let ready = self.end_pondering().and_then(|()| self.settle());
        let ready = ready.and_then(|_| self.send(position, Instant::now() + self.patience));
        let limit = deadline.unwrap_or(self.patience);
        match ready.and_then(|_| self.send(go, Instant::now() + limit)) {
            Ok(start) => self.answer(SearchInfo::default(), start, start + limit, meanwhile),
            Err(lost) => (SearchInfo::default(), Duration::ZERO, Err(lost)),
        }
    }

    /// Lets the engine ponder: it thinks on `position`, which ends with the reply that it expects. `go` as for
    /// [`think`](Self::think). Returns at once.
    ///
    /// # Errors
    ///
    /// If it has ended or is silent for too long.
    pub fn ponder(&mut self, position: &str, go: &str) -> Result<(), Lost> {
        self.end_pondering()?;
        self.settle()?;
        self.send(position, Instant::now() + self.patience)?;
        self.send(&go.replacen("go", "go ponder", 1), Instant::now() + self.patience)?;
        self.pondering = Some(Pondering::default());
        Ok(())
    }

    /// The expected reply was played: what it pondered on is the position now, and its time begins. Otherwise like
    /// [`think`](Self::think).
    pub fn ponder_hit(&mut self, deadline: Option<Duration>, meanwhile: &mut dyn FnMut()) -> Thinking {
        self.catch_up();
        let Pondering { info, answer } = self.pondering.take().unwrap_or_default();
        let limit = deadline.unwrap_or(self.patience);
        match (answer, self.send("ponderhit", Instant::now() + limit)) {
            // It did not wait.
            (Some(answer), _) => (info, Duration::ZERO, Ok(answer)),
            (None, Ok(start)) => self.answer(info, start, start + limit, meanwhile),
            (None, Err(lost)) => (info, Duration::ZERO, Err(lost)),
        }
    }

    /// Reads what came while the engine ponders, so that it does not have to wait with what it says. Does not block.
    pub fn catch_up(&mut self) {
        let Some(pondering) = &mut self.pondering else { return };
        for (_, line) in self.lines.try_iter().take(2 * MOST_WAITING) {
            pondering.info.read(&line);
            pondering.answer = pondering.answer.take().or_else(|| Answer::read(&line));
        }
    }

    /// Stops a search on the opponent's time and waits until it has ended.
    fn end_pondering(&mut self) -> Result<(), Lost> {
        self.catch_up();
        let Some(Pondering { answer: None, .. }) = self.pondering.take() else { return Ok(()) };
        let deadline = Instant::now() + self.patience;
        self.send("stop", deadline)?;
        while Answer::read(&self.line(deadline)?.1).is_none() {}
        Ok(())
    }

    /// Waits for the decision of a search that began at `start`.
    fn answer(
        &mut self,
        mut info: SearchInfo,
        start: Instant,
        until: Instant,
        meanwhile: &mut dyn FnMut(),
    ) -> Thinking {
        loop {
            let glance = until.min(Instant::now() + GLANCE);
            match receive(&self.lines, glance, &self.stop) {
                Ok((when, line)) if when <= until => {
                    if let Some(answer) = Answer::read(&line) {
                        return (info, when.saturating_duration_since(start), Ok(answer));
                    }
                    info.read(&line);
                }
                Ok(_) => return (info, start.elapsed(), Err(Lost::Silent)),
                Err(Lost::Silent) if glance < until => {}
                Err(lost) => return (info, start.elapsed(), Err(lost)),
            }
            meanwhile();
        }
    }

    /// The `go` line for `side` with an allowance and both clocks (White's first), if there are any.
    pub fn go(
        &self,
        allowance: &Allowance,
        clocks: [Option<Duration>; 2],
        increments: [Duration; 2],
        moves_to_go: Option<u32>,
    ) -> String {
        let names = if self.dialect == Dialect::Uci { ["w", "b"] } else { ["p1", "p2"] };
        let mut go = "go".to_owned();
        for side in [Side::White, Side::Black].map(Side::index) {
            if let Some(time) = clocks[side] {
                let _ =
                    write!(go, " {0}time {1} {0}inc {2}", names[side], time.as_millis(), increments[side].as_millis());
            }
        }
        if let Some(moves) = moves_to_go {
            let _ = write!(go, " movestogo {moves}");
        }
        let Allowance { move_time, nodes, depth, .. } = *allowance;
        let limits = [
            ("movetime", move_time.map(|time| time.as_millis().max(1).to_string())),
            ("nodes", nodes.map(|nodes| nodes.to_string())),
            ("depth", depth.map(|depth| depth.to_string())),
        ];
        for (word, value) in limits {
            if let Some(value) = value {
                let _ = write!(go, " {word} {value}");
            }
        }
        go
    }
}

/// A line with one blank between its words: the protocols allow any number of blanks and tabs.
fn spaced(line: &str) -> String {
    line.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// The message of an engine that refuses to obey: in our words, and in Stockfish's.
fn refusal(line: &str) -> Option<String> {
    let line = &*spaced(line);
    match line.strip_prefix("info string ERROR: ") {
        Some(said) => Some(said.to_owned()),
        None => line.starts_with("No such option").then(|| line.to_owned()),
    }
}

/// The declaration of an option, after its name.
#[derive(Debug, Default, PartialEq, Eq)]
struct Declared {
    kind: String,
    default: Option<String>,
    min: Option<i64>,
    max: Option<i64>,
    /// The values of a `combo`.
    values: Vec<String>,
}

impl Declared {
    /// Reads `Hash type spin default 16 min 1 max 1024`. Names and values may have blanks.
    fn parse(declaration: &str) -> Self {
        let mut found = Self::default();
        let Some((_, rest)) = declaration.split_once(" type ") else { return found };
        let mut parts: Vec<(&str, Vec<&str>)> = Vec::new();
        for (index, word) in rest.split_ascii_whitespace().enumerate() {
            match parts.last_mut() {
                None => parts.push(("type", vec![word])),
                Some(_) if index > 0 && ["default", "min", "max", "var"].contains(&word) => {
                    parts.push((word, Vec::new()))
                }
                Some((_, words)) => words.push(word),
            }
        }
        for (key, words) in parts {
            let text = words.join(" ");
            match key {
                "type" => found.kind = text,
                "default" => found.default = Some(text),
                "min" => found.min = text.parse().ok(),
                "max" => found.max = text.parse().ok(),
                _ => found.values.push(text),
            }
        }
        found
    }
}

/// The fault of an option, going by its declaration.
fn doubt(name: &str, value: &str, declaration: Option<&str>) -> Option<String> {
    let Some(declaration) = declaration else { return Some(format!("option {name}: the engine has no such option")) };
    let declared = Declared::parse(declaration);
    let wrong = |expected: String| Some(format!("option {name}: '{value}': {expected}"));
    match declared.kind.as_str() {
        "spin" => {
            let (least, most) = (declared.min.unwrap_or(i64::MIN), declared.max.unwrap_or(i64::MAX));
            if value.trim().parse().is_ok_and(|number: i64| (least..=most).contains(&number)) {
                return None;
            }
            match (declared.min, declared.max) {
                (Some(min), Some(max)) => wrong(format!("the engine takes {min} to {max}")),
                (Some(min), None) => wrong(format!("the engine takes {min} or more")),
                (None, Some(max)) => wrong(format!("the engine takes {max} or less")),
                (None, None) => wrong("the engine takes a whole number".to_owned()),
            }
        }
        "check" if !["true", "false"].contains(&value) => wrong("the engine takes true or false".to_owned()),
        "combo" if !declared.values.iter().any(|known| known.eq_ignore_ascii_case(value)) => {
            wrong(format!("the engine takes one of {}", declared.values.join(", ")))
        }
        _ => None,
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        match &mut self.link {
            Link::Process(process) => {
                if let Some(process) = process.take() {
                    process.end(&self.lines);
                }
            }
            // Its search ends with the session.
            Link::Within(session) => _ = session.obey("stop"),
        }
    }
}

fn process(spec: &EngineSpec) -> Result<(Link, Receiver<Line>), StartError> {
    let failed = |error| StartError::Refused(format!("cannot start '{}': {error}", spec.command));
    let (process, lines) = Process::start(spec).map_err(failed)?;
    Ok((Link::Process(Some(process)), lines))
}

fn within(spec: &EngineSpec, models: &BTreeMap<String, Model>) -> Result<(Link, Receiver<Line>), StartError> {
    let mut model = models.get(&spec.name).cloned().unwrap_or_default();
    for argument in &spec.arguments {
        match argument.as_str() {
            "--playouts" => model = Model::Playouts,
            _ => {
                let only = "for the engine within: only --playouts is known";
                return Err(StartError::Refused(format!("unknown argument '{argument}' {only}")));
            }
        }
    }
    let (lines, receiver) = channel();
    let writer = LineWriter { lines, begun: Vec::new() };
    Ok((Link::Within(Box::new(Session::new(Output::new(writer), model))), receiver))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::games::variant::find;

    #[test]
    fn the_protocol_that_was_guessed_leaves_the_patience_as_it_is() {
        let text = str::to_owned;
        for proto in ["auto", "uci", "ugi"] {
            let spec = EngineSpec::parse(&[], &["cmd=self", "nodes=5", &format!("proto={proto}")].map(text)).unwrap();
            let minute = Duration::from_secs(60);
            let stop = Arc::default();
            let manners =
                Manners { greeting: minute, patience: minute, stop: &stop, waiting: &|_| {}, models: &BTreeMap::new() };
            let client = Client::start(&spec, &find("amazons").unwrap(), &manners).ok().unwrap();
            assert_eq!(client.patience, minute, "{proto}");
        }
    }

    #[test]
    fn decisions_are_read_with_the_reply_that_is_expected() {
        let read = |line: &str| Answer::read(line).map(|answer| (answer.turn, answer.reply));
        let text = str::to_owned;
        assert_eq!(read("bestmove a1a2,a2a1 ponder b1b2,b2b1"), Some((text("a1a2,a2a1"), Some(text("b1b2,b2b1")))));
        assert_eq!(read("bestmove a1a2,a2a1"), Some((text("a1a2,a2a1"), None)));
        assert_eq!(read("bestmove a1a2,a2a1 ponder"), Some((text("a1a2,a2a1"), None)));
        assert_eq!(read("bestmove"), Some((String::new(), None)));
        assert_eq!((read("bestmoove a1"), read("info string bestmove a1"), read("")), (None, None, None));
    }

    #[test]
    fn options_are_held_against_their_declarations() {
        let hash = Some("Hash type spin default 16 min 1 max 1024");
        assert_eq!(doubt("hash", "64", hash), None);
        for value in ["0", "1025", "many", ""] {
            let expected = format!("option hash: '{value}': the engine takes 1 to 1024");
            assert_eq!(doubt("hash", value, hash), Some(expected));
        }
        assert_eq!(doubt("Hush", "64", None).unwrap(), "option Hush: the engine has no such option");
        let style = "Play Style type combo default Normal var Solid var Very Risky var Normal";
        let declared = Declared::parse(style);
        assert_eq!(
            (declared.default.as_deref(), &declared.values[..]),
            (Some("Normal"), &["Solid", "Very Risky", "Normal"].map(str::to_owned)[..])
        );
        assert_eq!(doubt("x", "very risky", Some(style)), None);
        assert_eq!(
            doubt("Play Style", "Wild", Some(style)).unwrap(),
            "option Play Style: 'Wild': the engine takes one of Solid, Very Risky, Normal"
        );
        let check = Some("OwnBook type check default false");
        assert_eq!((doubt("OwnBook", "true", check), doubt("OwnBook", "on", check).is_some()), (None, true));
        assert_eq!(doubt("Log", "anything", Some("Log type string default <empty>")), None);
        assert_eq!(doubt("Clear Hash", "", Some("Clear Hash type button")), None);
        assert!(refusal("No such option: Hash").is_some() && refusal("info string ERROR: no").is_some());
        assert_eq!(refusal("info string all is well"), None);
        assert_eq!(refusal("info  string\tERROR:   no").as_deref(), Some("no"));
    }

    #[test]
    fn words_may_have_any_number_of_blanks_and_tabs_between_them() {
        let spec = EngineSpec::parse(&[], &["cmd=self", "nodes=5"].map(str::to_owned)).unwrap();
        let (stop, minute) = (Arc::default(), Duration::from_secs(60));
        let manners =
            Manners { greeting: minute, patience: minute, stop: &stop, waiting: &|_| {}, models: &BTreeMap::new() };
        let mut client = Client::start(&spec, &find("amazons").unwrap(), &manners).ok().unwrap();
        client.declare("option  name\tPlay   Style  type\tcombo  default  Very   Risky  var Very  Risky\tvar Solid ");
        let (name, declaration) = client.option("play style").unwrap();
        assert_eq!((name.as_str(), doubt("Play Style", "Very Risky", Some(&declaration))), ("Play Style", None));
        let mut info = SearchInfo::default();
        info.read("  info\tdepth  4   score\tcp   -31 ");
        assert_eq!((info.depth, info.score), (Some(4), Some(EngineScore::Cp(-31))));
        let answer = Answer::read("\tbestmove   a1a2,a2a1\t ponder  b1b2,b2b1 ").unwrap();
        assert_eq!((&*answer.turn, answer.reply.as_deref()), ("a1a2,a2a1", Some("b1b2,b2b1")));
    }

    #[test]
    fn info_lines_are_read_in_any_order_of_fields() {
        let mut info = SearchInfo::default();
        for line in [
            "info depth 4 seldepth 9 multipv 1 score cp -31 nodes 100 nps 5 pv score cp 99",
            "info depth 5 multipv 2 score cp 700",
            "info string score cp 5",
            "info nodes 200",
        ] {
            info.read(line);
        }
        assert_eq!(
            info,
            SearchInfo { score: Some(EngineScore::Cp(-31)), depth: Some(4), seldepth: Some(9), nodes: Some(200) }
        );
        info.read("info score mate -3 depth 7");
        assert_eq!((info.score.map(EngineScore::centipawns), info.depth), (Some(-100_000), Some(7)));
    }
}
