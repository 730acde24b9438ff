//! The turns near the root, and how far each of them is from a proof: an object that its owner drives. Whoever searches
//! takes a leaf, and its result is put back.
//!
//! A node is a [`Situation`], so ways that meet again meet in one node, mirror images too. Its numbers are those of the
//! proof search below it. A leaf's come from the searches of the leaf itself; they go up as in any proof-number search.
//!
//! Turns are not those of a situation but of a position: the one by which the node was reached first. So the way to a
//! node is the way to its first parent and a turn from there ([`Tree::path`]). Ways through other parents may lead to
//! mirror images, where the same turns may not be legal.

use hippolyta::endgame::amazons::{Fact, Key, Numbers, Situation, next_below};
use hippolyta::games::Steps;
use hippolyta::games::amazons::Amazons;
use std::collections::{HashMap, HashSet};

/// A place in [`Tree::nodes`].
pub(super) type Place = usize;

/// The place of the position that is to be solved.
pub(super) const ROOT: Place = 0;

/// A position near the root.
#[derive(Debug)]
pub(super) struct Node {
    pub situation: Situation,
    pub numbers: Numbers,
    /// Positions that were looked at for it as a leaf.
    pub searched: u64,
    /// Positions that were looked at for this node and for all below it to which it was the first to lead.
    pub work: u64,
    /// The node that was the first to lead here, and by which turn; `None` at the root.
    pub first: Option<(Place, Steps<Amazons>)>,
    /// All that lead here.
    parents: Vec<Place>,
    /// The turns, and where they lead; `None` for a leaf.
    pub turns: Option<Vec<(Steps<Amazons>, Place)>>,
}

impl Node {
    /// Whether the side to move wins, once it is known.
    pub fn result(&self) -> Option<bool> {
        self.numbers.result()
    }
}

/// A leaf that is worth searching next.
#[derive(Debug)]
pub(super) struct Leaf {
    pub place: Place,
    pub situation: Situation,
    /// How to get there from the root.
    pub path: Vec<Steps<Amazons>>,
    /// Positions that were looked at for it before.
    pub searched: u64,
    /// It is to be left when one of its numbers reaches these.
    pub most: Numbers,
    /// It is only said to be decided: see [`claimed`].
    pub is_claimed: bool,
}

/// Numbers of a position that is said to be decided by somebody who is not believed: all but decided, so it is looked
/// at once nothing else is missing.
pub(super) fn claimed(wins: bool) -> Numbers {
    if wins { Numbers { proof: 1, disproof: MOST_OPEN } } else { Numbers { proof: MOST_OPEN, disproof: 1 } }
}

/// All that is known near the root.
#[derive(Debug)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    places: HashMap<Situation, Place>,
    /// The nodes with the same contested squares.
    squares: HashMap<Key, Vec<Place>>,
    /// Leaves that somebody searches now.
    taken: HashSet<Place>,
    /// Results that were found and not handed on yet.
    decided: Vec<Fact>,
    /// Somewhere both results were found.
    contradiction: Option<Place>,
}

impl Tree {
    pub fn new(root: Situation, numbers: Numbers) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            places: HashMap::new(),
            squares: HashMap::new(),
            taken: HashSet::new(),
            decided: Vec::new(),
            contradiction: None,
        };
        tree.add(root, numbers, None);
        tree
    }

    pub fn root(&self) -> &Node {
        &self.nodes[ROOT]
    }

    fn add(&mut self, situation: Situation, numbers: Numbers, from: Option<(Place, Steps<Amazons>)>) -> Place {
        let parent = from.as_ref().map(|(parent, _)| *parent);
        let place = *self.places.entry(situation).or_insert_with(|| {
            self.squares.entry(situation.key).or_default().push(self.nodes.len());
            let (parents, turns) = (Vec::new(), None);
            self.nodes.push(Node { situation, numbers, searched: 0, work: 0, first: from, parents, turns });
            self.nodes.len() - 1
        });
        self.nodes[place].parents.extend(parent);
        place
    }

    /// The turn by which the side to move wins, if it does.
    pub fn winning_turn(&self) -> Option<&Steps<Amazons>> {
        let mut turns = self.root().turns.iter().flatten();
        turns.find(|&&(_, place)| self.nodes[place].result() == Some(false)).map(|(turn, _)| turn)
    }

    /// The turns from the root to the position that a node was made for.
    pub fn path(&self, place: Place) -> Vec<Steps<Amazons>> {
        let mut path = Vec::new();
        let mut at = place;
        while let Some((parent, turn)) = &self.nodes[at].first {
            path.push(turn.clone());
            at = *parent;
        }
        path.reverse();
        path
    }

    /// The leaves that somebody searches now.
    pub fn taken(&self) -> impl Iterator<Item = Place> {
        self.taken.iter().copied()
    }

    /// Both results were found at this place, so one of them is false.
    pub fn contradiction(&self) -> Option<Place> {
        self.contradiction
    }

    /// Makes an inner node of a leaf. Those that are new get the numbers that come with them. The turns must be those
    /// of the position at the end of [`Tree::path`].
    pub fn expand(&mut self, place: Place, turns: Vec<(Steps<Amazons>, Situation, Numbers)>) {
        if self.nodes[place].turns.is_some() {
            return;
        }
        let add = |(turn, situation, numbers): (Steps<Amazons>, _, _)| {
            let from = Some((place, turn.clone()));
            (turn, self.add(situation, numbers, from))
        };
        let turns = turns.into_iter().map(add).collect();
        self.nodes[place].turns = Some(turns);
        self.update(vec![place]);
    }

    /// Nobody searches a leaf any more that somebody took.
    pub fn leave(&mut self, place: Place) {
        self.taken.remove(&place);
    }

    /// Puts back what a search found out about a leaf: its numbers, and how many positions it looked at. A result
    /// stays.
    pub fn put(&mut self, place: Place, numbers: Numbers, positions: u64) {
        self.leave(place);
        let add = |count: &mut u64| *count = count.saturating_add(positions);
        add(&mut self.nodes[place].searched);
        let mut next = Some(place);
        while let Some(place) = next {
            add(&mut self.nodes[place].work);
            next = self.nodes[place].first.as_ref().map(|(parent, _)| *parent);
        }
        self.set(place, numbers);
    }

    /// Whether the side to move wins, if that is only said of a leaf.
    pub fn claim(&self, place: Place) -> Option<bool> {
        let Node { numbers, turns, .. } = &self.nodes[place];
        [true, false].into_iter().find(|&wins| turns.is_none() && claimed(wins) == *numbers)
    }

    /// Gives a leaf numbers; a result stays.
    pub fn set(&mut self, place: Place, numbers: Numbers) {
        let (node, result) = (&mut self.nodes[place], numbers.result());
        if let (Some(known), Some(result)) = (node.result(), result)
            && known != result
        {
            self.contradiction = Some(place);
        }
        if node.result().is_some() || node.turns.is_some() && result.is_none() || node.numbers == numbers {
            return;
        }
        node.numbers = numbers;
        let parents = node.parents.clone();
        self.tell(place);
        self.update(parents);
    }

    /// Believes a result that was proven somewhere.
    pub fn learn(&mut self, fact: &Fact) {
        for place in self.squares.get(&fact.key).cloned().unwrap_or_default() {
            if fact.covers(&self.nodes[place].situation) {
                self.set(place, if fact.wins { Numbers::WON } else { Numbers::LOST });
            }
        }
    }

    /// Makes a fact of a node's result, if it has one now.
    fn tell(&mut self, place: Place) {
        let Node { situation: Situation { key, spare }, work, .. } = self.nodes[place];
        if let Some(wins) = self.nodes[place].result() {
            self.decided.push(Fact { key, spare, wins, work: work.max(1) });
        }
    }

    /// The results of nodes that were found since the last call.
    pub fn take_decided(&mut self) -> Vec<Fact> {
        std::mem::take(&mut self.decided)
    }

    /// Carries numbers up.
    fn update(&mut self, mut places: Vec<Place>) {
        while let Some(place) = places.pop() {
            let node = &self.nodes[place];
            let Some(turns) = &node.turns else { continue };
            let numbers = if turns.is_empty() { Numbers::LOST } else { next_below(&self.below(turns), FREE).0 };
            if let (Some(known), Some(result)) = (node.result(), numbers.result())
                && known != result
            {
                self.contradiction = Some(place);
            }
            if node.result().is_none() && numbers != node.numbers {
                self.nodes[place].numbers = numbers;
                self.tell(place);
                places.extend(&self.nodes[place].parents);
            }
        }
    }

    fn below(&self, turns: &[(Steps<Amazons>, Place)]) -> Vec<Numbers> {
        turns.iter().map(|&(_, place)| self.nodes[place].numbers).collect()
    }

    /// Takes the leaf where least is missing that nobody else is at. Where somebody is below a turn, it counts as
    /// farther from its proof, so that others try other turns.
    pub fn take(&mut self) -> Option<Leaf> {
        let mut below: HashMap<Place, u32> = HashMap::new();
        for &place in &self.taken {
            let (mut seen, mut left) = (HashSet::new(), vec![place]);
            while let Some(place) = left.pop() {
                if seen.insert(place) {
                    *below.entry(place).or_default() += 1;
                    left.extend(&self.nodes[place].parents);
                }
            }
        }
        let (place, most) = self.leaf_below(ROOT, FREE, &below)?;
        self.taken.insert(place);
        let (Node { situation, searched, .. }, is_claimed) = (&self.nodes[place], self.claim(place).is_some());
        Some(Leaf { place, situation: *situation, path: self.path(place), searched: *searched, most, is_claimed })
    }

    fn leaf_below(&self, place: Place, most: Numbers, workers: &HashMap<Place, u32>) -> Option<(Place, Numbers)> {
        let node = &self.nodes[place];
        if node.result().is_some() {
            return None;
        }
        let Some(turns) = &node.turns else {
            return (!self.taken.contains(&place)).then_some((place, most));
        };
        let mut below = self.below(turns);
        for (numbers, (_, place)) in below.iter_mut().zip(turns) {
            let (workers, number) = (workers.get(place).copied().unwrap_or(0), numbers.disproof);
            if numbers.result().is_none() {
                numbers.disproof = number.saturating_add((number / APART + 1).saturating_mul(workers)).min(MOST_OPEN);
            }
        }
        loop {
            let (_, best, limit) = next_below(&below, most);
            if below[best].proof == 0 || below[best] == BLOCKED {
                return None;
            }
            if let Some(leaf) = self.leaf_below(turns[best].1, limit, workers) {
                return Some(leaf);
            }
            below[best] = BLOCKED;
        }
    }
}

/// No limit.
pub(super) const FREE: Numbers = Numbers { proof: Numbers::INFINITE, disproof: Numbers::INFINITE };
/// A worker below a turn makes its number greater by 1/APART: far more than within one search, as workers of other
/// leaves find out little for each other.
const APART: u32 = 4;
const MOST_OPEN: u32 = Numbers::INFINITE - 2;
/// All below is taken.
const BLOCKED: Numbers = Numbers { proof: 1, disproof: Numbers::INFINITE - 1 };

#[cfg(test)]
mod tests {
    use super::*;

    fn situation(place: u64) -> Situation {
        Situation { key: Key { place, check: place }, spare: 0 }
    }

    fn numbers(proof: u32, disproof: u32) -> Numbers {
        Numbers { proof, disproof }
    }

    /// A tree of three turns, the first one with two replies, and a third one that leads where the second turn leads.
    fn tree() -> Tree {
        let mut tree = Tree::new(situation(0), numbers(1, 1));
        let to = |place, proof, disproof| (Steps::<Amazons>::default(), situation(place), numbers(proof, disproof));
        tree.expand(ROOT, vec![to(1, 10, 10), to(2, 10, 20), to(3, 10, 30)]);
        tree.expand(1, vec![to(4, 8, 5), to(5, 9, 7), to(2, 1, 1)]);
        tree
    }

    #[test]
    fn workers_go_where_least_is_missing_and_part() {
        let mut tree = tree();
        // A situation known already keeps its numbers; the way to it from here is a second one.
        assert_eq!((tree.nodes.len(), &tree.nodes[2].parents[..]), (6, &[0, 1][..]));
        let taken: Vec<_> = (0..5).map(|_| tree.take().map(|leaf| (leaf.place, leaf.path.len()))).collect();
        // The way to a node that has two is the one by which it was made.
        assert_eq!(taken, [Some((4, 2)), Some((5, 2)), Some((2, 1)), Some((3, 1)), None]);
        tree.put(5, numbers(9, 7), 1_000);
        assert_eq!(tree.take().map(|leaf| (leaf.place, leaf.searched)), Some((5, 1_000)));
        assert_eq!([0, 1, 5, 2].map(|place| tree.nodes[place].work), [1_000, 1_000, 1_000, 0]);
    }

    #[test]
    fn results_go_up_and_facts_cover_what_they_prove() {
        let mut tree = tree();
        let fact = |place, spare, wins| Fact { key: situation(place).key, spare, wins, work: 1 };
        // A win with one spare turn says nothing of none.
        tree.learn(&fact(4, 1, true));
        assert_eq!(tree.nodes[4].result(), None);
        for place in [4, 5, 2] {
            tree.learn(&fact(place, -1, true));
        }
        // All replies to the first turn win, so it loses; and one turn is left.
        assert_eq!((tree.nodes[1].result(), tree.root().result()), (Some(false), Some(true)));
        assert_eq!(tree.take_decided().len(), 5);
        assert!(tree.take().is_none());
    }

    #[test]
    fn two_results_that_contradict_each_other_are_noticed() {
        let mut tree = tree();
        tree.put(4, Numbers::WON, 1);
        tree.put(4, Numbers::WON, 1);
        assert_eq!(tree.contradiction(), None);
        tree.put(4, Numbers::LOST, 1);
        assert_eq!((tree.contradiction(), tree.nodes[4].result()), (Some(4), Some(true)));
        // All replies win, and yet the turn was said to win.
        let mut tree = self::tree();
        tree.put(1, Numbers::WON, 1);
        [4, 5].into_iter().for_each(|place| tree.put(place, Numbers::WON, 1));
        assert_eq!(tree.contradiction(), None);
        tree.put(2, Numbers::WON, 1);
        assert_eq!(tree.contradiction(), Some(1));
    }
}
