use arrayvec::ArrayVec;
use serde::{Serialize, Serializer};
use std::fmt;
use std::hash::Hash;
use std::ops::{ControlFlow, Not};
use thiserror::Error;

/// One of the two sides. White moves first from a start position.
///
/// ```
/// use hippolyta_rules::games::Side;
///
/// assert_eq!(!Side::White, Side::Black);
/// let scores = [0.75, 0.25]; // White's, then Black's
/// assert_eq!(scores[Side::Black.index()], 0.25);
/// assert_eq!(Side::Black.to_string(), "black");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Side {
    White,
    Black,
}

impl Side {
    /// White is 0, Black is 1: for arrays with one entry for each side.
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

impl Serialize for Side {
    /// As its name.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How a finished game ended.
///
/// ```
/// use hippolyta_rules::games::{Notation, Outcome, Position, Side, amazons::Amazons, variant};
///
/// // Black is to move, and its only amazon is walled in.
/// let position = Amazons::from_fen(&variant::find("amazons")?, "Q**/***/**q b")?;
/// assert_eq!(position.outcome(), Some(Outcome::Win(Side::White)));
/// assert_eq!(Outcome::Win(Side::White).name(), "white");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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

    /// The half points of `side`: two for a win, one for a draw.
    ///
    /// ```
    /// use hippolyta_rules::games::{Outcome, Side};
    /// assert_eq!(Outcome::Win(Side::Black).half_points(Side::White), 0);
    /// assert_eq!(Outcome::Draw.half_points(Side::White), 1);
    /// ```
    #[must_use]
    pub fn half_points(self, side: Side) -> u8 {
        match self {
            Self::Win(winner) => 2 * u8::from(winner == side),
            Self::Draw => 1,
        }
    }
}

/// A part of a turn: one decision of the side to move. Every step has a code of 16 bits, the form in which trees and
/// files keep it.
///
/// ```
/// use hippolyta_rules::games::{MoveFireStep, Notation, Position, Step, amazons::Amazons, variant};
///
/// let variant = &variant::find("amazons")?;
/// for step in Amazons::from_fen(variant, variant.start())?.steps() {
///     assert_eq!(MoveFireStep::from_code(step.code()), step);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Step: Copy + Eq + Ord + Hash + fmt::Debug + Send + Sync + 'static {
    /// The code, unique among the steps of one position.
    fn code(self) -> u16;
    /// The step with this code, which [`Step::code`] gave.
    fn from_code(code: u16) -> Self;
}

/// A step is not legal in the position in which it was to be played. The position is unchanged.
///
/// ```
/// use hippolyta_rules::games::{IllegalStep, MoveFireStep, Notation, Position, amazons::Amazons, variant};
///
/// let mut position = Amazons::from_fen(&variant::find("amazons")?, "q2/3/2Q w")?;
/// let step = MoveFireStep::moving("c1".parse()?, "a2".parse()?);
/// assert_eq!(position.try_play(step), Err(IllegalStep));
/// assert_eq!(position.fen(), "q2/3/2Q w - - 0 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the step is not legal here")]
pub struct IllegalStep;

/// The steps of one turn, one or two.
///
/// ```
/// use hippolyta_rules::games::{Notation, Steps, amazons::Amazons, variant};
///
/// let variant = &variant::find("amazons")?;
/// let start = Amazons::from_fen(variant, variant.start())?;
/// let turn: Steps<Amazons> = start.parse_turn("d1d7,d7g7")?;
/// assert_eq!(turn.len(), 2); // a move and a fire
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Steps<P> = ArrayVec<<P as Position>::Step, 2>;

/// A position between two steps. Rules know nothing of search, text or evaluation.
///
/// At the start of a turn a position is either finished, which [`outcome`](Self::outcome) tells, or has a legal step.
/// In the middle of a turn it is never finished and always has a legal step.
///
/// ```
/// use hippolyta_rules::games::{Notation, Position, Side, amazons::Amazons, variant};
///
/// let mut position = Amazons::from_fen(&variant::find("amazons")?, "q2/3/2Q w")?;
/// position.play(position.steps()[0]); // an amazon moves
/// assert!(!position.at_turn_start());
/// assert_eq!(position.side_to_move(), Side::White);
/// position.play(position.steps()[0]); // and fires
/// assert!(position.at_turn_start());
/// assert_eq!(position.side_to_move(), Side::Black);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Position: Clone + fmt::Debug + Send + Sync + 'static {
    /// The steps of this game.
    type Step: Step;

    /// Whether games may end in a draw.
    const CAN_BE_DRAWN: bool = true;

    /// The side that decides the next step. It does not change in the middle of a turn.
    fn side_to_move(&self) -> Side;

    /// True at the start of a turn, false in the middle of one.
    fn at_turn_start(&self) -> bool;

    /// The result, if the game is over here. `None` in the middle of a turn.
    fn outcome(&self) -> Option<Outcome>;

    /// Calls `f` for every legal step until `f` breaks off. The position alone fixes their order.
    fn for_each_step(&self, f: impl FnMut(Self::Step) -> ControlFlow<()>) -> ControlFlow<()>;

    /// Plays `step`. It must be legal here, which only debug builds check; [`try_play`](Self::try_play) always does.
    fn play(&mut self, step: Self::Step);

    /// Plays `step` if it is legal here. This takes as long as listing all steps.
    ///
    /// ```
    /// use hippolyta_rules::games::{Notation, Position, amazons::Amazons, variant};
    ///
    /// let variant = &variant::find("amazons6")?;
    /// let mut position = Amazons::from_fen(variant, variant.start())?;
    /// let step = position.steps()[0];
    /// assert!(position.try_play(step).is_ok());
    /// // The amazon is no longer where it was.
    /// assert!(position.try_play(step).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the step is not legal, or if the game is over.
    fn try_play(&mut self, step: Self::Step) -> Result<(), IllegalStep> {
        let is_over = self.at_turn_start() && self.outcome().is_some();
        let find = |known| if known == step { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        if is_over || self.for_each_step(find).is_continue() {
            return Err(IllegalStep);
        }
        self.play(step);
        Ok(())
    }

    /// The Zobrist key, 64 bits. Equal positions have equal keys; whether a turn has begun is part of it.
    fn key(&self) -> u64;

    /// Whether everything that is true of this position holds whatever was played before. False where draws by
    /// repetition or by quiet plies depend on the past: then positions with equal keys may not share results.
    fn forgets_history(&self) -> bool {
        true
    }

    /// An estimate of how many turns, the next one included, the side to move still has to think about. The search
    /// shares out its time by it.
    fn turns_to_think_about(&self) -> u32;

    /// The number of sequences of exactly `turns` turns from a position at the start of a turn. Families override it
    /// where they can count the last turns without playing them.
    fn count_turns(&self, turns: u32) -> u64 {
        if turns == 0 {
            return 1;
        }
        let mut count = 0;
        for_each_turn(self, &mut |_, after| count += after.count_turns(turns - 1));
        count
    }

    /// The number of legal steps. Families override it where they can tell without listing them.
    ///
    /// ```
    /// use hippolyta_rules::games::{Notation, Position, amazons::Amazons, variant};
    ///
    /// let variant = &variant::find("amazons")?;
    /// let start = Amazons::from_fen(variant, variant.start())?;
    /// assert_eq!(start.count_steps(), 80);
    /// let half = start.after(start.steps()[0]);
    /// assert_eq!(half.count_steps(), half.steps().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn count_steps(&self) -> usize {
        let mut count = 0;
        let _ = self.for_each_step(|_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }

    /// Whether `step`, which must be legal here, is the last of its turn. Families override it: they can tell without
    /// playing the step.
    ///
    /// ```
    /// use hippolyta_rules::games::{Notation, Position, amazons::Amazons, variant};
    ///
    /// let mut position = Amazons::from_fen(&variant::find("amazons")?, "q2/3/2Q w")?;
    /// let moves = position.steps()[0];
    /// assert!(!position.ends_turn(moves));
    /// position.play(moves);
    /// assert!(position.ends_turn(position.steps()[0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn ends_turn(&self, step: Self::Step) -> bool {
        self.after(step).at_turn_start()
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

/// Calls `f` with every legal turn and the position after it, or never if the game is over. `position` must be at the
/// start of a turn.
///
/// ```
/// use hippolyta_rules::games::{Notation, Position, amazons::Amazons, for_each_turn, variant};
///
/// let position = Amazons::from_fen(&variant::find("amazons")?, "q1*/**1/2Q w")?;
/// let mut winning = Vec::new();
/// for_each_turn(&position, &mut |turn, after| {
///     if after.outcome().is_some() {
///         winning.push(position.turn_text(turn));
///     }
/// });
/// assert_eq!(winning, ["c1c2,c2b3"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn for_each_turn<P: Position>(position: &P, f: &mut impl FnMut(&Steps<P>, &P)) {
    fn go<P: Position>(position: &P, turn: &mut Steps<P>, f: &mut impl FnMut(&Steps<P>, &P)) {
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
        go(position, &mut Steps::<P>::new(), f);
    }
}

/// All legal turns, in the order of their steps; none if the game is over. `position` must be at the start of a turn.
///
/// ```
/// use hippolyta_rules::games::{Notation, amazons::Amazons, legal_turns, variant};
///
/// let variant = &variant::find("amazons")?;
/// let start = Amazons::from_fen(variant, variant.start())?;
/// assert_eq!(legal_turns(&start).len(), 2_176);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn legal_turns<P: Position>(position: &P) -> Vec<Steps<P>> {
    let mut turns = Vec::new();
    for_each_turn(position, &mut |turn, _| turns.push(turn.clone()));
    turns
}
