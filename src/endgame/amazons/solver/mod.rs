//! Who wins, for certain: a proof-number search for small boards and late positions.
//!
//! Each position has two numbers: about how many leaves must still be won to prove that the side to move wins, and how many to prove
//! that it loses (Allis, *Searching for Solutions in Games and Artificial Intelligence*, 1994). The search goes where the least is missing, depth first, with the
//! numbers in a table of fixed size (df-pn: Nagai, *Df-pn algorithm for searching AND/OR trees and its applications*, 2002), and stays with a turn a little longer than it must
//! before it tries the next best (Pawlewicz and Lew, *Improving depth-first PN-search: 1 + ε trick*, 2007). Where all turns
//! must be refuted, the greatest number and a share for each other turn stand for the sum, as ways that meet again would be counted more than
//! once (Ueda et al., *Weak proof-number search*, 2008).
//!
//! What makes it quick here is what a position is: the contested squares, and *spare turns* for everything that is settled
//! ([`region::Rooms::normal`]). The table keeps for each region with how many spare turns it is won or lost, so one
//! answer serves for all positions with more or fewer of them.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `frame` | a board of at most 64 bits: 7×8 squares, say |
//! | `region` | contested squares and spare turns; what counting tells |
//! | `table` | numbers and bounds, by region |

mod frame;
mod region;
mod table;

use super::rooms::Part;
use crate::board::Bitboard;
use crate::board::flood::{Kernel, KernelTask, connected, with_best_kernel};
use crate::endgame::{Proof, Solve};
use crate::games::amazons::Amazons;
use crate::games::{Outcome, Position, Side, Turn, for_each_turn};
use frame::Frame;
use region::{LEAD, Region, Rooms, State};
use table::{Numbers, Table};

/// What an even position is worth at first, each way.
const EVEN: f32 = 12.0;
/// A lead of so many logits doubles one number and halves the other.
const DOUBLING: f32 = 2.5;
/// Leads beyond this are as good as this.
const GREATEST_LEAD: i32 = 16 * LEAD;
/// One part in so many of a turn counts where all turns must be refuted, for each but the hardest.
const SHARE: u32 = 5;
/// A turn is left when it has fallen behind the next best by one part in so many.
const PATIENCE: u32 = 4;
/// Turns that the processor fetches ahead.
const AHEAD: usize = 8;

/// A proof search for one position.
pub struct Solver {
    root: Amazons,
    rooms: Rooms,
    table: Table,
    /// Numbers by lead, from −[`GREATEST_LEAD`] on.
    first: Vec<Numbers>,
    /// Positions that may still be looked at in this slice, and all that were.
    left: u64,
    looked_at: u64,
    result: Option<bool>,
}

struct Child {
    key: u64,
    state: State,
    numbers: Numbers,
}

impl Solver {
    /// A solver for a position at the start of a turn, with `bytes` of memory. `None` if what is open does not fit in the frame, or
    /// the system refuses the memory.
    #[must_use]
    pub fn new(root: &Amazons, bytes: usize) -> Option<Self> {
        let frame = Frame::around(open_squares(root))?;
        let number = |lead: f32| 1 + (EVEN * libm::exp2f(lead / DOUBLING)) as u32;
        let numbers = |lead: i32| {
            let logits = lead as f32 / LEAD as f32;
            Numbers { proof: number(-logits), disproof: number(logits) }
        };
        let first = (-GREATEST_LEAD..=GREATEST_LEAD).map(numbers).collect();
        let (table, rooms) = (Table::new(bytes)?, Rooms::new(frame));
        Some(Self { root: *root, rooms, table, first, left: 0, looked_at: 0, result: None })
    }

    fn state(&mut self, position: &Amazons) -> State {
        let (side, frame) = (position.side_to_move(), &self.rooms.frame);
        let set = |set: Bitboard| frame.take(set);
        let region = Region {
            mover: set(position.amazons(side)),
            other: set(position.amazons(!side)),
            empty: set(position.empty()),
        };
        self.rooms.normal(State { region, spare: 0 })
    }

    /// What is known or seems so of a position that is not being searched.
    #[inline(always)]
    fn look(&mut self, key: u64, state: &State) -> Numbers {
        if let Some(numbers) = self.table.get(key, state.spare) {
            return numbers;
        }
        match self.rooms.winner(state) {
            Some(true) => Numbers::WON,
            Some(false) => Numbers::LOST,
            None => {
                let lead = self.rooms.lead(state).clamp(-GREATEST_LEAD, GREATEST_LEAD);
                self.first[(lead + GREATEST_LEAD) as usize]
            }
        }
    }

    /// Where the turns of `state` lead to, up to the first that wins.
    #[inline(always)]
    fn children(&mut self, state: &State) -> Vec<Child> {
        let mut found = Vec::with_capacity(64);
        let rooms = &mut self.rooms;
        let mut add = |rooms: &mut Rooms, region, spare| {
            let state = rooms.normal(State { region, spare });
            found.push((state.region.key(), state));
        };
        let mut regions = Vec::with_capacity(64);
        Rooms::for_each_turn(&rooms.frame, &state.region, |_, region| regions.push(region));
        regions.into_iter().for_each(|region| add(rooms, region, -state.spare));
        if state.spare > 0 {
            let Region { mover, other, empty } = state.region;
            add(rooms, Region { mover: other, other: mover, empty }, 1 - state.spare);
        }
        // Of equal regions the one with which the other side has the fewest spare turns is as good as all.
        found.sort_unstable_by_key(|(key, state)| (*key, state.spare));
        found.dedup_by_key(|(key, _)| *key);
        self.left = self.left.saturating_sub(found.len() as u64);
        self.looked_at += found.len() as u64;
        found.iter().take(AHEAD).for_each(|(key, _)| self.table.prefetch(*key));
        let mut children = Vec::with_capacity(found.len());
        for (index, &(key, state)) in found.iter().enumerate() {
            if let Some((ahead, _)) = found.get(index + AHEAD) {
                self.table.prefetch(*ahead);
            }
            let numbers = self.look(key, &state);
            children.push(Child { key, state, numbers });
            if numbers.result() == Some(false) {
                break;
            }
        }
        children
    }

    /// Searches a position until it is decided, one of its numbers reaches that of `most`, or the slice is over.
    fn search(&mut self, key: u64, state: &State, most: Numbers) -> Numbers {
        let start = self.looked_at;
        let mut children = with_best_kernel(Expand { solver: self, state });
        loop {
            let Choice { numbers, best, next, others } = choose(&children);
            let over = numbers.proof >= most.proof || numbers.disproof >= most.disproof || self.left == 0;
            let decided = numbers.result().is_some();
            if decided || over {
                self.table.put(key, state.spare, numbers, self.looked_at - start);
                return numbers;
            }
            let patience = next.saturating_add(1 + next / PATIENCE);
            let most =
                Numbers { proof: most.disproof.saturating_sub(others / SHARE), disproof: most.proof.min(patience) };
            let Child { key, state, .. } = children[best];
            children[best].numbers = self.search(key, &state, most);
        }
    }

    /// The turns that keep the result, as far as they are still known.
    fn line(&mut self, wins: bool) -> Vec<Turn<Amazons>> {
        let (mut position, mut turns, mut wins) = (self.root, Vec::new(), wins);
        while position.outcome().is_none() {
            let mut after = Vec::new();
            for_each_turn(&position, &mut |turn: &Turn<Amazons>, next: &Amazons| after.push((turn.clone(), *next)));
            let mut best: Option<(i32, Turn<Amazons>, Amazons)> = None;
            for (turn, next) in after {
                let state = self.state(&next);
                let lost = self.look(state.region.key(), &state).result() == Some(false);
                // Who loses keeps the other busy.
                let lead = self.rooms.lead(&state);
                if (lost || !wins) && best.as_ref().is_none_or(|(least, ..)| lead < *least) {
                    best = Some((lead, turn, next));
                }
            }
            let Some((_, turn, next)) = best else { break };
            turns.push(turn);
            (position, wins) = (next, !wins);
        }
        turns
    }
}

/// [`Solver::children`], compiled for the processor.
struct Expand<'a> {
    solver: &'a mut Solver,
    state: &'a State,
}

impl KernelTask for Expand<'_> {
    type Output = Vec<Child>;

    #[inline(always)]
    fn run<K: Kernel>(self, _: K) -> Vec<Child> {
        self.solver.children(self.state)
    }
}

impl Solve<Amazons> for Solver {
    fn advance(&mut self, positions: u64) -> u64 {
        let before = self.looked_at;
        if self.result.is_none() {
            self.left = positions;
            let state = self.state(&self.root.clone());
            let key = state.region.key();
            let numbers = match self.rooms.winner(&state) {
                Some(wins) => {
                    if wins {
                        Numbers::WON
                    } else {
                        Numbers::LOST
                    }
                }
                None => {
                    let most = Numbers { proof: Numbers::INFINITE, disproof: Numbers::INFINITE };
                    self.search(key, &state, most)
                }
            };
            self.result = numbers.result();
        }
        self.looked_at - before
    }

    fn solved(&mut self) -> Option<(Vec<Turn<Amazons>>, Proof)> {
        let wins = self.result?;
        let mover = self.root.side_to_move();
        // Every turn fills a square.
        let squares = self.root.empty().count();
        let plies = squares - (squares + u32::from(wins)) % 2;
        let outcome = Outcome::Win(if wins { mover } else { !mover });
        let turns = self.line(wins);
        (!turns.is_empty()).then_some((turns, Proof { outcome, plies: u8::try_from(plies).unwrap_or(u8::MAX) }))
    }
}

struct Choice {
    numbers: Numbers,
    /// Index of the child to search, and the number of the next best one.
    best: usize,
    next: u32,
    /// Open children but one.
    others: u32,
}

/// The numbers of a position by those of its children, and where to go on.
#[inline(always)]
fn choose(children: &[Child]) -> Choice {
    let (mut least, mut next, mut best) = (Numbers::INFINITE, Numbers::INFINITE, 0);
    let (mut greatest, mut open) = (0, 0u32);
    for (index, Child { numbers, .. }) in children.iter().enumerate() {
        if numbers.disproof < least {
            (next, least, best) = (least, numbers.disproof, index);
        } else {
            next = next.min(numbers.disproof);
        }
        if numbers.proof > 0 {
            open += 1;
            greatest = greatest.max(numbers.proof);
        }
    }
    let others = open.saturating_sub(1);
    let numbers = match (least, open) {
        (0, _) => Numbers::WON,
        (_, 0) => Numbers::LOST,
        _ => Numbers { proof: least, disproof: (greatest + others / SHARE).min(Numbers::INFINITE - 1) },
    };
    Choice { numbers, best, next, others }
}

/// The squares of areas in which somebody can still move, amazons included.
fn open_squares(position: &Amazons) -> Bitboard {
    let [white, black] = position.both_amazons();
    let Part { reached, .. } = Part::whole(position);
    let alive = reached[Side::White.index()] | reached[Side::Black.index()];
    alive | connected(position.geometry(), alive, white | black)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Notation;
    use crate::games::variant;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use std::collections::HashMap;

    fn position(fen: &str) -> Amazons {
        Amazons::from_fen(variant::find("amazons").unwrap(), fen).unwrap()
    }

    fn solve(position: &Amazons) -> (Vec<Turn<Amazons>>, Proof) {
        let mut solver = Solver::new(position, 4 << 20).unwrap();
        // In slices, which must not change the result.
        while solver.result.is_none() {
            solver.advance(2_000);
        }
        solver.solved().unwrap()
    }

    /// Whether the side to move wins, by all its turns.
    fn wins(position: &Amazons, known: &mut HashMap<u64, bool>) -> bool {
        if let Some(&known) = known.get(&position.key()) {
            return known;
        }
        let mut found = false;
        for_each_turn(position, &mut |_: &Turn<Amazons>, after: &Amazons| {
            found = found || !wins(after, known);
        });
        known.insert(position.key(), found);
        found
    }

    /// A rank of a FEN; each empty square is a 1 at first.
    fn text(row: &[char]) -> String {
        let row: String = row.iter().collect();
        (2..=6).rev().fold(row, |row, count| row.replace(&"1".repeat(count), &count.to_string()))
    }

    #[test]
    fn small_positions_are_solved_as_by_brute_force() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(12);
        let mut results = [0; 2];
        for _ in 0..400 {
            let (width, height) = (random.random_range(3..=6), random.random_range(3..=6));
            let mut cells = vec!['*'; width * height];
            let amazons = [random.random_range(1..=2), random.random_range(1..=2)];
            let places: Vec<char> =
                "Q".repeat(amazons[0]).chars().chain("q".repeat(amazons[1]).chars()).chain("1111111".chars()).collect();
            let mut left: Vec<usize> = (0..cells.len()).collect();
            for piece in places {
                if left.is_empty() {
                    break;
                }
                cells[left.swap_remove(random.random_range(0..left.len()))] = piece;
            }
            let rows: Vec<String> = cells.chunks(width).map(text).collect();
            let position = position(&format!("{} w - - 0 1", rows.join("/")));
            if position.outcome().is_some() {
                continue;
            }
            let (line, proof) = solve(&position);
            let expected = wins(&position, &mut HashMap::new());
            assert_eq!(proof.outcome == Outcome::Win(Side::White), expected, "{position:?}");
            results[usize::from(expected)] += 1;
            // The first turn keeps the result.
            let mut after = position;
            line[0].iter().for_each(|&step| after.play(step));
            assert_eq!(wins(&after, &mut HashMap::new()), !expected, "{position:?}");
        }
        assert!(results.iter().all(|&count| count > 60), "{results:?}");
    }

    #[test]
    fn small_boards() {
        let solve = |fen: &str| solve(&position(fen)).1.outcome;
        assert_eq!(solve("1qq1/q2q/Q2Q/1QQ1 w - - 0 1"), Outcome::Win(Side::Black));
        assert_eq!(solve("1q1q1/q3q/Q3Q/1Q1Q1 w - - 0 1"), Outcome::Win(Side::White));
    }

    #[test]
    fn boards_beyond_the_frame_are_left_alone() {
        assert!(Solver::new(&position(variant::find("amazons").unwrap().start), 1 << 20).is_none());
    }
}
