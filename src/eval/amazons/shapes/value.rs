//! The value of shapes.
//!
//! The levels of all squares without an arrow are summed up. These sums add to the logit by linear weights that depend
//! on the phase, and by a layer of [`UNITS`] hidden units.

use super::{Classes, LEVEL_ONE, Rows, narrow, product};
use crate::board::flood::Kernel;
use crate::eval::amazons::counts::{mover, phase_index};
use crate::eval::amazons::features::Distances;
use crate::eval::network::{HIDDEN_ONE, OUTPUT_SCALE, PHASES, SCALE};
use crate::games::amazons::Amazons;

/// Channels of the first layer.
pub(crate) const CHANNELS: usize = 32;
/// Hidden units of the second.
pub(crate) const UNITS: usize = 32;

/// Sums of levels are divided by 2 to the power of this before they are weighted.
const SUM_SHIFT: u32 = 3;
/// Binary digits of weights of sums and of biases beyond those of logits.
const FINE: u32 = 4;
/// The weight that adds a logit, or fills a hidden unit, for each square whose level is 1.
pub(crate) const SUM_ONE: f32 = SCALE * (1 << FINE) as f32 * (1 << SUM_SHIFT) as f32 / LEVEL_ONE as f32;
/// The bias that fills a hidden unit.
pub(crate) const UNIT_ONE: f32 = SCALE * (1 << FINE) as f32;
/// The output that adds a logit.
pub(crate) const OUTPUT_ONE: f32 = OUTPUT_SCALE;
/// The greatest weight of a sum: all together fit into 32 bits.
pub(crate) const MOST_WEIGHT: i32 = 8_191;
/// The greatest bias of a hidden unit.
pub(crate) const MOST_BIAS: i32 = 1 << 28;
/// The greatest output of a hidden unit.
pub(crate) const MOST_OUTPUT: i32 = 15_000;

type Row = [i16; CHANNELS];

/// The weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shapes {
    rows: Rows<CHANNELS>,
    /// What one unit of each sum adds to the logit, by phase.
    linear: Vec<Row>,
    hidden: Vec<Row>,
    biases: Vec<[i32; UNITS]>,
    outputs: [i32; UNITS],
}

impl Shapes {
    /// Numbers that [`Shapes::from_table`] takes.
    pub const SIZE: usize = Rows::<CHANNELS>::SIZE + (PHASES + UNITS) * CHANNELS + (PHASES + 1) * UNITS;

    /// Takes the rows of the first layer and its bias, in units of 1/[`LEVEL_ONE`]; the linear weights phase by phase,
    /// and for each hidden unit its weights of the sums, in units of 1/[`SUM_ONE`]; the hidden units' biases phase by
    /// phase, in units of 1/[`UNIT_ONE`]; and their outputs in units of 1/[`OUTPUT_ONE`]. What is too great is cut.
    /// `None` if there are more or less.
    pub fn from_table(table: &[i32]) -> Option<Self> {
        if table.len() != Self::SIZE {
            return None;
        }
        let (rows, rest) = table.split_at(Rows::<CHANNELS>::SIZE);
        let (linear, rest) = rest.split_at(PHASES * CHANNELS);
        let (hidden, rest) = rest.split_at(UNITS * CHANNELS);
        let (biases, outputs) = rest.split_at(PHASES * UNITS);
        let mut units = [0; UNITS];
        for (to, &from) in units.iter_mut().zip(outputs) {
            *to = from.clamp(-MOST_OUTPUT, MOST_OUTPUT);
        }
        Some(Self {
            rows: Rows::from_table(rows)?,
            linear: linear.chunks(CHANNELS).map(|row| narrow(row, MOST_WEIGHT)).collect(),
            hidden: hidden.chunks(CHANNELS).map(|row| narrow(row, MOST_WEIGHT)).collect(),
            biases: biases
                .as_chunks::<UNITS>()
                .0
                .iter()
                .map(|row| row.map(|bias| bias.clamp(-MOST_BIAS, MOST_BIAS)))
                .collect(),
            outputs: units,
        })
    }

    /// Scales what the shapes of a table add to logits; `times` scales a number.
    pub fn scale(table: &mut [i32], times: impl Fn(&mut i32)) {
        if table.len() == Self::SIZE {
            table[Rows::<CHANNELS>::SIZE..][..PHASES * CHANNELS].iter_mut().for_each(&times);
            table[Self::SIZE - UNITS..].iter_mut().for_each(&times);
        }
    }

    /// What the shapes add to the mover's logit.
    #[inline(always)]
    pub(in crate::eval::amazons) fn logit<K: Kernel>(
        &self,
        kernel: K,
        position: &Amazons,
        distances: &Distances,
    ) -> f32 {
        let sums =
            self.rows.sums(&Classes::new(kernel, position, mover(position), distances)).map(|sum| sum >> SUM_SHIFT);
        let phase = phase_index(position);
        let logit = product(&sums, &self.linear[phase]);
        let mut hidden = 0;
        for unit in 0..UNITS {
            let level =
                (product(&sums, &self.hidden[unit]) + self.biases[phase][unit]) / ((1 << FINE) * 65_536 / HIDDEN_ONE);
            hidden += level.clamp(0, HIDDEN_ONE) * self.outputs[unit];
        }
        ((logit >> FINE) + (hidden >> 6)) as f32 / SCALE
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ARROW, EDGE, MOST_ROW, ROLES, ROWS, rows_of, squares};
    use super::*;
    use crate::board::flood::{KernelTask, Portable, with_best_kernel};
    use crate::eval::amazons::tests::for_each_position;
    use crate::games::Position;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    struct Logit<'a>(&'a Shapes, &'a Amazons);

    impl KernelTask for Logit<'_> {
        type Output = f32;

        fn run<K: Kernel>(self, kernel: K) -> f32 {
            self.0.logit(kernel, self.1, &Distances::new(kernel, self.1))
        }
    }

    /// A table of random numbers, such that few levels and units are cut.
    fn random_table() -> Vec<i32> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
        let rows = (ROLES * ROWS + 1) * CHANNELS;
        let mut table: Vec<i32> = (0..rows).map(|_| random.random_range(-MOST_ROW..=MOST_ROW) / 4).collect();
        table.extend((0..(PHASES + UNITS) * CHANNELS).map(|_| random.random_range(-MOST_WEIGHT..=MOST_WEIGHT)));
        table.extend((0..PHASES * UNITS).map(|_| random.random_range(-MOST_BIAS..=MOST_BIAS) / 64));
        table.extend((0..UNITS).map(|_| random.random_range(-MOST_OUTPUT..=MOST_OUTPUT) / 15));
        table
    }

    /// The formula of the module's first page, square by square and in fractions.
    fn slow_logit(table: &[i32], position: &Amazons) -> f64 {
        let squares = squares(position);
        let (width, height) = (i64::from(squares[0]), i64::from(squares[1]));
        let row = |role: usize, file: i64, rank: i64, channel: usize| -> f64 {
            let on_board = (0..width).contains(&file) && (0..height).contains(&rank);
            let rows = if on_board { rows_of(squares[2 + (rank * width + file) as usize]) } else { [EDGE; 2] };
            let of = |class: usize| f64::from(table[(role * ROWS + class) * CHANNELS + channel]);
            if rows[0] == rows[1] { of(rows[0]) } else { of(rows[0]) + of(rows[1]) }
        };
        let rest = &table[ROLES * ROWS * CHANNELS..];
        let (bias, rest) = rest.split_at(CHANNELS);
        let (linear, rest) = rest.split_at(PHASES * CHANNELS);
        let (hidden, rest) = rest.split_at(UNITS * CHANNELS);
        let (biases, outputs) = rest.split_at(PHASES * UNITS);
        let phase = phase_index(position);
        let sums: Vec<f64> = (0..CHANNELS)
            .map(|channel| {
                let mut sum = 0.0;
                for (file, rank) in (0..height).flat_map(|rank| (0..width).map(move |file| (file, rank))) {
                    if rows_of(squares[2 + (rank * width + file) as usize])[0] == ARROW {
                        continue;
                    }
                    let mut level = f64::from(bias[channel]);
                    for (right, up) in (-1..=1).flat_map(|up| (-1..=1).map(move |right| (right, up))) {
                        let role = (i64::abs(right) + i64::abs(up)) as usize;
                        level += row(role, file + right, rank + up, channel);
                    }
                    sum += (level / f64::from(LEVEL_ONE)).clamp(0.0, 1.0);
                }
                sum
            })
            .collect();
        let weighted = |weights: &[i32]| -> f64 {
            sums.iter().zip(weights).map(|(sum, &weight)| sum * f64::from(weight) / f64::from(SUM_ONE)).sum()
        };
        let units = (0..UNITS).map(|unit| {
            let bias = f64::from(biases[phase * UNITS + unit]) / f64::from(UNIT_ONE);
            let level = bias + weighted(&hidden[unit * CHANNELS..][..CHANNELS]);
            level.clamp(0.0, 1.0) * f64::from(outputs[unit]) / f64::from(OUTPUT_ONE)
        });
        weighted(&linear[phase * CHANNELS..][..CHANNELS]) + units.sum::<f64>()
    }

    #[test]
    fn every_kernel_finds_what_the_formula_says() {
        let table = random_table();
        let shapes = Shapes::from_table(&table).unwrap();
        let mut positions = 0;
        for_each_position(|position| {
            if !position.at_turn_start() {
                // Between move and fire `squares` has the other side's view.
                return;
            }
            let portable = Logit(&shapes, position).run(Portable);
            assert_eq!(with_best_kernel(Logit(&shapes, position)), portable);
            // Sums are cut to 8/255 of a square.
            let expected = slow_logit(&table, position);
            assert!((f64::from(portable) - expected).abs() < 0.2, "{portable} {expected}");
            positions += 1;
        });
        assert!(positions > 100);
    }

    #[test]
    fn tables_of_another_size_are_refused_and_what_is_too_great_is_cut() {
        assert_eq!(Shapes::from_table(&vec![0; Shapes::SIZE - 1]), None);
        let great = vec![i32::MAX; Shapes::SIZE];
        let shapes = Shapes::from_table(&great).unwrap();
        for_each_position(|position| assert!(Logit(&shapes, position).run(Portable).is_finite()));
    }
}
