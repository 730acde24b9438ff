use super::own::Own;
use super::owned::Ownership;
use crate::eval::{Evaluated, Evaluator, Playouts, Weights};
use crate::games::amazons::Amazons;
use crate::games::damone::Damone;
use crate::games::desdemona::Desdemona;
use crate::games::general::General;
use crate::games::variant::Variant;
use crate::games::with_family;
use std::fmt;
use std::sync::Arc;

/// Which evaluation is used.
///
/// ```
/// use hippolyta::engine::Model;
/// use hippolyta::games::variant;
///
/// let iago = variant::find("iago")?;
/// assert_eq!(Model::default().included(iago), ["includeOwnership", "includeStones"]);
/// assert!(Model::Playouts.included(iago).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub enum Model {
    /// The learned evaluation of the rule set, with these weights and tables.
    Learned(Arc<Weights>),
    /// One random game for each position: a yardstick for evaluations.
    Playouts,
    /// Evaluators of one's own: see [`Model::own`].
    Own(Arc<dyn Evaluators>),
}

impl Default for Model {
    /// The evaluation with the embedded weights.
    fn default() -> Self {
        Self::Learned(Weights::embedded())
    }
}

/// Evaluators of one's own, a method for each family. Each gives the evaluator for a rule set of its family, or `None`
/// if there is none: an engine for that rule set is refused.
///
/// A search asks them only where nothing is certain: what the rules prove (counted territories, stones that cannot
/// flip, endgame tables), it takes from the family. So are the fields of [`Include`](super::Include).
///
/// ```
/// use hippolyta::engine::{Board, Control, Engine, Evaluators, Limits, Model, Settings, SettingsError};
/// use hippolyta::eval::{Evaluation, Evaluator, Term, Value};
/// use hippolyta::games::damone::{Damone, DamoneStep};
/// use hippolyta::games::variant::{self, Variant};
/// use hippolyta::games::Side;
///
/// /// Counts the pieces of Damone.
/// #[derive(Debug)]
/// struct Pieces;
///
/// impl Evaluator<Damone> for Pieces {
///     fn evaluate(&self, position: &Damone) -> Evaluation {
///         let [white, black] = [Side::White, Side::Black].map(|side| position.board().all(side).count() as f32);
///         Evaluation::Estimate(Value { white: white / (white + black), draw: 0.0 })
///     }
///     fn policy(&self, _: &Damone, _: &[DamoneStep], logits: &mut [f32]) {
///         logits.fill(0.0);
///     }
///     fn explain(&self, position: &Damone) -> (Value, Vec<Term>) {
///         (self.evaluate(position).value(), Vec::new())
///     }
///     fn identity(&self) -> Vec<u8> {
///         b"pieces".to_vec()
///     }
/// }
///
/// impl Evaluators for Pieces {
///     fn damone(&self, _: &'static Variant) -> Option<Box<dyn Evaluator<Damone>>> {
///         Some(Box::new(Pieces))
///     }
/// }
///
/// let (model, settings) = (Model::own(Pieces), Settings { hash: 1, ..Settings::default() });
/// let board = Board::new(variant::find("damone")?);
/// let mut engine = Engine::new(board.variant(), &model, settings.clone())?;
/// let limits = Limits { nodes: Some(200), ..Limits::default() };
/// assert!(engine.analyse(&board, &limits, &Control::default(), &mut |_| ())?.best().is_some());
/// let refused = Engine::new(variant::find("amazons")?, &model, settings);
/// assert!(matches!(refused, Err(SettingsError::Evaluator("amazons"))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Evaluators: fmt::Debug + Send + Sync {
    /// The evaluator for a rule set of the Amazons.
    fn amazons(&self, _variant: &'static Variant) -> Option<Box<dyn Evaluator<Amazons>>> {
        None
    }

    /// The evaluator for Desdemona or one of its relatives.
    fn desdemona(&self, _variant: &'static Variant) -> Option<Box<dyn Evaluator<Desdemona>>> {
        None
    }

    /// The evaluator for a rule set of Damone.
    fn damone(&self, _variant: &'static Variant) -> Option<Box<dyn Evaluator<Damone>>> {
        None
    }

    /// The evaluator for any other game of move and fire.
    fn general(&self, _variant: &'static Variant) -> Option<Box<dyn Evaluator<General>>> {
        None
    }
}

/// A family that [`Evaluators`] have a method for.
#[doc(hidden)]
pub trait Chosen: Evaluated {
    /// The evaluator for a rule set of the family, helped by what the rules make certain.
    fn of(evaluators: &dyn Evaluators, variant: &'static Variant) -> Option<Own<Self>>;
}

impl Chosen for Amazons {
    fn of(evaluators: &dyn Evaluators, variant: &'static Variant) -> Option<Own<Self>> {
        Some(Own::new(evaluators.amazons(variant)?, variant))
    }
}

impl Chosen for Desdemona {
    fn of(evaluators: &dyn Evaluators, variant: &'static Variant) -> Option<Own<Self>> {
        Some(Own::new(evaluators.desdemona(variant)?, variant))
    }
}

impl Chosen for Damone {
    fn of(evaluators: &dyn Evaluators, variant: &'static Variant) -> Option<Own<Self>> {
        Some(Own::new(evaluators.damone(variant)?, variant))
    }
}

impl Chosen for General {
    fn of(evaluators: &dyn Evaluators, variant: &'static Variant) -> Option<Own<Self>> {
        Some(Own::new(evaluators.general(variant)?, variant))
    }
}

/// Work that is the same for every rule set and evaluation.
pub(super) trait EvaluatorTask {
    type Output;

    fn run<P: Evaluated, E: Evaluator<P> + Ownership<P> + 'static>(
        self,
        variant: &'static Variant,
        evaluator: E,
    ) -> Self::Output;
}

struct Included;

impl EvaluatorTask for Included {
    type Output = &'static [&'static str];

    fn run<P: Evaluated, E: Evaluator<P> + Ownership<P> + 'static>(self, _: &'static Variant, it: E) -> Self::Output {
        it.included()
    }
}

impl Model {
    /// Evaluators of one's own, for everything that takes a model: engines, UCI, UGI and GTP, JSON lines, matches.
    ///
    /// `examples/own_evaluator.rs` is a whole engine with one.
    ///
    /// ```
    /// use hippolyta::engine::{Evaluators, Model};
    ///
    /// #[derive(Debug)]
    /// struct Nobody;
    /// impl Evaluators for Nobody {}
    ///
    /// assert!(matches!(Model::own(Nobody), Model::Own(_)));
    /// ```
    #[must_use]
    pub fn own(evaluators: impl Evaluators + 'static) -> Self {
        Self::Own(Arc::new(evaluators))
    }

    /// The learned weights.
    pub(super) fn weights(&self) -> Option<&Arc<Weights>> {
        if let Self::Learned(weights) = self { Some(weights) } else { None }
    }

    /// The fields of [`Include`](super::Include) that this evaluation knows for a rule set, by their names in JSON.
    #[must_use]
    pub fn included(&self, variant: &'static Variant) -> &'static [&'static str] {
        self.run(variant, Included).unwrap_or_default()
    }

    /// Does `task` with the evaluator for `variant`; `None` if there is none.
    pub(super) fn run<T: EvaluatorTask>(&self, variant: &'static Variant, task: T) -> Option<T::Output> {
        match self {
            Self::Learned(known) => with_family!(variant, P => {
                Some(task.run::<P, _>(variant, P::evaluator(variant, known)))
            }),
            // A game takes a thousand times as long as a call.
            Self::Playouts => with_family!(variant, P => {
                Some(task.run::<P, _>(variant, Own::<P>::unaided(Box::new(Playouts))))
            }),
            Self::Own(evaluators) => with_family!(variant, P => {
                Some(task.run::<P, _>(variant, P::of(&**evaluators, variant)?))
            }),
        }
    }
}
