//! Exact endgames of the Amazons against brute force.

use crate::common::amazons;
use crate::common::naive::Grid;
use crate::common::tiny::Tiny;
use hippolyta::endgame::Work;
use hippolyta::endgame::amazons::{
    Effort, Owner, RegionCount, Turns, by_regions, certain_line, count, margin_in_halves, may_be_decided, prove,
};
use hippolyta::engine::{Board, Engine, Include, Model};
use hippolyta::eval::amazons::AmazonsEvaluator;
use hippolyta::eval::{Evaluator, Value};
use hippolyta::games::amazons::Amazons;
use hippolyta::games::{Game, Outcome, Position, Side, Steps, legal_turns, variant};
use hippolyta::search::{Control, Limits, Score, Search, Settings};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::{BTreeSet, HashMap};

/// The effort that a leaf may spend.
const LEAF: Effort = Effort { filling: 200, contested: 0, squares: 0 };
/// Enough for everything on small boards.
const PLENTY: Effort = Effort { filling: 1_000_000, contested: 1_000_000, squares: 20 };

fn random(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// A board of random squares with these pieces and `empty` empty squares; the rest are arrows.
fn scatter(random: &mut Xoshiro256PlusPlus, (width, height): (usize, usize), pieces: &str, empty: usize) -> Tiny {
    let mut cells: Vec<u8> = pieces.bytes().collect();
    cells.resize(cells.len() + empty, b'.');
    cells.resize(width * height, b'*');
    for last in (1..cells.len()).rev() {
        cells.swap(last, random.random_range(0..=last));
    }
    Tiny { width, cells, white_to_move: random.random(), spare: 0 }
}

/// Beside `board`, behind a wall, a file in which Black stands alone.
fn with_black_outside(board: &Tiny) -> Tiny {
    let rows = board.cells.chunks(board.width).enumerate();
    let cells = rows.flat_map(|(index, row)| [row, &[b'*', if index == 0 { b'q' } else { b'*' }]].concat());
    Tiny { width: board.width + 2, cells: cells.collect(), ..board.clone() }
}

fn total(regions: &[RegionCount], side: Side) -> Turns {
    let sum = |bound: fn(&Turns) -> u32| regions.iter().map(|count| bound(&count.turns[side.index()])).sum();
    Turns { lower: sum(|turns| turns.lower), upper: sum(|turns| turns.upper) }
}

#[test]
fn fillings_of_small_territories_are_counted_as_brute_force_counts_them() {
    let mut random = random(1);
    let (mut defective, mut leaves) = (0, 0);
    for round in 0..3_000 {
        let pieces = ["Q", "Q", "QQ", "QQQ"][round % 4];
        let size = [(3, 3), (5, 3), (4, 4), (3, 5)][round / 4 % 4];
        let empty = random.random_range(1..=7);
        let inside = scatter(&mut random, size, pieces, empty);
        let expected = Tiny { white_to_move: true, ..inside.clone() }.longest(&mut HashMap::new());
        let position = amazons(&with_black_outside(&inside).fen());
        let found = total(&count(&position, &PLENTY), Side::White);
        assert_eq!(found, Turns::exactly(expected), "{}", inside.fen());
        let leaf = total(&count(&position, &LEAF), Side::White);
        assert!(leaf.lower <= expected && leaf.upper >= expected, "{} {leaf:?}", inside.fen());
        leaves += u32::from(leaf.lower == leaf.upper);
        defective += u32::from((expected as usize) < empty);
    }
    assert!(defective > 300, "{defective}");
    assert!(leaves > 2_900, "{leaves}");
}

#[test]
fn the_smallest_defective_territory_has_one_turn() {
    // b2 alone with a1 and c1: after either move the other square is out of reach.
    let regions = count(&amazons("***q/****/*Q**/1*1* w"), &LEAF);
    assert_eq!(total(&regions, Side::White), Turns::exactly(1));
    assert_eq!(regions[0].region.owner, Owner::Territory(Side::White));
}

/// The least spare turns with which White wins, if Black begins and if White does.
fn thresholds(board: &Tiny) -> [i32; 2] {
    let mut seen = HashMap::new();
    [false, true].map(|white_to_move| {
        let white_wins = |spare: i32, seen: &mut HashMap<Tiny, bool>| {
            Tiny { white_to_move, spare, ..board.clone() }.mover_wins(seen) == white_to_move
        };
        (-9..=9).find(|&spare| white_wins(spare, &mut seen)).unwrap()
    })
}

#[test]
fn small_contested_regions_are_worth_what_brute_force_says() {
    let mut random = random(2);
    let (mut exact, mut numbers, mut hot) = (0, 0, 0);
    for round in 0..700 {
        let pieces = ["Qq", "QQq", "Qqq"][round % 3];
        let size = [(3, 3), (4, 3), (3, 4)][round / 3 % 3];
        let empty = random.random_range(1..=5);
        let board = scatter(&mut random, size, pieces, empty);
        let regions = count(&amazons(&board.fen()), &PLENTY);
        let [black_first, white_first] = thresholds(&board);
        let (low, high) = (-black_first, 1 - white_first);
        let sum = |f: fn(&RegionCount) -> i32| regions.iter().map(f).sum::<i32>();
        let found = (sum(|count| count.worth.low), sum(|count| count.worth.high));
        let contested = regions.iter().filter(|count| count.region.owner == Owner::Contested).count();
        if contested <= 1 {
            assert_eq!(found, (low, high), "{}", board.fen());
            exact += 1;
            numbers += u32::from(low == high);
            hot += u32::from(high > low + 1);
        } else {
            assert!(found.0 <= low && found.1 >= high, "{}", board.fen());
        }
        let leaf = count(&amazons(&board.fen()), &LEAF);
        let leaf = leaf.iter().fold((0, 0), |sum, count| (sum.0 + count.worth.low, sum.1 + count.worth.high));
        assert!(leaf.0 <= low && leaf.1 >= high, "{}", board.fen());
    }
    assert!(exact > 500 && numbers > 100 && hot > 100, "{exact} {numbers} {hot}");
}

fn reached(position: &Amazons) -> [hippolyta::board::Bitboard; 2] {
    position.both_amazons().map(|set| hippolyta::board::flood::connected(position.geometry(), set, position.empty()))
}

/// Checks whatever is claimed of a position against the truth, the plies to its end; returns how many claims were made:
/// as a leaf, by regions, to play on.
fn check_claims(position: &Amazons, plies: u8, text: &str) -> [u32; 3] {
    let (mover, mover_wins) = (position.side_to_move(), plies % 2 == 1);
    let expected = Outcome::Win(if mover_wins { mover } else { !mover });
    let right = |outcome: Option<Outcome>| {
        assert!(outcome.is_none_or(|outcome| outcome == expected), "{text}: {outcome:?}");
        u32::from(outcome.is_some())
    };
    let outcome = |proof: hippolyta::endgame::Proof| {
        assert!(proof.plies >= plies && proof.plies % 2 == plies % 2, "{text}: {proof:?}, {plies} plies");
        proof.outcome
    };
    let leaf = prove(position, reached(position)).map(outcome);
    if leaf.is_some() {
        assert!(may_be_decided(mover, &reached(position)), "{text}");
    }
    let regions = by_regions(position, &count(position, &PLENTY)).map(outcome);
    let line =
        if position.outcome().is_none() { certain_line(position, &Effort::MOVE, &Work::unlimited()) } else { None };
    let claims = [right(leaf), right(regions), right(line.map(|(_, proof)| outcome(proof)))];
    if let Some(margin) = margin_in_halves(position) {
        assert_eq!(margin > 0, expected == Outcome::Win(Side::White), "{text}");
    }
    claims
}

#[test]
fn no_claim_on_small_boards_is_wrong() {
    let mut random = random(3);
    let (mut boards, mut claims) = (0, [0; 3]);
    let mut seen = HashMap::new();
    for round in 0..3_000 {
        let pieces = ["Qq", "QQq", "Qqq", "QQqq", "QQQqq"][round % 5];
        let size = [(4, 3), (4, 4), (5, 4), (3, 6)][round / 5 % 4];
        let empty = random.random_range(2..=if size == (4, 3) { 6 } else { 7 });
        let board = scatter(&mut random, size, pieces, empty);
        if seen.len() > 200_000 {
            seen.clear();
        }
        let expected = board.plies(&mut seen);
        let found = check_claims(&amazons(&board.fen()), expected, &board.fen());
        (0..3).for_each(|kind| claims[kind] += found[kind]);
        boards += 1;
    }
    let [leaf, regions, lines] = claims;
    assert!(leaf > boards / 3 && regions > boards * 9 / 10 && lines > boards / 6, "{boards} {claims:?}");
}

#[test]
fn sums_of_contested_regions_are_judged_rightly() {
    let mut random = random(4);
    let (mut claims, mut boards) = (0, 0);
    for _ in 0..600 {
        // Two regions of 3×3 with a wall between them.
        let mut half = || {
            let empty = random.random_range(1..=4);
            scatter(&mut random, (3, 3), ["Qq", "QQq", "Qqq"][empty % 3], empty)
        };
        let (left, right) = (half(), half());
        let rows = left.cells.chunks(3).zip(right.cells.chunks(3));
        let cells = rows.flat_map(|(left, right)| [left, b"*", right].concat()).collect();
        let board = Tiny { width: 7, cells, ..left };
        let expected = board.plies(&mut HashMap::new());
        claims += check_claims(&amazons(&board.fen()), expected, &board.fen())[1];
        boards += 1;
    }
    assert!(claims > boards / 2, "{claims} of {boards}");
}

/// Positions from quick games in which all regions are closed.
const SEPARATED: &[&str] = &[
    "2*2***2/3*1**3/*1***1**1*/1***q****1/2****q**Q/*******Q*1/****q****1/**Q******1/q****Q1**1/*1**1***1* w",
    "q*2*5/***4*2/2*****1q*/*1***q****/2Q***2*Q/1*2******/3**3*Q/1*2****2/Q****1**2/1*3q1*** b",
    "1*2***3/4**Q***/4q****1/1****1****/**1******1/2**2*1q*/*1q**Q****/********2/*1**2*2*/2Q*q1*1Q1 b",
    "*1*Q2*3/1**2**q2/2********/q1**4*1/***1*1**2/1*Q2Q2*1/1*1*2**2/1*******1Q/1***q*1*2/q5**1* b",
    "2*q**4/2***5/*1*1**Q3/2*q*1****/Q******1q*/2******1*/***1**1***/***2*1***/1***2Q**q/6***Q b",
    "1*Q**3*1/1***4*1/1*1*3*q1/1*q*1*1*1*/*2*2****/****q1****/Q****1*Q**/***1*****1/****Q***2/**q**1**2 w",
    "**1q**4/1**7/1**1****1*/1******q2/3*2**2/4*1Q***/Q*2*****Q/**Q**1q***/4*1***q/3**2*2 w",
    "1**Q*1**1*/1*4***q/q*3***2/**1Q1**3/***2Q**2/****1****1/q2*1**q*1/1********1/***2*1*1*/*5Q*1* w",
    "1*1q4**/1***1***2/*2**1**1*/3Q*1****/3**q*1Q1/**********/****3***/**q**2**q/Q***2Q1*1/8** w",
    "Q4*q3/3*1*****/1*1***2Q*/2**1***2/****1***2/1****1*1*1/q*3***2/*****1***1/2*q****Q*/Q1*1*q1*2 b",
    "5*1*2/6***1/4q**Q*1/2******2/*1****1***/*q**Q**q2/****q*****/*Q1****3/3***4/2*4Q2 b",
    "5*1*Q*/3Q*****q/*2**Q****/2***q***1/***1***2*/*q*****1*1/1****1**1q/**2Q***2/6*1**/5**3 b",
    // Three amazons in a room full of dead ends.
    "**3q*3/Q****2**1/*1**2*1*1/2***1***1/****2*Q**/1***2****/3*2***q/1Q**1q****/3*2*3/2**q1**1Q w",
];

/// Positions from quick games in which a side has enough rooms, though not all regions are closed.
const ROOMS: &[&str] = &[
    "2*2***2/3*1**3/*1***1**1*/1***q****Q/2****q**1/*******Q*1/***q1****1/**Q******1/1q***Q1**1/*1**1***2 b",
    "q*2*5/***4*2/2*****1q*/*1***q***Q/2Q***2*1/1*2******/3**3*Q/1*2****2/Q****1**2/1*3q1*** w",
    "1*Q*4*1/1*q*q3*1/1*1*3*2/1*1*1*1*1*/*2*2**q*/****2****/1****1*Q**/qQ*1*****1/*1*2***2/*3*Q**2 b",
    "5*1*2/6***1/4q**Q*1/2******2/*1****1***/*q**Q**q2/Q***q*****/*2****3/3***4/2*4Q2 w",
    "3q1***2/1*1*2*q2/Q***Q1**2/*1**2**2/Q1*****3/1**3**2/1**3*1*1/**Q1***3/1q***2*1*/2*1q2*2 b",
    "**1q**4/1**7/1**1****1*/1******q2/3*2**2/4*1Q***/Q*2*****Q/**Q**1q**q/4*1***1/3**2*2 b",
];

/// A region of one colour cut out, as White's.
fn cut_out(position: &Amazons, region: &RegionCount) -> Tiny {
    let squares = region.region.squares;
    let span = |of: fn(&hippolyta::board::Square) -> usize| {
        let all: Vec<_> = squares.into_iter().map(|square| of(&square)).collect();
        *all.iter().min().unwrap()..*all.iter().max().unwrap() + 1
    };
    let (files, ranks) = (span(|square| square.file()), span(|square| square.rank()));
    let cell = |file, rank| match hippolyta::board::Square::at(file, rank).unwrap() {
        square if !squares.contains(square) => b'*',
        square if position.empty().contains(square) => b'.',
        _ => b'Q',
    };
    let cells = ranks.flat_map(|rank| files.clone().map(move |file| cell(file, rank))).collect();
    Tiny { width: files.len(), cells, white_to_move: true, spare: 0 }
}

#[test]
fn separated_positions_are_counted_exactly() {
    let mut defective = 0;
    for fen in SEPARATED {
        let position = amazons(fen);
        let mut turns = [0; 2];
        for region in count(&position, &LEAF) {
            let Owner::Territory(side) = region.region.owner else { panic!("{fen}") };
            let found = region.turns[side.index()].exact().unwrap_or_else(|| panic!("{fen}"));
            let room = cut_out(&position, &region);
            if region.empty.count() <= 8 {
                assert_eq!(found, room.longest(&mut HashMap::new()), "{fen}");
                defective += region.empty.count() - found;
            } else {
                assert_eq!(found, region.empty.count(), "{fen}");
                assert!(room.can_fill_all(&mut Default::default()), "{fen}");
            }
            turns[side.index()] += found as i32;
        }
        let half = if position.side_to_move() == Side::White { -1 } else { 1 };
        assert_eq!(margin_in_halves(&position), Some(2 * (turns[0] - turns[1]) + half), "{fen}");
        // The line that it would play is legal, goes to the end and has the length announced.
        let (line, proof) = certain_line(&position, &Effort::MOVE, &Work::unlimited()).unwrap();
        assert_eq!(line.len(), usize::from(proof.plies), "{fen}");
        let mut game = Game::new(position);
        for turn in line {
            assert!(legal_turns(game.current()).contains(&turn), "{fen}");
            game.play(turn);
        }
        assert_eq!(game.current().outcome(), Some(proof.outcome), "{fen}");
    }
    assert!(defective > 0);
}

/// The turn after which its side reaches most squares more than the other.
fn greedy(position: &Amazons) -> Steps<Amazons> {
    let side = position.side_to_move();
    let gain = |turn: &Steps<Amazons>| {
        let after = turn.iter().fold(*position, |position, &step| position.after(step));
        let reached = reached(&after).map(|set| set.count() as i32);
        reached[side.index()] - reached[(!side).index()]
    };
    legal_turns(position).into_iter().max_by_key(gain).unwrap()
}

/// Plays to the end and returns the winner and the number of turns; `engine` moves for `side`.
fn play_out(
    fen: &str,
    side: Side,
    engine: &mut Search<Amazons, AmazonsEvaluator>,
    mut other: impl FnMut(&Amazons) -> Steps<Amazons>,
) -> (Outcome, usize) {
    let limits = Limits { nodes: Some(100), ..Limits::default() };
    let mut game = Game::new(amazons(fen));
    loop {
        let position = *game.current();
        if let Some(outcome) = position.outcome() {
            return (outcome, game.turns().len());
        }
        let turn = if position.side_to_move() == side {
            engine.run(&game, &limits, &Control::default(), &mut |_| ()).lines[0].turns[0].clone()
        } else {
            other(&position)
        };
        game.play(turn);
    }
}

fn engine() -> Search<Amazons, AmazonsEvaluator> {
    Search::new(AmazonsEvaluator::default(), Settings { hash: 1, ..Settings::default() }).unwrap()
}

#[test]
fn a_certain_win_is_never_thrown_away() {
    let mut random = random(5);
    let mut engine = engine();
    for fen in SEPARATED.iter().chain(ROOMS) {
        let (_, proof) = certain_line(&amazons(fen), &Effort::MOVE, &Work::unlimited()).unwrap();
        let Outcome::Win(winner) = proof.outcome else { panic!("{fen}") };
        let mut check = |other: &mut dyn FnMut(&Amazons) -> Steps<Amazons>| {
            let (outcome, turns) = play_out(fen, winner, &mut engine, other);
            assert_eq!(outcome, proof.outcome, "{fen}");
            assert!(turns <= usize::from(proof.plies), "{fen}");
        };
        check(&mut greedy);
        check(&mut |position| {
            let mut turns = legal_turns(position);
            turns.swap_remove(random.random_range(0..turns.len()))
        });
    }
}

#[test]
fn a_lost_filling_holds_out_as_long_as_it_can() {
    let mut engine = engine();
    for fen in SEPARATED {
        let (_, proof) = certain_line(&amazons(fen), &Effort::MOVE, &Work::unlimited()).unwrap();
        let Outcome::Win(winner) = proof.outcome else { panic!("{fen}") };
        let (outcome, turns) = play_out(fen, !winner, &mut engine, |position| {
            certain_line(position, &Effort::MOVE, &Work::unlimited()).unwrap().0.remove(0)
        });
        assert_eq!((outcome, turns), (proof.outcome, usize::from(proof.plies)), "{fen}");
    }
}

#[test]
fn certain_positions_are_answered_without_search_unless_more_is_asked() {
    let position = amazons(SEPARATED[0]);
    let game = Game::new(position);
    let (line, proof) = certain_line(&position, &Effort::MOVE, &Work::unlimited()).unwrap();
    let report = engine().run(&game, &Limits::default(), &Control::default(), &mut |_| ());
    assert_eq!((report.nodes, report.lines.len()), (1, 1));
    assert_eq!(report.lines[0].turns, line);
    let plies = u32::from(proof.plies);
    let mover_wins = proof.outcome == Outcome::Win(position.side_to_move());
    assert_eq!(report.lines[0].score, if mover_wins { Score::Win { plies } } else { Score::Loss { plies } });
    // Given turns are searched, and so are several lines.
    let turns: Vec<_> = legal_turns(&position).into_iter().step_by(7).take(3).collect();
    let limits = Limits { nodes: Some(200), turns: turns.clone(), ..Limits::default() };
    let report = engine().run(&game, &limits, &Control::default(), &mut |_| ());
    assert!(turns.contains(&report.lines[0].turns[0]) && report.nodes > 1);
    let mut many = Search::new(AmazonsEvaluator::default(), Settings { multi_pv: 3, ..Settings::default() }).unwrap();
    let limits = Limits { nodes: Some(500), ..Limits::default() };
    assert_eq!(many.run(&game, &limits, &Control::default(), &mut |_| ()).lines.len(), 3);
}

#[test]
fn a_margin_decides_search_and_evaluation() {
    // A contested region of six squares, worth two turns, tips the balance.
    let board = "*q*5q*/**1*1*4/1******1*1/1Q**2****/1**1***2*/*1*Q**1*1*/1*****1**Q/1******q1*/1***q*****/2*Q*1*3";
    for (mover, winner) in [(Side::White, Side::Black), (Side::Black, Side::White)] {
        let position = amazons(&format!("{board} {}", &mover.name()[..1]));
        let margin = margin_in_halves(&position).unwrap();
        assert_eq!(margin, if winner == Side::White { 1 } else { -1 });
        let evaluator = AmazonsEvaluator::default();
        assert_eq!(evaluator.explain(&position).0, Value::of(Outcome::Win(winner)));
        let mut engine = Search::new(evaluator, Settings { hash: 1, ..Settings::default() }).unwrap();
        let limits = Limits { nodes: Some(1_000), ..Limits::default() };
        let report = engine.run(&Game::new(position), &limits, &Control::default(), &mut |_| ());
        assert!(matches!(report.score, Score::Loss { .. }), "{:?}", report.score);
        // And the winner plays on rightly: the margin stays his until the end.
        let mut game = Game::new(position);
        while game.current().outcome().is_none() {
            let turn = engine.run(&game, &limits, &Control::default(), &mut |_| ()).lines[0].turns[0].clone();
            game.play(turn);
            if let Some(margin) = margin_in_halves(game.current()) {
                assert_eq!(margin > 0, winner == Side::White);
            }
        }
        assert_eq!(game.current().outcome(), Some(Outcome::Win(winner)));
    }
}

/// A position of three regions in which hundreds of turns are to be compared, each by a search of small regions.
const LATE: &str =
    "3*1*1**1/1*Q1*1*Q2/*1*q**q**1/**1***1**1/1*1***2*1/****2****/2q***2*1/1Q1*3**Q/1q1*1*2**/3*6 b - - 0 1";

#[test]
fn counting_ends_when_it_is_told_to() {
    let position = amazons(LATE);
    let questions = |most: u32| {
        let asked = std::cell::Cell::new(0);
        let go_on = || {
            asked.set(asked.get() + 1);
            asked.get() <= most
        };
        let work = Work::new(u64::MAX, &go_on);
        for effort in [&Effort::MOVE, &Effort::DISPLAY] {
            let _ = certain_line(&position, effort, &work);
        }
        (asked.get(), work.is_over())
    };
    // Nothing to speak of is done after the first no: there are hundreds of questions otherwise.
    for most in [0, 1, 5, 50, 300] {
        let (asked, is_over) = questions(most);
        assert!(is_over && asked <= most + 4, "{asked} questions, the answer to {most} of them was yes");
    }
}

#[test]
fn a_limited_count_finds_the_same_whatever_is_known_already() {
    let late = amazons(LATE);
    let small = amazons("1*Q**3/2**q1*1/**1***1*/1Q**1q2/****2**/2*q**1Q/1*1*2** w");
    for position in [late, small] {
        let limits = [0, 300, 5_000, 20_000, 60_000, 200_000, 1_000_000];
        let find = |limit| {
            let work = Work::new(limit, &|| true);
            (
                certain_line(&position, &Effort::MOVE, &work).map(|(turns, proof)| (turns[0].clone(), proof)),
                work.is_over(),
            )
        };
        let before = limits.map(find);
        let _ = find(u64::MAX);
        assert_eq!(limits.map(find), before);
        assert!(before[0].1 && before[0].0.is_none());
    }
}

/// The letters of the amazons that king steps lead to from a square, over whatever is no arrow.
fn amazons_around(cells: &[Vec<char>], from: (usize, usize)) -> BTreeSet<char> {
    let (mut todo, mut seen, mut found) = (vec![from], BTreeSet::from([from]), BTreeSet::new());
    while let Some((rank, file)) = todo.pop() {
        if "Qq".contains(cells[rank][file]) {
            found.insert(cells[rank][file]);
        }
        for next_rank in rank.saturating_sub(1)..(rank + 2).min(cells.len()) {
            for next_file in file.saturating_sub(1)..(file + 2).min(cells[0].len()) {
                let next = (next_rank, next_file);
                if cells[next_rank][next_file] != '*' && seen.insert(next) {
                    todo.push(next);
                }
            }
        }
    }
    found
}

#[test]
fn only_what_is_certain_is_owned_altogether() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
    let (mut certain, mut nearly) = (0, 0);
    for (name, games) in [("amazons", 2), ("amazons8", 3), ("amazons6", 6)] {
        let variant = &variant::find(name).unwrap();
        let settings = hippolyta::engine::Settings { hash: 1, ..Default::default() };
        let mut engine = Engine::new(variant, &Model::default(), settings).unwrap();
        for _ in 0..games {
            let mut board = Board::new(variant);
            while board.outcome().is_none() {
                let include = Include { ownership: true, ..Include::default() };
                let limits = hippolyta::engine::Limits { nodes: Some(1), include, ..Default::default() };
                let analysis = engine.analyse(&board, &limits, &Control::default(), &mut |_| ()).unwrap();
                // Rank by rank from the top, as the ownership; the grid's first rank is the lowest.
                let mut cells = Grid::from_fen(&board.fen()).cells;
                cells.reverse();
                let own = if board.side_to_move() == Side::White { 'Q' } else { 'q' };
                let ownership = analysis.owned.ownership.unwrap();
                let width = cells[0].len();
                for (place, owner) in ownership.into_iter().enumerate() {
                    let (rank, file) = (place / width, place % width);
                    let around = amazons_around(&cells, (rank, file));
                    let is_open = cells[rank][file] == '.' && !around.is_empty();
                    assert_eq!(owner.is_some(), is_open, "{} {place}", board.fen());
                    let Some(owner) = owner else { continue };
                    let expected = if around.contains(&own) { 1.0 } else { -1.0 };
                    assert_eq!(owner.abs() == 1.0, around.len() == 1, "{} {place}: {owner}", board.fen());
                    assert!(owner.abs() < 1.0 || owner == expected, "{} {place}: {owner}", board.fen());
                    certain += u32::from(owner.abs() == 1.0);
                    nearly += u32::from(owner.abs() == 0.99);
                }
                let turns = board.legal_turns().all();
                board.play_turn(&turns[random.random_range(0..turns.len())]).unwrap();
            }
        }
    }
    assert!(certain > 100 && nearly > 10, "{certain} {nearly}");
}
