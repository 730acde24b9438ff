//! Lines beside the board: who plays, what is counted, the last turn, and how the game ended, in words.

use super::draw::{Mark, Scene, Width};
use super::game::Game;
use super::look::Look;
use hippolyta::board::Square;
use hippolyta::engine::{Board, Ending, Owner, Territory};
use hippolyta::games::variant::Family;
use hippolyta::games::{Outcome, Piece, Side, Turn};
use std::collections::BTreeMap;

/// `White` or `Black`.
pub(crate) fn name(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

/// `1,432`.
pub(crate) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let group = |(index, digit): (usize, char)| {
        let comma = index > 0 && (digits.len() - index).is_multiple_of(3);
        comma.then_some(',').into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(group).collect()
}

/// `1 stone`, `2 stones`.
pub(super) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// The last turn.
pub(super) struct Last {
    pub side: Side,
    pub turn: Turn,
    /// The squares that it changed beside its own.
    pub changed: Vec<Square>,
    /// Its further effects, as `flips 2 stones`; empty if there are none.
    pub effect: String,
}

impl Last {
    /// `None` if no turn was played.
    pub fn of(board: &Board) -> Option<Self> {
        let (turn, effects) = (board.last_turn()?, board.last_effects()?);
        let mut words = Vec::new();
        if !effects.captured.is_empty() {
            words.push(format!("captures {}", thousands(effects.captured.len())));
        }
        if !effects.flipped.is_empty() {
            words.push(format!("flips {}", counted(effects.flipped.len(), "stone", "stones")));
        }
        words.extend(effects.promoted.map(|piece| format!("becomes a {}", piece.name())));
        let (side, effect) = (!board.side_to_move(), words.join(", "));
        let changed = [effects.captured, effects.flipped].concat();
        Some(Self { side, turn, changed, effect })
    }

    /// `Black plays d10d8,d8g8, flips 2 stones`.
    pub fn words(&self) -> String {
        let comma = if self.effect.is_empty() { "" } else { "; " };
        format!("{} plays {}{comma}{}", name(self.side), self.turn, self.effect)
    }
}

/// The pieces of a side, where it has several kinds.
fn army(board: &Board, side: Side) -> Option<String> {
    if !board.variant().traits().promotes {
        return None;
    }
    let pieces = board.pieces();
    let kinds = [
        ("pedina", "pedine", Piece::Pedina(side)),
        ("dama", "dame", Piece::Dama(side)),
        ("damone", "damoni", Piece::Damone(side)),
    ];
    let parts: Vec<_> = kinds
        .into_iter()
        .map(|(one, many, piece)| (pieces.count(piece), one, many))
        .filter(|(number, ..)| *number > 0)
        .map(|(number, one, many)| counted(number, one, many))
        .collect();
    Some(if parts.is_empty() { "no piece".to_owned() } else { parts.join(", ") })
}

/// Counted stones or quiet turns, in words; `None` where nothing is counted, as in the Amazons.
fn score(board: &Board) -> Option<String> {
    let (traits, pieces) = (board.variant().traits(), board.pieces());
    if traits.stones {
        let [white, black] = [Side::White, Side::Black].map(|side| pieces.count(Piece::Stone(side)));
        let neutral = pieces.count(Piece::Neutral);
        let others = if neutral > 0 { format!(", neutral {neutral}") } else { String::new() };
        return Some(format!("Stones: White {white}, Black {black}{others}"));
    }
    let quiet = board.quiet();
    (traits.promotes && quiet >= 20).then(|| format!("Quiet turns: {quiet} of 80"))
}

/// Turns that are left in the Amazons, as far as certain; nothing as long as all is open.
fn turns_left(territory: &Territory, side: Side, look: &Look) -> Vec<String> {
    if territory.regions.iter().all(|region| region.owner == Owner::Contested) && !territory.regions.is_empty() {
        return Vec::new();
    }
    let range = |[low, high]: [u32; 2]| if low == high { format!("{low}") } else { format!("{low} to {high}") };
    let left = &territory.turns_left;
    let mut lines = vec![format!("Turns left: White {}, Black {}", range(left.white), range(left.black))];
    if let Some(margin) = territory.margin {
        let ahead = if (margin > 0.0) == (side == Side::White) { Side::White } else { Side::Black };
        if margin == 0.0 {
            lines.push("Counted: level".to_owned());
        } else {
            lines.push(format!("Counted: {} wins by {} turns", name(ahead), look.halves(margin)));
        }
    }
    lines
}

/// How the game ended, in words; `None` while it goes on.
pub(super) fn ending(game: &Game, territory: Option<&Territory>) -> Option<String> {
    let outcome = game.outcome()?;
    let board = game.board();
    if board.outcome().is_none() {
        let resigns = |side: Side| format!("{} resigns. {} wins.", name(side), name(!side));
        let ended = || game.ended().map(|decided| format!("Ended as it is decided: {decided}."));
        return game.resigned().map(resigns).or_else(ended);
    }
    let stuck = name(board.side_to_move());
    let pieces = board.pieces();
    Some(match (board.variant().family(), outcome) {
        (Family::Amazons, Outcome::Win(winner)) => {
            let left = territory.map(|territory| &territory.turns_left);
            let [left, _] = left.map_or([0, 0], |left| if winner == Side::White { left.white } else { left.black });
            let left = match left {
                0 => String::new(),
                left => format!(" with {} left", counted(left as usize, "turn", "turns")),
            };
            format!("{stuck} has no turn. {} wins{left}.", name(winner))
        }
        (Family::General(rules), outcome) => {
            let how = match (outcome, board.ending()) {
                (_, Some(Ending::Quiet)) => return Some("80 turns in a row without fire: a draw.".to_owned()),
                (Outcome::Win(winner), _) => format!("{} wins", name(winner)),
                (Outcome::Draw, _) => "A draw".to_owned(),
            };
            let [white, black] = [Side::White, Side::Black].map(|side| pieces.count(Piece::Stone(side)));
            let stones = if rules.has_stones() { format!(" ({white} stones to {black})") } else { String::new() };
            format!("{stuck} has no turn, which ends the game. {how}{stones}.")
        }
        (Family::Desdemona(_), outcome) => {
            let [white, black] = [Side::White, Side::Black].map(|side| pieces.count(Piece::Stone(side)));
            let stuck = format!("{stuck} has no turn, which ends the game.");
            match outcome {
                Outcome::Win(winner) => {
                    let (more, less) = (white.max(black), white.min(black));
                    format!("{stuck} {} wins by {} to {less}.", name(winner), counted(more, "stone", "stones"))
                }
                Outcome::Draw => format!("{stuck} {} each: a draw.", counted(white, "stone", "stones")),
            }
        }
        (Family::Damone(_), Outcome::Win(winner)) => {
            let why = match board.ending() {
                Some(Ending::NoPiece) => "no piece",
                Some(Ending::NoDamone) => "no damone",
                _ => "no turn",
            };
            format!("{} has {why} left. {} wins.", name(!winner), name(winner))
        }
        (_, Outcome::Draw) => match board.ending() {
            Some(Ending::Quiet) => "80 turns without capture, promotion or step forward: a draw.".to_owned(),
            _ => "The same position for the third time: a draw.".to_owned(),
        },
    })
}

/// A game, and whatever else is shown of it.
pub(super) struct View<'a> {
    pub game: &'a Game,
    /// Who plays White and Black.
    pub players: [String; 2],
    /// Of the Amazons.
    pub territory: Option<&'a Territory>,
    pub flipped: bool,
}

/// The least signs beside the board.
const LEAST: usize = 30;
/// The most.
const MOST: usize = 56;
/// Signs between the board and what stands beside it.
const GAP: usize = 3;

impl View<'_> {
    /// The lines beside the board, with their styles.
    fn beside(&self, look: &Look) -> Vec<(&'static str, String)> {
        let board = self.game.board();
        let (files, ranks) = board.size();
        let mut lines = vec![("1", format!("{} {files}{}{ranks}", board.variant().name(), look.either("×", "x")))];
        for (side, player) in [Side::White, Side::Black].into_iter().zip(&self.players) {
            lines.push(("", format!("{}: {player}", name(side))));
            lines.extend(army(board, side).map(|pieces| ("", format!("       {pieces}"))));
        }
        lines.push(("", String::new()));
        lines.extend(score(board).map(|line| ("", line)));
        if let (Some(territory), None) = (self.territory, self.game.outcome()) {
            lines.extend(turns_left(territory, board.side_to_move(), look).into_iter().map(|line| ("", line)));
        }
        if let Some(last) = Last::of(board) {
            lines.push(("", format!("{}.", last.words())));
        }
        lines.push(match ending(self.game, self.territory) {
            Some(words) => ("1", words),
            None => {
                let legal = board.legal_turns().len();
                let side = name(board.side_to_move());
                (
                    "1",
                    format!(
                        "Turn {}, {side} to move: {}.",
                        board.number(),
                        counted(legal, "legal turn", "legal turns")
                    ),
                )
            }
        });
        lines
    }

    fn marks(&self) -> BTreeMap<Square, Mark> {
        let mut marks = BTreeMap::new();
        let chosen = self.game.chosen();
        if chosen.is_empty() {
            if let Some(last) = Last::of(self.game.board()) {
                marks.extend(last.changed.into_iter().map(|square| (square, Mark::Changed)));
                marks.extend(last.turn.squares().iter().map(|&square| (square, Mark::Last)));
            }
        } else {
            marks.extend(self.game.targets().into_iter().map(|square| (square, Mark::Target)));
            marks.extend(chosen.last().map(|&square| (square, Mark::Chosen)));
        }
        marks
    }

    /// Board and words: beside it where there is room, else below it.
    pub fn lines(&self, look: &Look) -> Vec<String> {
        let pieces = self.game.pieces();
        let marks = self.marks();
        let variant = self.game.board().variant();
        let scene = Scene { variant, pieces: &pieces, marks: &marks, flipped: self.flipped };
        let files = self.game.board().size().0;
        let fits = |width: &Width| width.columns(files) + GAP + LEAST <= look.columns;
        let beside = [Width::Wide, Width::Compact].into_iter().find(fits);
        let width = beside.unwrap_or(Width::Compact);
        let drawn = scene.lines(look, width);
        let room = match beside {
            Some(_) => (look.columns - width.columns(files) - GAP).min(MOST),
            None => look.columns.max(20),
        };
        let words: Vec<_> = self
            .beside(look)
            .into_iter()
            .filter(|(_, line)| beside.is_some() || !line.is_empty())
            .flat_map(|(style, line)| wrapped(&line, room).into_iter().map(move |line| (style, line)))
            .map(|(style, line)| look.paint(style, &line))
            .collect();
        if beside.is_none() {
            return drawn.into_iter().map(|line| line.trim_end().to_owned()).chain(words).collect();
        }
        let blank = " ".repeat(width.columns(files));
        let line = |index: usize| {
            let (board, words) = (drawn.get(index).unwrap_or(&blank), words.get(index).map_or("", String::as_str));
            format!("{board}{}{words}", " ".repeat(GAP)).trim_end().to_owned()
        };
        (0..drawn.len().max(words.len())).map(line).collect()
    }
}

/// Lines of at most `width` signs, broken between words; all begin as far to the right as the first.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    if text.chars().count() <= width {
        return vec![text.to_owned()];
    }
    let words = text.trim_start();
    let indent = " ".repeat((text.len() - words.len()).min(width / 2));
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("{indent}{word}")),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use hippolyta::games::variant::find;

    fn game(variant: &str, fen: &str, turns: &[&str]) -> Game {
        let mut board = Board::from_fen(&find(variant).unwrap(), fen).unwrap();
        board.play_all(turns).unwrap();
        Game::new(board)
    }

    fn drawn(game: &Game, look: &Look, flipped: bool) -> String {
        let players = ["you".to_owned(), "Hippolyta (level 5, skilled)".to_owned()];
        View { game, players, territory: None, flipped }.lines(look).join("\n")
    }

    #[test]
    fn a_wide_terminal_shows_words_beside_the_board() {
        let iago = game("iago", "q4/5/1Ss2/5/4Q w - - 0 1", &["e1e3,e3d3"]);
        let expected = [
            " 5  ♛  ·  ·  ·  ·    iago 5×5",
            " 4  ·  ·  ·  ·  ·    White: you",
            " 3  ·  ○ (○)[○][♕]   Black: Hippolyta (level 5, skilled)",
            " 2  ·  ·  ·  ·  ·",
            " 1  ·  ·  ·  · [·]   Stones: White 3, Black 0",
            "    a  b  c  d  e    White plays e1e3,e3d3; flips 1 stone.",
            "                     Turn 1, Black to move: 71 legal turns.",
        ];
        assert_eq!(drawn(&iago, &Look::SIGNS, false), expected.join("\n"));
    }

    #[test]
    fn a_narrow_terminal_shows_a_compact_board() {
        let mut amazons = game("amazons", "q2/3/2Q w - - 0 1", &["c1b1,b1a1"]);
        let beside = drawn(&amazons, &Look { columns: 43, ..Look::PLAIN }, false);
        assert!(beside.starts_with(" 3  q . .    amazons 3x3\n"), "{beside}");
        let below = [
            " 1 [.|Q|*]",
            " 2  . . .",
            " 3  . . q",
            "    c b a",
            "amazons 3x3",
            "White: you",
            "Black: Hippolyta",
            "(level 5, skilled)",
            "White plays",
            "c1b1,b1a1.",
            "Turn 1, Black to",
            "move: 24 legal",
            "turns.",
        ];
        assert_eq!(drawn(&amazons, &Look { columns: 20, ..Look::PLAIN }, true), below.join("\n"));
        assert!(amazons.undo());
        amazons.enter("c1").unwrap();
        let chosen = drawn(&amazons, &Look { columns: 20, ..Look::PLAIN }, false);
        assert!(chosen.starts_with(" 3  q . +\n 2  . + +\n 1  + +<Q>\n    a b c\n"), "{chosen}");
    }

    #[test]
    fn boards_of_every_size_fit_their_terminal() {
        let large = "q9q/11/11/11/11/11/11/11/11/11/Q9Q w - - 0 1";
        for (variant, fen) in [("amazons", large), ("amazons", find("amazons").unwrap().start())] {
            for columns in [28, 40, 58, 60, 80, 200] {
                let text = drawn(&game(variant, fen, &[]), &Look { columns, ..Look::SIGNS }, false);
                let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
                assert!(widest <= columns, "{columns}: {widest}");
                // With a line for the prompt and two for what is said.
                assert!(columns < 58 || text.lines().count() <= 24 - 4, "{columns}");
            }
        }
    }

    #[test]
    fn ends_are_told_in_words() {
        let told = |variant: &str, fen: &str| ending(&game(variant, fen, &[]), None);
        assert_eq!(told("amazons", "Q**/***/**q b - - 0 1").unwrap(), "Black has no turn. White wins.");
        assert_eq!(told("amazons", "q2/3/2Q w"), None);
        let stuck = "Black has no turn, which ends the game.";
        assert_eq!(told("iago", "Q1s/ss*/**q b").unwrap(), format!("{stuck} Black wins by 3 stones to 0."));
        assert_eq!(told("iago", "Q1*/S**/s*q b").unwrap(), format!("{stuck} 1 stone each: a draw."));
        let damone = |fen: &str| told("damone", fen).unwrap();
        assert_eq!(damone("8/8/8/8/8/8/2D5/8 b - - 0 1"), "Black has no piece left. White wins.");
        let quiet = "80 turns without capture, promotion or step forward: a draw.";
        assert_eq!(damone("8/8/6d1/8/8/8/2D5/8 w - - 80 90"), quiet);
        assert_eq!(
            told("damone-imperatore", "8/8/6d1/8/8/8/2I5/8 w - - 0 1").unwrap(),
            "Black has no damone left. White wins."
        );
        let again = ["c2d3", "g6f7", "d3c2", "f7g6", "c2d3", "g6f7", "d3c2", "f7g6"];
        let third = game("damone", "8/8/6d1/8/8/8/2D5/8 w - - 0 1", &again);
        assert_eq!(ending(&third, None).unwrap(), "The same position for the third time: a draw.");
        let mut resigned = game("amazons", "q2/3/2Q w", &[]);
        resigned.resign(Side::Black);
        assert_eq!(ending(&resigned, None).unwrap(), "Black resigns. White wins.");
    }

    #[test]
    fn what_a_turn_of_damone_does_is_told() {
        let last = |fen: &str, turn: &str| Last::of(game("damone", fen, &[turn]).board()).unwrap().words();
        assert_eq!(last("8/8/8/5p2/8/3p4/2D5/8 w - - 0 1", "c2e4g6"), "White plays c2e4g6; captures 2");
        assert_eq!(last("8/1P6/6d1/8/8/8/8/8 w - - 0 1", "b7c8"), "White plays b7c8; becomes a dama");
    }

    #[test]
    fn numbers_and_lines_are_easy_to_read() {
        assert_eq!([7, 999, 2_176, 1_234_567].map(thousands), ["7", "999", "2,176", "1,234,567"]);
        assert_eq!(wrapped("a bb ccc dddd", 6), ["a bb", "ccc", "dddd"]);
        assert_eq!(wrapped("  a bb ccc", 6), ["  a bb", "  ccc"]);
        assert_eq!((wrapped("", 6), wrapped("  a  b", 9)), (vec![String::new()], vec!["  a  b".to_owned()]));
    }
}
