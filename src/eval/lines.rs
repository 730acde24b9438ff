//! Which stones can be flipped: what lies at the two ends of each run of stones of one colour.

use super::network::Counter;
use super::squares::Planes;
use crate::board::flood::{Levels, QUEEN_LEVELS};
use crate::board::{Bitboard, Geometry, STRIDE};
use crate::games::move_fire::{Flips, Kind, MoveFire};
use crate::games::{Position, Side};

/// Classes of draws: by the number of stones that may flip some day.
pub const DRAW_CLASSES: usize = 12;

/// The number of classes for the length of the longest run that can be flipped at once.
pub(super) const LONGEST: usize = 8;
/// A lead in stones beyond this number, either way, counts as this.
const MOST_LEAD: i32 = 10;
/// Classes of leads.
pub(super) const LEADS: usize = 2 * MOST_LEAD as usize + 1;

/// The class of the lead of a side, below [`LEADS`].
#[inline(always)]
pub(super) fn lead_class<G: Kind>(position: &MoveFire<G>, side: Side) -> usize {
    let lead = if side == Side::White { position.margin() } else { -position.margin() };
    (lead.clamp(-MOST_LEAD, MOST_LEAD) + MOST_LEAD) as usize
}

/// Distances and lines, from which the counts of games with stones are made.
pub(super) struct View {
    /// Distances of both sides' amazons.
    pub levels: Levels<QUEEN_LEVELS>,
    pub reached: [Bitboard; 2],
    pub lines: Lines,
}

impl View {
    #[inline(always)]
    pub fn of<G: Kind>(position: &MoveFire<G>, levels: Levels<QUEEN_LEVELS>) -> Self {
        let lines = Lines::new(position, &levels);
        Self { reached: [levels.reached(0), levels.reached(1)], lines, levels }
    }

    /// How many runs that can be flipped at once end at each square, at most three: of the mover's stones, then of the
    /// other side's.
    #[inline(always)]
    pub fn ends<G: Kind>(&self, position: &MoveFire<G>) -> [Planes; 2] {
        let (geometry, side, empty) = (position.geometry(), position.side_to_move(), position.empty());
        [side, !side].map(|side| self.lines.ends(geometry, position.stones(side), empty))
    }
}

/// The stones of both sides that may be flipped.
pub(super) struct Lines {
    /// For each stone, on how many axes its run is open at both ends, so that it may flip some day: by empty squares or
    /// amazons.
    pub open_axes: Planes,
    /// Stones open on any axis.
    pub loose: Bitboard,
    /// Stones that the other side could flip by its next turn, on each axis: an amazon gets to one end of their run by
    /// one move and shoots to the other; where lines are closed, it gets to the open end by move and shot.
    pub now: [Bitboard; 4],
    /// Stones that it could flip if it had one move more, those above included.
    pub soon: Bitboard,
    /// The most stones in one of these runs, of White's stones and of Black's; at most 7.
    pub longest: [usize; 2],
}

impl Lines {
    /// No stones.
    const NONE: Self = Self {
        open_axes: Planes::NONE,
        loose: Bitboard::EMPTY,
        now: [Bitboard::EMPTY; 4],
        soon: Bitboard::EMPTY,
        longest: [0; 2],
    };

    /// The lines of all stones, by the distances of both sides' amazons: near is what they reach by one move, far what
    /// they reach by two.
    #[inline(always)]
    fn new<G: Kind>(position: &MoveFire<G>, levels: &Levels<QUEEN_LEVELS>) -> Self {
        let ([white, black], flips) = (position.both_stones(), position.rules().flips);
        if flips == Flips::None || (white | black).is_empty() {
            return Self::NONE;
        }
        let (geometry, empty, by_lines) = (position.geometry(), position.empty(), flips == Flips::Lines);
        let ([of_white, of_black], [near_white, near_black]) = (position.both_amazons(), levels.sets[0]);
        let [far_white, far_black] = [near_white | levels.sets[1][0], near_black | levels.sets[1][1]];
        // Squares that may lie at the ends of White's runs, and of Black's: those that begin a flip at once; those that
        // begin one later, or where lines are closed, those to close them from; those that do not close the end for
        // good.
        let lasting = lasting_ends(position);
        let ends = if by_lines {
            [[black | of_black, white | of_white], [far_black, far_white], lasting]
        } else {
            [[near_black, near_white], [far_black, far_white], lasting]
        };
        let mut lines = Self::NONE;
        for axis in 0..4 {
            let (up, continuing) = from_ends(geometry, axis, [white, black], &ends, empty);
            let (down, _) = from_ends(geometry, axis + 4, [white, black], &ends, empty);
            let (now, soon) = if by_lines {
                (between(&up, &down, 0, 1), between(&up, &down, 0, 3))
            } else {
                (between(&up, &down, 0, 3), between(&up, &down, 1, 3))
            };
            lines.now[axis] = now;
            lines.soon |= soon;
            let both = up[2] & down[2];
            lines.open_axes.count_one_more(both);
            lines.loose |= both;
            // The rest of the runs when their first stones are taken away again and again.
            let (mut rest, mut length) = (now, 0);
            while !rest.is_empty() && length < 7 {
                length += 1;
                for (side, stones) in [white, black].into_iter().enumerate() {
                    if rest.intersects(stones) {
                        lines.longest[side] = lines.longest[side].max(length);
                    }
                }
                rest &= shift(geometry, axis, rest) & continuing;
            }
        }
        lines
    }

    /// All stones that can be flipped at once.
    #[inline(always)]
    pub fn all_now(&self) -> Bitboard {
        self.now[0] | self.now[1] | self.now[2] | self.now[3]
    }

    /// The class of draws, below [`DRAW_CLASSES`].
    #[inline(always)]
    pub fn draw_class(&self) -> usize {
        match self.loose.count() as usize {
            loose @ 0..=7 => loose,
            8..=9 => 8,
            10..=14 => 9,
            15..=24 => 10,
            _ => 11,
        }
    }

    /// Sets of stones, by when they can be flipped: neither soon nor now, soon, now.
    #[inline(always)]
    pub fn threats(&self) -> [Bitboard; 3] {
        let now = self.all_now();
        [!self.soon & !now, self.soon & !now, now]
    }

    /// Counts stones, in the features from `start` on: those that are open on no axis, then by the number of their open
    /// axes, at most `most`, and by [`threats`](Self::threats).
    #[inline(always)]
    pub fn count(
        &self,
        start: usize,
        stones: Bitboard,
        threats: &[Bitboard; 3],
        most: usize,
        counter: &mut impl Counter,
    ) {
        if stones.is_empty() {
            return;
        }
        counter.add(start, (stones & !self.loose).count() as i32);
        for axes in 1..=most {
            let open = self.open_axes.with_number(axes, stones);
            if !open.is_empty() {
                for (threat, set) in threats.iter().enumerate() {
                    counter.add(start + 1 + 3 * (axes - 1) + threat, (open & *set).count() as i32);
                }
            }
        }
    }

    /// How many runs of `stones` that can be flipped at once end at each empty square, at most three.
    #[inline(always)]
    pub fn ends(&self, geometry: &Geometry, stones: Bitboard, empty: Bitboard) -> Planes {
        let mut planes = Planes::NONE;
        for axis in 0..4 {
            let runs = self.now[axis] & stones;
            planes.count_up_to_three(shift(geometry, axis, runs) & empty);
            planes.count_up_to_three(shift(geometry, axis + 4, runs) & empty);
        }
        planes
    }
}

/// The squares that do not close an end of White's runs for good, and of Black's.
#[inline(always)]
fn lasting_ends<G: Kind>(position: &MoveFire<G>) -> [Bitboard; 2] {
    let [white, black] = position.both_amazons();
    let open = position.empty() | white | black;
    let [white, black] = position.both_stones();
    if position.rules().flips == Flips::Lines { [open | black, open | white] } else { [open; 2] }
}

/// [`Lines::loose`] alone.
#[inline(always)]
pub(super) fn loose<G: Kind>(position: &MoveFire<G>) -> Bitboard {
    let ends = [[Bitboard::EMPTY; 2], [Bitboard::EMPTY; 2], lasting_ends(position)];
    let open =
        |direction| from_ends(position.geometry(), direction, position.both_stones(), &ends, Bitboard::EMPTY).0[2];
    (0..4).fold(Bitboard::EMPTY, |loose, axis| loose | open(axis) & open(axis + 4))
}

/// The stones with an end of kind `a` on one side and of kind `b` on the other.
#[inline(always)]
fn between(up: &[Bitboard; 4], down: &[Bitboard; 4], a: usize, b: usize) -> Bitboard {
    up[a] & down[b] | up[b] & down[a]
}

/// Looks along `direction`. First, for each of the three kinds of ends and for empty squares: the stones of runs that
/// begin right after such a square. Second: the stones whose neighbour behind them has their colour.
#[inline(always)]
fn from_ends(
    geometry: &Geometry,
    direction: usize,
    [white, black]: [Bitboard; 2],
    ends: &[[Bitboard; 2]; 3],
    empty: Bitboard,
) -> ([Bitboard; 4], Bitboard) {
    let continuing = shift(geometry, direction, white) & white | shift(geometry, direction, black) & black;
    let mut sets = [Bitboard::EMPTY; 4];
    for kind in 0..3 {
        let [of_white, of_black] = ends[kind];
        sets[kind] = shift(geometry, direction, of_white) & white | shift(geometry, direction, of_black) & black;
    }
    sets[3] = shift(geometry, direction, empty) & (white | black);
    // Twice as far in each round.
    let (mut through, mut rounds) = (continuing, 0);
    while !through.is_empty() {
        for set in &mut sets {
            *set |= shift_by(direction, *set, 1 << rounds) & through;
        }
        through &= shift_by(direction, through, 1 << rounds);
        rounds += 1;
    }
    (sets, continuing)
}

/// Bits from a square to its neighbour in the first four directions; the other four go the same way down.
const STEPS: [u32; 4] = [1, STRIDE as u32 + 1, STRIDE as u32, STRIDE as u32 - 1];

/// A whole set, moved by this number of steps without regard to edges.
#[inline(always)]
fn shift_by(direction: usize, set: Bitboard, steps: u32) -> Bitboard {
    let by = STEPS[direction & 3] * steps;
    if direction < 4 { set << by } else { set >> by }
}

/// A whole set, moved by one step in a direction; steps over the edge are dropped.
#[inline(always)]
pub(super) fn shift(geometry: &Geometry, direction: usize, set: Bitboard) -> Bitboard {
    let moved = shift_by(direction, set, 1) & geometry.squares();
    match direction {
        0 | 1 | 7 => moved & geometry.not_first_file(),
        3..=5 => moved & geometry.not_last_file(),
        _ => moved,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::board::flood::{Kernel, Portable};
    use crate::games::desdemona::Desdemona;
    use crate::games::{Notation, variant};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// The square behind the run of `stones` that `from` is in, walking one step at a time.
    fn end(geometry: &Geometry, from: Square, (files, ranks): (i32, i32), stones: Bitboard) -> (usize, Option<Square>) {
        let (mut file, mut rank, mut length) = (from.file() as i32, from.rank() as i32, 0);
        loop {
            (file, rank, length) = (file + files, rank + ranks, length + 1);
            let on_board =
                (0..geometry.width() as i32).contains(&file) && (0..geometry.height() as i32).contains(&rank);
            let square = if on_board { Square::at(file as usize, rank as usize) } else { None };
            match square {
                Some(square) if stones.contains(square) => {}
                other => return (length, other),
            }
        }
    }

    #[test]
    fn lines_agree_with_walking() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut flips = 0;
        for variant in ["desdemona", "iago", "desdemona-early", "desdemona-site"] {
            let variant = &variant::find(variant).unwrap();
            let by_lines = variant.name() == "iago";
            for _ in 0..4 {
                let mut position = Desdemona::from_fen(variant, variant.start()).unwrap();
                while !(position.at_turn_start() && position.outcome().is_some()) {
                    flips += check(&position, by_lines);
                    let steps = position.steps();
                    position.play(steps[random.random_range(0..steps.len())]);
                }
            }
        }
        assert!(flips > 500, "{flips}");
    }

    fn check(position: &Desdemona, by_lines: bool) -> u32 {
        let (geometry, empty) = (position.geometry(), position.empty());
        let sides = [Side::White, Side::Black];
        let levels = Portable.queen_levels(geometry, sides.map(|side| position.amazons(side)), empty);
        let lines = Lines::new(position, &levels);
        let amazons = position.amazons(Side::White) | position.amazons(Side::Black);
        let mut longest = [0; 2];
        for side in sides {
            let (own, enemy) = (position.stones(side), !side);
            let near = levels.sets[0][enemy.index()];
            let far = near | levels.sets[1][enemy.index()];
            for square in own {
                let (mut open_axes, mut soon) = (0, false);
                for (axis, (files, ranks)) in [(1, 0), (1, 1), (0, 1), (-1, 1)].into_iter().enumerate() {
                    let (up, high) = end(geometry, square, (files, ranks), own);
                    let (down, low) = end(geometry, square, (-files, -ranks), own);
                    let is = |set: Bitboard, square: Option<Square>| square.is_some_and(|square| set.contains(square));
                    let both = |a: Bitboard, b: Bitboard| is(a, low) && is(b, high) || is(b, low) && is(a, high);
                    let anchors = position.stones(enemy) | position.amazons(enemy);
                    let open = if by_lines { empty | amazons | position.stones(enemy) } else { empty | amazons };
                    let now = if by_lines { both(anchors, far) } else { both(near, empty) };
                    soon |= if by_lines { both(anchors, empty) } else { both(far, empty) };
                    open_axes += usize::from(both(open, open));
                    assert_eq!(lines.now[axis].contains(square), now, "{} {square} {axis}", position.fen());
                    if now {
                        longest[side.index()] = longest[side.index()].max((up + down - 1).min(7));
                    }
                }
                assert_eq!(lines.soon.contains(square), soon);
                assert!(!lines.open_axes.with_number(open_axes, Bitboard::of(square)).is_empty());
                assert_eq!(lines.loose.contains(square), open_axes > 0);
                assert_eq!(loose(position).contains(square), open_axes > 0);
            }
        }
        assert_eq!(lines.longest, longest, "{}", position.fen());
        let stones = position.stones(Side::White) | position.stones(Side::Black);
        assert!((lines.all_now() | lines.soon | lines.loose) & !stones == Bitboard::EMPTY);
        lines.all_now().count()
    }
}
