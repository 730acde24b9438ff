use super::{Evaluator, exp};
use crate::games::{Position, Steps};
use rand::Rng;

/// Draws a step with its probability by the policy, whose logits are multiplied by `sharpness`. With 0 all steps are
/// equally likely; with 1 it is the policy as it is; the higher, the likelier its favourite. `position` must not be
/// finished.
pub fn draw_step<P: Position, E: Evaluator<P> + ?Sized>(
    evaluator: &E,
    position: &P,
    sharpness: f32,
    random: &mut impl Rng,
) -> Option<P::Step> {
    let steps = position.steps();
    let mut logits = vec![0.0; steps.len()];
    evaluator.policy(position, &steps, &mut logits);
    logits.iter_mut().for_each(|logit| *logit *= sharpness);
    pick(&logits, random).and_then(|index| steps.get(index).copied())
}

/// A turn drawn by the policy. `root` is at the start of a turn and not finished.
pub(crate) fn draw_turn<P: Position, E: Evaluator<P>>(
    evaluator: &E,
    root: &P,
    sharpness: f32,
    random: &mut impl Rng,
) -> Steps<P> {
    let (mut turn, mut position) = (Steps::<P>::new(), root.clone());
    while turn.is_empty() || !position.at_turn_start() {
        let Some(step) = draw_step(evaluator, &position, sharpness, random) else { break };
        turn.push(step);
        position.play(step);
    }
    turn
}

/// An index, with the probability that the softmax of `logits` gives it.
fn pick(logits: &[f32], random: &mut impl Rng) -> Option<usize> {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total: f32 = logits.iter().map(|logit| exp(logit - highest)).sum();
    let mut left = (random.next_u64() >> 40) as f32 / (1u64 << 24) as f32 * total;
    let chosen = logits.iter().position(|logit| {
        left -= exp(logit - highest);
        left < 0.0
    });
    chosen.or(logits.len().checked_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn likely_steps_are_picked_often() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut counts = [0; 3];
        for _ in 0..4_000 {
            counts[pick(&[0.0, 1.386_294_4, -80.0], &mut random).unwrap()] += 1;
        }
        assert!((700..900).contains(&counts[0]) && counts[2] == 0, "{counts:?}");
        assert_eq!(pick(&[], &mut random), None);
    }
}
