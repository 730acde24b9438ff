//! FEN, turns and diagram.

use super::board::{Board, Cells, PROMOTION, Rank, cell, square};
use super::position::{Damone, DamoneStep, Rules};

use crate::board::{Geometry, Square};
use crate::games::variant::{Family, Variant};
use crate::games::{FenError, Notation, Position, Side, Step, Turn, TurnError, fen, spelling};
use std::ops::ControlFlow;

/// `LETTERS[side][rank]`.
const LETTERS: [[char; 3]; 2] = [['P', 'D', 'I'], ['p', 'd', 'i']];

impl Damone {
    fn letter(&self, square: Square) -> Option<char> {
        let cell = cell(square)?;
        let of = |side: Side| Some(LETTERS[side.index()][self.board().rank_at(side, cell)? as usize]);
        of(Side::White).or_else(|| of(Side::Black))
    }

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

    fn path_text(&self, step: DamoneStep) -> String {
        self.path(step).iter().map(Square::to_string).collect()
    }

    /// Why `path` is not legal, in words.
    fn refusal(&self, path: &[Square]) -> String {
        let side = self.side_to_move();
        let cells: Option<Vec<_>> = path.iter().map(|&square| cell(square)).collect();
        let Some(cells) = cells else { return "all squares must be dark squares of the board".to_owned() };
        if self.outcome().is_some() {
            return "the game is over".to_owned();
        }
        if !self.board().all(side).contains(cells[0]) {
            return format!("{side} is to move and has no piece on {}", path[0]);
        }
        let captures = self.captures();
        if captures.is_empty() {
            return format!("the piece on {} cannot go there", path[0]);
        }
        let best: Vec<_> = captures
            .iter()
            .map(|line| line.path.iter().map(|&cell| square(usize::from(cell)).to_string()).collect::<String>())
            .collect();
        format!("the best capture is compulsory: {}", best.join(" or "))
    }
}

impl Damone {
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
            Family::Damone(rules) => Ok(rules),
            _ => Err(format!("{} is not of the Damone family", variant.name)),
        }
    }
}

impl Notation for Damone {
    fn from_fen(variant: &'static Variant, text: &str) -> Result<Self, FenError> {
        let refuse = |reason: String| Err(FenError::Pieces(reason));
        let rules = Self::known_rules(variant).map_err(FenError::Pieces)?;
        let fields = fen::parse(text, "PDIpdi")?;
        if (fields.geometry.width(), fields.geometry.height()) != (8, 8) {
            let (width, height) = (fields.geometry.width(), fields.geometry.height());
            return refuse(format!("a board of {width} files and {height} ranks: this game has 8 of each"));
        }
        if text.split_ascii_whitespace().count() < 2 {
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
        for &(at, letter) in &fields.pieces {
            let Some(cell) = cell(at) else { return refuse(format!("'{letter}' on the light square {at}")) };
            for side in [Side::White, Side::Black] {
                let Some(rank) = LETTERS[side.index()].iter().position(|&known| known == letter) else { continue };
                if rank < Rank::Damone as usize && PROMOTION[side.index()][rank].contains(cell) {
                    let risen = LETTERS[side.index()][rank + 1];
                    return refuse(format!("'{letter}' on {at}, where it would have become '{risen}'"));
                }
                let set = &mut board.pieces[side.index()][rank];
                *set = *set | Cells::of(cell);
            }
        }
        if fields.pieces.is_empty() {
            return refuse("no piece on the board".to_owned());
        }
        let damoni = [Side::White, Side::Black].map(|side| board.of(side, Rank::Damone).count());
        if rules.needs_damone && damoni == [0, 0] {
            return refuse("no damone on the board: each side needs one in this game".to_owned());
        }
        let mut position = Self::new(rules, board, fields.side, fields.quiet);
        position.number = fields.number;
        Ok(position)
    }

    fn fen(&self) -> String {
        #[allow(clippy::expect_used, reason = "8 × 8 is within the limits")]
        let geometry = Geometry::get(8, 8).expect("a possible size");
        let board = fen::write_board(geometry, |square| self.letter(square));
        let side = if self.side_to_move() == Side::White { 'w' } else { 'b' };
        format!("{board} {side} - - {} {}", self.quiet(), self.number)
    }

    /// Reads every square stood on, `h5g6`, `c2e4g6`, perhaps with dashes or crosses between them.
    fn parse_turn(&self, text: &str) -> Result<Turn<Self>, TurnError> {
        let mut path = Vec::new();
        let plain = spelling::plain(text);
        let mut rest = &*plain;
        while path.is_empty() || !rest.is_empty() {
            if !path.is_empty() {
                rest = rest.strip_prefix('-').unwrap_or(rest);
            }
            let (square, tail) = Square::parse_prefix(rest).map_err(|_| TurnError::Unreadable {
                text: text.to_owned(),
                expected: format!("a square is expected at character {}", spelling::place(&plain, rest)),
            })?;
            path.push(square);
            rest = tail;
        }
        if path.len() < 2 {
            let expected = "two or more squares are expected, from the first to the last".to_owned();
            return Err(TurnError::Unreadable { text: text.to_owned(), expected });
        }
        let mut found = None;
        if self.outcome().is_none() {
            let _ = self.for_each_step(|step| {
                if self.path(step) == path {
                    found = Some(step);
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
        }
        let illegal = || TurnError::Illegal { text: text.to_owned(), reason: self.refusal(&path) };
        Ok(std::iter::once(found.ok_or_else(illegal)?).collect())
    }

    fn turn_text(&self, turn: &[DamoneStep]) -> String {
        turn.first().map_or_else(String::new, |&step| self.path_text(DamoneStep::from_code(step.code())))
    }

    fn diagram(&self) -> String {
        #[allow(clippy::expect_used, reason = "8 × 8 is within the limits")]
        let geometry = Geometry::get(8, 8).expect("a possible size");
        fen::diagram(geometry, |square| self.letter(square))
    }

    fn board_size(&self) -> (usize, usize) {
        (8, 8)
    }
}
