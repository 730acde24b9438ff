//! Counting turns without playing them, for perft.

use super::{Desdemona, Flips, Leaves};
use crate::board::flood::{Kernel, KernelTask, with_best_kernel};
use crate::board::{Bitboard, Direction, FRAME, Geometry, Square};
use crate::games::{MoveFireStep, Position, Side};
use std::ops::ControlFlow;

impl Desdemona {
    /// [`Position::count_turns`]: one turn is counted by its targets, the last two together by [`count_replies`].
    pub(super) fn count(&self, turns: u32) -> u64 {
        let mut count = 0;
        match turns {
            0 => return 1,
            1 => return with_best_kernel(CountTurns(self)),
            2 if !self.move_only() => {
                let _ = self.for_each_step(|step| {
                    count += with_best_kernel(CountReplies(&self.after(step)));
                    ControlFlow::Continue(())
                });
            }
            _ => crate::games::for_each_turn(self, &mut |_, after| count += after.count(turns - 1)),
        }
        count
    }

    /// What the amazons of `side` could do in a turn with move and fire, and the fires from every square that one of them can move to.
    #[inline(always)]
    fn repliers(&self, side: Side, fires_from: &mut [u64; FRAME]) -> Vec<Replier> {
        let (geometry, empty, allowed) = (self.geometry(), self.empty(), self.plain_allowed());
        let own = self.amazons(side) | self.stones(side);
        let mut known = Bitboard::EMPTY;
        let mut repliers = Vec::with_capacity(8);
        for from in self.amazons(side) {
            let direct = rays_from(geometry, from, empty);
            let mut rays = direct;
            if self.rules().passes_own {
                rays = rays_from(geometry, from, empty | own);
                rays.iter_mut().for_each(|ray| *ray &= empty);
            }
            let targets = rays.into_iter().fold(Bitboard::EMPTY, |all, ray| all | ray);
            for to in targets & !known {
                let plain = geometry.queen_targets(to, empty) & allowed;
                fires_from[to.index()] = u64::from(plain.count() + self.flip_targets(side, to, empty).count());
            }
            known |= targets;
            let fires = targets.into_iter().map(|to| fires_from[to.index()]).sum();
            let mut replier = Replier {
                targets,
                rays,
                direct,
                lengths: direct.map(|ray| u64::from(ray.count())),
                widths: direct.map(|ray| u64::from((ray & allowed).count())),
                origin: u64::from(allowed.contains(from)),
                fires,
                through: 0,
            };
            replier.through = (0..8).map(|d| replier.through(replier.lengths[d], replier.widths[d ^ 4])).sum();
            repliers.push(replier);
        }
        repliers
    }
}

/// What an amazon could do. Everything is counted as if it still stood where it was, but for `through`.
struct Replier {
    targets: Bitboard,
    /// The targets in each direction, and those of them with only empty squares between.
    rays: [Bitboard; 8],
    direct: [Bitboard; 8],
    /// Squares of the latter, and those of them that plain shots may hit.
    lengths: [u64; 8],
    widths: [u64; 8],
    /// 1 if a plain shot may hit the square it comes from.
    origin: u64,
    /// Fires from all targets.
    fires: u64,
    /// Fires at or through the square that it leaves.
    through: u64,
}

impl Replier {
    /// Fires back through the origin, from so many targets on one side, if plain shots may hit so many squares on the other.
    #[inline(always)]
    fn through(&self, length: u64, opposite: u64) -> u64 {
        length * (self.origin + opposite)
    }
}

struct CountTurns<'a>(&'a Desdemona);

impl KernelTask for CountTurns<'_> {
    type Output = u64;

    /// The number of turns: for every target of every amazon, the squares it can fire at.
    #[inline(always)]
    fn run<K: Kernel>(self, _: K) -> u64 {
        let position = self.0;
        let side = position.side_to_move();
        if position.move_only() {
            let targets = position.amazons(side).into_iter().map(|from| position.move_targets(side, from));
            return targets.map(|targets| u64::from(targets.count())).sum();
        }
        let mut fires_from = [0u64; FRAME];
        position.repliers(side, &mut fires_from).iter().map(|replier| replier.fires + replier.through).sum()
    }
}

struct CountReplies<'a>(&'a Desdemona);

impl KernelTask for CountReplies<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<K: Kernel>(self, _: K) -> u64 {
        count_replies(self.0)
    }
}

/// For a position between move and fire: the sum over all fires of the number of the other side's turns after it.
///
/// Fires that flip are played. The replies to all others are counted once without the stone. A stone at `s` then takes away: the
/// targets at and behind `s` on the one ray that it cuts, with all their fires; and, from every other target that sees `s`, the plain
/// fires at `s` and beyond, which are the same for all targets on one side of `s`. Flip shots change where a run ends at `s`.
#[inline(always)]
fn count_replies(position: &Desdemona) -> u64 {
    let (geometry, empty, allowed) = (position.geometry(), position.empty(), position.plain_allowed());
    let Some(shooter) = position.shooter() else { return 0 };
    let side = position.side_to_move();
    let mut fires_from = [0u64; FRAME];
    let repliers = position.repliers(!side, &mut fires_from);
    let mut count = 0;
    for stone in position.shots(side, shooter, empty) {
        if !position.flipped(side, shooter, stone).is_empty() {
            count += CountTurns(&position.after(MoveFireStep::firing(stone))).count();
            continue;
        }
        let seen = rays_from(geometry, stone, empty);
        let here = u64::from(allowed.contains(stone));
        let mut beyond = [here; 8];
        for d in 0..8 {
            beyond[d] += u64::from((seen[d] & allowed).count());
        }
        let (gained, lost_flips) = flip_changes(position, stone);
        for replier in &repliers {
            let mut targets = replier.targets;
            let (mut fires, mut through) = (replier.fires, replier.through);
            if targets.contains(stone) {
                let cut = (0..8).find(|&d| replier.rays[d].contains(stone)).unwrap_or(0);
                let behind = geometry.ray(Direction::ALL[cut], stone).with(stone);
                let lost = replier.rays[cut] & behind;
                targets &= !lost;
                fires -= lost.into_iter().map(|to| fires_from[to.index()]).sum::<u64>();
                if replier.direct[cut].contains(stone) {
                    let left = replier.direct[cut] & !behind;
                    let (length, width) = (u64::from(left.count()), u64::from((left & allowed).count()));
                    let opposite = cut ^ 4;
                    through -= replier.through(replier.lengths[cut], replier.widths[opposite])
                        + replier.through(replier.lengths[opposite], replier.widths[cut]);
                    through += replier.through(length, replier.widths[opposite])
                        + replier.through(replier.lengths[opposite], width);
                }
            }
            for d in 0..8 {
                fires -= u64::from((targets & seen[d]).count()) * beyond[d ^ 4];
            }
            fires += u64::from((targets & gained).count());
            fires -= u64::from((targets & lost_flips).count());
            count += fires + through;
        }
    }
    count
}

/// The rays from a square in all directions, as [`Geometry::ray_targets`] gives them. A loop, not a `map`: that would not be inlined.
#[inline(always)]
fn rays_from(geometry: &Geometry, from: Square, empty: Bitboard) -> [Bitboard; 8] {
    let mut rays = [Bitboard::EMPTY; 8];
    for d in 0..8 {
        rays[d] = geometry.ray_targets(Direction::ALL[d], from, empty);
    }
    rays
}

impl CountTurns<'_> {
    #[inline(always)]
    fn count(self) -> u64 {
        self.run(crate::board::flood::Portable)
    }
}

/// The squares from which the other side gains, and those from which it loses a flip shot by a stone that the side to move fires at
/// `at`: such a square lies behind a run of stones that ends at `at`, or next to it. A neutral stone bars the shot that landed here; an own one
/// lengthens the run, up to the first square on the other side.
#[inline(always)]
fn flip_changes(position: &Desdemona, at: Square) -> (Bitboard, Bitboard) {
    let (geometry, empty, rules) = (position.geometry(), position.empty(), position.rules());
    let none = (Bitboard::EMPTY, Bitboard::EMPTY);
    let stones = position.stones(position.side_to_move());
    let beside = geometry.neighbours(at) & stones;
    if rules.flips == Flips::Lines || rules.plain == Leaves::Neutral && beside.is_empty() {
        return none;
    }
    let mut ends = [Bitboard::EMPTY; 8];
    for d in 0..8 {
        ends[d] = geometry.behind(Direction::ALL[d], at, stones) & empty;
    }
    let runs = rays_from(geometry, at, stones);
    let (mut gained, mut lost) = none;
    for d in 0..8 {
        let had = !runs[d].is_empty();
        let has = rules.plain == Leaves::Own && !ends[d ^ 4].is_empty();
        match (had, has) {
            (false, true) => gained |= ends[d],
            (true, false) => lost |= ends[d],
            _ => {}
        }
    }
    (gained, lost)
}
