//! The calibration of a search by the results of strong games: the percentages that are shown.
//!
//! A search compares turns. For that the order of its values counts, not their scale, and the side to move is always a
//! little too hopeful, because its opponent's replies have been searched less than its own turns. So nothing that is
//! searched is changed, and what is shown is calibrated (as Stockfish does with a model fitted to its own games,
//! `official-stockfish/WDL_model`).
//!
//! The search's expected score `s` and draws `d` are brought to a logit and a threshold, as in the ordinal logit model
//! of [`Draws`](super::learned::Draws): with `p = s − d/2` for the win and `q = s + d/2` for no loss,
//! `l = (logit p + logit q)/2` and `t = (logit q − logit p)/2`. Then
//!
//! ```text
//! l' = o ± c + eᶠ·l + (eⁿ − eᶠ)·tanh l          t' = max(0, b + eʷ·t)
//! win = σ(l' − t')    no loss = σ(l' + t')
//! ```
//!
//! `o` takes the hope of the side to move out, `c`, added for White and taken from Black, what the evaluation misses of
//! one colour's advantage, `eⁿ` and `eᶠ` are the slopes near an even position and far from it, and `b` and `eʷ` set the
//! width of draws. Each of the six numbers is interpolated between [`PHASE_KNOTS`] knots of the
//! phase and [`VISIT_KNOTS`] knots of the logarithm of the visits. As both slopes are positive, the better of two values
//! is always shown as the better one. Where all numbers are 0, a value is shown as it is.

use super::exponential::exp;
use super::learned::win_and_not_loss;
use super::network::{Misfit, SCALE, check_bound};
use crate::games::Side;

/// Knots of the phase, from the first to the last at equal distances.
pub const PHASE_KNOTS: usize = 5;
/// Where the knots of the visits lie, as decimal logarithms. Beyond them nothing changes.
pub const VISIT_KNOTS: [f32; 4] = [1.5, 2.5, 3.75, 5.0];
/// The numbers of one kind.
pub const GRID: usize = PHASE_KNOTS * VISIT_KNOTS.len();
/// The numbers of a table.
pub const SIZE: usize = Kind::ALL.len() * GRID;
/// The greatest absolute value of a number, 16.
const MOST: u32 = 1 << 20;
/// Beyond these bounds a value counts as certain: the search means nothing finer.
const LEAST_CHANCE: f32 = 1e-4;

/// The role of a number in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Added to the logit: `o`.
    Offset,
    /// Logarithm of the logit's slope near an even position: `n`.
    Near,
    /// Logarithm of its slope far from it: `f`.
    Far,
    /// Added to the threshold of draws: `b`.
    Base,
    /// Logarithm of the threshold's factor: `w`.
    Width,
    /// Added to White's logit and taken from Black's: `c`.
    Colour,
}

impl Kind {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 6] = [Self::Offset, Self::Near, Self::Far, Self::Base, Self::Width, Self::Colour];
}

/// A value of a search, for the side to move, and what else its meaning depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// The expected score, 0 … 1.
    pub score: f32,
    /// The probability of a draw, 0 … 1.
    pub draw: f32,
    /// The phase of the position, from 0 to 1.
    pub phase: f32,
    /// Visits of the position.
    pub visits: u64,
    /// The side to move.
    pub side: Side,
}

/// A value as logit and threshold, and its place in the grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// The logit `l`.
    pub logit: f32,
    /// The threshold of draws `t`; 0 without draws.
    pub threshold: f32,
    /// 1 for White, −1 for Black.
    pub colour: f32,
    /// The four knots around it and their weights, which add up to 1.
    pub knots: [(usize, f32); 4],
}

fn logit(p: f32) -> f32 {
    let p = p.clamp(LEAST_CHANCE, 1.0 - LEAST_CHANCE);
    libm::logf(p / (1.0 - p))
}

/// The hyperbolic tangent, with the same bits on every machine.
fn tanh(x: f32) -> f32 {
    let grown = exp(-2.0 * x.abs());
    ((1.0 - grown) / (1.0 + grown)).copysign(x)
}

impl Seen {
    /// The value as a logit, and where it stands.
    #[must_use]
    pub fn point(self) -> Point {
        let (of_win, of_no_loss) = (logit(self.score - self.draw / 2.0), logit(self.score + self.draw / 2.0));
        let place = self.phase * (PHASE_KNOTS - 1) as f32;
        let phase = (place as usize).min(PHASE_KNOTS - 2);
        let late = (place - phase as f32).clamp(0.0, 1.0);
        let visits = libm::log10f(self.visits.max(1) as f32);
        let above = VISIT_KNOTS.iter().skip(1).take(VISIT_KNOTS.len() - 2).filter(|&&knot| knot <= visits).count();
        let [low, high] = [VISIT_KNOTS[above], VISIT_KNOTS[above + 1]];
        let many = ((visits - low) / (high - low)).clamp(0.0, 1.0);
        let knot = |visits: usize, phase: usize| visits * PHASE_KNOTS + phase;
        let knots = [
            (knot(above, phase), (1.0 - many) * (1.0 - late)),
            (knot(above, phase + 1), (1.0 - many) * late),
            (knot(above + 1, phase), many * (1.0 - late)),
            (knot(above + 1, phase + 1), many * late),
        ];
        let colour = if self.side == Side::White { 1.0 } else { -1.0 };
        Point { logit: (of_win + of_no_loss) / 2.0, threshold: (of_no_loss - of_win) / 2.0, colour, knots }
    }
}

/// A value as it is shown, and what it was made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    /// The slope near an even position, `eⁿ`.
    pub near: f32,
    /// The slope far from it, `eᶠ`.
    pub far: f32,
    /// The factor of the threshold, `eʷ`.
    pub width: f32,
    /// The hyperbolic tangent of the search's logit.
    pub tanh: f32,
    /// The logit `l'`.
    pub logit: f32,
    /// The threshold of draws `t'`. Where the search knows no draws, none are shown.
    pub threshold: f32,
}

impl Point {
    /// The value as it is shown by a table, which tells the number at each of its places.
    pub fn bend(&self, table: impl Fn(usize) -> f32) -> Bend {
        let number = |kind: Kind| -> f32 {
            self.knots.iter().map(|&(knot, weight)| table(kind as usize * GRID + knot) * weight).sum()
        };
        let [near, far, width] = [Kind::Near, Kind::Far, Kind::Width].map(|kind| exp(number(kind)));
        let tanh = tanh(self.logit);
        let offset = number(Kind::Offset) + self.colour * number(Kind::Colour);
        let logit = offset + far * self.logit + (near - far) * tanh;
        let wide = (number(Kind::Base) + width * self.threshold).max(0.0);
        Bend { near, far, width, tanh, logit, threshold: if self.threshold > 0.0 { wide } else { 0.0 } }
    }
}

/// How values of one rule set, or of one size of the Amazons, are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calibration {
    /// For each [`Kind`] the numbers of the grid, phase by phase for the fewest visits, then for more; in 1/65536.
    table: Vec<i32>,
}

impl Default for Calibration {
    /// Values are shown as they are.
    fn default() -> Self {
        Self { table: vec![0; SIZE] }
    }
}

impl Calibration {
    /// Takes the numbers in the order of a weights file.
    ///
    /// # Errors
    ///
    /// If there are more or fewer than [`SIZE`], or one is too great. Up to version 0.3 the colour did not count, and
    /// files had no numbers for it.
    pub fn from_table(table: &[i32]) -> Result<Self, Misfit> {
        if ![SIZE, SIZE - GRID].contains(&table.len()) {
            return Err(Misfit::Size(SIZE));
        }
        check_bound(table, 0, MOST)?;
        let mut table = table.to_vec();
        table.resize(SIZE, 0);
        Ok(Self { table })
    }

    /// The numbers in the order in which they were taken.
    #[must_use]
    pub fn table(&self) -> &[i32] {
        &self.table
    }

    /// The expected score and the draws that are shown for a value of a search, for the side to move.
    #[must_use]
    pub fn shown(&self, seen: Seen) -> [f32; 2] {
        let point = seen.point();
        let Bend { logit, threshold, .. } = point.bend(|place| self.table[place] as f32 / SCALE);
        let [win, not_loss] = win_and_not_loss(logit, threshold);
        [(win + not_loss) / 2.0, not_loss - win]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn seen(score: f32, draw: f32) -> Seen {
        Seen { score, draw, phase: 0.4, visits: 1_234, side: Side::White }
    }

    /// A calibration whose numbers of each kind are these everywhere.
    fn even(numbers: [f32; 6]) -> Calibration {
        let table: Vec<i32> = numbers.iter().flat_map(|number| [(number * SCALE) as i32; GRID]).collect();
        Calibration::from_table(&table).unwrap()
    }

    #[test]
    fn without_numbers_values_are_shown_as_they_are() {
        let none = even([0.0; 6]);
        for (score, draw) in [(0.5, 0.0), (0.62, 0.0), (0.5, 0.9), (0.3, 0.2), (0.98, 0.01)] {
            let shown = none.shown(seen(score, draw));
            assert!((shown[0] - score).abs() < 1e-3 && (shown[1] - draw).abs() < 1e-3, "{score} {draw}: {shown:?}");
        }
    }

    #[test]
    fn the_hope_of_the_side_to_move_is_taken_out() {
        let shown = even([-0.4, 0.0, 0.0, 0.0, 0.0, 0.0]).shown(seen(0.6, 0.0))[0];
        assert!((logit(shown) - (logit(0.6) - 0.4)).abs() < 1e-3, "{shown}");
    }

    #[test]
    fn an_advantage_of_white_is_told_to_both_sides_and_unknown_to_files_of_0_3() {
        let calibration = even([0.0, 0.0, 0.0, 0.0, 0.0, 0.7]);
        for (side, sign) in [(Side::White, 1.0), (Side::Black, -1.0)] {
            let shown = calibration.shown(Seen { side, ..seen(0.6, 0.0) })[0];
            assert!((logit(shown) - (logit(0.6) + sign * 0.7)).abs() < 1e-3, "{shown}");
        }
        let old = Calibration::from_table(&calibration.table()[..SIZE - GRID]).unwrap();
        assert_eq!((old.table().len(), old), (SIZE, Calibration::default()));
    }

    #[test]
    fn a_better_value_is_shown_as_a_better_one_and_draws_only_where_there_are_some() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        for _ in 0..200 {
            let table: Vec<i32> = (0..SIZE).map(|_| random.random_range(-100_000..100_000)).collect();
            let calibration = Calibration::from_table(&table).unwrap();
            let (phase, visits) = (random.random(), random.random_range(0..2_000_000));
            let side = if random.random() { Side::White } else { Side::Black };
            let of = |score| calibration.shown(Seen { score, draw: 0.0, phase, visits, side });
            let shown: Vec<[f32; 2]> = (1..100).map(|percent| of(percent as f32 / 100.0)).collect();
            assert!(shown.windows(2).all(|pair| pair[0][0] < pair[1][0] || pair[0][0] > 0.999), "{shown:?}");
            assert!(shown.iter().all(|&[score, draw]| (0.0..=1.0).contains(&score) && draw == 0.0));
        }
    }

    #[test]
    fn knots_weigh_as_much_as_they_are_near() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        for _ in 0..1_000 {
            let (phase, visits) = (random.random(), random.random_range(0..3_000_000));
            let point = Seen { phase, visits, ..seen(0.5, 0.1) }.point();
            assert!((point.knots.iter().map(|knot| knot.1).sum::<f32>() - 1.0).abs() < 1e-5);
            assert!(point.knots.iter().all(|&(knot, weight)| knot < GRID && (0.0..=1.0).contains(&weight)));
        }
        let at = |phase, visits| {
            let knots = Seen { phase, visits, ..seen(0.5, 0.1) }.point().knots;
            knots.into_iter().filter(|knot| knot.1 > 1e-4).map(|knot| knot.0).collect::<Vec<_>>()
        };
        assert_eq!((at(0.0, 1), at(1.0, 100_000), at(1.0, 10_000_000)), (vec![0], vec![19], vec![19]));
        assert_eq!(at(0.5, 5_624), [12]);
    }

    #[test]
    fn tables_that_do_not_fit_are_refused() {
        assert_eq!(Calibration::from_table(&[0; SIZE - 1]), Err(Misfit::Size(SIZE)));
        let mut table = [0; SIZE];
        table[7] = -(MOST as i32) - 1;
        assert_eq!(Calibration::from_table(&table), Err(Misfit::Bound { index: 7, most: MOST }));
    }
}
