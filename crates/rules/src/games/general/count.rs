//! Counting turns without playing the last of them, for perft.

use super::{FireAt, General};
use crate::board::Bitboard;
use crate::board::flood::{Kernel, KernelTask, king_step, with_best_kernel};
use crate::games::{MoveFireStep, Position};

impl General {
    /// [`Position::count_turns`]: the last turn is counted by its targets.
    pub(super) fn count(&self, turns: u32) -> u64 {
        let mut count = 0;
        match turns {
            0 => return 1,
            1 => return with_best_kernel(CountTurns(self)),
            2 => return with_best_kernel(CountPairs(self)),
            _ => crate::games::for_each_turn(self, &mut |_, after| count += after.count(turns - 1)),
        }
        count
    }

    /// The number of turns of a game that is not drawn: for every move, the squares that can be fired at.
    #[inline(always)]
    fn count_open<K: Kernel>(&self, kernel: K) -> u64 {
        let (side, empty, allowed) = (self.side_to_move(), self.empty(), self.plain_allowed());
        let hold = u64::from(self.rules().may_hold);
        let passed = self.passed(side);
        let runs = if self.has_flip_fires() { self.stones(!side) } else { Bitboard::EMPTY };
        let beside_stones = king_step(self.geometry(), runs, empty);
        let mut count = 0;
        for from in self.pieces(side) {
            let targets = self.moves().targets_by(kernel, from, empty | passed) & empty;
            let moves = u64::from(targets.count());
            if self.move_only() {
                count += moves;
                continue;
            }
            count += hold * moves;
            match self.rules().fire_at {
                FireAt::Reach => {
                    let open = empty.with(from);
                    for to in targets {
                        count += u64::from((self.fires().targets_by(kernel, to, open) & allowed).count());
                    }
                    for to in targets & beside_stones {
                        count += u64::from(self.flip_targets(side, to, open.without(to)).count());
                    }
                }
                FireAt::Left => count += moves * u64::from(allowed.contains(from)),
                FireAt::Anywhere => {
                    let hit = empty.with(from) & allowed;
                    count += moves * u64::from(hit.count()) - u64::from((targets & hit).count());
                }
            }
        }
        count
    }
}

struct CountTurns<'a>(&'a General);

impl KernelTask for CountTurns<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> u64 {
        if self.0.is_quiet() { 0 } else { self.0.count_open(kernel) }
    }
}

struct CountPairs<'a>(&'a General);

impl KernelTask for CountPairs<'_> {
    type Output = u64;

    /// Plays the first of two turns. Not in closures: these would be compiled without the kernel's processor features.
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> u64 {
        let position = self.0;
        if position.is_quiet() {
            return 0;
        }
        let open = |after: &General| if after.is_quiet() { 0 } else { after.count_open(kernel) };
        let mut count = 0;
        for step in position.steps() {
            let half = position.after(step);
            let Some(piece) = half.shooter() else {
                count += open(&half);
                continue;
            };
            for at in half.fire_targets() {
                count += open(&half.after(MoveFireStep::firing(at)));
            }
            if position.rules().may_hold {
                count += open(&half.after(MoveFireStep::firing(piece)));
            }
        }
        count
    }
}
