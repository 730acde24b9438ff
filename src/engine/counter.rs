//! Results that are certain before a game has ended, and by how much a game is won: for referees, for players who need
//! not fill the rest, and for records.

use crate::endgame::Work;
use crate::endgame::amazons::{Effort, best_margin, by_regions, count};
use crate::eval::{Evaluated, Evaluation, Evaluator, Weights};
use crate::games::amazons::Amazons;
use crate::games::damone::Damone;
use crate::games::desdemona::Desdemona;
use crate::games::general::General;
use crate::games::variant::{Exact, Variant};
use crate::games::{Board, Outcome, Position, Side, Steps, Turn, legal_turns, with_family};
use serde::{Serialize, Serializer};
use std::fmt;

/// A result that is certain, with best play of both sides.
///
/// ```
/// use hippolyta::engine::{Board, Certainty, Counter};
/// use hippolyta::games::{Outcome, Side, variant};
///
/// let variant = &variant::find("amazons")?;
/// // Both sides can fill five squares. White must begin, which costs half a turn.
/// let board = Board::from_fen(variant, "Q1*1q/2*2/2*2 w")?;
/// let decided = Counter::new(variant).decided(&board).ok_or("it is certain")?;
/// assert_eq!((decided.outcome, decided.margin), (Outcome::Win(Side::Black), Some(-0.5)));
/// assert_eq!((decided.by, decided.to_string().as_str()), (Certainty::Count, "Black wins by 0.5 turns"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The margin is in the Amazons the difference of the turns left, to which having to move costs half a turn; in
/// Desdemona and its relatives the difference of the stones. Damone's rules know none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DecidedInfo"))]
pub struct Decided {
    /// Who wins, or `draw`.
    #[serde(serialize_with = "named")]
    #[cfg_attr(feature = "schema", schemars(with = "String", extend("enum" = ["white", "black", "draw"])))]
    pub outcome: Outcome,
    /// By how much White wins, negative if Black does; `null` where it is not exactly known.
    pub margin: Option<f64>,
    /// Bounds of the margin where it is not exactly known, at least and at most; left out where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub between: Option<[f64; 2]>,
    /// The unit of the margin; left out where the rules know none.
    #[serde(skip_serializing_if = "str::is_empty")]
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["turns", "stones"])))]
    pub unit: &'static str,
    /// How it is known: the game is over; the turns left are counted; no stone can flip any more; endgame tables.
    #[cfg_attr(
        feature = "schema",
        schemars(with = "String", extend("enum" = ["rules", "count", "settledStones", "tables"]))
    )]
    pub by: Certainty,
}

fn named<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(outcome.name())
}

/// How a result is known.
///
/// ```
/// assert_eq!(hippolyta::engine::Certainty::SettledStones.name(), "settledStones");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Certainty {
    /// The game is over.
    Rules,
    /// In the Amazons the turns that are left were counted.
    Count,
    /// In Desdemona and its relatives no stone can flip any more.
    SettledStones,
    /// Damone's endgame tables have it.
    Tables,
}

impl Certainty {
    /// Its name in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Count => "count",
            Self::SettledStones => "settledStones",
            Self::Tables => "tables",
        }
    }

    /// Why it is certain, in a few words for people.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::Rules => "the game is over",
            Self::Count => "the turns left are counted",
            Self::SettledStones => "no stone can flip any more",
            Self::Tables => "the endgame tables know it",
        }
    }
}

/// `White wins by 12.5 turns`, `Black wins`, `a draw`.
impl fmt::Display for Decided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outcome::Win(side) = self.outcome else { return f.write_str("a draw") };
        f.write_str(if side == Side::White { "White wins" } else { "Black wins" })?;
        match (self.margin.map(f64::abs), self.between.map(|bounds| bounds.map(f64::abs))) {
            (Some(1.0), _) => write!(f, " by 1 {}", self.unit.trim_end_matches('s')),
            (Some(margin), _) => write!(f, " by {margin} {}", self.unit),
            (_, Some([one, other])) => write!(f, " by {} to {} {}", one.min(other), one.max(other), self.unit),
            _ => Ok(()),
        }
    }
}

/// Knows of positions of one rule set whether they are decided. Several threads may use it at once.
///
/// ```
/// use hippolyta::engine::{Board, Counter};
/// use hippolyta::games::variant;
///
/// let variant = &variant::find("amazons")?;
/// let counter = Counter::new(variant);
/// assert_eq!(counter.decided(&Board::new(variant)), None);
/// // The rest of a game that is decided can be filled in.
/// let mut board = Board::from_fen(variant, "Q1*1q/2*2/2*2 w")?;
/// counter.fill(&board).iter().try_for_each(|turn| board.play_turn(turn))?;
/// assert_eq!((board.turns().len(), counter.decided(&board).and_then(|end| end.margin)), (10, Some(-0.5)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Counter(Box<dyn AnyCounter>);

trait AnyCounter: Send + Sync {
    fn decided(&self, board: &Board) -> Option<Decided>;
    fn keeping(&self, board: &Board) -> Option<Turn>;
    fn proven(&self, board: &Board, positions: u64) -> Option<Outcome>;
    fn has_margins(&self) -> bool;
}

/// Exact counts of a family, beside its evaluation.
trait Counted: Position {
    /// How results are known before the end.
    const BY: Certainty;
    /// The unit of a margin; empty if the rules know none.
    const UNIT: &'static str = "";

    /// The result and White's margin, at least and at most, as far as they are certain. `known` is what is certain of
    /// the result besides. The position is at the start of a turn.
    fn counted(&self, known: Option<Outcome>) -> (Option<Outcome>, Option<[f64; 2]>) {
        (known, None)
    }
}

impl Counted for Amazons {
    const BY: Certainty = Certainty::Count;
    const UNIT: &'static str = "turns";

    fn counted(&self, known: Option<Outcome>) -> (Option<Outcome>, Option<[f64; 2]>) {
        let regions = count(self, &Effort::ROOT);
        let Some(outcome) = known.or_else(|| by_regions(self, &regions).map(|proof| proof.outcome)) else {
            return (None, None);
        };
        let margin = best_margin(self, &regions, &Work::unlimited());
        (Some(outcome), Some(margin.map(|halves| f64::from(halves) / 2.0)))
    }
}

impl Counted for Desdemona {
    const BY: Certainty = Certainty::SettledStones;
    const UNIT: &'static str = "stones";

    fn counted(&self, known: Option<Outcome>) -> (Option<Outcome>, Option<[f64; 2]>) {
        let stones = |side| f64::from(self.stones(side).count());
        (known, known.map(|_| [stones(Side::White) - stones(Side::Black); 2]))
    }
}

impl Counted for Damone {
    const BY: Certainty = Certainty::Tables;
}

/// Nothing is known before the end.
impl Counted for General {
    const BY: Certainty = Certainty::Rules;
}

struct CounterFor<P: Evaluated> {
    evaluator: P::Evaluator,
    /// Whether the rule set lets anything be claimed as certain.
    exact: bool,
}

impl<P: Evaluated + Counted> CounterFor<P> {
    /// The certain result of a position at the start of a turn, and the plies to the end where these are known.
    fn of(&self, position: &P) -> Option<(Decided, u8)> {
        let over = position.outcome();
        if over.is_none() && !self.exact {
            return None;
        }
        let proof = if over.is_some() {
            None
        } else if let Evaluation::Exact(proof) = self.evaluator.evaluate(position) {
            Some(proof)
        } else {
            None
        };
        let (outcome, bounds) = position.counted(over.or(proof.map(|proof| proof.outcome)));
        let by = if over.is_some() { Certainty::Rules } else { P::BY };
        let margin = bounds.and_then(|[low, high]| (low == high).then_some(low));
        let between = bounds.filter(|_| margin.is_none());
        let decided = Decided { outcome: outcome?, margin, between, unit: P::UNIT, by };
        Some((decided, proof.map_or(0, |proof| proof.plies)))
    }

    /// A turn that keeps what is certain of a position that is not finished.
    fn kept(&self, position: &P, decided: &Decided) -> Option<Steps<P>> {
        let mover = position.side_to_move();
        // Positions that one turn may cost: half a second at most.
        let work = Work::new(PATIENCE, &|| true);
        let line = self.evaluator.oracle().certain_line(position, true, &work).map(|(turns, _)| turns);
        let first = line.and_then(|turns| turns.into_iter().next());
        let mut best: Option<(u8, Steps<P>)> = None;
        let turns = legal_turns(position);
        for turn in first.iter().chain(&turns) {
            let after = turn.iter().fold(position.clone(), |position, &step| position.after(step));
            let Some((found, plies)) = self.of(&after) else { continue };
            let is_kept = |(one, other): (f64, f64)| one == other;
            if found.outcome != decided.outcome || !found.margin.zip(decided.margin).is_none_or(is_kept) {
                continue;
            }
            // Where squares are filled, all turns that keep the margin are as good. Else the winner hurries.
            if !P::UNIT.is_empty() {
                return Some(turn.clone());
            }
            let wins = decided.outcome == Outcome::Win(mover);
            let is_better = |(before, _): &(u8, Steps<P>)| if wins { plies < *before } else { plies > *before };
            if best.as_ref().is_none_or(is_better) {
                best = Some((plies, turn.clone()));
            }
        }
        // Who has lost may play as he likes.
        let lost = decided.outcome == Outcome::Win(!mover);
        best.map(|(_, turn)| turn).or(first).or_else(|| turns.into_iter().next().filter(|_| lost))
    }
}

/// Memory of a proof search for [`Counter::proven`].
const PROOF_BYTES: usize = 8 << 20;

/// See [`CounterFor::kept`].
const PATIENCE: u64 = 400_000;

impl<P: Evaluated + Counted> AnyCounter for CounterFor<P> {
    fn decided(&self, board: &Board) -> Option<Decided> {
        self.of(board.game::<P>()?.current()).map(|(decided, _)| decided)
    }

    fn keeping(&self, board: &Board) -> Option<Turn> {
        let position = board.game::<P>()?.current();
        let (decided, _) = self.of(position).filter(|(decided, _)| decided.by != Certainty::Rules)?;
        position.turn(&self.kept(position, &decided)?)
    }

    fn proven(&self, board: &Board, positions: u64) -> Option<Outcome> {
        let position = board.game::<P>()?.current();
        let over = position.outcome();
        if over.is_some() || !self.exact {
            return over;
        }
        let prover = self.evaluator.oracle().prover(position, PROOF_BYTES)?;
        let side = position.side_to_move();
        Some(if prover.reaches(position, false, positions)? {
            Outcome::Win(side)
        } else if prover.reaches(position, true, positions)? {
            Outcome::Draw
        } else {
            Outcome::Win(!side)
        })
    }

    fn has_margins(&self) -> bool {
        !P::UNIT.is_empty()
    }
}

/// The certain result of a board's game: [`Counter::decided`], for one who asks now and then.
///
/// ```
/// use hippolyta::engine::{Board, decided};
/// use hippolyta::games::variant;
///
/// assert_eq!(decided(&Board::new(&variant::find("damone")?)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn decided(board: &Board) -> Option<Decided> {
    Counter::new(board.variant()).decided(board)
}

impl Counter {
    /// For boards of `variant`.
    #[must_use]
    pub fn new(variant: &Variant) -> Self {
        let exact = variant.exact() != Exact::Nothing;
        let weights = Weights::embedded();
        with_family!(variant, P => Self(Box::new(CounterFor::<P> { evaluator: P::evaluator(variant, &weights), exact })))
    }

    /// The result of the game with best play of both sides, if it is certain: in the Amazons by counting regions, in
    /// Desdemona and its relatives once no stone can flip any more, in Damone by endgame tables, and in all of them if
    /// the game is over. `None` as long as it is not certain, and for boards of another family. What takes more than
    /// tens of milliseconds to count is not known, though it may be decided.
    #[must_use]
    pub fn decided(&self, board: &Board) -> Option<Decided> {
        self.0.decided(board)
    }

    /// The result of the game with best play of both sides, if a proof search of about `positions` positions finds it:
    /// much earlier than [`decided`](Self::decided). 20,000 positions take some 10 ms. `None` as well where the rule set
    /// has no such search, as Damone, and for boards of another family.
    ///
    /// ```
    /// use hippolyta::engine::{Board, Counter};
    /// use hippolyta::games::{Outcome, Side, variant};
    ///
    /// let variant = &variant::find("amazons")?;
    /// let (board, counter) = (Board::from_fen(variant, "q3/4/3Q/*3 w")?, Counter::new(variant));
    /// assert_eq!(counter.decided(&board), None);
    /// assert_eq!(counter.proven(&board, 20_000), Some(Outcome::Win(Side::White)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn proven(&self, board: &Board, positions: u64) -> Option<Outcome> {
        self.0.proven(board, positions)
    }

    /// A turn that keeps what is decided: the result, and the margin where it is known. `None` if nothing is decided,
    /// if the game is over, and in rare cases in which only a search finds such a turn. Half a second at most.
    #[must_use]
    pub fn keeping(&self, board: &Board) -> Option<Turn> {
        self.0.keeping(board)
    }

    /// The rest of a game that is decided, as far as [`keeping`](Self::keeping) finds turns: to the end nearly always.
    #[must_use]
    pub fn fill(&self, board: &Board) -> Vec<Turn> {
        self.fill_while(board, || true)
    }

    /// As [`fill`](Self::fill), but ends once `go_on`, which is asked before each turn, is false.
    #[must_use]
    pub fn fill_while(&self, board: &Board, go_on: impl Fn() -> bool) -> Vec<Turn> {
        let mut board = board.clone();
        let mut turns = Vec::new();
        while go_on()
            && let Some(turn) = self.keeping(&board).filter(|turn| board.play_turn(turn).is_ok())
        {
            turns.push(turn);
        }
        turns
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
    use crate::games::variant::find;
    use std::collections::HashMap;

    /// A generator that is the same everywhere.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 % bound as u64) as usize
        }
    }

    /// A board of this size with these pieces somewhere, and walls on all other squares but `empty` of them.
    fn scattered(random: &mut Random, [files, ranks]: [usize; 2], pieces: &str, empty: usize) -> String {
        let mut squares: Vec<char> = pieces.chars().chain(std::iter::repeat_n('1', empty)).collect();
        squares.resize(files * ranks, '*');
        for place in (1..squares.len()).rev() {
            squares.swap(place, random.below(place + 1));
        }
        let row = |row: &[char]| {
            let row: String = row.iter().collect();
            // From the longest run of empty squares to the shortest: 11 would be eleven.
            (1..=files).rev().fold(row, |row, run| row.replace(&"1".repeat(run), &format!("{run} "))).replace(' ', "")
        };
        let rows: Vec<String> = squares.chunks(files).map(row).collect();
        format!("{} {} - - 0 1", rows.join("/"), ["w", "b"][random.below(2)])
    }

    /// White's margin at the end of a game that both sides play out as well as they can: the slow twin of the counter,
    /// which looks at every turn. White wants it high and Black low.
    fn played_out<P: Evaluated + Counted>(position: &P, known: &mut HashMap<(u64, Side), f64>) -> f64 {
        if let Some(outcome) = position.outcome() {
            let [margin, _] = position.counted(Some(outcome)).1.expect("small boards are counted");
            return margin;
        }
        let key = (position.key(), position.side_to_move());
        if let Some(&margin) = known.get(&key) {
            return margin;
        }
        let white = position.side_to_move() == Side::White;
        let mut best: Option<f64> = None;
        for turn in legal_turns(position) {
            let after = turn.iter().fold(position.clone(), |position, &step| position.after(step));
            let margin = played_out(&after, known);
            let kept = |best: f64| if white { best.max(margin) } else { best.min(margin) };
            best = Some(best.map_or(margin, kept));
        }
        let best = best.expect("the game is not over");
        known.insert(key, best);
        best
    }

    #[test]
    fn what_is_decided_on_small_boards_is_what_comes_of_the_best_play_of_both() {
        let variant = &find("amazons").unwrap();
        let counter = Counter::new(variant);
        let mut known = 0;
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for _ in 0..4_000 {
            let pieces = ["Qq", "QQq", "Qqq", "QQqq"][random.below(4)];
            let size = [[3, 3], [4, 3], [4, 4], [5, 4]][random.below(4)];
            let empty = (2 + random.below(5)).min(size[0] * size[1] - pieces.len());
            let fen = scattered(&mut random, size, pieces, empty);
            let board = Board::from_fen(variant, &fen).unwrap();
            let Some(decided) = counter.decided(&board).filter(|decided| decided.by == Certainty::Count) else {
                continue;
            };
            let value = played_out(board.game::<Amazons>().unwrap().current(), &mut HashMap::new());
            let winner = if value > 0.0 { Side::White } else { Side::Black };
            assert_eq!(decided.outcome, Outcome::Win(winner), "{fen}");
            assert_eq!(decided.margin, Some(value), "{fen}: {decided}");
            known += 1;
        }
        assert!(known > 1_000, "{known}");
    }

    #[test]
    fn a_side_that_is_forced_to_open_its_region_loses_more_than_the_region_is_worth() {
        // As a sum of regions the position is worth nothing, so that White would lose by half a turn.
        let board = Board::from_fen(&find("amazons").unwrap(), "**1*/*Q**/1*q1/***1 w - - 0 1").unwrap();
        let found = decided(&board).unwrap();
        assert_eq!((found.outcome, found.margin), (Outcome::Win(Side::Black), Some(-1.5)));
        assert_eq!(played_out(board.game::<Amazons>().unwrap().current(), &mut HashMap::new()), -1.5);
    }

    #[test]
    fn bounds_are_told_where_the_margin_is_out_of_reach() {
        let fen = "4q*2/1*3Q2/1q1q1***/******Q1/*1**2**/Qq1*1*2/2**4/2*Q4 b - - 0 11";
        let found = decided(&Board::from_fen(&find("amazons").unwrap(), fen).unwrap()).unwrap();
        assert_eq!((found.outcome, found.margin), (Outcome::Win(Side::White), None));
        assert!(found.between.is_some_and(|[low, high]| 0.0 < low && low < high), "{found}");
    }

    #[test]
    fn settled_stones_stay_as_they_are_whatever_is_played() {
        let variant = &find("cassio").unwrap();
        let counter = Counter::new(variant);
        let mut random = Random(0x1234_5678_9abc_def1);
        let mut known = 0;
        for _ in 0..400 {
            let fen = scattered(&mut random, [4, 4], "QqSSss", 4);
            let board = Board::from_fen(variant, &fen).unwrap();
            let Some(decided) = counter.decided(&board).filter(|found| found.by == Certainty::SettledStones) else {
                continue;
            };
            let value = played_out(board.game::<Desdemona>().unwrap().current(), &mut HashMap::new());
            assert_eq!(decided.margin, Some(value), "{fen}");
            known += 1;
        }
        assert!(known > 100, "{known}");
    }

    /// Plays random turns until something is certain, then fills the rest in: the result and the margin stay what they
    /// were. Returns how many games were decided before they were over, and of how many the margin.
    fn filled(name: &str, games: u64) -> [u32; 2] {
        let variant = &find(name).unwrap();
        let counter = Counter::new(variant);
        let mut known = [0, 0];
        for game in 0..games {
            let mut board = Board::new(variant);
            let mut random = Random(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(game + 1) | 1);
            let certain = loop {
                if let Some(decided) = counter.decided(&board) {
                    break decided;
                }
                let turns = board.legal_turns();
                board.play_turn(&turns.get(random.below(turns.len())).unwrap()).unwrap();
            };
            if certain.by == Certainty::Rules {
                continue;
            }
            for turn in counter.fill(&board) {
                board.play_turn(&turn).unwrap();
            }
            let end = counter.decided(&board).unwrap();
            assert_eq!((end.by, end.outcome), (Certainty::Rules, certain.outcome), "{name}, game {game}");
            known[0] += 1;
            if let Some([low, high]) = certain.between {
                let least = low.abs().min(high.abs());
                assert!(
                    end.margin.is_some_and(|margin| margin.abs() >= least),
                    "{name}, game {game}: {:?}",
                    board.turns()
                );
            }
            if certain.margin.is_some() {
                assert_eq!(end.margin, certain.margin, "{name}, game {game}: {:?}", board.turns());
                known[1] += 1;
            }
        }
        known
    }

    #[test]
    fn games_that_are_filled_in_end_as_it_was_decided() {
        let [known, _] = filled("amazons6", 30);
        assert!(known >= 25, "{known}");
        let [known, margins] = filled("cassio", 4);
        assert!(known >= 1 && margins == known, "{known} {margins}");
        let [known, margins] = filled("damone", 60);
        assert!(known >= 3 && margins == 0, "{known} {margins}");
    }

    #[test]
    fn the_last_position_has_the_margin_of_the_turns_left() {
        // Black cannot move, White could three times more.
        let board = Board::from_fen(&find("amazons").unwrap(), "q*Q3/******/****** b").unwrap();
        let found = decided(&board).unwrap();
        assert_eq!((found.outcome, found.margin, found.by), (Outcome::Win(Side::White), Some(3.5), Certainty::Rules));
        assert_eq!(Counter::new(&find("damone").unwrap()).decided(&board), None);
    }

    #[test]
    fn results_are_told_in_words() {
        let told =
            |outcome, margin, unit| Decided { outcome, margin, between: None, unit, by: Certainty::Count }.to_string();
        assert_eq!(told(Outcome::Win(Side::White), Some(12.5), "turns"), "White wins by 12.5 turns");
        assert_eq!(told(Outcome::Win(Side::Black), Some(-1.0), "stones"), "Black wins by 1 stone");
        assert_eq!(told(Outcome::Win(Side::Black), None, "turns"), "Black wins");
        assert_eq!(told(Outcome::Draw, Some(0.0), "stones"), "a draw");
        let between = |bounds| Decided {
            outcome: Outcome::Win(Side::Black),
            margin: None,
            between: Some(bounds),
            unit: "turns",
            by: Certainty::Count,
        };
        assert_eq!(between([-9.5, -2.5]).to_string(), "Black wins by 2.5 to 9.5 turns");
    }
}
