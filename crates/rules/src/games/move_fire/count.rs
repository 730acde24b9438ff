//! Counting turns without playing the last of them, for perft.

use super::{FireAt, Flips, Kind, MoveFire, MoveFireStep, Turns};
use crate::board::Bitboard;
use crate::board::flood::{Kernel, KernelTask, king_step, with_best_kernel};
use crate::games::Position;

/// Whether the last two turns are counted without playing them. The code for it is long, and the page counts no turns.
const AT_ONCE: bool = cfg!(feature = "counts");

impl<K: Kind> MoveFire<K> {
    /// [`Position::count_turns`]: the last turn is counted by its targets.
    pub(super) fn count(&self, turns: u32) -> u64 {
        let mut count = 0;
        match turns {
            0 => return 1,
            1 if AT_ONCE => return with_best_kernel(CountTurns(self)),
            2 if AT_ONCE => return with_best_kernel(CountPairs(self)),
            _ => crate::games::for_each_turn(self, &mut |_, after| count += after.count(turns - 1)),
        }
        count
    }

    /// The number of turns of a game that is not drawn: for every move, the squares that can be fired at.
    #[inline(always)]
    pub(super) fn count_open<N: Kernel>(&self, kernel: N) -> u64 {
        let (side, empty) = (self.side_to_move(), self.empty());
        let allowed = self.plain_allowed(side);
        let (geometry, rules, kind) = (self.geometry(), self.rules(), self.kind());
        let hold = u64::from(rules.may_hold());
        let passed = self.passed(side);
        let runs = if matches!(rules.flips, Flips::Run(_)) { self.stones(!side) } else { Bitboard::EMPTY };
        let beside_stones = king_step(geometry, runs, empty);
        let mut count = u64::from(self.shots_instead().count());
        for from in self.amazons(side) {
            let targets = kind.moves(kernel, geometry, side, from, empty | passed) & empty;
            let moves = u64::from(targets.count());
            if self.move_only() || rules.turns == Turns::MoveOrFire {
                count += moves;
                continue;
            }
            count += hold * moves;
            match rules.fire_at {
                FireAt::Reach => {
                    let open = empty.with(from);
                    for to in targets {
                        count += u64::from((kind.fires(kernel, geometry, side, to, open) & allowed).count());
                    }
                    for to in targets & beside_stones {
                        count += u64::from(self.flip_targets(side, to, open.without(to)).count());
                    }
                }
                FireAt::Left => count += moves * u64::from(allowed.contains(from)),
                FireAt::Anywhere | FireAt::Edge => {
                    let open = if rules.fire_at == FireAt::Edge { allowed & self.edge() } else { allowed };
                    let hit = empty.with(from) & open;
                    count += moves * u64::from(hit.count()) - u64::from((targets & hit).count());
                }
            }
        }
        count + u64::from(self.pass().is_some())
    }
}

struct CountTurns<'a, K: Kind>(&'a MoveFire<K>);

impl<K: Kind> KernelTask for CountTurns<'_, K> {
    type Output = u64;

    #[inline(always)]
    fn run<N: Kernel>(self, kernel: N) -> u64 {
        if self.0.is_quiet() { 0 } else { K::count_turns(kernel, self.0) }
    }
}

struct CountPairs<'a, K: Kind>(&'a MoveFire<K>);

impl<K: Kind> KernelTask for CountPairs<'_, K> {
    type Output = u64;

    #[inline(always)]
    fn run<N: Kernel>(self, kernel: N) -> u64 {
        if self.0.is_quiet() { 0 } else { K::count_pairs(kernel, self.0) }
    }
}

/// The sum over all turns of the number of turns after it. Not in closures: these would be compiled without the
/// kernel's processor features.
#[inline(always)]
pub(in crate::games) fn turns_after_each<K: Kind, N: Kernel>(kernel: N, position: &MoveFire<K>) -> u64 {
    let mut count = 0;
    for step in position.steps() {
        let half = position.after(step);
        let Some(amazon) = half.shooter() else {
            count += CountTurns(&half).run(kernel);
            continue;
        };
        for at in half.fire_targets() {
            count += CountTurns(&half.after(MoveFireStep::firing(at))).run(kernel);
        }
        if position.rules().may_hold() {
            count += CountTurns(&half.after(MoveFireStep::firing(amazon))).run(kernel);
        }
    }
    count
}
