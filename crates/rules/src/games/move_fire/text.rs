//! FEN, turns and diagram.

use super::{FireAt, Kind, MoveFire, MoveFireStep, Pieces, StepKind, Turns, step};
use crate::board::flood::Portable;
use crate::board::{Bitboard, Square};
use crate::games::variant::Variant;
use crate::games::{
    Ending, FenError, Notation, Piece, PiecesError, Position, Refusal, Side, Steps, Symmetry, Turn, Written, fen,
};

impl<K: Kind> MoveFire<K> {
    /// Why the amazon on `from`, which can hit `targets`, cannot fire at `at`, if it cannot.
    fn check_fire(&self, from: Square, targets: Bitboard, at: Square) -> Result<(), Refusal> {
        if targets.contains(at) {
            return Ok(());
        }
        let side = self.side_to_move();
        // Whether the rule of the rim alone, or of protected squares, forbids the square.
        let is_empty = self.empty().contains(at);
        let is_protected = is_empty && self.rules().protected_from(side).contains(at);
        let on_rim = is_empty && self.rules().rim_barred && self.geometry().rim().contains(at);
        let reaches = match self.rules().fire_at {
            FireAt::Reach => self.kind().fires(Portable, self.geometry(), side, from, self.empty()).contains(at),
            FireAt::Left => self.left() == Some(at),
            FireAt::Anywhere => true,
            FireAt::Edge => self.edge().contains(at),
        };
        Err(match reaches {
            true if is_protected => Refusal::Protected(at),
            true if on_rim => Refusal::Rim(at),
            _ => Refusal::CannotFire { from, at },
        })
    }
}

impl<K: Kind> Notation for MoveFire<K> {
    fn from_fen(variant: &Variant, text: &str) -> Result<Self, FenError> {
        let of_others = || PiecesError::Family { variant: variant.name().to_owned(), family: K::FAMILY };
        let kind = K::of(variant).ok_or_else(of_others)?;
        let rules = kind.rules();
        let fields = fen::parse(text, if rules.has_stones() { "QqSs*" } else { "Qq*" })?;
        let on = |wanted: Piece| -> Bitboard {
            fields.pieces.iter().filter(|(_, piece)| *piece == wanted).map(|(square, _)| *square).collect()
        };
        if fields.move_only && !rules.moves_first {
            return Err(FenError::Field {
                field: 3,
                found: "m".to_owned(),
                expected: "-, as no turn of this game has to be without fire",
            });
        }
        let both = [Side::White, Side::Black];
        let pieces = Pieces {
            amazons: both.map(|side| on(Piece::Amazon(side))),
            stones: both.map(|side| on(Piece::Stone(side))),
            neutral: on(Piece::Neutral),
        };
        let mut position = Self::from_pieces(kind, fields.geometry()?, &pieces, fields.side, fields.move_only)?;
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

    fn keeps(&self, symmetry: Symmetry) -> bool {
        self.rules().keep(symmetry, self.board_size())
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

    fn ending(&self) -> Option<Ending> {
        let is_stuck = !self.has_turn() && self.pass().is_none();
        self.outcome().map(|_| if is_stuck { Ending::NoTurn } else { Ending::Quiet })
    }

    fn move_only(&self) -> bool {
        Self::move_only(self)
    }

    fn number(&self) -> u32 {
        self.number
    }

    fn turn_of(written: &Written) -> Result<Turn, String> {
        step::turn_of(written)
    }

    fn steps_of(&self, turn: &Turn) -> Result<Steps<Self>, Refusal> {
        let side = self.side_to_move();
        if self.is_quiet() {
            return Err(Refusal::Over);
        }
        let squares = step::squares(turn, self.geometry())?;
        let (from, to) = (squares.from, squares.to);
        // Where every turn fires, a move alone is a turn that has begun, whatever its squares are.
        let rules = self.rules();
        if squares.at.is_none() && !(rules.has_stones() || rules.moves_first || rules.may_hold()) {
            return Err(Refusal::FireMissing);
        }
        if !self.amazons(side).contains(from) {
            return Err(Refusal::NoPiece { side, piece: "amazon", square: from });
        }
        let mut steps = Steps::<Self>::new();
        if let Some(pass) = self.pass() {
            if from != to || squares.at.is_some() {
                return Err(Refusal::Passes(self.turn(&[pass]).unwrap_or_else(|| turn.clone())));
            }
            steps.push(pass);
            return Ok(steps);
        }
        if let Some(at) = squares.at.filter(|_| rules.turns == Turns::MoveOrFire) {
            if self.move_only() {
                return Err(Refusal::MovesOnly);
            }
            if from != to {
                return Err(Refusal::MovesAndFires);
            }
            self.check_fire(from, self.shots_from(from), at)?;
            steps.push(MoveFireStep::firing(at));
            return Ok(steps);
        }
        if !self.move_targets(side, from).contains(to) {
            return Err(Refusal::CannotMove { from, to });
        }
        steps.push(MoveFireStep::moving(from, to));
        match (self.move_only(), squares.at) {
            (true, None) => {}
            (false, None) if rules.turns == Turns::MoveOrFire => {}
            (true, Some(_)) => return Err(Refusal::MovesOnly),
            (false, None) if rules.may_hold() => steps.push(MoveFireStep::firing(to)),
            (false, None) => return Err(Refusal::FireMissing),
            (false, Some(at)) => {
                let half = self.after(steps[0]);
                half.check_fire(to, half.fire_targets(), at)?;
                steps.push(MoveFireStep::firing(at));
            }
        }
        Ok(steps)
    }

    fn ways(&self, turn: &Turn) -> Vec<Turn> {
        let Some(at) = turn.fire().filter(|_| self.rules().turns == Turns::MoveOrFire) else {
            return vec![turn.clone()];
        };
        let reach = |from: &Square| self.shots_from(*from).contains(at);
        let pieces = self.amazons(self.side_to_move()).into_iter().filter(reach);
        pieces.map(|from| Turn::firing(from, from, at)).collect()
    }

    fn turn(&self, steps: &[MoveFireStep]) -> Option<Turn> {
        // A turn that passes is written as a move to where the amazon stands, a fire instead of a move as one of the
        // first amazon that could do it.
        if let Some(StepKind::Fire { at }) = steps.first().map(|step| step.kind()) {
            let amazons = self.amazons(self.side_to_move());
            if amazons.contains(at) {
                return Some(Turn::moving(at, at));
            }
            let from = amazons.into_iter().find(|&from| self.shots_from(from).contains(at))?;
            return Some(Turn::firing(from, from, at));
        }
        let turn = step::turn(steps)?;
        // A turn that holds its fire has a fire at the amazon itself as its second step.
        let holds = turn.fire() == Some(turn.to());
        Some(if holds { Turn::moving(turn.from(), turn.to()) } else { turn })
    }
}
