use crate::board::{Geometry, Square};
use crate::games::spelling::{place, plain};
use crate::games::{Refusal, Step, Turn, UnreadableTurn};

/// A step of a game of move and fire: an amazon moves, or the amazon that has just moved fires.
///
/// ```
/// use hippolyta_rules::games::{MoveFireStep, Notation, Position, amazons::Amazons, variant};
///
/// let variant = &variant::find("amazons")?;
/// let mut position = Amazons::from_fen(variant, variant.start())?;
/// position.play(MoveFireStep::moving("d1".parse()?, "d7".parse()?));
/// position.play(MoveFireStep::firing("g7".parse()?));
/// assert!(position.neutral().contains("g7".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveFireStep(u16);

/// The two kinds of [`MoveFireStep`], with their squares.
///
/// ```
/// use hippolyta_rules::games::{MoveFireStep, StepKind};
///
/// let step = MoveFireStep::moving("d1".parse()?, "d7".parse()?);
/// let StepKind::Move { from, to } = step.kind() else { panic!("it moves") };
/// assert_eq!((from.to_string(), to.to_string()), ("d1".to_owned(), "d7".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum StepKind {
    Move { from: Square, to: Square },
    Fire { at: Square },
}

impl MoveFireStep {
    const FIRE: u16 = 1 << 15;

    /// The step that moves the amazon on `from` to `to`.
    #[inline]
    #[must_use]
    pub const fn moving(from: Square, to: Square) -> Self {
        Self((from.index() as u16) << 7 | to.index() as u16)
    }

    /// The step that fires at `at`.
    #[inline]
    #[must_use]
    pub const fn firing(at: Square) -> Self {
        Self(Self::FIRE | at.index() as u16)
    }

    /// The kind of the step, with its squares.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> StepKind {
        let target = Square::new((self.0 & 127) as usize);
        if self.0 & Self::FIRE == 0 {
            StepKind::Move { from: Square::new((self.0 >> 7 & 127) as usize), to: target }
        } else {
            StepKind::Fire { at: target }
        }
    }
}

impl Step for MoveFireStep {
    #[inline]
    fn code(self) -> u16 {
        self.0
    }

    #[inline]
    fn from_code(code: u16) -> Self {
        Self(code)
    }
}

/// The turn with these steps, or its beginning.
pub(super) fn turn(steps: &[MoveFireStep]) -> Option<Turn> {
    let StepKind::Move { from, to } = steps.first()?.kind() else { return None };
    Some(match steps.get(1).map(|step| step.kind()) {
        Some(StepKind::Fire { at }) => Turn::firing(from, to, at),
        _ => Turn::moving(from, to),
    })
}

/// The squares of a turn.
pub(super) struct Squares {
    pub from: Square,
    pub to: Square,
    /// `None` if it moves only.
    pub at: Option<Square>,
}

/// The squares of a turn, if all are on the board. A path of three squares, as Damone writes them, is a move and a
/// fire.
pub(super) fn squares(turn: &Turn, geometry: &Geometry) -> Result<Squares, Refusal> {
    if let Some(&square) = turn.squares().iter().find(|&&square| !geometry.squares().contains(square)) {
        return Err(Refusal::OffBoard(square));
    }
    match *turn.squares() {
        [from, to] => Ok(Squares { from, to, at: None }),
        [from, to, at] => Ok(Squares { from, to, at: Some(at) }),
        [from, to, ..] => Err(Refusal::CannotMove { from, to }),
        // A turn has two squares or more.
        [] | [_] => Err(Refusal::FireMissing),
    }
}

/// Reads `d1d7,d7g7` and its other spellings: from, to, fire, with or without dashes, commas, slashes, and the square
/// moved to named again, as in `d1-d7/g7`, `d1–d7,g7`, `d1-d7(g7)`, `d1d7g7`; and `d1d7` without fire.
pub(super) fn read_turn(text: &str) -> Result<Turn, UnreadableTurn> {
    read_squares(text).map_err(|expected| UnreadableTurn { expected })
}

fn read_squares(text: &str) -> Result<Turn, String> {
    let text = &*plain(text);
    let mut rest = text;
    let square = |rest: &mut &str, what: &str| -> Result<Square, String> {
        let (square, tail) = Square::parse_prefix(rest)
            .map_err(|_| format!("the square {what} is expected at character {}", place(text, rest)))?;
        *rest = tail;
        Ok(square)
    };
    let skip = |rest: &mut &str, what: &[char]| *rest = rest.strip_prefix(what).unwrap_or(rest);
    let from = square(&mut rest, "of the amazon")?;
    skip(&mut rest, &['-']);
    let to = square(&mut rest, "it moves to")?;
    let at = if rest.is_empty() {
        None
    } else if let Some(tail) = rest.strip_prefix('(') {
        rest = tail;
        let at = square(&mut rest, "it fires at")?;
        rest = rest.strip_prefix(')').ok_or_else(|| "a closing parenthesis is expected at the end".to_owned())?;
        Some(at)
    } else {
        skip(&mut rest, &[',', '/', '-']);
        let next = square(&mut rest, "it fires at")?;
        let more = rest.strip_prefix('-').unwrap_or(rest);
        if next != to && Square::parse_prefix(more).is_ok() {
            return Err(format!("it moves to {to} but fires from {next}"));
        }
        if next == to {
            rest = more;
            Some(square(&mut rest, "it fires at")?)
        } else {
            Some(next)
        }
    };
    if rest.is_empty() {
        Ok(at.map_or_else(|| Turn::moving(from, to), |at| Turn::firing(from, to, at)))
    } else {
        Err(format!("nothing is expected from character {} on", place(text, rest)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_read_in_all_spellings_that_people_use() {
        let read = |text: &str| read_squares(text).map(|turn| turn.to_string());
        for text in [
            "d1d7,d7g7",
            "d1-d7/g7",
            "d1-d7(g7)",
            "d1d7g7",
            "d1d7,g7",
            "d1d7/d7g7",
            "d1-d7,d7-g7",
            "d1-d7-g7",
            "d1d7d7g7",
            "D1–D7,g7",
            "d1—d7/g7",
            "d1−d7−g7",
            "d1‑d7(g7)",
            "d1×d7/g7",
            "d1:d7/d7g7",
            "d1–d7,d7–g7",
            " d1d7,d7g7 ",
        ] {
            assert_eq!(read(text), Ok("d1d7,d7g7".to_owned()), "{text}");
        }
        assert_eq!(read("d1–d7"), Ok("d1d7".to_owned()));
        for (text, wrong) in [
            ("d1d7,", "the square it fires at is expected at character 6"),
            ("d1–d7,d7", "the square it fires at is expected at character 9"),
            ("d1–d7,d8g7", "it moves to d7 but fires from d8"),
            ("d1–d7(g7", "a closing parenthesis is expected at the end"),
            ("d1–d7,g7x", "nothing is expected from character 9 on"),
            ("d1 d7", "the square it moves to is expected at character 3"),
            ("–d1d7", "the square of the amazon is expected at character 1"),
            ("d1d7é", "the square it fires at is expected at character 5"),
            ("d1d2d3d4d5", "it moves to d2 but fires from d3"),
        ] {
            assert_eq!(read(text), Err(wrong.to_owned()), "{text}");
        }
    }
}
