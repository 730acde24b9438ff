//! Which wins the rule on quiet plies turns into draws.
//!
//! A win stands if the winner can force an irreversible turn, or the end of the game, before so many quiet plies have
//! been played, and what follows stands as well. So the positions are solved a second time, by the plies up to the next
//! irreversible one. Within a class irreversible turns lead to boards on which the pedine stand further on: those are
//! solved first.

use super::index::{Class, Index, Material};
use super::{DRAW, Tables, Verdict};
use crate::games::Side;
use crate::games::damone::{Board, Rank, square};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Values from here on are losses; lower ones are wins. What is above, or below, is the number of plies until a turn
/// cannot be taken back or the game is over, that ply included. [`DRAW`] is what is not known to be decided.
const LOST: u8 = 128;
/// The greatest limit for which there are values.
pub const GREATEST_LIMIT: u8 = 120;
/// Positions that a thread takes at a time.
const PORTION: usize = 4_096;

/// How many positions of one material are drawn only because of the rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spared {
    /// The side to move would win.
    pub wins: u64,
    /// The side to move would lose.
    pub losses: u64,
    /// The fewest plies that such a win takes without the rule, and the number of a position, the least one.
    pub shortest: Option<(u8, usize)>,
}

impl Spared {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let shortest = [self.shortest, other.shortest].into_iter().flatten().min();
        Self { wins: self.wins + other.wins, losses: self.losses + other.losses, shortest }
    }
}

/// Counts the positions that are decided without a rule on quiet plies, and are drawn if the game ends with a draw
/// after `limit` of them, 1 to 120: with no quiet ply played before, by material, mirror images
/// included. Materials without such a position are left out. Works in the rayon pool that it is called from; `progress`
/// is told how many numbers were done.
///
/// # Panics
///
/// If the limit is out of its range.
#[must_use]
pub fn spared(tables: &Tables, limit: u8, progress: &dyn Fn(u64)) -> BTreeMap<Material, Spared> {
    assert!((1..=GREATEST_LIMIT).contains(&limit), "{limit} plies");
    let mut values = vec![DRAW; tables.values.len()];
    let mut found = BTreeMap::<Material, Spared>::new();
    for class in tables.index.classes() {
        Solver { tables, class, values: &mut values, limit }.run();
        for number in class.numbers.clone().filter(|&number| values[number] == DRAW) {
            let images = || tables.index.images(number);
            let spared = match tables.verdict(number) {
                Some(Verdict::Win(plies)) => Spared { wins: images(), losses: 0, shortest: Some((plies, number)) },
                Some(Verdict::Loss(_)) => Spared { losses: images(), ..Spared::default() },
                Some(Verdict::Draw) | None => continue,
            };
            let sum = found.entry(tables.index.material(number)).or_default();
            *sum = sum.plus(spared);
        }
        progress(class.numbers.len() as u64);
    }
    found
}

/// How far the pedine of both sides have gone, in forward steps.
fn advance(board: &Board) -> u8 {
    let steps = |side: Side| {
        let far = |cell| (7 + square(cell).rank() - square(cell).file()) as u8 / 2;
        let pedine = board.of(side, Rank::Pedina).into_iter();
        pedine.map(|cell| if side == Side::White { far(cell) } else { 7 - far(cell) }).sum::<u8>()
    };
    steps(Side::White) + steps(Side::Black)
}

/// One class, with all values so far.
struct Solver<'a> {
    tables: &'a Tables,
    class: &'a Class,
    values: &'a mut [u8],
    limit: u8,
}

/// Positions of a class of which the same number of forward steps was played, and that are decided without the rule.
struct Layer<'a> {
    numbers: Vec<usize>,
    advance: u8,
    /// Of every position of the class; [`NOWHERE`] if it is drawn, or none.
    advances: &'a [u8],
    /// For every position of the class, whether it is among those that are to be looked at.
    marked: &'a [AtomicU64],
}

/// More forward steps than can be played.
const NOWHERE: u8 = 255;

impl Solver<'_> {
    fn index(&self) -> &Index {
        &self.tables.index
    }

    fn run(&mut self) {
        let numbers = &self.class.numbers;
        let advance_of = |number: usize| match self.tables.verdict(number) {
            Some(Verdict::Win(_) | Verdict::Loss(_)) => {
                self.index().board(number).map_or(NOWHERE, |board| advance(&board))
            }
            Some(Verdict::Draw) | None => NOWHERE,
        };
        let advances: Vec<u8> = numbers.clone().into_par_iter().with_min_len(PORTION).map(advance_of).collect();
        let marked: Vec<AtomicU64> = (0..numbers.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        let mut layers = BTreeMap::<u8, Vec<usize>>::new();
        for (number, &advance) in numbers.clone().zip(&advances).filter(|(_, advance)| **advance != NOWHERE) {
            layers.entry(advance).or_default().push(number);
        }
        while let Some((advance, numbers)) = layers.pop_last() {
            self.solve(&Layer { numbers, advance, advances: &advances, marked: &marked });
        }
    }

    /// Solves a layer, one number of plies after the other.
    fn solve(&mut self, layer: &Layer<'_>) {
        let first = self.decided(&layer.numbers, None);
        self.take(&first);
        let (mut last, in_one): (Vec<_>, Vec<_>) = first.into_iter().partition(|&(_, value)| value == LOST);
        for plies in 1..=self.limit {
            let waiting = self.before(layer, &last);
            for &number in &waiting {
                let place = number - self.class.numbers.start;
                layer.marked[place / 64].fetch_and(!(1 << (place % 64)), Relaxed);
            }
            last = self.decided(&waiting, Some(plies));
            self.take(&last);
            if plies == 1 {
                last.extend(&in_one);
            }
        }
    }

    fn take(&mut self, decided: &[(usize, u8)]) {
        decided.iter().for_each(|&(number, value)| self.values[number] = value);
    }

    /// Those of the positions whose turns decide them: in `plies` plies, if that is given.
    fn decided(&self, numbers: &[usize], plies: Option<u8>) -> Vec<(usize, u8)> {
        let value = |&number: &usize| {
            let value = self.value_by_turns(number);
            (value != DRAW && plies.is_none_or(|plies| value % LOST == plies)).then_some((number, value))
        };
        numbers.par_iter().with_min_len(PORTION / 16).filter_map(value).collect()
    }

    /// The open positions of a layer from which a step leads to one of those that have just been decided.
    fn before(&self, layer: &Layer<'_>, decided: &[(usize, u8)]) -> Vec<usize> {
        let class = &self.class.numbers;
        let of_one = |&(number, _): &(usize, u8)| {
            let mut found = Vec::new();
            let Some(board) = self.index().board(number) else { return found };
            board.for_each_before(Side::Black, |before| {
                let Some(number) = self.index().number(before, Side::Black) else { return };
                let place = number - class.start;
                let bit = 1 << (place % 64);
                let waits = layer.advances[place] == layer.advance && self.values[number] == DRAW;
                if waits && layer.marked[place / 64].fetch_or(bit, Relaxed) & bit == 0 {
                    found.push(number);
                }
            });
            found
        };
        decided.par_iter().with_min_len(PORTION / 16).flat_map_iter(of_one).collect()
    }

    /// The value for White, who is to move, by what is known of the turns.
    fn value_by_turns(&self, number: usize) -> u8 {
        if self.tables.verdict(number) == Some(Verdict::Loss(0)) {
            return LOST;
        }
        let Some(board) = self.index().board(number) else { return DRAW };
        let (mut win, mut loss, mut open) = (DRAW, LOST, false);
        board.for_each_after(Side::White, |after, irreversible| {
            let value = self.value_after(after);
            let plies = if irreversible { 1 } else { value % LOST + 1 };
            match value {
                DRAW => open = true,
                LOST.. => win = win.min(plies),
                _ => loss = loss.max(LOST + plies),
            }
        });
        if win != DRAW || open { win } else { loss }
    }

    /// The value for Black, who is to move.
    fn value_after(&self, board: &Board) -> u8 {
        let lacks_damone = self.tables.rules.needs_damone && board.of(Side::Black, Rank::Damone).is_empty();
        if lacks_damone || board.all(Side::Black).is_empty() {
            return LOST;
        }
        self.index().number(board, Side::Black).map_or(DRAW, |number| self.values[number])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endgame::damone::solve;
    use crate::games::damone::Rules;

    /// Whether the side to move wins or loses, if it does.
    type Value = Option<bool>;

    /// The positions that are won, and lost, with no quiet ply played: by going over all of them, with each number of
    /// quiet plies, until nothing changes.
    fn slowly(tables: &Tables, limit: usize) -> Vec<Value> {
        let index = &tables.index;
        let turns = |number: usize| {
            let mut turns = Vec::new();
            if let (Some(board), true) = (index.board(number), tables.verdict(number) != Some(Verdict::Loss(0))) {
                board.for_each_after(Side::White, |after, irreversible| {
                    let lost = tables.rules.needs_damone && after.of(Side::Black, Rank::Damone).is_empty();
                    turns.push((index.number(after, Side::Black).filter(|_| !lost), irreversible));
                });
            }
            turns
        };
        let turns: Vec<_> = (0..index.len()).map(turns).collect();
        let mut at_once = vec![None; turns.len()];
        loop {
            // After `limit` quiet plies the game is over.
            let mut later: Vec<Value> = turns.iter().map(|turns| turns.is_empty().then_some(false)).collect();
            for _ in 0..limit {
                let of_turn = |&(number, irreversible): &(Option<usize>, bool)| match number {
                    None => Some(false),
                    Some(number) if irreversible => at_once[number],
                    Some(number) => later[number],
                };
                let of_turns = |turns: &Vec<_>| {
                    let wins = turns.iter().any(|turn| of_turn(turn) == Some(false));
                    let loses = turns.iter().all(|turn| of_turn(turn) == Some(true));
                    if wins { Some(true) } else { loses.then_some(false) }
                };
                later = turns.iter().map(of_turns).collect();
            }
            if later == at_once {
                return at_once;
            }
            at_once = later;
        }
    }

    #[test]
    fn wins_that_the_rule_takes_away_are_those_of_a_slow_search() {
        for (rules, pieces, limits) in
            [(&Rules::DAMONE, 2, &[1, 2, 5, 9, 12][..]), (&Rules::DAMONE, 3, &[7]), (&Rules::IMPERATORE, 3, &[6])]
        {
            let tables = solve(rules, pieces, &|_| ()).unwrap();
            for &limit in limits {
                let values = slowly(&tables, limit.into());
                let mut expected = BTreeMap::<Material, Spared>::new();
                for number in (0..values.len()).filter(|&number| values[number].is_none()) {
                    let images = tables.index.images(number);
                    let spared = match tables.verdict(number) {
                        Some(Verdict::Win(plies)) => {
                            Spared { wins: images, losses: 0, shortest: Some((plies, number)) }
                        }
                        Some(Verdict::Loss(_)) => Spared { wins: 0, losses: images, shortest: None },
                        _ => continue,
                    };
                    let sum = expected.entry(tables.index.material(number)).or_default();
                    *sum = sum.plus(spared);
                }
                assert!(limit == 12 || !expected.is_empty(), "{pieces} pieces, {limit} plies");
                assert_eq!(spared(&tables, limit, &|_| ()), expected, "{pieces} pieces, {limit} plies");
            }
        }
        // The longest run of a file says so: no win with up to three pieces needs 80 plies.
        assert!(spared(&solve(&Rules::DAMONE, 3, &|_| ()).unwrap(), 80, &|_| ()).is_empty());
    }
}
