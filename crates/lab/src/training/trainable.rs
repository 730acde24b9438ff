//! Methods that training asks of a family of games, and the one place that finds the family of a rule set.

use hippolyta::board::Geometry;
use hippolyta::endgame::amazons::margin_in_halves;
use hippolyta::eval::amazons::shapes::owners::{Fate, Fates, Owners};
use hippolyta::eval::learned::{Sample, StepFeatures};
use hippolyta::eval::shapes::{Scheme, square_index};
use hippolyta::eval::{Evaluated, Evaluator, Weights, amazons, damone, desdemona, general};
use hippolyta::games::amazons::Amazons;
use hippolyta::games::damone::Damone;
use hippolyta::games::desdemona::Desdemona;
use hippolyta::games::general::General;
use hippolyta::games::variant::Variant;
use hippolyta::games::{MoveFireStep, StepKind, with_family};
use std::borrow::Cow;

/// A game with a learned evaluation and policy.
pub trait Trainable: Evaluated {
    /// Number of classes of draws; 0 if the game has no draws.
    const DRAW_CLASSES: usize;
    /// The scheme by which the networks of shapes, of value and policy, see squares; `None` if there are none.
    const SCHEME: Option<&'static Scheme> = None;
    /// Numbers in the table of ownership; 0 if there is none.
    const OWNERS: usize = 0;

    /// The features of a position at the start of a turn; `None` if its value does not depend on them.
    fn sample(&self) -> Option<Sample>;
    /// Squares that networks of shapes see, as [`Classes::squares`](hippolyta::eval::shapes::Classes::squares) gives
    /// them; empty if there is no such network.
    fn squares(&self) -> Vec<u16> {
        Vec::new()
    }
    /// The squares of each step, as indices of squares in the order of [`Trainable::squares`], without the sides: the
    /// target or the fire, and the square that a move leaves. Empty if there is no network of shapes.
    fn step_squares(&self, _steps: &[Self::Step]) -> Vec<(u8, Option<u8>)> {
        Vec::new()
    }
    /// Follows a game, to find out who owns its squares in the end.
    fn see(&self, _fates: &mut Fates) {}
    /// Who owns each square, in the order of [`Trainable::squares`], after the last position of a game; empty if this is
    /// not learned.
    fn fates(&self, _seen: Fates) -> Vec<Fate> {
        Vec::new()
    }
    /// The features of each step, the same number for each.
    fn step_features(&self, steps: &[Self::Step]) -> Vec<StepFeatures>;
    /// White's margin at the end of a game in halves; `None` if it is not known for certain.
    fn final_margin(&self) -> Option<i16>;
}

/// The squares of each step, as [`Trainable::step_squares`] gives them.
fn step_squares(geometry: &Geometry, steps: &[MoveFireStep]) -> Vec<(u8, Option<u8>)> {
    let index = |square| square_index(geometry, square) as u8;
    let of = |step: &MoveFireStep| match step.kind() {
        StepKind::Move { from, to } => (index(to), Some(index(from))),
        StepKind::Fire { at } => (index(at), None),
    };
    steps.iter().map(of).collect()
}

impl Trainable for Amazons {
    const DRAW_CLASSES: usize = 0;
    const SCHEME: Option<&'static Scheme> = Some(&amazons::shapes::SCHEME);
    const OWNERS: usize = Owners::SIZE;

    fn sample(&self) -> Option<Sample> {
        Some(amazons::sample(self))
    }

    fn squares(&self) -> Vec<u16> {
        amazons::shapes::squares(self)
    }

    fn see(&self, fates: &mut Fates) {
        fates.see(self);
    }

    fn fates(&self, seen: Fates) -> Vec<Fate> {
        seen.at_end(self)
    }

    fn step_squares(&self, steps: &[MoveFireStep]) -> Vec<(u8, Option<u8>)> {
        step_squares(self.geometry(), steps)
    }

    fn step_features(&self, steps: &[MoveFireStep]) -> Vec<StepFeatures> {
        amazons::step_features(self, steps)
    }

    fn final_margin(&self) -> Option<i16> {
        margin_in_halves(self).and_then(|margin| margin.try_into().ok())
    }
}

impl Trainable for Desdemona {
    const DRAW_CLASSES: usize = desdemona::DRAW_CLASSES;
    const SCHEME: Option<&'static Scheme> = Some(&desdemona::shapes::SCHEME);

    fn sample(&self) -> Option<Sample> {
        desdemona::sample(self)
    }

    fn squares(&self) -> Vec<u16> {
        desdemona::shapes::squares(self)
    }

    fn step_squares(&self, steps: &[MoveFireStep]) -> Vec<(u8, Option<u8>)> {
        step_squares(self.geometry(), steps)
    }

    fn step_features(&self, steps: &[MoveFireStep]) -> Vec<StepFeatures> {
        desdemona::step_features(self, steps)
    }

    fn final_margin(&self) -> Option<i16> {
        Some(2 * self.margin() as i16)
    }
}

impl Trainable for Damone {
    const DRAW_CLASSES: usize = damone::DRAW_CLASSES;

    fn sample(&self) -> Option<Sample> {
        damone::sample(self)
    }

    fn step_features(&self, steps: &[Self::Step]) -> Vec<StepFeatures> {
        damone::step_features(self, steps)
    }

    fn final_margin(&self) -> Option<i16> {
        None
    }
}

impl Trainable for General {
    const DRAW_CLASSES: usize = general::DRAW_CLASSES;

    fn sample(&self) -> Option<Sample> {
        Some(general::sample(self))
    }

    fn step_features(&self, steps: &[MoveFireStep]) -> Vec<StepFeatures> {
        general::step_features(self, steps)
    }

    fn final_margin(&self) -> Option<i16> {
        self.rules().has_stones().then(|| 2 * self.margin() as i16)
    }
}

/// Work that is the same for every family; [`run`] finds the types of the positions and of the evaluator.
pub(super) trait TrainableTask {
    /// The result of the task.
    type Output;

    /// Does the task. Each call of `evaluator` makes a new evaluator.
    fn run<P: Trainable, E: Evaluator<P>>(self, evaluator: impl Fn() -> E + Sync) -> Self::Output;
}

/// Does `task` for the family of `variant`, with evaluators that use `known`.
pub(super) fn run<T: TrainableTask>(variant: &Variant, known: &Weights, task: T) -> T::Output {
    with_family!(variant, P => task.run::<P, _>(|| P::evaluator(variant, known)))
}

/// The number of stages that a fit of all weights has.
pub fn stages(variant: &Variant) -> u64 {
    with_family!(variant, P => if <P as Trainable>::OWNERS == 0 { 2 } else { 3 })
}

/// The name of a rule set's tables in weights files. Rule sets with the same name are learned together.
pub fn group(variant: &Variant) -> Cow<'static, str> {
    with_family!(variant, P => P::group(variant))
}
