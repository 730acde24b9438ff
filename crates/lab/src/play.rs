//! Games of the engine with itself: one loop for self-play, for openings, for the match of new weights against those
//! before, and for whatever is measured by games.

use hippolyta::engine::{AnalyseError, Analysis, Board, Control, Engine, Limits, Model, Settings, SettingsError};
use hippolyta::eval::now;
use hippolyta::games::variant::Variant;
use hippolyta::games::{Outcome, Turn};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::ControlFlow;
use thiserror::Error;

/// Turns after which a game is drawn.
pub const LONGEST: u32 = 400;
/// Memory of a search for a turn, MiB.
pub const HASH: usize = 16;

/// Why the engine cannot play.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The system refuses memory or threads, or the model has no evaluator.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// A position cannot be searched.
    #[error(transparent)]
    Analyse(#[from] AnalyseError),
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Rules,
    /// Its result was proven.
    Proven,
    /// Too many turns: counted as a draw.
    TooLong,
}

/// A turn to play, or the result that is clear without one. Without a turn the game is too long.
pub type Choice = ControlFlow<Outcome, Option<Turn>>;

/// An engine that plays, on one thread.
///
/// # Errors
///
/// If there is none.
pub fn engine(variant: &Variant, model: &Model, seed: u64) -> Result<Engine, PlayError> {
    Ok(Engine::new(variant, model, Settings { hash: HASH, seed, ..Settings::default() })?)
}

/// Lets an engine begin a game with this seed.
///
/// # Errors
///
/// Never, as memory and threads stay.
pub fn begin(engine: &mut Engine, seed: u64) -> Result<(), PlayError> {
    engine.set(&Settings { seed, ..engine.settings().clone() })?;
    engine.clear();
    Ok(())
}

/// The findings of a search of this number of positions.
///
/// # Errors
///
/// If the board is of another rule set.
pub fn search(engine: &mut Engine, board: &Board, nodes: u64, control: &Control) -> Result<Analysis, PlayError> {
    Ok(engine.search(board, &Limits { nodes: Some(nodes), ..Limits::default() }, control)?)
}

/// Plays turns at random, each legal one as likely; fewer if the game is over before.
pub fn at_random(board: &mut Board, turns: u32, random: &mut Xoshiro256PlusPlus) {
    for _ in 0..turns {
        let legal = board.legal_turns();
        let index = (!legal.is_empty()).then(|| random.random_range(0..legal.len()));
        let Some(turn) = index.and_then(|index| legal.get(index)) else { return };
        go_on(board, &turn);
    }
}

fn go_on(board: &mut Board, turn: &Turn) {
    let played = board.play_turn(turn);
    debug_assert!(played.is_ok(), "{turn}");
}

/// Plays a game to its end, turns that `choose` chooses for both sides, and at most `longest` of them. `None` if
/// `stopped`, which is asked after each choice, says so.
///
/// # Errors
///
/// Those of `choose`.
pub fn game(
    board: &mut Board,
    longest: u32,
    stopped: &dyn Fn() -> bool,
    choose: &mut dyn FnMut(&Board) -> Result<Choice, PlayError>,
) -> Result<Option<(Outcome, Ending)>, PlayError> {
    now(game_that_waits(board, longest, stopped, async |board: &Board| choose(board)))
}

/// Plays like [`game`], with a `choose` that may wait.
///
/// # Errors
///
/// Those of `choose`.
pub async fn game_that_waits(
    board: &mut Board,
    longest: u32,
    stopped: &dyn Fn() -> bool,
    mut choose: impl AsyncFnMut(&Board) -> Result<Choice, PlayError>,
) -> Result<Option<(Outcome, Ending)>, PlayError> {
    for played in 0.. {
        if let Some(outcome) = board.outcome() {
            return Ok(Some((outcome, Ending::Rules)));
        }
        if played == longest {
            break;
        }
        let choice = choose(board).await?;
        if stopped() {
            return Ok(None);
        }
        match choice {
            ControlFlow::Break(outcome) => return Ok(Some((outcome, Ending::Proven))),
            ControlFlow::Continue(None) => break,
            ControlFlow::Continue(Some(turn)) => go_on(board, &turn),
        }
    }
    Ok(Some((Outcome::Draw, Ending::TooLong)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ControlFlow::{Break, Continue};
    use hippolyta::games::Side;
    use hippolyta::games::variant::find;

    #[test]
    fn a_game_ends_by_the_rules_by_a_result_at_its_length_without_a_turn_and_by_a_stop() {
        let played = |longest, stopped: bool, choice: &dyn Fn(&Board) -> Choice| {
            let mut board = Board::new(&find("amazons6").unwrap());
            let ended = game(&mut board, longest, &|| stopped, &mut |board| Ok(choice(board))).unwrap();
            (ended, board.turns().len())
        };
        let first = |board: &Board| Continue(board.legal_turns().get(0));
        let (ended, turns) = played(LONGEST, false, &first);
        assert!(matches!(ended, Some((Outcome::Win(_), Ending::Rules))) && turns > 9, "{ended:?} after {turns}");
        let too_long = Some((Outcome::Draw, Ending::TooLong));
        assert_eq!(played(turns as u32, false, &first), (ended, turns));
        assert_eq!(played(3, false, &first), (too_long, 3));
        assert_eq!(played(3, false, &|_| Continue(None)), (too_long, 0));
        let won = Outcome::Win(Side::White);
        assert_eq!(played(3, false, &|_| Break(won)), (Some((won, Ending::Proven)), 0));
        assert_eq!(played(3, true, &first), (None, 0));
    }
}
