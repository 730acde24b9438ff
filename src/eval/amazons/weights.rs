use super::features::{Distances, MOBILITY_UNIT, Openness, mobility};
use crate::board::Bitboard;
use crate::board::flood::{KING_LEVELS, Levels, Portable, QUEEN_LEVELS};
use crate::eval::Term;
use crate::games::amazons::Amazons;
use crate::games::{Position, Side};

/// Steps between an empty and a full board that have weights of their own.
pub const PHASES: usize = 33;
/// Mobilities are told apart up to this number of units.
const MOBILITIES: usize = 64;
/// Weights are integers, so that every machine adds up the same sum: units of a logit.
const SCALE: f32 = 65_536.0;

/// The cell table of one kind of distance: `[White's distance − 1][Black's distance − 1]`, the last index for "out of reach".
type Cells<const N: usize> = [[i32; N]; N];
const QUEEN_CELLS: usize = QUEEN_LEVELS + 1;
const KING_CELLS: usize = KING_LEVELS + 1;

/// The weights while the board is about equally full. All from White's view, in 1/65536 logit.
#[derive(Clone, Debug)]
struct Phase {
    queen: Cells<QUEEN_CELLS>,
    king: Cells<KING_CELLS>,
    /// For each square equally near to both in queen moves, and in king steps: the advantage of moving next.
    tempo: [i32; 2],
    /// An amazon's worth by its mobility.
    mobility: [i32; MOBILITIES],
}

/// All weights of the evaluation.
#[derive(Clone, Debug)]
pub struct Weights {
    phases: Vec<Phase>,
}

/// The weights of Lieberum's terms at one moment of the game.
struct Lieberum {
    t1: f32,
    t2: f32,
    c: f32,
    mobility: f32,
}

impl Lieberum {
    /// `progress` goes from 0, empty board, to 1, full board. The corner values are those published with the terms: early
    /// → late t1 .11 → .80, t2 .39 → .10, c1 = c2 .12 → .20 → .05, mobility .23 → 0; linear in between.
    fn at(progress: f32) -> Self {
        let line = |from: f32, to: f32, start: f32, end: f32| {
            from + (to - from) * ((progress - start) / (end - start)).clamp(0.0, 1.0)
        };
        let rising = line(0.12, 0.20, 0.0, 0.3);
        Self {
            t1: line(0.11, 0.80, 0.0, 0.6),
            t2: line(0.39, 0.10, 0.0, 0.6),
            c: if progress < 0.3 { rising } else { line(0.20, 0.05, 0.3, 0.65) },
            mobility: line(0.23, 0.0, 0.0, 0.5),
        }
    }
}

/// From the sum of the weighted terms to the logit: win probability `σ(0.2 · value)`.
const VALUE_TO_LOGIT: f32 = 0.2;
/// A square that both reach equally soon, for the side that moves next.
const TIE: f32 = 0.15;

impl Weights {
    /// Lieberum's terms with the published weights, written as cell tables.
    #[must_use]
    pub fn bootstrap() -> Self {
        let phases = (0..PHASES).map(|phase| bootstrap_phase(phase as f32 / (PHASES - 1) as f32)).collect();
        Self { phases }
    }

    /// The weights for a position, by the share of its squares that are filled.
    #[inline(always)]
    fn phase(&self, position: &Amazons) -> &Phase {
        let squares = position.geometry().squares().count();
        let filled = position.arrows().count();
        &self.phases[(filled * (PHASES as u32 - 1) / squares) as usize]
    }

    /// The logit of White's expected score.
    #[inline(always)]
    pub(super) fn logit(&self, position: &Amazons, distances: &Distances) -> f32 {
        let phase = self.phase(position);
        let queen = cell_sum(&phase.queen, phase.tempo[0] * tempo(position), &distances.queen, distances.reached);
        let king = cell_sum(&phase.king, phase.tempo[1] * tempo(position), &distances.king, distances.reached);
        let openness = Openness::new(position);
        let mobility = phase.mobility(position, distances.reached, &openness, Side::White)
            - phase.mobility(position, distances.reached, &openness, Side::Black);
        (queen + king + mobility) as f32 / SCALE
    }

    /// The same in parts, for people.
    pub(super) fn explain(&self, position: &Amazons) -> Vec<Term> {
        let distances = Distances::new(Portable, position);
        let phase = self.phase(position);
        let reached = distances.reached;
        let openness = Openness::new(position);
        let nearer = |nearer: [u32; 2]| nearer.map(|count| count as f32);
        let logit = |sum: i32| sum as f32 / SCALE;
        let mobilities =
            [Side::White, Side::Black].map(|side| logit(phase.mobility(position, reached, &openness, side)));
        vec![
            Term {
                name: "queen distances",
                features: nearer(nearer_squares(&distances.queen)),
                logit: logit(cell_sum(&phase.queen, phase.tempo[0] * tempo(position), &distances.queen, reached)),
            },
            Term {
                name: "king distances",
                features: nearer(nearer_squares(&distances.king)),
                logit: logit(cell_sum(&phase.king, phase.tempo[1] * tempo(position), &distances.king, reached)),
            },
            Term { name: "mobility", features: mobilities, logit: mobilities[0] - mobilities[1] },
        ]
    }
}

/// +1 if White moves an amazon next, −1 if Black does: between move and fire it is the other side.
#[inline(always)]
fn tempo(position: &Amazons) -> i32 {
    if (position.side_to_move() == Side::White) == position.at_turn_start() { 1 } else { -1 }
}

/// The weights of all cells times the squares in them; `tie` for each square in a cell of equal distances.
#[inline(always)]
fn cell_sum<const N: usize, const CELLS: usize>(
    cells: &Cells<CELLS>,
    tie: i32,
    levels: &Levels<N>,
    reached: [Bitboard; 2],
) -> i32 {
    let mut sum = 0;
    for white in 0..levels.len {
        let [mine, theirs] = levels.sets[white];
        for black in 0..levels.len {
            let weight = cells[white][black] + if white == black { tie } else { 0 };
            sum += weight * (mine & levels.sets[black][1]).count() as i32;
        }
        sum += cells[white][CELLS - 1] * (mine & !reached[1]).count() as i32;
        sum += cells[CELLS - 1][white] * (theirs & !reached[0]).count() as i32;
    }
    sum
}

/// The number of squares nearer to White, and to Black.
fn nearer_squares<const N: usize>(levels: &Levels<N>) -> [u32; 2] {
    let (mut nearer, mut reached) = ([0; 2], [Bitboard::EMPTY; 2]);
    for &[white, black] in &levels.sets {
        nearer[0] += (white & !(reached[1] | black)).count();
        nearer[1] += (black & !(reached[0] | white)).count();
        reached = [reached[0] | white, reached[1] | black];
    }
    nearer
}

impl Phase {
    /// The worth of `side`'s amazons by their mobility.
    #[inline(always)]
    fn mobility(&self, position: &Amazons, reached: [Bitboard; 2], openness: &Openness, side: Side) -> i32 {
        let contested = reached[(!side).index()];
        // A plain loop: in an iterator's closure the kernel's processor features might get lost.
        let mut worth = 0;
        for square in position.amazons(side) {
            let units = mobility(position, square, contested, openness) / MOBILITY_UNIT;
            worth += self.mobility[(units as usize).min(MOBILITIES - 1)];
        }
        worth
    }
}

fn bootstrap_phase(progress: f32) -> Phase {
    let weights = Lieberum::at(progress);
    let units = |value: f32| (value * VALUE_TO_LOGIT * SCALE).round() as i32;
    // Distances as numbers; out of reach is farther than anything.
    let sign = |white: usize, black: usize| (black as f32 - white as f32).clamp(-1.0, 1.0);
    let near = |distance: usize, out_of_reach: usize| {
        if distance == out_of_reach { 0.0 } else { 0.5f32.powi(distance as i32 + 1) }
    };
    let steps = |distance: usize| if distance == KING_LEVELS { 99.0 } else { distance as f32 };
    let c1 = |white, black| 2.0 * (near(white, QUEEN_LEVELS) - near(black, QUEEN_LEVELS));
    let c2 = |white, black| ((steps(black) - steps(white)) / 6.0).clamp(-1.0, 1.0);
    let queen = |white, black| units(weights.t1 * sign(white, black) + weights.c * c1(white, black));
    let king = |white, black| units(weights.t2 * sign(white, black) + weights.c * c2(white, black));
    let worth = |mobility: usize| {
        let enclosed = 10.0 * weights.mobility * 0.5f32.powf(mobility as f32 / 3.0);
        units(weights.mobility * mobility as f32 * MOBILITY_SHARE - enclosed)
    };
    Phase {
        queen: std::array::from_fn(|white| std::array::from_fn(|black| queen(white, black))),
        king: std::array::from_fn(|white| std::array::from_fn(|black| king(white, black))),
        tempo: [units(weights.t1 * TIE), units(weights.t2 * TIE)],
        mobility: std::array::from_fn(worth),
    }
}

/// How much of the published mobility weight a unit of ours gets.
const MOBILITY_SHARE: f32 = 0.5;
