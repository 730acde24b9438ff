//! FEN, turns and diagram.

use super::board::{Board, Cells, PROMOTION, Rank, cell, square};
use super::capture::Line;
use super::position::{Damone, DamoneStep, QUIET_LIMIT, Rules};

use crate::board::Square;
use crate::games::variant::{Family, Variant};
use crate::games::{
    Ending, FenError, Notation, Outcome, Piece, PiecesError, Position, Refusal, Side, Steps, Symmetry, Turn, Written,
    fen,
};
use std::ops::ControlFlow;

/// A piece of each rank, the lowest first.
const RANKS: [fn(Side) -> Piece; 3] = [Piece::Pedina, Piece::Dama, Piece::Damone];

impl Damone {
    /// Every square that the piece stands on in a legal step.
    fn path(&self, step: DamoneStep) -> Vec<Square> {
        match self.line(step) {
            Some(line) => line.path.iter().map(|&cell| square(usize::from(cell))).collect(),
            None => {
                let (from, to) = step.cells();
                vec![square(from), square(to)]
            }
        }
    }

    /// Why `path` is not legal.
    fn refusal(&self, path: &[Square]) -> Refusal {
        let side = self.side_to_move();
        if let Some(&light) = path.iter().find(|&&square| cell(square).is_none()) {
            return Refusal::Light(light);
        }
        if self.outcome().is_some() {
            return Refusal::Over;
        }
        let from = path[0];
        if !cell(from).is_some_and(|cell| self.board().all(side).contains(cell)) {
            return Refusal::NoPiece { side, piece: "piece", square: from };
        }
        let captures = self.captures();
        if captures.is_empty() {
            return Refusal::CannotGo { from };
        }
        let turn = |line: &Line| Turn::along(line.path.iter().map(|&cell| square(usize::from(cell))));
        Refusal::Compulsory(captures.iter().filter_map(turn).collect())
    }
}

impl Damone {
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
            Family::Damone(rules) => Ok(rules),
            _ => Err(PiecesError::Family { variant: variant.name().to_owned(), family: "Damone" }),
        }
    }
}

impl Notation for Damone {
    const SYMMETRIES: &'static [Symmetry] = &[Symmetry::ALL[0], Symmetry::DIAGONAL];

    fn from_fen(variant: &Variant, text: &str) -> Result<Self, FenError> {
        let refuse = |error: PiecesError| Err(error.into());
        let rules = Self::known_rules(variant)?;
        let fields = fen::parse(text, "PDIpdi")?;
        let (files, ranks) = (fields.files, fields.ranks);
        if (files, ranks) != (8, 8) {
            return refuse(PiecesError::Size { files, ranks, side: 8 });
        }
        if text.split_ascii_whitespace().count() < 2 && !text.contains(':') {
            return Err(FenError::Field { field: 2, found: String::new(), expected: "w or b, the side to move" });
        }
        if fields.move_only {
            return Err(FenError::Field {
                field: 3,
                found: "m".to_owned(),
                expected: "-, as nothing fires in this game",
            });
        }
        let mut board = Board::default();
        for &(at, piece) in &fields.pieces {
            let Some(cell) = cell(at) else { return refuse(PiecesError::Light { piece, square: at }) };
            let Some(side) = piece.side() else { continue };
            let Some(rank) = RANKS.iter().position(|known| known(side) == piece) else { continue };
            if rank < Rank::Damone as usize && PROMOTION[side.index()][rank].contains(cell) {
                return refuse(PiecesError::Unpromoted { piece, square: at, risen: RANKS[rank + 1](side) });
            }
            let set = &mut board.pieces[side.index()][rank];
            *set = *set | Cells::of(cell);
        }
        if fields.pieces.is_empty() {
            return refuse(PiecesError::NoPiece);
        }
        let damoni = [Side::White, Side::Black].map(|side| board.of(side, Rank::Damone).count());
        if rules.needs_damone && damoni == [0, 0] {
            return refuse(PiecesError::NoDamone);
        }
        let mut position = Self::new(rules, board, fields.side, fields.quiet);
        position.number = fields.number;
        Ok(position)
    }

    fn fen(&self) -> String {
        fen::write(self, '-')
    }

    fn board_size(&self) -> (usize, usize) {
        (8, 8)
    }

    fn at(&self, square: Square) -> Option<Piece> {
        let cell = cell(square)?;
        let of = |side: Side| Some(RANKS[self.board().rank_at(side, cell)? as usize](side));
        of(Side::White).or_else(|| of(Side::Black))
    }

    fn quiet(&self) -> u32 {
        Self::quiet(self)
    }

    fn ending(&self) -> Option<Ending> {
        Some(match self.outcome()? {
            Outcome::Draw if self.quiet() >= QUIET_LIMIT => Ending::Quiet,
            Outcome::Draw => Ending::Repetition,
            Outcome::Win(winner) if self.board().all(!winner).is_empty() => Ending::NoPiece,
            Outcome::Win(winner) if self.rules().needs_damone && self.board().of(!winner, Rank::Damone).is_empty() => {
                Ending::NoDamone
            }
            Outcome::Win(_) => Ending::NoTurn,
        })
    }

    fn number(&self) -> u32 {
        self.number
    }

    fn turn_of(written: &Written) -> Result<Turn, String> {
        let path = written.path.iter().chain(&written.shot).copied();
        Turn::along(path).ok_or_else(|| "two or more squares are expected, from the first to the last".to_owned())
    }

    fn steps_of(&self, turn: &Turn) -> Result<Steps<Self>, Refusal> {
        let path = turn.squares();
        let mut found = None;
        if self.outcome().is_none() && turn.fire().is_none() {
            let _ = self.for_each_step(|step| {
                if self.path(step) == path {
                    found = Some(step);
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
        }
        Ok(std::iter::once(found.ok_or_else(|| self.refusal(path))?).collect())
    }

    fn turn(&self, steps: &[DamoneStep]) -> Option<Turn> {
        Turn::along(self.path(*steps.first()?))
    }
}
