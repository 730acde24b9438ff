//! Games that other processes play, on any machine: an [`Order`] says all that a game depends on, and its record comes
//! back. Whatever the others do, the match is the one that a single process plays, one game after the other.
//!
//! So games are counted in the order of their numbers. One that ends early waits for its turn, in a file if the match
//! has a folder; and the test of a match decides after the same game, whoever was faster. What was played beyond that
//! game is dropped.

use super::client::StartError;
use super::fixtures::Next;
use super::game::Adjudication;
use super::ledger::Ledger;
use super::opening::Opening;
use super::record::GameRecord;
use super::results::Results;
use super::schedule::{Fixture, Format, Schedule};
use super::setup::{MatchSetup, Occasion};
use super::spec::EngineSpec;
use super::store::{Ahead, Store};
use super::tournament::{Event, Players, TournamentError};
use hippolyta::engine::Counter;
use hippolyta::games::variant::{self, UnknownVariant};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use thiserror::Error;

/// A game that somebody else is to play: all that it depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    fixture: Fixture,
    /// White and Black.
    engines: [EngineSpec; 2],
    variant: String,
    opening: Opening,
    adjudication: Adjudication,
    patience: Duration,
    greeting: Duration,
    occasion: Occasion,
}

/// Why a game was not played.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OrderError {
    /// This version has no such rules.
    #[error(transparent)]
    Variant(#[from] UnknownVariant),
    /// An engine does not start here. In a match of one process it loses; but that must not hang on the machine that a
    /// game happens to be played on.
    #[error("engine '{name}': {error}")]
    Start {
        /// Its name.
        name: String,
        /// Why.
        error: StartError,
    },
    /// The opening is not legal.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// It was broken off.
    #[error("stopped")]
    Stopped,
}

impl OrderError {
    /// Whether another attempt, perhaps on another machine, may succeed.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Start { .. } | Self::Stopped)
    }
}

impl Order {
    /// The number of the game, from 0.
    #[must_use]
    pub fn game(&self) -> u64 {
        self.fixture.game
    }

    /// How many cores it keeps busy.
    #[must_use]
    pub fn cores(&self) -> u16 {
        let [white, black] = &self.engines;
        EngineSpec::cores([white, black])
    }

    /// Plays the game, unless `stop` is set.
    ///
    /// # Errors
    ///
    /// If an engine does not start, the opening is not legal, or it was stopped.
    pub fn play(self, stop: &Arc<AtomicBool>) -> Result<GameRecord, OrderError> {
        let variant = variant::find(&self.variant)?;
        let setup = MatchSetup {
            engines: self.engines.into(),
            models: BTreeMap::new(),
            variant: variant.clone(),
            openings: vec![self.opening],
            schedule: Schedule { engines: 2, format: Format::RoundRobin, rounds: 1, games: 1, repeat: false, seed: 0 },
            adjudication: self.adjudication,
            counter: Counter::new(&variant),
            sprt: None,
            concurrency: 1,
            recover: true,
            patience: self.patience,
            greeting: self.greeting,
            pairs: false,
            occasion: self.occasion,
            stop: stop.clone(),
        };
        let mut players = Players::new(&setup);
        let fixture = Fixture { players: [0, 1], ..self.fixture };
        players.start(&fixture).map_err(|(number, error)| {
            let name = setup.engines[number].name.clone();
            OrderError::Start { name, error }
        })?;
        let record = players.game(&fixture)?;
        if stop.load(std::sync::atomic::Ordering::Relaxed) { Err(OrderError::Stopped) } else { Ok(record) }
    }
}

/// A match whose games are played elsewhere.
pub struct Elsewhere<'a> {
    ledger: Ledger<'a>,
    /// Games that were handed out and are not counted yet, in the order in which they will be.
    open: VecDeque<Fixture>,
    ahead: Ahead,
    is_over: bool,
}

impl<'a> Elsewhere<'a> {
    /// Goes on with the games that `store` holds.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    pub fn open(setup: &'a MatchSetup, store: Option<Store>) -> Result<Self, TournamentError> {
        let ahead = store.as_ref().map(Ahead::open).transpose()?.unwrap_or_default();
        Ok(Self { ledger: Ledger::open(setup, store)?, open: VecDeque::new(), ahead, is_over: false })
    }

    /// The results so far.
    #[must_use]
    pub fn results(&self) -> &Results {
        self.ledger.results()
    }

    /// Whether all games are counted that the match has, or its test has decided.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The next game to be played. `None` if none is left, or if others must end first. Processes play it that work in
    /// any folder; ours is `here`.
    ///
    /// # Errors
    ///
    /// If a game of the folder was played by others than results call for, or cannot be kept.
    pub fn order(&mut self, here: &Path, report: &mut dyn FnMut(&Event<'_>)) -> Result<Option<Order>, TournamentError> {
        loop {
            match self.ledger.draw()? {
                Next::Game(fixture) => {
                    self.open.push_back(fixture);
                    if self.ahead.has(fixture.game) {
                        self.count(report)?;
                        continue;
                    }
                    report(&Event::Started(&fixture));
                    return Ok(Some(self.order_of(fixture, here)));
                }
                Next::Wait => return Ok(None),
                Next::Over => {
                    self.is_over |= self.open.is_empty() || self.results().verdict().is_some();
                    return Ok(None);
                }
            }
        }
    }

    fn order_of(&self, fixture: Fixture, here: &Path) -> Order {
        let setup = self.ledger.setup();
        let openings = setup.openings.len().max(1) as u64;
        Order {
            fixture,
            engines: fixture.players.map(|number| setup.engines[number].from(here)),
            variant: setup.variant.text(),
            opening: setup.openings[(fixture.opening % openings) as usize].clone(),
            adjudication: setup.adjudication,
            patience: setup.patience,
            greeting: setup.greeting,
            occasion: setup.occasion.clone(),
        }
    }

    /// Keeps a game that was played, and counts those whose turn has come. A game that nobody waits for is ignored.
    ///
    /// # Errors
    ///
    /// If it cannot be kept, or an engine crashed and [`MatchSetup::recover`] is false.
    pub fn add(&mut self, record: GameRecord, report: &mut dyn FnMut(&Event<'_>)) -> Result<(), TournamentError> {
        match self.open.front() {
            Some(first) if first.game == record.game => self.count_one(&record, report)?,
            _ if self.ahead.has(record.game) => {}
            _ if self.open.iter().any(|fixture| fixture.game == record.game) => self.ahead.keep(record)?,
            _ => {}
        }
        self.count(report)
    }

    /// Counts the games whose turn has come.
    fn count(&mut self, report: &mut dyn FnMut(&Event<'_>)) -> Result<(), TournamentError> {
        while self.results().verdict().is_none()
            && let Some(first) = self.open.front()
            && let Some(record) = self.ahead.get(first.game).cloned()
        {
            self.count_one(&record, report)?;
            self.ahead.forget(record.game)?;
        }
        Ok(())
    }

    /// Counts the game whose turn it is.
    fn count_one(&mut self, record: &GameRecord, report: &mut dyn FnMut(&Event<'_>)) -> Result<(), TournamentError> {
        let Some(&fixture) = self.open.front() else { return Ok(()) };
        self.ledger.keep(&fixture, record)?;
        self.open.pop_front();
        report(&Event::Finished(record, self.ledger.results()));
        self.ledger.check(record)
    }

    /// The results. Those of a match that was not stopped are written down.
    ///
    /// # Errors
    ///
    /// If they cannot be written.
    pub fn close(self) -> Result<Results, TournamentError> {
        if self.is_over {
            self.ahead.remove()?;
        }
        self.ledger.close()
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::MatchOptions;
    use super::super::store::games;
    use super::super::tournament::run;
    use super::*;
    use std::fs;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    fn options(sprt: &str) -> MatchOptions {
        MatchOptions {
            engines: vec![words("cmd=self name=a nodes=40"), words("cmd=self name=b nodes=1")],
            variant: variant::find("amazons6").unwrap(),
            games: 24,
            book_plies: 2,
            sprt: if sprt.is_empty() { Vec::new() } else { words(sprt) },
            occasion: Occasion { date: Some("2026.11.26".to_owned()), ..Occasion::default() },
            ..MatchOptions::default()
        }
    }

    /// The files of a match in a folder, without the times in them.
    fn files(folder: &Path) -> [String; 3] {
        let mut text = String::new();
        let records: Vec<_> = games(folder).unwrap().map(|record| record.unwrap()).collect();
        let untimed: Vec<_> = records
            .into_iter()
            .map(|mut record| {
                record.moves.iter_mut().for_each(|one| one.time_us = one.time_us.map(|_| 0));
                text += &record.text();
                serde_json::to_string(&record).unwrap()
            })
            .collect();
        [untimed.join("\n"), text, fs::read_to_string(folder.join("result.json")).unwrap()]
    }

    fn folder(name: &str) -> std::path::PathBuf {
        let path = std::env::temp_dir().join(format!("hippolyta-elsewhere-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        path
    }

    #[test]
    fn a_match_is_the_same_in_whatever_order_its_games_end_and_whenever_its_owner_is_killed() {
        for sprt in ["", "elo0=0 elo1=100"] {
            let options = options(sprt);
            let setup = options.setup(Arc::default()).unwrap();
            let [alone, apart] = ["alone", "apart"].map(folder);
            let open = |path: &Path| {
                let (fixed, variable) = (options.configuration(&setup), options.variable_configuration(&setup));
                Store::open(path, &fixed, &variable, true).unwrap()
            };
            let expected = run(&setup, Some(open(&alone)), &mut |_| ()).unwrap();
            assert_eq!(expected.verdict().is_some(), !sprt.is_empty());
            let (mut counted, mut played) = (0, 0);
            for end in [5, 9, usize::MAX] {
                let mut games = Elsewhere::open(&setup, Some(open(&apart))).unwrap();
                let tell = &mut |event: &Event<'_>| counted += u64::from(matches!(event, Event::Finished(..)));
                let mut out = Vec::new();
                for number in 0.. {
                    while out.len() < 4
                        && let Some(order) = games.order(Path::new("/"), tell).unwrap()
                    {
                        let text = serde_json::to_string(&order).unwrap();
                        assert_eq!(serde_json::from_str::<Order>(&text).unwrap(), order);
                        out.push(order);
                    }
                    if games.is_over() {
                        games.close().unwrap();
                        break;
                    }
                    if number == end {
                        break; // it is killed
                    }
                    // The last one that was handed out ends first.
                    let record = out.pop().unwrap().play(&Arc::default()).unwrap();
                    games.add(record.clone(), tell).unwrap();
                    games.add(record, tell).unwrap();
                    played += 1;
                }
            }
            assert_eq!(files(&apart), files(&alone), "{sprt}");
            assert_eq!(counted, expected.games());
            // Games kept before are not played again; beyond a decision, no more than those that were out.
            assert!(played >= counted && played < counted + 4, "{played} {counted}");
            assert!(!apart.join("ahead.jsonl").exists());
            [alone, apart].iter().for_each(|path| fs::remove_dir_all(path).unwrap());
        }
    }

    #[test]
    fn an_engine_that_does_not_start_loses_no_game() {
        let engines = vec![words("cmd=self name=a"), words("cmd=./nowhere name=b")];
        let options = MatchOptions { engines, each: words("nodes=1"), book_plies: 0, ..options("") };
        let setup = options.setup(Arc::default()).unwrap();
        let mut games = Elsewhere::open(&setup, None).unwrap();
        let order = games.order(Path::new("/else"), &mut |_| ()).unwrap().unwrap();
        let error = order.play(&Arc::default()).unwrap_err();
        assert!(error.may_pass());
        assert!(error.to_string().starts_with("engine 'b': cannot start '/else/./nowhere': "), "{error}");
    }

    #[test]
    fn a_game_keeps_as_many_cores_busy_as_think_at_a_time() {
        let cores = |white: &str, black: &str| {
            let [white, black] =
                [white, black].map(|text| EngineSpec::parse(&words("cmd=a st=1"), &words(text)).unwrap());
            EngineSpec::cores([&white, &black])
        };
        assert_eq!(cores("name=a", "name=b"), 1);
        assert_eq!(cores("option.threads=3", "option.Threads=2"), 3);
        assert_eq!(cores("option.Threads=3 ponder=true", "option.Threads=2"), 5);
    }
}
