//! Who owns each square in the end, and by how many turns a side will be ahead.
//!
//! An empty square ends up as the mover's, as the other side's, or as nobody's, which is to say that it is filled while
//! both sides can still reach it. Each of the two owners has a logit, nobody has 0, and a softmax gives the
//! probabilities:
//!
//! `logit(owner, s) = bias + C(s) + Σ O(orthogonal neighbour) + Σ D(diagonal neighbour)`
//!
//! The rows are by the same classes of squares as those of the other networks of shapes. All weights depend on the
//! phase: they are given at [`KNOTS`] knots, and interpolated in between. The lead is what a line makes of the expected
//! difference of squares: `factor · Σ (P(mover) − P(other)) + offset`.
//!
//! The search does not use any of it.

use super::{JOINT_AMAZONS, SCHEME};
use crate::board::flood::{Kernel, Portable};
use crate::eval::amazons::counts::fine_phase;
use crate::eval::exp;
use crate::eval::network::{PHASES, SCALE};
use crate::eval::shapes::{QUEEN_CLASSES, ROLES, square_index};
use crate::games::Side;
use crate::games::amazons::Amazons;
use arrayvec::ArrayVec;

/// Knots between the first and the last phase.
pub const KNOTS: usize = 9;
/// Owners beside nobody: the mover, the other side.
const OWNERS: usize = 2;
/// Where the parts of a knot begin.
const BIAS: usize = ROLES * SCHEME.rows_count() * OWNERS;
const LEAD: usize = BIAS + OWNERS;
/// Numbers of one knot: the rows, the biases, and the factor and the offset of the lead.
const KNOT: usize = LEAD + 2;

/// Who owns a square at the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// This side: the other one cannot get there any more when it is filled, or never can.
    Owned(Side),
    /// It was filled while both sides could get there, or neither.
    Nobodys,
    /// The game ended before this was decided.
    Open,
}

/// Follows a game, to find out who owns each square in the end.
#[derive(Default)]
pub struct Fates {
    /// For each square, what it was when it was last empty. In the order of [`square_index`].
    last: Vec<Option<Fate>>,
}

impl Fates {
    /// Looks at the next position of the game.
    pub fn see(&mut self, position: &Amazons) {
        let (geometry, empty) = (position.geometry(), position.empty());
        let levels = Portable.queen_levels(geometry, position.both_amazons(), empty);
        let [white, black] = [levels.reached(0), levels.reached(1)];
        self.last.resize(geometry.width() * geometry.height(), None);
        for square in empty {
            let fate = match (white.contains(square), black.contains(square)) {
                (true, true) => Fate::Open,
                (true, false) => Fate::Owned(Side::White),
                (false, true) => Fate::Owned(Side::Black),
                (false, false) => Fate::Nobodys,
            };
            self.last[square_index(geometry, square)] = Some(fate);
        }
    }

    /// The fate of each square in the order of [`square_index`], after the game's last position, which was seen.
    pub fn at_end(mut self, end: &Amazons) -> Vec<Fate> {
        for square in end.geometry().squares() {
            let last = &mut self.last[square_index(end.geometry(), square)];
            let amazon = [Side::White, Side::Black].into_iter().find(|&side| end.amazons(side).contains(square));
            *last = match (*last, amazon) {
                // It stands where it will fill, or let be filled, one of its own squares.
                (_, Some(side)) => Some(Fate::Owned(side)),
                (Some(Fate::Open), None) if !end.empty().contains(square) => Some(Fate::Nobodys),
                (last, None) => last,
            };
        }
        self.last.into_iter().map(|fate| fate.unwrap_or(Fate::Nobodys)).collect()
    }
}

/// The rows that one square adds up, as indices among the rows of all roles.
pub type SquareRows = ArrayVec<u16, 18>;

/// The empty squares among those that [`squares`](super::squares) gives, by their index, with their rows.
pub fn empty_squares(squares: &[u16]) -> impl Iterator<Item = (usize, SquareRows)> + '_ {
    let (sides, classes) = squares.split_at(2);
    let [width, height] = [0, 1].map(|side| i32::from(sides[side]));
    let class = move |file: i32, rank: i32| {
        let inside = (0..width).contains(&file) && (0..height).contains(&rank);
        if inside { SCHEME.rows(classes[(rank * width + file) as usize].into()) } else { SCHEME.edge() }
    };
    let empty = classes.iter().enumerate().filter(|&(_, &class)| usize::from(class) < JOINT_AMAZONS);
    empty.map(move |(index, _)| {
        let (file, rank) = (index as i32 % width, index as i32 / width);
        let mut rows = SquareRows::new();
        for (to_file, to_rank) in (-1..=1).flat_map(|file| (-1..=1).map(move |rank| (file, rank))) {
            let role = (to_file * to_file + to_rank * to_rank) as usize;
            let [first, second] = class(file + to_file, rank + to_rank);
            rows.push((role * SCHEME.rows_count() + first) as u16);
            if second != first {
                rows.push((role * SCHEME.rows_count() + second) as u16);
            }
        }
        (index, rows)
    })
}

/// Whether both sides reach a square, by its class among those that [`squares`](super::squares) gives.
pub fn is_contested(class: u16) -> bool {
    let [queen, king] = SCHEME.rows(class.into());
    let out_of_reach =
        |place: usize| place / QUEEN_CLASSES == QUEEN_CLASSES - 1 || place % QUEEN_CLASSES == QUEEN_CLASSES - 1;
    queen != king && !out_of_reach(queen)
}

/// The two knots around a phase times 256, and the weight of the second.
pub fn knots(fine_phase: usize) -> [(usize, f32); 2] {
    let place = fine_phase as f32 * (KNOTS - 1) as f32 / ((PHASES - 1) * 256) as f32;
    let low = (place as usize).min(KNOTS - 2);
    let share = (place - low as f32).min(1.0);
    [(low, 1.0 - share), (low + 1, share)]
}

/// The probabilities that a square ends up as the mover's, and as the other side's, from the logits.
pub fn probabilities([own, other]: [f32; 2]) -> [f32; 2] {
    let most = own.max(other).max(0.0);
    let [own, other, nobody] = [own, other, 0.0].map(|logit| exp(logit - most));
    let sum = own + other + nobody;
    [own / sum, other / sum]
}

/// The expected owners of squares, and the expected lead, from the mover's view.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// For each empty square, by its index in the order of [`square_index`], the probabilities that it ends up as the
    /// mover's, and as the other side's.
    pub squares: Vec<(usize, [f32; 2])>,
    /// The number of turns by which the mover will be ahead.
    pub lead: f32,
}

/// The network, as weights in logits.
#[derive(Clone, Debug, PartialEq)]
pub struct Owners(Vec<f32>);

impl Owners {
    /// Numbers of a table.
    pub const SIZE: usize = KNOTS * KNOT;

    /// Takes the weights knot by knot, in 1/65536: those of the rows of a square itself, of an orthogonal and of a
    /// diagonal neighbour, each for the mover and then for the other side; the biases; factor and offset of the lead.
    /// `None` if there are more or less.
    pub fn from_table(table: &[i32]) -> Option<Self> {
        let logits = || table.iter().map(|&weight| weight as f32 / SCALE).collect();
        (table.len() == Self::SIZE).then(|| Self(logits()))
    }

    /// The numbers that [`Owners::from_table`] takes.
    pub fn table(&self) -> Vec<i32> {
        self.0.iter().map(|weight| (weight * SCALE).round() as i32).collect()
    }

    /// Nothing is known: each square is owned by either side or by nobody with the same probability.
    pub fn blank() -> Self {
        Self(vec![0.0; Self::SIZE])
    }

    /// All weights.
    pub fn weights(&self) -> &[f32] {
        &self.0
    }

    /// All weights, mutable.
    pub fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.0
    }

    /// The forecast where a position has these squares, as [`squares`](super::squares) gives them.
    pub fn forecast(&self, squares: &[u16], fine_phase: usize) -> Forecast {
        let knots = knots(fine_phase);
        let sum = |places: &mut dyn Iterator<Item = usize>| -> f32 {
            places
                .map(|place| knots.iter().map(|&(knot, share)| share * self.0[knot * KNOT + place]).sum::<f32>())
                .sum()
        };
        let squares: Vec<_> = empty_squares(squares)
            .map(|(square, rows)| {
                let logit = |owner: usize| {
                    sum(&mut rows.iter().map(|&row| usize::from(row) * OWNERS + owner).chain([BIAS + owner]))
                };
                (square, probabilities([logit(0), logit(1)]))
            })
            .collect();
        let difference: f32 = squares.iter().map(|(_, [own, other])| own - other).sum();
        let lead = sum(&mut [LEAD].into_iter()) * difference + sum(&mut [LEAD + 1].into_iter());
        Forecast { squares, lead }
    }

    /// Adds to `gradient` that of a loss with these slopes: by the two logits of each of `slopes`' squares, of which
    /// `rows` are the rows; and by the lead, with the expected difference of squares that it was made of.
    pub fn add_gradient(
        fine_phase: usize,
        slopes: &[(SquareRows, [f32; 2])],
        (by_lead, difference): (f32, f32),
        gradient: &mut [f32],
    ) {
        for (knot, share) in knots(fine_phase) {
            let gradient = &mut gradient[knot * KNOT..][..KNOT];
            for (rows, slopes) in slopes {
                for (owner, slope) in slopes.iter().enumerate() {
                    rows.iter().for_each(|&row| gradient[usize::from(row) * OWNERS + owner] += share * slope);
                    gradient[BIAS + owner] += share * slope;
                }
            }
            gradient[LEAD] += share * by_lead * difference;
            gradient[LEAD + 1] += share * by_lead;
        }
    }
}

/// The forecast of a position at the start of a turn, from the view of the side to move.
pub fn forecast(owners: &Owners, position: &Amazons) -> Forecast {
    owners.forecast(&super::squares(position), fine_phase(position))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::amazons::shapes::squares;
    use crate::games::{Notation, Position, variant};

    fn position(fen: &str) -> Amazons {
        Amazons::from_fen(&variant::find("amazons").unwrap(), fen).unwrap()
    }

    #[test]
    fn a_square_belongs_to_whoever_alone_could_still_get_there() {
        let mut position = position("***Q/1*2/Q2q w");
        let mut fates = Fates::default();
        fates.see(&position);
        for turn in ["a1b1,b1c1", "d1d2,d2d1", "b1a1,a1b1"] {
            for step in position.parse_turn(turn).unwrap() {
                position.play(step);
            }
            fates.see(&position);
        }
        let fates = fates.at_end(&position);
        let at = |name: &str| fates[square_index(position.geometry(), name.parse().unwrap())];
        // Both sides could get there when these were empty last.
        assert_eq!([at("c1"), at("b1")], [Fate::Nobodys; 2]);
        assert_eq!(at("a2"), Fate::Owned(Side::White));
        // An amazon stands on the square that it owns.
        assert_eq!([at("a1"), at("d3")], [Fate::Owned(Side::White); 2]);
        assert_eq!([at("d2"), at("a3"), at("b2")], [Fate::Owned(Side::Black), Fate::Nobodys, Fate::Nobodys]);
        // Both can still get there.
        assert_eq!(at("c2"), Fate::Open);
    }

    #[test]
    fn every_empty_square_adds_up_its_neighbours() {
        let position = position("q1*1/4/1*2/3Q w");
        let found: Vec<_> = empty_squares(&squares(&position)).collect();
        let geometry = position.geometry();
        let empty: Vec<_> = (0..geometry.height())
            .flat_map(|rank| (0..geometry.width()).map(move |file| (file, rank)))
            .filter_map(|(file, rank)| crate::board::Square::at(file, rank))
            .filter(|&square| position.empty().contains(square))
            .map(|square| square_index(position.geometry(), square))
            .collect();
        assert_eq!(found.iter().map(|&(square, _)| square).collect::<Vec<_>>(), empty);
        for (square, rows) in found {
            // Itself in role 0, its orthogonal and diagonal neighbours in roles 1 and 2, those beyond the edge as well.
            let of_role = |role: usize| {
                rows.iter().map(|&row| usize::from(row)).filter(move |row| row / SCHEME.rows_count() == role)
            };
            assert_eq!(of_role(0).count(), 2, "{square}");
            let single = |row: usize| row % SCHEME.rows_count() >= super::super::AMAZONS;
            for role in [1, 2] {
                let parts: usize = of_role(role).map(|row| if single(row) { 2 } else { 1 }).sum();
                assert_eq!(parts, 8, "{square} {role}");
            }
        }
    }

    #[test]
    fn the_gradient_is_the_slope_of_what_is_expected() {
        let position = position("q2*2/6/2*1Q1/6/1*4/Q4q w");
        let (squares, phase) = (squares(&position), fine_phase(&position));
        let weight = |place: usize| ((place * 7919 % 1_000) as f32 / 500.0 - 1.0) * 0.2;
        let mut owners = Owners((0..Owners::SIZE).map(weight).collect());
        let rows: Vec<_> = empty_squares(&squares).collect();
        // The loss is the sum of the mover's logarithms of probabilities, and twice the lead.
        let loss = |owners: &Owners| {
            let Forecast { squares, lead } = owners.forecast(&squares, phase);
            let logs: f64 = squares.iter().map(|(_, [own, _])| f64::from(libm::logf(*own))).sum();
            let difference: f64 = squares.iter().map(|(_, [own, other])| f64::from(own - other)).sum();
            (logs, f64::from(lead), difference)
        };
        let Forecast { squares: expected, .. } = owners.forecast(&squares, phase);
        let slopes: Vec<_> =
            rows.into_iter().zip(&expected).map(|((_, rows), (_, [own, other]))| (rows, [1.0 - own, -other])).collect();
        let mut gradient = vec![0.0; Owners::SIZE];
        Owners::add_gradient(phase, &slopes, (0.0, 0.0), &mut gradient);
        let direction: Vec<f32> = (0..Owners::SIZE).map(|place| weight(place + 13)).collect();
        let slope: f64 = gradient.iter().zip(&direction).map(|(a, b)| f64::from(a * b)).sum();
        let before = owners.clone();
        let mut at = |step: f32| {
            owners.0 = before.0.iter().zip(&direction).map(|(at, way)| at + step * way).collect();
            loss(&owners).0
        };
        let found = (at(1e-2) - at(-1e-2)) / 2e-2;
        assert!((slope - found).abs() < 0.02 * slope.abs().max(0.5), "{slope} {found}");
        // The lead's factor and offset.
        let mut gradient = vec![0.0; Owners::SIZE];
        let (_, lead, difference) = loss(&before);
        Owners::add_gradient(phase, &[], (1.0, difference as f32), &mut gradient);
        let mut moved = before.clone();
        (0..KNOTS).for_each(|knot| moved.0[knot * KNOT + LEAD] += 0.25);
        let by_factor: f32 = (0..KNOTS).map(|knot| gradient[knot * KNOT + LEAD]).sum();
        assert!((loss(&moved).1 - lead - 0.25 * f64::from(by_factor)).abs() < 1e-3);
        assert!((f64::from(by_factor) - difference).abs() < 1e-4);
    }

    #[test]
    fn tables_are_taken_as_they_were_given() {
        let table: Vec<i32> = (0..Owners::SIZE as i32).map(|place| place * 31 % 90_000 - 45_000).collect();
        assert_eq!(Owners::from_table(&table).unwrap().table(), table);
        assert_eq!(Owners::from_table(&table[1..]), None);
        let even = Owners::blank().forecast(&squares(&position("q3/4/4/3Q w")), 0);
        assert!(even.squares.iter().all(|(_, [own, other])| (own - 1.0 / 3.0).abs() < 1e-6 && own == other));
        assert_eq!(even.lead, 0.0);
    }

    #[test]
    fn knots_share_a_phase() {
        assert_eq!(knots(0), [(0, 1.0), (1, 0.0)]);
        assert_eq!(knots((PHASES - 1) * 256), [(KNOTS - 2, 0.0), (KNOTS - 1, 1.0)]);
        let [(low, first), (high, second)] = knots((PHASES - 1) * 256 * 3 / 16);
        assert_eq!((low, high, first, second), (1, 2, 0.5, 0.5));
    }
}
