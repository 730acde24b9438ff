//! Counting turns without playing them, for perft.

use super::Desdemona;
use crate::board::flood::{Kernel, KernelTask, with_best_kernel};
use crate::games::Position;

impl Desdemona {
    /// [`Position::count_turns`]: the last turn is counted by its targets.
    pub(super) fn count(&self, turns: u32) -> u64 {
        match turns {
            0 => 1,
            1 => with_best_kernel(CountTurns(self)),
            _ => {
                let mut count = 0;
                crate::games::for_each_turn(self, &mut |_, after| count += after.count(turns - 1));
                count
            }
        }
    }
}

struct CountTurns<'a>(&'a Desdemona);

impl KernelTask for CountTurns<'_> {
    type Output = u64;

    /// The number of turns: for every target of every amazon, the squares it can fire at.
    #[inline(always)]
    fn run<K: Kernel>(self, _: K) -> u64 {
        let position = self.0;
        let (side, empty) = (position.side_to_move(), position.empty());
        let mut count = 0;
        for from in position.amazons(side) {
            let targets = position.move_targets(side, from);
            if position.move_only() {
                count += u64::from(targets.count());
                continue;
            }
            for to in targets {
                count += u64::from(position.shots(side, to, empty.with(from).without(to)).count());
            }
        }
        count
    }
}
