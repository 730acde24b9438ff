//! What a line asks for.

use super::fields::{Fault, Fields, MOST};
use crate::engine::{Board, Include, Limits};
use crate::games::variant::{self, Variant};
use std::sync::Arc;
use std::time::Duration;

/// A line, read and found to make sense.
#[derive(Debug)]
pub(super) struct Request {
    pub id: String,
    pub action: Action,
    /// Fields that mean nothing.
    pub unknown: Vec<String>,
}

#[derive(Debug)]
pub(super) enum Action {
    Analyse(Arc<Query>),
    /// Ends the queries with this id, or all; of these only the turns named, if some are.
    Terminate {
        target: Option<String>,
        turns: Option<Vec<u32>>,
    },
    LegalMoves(Setup),
    Perft(Perft),
    Version,
}

/// A game up to some move.
#[derive(Debug)]
pub(super) struct Setup {
    pub variant: &'static Variant,
    pub fen: String,
    pub moves: Vec<String>,
}

/// Positions to be searched, and how.
#[derive(Debug)]
pub(super) struct Query {
    pub id: Arc<str>,
    pub setup: Setup,
    /// The positions, by the number of moves before them, each with its priority.
    pub turns: Vec<(u32, i64)>,
    /// What the query itself limits.
    pub limits: Limits,
    pub multi_pv: usize,
    pub seed: Option<u64>,
}

#[derive(Debug)]
pub(super) struct Perft {
    pub id: Arc<str>,
    pub setup: Setup,
    pub depth: u32,
    pub priority: i64,
}

/// Bytes of an id, of a FEN.
const LONGEST_ID: usize = 1_000;
const LONGEST_FEN: usize = 1_000;

/// Reads one line. With an error comes the id, if the line has one.
pub(super) fn parse(line: &[u8]) -> Result<Request, (Option<String>, Fault)> {
    let mut fields = Fields::parse(line).map_err(|fault| (None, fault))?;
    let id = match fields.text("id") {
        Ok(Some(id)) if id.len() <= LONGEST_ID => id,
        Ok(Some(_)) => return Err((None, Fault::at("id", format!("more than {LONGEST_ID} bytes")))),
        Ok(None) => return Err((None, Fault::at("id", "a string is expected"))),
        Err(fault) => return Err((None, fault)),
    };
    match action(&id, &mut fields) {
        Ok(action) => Ok(Request { id, action, unknown: fields.left() }),
        Err(fault) => Err((Some(id), fault)),
    }
}

fn action(id: &str, fields: &mut Fields) -> Result<Action, Fault> {
    match fields.text("action")?.as_deref() {
        None | Some("analyse") => query(id, fields).map(|query| Action::Analyse(Arc::new(query))),
        Some("terminate") => {
            let target = fields.text("terminateId")?.ok_or_else(|| Fault::at("terminateId", "an id is expected"))?;
            Ok(Action::Terminate { target: Some(target), turns: fields.wholes("turnNumbers", u32::MAX)? })
        }
        Some("terminate_all") => Ok(Action::Terminate { target: None, turns: fields.wholes("turnNumbers", u32::MAX)? }),
        Some("legal_moves") => {
            let setup = setup(fields)?;
            setup.check(&[], &[])?;
            Ok(Action::LegalMoves(setup))
        }
        Some("perft") => {
            let setup = setup(fields)?;
            setup.check(&[], &[])?;
            let depth = fields.whole("depth", 0..=99)?.ok_or_else(|| Fault::at("depth", "a number is expected"))?;
            let priority = fields.priority("priority")?.unwrap_or(0);
            Ok(Action::Perft(Perft { id: id.into(), setup, depth: depth as u32, priority }))
        }
        Some("version" | "query_version") => Ok(Action::Version),
        Some(other) => {
            let known = "analyse, terminate, terminate_all, legal_moves, perft and version";
            Err(Fault::at("action", format!("'{other}' is none of {known}")))
        }
    }
}

fn setup(fields: &mut Fields) -> Result<Setup, Fault> {
    let variant = match fields.text("variant")? {
        Some(name) => variant::find(&name).map_err(|error| Fault::at("variant", error.to_string()))?,
        None => variant::DEFAULT,
    };
    let fen = fields.text("fen")?.unwrap_or_else(|| variant.start.to_owned());
    if fen.len() > LONGEST_FEN {
        return Err(Fault::at("fen", format!("more than {LONGEST_FEN} bytes")));
    }
    Ok(Setup { variant, fen, moves: fields.texts("moves")?.unwrap_or_default() })
}

fn query(id: &str, fields: &mut Fields) -> Result<Query, Fault> {
    let setup = setup(fields)?;
    let last = setup.moves.len() as u32;
    let listed = ["analyseTurns", "analyzeTurns"].map(|name| fields.wholes(name, last));
    let [listed, spelled_otherwise] = listed;
    let turns = listed?.or(spelled_otherwise?).unwrap_or_else(|| vec![last]);
    let mut sorted = turns.clone();
    sorted.sort_unstable();
    if let Some(twice) = sorted.windows(2).find(|pair| pair.first() == pair.last()).and_then(|pair| pair.first()) {
        return Err(Fault::at("analyseTurns", format!("{twice} is there twice")));
    }
    let all = fields.priority("priority")?.unwrap_or(0);
    let priorities = fields.priorities("priorities")?.unwrap_or_else(|| vec![all; turns.len()]);
    if priorities.len() != turns.len() {
        let (found, expected) = (priorities.len(), turns.len());
        return Err(Fault::at("priorities", format!("{found} numbers for {expected} positions")));
    }
    let limits = Limits {
        nodes: fields.whole("nodes", 1..=MOST)?,
        move_time: fields.whole("movetime", 1..=MOST)?.map(Duration::from_millis),
        depth: fields.whole("depth", 1..=10_000)?.map(|depth| depth as u32),
        mate: fields.whole("mate", 1..=10_000)?.map(|mate| mate as u32),
        turns: fields.texts("searchmoves")?.unwrap_or_default(),
        report_every: fields.seconds("reportDuringSearchEvery")?.map(Duration::from_secs_f64),
        include: Include {
            ownership: fields.flag("includeOwnership")?,
            territory: fields.flag("includeTerritory")?,
            stones: fields.flag("includeStones")?,
        },
        ..Limits::default()
    };
    let multi_pv = fields.whole("multipv", 1..=500)?.unwrap_or(1) as usize;
    let seed = fields.whole("seed", 0..=MOST)?;
    setup.check(&turns, &limits.turns)?;
    Ok(Query { id: id.into(), setup, turns: turns.into_iter().zip(priorities).collect(), limits, multi_pv, seed })
}

impl Setup {
    /// Whether FEN and moves are good, and `search_moves` legal at all of `turns`.
    fn check(&self, turns: &[u32], search_moves: &[String]) -> Result<(), Fault> {
        if search_moves.is_empty() {
            return self.board(usize::MAX).map(drop);
        }
        let mut board = self.board(0)?;
        for turn in 0..=self.moves.len() {
            if turns.contains(&(turn as u32)) {
                for (index, text) in search_moves.iter().enumerate() {
                    let error =
                        |error| Fault::at(format!("searchmoves[{index}]"), format!("after {turn} moves: {error}"));
                    board.spell(text).map_err(error)?;
                }
            }
            if self.moves.get(turn).is_some() {
                self.play(&mut board, turn)?;
            }
        }
        Ok(())
    }

    /// The position after this many of its moves.
    pub fn board(&self, moves: usize) -> Result<Board, Fault> {
        let mut board =
            Board::from_fen(self.variant, &self.fen).map_err(|error| Fault::at("fen", error.to_string()))?;
        (0..self.moves.len().min(moves)).try_for_each(|index| self.play(&mut board, index))?;
        Ok(board)
    }

    fn play(&self, board: &mut Board, index: usize) -> Result<(), Fault> {
        let Some(text) = self.moves.get(index) else { return Ok(()) };
        board.play(text).map_err(|error| Fault::at(format!("moves[{index}]"), error.to_string()))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(line: &str) -> (Option<String>, Option<String>, String) {
        match parse(line.as_bytes()) {
            Err((id, Fault { field, message })) => (id, field, message),
            Ok(request) => panic!("{line}: {request:?}"),
        }
    }

    #[test]
    fn a_query_is_read_with_all_its_fields() {
        let line = r#"{"id":"a","variant":"amazons6","moves":["b1b4,b4c4"],"analyseTurns":[1,0],"priorities":[5,-5],"nodes":10,
            "movetime":20,"depth":3,"mate":2,"multipv":4,"seed":7,"reportDuringSearchEvery":0.5,"includeOwnership":true,"foo":1}"#;
        let Request { id, action: Action::Analyse(query), unknown } = parse(line.as_bytes()).unwrap() else { panic!() };
        assert_eq!((id.as_str(), &*query.id, unknown), ("a", "a", vec!["foo".to_owned()]));
        assert_eq!(query.turns, [(1, 5), (0, -5)]);
        assert_eq!((query.limits.nodes, query.multi_pv, query.seed), (Some(10), 4, Some(7)));
        assert_eq!(query.limits.report_every, Some(Duration::from_millis(500)));
        assert!(query.limits.include.ownership && !query.limits.include.territory && !query.limits.is_unlimited());
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
    fn errors_name_the_field() {
        let a = Some("a".to_owned());
        for (line, field) in [
            (r#"{"id":"a","variant":"chess"}"#, "variant"),
            (r#"{"id":"a","fen":"9/9"}"#, "fen"),
            (r#"{"id":"a","moves":["d1d7,d7g7","d1d2,d2d1"]}"#, "moves[1]"),
            (r#"{"id":"a","moves":"d1d7,d7g7"}"#, "moves"),
            (r#"{"id":"a","analyseTurns":[1]}"#, "analyseTurns[0]"),
            (r#"{"id":"a","moves":["d1d7,d7g7"],"analyseTurns":[1,0,1]}"#, "analyseTurns"),
            (r#"{"id":"a","priorities":[1,2]}"#, "priorities"),
            (r#"{"id":"a","nodes":0}"#, "nodes"),
            (r#"{"id":"a","searchmoves":["d1d7,d7g7","d10d9,d9d8"]}"#, "searchmoves[1]"),
            (r#"{"id":"a","reportDuringSearchEvery":0}"#, "reportDuringSearchEvery"),
            (r#"{"id":"a","action":"sing"}"#, "action"),
            (r#"{"id":"a","action":"terminate"}"#, "terminateId"),
            (r#"{"id":"a","action":"perft"}"#, "depth"),
        ] {
            assert_eq!((fault(line).0, fault(line).1.as_deref()), (a.clone(), Some(field)), "{line}");
        }
        for (line, field) in [("", None), ("[]", None), ("{", None), ("{}", Some("id")), (r#"{"id":5}"#, Some("id"))] {
            assert_eq!((fault(line).0, fault(line).1.as_deref()), (None, field), "{line}");
        }
    }
}
