//! A rule set as one line of TOML: what goes into the heads of records.

use super::{FireAt, Flips, Leaves, RuleSet, Rules, Stuck, Tie, Turns};
use crate::board::Bitboard;
use crate::games::Side;
use std::fmt::Write as _;

impl RuleSet {
    /// The rule set as a file of one line, which says all that is not as in the Amazons, and nothing by `like`.
    ///
    /// ```
    /// use hippolyta_rules::board::Reach;
    /// use hippolyta_rules::games::general::{RuleSet, Rules};
    ///
    /// let knights = RuleSet {
    ///     name: "knights".to_owned(),
    ///     title: "Knight Amazons".to_owned(),
    ///     description: String::new(),
    ///     start: "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1".to_owned(),
    ///     rules: Rules { moves: [Reach::KNIGHT; 2], ..Rules::AMAZONS },
    /// };
    /// assert_eq!(
    ///     knights.line(),
    ///     "knights = { title = 'Knight Amazons', start = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1', moves = 'N' }"
    /// );
    /// ```
    #[must_use]
    pub fn line(&self) -> String {
        let mut keys = Vec::new();
        if !self.title.is_empty() && self.title != self.name {
            keys.push(("title", quoted(&self.title)));
        }
        if !self.description.is_empty() {
            keys.push(("description", quoted(&self.description)));
        }
        keys.push(("start", quoted(&self.start)));
        keys.extend(self.rules.keys());
        format!("{} = {{ {} }}", self.name, joined(keys))
    }
}

impl Rules {
    /// The rules as keys of a file, on one line: all that is not as in the Amazons. Equal rules have equal texts.
    ///
    /// ```
    /// use hippolyta_rules::board::Reach;
    /// use hippolyta_rules::games::general::{Rules, Stuck};
    ///
    /// let rules = Rules { moves: [Reach::KNIGHT; 2], stuck: Stuck::Wins, ..Rules::AMAZONS };
    /// assert_eq!(rules.text(), "moves = 'N', stuck = 'wins'");
    /// assert_eq!(Rules::AMAZONS.text(), "");
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        joined(self.keys())
    }

    /// The keys that differ from the Amazons', with their values.
    fn keys(&self) -> Vec<(&'static str, String)> {
        let (rules, usual) = (self, Self::AMAZONS);
        let mut keys: Vec<(&str, String)> = Vec::new();
        let mut say = |key, value: String, is_said: bool| {
            if is_said {
                keys.push((key, value));
            }
        };
        for (key, of_black, [white, black], usual) in [
            ("moves", "black-moves", rules.moves, usual.moves[0]),
            ("fires", "black-fires", rules.fires, usual.fires[0]),
        ] {
            say(key, quoted(&white.to_string()), white != usual);
            say(of_black, quoted(&black.to_string()), black != white);
        }
        say("fire-at", quoted(fire_at(rules.fire_at)), rules.fire_at != usual.fire_at);
        say("leaves", quoted(leaves(rules.plain)), rules.plain != usual.plain);
        match rules.flips {
            Flips::None => {}
            Flips::Lines => say("flips", quoted("lines"), true),
            Flips::Run(over) => {
                say("flips", quoted("run"), true);
                say("flip-leaves", quoted(leaves(over)), over != rules.plain);
            }
        }
        say("rim-barred", "true".to_owned(), rules.rim_barred);
        let [white, black] = rules.protected;
        for (key, set) in
            [("protect", white & black), ("protect-from-white", white & !black), ("protect-from-black", black & !white)]
        {
            say(key, quoted(&squares(set).join(" ")), !set.is_empty());
        }
        let passes: Vec<_> = [("pieces", rules.passes_pieces), ("stones", rules.passes_stones)]
            .into_iter()
            .filter(|(_, passes)| *passes)
            .map(|(what, _)| quoted(what))
            .collect();
        say("passes", format!("[{}]", passes.join(", ")), !passes.is_empty());
        say("fire-optional", "true".to_owned(), rules.turns == Turns::FireOptional);
        say("move-or-fire", "true".to_owned(), rules.turns == Turns::MoveOrFire);
        let (stuck, tie) = match rules.stuck {
            Stuck::Loses => ("loses", Tie::Draw),
            Stuck::Wins => ("wins", Tie::Draw),
            Stuck::Draws => ("draws", Tie::Draw),
            Stuck::MostStones(tie) => ("most-stones", tie),
            Stuck::FewestStones(tie) => ("fewest-stones", tie),
        };
        say("stuck", quoted(stuck), rules.stuck != usual.stuck);
        say("stuck-passes", "true".to_owned(), rules.stuck_passes);
        match tie {
            Tie::Draw => {}
            Tie::For(Side::White) => say("equal", quoted("white"), true),
            Tie::For(Side::Black) => say("equal", quoted("black"), true),
        }
        keys
    }
}

fn joined(keys: Vec<(&str, String)>) -> String {
    let keys: Vec<_> = keys.into_iter().map(|(key, value)| format!("{key} = {value}")).collect();
    keys.join(", ")
}

fn fire_at(at: FireAt) -> &'static str {
    match at {
        FireAt::Reach => "target",
        FireAt::Left => "left",
        FireAt::Anywhere => "anywhere",
        FireAt::Edge => "edge",
    }
}

fn leaves(leaves: Leaves) -> &'static str {
    match leaves {
        Leaves::Arrow => "arrow",
        Leaves::Neutral => "neutral",
        Leaves::Own => "own",
    }
}

/// The names of squares.
pub(super) fn squares(set: Bitboard) -> Vec<String> {
    set.into_iter().map(|square| square.to_string()).collect()
}

/// A text of TOML: in single quotes, which records need not escape, unless it needs escapes itself.
fn quoted(text: &str) -> String {
    if !text.contains(|letter: char| letter == '\'' || letter.is_control()) {
        return format!("'{text}'");
    }
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            _ if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(letter));
            }
            _ => quoted.push(letter),
        }
    }
    quoted + "\""
}
