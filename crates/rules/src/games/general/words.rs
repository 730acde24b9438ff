//! The rules in English.

use super::line::squares;
use super::{FireAt, Flips, General, Leaves, QUIET_LIMIT, RuleSet, Rules, Stuck, Tie, Turns};
use crate::board::Reach;
use crate::games::{Notation, Outcome, Side};

impl Leaves {
    /// The arrow or stone that a fire leaves, as part of a sentence.
    fn words(self) -> &'static str {
        match self {
            Self::Arrow => "an arrow, which closes the square for good",
            Self::Neutral => "a neutral stone, which closes the square for good",
            Self::Own => "a stone of the side that fires",
        }
    }
}

impl RuleSet {
    /// The rules in English, a sentence each, and what they and the start decide whatever is played.
    ///
    /// ```
    /// use hippolyta_rules::games::general::{RuleSet, Rules};
    ///
    /// let (name, start) = ("passing".to_owned(), "q2/3/2Q".to_owned());
    /// let rules = Rules { passes_pieces: true, ..Rules::AMAZONS };
    /// let set = RuleSet { name, title: String::new(), description: String::new(), start, rules };
    /// assert_eq!(set.sentences().last().unwrap(), "As each side has one piece, there is none to move over.");
    /// ```
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut all = self.rules.sentences();
        let Ok(start) = General::from_fen(&self.variant(), &self.start) else { return all };
        if self.rules.passes_pieces && [Side::White, Side::Black].iter().all(|&side| start.amazons(side).count() == 1) {
            all.push("As each side has one piece, there is none to move over.".to_owned());
        }
        if let Some(result) = start.settled().filter(|_| self.rules.stuck != Stuck::Draws) {
            let result = match result {
                Outcome::Win(side) => format!("{side} wins every game"),
                Outcome::Draw => "every game is a draw".to_owned(),
            };
            all.push(format!("No stone is ever added or changes sides, so {result}."));
        }
        all
    }
}

/// How pieces go: as the same, or White's and Black's each as their own.
fn of_both([white, black]: [Reach; 2]) -> String {
    match (white.words(), black.words()) {
        (white, black) if white == black => format!(" as {white}"),
        (white, black) => format!(", White's as {white} and Black's as {black},"),
    }
}

impl Rules {
    /// The rules in English, a sentence each.
    ///
    /// ```
    /// use hippolyta_rules::games::general::{Rules, Stuck};
    ///
    /// let sentences = Rules { stuck: Stuck::Wins, ..Rules::AMAZONS }.sentences();
    /// assert_eq!(sentences[0], "A turn moves a piece as a queen over empty squares.");
    /// assert_eq!(sentences.last().unwrap(), "A side that has no complete turn wins.");
    /// ```
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut all = vec![self.moving(), self.firing()];
        let fires = if matches!(self.flips, Flips::Run(_)) { "Such a fire" } else { "A fire" };
        all.push(format!("{fires} leaves {}.", self.plain.words()));
        if self.rim_barred {
            all.push(format!("{fires} may not land on the rim of the board."));
        }
        match self.flips {
            Flips::None => {}
            Flips::Run(leaves) => {
                let rim = if self.rim_barred { ", also on the rim" } else { "" };
                let leaves = leaves.words();
                let (who, lines) = match self.fires.map(Reach::long_lines) {
                    [Some(white), Some(black)] => ("the piece", [white, black]),
                    [Some(white), None] => ("a piece of White's", [white; 2]),
                    [None, Some(black)] => ("a piece of Black's", [black; 2]),
                    [None, None] => ("the piece", self.fires),
                };
                let along = if lines == [Reach::QUEEN; 2] { String::new() } else { of_both(lines) };
                let is_bounded = lines.iter().any(|lines| !lines.is_unbounded());
                let counted = if is_bounded { ", the stones being counted" } else { "" };
                all.push(format!(
                    "Instead, {who} may fire{along} over an unbroken run of enemy stones next to it, at the empty \
                     square behind them{counted}{rim}: the stones change sides, and the fire leaves {leaves}."
                ));
            }
            Flips::Lines => all.push(
                "As in Othello, every unbroken run of enemy stones between the square of the fire and an own stone or \
                 piece changes sides."
                    .to_owned(),
            ),
        }
        let [white, black] = self.protected;
        for (whose, set) in [("", white & black), (" of White", white & !black), (" of Black", black & !white)] {
            if !set.is_empty() {
                all.push(format!("No fire{whose} may land on {}.", squares(set).join(", ")));
            }
        }
        let quiet = format!("game that is not over after {QUIET_LIMIT} turns in a row without fire is a draw.");
        match self.turns {
            Turns::MoveAndFire => {}
            Turns::FireOptional => all.push(format!("A turn need not fire, but a {quiet}")),
            Turns::MoveOrFire => all.push(format!("A {quiet}")),
        }
        if self.moves_first {
            let counted = if self.may_hold() { ", which does not count among these" } else { "" };
            all.push(format!("The first turn of the game is a move without fire{counted}."));
        }
        all.push(self.ending());
        all
    }

    fn moving(&self) -> String {
        let over = match (self.passes_pieces, self.passes_stones) {
            (false, false) => "",
            (true, false) => ", and over pieces of its side",
            (false, true) => ", and over stones of its side",
            (true, true) => ", and over pieces and stones of its side",
        };
        let bounded = !over.is_empty() && self.moves.iter().any(|moves| !moves.is_unbounded());
        let counted = if bounded { ", which count for how far it goes" } else { "" };
        let or = if self.turns == Turns::MoveOrFire { ", or fires instead of moving" } else { "" };
        format!("A turn moves a piece{} over empty squares{over}{counted}{or}.", of_both(self.moves))
    }

    fn firing(&self) -> String {
        let who = if self.turns == Turns::MoveOrFire { "A piece" } else { "Then the piece" };
        match self.fire_at {
            FireAt::Reach => format!(
                "{who} fires from where it stands,{} over empty squares, at an empty one.",
                of_both(self.fires).trim_start_matches(',')
            ),
            FireAt::Left => format!("{who} fires at the square that it left."),
            FireAt::Anywhere => format!("{who} fires at any empty square."),
            FireAt::Edge => format!(
                "{who} fires at any empty square on the rim of the board, or beside one where an arrow, a stone or a \
                 hole is, along a rank or file."
            ),
        }
    }

    fn ending(&self) -> String {
        let stuck = "A side that has no complete turn";
        let (which, tie) = match self.stuck {
            Stuck::Loses => return format!("{stuck} loses."),
            Stuck::Wins => return format!("{stuck} wins."),
            Stuck::Draws => return format!("{stuck} ends the game in a draw, so nobody can win."),
            Stuck::MostStones(tie) => ("more", tie),
            Stuck::FewestStones(tie) => ("fewer", tie),
        };
        let equal = match tie {
            Tie::Draw => "as many are a draw".to_owned(),
            Tie::For(side) => format!("as many are a win for {side}"),
        };
        let ends = if self.stuck_passes { "passes. When neither side has one, the game ends" } else { "ends the game" };
        format!("{stuck} {ends}, and whoever has {which} stones wins; {equal}.")
    }
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use crate::games::general::RulesFile;

    #[test]
    fn what_bounds_count_and_what_the_start_decides_is_said() {
        let says = |keys: &str, sentence: &str| {
            let set = RulesFile::line(&format!("[a]\n{keys}\n")).unwrap();
            let all = set.sentences().join(" ");
            assert!(all.contains(sentence), "{keys}: {all}");
        };
        let run = "leaves = 'own'\nflips = 'run'";
        says(
            run,
            "Instead, the piece may fire over an unbroken run of enemy stones next to it, at the empty square behind \
                   them: ",
        );
        says(
            &format!("{run}\nfires = 'R3K'"),
            "Instead, the piece may fire as a rook that goes 3 squares at most over an unbroken run of enemy stones next \
             to it, at the empty square behind them, the stones being counted: ",
        );
        says(&format!("{run}\nfires = 'BN'"), "the piece may fire as a bishop over an unbroken run");
        says(&format!("{run}\nblack-fires = 'N'"), "a piece of White's may fire over an unbroken run");
        says(&format!("{run}\nfires = 'K'\nblack-fires = 'B'"), "of Black's may fire as a bishop over an unbroken run");
        says("moves = 'Q3'\npasses = ['pieces']", "pieces of its side, which count for how far it goes.");
        says("passes = ['pieces']\nstart = 'q2/3/2Q'", "As each side has one piece, there is none to move over.");
        says(
            "moves = 'R'\nblack-moves = 'N'\nblack-fires = 'K'",
            "A turn moves a piece, White's as a rook and Black's as a knight, over empty squares. Then the piece fires \
             from where it stands, White's as a queen and Black's as a king, over empty squares, at an empty one.",
        );
        says(
            "protect = 'd1 c2'\nprotect-from-black = 'e9 d1'",
            "No fire may land on d1, c2. No fire of Black may land on e9. A side",
        );
        says(
            "move-or-fire = true\nfire-at = 'edge'",
            "A turn moves a piece as a queen over empty squares, or fires instead of moving. A piece fires at any empty \
             square on the rim of the board, or beside one where an arrow, a stone or a hole is, along a rank or file. A \
             fire leaves an arrow, which closes the square for good. A game that is not over after 80 turns in a row \
             without fire is a draw.",
        );
        says(
            "leaves = 'own'\nstuck = 'most-stones'\nstuck-passes = true",
            "A side that has no complete turn passes. When neither side has one, the game ends, and whoever has more \
             stones wins; as many are a draw.",
        );
        says("stuck = 'draws'", "ends the game in a draw, so nobody can win.");
        let counted = "start = 'q2/sS1/s1Q'\npasses = ['stones']\nstuck";
        says(
            &format!("{counted} = 'most-stones'"),
            "No stone is ever added or changes sides, so black wins every game.",
        );
        says(&format!("{counted} = 'fewest-stones'"), "so white wins every game.");
        says(
            "fire-optional = true\nfirst-turn-fires = false",
            "a game that is not over after 80 turns in a row without fire is a draw. The first turn of the game is a move \
             without fire, which does not count among these.",
        );
    }
}
