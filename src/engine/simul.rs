//! Many games on one thread, whose leaves make one batch.

use super::model::Model;
use super::own::Evaluators;
use crate::eval::{Evaluator, Together};
use crate::games::Position;
use crate::games::amazons::Amazons;
use crate::games::damone::Damone;
use crate::games::desdemona::Desdemona;
use crate::games::general::General;
use crate::games::variant::Variant;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};

/// Many games, or searches, that go on in turn on one thread, as boards at which one player goes from one to the next.
/// Each is a future that stops at the leaves of its search ([`Engine::think`](super::Engine::think)). When all have
/// stopped, their leaves are one batch for the evaluator. So batches are full, no thread sleeps, and each search is the
/// same as alone.
///
/// ```
/// use hippolyta::engine::{Board, Control, Engine, Limits, Model, Settings, Simul};
/// use hippolyta::games::variant;
/// use std::cell::RefCell;
///
/// let variant = &variant::find("damone")?;
/// let (simul, board) = (Simul::new(&Model::Playouts), Board::new(variant));
/// let (limits, control) = (Limits { nodes: Some(50), ..Limits::default() }, Control::default());
/// let found = RefCell::new(Vec::new());
/// let mut seeds = 0..4;
/// let mut next = || {
///     let settings = Settings { hash: 1, seed: seeds.next()?, ..Settings::default() };
///     let mut engine = Engine::new(variant, simul.model(), settings).ok()?;
///     let (board, limits, control, found) = (&board, &limits, &control, &found);
///     Some(async move { found.borrow_mut().push(engine.think(board, limits, control).await.is_ok()) })
/// };
/// simul.run(256, &mut next);
/// assert_eq!(found.into_inner(), [true; 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Simul {
    model: Model,
    /// Where leaves wait; `None` if the model asks for one position at a time.
    desks: Option<Arc<Desks>>,
}

impl Simul {
    /// For engines with this model.
    #[must_use]
    pub fn new(model: &Model) -> Self {
        let Model::Own(own) = model else { return Self { model: model.clone(), desks: None } };
        let (amazons, desdemona, damone, general) = Default::default();
        let desks = Arc::new(Desks { own: own.clone(), amazons, desdemona, damone, general });
        Self { model: Model::Own(desks.clone()), desks: Some(desks) }
    }

    /// The model that its engines are to have. Elsewhere it is like the one that it was made of.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Runs what `next` gives, up to `most` at once, until it gives nothing and all is done. What is run waits for
    /// leaves alone.
    pub fn run<F: Future<Output = ()>>(&self, most: usize, next: &mut dyn FnMut() -> Option<F>) {
        let mut context = Context::from_waker(Waker::noop());
        let mut games: Vec<Pin<Box<F>>> = Vec::new();
        loop {
            let free = most.max(1) - games.len();
            games.extend(std::iter::from_fn(&mut *next).map(Box::pin).take(free));
            if games.is_empty() {
                return;
            }
            games.retain_mut(|game| {
                while game.as_mut().poll(&mut context).is_ready() {
                    let Some(other) = next() else { return false };
                    game.set(other);
                }
                true
            });
            if let Some(desks) = &self.desks {
                desks.evaluate();
            }
        }
    }
}

/// Evaluators that share what they evaluate with a batch.
struct Desks {
    own: Arc<dyn Evaluators>,
    amazons: Family<Amazons>,
    desdemona: Family<Desdemona>,
    damone: Family<Damone>,
    general: Family<General>,
}

/// The evaluators of the rule sets of a family.
struct Family<P: Position>(Mutex<Vec<(Variant, Together<P>)>>);

impl<P: Position> Default for Family<P> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<P: Position> Family<P> {
    fn lock(&self) -> MutexGuard<'_, Vec<(Variant, Together<P>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// That of a rule set, around the one that is `made` when it is first wanted.
    fn of(
        &self,
        variant: &Variant,
        made: impl FnOnce() -> Option<Box<dyn Evaluator<P>>>,
    ) -> Option<Box<dyn Evaluator<P>>> {
        let mut known = self.lock();
        if let Some((_, together)) = known.iter().find(|(other, _)| other == variant) {
            return Some(Box::new(together.clone()));
        }
        let made = made()?;
        if made.batch().is_none() {
            return Some(made);
        }
        let together = Together::new(made.into());
        known.push((variant.clone(), together.clone()));
        Some(Box::new(together))
    }

    fn evaluate(&self) {
        // Nothing is locked while the evaluator is called, which may take long.
        let known: Vec<_> = self.lock().iter().map(|(_, together)| together.clone()).collect();
        known.iter().for_each(Together::evaluate_waiting);
    }
}

impl Desks {
    fn evaluate(&self) {
        self.amazons.evaluate();
        self.desdemona.evaluate();
        self.damone.evaluate();
        self.general.evaluate();
    }
}

impl fmt::Debug for Desks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.own.fmt(formatter)
    }
}

impl Evaluators for Desks {
    fn amazons(&self, variant: &Variant) -> Option<Box<dyn Evaluator<Amazons>>> {
        self.amazons.of(variant, || self.own.amazons(variant))
    }

    fn desdemona(&self, variant: &Variant) -> Option<Box<dyn Evaluator<Desdemona>>> {
        self.desdemona.of(variant, || self.own.desdemona(variant))
    }

    fn damone(&self, variant: &Variant) -> Option<Box<dyn Evaluator<Damone>>> {
        self.damone.of(variant, || self.own.damone(variant))
    }

    fn general(&self, variant: &Variant) -> Option<Box<dyn Evaluator<General>>> {
        self.general.of(variant, || self.own.general(variant))
    }
}
