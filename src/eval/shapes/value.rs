//! The value of shapes.
//!
//! The levels of all squares that are not full are summed up. These sums add to the logit by linear weights that depend
//! on the phase, and by a layer of [`UNITS`] hidden units.

use super::{Classes, LEVEL_ONE, Rows, Scheme, check_parts, narrow, product, rows_size};
use crate::eval::network::{HIDDEN_ONE, Misfit, OUTPUT_SCALE, PHASES, SCALE};

/// Channels of the first layer.
pub const CHANNELS: usize = 32;
/// Hidden units of the second.
pub const UNITS: usize = 32;

/// Sums of levels are divided by 2 to the power of this before they are weighted.
const SUM_SHIFT: u32 = 3;
/// Binary digits of weights of sums and of biases beyond those of logits.
const FINE: u32 = 4;
/// The weight that adds a logit, or fills a hidden unit, for each square whose level is 1.
pub const SUM_ONE: f32 = SCALE * (1 << FINE) as f32 * (1 << SUM_SHIFT) as f32 / LEVEL_ONE as f32;
/// The bias that fills a hidden unit.
pub const UNIT_ONE: f32 = SCALE * (1 << FINE) as f32;
/// The output that adds a logit.
pub const OUTPUT_ONE: f32 = OUTPUT_SCALE;
/// The greatest weight of a sum: all together fit into 32 bits.
pub const MOST_WEIGHT: i32 = 8_191;
/// The greatest bias of a hidden unit.
pub const MOST_BIAS: i32 = 1 << 28;
/// The greatest output of a hidden unit.
pub const MOST_OUTPUT: i32 = 15_000;

type Row = [i16; CHANNELS];

/// Numbers in the table of a [`Shapes`] of this scheme.
pub const fn size(scheme: &Scheme) -> usize {
    rows_size(scheme, CHANNELS) + (PHASES + UNITS) * CHANNELS + (PHASES + 1) * UNITS
}

/// Checks that no number of a table is greater than allowed.
pub fn check(table: &[i32]) -> Result<(), Misfit> {
    let weights = (PHASES + UNITS) * CHANNELS;
    check_parts(table, &[(UNITS, MOST_OUTPUT), (PHASES * UNITS, MOST_BIAS), (weights, MOST_WEIGHT)])
}

/// Scales what the shapes of a table add to logits; `times` scales a number. What becomes too great is cut.
pub fn scale(table: &mut [i32], times: impl Fn(&mut i32)) {
    let behind_rows = (PHASES + UNITS) * CHANNELS + (PHASES + 1) * UNITS;
    let scale = |part: &mut [i32], most: i32| {
        for number in part {
            times(number);
            *number = (*number).clamp(-most, most);
        }
    };
    if let Some(rows) = table.len().checked_sub(behind_rows) {
        let outputs = table.len() - UNITS;
        scale(&mut table[rows..][..PHASES * CHANNELS], MOST_WEIGHT);
        scale(&mut table[outputs..], MOST_OUTPUT);
    }
}

/// The weights, for schemes of at most `CLASSES` classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shapes<const CLASSES: usize> {
    rows: Rows<CHANNELS, CLASSES>,
    /// The logit that one unit of each sum adds, by phase.
    linear: Vec<Row>,
    hidden: Vec<Row>,
    biases: Vec<[i32; UNITS]>,
    outputs: [i32; UNITS],
}

impl<const CLASSES: usize> Shapes<CLASSES> {
    /// Takes the rows of the first layer and its bias, in units of 1/[`LEVEL_ONE`]; the linear weights phase by phase,
    /// and for each hidden unit its weights of the sums, in units of 1/[`SUM_ONE`]; the hidden units' biases phase by
    /// phase, in units of 1/[`UNIT_ONE`]; and their outputs in units of 1/[`OUTPUT_ONE`]. None is greater than [`check`]
    /// allows. `None` if there are more or less.
    pub fn from_table(scheme: &Scheme, table: &[i32]) -> Option<Self> {
        if table.len() != size(scheme) {
            return None;
        }
        let (rows, rest) = table.split_at(rows_size(scheme, CHANNELS));
        let (linear, rest) = rest.split_at(PHASES * CHANNELS);
        let (hidden, rest) = rest.split_at(UNITS * CHANNELS);
        let (biases, outputs) = rest.split_at(PHASES * UNITS);
        Some(Self {
            rows: Rows::from_table(scheme, rows)?,
            linear: linear.chunks(CHANNELS).map(narrow).collect(),
            hidden: hidden.chunks(CHANNELS).map(narrow).collect(),
            biases: biases.as_chunks::<UNITS>().0.to_vec(),
            outputs: outputs.try_into().ok()?,
        })
    }

    /// The logit that the shapes add for the side from whose view the classes are.
    #[inline(always)]
    pub fn logit(&self, classes: &Classes, phase: usize) -> f32 {
        let sums = self.rows.sums(classes).map(|sum| sum >> SUM_SHIFT);
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
    use super::super::MOST_ROW;
    use super::super::tests::{RandomBoard, SCHEME, for_each_board};
    use super::*;
    use crate::board::flood::{Kernel, KernelTask, Portable, with_best_kernel};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    type Small = Shapes<16>;

    struct Logit<'a>(&'a Small, &'a RandomBoard, usize);

    impl KernelTask for Logit<'_> {
        type Output = f32;

        fn run<K: Kernel>(self, kernel: K) -> f32 {
            self.0.logit(&self.1.classes(kernel), self.2)
        }
    }

    /// A table of random numbers, such that few levels and units are cut.
    fn random_table() -> Vec<i32> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
        let rows = rows_size(&SCHEME, CHANNELS);
        let mut table: Vec<i32> = (0..rows).map(|_| random.random_range(-MOST_ROW..=MOST_ROW) / 4).collect();
        table.extend((0..(PHASES + UNITS) * CHANNELS).map(|_| random.random_range(-MOST_WEIGHT..=MOST_WEIGHT)));
        table.extend((0..PHASES * UNITS).map(|_| random.random_range(-MOST_BIAS..=MOST_BIAS) / 64));
        table.extend((0..UNITS).map(|_| random.random_range(-MOST_OUTPUT..=MOST_OUTPUT) / 15));
        table
    }

    /// The formula of the module's first page, square by square and in fractions.
    fn slow_logit(table: &[i32], board: &RandomBoard, phase: usize) -> f64 {
        let (width, height) = (board.geometry.width() as i64, board.geometry.height() as i64);
        let (rows, rest) = table.split_at(rows_size(&SCHEME, CHANNELS));
        let (linear, rest) = rest.split_at(PHASES * CHANNELS);
        let (hidden, rest) = rest.split_at(UNITS * CHANNELS);
        let (biases, outputs) = rest.split_at(PHASES * UNITS);
        let squares = (0..height).flat_map(|rank| (0..width).map(move |file| (file, rank)));
        let seen: Vec<_> = squares.filter(|&(file, rank)| board.rows(file, rank)[0] != SCHEME.full).collect();
        let level = |channel, &(file, rank): &(i64, i64)| {
            (board.slow_level(rows, CHANNELS, channel, file, rank) / f64::from(LEVEL_ONE)).clamp(0.0, 1.0)
        };
        let sums: Vec<f64> =
            (0..CHANNELS).map(|channel| seen.iter().map(|square| level(channel, square)).sum()).collect();
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
        let shapes = Small::from_table(&SCHEME, &table).unwrap();
        for_each_board(|board| {
            for phase in [0, 7, PHASES - 1] {
                let portable = Logit(&shapes, board, phase).run(Portable);
                assert_eq!(with_best_kernel(Logit(&shapes, board, phase)), portable);
                // Sums are cut to 8/255 of a square.
                let expected = slow_logit(&table, board, phase);
                assert!((f64::from(portable) - expected).abs() < 0.2, "{portable} {expected}");
            }
        });
    }

    #[test]
    fn tables_of_another_size_are_refused_and_so_is_what_is_too_great() {
        assert_eq!(Small::from_table(&SCHEME, &vec![0; size(&SCHEME) - 1]), None);
        let (rows, end) = (rows_size(&SCHEME, CHANNELS), size(&SCHEME));
        let (biases, outputs) = (rows + (PHASES + UNITS) * CHANNELS, end - UNITS);
        let mut greatest = vec![-MOST_ROW; rows];
        greatest.resize(biases, MOST_WEIGHT);
        greatest.resize(outputs, -MOST_BIAS);
        greatest.resize(end, MOST_OUTPUT);
        assert_eq!(check(&greatest), Ok(()));
        let shapes = Small::from_table(&SCHEME, &greatest).unwrap();
        for_each_board(|board| assert!(Logit(&shapes, board, 3).run(Portable).is_finite()));
        for index in [0, rows - 1, rows, biases - 1, biases, outputs - 1, outputs, end - 1] {
            let mut beyond = greatest.clone();
            beyond[index] += beyond[index].signum();
            assert_eq!(check(&beyond), Err(Misfit::Bound { index, most: greatest[index].unsigned_abs() }));
        }
        scale(&mut greatest, |weight| *weight *= 2);
        assert_eq!(check(&greatest), Ok(()));
    }

    #[test]
    fn scaling_scales_what_is_added_to_logits() {
        let table = random_table();
        let mut halved = table.clone();
        scale(&mut halved, |weight| *weight /= 2);
        let [whole, half] = [&table, &halved].map(|table| Small::from_table(&SCHEME, table).unwrap());
        for_each_board(|board| {
            let [whole, half] = [&whole, &half].map(|shapes| Logit(shapes, board, 5).run(Portable));
            assert!((whole / 2.0 - half).abs() < 0.01, "{whole} {half}");
        });
    }
}
