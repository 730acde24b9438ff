//! Laws that hold in every position of every game.

use hippolyta::games::variant::Variant;
use hippolyta::games::{Notation, Step, legal_turns};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Checks a position at the start of a turn; how many turns it has.
pub fn check_position<P: Notation>(variant: &Variant, position: &P) -> usize {
    let fen = position.fen();
    let again = P::from_fen(variant, &fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert_eq!(again.fen(), fen);
    // A FEN does not say what was played before.
    if position.forgets_history() {
        assert_eq!(again.key(), position.key(), "{fen}");
        assert_eq!(again.outcome(), position.outcome(), "{fen}");
    }
    assert!(position.at_turn_start());
    assert_eq!(position.steps(), position.steps());
    let turns = legal_turns(position);
    assert_eq!(position.outcome().is_some(), turns.is_empty(), "{fen}");
    assert_eq!(position.count_turns(0), 1);
    assert_eq!(position.count_turns(1), turns.len() as u64, "{fen}");
    let (mut replies, mut texts) = (0, HashSet::new());
    for turn in &turns {
        let text = position.turn_text(turn);
        assert_eq!(position.parse_turn(&text).as_ref(), Ok(turn), "{fen}: {text}");
        assert!(texts.insert(text.clone()), "{fen}: {text} twice");
        let mut after = position.clone();
        for (index, &step) in turn.iter().enumerate() {
            assert_eq!(P::Step::from_code(step.code()), step);
            assert_eq!((after.at_turn_start(), after.side_to_move()), (index == 0, position.side_to_move()));
            assert_eq!(after.ends_turn(step), index + 1 == turn.len(), "{fen}: {text}");
            let mut tried = after.clone();
            assert!(tried.try_play(step).is_ok(), "{fen}: {text}");
            after.play(step);
            assert_eq!(tried.key(), after.key());
        }
        assert!(after.at_turn_start());
        assert_eq!(after.side_to_move(), !position.side_to_move(), "{fen}: {text}");
        replies += after.count_turns(1);
    }
    assert_eq!(position.count_turns(2), replies, "{fen}");
    let mut codes = HashSet::new();
    assert!(position.steps().into_iter().all(|step| codes.insert(step.code())), "{fen}: two steps have one code");
    let mut seen = 0;
    let ended = position.for_each_step(|_| {
        seen += 1;
        if seen == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((seen, ended.is_break()), (codes.len().min(2), codes.len() >= 2), "{fen}");
    turns.len()
}
