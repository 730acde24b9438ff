//! Records that somebody else hands in, or that lie in a folder: each game is played again by the rules before it
//! counts. What a record says beyond that, such as times and scores, nobody can check.

use super::game::{Adjudication, Pairing, Referee};
use super::opening::Opening;
use super::record::{GameRecord, Reason, result_text};
use super::schedule::{Fixture, Schedule};
use super::spec::Allowance;
use hippolyta::engine::Counter;
use hippolyta::games::Outcome;
use hippolyta::games::general::RuleSet;
use hippolyta::games::variant::Variant;
use hippolyta::words::one_line;

/// A match, as its records are held against it.
pub struct Replay<'a> {
    /// The engines.
    pub names: Vec<String>,
    /// Rule set.
    pub variant: Variant,
    /// Openings, used in turn; empty if nobody knows them.
    pub openings: &'a [Opening],
    /// Who plays whom.
    pub schedule: Schedule,
    /// When games are adjudicated.
    pub adjudication: &'a Adjudication,
    /// Counts results and margins.
    pub counter: &'a Counter,
}

impl Replay<'_> {
    /// The engines that played a game of the match, White first.
    ///
    /// # Errors
    ///
    /// Why it can be no game of the match.
    pub fn check(&self, record: &GameRecord) -> Result<[usize; 2], String> {
        let find = |name: &str| {
            let place = self.names.iter().position(|known| known == name);
            place.ok_or_else(|| one_line(&format!("'{name}' is no engine of this match")))
        };
        let players = [find(&record.white)?, find(&record.black)?];
        // Games of rounds that were planned before, and pairings that depend on results, are checked by themselves.
        let is_planned = record.game < self.schedule.len();
        if is_planned && !self.schedule.format.depends_on_results() {
            self.check_game(&self.schedule.fixture(record.game), record)?;
        } else {
            let fixture = Fixture { game: record.game, players, opening: record.opening };
            self.held_against(&fixture, record, is_planned)?;
        }
        Ok(players)
    }

    /// Checks the record of one game of the match.
    ///
    /// # Errors
    ///
    /// Why it can be no record of this game.
    pub fn check_game(&self, fixture: &Fixture, record: &GameRecord) -> Result<(), String> {
        self.held_against(fixture, record, true)
    }

    fn held_against(&self, fixture: &Fixture, record: &GameRecord, is_planned: bool) -> Result<(), String> {
        let own = Opening {
            fen: record.fen.clone(),
            moves: record.moves.iter().take_while(|played| played.book).map(|played| played.text.clone()).collect(),
        };
        let opening = match self.openings {
            all if is_planned && !all.is_empty() => &all[(fixture.opening % all.len() as u64) as usize],
            _ => &own,
        };
        let pairing = Pairing {
            game: fixture.game,
            opening_number: fixture.opening,
            variant: self.variant.clone(),
            opening,
            names: fixture.players.map(|number| self.names[number].as_str()),
            allowances: [Allowance::default(); 2],
            ponders: [false; 2],
            adjudication: self.adjudication,
            counter: self.counter,
            seed: 0,
        };
        replayed(&pairing, record).map_err(|what| one_line(&what))
    }
}

fn replayed(pairing: &Pairing<'_>, record: &GameRecord) -> Result<(), String> {
    let same = |what: &str, found: &str, wanted: &str| {
        if found == wanted { Ok(()) } else { Err(format!("{what} is {found}, not {wanted}")) }
    };
    let [white, black] = pairing.names;
    let next = |number: u64| number.saturating_add(1).to_string();
    same("its number", &next(record.game), &next(pairing.game))?;
    same("White", &format!("'{}'", record.white), &format!("'{white}'"))?;
    same("Black", &format!("'{}'", record.black), &format!("'{black}'"))?;
    if white == black {
        return Err(format!("'{white}' plays itself"));
    }
    same("the rule set", &record.variant, pairing.variant.name())?;
    if record.rules != pairing.variant.own().map(RuleSet::line) {
        return Err(format!("its rules of {} are not those of the match", record.variant));
    }
    same("the number of its opening", &next(record.opening), &next(pairing.opening_number))?;
    same("the start", &record.fen, &pairing.opening.fen)?;
    if record.detail.contains(char::is_control) {
        return Err("its detail has control characters".to_owned());
    }
    let (mut referee, book) = Referee::begin(pairing).map_err(|error| format!("its opening: {error}"))?;
    let of_opening = record.moves.iter().take_while(|played| played.book).map(|played| played.text.as_str());
    if !of_opening.eq(book.iter().map(String::as_str)) {
        return Err("its first turns are not those of the opening".to_owned());
    }
    for (number, played) in (1..).zip(&record.moves).skip(book.len()) {
        if let Some((.., detail)) = referee.ending() {
            return Err(format!("turn {number} comes after the end: {detail}"));
        }
        referee.play(&played.text, played.score).map_err(|error| format!("turn {number}: {error}"))?;
    }
    ended_so(&referee, record)?;
    same("the last position", &record.final_fen, &referee.board.fen())?;
    if let Some(margin) = record.margin
        && referee.margin(record.reason) != Some(margin)
    {
        return Err(format!("the margin is not {margin}"));
    }
    Ok(())
}

/// Whether a game may have ended as its record says, in the position of the referee.
fn ended_so(referee: &Referee<'_>, record: &GameRecord) -> Result<(), String> {
    let mover = referee.board.side_to_move();
    let result = &*record.result;
    let ending = match record.reason {
        Reason::Exact => referee.ending().or_else(|| referee.certain()),
        _ => referee.ending(),
    };
    let holds = match (&ending, record.reason) {
        (Some((outcome, reason, _)), said) => *reason == said && result == result_text(*outcome),
        // They may fail in the middle of a game alone, and only the one whose turn it is can lose by its turn.
        (None, Reason::Resignation | Reason::Time | Reason::IllegalMove) => result == result_text(Outcome::Win(!mover)),
        (None, Reason::Crash | Reason::Silence) => ["1-0", "0-1"].contains(&result),
        (None, Reason::Rules | Reason::DrawByScore | Reason::MaxMoves | Reason::Exact) => false,
    };
    if holds {
        return Ok(());
    }
    let (words, then) = (record.reason.words(), ending.map_or("the game goes on".to_owned(), |(.., detail)| detail));
    Err(format!("it says {result} ({words}), but in its last position {then}"))
}
