use arrayvec::ArrayVec;
use std::fmt;
use std::hash::Hash;
use std::ops::{ControlFlow, Not};
use thiserror::Error;

/// One of the two sides. White moves first from a start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Side {
    White,
    Black,
}

impl Side {
    /// White 0, Black 1: for arrays with an entry a side.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `white` or `black`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }
}

impl Not for Side {
    type Output = Self;

    /// The other side.
    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Outcome {
    Win(Side),
    Draw,
}

impl Outcome {
    /// `white` or `black`, whoever has won, or `draw`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win(side) => side.name(),
            Self::Draw => "draw",
        }
    }
}

/// What one side does between two decisions; every step of every game has a code of 16 bits.
pub trait Step: Copy + Eq + Ord + Hash + fmt::Debug + Send + Sync + 'static {
    /// The code, unique among the steps of one position.
    fn code(self) -> u16;
    /// The step with this code, as [`Step::code`] gave it.
    fn from_code(code: u16) -> Self;
}

/// A step that is not legal where it was to be played; nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the step is not legal here")]
pub struct IllegalStep;

/// The steps of one turn.
pub type Turn<P> = ArrayVec<<P as Position>::Step, 2>;

/// One position between two steps. Rules know nothing of search, text or evaluation.
///
/// A position at the start of a turn is finished if [`outcome`](Self::outcome) says so, and has a step otherwise. In
/// the middle of a turn it is never finished and always has a step.
pub trait Position: Clone + fmt::Debug + Send + Sync + 'static {
    /// The steps of this game.
    type Step: Step;

    /// Whether games may end in a draw.
    const CAN_BE_DRAWN: bool = true;

    /// Who decides the next step: the same side before and after a half-turn.
    fn side_to_move(&self) -> Side;

    /// False in the middle of a turn.
    fn at_turn_start(&self) -> bool;

    /// The result, if the game is over here.
    fn outcome(&self) -> Option<Outcome>;

    /// Calls `f` for every legal step, in an order fixed by the position, until `f` breaks off.
    fn for_each_step(&self, f: impl FnMut(Self::Step) -> ControlFlow<()>) -> ControlFlow<()>;

    /// Plays `step`, which must be legal here: that is checked in debug builds at most.
    fn play(&mut self, step: Self::Step);

    /// Plays `step` if it is legal here. Takes as long as to list all steps.
    ///
    /// ```
    /// use hippolyta::games::{Notation, Position, amazons::Amazons, variant};
    ///
    /// let variant = variant::find("amazons6")?;
    /// let mut position = Amazons::from_fen(variant, variant.start)?;
    /// let step = position.steps()[0];
    /// assert!(position.try_play(step).is_ok());
    /// // The amazon is no longer where it was.
    /// assert!(position.try_play(step).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If it is not, or if the game is over.
    fn try_play(&mut self, step: Self::Step) -> Result<(), IllegalStep> {
        let is_over = self.at_turn_start() && self.outcome().is_some();
        let find = |known| if known == step { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        if is_over || self.for_each_step(find).is_continue() {
            return Err(IllegalStep);
        }
        self.play(step);
        Ok(())
    }

    /// Zobrist key: equal positions have equal keys, the half-turn included.
    fn key(&self) -> u64;

    /// Whether what is true of this position holds whatever was played before. False where draws by repetition or by
    /// quiet plies depend on it: then nothing may be shared among positions of equal keys.
    fn forgets_history(&self) -> bool {
        true
    }

    /// About how many turns, the next one included, the side to move will have to think about: for sharing out its
    /// time.
    fn turns_to_think_about(&self) -> u32;

    /// The number of ways to go on for exactly `turns` turns, from the start of a turn. Games override it where they
    /// can count the last turns without playing them.
    fn count_turns(&self, turns: u32) -> u64 {
        if turns == 0 {
            return 1;
        }
        let mut count = 0;
        for_each_turn(self, &mut |_, after| count += after.count_turns(turns - 1));
        count
    }

    /// The position after `step`.
    #[must_use]
    fn after(&self, step: Self::Step) -> Self {
        let mut next = self.clone();
        next.play(step);
        next
    }

    /// All legal steps.
    fn steps(&self) -> Vec<Self::Step> {
        let mut steps = Vec::new();
        let _ = self.for_each_step(|step| {
            steps.push(step);
            ControlFlow::Continue(())
        });
        steps
    }
}

/// Calls `f` with every legal turn and the position after it. `position` must be at the start of a turn.
pub fn for_each_turn<P: Position>(position: &P, f: &mut impl FnMut(&Turn<P>, &P)) {
    fn go<P: Position>(position: &P, turn: &mut Turn<P>, f: &mut impl FnMut(&Turn<P>, &P)) {
        let _ = position.for_each_step(|step| {
            let after = position.after(step);
            turn.push(step);
            if after.at_turn_start() {
                f(turn, &after)
            } else {
                go(&after, turn, f)
            }
            turn.pop();
            ControlFlow::Continue(())
        });
    }
    if position.outcome().is_none() {
        go(position, &mut Turn::<P>::new(), f);
    }
}

/// All legal turns, in the order of the steps. Empty if the game is over.
pub fn legal_turns<P: Position>(position: &P) -> Vec<Turn<P>> {
    let mut turns = Vec::new();
    for_each_turn(position, &mut |turn, _| turns.push(turn.clone()));
    turns
}
