//! How a board may look at the end: games by the policy alone.

use crate::board::{FRAME, Square};
use crate::eval::desdemona::DesdemonaEvaluator;
use crate::eval::{Evaluator, exp};
use crate::games::desdemona::Desdemona;
use crate::games::{Position, Side};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What became of the board in several games.
pub(super) struct Outlook {
    pub games: u32,
    /// White, black and neutral stones at the end, summed over the games.
    pub stones: [u32; 3],
    /// For each square of the frame, how often a white stone stood there in the end, less how often a black one did.
    margin: [i32; FRAME],
    /// How often any stone did.
    any: [u32; FRAME],
}

/// Games from a position.
const GAMES: u32 = 64;

impl Outlook {
    pub fn white_less_black(&self, square: Square) -> i32 {
        self.margin.get(square.index()).copied().unwrap_or(0)
    }

    pub fn is_ever_stone(&self, square: Square) -> bool {
        self.any.get(square.index()).is_some_and(|&count| count > 0)
    }

    fn add(&mut self, end: &Desdemona) {
        let sets = [end.stones(Side::White), end.stones(Side::Black), end.neutral()];
        for ((sum, set), value) in self.stones.iter_mut().zip(sets).zip([1, -1, 0]) {
            *sum += set.count();
            for square in set {
                if let Some(margin) = self.margin.get_mut(square.index()) {
                    *margin += value;
                }
                if let Some(any) = self.any.get_mut(square.index()) {
                    *any += 1;
                }
            }
        }
    }
}

/// Plays [`GAMES`] games to their end, each step with its probability by the policy. The same seed gives the same games.
pub(super) fn play_out(evaluator: &DesdemonaEvaluator, position: &Desdemona, seed: u64) -> Outlook {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ position.key());
    let mut outlook = Outlook { games: GAMES, stones: [0; 3], margin: [0; FRAME], any: [0; FRAME] };
    let mut logits = Vec::new();
    for _ in 0..GAMES {
        let mut at = *position;
        while !(at.at_turn_start() && at.outcome().is_some()) {
            let steps = at.steps();
            logits.clear();
            logits.resize(steps.len(), 0.0);
            evaluator.policy(&at, &steps, &mut logits);
            let Some(&step) = pick(&logits, &mut random).and_then(|index| steps.get(index)) else { break };
            at.play(step);
        }
        outlook.add(&at);
    }
    outlook
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
    use crate::eval::Knowledge;
    use crate::games::{Notation, variant};

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

    #[test]
    fn every_game_is_played_to_its_end() {
        let variant = variant::find("cassio").unwrap();
        let start = Desdemona::from_fen(variant, variant.start).unwrap();
        let outlook = play_out(&DesdemonaEvaluator::new(start.rules(), &Knowledge::embedded()), &start, 3);
        let again = play_out(&DesdemonaEvaluator::new(start.rules(), &Knowledge::embedded()), &start, 3);
        assert_eq!((outlook.stones, outlook.margin), (again.stones, again.margin));
        let margin: i32 = outlook.margin.iter().sum();
        assert_eq!(margin, outlook.stones[0] as i32 - outlook.stones[1] as i32);
        let mean = outlook.stones.iter().sum::<u32>() / outlook.games;
        assert!((20..=92).contains(&mean), "{mean}");
    }
}
