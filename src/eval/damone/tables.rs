//! Results in endgame tables, as evaluations and priors.

use crate::endgame::Proof;
use crate::endgame::damone::{Tables, Verdict};
use crate::eval::{Evaluation, Value};
use crate::games::damone::{Damone, DamoneStep, QUIET_LIMIT};
use crate::games::{Outcome, Position, Side};
use std::ops::ControlFlow;

/// Score of a win that the rules on draws may still spoil, by a repetition or by the limit of quiet plies, and what
/// each ply of it takes away.
const WIN_AFTER_REPETITION: f32 = 0.98;
const WIN_NEAR_THE_LIMIT: f32 = 0.75;
const LATER: f32 = 0.001;

/// The evaluation of the tables, if they have one.
#[inline]
pub(super) fn evaluate(tables: &Tables, position: &Damone) -> Option<Evaluation> {
    let (verdict, certain) = tables.look_up(position)?;
    let side = position.side_to_move();
    let (winner, plies) = match verdict {
        // Nobody knows how long it lasts.
        Verdict::Draw => return Some(Evaluation::Exact(Proof { outcome: Outcome::Draw, plies: u8::MAX })),
        Verdict::Win(plies) => (side, plies),
        Verdict::Loss(plies) => (!side, plies),
    };
    if certain {
        return Some(Evaluation::Exact(Proof { outcome: Outcome::Win(winner), plies }));
    }
    let in_time = position.quiet() + u32::from(plies) <= QUIET_LIMIT;
    let score = if in_time { WIN_AFTER_REPETITION } else { WIN_NEAR_THE_LIMIT } - LATER * f32::from(plies);
    let white = if winner == Side::White { score } else { 1.0 - score };
    Some(Evaluation::Estimate(Value { white, draw: 2.0 * (1.0 - score) }))
}

/// Prior logit of the quickest win; each ply takes one off. Losses are the same below zero.
const QUICKEST: f32 = 130.0;
/// Prior logit of a drawing turn after which every reply but one loses.
const TRAP: f32 = 4.0;

/// The sum that the tables add to the prior logit of the step that leads to `after`: so that the first step looked at
/// is the best. Of draws, those are better in which more replies lose.
pub(super) fn prior(tables: &Tables, after: &Damone) -> Option<f32> {
    match after.outcome() {
        Some(Outcome::Draw) => return Some(0.0),
        Some(Outcome::Win(side)) => return Some(if side == after.side_to_move() { -QUICKEST } else { QUICKEST }),
        None => {}
    }
    Some(match tables.look_up(after)?.0 {
        Verdict::Loss(plies) => QUICKEST - f32::from(plies),
        Verdict::Win(plies) => f32::from(plies) - QUICKEST,
        Verdict::Draw => TRAP * losing_replies(tables, after),
    })
}

/// The share of the turns from a drawn position that lose.
fn losing_replies(tables: &Tables, position: &Damone) -> f32 {
    let (mut losing, mut all) = (0.0, 0.0);
    let _ = position.for_each_step(|step: DamoneStep| {
        let after = position.after(step);
        let wins = |verdict| matches!(verdict, Some((Verdict::Win(_), _)));
        losing += f32::from(u8::from(wins(tables.look_up(&after))));
        all += 1.0;
        ControlFlow::Continue(())
    });
    losing / f32::max(all, 1.0)
}

/// The verdict in words.
pub(super) fn describe(tables: &Tables, position: &Damone) -> Option<String> {
    let (verdict, certain) = tables.look_up(position)?;
    let side = position.side_to_move();
    let (winner, plies) = match verdict {
        Verdict::Draw => return Some("tables: a draw".to_owned()),
        Verdict::Win(plies) => (side, plies),
        Verdict::Loss(plies) => (!side, plies),
    };
    let doubt = if certain { "" } else { ", unless it is drawn first by repetition or quiet plies" };
    Some(format!("tables: {winner} wins in {plies} plies{doubt}"))
}
