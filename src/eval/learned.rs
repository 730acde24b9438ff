//! The learned weights of a rule set: an evaluation, the width of draws, and a policy.

use super::network::{Counter, MOST_LINEAR, Misfit, Network, PHASES, SCALE, check_bound};
use super::shapes::{steps, value};
use super::{Term, Value, exp, logistic, white};
#[cfg(test)]
use crate::games::Position;
use crate::games::Side;
use arrayvec::ArrayVec;
use std::ops::Range;

/// Sum of the sizes of tables that lie one after the other.
#[must_use]
pub const fn total(tables: &[usize]) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < tables.len() {
        sum += tables[i];
        i += 1;
    }
    sum
}

/// The sizes of tables that lie behind others, `ALL` of both.
pub(super) const fn joined<const FIRST: usize, const MORE: usize, const ALL: usize>(
    first: [usize; FIRST],
    more: [usize; MORE],
) -> [usize; ALL] {
    let (mut all, mut i) = ([0; ALL], 0);
    while i < ALL {
        all[i] = if i < FIRST { first[i] } else { more[i - FIRST] };
        i += 1;
    }
    all
}

/// The greatest weight of a policy: those of the 24 features that a step has at most add up to less than 2³¹.
const MOST_STEP: u32 = 1 << 26;
/// The greatest threshold of draws, 16 logits: exponentials of it are far from infinite.
const MOST_THRESHOLD: u32 = 1 << 20;

/// Features of a step: indices among a phase's weights.
pub type StepFeatures = ArrayVec<u16, 24>;

/// The weights of a policy, in 1/65536 logit: for each of [`PHASES`] phases one for each feature of steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepWeights<const FEATURES: usize> {
    table: Vec<i32>,
}

impl<const FEATURES: usize> StepWeights<FEATURES> {
    /// Numbers in a table.
    pub const SIZE: usize = PHASES * FEATURES;

    /// Takes the weights phase by phase. `None` if there are more or less.
    #[must_use]
    pub fn from_table(table: &[i32]) -> Option<Self> {
        (table.len() == Self::SIZE).then(|| Self { table: table.to_vec() })
    }

    /// The weights `phase` for every phase; weights that it lacks are 0.
    #[must_use]
    pub fn of_phase(phase: &[i32]) -> Self {
        let mut phase = phase.to_vec();
        phase.resize(FEATURES, 0);
        Self { table: phase.repeat(PHASES) }
    }

    /// The weights in the order in which they were taken.
    #[must_use]
    pub fn table(&self) -> &[i32] {
        &self.table
    }

    /// The weights of a phase below [`PHASES`].
    #[inline(always)]
    #[must_use]
    pub fn phase(&self, phase: usize) -> &[i32] {
        &self.table[phase * FEATURES..(phase + 1) * FEATURES]
    }
}

/// Goes through tables one after the other and sums up one weight of each.
pub(super) struct TableSum<'a> {
    weights: &'a [i32],
    sizes: &'a [usize],
    /// The sum so far.
    pub sum: i32,
}

impl<'a> TableSum<'a> {
    /// Begins with the first of tables of these `sizes`; further weights are not looked at.
    #[inline(always)]
    pub fn new(weights: &'a [i32], sizes: &'a [usize]) -> Self {
        Self { weights, sizes, sum: 0 }
    }

    /// Adds the weight with this index in the next table.
    #[inline(always)]
    pub fn add(&mut self, index: usize) {
        if let Some((&size, rest)) = self.sizes.split_first() {
            self.sum += self.weights[index];
            self.weights = &self.weights[size..];
            self.sizes = rest;
        }
    }
}

/// The features of a step from its indices in such tables, which begin at `start` among the features.
pub(super) fn features_of(mut start: usize, sizes: &[usize], indices: &[usize]) -> StepFeatures {
    let mut features = StepFeatures::new();
    for (index, size) in indices.iter().zip(sizes) {
        debug_assert!(index < size);
        features.push((start + index) as u16);
        start += size;
    }
    features
}

/// How far the logit of a position may be from zero and a draw still be likely: the ordinal logit model (McCullagh,
/// *Regression models for ordinal data*, 1980). With the logit `l` and the threshold `d ≥ 0` a side wins with
/// probability `σ(l − d)` and loses with `σ(−l − d)`.
///
/// Thresholds depend on the phase and on a class that the game chooses, in 1/65536 logit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draws<const CLASSES: usize> {
    thresholds: Vec<i32>,
}

impl<const CLASSES: usize> Draws<CLASSES> {
    /// Numbers in a table: none for games without draws.
    pub const SIZE: usize = PHASES * CLASSES;

    /// The threshold `threshold`, a logit, for every phase and class.
    #[must_use]
    pub fn even(threshold: f32) -> Self {
        Self { thresholds: vec![(threshold * SCALE) as i32; Self::SIZE] }
    }

    /// Takes the thresholds of each class for the first phase, then for the next. `None` if there are more or less, or
    /// negative ones.
    #[must_use]
    pub fn from_table(table: &[i32]) -> Option<Self> {
        let fits = table.len() == Self::SIZE && table.iter().all(|&threshold| threshold >= 0);
        fits.then(|| Self { thresholds: table.to_vec() })
    }

    /// The thresholds in the order in which they were taken.
    #[must_use]
    pub fn table(&self) -> &[i32] {
        &self.thresholds
    }

    /// White's value for White's `logit`.
    #[inline(always)]
    #[must_use]
    pub fn value(&self, phase: usize, class: usize, logit: f32) -> Value {
        let [win, not_loss] = win_and_not_loss(logit, self.threshold(phase, class));
        Value { white: (win + not_loss) / 2.0, draw: not_loss - win }
    }

    /// The threshold of a class in a phase.
    #[inline(always)]
    pub(super) fn threshold(&self, phase: usize, class: usize) -> f32 {
        self.thresholds[phase * CLASSES + class] as f32 / SCALE
    }
}

/// The logit with which the expected score is `score`, strictly between 0 and 1, where draws have this threshold: with
/// `x` for `e` to the logit, `s` for `2·cosh(threshold)` and `w` for the score, the greater root of
/// `2(1 − w)·x² + s(1 − 2w)·x − 2w`.
#[inline(always)]
pub(super) fn logit_of_score(score: f32, threshold: f32) -> f32 {
    let grown = exp(threshold);
    let linear = (grown + 1.0 / grown) * (1.0 - 2.0 * score);
    let root = (linear * linear + 16.0 * score * (1.0 - score)).sqrt();
    // Of the two forms of this root the one without a difference of near numbers.
    let x = if linear > 0.0 { 4.0 * score / (root + linear) } else { (root - linear) / (4.0 * (1.0 - score)) };
    libm::logf(x)
}

/// The probabilities to win and not to lose with this logit and a threshold of draws.
#[inline(always)]
pub fn win_and_not_loss(logit: f32, threshold: f32) -> [f32; 2] {
    [logistic(logit - threshold), logistic(logit + threshold)]
}

/// The data that fitting needs from a position at the start of a turn.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The counts of all features, from the mover's view.
    pub counts: Vec<i32>,
    /// The phase times 256.
    pub fine_phase: usize,
    /// The class of draws; 0 where there are none.
    pub draw_class: usize,
}

/// A position's counts and what a network makes of them, for explanations.
pub(super) struct Explanation<'a, const FEATURES: usize> {
    pub network: &'a Network<FEATURES>,
    pub phase: usize,
    /// The counts of all features, from the mover's view.
    pub counts: Vec<i32>,
    pub mover: Side,
}

impl<const FEATURES: usize> Explanation<'_, FEATURES> {
    /// The sum that some of the features add to White's logit by their linear weights.
    pub fn part(&self, features: Range<usize>) -> f32 {
        let terms =
            features.map(|feature| self.counts[feature] as f32 * self.network.linear_weight(self.phase, feature));
        white(self.mover, terms.sum())
    }

    /// Completes `terms`, the linear parts, by what the hidden units add to them.
    pub fn complete(&self, mut terms: Vec<Term>) -> Vec<Term> {
        let mut sum = self.network.sum(self.phase);
        self.counts.iter().enumerate().for_each(|(feature, &count)| sum.add(feature, count));
        let parts: f32 = terms.iter().map(|term| term.logit).sum();
        let together = white(self.mover, sum.logit()) - parts;
        terms.push(Term { name: "all together", features: [0.0; 2], logit: together });
        terms
    }
}

/// A table, if anything was learned: not all of it is 0.
pub(super) fn learned_table(table: &[i32]) -> Option<&[i32]> {
    Some(table).filter(|table| table.iter().any(|&weight| weight != 0))
}

/// Checks the numbers of a table.
type Check = fn(&[i32]) -> Result<(), Misfit>;

/// Everything that is learned for a rule set, or for several that share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Learned<const FEATURES: usize, const CLASSES: usize, const STEP_FEATURES: usize> {
    /// The logit of the mover.
    pub value: Network<FEATURES>,
    /// How wide draws are.
    pub draws: Draws<CLASSES>,
    /// The policy.
    pub steps: StepWeights<STEP_FEATURES>,
    /// The network that sees shapes, all 0 as long as it has not learned anything; empty where there is none.
    pub shapes: Vec<i32>,
    /// The network of the policy that sees shapes, in the same way.
    pub step_shapes: Vec<i32>,
    /// The network that tells who owns the squares in the end, in the same way.
    pub owners: Vec<i32>,
}

/// One of the tables that a group of rule sets has learned, in the order of a weights file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Linear weights of the value.
    Linear,
    /// Its hidden units.
    Hidden,
    /// Thresholds of draws.
    Draws,
    /// The policy.
    Policy,
    /// Shapes of the value.
    Shapes,
    /// Shapes of the policy.
    PolicyShapes,
    /// Who owns the squares in the end.
    Ownership,
}

impl Part {
    const ALL: [Self; 7] =
        [Self::Linear, Self::Hidden, Self::Draws, Self::Policy, Self::Shapes, Self::PolicyShapes, Self::Ownership];

    /// The end of the table's name, after that of the group.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Linear => "",
            Self::Hidden => ".hidden",
            Self::Draws => ".draws",
            Self::Policy => ".policy",
            Self::Shapes => ".shapes",
            Self::PolicyShapes => ".policy-shapes",
            Self::Ownership => ".ownership",
        }
    }

    /// The part whose tables' names end like this.
    #[must_use]
    pub fn of_ending(ending: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.ending() == ending)
    }
}

impl<const FEATURES: usize, const CLASSES: usize, const STEP_FEATURES: usize>
    Learned<FEATURES, CLASSES, STEP_FEATURES>
{
    /// All tables, for the rule set called `name`.
    #[must_use]
    pub fn tables(&self, name: &str) -> Vec<(String, Vec<i32>)> {
        let hidden = self.value.hidden_weights();
        let [shapes, step_shapes, owners] = [&self.shapes, &self.step_shapes, &self.owners].map(|table| {
            let blank = table.iter().all(|&weight| weight == 0);
            if blank { &[] } else { &table[..] }
        });
        let (linear, draws, steps) = (self.value.linear_weights(), self.draws.table(), self.steps.table());
        let tables = [
            (Part::Linear, linear),
            (Part::Hidden, &hidden),
            (Part::Draws, draws),
            (Part::Policy, steps),
            (Part::Shapes, shapes),
            (Part::PolicyShapes, step_shapes),
            (Part::Ownership, owners),
        ];
        let named = tables.into_iter().filter(|(_, table)| !table.is_empty());
        named.map(|(part, table)| (format!("{name}{}", part.ending()), table.to_vec())).collect()
    }

    /// All weights that values and priors depend on, as bytes: for each table its ending, its length and its numbers,
    /// little-endian.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (part, table) in self.tables("").into_iter().filter(|(part, _)| *part != Part::Ownership.ending()) {
            bytes.extend(part.as_bytes());
            bytes.extend((table.len() as u32).to_le_bytes());
            table.iter().for_each(|weight| bytes.extend(weight.to_le_bytes()));
        }
        bytes
    }

    /// Takes one table. `part` is the ending of its name. Linear weights reset the hidden units and the shapes, and a
    /// policy its shapes: they add to what these weights say. Linear weights reset the ownership as well, so that a
    /// file says all that there is.
    ///
    /// # Errors
    ///
    /// If the table does not fit. Then nothing is taken.
    pub fn set(&mut self, part: &str, table: &[i32]) -> Result<(), Misfit> {
        let part = Part::of_ending(part).ok_or(Misfit::Unknown)?;
        match part {
            Part::Linear => {
                let value = Network::linear(table).ok_or(Misfit::Size(Network::<FEATURES>::LINEAR_SIZE))?;
                check_bound(table, 0, MOST_LINEAR)?;
                self.value = value;
                self.shapes.fill(0);
                self.owners.fill(0);
            }
            Part::Hidden => self.value.set_hidden(table)?,
            Part::Draws if CLASSES > 0 => {
                check_bound(table, 0, MOST_THRESHOLD)?;
                self.draws = Draws::from_table(table).ok_or(Misfit::Size(Draws::<CLASSES>::SIZE))?;
            }
            Part::Policy => {
                let steps = StepWeights::from_table(table);
                let steps = steps.ok_or(Misfit::Size(StepWeights::<STEP_FEATURES>::SIZE))?;
                check_bound(table, 0, MOST_STEP)?;
                self.steps = steps;
                self.step_shapes.fill(0);
            }
            Part::Draws => return Err(Misfit::Unknown),
            Part::Shapes | Part::PolicyShapes | Part::Ownership => {
                let (own, check): (_, Check) = match part {
                    Part::Shapes => (&mut self.shapes, value::check),
                    Part::PolicyShapes => (&mut self.step_shapes, steps::check),
                    // Numbers of 32 bits are small for its floats.
                    _ => (&mut self.owners, |_| Ok(())),
                };
                let size = Some(own.len()).filter(|&size| size > 0).ok_or(Misfit::Unknown)?;
                let table = Some(table).filter(|table| table.len() == size).ok_or(Misfit::Size(size))?;
                check(table)?;
                *own = table.to_vec();
            }
        }
        Ok(())
    }
}

/// Plays a random game from each of `starts` and asserts that `score` gives every step the sum of the weights of its
/// features, and that these are used.
#[cfg(test)]
pub(super) fn assert_scores_are_sums<P: Position, const FEATURES: usize>(
    starts: &[P],
    phase: impl Fn(&P) -> usize,
    features: impl Fn(&P, &[P::Step]) -> Vec<StepFeatures>,
    score: impl Fn(&StepWeights<FEATURES>, &P, &[P::Step], &mut [f32]),
) {
    use rand::{RngExt, SeedableRng};
    let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(3);
    let table: Vec<i32> = (0..PHASES * FEATURES).map(|_| random.random_range(-90_000..90_000)).collect();
    let weights = StepWeights::from_table(&table).unwrap();
    let mut seen = std::collections::HashSet::new();
    for start in starts {
        let mut position = start.clone();
        while !(position.at_turn_start() && position.outcome().is_some()) {
            let steps = position.steps();
            let mut logits = vec![0.0; steps.len()];
            score(&weights, &position, &steps, &mut logits);
            let weights = weights.phase(phase(&position));
            for (features, logit) in features(&position, &steps).iter().zip(logits) {
                seen.extend(features.iter().copied());
                let sum: i32 = features.iter().map(|&feature| weights[usize::from(feature)]).sum();
                assert_eq!(logit, sum as f32 / SCALE);
            }
            position.play(steps[random.random_range(0..steps.len())]);
        }
    }
    assert!(seen.len() > FEATURES / 2, "{} of {FEATURES}", seen.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_takes_as_much_from_wins_as_from_losses() {
        let draws = Draws::<2>::from_table(&vec![32_768; 2 * PHASES]).unwrap();
        let even = draws.value(3, 1, 0.0);
        assert!((even.white - 0.5).abs() < 1e-6 && (even.draw - 0.2449).abs() < 1e-3, "{even:?}");
        let [ahead, behind] = [2.0, -2.0].map(|logit| draws.value(0, 0, logit));
        assert!((ahead.white + behind.white - 1.0).abs() < 1e-6 && (ahead.draw - behind.draw).abs() < 1e-6);
        // The probability of a win is σ(2 − 0.5).
        assert!((ahead.white - ahead.draw / 2.0 - logistic(1.5)).abs() < 1e-6);
        assert!(Draws::<2>::from_table(&vec![-1; 2 * PHASES]).is_none() && Draws::<2>::from_table(&[0]).is_none());
    }

    #[test]
    fn a_score_has_one_logit() {
        for threshold in [0.0, 0.01, 0.7, 4.0, 9.0] {
            for logit in [-11.0, -6.0, -1.0, -0.01, 0.0, 0.3, 2.0, 5.0, 11.0] {
                let [win, not_loss] = win_and_not_loss(logit, threshold);
                let score = (win + not_loss) / 2.0;
                let again = logit_of_score(score, threshold);
                let [win, not_loss] = win_and_not_loss(again, threshold);
                assert!(((win + not_loss) / 2.0 - score).abs() < 1e-6, "{threshold}: {logit} {again}");
                // Where a score stands for one logit only, in these few digits.
                let is_clear = logit.abs() < 3.0 + threshold && logit.abs() > threshold - 3.0;
                assert!(!is_clear || (again - logit).abs() < 1e-3, "{threshold}: {logit} {again}");
            }
        }
    }

    #[test]
    fn tables_are_taken_as_they_were_given() {
        let value = Network::linear(&(0..5 * PHASES as i32).collect::<Vec<_>>()).unwrap();
        let mut learned: Learned<5, 2, 3> = Learned {
            value,
            draws: Draws::even(0.25),
            steps: StepWeights::of_phase(&[1, 2]),
            shapes: vec![1; 4],
            step_shapes: vec![2; 3],
            owners: vec![3; 2],
        };
        let hidden: Vec<i32> = (0..Network::<5>::HIDDEN_SIZE as i32).collect();
        assert_eq!(learned.set(".hidden", &hidden), Ok(()));
        let tables = learned.tables("chess");
        assert_eq!(
            tables.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>(),
            Part::ALL.map(|part| format!("chess{}", part.ending()))
        );
        let blank = Network::linear(&[0; 5 * PHASES]).unwrap();
        let mut again: Learned<5, 2, 3> = Learned {
            value: blank,
            draws: Draws::even(0.0),
            steps: StepWeights::of_phase(&[]),
            shapes: vec![0; 4],
            step_shapes: vec![0; 3],
            owners: vec![0; 2],
        };
        for (name, table) in &tables {
            assert_eq!(again.set(name.strip_prefix("chess").unwrap(), table), Ok(()));
        }
        assert_eq!(again, learned);
        // The bytes that tell evaluations apart: each weight counts.
        let bytes = learned.to_bytes();
        let [policy, linear] = [3 * PHASES, 5 * PHASES];
        let draws_and_hidden = 2 * PHASES + Network::<5>::HIDDEN_SIZE;
        let (names, shapes) = (".hidden.draws.policy.shapes.policy-shapes".len(), 4 + 3);
        assert_eq!(bytes.len(), 4 * (policy + linear + draws_and_hidden + shapes) + 4 * (Part::ALL.len() - 1) + names);
        assert_eq!(bytes[..12], [165, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
        for (part, table) in Part::ALL.into_iter().zip(learned.tables("")) {
            let mut other = learned.clone();
            let mut table = table.1;
            *table.last_mut().unwrap() += 1;
            assert_eq!(other.set(part.ending(), &table), Ok(()));
            // Who owns the squares in the end has no say in values and priors.
            assert_eq!(other.to_bytes() == bytes, part == Part::Ownership, "{part:?}");
        }
        assert_eq!(again.set(".policy", &[1]), Err(Misfit::Size(3 * PHASES)));
        assert_eq!(again.set(".book", &[1]), Err(Misfit::Unknown));
        for (part, size, most) in
            [("", linear, MOST_LINEAR), (".draws", 2 * PHASES, MOST_THRESHOLD), (".policy", policy, MOST_STEP)]
        {
            let mut table = vec![0; size];
            table[size - 1] = most as i32;
            assert_eq!(learned.set(part, &table), Ok(()));
            table[size - 1] += 1;
            let before = learned.clone();
            assert_eq!(learned.set(part, &table), Err(Misfit::Bound { index: size - 1, most }));
            assert_eq!(learned, before);
        }
    }
}
