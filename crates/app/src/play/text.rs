//! Texts of `help` and `rules`.

use super::status::wrapped;
use hippolyta::games::move_fire::{Flips, Leaves, Rules};
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
  end              ends a game that is decided, with the count as its result
  fill [SECONDS]   plays a game that is decided to its end, with such pauses
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
pub(super) fn rules(variant: &Variant) -> Vec<String> {
    let (text, more) = match (variant.family(), variant.own()) {
        (_, Some(own)) => ("", own.sentences().join(" ")),
        (Family::Amazons | Family::General(_), None) => (AMAZONS, String::new()),
        (Family::Desdemona(rules), None) => (DESDEMONA, shots(rules)),
        (Family::Damone(rules), None) if rules.needs_damone => {
            (DAMONE, "Whoever has no damone left has lost.".to_owned())
        }
        (Family::Damone(_), None) => (DAMONE, String::new()),
    };
    let more = wrapped(&more, 80).into_iter().filter(|line| !line.is_empty());
    text.lines().map(str::to_owned).chain(more).collect()
}

/// The stones that shots leave and flip, in words.
fn shots(rules: &Rules) -> String {
    let stone = |leaves| if leaves == Leaves::Own { "an own stone" } else { "a stone of nobody" };
    let rim = if rules.rim_barred { ", and not on the rim" } else { "" };
    let steps = if rules.passes_stones { " Amazons step over own pieces." } else { "" };
    let flips = match rules.flips {
        Flips::None => String::new(),
        Flips::Lines => ". It flips enemy stones between it and another own stone or amazon, as in Othello.".to_owned(),
        Flips::Run(leaves) => {
            let leaves = if leaves == rules.plain { String::new() } else { format!(" and leaves {}", stone(leaves)) };
            let rim = if rules.rim_barred { ", also on the rim" } else { "" };
            format!(". A shot over a run of enemy stones, onto the empty square behind it, flips them{leaves}{rim}.")
        }
    };
    format!("A shot leaves {}{rim}{flips}{steps}", stone(rules.plain))
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
        let of = |name: &str| rules(&hippolyta::games::variant::find(name).unwrap());
        assert!(of("desdemona") != of("cassio") && of("cassio") != of("iago"));
        let same_rules = |one: &Variant, other: &Variant| one.family() == other.family();
        for one in VARIANTS {
            for other in VARIANTS {
                assert_eq!(
                    same_rules(one, other),
                    of(one.name()) == of(other.name()),
                    "{} {}",
                    one.name(),
                    other.name()
                );
            }
        }
    }
}
