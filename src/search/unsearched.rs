//! Answers that need no search.

use super::worker::Progress;
use super::{Limits, Line, Report, Score};
use crate::endgame::Proof;
use crate::eval::{Evaluator, Judgement, draw_step};
use crate::games::{Outcome, Position, Turn};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The report on a game that is over.
pub(super) fn finished<P: Position>(root: &P, outcome: Outcome, progress: &Progress) -> Report<P> {
    let score = Score::proven(outcome, 0, root.side_to_move());
    Report::blank(score, progress.started.elapsed())
}

/// The report of a turn drawn by the policy ([`Limits::by_policy`]): the same for the same seed and position.
pub(super) fn drawn<P: Position, E: Evaluator<P>>(
    evaluator: &E,
    root: &P,
    limits: &Limits<P>,
    (sharpness, seed): (f32, u64),
    progress: &Progress,
) -> Report<P> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ root.key());
    let turn = if limits.turns.is_empty() {
        draw_turn(evaluator, root, sharpness, &mut random)
    } else {
        limits.turns[random.random_range(0..limits.turns.len())].clone()
    };
    let score = Score::evaluated(evaluator.judge(root), 0, root.side_to_move());
    let lines = vec![Line { score: score_after(evaluator, root, &turn), turns: vec![turn], visits: 0, prior: None }];
    Report { depth: 1, selective_depth: 1, nodes: 1, lines, ..Report::blank(score, progress.started.elapsed()) }
}

/// What the position after `turn` is worth to the side to move at `root`, without a search.
pub(super) fn score_after<P: Position, E: Evaluator<P>>(evaluator: &E, root: &P, turn: &Turn<P>) -> Score {
    let mut after = root.clone();
    turn.iter().for_each(|&step| after.play(step));
    let evaluation = match after.outcome() {
        Some(outcome) => Judgement::Exact(Proof { outcome, plies: 0 }),
        None => evaluator.judge(&after),
    };
    Score::evaluated(evaluation, 1, root.side_to_move())
}

/// A turn drawn by the policy. `root` is at the start of a turn and not finished.
fn draw_turn<P: Position, E: Evaluator<P>>(evaluator: &E, root: &P, sharpness: f32, random: &mut impl Rng) -> Turn<P> {
    let (mut turn, mut position) = (Turn::<P>::new(), root.clone());
    while turn.is_empty() || !position.at_turn_start() {
        let Some(step) = draw_step(evaluator, &position, sharpness, random) else { break };
        turn.push(step);
        position.play(step);
    }
    turn
}

/// The report on a position whose result needs no search.
pub(super) fn certain<P: Position>(root: &P, turns: Vec<Turn<P>>, proof: Proof, progress: &Progress) -> Report<P> {
    let score = Score::proven(proof.outcome, proof.plies.into(), root.side_to_move());
    let depth = turns.len() as u32;
    let lines = vec![Line { score, turns, visits: 1, prior: None }];
    let blank = Report::blank(score, progress.started.elapsed());
    Report { depth, selective_depth: depth, nodes: 1, visits: 1, exact_hits: 1, lines, ..blank }
}
