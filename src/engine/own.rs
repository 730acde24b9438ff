//! Evaluators that are not the learned ones: those of one's own, and playouts.

use super::owned::{Include, Owned, Ownership, Searched};
use super::task::EvaluatorTask;
use crate::endgame::{Oracle, Proof, Work};
use crate::eval::{Evaluated, Evaluation, Evaluator, Leaf, Playouts, Term, Ticket, Value, Weights};
use crate::games::amazons::Amazons;
use crate::games::damone::Damone;
use crate::games::desdemona::Desdemona;
use crate::games::general::General;
use crate::games::variant::Variant;
use crate::games::with_family;
use crate::search::Parameters;
use std::fmt;
use std::task::Poll;

/// Evaluators of one's own, a method for each family. Each gives the evaluator for a rule set of its family, or `None`
/// if there is none: an engine for that rule set is refused. Each engine asks for one of its own; the engines of a
/// [`Simul`](super::Simul) share one for each rule set.
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
///     fn damone(&self, _: &Variant) -> Option<Box<dyn Evaluator<Damone>>> {
///         Some(Box::new(Pieces))
///     }
/// }
///
/// let (model, settings) = (Model::own(Pieces), Settings { hash: 1, ..Settings::default() });
/// let board = Board::new(&variant::find("damone")?);
/// let mut engine = Engine::new(board.variant(), &model, settings.clone())?;
/// let limits = Limits { nodes: Some(200), ..Limits::default() };
/// assert!(engine.analyse(&board, &limits, &Control::default(), &mut |_| ())?.best().is_some());
/// let refused = Engine::new(&variant::find("amazons")?, &model, settings);
/// assert!(matches!(refused, Err(SettingsError::Evaluator(name)) if name == "amazons"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Evaluators: fmt::Debug + Send + Sync {
    /// The evaluator for a rule set of the Amazons.
    fn amazons(&self, _variant: &Variant) -> Option<Box<dyn Evaluator<Amazons>>> {
        None
    }

    /// The evaluator for Desdemona or one of its relatives.
    fn desdemona(&self, _variant: &Variant) -> Option<Box<dyn Evaluator<Desdemona>>> {
        None
    }

    /// The evaluator for a rule set of Damone.
    fn damone(&self, _variant: &Variant) -> Option<Box<dyn Evaluator<Damone>>> {
        None
    }

    /// The evaluator for any other game of move and fire.
    fn general(&self, _variant: &Variant) -> Option<Box<dyn Evaluator<General>>> {
        None
    }
}

/// A family that [`Evaluators`] have a method for.
trait Chosen: Evaluated {
    /// The evaluator for a rule set of the family, helped by what the rules make certain.
    fn of(evaluators: &dyn Evaluators, variant: &Variant) -> Option<Own<Self>>;
}

impl Chosen for Amazons {
    fn of(evaluators: &dyn Evaluators, variant: &Variant) -> Option<Own<Self>> {
        Some(Own::new(evaluators.amazons(variant)?, variant))
    }
}

impl Chosen for Desdemona {
    fn of(evaluators: &dyn Evaluators, variant: &Variant) -> Option<Own<Self>> {
        Some(Own::new(evaluators.desdemona(variant)?, variant))
    }
}

impl Chosen for Damone {
    fn of(evaluators: &dyn Evaluators, variant: &Variant) -> Option<Own<Self>> {
        Some(Own::new(evaluators.damone(variant)?, variant))
    }
}

impl Chosen for General {
    fn of(evaluators: &dyn Evaluators, variant: &Variant) -> Option<Own<Self>> {
        Some(Own::new(evaluators.general(variant)?, variant))
    }
}

/// Does `task` with the evaluator for `variant`; `None` if there is none.
pub(super) fn run<T: EvaluatorTask>(evaluators: &dyn Evaluators, variant: &Variant, task: T) -> Option<T::Output> {
    with_family!(variant, P => Some(task.run::<P, _>(variant, P::of(evaluators, variant)?)))
}

/// Does `task` with playouts. A game takes a thousand times as long as a call.
pub(super) fn run_playouts<T: EvaluatorTask>(variant: &Variant, task: T) -> T::Output {
    with_family!(variant, P => task.run::<P, _>(variant, Own::<P>::unaided(Box::new(Playouts))))
}

/// An evaluator whose type is not known here: one call is not inlined for each position. What the rules make certain
/// comes from the family, so it need not know that.
struct Own<P: Evaluated> {
    own: Box<dyn Evaluator<P>>,
    family: Option<P::Evaluator>,
}

impl<P: Evaluated> Own<P> {
    /// The evaluator, with what is certain in `variant`.
    fn new(own: Box<dyn Evaluator<P>>, variant: &Variant) -> Self {
        Self { own, family: Some(P::evaluator(variant, &Weights::embedded())) }
    }

    /// The evaluator alone.
    fn unaided(own: Box<dyn Evaluator<P>>) -> Self {
        Self { own, family: None }
    }

    fn result(&self, position: &P) -> Option<Proof> {
        self.family.as_ref()?.oracle().result(position)
    }

    /// The proven result of a position, or else what the evaluator says.
    fn result_or(&self, position: &P, evaluate: impl FnOnce() -> Evaluation) -> Evaluation {
        self.result(position).map_or_else(evaluate, Evaluation::Exact)
    }
}

impl<P: Evaluated> Evaluator<P> for Own<P> {
    fn evaluate(&self, position: &P) -> Evaluation {
        self.result_or(position, || self.own.evaluate(position))
    }

    fn policy(&self, position: &P, steps: &[P::Step], logits: &mut [f32]) {
        self.own.policy(position, steps, logits);
    }

    fn explain(&self, position: &P) -> (Value, Vec<Term>) {
        let (value, terms) = self.own.explain(position);
        (self.result(position).map_or(value, |proof| Value::of(proof.outcome)), terms)
    }

    fn identity(&self) -> Vec<u8> {
        self.own.identity()
    }

    fn evaluate_with_policy(&self, position: &P, steps: &[P::Step], logits: &mut [f32]) -> Evaluation {
        let evaluation = self.own.evaluate_with_policy(position, steps, logits);
        self.result_or(position, || evaluation)
    }

    fn evaluate_after(&self, position: &P, steps: &[P::Step], evaluations: &mut Vec<Evaluation>) {
        let earlier = evaluations.len();
        self.own.evaluate_after(position, steps, evaluations);
        for (&step, evaluation) in steps.iter().zip(evaluations.iter_mut().skip(earlier)) {
            if let Evaluation::Estimate(_) = *evaluation {
                *evaluation = self.result_or(&position.after(step), || *evaluation);
            }
        }
    }

    fn refine(&self, position: &P, white: f32) -> f32 {
        self.own.refine(position, white)
    }

    fn parameters(&self) -> Parameters {
        self.own.parameters()
    }

    fn policy_temperature(&self) -> f32 {
        self.own.policy_temperature()
    }

    fn batch(&self) -> Option<usize> {
        self.own.batch()
    }

    fn evaluate_batch(&self, leaves: &mut Vec<Leaf<P>>) -> bool {
        self.own.evaluate_batch(leaves)
    }

    fn poll_batch(&self, leaves: &mut Vec<Leaf<P>>, ticket: &mut Ticket) -> Poll<bool> {
        self.own.poll_batch(leaves, ticket)
    }

    fn oracle(&self) -> &dyn Oracle<P> {
        self.family.as_ref().map_or_else(|| self.own.oracle(), |family| family.oracle())
    }
}

/// Fields beside those of the search come from the family's evaluator.
impl<P: Evaluated> Ownership<P> for Own<P>
where
    P::Evaluator: Ownership<P>,
{
    fn included(&self) -> &'static [&'static str] {
        self.family.as_ref().map_or(&[], Ownership::included)
    }

    fn certain(&self, position: &P, include: Include, work: &Work<'_>) -> Owned {
        self.family.as_ref().map_or_else(Owned::default, |family| family.certain(position, include, work))
    }

    fn expect(&self, position: &P, searched: &Searched<'_, P>, work: &Work<'_>, owned: &mut Owned) {
        if let Some(family) = &self.family {
            family.expect(position, searched, work, owned);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::task::EvaluatorTask;
    use crate::engine::{Board, Control, Engine, Evaluators, Limits, Model, Score, Settings, SettingsError};
    use crate::games::amazons::Amazons;
    use crate::games::move_fire::{Flips, Leaves};
    use crate::games::variant::{self, Family, VARIANTS};
    use crate::games::{MoveFireStep, Notation, Position, Side};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Knows nothing but that White is ahead, and prefers the steps that come late.
    #[derive(Debug)]
    struct Hopeful;

    impl Evaluator<Amazons> for Hopeful {
        fn evaluate(&self, _: &Amazons) -> Evaluation {
            Evaluation::Estimate(Value { white: 0.75, draw: 0.0 })
        }
        fn policy(&self, _: &Amazons, _: &[MoveFireStep], logits: &mut [f32]) {
            logits.iter_mut().enumerate().for_each(|(index, logit)| *logit = index as f32);
        }
        fn explain(&self, position: &Amazons) -> (Value, Vec<Term>) {
            (self.evaluate(position).value(), vec![Term { name: "hope", features: [1.0, 0.0], logit: 1.0986 }])
        }
        fn identity(&self) -> Vec<u8> {
            b"hopeful".to_vec()
        }
    }

    impl Evaluators for Hopeful {
        fn amazons(&self, variant: &Variant) -> Option<Box<dyn Evaluator<Amazons>>> {
            (variant.name() != "amazons6").then(|| Box::new(Hopeful) as _)
        }
    }

    fn engine(name: &str, settings: Settings) -> Result<Engine, SettingsError> {
        Engine::new(&variant::find(name).unwrap(), &Model::own(Hopeful), settings)
    }

    fn small() -> Settings {
        Settings { hash: 1, ..Settings::default() }
    }

    #[test]
    fn an_evaluator_of_ones_own_decides_what_is_searched() {
        let mut engine = engine("amazons", Settings { multi_pv: 3, ..small() }).unwrap();
        let board = Board::new(engine.variant());
        let explanation = engine.explain(&board).unwrap().unwrap();
        assert_eq!((explanation.value.white, explanation.terms[0].name), (0.75, "hope"));
        let limits = Limits { nodes: Some(500), ..Limits::default() };
        let found = engine.analyse(&board, &limits, &Control::default(), &mut |_| ()).unwrap();
        assert_eq!(found.lines.len(), 3);
        assert_eq!(found.score, Score::Estimate { score: 0.75, draw: 0.0 });
        assert!((500..600).contains(&found.nodes));
    }

    #[test]
    fn rule_sets_without_an_evaluator_are_refused_in_one_line() {
        for name in ["damone", "iago", "amazons6"] {
            let error = engine(name, small()).err().unwrap();
            assert_eq!(error.to_string(), format!("the model has no evaluator for {name}"));
            let model = Model::own(Hopeful);
            assert!(model.included(&variant::find(name).unwrap()).is_empty());
        }
    }

    #[test]
    fn what_is_certain_needs_no_evaluator_that_knows_it() {
        let mut engine = engine("amazons", small()).unwrap();
        let analyse = |engine: &mut Engine, fen: &str, limits: Limits| {
            let board = Board::from_fen(engine.variant(), fen).unwrap();
            engine.analyse(&board, &limits, &Control::default(), &mut |_| ()).unwrap()
        };
        // Each side has five squares of its own, and White must begin.
        let closed = "Q1*1q/2*2/2*2 w";
        let limits = Limits { nodes: Some(100), ..Limits::default() };
        assert!(matches!(analyse(&mut engine, closed, limits.clone()).score, Score::Loss { .. }));
        let board = Board::from_fen(engine.variant(), closed).unwrap();
        let explanation = engine.explain(&board).unwrap().unwrap();
        assert!(explanation.value.white == 0.0 && !explanation.remarks.is_empty());
        // By the solver.
        let mate = Limits { mate: Some(9), ..Limits::default() };
        assert!(analyse(&mut engine, "1q2/4/2Q1 w", mate).score.is_proven());
        let include = Include { territory: true, ..Include::default() };
        let owned = analyse(&mut engine, closed, Limits { include, ..limits }).owned;
        assert_eq!(owned.territory.map(|territory| territory.winner), Some(Some(Side::Black)));
    }

    /// Compares an evaluator with its oracle in random games; how often a result was known.
    struct Compare;

    impl EvaluatorTask for Compare {
        type Output = u32;

        fn run<P: Notation, E: Evaluator<P> + Ownership<P> + 'static>(self, variant: &Variant, evaluator: E) -> u32 {
            let (mut random, mut certain) = (Xoshiro256PlusPlus::seed_from_u64(8), 0);
            for _ in 0..4 {
                let mut position = P::from_fen(variant, variant.start()).unwrap();
                while position.outcome().is_none() {
                    let proof = match evaluator.evaluate(&position) {
                        Evaluation::Exact(proof) => Some(proof),
                        Evaluation::Estimate(_) => None,
                    };
                    assert_eq!(evaluator.oracle().result(&position), proof, "{}", position.fen());
                    certain += u32::from(proof.is_some());
                    loop {
                        let steps = position.steps();
                        position.play(steps[random.random_range(0..steps.len())]);
                        if position.at_turn_start() {
                            break;
                        }
                    }
                }
            }
            certain
        }
    }

    #[test]
    fn a_result_is_known_where_the_evaluator_of_the_family_knows_it() {
        for variant in VARIANTS {
            let certain = Model::default().run(variant, Compare).unwrap();
            // Where every stone can flip, random games are open to their end.
            let is_open = matches!(variant.family(), Family::Desdemona(rules) if rules.plain == Leaves::Own || rules.flips == Flips::Lines);
            assert!(certain > 0 || is_open, "{}", variant.name());
        }
    }

    #[test]
    fn positions_after_steps_are_evaluated_like_any_other() {
        let variant = &variant::find("amazons").unwrap();
        let own = Own::<Amazons>::new(Box::new(Hopeful), variant);
        // Black, who can fire at the last square of its own, is lost; elsewhere it is White.
        let mut position = Amazons::from_fen(variant, "Q1*1q/2*2/2**1 b").unwrap();
        position.play(position.steps()[0]);
        let steps = position.steps();
        let mut evaluations = vec![Evaluation::Estimate(Value { white: 0.5, draw: 0.0 })];
        own.evaluate_after(&position, &steps, &mut evaluations);
        assert_eq!(evaluations.len(), 1 + steps.len());
        for (&step, &evaluation) in steps.iter().zip(&evaluations[1..]) {
            assert!(matches!(evaluation, Evaluation::Exact(_)));
            assert_eq!(evaluation, own.evaluate(&position.after(step)));
        }
        assert_eq!(evaluations[0], Evaluation::Estimate(Value { white: 0.5, draw: 0.0 }));
    }
}
