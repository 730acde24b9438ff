//! Boards before and after a turn, without their histories: for code that walks through many of them.

use super::board::{Board, FORWARD, PROMOTION, Rank, STEPS};
use crate::games::Side;

impl Board {
    /// Whether a piece stands where it would have been promoted. No game and no FEN has such a board.
    #[must_use]
    pub fn is_misplaced(&self) -> bool {
        [Side::White, Side::Black].into_iter().any(|side| {
            let [pedine, dame, _] = self.pieces[side.index()];
            let [of_pedine, of_dame] = PROMOTION[side.index()];
            !(pedine & of_pedine | dame & of_dame).is_empty()
        })
    }

    /// Calls `f` with the board after every legal turn of `side`, and with whether that turn cannot be taken back. A
    /// board comes more than once if captures along different paths take the same pieces.
    pub fn for_each_after(&self, side: Side, mut f: impl FnMut(&Self, bool)) {
        if self.can_capture(side) {
            for line in self.captures(side) {
                let mut after = *self;
                after.take(side, line.captured);
                after.shift(side, line.from(), line.to());
                f(&after, true);
            }
            return;
        }
        for direction in 0..STEPS.len() {
            for to in self.quiet_targets(side, direction) {
                let mut after = *self;
                let (rank, risen) = after.shift(side, (to as i32 - STEPS[direction]) as usize, to);
                f(&after, rank != risen || rank == Rank::Pedina && direction == FORWARD[side.index()]);
            }
        }
    }

    /// Calls `f` with every board from which a step of `side`, without capture and promotion, leads here. On a few of
    /// these boards the step is not legal, because `side` can capture there.
    pub fn for_each_before(&self, side: Side, mut f: impl FnMut(&Self)) {
        let empty = self.empty();
        for rank in Rank::ALL {
            for direction in (0..STEPS.len()).filter(|&direction| Self::may_step(side, rank, direction)) {
                let back = STEPS.len() - 1 - direction;
                for from in self.of(side, rank).step(back) & empty {
                    let to = (from as i32 + STEPS[direction]) as usize;
                    let mut before = *self;
                    let own = &mut before.pieces[side.index()][rank as usize].0;
                    *own = *own & !(1 << to) | 1 << from;
                    if !before.is_misplaced() {
                        f(&before);
                    }
                }
            }
        }
    }
}
