//! Rule sets from files: against the built-in families, against other programs, and against a slow twin.

mod axes;
mod built_in;
#[path = "../../../../tests/common/naive_rules.rs"]
#[allow(dead_code, reason = "what the tests of the engine need besides")]
mod naive_rules;
mod vectors;

use hippolyta_rules as library;
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

#[test]
fn a_line_says_all_of_a_rule_set() {
    let mut sets: Vec<_> = ["axes.toml", "built-in.toml", "walls.ini"].into_iter().flat_map(file).collect();
    let words = ["It's", "a 'b' \"c\" \\d", "two\nlines\u{7}", "ünï"];
    sets.extend(words.map(|text| RuleSet { title: text.to_owned(), description: text.repeat(3), ..sets[0].clone() }));
    for set in sets {
        let variant = set.variant();
        let own = variant.own().unwrap();
        let line = own.line();
        assert!(!line.contains(char::is_control), "{line}");
        let read = RulesFile::parse("line", &line).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(&read.sets[..], std::slice::from_ref(own), "{line}");
        assert_eq!(read.sets[0].variant(), variant);
    }
}
