//! The referee: our own rules, in text.

use crate::games::variant::Variant;
use crate::games::{FenError, Game, GameTask, Notation, Outcome, Side, TurnError};

/// A game whose rules are enforced, whatever the rule set.
pub trait Referee: Send {
    /// Who is to move.
    fn side_to_move(&self) -> Side;
    /// The result by the rules, if the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// Plays a turn; returns it in its usual spelling. Nothing changes on an error.
    ///
    /// # Errors
    ///
    /// If the text is not a legal turn.
    fn play(&mut self, turn: &str) -> Result<String, TurnError>;
    /// FEN of the position.
    fn fen(&self) -> String;
    /// Zobrist key of the position.
    fn key(&self) -> u64;
}

struct Rules<P: Notation>(Game<P>);

impl<P: Notation> Referee for Rules<P> {
    fn side_to_move(&self) -> Side {
        self.0.current().side_to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.current().outcome()
    }

    fn play(&mut self, turn: &str) -> Result<String, TurnError> {
        let position = self.0.current();
        let turn = position.parse_turn(turn)?;
        let text = position.turn_text(&turn);
        self.0.play(turn);
        Ok(text)
    }

    fn fen(&self) -> String {
        self.0.current().fen()
    }

    fn key(&self) -> u64 {
        self.0.current().key()
    }
}

/// The referee of a game that begins at `fen`.
///
/// # Errors
///
/// If the FEN is bad.
pub fn referee(variant: &'static Variant, fen: &str) -> Result<Box<dyn Referee>, FenError> {
    variant.run(Begin { fen })
}

struct Begin<'a> {
    fen: &'a str,
}

impl GameTask for Begin<'_> {
    type Output = Result<Box<dyn Referee>, FenError>;

    fn run<P: Notation>(self, variant: &'static Variant) -> Self::Output {
        Ok(Box::new(Rules(Game::new(P::from_fen(variant, self.fen)?))))
    }
}
