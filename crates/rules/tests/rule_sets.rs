//! Rule sets of one's own in great numbers. By itself, as the memory of the process is measured.

use hippolyta_rules::board::{MAX_SIDE, MIN_SIDE, Reach};
use hippolyta_rules::games::Board;
use hippolyta_rules::games::general::{RuleSet, Rules, Stuck};

fn set(number: u32) -> RuleSet {
    let bound = |number: u32| (number % 10 + 1) as u8;
    let (width, height) =
        [number, number / 9].map(|number| MIN_SIDE + number as usize % (MAX_SIDE - MIN_SIDE + 1)).into();
    let moves = Reach::ROOK.within(bound(number)).and(Reach::BISHOP.within(bound(number / 10)));
    let rules = Rules { moves: [moves; 2], fires: [moves.and(Reach::KNIGHT); 2], ..Rules::AMAZONS };
    let middle = format!("{width}/").repeat(height - 2);
    let start = format!("q{}/{middle}{}Q w - - 0 {}", width - 1, width - 1, number + 1);
    RuleSet { name: format!("a{number}"), title: number.to_string(), description: "words".repeat(100), start, rules }
}

/// Pages of memory that this process has.
#[cfg(target_os = "linux")]
fn pages() -> usize {
    std::fs::read_to_string("/proc/self/statm").unwrap().split(' ').nth(1).unwrap().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn rule_sets_without_end_need_no_more_memory() {
    let meet = |numbers: std::ops::Range<u32>| {
        for number in numbers {
            let set = set(number);
            assert_eq!(set.check(), Ok(()));
            assert_eq!(Board::new(&set.variant()).variant().own(), Some(&set));
        }
    };
    // All boards and nearly all reaches, whose tables stay.
    meet(0..5_000);
    let before = pages();
    meet(5_000..30_000);
    // To keep them took 6,000 of 4 kB.
    let more = pages().saturating_sub(before);
    assert!(more < 3_000, "{more} pages");
}

#[test]
fn words_for_people_make_no_other_rule_set() {
    let (one, other) = (set(7).variant(), RuleSet { title: "Other".to_owned(), ..set(7) }.variant());
    assert_eq!(one, other);
    assert_eq!(Board::new(&one), Board::new(&other));
    for different in [
        RuleSet { name: "b".to_owned(), ..set(7) },
        RuleSet { start: set(8).start, ..set(7) },
        RuleSet { rules: Rules { stuck: Stuck::Wins, ..set(7).rules }, ..set(7) },
    ] {
        assert_ne!(different.variant(), one);
    }
}
