//! The memory of a search: tree and table. Both last from one run to the next.

use super::settings::SettingsError;
use super::table::TranspositionTable;
use super::tree::{NodeId, Tree};
use crate::endgame::Solve;
use crate::games::{Game, Position, Step};
use crate::memory;

/// The table gets 1/`TABLE_SHARE` of the memory, the tree the rest …
const TABLE_SHARE: usize = 8;
/// … but a table never has more bytes than this: its allocation cannot fail gracefully.
const LARGEST_TABLE: usize = 512 << 20;
/// While a prover uses the tree's memory, the tree keeps 1/`TREE_SHARE` of it.
pub(super) const TREE_SHARE: usize = 4;

/// Tree and table, which game they are about, and what is proven.
pub(super) struct Store<P: Position> {
    pub tree: Tree,
    pub table: TranspositionTable,
    /// The game whose last position is the tree's root. `None` if the tree must not be used again.
    pub searched: Option<Game<P>>,
    /// What a proof search that only helped has found out.
    pub solver: Option<Box<dyn Solve<P>>>,
    /// MiB in use.
    hash: usize,
    /// A prover uses most of the tree's memory.
    is_lent: bool,
}

impl<P: Position> Store<P> {
    /// Memory of `hash` MiB.
    ///
    /// # Errors
    ///
    /// If the system refuses it.
    pub fn new(hash: usize) -> Result<Self, SettingsError> {
        let (tree, table) = shares(hash);
        // A table that grows aborts where there is no memory for it.
        let tree =
            Tree::new(tree).filter(|_| memory::is_available(table + table / 4)).ok_or(SettingsError::Memory(hash))?;
        Ok(Self { tree, table: TranspositionTable::new(table), searched: None, solver: None, hash, is_lent: false })
    }

    /// Its size in MiB: as asked for, unless the system refused to give back what was lent.
    pub fn hash(&self) -> usize {
        self.hash
    }

    /// Forgets tree and table.
    pub fn clear(&mut self) {
        self.restore();
        self.solver = None;
        self.table.clear();
        self.clear_tree();
    }

    /// Forgets the tree.
    pub fn clear_tree(&mut self) {
        self.tree.clear();
        self.searched = None;
    }

    /// Leaves most of the tree's memory to a prover; false if there is no memory for the small tree.
    pub fn lend(&mut self) -> bool {
        let Some(tree) = Tree::new(self.tree.bytes() / TREE_SHARE) else { return false };
        self.tree = tree;
        self.searched = None;
        self.is_lent = true;
        true
    }

    /// Takes back what was lent. If the system refuses, it takes half as much, and so on; [`Store::hash`] tells.
    pub fn restore(&mut self) {
        if !self.is_lent {
            return;
        }
        (self.is_lent, self.searched) = (false, None);
        let ((full, table), least) = (shares(self.hash), self.tree.bytes());
        let mut sizes = std::iter::successors(Some(full), |bytes| Some(bytes / 2)).take_while(|&bytes| bytes > least);
        if let Some(tree) = sizes.find_map(Tree::new) {
            self.tree = tree;
        }
        self.hash = (self.tree.bytes() + table) >> 20;
    }

    /// Makes the last position of `game` the root. With `may_reuse`, its subtree is kept if `game` continues the game
    /// searched last.
    pub fn take_root(&mut self, game: &Game<P>, may_reuse: bool) {
        let steps = self.searched.as_ref().filter(|_| may_reuse).and_then(|searched| game.steps_since(searched));
        match steps.and_then(|steps| self.node_after(&steps)) {
            Some(node) => self.tree.set_root(node),
            None => self.tree.clear(),
        }
        self.searched = Some(game.clone());
    }

    /// The node that `steps` lead to from the root. Children on the way move into the current half.
    fn node_after(&self, steps: &[P::Step]) -> Option<NodeId> {
        steps.iter().try_fold(self.tree.root(), |node, step| {
            self.tree.with_children(node, &mut self.tree.slots(1)).ok()?;
            self.tree.children(node).find(|&id| self.tree.node(id).step_code() == step.code())
        })
    }

    /// Frees memory for the next round. `tree_is_full`: the tree ended the last one. No simulation may be under way.
    pub fn make_room(&mut self, tree_is_full: bool) {
        if self.tree.is_worn() {
            self.tree.halve();
        }
        if tree_is_full {
            self.tree.flip();
        }
        if self.table.is_full() {
            self.table.turn_over();
        }
    }
}

/// Bytes of tree and table in `hash` MiB.
fn shares(hash: usize) -> (usize, usize) {
    let bytes = hash.max(1) << 20;
    let table = (bytes / TABLE_SHARE).min(LARGEST_TABLE);
    (bytes - table, table)
}
