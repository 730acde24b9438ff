//! The options of a match.

use super::game::{Adjudication, Certain, DrawRule, Resign};
use super::opening_list::OpeningList;
use super::openings;
use super::schedule::{Format, Schedule};
use super::setup::{MatchSetup, Occasion, about, refused};
use super::spec::{EngineSpec, MatchError};
use super::statistics::Sprt;
use crate::options::{MOST_THREADS, threads, up_to, usual};
use crate::times::seconds;
use clap::{ArgAction, Args, value_parser};
use hippolyta::engine::Counter;
use hippolyta::games::variant::{self, Variant};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The options of a match.
///
/// ```
/// use hippolyta_lab::arena::{EngineSpec, MatchOptions};
///
/// let engine = |name: &str| EngineSpec::parse(&["cmd=self".to_owned(), "nodes=10".to_owned()], &[name.to_owned()]);
/// let engines = vec![engine("name=a")?, engine("name=b")?];
/// let options = MatchOptions { engines, book_plies: 0, ..MatchOptions::default() };
/// assert_eq!(options.setup(Default::default())?.schedule.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Args)]
pub struct MatchOptions {
    /// Who plays.
    #[arg(skip)]
    pub engines: Vec<EngineSpec>,
    /// Rule set.
    #[arg(skip = variant::DEFAULT.clone())]
    pub variant: Variant,
    /// Games of each pairing in a round.
    #[arg(long, default_value_t = 2, value_parser = up_to(MOST))]
    pub games: u64,
    /// How often all pairings are played [default: 1]; of a Swiss tournament, its rounds [default: two more than a
    /// knockout of these engines has].
    #[arg(long, value_parser = up_to(MOST))]
    pub rounds: Option<u64>,
    /// Play each opening twice, with colours swapped.
    #[arg(long, default_value_t = true, num_args = 0..=1, default_missing_value = "true", action = ArgAction::Set)]
    pub repeat: bool,
    /// Games at a time [default: 1].
    #[arg(long, value_parser = threads())]
    pub concurrency: Option<u16>,
    /// Openings from a file or a suite; `None` for random ones.
    #[arg(skip)]
    pub openings: Option<OpeningList>,
    /// Random balanced openings of N turns; 0: the start position.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u32).range(0..=200))]
    pub book_plies: u32,
    /// Seed of random openings and of their order.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// A test that ends the match.
    #[arg(skip)]
    pub sprt: Option<Sprt>,
    /// When engines resign.
    #[arg(skip)]
    pub resign: Option<Resign>,
    /// When games are drawn by score.
    #[arg(skip)]
    pub draw: Option<DrawRule>,
    /// Drawn after N turns, those of both sides counted.
    #[arg(id = "maxmoves", long = "maxmoves", value_name = "N")]
    pub max_moves: Option<u32>,
    /// exact: end a game as soon as its result is certain, by counting (Amazons), once no stone can flip any more
    /// (Desdemona, Cassio) or by endgame tables (Damone); count: as soon as its margin is certain, too; proof: as
    /// exact, or as soon as a proof search of 20,000 positions finds the result (all but Damone).
    #[arg(id = "adjudicate", long = "adjudicate", value_name = "HOW", hide_possible_values = true)]
    pub certain: Option<Certain>,
    /// round-robin, gauntlet (the first against all others), swiss (like scores meet, nobody twice) or knockout (the
    /// first engine is the favourite; ties are broken by the margin of the games, then by more games).
    #[arg(id = "tournament", long = "tournament", value_name = "KIND")]
    #[arg(default_value = "round-robin", hide_possible_values = true)]
    pub format: Format,
    /// Go on after a crash, with the engine started anew.
    #[arg(long, default_value_t = true, num_args = 0..=1, default_missing_value = "true", action = ArgAction::Set)]
    pub recover: bool,
    /// Seconds for which an engine may owe an answer where no clock runs: a longer search by nodes= or depth= loses.
    /// To greet, an engine has 10 seconds, or a sixth of this if that is more.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = patience)]
    pub patience: u64,
    /// For how long an engine may owe its greeting, if not for as long as `patience` says.
    #[arg(skip)]
    pub greeting: Option<Duration>,
    /// Whether statistics are of single games, even where openings are played twice.
    #[arg(skip)]
    pub singles: bool,
    /// Title, event, site and date of the match, for the records.
    #[command(flatten)]
    pub occasion: Occasion,
}

/// The most games of a pairing in a round, and the most rounds.
const MOST: u64 = 100_000_000;

/// Seconds, as `--patience` takes them.
///
/// # Errors
///
/// If the text is no time, or too short or long a one.
pub fn patience(text: &str) -> Result<u64, String> {
    seconds(text, 1.0, 1e6).map(|time| time.as_secs())
}

impl Default for MatchOptions {
    /// The defaults of the command line; without engines.
    fn default() -> Self {
        usual()
    }
}

impl MatchOptions {
    /// The setup; `stop` ends the match, and also this. Reads the file of openings, or makes random ones, which takes a
    /// search for each.
    ///
    /// # Errors
    ///
    /// For the first option that makes no sense, and if it was stopped.
    pub fn setup(&self, stop: Arc<AtomicBool>) -> Result<MatchSetup, MatchError> {
        let engines = self.engines.clone();
        if engines.len() < 2 {
            return refused("a match needs two engines at least: give --engine twice");
        }
        let mut names = HashSet::new();
        if let Some(twice) = engines.iter().find(|engine| !names.insert(&engine.name)) {
            return refused(format!("two engines are called '{}': tell them apart by name=…", twice.name));
        }
        let Self { format, games, repeat, seed, sprt, resign, draw, max_moves, certain, patience, .. } = *self;
        if sprt.is_some() && engines.len() > 2 {
            return refused("--sprt is for two engines");
        }
        if format == Format::Knockout && self.rounds.is_some() {
            return refused("--rounds: a knockout has as many as its engines call for");
        }
        let most = games.max(self.rounds.unwrap_or(1));
        if !(1..=MOST).contains(&games) || most > MOST || self.rounds == Some(0) {
            return refused(format!("--games and --rounds are from 1 to {MOST}"));
        }
        let concurrency = self.concurrency.unwrap_or(1);
        if !(1..=MOST_THREADS).contains(&concurrency) {
            return refused(format!("--concurrency is from 1 to {MOST_THREADS}"));
        }
        let rounds = self.rounds.unwrap_or_else(|| format.rounds(engines.len()));
        let schedule = Schedule { engines: engines.len(), format, rounds, games, repeat, seed };
        Ok(MatchSetup {
            openings: self.book(&schedule, &stop)?,
            engines,
            models: BTreeMap::new(),
            variant: self.variant.clone(),
            schedule,
            adjudication: Adjudication { resign, draw, max_moves, certain },
            counter: Counter::new(&self.variant),
            sprt,
            concurrency: concurrency.into(),
            recover: self.recover,
            patience: Duration::from_secs(patience),
            greeting: self.greeting.unwrap_or(Duration::from_secs(patience.min(10).max(patience / 6))),
            pairs: repeat && !self.singles,
            occasion: self.occasion.checked()?,
            stop,
        })
    }

    fn book(&self, schedule: &Schedule, stop: &AtomicBool) -> Result<Vec<super::Opening>, MatchError> {
        if let Some(list) = &self.openings {
            return list.openings(&self.variant, self.seed);
        }
        // No more different ones are needed.
        let count = schedule.openings().min(100_000) as usize;
        let found = openings::random(&self.variant, self.book_plies, count, self.seed, stop);
        found.map_err(about("--book-plies"))?.ok_or_else(|| MatchError("the match was stopped".to_owned()))
    }

    /// Settings that must be the same when a match is resumed: all that a game depends on, but not how many there are.
    pub fn configuration(&self, setup: &MatchSetup) -> Value {
        let book = match &self.openings {
            None => json!({"plies": self.book_plies, "seed": self.seed}),
            Some(list) => json!({"words": list.words, "seed": self.seed, "openings": setup.openings}),
        };
        json!({
            "engines": setup.engines,
            "variant": setup.variant.text(),
            "openings": book,
            "tournament": self.format,
            "games": self.games,
            "repeat": self.repeat,
            "resign": self.resign.iter().flat_map(Resign::words).collect::<Vec<_>>(),
            "draw": self.draw.iter().flat_map(DrawRule::words).collect::<Vec<_>>(),
            "maxmoves": self.max_moves,
            "adjudicate": self.certain,
            "files": setup.engines.iter().flat_map(files_of).collect::<BTreeMap<_, _>>(),
        })
    }

    /// Settings that may change when a match is resumed, for whoever looks at the results.
    pub fn variable_configuration(&self, setup: &MatchSetup) -> Value {
        let test: Vec<_> = self.sprt.iter().flat_map(Sprt::words).collect();
        let mut found = json!({"rounds": setup.schedule.rounds, "sprt": test});
        for (name, value) in setup.occasion.fields() {
            found[name] = json!(value);
        }
        found
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
