//! The Desdemona family against a slow twin, and the laws that it obeys.

use crate::common::laws;
use crate::common::naive_rules::RulesGrid;
use crate::common::sorted_turns;
use hippolyta::eval::Weights;
use hippolyta::eval::desdemona::DesdemonaEvaluator;
use hippolyta::games::desdemona::Desdemona;
use hippolyta::games::variant::{self, Family, VARIANTS, Variant};
use hippolyta::games::{Game, Notation, Outcome, Position, legal_turns};
use hippolyta::search::{Control, Limits, Score, Search, Settings};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;

fn family() -> impl Iterator<Item = &'static Variant> {
    VARIANTS.iter().filter(|variant| matches!(variant.family(), Family::Desdemona(_)))
}

fn position(variant: &Variant, fen: &str) -> Desdemona {
    Desdemona::from_fen(variant, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn three_fields(position: &Desdemona) -> String {
    position.fen().split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// A random board with pieces of all kinds.
fn random_grid(random: &mut Xoshiro256PlusPlus, variant: &Variant, width: usize, height: usize) -> RulesGrid {
    let mut pieces = Vec::new();
    for (piece, least, most) in [('Q', 1, 4), ('q', 1, 4), ('S', 0, 9), ('s', 0, 9), ('*', 0, 5)] {
        let most = most.min(width * height / 8).max(least);
        pieces.extend(std::iter::repeat_n(piece, random.random_range(least..=most)));
    }
    pieces.resize(width * height, '.');
    for last in (1..pieces.len()).rev() {
        pieces.swap(last, random.random_range(0..=last));
    }
    let mut grid = RulesGrid::of(variant, "Q2/3/2q w -");
    grid.cells = pieces.chunks(width).map(<[char]>::to_vec).collect();
    grid.white_to_move = random.random();
    grid.move_only = random.random_range(0..8) == 0;
    grid
}

/// Compares engine and twin in one position; returns the twin's turns.
fn compare(position: &Desdemona, grid: &RulesGrid) -> Vec<(String, RulesGrid)> {
    assert_eq!(three_fields(position), grid.fen());
    let mut turns = grid.turns();
    turns.sort_by(|a, b| a.0.cmp(&b.0));
    let names: Vec<_> = turns.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(sorted_turns(position), names, "{}", grid.fen());
    assert_eq!(position.count_turns(1), turns.len() as u64);
    assert_eq!(position.outcome(), grid.outcome(!turns.is_empty()), "{}", grid.fen());
    assert_eq!(position.key(), position.key_from_scratch());
    turns
}

#[test]
fn random_games_agree_with_the_twin() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(31);
    for variant in family() {
        let (mut positions, mut drawn) = (0, 0);
        let mut starts = vec![variant.start().to_owned(); 12];
        for round in (0..120).step_by(2) {
            let (width, height) = (3 + round % 9, 3 + round / 9 % 9);
            starts.push(random_grid(&mut random, variant, width, height).fen());
        }
        for start in starts {
            let mut grid = RulesGrid::of(variant, &start);
            let mut position = position(variant, &start);
            loop {
                let turns = compare(&position, &grid);
                positions += 1;
                if turns.is_empty() {
                    drawn += u32::from(position.outcome() == Some(Outcome::Draw));
                    break;
                }
                if turns.len() < 40 {
                    let replies: u64 = turns.iter().map(|(_, after)| after.turns().len() as u64).sum();
                    assert_eq!(position.count_turns(2), replies, "{}", grid.fen());
                }
                if turns.len() < 500 {
                    laws::check_position(variant, &position);
                }
                for (name, after) in turns.iter().step_by(1 + turns.len() / 12) {
                    let mut game = Game::new(position);
                    game.play_text(name).unwrap();
                    assert_eq!(three_fields(game.current()), after.fen(), "{name}");
                    assert_eq!(game.current().key(), game.current().key_from_scratch());
                }
                let (name, after) = turns[random.random_range(0..turns.len())].clone();
                for &step in &position.parse_turn(&name).unwrap() {
                    let before = position;
                    position.play(step);
                    assert_eq!(position, before.after(step));
                    assert_eq!(position.key(), position.key_from_scratch());
                }
                grid = after;
            }
        }
        assert!(positions > 1_000 && drawn > 0, "{}: {positions} {drawn}", variant.name());
    }
}

#[test]
fn turned_and_mirrored_boards_have_as_many_turns_and_swapped_colours_the_same() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(32);
    for variant in family() {
        for round in 0..40 {
            let grid = random_grid(&mut random, variant, 4 + round % 8, 4 + round / 8);
            let turns = sorted_turns(&position(variant, &grid.fen()));
            let mut turned = grid.clone();
            turned.cells.reverse();
            let mut mirrored = grid.clone();
            mirrored.cells.iter_mut().for_each(|row| row.reverse());
            for other in [turned, mirrored] {
                assert_eq!(legal_turns(&position(variant, &other.fen())).len(), turns.len());
            }
            let mut swapped = grid.clone();
            swapped.white_to_move = !grid.white_to_move;
            for cell in swapped.cells.iter_mut().flatten() {
                *cell = if cell.is_uppercase() { cell.to_ascii_lowercase() } else { cell.to_ascii_uppercase() };
            }
            assert_eq!(sorted_turns(&position(variant, &swapped.fen())), turns);
        }
    }
}

/// Boards that brute force can solve: the search's proofs, draws included, are right.
#[test]
fn every_proven_result_on_small_boards_is_right() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(33);
    for variant in family() {
        let Family::Desdemona(rules) = variant.family() else { continue };
        let settings = Settings { hash: 64, ..Settings::default() };
        let mut engines = [1, 2].map(|threads| {
            Search::new(DesdemonaEvaluator::new(rules, &Weights::embedded()), Settings { threads, ..settings.clone() })
                .unwrap()
        });
        let mut results = [0; 3];
        for round in 0..48 {
            let (width, height) = (3 + round % 2, 3);
            let mut grid = RulesGrid::of(variant, "Q2/3/2q w -");
            let mut pieces: Vec<char> = "Qq".repeat(1 + round / 2 % 2).chars().collect();
            let taken = width * height - random.random_range(3..=6);
            pieces.extend((pieces.len()..taken).map(|_| ['S', 's', '*'][random.random_range(0..3)]));
            pieces.resize(width * height, '.');
            for last in (1..pieces.len()).rev() {
                pieces.swap(last, random.random_range(0..=last));
            }
            grid.cells = pieces.chunks(width).map(<[char]>::to_vec).collect();
            grid.white_to_move = random.random();
            let position = position(variant, &grid.fen());
            if position.outcome().is_some() {
                continue;
            }
            let mut seen = HashMap::new();
            let value = grid.value(&mut seen);
            let for_mover = if grid.white_to_move { value } else { -value };
            results[(value + 1) as usize] += 1;
            for engine in &mut engines {
                let limits = Limits { nodes: Some(2_000_000), ..Limits::default() };
                let report = engine.run(&Game::new(position), &limits, &Control::default(), &mut |_| ());
                let line = &report.lines[0];
                let found = match line.score {
                    Score::Win { .. } => 1,
                    Score::Loss { .. } => -1,
                    Score::Draw => 0,
                    other => panic!("{} {}: {other:?} {report:#?}", variant.name(), grid.fen()),
                };
                assert_eq!(found, for_mover, "{} {}", variant.name(), grid.fen());
                let text = position.turn_text(&line.turns[0]);
                let (_, after) = grid.turns().into_iter().find(|(name, _)| *name == text).unwrap();
                assert_eq!(after.value(&mut seen), value, "{} {} {text}", variant.name(), grid.fen());
            }
        }
        assert!(results.iter().all(|&count| count > 2), "{}: {results:?}", variant.name());
    }
}

#[test]
fn texts_that_are_no_turns_are_refused_with_the_reason() {
    let variant = &variant::find("desdemona").unwrap();
    let start = position(variant, variant.start());
    let reason = |position: &Desdemona, text: &str| position.parse_turn(text).unwrap_err().to_string();
    assert!(start.parse_turn("j4j1").is_ok() && start.parse_turn("j4-j1").is_ok());
    assert_eq!(
        reason(&start, "j4j1,j1j2"),
        "illegal move 'j4j1,j1j2': this turn, the first of the game, is a move without fire"
    );
    let second = position(variant, "3q2Q3/10/10/Q8q/4sS4/4Ss4/q8Q/10/10/3Q2q3 b - - 0 1");
    assert_eq!(reason(&second, "d10d5"), "'d10d5' is not a move: the square it fires at is expected at character 6");
    assert_eq!(
        reason(&second, "d10d5,d5a5"),
        "illegal move 'd10d5,d5a5': a shot over empty squares may not land on the rim, where a5 is"
    );
    assert_eq!(reason(&second, "d10d5,d5f5"), "illegal move 'd10d5,d5f5': the amazon cannot fire from d5 to f5");
    assert_eq!(reason(&second, "g10d7,d7d6"), "illegal move 'g10d7,d7d6': black is to move and has no amazon on g10");
    assert!(Desdemona::from_fen(variant, "3/SsS/3 w").unwrap_err().to_string().contains("no amazon on the board"));
    assert_eq!(variant::find("LAGO").unwrap().name(), "iago");
}

proptest::proptest! {
    #[test]
    fn garbage_never_panics(text in "\\PC*", near in "[a-k0-9QqSs*/w bm,()-]{0,40}") {
        for variant in family() {
            let start = position(variant, variant.start());
            for text in [&text, &near] {
                if let Ok(position) = Desdemona::from_fen(variant, text) {
                    let _ = position.outcome();
                }
                if let Ok(turn) = start.parse_turn(text) {
                    proptest::prop_assert!(legal_turns(&start).contains(&turn));
                }
            }
        }
    }
}
