//! The steps of a position by falling prior.

use super::parameters::Parameters;
use crate::eval::Evaluator;
use crate::games::{Position, Step};
use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;
use std::cmp::Reverse;
use std::ops::ControlFlow;

/// A step's code with its prior. Orders by prior, the highest first, then by code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ranked(Reverse<u64>);

impl Ranked {
    /// `prior` must not be negative: then its bits order like the number.
    pub fn new(step: u16, prior: f32) -> Self {
        Self(Reverse(u64::from(prior.to_bits()) << 16 | u64::from(!step)))
    }

    pub fn step(self) -> u16 {
        !(self.0.0 as u16)
    }

    pub fn prior(self) -> f32 {
        f32::from_bits((self.0.0 >> 16) as u32)
    }
}

/// Buffers for ranking, used again and again.
pub(super) struct Ranking<P: Position> {
    steps: Vec<P::Step>,
    logits: Vec<f32>,
    ranked: Vec<Ranked>,
}

impl<P: Position> Ranking<P> {
    pub fn new() -> Self {
        Self { steps: Vec::new(), logits: Vec::new(), ranked: Vec::new() }
    }

    /// The `count` best steps, best first, and the number of all. The prior is the softmax of the policy's logits, with a grain of
    /// noise that breaks ties: so the order depends on position and seed alone.
    pub fn best<E: Evaluator<P>>(
        &mut self,
        evaluator: &E,
        parameters: &Parameters,
        seed: u64,
        position: &P,
        count: usize,
    ) -> (&[Ranked], usize) {
        let Self { steps, logits, ranked } = self;
        steps.clear();
        let _ = position.for_each_step(|step| {
            steps.push(step);
            ControlFlow::Continue(())
        });
        logits.clear();
        logits.resize(steps.len(), 0.0);
        evaluator.policy(position, steps, logits);
        let mut noise = SplitMix64::seed_from_u64(seed ^ position.key());
        let mut highest = f32::NEG_INFINITY;
        for logit in logits.iter_mut() {
            let grain = (noise.next_u64() >> 40) as f32 / (1u64 << 24) as f32;
            *logit = *logit / parameters.policy_temperature + parameters.tie_noise * grain;
            highest = highest.max(*logit);
        }
        let mut total = 0.0;
        for logit in logits.iter_mut() {
            *logit = libm::expf(*logit - highest);
            total += *logit;
        }
        ranked.clear();
        ranked.extend(steps.iter().zip(&*logits).map(|(step, weight)| Ranked::new(step.code(), weight / total)));
        if count < ranked.len() {
            ranked.select_nth_unstable(count);
            ranked.truncate(count);
        }
        ranked.sort_unstable();
        (ranked, steps.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_by_prior_then_by_code() {
        let mut ranked = [Ranked::new(3, 0.25), Ranked::new(9, 0.5), Ranked::new(2, 0.25), Ranked::new(1, 0.0)];
        ranked.sort_unstable();
        let order: Vec<_> = ranked.iter().map(|ranked| (ranked.step(), ranked.prior())).collect();
        assert_eq!(order, [(9, 0.5), (2, 0.25), (3, 0.25), (1, 0.0)]);
    }
}
