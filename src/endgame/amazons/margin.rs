//! The margin with best play, by search.
//!
//! Once it is certain who wins, both sides play for the turns that are left at the end. A side that is stuck has lost,
//! and the other counts the turns that it could still make. So the regions do not simply add up: who has no spare turn
//! elsewhere may be forced to open his own. This searches all contested regions together, with the turns in
//! territories as spare ones, which are all alike.
//!
//! A side that wins by staying in its rooms has a margin for certain, `lower` turns of its own less `upper` turns of
//! the other. Nobody can have more than what is left of the squares once the other has played what is his for certain,
//! as every turn fills one. Where both reach nothing in common, the margin is known.

use super::cache::Map;
use super::contested::Local;
use super::proof::by_regions;
use super::regions::{Owner, RegionCount, regions_of};
use super::rooms::Part;
use crate::board::{Bitboard, Geometry};
use crate::endgame::Work;
use crate::games::amazons::Amazons;
use crate::games::{MoveFireStep, Outcome, Position, Side, Steps};

/// Positions looked at in all. In the first decided positions of 62 games of 6×6 and 8×8 five times as many found no
/// more margins.
const EFFORT: u32 = 100_000;
/// Positions looked at for the filling of each room within.
const ROOM_EFFORT: u32 = 200;

/// White's margin with best play, in halves of a turn: at least, at most. Always odd, as having to move costs a half.
pub type Margin = [i32; 2];

/// White's exact margin in halves of a turn, once all regions amount to known numbers: positive if White wins. `None`
/// if it is not known. Having to move costs half a turn.
pub(crate) fn margin(position: &impl Position, regions: &[RegionCount]) -> Option<i32> {
    let half = if position.side_to_move() == Side::White { -1 } else { 1 };
    let number = regions.iter().map(|count| count.worth.number()).sum::<Option<i32>>()?;
    Some(2 * number + half)
}

/// The margin as far as the regions tell it and, once the winner is certain, as a search finds it: tens of milliseconds
/// at most. The position must be at the start of a turn.
#[must_use]
pub fn best_margin(position: &Amazons, regions: &[RegionCount], work: &Work<'_>) -> Margin {
    let told = by_counts(position, regions);
    let winner = by_regions(position, regions).map(|proof| proof.outcome);
    let told = match winner {
        Some(Outcome::Win(Side::White)) => [told[0].max(1), told[1]],
        Some(Outcome::Win(Side::Black)) => [told[0], told[1].min(-1)],
        _ => return told,
    };
    let searched = Margins::new(position, regions, work).filter(|_| told[0] < told[1]);
    searched.map_or(told, |mut margins| margins.within(told))
}

/// A turn that keeps the best margin, if a search finds this exactly; `None` within stands for a spare turn.
pub(super) fn best_turn(
    position: &Amazons,
    regions: &[RegionCount],
    work: &Work<'_>,
) -> Option<Option<Steps<Amazons>>> {
    let mut margins = Margins::new(position, regions, work)?;
    let [low, high] = margins.within(by_counts(position, regions));
    if low == high { margins.keeping(low) } else { None }
}

/// What the counts of the regions tell.
fn by_counts(position: &Amazons, regions: &[RegionCount]) -> Margin {
    let is_closed = |count: &RegionCount| {
        count.region.owner != Owner::Contested
            || count.rooms[0] | count.rooms[1] == count.empty && count.turns.iter().all(|turns| turns.exact().is_some())
    };
    if let Some(margin) = margin(position, regions).filter(|_| regions.iter().all(is_closed)) {
        return [margin; 2];
    }
    let sum = |number: &dyn Fn(&RegionCount) -> i32| regions.iter().map(number).sum::<i32>();
    let sure = [sum(&|count| count.worth.low), sum(&|count| -count.worth.high)];
    let turns = [0, 1].map(|side: usize| sum(&|count| count.turns[side].lower as i32));
    bounds(position.side_to_move(), sure, turns, sum(&|count| count.empty.count() as i32))
}

/// The margin if White and Black are ahead by these many turns for `sure` with second turn, which may be below 0, have
/// these `turns` at least, and these `squares` are left.
fn bounds(mover: Side, sure: [i32; 2], turns: [i32; 2], squares: i32) -> Margin {
    let least = |side: Side| {
        let (own, half) = (side.index(), if mover == side { -1 } else { 1 });
        let at_home = 2 * sure[own] + half;
        // If the other side wins, both have played at least what is certain of this one.
        let left = squares - 2 * turns[own] - i32::from(mover != side);
        match (at_home > 0, left < 0) {
            (true, _) => at_home,
            (_, true) => 1,
            _ => -(2 * left + 1),
        }
    };
    [least(Side::White), -least(Side::Black)]
}

/// All contested regions, and the spare turns of White and Black elsewhere.
#[derive(Clone, Copy)]
struct State {
    local: Local,
    spare: [i32; 2],
    mover: Side,
}

const NOWHERE: Local = Local { amazons: [Bitboard::EMPTY; 2], empty: Bitboard::EMPTY };

type Key = ([u128; 3], [i32; 2], Side);

/// A search for the margin.
struct Margins<'a> {
    geometry: &'static Geometry,
    effort: u32,
    work: &'a Work<'a>,
    root: State,
    known: Map<Key, Margin>,
}

impl<'a> Margins<'a> {
    /// `None` if a territory is not counted.
    fn new(position: &Amazons, regions: &[RegionCount], work: &'a Work<'a>) -> Option<Self> {
        let mut root = State { local: NOWHERE, spare: [0; 2], mover: position.side_to_move() };
        let all = Local { amazons: position.both_amazons(), empty: position.empty() };
        for RegionCount { region, turns, .. } in regions {
            match region.owner {
                Owner::Territory(side) => root.spare[side.index()] += turns[side.index()].exact()? as i32,
                Owner::Contested => root.add(&all, region.squares),
            }
        }
        Some(Self { geometry: position.geometry(), effort: EFFORT, work, root, known: Map::default() })
    }

    /// The margin, which is known to lie between these bounds, as far as it is found.
    fn within(&mut self, [least, most]: Margin) -> Margin {
        let root = self.root;
        loop {
            let [low, high] = self.bounds(&root);
            let [low, high] = [low.max(least), high.min(most)];
            // Each question halves what is open.
            let middle = (low + high).div_euclid(4) * 2 + 1;
            if low >= high || self.at_least(&root, middle.max(low + 2)).is_none() {
                return [low, high];
            }
        }
    }

    /// A turn of the side to move that keeps this margin, which is exact: `Some(None)` for a spare one.
    fn keeping(&mut self, margin: i32) -> Option<Option<Steps<Amazons>>> {
        let (root, geometry, work) = (self.root, self.geometry, self.work);
        let mut keeps = |next: &State| match root.mover {
            Side::White => self.at_least(next, margin) == Some(true),
            Side::Black => self.at_least(next, margin + 2) == Some(false),
        };
        if root.spare[root.mover.index()] > 0 && keeps(&root.spent()) {
            return Some(None);
        }
        let turns = root.local.turns(geometry, root.mover);
        let (_, [from, to, at], _) = turns.into_iter().find(|(.., local)| keeps(&root.after(local, geometry, work)))?;
        Some(Some([MoveFireStep::moving(from, to), MoveFireStep::firing(at)].into_iter().collect()))
    }

    fn bounds(&mut self, state: &State) -> Margin {
        let (geometry, work) = (self.geometry, self.work);
        *self.known.entry(state.key()).or_insert_with(|| state.bounds(geometry, work))
    }

    /// Whether White has at least this margin. `None`: out of effort.
    fn at_least(&mut self, state: &State, margin: i32) -> Option<bool> {
        let [low, high] = self.bounds(state);
        if margin <= low || margin > high {
            return Some(margin <= low);
        }
        let (geometry, work) = (self.geometry, self.work);
        let mut children = state.local.turns(geometry, state.mover);
        let looked_at = 1 + children.len() as u32;
        self.effort = self.effort.checked_sub(looked_at).filter(|_| self.work.spend(looked_at))?;
        children.sort_by_cached_key(|&(gain, ..)| std::cmp::Reverse(gain));
        let spent = (state.spare[state.mover.index()] > 0).then(|| state.spent());
        if children.is_empty() && spent.is_none() {
            // Stuck, and the turns of the other side are not counted.
            return None;
        }
        let next = children.iter().map(|(.., local)| state.after(local, geometry, work)).chain(spent);
        let goal = state.mover == Side::White;
        let mut reached = !goal;
        for next in next {
            if self.at_least(&next, margin)? == goal {
                reached = goal;
                break;
            }
        }
        if let Some([low, high]) = self.known.get_mut(&state.key()) {
            if reached { *low = (*low).max(margin) } else { *high = (*high).min(margin - 2) }
        }
        Some(reached)
    }
}

impl State {
    fn key(&self) -> Key {
        let Local { amazons: [white, black], empty } = self.local;
        ([white.0, black.0, empty.0], self.spare, self.mover)
    }

    /// After a turn that leads to `local`, whose territories become spare turns as far as they are counted.
    fn after(&self, local: &Local, geometry: &'static Geometry, work: &Work<'_>) -> Self {
        let mut after = Self { local: NOWHERE, spare: self.spare, mover: !self.mover };
        for region in regions_of(geometry, local.amazons, local.empty) {
            let counted = match region.owner {
                Owner::Territory(side) => {
                    let amazons = local.amazons.map(|set| set & region.squares);
                    let part = Part::new(geometry, amazons, local.empty & region.squares);
                    part.turns(side, ROOM_EFFORT, work).exact().map(|turns| (side, turns))
                }
                Owner::Contested => None,
            };
            match counted {
                Some((side, turns)) => after.spare[side.index()] += turns as i32,
                None => after.add(local, region.squares),
            }
        }
        after
    }

    /// Takes over what is on these squares.
    fn add(&mut self, from: &Local, squares: Bitboard) {
        (0..2).for_each(|side| self.local.amazons[side] |= from.amazons[side] & squares);
        self.local.empty |= from.empty & squares;
    }

    /// After a spare turn.
    fn spent(&self) -> Self {
        let mut spare = self.spare;
        spare[self.mover.index()] -= 1;
        Self { spare, mover: !self.mover, ..*self }
    }

    /// What is known of the margin without a look at any turn.
    fn bounds(&self, geometry: &'static Geometry, work: &Work<'_>) -> Margin {
        let Local { amazons, empty } = self.local;
        let part = Part::new(geometry, amazons, empty);
        let turns = [Side::White, Side::Black].map(|side| part.turns(side, ROOM_EFFORT, work));
        let half = if self.mover == Side::White { -1 } else { 1 };
        let (own, other) = (self.mover.index(), (!self.mover).index());
        if self.spare[own] == 0 && part.reached[own].is_empty() {
            // The other side goes on alone.
            let mut alone = [Bitboard::EMPTY; 2];
            alone[other] = amazons[other];
            if let Some(left) = Part::new(geometry, alone, empty).turns(!self.mover, ROOM_EFFORT, work).exact() {
                return [half * (2 * (left as i32 + self.spare[other]) + 1); 2];
            }
        }
        let number = |side: usize| [turns[side].lower as i32, turns[side].upper as i32].map(|it| it + self.spare[side]);
        let [white, black] = [number(0), number(1)];
        let is_closed = part.own(Side::White) | part.own(Side::Black) == empty;
        if is_closed && white[0] == white[1] && black[0] == black[1] {
            return [2 * (white[0] - black[0]) + half; 2];
        }
        let squares = empty.count() as i32 + self.spare[0] + self.spare[1];
        bounds(self.mover, [white[0] - black[1], black[0] - white[1]], [white[0], black[0]], squares)
    }
}
