//! FEN, turns and diagram.

use super::Amazons;
use crate::board::{Bitboard, Square};
use crate::games::move_fire::{self, MoveFireStep, Squares};
use crate::games::variant::{Family, Variant};
use crate::games::{FenError, Notation, Position, Side, Turn, TurnError, fen};

impl Amazons {
    fn letter(&self, square: Square) -> Option<char> {
        if self.empty().contains(square) {
            None
        } else if self.amazons(Side::White).contains(square) {
            Some('Q')
        } else if self.amazons(Side::Black).contains(square) {
            Some('q')
        } else {
            Some('*')
        }
    }
}

impl Notation for Amazons {
    fn from_fen(variant: &'static Variant, text: &str) -> Result<Self, FenError> {
        if variant.family != Family::Amazons {
            return Err(FenError::Pieces(format!("{} is not of the Amazons family", variant.name)));
        }
        let fields = fen::parse(text, "Qq*")?;
        let on = |letter: char| -> Bitboard {
            fields.pieces.iter().filter(|(_, piece)| *piece == letter).map(|(square, _)| *square).collect()
        };
        if fields.move_only {
            return Err(FenError::Field {
                field: 3,
                found: "m".to_owned(),
                expected: "-, as every turn fires in this game",
            });
        }
        let mut position = Self::from_pieces(fields.geometry, [on('Q'), on('q')], on('*'), fields.side)
            .map_err(|error| FenError::Pieces(error.to_string()))?;
        position.quiet = fields.quiet;
        position.number = fields.number;
        Ok(position)
    }

    fn fen(&self) -> String {
        let board = fen::write_board(self.geometry(), |square| self.letter(square));
        let side = if self.side_to_move() == Side::White { 'w' } else { 'b' };
        format!("{board} {side} - - {} {}", self.quiet, self.number)
    }

    fn parse_turn(&self, text: &str) -> Result<Turn<Self>, TurnError> {
        let unreadable = |expected| TurnError::Unreadable { text: text.to_owned(), expected };
        let Squares { from, to, at } = move_fire::read_turn(text).map_err(unreadable)?;
        let at = at.ok_or_else(|| unreadable(move_fire::fire_expected(text)))?;
        let illegal = |reason: String| Err(TurnError::Illegal { text: text.to_owned(), reason });
        let side = self.side_to_move();
        if let Some(square) = [from, to, at].into_iter().find(|&square| !self.geometry().squares().contains(square)) {
            return illegal(format!("{square} is not on the board"));
        }
        if !self.amazons(side).contains(from) {
            return illegal(format!("{side} is to move and has no amazon on {from}"));
        }
        if !self.geometry().queen_targets(from, self.empty()).contains(to) {
            return illegal(format!("the amazon on {from} cannot move to {to}"));
        }
        let mut turn = Turn::<Self>::new();
        turn.push(MoveFireStep::moving(from, to));
        let half = self.after(turn[0]);
        if !self.geometry().queen_targets(to, half.empty()).contains(at) {
            return illegal(format!("the amazon cannot fire from {to} to {at}"));
        }
        turn.push(MoveFireStep::firing(at));
        Ok(turn)
    }

    fn turn_text(&self, turn: &[MoveFireStep]) -> String {
        move_fire::write_turn(turn)
    }

    fn diagram(&self) -> String {
        fen::diagram(self.geometry(), |square| self.letter(square))
    }

    fn board_size(&self) -> (usize, usize) {
        (self.geometry().width(), self.geometry().height())
    }
}
