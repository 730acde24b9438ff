//! Positions as the proof search sees them: what is contested, and spare turns for the rest.

use super::frame::{Frame, bits};
use super::standing_beyond;
use crate::board::Bitboard;
use crate::endgame::Work;
use crate::endgame::amazons::cache::mixed;
use crate::endgame::amazons::filling::{self, Turns};
use crate::endgame::amazons::shape::Shape;
use crate::endgame::dfpn::{Fact, Field, Key, Numbers};
use crate::games::Position;
use crate::games::amazons::Amazons;

/// Amazons of the side to move and of the other, and empty squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Region {
    pub mover: u64,
    pub other: u64,
    pub empty: u64,
}

/// A region and how many spare turns the side to move has more than the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct State {
    pub region: Region,
    pub spare: i32,
}

/// A position, reduced to its contested squares and the spare turns that the side to move has more than the other.
/// Positions with the same situation have the same result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Situation {
    /// The contested squares, by their hash.
    pub key: Key,
    /// Spare turns.
    pub spare: i32,
}

impl Fact {
    /// Whether it tells the result of `situation`.
    #[must_use]
    pub fn covers(&self, situation: &Situation) -> bool {
        self.key == situation.key
            && if self.wins { situation.spare >= self.spare } else { situation.spare <= self.spare }
    }
}

impl Region {
    /// Hashes for tables.
    #[inline(always)]
    pub fn key(&self) -> Key {
        let hash = |seed| [self.mover, self.other, self.empty].into_iter().fold(seed, mixed);
        Key { place: hash(0), check: hash(0x2545_f491_4f6c_dd1d) }
    }

    /// The least of its images by symmetry.
    #[inline(always)]
    fn canonical(self, frame: &Frame) -> Self {
        let [empty, mover, other] = frame.least_image([self.empty, self.mover, self.other]);
        Self { mover, other, empty }
    }
}

/// Logits are counted in parts of this size.
const LEAD: i32 = 32;
/// The worth of being on move, of a spare turn more, of a square nearer in king steps, of one in reach of the queens,
/// and of one that only these reach.
const TO_MOVE: i32 = 32;
const SPARE: i32 = 74;
const NEARER: i32 = 70;
const IN_REACH: i32 = 11;
const ALONE_IN_REACH: i32 = 21;

/// Amazons, empty squares and doors of a room, and bounds to the turns in it.
type Known = ([u64; 3], Turns);

/// The contested squares of positions, with counts of rooms, remembered.
pub(super) struct Rooms {
    pub frame: Frame,
    known: Vec<Known>,
    /// First numbers by lead, from −[`GREATEST_LEAD`] on.
    first: Vec<Numbers>,
}

/// The first number of an even position, for a proof and for a disproof.
const EVEN: f32 = 12.0;
/// The lead, in logits, that doubles one number and halves the other.
const DOUBLING: f32 = 2.5;
/// Leads beyond this are as good as this.
const GREATEST_LEAD: i32 = 16 * LEAD;

/// Numbers of a new position in which the side to move is ahead by `lead` logits.
pub(super) fn first_numbers(lead: f32) -> Numbers {
    let number = |lead: f32| 1 + (EVEN * libm::exp2f(lead / DOUBLING)) as u32;
    Numbers { proof: number(-lead), disproof: number(lead) }
}

/// Rooms that a worker remembers at most, and all workers together, 32 bytes each; powers of two. On 4×6 squares it
/// makes no difference whether a worker remembers 2^12 or 2^18 rooms.
const MOST_ROOMS: usize = 1 << 15;
const ALL_ROOMS: usize = 1 << 18;

/// Positions looked at to count one room.
const EFFORT: u32 = 2_000;

impl Rooms {
    /// None known yet, for one of `workers` workers.
    pub fn new(frame: Frame, workers: usize) -> Self {
        let capacity = (ALL_ROOMS / workers.next_power_of_two()).clamp(1, MOST_ROOMS);
        let first = (-GREATEST_LEAD..=GREATEST_LEAD).map(|lead| first_numbers(lead as f32 / LEAD as f32)).collect();
        Self { frame, known: vec![([0; 3], Turns::default()); capacity], first }
    }

    /// A position, nothing taken out.
    pub fn as_it_stands(&self, position: &Amazons) -> State {
        let side = position.side_to_move();
        let set = |set: Bitboard| self.frame.take(set);
        let region = Region {
            mover: set(position.amazons(side)),
            other: set(position.amazons(!side)),
            empty: set(position.empty()),
        };
        State { region, spare: 0 }
    }

    /// Turns of `amazons` in a room that only they reach.
    #[inline(always)]
    fn turns(&mut self, amazons: u64, empty: u64, doors: u64) -> Turns {
        if empty.count_ones() <= 1 {
            return Turns::exactly(empty.count_ones());
        }
        let sets = [amazons, empty, doors];
        let slot = Region { mover: amazons, other: doors, empty }.key().place as usize & (self.known.len() - 1);
        if self.known[slot].0 != sets {
            let [amazons, empty, doors] = sets.map(|set| self.frame.give(set).0);
            self.known[slot] = (sets, filling::turns(&Shape { empty, amazons, doors }, EFFORT, &Work::unlimited()));
        }
        self.known[slot].1
    }

    /// The state after a spare turn.
    pub fn passed(&mut self, state: &State) -> State {
        self.normal(turned(state))
    }

    /// The same position with territories that are closed and counted taken out and put to the spare turns, in its
    /// least image.
    ///
    /// A territory of `n` turns is the whole number `n` (see [`super::super::worth`]), and whole numbers add up. So
    /// positions that differ only in how territories were filled, or in what nobody reaches, become one.
    #[inline(always)]
    pub fn normal(&mut self, state: State) -> State {
        let State { region: Region { mut mover, mut other, mut empty }, mut spare } = state;
        empty &= self.frame.connected(mover | other, empty);
        let mut left = mover | other;
        while left != 0 {
            let amazon = left & left.wrapping_neg();
            let part = self.frame.connected(amazon, empty | mover | other) | amazon;
            left &= !part;
            let counted = match (part & mover, part & other, part & empty) {
                (.., 0) => Some(0),
                (own, 0, room) => self.turns(own, room, 0).exact().map(|turns| turns as i32),
                (0, others, room) => self.turns(others, room, 0).exact().map(|turns| -(turns as i32)),
                _ => None,
            };
            if let Some(turns) = counted {
                spare += turns;
                (mover, other, empty) = (mover & !part, other & !part, empty & !part);
            }
        }
        let region = Region { mover, other, empty }.canonical(&self.frame);
        State { region, spare }
    }

    /// Whether the side to move wins, if counting rooms tells: as [`super::super::proof`] does.
    #[inline(always)]
    pub fn winner(&mut self, state: &State) -> Option<bool> {
        let State { region: Region { mover, other, empty }, spare } = *state;
        let reached = [self.frame.connected(mover, empty), self.frame.connected(other, empty)];
        let count = |set: u64| set.count_ones() as i32;
        let all = [count(reached[0]), count(reached[1])];
        let own = [count(reached[0] & !reached[1]), count(reached[1] & !reached[0])];
        // The mover wins with one turn more, for certain, than the other can have, and loses with none more than the
        // other has. Squares first, as they cost nothing; then turns.
        let (may_win, may_lose) = (spare + own[0] > all[1], spare + all[0] <= own[1]);
        if !may_win && !may_lose {
            return None;
        }
        let [mover, other] = [self.side(mover, other, reached), self.side(other, mover, [reached[1], reached[0]])];
        if may_win && spare + mover.lower as i32 > other.upper as i32 {
            Some(true)
        } else if may_lose && spare + mover.upper as i32 <= other.lower as i32 {
            Some(false)
        } else {
            None
        }
    }

    /// The turns that a side has for certain, and those that it cannot exceed while the other stays in its rooms.
    #[inline(always)]
    fn side(&mut self, amazons: u64, others: u64, [reached, by_others]: [u64; 2]) -> Turns {
        let mut left = reached & !by_others;
        let open = left | amazons;
        let doors = self.frame.king_step(by_others | others) & amazons;
        let mut all = Turns { lower: 0, upper: reached.count_ones() };
        while left != 0 {
            let squares = self.frame.connected(left & left.wrapping_neg(), open);
            let (room, doors) = (squares & left, squares & doors);
            let turns = self.turns(squares & amazons, room, doors);
            all.lower += turns.lower;
            if doors == 0 {
                all.upper -= room.count_ones() - turns.upper;
            }
            left &= !squares;
        }
        all
    }

    /// How far the side to move seems to be ahead, in [`LEAD`]ths of a logit.
    ///
    /// A logistic regression on the results of 190,000 positions that proofs for 4×4 to 5×5 squares went through.
    #[inline(always)]
    fn lead(&self, state: &State) -> i32 {
        let State { region: Region { mover, other, empty }, spare } = *state;
        let difference = |own: u64, others: u64| own.count_ones() as i32 - others.count_ones() as i32;
        let queens = [self.frame.queen_step(mover, empty), self.frame.queen_step(other, empty)];
        // Squares that a side reaches in fewer king steps.
        let (mut nearer, mut left, mut reached) = (0, empty, [mover, other]);
        while left != 0 {
            // Not by `map`: that is not compiled for the processor.
            let step = [self.frame.king_step(reached[0]), self.frame.king_step(reached[1])];
            let next = [reached[0] | step[0] & empty, reached[1] | step[1] & empty];
            if next == reached {
                break;
            }
            nearer += difference(left & next[0] & !next[1], left & next[1] & !next[0]);
            (left, reached) = (left & !(next[0] | next[1]), next);
        }
        TO_MOVE
            + SPARE * spare
            + NEARER * nearer
            + IN_REACH * difference(queens[0], queens[1])
            + ALONE_IN_REACH * difference(queens[0] & !queens[1], queens[1] & !queens[0])
    }

    /// Calls `f` with the region after every turn of the side to move, the other side to move.
    #[inline(always)]
    fn for_each_turn(frame: &Frame, region: &Region, mut f: impl FnMut(Region)) {
        let Region { mover, other, empty } = *region;
        for from in bits(mover) {
            for to in bits(frame.queen_targets(from, empty)) {
                let vacated = (empty | 1 << from) & !(1 << to);
                let moved = mover & !(1 << from) | 1 << to;
                for at in bits(frame.queen_targets(to, vacated)) {
                    f(Region { mover: other, other: moved, empty: vacated & !(1 << at) });
                }
            }
        }
    }
}

/// The state after a spare turn, not in its least image.
#[inline(always)]
fn turned(state: &State) -> State {
    let State { region: Region { mover, other, empty }, spare } = *state;
    State { region: Region { mover: other, other: mover, empty }, spare: 1 - spare }
}

/// The odds are spare turns.
impl Field for Rooms {
    type Position = Amazons;
    type State = State;

    fn for_one_of(&self, workers: usize) -> Self {
        Self::new(self.frame.clone(), workers)
    }

    fn sees(&self, root: &Amazons, position: &Amazons) -> bool {
        let beyond = |position| standing_beyond(position, self.frame.squares());
        root.geometry().squares() == position.geometry().squares() && beyond(root) == beyond(position)
    }

    fn is_late(&self, _: &Amazons) -> bool {
        !self.frame.is_rectangle()
    }

    fn state(&mut self, position: &Amazons, odds: i32) -> State {
        let state = self.as_it_stands(position);
        self.normal(State { spare: odds, ..state })
    }

    #[inline(always)]
    fn key(state: &State) -> Key {
        state.region.key()
    }

    #[inline(always)]
    fn odds(state: &State) -> i32 {
        state.spare
    }

    #[inline(always)]
    fn odds_after(odds: i32) -> i32 {
        -odds
    }

    #[inline(always)]
    fn expand(&mut self, state: &State, found: &mut Vec<(Key, State)>) {
        let mut regions = Vec::with_capacity(64);
        Self::for_each_turn(&self.frame, &state.region, |region| regions.push(region));
        let mut add = |state| {
            let state = self.normal(state);
            found.push((Self::key(&state), state));
        };
        regions.into_iter().for_each(|region| add(State { region, spare: -state.spare }));
        if state.spare > 0 {
            add(turned(state));
        }
    }

    #[inline(always)]
    fn look(&mut self, state: &State) -> Numbers {
        match self.winner(state) {
            Some(true) => Numbers::WON,
            Some(false) => Numbers::LOST,
            None => {
                let lead = self.lead(state).clamp(-GREATEST_LEAD, GREATEST_LEAD);
                self.first[(lead + GREATEST_LEAD) as usize]
            }
        }
    }

    /// Every turn fills a square.
    fn plies(position: &Amazons, wins: bool) -> u32 {
        let squares = position.empty().count();
        squares - (squares + u32::from(wins)) % 2
    }
}
