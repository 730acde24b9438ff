//! The state of a tournament while it goes on: which games are left, the results so far, and where they are kept. It
//! does not know who plays the games, nor how many at a time.

use super::fixtures::{Fixtures, Next};
use super::record::{GameRecord, Reason};
use super::replay::Replay;
use super::results::Results;
use super::schedule::Fixture;
use super::setup::MatchSetup;
use super::store::Store;
use super::tournament::{TournamentError, add_games};
use std::sync::atomic::Ordering;

/// The books of a tournament.
pub(super) struct Ledger<'a> {
    setup: &'a MatchSetup,
    replay: Replay<'a>,
    fixtures: Fixtures,
    results: Results,
    pub store: Option<Store>,
    /// What is wrong with records that are there and do not count, as far as nobody has been told.
    left_out: Vec<String>,
}

impl<'a> Ledger<'a> {
    /// With the games that `store` holds.
    pub fn open(setup: &'a MatchSetup, store: Option<Store>) -> Result<Self, TournamentError> {
        let replay = setup.replay();
        let mut results = Results::new(replay.names.clone(), setup.pairs, setup.sprt);
        let mut fixtures = Fixtures::new(setup.schedule);
        let mut left_out = Vec::new();
        if let Some(store) = &store {
            left_out.extend_from_slice(store.damaged());
            let count = &mut |players, record: GameRecord| results.add_game(players, &record);
            left_out.extend(add_games(&mut fixtures, &replay, store.games()?, count)?);
        }
        Ok(Self { setup, replay, fixtures, results, store, left_out })
    }

    /// What is wrong with records that are there and do not count, unless it was asked before.
    pub fn left_out(&mut self) -> Vec<String> {
        std::mem::take(&mut self.left_out)
    }

    /// What records are held against.
    pub fn replay(&self) -> &Replay<'a> {
        &self.replay
    }

    pub fn setup(&self) -> &'a MatchSetup {
        self.setup
    }

    pub fn results(&self) -> &Results {
        &self.results
    }

    /// The next game. None is left once the test has decided.
    pub fn draw(&mut self) -> Next {
        if self.results.verdict().is_some() { Next::Over } else { self.fixtures.draw() }
    }

    /// Keeps a finished game, and counts it.
    pub fn keep(&mut self, fixture: &Fixture, record: &GameRecord) -> Result<(), TournamentError> {
        if let Some(store) = &mut self.store {
            store.add(record)?;
        }
        self.results.add_game(fixture.players, record);
        if self.setup.schedule.format.depends_on_results() {
            let points = record.white_half_points().unwrap_or(1);
            self.fixtures.finish(record.game, fixture.players, points, record.margin);
        }
        Ok(())
    }

    /// An error if this game ends the tournament: by a crash that nobody recovers from.
    pub fn check(&self, record: &GameRecord) -> Result<(), TournamentError> {
        if !self.setup.recover && matches!(record.reason, Reason::Crash | Reason::Silence) {
            return Err(TournamentError::Crash { game: record.game, detail: record.detail.clone() });
        }
        Ok(())
    }

    /// The results. Those of a tournament that was not stopped and lacks no game are written down.
    pub fn close(self, lacks_games: bool) -> Result<Results, TournamentError> {
        let Self { setup, replay, fixtures, mut results, store, .. } = self;
        results.tell(fixtures.standing(&replay.names));
        if let (Some(store), false) = (store, lacks_games || setup.stop.load(Ordering::Relaxed)) {
            let mut result = results.json();
            for (name, value) in setup.occasion.fields() {
                if let Some(value) = value {
                    result[name] = value.as_str().into();
                }
            }
            store.finish(&result)?;
        }
        Ok(results)
    }
}
