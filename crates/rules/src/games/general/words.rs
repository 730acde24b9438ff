//! The rules in English.

use super::{FireAt, Flips, Leaves, QUIET_LIMIT, Rules, Stuck, Tie};

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
                all.push(format!(
                    "Instead, the piece may fire over an unbroken run of enemy stones next to it, at the empty square \
                     behind them{rim}: the stones change sides, and the fire leaves {leaves}."
                ));
            }
            Flips::Lines => all.push(
                "As in Othello, every unbroken run of enemy stones between the square of the fire and an own stone or \
                 piece changes sides."
                    .to_owned(),
            ),
        }
        if self.may_hold {
            all.push(format!("A turn need not fire, but {QUIET_LIMIT} turns in a row without fire are a draw."));
        }
        if self.moves_first {
            all.push("The first turn of the game is a move without fire.".to_owned());
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
        format!("A turn moves a piece as {} over empty squares{over}.", self.moves.words())
    }

    fn firing(&self) -> String {
        match self.fire_at {
            FireAt::Reach => format!(
                "Then the piece fires from where it stands, as {} over empty squares, at an empty one.",
                self.fires.words()
            ),
            FireAt::Left => "Then the piece fires at the square that it left.".to_owned(),
            FireAt::Anywhere => "Then the piece fires at any empty square.".to_owned(),
        }
    }

    fn ending(&self) -> String {
        let stuck = "A side that has no complete turn";
        let (which, tie) = match self.stuck {
            Stuck::Loses => return format!("{stuck} loses."),
            Stuck::Wins => return format!("{stuck} wins."),
            Stuck::Draws => return format!("{stuck} ends the game in a draw."),
            Stuck::MostStones(tie) => ("more", tie),
            Stuck::FewestStones(tie) => ("fewer", tie),
        };
        let equal = match tie {
            Tie::Draw => "as many are a draw".to_owned(),
            Tie::For(side) => format!("as many are a win for {side}"),
        };
        format!("{stuck} ends the game, and whoever has {which} stones wins; {equal}.")
    }
}
