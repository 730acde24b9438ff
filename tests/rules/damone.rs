//! The Damone family against a slow twin, and the laws that it obeys.

use crate::common::naive_damone::{DraughtsGrid, DraughtsTurn};
use crate::common::sorted_turns;
use hippolyta::eval::damone::DamoneEvaluator;
use hippolyta::games::damone::Damone;
use hippolyta::games::variant::{self, Family, VARIANTS, Variant};
use hippolyta::games::{Game, Notation, Outcome, Position, Side, perft};
use hippolyta::search::{Control, Limits, Score, Search, Settings};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;

fn family() -> impl Iterator<Item = &'static Variant> {
    VARIANTS.iter().filter(|variant| matches!(variant.family(), Family::Damone(_)))
}

fn position(variant: &Variant, fen: &str) -> Damone {
    Damone::from_fen(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn board_and_side(position: &Damone) -> String {
    position.fen().split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// Pieces thrown on the dark squares; not always a legal FEN.
fn random_fen(random: &mut Xoshiro256PlusPlus) -> String {
    let mut grid = DraughtsGrid { cells: vec![vec!['.'; 8]; 8], white_to_move: random.random() };
    for _ in 0..random.random_range(2..=16) {
        let (file, rank) = (random.random_range(0..8), random.random_range(0..8));
        if (file + rank) % 2 == 1 {
            grid.cells[rank][file] = ['P', 'P', 'D', 'I', 'p', 'p', 'd', 'i'][random.random_range(0..8)];
        }
    }
    grid.fen()
}

fn winner(loser_is_white: bool) -> Outcome {
    Outcome::Win(if loser_is_white { Side::Black } else { Side::White })
}

#[test]
fn random_games_agree_with_the_twin_draws_included() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(41);
    for variant in family() {
        let needs_damone = variant.name() == "damone-imperatore";
        let (mut positions, mut reasons) = (0, HashMap::new());
        let starts = std::iter::repeat_n(variant.start().to_owned(), 60)
            .chain((0..400).map(|_| random_fen(&mut random)).collect::<Vec<_>>());
        for start in starts {
            let Ok(first) = Damone::from_fen(variant, &start) else { continue };
            let mut game = Game::new(first);
            let mut grid = DraughtsGrid::from_fen(&start);
            let (mut quiet, mut seen) = (0, HashMap::<DraughtsGrid, u32>::new());
            loop {
                let position = game.current();
                let occurrences = seen.entry(grid.clone()).or_default();
                *occurrences += 1;
                let expected = match grid.loser_is_white(needs_damone) {
                    Some(loser) => Some(("lost", winner(loser))),
                    None if *occurrences >= 3 => Some(("third occurrence", Outcome::Draw)),
                    None if quiet >= 80 => Some(("quiet", Outcome::Draw)),
                    None => None,
                };
                assert_eq!(board_and_side(position), grid.fen());
                assert_eq!(position.quiet(), quiet);
                assert_eq!(position.outcome(), expected.map(|(_, outcome)| outcome), "{}", position.fen());
                assert_eq!(position.board_key(), position.board_key_from_scratch());
                positions += 1;
                if let Some((reason, _)) = expected {
                    *reasons.entry(reason).or_insert(0) += 1;
                    break;
                }
                let turns = grid.turns();
                let mut names: Vec<_> = turns.iter().map(|turn| turn.text.clone()).collect();
                names.sort();
                assert_eq!(sorted_turns(position), names, "{}", position.fen());
                assert_eq!(position.count_turns(1), names.len() as u64);
                let turn = turns[random.random_range(0..turns.len())].clone();
                let separator = ["", "-", "x"][random.random_range(0..3)];
                let squares: Vec<_> = turn.text.as_bytes().chunks(2).map(|s| str::from_utf8(s).unwrap()).collect();
                game.play_text(&squares.join(separator)).unwrap();
                quiet = if turn.irreversible { 0 } else { quiet + 1 };
                grid = turn.after;
            }
        }
        assert!(positions > 4_000, "{}: {positions}", variant.name());
        assert!(needs_damone || reasons.len() == 3, "{}: {reasons:?}", variant.name());
    }
}

#[test]
fn boards_turned_with_swapped_colours_have_the_same_number_of_turns() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(42);
    let variant = &variant::find("damone").unwrap();
    let mut compared = 0;
    for _ in 0..600 {
        let fen = random_fen(&mut random);
        let Ok(position) = Damone::from_fen(variant, &fen) else { continue };
        let mut turned = DraughtsGrid::from_fen(&fen);
        turned.white_to_move = !turned.white_to_move;
        turned.cells.reverse();
        for row in &mut turned.cells {
            row.reverse();
            for cell in row {
                *cell = if cell.is_uppercase() { cell.to_ascii_lowercase() } else { cell.to_ascii_uppercase() };
            }
        }
        let other = Damone::from_fen(variant, &turned.fen()).unwrap();
        for depth in 1..=3 {
            assert_eq!(perft(&position, depth).nodes, perft(&other, depth).nodes, "{fen}");
        }
        compared += 1;
    }
    assert!(compared > 200, "{compared}");
}

/// Counting with and without the history's help gives the same where both are right.
#[test]
fn counts_see_third_occurrences() {
    let variant = &variant::find("damone").unwrap();
    // Two damoni that can only walk up and down, each alone.
    let mut game = Game::new(position(variant, "i7/8/8/8/8/8/8/7I w"));
    let walk = ["h1g2", "a8b7", "g2h1", "b7a8"];
    for turn in walk.iter().chain(&walk[..3]) {
        game.play_text(turn).unwrap();
    }
    // The start would occur for the third time.
    let after = *game.current();
    let mut end = Game::new(after);
    end.play_text("b7a8").unwrap();
    assert_eq!(end.current().outcome(), Some(Outcome::Draw));
    let brute = |position: &Damone, depth: u32| -> u64 {
        fn go(position: &Damone, depth: u32) -> u64 {
            if depth == 0 {
                return 1;
            }
            if position.outcome().is_some() {
                return 0;
            }
            position.steps().into_iter().map(|step| go(&position.after(step), depth - 1)).sum()
        }
        go(position, depth)
    };
    for depth in 0..=6 {
        assert_eq!(perft(&after, depth).nodes, brute(&after, depth), "{depth}");
        assert_eq!(after.count_turns(depth), brute(&after, depth), "{depth}");
    }
    let late = position(variant, "i7/8/8/8/8/8/8/7I w - - 77 90");
    for depth in 0..=6 {
        assert_eq!(perft(&late, depth).nodes, brute(&late, depth), "{depth}");
    }
}

/// Win, loss or neither for the side to move in every position that can be reached, by retrograde analysis.
fn solve(start: &DraughtsGrid) -> HashMap<DraughtsGrid, i32> {
    let mut successors: HashMap<DraughtsGrid, Vec<DraughtsGrid>> = HashMap::new();
    let mut open = vec![start.clone()];
    while let Some(grid) = open.pop() {
        if successors.contains_key(&grid) {
            continue;
        }
        let after: Vec<_> = grid.turns().into_iter().map(|turn| turn.after).collect();
        open.extend(after.iter().filter(|next| !successors.contains_key(next)).cloned());
        successors.insert(grid, after);
    }
    let mut values: HashMap<DraughtsGrid, i32> = HashMap::new();
    loop {
        let mut changed = false;
        for (grid, after) in &successors {
            if values.contains_key(grid) {
                continue;
            }
            let value = if after.iter().any(|next| values.get(next) == Some(&-1)) {
                1
            } else if after.iter().all(|next| values.get(next) == Some(&1)) {
                -1
            } else {
                continue;
            };
            values.insert(grid.clone(), value);
            changed = true;
        }
        if !changed {
            return values;
        }
    }
}

#[test]
fn proven_results_of_small_endings_are_those_of_retrograde_analysis() {
    let variant = &variant::find("damone").unwrap();
    let mut engine = Search::new(DamoneEvaluator::default(), Settings { hash: 64, ..Settings::default() }).unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(43);
    let mut found = [0; 3];
    for _ in 0..40 {
        // Two pieces anywhere on the dark squares.
        let mut grid = DraughtsGrid { cells: vec![vec!['.'; 8]; 8], white_to_move: random.random() };
        for pieces in ["PDI", "pdi"] {
            let cell = 2 * random.random_range(0..32) + 1;
            let (rank, file) = (cell / 8, cell % 8);
            let piece = pieces.as_bytes()[random.random_range(0..pieces.len())];
            grid.cells[rank][(file + rank) % 8] = char::from(piece);
        }
        let fen = &grid.fen();
        if Damone::from_fen(variant, fen).map_or(true, |position| position.outcome().is_some()) {
            continue;
        }
        let grid = DraughtsGrid::from_fen(fen);
        let truth = solve(&grid).get(&grid).copied().unwrap_or(0);
        let limits = Limits { nodes: Some(100_000), ..Limits::default() };
        let report = engine.run(&Game::new(position(variant, fen)), &limits, &Control::default(), &mut |_| ());
        let value = match report.lines[0].score {
            Score::Win { .. } => 1,
            Score::Loss { .. } => -1,
            Score::Draw => 0,
            // Not proven: nothing is claimed.
            Score::Estimate { .. } => continue,
        };
        assert_eq!(value, truth, "{fen}");
        found[(value + 1) as usize] += 1;
    }
    assert!(found[0] > 1 && found[2] > 5, "{found:?}");
}

/// The value for the side to move after `quiet` quiet plies, by plain recursion to the limit of 80.
fn value_before_the_limit(grid: &DraughtsGrid, quiet: u32) -> i32 {
    if grid.loser_is_white(false).is_some() {
        return -1;
    }
    if quiet >= 80 {
        return 0;
    }
    let after =
        |turn: DraughtsTurn| -value_before_the_limit(&turn.after, if turn.irreversible { 0 } else { quiet + 1 });
    grid.turns().into_iter().map(after).max().unwrap_or(-1)
}

#[test]
fn the_limit_of_quiet_plies_is_seen_by_the_solver() {
    let variant = &variant::find("damone").unwrap();
    let mut engine = Search::new(DamoneEvaluator::default(), Settings { hash: 16, ..Settings::default() }).unwrap();
    let board = "i7/8/8/8/8/8/8/7I w";
    // Without the limit the side to move wins.
    let grid = DraughtsGrid::from_fen(board);
    assert_eq!(solve(&grid).get(&grid), Some(&1));
    for quiet in 72..80 {
        assert_eq!(value_before_the_limit(&grid, quiet), 0);
        let position = position(variant, &format!("{board} - - {quiet} 60"));
        let limits = Limits { nodes: Some(300_000), ..Limits::default() };
        let report = engine.run(&Game::new(position), &limits, &Control::default(), &mut |_| ());
        assert_eq!(report.lines[0].score, Score::Draw, "{quiet}");
    }
}

#[test]
fn refusals_name_the_compulsory_capture() {
    let variant = &variant::find("damone").unwrap();
    let position = position(variant, "8/1i1d1d2/I5p1/8/4i3/8/2i5/1I6 w - - 0 1");
    let reason = |text: &str| position.parse_turn(text).unwrap_err().to_string();
    assert_eq!(reason("b1a2"), "illegal move 'b1a2': the best capture is compulsory: b1d3f5h7");
    assert_eq!(reason("c2d3"), "illegal move 'c2d3': white is to move and has no piece on c2");
    assert_eq!(reason("b1"), "'b1' is not a move: a square is expected at character 3");
    assert_eq!(reason("b1?"), "'b1?' is not a move: a square is expected at character 3");
    assert!(position.parse_turn("b1xd3xf5xh7").is_ok());
}

proptest::proptest! {
    #[test]
    fn garbage_never_panics(text in "\\PC*", near in "[a-h0-9PDIpdi/w b-]{0,40}") {
        for variant in VARIANTS {
            if let Family::Damone(_) = variant.family() {
                let start = position(variant, variant.start());
                for text in [&text, &near] {
                    let _ = Damone::from_fen(variant, text);
                    let _ = start.parse_turn(text);
                }
            }
        }
    }
}
