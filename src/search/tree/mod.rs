//! The tree's memory: nodes, and the arena they live in.

mod arena;
mod node;

pub(super) use arena::{FIRST_CHUNK, Full, NodeId, Room, Tree};
pub(super) use node::{Node, SCORE_ONE, to_fixed};
