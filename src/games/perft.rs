use super::{Position, Turn, for_each_turn, legal_turns};
use rayon::prelude::*;

/// Result of [`perft`].
#[derive(Clone, Debug)]
pub struct Perft<P: Position> {
    /// For every legal turn, in the rules' order, the number of ways to go on. Empty for depth 0.
    pub divide: Vec<(Turn<P>, u64)>,
    /// Their sum: the number of sequences of `depth` turns.
    pub nodes: u64,
}

/// Turns that are counted in one go, between two looks at whether to go on.
const AT_ONCE: u32 = 2;

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
    perft_while(position, depth, &|| true).unwrap_or(Perft { divide: Vec::new(), nodes: 0 })
}

/// The same for as long as `go_on` agrees, which is asked often; `None` if it did not to the end.
pub fn perft_while<P: Position>(
    position: &P,
    depth: u32,
    go_on: &(impl Fn() -> bool + Sync + ?Sized),
) -> Option<Perft<P>> {
    if depth == 0 {
        return Some(Perft { divide: Vec::new(), nodes: 1 });
    }
    let count = |turn: Turn<P>| {
        let mut after = position.clone();
        turn.iter().for_each(|&step| after.play(step));
        let count = count_while(&after, depth - 1, go_on)?;
        Some((turn, count))
    };
    let divide: Vec<_> = legal_turns(position).into_par_iter().map(count).collect::<Option<_>>()?;
    let nodes = divide.iter().fold(0u64, |sum, (_, count)| sum.saturating_add(*count));
    Some(Perft { divide, nodes })
}

fn count_while<P: Position>(position: &P, turns: u32, go_on: &(impl Fn() -> bool + ?Sized)) -> Option<u64> {
    if turns <= AT_ONCE {
        return go_on().then(|| position.count_turns(turns));
    }
    let mut count = Some(0u64);
    for_each_turn(position, &mut |_, after| {
        count = count.and_then(|sum| Some(sum.saturating_add(count_while(after, turns - 1, go_on)?)));
    });
    count
}
