//! A tournament: all games of a schedule, several at a time.

use super::client::{Client, StartError};
use super::fixtures::{Fixtures, Next};
use super::game::{Pairing, play};
use super::ledger::Ledger;
use super::opening::OpeningError;
use super::record::GameRecord;
use super::replay::Replay;
use super::results::Results;
use super::schedule::Fixture;
use super::setup::{MatchSetup, Occasion};
use super::store::Store;
use crate::folder::{FolderError, today};
use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;
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
    /// The record of a game that somebody else has played cannot be one of it. The game is to be played again.
    #[error("game {}: {what}", game.saturating_add(1))]
    Refused {
        /// Which game.
        game: u64,
        /// Why.
        what: String,
    },
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
    /// A record of the folder cannot be one of this match: it is left out, for the reason that is given.
    LeftOut(&'a str),
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

/// Adds finished games of a match to its fixtures, and hands each that counts to `count` once, with its engines, White
/// first. Returns which records were left out, and why.
///
/// # Errors
///
/// If the games cannot be read.
pub fn add_games(
    fixtures: &mut Fixtures,
    replay: &Replay<'_>,
    games: impl Iterator<Item = Result<GameRecord, FolderError>>,
    count: &mut dyn FnMut([usize; 2], GameRecord),
) -> Result<Vec<String>, FolderError> {
    let (mut numbers, mut left_out, mut waiting) = (HashSet::new(), Vec::new(), Vec::new());
    for record in games {
        let record = match record {
            Err(error @ FolderError::Damaged { .. }) => {
                left_out.push(error.to_string());
                continue;
            }
            record => record?,
        };
        let number = record.game.saturating_add(1);
        let players = match replay.check(&record) {
            Ok(players) => players,
            Err(what) => {
                left_out.push(format!("game {number}: {what}"));
                continue;
            }
        };
        if numbers.insert(record.game) {
            fixtures.finish(record.game, players, record.white_half_points().unwrap_or(1), record.margin);
            if replay.schedule.format.depends_on_results() {
                waiting.push((players, record));
            } else {
                count(players, record);
            }
        }
    }
    let strangers = fixtures.strangers();
    for (players, record) in waiting {
        if strangers.contains(&record.game) {
            left_out.push(format!("game {}: the results before it call for other engines", record.game + 1));
        } else {
            count(players, record);
        }
    }
    Ok(left_out)
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
    let mut ledger = Ledger::open(setup, store)?;
    ledger.left_out().iter().for_each(|what| report(&Event::LeftOut(what)));
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
    failed.map_or_else(|| ledger.close(false), Err)
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
                Next::Game(fixture) => {
                    (shared.report)(&Event::Started(&fixture));
                    return Some(fixture);
                }
                Next::Over => return None,
                // A stop tells nobody.
                Next::Wait => {
                    let waited = self.ended.wait_timeout(shared, Duration::from_millis(50));
                    shared = waited.unwrap_or_else(PoisonError::into_inner).0;
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
            seed: setup.schedule.seed,
        };
        let players = clients.each_mut().map(|client| client.as_mut().map_err(|error| error.clone()));
        let played = play(&pairing, players).map_err(|error| TournamentError::Opening(fixture.opening + 1, error))?;
        for ((number, client), broken) in fixture.players.into_iter().zip(clients).zip(played.broken) {
            if let (Ok(client), false) = (client, broken || setup.engines[number].restart) {
                self.clients.push((number, client));
            }
        }
        let mut record = played.record;
        let mut tag = |name: &str, value: String| record.tags.insert(name.to_owned(), value);
        let Occasion { title, event, site, date } = &setup.occasion;
        tag("Event", event.as_ref().or(title.as_ref()).map_or_else(|| "hippolyta match".to_owned(), String::clone));
        if let Some(site) = site {
            tag("Site", site.clone());
        }
        tag("Date", date.clone().unwrap_or_else(today));
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
