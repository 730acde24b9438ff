use crate::board::{Geometry, Square};
use crate::games::spelling::Written;
use crate::games::{Refusal, Step, Turn};

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

/// The turn of these squares: from, to, fire, and perhaps the square moved to named again.
pub(super) fn turn_of(written: &Written) -> Result<Turn, String> {
    let squares: Vec<_> = written.path.iter().chain(&written.shot).copied().collect();
    match squares[..] {
        [from, to] => Ok(Turn::moving(from, to)),
        [_, to, again] if again == to => Err(format!("the square it fires at is expected behind {to}")),
        [from, to, at] => Ok(Turn::firing(from, to, at)),
        [from, to, again, at] if again == to => Ok(Turn::firing(from, to, at)),
        [_, to, other, ..] => Err(format!("it moves to {to} but fires from {other}")),
        // A turn has two squares or more.
        [] | [_] => Err("two squares are expected".to_owned()),
    }
}
