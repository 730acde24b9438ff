//! A tournament: all games of a schedule, several at a time.

use super::client::Client;
use super::game::{Adjudication, OpeningError, Pairing, play};
use super::openings::Opening;
use super::record::{GameRecord, Reason};
use super::schedule::{Fixture, Schedule};
use super::spec::EngineSpec;
use super::standing::Standing;
use super::statistics::Sprt;
use super::store::{Store, StoreError};
use crate::games::variant::Variant;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use thiserror::Error;

/// All that is fixed before the first game.
pub struct Plan {
    /// Who plays.
    pub engines: Vec<EngineSpec>,
    /// Rule set.
    pub variant: &'static Variant,
    /// Openings, used in turn.
    pub openings: Vec<Opening>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// When games are given up.
    pub adjudication: Adjudication,
    /// A test that may end the match early; for two engines.
    pub sprt: Option<Sprt>,
    /// Games at a time.
    pub concurrency: usize,
    /// Whether the tournament goes on after a crash.
    pub recover: bool,
    /// How long an engine may owe an answer where no clock runs.
    pub patience: Duration,
}

/// Why a tournament ended before its last game.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TournamentError {
    /// Results cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An opening is not legal.
    #[error("opening {0}: {1}")]
    Opening(u64, OpeningError),
    /// A game that is there names an engine that is not.
    #[error("game {0} of the folder was played by engines that are not in this match")]
    Stranger(u64),
    /// An engine crashed, and there is to be no recovery.
    #[error("stopped after game {}: {detail}", game + 1)]
    Crash {
        /// Which game.
        game: u64,
        /// What happened.
        detail: String,
    },
}

/// What happens while a tournament goes on.
pub enum Event<'a> {
    /// A game begins.
    Started(&'a Fixture),
    /// A game is finished; the standing includes it.
    Finished(&'a GameRecord, &'a Standing),
}

/// What the workers share.
struct Shared<'a> {
    /// Games to be played, the next one last.
    waiting: Vec<u64>,
    standing: Standing,
    store: Option<Store>,
    failed: Option<TournamentError>,
    report: &'a mut (dyn FnMut(&Event<'_>) + Send),
}

/// Plays all games that `store` does not hold already, and returns the standing.
///
/// # Errors
///
/// If an opening is not legal, results cannot be kept, or an engine crashes and there is to be no recovery.
pub fn run(
    plan: &Plan,
    store: Option<Store>,
    report: &mut (dyn FnMut(&Event<'_>) + Send),
) -> Result<Standing, TournamentError> {
    let names: Vec<_> = plan.engines.iter().map(|engine| engine.name.clone()).collect();
    let mut standing = Standing::new(names.clone(), plan.schedule.repeat, plan.sprt);
    let mut waiting: Vec<_> = (0..plan.schedule.len()).rev().collect();
    if let Some(store) = &store {
        for record in store.games() {
            let find = |name: &str| names.iter().position(|known| known == name);
            let (Some(white), Some(black), Some(points)) =
                (find(&record.white), find(&record.black), record.white_half_points())
            else {
                return Err(TournamentError::Stranger(record.game + 1));
            };
            standing.add([white, black], record.opening, points);
        }
        let played: std::collections::HashSet<_> = store.games().map(|record| record.game).collect();
        waiting.retain(|game| !played.contains(game));
    }
    let shared = Mutex::new(Shared { waiting, standing, store, failed: None, report });
    std::thread::scope(|scope| {
        for _ in 0..plan.concurrency.max(1) {
            scope.spawn(|| Worker { plan, shared: &shared, clients: Vec::new() }.work());
        }
    });
    let Shared { standing, store, failed, .. } = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    match failed {
        Some(error) => Err(error),
        None => {
            if let Some(store) = store {
                store.gather(&standing.json())?;
            }
            Ok(standing)
        }
    }
}

/// Plays one game after the other.
struct Worker<'a, 'b> {
    plan: &'a Plan,
    shared: &'a Mutex<Shared<'b>>,
    /// Engines that run, by their numbers.
    clients: Vec<(usize, Client)>,
}

impl Worker<'_, '_> {
    fn work(mut self) {
        while let Some(fixture) = self.next() {
            let played = self.game(&fixture);
            let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = played.and_then(|record| self.keep(&mut shared, &fixture, record)) {
                shared.failed.get_or_insert(error);
            }
        }
    }

    fn next(&self) -> Option<Fixture> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if shared.failed.is_some() || shared.standing.verdict().is_some() {
            return None;
        }
        let fixture = self.plan.schedule.fixture(shared.waiting.pop()?);
        (shared.report)(&Event::Started(&fixture));
        Some(fixture)
    }

    fn keep(&self, shared: &mut Shared<'_>, fixture: &Fixture, record: GameRecord) -> Result<(), TournamentError> {
        if let Some(store) = &mut shared.store {
            store.add(record.clone())?;
        }
        shared.standing.add(fixture.players, fixture.opening, record.white_half_points().unwrap_or(1));
        (shared.report)(&Event::Finished(&record, &shared.standing));
        if !self.plan.recover && matches!(record.reason, Reason::Crash | Reason::Silence) {
            return Err(TournamentError::Crash { game: record.game, detail: record.detail });
        }
        Ok(())
    }

    /// The engine with this number, started if it does not run.
    fn client(&mut self, number: usize) -> Result<Client, String> {
        if let Some(at) = self.clients.iter().position(|(running, _)| *running == number) {
            return Ok(self.clients.swap_remove(at).1);
        }
        let spec = &self.plan.engines[number];
        Client::start(spec, self.plan.variant, self.plan.patience).map_err(|error| error.to_string())
    }

    fn game(&mut self, fixture: &Fixture) -> Result<GameRecord, TournamentError> {
        let plan = self.plan;
        // Engines that do not play now need not run.
        self.clients.retain(|(number, _)| fixture.players.contains(number));
        let mut clients = fixture.players.map(|number| self.client(number));
        let openings = plan.openings.len().max(1) as u64;
        let pairing = Pairing {
            game: fixture.game,
            opening_number: fixture.opening,
            variant: plan.variant,
            opening: &plan.openings[(fixture.opening % openings) as usize],
            names: fixture.players.map(|number| plan.engines[number].name.as_str()),
            allowances: fixture.players.map(|number| plan.engines[number].allowance),
            adjudication: &plan.adjudication,
        };
        let players = clients.each_mut().map(|client| client.as_mut().map_err(|error| error.clone()));
        let played = play(&pairing, players).map_err(|error| TournamentError::Opening(fixture.opening + 1, error))?;
        for ((number, client), broken) in fixture.players.into_iter().zip(clients).zip(played.broken) {
            if let (Ok(client), false) = (client, broken) {
                self.clients.push((number, client));
            }
        }
        Ok(played.record)
    }
}
