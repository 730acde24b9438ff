//! A yardstick: random games, without any knowledge. Real evaluations have to beat it.

use super::{Evaluation, Evaluator, Term, Value};
use crate::endgame::Oracle;
use crate::games::Position;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Evaluates a position by one random game, which depends on the position's key alone. All steps are equally likely. It
/// knows nothing of any game, so it serves a new one from the first day.
///
/// ```
/// use hippolyta::eval::{Evaluator, Playouts};
/// use hippolyta::games::{Notation, damone::Damone, variant};
///
/// let variant = &variant::find("damone")?;
/// let value = Playouts.evaluate(&Damone::from_fen(variant, variant.start())?).value();
/// assert!([0.0, 0.5, 1.0].contains(&value.white)); // how that game ended
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Playouts;

/// No game of ours is longer: Damone ends by its 80 quiet plies, all others fill the board.
const LONGEST: u32 = 20_000;

fn play_out<P: Position>(position: &P, random: &mut Xoshiro256PlusPlus) -> Value {
    let (mut position, mut steps) = (position.clone(), Vec::new());
    for _ in 0..LONGEST {
        if position.at_turn_start()
            && let Some(outcome) = position.outcome()
        {
            return Value::of(outcome);
        }
        steps.clear();
        let _ = position.for_each_step(|step| {
            steps.push(step);
            std::ops::ControlFlow::Continue(())
        });
        let Some(&step) = steps.get(random.random_range(0..steps.len().max(1))) else { break };
        position.play(step);
    }
    Value { white: 0.5, draw: 1.0 }
}

impl<P: Position> Evaluator<P> for Playouts {
    fn evaluate(&self, position: &P) -> Evaluation {
        Evaluation::Estimate(play_out(position, &mut Xoshiro256PlusPlus::seed_from_u64(position.key())))
    }

    fn policy(&self, _: &P, _: &[P::Step], logits: &mut [f32]) {
        logits.fill(0.0);
    }

    fn explain(&self, position: &P) -> (Value, Vec<Term>) {
        (self.evaluate(position).value(), Vec::new())
    }

    fn identity(&self) -> Vec<u8> {
        b"playouts".to_vec()
    }

    fn oracle(&self) -> &dyn Oracle<P> {
        self
    }
}

impl<P: Position> Oracle<P> for Playouts {
    fn remarks(&self, _: &P) -> Vec<String> {
        vec!["one random game decides: this is the evaluator for comparisons".to_owned()]
    }
}
