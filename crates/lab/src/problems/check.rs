//! Every claim of a problem proven again.

use super::brute::Brute;
use super::judge::{Judge, Judged};
use super::set::{Problem, ProblemError};
use super::tree::Tree;
use hippolyta::games::{Side, Steps, for_each_turn, with_family};

/// How a problem was proven again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Also by the rules alone, without counting, evaluation or tables.
    pub by_rules_alone: bool,
    /// Turns of the solution that were proven to win.
    pub answers: usize,
}

/// Proves anew, from the position and the rules, that the turn wins and no other does, that each of the winner's turns
/// in the solution keeps the win, and that what refutes a wrong turn does. Each turn may take `effort` positions. Where
/// all of it takes at most `brute` positions it is done again by the rules alone. Milliseconds to seconds; in Damone it
/// makes tables first, once.
///
/// # Errors
///
/// If a claim is wrong, or takes more than `effort`.
pub fn check(problem: &Problem, effort: u64, brute: u64) -> Result<Checked, ProblemError> {
    with_family!(problem.variant()?, P => check_of::<P>(problem, effort, brute))
}

fn check_of<P: Judged>(problem: &Problem, effort: u64, brute: u64) -> Result<Checked, ProblemError> {
    let wrong = |what: String| ProblemError::Wrong(problem.id.clone(), what);
    let variant = problem.variant()?;
    let position = P::from_fen(&variant, &problem.fen)?;
    let side = position.side_to_move();
    let Some(mut judge) = P::judge(&position, &variant, effort) else {
        return Err(wrong("it is too large to be proven".to_owned()));
    };
    let mut by_rules = P::ENDS.then(|| Brute::new(side, brute));
    let right = position.parse_turn(&problem.turn)?;
    let mut verdicts = Vec::new();
    for_each_turn(&position, &mut |turn: &Steps<P>, after: &P| verdicts.push((turn.clone(), after.clone())));
    for (turn, after) in verdicts {
        let text = position.turn_text(&turn);
        let expected = turn == right;
        match judge.wins(&after, side) {
            None => return Err(wrong(format!("{text} takes more than {effort} positions"))),
            Some(wins) if wins != expected => {
                let does = if wins { "wins as well" } else { "does not win" };
                return Err(wrong(format!("{text} {does}")));
            }
            Some(_) => {}
        }
        match by_rules.as_mut().map(|brute| brute.wins(&after)) {
            // Too large for it.
            Some(None) => by_rules = None,
            Some(Some(wins)) if wins != expected => {
                return Err(wrong(format!("by the rules alone {text} is another matter")));
            }
            _ => {}
        }
    }
    if let Some(plies) = problem.plies
        && judge.plies(&position) != Some(plies)
    {
        return Err(wrong(format!("it does not end after {plies} plies")));
    }
    let answers = follow(judge.as_mut(), &position, side, &problem.solution).map_err(wrong)?;
    for (text, replies) in &problem.wrong.branches {
        let after = played(&position, text).map_err(wrong)?;
        if replies.is_empty() {
            return Err(wrong(format!("nothing refutes {text}")));
        }
        for (reply, _) in &replies.branches {
            if judge.wins(&played(&after, reply).map_err(wrong)?, side) != Some(false) {
                return Err(wrong(format!("{reply} does not refute {text}")));
            }
        }
    }
    Ok(Checked { by_rules_alone: by_rules.is_some(), answers })
}

/// The position after a turn of the solution.
fn played<P: Judged>(position: &P, text: &str) -> Result<P, String> {
    let turn = position.parse_turn(text).map_err(|error| format!("the solution: {error}"))?;
    let mut after = position.clone();
    turn.iter().for_each(|&step| after.play(step));
    Ok(after)
}

/// The number of turns of `side` in a solution, each of which wins.
fn follow<P: Judged>(judge: &mut dyn Judge<P>, position: &P, side: Side, tree: &Tree) -> Result<usize, String> {
    let mut answers = 0;
    let own = position.side_to_move() == side;
    if own && tree.branches.len() > 1 {
        return Err("the solution has two answers to one reply".to_owned());
    }
    for (text, rest) in &tree.branches {
        let after = played(position, text)?;
        if own {
            answers += 1;
            if judge.wins(&after, side) != Some(true) {
                return Err(format!("{text} of the solution is not proven to win"));
            }
        } else if rest.is_empty() {
            return Err(format!("the solution has no answer to {text}"));
        }
        answers += follow(judge, &after, side, rest)?;
    }
    Ok(answers)
}
