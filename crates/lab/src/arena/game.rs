//! One game between two engines, under our rules.

use super::client::{Answer, Client, EngineScore};
use super::opening::{Opening, OpeningError, after_opening};
use super::process::Lost;
use super::record::{GameRecord, MoveRecord, Reason, result_text};
use super::spec::Allowance;
use crate::seeds;
use clap::ValueEnum;
use hippolyta::engine::{Board, Counter};
use hippolyta::games::general::RuleSet;
use hippolyta::games::variant::Variant;
use hippolyta::games::{Outcome, Side, TurnError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// When a game is adjudicated before it ends by the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// Resigns for an engine after `move_count` consecutive scores of −`score` or less.
    pub resign: Option<Resign>,
    /// Draws a game after `move_count` consecutive scores of each side within ±`score`.
    pub draw: Option<DrawRule>,
    /// Draws a game after N moves of both sides, those of the opening included.
    pub max_moves: Option<u32>,
    /// Ends a game as soon as this is certain.
    pub certain: Option<Certain>,
}

/// Facts that must be certain before a game ends: see [`Adjudication::certain`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
pub enum Certain {
    /// The result: [`Counter::decided`].
    #[serde(rename = "exact", alias = "Result")]
    #[value(name = "exact")]
    Result,
    /// The margin as well, where the rule set has one.
    #[serde(rename = "count", alias = "Margin")]
    #[value(name = "count")]
    Margin,
    /// The result, by a proof search as well: [`Counter::proven`].
    #[serde(rename = "proof")]
    #[value(name = "proof")]
    Proof,
}

/// Positions that a proof search may look at after each turn, for [`Certain::Proof`].
const PROOF: u64 = 20_000;

/// See [`Adjudication::resign`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resign {
    /// Consecutive moves.
    pub move_count: u32,
    /// Centipawns below 0.
    pub score: i32,
    /// Whether the other engine must agree.
    pub two_sided: bool,
}

/// See [`Adjudication::draw`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// Not before this move of each side.
    pub move_number: u32,
    /// Consecutive moves of each side.
    pub move_count: u32,
    /// Centipawns from 0.
    pub score: i32,
}

/// How long after its flag has fallen an engine may still send its move, so that it can play the next game.
const GRACE: Duration = Duration::from_millis(500);

/// A game to be played.
pub struct Pairing<'a> {
    /// Number in the schedule, and of the opening.
    pub game: u64,
    /// Number of the opening.
    pub opening_number: u64,
    /// Rule set.
    pub variant: Variant,
    /// How it begins.
    pub opening: &'a Opening,
    /// White's name, then Black's.
    pub names: [&'a str; 2],
    /// The allowance of each.
    pub allowances: [Allowance; 2],
    /// Which of them think on while the other one does.
    pub ponders: [bool; 2],
    /// When to adjudicate.
    pub adjudication: &'a Adjudication,
    /// Counts results and margins.
    pub counter: &'a Counter,
    /// The seed of the match: each engine gets one of its own for each game, for what it draws by lot.
    pub seed: u64,
}

/// A side's clock.
#[derive(Clone, Copy)]
struct Watch {
    allowance: Allowance,
    left: Option<Duration>,
    moves_to_go: Option<u32>,
}

impl Watch {
    fn new(allowance: Allowance) -> Self {
        let clock = allowance.clock;
        Self { allowance, left: clock.map(|clock| clock.time), moves_to_go: clock.and_then(|clock| clock.moves) }
    }

    fn increment(&self) -> Duration {
        self.allowance.clock.map_or(Duration::ZERO, |clock| clock.increment)
    }

    /// The most that the next move may take.
    fn limit(&self) -> Option<Duration> {
        let shortest = [self.left, self.allowance.move_time].into_iter().flatten().min();
        shortest.map(|time| time + self.allowance.margin())
    }

    /// A move was made in time.
    fn press(&mut self, used: Duration) {
        let Some((clock, left)) = self.allowance.clock.zip(self.left) else { return };
        let mut left = left.saturating_sub(used) + clock.increment;
        if let Some(moves) = &mut self.moves_to_go {
            *moves -= 1;
            if *moves == 0 {
                *moves = clock.moves.unwrap_or(1);
                left += clock.time;
            }
        }
        self.left = Some(left);
    }
}

/// The counters of adjudication.
#[derive(Default)]
struct Scores {
    /// Consecutive moves at which a side reported a lost, and a won position.
    hopeless: [u32; 2],
    winning: [u32; 2],
    /// Consecutive moves of both sides with scores near 0.
    level: u32,
}

impl Scores {
    fn note(&mut self, side: Side, score: Option<EngineScore>, adjudication: &Adjudication) {
        let score = score.map(EngineScore::centipawns);
        let count = |holds: bool, counter: &mut u32| *counter = if holds { *counter + 1 } else { 0 };
        if let Some(rule) = adjudication.resign {
            count(score.is_some_and(|score| score <= -rule.score), &mut self.hopeless[side.index()]);
            count(score.is_some_and(|score| score >= rule.score), &mut self.winning[side.index()]);
        }
        if let Some(rule) = adjudication.draw {
            count(score.is_some_and(|score| score.abs() <= rule.score), &mut self.level);
        }
    }

    fn verdict(&self, side: Side, moves: u32, adjudication: &Adjudication) -> Option<Ending> {
        if let Some(rule) = adjudication.resign {
            let agreed = !rule.two_sided || self.winning[(!side).index()] >= rule.move_count;
            if self.hopeless[side.index()] >= rule.move_count && agreed {
                return Some((Outcome::Win(!side), Reason::Resignation, format!("{side} resigns by its scores")));
            }
        }
        if let Some(rule) = adjudication.draw
            && moves >= rule.move_number.saturating_mul(2)
            && self.level >= rule.move_count.saturating_mul(2)
        {
            return Some((Outcome::Draw, Reason::DrawByScore, "drawn by both sides' scores".to_owned()));
        }
        adjudication
            .max_moves
            .filter(|&most| moves >= most)
            .map(|most| (Outcome::Draw, Reason::MaxMoves, format!("{most} moves")))
    }
}

/// How a game ended: its result, why, and the reason as a sentence.
pub(super) type Ending = (Outcome, Reason, String);

/// Knows when a game is over, while it is played and when its record is looked at.
pub(super) struct Referee<'a> {
    pub board: Board,
    pairing: &'a Pairing<'a>,
    scores: Scores,
    /// Turns, those of the opening included.
    turns: u32,
    /// Who played the last turn after the opening.
    last: Option<Side>,
}

impl<'a> Referee<'a> {
    /// A game after its opening, and the turns of that in their usual spelling.
    pub fn begin(pairing: &'a Pairing<'a>) -> Result<(Self, Vec<String>), OpeningError> {
        let (board, book) = after_opening(&pairing.variant, pairing.opening)?;
        Ok((Self { board, pairing, scores: Scores::default(), turns: book.len() as u32, last: None }, book))
    }

    /// Plays an engine's turn, with its score; returns its usual spelling.
    pub fn play(&mut self, turn: &str, score: Option<EngineScore>) -> Result<String, TurnError> {
        let side = self.board.side_to_move();
        let turn = self.board.play(turn)?.to_string();
        self.turns += 1;
        self.last = Some(side);
        self.scores.note(side, score, self.pairing.adjudication);
        Ok(turn)
    }

    /// The end by the rules, by scores or by the number of turns.
    pub fn ending(&self) -> Option<Ending> {
        if let Some(outcome) = self.board.outcome() {
            let detail = match outcome {
                Outcome::Win(side) => format!("{side} wins by the rules"),
                Outcome::Draw => "drawn by the rules".to_owned(),
            };
            return Some((outcome, Reason::Rules, detail));
        }
        self.scores.verdict(self.last?, self.turns, self.pairing.adjudication)
    }

    /// The end because the result is certain.
    pub fn certain(&self) -> Option<Ending> {
        let counter = self.pairing.counter;
        let certain = self.pairing.adjudication.certain?;
        let (outcome, by) = match counter.decided(&self.board) {
            Some(decided) if certain == Certain::Margin && decided.margin.is_none() && counter.has_margins() => None,
            Some(decided) => Some((decided.outcome, "exact count")),
            None if certain == Certain::Proof => counter.proven(&self.board, PROOF).map(|outcome| (outcome, "proof")),
            None => None,
        }?;
        let detail = match outcome {
            Outcome::Win(side) => format!("{side} wins by {by}"),
            Outcome::Draw => format!("drawn by {by}"),
        };
        Some((outcome, Reason::Exact, detail))
    }

    /// White's margin, if a game that ended for this reason has one.
    pub fn margin(&self, reason: Reason) -> Option<f64> {
        let counted = matches!(reason, Reason::Rules | Reason::Exact);
        counted.then(|| self.pairing.counter.decided(&self.board)?.margin).flatten()
    }
}

/// The result of [`play`].
pub struct Played {
    /// Its record.
    pub record: GameRecord,
    /// Which engine must be started anew: White's, Black's.
    pub broken: [bool; 2],
}

/// Plays a game to its end. An engine that breaks the rules, the clock or the connection loses it; `players` are
/// White's engine and Black's, or why it could not be started.
pub fn play(pairing: &Pairing<'_>, players: [Result<&mut Client, String>; 2]) -> Result<Played, OpeningError> {
    let (mut referee, book) = Referee::begin(pairing)?;
    let mut moves: Vec<_> = book.into_iter().map(MoveRecord::book).collect();
    let mut broken = [false; 2];
    let (outcome, reason, detail) = decide(pairing, players, &mut referee, &mut moves, &mut broken);
    let record = GameRecord {
        game: pairing.game,
        opening: pairing.opening_number,
        variant: pairing.variant.name().to_owned(),
        rules: pairing.variant.own().map(RuleSet::line),
        fen: pairing.opening.fen.clone(),
        white: pairing.names[0].to_owned(),
        black: pairing.names[1].to_owned(),
        moves,
        result: result_text(outcome).to_owned(),
        margin: referee.margin(reason),
        reason,
        // It may quote what an engine has said.
        detail: detail.replace(char::is_control, "?"),
        final_fen: referee.board.fen(),
        tags: BTreeMap::new(),
    };
    Ok(Played { record, broken })
}

fn decide(
    pairing: &Pairing<'_>,
    players: [Result<&mut Client, String>; 2],
    referee: &mut Referee<'_>,
    moves: &mut Vec<MoveRecord>,
    broken: &mut [bool; 2],
) -> Ending {
    let mut clients = Vec::new();
    for (side, player) in [Side::White, Side::Black].into_iter().zip(players) {
        match player {
            Ok(client) => clients.push(client),
            Err(why) => {
                broken[side.index()] = true;
                return (Outcome::Win(!side), Reason::Crash, format!("{side} does not start: {why}"));
            }
        }
    }
    let seed = |side: Side| seeds::of(pairing.seed, pairing.game.wrapping_mul(2) + side.index() as u64);
    for side in [Side::White, Side::Black] {
        if let Err(lost) = clients[side.index()].new_game(Some(seed(side))) {
            broken[side.index()] = true;
            return fault(side, lost);
        }
    }
    let start = if pairing.opening.fen == pairing.variant.start() {
        "startpos".to_owned()
    } else {
        format!("fen {}", pairing.opening.fen)
    };
    let mut position = format!("position {start} moves");
    moves.iter().for_each(|played| position.extend([" ", &played.text]));
    let mut watches = pairing.allowances.map(Watch::new);
    let ending = |referee: &Referee<'_>| referee.ending().or_else(|| referee.certain());
    if let Some(ending) = ending(referee) {
        return ending;
    }
    // The replies on which the engines ponder.
    let mut expected = [None::<String>, None];
    loop {
        let side = referee.board.side_to_move();
        let watch = watches[side.index()];
        let (first, second) = clients.split_at_mut(1);
        let (white, black) = (&mut *first[0], &mut *second[0]);
        let (client, other) = if side == Side::White { (white, black) } else { (black, white) };
        let clocks = [watches[0].left, watches[1].left];
        let increments = [watches[0].increment(), watches[1].increment()];
        let go = client.go(&watch.allowance, clocks, increments, watch.moves_to_go);
        // No text is needed for moves before the first.
        let line = position.strip_suffix(" moves").unwrap_or(&position);
        let limit = watch.limit();
        let deadline = limit.map(|limit| limit + GRACE);
        // The other one may ponder, and nobody else listens to it.
        let mut meanwhile = || other.catch_up();
        let hit = expected[side.index()].take().is_some_and(|reply| position.ends_with(&format!(" {reply}")));
        let (info, used, answer) = if hit {
            client.ponder_hit(deadline, &mut meanwhile)
        } else {
            client.think(line, &go, deadline, &mut meanwhile)
        };
        let loses = |reason, detail| (Outcome::Win(!side), reason, detail);
        if let Some(limit) = limit.filter(|&limit| used > limit && answer != Err(Lost::Ended)) {
            broken[side.index()] = answer.is_err();
            let margin = watch.allowance.margin();
            let (used, allowed) = (used.as_millis(), limit.saturating_sub(margin).as_millis());
            let said = if answer.is_err() { ", with no move" } else { "" };
            let margin = margin.as_millis();
            let detail = format!("{side} loses on time: {used} ms of {allowed} ms, with a margin of {margin} ms{said}");
            return loses(Reason::Time, detail);
        }
        let Answer { turn, reply } = match answer {
            Ok(answer) => answer,
            Err(lost) => {
                broken[side.index()] = true;
                return fault(side, lost);
            }
        };
        if turn == "resign" {
            return loses(Reason::Resignation, format!("{side} resigns"));
        }
        let text = match referee.play(&turn, info.score) {
            Ok(turn) => turn,
            Err(error) => {
                broken[side.index()] = true;
                return loses(Reason::IllegalMove, format!("{side}: {error}"));
            }
        };
        watches[side.index()].press(used);
        position.extend([" ", &text]);
        moves.push(MoveRecord {
            text,
            book: false,
            time_us: Some(used.as_micros() as u64),
            clock_ms: watches[side.index()].left.map(|left| left.as_millis() as u64),
            score: info.score,
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            ponderhit: hit,
        });
        if let Some(ending) = ending(referee) {
            return ending;
        }
        if pairing.ponders[side.index()]
            && let Some(reply) = reply.and_then(|reply| goes_on_after(&referee.board, &reply))
        {
            let clocks = [watches[0].left, watches[1].left];
            let go = client.go(&watch.allowance, clocks, increments, watches[side.index()].moves_to_go);
            // If it is gone, its next turn tells.
            if client.ponder(&format!("{position} {reply}"), &go).is_ok() {
                expected[side.index()] = Some(reply);
            }
        }
    }
}

/// The usual spelling of a reply, if it is legal and the game goes on after it.
fn goes_on_after(board: &Board, reply: &str) -> Option<String> {
    let mut then = board.clone();
    let reply = then.play(reply).ok()?;
    then.outcome().is_none().then(|| reply.to_string())
}

fn fault(side: Side, lost: Lost) -> Ending {
    match lost {
        Lost::Ended => (Outcome::Win(!side), Reason::Crash, format!("{side}'s engine has ended")),
        // Games that were stopped do not count.
        Lost::Silent | Lost::Stopped => {
            (Outcome::Win(!side), Reason::Silence, format!("{side}'s engine does not answer"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::spec::TimeControl;
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn a_clock_counts_down_and_is_filled_up_again() {
        let clock = Some(TimeControl { time: MS(1_000), increment: MS(10), moves: Some(2) });
        let mut watch = Watch::new(Allowance { clock, margin: Some(MS(5)), ..Allowance::default() });
        assert_eq!((watch.limit(), watch.increment()), (Some(MS(1_005)), MS(10)));
        watch.press(MS(400));
        assert_eq!((watch.left, watch.moves_to_go), (Some(MS(610)), Some(1)));
        watch.press(MS(612));
        assert_eq!((watch.left, watch.moves_to_go), (Some(MS(1_010)), Some(2)));
        assert_eq!(Watch::new(Allowance { nodes: Some(5), ..Allowance::default() }).limit(), None);
    }

    #[test]
    fn scores_end_a_game_as_the_rules_for_that_say() {
        let resign = Some(Resign { move_count: 2, score: 500, two_sided: true });
        let draw = Some(DrawRule { move_number: 3, move_count: 1, score: 10 });
        let adjudication = Adjudication { resign, draw, max_moves: Some(20), certain: None };
        let info = |cp| Some(EngineScore::Cp(cp));
        let mut scores = Scores::default();
        for (side, cp) in [(Side::White, 600), (Side::Black, -500), (Side::White, 700)] {
            scores.note(side, info(cp), &adjudication);
            assert_eq!(scores.verdict(side, 9, &adjudication), None);
        }
        scores.note(Side::Black, info(-501), &adjudication);
        let verdict = scores.verdict(Side::Black, 9, &adjudication).unwrap();
        assert_eq!((verdict.0, verdict.1), (Outcome::Win(Side::White), Reason::Resignation));
        for cp in [9, -10] {
            scores.note(Side::White, info(cp), &adjudication);
        }
        assert_eq!(scores.verdict(Side::White, 5, &adjudication), None);
        assert_eq!(scores.verdict(Side::White, 6, &adjudication).unwrap().1, Reason::DrawByScore);
        assert_eq!(Scores::default().verdict(Side::White, 20, &adjudication).unwrap().1, Reason::MaxMoves);
    }

    #[test]
    fn a_side_resigns_by_its_own_scores_and_if_need_be_by_those_of_the_other() {
        let info = |cp| Some(EngineScore::Cp(cp));
        // Whether White resigns after scores of its own and Black's.
        let resigns = |two_sided, white: [i32; 2], black: [i32; 2]| {
            let resign = Some(Resign { move_count: 2, score: 500, two_sided });
            let adjudication = Adjudication { resign, ..Adjudication::default() };
            let mut scores = Scores::default();
            for (white, black) in white.into_iter().zip(black) {
                scores.note(Side::White, info(white), &adjudication);
                scores.note(Side::Black, info(black), &adjudication);
            }
            scores.verdict(Side::White, 9, &adjudication).map(|(outcome, reason, _)| (outcome, reason))
        };
        let resigned = Some((Outcome::Win(Side::Black), Reason::Resignation));
        assert_eq!(resigns(false, [-500, -700], [0, 0]), resigned);
        assert_eq!(resigns(true, [-500, -700], [500, 700]), resigned);
        assert_eq!(resigns(true, [-500, -700], [500, 499]), None);
        for two_sided in [false, true] {
            for white in [[-500, -499], [-499, -700], [0, 0], [400, 300], [600, 700]] {
                assert_eq!(resigns(two_sided, white, [500, 700]), None, "{white:?}");
            }
        }
    }

    #[test]
    fn an_engine_that_is_lost_loses() {
        for side in [Side::White, Side::Black] {
            for (lost, reason) in
                [(Lost::Ended, Reason::Crash), (Lost::Silent, Reason::Silence), (Lost::Stopped, Reason::Silence)]
            {
                let (outcome, found, detail) = fault(side, lost);
                assert_eq!((outcome, found), (Outcome::Win(!side), reason));
                assert!(detail.starts_with(&format!("{side}'s engine ")), "{detail}");
            }
        }
    }

    #[test]
    fn an_engine_that_does_not_start_loses_before_the_first_move() {
        let variant = hippolyta::games::variant::DEFAULT;
        let opening = Opening { fen: variant.start().to_owned(), moves: Vec::new() };
        let (adjudication, counter) = (Adjudication::default(), Counter::new(variant));
        let pairing = Pairing {
            game: 7,
            opening_number: 3,
            variant: variant.clone(),
            opening: &opening,
            names: ["one", "two"],
            allowances: [Allowance::default(); 2],
            ponders: [false; 2],
            adjudication: &adjudication,
            counter: &counter,
            seed: 0,
        };
        let Played { record, broken } = play(&pairing, [Err("no file".to_owned()), Err("late".to_owned())]).unwrap();
        assert_eq!((broken, record.moves.len(), record.reason), ([true, false], 0, Reason::Crash));
        assert_eq!((record.result.as_str(), record.detail.as_str()), ("0-1", "white does not start: no file"));
        assert_eq!((record.white.as_str(), record.black.as_str(), record.margin), ("one", "two", None));
    }

    #[test]
    fn a_reply_is_pondered_on_if_it_is_legal_and_the_game_goes_on() {
        let variant = hippolyta::games::variant::DEFAULT;
        let after = |fen: &str, reply| goes_on_after(&Board::from_fen(variant, fen).unwrap(), reply);
        let reply = "a4a3,a3a4";
        assert_eq!(after("Q3/4/4/3q w - - 0 1", reply).as_deref(), Some(reply));
        assert_eq!(after("Q3/4/4/3q w - - 0 1", "a4a3,a4a2"), None);
        // Black cannot move after it.
        assert_eq!(after("Q3/4/2**/2*q w - - 0 1", reply), None);
    }
}
