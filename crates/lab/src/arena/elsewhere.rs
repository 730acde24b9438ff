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
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use thiserror::Error;

/// Records of a game that may be refused; then it is missing.
const MOST_REFUSED: u32 = 3;

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
    /// The seed of the match.
    seed: u64,
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
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Start { .. } | Self::Stopped)
    }
}

impl Order {
    /// The number of the game, from 0.
    pub fn game(&self) -> u64 {
        self.fixture.game
    }

    /// How many cores it keeps busy.
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
            schedule: Schedule {
                engines: 2,
                format: Format::RoundRobin,
                rounds: 1,
                games: 1,
                repeat: false,
                seed: self.seed,
            },
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
    /// Games that are to be handed out again, as a record of them was refused.
    again: VecDeque<Fixture>,
    /// How many records of a game were refused.
    refused: HashMap<u64, u32>,
    /// Games of which too many were, and why the last one was. They are counted by nobody.
    missing: BTreeMap<u64, String>,
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
        let ledger = Ledger::open(setup, store)?;
        let (open, again, refused, missing) = (VecDeque::new(), VecDeque::new(), HashMap::new(), BTreeMap::new());
        Ok(Self { ledger, open, ahead, again, refused, missing, is_over: false })
    }

    /// Games of which no record was right, and why the last one was refused.
    pub fn missing(&self) -> &BTreeMap<u64, String> {
        &self.missing
    }

    /// The results so far.
    pub fn results(&self) -> &Results {
        self.ledger.results()
    }

    /// Whether all games are counted that the match has, or its test has decided.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The next game to be played. `None` if none is left, or if others must end first. Processes play it that work in
    /// any folder; ours is `here`.
    ///
    /// # Errors
    ///
    /// If a game of the folder cannot be kept.
    pub fn order(&mut self, here: &Path, report: &mut dyn FnMut(&Event<'_>)) -> Result<Option<Order>, TournamentError> {
        let left_out = [self.ledger.left_out(), std::mem::take(&mut self.ahead.damaged)].concat();
        left_out.iter().for_each(|what| report(&Event::LeftOut(what)));
        self.count(report)?;
        if let Some(fixture) = self.again.pop_front() {
            return Ok(Some(self.order_of(fixture, here)));
        }
        loop {
            match self.ledger.draw() {
                Next::Game(fixture) => {
                    self.open.push_back(fixture);
                    let checked =
                        self.ahead.get(fixture.game).map(|known| self.ledger.replay().check_game(&fixture, known));
                    match checked {
                        Some(Ok(())) => {
                            self.count(report)?;
                            continue;
                        }
                        Some(Err(what)) => {
                            report(&Event::LeftOut(&format!("game {}: {what}", fixture.game + 1)));
                            self.ahead.forget(fixture.game)?;
                        }
                        None => {}
                    }
                    report(&Event::Started(&fixture));
                    return Ok(Some(self.order_of(fixture, here)));
                }
                Next::Wait => {
                    // Who plays on depends on a game that is missing.
                    self.is_over |= self.open.is_empty();
                    return Ok(None);
                }
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
            seed: setup.schedule.seed,
        }
    }

    /// Keeps a game that was played, and counts those whose turn has come. A game that nobody waits for is ignored.
    ///
    /// # Errors
    ///
    /// [`TournamentError::Refused`] if the record cannot be one of this game, which is handed out again then, a few
    /// times at most. Others if it cannot be kept, or an engine crashed and [`MatchSetup::recover`] is false.
    pub fn add(&mut self, record: GameRecord, report: &mut dyn FnMut(&Event<'_>)) -> Result<(), TournamentError> {
        let Some(&fixture) = self.open.iter().find(|fixture| fixture.game == record.game) else { return Ok(()) };
        if !self.ahead.has(record.game) {
            if let Err(what) = self.ledger.replay().check_game(&fixture, &record) {
                return Err(self.refuse(record.game, what));
            }
            match self.open.front() {
                Some(first) if first.game == record.game => self.count_one(&record, report)?,
                _ => self.ahead.keep(record)?,
            }
        }
        self.count(report)
    }

    /// A game that is out is to be played again, as its record is of no use. After a few times it is missing.
    pub fn refuse(&mut self, game: u64, what: String) -> TournamentError {
        let refused = self.refused.entry(game).or_default();
        *refused += 1;
        if *refused >= MOST_REFUSED {
            self.open.retain(|fixture| fixture.game != game);
            self.missing.insert(game, what.clone());
        } else {
            self.again.extend(self.open.iter().find(|fixture| fixture.game == game));
        }
        TournamentError::Refused { game, what }
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
        self.ledger.close(!self.missing.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::MatchOptions;
    use super::super::record::Reason;
    use super::super::statistics::Sprt;
    use super::super::store::games;
    use super::super::tournament::run;
    use super::*;
    use std::fs;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn engine(text: &str) -> EngineSpec {
        EngineSpec::parse(&[], &words(text)).unwrap()
    }

    fn options(sprt: &str) -> MatchOptions {
        MatchOptions {
            engines: ["cmd=self name=a nodes=40", "cmd=self name=b nodes=1"].map(engine).to_vec(),
            variant: variant::find("amazons6").unwrap(),
            games: 24,
            book_plies: 2,
            sprt: Sprt::from_words(&words(sprt)).unwrap(),
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
    fn records_that_the_rules_contradict_are_refused_and_their_games_played_again() {
        let setup = MatchOptions { games: 2, ..options("") }.setup(Arc::default()).unwrap();
        let mut games = Elsewhere::open(&setup, None).unwrap();
        let tell = &mut |_: &Event<'_>| ();
        let order = games.order(Path::new("/"), tell).unwrap().unwrap();
        let record = order.play(&Arc::default()).unwrap();
        let last = record.moves.len() - 1;
        type Forgery<'a> = (&'a str, &'a dyn Fn(&mut GameRecord));
        let forged: [Forgery<'_>; 14] = [
            ("it says 1-0 ", &|r| r.result = if r.result == "1-0" { "0-1" } else { "1-0" }.to_owned()),
            ("it says ", &|r| r.reason = Reason::Resignation),
            ("it says 1/2-1/2 (drawn by scores)", &|r| {
                (r.result, r.reason, r.margin) = ("1/2-1/2".to_owned(), Reason::DrawByScore, None);
            }),
            ("it says draw", &|r| r.result = "draw".to_owned()),
            ("turn 3: ", &|r| r.moves[2].text = "a1a1,a1a1".to_owned()),
            ("turn ", &|r| r.moves.push(r.moves[last].clone())),
            ("it says ", &|r| r.moves.truncate(last)),
            ("its first turns ", &|r| r.moves[0] = r.moves[1].clone()),
            ("its first turns ", &|r| r.moves[2].book = true),
            ("the rule set is amazons, not amazons6", &|r| r.variant = "amazons".to_owned()),
            ("the start is ", &|r| r.fen = "q4q/6/6/6/6/Q4Q w - - 0 1".to_owned()),
            ("White is 'c', not 'a'", &|r| r.white = "c".to_owned()),
            ("the last position is ", &|r| r.final_fen = r.fen.clone()),
            ("the margin is not 99", &|r| r.margin = Some(99.0)),
        ];
        for (what, forge) in forged {
            let mut forged = record.clone();
            forge(&mut forged);
            games.refused.clear();
            let error = games.add(forged.clone(), tell).unwrap_err();
            let TournamentError::Refused { game: 0, what: said } = error else { panic!("{error}") };
            assert!(said.starts_with(what) || what == "it says 1-0 " && said.starts_with("it says 0-1 "), "{said}");
            // It is handed out again.
            assert_eq!(games.order(Path::new("/"), tell).unwrap().unwrap().game(), 0);
        }
        assert_eq!(games.results().games(), 0);
        // Whatever ends a game before the rules do.
        let cut = |reason, result: &str| {
            let mut cut = record.clone();
            cut.moves.truncate(5);
            let board = crate::arena::opening::after_opening(
                &setup.variant,
                &Opening { fen: cut.fen.clone(), moves: cut.moves.iter().map(|played| played.text.clone()).collect() },
            );
            (cut.final_fen, cut.margin, cut.reason) = (board.unwrap().0.fen(), None, reason);
            cut.result = result.to_owned();
            setup.replay().check(&cut).is_ok()
        };
        // After five turns Black is to move.
        for reason in [Reason::Time, Reason::Resignation, Reason::IllegalMove] {
            assert!(cut(reason, "1-0") && !cut(reason, "0-1") && !cut(reason, "1/2-1/2"), "{reason:?}");
        }
        assert!(cut(Reason::Crash, "1-0") && cut(Reason::Crash, "0-1") && !cut(Reason::Silence, "1/2-1/2"));
        assert!([Reason::Rules, Reason::MaxMoves, Reason::Exact].iter().all(|&reason| !cut(reason, "1-0")));
        // One that never comes back right is missing, and the others count.
        games.refused.clear();
        for _ in 0..MOST_REFUSED {
            games.refuse(0, "no".to_owned());
        }
        games.again.clear();
        let other = games.order(Path::new("/"), tell).unwrap().unwrap();
        assert_eq!(other.game(), 1);
        games.add(other.play(&Arc::default()).unwrap(), tell).unwrap();
        assert!(games.order(Path::new("/"), tell).unwrap().is_none() && games.is_over());
        assert_eq!((games.results().games(), games.missing().keys().collect::<Vec<_>>()), (1, vec![&0]));
    }

    #[test]
    fn an_engine_that_does_not_start_loses_no_game() {
        let engines = ["cmd=self name=a nodes=1", "cmd=./nowhere name=b nodes=1"].map(engine).to_vec();
        let options = MatchOptions { engines, book_plies: 0, ..options("") };
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
