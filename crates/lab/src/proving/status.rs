//! How far a run has come, and an estimate of what is left.

use super::folder::Working;
use super::tree::{Node, Place, Tree};
use hippolyta::games::Steps;
use hippolyta::games::amazons::Amazons;
use serde::Serialize;

/// How far a run has come.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// The rule set.
    pub variant: String,
    /// The position.
    pub fen: String,
    /// Whether the side to move wins, once it is known.
    pub wins: Option<bool>,
    /// The turn by which it wins.
    pub turn: Option<String>,
    /// Positions looked at so far.
    pub positions: u64,
    /// The time of all threads so far, in seconds.
    pub seconds: f64,
    /// Positions near the root that are kept one by one.
    pub nodes: usize,
    /// Proof and disproof number of the position: about how many leaves are missing.
    pub numbers: [u32; 2],
    /// Its turns, those nearest to a proof that they win first.
    pub turns: Vec<RootTurn>,
    /// How many of them are refuted.
    pub refuted: usize,
    /// The first of them and the replies to it; `None` if all are refuted.
    pub best: Option<Best>,
    /// The process that works now.
    pub owner: Option<Owner>,
    /// A word on what the folder holds that a process did not write to the end, as it was killed.
    pub left_out: Option<String>,
}

/// A turn at the root.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RootTurn {
    /// The turn.
    pub turn: String,
    /// Whether it wins, once it is known.
    pub wins: Option<bool>,
    /// About how many leaves are missing for a proof that it wins, and that it loses.
    pub numbers: [u32; 2],
    /// Positions looked at below it.
    pub positions: u64,
}

/// The turn that seems nearest to a win.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Best {
    /// The turn.
    pub turn: String,
    /// Replies to it.
    pub replies: usize,
    /// How many of these are refuted.
    pub answered: usize,
    /// Positions that are left until it is proven that this turn wins, if it does; `None` as long as fewer than
    /// [`Left::LEAST`] replies were refuted by search.
    pub left: Option<Left>,
}

/// Positions still to be looked at, by what the replies took that are refuted: each open one is taken to cost as much
/// as theirs, or if it has cost more already, as much again. The last ones are often the hardest, so more is likelier
/// than less.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Left {
    /// As much as the quarter of replies that took least.
    pub low: u64,
    /// As much as the mean.
    pub middle: u64,
    /// As much as the tenth of replies that took most.
    pub high: u64,
}

/// The process at work.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Owner {
    /// Its number, its machine, and when it began.
    pub name: String,
    /// Its threads.
    pub threads: usize,
    /// The memory of its table, MiB.
    pub hash_mib: usize,
    /// Positions that it looked at in a second.
    pub speed: f64,
    /// The turns to the positions that it searches.
    pub at: Vec<String>,
    /// Of a proof file that it writes: turns so far, and positions where the winner moves in this layer.
    pub proof: Option<[usize; 2]>,
}

impl Owner {
    pub(super) fn new(name: String, working: Working) -> Self {
        let Working { threads, hash_mib, positions, seconds, at, proof } = working;
        Self { name, threads, hash_mib, speed: positions as f64 / seconds.max(0.001), at, proof }
    }
}

impl Left {
    /// With fewer refuted replies there is no estimate.
    pub const LEAST: usize = 5;

    /// By what refuted replies took, and what open ones took so far.
    fn new(mut done: Vec<u64>, open: &[u64]) -> Option<Self> {
        done.retain(|&work| work > 0);
        if done.len() < Self::LEAST {
            return None;
        }
        done.sort_unstable();
        let last = done.len() - 1;
        let left = |each: u64| open.iter().map(|&spent| if spent < each { each - spent } else { spent }).sum();
        let mean = done.iter().sum::<u64>() / done.len() as u64;
        Some(Self { low: left(done[last / 4]), middle: left(mean), high: left(done[last - last / 10]) })
    }
}

impl Status {
    pub(super) fn new(
        variant: &str,
        fen: String,
        tree: &Tree,
        (positions, seconds): (u64, f64),
        text: &dyn Fn(&Steps<Amazons>) -> String,
    ) -> Self {
        let root = tree.root();
        let after = |node: &Node| -> Vec<(Steps<Amazons>, Place)> { node.turns.clone().unwrap_or_default() };
        let mut turns = after(root);
        let lost = |place: Place| tree.nodes[place].result() == Some(true);
        turns.sort_by_key(|&(_, place)| (lost(place), tree.nodes[place].numbers.disproof));
        let refuted = turns.iter().filter(|&&(_, place)| lost(place)).count();
        let best = turns.first().filter(|&&(_, place)| !lost(place)).map(|(turn, place)| {
            let replies = after(&tree.nodes[*place]);
            let work = |refuted: bool| -> Vec<u64> {
                let places = replies.iter().map(|&(_, place)| place).filter(|&place| lost(place) == refuted);
                places.map(|place| tree.nodes[place].work).collect()
            };
            let (done, open) = (work(true), work(false));
            Best { turn: text(turn), replies: replies.len(), answered: done.len(), left: Left::new(done, &open) }
        });
        let root_turn = |(turn, place): &(Steps<Amazons>, Place)| {
            let node = &tree.nodes[*place];
            let numbers = [node.numbers.disproof, node.numbers.proof];
            RootTurn { turn: text(turn), wins: node.result().map(|wins| !wins), numbers, positions: node.work }
        };
        Self {
            variant: variant.to_owned(),
            fen,
            wins: root.result(),
            turn: tree.winning_turn().map(text),
            positions,
            seconds,
            nodes: tree.nodes.len(),
            numbers: [root.numbers.proof, root.numbers.disproof],
            refuted,
            best,
            turns: turns.iter().map(root_turn).collect(),
            owner: None,
            left_out: None,
        }
    }

    /// As a line for a terminal.
    pub fn line(&self) -> String {
        let spent = count(self.positions);
        let Some(best) = &self.best else {
            return format!("{} of {} turns refuted, {spent} positions", self.refuted, self.turns.len());
        };
        let left = best.left.as_ref().map_or("unknown".to_owned(), |left| {
            format!("{} ({} to {})", count(left.middle), count(left.low), count(left.high))
        });
        let replies = match best.replies {
            0 => "no reply looked at alone yet".to_owned(),
            replies => format!("{} of {replies} replies refuted", best.answered),
        };
        let (refuted, turns, turn) = (self.refuted, self.turns.len(), &best.turn);
        format!("{refuted} of {turns} turns refuted; {turn}: {replies}; {spent} positions, left for it: {left}")
    }
}

/// A number of positions, rounded.
fn count(positions: u64) -> String {
    match positions {
        0..10_000 => positions.to_string(),
        10_000..10_000_000 => format!("{} k", positions / 1_000),
        10_000_000..10_000_000_000 => format!("{} M", positions / 1_000_000),
        _ => format!("{} G", positions / 1_000_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_needs_refuted_replies_and_says_how_far_they_differ() {
        assert_eq!(Left::new(vec![5, 5, 0, 5, 0, 5], &[0, 0]), None);
        let left = Left::new(vec![1, 2, 3, 4, 40], &[0, 3, 100]).unwrap();
        assert_eq!(left, Left { low: 2 + 3 + 100, middle: 10 + 7 + 100, high: 40 + 37 + 100 });
    }

    #[test]
    fn counts_are_rounded() {
        assert_eq!([9_999, 25_000, 6_800_000_000, 12_813_000_000].map(count), ["9999", "25 k", "6800 M", "12 G"]);
    }
}
