//! Who wins, for certain, in the families that problems are found in.

use hippolyta::endgame::Prove;
use hippolyta::endgame::amazons::{Effort, by_regions, count};
use hippolyta::endgame::damone::{BUILT_IN_PIECES, Tables, Verdict, built_in, solve};
use hippolyta::eval::{Evaluated, Evaluation, Evaluator, Weights};
use hippolyta::games::amazons::Amazons;
use hippolyta::games::damone::{Board as Pieces, Damone, Rules};
use hippolyta::games::desdemona::Desdemona;
use hippolyta::games::general::General;
use hippolyta::games::variant::Variant;
use hippolyta::games::{Outcome, Position, Side};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::OnceLock;

/// Decides a position and all that may follow from it.
pub trait Judge<P: Position> {
    /// Whether `side` wins with best play of both sides; a draw is no win. The position is at the start of a turn.
    /// `None` if it would take too much work.
    fn wins(&mut self, position: &P, side: Side) -> Option<bool>;

    /// Turns of both sides until the game is over if the winner hurries, where this is exactly known.
    fn plies(&mut self, _position: &P) -> Option<u32> {
        None
    }
}

/// A family in which problems are found.
pub trait Judged: Evaluated {
    /// How its results are proven, as it stands in files.
    const PROOF: &'static str = "proof search";
    /// Whether every game ends by itself, because each turn fills a square.
    const ENDS: bool = true;

    /// A judge of `root`, at the start of a turn, and all that follows; each question may take about `effort`
    /// positions. `None` if it cannot be judged, for example because it is too large.
    fn judge(root: &Self, variant: &Variant, effort: u64) -> Option<Box<dyn Judge<Self>>> {
        Proofs::judge(root, variant, effort)
    }

    /// Whether counting alone tells the result of a position at the start of a turn.
    fn is_counted(&self, evaluator: &Self::Evaluator) -> bool {
        matches!(evaluator.evaluate(self), Evaluation::Exact(_))
    }

    /// A position drawn at random among those whose results are known without a search, in families that have such.
    /// The result is then `Some`; the position in it may be missing, as some draws are void.
    fn drawn(_variant: &Variant, _random: &mut Xoshiro256PlusPlus) -> Option<Option<Self>> {
        None
    }
}

/// Memory for the table of a proof search.
const TABLE: usize = 8 << 20;

/// A proof search, with a memory for all questions.
struct Proofs<P: Position> {
    prover: Box<dyn Prove<P>>,
    effort: u64,
}

impl<P: Evaluated> Proofs<P> {
    fn judge(root: &P, variant: &Variant, effort: u64) -> Option<Box<dyn Judge<P>>> {
        let prover = P::evaluator(variant, &Weights::embedded()).oracle().prover(root, TABLE)?;
        Some(Box::new(Self { prover, effort }))
    }
}

impl<P: Position> Judge<P> for Proofs<P> {
    fn wins(&mut self, position: &P, side: Side) -> Option<bool> {
        if let Some(outcome) = position.outcome() {
            return Some(outcome == Outcome::Win(side));
        }
        let mover = position.side_to_move() == side;
        // To the other side a draw is enough.
        Some(self.prover.reaches(position, !mover, self.effort)? == mover)
    }
}

impl Judged for Amazons {
    fn is_counted(&self, evaluator: &Self::Evaluator) -> bool {
        matches!(evaluator.evaluate(self), Evaluation::Exact(_))
            || by_regions(self, &count(self, &Effort::ROOT)).is_some()
    }
}

impl Judged for Desdemona {}

impl Judged for General {}

/// Pieces in the tables that positions are drawn from, the most that can be judged.
const PIECES: usize = 4;

/// The tables of a rule set for all that can be judged, made on first use: in half a minute of processor time.
fn tables(rules: &'static Rules) -> Option<&'static Tables> {
    static MADE: [OnceLock<Option<Tables>>; 2] = [OnceLock::new(), OnceLock::new()];
    MADE[usize::from(rules.needs_damone)].get_or_init(|| solve(rules, PIECES, &|_| ()).ok()).as_ref()
}

struct Endings(&'static Tables);

impl Judge<Damone> for Endings {
    fn wins(&mut self, position: &Damone, side: Side) -> Option<bool> {
        if let Some(outcome) = position.outcome() {
            return Some(outcome == Outcome::Win(side));
        }
        let (verdict, valid) = self.0.look_up(position)?;
        let mover = position.side_to_move() == side;
        match verdict {
            _ if !valid => None,
            Verdict::Draw => Some(false),
            Verdict::Win(_) => Some(mover),
            Verdict::Loss(_) => Some(!mover),
        }
    }

    fn plies(&mut self, position: &Damone) -> Option<u32> {
        if position.outcome().is_some() {
            return Some(0);
        }
        match self.0.look_up(position)?.0 {
            Verdict::Win(plies) | Verdict::Loss(plies) => Some(plies.into()),
            Verdict::Draw => None,
        }
    }
}

impl Judged for Damone {
    const PROOF: &'static str = "endgame tables";
    const ENDS: bool = false;

    fn judge(root: &Self, _: &Variant, _: u64) -> Option<Box<dyn Judge<Self>>> {
        let pieces = (!root.board().empty()).count() as usize;
        let few = pieces <= BUILT_IN_PIECES;
        let tables = if few { Some(built_in(root.rules()).as_ref()) } else { tables(root.rules()) };
        Some(Box::new(Endings(tables.filter(|tables| pieces <= tables.pieces())?)))
    }

    fn is_counted(&self, _: &Self::Evaluator) -> bool {
        // The tables know everything; that makes nothing easy for a player.
        false
    }

    fn drawn(variant: &Variant, random: &mut Xoshiro256PlusPlus) -> Option<Option<Self>> {
        let rules = Self::rules_of(variant);
        let index = tables(rules)?.index();
        let board: Option<Pieces> = index.board(random.random_range(0..index.len()));
        let black = random.random_range(0..2) == 1;
        Some(board.map(|board| {
            let (board, side) = if black { (board.turned(), Side::Black) } else { (board, Side::White) };
            Self::new(rules, board, side, 0)
        }))
    }
}
