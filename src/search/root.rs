//! What the tree says at its root: turns in order, principal variations, whether the choice is clear.

use super::parameters::Parameters;
use super::ranking::{Noise, Ranking};
use super::simulation::Context;
use super::tree::{FIRST_CHUNK, NodeId};
use super::{Line, Score};
use crate::endgame::Proof;
use crate::eval::{Evaluator, Value};
use crate::games::{Outcome, Position, Side, Step, Turn};
use std::cmp::Reverse;

/// A look at the tree from its root; may be taken while workers run.
pub(super) struct Root<'a, P: Position, E> {
    pub context: &'a Context<'a, P, E>,
}

/// How the best turns at the root compare.
pub(super) struct Standing {
    /// The chosen turn also has the best mean of all that were visited a fair amount.
    pub clear: bool,
    /// Visits by which it leads; none if another turn has more.
    pub lead: u64,
    /// There is only one turn.
    pub forced: bool,
}

/// A whole turn from some position, and the node it leads to.
struct Candidate<P: Position> {
    turn: Turn<P>,
    node: NodeId,
    visits: u32,
    /// Of the side to move.
    mean: f32,
    prior: f32,
    proof: Option<Proof>,
}

/// Of a single game, for [`Candidate::bound`]: not even means near 0 or 1 are certain.
const LEAST_VARIANCE: f32 = 1e-4;

/// Orders candidates, best first: quick wins, then by visits, then slow losses.
type Rank = (Reverse<i32>, Reverse<u32>, Reverse<i64>);

impl<P: Position> Candidate<P> {
    fn rank(&self, side: Side) -> Rank {
        let (class, visits) = match self.proof {
            Some(proof) if proof.outcome == Outcome::Win(side) => (512 - i32::from(proof.plies), 0),
            Some(proof) if proof.outcome == Outcome::Win(!side) => (-512 + i32::from(proof.plies), self.visits),
            // Among draws and what is open, draws come last by visits; see [`Root::sort`].
            Some(_) => (0, 0),
            None => (0, self.visits),
        };
        (Reverse(class), Reverse(visits), Reverse((f64::from(self.mean) * 1e9) as i64))
    }

    /// The mean less `margin` standard errors, which are those of as many games as there are visits, won or lost.
    fn bound(&self, margin: f32) -> f32 {
        let variance = (self.mean * (1.0 - self.mean)).max(LEAST_VARIANCE);
        self.mean - margin * (variance / self.visits as f32).sqrt()
    }
}

/// Which of the candidates, ordered by rank, has the highest lower bound of its mean (as in Leela Zero 0.17, 2019); the first if that is
/// proven. A turn's visits are shared out over its first steps and then over its last ones, so they say less of it than its mean.
fn surest<P: Position>(candidates: &[Candidate<P>], parameters: &Parameters) -> usize {
    let Some(first) = candidates.first().filter(|first| first.proof.is_none()) else { return 0 };
    let least = first.visits as f32 * parameters.final_share;
    let mut best = (0, first.bound(parameters.final_margin));
    for (index, candidate) in candidates.iter().enumerate().skip(1) {
        let bound = candidate.bound(parameters.final_margin);
        if candidate.proof.is_none() && candidate.visits as f32 >= least && bound > best.1 {
            best = (index, bound);
        }
    }
    best.0
}

impl<P: Position, E: Evaluator<P>> Root<'_, P, E> {
    /// Whether the result at the root is proven.
    pub fn proven(&self) -> bool {
        self.context.tree.node(self.context.tree.root()).proof().is_some()
    }

    /// The best `count` lines, best first; at least one if the root has a legal turn.
    pub fn lines(&self, count: usize) -> Vec<Line<P>> {
        let (tree, root) = (self.context.tree, self.context.root);
        let mut candidates = self.candidates(root, tree.root(), self.context.turns);
        let side = root.side_to_move();
        self.sort(&mut candidates, side);
        candidates.truncate(count);
        let mut lines: Vec<_> = candidates.into_iter().map(|candidate| self.line(candidate)).collect();
        if lines.is_empty() {
            lines.extend(self.unsearched());
        }
        lines
    }

    /// How clear the choice is.
    pub fn standing(&self) -> Standing {
        let (tree, root) = (self.context.tree, self.context.root);
        let mut candidates = self.candidates(root, tree.root(), self.context.turns);
        let side = root.side_to_move();
        self.sort(&mut candidates, side);
        let complete =
            tree.node(tree.root()).complete() && tree.children(tree.root()).all(|id| tree.node(id).complete());
        let Some(best) = candidates.first() else { return Standing { clear: false, lead: 0, forced: false } };
        let fair = best.visits / 4;
        let clear = candidates.iter().all(|other| other.visits < fair || other.mean <= best.mean + 1e-6);
        let second = candidates.get(1).map_or(0, |second| second.visits);
        let forced = complete && candidates.len() == 1;
        Standing { clear, lead: u64::from(best.visits.saturating_sub(second)), forced }
    }

    /// Puts candidates in order, best first: by visits, but for the first place. That goes to the one whose mean is surely high; and
    /// proven draws are not searched any more, so visits say nothing about them: one comes first if the best of the others is
    /// expected to score less.
    fn sort(&self, candidates: &mut [Candidate<P>], side: Side) {
        candidates.sort_by_key(|candidate| candidate.rank(side));
        let surest = surest(candidates, self.context.parameters);
        if let Some(start) = candidates.get_mut(..=surest) {
            start.rotate_right(1);
        }
        let is_draw = |candidate: &Candidate<P>| candidate.proof.is_some_and(|proof| proof.outcome == Outcome::Draw);
        let worse = candidates.first().is_some_and(|best| match best.proof {
            None => best.mean < 0.5,
            Some(proof) => proof.outcome == Outcome::Win(!side),
        });
        if worse && let Some(draw) = candidates.iter().position(is_draw) {
            candidates[..=draw].rotate_right(1);
        }
    }

    /// All whole turns below `node` that have been visited or proven; only those in `only`, unless that is empty.
    fn candidates(&self, position: &P, node: NodeId, only: &[Turn<P>]) -> Vec<Candidate<P>> {
        let mut found = Vec::new();
        let mut turn = Turn::<P>::new();
        self.collect(position, (node, 1.0), position.side_to_move(), &mut turn, &mut found);
        found.retain(|candidate| only.is_empty() || only.contains(&candidate.turn));
        found
    }

    fn collect(
        &self,
        at: &P,
        (node, prior): (NodeId, f32),
        side: Side,
        turn: &mut Turn<P>,
        found: &mut Vec<Candidate<P>>,
    ) {
        let tree = self.context.tree;
        for id in tree.children(node) {
            let child = tree.node(id);
            let (visits, prior, proof) = (child.visits(), prior * child.prior(), child.proof());
            if visits == 0 && proof.is_none() {
                continue;
            }
            let step = P::Step::from_code(child.step_code());
            let after = at.after(step);
            turn.push(step);
            if after.at_turn_start() {
                let mean = if visits > 0 { child.mean_for(side, 0, 0) } else { 0.5 };
                found.push(Candidate { turn: turn.clone(), node: id, visits, mean, prior, proof });
            } else {
                self.collect(&after, (id, prior), side, turn, found);
            }
            turn.pop();
        }
    }

    /// The candidate's turn and what follows with best play, as far as the tree knows.
    fn line(&self, candidate: Candidate<P>) -> Line<P> {
        let side = self.context.root.side_to_move();
        let score = match candidate.proof {
            None => Score::Estimate { score: candidate.mean, draw: 0.0 },
            Some(Proof { outcome, plies }) => Score::proven(outcome, u32::from(plies) + 1, side),
        };
        let (mut position, mut node) = (self.context.root.clone(), candidate.node);
        let mut turns = vec![candidate.turn];
        loop {
            turns.iter().last().into_iter().flatten().for_each(|&step| position.play(step));
            let side = position.side_to_move();
            let mut candidates = self.candidates(&position, node, &[]);
            self.sort(&mut candidates, side);
            let Some(next) = candidates.into_iter().next() else { break };
            node = next.node;
            turns.push(next.turn);
        }
        let score = match score {
            Score::Estimate { score, .. } => Score::Estimate { score, draw: self.draw(&position, score) },
            certain => certain,
        };
        Line { score, turns, visits: u64::from(candidate.visits), prior: Some(candidate.prior) }
    }

    /// The probability of a draw where a line ends, as far as the expected score leaves room for it.
    fn draw(&self, end: &P, score: f32) -> f32 {
        let draw = match end.outcome() {
            Some(outcome) => Value::of(outcome).draw,
            None if end.at_turn_start() => self.context.evaluator.judge(end).value().draw,
            None => 0.0,
        };
        draw.min(2.0 * score).min(2.0 * (1.0 - score))
    }

    /// Before any simulation has reached the end of a turn: the turn that the policy likes best, and the evaluation.
    fn unsearched(&self) -> Option<Line<P>> {
        let context = self.context;
        let mut position = context.root.clone();
        let mut turn = Turn::<P>::new();
        if position.outcome().is_some() {
            return None;
        }
        if let Some(first) = context.turns.first() {
            turn.clone_from(first);
        } else {
            let mut ranking = Ranking::new();
            while turn.is_empty() || !position.at_turn_start() {
                let (evaluator, parameters) = (context.evaluator, context.parameters);
                let noise = Noise { seed: context.seed, gumbel: 0.0 };
                let (best, _) = ranking.best(evaluator, parameters, &noise, &position, (0, 1.0), FIRST_CHUNK);
                let step = P::Step::from_code(best.first()?.step);
                position.play(step);
                turn.push(step);
            }
        }
        let value = context.evaluator.judge(context.root).value();
        let score = Score::Estimate { score: value.for_side(context.root.side_to_move()), draw: value.draw };
        Some(Line { score, turns: vec![turn], visits: 0, prior: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::amazons::Amazons;

    fn candidate(visits: u32, mean: f32) -> Candidate<Amazons> {
        Candidate { turn: Turn::<Amazons>::new(), node: 0, visits, mean, prior: 0.5, proof: None }
    }

    fn choice(candidates: &[Candidate<Amazons>]) -> usize {
        surest(candidates, &Parameters::default())
    }

    #[test]
    fn the_surest_turn_has_a_high_mean_and_visits_enough() {
        assert_eq!(choice(&[]), 0);
        assert_eq!(choice(&[candidate(1_000, 0.5), candidate(900, 0.5)]), 0);
        // A better mean that is well founded, and one that is not.
        assert_eq!(choice(&[candidate(1_000, 0.5), candidate(900, 0.49), candidate(800, 0.53)]), 2);
        assert_eq!(choice(&[candidate(1_000, 0.5), candidate(250, 0.51)]), 0);
        // However high a mean is, it takes a share of the visits.
        assert_eq!(choice(&[candidate(1_000_000, 0.5), candidate(200_000, 0.9)]), 1);
        assert_eq!(choice(&[candidate(1_000_000, 0.5), candidate(199_999, 0.9)]), 0);
    }

    #[test]
    fn proofs_are_chosen_by_rank_alone() {
        let proven = |outcome| Candidate { proof: Some(Proof { outcome, plies: 3 }), ..candidate(10, 0.2) };
        let win = proven(Outcome::Win(Side::White));
        assert_eq!(choice(&[win, candidate(1_000, 0.9)]), 0);
        let loss = Candidate { visits: 1_000, mean: 0.9, ..proven(Outcome::Win(Side::Black)) };
        assert_eq!(choice(&[candidate(1_000, 0.1), loss]), 0);
    }
}
