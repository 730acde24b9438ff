//! Evaluations of boards, without a search.

use super::analysis::calibrated;
use super::model::Model;
use super::owned::phase;
use super::owned::{Include, Owned, Ownership};
use super::task::EvaluatorTask;
use crate::endgame::Work;
use crate::eval::calibration::Calibration;
use crate::eval::{Evaluated, Evaluation, Evaluator, Leaf, exp, sum_of_exponentials};
use crate::games::variant::Variant;
use crate::games::{Board, Outcome, Side, Step};
use crate::search::{Control, Score};
use std::sync::Arc;
use thiserror::Error;

/// Batches of an evaluator that collects positions, in one call: it is asked for this many before somebody looks
/// whether to stop.
const BATCHES: usize = 16;

/// The evaluation of a position, without a search: see [`Model::assess`]. Scores are those of the side to move.
///
/// ```
/// use hippolyta::engine::{Board, Control, Include, Model};
/// use hippolyta::games::{Side, variant};
///
/// let boards = [Board::new(&variant::find("amazons6")?), Board::from_fen(&variant::find("amazons")?, "Q**/***/**q b")?];
/// let assessed = Model::default().assess(&boards, Include::default(), 0, &Control::default())?;
/// assert_eq!((assessed[0].side, assessed[0].priors.len()), (Side::White, 40)); // one for each move of an amazon
/// assert!((assessed[0].priors.iter().map(|(_, prior)| prior).sum::<f32>() - 1.0).abs() < 1e-4);
/// assert!(assessed[1].score.is_proven() && assessed[1].priors.is_empty()); // the game is over
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// The side to move.
    pub side: Side,
    /// The score of the position, as it is shown: see [`Analysis::score`](super::Analysis::score).
    pub score: Score,
    /// The score as a search takes it, before it was calibrated.
    pub search_score: Score,
    /// The codes of the steps that begin a turn, or go on with it, each with its probability by the policy, as a search
    /// takes it; the likeliest first. Empty if the game is over.
    pub priors: Vec<(u16, f32)>,
    /// The fields that were asked for beside the score.
    pub owned: Owned,
}

/// Why boards were not assessed.
///
/// ```
/// use hippolyta::engine::{AssessError, Board, Control, Evaluators, Include, Model};
/// use hippolyta::games::variant;
///
/// #[derive(Debug)]
/// struct Nobody;
/// impl Evaluators for Nobody {}
///
/// let boards = [Board::new(&variant::find("iago")?)];
/// let refused = Model::own(Nobody).assess(&boards, Include::default(), 0, &Control::default());
/// assert_eq!(refused, Err(AssessError::Evaluator("iago".to_owned())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AssessError {
    /// The model has no evaluator for this rule set.
    #[error("the model has no evaluator for {0}")]
    Evaluator(String),
    /// An evaluator of one's own could not evaluate a batch.
    #[error("the evaluator has failed")]
    Failed,
    /// The steps of a turn that has begun are not possible there.
    #[error("the turn cannot have begun like that")]
    Begun,
    /// The control has stopped it.
    #[error("stopped")]
    Stopped,
}

/// A position to be assessed: a board, and the codes of the steps of a turn that has begun there, none at its start.
///
/// ```
/// use hippolyta::engine::{Board, Control, Include, Model, Place};
/// use hippolyta::games::variant;
///
/// let board = Board::new(&variant::find("amazons6")?);
/// let assess = |begun: &[u16]| {
///     let place = Place { board: &board, begun };
///     Model::default().assess_places(&[place], Include::default(), 0, &Control::default())
/// };
/// let start = assess(&[])?;
/// let moved = assess(&[start[0].priors[0].0])?;
/// assert_eq!(moved[0].side, start[0].side); // who has moved is still to fire
/// assert!(assess(&[9999]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The board at the start of the turn.
    pub board: &'a Board,
    /// The steps since then: they do not end the turn.
    pub begun: &'a [u16],
}

impl Place<'_> {
    /// The position; `None` if the steps are not possible.
    fn position<P: Evaluated>(&self) -> Option<P> {
        let mut position = self.board.game::<P>()?.current().clone();
        for &code in self.begun {
            position.try_play(position.steps().into_iter().find(|step| step.code() == code)?).ok()?;
        }
        Some(position)
    }
}

impl Model {
    /// The evaluation of each board, without a search, in their order; the boards may be of several rule sets.
    /// Evaluators of batches get full ones. `seed` is for what is drawn by lot in `include`.
    ///
    /// Blocks for microseconds a board; what `include` asks for takes milliseconds, the stones of Desdemona and its
    /// relatives tens of them. `control` stops it.
    ///
    /// # Errors
    ///
    /// If there is no evaluator for one of the rule sets, if it has failed, or if it was stopped.
    pub fn assess(
        &self,
        boards: &[Board],
        include: Include,
        seed: u64,
        control: &Control,
    ) -> Result<Vec<Assessment>, AssessError> {
        let places: Vec<Place<'_>> = boards.iter().map(|board| Place { board, begun: &[] }).collect();
        self.assess_places(&places, include, seed, control)
    }

    /// Evaluations as by [`assess`](Self::assess), of positions in the middle of a turn as well. There the score is
    /// that of the side whose turn it is, the priors are those of the steps that go on with the turn, and nothing is
    /// told of what `include` asks for.
    ///
    /// # Errors
    ///
    /// Those of [`assess`](Self::assess), and if steps are not possible.
    pub fn assess_places(
        &self,
        places: &[Place<'_>],
        include: Include,
        seed: u64,
        control: &Control,
    ) -> Result<Vec<Assessment>, AssessError> {
        let mut assessed: Vec<Option<Assessment>> = vec![None; places.len()];
        while let Some(first) = assessed.iter().position(Option::is_none) {
            let variant = places[first].board.variant();
            let chosen: Vec<usize> = (0..places.len()).filter(|&at| places[at].board.variant() == variant).collect();
            let calibrations = |board: &Board| self.weights()?.calibration(board.variant(), board.size()).cloned();
            let of_variant: Vec<_> = chosen.iter().map(|&at| (places[at], calibrations(places[at].board))).collect();
            let task = Assess { places: of_variant, include, seed, control };
            let told = self.run(variant, task).ok_or_else(|| AssessError::Evaluator(variant.name().to_owned()))??;
            chosen.into_iter().zip(told).for_each(|(at, told)| assessed[at] = Some(told));
        }
        Ok(assessed.into_iter().flatten().collect())
    }
}

/// The positions of one rule set.
struct Assess<'a> {
    places: Vec<(Place<'a>, Option<Arc<Calibration>>)>,
    include: Include,
    seed: u64,
    control: &'a Control,
}

impl EvaluatorTask for Assess<'_> {
    type Output = Result<Vec<Assessment>, AssessError>;

    fn run<P: Evaluated, E: Evaluator<P> + Ownership<P> + 'static>(self, _: &Variant, evaluator: E) -> Self::Output {
        let goes_on = || !self.control.stopped();
        let at_once = evaluator.batch().map_or(1, |batch| batch * BATCHES);
        let mut assessed = Vec::new();
        for places in self.places.chunks(at_once) {
            if !goes_on() {
                return Err(AssessError::Stopped);
            }
            let positions: Option<Vec<P>> = places.iter().map(|(place, _)| place.position()).collect();
            let positions = positions.ok_or(AssessError::Begun)?;
            let mut leaves: Vec<Leaf<P>> =
                positions.iter().filter(|position| position.outcome().is_none()).cloned().map(Leaf::new).collect();
            let evaluations = evaluated(&evaluator, &mut leaves).ok_or(AssessError::Failed)?;
            let mut open = leaves.iter().zip(evaluations);
            for (position, (_, calibration)) in positions.iter().zip(places) {
                let side = position.side_to_move();
                let told = position.outcome().is_none().then(|| open.next()).flatten();
                let search_score = match (told, position.outcome()) {
                    (Some((_, evaluation)), _) => Score::evaluated(evaluation, 0, side),
                    (None, outcome) => Score::proven(outcome.unwrap_or(Outcome::Draw), 0, side),
                };
                assessed.push(Assessment {
                    side,
                    score: calibrated(search_score, calibration.as_deref(), (phase(position), side), 1),
                    search_score,
                    priors: told.map(|(leaf, _)| priors(leaf, evaluator.policy_temperature())).unwrap_or_default(),
                    owned: match self.include == Include::default() || !position.at_turn_start() {
                        true => Owned::default(),
                        false => evaluator.owned(position, self.include, self.seed, &Work::new(u64::MAX, &goes_on)),
                    },
                });
            }
        }
        if goes_on() { Ok(assessed) } else { Err(AssessError::Stopped) }
    }
}

/// Evaluates leaves and writes their logits into them; `None` if the evaluator has failed.
fn evaluated<P: Evaluated, E: Evaluator<P>>(evaluator: &E, leaves: &mut Vec<Leaf<P>>) -> Option<Vec<Evaluation>> {
    if evaluator.batch().is_none() {
        let one = |leaf: &mut Leaf<P>| {
            let Leaf { position, steps, logits, .. } = leaf;
            evaluator.evaluate_with_policy(position, steps, logits)
        };
        return Some(leaves.iter_mut().map(one).collect());
    }
    // A result that the rules make certain is known beside the evaluation.
    let is_done = leaves.is_empty() || evaluator.evaluate_batch(leaves);
    let known = |leaf: &Leaf<P>| {
        let certain = evaluator.oracle().result(&leaf.position).map(Evaluation::Exact);
        certain.unwrap_or(Evaluation::Estimate(leaf.value))
    };
    is_done.then(|| leaves.iter().map(known).collect())
}

/// The softmax of the logits, by falling probability.
fn priors<P: Evaluated>(leaf: &Leaf<P>, temperature: f32) -> Vec<(u16, f32)> {
    let logits: Vec<f32> = leaf.logits.iter().map(|logit| logit / temperature).collect();
    let best = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total = sum_of_exponentials(&logits, best);
    let mut priors: Vec<(u16, f32)> =
        leaf.steps.iter().zip(&logits).map(|(step, logit)| (step.code(), exp(logit - best) / total)).collect();
    priors.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    priors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Engine, Limits, Settings};
    use crate::games::variant::{VARIANTS, find};

    #[test]
    fn a_board_is_assessed_as_a_search_begins() {
        for variant in VARIANTS {
            let mut board = Board::new(variant);
            board.play_turn(&board.legal_turns().all()[3]).unwrap();
            let model = Model::default();
            let found = model.assess(std::slice::from_ref(&board), Include::default(), 0, &Control::default()).unwrap();
            let [found] = &found[..] else { panic!("one board") };
            let settings = Settings { hash: 2, ..Settings::default() };
            let mut engine = Engine::new(variant, &model, settings).unwrap();
            let explained = engine.explain(&board).unwrap().unwrap();
            let expected = explained.value.for_side(board.side_to_move());
            assert!((found.search_score.expected() - expected).abs() < 1e-5, "{}: {found:?}", variant.name());
            let limits = Limits { nodes: Some(100), ..Limits::default() };
            engine.analyse(&board, &limits, &Control::default(), &mut |_| ()).unwrap();
            // Where steps end the turn, the search makes priors of what it expects after them.
            let halves: Vec<_> = engine.half_turns().into_iter().filter(|half| half.codes.len() == 1).collect();
            let is_half = board.legal_turns().all()[0].fire().is_some();
            for half in halves.iter().filter(|_| is_half) {
                let (_, prior) = found.priors.iter().find(|(code, _)| *code == half.codes[0]).unwrap();
                assert!((prior - half.prior).abs() < 0.01, "{}: {half:?} {prior}", variant.name());
            }
            assert!((1..=found.priors.len()).contains(&halves.len()), "{}: {}", variant.name(), halves.len());
        }
    }

    #[test]
    fn in_the_middle_of_a_turn_the_mover_is_told_what_the_evaluation_says() {
        for variant in VARIANTS {
            let board = Board::new(variant);
            let model = Model::default();
            let assess = |begun: &[u16]| {
                let include = Include { ownership: true, territory: true, stones: true };
                model.assess_places(&[Place { board: &board, begun }], include, 0, &Control::default())
            };
            let start = assess(&[]).unwrap();
            let (first, _) = start[0].priors[0];
            let moved = assess(&[first]).unwrap();
            let [moved] = &moved[..] else { panic!("one place") };
            let has_fires = board.legal_turns().all()[0].fire().is_some();
            assert_eq!(moved.side == board.side_to_move(), has_fires, "{}", variant.name());
            if has_fires {
                assert_eq!(moved.owned, Owned::default());
                let total: f32 = moved.priors.iter().map(|(_, prior)| prior).sum();
                assert!((total - 1.0).abs() < 1e-3 && !moved.score.is_proven(), "{}: {moved:?}", variant.name());
                // No step begins this turn twice.
                assert_eq!(assess(&[first, first]), Err(AssessError::Begun), "{}", variant.name());
            }
        }
    }

    #[test]
    fn boards_of_several_rule_sets_are_told_in_their_order_and_what_is_certain_is_proven() {
        let board = |name: &str, fen: &str| Board::from_fen(&find(name).unwrap(), fen).unwrap();
        let [start, closed] = [Board::new(&find("amazons6").unwrap()), board("amazons", "Q1*1q/2*2/2*2 w")];
        let over = board("amazons", "Q**/***/**q b");
        let boards = [closed.clone(), start.clone(), over, Board::new(&find("iago").unwrap()), closed];
        let include = Include { ownership: true, territory: true, stones: true };
        let told = Model::default().assess(&boards, include, 0, &Control::default()).unwrap();
        assert_eq!(told.len(), 5);
        assert_eq!(told[0], told[4]);
        assert!(matches!(told[0].score, Score::Loss { .. }) && !told[0].priors.is_empty());
        assert_eq!((told[2].score, told[2].side, told[2].priors.len()), (Score::Loss { plies: 0 }, Side::Black, 0));
        assert!(told[0].owned.territory.is_some() && told[3].owned.stones.is_some());
        assert_eq!(told[1].owned.ownership.as_ref().map(Vec::len), Some(36));
        let alone = Model::default().assess(&[start], Include::default(), 0, &Control::default()).unwrap();
        assert_eq!((alone[0].score, &alone[0].priors), (told[1].score, &told[1].priors));
        assert_eq!(alone[0].owned, Owned::default());
    }

    #[test]
    fn it_stops_when_it_is_told() {
        let control = Control::default();
        control.stop();
        let boards = [Board::new(&find("iago").unwrap())];
        let stopped = Model::default().assess(&boards, Include::default(), 0, &control);
        assert_eq!(stopped, Err(AssessError::Stopped));
    }
}
