//! FEN, turns and diagram.

use super::position::Pieces;
use super::{Desdemona, Rules};
use crate::board::{Bitboard, Square};
use crate::games::move_fire::{self, MoveFireStep, Squares};
use crate::games::variant::{Family, Variant};
use crate::games::{FenError, Notation, Position, Side, Turn, TurnError, fen};

impl Desdemona {
    fn letter(&self, square: Square) -> Option<char> {
        let kinds = [
            (self.amazons(Side::White), 'Q'),
            (self.amazons(Side::Black), 'q'),
            (self.stones(Side::White), 'S'),
            (self.stones(Side::Black), 's'),
            (self.neutral(), '*'),
        ];
        kinds.iter().find(|(set, _)| set.contains(square)).map(|&(_, letter)| letter)
    }

    /// Why the amazon on `from` cannot fire at `at`, in words; `None` if it can.
    fn refusal_of_shot(&self, from: Square, at: Square) -> Option<String> {
        if self.shots(self.side_to_move(), from, self.empty()).contains(at) {
            return None;
        }
        let over_empty = self.geometry().queen_targets(from, self.empty()).contains(at);
        Some(if over_empty {
            format!("a shot over empty squares may not land on the rim, where {at} is")
        } else {
            format!("the amazon cannot fire from {from} to {at}")
        })
    }
}

impl Desdemona {
    /// The rules of a rule set of this family.
    ///
    /// # Panics
    ///
    /// If the rule set is of another family.
    #[must_use]
    pub fn rules_of(variant: &'static Variant) -> &'static Rules {
        Self::known_rules(variant).unwrap_or_else(|error| panic!("{error}"))
    }

    fn known_rules(variant: &'static Variant) -> Result<&'static Rules, String> {
        match variant.family {
            Family::Desdemona(rules) => Ok(rules),
            _ => Err(format!("{} is not of the Desdemona family", variant.name)),
        }
    }
}

impl Notation for Desdemona {
    fn from_fen(variant: &'static Variant, text: &str) -> Result<Self, FenError> {
        let rules = Self::known_rules(variant).map_err(FenError::Pieces)?;
        let fields = fen::parse(text, "QqSs*")?;
        let on = |letter: char| -> Bitboard {
            fields.pieces.iter().filter(|(_, piece)| *piece == letter).map(|(square, _)| *square).collect()
        };
        let pieces = Pieces { amazons: [on('Q'), on('q')], stones: [on('S'), on('s')], neutral: on('*') };
        let mut position = Self::from_pieces(fields.geometry, rules, &pieces, fields.side, fields.move_only)
            .map_err(|error| FenError::Pieces(error.to_string()))?;
        position.quiet = fields.quiet;
        position.number = fields.number;
        Ok(position)
    }

    fn fen(&self) -> String {
        let board = fen::write_board(self.geometry(), |square| self.letter(square));
        let side = if self.side_to_move() == Side::White { 'w' } else { 'b' };
        let flag = if self.move_only() { 'm' } else { '-' };
        format!("{board} {side} {flag} - {} {}", self.quiet, self.number)
    }

    fn parse_turn(&self, text: &str) -> Result<Turn<Self>, TurnError> {
        let unreadable = |expected| TurnError::Unreadable { text: text.to_owned(), expected };
        let Squares { from, to, at } = move_fire::read_turn(text).map_err(unreadable)?;
        let illegal = |reason: String| Err(TurnError::Illegal { text: text.to_owned(), reason });
        let (side, squares) = (self.side_to_move(), self.geometry().squares());
        if let Some(square) = [Some(from), Some(to), at].into_iter().flatten().find(|&square| !squares.contains(square))
        {
            return illegal(format!("{square} is not on the board"));
        }
        if !self.amazons(side).contains(from) {
            return illegal(format!("{side} is to move and has no amazon on {from}"));
        }
        if !self.move_targets(side, from).contains(to) {
            return illegal(format!("the amazon on {from} cannot move to {to}"));
        }
        let mut turn = Turn::<Self>::new();
        turn.push(MoveFireStep::moving(from, to));
        match (self.move_only(), at) {
            (true, None) => return Ok(turn),
            (true, Some(_)) => return illegal("this turn, the first of the game, is a move without fire".to_owned()),
            (false, None) => return Err(unreadable(move_fire::fire_expected(text))),
            (false, Some(at)) => {
                if let Some(reason) = self.after(turn[0]).refusal_of_shot(to, at) {
                    return illegal(reason);
                }
                turn.push(MoveFireStep::firing(at));
            }
        }
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
