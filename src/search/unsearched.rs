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
    Report { finished: Some(score), ..Report::blank(progress.started.elapsed()) }
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
    let score = match evaluator.judge(root) {
        Judgement::Exact(proof) => Score::proven(proof.outcome, proof.plies.into(), root.side_to_move()),
        Judgement::Estimate(value) => Score::Estimate { score: value.for_side(root.side_to_move()), draw: value.draw },
    };
    let lines = vec![Line { score, turns: vec![turn], visits: 0, prior: None }];
    Report { depth: 1, selective_depth: 1, nodes: 1, lines, ..Report::blank(progress.started.elapsed()) }
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
    let blank = Report::blank(progress.started.elapsed());
    Report { depth, selective_depth: depth, nodes: 1, visits: 1, exact_hits: 1, lines, ..blank }
}
