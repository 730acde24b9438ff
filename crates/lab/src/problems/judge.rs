//! Who wins, for certain, in the families that problems are found in.

use hippolyta::endgame::amazons::{Effort, Numbers, Prover, by_regions, count};
use hippolyta::endgame::damone::{BUILT_IN_PIECES, Tables, Verdict, built_in, solve};
use hippolyta::eval::{Evaluated, Evaluation, Evaluator, Weights};
use hippolyta::games::amazons::Amazons;
use hippolyta::games::damone::{Board as Pieces, Damone, Rules};
use hippolyta::games::desdemona::Desdemona;
use hippolyta::games::general::General;
use hippolyta::games::variant::{Exact, Variant};
use hippolyta::games::{Outcome, Position, Side, Steps, for_each_turn};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
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
    /// How its results are proven, as it stands in files; `None` if they are not.
    const PROOF: Option<&'static str>;
    /// Whether every game ends by itself, because each turn fills a square.
    const ENDS: bool = true;

    /// A judge of `root`, at the start of a turn, and all that follows; each question may take about `effort`
    /// positions. `None` if it cannot be judged, for example because it is too large.
    fn judge(root: &Self, variant: &Variant, effort: u64) -> Option<Box<dyn Judge<Self>>>;

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

struct Territories(Prover, u64);

impl Judge<Amazons> for Territories {
    fn wins(&mut self, position: &Amazons, side: Side) -> Option<bool> {
        if let Some(outcome) = position.outcome() {
            return Some(outcome == Outcome::Win(side));
        }
        let most = Numbers { proof: Numbers::INFINITE, disproof: Numbers::INFINITE };
        let (numbers, _) = self.0.search(0, position, self.1, most, &|| true);
        // There are no draws.
        Some(numbers.result()? == (position.side_to_move() == side))
    }
}

impl Judged for Amazons {
    const PROOF: Option<&'static str> = Some("proof search");

    fn judge(root: &Self, variant: &Variant, effort: u64) -> Option<Box<dyn Judge<Self>>> {
        if variant.exact() != Exact::Territories {
            return None;
        }
        Some(Box::new(Territories(Prover::new(root, TABLE, 1, u64::MAX)?, effort)))
    }

    fn is_counted(&self, evaluator: &Self::Evaluator) -> bool {
        matches!(evaluator.evaluate(self), Evaluation::Exact(_))
            || by_regions(self, &count(self, &Effort::ROOT)).is_some()
    }
}

/// A search of all turns, the promising ones first, with a table; a lead that no flip can change ends a line.
struct Settled {
    evaluator: <Desdemona as Evaluated>::Evaluator,
    /// By key: whether the side wins; for White, for Black.
    known: [HashMap<u64, bool>; 2],
    effort: u64,
    left: u64,
}

/// Positions that the table keeps at most. It is emptied when it is full.
const MOST_KNOWN: usize = 1 << 21;

impl Settled {
    /// The result of a position if it is certain, or else the probability that `side` wins.
    fn look(&mut self, position: &Desdemona, side: Side) -> Result<bool, f32> {
        if let Some(outcome) = position.outcome() {
            return Ok(outcome == Outcome::Win(side));
        }
        if let Some(&known) = self.known[side.index()].get(&position.key()) {
            return Ok(known);
        }
        self.left = self.left.saturating_sub(1);
        match self.evaluator.evaluate(position) {
            Evaluation::Exact(proof) => Ok(proof.outcome == Outcome::Win(side)),
            Evaluation::Estimate(value) => Err(value.for_side(side) - value.draw / 2.0),
        }
    }

    /// Whether `side` wins; `position` is not certain.
    fn search(&mut self, position: &Desdemona, side: Side) -> Option<bool> {
        let chooses = position.side_to_move() == side;
        let mut open = Vec::new();
        let mut found = false;
        for_each_turn(position, &mut |_: &Steps<Desdemona>, after: &Desdemona| {
            if found {
                return;
            }
            match self.look(after, side) {
                Ok(wins) => found = wins == chooses,
                Err(hope) => open.push((if chooses { -hope } else { hope }, *after)),
            }
        });
        if !found {
            open.sort_by(|(one, _), (other, _)| one.total_cmp(other));
            for (_, after) in open {
                if self.left == 0 {
                    return None;
                }
                let wins = match self.known[side.index()].get(&after.key()) {
                    Some(&known) => known,
                    None => self.search(&after, side)?,
                };
                if wins == chooses {
                    found = true;
                    break;
                }
            }
        }
        let wins = found == chooses;
        let known = &mut self.known[side.index()];
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(position.key(), wins);
        Some(wins)
    }
}

impl Judge<Desdemona> for Settled {
    fn wins(&mut self, position: &Desdemona, side: Side) -> Option<bool> {
        self.left = self.effort;
        match self.look(position, side) {
            Ok(wins) => Some(wins),
            Err(_) => self.search(position, side),
        }
    }
}

impl Judged for Desdemona {
    const PROOF: Option<&'static str> = Some("search of all turns");

    fn judge(_: &Self, variant: &Variant, effort: u64) -> Option<Box<dyn Judge<Self>>> {
        let evaluator = Self::evaluator(variant, &Weights::embedded());
        Some(Box::new(Settled { evaluator, known: [HashMap::new(), HashMap::new()], effort, left: effort }))
    }
}

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

/// No result is proven here before the end of a game.
impl Judged for General {
    const PROOF: Option<&'static str> = None;

    fn judge(_: &Self, _: &Variant, _: u64) -> Option<Box<dyn Judge<Self>>> {
        None
    }
}

impl Judged for Damone {
    const PROOF: Option<&'static str> = Some("endgame tables");
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
