//! A tournament: all games of a schedule, several at a time.

use super::agenda::{Agenda, Turn};
use super::client::Client;
use super::game::{Adjudication, Pairing, play};
use super::opening::{Opening, OpeningError};
use super::order::Occasion;
use super::record::{GameRecord, Reason};
use super::results::Results;
use super::schedule::{Fixture, Schedule};
use super::spec::EngineSpec;
use super::statistics::Sprt;
use super::store::{Store, StoreError, utc};
use hippolyta::engine::{Counter, Model};
use hippolyta::games::variant::Variant;
use std::borrow::Borrow;
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use thiserror::Error;

/// All that is fixed before the first game.
pub struct Plan {
    /// Who plays.
    pub engines: Vec<EngineSpec>,
    /// Models of engines within this process (`cmd=self`), by the engines' names. An engine without one has the
    /// built-in evaluation.
    pub models: BTreeMap<String, Model>,
    /// Rule set.
    pub variant: &'static Variant,
    /// Openings, used in turn.
    pub openings: Vec<Opening>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// When games are adjudicated.
    pub adjudication: Adjudication,
    /// Counts results and margins.
    pub counter: Counter,
    /// A test that may end the match early; for two engines.
    pub sprt: Option<Sprt>,
    /// Games at a time.
    pub concurrency: usize,
    /// Whether the tournament goes on after a crash.
    pub recover: bool,
    /// The longest time for an answer where no clock runs.
    pub patience: Duration,
    /// The longest time for an engine's greeting.
    pub greeting: Duration,
    /// Whether statistics are of pairs of games, each opening with both colours.
    pub pairs: bool,
    /// What the records say of the match.
    pub occasion: Occasion,
    /// Once set, games are broken off and the tournament ends.
    pub stop: Arc<AtomicBool>,
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
    /// A recorded game was played by an unknown engine.
    #[error("game {0} of the folder was played by engines that are not in this match")]
    Stranger(u64),
    /// A recorded game was played by other engines than the results before it call for.
    #[error("game {} of the folder was not played by those that the results before it call for", _0 + 1)]
    Pairing(u64),
    /// An engine crashed, and [`Plan::recover`] is false.
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
    /// This number of games was finished before.
    Resumed(u64),
    /// A game begins.
    Started(&'a Fixture),
    /// A game is finished; the results include it.
    Finished(&'a GameRecord, &'a Results),
}

/// What the workers share.
struct Shared<'a> {
    /// Games to be played.
    agenda: Agenda,
    results: Results,
    store: Option<Store>,
    failed: Option<TournamentError>,
    report: &'a mut (dyn FnMut(&Event<'_>) + Send),
}

/// Adds finished games to the results of engines with these names, and to the agenda; each counts once.
///
/// # Errors
///
/// If a game cannot be read, or other engines have played it.
pub fn add_games(
    results: &mut Results,
    agenda: &mut Agenda,
    names: &[String],
    games: impl Iterator<Item = Result<impl Borrow<GameRecord>, StoreError>>,
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
            agenda.finish(record.game, [white, black], points, record.margin);
        }
    }
    Ok(())
}

/// Plays all games that `store` does not hold already, and returns the results. If the tournament is stopped, these are
/// the results of the games that were finished.
///
/// # Errors
///
/// If an opening is not legal, results cannot be kept, or an engine crashes and [`Plan::recover`] is false.
pub fn run(
    plan: &Plan,
    store: Option<Store>,
    report: &mut (dyn FnMut(&Event<'_>) + Send),
) -> Result<Results, TournamentError> {
    let names: Vec<_> = plan.engines.iter().map(|engine| engine.name.clone()).collect();
    let mut results = Results::new(names.clone(), plan.pairs, plan.sprt);
    let mut agenda = Agenda::new(plan.schedule);
    if let Some(store) = &store {
        add_games(&mut results, &mut agenda, &names, store.games()?)?;
        report(&Event::Resumed(results.games()));
    }
    let shared = Mutex::new(Shared { agenda, results, store, failed: None, report });
    let ended = Condvar::new();
    std::thread::scope(|scope| {
        for _ in 0..plan.concurrency.max(1) {
            scope.spawn(|| Worker { plan, shared: &shared, ended: &ended, clients: Vec::new() }.work());
        }
    });
    let Shared { agenda, mut results, store, failed, .. } = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    match failed {
        Some(error) => Err(error),
        None => {
            results.tell(agenda.standing(&names));
            if let (Some(store), false) = (store, plan.stop.load(Ordering::Relaxed)) {
                let mut result = results.json();
                for (name, value) in plan.occasion.fields() {
                    if let Some(value) = value {
                        result[name] = value.as_str().into();
                    }
                }
                store.finish(&result)?;
            }
            Ok(results)
        }
    }
}

/// Whether later pairings depend on results.
fn plan_depends(plan: &Plan) -> bool {
    plan.schedule.format.depends_on_results()
}

/// Plays one game after the other.
struct Worker<'a, 'b> {
    plan: &'a Plan,
    shared: &'a Mutex<Shared<'b>>,
    /// Told when a game has ended.
    ended: &'a Condvar,
    /// Engines that run, by their numbers.
    clients: Vec<(usize, Client)>,
}

impl Worker<'_, '_> {
    fn work(mut self) {
        while let Some(fixture) = self.next() {
            let played = self.game(&fixture);
            let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
            // A game that was broken off has no result.
            if self.plan.stop.load(Ordering::Relaxed) {
                break;
            }
            if let Err(error) = played.and_then(|record| self.keep(&mut shared, &fixture, record)) {
                shared.failed.get_or_insert(error);
            }
            drop(shared);
            self.ended.notify_all();
        }
    }

    fn next(&self) -> Option<Fixture> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if self.plan.stop.load(Ordering::Relaxed) || shared.failed.is_some() || shared.results.verdict().is_some() {
                return None;
            }
            match shared.agenda.draw() {
                Ok(Turn::Game(fixture)) => {
                    (shared.report)(&Event::Started(&fixture));
                    return Some(fixture);
                }
                Ok(Turn::Over) => return None,
                // A stop tells nobody.
                Ok(Turn::Wait) => {
                    let waited = self.ended.wait_timeout(shared, Duration::from_millis(50));
                    shared = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
                Err(game) => {
                    shared.failed.get_or_insert(TournamentError::Pairing(game));
                }
            }
        }
    }

    fn keep(&self, shared: &mut Shared<'_>, fixture: &Fixture, record: GameRecord) -> Result<(), TournamentError> {
        if let Some(store) = &shared.store {
            store.add(&record)?;
        }
        shared.results.add_game(fixture.players, &record);
        if plan_depends(self.plan) {
            let points = record.white_half_points().unwrap_or(1);
            shared.agenda.finish(record.game, fixture.players, points, record.margin);
        }
        (shared.report)(&Event::Finished(&record, &shared.results));
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
        Client::start(spec, self.plan.variant, &self.plan.manners(&|_| {})).map_err(|error| error.to_string())
    }

    fn game(&mut self, fixture: &Fixture) -> Result<GameRecord, TournamentError> {
        let plan = self.plan;
        // Only engines that play need to run.
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
            ponders: fixture.players.map(|number| plan.engines[number].ponder),
            adjudication: &plan.adjudication,
            counter: &plan.counter,
        };
        let players = clients.each_mut().map(|client| client.as_mut().map_err(|error| error.clone()));
        let played = play(&pairing, players).map_err(|error| TournamentError::Opening(fixture.opening + 1, error))?;
        for ((number, client), broken) in fixture.players.into_iter().zip(clients).zip(played.broken) {
            if let (Ok(client), false) = (client, broken || plan.engines[number].restart) {
                self.clients.push((number, client));
            }
        }
        let mut record = played.record;
        let day = utc(SystemTime::now()).get(..10).unwrap_or("????.??.??").replace('-', ".");
        let mut tag = |name: &str, value: String| record.tags.insert(name.to_owned(), value);
        let Occasion { title, event, site, date } = &plan.occasion;
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
