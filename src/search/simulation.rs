//! One simulation: down the tree by PUCT, an evaluation at the leaf, and back up.

use super::ranking::{Noise, Ranking};
use super::table::{Knowledge, TranspositionTable};
use super::tree::{Full, Node, NodeId, SCORE_ONE, Slots, Tree, to_fixed};
use crate::endgame::Proof;
use crate::eval::{Evaluation, Evaluator, Leaf, Parameters, Value};
use crate::games::{Outcome, Position, Side, Step, Steps};
use std::convert::Infallible;

/// The context that all simulations of a search share.
pub(super) struct Context<'a, P: Position, E> {
    pub tree: &'a Tree,
    pub table: &'a TranspositionTable,
    pub evaluator: &'a E,
    pub parameters: &'a Parameters,
    pub root: &'a P,
    pub seed: u64,
    /// Search only these turns from the root; all if empty.
    pub turns: &'a [Steps<P>],
    /// Lines to report.
    pub multi_pv: usize,
}

/// One node on the way down, with the results from below it that are not in the tree yet.
struct Visit<P> {
    node: NodeId,
    position: P,
    /// Whole turns from the root to here.
    turns: u32,
    /// Simulations that may still pass before the walker goes back above this node.
    left: u32,
    /// Simulations that the node counts as in flight for this visit.
    announced: u32,
    /// Sum of White's scores over the simulations that have passed, and their number.
    sum: i64,
    passed: u32,
}

/// The nodes on a way down from the root.
pub(super) struct Path<P>(Vec<Visit<P>>);

/// A worker's way down the tree and its buffers, kept from simulation to simulation.
pub(super) struct Walker<P: Position> {
    path: Vec<Visit<P>>,
    ranking: Ranking<P>,
    slots: Slots,
    /// Turns on the longest way down so far.
    pub deepest: u32,
    /// Simulations that ended in exact knowledge.
    exact_hits: u64,
    /// Positions evaluated, and simulations that did without thanks to exact or shared knowledge.
    evaluated: u64,
}

impl<P: Position> Walker<P> {
    /// A walker that makes its nodes in `slots`.
    pub fn new(slots: Slots) -> Self {
        Self { path: Vec::new(), ranking: Ranking::new(), slots, deepest: 0, exact_hits: 0, evaluated: 0 }
    }

    /// Nodes since the last call.
    pub fn take_nodes(&mut self) -> u64 {
        self.ranking.take_evaluated() + std::mem::take(&mut self.evaluated)
    }

    /// Simulations that ended in exact knowledge since the last call.
    pub fn take_exact_hits(&mut self) -> u64 {
        std::mem::take(&mut self.exact_hits)
    }

    /// Takes the way down out of the walker, so that it begins another one; `spare` gives its memory.
    pub fn set_aside(&mut self, spare: Path<P>) -> Path<P> {
        Path(std::mem::replace(&mut self.path, spare.0))
    }

    /// Goes on with a way down that was set aside; returns memory for the next.
    pub fn go_on_with(&mut self, path: Path<P>) -> Path<P> {
        Path(std::mem::replace(&mut self.path, path.0))
    }

    /// The position at the end of the way down.
    pub fn position(&self) -> Option<&P> {
        self.path.last().map(|visit| &visit.position)
    }

    /// A simulation ends in exact knowledge.
    fn hit(&mut self) {
        self.exact_hits += 1;
        self.evaluated += 1;
    }
}

/// How a simulation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    /// With a value.
    Counted,
    /// Every step from the root is proven: nothing is left to simulate.
    Settled,
}

/// How a way down ended for an evaluator of batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Descent {
    /// At a leaf that must be evaluated.
    Leaf,
    /// At a leaf that another simulation waits for.
    Taken,
    /// The simulation is over.
    Done(Done),
}

impl<P> Default for Path<P> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// The numbers, beside those of a child, on which its PUCT score depends.
struct Weights {
    side: Side,
    exploration: f32,
    /// Value of an unvisited child.
    unvisited: f32,
}

/// The outcome of a look at the children made so far.
struct Found {
    best: Option<NodeId>,
    score: f32,
    /// Number of children looked at, and the last one's prior.
    seen: usize,
    last_prior: f32,
    /// No child that does not exist yet can be better.
    settled: bool,
}

/// The result of [`Context::choose`].
enum Choice {
    Child(NodeId),
    /// All children are proven.
    Settled,
}

impl<P: Position, E: Evaluator<P>> Context<'_, P, E> {
    /// Runs one simulation. [`Full`]: memory must be recycled first, or counters halved; nothing was counted.
    ///
    /// Simulations come in bundles. One more visit to a node with many visits changes little, so several simulations
    /// pass such a node before the walker goes back above it and adds all of them at once. This saves most of the
    /// choices near the root, and threads take the busiest nodes out of each other's caches less often. At the end,
    /// call [`Context::unwind`].
    pub fn simulate(&self, walker: &mut Walker<P>) -> Result<Done, Full> {
        let done = self.go_down(walker, |is_root, walker| {
            // Nothing is evaluated in the middle of a turn: its value is that of the best step to go on with.
            let evaluated = walker.position().is_some_and(P::at_turn_start);
            evaluated.then(|| Ok::<_, Infallible>(self.evaluate_leaf(is_root, walker)))
        })?;
        let Ok(done) = done;
        Ok(done)
    }

    /// Goes down to a leaf for an evaluator of batches. The walker stays there, to be set aside, unless the simulation
    /// is over. [`Full`]: memory must be recycled first, or counters halved; nothing was counted.
    pub fn descend(&self, walker: &mut Walker<P>) -> Result<Descent, Full> {
        let done = self.go_down(walker, |is_root, walker| {
            let visit = walker.path.last()?;
            Some(if self.tree.node(visit.node).in_flight() > visit.announced {
                Err(Descent::Taken)
            } else {
                self.certain(is_root, walker).map(|proof| Value::of(proof.outcome).white).ok_or(Descent::Leaf)
            })
        })?;
        Ok(done.map_or_else(|descent| descent, Descent::Done))
    }

    /// One way down, and back up with White's score, unless `arrive` ends it: it is called at each node that is visited
    /// for the first time, with whether that is the root, and answers with White's score, with a reason to stay there,
    /// or with nothing to go further down.
    #[inline(always)]
    fn go_down<Stay>(
        &self,
        walker: &mut Walker<P>,
        arrive: impl Fn(bool, &mut Walker<P>) -> Option<Result<f32, Stay>>,
    ) -> Result<Result<Done, Stay>, Full> {
        if walker.path.is_empty() {
            if self.tree.is_worn() {
                return Err(Full);
            }
            self.enter(self.tree.root(), self.root.clone(), 0, walker);
        }
        let mut arrived = walker.path.len() == 1 && walker.path.iter().all(|visit| visit.passed == 0);
        let score = loop {
            let is_root = walker.path.len() == 1;
            let Some(visit) = walker.path.last() else { return Ok(Ok(Done::Settled)) };
            if arrived {
                let here = self.tree.node(visit.node);
                let (is_first, proof) = here.arrival();
                if !is_root && let Some(proof) = proof {
                    here.take_evaluated();
                    walker.hit();
                    break Value::of(proof.outcome).white;
                }
                match if is_first { arrive(is_root, walker) } else { None } {
                    Some(Ok(score)) => break score,
                    Some(Err(stay)) => return Ok(Err(stay)),
                    None => {}
                }
            }
            match self.choose(walker) {
                Ok(Choice::Child(child)) => {
                    self.enter_child(child, walker);
                    arrived = true;
                }
                Ok(Choice::Settled) if is_root => {
                    self.unwind(walker);
                    return Ok(Ok(Done::Settled));
                }
                Ok(Choice::Settled) => break self.settle(walker),
                Err(Full) => {
                    self.unwind(walker);
                    return Err(Full);
                }
            }
        };
        self.back_up(walker, score);
        Ok(Ok(Done::Counted))
    }

    /// Takes the evaluation of the leaf where the walker stands: makes its children and carries its value back up.
    /// [`Full`]: the children do not all have a place in the tree; the value counts.
    pub fn take(&self, walker: &mut Walker<P>, leaf: &mut Leaf<P>) -> Result<(), Full> {
        let Walker { path, ranking, slots, .. } = walker;
        let Some(visit) = path.last() else { return Ok(()) };
        let temperature = self.evaluator.policy_temperature();
        let candidates = ranking.of_leaf(self.parameters, temperature, &self.noise(visit), leaf);
        let (mut made, mut room) = (0, Ok(()));
        while made < candidates.len() && room.is_ok() {
            let end = |count: usize| candidates.len().min(made + count);
            let mut next = made;
            room = self.tree.expand(visit.node, made, slots, |count| {
                next = end(count);
                (&candidates[made..next], candidates.len())
            });
            // Another thread has made them.
            made = if next == made { candidates.len() } else { next };
        }
        let is_certain_root = path.len() == 1 && visit.position.at_turn_start();
        let known = is_certain_root.then(|| self.evaluator.oracle().result(&visit.position)).flatten();
        let value = known.map_or(leaf.value, |proof| Value::of(proof.outcome));
        walker.evaluated += 1;
        self.back_up(walker, value.white);
        room
    }

    /// The result of the node where the walker stands, if it needs no evaluation: it is proven then. At the root we
    /// want to know how to play, not only the result.
    fn certain(&self, is_root: bool, walker: &mut Walker<P>) -> Option<Proof> {
        let Visit { node, position, .. } = walker.path.last()?;
        if is_root || !position.at_turn_start() {
            return None;
        }
        let known = || match self.table.get(position.key()) {
            Some(Knowledge::Proven(proof)) if position.forgets_history() => Some(proof),
            _ => self.evaluator.oracle().result(position),
        };
        let proof = match position.outcome() {
            Some(outcome) => Proof { outcome, plies: 0 },
            None => known()?,
        };
        self.tree.node(*node).prove(proof);
        walker.hit();
        Some(proof)
    }

    /// Goes down to a child of the node where the walker stands.
    fn enter_child(&self, child: NodeId, walker: &mut Walker<P>) {
        let Some(visit) = walker.path.last() else { return };
        let mut position = visit.position.clone();
        position.play(P::Step::from_code(self.tree.node(child).step_code()));
        let turns = visit.turns + u32::from(position.at_turn_start());
        self.enter(child, position, turns, walker);
    }

    /// Goes down to a node, and adds the simulations of the bundle to those in flight.
    fn enter(&self, id: NodeId, position: P, turns: u32, walker: &mut Walker<P>) {
        let node = self.tree.node(id);
        let left = self.parameters.bundle(node.visits());
        node.enter(left);
        walker.deepest = walker.deepest.max(turns);
        walker.path.push(Visit { node: id, position, turns, left, announced: left, sum: 0, passed: 0 });
    }

    /// White's score of a node on its first visit; sets its proof if there is one.
    fn evaluate_leaf(&self, is_root: bool, walker: &mut Walker<P>) -> f32 {
        let Some(Visit { node, position, .. }) = walker.path.last() else { return 0.5 };
        let (node, position) = (*node, position.clone());
        let shared = position.at_turn_start() && position.forgets_history() && !is_root;
        // Taken in any case: else it would count in addition to the score of this visit.
        let evaluated = self.tree.node(node).take_evaluated();
        let settle = |proof: Proof| {
            self.tree.node(node).prove(proof);
            Value::of(proof.outcome).white
        };
        if position.at_turn_start()
            && !is_root
            && let Some(outcome) = position.outcome()
        {
            walker.hit();
            return settle(Proof { outcome, plies: 0 });
        }
        if shared {
            match self.table.get(position.key()) {
                Some(Knowledge::Proven(proof)) => {
                    walker.hit();
                    return settle(proof);
                }
                Some(Knowledge::Mean { white, .. }) => {
                    walker.evaluated += 1;
                    return white;
                }
                None => {}
            }
        }
        if let Some(white) = evaluated {
            return self.evaluator.refine(&position, white);
        }
        walker.evaluated += 1;
        match self.evaluator.evaluate(&position) {
            Evaluation::Estimate(value) => value.white,
            // At the root we want to know how to play, not only the result.
            Evaluation::Exact(proof) if is_root => Value::of(proof.outcome).white,
            Evaluation::Exact(proof) => {
                walker.exact_hits += 1;
                if shared {
                    self.table.put(position.key(), Knowledge::Proven(proof));
                }
                settle(proof)
            }
        }
    }

    /// White's score of an inner node without an open child: all its children are proven, so it is proven as well.
    fn settle(&self, walker: &mut Walker<P>) -> f32 {
        walker.hit();
        let Some(visit) = walker.path.last() else { return 0.5 };
        let step = self.tree.children(visit.node).next().map(|id| P::Step::from_code(self.tree.node(id).step_code()));
        let turn_ends = step.is_some_and(|step| visit.position.after(step).at_turn_start());
        match self.prove_from_children(visit.node, &visit.position, &walker.path[1..], turn_ends) {
            Some(proof) => {
                self.tree.node(visit.node).prove(proof);
                Value::of(proof.outcome).white
            }
            // None of the turns to search passes through here.
            None => 0.5,
        }
    }

    /// Whether more than one line is wanted: then a turn with a proven result does not end the search for others.
    pub fn wants_many_lines(&self) -> bool {
        self.multi_pv > 1
    }

    /// Whether a turn to search begins with `played` and then `step`.
    fn allowed(&self, played: &[Visit<P>], step: u16) -> bool {
        let codes = |turn: &Steps<P>| turn.iter().map(|step| step.code()).collect::<Vec<_>>();
        let begin: Vec<_> = played.iter().map(|visit| self.tree.node(visit.node).step_code()).chain([step]).collect();
        self.turns.is_empty() || self.turns.iter().any(|turn| codes(turn).starts_with(&begin))
    }

    /// The child with the highest PUCT score (Rosin 2011; Silver et al. 2017): mean + c · prior · √visits / (1 +
    /// visits of the child). Makes more children as long as one that does not exist yet could have a higher score.
    fn choose(&self, walker: &mut Walker<P>) -> Result<Choice, Full> {
        let Walker { path, ranking, slots, .. } = walker;
        let Some(visit) = path.last() else { return Ok(Choice::Settled) };
        let node = visit.node;
        self.tree.with_children(node, slots)?;
        let here = self.tree.node(node);
        let side = visit.position.side_to_move();
        let many_lines = self.wants_many_lines();
        let special = visit.turns == 0 && (many_lines || !self.turns.is_empty());
        let done = here.visits() + visit.passed;
        // This visit's own simulations do not count as in flight.
        let visits = (done + here.in_flight().saturating_sub(visit.announced)) as f32;
        let mut exploration = self.parameters.exploration(visits, path.len() == 1) * visits.max(1.0).sqrt();
        if !visit.position.at_turn_start() {
            exploration *= self.parameters.last_step_exploration;
        }
        let mean = if done == 0 { 0.5 } else { here.mean_for(side, visit.sum, visit.passed) };
        let weights = Weights { side, exploration, unvisited: mean - self.parameters.first_play_reduction };
        loop {
            let complete = here.complete();
            let found = if special {
                let allowed = |child: &Node| self.allowed(&path[1..], child.step_code());
                self.scan(node, &weights, |child| allowed(child) && !(many_lines && child.proven().is_some()))
            } else {
                self.scan(node, &weights, |_| true)
            };
            let could_be_better = || weights.unvisited + exploration * found.last_prior > found.score;
            if !found.settled && !complete && could_be_better() {
                self.make_children(node, &found, visit, ranking, slots)?;
                continue;
            }
            return Ok(found.best.map_or(Choice::Settled, Choice::Child));
        }
    }

    /// Compares the children made so far, without those that `may` excludes and without proven losses. Proven draws
    /// are left out, too: nothing is to be learned from them, and [`Context::leave`] makes them the least that the
    /// node is worth. The hottest loop of all.
    #[inline(always)]
    fn scan(&self, node: NodeId, weights: &Weights, may: impl Fn(&Node) -> bool) -> Found {
        let Weights { side, exploration, unvisited } = *weights;
        // The mean of `side`: White's, or 1 − White's.
        let (base, sign) = if side == Side::White { (0.0, 1.0) } else { (1.0, -1.0) };
        let (score_unit, prior_unit) = (sign / SCORE_ONE as f32, exploration / Node::PRIOR_UNIT);
        let mut found = Found { best: None, score: f32::NEG_INFINITY, seen: 0, last_prior: 1.0, settled: false };
        for (first, chunk) in self.tree.chunks(node) {
            let (mut best, mut best_score) = (u32::MAX, found.score);
            for (id, child) in (first..).zip(chunk) {
                if !may(child) {
                    continue;
                }
                match child.proven() {
                    Some(outcome) if outcome == Outcome::Win(side) => {
                        return Found { best: Some(id), settled: true, ..found };
                    }
                    Some(_) => continue,
                    None => {}
                }
                let (sum, done, under_way) = child.counts();
                let evaluated = done == 0 && child.evaluated().is_some();
                let mean = if done > 0 || evaluated { base + score_unit * sum / done.max(1) as f32 } else { unvisited };
                let score = mean + prior_unit * child.raw_prior() / (1 + done + under_way) as f32;
                (best, best_score) = if score > best_score { (id, score) } else { (best, best_score) };
                if done + under_way == 0 && !evaluated {
                    // The priors fall: no later child is better, whether it is made or not.
                    let best = if best == u32::MAX { found.best } else { Some(best) };
                    return Found { best, settled: true, ..found };
                }
            }
            if best != u32::MAX {
                (found.best, found.score) = (Some(best), best_score);
            }
            found.seen += chunk.len();
            found.last_prior = chunk.last().map_or(0.0, Node::prior);
        }
        found
    }

    /// Makes the next chunk of children after those in `found`.
    fn make_children(
        &self,
        node: NodeId,
        found: &Found,
        visit: &Visit<P>,
        ranking: &mut Ranking<P>,
        slots: &mut Slots,
    ) -> Result<(), Full> {
        let Self { evaluator, parameters, .. } = *self;
        let noise = self.noise(visit);
        let position = &visit.position;
        let made = (found.seen, found.last_prior);
        self.tree
            .expand(node, found.seen, slots, |count| ranking.best(evaluator, parameters, &noise, position, made, count))
    }

    /// The noise on the steps of a node: that of the first turn's is set by the parameters.
    fn noise(&self, visit: &Visit<P>) -> Noise {
        Noise { seed: self.seed, gumbel: if visit.turns == 0 { self.parameters.root_noise } else { 0.0 } }
    }

    /// Whether results for a position may go into the table.
    fn may_share(&self, position: &P, is_root: bool) -> bool {
        position.at_turn_start() && position.forgets_history() && (!is_root || self.turns.is_empty())
    }

    /// Adds all pending results to the nodes on the way, and leaves it.
    pub fn unwind(&self, walker: &mut Walker<P>) {
        while !walker.path.is_empty() {
            self.leave(walker);
        }
    }

    /// Adds the pending results to the last node on the way, and goes back above it.
    fn leave(&self, walker: &mut Walker<P>) {
        let Some(Visit { node, position, announced, sum, passed, .. }) = walker.path.pop() else { return };
        let is_root = walker.path.is_empty();
        let node = self.tree.node(node);
        node.leave(sum, passed, announced);
        let visits = node.visits();
        // An evaluator of batches takes proofs alone from the table.
        let is_read = self.evaluator.batch().is_none();
        let shared = is_read && self.may_share(&position, is_root) && node.proof().is_none();
        // A mean is shared when visits pass a power of two: it is worth it from two visits on, but not at every visit.
        if shared && visits >= 2 && visits.ilog2() > visits.saturating_sub(passed).max(1).ilog2() {
            self.table.put(position.key(), Knowledge::Mean { white: node.white_mean(), visits });
        }
        if let Some(above) = walker.path.last_mut() {
            let floor = SCORE_ONE / 2 * i64::from(passed);
            above.sum += match (self.tree.node(above.node).draw_in_hand(), above.position.side_to_move()) {
                (false, _) => sum,
                (true, Side::White) => sum.max(floor),
                (true, Side::Black) => sum.min(floor),
            };
            above.passed += passed;
            above.left = above.left.saturating_sub(passed);
        }
    }

    /// Adds White's score to the last node on the way. Then goes back up, above all nodes whose bundles are complete
    /// and all that get proven.
    fn back_up(&self, walker: &mut Walker<P>, score: f32) {
        let score = to_fixed(score);
        if let Some(leaf) = walker.path.last_mut() {
            leaf.sum += score;
            leaf.passed += 1;
            leaf.left = leaf.left.saturating_sub(1);
        }
        // If the node below is proven: whether the step to it ended a turn, and its result.
        let mut below: Option<(bool, Outcome)> = None;
        while let Some(index) = walker.path.len().checked_sub(1) {
            let visit = &walker.path[index];
            let node = self.tree.node(visit.node);
            let (at_turn_start, left) = (visit.position.at_turn_start(), visit.left);
            let shared = self.may_share(&visit.position, index == 0);
            if let Some((turn_ended, outcome)) = below.take() {
                let way = &walker.path[1..=index];
                if let Some(found) = self.prove_from_children(visit.node, &visit.position, way, turn_ended) {
                    node.prove(found);
                    if shared {
                        self.table.put(visit.position.key(), Knowledge::Proven(found));
                    }
                    // The proof replaces the estimates of this visit.
                    let visit = &mut walker.path[index];
                    visit.sum = to_fixed(Value::of(found.outcome).white) * i64::from(visit.passed);
                } else if outcome == Outcome::Draw {
                    node.set_draw_in_hand();
                }
            }
            let proven = node.proven();
            if left > 0 && proven.is_none() {
                break;
            }
            below = proven.map(|outcome| (at_turn_start, outcome));
            self.leave(walker);
        }
    }

    /// The proven result of the root, or of the turns to search. A root that was carried over from an earlier search
    /// has forgotten its proof, but its children may have theirs.
    pub fn root_proof(&self) -> Option<Proof> {
        let (tree, root) = (self.tree, self.tree.root());
        tree.node(root).proof().or_else(|| {
            let step = P::Step::from_code(tree.node(tree.children(root).next()?).step_code());
            self.prove_from_children(root, self.root, &[], self.root.after(step).at_turn_start())
        })
    }

    /// The result of a node, if the results of its children decide it. `way` leads there from below the root.
    /// `turn_ended`: the step to a child ends a turn.
    fn prove_from_children(&self, node: NodeId, position: &P, way: &[Visit<P>], turn_ended: bool) -> Option<Proof> {
        let side = position.side_to_move();
        let winning = Outcome::Win(side);
        let in_first_turn = way.last().is_none_or(|visit| visit.turns == 0);
        let filtered = !self.turns.is_empty() && in_first_turn;
        let mut all_proven = self.tree.node(node).complete();
        let (mut win, mut draw, mut loss): (Option<u8>, Option<u8>, Option<u8>) = (None, None, None);
        for id in self.tree.children(node) {
            let child = self.tree.node(id);
            if filtered && !self.allowed(way, child.step_code()) {
                continue;
            }
            let Some(proof) = child.proof() else {
                all_proven = false;
                continue;
            };
            let plies = proof.plies.saturating_add(u8::from(turn_ended));
            if proof.outcome == winning {
                win = Some(win.map_or(plies, |best| best.min(plies)));
            } else if proof.outcome == Outcome::Draw {
                draw = Some(draw.map_or(plies, |best| best.max(plies)));
            } else {
                loss = Some(loss.map_or(plies, |best| best.max(plies)));
            }
        }
        let found = |outcome| move |plies| Proof { outcome, plies };
        let at_worst = || draw.map(found(Outcome::Draw)).or(loss.map(found(Outcome::Win(!side))));
        win.map(found(winning)).or_else(|| if all_proven { at_worst() } else { None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::written::{AsWritten, BLACK_WINS, Place, Spot, To, WHITE_WINS, half, open, over};

    /// The tree after some simulations.
    struct Searched {
        tree: Tree,
        /// How each simulation ended.
        done: Vec<Done>,
        /// Positions evaluated.
        nodes: u64,
        exact_hits: u64,
        deepest: u32,
    }

    impl Searched {
        fn new(root: &Place, parameters: &Parameters, count: usize) -> Self {
            Self::by(&AsWritten::default(), root, parameters, count)
        }

        fn by(evaluator: &AsWritten, root: &Place, parameters: &Parameters, count: usize) -> Self {
            let (tree, table) = (Tree::new(1 << 20).unwrap(), TranspositionTable::new(1 << 16));
            let context =
                Context { tree: &tree, table: &table, evaluator, parameters, root, seed: 0, turns: &[], multi_pv: 1 };
            let mut walker = Walker::new(tree.slots(1));
            let done = (0..count).map(|_| context.simulate(&mut walker).unwrap()).collect();
            context.unwind(&mut walker);
            let (nodes, exact_hits, deepest) = (walker.take_nodes(), walker.take_exact_hits(), walker.deepest);
            Self { tree, done, nodes, exact_hits, deepest }
        }

        /// The node after `steps` from the root.
        fn node(&self, steps: &[u16]) -> &Node {
            let child = |node, step: &u16| self.tree.children(node).find(|&id| self.tree.node(id).step_code() == *step);
            self.tree.node(steps.iter().try_fold(self.tree.root(), child).unwrap())
        }

        /// Visits after `steps`, and White's scores summed, in eighths.
        fn visits_and_eighths(&self, steps: &[u16]) -> (u32, f32) {
            let (sum, visits, _) = self.node(steps).counts();
            (visits, sum / SCORE_ONE as f32 * 8.0)
        }
    }

    /// A search of `root` on which tests may play another thread: what it proves and what it has under way.
    fn shared<R>(
        root: &Place,
        parameters: &Parameters,
        turns: &[Steps<Place>],
        work: impl FnOnce(&Context<'_, Place, AsWritten>, &mut dyn FnMut(usize) -> Done) -> R,
    ) -> R {
        let (tree, table) = (Tree::new(1 << 20).unwrap(), TranspositionTable::new(1 << 16));
        let evaluator = &AsWritten::default();
        let context = Context { tree: &tree, table: &table, evaluator, parameters, root, seed: 0, turns, multi_pv: 1 };
        let mut walker = Walker::new(tree.slots(1));
        work(&context, &mut |count| {
            let done = (0..count).map(|_| context.simulate(&mut walker).unwrap()).last().unwrap();
            context.unwind(&mut walker);
            done
        })
    }

    /// The node after `steps` from the root.
    fn node_of<'t>(tree: &'t Tree, steps: &[u16]) -> &'t Node {
        let child = |node, step: &u16| tree.children(node).find(|&id| tree.node(id).step_code() == *step);
        tree.node(steps.iter().try_fold(tree.root(), child).unwrap())
    }

    #[test]
    fn the_first_simulation_evaluates_the_root_and_the_second_its_best_child() {
        const SPOTS: &[Spot] = &[open(4, &[1, 2, 3]), open(3, &[]), open(6, &[]), open(1, &[])];
        for (side, best) in [(Side::White, 2), (Side::Black, 3)] {
            let root = Place::root(SPOTS, side);
            let first = Searched::new(&root, &Parameters::default(), 1);
            assert_eq!((first.visits_and_eighths(&[]), first.nodes, first.deepest), ((1, 4.0), 1, 0));
            assert_eq!(first.tree.children(first.tree.root()).count(), 0);
            let second = Searched::new(&root, &Parameters::default(), 2);
            let score = f32::from(SPOTS[usize::from(best)].eighths);
            // Its children were evaluated for their priors, so the visit evaluates nothing.
            assert_eq!((second.visits_and_eighths(&[]), second.nodes, second.deepest), ((2, 4.0 + score), 4, 1));
            assert_eq!(second.visits_and_eighths(&[best]), (1, score));
            assert!((1..4).all(|step| step == best || second.node(&[step]).visits() == 0));
            let priors = (1..4).map(|step| second.node(&[step]).prior());
            assert_eq!(priors.clone().fold(0.0, f32::max), second.node(&[best]).prior());
            assert!((priors.sum::<f32>() - 1.0).abs() < 1e-3);
        }
    }

    #[test]
    fn a_leaf_has_its_refined_value() {
        const SPOTS: &[Spot] = &[open(4, &[1, 2]), open(6, &[]), open(2, &[])];
        let evaluator = AsWritten { lacks: 1.0 / 8.0, ..AsWritten::default() };
        let searched = Searched::by(&evaluator, &Place::root(SPOTS, Side::White), &Parameters::default(), 40);
        for steps in [&[1][..], &[1, 1], &[1, 1, 1]] {
            let (visits, eighths) = searched.visits_and_eighths(steps);
            assert!((eighths - 6.0 * visits as f32).abs() < 1e-3, "{steps:?}: {eighths} in {visits} visits");
        }
    }

    #[test]
    fn children_are_chosen_by_mean_and_exploration() {
        // Three steps of the side that decides, at the root and one turn below it.
        const AT_ROOT: &[Spot] = &[open(4, &[1, 2, 3]), open(4, &[]), open(5, &[]), open(3, &[])];
        const BELOW: &[Spot] = &[open(4, &[1]), open(4, &[2, 3, 4]), open(4, &[]), open(5, &[]), open(3, &[])];
        let parameters = Parameters {
            c_puct: 0.9,
            c_puct_growth: 0.0,
            c_puct_root: 0.7,
            evaluation_sharpness: 4.0,
            bundle_share: 0.0,
            ..Parameters::default()
        };
        for (spots, way, weight) in [(AT_ROOT, &[][..], 0.7), (BELOW, &[1][..], 0.9)] {
            let side = if way.is_empty() { Side::White } else { Side::Black };
            let searched = Searched::new(&Place::root(spots, Side::White), &parameters, 400);
            let spot = usize::from(way.last().copied().unwrap_or(0));
            let steps: Vec<Vec<u16>> = spots[spot].steps.iter().map(|&step| [way, &[step]].concat()).collect();
            let mut visits = vec![0; steps.len()];
            for done in 1..searched.node(way).visits() {
                let score = |index: usize| {
                    let node = searched.node(&steps[index]);
                    let eighths = f32::from(spots[usize::from(*steps[index].last().unwrap())].eighths);
                    let mean = if side == Side::White { eighths / 8.0 } else { 1.0 - eighths / 8.0 };
                    mean + weight * (done as f32).sqrt() * node.prior() / (1 + visits[index]) as f32
                };
                let best = (0..steps.len()).max_by(|&a, &b| score(a).total_cmp(&score(b))).unwrap();
                visits[best] += 1;
            }
            let found: Vec<_> = steps.iter().map(|steps| searched.node(steps).visits()).collect();
            assert_eq!(found, visits, "{way:?}");
            assert!(visits.iter().all(|&visits| visits > 5), "{visits:?}");
        }
    }

    #[test]
    fn noise_is_on_the_steps_of_the_first_turn_alone() {
        const SPOTS: &[Spot] =
            &[open(4, &[1, 2]), half(1, &[3]), half(1, &[3]), open(4, &[4, 5]), half(1, &[0]), half(1, &[0])];
        let parameters = Parameters { root_noise: 1.0, tie_noise: 0.0, ..Parameters::default() };
        let searched = Searched::new(&Place::root(SPOTS, Side::White), &parameters, 60);
        let prior = |steps: &[u16]| searched.node(steps).prior();
        assert!((prior(&[1]) - 0.5).abs() > 0.01, "{}", prior(&[1]));
        let first = if searched.node(&[1]).visits() > searched.node(&[2]).visits() { 1 } else { 2 };
        assert!((prior(&[first, 3, 4]) - 0.5).abs() < 1e-3, "{}", prior(&[first, 3, 4]));
    }

    #[test]
    fn the_side_to_move_gets_the_child_that_is_good_for_it_at_each_level() {
        // White would like spot 1, but for Black's reply 3.
        const SPOTS: &[Spot] = &[open(4, &[1, 2]), open(6, &[3, 4]), open(5, &[]), open(0, &[]), open(7, &[])];
        let searched = Searched::new(&Place::root(SPOTS, Side::White), &Parameters::default(), 200);
        let visits = |steps: &[u16]| searched.node(steps).visits();
        assert!(visits(&[2]) > 150, "{}", visits(&[2]));
        assert!(visits(&[1, 3]) > 5 * visits(&[1, 4]), "{} {}", visits(&[1, 3]), visits(&[1, 4]));
        assert!(searched.node(&[1]).mean_for(Side::White, 0, 0) < 0.3);
        assert!(searched.node(&[1]).mean_for(Side::Black, 0, 0) > 0.7);
        assert!(searched.done.iter().all(|&done| done == Done::Counted));
    }

    #[test]
    fn nothing_is_evaluated_in_the_middle_of_a_turn() {
        const SPOTS: &[Spot] = &[open(4, &[1, 2]), half(1, &[3]), half(7, &[3, 4]), open(2, &[]), open(5, &[])];
        // The evaluator refuses to be asked there.
        let searched = Searched::new(&Place::root(SPOTS, Side::White), &Parameters::default(), 2);
        // The step with the best prior, and at once the best way to go on.
        assert_eq!(searched.visits_and_eighths(&[2, 4]), (1, 5.0));
        assert_eq!(searched.visits_and_eighths(&[2]), (1, 5.0));
        assert_eq!(searched.visits_and_eighths(&[]), (2, 9.0));
        assert_eq!(searched.node(&[1]).visits(), 0);
        // The root, and both positions after the turn.
        assert_eq!((searched.nodes, searched.deepest), (3, 1));
    }

    #[test]
    fn a_win_is_proven_from_below() {
        // After 2, whatever Black does White has won.
        const SPOTS: &[Spot] =
            &[open(4, &[1, 2]), open(4, &[]), open(5, &[3, 4]), over(WHITE_WINS), open(3, &[5]), over(WHITE_WINS)];
        let searched = Searched::new(&Place::root(SPOTS, Side::White), &Parameters::default(), 100);
        assert_eq!(searched.node(&[2, 3]).proof(), Some(Proof { outcome: WHITE_WINS, plies: 0 }));
        assert_eq!(searched.node(&[2, 4]).proof(), Some(Proof { outcome: WHITE_WINS, plies: 1 }));
        assert_eq!(searched.node(&[2]).proof(), Some(Proof { outcome: WHITE_WINS, plies: 2 }));
        assert_eq!(searched.node(&[]).proof(), Some(Proof { outcome: WHITE_WINS, plies: 3 }));
        assert_eq!(searched.node(&[1]).proof(), None);
        assert!(searched.exact_hits > 0);
        // From then on all simulations end in it.
        let more = Searched::new(&Place::root(SPOTS, Side::White), &Parameters::default(), 150);
        assert_eq!(more.exact_hits - searched.exact_hits, 50);
        assert_eq!(more.visits_and_eighths(&[]).1 - searched.visits_and_eighths(&[]).1, 50.0 * 8.0);
        assert_eq!(more.node(&[1]).visits(), searched.node(&[1]).visits());
    }

    #[test]
    fn a_loss_is_proven_once_every_step_is_refuted_and_settles_the_search() {
        const SPOTS: &[Spot] = &[open(4, &[1, 2]), open(5, &[3]), open(6, &[3, 4]), over(BLACK_WINS), open(7, &[])];
        let searched = Searched::new(&Place::root(SPOTS, Side::White), &Parameters::default(), 50);
        assert_eq!(searched.node(&[1]).proof(), Some(Proof { outcome: BLACK_WINS, plies: 1 }));
        assert_eq!(searched.node(&[]).proof(), Some(Proof { outcome: BLACK_WINS, plies: 2 }));
        // One winning reply suffices.
        assert_eq!(searched.node(&[2, 4]).proof(), None);
        assert_eq!(searched.done.last(), Some(&Done::Settled));
        let counted = searched.done.iter().filter(|&&done| done == Done::Counted).count();
        assert_eq!(searched.node(&[]).visits() as usize, counted);
    }

    /// The last step is one that the policy does not propose, so the search itself finds out what it leads to.
    const UNPROPOSED: &[Spot] = &[
        open(4, &[1, 2, 3, 4, 5, 6, 7]),
        open(1, &[]),
        open(1, &[]),
        open(1, &[]),
        open(1, &[]),
        open(1, &[]),
        open(1, &[]),
        open(0, &[]),
    ];

    #[test]
    fn results_that_the_evaluation_knows_are_proofs_but_at_the_root() {
        let root = Place::root(UNPROPOSED, Side::White);
        let by = |known, count| {
            Searched::by(&AsWritten { known, ..Default::default() }, &root, &Parameters::default(), count)
        };
        let (searched, before) = (by(&[(7, WHITE_WINS)], 60), by(&[], 60));
        assert_eq!(searched.node(&[]).proof(), Some(Proof { outcome: WHITE_WINS, plies: 1 }));
        assert!(searched.exact_hits > 10 && before.exact_hits == 0);
        // The simulation that proves it is the first that ends in exact knowledge.
        let first = (1..60).map(|count| by(&[(7, WHITE_WINS)], count)).find(|found| found.node(&[]).proof().is_some());
        assert_eq!(first.map(|first| first.exact_hits), Some(1));
        // At the root somebody wants to know how to play.
        let root_known = by(&[(0, WHITE_WINS)], 1);
        assert_eq!((root_known.node(&[]).proof(), root_known.visits_and_eighths(&[])), (None, (1, 8.0)));
    }

    #[test]
    fn the_end_of_the_game_is_seen_after_a_step_that_was_not_evaluated() {
        const SPOTS: &[Spot] = &[
            open(4, &[1, 2, 3, 4, 5, 6, 7]),
            open(1, &[]),
            open(1, &[]),
            open(1, &[]),
            open(1, &[]),
            open(1, &[]),
            open(1, &[]),
            over(WHITE_WINS),
        ];
        let searched = Searched::new(&Place::root(SPOTS, Side::White), &Parameters::default(), 60);
        assert_eq!(searched.node(&[]).proof(), Some(Proof { outcome: WHITE_WINS, plies: 1 }));
    }

    #[test]
    fn what_the_table_knows_is_taken_below_the_root() {
        const SPOTS: &[Spot] = &[open(4, &[1]), open(4, &[])];
        let (root, evaluator, parameters) =
            (Place::root(SPOTS, Side::White), AsWritten::default(), Parameters::default());
        let (tree, table) = (Tree::new(1 << 20).unwrap(), TranspositionTable::new(1 << 16));
        table.put(root.key(), Knowledge::Mean { white: 0.0, visits: 9 });
        table.put(root.after(To(1)).key(), Knowledge::Mean { white: 0.75, visits: 9 });
        let (evaluator, parameters, root) = (&evaluator, &parameters, &root);
        let context =
            Context { tree: &tree, table: &table, evaluator, parameters, root, seed: 0, turns: &[], multi_pv: 1 };
        let mut walker = Walker::new(tree.slots(1));
        (0..2).for_each(|_| assert_eq!(context.simulate(&mut walker).unwrap(), Done::Counted));
        context.unwind(&mut walker);
        let node = |id| (tree.node(id).visits(), tree.node(id).white_mean());
        assert_eq!(node(tree.root()), (2, 0.625));
        assert_eq!(tree.children(tree.root()).map(node).collect::<Vec<_>>(), [(1, 0.75)]);
        // The root, its step for the prior, and the visit that the table answered.
        assert_eq!(walker.take_nodes(), 3);
    }

    #[test]
    fn means_are_shared_at_the_start_of_a_turn_and_not_of_chosen_turns() {
        const SPOTS: &[Spot] = &[open(4, &[1]), half(4, &[2]), open(5, &[])];
        let chosen: &[Steps<Place>] = &[[To(1), To(2)].into_iter().collect()];
        for turns in [&[], chosen] {
            let (tree, table) = (Tree::new(1 << 20).unwrap(), TranspositionTable::new(1 << 16));
            let (evaluator, parameters) = (&AsWritten::default(), &Parameters::default());
            let root = &Place::root(SPOTS, Side::White);
            let context =
                Context { tree: &tree, table: &table, evaluator, parameters, root, seed: 0, turns, multi_pv: 1 };
            let mut walker = Walker::new(tree.slots(1));
            (0..9).for_each(|_| assert!(context.simulate(&mut walker).is_ok()));
            context.unwind(&mut walker);
            let half = root.after(To(1));
            assert_eq!(table.get(root.key()).is_some(), turns.is_empty());
            assert!(table.get(half.key()).is_none() && table.get(half.after(To(2)).key()).is_some(), "{turns:?}");
        }
    }

    #[test]
    fn a_draw_in_hand_is_the_least_that_a_node_is_worth() {
        const SPOTS: &[Spot] = &[open(1, &[1, 2]), over(Outcome::Draw), open(2, &[])];
        for (side, each) in [(Side::White, 4.0), (Side::Black, 2.0)] {
            // Bundles grow with the number of visits.
            for visits in [16, 200] {
                let searched = Searched::new(&Place::root(SPOTS, side), &Parameters::default(), visits + 1);
                let (after_2, visits) = (searched.visits_and_eighths(&[2]), visits as u32);
                assert_eq!(after_2, (visits, 2.0 * visits as f32));
                // For Black, 2 is better than the draw.
                assert_eq!(searched.visits_and_eighths(&[]), (visits + 1, 1.0 + visits as f32 * each));
                assert_eq!((searched.node(&[]).proof(), searched.node(&[1]).visits()), (None, 0));
            }
        }
    }

    #[test]
    fn a_draw_is_in_hand_once_it_is_proven_and_a_loss_is_not() {
        // The reply to 1 is forced, and no other step is worth much.
        const DRAWS: &[Spot] = &[open(1, &[1, 2]), open(4, &[3]), open(2, &[]), over(Outcome::Draw)];
        const LOSES: &[Spot] = &[open(1, &[1, 2]), open(4, &[3]), open(2, &[]), over(BLACK_WINS)];
        for (spots, outcome, least) in [(DRAWS, Outcome::Draw, 4.0), (LOSES, BLACK_WINS, 2.0)] {
            let eighths = |count| {
                let searched = Searched::new(&Place::root(spots, Side::White), &Parameters::default(), count);
                assert_eq!(searched.node(&[1]).proof(), Some(Proof { outcome, plies: 1 }));
                searched.visits_and_eighths(&[]).1
            };
            assert_eq!(eighths(60) - eighths(40), 20.0 * least);
        }
    }

    #[test]
    fn a_proof_replaces_all_estimates_of_its_bundle() {
        // Everything is worth as much as the win that is found in the end.
        const SPOTS: &[Spot] = &[
            open(8, &[1, 2, 3, 4, 5, 6, 7]),
            open(8, &[]),
            open(8, &[]),
            open(8, &[]),
            open(8, &[]),
            open(8, &[]),
            open(8, &[]),
            over(WHITE_WINS),
        ];
        for c_puct_root in [0.6, 2.0, 5.0, 9.0] {
            let parameters = Parameters { c_puct_root, policy_temperature: 5.0, ..Parameters::default() };
            let root = Place::root(SPOTS, Side::White);
            let searched = |count| Searched::new(&root, &parameters, count);
            let proven = (2..200).map(searched).find(|searched| searched.node(&[]).proof().is_some()).unwrap();
            let (visits, eighths) = proven.visits_and_eighths(&[]);
            assert_eq!(eighths, 8.0 * visits as f32, "{visits} visits");
        }
    }

    #[test]
    fn the_tree_learns_of_a_bundle_at_its_end() {
        const SPOTS: &[Spot] = &[open(4, &[1, 2, 3, 4]), open(4, &[]), open(4, &[]), open(4, &[]), open(4, &[])];
        let (tree, table) = (Tree::new(1 << 20).unwrap(), TranspositionTable::new(1 << 16));
        let (root, evaluator) = (&Place::root(SPOTS, Side::White), &AsWritten::default());
        let parameters = &Parameters { bundle_share: 0.25, ..Parameters::default() };
        let context =
            Context { tree: &tree, table: &table, evaluator, parameters, root, seed: 0, turns: &[], multi_pv: 1 };
        let mut walker = Walker::new(tree.slots(1));
        let visits = (0..11).map(|_| {
            assert!(context.simulate(&mut walker).is_ok());
            tree.node(tree.root()).visits()
        });
        assert_eq!(visits.collect::<Vec<_>>(), [1, 2, 3, 4, 4, 6, 6, 8, 8, 8, 11]);
    }

    #[test]
    fn chosen_turns_are_proven_among_themselves_and_nobody_else_hears_of_it() {
        const SPOTS: &[Spot] = &[open(4, &[1, 2, 3]), open(4, &[4]), open(7, &[]), open(1, &[]), over(BLACK_WINS)];
        let root = Place::root(SPOTS, Side::White);
        let chosen: Steps<Place> = [To(1)].into_iter().collect();
        shared(&root, &Parameters::default(), &[chosen], |context, simulate| {
            assert_eq!(simulate(9), Done::Settled);
            let (tree, loss) = (context.tree, |plies| Some(Proof { outcome: BLACK_WINS, plies }));
            assert_eq!((node_of(tree, &[1]).proof(), context.root_proof()), (loss(1), loss(2)));
            // A root that was searched before has forgotten its proof.
            tree.node(tree.root()).forget_proof();
            assert_eq!((tree.node(tree.root()).proof(), context.root_proof()), (None, loss(2)));
            let known = |position: &Place| matches!(context.table.get(position.key()), Some(Knowledge::Proven(_)));
            assert_eq!((known(&root), known(&root.after(To(1)))), (false, true));
        });
    }

    #[test]
    fn bundles_keep_sums_and_visits() {
        const SPOTS: &[Spot] = &[
            open(4, &[1, 2, 3]),
            open(6, &[4, 5, 6, 7]),
            open(2, &[5, 7]),
            open(5, &[4, 8]),
            open(7, &[]),
            open(3, &[8, 9]),
            open(0, &[9]),
            open(8, &[6]),
            open(1, &[4, 5]),
            open(5, &[]),
        ];
        /// White's scores below a node in eighths: its own evaluation, and what its children have. Returns its visits,
        /// too.
        fn check(tree: &Tree, id: NodeId, at: &Place) -> (u32, f32) {
            let (sum, visits, in_flight) = tree.node(id).counts();
            let (mut below, mut eighths) = (0, 0.0);
            for child in tree.children(id).filter(|&child| tree.node(child).visits() > 0) {
                let (visits, sum) = check(tree, child, &at.after(To(tree.node(child).step_code())));
                (below, eighths) = (below + visits, eighths + sum);
            }
            assert_eq!((visits, in_flight), (below + 1, 0), "{at:?}");
            assert_eq!(sum / SCORE_ONE as f32 * 8.0, eighths + f32::from(at.spot().eighths), "{at:?}");
            (visits, eighths + f32::from(at.spot().eighths))
        }
        let root = Place::root(SPOTS, Side::White);
        for (bundle_share, bundle_most) in [(0.0, 1.0), (1.0 / 16.0, 64.0), (1.0, 8.0)] {
            let parameters = Parameters { bundle_share, bundle_most, ..Parameters::default() };
            // The last one leaves bundles open, which the walker tells the tree in the end.
            for count in [1, 2, 3, 50, 1_000, 1_001] {
                let searched = Searched::new(&root, &parameters, count);
                let (visits, _) = check(&searched.tree, searched.tree.root(), &root);
                assert_eq!(visits as usize, count);
            }
        }
    }

    #[test]
    fn bundles_and_what_other_threads_have_under_way_count_in_the_choice() {
        const SPOTS: &[Spot] = &[
            open(4, &[1, 2, 3, 4, 5, 6]),
            open(4, &[]),
            open(5, &[]),
            open(3, &[]),
            open(6, &[]),
            open(4, &[]),
            open(2, &[]),
        ];
        // Children with less than four visits have no bundles, but the root has.
        for (bundle_share, c_puct_root, at_root, at_children, count) in
            [(0.25, 2.2, 0, 0, 10), (0.25, 7.4, 0, 0, 16), (0.0, 0.7, 50, 0, 300), (0.0, 0.7, 0, 9, 300)]
        {
            let parameters = Parameters {
                c_puct_growth: 0.0,
                c_puct_root,
                evaluation_sharpness: 0.0,
                bundle_share,
                ..Parameters::default()
            };
            let (found, expected) = shared(&Place::root(SPOTS, Side::White), &parameters, &[], |context, simulate| {
                simulate(2);
                let tree = context.tree;
                // Another thread is under way at the root, and two more at its first children.
                tree.node(tree.root()).enter(at_root);
                let children: Vec<_> = tree.children(tree.root()).map(|id| tree.node(id)).collect();
                children.iter().take(2).for_each(|child| child.enter(at_children));
                let mut visits: Vec<_> = children.iter().map(|child| child.visits()).collect();
                simulate(count);
                for done in 2..2 + count {
                    let exploration = c_puct_root * ((done as u32 + at_root) as f32).sqrt();
                    let score = |index: usize| {
                        let child = children[index];
                        let under_way = if index < 2 { at_children } else { 0 };
                        let mean = f32::from(SPOTS[usize::from(child.step_code())].eighths) / 8.0;
                        mean + exploration * child.prior() / (1 + visits[index] + under_way) as f32
                    };
                    let best = (0..6).rev().max_by(|&a, &b| score(a).total_cmp(&score(b))).unwrap();
                    visits[best] += 1;
                }
                (children.iter().map(|child| child.visits()).collect::<Vec<_>>(), visits)
            });
            assert_eq!(found, expected, "{bundle_share} {at_root} {at_children}");
            assert!(bundle_share == 0.0 || found.iter().all(|&visits| visits < 5), "{found:?}");
        }
    }

    #[test]
    fn of_equal_children_the_first_is_chosen_and_a_better_evaluation_beats_a_better_prior() {
        const EQUAL: &[Spot] = &[open(4, &[1, 2]), open(4, &[]), open(4, &[])];
        let parameters = Parameters { tie_noise: 0.0, ..Parameters::default() };
        let equal = Searched::new(&Place::root(EQUAL, Side::White), &parameters, 2);
        let visits: Vec<_> = equal.tree.children(equal.tree.root()).map(|id| equal.tree.node(id).visits()).collect();
        assert_eq!(visits, [1, 0]);
        const SPOTS: &[Spot] = &[open(4, &[1, 2]), open(4, &[]), open(3, &[])];
        let evaluator = AsWritten { known: &[(2, WHITE_WINS)], ..AsWritten::default() };
        let parameters = Parameters { evaluation_sharpness: 0.0, c_puct_root: 0.1, ..parameters };
        let searched = Searched::by(&evaluator, &Place::root(SPOTS, Side::White), &parameters, 2);
        assert_eq!((searched.node(&[1]).visits(), searched.node(&[2]).visits()), (0, 1));
    }

    /// Eight steps that end the turn: six are evaluated for their priors, and the others are made when they could be
    /// better. The policy thinks little of the last two.
    const EIGHT: &[Spot] = &[
        open(4, &[1, 2, 3, 4, 5, 6, 7, 8]),
        open(4, &[]),
        open(4, &[]),
        open(4, &[]),
        open(4, &[]),
        open(4, &[]),
        open(4, &[]),
        open(0, &[]),
        open(0, &[]),
    ];

    #[test]
    fn children_are_made_as_soon_as_one_of_them_could_be_better() {
        // Two steps are left out at first.
        for (c_puct_root, first_play_reduction, count, made) in
            [(0.0, 0.0, 9, 6), (0.05, 0.25, 4, 6), (0.6, 0.0, 12, 8), (0.6, 0.25, 60, 8)]
        {
            let parameters = Parameters {
                c_puct_root,
                c_puct_growth: 0.0,
                first_play_reduction,
                tie_noise: 0.0,
                bundle_share: 0.0,
                ..Parameters::default()
            };
            let searched = Searched::new(&Place::root(EIGHT, Side::White), &parameters, count);
            assert_eq!(searched.tree.children(searched.tree.root()).count(), made, "{c_puct_root} {count}");
        }
        // In the middle of a turn, too: the first step is tried before more are made.
        const HALVES: &[Spot] = &[
            open(4, &[1, 2, 3, 4, 5, 6, 7, 8]),
            half(4, &[9]),
            half(4, &[9]),
            half(4, &[9]),
            half(4, &[9]),
            half(4, &[9]),
            half(4, &[9]),
            half(4, &[9]),
            half(4, &[9]),
            open(4, &[]),
        ];
        let searched = Searched::new(&Place::root(HALVES, Side::White), &Parameters::default(), 2);
        assert_eq!(searched.tree.children(searched.tree.root()).count(), 6);
    }

    #[test]
    fn a_child_that_nobody_has_evaluated_is_worth_less_than_its_parent_by_the_reduction() {
        for side in [Side::White, Side::Black] {
            let visits = |first_play_reduction| {
                let parameters = Parameters { first_play_reduction, ..Parameters::default() };
                let searched = Searched::new(&Place::root(EIGHT, side), &parameters, 60);
                searched.node(&[7]).visits() + searched.node(&[8]).visits()
            };
            assert_eq!(visits(0.25), 0, "{side}");
            assert!(visits(-0.25) > 1, "{side}");
        }
    }

    #[test]
    fn a_win_that_another_thread_has_proven_is_gone_for_at_once() {
        shared(&Place::root(EIGHT, Side::White), &Parameters::default(), &[], |context, simulate| {
            simulate(4);
            let (tree, root) = (context.tree, context.tree.root());
            let last = tree.node(tree.children(root).last().unwrap());
            assert_eq!((tree.children(root).count(), last.visits()), (6, 0));
            last.prove(Proof { outcome: WHITE_WINS, plies: 2 });
            assert_eq!(simulate(1), Done::Counted);
            assert_eq!((tree.children(root).count(), last.visits()), (6, 1));
            assert_eq!(tree.node(root).proof(), Some(Proof { outcome: WHITE_WINS, plies: 3 }));
        });
    }

    #[test]
    fn a_node_whose_children_another_thread_has_proven_is_proven_at_its_next_visit() {
        const SPOTS: &[Spot] = &[open(4, &[1, 2]), open(7, &[3, 4]), open(1, &[]), open(6, &[]), open(7, &[])];
        for (outcome, eighths) in [(Outcome::Draw, 4.0), (WHITE_WINS, 8.0)] {
            shared(&Place::root(SPOTS, Side::White), &Parameters::default(), &[], |context, simulate| {
                simulate(6);
                let (tree, node) = (context.tree, node_of(context.tree, &[1]));
                assert_eq!((node.visits(), node.proof()), (5, None));
                for (step, plies) in [(3, 2), (4, 3)] {
                    node_of(tree, &[1, step]).prove(Proof { outcome, plies });
                }
                let before = node.counts().0;
                assert_eq!(simulate(1), Done::Counted);
                assert_eq!(node.proof(), Some(Proof { outcome, plies: 4 }));
                assert_eq!((node.visits(), (node.counts().0 - before) / SCORE_ONE as f32 * 8.0), (6, eighths));
            });
        }
    }

    #[test]
    fn of_chosen_turns_all_replies_are_searched_and_no_other_turn() {
        // For White 1 and 4 are better, and for Black 6.
        const SPOTS: &[Spot] = &[
            open(4, &[1, 2]),
            half(7, &[4]),
            half(1, &[3, 4]),
            open(3, &[5, 6]),
            open(7, &[]),
            open(3, &[]),
            open(2, &[]),
        ];
        let chosen: Steps<Place> = [To(2), To(3)].into_iter().collect();
        shared(&Place::root(SPOTS, Side::White), &Parameters::default(), &[chosen], |context, simulate| {
            assert_eq!(simulate(60), Done::Counted);
            let visits = |steps: &[u16]| node_of(context.tree, steps).visits();
            assert_eq!((visits(&[]), visits(&[1]), visits(&[2]), visits(&[2, 3])), (60, 0, 59, 59));
            assert!(context.tree.children(context.tree.root()).count() == 2 && visits(&[2, 4]) == 0);
            assert_eq!(visits(&[2, 3, 5]) + visits(&[2, 3, 6]), 58);
            assert!(visits(&[2, 3, 6]) > 30);
        });
    }

    #[test]
    fn means_are_shared_when_visits_pass_a_power_of_two() {
        const SPOTS: &[Spot] = &[open(4, &[1]), open(4, &[])];
        let (root, parameters) =
            (Place::root(SPOTS, Side::White), Parameters { bundle_share: 0.0, ..Parameters::default() });
        for (count, known) in [(1, None), (2, Some(2)), (3, Some(2)), (4, Some(4)), (7, Some(4)), (8, Some(8))] {
            shared(&root, &parameters, &[], |context, simulate| {
                simulate(count);
                let shared = context.table.get(root.key());
                let visits = shared.map(|shared| match shared {
                    Knowledge::Mean { visits, .. } => visits,
                    Knowledge::Proven(proof) => panic!("{proof:?}"),
                });
                assert_eq!(visits, known, "{count}");
            });
        }
    }
}
