//! Results that are certain before a game has ended, and by how much a game is won: for referees.

use crate::endgame::amazons::{Effort, by_regions, count, margin_in_halves};
use crate::eval::{Evaluated, Evaluation, Evaluator, Weights};
use crate::games::Board;
use crate::games::amazons::Amazons;
use crate::games::damone::Damone;
use crate::games::desdemona::Desdemona;
use crate::games::variant::{Exact, Variant};
use crate::games::{Outcome, Position, Side, with_family};

/// Counts positions of one rule set. Several threads may use it at once.
///
/// ```
/// use hippolyta::engine::{Board, Counter};
/// use hippolyta::games::{Outcome, Side, variant};
///
/// let variant = variant::find("amazons")?;
/// let counter = Counter::new(variant);
/// assert_eq!(counter.result(&Board::new(variant)), None);
/// // Both sides can fill five squares. White must begin, which costs half a turn.
/// let board = Board::from_fen(variant, "Q1*1q/2*2/2*2 w")?;
/// assert_eq!(counter.result(&board), Some(Outcome::Win(Side::Black)));
/// assert_eq!(counter.margin(&board), Some(-0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Counter(Box<dyn AnyCounter>);

trait AnyCounter: Send + Sync {
    fn result(&self, board: &Board) -> Option<Outcome>;
    fn margin(&self, board: &Board) -> Option<f64>;
    fn has_margins(&self) -> bool;
}

/// What a family counts beside its evaluation.
trait Counted: Position {
    /// Whether the rules know a margin.
    const MARGINS: bool = true;

    /// The result, if it is certain. The position is at the start of a turn and not finished.
    fn certain(&self) -> Option<Outcome> {
        None
    }

    /// White's margin, if it will not change with best play, or the game is over.
    fn margin(&self, settled: bool) -> Option<f64>;
}

impl Counted for Amazons {
    fn certain(&self) -> Option<Outcome> {
        by_regions(self, &count(self, &Effort::ROOT)).map(|proof| proof.outcome)
    }

    fn margin(&self, _: bool) -> Option<f64> {
        margin_in_halves(self).map(|halves| f64::from(halves) / 2.0)
    }
}

impl Counted for Desdemona {
    fn margin(&self, settled: bool) -> Option<f64> {
        let stones = |side| f64::from(self.stones(side).count());
        settled.then(|| stones(Side::White) - stones(Side::Black))
    }
}

impl Counted for Damone {
    const MARGINS: bool = false;

    fn margin(&self, _: bool) -> Option<f64> {
        None
    }
}

struct CounterFor<P: Evaluated> {
    evaluator: P::Evaluator,
    /// Whether the rule set lets anything be claimed as certain.
    exact: bool,
}

impl<P: Evaluated + Counted> AnyCounter for CounterFor<P> {
    fn result(&self, board: &Board) -> Option<Outcome> {
        let position = board.game::<P>()?.current();
        if let Some(outcome) = position.outcome() {
            return Some(outcome);
        }
        if !self.exact {
            return None;
        }
        match self.evaluator.evaluate(position) {
            Evaluation::Exact(proof) => Some(proof.outcome),
            Evaluation::Estimate(_) => position.certain(),
        }
    }

    fn margin(&self, board: &Board) -> Option<f64> {
        let settled = self.result(board).is_some();
        board.game::<P>()?.current().margin(settled)
    }

    fn has_margins(&self) -> bool {
        P::MARGINS
    }
}

impl Counter {
    /// For boards of `variant`.
    #[must_use]
    pub fn new(variant: &'static Variant) -> Self {
        let exact = variant.exact != Exact::Nothing;
        let weights = Weights::embedded();
        with_family!(variant, P => Self(Box::new(CounterFor::<P> { evaluator: P::evaluator(variant, &weights), exact })))
    }

    /// The result of the game with best play of both sides, if it is certain: in the Amazons by counting regions, in
    /// Desdemona and its relatives once no stone can flip any more, in Damone by endgame tables. `None` as long as it
    /// is not certain, and for boards of another family. Tens of milliseconds at most.
    #[must_use]
    pub fn result(&self, board: &Board) -> Option<Outcome> {
        self.0.result(board)
    }

    /// By how much White wins, negative if Black does: in the Amazons the difference of the turns left, to which having
    /// to move costs half a turn; in Desdemona and its relatives the difference of the stones, once nothing can change
    /// it. `None` where it is not exactly known, and in Damone, whose rules know no margin. Tens of milliseconds at
    /// most.
    #[must_use]
    pub fn margin(&self, board: &Board) -> Option<f64> {
        self.0.margin(board)
    }

    /// Whether the rules know a margin: in all families but Damone.
    #[must_use]
    pub fn has_margins(&self) -> bool {
        self.0.has_margins()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Control, Engine, Limits, Model, Settings};
    use crate::games::variant::find;

    /// Plays random turns until the counter knows the result, then strong ones to the end: the result and the winner of
    /// every margin must be those that were counted. Returns how many games it knew before they were over, and of how
    /// many the margin.
    fn play_out(name: &str, games: u64) -> [u32; 2] {
        let variant = find(name).unwrap();
        let counter = Counter::new(variant);
        let mut engine = Engine::new(variant, &Model::default(), Settings { hash: 4, ..Settings::default() }).unwrap();
        let limits = Limits { nodes: Some(200), ..Limits::default() };
        let mut known = [0, 0];
        for game in 0..games {
            let mut board = Board::new(variant);
            let mut random = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(game + 1) | 1;
            let (mut counted, mut first) = (None, None);
            while board.outcome().is_none() {
                counted = counted.or_else(|| counter.result(&board));
                first = first.or_else(|| counter.margin(&board));
                let turn = if counted.is_some() {
                    let found = engine.analyse(&board, &limits, &Control::default(), &mut |_| ()).unwrap();
                    found.best().unwrap().to_owned()
                } else {
                    random ^= random << 13;
                    random ^= random >> 7;
                    random ^= random << 17;
                    let turns = board.legal_turns();
                    turns.get((random % turns.len() as u64) as usize).unwrap()
                };
                board.play_turn(&turn).unwrap();
            }
            let outcome = board.outcome();
            assert_eq!(counter.result(&board), outcome);
            let Some(certain) = counted else { continue };
            known[0] += 1;
            assert_eq!(Some(certain), outcome, "{name}, game {game}: {:?}", board.turns());
            // In the Amazons strong play keeps the winner, but gives turns away that are not needed.
            let last = counter.margin(&board);
            for margin in first.iter().chain(&last) {
                match certain {
                    Outcome::Win(Side::White) => assert!(*margin > 0.0),
                    Outcome::Win(Side::Black) => assert!(*margin < 0.0),
                    Outcome::Draw => assert_eq!(*margin, 0.0),
                }
            }
            if let (Some(margin), Some(last)) = (first, last) {
                known[1] += 1;
                if variant.exact == Exact::SettledStones {
                    assert_eq!(margin, last, "{name}, game {game}");
                }
            }
        }
        known
    }

    #[test]
    fn counted_results_are_those_of_games_that_are_played_out() {
        let [known, margins] = play_out("amazons6", 40);
        assert!(known >= 35 && margins >= 30, "{known} {margins}");
        let [known, margins] = play_out("cassio", 4);
        assert!(known >= 1 && margins == known, "{known} {margins}");
        let [known, margins] = play_out("damone", 60);
        assert!(known >= 3 && margins == 0, "{known} {margins}");
    }

    #[test]
    fn the_last_position_has_the_margin_of_the_turns_left() {
        let variant = find("amazons").unwrap();
        let counter = Counter::new(variant);
        // Black cannot move, White could three times more.
        let board = Board::from_fen(variant, "q*Q3/******/****** b").unwrap();
        assert_eq!(board.outcome(), Some(Outcome::Win(Side::White)));
        assert_eq!(counter.margin(&board), Some(3.5));
        assert_eq!(Counter::new(find("damone").unwrap()).margin(&board), None);
    }
}
