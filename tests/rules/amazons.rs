//! The fast rules against a slow twin on random positions of every board size, and the laws that any game obeys.

use crate::common::naive::Grid;
use crate::common::{amazons, laws, sorted_turns};
use hippolyta::games::amazons::Amazons;
use hippolyta::games::{FenError, Notation, Outcome, Position, TurnError, legal_turns, variant};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;

/// A FEN with random amazons and arrows on a board of this size.
fn random_fen(random: &mut Xoshiro256PlusPlus, width: usize, height: usize) -> String {
    let most = (width * height / 3).min(8);
    let mut cells = vec![vec!['.'; width]; height];
    let mut put = |random: &mut Xoshiro256PlusPlus, piece: char, count: usize| {
        for _ in 0..count {
            loop {
                let cell = &mut cells[random.random_range(0..height)][random.random_range(0..width)];
                if *cell == '.' {
                    *cell = piece;
                    break;
                }
            }
        }
    };
    for piece in ['Q', 'q'] {
        let count = random.random_range(1..=most);
        put(random, piece, count);
    }
    let arrows = random.random_range(0..=width * height / 4);
    put(random, '*', arrows);
    Grid { cells, white_to_move: random.random() }.fen()
}

fn board_and_side(position: &Amazons) -> String {
    position.fen().split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// Laws that hold in every position of the Amazons at the start of a turn.
fn check_amazons(position: &Amazons) {
    laws::check_position(variant::DEFAULT, position);
    assert_eq!(position.key(), position.key_from_scratch());
    assert_eq!(amazons(&position.fen()), *position);
    let turns = legal_turns(position);
    let mut keys = HashSet::from([position.key()]);
    for turn in &turns {
        let half = position.after(turn[0]);
        assert!(half.outcome().is_none());
        assert_eq!(half.key(), half.key_from_scratch());
        let after = half.after(turn[1]);
        assert_eq!(after.key(), after.key_from_scratch());
        assert_eq!(after.empty().count() + 1, position.empty().count());
        keys.insert(after.key());
    }
    // Other turns may lead to the same board only if they differ in their order of steps: here they never do.
    assert_eq!(keys.len(), turns.len() + 1, "{}", position.fen());
}

fn check_spellings(position: &Amazons) {
    for turn in legal_turns(position).into_iter().step_by(7) {
        let text = position.turn_text(&turn);
        let (mv, fire) = text.split_once(',').unwrap();
        let at = &fire[fire.rfind(|c: char| c.is_ascii_lowercase()).unwrap()..];
        let to = mv.rfind(|c: char| c.is_ascii_lowercase()).unwrap();
        let (from, to) = mv.split_at(to);
        for spelling in
            [text.clone(), format!("{from}-{to}/{at}"), format!("{from}-{to}({at})"), format!("{from}{to}{at}")]
        {
            assert_eq!(position.parse_turn(&spelling).as_ref(), Ok(&turn), "{spelling}");
        }
    }
}

#[test]
fn random_games_agree_with_the_twin_on_every_board_size() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut positions = 0;
    for width in 3..=11 {
        for height in 3..=11 {
            for _ in 0..2 {
                let mut grid = Grid::from_fen(&random_fen(&mut random, width, height));
                let mut position = amazons(&grid.fen());
                loop {
                    assert_eq!(board_and_side(&position), grid.fen());
                    let mut turns = grid.turns();
                    turns.sort_by(|a, b| a.0.cmp(&b.0));
                    let names: Vec<_> = turns.iter().map(|(name, _)| name.clone()).collect();
                    assert_eq!(sorted_turns(&position), names, "{}", grid.fen());
                    assert_eq!(position.count_turns(1), turns.len() as u64);
                    positions += 1;
                    if turns.is_empty() {
                        assert_eq!(position.outcome(), Some(Outcome::Win(!position.side_to_move())));
                        break;
                    }
                    assert_eq!(position.outcome(), None);
                    if turns.len() < 60 {
                        assert_eq!(position.count_turns(2), grid.perft(2), "{}", grid.fen());
                    }
                    if turns.len() < 400 {
                        check_amazons(&position);
                    }
                    check_spellings(&position);
                    let (name, after) = turns[random.random_range(0..turns.len())].clone();
                    for &step in &position.parse_turn(&name).unwrap() {
                        position.play(step);
                    }
                    grid = after;
                }
            }
        }
    }
    assert!(positions > 2_000, "{positions}");
}

/// A square's mirror image, left to right.
fn mirrored(text: &str, width: usize) -> String {
    let flip = |c: char| if c.is_ascii_lowercase() { (b'a' + width as u8 - 1 - (c as u8 - b'a')) as char } else { c };
    text.chars().map(flip).collect()
}

#[test]
fn mirrored_boards_have_mirrored_turns_and_swapped_colours_the_same() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(12);
    for round in 0..300 {
        let (width, height) = (3 + round % 9, 3 + round / 9 % 9);
        let grid = Grid::from_fen(&random_fen(&mut random, width, height));
        let turns = sorted_turns(&amazons(&grid.fen()));
        let mut mirror = grid.clone();
        mirror.cells.iter_mut().for_each(|row| row.reverse());
        let mut expected: Vec<_> = turns.iter().map(|turn| mirrored(turn, width)).collect();
        expected.sort();
        assert_eq!(sorted_turns(&amazons(&mirror.fen())), expected);
        let mut swapped = grid.clone();
        swapped.white_to_move = !grid.white_to_move;
        for cell in swapped.cells.iter_mut().flatten() {
            *cell = match *cell {
                'Q' => 'q',
                'q' => 'Q',
                other => other,
            };
        }
        assert_eq!(sorted_turns(&amazons(&swapped.fen())), turns);
    }
}

#[test]
fn keys_tell_board_sizes_and_half_turns_apart() {
    let keys: HashSet<_> =
        ["Q2/3/2q w", "Q2/3/2q b", "Q3/4/2q1 w", "Q2/3/3/2q w", "3/Q2/3/2q w"].map(|fen| amazons(fen).key()).into();
    assert_eq!(keys.len(), 5);
    let position = amazons("1Q1/3/Q1q w");
    // Two amazons that end on the same squares, one or the other about to fire.
    let halves: HashSet<_> = position.steps().into_iter().map(|step| position.after(step).key()).collect();
    assert_eq!(halves.len(), position.steps().len());
}

#[test]
fn bad_fens_are_refused_with_their_place() {
    for (fen, message) in [
        ("", "FEN: empty, a board is expected"),
        ("3q/4/4/4x w", "FEN: 'x' at character 9 is not a piece of this game (Qq*) and not a number of empty squares"),
        ("Q2/4/2q w", "FEN: rank 2 '4' has 4 files, but the board's first line has 3"),
        ("Q2/0111/2q w", "FEN: '0111' at character 4 is not a number of empty squares (1 to 11)"),
        ("Q11/12/11q w", "FEN: '12' at character 5 is not a number of empty squares (1 to 11)"),
        ("Qq/2/2 w", "FEN: a board of 2 files and 3 ranks: 3 to 11 of each are possible"),
        ("Q11/93/11q w", "FEN: '93' at character 5 is not a number of empty squares (1 to 11)"),
        ("Q3/4/4 w", "FEN: 0 amazons for black: each side has 1 to 8"),
        ("QQQ/QQQ/QQQ/q2 w", "FEN: 9 amazons for white: each side has 1 to 8"),
        ("Q2/3/2q x", "FEN: field 2 is 'x', expected w or b, the side to move"),
        ("Q2/3/2q w m", "FEN: field 3 is 'm', expected -, as no turn of this game has to be without fire"),
        ("Q2/3/2q w KQ", "FEN: field 3 is 'KQ', expected - or m"),
        ("Q2/3/2q w - e3", "FEN: field 4 is 'e3', expected -"),
        ("Q2/3/2q w - - -1", "FEN: field 5 is '-1', expected the number of quiet plies"),
        ("Q2/3/2q w - - 0 x", "FEN: field 6 is 'x', expected the number of the turn"),
        ("Q2/3/2q w - - 0 1 7", "FEN: '7' follows the sixth field, the last"),
    ] {
        let error: FenError = Amazons::from_fen(variant::DEFAULT, fen).expect_err(fen);
        assert_eq!(error.to_string(), message, "{fen}");
    }
}

#[test]
fn missing_fields_take_their_usual_values() {
    for fen in ["Q2/3/2q", "Q2/3/2q w", "Q2/3/2q w -", "Q2/3/2q w - -", "Q2/3/2q w - - 0", " Q2/3/2q  w - - 0 1 "] {
        assert_eq!(amazons(fen).fen(), "Q2/3/2q w - - 0 1");
    }
    assert_eq!(amazons("Q2/3/2q b - - 3 9").fen(), "Q2/3/2q b - - 3 9");
}

#[test]
fn bad_turns_are_refused_with_the_reason() {
    let position = amazons(variant::DEFAULT.start());
    for (text, message) in [
        ("", "'' is not a move: a square is expected at character 1"),
        ("d1", "'d1' is not a move: a square is expected at character 3"),
        ("d1d7", "'d1d7' is not a move: the square it fires at is expected at character 5"),
        ("d1d7,d6g7", "'d1d7,d6g7' is not a move: it moves to d7 but fires from d6"),
        ("d1d7,d7g7x", "'d1d7,d7g7x' is not a move: nothing is expected from character 10 on"),
        ("d1-d7(g7", "'d1-d7(g7' is not a move: nothing is expected from character 6 on"),
        ("D1–D11/D7", "illegal move 'D1–D11/D7': d11 is not on the board"),
        ("d1d11,d11d7", "illegal move 'd1d11,d11d7': d11 is not on the board"),
        ("d2d7,d7g7", "illegal move 'd2d7,d7g7': white is to move and has no amazon on d2"),
        ("d10d7,d7g7", "illegal move 'd10d7,d7g7': white is to move and has no amazon on d10"),
        ("d1e3,e3e4", "illegal move 'd1e3,e3e4': the amazon on d1 cannot move to e3"),
        ("d1d7,d7e9", "illegal move 'd1d7,d7e9': the amazon cannot fire from d7 to e9"),
        ("0000", "'0000' is not a move: a square is expected at character 1"),
    ] {
        let error: TurnError = position.parse_turn(text).expect_err(text);
        assert_eq!(error.to_string(), message);
    }
}

proptest::proptest! {
    #[test]
    fn garbage_never_panics(text in "\\PC*", near in "[a-k0-9Qq*/w b,()-]{0,40}") {
        let position = amazons(variant::DEFAULT.start());
        for text in [&text, &near] {
            let _ = Amazons::from_fen(variant::DEFAULT, text);
            if let Ok(turn) = position.parse_turn(text) {
                proptest::prop_assert!(legal_turns(&position).contains(&turn));
            }
        }
    }
}
