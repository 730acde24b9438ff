//! Captures: compulsory, and only the best lines.

use super::board::{Board, Cells, Rank, STEPS};
use crate::games::Side;
use arrayvec::ArrayVec;

/// One capture, from its first square to its last.
///
/// ```
/// use hippolyta_rules::games::damone::{Damone, square};
/// use hippolyta_rules::games::{Notation, variant};
///
/// // White's dama jumps from e2 over the dama on f3.
/// let position = Damone::from_fen(&variant::find("damone")?, "8/8/8/8/8/5d2/4D3/8 w")?;
/// let [line] = &position.captures()[..] else { panic!("one capture") };
/// assert_eq!((square(line.from()).to_string(), square(line.to()).to_string()), ("e2".into(), "g4".into()));
/// assert_eq!(line.captured.count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The cells on which the piece stands, first to last: two or more.
    pub path: ArrayVec<u8, 32>,
    /// The pieces it jumps over.
    pub captured: Cells,
}

impl Line {
    /// The cell on which it begins.
    #[must_use]
    pub fn from(&self) -> usize {
        usize::from(self.path[0])
    }

    /// The cell on which it ends.
    #[must_use]
    pub fn to(&self) -> usize {
        usize::from(self.path[self.path.len() - 1])
    }
}

/// How good a line is: most pieces, then highest capturing rank, then most damoni, then most dame captured. The seven
/// rules of preference, as published, come to this.
type Merit = (u32, Rank, u32, u32);

impl Board {
    /// The pieces that a piece of `rank` may jump: its own rank and below.
    #[inline(always)]
    fn prey(&self, side: Side, rank: Rank) -> Cells {
        let [pedine, dame, damoni] = self.pieces[(!side).index()];
        match rank {
            Rank::Pedina => pedine,
            Rank::Dama => pedine | dame,
            Rank::Damone => pedine | dame | damoni,
        }
    }

    /// Whether `side` can capture.
    #[inline(always)]
    #[must_use]
    pub fn can_capture(&self, side: Side) -> bool {
        let empty = self.empty();
        let mut jumps = Cells::NONE;
        for rank in Rank::ALL {
            let (own, prey) = (self.of(side, rank), self.prey(side, rank));
            for direction in 0..4 {
                if Self::may_step(side, rank, direction) {
                    jumps = jumps | (own.step(direction) & prey).step(direction) & empty;
                }
            }
        }
        !jumps.is_empty()
    }

    /// The enemy pieces that a capture of `side` could take first, whether or not it is among the best.
    #[inline(always)]
    #[must_use]
    pub fn attacked(&self, side: Side) -> Cells {
        let empty = self.empty();
        let mut jumped = Cells::NONE;
        for rank in Rank::ALL {
            let (own, prey) = (self.of(side, rank), self.prey(side, rank));
            for direction in (0..4).filter(|&direction| Self::may_step(side, rank, direction)) {
                let landings = (own.step(direction) & prey).step(direction) & empty;
                jumped = jumped | landings.step(STEPS.len() - 1 - direction);
            }
        }
        jumped
    }

    /// The best captures of `side`, in an order that the board fixes. Empty if there is no capture.
    #[must_use]
    pub fn captures(&self, side: Side) -> Vec<Line> {
        let mut search = CaptureSearch { board: self, side, best: None, lines: Vec::new() };
        for rank in Rank::ALL {
            for from in self.of(side, rank) {
                let mut line = Line { path: ArrayVec::new(), captured: Cells::NONE };
                line.path.push(from as u8);
                search.go_on(rank, &mut line, self.empty() | Cells::of(from), self.prey(side, rank));
            }
        }
        search.lines
    }
}

struct CaptureSearch<'a> {
    board: &'a Board,
    side: Side,
    best: Option<Merit>,
    lines: Vec<Line>,
}

impl CaptureSearch<'_> {
    /// Goes on from the line's last square: over any of `prey` that was not jumped yet, onto one of the squares that
    /// are `empty`. The jumped stay on the board until the turn is over.
    fn go_on(&mut self, rank: Rank, line: &mut Line, empty: Cells, prey: Cells) {
        let at = Cells::of(usize::from(line.path[line.path.len() - 1]));
        for direction in 0..STEPS.len() {
            if !Board::may_step(self.side, rank, direction) {
                continue;
            }
            let jumped = at.step(direction) & prey & !line.captured;
            let landing = jumped.step(direction) & empty;
            if let Some(to) = { landing }.next() {
                line.path.push(to as u8);
                line.captured = line.captured | jumped;
                self.go_on(rank, line, empty, prey);
                line.captured = line.captured & !jumped;
                line.path.pop();
            }
        }
        // Every square of a line counts: one that could go on is worth less than its continuation.
        if !line.captured.is_empty() {
            self.offer(rank, line);
        }
    }

    fn offer(&mut self, rank: Rank, line: &Line) {
        let of = |rank| (line.captured & self.board.of(!self.side, rank)).count();
        let merit = (line.captured.count(), rank, of(Rank::Damone), of(Rank::Dama));
        if self.best.is_none_or(|best| merit > best) {
            self.best = Some(merit);
            self.lines.clear();
        }
        if self.best == Some(merit) {
            self.lines.push(line.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn the_attacked_are_the_first_that_some_line_jumps() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut seen = 0;
        for _ in 0..3_000 {
            let mut board = Board::default();
            for cell in Cells::ALL {
                if let Some(set) = board.pieces.as_flattened_mut().get_mut(random.random_range(0..12usize)) {
                    *set = *set | Cells::of(cell);
                }
            }
            for side in [Side::White, Side::Black] {
                let mut first = Cells::NONE;
                for rank in Rank::ALL {
                    for from in board.of(side, rank) {
                        for direction in (0..4).filter(|&direction| Board::may_step(side, rank, direction)) {
                            let over = Cells::of(from).step(direction) & board.prey(side, rank);
                            if !(over.step(direction) & board.empty()).is_empty() {
                                first = first | over;
                            }
                        }
                    }
                }
                assert_eq!(board.attacked(side), first);
                assert_eq!(board.can_capture(side), !first.is_empty());
                seen += first.count();
            }
        }
        assert!(seen > 1_000);
    }
}
