//! The findings of a search about every step, read off its tree.

use super::Search;
use super::tree::NodeId;
use crate::eval::Evaluator;
use crate::games::{Game, Outcome, Position, Step};

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

/// The function that [`Search::for_each_searched`] calls. Its arguments are the steps from the root, the position after
/// them, its visits, White's mean score (0 … 1), and the proven result, if there is one.
///
/// ```
/// use hippolyta::eval::amazons::AmazonsEvaluator;
/// use hippolyta::games::{Game, Notation, Position, amazons::Amazons, variant};
/// use hippolyta::search::{Control, Limits, Search, Settings};
///
/// let variant = &variant::find("amazons6")?;
/// let game = Game::new(Amazons::from_fen(variant, variant.start())?);
/// let mut search = Search::new(AmazonsEvaluator::default(), Settings { hash: 1, ..Settings::default() })?;
/// let limits = Limits { nodes: Some(1_000), ..Limits::default() };
/// let _ = search.run(&game, &limits, &Control::default(), &mut |_| ());
/// let mut most = 0;
/// search.for_each_searched(10, &mut |path, position, visits, white, _| {
///     assert!(path.len() % 2 == 0 && position.at_turn_start());
///     assert!(visits >= 10 && (0.0..=1.0).contains(&white));
///     most = most.max(visits);
/// });
/// assert!(most >= 10);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type SearchedFn<'a, P> = dyn FnMut(&[<P as Position>::Step], &P, u32, f32, Option<Outcome>) + 'a;

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
    /// `least` visits. See [`SearchedFn`].
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
