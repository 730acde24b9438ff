//! The tree's memory: nodes, and the arena they live in.

mod arena;
mod node;

#[cfg(test)]
pub(super) use arena::MOST_VISITS;
pub(super) use arena::{FIRST_CHUNK, Full, NodeId, Slots, Tree};
pub(super) use node::{Candidate, Node, SCORE_ONE, to_fixed};
