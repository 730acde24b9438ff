//! The steps of a position, ordered by prior.

use super::tree::{Candidate, FIRST_CHUNK};
use crate::eval::{Evaluation, Evaluator, Leaf, Parameters, exp, sum_of_exponentials};
use crate::games::{Position, Side, Step};
use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;
use std::cmp::Reverse;
use std::ops::ControlFlow;

/// A step's index among all and its logit. Orders by logit, the highest first, then by index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Ranked(Reverse<u64>);

impl Ranked {
    fn new(index: usize, logit: f32) -> Self {
        Self(Reverse(u64::from(ordered(logit)) << 16 | u64::from(!(index as u16))))
    }

    fn index(self) -> usize {
        usize::from(!(self.0.0 as u16))
    }
}

/// A number that orders like the float.
pub(super) fn ordered(number: f32) -> u32 {
    // The bits of a float order like it once negative ones are turned round.
    let bits = number.to_bits();
    if bits >> 31 == 0 { bits | 1 << 31 } else { !bits }
}

/// Random parts of a ranking.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noise {
    /// The noise depends on this and the position alone.
    pub seed: u64,
    /// Scale of Gumbel noise.
    pub gumbel: f32,
}

/// Buffers for ranking, used again and again.
pub(super) struct Ranking<P: Position> {
    steps: Vec<P::Step>,
    logits: Vec<f32>,
    ranked: Vec<Ranked>,
    candidates: Vec<Candidate>,
    evaluations: Vec<Evaluation>,
    /// Positions evaluated since the last [`Ranking::take_evaluated`].
    evaluated: u64,
}

impl<P: Position> Ranking<P> {
    pub fn new() -> Self {
        Self {
            steps: Vec::new(),
            logits: Vec::new(),
            ranked: Vec::new(),
            candidates: Vec::new(),
            evaluations: Vec::new(),
            evaluated: 0,
        }
    }

    /// Number of positions evaluated since the last call.
    pub fn take_evaluated(&mut self) -> u64 {
        std::mem::take(&mut self.evaluated)
    }

    /// The next `count` steps, best first, after the first `made`, the last of which has the prior `last_prior`. Also
    /// returns the number of all steps.
    ///
    /// Priors are the softmax of logits. Logits come from the policy, with a little noise that breaks ties, so the
    /// order depends on position and seed alone. Where a step ends the turn, the policy only proposes: the positions
    /// after its [`FIRST_CHUNK`] best steps are evaluated, and the logits of these steps are their expected scores
    /// times [`Parameters::evaluation_sharpness`], with the policy's times [`Parameters::policy_share`] if the turn had
    /// begun before. All other steps follow the last of these at the policy's distance.
    /// Not so with an evaluator of batches: its policy alone makes the priors.
    pub fn best<E: Evaluator<P>>(
        &mut self,
        evaluator: &E,
        parameters: &Parameters,
        noise: &Noise,
        position: &P,
        (made, last_prior): (usize, f32),
        count: usize,
    ) -> (&[Candidate], usize) {
        self.list(evaluator, position);
        let ends = self.steps.first().is_some_and(|&step| position.after(step).at_turn_start());
        self.order(parameters, evaluator.policy_temperature(), noise, position.key(), made + count);
        let Self { steps, logits, ranked, candidates, evaluations, evaluated } = self;
        let logit = |place: usize| ranked.get(place).map_or(0.0, |ranked| logits[ranked.index()]);
        let code = |ranked: &Ranked| steps[ranked.index()].code();
        let all = steps.len();
        candidates.clear();
        if made > 0 {
            let base = logit(made - 1);
            candidates.extend(ranked[made.min(ranked.len())..].iter().map(|ranked| Candidate {
                step: code(ranked),
                prior: last_prior * exp(logits[ranked.index()] - base),
                evaluation: None,
            }));
            return (candidates, all);
        }
        set_softmax(candidates, ranked, logits, |index| steps[index].code());
        if evaluator.batch().is_none() && ends {
            let proposed = &mut candidates[..ranked.len().min(FIRST_CHUNK)];
            *evaluated += proposed.len() as u64;
            steps.clear();
            steps.extend(proposed.iter().map(|candidate| P::Step::from_code(candidate.step)));
            evaluations.clear();
            evaluator.evaluate_after(position, steps, evaluations);
            let share = if position.at_turn_start() { 0.0 } else { parameters.policy_share };
            let by_policy = |place| share * (logit(place) - logit(0));
            set_priors(parameters, position.side_to_move(), proposed, evaluations, by_policy);
        }
        (candidates, all)
    }

    /// All steps of a leaf that was evaluated, best first, with the softmax of their logits as priors.
    pub fn of_leaf(
        &mut self,
        parameters: &Parameters,
        temperature: f32,
        noise: &Noise,
        leaf: &mut Leaf<P>,
    ) -> &[Candidate] {
        std::mem::swap(&mut self.steps, &mut leaf.steps);
        std::mem::swap(&mut self.logits, &mut leaf.logits);
        self.order(parameters, temperature, noise, leaf.position.key(), usize::MAX);
        let Self { steps, logits, ranked, candidates, .. } = self;
        candidates.clear();
        set_softmax(candidates, ranked, logits, |index| steps[index].code());
        // The next leaf has the memory of this one, which is in the caches.
        std::mem::swap(&mut self.steps, &mut leaf.steps);
        std::mem::swap(&mut self.logits, &mut leaf.logits);
        &self.candidates
    }

    /// Lists all steps with their logits.
    fn list<E: Evaluator<P>>(&mut self, evaluator: &E, position: &P) {
        let Self { steps, logits, .. } = self;
        steps.clear();
        let _ = position.for_each_step(|step| {
            steps.push(step);
            ControlFlow::Continue(())
        });
        logits.clear();
        logits.resize(steps.len(), 0.0);
        evaluator.policy(position, steps, logits);
    }

    /// Puts the `count` best steps of a position by their logits in order into `ranked`. `temperature` is that of the
    /// evaluator.
    fn order(&mut self, parameters: &Parameters, temperature: f32, noise: &Noise, key: u64, count: usize) {
        let Self { logits, ranked, .. } = self;
        let mut random = SplitMix64::seed_from_u64(noise.seed ^ key);
        let mut grain = || (random.next_u64() >> 40) as f32 / (1u64 << 24) as f32;
        let temperature = parameters.policy_temperature * temperature;
        for logit in logits.iter_mut() {
            *logit = *logit / temperature + parameters.tie_noise * grain();
        }
        if noise.gumbel > 0.0 {
            let mut gumbel = || -libm::logf(-libm::logf(grain().clamp(1e-7, 1.0 - 1e-7)));
            logits.iter_mut().for_each(|logit| *logit += noise.gumbel * gumbel());
        }
        pick_best(ranked, logits, count);
    }
}

/// Adds the candidates of `ranked`, with the softmax of all `logits` as priors.
fn set_softmax(candidates: &mut Vec<Candidate>, ranked: &[Ranked], logits: &[f32], code: impl Fn(usize) -> u16) {
    let Some(best) = ranked.first().map(|ranked| logits[ranked.index()]) else { return };
    let total = sum_of_exponentials(logits, best);
    candidates.extend(ranked.iter().map(|ranked| Candidate {
        step: code(ranked.index()),
        prior: exp(logits[ranked.index()] - best) / total,
        evaluation: None,
    }));
}

/// Up to this number of steps, insertion is faster than selecting and sorting.
const FEW: usize = 16;

/// The `count` highest of `logits`, the highest first.
fn pick_best(ranked: &mut Vec<Ranked>, logits: &[f32], count: usize) {
    let all = || logits.iter().enumerate().map(|(index, &logit)| Ranked::new(index, logit));
    ranked.clear();
    if count > FEW {
        ranked.extend(all());
        if count < ranked.len() {
            ranked.select_nth_unstable(count);
            ranked.truncate(count);
        }
        return ranked.sort_unstable();
    }
    for new in all() {
        if ranked.len() == count {
            if ranked.last().is_none_or(|last| new > *last) {
                continue;
            }
            ranked.pop();
        }
        let mut place = ranked.len();
        ranked.push(new);
        while place > 0 && ranked[place - 1] > new {
            ranked[place] = ranked[place - 1];
            place -= 1;
        }
        ranked[place] = new;
    }
}

/// Sets the priors of `proposed`, the policy's best steps, by the evaluations of the positions after them, and sorts by
/// them. `by_policy` is what the policy adds to the logit of each, by its place.
fn set_priors(
    parameters: &Parameters,
    side: Side,
    proposed: &mut [Candidate],
    evaluations: &[Evaluation],
    by_policy: impl Fn(usize) -> f32,
) {
    let Some(last) = proposed.last().map(|last| last.prior) else { return };
    let mass: f32 = proposed.iter().map(|candidate| candidate.prior).sum();
    let (mut highest, mut lowest) = (f32::NEG_INFINITY, f32::INFINITY);
    for (place, (candidate, &evaluation)) in proposed.iter_mut().zip(evaluations).enumerate() {
        let logit = parameters.evaluation_sharpness * evaluation.value().for_side(side) + by_policy(place);
        (highest, lowest) = (highest.max(logit), lowest.min(logit));
        candidate.evaluation = Some(evaluation);
        candidate.prior = logit;
    }
    let weight = |logit: f32| exp(logit - highest);
    let evaluated: f32 = proposed.iter().map(|candidate| weight(candidate.prior)).sum();
    // The others, by the policy, as multiples of the last proposed.
    let others = weight(lowest) * (1.0 - mass).max(0.0) / last;
    for candidate in proposed.iter_mut() {
        candidate.prior = weight(candidate.prior) / (evaluated + others);
    }
    sort_by_prior(proposed);
}

/// Not part of its only caller, which is compiled for each game and evaluator.
fn sort_by_prior(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| b.prior.total_cmp(&a.prior));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::written::{AsWritten, Place, Spot, To, half, open};
    use std::collections::HashSet;

    /// The priors of all steps from the root, by falling prior, made in chunks of these sizes.
    fn priors(spots: &'static [Spot], chunks: &[usize]) -> Vec<f32> {
        let parameters = Parameters { tie_noise: 0.0, evaluation_sharpness: 8.0, ..Parameters::default() };
        let (root, noise) = (Place::root(spots, Side::White), Noise { seed: 0, gumbel: 0.0 });
        let (mut ranking, mut priors) = (Ranking::new(), Vec::new());
        for &count in chunks {
            let made = (priors.len(), priors.last().copied().unwrap_or(1.0));
            let (made, all) = ranking.best(&AsWritten::default(), &parameters, &noise, &root, made, count);
            assert!(all == STEPS.len() && made.len() == count);
            priors.extend(made.iter().map(|candidate| candidate.prior));
        }
        priors
    }

    const STEPS: &[u16] = &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];

    #[test]
    fn later_chunks_go_on_where_the_last_one_ended() {
        const HALVES: &[Spot] = &[
            open(4, STEPS),
            half(3, &[1]),
            half(1, &[1]),
            half(6, &[1]),
            half(0, &[1]),
            half(5, &[1]),
            half(2, &[1]),
            half(1, &[1]),
            half(4, &[1]),
            half(6, &[1]),
            half(2, &[1]),
            half(3, &[1]),
            half(5, &[1]),
            half(4, &[1]),
            half(0, &[1]),
        ];
        let at_once = priors(HALVES, &[14]);
        assert!(at_once.is_sorted_by(|one, other| one >= other));
        // By the policy alone: each eighth is one in the logit.
        assert!((at_once[0] / at_once[13] - exp(6.0)).abs() < 1.0);
        for chunks in [&[6, 6, 2][..], &[6, 8], &[1, 6, 7]] {
            let one_by_one = priors(HALVES, chunks);
            let far = at_once.iter().zip(&one_by_one).map(|(one, other)| (one / other - 1.0).abs()).fold(0.0, f32::max);
            assert!(one_by_one.len() == 14 && far < 1e-4, "{chunks:?}: {one_by_one:?}, not {at_once:?}");
        }
    }

    /// Steps from `first` that end the turn.
    const fn turns(first: Spot) -> [Spot; 15] {
        [
            first,
            open(3, &[]),
            open(1, &[]),
            open(6, &[]),
            open(0, &[]),
            open(5, &[]),
            open(2, &[]),
            open(1, &[]),
            open(4, &[]),
            open(6, &[]),
            open(2, &[]),
            open(3, &[]),
            open(5, &[]),
            open(4, &[]),
            open(0, &[]),
        ]
    }

    #[test]
    fn what_is_not_evaluated_follows_at_the_distance_of_the_policy_and_all_is_one() {
        const TURNS: &[Spot] = &turns(open(4, STEPS));
        let priors = priors(TURNS, &[6, 6, 2]);
        assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{priors:?}");
        // Two eighths make 2 in the logit of an evaluated step: the sharpness is 8.
        assert!((priors[0] / priors[5] - exp(2.0)).abs() < 1e-3, "{priors:?}");
        assert!((priors[5] / priors[6] - exp(1.0)).abs() < 1e-3, "{priors:?}");
    }

    #[test]
    fn in_the_middle_of_a_turn_the_policy_counts_beside_the_evaluations() {
        const FIRES: &[Spot] = &turns(half(4, STEPS));
        let priors = priors(FIRES, &[6, 6, 2]);
        assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{priors:?}");
        // Two eighths make 2 in the logit by the evaluation, and 2 in that of the policy.
        let share = Parameters::default().policy_share;
        assert!(((priors[0] / priors[5]).ln() - (2.0 + share * 2.0)).abs() < 1e-3, "{priors:?}");
        assert!((priors[5] / priors[6] - exp(1.0)).abs() < 1e-3, "{priors:?}");
    }

    /// The steps of a position by falling prior, with priors.
    fn ranked(place: &Place, evaluator: &AsWritten, parameters: &Parameters, noise: Noise) -> Vec<(u16, f32)> {
        let mut ranking = Ranking::new();
        let (made, _) = ranking.best(evaluator, parameters, &noise, place, (0, 1.0), usize::MAX);
        made.iter().map(|candidate| (candidate.step, candidate.prior)).collect()
    }

    #[test]
    fn ties_are_broken_by_the_seed_and_the_position_and_nothing_else_is() {
        const SPOTS: &[Spot] = &[
            open(4, &[1, 2, 3, 4, 5, 6]),
            half(3, &[7]),
            half(3, &[7]),
            half(3, &[7]),
            half(3, &[7]),
            half(2, &[7]),
            half(2, &[7]),
            half(0, &[1, 2, 3, 4, 5, 6]),
        ];
        let root = Place::root(SPOTS, Side::White);
        let below = root.after(To(1)).after(To(7));
        let order = |place: &Place, seed| {
            let (evaluator, noise) = (AsWritten::default(), Noise { seed, gumbel: 0.0 });
            ranked(place, &evaluator, &Parameters::default(), noise)
                .into_iter()
                .map(|(step, _)| step)
                .collect::<Vec<_>>()
        };
        let mut orders = HashSet::new();
        for seed in (0..200).chain([u64::MAX]) {
            for place in [&root, &below] {
                let order = order(place, seed);
                assert!(order[..4].iter().all(|&step| step <= 4), "{order:?}");
                orders.insert(order);
            }
        }
        assert!(orders.len() >= 6, "{orders:?}");
    }

    #[test]
    fn temperatures_divide_the_logits() {
        const SPOTS: &[Spot] = &[open(4, &[1, 2]), half(6, &[1]), half(0, &[1])];
        let root = Place::root(SPOTS, Side::White);
        let ratio = |policy_temperature, warmer| {
            let parameters = Parameters { tie_noise: 0.0, policy_temperature, ..Parameters::default() };
            let evaluator = AsWritten { warmer, ..AsWritten::default() };
            let ranked = ranked(&root, &evaluator, &parameters, Noise { seed: 0, gumbel: 0.0 });
            ranked[0].1 / ranked[1].1
        };
        for (policy_temperature, warmer, logit) in [(1.0, 0.0, 6.0), (2.0, 0.0, 3.0), (1.0, 2.0, 2.0), (2.0, 2.0, 1.0)]
        {
            assert!((ratio(policy_temperature, warmer) / exp(logit) - 1.0).abs() < 1e-3);
        }
    }

    #[test]
    fn with_noise_the_first_step_is_drawn_from_the_policy() {
        const SPOTS: &[Spot] = &[open(4, &[1, 2, 3]), half(0, &[1]), half(1, &[1]), half(2, &[1])];
        let root = Place::root(SPOTS, Side::White);
        let (seeds, parameters) = (4_000, Parameters { tie_noise: 0.0, ..Parameters::default() });
        // Of twice the scale the noise makes the policy twice as warm.
        for gumbel in [1.0, 2.0] {
            let mut first = [0.0; 4];
            for seed in 0..seeds {
                let ranked = ranked(&root, &AsWritten::default(), &parameters, Noise { seed, gumbel });
                first[usize::from(ranked[0].0)] += 1.0 / seeds as f32;
            }
            let weight = |logit: f32| exp(logit / gumbel);
            let sum = weight(0.0) + weight(1.0) + weight(2.0);
            for (found, logit) in first[1..].iter().zip([0.0, 1.0, 2.0]) {
                // Three standard deviations.
                assert!((found - weight(logit) / sum).abs() < 0.024, "{first:?}");
            }
        }
    }

    #[test]
    fn evaluated_steps_come_in_the_order_of_their_evaluations() {
        const SPOTS: &[Spot] = &[open(4, &[1, 2, 3]), open(6, &[]), open(2, &[]), open(4, &[])];
        // The policy likes what is good for White, and Black is to move.
        let (root, noise) = (Place::root(SPOTS, Side::Black), Noise { seed: 0, gumbel: 0.0 });
        let ranked = ranked(&root, &AsWritten::default(), &Parameters::default(), noise);
        assert_eq!(ranked.iter().map(|(step, _)| *step).collect::<Vec<_>>(), [2, 3, 1]);
        assert!(ranked.is_sorted_by(|one, other| one.1 > other.1), "{ranked:?}");
    }

    #[test]
    fn ranks_by_logit_then_by_index() {
        let logits = [0.25, -1.5, 3.0, 0.25, -0.0, -7.0];
        let mut ranked: Vec<_> = logits.iter().enumerate().map(|(index, &logit)| Ranked::new(index, logit)).collect();
        ranked.sort_unstable();
        assert_eq!(ranked.iter().map(|ranked| ranked.index()).collect::<Vec<_>>(), [2, 0, 3, 4, 1, 5]);
    }

    #[test]
    fn few_and_many_are_picked_in_the_same_order() {
        let mut random = SplitMix64::seed_from_u64(4);
        for total in [0, 1, 5, 16, FEW + 1, 40, 200] {
            let logits: Vec<f32> = (0..total).map(|_| (random.next_u64() >> 50) as f32 / 1e3 - 8.0).collect();
            let (mut all, mut some) = (Vec::new(), Vec::new());
            pick_best(&mut all, &logits, usize::MAX);
            assert_eq!(all.len(), total);
            for count in [0, 1, 6, 12, FEW, FEW + 1, 90] {
                pick_best(&mut some, &logits, count);
                assert!(some[..] == all[..count.min(total)], "{count} of {total}");
            }
        }
    }
}
