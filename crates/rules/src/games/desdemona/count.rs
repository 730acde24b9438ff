//! Counting turns without playing them, for perft.

use super::Desdemona;
use crate::board::flood::king_step;
use crate::board::{Bitboard, Direction, FRAME, Geometry, Square};
use crate::games::move_fire::{Flips, Leaves, MoveFireStep, StepKind};
use crate::games::{Position, Side};

impl Desdemona {
    /// Targets and fires of the amazons of `side` in a turn with move and fire, but for [`Replier::fires`].
    #[inline(always)]
    fn repliers(&self, side: Side) -> Vec<Replier> {
        let (geometry, empty, allowed) = (self.geometry(), self.empty(), self.plain_allowed(side));
        let passed = self.passed(side);
        let mut repliers = Vec::with_capacity(8);
        for from in self.amazons(side) {
            let direct = rays_from(geometry, from, empty);
            let mut rays = direct;
            if !passed.is_empty() {
                rays = rays_from(geometry, from, empty | passed);
                rays.iter_mut().for_each(|ray| *ray &= empty);
            }
            let targets = rays.into_iter().fold(Bitboard::EMPTY, |all, ray| all | ray);
            let mut replier = Replier {
                targets,
                rays,
                direct,
                lengths: direct.map(|ray| u64::from(ray.count())),
                widths: direct.map(|ray| u64::from((ray & allowed).count())),
                origin: u64::from(allowed.contains(from)),
                fires: 0,
                through: 0,
            };
            replier.through = (0..8).map(|d| replier.through(replier.lengths[d], replier.widths[d ^ 4])).sum();
            repliers.push(replier);
        }
        repliers
    }
}

/// How many fires `side` has from each square.
#[derive(Clone, Copy)]
struct Fires([u8; FRAME]);

impl Fires {
    const NONE: Self = Self([0; FRAME]);

    /// Those from `squares`, computed one by one.
    #[inline(always)]
    fn count(&mut self, position: &Desdemona, side: Side, squares: Bitboard, empty: Bitboard) {
        for from in squares {
            let plain = position.geometry().queen_targets(from, empty) & position.plain_allowed(side);
            self.0[from.index()] = (plain.count() + position.flip_targets(side, from, empty).count()) as u8;
        }
    }

    /// Their sum over `squares`.
    #[inline(always)]
    fn sum(&self, squares: Bitboard) -> u64 {
        squares.into_iter().map(|from| u64::from(self.0[from.index()])).sum()
    }

    /// `at` is taken from the `empty` squares, or was just added to them.
    #[inline(always)]
    fn change(&mut self, position: &Desdemona, side: Side, at: Square, empty: Bitboard, opens: bool) {
        let sign = if opens { 1u8 } else { u8::MAX };
        let (geometry, allowed) = (position.geometry(), position.plain_allowed(side));
        let seen = rays_from(geometry, at, empty);
        let here = u8::from(allowed.contains(at));
        for d in 0..8 {
            let change = sign.wrapping_mul(here + (seen[d ^ 4] & allowed).count() as u8);
            for from in seen[d] {
                self.0[from.index()] = self.0[from.index()].wrapping_add(change);
            }
        }
        let stones = position.stones(!side);
        if position.rules().flips != Flips::Lines && geometry.neighbours(at).intersects(stones) {
            for from in position.flip_targets(side, at, empty) {
                self.0[from.index()] = self.0[from.index()].wrapping_add(sign);
            }
        }
    }
}

/// Targets and fires of an amazon. Everything is counted as if it still stood where it was, but for `through`.
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
    /// Fires back through the origin, from N targets on one side, if plain shots may hit M squares on the
    /// other.
    #[inline(always)]
    fn through(&self, length: u64, opposite: u64) -> u64 {
        length * (self.origin + opposite)
    }
}

/// The number of turns: for every target of every amazon, the squares it can fire at.
#[inline(always)]
pub(super) fn count_turns(position: &Desdemona) -> u64 {
    let side = position.side_to_move();
    if position.move_only() {
        let mut count = 0;
        for from in position.amazons(side) {
            count += u64::from(position.move_targets(side, from).count());
        }
        return count;
    }
    let (mut fires, mut known, mut count) = (Fires::NONE, Bitboard::EMPTY, 0);
    for replier in position.repliers(side) {
        fires.count(position, side, replier.targets & !known, position.empty());
        known |= replier.targets;
        count += fires.sum(replier.targets) + replier.through;
    }
    count
}

/// The turns of both sides, one after the other. Where the other side can fire from is kept up to date from move to
/// move.
#[inline(always)]
pub(super) fn count_pairs(position: &Desdemona) -> u64 {
    let (side, empty) = (position.side_to_move(), position.empty());
    let mut start = Fires::NONE;
    start.count(position, !side, empty, empty);
    let mut count = 0;
    // Not in a closure: that would be compiled without the kernel's processor features.
    for step in position.steps() {
        let StepKind::Move { from, to } = step.kind() else { continue };
        let left = empty.without(to);
        let mut fires = start;
        fires.change(position, !side, to, empty, false);
        fires.change(position, !side, from, left, true);
        fires.count(position, !side, Bitboard::EMPTY.with(from), left);
        count += count_replies(&position.after(step), &fires);
    }
    count
}

/// For a position between move and fire: the sum over all fires of the number of the other side's turns after it.
/// `fires` has the other side's fires from every square.
///
/// Fires that flip are played. The replies to all others are counted once without the stone. A stone at `s` then takes
/// away: from every target that sees `s`, the plain fires at `s` and beyond, which are the same for all targets on one
/// side of `s`; and the targets at and behind `s` on the one ray that it cuts, with all the fires that they have left.
/// Flip shots change where a run ends at `s`.
#[inline(always)]
fn count_replies(position: &Desdemona, fires: &Fires) -> u64 {
    let Some(shooter) = position.shooter() else { return 0 };
    let side = position.side_to_move();
    let (geometry, empty, allowed) = (position.geometry(), position.empty(), position.plain_allowed(!side));
    let mut repliers = position.repliers(!side);
    let mut total = 0;
    for replier in &mut repliers {
        replier.fires = fires.sum(replier.targets);
        total += replier.fires + replier.through;
    }
    // How many amazons have each square for a target, in binary.
    let mut sharing = [Bitboard::EMPTY; 7];
    let mut all = Bitboard::EMPTY;
    for replier in &repliers {
        let mut carry = replier.targets;
        for digit in &mut sharing {
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
        all |= replier.targets;
    }
    let digits = sharing.iter().rposition(|digit| !digit.is_empty()).map_or(0, |last| last + 1);
    let shared = |squares: Bitboard| {
        sharing[..digits].iter().enumerate().map(|(k, &digit)| u64::from((squares & digit).count()) << k).sum::<u64>()
    };
    let mut count = 0;
    let flips = position.flip_targets(side, shooter, empty);
    let by_lines = position.rules().flips == Flips::Lines;
    for stone in position.fire_targets() {
        if flips.contains(stone) || by_lines && !position.flipped(side, shooter, stone).is_empty() {
            count += count_after_flips(position, stone, fires);
            continue;
        }
        let seen = rays_from(geometry, stone, empty);
        let here = u64::from(allowed.contains(stone));
        let mut beyond = [here; 8];
        for d in 0..8 {
            beyond[d] += u64::from((seen[d ^ 4] & allowed).count());
        }
        let (gained, lost_flips) = flip_changes(position, stone, &seen);
        count += total + shared(gained) - shared(lost_flips);
        for d in 0..8 {
            count -= shared(seen[d]) * beyond[d];
        }
        if !all.contains(stone) {
            continue;
        }
        for replier in repliers.iter().filter(|replier| replier.targets.contains(stone)) {
            let cut = (0..8).find(|&d| replier.rays[d].contains(stone)).unwrap_or(0);
            let behind = geometry.ray(Direction::ALL[cut], stone).with(stone);
            let lost = replier.rays[cut] & behind;
            count += u64::from((lost & seen[cut]).count()) * beyond[cut];
            count -= fires.sum(lost) + u64::from((lost & gained).count());
            count += u64::from((lost & lost_flips).count());
            if replier.direct[cut].contains(stone) {
                let left = replier.direct[cut] & !behind;
                let (length, width) = (u64::from(left.count()), u64::from((left & allowed).count()));
                let opposite = cut ^ 4;
                count += replier.through(length, replier.widths[opposite])
                    + replier.through(replier.lengths[opposite], width);
                count -= replier.through(replier.lengths[cut], replier.widths[opposite])
                    + replier.through(replier.lengths[opposite], replier.widths[cut]);
            }
        }
    }
    count
}

/// The rays from a square in all directions, as [`Geometry::ray_targets`] gives them. A loop, not a `map`: that would
/// not be inlined.
#[inline(always)]
fn rays_from(geometry: &Geometry, from: Square, empty: Bitboard) -> [Bitboard; 8] {
    let mut rays = [Bitboard::EMPTY; 8];
    for d in 0..8 {
        rays[d] = geometry.ray_targets(Direction::ALL[d], from, empty);
    }
    rays
}

/// The other side's turns after a fire at `at` that flips; `fires` are its fires before.
#[inline(always)]
fn count_after_flips(position: &Desdemona, at: Square, fires: &Fires) -> u64 {
    let (side, after, mut fires) = (position.side_to_move(), position.after(MoveFireStep::firing(at)), *fires);
    fires.change(position, !side, at, position.empty(), false);
    let changed = king_step(position.geometry(), position.stones(side) | after.stones(side), after.empty());
    fires.count(&after, !side, changed, after.empty());
    after.repliers(!side).iter().map(|replier| fires.sum(replier.targets) + replier.through).sum()
}

/// The squares from which the other side gains, and those from which it loses a flip shot by a stone that the side to
/// move fires at `at`: such a square lies behind a run of stones that ends at `at`, or next to it. A neutral stone bars
/// the shot that landed here; an own one lengthens the run, up to the first square on the other side. `seen` are the
/// rays from `at`.
#[inline(always)]
fn flip_changes(position: &Desdemona, at: Square, seen: &[Bitboard; 8]) -> (Bitboard, Bitboard) {
    let (geometry, empty, rules) = (position.geometry(), position.empty(), position.rules());
    let none = (Bitboard::EMPTY, Bitboard::EMPTY);
    let stones = position.stones(position.side_to_move());
    let beside = geometry.neighbours(at) & stones;
    if rules.flips == Flips::Lines || rules.plain == Leaves::Neutral && beside.is_empty() {
        return none;
    }
    if beside.is_empty() {
        let both = (0..4).filter(|&d| !seen[d].is_empty() && !seen[d + 4].is_empty());
        return (both.fold(Bitboard::EMPTY, |all, d| all | seen[d] | seen[d + 4]) & geometry.neighbours(at), none.1);
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
