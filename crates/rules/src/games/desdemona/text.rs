//! FEN, turns and diagram.

use super::position::Pieces;
use super::{Desdemona, Rules};
use crate::board::{Bitboard, Square};
use crate::games::move_fire::{self, MoveFireStep};
use crate::games::variant::{Family, Variant};
use crate::games::{FenError, Notation, Piece, PiecesError, Position, Refusal, Side, Steps, Turn, UnreadableTurn, fen};

impl Desdemona {
    /// Why the amazon on `from` cannot fire at `at`.
    fn check_shot(&self, from: Square, at: Square) -> Result<(), Refusal> {
        if self.shots(self.side_to_move(), from, self.empty()).contains(at) {
            return Ok(());
        }
        let over_empty = self.geometry().queen_targets(from, self.empty()).contains(at);
        Err(if over_empty { Refusal::Rim(at) } else { Refusal::CannotFire { from, at } })
    }
}

impl Desdemona {
    /// The rules of a rule set of this family.
    ///
    /// # Panics
    ///
    /// If the rule set is of another family.
    #[must_use]
    pub fn rules_of(variant: &Variant) -> &'static Rules {
        Self::known_rules(variant).unwrap_or_else(|error| panic!("{error}"))
    }

    fn known_rules(variant: &Variant) -> Result<&'static Rules, PiecesError> {
        match variant.family() {
            Family::Desdemona(rules) => Ok(rules),
            _ => Err(PiecesError::Family { variant: variant.name().to_owned(), family: "Desdemona" }),
        }
    }
}

impl Notation for Desdemona {
    fn from_fen(variant: &Variant, text: &str) -> Result<Self, FenError> {
        let rules = Self::known_rules(variant)?;
        let fields = fen::parse(text, "QqSs*")?;
        let on = |wanted: Piece| -> Bitboard {
            fields.pieces.iter().filter(|(_, piece)| *piece == wanted).map(|(square, _)| *square).collect()
        };
        let both = [Side::White, Side::Black];
        let pieces = Pieces {
            amazons: both.map(|side| on(Piece::Amazon(side))),
            stones: both.map(|side| on(Piece::Stone(side))),
            neutral: on(Piece::Neutral),
        };
        let mut position = Self::from_pieces(fields.geometry()?, rules, &pieces, fields.side, fields.move_only)?;
        position.quiet = fields.quiet;
        position.number = fields.number;
        Ok(position)
    }

    fn fen(&self) -> String {
        fen::write(self, if self.move_only() { 'm' } else { '-' })
    }

    fn board_size(&self) -> (usize, usize) {
        (self.geometry().width(), self.geometry().height())
    }

    fn at(&self, square: Square) -> Option<Piece> {
        let both = [Side::White, Side::Black];
        let amazon = both.into_iter().find(|&side| self.amazons(side).contains(square)).map(Piece::Amazon);
        let stone = || both.into_iter().find(|&side| self.stones(side).contains(square)).map(Piece::Stone);
        amazon.or_else(stone).or_else(|| self.neutral().contains(square).then_some(Piece::Neutral))
    }

    fn quiet(&self) -> u32 {
        self.quiet
    }

    fn move_only(&self) -> bool {
        Self::move_only(self)
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
        if !self.amazons(side).contains(from) {
            return Err(Refusal::NoPiece { side, piece: "amazon", square: from });
        }
        if !self.move_targets(side, from).contains(to) {
            return Err(Refusal::CannotMove { from, to });
        }
        let mut steps = Steps::<Self>::new();
        steps.push(MoveFireStep::moving(from, to));
        match (self.move_only(), squares.at) {
            (true, None) => {}
            (true, Some(_)) => return Err(Refusal::MovesOnly),
            (false, None) => return Err(Refusal::FireMissing),
            (false, Some(at)) => {
                self.after(steps[0]).check_shot(to, at)?;
                steps.push(MoveFireStep::firing(at));
            }
        }
        Ok(steps)
    }

    fn turn(&self, steps: &[MoveFireStep]) -> Option<Turn> {
        move_fire::turn(steps)
    }
}
