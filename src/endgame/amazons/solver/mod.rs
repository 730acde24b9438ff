//! Who wins, for certain: a proof-number search for small boards and late positions.
//!
//! Each position has two numbers: about how many leaves must still be won to prove that the side to move wins, and how
//! many to prove that it loses (Allis, *Searching for Solutions in Games and Artificial Intelligence*, 1994). The
//! search goes where the least is missing, depth first, with the numbers in a table of fixed size (df-pn: Nagai, *Df-pn
//! algorithm for searching AND/OR trees and its applications*, 2002), and stays with a turn a little longer than it
//! must before it tries the next best (Pawlewicz and Lew, *Improving depth-first PN-search: 1 + ε trick*, 2007). Where
//! all turns must be refuted, the greatest number and a share for each other turn stand for the sum, as ways that meet
//! again would be counted more than once (Ueda et al., *Weak proof-number search*, 2008).
//!
//! The search is quick here because a position is only its contested squares, and *spare turns* for everything that is
//! settled ([`region::Rooms::normal`]). The table keeps for each region with how many spare turns it is won or lost, so
//! one answer serves for all positions with more or fewer of them.
//!
//! `src/search/experiments.md` has the changes that were tried and did not pay: contested parts as sums, other first
//! numbers, other orders of the turns.
//!
//! Any number of workers may search at once. They share the table, and each sees where the others are: a position
//! counts as a little farther from its proof for each of them that is below it, so they part ways where turns are about
//! as good, and where one turn is much better they follow it together and part below (virtual proof and disproof
//! numbers: Kaneko, *Parallel Depth First Proof Number Search*, 2010). One worker alone always searches the same.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `frame` | a board of at most 64 bits: 7×8 squares, say, or 63 open ones of a larger board |
//! | `region` | contested squares and spare turns; what counting tells |
//! | `search` | the recursion of one worker |
//! | `marks` | where workers are just now |
//! | `table` | numbers and bounds, by region |
//! | `prover` | the same search for any position of a board, for a search that lasts for days |

mod frame;
mod marks;
mod prover;
mod region;
mod search;
mod table;

use super::rooms::Part;
use crate::board::Bitboard;
use crate::board::flood::connected;
use crate::endgame::{Proof, ProofStatus, Solve};
use crate::games::amazons::Amazons;
use crate::games::{Outcome, Position, Side, Steps, for_each_turn};
use crossbeam_utils::CachePadded;
use frame::Frame;
use marks::Marks;
pub use prover::{Fact, Key, Numbers, Prover, Situation, next_below};
use region::{LEAD, Rooms};
use search::{Found, Search, Worker};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use table::RegionTable;

/// The first number of an even position, for a proof and for a disproof.
const EVEN: f32 = 12.0;
/// The lead, in logits, that doubles one number and halves the other.
const DOUBLING: f32 = 2.5;
/// Leads beyond this are as good as this.
const GREATEST_LEAD: i32 = 16 * LEAD;

/// A proof search for one position.
pub struct Solver {
    root: Amazons,
    /// See [`Solve::is_late`].
    is_late: bool,
    shared: Shared,
    workers: Vec<CachePadded<Mutex<Worker>>>,
}

/// State that all workers share; they write it only through atomics.
struct Shared {
    table: RegionTable,
    /// Where workers are; `None` if there is but one.
    marks: Option<Marks>,
    /// Numbers by lead, from −[`GREATEST_LEAD`] on.
    first: Vec<Numbers>,
    /// The result at the root, set once.
    found: OnceLock<Found>,
}

impl Shared {
    /// With `bytes` of memory; `None` if the system refuses it.
    fn new(bytes: usize) -> Option<Self> {
        let first = (-GREATEST_LEAD..=GREATEST_LEAD).map(|lead| first_numbers(lead as f32 / LEAD as f32)).collect();
        Some(Self { table: RegionTable::new(bytes)?, marks: None, first, found: OnceLock::new() })
    }
}

/// Numbers of a new position in which the side to move is ahead by `lead` logits.
fn first_numbers(lead: f32) -> Numbers {
    let number = |lead: f32| 1 + (EVEN * libm::exp2f(lead / DOUBLING)) as u32;
    Numbers { proof: number(-lead), disproof: number(lead) }
}

impl Solver {
    /// A solver for a position at the start of a turn, with `bytes` of memory, for one worker. `None` if what is open
    /// does not fit in the frame, or the system refuses the memory.
    #[must_use]
    pub fn new(root: &Amazons, bytes: usize) -> Option<Self> {
        let frame = Frame::around(open_squares(root))?;
        let shared = Shared::new(bytes)?;
        let mut solver = Self { root: *root, is_late: !frame.is_rectangle(), shared, workers: Vec::new() };
        solver.add_worker(Rooms::new(frame, MOST_ROOMS));
        Some(solver)
    }

    fn add_worker(&mut self, rooms: Rooms) {
        self.workers.push(CachePadded::new(Mutex::new(Worker::new(rooms))));
    }

    fn worker(&self, index: usize) -> Option<MutexGuard<'_, Worker>> {
        Some(self.workers.get(index)?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The turns that keep the result, as far as they are still known.
    fn line(&self, search: &mut Search<'_>, found: Found) -> Vec<Steps<Amazons>> {
        let (mut position, mut turns, mut wins) = (self.root, Vec::new(), found.wins());
        while position.outcome().is_none() {
            let mut best: Option<(i32, Steps<Amazons>, Amazons)> = None;
            for (turn, next) in turns_of(&position) {
                let state = search.state(&next);
                // The table may have forgotten the first turn.
                let lost =
                    turns.is_empty() && found == Found::Won(state) || search.numbers(&state).result() == Some(false);
                // Who loses keeps the other busy.
                let lead = search.lead(&state);
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

/// Rooms that a worker remembers at most, and all workers together, 32 bytes each; powers of two. On 4×6 squares it
/// makes no difference whether a worker remembers 2^12 or 2^18 rooms.
const MOST_ROOMS: usize = 1 << 15;
const ALL_ROOMS: usize = 1 << 18;

impl Solve<Amazons> for Solver {
    fn employ(&mut self, workers: usize) {
        let Some(frame) = self.worker(0).map(|worker| worker.frame().clone()) else { return };
        let rooms = (ALL_ROOMS / workers.next_power_of_two()).clamp(1, MOST_ROOMS);
        while self.workers.len() < workers {
            self.add_worker(Rooms::new(frame.clone(), rooms));
        }
        if workers > 1 {
            self.shared.table.share();
            self.shared.marks = Some(Marks::new());
        }
    }

    fn advance(&self, worker: usize, positions: u64, go_on: &dyn Fn() -> bool) -> u64 {
        match self.worker(worker) {
            Some(mut worker) => Search::new(&self.shared, &mut worker, go_on).advance(&self.root, positions),
            None => 0,
        }
    }

    fn is_late(&self) -> bool {
        self.is_late
    }

    fn solved(&self) -> Option<(Vec<Steps<Amazons>>, Proof)> {
        let found = *self.shared.found.get()?;
        let wins = found.wins();
        let mover = self.root.side_to_move();
        // Every turn fills a square.
        let squares = self.root.empty().count();
        let plies = squares - (squares + u32::from(wins)) % 2;
        let outcome = Outcome::Win(if wins { mover } else { !mover });
        let turns = self.line(&mut Search::new(&self.shared, &mut *self.worker(0)?, &|| true), found);
        (!turns.is_empty()).then_some((turns, Proof { outcome, plies: u8::try_from(plies).unwrap_or(u8::MAX) }))
    }

    fn status(&self) -> Option<ProofStatus<Amazons>> {
        let mut worker = self.worker(0)?;
        let mut search = Search::new(&self.shared, &mut worker, &|| true);
        let mut numbers = |position: &Amazons| {
            let state = search.state(position);
            search.numbers(&state)
        };
        let turns: Vec<_> = turns_of(&self.root).into_iter().map(|(turn, next)| (numbers(&next), turn, next)).collect();
        let open = || turns.iter().filter(|(numbers, ..)| numbers.result() != Some(true));
        let (_, best, next) = open().min_by_key(|(numbers, ..)| numbers.disproof)?;
        let replies = turns_of(next);
        Some(ProofStatus {
            turns: turns.len() as u32,
            refuted: (turns.len() - open().count()) as u32,
            best: best.clone(),
            replies: replies.len() as u32,
            answered: replies.iter().filter(|(_, after)| numbers(after).result() == Some(true)).count() as u32,
        })
    }
}

/// All turns with the positions after them.
pub(super) fn turns_of(position: &Amazons) -> Vec<(Steps<Amazons>, Amazons)> {
    let mut turns = Vec::new();
    for_each_turn(position, &mut |turn: &Steps<Amazons>, next: &Amazons| turns.push((turn.clone(), *next)));
    turns
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
    use crate::board::Square;
    use crate::games::Notation;
    use crate::games::variant;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use std::collections::HashMap;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    fn position(fen: &str) -> Amazons {
        Amazons::from_fen(&variant::find("amazons").unwrap(), fen).unwrap()
    }

    /// The result by `workers` workers, and the positions that they looked at.
    fn solve(position: &Amazons, workers: usize) -> (Vec<Steps<Amazons>>, Proof, u64) {
        let mut solver = Solver::new(position, 4 << 20).unwrap();
        solver.employ(workers);
        let looked_at = AtomicU64::new(0);
        // In slices, which must not change the result.
        let work = |worker: usize| {
            while solver.shared.found.get().is_none() {
                looked_at.fetch_add(solver.advance(worker, 2_000, &|| true), Relaxed);
            }
        };
        std::thread::scope(|scope| {
            (1..workers).for_each(|worker| _ = scope.spawn(move || work(worker)));
            work(0);
        });
        assert_eq!(solver.advance(0, 2_000, &|| true), 0);
        let (line, proof) = solver.solved().unwrap();
        (line, proof, looked_at.into_inner())
    }

    fn after(mut position: Amazons, turn: &Steps<Amazons>) -> Amazons {
        turn.iter().for_each(|&step| position.play(step));
        position
    }

    /// Whether the side to move wins, by all its turns.
    fn wins(position: &Amazons, known: &mut HashMap<u64, bool>) -> bool {
        if let Some(&known) = known.get(&position.key()) {
            return known;
        }
        let mut found = false;
        for_each_turn(position, &mut |_: &Steps<Amazons>, after: &Amazons| {
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

    /// `count` small positions, some of them of finished games.
    fn small_positions(seed: u64, count: usize) -> impl Iterator<Item = Amazons> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        (0..count).map(move |_| small_position(&mut random))
    }

    /// A position with seven empty squares, or as many as fit.
    fn small_position(random: &mut Xoshiro256PlusPlus) -> Amazons {
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
        position(&format!("{} w - - 0 1", rows.join("/")))
    }

    /// A position on 10×10 squares whose open ones lie on a way from corner to corner: too wide for a rectangle.
    fn wide_position(random: &mut Xoshiro256PlusPlus) -> Amazons {
        let mut cells = vec![vec!['*'; 10]; 10];
        let (mut file, mut rank) = (0, 0);
        let mut way = vec![(0, 0)];
        while (file, rank) != (9, 9) {
            let up = random.random_bool(0.8);
            (file, rank) = (9.min(file + usize::from(!up || random.random_bool(0.8))), 9.min(rank + usize::from(up)));
            if way.last() != Some(&(file, rank)) {
                way.push((file, rank));
            }
        }
        way.iter().for_each(|&(file, rank)| cells[rank][file] = '1');
        let amazons = ['Q', 'q', 'Q', 'q', 'q', 'Q'];
        // At most eight empty squares.
        for &amazon in &amazons[..(way.len() - 8).clamp(2, amazons.len())] {
            let (file, rank) = way.swap_remove(random.random_range(0..way.len()));
            cells[rank][file] = amazon;
        }
        way.iter().skip(8).for_each(|&(file, rank)| cells[rank][file] = '*');
        let rows: Vec<String> = cells.iter().map(|row| text(row)).collect();
        position(&format!("{} w - - 0 1", rows.join("/")))
    }

    #[test]
    fn wide_positions_are_solved_as_by_brute_force() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(14);
        let (mut results, mut too_wide) = ([0; 2], 0);
        for round in 0..200 {
            let position = wide_position(&mut random);
            if position.outcome().is_some() {
                continue;
            }
            let open = open_squares(&position);
            too_wide += usize::from(open.into_iter().map(Square::file).max() > Some(7));
            let (line, proof, _) = solve(&position, [1, 2, 1, 4][round % 4]);
            let expected = wins(&position, &mut HashMap::new());
            assert_eq!(proof.outcome == Outcome::Win(Side::White), expected, "{position:?}");
            results[usize::from(expected)] += 1;
            assert_eq!(wins(&after(position, &line[0]), &mut HashMap::new()), !expected, "{position:?}");
        }
        assert!(results.iter().all(|&count| count > 40) && too_wide > 60, "{results:?} {too_wide}");
    }

    #[test]
    fn small_positions_are_solved_as_by_brute_force() {
        let mut results = [0; 2];
        for (round, position) in small_positions(12, 400).enumerate() {
            if position.outcome().is_some() {
                continue;
            }
            let (line, proof, _) = solve(&position, [1, 2, 1, 4][round % 4]);
            let expected = wins(&position, &mut HashMap::new());
            assert_eq!(proof.outcome == Outcome::Win(Side::White), expected, "{position:?}");
            results[usize::from(expected)] += 1;
            // The first turn keeps the result.
            assert_eq!(wins(&after(position, &line[0]), &mut HashMap::new()), !expected, "{position:?}");
        }
        assert!(results.iter().all(|&count| count > 60), "{results:?}");
    }

    #[test]
    fn what_stands_refuted_and_answered_is() {
        let mut seen = [0; 2];
        for position in small_positions(13, 100) {
            let Some(solver) = Solver::new(&position, 4 << 20) else { continue };
            let (turns, mut known) = (turns_of(&position), HashMap::new());
            // Turns to positions in which the side to move wins.
            let mut winning = |turns: &[(_, Amazons)]| turns.iter().filter(|(_, next)| wins(next, &mut known)).count();
            while solver.advance(0, 5, &|| true) > 0 {
                let Some(status) = solver.status() else { break };
                assert_eq!(status.turns as usize, turns.len());
                assert!(status.refuted as usize <= winning(&turns));
                let replies = turns_of(&after(position, &status.best));
                assert_eq!(status.replies as usize, replies.len());
                assert!(status.answered as usize <= winning(&replies));
                seen = [seen[0] + status.refuted, seen[1] + status.answered];
            }
            if solver.solved().is_some_and(|(_, proof)| proof.outcome == Outcome::Win(Side::Black)) {
                assert_eq!(solver.status(), None);
            }
        }
        assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
    }

    #[test]
    fn small_boards() {
        let boards = [
            ("1qq1/q2q/Q2Q/1QQ1 w - - 0 1", Outcome::Win(Side::Black)),
            ("1q1q1/q3q/Q3Q/1Q1Q1 w - - 0 1", Outcome::Win(Side::White)),
        ];
        for (fen, outcome) in boards {
            let position = position(fen);
            for workers in [1, 2, 4, 2, 4, 2, 4] {
                let (line, proof, _) = solve(&position, workers);
                assert_eq!(proof.outcome, outcome, "{fen}, {workers} workers");
                assert_eq!(solve(&after(position, &line[0]), 1).1.outcome, outcome, "{fen}, {workers} workers");
            }
        }
    }

    #[test]
    fn one_worker_always_searches_the_same() {
        let position = position("1qq1/q2q/Q2Q/1QQ1 w - - 0 1");
        assert_eq!(solve(&position, 1), solve(&position, 1));
    }

    #[test]
    fn the_shortest_slices_get_on() {
        let position = position("1q1q1/q3q/Q3Q/1Q1Q1 w - - 0 1");
        let solver = Solver::new(&position, 4 << 20).unwrap();
        let slices = (0..1_000_000).take_while(|_| solver.advance(0, 1, &|| true) > 0).count();
        assert!(solver.solved().is_some(), "open after {slices} slices");
    }

    #[test]
    fn a_slice_ends_when_it_is_told_to() {
        let position = position("1q2q1/q4q/Q4Q/1Q2Q1 w - - 0 1");
        let solver = Solver::new(&position, 4 << 20).unwrap();
        for most in [0, 1, 30] {
            let asked = AtomicU64::new(0);
            let looked_at = solver.advance(0, u64::MAX, &|| asked.fetch_add(1, Relaxed) < most);
            // Each position that it is asked at has some hundreds of turns.
            assert!((1..(most + 2) * 1_000).contains(&looked_at), "{looked_at}");
        }
    }

    #[test]
    fn boards_beyond_the_frame_are_left_alone() {
        assert!(Solver::new(&position(variant::find("amazons").unwrap().start()), 1 << 20).is_none());
    }
}
