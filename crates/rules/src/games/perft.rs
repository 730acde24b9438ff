use super::{Position, Steps, for_each_turn, legal_turns};
use rayon::prelude::*;

/// The result of [`perft`].
///
/// ```
/// use hippolyta_rules::games::{Notation, amazons::Amazons, perft, variant};
///
/// let position = Amazons::from_fen(&variant::find("amazons")?, "q2/3/2Q w")?;
/// let counted = perft(&position, 2);
/// assert_eq!(counted.divide.len(), 29);
/// assert_eq!(counted.nodes, counted.divide.iter().map(|(_, count)| count).sum::<u64>());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perft<T> {
    /// Every legal turn, in the order of the rules, with the number of ways to go on. Empty for depth 0.
    pub divide: Vec<(T, u64)>,
    /// The sum of these: the number of sequences of `depth` turns. It stops at `u64::MAX`.
    pub nodes: u64,
}

/// Turns that are counted in one go, between two looks at whether to go on.
const AT_ONCE: u32 = 2;
/// In a position with more turns than this, as rules of one's own can have, even two at once would take too long.
const MOST_AT_ONCE: u64 = 5_000;

/// Counts the sequences of exactly `depth` turns from `position`. Blocks, and works on the rayon pool it is called
/// from.
///
/// ```
/// use hippolyta_rules::games::{Notation, amazons::Amazons, perft, variant};
///
/// let variant = &variant::find("amazons")?;
/// let start = Amazons::from_fen(variant, variant.start())?;
/// assert_eq!(perft(&start, 1).nodes, 2_176);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn perft<P: Position>(position: &P, depth: u32) -> Perft<Steps<P>> {
    perft_while(position, depth, &|| true).unwrap_or(Perft { divide: Vec::new(), nodes: 0 })
}

/// Like [`perft`], but gives up with `None` once `go_on`, which is called often and from many threads, returns false.
///
/// ```
/// use hippolyta_rules::games::{Notation, amazons::Amazons, perft_while, variant};
/// use std::time::{Duration, Instant};
///
/// let variant = &variant::find("amazons")?;
/// let start = Amazons::from_fen(variant, variant.start())?;
/// let end = Instant::now() + Duration::from_millis(50);
/// // 10 turns would take years.
/// assert!(perft_while(&start, 10, &|| Instant::now() < end).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn perft_while<P: Position>(
    position: &P,
    depth: u32,
    go_on: &(dyn Fn() -> bool + Sync),
) -> Option<Perft<Steps<P>>> {
    if depth == 0 {
        return Some(Perft { divide: Vec::new(), nodes: 1 });
    }
    let count = |turn: Steps<P>| {
        let mut after = position.clone();
        turn.iter().for_each(|&step| after.play(step));
        let count = count_while(&after, depth - 1, go_on)?;
        Some((turn, count))
    };
    let turns = legal_turns(position);
    // The page has one thread, and does without the code for several.
    let divide: Option<Vec<_>> = if cfg!(feature = "counts") {
        turns.into_par_iter().map(count).collect()
    } else {
        turns.into_iter().map(count).collect()
    };
    let divide = divide?;
    let nodes = divide.iter().fold(0u64, |sum, (_, count)| sum.saturating_add(*count));
    Some(Perft { divide, nodes })
}

fn count_while<P: Position>(position: &P, turns: u32, go_on: &dyn Fn() -> bool) -> Option<u64> {
    if turns < AT_ONCE || turns == AT_ONCE && position.count_turns(1) <= MOST_AT_ONCE {
        return go_on().then(|| position.count_turns(turns));
    }
    // Here as well: games may end long before so many turns.
    let mut count = go_on().then_some(0u64);
    for_each_turn(position, &mut |_, after| {
        count = count.and_then(|sum| Some(sum.saturating_add(count_while(after, turns - 1, go_on)?)));
    });
    count
}
