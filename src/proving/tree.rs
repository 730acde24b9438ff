//! The turns near the root, and how far each of them is from a proof.
//!
//! A node is a [`Situation`], so ways that meet again meet in one node. Its numbers are those of the proof search below
//! it. A leaf's come from the searches of the leaf itself; they go up as in any proof-number search.

use crate::endgame::amazons::{Fact, Key, Numbers, Situation, next_below};
use crate::games::Turn;
use crate::games::amazons::Amazons;
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
    /// Positions that were looked at for it as a leaf, by whomever.
    pub searched: u64,
    /// The same for it and, where it was the first to lead to them, all below it.
    pub work: u64,
    /// Those that lead here, the first one first.
    pub parents: Vec<Place>,
    /// The turns, and where they lead; `None` for a leaf.
    pub turns: Option<Vec<(Turn<Amazons>, Place)>>,
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
    /// How to get there from the root.
    pub turns: Vec<Turn<Amazons>>,
    /// It is to be left when one of its numbers reaches these.
    pub most: Numbers,
}

/// All that is known near the root.
#[derive(Debug)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
    places: HashMap<Situation, Place>,
    /// The nodes with the same contested squares.
    squares: HashMap<Key, Vec<Place>>,
    /// Nodes whose result was found and not taken yet.
    decided: Vec<Place>,
}

impl Tree {
    pub fn new(root: Situation, numbers: Numbers) -> Self {
        let mut tree = Self { nodes: Vec::new(), places: HashMap::new(), squares: HashMap::new(), decided: Vec::new() };
        tree.add(root, numbers, None);
        tree
    }

    pub fn root(&self) -> &Node {
        &self.nodes[ROOT]
    }

    /// The node of a situation.
    pub fn find(&self, situation: &Situation) -> Option<Place> {
        self.places.get(situation).copied()
    }

    fn add(&mut self, situation: Situation, numbers: Numbers, parent: Option<Place>) -> Place {
        let place = *self.places.entry(situation).or_insert_with(|| {
            self.squares.entry(situation.key).or_default().push(self.nodes.len());
            let (parents, turns) = (Vec::new(), None);
            self.nodes.push(Node { situation, numbers, searched: 0, work: 0, parents, turns });
            self.nodes.len() - 1
        });
        self.nodes[place].parents.extend(parent);
        place
    }

    /// Makes an inner node of a leaf. Those that are new get the numbers that come with them.
    pub fn expand(&mut self, place: Place, turns: Vec<(Turn<Amazons>, Situation, Numbers)>) {
        if self.nodes[place].turns.is_some() {
            return;
        }
        let add = |(turn, situation, numbers)| (turn, self.add(situation, numbers, Some(place)));
        let turns = turns.into_iter().map(add).collect();
        self.nodes[place].turns = Some(turns);
        self.update(vec![place]);
    }

    /// New numbers of a leaf. A result stays.
    pub fn set(&mut self, place: Place, numbers: Numbers) {
        let node = &mut self.nodes[place];
        if node.result().is_some() || node.turns.is_some() && numbers.result().is_none() || node.numbers == numbers {
            return;
        }
        node.numbers = numbers;
        if numbers.result().is_some() {
            self.decided.push(place);
        }
        let parents = self.nodes[place].parents.clone();
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

    /// Counts positions that were looked at below a node.
    pub fn spend(&mut self, place: Place, positions: u64) {
        let mut next = Some(place);
        while let Some(place) = next {
            self.nodes[place].work += positions;
            next = self.nodes[place].parents.first().copied();
        }
    }

    /// The nodes decided since the last call.
    pub fn take_decided(&mut self) -> Vec<Place> {
        std::mem::take(&mut self.decided)
    }

    /// Carries numbers up.
    fn update(&mut self, mut places: Vec<Place>) {
        while let Some(place) = places.pop() {
            let node = &self.nodes[place];
            let Some(turns) = &node.turns else { continue };
            if node.result().is_some() {
                continue;
            }
            let numbers = if turns.is_empty() { Numbers::LOST } else { next_below(&self.below(turns), FREE).0 };
            if numbers != node.numbers {
                self.nodes[place].numbers = numbers;
                if numbers.result().is_some() {
                    self.decided.push(place);
                }
                places.extend(&self.nodes[place].parents);
            }
        }
    }

    fn below(&self, turns: &[(Turn<Amazons>, Place)]) -> Vec<Numbers> {
        turns.iter().map(|&(_, place)| self.nodes[place].numbers).collect()
    }

    /// The leaf where least is missing that nobody else is at. Where somebody is below a turn it counts as farther from
    /// its proof, so that others try other turns.
    pub fn leaf(&self, taken: &HashSet<Place>) -> Option<Leaf> {
        let mut below: HashMap<Place, u32> = HashMap::new();
        for &place in taken {
            let (mut seen, mut left) = (HashSet::new(), vec![place]);
            while let Some(place) = left.pop() {
                if seen.insert(place) {
                    *below.entry(place).or_default() += 1;
                    left.extend(&self.nodes[place].parents);
                }
            }
        }
        let mut turns = Vec::new();
        let (place, most) = self.leaf_below(ROOT, FREE, taken, &below, &mut turns)?;
        Some(Leaf { place, turns, most })
    }

    fn leaf_below(
        &self,
        place: Place,
        most: Numbers,
        taken: &HashSet<Place>,
        workers: &HashMap<Place, u32>,
        path: &mut Vec<Turn<Amazons>>,
    ) -> Option<(Place, Numbers)> {
        let node = &self.nodes[place];
        if node.result().is_some() {
            return None;
        }
        let Some(turns) = &node.turns else {
            return (!taken.contains(&place)).then_some((place, most));
        };
        let mut below = self.below(turns);
        for (numbers, (_, place)) in below.iter_mut().zip(turns) {
            let (workers, number) = (workers.get(place).copied().unwrap_or(0), numbers.disproof);
            if numbers.result().is_none() {
                numbers.disproof = number.saturating_add((number / APART + 1) * workers).min(MOST_OPEN);
            }
        }
        loop {
            let (_, best, limit) = next_below(&below, most);
            if below[best].proof == 0 || below[best] == BLOCKED {
                return None;
            }
            let (turn, place) = &turns[best];
            path.push(turn.clone());
            if let Some(leaf) = self.leaf_below(*place, limit, taken, workers, path) {
                return Some(leaf);
            }
            path.pop();
            below[best] = BLOCKED;
        }
    }
}

/// No limit.
const FREE: Numbers = Numbers { proof: Numbers::INFINITE, disproof: Numbers::INFINITE };
/// A process below a turn makes its number greater by 1/APART: others have a table of their own, so they are to part
/// more than workers with the same one.
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

    /// A tree of three turns, the first one with two replies.
    fn tree() -> Tree {
        let mut tree = Tree::new(situation(0), numbers(1, 1));
        let to = |place, proof, disproof| (Turn::<Amazons>::default(), situation(place), numbers(proof, disproof));
        tree.expand(ROOT, vec![to(1, 10, 10), to(2, 10, 20), to(3, 10, 30)]);
        tree.expand(1, vec![to(4, 8, 5), to(5, 9, 7), to(2, 1, 1)]);
        tree
    }

    #[test]
    fn workers_go_where_least_is_missing_and_part() {
        let tree = tree();
        // A situation known already keeps its numbers; the way to it from here is a second one.
        assert_eq!((tree.nodes.len(), &tree.nodes[2].parents[..]), (6, &[0, 1][..]));
        let leaf = |taken: &[Place]| tree.leaf(&taken.iter().copied().collect()).map(|leaf| leaf.place);
        assert_eq!(leaf(&[]), Some(4));
        assert_eq!(leaf(&[4]), Some(5));
        assert_eq!(leaf(&[4, 5]), Some(2));
        assert_eq!(leaf(&[2, 4, 5]), Some(3));
        assert_eq!(leaf(&[2, 3, 4, 5]), None);
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
        assert_eq!(tree.leaf(&HashSet::new()).map(|leaf| leaf.place), None);
    }
}
