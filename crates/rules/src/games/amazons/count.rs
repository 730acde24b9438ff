//! Counting two turns without playing the second, for perft.

use super::{Amazons, Position};
use crate::board::flood::Kernel;
use crate::board::{Bitboard, Direction, FRAME};
use arrayvec::ArrayVec;

/// Targets and fires of an amazon of the side that replies, as if no arrow were fired before.
struct Replier {
    targets: Bitboard,
    rays: [Bitboard; 8],
    lengths: [u64; 8],
    /// Fires from all targets, with the amazon itself as a blocker.
    fires: u64,
    /// Fires through the square that the amazon leaves.
    through: u64,
}

/// Fires back through the origin: from a target in direction d, `1 + length(−d)` squares open up behind.
#[inline(always)]
fn through_origin(length: u64, opposite: u64) -> u64 {
    length * (1 + opposite)
}

/// For a position between move and fire: the sum over all fires of the number of the other side's turns after it.
///
/// The replies are counted once without the arrow. An arrow at `s` then takes away: the targets behind `s` on the one
/// ray that it cuts, with all their fires; and, from every other target that sees `s`, the fires at `s` and beyond. As
/// `s` is on a line with that target, "beyond" is the ray from `s` away from it, the same for all targets on one side.
#[inline(always)]
pub(super) fn count_replies<K: Kernel>(kernel: K, position: &Amazons) -> u64 {
    let (geometry, empty) = (position.geometry(), position.empty());
    let Some(shooter) = position.shooter() else { return 0 };
    let mut fires_from = [0u64; FRAME];
    let mut known = Bitboard::EMPTY;
    let mut repliers = ArrayVec::<Replier, { super::MAX_AMAZONS }>::new();
    for from in position.amazons(!position.side_to_move()) {
        let rays = Direction::ALL.map(|direction| geometry.ray_targets(direction, from, empty));
        let lengths = rays.map(|ray| u64::from(ray.count()));
        let targets = rays.into_iter().fold(Bitboard::EMPTY, |all, ray| all | ray);
        for to in targets & !known {
            fires_from[to.index()] = u64::from(kernel.queen_targets(geometry, to, empty).count());
        }
        known |= targets;
        let fires = targets.into_iter().map(|to| fires_from[to.index()]).sum();
        let through = (0..8).map(|d| through_origin(lengths[d], lengths[d ^ 4])).sum();
        repliers.push(Replier { targets, rays, lengths, fires, through });
    }
    let mut count = 0;
    for arrow in geometry.queen_targets(shooter, empty) {
        let seen = Direction::ALL.map(|direction| geometry.ray_targets(direction, arrow, empty));
        let beyond = seen.map(|ray| 1 + u64::from(ray.count()));
        for replier in &repliers {
            let mut targets = replier.targets;
            let mut fires = replier.fires + replier.through;
            if targets.contains(arrow) {
                let cut = (0..8).find(|&d| replier.rays[d].contains(arrow)).unwrap_or(0);
                let lost = replier.rays[cut] & geometry.ray(Direction::ALL[cut], arrow).with(arrow);
                targets &= !lost;
                fires -= lost.into_iter().map(|to| fires_from[to.index()]).sum::<u64>();
                let (full, opposite) = (replier.lengths[cut], replier.lengths[cut ^ 4]);
                let left = full - u64::from(lost.count());
                fires -= through_origin(full, opposite) + through_origin(opposite, full);
                fires += through_origin(left, opposite) + through_origin(opposite, left);
            }
            for d in 0..8 {
                fires -= u64::from((targets & seen[d]).count()) * beyond[d ^ 4];
            }
            count += fires;
        }
    }
    count
}
