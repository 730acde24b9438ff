//! How engines and their limits are described: `key=value` words, with the habits of cutechess-cli.

use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::Duration;
use thiserror::Error;

/// A match that cannot be played as it is described.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct MatchError(pub(super) String);

impl MatchError {
    /// A word has a value that does not fit its key.
    pub(super) fn bad_value(word: &str, expected: &str) -> Self {
        Self(format!("'{word}': {expected} is expected"))
    }
}

/// Splits `key=value`.
///
/// # Errors
///
/// If there is no `=`.
pub fn key_value(word: &str) -> Result<(&str, &str), MatchError> {
    word.split_once('=').ok_or_else(|| MatchError(format!("'{word}': expected key=value")))
}

/// A number from a `key=value` word.
///
/// # Errors
///
/// If `value` is not a number of this kind.
pub fn number<N: std::str::FromStr>(word: &str, value: &str, expected: &'static str) -> Result<N, MatchError> {
    value.parse().map_err(|_| MatchError::bad_value(word, expected))
}

/// Which protocol to speak with an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proto {
    /// UCI if it answers `uci`, else UGI.
    #[default]
    Auto,
    /// UCI.
    Uci,
    /// UGI.
    Ugi,
}

/// A game clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Time at the start, and again after every `moves`.
    pub time: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to the next `time`; none: it is for the whole game.
    pub moves: Option<u32>,
}

/// Time, nodes and depth that an engine may use for a move. All that is given is told to the engine; clock and time for
/// a move are enforced.
///
/// It is the referee's side of a match, kept in its records for a whole tournament: a clock as it is set before a game,
/// and how far it may be overstepped. [`engine::Limits`](hippolyta::engine::Limits) are those of one search; from this an
/// engine, in whatever process, gets them as the words of a `go` line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowance {
    /// `tc=`: a clock.
    pub clock: Option<TimeControl>,
    /// `st=`: time for each move.
    pub move_time: Option<Duration>,
    /// `nodes=`.
    pub nodes: Option<u64>,
    /// `depth=`.
    pub depth: Option<u32>,
    /// `timemargin=`: how much later than allowed a move may come.
    pub margin: Option<Duration>,
}

/// How much later than allowed a move may come, if nothing is said.
pub const DEFAULT_MARGIN: Duration = Duration::from_millis(20);

impl Allowance {
    /// The clock or the time for a move as PGN's tag `TimeControl`, `-` if there is neither.
    pub fn pgn(&self) -> String {
        match (self.move_time, self.clock) {
            (Some(time), _) => format!("{}/move", time.as_secs_f64()),
            (None, Some(TimeControl { time, increment, moves })) => {
                let moves = moves.map_or_else(String::new, |moves| format!("{moves}/"));
                let increment =
                    if increment.is_zero() { String::new() } else { format!("+{}", increment.as_secs_f64()) };
                format!("{moves}{}{increment}", time.as_secs_f64())
            }
            (None, None) => "-".to_owned(),
        }
    }

    /// How much later than allowed a move may come.
    pub fn margin(&self) -> Duration {
        self.margin.unwrap_or(DEFAULT_MARGIN)
    }

    fn is_empty(&self) -> bool {
        self.clock.is_none() && self.move_time.is_none() && self.nodes.is_none() && self.depth.is_none()
    }
}

/// An engine that plays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Its name in the results.
    pub name: String,
    /// The program, or `self` for this one, within the process.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its working directory.
    pub directory: Option<String>,
    /// How to speak with it.
    pub proto: Proto,
    /// Options to set, names as given.
    pub options: Vec<(String, String)>,
    /// Time, nodes and depth that it may use.
    pub allowance: Allowance,
    /// Whether it thinks on while its opponent does.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// Whether it is started anew for each game, not only after a fault.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restart: bool,
}

const KNOWN: &str = "cmd, name, proto, arg, dir, option.NAME, tc, st, nodes, depth, timemargin, ponder and restart";

impl EngineSpec {
    /// Reads the words of one engine after those for `each`.
    ///
    /// ```
    /// use hippolyta_lab::arena::EngineSpec;
    /// let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    /// let engine = EngineSpec::parse(&words("tc=40/60+0.5 option.Hash=64"), &words("cmd=./gamazons name=g proto=uci"))?;
    /// assert_eq!((engine.name.as_str(), engine.allowance.clock.unwrap().moves), ("g", Some(40)));
    /// assert!(EngineSpec::parse(&[], &words("cmd=./gamazons sit=3")).is_err());
    /// # Ok::<(), hippolyta_lab::arena::MatchError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// For the first word that is unknown or has a bad value, and if something needed is missing.
    pub fn parse(each: &[String], own: &[String]) -> Result<Self, MatchError> {
        let mut engine = Self::default();
        for word in each.iter().chain(own) {
            engine.read(word)?;
        }
        if engine.command.is_empty() {
            return Err(MatchError(format!("engine '{}' has no cmd=…", own.join(" "))));
        }
        if engine.name.is_empty() {
            let file = std::path::Path::new(&engine.command).file_name();
            engine.name = file.map_or_else(|| engine.command.clone(), |name| name.to_string_lossy().into_owned());
        }
        if engine.allowance.is_empty() {
            return Err(MatchError(format!(
                "engine '{}' has no limit: give tc=, st=, nodes= or depth= to it or to each",
                engine.name
            )));
        }
        Ok(engine)
    }

    /// Whether one word for itself is understood, whatever the others say.
    pub(super) fn check(word: &str) -> Result<(), MatchError> {
        Self::default().read(word)
    }

    /// Words that describe this engine.
    pub fn words(&self) -> Vec<String> {
        let proto = match self.proto {
            Proto::Auto => "auto",
            Proto::Uci => "uci",
            Proto::Ugi => "ugi",
        };
        let mut words = vec![format!("cmd={}", self.command), format!("name={}", self.name), format!("proto={proto}")];
        words.extend(self.arguments.iter().map(|argument| format!("arg={argument}")));
        words.extend(self.directory.iter().map(|directory| format!("dir={directory}")));
        words.extend(self.options.iter().map(|(name, value)| format!("option.{name}={value}")));
        let Allowance { clock, move_time, nodes, depth, margin } = self.allowance;
        words.extend(clock.map(|TimeControl { time, increment, moves }| {
            let moves = moves.map_or_else(String::new, |moves| format!("{moves}/"));
            format!("tc={moves}{}+{}", time.as_secs_f64(), increment.as_secs_f64())
        }));
        words.extend(move_time.map(|time| format!("st={}", time.as_secs_f64())));
        words.extend(nodes.map(|nodes| format!("nodes={nodes}")));
        words.extend(depth.map(|depth| format!("depth={depth}")));
        words.extend(margin.map(|margin| format!("timemargin={}", margin.as_millis())));
        words.extend(self.ponder.then(|| "ponder=true".to_owned()));
        words.extend(self.restart.then(|| "restart=on".to_owned()));
        words
    }

    /// Its option `Threads`, where it is given: 1 if not.
    fn threads(&self) -> u16 {
        let mut options = self.options.iter();
        let given = options.find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
        given.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
    }

    /// The cores that a game of two engines keeps busy. They think in turn, unless one ponders.
    pub fn cores([white, black]: [&Self; 2]) -> u16 {
        let [own, other] = [white, black].map(Self::threads);
        if white.ponder || black.ponder { own.saturating_add(other) } else { own.max(other) }
    }

    /// The engine for a process that works in another folder than `here`: a program that is named by its way from
    /// there, as `./engine`, is named by its whole path.
    pub fn from(&self, here: &Path) -> Self {
        let command = Path::new(&self.command);
        let by_way = command.components().count() > 1 && command.is_relative();
        let directory = self.directory.as_ref().map(|directory| here.join(directory).to_string_lossy().into_owned());
        let command = if by_way { here.join(command).to_string_lossy().into_owned() } else { self.command.clone() };
        Self { command, directory, ..self.clone() }
    }

    fn read(&mut self, word: &str) -> Result<(), MatchError> {
        let (key, value) = key_value(word)?;
        let bad = |expected| MatchError::bad_value(word, expected);
        let allowance = &mut self.allowance;
        match key {
            "cmd" => value.clone_into(&mut self.command),
            "name" => value.clone_into(&mut self.name),
            "dir" => self.directory = Some(value.to_owned()),
            "arg" => self.arguments.push(value.to_owned()),
            "proto" => {
                self.proto = match value {
                    "auto" => Proto::Auto,
                    "uci" => Proto::Uci,
                    "ugi" => Proto::Ugi,
                    _ => return Err(bad("auto, uci or ugi")),
                }
            }
            "ponder" => self.ponder = value.parse().map_err(|_| bad("true or false"))?,
            "restart" => {
                self.restart = match value {
                    "on" | "true" => true,
                    "off" | "false" => false,
                    _ => return Err(bad("on or off")),
                }
            }
            "tc" if value == "inf" => allowance.clock = None,
            "tc" => {
                allowance.clock =
                    Some(clock(value).ok_or_else(|| bad("[MOVES/]TIME[+INCREMENT] in seconds, such as 10+0.1,"))?)
            }
            "st" => {
                allowance.move_time =
                    Some(positive(seconds(value)).ok_or_else(|| bad("a time in seconds, such as 0.5 or 500ms,"))?)
            }
            "nodes" => {
                allowance.nodes = Some(value.parse().ok().filter(|&n| n > 0).ok_or_else(|| bad("a number from 1 up"))?)
            }
            "depth" => {
                allowance.depth = Some(value.parse().ok().filter(|&n| n > 0).ok_or_else(|| bad("a number from 1 up"))?)
            }
            "timemargin" => {
                let value = value.strip_suffix("ms").unwrap_or(value);
                let margin = value.parse().map_err(|_| bad("a number of milliseconds, such as 20,"))?;
                allowance.margin = Some(Duration::from_millis(margin));
            }
            _ => match key.strip_prefix("option.") {
                Some(name) if !name.is_empty() => {
                    self.options.retain(|(known, _)| !known.eq_ignore_ascii_case(name));
                    self.options.push((name.to_owned(), value.to_owned()));
                }
                _ => return Err(MatchError(format!("'{word}': unknown key; known are {KNOWN}"))),
            },
        }
        Ok(())
    }
}

fn positive(time: Option<Duration>) -> Option<Duration> {
    time.filter(|time| !time.is_zero())
}

/// `40/60+0.5`, `10+0.1`, `1:30`.
fn clock(text: &str) -> Option<TimeControl> {
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.parse().ok().filter(|&moves| moves > 0)?), rest),
        None => (None, text),
    };
    let (time, increment) = match rest.split_once('+') {
        Some((time, increment)) => (time, seconds(increment)?),
        None => (rest, Duration::ZERO),
    };
    let time = match time.split_once(':') {
        Some((minutes, rest)) => {
            Duration::from_secs(minutes.parse::<u32>().ok()?.checked_mul(60)?.into()) + seconds(rest)?
        }
        None => seconds(time)?,
    };
    positive(Some(time)).map(|time| TimeControl { time, increment, moves })
}

/// `0.5`, `0.5s`, `500ms`.
fn seconds(text: &str) -> Option<Duration> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1e-3),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds: f64 = number.parse::<f64>().ok()? * unit;
    let sensible = seconds.is_finite() && (0.0..=1e7).contains(&seconds);
    sensible.then(|| Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn clocks_are_read_as_cutechess_writes_them() {
        let ms = Duration::from_millis;
        let control = |time, increment, moves| Some(TimeControl { time: ms(time), increment: ms(increment), moves });
        assert_eq!(clock("10+0.1"), control(10_000, 100, None));
        assert_eq!(clock("40/1:30.5"), control(90_500, 0, Some(40)));
        assert_eq!(clock("0.2+0.01"), control(200, 10, None));
        assert_eq!(clock("2s+50ms"), control(2_000, 50, None));
        for bad in ["", "0", "x", "5+", "0/5", "-1", "1e300", "nan", "1:2:3"] {
            assert_eq!(clock(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_engines_own_words_come_after_those_for_each() {
        let each = words("st=1 option.Hash=64 option.Threads=1");
        let engine =
            EngineSpec::parse(&each, &words("cmd=dir/a arg=-x arg=y=z option.hash=8 st=0.5 nodes=10")).unwrap();
        assert_eq!((engine.name.as_str(), engine.arguments.as_slice()), ("a", &words("-x y=z")[..]));
        assert_eq!(engine.options, [("Threads".into(), "1".into()), ("hash".into(), "8".into())]);
        assert_eq!(engine.allowance.move_time, Some(Duration::from_millis(500)));
    }

    #[test]
    fn an_engine_is_told_by_its_words() {
        for text in [
            "cmd=dir/a proto=ugi arg=-x arg=y=z dir=d option.Hash=8 tc=40/90.5+0.1 nodes=10 timemargin=0",
            "cmd=self st=0.2 depth=3 ponder=true restart=on",
        ] {
            let engine = EngineSpec::parse(&[], &words(text)).unwrap();
            assert_eq!(EngineSpec::parse(&[], &engine.words()).as_ref(), Ok(&engine));
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text| EngineSpec::parse(&[], &words(text)).unwrap_err().to_string();
        assert_eq!(error("cmd"), "'cmd': expected key=value");
        assert_eq!(
            error("cmd=a tc=soon"),
            "'tc=soon': [MOVES/]TIME[+INCREMENT] in seconds, such as 10+0.1, is expected"
        );
        assert_eq!(error("cmd=a ponder=yes"), "'ponder=yes': true or false is expected");
        assert_eq!(error("cmd=a nodes=0"), "'nodes=0': a number from 1 up is expected");
        assert_eq!(error("name=a st=1"), "engine 'name=a st=1' has no cmd=…");
        assert_eq!(error("cmd=a"), "engine 'a' has no limit: give tc=, st=, nodes= or depth= to it or to each");
        assert!(error("cmd=a clock=1").starts_with("'clock=1': unknown key; known are cmd, name,"));
    }
}
