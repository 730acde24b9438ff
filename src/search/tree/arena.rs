//! Nodes live in two halves of one block of memory that never grows. New nodes go into the current half. When it is
//! full, the halves swap ([`Tree::flip`]): the other half is overwritten from its beginning, and only the root is
//! carried over at once. Everything else stays where it is, readable, until the next flip; a node's children are moved
//! over when a simulation comes by. So what was not visited in a whole half's time is recycled, nothing is ever
//! cleared or scanned, and a flip costs next to nothing.
//!
//! A link to children is `epoch mod 4` in two bits and an index in thirty. An epoch lasts from flip to flip. Links of
//! this epoch point into the current half, links of the last one into the other half; older ones are dead. Two bits
//! suffice, as a link is renewed or dropped whenever its node moves.
//!
//! Children come in chunks of 6, 6, 12, 24, 48, … nodes, best priors first, chained by the first node of each.

use super::node::{BUSY, COMPLETE, Candidate, Node};
use crate::games::Outcome;
use crate::memory::Memory;
use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicU32, Ordering::*};

/// Index of a node. Valid until the next flip; across flips only the root's is kept.
pub(in crate::search) type NodeId = u32;

/// The current half is full, or the counters are nearly: the round must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct Full;

const EPOCH_SHIFT: u32 = 30;
const INDEX: u32 = (1 << EPOCH_SHIFT) - 1;
/// Nodes that can be addressed.
const MOST_NODES: usize = 1 << EPOCH_SHIFT;
/// Fewest nodes in a half: space for any two generations of children on the way down.
const LEAST_HALF: usize = 4_096;

/// Children that are made first.
pub(in crate::search) const FIRST_CHUNK: usize = 6;

/// Size of the chunk of children that follows `made` children.
#[inline]
fn chunk_size(made: usize) -> usize {
    if made == 0 { FIRST_CHUNK } else { made }
}

/// Free slots that belong to one worker. With them, workers seldom compete for slots.
#[derive(Debug)]
pub(in crate::search) struct Slots {
    next: u32,
    end: u32,
    /// Slots that are taken at once.
    size: u32,
}

/// Slots that a worker takes at once, at most.
const MOST_SLOTS: u32 = 256;
/// The slots of all workers together are at most 1/8 of a half: those that stay unused are lost until the next
/// flip.
const SLOTS_SHARE: usize = 8;

/// At this number of root visits the counters are halved, so that none ever overflows.
pub(in crate::search) const MOST_VISITS: u32 = 1 << 31;
/// Nodes with fewer visits are left as they are.
const FEW_VISITS: u32 = 1 << 16;

/// The candidate of a root before it is searched.
const BLANK: Candidate = Candidate { step: 0, prior: 1.0, evaluation: None };

/// A bounded store of nodes with a root.
pub(in crate::search) struct Tree {
    nodes: Memory<Node>,
    half: usize,
    epoch: u32,
    /// First free slot of the current half.
    free: CachePadded<AtomicU32>,
    root: NodeId,
    /// Visits of the root that its counter has lost by halving.
    halved: u64,
}

impl Tree {
    /// A tree in at most `bytes` of memory (but at least two small halves); `None` if the system refuses.
    pub fn new(bytes: usize) -> Option<Self> {
        Self::with_half((bytes / size_of::<Node>() / 2).clamp(LEAST_HALF, MOST_NODES / 2))
    }

    /// A tree with two halves of `half` nodes each.
    fn with_half(half: usize) -> Option<Self> {
        let nodes = Memory::new(2 * half)?;
        let mut tree = Self { nodes, half, epoch: 0, free: CachePadded::new(AtomicU32::new(0)), root: 0, halved: 0 };
        tree.clear();
        Some(tree)
    }

    /// The memory it may use.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
    }

    /// Forgets everything; a fresh root remains.
    pub fn clear(&mut self) {
        self.epoch = 0;
        // Index 0 is never a child: a link of 0 means none.
        (self.root, self.halved) = (0, 0);
        *self.free.get_mut() = 1;
        self.nodes[0].reset(BLANK);
    }

    /// No slots yet, for one of `workers`.
    pub fn slots(&self, workers: usize) -> Slots {
        let size = (self.half / SLOTS_SHARE / workers).min(MOST_SLOTS as usize) as u32;
        Slots { next: 0, end: 0, size }
    }

    #[inline]
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// Makes one of the nodes the root. The rest of the tree is recycled later.
    pub fn set_root(&mut self, root: NodeId) {
        let visits = u64::from(self.node(root).visits());
        self.halved = self.in_full(visits) - visits;
        self.root = root;
        self.nodes[root as usize].forget_proof();
    }

    /// All visits of the root.
    pub fn visits(&self) -> u64 {
        self.halved + u64::from(self.node(self.root).visits())
    }

    /// The `visits` of a node as they would be if none had been halved.
    pub fn in_full(&self, visits: u64) -> u64 {
        let counted = self.visits() - self.halved;
        if self.halved == 0 {
            visits
        } else {
            (u128::from(visits) * u128::from(self.visits()) / u128::from(counted.max(1))) as u64
        }
    }

    /// Whether the counters must be [halved](Self::halve).
    #[inline]
    pub fn is_worn(&self) -> bool {
        self.node(self.root).visits() >= MOST_VISITS
    }

    /// Halves all large counters, which leaves means as they are, and shares of visits. No simulation may be under
    /// way.
    pub fn halve(&mut self) {
        let visits = self.visits();
        let mut left = vec![self.root];
        while let Some(id) = left.pop() {
            self.node(id).halve();
            left.extend(self.children(id).filter(|&child| self.node(child).visits() >= FEW_VISITS));
        }
        self.halved = visits - u64::from(self.node(self.root).visits());
    }

    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// Share of the memory that holds readable nodes, per mille.
    pub fn full_per_mille(&self) -> u32 {
        let current = self.free.load(Relaxed) as usize - self.begin();
        let other = if self.epoch == 0 { 0 } else { self.half };
        ((current.min(self.half) + other) * 1000 / self.nodes.len()) as u32
    }

    /// Swaps the halves. No simulation may be under way.
    pub fn flip(&mut self) {
        self.epoch += 1;
        let root = self.begin() as u32 + 1;
        *self.free.get_mut() = root + 1;
        self.adopt(root, self.root);
        self.root = root;
        // The first turn's nodes are looked at by reports, visited or not.
        let most = self.half / 4;
        let mut spare = self.slots(1);
        let _ = self.with_children(self.root, &mut spare);
        let children: Vec<_> = self.children(self.root).collect();
        let grandchildren: usize = children.iter().map(|&id| usize::from(self.node(id).made.load(Relaxed))).sum();
        if grandchildren < most {
            for id in children {
                let _ = self.with_children(id, &mut spare);
            }
        }
    }

    /// First slot of the current half.
    fn begin(&self) -> usize {
        (self.epoch & 1) as usize * self.half
    }

    /// Copies the node `from` of the other half into the slot `to`, dropping dead links.
    fn adopt(&self, to: NodeId, from: NodeId) {
        let (to, from) = (self.node(to), self.node(from));
        to.copy_from(from);
        if !self.is_readable(to.children.load(Relaxed)) {
            to.children.store(0, Relaxed);
            to.made.store(0, Relaxed);
            to.flags.store(0, Relaxed);
        }
    }

    /// `count` slots side by side, from the worker's own if these suffice.
    #[inline]
    fn allocate(&self, count: usize, slots: &mut Slots) -> Result<u32, Full> {
        let count = count as u32;
        if slots.end - slots.next < count {
            if count > slots.size / 2 {
                return self.take(count);
            }
            slots.next = self.take(slots.size)?;
            slots.end = slots.next + slots.size;
        }
        let first = slots.next;
        slots.next += count;
        Ok(first)
    }

    fn take(&self, count: u32) -> Result<u32, Full> {
        let end = (self.begin() + self.half) as u32;
        // Checked before: or workers that run on would make the counter overflow.
        if self.free.load(Relaxed) + count > end {
            return Err(Full);
        }
        let first = self.free.fetch_add(count, Relaxed);
        if first + count > end { Err(Full) } else { Ok(first) }
    }

    fn link(&self, first: u32) -> u32 {
        (self.epoch & 3) << EPOCH_SHIFT | first
    }

    fn is_current(&self, link: u32) -> bool {
        link == 0 || link >> EPOCH_SHIFT == self.epoch & 3
    }

    /// Whether a link leads to nodes that nothing has overwritten yet.
    fn is_readable(&self, link: u32) -> bool {
        self.is_current(link) || link >> EPOCH_SHIFT == self.epoch.wrapping_sub(1) & 3
    }

    /// Makes sure that the node's children, if any, lie in the current half. Waits for a thread that is moving them.
    #[inline]
    pub fn with_children(&self, id: NodeId, slots: &mut Slots) -> Result<(), Full> {
        if self.is_current(self.node(id).children.load(Acquire)) { Ok(()) } else { self.move_children(id, slots) }
    }

    fn move_children(&self, id: NodeId, slots: &mut Slots) -> Result<(), Full> {
        let _lock = self.lock(id);
        let node = self.node(id);
        let link = node.children.load(Acquire);
        if self.is_current(link) {
            return Ok(());
        }
        let (mut old, made) = (link & INDEX, usize::from(node.made.load(Relaxed)));
        // All or nothing: slots for every chunk at once.
        let mut new = self.allocate(made, slots)?;
        let first = new;
        let mut done = 0;
        while done < made {
            let count = chunk_size(done).min(made - done);
            for offset in 0..count as u32 {
                self.adopt(new + offset, old + offset);
            }
            done += count;
            old = self.node(old).next.load(Relaxed);
            if done < made {
                self.node(new).next.store(new + count as u32, Relaxed);
            }
            new += count as u32;
        }
        node.children.store(self.link(first), Release);
        Ok(())
    }

    /// Makes the next chunk of children. `rank` gets the number of steps wanted; it returns the best ones, best first,
    /// and the number of all steps. `made`: number of children the caller has seen; if there are more by now, nothing
    /// is done.
    ///
    /// Nothing is locked while `rank` runs, which may take long with a large evaluation. If two threads rank the same
    /// steps, those of the slower one are thrown away.
    pub fn expand<'r>(
        &self,
        id: NodeId,
        made: usize,
        slots: &mut Slots,
        rank: impl FnOnce(usize) -> (&'r [Candidate], usize),
    ) -> Result<(), Full> {
        let node = self.node(id);
        let is_done = || usize::from(node.made.load(Acquire)) > made || node.complete();
        if is_done() {
            return Ok(());
        }
        let (candidates, total) = rank(chunk_size(made));
        let _lock = self.lock(id);
        if is_done() {
            return Ok(());
        }
        let count = candidates.len();
        let first = self.allocate(count, slots)?;
        for (slot, &candidate) in (first..).zip(candidates) {
            self.node(slot).reset(candidate);
            if self.node(slot).proven() == Some(Outcome::Draw) {
                node.set_draw_in_hand();
            }
        }
        if made == 0 {
            node.children.store(self.link(first), Release);
        } else {
            let mut last = node.children.load(Relaxed) & INDEX;
            while let next @ 1.. = self.node(last).next.load(Relaxed) {
                last = next;
            }
            self.node(last).next.store(first, Release);
        }
        node.made.store((made + count) as u16, Release);
        if made + count == total {
            // After the children: who sees this flag sees all of them.
            node.flags.fetch_or(COMPLETE, Release);
        }
        Ok(())
    }

    /// The children made so far, best priors first.
    #[inline]
    pub fn children(&self, id: NodeId) -> Children<'_> {
        let node = self.node(id);
        let left = usize::from(node.made.load(Acquire));
        let link = node.children.load(Acquire);
        let left = if link != 0 && self.is_readable(link) { left } else { 0 };
        let first = link & INDEX;
        Children { tree: self, chunk: first, at: first, in_chunk: chunk_size(0).min(left), done: 0, left }
    }

    /// The children made so far by chunks: for each chunk the id of its first node, and its nodes.
    #[inline(always)]
    pub fn chunks(&self, id: NodeId) -> impl Iterator<Item = (NodeId, &[Node])> {
        let node = self.node(id);
        let mut left = usize::from(node.made.load(Acquire));
        let link = node.children.load(Acquire);
        if link == 0 || !self.is_readable(link) {
            left = 0;
        }
        let (mut first, mut done) = (link & INDEX, 0);
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            if done > 0 {
                first = self.node(first).next.load(Acquire);
            }
            let count = chunk_size(done).min(left);
            done += count;
            left -= count;
            Some((first, &self.nodes[first as usize..first as usize + count]))
        })
    }

    /// Waits until no other thread makes or moves this node's children, and keeps them away.
    fn lock(&self, id: NodeId) -> Lock<'_> {
        let node = self.node(id);
        let mut tries = 0u32;
        while node.flags.fetch_or(BUSY, Acquire) & BUSY != 0 {
            tries += 1;
            if tries.is_multiple_of(64) { std::thread::yield_now() } else { std::hint::spin_loop() }
        }
        Lock(node)
    }
}

struct Lock<'a>(&'a Node);

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        self.0.flags.fetch_and(!BUSY, Release);
    }
}

/// Iterator over a node's children.
pub(in crate::search) struct Children<'a> {
    tree: &'a Tree,
    chunk: u32,
    at: u32,
    in_chunk: usize,
    done: usize,
    left: usize,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    #[inline]
    fn next(&mut self) -> Option<NodeId> {
        if self.left == 0 {
            return None;
        }
        if self.in_chunk == 0 {
            self.chunk = self.tree.node(self.chunk).next.load(Acquire);
            self.at = self.chunk;
            self.in_chunk = chunk_size(self.done).min(self.left);
        }
        let id = self.at;
        self.at += 1;
        self.in_chunk -= 1;
        self.done += 1;
        self.left -= 1;
        Some(id)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

#[cfg(test)]
mod tests {
    use super::super::SCORE_ONE;
    use super::*;
    use crate::endgame::Proof;
    use rand::{Rng, RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Small, so that Miri gets done.
    const HALF: usize = 512;

    /// Candidates with the steps 0, 1, 2 and so on.
    static CANDIDATES: [Candidate; 1024] = {
        let mut candidates = [BLANK; 1024];
        let mut step = 0;
        while step < candidates.len() {
            candidates[step].step = step as u16;
            step += 1;
        }
        candidates
    };

    /// Ranks `all`, of which `made` have been made.
    fn rank(all: &'static [Candidate], made: usize) -> impl FnOnce(usize) -> (&'static [Candidate], usize) {
        move |count| (&all[made..all.len().min(made + count)], all.len())
    }

    fn steps(tree: &Tree, id: NodeId) -> Vec<u16> {
        tree.children(id).map(|child| tree.node(child).step_code()).collect()
    }

    #[test]
    fn children_come_chunk_by_chunk_in_order() {
        let tree = Tree::with_half(HALF).unwrap();
        for expected in [6, 12, 24, 48, 50, 50] {
            let made = tree.children(tree.root()).count();
            tree.expand(tree.root(), made, &mut tree.slots(1), rank(&CANDIDATES[..50], made)).unwrap();
            assert_eq!(steps(&tree, tree.root()), (0..expected).collect::<Vec<_>>());
            assert_eq!(tree.node(tree.root()).complete(), expected == 50);
        }
    }

    #[test]
    fn a_new_root_has_forgotten_its_proof_and_keeps_its_visits() {
        let mut tree = Tree::with_half(HALF).unwrap();
        tree.expand(tree.root(), 0, &mut tree.slots(1), rank(&CANDIDATES[..6], 0)).unwrap();
        let child = tree.children(tree.root()).next().unwrap();
        tree.node(child).enter(5);
        tree.node(child).leave(SCORE_ONE, 5, 5);
        tree.node(child).prove(Proof { outcome: Outcome::Draw, plies: 2 });
        tree.set_root(child);
        assert_eq!((tree.node(tree.root()).proof(), tree.root(), tree.visits()), (None, child, 5));
    }

    #[test]
    fn a_visited_path_survives_flips_and_the_rest_is_recycled() {
        let mut tree = Tree::with_half(HALF).unwrap();
        // With this many workers no slots are taken in advance.
        let deep = |tree: &Tree| -> Vec<NodeId> {
            let mut path = vec![tree.root()];
            for level in 0..5 {
                let id = path[level];
                tree.with_children(id, &mut tree.slots(HALF)).unwrap();
                path.push(tree.children(id).nth(level).unwrap());
            }
            path
        };
        let mut id = tree.root();
        for level in 0..5 {
            for made in [0, FIRST_CHUNK] {
                tree.expand(id, made, &mut tree.slots(HALF), rank(&CANDIDATES[..20], made)).unwrap();
            }
            id = tree.children(id).nth(level).unwrap();
        }
        for (level, &id) in deep(&tree).iter().enumerate() {
            tree.node(id).enter(1);
            tree.node(id).leave(level as i64 * SCORE_STEP, 1, 1);
        }
        for _ in 0..9 {
            tree.flip();
            let sums: Vec<_> = deep(&tree).iter().map(|&id| tree.node(id).white_mean()).collect();
            let expected: Vec<_> = (0..6).map(|level| level as f32 / 1024.0).collect();
            assert_eq!(sums, expected);
        }
        // Not visited for two epochs: below the first turn nothing is left.
        tree.flip();
        tree.flip();
        tree.flip();
        let child = tree.children(tree.root()).next().unwrap();
        tree.with_children(child, &mut tree.slots(HALF)).unwrap();
        let grandchild = tree.children(child).nth(1).unwrap();
        assert_eq!(tree.children(grandchild).count(), 0);
        assert!(!tree.node(grandchild).complete());
    }

    const SCORE_STEP: i64 = super::super::SCORE_ONE / 1024;

    #[test]
    fn slots_of_many_workers_leave_most_of_a_half_to_use() {
        let sizes = [1, 2, 8, 64, 1024].map(|workers| Tree::with_half(LEAST_HALF).unwrap().slots(workers).size);
        assert_eq!(sizes, [256, 256, 64, 8, 0]);
        let tree = Tree::with_half(HALF).unwrap();
        let mut slots: Vec<Slots> = (0..64).map(|_| tree.slots(64)).collect();
        let taken = (0..).take_while(|&turn| tree.allocate(6, &mut slots[turn % 64]).is_ok()).count();
        assert!(taken * 6 >= HALF * 7 / 8, "{taken}");
    }

    #[test]
    fn a_full_half_says_so_and_a_flip_frees_slots() {
        let mut tree = Tree::with_half(HALF).unwrap();
        let mut slots = tree.slots(1);
        let mut grown = 0;
        let mut id = tree.root();
        while tree.expand(id, 0, &mut slots, rank(&CANDIDATES[..4], 0)).is_ok() {
            id = tree.children(id).next().unwrap();
            grown += 4;
        }
        let size = slots.size as usize;
        assert!(grown + size >= HALF - 4 && grown < HALF);
        assert_eq!(tree.children(id).count(), 0);
        tree.flip();
        let mut id = tree.root();
        let mut depth = 0;
        let mut slots = tree.slots(1);
        while tree.with_children(id, &mut slots).is_ok() {
            let Some(child) = tree.children(id).next() else { break };
            id = child;
            depth += 1;
        }
        // All but the slots that workers left unused.
        assert!(depth + 2 * size / 4 >= grown / 4, "{depth} {grown}");
    }

    /// Children of each node in [`go_down`].
    const CHILDREN: usize = 20;

    /// The candidates after a step: other steps than after most others.
    fn after(step: u16) -> &'static [Candidate] {
        let first = (usize::from(step) * 37 + 11) % 50 * CHILDREN;
        &CANDIDATES[first..first + CHILDREN]
    }

    /// The children of a node that are there, each at its place.
    fn checked_children(tree: &Tree, id: NodeId) -> Vec<NodeId> {
        let ids: Vec<NodeId> = tree.children(id).collect();
        for (&child, candidate) in ids.iter().zip(after(tree.node(id).step_code())) {
            assert_eq!(tree.node(child).step_code(), candidate.step, "a child out of place");
        }
        ids
    }

    /// Checks that the children of a node are at their places, chunk by chunk; other threads may make more meanwhile.
    fn check_chunks(tree: &Tree, id: NodeId) {
        let chunks = tree.chunks(id).flat_map(|(_, nodes)| nodes);
        for (node, candidate) in chunks.zip(after(tree.node(id).step_code())) {
            assert_eq!(node.step_code(), candidate.step, "a child out of its chunk");
        }
    }

    /// Moves the children of a node, or makes some if there are none, or sometimes more. Returns those it found.
    fn grow(tree: &Tree, id: NodeId, slots: &mut Slots, random: &mut impl Rng) -> Result<Vec<NodeId>, Full> {
        tree.with_children(id, slots)?;
        let complete = tree.node(id).complete();
        let children = checked_children(tree, id);
        assert!(!complete || children.len() == CHILDREN, "complete with {} children", children.len());
        if children.is_empty() || !complete && random.random_bool(0.5) {
            let candidates = rank(after(tree.node(id).step_code()), children.len());
            tree.expand(id, children.len(), slots, candidates)?;
            check_chunks(tree, id);
        }
        Ok(children)
    }

    /// As a simulation does: down to a node without children, which gets some.
    fn go_down(tree: &Tree, slots: &mut Slots, random: &mut impl Rng) -> Result<(), Full> {
        let mut path = vec![tree.root()];
        let result = loop {
            let id = path[path.len() - 1];
            tree.node(id).enter(1);
            match grow(tree, id, slots, random) {
                // One of the first, so that threads meet.
                Ok(children) if !children.is_empty() => path.push(children[random.random_range(0..4)]),
                end => break end.map(drop),
            }
        };
        path.iter().for_each(|&id| tree.node(id).leave(1, 1, 1));
        result
    }

    /// Checks a node and those below it while nobody is under way. Returns its visits.
    fn check_at_rest(tree: &Tree, id: NodeId) -> u32 {
        let node = tree.node(id);
        let below: u32 = checked_children(tree, id).iter().map(|&child| check_at_rest(tree, child)).sum();
        let (sum, visits, in_flight) = node.counts();
        assert!(in_flight == 0 && sum == visits as f32 && below <= visits, "{node:?}, {below} visits below");
        visits
    }

    /// Under Miri, which tries many orders of events, this fails if what is to be seen together is not published with
    /// release and read with acquire.
    #[test]
    fn threads_that_make_move_and_read_children_find_each_at_its_place() {
        let mut tree = Tree::with_half(HALF / 2).unwrap();
        let mut simulations = 0;
        for round in 0..if cfg!(miri) { 4 } else { 1_000u64 } {
            let work = |thread: u64| {
                let (tree, mut random) = (&tree, Xoshiro256PlusPlus::seed_from_u64(3 * round + thread));
                let mut slots = tree.slots(1);
                1 + (0..).take_while(|_| go_down(tree, &mut slots, &mut random).is_ok()).count()
            };
            simulations += std::thread::scope(|scope| {
                let threads = [0, 1, 2].map(|thread| scope.spawn(move || work(thread)));
                threads.into_iter().map(|thread| thread.join().unwrap()).sum::<usize>()
            });
            assert_eq!(check_at_rest(&tree, tree.root()) as usize, simulations);
            tree.flip();
        }
    }
}
