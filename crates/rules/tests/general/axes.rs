//! Games that nobody has built in, against the twin.

use super::naive_rules::RulesGrid;
use super::{file, sorted_turns};
use hippolyta_rules::games::general::{General, RuleSet, RulesFile};
use hippolyta_rules::games::{
    Board, Fen, Game, MoveFireStep, Notation, Outcome, Position, Side, Step, Symmetry, perft,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;

fn three_fields(position: &General) -> String {
    position.fen().split(' ').take(3).collect::<Vec<_>>().join(" ")
}

/// A position of a random game: turns, outcome and counts.
fn compare(set: &RuleSet, position: &General, twin: &RulesGrid) -> Vec<(String, RulesGrid)> {
    let place = || format!("{}: {}", set.name, position.fen());
    assert_eq!(three_fields(position), twin.fen(), "{}", place());
    let mut turns = twin.turns();
    turns.sort_by(|one, other| one.0.cmp(&other.0));
    let outcome = twin.outcome(!turns.is_empty());
    assert_eq!(position.outcome(), outcome, "{}", place());
    if outcome.is_some() {
        turns.clear();
    }
    let names: Vec<_> = turns.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(sorted_turns(position), names, "{}", place());
    assert_eq!(position.count_turns(1), turns.len() as u64, "{}", place());
    assert_eq!(position.key(), position.key_from_scratch(), "{}", place());
    assert_eq!(position.steps().len(), position.count_steps(), "{}", place());
    assert!(position.steps().iter().all(|&step| MoveFireStep::from_code(step.code()) == step));
    turns
}

#[test]
fn random_games_agree_with_the_twin() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(48);
    for set in file("axes.toml") {
        let (mut outcomes, mut keys) = (HashSet::new(), HashSet::new());
        for _ in 0..50 {
            let mut game = Game::new(General::from_fen(&set.variant(), &set.start).unwrap());
            let mut twin = RulesGrid::new(set.rules, &set.start);
            loop {
                let turns = compare(&set, game.current(), &twin);
                keys.insert(game.current().key());
                if turns.is_empty() {
                    outcomes.extend(game.current().outcome());
                    break;
                }
                if turns.len() < 60 {
                    let replies = |(_, after): &(String, RulesGrid)| {
                        let turns = after.turns();
                        if after.outcome(!turns.is_empty()).is_some() { 0 } else { turns.len() as u64 }
                    };
                    let replies: u64 = turns.iter().map(replies).sum();
                    assert_eq!(perft(game.current(), 2).nodes, replies, "{} {}", set.name, game.current().fen());
                }
                for (name, after) in turns.iter().step_by(1 + turns.len() / 5) {
                    let mut tried = Game::new(*game.current());
                    tried.play_text(name).unwrap();
                    assert_eq!(three_fields(tried.current()), after.fen(), "{}: {name}", set.name);
                }
                let (name, after) = turns[random.random_range(0..turns.len())].clone();
                game.play_text(&name).unwrap();
                twin = after;
            }
        }
        // Games differ, and end as they can.
        assert!(keys.len() > 100 && !outcomes.is_empty(), "{}: {}", set.name, keys.len());
        assert!(set.rules.can_be_drawn() || !outcomes.contains(&Outcome::Draw), "{}", set.name);
    }
}

/// Each square that a turn must not fire at is told apart.
#[test]
fn turns_that_break_a_rule_are_refused_by_its_name() {
    let sets = file("axes.toml");
    for (name, turn, reason) in [
        ("inside", "a1a2,a2a1", "a shot over empty squares may not land on the rim, where a1 is"),
        ("inside", "a1a2,a2b7", "b7 is not on the board"),
        ("inside", "a1a2,a2a2", "the amazon cannot fire from a2 to a2"),
        ("rim-behind", "b2c3,c3d4", "the amazon cannot fire from c3 to d4"),
        ("rim-behind", "a1a2,a2a1", "a shot over empty squares may not land on the rim, where a1 is"),
        ("rook-flips", "a5a4,a4a3", "black is to move and has no amazon on a5"),
        ("rook-flips", "a6b6,b6b5", "this turn, the first of the game, is a move without fire"),
        ("isolation", "c1c2,c2c1", "no fire of this side may land on c1, which is protected"),
        ("isolation", "c1c2,c2c4", "the amazon cannot fire from c2 to c4"),
        ("either", "a1a2,a2a3", "a turn of this game moves or fires, and not both"),
        ("either", "a1a1,a1d2", "the amazon cannot fire from a1 to d2"),
        ("either", "a1a1", "the amazon on a1 cannot move to a1"),
        ("either-lines", "a4a4,a4a3", "this turn, the first of the game, is a move without fire"),
        ("edge", "e1d2,d2d4", "the amazon cannot fire from d2 to d4"),
        ("protected-lines", "e1d3,d3b2", "no fire of this side may land on b2, which is protected"),
        ("knights-own", "a1a2,a2b4", "the amazon on a1 cannot move to a2"),
    ] {
        let set = sets.iter().find(|set| set.name == name).unwrap();
        let start = General::from_fen(&set.variant(), &set.start).unwrap();
        assert_eq!(
            start.parse_turn(turn).unwrap_err().to_string(),
            format!("illegal move '{turn}': {reason}"),
            "{name}"
        );
    }
    let hold = sets.iter().find(|set| set.name == "may-hold").unwrap();
    let start = General::from_fen(&hold.variant(), &hold.start).unwrap();
    let turn = start.parse_turn("d1d2").unwrap();
    assert_eq!((turn.len(), start.turn_text(&turn)), (2, "d1d2".to_owned()));
}

#[test]
fn eighty_turns_without_fire_are_a_draw() {
    let sets = file("axes.toml");
    let set = sets.iter().find(|set| set.name == "may-hold").unwrap();
    let mut game = Game::new(General::from_fen(&set.variant(), "q3/4/4/3Q w - - 78 40").unwrap());
    game.play_text("d1d2").unwrap();
    assert_eq!(game.current().outcome(), None);
    game.play_text("a4a3").unwrap();
    assert_eq!(game.current().outcome(), Some(Outcome::Draw));
    assert_eq!(game.current().ending(), Some(hippolyta_rules::games::Ending::Quiet));
    assert!(game.current().parse_turn("d2d1").unwrap_err().to_string().ends_with("the game is over"));
    game.take_back();
    game.play_text("a4a3,a3b3").unwrap();
    assert_eq!((game.current().outcome(), game.current().quiet()), (None, 0));
    assert!(!game.current().forgets_history());
}

#[test]
fn a_stuck_side_passes_until_the_other_one_is_stuck_as_well() {
    let set = file("axes.toml").into_iter().find(|set| set.name == "fish").unwrap();
    let mut game = Game::new(General::from_fen(&set.variant(), "2q/***/Q*Q w - - 0 1").unwrap());
    assert_eq!(perft(game.current(), 4).nodes, 2);
    let refused = game.current().parse_turn("a1a2,a2a1").unwrap_err().to_string();
    assert_eq!(refused, "illegal move 'a1a2,a2a1': this side is stuck and passes, which is written a1a1");
    let text = |game: &Game<General>, turn: &str| game.current().turn_text(&game.current().parse_turn(turn).unwrap());
    assert_eq!((sorted_turns(game.current()), text(&game, "c1c1")), (vec!["a1a1".to_owned()], "a1a1".to_owned()));
    for turn in ["a1a1", "c3a3,a3c3", "a1a1", "a3b3,b3a3"] {
        assert_eq!((game.current().outcome(), game.current().ending()), (None, None));
        game.play_text(turn).unwrap();
    }
    assert_eq!(game.current().fen(), "sqs/***/Q*Q w - - 0 3");
    assert_eq!(game.current().outcome(), Some(Outcome::Win(Side::Black)));
    assert!(game.current().parse_turn("a1a1").is_err());
}

/// The images of all turns are the turns of the image, so positions may be merged with their images.
#[test]
fn every_game_keeps_its_symmetries() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(49);
    let mut fewer = Vec::new();
    for set in file("axes.toml") {
        let mut board = Board::new(&set.variant());
        let symmetries = set.variant().symmetries(board.size());
        if symmetries != Symmetry::ALL {
            fewer.push((set.name.clone(), symmetries.len()));
        }
        for _ in 0..12 {
            let turns = board.legal_turns().all();
            if turns.is_empty() {
                break;
            }
            let fen: Fen = board.fen().parse().unwrap();
            for &symmetry in &symmetries {
                let image = Board::from_fen(&set.variant(), &fen.image(symmetry).to_string()).unwrap();
                // A fire instead of a move may be one of another piece there, which comes first.
                let moved = turns.iter().map(|turn| {
                    let turn = symmetry.turn(turn, board.size()).unwrap();
                    image.read(&turn.to_string()).unwrap()
                });
                let found: HashSet<_> = image.legal_turns().all().into_iter().collect();
                assert_eq!(found, moved.collect(), "{} {symmetry:?} {}", set.name, board.fen());
            }
            let turn = turns[random.random_range(0..turns.len())].clone();
            board.play_turn(&turn).unwrap();
        }
        assert!(board.turns().len() > 1, "{}", set.name);
    }
    // Where squares are protected, no more than these are kept.
    let expected =
        [("isolation", 4), ("protected-runs", 1), ("protected-behind", 1), ("protected-lines", 2), ("either-lines", 1)]
            .map(|(name, kept)| (name.to_owned(), kept));
    assert_eq!(fewer, expected);
    // The start of a game is its own image, but its rules are not.
    let set = RulesFile::parse("a.toml", "[a]\nstart = \"1q1/3/1Q1\"\nprotect = \"a2\"\n").unwrap().sets.remove(0);
    assert_eq!(Board::new(&set.variant()).symmetries(), []);
}

proptest::proptest! {
    #[test]
    fn garbage_never_panics(
        text in "\\PC*",
        key in "title|like|start|moves|fires|fire-at|leaves|flips|flip-leaves|passes|stuck|equal|rim-barred|protect|move-or-fire",
        value in "[\"\\[]{0,2}[QRBKNqsS*/0-9 a-zé-]{0,24}[\"\\]]{0,2}",
        ini in "(\\[[a-z:]{0,8}\\]?\n)?(customPiece1|startFen|maxRank|maxFile|wallingRule|wallingRegion|wallOrMove) ?=[ a-zA-Z0-9:/*é]{0,20}\n",
    ) {
        for (name, text) in [
            ("a.toml", text.clone()),
            ("a.ini", text),
            ("a.toml", format!("[a]\n{key} = {value}\n")),
            ("a.toml", format!("[a]\n{key} = \"{value}\"\n")),
            ("a.ini", format!("[a:amazons]\n{ini}")),
            ("a.ini", ini),
        ] {
            if let Ok(read) = RulesFile::parse(name, &text) {
                proptest::prop_assert!(read.sets.iter().all(|set| set.check().is_ok()));
            }
        }
    }
}
