//! How many turns the amazons of one side have in a room of their own.
//!
//! Every turn fills one square, so a room of `n` empty squares lasts `n` turns, less those that are wasted: cut off
//! from all amazons when the last turn is played. Counting is NP-hard (Buro, *Simple Amazons endgames and their
//! connection to Hamilton circuits in cubic subgrid graphs*, 2000), but most rooms waste nothing and the proof is a
//! filling. So the question is asked for 0, 1, 2 … wasted squares in turn: a depth-first search that tries arrows into
//! dead ends first and gives up as soon as more squares are lost than allowed. Refuted positions are remembered. Parts
//! that are no longer connected are searched one by one: their wastes add up.
//!
//! A *door* is an amazon that stands next to squares of the enemy. It may stay for ever; if it leaves, it must shoot at
//! the square that it left. So the enemy never gets in, and the counted turns are safe.

use super::cache::{Cache, Map};
use super::shape::Shape;
use crate::board::flood::connected;
use crate::board::{Bitboard, Geometry, MAX_SIDE, Square};
use crate::endgame::Work;
use crate::forks::Lazy;

/// Bounds to a number of turns; equal if it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Turns {
    /// Turns that the other side cannot prevent.
    pub lower: u32,
    /// An upper bound of the turns.
    pub upper: u32,
}

impl Turns {
    /// Exactly this number.
    #[must_use]
    pub fn exactly(turns: u32) -> Self {
        Self { lower: turns, upper: turns }
    }

    /// The number, if it is known.
    #[must_use]
    pub fn exact(self) -> Option<u32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

impl std::ops::AddAssign for Turns {
    fn add_assign(&mut self, other: Self) {
        self.lower += other.lower;
        self.upper += other.upper;
    }
}

/// One turn within a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fill {
    pub from: Square,
    pub to: Square,
    pub at: Square,
}

/// The turns that the amazons of `shape` have there, if doors are left only as told above: with at most `effort`
/// positions looked at. Without doors that is the number of turns of a territory.
pub(super) fn turns(shape: &Shape, effort: u32, work: &Work<'_>) -> Turns {
    /// Bounds, and the positions that they took.
    type Found = (u8, u8, u32);
    static CACHE: Lazy<Cache<(Shape, u32), Found>> = Lazy::new(Cache::new);
    match shape.empty.count_ones() {
        count @ (0 | 1) => Turns::exactly(count),
        _ => {
            let before = work.left();
            let solve = |(shape, effort): &(Shape, u32)| {
                let turns = solve(shape, *effort, work).0;
                (turns.lower as u8, turns.upper as u8, work.spent_since(before))
            };
            let key = (shape.canonical().0, effort);
            let (lower, upper, took) = CACHE.get_or(key, solve, || !work.is_over());
            if work.left() == before {
                work.spend(took);
            }
            Turns { lower: lower.into(), upper: upper.into() }
        }
    }
}

/// As [`turns`], and a filling of `lower` turns.
pub(super) fn filling(shape: &Shape, effort: u32, work: &Work<'_>) -> (Turns, Vec<Fill>) {
    let (shape, placement) = shape.canonical();
    let (turns, mut line) = solve(&shape, effort, work);
    for fill in &mut line {
        let Fill { from, to, at } = *fill;
        *fill = Fill { from: placement.back(from), to: placement.back(to), at: placement.back(at) };
    }
    (turns, line)
}

/// The best filling could not be settled: each further try gets 1/N of the effort.
const FALLBACK: u32 = 4;

fn solve(shape: &Shape, effort: u32, work: &Work<'_>) -> (Turns, Vec<Fill>) {
    #[allow(clippy::expect_used, reason = "the frame is a board size")]
    let geometry = Geometry::get(MAX_SIDE, MAX_SIDE).expect("a board size");
    let mut filler =
        Filler { geometry, doors: Bitboard(shape.doors), effort, work, refuted: Map::default(), line: Vec::new() };
    let (amazons, empty) = (Bitboard(shape.amazons), Bitboard(shape.empty));
    let count = empty.count();
    let mut upper = count;
    let mut settled = true;
    for waste in 0..=count {
        if !settled {
            filler.effort = effort / FALLBACK;
            filler.line.clear();
        }
        match filler.fits(amazons, empty, waste) {
            Some(true) => {
                filler.line.reverse();
                let lower = filler.line.len() as u32;
                return (Turns { lower, upper }, filler.line);
            }
            Some(false) if settled => upper -= 1,
            _ if work.is_over() => break,
            _ => settled = false,
        }
    }
    (Turns { lower: 0, upper }, Vec::new())
}

struct Filler<'a> {
    geometry: &'static Geometry,
    doors: Bitboard,
    /// Positions that may still be looked at.
    effort: u32,
    work: &'a Work<'a>,
    /// (amazons, empty): it was proven that more squares than these are wasted.
    refuted: Map<(u128, u128), u8>,
    /// The filling that was found, last turn first.
    line: Vec<Fill>,
}

impl Filler<'_> {
    /// Whether at most `waste` squares of `empty` need be wasted; the filling is added to the line. `None`: out of
    /// effort.
    fn fits(&mut self, amazons: Bitboard, empty: Bitboard, waste: u32) -> Option<bool> {
        let (mark, mut left) = (self.line.len(), waste);
        let (mut amazons, mut unreached) = (amazons, empty);
        while let Some(amazon) = amazons.first() {
            let part = connected(self.geometry, Bitboard::of(amazon), unreached | amazons).with(amazon);
            let (here, squares) = (part & amazons, part & unreached);
            (amazons, unreached) = (amazons & !part, unreached & !part);
            if amazons.is_empty() {
                let lost = unreached.count();
                let fits = if lost > left { Some(false) } else { self.part_fits(here, squares, left - lost) };
                if fits != Some(true) {
                    self.line.truncate(mark);
                }
                return fits;
            }
            // The squares that this part must waste are no longer left to the following parts.
            let mut wasted = 0;
            while !self.part_fits(here, squares, wasted)? {
                wasted += 1;
                if wasted > left {
                    self.line.truncate(mark);
                    return Some(false);
                }
            }
            left -= wasted;
        }
        Some(unreached.count() <= left)
    }

    /// As [`fits`](Self::fits), where `amazons` and `empty` are connected.
    fn part_fits(&mut self, amazons: Bitboard, empty: Bitboard, waste: u32) -> Option<bool> {
        let count = empty.count();
        if count <= waste {
            return Some(true);
        }
        if let Some(&refuted) = self.refuted.get(&(amazons.0, empty.0))
            && u32::from(refuted) >= waste
        {
            return Some(false);
        }
        let geometry = self.geometry;
        let open = empty | amazons;
        let degree = |square| (geometry.neighbours(square) & open).count();
        // Arrows into dead ends first: squares with few open neighbours.
        let mut arrows: Vec<_> = open.into_iter().map(|square| (degree(square), square)).collect();
        arrows.sort_unstable_by_key(|&(degree, square)| (degree, square.index()));
        let mut moves = Vec::new();
        for (_, at) in arrows {
            moves.clear();
            for from in amazons {
                // An amazon's square can be hit only by itself, after it has left; and a door must be.
                if (amazons.contains(at) || self.doors.contains(from)) && at != from {
                    continue;
                }
                // From where the arrow's square can be hit: by symmetry, what a queen there would reach.
                let stands = geometry.queen_targets(from, empty) & geometry.queen_targets(at, empty.with(from));
                moves.extend(stands.into_iter().map(|to| (degree(to), from, to)));
            }
            // Stand where most ways are open.
            moves.sort_by_key(|&(degree, ..)| std::cmp::Reverse(degree));
            for &(_, from, to) in &moves {
                self.effort = self.effort.checked_sub(1).filter(|_| self.work.spend(1))?;
                let moved = amazons.without(from).with(to);
                let rest = empty.with(from).without(to).without(at);
                let lost = rest & !connected(geometry, moved, rest | moved);
                if lost.count() > waste {
                    continue;
                }
                let fits = self.fits(moved, rest, waste);
                if fits == Some(true) {
                    self.line.push(Fill { from, to, at });
                }
                if fits != Some(false) {
                    return fits;
                }
            }
        }
        self.refuted.insert((amazons.0, empty.0), waste as u8);
        Some(false)
    }
}
