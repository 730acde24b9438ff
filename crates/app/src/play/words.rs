//! Lines as commands.

use super::game::squares;
use super::level::Level;
use hippolyta::board::Square;
use hippolyta::games::variant::{self, Variant};
use hippolyta::words::shown;
use std::str::FromStr;

/// Which sides people play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seats {
    /// White and Black.
    pub people: [bool; 2],
}

impl FromStr for Seats {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let people = match text.to_ascii_lowercase().as_str() {
            "white" | "w" => [true, false],
            "black" | "b" => [false, true],
            "both" => [true, true],
            "none" => [false, false],
            _ => return Err("a side is white, black, both or none".to_owned()),
        };
        Ok(Self { people })
    }
}

/// The meaning of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// An empty line.
    Nothing,
    /// A turn or squares of one, as they were typed.
    Turn(String),
    Help,
    Rules,
    Moves(Vec<Square>),
    Hint,
    Eval,
    Undo(usize),
    Cancel,
    Resign,
    End,
    /// Milliseconds between two turns.
    Fill(u64),
    New(Option<Variant>),
    Board,
    Flip,
    Fen,
    Save {
        path: String,
        force: bool,
    },
    Load {
        path: String,
        number: usize,
    },
    Levels,
    Level(Level),
    Side(Seats),
    Swap,
    Go,
    Quit,
}

/// Reads a line.
///
/// # Errors
///
/// The fault of the line, in words.
pub(super) fn parse(line: &str) -> Result<Word, String> {
    let line = line.trim();
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let (first, rest) = (first.to_ascii_lowercase(), rest.trim());
    let alone = |word: Word| match rest {
        "" => Ok(word),
        rest => Err(format!("nothing is expected after {first}, and '{}' stands there", shown(rest))),
    };
    match first.as_str() {
        "" => Ok(Word::Nothing),
        "help" | "?" | "h" => Ok(Word::Help),
        "rules" => alone(Word::Rules),
        "moves" | "turns" => match squares(&rest.to_ascii_lowercase()) {
            Some(squares) => Ok(Word::Moves(squares)),
            None => Err(format!("'{}' is not a list of squares; an example is moves d1", shown(rest))),
        },
        "hint" => alone(Word::Hint),
        "eval" => alone(Word::Eval),
        "take" | "undo" | "back" | "takeback" => {
            let rest = if first == "take" { rest.trim_start_matches("back").trim() } else { rest };
            match rest.parse() {
                Ok(0) | Err(_) if !rest.is_empty() => {
                    Err(format!("'{}' is not a number of turns; an example is undo 2", shown(rest)))
                }
                number => Ok(Word::Undo(number.unwrap_or(1))),
            }
        }
        "cancel" => alone(Word::Cancel),
        "resign" => alone(Word::Resign),
        "end" => alone(Word::End),
        "fill" if rest.is_empty() => Ok(Word::Fill(0)),
        "fill" => match hippolyta_lab::times::seconds(rest, 0.0, 60.0) {
            Ok(pause) => Ok(Word::Fill(pause.as_millis() as u64)),
            Err(_) => Err(format!("'{}' is not a number of seconds up to 60; an example is fill 0.5", shown(rest))),
        },
        "new" | "variant" if rest.is_empty() => Ok(Word::New(None)),
        "new" | "variant" => {
            variant::find(rest).map(|variant| Word::New(Some(variant))).map_err(|error| error.to_string())
        }
        "board" | "show" | "d" => alone(Word::Board),
        "flip" => alone(Word::Flip),
        "fen" => alone(Word::Fen),
        "save" => {
            let (path, force) = match rest.strip_suffix("--force") {
                Some(path) => (path.trim_end(), true),
                None => (rest, false),
            };
            let path = path.to_owned();
            if path.is_empty() {
                Err("a file is expected: save game.pgn".to_owned())
            } else {
                Ok(Word::Save { path, force })
            }
        }
        "load" => {
            let numbered = rest.rsplit_once(char::is_whitespace);
            let numbered = numbered.and_then(|(path, number)| Some((path, number.parse().ok().filter(|&it| it > 0)?)));
            let (path, number) = numbered.unwrap_or((rest, 1));
            if path.is_empty() {
                Err("a file is expected: load game.pgn".to_owned())
            } else {
                Ok(Word::Load { path: path.trim().to_owned(), number })
            }
        }
        "level" | "levels" if rest.is_empty() => Ok(Word::Levels),
        "level" => rest.parse().map(Word::Level),
        "side" => rest.parse().map(Word::Side),
        "swap" if matches!(rest, "" | "sides") => Ok(Word::Swap),
        "go" | "engine" => alone(Word::Go),
        "quit" | "exit" | "q" | "bye" => alone(Word::Quit),
        "pass" => Err("nobody may pass in these games".to_owned()),
        _ if squares(&line.to_ascii_lowercase()).is_some_and(|squares| !squares.is_empty()) => {
            Ok(Word::Turn(line.to_owned()))
        }
        _ => Err(format!("'{}' is neither a turn nor a command; help lists the commands", shown(line))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_with_what_follows() {
        let word = |line: &str| parse(line).unwrap();
        assert_eq!(word("  "), Word::Nothing);
        assert_eq!((word("UNDO"), word("take back"), word("back 3")), (Word::Undo(1), Word::Undo(1), Word::Undo(3)));
        assert_eq!((word("takeback 2"), word("take back 2")), (Word::Undo(2), Word::Undo(2)));
        assert_eq!(word("d1 d7 g7"), Word::Turn("d1 d7 g7".to_owned()));
        assert_eq!(word("D1"), Word::Turn("D1".to_owned()));
        assert_eq!(word("moves d1-d7"), Word::Moves(squares("d1d7").unwrap()));
        assert_eq!(word("save My Game.pgn --force"), Word::Save { path: "My Game.pgn".to_owned(), force: true });
        assert_eq!(word("load My Game.pgn 12"), Word::Load { path: "My Game.pgn".to_owned(), number: 12 });
        assert_eq!(word("load a.sgf"), Word::Load { path: "a.sgf".to_owned(), number: 1 });
        assert_eq!(word("side none"), Word::Side(Seats { people: [false, false] }));
        assert_eq!((word("level 3"), word("level")), (Word::Level("casual".parse().unwrap()), Word::Levels));
        assert_eq!((word("swap sides"), word("engine"), word("d")), (Word::Swap, Word::Go, Word::Board));
        assert_eq!((word("end"), word("fill"), word("fill 0.5")), (Word::End, Word::Fill(0), Word::Fill(500)));
        assert_eq!(word("new lago"), Word::New(variant::find("iago").ok()));
    }

    #[test]
    fn what_is_wrong_is_said_with_an_example() {
        for (line, message) in [
            ("save", "a file is expected: save game.pgn"),
            ("undo 0", "'0' is not a number of turns; an example is undo 2"),
            ("undo x", "'x' is not a number of turns"),
            ("moves z9", "'z9' is not a list of squares; an example is moves d1"),
            ("fill x", "'x' is not a number of seconds up to 60; an example is fill 0.5"),
            ("hint me", "nothing is expected after hint, and 'me' stands there"),
            ("new chess", "unknown variant 'chess': known are amazons"),
            ("level 11", "a level is a number from 1 to 9 or one of beginner"),
            ("side left", "a side is white, black, both or none"),
            ("pass", "nobody may pass"),
            ("castle", "'castle' is neither a turn nor a command; help lists the commands"),
            (",,", "',,' is neither"),
        ] {
            assert!(parse(line).unwrap_err().starts_with(message), "{line}: {:?}", parse(line));
        }
        let long = parse(&"x\u{7}".repeat(9_000)).unwrap_err();
        assert!(long.starts_with(r"'x\u0007x\u0007") && long.len() < 400, "{long}");
    }
}
