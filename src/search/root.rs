//! Results at the root of the tree: the best turns, principal variations, scores, and whether the choice is clear.

use super::clock;
use super::progress::Progress;
use super::ranking::{Noise, Ranking, ordered};
use super::report::{Line, Report, Score};
use super::simulation::Context;
use super::tree::NodeId;
use super::unsearched::{score_after, score_of_turns};
use crate::endgame::Proof;
use crate::eval::{Evaluation, Evaluator, Parameters, Value};
use crate::games::{Outcome, Position, Side, Step, Steps};
use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::sync::atomic::{Ordering::Acquire, fence};

/// The number of lines in which every turn is the best one. In further lines the turns after the first are the most
/// visited ones: to find a best turn, hundreds of nodes that lie far apart in memory must be read, and an answer with
/// hundreds of lines would come late.
const CAREFUL_LINES: usize = 32;

/// A look at the tree from its root; may be taken while workers run.
pub(super) struct Root<'a, P: Position, E> {
    pub context: &'a Context<'a, P, E>,
    pub progress: &'a Progress<'a>,
}

impl<P: Position, E> Clone for Root<'_, P, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Position, E> Copy for Root<'_, P, E> {}

/// How the best turns at the root compare.
pub(super) struct Comparison {
    /// The chosen turn also has the best mean of all that were visited a fair amount.
    pub clear: bool,
    /// Visits by which it leads; none if another turn has more.
    pub lead: u64,
    /// There is only one turn.
    pub forced: bool,
}

impl Comparison {
    /// Whether the best turn will not change within `nodes_ahead` nodes.
    pub fn is_settled(&self, nodes_ahead: f64) -> bool {
        self.forced || self.clear && self.lead as f64 >= nodes_ahead
    }
}

/// A whole turn from some position, and the node it leads to.
struct Candidate<P: Position> {
    turn: Steps<P>,
    node: NodeId,
    visits: u32,
    /// Of the side to move.
    mean: f32,
    prior: f32,
    proof: Option<Proof>,
}

/// Candidates as they are collected. Open steps and turns with fewer than `least` visits are left out.
struct Found<P: Position> {
    candidates: Vec<Candidate<P>>,
    least: f32,
}

/// Lower bound on the per-visit variance used in [`Candidate::bound`].
const LEAST_VARIANCE: f32 = 1e-4;

/// Orders candidates, best first: quick wins, then by visits, then slow losses.
type Rank = (Reverse<i32>, Reverse<u32>, Reverse<i64>);

impl<P: Position> Candidate<P> {
    fn rank(&self, side: Side) -> Rank {
        let (class, visits) = match self.proof {
            Some(proof) if proof.outcome == Outcome::Win(side) => (512 - i32::from(proof.plies), 0),
            Some(proof) if proof.outcome == Outcome::Win(!side) => (-512 + i32::from(proof.plies), self.visits),
            // Among draws and what is open, draws come last by visits; see [`best`].
            Some(_) => (0, 0),
            None => (0, self.visits),
        };
        (Reverse(class), Reverse(visits), Reverse((f64::from(self.mean) * 1e9) as i64))
    }

    /// The mean − `margin` standard errors; visits count as independent games, each won or lost.
    fn bound(&self, margin: f32) -> f32 {
        let variance = (self.mean * (1.0 - self.mean)).max(LEAST_VARIANCE);
        self.mean - margin * (variance / self.visits as f32).sqrt()
    }
}

/// Index of the candidate with the highest lower bound of its mean (as in Leela Zero 0.17, 2019); that of the first by
/// rank if it is proven. Visits spread over first steps and then over last ones, so they say less about a turn than its
/// mean.
fn surest<P: Position>(candidates: &[Candidate<P>], side: Side, parameters: &Parameters) -> Option<usize> {
    let first = first_by_rank(candidates.iter().enumerate(), side)?;
    let top = &candidates[first];
    if top.proof.is_some() {
        return Some(first);
    }
    let least = top.visits as f32 * parameters.final_share;
    let bound = |candidate: &Candidate<P>| candidate.bound(parameters.final_margin);
    let mut best = (first, bound(top));
    for (index, other) in candidates.iter().enumerate() {
        if other.proof.is_some() || (other.visits as f32) < least {
            continue;
        }
        let (bound, by_rank) = (bound(other), || other.rank(side) < candidates[best.0].rank(side));
        if bound > best.1 || bound == best.1 && by_rank() {
            best = (index, bound);
        }
    }
    Some(best.0)
}

/// Index of the first by rank.
fn first_by_rank<'a, P: Position>(
    candidates: impl Iterator<Item = (usize, &'a Candidate<P>)>,
    side: Side,
) -> Option<usize> {
    candidates.min_by_key(|(_, candidate)| candidate.rank(side)).map(|(index, _)| index)
}

/// Index of the candidate that comes first: the [`surest`] one, or a proven draw if that one is expected to score less.
/// Draws are not searched any more, so their visits say nothing.
fn best<P: Position>(candidates: &[Candidate<P>], side: Side, parameters: &Parameters) -> Option<usize> {
    let surest = surest(candidates, side, parameters)?;
    let worse = match candidates[surest].proof {
        None => candidates[surest].mean < 0.5,
        Some(proof) => proof.outcome == Outcome::Win(!side),
    };
    let is_draw = |candidate: &Candidate<P>| candidate.proof.is_some_and(|proof| proof.outcome == Outcome::Draw);
    let draws = candidates.iter().enumerate().filter(|(_, candidate)| worse && is_draw(candidate));
    Some(first_by_rank(draws, side).unwrap_or(surest))
}

/// Sorts candidates: the [`best`] one, then by rank.
fn sort<P: Position>(candidates: &mut [Candidate<P>], side: Side, parameters: &Parameters) {
    if let Some(best) = best(candidates, side, parameters) {
        candidates[..=best].rotate_right(1);
        candidates[1..].sort_by_cached_key(|candidate| candidate.rank(side));
    }
}

/// Puts candidates in the order of what is said of them: quick wins, then by the lower bound of the mean, a proven draw
/// at one half, then slow losses.
fn order<P: Position>(candidates: &mut [Candidate<P>], side: Side, parameters: &Parameters) {
    let worth = |candidate: &Candidate<P>| match candidate.proof {
        Some(Proof { outcome: Outcome::Draw, .. }) => 0.5,
        Some(Proof { outcome, plies }) if outcome == Outcome::Win(side) => 512.0 - f32::from(plies),
        Some(Proof { plies, .. }) => f32::from(plies) - 512.0,
        None => candidate.bound(parameters.final_margin),
    };
    // Unlike a sort by the candidates this one is compiled once for all games.
    candidates.sort_by_cached_key(|candidate| Reverse(ordered(worth(candidate))));
}

impl<P: Position, E: Evaluator<P>> Root<'_, P, E> {
    /// Whether the result at the root is proven.
    pub fn proven(&self) -> bool {
        self.context.tree.node(self.context.tree.root()).proof().is_some()
    }

    /// Whether a report may come now: of an evaluator of batches, nothing is asked for it, so some whole turn must have
    /// been searched.
    pub fn can_report(&self) -> bool {
        let Context { tree, root, evaluator, .. } = *self.context;
        evaluator.batch().is_none()
            || self.most_visited(root, tree.root()).is_some()
            || self.context.root_proof().is_some()
    }

    /// The state of the search; `None` if it ends meanwhile. With hundreds of lines a report takes milliseconds, and the
    /// last one is not to wait for the rest of one that is out of date.
    pub fn interim_report(&self) -> Option<Report<P>> {
        let goes_on = || !self.progress.is_over();
        let report = self.report_while(&goes_on);
        goes_on().then_some(report)
    }

    /// The state of the search.
    pub fn report(&self) -> Report<P> {
        self.report_while(&|| true)
    }

    /// The state of the search; of no use once `is_wanted` is false.
    fn report_while(&self, is_wanted: &dyn Fn() -> bool) -> Report<P> {
        let Self { context: &Context { tree, multi_pv, .. }, progress } = *self;
        let (mut lines, mut score) = self.scored_lines(multi_pv, is_wanted);
        let wins = |score: &Score| matches!(score, Score::Win { .. });
        if wins(&score) && !lines.first().is_some_and(|line| wins(&line.score)) {
            // A worker has proven the root since the lines were read. The winning turn was proven before it.
            fence(Acquire);
            (lines, score) = self.scored_lines(multi_pv, is_wanted);
        }
        lines.iter_mut().for_each(|line| line.visits = tree.in_full(line.visits));
        let depth = lines.first().map_or(0, |line| line.turns.len() as u32);
        // Workers add to the root last: while they run, the lines may have more visits than the root.
        let below: u64 = lines.iter().map(|line| line.visits).sum();
        Report {
            score,
            last: false,
            depth,
            selective_depth: progress.deepest().max(depth),
            nodes: progress.nodes(),
            visits: tree.visits().max(below),
            time: clock::since(progress.started),
            hash_full: tree.full_per_mille(),
            exact_hits: progress.exact_hits(),
            lines,
            earlier: None,
            proof: None,
        }
    }

    /// The best `count` lines, and the score of the root with them.
    fn scored_lines(&self, count: usize, is_wanted: &dyn Fn() -> bool) -> (Vec<Line<P>>, Score) {
        let lines = self.lines_while(count, is_wanted);
        let score = self.score(&lines);
        (lines, score)
    }

    /// The best `count` lines, best first; at least one if the root has a legal turn. A turn that is known to lose
    /// comes first only if all are.
    pub fn lines(&self, count: usize) -> Vec<Line<P>> {
        self.lines_while(count, &|| true)
    }

    /// As [`lines`](Self::lines), but no further line is begun once `is_wanted` is false.
    fn lines_while(&self, count: usize, is_wanted: &dyn Fn() -> bool) -> Vec<Line<P>> {
        let (tree, root) = (self.context.tree, self.context.root);
        let proven = self.context.root_proof().is_some();
        let mut candidates = self.candidates(root, tree.root(), self.context.turns);
        let side = root.side_to_move();
        sort(&mut candidates, side, self.context.parameters);
        candidates.truncate(count);
        if let [_, others @ ..] = &mut candidates[..] {
            order(others, side, self.context.parameters);
        }
        let is_open = candidates.first().is_some_and(|best| !is_loss(best.proof, side));
        let wanted = candidates.into_iter().enumerate().take_while(|_| is_wanted());
        let mut lines: Vec<_> = wanted.map(|(index, candidate)| self.line(candidate, index < CAREFUL_LINES)).collect();
        if !(is_open || proven) {
            let unsearched = self.unsearched(false);
            let any = || if lines.is_empty() { self.unsearched(true) } else { None };
            if let Some(line) = unsearched.or_else(any) {
                lines.insert(0, line);
                lines.truncate(count);
            }
        }
        lines
    }

    /// Score of the root, whose best lines are `lines`. Reads proofs after the lines were read: workers may be
    /// running.
    pub fn score(&self, lines: &[Line<P>]) -> Score {
        let Context { root, evaluator, turns, .. } = *self.context;
        let side = root.side_to_move();
        if let Some(Proof { outcome, plies }) = self.context.root_proof() {
            return Score::proven(outcome, plies.into(), side);
        }
        // However little of the tree is proven: there is nothing better to be found.
        let known = turns.is_empty().then(|| evaluator.oracle().result(root)).flatten();
        if let Some(Proof { outcome: Outcome::Draw, .. }) = known {
            return Score::Draw;
        }
        match lines.first() {
            Some(Line { score: win @ Score::Win { .. }, .. }) => *win,
            Some(Line { score: Score::Draw, .. }) => Score::DRAW_IN_HAND,
            Some(Line { score: estimate @ Score::Estimate { .. }, visits: 1.., .. }) => *estimate,
            // The evaluator knows only of all turns together.
            Some(Line { score: estimate @ Score::Estimate { .. }, .. }) if !turns.is_empty() => *estimate,
            _ => {
                let known = |turn: &Steps<P>| {
                    self.proof_of(turn).map(|proof| Score::proven(proof.outcome, u32::from(proof.plies) + 1, side))
                };
                let evaluated = || Score::evaluated(evaluator.evaluate(root), 0, side);
                score_of_turns(evaluator, root, turns, known).unwrap_or_else(evaluated)
            }
        }
    }

    /// How clear the choice of the best turn is.
    pub fn comparison(&self) -> Comparison {
        let (tree, root) = (self.context.tree, self.context.root);
        let mut candidates = self.candidates(root, tree.root(), self.context.turns);
        let side = root.side_to_move();
        sort(&mut candidates, side, self.context.parameters);
        let complete =
            tree.node(tree.root()).complete() && tree.children(tree.root()).all(|id| tree.node(id).complete());
        let Some(best) = candidates.first() else { return Comparison { clear: false, lead: 0, forced: false } };
        let fair = best.visits / 4;
        let clear = candidates.iter().all(|other| other.visits < fair || other.mean <= best.mean + 1e-6);
        let second = candidates.get(1).map_or(0, |second| second.visits);
        let forced = complete && candidates.len() == 1;
        Comparison { clear, lead: u64::from(best.visits.saturating_sub(second)), forced }
    }

    /// All whole turns below `node` that are visited or proven; only those in `only`, unless that is empty.
    fn candidates(&self, position: &P, node: NodeId, only: &[Steps<P>]) -> Vec<Candidate<P>> {
        let mut found = Found { candidates: Vec::new(), least: 0.0 };
        self.collect(position, node, &mut found);
        let mut candidates = found.candidates;
        candidates.retain(|candidate| only.is_empty() || only.contains(&candidate.turn));
        candidates
    }

    /// The turn that comes first below `node`. With many lines and a large tree this is called hundreds of thousands
    /// of times, so it skips what has too few visits to come first (and draws behind such steps).
    fn best(&self, position: &P, node: NodeId) -> Option<Candidate<P>> {
        let side = position.side_to_move();
        let least = self.context.parameters.final_share * self.most_visits(position, node) as f32;
        let mut found = Found { candidates: Vec::new(), least };
        self.collect(position, node, &mut found);
        let mut candidates = found.candidates;
        let best = best(&candidates, side, self.context.parameters)?;
        Some(candidates.swap_remove(best))
    }

    /// Visits of the [`most_visited`](Self::most_visited) turn below `node`.
    fn most_visits(&self, position: &P, node: NodeId) -> u32 {
        self.most_visited(position, node).map_or(0, |(_, last)| self.context.tree.node(last).visits())
    }

    /// An open turn below `node` and its node, found by following the most visited steps: most likely the turn with the
    /// most visits.
    fn most_visited(&self, position: &P, node: NodeId) -> Option<(Steps<P>, NodeId)> {
        let tree = self.context.tree;
        let most = |node| {
            let open = tree.children(node).filter(|&id| tree.node(id).proof().is_none());
            open.max_by_key(|&id| tree.node(id).visits()).filter(|&id| tree.node(id).visits() > 0)
        };
        let step = |id| P::Step::from_code(tree.node(id).step_code());
        let first = most(node)?;
        let mut turn: Steps<P> = [step(first)].into_iter().collect();
        if position.ends_turn(step(first)) {
            return Some((turn, first));
        }
        let last = most(first)?;
        turn.push(step(last));
        Some((turn, last))
    }

    /// Finds the whole turns below `node`, where `at` stands.
    fn collect(&self, at: &P, node: NodeId, found: &mut Found<P>) {
        let side = at.side_to_move();
        for (id, prior) in self.wanted(node, 1.0, found.least) {
            let step = P::Step::from_code(self.context.tree.node(id).step_code());
            let mut turn: Steps<P> = [step].into_iter().collect();
            if at.ends_turn(step) {
                found.candidates.push(self.candidate(turn, (id, prior), side));
                continue;
            }
            for (id, prior) in self.wanted(id, prior, found.least) {
                turn.push(P::Step::from_code(self.context.tree.node(id).step_code()));
                found.candidates.push(self.candidate(turn.clone(), (id, prior), side));
                turn.pop();
            }
        }
    }

    /// The children of `node` that are proven or have enough visits, with their probability; `prior` is that of `node`.
    fn wanted(&self, node: NodeId, prior: f32, least: f32) -> impl Iterator<Item = (NodeId, f32)> {
        let tree = self.context.tree;
        tree.children(node).filter_map(move |id| {
            let child = tree.node(id);
            let visits = child.visits();
            let is_wanted = visits > 0 && visits as f32 >= least || child.proof().is_some();
            is_wanted.then(|| (id, prior * child.prior()))
        })
    }

    fn candidate(&self, turn: Steps<P>, (id, prior): (NodeId, f32), side: Side) -> Candidate<P> {
        let node = self.context.tree.node(id);
        let (visits, proof) = (node.visits(), node.proof());
        let mean = if visits > 0 { node.mean_for(side, 0, 0) } else { 0.5 };
        Candidate { turn, node: id, visits, mean, prior, proof }
    }

    /// The candidate's turn and the principal variation after it: the [`best`](Self::best) turns if `careful`, else the
    /// most visited ones.
    fn line(&self, candidate: Candidate<P>, careful: bool) -> Line<P> {
        let side = self.context.root.side_to_move();
        let score = match candidate.proof {
            None => Score::Estimate { score: candidate.mean, draw: 0.0 },
            Some(Proof { outcome, plies }) => Score::proven(outcome, u32::from(plies) + 1, side),
        };
        let (mut position, mut node) = (self.context.root.clone(), candidate.node);
        let mut turns = vec![candidate.turn];
        loop {
            turns.iter().last().into_iter().flatten().for_each(|&step| position.play(step));
            let careful = careful || self.context.tree.node(node).proof().is_some();
            let most_visited = if careful { None } else { self.most_visited(&position, node) };
            let best = || self.best(&position, node).map(|best| (best.turn, best.node));
            let Some((turn, next)) = most_visited.or_else(best) else { break };
            node = next;
            turns.push(turn);
        }
        let score = match score {
            Score::Estimate { score, .. } => Score::Estimate { score, draw: self.draw(&position, score) },
            certain => certain,
        };
        Line { score, turns, visits: u64::from(candidate.visits), prior: Some(candidate.prior) }
    }

    /// Probability of a draw where a line ends, limited to what is possible with this expected score. Nothing is asked
    /// of an evaluator of batches while a search reports.
    fn draw(&self, end: &P, score: f32) -> f32 {
        if !P::CAN_BE_DRAWN || self.context.evaluator.batch().is_some() && end.outcome().is_none() {
            return 0.0;
        }
        let draw = match end.outcome() {
            Some(outcome) => Value::of(outcome).draw,
            None => self.context.evaluator.evaluate(end).value().draw,
        };
        draw.min(2.0 * score).min(2.0 * (1.0 - score))
    }

    /// A turn by the policy and the evaluation alone: the policy's best among those not known to lose or, with
    /// `even_lost`, of all. If the evaluator knows that the root is won: a turn that it knows to win.
    fn unsearched(&self, even_lost: bool) -> Option<Line<P>> {
        let Context { root, turns, tree, evaluator, .. } = *self.context;
        let side = root.side_to_move();
        let won = matches!(evaluator.evaluate(root), Evaluation::Exact(proof) if proof.outcome == Outcome::Win(side));
        let mut found = None;
        let mut consider = |turn: &Steps<P>| {
            let score = score_after(evaluator, root, turn);
            let wins = matches!(score, Score::Win { .. });
            if wins || found.is_none() && (even_lost || !matches!(score, Score::Loss { .. })) {
                found = Some(Line { score, turns: vec![turn.clone()], visits: 0, prior: None });
            }
            if wins || !won && found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let _ = if turns.is_empty() {
            self.for_each_turn(root, Some(tree.root()), !even_lost, &mut Steps::<P>::new(), &mut consider)
        } else {
            let open = |turn: &&Steps<P>| even_lost || !is_loss(self.proof_of(turn), side);
            turns.iter().filter(open).try_for_each(consider)
        };
        found
    }

    /// The result of a turn, if the tree has proven it.
    fn proof_of(&self, turn: &Steps<P>) -> Option<Proof> {
        let tree = self.context.tree;
        let mut steps = turn.iter();
        let node = steps.try_fold(tree.root(), |node, step| {
            tree.children(node).find(|&id| tree.node(id).step_code() == step.code())
        })?;
        tree.node(node).proof()
    }

    /// Calls `f` for every turn that begins with `turn`, in the policy's order. `position` and `node` are where `turn`
    /// leads. With `without_lost`, turns that the tree has proven to lose are left out.
    fn for_each_turn(
        &self,
        position: &P,
        node: Option<NodeId>,
        without_lost: bool,
        turn: &mut Steps<P>,
        f: &mut impl FnMut(&Steps<P>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Context { evaluator, parameters, tree, seed, .. } = *self.context;
        let (mut ranking, noise) = (Ranking::new(), Noise { seed, gumbel: 0.0 });
        let (steps, _) = ranking.best(evaluator, parameters, &noise, position, (0, 1.0), usize::MAX);
        for candidate in steps {
            let child =
                node.and_then(|node| tree.children(node).find(|&id| tree.node(id).step_code() == candidate.step));
            let proof = child.and_then(|id| tree.node(id).proof());
            if without_lost && is_loss(proof, position.side_to_move()) {
                continue;
            }
            let step = P::Step::from_code(candidate.step);
            let after = position.after(step);
            turn.push(step);
            if after.at_turn_start() {
                f(turn)?;
            } else {
                self.for_each_turn(&after, child, without_lost, turn, f)?;
            }
            turn.pop();
        }
        ControlFlow::Continue(())
    }
}

/// Whether `side` is proven to lose.
fn is_loss(proof: Option<Proof>, side: Side) -> bool {
    proof.is_some_and(|proof| proof.outcome == Outcome::Win(!side))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::amazons::AmazonsEvaluator;
    use crate::games::amazons::Amazons;
    use crate::games::{Notation, variant};
    use crate::search::control::Control;
    use crate::search::simulation::Walker;
    use crate::search::table::TranspositionTable;
    use crate::search::tree::{self, Tree};
    use crate::search::worker::work;
    use crate::search::written::{AsWritten, BLACK_WINS, Place, Spot, To, WHITE_WINS, half, open, over};
    use std::time::Instant;

    fn candidate(visits: u32, mean: f32) -> Candidate<Amazons> {
        Candidate { turn: Steps::<Amazons>::new(), node: 0, visits, mean, prior: 0.5, proof: None }
    }

    fn choice(candidates: &[Candidate<Amazons>]) -> Option<usize> {
        best(candidates, Side::White, &Parameters::default())
    }

    #[test]
    fn the_surest_turn_has_a_high_mean_and_visits_enough() {
        assert_eq!(choice(&[]), None);
        assert_eq!(choice(&[candidate(1_000, 0.5), candidate(900, 0.5)]), Some(0));
        // A better mean that is well founded, and one that is not.
        assert_eq!(choice(&[candidate(1_000, 0.5), candidate(900, 0.49), candidate(800, 0.53)]), Some(2));
        assert_eq!(choice(&[candidate(1_000, 0.5), candidate(250, 0.51)]), Some(0));
        // One that is better founded than the best so far, and worse.
        assert_eq!(choice(&[candidate(1_000, 0.5), candidate(800, 0.53), candidate(900, 0.49)]), Some(1));
        // However high a mean is, it takes a share of the visits.
        assert_eq!(choice(&[candidate(1_000_000, 0.5), candidate(200_000, 0.9)]), Some(1));
        assert_eq!(choice(&[candidate(1_000_000, 0.5), candidate(199_999, 0.9)]), Some(0));
    }

    #[test]
    fn a_bound_is_a_standard_error_below_the_mean() {
        assert!((candidate(100, 0.5).bound(1.0) - 0.45).abs() < 1e-6);
        assert!((candidate(400, 0.5).bound(2.0) - 0.45).abs() < 1e-6);
        // Nothing is certain because it was always won.
        assert!((candidate(100, 1.0).bound(1.0) - 0.999).abs() < 1e-6);
    }

    #[test]
    fn equal_visits_are_ordered_by_their_means() {
        let mut all = [candidate(10, 0.3), candidate(10, 0.5), candidate(1_000, 0.6)];
        sort(&mut all, Side::White, &Parameters::default());
        assert_eq!(all.each_ref().map(|candidate| candidate.mean), [0.6, 0.5, 0.3]);
    }

    #[test]
    fn lines_are_in_the_order_of_what_is_certain_of_them() {
        let proven = |outcome, plies| Candidate { proof: Some(Proof { outcome, plies }), ..candidate(1_000, 0.4) };
        let (white, black) = (Outcome::Win(Side::White), Outcome::Win(Side::Black));
        let mut all = [
            proven(black, 3),
            candidate(900, 0.42),
            proven(white, 5),
            candidate(4, 0.60),
            candidate(800, 0.56),
            proven(Outcome::Draw, 9),
            proven(black, 7),
            proven(white, 3),
        ];
        order(&mut all, Side::White, &Parameters::default());
        let told = all.each_ref().map(|it| (it.proof.map(|proof| proof.plies), it.mean));
        let expected = [
            (Some(3), 0.4),
            (Some(5), 0.4),
            (None, 0.56),
            (Some(9), 0.4),
            (None, 0.42),
            // Four visits: a standard error of 24 points.
            (None, 0.60),
            (Some(7), 0.4),
            (Some(3), 0.4),
        ];
        assert_eq!(told, expected);
    }

    #[test]
    fn proofs_are_chosen_by_rank_alone() {
        let proven = |outcome| Candidate { proof: Some(Proof { outcome, plies: 3 }), ..candidate(10, 0.2) };
        let win = proven(Outcome::Win(Side::White));
        assert_eq!(choice(&[win, candidate(1_000, 0.9)]), Some(0));
        let loss = Candidate { visits: 1_000, mean: 0.9, ..proven(Outcome::Win(Side::Black)) };
        assert_eq!(choice(&[candidate(1_000, 0.1), loss]), Some(0));
    }

    #[test]
    fn wins_come_quick_first_and_losses_slow_first() {
        let proven =
            |outcome, plies, visits| Candidate { proof: Some(Proof { outcome, plies }), ..candidate(visits, 0.4) };
        let (white, black) = (Outcome::Win(Side::White), Outcome::Win(Side::Black));
        assert_eq!(choice(&[proven(black, 3, 1_000), proven(black, 9, 1), proven(black, 5, 2_000)]), Some(1));
        assert_eq!(choice(&[proven(white, 5, 1_000), proven(white, 3, 1)]), Some(1));
        let mut all = vec![
            proven(black, 3, 5_000),
            candidate(10, 0.6),
            proven(Outcome::Draw, 1, 9_000),
            proven(black, 9, 1),
            candidate(1_000, 0.6),
            proven(white, 5, 1_000),
            proven(white, 3, 1),
        ];
        sort(&mut all, Side::White, &Parameters::default());
        let plies = |candidate: &Candidate<_>| candidate.proof.map(|proof| proof.plies);
        assert_eq!(
            all.iter().map(plies).collect::<Vec<_>>(),
            [Some(3), Some(5), None, None, Some(1), Some(9), Some(3)]
        );
        assert!(all[2].visits > all[3].visits);
        // Of losses equally long, the one that was looked at most.
        assert_eq!(choice(&[proven(black, 4, 10), proven(black, 4, 20)]), Some(1));
    }

    #[test]
    fn a_draw_comes_first_where_all_else_is_worse() {
        let draw = || Candidate { proof: Some(Proof { outcome: Outcome::Draw, plies: 8 }), ..candidate(1, 0.5) };
        assert_eq!(choice(&[candidate(1_000, 0.49), draw()]), Some(1));
        assert_eq!(choice(&[candidate(1_000, 0.5), draw()]), Some(0));
        let lost =
            Candidate { proof: Some(Proof { outcome: Outcome::Win(Side::Black), plies: 8 }), ..candidate(9, 0.9) };
        assert_eq!(choice(&[lost, draw()]), Some(1));
    }

    #[test]
    fn a_choice_is_settled_once_it_is_forced_or_clear_with_a_lead_that_lasts() {
        let settled = |clear, lead, forced| Comparison { clear, lead, forced }.is_settled(100.0);
        assert!(settled(true, 100, false) && settled(false, 0, true));
        assert!(!settled(true, 99, false) && !settled(false, 1_000, false));
    }

    /// Compares steps of White's with these visits, each with White's mean in eighths.
    fn compared(steps: &[(u32, i64)], complete: bool) -> Comparison {
        const SPOTS: &[Spot] = &[open(4, &[1, 2, 3, 4]), open(4, &[]), open(4, &[]), open(4, &[]), open(4, &[])];
        let made: Vec<_> =
            (1..=steps.len() as u16).map(|step| tree::Candidate { step, prior: 0.25, evaluation: None }).collect();
        let (tree, control) = (Tree::new(1 << 20).unwrap(), Control::default());
        let all = made.len() + usize::from(!complete);
        tree.expand(tree.root(), 0, &mut tree.slots(1), |_| (&made, all)).unwrap();
        for (id, &(visits, eighths)) in tree.children(tree.root()).zip(steps) {
            tree.node(id).enter(0);
            tree.node(id).leave(eighths * tree::SCORE_ONE / 8 * i64::from(visits), visits, 0);
            // The turn is over, and so it has no step more.
            tree.expand(id, 0, &mut tree.slots(1), |_| (&[], 0)).unwrap();
        }
        let progress = Progress::new(&control, Instant::now(), None, u64::MAX);
        let context = Context {
            tree: &tree,
            table: &TranspositionTable::new(1 << 16),
            evaluator: &AsWritten::default(),
            parameters: &Parameters::default(),
            root: &Place::root(SPOTS, Side::White),
            seed: 0,
            turns: &[],
            multi_pv: 1,
        };
        Root { context: &context, progress: &progress }.comparison()
    }

    #[test]
    fn a_choice_is_clear_if_nothing_that_was_looked_at_fairly_is_better() {
        let clear = |steps: &[(u32, i64)]| compared(steps, true).clear;
        assert!(clear(&[(1_000, 4), (900, 4), (10, 2)]));
        assert!(clear(&[(1_000, 4), (900, 3), (10, 7)]));
        // A quarter of the visits is fair; so few decide nothing yet.
        assert!(!clear(&[(8, 4), (2, 5)]) && clear(&[(8, 4), (1, 5)]));
    }

    #[test]
    fn the_best_step_leads_by_its_visits_and_one_alone_is_forced() {
        let lead = |steps: &[(u32, i64)]| compared(steps, true).lead;
        assert_eq!(lead(&[(700, 4), (1_000, 5), (10, 2)]), 300);
        // Chosen for its mean, with fewer visits than another.
        assert_eq!(lead(&[(1_000, 4), (900, 6)]), 0);
        assert_eq!(lead(&[(1_000, 4)]), 1_000);
        assert!(compared(&[(5, 4)], true).forced);
        assert!(!compared(&[(5, 4)], false).forced && !compared(&[(5, 4), (1, 4)], true).forced);
        let nothing = compared(&[], true);
        assert!(!nothing.clear && !nothing.forced && nothing.lead == 0);
    }

    /// The value that `look` returns at White's root after `count` simulations of all turns, or of `turns`.
    fn searched<R>(
        evaluator: &AsWritten,
        spots: &'static [Spot],
        turns: &[&[u16]],
        count: usize,
        look: impl FnOnce(Root<'_, Place, AsWritten>) -> R,
    ) -> R {
        let (tree, control) = (Tree::new(1 << 20).unwrap(), Control::default());
        let context = Context {
            tree: &tree,
            table: &TranspositionTable::new(1 << 16),
            evaluator,
            parameters: &Parameters { tie_noise: 0.0, bundle_share: 0.0, ..Parameters::default() },
            root: &Place::root(spots, Side::White),
            seed: 0,
            turns: &turns.iter().map(|turn| turn.iter().map(|&step| To(step)).collect()).collect::<Vec<_>>(),
            multi_pv: 1,
        };
        let mut walker = Walker::new(tree.slots(1));
        (0..count).for_each(|_| assert!(context.simulate(&mut walker).is_ok()));
        context.unwind(&mut walker);
        look(Root { context: &context, progress: &Progress::new(&control, Instant::now(), None, u64::MAX) })
    }

    /// The steps of a line, turn by turn.
    fn steps(line: &Line<Place>) -> Vec<Vec<u16>> {
        line.turns.iter().map(|turn| turn.iter().map(|step| step.0).collect()).collect()
    }

    #[test]
    fn only_turns_that_were_searched_have_lines() {
        const TURNS: &[Spot] = &[open(4, &[1, 2, 3]), open(5, &[]), open(4, &[]), open(3, &[])];
        const HALVES: &[Spot] = &[open(4, &[1, 2]), half(6, &[3, 4]), half(0, &[3]), open(6, &[]), open(1, &[])];
        // The first simulation evaluates the root, the second its best turn.
        for (spots, first) in [(TURNS, vec![1]), (HALVES, vec![1, 3])] {
            let lines = searched(&AsWritten::default(), spots, &[], 2, |root| root.lines(9));
            assert_eq!(lines.iter().map(steps).collect::<Vec<_>>(), [[first]]);
            assert_eq!(lines[0].visits, 1);
        }
    }

    #[test]
    fn a_line_of_the_most_visited_turns_ends_where_nothing_was_searched() {
        const SPOTS: &[Spot] = &[open(4, &[1]), open(4, &[2, 3]), open(5, &[]), open(3, &[])];
        let line = |count| {
            searched(&AsWritten::default(), SPOTS, &[], count, |root| {
                let mut candidates = root.candidates(root.context.root, root.context.tree.root(), &[]);
                steps(&root.line(candidates.remove(0), false))
            })
        };
        assert_eq!(line(2), [[1]]);
        assert_eq!(line(3), [[1], [3]]);
        assert_eq!(line(200)[..3], [[1], [3], [3]]);
    }

    #[test]
    fn the_prior_of_a_turn_is_the_product_of_those_of_its_steps() {
        const SPOTS: &[Spot] =
            &[open(4, &[1, 2]), half(3, &[3, 4]), half(2, &[3, 4, 5]), open(4, &[]), open(4, &[]), open(4, &[])];
        let lines = searched(&AsWritten::default(), SPOTS, &[], 400, |root| {
            let lines = root.lines(9);
            for line in &lines {
                let mut node = root.context.tree.root();
                let priors = line.turns[0].iter().map(|step| {
                    let mut children = root.context.tree.children(node);
                    node = children.find(|&id| root.context.tree.node(id).step_code() == step.0).unwrap();
                    root.context.tree.node(node).prior()
                });
                assert_eq!(line.prior, Some(priors.product()));
            }
            lines
        });
        assert_eq!(lines.len(), 5);
        assert!((lines.iter().filter_map(|line| line.prior).sum::<f32>() - 1.0).abs() < 1e-2);
    }

    #[test]
    fn draws_are_as_likely_as_at_the_end_of_the_line_and_the_score_permits() {
        const BAD: &[Spot] = &[open(4, &[1]), open(1, &[])];
        const EVEN: &[Spot] = &[open(4, &[1]), open(4, &[])];
        const GOOD: &[Spot] = &[open(4, &[1]), open(7, &[])];
        // Black chooses the draw.
        const DRAWN: &[Spot] = &[open(4, &[1]), open(4, &[2, 3]), over(Outcome::Draw), open(6, &[])];
        let evaluator = AsWritten { draws: 0.6, ..AsWritten::default() };
        for (spots, count, depth, score, draw) in
            [(BAD, 2, 1, 0.125, 0.25), (EVEN, 2, 1, 0.5, 0.6), (GOOD, 2, 1, 0.875, 0.25), (DRAWN, 40, 2, 0.5, 1.0)]
        {
            let (line, root) = searched(&evaluator, spots, &[], count, |root| {
                let lines = root.lines(1);
                (lines[0].clone(), root.score(&lines))
            });
            assert_eq!((line.score, line.turns.len()), (Score::Estimate { score, draw }, depth));
            assert_eq!(root, line.score);
        }
    }

    #[test]
    fn a_root_with_a_draw_in_hand_and_a_turn_that_loses_say_so() {
        const DRAWN: &[Spot] = &[open(1, &[1, 2]), over(Outcome::Draw), open(2, &[])];
        // Only the turn after which Black wins is asked for, and not all steps are made yet.
        const LOST: &[Spot] = &[
            open(4, &[1, 2, 3, 4, 5, 6, 7]),
            open(7, &[8]),
            open(1, &[]),
            open(1, &[]),
            open(1, &[]),
            open(1, &[]),
            open(1, &[]),
            open(1, &[]),
            over(BLACK_WINS),
        ];
        let asked: &[&[u16]] = &[&[1]];
        for (spots, turns, count, line, root) in [
            (DRAWN, &[][..], 20, Score::Draw, Score::DRAW_IN_HAND),
            (LOST, asked, 3, Score::Loss { plies: 2 }, Score::Loss { plies: 2 }),
        ] {
            searched(&AsWritten::default(), spots, turns, count, |look| {
                let lines = look.lines(1);
                assert_eq!((lines[0].score, look.score(&lines)), (line, root));
            });
        }
    }

    #[test]
    fn without_a_search_the_policy_and_what_the_evaluation_knows_choose_the_turn() {
        const TURNS: &[Spot] = &[open(4, &[1, 2, 3]), open(7, &[]), open(5, &[]), open(3, &[])];
        let line = |known: &'static [(usize, Outcome)], spots, turns: &[&[u16]]| {
            let evaluator = AsWritten { known, ..AsWritten::default() };
            let (line, root) = searched(&evaluator, spots, turns, 0, |root| {
                let lines = root.lines(1);
                (lines[0].clone(), root.score(&lines))
            });
            // Without a win or turns that were asked for, the root is worth what its own evaluation says.
            let is_of_line = matches!(line.score, Score::Win { .. }) || !turns.is_empty();
            let own = Score::evaluated(evaluator.evaluate(&Place::root(spots, Side::White)), 0, Side::White);
            assert_eq!(root, if is_of_line { line.score } else { own });
            assert!(line.visits == 0 && line.prior.is_none() && line.turns.len() == 1);
            (steps(&line).remove(0), line.score)
        };
        let of_turns = |known| line(known, TURNS, &[]);
        let estimate = |eighths: f32| Score::Estimate { score: eighths / 8.0, draw: 0.0 };
        let (win, loss) = (Score::Win { plies: 1 }, Score::Loss { plies: 1 });
        assert_eq!(of_turns(&[]), (vec![1], estimate(7.0)));
        assert_eq!(of_turns(&[(1, BLACK_WINS)]), (vec![2], estimate(5.0)));
        assert_eq!(of_turns(&[(1, BLACK_WINS), (2, WHITE_WINS)]), (vec![2], win));
        assert_eq!(of_turns(&[(1, BLACK_WINS), (2, BLACK_WINS), (3, BLACK_WINS)]), (vec![1], loss));
        // Where the root is won, a winning turn is looked for even among those that the policy does not propose.
        const MANY: &[Spot] = &[
            open(4, &[1, 2, 3, 4, 5, 6, 7, 8]),
            open(7, &[]),
            open(6, &[]),
            open(6, &[]),
            open(6, &[]),
            open(6, &[]),
            open(6, &[]),
            open(1, &[]),
            open(1, &[]),
        ];
        assert_eq!(line(&[(0, WHITE_WINS), (8, WHITE_WINS)], MANY, &[]), (vec![8], win));
        assert_eq!(line(&[(0, BLACK_WINS), (8, WHITE_WINS)], MANY, &[]), (vec![1], estimate(7.0)));
        assert_eq!(line(&[(8, WHITE_WINS)], MANY, &[]), (vec![1], estimate(7.0)));
        const HALVES: &[Spot] = &[
            open(4, &[1, 2]),
            half(6, &[3, 4]),
            half(2, &[5, 6]),
            open(6, &[]),
            open(5, &[]),
            open(2, &[]),
            open(1, &[]),
        ];
        assert_eq!(line(&[], HALVES, &[]).0, [1, 3]);
        assert_eq!(line(&[(3, BLACK_WINS)], HALVES, &[]).0, [1, 4]);
        assert_eq!(line(&[(3, BLACK_WINS), (4, BLACK_WINS)], HALVES, &[]).0, [2, 5]);
        // Turns that were asked for have the order in which they were given.
        let asked: &[&[u16]] = &[&[3], &[2]];
        assert_eq!(line(&[], TURNS, asked), (vec![3], estimate(3.0)));
        assert_eq!(line(&[(3, BLACK_WINS)], TURNS, asked), (vec![2], estimate(5.0)));
        assert_eq!(line(&[(3, BLACK_WINS), (2, BLACK_WINS)], TURNS, asked), (vec![3], loss));
    }

    #[test]
    fn what_the_search_has_proven_to_lose_is_not_chosen_unsearched() {
        // Black wins after the six steps that the policy likes.
        const SPOTS: &[Spot] = &[
            open(4, &[1, 2, 3, 4, 5, 6, 7, 8]),
            open(7, &[9]),
            open(7, &[9]),
            open(7, &[9]),
            open(7, &[9]),
            open(7, &[9]),
            open(7, &[9]),
            open(1, &[]),
            open(1, &[]),
            over(BLACK_WINS),
        ];
        let asked: &[&[u16]] = &[&[1], &[8]];
        for turns in [&[], asked] {
            let mut unsearched = 0;
            for count in 0..40 {
                searched(&AsWritten::default(), SPOTS, turns, count, |root| {
                    let line = root.lines(1).remove(0);
                    let tree = root.context.tree;
                    let children = || tree.children(tree.root()).map(|id| tree.node(id));
                    let mut chosen = children().filter(|child| child.step_code() == line.turns[0][0].0);
                    assert!(chosen.all(|child| child.proven().is_none()), "{count}");
                    unsearched += u32::from(count > 1 && line.visits == 0);
                });
            }
            assert!(unsearched > 0);
        }
    }

    #[test]
    fn what_is_left_out_would_not_have_come_first() {
        let fen = "1q2q1/q4q/1Q*3/6/Q4Q/4Q1 b - - 0 1";
        let position = Amazons::from_fen(&variant::find("amazons6").unwrap(), fen).unwrap();
        let (control, evaluator) = (Control::default(), AmazonsEvaluator::default());
        let progress = Progress::new(&control, Instant::now(), None, 50_000);
        let context = Context {
            tree: &Tree::new(28 << 20).unwrap(),
            table: &TranspositionTable::new(4 << 20),
            evaluator: &evaluator,
            parameters: &Parameters::default(),
            root: &position,
            seed: 0,
            turns: &[],
            multi_pv: 1,
        };
        work(&context, &progress, 1, || true);
        let root = Root { context: &context, progress: &progress };
        let mut waiting = vec![(position, context.tree.root())];
        let (mut compared, mut fewer) = (0, 0);
        while let Some((position, node)) = waiting.pop() {
            let mut all = root.candidates(&position, node, &[]);
            sort(&mut all, position.side_to_move(), context.parameters);
            let best = root.best(&position, node);
            assert_eq!(all.first().map(|first| first.node), best.map(|best| best.node), "{}", position.fen());
            compared += u32::from(!all.is_empty());
            let least = context.parameters.final_share * root.most_visits(&position, node) as f32;
            fewer += u32::from(all.iter().any(|other| (other.visits as f32) < least));
            for candidate in all {
                let mut after = position;
                candidate.turn.iter().for_each(|&step| after.play(step));
                waiting.push((after, candidate.node));
            }
        }
        assert!(compared > 1_000 && fewer > 100, "{fewer} of {compared}");
    }
}
