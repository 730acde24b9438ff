//! Rule sets from files: against the built-in families, against other programs, and against a slow twin.

mod axes;
mod built_in;
mod twin;
mod vectors;

use hippolyta_rules::games::general::{RuleSet, RulesFile};
use hippolyta_rules::games::{Notation, legal_turns};

/// A file beside this one.
fn file(name: &str) -> Vec<RuleSet> {
    let path = format!("{}/tests/general/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let read = RulesFile::parse(name, &text).unwrap_or_else(|error| panic!("{error}"));
    assert!(read.left_out.is_empty(), "{:?}", read.left_out);
    read.sets
}

/// All legal turns as text, sorted.
fn sorted_turns<P: Notation>(position: &P) -> Vec<String> {
    let mut turns: Vec<_> = legal_turns(position).iter().map(|turn| position.turn_text(turn)).collect();
    turns.sort();
    turns
}
