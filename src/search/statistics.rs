//! The findings of a search about every step, read off its tree.

use super::Search;
use super::tree::NodeId;
use crate::eval::Evaluator;
use crate::games::{Game, Outcome, Position, Step};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The findings of a search about one step.
///
/// ```
/// use hippolyta::eval::amazons::AmazonsEvaluator;
/// use hippolyta::games::{Game, Notation, amazons::Amazons, variant};
/// use hippolyta::search::{Control, Limits, Search, Settings};
///
/// let variant = &variant::find("amazons6")?;
/// let game = Game::new(Amazons::from_fen(variant, variant.start())?);
/// let mut search = Search::new(AmazonsEvaluator::default(), Settings { hash: 1, ..Settings::default() })?;
/// let limits = Limits { nodes: Some(100), ..Limits::default() };
/// let _ = search.run(&game, &limits, &Control::default(), &mut |_| ());
/// let steps = search.steps_after(&[]);
/// assert!(steps.is_sorted_by(|a, b| a.prior >= b.prior));
/// let most = steps.iter().max_by_key(|step| step.visits).ok_or("no steps")?;
/// assert!(most.visits > 0 && most.white.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepStatistics<S> {
    /// The step.
    pub step: S,
    /// The number of simulations that went through it.
    pub visits: u32,
    /// Its prior, 0 … 1.
    pub prior: f32,
    /// White's mean score, 0 … 1, if it was visited.
    pub white: Option<f32>,
    /// Its proven result, if there is one.
    pub proven: Option<Outcome>,
}

/// A step with those before it from the root.
type Searched<S> = (Vec<S>, StepStatistics<S>);

impl<P: Position, E: Evaluator<P>> Search<P, E> {
    /// The position that was searched last, unless the search was limited to some turns.
    pub fn root(&self) -> Option<&P> {
        self.store.searched.as_ref().map(Game::current)
    }

    /// Statistics of the steps after `path`, steps from the root of the last search, by falling prior. Empty where that
    /// search never was, and if it was limited to some turns.
    pub fn steps_after(&self, path: &[P::Step]) -> Vec<StepStatistics<P::Step>> {
        let Some(_) = &self.store.searched else { return Vec::new() };
        let child = |node, step: &P::Step| {
            self.store.tree.children(node).find(|&id| self.store.tree.node(id).step_code() == step.code())
        };
        let Some(node) = path.iter().try_fold(self.store.tree.root(), child) else {
            return Vec::new();
        };
        self.store.tree.children(node).map(|id| self.statistics(id)).collect()
    }

    fn statistics(&self, id: NodeId) -> StepStatistics<P::Step> {
        let node = self.store.tree.node(id);
        StepStatistics {
            step: P::Step::from_code(node.step_code()),
            visits: node.visits(),
            prior: node.prior(),
            white: if node.visits() > 0 { Some(node.white_mean()) } else { None },
            proven: node.proven(),
        }
    }

    /// Where `count` ways down the tree of the last search end, each at the start of a turn: at every step one in so many
    /// goes on as simulations did. Empty where [`steps_after`](Self::steps_after) is. The same seed draws the same.
    pub(crate) fn ends(&self, count: usize, seed: u64) -> Vec<P> {
        let Some(root) = self.root() else { return Vec::new() };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let end = |_| {
            let (mut node, mut at, mut end) = (self.store.tree.root(), root.clone(), root.clone());
            while let Some(next) = self.drawn(node, &mut random) {
                node = next;
                at.play(P::Step::from_code(self.store.tree.node(node).step_code()));
                if at.at_turn_start() {
                    end = at.clone();
                }
            }
            end
        };
        (0..count).map(end).collect()
    }

    /// A child, drawn by its visits.
    fn drawn(&self, node: NodeId, random: &mut impl Rng) -> Option<NodeId> {
        let tree = &self.store.tree;
        let visits = |id| u64::from(tree.node(id).visits());
        let all: u64 = tree.children(node).map(visits).sum();
        let mut place = random.random_range(0..all.max(1));
        tree.children(node).find(|&id| {
            let is_here = place < visits(id);
            place = place.saturating_sub(visits(id));
            is_here
        })
    }

    /// Statistics of all steps in the tree of the last search that end a turn and have at least `least` visits, each
    /// with the steps from the root before it. Empty where [`steps_after`](Self::steps_after) is.
    pub fn searched(&self, least: u32) -> Vec<Searched<P::Step>> {
        let mut found = Vec::new();
        if let Some(game) = &self.store.searched {
            self.descend(self.store.tree.root(), game.current(), &mut Vec::new(), least.max(1), &mut found);
        }
        found
    }

    fn descend(
        &self,
        node: NodeId,
        position: &P,
        path: &mut Vec<P::Step>,
        least: u32,
        found: &mut Vec<Searched<P::Step>>,
    ) {
        for id in self.store.tree.children(node) {
            let known = self.statistics(id);
            if known.visits < least {
                continue;
            }
            let after = position.after(known.step);
            if after.at_turn_start() {
                found.push((path.clone(), known));
            }
            path.push(known.step);
            self.descend(id, &after, path, least, found);
            path.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::amazons::AmazonsEvaluator;
    use crate::games::amazons::Amazons;
    use crate::games::{Notation, variant};
    use crate::search::{Control, Limits, Settings};

    #[test]
    fn ways_down_end_where_the_search_was() {
        let variant = &variant::find("amazons6").unwrap();
        let game = Game::new(Amazons::from_fen(variant, variant.start()).unwrap());
        let settings = Settings { hash: 1, ..Settings::default() };
        let mut search = Search::new(AmazonsEvaluator::default(), settings).unwrap();
        assert!(search.ends(4, 1).is_empty());
        let limits = Limits { nodes: Some(2_000), ..Limits::default() };
        let _ = search.run(&game, &limits, &Control::default(), &mut |_| ());
        let keys = |seed| search.ends(16, seed).iter().map(Position::key).collect::<Vec<_>>();
        assert!(search.ends(16, 1).iter().all(|end| end.at_turn_start() && end.key() != game.current().key()));
        assert_eq!(keys(1), keys(1));
        assert_ne!(keys(1), keys(2));
    }
}
