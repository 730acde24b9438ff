//! What a search found out about every step, read off its tree.

use super::Search;
use super::tree::NodeId;
use crate::eval::Evaluator;
use crate::games::{Game, Outcome, Position, Step};

/// What a search found out about one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepStatistics<S> {
    /// The step.
    pub step: S,
    /// Simulations that went through it.
    pub visits: u32,
    /// Its prior.
    pub prior: f32,
    /// White's mean score, if it was visited.
    pub white: Option<f32>,
    /// Its proven result.
    pub proven: Option<Outcome>,
}

/// What [`Search::for_each_searched`] calls.
pub type SearchedFn<'a, P> = dyn FnMut(&[<P as Position>::Step], &P, u32, f32, Option<Outcome>) + 'a;

impl<P: Position, E: Evaluator<P>> Search<P, E> {
    /// The position that was searched last, unless the search was limited to some turns.
    pub fn root(&self) -> Option<&P> {
        self.store.searched.as_ref().map(Game::current)
    }

    /// Statistics of the steps after `path` from the root of the last search, best priors first. Empty where that
    /// search never was, or if it was limited to some turns.
    pub fn steps_after(&self, path: &[P::Step]) -> Vec<StepStatistics<P::Step>> {
        let Some(_) = &self.store.searched else { return Vec::new() };
        let child = |node, step: &P::Step| {
            self.store.tree.children(node).find(|&id| self.store.tree.node(id).step_code() == step.code())
        };
        let Some(node) = path.iter().try_fold(self.store.tree.root(), child) else {
            return Vec::new();
        };
        let statistics = |id| {
            let node = self.store.tree.node(id);
            StepStatistics {
                step: P::Step::from_code(node.step_code()),
                visits: node.visits(),
                prior: node.prior(),
                white: if node.visits() > 0 { Some(node.white_mean()) } else { None },
                proven: node.proven(),
            }
        };
        self.store.tree.children(node).map(statistics).collect()
    }

    /// Calls `f` for every position below the root of the last search that is at the start of a turn and has at least
    /// `least` visits. `f` gets the steps that lead there, the position, its visits, White's mean score and the proven
    /// result, if there is one.
    pub fn for_each_searched(&self, least: u32, f: &mut SearchedFn<'_, P>) {
        if let Some(game) = &self.store.searched {
            self.descend(self.store.tree.root(), game.current(), &mut Vec::new(), least, f);
        }
    }

    fn descend(&self, node: NodeId, position: &P, path: &mut Vec<P::Step>, least: u32, f: &mut SearchedFn<'_, P>) {
        for id in self.store.tree.children(node) {
            let child = self.store.tree.node(id);
            if child.visits() < least.max(1) {
                continue;
            }
            let step = P::Step::from_code(child.step_code());
            let after = position.after(step);
            path.push(step);
            if after.at_turn_start() {
                f(path, &after, child.visits(), child.white_mean(), child.proven());
            }
            self.descend(id, &after, path, least, f);
            path.pop();
        }
    }
}
