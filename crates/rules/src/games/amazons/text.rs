//! FEN, turns and diagram.

use super::Amazons;
use crate::board::{Bitboard, Square};
use crate::games::move_fire::{self, MoveFireStep};
use crate::games::variant::{Family, Variant};
use crate::games::{FenError, Notation, Piece, PiecesError, Position, Refusal, Side, Steps, Turn, UnreadableTurn, fen};

impl Notation for Amazons {
    fn from_fen(variant: &Variant, text: &str) -> Result<Self, FenError> {
        if variant.family() != Family::Amazons {
            return Err(PiecesError::Family { variant: variant.name().to_owned(), family: "Amazons" }.into());
        }
        let fields = fen::parse(text, "Qq*")?;
        let on = |wanted: Piece| -> Bitboard {
            fields.pieces.iter().filter(|(_, piece)| *piece == wanted).map(|(square, _)| *square).collect()
        };
        if fields.move_only {
            return Err(FenError::Field {
                field: 3,
                found: "m".to_owned(),
                expected: "-, as every turn fires in this game",
            });
        }
        let amazons = [Side::White, Side::Black].map(|side| on(Piece::Amazon(side)));
        let mut position = Self::from_pieces(fields.geometry()?, amazons, on(Piece::Neutral), fields.side)?;
        position.quiet = fields.quiet;
        position.number = fields.number;
        Ok(position)
    }

    fn fen(&self) -> String {
        fen::write(self, '-')
    }

    fn board_size(&self) -> (usize, usize) {
        (self.geometry().width(), self.geometry().height())
    }

    fn at(&self, square: Square) -> Option<Piece> {
        if self.empty().contains(square) || !self.geometry().squares().contains(square) {
            return None;
        }
        let side = [Side::White, Side::Black].into_iter().find(|&side| self.amazons(side).contains(square));
        Some(side.map_or(Piece::Neutral, Piece::Amazon))
    }

    fn quiet(&self) -> u32 {
        self.quiet
    }

    fn number(&self) -> u32 {
        self.number
    }

    fn read_turn(text: &str) -> Result<Turn, UnreadableTurn> {
        move_fire::read_turn(text)
    }

    fn steps_of(&self, turn: &Turn) -> Result<Steps<Self>, Refusal> {
        let side = self.side_to_move();
        let squares = move_fire::squares(turn, self.geometry())?;
        let (from, to) = (squares.from, squares.to);
        let at = squares.at.ok_or(Refusal::FireMissing)?;
        if !self.amazons(side).contains(from) {
            return Err(Refusal::NoPiece { side, piece: "amazon", square: from });
        }
        if !self.geometry().queen_targets(from, self.empty()).contains(to) {
            return Err(Refusal::CannotMove { from, to });
        }
        let mut steps = Steps::<Self>::new();
        steps.push(MoveFireStep::moving(from, to));
        let half = self.after(steps[0]);
        if !self.geometry().queen_targets(to, half.empty()).contains(at) {
            return Err(Refusal::CannotFire { from: to, at });
        }
        steps.push(MoveFireStep::firing(at));
        Ok(steps)
    }

    fn turn(&self, steps: &[MoveFireStep]) -> Option<Turn> {
        move_fire::turn(steps)
    }
}
