use super::features::{Distances, MOBILITY_UNIT, Openness, mobility};
use crate::board::flood::{KING_LEVELS, Levels, Portable, QUEEN_LEVELS};
use crate::board::{Bitboard, Square};
use crate::eval::Term;
use crate::games::amazons::Amazons;
use crate::games::{Position, Side};
use bytemuck::{Pod, Zeroable};

/// Steps between an empty and a full board that have weights of their own.
pub const PHASES: usize = 33;
/// Mobilities are told apart up to this number of units.
const MOBILITIES: usize = 64;
/// Weights are integers, so that every machine adds up the same sum: units of a logit.
pub const SCALE: f32 = 65_536.0;

/// The cell table of one kind of distance: `[mover's distance − 1][other's distance − 1]`, the last index for "out of reach". The mover is
/// the side that moves an amazon next.
type Cells<const N: usize> = [[i32; N]; N];
const QUEEN_CELLS: usize = QUEEN_LEVELS + 1;
const KING_CELLS: usize = KING_LEVELS + 1;

/// The weights while the board is about equally full. All from the mover's view, in 1/65536 logit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
struct Phase {
    queen: Cells<QUEEN_CELLS>,
    king: Cells<KING_CELLS>,
    /// What each of the mover's, and each of the other's amazons adds by its mobility.
    mobility: [[i32; MOBILITIES]; 2],
    /// The advantage of being the mover.
    tempo: i32,
}

/// Weights of one phase.
pub const FEATURES: usize = size_of::<Phase>() / 4;

/// Hidden units.
pub const HIDDEN: usize = 16;
/// What is 1 for a hidden unit.
pub const HIDDEN_ONE: i32 = 4_096;
/// A unit's weight in the logit is in units of so much.
pub const OUTPUT_SCALE: f32 = SCALE * 64.0 / HIDDEN_ONE as f32;

/// A layer of units between 0 and 1 beside the tables: it sees the same counts and adds to the same logit.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hidden {
    /// What one count adds to each unit.
    rows: Box<[[i16; HIDDEN]; FEATURES]>,
    /// Where the units start, by phase.
    biases: [[i32; HIDDEN]; PHASES],
    /// What each unit adds to the logit, in 1/64 of its unit for a whole unit.
    outputs: [i32; HIDDEN],
}

impl Hidden {
    /// Adds nothing.
    const NONE: fn() -> Self =
        || Self { rows: Box::new([[0; HIDDEN]; FEATURES]), biases: [[0; HIDDEN]; PHASES], outputs: [0; HIDDEN] };

    #[inline(always)]
    fn add(&self, units: &mut [i32; HIDDEN], feature: usize, count: i32) {
        for (unit, weight) in units.iter_mut().zip(&self.rows[feature]) {
            *unit += count * i32::from(*weight);
        }
    }

    /// What the units add to the logit.
    #[inline(always)]
    fn output(&self, units: &[i32; HIDDEN]) -> i32 {
        let mut sum = 0;
        for (unit, weight) in units.iter().zip(&self.outputs) {
            sum += (*unit).clamp(0, HIDDEN_ONE) * weight;
        }
        sum >> 6
    }
}

/// All weights of the evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    phases: Vec<Phase>,
    hidden: Hidden,
}

/// Where the king cells and the mobilities begin among the features.
const KING_START: usize = QUEEN_CELLS * QUEEN_CELLS;
const MOBILITY_START: usize = KING_START + KING_CELLS * KING_CELLS;

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
        Self { phases, hidden: Hidden::NONE() }
    }

    /// Takes weights in the order of [`Inputs`]: [`PHASES`] times [`FEATURES`]. `None` if there are more or less.
    #[must_use]
    pub fn from_table(table: &[i32]) -> Option<Self> {
        let phases = bytemuck::try_cast_slice(table).ok()?.to_vec();
        (phases.len() == PHASES).then(|| Self { phases, hidden: Hidden::NONE() })
    }

    /// Weights of the hidden units: [`FEATURES`] rows, then [`PHASES`] rows of biases (in units of [`HIDDEN_ONE`]), then the
    /// outputs (in units of [`OUTPUT_SCALE`]), each of [`HIDDEN`] numbers.
    pub const HIDDEN_TABLE: usize = (FEATURES + PHASES + 1) * HIDDEN;

    /// Takes the hidden units' weights; `false` if there are more or less, or too great ones.
    pub fn set_hidden(&mut self, table: &[i32]) -> bool {
        let (rows, _) = table.as_chunks::<HIDDEN>();
        if table.len() != Self::HIDDEN_TABLE || table.iter().any(|weight| weight.unsigned_abs() > 1 << 19) {
            return false;
        }
        let mut hidden = Hidden::NONE();
        for (to, from) in hidden.rows.iter_mut().zip(rows) {
            *to = from.map(|weight| weight.clamp(i16::MIN.into(), i16::MAX.into()) as i16);
        }
        hidden.biases.copy_from_slice(&rows[FEATURES..FEATURES + PHASES]);
        // The sum of all units must not overflow.
        hidden.outputs = rows[FEATURES + PHASES].map(|weight| weight.clamp(-30_000, 30_000));
        self.hidden = hidden;
        true
    }

    /// The weights in the same order.
    #[must_use]
    pub fn table(&self) -> &[i32] {
        bytemuck::cast_slice(&self.phases)
    }

    /// The weights for a position, by the share of its squares that are filled.
    #[inline(always)]
    fn phase(&self, position: &Amazons) -> &Phase {
        &self.phases[phase_index(position)]
    }

    /// The logit of White's expected score.
    #[inline(always)]
    pub(super) fn logit(&self, position: &Amazons, distances: &Distances) -> f32 {
        let (phase, mover, reached) = (self.phase(position), mover(position), distances.reached);
        let mut units = self.hidden.biases[phase_index(position)];
        let mut see = |feature, count| self.hidden.add(&mut units, feature, count);
        let queen = cell_sum(&phase.queen, mover, &distances.queen, reached, &mut see);
        let mut see = |feature, count| self.hidden.add(&mut units, KING_START + feature, count);
        let king = cell_sum(&phase.king, mover, &distances.king, reached, &mut see);
        let openness = Openness::new(position);
        let mut mobility = 0;
        for (table, side) in [mover, !mover].into_iter().enumerate() {
            let mut see = |feature| self.hidden.add(&mut units, MOBILITY_START + table * MOBILITIES + feature, 1);
            mobility += phase.mobility(position, reached, &openness, (side, table), &mut see);
        }
        self.hidden.add(&mut units, FEATURES - 1, 1);
        white(mover, queen + king + mobility + phase.tempo + self.hidden.output(&units))
    }

    /// The same in parts, for people.
    pub(super) fn explain(&self, position: &Amazons) -> Vec<Term> {
        let distances = Distances::new(Portable, position);
        let (phase, mover) = (self.phase(position), mover(position));
        let reached = distances.reached;
        let openness = Openness::new(position);
        let nearer = |nearer: [u32; 2]| nearer.map(|count| count as f32);
        let logit = |sum: i32| white(mover, sum);
        let of = |side: Side| {
            logit(phase.mobility(position, reached, &openness, (side, usize::from(side != mover)), &mut |_| ()))
        };
        let mobilities = [of(Side::White), of(Side::Black)];
        let to_move = [Side::White, Side::Black].map(|side| f32::from(u8::from(side == mover)));
        let mut terms = vec![
            Term {
                name: "queen distances",
                features: nearer(nearer_squares(&distances.queen)),
                logit: logit(cell_sum(&phase.queen, mover, &distances.queen, reached, &mut |_, _| ())),
            },
            Term {
                name: "king distances",
                features: nearer(nearer_squares(&distances.king)),
                logit: logit(cell_sum(&phase.king, mover, &distances.king, reached, &mut |_, _| ())),
            },
            Term { name: "mobility", features: mobilities, logit: mobilities[0] + mobilities[1] },
            Term { name: "next to move", features: to_move, logit: logit(phase.tempo) },
        ];
        // What the hidden units make of all of these.
        let tables: f32 = terms.iter().map(|term| term.logit).sum();
        let together = self.logit(position, &distances) - tables;
        terms.push(Term { name: "all together", features: [0.0; 2], logit: together });
        terms
    }
}

/// What the weights are multiplied with in a position, for fitting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// Which phase's weights.
    pub phase: usize,
    /// Index among a phase's weights, and how often it counts.
    pub counts: Vec<(u16, u16)>,
}

impl Inputs {
    /// The inputs of a position, from the view of the side that moves next.
    #[must_use]
    pub fn of(position: &Amazons) -> Self {
        let distances = Distances::new(Portable, position);
        let (mover, reached) = (mover(position), distances.reached);
        let mut counts = [0u16; FEATURES];
        let king = QUEEN_CELLS * QUEEN_CELLS;
        count_cells(&mut counts[..king], QUEEN_CELLS, mover, &distances.queen, reached);
        let mobilities = king + KING_CELLS * KING_CELLS;
        count_cells(&mut counts[king..mobilities], KING_CELLS, mover, &distances.king, reached);
        let openness = Openness::new(position);
        for (place, side) in [mover, !mover].into_iter().enumerate() {
            for square in position.amazons(side) {
                let units = mobility_units(position, square, reached[(!side).index()], &openness);
                counts[mobilities + place * MOBILITIES + units] += 1;
            }
        }
        counts[FEATURES - 1] = 1;
        Self { phase: phase_index(position), counts: (0..).zip(counts).filter(|&(_, count)| count > 0).collect() }
    }
}

/// The place of a position among the phases, times 256: by the share of its squares that are filled, from 0 to [`PHASES`] less one.
#[must_use]
pub fn fine_phase(position: &Amazons) -> usize {
    position.arrows().count() as usize * (PHASES - 1) * 256 / position.geometry().squares().count() as usize
}

/// Which phase's weights are for a position.
#[inline(always)]
pub(super) fn phase_index(position: &Amazons) -> usize {
    let squares = position.geometry().squares().count();
    (position.arrows().count() * (PHASES as u32 - 1) / squares) as usize
}

/// The side that moves an amazon next: between move and fire it is the one that does not fire.
#[inline(always)]
fn mover(position: &Amazons) -> Side {
    if position.at_turn_start() { position.side_to_move() } else { !position.side_to_move() }
}

/// A logit from the mover's view as White's.
#[inline(always)]
fn white(mover: Side, sum: i32) -> f32 {
    (if mover == Side::White { sum } else { -sum }) as f32 / SCALE
}

/// The weights of all cells times the squares in them; `see` is told of each cell.
#[inline(always)]
fn cell_sum<const N: usize, const CELLS: usize>(
    cells: &Cells<CELLS>,
    mover: Side,
    levels: &Levels<N>,
    reached: [Bitboard; 2],
    see: &mut impl FnMut(usize, i32),
) -> i32 {
    let (own, other) = (mover.index(), (!mover).index());
    let mut sum = 0;
    let mut add = |near: usize, far: usize, set: Bitboard| {
        let count = set.count() as i32;
        sum += cells[near][far] * count;
        see(near * CELLS + far, count);
    };
    for near in 0..levels.len {
        let (mine, theirs) = (levels.sets[near][own], levels.sets[near][other]);
        for far in 0..levels.len {
            add(near, far, mine & levels.sets[far][other]);
        }
        add(near, CELLS - 1, mine & !reached[other]);
        add(CELLS - 1, near, theirs & !reached[own]);
    }
    sum
}

/// The squares in all cells.
fn count_cells<const N: usize>(
    counts: &mut [u16],
    cells: usize,
    mover: Side,
    levels: &Levels<N>,
    reached: [Bitboard; 2],
) {
    let (own, other) = (mover.index(), (!mover).index());
    for near in 0..N {
        let (mine, theirs) = (levels.sets[near][own], levels.sets[near][other]);
        for far in 0..N {
            counts[near * cells + far] = (mine & levels.sets[far][other]).count() as u16;
        }
        counts[near * cells + N] = (mine & !reached[other]).count() as u16;
        counts[N * cells + near] = (theirs & !reached[own]).count() as u16;
    }
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
    /// What `side`'s amazons add by their mobility: by the first table for the mover, by the second for the other side. `see` is told of
    /// each.
    #[inline(always)]
    fn mobility(
        &self,
        position: &Amazons,
        reached: [Bitboard; 2],
        openness: &Openness,
        (side, table): (Side, usize),
        see: &mut impl FnMut(usize),
    ) -> i32 {
        let contested = reached[(!side).index()];
        // A plain loop: in an iterator's closure the kernel's processor features might get lost.
        let mut worth = 0;
        for square in position.amazons(side) {
            let units = mobility_units(position, square, contested, openness);
            worth += self.mobility[table][units];
            see(units);
        }
        worth
    }
}

/// The mobility of an amazon as an index.
#[inline(always)]
fn mobility_units(position: &Amazons, square: Square, contested: Bitboard, openness: &Openness) -> usize {
    ((mobility(position, square, contested, openness) / MOBILITY_UNIT) as usize).min(MOBILITIES - 1)
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
    let tie = |mover, other, weight: f32| if mover == other { units(weight * TIE) } else { 0 };
    let queen = |mover, other| {
        units(weights.t1 * sign(mover, other) + weights.c * c1(mover, other)) + tie(mover, other, weights.t1)
    };
    let king = |mover, other| {
        units(weights.t2 * sign(mover, other) + weights.c * c2(mover, other)) + tie(mover, other, weights.t2)
    };
    let worth = |mobility: usize| {
        let enclosed = 10.0 * weights.mobility * 0.5f32.powf(mobility as f32 / 3.0);
        units(weights.mobility * mobility as f32 * MOBILITY_SHARE - enclosed)
    };
    Phase {
        queen: std::array::from_fn(|mover| std::array::from_fn(|other| queen(mover, other))),
        king: std::array::from_fn(|mover| std::array::from_fn(|other| king(mover, other))),
        mobility: [std::array::from_fn(worth), std::array::from_fn(|units| -worth(units))],
        tempo: 0,
    }
}

/// How much of the published mobility weight a unit of ours gets.
const MOBILITY_SHARE: f32 = 0.5;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::flood::with_best_kernel;
    use crate::board::flood::{Kernel, KernelTask};
    use crate::games::{Notation, variant};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    struct Logit<'a>(&'a Weights, &'a Amazons);

    impl KernelTask for Logit<'_> {
        type Output = f32;

        fn run<K: Kernel>(self, kernel: K) -> f32 {
            self.0.logit(self.1, &Distances::new(kernel, self.1))
        }
    }

    /// The formula of the fitting, on the counts.
    fn by_the_counts(weights: &Weights, hidden: &[i32], position: &Amazons) -> f32 {
        let inputs = Inputs::of(position);
        let counts = || inputs.counts.iter().map(|&(feature, count)| (usize::from(feature), i64::from(count)));
        let table = &weights.table()[inputs.phase * FEATURES..];
        let mut sum: i64 = counts().map(|(feature, count)| count * i64::from(table[feature])).sum();
        let mut together = 0;
        for unit in 0..HIDDEN {
            let start = i64::from(hidden[(FEATURES + inputs.phase) * HIDDEN + unit]);
            let seen: i64 = counts().map(|(feature, count)| count * i64::from(hidden[feature * HIDDEN + unit])).sum();
            let output = i64::from(hidden[(FEATURES + PHASES) * HIDDEN + unit]);
            together += (start + seen).clamp(0, HIDDEN_ONE.into()) * output;
        }
        sum += together >> 6;
        white(mover(position), sum as i32)
    }

    #[test]
    fn the_logit_is_that_of_the_counts_on_every_kernel() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let table: Vec<i32> = (0..PHASES * FEATURES).map(|_| random.random_range(-9_000..9_000)).collect();
        let hidden: Vec<i32> = (0..Weights::HIDDEN_TABLE).map(|_| random.random_range(-900..900)).collect();
        let mut weights = Weights::from_table(&table).unwrap();
        assert!(weights.set_hidden(&hidden) && !weights.set_hidden(&hidden[1..]));
        for name in ["amazons", "amazons8", "amazons6"] {
            let variant = variant::find(name).unwrap();
            let mut position = Amazons::from_fen(variant, variant.start).unwrap();
            while !(position.at_turn_start() && position.outcome().is_some()) {
                let expected = by_the_counts(&weights, &hidden, &position);
                assert_eq!(with_best_kernel(Logit(&weights, &position)), expected);
                assert_eq!(Logit(&weights, &position).run(Portable), expected);
                let steps = position.steps();
                position.play(steps[random.random_range(0..steps.len())]);
            }
        }
    }
}
