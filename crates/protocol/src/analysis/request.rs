//! The request of a line.

use super::fields::{Fen, List, RuleSet, Rules, Whole};
use super::query::{self, Ended, Fault, Line, Query, go_on};
use hippolyta::engine::{Board, Limits};
use hippolyta::games::variant::{VARIANTS, Variant};
use hippolyta::games::{Turn, general};
use hippolyta::search::Control;
use std::sync::Arc;

/// A line, read and found to make sense.
#[derive(Debug)]
pub(super) struct Request {
    pub action: Action,
    /// Fields that mean nothing.
    pub unknown: Vec<String>,
}

#[derive(Debug)]
pub(super) enum Action {
    Analyse(Arc<Searches>),
    Terminate(Target),
    LegalMoves(Setup, Told),
    Fill(Setup),
    Perft(Perft),
    Review(Setup, Vec<Option<query::PositionFields>>),
    /// Games that name no rule set are of this one.
    ReadGames(query::ReadGamesQuery, Variant),
    WriteGame(query::WriteGameQuery),
    Variants(Vec<Variant>),
    Version,
}

/// The work that is to end: queries with this id, or all; of these only the turns named, if some are.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub id: Option<String>,
    pub turns: Option<Vec<u32>>,
}

impl Target {
    /// Whether work with this id, on the position after `turn` moves, is to end.
    pub fn means(&self, id: &str, turn: Option<u32>) -> bool {
        self.id.as_ref().is_none_or(|target| target == id)
            && self.turns.as_ref().is_none_or(|turns| turn.is_some_and(|turn| turns.contains(&turn)))
    }
}

/// Facts to be told of a position besides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    pub decided: bool,
    pub position: bool,
    pub turns: bool,
}

/// A game up to some move.
#[derive(Debug)]
pub(super) struct Setup {
    pub variant: Variant,
    pub fen: String,
    pub moves: Vec<String>,
}

/// Positions to be searched, and how.
#[derive(Debug)]
pub(super) struct Searches {
    pub id: Arc<str>,
    /// Its control was stopped before it was known to make sense.
    pub is_stopped: bool,
    pub setup: Setup,
    /// The positions, by the number of moves before them, each with its priority.
    pub turns: Vec<(u32, i64)>,
    /// The limits that the query itself sets.
    pub limits: Limits,
    pub multi_pv: usize,
    pub seed: Option<u64>,
    /// Whether the search goes on from what the engine knows.
    pub tree_kept: bool,
    /// Whether the squares of turns are told.
    pub turns_told: bool,
    /// Whether it is told that the result is certain.
    pub decided_told: bool,
}

#[derive(Debug)]
pub(super) struct Perft {
    pub id: Arc<str>,
    pub setup: Setup,
    pub depth: u32,
    pub priority: i64,
}

impl Request {
    /// What a line asks for. Checks what depends on the game.
    pub fn of(line: Line, control: &Control) -> Result<Self, Ended> {
        let id = line.id.clone();
        let (query, unknown) = line.query()?;
        Ok(Self { action: action(&id, query, control)?, unknown })
    }
}

fn action(id: &Arc<str>, query: Query, control: &Control) -> Result<Action, Ended> {
    match query {
        Query::Analyse(analyse) => {
            Searches::new(id.clone(), *analyse, control).map(|searches| Action::Analyse(Arc::new(searches)))
        }
        Query::Terminate(query::TerminateQuery { terminate_id, turn_numbers }) => {
            Ok(Action::Terminate(Target { id: Some(terminate_id), turns: turn_numbers.map(numbers) }))
        }
        Query::TerminateAll(query::TerminateAllQuery { turn_numbers }) => {
            Ok(Action::Terminate(Target { id: None, turns: turn_numbers.map(numbers) }))
        }
        Query::LegalMoves(query::LegalMovesQuery {
            variant,
            rules,
            fen,
            moves,
            include_decided: decided,
            include_position: position,
            include_turns: turns,
        }) => {
            let setup = Setup::new(&rule_set(variant, rules)?, fen, moves);
            Ok(Action::LegalMoves(setup, Told { decided, position, turns }))
        }
        Query::Fill(query::FillQuery { variant, rules, fen, moves }) => {
            Ok(Action::Fill(Setup::new(&rule_set(variant, rules)?, fen, moves)))
        }
        Query::Perft(query::PerftQuery { variant, rules, fen, moves, depth, priority }) => {
            let setup = Setup::new(&rule_set(variant, rules)?, fen, moves);
            setup.check(&[], &[], control)?;
            let priority = priority.map_or(0, |priority| priority.0);
            Ok(Action::Perft(Perft { id: id.clone(), setup, depth: depth.0, priority }))
        }
        Query::Review(query::ReviewQuery { variant, rules, fen, moves, positions }) => {
            let setup = Setup::new(&rule_set(variant, rules)?, fen, moves);
            let (found, expected) = (positions.0.len(), setup.moves.len() + 1);
            if found != expected {
                let message = format!("{found} positions; {expected} are expected");
                return Err(Fault::at("positions", message).into());
            }
            Ok(Action::Review(setup, positions.0.into_iter().map(|known| known.map(|known| known.0)).collect()))
        }
        Query::ReadGames(mut read) => {
            let fallback = rule_set(read.variant.take(), read.rules.take())?;
            Ok(Action::ReadGames(read, fallback))
        }
        Query::WriteGame(write) => Ok(Action::WriteGame(write)),
        Query::Variants(query::VariantsQuery { rules }) => Ok(Action::Variants(match rules {
            Some(Rules(own)) => own.sets.iter().map(general::RuleSet::variant).collect(),
            None => VARIANTS.to_vec(),
        })),
        Query::Version(query::VersionQuery {}) => Ok(Action::Version),
    }
}

/// The rule set that a query names, of its own rules or built in.
fn rule_set(name: Option<RuleSet>, rules: Option<Rules>) -> Result<Variant, Fault> {
    let own = rules.map(|rules| rules.0).unwrap_or_default();
    own.choose(name.as_ref().map(|name| name.0.as_str())).map_err(|error| Fault::at("variant", error))
}

/// The numbers of a list that was read.
fn numbers<N, const LEAST: i64, const MOST: i64>(list: List<Whole<N, LEAST, MOST>>) -> Vec<N> {
    list.0.into_iter().map(|number| number.0).collect()
}

impl Searches {
    fn new(id: Arc<str>, query: query::AnalyseQuery, control: &Control) -> Result<Self, Ended> {
        let mut limits = query.limits();
        let setup = Setup::new(&rule_set(query.variant, query.rules)?, query.fen, query.moves);
        let last = setup.moves.len() as u32;
        let turns = query.analyse_turns.map_or_else(|| vec![last], numbers);
        if turns.is_empty() {
            let message = "at least one number is expected; left out, it means the last";
            return Err(Fault::at("analyseTurns", message).into());
        }
        if let Some((index, turn)) = turns.iter().enumerate().find(|(_, turn)| **turn > last) {
            let message = format!("{turn}: there are only {last} moves");
            return Err(Fault::at(format!("analyseTurns[{index}]"), message).into());
        }
        let mut sorted = turns.clone();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair.first() == pair.last()).and_then(|pair| pair.first()) {
            return Err(Fault::at("analyseTurns", format!("{twice} is there twice")).into());
        }
        let all = query.priority.map_or(0, |priority| priority.0);
        let priorities = query.priorities.map_or_else(|| vec![all; turns.len()], numbers);
        if priorities.len() != turns.len() {
            let (found, expected) = (priorities.len(), turns.len());
            return Err(Fault::at("priorities", format!("{found} numbers for {expected} positions")).into());
        }
        // Whoever ends it now wants an answer about each of its positions.
        let checked = setup.check(&turns, &query.searchmoves.0, control);
        let is_stopped = matches!(checked, Err(Ended::Stopped));
        limits.turns = if is_stopped { Vec::new() } else { checked? };
        Ok(Self {
            id,
            is_stopped,
            setup,
            turns: turns.into_iter().zip(priorities).collect(),
            limits,
            multi_pv: query.multipv.map_or(1, |lines| lines.0),
            seed: query.seed.map(|seed| seed.0),
            tree_kept: query.keep_tree,
            turns_told: query.include_turns,
            decided_told: query.include_decided,
        })
    }
}

impl Setup {
    fn new(variant: &Variant, fen: Option<Fen>, moves: List<String>) -> Self {
        let fen = fen.map_or_else(|| variant.start().to_owned(), |fen| fen.0);
        Self { variant: variant.clone(), fen, moves: moves.0 }
    }

    /// Whether FEN and moves are good, and `search_moves` legal at all of `turns`; returns the latter, read.
    fn check(&self, turns: &[u32], search_moves: &[String], control: &Control) -> Result<Vec<Turn>, Ended> {
        if search_moves.is_empty() {
            return self.board_while(usize::MAX, control).map(|_| Vec::new());
        }
        let (mut board, mut read) = (self.board(0)?, Vec::new());
        for turn in 0..=self.moves.len() {
            if turns.contains(&(turn as u32)) {
                let text = |(index, text): (usize, &String)| {
                    go_on(control)?;
                    let at = || format!("searchmoves[{index}]");
                    board.read(text).map_err(|error| Fault::at(at(), format!("after {turn} moves: {error}")).into())
                };
                read = search_moves.iter().enumerate().map(text).collect::<Result<_, Ended>>()?;
            }
            if self.moves.get(turn).is_some() {
                go_on(control)?;
                self.play(&mut board, turn)?;
            }
        }
        Ok(read)
    }

    /// The position after this many of its moves.
    pub fn board(&self, moves: usize) -> Result<Board, Fault> {
        let mut board = Board::from_fen(&self.variant, &self.fen).map_err(|error| Fault::at("fen", error))?;
        (0..self.moves.len().min(moves)).try_for_each(|index| self.play(&mut board, index).map(|_| ()))?;
        Ok(board)
    }

    /// As [`board`](Self::board), until its control is stopped.
    pub fn board_while(&self, moves: usize, control: &Control) -> Result<Board, Ended> {
        let mut board = self.board(0)?;
        for index in 0..self.moves.len().min(moves) {
            go_on(control)?;
            self.play(&mut board, index)?;
        }
        Ok(board)
    }

    pub fn play(&self, board: &mut Board, index: usize) -> Result<Option<Turn>, Fault> {
        let Some(text) = self.moves.get(index) else { return Ok(None) };
        board.play(text).map(Some).map_err(|error| Fault::at(format!("moves[{index}]"), error))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use serde_json::Value;
    use std::time::Duration;

    /// Reads one line. With an error comes the id, if the line has one.
    pub fn parse(line: &[u8]) -> Result<Request, (Option<Value>, Fault)> {
        let line = Line::read(line)?;
        let id = Value::from(&*line.id);
        Request::of(line, &Control::default()).map_err(|error| match error {
            Ended::Wrong(fault) => (Some(id), fault),
            Ended::Stopped => panic!("stopped by nobody"),
        })
    }

    fn fault(line: &str) -> (Option<Value>, Option<String>, String) {
        match parse(line.as_bytes()) {
            Err((id, Fault { field, message })) => (id, field, message),
            Ok(request) => panic!("{line}: {request:?}"),
        }
    }

    #[test]
    fn a_query_is_read_with_all_its_fields() {
        let line = r#"{"id":"a","variant":"amazons6","moves":["b1b4,b4c4"],"analyseTurns":[1,0],"priorities":[5,-5],"nodes":10,
            "movetime":20,"depth":3,"mate":2,"multipv":4,"seed":7,"reportDuringSearchEvery":0.5,"includeOwnership":true,"foo":1}"#;
        let Request { action: Action::Analyse(query), unknown } = parse(line.as_bytes()).unwrap() else { panic!() };
        assert_eq!((&*query.id, unknown), ("a", vec!["foo".to_owned()]));
        assert_eq!(query.turns, [(1, 5), (0, -5)]);
        assert_eq!((query.limits.nodes, query.multi_pv, query.seed), (Some(10), 4, Some(7)));
        assert_eq!(query.limits.report_every, Some(Duration::from_millis(500)));
        assert!(query.limits.include.ownership && !query.limits.include.territory && !query.limits.is_unlimited());
    }

    #[test]
    fn unknown_fields_are_named_by_their_place() {
        for (line, place) in [
            (r#"{"id":"a","clock":{"white":5,"nodes":5}}"#, "clock.nodes"),
            (
                r#"{"id":"a","action":"review","positions":[{"winrate":0.5,"result":{"outcome":"draw","foo":{}}}]}"#,
                "positions[0].result.foo",
            ),
            (r#"{"id":"a","action":"perft","depth":1,"nodes":5}"#, "nodes"),
        ] {
            assert_eq!(parse(line.as_bytes()).unwrap().unknown, [place], "{line}");
        }
    }

    #[test]
    fn the_last_position_is_analysed_unless_others_are_named() {
        for (line, turns) in [
            (r#"{"id":"a","variant":"amazons6","moves":["b1b4,b4c4"]}"#, vec![(1, 0)]),
            (r#"{"id":"a","action":"analyse","priority":3}"#, vec![(0, 3)]),
            (r#"{"id":"a","variant":"amazons6","moves":["b1b4,b4c4"],"analyzeTurns":[0]}"#, vec![(0, 0)]),
        ] {
            let Action::Analyse(query) = parse(line.as_bytes()).unwrap().action else { panic!() };
            assert_eq!(query.turns, turns, "{line}");
        }
    }

    #[test]
    fn null_is_as_good_as_nothing() {
        let line =
            r#"{"id":"a","action":null,"variant":null,"nodes":null,"includeStones":null,"moves":null,"foo":null}"#;
        let Request { action: Action::Analyse(query), unknown } = parse(line.as_bytes()).unwrap() else { panic!() };
        assert_eq!((query.setup.variant.name(), query.limits.nodes), ("amazons", None));
        assert_eq!(unknown, [""; 0]);
        assert_eq!(fault(r#"{"id":null}"#).1.as_deref(), Some("id"));
        assert_eq!(fault(r#"{"id":"a","moves":[null]}"#).1.as_deref(), Some("moves[0]"));
    }

    #[test]
    fn errors_name_the_field() {
        let a = Some(Value::from("a"));
        for (line, field) in [
            (r#"{"id":"a","variant":"chess"}"#, "variant"),
            (r#"{"id":"a","variant":"knights","rules":"[kings]\nmoves=\"K\""}"#, "variant"),
            (r#"{"id":"a","rules":"[kings]\nmoves=\"X\""}"#, "rules"),
            (r#"{"id":"a","action":"variants","rules":7}"#, "rules"),
            (r#"{"id":"a","fen":"9/9"}"#, "fen"),
            (r#"{"id":"a","action":"perft","fen":"9/9","depth":1}"#, "fen"),
            (r#"{"id":"a","moves":["d1d7,d7g7","d1d2,d2d1"]}"#, "moves[1]"),
            (r#"{"id":"a","moves":"d1d7,d7g7"}"#, "moves"),
            (r#"{"id":"a","analyseTurns":[1]}"#, "analyseTurns[0]"),
            (r#"{"id":"a","analyseTurns":[]}"#, "analyseTurns"),
            (r#"{"id":"a","nodes":5,"nodes":6}"#, "nodes"),
            (r#"{"id":"a","clock":[1,2,3,4,5]}"#, "clock"),
            (r#"{"id":"a","clock":{"white":5,"black":6,"white":7}}"#, "clock.white"),
            (
                r#"{"action":"write_game","id":"a","format":"pgn","record":{"moves":[{"book":1,"book":1}]}}"#,
                "record.moves[0].book",
            ),
            (r#"{"id":"a","moves":["d1d7,d7g7"],"analyseTurns":[1,0,1]}"#, "analyseTurns"),
            (r#"{"id":"a","priorities":[1,2]}"#, "priorities"),
            (r#"{"id":"a","nodes":0}"#, "nodes"),
            (r#"{"id":"a","searchmoves":["d1d7,d7g7","d10d9,d9d8"]}"#, "searchmoves[1]"),
            (r#"{"id":"a","reportDuringSearchEvery":0}"#, "reportDuringSearchEvery"),
            (r#"{"id":"a","priorities":[1,"2"]}"#, "priorities[1]"),
            (r#"{"id":"a","analyseTurns":[0],"analyzeTurns":[0]}"#, "analyseTurns"),
            (r#"{"id":"a","includeStones":1}"#, "includeStones"),
            (r#"{"id":"a","action":"sing"}"#, "action"),
            (r#"{"id":"a","action":"missing field `x`"}"#, "action"),
            (r#"{"id":"a","action":7}"#, "action"),
            (r#"{"id":"a","action":"terminate"}"#, "terminateId"),
            (r#"{"id":"a","action":"perft"}"#, "depth"),
        ] {
            assert_eq!((fault(line).0, fault(line).1.as_deref()), (a.clone(), Some(field)), "{line}");
        }
        let message = |line| fault(line).2;
        assert_eq!(
            message(r#"{"id":"a","rules":"[kings]\nmoves=\"X\""}"#),
            "line 2: kings.moves: 'X' is not Q, R, B, K or N, nor a number behind Q, R or B"
        );
        assert!(message(r#"{"id":"a","variant":"a","rules":"[b]"}"#).ends_with("damone-imperatore; in the file b"));
        assert!(message(r#"{"id":"a","action":"sing"}"#).starts_with("'sing' is none of analyse, terminate, "));
        assert_eq!(message(r#"{"id":"a","action":"perft"}"#), "the field 'depth' is missing");
        for (line, field) in [("", None), ("[]", None), ("{", None), ("{}", Some("id")), (r#"{"id":null}"#, Some("id"))]
        {
            assert_eq!((fault(line).0, fault(line).1.as_deref()), (None, field), "{line}");
        }
        // As it was given, so that whoever sent it knows it again.
        for id in [Value::from(5), Value::from(vec![1]), Value::from("x".repeat(1_001))] {
            let line = serde_json::json!({"id": id, "nodes": 5}).to_string();
            assert_eq!((fault(&line).0, fault(&line).1.as_deref()), (Some(id), Some("id")), "{line}");
        }
    }
}
