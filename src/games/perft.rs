use super::{Position, Turn, legal_turns};
use rayon::prelude::*;

/// Result of [`perft`].
#[derive(Clone, Debug)]
pub struct Perft<P: Position> {
    /// For every legal turn, in the rules' order, the number of ways to go on. Empty for depth 0.
    pub divide: Vec<(Turn<P>, u64)>,
    /// Their sum: the number of sequences of `depth` turns.
    pub nodes: u64,
}

/// Counts the sequences of exactly `depth` turns from `position`. Runs in the rayon pool it is called from.
///
/// ```
/// use hippolyta::games::{Notation, amazons::Amazons, perft, variant};
/// let variant = variant::find("amazons").unwrap();
/// let start = Amazons::from_fen(variant, variant.start).unwrap();
/// assert_eq!(perft(&start, 1).nodes, 2_176);
/// ```
#[must_use]
pub fn perft<P: Position>(position: &P, depth: u32) -> Perft<P> {
    if depth == 0 {
        return Perft { divide: Vec::new(), nodes: 1 };
    }
    let divide: Vec<_> = legal_turns(position)
        .into_par_iter()
        .map(|turn| {
            let mut after = position.clone();
            turn.iter().for_each(|&step| after.play(step));
            let count = after.count_turns(depth - 1);
            (turn, count)
        })
        .collect();
    let nodes = divide.iter().map(|(_, count)| count).sum();
    Perft { divide, nodes }
}
