//! What `help` and `rules` say.

use hippolyta::games::variant::{Family, Variant};

/// The commands, each with what it does.
pub(super) const HELP: &str = "\
A turn: from, to, fire, as d1d7,d7g7, d1-d7/g7 or d1 d7 g7; in Damone every
square that the piece stands on, as h5g6 or c2e4g6. Or type one square of it:
the next ones are shown. An empty line takes a square back, cancel all of them.
  hint             the engine's best turn, and what it expects
  eval             what the position is worth, without a search
  moves [SQUARES]  the legal turns that begin so
  undo [N]         takes your last turn back; also back, take back
  resign           ends the game
  new [RULES]      a new game; rules by name, as new iago
  level [N]        how strong the engine plays, from 1 to 9
  side SIDE        yours: white, black, both or none
  swap             changes sides
  go               the engine plays this turn, or goes on with both sides
  save FILE        writes the game: .pgn, .sgf or .jsonl; --force writes over it
  load FILE [N]    reads it, or the game number N of many
  board, flip      shows the board again, or turned round
  fen              the position as text
  rules            the rules in short
  quit             ends; Ctrl-D does so, too. Ctrl-C also stops the engine";

const AMAZONS: &str = "\
The Game of the Amazons. An amazon moves like a queen of chess, then fires an
arrow like a queen from where it stands. The square that the arrow hits is
closed for good. Nobody passes over amazons or arrows, nothing is captured.
Whoever has no turn left loses.";

const DESDEMONA: &str = "\
Amazons move like a queen of chess, then fire like a queen. White's first turn
is a move without fire. The game ends when the side to move has no whole turn;
then most stones win.";

const DAMONE: &str = "\
Italian Damone, on the dark squares. White begins in the corner h1, Black in
a8. Pieces step to a neighbouring square: a pedina not towards its own corner,
dama and damone in all four directions. They capture by jumping over a piece
of the same or a lower rank, and on if they can. To capture is compulsory, and
so is the best capture: most pieces, then the highest rank that captures. A
pedina becomes a dama on the squares where the enemy's dame began, a dama a
damone in the enemy's corner. Whoever has no turn left loses. A position for
the third time is a draw, and so are 80 turns without progress.";

/// The rules in short.
pub(super) fn rules(variant: &'static Variant) -> Vec<String> {
    let text = match variant.family {
        Family::Amazons => AMAZONS,
        Family::Desdemona(_) => DESDEMONA,
        Family::Damone(_) => DAMONE,
    };
    let more = match variant.name {
        "desdemona" => {
            "A shot leaves a stone of nobody, and not on the rim. A shot over a run of enemy\nstones, onto the empty square behind it, flips them and leaves an own stone."
        }
        "cassio" => {
            "A shot leaves a stone of nobody. A shot over a run of enemy stones, onto the\nempty square behind it, flips them."
        }
        "iago" => {
            "A shot leaves an own stone, which flips enemy stones between it and another own\nstone or amazon, as in Othello. Amazons step over own pieces."
        }
        "desdemona-early" | "cassio-site" => {
            "A shot leaves an own stone. A shot over a run of enemy stones, onto the empty\nsquare behind it, flips them and leaves a stone of nobody."
        }
        "desdemona-early-border" | "desdemona-site" => {
            "A shot leaves an own stone, and not on the rim. A shot over a run of enemy\nstones, onto the empty square behind it, flips them, also on the rim."
        }
        "damone-imperatore" => "Whoever has no damone left has lost.",
        _ => "",
    };
    text.lines().chain(more.lines()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::games::variant::VARIANTS;

    #[test]
    fn help_and_rules_fit_a_terminal() {
        let lines: Vec<_> = HELP.lines().map(str::to_owned).collect();
        for lines in VARIANTS.iter().map(rules).chain([lines]) {
            assert!(lines.len() <= 22, "{}", lines.len());
            assert!(lines.iter().all(|line| line.len() <= 80), "{lines:#?}");
        }
        // Those of each rule set of Desdemona's family differ as their rules do.
        let of = |name: &str| rules(hippolyta::games::variant::find(name).unwrap());
        assert!(of("desdemona") != of("cassio") && of("cassio") != of("iago"));
        let same_rules = |one: &Variant, other: &Variant| one.family == other.family;
        for one in VARIANTS {
            for other in VARIANTS {
                assert_eq!(same_rules(one, other), of(one.name) == of(other.name), "{} {}", one.name, other.name);
            }
        }
    }
}
