//! Evaluations of the positions after several fires of the same amazon.
//!
//! A fire fills one square. Few distances change by that, and few amazons lose mobility. So the position before the
//! fire is counted once, and for each fire only the differences are. All sums are whole numbers: the results are those
//! of [`Evaluate`](super::Evaluate), to the bit.

use super::counts::{KING, OTHER_MOBILITY, OWN_MOBILITY, QUEEN, count_distances, mover, phase_index};
use super::features::{Distances, mobility_index, mobility_index_of};
use super::{Values, exact_result};
use crate::board::flood::{BySquare, Kernel, KernelTask, Levels, SQUARES};
use crate::board::{Bitboard, Square};
use crate::endgame::Proof;
use crate::eval::network::{Counter, Sum};
use crate::eval::squares::{Numbers, Openness, digits};
use crate::eval::{Evaluation, Value, logistic, white};
use crate::games::amazons::{Amazons, MAX_AMAZONS};
use crate::games::{MoveFireStep, Position, Side, StepKind};
use arrayvec::ArrayVec;

/// Evaluates the positions after `fires`, all of them steps of `position`.
pub(super) struct EvaluateFires<'a> {
    pub weights: &'a Values,
    pub position: &'a Amazons,
    pub exact: bool,
    pub fires: &'a [MoveFireStep],
    pub evaluations: &'a mut Vec<Evaluation>,
}

impl KernelTask for EvaluateFires<'_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) {
        let Self { weights, position, exact, fires, evaluations } = self;
        let Some(&first) = fires.first() else { return };
        // One more arrow: the phase is the same after all fires.
        let mut before = Before::new(kernel, position, weights.sum(phase_index(&position.after(first))));
        for &fire in fires {
            let after = position.after(fire);
            let StepKind::Fire { at } = fire.kind() else { continue };
            evaluations.push(match after.outcome() {
                Some(outcome) => Evaluation::Exact(Proof { outcome, plies: 0 }),
                None => before.evaluate(kernel, &after, at, exact),
            });
        }
    }
}

/// The position before the fires, counted.
struct Before<'a, const FEATURES: usize> {
    mover: Side,
    /// The features of the squares and amazons, in the phase after the fire.
    sum: Sum<'a, FEATURES>,
    distances: Distances,
    queen: Places,
    king: Places,
    amazons: ArrayVec<Seer, { 2 * MAX_AMAZONS }>,
}

/// An amazon.
struct Seer {
    square: Square,
    side: Side,
    /// The squares that it sees.
    targets: Bitboard,
    /// Its mobility as an index.
    mobility: usize,
}

/// By side and square, the distance less 1; what comes after the last distance stands for "out of reach".
struct Places {
    before: [BySquare; 2],
    /// A copy for the fire that is being counted; it equals `before` in between.
    after: [BySquare; 2],
}

/// Binary digits of a distance.
const BITS: usize = 4;

impl Places {
    #[inline(always)]
    fn new<K: Kernel, const N: usize>(kernel: K, levels: &Levels<N>) -> Self {
        let by_side = |side| digits::<BITS, N>(levels, side, Bitboard(u128::MAX), |level| level, N);
        let before = [Numbers::new(kernel, by_side(0)).0, Numbers::new(kernel, by_side(1)).0];
        Self { before, after: before }
    }
}

impl<'a, const FEATURES: usize> Before<'a, FEATURES> {
    #[inline(always)]
    fn new<K: Kernel>(kernel: K, position: &Amazons, mut sum: Sum<'a, FEATURES>) -> Self {
        let (mover, distances) = (mover(position), Distances::new(kernel, position));
        count_distances(mover, &distances, &mut sum);
        let openness = Openness::new(position.geometry(), position.empty());
        let mut amazons = ArrayVec::new();
        for side in [mover, !mover] {
            for square in position.amazons(side) {
                let targets = kernel.queen_targets(position.geometry(), square, position.empty());
                let contested = distances.reached[(!side).index()];
                let mobility = mobility_index_of(kernel, position, square, targets & contested, &openness);
                sum.add(Self::mobilities(mover, side) + mobility, 1);
                amazons.push(Seer { square, side, targets, mobility });
            }
        }
        let (queen, king) = (Places::new(kernel, &distances.queen), Places::new(kernel, &distances.king));
        Self { mover, sum, distances, queen, king, amazons }
    }

    /// Where the features of a side's mobility begin.
    #[inline(always)]
    fn mobilities(mover: Side, side: Side) -> usize {
        if side == mover { OWN_MOBILITY.start } else { OTHER_MOBILITY.start }
    }

    /// The evaluation of `after`, in which the square `fire` is filled besides.
    #[inline(always)]
    fn evaluate<K: Kernel>(&mut self, kernel: K, after: &Amazons, fire: Square, exact: bool) -> Evaluation {
        let distances = Distances::new(kernel, after);
        if exact && let Some(proof) = exact_result(after, &distances) {
            return Evaluation::Exact(proof);
        }
        let (mover, before) = (self.mover, &self.distances);
        let mut sum = self.sum.clone();
        let reached = [before.reached, distances.reached];
        follow(QUEEN.start, mover, [&before.queen, &distances.queen], reached, fire, &mut self.queen, &mut sum);
        follow(KING.start, mover, [&before.king, &distances.king], reached, fire, &mut self.king, &mut sum);
        let openness = Openness::new(after.geometry(), after.empty());
        let around = after.geometry().neighbours(fire).with(fire);
        let mut changed = [around; 2];
        for side in 0..2 {
            changed[side] |= before.reached[side] ^ distances.reached[side];
        }
        for amazon in &self.amazons {
            let enemy = (!amazon.side).index();
            if (amazon.targets & changed[enemy]).is_empty() {
                continue;
            }
            let mobility = if amazon.targets.contains(fire) {
                mobility_index(kernel, after, amazon.square, distances.reached[enemy], &openness)
            } else {
                let contested = amazon.targets & distances.reached[enemy];
                mobility_index_of(kernel, after, amazon.square, contested, &openness)
            };
            if mobility != amazon.mobility {
                let start = Self::mobilities(mover, amazon.side);
                sum.add(start + amazon.mobility, -1);
                sum.add(start + mobility, 1);
            }
        }
        Evaluation::Estimate(Value { white: logistic(white(mover, sum.logit())), draw: 0.0 })
    }
}

/// Counts what the fire changes in one kind of distances, whose features begin at `start`. `levels` and `reached` are
/// given before and after the fire.
#[inline(always)]
fn follow<const N: usize>(
    start: usize,
    mover: Side,
    [before, after]: [&Levels<N>; 2],
    reached: [[Bitboard; 2]; 2],
    fire: Square,
    places: &mut Places,
    counter: &mut impl Counter,
) {
    let mut changed = Bitboard::EMPTY;
    for side in 0..2 {
        let lost = reached[0][side] & !reached[1][side];
        changed |= lost;
        for square in lost {
            places.after[side][square.index() % SQUARES] = N as u16;
        }
        for level in 0..after.len {
            let gained = after.sets[level][side] & !before.sets[level][side];
            changed |= gained;
            for square in gained {
                places.after[side][square.index() % SQUARES] = level as u16;
            }
        }
    }
    for square in changed {
        let index = square.index() % SQUARES;
        if let Some(feature) = feature::<N>(mover, &places.before, index) {
            counter.add(start + feature, -1);
        }
        if square != fire
            && let Some(feature) = feature::<N>(mover, &places.after, index)
        {
            counter.add(start + feature, 1);
        }
        for side in 0..2 {
            places.after[side][index] = places.before[side][index];
        }
    }
}

/// The feature of the square with this index; `None` if it is out of both sides' reach.
#[inline(always)]
fn feature<const N: usize>(mover: Side, places: &[BySquare; 2], index: usize) -> Option<usize> {
    let own = usize::from(places[mover.index()][index]);
    let other = usize::from(places[(!mover).index()][index]);
    (own < N || other < N).then_some(own * (N + 1) + other)
}

#[cfg(test)]
mod tests {
    use super::super::{Evaluate, tests::for_each_position};
    use super::*;
    use crate::board::flood::{Portable, with_best_kernel};
    use crate::eval::Weights;

    #[test]
    fn fires_are_evaluated_as_the_positions_after_them_by_every_kernel() {
        let weights = Weights::embedded();
        let (weights, mut exact) = (&weights.amazons.value, 0);
        for_each_position(|position| {
            if position.at_turn_start() {
                return;
            }
            let steps = position.steps();
            let mut found = [const { Vec::new() }; 2];
            let task = |evaluations| EvaluateFires { weights, position, exact: true, fires: &steps, evaluations };
            let [portable, best] = &mut found;
            task(portable).run(Portable);
            with_best_kernel(task(best));
            assert_eq!(portable, best);
            for (&step, &found) in steps.iter().zip(portable.iter()) {
                let after = position.after(step);
                let expected = match after.outcome() {
                    Some(outcome) => Evaluation::Exact(Proof { outcome, plies: 0 }),
                    None => Evaluate { weights, shapes: None, position: &after, exact: true }.run(Portable),
                };
                assert_eq!(found, expected);
                exact += usize::from(matches!(found, Evaluation::Exact(_)));
            }
        });
        assert!(exact > 50, "{exact}");
    }
}
