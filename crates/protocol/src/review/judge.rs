//! The rule of a review: what a turn loses against the best one.

use super::reasons::{Ends, Known, Reason, Why, why};
use super::{Kind, Subject, kept};
use hippolyta::engine::Board;
use hippolyta::games::{Side, Turn};
use serde::{Serialize, Serializer};

/// Where the expected score falls by as much, the position after the best turn is searched, too. It is less than the
/// loss of an inaccuracy: the side to move is too hopeful or too modest by a few points, and the two searches after a
/// turn are so alike.
const SUSPICIOUS: f64 = 0.03;

/// A move, judged.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "MoveReviewed"))]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// The number of moves before it.
    #[serde(rename = "turnNumber")]
    pub ply: usize,
    /// Its number: `12.` for White, `12…` for Black.
    #[serde(skip)]
    pub number: String,
    /// The turn.
    #[serde(rename = "move")]
    #[cfg_attr(test, schemars(with = "String", description = ""))]
    pub turn: Turn,
    /// `white` or `black`.
    #[cfg_attr(test, schemars(with = "String", extend("enum" = ["white", "black"])))]
    pub side: Side,
    /// Whether it came from an opening: then it is not judged.
    #[serde(skip)]
    pub book: bool,
    /// Whether it is the best move.
    pub is_best: bool,
    /// The expected score that its player lost against the best move.
    #[serde(serialize_with = "short")]
    #[cfg_attr(test, schemars(range(min = 0, max = 1)))]
    pub loss: f64,
    /// The kind of that loss; left out if it was little.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String", extend("enum" = ["inaccuracy", "mistake", "blunder"])))]
    pub kind: Option<Kind>,
    /// The loss is sure once `afterBest` of the position before the move is known.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub wanted: bool,
    /// Of a mistake in the Amazons, by how many turns its player's margin is less than after the best move; left out
    /// if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns_lost: Option<f64>,
    /// What a mistake was about, by the first of its reasons.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<Subject>,
    /// Why a mistake was one, the weightiest reason first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// How it goes on after a mistake and after the best move; left out of other moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ends: Option<Ends>,
    /// The moves expected after a mistake, the answer first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub refutation: Vec<Turn>,
}

fn short<S: Serializer>(loss: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(kept(*loss))
}

/// The findings about a position of a game by which the turns before and after it are judged.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The position itself.
    pub here: Known,
    /// The position after the best turn, if it was searched.
    pub after_best: Option<Known>,
}

/// The numbers of the first `turns` turns of a game that begins on `board`: `1.`, `1…`, `2.`.
fn numbers(board: &Board, turns: usize) -> impl Iterator<Item = String> + use<> {
    let begin = 2 * board.number() as usize + usize::from(board.side_to_move() == Side::Black);
    (begin..begin + turns).map(|ply| format!("{}{}", ply / 2, if ply % 2 == 1 { '…' } else { '.' }))
}

/// Judges the turns of a game that begins on `start`; each comes with whether it is `book`. `known` are its positions,
/// the start first. A turn before or after a position of which nothing is known gets no verdict, nor does any once
/// `go_on`, which is asked before each, is false.
pub(crate) fn judge(
    start: &Board,
    turns: &[(&Turn, bool)],
    known: &[Option<Entry>],
    go_on: impl Fn() -> bool,
) -> Vec<Verdict> {
    let mut board = start.clone();
    let mut verdicts = Vec::new();
    for (ply, (&(turn, book), number)) in turns.iter().zip(numbers(start, turns.len())).enumerate() {
        if let (Some(Some(before)), Some(Some(after))) = (known.get(ply), known.get(ply + 1)) {
            verdicts.push(verdict(&board, (turn, book), before, &after.here, (ply, number)));
        }
        if !go_on() || board.play_turn(turn).is_err() {
            break;
        }
    }
    verdicts
}

fn verdict(
    board: &Board,
    (turn, book): (&Turn, bool),
    Entry { here: before, after_best }: &Entry,
    after: &Known,
    (ply, number): (usize, String),
) -> Verdict {
    let side = board.side_to_move();
    let own = |known: &Known| if side == Side::White { kept(known.white) } else { kept(1.0 - known.white) };
    let best = before.line.first();
    let is_best = best == Some(turn);
    let fall = own(before) - own(after);
    // Never negative: a search of the next position may see more than the one before.
    let behind = after_best.as_ref().map_or(fall, |best| own(best) - own(after)).max(0.0);
    let loss = if is_best { 0.0 } else { behind };
    let is_suspicious = !is_best && !book && fall >= SUSPICIOUS;
    let kind = if book { None } else { Kind::of(loss) };
    let Why { turns_lost, reasons, ends } = match (kind, best, after_best) {
        (Some(_), Some(best), Some(after_best)) => why(board, (best, after_best), (turn, after), before),
        _ => Why::default(),
    };
    let refutation = if kind.is_some() { after.line.clone() } else { Vec::new() };
    Verdict {
        ply,
        number,
        turn: turn.clone(),
        side,
        book,
        is_best,
        loss,
        kind,
        wanted: is_suspicious && after_best.is_none() && best.is_some(),
        turns_lost,
        about: reasons.first().map(|reason| reason.kind.into()),
        reasons,
        ends,
        refutation,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::games::variant::find;

    fn known(white: f64, line: &[&Turn]) -> Known {
        Known { white, proven: None, line: line.iter().map(|turn| (*turn).clone()).collect() }
    }

    #[test]
    fn a_turn_loses_what_the_position_after_the_best_one_is_better() {
        let start = Board::new(&find("amazons6").unwrap());
        let (best, played): (Turn, Turn) = ("b1b4,b4c4".parse().unwrap(), "b1b3,b3b5".parse().unwrap());
        let judged = |turn: &Turn, after_best: Option<f64>, after: f64, book| {
            let entry = |here, after_best| Some(Entry { here, after_best });
            let known = [
                entry(known(0.70, &[&best]), after_best.map(|white| known(white, &[]))),
                entry(known(after, &[]), None),
            ];
            judge(&start, &[(turn, book)], &known, || true).remove(0)
        };
        // One search before the turn and one after it: not enough for a mistake of 12 points.
        let verdict = judged(&played, None, 0.58, false);
        assert_eq!((verdict.kind, verdict.wanted), (Some(Kind::Mistake), true));
        for (after_best, loss, kind) in [
            (0.59, 0.01, None),
            (0.50, 0.0, None),
            (0.64, 0.06, Some(Kind::Inaccuracy)),
            (0.80, 0.22, Some(Kind::Blunder)),
        ] {
            let verdict = judged(&played, Some(after_best), 0.58, false);
            assert!((verdict.loss - loss).abs() < 1e-9 && !verdict.wanted, "{verdict:?}");
            assert_eq!(verdict.kind, kind);
        }
        // Where the fall is small, nothing more is asked.
        assert!(judged(&played, None, 0.66, false).wanted);
        assert!(!judged(&played, None, 0.68, false).wanted);
        assert!(!judged(&played, None, 0.10, true).wanted);
        let verdict = judged(&best, None, 0.10, false);
        assert!(verdict.is_best && verdict.loss == 0.0 && !verdict.wanted);
    }
}
