//! Priors for turns: what stands where before and after, what can be captured, what is gained.

use super::counts::{ORBITS, TABLES, draw_class, fine_phase, seen_by};
use crate::eval::learned::{StepFeatures, StepWeights, TableSum, features_of, total};
use crate::eval::network::SCALE;
use crate::games::damone::{Board, Cells, Damone, DamoneStep, Rank};
use crate::games::{Position, Side, Step};

/// Sizes of the tables: what the turn is (a quiet step of each rank in each direction, a capture by each rank of one to
/// four pieces); where the piece comes from and where it gets to, by rank; the highest rank of our pieces that can be
/// captured then, and of those that could before; how many can then; the highest rank that we could capture next;
/// whether it promotes; and whether it can be taken back, by quiet plies.
const STEP_TABLES: [usize; 9] = [12 + 12, 3 * ORBITS, 3 * ORBITS, 4, 4, 4, 4, 2, 2 * 11];

/// Weights of one phase.
pub const STEP_FEATURES: usize = total(&STEP_TABLES);

/// Guessed weights: what hangs is bad, a promotion good.
pub(super) fn bootstrap() -> StepWeights<STEP_FEATURES> {
    let mut weights = vec![0; STEP_FEATURES];
    let hanging = total(&STEP_TABLES[..3]);
    weights[hanging + 1..hanging + 4].fill(-SCALE as i32);
    weights[total(&STEP_TABLES[..7]) + 1] = (0.3 * SCALE) as i32;
    StepWeights::of_phase(&weights)
}

/// The highest rank of a set of pieces, counted from 1; 0 without any.
#[inline(always)]
fn highest(board: &Board, side: Side, set: Cells) -> usize {
    let holds = |&rank: &Rank| !(board.of(side, rank) & set).is_empty();
    Rank::ALL.into_iter().rev().find(holds).map_or(0, |rank| rank as usize + 1)
}

/// Calls `f` with the number of each step and its index in every table.
fn for_each(position: &Damone, steps: &[DamoneStep], mut f: impl FnMut(usize, [usize; STEP_TABLES.len()])) {
    let (side, tables) = (position.side_to_move(), &*TABLES);
    let board = seen_by(position.board(), side);
    let before = highest(&board, Side::White, board.attacked(Side::Black));
    let quiet = draw_class(position.quiet());
    let mut number = 0;
    // The boards come in the order of the steps.
    position.board().for_each_after(side, |after, irreversible| {
        let Some(step) = steps.get(number) else { return };
        let after = seen_by(after, side);
        let all = [board.all(Side::White), after.all(Side::White)];
        // A capture may end where it began.
        let from = (all[0] & !all[1]).next();
        let to = (all[1] & !all[0]).next();
        let changed = Rank::ALL.into_iter().find(|&rank| {
            let (old, new) = (board.of(Side::White, rank), after.of(Side::White, rank));
            !(old & !new).is_empty()
        });
        let rank = changed.unwrap_or(Rank::Pedina) as usize;
        let taken = (board.all(Side::Black).count() - after.all(Side::Black).count()) as usize;
        let kind = if step.is_capture() {
            12 + 4 * rank + taken.clamp(1, 4) - 1
        } else {
            let direction = usize::from(step.code() & 3);
            4 * rank + if side == Side::White { direction } else { 3 - direction }
        };
        let orbit = |cell: Option<usize>| cell.map_or(0, |cell| usize::from(tables.orbit[cell]));
        let hanging = after.attacked(Side::Black);
        let risen = to.and_then(|to| after.rank_at(Side::White, to)).map_or(rank, |rank| rank as usize);
        f(
            number,
            [
                kind,
                rank * ORBITS + orbit(from),
                rank * ORBITS + orbit(to),
                highest(&after, Side::White, hanging),
                before,
                hanging.count().min(3) as usize,
                highest(&after, Side::Black, after.attacked(Side::White)),
                usize::from(risen > rank),
                2 * quiet + usize::from(irreversible),
            ],
        );
        number += 1;
    });
}

/// Writes a logit for each of `steps`, which must be all of the position's.
pub(super) fn score(weights: &StepWeights<STEP_FEATURES>, position: &Damone, steps: &[DamoneStep], logits: &mut [f32]) {
    let weights = weights.phase(fine_phase(position.board()) / 256);
    for_each(position, steps, |number, indices| {
        let mut sum = TableSum::new(weights, &STEP_TABLES);
        indices.into_iter().for_each(|index| sum.add(index));
        logits[number] = sum.sum as f32 / SCALE;
    });
}

/// The features of `steps`, all of the position's, for fitting.
#[must_use]
pub fn step_features(position: &Damone, steps: &[DamoneStep]) -> Vec<StepFeatures> {
    let mut features = vec![StepFeatures::new(); steps.len()];
    for_each(position, steps, |number, indices| features[number] = features_of(0, &STEP_TABLES, &indices));
    features
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::learned::assert_scores_are_sums;
    use crate::games::{Notation, variant};

    #[test]
    fn scores_are_the_sums_of_the_features_weights() {
        let variant = &variant::find("damone").unwrap();
        let starts = vec![Damone::from_fen(variant, variant.start()).unwrap(); 20];
        let phase = |position: &Damone| fine_phase(position.board()) / 256;
        assert_scores_are_sums(&starts, phase, step_features, score);
    }

    #[test]
    fn what_hangs_and_what_rises_is_seen() {
        let variant = &variant::find("damone").unwrap();
        let position = Damone::from_fen(variant, "8/3P4/8/8/2d5/8/4D3/8 w - - 0 9").unwrap();
        let steps = position.steps();
        let features = step_features(&position, &steps);
        let of = |text: &str| {
            let turn = position.parse_turn(text).unwrap();
            let number = steps.iter().position(|&step| step == turn[0]).unwrap();
            features[number].iter().map(|&feature| usize::from(feature)).collect::<Vec<_>>()
        };
        let hangs = |features: &[usize]| features[3] - total(&STEP_TABLES[..3]);
        // On d3 the dama is next to Black's, and the square behind that is empty.
        assert_eq!([hangs(&of("e2d3")), hangs(&of("e2f3"))], [2, 0]);
        let rises = |features: &[usize]| features[7] - total(&STEP_TABLES[..7]);
        assert_eq!([rises(&of("d7c8")), rises(&of("d7e8"))], [1, 0]);
    }
}
