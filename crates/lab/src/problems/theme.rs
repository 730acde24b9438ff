//! Themes of a problem, as far as its winning turn shows them.

use super::set::{Problem, ProblemError};
use hippolyta::board::Square;
use hippolyta::engine::Board;
use hippolyta::games::{Piece, Turn};
use serde::{Deserialize, Serialize};

/// Something that the turn that wins does.
///
/// ```
/// use hippolyta_lab::problems::{ProblemSet, Theme};
///
/// let set = ProblemSet::built_in();
/// let shutting = set.problems.iter().filter(|problem| problem.themes.contains(&Theme::ShutIn));
/// assert!(shutting.count() > 10);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Theme {
    /// It takes the last free square from an amazon of the other side.
    ShutIn,
    /// It flips stones.
    Flip,
    /// It offers a piece, which the other side has to take.
    Offer,
    /// Its piece becomes another.
    Promotion,
    /// After it counting alone tells who wins: the solution ends with it.
    Count,
}

impl Theme {
    /// Those of a problem.
    ///
    /// # Errors
    ///
    /// If its position or its turn is bad.
    pub fn of(problem: &Problem) -> Result<Vec<Self>, ProblemError> {
        let board = problem.board()?;
        let mut after = board.clone();
        after.play(&problem.turn)?;
        let effects = after.last_effects().unwrap_or_default();
        let fires = board.variant().traits().fires;
        let ends = problem.solution.branches.iter().all(|(_, replies)| replies.is_empty());
        let victim = Piece::Amazon(!board.side_to_move());
        let before = shut_in(&board, victim);
        let themes = [
            (Self::ShutIn, shut_in(&after, victim).iter().any(|square| !before.contains(square))),
            (Self::Flip, !effects.flipped.is_empty()),
            (Self::Offer, after.legal_turns().all().iter().any(|reply| takes(&after, reply))),
            (Self::Promotion, effects.promoted.is_some()),
            (Self::Count, fires && ends && after.outcome().is_none()),
        ];
        Ok(themes.into_iter().filter(|(_, is)| *is).map(|(theme, _)| theme).collect())
    }
}

fn takes(board: &Board, turn: &Turn) -> bool {
    board.effects(turn).is_ok_and(|effects| !effects.captured.is_empty())
}

/// The amazons without a free square beside them.
fn shut_in(board: &Board, amazon: Piece) -> Vec<Square> {
    let (files, ranks) = board.size();
    let all = (0..files * ranks).filter_map(|at| Square::at(at % files, at / files));
    let is_free = |file: usize, rank: usize| {
        file < files && rank < ranks && Square::at(file, rank).is_some_and(|square| board.at(square).is_none())
    };
    let is_shut = |square: &Square| {
        let near = |at: usize| at.saturating_sub(1)..=at + 1;
        !near(square.file()).any(|file| near(square.rank()).any(|rank| is_free(file, rank)))
    };
    all.filter(|&square| board.at(square) == Some(amazon)).filter(is_shut).collect()
}

#[cfg(test)]
mod tests {
    use super::super::ProblemSet;
    use super::*;
    use std::collections::BTreeMap;

    fn of(variant: &str, fen: &str, turn: &str) -> Vec<Theme> {
        let problem = &ProblemSet::built_in().problems[0];
        let (variant, fen, turn) = (variant.to_owned(), fen.to_owned(), turn.to_owned());
        let solution = super::super::Tree::of(turn.clone(), problem.solution.clone());
        Theme::of(&Problem { variant, fen, turn, solution, ..problem.clone() }).unwrap()
    }

    #[test]
    fn themes_are_what_the_turn_does() {
        // a3 has b3, b2 and a2; fire at the last of them, and before that not.
        assert_eq!(of("amazons", "q2*2/**1*2/1Q4 w - - 0 1", "b1a1,a1b1"), []);
        assert_eq!(of("amazons", "q*1*2/*2*2/1Q4 w - - 0 1", "b1a1,a1b2"), [Theme::ShutIn]);
        assert_eq!(of("iago", "q4/5/1Ss2/5/4Q w - - 0 1", "e1e3,e3d3"), [Theme::Flip]);
    }

    #[test]
    fn every_theme_comes_up() {
        let mut seen = BTreeMap::new();
        for problem in &ProblemSet::built_in().problems {
            for theme in &problem.themes {
                *seen.entry(*theme).or_insert(0) += 1;
            }
        }
        assert!(seen.len() == 5 && seen.values().all(|&count| count >= 5), "{seen:?}");
    }
}
