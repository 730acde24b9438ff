//! Games of Fairy-Stockfish by `variants.ini`: `walls.py` made them.

use super::{file, sorted_turns};
use hippolyta_rules::games::general::General;
use hippolyta_rules::games::{Game, Notation, Outcome, Position, Side};
use serde_json::Value;

/// The 64-bit FNV-1a hash, continued from a number.
fn fnv1a(number: u64, text: &str) -> u64 {
    text.bytes().fold(number, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn games_have_the_legal_turns_and_ends_that_fairy_stockfish_says() {
    let sets = file("walls.ini");
    let rows = include_str!("walls.jsonl").lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut checked = 0;
    for (set, row) in sets.iter().zip(rows) {
        assert_eq!(row["set"], set.name.as_str());
        for (number, game) in row["games"].as_array().unwrap().iter().enumerate() {
            let mut played = Game::new(General::from_fen(&set.variant(), &set.start).unwrap());
            let mut hash = fnv1a(0xcbf2_9ce4_8422_2325, &format!("{} {number}", set.name));
            loop {
                let turns = sorted_turns(played.current());
                if turns.is_empty() {
                    break;
                }
                hash = fnv1a(hash, &turns.join(" "));
                played.play_text(&turns[(hash % turns.len() as u64) as usize]).unwrap();
            }
            let winner = match played.current().outcome() {
                Some(Outcome::Win(Side::White)) => "w",
                Some(Outcome::Win(Side::Black)) => "b",
                _ => "draw",
            };
            let found = serde_json::json!([played.turns().len(), format!("{hash:016x}"), winner]);
            assert_eq!(*game, found, "{} game {number}: {}", set.name, played.current().fen());
            checked += 1;
        }
    }
    assert_eq!((sets.len(), checked), (28, 1_400));
}
