//! The options of a match, in words as on the command line.

use super::game::{Adjudication, Certain, DrawRule, Resign};
use super::opening::Opening;
use super::schedule::{Format, Schedule};
use super::setup::{MatchError, MatchSetup, Occasion, about, refused};
use super::spec::{EngineSpec, SpecError, key_value, number};
use super::statistics::{FAR, Model, Sprt};
use super::{openings, suite};
use hippolyta::engine::Counter;
use hippolyta::games::variant::{self, Variant};
use hippolyta_protocol::records::{self, Reader};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The options of a match. Lists of strings are `key=value` words, as the command line takes them.
///
/// ```
/// use hippolyta_lab::arena::MatchOptions;
///
/// let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// let engines = vec![words("cmd=self name=a"), words("cmd=self name=b")];
/// let options = MatchOptions { engines, each: words("nodes=10"), book_plies: 0, ..MatchOptions::default() };
/// assert_eq!(options.setup(Default::default())?.schedule.len(), 2);
/// # Ok::<(), hippolyta_lab::arena::MatchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MatchOptions {
    /// The words of each engine: see [`EngineSpec::parse`].
    pub engines: Vec<Vec<String>>,
    /// Words for every engine; an engine's own come after them.
    pub each: Vec<String>,
    /// Rule set.
    pub variant: Variant,
    /// Games of each pairing in a round.
    pub games: u64,
    /// How often all pairings are gone through, or the rounds of a Swiss tournament; `None`: as many as are usual.
    pub rounds: Option<u64>,
    /// Whether each opening is played twice, with colours swapped.
    pub repeat: bool,
    /// Games at a time.
    pub concurrency: u16,
    /// `file=`, `format=`, `order=`, `start=`, `plies=`; empty for random openings.
    pub openings: Vec<String>,
    /// Number of moves of random balanced openings.
    pub book_plies: u32,
    /// For random openings and their order.
    pub seed: u64,
    /// `elo0=`, `elo1=`, `alpha=`, `beta=`, `model=`; empty for no test.
    pub sprt: Vec<String>,
    /// `movecount=`, `score=`, `twosided=`; empty: engines do not resign.
    pub resign: Vec<String>,
    /// `movenumber=`, `movecount=`, `score=`; empty: no draws by score.
    pub draw: Vec<String>,
    /// A game is drawn after this number of moves of both sides.
    pub max_moves: Option<u32>,
    /// A game ends as soon as this is certain.
    pub certain: Option<Certain>,
    /// Which pairings there are.
    pub format: Format,
    /// Whether the match goes on after a crash.
    pub recover: bool,
    /// Seconds for which an engine may owe an answer where no clock runs.
    pub patience: u64,
    /// For how long an engine may owe its greeting.
    pub greeting: Duration,
    /// Whether statistics are of single games, even where openings are played twice.
    pub singles: bool,
    /// Title, event, site and date of the match, for the records.
    pub occasion: Occasion,
}

impl Default for MatchOptions {
    /// The defaults of the command line; without engines.
    fn default() -> Self {
        Self {
            engines: Vec::new(),
            each: Vec::new(),
            variant: variant::DEFAULT.clone(),
            games: 2,
            rounds: None,
            repeat: true,
            concurrency: 1,
            openings: Vec::new(),
            book_plies: 4,
            seed: 0,
            sprt: Vec::new(),
            resign: Vec::new(),
            draw: Vec::new(),
            max_moves: None,
            certain: None,
            format: Format::RoundRobin,
            recover: true,
            patience: 60,
            greeting: Duration::from_secs(10),
            singles: false,
            occasion: Occasion::default(),
        }
    }
}

impl MatchOptions {
    /// The setup; `stop` ends the match, and also this. Reads the file of openings, or makes random ones, which takes a
    /// search for each.
    ///
    /// # Errors
    ///
    /// For the first option that cannot be understood, and if it was stopped.
    pub fn setup(&self, stop: Arc<AtomicBool>) -> Result<MatchSetup, MatchError> {
        let specs = self.engines.iter().map(|words| EngineSpec::parse(&self.each, words));
        let engines = specs.collect::<Result<Vec<_>, _>>().map_err(about("--engine or --each"))?;
        if engines.len() < 2 {
            return refused("a match needs two engines at least: give --engine twice");
        }
        let mut names = HashSet::new();
        if let Some(twice) = engines.iter().find(|engine| !names.insert(&engine.name)) {
            return refused(format!("two engines are called '{}': tell them apart by name=…", twice.name));
        }
        let sprt = Self::test(&self.sprt).map_err(about("--sprt"))?;
        if sprt.is_some() && engines.len() > 2 {
            return refused("--sprt is for two engines");
        }
        let Self { format, games, repeat, seed, .. } = *self;
        if format == Format::Knockout && self.rounds.is_some() {
            return refused("--rounds: a knockout has as many as its engines call for");
        }
        let rounds = self.rounds.unwrap_or_else(|| format.rounds(engines.len()));
        let schedule = Schedule { engines: engines.len(), format, rounds, games, repeat, seed };
        Ok(MatchSetup {
            openings: self.book(&schedule, &stop)?,
            engines,
            models: BTreeMap::new(),
            variant: self.variant.clone(),
            schedule,
            adjudication: self.adjudication()?,
            counter: Counter::new(&self.variant),
            sprt,
            concurrency: usize::from(self.concurrency),
            recover: self.recover,
            patience: Duration::from_secs(self.patience),
            greeting: self.greeting,
            pairs: repeat && !self.singles,
            occasion: self.occasion.checked()?,
            stop,
        })
    }

    fn book(&self, schedule: &Schedule, stop: &AtomicBool) -> Result<Vec<Opening>, MatchError> {
        if self.openings.is_empty() {
            // No more different ones are needed.
            let count = schedule.openings().min(100_000) as usize;
            let found = openings::random(&self.variant, self.book_plies, count, self.seed, stop);
            return found.map_err(about("--book-plies"))?.ok_or_else(|| MatchError("the match was stopped".to_owned()));
        }
        let mut shipped = false;
        let (mut file, mut start, mut shuffled, mut format, mut plies) = (None, 1, false, None, usize::MAX);
        for word in &self.openings {
            if word == "suite" {
                shipped = true;
                continue;
            }
            match key_value(word)? {
                ("file", path) => file = Some(path),
                ("start", value) => start = number::<usize>(word, value, "a number from 1 up")?.max(1),
                ("order", "random") => shuffled = true,
                ("order", "sequential") => shuffled = false,
                ("plies", value) => plies = number::<usize>(word, value, "a number of turns")?,
                ("format", value) => format = Some(value),
                // The only policy there is: a new opening for each pair of games.
                ("policy", "round") => {}
                _ => {
                    let known = "suite, file=, format=, order=sequential, order=random, start= and plies=";
                    return refused(format!("--openings: '{word}' is none of {known}"));
                }
            }
        }
        let mut found = match (shipped, file) {
            (true, None) => self.suite().map_err(about("--openings: suite"))?,
            (false, Some(file)) => {
                self.read_book(Path::new(file), format, plies).map_err(about(format!("--openings: {file}")))?
            }
            _ => return refused("--openings needs file=PATH or suite"),
        };
        if shuffled {
            found.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(self.seed));
        }
        let length = found.len();
        found.rotate_left((start - 1) % length);
        Ok(found)
    }

    /// The openings that the program brings with it.
    fn suite(&self) -> Result<Vec<Opening>, MatchError> {
        let Some(text) = suite::shipped(&self.variant) else {
            return refused(format!("there is none for {}; `hippolyta openings` finds one", self.variant.name()));
        };
        suite::read(&self.variant, text).map_err(|error| MatchError(error.to_string()))
    }

    /// The openings of a file, in its order.
    fn read_book(&self, file: &Path, format: Option<&str>, plies: usize) -> Result<Vec<Opening>, MatchError> {
        let wrong = |error: &dyn std::fmt::Display| MatchError(error.to_string());
        let format = match format {
            Some("text" | "epd") => Some(records::Format::Fen),
            Some(name) => match name.parse() {
                Ok(format) => Some(format),
                Err(error) => {
                    return refused(format!("format={name}: {error}, nor text or epd, with one opening a line"));
                }
            },
            None => None,
        };
        let input = BufReader::new(File::open(file).map_err(|error| wrong(&error))?);
        let reader = match format {
            Some(format) => Reader::new(format, input, &self.variant),
            None => {
                let named = records::Format::of(file).unwrap_or(records::Format::Fen);
                Reader::guessing(input, Some(named), &self.variant).map_err(|error| wrong(&error))?
            }
        };
        openings::from_records(reader, &self.variant, plies).map_err(|error| wrong(&error))
    }

    /// When games are adjudicated.
    ///
    /// # Errors
    ///
    /// If the words of `resign` or `draw` cannot be understood.
    pub fn adjudication(&self) -> Result<Adjudication, MatchError> {
        let mut found = Adjudication { max_moves: self.max_moves, certain: self.certain, ..Adjudication::default() };
        if !self.resign.is_empty() {
            let mut rule = Resign { move_count: 3, score: 0, two_sided: false };
            for word in &self.resign {
                match key_value(word).map_err(about("--resign"))? {
                    ("movecount", value) => rule.move_count = whole(word, value)?,
                    ("score", value) => rule.score = whole(word, value)? as i32,
                    ("twosided", "true") => rule.two_sided = true,
                    ("twosided", "false") => rule.two_sided = false,
                    _ => {
                        let known = "movecount=, score= and twosided=true|false";
                        return refused(format!("--resign: '{word}' is none of {known}"));
                    }
                }
            }
            if rule.score == 0 {
                return refused("--resign needs score=CENTIPAWNS");
            }
            found.resign = Some(rule);
        }
        if !self.draw.is_empty() {
            let mut rule = DrawRule { move_number: 0, move_count: 8, score: 0 };
            for word in &self.draw {
                match key_value(word).map_err(about("--draw"))? {
                    ("movenumber", value) => rule.move_number = whole(word, value)?,
                    ("movecount", value) => rule.move_count = whole(word, value)?,
                    ("score", value) => rule.score = whole(word, value)? as i32,
                    _ => return refused(format!("--draw: '{word}' is none of movenumber=, movecount= and score=")),
                }
            }
            found.draw = Some(rule);
        }
        Ok(found)
    }

    /// Settings that must be the same when a match is resumed: all that a game depends on, but not how many there are.
    #[must_use]
    pub fn configuration(&self, setup: &MatchSetup) -> Value {
        let book = if self.openings.is_empty() {
            json!({"plies": self.book_plies, "seed": self.seed})
        } else {
            json!({"words": self.openings, "seed": self.seed, "openings": setup.openings})
        };
        json!({
            "engines": setup.engines,
            "variant": setup.variant.text(),
            "openings": book,
            "tournament": self.format.name(),
            "games": self.games,
            "repeat": self.repeat,
            "resign": self.resign,
            "draw": self.draw,
            "maxmoves": self.max_moves,
            "adjudicate": self.certain.map(Certain::name),
            "files": setup.engines.iter().flat_map(files_of).collect::<BTreeMap<_, _>>(),
        })
    }

    /// Settings that may change when a match is resumed, for whoever looks at the results.
    #[must_use]
    pub fn variable_configuration(&self, setup: &MatchSetup) -> Value {
        let mut found = json!({"rounds": setup.schedule.rounds, "sprt": self.sprt});
        for (name, value) in setup.occasion.fields() {
            found[name] = json!(value);
        }
        found
    }

    /// Reads the words of a test; `None` if there are none.
    ///
    /// # Errors
    ///
    /// If they make no test.
    pub fn test(words: &[String]) -> Result<Option<Sprt>, MatchError> {
        if words.is_empty() {
            return Ok(None);
        }
        let (mut elo0, mut elo1, mut alpha, mut beta, mut model) = (None, None, 0.05, 0.05, Model::Logistic);
        for word in words {
            match key_value(word)? {
                ("elo0", value) => elo0 = Some(number::<f64>(word, value, "a number")?),
                ("elo1", value) => elo1 = Some(number::<f64>(word, value, "a number")?),
                ("alpha", value) => alpha = number(word, value, "a probability")?,
                ("beta", value) => beta = number(word, value, "a probability")?,
                ("model", "logistic") => model = Model::Logistic,
                ("model", "normalized") => model = Model::Normalized,
                _ => {
                    let known = "elo0=, elo1=, alpha=, beta=, model=logistic and model=normalized";
                    return refused(format!("'{word}' is none of {known}"));
                }
            }
        }
        let (Some(elo0), Some(elo1)) = (elo0, elo1) else { return refused("elo0= and elo1= are needed") };
        if !(elo0.abs() <= FAR && elo1.abs() <= FAR) {
            return refused(format!("elo0 and elo1 must be between -{FAR} and {FAR}: no match can tell more"));
        }
        if elo0 >= elo1 {
            return refused("elo0 must be less than elo1");
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return refused("alpha and beta must be above 0 and together below 1");
        }
        Ok(Some(Sprt { elo0, elo1, alpha, beta, model }))
    }
}

/// The program of an engine and the files that its options name, as far as they are here, with their checksums: behind
/// the same name there may be another net tomorrow.
fn files_of(engine: &EngineSpec) -> impl Iterator<Item = (String, u32)> {
    // An engine writes its logs itself.
    let options = engine.options.iter().filter(|(name, _)| !name.to_ascii_lowercase().contains("log"));
    let options = options.map(|(name, value)| (format!("option.{name}={value}"), value));
    let program = Some((format!("cmd={}", engine.command), &engine.command));
    let folder = engine.directory.as_deref().unwrap_or_default();
    program.into_iter().chain(options).filter_map(move |(word, path)| {
        let path = Path::new(folder).join(path);
        let bytes = path.is_file().then(|| std::fs::read(path).ok()).flatten()?;
        Some((format!("engine '{}': {word}", engine.name), crc32fast::hash(&bytes)))
    })
}

fn whole(word: &str, value: &str) -> Result<u32, SpecError> {
    let expected = "a whole number up to 100000";
    let found = number::<u32>(word, value, expected)?;
    if found <= 100_000 { Ok(found) } else { Err(SpecError::BadValue { word: word.to_owned(), expected }) }
}
