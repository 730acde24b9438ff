//! How a board may look at the end of the game: the policy plays to the end.

use crate::board::{FRAME, Square};
use crate::endgame::Work;
use crate::eval::desdemona::DesdemonaEvaluator;
use crate::eval::draw_step;
use crate::games::desdemona::Desdemona;
use crate::games::{Position, Side};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The boards at the end of several games.
pub(super) struct Outlook {
    pub games: u32,
    /// White, black and neutral stones at the end, summed over the games.
    pub stones: [u32; 3],
    /// For each square of the frame, how often a white stone stood there at the end, minus how often a black one did.
    margin: [i32; FRAME],
    /// How often any stone did.
    any: [u32; FRAME],
}

/// The most games from a position.
const GAMES: u32 = 64;

impl Outlook {
    pub fn white_less_black(&self, square: Square) -> i32 {
        self.margin.get(square.index()).copied().unwrap_or(0)
    }

    pub fn is_ever_stone(&self, square: Square) -> bool {
        self.any.get(square.index()).is_some_and(|&count| count > 0)
    }

    fn add(&mut self, end: &Desdemona) {
        self.games += 1;
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

/// Plays [`GAMES`] games to their end, from each of `positions` in turn; fewer, but at least one, once `work` is over.
/// Each step is drawn from the policy, and counts as a position. The same seed gives the same games.
pub(super) fn play_out(evaluator: &DesdemonaEvaluator, positions: &[Desdemona], seed: u64, work: &Work<'_>) -> Outlook {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ positions.first().map_or(0, Position::key));
    let mut from = positions.iter().cycle();
    let mut outlook = Outlook { games: 0, stones: [0; 3], margin: [0; FRAME], any: [0; FRAME] };
    while outlook.games < GAMES && !(work.is_over() && outlook.games > 0) {
        let Some(&(mut at)) = from.next() else { break };
        while !(at.at_turn_start() && at.outcome().is_some()) {
            let Some(step) = draw_step(evaluator, &at, 1.0, &mut random) else { break };
            at.play(step);
            work.spend(1);
        }
        outlook.add(&at);
    }
    outlook
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use crate::games::{Notation, variant};

    #[test]
    fn every_game_is_played_to_its_end() {
        let variant = &variant::find("cassio").unwrap();
        let start = Desdemona::from_fen(variant, variant.start()).unwrap();
        let evaluator = DesdemonaEvaluator::new(&start.rules(), &Weights::embedded());
        let outlook = play_out(&evaluator, &[start], 3, &Work::unlimited());
        let again = play_out(&evaluator, &[start], 3, &Work::unlimited());
        assert_eq!((outlook.games, outlook.stones, outlook.margin), (GAMES, again.stones, again.margin));
        let margin: i32 = outlook.margin.iter().sum();
        assert_eq!(margin, outlook.stones[0] as i32 - outlook.stones[1] as i32);
        let mean = outlook.stones.iter().sum::<u32>() / outlook.games;
        assert!((20..=92).contains(&mean), "{mean}");
        // However little may be done, one game is played to its end.
        for (work, games) in [(Work::new(0, &|| true), 1..2), (Work::new(1_000, &|| true), 2..40)] {
            let outlook = play_out(&evaluator, &[start], 3, &work);
            assert!(games.contains(&outlook.games), "{}", outlook.games);
            assert!((20..=92).contains(&(outlook.stones.iter().sum::<u32>() / outlook.games)));
        }
    }
}
