//! The tree of a search, as far as it is worth a look.

use crate::eval::Evaluator;
use crate::games::{Notation, Outcome, Side, Step, Steps};
use crate::search::Search;

/// A half-turn in the tree of a search, with those after it: see [`Engine::tree`](super::Engine::tree).
///
/// ```
/// use hippolyta::engine::{Board, Control, Engine, Limits, Model, Settings};
/// use hippolyta::games::variant;
///
/// let variant = &variant::find("amazons6")?;
/// let mut engine = Engine::new(variant, &Model::default(), Settings { hash: 1, ..Settings::default() })?;
/// let limits = Limits { nodes: Some(500), ..Limits::default() };
/// engine.analyse(&Board::new(variant), &limits, &Control::default(), &mut |_| ())?;
/// let tree = engine.tree(2, 5);
/// let (first, second) = (&tree[0], &tree[0].children[0]);
/// assert!(!first.is_whole && second.is_whole && second.text.starts_with(&first.text));
/// assert!(first.visits >= second.visits && second.visits >= 5 && second.children.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// The turn as far as it goes with this half-turn: `d1d7`, and `d1d7,d7g7` for the fire after it.
    pub text: String,
    /// Whether the turn is whole.
    pub is_whole: bool,
    /// Whose turn it is.
    pub side: Side,
    /// The number of simulations that went through it.
    pub visits: u32,
    /// Its prior among those of its position, 0 … 1.
    pub prior: f32,
    /// White's mean score, 0 … 1, or that of a proven result.
    pub white: f32,
    /// Its proven result, if there is one.
    pub proven: Option<Outcome>,
    /// The half-turns after it, those with the most visits first.
    pub children: Vec<Branch>,
}

/// Where the tree is looked at.
struct Place<P: Notation> {
    /// The position at the start of the turn, and the steps since then.
    start: P,
    begun: Steps<P>,
    position: P,
    /// The steps from the root.
    path: Vec<P::Step>,
}

/// The half-turns after the root of the last search, down to `depth` of them, with at least `least` visits.
pub(super) fn tree<P: Notation, E: Evaluator<P>>(search: &Search<P, E>, depth: usize, least: u32) -> Vec<Branch> {
    let place =
        |root: &P| Place { start: root.clone(), begun: Steps::<P>::new(), position: root.clone(), path: Vec::new() };
    search.root().map(|root| branches(search, &place(root), depth, least.max(1))).unwrap_or_default()
}

fn branches<P: Notation, E: Evaluator<P>>(
    search: &Search<P, E>,
    place: &Place<P>,
    depth: usize,
    least: u32,
) -> Vec<Branch> {
    let Some(deeper) = depth.checked_sub(1) else { return Vec::new() };
    let mut found: Vec<_> = search.steps_after(&place.path).into_iter().filter(|step| step.visits >= least).collect();
    found.sort_by_cached_key(|step| (std::cmp::Reverse(step.visits), step.step.code()));
    let branch = |step: crate::search::StepStatistics<P::Step>| {
        let mut begun = place.begun.clone();
        begun.push(step.step);
        let text = place.start.turn_text(&begun);
        let position = place.position.after(step.step);
        let is_whole = position.at_turn_start();
        let start = if is_whole { position.clone() } else { place.start.clone() };
        if is_whole {
            begun.clear();
        }
        let path = place.path.iter().copied().chain([step.step]).collect();
        let white = step.proven.map(|outcome| crate::eval::Value::of(outcome).white).or(step.white);
        Branch {
            text,
            is_whole,
            side: place.position.side_to_move(),
            visits: step.visits,
            prior: step.prior,
            white: white.unwrap_or(0.5),
            proven: step.proven,
            children: branches(search, &Place { start, begun, position, path }, deeper, least),
        }
    };
    found.into_iter().map(branch).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Board, Control, Engine, Limits, Model, Settings};
    use crate::games::variant::{VARIANTS, find};

    fn searched(board: &Board) -> Engine {
        let settings = Settings { hash: 4, ..Settings::default() };
        let mut engine = Engine::new(board.variant(), &Model::default(), settings).unwrap();
        let limits = Limits { nodes: Some(2_000), ..Limits::default() };
        engine.analyse(board, &limits, &Control::default(), &mut |_| ()).unwrap();
        engine
    }

    /// Plays what a tree has, and counts its whole turns.
    fn check(board: &Board, branches: &[Branch], least: u32) -> usize {
        assert!(branches.is_sorted_by(|one, other| one.visits >= other.visits));
        let mut turns = 0;
        for branch in branches {
            let children: u32 = branch.children.iter().map(|child| child.visits).sum();
            assert!(branch.visits >= least && children <= branch.visits, "{branch:?}");
            assert_eq!(branch.side, board.side_to_move());
            let mut after = board.clone();
            if branch.is_whole {
                after.play(&branch.text).unwrap();
                turns += 1;
            } else {
                assert!(branch.children.iter().all(|child| child.text.starts_with(&branch.text) && child.is_whole));
            }
            turns += check(&after, &branch.children, least);
        }
        turns
    }

    #[test]
    fn a_tree_has_legal_turns_with_the_visits_of_the_search() {
        for variant in VARIANTS {
            let board = Board::new(variant);
            let engine = searched(&board);
            let tree = engine.tree(4, 3);
            assert!(check(&board, &tree, 3) > 3, "{}", variant.name());
            let halves = engine.half_turns();
            for branch in &tree {
                let known = halves.iter().filter(|half| half.codes.len() == 1 && half.visits == branch.visits);
                assert!(known.filter_map(|half| half.white).any(|white| white == branch.white), "{}", variant.name());
            }
            assert!(engine.tree(1, 1).iter().all(|branch| branch.children.is_empty()));
            assert!(engine.tree(0, 1).is_empty() && engine.tree(9, u32::MAX).is_empty());
        }
    }

    #[test]
    fn what_needed_no_search_has_no_tree() {
        let board = Board::from_fen(&find("amazons").unwrap(), "Q**/***/**q b").unwrap();
        assert!(searched(&board).tree(3, 1).is_empty());
    }
}
