use crate::board::flood::king_step;
use crate::board::{Bitboard, Geometry, Square, zobrist};
use crate::games::move_fire::{MoveFireStep, StepKind};
use crate::games::{Outcome, PiecesError, Position, Side};
use std::ops::ControlFlow;

/// The most amazons that a side may have.
pub const MAX_AMAZONS: usize = 8;

/// Piece kinds of the Zobrist table: amazons take their side's index.
const ARROW: usize = 2;
/// The amazon about to fire, beside its own piece.
const SHOOTER: usize = 3;
/// Entry of the table for what is no piece.
const BLACK_TO_MOVE: usize = 0;

/// A position of the Game of the Amazons, at the start of a turn or between move and fire. It is `Copy`: to undo a
/// step, keep the position before it.
///
/// ```
/// use hippolyta_rules::games::{Notation, Position, Side, amazons::Amazons, variant};
///
/// let position = Amazons::from_fen(&variant::find("amazons")?, "q2/3/*1Q w")?;
/// assert!(position.amazons(Side::White).contains("c1".parse()?));
/// assert_eq!((position.empty().count(), position.arrows().count()), (6, 1));
/// let after = position.after(position.steps()[0]);
/// assert!(after.shooter().is_some_and(|square| after.amazons(Side::White).contains(square)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Amazons {
    geometry: &'static Geometry,
    amazons: [Bitboard; 2],
    empty: Bitboard,
    key: u64,
    pub(super) quiet: u32,
    pub(super) number: u32,
    side: Side,
    /// The amazon that has moved and not yet fired.
    shooter: Option<Square>,
}

impl PartialEq for Amazons {
    /// Same board, side and half-turn; counters do not count.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.geometry, other.geometry)
            && (self.amazons, self.empty, self.side, self.shooter)
                == (other.amazons, other.empty, other.side, other.shooter)
    }
}

impl Eq for Amazons {}

impl Amazons {
    /// A position at the start of a turn, made without a FEN.
    ///
    /// ```
    /// use hippolyta_rules::board::{Bitboard, Geometry};
    /// use hippolyta_rules::games::{Notation, Side, amazons::Amazons};
    ///
    /// let [white, black, arrow] = ["a1", "c3", "b2"].map(|name| name.parse().map(Bitboard::of));
    /// let position = Amazons::from_pieces(Geometry::get(3, 3)?, [white?, black?], arrow?, Side::White)?;
    /// assert_eq!(position.fen(), "2q/1*1/Q2 w - - 0 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If two pieces share a square, a piece is not on the board, or a side has no amazon or more than [`MAX_AMAZONS`].
    pub fn from_pieces(
        geometry: &'static Geometry,
        amazons: [Bitboard; 2],
        arrows: Bitboard,
        side: Side,
    ) -> Result<Self, PiecesError> {
        PiecesError::check(geometry, &[amazons[0], amazons[1], arrows])?;
        for (side, set) in [Side::White, Side::Black].into_iter().zip(amazons) {
            if !(1..=MAX_AMAZONS as u32).contains(&set.count()) {
                return Err(PiecesError::Amazons { side, count: set.count() });
            }
        }
        Ok(Self::new(geometry, amazons, arrows, side))
    }

    /// A position at the start of a turn. The sets must be disjoint and on the board.
    fn new(geometry: &'static Geometry, amazons: [Bitboard; 2], arrows: Bitboard, side: Side) -> Self {
        let empty = geometry.squares() & !(amazons[0] | amazons[1] | arrows);
        let mut position = Self { geometry, amazons, empty, key: 0, quiet: 0, number: 1, side, shooter: None };
        position.key = position.key_from_scratch();
        position
    }

    /// The tables of the board.
    #[inline]
    #[must_use]
    pub fn geometry(&self) -> &'static Geometry {
        self.geometry
    }

    /// The squares of `side`'s amazons.
    #[inline]
    #[must_use]
    pub fn amazons(&self, side: Side) -> Bitboard {
        self.amazons[side.index()]
    }

    /// The amazons of both sides, White's first.
    #[inline]
    #[must_use]
    pub fn both_amazons(&self) -> [Bitboard; 2] {
        self.amazons
    }

    /// The empty squares.
    #[inline]
    #[must_use]
    pub fn empty(&self) -> Bitboard {
        self.empty
    }

    /// The squares with an arrow.
    #[inline]
    #[must_use]
    pub fn arrows(&self) -> Bitboard {
        self.geometry.squares() & !(self.empty | self.amazons[0] | self.amazons[1])
    }

    /// In the middle of a turn, the amazon that has moved and is about to fire.
    #[inline]
    #[must_use]
    pub fn shooter(&self) -> Option<Square> {
        self.shooter
    }

    /// The key, computed anew. [`Position::key`] keeps it up to date instead.
    #[must_use]
    pub fn key_from_scratch(&self) -> u64 {
        let keys = zobrist::keys();
        let mut key = keys.size(self.geometry.width(), self.geometry.height());
        for (kind, set) in [self.amazons[0], self.amazons[1], self.arrows()].into_iter().enumerate() {
            key = set.into_iter().fold(key, |key, square| key ^ keys.piece(kind, square));
        }
        if self.side == Side::Black {
            key ^= keys.extra(BLACK_TO_MOVE);
        }
        if let Some(shooter) = self.shooter {
            key ^= keys.piece(SHOOTER, shooter);
        }
        key
    }
}

impl Position for Amazons {
    type Step = MoveFireStep;
    const CAN_BE_DRAWN: bool = false;

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn at_turn_start(&self) -> bool {
        self.shooter.is_none()
    }

    fn ends_turn(&self, _: Self::Step) -> bool {
        !self.at_turn_start()
    }

    /// A side that cannot move an amazon has lost. After a move, the amazon can fire back at the square it came from,
    /// so a move always leaves a fire.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let stuck = self.shooter.is_none() && king_step(self.geometry, self.amazons(self.side), self.empty).is_empty();
        stuck.then_some(Outcome::Win(!self.side))
    }

    #[inline]
    fn for_each_step(&self, mut f: impl FnMut(MoveFireStep) -> ControlFlow<()>) -> ControlFlow<()> {
        match self.shooter {
            Some(shooter) => {
                for at in self.geometry.queen_targets(shooter, self.empty) {
                    f(MoveFireStep::firing(at))?;
                }
            }
            None => {
                for from in self.amazons(self.side) {
                    for to in self.geometry.queen_targets(from, self.empty) {
                        f(MoveFireStep::moving(from, to))?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    #[inline]
    fn play(&mut self, step: MoveFireStep) {
        let keys = zobrist::keys();
        match step.kind() {
            StepKind::Move { from, to } => {
                let amazons = &mut self.amazons[self.side.index()];
                debug_assert!(amazons.contains(from) && self.empty.contains(to) && self.shooter.is_none());
                *amazons = amazons.without(from).with(to);
                self.empty = self.empty.with(from).without(to);
                self.key ^= keys.piece(self.side.index(), from) ^ keys.piece(self.side.index(), to);
                self.key ^= keys.piece(SHOOTER, to);
                self.shooter = Some(to);
            }
            StepKind::Fire { at } => {
                debug_assert!(self.empty.contains(at) && self.shooter.is_some());
                if let Some(shooter) = self.shooter.take() {
                    self.key ^= keys.piece(SHOOTER, shooter);
                }
                self.empty = self.empty.without(at);
                self.key ^= keys.piece(ARROW, at) ^ keys.extra(BLACK_TO_MOVE);
                self.number = self.number.saturating_add(u32::from(self.side == Side::Black));
                self.side = !self.side;
            }
        }
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    /// Territories are closed when about four squares in ten are still empty; filling them needs no thought.
    fn turns_to_think_about(&self) -> u32 {
        let open = self.empty.count().saturating_sub(self.geometry.squares().count() * 2 / 5);
        (open / 2).max(8)
    }

    fn count_turns(&self, turns: u32) -> u64 {
        self.count(turns)
    }

    fn count_steps(&self) -> usize {
        let targets = |from| self.geometry.queen_targets(from, self.empty).count() as usize;
        match self.shooter {
            Some(shooter) => targets(shooter),
            None => self.amazons(self.side).into_iter().map(targets).sum(),
        }
    }
}
