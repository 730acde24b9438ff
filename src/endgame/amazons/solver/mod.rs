//! Who wins, for certain: a proof search for small boards and late positions.
//!
//! The [proof search](crate::endgame::dfpn) is quick here because a position is only its contested squares, and *spare
//! turns* for everything that is settled ([`region::Rooms::normal`]). The table keeps for each region with how many
//! spare turns it is won or lost, so one answer serves for all positions with more or fewer of them.
//!
//! `src/search/experiments.md` has the changes that were tried and did not pay: contested parts as sums, other first
//! numbers, other orders of the turns.
//!
//! | module | its one idea |
//! | --- | --- |
//! | `frame` | a board of at most 64 bits: 7×8 squares, say, or 63 open ones of a larger board |
//! | `region` | contested squares and spare turns; what counting tells |
//! | `prover` | the same search for any position of a board, for a search that lasts for days |

mod frame;
mod prover;
mod region;

use super::rooms::Part;
use crate::board::Bitboard;
use crate::board::flood::connected;
use crate::endgame::Solve;
use crate::endgame::dfpn::Solver;
use crate::games::Side;
use crate::games::amazons::Amazons;
use frame::Frame;
pub use prover::{Prover, Situation, next_below};
use region::Rooms;

/// A solver for a position at the start of a turn, with `bytes` of memory, for one worker. `None` if what is open does
/// not fit in the frame, or the system refuses the memory.
#[must_use]
pub fn solver(root: &Amazons, bytes: usize) -> Option<Box<dyn Solve<Amazons>>> {
    let frame = Frame::around(open_squares(root))?;
    Some(Box::new(Solver::new(Rooms::new(frame, 1), root, bytes)?))
}

/// White's amazons, Black's and the empty squares, without those on some squares.
fn standing_beyond(position: &Amazons, squares: Bitboard) -> [Bitboard; 3] {
    let [white, black] = position.both_amazons();
    [white, black, position.empty()].map(|set| set & !squares)
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
    use crate::endgame::Proof;
    use crate::endgame::dfpn::turns_of;
    use crate::games::{Notation, Outcome, Position, Steps, for_each_turn, variant};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use std::collections::HashMap;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    fn position(fen: &str) -> Amazons {
        Amazons::from_fen(&variant::find("amazons").unwrap(), fen).unwrap()
    }

    /// The result by `workers` workers, and the positions that they looked at.
    fn solve(position: &Amazons, workers: usize) -> (Vec<Steps<Amazons>>, Proof, u64) {
        let mut solver = solver(position, 4 << 20).unwrap();
        solver.employ(workers);
        let looked_at = AtomicU64::new(0);
        // In slices, which must not change the result.
        let work = |worker: usize| {
            loop {
                match solver.advance(worker, 2_000, &|| true) {
                    0 => return,
                    count => _ = looked_at.fetch_add(count, Relaxed),
                }
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

    /// What one worker finds out.
    fn outcome(solver: &dyn Solve<Amazons>) -> Outcome {
        while solver.advance(0, 2_000, &|| true) > 0 {}
        solver.solved().unwrap().1.outcome
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
        let (mut results, mut too_wide, mut refused) = ([0; 2], 0, 0);
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
            let next = after(position, &line[0]);
            assert_eq!(wins(&next, &mut HashMap::new()), !expected, "{position:?}");
            if next.outcome().is_some() {
                continue;
            }
            let mut solver = solver(&position, 4 << 20).unwrap();
            for place in [position, next, position] {
                assert!(solver.turn_to(&place), "{place:?}");
                assert_eq!(outcome(&*solver), proof.outcome, "{place:?}");
            }
            // Squares that nobody reaches any more after the turn are not in the frame.
            let mut solver = super::solver(&next, 4 << 20).unwrap();
            match solver.turn_to(&position) {
                true => assert_eq!(outcome(&*solver), proof.outcome, "{position:?}"),
                false => refused += 1,
            }
        }
        assert!(
            results.iter().all(|&count| count > 40) && too_wide > 60 && refused > 40,
            "{results:?} {too_wide} {refused}"
        );
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
            let Some(solver) = solver(&position, 4 << 20) else { continue };
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
        let solver = solver(&position, 4 << 20).unwrap();
        let slices = (0..1_000_000).take_while(|_| solver.advance(0, 1, &|| true) > 0).count();
        assert!(solver.solved().is_some(), "open after {slices} slices");
    }

    #[test]
    fn a_slice_ends_when_it_is_told_to() {
        let position = position("1q2q1/q4q/Q4Q/1Q2Q1 w - - 0 1");
        let solver = solver(&position, 4 << 20).unwrap();
        for most in [0, 1, 30] {
            let asked = AtomicU64::new(0);
            let looked_at = solver.advance(0, u64::MAX, &|| asked.fetch_add(1, Relaxed) < most);
            // Each position that it is asked at has some hundreds of turns.
            assert!((1..(most + 2) * 1_000).contains(&looked_at), "{looked_at}");
        }
    }

    #[test]
    fn boards_beyond_the_frame_are_left_alone() {
        assert!(solver(&position(variant::find("amazons").unwrap().start()), 1 << 20).is_none());
    }
}
