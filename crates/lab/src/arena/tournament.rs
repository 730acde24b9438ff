//! A tournament: all games of a schedule, several at a time.

use super::client::{Client, StartError};
use super::fixtures::{Fixtures, Next};
use super::game::{Pairing, play};
use super::ledger::Ledger;
use super::opening::OpeningError;
use super::record::GameRecord;
use super::results::Results;
use super::schedule::Fixture;
use super::setup::{MatchSetup, Occasion};
use super::store::Store;
use crate::folder::{FolderError, utc};
use std::borrow::Borrow;
use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use thiserror::Error;

/// Why a tournament ended before its last game.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TournamentError {
    /// Results cannot be kept.
    #[error(transparent)]
    Store(#[from] FolderError),
    /// An opening is not legal.
    #[error("opening {0}: {1}")]
    Opening(u64, OpeningError),
    /// A recorded game was played by an unknown engine.
    #[error("game {0} of the folder was played by engines that are not in this match")]
    Stranger(u64),
    /// A recorded game was played by other engines than the results before it call for.
    #[error("game {} of the folder was not played by those that the results before it call for", _0 + 1)]
    Pairing(u64),
    /// An engine crashed, and [`MatchSetup::recover`] is false.
    #[error("stopped after game {}: {detail}", game + 1)]
    Crash {
        /// Which game.
        game: u64,
        /// The crash, in words.
        detail: String,
    },
}

/// An event of a tournament that goes on.
pub enum Event<'a> {
    /// This number of games was finished before.
    Resumed(u64),
    /// A game begins.
    Started(&'a Fixture),
    /// A game is finished; the results include it.
    Finished(&'a GameRecord, &'a Results),
}

/// State that the workers share.
struct Shared<'a, 'b> {
    ledger: Ledger<'a>,
    failed: Option<TournamentError>,
    report: &'b mut (dyn FnMut(&Event<'_>) + Send),
}

/// Adds finished games to the results of engines with these names, and to the fixtures; each counts once.
///
/// # Errors
///
/// If a game cannot be read, or other engines have played it.
pub fn add_games(
    results: &mut Results,
    fixtures: &mut Fixtures,
    names: &[String],
    games: impl Iterator<Item = Result<impl Borrow<GameRecord>, FolderError>>,
) -> Result<(), TournamentError> {
    let mut numbers = HashSet::new();
    for record in games {
        let record = record?;
        let record: &GameRecord = record.borrow();
        let find = |name: &str| names.iter().position(|known| known == name);
        let (Some(white), Some(black), Some(points)) =
            (find(&record.white), find(&record.black), record.white_half_points())
        else {
            return Err(TournamentError::Stranger(record.game + 1));
        };
        if numbers.insert(record.game) {
            results.add_game([white, black], record);
            fixtures.finish(record.game, [white, black], points, record.margin);
        }
    }
    Ok(())
}

/// Plays all games that `store` does not hold already, and returns the results. If the tournament is stopped, these are
/// the results of the games that were finished.
///
/// # Errors
///
/// If an opening is not legal, results cannot be kept, or an engine crashes and [`MatchSetup::recover`] is false.
pub fn run(
    setup: &MatchSetup,
    store: Option<Store>,
    report: &mut (dyn FnMut(&Event<'_>) + Send),
) -> Result<Results, TournamentError> {
    let kept = store.is_some();
    let ledger = Ledger::open(setup, store)?;
    if kept {
        report(&Event::Resumed(ledger.results().games()));
    }
    let shared = Mutex::new(Shared { ledger, failed: None, report });
    let ended = Condvar::new();
    std::thread::scope(|scope| {
        for _ in 0..setup.concurrency.max(1) {
            scope.spawn(|| Worker { setup, shared: &shared, ended: &ended, players: Players::new(setup) }.work());
        }
    });
    let Shared { ledger, failed, .. } = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    failed.map_or_else(|| ledger.close(), Err)
}

/// Plays one game after the other.
struct Worker<'w, 'a, 'b> {
    setup: &'a MatchSetup,
    shared: &'w Mutex<Shared<'a, 'b>>,
    /// Told when a game has ended.
    ended: &'w Condvar,
    players: Players<'a>,
}

impl Worker<'_, '_, '_> {
    fn work(mut self) {
        while let Some(fixture) = self.next() {
            let played = self.players.game(&fixture);
            let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            // A game that was broken off has no result.
            if self.setup.stop.load(Ordering::Relaxed) {
                break;
            }
            if let Err(error) = played.and_then(|record| Self::keep(&mut shared, &fixture, &record)) {
                shared.failed.get_or_insert(error);
            }
            drop(shared);
            self.ended.notify_all();
        }
    }

    fn next(&self) -> Option<Fixture> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if self.setup.stop.load(Ordering::Relaxed) || shared.failed.is_some() {
                return None;
            }
            match shared.ledger.draw() {
                Ok(Next::Game(fixture)) => {
                    (shared.report)(&Event::Started(&fixture));
                    return Some(fixture);
                }
                Ok(Next::Over) => return None,
                // A stop tells nobody.
                Ok(Next::Wait) => {
                    let waited = self.ended.wait_timeout(shared, Duration::from_millis(50));
                    shared = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                Err(error) => {
                    shared.failed.get_or_insert(error);
                }
            }
        }
    }

    fn keep(shared: &mut Shared<'_, '_>, fixture: &Fixture, record: &GameRecord) -> Result<(), TournamentError> {
        shared.ledger.keep(fixture, record)?;
        (shared.report)(&Event::Finished(record, shared.ledger.results()));
        shared.ledger.check(record)
    }
}

/// The engines of one game at a time. They keep running from game to game.
pub(super) struct Players<'a> {
    setup: &'a MatchSetup,
    /// Engines that run, by their numbers.
    clients: Vec<(usize, Client)>,
}

impl<'a> Players<'a> {
    pub fn new(setup: &'a MatchSetup) -> Self {
        Self { setup, clients: Vec::new() }
    }

    /// Starts the engines of a game that do not run.
    pub fn start(&mut self, fixture: &Fixture) -> Result<(), (usize, StartError)> {
        for number in fixture.players {
            let client = self.client(number).map_err(|error| (number, error))?;
            self.clients.push((number, client));
        }
        Ok(())
    }

    /// The engine with this number, started if it does not run.
    fn client(&mut self, number: usize) -> Result<Client, StartError> {
        if let Some(at) = self.clients.iter().position(|(running, _)| *running == number) {
            return Ok(self.clients.swap_remove(at).1);
        }
        let spec = &self.setup.engines[number];
        Client::start(spec, &self.setup.variant, &self.setup.manners(&|_| {}))
    }

    /// Plays a game. An engine that does not start loses it.
    pub fn game(&mut self, fixture: &Fixture) -> Result<GameRecord, TournamentError> {
        let setup = self.setup;
        // Only engines that play need to run.
        self.clients.retain(|(number, _)| fixture.players.contains(number));
        let mut clients = fixture.players.map(|number| self.client(number).map_err(|error| error.to_string()));
        let openings = setup.openings.len().max(1) as u64;
        let pairing = Pairing {
            game: fixture.game,
            opening_number: fixture.opening,
            variant: setup.variant.clone(),
            opening: &setup.openings[(fixture.opening % openings) as usize],
            names: fixture.players.map(|number| setup.engines[number].name.as_str()),
            allowances: fixture.players.map(|number| setup.engines[number].allowance),
            ponders: fixture.players.map(|number| setup.engines[number].ponder),
            adjudication: &setup.adjudication,
            counter: &setup.counter,
        };
        let players = clients.each_mut().map(|client| client.as_mut().map_err(|error| error.clone()));
        let played = play(&pairing, players).map_err(|error| TournamentError::Opening(fixture.opening + 1, error))?;
        for ((number, client), broken) in fixture.players.into_iter().zip(clients).zip(played.broken) {
            if let (Ok(client), false) = (client, broken || setup.engines[number].restart) {
                self.clients.push((number, client));
            }
        }
        let mut record = played.record;
        let day = utc(SystemTime::now()).get(..10).unwrap_or("????.??.??").replace('-', ".");
        let mut tag = |name: &str, value: String| record.tags.insert(name.to_owned(), value);
        let Occasion { title, event, site, date } = &setup.occasion;
        tag("Event", event.as_ref().or(title.as_ref()).map_or_else(|| "hippolyta match".to_owned(), String::clone));
        if let Some(site) = site {
            tag("Site", site.clone());
        }
        tag("Date", date.clone().unwrap_or(day));
        tag("Round", (fixture.game + 1).to_string());
        let [white, black] = pairing.allowances.map(|allowance| allowance.pgn());
        if white == black {
            tag("TimeControl", white);
        } else {
            tag("WhiteTimeControl", white);
            tag("BlackTimeControl", black);
        }
        Ok(record)
    }
}
