//! The form that all learned evaluations share: a logit from counts.
//!
//! The evaluation of a game counts things in a position, its *features*. Each feature has a linear weight that depends
//! on the phase of the game. A layer of a few hidden units sees the same counts and adds to the sum:
//!
//! `logit = Σ w(phase, feature) · count + Σ output · clamp(bias(phase) + Σ row(feature) · count, 0, 1)`
//!
//! All of it is in integers, so every machine and every kernel gets the same sum.

/// The number of phases between the start and the end of a game. Each has weights of its own.
pub const PHASES: usize = 33;
/// Linear weights are in units of 1/65536 logit.
pub const SCALE: f32 = 65_536.0;
/// The number of hidden units.
pub const HIDDEN: usize = 16;
/// The number that is 1 for a hidden unit.
pub const HIDDEN_ONE: i32 = 4_096;
/// The weight of a unit in the logit is in units of one logit divided by this.
pub const OUTPUT_SCALE: f32 = SCALE * 64.0 / HIDDEN_ONE as f32;

/// The counts of all features of a position add up to less than this, their signs left out: each kind of feature counts
/// a square of the board, of 121 at most, or a piece on it, a few times.
pub const MOST_COUNTED: i32 = 2_048;
/// The greatest linear weight: the sum of all stays within 32 bits, whatever is counted.
pub const MOST_LINEAR: u32 = 1_000_000;
/// The greatest weights of the rows of hidden units, of their biases and of their outputs, for the same reason.
const MOST_ROW: u32 = 32_767;
const MOST_BIAS: u32 = 1 << 19;
const MOST_OUTPUT: u32 = 30_000;

const _: () = {
    let hidden = HIDDEN as i64 * HIDDEN_ONE as i64 * MOST_OUTPUT as i64;
    assert!(MOST_COUNTED as i64 * MOST_LINEAR as i64 + (hidden >> 6) <= i32::MAX as i64 && hidden <= i32::MAX as i64);
    assert!(MOST_COUNTED as i64 * MOST_ROW as i64 + MOST_BIAS as i64 <= i32::MAX as i64);
};

/// Why a table was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// It should have this number of weights.
    Size(usize),
    /// A weight is greater than allowed.
    Bound {
        /// Its number in the table, from 0.
        index: usize,
        /// The greatest absolute value.
        most: u32,
    },
    /// There is no table of this name.
    Unknown,
}

/// Checks that no weight of a table is greater than allowed.
pub(super) fn check_bound(table: &[i32], first: usize, most: u32) -> Result<(), Misfit> {
    let beyond = table.iter().position(|weight| weight.unsigned_abs() > most);
    beyond.map_or(Ok(()), |index| Err(Misfit::Bound { index: first + index, most }))
}

/// The weights of an evaluation with `FEATURES` features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network<const FEATURES: usize> {
    /// The weights of each phase.
    linear: Vec<[i32; FEATURES]>,
    /// The amounts that one count of a feature adds to each hidden unit.
    rows: Box<[[i16; HIDDEN]; FEATURES]>,
    /// The value of each hidden unit before anything is counted.
    biases: [[i32; HIDDEN]; PHASES],
    /// The amount that each hidden unit adds to the logit when it is 1, in units of 64/65536 logit.
    outputs: [i32; HIDDEN],
}

impl<const FEATURES: usize> Network<FEATURES> {
    /// Takes linear weights, those of each feature for the first of [`PHASES`] phases, then for the next; hidden units
    /// that add nothing. `None` if there are more or less weights.
    #[must_use]
    pub fn linear(weights: &[i32]) -> Option<Self> {
        let (linear, rest) = weights.as_chunks::<FEATURES>();
        let fits = linear.len() == PHASES && rest.is_empty();
        fits.then(|| Self::without_hidden(linear.to_vec()))
    }

    /// The linear weights `weights`, in logits, for every phase; no hidden units.
    #[must_use]
    pub fn of_phase(weights: &[f32; FEATURES]) -> Self {
        Self::without_hidden(vec![weights.map(|weight| (weight * SCALE) as i32); PHASES])
    }

    /// Hidden units that add nothing.
    fn without_hidden(linear: Vec<[i32; FEATURES]>) -> Self {
        let (biases, outputs) = ([[0; HIDDEN]; PHASES], [0; HIDDEN]);
        Self { linear, rows: Box::new([[0; HIDDEN]; FEATURES]), biases, outputs }
    }

    /// Numbers that [`Network::linear`] takes.
    pub const LINEAR_SIZE: usize = PHASES * FEATURES;
    /// Numbers that [`Network::set_hidden`] takes.
    pub const HIDDEN_SIZE: usize = (FEATURES + PHASES + 1) * HIDDEN;

    /// Takes the hidden units' weights, each row of [`HIDDEN`] numbers: a row for each feature and one of biases for
    /// each phase, in units of [`HIDDEN_ONE`], then the outputs in units of [`OUTPUT_SCALE`].
    ///
    /// # Errors
    ///
    /// If there are more or less, or too great ones. Then nothing is taken.
    pub fn set_hidden(&mut self, table: &[i32]) -> Result<(), Misfit> {
        let (rows, _) = table.as_chunks::<HIDDEN>();
        if table.len() != Self::HIDDEN_SIZE {
            return Err(Misfit::Size(Self::HIDDEN_SIZE));
        }
        let (biases, outputs) = (FEATURES, FEATURES + PHASES);
        check_bound(rows[..biases].as_flattened(), 0, MOST_ROW)?;
        check_bound(rows[biases..outputs].as_flattened(), biases * HIDDEN, MOST_BIAS)?;
        check_bound(rows[outputs..].as_flattened(), outputs * HIDDEN, MOST_OUTPUT)?;
        for (to, from) in self.rows.iter_mut().zip(rows) {
            *to = from.map(|weight| weight as i16);
        }
        self.biases.copy_from_slice(&rows[biases..outputs]);
        self.outputs = rows[outputs];
        Ok(())
    }

    /// The linear weights, in the order in which they were taken.
    #[must_use]
    pub fn linear_weights(&self) -> &[i32] {
        self.linear.as_flattened()
    }

    /// The hidden units' weights, as [`Network::set_hidden`] takes them.
    #[must_use]
    pub fn hidden_weights(&self) -> Vec<i32> {
        let rows = self.rows.iter().map(|row| row.map(i32::from)).chain(self.biases).chain([self.outputs]);
        rows.flatten().collect()
    }

    /// The linear weight of a feature, as a logit.
    #[must_use]
    pub fn linear_weight(&self, phase: usize, feature: usize) -> f32 {
        self.linear[phase][feature] as f32 / SCALE
    }

    /// An empty sum for a phase below [`PHASES`].
    #[inline(always)]
    #[must_use]
    pub fn sum(&self, phase: usize) -> Sum<'_, FEATURES> {
        let (weights, units) = (&self.linear[phase], self.biases[phase]);
        Sum { weights, rows: &self.rows, outputs: &self.outputs, linear: 0, units }
    }
}

/// A sum that is being counted.
#[derive(Clone, Debug)]
pub struct Sum<'a, const FEATURES: usize> {
    weights: &'a [i32; FEATURES],
    rows: &'a [[i16; HIDDEN]; FEATURES],
    outputs: &'a [i32; HIDDEN],
    linear: i32,
    units: [i32; HIDDEN],
}

/// Something that is told of counts. It is a trait, not a closure, because closures are compiled without a kernel's
/// processor features.
pub trait Counter {
    /// A feature was counted `count` times.
    fn add(&mut self, feature: usize, count: i32);
}

/// Keeps the counts, by feature.
impl Counter for Vec<i32> {
    fn add(&mut self, feature: usize, count: i32) {
        self[feature] += count;
    }
}

impl<const FEATURES: usize> Counter for Sum<'_, FEATURES> {
    #[inline(always)]
    fn add(&mut self, feature: usize, count: i32) {
        self.linear += self.weights[feature] * count;
        for (unit, weight) in self.units.iter_mut().zip(&self.rows[feature]) {
            *unit += count * i32::from(*weight);
        }
    }
}

impl<const FEATURES: usize> Sum<'_, FEATURES> {
    /// The logit.
    #[inline(always)]
    #[must_use]
    pub fn logit(self) -> f32 {
        let mut hidden = 0;
        for (unit, weight) in self.units.iter().zip(self.outputs) {
            hidden += (*unit).clamp(0, HIDDEN_ONE) * weight;
        }
        (self.linear + (hidden >> 6)) as f32 / SCALE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn the_logit_follows_the_formula() {
        const FEATURES: usize = 7;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let linear: Vec<i32> = (0..PHASES * FEATURES).map(|_| random.random_range(-90_000..90_000)).collect();
        let hidden: Vec<i32> = (0..Network::<FEATURES>::HIDDEN_SIZE).map(|_| random.random_range(-900..900)).collect();
        let mut network = Network::<FEATURES>::linear(&linear).unwrap();
        assert!(Network::<{ FEATURES + 1 }>::linear(&linear).is_none());
        assert_eq!(network.set_hidden(&hidden), Ok(()));
        assert_eq!(network.set_hidden(&hidden[1..]), Err(Misfit::Size(hidden.len())));
        for (index, most) in [(0, MOST_ROW), (FEATURES * HIDDEN, MOST_BIAS), (hidden.len() - 1, MOST_OUTPUT)] {
            for sign in [-1, 1] {
                let mut great = hidden.clone();
                great[index] = sign * most as i32;
                assert_eq!(network.clone().set_hidden(&great), Ok(()));
                great[index] += sign;
                assert_eq!(network.set_hidden(&great), Err(Misfit::Bound { index, most }));
            }
        }
        for phase in 0..PHASES {
            let counts: Vec<i32> = (0..FEATURES).map(|_| random.random_range(-9..40)).collect();
            let mut sum = network.sum(phase);
            counts.iter().enumerate().for_each(|(feature, &count)| sum.add(feature, count));
            let row = |row: usize, unit: usize| f64::from(hidden[row * HIDDEN + unit]);
            let mut logit: f64 = (0..FEATURES)
                .map(|feature| f64::from(linear[phase * FEATURES + feature] * counts[feature]) / f64::from(SCALE))
                .sum();
            for unit in 0..HIDDEN {
                let seen: f64 = (0..FEATURES).map(|feature| row(feature, unit) * f64::from(counts[feature])).sum();
                let level = ((row(FEATURES + phase, unit) + seen) / f64::from(HIDDEN_ONE)).clamp(0.0, 1.0);
                logit += level * row(FEATURES + PHASES, unit) / f64::from(OUTPUT_SCALE);
            }
            assert!((f64::from(sum.logit()) - logit).abs() < 1e-3, "{logit}");
        }
    }
}
